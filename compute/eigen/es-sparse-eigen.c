/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-sparse-eigen-private.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#include "base/es-error.h"
#include "device/es-device-internal.h"
#include "es-eigen.h"
#include "libraries/es-library-internal.h"

/* Up to so many rows LAPACK finds all pairs sooner. */
#define DENSE_ROWS 160

/* ARPACK takes a value below 4e-11, of the matrix or of its inverse, for known as soon as it is to a part of that:
 * matrices whose norm does not lie between these are scaled. */
#define LEAST_NORM 1e-8
#define MOST_NORM  1e8

/* For plans: products for a pair, where these alone have to do; numbers in the factor of a grid of n rows, of n log2 n;
 * operations of LAPACK for all pairs, of n^3. */
#define PAIR_PRODUCTS    60
#define GRID_VALUES      3.3
#define DENSE_OPERATIONS 9

#define DEFAULT_TOLERANCE 1e-10
#define DEFAULT_PRODUCTS  20000

const char *
es_eigen_method_get_name (EsEigenMethod method)
{
  switch (method)
    {
    case ES_EIGEN_LANCZOS:
      return _("Lanczos on products (ARPACK)");
    case ES_EIGEN_INVERSE:
      return _("Lanczos on a Cholesky factor (ARPACK, CHOLMOD)");
    case ES_EIGEN_FILTER:
      return _("Subspace iteration with Chebyshev polynomials");
    case ES_EIGEN_CARD:
      return _("block Lanczos on a dense Cholesky factor (a GPU)");
    case ES_EIGEN_DENSE:
    default:
      return _("all pairs of the dense matrix (LAPACK)");
    }
}

/* All pairs are found at once where that is less work, or the Krylov space would be the whole. */
static gboolean
is_dense (gsize n, guint m)
{
  return n <= DENSE_ROWS || n <= 3 * (gsize) m + 2;
}

guint64
es_sparse_eigen_plan_memory (gsize n, gsize n_nonzeros, guint m)
{
  if (is_dense (n, m))
    return 6 * (guint64) n * n * sizeof (double);
  return es_lanczos_bytes (n, m) + 16 * (guint64) n_nonzeros;
}

double
es_sparse_eigen_plan_work (gsize n, gsize n_nonzeros, EsEigenEnd end, guint m, guint64 factor_limit,
                           guint *guessed)
{
  const double rows = (double) n, values = GRID_VALUES * rows * log2 (fmax (rows, 2));
  const EsEigenFacts facts = { .factor_values = (guint64) values,
                               .factor_flops = 2 * values * values / fmax (rows, 1) };
  const double solving = es_eigen_inverse_get_work (n, m, &facts), product = es_lanczos_get_work (n, n_nonzeros, m);
  const double before = end == ES_EIGEN_LARGEST ? es_lanczos_count_before_look (m) : 0;
  const gboolean fits = 8 * (values + 8 * rows + 2 * (double) n_nonzeros) <= (double) factor_limit;
  const double alone = PAIR_PRODUCTS * (double) m * product;

  *guessed = 0;
  if (is_dense (n, m))
    return m * product + DENSE_OPERATIONS * rows * rows * rows;
  if (fits && (end == ES_EIGEN_SMALLEST || before * product + solving < alone))
    return before * product + solving;
  *guessed = PAIR_PRODUCTS * m;
  return alone;
}

static gboolean
check_count (gsize n, guint m, GError **error)
{
  if (m > 0 && m <= n)
    return TRUE;
  g_set_error (error, ES_COMPUTE_ERROR, ES_COMPUTE_ERROR_PARAMETER,
               g_dngettext (GETTEXT_PACKAGE, "%u eigenpairs are wanted of a matrix of %zu row.",
                            "%u eigenpairs are wanted of a matrix of %zu rows.", n), m, n);
  return FALSE;
}

/* dense: n x n. */
static gboolean
solve_dense (gsize n, const double *dense, EsEigenEnd end, guint m, double *values, double *vectors, GError **error)
{
  g_autofree double *all = g_try_new (double, n);
  g_autofree double *rows = g_try_malloc_n (n, n * sizeof (double));

  if (dense == NULL || all == NULL || rows == NULL)
    return es_compute_error_no_memory (_("the eigenproblem"), error);

  const int code = esk_eigen_lapack (n, dense, all, rows);

  if (!es_device_check (es_device_get_cpu (), NULL, code,
                        code == ESK_ERROR_NO_CONVERGENCE ? _("The eigenproblem") : _("the eigenproblem"), error))
    return FALSE;
  for (guint k = 0; k < m; k++)
    {
      const gsize from = end == ES_EIGEN_LARGEST ? k : n - 1 - k;

      values[k] = all[from];
      memcpy (vectors + k * n, rows + from * n, n * sizeof (double));
    }
  return TRUE;
}

static gboolean
find_dense (const EskCsr *matrix, EsEigenEnd end, guint m, double *values, double *vectors, GError **error)
{
  const gsize n = matrix->rows;
  const double *value = matrix->value;
  g_autofree double *dense = g_try_malloc0_n (n, n * sizeof (double));

  for (gsize i = 0; i < n && dense != NULL; i++)
    for (gint32 j = matrix->row_from[i]; j < matrix->row_from[i + 1]; j++)
      dense[i * n + matrix->column[j]] = value[j];
  return solve_dense (n, dense, end, m, values, vectors, error);
}

/* The columns of an operator are what it makes of unit vectors. */
static gboolean
find_dense_operator (gsize n, EsEigenApply apply, gpointer data, guint m, double *values, double *vectors,
                     GError **error)
{
  g_autofree double *dense = g_try_malloc_n (n, n * sizeof (double)), *unit = g_new0 (double, n);

  for (gsize i = 0; i < n && dense != NULL; i++)
    {
      unit[i] = 1;
      if (!apply (data, unit, dense + i * n, error))
        return FALSE;
      unit[i] = 0;
    }
  for (gsize i = 0; i < n && dense != NULL; i++)
    for (gsize j = 0; j < i; j++)
      dense[i * n + j] = dense[j * n + i] = (dense[i * n + j] + dense[j * n + i]) / 2;
  return solve_dense (n, dense, ES_EIGEN_LARGEST, m, values, vectors, error);
}

/* Every vector is one of a matrix of zeros. */
static void
find_nothing (gsize n, guint m, double *values, double *vectors)
{
  memset (values, 0, m * sizeof (double));
  memset (vectors, 0, m * n * sizeof (double));
  for (guint k = 0; k < m; k++)
    vectors[k * n + k] = 1;
}

typedef struct
{
  EsEigenApply          apply;
  gpointer              data;
  const EsEigenOptions *options;
  gsize                 n;
  double                sign, norm;    /* of the operator: sign A + norm */
} Apply;

static gboolean
apply_shifted (gpointer data, const double *x, double *y, GError **error)
{
  const Apply *self = data;

  if (g_cancellable_set_error_if_cancelled (self->options->cancellable, error)
      || !self->apply (self->data, x, y, error))
    return FALSE;
  for (gsize i = 0; i < self->n; i++)
    y[i] = self->sign * y[i] + self->norm * x[i];
  return TRUE;
}

static void
tell_progress (double fraction, gpointer data)
{
  const Apply *self = data;

  self->options->progress (fraction, self->options->user_data);
}

static gboolean
find_by_products (Apply *data, guint m, guint basis, EsEigenLargest *largest, double *values, double *vectors,
                  EsEigenFacts *facts, GError **error)
{
  const EsEigenOptions *options = data->options;
  EsLanczos lanczos = {
    /* Of the operator, whose norm is up to twice that of A. */
    .n = data->n, .m = m, .basis = basis, .tolerance = options->tolerance / 2, .least = 1e-9,
    .most_products = options->most_products, .apply = apply_shifted, .data = data,
    .progress = options->progress != NULL ? tell_progress : NULL,
    .look = largest != NULL ? es_eigen_largest_look : NULL, .look_data = largest,
  };
  gboolean found, left;

  if (!es_lanczos_begin (options->cancellable, error))
    return FALSE;
  es_devices_begin_alone ();
  facts->method = ES_EIGEN_LANCZOS;
  found = es_lanczos_run (&lanczos, values, vectors, facts, error);
  if (!found && largest != NULL && largest->leaves)
    {
      found = es_eigen_largest_solve (largest, values, vectors, error);
      lanczos.look = NULL;
      if (found && facts->method == ES_EIGEN_LANCZOS)
        found = es_lanczos_run (&lanczos, values, vectors, facts, error);
    }
  es_devices_end_alone ();
  left = largest != NULL && largest->inverse != NULL && es_eigen_inverse_is_left (largest->inverse);
  if (!left)
    es_lanczos_end ();
  return found;
}

/* By products, and by a factor where that is allowed and they come too slowly. */
static gboolean
find_largest (Apply *data, const EskCsr *matrix, guint m, double *values, double *vectors, EsEigenFacts *facts,
              GError **error)
{
  g_auto (EsEigenLargest) largest = { .matrix = matrix, .m = m, .options = data->options, .facts = facts };

  return find_by_products (data, m, ES_LANCZOS_MOST, data->options->without_factor ? NULL : &largest, values, vectors,
                           facts, error);
}

/* Rayleigh's quotients, in order, and what is left of A v. */
static gboolean
judge (const Apply *operator, EsEigenEnd end, guint m, double *values, double *vectors, EsEigenFacts *facts,
       GError **error)
{
  const gsize n = operator->n;
  g_autofree double *image = g_try_new (double, n);

  if (image == NULL)
    return es_compute_error_no_memory (_("the eigenproblem"), error);
  for (guint k = 0; k < m; k++)
    {
      double *v = vectors + k * n, along = 0, square = 0, rest = 0;
      gsize largest = 0;

      if (!operator->apply (operator->data, v, image, error))
        return FALSE;
      for (gsize i = 0; i < n; i++)
        {
          along += v[i] * image[i];
          square += v[i] * v[i];
          if (fabs (v[i]) > fabs (v[largest]))
            largest = i;
        }
      values[k] = along / square;
      for (gsize i = 0; i < n; i++)
        rest += (image[i] - values[k] * v[i]) * (image[i] - values[k] * v[i]);
      facts->residual = fmax (facts->residual, sqrt (rest / square));

      const double scale = copysign (1 / sqrt (square), v[largest]);

      for (gsize i = 0; i < n; i++)
        v[i] *= scale;
    }
  /* Rounding may have made two of them change places. */
  for (guint k = 1; k < m; k++)
    for (guint j = k; j > 0 && (end == ES_EIGEN_LARGEST ? values[j - 1] < values[j] : values[j - 1] > values[j]); j--)
      {
        const double value = values[j];

        values[j] = values[j - 1];
        values[j - 1] = value;
        memcpy (image, vectors + j * n, n * sizeof (double));
        memcpy (vectors + j * n, vectors + (j - 1) * n, n * sizeof (double));
        memcpy (vectors + (j - 1) * n, image, n * sizeof (double));
      }
  /* What ARPACK promises is far below this. */
  if (facts->residual <= fmax (1e4 * operator->options->tolerance, 1e-10) * facts->norm)
    return TRUE;
  g_set_error (error, ES_COMPUTE_ERROR, ES_COMPUTE_ERROR_NUMERIC,
               _("The sparse eigenproblem of %zu rows was not solved well: a residual of %.2g is left of a norm of "
                 "%.2g."), n, facts->residual, facts->norm);
  return FALSE;
}

static void
choose_options (EsEigenOptions *chosen, const EsEigenOptions *options)
{
  *chosen = options != NULL ? *options : (EsEigenOptions) { .tolerance = 0 };
  if (chosen->tolerance <= 0)
    chosen->tolerance = DEFAULT_TOLERANCE;
  if (chosen->most_products == 0)
    chosen->most_products = DEFAULT_PRODUCTS;
}

/* By a power of two, which rounds nothing. */
static gboolean
find_scaled (const EskCsr *matrix, EsEigenEnd end, guint m, const EsEigenOptions *options, double norm, double *values,
             double *vectors, EsEigenFacts *facts, GError **error)
{
  const gsize n_nonzeros = esk_csr_n_nonzeros (matrix);
  const double *value = matrix->value;
  g_autofree double *scaled = g_try_new (double, n_nonzeros);
  EskCsr here = *matrix;
  int exponent;

  if (scaled == NULL)
    return es_compute_error_no_memory (_("the eigenproblem"), error);
  frexp (norm, &exponent);
  for (gsize k = 0; k < n_nonzeros; k++)
    scaled[k] = ldexp (value[k], -exponent);
  here.value = scaled;
  if (!es_sparse_eigen_find (&here, end, m, options, values, vectors, facts, error))
    return FALSE;
  for (guint k = 0; k < m; k++)
    values[k] = ldexp (values[k], exponent);
  facts->norm = norm;
  facts->residual = ldexp (facts->residual, exponent);
  facts->shift = ldexp (facts->shift, exponent);
  return TRUE;
}

gboolean
es_sparse_eigen_find (const EskCsr *matrix, EsEigenEnd end, guint m, const EsEigenOptions *options, double *values,
                      double *vectors, EsEigenFacts *facts, GError **error)
{
  g_autoptr (EsEigenProduct) product = NULL;
  EsEigenOptions chosen;
  EsEigenFacts own;
  Apply data;
  double norm;

  choose_options (&chosen, options);
  if (facts == NULL)
    facts = &own;
  *facts = (EsEigenFacts) { .method = ES_EIGEN_DENSE };
  if (!es_eigen_check_shape (matrix, error) || !check_count (matrix->rows, m, error)
      || !es_eigen_check_values (matrix, chosen.threads, chosen.cancellable, &norm, error))
    return FALSE;
  if (norm > 0 && (norm < LEAST_NORM || norm > MOST_NORM))
    return find_scaled (matrix, end, m, &chosen, norm, values, vectors, facts, error);
  facts->norm = norm;
  product = es_eigen_product_new (matrix, chosen.threads, error);
  if (product == NULL)
    return FALSE;
  data = (Apply) { es_eigen_product_apply, product, &chosen, matrix->rows, end == ES_EIGEN_LARGEST ? 1 : -1, norm };

  if (is_dense (matrix->rows, m))
    {
      if (!find_dense (matrix, end, m, values, vectors, error))
        return FALSE;
    }
  else if (norm == 0)
    find_nothing (matrix->rows, m, values, vectors);
  else if (end == ES_EIGEN_SMALLEST && es_eigen_card_takes (matrix, m, &chosen)
           && !es_eigen_find_on_card (matrix, m, &chosen, values, vectors, facts, error))
    return FALSE;
  else if (facts->method == ES_EIGEN_CARD)
    ;
  else if (end == ES_EIGEN_SMALLEST && chosen.filter && es_eigen_filter_takes (matrix, m, &chosen)
           && !es_eigen_find_by_filter (matrix, m, &chosen, values, vectors, facts, error))
    return FALSE;
  else if (facts->method == ES_EIGEN_FILTER)
    ;
  else if (!es_library_load (&es_library_eigen, NULL, error))
    return FALSE;
  else
    {
      const gboolean refused = facts->card_refused;

      if (end == ES_EIGEN_LARGEST)
        {
          if (!find_largest (&data, matrix, m, values, vectors, facts, error))
            return FALSE;
        }
      else if (!chosen.without_factor && !es_eigen_find_inverse (matrix, m, &chosen, values, vectors, facts, error))
        return FALSE;
      else if (facts->method != ES_EIGEN_INVERSE
               && !find_by_products (&data, m, ES_LANCZOS_MOST, NULL, values, vectors, facts, error))
        return FALSE;
      facts->card_refused = refused;
    }
  return judge (&data, end, m, values, vectors, facts, error);
}

gboolean
es_operator_eigen_find (gsize n, double bound, EsEigenApply apply, gpointer data, guint m,
                        const EsEigenOptions *options, double *values, double *vectors, EsEigenFacts *facts,
                        GError **error)
{
  EsEigenOptions chosen;
  EsEigenFacts own;
  Apply shifted;

  choose_options (&chosen, options);
  if (facts == NULL)
    facts = &own;
  *facts = (EsEigenFacts) { .method = ES_EIGEN_DENSE, .norm = bound };
  if (!check_count (n, m, error) || g_cancellable_set_error_if_cancelled (chosen.cancellable, error))
    return FALSE;
  shifted = (Apply) { apply, data, &chosen, n, 1, bound };
  if (is_dense (n, m))
    {
      if (!find_dense_operator (n, apply, data, m, values, vectors, error))
        return FALSE;
    }
  else if (bound == 0)
    find_nothing (n, m, values, vectors);
  else
    {
      if (!es_library_load (&es_library_eigen, NULL, error)
          || !find_by_products (&shifted, m, ES_LANCZOS_FEW, NULL, values, vectors, facts, error))
        return FALSE;
    }
  return judge (&shifted, ES_EIGEN_LARGEST, m, values, vectors, facts, error);
}
