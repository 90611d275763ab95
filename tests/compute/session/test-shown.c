/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* What is shown: told once, when all of it is there; what comes in its place; what is in view. */

#include "layer/es-layer-internal.h"
#include "recording/es-recording-internal.h"
#include "operations/es-operations.h"
#include "result/es-result-internal.h"
#include "session/es-shown.h"

typedef struct
{
  EsShown   *shown;
  EsDataset *dataset;
  EsResult  *results[2];             /* each with a curve, then two stacks: "components", "residual" */
  guint      n_changed, n_notified;
  EsResult  *replaced;
} Fixture;

static void
on_changed (EsShown *shown, EsResult *replaced, Fixture *fixture)
{
  fixture->n_changed++;
  fixture->replaced = replaced;
}

static void
on_notified (EsShown *shown, GParamSpec *pspec, Fixture *fixture)
{
  EsResult *result = es_shown_get_result (shown);

  fixture->n_notified++;
  /* Nobody sees a result without its data set. */
  g_assert_true (result == NULL || es_result_get_dataset (result) == es_shown_get_dataset (shown));
}

static void
add_stack (EsResult *result, const char *name)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (EsImageStack) stack = es_image_stack_new (name, name, 2, 2, 1, 0, NULL, &error);

  g_assert_no_error (error);
  es_result_add_layer (result, ES_LAYER (stack));
}

static void
set_up (Fixture *fixture, gconstpointer unused)
{
  static const float samples[8];
  const EsOperation *operation = es_operation_find ("cbf", NULL);
  const double x[] = { 0, 1 };

  fixture->shown = es_shown_new ();
  fixture->dataset = ES_DATASET (es_recording_new_in_memory (samples, ESK_F32, 2, 8000, 4, FALSE, NULL, NULL, NULL));
  g_assert_nonnull (fixture->dataset);
  for (guint i = 0; i < 2; i++)
    {
      g_autoptr (EsParams) params = es_params_new (operation->params);
      g_autoptr (EsCurve) curve = es_curve_new ("eigenvalues", "Eigenvalues", "eigenvalues", 2, x, "Index", NULL);

      fixture->results[i] = es_result_new (operation, fixture->dataset, params);
      es_result_add_layer (fixture->results[i], ES_LAYER (curve));
      add_stack (fixture->results[i], "components");
      add_stack (fixture->results[i], "residual");
    }
  g_signal_connect (fixture->shown, "changed", G_CALLBACK (on_changed), fixture);
  g_signal_connect (fixture->shown, "notify::dataset", G_CALLBACK (on_notified), fixture);
  g_signal_connect (fixture->shown, "notify::result", G_CALLBACK (on_notified), fixture);
  g_signal_connect (fixture->shown, "notify::layer", G_CALLBACK (on_notified), fixture);
}

static void
tear_down (Fixture *fixture, gconstpointer unused)
{
  g_object_unref (fixture->shown);
  g_object_unref (fixture->results[0]);
  g_object_unref (fixture->results[1]);
  g_object_unref (fixture->dataset);
}

static void
test_told_once (Fixture *fixture, gconstpointer unused)
{
  EsLayer *layer = es_result_find_layer (fixture->results[0], "residual");

  g_assert_null (es_shown_get_item (fixture->shown));
  es_shown_set (fixture->shown, fixture->dataset, fixture->results[0], layer);
  g_assert_cmpuint (fixture->n_changed, ==, 1);
  g_assert_cmpuint (fixture->n_notified, ==, 3);
  g_assert_null (fixture->replaced);
  g_assert_true (es_shown_get_item (fixture->shown) == G_OBJECT (layer));
  es_shown_set (fixture->shown, fixture->dataset, fixture->results[0], layer);
  g_assert_cmpuint (fixture->n_changed, ==, 1);

  /* Only what is another is notified. */
  es_shown_set (fixture->shown, fixture->dataset, fixture->results[0], NULL);
  g_assert_cmpuint (fixture->n_changed, ==, 2);
  g_assert_cmpuint (fixture->n_notified, ==, 4);
  es_shown_set (fixture->shown, NULL, NULL, NULL);
  g_assert_null (es_shown_get_dataset (fixture->shown));
  g_assert_cmpuint (fixture->n_changed, ==, 3);
}

static void
test_in_view (Fixture *fixture, gconstpointer unused)
{
  EsResult *result = fixture->results[0];

  es_shown_set (fixture->shown, fixture->dataset, NULL, NULL);
  g_assert_true (es_shown_get_in_view (fixture->shown) == G_OBJECT (fixture->dataset));
  es_shown_set (fixture->shown, fixture->dataset, result, NULL);
  g_assert_true (es_shown_get_item (fixture->shown) == G_OBJECT (result));
  g_assert_true (es_shown_get_in_view (fixture->shown) == G_OBJECT (es_result_find_layer (result, "components")));
  es_shown_set (fixture->shown, fixture->dataset, result, es_result_find_layer (result, "eigenvalues"));
  g_assert_true (es_shown_get_in_view (fixture->shown) == G_OBJECT (es_result_find_layer (result, "eigenvalues")));
}

static void
test_replaced (Fixture *fixture, gconstpointer unused)
{
  es_shown_set (fixture->shown, fixture->dataset, fixture->results[0],
                es_result_find_layer (fixture->results[0], "residual"));
  es_shown_replace (fixture->shown, fixture->results[1]);
  g_assert_true (fixture->replaced == fixture->results[0]);
  g_assert_true (es_shown_get_result (fixture->shown) == fixture->results[1]);
  g_assert_true (es_shown_get_layer (fixture->shown) == es_result_find_layer (fixture->results[1], "residual"));

  es_shown_set (fixture->shown, fixture->dataset, fixture->results[0], NULL);
  g_assert_null (fixture->replaced);
  es_shown_replace (fixture->shown, fixture->results[1]);
  g_assert_true (fixture->replaced == fixture->results[0]);
  g_assert_null (es_shown_get_layer (fixture->shown));
}

static void
test_plane (Fixture *fixture, gconstpointer unused)
{
  g_signal_connect (fixture->shown, "notify::plane", G_CALLBACK (on_notified), fixture);
  es_shown_set_plane (fixture->shown, 3);
  es_shown_set_plane (fixture->shown, 3);
  g_assert_cmpuint (es_shown_get_plane (fixture->shown), ==, 3);
  g_assert_cmpuint (fixture->n_notified, ==, 1);
  g_assert_cmpuint (fixture->n_changed, ==, 0);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add ("/shown/told-once", Fixture, NULL, set_up, test_told_once, tear_down);
  g_test_add ("/shown/in-view", Fixture, NULL, set_up, test_in_view, tear_down);
  g_test_add ("/shown/replaced", Fixture, NULL, set_up, test_replaced, tear_down);
  g_test_add ("/shown/plane", Fixture, NULL, set_up, test_plane, tear_down);
  return g_test_run ();
}
