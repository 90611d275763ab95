/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

/*
 * Projection: what its files share.
 *
 * out[r][p] = sum over b of basis[r][b] * (x[b][p] - centre[b]), plus constants[r]. The centre is what can be
 * subtracted from a sample without an error worth mentioning: the mean rounded to an integer for 8- and 16-bit samples
 * (exact), and to float32 for float32. What the rounding has left out is the constant, -sum basis * (mean - centre) in
 * float64. No cancellation is lost then, and each pixel's result depends on nothing but the pixel.
 */

#include "es-cuda-cube-internal.h"

/* Components come in tiles of this many, the columns of one matrix instruction. */
#define ESK_PROJECT_TILE 8

/* How samples become operands of the matrix instructions. */
typedef enum {
  ESK_PROJECT_BYTE,            /* 8 bits: as they are */
  ESK_PROJECT_WORD,            /* 16 bits: two bytes */
  ESK_PROJECT_FLOAT            /* float32: x - centre is the sum of two TF32 numbers, but for the last bits */
} EskProjectKind;

/* All pointers are the device's. */
typedef struct {
  const void    *data;
  EskType        type;         /* ESK_U8, I8, U16, I16 or F32 */
  size_t         n_pixels, n_bands, band_stride;
  const uint8_t *valid;        /* NULL: all */
  size_t         n_rows;
  const float   *basis;        /* n_rows x n_bands */
  const float   *centres;      /* n_bands; 0 where no mean is removed */
  const float   *constants;    /* n_rows */
  float         *out;
  size_t         plane_stride;

  /* Of the matrix instructions only. */
  const void    *operands;     /* the basis, as the threads of a warp take it */
  const void    *offsets;      /* the centres, likewise; float32 only */
  const void    *endings;      /* what is done to a component's sums in the end */
} EskProjection;

/* es-cuda-project-simt.cu: plain arithmetic in float32, for every card. */
int    esk_cuda_project_simt          (EskStream *stream, const EskProjection *projection);

/* es-cuda-project-tensor.cu: bytes of operands, offsets and endings together; 0 where the card lacks the instructions
 * or the shared memory, or where integer sums could overflow. */
size_t esk_cuda_project_tensor_bytes  (const EskStream *stream, EskType type, size_t n_rows, size_t n_bands);
/* Fills that memory and points the projection to it; basis, centres, constants and sizes are there already. */
int    esk_cuda_project_tensor_tables (EskStream *stream, EskProjection *projection, void *memory);
int    esk_cuda_project_tensor        (EskStream *stream, const EskProjection *projection);
