/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * Adaptive beams by eigenpairs, of cuSOLVER or of the rotations of es-cuda-adaptive-jacobi.cu: P = 1 / sum |v'a|^2 / d,
 * MUSIC and eigenvalues. Vectors are made where they are needed, and rotations go into the steering vectors at once
 * where these are fewer. Where there are fewer columns than elements, the eigenpairs of the Gram matrix are those of R.
 */

#include "es-cuda-adaptive-eigen-private.h"
#include "cuda/core/es-cuda-samples-internal.h"

#include <stdlib.h>

#define MOST_SWEEPS 40
/* Fewer matrices are solved one by one. */
#define LEAST_BATCH 3

#define HAS_BATCHED (CUSOLVER_VERSION >= 11701)

/* ---- cuSOLVER ---- */

typedef struct {
  cusolverDnParams_t parameters;
  size_t             n, bins;
  bool               vectors, batched;
  size_t             device_bytes, host_bytes;
  void              *host;
  int               *info;     /* bins of them, in the device's memory */
} Solver;

static int
solver_sizes (EskStream   *stream,
              EskAdaptive *adaptive,
              Solver      *solver)
{
  const cusolverEigMode_t mode = solver->vectors ? CUSOLVER_EIG_MODE_VECTOR : CUSOLVER_EIG_MODE_NOVECTOR;
  /* Not looked at, but not to be NULL. */
  const void *any = adaptive->spectrum;
  cusolverStatus_t status;

#if HAS_BATCHED
  if (solver->batched)
    status = cusolverDnXsyevBatched_bufferSize (adaptive->solver, solver->parameters, mode, CUBLAS_FILL_MODE_LOWER,
                                                (int64_t) solver->n, CUDA_C_64F, any, (int64_t) solver->n, CUDA_R_64F,
                                                any, CUDA_C_64F, &solver->device_bytes, &solver->host_bytes,
                                                (int64_t) solver->bins);
  else
#endif
    status = cusolverDnXsyevd_bufferSize (adaptive->solver, solver->parameters, mode, CUBLAS_FILL_MODE_LOWER,
                                          (int64_t) solver->n, CUDA_C_64F, any, (int64_t) solver->n, CUDA_R_64F, any,
                                          CUDA_C_64F, &solver->device_bytes, &solver->host_bytes);

  return esk_cuda_check_solver (stream, status, "eigenproblems of adaptive beams");
}

/* Matrices become eigenvectors, if those are wanted. Values ascend. The workspace is that of as many bins or more. */
static int
solver_run (EskStream   *stream,
            EskAdaptive *adaptive,
            Solver      *solver,
            size_t       bins,
            double2     *matrices,
            double      *values,
            void        *work)
{
  const cusolverEigMode_t mode = solver->vectors ? CUSOLVER_EIG_MODE_VECTOR : CUSOLVER_EIG_MODE_NOVECTOR;
  const size_t n = solver->n;
  int code = ESK_OK;

#if HAS_BATCHED
  if (solver->batched)
    return esk_cuda_check_solver (stream,
                                  cusolverDnXsyevBatched (adaptive->solver, solver->parameters, mode,
                                                          CUBLAS_FILL_MODE_LOWER, (int64_t) n, CUDA_C_64F, matrices,
                                                          (int64_t) n, CUDA_R_64F, values, CUDA_C_64F, work,
                                                          solver->device_bytes, solver->host, solver->host_bytes,
                                                          solver->info, (int64_t) bins),
                                  "eigenproblems of adaptive beams");
#endif
  for (size_t b = 0; b < bins && code == ESK_OK; b++)
    code = esk_cuda_check_solver (stream,
                                  cusolverDnXsyevd (adaptive->solver, solver->parameters, mode, CUBLAS_FILL_MODE_LOWER,
                                                    (int64_t) n, CUDA_C_64F, matrices + b * n * n, (int64_t) n,
                                                    CUDA_R_64F, values + b * n, CUDA_C_64F, work, solver->device_bytes,
                                                    solver->host, solver->host_bytes, solver->info + b),
                                  "eigenproblems of adaptive beams");

  return code;
}

/* ---- what a call needs ---- */

typedef enum {
  WAY_SOLVER,                  /* cuSOLVER, of R */
  WAY_GRAM,                    /* cuSOLVER, of the Gram matrix of the columns */
  WAY_VECTORS,                 /* rotations, which bring eigenvectors */
  WAY_CARRIED                  /* rotations, which turn the steering vectors */
} Way;

typedef struct {
  Way          way;
  size_t       n;              /* of the matrices */
  size_t       chunk, foci;    /* at a time */
  size_t       sources;
  bool         spectrum, music;
  double2     *columns, *matrices, *steering, *products, *vectors;
  void        *work;
  Solver       solver;
  EskCudaPairs pairs;
} Eigen;

static double2 *
take (EskStream *stream,
      int        use,
      size_t     numbers)
{
  return (double2 *) esk_cuda_scratch (stream, (EskScratchUse) use, numbers * sizeof (double2));
}

/* The chunk and the solver's workspace, which is the larger the more bins there are. */
static int
choose_chunk (EskStream   *stream,
              EskAdaptive *adaptive,
              Eigen       *self)
{
  const size_t n = self->n, n_foci = adaptive->plan.n_foci;
  size_t bytes = n * n * sizeof (double2) + 4 * n * sizeof (double);
  int code;

  if (adaptive->ring != NULL)
    bytes += esk_cuda_adaptive_column_bytes (adaptive);
  if (self->way == WAY_VECTORS)
    bytes += n * n * sizeof (double2);
  else if (self->way == WAY_CARRIED)
    bytes += n * n_foci * sizeof (double2);
  self->chunk = esk_cuda_adaptive_chunk (adaptive, bytes);
  if (self->way == WAY_VECTORS || self->way == WAY_CARRIED)
    return ESK_OK;

  self->solver.n = n;
  self->solver.batched = HAS_BATCHED && n > 1 && self->chunk >= LEAST_BATCH;
  for (int attempt = 0; attempt < 3; attempt++)
    {
      size_t whole;

      self->solver.bins = self->chunk;
      code = solver_sizes (stream, adaptive, &self->solver);
      if (code != ESK_OK)
        return code;
      whole = bytes + self->solver.device_bytes / (self->solver.batched ? self->chunk : 1);
      whole = esk_cuda_adaptive_chunk (adaptive, whole);
      if (whole >= self->chunk)
        return ESK_OK;
      self->chunk = whole;
    }
  self->solver.bins = self->chunk;

  return solver_sizes (stream, adaptive, &self->solver);
}

static int
allocate (EskStream   *stream,
          EskAdaptive *adaptive,
          Eigen       *self)
{
  const size_t n = self->n, elements = adaptive->plan.elements, n_foci = adaptive->plan.n_foci, chunk = self->chunk;
  const bool products = self->spectrum || self->music;
  double *values;

  self->foci = esk_cuda_adaptive_foci (adaptive, chunk * elements * sizeof (double2));
  values = (double *) esk_cuda_scratch (stream, (EskScratchUse) ESK_ADAPTIVE_VALUES,
                                        chunk * n * 4 * sizeof (double) + chunk * sizeof (int));
  if (values == NULL)
    return ESK_ERROR_MEMORY;
  self->pairs = (EskCudaPairs) { n, chunk, NULL, values, values + chunk * n, values + 2 * chunk * n,
                                 values + 3 * chunk * n };
  self->solver.info = (int *) (values + 4 * chunk * n);
  self->matrices = take (stream, ESK_ADAPTIVE_MATRICES, chunk * n * n);
  if (self->matrices == NULL)
    return ESK_ERROR_MEMORY;
  if (self->way == WAY_GRAM)
    {
      self->columns = take (stream, ESK_ADAPTIVE_COLUMNS, chunk * adaptive->used * elements);
      if (self->columns == NULL)
        return ESK_ERROR_MEMORY;
    }
  if (products)
    {
      self->steering = take (stream, ESK_ADAPTIVE_STEERING, chunk * self->foci * elements);
      if (self->steering == NULL)
        return ESK_ERROR_MEMORY;
      /* Of WAY_GRAM two products follow one another. */
      if (self->way != WAY_CARRIED)
        self->products = take (stream, ESK_ADAPTIVE_RIGHT, chunk * self->foci * n * (self->way == WAY_GRAM ? 2 : 1));
      if (self->way != WAY_CARRIED && self->products == NULL)
        return ESK_ERROR_MEMORY;
    }
  if (self->way == WAY_VECTORS || self->way == WAY_CARRIED)
    {
      const size_t width = self->way == WAY_VECTORS ? n : products ? n_foci : 0;

      self->vectors = take (stream, ESK_ADAPTIVE_VECTORS, chunk * n * (width > 0 ? width : 1));
      return self->vectors != NULL ? ESK_OK : ESK_ERROR_MEMORY;
    }
  self->work = esk_cuda_scratch (stream, (EskScratchUse) ESK_ADAPTIVE_WORK, self->solver.device_bytes + 16);
  self->solver.host = malloc (self->solver.host_bytes + 16);

  return self->work != NULL && self->solver.host != NULL ? ESK_OK : ESK_ERROR_MEMORY;
}

/* ---- the steps of a chunk ---- */

/* Steering vectors, conjugate, in rows that rotations may carry along. */
static int
carry_steering (EskStream   *stream,
                EskAdaptive *adaptive,
                Eigen       *self,
                size_t       first,
                size_t       bins)
{
  const size_t n_foci = adaptive->plan.n_foci;
  int code = ESK_OK;

  for (size_t focus = 0; focus < n_foci && code == ESK_OK; focus += self->foci)
    {
      const size_t foci = n_foci - focus < self->foci ? n_foci - focus : self->foci;

      code = esk_cuda_adaptive_steering (stream, adaptive, first, bins, focus, foci, self->steering);
      if (code == ESK_OK)
        code = esk_cuda_pairs_turn (stream, self->steering, self->n, foci, bins, self->vectors, n_foci, focus);
    }

  return code;
}

static int
make_matrices (EskStream   *stream,
               EskAdaptive *adaptive,
               Eigen       *self,
               size_t       first,
               size_t       bins)
{
  const bool full = self->way == WAY_VECTORS || self->way == WAY_CARRIED;
  int code;

  if (self->way != WAY_GRAM)
    return esk_cuda_adaptive_matrices (stream, adaptive, first, bins, 0.0, false,
                                       full ? ESK_MATRIX_FULL : ESK_MATRIX_LOWER, self->matrices);

  code = esk_cuda_adaptive_columns (stream, adaptive, first, bins, self->columns);
  if (code == ESK_OK)
    code = esk_cuda_adaptive_gram (stream, adaptive, first, bins, 0.0, false, ESK_MATRIX_LOWER, self->columns,
                                   self->matrices);

  return code;
}

static int
decompose (EskStream         *stream,
           EskAdaptive       *adaptive,
           Eigen             *self,
           size_t             first,
           size_t             bins,
           const int         *cancelled,
           EskAdaptiveReport *report)
{
  const bool products = self->spectrum || self->music;
  EskCudaJacobi call = { self->n, bins, self->matrices, self->vectors, 0, self->pairs.values, MOST_SWEEPS };
  int code = ESK_OK;

  call.cancelled = cancelled;
  if (self->way == WAY_SOLVER || self->way == WAY_GRAM)
    return solver_run (stream, adaptive, &self->solver, bins, self->matrices, self->pairs.values, self->work);

  if (self->way == WAY_VECTORS && products)
    {
      call.columns = self->n;
      code = esk_cuda_pairs_identity (stream, self->n, bins, self->vectors);
    }
  else if (products)
    {
      call.columns = adaptive->plan.n_foci;
      code = carry_steering (stream, adaptive, self, first, bins);
    }
  if (code == ESK_OK)
    code = esk_cuda_jacobi (stream, &call);
  report->sweeps = call.sweeps > report->sweeps ? call.sweeps : report->sweeps;
  report->rotations += call.rotations;
  report->off = call.off > report->off ? call.off : report->off;

  return code;
}

/* One product of two factors for each bin: out (rows x columns) = left' right, inner numbers long. */
static int
multiply (EskStream     *stream,
          EskAdaptive   *adaptive,
          size_t         rows,
          size_t         columns,
          size_t         inner,
          size_t         bins,
          const double2 *left,
          const double2 *right,
          double2       *out)
{
  const cuDoubleComplex one = make_cuDoubleComplex (1.0, 0.0), zero = make_cuDoubleComplex (0.0, 0.0);

  return esk_cuda_check_blas (stream,
                              cublasZgemmStridedBatched (adaptive->blas, CUBLAS_OP_C, CUBLAS_OP_N, (int) rows,
                                                         (int) columns, (int) inner, &one, left, (int) inner,
                                                         (long long) (inner * rows), right, (int) inner,
                                                         (long long) (inner * columns), &zero, out, (int) rows,
                                                         (long long) (rows * columns), (int) bins),
                              "products with eigenvectors");
}

static int
sum_up (EskStream   *stream,
        EskAdaptive *adaptive,
        Eigen       *self,
        size_t       first,
        size_t       bins)
{
  const size_t n = self->n, elements = adaptive->plan.elements, n_foci = adaptive->plan.n_foci;
  const double2 *eigenvectors = self->way == WAY_VECTORS ? self->vectors : self->matrices;
  EskCudaPairProducts call = { NULL, false, 0, 0, n_foci, NULL, NULL };
  int code = ESK_OK;

  if (self->spectrum)
    call.spectrum = adaptive->spectrum + first * n_foci;
  if (self->music)
    call.music = adaptive->music + first * n_foci;
  if (self->way == WAY_CARRIED)
    {
      call.products = self->vectors;
      call.by_pair = true;
      call.foci = n_foci;
      return esk_cuda_pairs_sum (stream, &self->pairs, &call);
    }

  for (size_t focus = 0; focus < n_foci && code == ESK_OK; focus += self->foci)
    {
      const size_t foci = n_foci - focus < self->foci ? n_foci - focus : self->foci;
      double2 *beams = self->products + self->chunk * self->foci * n;

      call.first_focus = focus;
      call.foci = foci;
      call.products = self->products;
      code = esk_cuda_adaptive_steering (stream, adaptive, first, bins, focus, foci, self->steering);
      if (code == ESK_OK && self->way == WAY_GRAM)
        code = multiply (stream, adaptive, n, foci, elements, bins, self->columns, self->steering, beams);
      if (code == ESK_OK)
        code = multiply (stream, adaptive, n, foci, n, bins, eigenvectors,
                         self->way == WAY_GRAM ? beams : self->steering, self->products);
      if (code == ESK_OK)
        code = esk_cuda_pairs_sum (stream, &self->pairs, &call);
    }

  return code;
}

/* What the host is to know of a chunk: eigenvalues, and whether the solver came to an end. */
static int
fetch (EskStream            *stream,
       EskAdaptive          *adaptive,
       const Eigen          *self,
       const EskAdaptiveRun *run,
       size_t                first,
       size_t                bins)
{
  const bool solver = self->way == WAY_SOLVER || self->way == WAY_GRAM;
  const size_t n = self->n, elements = adaptive->plan.elements;
  const size_t value_bytes = run->eigenvalues != NULL ? bins * n * sizeof (double) : 0;
  size_t rank = elements;
  char *room;
  int code = ESK_OK;

  if (!solver && value_bytes == 0)
    return ESK_OK;
  if (adaptive->ring != NULL && adaptive->used < rank)
    rank = adaptive->used;
  room = (char *) esk_cuda_pinned (stream, value_bytes + bins * sizeof (int));
  if (room == NULL)
    return ESK_ERROR_MEMORY;
  if (solver)
    code = esk_cuda_check (stream, cudaMemcpyAsync (room + value_bytes, self->solver.info, bins * sizeof (int),
                                                    cudaMemcpyDeviceToHost, stream->stream), "eigenvalues");
  if (code == ESK_OK && value_bytes > 0)
    code = esk_cuda_check (stream, cudaMemcpyAsync (room, self->pairs.sorted, value_bytes, cudaMemcpyDeviceToHost,
                                                    stream->stream), "eigenvalues");
  if (code == ESK_OK)
    code = esk_cuda_check (stream, cudaStreamSynchronize (stream->stream), "eigenvalues");
  for (size_t b = 0; solver && b < bins && code == ESK_OK; b++)
    if (((const int *) (room + value_bytes))[b] != 0)
      code = ESK_ERROR_NO_CONVERGENCE;
  for (size_t b = 0; value_bytes > 0 && b < bins && code == ESK_OK; b++)
    {
      double *to = run->eigenvalues + (first + b) * run->n_eigenvalues;

      for (size_t i = 0; i < run->n_eigenvalues; i++)
        to[i] = i < n && i < rank ? ((const double *) room)[b * n + i] : 0.0;
    }

  return code;
}

static int
run_chunks (EskStream            *stream,
            EskAdaptive          *adaptive,
            const EskAdaptiveRun *run,
            EskAdaptiveReport    *report,
            Eigen                *self,
            bool                  check)
{
  const double loading = check ? run->loading : 0.0;
  int code = ESK_OK;

  for (size_t first = 0; first < adaptive->plan.bins && code == ESK_OK; first += self->chunk)
    {
      const size_t bins = adaptive->plan.bins - first < self->chunk ? adaptive->plan.bins - first : self->chunk;

      if (esk_is_cancelled (run->cancelled))
        return ESK_ERROR_CANCELLED;
      self->pairs.bins = bins;
      self->pairs.state = adaptive->bins + first;
      code = esk_cuda_adaptive_stage (stream, adaptive, ESK_STAGE_MATRIX);
      if (code == ESK_OK)
        code = make_matrices (stream, adaptive, self, first, bins);
      if (code == ESK_OK)
        code = esk_cuda_adaptive_stage (stream, adaptive, ESK_STAGE_FACTOR);
      if (code == ESK_OK)
        code = decompose (stream, adaptive, self, first, bins, run->cancelled, report);
      if (code == ESK_OK)
        code = esk_cuda_adaptive_stage (stream, adaptive, ESK_STAGE_SPECTRUM);
      if (code == ESK_OK)
        code = esk_cuda_pairs_prepare (stream, &self->pairs, loading, self->sources, self->way == WAY_GRAM,
                                       check && self->spectrum ? adaptive->bins + first : NULL);
      if (code == ESK_OK && (self->spectrum || self->music))
        code = sum_up (stream, adaptive, self, first, bins);
      if (code == ESK_OK)
        code = fetch (stream, adaptive, self, run, first, bins);
    }

  return code;
}

static int
run_eigen (EskStream            *stream,
           EskAdaptive          *adaptive,
           const EskAdaptiveRun *run,
           EskAdaptiveReport    *report,
           Eigen                *self,
           bool                  check)
{
  int code;

  self->sources = run->sources;
  self->music = run->music_by_bin != NULL || run->music_band != NULL;
  self->solver.vectors = self->spectrum || self->music;
  code = esk_cuda_check_solver (stream, cusolverDnCreateParams (&self->solver.parameters), "cuSOLVER");
  if (code != ESK_OK)
    return code;
  code = choose_chunk (stream, adaptive, self);
  if (code == ESK_OK)
    code = allocate (stream, adaptive, self);
  if (code == ESK_OK)
    code = run_chunks (stream, adaptive, run, report, self, check);
  free (self->solver.host);
  cusolverDnDestroyParams (self->solver.parameters);

  return code;
}

int
esk_cuda_adaptive_by_eigen (EskStream            *stream,
                            EskAdaptive          *adaptive,
                            const EskAdaptiveRun *run,
                            EskAdaptiveReport    *report)
{
  const size_t n = adaptive->plan.elements;
  Eigen self = { WAY_SOLVER };

  self.n = n;
  self.spectrum = run->by_bin != NULL || run->band != NULL;
  if (run->method == ESK_ADAPTIVE_JACOBI)
    self.way = adaptive->plan.n_foci < n ? WAY_CARRIED : WAY_VECTORS;

  return run_eigen (stream, adaptive, run, report, &self, true);
}

int
esk_cuda_adaptive_subspace (EskStream            *stream,
                            EskAdaptive          *adaptive,
                            const EskAdaptiveRun *run,
                            EskAdaptiveReport    *report)
{
  const bool few = adaptive->ring != NULL && adaptive->used < adaptive->plan.elements;
  Eigen self = { WAY_SOLVER };

  self.n = adaptive->plan.elements;
  if (run->method == ESK_ADAPTIVE_WOODBURY || (few && run->sources <= adaptive->used))
    {
      self.way = WAY_GRAM;
      self.n = adaptive->used;
    }

  return run_eigen (stream, adaptive, run, report, &self, false);
}
