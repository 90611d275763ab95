/* SPDX-License-Identifier: GPL-3.0-or-later */

/* How long one access takes whose address is what the one before read: of every memory (gpu-lab 4). */

#include "es-lab-cuda-private.h"
#include "es-lab-cuda-chase-kernels.cuh"

#include <stdlib.h>

/* Where the cycle goes through lines: their bytes. Of constants 64, of shared memory and of a thread's own a word. */
#define LINE 128
#define CONSTANT_LINE 64
/* A kernel walks no more than this, which is well below a tenth of a second. */
#define MOST_STEPS 65536
#define LEAST_STEPS 4096
/* Lines that are walked before in the same kernel, as the first cache is empty when one begins, and how often: what a
 * cache keeps of an array that does not fit settles in some laps. */
#define WARM_LINES 8192
#define WARM_LAPS 4
#define LAPS 8
#define BUILD_THREADS 256
/* What a thread's own array is at most: so much is set aside for every thread that the card may have at a time. */
#define LOCAL_BYTES 16384u
#define MOST_BLOCKS 256

typedef struct {
  EskLab         *lab;
  const EskProbe *probe;
  uint32_t        elements, bits, line;    /* of the cycle, or words where there is a stride */
  char           *array;
  cudaTextureObject_t texture;
  char           *kept;                    /* device: where the walk came to; clocks 8 bytes on; those of each block */
  uint64_t        place;                   /* where it goes on */
} Chase;

static uint32_t
line_of (const EskProbe *probe)
{
  if (probe->stride > 0 || probe->space == ESK_SPACE_SHARED || probe->space == ESK_SPACE_LOCAL)
    return 4;

  return probe->space == ESK_SPACE_CONSTANT ? CONSTANT_LINE : LINE;
}

static int
has (const EskLab   *lab,
     const EskProbe *probe)
{
  const uint64_t least = 2 * (uint64_t) line_of (probe);

  if (probe->bytes < least || (probe->stride > 0 && probe->stride >= probe->bytes / 4))
    return 0;
  switch (probe->space)
    {
    case ESK_SPACE_GLOBAL:
    case ESK_SPACE_READ_ONLY:
      /* Distances are 32 bits wide. */
      return probe->bytes <= lab->memory / 4 * 3 && (probe->stride == 0 || probe->bytes <= 0xffffffffull);
    case ESK_SPACE_TEXTURE:
      return probe->bytes / 4 <= 1u << 27;
    case ESK_SPACE_CONSTANT:
      return probe->bytes <= CONSTANT_BYTES;
    case ESK_SPACE_SHARED:
      return probe->bytes <= lab->shared_optin;
    case ESK_SPACE_LOCAL:
      return probe->bytes <= LOCAL_BYTES;
    default:
      return 0;
    }
}

static int
build (Chase *chase)
{
  EskLab *lab = chase->lab;
  const EskProbe *probe = chase->probe;
  const uint32_t blocks = (chase->elements + BUILD_THREADS - 1) / BUILD_THREADS;
  const bool pointers = probe->stride == 0 && (probe->space == ESK_SPACE_GLOBAL || probe->space == ESK_SPACE_READ_ONLY);
  int code;

  chase->array = (char *) lab_device_memory (lab, probe->bytes + LINE, &code);
  if (chase->array == NULL)
    return code;
  if (pointers)
    lab_build_pointers<<<blocks, BUILD_THREADS, 0, lab->stream>>> (chase->array, chase->elements, chase->bits,
                                                                   chase->line);
  else
    lab_build_words<<<blocks, BUILD_THREADS, 0, lab->stream>>> ((uint32_t *) chase->array, chase->elements, chase->bits,
                                                                chase->line / 4, probe->stride,
                                                                probe->space == ESK_SPACE_TEXTURE ? 1 : 4);
  LAB_TRY (lab_check (lab, cudaGetLastError (), "the launch of a kernel"));
  if (probe->space == ESK_SPACE_CONSTANT)
    LAB_TRY (lab_check (lab, cudaMemcpyToSymbolAsync (lab_constants, chase->array, probe->bytes, 0,
                                                      cudaMemcpyDeviceToDevice, lab->stream), "cudaMemcpyToSymbol"));
  LAB_TRY (lab_wait (lab));
  if (probe->space == ESK_SPACE_TEXTURE)
    {
      struct cudaResourceDesc what = {};
      struct cudaTextureDesc how = {};

      what.resType = cudaResourceTypeLinear;
      what.res.linear.devPtr = chase->array;
      what.res.linear.desc = cudaCreateChannelDesc<unsigned> ();
      what.res.linear.sizeInBytes = probe->bytes / 4 * 4;
      how.readMode = cudaReadModeElementType;
      LAB_TRY (lab_check (lab, cudaCreateTextureObject (&chase->texture, &what, &how, NULL),
                          "cudaCreateTextureObject"));
      lab_note (lab, LAB_TAKEN_TEXTURE, NULL, chase->texture, &code);
      LAB_TRY (code);
    }
  chase->place = pointers ? (uint64_t) chase->array : 0;

  return ESK_LAB_OK;
}

/* The first cache and shared memory are one: without being told how much of it a kernel wants of which, the driver
 * leaves it as the kernel before had it. */
template <typename Kernel>
static int
prefer_cache (EskLab *lab,
              Kernel  kernel)
{
  return lab_check (lab, cudaFuncSetAttribute ((const void *) kernel, cudaFuncAttributePreferredSharedMemoryCarveout,
                                               cudaSharedmemCarveoutMaxL1), "cudaFuncSetAttribute");
}

static int
prefer_cache_everywhere (EskLab *lab)
{
  LAB_TRY (prefer_cache (lab, lab_chase_texture));
  LAB_TRY (prefer_cache (lab, lab_chase_local<256>));
  LAB_TRY (prefer_cache (lab, lab_chase_local<LOCAL_BYTES / 4>));
  LAB_TRY (prefer_cache (lab, lab_chase_pointers<true>));
  LAB_TRY (prefer_cache (lab, lab_chase_pointers<false>));
  LAB_TRY (prefer_cache (lab, lab_chase_words<true>));

  return prefer_cache (lab, lab_chase_words<false>);
}

static int
launch_shared (Chase *chase,
               int    trips)
{
  EskLab *lab = chase->lab;
  const EskProbe *probe = chase->probe;

  LAB_TRY (lab_check (lab, cudaFuncSetAttribute ((const void *) lab_chase_shared,
                                                 cudaFuncAttributeMaxDynamicSharedMemorySize, (int) probe->bytes),
                      "cudaFuncSetAttribute"));
  lab_chase_shared<<<1, BUILD_THREADS, probe->bytes, lab->stream>>> ((uint32_t) (probe->bytes / 4), probe->stride,
                                                                     chase->bits, trips, (uint32_t *) chase->kept,
                                                                     (long long *) (chase->kept + 8));
  return ESK_LAB_OK;
}

/* The mean of all multiprocessors. */
static int
walk_local (Chase     *chase,
            int        trips,
            long long *clocks)
{
  EskLab *lab = chase->lab;
  const EskProbe *probe = chase->probe;
  const int blocks = lab->units < MOST_BLOCKS ? lab->units : MOST_BLOCKS;
  uint32_t *words = (uint32_t *) (chase->kept + 16);
  long long *each = (long long *) (chase->kept + 16 + 4 * MOST_BLOCKS), counted[MOST_BLOCKS], sum = 0;

  (probe->bytes <= 1024 ? lab_chase_local<256> : lab_chase_local<LOCAL_BYTES / 4>)<<<blocks, 1, 0, lab->stream>>> (
    (uint32_t) (probe->bytes / 4), probe->stride, chase->bits, trips, words, each);
  LAB_TRY (lab_fetch (lab, counted, each, blocks * sizeof *counted));
  for (int b = 0; b < blocks; b++)
    sum += counted[b];
  *clocks = sum / blocks;

  return ESK_LAB_OK;
}

/* warm accesses, then trips of TRIP: clocks of these. The next walk begins where this one ended. */
static int
walk (Chase     *chase,
      int        warm,
      int        trips,
      long long *clocks)
{
  EskLab *lab = chase->lab;
  const EskProbe *probe = chase->probe;
  const bool read_only = probe->space == ESK_SPACE_READ_ONLY;
  uint32_t *word = (uint32_t *) chase->kept;
  long long *clock = (long long *) (chase->kept + 8);
  uint64_t ended[2] = { 0, 0 };

  switch (probe->space)
    {
    case ESK_SPACE_TEXTURE:
      lab_chase_texture<<<1, 1, 0, lab->stream>>> (chase->texture, (uint32_t) chase->place, warm, trips, word, clock);
      break;
    case ESK_SPACE_CONSTANT:
      lab_chase_constants<<<1, 1, 0, lab->stream>>> ((uint32_t) chase->place, warm, trips, word, clock);
      break;
    case ESK_SPACE_SHARED:
      LAB_TRY (launch_shared (chase, trips));
      break;
    case ESK_SPACE_LOCAL:
      return walk_local (chase, trips, clocks);
    default:
      if (probe->stride == 0)
        (read_only ? lab_chase_pointers<true> : lab_chase_pointers<false>)<<<1, 1, 0, lab->stream>>> (
          (void **) chase->place, warm, trips, (void **) chase->kept, clock);
      else
        (read_only ? lab_chase_words<true> : lab_chase_words<false>)<<<1, 1, 0, lab->stream>>> (
          chase->array, (uint32_t) chase->place, warm, trips, word, clock);
    }
  LAB_TRY (lab_fetch (lab, ended, chase->kept, sizeof ended));
  if (probe->space != ESK_SPACE_SHARED)
    chase->place = ended[0];
  *clocks = (long long) ended[1];

  return ESK_LAB_OK;
}

/* Once through all elements, in pieces, ends where it began: one cycle, and caches that hold what they can. */
static int
walk_once (Chase *chase)
{
  const uint64_t start = chase->place;
  uint32_t left = chase->elements;
  long long clocks;

  while (left > 0)
    {
      const uint32_t now = left < MOST_STEPS ? left : MOST_STEPS;

      LAB_TRY (lab_cancelled (chase->lab));
      LAB_TRY (walk (chase, (int) now, 0, &clocks));
      left -= now;
      if (left > 0 && chase->place == start && chase->probe->stride == 0)
        break;
    }
  if (chase->probe->stride == 0 && (left > 0 || chase->place != start))
    return lab_refuse (chase->lab, ESK_LAB_ERROR_WRONG, "The walk through memory was not one cycle");

  return ESK_LAB_OK;
}

static int
measure (EskLab         *lab,
         const EskProbe *probe,
         EskProbeResult *result)
{
  const bool own = probe->space == ESK_SPACE_SHARED || probe->space == ESK_SPACE_LOCAL;
  Chase chase = { lab, probe };
  uint32_t steps;
  int warm, code;

  chase.line = line_of (probe);
  chase.elements = (uint32_t) (probe->bytes / chase.line);
  chase.bits = lab_bits (chase.elements);
  chase.kept = (char *) lab_device_memory (lab, 16 + MOST_BLOCKS * (sizeof (uint32_t) + sizeof (long long)), &code);
  if (chase.kept == NULL)
    return code;
  LAB_TRY (prefer_cache_everywhere (lab));
  if (probe->space == ESK_SPACE_LOCAL)
    {
      size_t available = 0, total = 0;

      LAB_TRY (lab_check (lab, cudaMemGetInfo (&available, &total), "cudaMemGetInfo"));
      if (available / 2 < (uint64_t) lab->units * lab->unit_threads * LOCAL_BYTES)
        return lab_refuse (lab, ESK_LAB_ERROR_MEMORY, "The card has too little memory left for arrays of every thread");
    }
  if (!own)
    {
      LAB_TRY (build (&chase));
      /* What is far larger than the second cache is not in it, and walking it would take seconds. */
      if (probe->stride == 0 && probe->bytes <= 2 * lab->l2)
        LAB_TRY (walk_once (&chase));
    }

  steps = chase.elements > MOST_STEPS / 4 / LAPS ? MOST_STEPS / 4 : chase.elements * LAPS;
  steps = steps < LEAST_STEPS ? LEAST_STEPS : (steps + TRIP - 1) / TRIP * TRIP;
  warm = own ? 0 : chase.elements <= WARM_LINES ? (int) chase.elements * WARM_LAPS : TRIP;

  return lab_repeat (lab, probe, result, [&] (double *sample) -> int
    {
      long long clocks;

      LAB_TRY (walk (&chase, warm, (int) (steps / TRIP), &clocks));
      *sample = clocks / (double) steps;
      return ESK_LAB_OK;
    });
}

const LabKind lab_kind_chase = { has, measure, "chase", true };
