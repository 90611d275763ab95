/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

/*
 * Products of sparse matrices: what the formats share. A format is two functions: one brings a matrix to the device,
 * one launches the product. Sums are taken in an order that the matrix alone decides, and no number is added to by two
 * threads at once: the same bytes every time.
 */

#include "es-cuda-sparse-internal.h"

#include "cuda/core/es-cuda-internal.h"

#define ESK_SPARSE_MOST_ARRAYS 24
/* Offsets of diagonals that go along with a launch. */
#define ESK_SPARSE_ALONG 36

/* Nonzeros from .. to - 1 of n_rows whole rows from `row` on, few enough for the shared memory of a block; n_rows 0: a
 * piece of a row too long for that, whose sum is number `row` of the pieces. Bit 30 of n_rows: a row among them is long
 * (es-cuda-sparse-tiles.cu). */
typedef struct {
  int32_t  row, n_rows;
  uint32_t from, to;
} EskSparseTile;

/* A row in pieces. */
typedef struct {
  int32_t row, first_piece, n_pieces, unused;
} EskSparseLongRow;

/* Everything that a format may have; pointers are the device's. */
struct _EskSparseProduct {
  EskSparseFormat format;
  EskType         type;
  size_t          rows, columns, n_nonzeros;
  EskSparseCost   cost;

  int             index;                       /* of the device, as EskStream has it */
  void           *memory[ESK_SPARSE_MOST_ARRAYS];
  size_t          n_arrays;

  const void     *value;
  const int32_t  *column;                      /* of value; negative: padding */
  const int32_t  *row_from;
  const int32_t  *row;                         /* COO: of value; SELL, SC-CSR: which row a place is */
  const int32_t  *offset;                      /* DIA */
  int32_t         along[ESK_SPARSE_ALONG];     /* the first of them, on the host */
  size_t          width, height;               /* ELL, DIA: numbers of a row; distance of two numbers of a row */

  /* Tiles; paths of MERGE and COO: a carry is what the last row of a path has so far. */
  size_t          n_tiles, n_long;
  const EskSparseTile    *tile;
  const EskSparseLongRow *long_row;
  const int32_t  *path_row;
  void           *carry;
  unsigned        lanes;                       /* CSR_VECTOR: of a row; 0: tiles */

  /* SELL: rows of a chunk, where chunks begin; SC-CSR: where merged rows begin; VAB: threads of a block, blocks. */
  const int64_t  *chunk_from;
  unsigned        chunk, block;
  size_t          n_blocks;
  struct {
    size_t   first_row, end_row, first_merged, n_merged;
    unsigned merged;
  }               segment[4];
  unsigned        n_segments;
  cudaTextureObject_t texture;

  void           *library;                     /* es-cuda-sparse-library.cu; on the host */
};

/* How a format is prepared; adds to product->cost what it makes. */
typedef struct {
  EskStream              *stream;
  const EskCsr           *matrix;
  EskSparseOptions        options;             /* full_warps is negative for SC-CSR alone */
  uint64_t                stored_limit;        /* never 0 */
  EskSparseProduct       *product;
} EskSparseMaking;

/* A product that is asked for. behind: what follows it in its launch; NULL: nothing. */
typedef struct {
  EskStream              *stream;
  const EskSparseProduct *product;
  double                  alpha, beta;
  const void             *x;
  void                   *y;
  const EskSparseBehind  *behind;
} EskSparseCall;

/* Milliseconds, for the cost. */
double esk_cuda_sparse_now (void);

/*
 * Memory of the device that goes with the product, with room for 64 bytes behind it, zero, that vectors may read: a
 * copy of `from`, or undefined where that is NULL. count numbers of `bytes` each. NULL: *code says why. What is copied
 * counts as read by a product.
 */
void *esk_cuda_sparse_array (EskSparseMaking *making, const void *from, size_t count, size_t bytes, int *code);

/* y = beta y. */
int esk_cuda_sparse_scale (const EskSparseCall *call);
/* y[path_row[p]] += alpha carry[p], for all p < n_tiles. */
int esk_cuda_sparse_add_carries (const EskSparseCall *call);
/* Row offsets, columns and values as they are. */
int esk_cuda_sparse_make_csr (EskSparseMaking *making);

/* The formats. */
int esk_cuda_sparse_make_rows      (EskSparseMaking *making);
int esk_cuda_sparse_multiply_rows  (const EskSparseCall *call);
int esk_cuda_sparse_make_tiles     (EskSparseMaking *making);
int esk_cuda_sparse_multiply_tiles (const EskSparseCall *call);
int esk_cuda_sparse_make_merge     (EskSparseMaking *making);
int esk_cuda_sparse_multiply_merge (const EskSparseCall *call);
int esk_cuda_sparse_make_coo       (EskSparseMaking *making);
int esk_cuda_sparse_multiply_coo   (const EskSparseCall *call);
int esk_cuda_sparse_make_dia       (EskSparseMaking *making);
int esk_cuda_sparse_multiply_dia   (const EskSparseCall *call);
int esk_cuda_sparse_make_ell       (EskSparseMaking *making);
int esk_cuda_sparse_multiply_ell   (const EskSparseCall *call);
int esk_cuda_sparse_make_sell      (EskSparseMaking *making);
int esk_cuda_sparse_multiply_sell  (const EskSparseCall *call);
int esk_cuda_sparse_make_sc_csr    (EskSparseMaking *making);
int esk_cuda_sparse_multiply_sc_csr (const EskSparseCall *call);
int esk_cuda_sparse_make_vab       (EskSparseMaking *making);
int esk_cuda_sparse_multiply_vab   (const EskSparseCall *call);
int esk_cuda_sparse_make_library   (EskSparseMaking *making);
int esk_cuda_sparse_multiply_library (const EskSparseCall *call);
void esk_cuda_sparse_free_library  (EskSparseProduct *product);

/* The hot spots, as in EskSparseHotspots. */
int  esk_cuda_sparse_product_new  (EskStream *stream, const EskCsr *matrix, EskSparseFormat format,
                                   const EskSparseOptions *options, uint64_t stored_limit,
                                   EskSparseProduct **product, EskSparseCost *cost);
void esk_cuda_sparse_product_free (EskStream *stream, EskSparseProduct *product);
const char *esk_cuda_sparse_library (EskStream *stream);

/* Calls function<T> (...) for the type of the product. */
#define ESK_SPARSE_BY_TYPE(type, code, function, ...)                                                         \
  switch (type)                                                                                               \
    {                                                                                                         \
    case ESK_F32: (code) = function<float> (__VA_ARGS__); break;                                              \
    case ESK_F64: (code) = function<double> (__VA_ARGS__); break;                                             \
    default: (code) = ESK_ERROR_ARGUMENT; break;                                                              \
    }
