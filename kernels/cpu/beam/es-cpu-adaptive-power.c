/* SPDX-License-Identifier: GPL-3.0-or-later */

/* One evaluation of all bins. */

#include "es-cpu-adaptive-problem-private.h"

#include <math.h>
#include <string.h>
#include <time.h>

/* Of all threads together, where one alone does with less. */
#define MOST_BYTES 0x1p32

static double
now (void)
{
  struct timespec time;

  clock_gettime (CLOCK_MONOTONIC, &time);
  return (double) time.tv_sec + 1e-9 * (double) time.tv_nsec;
}

/* ---- rooms ---- */

/* Takes `count` times `size` doubles. */
static bool
take (size_t *total,
      size_t  count,
      size_t  size)
{
  return !__builtin_mul_overflow (count, size, &count) && !__builtin_add_overflow (count, (size_t) 7, &count)
         && !__builtin_add_overflow (*total, count / 8 * 8, total) && *total < SIZE_MAX / 64;
}

/* The room at `base`, or how large it has to be where that is NULL. */
static bool
make_room (const EskAdaptiveEvaluation *run,
           double                      *base,
           EskAdaptiveRoom             *room,
           size_t                      *size)
{
  const EskAdaptive *self = run->self;
  const size_t elements = self->plan.elements, order = run->largest, panels = esk_adaptive_panels (order);
  size_t at[12], n = 0, total = 0, square;
  bool fits;

#define TAKE(count, each) (at[n++] = total, take (&total, count, each))
  fits = order < SIZE_MAX / 4096 && !__builtin_mul_overflow (panels * ESK_ADAPTIVE_ROWS, order, &square)
         && !__builtin_mul_overflow (square, (size_t) 2, &square) && square < SIZE_MAX / 64
         && TAKE (elements, 3)
         && TAKE (self->plan.columns > 0 ? panels : 0,
                  (run->gram ? elements + 1 : ESK_ADAPTIVE_RUN) * ESK_ADAPTIVE_COLUMN)
         && TAKE (esk_adaptive_panel_at (panels), 1) && TAKE (panels, ESK_ADAPTIVE_ROWS)
         && TAKE (ESK_ADAPTIVE_FOCUS_PANELS * panels, ESK_ADAPTIVE_TILE)
         && TAKE (run->gram ? ESK_ADAPTIVE_RUN : 0, ESK_ADAPTIVE_COLUMN)
         && TAKE (run->gram ? panels : 0, ESK_ADAPTIVE_TILE)
         && TAKE (run->vectors || run->values ? square : 0, 1) && TAKE (run->vectors ? square : 0, 1)
         && TAKE (order, 1) && TAKE (order, 1) && TAKE (run->vectors ? panels : 0, ESK_ADAPTIVE_TILE);
  *size = total;
  if (!fits || !take (size, elements, 1))
    return false;

  if (base != NULL)
    *room = (EskAdaptiveRoom) {
      .positions = base + at[0], .packed = base + at[1], .lower = base + at[2], .least = base + at[3],
      .rows = base + at[4], .steering = base + at[5], .odd = base + at[6], .matrix = base + at[7],
      .vectors = base + at[8], .values = base + at[9], .weights = base + at[10], .products = base + at[11],
      .living = (uint32_t *) (base + total),
    };
  return true;
#undef TAKE
}

/* ---- a bin ---- */

static void
be_silent (const EskAdaptiveEvaluation *run,
           size_t                       bin)
{
  const size_t n_foci = run->self->plan.n_foci;

  if (run->powers != NULL)
    memset (run->powers + bin * n_foci, 0, n_foci * sizeof (double));
  for (size_t f = 0; run->music != NULL && f < n_foci; f++)
    run->music[bin * n_foci + f] = 1.0;
}

static int
evaluate_bin (const EskAdaptiveEvaluation *run,
              size_t                       bin,
              double                      *base,
              EskAdaptiveAccount          *account)
{
  const EskAdaptiveRun *wanted = run->run;
  EskAdaptiveProblem self = { .run = run, .bin = bin };
  double start = now (), formed, factored;
  size_t size;
  int code = ESK_OK;

  if (esk_is_cancelled (wanted->cancelled))
    return ESK_ERROR_CANCELLED;
  if (wanted->eigenvalues != NULL)
    memset (wanted->eigenvalues + bin * wanted->n_eigenvalues, 0, wanted->n_eigenvalues * sizeof (double));
  make_room (run, base, &self.room, &size);
  esk_adaptive_find_living (&self);
  if (self.living == 0)
    {
      be_silent (run, bin);
      return ESK_OK;
    }
  self.order = run->gram ? run->self->used : self.living;
  self.panels = esk_adaptive_panels (self.order);
  self.folded = run->gram && run->self->n_half > 0 && self.living == run->self->plan.elements;
  self.columns = self.folded ? run->self->n_half : self.living;
  esk_adaptive_form_matrix (&self);
  formed = now ();
  account->matrix += formed - start;
  if (!isfinite (self.trace))
    return ESK_ERROR_ARGUMENT;
  /* So few snapshots cannot do without a loading, whatever rounding makes of them. */
  if (run->powers != NULL && wanted->loading == 0.0 && run->self->matrices == NULL && run->self->used < self.living)
    return ESK_ERROR_SINGULAR;

  if (run->values)
    code = esk_adaptive_solve_eigenproblem (&self, account);
  if (code == ESK_OK && run->powers != NULL)
    {
      if (!run->by_vectors)
        code = esk_adaptive_factor_matrix (&self);
      else if (self.delta == 0.0 && self.room.values[self.order - 1] == 0.0)
        code = ESK_ERROR_SINGULAR;
    }
  factored = now ();
  account->factor += factored - formed;
  if (code == ESK_OK && (run->powers != NULL || run->music != NULL))
    esk_adaptive_evaluate_foci (&self);
  account->spectrum += now () - factored;

  return code;
}

static void
evaluate_item (void     *data,
               size_t    bin,
               unsigned  worker)
{
  EskAdaptiveEvaluation *run = data;

  run->codes[bin] = evaluate_bin (run, bin, run->rooms + worker * run->room_size, &run->accounts[worker]);
}

/* Where there are fewer rooms than threads: all the bins of a room. */
static void
evaluate_room (void     *data,
               size_t    room,
               unsigned  worker)
{
  EskAdaptiveEvaluation *run = data;

  for (size_t bin = room; bin < run->self->plan.bins; bin += run->n_rooms)
    evaluate_item (run, bin, (unsigned) room);
}

/* ---- all of them ---- */

/* by_bin turned round, and the sums over the bins: of powers, or MUSIC's means of reciprocals. */
static void
write_spectra (const EskAdaptiveEvaluation *run,
               const double                *spectra,
               float                       *by_bin,
               float                       *band,
               bool                         music)
{
  const size_t n_foci = run->self->plan.n_foci, bins = run->self->plan.bins;

  for (size_t f = 0; spectra != NULL && f < n_foci; f++)
    {
      double sum = 0.0;

      for (size_t b = 0; b < bins; b++)
        {
          const double power = spectra[b * n_foci + f];

          sum += music ? 1.0 / power : power;
          if (by_bin != NULL)
            by_bin[f * bins + b] = (float) power;
        }
      if (band != NULL)
        band[f] = (float) (music ? (double) bins / sum : sum);
    }
}

static int
check_run (const EskAdaptive    *self,
           const EskAdaptiveRun *run)
{
  const bool music = run->music_by_bin != NULL || run->music_band != NULL;

  if ((unsigned) run->method >= ESK_N_ADAPTIVE_METHODS || !(run->loading >= 0.0) || !isfinite (run->loading)
      || (run->method == ESK_ADAPTIVE_WOODBURY && (self->plan.columns == 0 || run->loading == 0.0))
      || (run->by_bin == NULL && run->band == NULL && !music && run->eigenvalues == NULL)
      || (music && (run->sources == 0 || run->sources >= self->plan.elements))
      || (run->eigenvalues != NULL && run->n_eigenvalues == 0)
      || (self->used == 0 && self->weight == 0.0))
    return ESK_ERROR_ARGUMENT;

  return ESK_OK;
}

/* A matrix of thousands of elements takes hundreds of megabytes: not every thread gets one. What eigensolvers take for
 * themselves is as much as three such matrices. */
static unsigned
rooms_for (const EskAdaptiveEvaluation *run,
           unsigned                     threads)
{
  const double order = (double) run->largest;
  const double bytes = 8.0 * ((double) run->room_size + (run->values ? 6.0 * order * order : 0.0));
  const double rooms = MOST_BYTES / bytes;

  return rooms >= (double) threads ? threads : rooms > 1.0 ? (unsigned) rooms : 1;
}

/* What all threads need. */
static int
prepare (EskStream             *stream,
         EskAdaptiveEvaluation *run)
{
  const EskAdaptive *self = run->self;
  const unsigned threads = esk_team_size (stream);
  const size_t numbers = self->plan.n_foci * self->plan.bins;
  const bool powers = run->run->by_bin != NULL || run->run->band != NULL;
  const bool music = run->run->music_by_bin != NULL || run->run->music_band != NULL;
  double *results, *weights;

  run->loops = esk_cpu_adaptive_loops (stream);
  /* Rotations are all that can be shared. */
  run->stream = run->run->method == ESK_ADAPTIVE_JACOBI && self->plan.bins < threads ? stream : NULL;
  run->by_vectors = run->run->method == ESK_ADAPTIVE_JACOBI || run->run->method == ESK_ADAPTIVE_EIGEN;
  run->largest = run->gram ? self->used : self->plan.elements;
  run->values = music || run->run->eigenvalues != NULL || run->by_vectors;
  run->vectors = music || run->run->method == ESK_ADAPTIVE_JACOBI || (run->by_vectors && powers);
  if (!make_room (run, NULL, NULL, &run->room_size))
    return ESK_ERROR_MEMORY;
  run->n_rooms = run->stream == NULL ? rooms_for (run, threads) : 1;
  run->rooms = esk_scratch_get (&stream->panel, run->room_size, run->n_rooms * sizeof (double));
  results = esk_scratch_get (&stream->state, numbers, 2 * sizeof (double));
  weights = esk_scratch_get (&stream->basis, self->plan.columns, sizeof (double));
  run->codes = esk_scratch_get (&stream->offsets, self->plan.bins, sizeof *run->codes);
  run->accounts = esk_scratch_get (&stream->products, threads, sizeof *run->accounts);
  if (run->rooms == NULL || results == NULL || weights == NULL || run->codes == NULL || run->accounts == NULL)
    return ESK_ERROR_MEMORY;

  memset (run->accounts, 0, threads * sizeof *run->accounts);
  run->powers = powers ? results : NULL;
  run->music = music ? results + numbers : NULL;
  if (self->plan.columns > 0)
    esk_adaptive_column_weights (self, weights);
  run->column_weights = weights;

  return ESK_OK;
}

static int
sum_up (const EskAdaptiveEvaluation *run,
        EskAdaptiveReport           *report)
{
  for (unsigned room = 0; room < run->n_rooms; room++)
    {
      const EskAdaptiveAccount *account = &run->accounts[room];

      report->matrix += account->matrix / run->n_rooms;
      report->factor += account->factor / run->n_rooms;
      report->spectrum += account->spectrum / run->n_rooms;
      report->rotations += account->rotations;
      report->sweeps = account->sweeps > report->sweeps ? account->sweeps : report->sweeps;
      report->off = fmax (report->off, account->off);
    }
  for (size_t bin = 0; bin < run->self->plan.bins; bin++)
    if (run->codes[bin] != ESK_OK)
      {
        report->singular_bin = bin;
        return run->codes[bin];
      }

  return ESK_OK;
}

static int
evaluate (EskStream            *stream,
          const EskAdaptive    *self,
          const EskAdaptiveRun *wanted,
          bool                  gram,
          EskAdaptiveReport    *report)
{
  EskAdaptiveEvaluation run = { .self = self, .run = wanted, .gram = gram };
  int code = prepare (stream, &run);

  if (code != ESK_OK)
    return code;
  if (run.stream != NULL)
    evaluate_room (&run, 0, 0);
  else if (run.n_rooms < esk_team_size (stream))
    esk_team_run (stream, run.n_rooms, evaluate_room, &run);
  else
    esk_team_run (stream, self->plan.bins, evaluate_item, &run);
  code = sum_up (&run, report);
  if (code == ESK_OK)
    {
      write_spectra (&run, run.powers, wanted->by_bin, wanted->band, false);
      write_spectra (&run, run.music, wanted->music_by_bin, wanted->music_band, true);
    }

  return code;
}

int
esk_cpu_adaptive_power (EskStream            *stream,
                        EskAdaptive          *self,
                        const EskAdaptiveRun *wanted,
                        EskAdaptiveReport    *report)
{
  EskAdaptiveRun powers, subspaces;
  bool gram, smaller;
  int code;

  if (stream == NULL || self == NULL || wanted == NULL || report == NULL)
    return ESK_ERROR_ARGUMENT;
  *report = (EskAdaptiveReport) { .used = self->used };
  code = check_run (self, wanted);
  if (code != ESK_OK)
    return code;

  /* Eigenvalues and MUSIC are of the smaller problem, whatever the powers are of; but where these have the vectors. */
  gram = wanted->method == ESK_ADAPTIVE_WOODBURY;
  smaller = self->plan.columns > 0 && self->used < self->plan.elements;
  powers = subspaces = *wanted;
  powers.music_by_bin = powers.music_band = NULL;
  powers.eigenvalues = NULL;
  subspaces.by_bin = subspaces.band = NULL;
  subspaces.method = ESK_ADAPTIVE_EIGEN;
  if (wanted->method == ESK_ADAPTIVE_JACOBI || wanted->method == ESK_ADAPTIVE_EIGEN || smaller == gram)
    return evaluate (stream, self, wanted, gram, report);
  if (wanted->by_bin != NULL || wanted->band != NULL)
    code = evaluate (stream, self, &powers, gram, report);
  if (code == ESK_OK
      && (wanted->eigenvalues != NULL || wanted->music_by_bin != NULL || wanted->music_band != NULL))
    code = evaluate (stream, self, &subspaces, smaller, report);

  return code;
}
