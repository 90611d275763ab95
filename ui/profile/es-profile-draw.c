/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* The plot of a profile: a curve of each plane that is shown, or all bands as a picture. */

#include "es-profile-pane-private.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "charts/es-plot-view.h"
#include "charts/es-plot-zoom.h"
#include "widgets/es-format.h"

/* In the unit of the axis. */
double
_es_profile_pane_distance (EsProfilePane *self, guint i)
{
  return self->in_metres ? self->profile->metres[i] / self->unit : self->profile->distances[i];
}

static char *
describe_sampling (EsProfilePane *self)
{
  g_autofree char *along = es_profile_pane_describe (self);
  GString *text = g_string_new (along);

  g_string_append (text, self->sampling == ES_PROFILE_NEAREST ? _(", nearest pixels") : _(", bilinear"));
  if (self->width > 1)
    /* TRANSLATORS: the mean of so many pixels across a line */
    g_string_append_printf (text, _(", mean of %u across"), self->width);
  return g_string_free (text, FALSE);
}

static void
set_axis (EsProfilePane *self)
{
  const EsProfile *profile = self->profile;
  const gboolean metres = self->metres && profile->metres != NULL;
  const double all = metres ? profile->metres[profile->n - 1] : 0;
  const char *title = self->kind == ES_PROFILE_ROW ? "x" : "y";

  if (metres || self->kind == ES_PROFILE_LINE)
    title = _("Distance");
  self->in_metres = metres;
  self->unit = metres && all >= ES_PROFILE_LONG_LINE ? 1000 : 1;
  es_plot_set_x_axis (self->plot, title, metres ? all >= ES_PROFILE_LONG_LINE ? "km" : "m" : _("pixels"));
}

/* Distance by wavelength. */
static void
draw_bands (EsProfilePane *self)
{
  const EsProfileBands *bands = self->bands;
  const guint last = self->profile->n - 1, columns = (guint) cairo_image_surface_get_width (bands->image);
  const double all = _es_profile_pane_distance (self, last), half = columns > 1 ? all / (columns - 1) / 2 : 0.5;
  const gboolean wavelengths = self->cube != NULL && es_cube_get_wavelengths (self->cube) != NULL;
  g_autofree double *x = NULL;
  g_autofree double *y = NULL;
  g_autofree char *low = es_format_number (bands->low, bands->high - bands->low);
  g_autofree char *high = es_format_number (bands->high, bands->high - bands->low);
  /* TRANSLATORS: what the colours of a picture stand for: values, and their unit */
  g_autofree char *words = g_strdup_printf (_("Colours from %s to %s (%s)"), low, high,
                                            self->cube != NULL ? es_cube_name_unit (self->cube) : "");
  /* TRANSLATORS: the same where there is little room */
  g_autofree char *text = g_strdup_printf (_("Colours: %s to %s"), low, high);

  es_plot_set_y_axis (self->plot, wavelengths ? _("Wavelength") : _("Band"), wavelengths ? "nm" : NULL, FALSE);
  es_plot_set_image (self->plot, 0, bands->image, -half, all + half, bands->from, bands->to);
  /* All of it, and nothing below. */
  if (!es_plot_zoom_is_zoomed (ES_PLOT_VIEW (self->view)))
    es_plot_set_y_range (self->plot, bands->from, bands->to);
  /* A cursor goes from point to point: these are not seen. */
  x = g_new (double, columns);
  y = g_new (double, columns);
  for (guint i = 0; i < columns; i++)
    {
      x[i] = columns > 1 ? all * i / (columns - 1) : 0;
      y[i] = bands->from;
    }
  es_plot_set_series_color (self->plot, es_plot_add_series (self->plot, NULL, ES_PLOT_LINE, FALSE, columns, x, y),
                            &(GdkRGBA) { 0, 0, 0, 0 });
  gtk_label_set_text (GTK_LABEL (self->colors), text);
  gtk_widget_set_tooltip_text (self->colors, words);
}

void
_es_profile_pane_draw (EsProfilePane *self)
{
  static const GdkRGBA channel_colors[3] = {
    { 0.88f, 0.2f, 0.2f, 1 }, { 0.15f, 0.62f, 0.25f, 1 }, { 0.2f, 0.48f, 0.92f, 1 },
  };
  const char *letters[3] = { C_("channel", "R"), C_("channel", "G"), C_("channel", "B") };
  EsPlaneSource *source = es_display_get_source (self->display);
  g_autofree double *x = NULL;
  g_autofree char *title = NULL, *words = NULL;
  guint planes[3], n = source != NULL ? es_display_get_planes (self->display, planes) : 0;
  const gboolean mixed = _es_profile_is_mixed (source, n, planes);

  es_plot_clear (self->plot);
  es_plot_set_image (self->plot, 0, NULL, 0, 0, 0, 0);
  es_plot_set_read_out (self->plot, self->bands == NULL);
  if (self->bands == NULL && !es_plot_zoom_is_zoomed (ES_PLOT_VIEW (self->view)))
    es_plot_set_y_range (self->plot, NAN, NAN);
  gtk_widget_set_visible (self->colors, self->bands != NULL);
  gtk_widget_set_visible (self->foot, self->profile != NULL);
  gtk_widget_action_set_enabled (GTK_WIDGET (self), "profile.copy-command",
                                 self->cube != NULL && (self->bands != NULL || (source != NULL && !mixed
                                 && es_plane_source_get_cube (source) != NULL)));
  gtk_widget_set_visible (self->hint, self->profile == NULL);
  gtk_widget_set_visible (self->view, self->profile != NULL);
  _es_profile_pane_draw_line (self);
  if (self->profile == NULL || source == NULL)
    return;
  set_axis (self);
  if (self->bands != NULL)
    {
      draw_bands (self);
      words = describe_sampling (self);
      es_plot_set_title (self->plot, words);
      return;
    }
  x = g_new (double, self->profile->n);
  for (guint i = 0; i < self->profile->n; i++)
    x[i] = _es_profile_pane_distance (self, i);
  n = MIN (n, self->profile->n_planes);
  for (guint i = 0; i < n; i++)
    {
      g_autofree char *plane = es_plane_source_get_plane_title (source, planes[i]);
      g_autofree char *name = n == 3 ? g_strdup_printf ("%s %s", letters[i], plane) : g_strdup (plane);
      const guint series = es_plot_add_series (self->plot, name, ES_PLOT_LINE, FALSE, self->profile->n, x,
                                               self->profile->values + (gsize) i * self->profile->n);

      if (n == 3)
        es_plot_set_series_color (self->plot, series, &channel_colors[i]);
      if (n == 1)
        title = g_strdup (plane);
    }
  es_plot_set_y_axis (self->plot, n == 1 ? title : _("Value"), mixed ? NULL : es_plane_source_get_unit (source), FALSE);
  words = describe_sampling (self);
  es_plot_set_title (self->plot, words);
}
