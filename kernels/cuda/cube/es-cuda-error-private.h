/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

/* Errors of a reduction: what the launcher (es-cuda-error.cu) and its two engines share. */

#include "es-cuda-cube-internal.h"

#include <stdint.h>

/* From radians. */
#define ESK_ERROR_DEGREES (180.0 / 3.14159265358979323846)

/* What a block has summed over its pixels. */
typedef struct {
  double  angle, largest;
  int64_t count;
} EskErrorPixels;

/* A launch. */
typedef struct {
  const void    *data;
  size_t         band_stride, n_pixels;
  int            n_bands, n_components;
  int            n_held;               /* components in shared memory at a time */
  const uint8_t *valid;                /* nullable */
  const float   *components;           /* planes */
  size_t         component_stride;
  const float   *backward;             /* a row a component, `columns` wide, zeros behind the bands */
  size_t         columns;              /* the bands, a multiple of WARPS * BANDS */
  const float4  *bands;                /* columns: centre, mean - centre, scale, scale * centre + offset; or zeros */
  const double  *means;                /* columns: the centres of samples that float32 does not hold */
  double         unit;                 /* what errors are in, so that their squares fit float32 */
  float         *rmse, *angle;         /* nullable */
  double        *sums;                 /* nullable: a row a block: of each column the sums of e and e^2 */
  EskErrorPixels *pixel_sums;          /* one a block */
} EskErrorWork;

/* Pixels of a tile of the engine below: components are there up to a multiple of it, whatever they are behind the last
 * pixel. */
#define ESK_ERROR_TENSOR_PIXELS 32

/*
 * es-cuda-error-tensor.cu: compute capability 8.0 and later, samples of 8 and 16 bits and float32, at most 64
 * components, and bands whose sums fit a block's shared memory.
 */
bool   esk_cuda_error_suits_tensor  (const EskStream *stream, EskType type, const EskMatrix *backward);
/* Bytes of its tables. */
size_t esk_cuda_error_tensor_bytes  (const EskMatrix *backward);
/* Fills them, on the host. mean, scale and offset of the bands; NULL: zeros, ones, zeros. */
void   esk_cuda_error_tensor_tables (const EskMatrix *backward, const double *mean, const double *scale,
                                     const double *offset, double unit, void *tables);
/* tables: on the device, aligned to 16 bytes. */
int    esk_cuda_error_tensor        (EskStream *stream, EskType type, unsigned n_blocks, const EskErrorWork *work,
                                     const void *tables);

#ifdef __CUDACC__

/* 2 n values become n: lanes `distance` apart share the sums between them. */
template <int n, int distance>
static __device__ __forceinline__ void
esk_error_share (float *values,
                 int    lane)
{
  const bool upper = (lane & distance) != 0;

#pragma unroll
  for (int k = 0; k < n; k++)
    {
      float mine = upper ? values[k + n] : values[k], other = upper ? values[k] : values[k + n];

      values[k] = mine + __shfl_xor_sync (0xffffffffu, other, distance);
    }
}

#endif
