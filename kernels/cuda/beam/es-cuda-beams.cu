/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * Beams of an array (sonar.md 4): what of it is kept on the device, and the slices in which it is worked on, so that
 * scratch memory stays bounded whatever the foci. Symmetries are found in es-cuda-beams-symmetry.cu.
 */

#include "es-cuda-beams-private.h"
#include "cuda/core/es-cuda-samples-internal.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Of what lies in scratch memory at a time. */
#define FOLDED_BYTES ((size_t) 256 << 20)
#define PARTIAL_BYTES ((size_t) 256 << 20)
/* Phases that are kept; larger tables are made anew, in slices. */
#define TABLE_BYTES ((size_t) 1 << 30)
#define TABLE_SLICE_BYTES ((size_t) 128 << 20)
#define SMALL_BYTES ((size_t) 64 << 10)

/* ---- preparing ---- */

static int
check_plan (const EskBeamPlan *plan)
{
  size_t count;

  if (plan == NULL || plan->elements < 1 || plan->elements > INT_MAX / 4 || plan->positions == NULL || plan->n_foci < 1
      || plan->n_foci > INT_MAX / 4 || plan->foci == NULL || plan->bins < 1 || plan->bins > INT_MAX / 4
      || !isfinite (plan->sound_speed) || plan->sound_speed <= 0.0
      || !isfinite (plan->first_frequency) || !isfinite (plan->bin_spacing) || !isfinite (plan->normalisation)
      || !isfinite (plan->amplitude)
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

/* Phases of some pairs with regard to the bin `centre`. */
static int
make_table (EskStream      *stream,
            const EskBeams *beams,
            size_t          first_pair,
            size_t          n_pairs,
            size_t          pair_stride,
            size_t          centre,
            uint4          *table)
{
  EskCudaBeamTable call = { beams->mode, beams->positions, beams->units, beams->n_units, beams->foci, beams->pairs,
                            first_pair, n_pairs, pair_stride, { beams->axis[0], beams->axis[1], beams->axis[2] },
                            beams->plan.sound_speed,
                            beams->plan.first_frequency + (double) centre * beams->plan.bin_spacing,
                            beams->plan.bin_spacing, table };

  return esk_cuda_beam_table (stream, &call);
}

static size_t
pair_bytes (const EskBeams *beams)
{
  return beams->n_units * esk_beam_halves (beams->mode) * sizeof (uint4);
}

static int
make_arrays (EskStream         *stream,
             EskBeams          *beams,
             const EskBeamPlan *plan,
             const int2        *units,
             const int2        *pairs)
{
  EskCudaPoint *foci = (EskCudaPoint *) calloc (plan->n_foci, sizeof *foci);
  int code = ESK_OK;

  if (foci == NULL)
    return ESK_ERROR_MEMORY;
  for (size_t f = 0; f < plan->n_foci; f++)
    {
      EskCudaPoint point = { plan->foci[f].x, plan->foci[f].y, plan->foci[f].z, plan->foci[f].near ? 1.0 : 0.0 };

      foci[f] = point;
    }
  beams->foci = (EskCudaPoint *) esk_cuda_array_new (stream, &beams->arrays, foci, plan->n_foci * sizeof *foci, &code);
  free (foci);
  if (code == ESK_OK)
    beams->positions = (double *) esk_cuda_array_new (stream, &beams->arrays, plan->positions,
                                                      3 * plan->elements * sizeof (double), &code);
  if (code == ESK_OK)
    beams->units = (int2 *) esk_cuda_array_new (stream, &beams->arrays, units, beams->n_units * sizeof *units, &code);
  if (code == ESK_OK)
    beams->pairs = (int2 *) esk_cuda_array_new (stream, &beams->arrays, pairs, beams->n_pairs * sizeof *pairs, &code);

  return code;
}

/* All phases, where they are few enough to be kept. */
static int
keep_table (EskStream *stream,
            EskBeams  *beams)
{
  const size_t pair_stride = esk_cuda_round_up (beams->n_pairs, 32);
  int code;

  if (beams->plan.bins > ESK_BEAM_TABLE_BINS || esk_cuda_wants_slices ()
      || pair_bytes (beams) > TABLE_BYTES / pair_stride)
    return ESK_OK;
  beams->table = (uint4 *) esk_cuda_array_new (stream, &beams->arrays, NULL, pair_bytes (beams) * pair_stride, &code);
  /* It goes without it, too. */
  if (beams->table == NULL)
    return code == ESK_ERROR_MEMORY ? ESK_OK : code;
  beams->pair_stride = pair_stride;

  return make_table (stream, beams, 0, beams->n_pairs, pair_stride, beams->plan.bins / 2, beams->table);
}

EskBeams *
esk_cuda_beams_new (EskStream         *stream,
                    const EskBeamPlan *plan,
                    int               *code)
{
  int2 *units = NULL, *pairs = NULL;
  EskBeams *beams = NULL;

  *code = stream != NULL ? check_plan (plan) : ESK_ERROR_ARGUMENT;
  if (*code == ESK_OK)
    *code = esk_cuda_enter (stream);
  if (*code != ESK_OK)
    return NULL;

  *code = ESK_ERROR_MEMORY;
  beams = (EskBeams *) calloc (1, sizeof *beams);
  units = (int2 *) calloc (plan->elements, sizeof *units);
  pairs = (int2 *) calloc (plan->n_foci, sizeof *pairs);
  if (beams != NULL && units != NULL && pairs != NULL)
    {
      beams->plan = *plan;
      beams->arrays.index = stream->index;
      beams->folded_bytes = esk_cuda_wants_slices () ? SMALL_BYTES : FOLDED_BYTES;
      beams->partial_bytes = esk_cuda_wants_slices () ? SMALL_BYTES : PARTIAL_BYTES;
      beams->table_slice_bytes = esk_cuda_wants_slices () ? SMALL_BYTES : TABLE_SLICE_BYTES;
      *code = esk_cuda_beams_choose_mode (beams, plan, units, pairs);
    }
  if (*code == ESK_OK)
    *code = make_arrays (stream, beams, plan, units, pairs);
  if (*code == ESK_OK)
    *code = keep_table (stream, beams);
  /* Loads the code; other streams may use it from now on. */
  if (*code == ESK_OK)
    esk_cuda_beam_splits (stream, beams->mode, beams->n_pairs, plan->bins, 1, beams->n_units, code);
  if (*code == ESK_OK)
    *code = esk_cuda_check (stream, cudaStreamSynchronize (stream->stream), "preparing beams");
  free (units);
  free (pairs);
  if (*code != ESK_OK)
    {
      esk_cuda_beams_free (beams);
      return NULL;
    }

  return beams;
}

void
esk_cuda_beams_free (EskBeams *beams)
{
  if (beams == NULL)
    return;

  esk_cuda_arrays_free (&beams->arrays);
  free (beams);
}

/* ---- forming ---- */

/* Some bins: their units, and what of a call they are. */
typedef struct {
  const EskSpectra *spectra;
  size_t            first, bins;       /* of the beams' */
  size_t            spectra_bin;       /* the first's, in the spectra */
  size_t            unit_stride;
  float4           *folded;
  double           *own;               /* NULL: nothing is taken off */
} Slice;

/* How many pairs can be worked on at a time. */
static size_t
pairs_at_once (const EskBeams *beams,
               const Slice    *slice)
{
  const size_t chunk = esk_cuda_beam_chunk (beams->mode, slice->bins);
  const size_t row = esk_cuda_round_up (slice->bins, chunk) * slice->spectra->snapshots * 4 * sizeof (float);
  size_t most = beams->partial_bytes / row;

  if (beams->table == NULL && most > beams->table_slice_bytes / pair_bytes (beams))
    most = beams->table_slice_bytes / pair_bytes (beams);
  most = most / 128 * 128;

  return most < 128 ? 128 : most;
}

static int
form_pairs (EskStream      *stream,
            const EskBeams *beams,
            const Slice    *slice,
            size_t          first,
            size_t          n,
            float          *by_bin,
            float          *band)
{
  const size_t snapshots = slice->spectra->snapshots, chunk = esk_cuda_beam_chunk (beams->mode, slice->bins);
  const size_t rows = esk_cuda_round_up (slice->bins, chunk) * snapshots, stride = esk_cuda_round_up (n, 32);
  const size_t partial_bytes = rows * 4 * stride * sizeof (float);
  const size_t power_bytes = band != NULL ? 2 * slice->bins * stride * sizeof (float) : 0;
  const uint4 *table = beams->table;
  size_t pair_stride = beams->pair_stride, centre = beams->plan.bins / 2, most;
  EskCudaBeamSum sum = { beams->mode };
  EskCudaBeamPowers powers = { beams->mode };
  float *partial;
  int code;
  unsigned splits = esk_cuda_beam_splits (stream, beams->mode, n, slice->bins, snapshots, beams->n_units, &code);

  if (code != ESK_OK)
    return code;
  most = beams->partial_bytes / partial_bytes;
  splits = splits <= most ? splits : most > 1 ? (unsigned) most : 1;
  partial = (float *) esk_cuda_scratch (stream, ESK_SCRATCH_PARTIAL, splits * partial_bytes + power_bytes);
  if (partial == NULL)
    return ESK_ERROR_MEMORY;
  if (table != NULL)
    table += first;
  else
    {
      uint4 *made = (uint4 *) esk_cuda_scratch (stream, ESK_SCRATCH_QUANTISED, pair_bytes (beams) * stride);

      if (made == NULL)
        return ESK_ERROR_MEMORY;
      pair_stride = stride;
      centre = slice->first + slice->bins / 2;
      code = make_table (stream, beams, first, n, stride, centre, made);
      table = made;
    }
  if (code != ESK_OK)
    return code;

  sum.folded = slice->folded;
  sum.unit_stride = slice->unit_stride;
  sum.n_units = beams->n_units;
  sum.table = table;
  sum.n_pairs = n;
  sum.pair_stride = pair_stride;
  sum.bins = slice->bins;
  sum.snapshots = snapshots;
  sum.base = (int) slice->first - (int) centre;
  sum.splits = splits;
  sum.unit_split = (unsigned) esk_cuda_ceil_div (beams->n_units, splits);
  sum.partial_stride = stride;
  sum.partial = partial;
  code = esk_cuda_beam_sum (stream, &sum);
  if (code != ESK_OK)
    return code;

  powers.partial = partial;
  powers.partial_stride = stride;
  powers.n_pairs = n;
  powers.splits = splits;
  powers.rows_stride = rows;
  powers.bins = slice->bins;
  powers.snapshots = snapshots;
  powers.own = slice->own;
  powers.factor = beams->plan.normalisation / (double) snapshots;
  powers.pairs = beams->pairs + first;
  powers.by_bin = by_bin != NULL ? by_bin + slice->first : NULL;
  powers.by_bin_stride = beams->plan.bins;
  powers.band = band;
  powers.add = slice->first > 0;
  powers.power = partial + splits * partial_bytes / sizeof (float);

  return esk_cuda_beam_powers (stream, &powers);
}

static int
form_slice (EskStream      *stream,
            const EskBeams *beams,
            Slice          *slice,
            float          *by_bin,
            float          *band)
{
  const EskSpectra *spectra = slice->spectra;
  const size_t folded_bytes = slice->bins * spectra->snapshots * slice->unit_stride * sizeof (float4);
  size_t most;
  int code;

  slice->folded = (float4 *) esk_cuda_scratch (stream, ESK_SCRATCH_COMPACT,
                                               folded_bytes + slice->bins * spectra->snapshots * sizeof (double));
  if (slice->folded == NULL)
    return ESK_ERROR_MEMORY;
  code = esk_cuda_beam_fold (stream, beams->mode, spectra, slice->spectra_bin, slice->bins, beams->units,
                             beams->n_units, slice->unit_stride, slice->folded);
  if (code == ESK_OK && beams->plan.remove_diagonal)
    {
      slice->own = (double *) ((char *) slice->folded + folded_bytes);
      code = esk_cuda_beam_own (stream, spectra, slice->spectra_bin, slice->bins, slice->own);
    }

  most = pairs_at_once (beams, slice);
  for (size_t first = 0; first < beams->n_pairs && code == ESK_OK; first += most)
    code = form_pairs (stream, beams, slice, first, beams->n_pairs - first < most ? beams->n_pairs - first : most,
                       by_bin, band);

  return code;
}

int
esk_cuda_beam_power (EskStream        *stream,
                     EskBeams         *beams,
                     const EskSpectra *spectra,
                     size_t            first_bin,
                     float            *by_bin,
                     float            *band)
{
  size_t unit_stride, most, slice_bytes;
  int code;

  if (stream == NULL || beams == NULL || spectra == NULL || spectra->values == NULL
      || (by_bin == NULL && band == NULL) || spectra->elements != beams->plan.elements
      || spectra->stride != esk_spectra_stride (spectra->elements) || spectra->snapshots < 1
      || beams->plan.bins > spectra->bins || first_bin > spectra->bins - beams->plan.bins
      || spectra->snapshots > INT_MAX / ESK_BEAM_TABLE_BINS)
    return ESK_ERROR_ARGUMENT;
  code = esk_cuda_enter (stream);
  if (code != ESK_OK)
    return code;

  unit_stride = esk_cuda_round_up (beams->n_units, 8);
  if (__builtin_mul_overflow (unit_stride * sizeof (float4), spectra->snapshots, &slice_bytes))
    return ESK_ERROR_ARGUMENT;
  /* As many bins as fit, in whole chunks. */
  most = beams->folded_bytes / slice_bytes;
  most = most > ESK_BEAM_TABLE_BINS ? ESK_BEAM_TABLE_BINS : most;
  if (most < beams->plan.bins)
    {
      size_t chunk = esk_cuda_beam_chunk (beams->mode, beams->plan.bins);

      most = most / chunk * chunk;
      most = most < chunk ? chunk : most;
    }
  for (size_t first = 0; first < beams->plan.bins && code == ESK_OK; first += most)
    {
      Slice slice = { spectra, first, beams->plan.bins - first < most ? beams->plan.bins - first : most,
                      first_bin + first, unit_stride };

      code = form_slice (stream, beams, &slice, by_bin, band);
    }

  return code;
}
