/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/*
 * Preconditioners on the device. Where rows that wait for each other do not pay, a triangle of ILU (0) is not solved
 * but swept a few times by Jacobi's iteration, which is products alone (Anzt, Chow and Dongarra, Iterative sparse
 * triangular solves for preconditioning, 2015). As many sweeps each time: the preconditioner stays the same, and
 * symmetric where the factors are.
 */

#include "es-solver-private.h"

#include <glib/gi18n-lib.h>

#include "base/es-error.h"

#define SWEEPS 5

struct _EsPrecondition
{
  EsPreconditionerKind kind;
  EsBuffer            *values;           /* the diagonal's inverse; blocks; that of U's diagonal, and two vectors */
  gsize                block;
  EskTriangles        *triangles;        /* NULL: swept */
  EskSparseProduct    *lower, *upper;    /* of sweeps: L and D^-1 U without their diagonals */
  EsMultigrid         *multigrid;
  double               bytes;
};

/* What float32 makes of a number of `row`. FALSE with an error that names the row: it is beyond its range. */
static gboolean
narrow_number (const char *what, gsize row, double number, float *narrow, GError **error)
{
  *narrow = (float) number;
  if (isfinite (*narrow))
    return TRUE;
  g_set_error (error, ES_COMPUTE_ERROR, ES_COMPUTE_ERROR_NUMERIC,
               /* TRANSLATORS: %s is what a preconditioner consists of: its factors, its diagonal, its blocks. */
               _("%s have %g in row %zu, beyond the range of float32: take float64, another preconditioner, or a "
                 "matrix whose rows are scaled to be of one size."), what, number, row + 1);
  return FALSE;
}

/* A buffer with these numbers in the run's type, and `more` further vectors behind them. They are blocks of `block`
 * rows and columns, column by column. */
static EsBuffer *
upload (EsSolverRun *run, const char *what, const double *numbers, gsize n, gsize block, guint more, GError **error)
{
  const gsize size = esk_type_size (run->type);
  g_autoptr (EsBuffer) buffer = es_buffer_new (run->device, (n + 64 + more * run->stride) * size, error);
  g_autofree float *narrow = run->type == ESK_F32 ? g_new (float, n + 1) : NULL;

  if (buffer == NULL)
    return NULL;
  for (gsize k = 0; narrow != NULL && k < n; k++)
    if (!narrow_number (what, k / (block * block) * block + k % block, numbers[k], &narrow[k], error))
      return NULL;
  if (!es_solver_upload (run, es_buffer_get_data (buffer), narrow != NULL ? (const void *) narrow : numbers, n * size,
                         error))
    return NULL;
  return g_steal_pointer (&buffer);
}

static gboolean
make_diagonal (EsSolverRun *run, EsPrecondition *self, GError **error)
{
  g_autofree double *inverse = g_new (double, run->n + 1);

  if (!es_csr_check_diagonal (run->matrix, error))
    return FALSE;
  for (gsize i = 0; i < run->n; i++)
    inverse[i] = 1 / ((const double *) run->matrix->value)[es_csr_find_diagonal (run->matrix, i)];
  self->values = upload (run, _("The inverses of the diagonal"), inverse, run->n, 1, 0, error);
  self->bytes = 2.0 * (double) (run->n * esk_type_size (run->type));
  return self->values != NULL;
}

static gboolean
make_blocks (EsSolverRun *run, EsPrecondition *self, GError **error)
{
  g_autofree double *inverse = NULL;

  self->block = run->settings->block > 0 ? run->settings->block : ES_SOLVER_BLOCK;
  inverse = es_csr_invert_blocks (run->matrix, self->block, error);
  if (inverse == NULL)
    return FALSE;
  self->values = upload (run, _("The inverses of the blocks"), inverse,
                         (run->n + self->block - 1) / self->block * self->block * self->block, self->block, 0, error);
  self->bytes = (double) (run->n * esk_type_size (run->type)) * (2.0 + (double) self->block);
  return self->values != NULL;
}

/* The factors as float32, those that it cannot hold refused: also pivots whose inverses it cannot. NULL with *error.
 * Transfer full. */
static float *
narrow_factors (EsSolverRun *run, const double *value, GError **error)
{
  const EskCsr *matrix = run->matrix;
  g_autofree float *narrow = g_new (float, esk_csr_n_nonzeros (matrix) + 1);

  for (gsize i = 0; i < run->n; i++)
    {
      const gint32 pivot = (gint32) es_csr_find_diagonal (matrix, i);
      float inverse;

      for (gint32 k = matrix->row_from[i]; k < matrix->row_from[i + 1]; k++)
        if (!narrow_number (_("The factors of ILU(0)"), i, value[k], &narrow[k], error))
          return NULL;
      if (!narrow_number (_("The inverses of ILU(0)’s pivots"), i,
                          1 / (narrow[pivot] != 0 ? (double) narrow[pivot] : value[pivot]), &inverse, error))
        return NULL;
    }
  return g_steal_pointer (&narrow);
}

/* One triangle without its diagonal, of U divided by it, as a product. */
static gboolean
make_sweep (EsSolverRun *run, const double *value, gboolean upper, EskSparseProduct **product, GError **error)
{
  const EskCsr *matrix = run->matrix;
  const gsize n_nonzeros = esk_csr_n_nonzeros (matrix);
  g_autofree gint32 *row_from = g_new (gint32, run->n + 1), *column = g_new (gint32, n_nonzeros + 1);
  g_autofree double *part = g_new (double, n_nonzeros + 1);
  EskCsr triangle = { run->n, run->n, ESK_F64, row_from, column, part };
  EskSparseCost cost;
  gint32 n = 0;

  for (gsize i = 0; i < run->n; i++)
    {
      const double pivot = upper ? value[es_csr_find_diagonal (matrix, i)] : 1;

      row_from[i] = n;
      for (gint32 k = matrix->row_from[i]; k < matrix->row_from[i + 1]; k++)
        if (upper ? (gsize) matrix->column[k] > i : (gsize) matrix->column[k] < i)
          {
            column[n] = matrix->column[k];
            part[n++] = value[k] / pivot;
          }
    }
  row_from[run->n] = n;
  return es_solver_prepare (run, &triangle, product, &cost, error);
}

static gboolean
make_sweeps (EsSolverRun *run, EsPrecondition *self, const double *value, GError **error)
{
  g_autofree double *inverse = g_new0 (double, run->stride);

  for (gsize i = 0; i < run->n; i++)
    inverse[i] = 1 / value[es_csr_find_diagonal (run->matrix, i)];
  self->values = upload (run, _("The inverses of ILU(0)’s pivots"), inverse, run->stride, 1, 2, error);
  if (self->values == NULL || !make_sweep (run, value, FALSE, &self->lower, error)
      || !make_sweep (run, value, TRUE, &self->upper, error))
    return FALSE;
  run->solution->ilu_sweeps = SWEEPS;
  g_ptr_array_add (run->solution->notes,
                   g_strdup_printf (_("Rows of ILU(0) that wait for each other do not pay on %s: each triangle is "
                                      "swept %u times by Jacobi’s iteration instead of being solved."),
                                    es_device_get_name (run->device), SWEEPS));
  self->bytes = SWEEPS * (double) run->cost.bytes;
  return TRUE;
}

static gboolean
make_ilu (EsSolverRun *run, EsPrecondition *self, GError **error)
{
  GCancellable *cancellable = run->calls != NULL ? run->calls->cancellable : NULL;
  g_autofree double *value = es_csr_factorise (run->matrix, cancellable, error);
  const gsize n_nonzeros = esk_csr_n_nonzeros (run->matrix);
  g_autofree float *narrow = NULL;
  EskCsr factors = *run->matrix;
  int code;

  if (value == NULL || (run->type == ESK_F32 && (narrow = narrow_factors (run, value, error)) == NULL))
    return FALSE;
  if (run->vectors->triangles_new == NULL)
    return make_sweeps (run, self, value, error);
  factors.value = value;
  if (run->type == ESK_F32)
    {
      factors.value = narrow;
      factors.type = ESK_F32;
    }
  code = run->vectors->triangles_new (run->stream, &factors, &self->triangles);
  if (code != ESK_OK)
    return es_device_check (run->device, run->stream, code, _("preparing ILU(0)"), error);
  self->bytes = (double) (n_nonzeros * (4 + esk_type_size (run->type)))
                + (double) run->n * (8 + 4.0 * (double) esk_type_size (run->type));
  return TRUE;
}

gboolean
es_precondition_new (EsSolverRun *run, GError **error)
{
  const gint64 start = g_get_monotonic_time ();
  EsPrecondition *self;
  gboolean made = FALSE;

  if (run->settings->preconditioner == ES_PRECONDITIONER_NONE || run->settings->method == ES_SOLVER_JACOBI)
    return TRUE;
  run->stride = (run->n + 63) / 64 * 64;
  self = run->precondition = g_new0 (EsPrecondition, 1);
  self->kind = run->settings->preconditioner;
  switch (self->kind)
    {
    case ES_PRECONDITIONER_DIAGONAL:
      made = make_diagonal (run, self, error);
      break;
    case ES_PRECONDITIONER_BLOCKS:
      made = make_blocks (run, self, error);
      break;
    case ES_PRECONDITIONER_ILU:
      made = make_ilu (run, self, error);
      break;
    case ES_PRECONDITIONER_MULTIGRID:
      self->multigrid = es_multigrid_new (run, error);
      made = self->multigrid != NULL;
      self->bytes = made ? es_multigrid_bytes (self->multigrid) : 0;
      break;
    default:
      g_assert_not_reached ();
    }
  run->solution->precondition_ms = (g_get_monotonic_time () - start) * 1e-3;
  return made;
}

void
es_precondition_free (EsSolverRun *run)
{
  EsPrecondition *self = g_steal_pointer (&run->precondition);

  if (self == NULL)
    return;
  if (self->triangles != NULL)
    run->vectors->triangles_free (run->stream, self->triangles);
  if (self->lower != NULL)
    run->hotspots->sparse->product_free (run->stream, self->lower);
  if (self->upper != NULL)
    run->hotspots->sparse->product_free (run->stream, self->upper);
  if (self->multigrid != NULL)
    es_multigrid_free (run, self->multigrid);
  g_clear_pointer (&self->values, es_buffer_unref);
  g_free (self);
}

const void *
es_precondition_diagonal (EsSolverRun *run)
{
  return run->precondition != NULL && run->precondition->kind == ES_PRECONDITIONER_DIAGONAL
         ? es_buffer_get_data (run->precondition->values) : NULL;
}

double
es_precondition_bytes (EsSolverRun *run)
{
  return run->precondition != NULL && run->precondition->kind != ES_PRECONDITIONER_DIAGONAL ? run->precondition->bytes
                                                                                            : 0;
}

/* y = start, then as often as there are sweeps y = start - T y; the last one goes to `out`. start and the other two are
 * different. */
static gboolean
sweep (EsSolverRun *run, EskSparseProduct *triangle, const void *start, void *one, void *other, GError **error)
{
  const EskTerm copy = es_term (1, start);
  void *from = one, *to = other;

  /* After an odd number of them the result is in `other`. */
  if (!es_solver_combine (run, 1, &copy, from, 0, NULL, NULL, error))
    return FALSE;
  for (guint k = 0; k < SWEEPS; k++)
    {
      void *next = from;

      if (!es_solver_combine (run, 1, &copy, to, 0, NULL, NULL, error)
          || !es_solver_check_code (run, run->hotspots->sparse->multiply (run->stream, triangle, -1, from, 1, to),
                                    error))
        return FALSE;
      from = to;
      to = next;
    }
  return TRUE;
}

G_STATIC_ASSERT (SWEEPS % 2 == 1);

static gboolean
apply_sweeps (EsSolverRun *run, const void *r, void *z, double *dot, GError **error)
{
  EsPrecondition *self = run->precondition;
  const gsize bytes = run->stride * esk_type_size (run->type);
  char *inverse = es_buffer_get_data (self->values), *one = inverse + bytes, *other = one + bytes;
  const void *x[1] = { r }, *y[1] = { z };

  /* L y = r into `other`; D^-1 y into `one`; (I + D^-1 U) z = D^-1 y. */
  if (!sweep (run, self->lower, r, one, other, error)
      || !es_solver_check_code (run, run->vectors->scale (run->stream, run->type, run->n, inverse, other, one, NULL),
                                error)
      || !sweep (run, self->upper, one, other, z, error))
    return FALSE;
  return dot == NULL || es_solver_check_code (run, run->vectors->dots (run->stream, run->type, run->n, 1, x, y, dot),
                                              error);
}

gboolean
es_precondition_apply (EsSolverRun *run, const void *r, void *z, double *dot, GError **error)
{
  EsPrecondition *self = run->precondition;
  const void *x[1] = { r }, *y[1] = { z };
  int code;

  if (self->lower != NULL)
    return apply_sweeps (run, r, z, dot, error);
  switch (self->kind)
    {
    case ES_PRECONDITIONER_DIAGONAL:
      code = run->vectors->scale (run->stream, run->type, run->n, es_buffer_get_data (self->values), r, z, dot);
      break;
    case ES_PRECONDITIONER_BLOCKS:
      code = run->vectors->block_scale (run->stream, run->type, run->n, self->block, es_buffer_get_data (self->values),
                                        r, z, dot);
      break;
    case ES_PRECONDITIONER_MULTIGRID:
      if (!es_multigrid_apply (run, self->multigrid, r, z, error))
        return FALSE;
      code = dot != NULL ? run->vectors->dots (run->stream, run->type, run->n, 1, x, y, dot) : ESK_OK;
      break;
    default:
      code = run->vectors->triangles_solve (run->stream, self->triangles, r, z);
      if (code == ESK_OK && dot != NULL)
        code = run->vectors->dots (run->stream, run->type, run->n, 1, x, y, dot);
    }
  return es_solver_check_code (run, code, error);
}
