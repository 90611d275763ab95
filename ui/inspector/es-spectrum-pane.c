/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-spectrum-pane-private.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "cube/es-cube-taken.h"
#include "charts/es-plot-zoom.h"

typedef struct
{
  EsCube *cube;
  guint   x, y;
} Request;

enum { PROP_0, PROP_EMPTY, N_PROPS };
enum { BAND_SELECTED, N_SIGNALS };
static GParamSpec *properties[N_PROPS];
static guint signals[N_SIGNALS];

G_DEFINE_TYPE (EsSpectrumPane, es_spectrum_pane, GTK_TYPE_WIDGET)

void
_es_spectrum_pane_set_empty (EsSpectrumPane *self, gboolean empty)
{
  if (self->empty == empty)
    return;
  self->empty = empty;
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_EMPTY]);
}

/* ---- bands by hand ---- */

static int
nearest_band (EsSpectrumPane *self, double x)
{
  double distance = INFINITY;
  int nearest = -1;

  if (self->cube == NULL)
    return -1;
  if (es_cube_get_wavelengths (self->cube) != NULL)
    return es_cube_find_wavelength (self->cube, x);
  for (guint i = 0; i < self->n; i++)
    if (fabs (self->x[i] - x) < distance)
      {
        distance = fabs (self->x[i] - x);
        nearest = (int) i;
      }
  return nearest;
}

static void
show_band (EsSpectrumPane *self, int marker, int band)
{
  if (band < 0 || !_es_spectrum_pane_shows_cube (self))
    return;
  if (es_display_get_composite (self->display))
    es_display_set_rgb (self->display, CLAMP (marker, 0, 2), band);
  else
    es_display_set_plane (self->display, band);
}

static void
on_marker_moved (EsSpectrumPane *self, int marker, double value, gboolean final)
{
  show_band (self, marker, nearest_band (self, value));
}

static void
on_marker_stepped (EsSpectrumPane *self, int marker, int steps)
{
  guint planes[3];

  if (_es_spectrum_pane_shows_cube (self) && (guint) marker < es_display_get_planes (self->display, planes)
      && planes[marker] < self->n)
    show_band (self, marker, CLAMP ((int) planes[marker] + steps, 0, (int) self->n - 1));
}

static void
on_clicked (EsSpectrumPane *self, double x)
{
  if (!es_display_get_composite (self->display))
    show_band (self, 0, nearest_band (self, x));
}

static char *
name_wavelength (double value)
{
  return g_strdup_printf (_("%.1f nm"), value);
}

static char *
name_band (double value)
{
  return g_strdup_printf ("%.0f", value);
}

/* ---- reading ---- */

static void
request_free (gpointer data)
{
  Request *request = data;

  g_object_unref (request->cube);
  g_free (request);
}

static gpointer
read_spectrum (gpointer data, GCancellable *cancellable, GError **error)
{
  Request *request = data;
  g_autofree gboolean *taken = es_cube_dup_taken (request->cube);
  guint n = es_cube_get_bands (request->cube);
  g_autofree double *values = g_new (double, n);

  if (!es_cube_read_spectrum (request->cube, request->x, request->y, values, error))
    return NULL;
  for (guint i = 0; i < n; i++)
    if (!taken[i])
      values[i] = NAN;
  return g_steal_pointer (&values);
}

static void
take_spectrum (EsSpectrumPane *self, EsSpectrumWhich which, const Request *request, const double *values)
{
  if (!self->spectra[which].wanted || request->cube != self->cube)
    return;
  g_free (self->spectra[which].values);
  self->spectra[which].values = values != NULL ? g_memdup2 (values, self->n * sizeof (double)) : NULL;
  self->spectra[which].shown_x = request->x;
  self->spectra[which].shown_y = request->y;
  _es_spectrum_pane_rebuild (self);
}

static void
selected_read (gpointer request, gpointer answer, const GError *error, gpointer user_data)
{
  take_spectrum (ES_SPECTRUM_PANE (user_data), ES_SPECTRUM_SELECTED, request, answer);
}

static void
hovered_read (gpointer request, gpointer answer, const GError *error, gpointer user_data)
{
  take_spectrum (ES_SPECTRUM_PANE (user_data), ES_SPECTRUM_HOVERED, request, answer);
}

static void
want (EsSpectrumPane *self, EsSpectrumWhich which, gboolean any, guint x, guint y)
{
  Request *request;

  self->spectra[which].wanted = any && self->cube != NULL;
  self->spectra[which].x = x;
  self->spectra[which].y = y;
  if (!self->spectra[which].wanted)
    {
      es_latest_cancel (self->spectra[which].reader);
      if (self->spectra[which].values != NULL)
        {
          g_clear_pointer (&self->spectra[which].values, g_free);
          _es_spectrum_pane_rebuild (self);
        }
      return;
    }
  request = g_new0 (Request, 1);
  request->cube = g_object_ref (self->cube);
  request->x = x;
  request->y = y;
  es_latest_submit (self->spectra[which].reader, request);
}

void
es_spectrum_pane_set_selected (EsSpectrumPane *self, gboolean any, guint x, guint y)
{
  g_return_if_fail (ES_IS_SPECTRUM_PANE (self));
  want (self, ES_SPECTRUM_SELECTED, any, x, y);
}

void
es_spectrum_pane_set_hovered (EsSpectrumPane *self, gboolean any, guint x, guint y)
{
  g_return_if_fail (ES_IS_SPECTRUM_PANE (self));
  want (self, ES_SPECTRUM_HOVERED, any, x, y);
}

/* Other bands take part: what is shown is read again. */
static void
on_selection (EsSpectrumPane *self)
{
  for (guint i = 0; i < ES_N_SPECTRA; i++)
    if (self->spectra[i].wanted)
      want (self, i, TRUE, self->spectra[i].x, self->spectra[i].y);
  _es_spectrum_pane_rebuild (self);
}

static void
on_band_selected (EsSpectrumPane *self, double from, double to)
{
  g_signal_emit (self, signals[BAND_SELECTED], 0, from, to);
}

void
es_spectrum_pane_unmark (EsSpectrumPane *self)
{
  g_return_if_fail (ES_IS_SPECTRUM_PANE (self));
  es_plot_view_set_band (ES_PLOT_VIEW (self->view), NAN, NAN);
}

void
es_spectrum_pane_set_cube (EsSpectrumPane *self, EsCube *cube)
{
  const double *wavelengths;

  g_return_if_fail (ES_IS_SPECTRUM_PANE (self));

  if (!g_set_object (&self->cube, cube))
    return;
  g_signal_group_set_target (self->cube_signals, cube);
  es_spectrum_pane_unmark (self);
  es_plot_zoom_reset (ES_PLOT_VIEW (self->view));
  for (guint i = 0; i < ES_N_SPECTRA; i++)
    {
      es_latest_cancel (self->spectra[i].reader);
      self->spectra[i].wanted = FALSE;
      g_clear_pointer (&self->spectra[i].values, g_free);
    }
  g_clear_pointer (&self->x, g_free);
  g_clear_pointer (&self->axis, es_spectral_axis_unref);
  self->n = 0;
  if (cube != NULL)
    {
      const char *unit = es_cube_get_unit (cube);

      wavelengths = es_cube_get_wavelengths (cube);
      self->n = es_cube_get_bands (cube);
      self->axis = es_spectral_axis_of_cube (cube);
      self->x = g_new (double, self->n);
      for (guint i = 0; i < self->n; i++)
        self->x[i] = wavelengths != NULL ? wavelengths[i] : i + 1.;
      es_plot_set_x_axis (self->plot, wavelengths != NULL ? _("Wavelength") : _("Band"),
                          wavelengths != NULL ? "nm" : NULL);
      es_plot_set_y_axis (self->plot, _("Value"), unit, FALSE);
      es_plot_view_set_name (ES_PLOT_VIEW (self->view), wavelengths != NULL ? name_wavelength : name_band);
    }
  _es_spectrum_pane_rebuild (self);
  _es_spectrum_pane_set_empty (self, es_plot_get_n_series (self->plot) == 0);
}

void
es_spectrum_pane_set_control (EsSpectrumPane *self, EsRegionControl *control)
{
  g_return_if_fail (ES_IS_SPECTRUM_PANE (self));
  g_return_if_fail (self->control == NULL);

  self->control = g_object_ref (control);
  g_signal_connect_object (control, "changed", G_CALLBACK (_es_spectrum_pane_rebuild), self, G_CONNECT_SWAPPED);
}

/* ---- the widget ---- */

EsPlot *
es_spectrum_pane_get_plot (EsSpectrumPane *self)
{
  g_return_val_if_fail (ES_IS_SPECTRUM_PANE (self), NULL);
  return self->plot;
}

gboolean
es_spectrum_pane_is_empty (EsSpectrumPane *self)
{
  g_return_val_if_fail (ES_IS_SPECTRUM_PANE (self), TRUE);
  return self->empty;
}

gboolean
es_spectrum_pane_is_loading (EsSpectrumPane *self)
{
  g_return_val_if_fail (ES_IS_SPECTRUM_PANE (self), FALSE);
  return es_latest_is_busy (self->spectra[ES_SPECTRUM_SELECTED].reader)
         || es_latest_is_busy (self->spectra[ES_SPECTRUM_HOVERED].reader);
}

GtkWidget *
es_spectrum_pane_new (EsDisplay *display)
{
  EsSpectrumPane *self;

  g_return_val_if_fail (ES_IS_DISPLAY (display), NULL);

  self = g_object_new (ES_TYPE_SPECTRUM_PANE, NULL);
  self->display = g_object_ref (display);
  g_signal_connect_object (display, "source-changed", G_CALLBACK (_es_spectrum_pane_update_markers), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (display, "planes-changed", G_CALLBACK (_es_spectrum_pane_update_markers), self,
                           G_CONNECT_SWAPPED);
  return GTK_WIDGET (self);
}

static void
es_spectrum_pane_get_property (GObject *object, guint id, GValue *value, GParamSpec *pspec)
{
  if (id == PROP_EMPTY)
    g_value_set_boolean (value, ES_SPECTRUM_PANE (object)->empty);
  else
    G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
}

static void
es_spectrum_pane_dispose (GObject *object)
{
  EsSpectrumPane *self = ES_SPECTRUM_PANE (object);

  for (guint i = 0; i < ES_N_SPECTRA; i++)
    {
      if (self->spectra[i].reader != NULL)
        es_latest_cancel (self->spectra[i].reader);
      g_clear_object (&self->spectra[i].reader);
      g_clear_pointer (&self->spectra[i].values, g_free);
    }
  g_clear_object (&self->cube_signals);
  g_clear_pointer (&self->view, gtk_widget_unparent);
  g_clear_object (&self->plot);
  g_clear_object (&self->cube);
  g_clear_object (&self->control);
  g_clear_object (&self->display);
  G_OBJECT_CLASS (es_spectrum_pane_parent_class)->dispose (object);
}

static void
es_spectrum_pane_finalize (GObject *object)
{
  g_free (ES_SPECTRUM_PANE (object)->x);
  g_clear_pointer (&ES_SPECTRUM_PANE (object)->axis, es_spectral_axis_unref);
  G_OBJECT_CLASS (es_spectrum_pane_parent_class)->finalize (object);
}

static void
es_spectrum_pane_class_init (EsSpectrumPaneClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  object_class->get_property = es_spectrum_pane_get_property;
  object_class->dispose = es_spectrum_pane_dispose;
  object_class->finalize = es_spectrum_pane_finalize;
  properties[PROP_EMPTY] = g_param_spec_boolean ("empty", NULL, NULL, TRUE,
                                                 G_PARAM_READABLE | G_PARAM_STATIC_STRINGS);
  g_object_class_install_properties (object_class, N_PROPS, properties);
  signals[BAND_SELECTED] = g_signal_new ("band-selected", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL, NULL,
                                         NULL, G_TYPE_NONE, 2, G_TYPE_DOUBLE, G_TYPE_DOUBLE);
  gtk_widget_class_set_layout_manager_type (widget_class, GTK_TYPE_BIN_LAYOUT);
}

static void
es_spectrum_pane_init (EsSpectrumPane *self)
{
  self->empty = TRUE;
  self->plot = es_plot_new ();
  es_plot_set_title (self->plot, _("Spectrum"));
  self->spectra[ES_SPECTRUM_SELECTED].reader = es_latest_new (read_spectrum, request_free, g_free, selected_read, self);
  self->spectra[ES_SPECTRUM_HOVERED].reader = es_latest_new (read_spectrum, request_free, g_free, hovered_read, self);
  self->view = es_plot_view_new (self->plot, 180);
  es_plot_zoom_add (ES_PLOT_VIEW (self->view));
  gtk_widget_set_vexpand (self->view, TRUE);
  g_signal_connect_object (self->view, "marker-moved", G_CALLBACK (on_marker_moved), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->view, "marker-stepped", G_CALLBACK (on_marker_stepped), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (self->view, "clicked", G_CALLBACK (on_clicked), self, G_CONNECT_SWAPPED);
  es_plot_view_set_measured (ES_PLOT_VIEW (self->view), FALSE);
  g_signal_connect_object (self->view, "band-selected", G_CALLBACK (on_band_selected), self, G_CONNECT_SWAPPED);
  self->cube_signals = g_signal_group_new (ES_TYPE_CUBE);
  g_signal_group_connect_swapped (self->cube_signals, "notify::selection", G_CALLBACK (on_selection), self);
  gtk_widget_set_parent (self->view, GTK_WIDGET (self));
  gtk_widget_set_vexpand (GTK_WIDGET (self), TRUE);
}
