/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "es-covariance.h"
#include "es-hotspots-stream.h"

#include <stdlib.h>
#include <string.h>

__extension__ typedef __int128 int128;

int
esk_covariance_init (EskCovariance *covariance,
                     size_t         n_bands,
                     bool           exact,
                     const double  *shift)
{
  size_t n_products;

  memset (covariance, 0, sizeof *covariance);
  if (n_bands == 0)
    return ESK_ERROR_ARGUMENT;
  if (__builtin_mul_overflow (n_bands, n_bands, &n_products))
    return ESK_ERROR_MEMORY;

  covariance->n_bands = n_bands;
  covariance->exact = exact;
  if (exact)
    {
      covariance->integer_sum = calloc (n_bands, sizeof (int64_t));
      covariance->integer_product = calloc (n_products, sizeof (int64_t));
      if (covariance->integer_sum == NULL || covariance->integer_product == NULL)
        goto out_of_memory;
    }
  else
    {
      covariance->shift = calloc (n_bands, sizeof (double));
      covariance->sum = calloc (n_bands, sizeof (double));
      covariance->product = calloc (n_products, sizeof (double));
      if (covariance->shift == NULL || covariance->sum == NULL || covariance->product == NULL)
        goto out_of_memory;
      if (shift != NULL)
        memcpy (covariance->shift, shift, n_bands * sizeof (double));
    }

  return ESK_OK;

out_of_memory:
  esk_covariance_clear (covariance);
  return ESK_ERROR_MEMORY;
}

void
esk_covariance_clear (EskCovariance *covariance)
{
  if (covariance->device_sums != NULL)
    covariance->device_sums_free (covariance->device_sums);
  free (covariance->integer_sum);
  free (covariance->integer_product);
  free (covariance->shift);
  free (covariance->sum);
  free (covariance->product);
  memset (covariance, 0, sizeof *covariance);
}

void
esk_covariance_reset (EskCovariance *covariance)
{
  size_t n = covariance->n_bands;

  covariance->count = 0;
  if (n == 0)
    return;

  if (covariance->exact)
    {
      memset (covariance->integer_sum, 0, n * sizeof (int64_t));
      memset (covariance->integer_product, 0, n * n * sizeof (int64_t));
    }
  else
    {
      memset (covariance->sum, 0, n * sizeof (double));
      memset (covariance->product, 0, n * n * sizeof (double));
    }
}

int
esk_covariance_merge (EskCovariance       *total,
                      const EskCovariance *part)
{
  size_t n = total->n_bands;
  int64_t count;

  if (n == 0 || part->n_bands != n || part->exact != total->exact || part->count < 0 || total->count < 0
      || __builtin_add_overflow (total->count, part->count, &count))
    return ESK_ERROR_ARGUMENT;

  if (total->exact)
    {
      /* No product is larger than the largest square sum, so the diagonal tells whether anything overflows. */
      for (size_t i = 0; i < n; i++)
        {
          int64_t sum;

          if (__builtin_add_overflow (total->integer_product[i * n + i], part->integer_product[i * n + i], &sum)
              || __builtin_add_overflow (total->integer_sum[i], part->integer_sum[i], &sum))
            return ESK_ERROR_ARGUMENT;
        }
      for (size_t i = 0; i < n; i++)
        {
          total->integer_sum[i] += part->integer_sum[i];
          for (size_t j = 0; j <= i; j++)
            total->integer_product[i * n + j] += part->integer_product[i * n + j];
        }
    }
  else
    {
      if (memcmp (total->shift, part->shift, n * sizeof (double)) != 0)
        return ESK_ERROR_ARGUMENT;
      for (size_t i = 0; i < n; i++)
        {
          total->sum[i] += part->sum[i];
          for (size_t j = 0; j <= i; j++)
            total->product[i * n + j] += part->product[i * n + j];
        }
    }
  total->count = count;

  return ESK_OK;
}

/* (long double) x, rounded once, in a few instructions: halves that are exact, and their sum. */
static long double
round_wide (int128 x)
{
  const int64_t low = (int64_t) x, high = (int64_t) (x >> 64) + (low < 0);

  return (long double) high * 0x1p64L + (long double) low;
}

int
esk_covariance_finish (const EskCovariance *covariance,
                       double              *mean,
                       double              *matrix)
{
  size_t n = covariance->n_bands;
  int64_t count = covariance->count;
  long double divisor;

  if (n == 0 || count < 2 || mean == NULL || matrix == NULL)
    return ESK_ERROR_ARGUMENT;

  divisor = round_wide ((int128) count * (count - 1));
  for (size_t i = 0; i < n; i++)
    {
      if (covariance->exact)
        mean[i] = (double) ((long double) covariance->integer_sum[i] / (long double) count);
      else
        mean[i] = covariance->shift[i] + covariance->sum[i] / (double) count;

      for (size_t j = 0; j <= i; j++)
        {
          double value;

          if (covariance->exact)
            {
              int128 numerator = (int128) count * covariance->integer_product[i * n + j]
                                 - (int128) covariance->integer_sum[i] * covariance->integer_sum[j];

              value = (double) (round_wide (numerator) / divisor);
            }
          else
            {
              value = (covariance->product[i * n + j]
                       - covariance->sum[i] * (covariance->sum[j] / (double) count)) / (double) (count - 1);
              /* Rounding must not make the variance of a constant band negative. */
              if (i == j && value < 0.0)
                value = 0.0;
            }

          matrix[i * n + j] = value;
          matrix[j * n + i] = value;
        }
    }

  return ESK_OK;
}
