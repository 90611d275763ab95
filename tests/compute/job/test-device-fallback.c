/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* Who computes next where something failed; with two cards of host memory, 256 MiB each, for ES_CUDA_MODULE names the
 * module of tests/kernels/fake. */

#include "base/es-error.h"
#include "device/es-device-internal.h"
#include "job/es-device-fallback-internal.h"

static EsFallback
fall_back (const char *id, GQuark domain, int code, EsFallbackFor what_for, guint64 *memory)
{
  g_autoptr (GError) error = g_error_new (domain, code, "A trial.");

  return es_device_fall_back (id != NULL ? es_device_find (id, NULL) : NULL, error, what_for, memory);
}

static void
test_kinds (void)
{
  /* What the CPU makes up for, from which kind of failing on. */
  static const struct { EsComputeError code; EsFallbackFor from; } cases[] = {
    { ES_COMPUTE_ERROR_MEMORY, ES_FALLBACK_FOR_MEMORY }, { ES_COMPUTE_ERROR_DEVICE, ES_FALLBACK_FOR_DEVICE },
    { ES_COMPUTE_ERROR_NUMERIC, ES_FALLBACK_FOR_ANYTHING }, { ES_COMPUTE_ERROR_OPERATION, ES_FALLBACK_FOR_ANYTHING },
    { ES_COMPUTE_ERROR_PARAMETER, ES_FALLBACK_FOR_ANYTHING + 1 },
  };

  for (EsFallbackFor what_for = ES_FALLBACK_FOR_MEMORY; what_for <= ES_FALLBACK_FOR_ANYTHING; what_for++)
    {
      for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
        {
          const EsFallback expected = what_for >= cases[i].from ? ES_FALLBACK_CPU : ES_FALLBACK_NONE;

          g_assert_cmpint (fall_back ("cuda:0", ES_COMPUTE_ERROR, cases[i].code, what_for, NULL), ==, expected);
          g_assert_cmpint (fall_back ("cuda:all", ES_COMPUTE_ERROR, cases[i].code, what_for, NULL), ==, expected);
          g_assert_cmpint (fall_back ("cpu", ES_COMPUTE_ERROR, cases[i].code, what_for, NULL), ==, ES_FALLBACK_NONE);
          g_assert_cmpint (fall_back (NULL, ES_COMPUTE_ERROR, cases[i].code, what_for, NULL), ==, ES_FALLBACK_NONE);
        }
      /* Nothing is wrong with the device. */
      g_assert_cmpint (fall_back ("cuda:0", ES_DATA_ERROR, ES_DATA_ERROR_EMPTY, what_for, NULL), ==, ES_FALLBACK_NONE);
      g_assert_cmpint (fall_back ("cuda:0", G_IO_ERROR, G_IO_ERROR_CANCELLED, what_for, NULL), ==, ES_FALLBACK_NONE);
    }
}

static void
test_memory (void)
{
  EsDevice *card = es_device_find ("cuda:0", NULL);
  const guint64 budget = es_device_get_budget (card);
  guint64 memory = 0;

  g_assert_cmpuint (budget, >, 4 * ES_DEVICE_LEAST_MEMORY);
  g_assert_cmpint (fall_back ("cuda:0", ES_COMPUTE_ERROR, ES_COMPUTE_ERROR_MEMORY, ES_FALLBACK_FOR_MEMORY, &memory), ==,
                   ES_FALLBACK_LESS_MEMORY);
  g_assert_cmpuint (memory, ==, budget / 4);

  /* Of all together each has an equal share. */
  memory = 0;
  g_assert_cmpint (fall_back ("cuda:all", ES_COMPUTE_ERROR, ES_COMPUTE_ERROR_MEMORY, ES_FALLBACK_FOR_MEMORY, &memory),
                   ==, ES_FALLBACK_LESS_MEMORY);
  g_assert_cmpuint (memory, ==, budget / 4);

  /* Of what somebody allowed. */
  memory = 4 * ES_DEVICE_LEAST_MEMORY;
  g_assert_cmpint (fall_back ("cuda:0", ES_COMPUTE_ERROR, ES_COMPUTE_ERROR_MEMORY, ES_FALLBACK_FOR_DEVICE, &memory), ==,
                   ES_FALLBACK_LESS_MEMORY);
  g_assert_cmpuint (memory, ==, ES_DEVICE_LEAST_MEMORY);

  /* Too little to try with. */
  g_assert_cmpint (fall_back ("cuda:0", ES_COMPUTE_ERROR, ES_COMPUTE_ERROR_MEMORY, ES_FALLBACK_FOR_DEVICE, &memory), ==,
                   ES_FALLBACK_CPU);
  g_assert_cmpuint (memory, ==, ES_DEVICE_LEAST_MEMORY);

  /* Less memory mends nothing else. */
  memory = 0;
  g_assert_cmpint (fall_back ("cuda:0", ES_COMPUTE_ERROR, ES_COMPUTE_ERROR_DEVICE, ES_FALLBACK_FOR_DEVICE, &memory), ==,
                   ES_FALLBACK_CPU);
  g_assert_cmpint (fall_back ("cuda:0", ES_COMPUTE_ERROR, ES_COMPUTE_ERROR_DEVICE, ES_FALLBACK_FOR_MEMORY, &memory), ==,
                   ES_FALLBACK_NONE);
  g_assert_cmpuint (memory, ==, 0);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/device-fallback/kinds", test_kinds);
  g_test_add_func ("/device-fallback/memory", test_memory);
  return g_test_run ();
}
