/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* Every experiment on the recorded card reads what was published of it. */

#include <math.h>

#include "es-test-lab.h"
#include "layer/es-curve.h"
#include "layer/es-image-stack.h"
#include "recorded-k20c.h"

#define CLOSE(a, b) g_assert_cmpfloat_with_epsilon ((a), (b), 1e-6 * fabs ((double) (b)))

static void
test_branches (void)
{
  g_autoptr (EsResult) by_lane = es_test_lab_run ("lab-branches", NULL);
  EsTable *lanes = es_test_lab_table (by_lane, "lanes");

  es_test_lab_says (by_lane, ES_VERDICT_YES, "in the order of lanes");
  es_test_lab_says (by_lane, ES_VERDICT_YES, "32.0 times as long");
  for (guint place = 0; place < 32; place++)
    {
      g_assert_cmpfloat (es_table_get_value (lanes, place, 1), ==, k20c_lanes[place]);
      g_assert_cmpfloat (es_table_get_value (lanes, place, 2), ==, k20c_lane_clock (0, place));
      g_assert_cmpfloat (es_table_get_value (lanes, place, 3), ==, k20c_lanes[place]);
      g_assert_cmpfloat (es_table_get_value (lanes, place, 4), ==, k20c_lane_clock (1, place));
    }
  g_setenv ("ES_RECORDED_LAB", "mirrored", TRUE);
  g_autoptr (EsResult) by_code = es_test_lab_run ("lab-branches", NULL);
  es_test_lab_says (by_code, ES_VERDICT_YES, "follows their place in the code");
  g_setenv ("ES_RECORDED_LAB", "together", TRUE);
  g_autoptr (EsResult) together = es_test_lab_run ("lab-branches", NULL);
  es_test_lab_says (together, ES_VERDICT_NO, "Lanes share times");
  g_unsetenv ("ES_RECORDED_LAB");
}

static void
test_latency (void)
{
  g_autoptr (EsResult) result = es_test_lab_run ("lab-latency", NULL);

  es_test_lab_says (result, ES_VERDICT_TELLS, "Global memory: 2 levels, from 218.9 to 600.0 clocks");
  es_test_lab_says (result, ES_VERDICT_TELLS, "Shared memory: one level, 47.7 clocks");
  es_test_lab_says (result, ES_VERDICT_TELLS, "costs as much as 3 to the first cache");

  /* 600 of 218.9, whatever the largest footprint takes. */
  g_setenv ("ES_RECORDED_LAB", "dip", TRUE);
  g_autoptr (EsResult) dip = es_test_lab_run ("lab-latency", NULL);
  es_test_lab_says (dip, ES_VERDICT_TELLS, "Global memory: 2 levels, from 218.9 to 600.0 clocks");
  es_test_lab_says (dip, ES_VERDICT_TELLS, "costs as much as 3 to the first cache");
  g_unsetenv ("ES_RECORDED_LAB");
}

static void
test_arithmetic (void)
{
  g_autoptr (EsResult) result = es_test_lab_run ("lab-arithmetic", NULL);

  es_test_lab_says (result, ES_VERDICT_YES, "5.9 times as long as an addition");
  CLOSE (es_test_lab_figure (result, "latency", "int32 divide", NAN), 169);
}

/* The shares that a sentence tells are those of the numbers below it, whichever clock each was measured at. */
static void
test_products_when_warm (void)
{
  static const double numbers[] = { 4096 * 0.9 * 0.62, 4096 * 0.9, 4096 * 0.95, 4096 };
  g_setenv ("ES_RECORDED_LAB", "hopper, warm", TRUE);
  g_autoptr (EsResult) result = es_test_lab_run ("lab-arithmetic", NULL);
  const char *sentence = "Products of float16 by warp groups reach 95 % of the data sheet, by single warps 62 %.";
  EsLayer *layer = es_result_find_layer (result, "verdict");
  guint n = 0;
  const EsVerdictNumber *told = es_verdict_get_numbers (ES_VERDICT (layer), (guint) es_test_lab_find (result, sentence),
                                                        &n);

  es_test_lab_says (result, ES_VERDICT_YES, sentence);
  g_assert_cmpuint (n, ==, G_N_ELEMENTS (numbers));
  for (guint i = 0; i < n; i++)
    CLOSE (told[i].value, numbers[i] * 13 * 706e6);
  g_unsetenv ("ES_RECORDED_LAB");
}

/* Beside what the data sheet promises of a clock and a multiprocessor. */
static void
test_products (void)
{
  g_setenv ("ES_RECORDED_LAB", "hopper", TRUE);
  g_autoptr (EsResult) result = es_test_lab_run ("lab-arithmetic", NULL);

  es_test_lab_says (result, ES_VERDICT_YES, "Products of float16 by warp groups reach 95 % of the data sheet, by "
                                            "single warps 62 %.");
  es_test_lab_says (result, ES_VERDICT_YES, "Products of int8 by warp groups reach 95 % of the data sheet");
  es_test_lab_says (result, ES_VERDICT_YES, "Products of float8 reach 95 % of the data sheet.");
  es_test_lab_says (result, ES_VERDICT_NO, "Products of float64 reach 62 % of the data sheet.");
  CLOSE (es_test_lab_figure (result, "rate", "matrix product tf32, warp groups", NAN), 2048 * 13 * 706e6 * 0.95);
  CLOSE (es_test_lab_figure (result, "rate", "matrix product tf32", NAN), 2048 * 13 * 706e6 * 0.62);
  g_unsetenv ("ES_RECORDED_LAB");
}

static void
test_stride (void)
{
  g_autoptr (EsResult) result = es_test_lab_run ("lab-stride", NULL);

  es_test_lab_says (result, ES_VERDICT_YES, "Constant memory: an access brings 64 bytes");
  es_test_lab_says (result, ES_VERDICT_NO, "Texture: the stride does not matter");
}

static void
test_sharing (void)
{
  g_autoptr (EsResult) result = es_test_lab_run ("lab-sharing", NULL);

  es_test_lab_says (result, ES_VERDICT_NO, "Constant memory: parallel access no, broadcast yes");
  es_test_lab_says (result, ES_VERDICT_YES, "Shared memory: parallel access and broadcast");
  es_test_lab_says (result, ES_VERDICT_YES, "Global memory: parallel access and broadcast");
  es_test_lab_says (result, ES_VERDICT_YES, "Texture: parallel access and broadcast");
  es_test_lab_says (result, ES_VERDICT_TELLS, "Constant memory: with 1024 threads an access takes 1.25 times as long");
  es_test_lab_says (result, ES_VERDICT_TELLS, "Shared memory: with 1024 threads an access takes 1.00 times as long");
  g_setenv ("ES_RECORDED_LAB", "warps", TRUE);
  g_autoptr (EsResult) warps = es_test_lab_run ("lab-sharing", NULL);
  es_test_lab_says (warps, ES_VERDICT_YES, "Shared memory: parallel access and broadcast");
  g_assert_cmpfloat_with_epsilon (es_test_lab_figure (warps, "alone", "Shared memory", NAN), 47.69, 1e-9);
  g_setenv ("ES_RECORDED_LAB", "flat", TRUE);
  g_autoptr (EsResult) flat = es_test_lab_run ("lab-sharing", NULL);
  es_test_lab_says (flat, ES_VERDICT_YES, "Constant memory: parallel access and broadcast");
  g_unsetenv ("ES_RECORDED_LAB");
}

static void
test_order (void)
{
  g_autoptr (EsResult) result = es_test_lab_run ("lab-order", NULL);

  es_test_lab_says (result, ES_VERDICT_YES, "Global memory: the order of lanes is irrelevant");
  es_test_lab_says (result, ES_VERDICT_NO, "Global memory: what is not contiguous takes 2.00 times");
  es_test_lab_says (result, ES_VERDICT_NO, "Texture: what is not contiguous takes 1.13 times");
  es_test_lab_says (result, ES_VERDICT_YES, "Shared memory: contiguity is irrelevant");
  es_test_lab_says (result, ES_VERDICT_TELLS, "With 256 blocks at once, rows apart take 3.9 times");
  es_test_lab_says (result, ES_VERDICT_YES, "Where a row begins is irrelevant");
}

/* A processor: a vector for a warp, caches for memories. */
static void
test_order_of_vectors (void)
{
  g_setenv ("ES_RECORDED_LAB", "vector", TRUE);
  g_autoptr (EsResult) result = es_test_lab_run_on_cpu ("lab-order", NULL);
  g_setenv ("ES_RECORDED_LAB", "vector shuffled", TRUE);
  g_autoptr (EsResult) shuffled = es_test_lab_run_on_cpu ("lab-order", NULL);
  g_setenv ("ES_RECORDED_LAB", "none", TRUE);
  g_autoptr (EsResult) none = es_test_lab_run_on_cpu ("lab-order", NULL);
  g_unsetenv ("ES_RECORDED_LAB");
  EsVerdict *verdict = ES_VERDICT (es_result_find_layer (result, "verdict"));

  es_test_lab_says (result, ES_VERDICT_YES, "order of a vector’s lanes is irrelevant: 1.00");
  es_test_lab_says (result, ES_VERDICT_NO, "takes longer from 1.0\302\240MiB on: 4.0 times as long in 64.0");
  es_test_lab_says (result, ES_VERDICT_NO, "boundary of 64 bytes take up to 1.50 times");
  g_assert_cmpfloat_with_epsilon (es_test_lab_figure (result, "footprint", "Global memory, rows apart", 64 << 20), 184,
                                  1e-9);
  g_assert_cmpfloat_with_epsilon (es_test_lab_figure (result, "footprint", "Global memory, in order", 16384), 34, 1e-9);
  g_assert_nonnull (es_result_find_layer (result, "footprint"));
  /* It speaks of no warp, block or sector. */
  for (guint i = 0; i < es_verdict_get_n (verdict); i++)
    g_assert_null (strstr (es_verdict_get_sentence (verdict, i), "warp"));
  es_test_lab_says (shuffled, ES_VERDICT_NO, "order of a vector’s lanes matters: 1.30");
  es_test_lab_says (none, ES_VERDICT_UNSURE, "nothing of what this experiment measures");
}

static void
test_private_arrays (void)
{
  g_autoptr (EsResult) result = es_test_lab_run ("lab-private", NULL);

  es_test_lab_says (result, ES_VERDICT_TELLS, "Vector addition: in registers up to 73, in local memory from 74 on");
  es_test_lab_says (result, ES_VERDICT_TELLS, "Product of matrices: in registers up to 6, in local memory from 7 on");
  es_test_lab_says (result, ES_VERDICT_NO, "Sorting: in local memory from 1 on");
  g_assert_cmpfloat (es_test_lab_figure (result, "largest", "Vector addition", NAN), ==, 73);
}

static void
test_banks (void)
{
  g_autoptr (EsResult) result = es_test_lab_run ("lab-banks", NULL);

  es_test_lab_says (result, ES_VERDICT_YES, "Each further word in the same bank costs 32.0 clocks");
  es_test_lab_says (result, ES_VERDICT_YES, "A word of padding a row removes it: 47.7 clocks");
}

static void
test_bandwidth (void)
{
  g_autoptr (EsResult) result = es_test_lab_run ("lab-bandwidth", NULL);

  es_test_lab_says (result, ES_VERDICT_YES, "Elements of one byte reach 42 % of what elements of four reach");
  es_test_lab_says (result, ES_VERDICT_YES, "reaches 95 % of the library's");
  es_test_lab_says (result, ES_VERDICT_TELLS, "500.0 GB/s from the caches and 150.0 GB/s from the memory");
  CLOSE (es_test_lab_figure (result, "copy", "8 bytes", NAN), 157.146 * GIGABYTE);
}

/* Whoever has only the file knows how its figures are called. */
static void
check_axes (EsResult *result)
{
  JsonArray *figures = json_object_get_array_member (es_result_get_values (result), "figures");
  const char *id = es_result_get_operation (result)->id;

  for (guint i = 0; i < json_array_get_length (figures); i++)
    {
      JsonObject *figure = json_array_get_object_element (figures, i);
      const char *group = json_object_get_string_member (figure, "group");
      EsExperimentAxes axes = { 0 };

      if (!es_experiment_get_axes (id, group, &axes) && !g_str_equal (group, "plans"))
        g_error ("nobody knows the group %s of %s", group, id);
      g_assert_true (g_str_equal (group, "plans") || axes.y_title != NULL);
    }
}

/* Figures are kept without prefixes and shown with those that people use. */
static void
test_shown (void)
{
  g_autoptr (EsResult) rates = es_test_lab_run ("lab-bandwidth", NULL);
  g_autoptr (EsResult) times = es_test_lab_run ("lab-launch", NULL);
  g_autoptr (EsResult) arrays = es_test_lab_run ("lab-private", NULL);
  EsTable *copies = es_test_lab_table (rates, "copy"), *starts = es_test_lab_table (times, "launch");
  EsTable *largest = es_test_lab_table (arrays, "largest");
  EsCurve *footprints = ES_CURVE (es_result_find_layer (rates, "footprint"));
  EsCurve *blocks = ES_CURVE (es_result_find_layer (times, "blocks"));
  const EsCurveSeries *read = es_curve_get_series (footprints, 0);

  g_assert_cmpstr (es_table_get_column_unit (copies, 1), ==, "GB/s");
  g_assert_cmpstr (es_table_get_text (copies, 0, 1), ==, "67.67");
  g_assert_cmpstr (es_table_get_column_unit (starts, 1), ==, "µs");
  g_assert_cmpstr (es_table_get_text (starts, 0, 1), ==, "8.000");
  g_assert_cmpstr (es_table_get_text (starts, 0, 2), ==, "7.992");
  g_assert_null (es_table_get_column_unit (largest, 1));
  g_assert_cmpstr (es_table_get_text (largest, 0, 1), ==, "73");
  g_assert_cmpstr (read->unit, ==, "GB/s");
  g_assert_cmpfloat_with_epsilon (read->y[0], 500, 1);
  g_assert_cmpstr (es_curve_get_y_title (footprints), ==, "Bandwidth");
  g_assert_cmpstr (es_curve_get_x_unit (footprints), ==, "B");
  /* "Blocks" are blocks. */
  g_assert_cmpstr (es_curve_get_x_title (blocks), ==, "Blocks");
  g_assert_null (es_curve_get_x_unit (blocks));
}

static void
test_atomics (void)
{
  g_autoptr (EsResult) result = es_test_lab_run ("lab-atomics", NULL);

  es_test_lab_says (result, ES_VERDICT_YES, "take 100 times as long as to addresses of one's own");
  g_assert_true (isnan (es_test_lab_figure (result, "rate", "float64 global own", NAN)));
}

static void
test_launch (void)
{
  g_autoptr (EsResult) result = es_test_lab_run ("lab-launch", NULL);

  es_test_lab_says (result, ES_VERDICT_YES, "takes 8.0 µs, one of many in a stream 4.0 µs");
  es_test_lab_says (result, ES_VERDICT_TELLS, "“Atomics of our own”: 3.7 µs, 5.4 times as quick");
  /* Threads of one core wait for each other for some nanoseconds, and not for 0.0 µs. */
  g_setenv ("ES_RECORDED_LAB", "quick", TRUE);
  g_autoptr (EsResult) quick = es_test_lab_run ("lab-launch", NULL);
  g_unsetenv ("ES_RECORDED_LAB");
  es_test_lab_says (quick, ES_VERDICT_TELLS, "“Atomics of our own”: 0.045 µs, 442.2 times as quick");
}

static void
test_host_memory (void)
{
  g_autoptr (EsResult) result = es_test_lab_run ("lab-host-memory", "largest", "1024", NULL);

  /* Table 4.2: (c) is the cheapest that may be copied asynchronously. */
  es_test_lab_says (result, ES_VERDICT_TELLS, "“Registered” is made and given back most cheaply: 244.4 ms");
  CLOSE (es_test_lab_figure (result, "allocate", "Page-locked", GIGABYTE), 0.46998);
  g_assert_cmpfloat_with_epsilon (es_test_lab_figure (result, "lock", "Registered", GIGABYTE), 0.02665, 5e-5);
  g_assert_cmpfloat_with_epsilon (es_test_lab_figure (result, "unlock", "Registered", GIGABYTE), 0.04590, 1e-4);
  /* What is registered is allocated, touched and freed as pageable memory is. */
  g_setenv ("ES_RECORDED_LAB", "split", TRUE);
  g_autoptr (EsResult) split = es_test_lab_run ("lab-host-memory", "largest", "1024", NULL);
  es_test_lab_says (split, ES_VERDICT_TELLS, "“Registered” is made and given back most cheaply: 245.1 ms; pageable "
                                             "memory takes 172.6 ms");
  g_unsetenv ("ES_RECORDED_LAB");
}

static void
test_host_access (void)
{
  g_autoptr (EsResult) result = es_test_lab_run ("lab-host-access", "largest", "256", NULL);

  /* Table 4.4, the row of 256 MB. */
  es_test_lab_says (result, ES_VERDICT_YES, "not as quick for the processor as pageable: writing takes 1.88, reading "
                    "2.38 times");
  CLOSE (es_test_lab_figure (result, "one-thread", "Page-locked to pageable", 256 * MEGA), 5.73 * GIGABYTE);
  CLOSE (es_test_lab_figure (result, "all-threads", "Page-locked to page-locked", 4 * MEGA), 315.08 * GIGABYTE);
}

static void
test_link (void)
{
  g_autoptr (EsResult) result = es_test_lab_run ("lab-link", "largest", "1024", NULL);
  EsTable *fit = es_test_lab_table (result, "fit");

  es_test_lab_says (result, ES_VERDICT_YES, "To the card, Pageable");
  es_test_lab_says (result, ES_VERDICT_YES, "To the card, Page-locked");
  es_test_lab_says (result, ES_VERDICT_YES, "From the card, Pageable");
  es_test_lab_says (result, ES_VERDICT_YES, "From the card, Page-locked");
  g_assert_cmpuint (es_table_get_n_rows (fit), >=, 8);
  CLOSE (es_test_lab_figure (result, "to", "Pageable", 4 * MEGA), k20c_link (ESK_MEMORY_PAGEABLE, 0, 4 * MEGA));
  g_assert_true (isnan (es_test_lab_figure (result, "both", "Pageable", 4 * MEGA)));
}

static void
test_registration (void)
{
  g_autoptr (EsResult) result = es_test_lab_run ("lab-registration", "largest", "1024", NULL);
  EsTable *fit = es_test_lab_table (result, "fit");

  /* (4.5) and (4.6) come back. */
  es_test_lab_says (result, ES_VERDICT_YES, "Page-locking takes 0.093 ms and then 2.47 ms a hundred megabytes");
  es_test_lab_says (result, ES_VERDICT_YES, "Unlocking takes 0.081 ms and then 4.25 ms a hundred megabytes");
  g_assert_cmpfloat (es_table_get_value (fit, 0, 1), ==, MEGA);
  g_assert_cmpfloat_with_epsilon (es_table_get_value (fit, 0, 2), 0.0935, 1e-6);
}

static void
test_peer (void)
{
  g_autoptr (EsResult) result = es_test_lab_run ("lab-peer", NULL);

  es_test_lab_says (result, ES_VERDICT_YES, "To cuda:1: 3.0 GB/s as the driver does it, 6.0 GB/s as peers");
}

static void
test_zero_copy (void)
{
  g_autoptr (EsResult) result = es_test_lab_run ("lab-zero-copy", NULL);

  es_test_lab_says (result, ES_VERDICT_YES, "Read in place it takes 1.361 ms, copied 1.552 ms; in place the link gives "
                                            "6.2 GB/s");
}

static void
test_mandelbrot (void)
{
  g_autoptr (EsResult) result = es_test_lab_run ("lab-mandelbrot", NULL);
  EsTable *variants = es_test_lab_table (result, "variants");
  EsLayer *picture = es_result_find_layer (result, "picture");
  float red;

  es_test_lab_says (result, ES_VERDICT_YES, "All variants give the same picture");
  es_test_lab_says (result, ES_VERDICT_YES, "take 77.2 times as long as four-byte ones");
  es_test_lab_says (result, ES_VERDICT_YES, "it takes 0.69 of the time");
  g_assert_cmpuint (es_table_get_n_rows (variants), ==, 6);
  /* zerocopy1: 43 MB/s. */
  g_assert_cmpfloat_with_epsilon (es_table_get_value (variants, 2, 3), 0.043, 0.0005);
  g_assert_true (ES_IS_IMAGE_STACK (picture));
  g_assert_cmpuint (es_image_stack_get_planes (ES_IMAGE_STACK (picture)), ==, 3);
  g_assert_true (es_image_stack_read (ES_IMAGE_STACK (picture), 0, 5, 0, 1, 1, 1, &red, NULL));
  /* Red is the third byte of BGR. */
  g_assert_cmpfloat (red, ==, (5 * 3 + 2) * 7 % 251);
  g_setenv ("ES_RECORDED_LAB", "wrong", TRUE);
  g_autoptr (EsResult) wrong = es_test_lab_run ("lab-mandelbrot", NULL);
  es_test_lab_says (wrong, ES_VERDICT_NO, "The pictures of some variants differ");
  g_assert_cmpfloat (es_table_get_value (es_test_lab_table (wrong, "variants"), 4, 5), ==, 1);
  g_unsetenv ("ES_RECORDED_LAB");
}

static void
test_overlap (void)
{
  g_autoptr (EsResult) result = es_test_lab_run ("lab-overlap", NULL);
  EsTable *timeline = es_test_lab_table (result, "timeline");

  /* Three parts of nearly the same length in a pipeline of 16 bands: (3 + 15) / 16 of one of them. */
  es_test_lab_says (result, ES_VERDICT_YES, "In 16 bands it takes");
  es_test_lab_says (result, ES_VERDICT_YES, "The card and the processor take 1.20 ms at once, 2.00 ms");
  g_assert_cmpuint (es_table_get_n_rows (timeline), ==, 3 * 16);
  g_assert_cmpstr (es_table_get_text (timeline, 1, 0), ==, "work");
  for (guint r = 0; r < es_table_get_n_rows (timeline); r++)
    g_assert_cmpfloat (es_table_get_value (timeline, r, 3), >, es_table_get_value (timeline, r, 2));
  const double whole = es_test_lab_figure (result, "overlap", "In bands", 1);
  const double best = es_test_lab_figure (result, "overlap", "In bands", 16);
  g_assert_cmpfloat_with_epsilon (best / whole, 18.0 / 48, 0.02);
  /* Pageable: however many bands, the sum of upload, as much work as with locked memory, and download. */
  const double bytes = 64 << 20, pageable = es_test_lab_figure (result, "overlap", "In bands, pageable memory", 16);
  double locked_parts[3], parts[3];
  k20c_overlap_parts (ESK_MEMORY_PINNED, bytes, 16, locked_parts);
  const unsigned rounds = (unsigned) (16 * locked_parts[0] / locked_parts[1]);
  k20c_overlap_parts (ESK_MEMORY_PAGEABLE, bytes, rounds, parts);
  g_assert_cmpfloat_with_epsilon (pageable, parts[0] + parts[1] + parts[2], 1e-9);
  g_assert_cmpfloat_with_epsilon (pageable, es_test_lab_figure (result, "overlap", "In bands, pageable memory", 1),
                                  1e-9);
  es_test_lab_says (result, ES_VERDICT_NO, "From pageable memory 0 % of the time is hidden at best");
}

static void
test_advice (void)
{
  g_autoptr (EsResult) result = es_test_lab_run ("lab-advice", NULL);
  EsVerdict *verdict = ES_VERDICT (es_result_find_layer (result, "verdict"));

  es_test_lab_says (result, ES_VERDICT_YES, "R_3: Replace sorting");
  es_test_lab_says (result, ES_VERDICT_YES, "S_1: Avoid bank conflicts");
  es_test_lab_says (result, ES_VERDICT_YES, "C_3: Never read constant memory by different addresses");
  es_test_lab_says (result, ES_VERDICT_YES, "G_3: Lay data out");
  es_test_lab_says (result, ES_VERDICT_YES, "G_2: Combine types");
  es_test_lab_says (result, ES_VERDICT_NO, "S_4 does not hold here");
  es_test_lab_says (result, ES_VERDICT_YES, "Z_1: Let kernels read in place");
  /* By gain, with what it gains. */
  es_test_lab_says (result, ES_VERDICT_YES, "C_3: Never read constant memory by different addresses");
  EsTable *table = es_test_lab_table (result, "advice");
  g_assert_cmpuint (es_table_get_n_columns (table), ==, 7);
  g_assert_cmpfloat (es_table_get_value (table, 0, 2), >, es_table_get_value (table, 1, 2));
  /* What was not measured says what would. */
  es_test_lab_says (result, ES_VERDICT_UNSURE, "O_1 is not measured");
  /* Each cites the two figures behind it. */
  for (guint i = 0; i < es_verdict_get_n (verdict); i++)
    {
      guint n;

      es_verdict_get_numbers (verdict, i, &n);
      g_assert_true (es_verdict_is_meaning (verdict, i) || es_verdict_get_state (verdict, i) == ES_VERDICT_UNSURE
                     || n == 2);
    }
}

/* What every experiment has to have. */
static void
test_all (void)
{
  const EsExperiment * const *experiments = es_experiments_get ();

  for (guint i = 0; experiments[i] != NULL; i++)
    {
      const EsExperiment *each = experiments[i];

      g_assert_true (es_operation_find (each->operation->id, NULL) == each->operation);
      g_assert_true (es_experiment_of (each->operation) == each);
      g_assert_cmpint (each->operation->takes, ==, ES_DATASET_DEVICE);
      g_assert_true (g_str_has_prefix (each->operation->id,
                                       each->group == ES_EXPERIMENTS_LADDERS ? "ladder-" : "lab-"));
      g_assert_true (g_str_has_suffix (each->question, "?"));
      g_assert_nonnull (each->how);
      g_assert_nonnull (each->predict);
      g_assert_cmpuint (each->kinds, !=, 0);
      g_assert_true (i == 0 || each->group >= experiments[i - 1]->group);
      g_autoptr (EsResult) result = es_test_lab_run (each->operation->id, NULL);
      EsVerdict *verdict = ES_VERDICT (es_result_find_layer (result, "verdict"));
      check_axes (result);
      gboolean means = FALSE;
      for (guint k = 0; k < es_verdict_get_n (verdict); k++)
        means = means || es_verdict_is_meaning (verdict, k);
      g_test_message ("%s", each->operation->id);
      g_assert_true (means || g_str_equal (each->operation->id, "lab-arithmetic"));
    }
}

int
main (int argc, char **argv)
{
  /* No profile that somebody keeps. */
  g_setenv ("XDG_DATA_HOME", "/nonexistent", TRUE);
  g_test_init (&argc, &argv, NULL);
  g_unsetenv ("ES_RECORDED_LAB");
  g_test_add_func ("/experiments/branches", test_branches);
  g_test_add_func ("/experiments/latency", test_latency);
  g_test_add_func ("/experiments/arithmetic", test_arithmetic);
  g_test_add_func ("/experiments/products", test_products);
  g_test_add_func ("/experiments/products-when-warm", test_products_when_warm);
  g_test_add_func ("/experiments/stride", test_stride);
  g_test_add_func ("/experiments/sharing", test_sharing);
  g_test_add_func ("/experiments/order", test_order);
  g_test_add_func ("/experiments/order-of-vectors", test_order_of_vectors);
  g_test_add_func ("/experiments/private-arrays", test_private_arrays);
  g_test_add_func ("/experiments/banks", test_banks);
  g_test_add_func ("/experiments/bandwidth", test_bandwidth);
  g_test_add_func ("/experiments/shown", test_shown);
  g_test_add_func ("/experiments/atomics", test_atomics);
  g_test_add_func ("/experiments/launch", test_launch);
  g_test_add_func ("/experiments/host-memory", test_host_memory);
  g_test_add_func ("/experiments/host-access", test_host_access);
  g_test_add_func ("/experiments/link", test_link);
  g_test_add_func ("/experiments/registration", test_registration);
  g_test_add_func ("/experiments/peer", test_peer);
  g_test_add_func ("/experiments/zero-copy", test_zero_copy);
  g_test_add_func ("/experiments/mandelbrot", test_mandelbrot);
  g_test_add_func ("/experiments/overlap", test_overlap);
  g_test_add_func ("/experiments/advice", test_advice);
  g_test_add_func ("/experiments/all", test_all);
  return g_test_run ();
}
