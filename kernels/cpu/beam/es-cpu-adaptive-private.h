/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

/*
 * Adaptive beams of the CPU back end, in float64.
 *
 * Every matrix is kept in panels of ESK_ADAPTIVE_ROWS rows: a panel is, for each column, the real parts of its rows and
 * then their imaginary parts. Everything that costs time has then one form, C +- A B' of panels: the sums of a matrix
 * (A = B: elements as rows, snapshots as columns), the Gram matrix (snapshots as rows, elements as columns), X'a (foci
 * as rows), the updates of a Cholesky factor, and those of rows that are solved for: a row r that stands below a matrix
 * while it is factored becomes r L^-H, whose square is r (L L')^-1 r'. So foci are more rows of the matrix.
 *
 * Of a Hermitian matrix panel i has its columns up to the diagonal, ESK_ADAPTIVE_ROWS (i + 1) of them; panels follow
 * one another.
 */

#include "es-adaptive.h"

#include "cpu/core/es-cpu-internal.h"
#include "cpu/core/es-cpu-team-internal.h"

#define ESK_ADAPTIVE_ROWS 16
/* Doubles of a column of a panel, and of a square tile of it. */
#define ESK_ADAPTIVE_COLUMN (2 * ESK_ADAPTIVE_ROWS)
#define ESK_ADAPTIVE_TILE (ESK_ADAPTIVE_ROWS * ESK_ADAPTIVE_COLUMN)
/* Columns that are multiplied at a time: two panels of them lie in the first and second cache. */
#define ESK_ADAPTIVE_RUN 128

/* The foci of a panel, or fewer: the rest repeats the last. */
typedef struct
{
  _Alignas (64) double x[ESK_ADAPTIVE_ROWS], y[ESK_ADAPTIVE_ROWS], z[ESK_ADAPTIVE_ROWS];
  double range[ESK_ADAPTIVE_ROWS];
  int64_t near[ESK_ADAPTIVE_ROWS];   /* 0 or -1 */
  bool   any_near;
} EskFocusPanel;

/*
 * A step's rotations as columns see them: columns 1 .. n (n odd) go round, and column 1 + i is turned with the one that
 * stands at `shift` + i of them written backwards twice: new = c old + w partner. Padded to whole vectors with c = 1
 * and w = 0, as is column 1 + lone, whose partner is column 0: that rotation is first_c and s = first_re + j first_im.
 */
typedef struct
{
  size_t  n, shift, lone;
  double *c, *w_re, *w_im;
  double  first_c, first_re, first_im;
  size_t  scratch;             /* doubles of half of the scratch */
} EskColumns;

typedef struct
{
  const char *name;

  /* c += sign * a b' over n columns, of the first `columns` rows of b (at most ESK_ADAPTIVE_ROWS). */
  void (*product) (const double *a, const double *b, size_t n, size_t columns, double sign, double *c);
  /* The same of real rows, the real or the imaginary parts of a panel: c += a conj (b). */
  void (*product_real) (const double *a, const double *b, size_t n, size_t columns, double *c);
  /* Square tile on the diagonal to its factor. least: what a pivot has to be above. false: one is not. */
  bool (*factor)  (double *tile, const double *least);
  /* c -> c L^-H, L the tile on the diagonal. */
  void (*solve)   (double *c, const double *tile);
  /* exp (j 2 pi frequency delay) of elements at positions (3 x n) for the foci of a panel; frequency may be below 0. */
  void (*steer)   (const EskFocusPanel *foci, const double *positions, size_t n, double sound_speed, double frequency,
                   double *out);
  /* sums[row] += sum over n columns of weights (NULL: 1) times the squared magnitude. */
  void (*squares) (const double *a, size_t n, const double *weights, double *sums);

  /* Two rows, each of n real parts and, `plane` doubles on, n imaginary ones (n a multiple of 8):
   * p' = c p - s q, q' = conj (s) p + c q. */
  void (*rotate)  (double *p, double *q, size_t n, size_t plane, double c, double s_re, double s_im);
  /* The rotations of the columns in one row. */
  void (*turn_columns) (double *row, size_t plane, const EskColumns *columns, double *scratch);
} EskCpuAdaptiveLoops;

extern const EskCpuAdaptiveLoops esk_cpu_adaptive_loops_portable;
/* NULL where the program has been built for another processor. */
extern const EskCpuAdaptiveLoops * const esk_cpu_adaptive_loops_avx2;
extern const EskCpuAdaptiveLoops * const esk_cpu_adaptive_loops_avx512;
const EskCpuAdaptiveLoops *esk_cpu_adaptive_loops (const EskStream *stream);

/* A focus, or two whose delays are each other's negatives. */
typedef struct
{
  size_t focus, twin;          /* twin: SIZE_MAX where there is none */
} EskAdaptiveLook;

/*
 * Symmetry saves most of X'a (of WOODBURY). With delays counted from the middle, a' of a focus that looks the other way
 * is the conjugate of a: of a = c + j s both are made of E = sum c X and O = sum s X, as E + j O and E - j O. Where
 * elements lie opposite each other (k and k'), c_k' = c_k and s_k' = -s_k: E and O are sums over half of the elements,
 * of X_k + X_k' and X_k - X_k'.
 */
struct _EskAdaptive
{
  EskAdaptivePlan plan;        /* with its own positions and foci */
  size_t          stride;      /* of a column's parts */

  /* Where columns are kept: of a bin plan.columns slots; slot `first` is the oldest of `used`. */
  float          *ring;        /* ((bin * columns + slot) * 2 + part) * stride + element */
  double         *slot_weights;
  size_t          first, used;
  /* Where the matrix is: sums in panels, a bin after the other, and the sum of the weights. */
  double         *matrices;
  size_t          matrix_size; /* doubles of one */
  double          weight;

  /* Element opposites[k] lies opposite opposites[elements - 1 - k], at half_positions from the middle; n_half of them,
   * 0 where they do not. */
  uint32_t       *opposites;
  double         *half_positions;
  size_t          n_half;
  /* Foci in the order they are taken: n_twins with a twin, up to n_far those far away, up to n_looks near ones. */
  EskAdaptiveLook *looks;
  size_t          n_twins, n_far, n_looks;
};

static inline size_t
esk_adaptive_panels (size_t rows)
{
  return (rows + ESK_ADAPTIVE_ROWS - 1) / ESK_ADAPTIVE_ROWS;
}

/* esk_eigen_hermitian_jacobi () with the threads of the stream, where it is not NULL: for the same bytes. cancelled as
 * in EskAdaptiveRun. */
int esk_cpu_jacobi (const EskCpuAdaptiveLoops *loops, EskStream *stream, size_t n, const double *matrix,
                    const int *cancelled, double *values, double *vectors, unsigned max_sweeps, unsigned *sweeps,
                    uint64_t *rotations, double *off_norm);

/* Where panel i of a Hermitian matrix begins; of their number: how many doubles it takes. */
static inline size_t
esk_adaptive_panel_at (size_t i)
{
  return i * (i + 1) / 2 * ESK_ADAPTIVE_TILE;
}

/* Where the real part of (row, column) is, column <= row or in its tile; the imaginary one is ESK_ADAPTIVE_ROWS on. */
static inline size_t
esk_adaptive_at (size_t row,
                 size_t column)
{
  return esk_adaptive_panel_at (row / ESK_ADAPTIVE_ROWS) + column * ESK_ADAPTIVE_COLUMN + row % ESK_ADAPTIVE_ROWS;
}

/* The columns of one bin, oldest first. */
static inline const float *
esk_adaptive_column (const EskAdaptive *self,
                     size_t             bin,
                     size_t             index)
{
  return self->ring + (bin * self->plan.columns + (self->first + index) % self->plan.columns) * 2 * self->stride;
}

/* Fills in opposites and looks. false: no memory. */
bool esk_adaptive_find_symmetry (EskAdaptive *self);

/* Of the columns, oldest first; they sum to 1. */
void esk_adaptive_column_weights (const EskAdaptive *self, double *weights);

/* lower += weight a a': `rows` rows of `columns` columns, panel_size doubles from one panel to the next. */
void esk_adaptive_multiply (const EskCpuAdaptiveLoops *loops, const double *a, size_t rows, size_t panel_size,
                            size_t columns, double weight, double *lower);
/* The factor in place; least: of each row (filled up) what its pivot has to be above. false: one is not. */
bool esk_adaptive_factor   (const EskCpuAdaptiveLoops *loops, double *lower, size_t n_panels, const double *least);
/* Rows r of n_rows panels, row_size doubles apart, become r L^-H. */
void esk_adaptive_solve    (const EskCpuAdaptiveLoops *loops, const double *lower, size_t n_panels, double *rows,
                            size_t n_rows, size_t row_size);

EskAdaptive *esk_cpu_adaptive_new (EskStream *stream, const EskAdaptivePlan *plan, int *code);
void esk_cpu_adaptive_free  (EskAdaptive *adaptive);
int  esk_cpu_adaptive_reset (EskStream *stream, EskAdaptive *adaptive);
int  esk_cpu_adaptive_add   (EskStream *stream, EskAdaptive *adaptive, const EskSpectra *spectra, size_t first_bin,
                             double keep, double weight);
int  esk_cpu_adaptive_power (EskStream *stream, EskAdaptive *adaptive, const EskAdaptiveRun *run,
                             EskAdaptiveReport *report);
int  esk_cpu_adaptive_state (EskStream *stream, EskAdaptive *adaptive, size_t bin, float *columns, double *weights,
                             double *matrix, size_t *used);
