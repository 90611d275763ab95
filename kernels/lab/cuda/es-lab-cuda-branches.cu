/* SPDX-License-Identifier: GPL-3.0-or-later */

/* In which order the lanes of a warp take branches of their own, and what different branches cost (gpu-lab 3). */

#include "es-lab-cuda-private.h"
#include "es-lab-cuda-clock-private.h"

#include <stdlib.h>

#define LANES 32
#define LENGTH 64              /* multiply-adds of a branch */

/* lab: branches */
/* No two branches are alike, or a compiler would make one of them: each has a number of its own, and reads the clock by
 * itself. What is compared with is read when it runs, as a chain of constants would become a table. */
#define LAB_BRANCH(k) \
  else if (x == keys[k]) \
    { \
      value = value * (2 * k + 3) + k; \
      asm volatile ("mov.u64 %0, %%clock64; // branch " #k : "=l"(clock), "+r"(value) : : "memory"); \
    }
#define LAB_EIGHT(m, k) m (k) m (k + 1) m (k + 2) m (k + 3) m (k + 4) m (k + 5) m (k + 6) m (k + 7)

static __global__ void
lab_branch_order (const int *keys,
                  int        mirrored,
                  uint32_t  *kept,
                  long long *clocks)
{
  const int lane = (int) threadIdx.x;
  const int x = mirrored ? LANES - 1 - lane : lane;
  uint32_t value = (uint32_t) lane;
  long long clock = 0;

  if (x < 0)
    value = 1;
  LAB_EIGHT (LAB_BRANCH, 0)
  LAB_EIGHT (LAB_BRANCH, 8)
  LAB_EIGHT (LAB_BRANCH, 16)
  LAB_EIGHT (LAB_BRANCH, 24)
  __syncwarp ();

  kept[lane] = value;
  clocks[lane] = clock;
}

/* The same chain, with work in each branch: lane l takes branch l modulo ways. */
#define LAB_WORK(k) \
  else if (x == keys[k]) \
    { \
      _Pragma ("unroll") \
      for (int n = 0; n < LENGTH; n++) \
        asm volatile ("fma.rn.f32 %0, %0, %1, %2; // work " #k : "+f"(value) : "f"(a), "f"(a + (k) * b)); \
    }

static __global__ void
lab_divergence (const int   *keys,
                int          ways,
                const float *operands,
                float       *kept,
                long long   *clocks)
{
  const int lane = (int) threadIdx.x;
  const int x = lane % ways;
  const float a = operands[1], b = operands[2];
  float value = operands[0] + (float) lane;
  long long from, to;

  LAB_AWAIT ((uint32_t) value + (uint32_t) x + (uint32_t) a + (uint32_t) b);
  __syncwarp ();
  from = lab_clock ();
  if (x < 0)
    value = 1;
  LAB_EIGHT (LAB_WORK, 0)
  LAB_EIGHT (LAB_WORK, 8)
  LAB_EIGHT (LAB_WORK, 16)
  LAB_EIGHT (LAB_WORK, 24)
  __syncwarp ();
  to = lab_clock ();

  kept[lane] = value;
  clocks[lane] = to - from;
}
/* lab end */

typedef struct {
  int       keys[LANES];
  float     operands[4];
  long long clocks[LANES];
  uint32_t  kept[LANES];
} Memory;

static int
prepare (EskLab  *lab,
         Memory **memory)
{
  Memory host = {};
  int code;

  *memory = (Memory *) lab_device_memory (lab, sizeof host, &code);
  if (*memory == NULL)
    return code;
  for (int k = 0; k < LANES; k++)
    host.keys[k] = k;
  host.operands[0] = 1.75f;
  host.operands[1] = 1.0f;
  host.operands[2] = 1e-20f;

  return lab_upload (lab, *memory, &host, sizeof host);
}

static int
compare (const void *a,
         const void *b)
{
  const double x = *(const double *) a, y = *(const double *) b;

  return (x > y) - (x < y);
}

static int
has_order (const EskLab   *lab,
           const EskProbe *probe)
{
  return probe->variant <= 1;
}

static int
measure_order (EskLab         *lab,
               const EskProbe *probe,
               EskProbeResult *result)
{
  Memory *memory;

  LAB_TRY (prepare (lab, &memory));

  return lab_repeat (lab, probe, result, [&] (double *sample) -> int
    {
      long long clocks[LANES], least;
      double sorted[LANES];

      lab_branch_order<<<1, LANES, 0, lab->stream>>> (memory->keys, (int) probe->variant, memory->kept, memory->clocks);
      LAB_TRY (lab_fetch (lab, clocks, memory->clocks, sizeof clocks));
      least = clocks[0];
      for (int l = 1; l < LANES; l++)
        least = clocks[l] < least ? clocks[l] : least;
      for (int l = 0; l < LANES; l++)
        sorted[l] = result->lanes[l] = (double) (clocks[l] - least);
      qsort (sorted, LANES, sizeof *sorted, compare);
      *sample = sorted[LANES - 1] / (LANES - 1);
      return ESK_LAB_OK;
    });
}

static int
has_divergence (const EskLab   *lab,
                const EskProbe *probe)
{
  return probe->ways >= 1 && probe->ways <= LANES;
}

static int
measure_divergence (EskLab         *lab,
                    const EskProbe *probe,
                    EskProbeResult *result)
{
  Memory *memory;

  LAB_TRY (prepare (lab, &memory));

  return lab_repeat (lab, probe, result, [&] (double *sample) -> int
    {
      long long clocks[LANES], most = 0;

      /* The first one brings the code into the caches of instructions. */
      for (int k = 0; k < 2; k++)
        lab_divergence<<<1, LANES, 0, lab->stream>>> (memory->keys, (int) probe->ways, memory->operands,
                                                      (float *) memory->kept, memory->clocks);
      LAB_TRY (lab_fetch (lab, clocks, memory->clocks, sizeof clocks));
      for (int l = 0; l < LANES; l++)
        most = clocks[l] > most ? clocks[l] : most;
      *sample = (double) most;
      return ESK_LAB_OK;
    });
}

const LabKind lab_kind_branch_order = { has_order, measure_order, "branches", true };
const LabKind lab_kind_divergence = { has_divergence, measure_divergence, "branches", true };
