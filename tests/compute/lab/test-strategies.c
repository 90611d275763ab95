/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* Strategies and what they gain: by figures made up for it, and by those of the installed profiles. */

#include <math.h>
#include <string.h>

#include "es-lab.h"
#include "lab/es-strategies.h"

static const EskLabMachine nobody = { 0 };

/* Borrowed texts. */
static void
add (GPtrArray *figures, const char *experiment, const char *group, const char *name, double x, const char *unit,
     double value)
{
  EsFigure *figure = g_new0 (EsFigure, 1);

  *figure = (EsFigure) { .experiment = (char *) experiment, .name = (char *) name, .group = (char *) group, .x = x,
                         .value = value, .unit = (char *) unit, .least = NAN, .most = NAN, .repeats = 1 };
  g_ptr_array_add (figures, figure);
}

/* The one of that code whose advice has `part`. */
static const EsStrategyAdvice *
find (GPtrArray *list, const char *code, const char *part)
{
  for (guint i = 0; i < list->len; i++)
    {
      const EsStrategyAdvice *advice = g_ptr_array_index (list, i);

      if (strcmp (advice->code, code) == 0 && strstr (advice->advice, part) != NULL)
        return advice;
    }
  g_error ("There is no strategy %s: %s", code, part);
}

static void
assert_gain (GPtrArray *list, const char *code, const char *part, EsStrategyState state, double gain)
{
  const EsStrategyAdvice *advice = find (list, code, part);

  g_test_message ("%s: %g", code, advice->gain);
  g_assert_cmpint (advice->state, ==, state);
  g_assert_cmpfloat_with_epsilon (advice->gain, gain, 0.005 * gain);
}

/* What holds before what does not, by gain; what does not matter behind what gains; what is not measured last. */
static void
check_order (GPtrArray *list)
{
  for (guint i = 1; i < list->len; i++)
    {
      const EsStrategyAdvice *before = g_ptr_array_index (list, i - 1), *here = g_ptr_array_index (list, i);

      g_assert_cmpint (before->state, <=, here->state);
      if (before->state != here->state)
        continue;
      g_assert_cmpint (before->ignores, <=, here->ignores);
      if (before->ignores == here->ignores && here->state != ES_STRATEGY_UNMEASURED)
        g_assert_cmpfloat (before->gain, >=, here->gain);
    }
}

static void
test_by_hand (void)
{
  g_autoptr (GPtrArray) figures = g_ptr_array_new_with_free_func (g_free), list = NULL;

  /* Latencies: 60 against 20 clocks. A rate: 100 against 250. Elements: 9 x 9 against 243. Nothing matters: 100 and
   * 108; it does: 100 and 120. Of bands the best, of sizes the last. */
  add (figures, "lab-banks", "conflict", "Rows of 32 words", 1, "clocks", 20);
  add (figures, "lab-banks", "conflict", "Rows of 32 words", 32, "clocks", 60);
  add (figures, "lab-bandwidth", "copy", "1 byte", NAN, "B/s", 100);
  add (figures, "lab-bandwidth", "copy", "4 bytes", NAN, "B/s", 250);
  add (figures, "lab-private", "largest", "Product of matrices", NAN, "1", 9);
  add (figures, "lab-private", "largest", "Vector addition", NAN, "1", 243);
  add (figures, "lab-private", "largest", "Sorting", NAN, "1", 0);
  add (figures, "lab-sharing", "sharing", "Shared memory", 1, "clocks", 100);
  add (figures, "lab-sharing", "sharing", "Shared memory", 32, "clocks", 108);
  add (figures, "lab-sharing", "sharing", "Global memory", 1, "clocks", 120);
  add (figures, "lab-sharing", "sharing", "Global memory", 32, "clocks", 100);
  add (figures, "lab-overlap", "overlap", "In bands", 1, "s", 0.03);
  add (figures, "lab-overlap", "overlap", "In bands", 4, "s", 0.02);
  add (figures, "lab-overlap", "overlap", "In bands", 16, "s", 0.025);
  add (figures, "lab-link", "to", "Pageable", 4096, "B/s", 1e9);
  add (figures, "lab-link", "to", "Pageable", 1048576, "B/s", 4e9);
  add (figures, "lab-link", "to", "Page-locked", 4096, "B/s", 1e9);
  add (figures, "lab-link", "to", "Page-locked", 1048576, "B/s", 4.2e9);
  /* The first that suits counts. */
  add (figures, "lab-bandwidth", "copy", "4 bytes", NAN, "B/s", 1000);
  list = es_strategies_judge (figures, &nobody, FALSE);
  check_order (list);
  assert_gain (list, "S_1", "Avoid", ES_STRATEGY_HOLDS, 3);
  assert_gain (list, "G_2", "Combine", ES_STRATEGY_HOLDS, 2.5);
  assert_gain (list, "R_2", "", ES_STRATEGY_HOLDS, 3);
  assert_gain (list, "R_3", "", ES_STRATEGY_HOLDS, 243);
  assert_gain (list, "S_2", "", ES_STRATEGY_HOLDS, 1.08);
  assert_gain (list, "G_1", "", ES_STRATEGY_FAILS, 1.2);
  assert_gain (list, "O_1", "", ES_STRATEGY_HOLDS, 1.5);
  assert_gain (list, "H_1", "", ES_STRATEGY_FAILS, 1.05);

  /* What is missing says where it would come from. */
  const EsStrategyAdvice *missing = find (list, "Z_1", "");
  g_assert_cmpint (missing->state, ==, ES_STRATEGY_UNMEASURED);
  g_assert_cmpstr (missing->experiment, ==, "lab-zero-copy");
  g_assert_null (es_strategy_describe_figures (missing));
  g_assert_cmpint (find (list, "S_7", "")->state, ==, ES_STRATEGY_UNMEASURED);
  g_autofree char *because = es_strategy_describe_figures (find (list, "S_1", "Avoid"));
  g_assert_cmpstr (because, ==, "Rows of 32 words, 32: 60, Rows of 32 words, 1: 20 clocks");
}

/* 16 threads at 2 GHz, 4 clocks a dependent multiply-add: 16 G operations a second; vectors do 800. */
static void
test_vectors (void)
{
  const EskLabMachine machine = { .clock_hertz = 2e9, .threads = 16 };
  g_autoptr (GPtrArray) figures = g_ptr_array_new_with_free_func (g_free), list = NULL, unknown = NULL;

  add (figures, "lab-arithmetic", "latency", "float32 multiply-add", NAN, "clocks", 4);
  add (figures, "lab-arithmetic", "rate", "float32 multiply-add", NAN, "1/s", 800e9);
  list = es_strategies_judge (figures, &machine, TRUE);
  assert_gain (list, "V_1", "", ES_STRATEGY_HOLDS, 50);
  g_assert_cmpfloat_with_epsilon (find (list, "V_1", "")->first, 16e9, 1);
  unknown = es_strategies_judge (figures, &nobody, TRUE);
  g_assert_cmpint (find (unknown, "V_1", "")->state, ==, ES_STRATEGY_UNMEASURED);
}

static EsDeviceProfile *
find_shipped (const char *part)
{
  g_autoptr (GPtrArray) shipped = es_device_profiles_shipped ();

  for (guint i = 0; i < shipped->len; i++)
    if (strstr (es_device_profile_get_name (g_ptr_array_index (shipped, i)), part) != NULL)
      return es_device_profile_ref (g_ptr_array_index (shipped, i));
  g_assert_not_reached ();
}

/* Every code that section 11 lists is there. */
static void
test_complete (void)
{
  static const char *const codes[] = {
    "R_1", "R_2", "R_3", "R_4", "R_5", "S_1", "S_2", "S_3", "S_4", "S_5", "S_6", "S_7", "C_1", "C_2", "C_3", "C_4",
    "C_5", "C_6", "G_1", "G_2", "G_3", "G_4", "T_1", "T_2", "T_3", "T_4",
  };
  g_autoptr (EsDeviceProfile) h100 = find_shipped ("H100");
  g_autoptr (GPtrArray) list = es_strategies_of (h100);

  for (guint i = 0; i < G_N_ELEMENTS (codes); i++)
    {
      const EsStrategyAdvice *advice = find (list, codes[i], "");

      g_assert_true (advice->state != ES_STRATEGY_UNMEASURED || g_str_equal (codes[i], "S_7"));
    }
}

/* Read off the tables that were measured, and published. */
static void
test_profiles (void)
{
  g_autoptr (EsDeviceProfile) h100 = find_shipped ("H100"), k20 = find_shipped ("K20"), xeon = find_shipped ("Xeon");
  g_autoptr (GPtrArray) of_h100 = es_strategies_of (h100), of_k20 = es_strategies_of (k20);
  g_autoptr (GPtrArray) of_xeon = es_strategies_of (xeon);

  check_order (of_h100);
  check_order (of_k20);
  check_order (of_xeon);
  /* 91.04 clocks with 32 words in a bank, 29.04 without. */
  assert_gain (of_h100, "S_1", "Avoid", ES_STRATEGY_HOLDS, 91.044921875 / 29.044921875);
  assert_gain (of_h100, "G_2", "Combine", ES_STRATEGY_HOLDS, 2356.0 / 1123.4);
  assert_gain (of_h100, "H_1", "", ES_STRATEGY_HOLDS, 54464.3 / 8479.25);
  /* What has changed since 2013. */
  assert_gain (of_h100, "T_4", "", ES_STRATEGY_FAILS, 337.866 / 383.659);
  g_assert_cmpint (find (of_h100, "S_4", "")->state, ==, ES_STRATEGY_FAILS);
  g_assert_cmpint (find (of_h100, "T_3", "")->state, ==, ES_STRATEGY_FAILS);
  g_assert_cmpint (find (of_h100, "Z_1", "")->state, ==, ES_STRATEGY_FAILS);
  assert_gain (of_h100, "L_2", "", ES_STRATEGY_HOLDS, 3.7592 / 0.80268);

  assert_gain (of_k20, "Z_1", "", ES_STRATEGY_HOLDS, 1.552 / 1.361);
  assert_gain (of_k20, "C_6", "", ES_STRATEGY_HOLDS, 218.86 / 110.13);
  assert_gain (of_k20, "S_5", "", ES_STRATEGY_HOLDS, 218.86 / 47.69);
  assert_gain (of_k20, "G_2", "Combine", ES_STRATEGY_HOLDS, 151.49 / 63.02);
  assert_gain (of_k20, "R_2", "", ES_STRATEGY_HOLDS, 73.0 / 36);
  assert_gain (of_k20, "Z_2", "", ES_STRATEGY_HOLDS, 74593.46 / 846.09);

  assert_gain (of_xeon, "V_2", "", ES_STRATEGY_HOLDS, 141.6316 / 13.5101);
  assert_gain (of_xeon, "V_4", "", ES_STRATEGY_HOLDS, 738.552 / 394.736);
  assert_gain (of_xeon, "V_5", "", ES_STRATEGY_HOLDS, 483.088 / 322.415);
  assert_gain (of_xeon, "V_7", "", ES_STRATEGY_HOLDS, 1003.35 / 651.015);
  assert_gain (of_xeon, "V_8", "", ES_STRATEGY_HOLDS, 45.1033 / 43.6171);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/compute/lab/strategies/by-hand", test_by_hand);
  g_test_add_func ("/compute/lab/strategies/vectors", test_vectors);
  g_test_add_func ("/compute/lab/strategies/complete", test_complete);
  g_test_add_func ("/compute/lab/strategies/profiles", test_profiles);
  return g_test_run ();
}
