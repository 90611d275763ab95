/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The covariance matrix on a card, as hyperspectral.md 4.1 climbs it. */

#include "ladder/es-ladder-covariance-internal.h"
#include "es-ladder-cuda-private.h"

#include <stdlib.h>

typedef struct {
  EskCovarianceWork     of;
  EskCovarianceProduced produced;
  uint8_t              *planes;                /* the card's, as the host's */
  unsigned long long   *product, *sum;
} Work;

enum { V0, PRODUCTION, N_RUNGS };

static const EskRung rungs[N_RUNGS] = {
  { "v0", ESK_RUNG_STEP, "", NULL, NULL },
  { "production", ESK_RUNG_PRODUCTION, "D S_6", "v0", NULL },
};

/* Entries of a launch, so that none takes long on the slowest of cards. */
#define THREADS 256
#define PIECE_PRODUCTS 4e9

/* lab: covariance-v0 */
/* A thread an entry: it goes through all pixels of its two bands. */
__global__ void
covariance_v0 (const uint8_t      *planes,
               size_t              pixels,
               unsigned            bands,
               size_t              first,
               unsigned long long *product)
{
  const size_t entry = first + (size_t) blockIdx.x * blockDim.x + threadIdx.x;
  const size_t i = entry / bands, j = entry % bands;

  if (i >= bands)
    return;
  product[entry] = 0;
  for (size_t p = 0; p < pixels; p++)
    product[entry] += (unsigned long long) planes[i * pixels + p] * planes[j * pixels + p];
}
/* lab end */

__global__ void
covariance_band_sums (const uint8_t      *planes,
                      size_t              pixels,
                      unsigned long long *sum)
{
  const uint8_t *plane = planes + (size_t) blockIdx.x * pixels;
  unsigned long long own = 0;

  for (size_t p = threadIdx.x; p < pixels; p += blockDim.x)
    own += plane[p];
  for (unsigned step = 16; step > 0; step /= 2)
    own += __shfl_down_sync (0xffffffffu, own, step);
  if (threadIdx.x % 32 == 0)
    atomicAdd (sum + blockIdx.x, own);
}

static int
run_v0 (EskLadder *ladder,
        Work      *self)
{
  const size_t bands = self->of.bands, entries = bands * bands;
  const size_t piece_wanted = (size_t) (PIECE_PRODUCTS / (double) self->of.pixels) / THREADS * THREADS;
  const size_t piece = piece_wanted < THREADS ? THREADS : piece_wanted;
  cudaStream_t stream = ladder_card (ladder)->stream;

  for (size_t first = 0; first < entries; first += piece)
    {
      const size_t n = entries - first < piece ? entries - first : piece;

      covariance_v0<<<(unsigned) ((n + THREADS - 1) / THREADS), THREADS, 0, stream>>> (self->planes, self->of.pixels,
                                                                                     (unsigned) bands, first,
                                                                                     self->product);
      ESK_LADDER_TRY (ladder_launched (ladder, "covariance V0"));
      if (piece < entries)
        ESK_LADDER_TRY (esk_ladder_pause (ladder, (double) (first + n) / (double) entries));
    }

  return ESK_LADDER_OK;
}

static void
clear (EskLadder *ladder,
       void      *work)
{
  Work *self = (Work *) work;

  ladder_free (self->planes);
  ladder_free (self->product);
  ladder_free (self->sum);
  esk_covariance_work_clear (&self->of);
  free (self);
}

static int
fill (EskLadder           *ladder,
      Work                *self,
      const EskLadderSize *size)
{
  int code;

  ESK_LADDER_TRY (esk_covariance_work_init (ladder, &self->of, size));
  if ((self->planes = (uint8_t *) ladder_memory (ladder, self->of.pixels * self->of.bands, &code)) == NULL
      || (self->product = (unsigned long long *) ladder_memory (ladder, 8 * self->of.bands * self->of.bands,
                                                                &code)) == NULL
      || (self->sum = (unsigned long long *) ladder_memory (ladder, 8 * self->of.bands, &code)) == NULL)
    return code;

  return ladder_upload (ladder, self->planes, self->of.planes, self->of.pixels * self->of.bands);
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
  const double pixels = (double) self->of.pixels, bands = (double) self->of.bands;
  const size_t bytes = 8 * self->of.bands;
  cudaStream_t stream = ladder_card (ladder)->stream;

  memset (self->of.product, 0, bytes * self->of.bands);
  if (rung == PRODUCTION)
    return esk_covariance_produce_begin (ladder, &self->of, &self->produced, result);
  ESK_LADDER_TRY (ladder_check (ladder, cudaMemsetAsync (self->product, 0, bytes * self->of.bands, stream), "memset"));
  result->type = ESK_TYPE_LAB_INT32;
  result->launches = 1;
  result->bytes = 2.0 * pixels * bands * bands;
  result->operations = 2.0 * pixels * bands * bands;
  return ladder_kernel (ladder, result, (const void *) covariance_v0, THREADS,
                        (self->of.bands * self->of.bands + THREADS - 1) / THREADS, 0);
}

static int
run (EskLadder *ladder,
     void      *work,
     unsigned   rung)
{
  Work *self = (Work *) work;
  cudaStream_t stream = ladder_card (ladder)->stream;

  if (rung == PRODUCTION)
    return esk_covariance_produce_run (ladder, &self->produced);
  ESK_LADDER_TRY (run_v0 (ladder, self));
  ESK_LADDER_TRY (ladder_check (ladder, cudaMemsetAsync (self->sum, 0, 8 * self->of.bands, stream), "memset"));
  covariance_band_sums<<<(unsigned) self->of.bands, THREADS, 0, stream>>> (self->planes, self->of.pixels, self->sum);
  return ladder_launched (ladder, "the sums of bands");
}

static int
finish (EskLadder     *ladder,
        void          *work,
        unsigned       rung,
        EskRungResult *result)
{
  Work *self = (Work *) work;
  const size_t bands = self->of.bands;

  if (rung == PRODUCTION)
    ESK_LADDER_TRY (esk_covariance_produce_finish (ladder, &self->produced, &self->of));
  else
    {
      ESK_LADDER_TRY (ladder_download (ladder, self->of.product, self->product, 8 * bands * bands));
      ESK_LADDER_TRY (ladder_download (ladder, self->of.sum, self->sum, 8 * bands));
    }
  esk_covariance_check (&self->of, result);
  return ESK_LADDER_OK;
}

static void
end (EskLadder *ladder,
     void      *work,
     unsigned   rung)
{
  if (rung == PRODUCTION)
    esk_covariance_produce_end (ladder, &((Work *) work)->produced);
}

static int64_t
output (void   *work,
        double *values,
        size_t  n)
{
  return esk_covariance_output (&((Work *) work)->of, values, n);
}

extern "C" const EskSubject ladder_covariance = {
  rungs, N_RUNGS, esk_covariance_least, prepare, clear, begin, run, finish, end, output,
};
