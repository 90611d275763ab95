/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

/*
 * Sparse matrices: what they are given as (CSR), and the arrays of each format that products are taken in
 * (sparse.md 1.0 to 1.2). Host memory; every device makes its own of them.
 */

#include "es-hotspots-stream.h"
#include "es-type.h"

#ifdef __cplusplus
extern "C" {
#endif

/*
 * rows x columns, fewer than 2^31 of either and of nonzeros. Row i is value[row_from[i] ... row_from[i + 1] - 1] in the
 * columns of the same places, which ascend and are not repeated; a stored 0 counts as a nonzero. type: ESK_F32 or
 * ESK_F64, of `value` and of vectors.
 */
typedef struct {
  size_t         rows, columns;
  EskType        type;
  const int32_t *row_from;     /* rows + 1, the first 0 */
  const int32_t *column;
  const void    *value;
} EskCsr;

static inline size_t
esk_csr_n_nonzeros (const EskCsr *matrix)
{
  return (size_t) matrix->row_from[matrix->rows];
}

typedef enum {
  ESK_SPARSE_COO,              /* triplets by rows */
  ESK_SPARSE_DIA,              /* diagonals */
  ESK_SPARSE_ELL,              /* rows padded to the longest, by columns */
  ESK_SPARSE_CSR_SCALAR,       /* a thread a row */
  ESK_SPARSE_CSR_VECTOR,       /* a warp, or a vector of the processor, a row */
  ESK_SPARSE_SC_CSR,           /* segments of rows of like length, merged (sparse.md 1.1) */
  ESK_SPARSE_VAB,              /* vertical aligned blocks of four (sparse.md 1.2) */
  ESK_SPARSE_MERGE,            /* CSR cut into equal paths through rows and nonzeros (Merrill and Garland 2016) */
  ESK_SPARSE_SELL,             /* SELL-C-sigma (Kreutzer and others 2014) */
  ESK_SPARSE_LIBRARY,          /* what a library makes of it: cuSPARSE on cards, one told by its name on processors */
  ESK_N_SPARSE_FORMATS
} EskSparseFormat;

/* What is 0 is chosen by the device, or is the published value. */
typedef struct {
  unsigned chunk, sigma;       /* SELL: rows of a chunk; rows that are sorted together */
  unsigned block;              /* VAB: threads of a block, a multiple of 64 */
  int      full_warps;         /* SC-CSR: N_w of formula 2.1; -1: by the device; 0: no segment is handed on */
  unsigned cuts[3], merged[4]; /* SC-CSR: where segments begin (8, 16, 32), rows merged in each (32, 16, 8, 4) */
  bool     texture;            /* VAB on a card: partial sums read through the texture path (else the read-only one) */
  /* LIBRARY: which of its algorithms, from 1 on; 0: its best. CSR_VECTOR on a card: 1: lanes of a warp a row; 0: tiles
   * of rows, whose nonzeros a block reads side by side. */
  unsigned variant;
} EskSparseOptions;

/* What preparing made. bytes: of all arrays that one product reads, without vectors. */
typedef struct {
  uint64_t bytes, stored;      /* stored: values with their padding */
  uint64_t vector_bytes;       /* that a product reads and writes at least: x once, y, what lies between two kernels */
  double   build_ms;           /* on the host, sorting and filling */
  double   upload_ms;          /* to the device */
  unsigned launches;           /* kernels of one product */
} EskSparseCost;

#ifdef __cplusplus
}
#endif
