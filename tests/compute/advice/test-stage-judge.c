/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* Steps whose bounds were worked out by hand, and roofs of the profiles that are installed. */

#include <glib/gstdio.h>
#include <math.h>
#include <string.h>

#include "advice/es-stage-advice.h"

static const EsRoofs processor = {
  .on_cpu = TRUE, .threads = 4, .all_threads = 4,
  .operations = { { 100e9 }, { 50e9 }, { 400e9 }, { 200e9 } },
  .host_operations = { { 100e9 }, { 50e9 }, { 400e9 }, { 200e9 } },
  .memory = { 10e9 }, .host_memory = { 10e9 }, .one_thread = { 4e9 }, .host_copy = { 5e9 }, .one_copy = { 2e9 },
};

static const EsRoofs card = {
  .threads = 8, .all_threads = 8,
  .operations = { { 100e12 }, { 50e12 }, { 1000e12 }, { 250e12 } },
  .host_operations = { { 200e9 }, { 100e9 }, { 800e9 }, { 400e9 } },
  .memory = { 3e12 }, .host_memory = { 50e9 }, .host_copy = { 25e9 }, .one_copy = { 5e9 }, .one_thread = { 12e9 },
  .link_to = { 50e9 }, .link_from = { 40e9 }, .link_pageable = { 10e9 }, .launches = { 250e3 },
};

static EsStageTime
judge_one (const EsRoofs *roofs, double ms, EsStageWork work)
{
  EsStageTime stage = { (char *) "step", (char *) "Step", ms, work };

  es_stages_judge_by (&stage, 1, roofs);
  g_test_message ("%s", stage.advice);
  return stage;
}

static void
assert_judged (const EsStageTime *stage, EsBound bound, double bound_ms, double times)
{
  g_assert_cmpstr (es_bound_get_name (stage->bound), ==, es_bound_get_name (bound));
  g_assert_cmpfloat_with_epsilon (stage->bound_ms, bound_ms, 1e-9 * bound_ms);
  g_assert_cmpfloat_with_epsilon (stage->times, times, 1e-9 * times);
}

static void
assert_says (EsStageTime *stage, const char *part, gboolean whether)
{
  g_assert_nonnull (stage->advice);
  g_assert_cmpint (strstr (stage->advice, part) != NULL, ==, whether);
}

static void
assert_short (const EsStageTime *stage, const char *expected)
{
  g_autofree char *text = es_stage_time_describe_bound (stage);

  g_assert_cmpstr (text, ==, expected);
}

/* ---- one step ---- */

static void
test_at_its_bound (void)
{
  /* 29 MB at 10 GB/s are 2.9 ms; 0.1 G operations 1 ms. */
  EsStageTime stage = judge_one (&processor, 3, (EsStageWork) { .memory_bytes = 29e6, .operations = 1e8 });

  assert_judged (&stage, ES_BOUND_MEMORY, 2.9, 3 / 2.9);
  assert_says (&stage, "At its bound, memory: 29 MB at 10 GB/s take 2.9 ms.", TRUE);
  assert_short (&stage, "memory");
  g_free (stage.advice);
}

static void
test_above_its_bound (void)
{
  EsStageTime stage = judge_one (&processor, 19, (EsStageWork) { .memory_bytes = 1e7, .operations = 1e9,
                                                                 .less = "Fewer bands help." });

  assert_judged (&stage, ES_BOUND_ARITHMETIC, 10, 1.9);
  assert_says (&stage, "1.9 times its bound, arithmetic: 1 G operations of float32 at 100 G/s take 10 ms.", TRUE);
  assert_says (&stage, "Fewer bands help.", TRUE);
  assert_short (&stage, "arithmetic, 1.9 ×");
  g_free (stage.advice);

  /* Far above what was measured it is the code that could do better, and it is said how much. */
  stage = judge_one (&processor, 45, (EsStageWork) { .operations = 1e9 });
  assert_says (&stage, "up to 4.5 times as fast", TRUE);
  g_free (stage.advice);
}

static void
test_types (void)
{
  static const double ms[] = { 10, 20, 2.5, 5 };

  for (guint type = 0; type < ES_N_WORK_TYPES; type++)
    {
      EsStageTime stage = judge_one (&processor, 100, (EsStageWork) { .operations = 1e9, .type = type });

      assert_judged (&stage, ES_BOUND_ARITHMETIC, ms[type], 100 / ms[type]);
      g_free (stage.advice);
    }
}

static void
test_one_thread (void)
{
  /* A quarter of the four threads' arithmetic; of memory what one reads. */
  EsStageTime stage = judge_one (&processor, 80, (EsStageWork) { .operations = 1e9, .threads = 1 });

  assert_judged (&stage, ES_BOUND_ARITHMETIC, 40, 2);
  assert_says (&stage, "One thread does it.", TRUE);
  g_free (stage.advice);
  stage = judge_one (&processor, 30, (EsStageWork) { .memory_bytes = 4e7, .threads = 1 });
  assert_judged (&stage, ES_BOUND_MEMORY, 10, 3);
  g_free (stage.advice);
  stage = judge_one (&processor, 30, (EsStageWork) { .file_bytes = 4e7, .threads = 1 });
  assert_judged (&stage, ES_BOUND_FILE, 20, 1.5);
  g_free (stage.advice);
}

static void
test_unknown (void)
{
  EsRoofs nothing = { .on_cpu = TRUE };
  EsStageTime stage = judge_one (&processor, 5, (EsStageWork) { 0 });

  g_assert_cmpint (stage.bound, ==, ES_BOUND_UNKNOWN);
  g_assert_cmpfloat (stage.bound_ms, ==, 0);
  assert_says (&stage, "not counted", TRUE);
  assert_short (&stage, "–");
  g_free (stage.advice);

  stage = judge_one (&nothing, 5, (EsStageWork) { .operations = 1e9 });
  g_assert_cmpint (stage.bound, ==, ES_BOUND_UNKNOWN);
  assert_says (&stage, "Too little is known of this device", TRUE);
  g_free (stage.advice);

  /* What is not known may bind it, unless what is known does. */
  nothing.memory = (EsRoof) { 10e9 };
  stage = judge_one (&nothing, 5, (EsStageWork) { .operations = 1e9, .memory_bytes = 1e7 });
  g_assert_cmpint (stage.bound, ==, ES_BOUND_UNKNOWN);
  g_free (stage.advice);
  stage = judge_one (&nothing, 5, (EsStageWork) { .operations = 1e9, .memory_bytes = 4.5e7 });
  assert_judged (&stage, ES_BOUND_MEMORY, 4.5, 5 / 4.5);
  g_free (stage.advice);
}

static void
test_faster (void)
{
  EsRoofs roofs = processor;
  EsStageTime stage;

  roofs.operations[ES_WORK_FLOAT32].source = ES_ROOF_ASSUMED;
  stage = judge_one (&roofs, 5, (EsStageWork) { .operations = 1e9 });
  assert_judged (&stage, ES_BOUND_ARITHMETIC, 10, 0.5);
  assert_says (&stage, "Faster than what is known of its bound", TRUE);
  assert_says (&stage, "(assumed)", TRUE);
  assert_says (&stage, "the laboratory's profile of it", TRUE);
  g_free (stage.advice);
}

static void
test_disk (void)
{
  EsStageTime stage = judge_one (&processor, 40, (EsStageWork) { .file_bytes = 5e7, .disk_bytes = 4e7 });

  assert_judged (&stage, ES_BOUND_FILE, 10, 4);
  assert_says (&stage, "came from a disk", TRUE);
  assert_says (&stage, "up to 4.0 times as fast", TRUE);
  g_free (stage.advice);
  /* A little of it alone did. */
  stage = judge_one (&processor, 40, (EsStageWork) { .file_bytes = 5e7, .disk_bytes = 1e6 });
  assert_says (&stage, "not from a disk", TRUE);
  g_free (stage.advice);
}

static void
test_some_threads (void)
{
  EsRoofs roofs = processor;
  EsStageTime stage;

  roofs.threads = 2;
  stage = judge_one (&roofs, 15, (EsStageWork) { .operations = 1e9 });
  assert_says (&stage, "It had 2 of 4 threads.", TRUE);
  g_free (stage.advice);
}

/* ---- cards ---- */

static void
test_card (void)
{
  /* 1,000 launches of 4 us; 1.2 GB of memory take 0.4 ms. */
  EsStageTime stage = judge_one (&card, 5, (EsStageWork) { .memory_bytes = 1.2e9, .launches = 1000 });

  assert_judged (&stage, ES_BOUND_LATENCY, 4, 1.25);
  assert_says (&stage, "1000 launches of 4 µs each", TRUE);
  assert_says (&stage, "Larger tiles", TRUE);
  g_free (stage.advice);

  /* The processor's part of it. */
  stage = judge_one (&card, 30, (EsStageWork) { .operations = 1e9, .type = ES_WORK_FLOAT64, .on_host = TRUE });
  assert_judged (&stage, ES_BOUND_HOST_ARITHMETIC, 10, 3);
  g_free (stage.advice);

  /* Both ways at once: 20 ms to the card, 25 ms from it. */
  stage = judge_one (&card, 50, (EsStageWork) { .link_bytes = 1e9, .link_back_bytes = 1e9 });
  assert_judged (&stage, ES_BOUND_LINK, 25, 2);
  g_free (stage.advice);

  /* Pageable memory, and what page-locked memory would gain. */
  stage = judge_one (&card, 110, (EsStageWork) { .link_bytes = 1e9, .pageable = TRUE });
  assert_judged (&stage, ES_BOUND_LINK, 100, 1.1);
  assert_says (&stage, "Page-locked staging: 5.0 times as fast on this machine.", TRUE);
  g_free (stage.advice);
}

/* Reading 1 GB (40 ms), bringing it (20 ms), computing (30 ms): 100 ms in two steps that overlap. */
static void
test_joined (void)
{
  EsStageTime stages[] = {
    { (char *) "input", (char *) "Input", 40, { .file_bytes = 1e9, .joined = TRUE } },
    { (char *) "covariance", (char *) "Covariance", 60, { .link_bytes = 1e9, .operations = 3e12, .joined = TRUE } },
    { (char *) "transform", (char *) "Transform", 2, { .memory_bytes = 3e9 } },
  };

  es_stages_judge_by (stages, 3, &card);
  for (guint i = 0; i < 2; i++)
    {
      g_test_message ("%s", stages[i].advice);
      assert_judged (&stages[i], ES_BOUND_FILE, 40, 2.5);
    }
  /* The longer one says it. */
  assert_says (&stages[1], "are judged together", TRUE);
  assert_says (&stages[0], "It overlaps with “Covariance”", TRUE);
  assert_judged (&stages[2], ES_BOUND_MEMORY, 1, 2);
  assert_says (&stages[2], "judged together", FALSE);

  /* Where arithmetic takes longest, it is that; and where all of the time went into reading, it is reading. */
  stages[1].work.operations = 8e12;
  es_stages_judge_by (stages, 3, &card);
  assert_judged (&stages[0], ES_BOUND_ARITHMETIC, 80, 1.25);
  stages[0].ms = 300;
  es_stages_judge_by (stages, 3, &card);
  assert_judged (&stages[1], ES_BOUND_FILE, 40, 9);
  for (guint i = 0; i < 3; i++)
    g_free (stages[i].advice);
}

/* Reading takes 20 ms by itself beside 100 ms of computing: its share of the time that passed says nothing. */
static void
test_beside (void)
{
  EsStageTime stages[] = {
    { (char *) "input", (char *) "Input", 17, { .file_bytes = 2e7, .busy_ms = 20, .threads = 1 } },
    { (char *) "transform", (char *) "Transforms", 25, { .operations = 1e9, .busy_ms = 30 } },
    { (char *) "beams", (char *) "Beams", 58, { .operations = 5e9, .busy_ms = 70 } },
  };

  es_stages_judge_by (stages, 3, &processor);
  assert_judged (&stages[0], ES_BOUND_OTHER_STEP, 10, 2);
  assert_says (&stages[0], "beside computing", TRUE);
  assert_judged (&stages[1], ES_BOUND_ARITHMETIC, 10, 3);
  assert_judged (&stages[2], ES_BOUND_ARITHMETIC, 50, 1.4);
  assert_says (&stages[2], "beside", FALSE);

  stages[0].work.busy_ms = 200;
  es_stages_judge_by (stages, 3, &processor);
  assert_judged (&stages[0], ES_BOUND_FILE, 10, 20);
  assert_judged (&stages[2], ES_BOUND_OTHER_STEP, 50, 1.4);
  assert_says (&stages[2], "beside reading", TRUE);
  for (guint i = 0; i < 3; i++)
    g_free (stages[i].advice);
}

/* Less than a hundredth of the whole: a bound, and no sentence; what comes once says so. */
static void
test_shares (void)
{
  EsStageTime stages[] = {
    { (char *) "start", (char *) "Start of the GPU", 300, { 0 } },
    { (char *) "transform", (char *) "Transform", 100, { .memory_bytes = 3e11 } },
    { (char *) "selection", (char *) "Selection", 0.5, { .memory_bytes = 3e8 } },
  };

  es_stages_judge_by (stages, 3, &card);
  assert_says (&stages[0], "It comes once", TRUE);
  assert_judged (&stages[2], ES_BOUND_MEMORY, 0.1, 5);
  g_assert_null (stages[2].advice);
  for (guint i = 0; i < 3; i++)
    g_free (stages[i].advice);
}

/* ---- files ---- */

static void
test_json (void)
{
  EsStageTime stage = judge_one (&card, 19, (EsStageWork) { .file_bytes = 3, .disk_bytes = 1, .written_bytes = 4,
                                                            .link_bytes = 1e9, .memory_bytes = 5, .host_bytes = 6,
                                                            .operations = 7, .type = ES_WORK_INT16, .launches = 8 });
  g_autoptr (JsonBuilder) builder = json_builder_new ();
  g_autoptr (JsonNode) root = NULL;
  EsStageTime back = { 0 };

  json_builder_begin_object (builder);
  es_stage_time_write (&stage, builder);
  json_builder_end_object (builder);
  root = json_builder_get_root (builder);
  g_assert_cmpstr (json_object_get_string_member (json_node_get_object (root), "bound"), ==, "link");
  g_assert_cmpfloat (json_object_get_double_member (json_node_get_object (root), "bound_ms"), ==, 20);
  es_stage_time_read (&back, json_node_get_object (root));
  g_assert_cmpint (back.bound, ==, ES_BOUND_LINK);
  g_assert_cmpfloat (back.times, ==, stage.times);
  g_assert_cmpstr (back.advice, ==, stage.advice);
  g_assert_cmpmem (&back.work, sizeof back.work, &stage.work, sizeof stage.work);
  es_stage_time_clear (&back);
  g_free (stage.advice);

  /* Without any of it, as older versions wrote it, nothing is known. */
  g_autoptr (JsonObject) empty = json_object_new ();
  back = (EsStageTime) { 0 };
  es_stage_time_read (&back, empty);
  g_assert_cmpint (back.bound, ==, ES_BOUND_UNKNOWN);
  g_assert_false (es_stage_work_is_known (&back.work));
  g_assert_null (back.advice);
}

/* ---- roofs ---- */

static EsDeviceProfile *
find_shipped (const char *part)
{
  g_autoptr (GPtrArray) shipped = es_device_profiles_shipped ();

  for (guint i = 0; i < shipped->len; i++)
    if (strstr (es_device_profile_get_name (g_ptr_array_index (shipped, i)), part) != NULL)
      return es_device_profile_ref (g_ptr_array_index (shipped, i));
  g_assert_not_reached ();
}

static double
figure (EsDeviceProfile *profile, const char *experiment, const char *group, const char *name, double x)
{
  const EsFigure *found = es_device_profile_find (profile, experiment, group, name, x);

  g_assert_nonnull (found);
  return found->value;
}

static void
test_roofs_card (void)
{
  g_autoptr (EsDeviceProfile) h100 = find_shipped ("H100"), k20 = find_shipped ("K20");
  const double int8 = figure (h100, "lab-arithmetic", "rate", "matrix product int8, warp groups", NAN);
  EsRoofs roofs = { 0 };

  es_roofs_read (&roofs, h100, ES_ROOF_OF_KIND, FALSE, 0);
  g_assert_cmpfloat (roofs.operations[ES_WORK_INT8].rate, ==, int8);
  g_assert_cmpfloat (roofs.operations[ES_WORK_INT16].rate, ==, int8 / 4);
  g_assert_cmpfloat (roofs.operations[ES_WORK_FLOAT32].rate, ==,
                     figure (h100, "lab-arithmetic", "rate", "matrix product tf32, warp groups", NAN));
  g_assert_cmpfloat (roofs.operations[ES_WORK_FLOAT64].rate, ==,
                     figure (h100, "lab-arithmetic", "rate", "matrix product float64", NAN));
  g_assert_cmpint (roofs.memory.source, ==, ES_ROOF_OF_KIND);
  /* Behind the caches, where less than that is read faster. */
  g_assert_cmpfloat (roofs.memory.rate, >, 2.9e12);
  g_assert_cmpfloat (roofs.memory.rate, <, 3.35e12);
  g_assert_cmpfloat (roofs.link_to.rate, ==, figure (h100, "lab-link", "to", "Registered", 268435456));
  g_assert_cmpfloat (roofs.link_pageable.rate, ==, figure (h100, "lab-link", "to", "Pageable", 268435456));
  g_assert_cmpfloat (1 / roofs.launches.rate, ==,
                     1 / (1 / figure (h100, "lab-launch", "launch", "One of many in a stream", NAN)));

  /* What was published of one has no rates of arithmetic, and copies alone. */
  roofs = (EsRoofs) { 0 };
  es_roofs_read (&roofs, k20, ES_ROOF_OF_KIND, FALSE, 0);
  g_assert_cmpfloat (roofs.operations[ES_WORK_FLOAT32].rate, ==, 0);
  g_assert_cmpfloat (roofs.memory.rate, ==, figure (k20, "lab-bandwidth", "copy", "8 bytes", NAN));
  g_assert_cmpfloat (roofs.link_to.rate, ==, figure (k20, "lab-link", "to", "Page-locked", 1073741824));
}

static void
test_roofs_processor (void)
{
  g_autoptr (EsDeviceProfile) xeon = find_shipped ("Xeon");
  const double float32 = figure (xeon, "lab-arithmetic", "rate", "float32 multiply-add", NAN);
  EsRoofs all = { .on_cpu = TRUE }, some = { .on_cpu = TRUE }, none = { .on_cpu = TRUE };

  es_roofs_read (&all, xeon, ES_ROOF_MEASURED, TRUE, 16);
  es_roofs_read (&some, xeon, ES_ROOF_MEASURED, TRUE, 4);
  es_roofs_settle (&all);
  g_assert_cmpfloat (all.operations[ES_WORK_FLOAT32].rate, ==, float32);
  g_assert_cmpfloat (some.host_operations[ES_WORK_FLOAT32].rate, ==, float32 / 4);
  g_assert_cmpfloat (all.memory.rate, ==, all.host_memory.rate);
  g_assert_cmpfloat (some.host_memory.rate, <, all.host_memory.rate);
  g_assert_cmpfloat (some.host_memory.rate, >, all.one_thread.rate);
  g_assert_cmpfloat (all.one_copy.rate, ==,
                     figure (xeon, "lab-host-access", "one-thread", "Pageable to pageable", 67108864) / 2);
  g_assert_cmpint (all.memory.source, ==, ES_ROOF_MEASURED);

  /* Nothing is known: everything has a figure all the same, and says so. What is known stays. */
  es_roofs_assume (&none, 2);
  es_roofs_settle (&none);
  for (guint type = 0; type < ES_N_WORK_TYPES; type++)
    {
      g_assert_cmpfloat (none.operations[type].rate, >, 0);
      g_assert_cmpint (none.operations[type].source, ==, ES_ROOF_ASSUMED);
    }
  es_roofs_assume (&all, 16);
  g_assert_cmpfloat (all.host_operations[ES_WORK_FLOAT32].rate, ==, float32);
  g_assert_cmpint (all.host_operations[ES_WORK_FLOAT32].source, ==, ES_ROOF_MEASURED);
}

/* A profile whose figures no machine has. */
static void
test_roofs_absurd (void)
{
  static const char *const values[] = { "1e300", "1e-300", "0" };
  g_autofree char *folder = g_dir_make_tmp ("eigenscope-roofs-XXXXXX", NULL);
  g_autofree char *path = g_build_filename (folder, "profile.json", NULL);
  g_autoptr (GFile) file = g_file_new_for_path (path);

  for (guint i = 0; i < G_N_ELEMENTS (values); i++)
    {
      g_autofree char *text = g_strdup_printf (
        "{\"format\": \"eigenscope-device-profile\", \"version\": 1, \"source\": \"measured\", \"machine\": {\"id\": "
        "\"cpu\", \"name\": \"A\", \"threads\": 4}, \"experiments\": {\"lab-arithmetic\": {\"figures\": [{\"group\": "
        "\"rate\", \"name\": \"float32 multiply-add\", \"value\": %s, \"unit\": \"1/s\"}]}}}", values[i]);
      g_autoptr (GError) error = NULL;
      g_autoptr (EsDeviceProfile) profile = NULL;
      EsRoofs roofs = { .on_cpu = TRUE };

      g_assert_true (g_file_set_contents (path, text, -1, NULL));
      profile = es_device_profile_load (file, &error);
      g_assert_no_error (error);
      es_roofs_read (&roofs, profile, ES_ROOF_MEASURED, TRUE, 4);
      es_roofs_assume (&roofs, 4);
      g_assert_cmpint (roofs.host_operations[ES_WORK_FLOAT32].source, ==, ES_ROOF_ASSUMED);
      g_assert_cmpfloat (roofs.host_operations[ES_WORK_FLOAT32].rate, >, 1e9);
    }
  g_unlink (path);
  g_rmdir (folder);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/compute/advice/at-its-bound", test_at_its_bound);
  g_test_add_func ("/compute/advice/above-its-bound", test_above_its_bound);
  g_test_add_func ("/compute/advice/types", test_types);
  g_test_add_func ("/compute/advice/one-thread", test_one_thread);
  g_test_add_func ("/compute/advice/unknown", test_unknown);
  g_test_add_func ("/compute/advice/faster", test_faster);
  g_test_add_func ("/compute/advice/disk", test_disk);
  g_test_add_func ("/compute/advice/some-threads", test_some_threads);
  g_test_add_func ("/compute/advice/card", test_card);
  g_test_add_func ("/compute/advice/joined", test_joined);
  g_test_add_func ("/compute/advice/beside", test_beside);
  g_test_add_func ("/compute/advice/shares", test_shares);
  g_test_add_func ("/compute/advice/json", test_json);
  g_test_add_func ("/compute/advice/roofs-card", test_roofs_card);
  g_test_add_func ("/compute/advice/roofs-processor", test_roofs_processor);
  g_test_add_func ("/compute/advice/roofs-absurd", test_roofs_absurd);
  return g_test_run ();
}
