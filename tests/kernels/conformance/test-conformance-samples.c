/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "test-conformance-samples.h"

#include <math.h>

gboolean
samples_new (Samples *samples,
             size_t   m,
             size_t   count,
             size_t   gap,
             gsize    misaligned,
             guint64  seed)
{
  guint64 state = seed * 977 + m * 31 + count + 1;

  samples->m = m;
  samples->count = count;
  samples->stride = count + gap;
  samples->host = g_new0 (float, m * samples->stride + 1);
  for (size_t i = 0; i < m; i++)
    for (size_t k = 0; k < samples->stride; k++)
      {
        double u = 2.0 * random_unit (&state) - 1.0, v = 2.0 * random_unit (&state) - 1.0, x;

        x = i % 3 == 0 ? u * sqrt (3.0) : i % 3 == 1 ? u * u * u * sqrt (7.0) : (u + v) * sqrt (1.5);
        if (i > 0)
          x = 0.96 * x + 0.28 * (double) samples->host[(i - 1) * samples->stride + k];
        samples->host[i * samples->stride + k] = (float) x;
      }
  /* What is between the planes is not to be read into a sum. */
  for (size_t i = 0; i < m; i++)
    for (size_t k = count; k < samples->stride; k++)
      samples->host[i * samples->stride + k] = NAN;
  if (!card_new (&samples->card, MAX (m * samples->stride, 1) * sizeof (float), misaligned))
    {
      g_free (samples->host);
      return FALSE;
    }
  samples->data = (const float *) (const void *) samples->card.data;
  card_put (&samples->card, samples->host);

  return TRUE;
}

void
samples_free (Samples *samples)
{
  card_free (&samples->card);
  g_free (samples->host);
}

float *
random_rows (size_t  rows,
             size_t  m,
             guint64 seed)
{
  guint64 state = seed + 17;
  float *w = g_new (float, rows * m);

  for (size_t r = 0; r < rows; r++)
    {
      double square = 0.0;

      for (size_t i = 0; i < m; i++)
        {
          w[r * m + i] = (float) (random_unit (&state) - 0.5);
          square += (double) w[r * m + i] * (double) w[r * m + i];
        }
      for (size_t i = 0; i < m; i++)
        w[r * m + i] = (float) ((double) w[r * m + i] / sqrt (square));
    }

  return w;
}
