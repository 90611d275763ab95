/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* The rules by which numbers become verdicts, where experiments on the recorded card do not come. */

#include <math.h>

#include "lab/es-lab-rules-internal.h"

static void
test_sharing (void)
{
  const double falls[] = { 200, 150, 100 }, rises[] = { 100, 150, 200 }, flat[] = { 100, 105, 95 };

  g_assert_cmpint (es_rule_sharing (falls, 3, 100), ==, ES_SHARING_SERIALISED);
  g_assert_cmpint (es_rule_sharing (rises, 3, 100), ==, ES_SHARING_PARALLEL_ONLY);
  g_assert_cmpint (es_rule_sharing (flat, 3, 100), ==, ES_SHARING_BOTH);
  g_assert_cmpint (es_rule_sharing (flat, 3, 50), ==, ES_SHARING_NEITHER);
  /* Shared memory of an H100: 28.5 clocks of a warp by indices, 23.0 of one thread by pointers. */
  g_assert_cmpint (es_rule_sharing ((const double[]) { 28.52, 28.52, 28.52 }, 3, 23.02), ==, ES_SHARING_BOTH);
  g_assert_cmpint (es_rule_sharing (flat, 3, NAN), ==, ES_SHARING_FLAT);
}

static void
test_branch_order (void)
{
  double first[32], second[32];

  for (guint i = 0; i < 32; i++)
    {
      first[i] = 64 * i;
      second[i] = 64 * ((i + 5) % 32);
    }
  g_assert_cmpint (es_rule_branch_order (first, first), ==, ES_BRANCHES_BY_LANE);
  g_assert_cmpint (es_rule_branch_order (first, second), ==, ES_BRANCHES_OTHERWISE);
  for (guint i = 0; i < 32; i++)
    second[i] = 64 * (31 - i);
  g_assert_cmpint (es_rule_branch_order (first, second), ==, ES_BRANCHES_BY_CODE);
  /* An H100's, whose last two branches change places in both. */
  first[30] = 3369;
  first[31] = 3337;
  for (guint i = 0; i < 30; i++)
    first[i] = 100 * i;
  for (guint i = 0; i < 32; i++)
    second[i] = first[31 - i];
  g_assert_cmpint (es_rule_branch_order (first, second), ==, ES_BRANCHES_BY_CODE);
  second[3] = second[4];
  g_assert_cmpint (es_rule_branch_order (first, second), ==, ES_BRANCHES_TOGETHER);
}

static void
test_conflict (void)
{
  const double ways[] = { 1, 2, 4, 8, 16, 32 }, linear[] = { 30, 32, 36, 44, 60, 92 };
  const double falls[] = { 92, 60, 44, 36, 32, 30 }, bent[] = { 30, 30, 30, 30, 30, 300 };
  gboolean fits;

  g_assert_cmpfloat_with_epsilon (es_rule_conflict (ways, linear, 6, &fits), 2, 1e-9);
  g_assert_true (fits);
  es_rule_conflict (ways, falls, 6, &fits);
  g_assert_false (fits);
  es_rule_conflict (ways, bent, 6, &fits);
  g_assert_false (fits);
}

/* Plateaus of an H100: 41, 273 and 832 clocks, which end at 256 KiB and 50 MB. */
static void
test_levels (void)
{
  double bytes[40], clocks[40];
  guint n = 0;
  EsLevel levels[4];

  for (double size = 1024; size <= 1 << 28; size *= 2)
    {
      bytes[n] = size;
      clocks[n++] = size <= 256 << 10 ? 41 : size <= 32 << 20 ? 273 : 832;
    }
  g_assert_cmpuint (es_rule_levels (bytes, clocks, n, levels, 4), ==, 3);
  g_assert_cmpfloat (levels[0].latency, ==, 41);
  g_assert_cmpfloat (levels[1].latency, ==, 273);
  g_assert_cmpfloat (levels[2].latency, ==, 832);
  g_assert_cmpfloat (levels[0].capacity, >, 256 << 10);
  g_assert_cmpfloat (levels[0].capacity, <, 512 << 10);
  g_assert_true (isnan (levels[2].capacity));
  /* Only as many as there is room for. */
  g_assert_cmpuint (es_rule_levels (bytes, clocks, n, levels, 2), ==, 2);
}

/* One point that something disturbed is no step, and a plateau whose first point is low is one. */
static void
test_one_level (void)
{
  static const double curves[][8] = {
    { 4, 4, 4, 20, 4, 4, 4, 4 }, { 4, 4, 4, 4, 4, 4, 4, 9 }, { 4, 4.9, 4.9, 4.9, 5.1, 5.1, 5.1, 5.1 },
  };
  double bytes[8];
  EsLevel levels[4];

  for (guint i = 0; i < G_N_ELEMENTS (bytes); i++)
    bytes[i] = 1024 << i;
  for (guint i = 0; i < G_N_ELEMENTS (curves); i++)
    {
      g_assert_cmpuint (es_rule_levels (bytes, curves[i], G_N_ELEMENTS (bytes), levels, G_N_ELEMENTS (levels)), ==, 1);
      g_assert_cmpfloat_with_epsilon (levels[0].latency, i < 2 ? 4 : 5, 0.11);
      g_assert_cmpfloat (levels[0].from, ==, 1024);
      g_assert_cmpfloat (levels[0].to, ==, i == 1 ? 64 << 10 : 128 << 10);
      g_assert_true (isnan (levels[0].capacity));
    }
}

static void
test_knee (void)
{
  const double x[] = { 1, 2, 4, 8, 16, 32, 64 }, y[] = { 10, 20, 40, 80, 95, 100, 100 };

  g_assert_cmpfloat (es_rule_knee (x, y, 7), ==, 16);
  g_assert_false (es_rule_is_slower (100, 110));
  g_assert_true (es_rule_is_slower (100, 111));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/lab-rules/sharing", test_sharing);
  g_test_add_func ("/lab-rules/branch-order", test_branch_order);
  g_test_add_func ("/lab-rules/conflict", test_conflict);
  g_test_add_func ("/lab-rules/levels", test_levels);
  g_test_add_func ("/lab-rules/one-level", test_one_level);
  g_test_add_func ("/lab-rules/knee", test_knee);
  return g_test_run ();
}
