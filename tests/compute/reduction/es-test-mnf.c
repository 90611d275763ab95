/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "es-test-mnf.h"
#include "operations/es-operations.h"

#include <math.h>
#include <string.h>

EsResult *
es_test_mnf_run (EsDataset *dataset, const char *device, const EsLimits *limits, EsResult *previous, GError **error,
                 const char *parameters)
{
  const EsOperation *mnf = es_operation_find ("mnf", NULL);
  g_autoptr (EsParams) params = es_params_new (mnf->params);
  g_auto (GStrv) pairs = g_strsplit (parameters, "; ", -1);

  for (guint i = 0; pairs[i] != NULL && *pairs[i] != '\0'; i++)
    {
      g_auto (GStrv) pair = g_strsplit (pairs[i], "=", 2);
      g_autoptr (GError) local = NULL;
      es_params_parse (params, pair[0], pair[1], &local);
      g_assert_no_error (local);
    }

  EsDevice *found = es_device_find (device, NULL);
  g_assert_nonnull (found);
  g_autoptr (EsJob) job = es_job_new (mnf, dataset, params, found, limits, previous);
  EsResult *result = es_job_run (job, error);
  while (g_main_context_iteration (NULL, FALSE))
    ;
  return result;
}

EsResult *
es_test_mnf_run_well (EsDataset *dataset, const char *parameters)
{
  g_autoptr (GError) error = NULL;
  EsResult *result = es_test_mnf_run (dataset, "cpu", NULL, NULL, &error, parameters);

  g_assert_no_error (error);
  return result;
}

JsonArray *
es_test_values (EsResult *result, const char *name)
{
  return json_object_get_array_member (es_result_get_values (result), name);
}

gint64
es_test_number (EsResult *result, const char *name)
{
  return json_object_get_int_member (es_result_get_values (result), name);
}

double
es_test_value (EsResult *result, const char *name, guint i)
{
  return json_array_get_double_element (es_test_values (result, name), i);
}

EsNoiseStatistics *
es_test_noise (EsResult *result)
{
  JsonNode *node = json_object_get_member (es_result_get_values (result), "noise_statistics");
  g_autoptr (GError) error = NULL;
  EsNoiseStatistics *noise = es_noise_statistics_from_json (node, "a test", &error);

  g_assert_no_error (error);
  return noise;
}

static const char *
noise_text (EsResult *result)
{
  return json_object_get_string_member (json_object_get_object_member (es_result_get_values (result),
                                                                       "noise_statistics"), "covariance");
}

double
es_test_largest_difference (const double *a, const double *b, gsize n)
{
  double scale = 0, difference = 0;

  for (gsize i = 0; i < n; i++)
    {
      scale = fmax (scale, fabs (b[i]));
      difference = fmax (difference, fabs (a[i] - b[i]));
    }
  return difference / scale;
}

/* tolerance: of eigenvalues, relative. */
static void
assert_near (EsResult *a, EsResult *b, double tolerance)
{
  g_assert_cmpstr (noise_text (a), ==, noise_text (b));
  g_assert_cmpint (es_test_number (a, "noise_count"), ==, es_test_number (b, "noise_count"));
  g_assert_cmpuint (json_array_get_length (es_test_values (a, "eigenvalues")), ==,
                    json_array_get_length (es_test_values (b, "eigenvalues")));
  for (guint i = 0; i < json_array_get_length (es_test_values (a, "eigenvalues")); i++)
    g_assert_cmpfloat (fabs (es_test_value (a, "eigenvalues", i) - es_test_value (b, "eigenvalues", i)), <=,
                       tolerance * es_test_value (b, "eigenvalues", i));
}

void
es_test_mnf_assert_same (EsResult *a, EsResult *b)
{
  assert_near (a, b, 0);
}

void
es_test_mnf_assert_alike (EsResult *a, EsResult *b)
{
  assert_near (a, b, 1e-11);
}

void
es_test_mnf_refuse (EsDataset *cube, const char *parameters, GQuark domain, int code)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (EsResult) result = es_test_mnf_run (cube, "cpu", NULL, NULL, &error, parameters);

  g_assert_null (result);
  g_assert_error (error, domain, code);
  g_test_message ("%s", error->message);
}
