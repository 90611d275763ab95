/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* The time that is left, with a clock of our own. */

#include <math.h>

#include "job/es-time-left-internal.h"

#define STEP 0.1

static void
test_unknown (void)
{
  EsTimeLeft left = { 0 };

  g_assert_cmpfloat (es_time_left_update (&left, 100, 0), <, 0);
  g_assert_cmpfloat (es_time_left_update (&left, 100.5, 0.2), <, 0);
  g_assert_cmpfloat (es_time_left_update (&left, 105, 0.2), >=, 0);
  left = (EsTimeLeft) { 0 };
  g_assert_cmpfloat (es_time_left_update (&left, 0, 0), <, 0);
  g_assert_cmpfloat (es_time_left_update (&left, 60, 0.02), <, 0);
}

/* At an even pace it is right from the beginning, and counts down. */
static void
test_even (void)
{
  EsTimeLeft left = { 0 };
  double before = INFINITY;

  for (double t = 0; t <= 20; t += STEP)
    {
      double said = es_time_left_update (&left, t, t / 20);

      if (said < 0)
        continue;
      g_assert_cmpfloat (said, <=, before);
      g_assert_cmpfloat_with_epsilon (said, 20 - t, 0.2);
      before = said;
    }
  g_assert_cmpfloat (before, <, 0.5);
}

/* Reports come in lumps, the pace wavers by half, steps are 30 % dearer or cheaper than expected: never more than was
 * said, while there is progress. */
static void
test_never_grows (void)
{
  static const double paces[] = { 0.5, 1.5, 1, 0.7, 1.3, 1.3, 0.7, 1, 0.75 };
  EsTimeLeft left = { 0 };
  double before = INFINITY, progress = 0, shown = 0;

  for (guint i = 0; progress < 1; i++)
    {
      double said;

      progress += STEP / 30 * paces[i / 20 % G_N_ELEMENTS (paces)];
      if (i % 8 == 0)
        shown = MIN (progress, 1);
      said = es_time_left_update (&left, i * STEP, shown);
      if (said < 0)
        continue;
      g_assert_cmpfloat (said, <=, before + 1e-9);
      before = said;
    }
  g_assert_cmpfloat (before, <, 3);
}

/* A third of the pace from the middle on: said once that it is slower, then counted down again, right at the end. */
static void
test_slower (void)
{
  EsTimeLeft left = { 0 };
  double before = INFINITY;
  guint grown = 0;

  for (double t = 0; t <= 80; t += STEP)
    {
      double said = es_time_left_update (&left, t, t < 20 ? t / 40 : fmin (0.5 + (t - 20) / 120, 1));

      if (said < 0)
        continue;
      grown += said > before + 1e-9;
      before = said;
    }
  g_assert_cmpuint (grown, >=, 1);
  g_assert_cmpuint (grown, <=, 4);
  g_assert_cmpfloat (before, <, 1);
}

static void
test_begun_again (void)
{
  EsTimeLeft left = { 0 };

  es_time_left_update (&left, 0, 0);
  g_assert_cmpfloat_with_epsilon (es_time_left_update (&left, 10, 0.5), 10, 1e-9);
  g_assert_cmpfloat (es_time_left_update (&left, 11, 0), <, 0);
  g_assert_cmpfloat_with_epsilon (es_time_left_update (&left, 13, 0.1), 18, 1e-9);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/time-left/unknown", test_unknown);
  g_test_add_func ("/time-left/even", test_even);
  g_test_add_func ("/time-left/never-grows", test_never_grows);
  g_test_add_func ("/time-left/slower", test_slower);
  g_test_add_func ("/time-left/begun-again", test_begun_again);
  return g_test_run ();
}
