/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/*
 * Tones between two bins, in adaptive beams of a line. A beam is steered at the frequency in the middle of its bin; a
 * tone beside it, which the window spreads over several bins, is then heard at a slightly other cosine in each of them,
 * which adaptive beams, narrow as they are for loud sources, smear: 0.1 degrees and 3 dB of a tone in 32 elements. What
 * is steered is the product of frequency and cosine: where the conventional beams say that a tone is what fills a bin,
 * and at which frequency, the tone's own peak of the bin is read at the tone's product instead.
 *
 * Its own peak alone: of R = Q + p a a', Q being all but the tone, the reciprocal of the power at v is
 * v' R^-1 v = v' Q^-1 v - p |v' Q^-1 a|^2 / (1 + p a' Q^-1 a) (Sherman and Morrison 1950). The second term is all that
 * the tone does to the curve. Q^-1 silences other sources, so that it is nothing in their directions; in white noise it
 * is the conventional beam's pattern, whose main lobe ends where the curve is lowest beside the peak. Between these
 * lowest places the curve is a base, drawn from the one to the other, and what the tone raises it by; only that is
 * moved. Whatever else is in the bin, at other bearings, is what it is without it. As long as another source stands in
 * the tone's main lobe the two cannot be taken apart so, and all of the bin's curve is read at the tone's product.
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
/* Angles from where the peak of a tone is expected: half a conventional beam. */
#define NEAR 3
/* A bend in the curve is felt so many angles away; by which factor tops may then be other than they were (0.3 dB). */
#define FELT 6
#define ALONE 5
#define TOLERATED 1.07

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

/* A tone, as the conventional beams hear it. */
typedef struct
{
  guint  bin;                  /* in which it is the strongest */
  guint  angle;                /* the loudest beam of it */
  double frequency;            /* in bins */
  double power;                /* of that beam and bin */
} Tone;

static GArray *
find_tones (const EsBeamSettings *settings, const float *spectra)
{
  const guint n_bins = settings->n_bins;
  g_autofree guint *angles = g_new (guint, n_bins);
  GArray *tones = g_array_new (FALSE, FALSE, sizeof (Tone));

  find_loudest (settings, spectra, angles);
  for (guint b = 1; b + 1 < n_bins; b++)
    {
      const float *powers = spectra + (gsize) angles[b] * n_bins;
      double offset;

      if (!find_tone (settings, powers, b, &offset))
        continue;
      const Tone tone = { b, angles[b], settings->first_bin + b + offset, powers[b] };
      g_array_append_val (tones, tone);
    }
  return tones;
}

/* Whether some bin is not heard at its own frequency. */
static gboolean
is_any_loose (const EsBeamSettings *settings, GArray *tones)
{
  for (guint i = 0; i < tones->len; i++)
    {
      const Tone *tone = &g_array_index (tones, Tone, i);

      if (tone->frequency > 0 && tone->frequency != settings->first_bin + tone->bin)
        return TRUE;
    }
  return FALSE;
}

/* ---- one bin ---- */

/* A curve over the angles of one bin, and which of them a tone has been placed at. */
typedef struct
{
  const EsBeamSettings *settings;
  double   *cosines;
  float    *column, *stretched, *out;
  gboolean *taken;
  guint     n;
} BinCurve;

static gboolean
is_top (const BinCurve *bin, guint i)
{
  return bin->column[i] > 0 && (i == 0 || bin->column[i] >= bin->column[i - 1])
         && (i + 1 == bin->n || bin->column[i] >= bin->column[i + 1]);
}

/* The top that is the nearest to a cosine, or the loudest, of those no further than NEAR angles away. G_MAXUINT: there
 * is none. */
static guint
find_top (const BinCurve *bin, double cosine, gboolean loudest)
{
  guint near = 0, best = G_MAXUINT;

  for (guint i = 1; i < bin->n; i++)
    if (fabs (bin->cosines[i] - cosine) < fabs (bin->cosines[near] - cosine))
      near = i;
  for (guint i = near > NEAR ? near - NEAR : 0; i <= MIN (near + NEAR, bin->n - 1); i++)
    {
      if (!is_top (bin, i))
        continue;
      if (best == G_MAXUINT
          || (loudest ? bin->column[i] > bin->column[best]
                      : fabs (bin->cosines[i] - cosine) < fabs (bin->cosines[best] - cosine)))
        best = i;
    }
  return best;
}

static inline double
to_level (double power)
{
  return 10 * log10 (power);
}

/* What stands between the angles near one of them, the highest. */
static double
read_top (const BinCurve *bin, const float *powers, guint i, double *cosine)
{
  EsBeamCurve curve = es_beam_settings_get_curve (bin->settings, ES_BEAM_MVDR, powers, powers);
  double angle, power;

  curve.spectra = powers;
  curve.n_bins = curve.stride = 1;
  if (!es_beam_curve_find_top (&curve, i, &angle, &power))
    {
      angle = bin->settings->angles[i];
      power = powers[i];
    }
  if (cosine != NULL)
    *cosine = cos (angle * G_PI / 180);
  return power;
}

/* Whether nothing loud stands beside the feet of a peak. */
static gboolean
is_flat (const BinCurve *bin, guint low, guint high)
{
  for (guint i = low > FELT ? low - FELT : 0; i < low; i++)
    if (bin->column[i] > 2 * bin->column[low])
      return FALSE;
  for (guint i = high + 1; i <= MIN (high + FELT, bin->n - 1); i++)
    if (bin->column[i] > 2 * bin->column[high])
      return FALSE;
  return TRUE;
}

/* Whether the curve with the peak moved can be read between its angles: where another source stands at the foot of the
 * tone's, the bend there is felt in what is drawn through a dozen angles. */
static gboolean
is_sound (const BinCurve *bin, guint top, double factor, guint low, guint high)
{
  double cosine, most = 0;
  const double expected = read_top (bin, bin->column, top, &cosine);
  guint place = 0;

  for (guint i = 1; i < bin->n; i++)
    if (fabs (bin->cosines[i] - cosine / factor) < fabs (bin->cosines[place] - cosine / factor))
      place = i;
  /* Nothing but its own lobe is felt there. */
  if (top >= low + ALONE && top + ALONE <= high && is_flat (bin, low, high))
    {
      most = read_top (bin, bin->out, place, NULL);
      return most <= TOLERATED * expected && most * TOLERATED >= expected;
    }
  for (guint i = low > FELT ? low - FELT : 0; i <= MIN (high + FELT, bin->n - 1); i++)
    {
      const gboolean is_tone = i + 1 >= place && i <= place + 1;

      if (!is_tone && ((i > 0 && bin->out[i - 1] > bin->out[i]) || (i + 1 < bin->n && bin->out[i + 1] > bin->out[i])))
        continue;
      const double read = read_top (bin, bin->out, i, NULL);
      if (is_tone)
        most = fmax (most, read);
      /* Not much above its own angle it needs no second look. */
      if (!(read <= TOLERATED * (is_tone ? expected : bin->out[i]))
          && !(read <= TOLERATED * read_top (bin, bin->column, i, NULL)))
        return FALSE;
    }
  return most * TOLERATED >= expected;
}

/* Moves the peak at a top to where its cosine is divided by a factor; where that cannot be told from what is beside it,
 * all of the curve. FALSE: it cannot be, or another one has been. */
static gboolean
move_peak (BinCurve *bin, guint top, double factor)
{
  const EsBeamCurve curve = es_beam_settings_get_curve (bin->settings, ES_BEAM_MVDR, bin->column, NULL);
  guint low = top, high = top;

  while (low > 0 && bin->column[low - 1] <= bin->column[low])
    low--;
  while (high + 1 < bin->n && bin->column[high + 1] <= bin->column[high])
    high++;
  /* At an end of the axis the peak may not have come down yet. */
  const double least = fmin (bin->column[low], bin->column[high]);
  const double foot_low = low == 0 ? least : bin->column[low];
  const double foot_high = high + 1 == bin->n ? least : bin->column[high];
  if (low == high || !(least > 0))
    return FALSE;
  for (guint i = low; i <= high; i++)
    if (bin->taken[i])
      return FALSE;
  if (!es_beam_curve_stretch (&curve, factor, bin->stretched))
    return FALSE;

  const double foot = bin->cosines[low], span = bin->cosines[high] - foot;
  const double at_foot = to_level (foot_low), rise = to_level (foot_high) - at_foot;
  for (guint i = 0; i < bin->n; i++)
    {
      const double here = (bin->cosines[i] - foot) / span;
      const double there = (CLAMP (factor * bin->cosines[i], -1, 1) - foot) / span;
      const double from = at_foot + there * rise;
      const double raised = there >= 0 && there <= 1 && bin->stretched[i] > 0
                            ? fmax (to_level (bin->stretched[i]) - from, 0) : 0;

      bin->out[i] = bin->column[i];
      if (raised == 0 && (i < low || i > high))
        continue;
      /* What is nothing but the tone keeps its level wherever the base is higher or lower. */
      const double base = i >= low && i <= high ? at_foot + here * rise : to_level (bin->column[i]);
      bin->out[i] = (float) pow (10, (base + raised + (1 - pow (10, -raised / 10)) * (from - base)) / 10);
    }
  const gboolean alone = is_sound (bin, top, factor, low, high);
  for (guint i = 0; i < bin->n; i++)
    {
      /* There is one such tone at most. */
      if (!alone && bin->taken[i])
        return FALSE;
    }
  for (guint i = alone ? low : 0; i <= (alone ? high : bin->n - 1); i++)
    bin->taken[i] = TRUE;
  memcpy (bin->column, alone ? bin->out : bin->stretched, bin->n * sizeof *bin->column);
  return TRUE;
}

/* The tone that has the most in a bin, of those that have less than `below`. G_MAXUINT: there is none. */
static guint
find_next (const EsBeamSettings *settings, GArray *tones, guint bin, double *below)
{
  const double spacing = (double) settings->window_length / settings->length, reach = get_reach (settings->window);
  double most = 0;
  guint next = G_MAXUINT;

  for (guint i = 0; i < tones->len; i++)
    {
      const Tone *tone = &g_array_index (tones, Tone, i);
      const double away = fabs (bin - tone->frequency) * spacing;
      const double share = away < reach ? tone->power * es_window_get_share (settings->window, away) : 0;

      if (share > most && share < *below)
        {
          most = share;
          next = i;
        }
    }
  *below = most;
  return next;
}

/* Of a bin, the tones that are in it, of those at one bearing the one that has more in it. peaks: the cosines at which
 * they are in their own bins. */
static void
place_in (BinCurve *bin, guint b, GArray *tones, const double *peaks, float *spectra)
{
  const EsBeamSettings *settings = bin->settings;
  const guint middle = settings->first_bin + b;
  double below = INFINITY;
  guint next = middle > 0 ? find_next (settings, tones, middle, &below) : G_MAXUINT;
  gboolean any = FALSE;

  if (next == G_MAXUINT)
    return;
  for (guint a = 0; a < bin->n; a++)
    bin->column[a] = spectra[(gsize) a * settings->n_bins + b];
  memset (bin->taken, 0, bin->n * sizeof *bin->taken);
  for (; next != G_MAXUINT; next = find_next (settings, tones, middle, &below))
    {
      const Tone *tone = &g_array_index (tones, Tone, next);
      const guint top = isnan (peaks[next]) ? G_MAXUINT
                        : find_top (bin, peaks[next] * (settings->first_bin + tone->bin) / middle, FALSE);

      if (top != G_MAXUINT && move_peak (bin, top, tone->frequency / middle))
        any = TRUE;
    }
  for (guint a = 0; any && a < bin->n; a++)
    spectra[(gsize) a * settings->n_bins + b] = bin->column[a];
}

/* Where each tone's peak is in its own bin; NAN: adaptive beams have none there. */
static double *
find_peaks (BinCurve *bin, GArray *tones, const float *spectra)
{
  double *peaks = g_new (double, tones->len);

  for (guint i = 0; i < tones->len; i++)
    {
      const Tone *tone = &g_array_index (tones, Tone, i);

      for (guint a = 0; a < bin->n; a++)
        bin->column[a] = spectra[(gsize) a * bin->settings->n_bins + tone->bin];
      const guint top = find_top (bin, bin->cosines[tone->angle], TRUE);
      peaks[i] = NAN;
      if (top == G_MAXUINT)
        continue;
      read_top (bin, bin->column, top, &peaks[i]);
    }
  return peaks;
}

void
_es_beam_tones_place (EsBeamBlock *block)
{
  const EsBeamSettings *settings = block->form->settings;
  const guint n_bins = settings->n_bins, n_angles = settings->n_angles;
  const guint first = settings->cbf_first - settings->first_bin;
  float *spectra = block->by_bin[ES_BEAM_MVDR];
  g_autoptr (GArray) tones = NULL;

  if (spectra == NULL || block->spectra == NULL || n_bins < 3)
    return;
  tones = find_tones (settings, block->spectra);
  if (!is_any_loose (settings, tones))
    return;
  if (!settings->line || !settings->angles_fine)
    {
      block->has_loose_tones = TRUE;
      return;
    }
  g_autofree double *cosines = g_new (double, n_angles);
  g_autofree float *values = g_new (float, 3 * (gsize) n_angles);
  g_autofree gboolean *taken = g_new (gboolean, n_angles);
  for (guint a = 0; a < n_angles; a++)
    cosines[a] = cos (settings->angles[a] * G_PI / 180);
  BinCurve bin = { settings, cosines, values, values + n_angles, values + 2 * (gsize) n_angles, taken, n_angles };
  g_autofree double *peaks = find_peaks (&bin, tones, spectra);
  for (guint b = 0; b < n_bins; b++)
    place_in (&bin, b, tones, peaks, spectra);
  float *far = block->fields[ES_BEAM_MVDR] + (block->far - block->field);
  for (guint a = 0; a < n_angles; a++)
    {
      double sum = 0;

      for (guint b = 0; b < settings->cbf_bins; b++)
        sum += spectra[(gsize) a * n_bins + first + b];
      far[a] = (float) sum;
    }
}
