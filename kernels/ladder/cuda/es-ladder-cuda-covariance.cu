/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The covariance's ladder of cards: its rungs, and how one is run. */

#include "es-ladder-cuda-covariance-private.h"

#include <stdlib.h>

/* What a rung lays out first. */
typedef enum { NOTHING, TRANSPOSED, WORDS } Layout;

typedef int (*Tell) (EskLadder *ladder, const CovarianceOfCard *self, CovarianceLaunch launch, EskRungResult *result);

/* Products of a launch, so that none takes long on the slowest of cards: threads that go alone through pixels far apart
 * are slower than the rest. */
#define FAR 2e9
#define NEAR 2e10

typedef struct {
  CovarianceLaunch launch;
  Tell             tell;
  Layout           layout;
  double           piece;
} Step;

/* In the order of rungs; those of production and the library are empty. */
static const Step steps[] = {
  { covariance_launch_v0, covariance_tell_steps, NOTHING, FAR },
  { covariance_launch_s5, covariance_tell_steps, NOTHING, FAR },
  { covariance_launch_v1, covariance_tell_steps, TRANSPOSED, FAR },
  { covariance_launch_v2, covariance_tell_steps, TRANSPOSED, FAR },
  { covariance_launch_v3_single, covariance_tell_steps, NOTHING, NEAR },
  { covariance_launch_v3, covariance_tell_steps, NOTHING, NEAR },
  { covariance_launch_v4, covariance_tell_steps, NOTHING, NEAR },
  { covariance_launch_v4_1, covariance_tell_steps, NOTHING, NEAR },
  { covariance_launch_v4_4, covariance_tell_steps, NOTHING, NEAR },
  { covariance_launch_dp4a, covariance_tell_dots, WORDS, NEAR },
  { covariance_launch_dp4a_r5, covariance_tell_dots, WORDS, NEAR },
  { covariance_launch_i, covariance_tell_mappings, NOTHING, FAR },
  { covariance_launch_ii_1, covariance_tell_mappings, NOTHING, NEAR },
  { covariance_launch_ii_2, covariance_tell_mappings, NOTHING, NEAR },
  { covariance_launch_ii_3, covariance_tell_mappings, NOTHING, NEAR },
  { covariance_launch_iii, covariance_tell_mappings, NOTHING, NEAR },
};

#define N_STEPS (sizeof steps / sizeof *steps)
#define PRODUCTION N_STEPS
#define LIBRARY (N_STEPS + 1)

static const EskRung rungs[] = {
  { "v0", ESK_RUNG_STEP, "", NULL, NULL },
  { "s5", ESK_RUNG_STEP, "S_5", "v0", NULL },
  { "v1", ESK_RUNG_STEP, "G_3", "v0", NULL },
  { "v2", ESK_RUNG_STEP, "G_3 S_5", "v1", NULL },
  { "v3-single", ESK_RUNG_STEP, "G_3 S_5 S_6", "v2", NULL },
  { "v3", ESK_RUNG_STEP, "G_3 S_5 S_4 S_6", "v2", NULL },
  { "v4", ESK_RUNG_STEP, "G_3 S_5 S_4 S_6 S_1", "v3", NULL },
  { "v4-1", ESK_RUNG_STEP, "G_3 S_5 S_4 S_6 S_1", "v3", NULL },
  { "v4-4", ESK_RUNG_STEP, "G_3 S_5 S_4 S_6 S_1", "v3", NULL },
  { "dp4a", ESK_RUNG_STEP, "G_3 S_5 S_4 S_6 S_1 G_2 D", "v4", NULL },
  { "dp4a-r5", ESK_RUNG_STEP, "G_3 S_5 S_4 S_6 S_1 G_2 D R_5", "dp4a", NULL },
  { "i", ESK_RUNG_STEP, "", NULL, NULL },
  { "ii-1", ESK_RUNG_STEP, "G_3", "i", NULL },
  { "ii-2", ESK_RUNG_STEP, "G_3", "ii-1", NULL },
  { "ii-3", ESK_RUNG_STEP, "G_3", "ii-2", NULL },
  { "iii", ESK_RUNG_STEP, "G_3", "ii-3", NULL },
  { "production", ESK_RUNG_PRODUCTION, "G_3 S_5 S_4 S_6 S_1 G_2 D R_5", "dp4a-r5", NULL },
  { "library", ESK_RUNG_LIBRARY, "G_2 D", NULL, NULL },
};

#define N_RUNGS (sizeof rungs / sizeof *rungs)
static_assert (N_RUNGS == N_STEPS + 2 && N_RUNGS <= ESK_LADDER_MOST_RUNGS, "a rung a step");

#define SUM_THREADS 256
#define SUM_PARTS 8

static __global__ void
covariance_band_sums (const uint8_t      *planes,
                      size_t              pixels,
                      unsigned long long *sum)
{
  const uint8_t *plane = planes + blockIdx.x * pixels;
  unsigned long long own = 0;

  for (size_t p = (size_t) blockIdx.y * blockDim.x + threadIdx.x; p < pixels; p += (size_t) gridDim.y * blockDim.x)
    own += plane[p];
  for (unsigned lanes = 16; lanes > 0; lanes /= 2)
    own += __shfl_down_sync (0xffffffffu, own, lanes);
  if (threadIdx.x % 32 == 0)
    atomicAdd (sum + blockIdx.x, own);
}

/* ---- data ---- */

static void
clear (EskLadder *ladder,
       void      *work)
{
  CovarianceOfCard *self = (CovarianceOfCard *) work;

  ladder_free (self->planes);
  ladder_free (self->product);
  ladder_free (self->sum);
  esk_covariance_work_clear (&self->of);
  free (self);
}

static int
fill (EskLadder           *ladder,
      CovarianceOfCard    *self,
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
  CovarianceOfCard *self = (CovarianceOfCard *) calloc (1, sizeof *self);
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

/* ---- a rung ---- */

/* Pixels of a piece. */
static size_t
piece_of (const CovarianceOfCard *self,
          const Step             *step)
{
  const double bands = (double) self->of.bands, pixels = step->piece / (0.5 * bands * (bands + 1.0));

  return pixels < COVARIANCE_ROUND ? COVARIANCE_ROUND
         : pixels > (double) self->of.pixels ? (self->of.pixels + COVARIANCE_ROUND - 1) / COVARIANCE_ROUND
                                               * COVARIANCE_ROUND
                                             : (size_t) pixels / COVARIANCE_ROUND * COVARIANCE_ROUND;
}

static int
begin (EskLadder     *ladder,
       void          *work,
       unsigned       rung,
       EskRungResult *result)
{
  CovarianceOfCard *self = (CovarianceOfCard *) work;

  memset (self->of.product, 0, 8 * self->of.bands * self->of.bands);
  memset (self->of.sum, 0, 8 * self->of.bands);
  if (rung == PRODUCTION)
    return esk_covariance_produce_begin (ladder, &self->of, &self->produced, result);
  if (rung == LIBRARY)
    return covariance_library_begin (ladder, self, result);
  result->type = ESK_TYPE_LAB_INT32;
  ESK_LADDER_TRY (steps[rung].tell (ladder, self, steps[rung].launch, result));
  /* The sums of bands are a launch, too. */
  result->launches = 1 + result->launches * (uint32_t) ((self->of.pixels + piece_of (self, &steps[rung]) - 1)
                                                        / piece_of (self, &steps[rung]));
  switch (steps[rung].layout)
    {
    case TRANSPOSED: return covariance_transposed_make (ladder, self, result);
    case WORDS: return covariance_words_make (ladder, self, result);
    default: return ESK_LADDER_OK;
    }
}

static int
run_step (EskLadder        *ladder,
          CovarianceOfCard *self,
          const Step       *step)
{
  const size_t bands = self->of.bands, pixels = self->of.pixels, piece = piece_of (self, step);
  cudaStream_t stream = ladder_card (ladder)->stream;

  ESK_LADDER_TRY (ladder_check (ladder, cudaMemsetAsync (self->product, 0, 8 * bands * bands, stream), "memset"));
  ESK_LADDER_TRY (ladder_check (ladder, cudaMemsetAsync (self->sum, 0, 8 * bands, stream), "memset"));
  for (size_t first = 0; first < pixels; first += piece)
    {
      const size_t n = pixels - first < piece ? pixels - first : piece;

      ESK_LADDER_TRY (step->launch (ladder, self, first, n));
      if (n < pixels)
        ESK_LADDER_TRY (esk_ladder_pause (ladder, (double) (first + n) / (double) pixels));
    }
  if (step->layout == WORDS)
    return covariance_words_sums (ladder, self);
  covariance_band_sums<<<dim3 ((unsigned) bands, SUM_PARTS), SUM_THREADS, 0, stream>>> (self->planes, pixels,
                                                                                        self->sum);
  return ladder_launched (ladder, "the sums of bands");
}

static int
run (EskLadder *ladder,
     void      *work,
     unsigned   rung)
{
  CovarianceOfCard *self = (CovarianceOfCard *) work;

  if (rung == PRODUCTION)
    return esk_covariance_produce_run (ladder, &self->produced);
  if (rung == LIBRARY)
    return covariance_library_run (ladder, self);
  return run_step (ladder, self, &steps[rung]);
}

static int
finish (EskLadder     *ladder,
        void          *work,
        unsigned       rung,
        EskRungResult *result)
{
  CovarianceOfCard *self = (CovarianceOfCard *) work;
  const size_t bands = self->of.bands;

  if (rung == PRODUCTION)
    ESK_LADDER_TRY (esk_covariance_produce_finish (ladder, &self->produced, &self->of));
  else if (rung == LIBRARY)
    ESK_LADDER_TRY (covariance_library_finish (ladder, self));
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
  CovarianceOfCard *self = (CovarianceOfCard *) work;

  if (rung == PRODUCTION)
    esk_covariance_produce_end (ladder, &self->produced);
  if (rung == LIBRARY)
    covariance_library_end (self);
  ladder_free (self->transposed);
  ladder_free (self->words);
  self->transposed = NULL;
  self->words = NULL;
}

static int64_t
output (void   *work,
        double *values,
        size_t  n)
{
  return esk_covariance_output (&((CovarianceOfCard *) work)->of, values, n);
}

extern "C" const EskSubject ladder_covariance = {
  rungs, N_RUNGS, esk_covariance_least, prepare, clear, begin, run, finish, end, output,
};
