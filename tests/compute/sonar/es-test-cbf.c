/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-test-cbf.h"

EsArray *
es_test_cbf_make_line (guint n, double spacing)
{
  g_autoptr (GError) error = NULL;
  EsArray *array = es_array_new_line (n, spacing, 0, &error);

  g_assert_no_error (error);
  return array;
}

EsResult *
es_test_cbf_run (EsRecording *recording, const char *device, EsParams *params)
{
  g_autoptr (GError) error = NULL;
  EsResult *result = es_test_run_beams ("cbf", recording, device, NULL, params, &error);

  g_assert_no_error (error);
  return result;
}

void
es_test_cbf_add (const char *name, void (*function) (gconstpointer))
{
  for (guint i = 0; i < G_N_ELEMENTS (es_test_cbf_devices); i++)
    {
      /* A machine with one real card has no "all". */
      if (es_device_find (es_test_cbf_devices[i], NULL) == NULL)
        continue;
      g_autofree char *path = g_strdup_printf ("/cbf/%s/%s", name, es_test_cbf_devices[i]);
      g_test_add_data_func (path, es_test_cbf_devices[i], function);
    }
}
