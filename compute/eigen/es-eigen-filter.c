/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/*
 * The smallest eigenvalues by subspace iteration with Chebyshev polynomials of the matrix (Zhou, Saad, Tiago and
 * Chelikowsky, "Self-consistent-field calculations using Chebyshev-filtered subspace iteration", 2006): a polynomial
 * that is small between the largest value of a block and the largest of all grows fast below; the block is filtered by
 * it, made to Ritz vectors, and filtered again, in between them and the largest of the new values.
 */

#include "es-sparse-eigen-private.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "device/es-buffer-internal.h"
#include "device/es-device-internal.h"
#include "es-eigen.h"
#include "es-recurrence.h"

/* Steps of Lanczos' method for a bound of the largest value. */
#define BOUND_STEPS 10
/* The first polynomial, when nothing is known yet: its degree, and where it begins to be small. */
#define FIRST_DEGREE 8
#define FIRST_SHARE  0.1
/* Degrees of all polynomials together; a factor is found sooner than what needs more. */
#define MOST_DEGREES 400
/* Polynomials after which it is known how many more are needed. */
#define KNOWN_AFTER  3
/* Of what a polynomial may make of two vectors of one length: of more their angles are lost. */
#define MOST_GROWTH  1e6
/* Shares of the largest eigenvalue of the block's Gram matrix below which its vectors are made anew, and below which
 * pairs are not at right angles well enough. */
#define LEAST_GRAM   1e-7
#define GOOD_GRAM    1e-4
/* Values of the matrix times panels between two looks at whether the job is cancelled: some 20 ms. */
#define SLICE        2e7

typedef struct
{
  const EskCsr         *matrix;
  const EsEigenOptions *options;
  EsDevice             *device;
  EskStream            *stream;
  gsize                 n;
  guint                 m, p;          /* pairs that are wanted, vectors of the block */
  guint                 degrees, polynomials;
  double                low, high;     /* the smallest value that is known of, and a bound of the largest */
  double                worst;         /* largest residual of the m pairs */
  double                least;         /* smallest share in the Gram matrix */
  gboolean              hopeless;      /* no error, but it is nothing for a filter */
  double               *x, *y;         /* panels */
  double               *rows, *images; /* the block and what the matrix makes of it: n x p */
  double               *values;        /* p, ascending */
  double               *small;         /* 6 p x p */
} Filter;

static guint
count_block (guint m)
{
  return (m + MAX (8, m / 2) + ESK_PANEL_VECTORS - 1) / ESK_PANEL_VECTORS * ESK_PANEL_VECTORS;
}

guint64
es_eigen_plan_filter (gsize n, guint m)
{
  const guint64 p = count_block (m);

  return (4 * p * n + 6 * p * p) * sizeof (double);
}

gboolean
es_eigen_filter_takes (const EskCsr *matrix, guint m, const EsEigenOptions *options)
{
  return !options->without_factor && matrix->rows >= 6 * (gsize) count_block (m)
         && es_eigen_plan_filter (matrix->rows, m)
            <= es_limits_get_host_memory (options->limits, (EsMemoryShare) { 2, 2 });
}

static void
filter_clear (Filter *self)
{
  if (self->stream != NULL)
    {
      esk_hotspots_set_threads (es_device_get_hotspots (self->device), self->stream, 1);
      es_device_give_stream (self->device, self->stream);
    }
  free (self->x);
  free (self->y);
  free (self->rows);
  free (self->images);
  free (self->small);
  g_free (self->values);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Filter, filter_clear)

/* n doubles, on a cache line. */
static double *
allocate (gsize n)
{
  return aligned_alloc (64, (n * sizeof (double) + 63) / 64 * 64);
}

static gboolean
filter_init (Filter *self, GError **error)
{
  const EsEigenOptions *options = self->options;
  const gsize all = self->n * self->p;

  self->device = es_device_get_cpu ();
  self->stream = es_device_take_stream (self->device);
  self->x = allocate (all);
  self->y = allocate (all);
  self->rows = allocate (all);
  self->images = allocate (all);
  self->small = allocate (6 * (gsize) self->p * self->p);
  self->values = g_new (double, self->p);
  if (self->stream == NULL || self->x == NULL || self->y == NULL || self->rows == NULL || self->images == NULL
      || self->small == NULL)
    return es_compute_error_no_memory (_("the eigenproblem"), error);
  esk_hotspots_set_threads (es_device_get_hotspots (self->device), self->stream,
                            (int) (options->threads > 0 ? options->threads : es_device_get_lanes (self->device)));
  return TRUE;
}

static gboolean
check (const Filter *self, int code, GError **error)
{
  return es_device_check (self->device, self->stream, code, _("the eigenproblem"), error);
}

/* All pairs of a small matrix; FALSE without an error where it is not finite any more, which makes it hopeless. */
static gboolean
solve_small (Filter *self, gsize n, const double *matrix, double *values, double *vectors, GError **error)
{
  const int code = esk_eigen_lapack (n, matrix, values, vectors);

  self->hopeless |= code == ESK_ERROR_ARGUMENT || code == ESK_ERROR_NO_CONVERGENCE;
  return !self->hopeless && check (self, code, error);
}

/* ---- panels: of row i the values 8 k ... 8 k + 7 are in panel k ---- */

static void
pack (const Filter *self, const double *rows, double *panels)
{
  for (gsize k = 0; k < self->p / ESK_PANEL_VECTORS; k++)
    for (gsize i = 0; i < self->n; i++)
      memcpy (panels + (k * self->n + i) * ESK_PANEL_VECTORS, rows + i * self->p + k * ESK_PANEL_VECTORS,
              ESK_PANEL_VECTORS * sizeof (double));
}

static void
unpack (const Filter *self, const double *panels, double *rows)
{
  for (gsize k = 0; k < self->p / ESK_PANEL_VECTORS; k++)
    for (gsize i = 0; i < self->n; i++)
      memcpy (rows + i * self->p + k * ESK_PANEL_VECTORS, panels + (k * self->n + i) * ESK_PANEL_VECTORS,
              ESK_PANEL_VECTORS * sizeof (double));
}

/* What comes last is in x, what was there before it in y. */
static gboolean
recur (Filter *self, gsize steps, const EskRecurrence *recurrence, GError **error)
{
  const gsize panels = self->p / ESK_PANEL_VECTORS;
  const double step = (double) (esk_csr_n_nonzeros (self->matrix) + self->n) * (double) panels;
  const gsize slice = (gsize) fmax (1, SLICE / step);

  for (gsize from = 0; from < steps; from += slice)
    {
      const gsize count = MIN (slice, steps - from);

      if (g_cancellable_set_error_if_cancelled (self->options->cancellable, error)
          || !check (self, esk_recur (self->stream, self->matrix, count, recurrence + from, panels, self->x, self->y),
                     error))
        return FALSE;
      if (count % 2 == 1)
        {
          double *last = self->y;

          self->y = self->x;
          self->x = last;
        }
    }
  return TRUE;
}

/* ---- the polynomial ---- */

/* Of a Chebyshev polynomial of that degree that is at most 1 from `from` to `high`: what it is at `value`, below. */
static double
rate (const Filter *self, double from, double value)
{
  return acosh (fmax (1, ((from + self->high) / 2 - value) / ((self->high - from) / 2)));
}

/* x becomes T (x), scaled so that the smallest value's vector keeps its length. */
static gboolean
filter (Filter *self, double from, guint degree, GError **error)
{
  g_autofree EskRecurrence *recurrence = g_new (EskRecurrence, degree);
  const double middle = (from + self->high) / 2, half = (self->high - from) / 2;
  const double first = half / (middle - self->low);
  double scale = first;

  for (guint k = 0; k < degree; k++)
    {
      const double next = k == 0 ? first : 1 / (2 / first - scale);
      const double a = (k == 0 ? 1 : 2) * next / half;

      recurrence[k] = (EskRecurrence) { a, -middle * a, k == 0 ? 0 : -scale * next };
      scale = next;
    }
  self->degrees += degree;
  self->polynomials++;
  return recur (self, degree, recurrence, error);
}

/* ---- the ends of the spectrum, by some steps of Lanczos' method ---- */

static double
dot (gsize n, const double *x, const double *y)
{
  double sum = 0;

  for (gsize i = 0; i < n; i++)
    sum += x[i] * y[i];
  return sum;
}

/* Nothing is above the largest Ritz value and what is left of its vector (Zhou and Li 2011), nor above the norm. FALSE:
 * *error, or hopeless. */
static gboolean
find_bounds (Filter *self, double norm, GError **error)
{
  const gsize n = self->n;
  g_autoptr (EsEigenProduct) product = es_eigen_product_new (self->matrix, self->options->threads, error);
  double *v = self->x, *before = self->y, *w = self->images;
  double matrix[BOUND_STEPS * BOUND_STEPS] = { 0 }, values[BOUND_STEPS], vectors[BOUND_STEPS * BOUND_STEPS];
  double small[BOUND_STEPS * BOUND_STEPS], beta = 0, length;
  guint steps = 0;

  if (product == NULL)
    return FALSE;
  es_eigen_fill_start (n, 0, v);
  length = sqrt (dot (n, v, v));
  for (gsize i = 0; i < n; i++)
    {
      v[i] /= length;
      before[i] = 0;
    }
  while (steps < BOUND_STEPS)
    {
      double alpha, *last = before;

      if (!es_eigen_product_apply (product, v, w, error))
        return FALSE;
      for (gsize i = 0; i < n; i++)
        w[i] -= beta * before[i];
      alpha = dot (n, v, w);
      for (gsize i = 0; i < n; i++)
        w[i] -= alpha * v[i];
      beta = sqrt (dot (n, w, w));
      matrix[steps * BOUND_STEPS + steps] = alpha;
      steps++;
      if (beta <= 1e-12 * norm || steps == BOUND_STEPS)
        break;
      matrix[steps * BOUND_STEPS + steps - 1] = matrix[(steps - 1) * BOUND_STEPS + steps] = beta;
      for (gsize i = 0; i < n; i++)
        w[i] /= beta;
      before = v;
      v = w;
      w = last;
    }
  for (guint i = 0; i < steps; i++)
    memcpy (small + i * steps, matrix + i * BOUND_STEPS, steps * sizeof (double));
  if (!solve_small (self, steps, small, values, vectors, error))
    return FALSE;
  self->low = values[steps - 1];
  self->high = fmin (norm, values[0] + 0.02 * fabs (values[0]) + beta * fabs (vectors[steps - 1]));
  /* All values are the same, or nearly. */
  self->hopeless = !(self->high - self->low > 1e-6 * norm);
  return !self->hopeless;
}

/* ---- Ritz vectors ---- */

/* turn (p x p): of which combinations of the block the Ritz vectors in y are; room: p x m. The block is not kept. */
static gboolean
find_residuals (Filter *self, const double *turn, double *room, GError **error)
{
  const gsize n = self->n, p = self->p, m = self->m;
  g_autofree double *squares = g_new0 (double, m);

  for (gsize i = 0; i < p; i++)
    memcpy (room + i * m, turn + i * p, m * sizeof (double));
  if (!check (self, esk_multiply (n, p, m, self->images, room, self->rows), error))
    return FALSE;
  for (gsize i = 0; i < n; i++)
    for (gsize k = 0; k < m; k++)
      {
        const double rest = self->rows[i * m + k] - self->values[k] * self->y[i * p + k];

        squares[k] += rest * rest;
      }
  self->worst = 0;
  for (gsize k = 0; k < m; k++)
    self->worst = fmax (self->worst, sqrt (squares[k]));
  return TRUE;
}

typedef enum { RITZ, BASIS, FAILED } Found;

/*
 * The block's Ritz vectors, in y as n x p, and the residuals of m of them; or, where its vectors are too much alike, a
 * basis of what they span there, at right angles.
 */
static Found
rotate (Filter *self, GError **error)
{
  const gsize n = self->n, p = self->p, pp = p * p;
  double *gram = self->small, *inner = gram + pp, *white = inner + pp, *half = white + pp, *turn = half + pp;
  double *across = turn + pp;
  g_autofree double *scale = g_new (double, p), *found = g_new (double, p);

  if (!check (self, esk_multiply_across (p, n, p, self->rows, self->rows, gram), error))
    return FAILED;
  for (gsize i = 0; i < p; i++)
    scale[i] = gram[i * p + i] > 0 ? 1 / sqrt (gram[i * p + i]) : 0;
  for (gsize i = 0; i < p; i++)
    for (gsize j = 0; j < p; j++)
      gram[i * p + j] *= scale[i] * scale[j];
  if (!solve_small (self, p, gram, found, half, error))
    return FAILED;
  self->least = found[p - 1] / found[0];
  /* white: columns that make the block one at right angles. */
  for (gsize k = 0; k < p; k++)
    for (gsize i = 0; i < p; i++)
      white[i * p + k] = scale[i] * half[k * p + i] / sqrt (fmax (found[k], 1e-13 * found[0]));
  if (self->least < LEAST_GRAM)
    return check (self, esk_multiply (n, p, p, self->rows, white, self->y), error) ? BASIS : FAILED;

  if (!check (self, esk_multiply_across (p, n, p, self->rows, self->images, inner), error)
      || !check (self, esk_multiply (p, p, p, inner, white, half), error)
      || !check (self, esk_multiply_across (p, p, p, white, half, inner), error))
    return FAILED;
  for (gsize i = 0; i < p; i++)
    for (gsize j = 0; j < i; j++)
      inner[i * p + j] = inner[j * p + i] = (inner[i * p + j] + inner[j * p + i]) / 2;
  if (!solve_small (self, p, inner, found, half, error))
    return FAILED;
  for (gsize k = 0; k < p; k++)
    {
      self->values[k] = found[p - 1 - k];
      for (gsize i = 0; i < p; i++)
        across[i * p + k] = half[(p - 1 - k) * p + i];
    }
  if (!check (self, esk_multiply (p, p, p, white, across, turn), error)
      || !check (self, esk_multiply (n, p, p, self->rows, turn, self->y), error))
    return FAILED;
  return find_residuals (self, turn, half, error) ? RITZ : FAILED;
}

/* x becomes Ritz vectors, which are also in `rows`. FALSE: *error, or hopeless. */
static gboolean
make_ritz (Filter *self, GError **error)
{
  static const EskRecurrence product = { 1, 0, 0 };

  for (guint turn = 0; turn < 3; turn++)
    {
      Found found;
      double *rows = self->rows;

      unpack (self, self->x, self->rows);
      if (!recur (self, 1, &product, error))
        return FALSE;
      self->degrees++;
      unpack (self, self->x, self->images);
      found = rotate (self, error);
      if (found == FAILED)
        return FALSE;
      pack (self, self->y, self->x);
      self->rows = self->y;
      self->y = rows;
      if (found == RITZ)
        return TRUE;
    }
  self->hopeless = TRUE;
  return FALSE;
}

/* Where the next polynomial begins to be small: at the block's largest value, which little is known of at first. */
static double
choose_cut (const Filter *self)
{
  const double known = self->values[self->p - 1], wanted = self->values[self->m - 1], range = self->high - self->low;
  const double most = self->low + range / 3;

  return fmax (fmin (known, most), fmin (wanted + 1e-4 * range, self->low + 0.9 * range));
}

/* FALSE: *error, or hopeless. */
static gboolean
run (Filter *self, double norm, GError **error)
{
  const double aim = fmax (1e-3 * self->options->tolerance, 1e-12) * norm;
  guint degree = FIRST_DEGREE;
  double from;

  if (!find_bounds (self, norm, error))
    return FALSE;
  from = self->low + FIRST_SHARE * (self->high - self->low);
  es_eigen_fill_start (self->n * self->p, 1, self->x);
  for (;;)
    {
      double growth, needed, allowed;

      if (!filter (self, from, degree, error) || !make_ritz (self, error))
        return FALSE;
      if (self->worst <= aim && self->least >= GOOD_GRAM)
        return TRUE;
      self->low = fmin (self->low, self->values[0]);
      from = choose_cut (self);
      growth = rate (self, from, self->values[self->m - 1]);
      needed = ceil (acosh (fmax (2, 1.5 * self->worst / aim)) / growth);
      allowed = fmax (FIRST_DEGREE, floor (acosh (MOST_GROWTH) / rate (self, from, self->low)));
      self->hopeless = !isfinite (self->worst) || !(growth > 0) || self->degrees >= MOST_DEGREES
                       || (self->polynomials >= KNOWN_AFTER && self->degrees + needed > MOST_DEGREES);
      if (self->hopeless)
        return FALSE;
      degree = (guint) fmin (fmin (needed, allowed), MOST_DEGREES);
      if (self->options->progress != NULL)
        self->options->progress (1 - 1 / (1 + self->degrees / 40.0), self->options->user_data);
    }
}

gboolean
es_eigen_find_by_filter (const EskCsr *matrix, guint m, const EsEigenOptions *options, double *values, double *vectors,
                         EsEigenFacts *facts, GError **error)
{
  g_auto (Filter) self = { .matrix = matrix, .options = options, .n = matrix->rows, .m = m, .p = count_block (m) };
  gboolean found;

  if (!filter_init (&self, error))
    return FALSE;
  es_devices_begin_alone ();
  found = run (&self, facts->norm, error);
  es_devices_end_alone ();
  if (!found)
    return self.hopeless;
  facts->method = ES_EIGEN_FILTER;
  facts->products = self.degrees * self.p;
  facts->restarts = self.polynomials;
  for (guint k = 0; k < m; k++)
    {
      values[k] = self.values[k];
      for (gsize i = 0; i < self.n; i++)
        vectors[k * self.n + i] = self.rows[i * self.p + k];
    }
  return TRUE;
}
