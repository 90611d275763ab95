/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * Transforms of LANES elements at a time (es-cpu-dft-private.h). Included once for every processor, hence no include
 * guard, and everything static. MULTIPLY_ADD and its like as in es-cpu-beam-loops-private.h; LOWER and HIGHER are what
 * they say, of numbers.
 */

#include "es-cpu-dft-private.h"

#include <math.h>
#include <string.h>

#define ALWAYS_INLINE static inline __attribute__ ((always_inline))

typedef float    Vector __attribute__ ((vector_size (4 * LANES), may_alias));
typedef int32_t  Ints __attribute__ ((vector_size (4 * LANES), may_alias));
typedef uint32_t Words __attribute__ ((vector_size (4 * LANES), may_alias));
typedef int16_t  Shorts __attribute__ ((vector_size (2 * LANES), may_alias));
typedef uint16_t Halves __attribute__ ((vector_size (2 * LANES), may_alias));
typedef double   Doubles __attribute__ ((vector_size (8 * LANES), may_alias));

#ifndef MULTIPLY_ADD
#define MULTIPLY_ADD(a, b, c) ((a) * (b) + (c))
#define MULTIPLY_SUBTRACT(a, b, c) ((a) * (b) - (c))
#define LOWER(a, b) ((Vector) (((Ints) (a) & ((a) < (b))) | ((Ints) (b) & ~((a) < (b)))))
#define HIGHER(a, b) ((Vector) (((Ints) (a) & ((a) > (b))) | ((Ints) (b) & ~((a) > (b)))))
#endif

/* Frames that are asked for before they are needed. */
#define AHEAD 24

/* ---- samples ---- */

/* LANES elements of one snapshot. */
typedef struct
{
  const EskFrames *frames;
  size_t           first, n;   /* frames */
  uint32_t         channels[LANES];
  bool             beside;     /* they are neighbours in memory */
  const uint8_t   *start;      /* of the first element */
  ptrdiff_t        step;       /* bytes from frame to frame */
  const float     *window;     /* NULL: ones */
  Vector           gains;
  Ints             not_finite, clipped;
  Vector           lowest, highest;
} Source;

#define ELEMENT_AT(source, type, frame, lane)                                                              \
  ((const type *) (source)->frames->data + (ptrdiff_t) (frame) * (source)->frames->frame_stride            \
   + (ptrdiff_t) (source)->channels[lane] * (source)->frames->channel_stride)

/* Samples as they are stored, of any alignment. */
#define RAW(vector, type, source, frame)                                                                   \
  ({                                                                                                       \
    vector raw_;                                                                                           \
    if ((source)->beside)                                                                                  \
      memcpy (&raw_, ELEMENT_AT (source, type, frame, 0), sizeof raw_);                                    \
    else                                                                                                   \
      for (size_t lane_ = 0; lane_ < LANES; lane_++)                                                       \
        {                                                                                                  \
          type one_;                                                                                       \
          memcpy (&one_, ELEMENT_AT (source, type, frame, lane_), sizeof one_);                            \
          raw_[lane_] = one_;                                                                              \
        }                                                                                                  \
    raw_;                                                                                                  \
  })

ALWAYS_INLINE Vector
samples_at (const EskType type,
            Source       *source,
            size_t        n)
{
  const bool swapped = source->frames->byte_swapped;
  const size_t frame = source->first + n;
  Vector x;

  if (n >= source->n)
    return (Vector) { 0.0f };

  if (type == ESK_I16)
    {
      Halves raw = RAW (Halves, uint16_t, source, frame);

      if (swapped)
        raw = (raw << 8) | (raw >> 8);
      x = __builtin_convertvector ((Shorts) raw, Vector);
      source->clipped -= (x >= 32767.0f) | (x <= -32768.0f);
    }
  else if (type == ESK_F64)
    {
      Doubles raw = RAW (Doubles, double, source, frame);

      for (size_t lane = 0; swapped && lane < LANES; lane++)
        {
          uint64_t bits;
          double one = raw[lane];

          memcpy (&bits, &one, sizeof bits);
          bits = __builtin_bswap64 (bits);
          memcpy (&one, &bits, sizeof one);
          raw[lane] = one;
        }
      x = __builtin_convertvector (raw, Vector);
    }
  else
    {
      Words raw = RAW (Words, uint32_t, source, frame);

      if (swapped)
        raw = (raw << 24) | ((raw & 0xff00) << 8) | ((raw >> 8) & 0xff00) | (raw >> 24);
      x = type == ESK_I32 ? __builtin_convertvector ((Ints) raw, Vector) : (Vector) raw;
      if (type == ESK_I32)
        source->clipped -= ((Ints) raw >= 0x7fffff00) | (Ints) (raw == 0x80000000);
    }

  if (type == ESK_I16 || type == ESK_I32)
    {
      source->lowest = LOWER (x, source->lowest);
      source->highest = HIGHER (x, source->highest);
    }
  else
    {
      const Ints magnitude = (Ints) x & 0x7fffffff, bad = magnitude >= 0x7f800000;
      const Vector good = (Vector) (magnitude & ~bad);

      x = (Vector) ((Ints) x & ~bad);
      source->not_finite -= bad;
      source->clipped -= (Ints) good >= 0x3f800000;
      source->highest = HIGHER (good, source->highest);
    }
  x *= source->gains;
  if (source->window != NULL)
    x *= source->window[n];

  return x;
}

static void
tell_health (const Source     *source,
             size_t            n,
             EskChannelHealth *health)
{
  const EskType type = source->frames->type;
  const bool integers = type == ESK_I16 || type == ESK_I32;
  const float full = type == ESK_I16 ? 0x1p15f : type == ESK_I32 ? 0x1p31f : 1.0f;

  for (size_t lane = 0; lane < n; lane++)
    {
      EskChannelHealth *to = &health[lane];
      const float lowest = integers ? -source->lowest[lane] : 0.0f, highest = source->highest[lane];
      const float peak = (lowest > highest ? lowest : highest) / full;

      to->samples += (uint32_t) source->n;
      to->peak = peak > to->peak ? peak : to->peak;
      to->not_finite += (uint32_t) source->not_finite[lane];
      to->clipped += (uint32_t) source->clipped[lane];
    }
}

/* ---- transforms of complex numbers ---- */

/* lab: fourier-production */
typedef struct
{
  Vector re, im;
} Complex;

ALWAYS_INLINE Complex
plus (Complex a,
      Complex b)
{
  return (Complex) { a.re + b.re, a.im + b.im };
}

ALWAYS_INLINE Complex
minus (Complex a,
       Complex b)
{
  return (Complex) { a.re - b.re, a.im - b.im };
}

ALWAYS_INLINE Complex
turned (Complex      a,
        const float *turn)
{
  const Vector zero = { 0.0f }, re = zero + turn[0], im = zero + turn[1];

  return (Complex) { MULTIPLY_SUBTRACT (a.re, re, a.im * im), MULTIPLY_ADD (a.re, im, a.im * re) };
}

ALWAYS_INLINE void
butterfly (const Complex *x,
           size_t         quarter,
           Complex       *y,
           size_t         s,
           const float   *w1,
           const float   *w2,
           const float   *w3,
           const bool     plain)
{
  const Complex a = x[0], b = x[quarter], c = x[2 * quarter], d = x[3 * quarter];
  const Complex ac = plus (a, c), bd = plus (b, d), less = minus (a, c), other = minus (b, d);
  /* less -+ j other */
  const Complex one = { less.re + other.im, less.im - other.re }, three = { less.re - other.im, less.im + other.re };

  y[0] = plus (ac, bd);
  y[s] = plain ? one : turned (one, w1);
  y[2 * s] = plain ? minus (ac, bd) : turned (minus (ac, bd), w2);
  y[3 * s] = plain ? three : turned (three, w3);
}

/*
 * The transform of n numbers at x by Stockham's method, four at a time; y is as large. Returns where the result is:
 * x or y. turns: of n.
 */
static Complex *
transform (Complex     *x,
           Complex     *y,
           size_t       n,
           const float *turns)
{
  size_t length = n, s = 1;

  for (; length >= 4; length /= 4, s *= 4)
    {
      const size_t quarter = length / 4;
      Complex *other = x;

      for (size_t q = 0; q < s; q++)
        butterfly (x + q, s * quarter, y + q, s, NULL, NULL, NULL, true);
      for (size_t p = 1; p < quarter; p++)
        {
          const float *w1 = turns + 2 * p * s, *w2 = turns + 4 * p * s, *w3 = turns + 6 * p * s;

          for (size_t q = 0; q < s; q++)
            butterfly (x + q + s * p, s * quarter, y + q + s * 4 * p, s, w1, w2, w3, false);
        }
      x = y;
      y = other;
    }
  if (length == 2)
    {
      for (size_t q = 0; q < s; q++)
        {
          const Complex a = x[q], b = x[q + s];

          y[q] = plus (a, b);
          y[q + s] = minus (a, b);
        }
      return y;
    }

  return x;
}
/* lab end */

/* ---- an element in each lane ---- */

/* The samples of row a. */
ALWAYS_INLINE void
load_row (const EskType type,
          const EskDft *dft,
          size_t        a,
          Source       *source,
          Complex      *work)
{
  /* A local one, or the compiler fears that every store might change it. */
  Source mine = *source;

  for (size_t b = 0; b < dft->rows; b++)
    {
      const size_t n = 2 * (a * dft->rows + b);
      Complex *to = work + a * ESK_DFT_STRIDE (dft) + b;

      if (mine.beside && n + AHEAD + 1 < mine.n)
        {
          __builtin_prefetch (mine.start + mine.step * (ptrdiff_t) (n + AHEAD));
          __builtin_prefetch (mine.start + mine.step * (ptrdiff_t) (n + AHEAD + 1));
        }
      to->re = samples_at (type, &mine, n);
      to->im = samples_at (type, &mine, n + 1);
    }
  *source = mine;
}

/* Frames in the order they lie in, for memory likes that, and for all lanes: their samples share cache lines. */
static void
load (const EskDft *dft,
      EskType       type,
      Source       *sources,
      size_t        n_sources,
      Complex      *work)
{
  for (size_t a = 0; a < dft->columns; a++)
    for (size_t k = 0; k < n_sources; k++)
      {
        Complex *to = work + k * dft->columns * ESK_DFT_STRIDE (dft);

        switch (type)
          {
          case ESK_I16:
            load_row (ESK_I16, dft, a, &sources[k], to);
            break;
          case ESK_I32:
            load_row (ESK_I32, dft, a, &sources[k], to);
            break;
          case ESK_F32:
            load_row (ESK_F32, dft, a, &sources[k], to);
            break;
          default:
            load_row (ESK_F64, dft, a, &sources[k], to);
            break;
          }
      }
}

/* lab: fourier-production */
static void
transform_columns (const EskDft *dft,
                   Complex      *work,
                   Complex      *room)
{
  const size_t columns = dft->columns, stride = ESK_DFT_STRIDE (dft);

  for (size_t b = 0; b < dft->rows; b++)
    {
      const Complex *result;

      for (size_t a = 0; a < columns; a++)
        room[a] = work[a * stride + b];
      result = transform (room, room + columns, columns, dft->column_turns);
      for (size_t k = 0; k < columns; k++)
        work[k * stride + b] = turned (result[k], dft->between + 2 * (k * dft->rows + b));
    }
}

static void
keep_bins (const EskDft     *dft,
           const Complex    *work,
           const EskSpectra *spectra,
           size_t            snapshot,
           size_t            first)
{
  const EskDftPlan *plan = &dft->plan;
  const size_t columns = dft->columns, stride = ESK_DFT_STRIDE (dft), half = plan->length / 2;

  for (size_t b = 0; b < plan->bins; b++)
    {
      const size_t bin = plan->first_bin + b, low = bin % half, high = (half - low) % half;
      const Complex z = work[low % columns * stride + low / columns];
      const Complex other = work[high % columns * stride + high / columns];
      /* Of the even and the odd samples; the conjugate of the other one belongs to them. */
      const Complex even = { z.re + other.re, z.im - other.im }, odd = { z.im + other.im, other.re - z.re };
      const Complex x = plus (even, turned (odd, dft->last + 2 * b));
      const float factor = bin == 0 || bin == half ? 0.5f * (float) M_SQRT1_2 : 0.5f;
      float *re = spectra->values + (b * plan->snapshots + snapshot) * 2 * spectra->stride + first;
      const Vector scaled_re = x.re * factor, scaled_im = x.im * factor;

      memcpy (re, &scaled_re, sizeof scaled_re);
      memcpy (re + spectra->stride, &scaled_im, sizeof scaled_im);
    }
}
/* lab end */

static void
source_init (Source          *self,
             const EskDftRun *run,
             size_t           first,
             size_t           snapshot)
{
  const EskDftPlan *plan = &run->dft->plan;
  const EskFrames *frames = run->frames;
  const ptrdiff_t size = (ptrdiff_t) esk_type_size (frames->type);
  const size_t n = plan->elements - first < LANES ? plan->elements - first : LANES;

  *self = (Source) { .frames = frames, .first = snapshot * plan->hop, .n = plan->window_length,
                     .window = plan->window };
  self->beside = frames->channel_stride == 1 && n == LANES;
  for (size_t lane = 0; lane < LANES; lane++)
    {
      /* Lanes that are left over repeat the last element, and are silent. */
      self->channels[lane] = plan->channels[first + (lane < n ? lane : n - 1)];
      self->gains[lane] = lane < n ? plan->gains[first + lane] : 0.0f;
      self->beside = self->beside && self->channels[lane] == self->channels[0] + lane;
    }
  self->step = frames->frame_stride * size;
  self->start = (const uint8_t *) frames->data + (ptrdiff_t) self->first * self->step
                + (ptrdiff_t) self->channels[0] * frames->channel_stride * size;
}

static void
transform_group (void    *data,
                 size_t   group,
                 unsigned worker)
{
  const EskDftRun *run = data;
  const EskDft *dft = run->dft;
  const EskDftPlan *plan = &dft->plan;
  const size_t first = group * run->group, rest = plan->elements - first;
  const size_t n = rest < run->group ? rest : run->group, n_sources = (n + LANES - 1) / LANES;
  const size_t area = dft->columns * ESK_DFT_STRIDE (dft);
  Complex *work = (Complex *) (run->scratch + worker * run->scratch_floats), *room = work + n_sources * area;
  Source sources[ESK_DFT_GROUP / LANES];

  for (size_t snapshot = 0; snapshot < plan->snapshots; snapshot++)
    {
      for (size_t k = 0; k < n_sources; k++)
        source_init (&sources[k], run, first + k * LANES, snapshot);
      load (dft, run->frames->type, sources, n_sources, work);

      for (size_t k = 0; k < n_sources; k++)
        {
          Complex *mine = work + k * area;

          if (run->health != NULL)
            tell_health (&sources[k], n - k * LANES < LANES ? n - k * LANES : LANES, run->health + first + k * LANES);
          transform_columns (dft, mine, room);
          for (size_t row = 0; row < dft->columns; row++)
            {
              Complex *x = mine + row * ESK_DFT_STRIDE (dft), *result = transform (x, room, dft->rows, dft->row_turns);

              if (result != x)
                memcpy (x, result, dft->rows * sizeof *x);
            }
          keep_bins (dft, mine, run->spectra, snapshot, first + k * LANES);
        }
    }

  /* What lies between the elements and the stride belongs to the last group. */
  for (size_t k = n_sources * LANES; n == rest && first + k < run->spectra->stride; k += LANES)
    for (size_t row = 0; row < 2 * plan->bins * plan->snapshots; row++)
      memset (run->spectra->values + row * run->spectra->stride + first + k, 0, LANES * sizeof (float));
}
