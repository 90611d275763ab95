/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-spectra-plot.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#define N_PASSING 2

struct _EsSpectraPlot
{
  GObject               parent_instance;

  EsSpectrumCollection *collection;
  EsPlot               *plot;
  EsSpectraLook         look;
  EsSpectrum           *passing[N_PASSING];
  double                offset;        /* in use */
  double                cursor;        /* last told */
  guint                 idle;
};

G_DEFINE_FINAL_TYPE (EsSpectraPlot, es_spectra_plot, G_TYPE_OBJECT)

static guint changed_signal;

static GdkRGBA
rgba_of (guint32 colour)
{
  return (GdkRGBA) { (float) (colour >> 16 & 0xff) / 255, (float) (colour >> 8 & 0xff) / 255,
                     (float) (colour & 0xff) / 255, 1 };
}

/* As much as the one that spans most. */
static double
find_offset (EsSpectraPlot *self)
{
  double most = 0;

  if (!isnan (self->look.offset))
    return self->look.offset;
  for (guint i = 0; i < es_spectrum_collection_get_n (self->collection); i++)
    {
      EsKeptSpectrum *kept = es_spectrum_collection_get (self->collection, i);
      EsSpectrum *spectrum = es_kept_spectrum_get_spectrum (kept);
      double low = INFINITY, high = -INFINITY;

      if (spectrum == NULL || !es_kept_spectrum_get_shown (kept))
        continue;
      const guint n = es_spectrum_get_n (spectrum);
      g_autofree double *x = g_new (double, n), *y = g_new (double, n);
      es_spectra_look_make (&self->look, spectrum, x, y);
      for (guint k = 0; k < n; k++)
        if (isfinite (y[k]))
          {
            low = MIN (low, y[k]);
            high = MAX (high, y[k]);
          }
      most = MAX (most, high - low);
    }
  return isfinite (most) ? most : 0;
}

/* Values of an axis, with one more wherever bands have been left out: *n of them. Transfer full. */
static double *
with_gaps (const EsSpectralAxis *axis, const double *values, gboolean empty, guint *n)
{
  const guint n_bands = es_spectral_axis_get_n (axis);
  double *out = g_new (double, 2 * n_bands + 1);

  *n = 0;
  for (guint i = 0; i < n_bands; i++)
    {
      out[(*n)++] = values[i];
      if (es_spectral_axis_has_gap (axis, i))
        out[(*n)++] = empty ? NAN : values[i];
    }
  return out;
}

typedef struct
{
  guint   n;
  double *x, *y;
} Points;

static void
points_clear (Points *points)
{
  g_free (points->x);
  g_free (points->y);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Points, points_clear)

static void
make_points (EsSpectraPlot *self, EsSpectrum *spectrum, double offset, Points *points)
{
  const EsSpectralAxis *axis = es_spectrum_get_axis (spectrum);
  const guint n = es_spectrum_get_n (spectrum);
  g_autofree double *x = g_new (double, n), *y = g_new (double, n);

  es_spectra_look_make (&self->look, spectrum, x, y);
  for (guint i = 0; i < n; i++)
    y[i] += offset;
  points->x = with_gaps (axis, x, FALSE, &points->n);
  points->y = with_gaps (axis, y, TRUE, &points->n);
}

static guint
add (EsSpectraPlot *self, EsSpectrum *spectrum, const char *name, double offset)
{
  g_auto (Points) points = { 0 };

  make_points (self, spectrum, offset, &points);
  return es_plot_add_series (self->plot, name, ES_PLOT_LINE, FALSE, points.n, points.x, points.y);
}

static void
add_span (EsSpectraPlot *self, guint series, guint slot, const EsSpectralAxis *axis, const double *low,
          const double *high)
{
  guint n;
  g_autofree double *lower = with_gaps (axis, low, TRUE, &n), *upper = with_gaps (axis, high, TRUE, &n);

  es_plot_set_span (self->plot, series, slot, lower, upper);
}

/* Extremes and deviation are of values alone: what their continuum would be, nobody knows. */
static void
add_spans (EsSpectraPlot *self, guint series, EsKeptSpectrum *kept, double offset)
{
  const EsSpectralAxis *axis = es_spectrum_get_axis (es_kept_spectrum_get_spectrum (kept));
  const double *mean = es_spectrum_get_values (es_kept_spectrum_get_spectrum (kept));
  const double *deviation = es_kept_spectrum_get_deviation (kept), *lowest = es_kept_spectrum_get_lowest (kept);
  const double *highest = es_kept_spectrum_get_highest (kept);
  const guint n = es_spectrum_get_n (es_kept_spectrum_get_spectrum (kept));
  g_autofree double *low = g_new (double, n), *high = g_new (double, n);

  if (self->look.shape != ES_SPECTRA_VALUES || deviation == NULL)
    return;
  for (guint i = 0; i < n; i++)
    {
      low[i] = mean[i] - deviation[i] + offset;
      high[i] = mean[i] + deviation[i] + offset;
    }
  add_span (self, series, 1, axis, low, high);
  if (lowest == NULL || highest == NULL)
    return;
  for (guint i = 0; i < n; i++)
    {
      low[i] = lowest[i] + offset;
      high[i] = highest[i] + offset;
    }
  add_span (self, series, 0, axis, low, high);
}

/* The unit that all shown spectra have; NULL: they have several, or none. */
static const char *
common_unit (EsSpectraPlot *self)
{
  const char *unit = NULL;
  gboolean any = FALSE;

  if (self->look.shape == ES_SPECTRA_CONTINUUM_REMOVED || self->look.shape == ES_SPECTRA_NORMALISED)
    return NULL;
  for (guint i = 0; i < es_spectrum_collection_get_n (self->collection); i++)
    {
      EsKeptSpectrum *kept = es_spectrum_collection_get (self->collection, i);

      if (!es_kept_spectrum_get_shown (kept))
        continue;
      if (any && g_strcmp0 (unit, es_kept_spectrum_get_unit (kept)) != 0)
        return NULL;
      unit = es_kept_spectrum_get_unit (kept);
      any = TRUE;
    }
  return unit;
}

static void
set_axes (EsSpectraPlot *self)
{
  const char *symbol, *title = es_spectra_unit_axis (self->look.unit, &symbol);
  const char *unit = common_unit (self);
  g_autofree char *by_nm = NULL;

  if (unit != NULL && self->look.shape >= ES_SPECTRA_FIRST_DERIVATIVE)
    unit = by_nm = g_strdup_printf (self->look.shape == ES_SPECTRA_FIRST_DERIVATIVE ? "%s/nm" : "%s/nm²", unit);
  es_plot_set_x_axis (self->plot, title, symbol);
  es_plot_set_y_axis (self->plot, self->look.shape == ES_SPECTRA_VALUES ? _("Value")
                                  : es_spectra_shape_title (self->look.shape), unit, FALSE);
}

/* What passes has the first places, whether it is there or not: as the pointer moves nothing else is made anew. */
static void
show_passing (EsSpectraPlot *self, guint slot)
{
  EsSpectrum *spectrum = self->passing[slot];
  g_auto (Points) points = { 0 };

  if (spectrum != NULL)
    make_points (self, spectrum, 0, &points);
  es_plot_set_points (self->plot, slot, spectrum == NULL ? NULL : slot == 0 ? _("Under the pointer")
                                                                            : es_spectrum_get_name (spectrum),
                      points.n, points.x, points.y);
}

static void
rebuild (EsSpectraPlot *self)
{
  const double cursor = es_plot_get_cursor (self->plot);
  guint shown = 0;

  self->offset = self->look.stacked ? find_offset (self) : 0;
  es_plot_clear (self->plot);
  set_axes (self);
  for (guint i = 0; i < N_PASSING; i++)
    {
      es_plot_set_muted (self->plot, es_plot_add_series (self->plot, NULL, ES_PLOT_LINE, FALSE, 0, NULL, NULL), TRUE);
      show_passing (self, i);
    }
  for (guint i = 0; i < es_spectrum_collection_get_n (self->collection); i++)
    {
      EsKeptSpectrum *kept = es_spectrum_collection_get (self->collection, i);
      EsSpectrum *spectrum = es_kept_spectrum_get_spectrum (kept);
      const GdkRGBA color = rgba_of (es_kept_spectrum_get_colour (kept));

      if (spectrum == NULL || !es_kept_spectrum_get_shown (kept))
        continue;
      const double offset = self->offset * shown++;
      const guint series = add (self, spectrum, es_kept_spectrum_get_name (kept), offset);
      es_plot_set_series_color (self->plot, series, &color);
      add_spans (self, series, kept, offset);
    }
  es_plot_set_cursor (self->plot, cursor);
  g_signal_emit (self, changed_signal, 0);
}

static gboolean
on_idle (gpointer data)
{
  EsSpectraPlot *self = data;

  self->idle = 0;
  rebuild (self);
  return G_SOURCE_REMOVE;
}

/* Many that come together are drawn once. */
static void
queue (EsSpectraPlot *self)
{
  if (self->idle == 0)
    self->idle = g_idle_add (on_idle, self);
}

static void
on_plot_changed (EsSpectraPlot *self)
{
  const double cursor = es_plot_get_cursor (self->plot);

  if (cursor == self->cursor || (isnan (cursor) && isnan (self->cursor)))
    return;
  self->cursor = cursor;
  g_signal_emit (self, changed_signal, 0);
}

/* ---- for others ---- */

EsPlot *
es_spectra_plot_get_plot (EsSpectraPlot *self)
{
  return self->plot;
}

const EsSpectraLook *
es_spectra_plot_get_look (EsSpectraPlot *self)
{
  return &self->look;
}

void
es_spectra_plot_set_look (EsSpectraPlot *self, const EsSpectraLook *look)
{
  self->look = *look;
  rebuild (self);
}

double
es_spectra_plot_get_offset (EsSpectraPlot *self)
{
  return self->offset;
}

void
es_spectra_plot_set_passing (EsSpectraPlot *self, guint slot, EsSpectrum *spectrum)
{
  g_return_if_fail (slot < N_PASSING);

  if (g_set_object (&self->passing[slot], spectrum))
    show_passing (self, slot);
}

char *
es_spectra_plot_tell_cursor (EsSpectraPlot *self)
{
  const double cursor = es_plot_get_cursor (self->plot);
  const char *symbol, *title = es_spectra_unit_axis (self->look.unit, &symbol);

  if (isnan (cursor))
    return NULL;
  return symbol != NULL ? g_strdup_printf ("%.6g %s", cursor, symbol) : g_strdup_printf ("%s %.6g", title, cursor);
}

/* The band nearest to the cursor, where it is no farther from it than to a neighbour's middle. */
gboolean
es_spectra_plot_get_value (EsSpectraPlot *self, EsKeptSpectrum *kept, double *value, guint *band)
{
  EsSpectrum *spectrum = es_kept_spectrum_get_spectrum (kept);
  const double cursor = es_plot_get_cursor (self->plot);
  double nearest = INFINITY;

  if (spectrum == NULL || isnan (cursor))
    return FALSE;
  const guint n = es_spectrum_get_n (spectrum);
  g_autofree double *x = g_new (double, n), *y = g_new (double, n);
  es_spectra_look_make (&self->look, spectrum, x, y);
  for (guint i = 0; i < n; i++)
    if (fabs (x[i] - cursor) < nearest && !isnan (y[i]))
      {
        nearest = fabs (x[i] - cursor);
        *band = i;
      }
  if (!isfinite (nearest))
    return FALSE;
  /* Beside a gap, the step to the other side counts. */
  double step = INFINITY;
  if (*band > 0)
    step = fabs (x[*band] - x[*band - 1]);
  if (*band + 1 < n)
    step = MIN (step, fabs (x[*band + 1] - x[*band]));
  *value = y[*band];
  return nearest == 0 || nearest <= step / 2;
}

/* ---- the object ---- */

static void
es_spectra_plot_dispose (GObject *object)
{
  EsSpectraPlot *self = ES_SPECTRA_PLOT (object);

  g_clear_handle_id (&self->idle, g_source_remove);
  for (guint i = 0; i < N_PASSING; i++)
    g_clear_object (&self->passing[i]);
  g_clear_object (&self->collection);
  g_clear_object (&self->plot);
  G_OBJECT_CLASS (es_spectra_plot_parent_class)->dispose (object);
}

static void
es_spectra_plot_class_init (EsSpectraPlotClass *class)
{
  G_OBJECT_CLASS (class)->dispose = es_spectra_plot_dispose;
  changed_signal = g_signal_new ("changed", G_TYPE_FROM_CLASS (class), G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                 G_TYPE_NONE, 0);
}

static void
es_spectra_plot_init (EsSpectraPlot *self)
{
  self->look.offset = NAN;
  self->cursor = NAN;
  self->plot = es_plot_new ();
  es_plot_set_title (self->plot, _("Collected Spectra"));
  /* The list has the names and values of all, whatever their number. */
  es_plot_set_read_out (self->plot, FALSE);
  es_plot_set_screen_legend (self->plot, FALSE);
}

EsSpectraPlot *
es_spectra_plot_new (EsSpectrumCollection *collection)
{
  EsSpectraPlot *self = g_object_new (ES_TYPE_SPECTRA_PLOT, NULL);

  self->collection = g_object_ref (collection);
  g_signal_connect_object (collection, "changed", G_CALLBACK (queue), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->plot, "changed", G_CALLBACK (on_plot_changed), self, G_CONNECT_SWAPPED);
  rebuild (self);
  return self;
}
