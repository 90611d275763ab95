/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The azimuth spectrum on a card. */

#include "es-ladder-cuda-azimuth.cuh"

#include <cublas_v2.h>
#include <stdlib.h>

typedef struct {
  cublasHandle_t handle;
  decltype (&cublasCreate_v2) create;
  decltype (&cublasDestroy_v2) destroy;
  decltype (&cublasSetStream_v2) set_stream;
  decltype (&cublasCgemm_v2) cgemm;
} Blas;

typedef struct {
  EskAzimuthWork   of;
  EskArrayProduced produced;
  Azimuth          call;               /* the rung's */
  float2          *vectors;            /* the card's, as the host's */
  float           *inverse, *power;
  double          *cosines;
  float2          *transposed, *directions, *products;
  float           *energies;
  unsigned         threads;
  size_t           shared;             /* bytes of a block */
  Blas             blas;
  double            eigen_seconds;     /* 0: not known yet */
} Work;

enum { V0, V1, V2, V3, V4, V5, V6, PRODUCTION, LIBRARY, N_RUNGS };

static const EskRung rungs[N_RUNGS] = {
  { "v0", ESK_RUNG_STEP, "", NULL, NULL },
  { "v1", ESK_RUNG_STEP, "G_3", "v0", NULL },
  { "v2", ESK_RUNG_STEP, "G_3 S_5", "v1", NULL },
  { "v3", ESK_RUNG_STEP, "G_3 S_5 S_6", "v2", NULL },
  { "v4", ESK_RUNG_STEP, "G_3 S_5", "v3", NULL },
  { "v5", ESK_RUNG_STEP, "G_3 S_5", "v4", NULL },
  { "v6", ESK_RUNG_STEP, "G_3 S_5 S_7", "v5", NULL },
  { "production", ESK_RUNG_PRODUCTION, "G_3 S_5 S_6", NULL, NULL },
  { "library", ESK_RUNG_LIBRARY, "", NULL, NULL },
};

typedef void (*Kernel) (Azimuth);
static const Kernel kernels[PRODUCTION] = {
  azimuth_v0, azimuth_v1, azimuth_v2, azimuth_v3, azimuth_v4, azimuth_v5, azimuth_v6,
};

#define MOST_THREADS 1024
#define SUM_THREADS 256
/* Products of a launch, so that none takes long on the slowest of cards. */
#define PIECE_PRODUCTS 1e9

/* ---- besides the rungs ---- */

/* Once for the data: [element][eigen]. */
static __global__ void
transpose (const float2 *from,
           float2       *to,
           unsigned      n)
{
  __shared__ float2 tile[32][33];
  const unsigned x = blockIdx.x * 32, y = blockIdx.y * 32;

  for (unsigned row = threadIdx.y; row < 32; row += blockDim.y)
    if (y + row < n && x + threadIdx.x < n)
      tile[row][threadIdx.x] = from[(size_t) (y + row) * n + x + threadIdx.x];
  __syncthreads ();
  for (unsigned row = threadIdx.y; row < 32; row += blockDim.y)
    if (x + row < n && y + threadIdx.x < n)
      to[(size_t) (x + row) * n + y + threadIdx.x] = tile[threadIdx.x][row];
}

/* The library's: all directions, [angle][element]. */
static __global__ void
steer_all (Azimuth call)
{
  for (unsigned k = threadIdx.x; k < call.n; k += blockDim.x)
    call.directions[(size_t) blockIdx.x * call.n + k] = steer (k, call.n, call.cosines[blockIdx.x]);
}

/* The library's: of its products, [angle][eigen]. */
static __global__ void
sum_all (Azimuth       call,
         const float2 *products)
{
  __shared__ float sums[SUM_THREADS];
  float sum = 0.0f;

  for (unsigned m = threadIdx.x; m < call.n; m += SUM_THREADS)
    {
      const float2 z = products[(size_t) blockIdx.x * call.n + m];

      sum += (z.x * z.x + z.y * z.y) * call.inverse[m];
    }
  sums[threadIdx.x] = sum;
  __syncthreads ();
  add_up (sums, SUM_THREADS);
  if (threadIdx.x == 0)
    call.power[blockIdx.x] = 1.0f / sums[0];
}

static int
open_blas (EskLadder     *ladder,
           Blas          *blas,
           EskRungResult *result)
{
  LadderLibrary library = ladder_library (ladder, "cublas", result);

  if (library == NULL)
    return ESK_LADDER_ERROR_REFUSED;
  blas->create = (decltype (blas->create)) ladder_symbol (library, "cublasCreate_v2");
  blas->destroy = (decltype (blas->destroy)) ladder_symbol (library, "cublasDestroy_v2");
  blas->set_stream = (decltype (blas->set_stream)) ladder_symbol (library, "cublasSetStream_v2");
  blas->cgemm = (decltype (blas->cgemm)) ladder_symbol (library, "cublasCgemm_v2");
  if (blas->create == NULL || blas->destroy == NULL || blas->set_stream == NULL || blas->cgemm == NULL)
    return esk_ladder_refuse (result, ESK_WHY_LIBRARY, 0, 0, "cublasCgemm");
  if (blas->create (&blas->handle) != CUBLAS_STATUS_SUCCESS)
    {
      blas->handle = NULL;
      return esk_ladder_refuse (result, ESK_WHY_LIBRARY, 0, 0, "cuBLAS");
    }
  if (blas->set_stream (blas->handle, ladder_card (ladder)->stream) != CUBLAS_STATUS_SUCCESS)
    return esk_ladder_fail (ladder, ESK_LADDER_ERROR_DEVICE, "cublasSetStream failed");

  return ESK_LADDER_OK;
}

/* ---- the ladder ---- */

static void
clear (EskLadder *ladder,
       void      *work)
{
  Work *self = (Work *) work;

  ladder_free (self->vectors);
  ladder_free (self->inverse);
  ladder_free (self->power);
  ladder_free (self->cosines);
  esk_azimuth_work_clear (&self->of);
  free (self);
}

static int
fill (EskLadder           *ladder,
      Work                *self,
      const EskLadderSize *size)
{
  size_t n, angles;
  int code;

  ESK_LADDER_TRY (esk_azimuth_work_init (ladder, &self->of, size));
  n = self->of.n;
  angles = self->of.angles;
  if ((self->vectors = (float2 *) ladder_memory (ladder, n * n * sizeof (float2), &code)) == NULL
      || (self->inverse = (float *) ladder_memory (ladder, n * sizeof (float), &code)) == NULL
      || (self->power = (float *) ladder_memory (ladder, angles * sizeof (float), &code)) == NULL
      || (self->cosines = (double *) ladder_memory (ladder, angles * sizeof (double), &code)) == NULL)
    return code;
  ESK_LADDER_TRY (ladder_upload (ladder, self->vectors, self->of.vectors, n * n * sizeof (float2)));
  ESK_LADDER_TRY (ladder_upload (ladder, self->inverse, self->of.inverse, n * sizeof (float)));
  return ladder_upload (ladder, self->cosines, self->of.cosines, angles * sizeof (double));
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
lay_out (EskLadder     *ladder,
         Work          *self,
         EskRungResult *result)
{
  const unsigned n = (unsigned) self->of.n, tiles = (n + 31) / 32;
  double began;
  int code;

  self->transposed = (float2 *) ladder_more (ladder, self->of.n * self->of.n * sizeof (float2), result, &code);
  if (self->transposed == NULL)
    return code;
  began = esk_ladder_now ();
  transpose<<<dim3 (tiles, tiles), dim3 (32, 8), 0, ladder_card (ladder)->stream>>> (self->vectors, self->transposed,
                                                                                    n);
  ESK_LADDER_TRY (ladder_launched (ladder, "transposing eigenvectors"));
  ESK_LADDER_TRY (ladder_check (ladder, cudaStreamSynchronize (ladder_card (ladder)->stream), "transposing"));
  result->preparation += esk_ladder_now () - began;

  return ESK_LADDER_OK;
}

/* What loads and stores of all threads of a rung ask of global memory. */
static double
asked_bytes (const Work *self,
             unsigned    rung)
{
  const double n = (double) self->of.n, angles = (double) self->of.angles;
  const double direction = rung == V3 ? 0.0 : 8.0 * n * (n + 1.0);
  const double energies = rung < V2 ? 4.0 * n + 12.0 * (n - 1.0) : 0.0;

  return angles * (8.0 * n * n + direction + energies + 4.0 * n + 8.0 * n + 4.0);
}

static int
begin_rung (EskLadder     *ladder,
            Work          *self,
            unsigned       rung,
            EskRungResult *result)
{
  const size_t n = self->of.n, angles = self->of.angles, room = n * angles;
  double unused;
  int code;

  if (rung != V3 && (self->directions = (float2 *) ladder_more (ladder, room * sizeof (float2), result, &code)) == NULL)
    return code;
  if (rung < V2 && (self->energies = (float *) ladder_more (ladder, room * sizeof (float), result, &code)) == NULL)
    return code;
  if (rung == LIBRARY)
    {
      self->products = (float2 *) ladder_more (ladder, room * sizeof (float2), result, &code);
      if (self->products == NULL)
        return code;
    }
  if (rung != V0 && rung != LIBRARY)
    ESK_LADDER_TRY (lay_out (ladder, self, result));
  self->call = { rung == V0 ? self->vectors : self->transposed, self->inverse, self->cosines, self->directions,
                 self->energies, self->power, (unsigned) n, (unsigned) angles, 0 };
  esk_azimuth_least (&ladder->size, &unused, &result->operations);
  if (rung == LIBRARY)
    {
      result->launches = 3;
      return open_blas (ladder, &self->blas, result);
    }

  /* As many as there are eigenvectors, as the thesis has them. */
  self->threads = n < MOST_THREADS ? (unsigned) ((n + 31) / 32 * 32) : MOST_THREADS;
  if (ladder->size.threads > 0)
    self->threads = ladder->size.threads;
  self->shared = rung < V2 ? 0 : rung == V3 ? n * sizeof (float2) + (n + n % 2) * sizeof (float) : n * sizeof (float);
  if (rung == V6)
    self->shared = self->threads * sizeof (float);
  result->bytes = asked_bytes (self, rung);
  return ladder_kernel (ladder, result, (const void *) kernels[rung], self->threads, angles, self->shared);
}

/* What it takes to have eigenvectors: once for each matrix. Without cuSOLVER nobody knows. */
static int
time_eigenproblem (EskLadder     *ladder,
                   Work          *self,
                   EskRungResult *result)
{
  double *matrix = esk_azimuth_matrix (self->of.n);
  EskRungResult unused = {};
  int code;

  if (matrix == NULL)
    return ESK_LADDER_ERROR_MEMORY;
  code = ladder_eigen_seconds (ladder, self->of.n, matrix, &unused, &self->eigen_seconds);
  free (matrix);

  return code == ESK_LADDER_ERROR_REFUSED ? ESK_LADDER_OK : code;
}

static int
begin (EskLadder     *ladder,
       void          *work,
       unsigned       rung,
       EskRungResult *result)
{
  Work *self = (Work *) work;

  if (rung == PRODUCTION)
    return esk_azimuth_produce_begin (ladder, &self->of, &self->produced, result);
  result->type = ESK_TYPE_LAB_FLOAT32;
  result->launches = 1;
  if (self->eigen_seconds == 0.0)
    ESK_LADDER_TRY (time_eigenproblem (ladder, self, result));
  result->preparation = self->eigen_seconds;
  ESK_LADDER_TRY (ladder_check (ladder, cudaMemsetAsync (self->power, 0, self->of.angles * sizeof (float),
                                                         ladder_card (ladder)->stream), "memset"));
  return begin_rung (ladder, self, rung, result);
}

static int
run_rung (EskLadder *ladder,
          Work      *self,
          unsigned   rung)
{
  const size_t angles = self->of.angles;
  const double wanted = PIECE_PRODUCTS / ((double) self->of.n * (double) self->of.n);
  const size_t piece = wanted < 1.0 ? 1 : wanted < (double) angles ? (size_t) wanted : angles;

  for (size_t first = 0; first < angles; first += piece)
    {
      const size_t blocks = angles - first < piece ? angles - first : piece;

      self->call.first = (unsigned) first;
      kernels[rung]<<<(unsigned) blocks, self->threads, self->shared, ladder_card (ladder)->stream>>> (self->call);
      ESK_LADDER_TRY (ladder_launched (ladder, "the azimuth spectrum"));
      if (piece < angles)
        ESK_LADDER_TRY (esk_ladder_pause (ladder, (double) (first + blocks) / (double) angles));
    }

  return ESK_LADDER_OK;
}

/* cgemm of all directions with all eigenvectors; the directions before and the sums after are ours. */
static int
run_library (EskLadder *ladder,
             Work      *self)
{
  const cuComplex one = make_cuComplex (1.0f, 0.0f), zero = make_cuComplex (0.0f, 0.0f);
  const int n = (int) self->of.n, angles = (int) self->of.angles;
  cudaStream_t stream = ladder_card (ladder)->stream;

  steer_all<<<(unsigned) angles, SUM_THREADS, 0, stream>>> (self->call);
  ESK_LADDER_TRY (ladder_launched (ladder, "directions"));
  /* Column by column an eigenvector each, and a direction each: v' a, the conjugate of a' v, of the same magnitude. */
  if (self->blas.cgemm (self->blas.handle, CUBLAS_OP_C, CUBLAS_OP_N, n, angles, n, &one, self->vectors, n,
                        self->directions, n, &zero, self->products, n) != CUBLAS_STATUS_SUCCESS)
    return esk_ladder_fail (ladder, ESK_LADDER_ERROR_DEVICE, "cublasCgemm failed");
  sum_all<<<(unsigned) angles, SUM_THREADS, 0, stream>>> (self->call, self->products);
  return ladder_launched (ladder, "sums of products");
}

static int
run (EskLadder *ladder,
     void      *work,
     unsigned   rung)
{
  Work *self = (Work *) work;

  if (rung == PRODUCTION)
    return esk_array_produce_run (ladder, &self->produced);
  return rung == LIBRARY ? run_library (ladder, self) : run_rung (ladder, self, rung);
}

static int
finish (EskLadder     *ladder,
        void          *work,
        unsigned       rung,
        EskRungResult *result)
{
  Work *self = (Work *) work;

  if (rung == PRODUCTION)
    ESK_LADDER_TRY (esk_array_produce_finish (ladder, &self->produced, self->of.power));
  else
    ESK_LADDER_TRY (ladder_download (ladder, self->of.power, self->power, self->of.angles * sizeof (float)));
  esk_azimuth_check (&self->of, result);
  return ESK_LADDER_OK;
}

static void
end (EskLadder *ladder,
     void      *work,
     unsigned   rung)
{
  Work *self = (Work *) work;

  if (rung == PRODUCTION)
    esk_array_produce_end (ladder, &self->produced);
  if (self->blas.handle != NULL)
    self->blas.destroy (self->blas.handle);
  self->blas.handle = NULL;
  ladder_free (self->transposed);
  ladder_free (self->directions);
  ladder_free (self->products);
  ladder_free (self->energies);
  self->transposed = self->directions = self->products = NULL;
  self->energies = NULL;
}

static int64_t
output (void   *work,
        double *values,
        size_t  n)
{
  return esk_azimuth_output (&((Work *) work)->of, values, n);
}

extern "C" const EskSubject ladder_azimuth = {
  rungs, N_RUNGS, esk_azimuth_least, prepare, clear, begin, run, finish, end, output,
};
