/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/*
 * Measurements one after the other in one process, as an afternoon at the instrument is: every operation, on one
 * thread, all of them and cards that now and then have no memory, with other work beside it, repeated, cancelled and
 * looked at while it runs. Memory that one of them damaged would show in those that follow, so that each operation is
 * asked again at the end for what it gave at the beginning. The order comes from a seed.
 */

#include "es-test-scene.h"
#include "es-test-sonar.h"
#include "layer/es-layer-internal.h"
#include "operations/es-operations.h"

#include <math.h>
#include <stdlib.h>

#define SEQUENCES    3
#define MEASUREMENTS 24          /* of a sequence */
#define KEPT         4           /* comparisons that are measured again later, as those of windows are */
#define MOST_SETTINGS 7

typedef enum { SCENE, FLOATS, LINE, VOLUME, N_DATASETS } Kind;

typedef struct
{
  const char *operation;
  Kind        data;
  gboolean    of_result;         /* of what the first measurement below gives */
  const char *settings[2 * MOST_SETTINGS];
} Measurement;

static const Measurement measurements[] = {
  { "pca", SCENE, FALSE, { "components", "3" } },
  { "pca", FLOATS, FALSE, { "eigensolver", "jacobi", "scaling", "correlation" } },
  { "pca", SCENE, FALSE, { "quantise", "8bit", "center", "no" } },
  { "fastica", SCENE, FALSE, { "components", "3", "approach", "deflation", "g", "cubic", "iterations", "20" } },
  { "fastica", FLOATS, FALSE, { "components", "4", "approach", "symmetric", "g", "tanh", "iterations", "20" } },
  { "fastica", FLOATS, FALSE, { "components", "4", "g", "cubic", "moments", "always", "sample", "0.5",
                                "iterations", "20" } },
  { "mnf", SCENE, FALSE, { "noise", "shift-difference", "keep", "count", "components", "4" } },
  { "mnf", FLOATS, FALSE, { "noise", "mean-residual", "denoise", "yes" } },
  { "mnf", SCENE, FALSE, { "noise", "median-residual", "eigensolver", "jacobi" } },
  { "reconstruct", SCENE, TRUE, { "components", "1-2", "output", "cube" } },
  { "cbf", LINE, FALSE, { "band", "300:480", "angles", "10:169:3", "ranges", "far,100,400", "block", "0.5s" } },
  { "cbf", LINE, FALSE, { "band", "100:480", "angles", "5:175:5", "diagonal", "remove", "shading", "hann",
                          "overlap", "0.5", "snapshots", "4" } },
  { "mvdr", LINE, FALSE, { "band", "300:420", "angles", "0:179:3", "snapshots", "8", "blocks", "2", "sources", "1" } },
  { "mvdr", LINE, FALSE, { "band", "300:420", "angles", "0:179:3", "snapshots", "1", "blocks", "1", "block", "0.5s",
                           "method", "woodbury", "eigenvalues", "no" } },
  { "mvdr", LINE, FALSE, { "band", "300:360", "angles", "0:179:9", "method", "jacobi" } },
  { "mvdr", LINE, FALSE, { "band", "300:360", "angles", "9:171:9", "method", "eigen", "ranges", "far,200" } },
  { "lofar", LINE, FALSE, { "bearing", "123", "transform", "512", "normaliser", "split-window" } },
  { "lofar", VOLUME, FALSE, { "element", "3", "transform", "256", "average", "2", "normaliser", "order-truncate" } },
  { "demon", LINE, FALSE, { "element", "2", "carrier", "200:800", "segment", "1", "max-frequency", "20" } },
  { "localize", VOLUME, FALSE, { "band", "100:900", "azimuth", "-180:170:10", "elevation", "-90:90:10", "refine", "2",
                                 "whitening", "phase" } },
  { "localize", VOLUME, FALSE, { "band", "100:900", "x", "-1:1:0.25", "y", "-1:1:0.25", "z", "-1:1:0.5", "refine", "1",
                                 "diagonal", "remove" } },
};

static char *directory;
static EsTestScene scenes[2] = { { 23, 37, 14, ESK_I16, "bsq", FALSE, NAN }, { 31, 19, 9, ESK_F32, "bip", TRUE, NAN } };
static EsDataset *datasets[N_DATASETS];
static EsResult *source;

/* ---- what is measured ---- */

/* Two sources and the elements' own noise; the volume hears them from close by. */
static EsDataset *
make_recording (EsArray *array, double rate, gsize frames, gboolean near, EskType type)
{
  g_autoptr (EsTestSonar) sonar = es_test_sonar_new (array, rate, frames, 1500);

  es_test_sonar_add_noise (sonar, near ? es_test_place_point (0.6, -0.5, 0.25) : es_test_place_far (array, 123),
                           100, 900, 0.01, 4);
  es_test_sonar_add_tone (sonar, es_test_place_far (array, 60), 320, 0.05, 0.3);
  es_test_sonar_add_white (sonar, 0.0005, 6);
  return ES_DATASET (es_test_sonar_record (sonar, type, 1));
}

static void
make_data (void)
{
  static const EsElement five[] = {
    { -0.858, -0.86, -0.671, 0, 1, FALSE, NULL }, { 0.858, -0.86, 0.479, 1, 1, FALSE, NULL },
    { 0.028, 0, -0.002, 2, 1, FALSE, NULL }, { -0.858, 0.86, -0.671, 3, 1, FALSE, NULL },
    { 0.858, 0.86, 0.671, 4, 1, FALSE, NULL },
  };
  g_autoptr (GError) error = NULL;
  g_autoptr (EsArray) line = es_array_new_line (12, 1.5, 0, &error), volume = NULL;

  g_assert_no_error (error);
  volume = es_array_new (five, G_N_ELEMENTS (five), &error);
  g_assert_no_error (error);
  directory = es_test_directory ();
  for (guint i = 0; i < G_N_ELEMENTS (scenes); i++)
    {
      es_test_scene_fill (&scenes[i], 5 + i);
      datasets[SCENE + i] = es_test_scene_open (&scenes[i], directory, i == 0 ? "scene" : "floats");
    }
  datasets[LINE] = make_recording (line, 2000, 6000, FALSE, ESK_I16);
  datasets[VOLUME] = make_recording (volume, 8000, 8192, TRUE, ESK_F32);
}

static EsParams *
make_params (const Measurement *of)
{
  EsParams *params = es_params_new (es_operation_find (of->operation, NULL)->params);
  g_autoptr (GError) error = NULL;

  for (guint i = 0; i < G_N_ELEMENTS (of->settings) && of->settings[i] != NULL; i += 2)
    {
      es_params_parse (params, of->settings[i], of->settings[i + 1], &error);
      g_assert_no_error (error);
    }
  return params;
}

static EsJob *
make_job (const Measurement *of, guint threads)
{
  const EsLimits limits = { .threads = threads };
  g_autoptr (EsParams) params = make_params (of);
  EsJob *job = es_job_new (es_operation_find (of->operation, NULL), datasets[of->data], params, es_device_get_cpu (),
                           &limits, NULL);

  if (of->of_result)
    es_job_set_source (job, source);
  return job;
}

static void
add_table (GChecksum *sum, EsTable *table)
{
  for (guint r = 0; r < es_table_get_n_rows (table); r++)
    for (guint c = 0; c < es_table_get_n_columns (table); c++)
      g_checksum_update (sum, (const guchar *) es_table_get_text (table, r, c), -1);
}

static void
add_field (GChecksum *sum, EsField *field)
{
  const guint rows = es_field_get_rows (field)->n, n = es_field_get_columns (field)->n;
  g_autofree float *row = g_new (float, n);

  for (guint r = 0; r < rows; r++)
    {
      g_assert_true (es_field_read (field, r, 1, row, NULL));
      g_checksum_update (sum, (const guchar *) row, (gssize) (n * sizeof *row));
    }
}

static void
add_stack (GChecksum *sum, EsImageStack *stack)
{
  const guint64 width = es_image_stack_get_width (stack), height = es_image_stack_get_height (stack);
  g_autofree float *plane = g_new (float, width * height);

  for (guint i = 0; i < es_image_stack_get_planes (stack); i++)
    {
      g_assert_true (es_image_stack_read (stack, i, 0, 0, width, height, 1, plane, NULL));
      g_checksum_update (sum, (const guchar *) plane, (gssize) (width * height * sizeof *plane));
    }
}

/* All texts and numbers that it shows. */
static char *
digest (EsResult *result)
{
  g_autoptr (GChecksum) sum = g_checksum_new (G_CHECKSUM_SHA256);
  GListModel *layers = es_result_get_layers (result);

  g_assert_cmpuint (g_list_model_get_n_items (layers), >, 0);
  for (guint i = 0; i < g_list_model_get_n_items (layers); i++)
    {
      g_autoptr (EsLayer) layer = g_list_model_get_item (layers, i);

      if (ES_IS_TABLE (layer))
        add_table (sum, ES_TABLE (layer));
      else if (ES_IS_FIELD (layer))
        add_field (sum, ES_FIELD (layer));
      else if (ES_IS_IMAGE_STACK (layer))
        add_stack (sum, ES_IMAGE_STACK (layer));
      else if (ES_IS_CURVE (layer))
        for (guint k = 0; k < es_curve_get_n_series (ES_CURVE (layer)); k++)
          g_checksum_update (sum, (const guchar *) es_curve_get_series (ES_CURVE (layer), k)->y,
                             (gssize) (es_curve_get_length (ES_CURVE (layer)) * sizeof (double)));
    }
  return g_strdup (g_checksum_get_string (sum));
}

static char *
find_digest (const Measurement *of)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (EsJob) job = make_job (of, 1);
  g_autoptr (EsResult) result = es_job_run (job, &error);

  g_assert_no_error (error);
  return digest (result);
}

/* ---- looking on ---- */

typedef struct
{
  GCancellable *cancellable;
  int           left;            /* changes until it is cancelled; negative: it is not */
  gboolean      ended, done;
  GError       *error;
} Watch;

/* What the window of a comparison does at each change, and then a file is saved. Steps that are counted stay, and so do
 * texts, whatever the thread that runs it does in the meantime. */
static void
look (EsComparison *comparison)
{
  const guint n = es_comparison_get_n_contestants (comparison), steps = es_comparison_get_n_steps (comparison);
  g_autofree char *status = g_strdup (es_comparison_get_status (comparison));
  g_autoptr (EsTable) table = es_comparison_make_table (comparison);
  g_autoptr (JsonNode) json = es_comparison_to_json (comparison);
  g_autofree char *text = json_to_string (json, FALSE);

  g_assert_cmpuint (es_table_get_n_rows (table), >=, 2);
  g_assert_true (g_utf8_validate (text, -1, NULL));
  for (guint step = 0; step < steps; step++)
    g_assert_nonnull (es_comparison_get_step_title (comparison, step));
  for (guint i = 0; i < n; i++)
    {
      if (es_comparison_get_state (comparison, i) == ES_CONTESTANT_FAILED)
        g_assert_true (g_utf8_validate (es_comparison_get_error (comparison, i), -1, NULL));
      for (guint step = 0; step < steps; step++)
        es_comparison_get_step_ms (comparison, i, step);
    }
}

static void
on_changed (EsComparison *comparison, Watch *watch)
{
  if (watch->left >= 0 && watch->left-- == 0)
    g_cancellable_cancel (watch->cancellable);
  look (comparison);
}

static void
on_ran (GObject *object, GAsyncResult *result, gpointer data)
{
  Watch *watch = data;

  watch->done = es_comparison_run_finish (ES_COMPARISON (object), result, &watch->error);
  watch->ended = TRUE;
}

static gboolean
give_up (gpointer data)
{
  g_error ("A measurement has not ended.");
  return G_SOURCE_REMOVE;
}

/* The threads that ran them let go of them a moment after they have said so. */
static void
unref_all (EsComparison **kept)
{
  for (guint i = 0; i < KEPT; i++)
    if (kept[i] != NULL)
      {
        g_object_add_weak_pointer (G_OBJECT (kept[i]), (gpointer *) &kept[i]);
        g_object_unref (kept[i]);
        while (kept[i] != NULL)
          g_main_context_iteration (NULL, FALSE);
      }
}

/* ---- a sequence ---- */

static EsComparison *
make_comparison (const Measurement *of, GRand *random)
{
  static const guint64 memories[] = { 0, 1 << 20, 16 << 20 };
  const EsLimits limits = { .memory = memories[g_rand_int_range (random, 0, G_N_ELEMENTS (memories))],
                            .threads = (guint) g_rand_int_range (random, 0, 5) };
  g_autoptr (EsParams) params = make_params (of);
  EsComparison *comparison = es_comparison_new (es_operation_find (of->operation, NULL), datasets[of->data], params,
                                                &limits);

  if (of->of_result)
    es_comparison_set_source (comparison, source);
  return comparison;
}

/* Every card's memory ends at some allocation, or none does. */
static void
trouble_cards (GRand *random)
{
  g_autofree char *at = g_strdup_printf ("%d+", g_rand_int_range (random, 1, 9));

  if (g_rand_int_range (random, 0, 3) == 0)
    g_setenv ("ES_FAKE_FAIL_ALLOCATION", at, TRUE);
  else
    g_unsetenv ("ES_FAKE_FAIL_ALLOCATION");
}

static void
measure (EsComparison *comparison, GRand *random)
{
  Watch watch = { .cancellable = g_cancellable_new (), .left = -1 };
  g_autoptr (EsJob) beside = NULL;
  gboolean any = FALSE;
  const guint n = es_comparison_get_n_contestants (comparison);

  es_comparison_set_repeats (comparison, (guint) g_rand_int_range (random, 1, 4));
  for (guint i = 0; i < n; i++)
    {
      const gboolean takes_part = g_rand_int_range (random, 0, 3) != 0 || (i + 1 == n && !any);

      es_comparison_set_takes_part (comparison, i, takes_part);
      any = any || takes_part;
    }
  if (g_rand_int_range (random, 0, 4) == 0)
    watch.left = g_rand_int_range (random, 0, 12);
  if (g_rand_int_range (random, 0, 3) == 0)
    {
      beside = make_job (&measurements[g_rand_int_range (random, 0, G_N_ELEMENTS (measurements))], 0);
      es_job_start (beside);
    }

  const gulong handler = g_signal_connect (comparison, "changed", G_CALLBACK (on_changed), &watch);
  const guint limit = g_timeout_add_seconds (120, give_up, NULL);
  es_comparison_run_async (comparison, watch.cancellable, on_ran, &watch);
  while (!watch.ended)
    {
      look (comparison);
      g_main_context_iteration (NULL, TRUE);
    }
  g_source_remove (limit);
  g_signal_handler_disconnect (comparison, handler);
  look (comparison);
  g_assert_false (es_comparison_is_running (comparison));

  if (watch.done)
    g_assert_no_error (watch.error);
  else
    g_assert_nonnull (watch.error);
  if (g_error_matches (watch.error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    g_assert_cmpint (watch.left, <, 0);
  /* One thread and all of them need nothing of the cards. */
  for (guint i = 0; i < n && !g_cancellable_is_cancelled (watch.cancellable); i++)
    if (es_comparison_get_threads (comparison, i) > 0
        && es_comparison_get_state (comparison, i) != ES_CONTESTANT_LEFT_OUT)
      {
        g_assert_cmpstr (es_comparison_get_error (comparison, i), ==, NULL);
        g_assert_cmpfloat (es_comparison_get_total_ms (comparison, i), >, 0);
      }
  if (beside != NULL)
    {
      if (g_rand_boolean (random))
        es_job_cancel (beside);
      es_test_spin_until_ended (beside);
    }
  g_clear_error (&watch.error);
  g_object_unref (watch.cancellable);
}

static void
test_sequence (gconstpointer data)
{
  g_autoptr (GRand) random = g_rand_new_with_seed (GPOINTER_TO_UINT (data));
  EsComparison *kept[KEPT] = { NULL };

  for (guint i = 0; i < MEASUREMENTS; i++)
    {
      const guint place = (guint) g_rand_int_range (random, 0, KEPT);

      if (kept[place] == NULL || g_rand_int_range (random, 0, 3) != 0)
        {
          const Measurement *of = &measurements[g_rand_int_range (random, 0, G_N_ELEMENTS (measurements))];

          g_clear_object (&kept[place]);
          kept[place] = make_comparison (of, random);
        }
      trouble_cards (random);
      g_test_message ("%u: %s", i, es_comparison_get_operation (kept[place])->id);
      measure (kept[place], random);
    }
  g_unsetenv ("ES_FAKE_FAIL_ALLOCATION");
  unref_all (kept);
}

/* ---- the frame ---- */

static char *first[G_N_ELEMENTS (measurements)];

static void
test_first (void)
{
  for (guint i = 0; i < G_N_ELEMENTS (measurements); i++)
    first[i] = find_digest (&measurements[i]);
}

static void
test_last (void)
{
  for (guint i = 0; i < G_N_ELEMENTS (measurements); i++)
    {
      g_autofree char *last = find_digest (&measurements[i]);

      g_assert_cmpstr (last, ==, first[i]);
      g_free (first[i]);
    }
}

int
main (int argc, char **argv)
{
  g_autoptr (GError) error = NULL;
  int status;

  g_test_init (&argc, &argv, NULL);
  make_data ();
  {
    g_autoptr (EsJob) job = make_job (&measurements[0], 0);
    source = es_job_run (job, &error);
    g_assert_no_error (error);
  }
  g_test_add_func ("/comparison-sequence/first", test_first);
  /* More of them, and others, by hand. */
  const char *seed = g_getenv ("ES_TEST_SEED"), *sequences = g_getenv ("ES_TEST_SEQUENCES");
  for (int i = 0; i < (sequences != NULL ? atoi (sequences) : SEQUENCES); i++)
    {
      const int number = (seed != NULL ? atoi (seed) : 1) + i;
      g_autofree char *path = g_strdup_printf ("/comparison-sequence/%d", number);

      g_test_add_data_func (path, GINT_TO_POINTER (number), test_sequence);
    }
  g_test_add_func ("/comparison-sequence/last", test_last);
  status = g_test_run ();

  g_clear_object (&source);
  for (guint i = 0; i < N_DATASETS; i++)
    g_clear_object (&datasets[i]);
  for (guint i = 0; i < G_N_ELEMENTS (scenes); i++)
    es_test_scene_clear (&scenes[i]);
  es_test_remove (directory);
  g_free (directory);
  return status;
}
