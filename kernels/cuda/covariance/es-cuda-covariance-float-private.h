/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

/*
 * Covariance sums of float32 planes: what the launcher and its two engines share.
 *
 * A sample becomes y = (x - centre) * 2^k with one rounding, centre and k a band's own, so that neither a product nor a
 * half precision piece of it overflows or loses digits. An engine splits the pixels among blocks, each of which leaves
 * float64 partial sums in a slot of its own; they are added in the order of the slots, so that the totals are the same
 * bytes every time.
 */

#include "es-cuda-covariance-internal.h"

typedef enum {
  ESK_FLOAT_SIMT,              /* float32 arithmetic, pairs of blocks of 64 bands: any card */
  ESK_FLOAT_WHOLE,             /* matrix instructions (8.0 and later); all bands in one block, up to 7 x 32 */
  ESK_FLOAT_PAIRS              /* matrix instructions; pairs of blocks of 128 bands */
} EskFloatEngine;

typedef struct {
  EskFloatEngine engine;
  unsigned       n_blocks;     /* of bands: of 64, 32 or 128 */
  unsigned       n_groups;     /* WHOLE: runs of pixels that a thread block works on beside each other */
  unsigned       n_columns;    /* of 32 bands that a warp multiplies its 32 rows with */
  unsigned       n_tasks;      /* pairs of blocks; 1 for WHOLE */
  unsigned       n_splits;     /* thread blocks a task */
  unsigned       n_slots;      /* partial sums a task: n_splits * n_groups */
  unsigned       n_elements;   /* of a slot */
  unsigned       sum_stride;   /* n_bands rounded up */
} EskFloatPlan;

typedef struct {
  const float   *data;         /* 16-byte aligned, as are the bands */
  size_t         stride;
  size_t         n_pixels;     /* a multiple of 4 */
  unsigned       n_bands;
  const uint8_t *valid;        /* 4-byte aligned; NULL: all */
  const double  *shift;        /* device; NULL: subtracted already */
} EskFloatPlanes;

/* In device memory. */
typedef struct {
  unsigned           *overflow;     /* [1] a scale was too large: partial sums are not finite */
  unsigned long long *count;        /* [1] valid pixels */
  float              *centre;       /* [n_bands] near the mean */
  unsigned           *range;        /* [n_bands] bits of the largest |x - centre| seen */
  unsigned           *exact;        /* [n_bands] of all pixels? 0: no; 1: yes; 2: yes, for a sample told nothing */
  double             *sum;          /* [n_bands] */
  double             *product;      /* [n_bands][n_bands], lower triangle */
  double             *partial;      /* [n_tasks][n_slots][n_elements], of y */
  double             *partial_sum;  /* [n_slots][sum_stride], of y */
} EskFloatTables;

#define ESK_FLOAT_SIMT_BLOCK 64
#define ESK_FLOAT_PAIR_BLOCK 128
#define ESK_FLOAT_WHOLE_BANDS 224

/* Binary exponent k of a band's scale. `again`: the ranges are those of all pixels. |y| < 2^15 then; a sample leaves
 * room for what is up to 64 times larger. */
static __device__ inline int
esk_float_exponent (const EskFloatTables *tables,
                    unsigned              band,
                    bool                  again)
{
  unsigned bits = tables->range[band];
  int target = again || tables->exact[band] ? 14 : 9;
  int exponent = target - ((int) (bits >> 23) - 127);

  return bits == 0 ? 0 : exponent < -126 ? -126 : exponent > 126 ? 126 : exponent;
}

static __device__ inline float
esk_float_scale (int exponent)
{
  return __int_as_float ((exponent + 127) << 23);
}

/* Rows and columns of the lower triangle's pairs, row after row. */
static __device__ inline void
esk_float_pair (unsigned  task,
                unsigned *row,
                unsigned *column)
{
  unsigned r = (unsigned) ((sqrt (8.0 * task + 1.0) - 1.0) / 2.0);

  while (r * (r + 1) / 2 > task)
    r--;
  while ((r + 1) * (r + 2) / 2 <= task)
    r++;
  *row = r;
  *column = task - r * (r + 1) / 2;
}

/* Where the four values that a lane has of a 16 x 8 product are in a slot: + 128 for the second 16 rows, + 64 for the
 * rows 8 further, + 1 for the next column. */
static __device__ inline unsigned
esk_float_element (unsigned n_columns,
                   unsigned row_block,
                   unsigned step,
                   unsigned lane)
{
  return (row_block * n_columns * 4 + step) * 256 + lane * 2;
}

/* Launch an engine. `again`: only where tables->overflow, with ranges of all pixels. */
int  esk_float_simt   (EskStream *stream, const EskFloatPlanes *planes, const EskFloatPlan *plan,
                       const EskFloatTables *tables, bool again);
int  esk_float_tensor (EskStream *stream, const EskFloatPlanes *planes, const EskFloatPlan *plan,
                       const EskFloatTables *tables, bool again);
/* Fills a plan; tensor: false where the card has too little shared memory for so many bands. */
void esk_float_plan_simt   (const EskCudaProperties *properties, size_t n_pixels, unsigned n_bands,
                            EskFloatPlan *plan);
bool esk_float_plan_tensor (const EskCudaProperties *properties, size_t n_pixels, unsigned n_bands,
                            EskFloatPlan *plan);
