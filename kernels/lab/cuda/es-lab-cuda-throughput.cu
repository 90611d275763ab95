/* SPDX-License-Identifier: GPL-3.0-or-later */

/* How many operations all threads together do in a second, in chains that do not wait for each other. */

#include "es-lab-cuda-private.h"
#include "es-lab-cuda-clock-private.h"
#include "es-lab-cuda-operations.cuh"

#define CHAINS 8
#define THREADS 512
/* How long a kernel is to run, seconds. */
#define SPAN 4e-3
#define FIRST_TRIPS 32
#define MOST_TRIPS (1 << 20)

/* lab: throughput */
template <typename Operation, int LENGTH>
static __global__ void
__launch_bounds__ (THREADS, 2)
lab_chains (const typename Operation::Number *operands,
            int                               trips,
            typename Operation::Number       *kept)
{
  const typename Operation::Number a = operands[1], b = operands[2];
  typename Operation::Number r[CHAINS], s[CHAINS];

#pragma unroll
  for (int c = 0; c < CHAINS; c++)
    {
      r[c] = operands[0] + (typename Operation::Number) c;
      s[c] = a;
    }
#pragma unroll 1
  for (int t = 0; t < trips; t++)
    {
#pragma unroll
      for (int k = 0; k < LENGTH; k++)
#pragma unroll
        for (int c = 0; c < CHAINS; c++)
          lab_step<Operation> (r[c], s[c], a, b);
    }

#pragma unroll
  for (int c = 1; c < CHAINS; c++)
    r[0] += r[c];
  kept[blockIdx.x * blockDim.x + threadIdx.x] = r[0];
}
/* lab end */

typedef struct {
  EskLabType      type;
  EskLabOperation operation;
  int             length, count, fused;
  int           (*blocks) (void);
  void          (*launch) (EskLab *lab, int blocks, int trips, const void *operands, void *kept);
} Row;

/* As many in a row as make a loop of 64 to 128 instructions or so. */
template <typename Operation>
struct Length
{
  enum { VALUE = Operation::LENGTH >= 64 ? 16 : Operation::LENGTH >= 32 ? 8 : 1 };
};

/* Resident on a multiprocessor. */
template <typename Operation>
static int
count_blocks (void)
{
  int blocks = 0;

  if (cudaOccupancyMaxActiveBlocksPerMultiprocessor (&blocks, lab_chains<Operation, Length<Operation>::VALUE>, THREADS,
                                                     0) != cudaSuccess)
    cudaGetLastError ();
  return blocks > 0 ? blocks : 1;
}

template <typename Operation>
static void
launch (EskLab     *lab,
        int         blocks,
        int         trips,
        const void *operands,
        void       *kept)
{
  typedef typename Operation::Number Number;
  enum { LENGTH = Length<Operation>::VALUE };

  lab_chains<Operation, LENGTH><<<blocks, THREADS, 0, lab->stream>>> ((const Number *) operands, trips,
                                                                     (Number *) kept);
}

#define LAB_ROW(type, operation, name, count, fused) \
  { ESK_TYPE_LAB_##type, ESK_OPERATION_##operation, Length<name>::VALUE, count, fused, count_blocks<name>, \
    launch<name> },
static const Row rows[] = { LAB_OPERATIONS (LAB_ROW) };
#undef LAB_ROW

static const Row *
find (const EskProbe *probe)
{
  for (size_t r = 0; r < sizeof rows / sizeof *rows; r++)
    if (rows[r].type == probe->type && rows[r].operation == probe->operation)
      return &rows[r];

  return NULL;
}

static int
has (const EskLab   *lab,
     const EskProbe *probe)
{
  return lab_kind_arithmetic.has (lab, probe);
}

static int
measure (EskLab         *lab,
         const EskProbe *probe,
         EskProbeResult *result)
{
  const Row *row = find (probe);
  const LabOperands operands = lab_operands (probe->type, probe->operation);
  const int blocks = lab->units * row->blocks ();
  const double threads = (double) blocks * THREADS;
  int trips = FIRST_TRIPS, code;
  double seconds = 0.0;
  cudaEvent_t events[2];
  char *memory = (char *) lab_device_memory (lab, 256 + (uint64_t) blocks * THREADS * sizeof (double), &code);

  if (memory == NULL)
    return code;
  LAB_TRY (lab_upload (lab, memory, operands.words, sizeof operands));
  LAB_TRY (lab_two_events (lab, events));
  result->fused = row->fused;

  /* The first launch loads the code, the second is timed. */
  for (int k = 0; k < 2; k++)
    LAB_TRY (lab_timed (lab, events, &seconds, [&] () -> int
      {
        row->launch (lab, blocks, trips, memory, memory + 256);
        return ESK_LAB_OK;
      }));
  if (seconds > 0.0 && SPAN / seconds * trips < MOST_TRIPS)
    trips = (int) (SPAN / seconds * trips) + 1;

  return lab_repeat (lab, probe, result, [&] (double *sample) -> int
    {
      LAB_TRY (lab_timed (lab, events, &seconds, [&] () -> int
        {
          row->launch (lab, blocks, trips, memory, memory + 256);
          return ESK_LAB_OK;
        }));
      *sample = threads * trips * row->length * CHAINS * row->count / seconds;
      return ESK_LAB_OK;
    });
}

const LabKind lab_kind_throughput = { has, measure, "throughput", true };
