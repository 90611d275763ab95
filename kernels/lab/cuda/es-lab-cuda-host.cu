/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Host memory of each kind: what having it costs, and what the processor does with it (gpu-lab 12). */

#include "es-lab-cuda-private.h"
#include "es-lab-cuda-team-private.h"

#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* What one thread works on before it looks whether it was cancelled: some milliseconds. */
#define PIECE (16ull << 20)

/* --- Having it -------------------------------------------------------------------------------------------- */

static bool
is_pageable (EskLabMemory memory)
{
  return memory == ESK_MEMORY_PAGEABLE || memory == ESK_MEMORY_LARGE_PAGES;
}

static int
has_allocate (const EskLab   *lab,
              const EskProbe *probe)
{
  const EskLabMemory memory = probe->memory;

  if (probe->bytes < 1 || memory == ESK_MEMORY_MANAGED_AHEAD
      || (memory == ESK_MEMORY_MANAGED && !lab_has_managed (lab, memory, probe->bytes))
      || (memory == ESK_MEMORY_MAPPED && !lab->can_map))
    return 0;
  switch (probe->variant)
    {
    case 0:
    case 4:
      return memory != ESK_MEMORY_REGISTERED;
    case 1:
    case 3:
      return is_pageable (memory) || memory == ESK_MEMORY_REGISTERED;
    case 2:
      return is_pageable (memory) || memory == ESK_MEMORY_MANAGED;
    case 5:
      return memory == ESK_MEMORY_MANAGED;
    default:
      return 0;
    }
}

/* Untouched, as the system or the driver gives it. */
static void *
allocate (EskLab       *lab,
          EskLabMemory  memory,
          uint64_t      bytes,
          int          *code)
{
  void *host = NULL;

  if (is_pageable (memory) || memory == ESK_MEMORY_REGISTERED)
    return lab_mapping (lab, bytes, memory == ESK_MEMORY_LARGE_PAGES, code);
  if (!lab_host_has (bytes))
    {
      *code = lab_refuse (lab, ESK_LAB_ERROR_MEMORY, "That is more than half of the memory that this machine has left");
      return NULL;
    }
  if (memory == ESK_MEMORY_MANAGED)
    return lab_managed_memory (lab, bytes, code);
  *code = lab_check (lab, cudaHostAlloc (&host, bytes, memory == ESK_MEMORY_WRITE_COMBINED ? cudaHostAllocWriteCombined
                                         : memory == ESK_MEMORY_MAPPED ? cudaHostAllocMapped : cudaHostAllocDefault),
                     "cudaHostAlloc");

  return *code == ESK_LAB_OK ? lab_note (lab, LAB_TAKEN_HOST, host, bytes, code) : NULL;
}

static void
touch (void     *memory,
       uint64_t  bytes)
{
  volatile char *byte = (volatile char *) memory;
  const uint64_t page = (uint64_t) sysconf (_SC_PAGESIZE);

  for (uint64_t at = 0; at < bytes; at += page)
    byte[at] = 1;
}

static LabTakenKind
kind_taken (EskLabMemory memory)
{
  if (is_pageable (memory) || memory == ESK_MEMORY_REGISTERED)
    return LAB_TAKEN_MAPPING;

  return memory == ESK_MEMORY_MANAGED ? LAB_TAKEN_MANAGED : LAB_TAKEN_HOST;
}

static int
measure_allocate (EskLab         *lab,
                  const EskProbe *probe,
                  EskProbeResult *result)
{
  const LabTakenKind kind = kind_taken (probe->memory);

  return lab_repeat (lab, probe, result, [&] (double *sample) -> int
    {
      double began = lab_now (), ended;
      int code;
      void *memory = allocate (lab, probe->memory, probe->bytes, &code);

      if (memory == NULL)
        return code;
      ended = lab_now ();
      if (probe->variant >= 1)
        {
          began = lab_now ();
          if (probe->variant == 5)
            LAB_TRY (lab_managed_touch (lab, memory, probe->bytes));
          else
            touch (memory, probe->bytes);
          ended = lab_now ();
        }
      if (probe->variant == 1 || probe->variant == 3)
        {
          began = lab_now ();
          LAB_TRY (lab_check (lab, cudaHostRegister (memory, probe->bytes, cudaHostRegisterDefault),
                              "cudaHostRegister"));
          ended = lab_now ();
          if (lab_note (lab, LAB_TAKEN_REGISTRATION, memory, probe->bytes, &code) == NULL)
            return code;
        }
      if (probe->variant == 3)
        {
          began = lab_now ();
          LAB_TRY (lab_check (lab, lab_give_back (lab, memory, LAB_TAKEN_REGISTRATION), "cudaHostUnregister"));
          ended = lab_now ();
        }
      if (probe->variant == 1)
        LAB_TRY (lab_check (lab, lab_give_back (lab, memory, LAB_TAKEN_REGISTRATION), "cudaHostUnregister"));
      if (probe->variant == 4)
        began = lab_now ();
      LAB_TRY (lab_check (lab, lab_give_back (lab, memory, kind), "the end of host memory"));
      if (probe->variant == 4)
        ended = lab_now ();
      *sample = ended - began;
      return ESK_LAB_OK;
    });
}

/* --- Working on it ---------------------------------------------------------------------------------------- */

typedef struct {
  EskLab  *lab;
  uint32_t variant;
  char    *from, *to;
  uint64_t bytes;
  uint64_t sums[LAB_MOST_THREADS];
} Access;

/* lab: host */
static void
access_part (void     *data,
             unsigned  thread,
             unsigned  n)
{
  Access *access = (Access *) data;
  const uint64_t words = access->bytes / 8, piece = PIECE / 8;
  const uint64_t first = words * thread / n, last = words * (thread + 1) / n;
  uint64_t sum = 0;

  for (uint64_t at = first; at < last; at += piece)
    {
      const uint64_t now = at + piece < last ? piece : last - at;

      if (lab_cancelled (access->lab) != ESK_LAB_OK)
        break;
      if (access->variant == 0)
        lab_host_write ((double *) access->to + at, now, 1.0);
      else if (access->variant == 1)
        sum += lab_host_read ((const uint64_t *) access->from + at, now);
      else
        memcpy (access->to + at * 8, access->from + at * 8, now * 8);
    }
  access->sums[thread] = sum;
}
/* lab end */

static int
has_access (const EskLab   *lab,
            const EskProbe *probe)
{
  return probe->variant <= 3 && probe->bytes >= 4096 && probe->threads <= LAB_MOST_THREADS
         && probe->memory != ESK_MEMORY_MANAGED_AHEAD
         && !(probe->memory == ESK_MEMORY_MANAGED && !lab_has_managed (lab, probe->memory, 2 * probe->bytes))
         && !(probe->memory == ESK_MEMORY_MAPPED && !lab->can_map);
}

static int
measure_access (EskLab         *lab,
                const EskProbe *probe,
                EskProbeResult *result)
{
  const unsigned n = lab_team_size (probe->threads);
  const uint64_t bytes = probe->bytes / 8 * 8, moved = probe->variant >= 2 ? 2 * bytes : bytes;
  /* What is small is done again and again, or starting threads is what is measured. */
  const uint64_t rounds = moved >= PIECE ? 1 : PIECE / moved;
  Access access = { lab, probe->variant };
  int code;

  access.bytes = bytes;
  access.from = (char *) lab_host_memory (lab, probe->memory, bytes, &code);
  if (access.from == NULL)
    return code;
  access.to = access.from;
  if (probe->variant >= 2)
    {
      access.to = (char *) lab_host_memory (lab, probe->variant == 2 ? ESK_MEMORY_PAGEABLE : probe->memory, bytes,
                                            &code);
      if (access.to == NULL)
        return code;
      LAB_TRY (lab_fill (lab, access.to, 0, bytes));
    }

  code = lab_repeat (lab, probe, result, [&] (double *sample) -> int
    {
      struct Rounds
      {
        Access  *access;
        uint64_t n;
      } all = { &access, rounds };
      const double seconds = lab_team (n, [] (void *data, unsigned thread, unsigned threads)
        {
          const Rounds *again = (const Rounds *) data;

          for (uint64_t r = 0; r < again->n; r++)
            access_part (again->access, thread, threads);
        }, &all);

      if (seconds < 0.0)
        return lab_refuse (lab, ESK_LAB_ERROR_MEMORY, "The system gave no more threads");
      *sample = seconds > 0.0 ? (double) moved * rounds / seconds : 0.0;
      return ESK_LAB_OK;
    });
  LAB_TRY (code);

  /* Every byte of host memory is 1 to begin with. */
  if (probe->variant == 1)
    {
      uint64_t sum = 0;

      for (unsigned t = 0; t < n; t++)
        sum += access.sums[t];
      if (sum != bytes / 8 * 0x0101010101010101ull)
        return lab_refuse (lab, ESK_LAB_ERROR_WRONG, "What the processor read came out wrong");
    }
  else if ((probe->variant == 0 && *(double *) (access.to + bytes - 8) != 1.0)
           || (probe->variant >= 2 && (access.to[0] != 1 || access.to[bytes - 1] != 1)))
    return lab_refuse (lab, ESK_LAB_ERROR_WRONG, "What the processor wrote came out wrong");

  return ESK_LAB_OK;
}

const LabKind lab_kind_allocate = { has_allocate, measure_allocate, NULL, false };
const LabKind lab_kind_host_access = { has_access, measure_access, "host", false };
