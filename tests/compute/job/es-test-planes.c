/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-test-planes.h"

#include <math.h>
#include <string.h>

#include "layer/es-layer-internal.h"
#include "writers/es-writer.h"

static double
make_value (guint kind, guint x, guint y, GRand *random)
{
  switch (kind)
    {
    case ES_TEST_SMOOTH:
      return 1e6 + sin (x * 0.1) * cos (y * 0.07);
    case ES_TEST_NOISE:
      return g_rand_double (random);
    case ES_TEST_SKEWED:
      return -5 * log (g_rand_double_range (random, 1e-9, 1));
    case ES_TEST_CONSTANT:
      return 3.25;
    case ES_TEST_EMPTY:
      return NAN;
    default:
      return g_rand_double (random) < 0.3 ? NAN : x + 0.01 * y * y;
    }
}

EsImageStack *
es_test_make_stack (guint32 seed, float *copy)
{
  g_autoptr (GRand) random = g_rand_new_with_seed (seed);
  g_autofree float *values = g_new (float, ES_TEST_PIXELS * ES_TEST_N_KINDS);
  g_autoptr (GError) error = NULL;
  EsImageStack *stack = es_image_stack_new ("kinds", "Kinds", ES_TEST_WIDTH, ES_TEST_HEIGHT, ES_TEST_N_KINDS, 0, NULL,
                                            &error);

  g_assert_no_error (error);
  for (guint k = 0; k < ES_TEST_N_KINDS; k++)
    {
      g_autofree char *title = g_strdup_printf ("P %u", k + 1);
      for (guint p = 0; p < ES_TEST_PIXELS; p++)
        values[k * ES_TEST_PIXELS + p] = (float) make_value (k, p % ES_TEST_WIDTH, p / ES_TEST_WIDTH, random);
      es_image_stack_set_plane (stack, k, title, NAN);
    }
  g_assert_true (es_image_stack_write (stack, 0, 0, ES_TEST_WIDTH, ES_TEST_HEIGHT, values, ES_TEST_PIXELS, NULL));
  if (copy != NULL)
    memcpy (copy, values, ES_TEST_PIXELS * ES_TEST_N_KINDS * sizeof (float));
  return stack;
}

double
es_test_naive_correlation (const float *a, const float *b, const gboolean *counts, guint n)
{
  long double sum_a = 0, sum_b = 0, aa = 0, bb = 0, ab = 0, count = 0;

  for (guint p = 0; p < n; p++)
    if (counts[p])
      {
        sum_a += a[p];
        sum_b += b[p];
        count++;
      }
  for (guint p = 0; p < n; p++)
    if (counts[p])
      {
        aa += (a[p] - sum_a / count) * (a[p] - sum_a / count);
        bb += (b[p] - sum_b / count) * (b[p] - sum_b / count);
        ab += (a[p] - sum_a / count) * (b[p] - sum_b / count);
      }
  return aa > 0 && bb > 0 ? (double) (ab / sqrtl (aa * bb)) : NAN;
}

void
es_test_assert_close (double found, double expected, double tolerance)
{
  if (isnan (expected))
    g_assert_true (isnan (found));
  else
    g_assert_cmpfloat_with_epsilon (found, expected, tolerance * (1 + fabs (expected)));
}
