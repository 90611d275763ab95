/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/*
 * Multigrid as a preconditioner: grids that are made on the host (es-grids.c) lie on the device, and a V-cycle over
 * them is products and combinations of vectors alone. What smooths is a polynomial of Chebyshev's in D^-1 A, the same
 * one before the coarser grid and after it, so that the cycle is symmetric (Adams, Brezina, Hu and Tuminaro, Parallel
 * multigrid smoothing: polynomial versus Gauss-Seidel, 2003); of one step it is Jacobi's, damped. Of a matrix that is
 * not symmetric, whose eigenvalues are not real, every step is Jacobi's.
 */

#include "es-grids-private.h"
#include "es-solver-private.h"

#include <glib/gi18n-lib.h>
#include <string.h>

/* Chebyshev's interval: from the largest eigenvalue down to this part of it, by the number of steps. What is below is
 * the coarser grid's. */
static const double lowest[] = { 1, 0.4, 0.25, 0.15, 0.1, 0.08, 0.06, 0.05, 0.04 };
G_STATIC_ASSERT (G_N_ELEMENTS (lowest) == ES_SOLVER_MOST_SMOOTHING + 1);
/* Where the coarsest level cannot be solved, it is smoothed by so many steps. */
#define COARSEST_STEPS ES_SOLVER_MOST_SMOOTHING
/* Of a step of Jacobi's where eigenvalues are not real: over what a row sums up to. */
#define DAMPING (4.0 / 3.0)
/* Between two vectors. */
#define ALIGNMENT 256

typedef struct
{
  gsize             n;
  EskSparseProduct *matrix, *down, *up;  /* down: to the next level; matrix NULL: of the finest the run's */
  EskSparseCost     matrix_cost, down_cost, up_cost;
  guint             steps;
  double            weights[ES_SOLVER_MOST_SMOOTHING];
  void             *b, *x, *t, *y;       /* b, x: of the finest the caller's */
} Level;

struct _EsMultigrid
{
  guint             n_levels;
  Level            *levels;
  EskSparseProduct *inverse;   /* of the coarsest; NULL: it is smoothed */
  EskSparseCost     inverse_cost;
  EsBuffer         *memory;    /* all vectors */
  const void       *diagonal;  /* the inverse of the finest level's, where it is not the same number everywhere */
  double            bytes;
};

/* ---- making it ---- */

static void
set_weights (Level *level, const EsGrids *grids, double largest, guint steps)
{
  const double low = largest * lowest[steps];

  level->steps = steps;
  for (guint k = 0; k < steps; k++)
    level->weights[k] = grids->symmetric
                        ? 1 / ((largest + low) / 2 + (largest - low) / 2 * cos (G_PI * (k + 0.5) / steps))
                        : DAMPING / largest;
}

/* One that rows of a grid are short in, and that is good on every device. */
static gboolean
prepare (EsSolverRun *run, const EsGridMatrix *matrix, EskSparseProduct **product, EskSparseCost *cost, GError **error)
{
  const EskCsr csr = { matrix->rows, matrix->columns, ESK_F64, matrix->row_from, matrix->column, matrix->value };
  const EskSparseOptions options = { .full_warps = -1 };

  return es_solver_prepare_as (run, &csr, ESK_SPARSE_SELL, &options, product, cost, error);
}

typedef struct
{
  EsGridMatrix *prolongation, *restriction;
  const double *scale;
} Unscaling;

static void
unscale_part (gpointer data, gsize p, guint lane)
{
  const Unscaling *self = data;
  EsGridMatrix *up = self->prolongation, *down = self->restriction;

  (void) lane;
  for (gsize i = es_grid_first (p, up->rows); i < es_grid_first (p + 1, up->rows); i++)
    for (gint32 k = up->row_from[i]; k < up->row_from[i + 1]; k++)
      up->value[k] *= self->scale[i];
  for (gsize j = es_grid_first (p, down->rows); j < es_grid_first (p + 1, down->rows); j++)
    for (gint32 k = down->row_from[j]; k < down->row_from[j + 1]; k++)
      down->value[k] *= self->scale[down->column[k]];
}

/* Rows of the finest level's are scaled as the matrix was. */
static gboolean
unscale (EsGridLevel *level, const double *scale, EsGridTeam *team, GError **error)
{
  Unscaling unscaling = { &level->prolongation, &level->restriction, scale };

  return es_grid_team_run (team, es_grid_parts (level->prolongation.rows), unscale_part, &unscaling, error);
}

/* Matrices of one level, which the host then has no need of any more. */
static gboolean
make_level (EsSolverRun *run, EsMultigrid *self, EsGrids *grids, guint i, EsGridTeam *team, GError **error)
{
  EsGridLevel *from = &g_array_index (grids->levels, EsGridLevel, i);
  const EsSolverLevel told = { from->matrix.rows, es_grid_matrix_n_nonzeros (&from->matrix),
                               es_grid_matrix_n_nonzeros (&from->prolongation) };
  Level *level = &self->levels[i];
  gboolean made;

  g_array_append_val (run->solution->levels, told);
  level->n = from->matrix.rows;
  set_weights (level, grids, from->largest, i + 1 < self->n_levels ? run->settings->smoothing > 0
                                                                     ? run->settings->smoothing : ES_SOLVER_SMOOTHING
                                            : COARSEST_STEPS);
  if (i == 0)
    level->matrix_cost = run->cost;
  else if (!prepare (run, &from->matrix, &level->matrix, &level->matrix_cost, error))
    return FALSE;
  es_grid_matrix_clear (&from->matrix);
  if (i + 1 == self->n_levels)
    return TRUE;
  made = (i > 0 || unscale (from, grids->scale, team, error))
         && prepare (run, &from->prolongation, &level->up, &level->up_cost, error);
  es_grid_matrix_clear (&from->prolongation);
  made = made && prepare (run, &from->restriction, &level->down, &level->down_cost, error);
  es_grid_matrix_clear (&from->restriction);
  return made && !es_solver_cancelled (run, error);
}

/* The coarsest level's inverse is a matrix like others, but that it has no zeros. */
static gboolean
make_inverse (EsSolverRun *run, EsMultigrid *self, const EsGrids *grids, GError **error)
{
  const gsize n = self->levels[self->n_levels - 1].n;
  EsGridMatrix dense = { n, n, NULL, NULL, NULL };
  gboolean made;

  if (grids->inverse == NULL)
    return TRUE;
  dense.row_from = g_new (gint32, n + 1);
  dense.column = g_new (gint32, n * n);
  dense.value = g_new (double, n * n);
  for (gsize i = 0; i < n; i++)
    for (gsize j = 0; j < n; j++)
      {
        dense.column[i * n + j] = (gint32) j;
        dense.value[i * n + j] = grids->inverse[j * n + i];
        if (self->n_levels == 1)
          dense.value[i * n + j] *= grids->scale[i] * grids->scale[j];
      }
  for (gsize i = 0; i <= n; i++)
    dense.row_from[i] = (gint32) (i * n);
  made = prepare (run, &dense, &self->inverse, &self->inverse_cost, error);
  es_grid_matrix_clear (&dense);
  return made;
}

static gsize
padded (EsSolverRun *run, gsize n)
{
  const gsize e = esk_type_size (run->type);

  return (n * e + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
}

/* Vectors of every level, and the diagonal where steps need one. */
static gboolean
make_vectors (EsSolverRun *run, EsMultigrid *self, const EsGrids *grids, GError **error)
{
  const gboolean uneven = isnan (grids->diagonal);
  g_autofree double *inverse = NULL;
  gsize bytes = ALIGNMENT + (uneven ? padded (run, run->n) : 0);
  char *at;

  for (guint i = 0; i < self->n_levels; i++)
    bytes += (i == 0 ? 2 : 4) * padded (run, self->levels[i].n);
  self->memory = es_buffer_new (run->device, bytes, error);
  if (self->memory == NULL)
    return FALSE;
  at = (char *) (((guintptr) es_buffer_get_data (self->memory) + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT);
  for (guint i = 0; i < self->n_levels; i++)
    {
      Level *level = &self->levels[i];
      void **const all[4] = { &level->t, &level->y, &level->b, &level->x };

      for (guint k = 0; k < (i == 0 ? 2 : 4); k++)
        {
          *all[k] = at;
          at += padded (run, level->n);
        }
    }
  if (!uneven)
    {
      for (guint k = 0; k < self->levels[0].steps; k++)
        self->levels[0].weights[k] /= grids->diagonal;
      return TRUE;
    }
  inverse = g_new (double, run->n + 1);
  for (gsize i = 0; i < run->n; i++)
    inverse[i] = grids->scale[i] * grids->scale[i];
  self->diagonal = at;
  return es_solver_put (run, at, inverse, error);
}

/* As the cycle below goes, of vectors read and written. */
static double
count_bytes (EsSolverRun *run, const EsMultigrid *self)
{
  const double e = (double) esk_type_size (run->type);
  double bytes = 0;

  for (guint i = 0; i < self->n_levels; i++)
    {
      const Level *level = &self->levels[i];
      const gboolean uneven = i == 0 && self->diagonal != NULL, coarsest = i + 1 == self->n_levels;
      const double vector = e * (double) level->n,
                   step = (double) level->matrix_cost.bytes + (uneven ? 11 : 6) * vector;

      if (coarsest && self->inverse != NULL)
        bytes += (double) self->inverse_cost.bytes + 2 * vector;
      else if (coarsest)
        bytes += 2 * vector + (level->steps - 1) * step;
      else
        bytes += 2 * vector + (2 * level->steps - 1) * step + (double) level->matrix_cost.bytes + 5 * vector
                 + (double) level->down_cost.bytes + (double) level->up_cost.bytes + 3 * vector
                 + 2 * e * (double) self->levels[i + 1].n;
    }
  return bytes;
}

static void
tell (EsSolverRun *run, const EsMultigrid *self, const EsGrids *grids)
{
  EsSolution *solution = run->solution;
  double nonzeros = 0;

  for (guint i = 0; i < solution->levels->len; i++)
    nonzeros += (double) g_array_index (solution->levels, EsSolverLevel, i).n_nonzeros;
  solution->complexity = nonzeros / (double) esk_csr_n_nonzeros (run->matrix);
  if (!grids->symmetric)
    g_ptr_array_add (solution->notes,
                     g_strdup (_("The matrix is not symmetric: grids are made of its symmetric part, and Jacobi’s "
                                 "steps smooth; multigrid promises less for it.")));
  if (grids->end == ES_GRIDS_DIAGONAL)
    g_ptr_array_add (solution->notes,
                     g_strdup (_("What is left of the coarsest grid is next to diagonal: smoothing solves it.")));
  else if (self->inverse == NULL)
    g_ptr_array_add (solution->notes,
                     g_strdup_printf (grids->end == ES_GRIDS_STUCK
                                      ? _("Coarsening ended at %zu rows, whose couplings do not let them "
                                          "shrink: this level is smoothed instead of being solved, and multigrid helps "
                                          "little.")
                                      : _("Coarsening ended at %zu rows, for coarser grids would be too "
                                          "dense: this level is smoothed instead of being solved, and multigrid helps "
                                          "little."), self->levels[self->n_levels - 1].n));
}

static EsMultigrid *
make (EsSolverRun *run, EsGridTeam *team, GError **error)
{
  g_autoptr (EsGrids) grids = es_grids_new (run->matrix, run->settings->strength,
                                            run->settings->method == ES_SOLVER_CG, team, error);
  EsMultigrid *self;
  gboolean made = TRUE;

  if (grids == NULL)
    return NULL;
  run->solution->levels = g_array_new (FALSE, FALSE, sizeof (EsSolverLevel));
  self = g_new0 (EsMultigrid, 1);
  self->n_levels = grids->levels->len;
  self->levels = g_new0 (Level, self->n_levels);
  for (guint i = 0; made && i < self->n_levels; i++)
    made = make_level (run, self, grids, i, team, error);
  if (!made || !make_inverse (run, self, grids, error) || !make_vectors (run, self, grids, error))
    {
      es_multigrid_free (run, self);
      return NULL;
    }
  self->bytes = count_bytes (run, self);
  tell (run, self, grids);
  return self;
}

/* Grids are made by a processor, whatever device has them then. */
EsMultigrid *
es_multigrid_new (EsSolverRun *run, GError **error)
{
  EsDevice *cpu = es_device_get_cpu ();
  EskStream *other = es_device_is_cpu (run->device) ? NULL : es_device_take_stream (cpu);
  EsGridTeam team = { other != NULL ? other : es_device_is_cpu (run->device) ? run->stream : NULL,
                      run->calls != NULL ? run->calls->cancellable : NULL, FALSE };
  EsMultigrid *self;

  if (other != NULL)
    esk_hotspots_set_threads (es_device_get_hotspots (cpu), other, (int) es_device_get_lanes (cpu));
  self = make (run, &team, error);
  if (other != NULL)
    es_device_give_stream (cpu, other);
  return self;
}

void
es_multigrid_free (EsSolverRun *run, EsMultigrid *self)
{
  const EskSparseHotspots *sparse = run->hotspots->sparse;

  for (guint i = 0; i < self->n_levels; i++)
    {
      EskSparseProduct *const all[3] = { self->levels[i].matrix, self->levels[i].down, self->levels[i].up };

      for (guint k = 0; k < G_N_ELEMENTS (all); k++)
        if (all[k] != NULL)
          sparse->product_free (run->stream, all[k]);
    }
  if (self->inverse != NULL)
    sparse->product_free (run->stream, self->inverse);
  g_clear_pointer (&self->memory, es_buffer_unref);
  g_free (self->levels);
  g_free (self);
}

double
es_multigrid_bytes (const EsMultigrid *self)
{
  return self->bytes;
}

/* ---- a cycle ---- */

/* What stays as it is through a cycle. */
typedef struct
{
  EsSolverRun       *run;
  const EsMultigrid *self;
} Cycle;

static int
multiply (const Cycle *cycle, guint i, double alpha, const void *x, void *y)
{
  EsSolverRun *run = cycle->run;
  EskSparseProduct *product = cycle->self->levels[i].matrix != NULL ? cycle->self->levels[i].matrix : run->product;

  return run->hotspots->sparse->multiply (run->stream, product, alpha, x, 1, y);
}

static int
combine (const Cycle *cycle, guint i, guint n_terms, const EskTerm *terms, void *out)
{
  EsSolverRun *run = cycle->run;

  return run->vectors->combine (run->stream, run->type, cycle->self->levels[i].n, n_terms, terms, out, 0, NULL, NULL);
}

/* out = weight D^-1 v */
static int
scale (const Cycle *cycle, guint i, double weight, const void *v, void *out)
{
  EsSolverRun *run = cycle->run;
  const EskTerm term = es_term (weight, i == 0 && cycle->self->diagonal != NULL ? out : v);
  int code = ESK_OK;

  if (i == 0 && cycle->self->diagonal != NULL)
    code = run->vectors->scale (run->stream, run->type, run->n, cycle->self->diagonal, v, out, NULL);
  return code == ESK_OK ? combine (cycle, i, 1, &term, out) : code;
}

/* t = b - A x */
static int
find_residual (const Cycle *cycle, guint i, const void *b, const void *x)
{
  const Level *level = &cycle->self->levels[i];
  const EskTerm copy = es_term (1, b);
  const int code = combine (cycle, i, 1, &copy, level->t);

  return code == ESK_OK ? multiply (cycle, i, -1, x, level->t) : code;
}

/* One step from *here to *there, which change places: x + weight D^-1 (b - A x). */
static int
smooth (const Cycle *cycle, guint i, double weight, const void *b, void **here, void **there)
{
  const Level *level = &cycle->self->levels[i];
  void *from = *here, *to = *there;
  int code;

  if (i == 0 && cycle->self->diagonal != NULL)
    {
      const EskTerm terms[2] = { es_term (1, from), es_term (weight, level->t) };

      code = find_residual (cycle, i, b, from);
      if (code == ESK_OK)
        code = cycle->run->vectors->scale (cycle->run->stream, cycle->run->type, level->n, cycle->self->diagonal,
                                           level->t, level->t, NULL);
      if (code == ESK_OK)
        code = combine (cycle, i, 2, terms, to);
    }
  else
    {
      const EskTerm terms[2] = { es_term (1, from), es_term (weight, b) };

      code = combine (cycle, i, 2, terms, to);
      if (code == ESK_OK)
        code = multiply (cycle, i, -weight, from, to);
    }
  *here = to;
  *there = from;
  return code;
}

/* x of level i, from nothing, of b. */
static int
descend (const Cycle *cycle, guint i, const void *b, void *x)
{
  const EsMultigrid *self = cycle->self;
  const EskSparseHotspots *sparse = cycle->run->hotspots->sparse;
  const Level *level = &self->levels[i], *next = level + 1;
  EskStream *stream = cycle->run->stream;
  const gboolean coarsest = i + 1 == self->n_levels;
  /* The first step has no product, and after the others the solution is in x. */
  const guint n_products = (coarsest ? 1 : 2) * level->steps - 1;
  void *here = n_products % 2 == 0 ? x : level->y, *there = n_products % 2 == 0 ? level->y : x;
  int code;

  if (coarsest && self->inverse != NULL)
    return sparse->multiply (stream, self->inverse, 1, b, 0, x);
  code = scale (cycle, i, level->weights[0], b, here);
  for (guint k = 1; code == ESK_OK && k < level->steps; k++)
    code = smooth (cycle, i, level->weights[k], b, &here, &there);
  if (coarsest || code != ESK_OK)
    return code;
  code = find_residual (cycle, i, b, here);
  if (code == ESK_OK)
    code = sparse->multiply (stream, level->down, 1, level->t, 0, next->b);
  if (code == ESK_OK)
    code = descend (cycle, i + 1, next->b, next->x);
  if (code == ESK_OK)
    code = sparse->multiply (stream, level->up, 1, next->x, 1, here);
  /* The same steps the other way round. */
  for (guint k = level->steps; code == ESK_OK && k-- > 0;)
    code = smooth (cycle, i, level->weights[k], b, &here, &there);
  return code;
}

gboolean
es_multigrid_apply (EsSolverRun *run, EsMultigrid *self, const void *r, void *z, GError **error)
{
  const Cycle cycle = { run, self };

  return es_solver_check_code (run, descend (&cycle, 0, r, z), error);
}
