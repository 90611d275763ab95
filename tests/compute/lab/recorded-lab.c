/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * A back end of the laboratory that measures nothing: it answers what was published of a Tesla K20c (2013), by the
 * tables and formulas themselves, and where only a figure was drawn, by a curve of its shape. So every experiment has a
 * known answer. ES_RECORDED_LAB: words that change it: "none" has nothing, "mirrored" has branches in the order of the
 * code, "together" lanes that share a time, "wrong" a picture with a wrong pixel, "poor" no memory from 64 MiB on,
 * "scarce" none to be touched for the first time from there on, "warps" no blocks of single threads, "split" registered
 * memory that is only locked and unlocked, "flat" constant memory that serves all lanes at once, "vector" a processor's
 * gathered vector, "shuffled" one whose lanes have to ask in order, "lying" locked memory that is slower when it is
 * used than its link and cost say, "below" an addition that is quicker than the empty loop, "quick" a barrier of some
 * nanoseconds, "broken" atomics that fail, "busy" a card that was busy for half of the last second, "disturbed" a copy
 * of 24 MiB that takes three times as long when it is measured first, "managed" managed memory that moves by pages,
 * "whole" such that moves as a whole, "denied" such that turns out not to be there, "hopper" products of matrices, and
 * an architecture that has them by warp groups, "warm" one whose clock is a tenth lower when single warps are measured,
 * "dip" a largest footprint that is gone through more quickly than the one before.
 */

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "es-lab.h"
#include "recorded-k20c.h"

#define DIPPED (16 << 20)

struct _EskLab
{
  volatile int cancelled;
  bool         disturbed;
};

/* Called in the midst of each probe by the thread that measures, where it is set. */
extern void (*recorded_lab_on_measure) (void) __attribute__ ((visibility ("default")));
void (*recorded_lab_on_measure) (void);

static bool
told (const char *word)
{
  const char *words = getenv ("ES_RECORDED_LAB");

  return words != NULL && strstr (words, word) != NULL;
}

static unsigned
lab_count (void)
{
  return 1;
}

static int
lab_open (unsigned index, EskLab **lab, char *reason, size_t n)
{
  if (index > 0)
    {
      snprintf (reason, n, "there is one card");
      return ESK_LAB_ERROR_DEVICE;
    }
  *lab = calloc (1, sizeof **lab);
  return *lab != NULL ? ESK_LAB_OK : ESK_LAB_ERROR_MEMORY;
}

static void
lab_close (EskLab *lab)
{
  free (lab);
}

static int
lab_describe (EskLab *lab, EskLabMachine *machine)
{
  (void) lab;
  *machine = (EskLabMachine) {
    .id = "cuda:0", .name = "Tesla K20c", .driver = "CUDA 5.5", .architecture = "3.5", .units = 13, .threads = 26624,
    .warp = 32, .registers = 65536, .clock_hertz = 706e6, .memory_clock_hertz = 2600e6, .memory_bits = 320,
    .memory = (uint64_t) 5 << 30, .l2 = 1280 << 10, .shared = 48 << 10, .constant = 64 << 10, .link_generation = 2,
    .link_width = 16,
    .managed = told ("managed") || told ("whole"), .managed_pages = told ("managed"),
  };
  if (told ("hopper"))
    snprintf (machine->architecture, sizeof machine->architecture, "9.0");
  return ESK_LAB_OK;
}

static int
lab_state (EskLab *lab, EskLabState *state)
{
  (void) lab;
  *state = (EskLabState) { 706e6, 2600e6, -1, -1, told ("busy") ? 0.5 : 0, 0, 0 };
  return ESK_LAB_OK;
}

/* Made up: order is irrelevant, rows apart take 1, 1, 1, 2, 4, 4, 4 times as long, rows that begin late 1.5 times. */
static double
vector_order (const EskProbe *probe)
{
  const double alone = 20 + log2 ((double) probe->bytes);
  const int times = probe->bytes < 1 << 20 ? 1 : probe->bytes < 4 << 20 ? 2 : 4;

  if (probe->space != ESK_SPACE_GLOBAL || probe->stride >= 64)
    return NAN;
  return alone * (probe->variant == 3 ? times : probe->variant == 4 && probe->stride > 0 ? 1.5
                  : probe->variant == 2 && told ("shuffled") ? 1.3 : 1);
}

static double
clock_of (const EskProbe *probe)
{
  return told ("warm") && probe->kind == ESK_PROBE_MATRIX && probe->variant == 0 ? 0.9 * 706e6 : 706e6;
}

/* Made up: single warps bring 62 % of what the data sheet promises, warp groups 95 %. */
static double
matrix (const EskProbe *probe)
{
  static const double each[ESK_N_LAB_TYPES] = {
    [ESK_TYPE_LAB_INT8] = 8192, [ESK_TYPE_LAB_FLOAT16] = 4096, [ESK_TYPE_LAB_BFLOAT16] = 4096,
    [ESK_TYPE_LAB_TF32] = 2048, [ESK_TYPE_LAB_FLOAT64] = 256, [ESK_TYPE_LAB_FLOAT8] = 8192,
  };
  const EskLabType without = probe->variant == 1 ? ESK_TYPE_LAB_FLOAT64 : ESK_TYPE_LAB_FLOAT8;

  if (!told ("hopper") || !(each[probe->type] > 0) || probe->variant > 1 || probe->type == without)
    return NAN;
  return each[probe->type] * 13 * (probe->variant == 1 ? 706e6 * 0.95 : clock_of (probe) * 0.62);
}

/* NAN: it has no such thing. */
static double
value_of (const EskProbe *probe)
{
  const double bytes = (double) probe->bytes;

  switch (probe->kind)
    {
    case ESK_PROBE_EMPTY:
      return 0;
    case ESK_PROBE_ARITHMETIC:
      return told ("below") && probe->operation == ESK_OPERATION_ADD ? -0.2
             : k20c_arithmetic (probe->type, probe->operation);
    case ESK_PROBE_MATRIX:
      return matrix (probe);
    case ESK_PROBE_CHASE:
      return k20c_chase (probe->space, bytes, probe->stride) * (told ("dip") && probe->bytes >= DIPPED ? 0.8 : 1);
    case ESK_PROBE_BRANCH_ORDER:
      return 64;
    case ESK_PROBE_DIVERGENCE:
      return 64.0 * probe->ways;
    case ESK_PROBE_SHARING:
      return told ("flat") && probe->space == ESK_SPACE_CONSTANT ? 110.13
             : k20c_sharing (probe->space, probe->ways, probe->threads);
    case ESK_PROBE_ORDER:
      return told ("vector") ? vector_order (probe) : k20c_order (probe->space, probe->variant, probe->blocks);
    case ESK_PROBE_CONFLICT:
      return k20c_chase (ESK_SPACE_SHARED, 8192, 0) + (probe->variant == 1 ? 0 : 32.0 * (probe->ways - 1));
    case ESK_PROBE_PRIVATE_ARRAY:
      return k20c_local_bytes (probe->variant, probe->ways);
    case ESK_PROBE_COPY:
      return k20c_copy (probe->ways);
    case ESK_PROBE_LIBRARY_COPY:
      return 159.757 * GIGABYTE;
    case ESK_PROBE_READ:
      if (probe->memory == ESK_MEMORY_MANAGED)
        return bytes <= 1280 << 10 ? 450e9 : 145e9;
      return bytes <= 1280 << 10 ? 500e9 : 150e9;
    case ESK_PROBE_WRITE:
      return bytes <= 1280 << 10 ? 500e9 : 150e9;
    case ESK_PROBE_HOST_ACCESS:
      return k20c_host_access (probe->memory, probe->variant, bytes, probe->threads);
    case ESK_PROBE_ATOMIC:
      return probe->type == ESK_TYPE_LAB_FLOAT64 ? NAN : probe->variant == 0 ? 1e11 : probe->variant == 1 ? 2e10 : 1e9;
    case ESK_PROBE_LAUNCH:
      return probe->variant == 0 ? 8e-6 : probe->variant == 1 ? 4e-6 : NAN;
    case ESK_PROBE_BARRIER:
      return probe->variant == 0 ? 19.9e-6 : probe->variant == 2 ? (told ("quick") ? 45e-9 : 3.7e-6) : NAN;
    case ESK_PROBE_ALLOCATE:
      return told ("split") && probe->memory == ESK_MEMORY_REGISTERED && probe->variant != 1 && probe->variant != 3
             ? NAN : k20c_allocate (probe->memory, probe->variant, bytes);
    case ESK_PROBE_LINK:
      return probe->variant > 1 ? NAN : bytes / k20c_link (probe->memory, probe->variant, bytes);
    case ESK_PROBE_PEER:
      return probe->ways == 1 ? bytes / (probe->variant == 0 ? 3e9 : 6e9) : NAN;
    case ESK_PROBE_PLAN:
      return k20c_plan (probe->memory, bytes, probe->ways, probe->threads)
             * (told ("lying") && probe->memory != ESK_MEMORY_PAGEABLE ? 3 : 1);
    case ESK_PROBE_DOT:
      return bytes / (8 << 20) * (probe->variant == 2 ? 1.361e-3 : probe->variant == 1 ? 1.552e-3 : 2.9e-3);
    case ESK_PROBE_MANDELBROT:
      return k20c_mandelbrot (probe->variant, probe->stride);
    case ESK_PROBE_OVERLAP:
      return k20c_overlap (probe->memory, probe->ways, bytes, probe->variant);
    case ESK_PROBE_BOTH:
      return probe->variant == 0 ? 2e-3 : 1.2e-3;
    default:
      return NAN;
    }
}

static int
lab_has (EskLab *lab, const EskProbe *probe)
{
  (void) lab;
  if (told ("warps") && probe->kind == ESK_PROBE_SHARING && probe->threads % 32 != 0)
    return 0;
  if (probe->memory == ESK_MEMORY_MANAGED && !told ("managed") && !told ("whole") && !told ("denied"))
    return 0;
  if (probe->memory == ESK_MEMORY_MANAGED_AHEAD && !told ("managed"))
    return 0;
  return !told ("none") && !isnan (value_of (probe));
}

static void
fill_picture (const EskProbe *probe, uint8_t *picture)
{
  const size_t bytes = (size_t) probe->stride * probe->stride * 3;

  for (size_t i = 0; i < bytes; i++)
    picture[i] = (uint8_t) (i * 7 % 251);
  if (told ("wrong") && probe->variant == 4)
    picture[bytes / 2] ^= 1;
}

static void
fill_lanes (const EskProbe *probe, double *lanes)
{
  for (unsigned place = 0; place < 32; place++)
    {
      const unsigned lane = k20c_lanes[place];

      lanes[told ("mirrored") && probe->variant == 1 ? 31 - lane : lane]
        = told ("together") ? 0 : k20c_lane_clock (probe->variant, place);
    }
}

static void
fill_spans (const EskProbe *probe, EskProbeResult *result)
{
  double parts[3], now[3] = { 0, 0, 0 };

  k20c_overlap_parts (probe->memory, (double) probe->bytes, probe->variant, parts);
  for (unsigned band = 0; band < probe->ways; band++)
    for (unsigned k = 0; k < 3; k++)
      {
        EskLabSpan *span = &result->spans[result->n_spans++];
        const double from = k == 0 ? now[0] : fmax (now[k], now[k - 1]);

        *span = (EskLabSpan) { k, band, from, from + parts[k] / probe->ways };
        now[k] = span->to;
      }
}

static int
lab_measure (EskLab *lab, const EskProbe *probe, EskProbeResult *result)
{
  double value = value_of (probe);

  if (recorded_lab_on_measure != NULL)
    recorded_lab_on_measure ();
  if (lab->cancelled)
    return ESK_LAB_ERROR_CANCELLED;
  if (!lab_has (lab, probe))
    return ESK_LAB_ERROR_SUPPORT;
  if (told ("denied") && probe->memory == ESK_MEMORY_MANAGED)
    return ESK_LAB_ERROR_SUPPORT;
  if (told ("poor") && probe->bytes >= (uint64_t) 64 << 20)
    return ESK_LAB_ERROR_MEMORY;
  if (told ("broken") && probe->kind == ESK_PROBE_ATOMIC)
    return ESK_LAB_ERROR_DEVICE;
  if (told ("scarce") && probe->kind == ESK_PROBE_ALLOCATE && probe->variant == 2
      && probe->bytes >= (uint64_t) 64 << 20)
    return ESK_LAB_ERROR_MEMORY;
  if (told ("disturbed") && probe->kind == ESK_PROBE_LINK && probe->bytes == (uint64_t) 24 << 20 && !lab->disturbed)
    {
      lab->disturbed = true;
      value *= 3;
    }
  result->n = probe->repeats;
  result->hertz = clock_of (probe);
  /* Repeats differ by less than what counts as steady. */
  for (unsigned i = 0; i < result->n; i++)
    result->samples[i] = value * (i + 1 == result->n && i % 2 == 0 ? 1 : i % 2 == 0 ? 0.999 : 1.001);
  if (probe->kind == ESK_PROBE_BRANCH_ORDER)
    fill_lanes (probe, result->lanes);
  if (probe->kind == ESK_PROBE_MANDELBROT && result->picture != NULL)
    fill_picture (probe, result->picture);
  if (probe->kind == ESK_PROBE_OVERLAP)
    fill_spans (probe, result);
  return ESK_LAB_OK;
}

static void
lab_cancel (EskLab *lab)
{
  lab->cancelled = 1;
}

static void
lab_resume (EskLab *lab)
{
  lab->cancelled = 0;
}

static const char *
lab_last_error (EskLab *lab)
{
  (void) lab;
  return "";
}

static const char *
lab_source (const EskProbe *probe)
{
  return probe->kind == ESK_PROBE_CHASE ? "p = *p;" : NULL;
}

static const EskLabTable table = {
  .abi = ESK_LAB_ABI, .name = "recorded", .count = lab_count, .open = lab_open, .close = lab_close,
  .describe = lab_describe, .state = lab_state, .has = lab_has, .measure = lab_measure, .cancel = lab_cancel,
  .resume = lab_resume, .last_error = lab_last_error, .source = lab_source,
};

const EskLabTable *esk_lab_module (unsigned abi, char *reason, size_t n) __attribute__ ((visibility ("default")));

const EskLabTable *
esk_lab_module (unsigned abi, char *reason, size_t n)
{
  if (abi == ESK_LAB_ABI)
    return &table;
  snprintf (reason, n, "it is of another version");
  return NULL;
}
