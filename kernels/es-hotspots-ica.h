/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

/* Independent components of whitened samples (hyperspectral.md 2.3). */

#include "es-covariance.h"
#include "es-hotspots-stream.h"
#include "es-tile.h"

#ifdef __cplusplus
extern "C" {
#endif

/* g, g' and G of the table in 2.3; `slope` is the a of tanh (a y). */
typedef enum { ESK_CONTRAST_CUBIC, ESK_CONTRAST_TANH, ESK_CONTRAST_GAUSS, ESK_N_CONTRASTS } EskContrastKind;
typedef struct {
  EskContrastKind kind;
  double          slope;
} EskContrast;

/* Sums of one step, host memory of the caller's; what is there is added to. w has `rows` vectors of `columns`. */
typedef struct {
  size_t   rows, columns;
  int64_t  count;              /* samples */
  double  *product;            /* rows x columns: sum of z g (w'z) */
  double  *derivative;         /* rows: sum of g' (w'z) */
} EskIcaSums;

/* Of y = w'z, a vector of w each: sums of y^2, y^3, y^4 and of the contrast G (y). */
typedef struct {
  double second, third, fourth, contrast;
} EskIcaMoments;

/* How many monomials esk moment_sums () sums over: m of the first degree and m (m + 1) / 2 of the second. */
static inline size_t
esk_n_monomials (size_t m)
{
  return m + m * (m + 1) / 2;
}
/* Where z_i z_j is among them, j <= i. */
static inline size_t
esk_monomial (size_t m, size_t i, size_t j)
{
  return m + i * (i + 1) / 2 + j;
}

/* Which samples an iteration uses: sample p of the tile is pixel `first` + (p / width) * stride + p % width of the
 * cube; it is kept where the upper 32 bits of esk_sample_hash (seed, pixel) are below `keep` (2^32: all). */
typedef struct {
  uint64_t seed, first, stride;
  size_t   width;
  uint64_t keep;
} EskSampling;

/* splitmix64's finaliser of seed and pixel: the same on every device. */
static inline uint64_t
esk_sample_hash (uint64_t seed, uint64_t pixel)
{
  uint64_t h = seed * 0x9e3779b97f4a7c15u + pixel;

  h = (h ^ (h >> 30)) * 0xbf58476d1ce4e5b9u;
  h = (h ^ (h >> 27)) * 0x94d049bb133111ebu;
  return h ^ (h >> 31);
}

typedef struct {
  /*
   * Packs samples of float32 planes: those of the n that are kept by `sampling` (NULL: all) and finite in the first
   * plane, in their order, to out. planes and out lie in the stream's memory and do not overlap. *count, in host
   * memory, is how many there were; it is there when this returns.
   */
  int (*compact)         (EskStream *stream, const float *planes, size_t n, size_t plane_stride, size_t n_planes,
                          const EskSampling *sampling, float *out, size_t out_stride, size_t *count);

  /* One step of FastICA over `count` whitened samples (planes of float32 in the stream's memory, all finite):
   * w is rows x columns in host memory, 1 <= rows <= columns planes. Float32 inside a few hundred samples, float64
   * across; the same bytes for the same samples. The sums are there when this returns. */
  int (*ica_step)        (EskStream *stream, const float *whitened, size_t count, size_t plane_stride,
                          const EskContrast *contrast, const EskMatrix *w, EskIcaSums *sums);
  /* The moments of w'z, added to moments[w->rows]. */
  int (*ica_moments)     (EskStream *stream, const float *whitened, size_t count, size_t plane_stride,
                          const EskContrast *contrast, const EskMatrix *w, EskIcaMoments *moments);
  /* Adds the monomials of degree one and two of the m planes (esk_monomial ()) to covariance sums of
   * esk_n_monomials (m) "bands", not exact, with their shift: with it all moments up to the fourth. Collected by
   * covariance_collect () like others. Samples are finite. */
  int (*moment_sums)     (EskStream *stream, const float *whitened, size_t count, size_t plane_stride, size_t m,
                          EskCovariance *sums);
} EskIcaHotspots;

#ifdef __cplusplus
}
#endif
