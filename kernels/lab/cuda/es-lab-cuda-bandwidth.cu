/* SPDX-License-Identifier: GPL-3.0-or-later */

/* How many bytes a second go through a card's memory and the caches before it (gpu-lab 10). */

#include "es-lab-cuda-private.h"
#include "es-lab-cuda-clock-private.h"

#define THREADS 512
/* Bytes that one launch moves at least, so that starting it does not count. */
#define LEAST_MOVED (256ull << 20)
#define MOST_PASSES 65536
/* Vectors of 16 bytes under way in a thread. */
#define AHEAD 4

/* lab: bandwidth */
template <typename Element>
static __global__ void
lab_copy (const Element *__restrict__ from,
          Element *__restrict__       to,
          uint64_t                    n)
{
  for (uint64_t i = blockIdx.x * (uint64_t) blockDim.x + threadIdx.x; i < n; i += (uint64_t) gridDim.x * blockDim.x)
    to[i] = from[i];
}

static __device__ __forceinline__ uint4
read_vector (const uint4 *from)
{
  uint4 v;

  asm volatile ("ld.global.v4.u32 {%0, %1, %2, %3}, [%4];" : "=r"(v.x), "=r"(v.y), "=r"(v.z), "=r"(v.w) : "l"(from));
  return v;
}

static __device__ __forceinline__ void
write_vector (uint4 *to, uint4 v)
{
  asm volatile ("st.global.v4.u32 [%0], {%1, %2, %3, %4};"
                : : "l"(to), "r"(v.x), "r"(v.y), "r"(v.z), "r"(v.w) : "memory");
}

/* All of it, over and over: a thread comes to the same places again, which small footprints find in the first cache. */
static __global__ void
lab_read (const uint4 *from,
          uint64_t     n,
          int          passes,
          uint32_t    *kept)
{
  const uint64_t step = (uint64_t) gridDim.x * blockDim.x;
  uint32_t sum = 0;

#pragma unroll 1
  for (int p = 0; p < passes; p++)
    {
      uint64_t i = blockIdx.x * (uint64_t) blockDim.x + threadIdx.x;

      for (; i + (AHEAD - 1) * step < n; i += AHEAD * step)
        {
          uint4 v[AHEAD];

#pragma unroll
          for (int k = 0; k < AHEAD; k++)
            v[k] = read_vector (from + i + k * step);
#pragma unroll
          for (int k = 0; k < AHEAD; k++)
            sum += v[k].x ^ v[k].y ^ v[k].z ^ v[k].w;
        }
      for (; i < n; i += step)
        {
          const uint4 v = read_vector (from + i);

          sum += v.x ^ v.y ^ v.z ^ v.w;
        }
    }
  kept[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

static __global__ void
lab_write (uint4    *to,
           uint64_t  n,
           int       passes,
           uint32_t  value)
{
  const uint64_t step = (uint64_t) gridDim.x * blockDim.x;

#pragma unroll 1
  for (int p = 0; p < passes; p++)
    for (uint64_t i = blockIdx.x * (uint64_t) blockDim.x + threadIdx.x; i < n; i += step)
      write_vector (to + i, make_uint4 (value, value + 1, value + 2, value + p));
}

/* The first half into the second. */
static __global__ void
lab_move (uint4    *array,
          uint64_t  half,
          int       passes)
{
  const uint64_t step = (uint64_t) gridDim.x * blockDim.x;

#pragma unroll 1
  for (int p = 0; p < passes; p++)
    {
      uint64_t i = blockIdx.x * (uint64_t) blockDim.x + threadIdx.x;

      for (; i + (AHEAD - 1) * step < half; i += AHEAD * step)
        {
          uint4 v[AHEAD];

#pragma unroll
          for (int k = 0; k < AHEAD; k++)
            v[k] = read_vector (array + i + k * step);
#pragma unroll
          for (int k = 0; k < AHEAD; k++)
            write_vector (array + half + i + k * step, v[k]);
        }
      for (; i < half; i += step)
        write_vector (array + half + i, read_vector (array + i));
    }
}
/* lab end */

static __global__ void
fill (uint32_t *array,
      uint64_t  words,
      uint32_t  seed)
{
  for (uint64_t i = blockIdx.x * (uint64_t) blockDim.x + threadIdx.x; i < words; i += (uint64_t) gridDim.x * blockDim.x)
    array[i] = (uint32_t) i * 0x9e3779b1u ^ seed;
}

static __global__ void
differ (const uint32_t *a,
        const uint32_t *b,
        uint64_t        words,
        uint32_t       *different)
{
  for (uint64_t i = blockIdx.x * (uint64_t) blockDim.x + threadIdx.x; i < words; i += (uint64_t) gridDim.x * blockDim.x)
    if (a[i] != b[i])
      *different = 1;
}

/* --- A copy by elements of a size, on the best of several grids ------------------------------------------- */

typedef struct {
  uint32_t threads, blocks;      /* blocks of a multiprocessor; 0: a thread for each element */
} Shape;

static const Shape shapes[] = {
  { 256, 8 }, { 512, 4 }, { 1024, 2 }, { 256, 32 }, { 512, 32 }, { 1024, 16 }, { 256, 0 }, { 512, 0 }, { 1024, 0 },
};

template <typename Element>
static void
launch_copy (EskLab      *lab,
             const Shape *shape,
             const void  *from,
             void        *to,
             uint64_t     bytes)
{
  const uint64_t n = bytes / sizeof (Element);
  const uint64_t whole = (n + shape->threads - 1) / shape->threads;
  const uint64_t some = (uint64_t) shape->blocks * lab->units;
  const uint32_t blocks = (uint32_t) (some == 0 || some > whole ? whole : some);

  lab_copy<<<blocks, shape->threads, 0, lab->stream>>> ((const Element *) from, (Element *) to, n);
}

static void
copy_once (EskLab         *lab,
           const EskProbe *probe,
           const Shape    *shape,
           const void     *from,
           void           *to)
{
  switch (probe->ways)
    {
    case 1:
      launch_copy<uint8_t> (lab, shape, from, to, probe->bytes);
      break;
    case 2:
      launch_copy<uint16_t> (lab, shape, from, to, probe->bytes);
      break;
    case 4:
      launch_copy<uint32_t> (lab, shape, from, to, probe->bytes);
      break;
    case 8:
      launch_copy<uint2> (lab, shape, from, to, probe->bytes);
      break;
    default:
      launch_copy<uint4> (lab, shape, from, to, probe->bytes);
    }
}

static int
has_copy (const EskLab   *lab,
          const EskProbe *probe)
{
  const bool known = probe->ways == 1 || probe->ways == 2 || probe->ways == 4 || probe->ways == 8 || probe->ways == 16;

  return known && probe->bytes >= 256 && probe->bytes % 16 == 0 && probe->bytes <= lab->memory / 4
         && probe->bytes / probe->ways <= 1ull << 38;
}

/* What was copied is what was there. */
static int
verify (EskLab         *lab,
        const EskProbe *probe,
        const void     *from,
        const void     *to,
        uint32_t       *flag)
{
  uint32_t different = 1;

  LAB_TRY (lab_check (lab, cudaMemsetAsync (flag, 0, sizeof *flag, lab->stream), "cudaMemset"));
  differ<<<4 * lab->units, THREADS, 0, lab->stream>>> ((const uint32_t *) from, (const uint32_t *) to, probe->bytes / 4,
                                                       flag);
  LAB_TRY (lab_fetch (lab, &different, flag, sizeof different));

  return different == 0 ? ESK_LAB_OK : lab_refuse (lab, ESK_LAB_ERROR_WRONG, "What was copied came out wrong");
}

static int
measure_copy (EskLab         *lab,
              const EskProbe *probe,
              EskProbeResult *result)
{
  const bool library = probe->kind == ESK_PROBE_LIBRARY_COPY;
  const int copies = probe->bytes >= LEAST_MOVED ? 1 : (int) (LEAST_MOVED / probe->bytes < 1000
                                                              ? LEAST_MOVED / probe->bytes : 1000);
  const Shape *best = &shapes[0];
  double fastest = 0.0;
  cudaEvent_t events[2];
  int code;
  char *from = (char *) lab_device_memory (lab, probe->bytes, &code), *to, *flag;

  if (from == NULL || (to = (char *) lab_device_memory (lab, probe->bytes, &code)) == NULL
      || (flag = (char *) lab_device_memory (lab, 4, &code)) == NULL)
    return code;
  LAB_TRY (lab_two_events (lab, events));
  fill<<<4 * lab->units, THREADS, 0, lab->stream>>> ((uint32_t *) from, probe->bytes / 4, 1);
  LAB_TRY (lab_check (lab, cudaMemsetAsync (to, 0, probe->bytes, lab->stream), "cudaMemset"));

  /* Each twice, as the first time loads its code; more than one copy in a row only of small arrays. */
  for (size_t s = 0; !library && s < sizeof shapes / sizeof *shapes; s++)
    for (int k = 0; k < 2; k++)
      {
        double seconds;

        LAB_TRY (lab_cancelled (lab));
        LAB_TRY (lab_timed (lab, events, &seconds, [&] () -> int
          {
            copy_once (lab, probe, &shapes[s], from, to);
            return ESK_LAB_OK;
          }));
        if (k == 1 && (fastest == 0.0 || seconds < fastest))
          {
            fastest = seconds;
            best = &shapes[s];
          }
      }

  code = lab_repeat (lab, probe, result, [&] (double *sample) -> int
    {
      double seconds;

      LAB_TRY (lab_timed (lab, events, &seconds, [&] () -> int
        {
          for (int c = 0; c < copies; c++)
            if (library)
              LAB_TRY (lab_check (lab, cudaMemcpyAsync (to, from, probe->bytes, cudaMemcpyDeviceToDevice, lab->stream),
                                  "cudaMemcpyAsync"));
            else
              copy_once (lab, probe, best, from, to);
          return ESK_LAB_OK;
        }));
      *sample = 2.0 * (double) probe->bytes * copies / seconds;
      return ESK_LAB_OK;
    });
  LAB_TRY (code);

  return verify (lab, probe, from, to, (uint32_t *) flag);
}

static int
has_library_copy (const EskLab   *lab,
                  const EskProbe *probe)
{
  return probe->bytes >= 256 && probe->bytes % 4 == 0 && probe->bytes <= lab->memory / 4;
}

/* --- A footprint, over and over --------------------------------------------------------------------------- */

static int
has_footprint (const EskLab   *lab,
               const EskProbe *probe)
{
  const bool managed = probe->kind == ESK_PROBE_READ && probe->memory == ESK_MEMORY_MANAGED;

  return probe->bytes >= 1024 && probe->bytes % 32 == 0 && probe->bytes <= lab->memory / 4 * 3
         && (probe->memory == ESK_MEMORY_PAGEABLE || (managed && lab_has_managed (lab, probe->memory, probe->bytes)));
}

static int
measure_footprint (EskLab         *lab,
                   const EskProbe *probe,
                   EskProbeResult *result)
{
  const uint64_t n = probe->bytes / sizeof (uint4);
  const int resident = lab->unit_threads / THREADS;
  const uint64_t most = (n + THREADS - 1) / THREADS;
  const int blocks = (uint64_t) resident * lab->units < most ? resident * lab->units : (int) most;
  const uint64_t asked = (LEAST_MOVED + probe->bytes - 1) / probe->bytes;
  int passes = asked < 64 ? (int) asked : 64;
  double seconds = 0.0;
  cudaEvent_t events[2];
  int code;
  const bool managed = probe->memory == ESK_MEMORY_MANAGED;
  uint4 *array = (uint4 *) (managed ? lab_managed_memory (lab, probe->bytes, &code)
                            : lab_device_memory (lab, probe->bytes, &code));
  uint32_t *kept;

  if (array == NULL)
    return code;
  kept = (uint32_t *) lab_device_memory (lab, (uint64_t) blocks * THREADS * sizeof *kept, &code);
  if (kept == NULL)
    return code;
  LAB_TRY (lab_two_events (lab, events));
  fill<<<4 * lab->units, THREADS, 0, lab->stream>>> ((uint32_t *) array, probe->bytes / 4, 1);

  const auto once = [&] () -> int
    {
      if (probe->kind == ESK_PROBE_READ)
        lab_read<<<blocks, THREADS, 0, lab->stream>>> (array, n, passes, kept);
      else if (probe->kind == ESK_PROBE_WRITE)
        lab_write<<<blocks, THREADS, 0, lab->stream>>> (array, n, passes, 1);
      else
        lab_move<<<blocks, THREADS, 0, lab->stream>>> (array, n / 2, passes);
      return ESK_LAB_OK;
    };

  /* Some milliseconds each. */
  for (int k = 0; k < 2; k++)
    LAB_TRY (lab_timed (lab, events, &seconds, once));
  if (seconds < 2e-3)
    {
      const double more = 3e-3 / seconds * passes;

      passes = more < MOST_PASSES ? (int) more + 1 : MOST_PASSES;
    }

  return lab_repeat (lab, probe, result, [&] (double *sample) -> int
    {
      LAB_TRY (lab_timed (lab, events, &seconds, once));
      *sample = (double) probe->bytes * passes / seconds;
      return ESK_LAB_OK;
    });
}

const LabKind lab_kind_copy = { has_copy, measure_copy, "bandwidth", true };
const LabKind lab_kind_library_copy = { has_library_copy, measure_copy, NULL, true };
const LabKind lab_kind_read = { has_footprint, measure_footprint, "bandwidth", true };
const LabKind lab_kind_write = { has_footprint, measure_footprint, "bandwidth", true };
const LabKind lab_kind_move = { has_footprint, measure_footprint, "bandwidth", true };
