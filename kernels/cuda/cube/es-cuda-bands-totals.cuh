/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

/* Part of es-cuda-bands.cu. What is counted over a band, its range or its sum, of samples of every type. */

#include "cuda/core/es-cuda-samples-internal.h"

#include <float.h>

template <typename Sample>
struct Limits
{
  static __device__ Sample
  lowest ()
  {
    return (Sample) ((Sample) -1 > 0 ? 0 : (uint64_t) 1 << (8 * sizeof (Sample) - 1));
  }

  static __device__ Sample highest () { return (Sample) ~lowest (); }
};

template <>
struct Limits<float>
{
  static __device__ float lowest () { return -FLT_MAX; }
  static __device__ float highest () { return FLT_MAX; }
};

template <>
struct Limits<double>
{
  static __device__ double lowest () { return -DBL_MAX; }
  static __device__ double highest () { return DBL_MAX; }
};

/* NAN is neither lower nor higher. `any`: there was a pixel that counts, whatever its sample. */
template <typename Sample>
struct Range
{
  Sample low, high;
  int    any;

  __device__ void
  start ()
  {
    low = Limits<Sample>::highest ();
    high = Limits<Sample>::lowest ();
    any = 0;
  }

  __device__ void
  add (Sample sample,
       bool   counts)
  {
    low = counts && sample < low ? sample : low;
    high = counts && sample > high ? sample : high;
    any |= counts;
  }

  __device__ void
  merge (const Range &other)
  {
    low = other.low < low ? other.low : low;
    high = other.high > high ? other.high : high;
    any |= other.any;
  }

  __device__ Range
  shuffled (int distance) const
  {
    Range other;

    other.low = (Sample) __shfl_down_sync (0xffffffffu, low, distance);
    other.high = (Sample) __shfl_down_sync (0xffffffffu, high, distance);
    other.any = __shfl_down_sync (0xffffffffu, any, distance);
    return other;
  }

  struct Result
  {
    double  minimum, maximum;
    int64_t any;
  };

  __device__ Result
  result () const
  {
    return Result { (double) low, (double) high, any };
  }
};

/* Integers of up to 32 bits: exact. */
template <typename Sample>
struct Sum
{
  long long total;

  __device__ void start () { total = 0; }
  __device__ void add (Sample sample, bool counts) { total += counts ? (long long) sample : 0; }
  __device__ void merge (const Sum &other) { total += other.total; }

  __device__ Sum
  shuffled (int distance) const
  {
    return Sum { __shfl_down_sync (0xffffffffu, total, distance) };
  }

  typedef double Result;
  __device__ double result () const { return (double) total; }
};

/* The rest in float64, always in the same order. */
template <typename Sample>
struct FloatSum
{
  double total;

  __device__ void start () { total = 0.0; }
  __device__ void add (Sample sample, bool counts) { total = __dadd_rn (total, counts ? (double) sample : 0.0); }
  __device__ void merge (const FloatSum &other) { total = __dadd_rn (total, other.total); }

  __device__ FloatSum
  shuffled (int distance) const
  {
    return FloatSum { __shfl_down_sync (0xffffffffu, total, distance) };
  }

  typedef double Result;
  __device__ double result () const { return total; }
};

template <> struct Sum<uint64_t> : FloatSum<uint64_t> { };
template <> struct Sum<int64_t> : FloatSum<int64_t> { };
template <> struct Sum<float> : FloatSum<float> { };
template <> struct Sum<double> : FloatSum<double> { };

/* The marks of a pack's samples: a byte each, 0 or 1. */
template <typename Sample>
struct Marks
{
  static constexpr int per_pack = 16 / sizeof (Sample);
  uint32_t words[per_pack >= 4 ? per_pack / 4 : 1];

  __device__ void
  read (const uint8_t *valid)
  {
    if (per_pack == 16)
      *(uint4 *) words = __ldg ((const uint4 *) valid);
    else if (per_pack == 8)
      *(uint2 *) words = __ldg ((const uint2 *) valid);
    else if (per_pack == 4)
      words[0] = __ldg ((const uint32_t *) valid);
    else
      words[0] = __ldg ((const uint16_t *) valid);
    /* Whatever is not 0 is 1. */
#pragma unroll
    for (int w = 0; w < (per_pack >= 4 ? per_pack / 4 : 1); w++)
      words[w] = (((words[w] & 0x7f7f7f7fu) + 0x7f7f7f7fu) | words[w]) >> 7 & 0x01010101u;
  }

  __device__ bool counts (int k) const { return words[k / 4] >> (k % 4 * 8) & 1; }
};

/* Adds pack after pack. Of 32 and 64 bits: sample after sample. */
template <typename Sample, typename Total, int size = sizeof (Sample)>
struct Packs
{
  Total total;

  __device__ void start () { total.start (); }

  template <bool masked>
  __device__ void
  add (const EskCudaPack<Sample> &pack,
       const Marks<Sample>       &marks)
  {
#pragma unroll
    for (int k = 0; k < 16 / size; k++)
      total.add (pack.sample[k], !masked || marks.counts (k));
  }

  __device__ Total result () const { return total; }
};

/* Ranges of 8 and 16 bits, two 16-bit numbers a word; signed ones are moved up to be unsigned. */
template <typename Sample, int size>
struct NarrowRange
{
  static constexpr bool is_signed = (Sample) -1 < (Sample) 1;
  static constexpr uint32_t move = !is_signed ? 0 : size == 1 ? 0x80808080u : 0x80008000u;
  static constexpr uint32_t highest = size == 1 ? 0xffu : 0xffffu;

  uint32_t low, high, any;

  __device__ void
  start ()
  {
    low = highest * 0x00010001u;
    high = 0;
    any = 0;
  }

  __device__ void
  add_word (uint32_t word,
            uint32_t counting)
  {
    uint32_t x = word ^ move, below = x | ~counting, above = x & counting;

    if (size == 1)
      {
        low = __vminu2 (low, below & 0x00ff00ffu);
        low = __vminu2 (low, below >> 8 & 0x00ff00ffu);
        high = __vmaxu2 (high, above & 0x00ff00ffu);
        high = __vmaxu2 (high, above >> 8 & 0x00ff00ffu);
      }
    else
      {
        low = __vminu2 (low, below);
        high = __vmaxu2 (high, above);
      }
  }

  template <bool masked>
  __device__ void
  add (const EskCudaPack<Sample> &pack,
       const Marks<Sample>       &marks)
  {
    const uint32_t words[4] = { pack.vector.x, pack.vector.y, pack.vector.z, pack.vector.w };

#pragma unroll
    for (int w = 0; w < 4; w++)
      {
        uint32_t counting = 0xffffffffu;

        if (masked)
          {
            uint32_t bytes = marks.words[size == 1 ? w : w / 2];

            any |= bytes;
            bytes *= 0xff;
            counting = size == 1 ? bytes : __byte_perm (bytes, 0, w % 2 == 0 ? 0x1100 : 0x3322);
          }
        add_word (words[w], counting);
      }
    if (!masked)
      any = 1;
  }

  __device__ Range<Sample>
  result () const
  {
    uint32_t lowest = min (low & 0xffffu, low >> 16), most = max (high & 0xffffu, high >> 16);
    Range<Sample> range;

    range.low = (Sample) (lowest ^ (move & highest));
    range.high = (Sample) (most ^ (move & highest));
    range.any = any != 0;
    return range;
  }
};

template <typename Sample> struct Packs<Sample, Range<Sample>, 1> : NarrowRange<Sample, 1> { };
template <typename Sample> struct Packs<Sample, Range<Sample>, 2> : NarrowRange<Sample, 2> { };

/* Sums of 8 and 16 bits, by products with the marks. A thread's share of a piece fits 32 bits. */
template <typename Sample, int size>
struct NarrowSum
{
  static constexpr bool is_signed = (Sample) -1 < (Sample) 1;

  uint32_t total;

  __device__ void start () { total = 0; }

  template <bool masked>
  __device__ void
  add (const EskCudaPack<Sample> &pack,
       const Marks<Sample>       &marks)
  {
    const uint32_t words[4] = { pack.vector.x, pack.vector.y, pack.vector.z, pack.vector.w };

#pragma unroll
    for (int w = 0; w < 4; w++)
      {
        uint32_t ones = masked ? marks.words[size == 1 ? w : w / 2] : 0x01010101u;

        if (size == 1)
          total = is_signed ? (uint32_t) __dp4a ((int) words[w], (int) ones, (int) total)
                            : __dp4a (words[w], ones, total);
        else if (w % 2 == 0)
          total = is_signed ? (uint32_t) __dp2a_lo ((int) words[w], (int) ones, (int) total)
                            : __dp2a_lo (words[w], ones, total);
        else
          total = is_signed ? (uint32_t) __dp2a_hi ((int) words[w], (int) ones, (int) total)
                            : __dp2a_hi (words[w], ones, total);
      }
  }

  __device__ Sum<Sample>
  result () const
  {
    return Sum<Sample> { is_signed ? (long long) (int) total : (long long) total };
  }
};

template <typename Sample> struct Packs<Sample, Sum<Sample>, 1> : NarrowSum<Sample, 1> { };
template <typename Sample> struct Packs<Sample, Sum<Sample>, 2> : NarrowSum<Sample, 2> { };
