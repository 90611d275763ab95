/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Noise residuals on a card, as hyperspectral.md 4.4 climbs them: the kernels, and how they are launched. */

#include "es-ladder-cuda-noise-private.h"

#define WARP 32

static uint64_t
a_row_each (const NoiseCardWork *work)
{
  return work->height - 2;
}

static size_t
nothing (const NoiseCardWork *work)
{
  return 0;
}

static size_t
three_rows (const NoiseCardWork *work)
{
  return 3 * (size_t) work->width;
}

static uint64_t
a_tile_each (const NoiseCardWork *work)
{
  const unsigned down = work->threads / WARP;

  return (uint64_t) ((work->width - 2 + WARP - 1) / WARP) * ((work->height - 2 + down - 1) / down);
}

static size_t
a_tile (const NoiseCardWork *work)
{
  return (size_t) (WARP + 2) * (work->threads / WARP + 2);
}

/* Of all bands. */
static uint64_t
a_run_each (const NoiseCardWork *work)
{
  return (uint64_t) ((work->width - 2 + work->threads - 1) / work->threads)
         * ((work->height - 2 + NOISE_RUN - 1) / NOISE_RUN) * work->bands;
}

/* A namespace a variant: where people read them, as the text of a rung, those of all rungs have the same names. */

namespace noise_v0
{

/* lab: noise-v0 */
/* A block is a row of the image, a thread a pixel of it, in all bands: the pixel less the median of the nine, which are
 * put in order one by one. What a place is in `sorted` is known only then, so that it cannot be registers: it lies in
 * local memory, which is off the chip but for what caches hold of it. */
__global__ void
residuals (const uint8_t *planes,
           unsigned       width,
           unsigned       height,
           unsigned       first,
           unsigned       end,
           int16_t       *out)
{
  const size_t pixels = (size_t) width * height;

  for (unsigned band = first; band < end; band++)
    for (unsigned x = threadIdx.x + 1; x < width - 1; x += blockDim.x)
      {
        const size_t at = band * pixels + (blockIdx.x + 1) * (size_t) width + x;
        const uint8_t *nine = planes + at - width - 1;
        int sorted[9], n = 0;

#pragma unroll 1
        for (unsigned i = 0; i < 3; i++)
#pragma unroll 1
          for (unsigned j = 0; j < 3; j++)
            {
              const int value = nine[i * width + j];
              int place = n++;

              for (; place > 0 && sorted[place - 1] > value; place--)
                sorted[place] = sorted[place - 1];
              sorted[place] = value;
            }
        out[at] = (int16_t) (planes[at] - sorted[4]);
      }
}

static void
launch (const NoiseCardWork *work,
        unsigned             first,
        unsigned             end)
{
  residuals<<<work->height - 2, work->threads, 0, work->stream>>> (work->planes, work->width, work->height, first, end,
                                                                   work->out);
}
/* lab end */

}

namespace noise_v1
{

/* lab: noise-v1 */
/* A block is a row of the image, a thread a pixel of it, in all bands: nine times the pixel less the sum of the nine,
 * which takes a register. */
__global__ void
residuals (const uint8_t *planes,
           unsigned       width,
           unsigned       height,
           unsigned       first,
           unsigned       end,
           int16_t       *out)
{
  const size_t pixels = (size_t) width * height;

  for (unsigned band = first; band < end; band++)
    for (unsigned x = threadIdx.x + 1; x < width - 1; x += blockDim.x)
      {
        const size_t at = band * pixels + (blockIdx.x + 1) * (size_t) width + x;
        const uint8_t *nine = planes + at - width - 1;
        int sum = 0;

        for (unsigned i = 0; i < 3; i++)
          for (unsigned j = 0; j < 3; j++)
            sum += nine[i * width + j];
        out[at] = (int16_t) (9 * planes[at] - sum);
      }
}

static void
launch (const NoiseCardWork *work,
        unsigned             first,
        unsigned             end)
{
  residuals<<<work->height - 2, work->threads, 0, work->stream>>> (work->planes, work->width, work->height, first, end,
                                                                   work->out);
}
/* lab end */

}

namespace noise_v2
{

/* lab: noise-v2 */
/* A block is a row of the image, a thread a pixel of it, in all bands: nine times the pixel less the sum of the nine.
 * The three rows that the block needs it brings to its shared memory first, where each is used three times. */
__global__ void
residuals (const uint8_t *planes,
           unsigned       width,
           unsigned       height,
           unsigned       first,
           unsigned       end,
           int16_t       *out)
{
  extern __shared__ uint8_t shared[];
  const size_t pixels = (size_t) width * height;

  for (unsigned band = first; band < end; band++)
    {
      const size_t above = band * pixels + blockIdx.x * (size_t) width;

      __syncthreads ();
      for (unsigned x = threadIdx.x; x < 3 * width; x += blockDim.x)
        shared[x] = planes[above + x];
      __syncthreads ();
      for (unsigned x = threadIdx.x + 1; x < width - 1; x += blockDim.x)
        {
          const uint8_t *nine = shared + x - 1;
          int sum = 0;

          for (unsigned i = 0; i < 3; i++)
            for (unsigned j = 0; j < 3; j++)
              sum += nine[i * width + j];
          out[above + width + x] = (int16_t) (9 * nine[width + 1] - sum);
        }
    }
}

static void
launch (const NoiseCardWork *work,
        unsigned             first,
        unsigned             end)
{
  residuals<<<work->height - 2, work->threads, 3 * work->width, work->stream>>> (work->planes, work->width,
                                                                                 work->height, first, end, work->out);
}
/* lab end */

}

namespace noise_v3
{

/* lab: noise-v3 */
/* A block is a tile of the image, a thread a pixel of it, in all bands: nine times the pixel less the sum of the nine.
 * The tile and the ring around it the block brings to its shared memory first, where most are used nine times. */
__global__ void
residuals (const uint8_t *planes,
           unsigned       width,
           unsigned       height,
           unsigned       first,
           unsigned       end,
           int16_t       *out)
{
  extern __shared__ uint8_t shared[];
  const size_t pixels = (size_t) width * height;
  const unsigned across = (width - 2 + WARP - 1) / WARP, stride = WARP + 2;
  const unsigned left = blockIdx.x % across * WARP, top = blockIdx.x / across * blockDim.y;
  const unsigned x = left + 1 + threadIdx.x, y = top + 1 + threadIdx.y;

  for (unsigned band = first; band < end; band++)
    {
      __syncthreads ();
      for (unsigned i = threadIdx.y; i < blockDim.y + 2; i += blockDim.y)
        for (unsigned j = threadIdx.x; j < stride; j += WARP)
          if (left + j < width && top + i < height)
            shared[i * stride + j] = planes[band * pixels + (top + i) * (size_t) width + left + j];
      __syncthreads ();
      if (x < width - 1 && y < height - 1)
        {
          const uint8_t *nine = shared + threadIdx.y * stride + threadIdx.x;
          int sum = 0;

          for (unsigned i = 0; i < 3; i++)
            for (unsigned j = 0; j < 3; j++)
              sum += nine[i * stride + j];
          out[band * pixels + y * (size_t) width + x] = (int16_t) (9 * nine[stride + 1] - sum);
        }
    }
}

static void
launch (const NoiseCardWork *work,
        unsigned             first,
        unsigned             end)
{
  const dim3 tile (WARP, work->threads / WARP);

  residuals<<<(unsigned) a_tile_each (work), tile, a_tile (work), work->stream>>> (work->planes, work->width,
                                                                                   work->height, first, end, work->out);
}
/* lab end */

}

namespace noise_v4
{

/* lab: noise-v4 */
/* A thread works its way down some rows of a column: nine times the pixel less the sums of three rows, of which two are
 * in registers since the steps before. What its neighbours load as well, the first-level cache has. Block y is a
 * band. */
__global__ void
residuals (const uint8_t *planes,
           unsigned       width,
           unsigned       height,
           unsigned       first,
           int16_t       *out)
{
  const unsigned across = (width - 2 + blockDim.x - 1) / blockDim.x;
  const unsigned x = blockIdx.x % across * blockDim.x + threadIdx.x + 1, y = blockIdx.x / across * NOISE_RUN + 1;
  const unsigned rows = height - 1 - y < NOISE_RUN ? height - 1 - y : NOISE_RUN;
  size_t at = (first + blockIdx.y) * (size_t) width * height + y * (size_t) width + x;
  int above, here, pixel;

  if (x >= width - 1)
    return;
  above = planes[at - width - 1] + planes[at - width] + planes[at - width + 1];
  pixel = planes[at];
  here = planes[at - 1] + pixel + planes[at + 1];
  for (unsigned row = 0; row < rows; row++, at += width)
    {
      const int next = planes[at + width], below = planes[at + width - 1] + next + planes[at + width + 1];

      out[at] = (int16_t) (9 * pixel - (above + here + below));
      above = here;
      here = below;
      pixel = next;
    }
}

static void
launch (const NoiseCardWork *work,
        unsigned             first,
        unsigned             end)
{
  const unsigned runs = (unsigned) (a_run_each (work) / work->bands);

  residuals<<<dim3 (runs, end - first), work->threads, 0, work->stream>>> (work->planes, work->width, work->height,
                                                                           first, work->out);
}
/* lab end */

}

const NoiseRung *
noise_rung (unsigned step)
{
  static const NoiseRung rungs[NOISE_STEPS] = {
    { noise_v0::launch, (const void *) noise_v0::residuals, 256, 32, 1024, a_row_each, nothing },
    { noise_v1::launch, (const void *) noise_v1::residuals, 256, 32, 1024, a_row_each, nothing },
    { noise_v2::launch, (const void *) noise_v2::residuals, 256, 32, 1024, a_row_each, three_rows },
    { noise_v3::launch, (const void *) noise_v3::residuals, 256, 32, 1024, a_tile_each, a_tile },
    { noise_v4::launch, (const void *) noise_v4::residuals, 128, 32, 1024, a_run_each, nothing },
  };

  return &rungs[step];
}
