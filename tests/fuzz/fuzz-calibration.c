/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <math.h>

#include "calibration/es-calibration.h"
#include "es-fuzz.h"

/* The bytes are a calibration, in Eigenscope's own JSON or as a table. One that loads goes to JSON and back
 * unharmed. */

int
LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
  g_autofree char *path = es_fuzz_write ("x.json", data, size), *table = NULL;
  g_autoptr (GFile) file = g_file_new_for_path (path);
  const EsCalibrationNumbers over = { -180, NAN, 1, NAN };
  EsCalibrationNumbers common;
  g_autoptr (GError) error = NULL, other = NULL;
  g_autoptr (EsCalibration) calibration = es_calibration_load (file, NULL, &error);
  g_autoptr (EsCalibration) mended = es_calibration_load (file, &over, &other);

  if (mended == NULL)
    es_fuzz_check_error (other);
  if (calibration == NULL)
    {
      es_fuzz_check_error (error);
      return 0;
    }
  g_assert_no_error (error);
  g_assert_true (es_calibration_read (file, &common, &table, &error));
  g_assert_no_error (error);

  g_autoptr (JsonNode) node = es_calibration_to_node (calibration);
  g_autoptr (EsCalibration) again = es_calibration_from_node (node, &error);
  g_assert_no_error (error);
  g_assert_true (es_calibration_equal (calibration, again));
  g_assert_true (es_calibration_get_reference (calibration) > 0);
  g_autofree char *words = es_calibration_describe (calibration, 3);
  g_autofree char *missing = es_calibration_tell_missing (calibration, 3);
  g_assert_true (g_utf8_validate (words, -1, NULL));
  g_assert_true (missing == NULL || g_utf8_validate (missing, -1, NULL));
  for (guint i = 0; i < 5; i++)
    {
      const double upa = es_calibration_get_upa (calibration, i);
      g_assert_true (isnan (upa) || (upa >= 1e-6 && upa <= 1e15));
    }
  return 0;
}
