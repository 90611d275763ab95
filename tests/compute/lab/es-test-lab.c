/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-test-lab.h"

#include <math.h>
#include <string.h>

#include "job/es-job.h"

EsMachine *
es_test_lab_machine (void)
{
  g_autoptr (GError) error = NULL;
  EsMachine *machine = es_machine_open ("cuda:0", &error);

  g_assert_no_error (error);
  return machine;
}

static EsResult *
run_on (const char *device, const char *id, va_list settings)
{
  const EsOperation *operation = es_operation_find (id, NULL);
  g_autoptr (EsMachine) machine = NULL;
  g_autoptr (EsParams) params = NULL;
  g_autoptr (EsJob) job = NULL;
  g_autoptr (GError) error = NULL;
  EsResult *result;

  g_assert_nonnull (operation);
  machine = es_machine_open (device, &error);
  g_assert_no_error (error);
  params = es_params_new (operation->params);
  for (const char *key; (key = va_arg (settings, const char *)) != NULL;)
    {
      es_params_parse (params, key, va_arg (settings, const char *), &error);
      g_assert_no_error (error);
    }
  job = es_job_new (operation, ES_DATASET (machine), params, NULL, NULL, NULL);
  result = es_job_run (job, &error);
  g_assert_no_error (error);
  return result;
}

EsResult *
es_test_lab_run (const char *id, ...)
{
  va_list settings;
  EsResult *result;

  va_start (settings, id);
  result = run_on ("cuda:0", id, settings);
  va_end (settings);
  return result;
}

EsResult *
es_test_lab_run_on_cpu (const char *id, ...)
{
  va_list settings;
  EsResult *result;

  va_start (settings, id);
  result = run_on ("cpu", id, settings);
  va_end (settings);
  return result;
}

gint
es_test_lab_find (EsResult *result, const char *part)
{
  EsLayer *layer = es_result_find_layer (result, "verdict");

  for (guint i = 0; layer != NULL && i < es_verdict_get_n (ES_VERDICT (layer)); i++)
    if (strstr (es_verdict_get_sentence (ES_VERDICT (layer), i), part) != NULL)
      return (gint) i;
  return -1;
}

void
es_test_lab_says (EsResult *result, EsVerdictState state, const char *part)
{
  EsLayer *layer = es_result_find_layer (result, "verdict");
  const gint at = es_test_lab_find (result, part);

  for (guint i = 0; at < 0 && layer != NULL && i < es_verdict_get_n (ES_VERDICT (layer)); i++)
    g_test_message ("it says: %s", es_verdict_get_sentence (ES_VERDICT (layer), i));
  if (at < 0)
    g_error ("no sentence has “%s”", part);
  g_test_message ("%s", es_verdict_get_sentence (ES_VERDICT (layer), (guint) at));
  g_assert_cmpint (es_verdict_get_state (ES_VERDICT (layer), (guint) at), ==, state);
}

double
es_test_lab_figure (EsResult *result, const char *group, const char *name, double x)
{
  JsonArray *figures = json_object_get_array_member (es_result_get_values (result), "figures");

  for (guint i = 0; i < json_array_get_length (figures); i++)
    {
      JsonObject *figure = json_array_get_object_element (figures, i);

      if (g_str_equal (json_object_get_string_member (figure, "group"), group)
          && g_str_equal (json_object_get_string_member (figure, "name"), name)
          && (isnan (x) ? !json_object_has_member (figure, "x")
              : json_object_has_member (figure, "x")
                && fabs (json_object_get_double_member (figure, "x") - x) <= 1e-9 * x))
        return json_object_get_double_member (figure, "value");
    }
  return NAN;
}

EsTable *
es_test_lab_table (EsResult *result, const char *name)
{
  EsLayer *layer = es_result_find_layer (result, name);

  g_assert_true (ES_IS_TABLE (layer));
  return ES_TABLE (layer);
}
