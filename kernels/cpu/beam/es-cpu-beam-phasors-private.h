/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Part of es-cpu-beam-loops-private.h: phasors of the elements, from bin to bin by recurrence. */

/* ---- phasors ---- */

/* What is known of a set of elements: n floats (whole vectors) each, one after the other. */
enum { BASE_RE, BASE_IM, ONE_RE, ONE_IM, BLOCK_RE, BLOCK_IM, N_TRACK };

typedef struct
{
  size_t  n;
  double *delays;
  float  *values;              /* N_TRACK * n */
} Track;

ALWAYS_INLINE Vector *
track_at (const Track *track,
          int          what,
          size_t       at)
{
  return (Vector *) (track->values + (size_t) what * track->n + at);
}

/*
 * e^(-j 2 pi turns) of float64 turns, reduced to an eighth of a turn before they become float32; sine and cosine by
 * polynomials fitted there. Wrong by 1e-7 at most, which matters: recurrences make it 30 times larger.
 */
ALWAYS_INLINE void
phasor_of (Doubles turns,
           Vector *re,
           Vector *im)
{
  const double rounder = 0x1.8p52;
  const Doubles quarters = turns * 4.0 + rounder;
  /* The lowest bits of such a sum are those of the whole number of quarters. */
  const Ints quarter = __builtin_convertvector ((Longs) quarters & 3, Ints);
  const Vector zero = { 0.0f }, t = __builtin_convertvector (turns - (quarters - rounder) * 0.25, Vector), u = t * t;
  Vector s = MULTIPLY_ADD (u, zero - 75.4018402f, zero + 81.5925446f);
  Vector c = MULTIPLY_ADD (u, zero + 59.424221f, zero - 85.448822f);
  Ints swap, bits_s, bits_c;

  s = MULTIPLY_ADD (u, s, zero - 41.3416634f);
  c = MULTIPLY_ADD (u, c, zero + 64.9393692f);
  s = MULTIPLY_ADD (u, s, zero + 6.28318548f) * t;
  c = MULTIPLY_ADD (u, c, zero - 19.7392082f);
  c = MULTIPLY_ADD (u, c, zero + 1.0f);

  swap = (quarter & 1) != 0;
  bits_c = ((Ints) c & ~swap) | ((Ints) s & swap);
  bits_s = ((Ints) s & ~swap) | ((Ints) c & swap);
  *re = (Vector) (bits_c ^ ((quarter + 1) & 2) << 30);
  *im = (Vector) (bits_s ^ (~quarter & 2) << 30);
}

/* The delays of one focus, as esk_beam_delays () has them but for the last bit. */
static void
find_delays (const EskBeamPlan   *plan,
             const EskFocus      *p,
             const EskBeamPlaces *places,
             double              *delays)
{
  const double *xs = places->x, *ys = places->y, *zs = places->z, slowness = 1.0 / plan->sound_speed;
  const double px = p->x, py = p->y, pz = p->z, range = sqrt (px * px + py * py + pz * pz);

  if (!p->near)
    for (size_t k = 0; k < places->padded; k++)
      delays[k] = (px * xs[k] + py * ys[k] + pz * zs[k]) * slowness;
  else
    for (size_t k = 0; k < places->padded; k++)
      {
        const double x = xs[k], y = ys[k], z = zs[k], along = px * x + py * y + pz * z;
        const double dx = px - x, dy = py - y, dz = pz - z;
        const double both = range + sqrt (dx * dx + dy * dy + dz * dz);
        const double difference = (2.0 * along - (x * x + y * y + z * z)) / both;

        delays[k] = (both > 0.0 ? difference : 0.0) * slowness;
      }
}

static void
track_begin (Track               *track,
             const EskBeams      *beams,
             const EskFocus      *focus,
             const EskBeamPlaces *places,
             float              **scratch)
{
  const double spacing = beams->plan.bin_spacing, block = (double) beams->block * spacing;

  track->n = places->padded;
  track->delays = (double *) *scratch;
  track->values = *scratch + 2 * track->n;
  *scratch += (2 + N_TRACK) * track->n;

  find_delays (&beams->plan, focus, places, track->delays);
  for (size_t k = 0; k < track->n; k += LANES)
    {
      Doubles delays;

      memcpy (&delays, track->delays + k, sizeof delays);
      phasor_of (delays * spacing, track_at (track, ONE_RE, k), track_at (track, ONE_IM, k));
      phasor_of (delays * block, track_at (track, BLOCK_RE, k), track_at (track, BLOCK_IM, k));
    }
}

static void
track_base (const Track *track,
            double       frequency)
{
  for (size_t k = 0; k < track->n; k += LANES)
    {
      Doubles delays;

      memcpy (&delays, track->delays + k, sizeof delays);
      phasor_of (delays * frequency, track_at (track, BASE_RE, k), track_at (track, BASE_IM, k));
    }
}

/* lab: beams-production */
/* A phasor at two neighbouring bins, which go on up or down. */
typedef struct
{
  Vector re, im, before_re, before_im;
} Pair;

/* At the middle of a block, and one bin below it. */
ALWAYS_INLINE Pair
pair_of (const Track *track,
         size_t       at)
{
  const Vector re = *track_at (track, BASE_RE, at), im = *track_at (track, BASE_IM, at);
  const Vector one_re = *track_at (track, ONE_RE, at), one_im = *track_at (track, ONE_IM, at);

  return (Pair) { re, im, MULTIPLY_ADD (re, one_re, im * one_im), SUBTRACT_PRODUCT (re, one_im, im * one_re) };
}

ALWAYS_INLINE Pair
reversed (Pair x)
{
  return (Pair) { x.before_re, x.before_im, x.re, x.im };
}

ALWAYS_INLINE void
go_on (Pair  *x,
       Vector twice)
{
  const Vector re = MULTIPLY_SUBTRACT (twice, x->re, x->before_re);
  const Vector im = MULTIPLY_SUBTRACT (twice, x->im, x->before_im);

  x->before_re = x->re;
  x->before_im = x->im;
  x->re = re;
  x->im = im;
}
/* lab end */

/* The middle of the next block. */
ALWAYS_INLINE void
turn_on (const Track *track,
         size_t       at)
{
  Vector *re = track_at (track, BASE_RE, at), *im = track_at (track, BASE_IM, at);
  const Vector by_re = *track_at (track, BLOCK_RE, at), by_im = *track_at (track, BLOCK_IM, at), x = *re, y = *im;

  *re = MULTIPLY_SUBTRACT (x, by_re, y * by_im);
  *im = MULTIPLY_ADD (x, by_im, y * by_re);
}
