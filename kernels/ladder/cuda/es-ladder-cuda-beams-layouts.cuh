/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

/* What kernels of conventional beams are given, in the ways that the switches choose between: parameters of a launch,
 * spectra and path differences by how they lie; and phasors. */

#include "es-ladder-cuda-beams-private.h"

/* lab: beams-v0 beams-g3a beams-g3b beams-g3a-g3b */
/* Parameters lie in global memory. */
struct InMemory
{
  const LadderBeamParameters *at;

  __device__ const LadderBeamParameters &
  get (void) const
  {
    return *at;
  }
};
/* lab end */

/* lab: beams-v1 beams-v2 beams-v3 beams-v4 beams-v5 beams-v6 beams-r5-g3b */
/* Parameters come as arguments of the kernel, which are read as constants are. */
struct AsArguments
{
  LadderBeamParameters given;

  __device__ const LadderBeamParameters &
  get (void) const
  {
    return given;
  }
};
/* lab end */

/* lab: beams-v0 beams-v1 beams-g3b beams-r5-g3b */
/* Spectra as transforms leave them: all bins of an element, then the next. Threads, which have an element each, read
 * numbers that are far apart. */
struct ElementByElement
{
  static __device__ size_t
  at (const LadderBeamParameters &of, unsigned bin, unsigned element)
  {
    return (size_t) element * of.bins + bin;
  }
};
/* lab end */

/* lab: beams-v2 beams-v3 beams-v4 beams-v5 beams-v6 beams-g3a beams-g3a-g3b */
/* Spectra laid out anew: all elements of a bin, then the next. Threads, which have an element each, read numbers beside
 * each other. */
struct BinByBin
{
  static __device__ size_t
  at (const LadderBeamParameters &of, unsigned bin, unsigned element)
  {
    return (size_t) bin * of.elements + element;
  }
};
/* lab end */

/* lab: beams-v0 beams-v1 beams-v2 beams-v6 beams-g3a */
/* Path differences as they are computed: range, element, angle. Threads that have an element each read numbers that are
 * far apart. */
struct AnglesInside
{
  static __device__ size_t
  at (const LadderBeamParameters &of, unsigned range, unsigned angle, unsigned element)
  {
    return ((size_t) range * of.elements + element) * of.angles + angle;
  }
};
/* lab end */

/* lab: beams-v3 beams-v4 beams-v5 beams-g3b beams-g3a-g3b beams-r5-g3b */
/* Path differences laid out anew: range, angle, element. Threads that have an element each read numbers beside each
 * other. */
struct ElementsInside
{
  static __device__ size_t
  at (const LadderBeamParameters &of, unsigned range, unsigned angle, unsigned element)
  {
    return ((size_t) range * of.angles + angle) * of.elements + element;
  }
};
/* lab end */

/* lab: beams-v0 beams-v1 beams-v2 beams-v3 beams-v4 beams-v5 beams-v6 beams-g3a beams-g3b beams-g3a-g3b beams-r5-g3b */
/* exp (-j 2 pi turns). Whole turns change nothing, and without them the number keeps its digits. */
static __device__ float2
phasor (float turns)
{
  float re, im;

  sincospif (-2.0f * (turns - rintf (turns)), &im, &re);
  return make_float2 (re, im);
}
/* lab end */
