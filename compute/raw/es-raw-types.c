/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* Of which type the samples of a file are, by what its bytes look like. */

#include "es-raw-content-private.h"

#include <math.h>
#include <string.h>

#define PLACES 16
#define BYTES  4096
#define WORD   8

/* How often each byte stands at each place of eight, and the bytes themselves. */
typedef struct
{
  guint8  bytes[PLACES * BYTES];
  guint   n;                           /* a multiple of WORD */
  double  shares[WORD][256];
} Look;

static void
look_at (const EsRawContent *content, Look *look)
{
  const guint64 present = content->size - MIN (content->start, content->size);
  const guint each = (guint) MIN (present / PLACES / WORD * WORD, BYTES);

  memset (look, 0, sizeof *look);
  if (each == 0)
    {
      look->n = (guint) (MIN (present, BYTES) / WORD * WORD);
      if (look->n > 0 && !content->read (content->data, content->start, look->n, look->bytes))
        look->n = 0;
    }
  for (guint p = 0; p < PLACES && each > 0; p++)
    if (content->read (content->data, content->start + (present - each) * p / (PLACES - 1) / WORD * WORD, each,
                       look->bytes + look->n))
      look->n += each;
  for (guint i = 0; i < look->n; i++)
    look->shares[i % WORD][look->bytes[i]] += (double) WORD / look->n;
}

/* How much the bytes of places `step` apart are of different distributions: 0 alike, 1 nothing in common. */
static double
differ (const Look *look, guint step)
{
  double sum = 0;

  for (guint p = 0; p < WORD; p++)
    for (guint v = 0; v < 256; v++)
      sum += fabs (look->shares[p][v] - look->shares[(p + step) % WORD][v]);
  return sum / 2 / WORD;
}

static double
alike (double difference)
{
  return exp (-difference * difference / (2 * 0.12 * 0.12));
}

/* The plausibility of samples of 1, 2, 4 and 8 bytes: the shortest period of what bytes look like. */
static void
weigh_sizes (const Look *look, double weights[WORD + 1])
{
  const double one = alike (differ (look, 1)), two = alike (differ (look, 2)), four = alike (differ (look, 4));

  weights[1] = one;
  weights[2] = (1 - one) * two;
  weights[4] = (1 - one) * (1 - two) * four;
  weights[8] = (1 - one) * (1 - two) * (1 - four);
}

static int
compare_numbers (gconstpointer a, gconstpointer b)
{
  const float x = *(const float *) a, y = *(const float *) b;

  return x < y ? -1 : x > y;
}

/* A value that more than 3 % of them are; NAN. */
static double
find_fill (const float *sorted, guint n)
{
  double fill = NAN;
  guint most = n * 3 / 100 + 1;

  for (guint from = 0, to; from < n; from = to)
    {
      for (to = from + 1; to < n && sorted[to] == sorted[from]; to++)
        ;
      if (to - from > most)
        {
          most = to - from;
          fill = sorted[from];
        }
    }
  return most < n * 9 / 10 ? fill : NAN;
}

/* Where nearly all of the values lie. */
static void
find_range (EsRawNumbers *numbers, const float *values, guint n)
{
  g_autofree float *sorted = g_memdup2 (values, n * sizeof *values);
  guint used = 0;

  qsort (sorted, n, sizeof *sorted, compare_numbers);
  /* Of bytes every value is there often. */
  numbers->fill = numbers->type != ESK_U8 ? find_fill (sorted, n) : NAN;
  for (guint i = 0; i < n; i++)
    if (sorted[i] != numbers->fill)
      sorted[used++] = sorted[i];
  numbers->low = sorted[used / 50];
  numbers->high = sorted[used - 1 - used / 50];
  if (numbers->low >= numbers->high)
    {
      numbers->low = sorted[0];
      numbers->high = sorted[used - 1];
    }
}

/* The values of all that was looked at, and how many of them are numbers that something measures. */
static float *
take_values (const Look *look, const EsRawNumbers *numbers, guint *n, double *sane)
{
  const guint size = (guint) esk_type_size (numbers->type);
  float *values = g_new (float, look->n / size + 1);
  guint good = 0;

  *n = look->n / size;
  for (guint i = 0; i < *n; i++)
    {
      guint8 swapped[WORD];
      const guint8 *at = look->bytes + (gsize) i * size;
      double value;

      for (guint b = 0; b < size; b++)
        swapped[b] = at[numbers->big_endian != (G_BYTE_ORDER == G_BIG_ENDIAN) ? size - 1 - b : b];
      switch (numbers->type)
        {
        case ESK_F32: { float single; memcpy (&single, swapped, 4); value = single; break; }
        case ESK_F64: { memcpy (&value, swapped, 8); break; }
        case ESK_I16: { gint16 whole; memcpy (&whole, swapped, 2); value = whole; break; }
        case ESK_U16: { guint16 whole; memcpy (&whole, swapped, 2); value = whole; break; }
        case ESK_I32: { gint32 whole; memcpy (&whole, swapped, 4); value = whole; break; }
        case ESK_U32: { guint32 whole; memcpy (&whole, swapped, 4); value = whole; break; }
        default: value = swapped[0];
        }
      good += isnan (value) || value == 0 || (fabs (value) >= 1e-9 && fabs (value) <= 1e9);
      values[i] = isfinite (value) && fabs (value) < 1e30 ? (float) value : 0;
    }
  *sane = *n > 0 ? (double) good / *n : 0;
  return values;
}

/* The smallest difference of samples some apart, as a share of that of any: the right order and type is the
 * smoothest. */
static double
measure_roughness (const float *values, guint n, const EsRawNumbers *numbers)
{
  const guint run = MAX (MIN (n / PLACES, 1024), 16), most = MIN (run / 2, 480);
  double best = 1, apart = 0;
  guint64 pairs = 0;

  for (guint i = 0; i < n; i++)
    {
      if (values[i] == numbers->fill || values[(i * 7919u + 13) % n] == numbers->fill)
        continue;
      pairs++;

      const double a = CLAMP (values[i], numbers->low, numbers->high);
      const double b = CLAMP (values[(i * 7919u + 13) % n], numbers->low, numbers->high);

      apart += fabs (a - b);
    }
  apart /= MAX (pairs, 1);
  if (!(apart > 0))
    return 1;
  for (guint lag = 1; lag <= most; lag++)
    {
      double sum = 0;

      pairs = 0;
      for (guint from = 0; from + run <= n; from += run)
        for (guint i = from; i + lag < from + run; i += 3)
          {
            if (values[i] == numbers->fill || values[i + lag] == numbers->fill)
              continue;
            sum += fabs (CLAMP (values[i], numbers->low, numbers->high)
                         - CLAMP (values[i + lag], numbers->low, numbers->high));
            pairs++;
          }
      if (pairs > n / 40)
        best = MIN (best, sum / pairs / apart);
    }
  return best;
}

/* Integers that are told from floats, signed from unsigned ones, by how they spread. */
static double
weigh_kind (const EsRawNumbers *numbers, const float *values, guint n, double sane)
{
  guint huge = 0, middle = 0, upper = 0, extreme = 0;

  for (guint i = 0; i < n; i++)
    {
      huge += fabs (values[i]) > 1 << 28;
      middle += values[i] >= 24000 && values[i] < 53000;
      upper += values[i] >= 32768;
      extreme += fabs (values[i]) > 22000;
    }
  switch (numbers->type)
    {
    case ESK_F32:
    case ESK_F64:
      return pow (sane, 8);
    case ESK_I32:
      return huge > n / 20 ? 0.05 : 1;
    case ESK_U32:
      /* What needs the sign's bit is rather a negative number. */
      return huge > 0 ? 0.1 : 0.9;
    case ESK_U16:
      /* Small negative numbers are at the upper end, with nothing below them. */
      return upper == 0 ? 0.95 : middle < upper ? 0.3 : 1;
    case ESK_I16:
      return extreme > n / 10 ? 0.5 : 1;
    default:
      return 1;
    }
}

static int
compare_weights (gconstpointer a, gconstpointer b)
{
  const EsRawNumbers *x = a, *y = b;

  return x->weight > y->weight ? -1 : x->weight < y->weight;
}

GArray *
es_raw_types_weigh (const EsRawContent *content, const EsRawShape *told, EsRawFields fields)
{
  GArray *all = g_array_new (FALSE, FALSE, sizeof (EsRawNumbers));
  g_autofree Look *look = g_new (Look, 1);
  double sizes[WORD + 1] = { 0 }, best;

  look_at (content, look);
  weigh_sizes (look, sizes);
  for (guint t = 0; es_raw_types ()[t] != NULL; t++)
    for (guint order = 0; order < 2; order++)
      {
        EsRawNumbers numbers = { .big_endian = order == 1 };
        g_autofree float *values = NULL;
        double sane, roughness;
        guint n = 0;

        es_raw_type_find (es_raw_types ()[t], &numbers.type);
        if (((fields & ES_RAW_TYPE) != 0 && g_strcmp0 (told->type, es_raw_types ()[t]) != 0)
            || (order == 1 && numbers.type == ESK_U8)
            || ((fields & ES_RAW_BYTE_ORDER) != 0 && numbers.type != ESK_U8
                && (told->big_endian != FALSE) != numbers.big_endian))
          continue;
        values = take_values (look, &numbers, &n, &sane);
        if (n < 8)
          continue;
        find_range (&numbers, values, n);
        roughness = measure_roughness (values, n, &numbers);
        numbers.weight = MAX (sizes[esk_type_size (numbers.type)], 0.002) * weigh_kind (&numbers, values, n, sane)
                         * exp (-4 * roughness);
        g_array_append_val (all, numbers);
      }
  g_array_sort (all, compare_weights);
  best = all->len > 0 ? MAX (g_array_index (all, EsRawNumbers, 0).weight, 1e-12) : 1;
  for (guint i = 0; i < all->len; i++)
    g_array_index (all, EsRawNumbers, i).weight /= best;
  return all;
}
