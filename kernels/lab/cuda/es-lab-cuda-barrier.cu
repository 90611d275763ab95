/* SPDX-License-Identifier: GPL-3.0-or-later */

/* All blocks wait for each other: by ending, by atomics of our own, by the runtime's grid (heterogeneous-programming
 * 1.A, A9, with its barrier corrected). */

#include "es-lab-cuda-private.h"
#include "es-lab-cuda-clock-private.h"

#include <cooperative_groups.h>

#define PASSES 256             /* barriers of a sample, and of one launch */
#define USUAL_THREADS 256

/* lab: barrier */
/*
 * Every block adds 1 and waits until all have come for the `pass`-th time (from 1): a target that only grows needs no
 * reset, and nobody can miss it. It holds only where all blocks are resident at once. What a block wrote before is seen
 * by the others after.
 */
static __device__ __forceinline__ void
lab_wait_for_all (unsigned *arrived,
                  unsigned  pass)
{
  __syncthreads ();
  if (threadIdx.x == 0)
    {
      const unsigned target = gridDim.x * pass;
      unsigned now;

      __threadfence ();
      atomicAdd (arrived, 1);
      do
        asm volatile ("ld.acquire.gpu.global.u32 %0, [%1];" : "=r"(now) : "l"(arrived) : "memory");
      while (now < target);
      __threadfence ();
    }
  __syncthreads ();
}

/* With `passed`, every block writes down which pass it has come to, and looks whether its neighbour has. */
static __global__ void
lab_barrier_own (unsigned *arrived,
                 unsigned  passes,
                 unsigned *passed,
                 unsigned *early)
{
  for (unsigned pass = 1; pass <= passes; pass++)
    {
      if (passed != NULL && threadIdx.x == 0)
        atomicExch (&passed[blockIdx.x], pass);
      lab_wait_for_all (arrived, pass);
      if (passed != NULL && threadIdx.x == 0
          && *(volatile unsigned *) &passed[(blockIdx.x + 1) % gridDim.x] < pass)
        atomicAdd (early, 1);
    }
}

static __global__ void
lab_barrier_grid (unsigned  passes,
                  unsigned *passed,
                  unsigned *early)
{
  cooperative_groups::grid_group grid = cooperative_groups::this_grid ();

  for (unsigned pass = 1; pass <= passes; pass++)
    {
      if (passed != NULL && threadIdx.x == 0)
        atomicExch (&passed[blockIdx.x], pass);
      grid.sync ();
      if (passed != NULL && threadIdx.x == 0
          && *(volatile unsigned *) &passed[(blockIdx.x + 1) % gridDim.x] < pass)
        atomicAdd (early, 1);
    }
}

static __global__ void
lab_barrier_launch (unsigned *kept)
{
  if (kept != NULL)
    *kept = 1;
}
/* lab end */

typedef struct {
  EskLab         *lab;
  const EskProbe *probe;
  unsigned        threads, blocks;
  unsigned       *arrived, *early, *passed;
} Barrier;

static unsigned
threads_of (const EskProbe *probe)
{
  return probe->threads > 0 ? probe->threads : USUAL_THREADS;
}

static int
has (const EskLab   *lab,
     const EskProbe *probe)
{
  if (probe->variant > 3 || threads_of (probe) > 1024 || probe->blocks > 65536)
    return 0;

  return probe->variant < 2 || lab->can_cooperate;
}

/* Launched so that the runtime refuses what would not all be resident, instead of waiting for ever. */
static int
launch_once (Barrier *barrier,
             bool     verify)
{
  EskLab *lab = barrier->lab;
  unsigned passes = PASSES, *passed = verify ? barrier->passed : NULL;
  void *own[] = { &barrier->arrived, &passes, &passed, &barrier->early };
  void *grid[] = { &passes, &passed, &barrier->early };
  const bool ours = barrier->probe->variant == 2;

  LAB_TRY (lab_check (lab, cudaMemsetAsync (barrier->arrived, 0, sizeof (unsigned), lab->stream), "cudaMemset"));

  return lab_check (lab, cudaLaunchCooperativeKernel (ours ? (const void *) lab_barrier_own
                                                      : (const void *) lab_barrier_grid, barrier->blocks,
                                                      barrier->threads, ours ? own : grid, 0, lab->stream),
                    "cudaLaunchCooperativeKernel");
}

static int
verify (Barrier *barrier)
{
  EskLab *lab = barrier->lab;
  unsigned early = 1;

  LAB_TRY (lab_check (lab, cudaMemsetAsync (barrier->early, 0, sizeof early, lab->stream), "cudaMemset"));
  LAB_TRY (lab_check (lab, cudaMemsetAsync (barrier->passed, 0, barrier->blocks * sizeof early, lab->stream),
                      "cudaMemset"));
  LAB_TRY (launch_once (barrier, true));
  LAB_TRY (lab_fetch (lab, &early, barrier->early, sizeof early));

  return early == 0 ? ESK_LAB_OK
         : lab_refuse (lab, ESK_LAB_ERROR_WRONG, "A block went on before the others had come to the barrier");
}

static int
measure (EskLab         *lab,
         const EskProbe *probe,
         EskProbeResult *result)
{
  Barrier barrier = { lab, probe };
  int resident = 0, code;
  cudaEvent_t events[2];

  barrier.threads = threads_of (probe);
  barrier.blocks = probe->blocks > 0 ? probe->blocks : (unsigned) lab->units;
  LAB_TRY (lab_check (lab, cudaOccupancyMaxActiveBlocksPerMultiprocessor (
                        &resident, probe->variant == 3 ? (const void *) lab_barrier_grid
                        : (const void *) lab_barrier_own, (int) barrier.threads, 0),
                      "cudaOccupancyMaxActiveBlocksPerMultiprocessor"));
  if (probe->variant >= 2 && barrier.blocks > (unsigned) (resident * lab->units))
    return lab_refuse (lab, ESK_LAB_ERROR_ARGUMENT, "More blocks than this card holds at once would wait for ever");
  barrier.arrived = (unsigned *) lab_device_memory (lab, 512 + (uint64_t) barrier.blocks * sizeof (unsigned), &code);
  if (barrier.arrived == NULL)
    return code;
  barrier.early = barrier.arrived + 64;
  barrier.passed = barrier.arrived + 128;
  LAB_TRY (lab_two_events (lab, events));
  if (probe->variant >= 2)
    LAB_TRY (verify (&barrier));

  return lab_repeat (lab, probe, result, [&] (double *sample) -> int
    {
      double began, seconds;

      if (probe->variant >= 2)
        {
          LAB_TRY (lab_timed (lab, events, &seconds, [&] () { return launch_once (&barrier, false); }));
          *sample = seconds / PASSES;
          return ESK_LAB_OK;
        }
      LAB_TRY (lab_wait (lab));
      began = lab_now ();
      for (int pass = 0; pass < PASSES; pass++)
        {
          lab_barrier_launch<<<barrier.blocks, barrier.threads, 0, lab->stream>>> (NULL);
          if (probe->variant == 0)
            LAB_TRY (lab_check (lab, cudaStreamSynchronize (lab->stream), "cudaStreamSynchronize"));
        }
      LAB_TRY (lab_check (lab, cudaStreamSynchronize (lab->stream), "cudaStreamSynchronize"));
      *sample = (lab_now () - began) / PASSES;
      return lab_check (lab, cudaGetLastError (), "the launch of a kernel");
    });
}

const LabKind lab_kind_barrier = { has, measure, "barrier", true };
