/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* The points and directions that are searched, and the maxima among them. */

#include "es-localize-private.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#include "base/es-error.h"

#define MOST_OF_AXIS 1000000
#define MOST_POINTS 50000000
/* Of a step: sums of steps are not exact. */
#define SLACK 1e-6

/* "-3:3:0.1" or one number. */
static gboolean
read_axis (const char *text, double **values, guint *n, double *step)
{
  g_auto (GStrv) parts = g_strsplit (text, ":", -1);
  const guint length = g_strv_length (parts);
  double numbers[3] = { 0, 0, 1 };

  if (length != 1 && length != 3)
    return FALSE;
  for (guint i = 0; i < length; i++)
    {
      char *end;
      const char *part = g_strstrip (parts[i]);

      numbers[i] = g_ascii_strtod (part, &end);
      if (end == part || *end != '\0' || !isfinite (numbers[i]) || fabs (numbers[i]) > 1e9)
        return FALSE;
    }
  if (length == 1)
    numbers[1] = numbers[0];
  const double steps = (numbers[1] - numbers[0]) / numbers[2];
  if (!(numbers[2] > 0) || !(steps >= 0) || steps >= MOST_OF_AXIS)
    return FALSE;
  if (values == NULL)
    return TRUE;

  *n = (guint) floor (steps + SLACK) + 1;
  *step = *n > 1 ? numbers[2] : 0;
  *values = g_new (double, *n);
  for (guint i = 0; i < *n; i++)
    (*values)[i] = numbers[0] + i * numbers[2];
  return TRUE;
}

gboolean
es_localize_check_axis (const char *text, GError **error)
{
  if (read_axis (text, NULL, NULL, NULL))
    return TRUE;
  g_set_error (error, ES_COMPUTE_ERROR, ES_COMPUTE_ERROR_PARAMETER,
               _("“%s” cannot be read: expected FROM:TO:STEP, as in -3:3:0.1, or one number."), text);
  return FALSE;
}

void
es_localize_grid_clear (EsLocalizeGrid *self)
{
  for (guint i = 0; i < 3; i++)
    g_clear_pointer (&self->values[i], g_free);
}

guint64
es_localize_grid_count (const EsLocalizeGrid *self)
{
  return (guint64) self->n[0] * self->n[1] * self->n[2];
}

gboolean
es_localize_grid_parse (EsParams *params, EsLocalizeGrid *grid, GError **error)
{
  static const char *const point_keys[] = { "x", "y", "z" }, *const direction_keys[] = { "azimuth", "elevation" };
  guint given = 0;

  *grid = (EsLocalizeGrid) { 0 };
  for (guint i = 0; i < 3; i++)
    given += *es_params_get_text (params, point_keys[i]) != '\0';
  if (given != 0 && given != 3)
    {
      g_set_error_literal (error, ES_COMPUTE_ERROR, ES_COMPUTE_ERROR_PARAMETER,
                           _("Points are searched where x, y and z are all given, directions where none of them is."));
      return FALSE;
    }
  grid->points = given == 3;
  grid->n[2] = 1;
  grid->values[2] = grid->points ? NULL : g_new0 (double, 1);
  for (guint i = 0; i < (grid->points ? 3u : 2u); i++)
    {
      const char *key = grid->points ? point_keys[i] : direction_keys[i], *text = es_params_get_text (params, key);

      if (!read_axis (text, &grid->values[i], &grid->n[i], &grid->step[i]))
        {
          es_localize_check_axis (text, error);
          es_localize_grid_clear (grid);
          return FALSE;
        }
    }
  if ((double) grid->n[0] * grid->n[1] * grid->n[2] > MOST_POINTS)
    {
      g_set_error (error, ES_COMPUTE_ERROR, ES_COMPUTE_ERROR_PARAMETER,
                   _("A grid of %u x %u x %u is too large: expected at most %d points, which are refined later."),
                   grid->n[0], grid->n[1], grid->n[2], MOST_POINTS);
      es_localize_grid_clear (grid);
      return FALSE;
    }
  if (!grid->points)
    {
      const guint last = grid->n[1] - 1;

      if (grid->values[1][0] < -90 - SLACK || grid->values[1][last] > 90 + SLACK
          || grid->values[0][grid->n[0] - 1] - grid->values[0][0] > 360 + SLACK)
        {
          g_set_error_literal (error, ES_COMPUTE_ERROR, ES_COMPUTE_ERROR_PARAMETER,
                               _("Elevations go from -90 to 90 degrees, azimuths once round at most."));
          es_localize_grid_clear (grid);
          return FALSE;
        }
      grid->wraps = grid->n[0] > 2
                    && grid->values[0][grid->n[0] - 1] + grid->step[0] - grid->values[0][0] >= 360 - SLACK;
    }
  return TRUE;
}

void
es_localize_grid_place (const EsLocalizeGrid *self, guint64 index, double place[3])
{
  place[0] = self->values[0][index % self->n[0]];
  place[1] = self->values[1][index / self->n[0] % self->n[1]];
  place[2] = self->values[2][index / self->n[0] / self->n[1]];
}

EskFocus
es_localize_focus (const EsLocalizeGrid *self, EsArray *array, const double place[3])
{
  return self->points ? es_beam_focus_point (array, place[0], place[1], place[2])
                      : es_beam_focus_far (place[0], place[1]);
}

/* ---- peaks ---- */

/* Whether a neighbour is larger, or equal and before it: of equal ones one is the peak. */
static gboolean
is_peak (const EsLocalizeGrid *self, const float *powers, guint64 index, gboolean *at_edge)
{
  const gint64 n0 = self->n[0], n1 = self->n[1], n2 = self->n[2];
  const gint64 i0 = index % n0, i1 = index / n0 % n1, i2 = index / n0 / n1;

  *at_edge = (n0 > 1 && !self->wraps && (i0 == 0 || i0 == n0 - 1)) || (n1 > 1 && (i1 == 0 || i1 == n1 - 1))
             || (n2 > 1 && (i2 == 0 || i2 == n2 - 1));
  /* Straight up and straight down are no edges of directions. */
  if (!self->points && n1 > 1 && (i1 == 0 || i1 == n1 - 1) && fabs (self->values[1][i1]) > 90 - SLACK)
    *at_edge = n0 > 1 && !self->wraps && (i0 == 0 || i0 == n0 - 1);
  for (gint64 j2 = MAX (i2 - 1, 0); j2 <= MIN (i2 + 1, n2 - 1); j2++)
    for (gint64 j1 = MAX (i1 - 1, 0); j1 <= MIN (i1 + 1, n1 - 1); j1++)
      for (gint64 d = -1; d <= 1; d++)
        {
          gint64 j0 = i0 + d;

          if (self->wraps)
            j0 = (j0 + n0) % n0;
          if (j0 < 0 || j0 >= n0)
            continue;
          const guint64 other = ((guint64) j2 * n1 + j1) * n0 + j0;
          if (other != index && (powers[other] > powers[index] || (powers[other] == powers[index] && other < index)))
            return FALSE;
        }
  return TRUE;
}

guint
es_localize_find_peaks (const EsLocalizeGrid *self, const float *powers, guint most, EsLocalizePeak *peaks)
{
  const guint64 count = es_localize_grid_count (self);
  guint n = 0;

  for (guint64 i = 0; i < count; i++)
    {
      gboolean at_edge;
      guint at = n;

      if (!(powers[i] > 0) || (n == most && powers[i] <= peaks[n - 1].power) || !is_peak (self, powers, i, &at_edge))
        continue;
      while (at > 0 && peaks[at - 1].power < powers[i])
        at--;
      n = MIN (n + 1, most);
      memmove (peaks + at + 1, peaks + at, (n - 1 - at) * sizeof *peaks);
      peaks[at] = (EsLocalizePeak) { .index = i, .power = powers[i], .margin = NAN, .at_edge = at_edge };
      es_localize_grid_place (self, i, peaks[at].place);
    }
  return n;
}
