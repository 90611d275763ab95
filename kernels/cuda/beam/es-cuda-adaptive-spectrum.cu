/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Steering vectors of adaptive beams in float64, and powers as they are handed out. */

#include "es-cuda-adaptive-private.h"
#include "cuda/core/es-cuda-samples-internal.h"

#define MOST_GRID 65535
/* Bins that a thread makes with one delay. */
#define BINS_EACH 16

/* esk_beam_delays () of one element, in metres. */
static __device__ double
path_difference (const double       *x,
                 const EskCudaPoint *focus)
{
  const double px = focus->x, py = focus->y, pz = focus->z;
  const double along = px * x[0] + py * x[1] + pz * x[2];
  double dx, dy, dz, both;

  if (focus->near == 0.0)
    return along;
  dx = px - x[0];
  dy = py - x[1];
  dz = pz - x[2];
  both = sqrt (px * px + py * py + pz * pz) + sqrt (dx * dx + dy * dy + dz * dz);

  return both > 0.0 ? (2.0 * along - (x[0] * x[0] + x[1] * x[1] + x[2] * x[2])) / both : 0.0;
}

static __global__ void
__launch_bounds__ (128)
make_steering (const double       *positions,
               const EskCudaPoint *foci,
               size_t              n_foci,
               const double       *power,
               size_t              elements,
               size_t              bins,
               double              first_frequency,
               double              bin_spacing,
               double              sound_speed,
               double2            *steering)
{
  const size_t e = (size_t) blockIdx.x * 128 + threadIdx.x;
  const size_t first = (size_t) blockIdx.z * BINS_EACH;
  const size_t end = first + BINS_EACH < bins ? first + BINS_EACH : bins;

  if (e >= elements)
    return;
  for (size_t f = blockIdx.y; f < n_foci; f += gridDim.y)
    {
      const double delay = path_difference (positions + 3 * e, &foci[f]) / sound_speed;

      for (size_t b = first; b < end; b++)
        {
          const double turns = (first_frequency + (double) b * bin_spacing) * delay;
          double2 a = make_double2 (0.0, 0.0);

          if (power[b * elements + e] != 0.0)
            sincospi (2.0 * (turns - rint (turns)), &a.y, &a.x);
          steering[(b * n_foci + f) * elements + e] = a;
        }
    }
}

int
esk_cuda_adaptive_steering (EskStream   *stream,
                            EskAdaptive *adaptive,
                            size_t       first,
                            size_t       bins,
                            size_t       first_focus,
                            size_t       foci,
                            double2     *steering)
{
  const EskAdaptivePlan *plan = &adaptive->plan;
  const dim3 grid ((unsigned) esk_cuda_ceil_div (plan->elements, 128), (unsigned) (foci < MOST_GRID ? foci : MOST_GRID),
                   (unsigned) esk_cuda_ceil_div (bins, BINS_EACH));

  make_steering<<<grid, 128, 0, stream->stream>>> (adaptive->positions, adaptive->foci + first_focus, foci,
                                                   adaptive->power + first * plan->elements, plan->elements, bins,
                                                   plan->first_frequency + (double) first * plan->bin_spacing,
                                                   plan->bin_spacing, plan->sound_speed, steering);

  return esk_cuda_launched (stream, "steering vectors");
}

/* ---- handing out ---- */

/* MUSIC's value is the reciprocal of what stands there. */
static __device__ double
value_of (double                    value,
          const EskCudaAdaptiveBin *bin,
          bool                      music)
{
  return bin->live > 0 ? value : music ? 1.0 : 0.0;
}

static __global__ void
__launch_bounds__ (256)
write_bins (const double             *values,
            const EskCudaAdaptiveBin *state,
            size_t                    n_foci,
            size_t                    n_bins,
            bool                      music,
            float                    *by_bin)
{
  const size_t b = (size_t) blockIdx.x * 256 + threadIdx.x;

  if (b >= n_bins)
    return;
  for (size_t f = blockIdx.y; f < n_foci; f += gridDim.y)
    {
      const double value = value_of (values[b * n_foci + f], &state[b], music);

      by_bin[f * n_bins + b] = (float) (music ? 1.0 / value : value);
    }
}

static __global__ void
__launch_bounds__ (64)
write_band (const double             *values,
            const EskCudaAdaptiveBin *state,
            size_t                    n_foci,
            size_t                    n_bins,
            bool                      music,
            float                    *band)
{
  const size_t f = (size_t) blockIdx.x * 64 + threadIdx.x;
  double sum = 0.0;

  if (f >= n_foci)
    return;
#pragma unroll 4
  for (size_t b = 0; b < n_bins; b++)
    sum += value_of (values[b * n_foci + f], &state[b], music);
  band[f] = (float) (music ? (double) n_bins / sum : sum);
}

int
esk_cuda_adaptive_write (EskStream   *stream,
                         EskAdaptive *adaptive,
                         bool         music,
                         float       *by_bin,
                         float       *band)
{
  const size_t n_foci = adaptive->plan.n_foci, n_bins = adaptive->plan.bins;
  const dim3 grid ((unsigned) esk_cuda_ceil_div (n_bins, 256), (unsigned) (n_foci < MOST_GRID ? n_foci : MOST_GRID));
  const double *values = music ? adaptive->music : adaptive->spectrum;

  if (by_bin != NULL)
    write_bins<<<grid, 256, 0, stream->stream>>> (values, adaptive->bins, n_foci, n_bins, music, by_bin);
  if (band != NULL)
    write_band<<<(unsigned) esk_cuda_ceil_div (n_foci, 64), 64, 0, stream->stream>>> (values, adaptive->bins, n_foci,
                                                                                   n_bins, music, band);

  return esk_cuda_launched (stream, "powers of adaptive beams");
}
