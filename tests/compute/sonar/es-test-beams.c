/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-test-beams.h"
#include "operations/es-operations.h"

#include <math.h>

EsParams *
es_test_beam_params (const char *operation, ...)
{
  g_autoptr (GError) error = NULL;
  const EsOperation *found = es_operation_find (operation, &error);
  EsParams *params;
  va_list arguments;
  const char *key;

  g_assert_no_error (error);
  params = es_params_new (found->params);
  va_start (arguments, operation);
  while ((key = va_arg (arguments, const char *)) != NULL)
    {
      es_params_parse (params, key, va_arg (arguments, const char *), &error);
      g_assert_no_error (error);
    }
  va_end (arguments);
  return params;
}

EsResult *
es_test_run_beams (const char *operation, EsRecording *recording, const char *device, const EsLimits *limits,
                   EsParams *params, GError **error)
{
  g_autoptr (GError) local_error = NULL;
  EsDevice *found = es_device_find (device, &local_error);
  EsResult *result;

  g_assert_no_error (local_error);
  {
    g_autoptr (EsJob) job = es_job_new (es_operation_find (operation, NULL), ES_DATASET (recording), params, found,
                                        limits, NULL);
    result = es_job_run (job, error);
  }
  while (g_main_context_iteration (NULL, FALSE))
    ;
  return result;
}

double
es_test_peak (EsResult *result, guint i, const char *member)
{
  JsonArray *peaks = json_object_get_array_member (es_result_get_values (result), "peaks");

  g_assert_cmpuint (i, <, json_array_get_length (peaks));
  JsonObject *peak = json_array_get_object_element (peaks, i);
  g_assert_true (json_object_has_member (peak, member));
  return json_object_get_null_member (peak, member) ? NAN : json_object_get_double_member (peak, member);
}

double
es_test_value (EsResult *result, const char *member)
{
  g_assert_true (json_object_has_member (es_result_get_values (result), member));
  return json_object_get_double_member (es_result_get_values (result), member);
}
