/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Noise residuals on a card: what each rung takes, and the hot spot beside them. */

#include "es-ladder-cuda-noise-private.h"

#include <stdlib.h>

/* Pixels of a launch, so that none takes long on the slowest of cards. */
#define PIECE_PIXELS 2e8

typedef struct {
  EskResidualWork     of;
  EskResidualProduced produced;
  uint8_t            *planes;          /* the card's, as the host's */
  int16_t            *out;
  NoiseCardWork       card;            /* of a rung */
} Work;

enum { V0, V1, V2, V3, V4, PRODUCTION, PRODUCTION_MEDIAN, N_RUNGS };

static const EskRung rungs[N_RUNGS] = {
  { "v0", ESK_RUNG_STEP, "", NULL, NULL, ESK_RESIDUAL_MEDIAN },
  { "v1", ESK_RUNG_STEP, "R_3", "v0", NULL, ESK_RESIDUAL_MEAN },
  { "v2", ESK_RUNG_STEP, "R_3 S_5", "v1", NULL, ESK_RESIDUAL_MEAN },
  { "v3", ESK_RUNG_STEP, "R_3 S_5 S_4 S_6", "v2", NULL, ESK_RESIDUAL_MEAN },
  { "v4", ESK_RUNG_STEP, "R_3 R_5 S_4", "v3", NULL, ESK_RESIDUAL_MEAN },
  { "production", ESK_RUNG_PRODUCTION, "R_3 R_5 S_6", "v4", NULL, ESK_RESIDUAL_MEAN },
  { "production-median", ESK_RUNG_PRODUCTION, "R_1 R_5 S_6", "v0", NULL, ESK_RESIDUAL_MEDIAN },
};

static void
clear (EskLadder *ladder,
       void      *work)
{
  Work *self = (Work *) work;

  ladder_free (self->planes);
  ladder_free (self->out);
  esk_residual_work_clear (&self->of);
  free (self);
}

static int
fill (EskLadder           *ladder,
      Work                *self,
      const EskLadderSize *size)
{
  size_t n;
  int code;

  ESK_LADDER_TRY (esk_residual_work_init (ladder, &self->of, size));
  n = self->of.pixels * self->of.bands;
  if ((self->planes = (uint8_t *) ladder_memory (ladder, n, &code)) == NULL
      || (self->out = (int16_t *) ladder_memory (ladder, n * sizeof *self->out, &code)) == NULL)
    return code;

  return ladder_upload (ladder, self->planes, self->of.planes, n);
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

/* Loads and stores of a pixel in bytes, and operations, as the kernels are written; of v2 what it brings to shared
 * memory, of v3 that of a tile with its ring. Nine are put in order by 18 comparisons and as many moves. */
static void
count (EskRungResult       *result,
       const Work          *self,
       unsigned             rung)
{
  const double down = self->card.threads / 32, pixels = (double) self->of.inner_width * (double) self->of.inner_height;
  const double loads[V4 + 1] = { 10.0, 10.0, 3.0, 34.0 / 32.0 * (down + 2.0) / down,
                                 3.0 * (NOISE_RUN + 2.0) / NOISE_RUN };
  const double operations[V4 + 1] = { 37.0, 11.0, 11.0, 11.0, 6.0 };

  result->bytes = pixels * (double) self->of.bands * (loads[rung] + 2.0);
  result->operations = pixels * (double) self->of.bands * operations[rung];
  result->type = ESK_TYPE_LAB_INT32;
}

/* Bands of a launch. */
static unsigned
piece_of (const Work *self)
{
  const double bands = PIECE_PIXELS / (double) self->of.pixels;

  return bands < 1.0 ? 1 : bands < (double) self->of.bands ? (unsigned) bands : (unsigned) self->of.bands;
}

static int
begin_step (EskLadder     *ladder,
            Work          *self,
            unsigned       rung,
            EskRungResult *result)
{
  const NoiseRung *plan = noise_rung (rung);
  const unsigned asked = ladder->size.threads / 32 * 32, bands = (unsigned) self->of.bands, piece = piece_of (self);
  NoiseCardWork *card = &self->card;

  *card = NoiseCardWork { (unsigned) self->of.width, (unsigned) self->of.height, bands, plan->threads, self->planes,
                          self->out, ladder_card (ladder)->stream };
  if (ladder->size.threads > 0)
    card->threads = asked < plan->at_least ? plan->at_least : asked > plan->at_most ? plan->at_most : asked;
  if (self->of.inner_width == 0)
    return ESK_LADDER_OK;
  count (result, self, rung);
  result->launches = (bands + piece - 1) / piece;
  return ladder_kernel (ladder, result, plan->kernel, card->threads, plan->blocks (card), plan->shared (card));
}

static int
begin (EskLadder     *ladder,
       void          *work,
       unsigned       rung,
       EskRungResult *result)
{
  Work *self = (Work *) work;
  const size_t bytes = self->of.pixels * self->of.bands * sizeof *self->out;

  memset (self->of.out, 0, bytes);
  if (rung == PRODUCTION || rung == PRODUCTION_MEDIAN)
    return esk_residual_produce_begin (ladder, &self->of, rungs[rung].definition, &self->produced, result);
  ESK_LADDER_TRY (ladder_check (ladder, cudaMemsetAsync (self->out, 0, bytes, ladder_card (ladder)->stream), "memset"));
  return begin_step (ladder, self, rung, result);
}

static int
run (EskLadder *ladder,
     void      *work,
     unsigned   rung)
{
  Work *self = (Work *) work;
  const unsigned bands = (unsigned) self->of.bands, piece = piece_of (self);

  if (rung == PRODUCTION || rung == PRODUCTION_MEDIAN)
    return esk_residual_produce_run (ladder, &self->of, &self->produced);
  for (unsigned first = 0; first < bands && self->of.inner_width > 0; first += piece)
    {
      const unsigned end = bands - first < piece ? bands : first + piece;

      noise_rung (rung)->launch (&self->card, first, end);
      ESK_LADDER_TRY (ladder_launched (ladder, "residuals"));
      if (piece < bands)
        ESK_LADDER_TRY (esk_ladder_pause (ladder, (double) end / (double) bands));
    }

  return ESK_LADDER_OK;
}

static int
finish (EskLadder     *ladder,
        void          *work,
        unsigned       rung,
        EskRungResult *result)
{
  Work *self = (Work *) work;

  if (rung == PRODUCTION || rung == PRODUCTION_MEDIAN)
    ESK_LADDER_TRY (esk_residual_produce_finish (ladder, &self->produced, &self->of));
  else
    ESK_LADDER_TRY (ladder_download (ladder, self->of.out, self->out,
                                     self->of.pixels * self->of.bands * sizeof *self->out));
  esk_residual_work_check (&self->of, rungs[rung].definition, result);
  return ESK_LADDER_OK;
}

static void
end (EskLadder *ladder,
     void      *work,
     unsigned   rung)
{
  if (rung == PRODUCTION || rung == PRODUCTION_MEDIAN)
    esk_residual_produce_end (ladder, &((Work *) work)->produced);
}

static int64_t
output (void   *work,
        double *values,
        size_t  n)
{
  return esk_residual_work_output (&((Work *) work)->of, values, n);
}

extern "C" const EskSubject ladder_noise = {
  rungs, N_RUNGS, esk_residual_work_least, prepare, clear, begin, run, finish, end, output,
};
