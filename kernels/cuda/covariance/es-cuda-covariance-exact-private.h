/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

/* What the kernels of the exact covariance share (es-cuda-covariance-exact*.cu). */

#include "es-cuda-covariance-internal.h"

/*
 * Bytes of a band that one stage of a kernel's pipeline holds: 128 pixels of 8 bits, 64 of 16. What lies behind the
 * last pixel is taken as zero, which adds nothing.
 */
#define ESK_EXACT_ROW 128

/*
 * Pixels that one 32-bit accumulator takes before it goes to the 64-bit totals. Products of unsigned bytes are kept
 * modulo 2^32: 255 * 255 * 65,536 < 2^32; signed ones are within 2^14 each. In 16 bits, two products of bytes go
 * together: 2 * 255 * 255 * 32,768 < 2^32, and (128 + 128) * 255 * 32,768 < 2^31.
 */
#define ESK_EXACT_PIXELS_8 65536
#define ESK_EXACT_PIXELS_16 32768

/* Of a block. With 8 warps each may have 255 registers. */
#define ESK_EXACT_WARPS 8
#define ESK_EXACT_THREADS (32 * ESK_EXACT_WARPS)
/* Stages in flight at most. */
#define ESK_EXACT_PIPELINE 8

/* A run as the kernels take it. */
typedef struct {
  const char    *data;
  size_t         band_bytes;           /* from band to band */
  size_t         row_bytes;            /* of pixels that count, in a band */
  const uint8_t *valid;
  unsigned       n_bands;
  unsigned       n_stages;             /* ceil (row_bytes / ESK_EXACT_ROW) */
} EskExactRun;

/* Where the totals are. */
typedef struct {
  unsigned long long *count, *sum, *product;
} EskExactTotals;

/*
 * What pixels a block takes, and how much pipeline it has. A slice is every n_slices-th chunk of stages, so that all
 * blocks read side by side: they share pages of the memory and entries of the address translation, of which bands far
 * apart need one each.
 */
typedef struct {
  unsigned n_slices;                   /* parts of the pixels */
  unsigned chunk;                      /* stages */
  unsigned n_kinds;                    /* parts of the matrix */
  unsigned n_blocks;
  unsigned n_pipeline;                 /* stages in shared memory */
  unsigned stage_bytes;                /* rows, and the mask in the last ESK_EXACT_ROW of them */
  unsigned shared_bytes;
} EskExactPlan;

/* Stages, as many as `shared` bytes of shared memory hold with their barriers; false where that is less than two. */
bool esk_cuda_exact_pipeline (EskExactPlan *plan, size_t n_rows, size_t shared);
/* Slices such that all blocks end together: the time of the longest, with `flush` stages for each slice. */
unsigned esk_cuda_exact_slices (unsigned n_stages, unsigned n_kinds, unsigned n_blocks, unsigned flush);

/*
 * Parts of the matrix, in slabs of 16 bands and tiles of 16 x 16 products (es-cuda-covariance-exact-kinds.cu).
 *
 * A task is a warp's part. 8 bits: one square of 4 x 4 slabs, from slots row[0] and column[0] on. 16 bits: n_tiles of a
 * row and then of another one, `first` of the first, each with a column slab of its own.
 * A kind is a block's part: its tasks, and which slabs its slots hold.
 */
#define ESK_EXACT_STRIP 7
#define ESK_EXACT_SLOTS 24

typedef struct {
  uint8_t n_tiles, first;
  uint8_t sums;                        /* bits: this task adds up the bands of row[0], of row[1] */
  uint8_t unused;
  uint8_t row[2];                      /* slots */
  uint8_t column[ESK_EXACT_STRIP];
} EskExactTask;

typedef struct {
  uint16_t     n_slots, n_tasks;
  uint16_t     slab[ESK_EXACT_SLOTS];
  EskExactTask task[ESK_EXACT_WARPS];
} EskExactKind;

/* No more kinds than this; `wide`: 16 bits. */
size_t   esk_cuda_exact_most_kinds (unsigned n_bands, bool wide);
/* Fills kinds, which are zeroed, and says how many there are; none with more than n_slots, 16 to ESK_EXACT_SLOTS. */
unsigned esk_cuda_exact_pack       (EskExactKind *kinds, unsigned n_bands, bool wide, unsigned n_slots);

/* The engines. Each adds a run to the totals on the stream; ESK_OK or a code. */
int esk_cuda_exact_dp4a     (EskStream *stream, const EskExactRun *run, EskType type, EskExactTotals totals);
/* From compute capability 8.0 on: any number of bands. */
int esk_cuda_exact_tiles    (EskStream *stream, const EskExactRun *run, EskType type, EskExactTotals totals);
/* From compute capability 8.0 on: 8-bit types, at most 256 bands. */
int esk_cuda_exact_triangle (EskStream *stream, const EskExactRun *run, EskType type, EskExactTotals totals);
#define ESK_EXACT_TRIANGLE_BANDS 256
/* Compute capability 9.0: 16-bit types; whether they are the way for this run, and those themselves. */
bool esk_cuda_exact_groups_suit (EskStream *stream, const EskExactRun *run, EskType type);
int  esk_cuda_exact_groups      (EskStream *stream, const EskExactRun *run, EskType type, EskExactTotals totals);
