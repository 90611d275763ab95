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

static gint32
find_value (const EskCsr *matrix, gsize row, gint32 column)
{
  gint32 from = matrix->row_from[row], end = matrix->row_from[row + 1];

  while (from < end)
    {
      const gint32 middle = from + (end - from) / 2;

      if (matrix->column[middle] == column)
        return middle;
      if (matrix->column[middle] < column)
        from = middle + 1;
      else
        end = middle;
    }
  return -1;
}

/* Also its norm. */
static gboolean
check_matrix (const EskCsr *matrix, guint m, double *norm, GError **error)
{
  const double *value = matrix->value;

  if (matrix->rows != matrix->columns || matrix->type != ESK_F64)
    {
      g_set_error (error, ES_COMPUTE_ERROR, ES_COMPUTE_ERROR_PARAMETER,
                   _("Eigenpairs need a square matrix of 64-bit values; this one has %zu rows and %zu columns."),
                   matrix->rows, matrix->columns);
      return FALSE;
    }
  if (m == 0 || m > matrix->rows)
    {
      g_set_error (error, ES_COMPUTE_ERROR, ES_COMPUTE_ERROR_PARAMETER,
                   _("%u eigenpairs are wanted of a matrix of %zu rows."), m, matrix->rows);
      return FALSE;
    }
  *norm = 0;
  for (gsize i = 0; i < matrix->rows; i++)
    {
      double sum = 0;

      for (gint32 j = matrix->row_from[i]; j < matrix->row_from[i + 1]; j++)
        {
          const gint32 other = find_value (matrix, (gsize) matrix->column[j], (gint32) i);
          const double mirrored = other < 0 ? 0 : value[other];

          if (!isfinite (value[j]))
            {
              g_set_error (error, ES_COMPUTE_ERROR, ES_COMPUTE_ERROR_PARAMETER,
                           _("The value in row %zu, column %d of the matrix is not a finite number."), i + 1,
                           matrix->column[j] + 1);
              return FALSE;
            }
          /* Products of the same factors may have been added in another order. */
          if (!(fabs (value[j] - mirrored) <= 1e-12 * (fabs (value[j]) + fabs (mirrored))))
            {
              g_set_error (error, ES_COMPUTE_ERROR, ES_COMPUTE_ERROR_PARAMETER,
                           _("The matrix is not symmetric: row %zu, column %d is %g, and row %d, column %zu is %g."),
                           i + 1, matrix->column[j] + 1, value[j], matrix->column[j] + 1, i + 1, mirrored);
              return FALSE;
            }
          sum += fabs (value[j]);
        }
      *norm = fmax (*norm, sum);
    }
  if (isfinite (*norm))
    return TRUE;
  g_set_error_literal (error, ES_COMPUTE_ERROR, ES_COMPUTE_ERROR_PARAMETER,
                       _("The values of the matrix are too large for its eigenpairs."));
  return FALSE;
}

static gboolean
find_dense (const EskCsr *matrix, EsEigenEnd end, guint m, double *values, double *vectors, GError **error)
{
  const gsize n = matrix->rows;
  const double *value = matrix->value;
  g_autofree double *dense = g_try_malloc0_n (n, n * sizeof (double));
  g_autofree double *all = g_try_new (double, n);
  g_autofree double *rows = g_try_malloc_n (n, n * sizeof (double));

  if (dense == NULL || all == NULL || rows == NULL)
    return es_compute_error_no_memory (_("the eigenproblem"), error);
  for (gsize i = 0; i < n; i++)
    for (gint32 j = matrix->row_from[i]; j < matrix->row_from[i + 1]; j++)
      dense[i * n + matrix->column[j]] = value[j];

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
  EsEigenProduct       *product;
  const EsEigenOptions *options;
  gsize                 n;
  double                sign, norm;    /* of the operator: sign A + norm */
} Apply;

static gboolean
apply (gpointer data, const double *x, double *y, GError **error)
{
  const Apply *self = data;

  if (g_cancellable_set_error_if_cancelled (self->options->cancellable, error)
      || !es_eigen_product_apply (self->product, x, y, error))
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
find_by_products (Apply *data, guint m, double *values, double *vectors, EsEigenFacts *facts, GError **error)
{
  const EsEigenOptions *options = data->options;
  EsLanczos lanczos = {
    .n = data->n, .m = m, .tolerance = options->tolerance, .least = 1e-9,
    .most_products = options->most_products, .apply = apply, .data = data,
    .progress = options->progress != NULL ? tell_progress : NULL,
  };
  gboolean found;

  if (!es_lanczos_begin (options->cancellable, error))
    return FALSE;
  es_devices_begin_alone ();
  found = es_lanczos_run (&lanczos, values, vectors, facts, error);
  es_devices_end_alone ();
  es_lanczos_end ();
  return found;
}

/* Rayleigh's quotients, in order, and what is left of A v. */
static gboolean
judge (EsEigenProduct *product, gsize n, EsEigenEnd end, guint m, double *values, double *vectors,
       EsEigenFacts *facts, GError **error)
{
  g_autofree double *image = g_try_new (double, n);

  if (image == NULL)
    return es_compute_error_no_memory (_("the eigenproblem"), error);
  for (guint k = 0; k < m; k++)
    {
      double *v = vectors + k * n, along = 0, square = 0, rest = 0;
      gsize largest = 0;

      if (!es_eigen_product_apply (product, v, image, error))
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
  return TRUE;
}

gboolean
es_sparse_eigen_find (const EskCsr *matrix, EsEigenEnd end, guint m, const EsEigenOptions *options, double *values,
                      double *vectors, EsEigenFacts *facts, GError **error)
{
  EsEigenOptions chosen = options != NULL ? *options : (EsEigenOptions) { .tolerance = 0 };
  g_autoptr (EsEigenProduct) product = NULL;
  EsEigenFacts own;
  Apply data;
  double norm;

  if (facts == NULL)
    facts = &own;
  *facts = (EsEigenFacts) { .method = ES_EIGEN_DENSE };
  if (!check_matrix (matrix, m, &norm, error) || g_cancellable_set_error_if_cancelled (chosen.cancellable, error))
    return FALSE;
  if (chosen.tolerance <= 0)
    chosen.tolerance = DEFAULT_TOLERANCE;
  if (chosen.most_products == 0)
    chosen.most_products = DEFAULT_PRODUCTS;
  facts->norm = norm;
  product = es_eigen_product_new (matrix, chosen.threads, error);
  if (product == NULL)
    return FALSE;
  data = (Apply) { product, &chosen, matrix->rows, end == ES_EIGEN_LARGEST ? 1 : -1, norm };

  if (is_dense (matrix->rows, m))
    {
      if (!find_dense (matrix, end, m, values, vectors, error))
        return FALSE;
    }
  else if (norm == 0)
    find_nothing (matrix->rows, m, values, vectors);
  else if (!es_library_load (&es_library_eigen, NULL, error))
    return FALSE;
  else
    {
      gboolean by_products = end == ES_EIGEN_LARGEST || chosen.without_factor;

      if (!by_products)
        {
          if (!es_eigen_find_inverse (matrix, m, &chosen, values, vectors, facts, error))
            return FALSE;
          facts->method = ES_EIGEN_INVERSE;
          by_products = facts->factor_too_large;
        }
      if (by_products)
        {
          if (!find_by_products (&data, m, values, vectors, facts, error))
            return FALSE;
          facts->method = ES_EIGEN_LANCZOS;
        }
    }
  if (!judge (product, matrix->rows, end, m, values, vectors, facts, error))
    return FALSE;
  /* What ARPACK promises is far below this. */
  if (facts->residual <= fmax (1e4 * chosen.tolerance, 1e-10) * norm)
    return TRUE;
  g_set_error (error, ES_COMPUTE_ERROR, ES_COMPUTE_ERROR_NUMERIC,
               _("The sparse eigenproblem of %zu rows was not solved well: a residual of %.2g is left of a norm of "
                 "%.2g."), matrix->rows, facts->residual, norm);
  return FALSE;
}
