/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* What all bands have along a line, as a picture of distance by wavelength. */

#include "es-profile-pane-private.h"

#include <math.h>
#include <string.h>

#include "base/es-order.h"
#include "plane/es-colormap.h"

#define MOST_COLUMNS 4096
#define ROWS         512
/* Of the values, at either end of the colours. */
#define CUT          0.02
/* Bands that lie so many times as far apart as they do at the middle of all have a gap between them. */
#define GAP          3

void
_es_profile_bands_free (EsProfileBands *self)
{
  if (self == NULL)
    return;
  cairo_surface_destroy (self->image);
  g_free (self);
}

static double
find_spacing (guint n, const double *x)
{
  g_autofree double *steps = g_new (double, n);
  guint used = 0;

  for (guint i = 1; i < n; i++)
    if (x[i] > x[i - 1])
      steps[used++] = x[i] - x[i - 1];
  if (used == 0)
    return 1;
  qsort (steps, used, sizeof *steps, es_compare_doubles);
  return steps[used / 2];
}

/* Which band a value of the axis lies in; -1: in a gap. x ascends; *at is where the last one was found. */
static int
find_band (guint n, const double *x, double spacing, double value, guint *at)
{
  guint i = *at;

  while (i + 1 < n && fabs (x[i + 1] - value) <= fabs (x[i] - value))
    i++;
  *at = i;
  const double next = value > x[i] ? (i + 1 < n ? x[i + 1] - x[i] : spacing) : i > 0 ? x[i] - x[i - 1] : spacing;
  return fabs (value - x[i]) <= 0.5 * (next > GAP * spacing ? spacing : next) + 1e-9 * fabs (value) ? (int) i : -1;
}

/* Samples by distance: on a line with corners they are not equally far apart. */
static guint *
find_samples (const EsProfile *profile, guint columns)
{
  guint *samples = g_new (guint, columns), at = 0;
  const double all = profile->distances[profile->n - 1];

  for (guint c = 0; c < columns; c++)
    {
      const double distance = columns > 1 ? all * c / (columns - 1) : 0;

      while (at + 1 < profile->n
             && fabs (profile->distances[at + 1] - distance) <= fabs (profile->distances[at] - distance))
        at++;
      samples[c] = at;
    }
  return samples;
}

EsProfileBands *
_es_profile_bands_new (const EsProfile *profile, guint n, const double *x)
{
  EsProfileBands *self = g_new0 (EsProfileBands, 1);
  const guint columns = MIN (profile->n, MOST_COLUMNS);
  const double spacing = find_spacing (n, x);
  const guint8 *map = es_colormap_entries (ES_COLORMAP_VIRIDIS);
  g_autofree guint *samples = find_samples (profile, columns);
  g_autofree float *values = g_new (float, (gsize) n * columns);
  g_autofree EsPlaneStatistics *statistics = g_new (EsPlaneStatistics, 1);
  guint8 *pixels;
  guint at = 0;
  int stride;

  for (guint band = 0; band < n; band++)
    for (guint c = 0; c < columns; c++)
      values[(gsize) band * columns + c] = (float) profile->values[(gsize) band * profile->n + samples[c]];
  es_plane_statistics_compute (statistics, values, (guint64) n * columns);
  self->low = es_plane_statistics_quantile (statistics, CUT);
  self->high = es_plane_statistics_quantile (statistics, 1 - CUT);
  self->from = x[0] - spacing / 2;
  self->to = x[n - 1] + spacing / 2;
  self->image = cairo_image_surface_create (CAIRO_FORMAT_ARGB32, (int) columns, ROWS);
  cairo_surface_flush (self->image);
  pixels = cairo_image_surface_get_data (self->image);
  stride = cairo_image_surface_get_stride (self->image);
  for (guint row = 0; row < ROWS; row++)
    {
      /* From the bottom, where the shortest waves are. */
      guint32 *line = (guint32 *) (gpointer) (pixels + (gsize) stride * (ROWS - 1 - row));
      const int band = find_band (n, x, spacing, self->from + (self->to - self->from) * (row + 0.5) / ROWS, &at);

      for (guint c = 0; c < columns; c++)
        {
          const float value = band >= 0 ? values[(gsize) band * columns + c] : NAN;
          const double share = self->high > self->low ? (value - self->low) / (self->high - self->low) : 0.5;
          const guint8 *entry = map + 4 * (guint) (isnan (value) ? 0 : CLAMP (share * 255 + 0.5, 0, 255));

          line[c] = isnan (value) ? 0 : 0xff000000u | (guint32) entry[0] << 16 | (guint32) entry[1] << 8 | entry[2];
        }
    }
  cairo_surface_mark_dirty (self->image);
  return self;
}
