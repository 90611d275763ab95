/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The Fourier transform on a card: the definition, and cuFFT's transforms one by one and all at once (sonar.md 3,
 * tables 6.1 and 6.2). */

#include "es-ladder-cuda-private.h"
#include "ladder/es-ladder-fourier-internal.h"

#include <cufft.h>
#include <stdlib.h>

/* cuFFT's functions. */
typedef struct {
  decltype (&cufftCreate)         create;
  decltype (&cufftDestroy)        destroy;
  decltype (&cufftMakePlanMany64) make_plan;
  decltype (&cufftSetStream)      set_stream;
  decltype (&cufftExecR2C)        execute;
} Fft;

typedef struct {
  EskFourierWork     of;
  EskFourierProduced produced;
  float             *signals;          /* the card's, as the host's */
  float2            *spectra;
  float             *bins;             /* the library's, as beams read them: [bin][part][element] */
  Fft                fft;
  cufftHandle        plan;
  bool               has_plan;
} Work;

enum { V0, V1, V2, LIBRARY, PRODUCTION, N_RUNGS };

static const EskRung rungs[N_RUNGS] = {
  { "v0", ESK_RUNG_STEP, "", NULL, NULL },
  { "v1", ESK_RUNG_STEP, "A", NULL, NULL },
  { "v2", ESK_RUNG_STEP, "A L", "v1", NULL },
  { "library", ESK_RUNG_LIBRARY, "A L", "v2", NULL },
  { "production", ESK_RUNG_PRODUCTION, "A L", "v0", NULL },
};

#define THREADS 256
#define LEAST_THREADS 32
#define MOST_THREADS 1024
/* Products of a launch, so that none takes long on the slowest of cards. */
#define PIECE_PRODUCTS 4e9

/* ---- the definition ---- */

/* lab: fourier-v0 */
/* A thread a bin of an element: the sum as it is written, a cosine and a sine for every product. */
static __global__ void
fourier_v0 (const float *signals,
            unsigned     n,
            unsigned     bins,
            size_t       numbers,
            size_t       first,
            size_t       stride,
            float2      *spectra)
{
  const size_t number = first + (size_t) blockIdx.x * blockDim.x + threadIdx.x;
  const size_t element = number / bins;
  const unsigned bin = (unsigned) (number % bins);
  const float *signal = signals + element * n;
  float2 z = make_float2 (0.0f, 0.0f);
  unsigned turn = 0;

  if (number >= numbers)
    return;
  for (unsigned s = 0; s < n; s++)
    {
      float re, im;

      sincospif (-2.0f * (float) turn / (float) n, &im, &re);
      z.x += signal[s] * re;
      z.y += signal[s] * im;
      /* b s / N turns, of which the whole ones change nothing. */
      turn = turn + bin < n ? turn + bin : turn + bin - n;
    }
  spectra[element * stride + bin] = z;
}
/* lab end */

static unsigned
threads_of (EskLadder *ladder)
{
  const unsigned asked = ladder->size.threads;

  return asked == 0 ? THREADS : asked < LEAST_THREADS ? LEAST_THREADS : asked > MOST_THREADS ? MOST_THREADS : asked;
}

static int
run_v0 (EskLadder *ladder,
        Work      *self)
{
  const EskFourierWork *of = &self->of;
  const unsigned threads = threads_of (ladder);
  const size_t numbers = of->elements * of->bins;
  const size_t piece_wanted = (size_t) (PIECE_PRODUCTS / (double) of->samples) / threads * threads;
  const size_t piece = piece_wanted < threads ? threads : piece_wanted;

  for (size_t first = 0; first < numbers; first += piece)
    {
      const size_t n = numbers - first < piece ? numbers - first : piece;

      fourier_v0<<<(unsigned) ((n + threads - 1) / threads), threads, 0, ladder_card (ladder)->stream>>>
        (self->signals, (unsigned) of->samples, (unsigned) of->bins, numbers, first, of->stride, self->spectra);
      ESK_LADDER_TRY (ladder_launched (ladder, "transforms by definition"));
      if (piece < numbers)
        ESK_LADDER_TRY (esk_ladder_pause (ladder, (double) (first + n) / (double) numbers));
    }

  return ESK_LADDER_OK;
}

/* ---- cuFFT's ---- */

static int
check_fft (EskLadder   *ladder,
           cufftResult  status)
{
  if (status == CUFFT_SUCCESS)
    return ESK_LADDER_OK;
  cudaGetLastError ();
  snprintf (ladder->error, sizeof ladder->error, "cuFFT: error %d", (int) status);
  return status == CUFFT_ALLOC_FAILED ? ESK_LADDER_ERROR_MEMORY : ESK_LADDER_ERROR_DEVICE;
}

/* lab: fourier-v1 */
/* A plan of one element, executed for one after the other. */
static int
make_plan_v1 (EskLadder *ladder,
              Work      *self,
              size_t    *memory)
{
  const EskFourierWork *of = &self->of;
  long long n = (long long) of->samples, stride = (long long) of->stride;

  return check_fft (ladder, self->fft.make_plan (self->plan, 1, &n, &n, 1, n, &stride, 1, stride, CUFFT_R2C, 1,
                                                 memory));
}

static int
run_v1 (EskLadder *ladder,
        Work      *self)
{
  const EskFourierWork *of = &self->of;

  for (size_t e = 0; e < of->elements; e++)
    ESK_LADDER_TRY (check_fft (ladder, self->fft.execute (self->plan, self->signals + e * of->samples,
                                                          self->spectra + e * of->stride)));

  return ESK_LADDER_OK;
}
/* lab end */

/* lab: fourier-v2 fourier-library */
/* A plan of all elements, executed once. */
static int
make_plan_v2 (EskLadder *ladder,
              Work      *self,
              size_t    *memory)
{
  const EskFourierWork *of = &self->of;
  long long n = (long long) of->samples, stride = (long long) of->stride, elements = (long long) of->elements;

  return check_fft (ladder, self->fft.make_plan (self->plan, 1, &n, &n, 1, n, &stride, 1, stride, CUFFT_R2C, elements,
                                                 memory));
}

static int
run_v2 (EskLadder *ladder,
        Work      *self)
{
  return check_fft (ladder, self->fft.execute (self->plan, self->signals, self->spectra));
}
/* lab end */

/* lab: fourier-library */
/* Beams read the bins that are wanted element beside element: a tile at a time they go through shared memory. */
static __global__ void
fourier_lay_out (const float2 *spectra,
                 size_t        stride,
                 unsigned      elements,
                 unsigned      bins,
                 float        *out)
{
  __shared__ float2 tile[32][33];

  for (unsigned row = threadIdx.y; row < 32; row += blockDim.y)
    {
      const unsigned element = blockIdx.y * 32 + row, bin = blockIdx.x * 32 + threadIdx.x;

      if (element < elements && bin < bins)
        tile[row][threadIdx.x] = spectra[element * stride + bin];
    }
  __syncthreads ();
  for (unsigned row = threadIdx.y; row < 32; row += blockDim.y)
    {
      const unsigned bin = blockIdx.x * 32 + row, element = blockIdx.y * 32 + threadIdx.x;

      if (element < elements && bin < bins)
        {
          out[(2 * (size_t) bin) * elements + element] = tile[threadIdx.x][row].x;
          out[(2 * (size_t) bin + 1) * elements + element] = tile[threadIdx.x][row].y;
        }
    }
}

static int
run_library (EskLadder *ladder,
             Work      *self)
{
  const unsigned bins = (unsigned) self->of.bins, elements = (unsigned) self->of.elements;

  ESK_LADDER_TRY (run_v2 (ladder, self));
  fourier_lay_out<<<dim3 ((bins + 31) / 32, (elements + 31) / 32), dim3 (32, 8), 0, ladder_card (ladder)->stream>>>
    (self->spectra, self->of.stride, elements, bins, self->bins);
  return ladder_launched (ladder, "laying out bins");
}
/* lab end */

/* As the other rungs leave them. */
static int
bring_library (EskLadder *ladder,
               Work      *self)
{
  const EskFourierWork *of = &self->of;
  const size_t bytes = 2 * of->bins * of->elements * sizeof (float);
  float *brought = (float *) malloc (bytes);
  int code = ESK_LADDER_ERROR_MEMORY;

  if (brought != NULL)
    code = ladder_download (ladder, brought, self->bins, bytes);
  for (size_t b = 0; code == ESK_LADDER_OK && b < 2 * of->bins; b++)
    for (size_t e = 0; e < of->elements; e++)
      of->spectra[2 * (e * of->stride + b / 2) + b % 2] = brought[b * of->elements + e];
  free (brought);

  return code;
}

static int
find_fft (EskLadder     *ladder,
          Work          *self,
          EskRungResult *result)
{
  LadderLibrary library = ladder_library (ladder, "cufft", result);
  Fft *fft = &self->fft;

  if (library == NULL)
    return ESK_LADDER_ERROR_REFUSED;
  fft->create = (decltype (fft->create)) ladder_symbol (library, "cufftCreate");
  fft->destroy = (decltype (fft->destroy)) ladder_symbol (library, "cufftDestroy");
  fft->make_plan = (decltype (fft->make_plan)) ladder_symbol (library, "cufftMakePlanMany64");
  fft->set_stream = (decltype (fft->set_stream)) ladder_symbol (library, "cufftSetStream");
  fft->execute = (decltype (fft->execute)) ladder_symbol (library, "cufftExecR2C");
  if (fft->create == NULL || fft->destroy == NULL || fft->make_plan == NULL || fft->set_stream == NULL
      || fft->execute == NULL)
    return esk_ladder_refuse (result, ESK_WHY_LIBRARY, 0, 0, "cuFFT's functions");

  return ESK_LADDER_OK;
}

/* The plan and what the first transform costs besides (table 6.2). */
static int
plan_all (EskLadder     *ladder,
          Work          *self,
          unsigned       rung,
          EskRungResult *result)
{
  cudaStream_t stream = ladder_card (ladder)->stream;
  const double began = esk_ladder_now ();
  size_t memory = 0, unused = 0, whole = 0;
  int code;

  ESK_LADDER_TRY (find_fft (ladder, self, result));
  ESK_LADDER_TRY (check_fft (ladder, self->fft.create (&self->plan)));
  self->has_plan = true;
  code = rung == V1 ? make_plan_v1 (ladder, self, &memory) : make_plan_v2 (ladder, self, &memory);
  if (code == ESK_LADDER_ERROR_MEMORY)
    {
      cudaMemGetInfo (&unused, &whole);
      return esk_ladder_refuse (result, ESK_WHY_MEMORY, (double) memory, (double) unused, NULL);
    }
  ESK_LADDER_TRY (code);
  ESK_LADDER_TRY (check_fft (ladder, self->fft.set_stream (self->plan, stream)));
  ESK_LADDER_TRY (check_fft (ladder, self->fft.execute (self->plan, self->signals, self->spectra)));
  ESK_LADDER_TRY (ladder_check (ladder, cudaStreamSynchronize (stream), "the first transform"));
  result->setup = esk_ladder_now () - began;
  result->more_memory += (double) memory;
  result->launches = rung == V1 ? (uint32_t) self->of.elements : rung == LIBRARY ? 2 : 1;
  if (rung != LIBRARY)
    return ESK_LADDER_OK;
  self->bins = (float *) ladder_more (ladder, 2 * self->of.bins * self->of.elements * sizeof (float), result, &code);

  return code;
}

/* ---- the subject ---- */

static void
clear (EskLadder *ladder,
       void      *work)
{
  Work *self = (Work *) work;

  ladder_free (self->signals);
  ladder_free (self->spectra);
  esk_fourier_work_clear (&self->of);
  free (self);
}

static size_t
spectra_bytes (const EskFourierWork *of)
{
  return of->elements * of->stride * sizeof (float2);
}

static int
fill (EskLadder           *ladder,
      Work                *self,
      const EskLadderSize *size)
{
  size_t bytes;
  int code;

  ESK_LADDER_TRY (esk_fourier_work_init (ladder, &self->of, size));
  bytes = self->of.elements * self->of.samples * sizeof (float);
  if ((self->signals = (float *) ladder_memory (ladder, bytes, &code)) == NULL
      || (self->spectra = (float2 *) ladder_memory (ladder, spectra_bytes (&self->of), &code)) == NULL)
    return code;

  return ladder_upload (ladder, self->signals, self->of.signals, bytes);
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
  const EskFourierWork *of = &self->of;
  const size_t numbers = of->elements * of->bins;
  const unsigned threads = threads_of (ladder);

  esk_fourier_forget (&self->of);
  if (rung == PRODUCTION)
    return esk_fourier_produce_begin (ladder, of, &self->produced, result);
  ESK_LADDER_TRY (ladder_check (ladder, cudaMemsetAsync (self->spectra, 0, spectra_bytes (of),
                                                         ladder_card (ladder)->stream), "memset"));
  result->type = ESK_TYPE_LAB_FLOAT32;
  if (rung != V0)
    {
      /* What cuFFT's kernels ask of memory is not known. */
      esk_fourier_least (&ladder->size, &result->bytes, &result->operations);
      result->bytes = 0.0;
      return plan_all (ladder, self, rung, result);
    }
  result->launches = 1;
  /* A multiply-add for each part, and a cosine and a sine: two polynomials of four multiply-adds each. */
  result->bytes = (double) numbers * (4.0 * (double) of->samples + 8.0);
  result->operations = (double) numbers * (double) of->samples * 20.0;
  return ladder_kernel (ladder, result, (const void *) fourier_v0, threads, (numbers + threads - 1) / threads, 0);
}

static int
run (EskLadder *ladder,
     void      *work,
     unsigned   rung)
{
  Work *self = (Work *) work;

  switch (rung)
    {
    case V0:
      return run_v0 (ladder, self);
    case V1:
      return run_v1 (ladder, self);
    case V2:
      return run_v2 (ladder, self);
    case LIBRARY:
      return run_library (ladder, self);
    default:
      return esk_fourier_produce_run (ladder, &self->produced);
    }
}

static int
finish (EskLadder     *ladder,
        void          *work,
        unsigned       rung,
        EskRungResult *result)
{
  Work *self = (Work *) work;

  if (rung == PRODUCTION)
    ESK_LADDER_TRY (esk_fourier_produce_finish (ladder, &self->produced, &self->of));
  else if (rung == LIBRARY)
    ESK_LADDER_TRY (bring_library (ladder, self));
  else
    ESK_LADDER_TRY (ladder_download (ladder, self->of.spectra, self->spectra, spectra_bytes (&self->of)));
  esk_fourier_check (&self->of, rung == V0, result);
  return ESK_LADDER_OK;
}

static void
end (EskLadder *ladder,
     void      *work,
     unsigned   rung)
{
  Work *self = (Work *) work;

  if (rung == PRODUCTION)
    esk_fourier_produce_end (ladder, &self->produced);
  if (self->has_plan)
    self->fft.destroy (self->plan);
  self->has_plan = false;
  ladder_free (self->bins);
  self->bins = NULL;
}

static int64_t
output (void   *work,
        double *values,
        size_t  n)
{
  return esk_fourier_output (&((Work *) work)->of, values, n);
}

extern "C" const EskSubject ladder_fourier = {
  rungs, N_RUNGS, esk_fourier_least, prepare, clear, begin, run, finish, end, output,
};
