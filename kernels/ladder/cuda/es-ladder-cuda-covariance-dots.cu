/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The covariance matrix on a card beyond what was published: four pixels a word and their dot products. */

#include "es-ladder-cuda-covariance-private.h"

/* lab: covariance-dp4a */
/* A block is a square of 32 x 32 entries, a thread one of them. */
#define TILE 32
/* Words of its bands that are in shared memory at a time, four pixels each. */
#define WINDOW 32

/* There are few squares: pixels are cut into so many slices (z) that every multiprocessor has some blocks. */
static dim3
grid_of_tiles (EskLadder              *ladder,
               const CovarianceOfCard *self,
               size_t                  n)
{
  const LadderCard *card = ladder_card (ladder);
  const size_t side = (self->of.bands + TILE - 1) / TILE, squares = side * (side + 1) / 2;
  const size_t at_once = (size_t) card->units * card->unit_threads / 1024;
  const size_t wanted = (4 * at_once + squares - 1) / squares, longest = (n + 16 * WINDOW - 1) / (16 * WINDOW);
  const size_t most = longest < 65535 ? longest : 65535;

  return dim3 ((unsigned) side, (unsigned) side, (unsigned) (wanted < most ? wanted : most));
}

/* Windows of the square's rows and columns, bands by words, slide along the pixels in shared memory: a sample that is
 * there counts for 32 entries. Those of columns are transposed there: a warp reads neighbouring words. One instruction
 * multiplies the four pixels of two words and adds the products; bands begin at words of their own, with zeros behind
 * the last pixel. A window's sum is far from 32 bits. */
__global__ void
__launch_bounds__ (TILE * TILE)
covariance_dp4a (const uint32_t     *words,
                 size_t              pitch,
                 size_t              first,
                 size_t              n,
                 unsigned            bands,
                 unsigned long long *product)
{
  __shared__ uint32_t rows[TILE][WINDOW], columns[WINDOW][TILE + 1];
  const unsigned i = blockIdx.y * TILE + threadIdx.y, j = blockIdx.x * TILE + threadIdx.x;
  const unsigned j_loaded = blockIdx.x * TILE + threadIdx.y;
  const size_t slice = (n + gridDim.z - 1) / gridDim.z, begin = first + blockIdx.z * slice;
  const size_t end = begin + slice < first + n ? begin + slice : first + n;
  unsigned long long sum = 0;

  if (blockIdx.x > blockIdx.y)
    return;
  for (size_t window = begin; window < end; window += WINDOW)
    {
      const size_t p = window + threadIdx.x;
      unsigned own = 0;

      rows[threadIdx.y][threadIdx.x] = i < bands && p < end ? words[i * pitch + p] : 0;
      columns[threadIdx.x][threadIdx.y] = j_loaded < bands && p < end ? words[j_loaded * pitch + p] : 0;
      __syncthreads ();
      for (unsigned k = 0; k < WINDOW; k++)
        own = __dp4a (rows[threadIdx.y][k], columns[k][threadIdx.x], own);
      sum += own;
      __syncthreads ();
    }
  if (i < bands && j <= i)
    atomicAdd (product + (size_t) i * bands + j, sum);
}

int
covariance_launch_dp4a (EskLadder        *ladder,
                        CovarianceOfCard *self,
                        size_t            first,
                        size_t            n)
{
  cudaStream_t stream = ladder_card (ladder)->stream;

  covariance_dp4a<<<grid_of_tiles (ladder, self, (n + 3) / 4), dim3 (TILE, TILE), 0, stream>>>
    (self->words, self->pitch, first / 4, (n + 3) / 4, (unsigned) self->of.bands, self->product);
  return ladder_launched (ladder, "covariance by dot products");
}
/* lab end */

/* lab: covariance-dp4a-r5 */
/* A block is a square of 64 x 64 entries, a thread 4 x 4 of them, whose sums it keeps in registers: a word that it
 * reads counts for four. */
#define SQUARE 64
#define SIDE 16
#define OWN (SQUARE / SIDE)
/* Words of its bands that are in shared memory at a time, four pixels each. */
#define STRETCH 16
/* Windows whose sums fit 32 bits: 65,536 pixels of 255 x 255 at most. */
#define WINDOWS (65536 / (4 * STRETCH))

/* There are few squares: pixels are cut into so many slices (z) that every multiprocessor has some blocks. */
static dim3
grid_of_squares (EskLadder              *ladder,
                 const CovarianceOfCard *self,
                 size_t                  n)
{
  const LadderCard *card = ladder_card (ladder);
  const size_t side = (self->of.bands + SQUARE - 1) / SQUARE, squares = side * (side + 1) / 2;
  const size_t at_once = (size_t) card->units * card->unit_threads / 512;
  const size_t wanted = (4 * at_once + squares - 1) / squares, longest = (n + 16 * STRETCH - 1) / (16 * STRETCH);
  const size_t most = longest < 65535 ? longest : 65535;

  return dim3 ((unsigned) side, (unsigned) side, (unsigned) (wanted < most ? wanted : most));
}

/* Windows of the square's rows and columns, bands by words, slide along the pixels in shared memory, transposed both: a
 * sample that is there counts for 64 entries. */
__global__ void
__launch_bounds__ (SIDE * SIDE)
covariance_dp4a_r5 (const uint32_t     *words,
                    size_t              pitch,
                    size_t              first,
                    size_t              n,
                    unsigned            bands,
                    unsigned long long *product)
{
  __shared__ uint32_t rows[STRETCH][SQUARE + 1], columns[STRETCH][SQUARE + 1];
  const size_t slice = (n + gridDim.z - 1) / gridDim.z, begin = first + blockIdx.z * slice;
  const size_t end = begin + slice < first + n ? begin + slice : first + n;
  unsigned own[OWN][OWN] = {}, since = 0;

  if (blockIdx.x > blockIdx.y)
    return;
  for (size_t window = begin; window < end; window += STRETCH)
    {
      const size_t p = window + threadIdx.x;

      for (unsigned b = threadIdx.y; b < SQUARE; b += SIDE)
        {
          const unsigned i = blockIdx.y * SQUARE + b, j = blockIdx.x * SQUARE + b;

          rows[threadIdx.x][b] = i < bands && p < end ? words[i * pitch + p] : 0;
          columns[threadIdx.x][b] = j < bands && p < end ? words[j * pitch + p] : 0;
        }
      __syncthreads ();
#pragma unroll
      for (unsigned k = 0; k < STRETCH; k++)
#pragma unroll
        for (unsigned r = 0; r < OWN; r++)
#pragma unroll
          for (unsigned c = 0; c < OWN; c++)
            own[r][c] = __dp4a (rows[k][threadIdx.y + SIDE * r], columns[k][threadIdx.x + SIDE * c], own[r][c]);
      __syncthreads ();
      if (++since < WINDOWS && window + STRETCH < end)
        continue;
      since = 0;
#pragma unroll
      for (unsigned r = 0; r < OWN; r++)
#pragma unroll
        for (unsigned c = 0; c < OWN; c++)
          {
            const unsigned i = blockIdx.y * SQUARE + threadIdx.y + SIDE * r;
            const unsigned j = blockIdx.x * SQUARE + threadIdx.x + SIDE * c;

            if (i < bands && j <= i)
              atomicAdd (product + (size_t) i * bands + j, (unsigned long long) own[r][c]);
            own[r][c] = 0;
          }
    }
}

int
covariance_launch_dp4a_r5 (EskLadder        *ladder,
                           CovarianceOfCard *self,
                           size_t            first,
                           size_t            n)
{
  cudaStream_t stream = ladder_card (ladder)->stream;

  covariance_dp4a_r5<<<grid_of_squares (ladder, self, (n + 3) / 4), dim3 (SIDE, SIDE), 0, stream>>>
    (self->words, self->pitch, first / 4, (n + 3) / 4, (unsigned) self->of.bands, self->product);
  return ladder_launched (ladder, "covariance by dot products in registers");
}
/* lab end */

/* ---- what they are, and what they share ---- */

int
covariance_tell_dots (EskLadder              *ladder,
                      const CovarianceOfCard *self,
                      CovarianceLaunch        launch,
                      EskRungResult          *result)
{
  const size_t words = (self->of.pixels + 3) / 4;
  const int squares = launch == covariance_launch_dp4a_r5;
  const dim3 grid = squares ? grid_of_squares (ladder, self, words) : grid_of_tiles (ladder, self, words);
  const double tiles = grid.x * (grid.x + 1.0) / 2.0, side = squares ? SQUARE : TILE;

  result->launches = 1;
  result->type = ESK_TYPE_LAB_INT8;
  result->matrix = 1;
  result->bytes = 4.0 * (double) words * tiles * 2.0 * side;
  result->operations = 2.0 * 4.0 * (double) words * tiles * side * side;
  return ladder_kernel (ladder, result, squares ? (const void *) covariance_dp4a_r5 : (const void *) covariance_dp4a,
                        squares ? SIDE * SIDE : TILE * TILE, (uint64_t) grid.x * grid.y * grid.z, 0);
}

int
covariance_words_make (EskLadder        *ladder,
                       CovarianceOfCard *self,
                       EskRungResult    *result)
{
  const size_t pitch = (self->of.pixels + COVARIANCE_ROUND - 1) / COVARIANCE_ROUND * COVARIANCE_ROUND;
  cudaStream_t stream = ladder_card (ladder)->stream;
  double began = 0.0;
  int code;

  self->words = (uint32_t *) ladder_more (ladder, pitch * self->of.bands, result, &code);
  if (self->words == NULL)
    return code;
  self->pitch = pitch / 4;
  for (int k = 0; k < 2; k++)
    {
      began = esk_ladder_now ();
      ESK_LADDER_TRY (ladder_check (ladder, cudaMemsetAsync (self->words, 0, pitch * self->of.bands, stream),
                                    "the padded copy"));
      ESK_LADDER_TRY (ladder_check (ladder, cudaMemcpy2DAsync (self->words, pitch, self->planes, self->of.pixels,
                                                               self->of.pixels, self->of.bands,
                                                               cudaMemcpyDeviceToDevice, stream),
                                    "the padded copy"));
      ESK_LADDER_TRY (ladder_check (ladder, cudaStreamSynchronize (stream), "the padded copy"));
    }
  result->preparation = esk_ladder_now () - began;

  return ESK_LADDER_OK;
}

#define SUM_THREADS 256
#define SUM_PARTS 8

static __global__ void
covariance_word_sums (const uint32_t     *words,
                      size_t              pitch,
                      size_t              n,
                      unsigned long long *sum)
{
  const uint32_t *band = words + blockIdx.x * pitch;
  unsigned long long own = 0;

  for (size_t w = (size_t) blockIdx.y * blockDim.x + threadIdx.x; w < n; w += (size_t) gridDim.y * blockDim.x)
    own += __dp4a (band[w], 0x01010101u, 0u);
  for (unsigned lanes = 16; lanes > 0; lanes /= 2)
    own += __shfl_down_sync (0xffffffffu, own, lanes);
  if (threadIdx.x % 32 == 0)
    atomicAdd (sum + blockIdx.x, own);
}

int
covariance_words_sums (EskLadder        *ladder,
                       CovarianceOfCard *self)
{
  const dim3 grid ((unsigned) self->of.bands, SUM_PARTS);

  covariance_word_sums<<<grid, SUM_THREADS, 0, ladder_card (ladder)->stream>>> (self->words, self->pitch,
                                                                                (self->of.pixels + 3) / 4, self->sum);
  return ladder_launched (ladder, "the sums of bands");
}
