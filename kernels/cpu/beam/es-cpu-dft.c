/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "es-cpu-dft-private.h"

#include "host/es-blas-internal.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- preparing ---- */

static int
check_plan (const EskDftPlan *plan)
{
  double scale;

  if (plan == NULL || plan->length < 2 || plan->length % 2 != 0 || plan->length > INT_MAX / 2
      || plan->window_length < 1 || plan->window_length > plan->length || plan->snapshots < 1
      || (plan->snapshots > 1 && plan->hop < 1) || plan->bins < 1 || plan->bins > plan->length / 2 + 1
      || plan->first_bin > plan->length / 2 + 1 - plan->bins || plan->elements < 1
      || (unsigned) plan->library >= ESK_N_DFT_LIBRARIES
      || esk_spectra_bytes (plan->elements, plan->bins, plan->snapshots) == 0)
    return ESK_ERROR_ARGUMENT;
  scale = esk_dft_scale (plan->length, plan->window_length, plan->window);

  return isfinite (scale) ? ESK_OK : ESK_ERROR_ARGUMENT;
}

/* NULL: no memory. */
static void *
copy_of (const void *data,
         size_t      count,
         size_t      size)
{
  void *copy = reallocarray (NULL, count, size);

  if (copy != NULL && data != NULL)
    memcpy (copy, data, count * size);
  return copy;
}

void
esk_cpu_dft_free (EskDft *dft)
{
  if (dft == NULL)
    return;

  esk_dft_fftw_clear (dft);
  esk_dft_own_clear (dft);
  free ((void *) dft->plan.window);
  free ((void *) dft->plan.channels);
  free ((void *) dft->plan.gains);
  free (dft);
}

EskDft *
esk_cpu_dft_new (EskStream        *stream,
                 const EskDftPlan *plan,
                 int              *code)
{
  double scale;
  uint32_t *channels;
  float *gains;
  EskDft *dft;

  *code = stream != NULL ? check_plan (plan) : ESK_ERROR_ARGUMENT;
  if (*code != ESK_OK)
    return NULL;
  *code = ESK_ERROR_MEMORY;
  dft = calloc (1, sizeof *dft);
  if (dft == NULL)
    return NULL;

  dft->plan = *plan;
  dft->plan.window = plan->window != NULL ? copy_of (plan->window, plan->window_length, sizeof (float)) : NULL;
  dft->plan.channels = channels = copy_of (plan->channels, plan->elements, sizeof *channels);
  dft->plan.gains = gains = copy_of (plan->gains, plan->elements, sizeof *gains);
  if (channels == NULL || gains == NULL || (plan->window != NULL && dft->plan.window == NULL))
    goto fail;

  scale = esk_dft_scale (plan->length, plan->window_length, plan->window);
  for (size_t k = 0; k < plan->elements; k++)
    {
      if (plan->channels == NULL)
        channels[k] = (uint32_t) k;
      if (channels[k] > dft->last_channel)
        dft->last_channel = channels[k];
      gains[k] = (float) (scale * (plan->gains != NULL ? (double) gains[k] : 1.0));
    }

  *code = esk_dft_is_own (plan) ? esk_dft_own_init (dft) : esk_dft_fftw_init (dft);
  if (*code != ESK_OK)
    goto fail;

  return dft;

fail:
  esk_cpu_dft_free (dft);
  return NULL;
}

/* ---- transforming ---- */

EskTeamWork
esk_cpu_dft_loops (const EskStream *stream,
                   size_t           elements,
                   unsigned         threads,
                   size_t          *lanes)
{
  *lanes = 8;
  if (!stream->has_avx2 || esk_cpu_dft_avx2 == NULL)
    return esk_cpu_dft_portable;
  /* Not where that would leave half of the lanes or a thread without work. */
  if (!stream->wide || esk_cpu_dft_avx512 == NULL || elements <= 8 || (elements - 1) / 16 + 1 < threads)
    return esk_cpu_dft_avx2;
  *lanes = 16;
  return esk_cpu_dft_avx512;
}

/* Elements of an item, so that there are some items for each thread. */
static size_t
choose_group (size_t   elements,
              unsigned threads,
              size_t   least)
{
  size_t group = ESK_DFT_GROUP;

  if (threads > 1)
    while (group > least && (elements - 1) / group + 1 < (size_t) ESK_DFT_ITEMS * threads)
      group /= 2;

  return group;
}

static int
check_run (EskStream        *stream,
           EskDft           *dft,
           const EskFrames  *frames,
           const EskSpectra *spectra)
{
  const EskDftPlan *plan;
  size_t needed;

  if (stream == NULL || dft == NULL || frames == NULL || spectra == NULL || frames->data == NULL
      || spectra->values == NULL)
    return ESK_ERROR_ARGUMENT;
  plan = &dft->plan;
  if (frames->type != ESK_I16 && frames->type != ESK_I32 && frames->type != ESK_F32 && frames->type != ESK_F64)
    return ESK_ERROR_ARGUMENT;
  if (__builtin_mul_overflow (plan->snapshots - 1, plan->hop, &needed)
      || __builtin_add_overflow (needed, plan->window_length, &needed) || frames->frames < needed
      || frames->channels <= dft->last_channel)
    return ESK_ERROR_ARGUMENT;
  if (spectra->elements != plan->elements || spectra->bins != plan->bins || spectra->snapshots != plan->snapshots
      || spectra->stride != esk_spectra_stride (plan->elements))
    return ESK_ERROR_ARGUMENT;

  return ESK_OK;
}

int
esk_cpu_real_dft (EskStream        *stream,
                  EskDft           *dft,
                  const EskFrames  *frames,
                  const EskSpectra *spectra,
                  EskChannelHealth *health)
{
  EskDftRun run = { dft, frames, spectra, health, NULL, 0, 0 };
  int code = check_run (stream, dft, frames, spectra);
  size_t lanes = ESK_DFT_MANY_ELEMENTS;
  EskTeamWork work = esk_dft_fftw_group;

  if (code != ESK_OK)
    return code;
  if (dft->columns > 0)
    work = esk_cpu_dft_loops (stream, dft->plan.elements, esk_team_size (stream), &lanes);
  run.group = choose_group (dft->plan.elements, esk_team_size (stream), lanes);
  run.scratch_floats = dft->columns > 0 ? esk_dft_own_floats (dft) : esk_dft_fftw_floats (dft);
  run.scratch = esk_scratch_get (&stream->panel, esk_team_size (stream), run.scratch_floats * sizeof (float));
  /* FFTW ends the program where it does not get the little that it works with. */
  if (run.scratch == NULL
      || (dft->columns == 0 && !esk_memory_is_there (esk_team_size (stream) * 64 * dft->plan.length + (4 << 20))))
    return ESK_ERROR_MEMORY;

  return esk_team_try (stream, (dft->plan.elements - 1) / run.group + 1, work, &run);
}
