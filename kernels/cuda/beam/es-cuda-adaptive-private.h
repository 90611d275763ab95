/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

/*
 * Adaptive beams (es-adaptive.h): what their files share. Complex numbers are double2; matrices are column-major, those
 * of the bins of a chunk one after another without a gap: element (i, j) of bin b at [(b * n + j) * n + i]. They are
 * Hermitian, R = sum x x', as cuBLAS and cuSOLVER take them.
 *
 * A call works on chunks of bins, and on as many of the foci of a chunk at a time as fit. Chunks are as large for the
 * same plan and the same device every time, for the libraries choose their ways by size.
 */

#include "es-adaptive.h"

#include "es-cuda-arrays-private.h"

#include <cublas_v2.h>
#include <cusolverDn.h>

/* Scratch memory of the stream. Those that the functions below use inside are theirs during a call only; contents of
 * the others stay. */
enum {
  ESK_ADAPTIVE_COLUMNS = ESK_SCRATCH_COMPACT,        /* weighted columns of a chunk */
  ESK_ADAPTIVE_MATRICES = ESK_SCRATCH_PARTIAL,       /* of a chunk */
  ESK_ADAPTIVE_STEERING = ESK_SCRATCH_QUANTISED,     /* of a chunk and some foci */
  ESK_ADAPTIVE_RIGHT = ESK_SCRATCH_BASIS,            /* right-hand sides; products */
  ESK_ADAPTIVE_POINTERS = ESK_SCRATCH_TABLES,        /* what batched routines are given */
  ESK_ADAPTIVE_WORK = ESK_SCRATCH_WORK,              /* of the libraries */
  ESK_ADAPTIVE_VECTORS = ESK_SCRATCH_IMPORT,         /* eigenvectors */
  ESK_ADAPTIVE_VALUES = ESK_SCRATCH_COMPACT_VALID    /* eigenvalues, state of an iteration */
};

/* Of a bin, in the device's memory. */
typedef struct {
  double   trace;              /* of the normalised R */
  uint32_t live;               /* elements that take part */
  uint32_t singular;           /* raised by whoever finds it so */
} EskCudaAdaptiveBin;

typedef enum { ESK_STAGE_MATRIX, ESK_STAGE_FACTOR, ESK_STAGE_SPECTRUM, ESK_N_STAGES } EskAdaptiveStage;

#define ESK_ADAPTIVE_MARKS 64
/* Numbers of a matrix of more rows do not fit in cuSOLVER's int. */
#define ESK_ADAPTIVE_MOST_ROWS 46340
/* Less scratch memory than this is not worth trying with. */
#define ESK_ADAPTIVE_LEAST_CHUNK ((size_t) 32 << 20)

struct _EskAdaptive {
  EskAdaptivePlan    plan;     /* sizes; its pointers are NULL */
  size_t             stride;   /* esk_spectra_stride (elements) */
  EskCudaArrays      arrays;   /* everything in the device's memory */
  double            *positions;
  EskCudaPoint      *foci;
  /* What has been heard: a ring, [bin][column][part][stride]; or the lower triangles of the sums w x x'. */
  float             *ring;
  double2           *sums;
  double            *power;    /* [bin][element] of R's diagonal: 0 where dead */
  EskCudaAdaptiveBin *bins;    /* [bin] */
  double            *spectrum, *music;   /* [bin][focus]: P, and the reciprocal of MUSIC's */
  double            *factors;  /* [column], oldest first: sqrt (w / sum w) */

  /* On the host. */
  size_t             used, oldest;   /* of the ring: how many, and which is the first */
  double            *weights;  /* [column] of the ring, by its places; and room for as many */
  double             total;    /* of the weights of the sums; 0: nothing heard */
  size_t             chunk_bytes;    /* scratch that a chunk should not go beyond */

  cublasHandle_t     blas;
  cusolverDnHandle_t solver;
  void              *workspace;

  cudaEvent_t        last;     /* behind what was asked for last, on whatever stream */
  cudaEvent_t        marks[ESK_ADAPTIVE_MARKS];
  EskAdaptiveStage   mark_stages[ESK_ADAPTIVE_MARKS];
  unsigned           n_marks;
  double             seconds[ESK_N_STAGES];
};

EskAdaptive *esk_cuda_adaptive_new   (EskStream *stream, const EskAdaptivePlan *plan, int *code);
void         esk_cuda_adaptive_free  (EskAdaptive *adaptive);
int          esk_cuda_adaptive_reset (EskStream *stream, EskAdaptive *adaptive);
int          esk_cuda_adaptive_add   (EskStream *stream, EskAdaptive *adaptive, const EskSpectra *spectra,
                                      size_t first_bin, double keep, double weight);
int          esk_cuda_adaptive_power (EskStream *stream, EskAdaptive *adaptive, const EskAdaptiveRun *run,
                                      EskAdaptiveReport *report);
int          esk_cuda_adaptive_state (EskStream *stream, EskAdaptive *adaptive, size_t bin, float *columns,
                                      double *weights, double *matrix, size_t *used);

/* ---- es-cuda-adaptive.cu ---- */

/* ESK_OK of a library's status; otherwise as esk_cuda_check (). */
int esk_cuda_check_blas   (EskStream *stream, cublasStatus_t status, const char *what);
int esk_cuda_check_solver (EskStream *stream, cusolverStatus_t status, const char *what);

/* The first thing of every call: the object's own order, and, where they are asked for, the libraries on this stream.
 * And the last: others wait for this. Hands `code` on. */
int esk_cuda_adaptive_begin (EskStream *stream, EskAdaptive *adaptive, bool libraries);
int esk_cuda_adaptive_end   (EskStream *stream, EskAdaptive *adaptive, int code);
/* Makes factors, power and bins of what has been heard. */
int esk_cuda_adaptive_measure (EskStream *stream, EskAdaptive *adaptive);

/* ---- es-cuda-adaptive-power.cu ---- */

/* What follows belongs to this stage. */
int esk_cuda_adaptive_stage (EskStream *stream, EskAdaptive *adaptive, EskAdaptiveStage stage);

/* So many bins make a chunk where each takes `bytes` of scratch memory: 1 .. plan.bins. */
size_t esk_cuda_adaptive_chunk (const EskAdaptive *adaptive, size_t bytes);
/* So many foci at a time, where one of them takes `bytes` (of all bins of the chunk): 1 .. plan.n_foci. */
size_t esk_cuda_adaptive_foci  (const EskAdaptive *adaptive, size_t bytes);

/* es-cuda-adaptive-factor.cu: adaptive->spectrum of CHOLESKY and WOODBURY, and bins[].singular. */
int esk_cuda_adaptive_by_factor (EskStream *stream, EskAdaptive *adaptive, const EskAdaptiveRun *run);

/* The steps of adaptive_power () which are those of an eigen-decomposition: es-cuda-adaptive-eigen.cu. The bins are
 * measured, the handles work on the stream, run is checked. To be written: adaptive->spectrum (where run->by_bin or
 * band is wanted), adaptive->music (where music_* is), run->eigenvalues, bins[].singular and the report's sweeps,
 * rotations and off. */
int esk_cuda_adaptive_by_eigen (EskStream *stream, EskAdaptive *adaptive, const EskAdaptiveRun *run,
                                EskAdaptiveReport *report);
/* The same of CHOLESKY and WOODBURY, which have written the spectrum: MUSIC and eigenvalues alone. */
int esk_cuda_adaptive_subspace (EskStream *stream, EskAdaptive *adaptive, const EskAdaptiveRun *run,
                                EskAdaptiveReport *report);

/* ---- es-cuda-adaptive-matrices.cu ---- */

/* Columns of some bins, elements x used each, oldest first, times sqrt (w / sum w): R = Y Y'. */
int esk_cuda_adaptive_columns  (EskStream *stream, EskAdaptive *adaptive, size_t first, size_t bins, double2 *columns);

typedef enum {
  ESK_MATRIX_LOWER,            /* the lower triangle is enough; the rest is undefined */
  ESK_MATRIX_FULL
} EskMatrixPart;

/* Normalised R + delta I of some bins; elements x elements each. A dead element has a row and a column of zeros, and on
 * the diagonal delta, or, where `regular`, 1: as has every element of silence. From columns it takes
 * ESK_ADAPTIVE_COLUMNS, `used` complex numbers an element and bin. */
int esk_cuda_adaptive_matrices (EskStream *stream, EskAdaptive *adaptive, size_t first, size_t bins, double loading,
                                bool regular, EskMatrixPart part, double2 *matrices);
/* Of columns that esk_cuda_adaptive_columns () brought: Y'Y + delta I, used x used each, where delta is that of R.
 * regular: 1 on the diagonal of silence. */
int esk_cuda_adaptive_gram     (EskStream *stream, EskAdaptive *adaptive, size_t first, size_t bins, double loading,
                                bool regular, EskMatrixPart part, const double2 *columns, double2 *gram);

/* sums = keep sums + weight sum x x' of the snapshots of the spectra. */
int esk_cuda_adaptive_accumulate (EskStream *stream, EskAdaptive *adaptive, const EskSpectra *spectra,
                                  size_t first_bin, double keep, double weight);
/* power and bins of what has been heard; `factors` are there. */
int esk_cuda_adaptive_prepare  (EskStream *stream, EskAdaptive *adaptive);

/* Bytes of scratch that one bin takes for its columns. */
static inline size_t
esk_cuda_adaptive_column_bytes (const EskAdaptive *adaptive)
{
  return adaptive->used * adaptive->plan.elements * sizeof (double2);
}

/* ---- es-cuda-adaptive-spectrum.cu ---- */

/* a of some bins and foci: elements x foci each, element e of focus f of bin b at [(b * foci + f) * elements + e];
 * 0 where the element is dead. */
int esk_cuda_adaptive_steering (EskStream *stream, EskAdaptive *adaptive, size_t first, size_t bins,
                                size_t first_focus, size_t foci, double2 *steering);

/* Float32 of adaptive->spectrum, or of 1 / adaptive->music; by_bin and band nullable. Silence is 0, and 1 of MUSIC,
 * whatever stands there. */
int esk_cuda_adaptive_write    (EskStream *stream, EskAdaptive *adaptive, bool music, float *by_bin, float *band);
