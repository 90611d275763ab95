/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-test-reconstruct.h"
#include "operations/es-operations.h"

#include <math.h>

EsTestScene
es_test_small_scene (EskType type, const char *interleave)
{
  return (EsTestScene) { .width = 41, .height = 37, .bands = 9, .type = type, .interleave = interleave,
                         .no_data = type == ESK_F32 ? NAN : 0, .bad_bands = es_test_bad_bands, .missing = 0.05 };
}

EsResult *
es_test_run (const char *operation_id, EsDataset *dataset, const char *device, EsResult *source, EsResult *previous,
             GError **error, ...)
{
  const EsOperation *operation = es_operation_find (operation_id, NULL);
  g_autoptr (EsParams) params = es_params_new (operation->params);
  EsDevice *found = es_device_find (device, NULL);
  va_list arguments;
  const char *key;

  va_start (arguments, error);
  while ((key = va_arg (arguments, const char *)) != NULL)
    {
      g_autoptr (GError) local = NULL;
      es_params_parse (params, key, va_arg (arguments, const char *), &local);
      g_assert_no_error (local);
    }
  va_end (arguments);

  g_assert_nonnull (found);
  g_autoptr (EsJob) job = es_job_new (operation, dataset, params, found, NULL, previous);
  if (source != NULL)
    es_job_set_source (job, source);
  EsResult *result = es_job_run (job, error);
  while (g_main_context_iteration (NULL, FALSE))
    ;
  return result;
}

EsImageStack *
es_test_stack_of (EsResult *result, const char *name)
{
  EsLayer *layer = es_result_find_layer (result, name);

  g_assert_true (ES_IS_IMAGE_STACK (layer));
  return ES_IMAGE_STACK (layer);
}

double
es_test_value_of (EsResult *result, const char *name)
{
  return json_object_get_double_member (es_result_get_values (result), name);
}
