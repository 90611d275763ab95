/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Products of small matrices as the tensor cores do them: mma.sync, which every architecture from 7.5 on has, and what
 * is measured of warp groups' (es-lab-cuda-groups.cu). */

#include "es-lab-cuda-private.h"
#include "es-lab-cuda-clock-private.h"
#include "es-lab-cuda-matrix-private.h"

#include <math.h>
#include <stdlib.h>

#define SETS 4                 /* accumulators of a warp that do not wait for each other */
#define STEPS 8                /* products of each in a trip */
#define THREADS 256
#define BLOCKS 2               /* a multiprocessor */
#define MOST_REGISTERS 16
#define SPAN 6e-3
#define FIRST_TRIPS 32
#define MOST_TRIPS (1 << 18)

static_assert (2 * MOST_REGISTERS * 32 * sizeof (double) / 4 == LAB_MATRIX_WORDS, "operands");

/* lab: matrix */
/*
 * One instruction each: M x N x K, its registers of A, B and C a lane, and what a lane holds in a register. Of float64
 * 9.0 has a larger one than the others. Where an architecture lacks a type the card is not asked.
 */
template <int A, int B, int C, int M, int N, int K, typename In, typename Sum>
struct Shape
{
  typedef In Input;
  typedef Sum Number;
  enum { N_A = A, N_B = B, N_C = C, WORK = 2 * M * N * K, DEPTH = K };
};

#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 800
#define LAB_WIDE_PRODUCT(name, Sum, depth, letter, kinds) \
  struct name : Shape<4, 2, 4, 16, 8, depth, uint32_t, Sum> \
  { \
    static __device__ __forceinline__ void \
    multiply (Sum *c, const uint32_t *a, const uint32_t *b) \
    { \
      asm volatile ("mma.sync.aligned.m16n8k" #depth ".row.col." kinds \
                    " {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};" \
                    : "+" letter (c[0]), "+" letter (c[1]), "+" letter (c[2]), "+" letter (c[3]) \
                    : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1])); \
    } \
  };
LAB_WIDE_PRODUCT (ProductFloat16, float, 16, "f", "f32.f16.f16.f32")
LAB_WIDE_PRODUCT (ProductBfloat16, float, 16, "f", "f32.bf16.bf16.f32")
LAB_WIDE_PRODUCT (ProductTf32, float, 8, "f", "f32.tf32.tf32.f32")
LAB_WIDE_PRODUCT (ProductInt8, int32_t, 32, "r", "s32.s8.s8.s32")
#else
struct ProductFloat16 : Shape<2, 1, 4, 16, 8, 8, uint32_t, float>
{
  static __device__ __forceinline__ void
  multiply (float *c, const uint32_t *a, const uint32_t *b)
  {
    asm volatile ("mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %5}, {%6}, {%0, %1, %2, %3};"
                  : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3]) : "r"(a[0]), "r"(a[1]), "r"(b[0]));
  }
};
struct ProductInt8 : Shape<1, 1, 2, 8, 8, 16, uint32_t, int32_t>
{
  static __device__ __forceinline__ void
  multiply (int32_t *c, const uint32_t *a, const uint32_t *b)
  {
    asm volatile ("mma.sync.aligned.m8n8k16.row.col.s32.s8.s8.s32 {%0, %1}, {%2}, {%3}, {%0, %1};"
                  : "+r"(c[0]), "+r"(c[1]) : "r"(a[0]), "r"(b[0]));
  }
};
struct ProductBfloat16 : ProductFloat16 {};
struct ProductTf32 : ProductFloat16 {};
#endif

#if !defined(__CUDA_ARCH__) || (__CUDA_ARCH__ >= 900 && __CUDA_ARCH__ < 1000)
struct ProductFloat64 : Shape<8, 4, 4, 16, 8, 16, double, double>
{
  static __device__ __forceinline__ void
  multiply (double *c, const double *a, const double *b)
  {
    asm volatile ("mma.sync.aligned.m16n8k16.row.col.f64.f64.f64.f64 {%0, %1, %2, %3}, "
                  "{%4, %5, %6, %7, %8, %9, %10, %11}, {%12, %13, %14, %15}, {%0, %1, %2, %3};"
                  : "+d"(c[0]), "+d"(c[1]), "+d"(c[2]), "+d"(c[3])
                  : "d"(a[0]), "d"(a[1]), "d"(a[2]), "d"(a[3]), "d"(a[4]), "d"(a[5]), "d"(a[6]), "d"(a[7]),
                    "d"(b[0]), "d"(b[1]), "d"(b[2]), "d"(b[3]));
  }
};
#else
struct ProductFloat64 : Shape<1, 1, 2, 8, 8, 4, double, double>
{
  static __device__ __forceinline__ void
  multiply (double *c, const double *a, const double *b)
  {
#if __CUDA_ARCH__ >= 800
    asm volatile ("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%0, %1}, {%2}, {%3}, {%0, %1};"
                  : "+d"(c[0]), "+d"(c[1]) : "d"(a[0]), "d"(b[0]));
#endif
  }
};
#endif

/* told: it depends on which architecture the kernel was compiled for. */
template <typename Product>
static __global__ void
__launch_bounds__ (THREADS, BLOCKS)
lab_products (const typename Product::Input *operands,
              int                            trips,
              typename Product::Number      *kept,
              LabMatrixTold                 *told)
{
  typename Product::Input a[Product::N_A], b[Product::N_B];
  typename Product::Number c[SETS][Product::N_C];

#pragma unroll
  for (int k = 0; k < Product::N_A; k++)
    a[k] = operands[k * 32 + threadIdx.x % 32];
#pragma unroll
  for (int k = 0; k < Product::N_B; k++)
    b[k] = operands[(MOST_REGISTERS + k) * 32 + threadIdx.x % 32];
#pragma unroll
  for (int s = 0; s < SETS; s++)
#pragma unroll
    for (int k = 0; k < Product::N_C; k++)
      c[s][k] = 0;

  const long long began = lab_nanoseconds (), from = lab_clock ();

#pragma unroll 1
  for (int t = 0; t < trips; t++)
    {
#pragma unroll
      for (int k = 0; k < STEPS; k++)
#pragma unroll
        for (int s = 0; s < SETS; s++)
          Product::multiply (c[s], a, b);
    }

  const long long clocks = lab_clock () - from, nanoseconds = lab_nanoseconds () - began;

#pragma unroll
  for (int s = 0; s < SETS; s++)
#pragma unroll
    for (int k = 0; k < Product::N_C; k++)
      kept[((uint64_t) blockIdx.x * SETS * Product::N_C + s * Product::N_C + k) * THREADS + threadIdx.x] = c[s][k];
  if (blockIdx.x == 0 && threadIdx.x == 0)
    *told = { BLOCKS * (THREADS / 32) * STEPS * SETS * Product::WORK, STEPS * Product::DEPTH, clocks,
              nanoseconds };
}
/* lab end */

typedef struct {
  EskLabType      type;
  uint32_t        one, mask, size; /* 1 as a register holds it; which bits of it chance may change; bytes of a sum */
  LabMatrixLaunch launch;          /* NULL: warp groups alone multiply it */
} Row;

template <typename Product>
static void
launch (EskLab        *lab,
        const void    *operands,
        int            trips,
        void          *kept,
        LabMatrixTold *told)
{
  typedef typename Product::Input Input;
  typedef typename Product::Number Number;

  lab_products<Product><<<BLOCKS * lab->units, THREADS, 0, lab->stream>>> ((const Input *) operands, trips,
                                                                           (Number *) kept, told);
}

static const Row rows[] = {
  { ESK_TYPE_LAB_FLOAT16, 0x3c003c00, 0x83ff83ff, 4, launch<ProductFloat16> },
  { ESK_TYPE_LAB_BFLOAT16, 0x3f803f80, 0x807f807f, 4, launch<ProductBfloat16> },
  { ESK_TYPE_LAB_TF32, 0x3f800000, 0x807fe000, 4, launch<ProductTf32> },
  { ESK_TYPE_LAB_INT8, 0x01010101, 0xffffffff, 4, launch<ProductInt8> },
  { ESK_TYPE_LAB_FLOAT64, 0, 0, 8, launch<ProductFloat64> },
  { ESK_TYPE_LAB_FLOAT8, 0x38383838, 0x87878787, 4, NULL },
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
  const bool early = probe->type == ESK_TYPE_LAB_FLOAT16 || probe->type == ESK_TYPE_LAB_INT8;
  const Row *row = find (probe);

  if (row == NULL || probe->variant > 1)
    return 0;
  if (probe->variant == 1)
    return lab_has_groups (lab) && lab_group_launch (probe->type) != NULL;

  return row->launch != NULL && (lab->major >= 8 || early);
}

/* Ones, or numbers by chance of either sign between 1 and 2: what is multiplied changes what it costs in power. */
static void
fill (const Row *row,
      bool       chance,
      uint64_t  *words)
{
  uint32_t *halves = (uint32_t *) words, seed = 1;
  double *doubles = (double *) words;

  for (int k = 0; k < 2 * MOST_REGISTERS * 32; k++)
    {
      seed = seed * 1664525u + 1013904223u;
      if (row->type == ESK_TYPE_LAB_FLOAT64)
        doubles[k] = chance ? (1.0 + (seed >> 8) * 0x1p-24) * (seed & 128 ? -1.0 : 1.0) : 1.0;
      else
        halves[k] = chance ? row->one ^ ((seed ^ seed >> 15) & row->mask) : row->one;
    }
}

/* Ones times ones, summed over trips: each element is known. */
static int
verify (EskLab          *lab,
        const Row       *row,
        LabMatrixLaunch  launch,
        const void      *operands,
        void            *kept,
        LabMatrixTold   *told)
{
  const double wrong = -1.0;
  uint32_t first[4] = { 0, 0, 0, 0 };
  LabMatrixTold facts;
  double sum, value = wrong;

  launch (lab, operands, 3, kept, told);
  LAB_TRY (lab_fetch (lab, &facts, told, sizeof facts));
  LAB_TRY (lab_fetch (lab, first, kept, row->size));
  sum = 3.0 * facts.growth;
  if (row->type == ESK_TYPE_LAB_INT8)
    value = (double) (int32_t) first[0];
  else if (row->type == ESK_TYPE_LAB_FLOAT64)
    value = *(const double *) first;
  else
    value = *(const float *) first;

  return value == sum ? ESK_LAB_OK
         : lab_refuse (lab, ESK_LAB_ERROR_WRONG, "The products of matrices came out wrong");
}

static int
compare (const void *a,
         const void *b)
{
  const double x = *(const double *) a, y = *(const double *) b;

  return (x > y) - (x < y);
}

static int
measure (EskLab         *lab,
         const EskProbe *probe,
         EskProbeResult *result)
{
  const Row *row = find (probe);
  const LabMatrixLaunch launch = probe->variant == 1 ? lab_group_launch (probe->type) : row->launch;
  const uint64_t bytes = probe->variant == 1 ? lab_group_kept (lab)
                         : (uint64_t) BLOCKS * lab->units * SETS * 4 * THREADS * sizeof (double);
  uint64_t words[2 * MOST_REGISTERS * 32];
  int trips = FIRST_TRIPS, code;
  LabMatrixTold facts, *told;
  double seconds = 0.0, hertz[ESK_LAB_MOST_REPEATS];
  cudaEvent_t events[2];
  char *memory = (char *) lab_device_memory (lab, sizeof words + 256, &code), *kept;

  if (memory == NULL)
    return code;
  told = (LabMatrixTold *) (memory + sizeof words);
  kept = (char *) lab_device_memory (lab, bytes, &code);
  if (kept == NULL)
    return code;
  LAB_TRY (lab_two_events (lab, events));

  fill (row, false, words);
  LAB_TRY (lab_upload (lab, memory, words, sizeof words));
  LAB_TRY (verify (lab, row, launch, memory, kept, told));
  fill (row, true, words);
  LAB_TRY (lab_upload (lab, memory, words, sizeof words));

  for (int k = 0; k < 2; k++)
    LAB_TRY (lab_timed (lab, events, &seconds, [&] () -> int
      {
        launch (lab, memory, trips, kept, told);
        return ESK_LAB_OK;
      }));
  if (seconds > 0.0 && SPAN / seconds * trips < MOST_TRIPS)
    trips = (int) (SPAN / seconds * trips) + 1;
  LAB_TRY (lab_fetch (lab, &facts, told, sizeof facts));
  result->fused = 1;

  code = lab_repeat (lab, probe, result, [&] (double *sample) -> int
    {
      LAB_TRY (lab_timed (lab, events, &seconds, [&] () -> int
        {
          launch (lab, memory, trips, kept, told);
          return ESK_LAB_OK;
        }));
      LAB_TRY (lab_fetch (lab, &facts, told, sizeof facts));
      /* Where the sample goes; what warms up is overwritten. */
      hertz[result->n] = facts.nanoseconds > 0 ? facts.clocks / (facts.nanoseconds * 1e-9) : 0.0;
      *sample = (double) lab->units * trips * facts.work / seconds;
      return ESK_LAB_OK;
    });
  LAB_TRY (code);

  /* Tensor cores take so much power that clocks fall meanwhile, and before and after say nothing of it. The median, as
   * that of the samples is told. */
  qsort (hertz, result->n, sizeof *hertz, compare);
  result->hertz = hertz[result->n / 2];

  return ESK_LAB_OK;
}

const LabKind lab_kind_matrix = { has, measure, "matrix", true };
