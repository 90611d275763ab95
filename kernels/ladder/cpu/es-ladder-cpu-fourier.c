/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The Fourier transform on the processor: what each rung needs, and what it takes. */

#include "es-ladder-cpu-fourier-private.h"
#include "host/es-blas-internal.h"

#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum { FIRST, TABLE, RADIX, HALF, BLOCKED, VECTORISED, THREADED, FFTW, LIBRARY, PRODUCTION, N_RUNGS };

static const EskRung rungs[N_RUNGS] = {
  [FIRST] = { "first", ESK_RUNG_STEP, "", NULL, NULL },
  [TABLE] = { "table", ESK_RUNG_STEP, "A", "first", NULL },
  [RADIX] = { "radix", ESK_RUNG_STEP, "A", "table", NULL },
  [HALF] = { "half", ESK_RUNG_STEP, "A", "radix", NULL },
  [BLOCKED] = { "blocked", ESK_RUNG_STEP, "A B", "half", NULL },
  [VECTORISED] = { "vectorised", ESK_RUNG_STEP, "A B V", "blocked", NULL },
  [THREADED] = { "threaded", ESK_RUNG_STEP, "A B V P", "vectorised", NULL },
  [FFTW] = { "fftw", ESK_RUNG_STEP, "A B V", NULL, NULL },
  [LIBRARY] = { "library", ESK_RUNG_LIBRARY, "A B V P", "fftw", NULL },
  [PRODUCTION] = { "production", ESK_RUNG_PRODUCTION, "A B V P", "threaded", NULL },
};

/* Seconds that FFTW may try plans, and bytes that it may take meanwhile. */
#define PLAN_SECONDS 2.0
#define PLAN_BYTES ((size_t) 4 << 20)
#define PLAN_BYTES_A_SAMPLE 128

/* FFTW's planner is not for several threads. */
static pthread_mutex_t planner = PTHREAD_MUTEX_INITIALIZER;



static int
prepare (EskLadder           *ladder,
         const EskLadderSize *size,
         void               **work)
{
  LadderFourier *self = calloc (1, sizeof *self);
  int code;

  if (self == NULL)
    return ESK_LADDER_ERROR_MEMORY;
  code = esk_fourier_work_init (ladder, &self->of, size);
  if (code != ESK_LADDER_OK)
    free (self);
  else
    *work = self;
  return code;
}

static void
clear (EskLadder *ladder,
       void      *work)
{
  LadderFourier *self = work;

  esk_fourier_work_clear (&self->of);
  free (self);
}

/* ---- what rungs lay out ---- */

static void
reverse (uint32_t *reversed,
         size_t    n)
{
  for (size_t k = 0, at = 0; k < n; k++)
    {
      size_t bit = n / 2;

      reversed[k] = (uint32_t) at;
      /* One more, carried to the right. */
      for (; bit > 0 && (at & bit) != 0; bit /= 2)
        at ^= bit;
      at |= bit;
    }
}

/* Turns of all rungs but the first and FFTW's; places and numbers of those that halve. */
static int
lay_out (EskLadder     *ladder,
         LadderFourier *self,
         unsigned       rung,
         EskRungResult *result)
{
  const size_t n = self->of.samples, length = rung == RADIX ? n : n / 2;
  const size_t copies = rung == RADIX || rung == HALF ? self->of.elements
                        : rung == VECTORISED || rung == THREADED ? LADDER_FOURIER_LANES : 1;
  const double began = esk_ladder_now ();

  self->turns = ladder_more (2 * n * sizeof (float), result);
  if (self->turns == NULL)
    return ESK_LADDER_ERROR_MEMORY;
  esk_fourier_turns (n, self->turns);
  if (rung >= RADIX)
    {
      ESK_LADDER_TRY (ladder_room (8.0 * (double) length * (double) copies, result));
      /* Of each thread a little more, lest all begin at the same place of the caches. */
      self->scratch_floats = 2 * length * copies + 16;
      self->reversed = ladder_more (length * sizeof *self->reversed, result);
      self->scratch = ladder_more ((rung == THREADED ? ladder_threads (ladder) : 1) * self->scratch_floats
                                   * sizeof (float), result);
      if (self->reversed == NULL || self->scratch == NULL)
        return ESK_LADDER_ERROR_MEMORY;
      reverse (self->reversed, length);
    }
  result->setup = esk_ladder_now () - began;

  return ESK_LADDER_OK;
}

/* What it has learned is forgotten: it would decide on plans of the program, whose bits are not to depend on that. */
static fftwf_plan
plan_fftw (const EskFourierWork *of,
           size_t                many)
{
  const int n = (int) of->samples;
  const size_t in_bytes = many * of->samples * sizeof (float), out_bytes = many * of->stride * sizeof (fftwf_complex);
  /* Vectors can be had where each element begins as the first does. */
  const unsigned flags = FFTW_MEASURE | (of->samples % 16 != 0 ? FFTW_UNALIGNED : 0);
  float *in = ladder_memory (in_bytes);
  fftwf_complex *out = ladder_memory (out_bytes);
  fftwf_plan plan = NULL;

  /* It ends the program where it does not get what it works with. */
  if (in != NULL && out != NULL && esk_memory_is_there (PLAN_BYTES + many * of->samples * PLAN_BYTES_A_SAMPLE))
    {
      /* Slow numbers would mislead it. */
      memset (in, 0, in_bytes);
      memset (out, 0, out_bytes);
      pthread_mutex_lock (&planner);
#ifdef ESK_HAVE_FFTW_THREADS
      fftwf_make_planner_thread_safe ();
#endif
      fftwf_set_timelimit (PLAN_SECONDS);
      plan = fftwf_plan_many_dft_r2c (1, &n, (int) many, in, NULL, 1, n, out, NULL, 1, (int) of->stride, flags);
      fftwf_set_timelimit (FFTW_NO_TIMELIMIT);
      fftwf_forget_wisdom ();
      pthread_mutex_unlock (&planner);
    }
  free (in);
  free (out);

  return plan;
}

static int
plan_all (LadderFourier *self,
          unsigned       rung,
          EskRungResult *result)
{
  const size_t batch = rung == LIBRARY ? LADDER_FOURIER_BATCH : 1, left = self->of.elements % batch;
  const double began = esk_ladder_now ();

  if (self->of.elements >= batch && (self->plan = plan_fftw (&self->of, batch)) == NULL)
    return ESK_LADDER_ERROR_MEMORY;
  if (left > 0 && (self->rest = plan_fftw (&self->of, left)) == NULL)
    return ESK_LADDER_ERROR_MEMORY;
  result->setup = esk_ladder_now () - began;

  return ESK_LADDER_OK;
}

/* ---- a rung ---- */

/* What it asks of memory, caches or not, and its arithmetic; a cosine and a sine count as two polynomials of four
 * multiply-adds. */
static void
count (const EskFourierWork *of,
       unsigned              rung,
       EskRungResult        *result)
{
  const double elements = (double) of->elements, bins = (double) of->bins, n = (double) of->samples;
  const double products = elements * bins * n, length = rung == RADIX ? n : n / 2.0, stages = log2 (length);
  /* Stages read and write all numbers and read a phasor for two of them; they were laid out and are taken apart. */
  const double staged = elements * (stages * length * 20.0 + 4.0 * n + 8.0 * length + 32.0 * bins);

  result->bytes = rung == FIRST ? 20.0 * products : rung == TABLE ? 28.0 * products : staged;
  result->operations = rung == FIRST ? 20.0 * products : rung == TABLE ? 4.0 * products
                       : elements * (5.0 * length * stages + (rung == RADIX ? 0.0 : 16.0 * bins));
  if (rung == FFTW || rung == LIBRARY)
    {
      /* What a library asks of the caches is not known. */
      result->bytes = 0.0;
      result->operations = elements * 2.5 * n * log2 (n);
    }
}

static int
begin (EskLadder     *ladder,
       void          *work,
       unsigned       rung,
       EskRungResult *result)
{
  LadderFourier *self = work;
  const size_t n = self->of.samples;

  esk_fourier_forget (&self->of);
  result->threads = rung < THREADED || rung == FFTW ? 1 : ladder_threads (ladder);
  if (rung == PRODUCTION)
    {
      if (ladder->production != NULL)
        esk_hotspots_set_threads (ladder->production, ladder->stream, (int) ladder_threads (ladder));
      return esk_fourier_produce_begin (ladder, &self->of, &self->produced, result);
    }
  result->type = ESK_TYPE_LAB_FLOAT32;
  result->launches = 1;
  count (&self->of, rung, result);
  if (rung == VECTORISED || rung == THREADED)
    ESK_LADDER_TRY (ladder_vectors ("avx2", result));
  if (rung >= RADIX && rung <= THREADED && (n & (n - 1)) != 0)
    return esk_ladder_refuse (result, ESK_WHY_SIZE, (double) n, 0, "a power of two");
  if ((rung == VECTORISED || rung == THREADED) && n < 8)
    return esk_ladder_refuse (result, ESK_WHY_SIZE, (double) n, 8, "8 samples");
  if (rung == FFTW || rung == LIBRARY)
    return plan_all (self, rung, result);

  return rung == FIRST ? ESK_LADDER_OK : lay_out (ladder, self, rung, result);
}

static int
run (EskLadder *ladder,
     void      *work,
     unsigned   rung)
{
  static int (*const climb[PRODUCTION]) (EskLadder *, LadderFourier *) = {
    [FIRST] = ladder_fourier_first, [TABLE] = ladder_fourier_table, [RADIX] = ladder_fourier_radix,
    [HALF] = ladder_fourier_half, [BLOCKED] = ladder_fourier_blocked, [VECTORISED] = ladder_fourier_vectorised,
    [THREADED] = ladder_fourier_threaded, [FFTW] = ladder_fourier_fftw, [LIBRARY] = ladder_fourier_library,
  };
  LadderFourier *self = work;

  return rung == PRODUCTION ? esk_fourier_produce_run (ladder, &self->produced) : climb[rung] (ladder, self);
}

static int
finish (EskLadder     *ladder,
        void          *work,
        unsigned       rung,
        EskRungResult *result)
{
  LadderFourier *self = work;

  if (rung == PRODUCTION)
    ESK_LADDER_TRY (esk_fourier_produce_finish (ladder, &self->produced, &self->of));
  esk_fourier_check (&self->of, rung <= TABLE, result);
  return ESK_LADDER_OK;
}

static void
end (EskLadder *ladder,
     void      *work,
     unsigned   rung)
{
  LadderFourier *self = work;

  if (rung == PRODUCTION)
    esk_fourier_produce_end (ladder, &self->produced);
  pthread_mutex_lock (&planner);
  if (self->plan != NULL)
    fftwf_destroy_plan (self->plan);
  if (self->rest != NULL)
    fftwf_destroy_plan (self->rest);
  pthread_mutex_unlock (&planner);
  free (self->turns);
  free (self->reversed);
  free (self->scratch);
  self->plan = self->rest = NULL;
  self->turns = self->scratch = NULL;
  self->reversed = NULL;
}

static int64_t
output (void   *work,
        double *values,
        size_t  n)
{
  LadderFourier *self = work;

  return esk_fourier_output (&self->of, values, n);
}

const EskSubject ladder_fourier = {
  rungs, N_RUNGS, esk_fourier_least, prepare, clear, begin, run, finish, end, output,
};
