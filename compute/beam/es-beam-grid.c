/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-beam-grid-internal.h"

#include <glib/gi18n-lib.h>
#include <math.h>

/* k sigma times the width of a beam between its half-power points; a third of it from angle to angle. */
#define BEAM_WIDTH 1.6
#define BEAMS_APART (1 / 3.0)
/* Of the largest step from which the curve can be told at all. */
#define NYQUIST_SHARE 0.6
/* Steps at the ends of a line's are halved: there is nothing beyond to lean on. */
#define HALVED 5
#define FEWEST_OF_LINE 24
#define FEWEST_ROUND 72
#define MOST 16384
/* Between angles of the automatic grid a third of a decibel is lost. */
#define TOLERATED_LOSS 0.5

/* Elements as a step of angle sees them: along a line, or across the bearing at which they are the widest. */
typedef struct
{
  double *places;              /* m, of the alive ones */
  guint   n;
  double  spread;              /* m */
} Aperture;

/* The direction in the x-y plane in which elements are spread the most. */
static void
find_widest (EsArray *array, double *axis)
{
  const EsElement *elements = es_array_get_elements (array);
  double mean[2] = { 0 }, xx = 0, yy = 0, xy = 0;
  const guint n = es_array_get_n_alive (array);

  for (guint k = 0; k < es_array_get_n_elements (array); k++)
    if (!elements[k].dead)
      {
        mean[0] += elements[k].x / n;
        mean[1] += elements[k].y / n;
      }
  for (guint k = 0; k < es_array_get_n_elements (array); k++)
    if (!elements[k].dead)
      {
        const double x = elements[k].x - mean[0], y = elements[k].y - mean[1];
        xx += x * x;
        yy += y * y;
        xy += x * y;
      }
  const double angle = 0.5 * atan2 (2 * xy, xx - yy);
  axis[0] = cos (angle);
  axis[1] = sin (angle);
  axis[2] = 0;
}

static Aperture
find_aperture (EsArray *array)
{
  const EsElement *elements = es_array_get_elements (array);
  const guint n = es_array_get_n_elements (array);
  Aperture aperture = { .places = g_new (double, MAX (n, 1)) };
  double axis[3], mean = 0;

  if (es_array_is_line (array))
    es_array_get_axis (array, axis);
  else
    find_widest (array, axis);
  for (guint k = 0; k < n; k++)
    if (!elements[k].dead)
      {
        const EsElement *e = &elements[k];
        const double place = e->x * axis[0] + e->y * axis[1] + e->z * axis[2];
        aperture.places[aperture.n++] = place;
        mean += place;
      }
  mean /= MAX (aperture.n, 1);
  for (guint k = 0; k < aperture.n; k++)
    {
      aperture.places[k] -= mean;
      aperture.spread += aperture.places[k] * aperture.places[k];
    }
  aperture.spread = sqrt (aperture.spread / MAX (aperture.n, 1));
  return aperture;
}

/* Of the cosine, or radians: the largest step from which the curve between two angles is known; INFINITY: any. */
static double
find_largest_step (EsArray *array, double high, double sound_speed)
{
  const double wave_number = 2 * G_PI * high / sound_speed, length = es_array_get_length (array);

  return wave_number * length > 0 ? NYQUIST_SHARE * G_PI / (wave_number * length) : INFINITY;
}

double *
es_beam_grid_new (EsArray *array, double high, double sound_speed, gboolean adaptive, guint *n)
{
  const gboolean line = es_array_is_line (array);
  const double wave_number = 2 * G_PI * high / sound_speed, span = line ? 2 : 2 * G_PI;
  const Aperture aperture = find_aperture (array);
  const double third = BEAM_WIDTH * BEAMS_APART / (wave_number * aperture.spread);
  double step = fmin (third, find_largest_step (array, high, sound_speed)), steps;
  double *angles;

  g_free (aperture.places);
  steps = span / step;
  steps = isfinite (steps) ? ceil (steps) : 0;
  steps = CLAMP (steps, line ? FEWEST_OF_LINE : FEWEST_ROUND, MOST) * (adaptive ? 2 : 1);
  if (!line)
    {
      /* Right angles are among them. */
      *n = ((guint) steps + 3) / 4 * 4;
      angles = g_new (double, *n);
      for (guint i = 0; i < *n; i++)
        angles[i] = i * 360.0 / *n - 180;
      return angles;
    }
  const guint m = (guint) steps + (guint) steps % 2;
  angles = g_new (double, m + 1 + 2 * HALVED);
  *n = 0;
  for (guint i = 0; i <= m; i++)
    {
      angles[(*n)++] = 2 * i == m ? 90 : acos (1 - 2.0 * i / m) * 180 / G_PI;
      if (i < HALVED || (i >= m - HALVED && i < m))
        angles[(*n)++] = acos (1 - 2 * (i + 0.5) / m) * 180 / G_PI;
    }
  return angles;
}

/* ---- judging ---- */

/* Of the cosine, or radians: the largest step between neighbours; INFINITY where there is one angle. */
static double
find_step (const EsBeamSettings *settings)
{
  double largest = 0;

  if (settings->n_angles < 2)
    return INFINITY;
  for (guint i = 0; i + 1 < settings->n_angles; i++)
    {
      const double a = settings->angles[i] * G_PI / 180, b = settings->angles[i + 1] * G_PI / 180;
      largest = fmax (largest, settings->line ? fabs (cos (a) - cos (b)) : fabs (a - b));
    }
  /* Angles that turn back are no curve. */
  for (guint i = 1; i + 1 < settings->n_angles; i++)
    if ((settings->angles[i] - settings->angles[i - 1]) * (settings->angles[i + 1] - settings->angles[i]) <= 0)
      return INFINITY;
  return largest;
}

void
es_beam_grid_judge (EsBeamSettings *settings, EsArray *array)
{
  settings->line = es_array_is_line (array);
  settings->angles_fine = find_step (settings) * (settings->adaptive.on ? 2 : 1)
                          <= 1.02 * find_largest_step (array, es_beam_settings_get_highest (settings),
                                                       settings->sound_speed);
}

/* What a plane wave at the top of the band may lose halfway between two angles, dB (>= 0; INFINITY: everything). */
static double
get_loss (const EsBeamSettings *settings, EsArray *array)
{
  const double high = es_beam_settings_get_highest (settings), step = find_step (settings);
  const double wave_number = 2 * G_PI * high / settings->sound_speed;
  const Aperture aperture = find_aperture (array);
  const double away = wave_number * step / 2;
  double real = 0, imaginary = 0;

  for (guint k = 0; k < aperture.n; k++)
    {
      real += cos (away * aperture.places[k]) / aperture.n;
      imaginary += sin (away * aperture.places[k]) / aperture.n;
    }
  g_free (aperture.places);
  /* Beyond the main lobe, whose zero is at 1.8 of a line, what is left is chance. */
  if (!isfinite (away) || away * aperture.spread > BEAM_WIDTH)
    return INFINITY;
  return fmax (-10 * log10 (real * real + imaginary * imaginary), 0);
}

char *
es_beam_settings_warn_of_angles (const EsBeamSettings *settings, EsArray *array)
{
  const double loss = settings->n_angles > 1 ? get_loss (settings, array) : 0;
  const double high = es_beam_settings_get_highest (settings);
  double widest = 0;

  /* Adaptive beams are as narrow as a source is loud: tops between angles are known where the curve is. */
  if (settings->angles_fine || (loss <= TOLERATED_LOSS && !settings->adaptive.on) || settings->n_angles < 2)
    return NULL;
  for (guint i = 0; i + 1 < settings->n_angles; i++)
    widest = fmax (widest, fabs (settings->angles[i + 1] - settings->angles[i]));
  if (isinf (loss))
    return g_strdup_printf (_("Angles are up to %.3g° apart, further than beams are wide at %.4g Hz: a source between "
                              "two of them may be missed; automatic angles miss none."), widest, high);
  if (settings->adaptive.on)
    return g_strdup_printf (_("Angles are up to %.3g° apart, too far for adaptive beams at %.4g Hz: a loud source "
                              "between two of them reads too low; automatic angles find its top."), widest, high);
  return g_strdup_printf (_("Angles are up to %.3g° apart: at %.4g Hz a source between two of them reads up to %.1f dB "
                            "too low; automatic angles find its top."), widest, high, loss);
}
