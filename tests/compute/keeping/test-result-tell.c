/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* What tells results apart. */

#include "eigenscope.h"
#include "keeping/es-result-tell.h"
#include "operations/es-operations.h"
#include "result/es-operation.h"
#include "result/es-result-internal.h"

#include <string.h>

#include "../job/es-test-scene.h"

static char *directory;

static EsResult *
make (EsDataset *cube, const char *id, const char *key, const char *value)
{
  const EsOperation *operation = es_operation_find (id, NULL);
  g_autoptr (EsParams) params = es_params_new (operation->params);
  g_autoptr (GError) error = NULL;

  if (key != NULL)
    es_params_parse (params, key, value, &error);
  g_assert_no_error (error);
  return es_result_new (operation, cube, params);
}

static void
check (EsResult *result, GListStore *results, const char *expected)
{
  g_autofree char *said = es_result_tell_difference (result, G_LIST_MODEL (results));

  g_assert_cmpstr (said, ==, expected);
}

static void
test_difference (void)
{
  EsTestScene scene = { 5, 4, 3, ESK_U8, "bsq", FALSE, NAN, NULL, 0 };
  g_autoptr (EsDataset) cube = NULL;
  g_autoptr (GListStore) list = g_list_store_new (ES_TYPE_RESULT);

  es_test_scene_fill (&scene, 1);
  cube = es_test_scene_open (&scene, directory, "tell");
  es_test_scene_clear (&scene);
  g_autoptr (EsResult) first = make (cube, "pca", "threshold", "0.99");
  g_autoptr (EsResult) second = make (cube, "pca", "threshold", "0.999");
  g_autoptr (EsResult) scaled = make (cube, "pca", "scaling", "correlation");
  g_autoptr (EsResult) mnf = make (cube, "mnf", NULL, NULL);

  /* Alone, it is as anybody's. */
  g_list_store_append (list, first);
  g_list_store_append (list, mnf);
  check (first, list, NULL);
  check (mnf, list, NULL);
  g_list_store_append (list, second);
  check (first, list, "99 %");
  check (second, list, "99.9 %");
  check (mnf, list, NULL);
  g_list_store_remove_all (list);
  g_list_store_append (list, scaled);
  check (scaled, list, "Correlation");
  g_list_store_append (list, second);
  check (second, list, "Covariance, 99.9 %");

  g_autofree char *all = es_result_tell_parameters (second);
  g_assert_nonnull (strstr (all, "Variance kept: 99.90 %"));
}

static void
test_name (void)
{
  EsTestScene scene = { 5, 4, 3, ESK_U8, "bsq", FALSE, NAN, NULL, 0 };
  guint told = 0;

  es_test_scene_fill (&scene, 1);
  g_autoptr (EsDataset) cube = es_test_scene_open (&scene, directory, "name");
  es_test_scene_clear (&scene);
  g_autoptr (EsResult) result = make (cube, "pca", NULL, NULL);
  g_autofree char *title = g_strdup (es_result_get_title (result));

  g_signal_connect_swapped (result, "notify::title", G_CALLBACK (g_atomic_int_inc), &told);
  es_result_set_name (result, "  Mine ");
  g_assert_cmpstr (es_result_get_title (result), ==, "Mine");
  g_assert_cmpstr (es_result_get_found_title (result), ==, title);
  es_result_set_name (result, "Mine");
  g_assert_cmpuint (told, ==, 1);
  es_result_set_name (result, " ");
  g_assert_null (es_result_get_name (result));
  g_assert_cmpstr (es_result_get_title (result), ==, title);
  g_assert_cmpuint (told, ==, 2);
}

int
main (int argc, char **argv)
{
  int status;

  directory = es_test_directory ();
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/compute/keeping/tell/difference", test_difference);
  g_test_add_func ("/compute/keeping/tell/name", test_name);
  status = g_test_run ();
  es_test_remove (directory);
  return status;
}
