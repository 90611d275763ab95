/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The entry of the module, threads and memory. */

#include "es-ladder-cpu-private.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define LITTLE_MEMORY ((size_t) 16 << 20)
/* Of a Hermitian eigenproblem with vectors, by the cube and the square of its rows: float64 operations of the reduction
 * and of turning back, and the matrix, its vectors and what LAPACK needs besides. Of one thread: more than any does. */
#define EIGEN_OPERATIONS 13.0
#define EIGEN_BYTES 64.0
#define FASTEST_THREAD 1e11
#define LONGEST_EIGEN 10.0

unsigned
ladder_threads (EskLadder *ladder)
{
  const LadderCpu *cpu = ladder->own;
  const unsigned asked = ladder->size.threads;

  return asked > 0 && asked < cpu->threads ? asked : cpu->threads;
}

/* Work that may only take so long. */
typedef struct {
  EskLadder   *ladder;
  EskTeamWork  work;
  void        *data;
  size_t       done;                   /* atomic */
  int          late;                   /* atomic: what is left is not begun any more */
} Limited;

static void
work_in_time (void    *data,
              size_t   item,
              unsigned worker)
{
  Limited *self = data;
  EskLadder *ladder = self->ladder;

  if (__atomic_load_n (&self->late, __ATOMIC_RELAXED))
    return;
  if (esk_ladder_now () - ladder->began > ladder->limit)
    {
      __atomic_store_n (&self->late, 1, __ATOMIC_RELAXED);
      return;
    }
  self->work (self->data, item, worker);
  __atomic_fetch_add (&self->done, 1, __ATOMIC_RELAXED);
}

int
ladder_share (EskLadder   *ladder,
              size_t       n,
              EskTeamWork  work,
              void        *data)
{
  LadderCpu *cpu = ladder->own;
  Limited limited = { ladder, work, data, 0, 0 };
  const double began = esk_ladder_now ();
  double whole;
  int code;

  esk_cpu_set_threads (cpu->stream, (int) ladder_threads (ladder));
  code = ladder->limit > 0.0 ? esk_team_try (cpu->stream, n, work_in_time, &limited)
                             : esk_team_try (cpu->stream, n, work, data);
  if (code != ESK_OK)
    return ESK_LADDER_ERROR_CANCELLED;
  if (!limited.late)
    return ESK_LADDER_OK;
  whole = began - ladder->began + (esk_ladder_now () - began) * (double) n / (double) (limited.done + 1);
  return esk_ladder_refuse (ladder->result, ESK_WHY_TIME, fmax (whole, ladder->limit), ladder->limit, NULL);
}

void *
ladder_memory (size_t bytes)
{
  return aligned_alloc (64, (bytes > 0 ? bytes + 63 : 64) / 64 * 64);
}

void *
ladder_more (size_t         bytes,
             EskRungResult *result)
{
  /* Little is there without looking. */
  void *memory = bytes < LITTLE_MEMORY || (double) bytes <= esk_ladder_memory_there () ? ladder_memory (bytes) : NULL;

  if (memory != NULL)
    result->more_memory += (double) bytes;
  return memory;
}

int
ladder_room (double         bytes,
             EskRungResult *result)
{
  const double limit = esk_ladder_memory_there ();

  return bytes <= limit ? ESK_LADDER_OK : esk_ladder_refuse (result, ESK_WHY_MEMORY, bytes, limit, NULL);
}

int
ladder_eigen (EskLadder     *ladder,
              size_t         n,
              EskRungResult *result)
{
  const double rows = (double) n, seconds = EIGEN_OPERATIONS * rows * rows * rows / FASTEST_THREAD;

  ESK_LADDER_TRY (esk_ladder_cancelled (ladder));
  ESK_LADDER_TRY (ladder_room (EIGEN_BYTES * rows * rows, result));
  return seconds <= LONGEST_EIGEN ? ESK_LADDER_OK
         : esk_ladder_refuse (result, ESK_WHY_TIME, seconds, LONGEST_EIGEN, NULL);
}

int
ladder_vectors (const char    *what,
                EskRungResult *result)
{
#if defined (__x86_64__)
  const int wide = strcmp (what, "avx512") == 0;

  if (wide ? __builtin_cpu_supports ("avx512f") && __builtin_cpu_supports ("avx512dq")
             && __builtin_cpu_supports ("avx512vl") && __builtin_cpu_supports ("avx512bw")
           : __builtin_cpu_supports ("avx2") && __builtin_cpu_supports ("fma"))
    return ESK_LADDER_OK;
  return esk_ladder_refuse (result, ESK_WHY_FEATURE, 0, 0, wide ? "AVX-512" : "AVX2");
#else
  return esk_ladder_refuse (result, ESK_WHY_FEATURE, 0, 0, "x86-64");
#endif
}

/* ---- the processor ---- */

static int
enter (EskLadder *ladder)
{
  return ESK_LADDER_OK;
}

static int
wait (EskLadder *ladder)
{
  return ESK_LADDER_OK;
}

static void
close_cpu (EskLadder *ladder)
{
  LadderCpu *cpu = ladder->own;

  esk_cpu_hotspots ()->stream->stream_free (cpu->stream);
  free (cpu);
}

static int
open_cpu (EskLadder *ladder,
          char      *reason,
          size_t     n)
{
  const long there = sysconf (_SC_NPROCESSORS_ONLN);
  LadderCpu *cpu = calloc (1, sizeof *cpu);

  if (cpu != NULL)
    cpu->stream = esk_cpu_hotspots ()->stream->stream_new (0);
  if (cpu == NULL || cpu->stream == NULL)
    {
      free (cpu);
      return ESK_LADDER_ERROR_MEMORY;
    }
  cpu->threads = there < 1 ? 1 : there > ESK_MOST_THREADS ? ESK_MOST_THREADS : (unsigned) there;
  esk_cpu_hotspots ()->stream->set_cancelled (cpu->stream, &ladder->cancelled);
  ladder->own = cpu;

  return ESK_LADDER_OK;
}

/* ---- the table ---- */

static const EskSubject *const subjects[ESK_N_LADDERS] = {
  [ESK_LADDER_COVARIANCE] = &ladder_covariance,
  [ESK_LADDER_TRANSFORM] = &ladder_transform,
  [ESK_LADDER_ICA] = &ladder_ica,
  [ESK_LADDER_NOISE] = &ladder_noise,
  [ESK_LADDER_FOURIER] = &ladder_fourier,
  [ESK_LADDER_BEAMS] = &ladder_beams,
  [ESK_LADDER_JACOBI] = &ladder_jacobi,
  [ESK_LADDER_AZIMUTH] = &ladder_azimuth,
};

static EskRung told[ESK_N_LADDERS][ESK_LADDER_MOST_RUNGS];
static const EskLadderEngine engine = { "cpu", open_cpu, close_cpu, enter, wait, ladder_text, subjects, told };

static const EskRung *
rungs (EskLadderKind kind,
       unsigned     *n)
{
  return esk_ladder_rungs (&engine, kind, n);
}

static void
least (EskLadderKind        kind,
       const EskLadderSize *size,
       double              *bytes,
       double              *operations)
{
  esk_ladder_least (&engine, kind, size, bytes, operations);
}

static int
open_ladder (unsigned            index,
             const EskHotspots  *production,
             EskLadder         **ladder,
             char               *reason,
             size_t              n)
{
  const int code = esk_ladder_open (&engine, index, production, ladder, reason, n);

  if (code == ESK_LADDER_OK && (*ladder)->production != NULL)
    {
      const LadderCpu *cpu = (*ladder)->own;

      esk_hotspots_set_threads (production, (*ladder)->stream, (int) cpu->threads);
      esk_hotspots_set_cancelled (production, (*ladder)->stream, &(*ladder)->cancelled);
    }
  return code;
}

static const EskLadderTable table = {
  .abi = ESK_LADDER_ABI,
  .name = "cpu",
  .rungs = rungs,
  .least = least,
  .open = open_ladder,
  .close = esk_ladder_close,
  .prepare = esk_ladder_prepare,
  .measure = esk_ladder_measure,
  .output = esk_ladder_output,
  .cancel = esk_ladder_cancel,
  .resume = esk_ladder_resume,
  .last_error = esk_ladder_last_error,
};

__attribute__ ((visibility ("default"))) const EskLadderTable *esk_ladder_module (unsigned abi, char *reason, size_t n);

const EskLadderTable *
esk_ladder_module (unsigned  abi,
                   char     *reason,
                   size_t    n)
{
  return esk_ladder_same_abi (abi, reason, n) ? &table : NULL;
}
