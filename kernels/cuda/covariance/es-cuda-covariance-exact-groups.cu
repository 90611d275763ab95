/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * Exact covariance of 16-bit samples, at most 224 bands, with the tensor cores of compute capability 9.0.
 *
 * A sample is 256 high + low + c with signed bytes high and low. Their products are the lower triangle of Z Z^T with
 * Z = [high; low], 448 rows: 28 blocks of 64 x 64 sums. A multiprocessor's registers hold half of them: two thread
 * blocks share the work on the same pixels, and with them what they read. Block rows of Z, counted from 0, and who has
 * them, seven blocks each:
 *
 *      thread block 0, group 0: 6                1: 5 and 0
 *      thread block 1, group 0: 4 and 1          1: 3 and 2
 *
 * Each brings half of the bands for both. While the tensor cores multiply one stage, the same threads take the next one
 * apart, as bytes have to lie side by side; sums of bands are taken on that occasion. What a thread has in the end goes
 * to memory as it is; a second kernel adds it all up.
 */

#include "es-cuda-covariance-exact-private.h"

#ifdef ESK_CUDA_WARP_GROUPS

#include <cuda.h>

#include "es-cuda-covariance-exact.cuh"
#include "es-cuda-warp-group.cuh"

#define BANDS 224
/* Below these the tiles are as fast. */
#define LEAST_BANDS 144
#define LEAST_BYTES ((size_t) 1 << 16)
#define HALF (BANDS / 2)
#define THREADS 256
#define STAGE_PIXELS (ESK_EXACT_ROW / 2)
/* Of samples as they come: rows of 128 bytes, their vectors exchanged as exact_place () has it. */
#define RAW_BYTES (BANDS * ESK_EXACT_ROW)
#define RAW_STAGES 4
#define RAW_AHEAD 2
#define BYTES_STAGE (2 * BANDS * ESK_GROUP_ROW)
#define BYTES_STAGES 3
/* Bands whose low bytes thread block 1 multiplies. */
#define LOW_BANDS 96
#define TURNS ((BANDS + 63) / 64)
/* Stages that a 32-bit sum takes: products are 2^14 at most. */
#define LIMIT ((131072 - STAGE_PIXELS) / STAGE_PIXELS)
/* Sums that a thread has. */
#define SUMS (7 * 32)
#define BLOCK_SUMS (2 * SUMS * 128)

/* What a launch leaves: of every thread block, its groups, their sums, the threads; and sums of bands, less the centre
 * of the samples, of all of them, with the count behind. */
typedef struct {
  int                *products;
  unsigned long long *sums;
} Left;

/* In shared memory, from a multiple of 1,024 on. */
typedef struct {
  char          bytes[BYTES_STAGES][BYTES_STAGE];
  char          raw[RAW_STAGES][RAW_BYTES];
  char          masks[RAW_STAGES][STAGE_PIXELS];
  int           parts[TURNS][THREADS]; /* sums of bands, a thread's each */
  int           counts[4];
  uint64_t      full[RAW_STAGES], empty[RAW_STAGES];
} Shared;

/* Which stages of 64 pixels a cluster takes: every n_clusters-th. */
typedef struct {
  unsigned first, step, count;
} Share;

/* --- samples come, and are taken apart ----------------------------------------------------------------------- */

/* By one warp: half of the bands, to both blocks of the cluster, by the engine that copies boxes of a matrix. */
static __device__ __forceinline__ void
bring (Shared &shared, const CUtensorMap &samples, const EskExactRun &run, const Share &share, unsigned turn,
       unsigned rank)
{
  const unsigned slot = turn % RAW_STAGES, stage = share.first + turn * share.step;
  const uint32_t full = shared_address (&shared.full[slot]);

  if (threadIdx.x >= 32)
    return;
  if (turn >= RAW_STAGES)
    barrier_wait (&shared.empty[slot], turn / RAW_STAGES % 2 ^ 1);
  if (threadIdx.x > 0)
    return;

  asm volatile ("mbarrier.arrive.expect_tx.shared.b64 _, [%0], %1;"
                :: "r" (full), "r" (RAW_BYTES + (run.valid != NULL ? STAGE_PIXELS : 0)) : "memory");
  if (run.valid != NULL)
    asm volatile ("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];"
                  :: "r" (shared_address (shared.masks[slot])), "l" (run.valid + (size_t) stage * STAGE_PIXELS),
                  "n" (STAGE_PIXELS), "r" (full) : "memory");
  asm volatile ("cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster "
                "[%0], [%1, {%2, %3}], [%4], %5;"
                :: "r" (shared_address (shared.raw[slot] + rank * (HALF * ESK_EXACT_ROW))), "l" (&samples),
                "r" (stage * STAGE_PIXELS), "r" (rank * HALF), "r" (full), "h" ((unsigned short) 3) : "memory");
}

/* 64 bands from 64 `turn` on, four threads a band, 16 pixels each. Block 1, which has fewer low bytes to write, adds up
 * the bands. */
template <bool SIGNED, bool MASKED>
static __device__ __forceinline__ void
take_apart (Shared &shared, unsigned n_bands, unsigned raw_slot, unsigned slot, unsigned rank, unsigned turn)
{
  const unsigned thread = threadIdx.x, vector = thread % 4, row = turn * 64 + thread / 4;
  const uint32_t mask = shared_address (shared.masks[raw_slot]) + vector * 16;

  if (MASKED && turn == 0 && rank == 1 && thread < 4)
    {
      const uint4 v = load_vector (mask);

      shared.counts[thread] = (int) __dp4a (v.x, 0x01010101u, __dp4a (v.y, 0x01010101u,
                                            __dp4a (v.z, 0x01010101u, __dp4a (v.w, 0x01010101u,
                                                                              (unsigned) shared.counts[thread]))));
    }
  if (row >= n_bands)
    return;

  const uint32_t from = shared_address (shared.raw[raw_slot]) + exact_place (row, 2 * vector);
  const uint32_t to = shared_address (shared.bytes[slot]) + group_place (row, vector);
  const uint4 x = load_vector (from), y = load_vector (from ^ 16);
  uint32_t high[4] = { __byte_perm (x.x, x.y, 0x7531), __byte_perm (x.z, x.w, 0x7531),
                       __byte_perm (y.x, y.y, 0x7531), __byte_perm (y.z, y.w, 0x7531) };
  uint32_t low[4] = { __byte_perm (x.x, x.y, 0x6420), __byte_perm (x.z, x.w, 0x6420),
                      __byte_perm (y.x, y.y, 0x6420), __byte_perm (y.z, y.w, 0x6420) };

#pragma unroll
  for (int w = 0; w < 4; w++)
    {
      low[w] ^= 0x80808080;
      if (!SIGNED)
        high[w] ^= 0x80808080;
      if (MASKED)
        {
          const uint32_t keep = exact_mask_word (mask + w * 4) * 255;

          low[w] &= keep;
          high[w] &= keep;
        }
    }
  store_vector (to, high[0], high[1], high[2], high[3]);
  if (rank == 0 || row < LOW_BANDS)
    store_vector (to + BANDS * ESK_GROUP_ROW, low[0], low[1], low[2], low[3]);
  if (rank == 1)
    {
      const uint32_t part = shared_address (&shared.parts[turn][thread]);
      int high_sum = 0, sum;

      asm volatile ("ld.shared.s32 %0, [%1];" : "=r" (sum) : "r" (part) : "memory");
#pragma unroll
      for (int w = 0; w < 4; w++)
        {
          high_sum = __dp4a ((int) high[w], 0x01010101, high_sum);
          sum = __dp4a ((int) low[w], 0x01010101, sum);
        }
      asm volatile ("st.shared.s32 [%0], %1;" :: "r" (part), "r" (sum + high_sum * 256) : "memory");
    }
}

/* A stage that has been taken apart is for the tensor cores' eyes after the next barrier of the block, and where its
 * samples were there is room for others. */
static __device__ __forceinline__ void
finish_stage (Shared &shared, unsigned raw_slot)
{
  asm volatile ("fence.proxy.async.shared::cta;" ::: "memory");
  __syncwarp ();
  if (threadIdx.x % 32 < 2)
    barrier_arrive_at (&shared.empty[raw_slot], threadIdx.x % 32);
}

/* Sums of the bands, and the count. */
static __device__ __forceinline__ void
leave_sums (const Shared &shared, const Left &left, const Share &share, bool masked)
{
#pragma unroll 1
  for (unsigned turn = 0; turn * 64 + threadIdx.x / 4 < BANDS; turn++)
    {
      long long sum = shared.parts[turn][threadIdx.x];

      sum += __shfl_xor_sync (0xffffffff, sum, 1);
      sum += __shfl_xor_sync (0xffffffff, sum, 2);
      if (threadIdx.x % 4 == 0)
        atomicAdd (left.sums + threadIdx.x / 4 + turn * 64, (unsigned long long) sum);
    }
  if (threadIdx.x == 0)
    atomicAdd (left.sums + BANDS, masked ? (unsigned long long) (shared.counts[0] + shared.counts[1]
                                                                 + shared.counts[2] + shared.counts[3])
                                         : (unsigned long long) share.count * STAGE_PIXELS);
}

/* --- products ------------------------------------------------------------------------------------------------ */

/* A group: block row A by COUNT x N_A columns, and block row B by N_B columns. */
template <bool SIGNED, bool MASKED, int A, int N_A, int COUNT, int B, int N_B>
static __device__ __forceinline__ void
multiply (Shared &shared, const CUtensorMap &samples, const EskExactRun &run, const Share &share, unsigned rank,
          const Left &left)
{
  enum { OTHER = N_B > 0 ? N_B : 64 };
  int first[N_A / 2], second[N_A / 2], third[OTHER / 2];

  if (RAW_AHEAD < share.count)
    bring (shared, samples, run, share, RAW_AHEAD, rank);
  barrier_wait (&shared.full[0], 0);
  for (unsigned part = 0; part < TURNS; part++)
    take_apart<SIGNED, MASKED> (shared, run.n_bands, 0, 0, rank, part);
  finish_stage (shared, 0);
  __syncthreads ();
#pragma unroll 1
  for (unsigned turn = 0; turn < share.count; turn++)
    {
      const uint64_t stage = group_operand (shared_address (shared.bytes[0]) + turn % BYTES_STAGES * BYTES_STAGE);
      const unsigned then = turn + 1, raw_slot = then % RAW_STAGES, slot = then % BYTES_STAGES;

      if (then + RAW_AHEAD < share.count)
        bring (shared, samples, run, share, then + RAW_AHEAD, rank);
      /* A product, and while it is under way a part of the next stage: who asks for all at once waits for them. */
#pragma unroll
      for (unsigned part = 0; part < TURNS; part++)
        {
          const uint64_t at = stage + part / 2 * 2;
          const int add = part > 1 || turn > 0;

          group_begin ();
          if (part % 2 == 0)
            group_multiply<N_A> (first, at + A * (64 * ESK_GROUP_ROW >> 4), at, add);
          else
            {
              if (COUNT == 2)
                group_multiply<N_A> (second, at + A * (64 * ESK_GROUP_ROW >> 4), at + (N_A * ESK_GROUP_ROW >> 4), add);
              if (N_B > 0)
                group_multiply<OTHER> (third, at + B * (64 * ESK_GROUP_ROW >> 4), at, add);
            }
          if (part + 1 == TURNS)
            group_commit ();
          if (then < share.count)
            {
              if (part == 0)
                barrier_wait (&shared.full[raw_slot], then / RAW_STAGES % 2);
              take_apart<SIGNED, MASKED> (shared, run.n_bands, raw_slot, slot, rank, part);
            }
        }
      if (then < share.count)
        finish_stage (shared, raw_slot);
      /* The stage before has been multiplied, and the place of it is free. */
      group_wait<1> ();
      __syncthreads ();
    }
  group_wait<0> ();

  int *to = left.products + (size_t) blockIdx.x * BLOCK_SUMS + threadIdx.x / 128 * (SUMS * 128) + threadIdx.x % 128;

#pragma unroll
  for (int k = 0; k < N_A / 2; k++)
    to[k * 128] = first[k];
  if (COUNT == 2)
#pragma unroll
    for (int k = 0; k < N_A / 2; k++)
      to[(N_A / 2 + k) * 128] = second[k];
  if (N_B > 0)
#pragma unroll
    for (int k = 0; k < OTHER / 2; k++)
      to[(COUNT * N_A / 2 + k) * 128] = third[k];
  if (rank == 1)
    leave_sums (shared, left, share, MASKED);
}

template <bool SIGNED, bool MASKED>
static __global__ void
__cluster_dims__ (2, 1, 1)
__launch_bounds__ (THREADS, 1)
exact_groups (const __grid_constant__ CUtensorMap samples,
              EskExactRun                         run,
              Left                                left)
{
#ifdef __CUDA_ARCH_FEAT_SM90_ALL
  extern __shared__ __align__ (1024) char memory[];
  Shared &shared = *(Shared *) memory;
  const unsigned rank = blockIdx.x % 2, group = __shfl_sync (0xffffffff, threadIdx.x / 128, 0);
  Share share = { blockIdx.x / 2, gridDim.x / 2, 0 };

  if (share.first < run.n_stages)
    share.count = (run.n_stages - share.first + share.step - 1) / share.step;

  /* Rows of bands that there are not stay zero. */
  for (unsigned at = threadIdx.x * 16; at < sizeof shared.bytes; at += THREADS * 16)
    store_vector (shared_address (shared.bytes) + at, 0, 0, 0, 0);
  for (unsigned turn = 0; turn < TURNS; turn++)
    shared.parts[turn][threadIdx.x] = 0;
  if (threadIdx.x < 4)
    shared.counts[threadIdx.x] = 0;
  if (threadIdx.x == 0)
    {
      for (int s = 0; s < RAW_STAGES; s++)
        {
          barrier_init (&shared.full[s], 1);
          barrier_init (&shared.empty[s], 2 * THREADS / 32);
        }
      asm volatile ("fence.mbarrier_init.release.cluster;" ::: "memory");
    }
  asm volatile ("fence.proxy.async.shared::cta;" ::: "memory");
  __syncthreads ();
  cluster_sync ();

  for (unsigned turn = 0; turn < RAW_AHEAD && turn < share.count; turn++)
    bring (shared, samples, run, share, turn, rank);
  if (rank == 0 && group == 0)
    multiply<SIGNED, MASKED, 6, 224, 2, 0, 0> (shared, samples, run, share, rank, left);
  else if (rank == 0)
    multiply<SIGNED, MASKED, 5, 192, 2, 0, 64> (shared, samples, run, share, rank, left);
  else if (group == 0)
    multiply<SIGNED, MASKED, 4, 160, 2, 1, 128> (shared, samples, run, share, rank, left);
  else
    multiply<SIGNED, MASKED, 3, 256, 1, 2, 192> (shared, samples, run, share, rank, left);
  /* Nobody leaves while the other may write here. */
  __syncwarp ();
  cluster_sync ();
#endif
}

/* --- what all blocks have ------------------------------------------------------------------------------------ */

/* Which sum of which thread it is tells the place in Z: block row 6; 5, 0; 4, 1; 3, 2. */
static __global__ void
__launch_bounds__ (256)
gather (Left           left,
        unsigned       n_clusters,
        unsigned       n_bands,
        long long      centre,
        EskExactTotals totals)
{
  const unsigned at = blockIdx.x * 256 + threadIdx.x, pair = at / (SUMS * 128), k = at / 128 % SUMS, thread = at % 128;
  const unsigned longer = (7 - pair) * 32;
  const int *from = left.products + at;
  const unsigned place = k < longer ? k : k - longer;
  const unsigned row = 64 * (k < longer ? 6 - pair : pair - 1) + thread / 32 * 16 + thread % 32 / 4 + place / 2 % 2 * 8;
  const unsigned column = place / 4 * 8 + thread % 4 * 2 + place % 2;
  unsigned i = row < BANDS ? row : row - BANDS, j = column < BANDS ? column : column - BANDS;
  long long value = 0;

  if (at < n_bands)
    atomicAdd (totals.sum + at, left.sums[at] + (unsigned long long) centre * left.sums[BANDS]);
  if (at == 0)
    atomicAdd (totals.count, left.sums[BANDS]);
  if (column > row || i >= n_bands || j >= n_bands)
    return;

#pragma unroll 6
  for (unsigned c = 0; c < n_clusters; c++)
    value += from[(size_t) c * (2 * BLOCK_SUMS)];
  if (row < BANDS)
    value *= 65536;
  else if (column < BANDS)
    {
      /* High of j by low of i is there in both orders, but on the diagonal once. */
      value *= i == j ? 512 : 256;
      if (j > i)
        {
          const unsigned larger = j;

          j = i;
          i = larger;
        }
    }
  else
    value += centre * (long long) (left.sums[i] + left.sums[j] + (unsigned long long) centre * left.sums[BANDS]);
  atomicAdd (totals.product + (size_t) i * n_bands + j, (unsigned long long) value);
}

/* What tells the copying engine of the samples; what is behind the last band counts as zero. */
static int
describe_samples (EskStream         *stream,
                  const EskExactRun *run,
                  CUtensorMap       *samples)
{
  typedef CUresult (*Encode) (CUtensorMap *, CUtensorMapDataType, cuuint32_t, void *, const cuuint64_t *,
                              const cuuint64_t *, const cuuint32_t *, const cuuint32_t *, CUtensorMapInterleave,
                              CUtensorMapSwizzle, CUtensorMapL2promotion, CUtensorMapFloatOOBfill);
  static Encode known;
  const cuuint64_t sizes[2] = { run->row_bytes / 2, run->n_bands }, strides[1] = { run->band_bytes };
  const cuuint32_t box[2] = { STAGE_PIXELS, HALF }, steps[2] = { 1, 1 };
  Encode encode = (Encode) __atomic_load_n ((void **) &known, __ATOMIC_RELAXED);

  if (encode == NULL)
    {
      cudaDriverEntryPointQueryResult found;
      void *function = NULL;
      int code = esk_cuda_check (stream, cudaGetDriverEntryPointByVersion ("cuTensorMapEncodeTiled", &function, 12000,
                                                                           cudaEnableDefault, &found), "covariance");

      if (code == ESK_OK && (found != cudaDriverEntryPointSuccess || function == NULL))
        code = esk_cuda_check (stream, cudaErrorNotSupported, "covariance");
      if (code != ESK_OK)
        return code;
      encode = (Encode) function;
      __atomic_store_n ((void **) &known, function, __ATOMIC_RELAXED);
    }
  if (encode (samples, CU_TENSOR_MAP_DATA_TYPE_UINT16, 2, (void *) run->data, sizes, strides, box, steps,
              CU_TENSOR_MAP_INTERLEAVE_NONE, CU_TENSOR_MAP_SWIZZLE_128B, CU_TENSOR_MAP_L2_PROMOTION_L2_128B,
              CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE) != CUDA_SUCCESS)
    return esk_cuda_check (stream, cudaErrorInvalidValue, "covariance");

  return ESK_OK;
}

template <bool SIGNED, bool MASKED>
static int
launch_groups (EskStream         *stream,
               const CUtensorMap *samples,
               const EskExactRun *run,
               const Left        *left,
               EskExactTotals     totals)
{
  const unsigned most = (unsigned) esk_cuda_properties (stream)->multiprocessors / 2;
  const unsigned n_clusters = most < run->n_stages ? most : run->n_stages;
  const size_t bytes = sizeof (Shared);
  int code;

  code = esk_cuda_check (stream, cudaFuncSetAttribute (exact_groups<SIGNED, MASKED>,
                                                       cudaFuncAttributeMaxDynamicSharedMemorySize, (int) bytes),
                         "covariance");
  if (code == ESK_OK)
    code = esk_cuda_check (stream, cudaMemsetAsync (left->sums, 0, (BANDS + 1) * sizeof *left->sums, stream->stream),
                           "covariance");
  if (code != ESK_OK)
    return code;
  exact_groups<SIGNED, MASKED><<<2 * n_clusters, THREADS, bytes, stream->stream>>> (*samples, *run, *left);
  code = esk_cuda_launched (stream, "covariance");
  if (code != ESK_OK)
    return code;
  gather<<<2 * BLOCK_SUMS / 256, 256, 0, stream->stream>>> (*left, n_clusters, run->n_bands, SIGNED ? 128 : 32896,
                                                            totals);

  return esk_cuda_launched (stream, "covariance");
}

#endif

bool
esk_cuda_exact_groups_suit (EskStream         *stream,
                            const EskExactRun *run,
                            EskType            type)
{
#ifdef ESK_CUDA_WARP_GROUPS
  const EskCudaProperties *properties = esk_cuda_properties (stream);

  return properties->major == 9 && properties->minor == 0 && (type == ESK_I16 || type == ESK_U16)
         && run->n_bands > LEAST_BANDS && run->n_bands <= BANDS && run->row_bytes >= LEAST_BYTES
         && properties->shared_optin >= sizeof (Shared);
#else
  return false;
#endif
}

int
esk_cuda_exact_groups (EskStream         *stream,
                       const EskExactRun *run,
                       EskType            type,
                       EskExactTotals     totals)
{
#ifdef ESK_CUDA_WARP_GROUPS
  const unsigned n_blocks = (unsigned) esk_cuda_properties (stream)->multiprocessors / 2 * 2;
  const size_t n_whole = run->row_bytes / ESK_EXACT_ROW, most = (size_t) n_blocks / 2 * LIMIT;
  const size_t products = (size_t) n_blocks * BLOCK_SUMS * sizeof (int);
  char *memory = (char *) esk_cuda_scratch (stream, ESK_SCRATCH_PARTIAL, products + (BANDS + 1) * sizeof (long long));
  const Left left = { (int *) memory, (unsigned long long *) (memory + products) };
  EskExactRun part = *run;
  CUtensorMap samples;
  int code = memory != NULL ? ESK_OK : ESK_ERROR_MEMORY;

  for (size_t first = 0; first < n_whole && code == ESK_OK; first += part.n_stages)
    {
      part.data = run->data + first * ESK_EXACT_ROW;
      part.valid = run->valid != NULL ? run->valid + first * STAGE_PIXELS : NULL;
      part.n_stages = (unsigned) (n_whole - first < most ? n_whole - first : most);
      part.row_bytes = (size_t) part.n_stages * ESK_EXACT_ROW;
      code = describe_samples (stream, &part, &samples);
      if (code != ESK_OK)
        break;
      code = (type == ESK_I16 ? part.valid != NULL ? launch_groups<true, true> : launch_groups<true, false>
              : part.valid != NULL ? launch_groups<false, true> : launch_groups<false, false>)
               (stream, &samples, &part, &left, totals);
    }
  if (code != ESK_OK || n_whole * ESK_EXACT_ROW == run->row_bytes)
    return code;

  /* What is less than a stage. */
  part.data = run->data + n_whole * ESK_EXACT_ROW;
  part.valid = run->valid != NULL ? run->valid + n_whole * STAGE_PIXELS : NULL;
  part.n_stages = 1;
  part.row_bytes = run->row_bytes - n_whole * ESK_EXACT_ROW;
  return esk_cuda_exact_tiles (stream, &part, type, totals);
#else
  return ESK_ERROR_ARGUMENT;
#endif
}
