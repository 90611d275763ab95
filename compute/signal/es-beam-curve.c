/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/*
 * Powers of beams between the angles at which they were formed: through the neighbours goes the polynomial of Lagrange,
 * in the coordinate in which the curve is band-limited. With a third of a beam from angle to angle, and half of that at
 * the ends of a line's, 11 of them tell a top to 0.002 dB.
 */

#include "es-beam-curve.h"

#include <math.h>
#include <string.h>

#define NODES 11
/* Each step leaves 0.618 of the interval: 1e-8 of a beam. */
#define STEPS 40
/* No adaptive beam rises so far, 40 dB, between two angles that are close enough. */
#define MOST_GAIN 1e4

/* ---- coordinates ---- */

double
es_beam_curve_get_turn (const EsBeamCurve *self, guint *n)
{
  *n = self->n;
  if (self->n < 4)
    return 0;
  const double span = self->angles[self->n - 1] - self->angles[0];
  const double step = self->angles[self->n - 1] - self->angles[self->n - 2];
  /* Angles are made by adding up steps. */
  const double tolerance = 1e-3 * fabs (step), turn = copysign (360, span);

  if (fabs (span - turn) <= tolerance)
    *n = self->n - 1;
  return *n < self->n || fabs (span + step - turn) <= tolerance ? turn : 0;
}

/* The angles about one of them, in the coordinate of the curve. */
typedef struct
{
  guint  n;
  guint  index[NODES];         /* of the angles */
  double place[NODES], weight[NODES];
} Window;

static double
to_coordinate (const EsBeamCurve *self, double angle)
{
  return self->line ? cos (angle * G_PI / 180) : angle;
}

static double
to_angle (const EsBeamCurve *self, double place)
{
  return self->line ? acos (CLAMP (place, -1, 1)) * 180 / G_PI : place;
}

/* k from -n to 2 n - 1 where the angles go all round. */
static double
angle_at (const EsBeamCurve *self, int k, guint n, double turn)
{
  const int m = (int) n;

  return k < 0 ? self->angles[k + m] - turn : k >= m ? self->angles[k - m] + turn : self->angles[k];
}

/* FALSE: a power is missing, or two angles are at one place. */
static gboolean
open_window (const EsBeamCurve *self, guint i, guint n, double turn, Window *window)
{
  int first = (int) i - NODES / 2;

  window->n = MIN (NODES, n);
  if (turn == 0)
    first = CLAMP (first, 0, (int) (n - window->n));
  for (guint k = 0; k < window->n; k++)
    {
      const int at = first + (int) k, m = (int) n;

      window->index[k] = (guint) (at < 0 ? at + m : at >= m ? at - m : at);
      window->place[k] = to_coordinate (self, angle_at (self, at, n, turn));
      if (!isfinite (self->powers[window->index[k]])
          || (self->reciprocal && !(self->powers[window->index[k]] > 0)))
        return FALSE;
    }
  /* Weights of the second barycentric form (Berrut and Trefethen 2004). */
  const double scale = fabs (window->place[window->n - 1] - window->place[0]) / 4;
  for (guint k = 0; k < window->n; k++)
    {
      double product = 1;

      for (guint j = 0; j < window->n; j++)
        if (j != k)
          product *= (window->place[k] - window->place[j]) / scale;
      if (product == 0 || !isfinite (product))
        return FALSE;
      window->weight[k] = 1 / product;
    }
  return TRUE;
}

/* Shares of the values at the angles of the window in the value at a place. */
static void
weigh (const Window *window, double place, double *shares)
{
  double sum = 0;

  for (guint k = 0; k < window->n; k++)
    {
      const double distance = place - window->place[k];

      if (distance == 0)
        {
          for (guint j = 0; j < window->n; j++)
            shares[j] = j == k;
          return;
        }
      shares[k] = window->weight[k] / distance;
      sum += shares[k];
    }
  for (guint k = 0; k < window->n; k++)
    shares[k] /= sum;
}

static double
sum_up (const float *values, gsize stride, const Window *window, const double *shares, gboolean reciprocal)
{
  double sum = 0;

  for (guint k = 0; k < window->n; k++)
    {
      const double value = values[window->index[k] * stride];
      sum += shares[k] * (reciprocal ? 1 / value : value);
    }
  return sum;
}

/* Near angle i. */
static double
evaluate (const EsBeamCurve *self, const Window *window, guint i, double place)
{
  double shares[NODES], power = 0;

  weigh (window, place, shares);
  if (!self->reciprocal)
    return sum_up (self->powers, 1, window, shares, FALSE);
  for (guint b = 0; b < self->n_bins; b++)
    {
      const gsize at = (gsize) i * self->stride + b;
      const double reciprocal = sum_up (self->spectra + b, self->stride, window, shares, TRUE);
      const double gain = 1 / (reciprocal * self->spectra[at]);

      /* A bin that holds nothing, or where rounding has eaten what is between the angles, stays as it is. */
      power += self->spectra[at] * (gain > 0 && gain < MOST_GAIN ? gain : 1);
    }
  return power;
}

/* ---- tops and flanks ---- */

/* A sum of peaks that are as narrow as they are loud says little of what is between its angles. */
static gboolean
is_known (const EsBeamCurve *self, guint n)
{
  return self->fine && n >= 3 && (!self->reciprocal || self->spectra != NULL);
}

/* Of means: value k of those between, counted from the first angle; all round also beyond both ends. */
static double
between_at (const EsBeamCurve *self, int k, int all)
{
  return self->between[(k % all + all) % all];
}

/* The highest of the values between, refined by the parabola through three reciprocals, which is what a peak of
 * adaptive beams is near its top. */
static gboolean
find_top_between (const EsBeamCurve *self, guint i, guint n, double turn, double *angle, double *power)
{
  const int m = ES_BEAM_CURVE_BETWEEN, all = (int) n * m, here = (int) i * m;
  const int low = turn != 0 ? here - m : MAX (here - m, 0), high = turn != 0 ? here + m : MIN (here + m, all - m);
  int best = here;

  for (int k = low; k <= high; k++)
    if (between_at (self, k, all) > between_at (self, best, all))
      best = k;
  double place = best, top = between_at (self, best, all);
  if (best > low && best < high)
    {
      const double before = 1 / between_at (self, best - 1, all), at = 1 / top;
      const double after = 1 / between_at (self, best + 1, all), bend = before - 2 * at + after;
      const double shift = bend > 0 ? CLAMP (0.5 * (before - after) / bend, -0.5, 0.5) : 0;
      const double least = at - 0.25 * (before - after) * shift;

      place += shift;
      if (least > 0.5 * at)
        top = 1 / least;
    }
  if (!isfinite (place) || !isfinite (top))
    return FALSE;
  const int from = (int) floor (place / m);
  const double a = to_coordinate (self, angle_at (self, from, n, turn));
  const double b = from + 1 < (int) n || turn != 0 ? to_coordinate (self, angle_at (self, from + 1, n, turn)) : a;
  *angle = to_angle (self, a + (place / m - from) * (b - a));
  *power = top;
  return TRUE;
}

/* Of means, near angle i: by the parabola through the three reciprocals that are the nearest. */
static double
evaluate_between (const EsBeamCurve *self, guint i, guint n, double turn, double place)
{
  const int m = ES_BEAM_CURVE_BETWEEN, all = (int) n * m, last = turn != 0 ? G_MAXINT : all - m;

  for (int from = (int) i - 2; from <= (int) i + 1; from++)
    {
      if (turn == 0 && (from < 0 || from + 1 >= (int) n))
        continue;
      const double a = to_coordinate (self, angle_at (self, from, n, turn));
      const double b = to_coordinate (self, angle_at (self, from + 1, n, turn)), share = (place - a) / (b - a);
      if (!(share >= 0 && share <= 1))
        continue;
      const int nearest = from * m + (int) floor (share * m + 0.5);
      const int middle = turn != 0 ? nearest : CLAMP (nearest, 1, last - 1);
      const double x = from * m + share * m - middle;
      const double before = 1 / between_at (self, middle - 1, all), at = 1 / between_at (self, middle, all);
      const double after = 1 / between_at (self, middle + 1, all);
      const double reciprocal = at + 0.5 * (after - before) * x + 0.5 * (before - 2 * at + after) * x * x;
      return reciprocal > 0 ? 1 / reciprocal : 1 / at;
    }
  return self->powers[i];
}

gboolean
es_beam_curve_find_top (const EsBeamCurve *self, guint i, double *angle, double *power)
{
  guint n;
  const double turn = es_beam_curve_get_turn (self, &n), golden = (sqrt (5) - 1) / 2;
  Window window;

  if (!is_known (self, n) || !open_window (self, i, n, turn, &window))
    return FALSE;
  if (self->between != NULL)
    return find_top_between (self, i, n, turn, angle, power);
  const int before = turn != 0 || i > 0 ? (int) i - 1 : (int) i;
  const int after = turn != 0 || i + 1 < n ? (int) i + 1 : (int) i;
  double a = to_coordinate (self, angle_at (self, before, n, turn));
  double b = to_coordinate (self, angle_at (self, after, n, turn));
  double c = b - golden * (b - a), d = a + golden * (b - a);
  double at_c = evaluate (self, &window, i, c), at_d = evaluate (self, &window, i, d);

  for (guint step = 0; step < STEPS; step++)
    {
      if (at_c >= at_d)
        {
          b = d;
          d = c;
          at_d = at_c;
          c = b - golden * (b - a);
          at_c = evaluate (self, &window, i, c);
        }
      else
        {
          a = c;
          c = d;
          at_c = at_d;
          d = a + golden * (b - a);
          at_d = evaluate (self, &window, i, d);
        }
    }
  const double place = (a + b) / 2, here = to_coordinate (self, self->angles[i]);
  const double top = evaluate (self, &window, i, place), node = evaluate (self, &window, i, here);
  if (!isfinite (top) || !isfinite (node))
    return FALSE;
  *angle = top > node ? to_angle (self, place) : self->angles[i];
  *power = MAX (top, node);
  return TRUE;
}

gboolean
es_beam_curve_find_crossing (const EsBeamCurve *self, guint i, double above, double below, double power, double *angle)
{
  guint n;
  const double turn = es_beam_curve_get_turn (self, &n);
  Window window;

  if (!is_known (self, n) || !open_window (self, i, n, turn, &window))
    return FALSE;
  /* Beside the end of a turn the window lies one turn away from what is asked for. */
  const double shift = turn != 0 ? self->angles[i] + remainder (above - self->angles[i], 360) - above : 0;
  double a = to_coordinate (self, above + shift), b = to_coordinate (self, below + shift);
  for (guint k = 0; k < STEPS; k++)
    {
      const double middle = (a + b) / 2;

      if ((self->between != NULL ? evaluate_between (self, i, n, turn, middle)
                                 : evaluate (self, &window, i, middle)) > power)
        a = middle;
      else
        b = middle;
    }
  *angle = to_angle (self, (a + b) / 2) - shift;
  return TRUE;
}

gboolean
es_beam_curve_stretch (const EsBeamCurve *self, double factor, float *out)
{
  const double *angles = self->angles;
  const guint n = self->n;
  const gboolean rising = n > 1 && angles[n - 1] > angles[0];
  guint near = 0;
  Window window;

  if (!self->fine || !self->line || !self->reciprocal || n < 3)
    return FALSE;
  for (guint i = 0; i < n; i++)
    {
      const double place = CLAMP (factor * to_coordinate (self, angles[i]), -1, 1), angle = to_angle (self, place);
      double shares[NODES];

      /* The places follow one another as the angles do. */
      while (near + 1 < n && (rising ? angles[near + 1] <= angle : angles[near + 1] >= angle))
        near++;
      if (!open_window (self, near, n, 0, &window))
        return FALSE;
      weigh (&window, place, shares);
      const double reciprocal = sum_up (self->powers, 1, &window, shares, TRUE), gain = 1 / (reciprocal
                                                                                            * self->powers[near]);
      out[i] = gain > 0 && gain < MOST_GAIN ? (float) (1 / reciprocal) : self->powers[near];
    }
  return TRUE;
}

gboolean
es_beam_curve_add_between (const EsBeamCurve *self, double *sums)
{
  guint n;
  const double turn = es_beam_curve_get_turn (self, &n);
  const guint n_bins = self->n_bins;
  g_autofree float *reciprocals = NULL, *sum = NULL;
  Window window;

  if (!self->reciprocal || !is_known (self, n))
    return FALSE;
  reciprocals = g_try_new (float, (gsize) n * n_bins);
  sum = g_try_new (float, n_bins);
  if (reciprocals == NULL || sum == NULL)
    return FALSE;
  for (guint i = 0; i < n; i++)
    for (guint b = 0; b < n_bins; b++)
      reciprocals[(gsize) i * n_bins + b] = 1 / self->spectra[(gsize) i * self->stride + b];
  for (guint i = 0; i < n; i++)
    {
      const gboolean last = turn == 0 && i + 1 == n;
      const double a = to_coordinate (self, self->angles[i]);
      const double b = last ? a : to_coordinate (self, angle_at (self, (int) i + 1, n, turn));
      double *to = sums + (gsize) i * ES_BEAM_CURVE_BETWEEN;

      if (!open_window (self, i, n, turn, &window))
        return FALSE;
      for (guint k = 0; k < (last ? 1 : ES_BEAM_CURVE_BETWEEN); k++)
        {
          double shares[NODES], power = 0;

          weigh (&window, a + k * (b - a) / ES_BEAM_CURVE_BETWEEN, shares);
          memset (sum, 0, n_bins * sizeof *sum);
          for (guint j = 0; j < window.n; j++)
            {
              const float *from = reciprocals + (gsize) window.index[j] * n_bins, share = (float) shares[j];

              for (guint bin = 0; bin < n_bins; bin++)
                sum[bin] += share * from[bin];
            }
          for (guint bin = 0; bin < n_bins; bin++)
            {
              const float node = self->spectra[(gsize) i * self->stride + bin], gain = 1 / (sum[bin] * node);
              power += gain > 0 && gain < (float) MOST_GAIN ? 1 / sum[bin] : node;
            }
          to[k] += power;
        }
    }
  return TRUE;
}
