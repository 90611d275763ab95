/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * Sums of phased spectra. A thread has one focus (or a focus and its mirror image) and some bins, whose sums stay in
 * its registers while it goes through the elements; the spectra of a unit of elements are read by a warp at once from
 * shared memory. From bin to bin phasors go by P[n + 2] = 2 cos (2 d) P[n] - P[n - 2], two operations each, with d the
 * phase from one bin to the next; at the first bin of a chunk they come from phases that were reduced in float64 (the
 * table). Their error grows as the square of the steps: 12 or 16 of them make 4e-6 or 8e-6 at most.
 *
 * A block is one warp: several warps of a block would wait for one another at each tile, as there are but three on each
 * quarter of a multiprocessor. Operations of MIRROR: 16 a bin for four complex products, and 72 a chunk. Predicted for
 * 16,384 elements, 1,120 near foci and 166 bins: 0.45 ms of issue slots at 1.98 GHz. Measured on an H200 with all that
 * goes with it: 0.71 ms; far, 160 foci and 459 bins: 0.21 ms; nothing symmetric: 1.30 and 0.38 ms.
 */

#include "es-cuda-arrays-private.h"
#include "cuda/core/es-cuda-samples-internal.h"

#include <cuda_pipeline.h>

/* Units in shared memory at a time. */
#define TILE 8
#define WARP 32
#define MOST_SPLITS 256
/* Units of a part, at least. */
#define LEAST_UNITS 32
/* 2 pi / 2^32. */
#define TURN 1.4629180792671596e-9f

/* ---- phases ---- */

/* esk_beam_delays () of one element, in metres. */
static __device__ double
path_difference (const double *x,
                 double        px,
                 double        py,
                 double        pz,
                 bool          near)
{
  const double along = px * x[0] + py * x[1] + pz * x[2];
  double dx, dy, dz, both;

  if (!near)
    return along;
  dx = px - x[0];
  dy = py - x[1];
  dz = pz - x[2];
  both = sqrt (px * px + py * py + pz * pz) + sqrt (dx * dx + dy * dy + dz * dz);

  return both > 0.0 ? (2.0 * along - (x[0] * x[0] + x[1] * x[1] + x[2] * x[2])) / both : 0.0;
}

/* As a 32-bit fraction of a turn. */
static __device__ uint32_t
fraction (double turns)
{
  return (uint32_t) (int64_t) rint ((turns - rint (turns)) * 4294967296.0);
}

/* cos and sin of a 32-bit fraction of a turn, to 1 ulp of 1. */
static __device__ __forceinline__ void
phasor (uint32_t  turns,
        float    *c,
        float    *s)
{
  const uint32_t quarter = (turns + 0x20000000u) >> 30;
  const float x = (float) (int32_t) (turns - (quarter << 30)) * TURN, z = x * x;
  float sine = fmaf (fmaf (fmaf (-1.9515295891e-4f, z, 8.3321608736e-3f), z, -1.6666654611e-1f) * z, x, x);
  float cosine = fmaf (fmaf (fmaf (2.443315711809948e-5f, z, -1.388731625493765e-3f), z, 4.166664568298827e-2f),
                       z * z, fmaf (-0.5f, z, 1.0f));
  float first = quarter & 1 ? sine : cosine, second = quarter & 1 ? cosine : sine;

  *c = __uint_as_float (__float_as_uint (first) ^ (((quarter + 1) & 2) << 30));
  *s = __uint_as_float (__float_as_uint (second) ^ ((quarter & 2) << 30));
}

static __global__ void
make_table (EskCudaBeamTable call,
            unsigned         halves)
{
  const size_t pair = (size_t) blockIdx.x * blockDim.x + threadIdx.x;
  const size_t n_units = call.n_units;

  if (pair >= call.pair_stride)
    return;
  for (size_t unit = blockIdx.y; unit < n_units; unit += gridDim.y)
    {
      for (unsigned half = 0; half < halves; half++)
        {
          double delay = 0.0;
          uint32_t step;
          float c, s;

          if (pair < call.n_pairs)
            {
              const EskCudaPoint focus = call.foci[call.pairs[call.first_pair + pair].x];
              int element = call.units[unit].x;
              double x = focus.x, y = focus.y, z = focus.z;

              if (half == 1 && call.mode == ESK_BEAMS_PLAIN)
                element = call.units[unit].y;
              else if (half == 1)
                {
                  /* The mirror image's delay of this element is this focus's of the element's mirror image. */
                  double twice = 2.0 * (x * call.axis[0] + y * call.axis[1] + z * call.axis[2]);

                  x -= twice * call.axis[0];
                  y -= twice * call.axis[1];
                  z -= twice * call.axis[2];
                }
              if (element >= 0)
                delay = path_difference (call.positions + 3 * (size_t) element, x, y, z, focus.near != 0.0)
                        / call.sound_speed;
            }
          step = fraction (call.bin_spacing * delay);
          phasor (step, &c, &s);
          call.table[(unit * halves + half) * call.pair_stride + pair] =
            make_uint4 (fraction (call.centre_frequency * delay), step, __float_as_uint (c), __float_as_uint (s));
        }
    }
}

int
esk_cuda_beam_table (EskStream              *stream,
                     const EskCudaBeamTable *call)
{
  const unsigned rows = call->n_units < 65535 ? (unsigned) call->n_units : 65535;

  make_table<<<dim3 ((unsigned) ((call->pair_stride + 127) / 128), rows), 128, 0, stream->stream>>>
    (*call, esk_beam_halves (call->mode));

  return esk_cuda_launched (stream, "phases of beams");
}

/* lab: beams-production */
/* Four phasors in a row and the factor that leads two bins further. */
struct Phasors
{
  float c[4], s[4], twice;

  __device__ __forceinline__ void
  start (uint4 entry,
         int   bin)
  {
    const float c1 = __uint_as_float (entry.z), s1 = __uint_as_float (entry.w);
    const float x = (float) (int32_t) (entry.x + entry.y * (uint32_t) bin) * TURN;
    float c2, s2;

    /* To 7e-7, which is the same error for all bins of the chunk. */
    c[0] = __cosf (x);
    s[0] = __sinf (x);
    c2 = fmaf (-2.0f * s1, s1, 1.0f);
    s2 = 2.0f * s1 * c1;
    twice = 2.0f * c2;
    c[1] = c[0] * c1 - s[0] * s1;
    s[1] = s[0] * c1 + c[0] * s1;
    c[2] = c[0] * c2 - s[0] * s2;
    s[2] = s[0] * c2 + c[0] * s2;
    c[3] = c[1] * c2 - s[1] * s2;
    s[3] = s[1] * c2 + c[1] * s2;
  }

  __device__ __forceinline__ void
  step (void)
  {
    float next_c = fmaf (twice, c[2], -c[0]), next_s = fmaf (twice, s[2], -s[0]);

#pragma unroll
    for (int k = 0; k < 3; k++)
      {
        c[k] = c[k + 1];
        s[k] = s[k + 1];
      }
    c[3] = next_c;
    s[3] = next_s;
  }
};
/* lab end */

/* ---- folding ---- */

static __global__ void
__launch_bounds__ (256)
fold (const float *values,
      size_t       stride,
      bool         plain,
      const int2  *units,
      unsigned     n_units,
      size_t       unit_stride,
      float4      *folded)
{
  const unsigned unit = blockIdx.y * 256 + threadIdx.x;
  const float *re = values + (size_t) blockIdx.x * 2 * stride, *im = re + stride;
  float4 out = make_float4 (0.0f, 0.0f, 0.0f, 0.0f);

  if (unit >= unit_stride)
    return;
  if (unit < n_units)
    {
      int2 at = units[unit];
      float a = re[at.x], b = im[at.x], c = at.y >= 0 ? re[at.y] : 0.0f, d = at.y >= 0 ? im[at.y] : 0.0f;

      out = plain ? make_float4 (a, b, c, d) : make_float4 (a + c, b + d, a - c, b - d);
    }
  folded[(size_t) blockIdx.x * unit_stride + unit] = out;
}

int
esk_cuda_beam_fold (EskStream        *stream,
                    EskBeamMode       mode,
                    const EskSpectra *spectra,
                    size_t            first_bin,
                    size_t            bins,
                    const int2       *units,
                    size_t            n_units,
                    size_t            unit_stride,
                    float4           *folded)
{
  fold<<<dim3 ((unsigned) (bins * spectra->snapshots), (unsigned) ((unit_stride + 255) / 256)), 256, 0,
         stream->stream>>> (spectra->values + first_bin * spectra->snapshots * 2 * spectra->stride, spectra->stride,
                            mode == ESK_BEAMS_PLAIN, units, (unsigned) n_units, unit_stride, folded);

  return esk_cuda_launched (stream, "spectra for beams");
}

/* ---- summing ---- */

/* lab: beams-production */
template <EskBeamMode mode, int bins>
struct Sums
{
  static const int parts = mode == ESK_BEAMS_PLAIN ? 2 : 4;
  float value[bins][parts];

  __device__ __forceinline__ void
  add (int                 b,
       const float4       *x,
       const Phasors      *p0,
       const Phasors      *p1)
  {
    float *v = value[b];

    if (mode == ESK_BEAMS_PLAIN)
      {
        v[0] = fmaf (x->x, p0->c[0], v[0]);
        v[1] = fmaf (x->y, p0->c[0], v[1]);
        v[0] = fmaf (x->y, p0->s[0], v[0]);
        v[1] = fmaf (-x->x, p0->s[0], v[1]);
        v[0] = fmaf (x->z, p1->c[0], v[0]);
        v[1] = fmaf (x->w, p1->c[0], v[1]);
        v[0] = fmaf (x->w, p1->s[0], v[0]);
        v[1] = fmaf (-x->z, p1->s[0], v[1]);
      }
    else if (mode == ESK_BEAMS_MIRROR)
      {
        float c = p0->c[0] + p1->c[0], s = p0->s[0] + p1->s[0], d = p0->c[0] - p1->c[0], e = p0->s[0] - p1->s[0];

        v[0] = fmaf (x->x, c, v[0]);
        v[1] = fmaf (x->y, c, v[1]);
        v[2 % parts] = fmaf (x->z, d, v[2 % parts]);
        v[3 % parts] = fmaf (x->w, d, v[3 % parts]);
        v[0] = fmaf (x->y, s, v[0]);
        v[1] = fmaf (-x->x, s, v[1]);
        v[2 % parts] = fmaf (x->w, e, v[2 % parts]);
        v[3 % parts] = fmaf (-x->z, e, v[3 % parts]);
      }
    else
      {
        v[0] = fmaf (x->x, p0->c[0], v[0]);
        v[1] = fmaf (x->y, p0->c[0], v[1]);
        v[2 % parts] = fmaf (x->w, p0->s[0], v[2 % parts]);
        v[3 % parts] = fmaf (-x->z, p0->s[0], v[3 % parts]);
      }
  }
};

/* Blocks are ordered so that those beside each other read the same phases: chunk of bins, snapshot, pairs, part. */
template <EskBeamMode mode, int bins>
static __global__ void
__launch_bounds__ (WARP, mode == ESK_BEAMS_PLAIN ? 16 : 12)
sum (EskCudaBeamSum call,
     unsigned       chunks,
     unsigned       groups)
{
  __shared__ float4 tile[2][bins][TILE];
  const unsigned chunk = blockIdx.x % chunks, rest = blockIdx.x / chunks;
  const unsigned snapshot = rest % (unsigned) call.snapshots;
  const unsigned group = rest / (unsigned) call.snapshots % groups, split = rest / (unsigned) call.snapshots / groups;
  const size_t pair = (size_t) group * WARP + threadIdx.x;
  const unsigned first = split * call.unit_split;
  const unsigned n = call.n_units > first ? (call.n_units - first < call.unit_split ? (unsigned) (call.n_units - first)
                                                                                    : call.unit_split) : 0;
  const int bin = call.base + (int) (chunk * bins);
  const float4 *from = call.folded + ((size_t) chunk * bins * call.snapshots + snapshot) * call.unit_stride + first;
  const unsigned n_bins = call.bins - chunk * bins < bins ? (unsigned) (call.bins - chunk * bins) : bins;
  const size_t halves = mode == ESK_BEAMS_FAR ? 1 : 2;
  const uint4 *phases = call.table + first * halves * call.pair_stride + pair;
  Sums<mode, bins> sums;
  uint4 next[2] = { { 0 } };

#pragma unroll
  for (int b = 0; b < bins; b++)
#pragma unroll
    for (int part = 0; part < Sums<mode, bins>::parts; part++)
      sums.value[b][part] = 0.0f;

  const auto stage = [&] (unsigned at, unsigned buffer)
    {
      for (unsigned k = threadIdx.x; k < n_bins * TILE; k += WARP)
        {
          unsigned b = k / TILE, u = k % TILE;

          if (at + u < n)
            __pipeline_memcpy_async (&tile[buffer][b][u], from + b * call.snapshots * call.unit_stride + at + u,
                                     sizeof (float4));
        }
      __pipeline_commit ();
    };
  const auto fetch = [&] (unsigned unit)
    {
#pragma unroll
      for (unsigned half = 0; half < halves; half++)
        next[half] = phases[(unit * halves + half) * call.pair_stride];
    };

  /* Bins that are missing stay 0. */
  for (unsigned k = threadIdx.x; k < (bins - n_bins) * TILE; k += WARP)
    tile[0][n_bins + k / TILE][k % TILE] = tile[1][n_bins + k / TILE][k % TILE] = make_float4 (0.0f, 0.0f, 0.0f, 0.0f);

  if (n > 0)
    {
      stage (0, 0);
      fetch (0);
    }
  for (unsigned at = 0, buffer = 0; at < n; at += TILE, buffer ^= 1)
    {
      const unsigned here = n - at < TILE ? n - at : TILE;

      if (at + TILE < n)
        {
          stage (at + TILE, buffer ^ 1);
          __pipeline_wait_prior (1);
        }
      else
        __pipeline_wait_prior (0);
      __syncwarp ();

      for (unsigned u = 0; u < here; u++)
        {
          const uint4 entry[2] = { next[0], next[1] };
          Phasors p0, p1;

          if (at + u + 1 < n)
            fetch (at + u + 1);
          p0.start (entry[0], bin);
          if (mode != ESK_BEAMS_FAR)
            p1.start (entry[1], bin);
#pragma unroll
          for (int b = 0; b < bins; b++)
            {
              const float4 x = tile[buffer][b][u];

              sums.add (b, &x, &p0, &p1);
              p0.step ();
              if (mode != ESK_BEAMS_FAR)
                p1.step ();
            }
        }
      __syncwarp ();
    }

#pragma unroll
  for (int b = 0; b < bins; b++)
    {
      float *to = call.partial
                  + (((size_t) split * chunks * bins + chunk * bins + b) * call.snapshots + snapshot) * 4
                    * call.partial_stride + pair;

#pragma unroll
      for (int part = 0; part < Sums<mode, bins>::parts; part++)
        to[part * call.partial_stride] = sums.value[b][part];
    }
}
/* lab end */

/* ---- launching ---- */

/* Bins a thread sums at once: as many as its registers hold. */
#define FEW_BINS 8
#define MANY_BINS(mode) ((mode) == ESK_BEAMS_MIRROR ? 24 : 32)

unsigned
esk_cuda_beam_chunk (EskBeamMode mode,
                     size_t      bins)
{
  return bins <= FEW_BINS ? FEW_BINS : MANY_BINS (mode);
}

typedef void (*SumKernel) (EskCudaBeamSum call, unsigned chunks, unsigned groups);

static SumKernel
kernel_of (EskBeamMode mode,
           size_t      bins)
{
  const bool few = bins <= FEW_BINS;

  switch (mode)
    {
    case ESK_BEAMS_PLAIN:
      return few ? sum<ESK_BEAMS_PLAIN, FEW_BINS> : sum<ESK_BEAMS_PLAIN, MANY_BINS (ESK_BEAMS_PLAIN)>;
    case ESK_BEAMS_MIRROR:
      return few ? sum<ESK_BEAMS_MIRROR, FEW_BINS> : sum<ESK_BEAMS_MIRROR, MANY_BINS (ESK_BEAMS_MIRROR)>;
    default:
      return few ? sum<ESK_BEAMS_FAR, FEW_BINS> : sum<ESK_BEAMS_FAR, MANY_BINS (ESK_BEAMS_FAR)>;
    }
}

unsigned
esk_cuda_beam_splits (EskStream   *stream,
                      EskBeamMode  mode,
                      size_t       pairs,
                      size_t       bins,
                      size_t       snapshots,
                      size_t       n_units,
                      int         *code)
{
  const unsigned chunk = esk_cuda_beam_chunk (mode, bins);
  const double blocks = (double) esk_cuda_ceil_div (bins, chunk) * (double) snapshots
                        * (double) esk_cuda_ceil_div (pairs, WARP);
  int at_once = 1;
  unsigned best = 1;
  double best_cost = HUGE_VAL, slots;

  *code = esk_cuda_check (stream, cudaOccupancyMaxActiveBlocksPerMultiprocessor (&at_once, kernel_of (mode, bins),
                                                                                 WARP, 0), "beams");
  if (*code != ESK_OK)
    return 1;
  slots = (double) at_once * esk_cuda_properties (stream)->multiprocessors;
  for (unsigned k = 1; k <= MOST_SPLITS && (k == 1 || n_units / k >= LEAST_UNITS); k++)
    {
      /* Each part costs the time of about four units to begin, and to be summed at the end. */
      double cost = ceil (blocks * k / slots) * ((double) esk_cuda_ceil_div (n_units, k) + 4.0) + 0.5 * k;

      if (cost < best_cost * 0.995)
        {
          best_cost = cost;
          best = k;
        }
    }

  return best;
}

int
esk_cuda_beam_sum (EskStream            *stream,
                   const EskCudaBeamSum *call)
{
  const unsigned chunk = esk_cuda_beam_chunk (call->mode, call->bins);
  const unsigned chunks = (unsigned) esk_cuda_ceil_div (call->bins, chunk);
  const unsigned groups = (unsigned) esk_cuda_ceil_div (call->n_pairs, WARP);
  const size_t blocks = (size_t) chunks * call->snapshots * groups * call->splits;

  if (blocks > 0x7fffffff)
    return ESK_ERROR_ARGUMENT;
  kernel_of (call->mode, call->bins)<<<(unsigned) blocks, WARP, 0, stream->stream>>> (*call, chunks, groups);

  return esk_cuda_launched (stream, "beams");
}
