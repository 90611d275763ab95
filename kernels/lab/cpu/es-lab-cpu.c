/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The laboratory of the processor: what it can measure, and who does. */

#include "es-lab-cpu-private.h"
#include "es-lab-cpu-resources.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int
esk_lab_fail (EskLab     *lab,
              int         code,
              const char *format,
              ...)
{
  va_list list;

  va_start (list, format);
  vsnprintf (lab->error, sizeof lab->error, format, list);
  va_end (list);
  return code;
}

const EskLabLoops *
esk_lab_loops_get (unsigned n)
{
  const EskLabLoops *there[3];
  unsigned count = 0;

#if defined (__x86_64__)
  if (esk_lab_loops_avx512 != NULL && __builtin_cpu_supports ("avx512f") && __builtin_cpu_supports ("avx512dq")
      && __builtin_cpu_supports ("avx512vl") && __builtin_cpu_supports ("avx512bw") && __builtin_cpu_supports ("fma"))
    there[count++] = esk_lab_loops_avx512;
  if (esk_lab_loops_avx2 != NULL && __builtin_cpu_supports ("avx2") && __builtin_cpu_supports ("fma"))
    there[count++] = esk_lab_loops_avx2;
#endif
  there[count++] = esk_lab_loops_portable;
  return n < count ? there[n] : NULL;
}

/* ---- what there is ---- */

static bool
has_stream (const EskLab   *lab,
            const EskProbe *probe)
{
  const uint64_t threads = probe->kind == ESK_PROBE_LIBRARY_COPY && probe->threads == 0 ? 1
                           : esk_lab_threads_of (lab, probe);
  const uint64_t halves = probe->kind == ESK_PROBE_MOVE ? 2 : 1;

  return probe->bytes >= halves * threads * ESK_LAB_GRAIN && esk_lab_memory_has (probe->memory, probe->bytes);
}

static bool
has_order (const EskLab   *lab,
           const EskProbe *probe)
{
  return lab->loops->gather != NULL && probe->space == ESK_SPACE_GLOBAL && probe->variant >= 1 && probe->variant <= 4
         && probe->bytes >= 2 * lab->loops->width && probe->bytes < (uint64_t) 4 * INT32_MAX
         && (probe->variant != 4 || (probe->stride < 64 && probe->stride % 4 == 0))
         && esk_lab_memory_has (probe->memory, probe->bytes);
}

static bool
has_chase (const EskProbe *probe)
{
  if (probe->space != ESK_SPACE_GLOBAL || !esk_lab_memory_has (probe->memory, probe->bytes))
    return false;
  return probe->stride > 0 ? probe->bytes >= 8 && probe->bytes <= UINT32_MAX && probe->stride <= probe->bytes / 4
         : probe->bytes >= 128;
}

static bool
has_atomic (const EskProbe *probe)
{
  return probe->space == ESK_SPACE_GLOBAL && (probe->variant == 0 || probe->variant == 2)
         && (probe->type == ESK_TYPE_LAB_INT32 || probe->type == ESK_TYPE_LAB_INT64
             || probe->type == ESK_TYPE_LAB_FLOAT32 || probe->type == ESK_TYPE_LAB_FLOAT64);
}

static int
cpu_has (EskLab         *lab,
         const EskProbe *probe)
{
  const bool known = (unsigned) probe->type < ESK_N_LAB_TYPES && (unsigned) probe->operation < ESK_N_OPERATIONS;

  /* A vector stands for one warp, however many lanes it has. */
  if (probe->kind == ESK_PROBE_SHARING || probe->kind == ESK_PROBE_ORDER ? probe->threads > 32 || probe->blocks > 1
      : probe->threads > lab->threads)
    return 0;
  switch (probe->kind)
    {
    case ESK_PROBE_EMPTY:
      return 1;
    case ESK_PROBE_ARITHMETIC:
      return known && lab->loops->chain[probe->type][probe->operation] != NULL;
    case ESK_PROBE_THROUGHPUT:
      return known && lab->loops->rate[probe->type][probe->operation] != NULL;
    case ESK_PROBE_MATRIX:
      return known && probe->variant == 0 && lab->loops->product[probe->type] != NULL;
    case ESK_PROBE_CHASE:
      return has_chase (probe);
    case ESK_PROBE_DIVERGENCE:
      return probe->ways >= 1 && probe->ways <= 32;
    case ESK_PROBE_SHARING:
      return lab->loops->gather != NULL && probe->space == ESK_SPACE_GLOBAL && probe->ways >= 1
             && probe->ways <= lab->loops->width / 4;
    case ESK_PROBE_ORDER:
      return has_order (lab, probe);
    case ESK_PROBE_COPY:
      return has_stream (lab, probe) && probe->ways >= 1 && probe->ways <= 16 && (probe->ways & (probe->ways - 1)) == 0;
    case ESK_PROBE_HOST_ACCESS:
      return has_stream (lab, probe) && probe->variant <= 3;
    case ESK_PROBE_READ:
    case ESK_PROBE_WRITE:
    case ESK_PROBE_MOVE:
    case ESK_PROBE_LIBRARY_COPY:
      return has_stream (lab, probe);
    case ESK_PROBE_ATOMIC:
      return has_atomic (probe);
    case ESK_PROBE_LAUNCH:             /* 0: a thread is started, 1: work is handed to one that sleeps, 2: that looks */
      return probe->variant <= 1 || (probe->variant == 2 && lab->threads > 1);
    case ESK_PROBE_BARRIER:            /* 1 would be threads whose end nobody awaits */
      return probe->variant <= 3 && probe->variant != 1;
    case ESK_PROBE_ALLOCATE:
      return probe->bytes > 0 && probe->variant <= 4 && esk_lab_memory_has (probe->memory, probe->bytes)
             && ((probe->variant != 1 && probe->variant != 3) || probe->memory == ESK_MEMORY_REGISTERED);
    case ESK_PROBE_DOT:
      return probe->variant == 0 && probe->bytes >= 8 && esk_lab_memory_has (probe->memory, probe->bytes);
    case ESK_PROBE_MANDELBROT:
      return probe->variant == 0 && probe->stride >= 1 && probe->stride <= ESK_LAB_MOST_PIXELS;
    default:
      return 0;
    }
}

/* ---- measuring ---- */

typedef struct
{
  int       (*measure) (EskLab *lab, const EskProbe *probe, EskProbeResult *result);
  const char *source;
} Kind;

static const Kind kinds[ESK_N_PROBES] = {
  [ESK_PROBE_EMPTY] = { esk_lab_measure_arithmetic, lab_text_empty },
  [ESK_PROBE_ARITHMETIC] = { esk_lab_measure_arithmetic, lab_text_chains },
  [ESK_PROBE_CHASE] = { esk_lab_measure_chase, lab_text_chase },
  [ESK_PROBE_THROUGHPUT] = { esk_lab_measure_throughput, lab_text_rates },
  [ESK_PROBE_MATRIX] = { esk_lab_measure_matrix, lab_text_products },
  [ESK_PROBE_DIVERGENCE] = { esk_lab_measure_divergence, lab_text_divergence },
  [ESK_PROBE_SHARING] = { esk_lab_measure_vectors, lab_text_gather },
  [ESK_PROBE_ORDER] = { esk_lab_measure_vectors, lab_text_gather },
  [ESK_PROBE_COPY] = { esk_lab_measure_bandwidth, lab_text_copy },
  [ESK_PROBE_READ] = { esk_lab_measure_bandwidth, lab_text_streams },
  [ESK_PROBE_WRITE] = { esk_lab_measure_bandwidth, lab_text_streams },
  [ESK_PROBE_MOVE] = { esk_lab_measure_bandwidth, lab_text_streams },
  [ESK_PROBE_LIBRARY_COPY] = { esk_lab_measure_bandwidth, NULL },
  [ESK_PROBE_HOST_ACCESS] = { esk_lab_measure_bandwidth, lab_text_streams },
  [ESK_PROBE_ATOMIC] = { esk_lab_measure_atomic, lab_text_atomic },
  [ESK_PROBE_LAUNCH] = { esk_lab_measure_launch, lab_text_launch },
  [ESK_PROBE_ALLOCATE] = { esk_lab_measure_allocate, lab_text_allocate },
  [ESK_PROBE_BARRIER] = { esk_lab_measure_barrier, lab_text_barrier },
  [ESK_PROBE_DOT] = { esk_lab_measure_works, lab_text_dot },
  [ESK_PROBE_MANDELBROT] = { esk_lab_measure_works, lab_text_mandelbrot },
};

static int
cpu_measure (EskLab         *lab,
             const EskProbe *probe,
             EskProbeResult *result)
{
  uint8_t *picture = result->picture;
  int code;

  memset (result, 0, sizeof *result);
  result->picture = picture;
  result->fused = -1;
  lab->error[0] = '\0';
  if ((unsigned) probe->kind >= ESK_N_PROBES)
    return esk_lab_fail (lab, ESK_LAB_ERROR_ARGUMENT, "There is no probe %u", (unsigned) probe->kind);
  if (probe->repeats < 1 || probe->repeats > ESK_LAB_MOST_REPEATS)
    return esk_lab_fail (lab, ESK_LAB_ERROR_ARGUMENT, "%u repeats were asked for; there are 1 to %u", probe->repeats,
                         ESK_LAB_MOST_REPEATS);
  if (!cpu_has (lab, probe))
    return ESK_LAB_ERROR_SUPPORT;

  code = esk_lab_poll (lab);
  if (code == ESK_LAB_OK)
    code = kinds[probe->kind].measure (lab, probe, result);
  if (code != ESK_LAB_OK)
    result->n = 0;
  return code;
}

static const char *
cpu_source (const EskProbe *probe)
{
  return (unsigned) probe->kind < ESK_N_PROBES ? kinds[probe->kind].source : NULL;
}

static void
cpu_cancel (EskLab *lab)
{
  atomic_store (&lab->cancelled, 1);
}

static void
cpu_resume (EskLab *lab)
{
  atomic_store (&lab->cancelled, 0);
}

static const char *
cpu_last_error (EskLab *lab)
{
  return lab->error;
}

/* ---- the table ---- */

static unsigned
cpu_count (void)
{
  return 1;
}

static int
cpu_open (unsigned index,
          EskLab **lab,
          char    *reason,
          size_t   n)
{
  *lab = NULL;
  if (index > 0)
    {
      snprintf (reason, n, "There is one processor, and no number %u", index);
      return ESK_LAB_ERROR_ARGUMENT;
    }
  *lab = calloc (1, sizeof **lab);
  if (*lab != NULL)
    {
      (*lab)->loops = esk_lab_loops_get (0);
      esk_lab_machine_begin (*lab);
    }
  if (*lab == NULL || (*lab)->order == NULL)
    {
      free (*lab);
      *lab = NULL;
      snprintf (reason, n, "There is not enough memory");
      return ESK_LAB_ERROR_MEMORY;
    }
  esk_lab_clock_begin (*lab);
  return ESK_LAB_OK;
}

static void
cpu_close (EskLab *lab)
{
  if (lab == NULL)
    return;
  free (lab->order);
  free (lab);
}

static const EskLabTable table = {
  .abi = ESK_LAB_ABI,
  .name = "cpu",
  .count = cpu_count,
  .open = cpu_open,
  .close = cpu_close,
  .describe = esk_lab_machine_describe,
  .state = esk_lab_machine_state,
  .has = cpu_has,
  .measure = cpu_measure,
  .cancel = cpu_cancel,
  .resume = cpu_resume,
  .last_error = cpu_last_error,
  .source = cpu_source,
};

const EskLabTable *esk_lab_module (unsigned abi, char *reason, size_t n);

__attribute__ ((visibility ("default")))
const EskLabTable *
esk_lab_module (unsigned abi,
                char    *reason,
                size_t   n)
{
  if (abi == ESK_LAB_ABI)
    return &table;
  snprintf (reason, n, "The laboratory of the processor is of version %u, and the program of version %u", ESK_LAB_ABI,
            abi);
  return NULL;
}
