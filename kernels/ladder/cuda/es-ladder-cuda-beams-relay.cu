/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What rungs of conventional beams need beside their kernels: spectra and path differences laid out anew, steering
 * matrices of the library, and powers of what it makes of them. */

#include "es-ladder-cuda-beams-layouts.cuh"

#define THREADS 256
#define BLOCKS 8192

static __global__ void
relay_spectra (const float2 *from,
               size_t        elements,
               size_t        bins,
               float2       *to)
{
  for (size_t k = (size_t) blockIdx.x * blockDim.x + threadIdx.x; k < elements * bins;
       k += (size_t) gridDim.x * blockDim.x)
    to[k] = from[k % elements * bins + k / elements];
}

static __global__ void
relay_paths (const float *from,
             size_t       ranges,
             size_t       elements,
             size_t       angles,
             float       *to)
{
  for (size_t k = (size_t) blockIdx.x * blockDim.x + threadIdx.x; k < ranges * elements * angles;
       k += (size_t) gridDim.x * blockDim.x)
    {
      const size_t element = k % elements, angle = k / elements % angles, range = k / elements / angles;

      to[k] = from[(range * elements + element) * angles + angle];
    }
}

/* Of each bin and focus the phasors of all elements; phases in float64. */
static __global__ void
steer (LadderBeamParameters of,
       const float         *paths,
       size_t               foci,
       float2              *steering)
{
  const double wave = (double) of.rate / (double) of.length / (double) of.speed;
  const size_t n = (size_t) of.bins * foci * of.elements;

  for (size_t k = (size_t) blockIdx.x * blockDim.x + threadIdx.x; k < n; k += (size_t) gridDim.x * blockDim.x)
    {
      const size_t element = k % of.elements, focus = k / of.elements % foci, bin = k / of.elements / foci;
      const float path = paths[(focus / of.angles * of.elements + element) * of.angles + focus % of.angles];
      const double turns = (double) (of.first_bin + bin) * wave * (double) path;

      steering[k] = phasor ((float) (turns - rint (turns)));
    }
}

int
ladder_beams_relay (EskLadder             *ladder,
                    const LadderBeamsCard *card)
{
  const LadderBeamParameters *of = &card->given;
  const size_t ranges = card->foci / of->angles;
  cudaStream_t stream = ladder_card (ladder)->stream;

  if (card->spectra_by_bin != NULL)
    relay_spectra<<<BLOCKS, THREADS, 0, stream>>> (card->spectra, of->elements, of->bins, card->spectra_by_bin);
  if (card->paths_by_angle != NULL)
    relay_paths<<<BLOCKS, THREADS, 0, stream>>> (card->paths, ranges, of->elements, of->angles, card->paths_by_angle);
  if (card->steering != NULL)
    steer<<<BLOCKS, THREADS, 0, stream>>> (*of, card->paths, card->foci, card->steering);
  return ladder_launched (ladder, "laying out anew");
}

/* lab: beams-library */
/* A thread a beam: the sum over the bins of its squares. */
static __global__ void
square (const float2 *beams,
        size_t        foci,
        size_t        bins,
        float         elements,
        float        *powers)
{
  const size_t focus = (size_t) blockIdx.x * blockDim.x + threadIdx.x;
  float power = 0.0f;

  if (focus >= foci)
    return;
  for (size_t bin = 0; bin < bins; bin++)
    {
      const float2 y = beams[bin * foci + focus];

      power += y.x * y.x + y.y * y.y;
    }
  powers[focus] = power / (elements * elements);
}
/* lab end */

int
ladder_beams_square (EskLadder             *ladder,
                     const LadderBeamsCard *card)
{
  square<<<(unsigned) ((card->foci + 127) / 128), 128, 0, ladder_card (ladder)->stream>>>
    (card->beams, card->foci, card->given.bins, (float) card->given.elements, card->powers);
  return ladder_launched (ladder, "powers of beams");
}
