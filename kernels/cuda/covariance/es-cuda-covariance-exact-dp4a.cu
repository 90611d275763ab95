/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * Exact covariance without tensor cores: dp4a, four products of bytes and their sum in one instruction. For cards below
 * compute capability 8.0, and the test of the others. A block computes 64 x 64 products, a thread 4 x 4 of them.
 */

#include "es-cuda-covariance-exact.cuh"

#define THREADS 256
#define BLOCK 64
#define WORDS 8                        /* words of a band in shared memory at a time; a power of two */
#define PITCH (WORDS + 1)
#define STAGE_BYTES (WORDS * 4)

/* Word w of a band's bytes, zero behind the end. */
__device__ __forceinline__ uint32_t
load_word (const EskExactRun &run,
           unsigned           band,
           size_t             at)
{
  const char *from = run.data + band * run.band_bytes + at;
  uint32_t word = 0;

  if (band >= run.n_bands || at >= run.row_bytes)
    return 0;
  if (at + 4 <= run.row_bytes)
    return *(const uint32_t *) from;
  for (unsigned b = 0; at + b < run.row_bytes; b++)
    word |= (uint32_t) (uint8_t) from[b] << (8 * b);

  return word;
}

/* The bytes of word `at` whose pixels count: 255 each, otherwise 0. */
template <typename Sample>
__device__ __forceinline__ uint32_t
load_mask (const EskExactRun &run,
           size_t             at)
{
  uint32_t mask = 0;

  if (run.valid == NULL)
    return 0xffffffff;
  for (unsigned b = 0; b < 4; b += sizeof (Sample))
    if (at + b < run.row_bytes && run.valid[(at + b) / sizeof (Sample)] != 0)
      mask |= (sizeof (Sample) == 1 ? 0xffu : 0xffffu) << (8 * b);

  return mask;
}

/* Bytes of a times bytes of b, added up; signed where the types are. */
template <typename Left, typename Right>
__device__ __forceinline__ int
dot (uint32_t a, uint32_t b, int total)
{
  if ((Left) -1 < 0 && (Right) -1 < 0)
    return __dp4a ((int) a, (int) b, total);
  if ((Left) -1 > 0 && (Right) -1 > 0)
    return (int) __dp4a (a, b, (uint32_t) total);
  if ((Left) -1 < 0)
    asm ("dp4a.s32.u32 %0, %1, %2, %3;" : "=r" (total) : "r" (a), "r" (b), "r" (total));
  else
    asm ("dp4a.u32.s32 %0, %1, %2, %3;" : "=r" (total) : "r" (a), "r" (b), "r" (total));

  return total;
}

template <typename Sample> struct ByteOf;
template <> struct ByteOf<uint8_t> { typedef uint8_t Type; };
template <> struct ByteOf<int8_t> { typedef int8_t Type; };
template <> struct ByteOf<uint16_t> { typedef uint8_t Type; };
template <> struct ByteOf<int16_t> { typedef int8_t Type; };

template <typename Sample>
__global__ void
__launch_bounds__ (THREADS)
exact_dp4a (EskExactRun    run,
            unsigned       n_slices,
            EskExactTotals totals)
{
  typedef typename ByteOf<Sample>::Type Byte;
  enum { WIDE = sizeof (Sample) == 2, LIMIT = (WIDE ? ESK_EXACT_PIXELS_16 * 2 : ESK_EXACT_PIXELS_8) / STAGE_BYTES };
  __shared__ uint32_t left[BLOCK][PITCH], right[BLOCK][PITCH];
  const unsigned pair = blockIdx.x / n_slices, slice = blockIdx.x % n_slices;
  const uint64_t n_stages = (run.row_bytes + STAGE_BYTES - 1) / STAGE_BYTES;
  const uint64_t from = n_stages * slice / n_slices, to = n_stages * (slice + 1) / n_slices;
  const unsigned ty = threadIdx.x / 16, tx = threadIdx.x % 16;
  unsigned block_row = 0, block_column, since = 0;
  int high[4][4] = {}, cross[4][4] = {}, low[4][4] = {};
  int64_t sum = 0;
  unsigned long long count = 0;

  while ((uint64_t) (block_row + 1) * (block_row + 2) / 2 <= pair)
    block_row++;
  block_column = pair - (unsigned) ((uint64_t) block_row * (block_row + 1) / 2);

  for (uint64_t stage = from; stage < to; stage++)
    {
      for (unsigned v = threadIdx.x; v < BLOCK * WORDS; v += THREADS)
        {
          const unsigned r = v / WORDS, w = v % WORDS;
          const size_t at = stage * STAGE_BYTES + w * 4;

          left[r][w] = load_word (run, block_row * BLOCK + r, at) & load_mask<Sample> (run, at);
          right[r][w] = load_word (run, block_column * BLOCK + r, at);
        }
      __syncthreads ();

      if (block_row == block_column && threadIdx.x < BLOCK)
        {
#pragma unroll
          for (int w = 0; w < WORDS; w++)
#pragma unroll
            for (unsigned b = 0; b < 4; b += sizeof (Sample))
              sum += (Sample) (left[threadIdx.x][w] >> (8 * b));
        }
      if (pair == 0 && threadIdx.x >= BLOCK && threadIdx.x < BLOCK + STAGE_BYTES / sizeof (Sample))
        {
          const size_t pixel = stage * (STAGE_BYTES / sizeof (Sample)) + threadIdx.x - BLOCK;

          count += pixel < run.row_bytes / sizeof (Sample) && (run.valid == NULL || run.valid[pixel] != 0);
        }

#pragma unroll
      for (int w = 0; w < WORDS; w += WIDE ? 2 : 1)
        {
          uint32_t a[4], b[4], a_low[4], b_low[4];

#pragma unroll
          for (int i = 0; i < 4; i++)
            {
              a[i] = left[ty + 16 * i][w];
              b[i] = right[tx + 16 * i][w];
              if (WIDE)
                {
                  const uint32_t a_next = left[ty + 16 * i][w + 1], b_next = right[tx + 16 * i][w + 1];

                  a_low[i] = __byte_perm (a[i], a_next, 0x6420);
                  b_low[i] = __byte_perm (b[i], b_next, 0x6420);
                  a[i] = __byte_perm (a[i], a_next, 0x7531);
                  b[i] = __byte_perm (b[i], b_next, 0x7531);
                }
            }
#pragma unroll
          for (int i = 0; i < 4; i++)
#pragma unroll
            for (int j = 0; j < 4; j++)
              {
                high[i][j] = dot<Byte, Byte> (a[i], b[j], high[i][j]);
                if (WIDE)
                  {
                    cross[i][j] = dot<Byte, uint8_t> (a[i], b_low[j], cross[i][j]);
                    cross[i][j] = dot<uint8_t, Byte> (a_low[i], b[j], cross[i][j]);
                    low[i][j] = dot<uint8_t, uint8_t> (a_low[i], b_low[j], low[i][j]);
                  }
              }
        }
      __syncthreads ();

      if (++since == LIMIT || stage + 1 == to)
        {
#pragma unroll
          for (int i = 0; i < 4; i++)
#pragma unroll
            for (int j = 0; j < 4; j++)
              {
                int64_t value = exact_widen<Byte> (high[i][j]);

                if (WIDE)
                  value = value * 65536 + exact_widen<Byte> (cross[i][j]) * 256 + exact_widen<uint8_t> (low[i][j]);
                exact_add (totals, run.n_bands, block_row * BLOCK + ty + 16 * i, block_column * BLOCK + tx + 16 * j,
                           value);
                high[i][j] = cross[i][j] = low[i][j] = 0;
              }
          since = 0;
        }
    }

  if (block_row == block_column && threadIdx.x < BLOCK && block_row * BLOCK + threadIdx.x < run.n_bands)
    atomicAdd (totals.sum + block_row * BLOCK + threadIdx.x, (unsigned long long) sum);
  if (count > 0)
    atomicAdd (totals.count, count);
}

template <typename Sample>
static int
launch_dp4a (EskStream         *stream,
             const EskExactRun *run,
             EskExactTotals     totals)
{
  const unsigned n_blocks = (unsigned) esk_cuda_properties (stream)->multiprocessors * 4;
  const unsigned n_rows = (run->n_bands + BLOCK - 1) / BLOCK;
  const uint64_t n_pairs = (uint64_t) n_rows * (n_rows + 1) / 2;
  uint64_t n_slices = (2 * n_blocks + n_pairs - 1) / n_pairs, most = (run->n_stages + 7) / 8;

  if (n_slices > most)
    n_slices = most;
  if (n_slices * n_pairs > INT32_MAX)
    return ESK_ERROR_ARGUMENT;
  exact_dp4a<Sample><<<(unsigned) (n_slices * n_pairs), THREADS, 0, stream->stream>>> (*run, (unsigned) n_slices,
                                                                                      totals);

  return esk_cuda_launched (stream, "covariance");
}

int
esk_cuda_exact_dp4a (EskStream         *stream,
                     const EskExactRun *run,
                     EskType            type,
                     EskExactTotals     totals)
{
  switch (type)
    {
    case ESK_U8: return launch_dp4a<uint8_t> (stream, run, totals);
    case ESK_I8: return launch_dp4a<int8_t> (stream, run, totals);
    case ESK_U16: return launch_dp4a<uint16_t> (stream, run, totals);
    case ESK_I16: return launch_dp4a<int16_t> (stream, run, totals);
    default: return ESK_ERROR_ARGUMENT;
    }
}
