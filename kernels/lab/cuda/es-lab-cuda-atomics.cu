/* SPDX-License-Identifier: GPL-3.0-or-later */

/* How many additions a second memory itself does, by how many threads meet at an address. */

#include "es-lab-cuda-private.h"
#include "es-lab-cuda-clock-private.h"

#define THREADS 256
#define BLOCKS 8               /* a multiprocessor */
#define UNROLL 8
#define SPAN 4e-3
#define FIRST_TRIPS 4
#define MOST_TRIPS 65536

/* lab: atomics */
/*
 * Every thread adds 1. Its address is its number in its own warp, the warp's and the block's, each times a factor that
 * is told when it runs: no compiler knows that some are the same, and adds up a warp's before. The sum that was there
 * is not asked for.
 */
template <typename Number>
static __global__ void
lab_atomics (Number  *sums,
             uint32_t of_lane,
             uint32_t of_warp,
             uint32_t trips,
             Number   one)
{
  const uint32_t id = blockIdx.x * blockDim.x + threadIdx.x;
  Number *sum = sums + ((id % 32) * of_lane + id / 32 * of_warp);

#pragma unroll 1
  for (uint32_t t = 0; t < trips; t++)
    {
#pragma unroll
      for (int k = 0; k < UNROLL; k++)
        atomicAdd (sum, one);
    }
}

/* The same in a block's own memory, brought out at the end. */
template <typename Number>
static __global__ void
lab_atomics_shared (Number  *sums,
                    uint32_t of_lane,
                    uint32_t of_warp,
                    uint32_t trips,
                    Number   one)
{
  __shared__ Number own[THREADS];
  Number *sum = own + ((threadIdx.x % 32) * of_lane + threadIdx.x / 32 * of_warp);

  own[threadIdx.x] = 0;
  __syncthreads ();
#pragma unroll 1
  for (uint32_t t = 0; t < trips; t++)
    {
#pragma unroll
      for (int k = 0; k < UNROLL; k++)
        atomicAdd (sum, one);
    }
  __syncthreads ();
  sums[blockIdx.x * blockDim.x + threadIdx.x] = own[threadIdx.x];
}
/* lab end */

template <typename Number>
static __global__ void
add_up (const Number *sums,
        uint32_t      n,
        double       *whole)
{
  double sum = 0.0;

  for (uint32_t i = threadIdx.x; i < n; i += blockDim.x)
    sum += (double) sums[i];
  atomicAdd (whole, sum);
}

typedef struct {
  EskLab         *lab;
  const EskProbe *probe;
  void           *sums;
  double         *whole;
  uint32_t        blocks, threads, trips;
} Work;

template <typename Number>
static int
launch (const Work *work)
{
  const uint32_t variant = work->probe->variant;
  const uint32_t of_lane = variant == 0 ? 1 : 0, of_warp = variant == 0 ? 32 : variant == 1 ? 1 : 0;
  EskLab *lab = work->lab;

  (work->probe->space == ESK_SPACE_SHARED ? lab_atomics_shared<Number> : lab_atomics<Number>)
    <<<work->blocks, THREADS, 0, lab->stream>>> ((Number *) work->sums, of_lane, of_warp, work->trips, (Number) 1);

  return ESK_LAB_OK;
}

/* Each addition is in the sums, where the type holds that number. */
template <typename Number>
static int
verify (const Work *work)
{
  EskLab *lab = work->lab;
  const double each = (double) work->trips * UNROLL, expected = each * work->threads;
  double sum = 0.0;

  if (sizeof (Number) == 4 && expected >= 0x1p24)
    return ESK_LAB_OK;
  LAB_TRY (lab_check (lab, cudaMemsetAsync (work->sums, 0, (uint64_t) work->threads * 8, lab->stream), "cudaMemset"));
  LAB_TRY (lab_check (lab, cudaMemsetAsync (work->whole, 0, sizeof sum, lab->stream), "cudaMemset"));
  LAB_TRY (launch<Number> (work));
  add_up<<<1, THREADS, 0, lab->stream>>> ((const Number *) work->sums, work->threads, work->whole);
  LAB_TRY (lab_fetch (lab, &sum, work->whole, sizeof sum));

  return sum == expected ? ESK_LAB_OK : lab_refuse (lab, ESK_LAB_ERROR_WRONG, "Additions to memory were lost");
}

typedef struct {
  EskLabType type;
  int      (*launch) (const Work *work);
  int      (*verify) (const Work *work);
} Row;

static const Row rows[] = {
  { ESK_TYPE_LAB_INT32, launch<int32_t>, verify<int32_t> },
  { ESK_TYPE_LAB_INT64, launch<unsigned long long>, verify<unsigned long long> },
  { ESK_TYPE_LAB_FLOAT32, launch<float>, verify<float> },
  { ESK_TYPE_LAB_FLOAT64, launch<double>, verify<double> },
};

static const Row *
find (const EskProbe *probe)
{
  for (size_t r = 0; r < sizeof rows / sizeof *rows; r++)
    if (rows[r].type == probe->type)
      return &rows[r];

  return NULL;
}

static int
has (const EskLab   *lab,
     const EskProbe *probe)
{
  return find (probe) != NULL && probe->variant <= 2
         && (probe->space == ESK_SPACE_GLOBAL || probe->space == ESK_SPACE_SHARED);
}

static int
measure (EskLab         *lab,
         const EskProbe *probe,
         EskProbeResult *result)
{
  const Row *row = find (probe);
  Work work = { lab, probe };
  double seconds = 0.0;
  cudaEvent_t events[2];
  int code;

  work.blocks = (uint32_t) (BLOCKS * lab->units);
  work.threads = work.blocks * THREADS;
  work.trips = FIRST_TRIPS;
  work.sums = lab_device_memory (lab, (uint64_t) work.threads * 8, &code);
  if (work.sums == NULL)
    return code;
  work.whole = (double *) lab_device_memory (lab, sizeof (double), &code);
  if (work.whole == NULL)
    return code;
  LAB_TRY (lab_two_events (lab, events));
  LAB_TRY (row->verify (&work));

  /* Where all meet at one address a trip takes a thousand times as long as where nobody does. */
  for (int k = 0; k < 2; k++)
    LAB_TRY (lab_timed (lab, events, &seconds, [&] () { return row->launch (&work); }));
  if (seconds > 0.0)
    {
      const double trips = SPAN / seconds * work.trips;

      work.trips = trips < 1.0 ? 1 : trips < MOST_TRIPS ? (uint32_t) trips : MOST_TRIPS;
    }

  return lab_repeat (lab, probe, result, [&] (double *sample) -> int
    {
      LAB_TRY (lab_timed (lab, events, &seconds, [&] () { return row->launch (&work); }));
      *sample = (double) work.threads * work.trips * UNROLL / seconds;
      return ESK_LAB_OK;
    });
}

const LabKind lab_kind_atomic = { has, measure, "atomics", true };
