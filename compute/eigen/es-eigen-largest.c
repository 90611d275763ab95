/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/*
 * The largest eigenvalues: when products are left for a factor. Products win where the values wanted lie well apart
 * from the rest, as of graphs with hubs; where they crowd at the end, as those of a grid, thousands are needed, and
 * what the first ones gained tells it.
 */

#include "es-sparse-eigen-private.h"

#include <gio/gio.h>
#include <math.h>

/* Convergence quickens: what it will take is no more than about this share of what it would at the pace so far. */
#define QUICKENS 0.5
/* The values wanted crowd at the end: between the first and the last of them there is no more than this part of all.
 * Inverses of others crowd as these do, and beside one that is far from the rest all of them are nearly the same. */
#define CROWD (1.0 / 16)
/* The shift is further from the first value than rounding is, by this part of where the values wanted are. */
#define BESIDE 1e-3
/* Products still to come that are fewer than it takes to order the matrix and see. */
#define FEW_PRODUCTS 300

void
es_eigen_largest_clear (EsEigenLargest *self)
{
  g_clear_pointer (&self->inverse, es_eigen_inverse_unref);
}

/* No eigenvalue is above it (Gershgorin). */
static double
find_bound (const EskCsr *matrix)
{
  const double *value = matrix->value;
  double bound = -INFINITY;

  for (gsize i = 0; i < matrix->rows; i++)
    {
      double sum = 0;

      for (gint32 j = matrix->row_from[i]; j < matrix->row_from[i + 1]; j++)
        sum += (gsize) matrix->column[j] == i ? value[j] : fabs (value[j]);
      bound = fmax (bound, sum);
    }
  return bound;
}

/* Once. FALSE: cancelled. */
static gboolean
analyze (EsEigenLargest *self, double budget, GError **error)
{
  g_autoptr (GError) local_error = NULL;

  self->inverse = es_eigen_inverse_new (self->matrix, ES_EIGEN_LARGEST, self->m, self->facts->norm, self->options,
                                        &local_error);
  if (self->inverse != NULL
      && es_eigen_inverse_analyze (self->inverse, budget, self->options, self->facts, &local_error))
    {
      self->work = es_eigen_inverse_get_work (self->matrix->rows, self->m, self->facts);
      self->refused = self->facts->factor_too_large;
    }
  else if (g_error_matches (local_error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    {
      g_propagate_error (error, g_steal_pointer (&local_error));
      return FALSE;
    }
  else
    self->refused = TRUE;
  if (self->refused)
    es_eigen_largest_clear (self);
  return TRUE;
}

gboolean
es_eigen_largest_look (const EsLanczosView *view, gpointer data, GError **error)
{
  EsEigenLargest *self = data;
  const double remaining = QUICKENS * view->remaining, spread = view->above - view->last, budget
    = remaining * es_lanczos_get_work (self->matrix->rows, esk_csr_n_nonzeros (self->matrix), self->m);

  if (self->refused || remaining < FEW_PRODUCTS || !(spread <= CROWD * view->above))
    return TRUE;
  if (self->inverse == NULL && !analyze (self, budget, error))
    return FALSE;
  if (self->refused || self->work > budget)
    return TRUE;
  self->base = fmin (view->above - self->facts->norm, find_bound (self->matrix)) + BESIDE * spread;
  self->told = view->fraction;
  self->leaves = TRUE;
  return FALSE;
}

static void
tell_progress (double fraction, gpointer data)
{
  const EsEigenLargest *self = data;

  self->options->progress (self->told + (1 - self->told) * fraction, self->options->user_data);
}

gboolean
es_eigen_largest_solve (EsEigenLargest *self, double *values, double *vectors, GError **error)
{
  EsEigenOptions options = *self->options;
  const guint products = self->facts->products;
  g_autoptr (GError) local_error = NULL;

  if (options.progress != NULL)
    options.progress = tell_progress;
  options.user_data = self;
  if (es_eigen_inverse_solve (self->inverse, self->base, &options, values, vectors, self->facts, &local_error))
    {
      self->facts->products_before = products;
      return TRUE;
    }
  if (g_error_matches (local_error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    {
      g_propagate_error (error, g_steal_pointer (&local_error));
      return FALSE;
    }
  self->refused = TRUE;
  es_eigen_largest_clear (self);
  return TRUE;
}
