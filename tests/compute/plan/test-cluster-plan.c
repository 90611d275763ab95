/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* Plans that were worked out by hand, and what holds for the plan of every analysis. */

#include <math.h>
#include <string.h>

#include "base/es-error.h"
#include "operations/es-operations.h"
#include "plan/es-cluster-plan.h"
#include "plan/es-planned-data.h"
#include "recording/es-recording.h"

#define CLOSE(a, b) g_assert_cmpfloat_with_epsilon (a, b, 1e-9 * fabs ((double) (b)) + 1e-12)

/* One process of two threads a node; memory and copies cost nothing. */
static const EsCluster plain = {
  .nodes = 8, .processes = 1, .threads = 2, .memory = 40e9,
  .host = { .operations = { 1e9, 1e9, 1e9, 1e9 }, .memory = 1e20, .copy = 1e20 },
  .latency = 1e-3, .bandwidth = 1e6,
};

static const EsClusterStep summing = {
  .name = "covariance", .title = "Covariance", .operations = 64e9, .pieces = 64, .reach_cpu = 1, .reach_card = 1,
  .sums = 1, .sum_bytes = 1000,
};

static EsClusterTime
time_of (const EsClusterStep *steps, guint n, const EsCluster *cluster, guint nodes)
{
  const EsClusterWork work = { .operation = "pca", .steps = (EsClusterStep *) steps, .n = n };

  return es_cluster_plan_time (&work, cluster, nodes, NULL);
}

/* ---- messages ---- */

static void
test_messages (void)
{
  /* Of one process there are none. */
  g_assert_cmpfloat (es_cluster_sum_seconds (&plain, 1, 1e6), ==, 0);
  g_assert_cmpfloat (es_cluster_broadcast_seconds (&plain, 1, 1e6), ==, 0);
  /* Small ones by doubling: 3 (1 ms + 10 us); large ones by halves: 6 ms + 2 * 1 s * 7/8. */
  CLOSE (es_cluster_sum_seconds (&plain, 8, 10), 3 * (1e-3 + 10e-6));
  CLOSE (es_cluster_sum_seconds (&plain, 8, 1e6), 6e-3 + 1.75);
  CLOSE (es_cluster_broadcast_seconds (&plain, 8, 10), 3 * (1e-3 + 10e-6));
  CLOSE (es_cluster_broadcast_seconds (&plain, 8, 1e6), 10e-3 + 1.75);
  /* 5 nodes need as many rounds as 8. */
  CLOSE (es_cluster_sum_seconds (&plain, 5, 10), 3 * (1e-3 + 10e-6));
}

/* ---- passes ---- */

static void
test_shares (void)
{
  const EsClusterTime one = time_of (&summing, 1, &plain, 1), four = time_of (&summing, 1, &plain, 4);
  const EsClusterTime odd = time_of (&summing, 1, &plain, 48), many = time_of (&summing, 1, &plain, 100);

  CLOSE (one.seconds, 64);
  CLOSE (one.of[ES_CLUSTER_ARITHMETIC], 64);
  /* A sum of 1000 bytes, 2 (1 ms + 1 ms), and an agreement on 8, 2 (1 ms + 8 us). */
  CLOSE (four.seconds, 16 + 4e-3 + 2 * 1.008e-3);
  CLOSE (four.of[ES_CLUSTER_NETWORK], 4e-3 + 2 * 1.008e-3);
  /* 64 pieces for 48: some have two of them. */
  CLOSE (odd.of[ES_CLUSTER_ARITHMETIC], 64.0 / 48);
  CLOSE (odd.of[ES_CLUSTER_PIECES], 2 - 64.0 / 48);
  CLOSE (many.of[ES_CLUSTER_ARITHMETIC] + many.of[ES_CLUSTER_PIECES], 1);
}

static void
test_disk (void)
{
  EsCluster cluster = plain;
  EsClusterStep step = { .name = "a", .title = "A", .file_bytes = 100e9, .operations = 4e9, .pieces = 1000,
                         .reach_cpu = 1 };

  cluster.has_disk = TRUE;
  cluster.read = 10e9;
  cluster.node_read = 1e9;
  /* One node alone, then all of them together; arithmetic goes on meanwhile. */
  CLOSE (time_of (&step, 1, &cluster, 1).of[ES_CLUSTER_READ], 100);
  g_assert_cmpfloat (time_of (&step, 1, &cluster, 1).of[ES_CLUSTER_ARITHMETIC], ==, 0);
  CLOSE (time_of (&step, 1, &cluster, 4).of[ES_CLUSTER_READ], 25);
  CLOSE (time_of (&step, 1, &cluster, 20).of[ES_CLUSTER_READ], 10);
  CLOSE (time_of (&step, 1, &cluster, 200).of[ES_CLUSTER_READ], 10);
  /* A single thread waits for the disk, then computes. */
  cluster.threads = 1;
  CLOSE (time_of (&step, 1, &cluster, 1).seconds, 104);
  cluster.threads = 2;
  /* Half of 40 GB keeps what was read before: 20 GB a node, from 5 nodes on. */
  step.again = TRUE;
  CLOSE (time_of (&step, 1, &cluster, 4).of[ES_CLUSTER_READ], 25);
  g_assert_cmpfloat (time_of (&step, 1, &cluster, 5).of[ES_CLUSTER_READ], ==, 0);
  CLOSE (time_of (&step, 1, &cluster, 5).of[ES_CLUSTER_ARITHMETIC], 0.8);
}

static void
test_joined (void)
{
  const EsClusterStep steps[] = {
    { .name = "a", .title = "A", .file_bytes = 100e9, .operations = 40e9, .pieces = 1000, .reach_cpu = 1 },
    { .name = "b", .title = "B", .operations = 30e9, .joined = TRUE, .pieces = 1000, .reach_cpu = 1 },
  };
  const EsClusterWork work = { .operation = "mnf", .steps = (EsClusterStep *) steps, .n = 2 };
  EsCluster cluster = plain;
  EsClusterTime times[2];

  /* From the disk they take 100 s together, out of memory 70. */
  cluster.has_disk = TRUE;
  cluster.read = cluster.node_read = 1e9;
  CLOSE (es_cluster_plan_time (&work, &cluster, 1, times).seconds, 100);
  CLOSE (times[0].seconds, 70);
  CLOSE (times[1].seconds, 30);
  CLOSE (es_cluster_plan_time (&work, &plain, 1, times).seconds, 70);
  CLOSE (times[0].seconds, 40);
}

static void
test_serial (void)
{
  const EsClusterStep step = { .name = "eigenproblem", .title = "E", .operations = 1e9, .type = ES_WORK_FLOAT64,
                               .serial = TRUE, .threads = 1, .pieces = 1, .reach_cpu = 0.5, .broadcasts = 2,
                               .broadcast_bytes = 10 };

  /* One of two threads, at half of its rate. */
  CLOSE (time_of (&step, 1, &plain, 1).of[ES_CLUSTER_SERIAL], 4);
  CLOSE (time_of (&step, 1, &plain, 8).of[ES_CLUSTER_SERIAL], 4);
  CLOSE (time_of (&step, 1, &plain, 8).of[ES_CLUSTER_NETWORK], 2 * 3 * (1e-3 + 10e-6));
}

static void
test_cards (void)
{
  EsCluster cluster = plain;
  const EsClusterStep first = { .name = "a", .title = "A", .file_bytes = 100e9, .memory_bytes = 100e9,
                                .operations = 1e12, .pieces = 1000, .reach_cpu = 1, .reach_card = 0.5 };
  EsClusterStep again = first;

  cluster.cards = cluster.processes = 2;
  cluster.card = (EsClusterRates) { .operations = { 1e12, 1e12, 1e12, 1e12 }, .memory = 1e12, .link_to = 10e9,
                                    .link_from = 10e9, .launches = 1e5 };
  cluster.card_memory = 40e9;
  /* 50 GB each by the link, while the card computes for 1 s. */
  CLOSE (time_of (&first, 1, &cluster, 1).of[ES_CLUSTER_LINK], 5);
  /* The second time 25 GB each are there; 50 GB would not be, in 80 % of 40 GB. */
  again.again = TRUE;
  CLOSE (time_of (&again, 1, &cluster, 1).of[ES_CLUSTER_LINK], 5);
  g_assert_cmpfloat (time_of (&again, 1, &cluster, 2).of[ES_CLUSTER_LINK], ==, 0);
  CLOSE (time_of (&again, 1, &cluster, 2).of[ES_CLUSTER_ARITHMETIC], 0.5);
}

static void
test_warm (void)
{
  EsClusterStep step = { .name = "a", .title = "A", .operations = 100e9, .pieces = 100, .warm = 5, .reach_cpu = 1 };

  /* Alone none comes twice; of four each goes through five before its 25. */
  CLOSE (time_of (&step, 1, &plain, 1).of[ES_CLUSTER_ARITHMETIC], 100);
  CLOSE (time_of (&step, 1, &plain, 4).of[ES_CLUSTER_ARITHMETIC], 30);
  CLOSE (time_of (&step, 1, &plain, 50).of[ES_CLUSTER_ARITHMETIC], 7);
}

/* Processes take turns of 4 pieces, with 1 before each: 100 of them are 7 rounds of four processes, 28 and 7, but the
 * last round has 4 for the first alone. */
static void
test_turns (void)
{
  EsClusterStep step = { .name = "a", .title = "A", .operations = 100e9, .pieces = 100, .turn = 4, .warm = 1,
                         .reach_cpu = 1 };
  EsClusterTime time = time_of (&step, 1, &plain, 4);

  CLOSE (time.of[ES_CLUSTER_ARITHMETIC], 25 + 7);
  CLOSE (time.of[ES_CLUSTER_PIECES], 3);
  CLOSE (time_of (&step, 1, &plain, 1).of[ES_CLUSTER_ARITHMETIC], 100);
  /* Rounds are gathered: 7 times two agreements and 2 ms, and three quarters of 1 MB; one agreement at the end. */
  step.gathered_bytes = 1e6;
  time = time_of (&step, 1, &plain, 4);
  CLOSE (time.of[ES_CLUSTER_NETWORK], 7 * (2 * 2 * 1.008e-3 + 2e-3) + 0.75 + 2 * 1.008e-3);
  /* Those of an iteration: 2 ms, and three quarters of what all have. */
  EsClusterStep steps = { .name = "b", .title = "B", .operations = 1e9, .pieces = 4, .reach_cpu = 1, .gathers = 5,
                          .gather_bytes = 4e5 };
  CLOSE (time_of (&steps, 1, &plain, 4).of[ES_CLUSTER_NETWORK], 5 * (2e-3 + 0.3) + 2 * 1.008e-3);
  CLOSE (time_of (&steps, 1, &plain, 1).of[ES_CLUSTER_NETWORK], 0);
  /* What is too much for a round makes turns shorter: 64 MiB of pieces of 16 MB are one for each of four. */
  step.gathered_bytes = 1600e6;
  time = time_of (&step, 1, &plain, 4);
  CLOSE (time.of[ES_CLUSTER_ARITHMETIC], 25 + 25);
}

/* ---- how far it scales ---- */

static void
test_knee (void)
{
  EsClusterWork work = { .operation = "pca", .data = (char *) "", .steps = (EsClusterStep *) &summing, .n = 1 };
  g_autoptr (EsClusterPlan) plan = es_cluster_plan_new (&work, &plain);
  g_auto (GStrv) lines = es_cluster_plan_describe (plan);

  /* 64 pieces: 1 s and messages of 7 rounds at best, 14 ms and 7.056 ms; 62 nodes of half their use would be 124. */
  g_assert_cmpfloat (es_cluster_plan_efficiency (plan, plan->useful), >=, 0.5);
  for (guint nodes = plan->useful + 1; nodes <= ES_CLUSTER_MOST_NODES; nodes++)
    g_assert_cmpfloat (es_cluster_plan_efficiency (plan, nodes), <, 0.5);
  g_assert_cmpuint (plan->useful, ==, (guint) floor (128 / (1 + 14e-3 + 7 * 1.008e-3)));
  g_assert_cmpuint (plan->fastest, ==, 64);
  g_assert_cmpstr (es_cluster_cause_get_name (plan->why), ==, "pieces");
  g_assert_nonnull (strstr (lines[1], "scales to 125 nodes"));
  g_assert_nonnull (strstr (lines[2], "64 nodes"));
}

static void
test_why (void)
{
  EsCluster disk = plain, slow = plain, late = plain;
  EsClusterStep step = summing;
  EsClusterWork work = { .operation = "pca", .steps = &step, .n = 1 };

  step.pieces = 1000000;
  step.file_bytes = 64e9;
  step.sums = 0;
  disk.has_disk = TRUE;
  disk.read = disk.node_read = 4e9;
  disk.latency = 0;
  disk.bandwidth = 1e20;
  slow.latency = 0.05;
  late.start_process = 0.05;
  late.latency = 1e-9;

  g_autoptr (EsClusterPlan) by_disk = es_cluster_plan_new (&work, &disk);
  g_autoptr (EsClusterPlan) by_network = es_cluster_plan_new (&work, &slow);
  g_autoptr (EsClusterPlan) by_start = es_cluster_plan_new (&work, &late);
  /* 16 s at least, of 64: 8 nodes. */
  g_assert_cmpuint (by_disk->useful, ==, 8);
  g_assert_cmpstr (es_cluster_cause_get_name (by_disk->why), ==, "disk-read");
  g_assert_cmpstr (es_cluster_cause_get_name (by_network->why), ==, "network");
  g_assert_cmpstr (es_cluster_cause_get_name (by_start->why), ==, "start");
}

/* ---- every analysis ---- */

static const struct
{
  const char *operation, *shape, *array, *key, *value;
} analyses[] = {
  { "pca", "5000x5000x200:int16", NULL, NULL, NULL },
  { "pca", "5000x5000x200:float32", NULL, "quantise", "8bit" },
  { "mnf", "5000x5000x200:uint8", NULL, NULL, NULL },
  { "mnf", "5000x5000x200:float32", NULL, "direction", "average" },
  { "fastica", "5000x5000x200:float32", NULL, NULL, NULL },
  { "fastica", "5000x5000x200:int16", NULL, "g", "cubic" },
  { "fastica", "5000x5000x200:int16", NULL, "approach", "deflation" },
  { "cbf", "64x3600s@4000:int16", "line:64,1.5", NULL, NULL },
  { "mvdr", "64x3600s@4000:int16", "line:64,1.5", "band", "320:480" },
  { "lofar", "64x3600s@4000:int16", "line:64,1.5", "bearing", "123" },
  { "lofar", "64x3600s@4000:int16", NULL, "overlap", "0.9" },
  { "demon", "64x3600s@4000:int16", "line:64,1.5", "bearing", "123" },
};

static EsClusterWork *
make_work (guint i, const EsCluster *cluster)
{
  g_autoptr (GError) error = NULL;
  const EsOperation *operation = es_operation_find (analyses[i].operation, &error);
  g_autoptr (EsParams) params = es_params_new (operation->params);
  g_autoptr (EsDataset) dataset = es_planned_data_new (analyses[i].shape, &error);
  EsClusterWork *work;

  g_assert_no_error (error);
  if (analyses[i].array != NULL)
    {
      g_autoptr (EsArray) array = es_array_parse (analyses[i].array, &error);

      es_recording_set_array (ES_RECORDING (dataset), array);
    }
  if (analyses[i].key != NULL)
    es_params_parse (params, analyses[i].key, analyses[i].value, &error);
  g_assert_no_error (error);
  work = es_cluster_work_new (analyses[i].operation, dataset, params, cluster, 0, &error);
  g_assert_no_error (error);
  return work;
}

static EsCluster *
load (const char *name)
{
  g_autofree char *path = g_strdup_printf ("%s/clusters/%s.json", g_getenv ("ES_DATA_DIR"), name);
  g_autoptr (GFile) file = g_file_new_for_path (path);
  g_autoptr (GError) error = NULL;
  EsCluster *cluster = es_cluster_load (file, &error);

  g_assert_no_error (error);
  return cluster;
}

/* What is shared out takes no longer with more nodes, but where processes take turns, whose number goes in steps; and
 * the whole is the sum of its parts. */
static void
test_monotony (gconstpointer name)
{
  g_autoptr (EsCluster) cluster = load (name);

  for (guint i = 0; i < G_N_ELEMENTS (analyses); i++)
    {
      g_autoptr (EsClusterWork) work = make_work (i, cluster);
      g_autoptr (EsClusterPlan) plan = es_cluster_plan_new (work, cluster);
      double before = INFINITY;

      g_test_message ("%s %s: %u nodes, %g s with one", work->operation, work->data, plan->useful,
                      plan->times[0].seconds);
      for (guint nodes = 1; nodes <= ES_CLUSTER_MOST_NODES; nodes++)
        {
          const EsClusterTime *time = &plan->times[nodes - 1];
          double all = 0, shared = 0;

          for (guint c = 0; c < ES_N_CLUSTER_CAUSES; c++)
            {
              g_assert_cmpfloat (time->of[c], >=, 0);
              all += time->of[c];
              shared += c <= ES_CLUSTER_WRITE || c == ES_CLUSTER_PIECES ? time->of[c] : 0;
            }
          CLOSE (all, time->seconds);
          if (work->steps[0].turn == 0)
            g_assert_cmpfloat (shared, <=, before * (1 + 1e-9));
          before = shared;
        }
      g_assert_cmpfloat (plan->times[plan->fastest - 1].seconds, <=, plan->times[0].seconds);
    }
}

/* Twice the pixels are twice the work; twice the rate of everything takes half of the time. */
static void
test_scale (void)
{
  g_autoptr (EsCluster) cluster = load ("sixty-four"), fast = load ("sixty-four");
  g_autoptr (EsClusterWork) work = make_work (0, cluster);
  EsClusterTime one, two;

  cluster->start = cluster->start_process = fast->start = fast->start_process = 0;
  fast->latency /= 2;
  fast->bandwidth *= 2;
  fast->read *= 2;
  fast->write *= 2;
  fast->node_read *= 2;
  fast->node_write *= 2;
  fast->host.memory *= 2;
  fast->host.copy *= 2;
  for (guint type = 0; type < ES_N_WORK_TYPES; type++)
    fast->host.operations[type] *= 2;
  for (guint nodes = 1; nodes <= 1000; nodes = nodes * 3 + 1)
    {
      one = es_cluster_plan_time (work, cluster, nodes, NULL);
      two = es_cluster_plan_time (work, fast, nodes, NULL);
      CLOSE (two.seconds, one.seconds / 2);
    }
}

/* PCA of 1 TB: what its passes read, sum and write. */
static void
test_amounts (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (EsDataset) dataset = es_planned_data_new ("50000x50000x200:int16", &error);
  g_autoptr (EsDataset) floats = es_planned_data_new ("50000x50000x200:float32", &error);
  g_autoptr (EsParams) params = es_params_new (es_operation_find ("pca", NULL)->params);
  g_autoptr (EsClusterWork) work = NULL, of_floats = NULL;

  es_params_parse (params, "components", "10", &error);
  work = es_cluster_work_new ("pca", dataset, params, &plain, 0, &error);
  of_floats = es_cluster_work_new ("pca", floats, params, &plain, 0, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (work->n, ==, 3);
  g_assert_cmpfloat (work->bytes, ==, 1e12);
  g_assert_cmpstr (work->steps[0].name, ==, "covariance");
  g_assert_cmpfloat (work->steps[0].file_bytes, ==, 1e12);
  g_assert_cmpfloat (work->steps[0].operations, ==, 2.5e9 * 200 * 201);
  g_assert_cmpint (work->steps[0].type, ==, ES_WORK_INT16);
  g_assert_false (work->steps[0].again);
  /* Count, sums and half of the products, as integers: one message; of float32 those of 64 groups. */
  g_assert_cmpfloat (work->steps[0].sums, ==, 1);
  g_assert_cmpfloat (work->steps[0].sum_bytes, ==, 8 * (1 + 200 + 20100));
  g_assert_cmpfloat (of_floats->steps[0].sums * of_floats->steps[0].sum_bytes, ==, 64 * 8 * (1 + 200 + 20100));
  g_assert_true (work->steps[2].again);
  g_assert_cmpfloat (work->steps[2].written_bytes, ==, 2.5e9 * 10 * 4);
}

/* An hour of a beam: rows are shared out in groups, which come to the first process and are written by it. */
static void
test_lines (void)
{
  g_autoptr (EsCluster) cluster = load ("sixty-four");
  g_autoptr (EsClusterWork) work = make_work (9, cluster);
  g_autoptr (EsClusterPlan) plan = es_cluster_plan_new (work, cluster);
  const EsClusterStep *step = &work->steps[0];
  const double rows = floor ((3600 * 4000 - 4096) / 2048.0) + 1;

  g_assert_cmpuint (work->n, ==, 2);
  g_assert_cmpstr (step->name, ==, "spectra");
  /* 64 rows of 2049 bins are 512 KiB, and their sums. */
  g_assert_cmpuint (step->pieces, ==, (guint64) ceil (rows / 64));
  CLOSE (step->gathered_bytes, step->pieces * (2049 * 8 + 64 * 2049 * 4));
  g_assert_true (work->steps[1].serial);
  g_assert_cmpfloat (work->steps[1].written_bytes, ==, rows * 2049 * 4);
  /* Two take half of it, but for what starts and what the first does alone. */
  g_assert_cmpfloat (plan->times[0].seconds / plan->times[1].seconds, >, 1.8);
}

/* That terabyte as docs/cluster-planning.md has it, by hand and by this. */
static void
test_terabyte (void)
{
  g_autoptr (EsCluster) cluster = load ("sixty-four");
  g_autoptr (EsDataset) dataset = es_planned_data_new ("50000x50000x200:int16", NULL);
  g_autoptr (EsParams) params = es_params_new (es_operation_find ("pca", NULL)->params);
  g_autoptr (EsClusterWork) work = NULL;
  g_autoptr (EsClusterPlan) plan = NULL;
  const EsClusterTime *one, *all;

  es_params_parse (params, "components", "10", NULL);
  work = es_cluster_work_new ("pca", dataset, params, cluster, 0, NULL);
  plan = es_cluster_plan_new (work, cluster);
  one = &plan->times[0];
  all = &plan->times[63];
  CLOSE (one->of[ES_CLUSTER_READ], 2 * 1e12 / 5e9);
  CLOSE (all->of[ES_CLUSTER_READ], 1e12 / 40e9);
  CLOSE (one->of[ES_CLUSTER_WRITE], 1e11 / 3e9);
  CLOSE (all->of[ES_CLUSTER_WRITE], 1e11 / 25e9);
  CLOSE (one->of[ES_CLUSTER_START], 1.005);
  CLOSE (all->of[ES_CLUSTER_START], 1.32);
  g_assert_cmpfloat (one->of[ES_CLUSTER_NETWORK], ==, 0);
  CLOSE (es_cluster_sum_seconds (cluster, 64, 162408), 2 * 6 * 2e-6 + 2 * 162408.0 * 63 / 64 / 12e9);
  g_assert_cmpfloat_with_epsilon (all->of[ES_CLUSTER_NETWORK], 291e-6, 10e-6);
  g_assert_cmpfloat_with_epsilon (one->seconds, 434.3, 0.05);
  g_assert_cmpfloat_with_epsilon (all->seconds, 30.3, 0.05);
  g_assert_cmpuint (plan->useful, ==, 28);
}

static void
test_refused (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (EsDataset) cube = es_planned_data_new ("10x10x10:int16", NULL);
  g_autoptr (EsDataset) recording = es_planned_data_new ("4x10s@100:int16", NULL);
  g_autoptr (EsParams) params = es_params_new (es_operation_find ("cbf", NULL)->params);

  g_assert_null (es_cluster_work_new ("health", recording, params, &plain, 0, &error));
  g_assert_error (error, ES_COMPUTE_ERROR, ES_COMPUTE_ERROR_OPERATION);
  g_assert_cmpstr (error->message, ==, "“health” cannot be planned: expected one of pca, mnf, fastica, cbf, mvdr, "
                                       "lofar, demon.");
  g_clear_error (&error);
  g_assert_null (es_cluster_work_new ("cbf", cube, params, &plain, 0, &error));
  g_assert_error (error, ES_COMPUTE_ERROR, ES_COMPUTE_ERROR_OPERATION);
  g_clear_error (&error);
  g_assert_null (es_cluster_work_new ("cbf", recording, params, &plain, 0, &error));
  g_assert_error (error, ES_DATA_ERROR, ES_DATA_ERROR_FORMAT);
}

/* ---- what it costs, and what a node holds ---- */

static void
test_cost (void)
{
  g_autoptr (EsCluster) cluster = load ("sixty-four");
  g_autoptr (EsClusterWork) work = make_work (0, cluster);
  g_autoptr (EsClusterPlan) plan = es_cluster_plan_new (work, cluster);
  g_autoptr (EsTable) table = es_cluster_plan_make_table (plan, TRUE);
  g_autoptr (EsTable) one = es_cluster_plan_make_steps (plan, 1), many = es_cluster_plan_make_steps (plan, 8);
  g_auto (GStrv) lines = es_cluster_plan_describe_nodes (plan, 8);
  gboolean kept;

  CLOSE (es_cluster_plan_node_hours (plan, 8), 8 * plan->times[7].seconds / 3600);
  CLOSE (es_table_get_value (table, 7, 5), 8 * plan->times[7].seconds / 3600);
  /* 64 groups for 8 nodes are an eighth each; 48 of them have two at most. */
  CLOSE (es_cluster_plan_node_bytes (plan, 8, &kept), work->bytes / 8);
  g_assert_true (kept);
  CLOSE (es_cluster_plan_node_bytes (plan, 48, &kept), work->bytes / 32);
  cluster->memory = work->bytes / 5;
  /* Half of a fifth is less than an eighth, and no less than a twelfth (of 64 groups, 6). */
  es_cluster_plan_node_bytes (plan, 8, &kept);
  g_assert_false (kept);
  es_cluster_plan_node_bytes (plan, 12, &kept);
  g_assert_true (kept);
  g_assert_true (g_str_has_prefix (lines[0], "8 nodes take ") && strstr (lines[0], "node-hours") != NULL);
  g_assert_nonnull (strstr (lines[1], "they are read once"));
  /* One node stands beside itself in no second column. */
  g_assert_cmpuint (es_table_get_n_columns (one) + 1, ==, es_table_get_n_columns (many));
  g_assert_cmpstr (es_table_get_text (one, 0, 7), ==, es_cluster_cause_get_title (ES_CLUSTER_READ));
}

/* ---- what was measured ---- */

static void
test_measured (void)
{
  EsStageTime stages[] = {
    { (char *) "covariance", (char *) "Covariance", 2000, { .operations = 1e9 } },
    { (char *) "beams", (char *) "Beams", 2000, { .operations = 1e9, .busy_ms = 500 } },
    { (char *) "other", (char *) "Other", 10, { .operations = 1e9 } },
  };
  EsClusterStep steps[] = { summing, summing, summing };
  EsClusterWork work = { .operation = "pca", .steps = steps, .n = 3 };

  steps[1].name = "beams";
  steps[2].name = "transform";
  /* 0.5 G/s of 2 threads, each of which could do 0.5; and what ran beside others by what it took itself. */
  g_assert_true (es_cluster_work_take_measured (&work, stages, 3, 2, &plain));
  CLOSE (steps[0].reach_cpu, 0.5);
  CLOSE (steps[1].reach_cpu, 2);
  CLOSE (steps[2].reach_cpu, 1);
  g_assert_false (es_cluster_work_take_measured (&work, &stages[2], 1, 2, &plain));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/cluster-plan/messages", test_messages);
  g_test_add_func ("/cluster-plan/shares", test_shares);
  g_test_add_func ("/cluster-plan/disk", test_disk);
  g_test_add_func ("/cluster-plan/joined", test_joined);
  g_test_add_func ("/cluster-plan/serial", test_serial);
  g_test_add_func ("/cluster-plan/cards", test_cards);
  g_test_add_func ("/cluster-plan/warm", test_warm);
  g_test_add_func ("/cluster-plan/turns", test_turns);
  g_test_add_func ("/cluster-plan/knee", test_knee);
  g_test_add_func ("/cluster-plan/why", test_why);
  g_test_add_data_func ("/cluster-plan/monotony/processors", "sixty-four", test_monotony);
  g_test_add_data_func ("/cluster-plan/monotony/cards", "sixteen-cards", test_monotony);
  g_test_add_func ("/cluster-plan/scale", test_scale);
  g_test_add_func ("/cluster-plan/amounts", test_amounts);
  g_test_add_func ("/cluster-plan/lines", test_lines);
  g_test_add_func ("/cluster-plan/terabyte", test_terabyte);
  g_test_add_func ("/cluster-plan/refused", test_refused);
  g_test_add_func ("/cluster-plan/cost", test_cost);
  g_test_add_func ("/cluster-plan/measured", test_measured);
  return g_test_run ();
}
