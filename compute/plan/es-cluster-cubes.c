/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/*
 * Steps of the reductions of cubes: the amounts that their step tables tell, and the messages of their passes. A pass
 * ends with an agreement and, where it sums, with the sums of all processes: of exact types as they are, in one
 * message; of float64 those of every group, which each process then adds up in order.
 */

#include "es-cluster-work-private.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "cube/es-cube-internal.h"
#include "job/es-job-internal.h"

/* How many components there are where the data will tell: as in estimates of a run. */
#define EXPECTED_COMPONENTS 27
/* Sums of groups that are brought together at once, at most. */
#define MESSAGE_BYTES (64.0 * 1048576)
/* Of the contrast of a sample and row. */
#define CONTRAST_OPERATIONS 24
/* Operations that a rotation of Jacobi's needs for an element, and sweeps of it. */
#define ROTATION 18.0
#define SWEEPS 6.0

/* Shares of the best rates that steps reach: of a processor on cubes of 1 million pixels and 200 bands on an idle core
 * whose rates the laboratory had measured, of cards those of docs/measured/gpu.json on an H100. */
#define COVARIANCE 0.33
#define NOISE 0.25
#define PROJECTION 0.2
#define ITERATION 0.25
#define MOMENTS 0.25
#define EIGENPROBLEM 0.12
#define RANGES 0.05
#define CARD 0.45
#define CARD_EIGENPROBLEM 5e-4

/* What of a cube and its parameters counts. */
typedef struct
{
  double     pixels, n, m;
  double     bytes;            /* of all samples */
  double     used;             /* of the bands that take part */
  EsWorkType type;
  gboolean   exact;
  double     twice;            /* 2: of float64, whose units are half as wide */
  double     looked;           /* samples that are looked at whether they are missing: integers where any may be */
} Shape;

static gboolean
has_no_data (EsCube *cube)
{
  double value;

  for (guint band = 0; band < es_cube_get_bands (cube); band++)
    if (es_cube_get_no_data (cube, band, &value))
      return TRUE;
  return FALSE;
}

static Shape
find_shape (EsCube *cube, EsParams *params, double m)
{
  const EskType stored = es_cube_get_type_code (cube);
  const gboolean quantised = es_params_get_choice (params, "quantise") == 1;
  const EskType type = quantised ? ESK_U8 : stored;
  const double n = MAX (es_cube_get_n_good_bands (cube), 1);
  const double pixels = (double) es_cube_get_width (cube) * (double) es_cube_get_height (cube);

  return (Shape) {
    .pixels = pixels, .n = n, .m = m > 0 ? MIN (m, n) : MIN (EXPECTED_COMPONENTS, n),
    .bytes = (double) es_cube_get_bytes (cube), .used = pixels * n * (double) esk_type_size (stored),
    .exact = esk_type_is_exact (type), .twice = type == ESK_F64 ? 2 : 1,
    .looked = !esk_type_is_exact (stored) || has_no_data (cube) ? pixels * n : 0,
    .type = esk_type_is_exact (type) ? (esk_type_size (type) == 1 ? ES_WORK_INT8 : ES_WORK_INT16)
            : esk_type_size (type) == 8 ? ES_WORK_FLOAT64 : ES_WORK_FLOAT32,
  };
}

/* Sums of float64 of all groups, in as many messages as are needed, and each process adds them; exact ones at once. */
static void
add_sums (EsClusterStep *step, double numbers, gboolean exact)
{
  const double bytes = numbers * 8 * (exact ? 1 : ES_PASS_GROUPS);

  step->sums = MAX (ceil (bytes / MESSAGE_BYTES), 1);
  step->sum_bytes = bytes / step->sums;
  step->merged_bytes = exact ? 0 : bytes;
}

/* Sums of products of so many samples, each of n bands; of differences of neighbours where they are noise. A cube of
 * floats is then read as float64, the covariance as well. */
static EsClusterPart
make_products (const Shape *shape, double terms, gboolean noise)
{
  const EsClusterKind floats = noise ? ES_CLUSTER_NOISE_FLOAT32 : ES_CLUSTER_COVARIANCE_FLOAT32;
  const EsClusterKind exact = noise ? ES_CLUSTER_NOISE_INT16
                              : shape->type == ES_WORK_INT8 ? ES_CLUSTER_COVARIANCE_INT8
                              : ES_CLUSTER_COVARIANCE_INT16;

  return (EsClusterPart) {
    .kind = shape->exact ? exact : floats, .samples = terms * shape->pixels * shape->n,
    .operations = terms * shape->pixels * shape->n * (shape->n + 1) * shape->twice,
  };
}

static double
count_sums (double n)
{
  return 1 + n + n * (n + 1) / 2;
}

static void
add_ranges (GArray *steps, EsParams *params, const Shape *shape)
{
  const EsClusterStep step = {
    .name = "quantise", .title = N_("Ranges of the bands"), .file_bytes = shape->bytes, .memory_bytes = shape->used,
    .operations = 2 * shape->pixels * shape->n, .pieces = ES_PASS_GROUPS, .reach_cpu = RANGES, .reach_card = CARD,
    .sums = 2, .sum_bytes = shape->n * 8,
  };

  if (es_params_get_choice (params, "quantise") == 1)
    g_array_append_val (steps, step);
}

static void
add_covariance (GArray *steps, const Shape *shape, double n_sums, gboolean with_noise)
{
  EsClusterStep step = {
    .name = "covariance", .title = N_("Covariance"), .file_bytes = shape->bytes, .again = steps->len > 0,
    .memory_bytes = shape->used, .operations = shape->pixels * shape->n * (shape->n + 1), .type = shape->type,
    .pieces = ES_PASS_GROUPS, .reach_cpu = COVARIANCE, .reach_card = CARD, .looked = shape->looked,
    .parts = { make_products (shape, 1, with_noise && !shape->exact) },
  };

  add_sums (&step, n_sums * count_sums (shape->n), shape->exact);
  g_array_append_val (steps, step);
}

static void
add_eigenproblem (GArray *steps, const char *name, const char *title, EsParams *params, const Shape *shape)
{
  const double n = shape->n;
  const gboolean jacobi = es_params_get_choice (params, "eigensolver") == 1;
  const EsClusterStep step = {
    .name = name, .title = title, .type = ES_WORK_FLOAT64, .serial = TRUE, .threads = 1, .pieces = 1,
    .operations = jacobi ? SWEEPS * n * (n - 1) / 2 * ROTATION * n : 4.0 / 3 * n * n * n + 2 * n * n * n,
    .reach_cpu = EIGENPROBLEM, .reach_card = CARD_EIGENPROBLEM,
    .broadcasts = 3, .broadcast_bytes = (8 + n * 8 + n * n * 8) / 3,
    .parts = { { jacobi ? ES_CLUSTER_NO_KIND : ES_CLUSTER_EIGENPROBLEM, 10.0 / 3 * n * n * n, 0, n * n } },
  };

  g_array_append_val (steps, step);
}

/* m planes of n bands, which are written where it is the last step. */
static void
add_projection (GArray *steps, const char *name, const char *title, const Shape *shape, double m, gboolean written)
{
  const double planes = shape->pixels * m * sizeof (float);
  const EsClusterStep step = {
    .name = name, .title = title, .file_bytes = shape->bytes, .again = TRUE, .written_bytes = written ? planes : 0,
    .memory_bytes = shape->used + planes, .operations = 2 * shape->pixels * shape->n * m,
    .link_back = written ? planes : 0, .pieces = ES_PASS_GROUPS, .reach_cpu = PROJECTION, .reach_card = CARD,
    /* Where its file is, and that all have opened it. */
    .broadcasts = written ? 2 : 0, .broadcast_bytes = 256, .looked = shape->looked,
    .parts = { { ES_CLUSTER_PROJECTION, 2 * shape->pixels * shape->n * m, shape->pixels * shape->n,
                 shape->pixels * m } },
  };

  g_array_append_val (steps, step);
}

/* Of components that are in memory since they were whitened. */
static void
add_rotation (GArray *steps, const Shape *shape)
{
  const double values = shape->pixels * shape->m, planes = values * sizeof (float);
  const EsClusterStep step = {
    .name = "transform", .title = N_("Transform"), .written_bytes = planes, .memory_bytes = 2 * planes,
    .operations = 2 * values * shape->m, .link_back = planes, .pieces = ES_PASS_GROUPS, .reach_cpu = PROJECTION,
    .reach_card = CARD, .broadcasts = 2, .broadcast_bytes = 256,
    .parts = { { ES_CLUSTER_ROTATION, 2 * values * shape->m, 0, values } },
  };

  g_array_append_val (steps, step);
}

void
_es_cluster_add_pca (GArray *steps, EsCube *cube, EsParams *params)
{
  const Shape shape = find_shape (cube, params, (double) es_params_get_int (params, "components"));

  add_ranges (steps, params, &shape);
  add_covariance (steps, &shape, 1, FALSE);
  add_eigenproblem (steps, "eigenproblem", N_("Eigenproblem"), params, &shape);
  add_projection (steps, "transform", N_("Transform"), &shape, shape.m, TRUE);
}

void
_es_cluster_add_mnf (GArray *steps, EsCube *cube, EsParams *params)
{
  const gboolean counted = g_str_equal (es_params_get_choice_id (params, "keep"), "count");
  const gboolean coherence = g_str_equal (es_params_get_choice_id (params, "keep"), "coherence");
  const gboolean differences = g_str_equal (es_params_get_choice_id (params, "noise"), "shift-difference");
  const gboolean spatial = differences || g_str_has_suffix (es_params_get_choice_id (params, "noise"), "-residual");
  const gboolean average = differences && g_str_equal (es_params_get_choice_id (params, "direction"), "average");
  const Shape shape = find_shape (cube, params, counted ? (double) es_params_get_int (params, "components") : 0);
  const double terms = spatial + (average ? 1 : coherence ? 2 : 0);
  EsClusterStep noise = {
    .name = "noise", .title = N_("Noise"), .operations = terms * shape.pixels * shape.n * (shape.n + 1),
    /* Differences of samples of 8 bits have 9. */
    .type = shape.exact ? ES_WORK_INT16 : shape.type, .joined = TRUE, .pieces = ES_PASS_GROUPS, .reach_cpu = NOISE,
    .reach_card = CARD, .parts = { make_products (&shape, terms, TRUE) },
  };

  add_ranges (steps, params, &shape);
  add_covariance (steps, &shape, 1 + terms, spatial);
  if (terms > 0)
    g_array_append_val (steps, noise);
  add_eigenproblem (steps, "noise-eigenproblem", N_("Noise eigenproblem"), params, &shape);
  add_eigenproblem (steps, "eigenproblem", N_("Eigenproblem"), params, &shape);
  add_projection (steps, "transform", N_("Transform"), &shape, shape.m, TRUE);
  if (es_params_get_bool (params, "denoise"))
    add_projection (steps, "denoise", N_("Cube without noise"), &shape, shape.n, TRUE);
}

/* ---- FastICA ---- */

/* What processes tell of a step beside its sums. */
#define STEP_NUMBERS 6

/* All rows at once, or one after the other: as much arithmetic, but more sums, and the samples more often. */
static EsClusterStep
make_iteration (const Shape *shape, double samples, gboolean symmetric, double expected)
{
  const double m = shape->m, rounds = symmetric ? expected : expected * m, rows = symmetric ? m : 1;

  return (EsClusterStep) {
    .name = "iteration", .title = N_("Iteration"), .memory_bytes = rounds * samples * m * sizeof (float),
    .operations = rounds * samples * rows * (4 * m + CONTRAST_OPERATIONS), .launches = rounds,
    .pieces = ES_PASS_GROUPS, .reach_cpu = ITERATION, .reach_card = CARD,
    /* One more at the end, where all say that they are done. */
    .gathers = rounds + 1, .gather_bytes = ES_PASS_GROUPS * (rows * m + rows) * 8,
    .merged_bytes = rounds * ES_PASS_GROUPS * (rows * m + rows) * 8,
    .parts = { { ES_CLUSTER_ITERATION, rounds * samples * rows * (4 * m + CONTRAST_OPERATIONS) } },
  };
}

/* Fourth moments: once over the samples, then every process contracts them for every row. */
static void
make_moments (const Shape *shape, double samples, double expected, EsClusterStep *moments, EsClusterStep *iteration)
{
  const double m = shape->m, n = m + m * (m + 1) / 2;

  *moments = (EsClusterStep) {
    .name = "moments", .title = N_("Moments"), .operations = samples * n * (n + 1), .joined = TRUE,
    .pieces = ES_PASS_GROUPS, .reach_cpu = MOMENTS, .reach_card = CARD,
    .parts = { { ES_CLUSTER_MOMENTS, samples * n * (n + 1) } },
  };
  *iteration = (EsClusterStep) {
    .name = "iteration", .title = N_("Iteration"), .type = ES_WORK_FLOAT64, .serial = TRUE, .threads = 1, .pieces = 1,
    .operations = expected * 4 * m * (m + 1) * (m + 2) * (m + 3) / 24 * m,
    .reach_cpu = EIGENPROBLEM, .reach_card = CARD_EIGENPROBLEM,
    .gathers = expected + 1, .gather_bytes = STEP_NUMBERS * 8,
  };
}

void
_es_cluster_add_fastica (GArray *steps, EsCube *cube, EsParams *params, const EsCluster *cluster, guint expected)
{
  const Shape shape = find_shape (cube, params, (double) es_params_get_int (params, "components"));
  const double samples = shape.pixels * es_params_get_float (params, "sample");
  const gboolean symmetric = g_str_equal (es_params_get_choice_id (params, "approach"), "symmetric");
  const gboolean cubic = g_str_equal (es_params_get_choice_id (params, "g"), "cubic");
  const char *choice = es_params_get_choice_id (params, "moments");
  EsClusterStep iteration = make_iteration (&shape, samples, symmetric, expected), moments, contraction;
  const EsClusterRates *rates = cluster->cards > 0 ? &cluster->card : &cluster->host;
  const double one = cluster->host.operations[ES_WORK_FLOAT64] / cluster->threads;

  make_moments (&shape, samples, expected, &moments, &contraction);
  const double by_moments = moments.operations / rates->operations[ES_WORK_FLOAT32]
                            + contraction.operations / one;
  const double by_samples = iteration.operations / rates->operations[ES_WORK_FLOAT32];

  add_ranges (steps, params, &shape);
  add_covariance (steps, &shape, 1, FALSE);
  add_eigenproblem (steps, "eigenproblem", N_("Eigenproblem"), params, &shape);
  add_projection (steps, "whitening", N_("Whitening"), &shape, shape.m, FALSE);
  if (cubic && !g_str_equal (choice, "never") && (g_str_equal (choice, "always") || by_moments < by_samples))
    {
      add_sums (&g_array_index (steps, EsClusterStep, steps->len - 1),
                count_sums (shape.m + shape.m * (shape.m + 1) / 2), FALSE);
      g_array_append_val (steps, moments);
      g_array_append_val (steps, contraction);
      add_projection (steps, "transform", N_("Transform"), &shape, shape.m, TRUE);
      return;
    }
  g_array_append_val (steps, iteration);
  /* Pixels that may be missing leave no whole rows in memory. */
  if (samples < shape.pixels || has_no_data (cube))
    add_projection (steps, "transform", N_("Transform"), &shape, shape.m, TRUE);
  else
    add_rotation (steps, &shape);
}
