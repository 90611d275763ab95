/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* Clusters that are no file: this machine, one whose figures were changed, what is written of either; and a plan beside
 * what was measured. */

#include <math.h>
#include <string.h>

#include "../job/es-test-scene.h"
#include "base/es-error.h"
#include "base/es-json.h"
#include "layer/es-table.h"
#include "operations/es-operations.h"
#include "plan/es-cluster-figures.h"
#include "plan/es-cluster-held.h"
#include "plan/es-cluster-plan.h"
#include "plan/es-planned-data.h"
#include "readers/es-open.h"
#include "simulate/es-simulate-recording.h"
#include "simulate/es-simulate.h"

#define CLOSE(a, b) g_assert_cmpfloat_with_epsilon (a, b, 1e-9 * fabs ((double) (b)) + 1e-12)

static EsCluster *
load (const char *name)
{
  g_autoptr (GFile) file = es_cluster_find_installed (name);
  g_autoptr (GError) error = NULL;
  EsCluster *cluster;

  g_assert_nonnull (file);
  cluster = es_cluster_load (file, &error);
  g_assert_no_error (error);
  return cluster;
}

static void
assert_rates (const EsClusterRates *a, const EsClusterRates *b, double by)
{
  for (guint type = 0; type < ES_N_WORK_TYPES; type++)
    CLOSE (a->operations[type], b->operations[type] * by);
  CLOSE (a->memory, b->memory * by);
  for (guint kind = 0; kind < ES_N_CLUSTER_KINDS; kind++)
    {
      CLOSE (a->speeds[kind].operations, b->speeds[kind].operations * by);
      CLOSE (a->speeds[kind].samples, b->speeds[kind].samples * by);
      CLOSE (a->speeds[kind].values, b->speeds[kind].values * by);
    }
}

static void
assert_same (const EsCluster *a, const EsCluster *b)
{
  g_assert_cmpstr (a->name, ==, b->name);
  g_assert_cmpuint (a->nodes, ==, b->nodes);
  g_assert_cmpuint (a->processes, ==, b->processes);
  g_assert_cmpuint (a->threads, ==, b->threads);
  g_assert_cmpuint (a->cards, ==, b->cards);
  CLOSE (a->memory, b->memory);
  assert_rates (&a->host, &b->host, 1);
  CLOSE (a->host.copy, b->host.copy);
  assert_rates (&a->card, &b->card, 1);
  CLOSE (a->card.link_to, b->card.link_to);
  CLOSE (a->card.link_from, b->card.link_from);
  CLOSE (a->card.launches, b->card.launches);
  CLOSE (a->card_memory, b->card_memory);
  CLOSE (a->latency, b->latency);
  CLOSE (a->bandwidth, b->bandwidth);
  g_assert_cmpint (a->has_disk, ==, b->has_disk);
  CLOSE (a->read, b->read);
  CLOSE (a->write, b->write);
  CLOSE (a->node_read, b->node_read);
  CLOSE (a->node_write, b->node_write);
  CLOSE (a->start, b->start);
  CLOSE (a->start_process, b->start_process);
}

/* What is written is the cluster that was read, with figures in the place of profiles. */
static void
test_written (gconstpointer name)
{
  g_autoptr (EsCluster) cluster = load (name), again = NULL, copy = es_cluster_copy (cluster);
  g_autoptr (JsonNode) root = es_cluster_to_json (cluster);
  g_autofree char *text = es_json_to_text (root);
  g_autoptr (GError) error = NULL;

  again = es_cluster_parse (text, "again.json", NULL, &error);
  g_assert_no_error (error);
  assert_same (again, cluster);
  assert_same (copy, cluster);
  g_assert_null (again->processor);
}

static void
test_installed (void)
{
  g_auto (GStrv) names = es_cluster_list_installed ();

  g_assert_true (g_strv_contains ((const char *const *) names, "sixty-four"));
  g_assert_true (g_strv_contains ((const char *const *) names, "sixteen-cards"));
  for (char **name = names; *name != NULL; name++)
    {
      g_autoptr (EsCluster) cluster = load (*name);

      g_assert_true (name == names || strcmp (name[-1], *name) < 0);
    }
  g_assert_null (es_cluster_find_installed ("none"));
  g_assert_null (es_cluster_find_installed ("../clusters/sixty-four"));
}

/* ---- this machine ---- */

static void
test_here (void)
{
  g_autoptr (EsCluster) one = es_cluster_new_here (1, 1), all = es_cluster_new_here (1, 0);
  g_autoptr (EsCluster) many = es_cluster_new_here (1000, 7), again = NULL;
  g_autoptr (JsonNode) root = NULL;
  g_autofree char *text = NULL;
  g_autoptr (GError) error = NULL;
  guint known = 0;

  g_assert_cmpuint (one->threads, ==, 1);
  g_assert_cmpuint (all->threads, >=, 1);
  /* There are no more threads for many processes than the machine has. */
  g_assert_cmpuint (many->processes, ==, 1000);
  g_assert_cmpuint (many->threads, ==, all->threads);
  g_assert_cmpfloat (one->memory, >, 1e6);
  for (guint type = 0; type < ES_N_WORK_TYPES; type++)
    {
      g_assert_cmpfloat (one->host.operations[type], >, 0);
      g_assert_cmpfloat (all->host.operations[type], >=, one->host.operations[type]);
    }
  g_assert_true (one->host.memory > 0 && one->host.copy > 0 && !one->has_disk);

  g_assert_true (es_cluster_measure_network (all, &error));
  g_assert_no_error (error);
  /* No loopback answers within a tenth of a microsecond, or is slower than a telephone. */
  g_assert_cmpfloat (all->latency, >, 1e-7);
  g_assert_cmpfloat (all->latency, <, 1);
  g_assert_cmpfloat (all->bandwidth, >, 1e6);
  g_assert_cmpfloat (all->bandwidth, <, 1e13);
  /* Nobody has measured how fast its steps are, and then somebody has. */
  for (guint kind = 0; kind < ES_N_CLUSTER_KINDS; kind++)
    g_assert_false (es_cluster_speed_is_known (&all->host.speeds[kind]));
  g_assert_true (es_cluster_measure_speeds (all, &error));
  g_assert_no_error (error);
  for (guint kind = ES_CLUSTER_NO_KIND + 1; kind < ES_N_CLUSTER_KINDS; kind++)
    {
      g_test_message ("%s: %.3g operations, %.3g samples, %.3g values a second",
                      es_cluster_kind_get_name (kind), all->host.speeds[kind].operations,
                      all->host.speeds[kind].samples, all->host.speeds[kind].values);
      known += es_cluster_speed_is_known (&all->host.speeds[kind]);
      g_assert_cmpfloat (all->host.speeds[kind].operations, <, all->threads * 1e13);
    }
  /* What takes hardly any time beside others is lost in their noise: that goes by the best rate. */
  g_assert_cmpuint (known, >=, (ES_N_CLUSTER_KINDS - 1) * 3 / 4);
  /* And it is a file like any other. */
  root = es_cluster_to_json (all);
  text = es_json_to_text (root);
  again = es_cluster_parse (text, "here.json", NULL, &error);
  g_assert_no_error (error);
  assert_same (again, all);
}

/* ---- against runs ---- */

/* Sizes, types and parameters that speeds are not measured with. */
static const struct
{
  const char *made, *parameters, *operation, *of_operation, *array;
} runs[] = {
  { "cube", "width=300 height=500 bands=120 type=int16 interleave=bsq seed=2", "pca", "components=7", NULL },
  { "cube", "width=300 height=500 bands=90 type=uint8 interleave=bil seed=2", "mnf",
    "noise=shift-difference keep=count components=6", NULL },
  { "cube", "width=300 height=300 bands=200 type=float32 interleave=bip seed=2", "fastica", "components=6 g=tanh",
    NULL },
  { "recording", "array=line:48,1.5 seconds=12 rate=8000 seed=2", "cbf", "angles=0:179:1", "line:48,1.5" },
  { "recording", "array=line:96,1.5 seconds=12 rate=8000 seed=2", "mvdr",
    "angles=0:179:1 snapshots=8 blocks=6 eigenvalues=no band=100:350", "line:96,1.5" },
  { "recording", "array=line:48,1.5 seconds=30 rate=8000 seed=2", "lofar", "bearing=70", "line:48,1.5" },
};

static EsParams *
make_params (const EsParamSpec *specs, const char *text)
{
  EsParams *params = es_params_new (specs);
  g_auto (GStrv) pairs = g_strsplit (text, " ", -1);

  for (char **pair = pairs; *pair != NULL; pair++)
    {
      g_auto (GStrv) both = g_strsplit (*pair, "=", 2);
      g_autoptr (GError) error = NULL;

      es_params_parse (params, both[0], both[1], &error);
      g_assert_no_error (error);
    }
  return params;
}

static EsDataset *
make_data (const char *folder, guint i)
{
  const gboolean cube = strcmp (runs[i].made, "cube") == 0;
  g_autoptr (EsParams) params = make_params (cube ? es_simulate_cube_params : es_simulate_recording_params,
                                             runs[i].parameters);
  g_autofree char *path = g_strdup_printf ("%s/%u.%s", folder, i, cube ? "img" : "wav");
  g_autoptr (GFile) file = g_file_new_for_path (path);
  g_autoptr (GError) error = NULL;
  EsDataset *dataset;

  if (cube)
    es_simulate_cube (file, params, NULL, NULL, NULL, &error);
  else
    es_simulate_recording (file, params, NULL, NULL, NULL, &error);
  g_assert_no_error (error);
  dataset = es_dataset_open (file, NULL, NULL, &error);
  g_assert_no_error (error);
  if (runs[i].array != NULL)
    {
      g_autoptr (EsArray) array = es_array_parse (runs[i].array, &error);

      g_assert_no_error (error);
      es_recording_set_array (ES_RECORDING (dataset), array);
    }
  return dataset;
}

/* The fastest of a few, and of some more where it takes long, as somebody else may have the processor for a while. */
static double
run_ms (const EsOperation *operation, EsDataset *dataset, EsParams *params, double enough, guint *steps)
{
  const EsLimits limits = { .threads = 1 };
  double least = INFINITY;

  for (guint i = 0; i < (least > enough ? 20 : 3); i++)
    {
      g_autoptr (EsJob) job = es_job_new (operation, dataset, params, es_device_get_cpu (), &limits, NULL);
      g_autoptr (GError) error = NULL;
      g_autoptr (EsResult) result = es_job_run (job, &error);
      JsonObject *values;

      g_assert_no_error (error);
      least = fmin (least, es_result_get_total_ms (result));
      values = es_result_get_values (result);
      if (strcmp (operation->id, "fastica") == 0)
        *steps = (guint) json_array_get_int_element (json_object_get_array_member (values, "steps"), 0);
    }
  return least;
}

/* What is planned of a run of one thread of this machine is a third of what it takes at least, and three times that at
 * most, on a quiet one; here others may have had the processor while speeds were measured. */
#define OTHERS 5
static void
test_runs (void)
{
  g_autofree char *folder = g_dir_make_tmp ("es-cluster-XXXXXX", NULL);
  g_autoptr (EsCluster) here = es_cluster_new_here (1, 1);
  g_autoptr (GError) error = NULL;

  es_cluster_measure_speeds (here, &error);
  g_assert_no_error (error);
  for (guint i = 0; i < G_N_ELEMENTS (runs); i++)
    {
      const EsOperation *operation = es_operation_find (runs[i].operation, NULL);
      g_autoptr (EsParams) params = make_params (operation->params, runs[i].of_operation);
      g_autoptr (EsDataset) dataset = make_data (folder, i);
      guint steps = 0;
      g_autoptr (EsClusterWork) work = NULL;
      double planned, measured = run_ms (operation, dataset, params, INFINITY, &steps);

      work = es_cluster_work_new (runs[i].operation, dataset, params, here, steps, &error);
      g_assert_no_error (error);
      planned = 1e3 * es_cluster_plan_time (work, here, 1, NULL).seconds;
      if (measured > 2 * planned)
        measured = fmin (measured, run_ms (operation, dataset, params, 2 * planned, &steps));
      g_test_message ("%s, %s: %.1f ms planned, %.1f measured, %.2f", runs[i].operation, work->data, planned, measured,
                      planned / measured);
      g_assert_cmpfloat (planned, >, measured / OTHERS);
      g_assert_cmpfloat (planned, <, measured * OTHERS);
    }
  es_test_remove (folder);
}

/* Seconds by hand: a kind's operations, samples and values each at their speed, of the threads that a step has; and
 * reading the same way. What nobody has measured goes by the share of the best rate. */
static void
test_speeds (void)
{
  EsCluster cluster = { .nodes = 1, .processes = 1, .threads = 4, .memory = 1e12, .latency = 1e-6, .bandwidth = 1e9,
                        .host = { .operations = { 100e9, 100e9, 100e9, 100e9 }, .memory = 1e12, .copy = 1e12 } };
  EsClusterStep step = { .name = "a", .title = "A", .operations = 50e9, .pieces = 64, .reach_cpu = 0.5,
                         .parts = { { ES_CLUSTER_MATRIX, 40e9, 3e9, 2e9 }, { ES_CLUSTER_FACTOR, 5e9, 0, 0 } } };
  EsClusterWork work = { .operation = "a", .data = (char *) "", .steps = &step, .n = 1 };

  CLOSE (es_cluster_plan_time (&work, &cluster, 1, NULL).seconds, 1);
  cluster.host.speeds[ES_CLUSTER_MATRIX] = (EsClusterSpeed) { 20e9, 1e9, 4e9 };
  /* Of two kinds both have to be known. */
  CLOSE (es_cluster_plan_time (&work, &cluster, 1, NULL).seconds, 1);
  cluster.host.speeds[ES_CLUSTER_FACTOR] = (EsClusterSpeed) { 10e9, 0, 0 };
  CLOSE (es_cluster_plan_time (&work, &cluster, 1, NULL).seconds, 2 + 3 + 0.5 + 0.5);
  step.threads = 1;
  CLOSE (es_cluster_plan_time (&work, &cluster, 1, NULL).seconds, 4 * 6);
  step.threads = 0;
  step.file_bytes = 8e9;
  step.looked = 1e9;
  step.written_bytes = 3e9;
  cluster.host.speeds[ES_CLUSTER_READING] = (EsClusterSpeed) { 0, 2e9, 4e9 };
  cluster.host.speeds[ES_CLUSTER_WRITING] = (EsClusterSpeed) { 0, 0, 1e9 };
  CLOSE (es_cluster_plan_time (&work, &cluster, 1, NULL).seconds, 6 + 2 + 0.5 + 3);
  CLOSE (es_cluster_plan_time (&work, &cluster, 2, NULL).of[ES_CLUSTER_ARITHMETIC], 3);
  /* A run's own rates take the place of all of them: 50e9 operations in a second by four threads. */
  step.file_bytes = step.looked = step.written_bytes = 0;
  g_assert_true (es_cluster_work_take_measured (&work, &(EsStageTime) { .name = (char *) "a", .ms = 1000,
                                                                       .work.operations = 50e9 }, 1, 4, &cluster));
  CLOSE (es_cluster_plan_time (&work, &cluster, 1, NULL).seconds, 1);
}

/* Fourfold symmetry is counted: beams of snapshots take less where every element has one opposite, and again where
 * every direction has. And what is kept of blocks grows with the first of them. */
static void
test_symmetry (void)
{
  static const struct { const char *array, *angles; double operations; } cases[] = {
    /* 60 blocks, one bin of 100 Hz, K = 16 snapshots of two blocks of which the first has half: 8 K B 119/120. */
    { "line:64,1.5", "1:89:1", 1.0 / 2 }, { "line:64,1.5", "0.5:179.5:1", 1.0 / 4 },
  };
  double solved[G_N_ELEMENTS (cases)];

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *text = g_strdup_printf ("angles=%s snapshots=8 blocks=2 band=100:200 method=woodbury "
                                               "loading=0.1 eigenvalues=no", cases[i].angles);
      const EsOperation *operation = es_operation_find ("mvdr", NULL);
      g_autoptr (EsParams) params = make_params (operation->params, text);
      g_autoptr (EsDataset) dataset = es_planned_data_new ("64x60s@8000:int16", NULL);
      g_autoptr (EsArray) array = es_array_parse (cases[i].array, NULL);
      g_autoptr (EsCluster) here = es_cluster_new_here (1, 1);
      g_autoptr (GError) error = NULL;
      g_autoptr (EsClusterWork) work = NULL;
      const EsClusterStep *spectrum = NULL;
      double all;

      es_recording_set_array (ES_RECORDING (dataset), array);
      work = es_cluster_work_new ("mvdr", dataset, params, here, 0, &error);
      g_assert_no_error (error);
      for (guint k = 0; k < work->n; k++)
        spectrum = strcmp (work->steps[k].name, "spectrum") == 0 ? &work->steps[k] : spectrum;
      g_assert_nonnull (spectrum);
      g_assert_cmpint (spectrum->parts[1].kind, ==, ES_CLUSTER_SNAPSHOTS);
      /* Of (8 K B + 4 K²) a direction and bin the first, with K = 16 and B = 64. */
      all = spectrum->operations * 8 * 16 * 64 / (8 * 16 * 64 + 4 * 16 * 16);
      CLOSE (spectrum->parts[1].operations, all * cases[i].operations * (1 - 0.5 / 60));
      solved[i] = spectrum->parts[0].operations / (spectrum->operations - all);
      CLOSE (solved[i], 1 - 0.75 / 60);
    }
}

/* ---- figures ---- */

static void
test_figures (gconstpointer name)
{
  g_autoptr (EsCluster) cluster = load (name), same = NULL, other = NULL;
  g_autoptr (EsParams) figures = es_cluster_figures_new (cluster);

  /* What nobody changed is as exact as it was. */
  g_assert_true (es_params_is_default (figures));
  same = es_cluster_figures_apply (figures, cluster);
  assert_same (same, cluster);

  es_params_set_value (figures, "nodes", 7);
  es_params_set_value (figures, "threads", 2 * cluster->threads);
  es_params_set_value (figures, "speed", 1.5);
  es_params_set_value (figures, "memory", 100);
  es_params_set_value (figures, "latency", 5);
  es_params_set_value (figures, "bandwidth", 3);
  es_params_set_value (figures, "read", 8);
  es_params_set_value (figures, "start", 2);
  other = es_cluster_figures_apply (figures, cluster);
  g_assert_cmpuint (other->nodes, ==, 7);
  g_assert_cmpuint (other->threads, ==, 2 * cluster->threads);
  assert_rates (&other->host, &cluster->host, 3);
  CLOSE (other->host.copy, 3 * cluster->host.copy);
  assert_rates (&other->card, &cluster->card, 1);
  CLOSE (other->memory, 100e9);
  CLOSE (other->latency, 5e-6);
  CLOSE (other->bandwidth, 3e9);
  CLOSE (other->read, 8e9);
  CLOSE (other->node_read, cluster->node_read);
  CLOSE (other->start, 2);
  es_params_set_value (figures, "disk", FALSE);
  g_clear_pointer (&other, es_cluster_free);
  other = es_cluster_figures_apply (figures, cluster);
  g_assert_false (other->has_disk);
  /* A row goes back to what the cluster's file says. */
  es_params_reset_key (figures, "threads");
  g_assert_cmpint (es_params_get_int (figures, "threads"), ==, cluster->threads);
}

/* With cards a process is one card's, and without them there are as many as one says. */
static void
test_cards (void)
{
  g_autoptr (EsCluster) cluster = load ("sixteen-cards"), eight = NULL, none = NULL, plain = load ("sixty-four");
  g_autoptr (EsParams) figures = es_cluster_figures_new (cluster), others = es_cluster_figures_new (plain);

  g_assert_false (es_params_is_visible (figures, "processes"));
  es_params_set_value (figures, "cards", 8);
  eight = es_cluster_figures_apply (figures, cluster);
  g_assert_true (eight->cards == 8 && eight->processes == 8);
  es_params_set_value (figures, "cards", 0);
  es_params_set_value (figures, "processes", 2);
  g_assert_true (es_params_is_visible (figures, "processes"));
  none = es_cluster_figures_apply (figures, cluster);
  g_assert_true (none->cards == 0 && none->processes == 2);
  g_assert_null (es_param_specs_find (es_params_get_specs (others), "cards"));
  g_assert_true (es_params_is_visible (others, "processes"));
}

/* Of a disk that nobody told of there are figures as soon as it is wanted. */
static void
test_disk (void)
{
  g_autoptr (EsCluster) here = es_cluster_new_here (1, 1), made = NULL;
  g_autoptr (EsParams) figures = es_cluster_figures_new (here);

  g_assert_false (es_params_is_visible (figures, "read"));
  es_params_set_value (figures, "disk", TRUE);
  g_assert_true (es_params_is_visible (figures, "read"));
  made = es_cluster_figures_apply (figures, here);
  g_assert_true (made->has_disk && made->read > 0 && made->write > 0 && made->node_read > 0 && made->node_write > 0);
}

/* ---- beside what was measured ---- */

static EsScaling *
make_measured (const char *operation, guint n, double covariance, double total)
{
  EsScaling *scaling = es_scaling_new (es_operation_find (operation, NULL), "scene.img", "a cube", 1);

  for (guint processes = 1; processes <= n; processes++)
    {
      g_autofree char *more = processes > 1 ? g_strdup_printf ("\"processes\": {\"n\": %u, \"ms\": [1], \"waited_ms\": "
                                                               "[0]}, ", processes) : g_strdup ("");
      g_autofree char *text = g_strdup_printf ("{\"values\": {%s\"steps\": [7, 8, 9]}, \"total_ms\": %g, \"stages\": ["
                                               "{\"name\": \"input\", \"title\": \"Input\", \"ms\": 10}, {\"name\": "
                                               "\"covariance\", \"title\": \"Covariance\", \"ms\": %g}]}", more,
                                               total / processes, covariance / processes);
      g_autoptr (JsonNode) root = es_json_parse (text, strlen (text), "a result", NULL);
      g_autoptr (GError) error = NULL;

      es_scaling_add (scaling, processes, json_node_get_object (root), total, &error);
      g_assert_no_error (error);
    }
  return scaling;
}

static double
at (EsTable *table, const char *row, guint column)
{
  for (guint r = 0; r < es_table_get_n_rows (table); r++)
    if (strcmp (es_table_get_text (table, r, 0), row) == 0)
      return es_table_get_value (table, r, column);
  g_assert_not_reached ();
}

/* A node of 64 threads at 33 % of its arithmetic: by hand for one thread and for two. */
static void
test_held (void)
{
  g_autoptr (EsCluster) cluster = load ("sixty-four");
  g_autoptr (EsScaling) scaling = make_measured ("pca", 2, 1000, 2000);
  g_autoptr (EsDataset) dataset = es_planned_data_new ("1000x1000x100:int16", NULL);
  g_autoptr (EsParams) params = es_params_new (es_operation_find ("pca", NULL)->params);
  g_autoptr (GError) error = NULL;
  g_autoptr (EsClusterHeld) held = es_cluster_held_new ("pca", dataset, params, cluster, 0, scaling, &error);
  g_autoptr (EsTable) table = NULL;
  g_autoptr (JsonNode) root = NULL;
  const double work = 1e6 * 100 * 101 / (cluster->host.operations[ES_WORK_INT16] / 64 * 0.33);
  const double copy = 2e8 / (cluster->host.copy / 64 * 0.22);
  JsonObject *second;

  g_assert_no_error (error);
  table = es_cluster_held_make_table (held);
  g_assert_cmpstr (es_cluster_held_get_name (held), ==, cluster->name);
  g_assert_cmpuint (es_table_get_n_columns (table), ==, 7);
  CLOSE (at (table, "Covariance", 1), 1e3 * (work + copy));
  CLOSE (at (table, "Covariance", 2), 1000);
  CLOSE (at (table, "Covariance", 3), 100 * ((work + copy) - 1));
  CLOSE (at (table, "Covariance", 5), 500);
  /* Half, and what both tell each other by the memory of the node. */
  g_assert_cmpfloat (at (table, "Covariance", 4), >=, 500 * (work + copy));
  g_assert_cmpfloat (at (table, "Covariance", 4), <, 510 * (work + copy));
  /* What only one of both has. */
  g_assert_true (isnan (at (table, "Input", 1)) && at (table, "Input", 2) == 10);
  g_assert_true (at (table, "Transform", 1) > 0 && isnan (at (table, "Transform", 2)));
  g_assert_cmpfloat (at (table, "Total", 1), >, at (table, "Covariance", 1));
  g_assert_cmpfloat (at (table, "Total", 2), ==, 2000);
  root = es_cluster_held_to_json (held);
  second = json_array_get_object_element (json_node_get_array (root), 1);
  g_assert_cmpint (json_object_get_int_member (second, "processes"), ==, 2);
  CLOSE (json_object_get_double_member (second, "planned_ms"), at (table, "Total", 4));
  CLOSE (json_object_get_double_member (second, "off"), at (table, "Total", 4) / 1000 - 1);

  /* Nobody would plan that. */
  g_assert_null (es_cluster_held_new ("demon", dataset, params, NULL, 0, scaling, &error));
  g_assert_error (error, ES_COMPUTE_ERROR, ES_COMPUTE_ERROR_OPERATION);
}

/* FastICA is planned with as many steps as it took. */
static void
test_iterations (void)
{
  g_autoptr (EsScaling) scaling = make_measured ("fastica", 1, 100, 200);
  g_autoptr (EsDataset) dataset = es_planned_data_new ("1000x1000x100:int16", NULL);
  g_autoptr (EsParams) params = es_params_new (es_operation_find ("fastica", NULL)->params);
  g_autoptr (EsClusterHeld) taken = es_cluster_held_new ("fastica", dataset, params, NULL, 0, scaling, NULL);
  g_autoptr (EsClusterHeld) told = es_cluster_held_new ("fastica", dataset, params, NULL, 16, scaling, NULL);
  g_autoptr (EsTable) few = es_cluster_held_make_table (taken), many = es_cluster_held_make_table (told);

  g_assert_cmpuint (es_scaling_get_iterations (scaling, 0), ==, 8);
  CLOSE (at (many, "Iteration", 1), 2 * at (few, "Iteration", 1));
  CLOSE (at (many, "Whitening", 1), at (few, "Whitening", 1));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_data_func ("/cluster-here/written/processors", "sixty-four", test_written);
  g_test_add_data_func ("/cluster-here/written/cards", "sixteen-cards", test_written);
  g_test_add_func ("/cluster-here/installed", test_installed);
  g_test_add_func ("/cluster-here/machine", test_here);
  g_test_add_func ("/cluster-here/speeds", test_speeds);
  g_test_add_func ("/cluster-here/symmetry", test_symmetry);
  g_test_add_func ("/cluster-here/runs", test_runs);
  g_test_add_data_func ("/cluster-here/figures/processors", "sixty-four", test_figures);
  g_test_add_data_func ("/cluster-here/figures/cards", "sixteen-cards", test_figures);
  g_test_add_func ("/cluster-here/cards", test_cards);
  g_test_add_func ("/cluster-here/disk", test_disk);
  g_test_add_func ("/cluster-here/held", test_held);
  g_test_add_func ("/cluster-here/iterations", test_iterations);
  return g_test_run ();
}
