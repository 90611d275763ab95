/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-normalise.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

/* A background further below the line's sum than this is summed anew: differences of sums do not hold it. */
#define SUMMABLE 1e-11

const char *
es_normaliser_id (EsNormaliserKind kind)
{
  static const char *const ids[ES_N_NORMALISERS] = { "none", "split-window", "order-truncate" };

  g_return_val_if_fail (kind < ES_N_NORMALISERS, NULL);
  return ids[kind];
}

const char *
es_normaliser_title (EsNormaliserKind kind)
{
  switch (kind)
    {
    case ES_NORMALISER_NONE:
      return _("None");
    case ES_NORMALISER_SPLIT_WINDOW:
      return _("Two-pass split window");
    case ES_NORMALISER_ORDER_TRUNCATE:
      return _("Order-truncate-average");
    case ES_N_NORMALISERS:
    default:
      g_return_val_if_reached (NULL);
    }
}

/* Scratch of one line of n. */
typedef struct
{
  float  *line, *clipped, *background, *sorted;
  double *sums;                /* n + 1: of what is before a sample */
  guint  *counts;
  guint   n, window, gap, n_sorted, there;
} Line;

static void
line_init (Line *self, const EsNormaliser *normaliser, guint n)
{
  /* Windows are as long as the line at most, so that no sum of indices overflows. */
  const guint window = CLAMP (normaliser->window, 1, MAX (n, 1)), gap = MIN (normaliser->gap, n);

  *self = (Line) { .n = n, .window = window, .gap = gap };
  self->line = g_new (float, n);
  self->clipped = g_new (float, n);
  self->background = g_new (float, n);
  self->sums = g_new (double, (gsize) n + 1);
  self->counts = g_new (guint, (gsize) n + 1);
  self->sorted = g_new (float, (gsize) 2 * window + 2);
}

static void
line_clear (Line *self)
{
  g_free (self->line);
  g_free (self->clipped);
  g_free (self->background);
  g_free (self->sums);
  g_free (self->counts);
  g_free (self->sorted);
}

/* ---- split window ---- */

static double
sum_again (const float *values, guint from, guint to)
{
  double sum = 0;

  for (guint i = from; i < to; i++)
    if (!isnan (values[i]))
      sum += values[i];
  return sum;
}

/* The mean over both sides of the gap round every sample: what there is of them at the ends of the line. */
static void
split_mean (Line *self, const float *values, float *mean)
{
  const guint n = self->n;
  self->sums[0] = 0;
  self->counts[0] = 0;
  for (guint i = 0; i < n; i++)
    {
      const gboolean there = !isnan (values[i]);

      self->sums[i + 1] = self->sums[i] + (there ? values[i] : 0);
      self->counts[i + 1] = self->counts[i] + there;
    }
  for (guint i = 0; i < n; i++)
    {
      const guint left_to = i > self->gap ? i - self->gap : 0;
      const guint left_from = left_to > self->window ? left_to - self->window : 0;
      const guint right_from = self->gap < n - i ? MIN (n, i + self->gap + 1) : n;
      const guint right_to = self->window < n - right_from ? right_from + self->window : n;
      const guint count = self->counts[left_to] - self->counts[left_from]
                          + self->counts[right_to] - self->counts[right_from];
      double sum = self->sums[left_to] - self->sums[left_from] + self->sums[right_to] - self->sums[right_from];

      if (count == 0)
        {
          /* Nothing beside the gap: a line shorter than it. */
          mean[i] = self->counts[n] > 0 ? (float) (self->sums[n] / self->counts[n]) : NAN;
          continue;
        }
      if (sum < SUMMABLE * self->sums[n])
        sum = sum_again (values, left_from, left_to) + sum_again (values, right_from, right_to);
      mean[i] = (float) (sum / count);
    }
}

static void
find_split_window (Line *self, double threshold)
{
  split_mean (self, self->line, self->background);
  for (guint i = 0; i < self->n; i++)
    self->clipped[i] = self->line[i] > threshold * self->background[i] ? self->background[i] : self->line[i];
  split_mean (self, self->clipped, self->background);
}

/* ---- order-truncate-average ---- */

/* Where a value is, or would be, among those that are sorted. */
static guint
find_place (const Line *self, float value)
{
  guint low = 0, high = self->n_sorted;

  while (low < high)
    {
      const guint middle = low + (high - low) / 2;

      if (self->sorted[middle] < value)
        low = middle + 1;
      else
        high = middle;
    }
  return low;
}

static void
take_in (Line *self, gint64 i)
{
  if (i < 0 || i >= self->n || isnan (self->line[i]))
    return;

  const guint place = find_place (self, self->line[i]);
  memmove (self->sorted + place + 1, self->sorted + place, (self->n_sorted - place) * sizeof (float));
  self->sorted[place] = self->line[i];
  self->n_sorted++;
}

static void
let_go (Line *self, gint64 i)
{
  if (i < 0 || i >= self->n || isnan (self->line[i]))
    return;

  const guint place = find_place (self, self->line[i]);
  memmove (self->sorted + place, self->sorted + place + 1, (self->n_sorted - place - 1) * sizeof (float));
  self->n_sorted--;
}

/* The mean of what is not above `threshold` times the median. */
static float
truncated_mean (const Line *self, double threshold)
{
  const guint n = self->n_sorted;
  const double median = 0.5 * ((double) self->sorted[(n - 1) / 2] + self->sorted[n / 2]);
  double sum = 0;
  guint count = 0;

  while (count < n && (self->sorted[count] <= threshold * median || count == 0))
    sum += self->sorted[count++];
  return (float) (sum / count);
}

static void
find_order_truncate (Line *self, double threshold)
{
  const gint64 gap = self->gap, window = self->window;
  float whole = NAN;

  self->n_sorted = 0;
  for (gint64 i = gap + 1; i <= gap + window; i++)
    take_in (self, i);
  for (gint64 i = 0; i < self->n; i++)
    {
      if (self->n_sorted > 0)
        self->background[i] = truncated_mean (self, threshold);
      else
        {
          if (isnan (whole))
            whole = (float) (sum_again (self->line, 0, self->n) / MAX (self->there, 1));
          self->background[i] = whole;
        }
      let_go (self, i - gap - window);
      take_in (self, i - gap);
      let_go (self, i + gap + 1);
      take_in (self, i + gap + window + 1);
    }
}

/* ---- lines ---- */

static float
ratio (float power, float background)
{
  if (background > 0)
    return power / background;
  /* Silence is as loud as silence; how far anything stands out of it nobody can tell. */
  return power == 0 ? 1 : NAN;
}

static void
normalise (Line *self, const EsNormaliser *normaliser, const float *powers, gsize stride, float *out, gsize out_stride)
{
  self->there = 0;
  for (guint i = 0; i < self->n; i++)
    {
      /* A power that is not finite says nothing of the background. */
      self->line[i] = isfinite (powers[i * stride]) ? powers[i * stride] : NAN;
      self->there += !isnan (self->line[i]);
    }
  if (normaliser->kind == ES_NORMALISER_SPLIT_WINDOW)
    find_split_window (self, normaliser->threshold);
  else
    find_order_truncate (self, normaliser->threshold);
  for (guint i = 0; i < self->n; i++)
    out[i * out_stride] = ratio (self->line[i], self->background[i]);
}

static void
copy_line (const float *powers, gsize stride, guint n, float *out, gsize out_stride)
{
  if (powers == out && stride == out_stride)
    return;
  for (guint i = 0; i < n; i++)
    out[i * out_stride] = powers[i * stride];
}

void
es_normalise_line (const EsNormaliser *self, const float *powers, gsize stride, guint n, float *out, gsize out_stride)
{
  Line line;

  if (self->kind == ES_NORMALISER_NONE)
    {
      copy_line (powers, stride, n, out, out_stride);
      return;
    }
  line_init (&line, self, n);
  normalise (&line, self, powers, stride, out, out_stride);
  line_clear (&line);
}

void
es_normalise_rows (const EsNormaliser *self, const float *powers, guint rows, guint columns, float *out)
{
  Line line;

  if (self->kind == ES_NORMALISER_NONE)
    {
      if (powers != out)
        memcpy (out, powers, (gsize) rows * columns * sizeof (float));
      return;
    }
  line_init (&line, self, columns);
  for (guint i = 0; i < rows; i++)
    normalise (&line, self, powers + (gsize) i * columns, 1, out + (gsize) i * columns, 1);
  line_clear (&line);
}

void
es_normalise_columns (const EsNormaliser *self, const float *powers, guint rows, guint columns, float *out)
{
  Line line;

  if (self->kind == ES_NORMALISER_NONE)
    {
      es_normalise_rows (self, powers, rows, columns, out);
      return;
    }
  line_init (&line, self, rows);
  for (guint j = 0; j < columns; j++)
    normalise (&line, self, powers + j, columns, out + j, columns);
  line_clear (&line);
}
