/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The transform's ladder of cards: its rungs, and how one is run. */

#include "es-ladder-cuda-transform-private.h"

#include <stdlib.h>

/* Multiplications of a launch, so that none takes long on the slowest of cards. */
#define PIECE 1e10
#define PIECE_ROUND 1024

enum { V0, ROW, V1, V2, R5, PRODUCTION, LIBRARY, N_RUNGS };

static const EskRung rungs[N_RUNGS] = {
  { "v0", ESK_RUNG_STEP, "", NULL, NULL },
  { "row", ESK_RUNG_STEP, "S_5", "v0", NULL },
  { "v1", ESK_RUNG_STEP, "C_6", "v0", NULL },
  { "v2", ESK_RUNG_STEP, "C_6 S_5", "v1", NULL },
  { "r5", ESK_RUNG_STEP, "C_6 C_1 S_6 R_5", "v2", NULL },
  { "production", ESK_RUNG_PRODUCTION, "S_5 S_6 R_5 G_2 D", "r5", NULL },
  { "library", ESK_RUNG_LIBRARY, "S_5 S_6 R_5", NULL, NULL },
};

static const TransformLaunch launches[PRODUCTION] = {
  transform_launch_v0, transform_launch_row, transform_launch_v1, transform_launch_v2, transform_launch_r5,
};

static void
clear (EskLadder *ladder,
       void      *work)
{
  TransformOfCard *self = (TransformOfCard *) work;

  ladder_free (self->planes);
  ladder_free (self->basis);
  ladder_free (self->offset);
  ladder_free (self->out);
  esk_transform_work_clear (&self->of);
  free (self);
}

static int
fill (EskLadder           *ladder,
      TransformOfCard     *self,
      const EskLadderSize *size)
{
  const EskTransformWork *of = &self->of;
  int code;

  ESK_LADDER_TRY (esk_transform_work_init (ladder, &self->of, size));
  if ((self->planes = (uint8_t *) ladder_memory (ladder, of->pixels * of->bands, &code)) == NULL
      || (self->basis = (float *) ladder_memory (ladder, of->rows * of->bands * sizeof (float), &code)) == NULL
      || (self->offset = (float *) ladder_memory (ladder, of->rows * sizeof (float), &code)) == NULL
      || (self->out = (float *) ladder_memory (ladder, of->rows * of->pixels * sizeof (float), &code)) == NULL)
    return code;
  ESK_LADDER_TRY (ladder_upload (ladder, self->planes, of->planes, of->pixels * of->bands));
  ESK_LADDER_TRY (ladder_upload (ladder, self->basis, of->basis, of->rows * of->bands * sizeof (float)));
  return ladder_upload (ladder, self->offset, of->offset, of->rows * sizeof (float));
}

static int
prepare (EskLadder           *ladder,
         const EskLadderSize *size,
         void               **work)
{
  TransformOfCard *self = (TransformOfCard *) calloc (1, sizeof *self);
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

/* Pixels of a piece. */
static size_t
piece_of (const EskTransformWork *of)
{
  const double pixels = PIECE / ((double) of->rows * (double) of->bands);

  return pixels >= (double) of->pixels ? of->pixels
         : pixels < PIECE_ROUND ? PIECE_ROUND : (size_t) pixels / PIECE_ROUND * PIECE_ROUND;
}

static int
begin (EskLadder     *ladder,
       void          *work,
       unsigned       rung,
       EskRungResult *result)
{
  TransformOfCard *self = (TransformOfCard *) work;
  const size_t bytes = self->of.rows * self->of.pixels * sizeof (float), piece = piece_of (&self->of);

  esk_transform_forget (&self->of);
  result->type = ESK_TYPE_LAB_FLOAT32;
  if (rung == PRODUCTION)
    return esk_transform_produce_begin (ladder, &self->of, &self->produced, result);
  /* No outcome of before can be taken for this one's. */
  ESK_LADDER_TRY (ladder_check (ladder, cudaMemsetAsync (self->out, 0xff, bytes, ladder_card (ladder)->stream),
                                "memset"));
  if (rung == LIBRARY)
    return transform_library_begin (ladder, self, result);
  ESK_LADDER_TRY (transform_tell (ladder, self, launches[rung], result));
  result->launches *= (uint32_t) ((self->of.pixels + piece - 1) / piece);

  return ESK_LADDER_OK;
}

static int
run_step (EskLadder       *ladder,
          TransformOfCard *self,
          TransformLaunch  launch)
{
  const size_t pixels = self->of.pixels, piece = piece_of (&self->of);

  for (size_t first = 0; first < pixels; first += piece)
    {
      const size_t n = pixels - first < piece ? pixels - first : piece;

      ESK_LADDER_TRY (launch (ladder, self, first, n));
      if (n < pixels)
        ESK_LADDER_TRY (esk_ladder_pause (ladder, (double) (first + n) / (double) pixels));
    }

  return ESK_LADDER_OK;
}

static int
run (EskLadder *ladder,
     void      *work,
     unsigned   rung)
{
  TransformOfCard *self = (TransformOfCard *) work;

  if (rung == PRODUCTION)
    return esk_transform_produce_run (ladder, &self->of, &self->produced);
  if (rung == LIBRARY)
    return transform_library_run (ladder, self);
  return run_step (ladder, self, launches[rung]);
}

static int
finish (EskLadder     *ladder,
        void          *work,
        unsigned       rung,
        EskRungResult *result)
{
  TransformOfCard *self = (TransformOfCard *) work;

  if (rung == PRODUCTION)
    ESK_LADDER_TRY (esk_transform_produce_finish (ladder, &self->produced, &self->of));
  else
    ESK_LADDER_TRY (ladder_download (ladder, self->of.out, self->out,
                                     self->of.rows * self->of.pixels * sizeof (float)));
  esk_transform_check (&self->of, result);
  return ESK_LADDER_OK;
}

static void
end (EskLadder *ladder,
     void      *work,
     unsigned   rung)
{
  TransformOfCard *self = (TransformOfCard *) work;

  if (rung == PRODUCTION)
    esk_transform_produce_end (ladder, &self->produced);
  if (rung == LIBRARY)
    transform_library_end (self);
}

static int64_t
output (void   *work,
        double *values,
        size_t  n)
{
  return esk_transform_output (&((TransformOfCard *) work)->of, values, n);
}

extern "C" const EskSubject ladder_transform = {
  rungs, N_RUNGS, esk_transform_least, prepare, clear, begin, run, finish, end, output,
};
