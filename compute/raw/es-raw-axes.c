/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-raw-content-private.h"

#include <math.h>
#include <string.h>

/* So many places along each axis. */
#define SIDE 20

/* Along the fastest axis the samples of one run, thinned; along the others single lines. */
static guint
pick (guint64 length, guint64 places[SIDE])
{
  const guint n = (guint) MIN (length, SIDE);

  for (guint i = 0; i < n; i++)
    places[i] = (length * (2 * i + 1)) / (2 * n);
  return n;
}

static double
variance_of_means (const double *sums, const guint *counts, guint n, double mean)
{
  double variance = 0;
  guint used = 0;

  for (guint i = 0; i < n; i++)
    if (counts[i] > 0)
      {
        variance += (sums[i] / counts[i] - mean) * (sums[i] / counts[i] - mean);
        used++;
      }
  return used > 1 ? variance / used : 0;
}

void
es_raw_axes_weigh (const EsRawContent *content, const EsRawNumbers *numbers, guint64 offset, const guint64 lengths[3],
                   double shares[3])
{
  const guint64 size = esk_type_size (numbers->type);
  guint64 places[3][SIDE];
  guint n[3], counts[3][SIDE];
  double sums[3][SIDE], sum = 0, squares = 0, mean, variance;
  guint64 all = 0;

  memset (sums, 0, sizeof sums);
  memset (counts, 0, sizeof counts);
  for (guint a = 0; a < 3; a++)
    {
      n[a] = pick (lengths[a], places[a]);
      shares[a] = 0;
    }
  for (guint k = 0; k < n[2]; k++)
    for (guint j = 0; j < n[1]; j++)
      for (guint i = 0; i < n[0]; i++)
        {
          const guint64 at = (places[2][k] * lengths[1] + places[1][j]) * lengths[0] + places[0][i];
          float value;

          if (!es_raw_content_take (content, numbers, offset + at * size, 1, &value))
            return;
          if (isnan (value))
            continue;
          all++;
          counts[0][i]++;
          counts[1][j]++;
          counts[2][k]++;
          sum += value;
          squares += (double) value * value;
          sums[0][i] += value;
          sums[1][j] += value;
          sums[2][k] += value;
        }
  if (all == 0)
    return;
  mean = sum / all;
  variance = squares / all - mean * mean;
  for (guint a = 0; a < 3 && variance > 0; a++)
    shares[a] = variance_of_means (sums[a], counts[a], n[a], mean) / variance;
}
