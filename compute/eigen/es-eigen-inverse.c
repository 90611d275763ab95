/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/*
 * Eigenvalues of one end by ARPACK on an inverse: the smallest on (A + shift)^-1, the largest, which are the smallest
 * of -A, on (shift - A)^-1. CHOLMOD cannot be stopped while it orders or factors: all of it is on a thread of its own,
 * with a copy of the matrix, which a caller who is cancelled leaves behind.
 */

#include "es-sparse-eigen-private.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#include "base/es-error.h"
#include "device/es-device-internal.h"
#include "device/es-left-task-internal.h"
#include "es-blas-core.h"
#include "libraries/es-eigen-library-internal.h"

/* From so many operations of factoring on METIS may find an order that saves what it takes. */
#define METIS_FLOPS 1e10
/* What it may leave of them, at best. */
#define METIS_GAIN 0.4

/* Solutions that m pairs take, about, and vectors of a basis at right angles to which each is made. */
#define FIRST_SOLUTIONS 30
#define PAIR_SOLUTIONS  8
/* Operations of a supernodal factor in the time of one that waits for the memory. */
#define FACTOR_RATE 8.0

/* How far from the last value, as a part of the norm, one that is found later is another one. */
#define LEAST 1e-9

struct _EsEigenInverse
{
  EsLeftTask      task;
  gboolean        factors;       /* what the thread does: FALSE: it orders the matrix */
  gboolean        left;          /* the caller was cancelled, and the thread goes on */
  gsize           n;
  guint           m, most_products;
  double          tolerance, norm;
  double          sign;          /* of what is factored: sign A + base + shift */
  double          base, budget;
  guint64         limit;         /* bytes of a factor */
  cholmod_common  common;
  cholmod_sparse *matrix;        /* the upper triangle */
  cholmod_factor *factor;
  cholmod_dense   x;             /* n values of others */
  cholmod_dense  *y, *work_y, *work_e;
  double         *values, *vectors;
  EsEigenFacts    facts;
};

void
es_eigen_inverse_unref (EsEigenInverse *self)
{
  if (!es_left_task_drop (&self->task))
    return;
  cholmod_l_free_dense (&self->y, &self->common);
  cholmod_l_free_dense (&self->work_y, &self->common);
  cholmod_l_free_dense (&self->work_e, &self->common);
  cholmod_l_free_factor (&self->factor, &self->common);
  cholmod_l_free_sparse (&self->matrix, &self->common);
  cholmod_l_finish (&self->common);
  g_free (self->values);
  g_free (self->vectors);
  g_free (self);
}
/* The upper triangle by columns is the lower one by rows; a diagonal that is not stored is added. */
static gboolean
copy_matrix (EsEigenInverse *self, const EskCsr *matrix)
{
  const gsize n = matrix->rows;
  const double *value = matrix->value;
  SuiteSparse_long *column_from, *row, at = 0;
  double *to;

  self->matrix = cholmod_l_allocate_sparse (n, n, esk_csr_n_nonzeros (matrix) / 2 + n + 1, TRUE, TRUE, 1, CHOLMOD_REAL,
                                            &self->common);
  if (self->matrix == NULL)
    return FALSE;
  column_from = self->matrix->p;
  row = self->matrix->i;
  to = self->matrix->x;
  for (gsize i = 0; i < n; i++)
    {
      gboolean diagonal = FALSE;

      column_from[i] = at;
      for (gint32 j = matrix->row_from[i]; j < matrix->row_from[i + 1] && (gsize) matrix->column[j] <= i; j++)
        {
          diagonal = (gsize) matrix->column[j] == i;
          row[at] = matrix->column[j];
          to[at++] = self->sign * value[j];
        }
      if (!diagonal)
        {
          row[at] = (SuiteSparse_long) i;
          to[at++] = 0;
        }
    }
  column_from[n] = at;
  return TRUE;
}

EsEigenInverse *
es_eigen_inverse_new (const EskCsr *matrix, EsEigenEnd end, guint m, double norm, const EsEigenOptions *options,
                      GError **error)
{
  EsEigenInverse *self = g_new0 (EsEigenInverse, 1);

  es_left_task_init (&self->task);
  cholmod_l_start (&self->common);
  self->common.print = 0;
  self->common.try_catch = TRUE;
  self->common.supernodal = CHOLMOD_SUPERNODAL;
  self->common.quick_return_if_not_posdef = TRUE;
  self->common.useGPU = 0;
  self->n = matrix->rows;
  self->m = m;
  self->norm = norm;
  self->sign = end == ES_EIGEN_LARGEST ? -1 : 1;
  self->tolerance = options->tolerance;
  self->most_products = options->most_products;
  self->limit = es_limits_get_host_memory (options->limits, (EsMemoryShare) { 2, 2 });
  self->values = g_try_new (double, m);
  self->vectors = g_try_malloc_n (self->n, m * sizeof (double));
  if (self->values != NULL && self->vectors != NULL && copy_matrix (self, matrix))
    return self;
  es_eigen_inverse_unref (self);
  es_compute_error_no_memory (_("the factor of a sparse matrix"), error);
  return NULL;
}

static gboolean
check (EsEigenInverse *self, GError **error)
{
  if (esk_is_cancelled (&self->task.cancelled))
    {
      g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_CANCELLED, _("Operation was cancelled"));
      return FALSE;
    }
  if (self->common.status == CHOLMOD_OUT_OF_MEMORY)
    return es_compute_error_no_memory (_("the factor of a sparse matrix"), error);
  if (self->common.status >= CHOLMOD_OK)
    return TRUE;
  g_set_error (error, ES_COMPUTE_ERROR, ES_COMPUTE_ERROR_NUMERIC,
               _("The sparse matrix of %zu rows could not be factored: CHOLMOD gave it up with code %d."), self->n,
               self->common.status);
  return FALSE;
}

/* Another order, where it is better. A CHOLMOD without METIS has none. */
static void
order_by_metis (EsEigenInverse *self)
{
  const double flops = self->common.fl;
  cholmod_factor *other;

  self->common.method[0].ordering = CHOLMOD_METIS;
  other = cholmod_l_analyze (self->matrix, &self->common);
  if (other != NULL && self->common.fl < flops)
    {
      cholmod_factor *first = self->factor;

      self->factor = other;
      other = first;
    }
  else
    self->common.fl = flops;
  cholmod_l_free_factor (&other, &self->common);
  self->common.status = CHOLMOD_OK;
}

static void
analyze (EsEigenInverse *self, GError **error)
{
  self->common.nmethods = 1;
  self->common.method[0].ordering = CHOLMOD_AMD;
  self->factor = cholmod_l_analyze (self->matrix, &self->common);
  if (!check (self, error))
    return;
  self->facts.factor_values = self->factor->xsize;
  self->facts.factor_flops = self->common.fl;
  if (self->common.fl >= METIS_FLOPS && METIS_GAIN * es_eigen_inverse_get_work (self->n, self->m, &self->facts)
                                        <= self->budget)
    order_by_metis (self);
  if (!check (self, error))
    return;
  self->facts.factor_values = self->factor->xsize;
  self->facts.factor_flops = self->common.fl;
  /* Supernodes, the largest update of one, their rows, permutation and counts, and the matrix in that order. */
  self->facts.factor_bytes = 8 * ((guint64) self->factor->xsize + self->factor->maxcsize + self->factor->ssize
                                  + 8 * self->n + 2 * self->matrix->nzmax);
  self->facts.factor_too_large = self->facts.factor_bytes > self->limit;
}

double
es_eigen_inverse_get_work (gsize n, guint m, const EsEigenFacts *facts)
{
  const double basis = MAX (2 * m + 1, ES_LANCZOS_FEW);

  return facts->factor_flops / FACTOR_RATE
         + (FIRST_SOLUTIONS + PAIR_SOLUTIONS * m) * (4 * (double) facts->factor_values + 6 * basis * (double) n);
}

static gboolean
factorize (EsEigenInverse *self, GError **error)
{
  double raised = 0;

  while (es_eigen_raise_shift (&raised, self->norm + fabs (self->base)))
    {
      double beta[2] = { self->base + raised, 0 };

      self->facts.shift = beta[0];

      cholmod_l_factorize_p (self->matrix, beta, NULL, 0, self->factor, &self->common);
      if (!check (self, error))
        return FALSE;
      if (self->common.status == CHOLMOD_OK)
        break;
    }
  if (self->common.status == CHOLMOD_OK)
    return TRUE;
  self->common.status = CHOLMOD_INVALID;
  return check (self, error);
}

static gboolean
apply (gpointer data, const double *x, double *y, GError **error)
{
  EsEigenInverse *self = data;

  self->x.x = (double *) x;
  cholmod_l_solve2 (CHOLMOD_A, self->factor, &self->x, NULL, &self->y, NULL, &self->work_y, &self->work_e,
                    &self->common);
  if (!check (self, error))
    return FALSE;
  memcpy (y, self->y->x, self->n * sizeof (double));
  return TRUE;
}

static void
tell_progress (double fraction, gpointer data)
{
  EsEigenInverse *self = data;

  es_left_task_tell (&self->task, fraction);
}

static void
solve (EsEigenInverse *self, GError **error)
{
  EsLanczos lanczos = {
    .n = self->n, .m = self->m, .basis = ES_LANCZOS_FEW, .rough = 1e-6, .least = 1e-6,
    .least_inverse = LEAST * self->norm,
    .most_products = self->most_products, .apply = apply, .data = self, .cancelled = &self->task.cancelled,
    .progress = tell_progress,
  };

  self->x = (cholmod_dense) { .nrow = self->n, .ncol = 1, .nzmax = self->n, .d = self->n, .xtype = CHOLMOD_REAL,
                              .dtype = CHOLMOD_DOUBLE };
  if (!factorize (self, error))
    return;
  lanczos.tolerance = es_eigen_tolerance_of_inverse (self->tolerance, fabs (self->facts.shift), self->norm);
  if (!es_lanczos_run (&lanczos, self->values, self->vectors, &self->facts, error))
    return;
  for (guint k = 0; k < self->m; k++)
    self->values[k] = self->sign * (1 / self->values[k] - self->facts.shift);
}

static gpointer
task_main (gpointer data)
{
  EsEigenInverse *self = data;
  GError *error = NULL;

  es_devices_begin_alone ();
  if (esk_blas_enter () != ESK_OK)
    es_compute_error_no_memory (_("the eigenproblem"), &error);
  else
    {
      if (self->factors)
        solve (self, &error);
      else
        analyze (self, &error);
      esk_blas_leave ();
    }
  es_devices_end_alone ();
  if (!es_left_task_end (&self->task, error))
    es_lanczos_end ();
  es_eigen_inverse_unref (self);
  return NULL;
}

/* FALSE: *error; the thread goes on where that is G_IO_ERROR_CANCELLED, which is noted. */
static gboolean
do_on_thread (EsEigenInverse *self, gboolean factors, const EsEigenOptions *options, GError **error)
{
  GError *local_error = NULL;

  self->factors = factors;
  es_left_task_start (&self->task, "es-sparse-eigen", task_main, self);
  if (es_left_task_wait (&self->task, options->cancellable, factors ? options->progress : NULL, options->user_data,
                         &local_error))
    return TRUE;
  self->left = esk_is_cancelled (&self->task.cancelled);
  g_propagate_error (error, local_error);
  return FALSE;
}

gboolean
es_eigen_inverse_is_left (const EsEigenInverse *self)
{
  return self->left;
}

gboolean
es_eigen_inverse_analyze (EsEigenInverse *self, double budget, const EsEigenOptions *options, EsEigenFacts *facts,
                          GError **error)
{
  self->budget = budget;
  if (!do_on_thread (self, FALSE, options, error))
    return FALSE;
  facts->factor_values = self->facts.factor_values;
  facts->factor_bytes = self->facts.factor_bytes;
  facts->factor_flops = self->facts.factor_flops;
  facts->factor_too_large = self->facts.factor_too_large;
  return TRUE;
}

gboolean
es_eigen_inverse_solve (EsEigenInverse *self, double base, const EsEigenOptions *options, double *values,
                        double *vectors, EsEigenFacts *facts, GError **error)
{
  self->base = base;
  if (!do_on_thread (self, TRUE, options, error))
    return FALSE;
  facts->method = ES_EIGEN_INVERSE;
  facts->products = self->facts.products;
  facts->restarts = self->facts.restarts;
  facts->found_later = self->facts.found_later;
  facts->shift = self->facts.shift;
  memcpy (values, self->values, self->m * sizeof (double));
  memcpy (vectors, self->vectors, self->m * self->n * sizeof (double));
  return TRUE;
}

gboolean
es_eigen_find_inverse (const EskCsr *matrix, guint m, const EsEigenOptions *options, double *values, double *vectors,
                       EsEigenFacts *facts, GError **error)
{
  g_autoptr (EsEigenInverse) self = NULL;
  gboolean found;

  if (!es_lanczos_begin (options->cancellable, error))
    return FALSE;
  self = es_eigen_inverse_new (matrix, ES_EIGEN_SMALLEST, m, facts->norm, options, error);
  found = self != NULL && es_eigen_inverse_analyze (self, INFINITY, options, facts, error)
          && (facts->factor_too_large
              || es_eigen_inverse_solve (self, 0, options, values, vectors, facts, error));
  if (self == NULL || !self->left)
    es_lanczos_end ();
  return found;
}
