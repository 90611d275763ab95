/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * Beams on vectors of LANES floats. Included once for every processor, hence no include guard, and everything static.
 * MULTIPLY_ADD (a, b, c) is a b + c, MULTIPLY_SUBTRACT a b - c, SUBTRACT_PRODUCT c - a b, with one rounding where the
 * processor has it.
 *
 * For a vector of elements the phasors stay in registers while the bins of a block go by; the sums of the block's bins
 * are what is loaded and stored (from the first-level cache). Spectra are read once an item, in the order they lie in.
 */

#include "es-cpu-beam-private.h"

#include <math.h>
#include <string.h>

#define ALWAYS_INLINE static inline __attribute__ ((always_inline))

typedef float   Vector __attribute__ ((vector_size (4 * LANES), may_alias));
typedef double  Doubles __attribute__ ((vector_size (8 * LANES), may_alias));
typedef int32_t Ints __attribute__ ((vector_size (4 * LANES), may_alias));
typedef int64_t Longs __attribute__ ((vector_size (8 * LANES), may_alias));

#ifndef MULTIPLY_ADD
#define MULTIPLY_ADD(a, b, c) ((a) * (b) + (c))
#define MULTIPLY_SUBTRACT(a, b, c) ((a) * (b) - (c))
#define SUBTRACT_PRODUCT(a, b, c) ((c) - (a) * (b))
#endif

/* Vectors of LANES in one of ESK_BEAM_VECTOR. */
#define PARTS (ESK_BEAM_VECTOR / LANES)

#include "es-cpu-beam-phasors-private.h"

/* ---- sums ---- */

/* A block of bins: `bins` of them, `middle` below the base. */
typedef struct
{
  size_t bins, middle;
} Block;

/* lab: beams-production */
/* sums[0..1] += (p + q) S, [2..3] += (p - q) D. */
ALWAYS_INLINE void
add_pairs (const Vector *data,
           Vector       *sums,
           size_t        snapshots,
           const Pair   *p,
           const Pair   *q)
{
  const Vector g_re = p->re + q->re, g_im = p->im + q->im, h_re = p->re - q->re, h_im = p->im - q->im;

  for (size_t s = 0; s < snapshots; s++, data += 4 * PARTS, sums += 4)
    {
      const Vector s_re = data[0], s_im = data[PARTS], d_re = data[2 * PARTS], d_im = data[3 * PARTS];

      sums[0] = SUBTRACT_PRODUCT (g_im, s_im, MULTIPLY_ADD (g_re, s_re, sums[0]));
      sums[1] = MULTIPLY_ADD (g_im, s_re, MULTIPLY_ADD (g_re, s_im, sums[1]));
      sums[2] = SUBTRACT_PRODUCT (h_im, d_im, MULTIPLY_ADD (h_re, d_re, sums[2]));
      sums[3] = MULTIPLY_ADD (h_im, d_re, MULTIPLY_ADD (h_re, d_im, sums[3]));
    }
}

/* p = c - j s: sums[0..1] += c S, [2..3] += -s D, of two vectors of pairs. */
ALWAYS_INLINE void
add_conjugate (const Vector *data,
               const Vector *other,
               Vector       *sums,
               size_t        snapshots,
               const Pair   *p,
               const Pair   *q)
{
  for (size_t s = 0; s < snapshots; s++, data += 4 * PARTS, other += 4 * PARTS, sums += 4)
    {
      sums[0] = MULTIPLY_ADD (q->re, other[0], MULTIPLY_ADD (p->re, data[0], sums[0]));
      sums[1] = MULTIPLY_ADD (q->re, other[PARTS], MULTIPLY_ADD (p->re, data[PARTS], sums[1]));
      sums[2] = MULTIPLY_ADD (q->im, other[2 * PARTS], MULTIPLY_ADD (p->im, data[2 * PARTS], sums[2]));
      sums[3] = MULTIPLY_ADD (q->im, other[3 * PARTS], MULTIPLY_ADD (p->im, data[3 * PARTS], sums[3]));
    }
}

/* sums[0..1] += p X. */
ALWAYS_INLINE void
add_single (const Vector *data,
            Vector       *sums,
            size_t        snapshots,
            const Pair   *p)
{
  for (size_t s = 0; s < snapshots; s++, data += 2 * PARTS, sums += 2)
    {
      const Vector x_re = data[0], x_im = data[PARTS];

      sums[0] = SUBTRACT_PRODUCT (p->im, x_im, MULTIPLY_ADD (p->re, x_re, sums[0]));
      sums[1] = MULTIPLY_ADD (p->im, x_re, MULTIPLY_ADD (p->re, x_im, sums[1]));
    }
}

/* From the middle up, then from below it down. */
#define EACH_BIN(block, bin, begin_up, begin_down, body)                       \
  do                                                                           \
    {                                                                          \
      begin_up;                                                                \
      for (size_t bin = (block)->middle; bin < (block)->bins; bin++)           \
        body                                                                   \
      begin_down;                                                              \
      for (size_t bin = (block)->middle; bin-- > 0;)                           \
        body                                                                   \
    }                                                                          \
  while (0)

ALWAYS_INLINE void
block_of_pairs (const Block *block,
                size_t       snapshots,
                const Track *first,
                const Track *second,
                size_t       vectors,
                const float *packed,
                Vector      *sums)
{
  const size_t step = 4 * PARTS * snapshots;

  for (size_t v = 0; v < vectors; v++, packed += block->bins * step * LANES)
    for (size_t part = 0; part < PARTS; part++)
      {
        const size_t at = v * ESK_BEAM_VECTOR + part * LANES;
        const Vector *data = (const Vector *) packed + part;
        const Vector twice_p = *track_at (first, ONE_RE, at) * 2.0f, twice_q = *track_at (second, ONE_RE, at) * 2.0f;
        const Pair p0 = pair_of (first, at), q0 = pair_of (second, at);
        Pair p, q;

        EACH_BIN (block, bin, (p = p0, q = q0), (p = reversed (p0), q = reversed (q0)),
                  {
                    add_pairs (data + bin * step, sums + 4 * bin * snapshots, snapshots, &p, &q);
                    go_on (&p, twice_p);
                    go_on (&q, twice_q);
                  });
        turn_on (first, at);
        turn_on (second, at);
      }
}

/* Vectors by twos: sums are then loaded and stored half as often. */
ALWAYS_INLINE void
block_of_conjugates (const Block *block,
                     size_t       snapshots,
                     const Track *track,
                     size_t       vectors,
                     const float *packed,
                     Vector      *sums)
{
  const size_t step = 4 * PARTS * snapshots, stride = block->bins * step;

  for (size_t n = 0; n < vectors * PARTS; n += 2)
    {
      /* An odd one is taken with itself, turned to nothing. */
      const bool both = n + 1 < vectors * PARTS;
      const size_t at = n * LANES, next = both ? at + LANES : at;
      const Vector *data = (const Vector *) packed + n / PARTS * stride + n % PARTS;
      const Vector *other = both ? (const Vector *) packed + (n + 1) / PARTS * stride + (n + 1) % PARTS : data;
      const Vector twice_p = *track_at (track, ONE_RE, at) * 2.0f, twice_q = *track_at (track, ONE_RE, next) * 2.0f;
      const Pair p0 = pair_of (track, at), none = { { 0.0f }, { 0.0f }, { 0.0f }, { 0.0f } };
      const Pair q0 = both ? pair_of (track, next) : none;
      Pair p, q;

      EACH_BIN (block, bin, (p = p0, q = q0), (p = reversed (p0), q = reversed (q0)),
                {
                  add_conjugate (data + bin * step, other + bin * step, sums + 4 * bin * snapshots, snapshots, &p, &q);
                  go_on (&p, twice_p);
                  go_on (&q, twice_q);
                });
      turn_on (track, at);
      if (both)
        turn_on (track, next);
    }
}

ALWAYS_INLINE void
block_of_singles (const Block *block,
                  size_t       snapshots,
                  const Track *track,
                  size_t       vectors,
                  const float *packed,
                  Vector      *sums)
{
  const size_t step = 2 * PARTS * snapshots;

  for (size_t v = 0; v < vectors; v++, packed += block->bins * step * LANES)
    for (size_t part = 0; part < PARTS; part++)
      {
        const size_t at = v * ESK_BEAM_VECTOR + part * LANES;
        const Vector *data = (const Vector *) packed + part;
        const Vector twice = *track_at (track, ONE_RE, at) * 2.0f;
        const Pair p0 = pair_of (track, at);
        Pair p;

        EACH_BIN (block, bin, (p = p0), (p = reversed (p0)),
                  {
                    add_single (data + bin * step, sums + 2 * bin * snapshots, snapshots, &p);
                    go_on (&p, twice);
                  });
        turn_on (track, at);
      }
}
/* lab end */

/* The sums over the lanes of four vectors. */
#ifndef ADD_LANES
ALWAYS_INLINE void
add_lanes (const Vector x[4],
           float        sums[4])
{
  for (size_t n = 0; n < 4; n++)
    sums[n] = (x[n][0] + x[n][1]) + (x[n][2] + x[n][3]);
}
#define ADD_LANES(a, b, c, d, sums) add_lanes ((const Vector[4]) { a, b, c, d }, sums)
#endif

/* ---- an item ---- */

/* What one focus has gathered. */
typedef struct
{
  size_t focus;
  double band;
} Beam;

/* Power of one snapshot. */
ALWAYS_INLINE double
finish_snapshot (const EskBeamRun *run,
                 const Beam       *beam,
                 size_t            bin,
                 size_t            snapshot,
                 size_t            snapshots,
                 float             re,
                 float             im)
{
  const EskBeamPlan *plan = &run->beams->plan;
  const double own = run->own != NULL ? (double) run->own[bin * snapshots + snapshot] : 0.0;

  if (run->out != NULL)
    {
      float *out = run->out + ((beam->focus * snapshots + snapshot) * plan->bins + bin) * 2;

      out[0] = (float) ((double) re * plan->amplitude);
      out[1] = (float) ((double) im * plan->amplitude);
    }
  return (double) re * (double) re + (double) im * (double) im - own;
}

/* The sums of a block to the beams' Y, and Y to powers: sums of pairs, and of the singles of each beam. */
ALWAYS_INLINE void
finish_block (const EskBeamRun  *run,
              const EskBeamItem *item,
              size_t             first,
              const Block       *block,
              size_t             snapshots,
              const Vector      *pairs,
              const Vector      *singles[2],
              Beam               beams[2])
{
  const EskBeamPlan *plan = &run->beams->plan;
  const float half = item->conjugate ? 1.0f : 0.5f;
  const double factor = plan->normalisation / (double) snapshots;
  const bool with_pairs = run->pair_vectors > 0, with_singles = run->single_vectors > 0;
  const unsigned n_beams = item->twin != SIZE_MAX ? 2 : 1;

  for (size_t b = 0; b < block->bins; b++)
    {
      double powers[2] = { 0.0, 0.0 };

      for (size_t s = 0; s < snapshots; s++)
        {
          const size_t at = b * snapshots + s;
          float sums[4] = { 0.0f }, alone[4] = { 0.0f }, b_re, b_im;

          if (with_pairs)
            ADD_LANES (pairs[4 * at], pairs[4 * at + 1], pairs[4 * at + 2], pairs[4 * at + 3], sums);
          if (with_singles)
            ADD_LANES (singles[0][2 * at], singles[0][2 * at + 1], singles[1][2 * at], singles[1][2 * at + 1], alone);

          /* B = j (-s) D of conjugates. */
          b_re = item->conjugate ? -sums[3] : sums[2];
          b_im = item->conjugate ? sums[2] : sums[3];
          powers[0] += finish_snapshot (run, &beams[0], first + b, s, snapshots, half * (sums[0] + b_re) + alone[0],
                                        half * (sums[1] + b_im) + alone[1]);
          if (n_beams == 2)
            powers[1] += finish_snapshot (run, &beams[1], first + b, s, snapshots, half * (sums[0] - b_re) + alone[2],
                                          half * (sums[1] - b_im) + alone[3]);
        }
      for (unsigned n = 0; n < n_beams; n++)
        {
          beams[n].band += powers[n] * factor;
          if (run->by_bin != NULL)
            run->by_bin[beams[n].focus * plan->bins + first + b] = (float) (powers[n] * factor);
        }
    }
}

ALWAYS_INLINE void
form_blocks (const EskBeamRun  *run,
             const EskBeamItem *item,
             size_t             snapshots,
             float             *scratch)
{
  const EskBeams *beams = run->beams;
  const EskBeamPlan *plan = &beams->plan;
  const size_t bin_floats = esk_beam_bin_floats (run), numbers = beams->block * snapshots * LANES;
  const unsigned n_beams = item->twin != SIZE_MAX ? 2 : 1;
  const bool pairs = run->pair_vectors > 0, singles = run->single_vectors > 0;
  Beam gathered[2] = { { item->focus, 0.0 }, { item->twin, 0.0 } };
  Track p = { 0 }, q = { 0 }, single[2] = { { 0 }, { 0 } };
  Vector *pair_sums = (Vector *) scratch, *single_sums[2];
  size_t before = 0;

  single_sums[0] = (Vector *) (scratch + 4 * numbers);
  single_sums[1] = n_beams == 2 ? (Vector *) (scratch + 6 * numbers) : single_sums[0];
  scratch += 8 * numbers;
  if (pairs)
    {
      track_begin (&p, beams, &plan->foci[item->focus], &beams->pairs, &scratch);
      if (!item->conjugate)
        track_begin (&q, beams, &plan->foci[item->focus], &beams->partners, &scratch);
    }
  for (unsigned n = 0; singles && n < n_beams; n++)
    track_begin (&single[n], beams, &plan->foci[gathered[n].focus], &beams->singles, &scratch);

  for (size_t index = 0; index < beams->n_blocks; index++)
    {
      const size_t first = index * beams->block;
      const size_t bins = plan->bins - first < beams->block ? plan->bins - first : beams->block;
      const Block block = { bins, bins / 2 };
      const float *packed = run->packed + first * bin_floats;

      if (index % ESK_BEAM_BLOCKS_TURNED == 0 || bins != before)
        {
          const double frequency = plan->first_frequency + (double) (first + block.middle) * plan->bin_spacing;

          track_base (&p, frequency);
          track_base (&q, frequency);
          track_base (&single[0], frequency);
          track_base (&single[1], frequency);
        }
      before = bins;
      if (pairs)
        {
          memset (pair_sums, 0, 4 * bins * snapshots * sizeof (Vector));
          if (item->conjugate)
            block_of_conjugates (&block, snapshots, &p, run->pair_vectors, packed, pair_sums);
          else
            block_of_pairs (&block, snapshots, &p, &q, run->pair_vectors, packed, pair_sums);
        }
      packed += bins * snapshots * 4 * run->pair_vectors * ESK_BEAM_VECTOR;
      for (unsigned n = 0; singles && n < n_beams; n++)
        {
          memset (single_sums[n], 0, 2 * bins * snapshots * sizeof (Vector));
          block_of_singles (&block, snapshots, &single[n], run->single_vectors, packed, single_sums[n]);
        }
      finish_block (run, item, first, &block, snapshots, pair_sums,
                    (const Vector *[2]) { single_sums[0], single_sums[1] }, gathered);
    }
  for (unsigned n = 0; run->band != NULL && n < n_beams; n++)
    run->band[gathered[n].focus] = (float) gathered[n].band;
}

static void
form (void    *data,
      size_t   item,
      unsigned worker)
{
  const EskBeamRun *run = data;
  float *scratch = run->scratch + worker * run->scratch_floats;

  /* The number of snapshots is known to the compiler where it is one. */
  if (run->spectra->snapshots == 1)
    form_blocks (run, &run->beams->items[item], 1, scratch);
  else
    form_blocks (run, &run->beams->items[item], run->spectra->snapshots, scratch);
}

/* ---- packing ---- */

static void
pack (void    *data,
      size_t   bin,
      unsigned worker)
{
  const EskBeamRun *run = data;
  const EskBeams *beams = run->beams;
  const EskSpectra *spectra = run->spectra;
  const size_t snapshots = spectra->snapshots, first = bin / beams->block * beams->block;
  const size_t bins = beams->plan.bins - first < beams->block ? beams->plan.bins - first : beams->block;
  float *pairs = run->packed + first * esk_beam_bin_floats (run);
  float *singles = pairs + bins * snapshots * 4 * run->pair_vectors * ESK_BEAM_VECTOR;

  (void) worker;
  for (size_t s = 0; s < snapshots; s++)
    {
      const float *re = spectra->values + ((run->first_bin + bin) * snapshots + s) * 2 * spectra->stride;
      const float *im = re + spectra->stride;

      for (size_t v = 0; v < run->pair_vectors; v++)
        {
          float *to = pairs + ((v * bins + bin - first) * snapshots + s) * 4 * ESK_BEAM_VECTOR;

          for (size_t k = 0; k < ESK_BEAM_VECTOR; k++)
            {
              const size_t pair = v * ESK_BEAM_VECTOR + k;
              const bool there = pair < beams->n_pairs;
              const size_t one = there ? beams->pair[pair] : 0, other = there ? beams->partner[pair] : 0;

              to[k] = there ? re[one] + re[other] : 0.0f;
              to[k + ESK_BEAM_VECTOR] = there ? im[one] + im[other] : 0.0f;
              to[k + 2 * ESK_BEAM_VECTOR] = there ? re[one] - re[other] : 0.0f;
              to[k + 3 * ESK_BEAM_VECTOR] = there ? im[one] - im[other] : 0.0f;
            }
        }
      for (size_t v = 0; v < run->single_vectors; v++)
        {
          float *to = singles + ((v * bins + bin - first) * snapshots + s) * 2 * ESK_BEAM_VECTOR;

          for (size_t k = 0; k < ESK_BEAM_VECTOR; k++)
            {
              const size_t single = v * ESK_BEAM_VECTOR + k;
              const bool there = single < beams->n_singles;
              const size_t element = there ? beams->single[single] : 0;

              to[k] = there ? re[element] : 0.0f;
              to[k + ESK_BEAM_VECTOR] = there ? im[element] : 0.0f;
            }
        }
      if (run->own != NULL)
        {
          double own = 0.0;

          for (size_t k = 0; k < spectra->elements; k++)
            own += (double) re[k] * (double) re[k] + (double) im[k] * (double) im[k];
          run->own[bin * snapshots + s] = (float) own;
        }
    }
}
