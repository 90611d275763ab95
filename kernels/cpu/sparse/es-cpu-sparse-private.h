/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

/*
 * Products of sparse matrices on the CPU.
 *
 * A product is cut into items of like work once, when it is made, whatever the number of threads: each item is done by
 * one thread, rows that reach over two items are put together in order afterwards, so that the bytes are the same for
 * any number. What an item does is a loop of the format, in portable C, for AVX2 and for AVX-512.
 */

#include "es-cpu-sparse-internal.h"

#include "cpu/core/es-cpu-team-internal.h"
#include "sparse/es-sparse-build.h"

/* Rows of a block of diagonals, whose sums stay in the first-level cache. */
#define ESK_DIA_BLOCK 1024
/* Rows of a block of rows of one length: the lanes of SC-CSR, too. */
#define ESK_LANES 32

typedef struct _EskSparseLibrary EskSparseLibrary;

struct _EskSparseProduct
{
  EskSparseFormat format;
  EskType         type;
  size_t          rows, columns;

  EskCsr          csr;         /* of CSR and the merge path: arrays of its own */
  EskCoo          coo;
  EskDia          dia;
  EskEll          ell;
  EskScCsr        sc;
  EskVab          vab;
  EskSell         sell;
  EskMergePath    path;
  EskSparseLibrary *library;

  /* Item i has the units [from[i], from[i + 1]): rows, nonzeros, blocks or chunks, as the format has it. */
  size_t          items, *from;
  size_t          row_items, *row_from;        /* VAB: of its second step */
  void           *carry;       /* what an item has of a row that another ends; of the matrix's type */
  void           *partial;     /* VAB: sums of chunks */
};

typedef struct
{
  const EskSparseProduct *product;
  double                  alpha, beta;
  const void             *x;
  void                   *y;
} EskSparseCall;

typedef void (*EskSparseLoop) (const EskSparseCall *call, size_t item);

/* NULL: of formats without a loop (LIBRARY). */
typedef struct
{
  EskSparseLoop loop[ESK_N_SPARSE_FORMATS];
  EskSparseLoop vab_rows;
} EskSparseLoops;

/* Of float32 and float64. */
typedef struct
{
  EskSparseLoops f32, f64;
} EskCpuSparse;

extern const EskCpuSparse esk_cpu_sparse_portable;
/* NULL where the program has been built for another processor. */
extern const EskCpuSparse * const esk_cpu_sparse_avx2;
extern const EskCpuSparse * const esk_cpu_sparse_avx512;

int  esk_cpu_sparse_new  (EskStream *stream, const EskCsr *matrix, EskSparseFormat format,
                          const EskSparseOptions *options, uint64_t stored_limit, EskSparseProduct **product,
                          EskSparseCost *cost);
void esk_cpu_sparse_free (EskStream *stream, EskSparseProduct *product);

/* ---- the library beside: librsb, opened when it is first asked for ---- */

/* "librsb 1.3.0"; NULL: it is not there. */
const char *esk_sparse_library_name (void);
/* variant 1: as it makes it; 0 and 2: tuned by it. */
int  esk_sparse_library_new      (const EskCsr *matrix, unsigned threads, unsigned variant, EskSparseLibrary **library,
                                  uint64_t *bytes);
void esk_sparse_library_free     (EskSparseLibrary *library);
int  esk_sparse_library_multiply (EskSparseLibrary *library, unsigned threads, double alpha, const void *x, double beta,
                                  void *y);
