/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-test-mvdr.h"

#include <string.h>

#include "layer/es-layer-internal.h"

EsArray *
es_test_mvdr_make_line (guint n)
{
  g_autoptr (GError) error = NULL;
  EsArray *array = es_array_new_line (n, 1.5, 0, &error);

  g_assert_no_error (error);
  return array;
}

EsRecording *
es_test_mvdr_make_pair (guint seconds)
{
  g_autoptr (EsArray) array = es_test_mvdr_make_line (32);
  g_autoptr (EsTestSonar) sonar = es_test_sonar_new (array, ES_TEST_MVDR_RATE, ES_TEST_MVDR_RATE * seconds, 1500);

  es_test_sonar_add_noise (sonar, es_test_place_far (array, 88.75), 300, 500, 0.01, 4);
  es_test_sonar_add_noise (sonar, es_test_place_far (array, 91.25), 300, 500, 0.01, 5);
  /* As dense over the whole of 1 kHz as a hundredth of a source in its 200 Hz. */
  es_test_sonar_add_white (sonar, 0.0005, 6);
  return es_test_sonar_record (sonar, ESK_F32, 1);
}

EsResult *
es_test_mvdr_run (EsRecording *recording, const char *device, EsParams *params)
{
  g_autoptr (GError) error = NULL;
  EsResult *result = es_test_run_beams ("mvdr", recording, device, NULL, params, &error);

  g_assert_no_error (error);
  return result;
}

EsField *
es_test_mvdr_field_of (EsResult *result, const char *name)
{
  EsLayer *layer = es_result_find_layer (result, name);

  g_assert_true (ES_IS_FIELD (layer));
  g_assert_cmpstr (es_field_get_role (ES_FIELD (layer)), ==, name);
  return ES_FIELD (layer);
}

EsTable *
es_test_mvdr_table_of (EsResult *result, const char *name)
{
  EsLayer *layer = es_result_find_layer (result, name);

  g_assert_true (ES_IS_TABLE (layer));
  return ES_TABLE (layer);
}

guint
es_test_mvdr_count_peaks (EsResult *result, const char *list)
{
  return json_array_get_length (json_object_get_array_member (es_result_get_values (result), list));
}

gboolean
es_test_mvdr_has_warning (EsResult *result, const char *text)
{
  const char *const *warnings = es_result_get_warnings (result);
  gboolean found = FALSE;

  for (guint i = 0; warnings != NULL && warnings[i] != NULL; i++)
    found = found || strstr (warnings[i], text) != NULL;
  return found;
}

void
es_test_mvdr_add (const char *name, void (*function) (gconstpointer))
{
  for (guint i = 0; i < G_N_ELEMENTS (es_test_mvdr_devices); i++)
    {
      /* A machine with one real card has no "all". */
      if (es_device_find (es_test_mvdr_devices[i], NULL) == NULL)
        continue;
      g_autofree char *path = g_strdup_printf ("/mvdr/%s/%s", name, es_test_mvdr_devices[i]);
      g_test_add_data_func (path, es_test_mvdr_devices[i], function);
    }
}
