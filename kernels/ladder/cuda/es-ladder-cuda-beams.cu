/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Conventional beams on a card: what each rung needs, and what it takes. */

#include "es-ladder-cuda-beams-private.h"

#include <cublas_v2.h>
#include <stdlib.h>

/* cuBLAS's functions; `columns` is missing before CUDA 11.6. */
typedef struct {
  decltype (&cublasCreate_v2)            create;
  decltype (&cublasDestroy_v2)           destroy;
  decltype (&cublasSetStream_v2)         set_stream;
  decltype (&cublasCgemmStridedBatched)  matrices;
  decltype (&cublasCgemvStridedBatched)  columns;
} Blas;

typedef struct {
  EskBeamsWork     of;
  EskBeamsProduced produced;
  LadderBeamsCard  card;
  Blas             blas;
  cublasHandle_t   handle;
  bool             by_columns;         /* what was faster when it was tried */
} Work;

enum { V0, V1, V2, V3, V4, V5, V6, G3A, G3B, G3A_G3B, R5_G3B, LIBRARY, PRODUCTION, N_RUNGS };

static const EskRung rungs[N_RUNGS] = {
  { "v0", ESK_RUNG_STEP, "S_5", NULL, NULL },
  { "v1", ESK_RUNG_STEP, "S_5 R_5", "v0", NULL },
  { "v2", ESK_RUNG_STEP, "S_5 R_5 G_3", "v1", NULL },
  { "v3", ESK_RUNG_STEP, "S_5 R_5 G_3 G_3", "v2", NULL },
  { "v4", ESK_RUNG_STEP, "S_5 R_5 G_3 G_3 A", "v3", NULL },
  { "v5", ESK_RUNG_STEP, "S_5 R_5 R_5 G_3 G_3 A", "v4", NULL },
  { "v6", ESK_RUNG_STEP, "S_5 S_6 R_5 R_5 G_3 A", "v5", NULL },
  { "g3a", ESK_RUNG_STEP, "S_5 G_3", "v0", NULL },
  { "g3b", ESK_RUNG_STEP, "S_5 G_3", "v0", NULL },
  { "g3a-g3b", ESK_RUNG_STEP, "S_5 G_3 G_3", "g3a", NULL },
  { "r5-g3b", ESK_RUNG_STEP, "S_5 R_5 G_3", "v1", NULL },
  { "library", ESK_RUNG_LIBRARY, "L", NULL, NULL },
  { "production", ESK_RUNG_PRODUCTION, "S_5 S_6 R_5 R_5 G_3 A", "v6", NULL },
};

#define ALL (LADDER_BEAMS_R5 | LADDER_BEAMS_G3A | LADDER_BEAMS_G3B)

static const struct {
  LadderBeamsForm form;
  unsigned        switches;
} steps[LIBRARY] = {
  { LADDER_BEAMS_PLAIN, 0 },
  { LADDER_BEAMS_PLAIN, LADDER_BEAMS_R5 },
  { LADDER_BEAMS_PLAIN, LADDER_BEAMS_R5 | LADDER_BEAMS_G3A },
  { LADDER_BEAMS_PLAIN, ALL },
  { LADDER_BEAMS_TURNED, ALL },
  { LADDER_BEAMS_SHUFFLED, ALL },
  { LADDER_BEAMS_BROADCAST, LADDER_BEAMS_R5 | LADDER_BEAMS_G3A },
  { LADDER_BEAMS_PLAIN, LADDER_BEAMS_G3A },
  { LADDER_BEAMS_PLAIN, LADDER_BEAMS_G3B },
  { LADDER_BEAMS_PLAIN, LADDER_BEAMS_G3A | LADDER_BEAMS_G3B },
  { LADDER_BEAMS_PLAIN, LADDER_BEAMS_R5 | LADDER_BEAMS_G3B },
};

#define THREADS 256
/* Of v6, so that there are blocks for all multiprocessors. */
#define FEW_THREADS 64
#define LEAST_THREADS 32
#define MOST_THREADS 1024
/* Bins between two cosines and sines of v4 and later. */
#define BINS 16.0

/* Of a block: sums are halved. */
static unsigned
threads_of (EskLadder *ladder,
            unsigned   rung)
{
  unsigned threads = MOST_THREADS;

  if (ladder->size.threads == 0)
    return rung == V6 ? FEW_THREADS : THREADS;
  while (threads > ladder->size.threads && threads > LEAST_THREADS)
    threads /= 2;
  return threads;
}

/* What it asks of memory, caches or not, and its arithmetic; a cosine and a sine count as two polynomials of four
 * multiply-adds. */
static void
count (Work          *self,
       unsigned       rung,
       EskRungResult *result)
{
  const double rays = (double) self->of.elements * (double) self->card.foci, bins = (double) self->of.bins;
  const double chunks = ceil (bins / BINS);

  if (rung == LIBRARY)
    {
      result->bytes = rays * 16.0 * bins;
      result->operations = rays * 8.0 * bins;
    }
  else if (steps[rung].form == LADDER_BEAMS_PLAIN)
    {
      result->bytes = rays * 12.0 * bins;
      result->operations = rays * 26.0 * bins;
    }
  else
    {
      /* Of v6 each block reads the spectra once for all of its beams. */
      result->bytes = rays * (8.0 * bins / (rung == V6 ? (double) result->threads : 1.0) + 4.0 * chunks);
      result->operations = rays * (14.0 * bins + 36.0 * chunks);
    }
}

/* ---- the library ---- */

static int
check_blas (EskLadder      *ladder,
            cublasStatus_t  status)
{
  if (status == CUBLAS_STATUS_SUCCESS)
    return ESK_LADDER_OK;
  cudaGetLastError ();
  snprintf (ladder->error, sizeof ladder->error, "cuBLAS: error %d", (int) status);
  return status == CUBLAS_STATUS_ALLOC_FAILED ? ESK_LADDER_ERROR_MEMORY : ESK_LADDER_ERROR_DEVICE;
}

/* lab: beams-library */
/* Phasors were laid out before, a matrix for each bin: beams are its product with the spectra of that bin, one column.
 * (With several snapshots it would be a matrix too.) Of both functions that do it the faster one is taken. */
static int
multiply (EskLadder *ladder,
          Work      *self)
{
  const LadderBeamsCard *card = &self->card;
  const int elements = (int) self->of.elements, foci = (int) card->foci, bins = (int) self->of.bins;
  const long long step = (long long) elements * foci;
  const cuComplex one = { 1.0f, 0.0f }, none = { 0.0f, 0.0f };

  if (self->by_columns)
    return check_blas (ladder, self->blas.columns (self->handle, CUBLAS_OP_T, elements, foci, &one, card->steering,
                                                   elements, step, card->spectra_by_bin, 1, elements, &none,
                                                   card->beams, 1, foci, bins));
  return check_blas (ladder, self->blas.matrices (self->handle, CUBLAS_OP_T, CUBLAS_OP_N, foci, 1, elements, &one,
                                                  card->steering, elements, step, card->spectra_by_bin, elements,
                                                  elements, &none, card->beams, foci, foci, bins));
}
/* lab end */

static int
find_blas (EskLadder     *ladder,
           Work          *self,
           EskRungResult *result)
{
  LadderLibrary library = ladder_library (ladder, "cublas", result);
  Blas *blas = &self->blas;

  if (library == NULL)
    return ESK_LADDER_ERROR_REFUSED;
  blas->create = (decltype (blas->create)) ladder_symbol (library, "cublasCreate_v2");
  blas->destroy = (decltype (blas->destroy)) ladder_symbol (library, "cublasDestroy_v2");
  blas->set_stream = (decltype (blas->set_stream)) ladder_symbol (library, "cublasSetStream_v2");
  blas->matrices = (decltype (blas->matrices)) ladder_symbol (library, "cublasCgemmStridedBatched");
  blas->columns = (decltype (blas->columns)) ladder_symbol (library, "cublasCgemvStridedBatched");
  if (blas->create == NULL || blas->destroy == NULL || blas->set_stream == NULL || blas->matrices == NULL)
    return esk_ladder_refuse (result, ESK_WHY_LIBRARY, 0, 0, "cuBLAS's functions");

  return ESK_LADDER_OK;
}

/* Seconds of the second of two products: the first loads the code. */
static int
try_blas (EskLadder *ladder,
          Work      *self,
          bool       by_columns,
          double    *seconds)
{
  cudaStream_t stream = ladder_card (ladder)->stream;
  double began = 0.0;

  self->by_columns = by_columns;
  for (int k = 0; k < 2; k++)
    {
      began = esk_ladder_now ();
      ESK_LADDER_TRY (multiply (ladder, self));
      ESK_LADDER_TRY (ladder_check (ladder, cudaStreamSynchronize (stream), "a product of matrices"));
    }
  *seconds = esk_ladder_now () - began;

  return ESK_LADDER_OK;
}

static int
begin_library (EskLadder     *ladder,
               Work          *self,
               EskRungResult *result)
{
  const size_t elements = self->of.elements, bins = self->of.bins, foci = self->card.foci;
  cudaStream_t stream = ladder_card (ladder)->stream;
  double matrices, columns, began;
  int code;

  ESK_LADDER_TRY (find_blas (ladder, self, result));
  began = esk_ladder_now ();
  if ((self->card.steering = (float2 *) ladder_more (ladder, bins * foci * elements * sizeof (float2), result,
                                                     &code)) == NULL
      || (self->card.beams = (float2 *) ladder_more (ladder, bins * foci * sizeof (float2), result, &code)) == NULL
      || (self->card.spectra_by_bin = (float2 *) ladder_more (ladder, bins * elements * sizeof (float2), result,
                                                              &code)) == NULL)
    return code;
  ESK_LADDER_TRY (ladder_beams_relay (ladder, &self->card));
  ESK_LADDER_TRY (check_blas (ladder, self->blas.create (&self->handle)));
  ESK_LADDER_TRY (check_blas (ladder, self->blas.set_stream (self->handle, stream)));
  ESK_LADDER_TRY (ladder_check (ladder, cudaStreamSynchronize (stream), "steering matrices"));
  result->setup = esk_ladder_now () - began;
  ESK_LADDER_TRY (try_blas (ladder, self, false, &matrices));
  /* It goes without it, too. */
  self->by_columns = self->blas.columns != NULL && try_blas (ladder, self, true, &columns) == ESK_LADDER_OK
                     && columns < matrices;
  ladder->error[0] = '\0';
  result->launches = 2;
  count (self, LIBRARY, result);

  return ESK_LADDER_OK;
}

/* ---- the subject ---- */

static void
clear (EskLadder *ladder,
       void      *work)
{
  Work *self = (Work *) work;

  ladder_free (self->card.parameters);
  ladder_free (self->card.spectra);
  ladder_free (self->card.paths);
  ladder_free (self->card.powers);
  esk_beams_work_clear (&self->of);
  free (self);
}

/* Both parts of a number beside each other. */
static int
upload_spectra (EskLadder *ladder,
                Work      *self)
{
  const size_t n = self->of.elements * self->of.bins;
  float2 *spectra = (float2 *) malloc (n * sizeof *spectra);
  int code = ESK_LADDER_ERROR_MEMORY;

  for (size_t k = 0; spectra != NULL && k < n; k++)
    spectra[k] = make_float2 (self->of.real[k], self->of.imaginary[k]);
  if (spectra != NULL)
    code = ladder_upload (ladder, self->card.spectra, spectra, n * sizeof *spectra);
  free (spectra);

  return code;
}

static int
fill (EskLadder           *ladder,
      Work                *self,
      const EskLadderSize *size)
{
  LadderBeamsCard *card = &self->card;
  size_t path_bytes;
  int code;

  ESK_LADDER_TRY (esk_beams_work_init (ladder, &self->of, size));
  card->foci = self->of.ranges * self->of.angles;
  card->given = { (unsigned) self->of.elements, (unsigned) self->of.angles, (unsigned) self->of.bins,
                  ESK_BEAMS_FIRST_BIN, (float) ESK_BEAMS_RATE, (float) ESK_BEAMS_LENGTH, (float) ESK_BEAMS_SPEED };
  path_bytes = card->foci * self->of.elements * sizeof (float);
  if ((card->parameters = (LadderBeamParameters *) ladder_memory (ladder, sizeof card->given, &code)) == NULL
      || (card->spectra = (float2 *) ladder_memory (ladder, self->of.elements * self->of.bins * sizeof (float2),
                                                    &code)) == NULL
      || (card->paths = (float *) ladder_memory (ladder, path_bytes, &code)) == NULL
      || (card->powers = (float *) ladder_memory (ladder, card->foci * sizeof (float), &code)) == NULL)
    return code;
  ESK_LADDER_TRY (ladder_upload (ladder, card->parameters, &card->given, sizeof card->given));
  ESK_LADDER_TRY (ladder_upload (ladder, card->paths, self->of.paths, path_bytes));

  return upload_spectra (ladder, self);
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
begin_step (EskLadder     *ladder,
            Work          *self,
            unsigned       rung,
            EskRungResult *result)
{
  const LadderBeamsForm form = steps[rung].form;
  const unsigned switches = steps[rung].switches, threads = threads_of (ladder, rung);
  LadderBeamsCard *card = &self->card;
  const double began = esk_ladder_now ();
  uint64_t blocks = card->foci;
  int code;

  if (switches & LADDER_BEAMS_G3A)
    if ((card->spectra_by_bin = (float2 *) ladder_more (ladder, self->of.elements * self->of.bins * sizeof (float2),
                                                        result, &code)) == NULL)
      return code;
  if (switches & LADDER_BEAMS_G3B)
    if ((card->paths_by_angle = (float *) ladder_more (ladder, card->foci * self->of.elements * sizeof (float), result,
                                                       &code)) == NULL)
      return code;
  if (switches & (LADDER_BEAMS_G3A | LADDER_BEAMS_G3B))
    {
      ESK_LADDER_TRY (ladder_beams_relay (ladder, card));
      ESK_LADDER_TRY (ladder_check (ladder, cudaStreamSynchronize (ladder_card (ladder)->stream), "laying out anew"));
      result->preparation = esk_ladder_now () - began;
    }
  result->launches = 1;
  if (form == LADDER_BEAMS_BROADCAST)
    {
      const unsigned parts = ladder_beams_parts (card);

      if ((card->parts = (float *) ladder_more (ladder, parts * card->foci * sizeof (float), result, &code)) == NULL)
        return code;
      result->launches = 2;
      blocks = (card->foci + threads - 1) / threads * parts;
    }
  ESK_LADDER_TRY (ladder_kernel (ladder, result, ladder_beams_kernel (form, switches), threads, blocks,
                                 ladder_beams_shared (form, threads)));
  count (self, rung, result);

  return ESK_LADDER_OK;
}

static int
begin (EskLadder     *ladder,
       void          *work,
       unsigned       rung,
       EskRungResult *result)
{
  Work *self = (Work *) work;

  esk_beams_forget (&self->of);
  if (rung == PRODUCTION)
    return esk_beams_produce_begin (ladder, &self->of, &self->produced, result);
  ESK_LADDER_TRY (ladder_check (ladder, cudaMemsetAsync (self->card.powers, 0, self->card.foci * sizeof (float),
                                                         ladder_card (ladder)->stream), "memset"));
  result->type = ESK_TYPE_LAB_FLOAT32;
  return rung == LIBRARY ? begin_library (ladder, self, result) : begin_step (ladder, self, rung, result);
}

static int
run (EskLadder *ladder,
     void      *work,
     unsigned   rung)
{
  Work *self = (Work *) work;

  if (rung == PRODUCTION)
    return esk_beams_produce_run (ladder, &self->produced);
  if (rung != LIBRARY)
    return ladder_beams_run (ladder, &self->card, steps[rung].form, steps[rung].switches, threads_of (ladder, rung));
  ESK_LADDER_TRY (multiply (ladder, self));
  return ladder_beams_square (ladder, &self->card);
}

static int
finish (EskLadder     *ladder,
        void          *work,
        unsigned       rung,
        EskRungResult *result)
{
  Work *self = (Work *) work;

  if (rung == PRODUCTION)
    ESK_LADDER_TRY (esk_beams_produce_finish (ladder, &self->produced, &self->of));
  else
    ESK_LADDER_TRY (ladder_download (ladder, self->of.powers, self->card.powers, self->card.foci * sizeof (float)));
  esk_beams_check (&self->of, result);
  return ESK_LADDER_OK;
}

static void
end (EskLadder *ladder,
     void      *work,
     unsigned   rung)
{
  Work *self = (Work *) work;
  LadderBeamsCard *card = &self->card;

  if (rung == PRODUCTION)
    esk_beams_produce_end (ladder, &self->produced);
  if (self->handle != NULL)
    self->blas.destroy (self->handle);
  self->handle = NULL;
  ladder_free (card->parts);
  ladder_free (card->steering);
  ladder_free (card->beams);
  ladder_free (card->spectra_by_bin);
  ladder_free (card->paths_by_angle);
  card->steering = card->beams = card->spectra_by_bin = NULL;
  card->paths_by_angle = card->parts = NULL;
}

static int64_t
output (void   *work,
        double *values,
        size_t  n)
{
  return esk_beams_output (&((Work *) work)->of, values, n);
}

extern "C" const EskSubject ladder_beams = {
  rungs, N_RUNGS, esk_beams_least, prepare, clear, begin, run, finish, end, output,
};
