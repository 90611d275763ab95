/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The covariance matrix on a card, as hyperspectral.md 4.1 climbs it: V0 to V4. */

#include "es-ladder-cuda-covariance-private.h"

unsigned
covariance_threads (EskLadder *ladder,
                    unsigned   by_itself)
{
  const unsigned asked = ladder->size.threads, most = (unsigned) ladder_card (ladder)->block_threads;
  const unsigned threads = asked > 0 ? asked : by_itself;

  return threads < most ? (threads + 31) / 32 * 32 : most;
}

unsigned
covariance_of_bands (EskLadder              *ladder,
                     const CovarianceOfCard *self)
{
  return covariance_threads (ladder, (unsigned) self->of.bands);
}

/* ---- a thread an entry ---- */

/* lab: covariance-v0 */
/* A block is a band, i, and a thread of it an entry: it goes through the pixels of i and of its own band, j, which lie
 * far from those of its neighbours. */
__global__ void
covariance_v0 (const uint8_t      *planes,
               size_t              pixels,
               size_t              first,
               size_t              n,
               unsigned            bands,
               unsigned long long *product)
{
  const unsigned i = blockIdx.x;

  for (unsigned j = threadIdx.x; j <= i; j += blockDim.x)
    {
      unsigned long long sum = 0;

      for (size_t p = first; p < first + n; p++)
        sum += (unsigned) planes[i * pixels + p] * planes[j * pixels + p];
      product[(size_t) i * bands + j] += sum;
    }
}

int
covariance_launch_v0 (EskLadder        *ladder,
                      CovarianceOfCard *self,
                      size_t            first,
                      size_t            n)
{
  const unsigned bands = (unsigned) self->of.bands, threads = covariance_of_bands (ladder, self);
  cudaStream_t stream = ladder_card (ladder)->stream;

  covariance_v0<<<bands, threads, 0, stream>>> (self->planes, self->of.pixels, first, n, bands, self->product);
  return ladder_launched (ladder, "covariance V0");
}
/* lab end */

/* lab: covariance-v1 covariance-v2 */
/* Makes the second copy: pixel after pixel, by squares of 32 bands and 32 pixels. */
__global__ void
covariance_transpose (const uint8_t *planes,
                      size_t         pixels,
                      unsigned       bands,
                      uint8_t       *transposed)
{
  __shared__ uint8_t square[32][33];
  const size_t pixel = (size_t) blockIdx.x * 32;
  const unsigned band = blockIdx.y * 32;

  for (unsigned r = threadIdx.y; r < 32; r += blockDim.y)
    if (band + r < bands && pixel + threadIdx.x < pixels)
      square[r][threadIdx.x] = planes[(band + r) * pixels + pixel + threadIdx.x];
  __syncthreads ();
  for (unsigned r = threadIdx.y; r < 32; r += blockDim.y)
    if (band + threadIdx.x < bands && pixel + r < pixels)
      transposed[(pixel + r) * bands + band + threadIdx.x] = square[threadIdx.x][r];
}
/* lab end */

/* lab: covariance-v1 */
/* A block is a band, i, and a thread of it an entry: it goes through the pixels of i and of its own band, j, which lie
 * beside those of its neighbours in a second copy, pixel after pixel. */
__global__ void
covariance_v1 (const uint8_t      *planes,
               const uint8_t      *transposed,
               size_t              pixels,
               size_t              first,
               size_t              n,
               unsigned            bands,
               unsigned long long *product)
{
  const unsigned i = blockIdx.x;

  for (unsigned j = threadIdx.x; j <= i; j += blockDim.x)
    {
      unsigned long long sum = 0;

      for (size_t p = first; p < first + n; p++)
        sum += (unsigned) planes[i * pixels + p] * transposed[p * bands + j];
      product[(size_t) i * bands + j] += sum;
    }
}

int
covariance_launch_v1 (EskLadder        *ladder,
                      CovarianceOfCard *self,
                      size_t            first,
                      size_t            n)
{
  const unsigned bands = (unsigned) self->of.bands, threads = covariance_of_bands (ladder, self);
  cudaStream_t stream = ladder_card (ladder)->stream;

  covariance_v1<<<bands, threads, 0, stream>>> (self->planes, self->transposed, self->of.pixels, first, n, bands,
                                                self->product);
  return ladder_launched (ladder, "covariance V1");
}
/* lab end */

/* lab: covariance-s5 covariance-v2 */
/* Pixels of the block's band that are in shared memory at a time. */
#define CHUNK 4096
/* lab end */

/* lab: covariance-v2 */
/* A block is a band, i, and a thread of it an entry: it goes through the pixels of i, which the block shares and keeps
 * in shared memory, and of its own band, j, which lie beside those of its neighbours in a second copy. */
__global__ void
covariance_v2 (const uint8_t      *planes,
               const uint8_t      *transposed,
               size_t              pixels,
               size_t              first,
               size_t              n,
               unsigned            bands,
               unsigned long long *product)
{
  __shared__ uint8_t shared[CHUNK];
  const unsigned i = blockIdx.x;

  for (unsigned start = 0; start <= i; start += blockDim.x)
    {
      const unsigned j = start + threadIdx.x;
      unsigned long long sum = 0;

      for (size_t chunk = first; chunk < first + n; chunk += CHUNK)
        {
          const unsigned m = first + n - chunk < CHUNK ? (unsigned) (first + n - chunk) : CHUNK;

          for (unsigned p = threadIdx.x; p < m; p += blockDim.x)
            shared[p] = planes[i * pixels + chunk + p];
          __syncthreads ();
          if (j <= i)
            for (unsigned p = 0; p < m; p++)
              sum += (unsigned) shared[p] * transposed[(chunk + p) * bands + j];
          __syncthreads ();
        }
      if (j <= i)
        product[(size_t) i * bands + j] += sum;
    }
}

int
covariance_launch_v2 (EskLadder        *ladder,
                      CovarianceOfCard *self,
                      size_t            first,
                      size_t            n)
{
  const unsigned bands = (unsigned) self->of.bands, threads = covariance_of_bands (ladder, self);
  cudaStream_t stream = ladder_card (ladder)->stream;

  covariance_v2<<<bands, threads, 0, stream>>> (self->planes, self->transposed, self->of.pixels, first, n, bands,
                                                self->product);
  return ladder_launched (ladder, "covariance V2");
}
/* lab end */

/* lab: covariance-s5 */
/* A block is a band, i, and a thread of it an entry: it goes through the pixels of i, which the block shares and keeps
 * in shared memory, and of its own band, j, which lie far from those of its neighbours. */
__global__ void
covariance_s5 (const uint8_t      *planes,
               size_t              pixels,
               size_t              first,
               size_t              n,
               unsigned            bands,
               unsigned long long *product)
{
  __shared__ uint8_t shared[CHUNK];
  const unsigned i = blockIdx.x;

  for (unsigned start = 0; start <= i; start += blockDim.x)
    {
      const unsigned j = start + threadIdx.x;
      unsigned long long sum = 0;

      for (size_t chunk = first; chunk < first + n; chunk += CHUNK)
        {
          const unsigned m = first + n - chunk < CHUNK ? (unsigned) (first + n - chunk) : CHUNK;

          for (unsigned p = threadIdx.x; p < m; p += blockDim.x)
            shared[p] = planes[i * pixels + chunk + p];
          __syncthreads ();
          if (j <= i)
            for (unsigned p = 0; p < m; p++)
              sum += (unsigned) shared[p] * planes[j * pixels + chunk + p];
          __syncthreads ();
        }
      if (j <= i)
        product[(size_t) i * bands + j] += sum;
    }
}

int
covariance_launch_s5 (EskLadder        *ladder,
                      CovarianceOfCard *self,
                      size_t            first,
                      size_t            n)
{
  const unsigned bands = (unsigned) self->of.bands, threads = covariance_of_bands (ladder, self);
  cudaStream_t stream = ladder_card (ladder)->stream;

  covariance_s5<<<bands, threads, 0, stream>>> (self->planes, self->of.pixels, first, n, bands, self->product);
  return ladder_launched (ladder, "covariance with S_5 alone");
}
/* lab end */

/* ---- tiles of entries ---- */

/* lab: covariance-v3 covariance-v3-single covariance-v4 covariance-v4-1 covariance-v4-4 */
/* A block is a square of 32 x 32 entries, a thread one of them. */
#define TILE 32
/* Pixels of its bands that are in shared memory at a time. */
#define WINDOW 32
/* lab end */

/* lab: covariance-v3 covariance-v4 covariance-v4-1 covariance-v4-4 */
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
/* lab end */

/* lab: covariance-v3-single */
/* A block for each square, and no more. */
static dim3
grid_of_tiles_single (const CovarianceOfCard *self)
{
  const unsigned tiles = (unsigned) ((self->of.bands + TILE - 1) / TILE);

  return dim3 (tiles, tiles);
}
/* lab end */

/* lab: covariance-v3 covariance-v3-single covariance-v4-1 covariance-v4-4 */
/* Windows of the square's rows and columns, bands by pixels, slide along the pixels in shared memory: a sample that is
 * there counts for 32 entries. Those of columns are PITCH bytes from band to band. */
template <unsigned PITCH>
__global__ void
__launch_bounds__ (TILE * TILE)
covariance_tiles (const uint8_t      *planes,
                  size_t              pixels,
                  size_t              first,
                  size_t              n,
                  unsigned            bands,
                  unsigned long long *product)
{
  __shared__ uint8_t rows[TILE][WINDOW], columns[TILE][PITCH];
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

      rows[threadIdx.y][threadIdx.x] = i < bands && p < end ? planes[i * pixels + p] : 0;
      columns[threadIdx.y][threadIdx.x] = j_loaded < bands && p < end ? planes[j_loaded * pixels + p] : 0;
      __syncthreads ();
      for (unsigned k = 0; k < WINDOW; k++)
        own += (unsigned) rows[threadIdx.y][k] * columns[threadIdx.x][k];
      sum += own;
      __syncthreads ();
    }
  if (i < bands && j <= i)
    atomicAdd (product + (size_t) i * bands + j, sum);
}
/* lab end */

/* lab: covariance-v4 */
/* Windows of the square's rows and columns, bands by pixels, slide along the pixels in shared memory: a sample that is
 * there counts for 32 entries. Those of columns are transposed there: a warp reads neighbouring bytes. */
__global__ void
__launch_bounds__ (TILE * TILE)
covariance_v4 (const uint8_t      *planes,
               size_t              pixels,
               size_t              first,
               size_t              n,
               unsigned            bands,
               unsigned long long *product)
{
  __shared__ uint8_t rows[TILE][WINDOW], columns[WINDOW][TILE];
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

      rows[threadIdx.y][threadIdx.x] = i < bands && p < end ? planes[i * pixels + p] : 0;
      columns[threadIdx.x][threadIdx.y] = j_loaded < bands && p < end ? planes[j_loaded * pixels + p] : 0;
      __syncthreads ();
      for (unsigned k = 0; k < WINDOW; k++)
        own += (unsigned) rows[threadIdx.y][k] * columns[k][threadIdx.x];
      sum += own;
      __syncthreads ();
    }
  if (i < bands && j <= i)
    atomicAdd (product + (size_t) i * bands + j, sum);
}
/* lab end */

/* lab: covariance-v3-single */

int
covariance_launch_v3_single (EskLadder        *ladder,
                             CovarianceOfCard *self,
                             size_t            first,
                             size_t            n)
{
  cudaStream_t stream = ladder_card (ladder)->stream;

  covariance_tiles<WINDOW><<<grid_of_tiles_single (self), dim3 (TILE, TILE), 0, stream>>>
    (self->planes, self->of.pixels, first, n, (unsigned) self->of.bands, self->product);
  return ladder_launched (ladder, "covariance V3, a block a tile");
}
/* lab end */

/* lab: covariance-v3 */

int
covariance_launch_v3 (EskLadder        *ladder,
                      CovarianceOfCard *self,
                      size_t            first,
                      size_t            n)
{
  cudaStream_t stream = ladder_card (ladder)->stream;

  covariance_tiles<WINDOW><<<grid_of_tiles (ladder, self, n), dim3 (TILE, TILE), 0, stream>>>
    (self->planes, self->of.pixels, first, n, (unsigned) self->of.bands, self->product);
  return ladder_launched (ladder, "covariance V3");
}
/* lab end */

/* lab: covariance-v4 */

int
covariance_launch_v4 (EskLadder        *ladder,
                      CovarianceOfCard *self,
                      size_t            first,
                      size_t            n)
{
  cudaStream_t stream = ladder_card (ladder)->stream;

  covariance_v4<<<grid_of_tiles (ladder, self, n), dim3 (TILE, TILE), 0, stream>>>
    (self->planes, self->of.pixels, first, n, (unsigned) self->of.bands, self->product);
  return ladder_launched (ladder, "covariance V4");
}
/* lab end */

/* lab: covariance-v4-1 */

/* A byte behind each row: neighbouring rows begin in other banks, and at odd addresses. */
int
covariance_launch_v4_1 (EskLadder        *ladder,
                        CovarianceOfCard *self,
                        size_t            first,
                        size_t            n)
{
  cudaStream_t stream = ladder_card (ladder)->stream;

  covariance_tiles<WINDOW + 1><<<grid_of_tiles (ladder, self, n), dim3 (TILE, TILE), 0, stream>>>
    (self->planes, self->of.pixels, first, n, (unsigned) self->of.bands, self->product);
  return ladder_launched (ladder, "covariance V4_1");
}
/* lab end */

/* lab: covariance-v4-4 */

/* Four bytes, a bank's width, behind each row: neighbouring rows begin in neighbouring banks. */
int
covariance_launch_v4_4 (EskLadder        *ladder,
                        CovarianceOfCard *self,
                        size_t            first,
                        size_t            n)
{
  cudaStream_t stream = ladder_card (ladder)->stream;

  covariance_tiles<WINDOW + 4><<<grid_of_tiles (ladder, self, n), dim3 (TILE, TILE), 0, stream>>>
    (self->planes, self->of.pixels, first, n, (unsigned) self->of.bands, self->product);
  return ladder_launched (ladder, "covariance V4_4");
}
/* lab end */

/* ---- what they are ---- */

static int
tell_threads (EskLadder              *ladder,
              const CovarianceOfCard *self,
              const void             *kernel,
              int                     keeps_band,
              EskRungResult          *result)
{
  const double pixels = (double) self->of.pixels, bands = (double) self->of.bands;
  const unsigned threads = covariance_of_bands (ladder, self);

  /* Both samples of every product; or one, and the block's band once for all threads. */
  result->bytes = pixels * bands * (bands + 1.0) / 2.0 * (keeps_band ? 1.0 : 2.0);
  if (keeps_band)
    for (size_t i = 0; i < self->of.bands; i++)
      result->bytes += pixels * (double) (i / threads + 1);
  result->operations = pixels * bands * (bands + 1.0);
  return ladder_kernel (ladder, result, kernel, threads, self->of.bands, 0);
}

static int
tell_tiles (EskLadder              *ladder,
            const CovarianceOfCard *self,
            const void             *kernel,
            dim3                    grid,
            EskRungResult          *result)
{
  const double tiles = grid.x * (grid.x + 1.0) / 2.0;

  /* Tiles on the diagonal are whole ones. */
  result->bytes = (double) self->of.pixels * tiles * 2.0 * TILE;
  result->operations = 2.0 * (double) self->of.pixels * tiles * TILE * TILE;
  return ladder_kernel (ladder, result, kernel, TILE * TILE, (uint64_t) grid.x * grid.y * grid.z, 0);
}

int
covariance_tell_steps (EskLadder              *ladder,
                       const CovarianceOfCard *self,
                       CovarianceLaunch        launch,
                       EskRungResult          *result)
{
  const dim3 grid = grid_of_tiles (ladder, self, self->of.pixels);

  result->launches = 1;
  if (launch == covariance_launch_v0)
    return tell_threads (ladder, self, (const void *) covariance_v0, 0, result);
  if (launch == covariance_launch_s5)
    return tell_threads (ladder, self, (const void *) covariance_s5, 1, result);
  if (launch == covariance_launch_v1)
    return tell_threads (ladder, self, (const void *) covariance_v1, 0, result);
  if (launch == covariance_launch_v2)
    return tell_threads (ladder, self, (const void *) covariance_v2, 1, result);
  if (launch == covariance_launch_v3_single)
    return tell_tiles (ladder, self, (const void *) covariance_tiles<WINDOW>, grid_of_tiles_single (self), result);
  if (launch == covariance_launch_v3)
    return tell_tiles (ladder, self, (const void *) covariance_tiles<WINDOW>, grid, result);
  if (launch == covariance_launch_v4)
    return tell_tiles (ladder, self, (const void *) covariance_v4, grid, result);
  if (launch == covariance_launch_v4_1)
    return tell_tiles (ladder, self, (const void *) covariance_tiles<WINDOW + 1>, grid, result);
  return tell_tiles (ladder, self, (const void *) covariance_tiles<WINDOW + 4>, grid, result);
}

int
covariance_transposed_make (EskLadder        *ladder,
                            CovarianceOfCard *self,
                            EskRungResult    *result)
{
  const dim3 grid ((unsigned) ((self->of.pixels + 31) / 32), (unsigned) ((self->of.bands + 31) / 32));
  double began = 0.0;
  int code;

  self->transposed = (uint8_t *) ladder_more (ladder, self->of.pixels * self->of.bands, result, &code);
  if (self->transposed == NULL)
    return code;
  /* Once more than needed: the first launch also brings the code to the card. */
  for (int k = 0; k < 2; k++)
    {
      began = esk_ladder_now ();
      covariance_transpose<<<grid, dim3 (32, 8), 0, ladder_card (ladder)->stream>>>
        (self->planes, self->of.pixels, (unsigned) self->of.bands, self->transposed);
      ESK_LADDER_TRY (ladder_launched (ladder, "the transposed copy"));
      ESK_LADDER_TRY (ladder_check (ladder, cudaStreamSynchronize (ladder_card (ladder)->stream),
                                    "the transposed copy"));
    }
  result->preparation = esk_ladder_now () - began;

  return ESK_LADDER_OK;
}
