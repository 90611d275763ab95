/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-test-scene.h"
#include "operations/es-operations.h"

#include <math.h>
#include <string.h>

/* Invariants of every parameter table: what the panel, the command line and the files rely on. */
static void
check_table (const EsParamSpec *specs)
{
  for (const EsParamSpec *spec = specs; spec->type != ES_PARAM_END; spec++)
    {
      g_assert_nonnull (spec->key);
      g_assert_true (g_regex_match_simple ("^[a-z][a-z0-9-]*$", spec->key, 0, 0));
      g_assert_true (es_param_specs_find (specs, spec->key) == spec);
      g_assert_true (spec->label != NULL && *spec->label != '\0');
      g_assert_true (spec->help != NULL && g_str_has_suffix (spec->help, "."));
      g_assert_cmpint (spec->group, <, ES_PARAM_N_GROUPS);
      g_assert_true (isfinite (spec->minimum) && isfinite (spec->maximum));
      if (spec->type == ES_PARAM_FLOAT || spec->type == ES_PARAM_INT)
        {
          g_assert_cmpfloat (spec->minimum, <=, spec->default_value);
          g_assert_cmpfloat (spec->default_value, <=, spec->maximum);
          g_assert_cmpfloat (spec->step, >=, 0);
          g_assert_cmpint (spec->digits, >=, 0);
        }
      else
        g_assert_true (spec->minimum == 0 && spec->maximum == 0 && spec->step == 0 && spec->digits == 0);
      if (spec->type == ES_PARAM_REGION)
        g_assert_true (spec->check != NULL && spec->describe != NULL);
      g_assert_true ((spec->choices != NULL) == (spec->type == ES_PARAM_CHOICE));
      if (spec->choices != NULL)
        {
          guint n = 0;
          for (; spec->choices[n].id != NULL; n++)
            g_assert_true (spec->choices[n].label != NULL);
          g_assert_cmpfloat (spec->default_value, >=, 0);
          g_assert_cmpfloat (spec->default_value, <, n);
        }
      if (spec->visible_if != NULL)
        {
          g_auto (GStrv) condition = g_strsplit (spec->visible_if, "=", 2);
          g_autoptr (EsParams) params = es_params_new (specs);
          g_assert_nonnull (condition[1]);
          g_assert_nonnull (es_param_specs_find (specs, condition[0]));
          g_auto (GStrv) values = g_strsplit (condition[1], "|", -1);
          for (guint i = 0; values[i] != NULL; i++)
            g_assert_true (es_params_parse (params, condition[0], values[i], NULL));
        }
    }
}

static void
test_registry (void)
{
  const EsOperation * const *operations = es_operations_get ();

  g_assert_nonnull (operations[0]);
  for (guint i = 0; operations[i] != NULL; i++)
    {
      const EsOperation *operation = operations[i];

      g_assert_true (g_regex_match_simple ("^[a-z][a-z0-9-]*$", operation->id, 0, 0));
      g_assert_true (es_operation_find (operation->id, NULL) == operation);
      g_assert_true (operation->title != NULL && operation->short_title != NULL && operation->summary != NULL);
      g_assert_cmpuint (operation->version, >=, 1);
      g_assert_cmpuint (operation->takes, !=, 0);
      g_assert_true (operation->plan != NULL && operation->run != NULL);
      check_table (operation->params);
    }
  check_table (es_simulate_cube_params);
}

static void
test_unknown (void)
{
  g_autoptr (GError) error = NULL;

  g_assert_null (es_operation_find ("no-such-thing", &error));
  g_assert_error (error, ES_COMPUTE_ERROR, ES_COMPUTE_ERROR_OPERATION);
  g_assert_nonnull (strstr (error->message, "pca"));
  g_clear_error (&error);
  g_assert_null (es_device_find ("cuda:99", &error));
  g_assert_error (error, ES_COMPUTE_ERROR, ES_COMPUTE_ERROR_DEVICE);
  g_assert_nonnull (strstr (error->message, "cpu"));
}

static void
test_devices (void)
{
  GListModel *devices = es_devices_get ();
  guint n = g_list_model_get_n_items (devices);

  g_assert_cmpuint (n, >=, 1);
  g_autoptr (EsDevice) last = g_list_model_get_item (devices, n - 1);
  g_assert_cmpstr (es_device_get_id (last), ==, "cpu");
  g_assert_true (last == es_device_get_cpu ());
  g_assert_cmpuint (es_device_get_lanes (last), >=, 1);
  g_assert_cmpuint (es_device_get_memory (last), >, 1 << 20);
  g_assert_cmpfloat (es_device_get_flops (last), >, 1e8);
  g_assert_cmpfloat (es_device_get_bandwidth (last), >, 1e7);
}

/* A plan is pure, positive and grows with what it is asked for. */
static void
test_plan (void)
{
  g_autofree char *directory = es_test_directory ();
  EsTestScene scene = { 60, 50, 12, ESK_I16, "bil", FALSE, NAN, NULL, 0 };
  const EsOperation *pca = es_operation_find ("pca", NULL);
  g_autoptr (EsParams) params = es_params_new (pca->params);

  es_test_scene_fill (&scene, 1);
  {
    g_autoptr (EsDataset) cube = es_test_scene_open (&scene, directory, "cube");
    EsPlan plan = pca->plan (cube, params, es_device_get_cpu (), NULL);
    EsPlan again = pca->plan (cube, params, es_device_get_cpu (), NULL);
    EsLimits little = { .memory = 1 << 20 };
    EsPlan small = pca->plan (cube, params, es_device_get_cpu (), &little);

    g_assert_cmpuint (plan.memory, ==, again.memory);
    g_assert_cmpuint (plan.tiles, ==, again.tiles);
    g_assert_cmpfloat (plan.seconds, ==, again.seconds);
    g_assert_cmpuint (plan.passes, ==, 2);
    g_assert_cmpuint (plan.read_bytes, ==, 2 * 60 * 50 * 12 * 2);
    g_assert_cmpuint (plan.tile_width, ==, 60);
    g_assert_cmpfloat (plan.flops, >, 60 * 50 * 12 * 12);
    g_assert_cmpfloat (plan.seconds, >, 0);
    g_assert_cmpuint (small.memory, <=, 1 << 20);
    es_params_set_value (params, "quantise", 1);
    g_assert_cmpuint (pca->plan (cube, params, es_device_get_cpu (), NULL).passes, ==, 3);
  }
  es_test_scene_clear (&scene);
  es_test_remove (directory);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/operations/registry", test_registry);
  g_test_add_func ("/operations/unknown", test_unknown);
  g_test_add_func ("/operations/devices", test_devices);
  g_test_add_func ("/operations/plan", test_plan);
  return g_test_run ();
}
