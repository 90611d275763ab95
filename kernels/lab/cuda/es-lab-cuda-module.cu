/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The entry of the module: one table, and which file measures what. */

#include "es-lab-cuda-private.h"
#include "es-lab-cuda-source-private.h"

#include <stdio.h>
#include <string.h>

/* A card that has rested this long, seconds, has lowered its clocks; it is woken for so many milliseconds. */
#define RESTED 0.25
#define WAKE 60.0
/* How long the clock is measured before and after a probe, milliseconds. */
#define MEASURE 0.5

static const LabKind *const kinds[ESK_N_PROBES] = {
  /* In the order of EskProbeKind. */
  &lab_kind_empty, &lab_kind_arithmetic, &lab_kind_chase, &lab_kind_throughput, &lab_kind_matrix,
  &lab_kind_branch_order, &lab_kind_divergence, &lab_kind_sharing, &lab_kind_order, &lab_kind_conflict,
  &lab_kind_private_array, &lab_kind_copy, &lab_kind_read, &lab_kind_write, &lab_kind_move, &lab_kind_library_copy,
  &lab_kind_host_access, &lab_kind_atomic, &lab_kind_launch, &lab_kind_allocate, &lab_kind_link, &lab_kind_peer,
  &lab_kind_barrier, &lab_kind_plan, &lab_kind_dot, &lab_kind_mandelbrot, &lab_kind_overlap, &lab_kind_both,
};

static const LabKind *
kind_of (const EskProbe *probe)
{
  return probe != NULL && (unsigned) probe->kind < ESK_N_PROBES ? kinds[probe->kind] : NULL;
}

static int
has (EskLab         *lab,
     const EskProbe *probe)
{
  const LabKind *kind = kind_of (probe);

  return kind != NULL && (unsigned) probe->space < ESK_N_SPACES && (unsigned) probe->type < ESK_N_LAB_TYPES
         && (unsigned) probe->operation < ESK_N_OPERATIONS && (unsigned) probe->memory < ESK_N_MEMORIES
         && (kind->has == NULL || kind->has (lab, probe));
}

/* What of the result is of this probe: all but the picture, which whoever asks gave. */
static void
clear (EskProbeResult *result)
{
  uint8_t *picture = result->picture;

  memset (result, 0, sizeof *result);
  result->picture = picture;
  result->fused = -1;
}

static int
measure_clocked (EskLab         *lab,
                 const LabKind  *kind,
                 const EskProbe *probe,
                 EskProbeResult *result)
{
  double before, after;

  if (lab_now () - lab->worked > RESTED)
    lab_hertz (lab, WAKE);
  before = lab_hertz (lab, MEASURE);
  LAB_TRY (lab_cancelled (lab));
  LAB_TRY (kind->measure (lab, probe, result));
  after = lab_hertz (lab, MEASURE);

  /* What a probe counted itself while it ran is more to be relied on. */
  if (result->hertz > 0.0)
    result->lowest_hertz = result->hertz;
  else if (before > 0.0 && after > 0.0)
    {
      result->hertz = (before + after) / 2.0;
      result->lowest_hertz = before < after ? before : after;
    }
  if (lab->lowest_hertz > 0.0 && (result->lowest_hertz == 0.0 || lab->lowest_hertz < result->lowest_hertz))
    result->lowest_hertz = lab->lowest_hertz;

  return ESK_LAB_OK;
}

static int
measure (EskLab         *lab,
         const EskProbe *probe,
         EskProbeResult *result)
{
  const LabKind *kind = kind_of (probe);
  void *before = NULL;
  int code;

  clear (result);
  lab->error[0] = '\0';
  if (kind == NULL || probe->repeats < 1 || probe->repeats > ESK_LAB_MOST_REPEATS)
    return lab_refuse (lab, ESK_LAB_ERROR_ARGUMENT, "A probe of a known kind and 1 to 64 repeats were expected");
  if (!has (lab, probe))
    return lab_refuse (lab, ESK_LAB_ERROR_SUPPORT, "This card, or this back end, has no such thing");
  LAB_TRY (lab_cancelled (lab));
  LAB_TRY (lab_enter (lab, &before));

  lab->lowest_hertz = 0.0;
  code = kind->clocked ? measure_clocked (lab, kind, probe, result) : kind->measure (lab, probe, result);
  lab_give_all_back (lab);
  lab->worked = lab_now ();
  lab_leave (before);
  if (code != ESK_LAB_OK)
    result->n = 0;

  return code;
}

static void
cancel (EskLab *lab)
{
  __atomic_store_n (&lab->cancelled, 1, __ATOMIC_RELEASE);
}

static void
resume (EskLab *lab)
{
  __atomic_store_n (&lab->cancelled, 0, __ATOMIC_RELEASE);
}

static const char *
last_error (EskLab *lab)
{
  return lab->error;
}

static const char *
source (const EskProbe *probe)
{
  const LabKind *kind = kind_of (probe);

  if (kind == &lab_kind_matrix && probe->variant == 1)
    return lab_source ("groups");

  return kind != NULL ? lab_source (kind->subject) : NULL;
}

static const EskLabTable table = {
  .abi = ESK_LAB_ABI,
  .name = "cuda",
  .count = lab_count,
  .open = lab_open,
  .close = lab_close,
  .describe = lab_describe,
  .state = lab_state,
  .has = has,
  .measure = measure,
  .cancel = cancel,
  .resume = resume,
  .last_error = last_error,
  .source = source,
};

extern "C" __attribute__ ((visibility ("default"))) const EskLabTable *
esk_lab_module (unsigned  abi,
                char     *reason,
                size_t    n)
{
  if (n > 0)
    reason[0] = '\0';
  if (abi != ESK_LAB_ABI)
    {
      snprintf (reason, n, "The laboratory's CUDA module has interface %d, and the program asks for %u; "
                "both must be of one version", ESK_LAB_ABI, abi);
      return NULL;
    }

  return &table;
}
