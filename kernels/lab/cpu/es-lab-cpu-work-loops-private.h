/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

/* Loops of whole works: a product of two vectors, pixels of the Mandelbrot set, and vectors that are gathered. */

#include "es-lab-cpu-hide-private.h"

#include <string.h>
#if defined (__x86_64__)
#include <immintrin.h>
#endif

/* lab: dot */
static double
dot (const float *x,
     const float *y,
     size_t       n)
{
  typedef float V __attribute__ ((vector_size (ESK_WIDTH)));
  typedef float Loose __attribute__ ((vector_size (ESK_WIDTH), aligned (4)));
  enum { LANES = ESK_WIDTH / 4, MOST = 4096 };
  double sum = 0.0;
  size_t i = 0;

  /* Runs that float32 can add up without losing more than the products do. */
  while (n - i >= 4 * LANES)
    {
      const size_t end = n - i > MOST ? i + MOST : i + (n - i) / (4 * LANES) * (4 * LANES);
      V s0 = { 0 }, s1 = s0, s2 = s0, s3 = s0;

      for (; i < end; i += 4 * LANES)
        {
          s0 += *(const Loose *) (x + i) * *(const Loose *) (y + i);
          s1 += *(const Loose *) (x + i + LANES) * *(const Loose *) (y + i + LANES);
          s2 += *(const Loose *) (x + i + 2 * LANES) * *(const Loose *) (y + i + 2 * LANES);
          s3 += *(const Loose *) (x + i + 3 * LANES) * *(const Loose *) (y + i + 3 * LANES);
        }
      s0 = s0 + s1 + (s2 + s3);
      for (size_t lane = 0; lane < LANES; lane++)
        sum += s0[lane];
    }
  for (; i < n; i++)
    sum += (double) x[i] * y[i];

  return sum;
}
/* lab end */

/* lab: mandelbrot */
/* z <- z * z + c from 0 on, at most 255 times, until |z| > 2. Without fused operations: every loop, and every machine,
 * makes the same picture. */
static void
mandelbrot_row (double   left,
                double   step,
                double   y,
                size_t   n,
                uint8_t *counts)
{
  typedef double V __attribute__ ((vector_size (ESK_WIDTH)));
  typedef int64_t W __attribute__ ((vector_size (ESK_WIDTH)));
  enum { LANES = ESK_WIDTH / 8, VECTORS = 2 };

  for (size_t x = 0; x < n; x += VECTORS * LANES)
    {
      V c[VECTORS], re[VECTORS] = { 0 }, im[VECTORS] = { 0 };
      W count[VECTORS] = { 0 }, in[VECTORS];

      for (size_t v = 0; v < VECTORS; v++)
        for (size_t lane = 0; lane < LANES; lane++)
          c[v][lane] = left + step * (double) (x + v * LANES + lane);
      memset (in, 0xff, sizeof in);
      for (int iteration = 0; iteration < 255; iteration++)
        {
          W any = { 0 };

          for (size_t v = 0; v < VECTORS; v++)
            {
              V squared_re = re[v] * re[v], squared_im = im[v] * im[v];

              /* Once out it stays out, whatever comes of it: also of infinity and of what is no number. */
              in[v] &= squared_re + squared_im <= 4.0;
              im[v] = (re[v] + re[v]) * im[v] + y;
              re[v] = squared_re - squared_im + c[v];
              count[v] -= in[v];
              any |= in[v];
            }
          if ((iteration & 7) == 7)
            {
              int64_t go_on = 0;

              for (size_t lane = 0; lane < LANES; lane++)
                go_on |= any[lane];
              if (go_on == 0)
                break;
            }
        }
      for (size_t v = 0; v < VECTORS; v++)
        for (size_t lane = 0; lane < LANES && x + v * LANES + lane < n; lane++)
          counts[x + v * LANES + lane] = (uint8_t) count[v][lane];
    }
}
/* lab end */

/* lab: gather */
#if ESK_WIDTH == 64
#define GATHER(table, index) _mm512_i32gather_epi32 (index, table, 4)
typedef __m512i Index;
#elif ESK_WIDTH == 32
#define GATHER(table, index) _mm256_i32gather_epi32 (table, index, 4)
typedef __m256i Index;
#endif
#if defined (GATHER)
/* steps: a multiple of 16. */
static void
gather (const int32_t *table,
        size_t         steps,
        int32_t       *index_)
{
  Index index;

  memcpy (&index, index_, sizeof index);
  for (steps /= 16; steps > 0; steps--)
    {
      ESK_FOUR (ESK_FOUR (index = GATHER (table, index); ESK_HIDE_VECTOR (index);))
    }
  memcpy (index_, &index, sizeof index);
}
#endif
/* lab end */
