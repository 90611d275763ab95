/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* Climbs of a module whose rungs take what was published of a K20c, beside the recorded card's roofs. */

#include <gmodule.h>
#include <math.h>
#include <string.h>

#include "base/es-error.h"
#include "es-test-lab.h"
#include "job/es-job.h"
#include "ladder/es-ladder-climb-internal.h"
#include "ladder/es-ladder-stored.h"
#include "session/es-result-load.h"
#include "writers/es-writer.h"

#define CLOSE(a, b) g_assert_cmpfloat_with_epsilon ((a), (b), 1e-6 * fabs ((double) (b)))

static EsLadderClimb *
climb_of (EsResult *result)
{
  g_autoptr (GError) error = NULL;
  EsLadderClimb *climb = es_ladder_climb_new_from (result, &error);

  g_assert_no_error (error);
  return climb;
}

static const EsLadderRung *
rung_of (const EsLadderClimb *climb, const char *id)
{
  const int at = es_ladder_climb_find (climb, id);

  g_assert_cmpint (at, >=, 0);
  return &climb->rungs[at];
}

/* The first run of a process that begins "by itself" has roofs of the recorded card. */
static void
test_numbers (void)
{
  g_autoptr (EsResult) result = es_test_lab_run ("ladder-covariance", NULL);
  g_autoptr (EsLadderClimb) climb = climb_of (result);
  const EsLadderRung *first = rung_of (climb, "v0"), *tiles = rung_of (climb, "v3"), *best = rung_of (climb, "v4");
  EsTable *table = es_test_lab_table (result, "rungs");

  g_assert_cmpstr (climb->backend, ==, "cuda");
  g_assert_cmpstr (climb->row, ==, "D2");
  g_assert_true (climb->same_size);
  g_assert_cmpuint (climb->n, ==, 9);
  g_assert_cmpint (first->below_index, ==, -1);
  g_assert_true (isnan (first->over_below));
  CLOSE (first->over_first, 1);
  CLOSE (tiles->over_below, 750.53 / 432.08);
  CLOSE (tiles->over_first, 8262.08 / 432.08);
  CLOSE (best->over_below, 432.08 / 269.42);
  CLOSE (best->published, 0.26942);
  CLOSE (best->published_gain, 432.08 / 269.42);
  CLOSE (best->intensity, 67e9 / 2e10);
  CLOSE (best->rate, 67e9 / 0.26942);
  CLOSE (best->bandwidth, 2e10 / 0.26942);
  g_assert_cmpuint (best->repeats, ==, 11);
  g_assert_cmpuint (best->registers, ==, 32);
  g_assert_cmpstr (best->type, ==, "float32");
  g_assert_cmpint (strncmp (best->source, "void", 4), ==, 0);
  g_assert_null (rung_of (climb, "library")->source);
  g_assert_true (climb->memory > 0);
  /* All of it in the table, too. */
  g_assert_cmpuint (es_table_get_n_rows (table), ==, 9);
  CLOSE (es_table_get_value (table, 4, 3), 269.42);
  CLOSE (es_table_get_value (table, 4, 7), 432.08 / 269.42);
  g_assert_cmpint (es_ladder_climb_find_best_step (climb), ==, 1);
  g_assert_cmpint (es_ladder_climb_find_fastest (climb), ==, 7);
  es_test_lab_says (result, ES_VERDICT_TELLS, "“A transposed copy” brings most: it is 10.66 times as fast");
  es_test_lab_says (result, ES_VERDICT_YES, "“Tiles of entries”: 1.74 times was published, and 1.74 times it is here");
  es_test_lab_says (result, ES_VERDICT_YES, "What Eigenscope does is the fastest of all");
  es_test_lab_says (result, ES_VERDICT_TELLS, "“cuBLAS” takes 2.00 times as long");
}

/* Steps that bring nothing any more, and a library that is faster. */
static void
test_today (void)
{
  g_setenv ("ES_FAKE_LADDER", "today behind", TRUE);
  g_autoptr (EsResult) result = es_test_lab_run ("ladder-covariance", NULL);
  g_autoptr (EsLadderClimb) climb = climb_of (result);
  g_autofree char *says = es_ladder_explain (climb, 1);

  g_unsetenv ("ES_FAKE_LADDER");
  es_test_lab_says (result, ES_VERDICT_NO, "“A transposed copy”: 10.66 times was published, and that does not hold");
  es_test_lab_says (result, ES_VERDICT_NO, "“cuBLAS” is 5.00 times as fast as what Eigenscope does");
  g_assert_cmpint (es_ladder_judge (climb, 1), ==, ES_VERDICT_NO);
  g_assert_nonnull (strstr (says, "It takes as long as “A thread an entry”"));
  g_assert_nonnull (strstr (says, "10.66 times was published of this step: it does not hold here."));
  g_assert_nonnull (strstr (says, "Where caches already served the scattered loads"));
  g_assert_cmpint (es_ladder_climb_find_best_step (climb), ==, -1);
}

static void
test_refused (void)
{
  g_setenv ("ES_FAKE_LADDER", "shared slow wrong", TRUE);
  g_autoptr (EsResult) result = es_test_lab_run ("ladder-covariance", NULL);
  g_autoptr (EsLadderClimb) climb = climb_of (result);
  const EsLadderRung *best = rung_of (climb, "v4");
  EsTable *table = es_test_lab_table (result, "rungs");

  g_unsetenv ("ES_FAKE_LADDER");
  g_assert_cmpint (rung_of (climb, "v0")->state, ==, ES_RUNG_REFUSED);
  g_assert_cmpint (rung_of (climb, "v1")->state, ==, ES_RUNG_WRONG);
  g_assert_cmpint (rung_of (climb, "v3")->state, ==, ES_RUNG_REFUSED);
  /* What was refused is stepped over: v4 is told by v2, which is the first that counts. */
  CLOSE (best->over_below, 750.53 / 269.42);
  CLOSE (best->over_first, 750.53 / 269.42);
  CLOSE (best->published_gain, 750.53 / 269.42);
  /* A wrong one has a time, which counts for nothing. */
  g_assert_true (rung_of (climb, "v1")->median > 0);
  g_assert_true (isnan (rung_of (climb, "v1")->over_first));
  g_assert_true (isnan (rung_of (climb, "v1")->rate));
  g_assert_cmpstr (es_table_get_text (table, 0, es_table_get_n_columns (table) - 1), ==,
                   "A single run would take 8.26 s, and 2 s are granted.");
  g_assert_cmpstr (es_table_get_text (table, 3, es_table_get_n_columns (table) - 1), ==,
                   "It needs 128 KiB of shared memory a block, and there are 99 KiB.");
  es_test_lab_says (result, ES_VERDICT_NO, "“A transposed copy”: Its result is off by 5.0e-01");
}

static void
test_choice (void)
{
  g_autoptr (EsResult) off = es_test_lab_run ("ladder-covariance", "off", "S_1, S_6", "repeats", "3", NULL);
  g_autoptr (EsLadderClimb) without = climb_of (off);
  g_autoptr (EsResult) some = es_test_lab_run ("ladder-covariance", "rungs", "v4 production", "size", "custom",
                                               "width", "100", "height", "50", "bands", "10", NULL);
  g_autoptr (EsLadderClimb) two = climb_of (some);

  g_assert_cmpint (rung_of (without, "v2")->state, ==, ES_RUNG_MEASURED);
  g_assert_cmpuint (rung_of (without, "v2")->repeats, ==, 3);
  g_assert_cmpint (rung_of (without, "v3")->state, ==, ES_RUNG_LEFT_OUT);
  g_assert_cmpint (rung_of (without, "v4-1")->state, ==, ES_RUNG_LEFT_OUT);
  g_assert_cmpuint (es_table_get_n_rows (es_test_lab_table (off, "rungs")), ==, 5);
  /* Its source is kept all the same: the next one is compared with it. */
  g_assert_nonnull (rung_of (without, "v3")->source);
  g_assert_cmpuint (es_table_get_n_rows (es_test_lab_table (some, "rungs")), ==, 2);
  g_assert_cmpuint (two->size.width, ==, 100);
  g_assert_cmpuint (two->size.bands, ==, 10);
  /* Of no published size: gains compare with those of the row by default. */
  g_assert_false (two->same_size);
  g_assert_cmpstr (two->row, ==, "D2");
  CLOSE (rung_of (two, "v4")->over_first, 1);
}

static void
test_threads (void)
{
  g_autoptr (EsResult) result = es_test_lab_run ("ladder-jacobi", "size", "1024", NULL);
  g_autoptr (EsResult) without = es_test_lab_run ("ladder-jacobi", "sweep", "no", NULL);
  g_autoptr (EsLadderClimb) climb = climb_of (result);

  g_assert_cmpstr (climb->swept, ==, "v0");
  g_assert_cmpuint (climb->n_sweep, ==, 5);
  g_assert_cmpuint (climb->sweep[1].threads, ==, 128);
  CLOSE (climb->sweep[1].median, 0.03130);
  CLOSE (climb->sweep[4].median, 0.03130 * 1.3);
  g_assert_nonnull (es_result_find_layer (result, "threads"));
  g_assert_null (es_result_find_layer (without, "threads"));

  /* What is off has no time. */
  g_setenv ("ES_FAKE_LADDER", "odd", TRUE);
  g_autoptr (EsResult) odd = es_test_lab_run ("ladder-jacobi", "size", "1024", NULL);
  g_unsetenv ("ES_FAKE_LADDER");
  g_autoptr (EsLadderClimb) others = climb_of (odd);
  g_assert_cmpuint (others->n_sweep, ==, 4);
  for (guint i = 0; i < others->n_sweep; i++)
    g_assert_cmpuint (others->sweep[i].threads, !=, 256);
}

static EsResult *
reopen (EsResult *result, const char *folder)
{
  g_autoptr (GFile) directory = g_file_new_for_path (folder), file = g_file_get_child (directory, "result.json");
  g_autoptr (GError) error = NULL;
  EsResult *again;

  es_write_result (result, directory, ES_STACK_ENVI, NULL, &error);
  g_assert_no_error (error);
  again = es_result_load (file, NULL, &error);
  g_assert_no_error (error);
  return again;
}

static void
test_saved (void)
{
  g_autofree char *folder = g_dir_make_tmp ("eigenscope-ladder-XXXXXX", NULL);

  g_setenv ("ES_FAKE_LADDER", "shared unsteady", TRUE);
  g_autoptr (EsResult) result = es_test_lab_run ("ladder-covariance", NULL);
  g_unsetenv ("ES_FAKE_LADDER");
  g_autoptr (EsResult) again = reopen (result, folder);
  g_autoptr (EsLadderClimb) before = climb_of (result), after = climb_of (again);
  g_autoptr (JsonObject) one = es_ladder_climb_to_json (before), other = es_ladder_climb_to_json (after);
  g_autoptr (JsonNode) first = json_node_new (JSON_NODE_OBJECT), second = json_node_new (JSON_NODE_OBJECT);

  json_node_set_object (first, one);
  json_node_set_object (second, other);
  g_assert_true (json_node_equal (first, second));
  for (guint i = 0; i < before->n; i++)
    {
      g_autofree char *says = es_ladder_explain (before, i), *says_again = es_ladder_explain (after, i);

      g_assert_cmpstr (says, ==, says_again);
      g_assert_cmpstr (before->rungs[i].source, ==, after->rungs[i].source);
      g_assert_true (before->rungs[i].median == after->rungs[i].median
                     || (isnan (before->rungs[i].median) && isnan (after->rungs[i].median)));
    }
  g_assert_cmpuint (g_list_model_get_n_items (es_result_get_layers (result)), ==,
                    g_list_model_get_n_items (es_result_get_layers (again)));
  g_assert_true (before->rungs[0].spread > 0);
}

/* A climb of another machine, as such are installed. */
static void
test_stored (void)
{
  const char *data = g_getenv ("ES_DATA_DIR");
  g_autofree char *before = g_strdup (data), *root = g_dir_make_tmp ("eigenscope-stored-XXXXXX", NULL);
  g_autofree char *folder = g_build_filename (root, "ladders", "k20c", "noise", NULL);
  g_autofree char *empty = g_build_filename (root, "ladders", "k20c", "nothing", NULL);
  g_autoptr (EsResult) result = es_test_lab_run ("ladder-noise", NULL);
  g_autoptr (GPtrArray) list = NULL, none = NULL;
  g_autoptr (GError) error = NULL;

  g_assert_cmpint (g_mkdir_with_parents (folder, 0700), ==, 0);
  g_assert_cmpint (g_mkdir_with_parents (empty, 0700), ==, 0);
  g_autoptr (EsResult) saved = reopen (result, folder);
  g_setenv ("ES_DATA_DIR", root, TRUE);
  list = es_ladder_stored_list ();
  g_setenv ("ES_DATA_DIR", "/nowhere", TRUE);
  none = es_ladder_stored_list ();
  g_setenv ("ES_DATA_DIR", before, TRUE);
  g_assert_cmpuint (none->len, ==, 0);
  g_assert_cmpuint (list->len, ==, 1);
  const EsLadderStored *stored = g_ptr_array_index (list, 0);
  g_assert_cmpstr (stored->machine, ==, "k20c");
  g_assert_cmpint (stored->ladder->kind, ==, ES_LADDER_NOISE);
  g_autoptr (EsResult) again = es_result_load (stored->file, NULL, &error);
  g_assert_no_error (error);
  g_autoptr (EsLadderClimb) climb = climb_of (again);
  CLOSE (rung_of (climb, "v1")->median, 0.02596);
}

/* What a file says is not believed. */
static void
test_damaged (void)
{
  static const char *const texts[] = {
    "{}", "{\"kind\": \"nothing\"}", "{\"kind\": \"noise\", \"rungs\": [1]}",
    "{\"kind\": \"noise\", \"rungs\": [{\"id\": \"v0\", \"kind\": \"step\", \"state\": \"measured\"}]}",
    "{\"kind\": \"noise\", \"rungs\": [{\"id\": \"v0\", \"kind\": \"step\", \"state\": \"measured\", "
    "\"seconds\": [0]}]}",
    "{\"kind\": \"noise\", \"rungs\": [{\"id\": \"v0\", \"kind\": \"step\", \"state\": \"measured\", "
    "\"seconds\": [1, \"2\"]}]}",
    "{\"kind\": \"noise\", \"rungs\": [{\"id\": \"v0\", \"kind\": \"rung\", \"state\": \"refused\"}]}",
  };
  /* Rungs that are below each other in a circle. */
  const char *circle = "{\"kind\": \"noise\", \"rungs\": ["
                       "{\"id\": \"a\", \"kind\": \"step\", \"state\": \"left out\", \"below\": \"b\"},"
                       "{\"id\": \"b\", \"kind\": \"step\", \"state\": \"left out\", \"below\": \"a\"}]}";
  g_autoptr (JsonNode) node = json_from_string (circle, NULL);
  g_autoptr (EsLadderClimb) round = es_ladder_climb_from_json (json_node_get_object (node), NULL);

  g_assert_nonnull (round);
  g_assert_cmpint (round->rungs[0].below_index, ==, -1);
  for (guint i = 0; i < G_N_ELEMENTS (texts); i++)
    {
      g_autoptr (JsonNode) root = json_from_string (texts[i], NULL);
      g_autoptr (GError) error = NULL;

      g_assert_null (es_ladder_climb_from_json (json_node_get_object (root), &error));
      g_assert_error (error, ES_DATA_ERROR, ES_DATA_ERROR_FORMAT);
    }
}

/* Numbers that cannot be are not known; who is wrong is, whatever it is called. */
static void
test_impossible (void)
{
  const char *text = "{\"kind\": \"noise\", \"least_bytes\": -1, \"least_operations\": 0, \"roofs\": "
    "{\"memory_bytes_per_second\": 0, \"cache_bytes_per_second\": -5, \"arithmetic\": [{\"type\": \"float32\", "
    "\"operations_per_second\": -1}]}, \"sweep\": [{\"threads\": 64, \"median_seconds\": -1}], \"rungs\": ["
    "{\"id\": \"v0\", \"kind\": \"step\", \"state\": \"measured\", \"seconds\": [1], \"type\": \"float32\", "
    "\"bytes\": -1, \"operations\": 0, \"preparation_seconds\": -9, \"occupancy\": -1},"
    "{\"id\": \"v1\", \"kind\": \"step\", \"state\": \"measured\", \"seconds\": [1e-9], \"error\": 0.5, "
    "\"tolerance\": 1e-6, \"below\": \"v0\"},"
    "{\"id\": \"v2\", \"kind\": \"step\", \"state\": \"refused\", \"why\": 6}]}";
  g_autoptr (JsonNode) root = json_from_string (text, NULL);
  g_autoptr (EsLadderClimb) climb = es_ladder_climb_from_json (json_node_get_object (root), NULL);
  g_autofree char *why = NULL;

  g_assert_nonnull (climb);
  g_assert_true (isnan (climb->least_bytes) && isnan (climb->least_operations) && isnan (climb->memory)
                 && isnan (climb->cache) && isnan (climb->sweep[0].median));
  g_assert_cmpuint (climb->n_roofs, ==, 0);
  g_assert_true (isnan (climb->rungs[0].bytes) && isnan (climb->rungs[0].rate) && isnan (climb->rungs[0].intensity)
                 && isnan (climb->rungs[0].occupancy));
  CLOSE (climb->rungs[0].whole, 1);
  g_assert_cmpint (climb->rungs[1].state, ==, ES_RUNG_WRONG);
  g_assert_cmpint (es_ladder_climb_find_fastest (climb), ==, 0);
  why = es_ladder_rung_tell_why (&climb->rungs[2]);
  g_assert_null (strstr (why, "nan"));
}

/* A published time of another size says so wherever it stands. */
static void
test_another_size (void)
{
  g_autoptr (EsResult) same = es_test_lab_run ("ladder-noise", "size", "d2", NULL);
  g_autoptr (EsResult) other = es_test_lab_run ("ladder-noise", "size", "custom", NULL);

  g_assert_cmpstr (es_table_get_column_title (ES_TABLE (es_result_find_layer (same, "rungs")), 9), ==, "Published");
  g_assert_cmpstr (es_table_get_column_title (ES_TABLE (es_result_find_layer (other, "rungs")), 9), ==,
                   "Published, another size");
}

/* ---- trouble ---- */

static EsResult *
try (const char *id, const char *key, const char *value, GError **error)
{
  const EsOperation *operation = es_operation_find (id, NULL);
  g_autoptr (EsMachine) machine = es_test_lab_machine ();
  g_autoptr (EsParams) params = es_params_new (operation->params);
  g_autoptr (EsJob) job = NULL;

  if (key != NULL && !es_params_parse (params, key, value, error))
    return NULL;
  job = es_job_new (operation, ES_DATASET (machine), params, NULL, NULL, NULL);
  return es_job_run (job, error);
}

static void
test_trouble (void)
{
  static const struct { const char *word; int code; const char *says; } cases[] = {
    { "none", ES_COMPUTE_ERROR_DEVICE, "cannot be climbed on: there is no ladder" },
    { "poor", ES_COMPUTE_ERROR_MEMORY, "try a smaller one" },
    { "dead", ES_COMPUTE_ERROR_DEVICE, "failed: an illegal address" },
    { "sizeless", ES_COMPUTE_ERROR_PARAMETER, "No ladder is climbed at this size: nothing was expected." },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GError) error = NULL;

      g_setenv ("ES_FAKE_LADDER", cases[i].word, TRUE);
      g_assert_null (try ("ladder-noise", NULL, NULL, &error));
      g_unsetenv ("ES_FAKE_LADDER");
      g_assert_error (error, ES_COMPUTE_ERROR, cases[i].code);
      g_assert_nonnull (strstr (error->message, cases[i].says));
    }
  /* One that fails is told in its place. */
  g_setenv ("ES_FAKE_LADDER", "broken", TRUE);
  g_autoptr (EsResult) result = es_test_lab_run ("ladder-noise", NULL);
  g_unsetenv ("ES_FAKE_LADDER");
  g_autoptr (EsLadderClimb) climb = climb_of (result);
  g_autofree char *why = es_ladder_rung_tell_why (rung_of (climb, "v1"));
  g_assert_cmpstr (why, ==, "The device failed: an illegal address.");
  g_assert_cmpint (rung_of (climb, "v2")->state, ==, ES_RUNG_MEASURED);

  g_autoptr (GError) rung = NULL, strategy = NULL;
  g_assert_null (try ("ladder-noise", "rungs", "v0 v9", &rung));
  g_assert_error (rung, ES_COMPUTE_ERROR, ES_COMPUTE_ERROR_PARAMETER);
  g_assert_cmpstr (rung->message, ==, "There is no rung “v9”; there are v0, v1, v2, v3, production.");
  g_assert_null (try ("ladder-noise", "off", "Q_1", &strategy));
  g_assert_error (strategy, ES_COMPUTE_ERROR, ES_COMPUTE_ERROR_PARAMETER);
}

static EsJob *running;
static guint measured;

static void
on_measure (void)
{
  if (++measured == 2)
    es_job_cancel (running);
}

static void
test_cancelled (void)
{
  GModule *module = g_module_open (g_getenv ("ES_LADDER_CUDA_MODULE"), G_MODULE_BIND_LOCAL);
  void (**hook) (void);
  int *open;

  g_assert_nonnull (module);
  g_assert_true (g_module_symbol (module, "fake_ladder_on_measure", (gpointer *) &hook));
  g_assert_true (g_module_symbol (module, "fake_ladder_open", (gpointer *) &open));
  for (guint i = 0; i < ES_N_LADDERS; i++)
    {
      const EsOperation *operation = es_operation_find (es_ladder_get ((EsLadderKind) i)->operation, NULL);
      g_autoptr (EsMachine) machine = es_test_lab_machine ();
      g_autoptr (EsParams) params = es_params_new (operation->params);
      g_autoptr (EsResult) result = NULL;
      g_autoptr (GError) error = NULL;

      running = es_job_new (operation, ES_DATASET (machine), params, NULL, NULL, NULL);
      measured = 0;
      *hook = on_measure;
      result = es_job_run (running, &error);
      *hook = NULL;
      g_clear_object (&running);
      g_assert_null (result);
      g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
      g_assert_cmpuint (measured, ==, 2);
      g_assert_cmpint (*open, ==, 0);
    }
  g_module_close (module);
}

/* Every ladder has its words, sizes that its operation knows, and strategies that are known. */
static void
test_words (void)
{
  for (guint i = 0; i < ES_N_LADDERS; i++)
    {
      const EsLadder *ladder = es_ladder_get ((EsLadderKind) i);
      const EsOperation *operation = es_operation_find (ladder->operation, NULL);
      const EsExperiment *experiment = es_experiment_of (operation);
      const EsParamSpec *spec = es_param_specs_find (operation->params, "size");
      g_autoptr (EsResult) result = es_test_lab_run_on_cpu (ladder->operation, NULL);
      g_autoptr (EsLadderClimb) climb = climb_of (result);

      g_assert_cmpint (ladder->kind, ==, i);
      g_assert_true (es_ladder_find (ladder->id) == ladder);
      g_assert_true (es_ladder_of_operation (ladder->operation) == ladder);
      g_assert_cmpstr (ladder->title, ==, operation->title);
      g_assert_cmpstr (ladder->question, ==, experiment->question);
      g_assert_cmpint (experiment->group, ==, ES_EXPERIMENTS_LADDERS);
      g_assert_true (es_ladder_size_equal (&climb->size, &ladder->cpu));
      for (guint k = 0; spec->choices[k].id != NULL; k++)
        {
          EsLadderSize size;

          g_assert_true (es_ladder_get_size (ladder, FALSE, spec->choices[k].id, &size)
                         || g_str_equal (spec->choices[k].id, "custom"));
        }
      for (guint k = 0; k < climb->n; k++)
        {
          g_auto (GStrv) strategies = es_strategies_split (climb->rungs[k].strategies);

          for (guint s = 0; strategies[s] != NULL; s++)
            g_assert_nonnull (es_strategy_find (strategies[s]));
          g_assert_nonnull (es_ladder_get_rung_text ("cuda", ladder->kind, climb->rungs[k].id));
        }
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_unsetenv ("ES_RECORDED_LAB");
  g_unsetenv ("ES_FAKE_LADDER");
  g_test_add_func ("/ladder-climb/numbers", test_numbers);
  g_test_add_func ("/ladder-climb/today", test_today);
  g_test_add_func ("/ladder-climb/refused", test_refused);
  g_test_add_func ("/ladder-climb/choice", test_choice);
  g_test_add_func ("/ladder-climb/threads", test_threads);
  g_test_add_func ("/ladder-climb/saved", test_saved);
  g_test_add_func ("/ladder-climb/stored", test_stored);
  g_test_add_func ("/ladder-climb/damaged", test_damaged);
  g_test_add_func ("/ladder-climb/impossible", test_impossible);
  g_test_add_func ("/ladder-climb/another-size", test_another_size);
  g_test_add_func ("/ladder-climb/trouble", test_trouble);
  g_test_add_func ("/ladder-climb/cancelled", test_cancelled);
  g_test_add_func ("/ladder-climb/words", test_words);
  return g_test_run ();
}
