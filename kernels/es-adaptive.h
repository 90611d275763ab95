/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

/*
 * Adaptive beams (sonar.md 5 to 7): what the hot spots adaptive_* (es-hotspots-adaptive.h) are given.
 *
 * Per bin: R = sum_s w_s X_s X_s' / sum_s w_s over snapshots X_s (elements), loaded with delta = loading trace (R) / B
 * on its diagonal; steering vector a_k = exp (+j 2 pi f Dl_k / c) with Dl_k of es-spectra.h; P = 1 / (a' (R + delta
 * I)^-1 a), the power of a plane wave (1: the mean square of one unit). Everything is float64 inside.
 *
 * An element that is 0 in every snapshot of a bin (a dead channel) takes no part in that bin: its a_k is 0 and B counts
 * the others. A bin in which all are (silence) has P = 0.
 */

#include "es-hotspots-stream.h"
#include "es-spectra.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Ways to a' (R + delta I)^-1 a; all of them exact. */
typedef enum {
  ESK_ADAPTIVE_CHOLESKY,       /* R + delta I = L L', |L^-1 a|^2 */
  /* The K x K Gram matrix of the snapshots, G + delta I = L L': P = delta / (B - |L^-1 X'a|^2); K = 1 in closed form.
   * No B x B matrix. Needs columns and a loading above 0. */
  ESK_ADAPTIVE_WOODBURY,
  ESK_ADAPTIVE_JACOBI,         /* two-sided rotations in round-robin order (sonar.md 7), sum |a'v|^2 / d */
  ESK_ADAPTIVE_EIGEN,          /* the same of LAPACK's or cuSOLVER's eigenvectors */
  ESK_N_ADAPTIVE_METHODS
} EskAdaptiveMethod;

/* Everything is copied by adaptive_new (). */
typedef struct {
  size_t          elements;
  const double   *positions;       /* elements x 3, metres, from the reference */
  size_t          n_foci;
  const EskFocus *foci;
  double          sound_speed;     /* m/s */
  double          first_frequency, bin_spacing;   /* Hz */
  size_t          bins;
  /* So many snapshots are kept, the newest, each with its weight. 0: R itself is kept instead, which is B x B a bin and
   * forgets without an end. */
  size_t          columns;
} EskAdaptivePlan;

typedef struct _EskAdaptive EskAdaptive;   /* prepared, and what has been heard so far */

/* One evaluation of what has been heard. Outputs are nullable, but not all of them. */
typedef struct {
  EskAdaptiveMethod method;
  double  loading;             /* delta / (trace (R) / B); >= 0 */
  size_t  sources;             /* of MUSIC: dimension of the signal subspace, below B; 0: there are no outputs for it */
  /* In the memory of the stream: [focus * bins + bin], and [focus] summed over the bins. */
  float  *by_bin, *band;
  /* MUSIC's pseudo-spectrum 1 / (1 - sum_{i < sources} |u_i'a|^2 / B) of unit eigenvectors u_i, >= 1 and at most 1e12,
   * and over the band 1 / mean of its reciprocals. Of silence: 1. Beyond the rank there are no eigenvectors to
   * count: of one snapshot there is one source. Any method: WOODBURY takes the eigenvectors of G, and CHOLESKY those
   * that EIGEN would. */
  float  *music_by_bin, *music_band;
  /* Host memory, [bin * n_eigenvalues + i], of R without its loading, descending; those beyond the rank are 0. */
  double *eigenvalues;
  size_t  n_eigenvalues;
  /* Any thread may set it (atomically) to something else than 0: the evaluation, which can take minutes, then ends
   * before the next bin, step of rotations or launch with ESK_ERROR_CANCELLED. NULL: nobody will. */
  const int *cancelled;
} EskAdaptiveRun;

typedef struct {
  double   matrix, factor, spectrum;   /* seconds; summed over bins and threads of the CPU divided by its threads */
  size_t   used;               /* snapshots in it; 0: R is kept and nobody counts */
  /* JACOBI: over all bins; sweeps: of the bin that took most; off: the largest norm off the diagonal that was left over
   * the norm of the matrix. */
  size_t   sweeps;
  uint64_t rotations;
  double   off;
  size_t   singular_bin;       /* the first, where ESK_ERROR_SINGULAR is returned */
} EskAdaptiveReport;

/* ---- for the host ---- */

/* a of a focus at a frequency (Hz), elements complex numbers; the definition that back ends are tested with. */
void esk_adaptive_steering (const EskAdaptivePlan *plan, const EskFocus *focus, double frequency, double *steering);

/*
 * w = (R + delta I)^-1 a / (a' (R + delta I)^-1 a), elements complex numbers, from what adaptive_state () brought:
 * `used` columns [column][part][element] with their weights, or (columns NULL) the matrix [row][column] complex. Dead
 * elements have the weight 0. ESK_ERROR_SINGULAR, _MEMORY, _ARGUMENT.
 */
int esk_adaptive_weights   (size_t elements, size_t used, const float *columns, const double *weights,
                            const double *matrix, double loading, const double *steering, double *w);
/* Eigenvalues of R without loading, descending, n of them (those beyond the rank 0); from the same. */
int esk_adaptive_eigenvalues (size_t elements, size_t used, const float *columns, const double *weights,
                              const double *matrix, size_t n, double *values);

/* Hermitian eigenproblems in float64: matrix n x n complex row-major, left as it was; values descend; vectors n x n,
 * row k belongs to values[k] (the vector itself, not its conjugate), unit length. As esk_eigen_lapack () otherwise. */
int esk_eigen_hermitian_lapack (size_t n, const double *matrix, double *values, double *vectors);
/* Two-sided Jacobi, pairs in round-robin order: n - 1 steps of n / 2 pairs a sweep. Stops where no pivot is above
 * 1e-15 of the norm, at most max_sweeps. off_norm: what is left off the diagonal over the norm. */
int esk_eigen_hermitian_jacobi (size_t n, const double *matrix, double *values, double *vectors, unsigned max_sweeps,
                                unsigned *sweeps, uint64_t *rotations, double *off_norm);
/* The pairs of a step of a sweep (0 <= step < n - 1 rounded up to odd): pairs[2 i] < pairs[2 i + 1], n / 2 of them; odd
 * n: that of the dummy is left out. Returns how many. */
size_t esk_round_robin     (size_t n, size_t step, uint32_t *pairs);

#ifdef __cplusplus
}
#endif
