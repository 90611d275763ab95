/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A step of FastICA on a card: what each rung takes, and the hot spot and the library beside them. */

#include "es-ladder-cuda-ica-private.h"

#include <cublas_v2.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>

#define THREADS 256
#define MOST_THREADS 1024

typedef decltype (&cublasCreate) Create;
typedef decltype (&cublasDestroy) Destroy;
typedef decltype (&cublasSetStream) SetStream;
typedef decltype (&cublasSgemm) Sgemm;

typedef struct {
  EskIcaWork     of;
  EskIcaProduced produced;
  float         *z;            /* the card's */
  IcaCardWork    card;         /* of a rung */
  int            mapped;       /* host_w and host_sums are the card's, too */
  cublasHandle_t handle;
  Destroy        destroy;
  Sgemm          multiply;
  float         *product;      /* of the library, the card's and then the host's */
  float         *host_product;
} Work;

/* In the order of `plans`. */
enum { V0, V1, V2, V3, V4, V5, FUSED, TILED, S5, G3, M, Z, M_Z, N_STEPS, PRODUCTION = N_STEPS, LIBRARY, N_RUNGS };

static const EskRung rungs[N_RUNGS] = {
  { "v0", ESK_RUNG_STEP, "", NULL, NULL },
  { "v1", ESK_RUNG_STEP, "R_5", "v0", NULL },
  { "v2", ESK_RUNG_STEP, "R_5 S_5", "v1", NULL },
  { "v3", ESK_RUNG_STEP, "R_5 S_5 G_3", "v2", NULL },
  { "v4", ESK_RUNG_STEP, "R_5 S_5 G_3 M", "v3", NULL },
  { "v5", ESK_RUNG_STEP, "R_5 S_5 G_3 M Z", "v4", NULL },
  { "fused", ESK_RUNG_STEP, "R_5 S_5 G_3 S_6 M Z", "v5", NULL },
  { "tiled", ESK_RUNG_STEP, "R_5 S_5 G_3 S_6 S_1 M Z", "fused", NULL },
  { "s5", ESK_RUNG_STEP, "S_5", "v0", NULL },
  { "g3", ESK_RUNG_STEP, "G_3", "v0", NULL },
  { "m", ESK_RUNG_STEP, "M", "v0", NULL },
  { "z", ESK_RUNG_STEP, "Z", "v0", NULL },
  { "m-z", ESK_RUNG_STEP, "M Z", "m", NULL },
  { "production", ESK_RUNG_PRODUCTION, "D R_5 S_5 S_6 M Z", "tiled", NULL },
  { "library", ESK_RUNG_LIBRARY, "", NULL, NULL },
};

/* What of the strategies matters to who prepares and counts. */
static const struct {
  int (*run) (EskLadder *ladder, IcaCardWork *work);
  int registers, shared, transposed, merged, mapped;
} plans[N_STEPS] = {
  { ica_v0, 0, 0, 0, 0, 0 },
  { ica_v1, 1, 0, 0, 0, 0 },
  { ica_v2, 1, 1, 0, 0, 0 },
  { ica_v3, 1, 1, 1, 0, 0 },
  { ica_v4, 1, 1, 1, 1, 0 },
  { ica_v5, 1, 1, 1, 1, 1 },
  { ica_fused, 1, 1, 1, 1, 1 },
  { ica_tiled, 1, 1, 1, 1, 1 },
  { ica_s5, 0, 1, 0, 0, 0 },
  { ica_g3, 0, 0, 1, 0, 0 },
  { ica_m, 0, 0, 0, 1, 0 },
  { ica_z, 0, 0, 0, 0, 1 },
  { ica_m_z, 0, 0, 0, 1, 1 },
};

/* ---- what there is for all rungs ---- */

static void
clear (EskLadder *ladder,
       void      *work)
{
  Work *self = (Work *) work;

  ladder_free (self->z);
  esk_ica_work_clear (&self->of);
  free (self);
}

static int
fill (EskLadder           *ladder,
      Work                *self,
      const EskLadderSize *size)
{
  size_t bytes;
  int code;

  ESK_LADDER_TRY (esk_ica_work_init (ladder, &self->of, size));
  bytes = self->of.pixels * self->of.rows * sizeof *self->z;
  if ((self->z = (float *) ladder_memory (ladder, bytes, &code)) == NULL)
    return code;

  return ladder_upload (ladder, self->z, self->of.z, bytes);
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

/* ---- what a rung takes ---- */

/* The host's w and sums, which the card reads and writes where they are if `mapped`. */
static int
take_host (EskLadder *ladder,
           Work      *self,
           int        mapped)
{
  IcaCardWork *card = &self->card;
  const size_t w = self->of.rows * self->of.rows * sizeof (float);
  const size_t sums = self->of.rows * (self->of.rows + 1) * sizeof (double);

  self->mapped = mapped;
  if (!mapped)
    {
      card->host_w = (float *) malloc (w);
      card->host_sums = (double *) calloc (1, sums);
      return card->host_w != NULL && card->host_sums != NULL ? ESK_LADDER_OK : ESK_LADDER_ERROR_MEMORY;
    }
  ESK_LADDER_TRY (ladder_check (ladder, cudaHostAlloc ((void **) &card->host_w, w, cudaHostAllocMapped),
                                "cudaHostAlloc"));
  ESK_LADDER_TRY (ladder_check (ladder, cudaHostAlloc ((void **) &card->host_sums, sums, cudaHostAllocMapped),
                                "cudaHostAlloc"));
  ESK_LADDER_TRY (ladder_check (ladder, cudaHostGetDevicePointer ((void **) &card->w, card->host_w, 0),
                                "cudaHostGetDevicePointer"));
  return ladder_check (ladder, cudaHostGetDevicePointer ((void **) &card->sums, card->host_sums, 0),
                       "cudaHostGetDevicePointer");
}

/* Memory of the card: w and sums where they are not the host's, g of so many samples, partial sums. */
static int
take_card (EskLadder     *ladder,
           Work          *self,
           size_t         g,
           size_t         partial,
           EskRungResult *result)
{
  IcaCardWork *card = &self->card;
  const size_t rows = self->of.rows;
  int code = ESK_LADDER_OK;

  card->pixels = self->of.pixels;
  card->rows = (unsigned) rows;
  card->z = self->z;
  card->stream = ladder_card (ladder)->stream;
  if (!self->mapped)
    {
      card->w = (float *) ladder_more (ladder, rows * rows * sizeof (float), result, &code);
      if (card->w != NULL)
        card->sums = (double *) ladder_more (ladder, rows * (rows + 1) * sizeof (double), result, &code);
      if (card->sums == NULL)
        return code;
    }
  if (g > 0 && (card->g = (float *) ladder_more (ladder, g * sizeof (float), result, &code)) == NULL)
    return code;
  card->partial = (float *) ladder_more (ladder, partial * sizeof (float), result, &code);
  return card->partial != NULL ? ESK_LADDER_OK : code;
}

/* A power of two, so that pairs can be added up. */
static unsigned
threads_of (EskLadder *ladder)
{
  unsigned threads = 32;

  if (ladder->size.threads == 0)
    return THREADS;
  while (2 * threads <= ladder->size.threads && 2 * threads <= MOST_THREADS)
    threads *= 2;
  return threads;
}

static unsigned
at_most (size_t   wanted,
         unsigned most)
{
  return wanted < most ? (unsigned) wanted : most;
}

/* Loads and stores of a vector and a sample in bytes: of each plane z and w twice or once, each time with a store where
 * sums lie in memory; of g one store, and a load for each plane and one more. */
static double
bytes_of (unsigned rung,
          double   rows)
{
  const double store = plans[rung].registers || plans[rung].shared ? 0.0 : 4.0, w = plans[rung].shared ? 0.0 : 4.0;

  if (rung == FUSED)
    return 4.0 * rows;
  if (rung == TILED)
    return 4.0;
  return rows * (w + 4.0 + store) + 4.0 + rows * 4.0 + (rows + 1.0) * (4.0 + store);
}

static int
begin_tiled (EskLadder     *ladder,
             Work          *self,
             unsigned       rung,
             EskRungResult *result)
{
  IcaCardWork *card = &self->card;
  const unsigned units = (unsigned) ladder_card (ladder)->units, rows = (unsigned) self->of.rows;
  const int tiled = rung == TILED;
  const size_t pieces = tiled ? (self->of.pixels + ICA_TILE - 1) / ICA_TILE : (self->of.pixels + THREADS - 1) / THREADS;

  if (rows > ICA_MOST_PLANES)
    return esk_ladder_refuse (result, ESK_WHY_SIZE, 0, 0, "at most 64 planes");
  /* Of all vectors' blocks some dozens are there at once for each multiprocessor; each has many samples. */
  card->blocks = at_most (pieces, tiled ? 2 * units : units / 2 + 1);
  card->threads = THREADS;
  result->launches = 2;
  ESK_LADDER_TRY (take_card (ladder, self, 0, (size_t) card->blocks * rows * (rows + 1), result));
  return ladder_kernel (ladder, result, tiled ? ica_tiled_kernel (rows) : ica_fused_kernel (rows), card->threads,
                        tiled ? card->blocks : (uint64_t) card->blocks * rows, tiled ? ica_tiled_shared (rows) : 0);
}

static int
begin_step (EskLadder     *ladder,
            Work          *self,
            unsigned       rung,
            EskRungResult *result)
{
  IcaCardWork *card = &self->card;
  const size_t rows = self->of.rows;
  const unsigned planes = plans[rung].merged ? (unsigned) rows + 1 : 1;

  result->type = ESK_TYPE_LAB_FLOAT32;
  result->operations = esk_ica_operations (&self->of);
  result->bytes = bytes_of (rung, (double) rows) * (double) rows * (double) self->of.pixels;
  ESK_LADDER_TRY (take_host (ladder, self, plans[rung].mapped));
  for (size_t r = 0; r < rows; r++)
    for (size_t i = 0; i < rows; i++)
      card->host_w[plans[rung].transposed ? r * rows + i : i * rows + r] = self->of.w[r * rows + i];
  if (rung == FUSED || rung == TILED)
    return begin_tiled (ladder, self, rung, result);

  card->threads = threads_of (ladder);
  card->blocks = at_most ((self->of.pixels + card->threads - 1) / card->threads,
                          4 * (unsigned) ladder_card (ladder)->units);
  result->launches = (uint32_t) (rows * (plans[rung].merged ? 3 : 1 + 2 * (rows + 1)));
  ESK_LADDER_TRY (take_card (ladder, self, self->of.pixels, (size_t) card->blocks * card->threads * planes, result));
  return ladder_kernel (ladder, result, ica_products (plans[rung].registers, plans[rung].shared), card->threads,
                        (uint64_t) card->blocks * planes, 0);
}

/* ---- the library ---- */

/* lab: ica-library */
/* g in place of w'z, and of each block the sum of g': block y is vector y. */
static __global__ void
apply (float  *g,
       size_t  pixels,
       float  *partial)
{
  __shared__ float shared[THREADS];
  float *of = g + blockIdx.y * pixels, sum = 0.0f;

  for (size_t p = (size_t) blockIdx.x * THREADS + threadIdx.x; p < pixels; p += (size_t) gridDim.x * THREADS)
    {
      of[p] = tanhf (of[p]);
      sum += 1.0f - of[p] * of[p];
    }
  shared[threadIdx.x] = sum;
  for (unsigned half = THREADS / 2; half > 0; half /= 2)
    {
      __syncthreads ();
      if (threadIdx.x < half)
        shared[threadIdx.x] += shared[threadIdx.x + half];
    }
  if (threadIdx.x == 0)
    partial[(size_t) blockIdx.y * gridDim.x + blockIdx.x] = shared[0];
}

/* Column by column, planes of samples are a matrix of `pixels` rows, and vectors one after the other are columns: W'Z
 * by the library, g by a kernel of ours, which it has none for, then Z g' by the library. */
static int
run_library (EskLadder *ladder,
             Work      *self)
{
  IcaCardWork *card = &self->card;
  const int n = (int) self->of.pixels, m = (int) self->of.rows;
  const float one = 1.0f, zero = 0.0f;

  ESK_LADDER_TRY (ladder_upload (ladder, card->w, self->of.w, self->of.rows * self->of.rows * sizeof (float)));
  if (self->multiply (self->handle, CUBLAS_OP_N, CUBLAS_OP_N, n, m, m, &one, card->z, n, card->w, m, &zero, card->g,
                      n) != CUBLAS_STATUS_SUCCESS)
    return esk_ladder_fail (ladder, ESK_LADDER_ERROR_DEVICE, "cublasSgemm failed");
  apply<<<dim3 (card->blocks, card->rows), THREADS, 0, card->stream>>> (card->g, card->pixels, card->partial);
  ESK_LADDER_TRY (ladder_launched (ladder, "g"));
  ESK_LADDER_TRY (ica_add_up (ladder, card, card->rows));
  if (self->multiply (self->handle, CUBLAS_OP_T, CUBLAS_OP_N, m, m, n, &one, card->z, n, card->g, n, &zero,
                      self->product, m) != CUBLAS_STATUS_SUCCESS)
    return esk_ladder_fail (ladder, ESK_LADDER_ERROR_DEVICE, "cublasSgemm failed");
  ESK_LADDER_TRY (ladder_download (ladder, card->host_sums, card->sums, self->of.rows * sizeof (double)));
  return ladder_download (ladder, self->host_product, self->product, self->of.rows * self->of.rows * sizeof (float));
}
/* lab end */

static int
begin_library (EskLadder     *ladder,
               Work          *self,
               EskRungResult *result)
{
  LadderLibrary library = ladder_library (ladder, "cublas", result);
  const Create create = (Create) ladder_symbol (library, "cublasCreate_v2");
  const SetStream set_stream = (SetStream) ladder_symbol (library, "cublasSetStream_v2");
  const size_t products = self->of.rows * self->of.rows, values = self->of.pixels * self->of.rows;
  const double pixels = (double) self->of.pixels, rows = (double) self->of.rows;
  int code = ESK_LADDER_OK;

  self->destroy = (Destroy) ladder_symbol (library, "cublasDestroy_v2");
  self->multiply = (Sgemm) ladder_symbol (library, "cublasSgemm_v2");
  if (library == NULL)
    return ESK_LADDER_ERROR_REFUSED;
  if (create == NULL || set_stream == NULL || self->destroy == NULL || self->multiply == NULL)
    return esk_ladder_refuse (result, ESK_WHY_LIBRARY, 0, 0, "libcublas");
  if (self->of.pixels > INT_MAX)
    return esk_ladder_refuse (result, ESK_WHY_SIZE, 0, 0, "at most 2147483647 samples");
  result->type = ESK_TYPE_LAB_FLOAT32;
  result->launches = 4;
  result->operations = esk_ica_operations (&self->of);
  /* Samples twice, w'z written once, and then read, written and read. */
  result->bytes = 4.0 * pixels * rows * 6.0;
  if (create (&self->handle) != CUBLAS_STATUS_SUCCESS)
    {
      self->handle = NULL;
      return esk_ladder_fail (ladder, ESK_LADDER_ERROR_DEVICE, "cublasCreate failed");
    }
  if (set_stream (self->handle, ladder_card (ladder)->stream) != CUBLAS_STATUS_SUCCESS)
    return esk_ladder_fail (ladder, ESK_LADDER_ERROR_DEVICE, "cublasSetStream failed");
  self->card.threads = THREADS;
  self->card.blocks = at_most ((self->of.pixels + THREADS - 1) / THREADS, 4 * (unsigned) ladder_card (ladder)->units);
  self->host_product = (float *) calloc (products, sizeof *self->host_product);
  if (self->host_product == NULL)
    return ESK_LADDER_ERROR_MEMORY;
  ESK_LADDER_TRY (take_host (ladder, self, 0));
  ESK_LADDER_TRY (take_card (ladder, self, values, self->card.blocks * self->of.rows, result));
  self->product = (float *) ladder_more (ladder, products * sizeof *self->product, result, &code);
  return self->product != NULL ? ESK_LADDER_OK : code;
}

/* ---- rungs ---- */

static int
begin (EskLadder     *ladder,
       void          *work,
       unsigned       rung,
       EskRungResult *result)
{
  Work *self = (Work *) work;

  memset (self->of.product, 0, self->of.rows * self->of.rows * sizeof *self->of.product);
  memset (self->of.derivative, 0, self->of.rows * sizeof *self->of.derivative);
  if (rung == PRODUCTION)
    return esk_ica_produce_begin (ladder, &self->of, &self->produced, result);
  return rung == LIBRARY ? begin_library (ladder, self, result) : begin_step (ladder, self, rung, result);
}

static int
run (EskLadder *ladder,
     void      *work,
     unsigned   rung)
{
  Work *self = (Work *) work;

  if (rung == PRODUCTION)
    return esk_ica_produce_run (ladder, &self->of, &self->produced);
  return rung == LIBRARY ? run_library (ladder, self) : plans[rung].run (ladder, &self->card);
}

/* Terms that are added up in float32: of a thread, and then by pairs; of the hot spot a few hundred; of the library we
 * know nothing better than all. */
static double
own_of (const Work *self,
        unsigned    rung)
{
  const double pixels = (double) self->of.pixels;
  const double of_block = pixels / (double) (self->card.blocks > 0 ? self->card.blocks : 1);

  return rung == PRODUCTION ? 512.0 : rung == LIBRARY ? pixels : rung == TILED ? of_block + ICA_TILE
         : rung == FUSED || !plans[rung].registers ? of_block / self->card.threads + 32.0 : 16.0;
}

static int
finish (EskLadder     *ladder,
        void          *work,
        unsigned       rung,
        EskRungResult *result)
{
  Work *self = (Work *) work;
  const size_t rows = self->of.rows;

  if (rung == PRODUCTION)
    esk_ica_produce_finish (&self->produced, &self->of);
  for (size_t r = 0; r < rows && rung != PRODUCTION; r++)
    {
      const double *sums = self->card.host_sums + r * (rows + 1);

      for (size_t i = 0; i < rows; i++)
        self->of.product[r * rows + i] = rung == LIBRARY ? self->host_product[r * rows + i] : sums[i];
      self->of.derivative[r] = rung == LIBRARY ? self->card.host_sums[r] : sums[rows];
    }

  return esk_ica_work_check (&self->of, own_of (self, rung), result);
}

static void
end (EskLadder *ladder,
     void      *work,
     unsigned   rung)
{
  Work *self = (Work *) work;
  IcaCardWork *card = &self->card;

  if (rung == PRODUCTION)
    esk_ica_produce_end (ladder, &self->produced);
  if (self->handle != NULL)
    self->destroy (self->handle);
  if (self->mapped)
    {
      if (card->host_w != NULL)
        cudaFreeHost (card->host_w);
      if (card->host_sums != NULL)
        cudaFreeHost (card->host_sums);
    }
  else
    {
      free (card->host_w);
      free (card->host_sums);
      ladder_free (card->w);
      ladder_free (card->sums);
    }
  ladder_free (card->g);
  ladder_free (card->partial);
  ladder_free (self->product);
  free (self->host_product);
  memset (card, 0, sizeof *card);
  self->handle = NULL;
  self->product = self->host_product = NULL;
  self->mapped = 0;
}

static int64_t
output (void   *work,
        double *values,
        size_t  n)
{
  return esk_ica_work_output (&((Work *) work)->of, values, n);
}

extern "C" const EskSubject ladder_ica = {
  rungs, N_RUNGS, esk_ica_work_least, prepare, clear, begin, run, finish, end, output,
};
