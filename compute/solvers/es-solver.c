/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* Solving: what has to be right before, the method, and what is checked afterwards. */

#include "es-grids-private.h"
#include "es-solver-private.h"

#include <glib/gi18n-lib.h>

#include "base/es-error.h"

/* A card is asked for so many iterations at most, and for so many bytes, before anybody looks: a cancelled job ends
 * within 0.2 s. */
#define MOST_BATCH 16
/* A cycle of multigrid is many launches, and few of them are all that it takes. */
#define MOST_CYCLES 2
#define BATCH_BYTES 5e10
/* Of what the largest number of a right-hand side is between these, squares of residuals are numbers; others are
 * scaled. */
#define LEAST_SIDE 1e-30
#define MOST_SIDE  1e30

gboolean
es_solver_suits (EsDevice *device)
{
  const EskHotspots *hotspots = es_device_get_hotspots (device);

  return es_device_get_kind (device) != ES_DEVICE_ALL_GPUS && hotspots != NULL && hotspots->vectors != NULL
         && ESK_HAS (hotspots, sparse, product_new) && ESK_HAS (hotspots, sparse, multiply);
}

void
es_solution_free (EsSolution *self)
{
  if (self == NULL)
    return;
  g_free (self->x);
  g_clear_pointer (&self->history, g_array_unref);
  g_free (self->verdict);
  g_clear_pointer (&self->notes, g_ptr_array_unref);
  g_clear_pointer (&self->levels, g_array_unref);
  g_free (self);
}

void
es_solver_multiply (const EskCsr *matrix, const double *x, double *y)
{
  const double *value = matrix->value;

  for (gsize i = 0; i < matrix->rows; i++)
    {
      double sum = 0;

      for (gint32 k = matrix->row_from[i]; k < matrix->row_from[i + 1]; k++)
        sum += value[k] * x[matrix->column[k]];
      y[i] = sum;
    }
}

/* Scaled, so that no square overflows. */
static double
norm (gsize n, const double *x)
{
  double largest = 0, sum = 0;

  for (gsize i = 0; i < n; i++)
    largest = fabs (x[i]) > largest || isnan (x[i]) ? fabs (x[i]) : largest;
  if (!(largest > 0) || !isfinite (largest))
    return largest;
  for (gsize i = 0; i < n; i++)
    sum += (x[i] / largest) * (x[i] / largest);
  return largest * sqrt (sum);
}

double
es_solver_true_residual (const EskCsr *matrix, const double *b, const double *x)
{
  g_autofree double *r = g_new (double, matrix->rows + 1);
  const double scale = norm (matrix->rows, b);
  double residual;

  es_solver_multiply (matrix, x, r);
  for (gsize i = 0; i < matrix->rows; i++)
    r[i] = b[i] - r[i];
  residual = norm (matrix->rows, r);
  return scale > 0 ? residual / scale : residual;
}

guint64
es_solver_memory (gsize n, gsize n_nonzeros, const EsSolverSettings *settings)
{
  const guint64 e = esk_type_size (settings->type), matrix = (guint64) n_nonzeros * (e + 4) + (guint64) n * 4;
  const guint restart = settings->restart > 0 ? settings->restart : ES_SOLVER_RESTART;
  guint64 vectors = 6, more = 0;

  if (settings->method == ES_SOLVER_GMRES)
    vectors = 5 + MIN (restart, n);
  else if (settings->method == ES_SOLVER_BICGSTAB)
    vectors = 9;
  if (settings->preconditioner == ES_PRECONDITIONER_ILU)
    more = matrix;
  else if (settings->preconditioner == ES_PRECONDITIONER_MULTIGRID)
    /* Coarser matrices, prolongations and their transposes at the most; two vectors and a diagonal of the finest grid,
     * and four of each coarser one, which are mostly a quarter of all rows. */
    more = (guint64) ((ES_GRIDS_MOST_COMPLEXITY - 1 + 2 * ES_GRIDS_MOST_PROLONGATION) * (double) n_nonzeros
                      * ((double) e + 4)) + 4 * n * e;
  else if (settings->preconditioner == ES_PRECONDITIONER_BLOCKS)
    more = (guint64) n * e * (settings->block > 0 ? settings->block : ES_SOLVER_BLOCK);
  return matrix + more + vectors * n * e;
}

guint64
es_solver_setup_memory (gsize n, gsize n_nonzeros, const EsSolverSettings *settings)
{
  if (settings->preconditioner != ES_PRECONDITIONER_MULTIGRID || settings->method == ES_SOLVER_JACOBI)
    return 0;
  /* All grids, of which the finest one's places are the matrix's, prolongations and their transposes, and A P while the
   * next one is made; and a row that is not sparse for each thread. */
  return (guint64) ((ES_GRIDS_MOST_COMPLEXITY + 2 * ES_GRIDS_MOST_PROLONGATION + ES_GRIDS_MOST_BETWEEN)
                    * (double) n_nonzeros * (sizeof (double) + sizeof (gint32)))
         - sizeof (gint32) * (guint64) n_nonzeros + (8 + ES_GRID_MOST_LANES) * sizeof (double) * (guint64) n;
}

/* ---- what has to be right ---- */

static gboolean
check_matrix (const EskCsr *matrix, const double *b, GError **error)
{
  const double *value = matrix->value;

  if (matrix->rows != matrix->columns || matrix->rows == 0)
    {
      g_set_error (error, ES_DATA_ERROR, ES_DATA_ERROR_UNSUPPORTED,
                   _("A system of equations needs a square matrix, and this one has %zu rows and "
                     "%zu columns."), matrix->rows, matrix->columns);
      return FALSE;
    }
  for (gsize i = 0; i < matrix->rows; i++)
    {
      gboolean empty = TRUE;

      for (gint32 k = matrix->row_from[i]; k < matrix->row_from[i + 1]; k++)
        {
          empty = empty && value[k] == 0;
          if (isfinite (value[k]))
            continue;
          g_set_error (error, ES_COMPUTE_ERROR, ES_COMPUTE_ERROR_NUMERIC,
                       _("Row %zu has %g in column %d: a matrix of equations has finite numbers."),
                       i + 1, value[k], matrix->column[k] + 1);
          return FALSE;
        }
      if (empty)
        {
          g_set_error (error, ES_COMPUTE_ERROR, ES_COMPUTE_ERROR_NUMERIC,
                       _("Row %zu of the matrix has nothing but zeros: the matrix is singular."),
                       i + 1);
          return FALSE;
        }
      if (!isfinite (b[i]))
        {
          g_set_error (error, ES_COMPUTE_ERROR, ES_COMPUTE_ERROR_NUMERIC,
                       _("The right-hand side has %g in row %zu: it needs finite numbers."), b[i],
                       i + 1);
          return FALSE;
        }
    }
  return TRUE;
}

/* What float32 has no number for. */
static gboolean
check_range (const EskCsr *matrix, const EsSolverSettings *settings, GError **error)
{
  const double *value = matrix->value;

  if (settings->type != ESK_F32)
    return TRUE;
  for (gsize i = 0; i < matrix->rows; i++)
    for (gint32 k = matrix->row_from[i]; k < matrix->row_from[i + 1]; k++)
      {
        if (!isfinite ((float) value[k]))
          {
            g_set_error (error, ES_COMPUTE_ERROR, ES_COMPUTE_ERROR_NUMERIC,
                         _("Row %zu has %g in column %d, beyond the range of float32: choose “precision=float64”, or "
                           "scale the matrix."), i + 1, value[k], matrix->column[k] + 1);
            return FALSE;
          }
        if ((gsize) matrix->column[k] == i && value[k] != 0 && (float) value[k] == 0)
          {
            g_set_error (error, ES_COMPUTE_ERROR, ES_COMPUTE_ERROR_NUMERIC,
                         _("The diagonal of row %zu is %g, which is 0 in float32: choose “precision=float64”, or "
                           "scale the matrix."), i + 1, value[k]);
            return FALSE;
          }
      }
  return TRUE;
}

/* ---- solving ---- */

static void
set_batch (EsSolverRun *run)
{
  const double bytes = (double) run->cost.bytes + 12.0 * (double) (run->n * esk_type_size (run->type))
                       + es_precondition_bytes (run);

  const guint most = run->precondition != NULL && run->settings->preconditioner == ES_PRECONDITIONER_MULTIGRID
                     ? MOST_CYCLES : MOST_BATCH;

  run->batch = run->hotspots->device == NULL ? 1 : (guint) CLAMP (BATCH_BYTES / bytes, 1, most);
}

static gboolean
solve (EsSolverRun *run, GError **error)
{
  set_batch (run);
  if (run->settings->method == ES_SOLVER_JACOBI)
    return es_solver_jacobi (run, error);
  if (!es_solver_prepare (run, run->matrix, &run->product, &run->cost, error) || es_solver_cancelled (run, error)
      || !es_precondition_new (run, error))
    return FALSE;
  set_batch (run);
  run->started = g_get_monotonic_time ();
  switch (run->settings->method)
    {
    case ES_SOLVER_BICGSTAB:
      return es_solver_bicgstab (run, error);
    case ES_SOLVER_GMRES:
      return es_solver_gmres (run, error);
    default:
      return es_solver_gradients (run, error);
    }
}

/* b by a power of two, which rounds nothing, or NULL: it is good as it is. */
static double *
scale_side (EsSolverRun *run, const double *b)
{
  double *scaled, largest = 0;

  for (gsize i = 0; i < run->n; i++)
    largest = MAX (largest, fabs (b[i]));
  if (largest == 0 || (largest >= LEAST_SIDE && largest <= MOST_SIDE))
    return NULL;
  frexp (largest, &run->exponent);
  scaled = g_new (double, run->n + 1);
  for (gsize i = 0; i < run->n; i++)
    scaled[i] = ldexp (b[i], -run->exponent);
  return scaled;
}

/* Of x as it is given back: what is too large for a number of float64, or too small, counts. */
static double
find_residual (const EsSolverRun *run, double *x)
{
  g_autofree double *scaled = NULL;

  if (run->exponent == 0)
    return es_solver_true_residual (run->matrix, run->given_b, x);
  scaled = g_new (double, run->n + 1);
  for (gsize i = 0; i < run->n; i++)
    {
      x[i] = ldexp (x[i], run->exponent);
      scaled[i] = ldexp (x[i], -run->exponent);
    }
  return es_solver_true_residual (run->matrix, run->given_b, scaled);
}

/* What is true of x, whatever the iteration thought. */
static gboolean
collect (EsSolverRun *run, GError **error)
{
  EsSolution *solution = run->solution;

  if (!es_solver_check_code (run, esk_hotspots_wait (run->hotspots, run->stream), error))
    return FALSE;
  solution->seconds = (g_get_monotonic_time () - run->started) * 1e-6;
  if (!es_solver_get (run, solution->x, run->x, error))
    return FALSE;
  solution->iterations = run->iteration;
  solution->residual = find_residual (run, solution->x);
  es_solver_describe (run);
  return TRUE;
}

static void
clear_run (EsSolverRun *run)
{
  es_precondition_free (run);
  if (run->product != NULL)
    run->hotspots->sparse->product_free (run->stream, run->product);
  g_clear_pointer (&run->memory, es_buffer_unref);
  g_clear_pointer (&run->slot_memory, es_buffer_unref);
  g_free (run->here);
  if (run->stream != NULL)
    es_device_give_stream (run->device, run->stream);
}

EsSolution *
es_solve (EsDevice *device, const EskCsr *matrix, const double *b, const EsSolverSettings *settings,
          const EsSolverCalls *calls, GError **error)
{
  g_autoptr (EsSolution) solution = g_new0 (EsSolution, 1);
  EsSolverRun run = { .device = device, .hotspots = es_device_get_hotspots (device), .matrix = matrix, .given_b = b,
                      .settings = settings, .calls = calls, .solution = solution, .n = matrix->rows,
                      .type = settings->type, .verified = INFINITY };
  g_autofree double *scaled = NULL;
  gboolean solved;

  if (!check_matrix (matrix, b, error) || !check_range (matrix, settings, error))
    return NULL;
  if (!es_solver_suits (device))
    {
      g_set_error (error, ES_COMPUTE_ERROR, ES_COMPUTE_ERROR_DEVICE, _("%s has no solvers of linear systems."),
                   es_device_get_name (device));
      return NULL;
    }
  solution->n = run.n;
  solution->x = g_new0 (double, run.n + 1);
  solution->history = g_array_new (FALSE, FALSE, sizeof (EsSolverPoint));
  solution->notes = g_ptr_array_new_with_free_func (g_free);
  solution->estimated_restart = solution->radius = solution->complexity = NAN;
  run.vectors = run.hotspots->vectors;
  scaled = scale_side (&run, b);
  run.given_b = scaled != NULL ? scaled : b;
  run.b_norm = norm (run.n, run.given_b);
  run.target = settings->tolerance * run.b_norm * settings->tolerance * run.b_norm;
  run.stream = es_device_take_stream (device);
  if (run.stream == NULL)
    {
      es_device_check (device, NULL, ESK_ERROR_MEMORY, _("the solver's iteration"), error);
      return NULL;
    }
  if (es_device_is_cpu (device))
    esk_hotspots_set_threads (run.hotspots, run.stream,
                              (int) (settings->threads > 0 ? settings->threads : es_device_get_lanes (device)));
  if (calls != NULL && calls->watch != NULL)
    calls->watch (run.hotspots, run.stream, calls->data);

  run.started = g_get_monotonic_time ();
  solved = solve (&run, error) && collect (&run, error);
  esk_hotspots_set_cancelled (run.hotspots, run.stream, NULL);
  clear_run (&run);
  return solved ? g_steal_pointer (&solution) : NULL;
}
