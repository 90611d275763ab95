/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The rungs of a step of FastICA, from loops as the formula reads on. */

#include "es-ladder-cpu-ica-vectors-private.h"

#include <math.h>
#include <string.h>

/* Of the rungs all have the same name where people read them. */
#define step ica_loops

/* lab: ica-loops */
/* A vector after the other, as the formula reads: w'z of all samples and g of it, then its product with every plane. */
int
step (EskLadder  *ladder,
      IcaCpuWork *work)
{
  const size_t n = work->of.pixels, rows = work->of.rows;
  const float *z = work->of.z;

  for (size_t r = 0; r < rows; r++)
    {
      const float *w = work->of.w + r * rows;
      float *g = work->y;

      work->of.derivative[r] = 0.0;
      for (size_t p = 0; p < n; p++)
        {
          float y = 0.0f;

          for (size_t i = 0; i < rows; i++)
            y += w[i] * z[i * n + p];
          g[p] = tanhf (y);
          work->of.derivative[r] += 1.0f - g[p] * g[p];
        }
      for (size_t i = 0; i < rows; i++)
        {
          double sum = 0.0;

          for (size_t p = 0; p < n; p++)
            sum += z[i * n + p] * g[p];
          work->of.product[r * rows + i] = sum;
        }
      ESK_LADDER_TRY (esk_ladder_pause (ladder, (double) (r + 1) / (double) rows));
    }

  return ESK_LADDER_OK;
}
/* lab end */

#undef step
#define step ica_blocked
#define add_block add_block_blocked

/* lab: ica-blocked ica-vectorised ica-registers ica-threaded */
/* Some samples of all planes, side by side; behind the last one zeros, whose g is zero, too. */
static void
bring_block (const EskIcaWork *work,
             size_t            first,
             size_t            count,
             float            *block)
{
  for (size_t i = 0; i < work->rows; i++, block += ICA_BLOCK)
    {
      memcpy (block, work->z + i * work->pixels + first, count * sizeof *block);
      memset (block + count, 0, (ICA_BLOCK - count) * sizeof *block);
    }
}
/* lab end */

/* lab: ica-blocked */
/* All vectors go through a block of samples while that is in the cache. Within a block float32 will do for sums. */
static void
add_block (const IcaCpuWork *work,
           const IcaRoom    *room,
           size_t            count,
           double           *product,
           double           *derivative)
{
  const size_t rows = work->of.rows;

  for (size_t r = 0; r < rows; r++)
    {
      const float *w = work->w + r * rows;
      float *g = room->g, missing = 0.0f;

      for (size_t p = 0; p < ICA_BLOCK; p++)
        {
          float y = 0.0f;

          for (size_t i = 0; i < rows; i++)
            y += w[i] * room->z[i * ICA_BLOCK + p];
          g[p] = tanhf (y);
          missing += g[p] * g[p];
        }
      for (size_t i = 0; i < rows; i++)
        {
          const float *z = room->z + i * ICA_BLOCK;
          float sum = 0.0f;

          for (size_t p = 0; p < ICA_BLOCK; p++)
            sum += z[p] * g[p];
          product[r * rows + i] += sum;
        }
      derivative[r] += (double) count - missing;
    }
}

int
step (EskLadder  *ladder,
      IcaCpuWork *work)
{
  const size_t n = work->of.pixels;

  for (size_t first = 0; first < n; first += ICA_BLOCK)
    {
      const size_t count = n - first < ICA_BLOCK ? n - first : ICA_BLOCK;

      bring_block (&work->of, first, count, work->rooms[0].z);
      add_block (work, &work->rooms[0], count, work->of.product, work->of.derivative);
      ESK_LADDER_TRY (esk_ladder_cancelled (ladder));
    }

  return ESK_LADDER_OK;
}
/* lab end */

#ifdef __x86_64__

#undef step
#undef add_block
#define step ica_vectorised
#define add_block add_block_vectorised

/* lab: ica-vectorised */
/* All vectors go through a block of samples while that is in the cache: eight samples at a time. */
static VECTORS void
add_block (const IcaCpuWork *work,
           const IcaRoom    *room,
           size_t            count,
           double           *product,
           double           *derivative)
{
  const size_t rows = work->of.rows;

  for (size_t r = 0; r < rows; r++)
    {
      const float *w = work->w + r * rows;
      float *g = room->g;
      __m256 missing = _mm256_setzero_ps ();

      for (size_t p = 0; p < ICA_BLOCK; p += 8)
        {
          __m256 y = _mm256_setzero_ps ();

          for (size_t i = 0; i < rows; i++)
            y = _mm256_fmadd_ps (_mm256_set1_ps (w[i]), _mm256_load_ps (room->z + i * ICA_BLOCK + p), y);
          y = tanh_8 (y);
          _mm256_store_ps (g + p, y);
          missing = _mm256_fmadd_ps (y, y, missing);
        }
      for (size_t i = 0; i < rows; i++)
        {
          const float *z = room->z + i * ICA_BLOCK;
          __m256 sum = _mm256_setzero_ps ();

          for (size_t p = 0; p < ICA_BLOCK; p += 8)
            sum = _mm256_fmadd_ps (_mm256_load_ps (z + p), _mm256_load_ps (g + p), sum);
          product[r * rows + i] += sum_8 (sum);
        }
      derivative[r] += (double) count - sum_8 (missing);
    }
}

int
step (EskLadder  *ladder,
      IcaCpuWork *work)
{
  const size_t n = work->of.pixels;

  for (size_t first = 0; first < n; first += ICA_BLOCK)
    {
      const size_t count = n - first < ICA_BLOCK ? n - first : ICA_BLOCK;

      bring_block (&work->of, first, count, work->rooms[0].z);
      add_block (work, &work->rooms[0], count, work->of.product, work->of.derivative);
      ESK_LADDER_TRY (esk_ladder_cancelled (ladder));
    }

  return ESK_LADDER_OK;
}
/* lab end */

#undef step
#undef add_block
#define step ica_registers
#define add_block add_block_registers

/* lab: ica-registers ica-threaded */
/* g of three vectors: what is loaded of a plane is used by all three, and nine sums stay in registers. */
static VECTORS void
apply_three (const float *w,
             size_t       rows,
             const float *z,
             float       *g,
             __m256       missing[3])
{
  for (size_t p = 0; p < ICA_BLOCK; p += 24)
    {
      __m256 y[3][3] = { { _mm256_setzero_ps () } };

      for (size_t i = 0; i < rows; i++)
#pragma GCC unroll 3
        for (int v = 0; v < 3; v++)
          {
            const __m256 weight = _mm256_set1_ps (w[v * rows + i]);

#pragma GCC unroll 3
            for (int k = 0; k < 3; k++)
              y[v][k] = _mm256_fmadd_ps (weight, _mm256_load_ps (z + i * ICA_BLOCK + p + 8 * k), y[v][k]);
          }
#pragma GCC unroll 3
      for (int v = 0; v < 3; v++)
#pragma GCC unroll 3
        for (int k = 0; k < 3; k++)
          {
            y[v][k] = tanh_8 (y[v][k]);
            _mm256_store_ps (g + v * ICA_BLOCK + p + 8 * k, y[v][k]);
            missing[v] = _mm256_fmadd_ps (y[v][k], y[v][k], missing[v]);
          }
    }
}

/* The products of three vectors' g with three planes: six loads for nine multiply-adds. */
static VECTORS void
multiply_three (const float *g,
                const float *z,
                float        sums[3][3])
{
  __m256 sum[3][3] = { { _mm256_setzero_ps () } };

  for (size_t p = 0; p < ICA_BLOCK; p += 8)
    {
      const __m256 x = _mm256_load_ps (z + p), y = _mm256_load_ps (z + ICA_BLOCK + p);
      const __m256 last = _mm256_load_ps (z + 2 * ICA_BLOCK + p);

#pragma GCC unroll 3
      for (int v = 0; v < 3; v++)
        {
          const __m256 value = _mm256_load_ps (g + v * ICA_BLOCK + p);

          sum[v][0] = _mm256_fmadd_ps (value, x, sum[v][0]);
          sum[v][1] = _mm256_fmadd_ps (value, y, sum[v][1]);
          sum[v][2] = _mm256_fmadd_ps (value, last, sum[v][2]);
        }
    }
#pragma GCC unroll 3
  for (int v = 0; v < 3; v++)
#pragma GCC unroll 3
    for (int k = 0; k < 3; k++)
      sums[v][k] = sum_8 (sum[v][k]);
}

/* All vectors go through a block of samples while that is in the cache: eight samples at a time, three vectors and
 * three planes. */
static VECTORS void
add_block (const IcaCpuWork *work,
           const IcaRoom    *room,
           size_t            count,
           double           *product,
           double           *derivative)
{
  const size_t rows = work->of.rows;

  for (size_t r = 0; r < rows; r += 3)
    {
      __m256 missing[3] = { _mm256_setzero_ps (), _mm256_setzero_ps (), _mm256_setzero_ps () };

      apply_three (work->w + r * rows, rows, room->z, room->g, missing);
      for (size_t i = 0; i < rows; i += 3)
        {
          float sums[3][3];

          multiply_three (room->g, room->z + i * ICA_BLOCK, sums);
          for (size_t v = 0; v < 3 && r + v < rows; v++)
            for (size_t k = 0; k < 3 && i + k < rows; k++)
              product[(r + v) * rows + i + k] += sums[v][k];
        }
      for (size_t v = 0; v < 3 && r + v < rows; v++)
        derivative[r + v] += (double) count - sum_8 (missing[v]);
    }
}
/* lab end */

/* lab: ica-registers */
int
step (EskLadder  *ladder,
      IcaCpuWork *work)
{
  const size_t n = work->of.pixels;

  for (size_t first = 0; first < n; first += ICA_BLOCK)
    {
      const size_t count = n - first < ICA_BLOCK ? n - first : ICA_BLOCK;

      bring_block (&work->of, first, count, work->rooms[0].z);
      add_block (work, &work->rooms[0], count, work->of.product, work->of.derivative);
      ESK_LADDER_TRY (esk_ladder_cancelled (ladder));
    }

  return ESK_LADDER_OK;
}
/* lab end */

#undef step
#define step ica_threaded

/* lab: ica-threaded */
/* Some blocks are an item, which a thread takes, with sums of its own. */
static void
add_blocks (void    *data,
            size_t   item,
            unsigned worker)
{
  IcaCpuWork *work = data;
  const size_t rows = work->of.rows, start = item * work->item;
  const size_t end = work->of.pixels - start < work->item ? work->of.pixels : start + work->item;
  double *product = work->sums + item * rows * (rows + 1);

  for (size_t first = start; first < end; first += ICA_BLOCK)
    {
      const size_t count = end - first < ICA_BLOCK ? end - first : ICA_BLOCK;

      bring_block (&work->of, first, count, work->rooms[worker].z);
      add_block (work, &work->rooms[worker], count, product, product + rows * rows);
    }
}

int
step (EskLadder  *ladder,
      IcaCpuWork *work)
{
  ESK_LADDER_TRY (ladder_share (ladder, work->n_items, add_blocks, work));
  ica_add_items (work);

  return ESK_LADDER_OK;
}
/* lab end */

#else

int
ica_vectorised (EskLadder  *ladder,
                IcaCpuWork *work)
{
  return ESK_LADDER_ERROR_REFUSED;
}

int
ica_registers (EskLadder  *ladder,
               IcaCpuWork *work)
{
  return ESK_LADDER_ERROR_REFUSED;
}

int
ica_threaded (EskLadder  *ladder,
              IcaCpuWork *work)
{
  return ESK_LADDER_ERROR_REFUSED;
}

#endif
