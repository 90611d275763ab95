/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Adaptive beams for the host: one steering vector, one set of weights, the eigenvalues of one bin. */

#include "es-adaptive.h"
#include "es-hotspots-stream.h"

#include "es-blas-internal.h"

#include <cblas.h>
#include <float.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

extern void zpotrf_ (const char *uplo, const blasint *n, double *a, const blasint *lda, blasint *info);
extern void zpotrs_ (const char *uplo, const blasint *n, const blasint *nrhs, const double *a, const blasint *lda,
                     double *b, const blasint *ldb, blasint *info);

void
esk_adaptive_steering (const EskAdaptivePlan *plan,
                       const EskFocus        *focus,
                       double                 frequency,
                       double                *steering)
{
  const EskBeamPlan beams = { .elements = plan->elements, .positions = plan->positions, .n_foci = 1, .foci = focus,
                              .sound_speed = plan->sound_speed };

  /* The delays take the place of the real parts first. */
  esk_beam_delays (&beams, 0, steering);
  for (size_t k = plan->elements; k-- > 0;)
    {
      const double turns = frequency * steering[k], phase = 2.0 * M_PI * (turns - rint (turns));

      steering[2 * k] = cos (phase);
      steering[2 * k + 1] = sin (phase);
    }
}

/* ---- one bin ---- */

/* The living elements of a bin, and the problem made of them: R (row-major, n x n), or the Gram matrix of the columns
 * X, which are kept as rows then. */
typedef struct
{
  size_t    elements, living, order;
  uint32_t *index;             /* of the living */
  bool      gram;
  double   *columns;           /* used x living complex, times the roots of their weights; NULL: a matrix */
  double   *matrix;            /* order x order complex */
  double    trace;
} Bin;

static void
bin_clear (Bin *bin)
{
  free (bin->index);
  free (bin->columns);
  free (bin->matrix);
}

static bool
fits (size_t rows,
      size_t columns)
{
  size_t numbers;

  return rows <= INT_MAX && columns <= INT_MAX && !__builtin_mul_overflow (rows, columns, &numbers)
         && numbers <= SIZE_MAX / (4 * sizeof (double));
}

static void
find_living (Bin          *bin,
             size_t        used,
             const float  *columns,
             const double *matrix)
{
  const size_t n = bin->elements;

  for (size_t k = 0; k < n; k++)
    {
      bool lives = columns == NULL && matrix[2 * (k * n + k)] != 0.0;

      for (size_t s = 0; columns != NULL && s < used && !lives; s++)
        lives = columns[2 * s * n + k] != 0.0f || columns[(2 * s + 1) * n + k] != 0.0f;
      if (lives)
        bin->index[bin->living++] = (uint32_t) k;
    }
}

static void
pack_columns (Bin          *bin,
              size_t        used,
              const float  *columns,
              const double *weights)
{
  const size_t n = bin->elements;

  for (size_t s = 0; s < used; s++)
    {
      const double root = sqrt (weights[s]);
      double *out = bin->columns + 2 * s * bin->living;

      for (size_t k = 0; k < bin->living; k++)
        {
          out[2 * k] = root * (double) columns[2 * s * n + bin->index[k]];
          out[2 * k + 1] = root * (double) columns[(2 * s + 1) * n + bin->index[k]];
        }
    }
}

/* The other half of what zherk has made of one: row-major, lower. */
static void
mirror (size_t  n,
        double *matrix)
{
  for (size_t row = 0; row < n; row++)
    for (size_t column = 0; column < row; column++)
      {
        matrix[2 * (column * n + row)] = matrix[2 * (row * n + column)];
        matrix[2 * (column * n + row) + 1] = -matrix[2 * (row * n + column) + 1];
      }
}

static void
form_matrix (Bin          *bin,
             size_t        used,
             const double *matrix)
{
  const blasint n = (blasint) bin->living, k = (blasint) used;

  if (bin->columns == NULL)
    for (size_t row = 0; row < bin->living; row++)
      for (size_t column = 0; column < bin->living; column++)
        memcpy (bin->matrix + 2 * (row * bin->living + column),
                matrix + 2 * (bin->index[row] * bin->elements + bin->index[column]), 2 * sizeof (double));
  else if (bin->gram)
    /* (s, t): sum_k X_sk conj (X_tk), the conjugate of X'X. */
    cblas_zherk (CblasRowMajor, CblasLower, CblasNoTrans, k, n, 1.0, bin->columns, n, 0.0, bin->matrix, k);
  else
    {
      /* Of rows X_s that is sum_s conj (X_sk) X_sl, the conjugate of R: turned round it is R. */
      cblas_zherk (CblasRowMajor, CblasUpper, CblasConjTrans, n, k, 1.0, bin->columns, n, 0.0, bin->matrix, n);
      for (size_t row = 0; row < bin->living; row++)
        for (size_t column = 0; column <= row; column++)
          {
            bin->matrix[2 * (row * bin->living + column)] = bin->matrix[2 * (column * bin->living + row)];
            bin->matrix[2 * (row * bin->living + column) + 1] = bin->matrix[2 * (column * bin->living + row) + 1];
          }
    }
  if (bin->columns != NULL)
    mirror (bin->order, bin->matrix);
  bin->trace = 0.0;
  for (size_t k_ = 0; k_ < bin->order; k_++)
    bin->trace += bin->matrix[2 * (k_ * bin->order + k_)];
}

/* gram: the smaller problem is allowed. */
static int
bin_init (Bin          *bin,
          size_t        elements,
          size_t        used,
          const float  *columns,
          const double *weights,
          const double *matrix,
          bool          gram)
{
  if (elements < 1 || (columns == NULL) == (matrix == NULL) || (columns != NULL && (used < 1 || weights == NULL))
      || !fits (elements, elements) || (columns != NULL && !fits (elements, used)))
    return ESK_ERROR_ARGUMENT;

  *bin = (Bin) { .elements = elements, .index = malloc (elements * sizeof *bin->index) };
  if (bin->index == NULL)
    return ESK_ERROR_MEMORY;
  find_living (bin, used, columns, matrix);
  bin->gram = gram && columns != NULL && used < bin->living;
  bin->order = bin->gram ? used : bin->living;
  if (bin->living == 0)
    return ESK_OK;

  if (columns != NULL)
    bin->columns = malloc (used * bin->living * 2 * sizeof (double));
  bin->matrix = malloc (bin->order * bin->order * 2 * sizeof (double));
  if (bin->matrix == NULL || (columns != NULL && bin->columns == NULL))
    return ESK_ERROR_MEMORY;
  if (columns != NULL)
    pack_columns (bin, used, columns, weights);
  if (esk_blas_enter () != ESK_OK)
    return ESK_ERROR_MEMORY;
  form_matrix (bin, used, matrix);
  esk_blas_leave ();

  return isfinite (bin->trace) ? ESK_OK : ESK_ERROR_ARGUMENT;
}

/* x := (matrix + delta I)^-1 x; the matrix is lost. */
static int
solve (Bin    *bin,
       double  delta,
       double *x)
{
  const blasint n = (blasint) bin->order, one = 1;
  const double least = (double) (bin->order < 16 ? 16 : bin->order) * DBL_EPSILON;
  double *diagonal = malloc (bin->order * sizeof (double));
  blasint info = 0;
  int code = ESK_OK;

  if (diagonal == NULL || esk_blas_enter () != ESK_OK)
    {
      free (diagonal);
      return ESK_ERROR_MEMORY;
    }
  for (size_t k = 0; k < bin->order; k++)
    {
      bin->matrix[2 * (k * bin->order + k)] += delta;
      diagonal[k] = bin->matrix[2 * (k * bin->order + k)];
    }
  /* To LAPACK it is the conjugate: its solution for conj (x) is the conjugate of ours. */
  for (size_t k = 0; k < bin->order; k++)
    x[2 * k + 1] = -x[2 * k + 1];
  zpotrf_ ("U", &n, bin->matrix, &n, &info);
  if (info != 0)
    code = ESK_ERROR_SINGULAR;
  for (size_t k = 0; k < bin->order && code == ESK_OK; k++)
    {
      const double root = bin->matrix[2 * (k * bin->order + k)];

      if (!(root * root > least * diagonal[k]))
        code = ESK_ERROR_SINGULAR;
    }
  if (code == ESK_OK)
    zpotrs_ ("U", &n, &one, bin->matrix, &n, x, &n, &info);
  esk_blas_leave ();
  for (size_t k = 0; k < bin->order; k++)
    x[2 * k + 1] = -x[2 * k + 1];
  free (diagonal);

  return code;
}

/* x := (R + delta I)^-1 a of the living elements, but for a factor that the weights do not know of. */
static int
apply_inverse (Bin          *bin,
               double        loading,
               const double *a,
               double       *x)
{
  const double delta = loading * bin->trace / (double) bin->living;
  const size_t n = bin->living;
  double *y;
  int code;

  memcpy (x, a, n * 2 * sizeof (double));
  if (!bin->gram)
    return solve (bin, delta, x);
  if (delta <= 0.0)
    return ESK_ERROR_SINGULAR;

  /* a - X (G + delta I)^-1 X'a; of the conjugate of G, and so of X'a. */
  y = calloc (bin->order, 2 * sizeof (double));
  if (y == NULL)
    return ESK_ERROR_MEMORY;
  for (size_t s = 0; s < bin->order; s++)
    for (size_t k = 0; k < n; k++)
      {
        const double *column = bin->columns + 2 * (s * n + k);

        y[2 * s] += column[0] * a[2 * k] + column[1] * a[2 * k + 1];
        y[2 * s + 1] -= column[0] * a[2 * k + 1] - column[1] * a[2 * k];
      }
  code = solve (bin, delta, y);
  for (size_t s = 0; s < bin->order && code == ESK_OK; s++)
    for (size_t k = 0; k < n; k++)
      {
        const double *column = bin->columns + 2 * (s * n + k);

        x[2 * k] -= column[0] * y[2 * s] + column[1] * y[2 * s + 1];
        x[2 * k + 1] -= column[1] * y[2 * s] - column[0] * y[2 * s + 1];
      }
  free (y);

  return code;
}

int
esk_adaptive_weights (size_t        elements,
                      size_t        used,
                      const float  *columns,
                      const double *weights,
                      const double *matrix,
                      double        loading,
                      const double *steering,
                      double       *w)
{
  double *a = NULL, *x = NULL, gain_re = 0.0, gain_im = 0.0, square;
  Bin bin = { 0 };
  int code;

  if (steering == NULL || w == NULL || !(loading >= 0.0) || !isfinite (loading))
    return ESK_ERROR_ARGUMENT;
  code = bin_init (&bin, elements, used, columns, weights, matrix, loading > 0.0);
  if (code != ESK_OK)
    goto out;
  code = ESK_ERROR_SINGULAR;
  if (bin.living == 0 || (columns != NULL && loading == 0.0 && used < bin.living))
    goto out;
  code = ESK_ERROR_MEMORY;
  a = malloc (bin.living * 2 * sizeof (double));
  x = malloc (bin.living * 2 * sizeof (double));
  if (a == NULL || x == NULL)
    goto out;

  for (size_t k = 0; k < bin.living; k++)
    memcpy (a + 2 * k, steering + 2 * bin.index[k], 2 * sizeof (double));
  code = apply_inverse (&bin, loading, a, x);
  if (code != ESK_OK)
    goto out;
  for (size_t k = 0; k < bin.living; k++)
    {
      gain_re += a[2 * k] * x[2 * k] + a[2 * k + 1] * x[2 * k + 1];
      gain_im += a[2 * k] * x[2 * k + 1] - a[2 * k + 1] * x[2 * k];
    }
  square = gain_re * gain_re + gain_im * gain_im;
  memset (w, 0, elements * 2 * sizeof (double));
  for (size_t k = 0; k < bin.living; k++)
    {
      w[2 * bin.index[k]] = (x[2 * k] * gain_re + x[2 * k + 1] * gain_im) / square;
      w[2 * bin.index[k] + 1] = (x[2 * k + 1] * gain_re - x[2 * k] * gain_im) / square;
    }

out:
  free (a);
  free (x);
  bin_clear (&bin);
  return code;
}

int
esk_adaptive_eigenvalues (size_t        elements,
                          size_t        used,
                          const float  *columns,
                          const double *weights,
                          const double *matrix,
                          size_t        n,
                          double       *values)
{
  double *all = NULL;
  Bin bin = { 0 };
  int code;

  if (n < 1 || values == NULL)
    return ESK_ERROR_ARGUMENT;
  code = bin_init (&bin, elements, used, columns, weights, matrix, true);
  if (code != ESK_OK)
    goto out;
  for (size_t k = 0; k < n; k++)
    values[k] = 0.0;
  if (bin.living == 0)
    goto out;
  all = malloc (bin.order * sizeof (double));
  code = all != NULL ? esk_eigen_hermitian_lapack (bin.order, bin.matrix, all, NULL) : ESK_ERROR_MEMORY;
  for (size_t k = 0; k < n && k < bin.order && code == ESK_OK; k++)
    if (all[k] > (double) (bin.order < 16 ? 16 : bin.order) * DBL_EPSILON * all[0])
      values[k] = all[k];

out:
  free (all);
  bin_clear (&bin);
  return code;
}
