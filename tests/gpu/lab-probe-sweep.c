/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The sweeps of every kind of probe, and how one of them is told. */

#include "lab-probe.h"

#include <stdio.h>
#include <string.h>

#define KILOBYTE 1024ull
#define MEGABYTE (1024ull << 10)
#define GIGABYTE (1024ull << 20)
#define LENGTH(array) (sizeof (array) / sizeof *(array))

static const struct
{
  const char *name, *unit;
} kinds[ESK_N_PROBES] = {
  [ESK_PROBE_EMPTY] = { "empty", "clocks" },
  [ESK_PROBE_ARITHMETIC] = { "arithmetic", "clocks" },
  [ESK_PROBE_CHASE] = { "chase", "clocks" },
  [ESK_PROBE_THROUGHPUT] = { "throughput", "op/s" },
  [ESK_PROBE_MATRIX] = { "matrix", "op/s" },
  [ESK_PROBE_BRANCH_ORDER] = { "branch-order", "clocks" },
  [ESK_PROBE_DIVERGENCE] = { "divergence", "clocks" },
  [ESK_PROBE_SHARING] = { "sharing", "clocks" },
  [ESK_PROBE_ORDER] = { "order", "clocks" },
  [ESK_PROBE_CONFLICT] = { "conflict", "clocks" },
  [ESK_PROBE_PRIVATE_ARRAY] = { "private-array", "bytes" },
  [ESK_PROBE_COPY] = { "copy", "B/s" },
  [ESK_PROBE_READ] = { "read", "B/s" },
  [ESK_PROBE_WRITE] = { "write", "B/s" },
  [ESK_PROBE_MOVE] = { "move", "B/s" },
  [ESK_PROBE_LIBRARY_COPY] = { "library-copy", "B/s" },
  [ESK_PROBE_HOST_ACCESS] = { "host-access", "B/s" },
  [ESK_PROBE_ATOMIC] = { "atomic", "op/s" },
  [ESK_PROBE_LAUNCH] = { "launch", "s" },
  [ESK_PROBE_ALLOCATE] = { "allocate", "s" },
  [ESK_PROBE_LINK] = { "link", "s" },
  [ESK_PROBE_PEER] = { "peer", "s" },
  [ESK_PROBE_BARRIER] = { "barrier", "s" },
  [ESK_PROBE_PLAN] = { "plan", "s" },
  [ESK_PROBE_DOT] = { "dot", "s" },
  [ESK_PROBE_MANDELBROT] = { "mandelbrot", "s" },
  [ESK_PROBE_OVERLAP] = { "overlap", "s" },
  [ESK_PROBE_BOTH] = { "both", "s" },
};

static const char *const spaces[ESK_N_SPACES] = { "global", "read-only", "texture", "constant", "shared", "local" };
static const char *const types[ESK_N_LAB_TYPES] = { "uint32", "int32", "int64", "int8", "float16", "bfloat16", "tf32",
                                                    "float32", "float64", "float8" };
static const char *const operations[ESK_N_OPERATIONS] = { "add", "subtract", "multiply", "divide", "multiply-add",
                                                          "fast divide", "sine", "cosine", "exp2", "log2",
                                                          "reciprocal", "reciprocal root" };
static const char *const memories[ESK_N_MEMORIES] = { "pageable", "registered", "pinned", "write-combined", "mapped",
                                                      "managed", "large pages", "managed, prefetched" };

const char *
lab_probe_name (EskProbeKind kind)
{
  return kinds[kind].name;
}

int
lab_probe_memory (const char *name)
{
  for (int memory = 0; memory < ESK_N_MEMORIES; memory++)
    if (strcmp (memories[memory], name) == 0)
      return memory;

  return -1;
}

const char *
lab_probe_unit (EskProbeKind kind)
{
  return kinds[kind].unit;
}

void
lab_probe_describe (const EskProbe *probe,
                    char           *text,
                    size_t          n)
{
  char size[32] = "";

  if (probe->bytes >= 16 * MEGABYTE)
    snprintf (size, sizeof size, "%.5g MB", (double) probe->bytes / MEGABYTE);
  else if (probe->bytes >= 4 * KILOBYTE)
    snprintf (size, sizeof size, "%.5g KB", (double) probe->bytes / KILOBYTE);
  else
    snprintf (size, sizeof size, "%llu B", (unsigned long long) probe->bytes);

  switch (probe->kind)
    {
    case ESK_PROBE_ARITHMETIC:
    case ESK_PROBE_THROUGHPUT:
      snprintf (text, n, "%s %s", types[probe->type], operations[probe->operation]);
      break;
    case ESK_PROBE_MATRIX:
      snprintf (text, n, "%s%s", types[probe->type], probe->variant == 1 ? ", warp groups" : "");
      break;
    case ESK_PROBE_CHASE:
      snprintf (text, n, "%s %s, stride %u", spaces[probe->space], size, probe->stride);
      break;
    case ESK_PROBE_SHARING:
      snprintf (text, n, "%s, %u lanes an address, %u x %u", spaces[probe->space], probe->ways, probe->blocks,
                probe->threads);
      break;
    case ESK_PROBE_ORDER:
      snprintf (text, n, "%s %s, variant %u, %u bytes past, %u x %u", spaces[probe->space], size, probe->variant,
                probe->stride, probe->blocks, probe->threads);
      break;
    case ESK_PROBE_ATOMIC:
      snprintf (text, n, "%s %s, variant %u", spaces[probe->space], types[probe->type], probe->variant);
      break;
    case ESK_PROBE_COPY:
      snprintf (text, n, "%s by %u bytes", size, probe->ways);
      break;
    case ESK_PROBE_HOST_ACCESS:
      snprintf (text, n, "%s %s, variant %u, %u threads", memories[probe->memory], size, probe->variant,
                probe->threads);
      break;
    case ESK_PROBE_ALLOCATE:
    case ESK_PROBE_LINK:
      snprintf (text, n, "%s %s, variant %u", memories[probe->memory], size, probe->variant);
      break;
    case ESK_PROBE_PLAN:
      snprintf (text, n, "%s %s, %u up, %u down", memories[probe->memory], size, probe->ways, probe->threads);
      break;
    case ESK_PROBE_BARRIER:
      snprintf (text, n, "variant %u, %u x %u", probe->variant, probe->blocks, probe->threads);
      break;
    case ESK_PROBE_MANDELBROT:
      snprintf (text, n, "%u x %u, variant %u, %u streams", probe->stride, probe->stride, probe->variant, probe->ways);
      break;
    case ESK_PROBE_READ:
      snprintf (text, n, "%s%s", size, probe->memory == ESK_MEMORY_MANAGED ? " managed" : "");
      break;
    case ESK_PROBE_WRITE:
    case ESK_PROBE_MOVE:
    case ESK_PROBE_LIBRARY_COPY:
      snprintf (text, n, "%s", size);
      break;
    case ESK_PROBE_DOT:
    case ESK_PROBE_BOTH:
      snprintf (text, n, "%s, variant %u", size, probe->variant);
      break;
    case ESK_PROBE_PEER:
      snprintf (text, n, "%s to card %u, variant %u", size, probe->ways, probe->variant);
      break;
    case ESK_PROBE_OVERLAP:
      snprintf (text, n, "%s, %u bands, %u rounds", size, probe->ways, probe->variant);
      break;
    default:
      snprintf (text, n, "variant %u, ways %u", probe->variant, probe->ways);
    }
}

static void
take (const LabSweep *sweep,
      EskProbe        probe,
      uint32_t        repeats)
{
  probe.repeats = repeats;
  sweep->take (&probe, sweep->data);
}

/* --- One thread ------------------------------------------------------------------------------------------- */

static void
sweep_arithmetic (const LabSweep *sweep)
{
  take (sweep, (EskProbe) { .kind = ESK_PROBE_EMPTY }, 10);
  for (int kind = 0; kind < 2; kind++)
    for (int type = 0; type < ESK_N_LAB_TYPES; type++)
      for (int operation = 0; operation < ESK_N_OPERATIONS; operation++)
        take (sweep, (EskProbe) { .kind = kind == 0 ? ESK_PROBE_ARITHMETIC : ESK_PROBE_THROUGHPUT, .type = type,
                                  .operation = operation }, 10);
  for (uint32_t variant = 0; variant < 2; variant++)
    for (int type = 0; type < ESK_N_LAB_TYPES; type++)
      take (sweep, (EskProbe) { .kind = ESK_PROBE_MATRIX, .type = type, .variant = variant }, 10);
}

static void
sweep_chase (const LabSweep *sweep)
{
  const uint64_t l2 = sweep->machine->l2 > 0 ? sweep->machine->l2 : 32 * MEGABYTE;
  const uint64_t most = 4 * l2 < GIGABYTE ? GIGABYTE : 4 * l2;
  static const uint64_t small[] = { 1, 2, 4, 8, 16, 32, 48, 64, 96, 128, 160, 192, 200, 224 };
  static const uint32_t strides[] = { 1, 2, 3, 4, 5, 7, 8, 11, 16, 17, 32, 33, 65, 129, 513, 1023 };

  for (int space = ESK_SPACE_GLOBAL; space <= ESK_SPACE_TEXTURE; space++)
    {
      for (size_t k = 0; k < LENGTH (small); k++)
        take (sweep, (EskProbe) { .kind = ESK_PROBE_CHASE, .space = space, .bytes = small[k] * KILOBYTE }, 10);
      for (uint64_t bytes = 256 * KILOBYTE; bytes <= most; bytes *= 2)
        if (!sweep->quick || bytes == 2 * MEGABYTE || bytes * 2 > most)
          take (sweep, (EskProbe) { .kind = ESK_PROBE_CHASE, .space = space, .bytes = bytes }, 10);
    }
  for (int space = ESK_SPACE_CONSTANT; space <= ESK_SPACE_LOCAL; space++)
    for (size_t k = 0; k < LENGTH (small); k++)
      take (sweep, (EskProbe) { .kind = ESK_PROBE_CHASE, .space = space, .bytes = small[k] * KILOBYTE }, 10);
  for (int space = 0; space < ESK_N_SPACES; space++)
    for (size_t s = 0; s < LENGTH (strides); s++)
      take (sweep, (EskProbe) { .kind = ESK_PROBE_CHASE, .space = space, .bytes = 8 * KILOBYTE,
                                .stride = strides[s] }, 10);
}

/* --- A warp ----------------------------------------------------------------------------------------------- */

static void
sweep_warps (const LabSweep *sweep)
{
  const uint32_t units = sweep->machine->units;

  for (uint32_t variant = 0; variant < 2; variant++)
    take (sweep, (EskProbe) { .kind = ESK_PROBE_BRANCH_ORDER, .variant = variant }, 10);
  for (uint32_t ways = 1; ways <= 32; ways *= 2)
    take (sweep, (EskProbe) { .kind = ESK_PROBE_DIVERGENCE, .ways = ways }, 10);

  for (int space = 0; space < ESK_N_SPACES; space++)
    {
      for (uint32_t ways = 1; ways <= 32; ways *= 2)
        {
          for (uint32_t threads = 32; threads <= 1024; threads *= sweep->quick ? 32 : 2)
            take (sweep, (EskProbe) { .kind = ESK_PROBE_SHARING, .space = space, .ways = ways, .threads = threads,
                                      .blocks = 1 }, 10);
          take (sweep, (EskProbe) { .kind = ESK_PROBE_SHARING, .space = space, .ways = ways, .threads = 256,
                                    .blocks = 4 * units }, 10);
        }
      for (uint32_t variant = 1; variant <= 4; variant++)
        for (uint32_t past = variant == 4 ? 4 : 0; past < 128; past += variant == 4 ? 20 : 128)
          {
            const EskProbe probe = { .kind = ESK_PROBE_ORDER, .space = space, .variant = variant, .stride = past,
                                     .bytes = 32 * KILOBYTE, .threads = 32, .blocks = 1 };
            EskProbe other = probe;

            take (sweep, probe, 10);
            other.bytes = 4 * MEGABYTE;
            take (sweep, other, 10);
            other.threads = 256;
            other.blocks = 4 * units;
            take (sweep, other, 10);
            other.bytes = 256 * MEGABYTE;
            take (sweep, other, 10);
          }
    }
  for (uint32_t variant = 0; variant < 2; variant++)
    for (uint32_t ways = 1; ways <= 32; ways *= 2)
      take (sweep, (EskProbe) { .kind = ESK_PROBE_CONFLICT, .ways = ways, .variant = variant }, 10);
  for (uint32_t variant = 0; variant < 3; variant++)
    for (uint32_t ways = 1; ways <= 320; ways++)
      take (sweep, (EskProbe) { .kind = ESK_PROBE_PRIVATE_ARRAY, .ways = ways, .variant = variant }, 1);
}

/* --- All of it -------------------------------------------------------------------------------------------- */

static void
sweep_bandwidth (const LabSweep *sweep)
{
  const uint64_t l2 = sweep->machine->l2 > 0 ? sweep->machine->l2 : 32 * MEGABYTE;
  const uint64_t most = 4 * l2 < GIGABYTE ? GIGABYTE : 4 * l2;

  for (uint32_t ways = 1; ways <= 16; ways *= 2)
    take (sweep, (EskProbe) { .kind = ESK_PROBE_COPY, .ways = ways, .bytes = most / 2 }, 10);
  for (uint64_t bytes = 64 * KILOBYTE; bytes <= most; bytes *= 4)
    take (sweep, (EskProbe) { .kind = ESK_PROBE_LIBRARY_COPY, .bytes = bytes }, 10);
  for (int kind = ESK_PROBE_READ; kind <= ESK_PROBE_MOVE; kind++)
    for (uint64_t bytes = MEGABYTE; bytes <= most; bytes *= sweep->quick ? 32 : 2)
      take (sweep, (EskProbe) { .kind = kind, .bytes = bytes }, 10);
  for (uint64_t bytes = MEGABYTE; sweep->managed && bytes <= most; bytes *= sweep->quick ? 32 : 2)
    take (sweep, (EskProbe) { .kind = ESK_PROBE_READ, .memory = ESK_MEMORY_MANAGED, .bytes = bytes }, 10);
  for (int space = 0; space < ESK_N_SPACES; space++)
    for (int type = 0; type < ESK_N_LAB_TYPES; type++)
      for (uint32_t variant = 0; variant < 3; variant++)
        take (sweep, (EskProbe) { .kind = ESK_PROBE_ATOMIC, .space = space, .type = type, .variant = variant }, 10);
  for (uint32_t variant = 0; variant < 3; variant++)
    take (sweep, (EskProbe) { .kind = ESK_PROBE_LAUNCH, .variant = variant }, 10);
  for (uint32_t variant = 0; variant < 4; variant++)
    for (uint32_t blocks = 1; blocks <= 2; blocks++)
      take (sweep, (EskProbe) { .kind = ESK_PROBE_BARRIER, .variant = variant, .blocks = blocks * sweep->machine->units,
                                .threads = 256 }, 10);
}

/* --- The host and the link -------------------------------------------------------------------------------- */

static bool
leaves_out (const LabSweep *sweep,
            int             memory)
{
  return (memory == ESK_MEMORY_MANAGED || memory == ESK_MEMORY_MANAGED_AHEAD) && !sweep->managed;
}

static void
sweep_host (const LabSweep *sweep)
{
  for (int memory = 0; memory < ESK_N_MEMORIES; memory++)
    {
      if (leaves_out (sweep, memory))
        continue;
      for (uint32_t variant = 0; variant < 6; variant++)
        for (uint64_t bytes = 4 * KILOBYTE; bytes <= 64 * MEGABYTE; bytes *= sweep->quick ? 128 : 16)
          take (sweep, (EskProbe) { .kind = ESK_PROBE_ALLOCATE, .memory = memory, .variant = variant,
                                    .bytes = bytes }, 5);
      for (uint32_t variant = 0; variant < 4; variant++)
        for (uint32_t threads = 1; threads < 2; threads--)
          {
            /* Reading what is write-combined takes seconds. */
            const uint64_t bytes = memory == ESK_MEMORY_WRITE_COMBINED && variant > 0 ? 1 * MEGABYTE : 64 * MEGABYTE;

            take (sweep, (EskProbe) { .kind = ESK_PROBE_HOST_ACCESS, .memory = memory, .variant = variant,
                                      .threads = threads, .bytes = bytes }, 5);
          }
      for (uint32_t variant = 0; variant < 3; variant++)
        for (uint64_t bytes = 1; bytes <= 256 * MEGABYTE; bytes *= sweep->quick ? 64 : 4)
          take (sweep, (EskProbe) { .kind = ESK_PROBE_LINK, .memory = memory, .variant = variant, .bytes = bytes },
                bytes < MEGABYTE ? 20 : 5);
      for (uint64_t bytes = 4 * KILOBYTE; bytes <= 16 * MEGABYTE; bytes *= 4)
        if (memory == ESK_MEMORY_MANAGED || memory == ESK_MEMORY_MANAGED_AHEAD)
          take (sweep, (EskProbe) { .kind = ESK_PROBE_PLAN, .memory = memory, .ways = 8, .threads = 8,
                                    .bytes = bytes }, 3);
      take (sweep, (EskProbe) { .kind = ESK_PROBE_PLAN, .memory = memory, .ways = 1, .threads = 1,
                                .bytes = 64 * MEGABYTE }, 5);
      take (sweep, (EskProbe) { .kind = ESK_PROBE_PLAN, .memory = memory, .ways = 4, .threads = 0,
                                .bytes = 64 * KILOBYTE }, 5);
      take (sweep, (EskProbe) { .kind = ESK_PROBE_PLAN, .memory = memory, .ways = 3, .threads = 2,
                                .bytes = 4 * MEGABYTE + 5 }, 5);
      take (sweep, (EskProbe) { .kind = ESK_PROBE_PLAN, .memory = memory, .ways = 0, .threads = 2,
                                .bytes = 4 * MEGABYTE }, 5);
    }
  for (uint32_t card = 0; card < sweep->cards; card++)
    for (uint32_t variant = 0; variant < 2; variant++)
      for (uint64_t bytes = 4 * KILOBYTE; bytes <= 256 * MEGABYTE; bytes *= 16)
        take (sweep, (EskProbe) { .kind = ESK_PROBE_PEER, .ways = card, .variant = variant, .bytes = bytes }, 10);
}

static void
sweep_together (const LabSweep *sweep)
{
  for (uint32_t variant = 0; variant < 3; variant++)
    take (sweep, (EskProbe) { .kind = ESK_PROBE_DOT, .variant = variant, .bytes = 8 * MEGABYTE }, 10);
  for (uint32_t variant = 0; variant < 6; variant++)
    for (uint32_t n = 1024; n <= (sweep->quick ? 1024 : 4096); n *= 4)
      take (sweep, (EskProbe) { .kind = ESK_PROBE_MANDELBROT, .variant = variant, .ways = variant == 1 ? 8 : 0,
                                .stride = n }, 3);
  /* A window in which neighbours differ in float64 alone. */
  take (sweep, (EskProbe) { .kind = ESK_PROBE_MANDELBROT, .stride = 512, .view = { -0.743643887037151, 0.13182590420533,
                                                                                  1e-6 } }, 3);
  for (uint32_t bands = 1; bands <= 16; bands *= 2)
    take (sweep, (EskProbe) { .kind = ESK_PROBE_OVERLAP, .memory = ESK_MEMORY_PINNED, .ways = bands,
                              .bytes = 64 * MEGABYTE, .variant = 512 }, 10);
  for (uint32_t variant = 0; variant < 2; variant++)
    take (sweep, (EskProbe) { .kind = ESK_PROBE_BOTH, .variant = variant, .bytes = 16 * MEGABYTE }, 5);
}

void
lab_probe_sweep (const LabSweep *sweep)
{
  sweep_arithmetic (sweep);
  sweep_chase (sweep);
  sweep_warps (sweep);
  sweep_bandwidth (sweep);
  sweep_host (sweep);
  sweep_together (sweep);
}
