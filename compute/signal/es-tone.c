/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-tone.h"

#include <math.h>

/* The first look at offsets; then each step leaves 0.618 of the interval. */
#define LOOKS 20
#define STEPS 40

/* A window is a sum of cosines, its transform one of sines over their places. */
static void
get_terms (EsWindowKind kind, double terms[3])
{
  terms[0] = kind == ES_WINDOW_HANN ? 0.5 : kind == ES_WINDOW_HAMMING ? 0.54 : kind == ES_WINDOW_BLACKMAN ? 0.42 : 1;
  terms[1] = kind == ES_WINDOW_HANN || kind == ES_WINDOW_BLACKMAN ? 0.5 : kind == ES_WINDOW_HAMMING ? 0.46 : 0;
  terms[2] = kind == ES_WINDOW_BLACKMAN ? 0.08 : 0;
}

static double
sinc (double x)
{
  return fabs (x) < 1e-9 ? 1 : sin (G_PI * x) / (G_PI * x);
}

/* Of the mean of its squares. */
static double
get_power (const double terms[3])
{
  return terms[0] * terms[0] + (terms[1] * terms[1] + terms[2] * terms[2]) / 2;
}

double
es_window_get_noise_bandwidth (EsWindowKind kind)
{
  double terms[3];

  get_terms (kind, terms);
  return get_power (terms) / (terms[0] * terms[0]);
}

double
es_window_get_share (EsWindowKind kind, double offset)
{
  double terms[3], response;

  get_terms (kind, terms);
  response = terms[0] * sinc (offset);
  for (int k = 1; k < 3; k++)
    response += terms[k] / 2 * (sinc (offset - k) + sinc (offset + k));
  return response * response / get_power (terms);
}

/* How far three bins are from those of a tone of the best power; that power. */
static double
judge (EsWindowKind kind, double spacing, const double bins[3], double offset, double *power)
{
  double shares[3], product = 0, squares = 0, left = 0;

  for (int k = 0; k < 3; k++)
    {
      shares[k] = es_window_get_share (kind, (k - 1 - offset) * spacing);
      product += shares[k] * bins[k];
      squares += shares[k] * shares[k];
    }
  *power = product / squares;
  for (int k = 0; k < 3; k++)
    left += (bins[k] - *power * shares[k]) * (bins[k] - *power * shares[k]);
  return left;
}

void
es_tone_measure (EsWindowKind kind, double spacing, const double bins[3], double background, double *offset,
                 double *power)
{
  const double golden = (sqrt (5) - 1) / 2, tone[3] = { bins[0] - background, bins[1] - background,
                                                        bins[2] - background };
  double best = INFINITY, at = 0;

  for (int i = 0; i <= LOOKS; i++)
    {
      const double place = (double) i / LOOKS - 0.5, left = judge (kind, spacing, tone, place, power);

      if (left < best)
        {
          best = left;
          at = place;
        }
    }
  double a = MAX (at - 1.0 / LOOKS, -0.5), b = MIN (at + 1.0 / LOOKS, 0.5);
  for (int i = 0; i < STEPS; i++)
    {
      const double c = b - golden * (b - a), d = a + golden * (b - a);

      if (judge (kind, spacing, tone, c, power) < judge (kind, spacing, tone, d, power))
        b = d;
      else
        a = c;
    }
  *offset = (a + b) / 2;
  judge (kind, spacing, tone, *offset, power);
  /* Nothing over the background. */
  if (!(*power > 0))
    {
      *offset = 0;
      *power = MAX (tone[1], 0);
    }
}
