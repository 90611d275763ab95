/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/*
 * Tones between two bins, in adaptive beams of a line. A beam is steered at the frequency in the middle of its bin; a
 * tone beside it, which the window spreads over several bins, is then heard at a slightly other cosine in each of them,
 * which adaptive beams, narrow as they are for loud sources, smear: 0.1 degrees and 3 dB of a tone in 32 elements. What
 * is steered is the product of frequency and cosine: where the conventional beams say that a tone is what fills a bin,
 * and at which frequency, the bin's curve is read at the tone's product instead.
 */

#include "es-beam-tones-private.h"

#include <math.h>
#include <string.h>

#include "signal/es-tone.h"

/* Over what is beside it, and of what is left of three bins when it is taken away. */
#define CLEAR 10.0
#define LEFT 0.02
/* Bins of the window on each side, whose least is what is beside it. */
#define BESIDE 5.0

/* The main lobe of a window, in bins on each side. */
static double
get_reach (EsWindowKind window)
{
  return window == ES_WINDOW_RECTANGULAR ? 1 : window == ES_WINDOW_BLACKMAN ? 3 : 2;
}

/* The loudest conventional beam of each bin. */
static void
find_loudest (const EsBeamSettings *settings, const float *spectra, guint *angles)
{
  const guint n_bins = settings->n_bins;

  memset (angles, 0, n_bins * sizeof *angles);
  for (guint a = 1; a < settings->n_angles; a++)
    for (guint b = 0; b < n_bins; b++)
      if (spectra[(gsize) a * n_bins + b] > spectra[(gsize) angles[b] * n_bins + b])
        angles[b] = a;
}

/* Whether the three bins about one are a tone's, and how far from its middle, in bins, that is. */
static gboolean
find_tone (const EsBeamSettings *settings, const float *powers, guint bin, double *offset)
{
  const double spacing = (double) settings->window_length / settings->length;
  const double bins[3] = { powers[bin - 1], powers[bin], powers[bin + 1] };
  const guint reach = (guint) ceil (BESIDE / spacing);
  const guint first = bin > reach ? bin - reach : 0, last = MIN (bin + reach, settings->n_bins - 1);
  double beside = INFINITY, power, left = 0, all = 0;

  if (!(bins[1] >= bins[0]) || !(bins[1] > bins[2]))
    return FALSE;
  for (guint b = first; b <= last; b++)
    beside = fmin (beside, powers[b]);
  if (!(bins[1] > CLEAR * beside))
    return FALSE;
  es_tone_measure (settings->window, spacing, bins, beside, offset, &power);
  for (int k = 0; k < 3; k++)
    {
      const double share = es_window_get_share (settings->window, (k - 1 - *offset) * spacing);
      const double rest = bins[k] - beside - power * share;

      left += rest * rest;
      all += bins[k] * bins[k];
    }
  return left < LEFT * all;
}

/* The frequencies by which bins are read, over their own: 1 where no tone fills them. FALSE: there is none. */
static gboolean
find_factors (const EsBeamSettings *settings, const float *spectra, double *factors)
{
  const guint n_bins = settings->n_bins;
  const double spacing = (double) settings->window_length / settings->length, reach = get_reach (settings->window);
  g_autofree guint *angles = g_new (guint, n_bins);
  g_autofree double *loudest = g_new0 (double, n_bins);
  gboolean any = FALSE;

  for (guint b = 0; b < n_bins; b++)
    factors[b] = 1;
  find_loudest (settings, spectra, angles);
  for (guint b = 1; b + 1 < n_bins; b++)
    {
      const float *powers = spectra + (gsize) angles[b] * n_bins;
      double offset;

      if (!find_tone (settings, powers, b, &offset))
        continue;
      for (guint i = 0; i < n_bins; i++)
        {
          const double away = fabs (((double) i - b - offset) * spacing);
          const guint middle = settings->first_bin + i;
          /* Of two tones that share a bin the one that has more in it. */
          const double share = away < reach ? powers[b] * es_window_get_share (settings->window, away) : 0;

          if (share <= loudest[i] || middle == 0)
            continue;
          loudest[i] = share;
          factors[i] = (settings->first_bin + b + offset) / middle;
          any = TRUE;
        }
    }
  return any;
}

/* One bin's curve over the angles, read at other cosines. */
static void
stretch (const EsBeamSettings *settings, float *spectra, guint bin, double factor, float *column, float *out)
{
  EsBeamCurve curve = es_beam_settings_get_curve (settings, ES_BEAM_MVDR, column, NULL);

  for (guint a = 0; a < settings->n_angles; a++)
    column[a] = spectra[(gsize) a * settings->n_bins + bin];
  if (!es_beam_curve_stretch (&curve, factor, out))
    return;
  for (guint a = 0; a < settings->n_angles; a++)
    spectra[(gsize) a * settings->n_bins + bin] = out[a];
}

void
_es_beam_tones_place (EsBeamBlock *block)
{
  const EsBeamSettings *settings = block->form->settings;
  const guint n_bins = settings->n_bins, n_angles = settings->n_angles;
  const guint first = settings->cbf_first - settings->first_bin;
  float *spectra = block->by_bin[ES_BEAM_MVDR];
  g_autofree double *factors = NULL;
  g_autofree float *column = NULL, *out = NULL;

  if (spectra == NULL || block->spectra == NULL || n_bins < 3)
    return;
  factors = g_new (double, n_bins);
  if (!find_factors (settings, block->spectra, factors))
    return;
  if (!settings->line || !settings->angles_fine)
    {
      block->has_loose_tones = TRUE;
      return;
    }
  column = g_new (float, n_angles);
  out = g_new (float, n_angles);
  for (guint b = 0; b < n_bins; b++)
    if (factors[b] != 1)
      stretch (settings, spectra, b, factors[b], column, out);
  float *far = block->fields[ES_BEAM_MVDR] + (block->far - block->field);
  for (guint a = 0; a < n_angles; a++)
    {
      double sum = 0;

      for (guint b = 0; b < settings->cbf_bins; b++)
        sum += spectra[(gsize) a * n_bins + first + b];
      far[a] = (float) sum;
    }
}
