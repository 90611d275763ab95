/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "es-cpu-beam-private.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- preparing ---- */

static int
check_plan (const EskBeamPlan *plan)
{
  size_t count;

  if (plan == NULL || plan->elements < 1 || plan->positions == NULL || plan->n_foci < 1 || plan->foci == NULL
      || plan->bins < 1 || !isfinite (plan->sound_speed) || plan->sound_speed <= 0.0
      || !isfinite (plan->first_frequency) || !isfinite (plan->bin_spacing) || !isfinite (plan->normalisation)
      || !isfinite (plan->amplitude)
      || __builtin_mul_overflow (plan->elements, 3 * sizeof (double), &count)
      || __builtin_mul_overflow (plan->n_foci, plan->bins, &count)
      || __builtin_mul_overflow (count, 2 * sizeof (float), &count))
    return ESK_ERROR_ARGUMENT;
  for (size_t k = 0; k < 3 * plan->elements; k++)
    if (!isfinite (plan->positions[k]))
      return ESK_ERROR_ARGUMENT;
  for (size_t f = 0; f < plan->n_foci; f++)
    if (!isfinite (plan->foci[f].x) || !isfinite (plan->foci[f].y) || !isfinite (plan->foci[f].z))
      return ESK_ERROR_ARGUMENT;

  return ESK_OK;
}

void
esk_cpu_beams_free (EskBeams *beams)
{
  if (beams == NULL)
    return;

  free ((void *) beams->plan.positions);
  free ((void *) beams->plan.foci);
  free (beams->pair);
  free (beams->partner);
  free (beams->single);
  free (beams->items);
  free (beams->pairs.x);
  free (beams->partners.x);
  free (beams->singles.x);
  free (beams);
}

EskBeams *
esk_cpu_beams_new (EskStream         *stream,
                   const EskBeamPlan *plan,
                   int               *code)
{
  EskBeams *beams;
  double *positions;
  EskFocus *foci;

  *code = stream != NULL ? check_plan (plan) : ESK_ERROR_ARGUMENT;
  if (*code != ESK_OK)
    return NULL;
  *code = ESK_ERROR_MEMORY;
  beams = calloc (1, sizeof *beams);
  if (beams == NULL)
    return NULL;
  beams->plan = *plan;
  beams->plan.positions = positions = reallocarray (NULL, plan->elements, 3 * sizeof *positions);
  beams->plan.foci = foci = reallocarray (NULL, plan->n_foci, sizeof *foci);
  if (positions == NULL || foci == NULL)
    {
      esk_cpu_beams_free (beams);
      return NULL;
    }
  memcpy (positions, plan->positions, plan->elements * 3 * sizeof *positions);
  memcpy (foci, plan->foci, plan->n_foci * sizeof *foci);
  beams->n_blocks = (plan->bins + ESK_BEAM_BLOCK - 1) / ESK_BEAM_BLOCK;
  beams->block = (plan->bins + beams->n_blocks - 1) / beams->n_blocks;
  beams->n_blocks = (plan->bins + beams->block - 1) / beams->block;
  *code = esk_beam_find_pairs (beams);
  if (*code != ESK_OK)
    {
      esk_cpu_beams_free (beams);
      return NULL;
    }

  return beams;
}

/* ---- forming ---- */

const EskCpuBeamLoops *
esk_cpu_beam_loops (const EskStream *stream)
{
  if (!stream->has_avx2 || esk_cpu_beam_loops_avx2 == NULL)
    return &esk_cpu_beam_loops_portable;
  if (stream->wide && esk_cpu_beam_loops_avx512 != NULL)
    return esk_cpu_beam_loops_avx512;
  return esk_cpu_beam_loops_avx2;
}

/* As form_blocks () in the loops shares it out. */
static bool
scratch_floats (EskBeamRun *run)
{
  const EskBeams *beams = run->beams;
  size_t sums, tracks;

  /* Sums of pairs and twice of singles; of each set of elements float64 delays and six floats. */
  if (__builtin_mul_overflow (run->spectra->snapshots, 8 * beams->block * ESK_BEAM_VECTOR, &sums)
      || __builtin_mul_overflow (beams->pairs.padded + beams->singles.padded, (size_t) 16, &tracks)
      || __builtin_add_overflow (sums, tracks, &sums))
    return false;
  run->scratch_floats = sums;
  return true;
}

static int
form_beams (EskStream  *stream,
            EskBeamRun *run)
{
  const EskSpectra *spectra = run->spectra;
  const EskCpuBeamLoops *loops;
  const EskBeamPlan *plan;
  size_t numbers;
  int code;

  if (stream == NULL || run->beams == NULL || spectra == NULL || spectra->values == NULL
      || (run->by_bin == NULL && run->band == NULL && run->out == NULL))
    return ESK_ERROR_ARGUMENT;
  plan = &run->beams->plan;
  if (spectra->elements != plan->elements || spectra->stride != esk_spectra_stride (plan->elements)
      || spectra->snapshots < 1 || plan->bins > spectra->bins || run->first_bin > spectra->bins - plan->bins)
    return ESK_ERROR_ARGUMENT;

  run->pair_vectors = run->beams->pairs.padded / ESK_BEAM_VECTOR;
  run->single_vectors = run->beams->singles.padded / ESK_BEAM_VECTOR;
  if (!scratch_floats (run) || __builtin_mul_overflow (plan->bins, spectra->snapshots, &numbers))
    return ESK_ERROR_MEMORY;
  run->packed = esk_scratch_get (&stream->panel, plan->bins, esk_beam_bin_floats (run) * sizeof (float));
  run->scratch = esk_scratch_get (&stream->state, esk_team_size (stream), run->scratch_floats * sizeof (float));
  if (plan->remove_diagonal && run->out == NULL)
    run->own = esk_scratch_get (&stream->products, numbers, sizeof (float));
  if (run->packed == NULL || run->scratch == NULL || (plan->remove_diagonal && run->out == NULL && run->own == NULL))
    return ESK_ERROR_MEMORY;

  loops = esk_cpu_beam_loops (stream);
  code = esk_team_try (stream, plan->bins, loops->pack, run);
  if (code == ESK_OK)
    code = esk_team_try (stream, run->beams->n_items, loops->form, run);

  return code;
}

int
esk_cpu_beam_power (EskStream        *stream,
                    EskBeams         *beams,
                    const EskSpectra *spectra,
                    size_t            first_bin,
                    float            *by_bin,
                    float            *band)
{
  EskBeamRun run = { .beams = beams, .spectra = spectra, .first_bin = first_bin, .by_bin = by_bin, .band = band };

  return form_beams (stream, &run);
}

int
esk_cpu_beam_output (EskStream        *stream,
                     EskBeams         *beams,
                     const EskSpectra *spectra,
                     size_t            first_bin,
                     float            *out)
{
  EskBeamRun run = { .beams = beams, .spectra = spectra, .first_bin = first_bin, .out = out };

  return form_beams (stream, &run);
}
