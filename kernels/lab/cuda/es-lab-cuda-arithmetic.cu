/* SPDX-License-Identifier: GPL-3.0-or-later */

/* How long one operation takes whose operand is the result of the one before (gpu-lab 2). */

#include "es-lab-cuda-private.h"
#include "es-lab-cuda-clock-private.h"
#include "es-lab-cuda-operations.cuh"

#define TRIPS 256
/* An empty loop is told as a share of the operations that a chain of this length would have in it. */
#define EMPTY_LENGTH 64

/* lab: arithmetic */
/*
 * One thread. The loop's trip count is not known before it runs, so that nothing of the chain leaves the loop. Integers
 * are added three at a time (b is 0): that is the one instruction for it, where two are as well multiplied and added,
 * and the assembler takes both in turns, which costs a clock each time.
 */
template <typename Operation, int LENGTH>
static __global__ void
lab_chain (const typename Operation::Number *operands,
           int                               trips,
           typename Operation::Number       *kept,
           long long                        *clocks)
{
  const typename Operation::Number a = operands[1], b = operands[2];
  typename Operation::Number r = operands[0], s = a;
  long long from, to;

  LAB_AWAIT ((uint64_t) r + (uint64_t) a + (uint64_t) b);
  from = lab_clock ();
#pragma unroll 1
  for (int t = 0; t < trips; t++)
    {
#pragma unroll
      for (int k = 0; k < LENGTH; k++)
        {
          lab_step<Operation> (r, s, a, b);
          if constexpr (Operation::AFTER_TWO && sizeof r == 4)
            asm volatile ("add.u32 %0, %0, %1;" : "+r"(r) : "r"(b));
        }
    }
  LAB_AWAIT ((uint64_t) r);
  to = lab_clock ();

  *kept = r;
  *clocks = to - from;
}

/* The same loop with nothing in it; its step is read, or there would be no loop. What is left of it once two are taken
 * from each other, as of a chain, is what it adds to a figure. */
static __global__ void
lab_empty (const int *step,
           int        trips,
           int       *kept,
           long long *clocks)
{
  const int one = *step;
  long long from, to;
  int t;

  LAB_AWAIT ((uint32_t) one);
  from = lab_clock ();
#pragma unroll 1
  for (t = 0; t < trips; t += one)
    asm volatile ("" : "+r"(t));
  LAB_AWAIT ((uint32_t) t);
  to = lab_clock ();

  *kept = t;
  *clocks = to - from;
}
/* lab end */

typedef struct {
  EskLabType      type;
  EskLabOperation operation;
  int             length, fused;
  void          (*launch) (EskLab *lab, bool twice, const void *operands, void *kept, long long *clocks);
} Row;

template <typename Operation>
static void
launch (EskLab     *lab,
        bool        twice,
        const void *operands,
        void       *kept,
        long long  *clocks)
{
  typedef typename Operation::Number Number;

  if (twice)
    lab_chain<Operation, 2 * Operation::LENGTH><<<1, 1, 0, lab->stream>>> ((const Number *) operands, TRIPS,
                                                                           (Number *) kept, clocks);
  else
    lab_chain<Operation, Operation::LENGTH><<<1, 1, 0, lab->stream>>> ((const Number *) operands, TRIPS,
                                                                       (Number *) kept, clocks);
}

#define LAB_ROW(type, operation, name, count, fused) \
  { ESK_TYPE_LAB_##type, ESK_OPERATION_##operation, name::LENGTH, fused, launch<name> },
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
  if (probe->type == ESK_TYPE_LAB_BFLOAT16 && probe->operation != ESK_OPERATION_MULTIPLY_ADD && lab->major < 9)
    return 0;
  if (probe->type == ESK_TYPE_LAB_BFLOAT16 && lab->major < 8)
    return 0;

  return find (probe) != NULL;
}

/*
 * Clocks of a chain, less those of one that is half as long in the same loop: the loop, the clocks' own cost and what a
 * chain hides of them are the same in both.
 */
static int
measure (EskLab         *lab,
         const EskProbe *probe,
         EskProbeResult *result)
{
  const Row *row = find (probe);
  const LabOperands operands = lab_operands (probe->type, probe->operation);
  int code;
  char *memory = (char *) lab_device_memory (lab, 256, &code);
  long long *clocks = (long long *) (memory + 128);

  if (memory == NULL)
    return code;
  /* Operands one after the other, in the type's own size. */
  LAB_TRY (lab_upload (lab, memory, operands.words, sizeof operands));
  result->fused = row->fused;

  return lab_repeat (lab, probe, result, [&] (double *sample) -> int
    {
      long long counted[2];

      row->launch (lab, false, memory, memory + 64, clocks);
      row->launch (lab, true, memory, memory + 64, clocks + 1);
      LAB_TRY (lab_fetch (lab, counted, clocks, sizeof counted));
      *sample = (counted[1] - counted[0]) / ((double) TRIPS * row->length);
      return ESK_LAB_OK;
    });
}

static int
measure_empty (EskLab         *lab,
               const EskProbe *probe,
               EskProbeResult *result)
{
  const int one = 1;
  int code;
  char *memory = (char *) lab_device_memory (lab, 256, &code);

  if (memory == NULL)
    return code;
  LAB_TRY (lab_upload (lab, memory, &one, sizeof one));

  return lab_repeat (lab, probe, result, [&] (double *sample) -> int
    {
      long long counted[2];

      for (int k = 0; k < 2; k++)
        lab_empty<<<1, 1, 0, lab->stream>>> ((const int *) memory, TRIPS, (int *) (memory + 64),
                                             (long long *) (memory + 128) + k);
      LAB_TRY (lab_fetch (lab, counted, memory + 128, sizeof counted));
      *sample = (counted[1] - counted[0]) / ((double) TRIPS * EMPTY_LENGTH);
      return ESK_LAB_OK;
    });
}

const LabKind lab_kind_empty = { NULL, measure_empty, "arithmetic", true };
const LabKind lab_kind_arithmetic = { has, measure, "arithmetic", true };
