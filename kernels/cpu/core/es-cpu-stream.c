/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Streams of the CPU: which loops they run, their scratch memory, and their table. */

#include "es-cpu-loops-table-private.h"
#include "es-cpu-team-internal.h"

#include "host/es-blas-internal.h"

#include <stdlib.h>
#include <string.h>

/* ---- loops ---- */

#if defined (__x86_64__)
static bool
has_avx512 (void)
{
  const char *wanted = getenv ("ES_CPU_AVX512");

  return (wanted == NULL || strcmp (wanted, "0") != 0) && __builtin_cpu_supports ("avx512f")
         && __builtin_cpu_supports ("avx512dq") && __builtin_cpu_supports ("avx512vl");
}
#endif

const EskCpuLoops *
esk_cpu_loops_choose (void)
{
  const char *portable = getenv ("ES_CPU_PORTABLE");

  if (portable != NULL && strcmp (portable, "1") == 0)
    return &esk_cpu_loops_portable;
#if defined (__x86_64__)
  if (esk_cpu_loops_avx2 != NULL && __builtin_cpu_supports ("avx2") && __builtin_cpu_supports ("fma"))
    return esk_cpu_loops_avx512 != NULL && has_avx512 () && __builtin_cpu_supports ("avx512bw")
           && __builtin_cpu_supports ("avx512vnni") ? esk_cpu_loops_avx512 : esk_cpu_loops_avx2;
#endif
  return &esk_cpu_loops_portable;
}

bool
esk_cpu_has_avx2 (void)
{
  return esk_cpu_loops_choose () != &esk_cpu_loops_portable;
}

/* Whether this machine has AVX-512 to go with its other loops; not where ES_CPU_AVX512=0 is in the environment. */
static bool
is_wide (const EskCpuLoops *loops)
{
#if defined (__x86_64__)
  return loops != &esk_cpu_loops_portable && has_avx512 ();
#else
  (void) loops;

  return false;
#endif
}

void
esk_cpu_stream_init (EskStream *stream)
{
  memset (stream, 0, sizeof *stream);
  stream->loops = esk_cpu_loops_choose ();
  stream->has_avx2 = stream->loops != &esk_cpu_loops_portable;
  stream->wide = is_wide (stream->loops);
}

/* ---- scratch ---- */

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

/* ---- the hot spots ---- */

static EskStream *
cpu_stream_new (int device)
{
  EskStream *stream;

  (void) device;

  stream = malloc (sizeof *stream);
  if (stream == NULL)
    return NULL;
  esk_cpu_stream_init (stream);
  /* The portable loops, which have no way to say that there is no memory, leave the work to OpenBLAS. */
  if (!stream->has_avx2)
    {
      if (esk_blas_enter () != ESK_OK)
        {
          free (stream);
          return NULL;
        }
      esk_blas_leave ();
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

static void
cpu_set_cancelled (EskStream *stream,
                   const int *cancelled)
{
  stream->cancelled = cancelled;
}

const EskStreamHotspots esk_cpu_stream_hotspots = {
  .stream_new = cpu_stream_new,
  .stream_free = cpu_stream_free,
  .last_error = cpu_last_error,
  .set_threads = esk_cpu_set_threads,
  .set_cancelled = cpu_set_cancelled,
};
