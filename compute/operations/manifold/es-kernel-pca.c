/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/*
 * Kernel principal components (Schoelkopf, Smola and Mueller, "Nonlinear component analysis as a kernel eigenvalue
 * problem", 1998) of landmarks, and every other spectrum by Nystroem's extension: its kernel with the landmarks,
 * centred as theirs is, times their eigenvectors. All of it is in float64.
 */

#include "es-manifold-private.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#include "base/es-error.h"
#include "device/es-device-internal.h"
#include "es-eigen.h"

/* Distances of which the median becomes the width of the kernel: so many pairs, drawn at random. */
#define PAIRS 100000
/* What of the largest eigenvalue is rounding. */
#define LEAST 1e-12
/* Samples that are embedded at once. */
#define BLOCK 256
/* LAPACK's reduction and vectors, as a share of n^3; an exponential. */
#define EIGEN_FLOPS 5.0
#define FLOAT64_SHARE 0.4      /* of the speed in float32 */
#define EXP_SECONDS 8e-9

enum { GAUSSIAN, POLYNOMIAL };

typedef struct
{
  guint   kernel, degree;
  double  factor;              /* Gaussian: -1 / 2 sigma^2; polynomial: 1 / scale */
  const double *origin;        /* of a polynomial, which is not the same wherever 0 lies: see EsManifoldSamples; NULL */
  double  base;                /* that of the origin with itself: 1 + |origin|^2 / scale */
  double  width;
  gsize   n;                   /* landmarks */
  guint   bands;
  double *columns;             /* bands x n */
  double *squares;             /* n: squared lengths */
  double *along;               /* n: scalar products with the origin; NULL where that is */
  double *mean;                /* n: of each row of the kernel */
  double  total;               /* mean of all of it */
  double *directions;          /* n x m: eigenvectors / sqrt (eigenvalue) */
} KernelState;

static void
state_free (gpointer data)
{
  KernelState *state = data;

  g_free (state->columns);
  g_free (state->squares);
  g_free (state->along);
  g_free (state->mean);
  g_free (state->directions);
  g_free (state);
}

/* ---- the kernel ---- */

/*
 * k (x, y) - k (x, o) - k (o, y) + k (o, o) of a polynomial and an origin o, which is as good as k (x, y) once it is
 * centred, and has digits for what is left however far from 0 that lies: x = o + d, y = o + e, first = o.d / scale,
 * second = o.e / scale, product = d.e / scale. By power, from z^n - x^n - y^n + g^n and z^n - x^n, z^n - y^n, without a
 * difference of large numbers.
 */
static double
find_power (double base, double first, double second, double product, guint degree)
{
  const double x = base + first, y = base + second, z = x + second + product;
  double power = z, rest = product, from_x = second + product, from_y = first + product;

  for (guint i = 1; i < degree; i++)
    {
      rest = base * rest + first * from_x + second * from_y + product * power;
      from_x = x * from_x + (second + product) * power;
      from_y = y * from_y + (first + product) * power;
      power *= z;
    }
  return rest;
}

static double
find_product (const double *row, const double *origin, guint bands)
{
  double sum = 0;

  for (guint b = 0; b < bands; b++)
    sum += row[b] * origin[b];
  return sum;
}

/* out: q x n. rows: q x bands. */
static void
find_kernel (const KernelState *state, const double *rows, gsize q, double *out)
{
  const gsize n = state->n;

  esk_multiply (q, state->bands, n, rows, state->columns, out);
  for (gsize i = 0; i < q; i++)
    {
      const double *row = rows + i * state->bands;
      const double along = state->origin != NULL ? find_product (row, state->origin, state->bands) : 0;
      const double square = find_product (row, row, state->bands);

      for (gsize j = 0; j < n; j++)
        if (state->kernel == GAUSSIAN)
          out[i * n + j] = exp (state->factor * fmax (square + state->squares[j] - 2 * out[i * n + j], 0));
        else if (state->origin != NULL)
          out[i * n + j] = find_power (state->base, along * state->factor, state->along[j] * state->factor,
                                       out[i * n + j] * state->factor, state->degree);
        else
          out[i * n + j] = pow (out[i * n + j] * state->factor + 1, state->degree);
    }
}

static int
compare_numbers (gconstpointer a, gconstpointer b)
{
  const double x = *(const double *) a, y = *(const double *) b;

  return x < y ? -1 : x > y;
}

static double
median_distance (const float *spectra, gsize n, guint bands, guint64 seed)
{
  const gsize pairs = MIN (PAIRS, n * (n - 1) / 2);
  g_autofree double *distances = g_new (double, pairs);
  gsize count = 0;

  for (gsize p = 0; p < pairs; p++)
    {
      const guint64 draw = es_manifold_hash (seed, p);
      const gsize i = (gsize) (((draw & 0xffffffff) * n) >> 32), j = (gsize) (((draw >> 32) * n) >> 32);
      double sum = 0;

      for (guint b = 0; b < bands; b++)
        sum += ((double) spectra[i * bands + b] - spectra[j * bands + b])
               * ((double) spectra[i * bands + b] - spectra[j * bands + b]);
      if (sum > 0)
        distances[count++] = sqrt (sum);
    }
  if (count == 0)
    return 1;
  qsort (distances, count, sizeof *distances, compare_numbers);
  return distances[count / 2];
}

static void
choose_kernel (KernelState *state, const EsManifoldInput *input)
{
  const EsManifoldSamples *samples = input->samples;
  double mean = 0;

  state->degree = (guint) es_params_get_int (input->params, "degree");
  state->width = es_params_get_float (input->params, "kernel-width");
  if (state->width <= 0)
    state->width = median_distance (samples->spectra, samples->n, samples->bands, input->seed);
  for (gsize j = 0; j < state->n; j++)
    mean += (state->squares[j] + (state->origin != NULL ? 2 * state->along[j] : 0)) / (double) state->n;
  if (state->origin != NULL)
    mean += find_product (state->origin, state->origin, state->bands);
  state->factor = state->kernel == GAUSSIAN ? -1 / (2 * state->width * state->width) : mean > 0 ? 1 / mean : 1;
  if (state->origin != NULL)
    state->base = 1 + find_product (state->origin, state->origin, state->bands) * state->factor;
}

/* Every (n / wanted)-th by a draw of its own: ascending. */
static gsize *
choose_landmarks (const EsManifoldInput *input, gsize *n)
{
  const gsize all = input->samples->n, wanted = (gsize) es_params_get_int (input->params, "landmarks");
  gsize *which;

  *n = wanted > 0 ? MIN (wanted, all) : all;
  which = g_new (gsize, *n);
  if (*n == all)
    {
      for (gsize i = 0; i < all; i++)
        which[i] = i;
      return which;
    }
  g_autofree guint32 *set = g_new0 (guint32, all / 32 + 1);
  gsize count;
  for (gsize i = 0; i < all; i++)
    set[i >> 5] |= 1u << (i & 31);
  g_autofree guint64 *drawn = es_manifold_draw (set, all, *n, input->seed, &count);
  for (gsize i = 0; i < count; i++)
    which[i] = (gsize) drawn[i];
  return which;
}

/* ---- its eigenvectors ---- */

/* K - 1 K - K 1 + 1 K 1, in place. */
static void
centre (KernelState *state, double *kernel)
{
  const gsize n = state->n;

  state->total = 0;
  for (gsize i = 0; i < n; i++)
    {
      state->mean[i] = 0;
      for (gsize j = 0; j < n; j++)
        state->mean[i] += kernel[i * n + j] / (double) n;
      state->total += state->mean[i] / (double) n;
    }
  for (gsize i = 0; i < n; i++)
    for (gsize j = 0; j <= i; j++)
      kernel[i * n + j] = kernel[j * n + i] = (kernel[i * n + j] + kernel[j * n + i]) / 2
                                              - state->mean[i] - state->mean[j] + state->total;
}

/* *m becomes how many there are, m at most. */
static gboolean
solve (KernelState *state, EsJob *job, const double *rows, guint *m, double *values, GError **error)
{
  const gsize n = state->n;
  g_autofree double *kernel = g_try_new (double, n * n), *vectors = g_try_new (double, n * n);
  g_autofree double *all = g_new (double, n);
  guint found = 0;

  if (kernel == NULL || vectors == NULL)
    return es_compute_error_no_memory (_("the kernel of the landmarks"), error);
  for (gsize first = 0; first < n; first += BLOCK)
    {
      if (es_job_is_cancelled (job, error))
        return FALSE;
      find_kernel (state, rows + first * state->bands, MIN (BLOCK, n - first), kernel + first * n);
    }
  centre (state, kernel);
  if (!es_manifold_eigen (job, n, kernel, all, vectors, error))
    return FALSE;
  while (found < *m && found < n && all[found] > LEAST * fmax (all[0], 1e-300))
    found++;
  if (found == 0)
    {
      g_set_error (error, ES_COMPUTE_ERROR, ES_COMPUTE_ERROR_NUMERIC,
                   _("The kernel of %zu landmarks has no component: its width of %g lets all spectra "
                     "look the same."), n, state->width);
      return FALSE;
    }
  *m = found;
  state->directions = g_new (double, n * found);
  for (guint k = 0; k < found; k++)
    {
      values[k] = all[k];
      for (gsize j = 0; j < n; j++)
        state->directions[j * found + k] = vectors[k * n + j] / sqrt (all[k]);
    }
  return TRUE;
}

/* q x m of q x bands. */
static void
project (const KernelState *state, const double *rows, gsize q, guint m, double *kernel, double *out)
{
  const gsize n = state->n;

  find_kernel (state, rows, q, kernel);
  for (gsize i = 0; i < q; i++)
    {
      double mean = 0;

      for (gsize j = 0; j < n; j++)
        mean += kernel[i * n + j] / (double) n;
      for (gsize j = 0; j < n; j++)
        kernel[i * n + j] += state->total - mean - state->mean[j];
    }
  esk_multiply (q, n, m, kernel, state->directions, out);
}

/* ---- the method ---- */

static void
take_landmarks (KernelState *state, const EsManifoldSamples *samples, const gsize *which, double *rows)
{
  const gsize n = state->n;
  const guint bands = state->bands;

  state->columns = g_new (double, n * bands);
  state->squares = g_new0 (double, n);
  state->mean = g_new (double, n);
  for (gsize j = 0; j < n; j++)
    for (guint b = 0; b < bands; b++)
      {
        const double value = samples->spectra[which[j] * bands + b];

        rows[j * bands + b] = value;
        state->columns[b * n + j] = value;
        state->squares[j] += value * value;
      }
  if (state->origin == NULL)
    return;
  state->along = g_new (double, n);
  for (gsize j = 0; j < n; j++)
    state->along[j] = find_product (rows + j * bands, state->origin, bands);
}

static void
project_block (const KernelState *state, const float *spectra, gsize q, guint m, double *out)
{
  g_autofree double *rows = g_new (double, q * state->bands), *kernel = g_new (double, q * state->n);

  for (gsize i = 0; i < q * state->bands; i++)
    rows[i] = spectra[i];
  project (state, rows, q, m, kernel, out);
}

static EsEmbedding *
kernel_pca_embed (const EsManifoldInput *input, GError **error)
{
  const EsManifoldSamples *samples = input->samples;
  const guint bands = samples->bands;
  KernelState *state = g_new0 (KernelState, 1);
  g_autoptr (EsEmbedding) self = g_new0 (EsEmbedding, 1);
  g_autofree gsize *which = choose_landmarks (input, &state->n);
  g_autofree double *rows = NULL;

  *self = (EsEmbedding) { .method = &es_manifold_kernel_pca, .n = samples->n, .m = input->m,
                          .values = g_new0 (double, input->m), .state = state, .free_state = state_free };
  state->bands = bands;
  self->n_held = state->n;
  state->kernel = es_params_get_choice (input->params, "kernel");
  state->origin = state->kernel == POLYNOMIAL ? samples->origin : NULL;
  rows = g_new (double, state->n * bands);
  take_landmarks (state, samples, which, rows);
  choose_kernel (state, input);
  if (!solve (state, input->job, rows, &self->m, self->values, error))
    return NULL;
  es_job_add_work (input->job, NULL, &(EsStageWork) {
    .operations = 2.0 * (samples->n + state->n) * state->n * bands, .type = ES_WORK_FLOAT64, .on_host = TRUE,
    .less = N_("Fewer landmarks help: it goes with their cube."),
  });
  self->coordinates = g_new (double, samples->n * self->m);
  for (gsize first = 0; first < samples->n; first += BLOCK)
    {
      if (es_job_is_cancelled (input->job, error))
        return NULL;
      project_block (state, samples->spectra + first * bands, MIN (BLOCK, samples->n - first), self->m,
                     self->coordinates + first * self->m);
    }
  return g_steal_pointer (&self);
}

static gboolean
kernel_pca_extend (const EsEmbedding *self, const EsManifoldSamples *samples, const EsManifoldQueries *queries,
                   float *out, GError **error)
{
  g_autofree double *found = g_new (double, queries->q * self->m);

  project_block (self->state, queries->spectra, queries->q, self->m, found);
  for (gsize i = 0; i < queries->q * self->m; i++)
    out[i] = (float) found[i];
  return TRUE;
}

static double
kernel_pca_cost (EsParams *params, EsDevice *device, guint threads, gsize n, guint bands, guint k, guint m,
                 guint64 *memory)
{
  const gint64 wanted = es_params_get_int (params, "landmarks");
  const double landmarks = wanted > 0 ? (double) MIN ((gsize) wanted, n) : (double) n;
  const double flops = es_device_get_flops (es_device_get_cpu ()) * FLOAT64_SHARE;

  /* The kernel, its copy, LAPACK's, the vectors and what LAPACK works on. */
  *memory = (guint64) (landmarks * landmarks * sizeof (double) * 6 + landmarks * bands * sizeof (double) * 2);
  return (EIGEN_FLOPS * landmarks * landmarks * landmarks + 2.0 * (n + landmarks) * landmarks * bands) / flops
         + (n + landmarks) * landmarks * EXP_SECONDS;
}

const EsManifoldMethod es_manifold_kernel_pca = {
  .embed = kernel_pca_embed,
  .extend = kernel_pca_extend,
  .cost = kernel_pca_cost,
};
