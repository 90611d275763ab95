/* SPDX-License-Identifier: GPL-3.0-or-later */

/* One evaluation of adaptive beams: the steps, which are in other files, their times, and what the host is told. */

#include "es-cuda-adaptive-private.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define MOST_BINS 32768

/* ---- stages ---- */

/* Adds up what is between the marks; the stream is idle. */
static int
gather_times (EskStream   *stream,
              EskAdaptive *adaptive)
{
  int code = ESK_OK;

  for (unsigned k = 0; k + 1 < adaptive->n_marks && code == ESK_OK; k++)
    {
      float ms = 0.0f;

      code = esk_cuda_check (stream, cudaEventElapsedTime (&ms, adaptive->marks[k], adaptive->marks[k + 1]),
                             "times of adaptive beams");
      adaptive->seconds[adaptive->mark_stages[k]] += 1e-3 * (double) ms;
    }
  adaptive->n_marks = 0;

  return code;
}

int
esk_cuda_adaptive_stage (EskStream        *stream,
                         EskAdaptive      *adaptive,
                         EskAdaptiveStage  stage)
{
  int code = ESK_OK;

  adaptive->mark_stages[adaptive->n_marks] = stage;
  if (adaptive->n_marks + 1 == ESK_ADAPTIVE_MARKS)
    {
      code = esk_cuda_check (stream, cudaEventRecord (adaptive->marks[adaptive->n_marks++], stream->stream),
                             "times of adaptive beams");
      if (code == ESK_OK)
        code = esk_cuda_check (stream, cudaStreamSynchronize (stream->stream), "adaptive beams");
      if (code == ESK_OK)
        code = gather_times (stream, adaptive);
      adaptive->mark_stages[0] = stage;
    }
  if (code == ESK_OK)
    code = esk_cuda_check (stream, cudaEventRecord (adaptive->marks[adaptive->n_marks++], stream->stream),
                           "times of adaptive beams");

  return code;
}

size_t
esk_cuda_adaptive_chunk (const EskAdaptive *adaptive,
                         size_t             bytes)
{
  size_t chunk = bytes > 0 ? adaptive->chunk_bytes / bytes : MOST_BINS;

  chunk = chunk < 1 ? 1 : chunk > MOST_BINS ? MOST_BINS : chunk;
  return chunk < adaptive->plan.bins ? chunk : adaptive->plan.bins;
}

size_t
esk_cuda_adaptive_foci (const EskAdaptive *adaptive,
                        size_t             bytes)
{
  size_t foci = bytes > 0 ? adaptive->chunk_bytes / bytes : adaptive->plan.n_foci;

  foci = foci < 1 ? 1 : foci;
  return foci < adaptive->plan.n_foci ? foci : adaptive->plan.n_foci;
}

/* ---- evaluating ---- */

static int
check_run (const EskAdaptive    *adaptive,
           const EskAdaptiveRun *run)
{
  const bool music = run->music_by_bin != NULL || run->music_band != NULL;

  if ((unsigned) run->method >= ESK_N_ADAPTIVE_METHODS || !(run->loading >= 0.0) || !isfinite (run->loading)
      || (run->method == ESK_ADAPTIVE_WOODBURY && (adaptive->ring == NULL || run->loading == 0.0))
      || (run->by_bin == NULL && run->band == NULL && !music && run->eigenvalues == NULL)
      || (music && (run->sources == 0 || run->sources >= adaptive->plan.elements))
      || (run->eigenvalues != NULL && run->n_eigenvalues == 0)
      || (run->method == ESK_ADAPTIVE_WOODBURY ? adaptive->used : adaptive->plan.elements) > ESK_ADAPTIVE_MOST_ROWS
      || (adaptive->used == 0 && adaptive->total == 0.0))
    return ESK_ERROR_ARGUMENT;

  return ESK_OK;
}

static int
evaluate (EskStream            *stream,
          EskAdaptive          *adaptive,
          const EskAdaptiveRun *run,
          EskAdaptiveReport    *report)
{
  const bool spectrum = run->by_bin != NULL || run->band != NULL;
  const bool music = run->music_by_bin != NULL || run->music_band != NULL;
  const bool by_eigen = run->method == ESK_ADAPTIVE_JACOBI || run->method == ESK_ADAPTIVE_EIGEN;
  int code;

  memset (adaptive->seconds, 0, sizeof adaptive->seconds);
  adaptive->n_marks = 0;
  *report = (EskAdaptiveReport) {};
  report->used = adaptive->used;
  code = esk_cuda_adaptive_stage (stream, adaptive, ESK_STAGE_MATRIX);
  /* Anew each time: it clears what was found singular. */
  if (code == ESK_OK)
    code = esk_cuda_adaptive_measure (stream, adaptive);
  if (code == ESK_OK && by_eigen)
    code = esk_cuda_adaptive_by_eigen (stream, adaptive, run, report);
  else if (code == ESK_OK)
    {
      if (spectrum)
        code = esk_cuda_adaptive_by_factor (stream, adaptive, run);
      if (code == ESK_OK && (music || run->eigenvalues != NULL))
        code = esk_cuda_adaptive_subspace (stream, adaptive, run, report);
    }
  if (code == ESK_OK)
    code = esk_cuda_adaptive_stage (stream, adaptive, ESK_STAGE_SPECTRUM);
  if (code == ESK_OK && spectrum)
    code = esk_cuda_adaptive_write (stream, adaptive, false, run->by_bin, run->band);
  if (code == ESK_OK && music)
    code = esk_cuda_adaptive_write (stream, adaptive, true, run->music_by_bin, run->music_band);
  if (code == ESK_OK)
    code = esk_cuda_adaptive_stage (stream, adaptive, ESK_STAGE_SPECTRUM);

  return code;
}

/* Waits, and looks at what the bins have come to. */
static int
conclude (EskStream         *stream,
          EskAdaptive       *adaptive,
          EskAdaptiveReport *report)
{
  const size_t n = adaptive->plan.bins;
  EskCudaAdaptiveBin *bins = (EskCudaAdaptiveBin *) calloc (n, sizeof *bins);
  int code = bins != NULL ? esk_cuda_fetch (stream, bins, adaptive->bins, n * sizeof *bins) : ESK_ERROR_MEMORY;

  if (code == ESK_OK)
    code = gather_times (stream, adaptive);
  report->matrix = adaptive->seconds[ESK_STAGE_MATRIX];
  report->factor = adaptive->seconds[ESK_STAGE_FACTOR];
  report->spectrum = adaptive->seconds[ESK_STAGE_SPECTRUM];
  for (size_t b = 0; b < n && code == ESK_OK; b++)
    {
      if (!isfinite (bins[b].trace))
        code = ESK_ERROR_ARGUMENT;
      else if (bins[b].singular != 0)
        {
          report->singular_bin = b;
          code = ESK_ERROR_SINGULAR;
        }
    }
  free (bins);

  return code;
}

int
esk_cuda_adaptive_power (EskStream            *stream,
                         EskAdaptive          *adaptive,
                         const EskAdaptiveRun *run,
                         EskAdaptiveReport    *report)
{
  int code;

  if (stream == NULL || adaptive == NULL || run == NULL || report == NULL)
    return ESK_ERROR_ARGUMENT;
  code = check_run (adaptive, run);
  if (code == ESK_OK)
    code = esk_cuda_adaptive_begin (stream, adaptive, true);
  if (code != ESK_OK)
    return code;

  for (;;)
    {
      code = evaluate (stream, adaptive, run, report);
      if (code != ESK_ERROR_MEMORY || adaptive->chunk_bytes <= ESK_ADAPTIVE_LEAST_CHUNK
          || esk_cuda_device_is_lost (stream->device))
        break;
      /* With less at a time, from now on. */
      adaptive->chunk_bytes /= 2;
    }
  if (code == ESK_ERROR_MEMORY && esk_cuda_device_is_lost (stream->device))
    code = ESK_ERROR_LOST;
  if (code == ESK_OK)
    code = conclude (stream, adaptive, report);

  return esk_cuda_adaptive_end (stream, adaptive, code);
}
