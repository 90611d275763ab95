/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-test-device-jobs.h"

#include <math.h>
#include <string.h>

#include "job/es-job-internal.h"
#include "layer/es-layer-internal.h"

char *es_test_jobs_directory;

EsTestScene es_test_jobs_scene = { 120, 90, 24, ESK_I16, "bsq", FALSE, NAN, NULL, 0 };

EsDataset *
es_test_jobs_open_scene (void)
{
  return es_test_scene_open (&es_test_jobs_scene, es_test_jobs_directory, "scene");
}

void
es_test_jobs_assert_warnings (EsResult *result, guint n, const char *last_has)
{
  const char * const *warnings = es_result_get_warnings (result);

  g_assert_cmpuint (warnings != NULL ? g_strv_length ((char **) warnings) : 0, ==, n);
  for (guint i = 0; i < n; i++)
    g_test_message ("%s", warnings[i]);
  if (n > 0)
    g_assert_nonnull (strstr (warnings[n - 1], last_has));
}

gboolean
es_test_jobs_has_stage (EsResult *result, const char *name)
{
  guint n;
  const EsStageTime *stages = es_result_get_stages (result, &n);

  for (guint i = 0; i < n; i++)
    if (g_str_equal (stages[i].name, name))
      return TRUE;
  return FALSE;
}
