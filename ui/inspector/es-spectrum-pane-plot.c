/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* What the spectrum pane draws: the spectra that were read, the means of classes, and markers of the bands shown. */

#include "es-spectrum-pane-private.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "cube/es-cube-taken.h"

gboolean
_es_spectrum_pane_shows_cube (EsSpectrumPane *self)
{
  EsPlaneSource *source = es_display_get_source (self->display);

  return self->cube != NULL && source != NULL && es_plane_source_get_cube (source) == self->cube;
}

/* A channel that shows no band of the cube has no place on the axis. */
static double
place_of (EsSpectrumPane *self, guint plane)
{
  return plane < self->n ? self->x[plane] : NAN;
}

static void
add_markers (EsSpectrumPane *self)
{
  const char *letters[3] = { C_("channel", "R"), C_("channel", "G"), C_("channel", "B") };
  guint planes[3], n_planes;

  if (!_es_spectrum_pane_shows_cube (self))
    return;
  n_planes = es_display_get_planes (self->display, planes);
  for (guint i = 0; i < n_planes; i++)
    es_plot_add_marker (self->plot, FALSE, place_of (self, planes[i]), n_planes == 3 ? letters[i] : NULL, TRUE);
}

/* The pointer over the selected pixel itself adds nothing. */
static gboolean
is_repeated (EsSpectrumPane *self, EsSpectrumWhich which)
{
  return which == ES_SPECTRUM_HOVERED && self->spectra[ES_SPECTRUM_SELECTED].values != NULL
         && self->spectra[ES_SPECTRUM_HOVERED].shown_x == self->spectra[ES_SPECTRUM_SELECTED].shown_x
         && self->spectra[ES_SPECTRUM_HOVERED].shown_y == self->spectra[ES_SPECTRUM_SELECTED].shown_y;
}

/* No line is drawn over wavelengths that the cube has no bands for. */
static guint
add_series (EsSpectrumPane *self, const char *title, const double *values)
{
  g_autofree double *x = g_new (double, 2 * (gsize) self->n);
  g_autofree double *y = g_new (double, 2 * (gsize) self->n);
  guint n = 0;

  for (guint i = 0; i < self->n; i++)
    {
      x[n] = self->x[i];
      y[n++] = values[i];
      if (es_spectral_axis_has_gap (self->axis, i))
        {
          x[n] = self->x[i];
          y[n++] = NAN;
        }
    }
  return es_plot_add_series (self->plot, title, ES_PLOT_LINE, FALSE, n, x, y);
}

/* The mean of every class whose spectra are there, without the bad bands. */
static void
add_classes (EsSpectrumPane *self)
{
  EsRegionSet *classes = self->control != NULL ? es_region_control_get_classes (self->control) : NULL;
  g_autofree gboolean *taken = es_cube_dup_taken (self->cube);

  if (classes == NULL || es_region_control_get_cube (self->control) != self->cube)
    return;
  for (guint i = 0; i < g_list_model_get_n_items (G_LIST_MODEL (classes)); i++)
    {
      g_autoptr (EsNamedRegion) region = g_list_model_get_item (G_LIST_MODEL (classes), i);
      const double *mean = es_named_region_get_mean (region);
      GdkRGBA color = es_region_control_rgba (es_named_region_get_colour (region));
      g_autofree double *values = NULL;

      if (mean == NULL || es_named_region_get_n_bands (region) != self->n)
        continue;
      values = g_memdup2 (mean, self->n * sizeof (double));
      for (guint band = 0; band < self->n; band++)
        if (!taken[band])
          values[band] = NAN;
      es_plot_set_series_color (self->plot, add_series (self, es_named_region_get_name (region), values), &color);
    }
}

void
_es_spectrum_pane_rebuild (EsSpectrumPane *self)
{
  es_plot_clear (self->plot);
  if (self->cube == NULL)
    return;

  for (guint i = 0; i < ES_N_SPECTRA; i++)
    {
      g_autofree char *title = NULL;

      if (self->spectra[i].values == NULL || is_repeated (self, i))
        continue;
      title = g_strdup_printf (_("x %u  y %u"), self->spectra[i].shown_x, self->spectra[i].shown_y);
      add_series (self, title, self->spectra[i].values);
    }
  add_classes (self);
  add_markers (self);
  _es_spectrum_pane_set_empty (self, es_plot_get_n_series (self->plot) == 0);
}

/* The markers alone, where their number is the same: while one is dragged nothing else is touched. */
void
_es_spectrum_pane_update_markers (EsSpectrumPane *self)
{
  const char *letters[3] = { C_("channel", "R"), C_("channel", "G"), C_("channel", "B") };
  guint planes[3], n_planes;

  n_planes = _es_spectrum_pane_shows_cube (self) ? es_display_get_planes (self->display, planes) : 0;
  if (es_plot_get_n_markers (self->plot) != n_planes)
    {
      _es_spectrum_pane_rebuild (self);
      return;
    }
  for (guint i = 0; i < n_planes; i++)
    es_plot_set_marker (self->plot, i, place_of (self, planes[i]), n_planes == 3 ? letters[i] : NULL);
}
