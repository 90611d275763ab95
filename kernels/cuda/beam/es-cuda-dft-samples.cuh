/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

/* Samples of an array on their way to transforms: bytes in order, numbers, and what is found of a channel's health. */

#include "es-cuda-arrays-private.h"

#include <limits.h>

static __device__ inline int16_t
esk_swapped (int16_t sample)
{
  return (int16_t) __byte_perm ((uint16_t) sample, 0, 0x3201);
}

static __device__ inline int32_t
esk_swapped (int32_t sample)
{
  return (int32_t) __byte_perm ((uint32_t) sample, 0, 0x0123);
}

static __device__ inline float
esk_swapped (float sample)
{
  return __uint_as_float (__byte_perm (__float_as_uint (sample), 0, 0x0123));
}

static __device__ inline double
esk_swapped (double sample)
{
  return __hiloint2double ((int) __byte_perm ((uint32_t) __double2loint (sample), 0, 0x0123),
                           (int) __byte_perm ((uint32_t) __double2hiint (sample), 0, 0x0123));
}

struct EskFindings
{
  uint32_t not_finite, clipped, samples;
  float    peak;
};

/* As the number that is transformed. */
template <typename Sample>
static __device__ inline float
esk_look_at (Sample    sample,
         EskFindings *findings)
{
  float x = (float) sample, magnitude = fabsf (x);
  bool clipped;

  if (sizeof (Sample) == 2)
    clipped = sample == (Sample) SHRT_MIN || sample == (Sample) SHRT_MAX;
  else if ((Sample) 0.5f == (Sample) 0)
    clipped = sample == (Sample) INT_MIN || sample >= (Sample) (INT_MAX - 255);
  else
    {
      if (!(magnitude < INFINITY))
        {
          findings->not_finite++;
          x = magnitude = 0.0f;
        }
      clipped = magnitude >= 1.0f;
    }
  findings->clipped += clipped;
  findings->samples++;
  findings->peak = fmaxf (findings->peak, magnitude);

  return x;
}

template <typename Sample>
static __device__ inline float
esk_full_scale (void)
{
  return sizeof (Sample) == 2 ? 0x1p-15f : (Sample) 0.5f == (Sample) 0 ? 0x1p-31f : 1.0f;
}

/* In any order: sums of integers, and magnitudes are ordered as their bits. */
template <typename Sample>
static __device__ inline void
esk_tell_health (EskChannelHealth *health,
      const EskFindings   *findings)
{
  if (findings->samples == 0)
    return;
  atomicAdd (&health->samples, findings->samples);
  if (findings->clipped > 0)
    atomicAdd (&health->clipped, findings->clipped);
  if (findings->not_finite > 0)
    atomicAdd (&health->not_finite, findings->not_finite);
  atomicMax ((int *) &health->peak, __float_as_int (findings->peak * esk_full_scale<Sample> ()));
}
