/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/*
 * Isomap (Tenenbaum, de Silva and Langford, "A global geometric framework for nonlinear dimensionality reduction",
 * 2000) with landmarks (de Silva and Tenenbaum, "Sparse multidimensional scaling using landmark points", 2004): lengths
 * of the shortest paths from some samples along the graph, the classical scaling of these landmarks, and everything
 * else by its distances from them. With all samples as landmarks it is Isomap itself.
 */

#include "es-spectral-private.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#include "base/es-error.h"
#include "device/es-device-internal.h"
#include "eigen/es-sparse-eigen-internal.h"

/* Up to so many samples all of them are landmarks, and of more so many. */
#define ALL_LANDMARKS 5000
#define LANDMARKS     1000
/* An eigenvalue below this share of the largest is rounding. */
#define LEAST 1e-9
/* Rows of one piece of work. */
#define PIECE 64
/* A joint that is looked at while paths from sixteen points are found, by each; a value of a product. */
#define JOINT_SECONDS 1.5e-9
#define VALUE_SECONDS 0.7e-9

typedef struct
{
  gsize   n_landmarks;
  float  *lengths;             /* n x landmarks: paths */
  double *mean;                /* landmarks: mean square length to all landmarks */
  double *directions;          /* landmarks x m: eigenvectors / sqrt (eigenvalue) */
} IsomapState;

static void
state_free (gpointer data)
{
  IsomapState *state = data;

  g_free (state->lengths);
  g_free (state->mean);
  g_free (state->directions);
  g_free (state);
}

static gsize
count_landmarks (EsParams *params, gsize n)
{
  const gsize wanted = (gsize) es_params_get_int (params, "landmarks");

  return wanted > 0 ? MIN (wanted, n) : n <= ALL_LANDMARKS ? n : LANDMARKS;
}

/* Lengths, squares between landmarks, and what the eigenproblem takes beside them. */
static guint64
count_bytes (gsize n, gsize landmarks, guint m)
{
  return es_isomap_count_bytes (n, landmarks) + 4 * (guint64) landmarks * landmarks
         + es_sparse_eigen_plan_memory (landmarks, 0, m) + 8 * (guint64) landmarks * (2 * m + 4);
}

/* Drawn by the seed, ascending: each in turn, with the chance that is left for it (Knuth's algorithm S). */
static gsize *
choose_landmarks (gsize n, gsize landmarks, guint64 seed)
{
  gsize *chosen = g_new (gsize, landmarks), count = 0;

  for (gsize i = 0; i < n; i++)
    {
      const double draw = (double) (es_manifold_hash (seed, i) >> 11) * 0x1p-53;

      if (draw * (double) (n - i) < (double) (landmarks - count))
        chosen[count++] = i;
    }
  return chosen;
}

/* ---- scaling of the landmarks ---- */

typedef struct
{
  guint         threads;
  GCancellable *cancellable;
  gsize         n;             /* landmarks */
  const gsize  *landmarks;
  const float  *lengths;       /* samples x n */
  double        scale;         /* of a length, a power of two: squares keep to what float32 holds */
  float        *squares;       /* n x n */
  double       *mean, total;   /* n: of a row; of all */
  const double *x;
  double       *y;
  double       *centred;       /* n: for one's own use */
} Scaling;

static void
multiply_piece (gsize piece, gpointer data)
{
  const Scaling *self = data;

  for (gsize i = piece * PIECE; i < MIN ((piece + 1) * PIECE, self->n); i++)
    {
      const float *row = self->squares + i * self->n;
      double sum[8] = { 0 };
      gsize j = 0;

      for (; j + 8 <= self->n; j += 8)
        for (guint lane = 0; lane < 8; lane++)
          sum[lane] += row[j + lane] * self->x[j + lane];
      for (; j < self->n; j++)
        sum[0] += row[j] * self->x[j];
      self->y[i] = ((sum[0] + sum[1]) + (sum[2] + sum[3])) + ((sum[4] + sum[5]) + (sum[6] + sum[7]));
    }
}

static double
mean_of (const double *values, gsize n)
{
  double sum = 0;

  for (gsize i = 0; i < n; i++)
    sum += values[i];
  return sum / (double) n;
}

/* y = -1/2 H S H x, H taking out the mean. */
static gboolean
multiply (gpointer data, const double *x, double *y, GError **error)
{
  Scaling *self = data;
  const double mean = mean_of (x, self->n);
  double mean_y;

  for (gsize i = 0; i < self->n; i++)
    self->centred[i] = x[i] - mean;
  self->x = self->centred;
  self->y = y;
  /* Threads come at a price. */
  es_manifold_run_parts (self->n < 2000 ? 1 : self->threads, (self->n + PIECE - 1) / PIECE, multiply_piece, self);
  mean_y = mean_of (y, self->n);
  for (gsize i = 0; i < self->n; i++)
    y[i] = -0.5 * (y[i] - mean_y);
  return TRUE;
}

/* The squares of PIECE rows, and their means. There and back the rounding of a path may differ. */
static void
square_piece (gsize piece, gpointer data)
{
  Scaling *self = data;
  const gsize n = self->n, first = piece * PIECE, end = MIN (first + PIECE, n);

  if (g_cancellable_is_cancelled (self->cancellable))
    return;
  for (gsize j = 0; j < n; j++)
    {
      const float *from = self->lengths + self->landmarks[j] * n;

      for (gsize i = first; i < end; i++)
        {
          const double length = 0.5 * self->scale * ((double) self->lengths[self->landmarks[i] * n + j] + from[i]);

          self->squares[i * n + j] = (float) (length * length);
        }
    }
  for (gsize i = first; i < end; i++)
    {
      double sum = 0;

      for (gsize j = 0; j < n; j++)
        sum += self->squares[i * n + j];
      self->mean[i] = sum / (double) n;
    }
}

/* The sums of magnitudes of PIECE rows of -1/2 H S H. */
static void
bound_piece (gsize piece, gpointer data)
{
  Scaling *self = data;

  if (g_cancellable_is_cancelled (self->cancellable))
    return;
  for (gsize i = piece * PIECE; i < MIN ((piece + 1) * PIECE, self->n); i++)
    {
      self->centred[i] = 0;
      for (gsize j = 0; j < self->n; j++)
        self->centred[i] += 0.5 * fabs (self->squares[i * self->n + j] - self->mean[i] - self->mean[j] + self->total);
    }
}

/* Squares, means, and a bound of the eigenvalues: the largest sum of magnitudes of a row. */
static double
find_squares (Scaling *self)
{
  const gsize pieces = (self->n + PIECE - 1) / PIECE;
  double bound = 0;
  float farthest = 0;
  int exponent = 0;

  for (gsize i = 0; i < self->n; i++)
    farthest = fmaxf (farthest, self->lengths[self->landmarks[0] * self->n + i]);
  frexpf (isfinite (farthest) ? farthest : 1, &exponent);
  self->scale = ldexp (1, -exponent);
  es_manifold_run_parts (self->threads, pieces, square_piece, self);
  self->total = mean_of (self->mean, self->n);
  es_manifold_run_parts (self->threads, pieces, bound_piece, self);
  for (gsize i = 0; i < self->n; i++)
    bound = fmax (bound, self->centred[i]);
  return bound;
}

static void
tell_progress (double fraction, gpointer data)
{
  es_job_set_fraction (data, 0.8 + 0.2 * fraction);
}

static gboolean
scale_landmarks (const EsManifoldInput *input, IsomapState *state, const gsize *landmarks, double *values,
                 GError **error)
{
  const gsize n = state->n_landmarks;
  const guint m = input->m;
  g_autofree float *squares = g_try_malloc_n (n, n * sizeof (float));
  g_autofree double *centred = g_new (double, n), *vectors = g_try_malloc_n (n, m * sizeof (double));
  const EsEigenOptions options = {
    .tolerance = 1e-9, .threads = input->threads, .limits = es_job_get_limits (input->job), .progress = tell_progress,
    .user_data = input->job, .cancellable = es_job_get_cancellable (input->job),
  };
  Scaling scaling = { .threads = input->threads, .cancellable = options.cancellable, .n = n, .landmarks = landmarks,
                      .lengths = state->lengths, .squares = squares, .centred = centred };

  scaling.mean = state->mean = g_new0 (double, n);
  state->directions = g_new0 (double, n * m);
  if (squares == NULL || vectors == NULL)
    return es_compute_error_no_memory (_("the distances between landmarks"), error);

  const double bound = find_squares (&scaling);

  if (es_job_is_cancelled (input->job, error))
    return FALSE;
  if (!isfinite (state->mean[0]))
    {
      g_set_error_literal (error, ES_COMPUTE_ERROR, ES_COMPUTE_ERROR_NUMERIC,
                           _("The samples' graph is not in one piece: there is no path between some of them."));
      return FALSE;
    }
  if (!es_operator_eigen_find (n, bound, multiply, &scaling, m, &options, values, vectors, NULL, error))
    return FALSE;
  for (gsize l = 0; l < n; l++)
    state->mean[l] /= scaling.scale * scaling.scale;
  for (guint k = 0; k < m; k++)
    values[k] /= scaling.scale * scaling.scale;
  for (guint k = 0; k < m; k++)
    {
      values[k] = values[k] > LEAST * values[0] ? values[k] : 0;
      for (gsize l = 0; l < n && values[k] > 0; l++)
        state->directions[l * m + k] = vectors[k * n + l] / sqrt (values[k]);
    }
  return TRUE;
}

/* ---- everything else ---- */

/* -1/2 directions' (squares of the lengths - mean). */
static void
triangulate (const IsomapState *state, guint m, const float *lengths, double *out)
{
  for (guint k = 0; k < m; k++)
    out[k] = 0;
  for (gsize l = 0; l < state->n_landmarks; l++)
    {
      const double further = (double) lengths[l] * lengths[l] - state->mean[l];

      for (guint k = 0; k < m; k++)
        out[k] -= 0.5 * further * state->directions[l * m + k];
    }
}

static void
triangulate_piece (gsize piece, gpointer data)
{
  const EsEmbedding *self = data;
  const IsomapState *state = self->state;

  for (gsize i = piece * PIECE; i < MIN ((piece + 1) * PIECE, self->n); i++)
    triangulate (state, self->m, state->lengths + i * state->n_landmarks, self->coordinates + i * self->m);
}

/* What a column's sign becomes is that of its direction. */
static void
fix_signs (IsomapState *state, gsize n, guint m, double *coordinates)
{
  g_autofree double *before = g_memdup2 (coordinates, n * m * sizeof (double));

  es_spectral_fix_signs (n, m, coordinates);
  for (guint k = 0; k < m; k++)
    {
      gsize i = 0;

      while (i < n && before[i * m + k] == 0)
        i++;
      for (gsize l = 0; l < state->n_landmarks && i < n && coordinates[i * m + k] != before[i * m + k]; l++)
        state->directions[l * m + k] = -state->directions[l * m + k];
    }
}

static gboolean
isomap_find (const EsManifoldInput *input, IsomapState *state, EsEmbedding *self, GError **error)
{
  const gsize n = self->n, n_landmarks = count_landmarks (input->params, n);
  g_autofree char *what = g_strdup_printf (_("The distances of %zu samples from %zu landmarks"), n, n_landmarks);
  g_autofree gsize *landmarks = NULL;
  g_auto (EsSpectralMatrix) joined = { .n = 0 };

  if (n_landmarks <= self->m)
    {
      g_set_error (error, ES_COMPUTE_ERROR, ES_COMPUTE_ERROR_PARAMETER,
                   _("%u dimensions need more landmarks than that; there are %zu."), self->m, n_landmarks);
      return FALSE;
    }
  if (!es_limits_check_host_memory (es_job_get_limits (input->job), (EsMemoryShare) { 1, 1 },
                                    count_bytes (n, n_landmarks, self->m), what, error))
    return FALSE;
  state->n_landmarks = n_landmarks;
  landmarks = choose_landmarks (n, n_landmarks, input->seed);
  if (!es_spectral_join (input, FALSE, &joined, error))
    return FALSE;
  state->lengths = es_isomap_find_paths (input, &joined, landmarks, n_landmarks, error);
  if (state->lengths == NULL || !scale_landmarks (input, state, landmarks, self->values, error))
    return FALSE;
  es_manifold_run_parts (input->threads, (n + PIECE - 1) / PIECE, triangulate_piece, self);
  fix_signs (state, n, self->m, self->coordinates);
  return TRUE;
}

static EsEmbedding *
isomap_embed (const EsManifoldInput *input, GError **error)
{
  IsomapState *state = g_new0 (IsomapState, 1);
  g_autoptr (EsEmbedding) self = es_spectral_embedding_new (&es_manifold_isomap, input, state, state_free, error);

  return self != NULL && isomap_find (input, state, self, error) ? g_steal_pointer (&self) : NULL;
}

/* Paths go on from the nearest samples. */
static gboolean
isomap_extend (const EsEmbedding *self, const EsManifoldSamples *samples, const EsManifoldQueries *queries, float *out,
               GError **error)
{
  const IsomapState *state = self->state;
  const gsize n = state->n_landmarks;
  const guint m = self->m, k = queries->k;
  g_autofree float *lengths = g_new (float, n);
  g_autofree double *place = g_new (double, m);

  for (gsize i = 0; i < queries->q; i++)
    {
      for (gsize l = 0; l < n; l++)
        lengths[l] = INFINITY;
      for (guint j = 0; j < k; j++)
        {
          const float *from = state->lengths + (gsize) queries->index[i * k + j] * n;
          const float step = queries->distance[i * k + j];

          for (gsize l = 0; l < n; l++)
            lengths[l] = from[l] + step < lengths[l] ? from[l] + step : lengths[l];
        }
      triangulate (state, m, lengths, place);
      for (guint c = 0; c < m; c++)
        out[i * m + c] = (float) place[c];
    }
  return TRUE;
}

static double
isomap_cost (EsParams *params, EsDevice *device, guint threads, gsize n, guint bands, guint k, guint m,
             guint64 *memory)
{
  const double landmarks = (double) count_landmarks (params, n), joints = 1.35 * (double) n * k;
  const double products = 60 + 4 * (double) m;

  *memory = count_bytes (n, (gsize) landmarks, m) + (guint64) (12 * joints);
  return (landmarks * joints * JOINT_SECONDS + products * landmarks * landmarks * VALUE_SECONDS) / MAX (threads, 1)
         + (double) n * landmarks * m * VALUE_SECONDS;
}

const EsManifoldMethod es_manifold_isomap = {
  .needs_graph = TRUE,
  .embed = isomap_embed,
  .extend = isomap_extend,
  .cost = isomap_cost,
};
