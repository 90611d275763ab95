/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * A back end of the laboratory that measures nothing and says the same every time: a machine with two caches, for
 * everything above the kernels. ES_FAKE_LAB_MS: how long a probe takes; ES_FAKE_LAB_FAILS: the kind of a probe that the
 * device fails at.
 */

#include <math.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "es-lab.h"

#define FIRST_CACHE (32u << 10)
#define SECOND_CACHE (1u << 20)

struct _EskLab
{
  atomic_bool cancelled;
  char        error[128];
};

static unsigned
count (void)
{
  return 1;
}

static int
open_lab (unsigned lab_index, EskLab **lab, char *reason, size_t n)
{
  *lab = calloc (1, sizeof **lab);
  if (*lab == NULL || lab_index > 0)
    {
      snprintf (reason, n, "There is one machine");
      free (*lab);
      *lab = NULL;
      return ESK_LAB_ERROR_ARGUMENT;
    }
  return ESK_LAB_OK;
}

static void
close_lab (EskLab *lab)
{
  free (lab);
}

static int
describe (EskLab *lab, EskLabMachine *machine)
{
  memset (machine, 0, sizeof *machine);
  snprintf (machine->id, sizeof machine->id, "cpu");
  snprintf (machine->name, sizeof machine->name, "Fake processor");
  snprintf (machine->architecture, sizeof machine->architecture, "fake, 8 lanes");
  machine->units = 2;
  machine->threads = 4;
  machine->warp = 8;
  machine->clock_hertz = 3e9;
  machine->memory = (uint64_t) 16 << 30;
  machine->l1 = FIRST_CACHE;
  machine->l2 = SECOND_CACHE;
  return ESK_LAB_OK;
}

static int
state (EskLab *lab, EskLabState *now)
{
  *now = (EskLabState) { 3e9, -1, -1, -1, 0.1, 0, 0 };
  return ESK_LAB_OK;
}

static int
has (EskLab *lab, const EskProbe *probe)
{
  return probe->space == ESK_SPACE_GLOBAL || probe->space == ESK_SPACE_SHARED;
}

static double
value_of (const EskProbe *probe)
{
  switch (probe->kind)
    {
    case ESK_PROBE_EMPTY:
      return 0.01;
    case ESK_PROBE_CHASE:
      return probe->bytes <= FIRST_CACHE ? 4 : probe->bytes <= SECOND_CACHE ? 14 : 180;
    case ESK_PROBE_ARITHMETIC:
      return probe->operation == ESK_OPERATION_DIVIDE ? 20 : 4;
    case ESK_PROBE_THROUGHPUT:
    case ESK_PROBE_MATRIX:
      return 1e11;
    case ESK_PROBE_COPY:
    case ESK_PROBE_READ:
    case ESK_PROBE_WRITE:
    case ESK_PROBE_MOVE:
    case ESK_PROBE_LIBRARY_COPY:
    case ESK_PROBE_HOST_ACCESS:
      return probe->bytes > SECOND_CACHE ? 2e10 : 8e10;
    default:
      return 1e-5 * (1 + probe->ways);
    }
}

/* Of a machine that others use as well: what is read is slow but for one time, ES_FAKE_LAB_BEST_READ. */
static double
share_of_machine (const EskProbe *probe)
{
  static atomic_int reads;
  const char *best = probe->kind == ESK_PROBE_READ ? getenv ("ES_FAKE_LAB_BEST_READ") : NULL;

  return best == NULL || atomic_fetch_add (&reads, 1) + 1 == atoi (best) ? 1 : 0.25;
}

static int
measure (EskLab *lab, const EskProbe *probe, EskProbeResult *result)
{
  const char *told = getenv ("ES_FAKE_LAB_MS"), *fails = getenv ("ES_FAKE_LAB_FAILS");
  const int ms = told != NULL ? atoi (told) : 0;
  const double share = share_of_machine (probe);

  for (int i = 0; i < ms && !atomic_load (&lab->cancelled); i++)
    nanosleep (&(struct timespec) { 0, 1000000 }, NULL);
  if (atomic_load (&lab->cancelled))
    return ESK_LAB_ERROR_CANCELLED;
  if (fails != NULL && atoi (fails) == (int) probe->kind)
    {
      snprintf (lab->error, sizeof lab->error, "the fake processor was told to fail");
      return ESK_LAB_ERROR_DEVICE;
    }
  result->n = probe->repeats;
  for (uint32_t i = 0; i < probe->repeats; i++)
    result->samples[i] = share * value_of (probe) * (1 + 0.001 * (i % 3));
  result->hertz = result->lowest_hertz = 3e9;
  result->fused = -1;
  result->n_spans = 0;
  return ESK_LAB_OK;
}

static void
cancel (EskLab *lab)
{
  atomic_store (&lab->cancelled, true);
}

static void
resume (EskLab *lab)
{
  atomic_store (&lab->cancelled, false);
}

static const char *
last_error (EskLab *lab)
{
  return lab->error;
}

static const char *
source (const EskProbe *probe)
{
  return probe->kind == ESK_PROBE_CHASE ? "for (i = 0; i < n; i++)\n  p = *(void **) p;\n" : NULL;
}

const EskLabTable *esk_lab_module (unsigned abi, char *reason, size_t n);

__attribute__ ((visibility ("default"))) const EskLabTable *
esk_lab_module (unsigned abi, char *reason, size_t n)
{
  static const EskLabTable table = {
    .abi = ESK_LAB_ABI, .name = "cpu", .count = count, .open = open_lab, .close = close_lab, .describe = describe,
    .state = state, .has = has, .measure = measure, .cancel = cancel, .resume = resume, .last_error = last_error,
    .source = source,
  };

  if (abi == ESK_LAB_ABI)
    return &table;
  snprintf (reason, n, "The fake laboratory is of another version");
  return NULL;
}
