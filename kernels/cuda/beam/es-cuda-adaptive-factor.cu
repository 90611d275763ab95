/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * Adaptive beams by a Cholesky factor of the loaded matrices: |L^-1 a|^2 of the cross-spectral matrix itself, or, of
 * the Gram matrix of its columns, delta / (B - |L^-1 Y'a|^2). Batched over the bins of a chunk.
 */

#include "es-cuda-adaptive-private.h"
#include "cuda/core/es-cuda-samples-internal.h"

#include <float.h>

/* ---- factors ---- */

/* Where the matrices, and the right-hand sides, of the bins begin. */
static __global__ void
list_bins (double2  *matrices,
           size_t    matrix_stride,
           double2  *right,
           size_t    right_stride,
           unsigned  n,
           double2 **lists)
{
  const unsigned b = blockIdx.x * 128 + threadIdx.x;

  if (b < n)
    {
      lists[b] = matrices + b * matrix_stride;
      lists[n + b] = right + b * right_stride;
    }
}

/* A pivot that is no more than rounding of what stood on the diagonal, which is the sum of the squares of its row of L.
 * Threads are rows, so that they read along the columns. rank: what the matrix has at most. */
static __global__ void
__launch_bounds__ (256)
check_pivots (const double2      *factors,
              size_t              n,
              size_t              rank,
              const int          *info,
              EskCudaAdaptiveBin *bins)
{
  const double2 *factor = factors + (size_t) blockIdx.y * n * n;
  const size_t i = (size_t) blockIdx.x * 256 + threadIdx.x;
  const double rounding = (double) (n > 16 ? n : 16) * DBL_EPSILON;
  double sum = 0.0, pivot;

  if (i >= n)
    return;
  for (size_t j = 0; j < i; j++)
    {
      const double2 x = factor[j * n + i];

      sum += x.x * x.x + x.y * x.y;
    }
  pivot = factor[i * n + i].x * factor[i * n + i].x;
  if (info[blockIdx.y] != 0 || bins[blockIdx.y].live > rank || !(pivot > rounding * (sum + pivot)))
    bins[blockIdx.y].singular = 1;
}

/* lab: azimuth-production */
/* Factors of the loaded matrices of some bins, n x n each, in their place. `lists` has room for two pointers and a
 * number of each bin. */
static int
factorise (EskStream          *stream,
           EskAdaptive        *adaptive,
           size_t              n,
           size_t              rank,
           size_t              bins,
           double2            *matrices,
           double2           **lists,
           EskCudaAdaptiveBin *state)
{
  int *info = (int *) (lists + 2 * bins);
  int code = esk_cuda_check_solver (stream,
                                    cusolverDnZpotrfBatched (adaptive->solver, CUBLAS_FILL_MODE_LOWER, (int) n, lists,
                                                             (int) n, info, (int) bins),
                                    "factors of adaptive beams");

  if (code != ESK_OK)
    return code;
  check_pivots<<<dim3 ((unsigned) esk_cuda_ceil_div (n, 256), (unsigned) bins), 256, 0, stream->stream>>>
    (matrices, n, rank, info, state);

  return esk_cuda_launched (stream, "factors of adaptive beams");
}
/* lab end */

/* ---- spectra ---- */

/* lab: azimuth-production */
/* P of a warp's right-hand side: 1 / |z|^2, or, of the Gram matrix, delta / (B - |z|^2). */
static __global__ void
__launch_bounds__ (128)
sum_solutions (const double2            *right,
               size_t                    n,
               size_t                    foci,
               const EskCudaAdaptiveBin *bins,
               double                    loading,
               bool                      gram,
               size_t                    first_focus,
               size_t                    n_foci,
               double                   *spectrum)
{
  const unsigned lane = threadIdx.x % 32;
  const size_t f = (size_t) blockIdx.x * 4 + threadIdx.x / 32, b = blockIdx.y;
  double sum = 0.0;

  if (f >= foci)
    return;
  for (size_t i = lane; i < n; i += 32)
    {
      const double2 z = right[(b * foci + f) * n + i];

      sum += z.x * z.x + z.y * z.y;
    }
#pragma unroll
  for (unsigned step = 16; step > 0; step /= 2)
    sum += __shfl_xor_sync (0xffffffffu, sum, step);
  if (lane == 0)
    {
      const EskCudaAdaptiveBin bin = bins[b];
      double power = 0.0;

      if (bin.live > 0)
        power = gram ? loading * bin.trace / (double) bin.live / ((double) bin.live - sum) : 1.0 / sum;
      spectrum[b * n_foci + first_focus + f] = power;
    }
}

/* Solves with the factors and sums up. */
static int
solve (EskStream    *stream,
       EskAdaptive  *adaptive,
       size_t        n,
       size_t        first,
       size_t        bins,
       double2     **lists,
       const double2 *right,
       size_t        first_focus,
       size_t        foci,
       double        loading,
       bool          gram)
{
  const cuDoubleComplex one = make_cuDoubleComplex (1.0, 0.0);
  int code = esk_cuda_check_blas (stream,
                                  cublasZtrsmBatched (adaptive->blas, CUBLAS_SIDE_LEFT, CUBLAS_FILL_MODE_LOWER,
                                                      CUBLAS_OP_N, CUBLAS_DIAG_NON_UNIT, (int) n, (int) foci, &one,
                                                      lists, (int) n, lists + bins, (int) n, (int) bins),
                                  "solutions of adaptive beams");

  if (code != ESK_OK)
    return code;
  sum_solutions<<<dim3 ((unsigned) esk_cuda_ceil_div (foci, 4), (unsigned) bins), 128, 0, stream->stream>>>
    (right, n, foci, adaptive->bins + first, loading, gram, first_focus, adaptive->plan.n_foci,
     adaptive->spectrum + first * adaptive->plan.n_foci);

  return esk_cuda_launched (stream, "powers of adaptive beams");
}
/* lab end */

typedef struct {
  size_t    n;                 /* size of the matrices */
  size_t    chunk, foci;       /* at a time */
  bool      gram;
  double2  *columns, *matrices, *steering, *right;
  double2 **lists;
} Memory;

static int
allocate (EskStream         *stream,
          const EskAdaptive *adaptive,
          Memory            *memory)
{
  const size_t elements = adaptive->plan.elements, n = memory->n;
  const size_t columns = adaptive->ring != NULL ? esk_cuda_adaptive_column_bytes (adaptive) : 0;

  memory->chunk = esk_cuda_adaptive_chunk (adaptive, columns + n * n * sizeof (double2));
  memory->foci = esk_cuda_adaptive_foci (adaptive, memory->chunk * elements * sizeof (double2));
  memory->matrices = (double2 *) esk_cuda_scratch (stream, (EskScratchUse) ESK_ADAPTIVE_MATRICES,
                                                   memory->chunk * n * n * sizeof (double2));
  if (memory->matrices != NULL)
    memory->steering = (double2 *) esk_cuda_scratch (stream, (EskScratchUse) ESK_ADAPTIVE_STEERING,
                                                     memory->chunk * memory->foci * elements * sizeof (double2));
  memory->right = memory->steering;
  if (memory->gram && memory->steering != NULL)
    {
      memory->columns = (double2 *) esk_cuda_scratch (stream, (EskScratchUse) ESK_ADAPTIVE_COLUMNS,
                                                      memory->chunk * columns);
      memory->right = (double2 *) esk_cuda_scratch (stream, (EskScratchUse) ESK_ADAPTIVE_RIGHT,
                                                    memory->chunk * memory->foci * n * sizeof (double2));
      if (memory->columns == NULL)
        return ESK_ERROR_MEMORY;
    }
  if (memory->right != NULL)
    memory->lists = (double2 **) esk_cuda_scratch (stream, (EskScratchUse) ESK_ADAPTIVE_POINTERS,
                                                   memory->chunk * (2 * sizeof (double2 *) + sizeof (int)));

  return memory->lists != NULL ? ESK_OK : ESK_ERROR_MEMORY;
}

/* Right-hand sides of some foci: the steering vectors themselves, or Y'a. */
static int
make_right (EskStream    *stream,
            EskAdaptive  *adaptive,
            const Memory *memory,
            size_t        first,
            size_t        bins,
            size_t        first_focus,
            size_t        foci)
{
  const size_t elements = adaptive->plan.elements;
  const cuDoubleComplex one = make_cuDoubleComplex (1.0, 0.0), zero = make_cuDoubleComplex (0.0, 0.0);
  int code = esk_cuda_adaptive_steering (stream, adaptive, first, bins, first_focus, foci, memory->steering);

  if (code == ESK_OK && memory->gram)
    code = esk_cuda_check_blas (stream,
                                cublasZgemmStridedBatched (adaptive->blas, CUBLAS_OP_C, CUBLAS_OP_N, (int) memory->n,
                                                           (int) foci, (int) elements, &one, memory->columns,
                                                           (int) elements, (long long) (elements * memory->n),
                                                           memory->steering, (int) elements,
                                                           (long long) (elements * foci), &zero, memory->right,
                                                           (int) memory->n, (long long) (memory->n * foci),
                                                           (int) bins),
                                "beams of adaptive beams");
  if (code == ESK_OK)
    {
      list_bins<<<(unsigned) esk_cuda_ceil_div (bins, 128), 128, 0, stream->stream>>>
        (memory->matrices, memory->n * memory->n, memory->right, memory->n * foci, (unsigned) bins, memory->lists);
      code = esk_cuda_launched (stream, "beams of adaptive beams");
    }

  return code;
}

int
esk_cuda_adaptive_by_factor (EskStream            *stream,
                             EskAdaptive          *adaptive,
                             const EskAdaptiveRun *run)
{
  /* So few snapshots cannot do without a loading, whatever rounding makes of them. */
  const bool full = run->loading > 0.0 || adaptive->ring == NULL;
  const size_t rank = full ? adaptive->plan.elements : adaptive->used;
  Memory memory = { 0 };
  int code;

  memory.gram = run->method == ESK_ADAPTIVE_WOODBURY;
  memory.n = memory.gram ? adaptive->used : adaptive->plan.elements;
  code = allocate (stream, adaptive, &memory);

  for (size_t first = 0; first < adaptive->plan.bins && code == ESK_OK; first += memory.chunk)
    {
      const size_t bins = adaptive->plan.bins - first < memory.chunk ? adaptive->plan.bins - first : memory.chunk;

      if (esk_is_cancelled (run->cancelled))
        return ESK_ERROR_CANCELLED;
      code = esk_cuda_adaptive_stage (stream, adaptive, ESK_STAGE_MATRIX);
      if (code == ESK_OK && memory.gram)
        code = esk_cuda_adaptive_columns (stream, adaptive, first, bins, memory.columns);
      if (code == ESK_OK)
        code = memory.gram ? esk_cuda_adaptive_gram (stream, adaptive, first, bins, run->loading, true,
                                                     ESK_MATRIX_LOWER, memory.columns, memory.matrices)
                           : esk_cuda_adaptive_matrices (stream, adaptive, first, bins, run->loading, true,
                                                         ESK_MATRIX_LOWER, memory.matrices);
      if (code == ESK_OK)
        code = esk_cuda_adaptive_stage (stream, adaptive, ESK_STAGE_FACTOR);
      if (code == ESK_OK)
        {
          list_bins<<<(unsigned) esk_cuda_ceil_div (bins, 128), 128, 0, stream->stream>>>
            (memory.matrices, memory.n * memory.n, memory.right, 0, (unsigned) bins, memory.lists);
          code = factorise (stream, adaptive, memory.n, rank, bins, memory.matrices, memory.lists,
                            adaptive->bins + first);
        }
      if (code == ESK_OK)
        code = esk_cuda_adaptive_stage (stream, adaptive, ESK_STAGE_SPECTRUM);
      for (size_t focus = 0; focus < adaptive->plan.n_foci && code == ESK_OK; focus += memory.foci)
        {
          const size_t foci = adaptive->plan.n_foci - focus < memory.foci ? adaptive->plan.n_foci - focus
                                                                          : memory.foci;

          code = make_right (stream, adaptive, &memory, first, bins, focus, foci);
          if (code == ESK_OK)
            code = solve (stream, adaptive, memory.n, first, bins, memory.lists, memory.right, focus, foci,
                          run->loading, memory.gram);
        }
    }

  return code;
}
