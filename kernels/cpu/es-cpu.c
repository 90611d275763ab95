/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "cpu/beam/es-cpu-adaptive-private.h"
#include "cpu/beam/es-cpu-beam-private.h"
#include "cpu/beam/es-cpu-dft-private.h"
#include "cpu/cube/es-cpu-ica-private.h"

#include "host/es-blas-internal.h"

#include <stdlib.h>
#include <string.h>

const EskCpuLoops *
esk_cpu_loops_choose (void)
{
  const char *portable = getenv ("ES_CPU_PORTABLE");

  if (portable != NULL && strcmp (portable, "1") == 0)
    return &esk_cpu_loops_portable;
#if defined (__x86_64__)
  if (esk_cpu_loops_avx2 != NULL && __builtin_cpu_supports ("avx2") && __builtin_cpu_supports ("fma"))
    return esk_cpu_loops_avx2;
#endif
  return &esk_cpu_loops_portable;
}

bool
esk_cpu_is_wide (const EskCpuLoops *loops)
{
#if defined (__x86_64__)
  const char *wanted = getenv ("ES_CPU_AVX512");

  return loops == esk_cpu_loops_avx2 && (wanted == NULL || strcmp (wanted, "0") != 0)
         && __builtin_cpu_supports ("avx512f") && __builtin_cpu_supports ("avx512dq")
         && __builtin_cpu_supports ("avx512vl");
#else
  (void) loops;

  return false;
#endif
}

void *
esk_scratch_get (EskScratch *scratch,
                 size_t      count,
                 size_t      size)
{
  size_t bytes;

  if (__builtin_mul_overflow (count, size, &bytes) || bytes > SIZE_MAX / 2)
    return NULL;
  bytes = esk_round_up (bytes > 0 ? bytes : 1, ESK_PANEL_ALIGNMENT);

  if (scratch->size < bytes)
    {
      esk_scratch_free (scratch);
      scratch->data = aligned_alloc (ESK_PANEL_ALIGNMENT, bytes);
      if (scratch->data != NULL)
        scratch->size = bytes;
    }

  return scratch->data;
}

void
esk_scratch_free (EskScratch *scratch)
{
  free (scratch->data);
  scratch->data = NULL;
  scratch->size = 0;
}

static EskStream *
cpu_stream_new (int device)
{
  EskStream *stream;

  (void) device;

  esk_blas_prepare ();
  stream = calloc (1, sizeof *stream);
  if (stream != NULL)
    {
      stream->loops = esk_cpu_loops_choose ();
      stream->wide = esk_cpu_is_wide (stream->loops);
    }

  return stream;
}

static void
cpu_stream_free (EskStream *stream)
{
  if (stream == NULL)
    return;

  esk_team_free (stream->team);
  esk_scratch_free (&stream->raw);
  esk_scratch_free (&stream->rows);
  esk_scratch_free (&stream->runs);
  esk_scratch_free (&stream->offsets);
  esk_scratch_free (&stream->quantised);
  esk_scratch_free (&stream->panel);
  esk_scratch_free (&stream->output);
  esk_scratch_free (&stream->state);
  esk_scratch_free (&stream->products);
  esk_scratch_free (&stream->basis);
  free (stream);
}

/* A processor does not fail in ways that it could tell of. */
static const char *
cpu_last_error (EskStream *stream)
{
  (void) stream;

  return "";
}

static const EskHotspots hotspots = {
  .abi = ESK_HOTSPOTS_ABI,
  .name = "cpu",
  .stream_new = cpu_stream_new,
  .stream_free = cpu_stream_free,
  .last_error = cpu_last_error,
  .valid_pixels = esk_cpu_valid_pixels,
  .band_ranges = esk_cpu_band_ranges,
  .band_sums = esk_cpu_band_sums,
  .covariance_sums = esk_cpu_covariance_sums,
  .project = esk_cpu_project,
  .noise_residual = esk_cpu_noise_residual,
  .compact = esk_cpu_compact,
  .ica_step = esk_cpu_ica_step,
  .ica_moments = esk_cpu_ica_moments,
  .moment_sums = esk_cpu_moment_sums,
  .project_error = esk_cpu_project_error,
  .dft_new = esk_cpu_dft_new,
  .dft_free = esk_cpu_dft_free,
  .real_dft = esk_cpu_real_dft,
  .beams_new = esk_cpu_beams_new,
  .beams_free = esk_cpu_beams_free,
  .beam_power = esk_cpu_beam_power,
  .beam_output = esk_cpu_beam_output,
  .adaptive_new = esk_cpu_adaptive_new,
  .adaptive_free = esk_cpu_adaptive_free,
  .adaptive_reset = esk_cpu_adaptive_reset,
  .adaptive_add = esk_cpu_adaptive_add,
  .adaptive_power = esk_cpu_adaptive_power,
  .adaptive_state = esk_cpu_adaptive_state,
  .set_threads = esk_cpu_set_threads,
};

const EskHotspots *
esk_cpu_hotspots (void)
{
  return &hotspots;
}
