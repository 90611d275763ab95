/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Kernels of conventional beams, as sonar.md 9 (table 6.3) climbs them, and three steps beyond. */

#include "es-ladder-cuda-beams-layouts.cuh"

/* Terms of a launch, so that none takes long on the slowest of cards. */
#define PIECE_TERMS 5e8

/* ---- kernels ---- */

/* lab: beams-v0 beams-v1 beams-v2 beams-v3 beams-g3a beams-g3b beams-g3a-g3b beams-r5-g3b */
/* A block a beam, of which each thread has some elements; one bin after the other, whose sum over the block is found in
 * shared memory. */
template <class Parameters, class Spectra, class Paths>
static __global__ void
beams (const Parameters  parameters,
       const float2     *spectra,
       const float      *paths,
       size_t            first,
       float            *powers)
{
  extern __shared__ float2 sums[];
  const LadderBeamParameters &of = parameters.get ();
  const size_t focus = first + blockIdx.x;
  const unsigned range = (unsigned) (focus / of.angles), angle = (unsigned) (focus % of.angles);
  float power = 0.0f;

  for (unsigned bin = 0; bin < of.bins; bin++)
    {
      const float waves = (float) (of.first_bin + bin) * of.rate / of.length / of.speed;
      float2 sum = make_float2 (0.0f, 0.0f);

      for (unsigned element = threadIdx.x; element < of.elements; element += blockDim.x)
        {
          const float2 x = spectra[Spectra::at (of, bin, element)];
          const float2 turned = phasor (waves * paths[Paths::at (of, range, angle, element)]);

          sum.x += x.x * turned.x - x.y * turned.y;
          sum.y += x.x * turned.y + x.y * turned.x;
        }
      sums[threadIdx.x] = sum;
      __syncthreads ();
      for (unsigned step = blockDim.x / 2; step > 0; step /= 2)
        {
          if (threadIdx.x < step)
            {
              sums[threadIdx.x].x += sums[threadIdx.x + step].x;
              sums[threadIdx.x].y += sums[threadIdx.x + step].y;
            }
          __syncthreads ();
        }
      if (threadIdx.x == 0)
        power += sums[0].x * sums[0].x + sums[0].y * sums[0].y;
    }
  if (threadIdx.x == 0)
    powers[focus] = power / ((float) of.elements * (float) of.elements);
}
/* lab end */

namespace turned
{

/* lab: beams-v4 */
#define BINS 16

/* A block a beam, of which each thread has some elements; some bins at a time. From one of them to the next a phasor
 * turns by the same angle: a product takes the place of a cosine and a sine. */
template <class Parameters, class Spectra, class Paths>
static __global__ void
beams (const Parameters  parameters,
       const float2     *spectra,
       const float      *paths,
       size_t            first,
       float            *powers)
{
  extern __shared__ float2 sums[];
  const LadderBeamParameters &of = parameters.get ();
  const size_t focus = first + blockIdx.x;
  const unsigned range = (unsigned) (focus / of.angles), angle = (unsigned) (focus % of.angles);
  float power = 0.0f;

  for (unsigned bin = 0; bin < of.bins; bin += BINS)
    {
      const float waves = (float) (of.first_bin + bin) * of.rate / of.length / of.speed;
      float2 sum[BINS];

#pragma unroll
      for (unsigned b = 0; b < BINS; b++)
        sum[b] = make_float2 (0.0f, 0.0f);
      for (unsigned element = threadIdx.x; element < of.elements; element += blockDim.x)
        {
          const float path = paths[Paths::at (of, range, angle, element)];
          const float2 turn = phasor (of.rate / of.length / of.speed * path);
          float2 turned = phasor (waves * path);

#pragma unroll
          for (unsigned b = 0; b < BINS; b++)
            {
              const float2 x = bin + b < of.bins ? spectra[Spectra::at (of, bin + b, element)]
                                                 : make_float2 (0.0f, 0.0f);

              sum[b].x += x.x * turned.x - x.y * turned.y;
              sum[b].y += x.x * turned.y + x.y * turned.x;
              turned = make_float2 (turned.x * turn.x - turned.y * turn.y, turned.x * turn.y + turned.y * turn.x);
            }
        }
#pragma unroll
      for (unsigned b = 0; b < BINS; b++)
        {
          sums[threadIdx.x] = sum[b];
          __syncthreads ();
          for (unsigned step = blockDim.x / 2; step > 0; step /= 2)
            {
              if (threadIdx.x < step)
                {
                  sums[threadIdx.x].x += sums[threadIdx.x + step].x;
                  sums[threadIdx.x].y += sums[threadIdx.x + step].y;
                }
              __syncthreads ();
            }
          if (threadIdx.x == 0)
            power += sums[0].x * sums[0].x + sums[0].y * sums[0].y;
        }
    }
  if (threadIdx.x == 0)
    powers[focus] = power / ((float) of.elements * (float) of.elements);
}
/* lab end */

#undef BINS

}

namespace shuffled
{

/* lab: beams-v5 */
#define BINS 16

/* A block a beam, of which each thread has some elements; some bins at a time. From one of them to the next a phasor
 * turns by the same angle: a product takes the place of a cosine and a sine. Sums of a warp go from register to
 * register, and only those of warps through shared memory. */
template <class Parameters, class Spectra, class Paths>
static __global__ void
beams (const Parameters  parameters,
       const float2     *spectra,
       const float      *paths,
       size_t            first,
       float            *powers)
{
  extern __shared__ float2 sums[];
  const LadderBeamParameters &of = parameters.get ();
  const size_t focus = first + blockIdx.x;
  const unsigned range = (unsigned) (focus / of.angles), angle = (unsigned) (focus % of.angles);
  float power = 0.0f;

  for (unsigned bin = 0; bin < of.bins; bin += BINS)
    {
      const float waves = (float) (of.first_bin + bin) * of.rate / of.length / of.speed;
      float2 sum[BINS];

#pragma unroll
      for (unsigned b = 0; b < BINS; b++)
        sum[b] = make_float2 (0.0f, 0.0f);
      for (unsigned element = threadIdx.x; element < of.elements; element += blockDim.x)
        {
          const float path = paths[Paths::at (of, range, angle, element)];
          const float2 turn = phasor (of.rate / of.length / of.speed * path);
          float2 turned = phasor (waves * path);

#pragma unroll
          for (unsigned b = 0; b < BINS; b++)
            {
              const float2 x = bin + b < of.bins ? spectra[Spectra::at (of, bin + b, element)]
                                                 : make_float2 (0.0f, 0.0f);

              sum[b].x += x.x * turned.x - x.y * turned.y;
              sum[b].y += x.x * turned.y + x.y * turned.x;
              turned = make_float2 (turned.x * turn.x - turned.y * turn.y, turned.x * turn.y + turned.y * turn.x);
            }
        }
#pragma unroll
      for (unsigned b = 0; b < BINS; b++)
        {
          for (unsigned step = 16; step > 0; step /= 2)
            {
              sum[b].x += __shfl_down_sync (0xffffffffu, sum[b].x, step);
              sum[b].y += __shfl_down_sync (0xffffffffu, sum[b].y, step);
            }
          if (threadIdx.x % 32 == 0)
            sums[threadIdx.x / 32 * BINS + b] = sum[b];
        }
      __syncthreads ();
      if (threadIdx.x < BINS)
        {
          float2 whole = sums[threadIdx.x];

          for (unsigned warp = 1; warp < blockDim.x / 32; warp++)
            {
              whole.x += sums[warp * BINS + threadIdx.x].x;
              whole.y += sums[warp * BINS + threadIdx.x].y;
            }
          power += whole.x * whole.x + whole.y * whole.y;
        }
      __syncthreads ();
    }
  for (unsigned step = BINS / 2; step > 0; step /= 2)
    power += __shfl_down_sync (0xffffffffu, power, step);
  if (threadIdx.x == 0)
    powers[focus] = power / ((float) of.elements * (float) of.elements);
}
/* lab end */

static const size_t bins = BINS;

#undef BINS

}

namespace broadcast
{

/* lab: beams-v6 */
#define BINS 16
#define TILE 32

/* A thread a beam, some bins at a time, which other blocks have others of: no sum over threads is left. From one bin to
 * the next a phasor turns by the same angle: a product takes the place of a cosine and a sine. Spectra of some elements
 * are brought to shared memory, where all threads read the same number at once; paths, of which neighbouring threads
 * have neighbouring angles, are read as they were computed. */
template <class Parameters, class Spectra, class Paths>
static __global__ void
beams (const Parameters  parameters,
       const float2     *spectra,
       const float      *paths,
       size_t            first,
       size_t            foci,
       float            *parts)
{
  __shared__ float2 tile[BINS][TILE];
  const LadderBeamParameters &of = parameters.get ();
  const size_t focus = first + (size_t) blockIdx.x * blockDim.x + threadIdx.x;
  /* Threads without a beam repeat the last one. */
  const size_t own = focus < foci ? focus : foci - 1;
  const unsigned range = (unsigned) (own / of.angles), angle = (unsigned) (own % of.angles);
  const unsigned bin = blockIdx.y * BINS;
  const float waves = (float) (of.first_bin + bin) * of.rate / of.length / of.speed;
  float2 sum[BINS];
  float power = 0.0f;

#pragma unroll
  for (unsigned b = 0; b < BINS; b++)
    sum[b] = make_float2 (0.0f, 0.0f);
  for (unsigned start = 0; start < of.elements; start += TILE)
    {
      for (unsigned k = threadIdx.x; k < BINS * TILE; k += blockDim.x)
        {
          const unsigned b = k / TILE, e = k % TILE;

          tile[b][e] = bin + b < of.bins && start + e < of.elements ? spectra[Spectra::at (of, bin + b, start + e)]
                                                                    : make_float2 (0.0f, 0.0f);
        }
      __syncthreads ();
      for (unsigned e = 0; e < TILE && start + e < of.elements; e++)
        {
          const float path = paths[Paths::at (of, range, angle, start + e)];
          const float2 turn = phasor (of.rate / of.length / of.speed * path);
          float2 turned = phasor (waves * path);

#pragma unroll
          for (unsigned b = 0; b < BINS; b++)
            {
              const float2 x = tile[b][e];

              sum[b].x += x.x * turned.x - x.y * turned.y;
              sum[b].y += x.x * turned.y + x.y * turned.x;
              turned = make_float2 (turned.x * turn.x - turned.y * turn.y, turned.x * turn.y + turned.y * turn.x);
            }
        }
      __syncthreads ();
    }
#pragma unroll
  for (unsigned b = 0; b < BINS; b++)
    power += sum[b].x * sum[b].x + sum[b].y * sum[b].y;
  if (focus < foci)
    parts[blockIdx.y * foci + focus] = power / ((float) of.elements * (float) of.elements);
}

/* Powers of all bins. */
static __global__ void
add (const float *parts,
     unsigned     n,
     size_t       foci,
     float       *powers)
{
  const size_t focus = (size_t) blockIdx.x * blockDim.x + threadIdx.x;
  float power = 0.0f;

  if (focus >= foci)
    return;
  for (unsigned part = 0; part < n; part++)
    power += parts[part * foci + focus];
  powers[focus] = power;
}
/* lab end */

static const unsigned bins = BINS;

#undef BINS
#undef TILE

}

/* ---- launching ---- */

typedef void (*MemoryKernel) (InMemory, const float2 *, const float *, size_t, float *);
typedef void (*ArgumentsKernel) (AsArguments, const float2 *, const float *, size_t, float *);

/* By the switches of what is laid out anew. */
static MemoryKernel
memory_kernel (unsigned switches)
{
  switch (switches & (LADDER_BEAMS_G3A | LADDER_BEAMS_G3B))
    {
    case 0:
      return beams<InMemory, ElementByElement, AnglesInside>;
    case LADDER_BEAMS_G3A:
      return beams<InMemory, BinByBin, AnglesInside>;
    case LADDER_BEAMS_G3B:
      return beams<InMemory, ElementByElement, ElementsInside>;
    default:
      return beams<InMemory, BinByBin, ElementsInside>;
    }
}

static ArgumentsKernel
arguments_kernel (LadderBeamsForm form,
                  unsigned        switches)
{
  if (form == LADDER_BEAMS_TURNED)
    return turned::beams<AsArguments, BinByBin, ElementsInside>;
  if (form == LADDER_BEAMS_SHUFFLED)
    return shuffled::beams<AsArguments, BinByBin, ElementsInside>;
  switch (switches & (LADDER_BEAMS_G3A | LADDER_BEAMS_G3B))
    {
    case 0:
      return beams<AsArguments, ElementByElement, AnglesInside>;
    case LADDER_BEAMS_G3A:
      return beams<AsArguments, BinByBin, AnglesInside>;
    case LADDER_BEAMS_G3B:
      return beams<AsArguments, ElementByElement, ElementsInside>;
    default:
      return beams<AsArguments, BinByBin, ElementsInside>;
    }
}

const void *
ladder_beams_kernel (LadderBeamsForm form,
                     unsigned        switches)
{
  if (form == LADDER_BEAMS_BROADCAST)
    return (const void *) broadcast::beams<AsArguments, BinByBin, AnglesInside>;
  return switches & LADDER_BEAMS_R5 ? (const void *) arguments_kernel (form, switches)
                                    : (const void *) memory_kernel (switches);
}

size_t
ladder_beams_shared (LadderBeamsForm form,
                     unsigned        threads)
{
  if (form == LADDER_BEAMS_BROADCAST)
    return 0;
  return (form == LADDER_BEAMS_SHUFFLED ? threads / 32 * shuffled::bins : threads) * sizeof (float2);
}

unsigned
ladder_beams_parts (const LadderBeamsCard *card)
{
  return (card->given.bins + broadcast::bins - 1) / broadcast::bins;
}

/* Blocks of some beams and some bins each. */
static int
run_broadcast (EskLadder             *ladder,
               const LadderBeamsCard *card,
               unsigned               threads)
{
  const double wanted = PIECE_TERMS / ((double) card->given.elements * (double) card->given.bins * threads);
  const size_t whole = (card->foci + threads - 1) / threads;
  const size_t piece = wanted < 1.0 ? 1 : wanted < (double) whole ? (size_t) wanted : whole;
  const unsigned parts = ladder_beams_parts (card);
  cudaStream_t stream = ladder_card (ladder)->stream;

  for (size_t first = 0; first < whole; first += piece)
    {
      const unsigned n = (unsigned) (whole - first < piece ? whole - first : piece);

      broadcast::beams<AsArguments, BinByBin, AnglesInside><<<dim3 (n, parts), threads, 0, stream>>>
        (AsArguments { card->given }, card->spectra_by_bin, card->paths, first * threads, card->foci, card->parts);
      ESK_LADDER_TRY (ladder_launched (ladder, "beams"));
      if (piece < whole)
        ESK_LADDER_TRY (esk_ladder_pause (ladder, (double) (first + n) / (double) whole));
    }
  broadcast::add<<<(unsigned) whole, threads, 0, stream>>> (card->parts, parts, card->foci, card->powers);
  return ladder_launched (ladder, "powers of beams");
}

int
ladder_beams_run (EskLadder             *ladder,
                  const LadderBeamsCard *card,
                  LadderBeamsForm        form,
                  unsigned               switches,
                  unsigned               threads)
{
  const float2 *spectra = switches & LADDER_BEAMS_G3A ? card->spectra_by_bin : card->spectra;
  const float *paths = switches & LADDER_BEAMS_G3B ? card->paths_by_angle : card->paths;
  const double wanted = PIECE_TERMS / ((double) card->given.elements * (double) card->given.bins);
  const size_t piece = wanted < 1.0 ? 1 : wanted < (double) card->foci ? (size_t) wanted : card->foci;
  const size_t shared = ladder_beams_shared (form, threads);
  cudaStream_t stream = ladder_card (ladder)->stream;

  if (form == LADDER_BEAMS_BROADCAST)
    return run_broadcast (ladder, card, threads);
  for (size_t first = 0; first < card->foci; first += piece)
    {
      const unsigned n = (unsigned) (card->foci - first < piece ? card->foci - first : piece);

      if (switches & LADDER_BEAMS_R5)
        arguments_kernel (form, switches)<<<n, threads, shared, stream>>> (AsArguments { card->given }, spectra, paths,
                                                                           first, card->powers);
      else
        memory_kernel (switches)<<<n, threads, shared, stream>>> (InMemory { card->parameters }, spectra, paths, first,
                                                                  card->powers);
      ESK_LADDER_TRY (ladder_launched (ladder, "beams"));
      if (piece < card->foci)
        ESK_LADDER_TRY (esk_ladder_pause (ladder, (double) (first + n) / (double) card->foci));
    }

  return ESK_LADDER_OK;
}
