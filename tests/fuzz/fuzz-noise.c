/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <math.h>

#include "es-fuzz.h"
#include "operations/reduction/es-noise-statistics-private.h"

/* The bytes are the noise statistics of an earlier MNF, alone or in its result.json. */

int
LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
  g_autofree char *path = es_fuzz_write ("x.json", data, size);
  g_autoptr (GFile) file = g_file_new_for_path (path);
  g_autoptr (GError) error = NULL;
  g_autoptr (EsNoiseStatistics) statistics = es_noise_statistics_load (file, &error);

  if (statistics == NULL)
    {
      es_fuzz_check_error (error);
      return 0;
    }
  g_assert_no_error (error);

  static const guint32 bands[] = { 0, 1, 2, 3 };
  for (gsize i = 0; i < (gsize) statistics->n * statistics->n; i++)
    g_assert_true (isfinite (statistics->covariance[i]));
  for (guint i = 0; i < statistics->n; i++)
    g_assert_cmpuint (statistics->bands[i], <, statistics->cube_bands);
  if (!es_noise_statistics_fit (statistics, "x.json", ES_CUBE (es_fuzz_cube ()), 4, bands, NULL, NULL, &error))
    es_fuzz_check_error (error);
  return 0;
}
