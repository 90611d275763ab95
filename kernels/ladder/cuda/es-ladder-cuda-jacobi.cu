/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Jacobi's rotations on a card. */

#include "es-ladder-cuda-jacobi.cuh"

#include <cusolverDn.h>
#include <math.h>
#include <stdlib.h>

typedef struct {
  cusolverDnHandle_t handle;
  decltype (&cusolverDnCreate) create;
  decltype (&cusolverDnDestroy) destroy;
  decltype (&cusolverDnSetStream) set_stream;
  decltype (&cusolverDnZheevd_bufferSize) size;
  decltype (&cusolverDnZheevd) zheevd;
} Solver;

typedef struct {
  EskJacobiWork       of;
  EskArrayProduced    produced;
  double2            *matrix;          /* the card's, as the host's */
  uint2              *pairs;           /* [step][pair] */
  unsigned            n_pairs, circle;
  double2            *a, *v;           /* what is turned; the library's: a becomes the vectors */
  Rotation           *rotations;
  unsigned long long *turned;
  double             *sums;            /* of what is off the diagonal, a block each; the library's: eigenvalues */
  unsigned            threads;
  size_t              steps, sweeps;   /* of the last run */
  Solver              solver;
  cuDoubleComplex    *room;            /* the library's */
  int                 room_size, *info;
} Work;

enum { V0, V1, V2, PRODUCTION, LIBRARY, N_RUNGS };

static const EskRung rungs[N_RUNGS] = {
  { "v0", ESK_RUNG_STEP, "", NULL, NULL },
  { "v1", ESK_RUNG_STEP, "R_5", "v0", NULL },
  { "v2", ESK_RUNG_STEP, "R_5 G_3", "v1", NULL },
  { "production", ESK_RUNG_PRODUCTION, "R_5 G_3 S_6", "v2", NULL },
  { "library", ESK_RUNG_LIBRARY, "", NULL, NULL },
};

typedef void (*RowsKernel) (double2 *, unsigned, const uint2 *, const Rotation *);
typedef void (*ColumnsKernel) (double2 *, double2 *, unsigned, const uint2 *, const Rotation *);
static const RowsKernel rows_kernels[] = { jacobi_rows_v0, jacobi_rows_v1, jacobi_rows_v2 };
static const ColumnsKernel columns_kernels[] = { jacobi_columns_v0, jacobi_columns_v1, jacobi_columns_v2 };

/* Table 6.11's best. */
#define THREADS 128
#define SUM_BLOCKS 256
#define SUM_THREADS 256
/* What is asked for before the host looks up: bytes that steps may move, and steps. */
#define PIECE_BYTES 1e10
#define PIECE_STEPS 4096

/* ---- besides the rungs ---- */

static __global__ void
begin_vectors (double2 *vectors,
               unsigned n)
{
  const size_t k = (size_t) blockIdx.x * blockDim.x + threadIdx.x;

  if (k < (size_t) n * n)
    vectors[k] = make_double2 (k / n == k % n ? 1.0 : 0.0, 0.0);
}

/* Squares of what is off the diagonal. */
static __global__ void
add_off (const double2 *matrix,
         unsigned       n,
         double        *sums)
{
  __shared__ double own[SUM_THREADS];
  const size_t all = (size_t) n * n, stride = (size_t) gridDim.x * SUM_THREADS;
  double sum = 0.0;

  for (size_t k = (size_t) blockIdx.x * SUM_THREADS + threadIdx.x; k < all; k += stride)
    if (k / n != k % n)
      sum += matrix[k].x * matrix[k].x + matrix[k].y * matrix[k].y;
  own[threadIdx.x] = sum;
  __syncthreads ();
  for (unsigned half = SUM_THREADS / 2; half > 0; half /= 2)
    {
      if (threadIdx.x < half)
        own[threadIdx.x] += own[threadIdx.x + half];
      __syncthreads ();
    }
  if (threadIdx.x == 0)
    sums[blockIdx.x] = own[0];
}

static int
off_diagonal (EskLadder *ladder,
              Work      *self,
              double    *off)
{
  double sums[SUM_BLOCKS];

  add_off<<<SUM_BLOCKS, SUM_THREADS, 0, ladder_card (ladder)->stream>>> (self->a, (unsigned) self->of.n, self->sums);
  ESK_LADDER_TRY (ladder_launched (ladder, "the sum off the diagonal"));
  ESK_LADDER_TRY (ladder_download (ladder, sums, self->sums, sizeof sums));
  *off = 0.0;
  for (unsigned b = 0; b < SUM_BLOCKS; b++)
    *off += sums[b];
  *off = sqrt (*off);

  return ESK_LADDER_OK;
}

static int
open_solver (EskLadder     *ladder,
             Work          *self,
             EskRungResult *result)
{
  LadderLibrary library = ladder_library (ladder, "cusolver", result);
  Solver *solver = &self->solver;
  const int n = (int) self->of.n;
  int code;

  if (library == NULL)
    return ESK_LADDER_ERROR_REFUSED;
  solver->create = (decltype (solver->create)) ladder_symbol (library, "cusolverDnCreate");
  solver->destroy = (decltype (solver->destroy)) ladder_symbol (library, "cusolverDnDestroy");
  solver->set_stream = (decltype (solver->set_stream)) ladder_symbol (library, "cusolverDnSetStream");
  solver->size = (decltype (solver->size)) ladder_symbol (library, "cusolverDnZheevd_bufferSize");
  solver->zheevd = (decltype (solver->zheevd)) ladder_symbol (library, "cusolverDnZheevd");
  if (solver->create == NULL || solver->destroy == NULL || solver->set_stream == NULL || solver->size == NULL
      || solver->zheevd == NULL)
    return esk_ladder_refuse (result, ESK_WHY_LIBRARY, 0, 0, "cusolverDnZheevd");
  if (solver->create (&solver->handle) != CUSOLVER_STATUS_SUCCESS)
    {
      solver->handle = NULL;
      return esk_ladder_refuse (result, ESK_WHY_LIBRARY, 0, 0, "cuSOLVER");
    }
  if (solver->set_stream (solver->handle, ladder_card (ladder)->stream) != CUSOLVER_STATUS_SUCCESS
      || solver->size (solver->handle, CUSOLVER_EIG_MODE_VECTOR, CUBLAS_FILL_MODE_LOWER, n,
                       (const cuDoubleComplex *) self->a, n, self->sums, &self->room_size) != CUSOLVER_STATUS_SUCCESS)
    return esk_ladder_fail (ladder, ESK_LADDER_ERROR_DEVICE, "cusolverDnZheevd_bufferSize failed");
  self->room = (cuDoubleComplex *) ladder_more (ladder, (size_t) self->room_size * sizeof *self->room, result, &code);
  if (self->room == NULL)
    return code;
  self->info = (int *) ladder_memory (ladder, sizeof *self->info, &code);

  return code;
}

/* ---- the ladder ---- */

static void
clear (EskLadder *ladder,
       void      *work)
{
  Work *self = (Work *) work;

  ladder_free (self->matrix);
  ladder_free (self->pairs);
  esk_jacobi_work_clear (&self->of);
  free (self);
}

/* The pairs of all steps of a sweep, as sonar.md 7 has them computed beforehand. */
static int
fill_pairs (EskLadder *ladder,
            Work      *self)
{
  const size_t bytes = (size_t) self->circle * self->n_pairs * sizeof (uint2);
  uint2 *pairs = (uint2 *) malloc (bytes + sizeof (uint2));
  int code = ESK_LADDER_ERROR_MEMORY;

  if (pairs == NULL)
    return code;
  for (unsigned step = 0; step < self->circle; step++)
    esk_round_robin (self->of.n, step, (uint32_t *) (pairs + (size_t) step * self->n_pairs));
  self->pairs = (uint2 *) ladder_memory (ladder, bytes, &code);
  if (self->pairs != NULL)
    code = ladder_upload (ladder, self->pairs, pairs, bytes);
  free (pairs);

  return code;
}

static int
fill (EskLadder           *ladder,
      Work                *self,
      const EskLadderSize *size)
{
  size_t bytes;
  int code;

  ESK_LADDER_TRY (esk_jacobi_work_init (ladder, &self->of, size));
  self->n_pairs = (unsigned) (self->of.n / 2);
  self->circle = (unsigned) (self->of.n + self->of.n % 2 - 1);
  bytes = self->of.n * self->of.n * sizeof (double2);
  self->matrix = (double2 *) ladder_memory (ladder, bytes, &code);
  if (self->matrix == NULL)
    return code;
  ESK_LADDER_TRY (ladder_upload (ladder, self->matrix, self->of.matrix, bytes));

  return fill_pairs (ladder, self);
}

static int
prepare (EskLadder           *ladder,
         const EskLadderSize *size,
         void               **work)
{
  Work *self = (Work *) calloc (1, sizeof *self);
  int code;

  if (self == NULL)
    return ESK_LADDER_ERROR_MEMORY;
  code = fill (ladder, self, size);
  if (code != ESK_LADDER_OK)
    clear (ladder, self);
  else
    *work = self;
  return code;
}

static int
begin (EskLadder     *ladder,
       void          *work,
       unsigned       rung,
       EskRungResult *result)
{
  Work *self = (Work *) work;
  const size_t n = self->of.n, bytes = n * n * sizeof (double2);
  const size_t sums = (n > SUM_BLOCKS ? n : SUM_BLOCKS) * sizeof (double);
  int code;

  self->steps = self->sweeps = 0;
  if (rung == PRODUCTION)
    return esk_jacobi_produce_begin (ladder, &self->of, &self->produced, result);
  result->type = ESK_TYPE_LAB_FLOAT64;
  if ((self->a = (double2 *) ladder_more (ladder, bytes, result, &code)) == NULL
      || (self->sums = (double *) ladder_more (ladder, sums, result, &code)) == NULL)
    return code;
  if (rung == LIBRARY)
    return open_solver (ladder, self, result);
  if ((self->v = (double2 *) ladder_more (ladder, bytes, result, &code)) == NULL
      || (self->rotations = (Rotation *) ladder_more (ladder, (self->n_pairs + 1) * sizeof (Rotation), result,
                                                      &code)) == NULL
      || (self->turned = (unsigned long long *) ladder_more (ladder, sizeof *self->turned, result, &code)) == NULL)
    return code;
  self->threads = ladder->size.threads > 0 ? ladder->size.threads : THREADS;
  ESK_LADDER_TRY (ladder_kernel (ladder, result, (const void *) rows_kernels[rung], self->threads, self->n_pairs, 0));
  /* The one that takes longest. */
  return ladder_kernel (ladder, result, (const void *) columns_kernels[rung], self->threads, self->n_pairs, 0);
}

static int
run_step (EskLadder *ladder,
          Work      *self,
          unsigned   rung,
          unsigned   step)
{
  const unsigned n = (unsigned) self->of.n, threads = self->threads, blocks = (self->n_pairs + threads - 1) / threads;
  const uint2 *pairs = self->pairs + (size_t) step * self->n_pairs;
  cudaStream_t stream = ladder_card (ladder)->stream;

  jacobi_rotations<<<blocks, threads, 0, stream>>> (self->a, n, pairs, self->n_pairs,
                                                    ESK_JACOBI_PIVOT * self->of.norm, self->rotations, self->turned);
  rows_kernels[rung]<<<self->n_pairs, threads, 0, stream>>> (self->a, n, pairs, self->rotations);
  columns_kernels[rung]<<<self->n_pairs, threads, 0, stream>>> (self->a, self->v, n, pairs, self->rotations);
  return ladder_launched (ladder, "a step of rotations");
}

static int
run_sweep (EskLadder *ladder,
           Work      *self,
           unsigned   rung)
{
  const double bytes = 6.0 * 16.0 * (double) self->of.n * (double) self->of.n;
  const unsigned piece = (unsigned) fmin (PIECE_STEPS, fmax (1.0, PIECE_BYTES / bytes));

  for (unsigned step = 0; step < self->circle; step++)
    {
      ESK_LADDER_TRY (run_step (ladder, self, rung, step));
      self->steps++;
      if ((step + 1) % piece == 0)
        ESK_LADDER_TRY (esk_jacobi_pause (ladder, &self->of, self->steps, self->of.n));
    }

  return ESK_LADDER_OK;
}

/* From the matrix as it came: the copy is part of the work. */
static int
run_rung (EskLadder *ladder,
          Work      *self,
          unsigned   rung)
{
  const size_t n = self->of.n;
  cudaStream_t stream = ladder_card (ladder)->stream;
  double off = 0.0;

  self->steps = self->sweeps = 0;
  ESK_LADDER_TRY (ladder_check (ladder, cudaMemcpyAsync (self->a, self->matrix, n * n * sizeof (double2),
                                                         cudaMemcpyDeviceToDevice, stream), "a copy of the matrix"));
  ESK_LADDER_TRY (ladder_check (ladder, cudaMemsetAsync (self->turned, 0, sizeof *self->turned, stream), "memset"));
  begin_vectors<<<(unsigned) ((n * n + SUM_THREADS - 1) / SUM_THREADS), SUM_THREADS, 0, stream>>> (self->v,
                                                                                                  (unsigned) n);
  ESK_LADDER_TRY (ladder_launched (ladder, "the first vectors"));
  if (n == 1)
    return ESK_LADDER_OK;
  do
    {
      ESK_LADDER_TRY (run_sweep (ladder, self, rung));
      self->sweeps++;
      ESK_LADDER_TRY (off_diagonal (ladder, self, &off));
      ESK_LADDER_TRY (esk_jacobi_pause (ladder, &self->of, self->steps, n));
    }
  while (off > ESK_JACOBI_OFF * self->of.norm && self->sweeps < ESK_JACOBI_MOST_SWEEPS);

  return ESK_LADDER_OK;
}

/* zheevd, whose matrix becomes its vectors: a copy each time. */
static int
run_library (EskLadder *ladder,
             Work      *self)
{
  const int n = (int) self->of.n;
  const size_t bytes = self->of.n * self->of.n * sizeof (double2);

  ESK_LADDER_TRY (ladder_check (ladder, cudaMemcpyAsync (self->a, self->matrix, bytes, cudaMemcpyDeviceToDevice,
                                                         ladder_card (ladder)->stream), "a copy of the matrix"));
  if (self->solver.zheevd (self->solver.handle, CUSOLVER_EIG_MODE_VECTOR, CUBLAS_FILL_MODE_LOWER, n,
                           (cuDoubleComplex *) self->a, n, self->sums, self->room, self->room_size, self->info)
      != CUSOLVER_STATUS_SUCCESS)
    return esk_ladder_fail (ladder, ESK_LADDER_ERROR_DEVICE, "cusolverDnZheevd failed");

  return ESK_LADDER_OK;
}

static int
run (EskLadder *ladder,
     void      *work,
     unsigned   rung)
{
  Work *self = (Work *) work;

  if (rung == PRODUCTION)
    return esk_jacobi_produce_run (ladder, &self->of, &self->produced);
  return rung == LIBRARY ? run_library (ladder, self) : run_rung (ladder, self, rung);
}

/* Of the library: row by row the matrix is the conjugate to it, and so are its vectors, a row each as they lie here. */
static int
bring_library (EskLadder *ladder,
               Work      *self,
               double    *values,
               double    *vectors)
{
  const size_t n = self->of.n;
  int info = 0;

  ESK_LADDER_TRY (ladder_download (ladder, &info, self->info, sizeof info));
  if (info != 0)
    return esk_ladder_fail (ladder, ESK_LADDER_ERROR_DEVICE, "cusolverDnZheevd did not come to an end");
  ESK_LADDER_TRY (ladder_download (ladder, values, self->sums, n * sizeof *values));
  ESK_LADDER_TRY (ladder_download (ladder, vectors, self->a, 2 * n * n * sizeof *vectors));
  for (size_t k = 0; k < n * n; k++)
    vectors[2 * k + 1] = -vectors[2 * k + 1];

  return esk_jacobi_bring (&self->of, values, vectors, 1);
}

static int
bring_rung (EskLadder     *ladder,
            Work          *self,
            unsigned       rung,
            double        *values,
            double        *vectors,
            EskRungResult *result)
{
  const size_t n = self->of.n;
  unsigned long long turned = 0;
  double rotations;

  ESK_LADDER_TRY (ladder_download (ladder, &turned, self->turned, sizeof turned));
  ESK_LADDER_TRY (ladder_download (ladder, vectors, self->a, 2 * n * n * sizeof *vectors));
  for (size_t k = 0; k < n; k++)
    values[k] = vectors[2 * (k * n + k)];
  ESK_LADDER_TRY (ladder_download (ladder, vectors, self->v, 2 * n * n * sizeof *vectors));
  /* A rotation turns two rows, two columns and two vectors; each sweep is summed up at its end. */
  rotations = (double) turned;
  result->bytes = rotations * 3.0 * (double) n * 64.0 + 16.0 * (double) (n * n) * (3.0 + (double) self->sweeps);
  result->operations = rotations * 3.0 * (double) n * 20.0;
  /* Three a step; by them one knows how many sweeps it took. */
  result->launches = (uint32_t) (3 * self->steps + self->sweeps + 1);

  return esk_jacobi_bring (&self->of, values, vectors, rung == V2);
}

static int
finish (EskLadder     *ladder,
        void          *work,
        unsigned       rung,
        EskRungResult *result)
{
  Work *self = (Work *) work;
  const size_t n = self->of.n;
  double *values, *vectors;
  int code = ESK_LADDER_ERROR_MEMORY;

  if (rung == PRODUCTION)
    {
      ESK_LADDER_TRY (esk_jacobi_produce_finish (ladder, &self->of, &self->produced, result));
      return esk_jacobi_check (&self->of, result);
    }
  values = (double *) malloc (n * sizeof *values);
  vectors = (double *) malloc (2 * n * n * sizeof *vectors);
  if (values != NULL && vectors != NULL)
    code = rung == LIBRARY ? bring_library (ladder, self, values, vectors)
                           : bring_rung (ladder, self, rung, values, vectors, result);
  free (values);
  free (vectors);
  ESK_LADDER_TRY (code);

  return esk_jacobi_check (&self->of, result);
}

static void
end (EskLadder *ladder,
     void      *work,
     unsigned   rung)
{
  Work *self = (Work *) work;

  if (rung == PRODUCTION)
    esk_array_produce_end (ladder, &self->produced);
  if (self->solver.handle != NULL)
    self->solver.destroy (self->solver.handle);
  self->solver.handle = NULL;
  ladder_free (self->a);
  ladder_free (self->v);
  ladder_free (self->rotations);
  ladder_free (self->turned);
  ladder_free (self->sums);
  ladder_free (self->room);
  ladder_free (self->info);
  self->a = self->v = NULL;
  self->rotations = NULL;
  self->turned = NULL;
  self->sums = NULL;
  self->room = NULL;
  self->info = NULL;
}

static int64_t
output (void   *work,
        double *values,
        size_t  n)
{
  return esk_jacobi_output (&((Work *) work)->of, values, n);
}

/* ---- for the ladder of the azimuth spectrum ---- */

static int
time_library (EskLadder *ladder,
              Work      *self,
              double    *seconds)
{
  double began;

  /* The first time it loads its kernels. */
  ESK_LADDER_TRY (run_library (ladder, self));
  ESK_LADDER_TRY (ladder_check (ladder, cudaStreamSynchronize (ladder_card (ladder)->stream), "cusolverDnZheevd"));
  began = esk_ladder_now ();
  ESK_LADDER_TRY (run_library (ladder, self));
  ESK_LADDER_TRY (ladder_check (ladder, cudaStreamSynchronize (ladder_card (ladder)->stream), "cusolverDnZheevd"));
  *seconds = esk_ladder_now () - began;

  return ESK_LADDER_OK;
}

int
ladder_eigen_seconds (EskLadder     *ladder,
                      size_t         n,
                      const double  *matrix,
                      EskRungResult *result,
                      double        *seconds)
{
  const size_t bytes = 2 * n * n * sizeof *matrix;
  const double more_memory = result->more_memory;
  Work self = {};
  int code;

  self.of.n = n;
  if ((self.matrix = (double2 *) ladder_memory (ladder, bytes, &code)) != NULL
      && (self.a = (double2 *) ladder_memory (ladder, bytes, &code)) != NULL
      && (self.sums = (double *) ladder_memory (ladder, n * sizeof *self.sums, &code)) != NULL)
    code = ladder_upload (ladder, self.matrix, matrix, bytes);
  if (code == ESK_LADDER_OK)
    code = open_solver (ladder, &self, result);
  if (code == ESK_LADDER_OK)
    code = time_library (ladder, &self, seconds);
  if (self.solver.handle != NULL)
    self.solver.destroy (self.solver.handle);
  ladder_free (self.matrix);
  ladder_free (self.a);
  ladder_free (self.sums);
  ladder_free (self.room);
  ladder_free (self.info);
  result->more_memory = more_memory;

  return code;
}

extern "C" const EskSubject ladder_jacobi = {
  rungs, N_RUNGS, esk_jacobi_least, prepare, clear, begin, run, finish, end, output,
};
