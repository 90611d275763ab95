/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Components that a GPU computed, on their way to a picture: they stay there, nothing keeps a result that has been
 * removed, and where the GPU fails the host's copy is shown. ES_CUDA_MODULE is the fake back end.
 */
#include "config.h"

#include <math.h>

#include "layer/es-layer-internal.h"
#include "image/es-plane-loader.h"
#include "plane/es-plane-internal.h"
#include "es-test-cube.h"
#include "operations/es-operations.h"

static EsDevice *
get_gpu (void)
{
  GListModel *devices = es_devices_get ();
  g_autoptr (EsDevice) device = g_list_model_get_item (devices, 0);

  g_assert_cmpint (es_device_get_kind (device), ==, ES_DEVICE_GPU);
  return device;               /* devices live as long as the program */
}

static EsResult *
run_pca (EsTestCube *test)
{
  g_autoptr (GError) error = NULL;
  const EsOperation *operation = es_operation_find ("pca", &error);
  g_autoptr (EsParams) params = es_params_new (operation->params);
  g_autoptr (EsJob) job = NULL;
  EsResult *result;

  es_params_set_value (params, "threshold", 0.999);
  job = es_job_new (operation, ES_DATASET (test->cube), params, get_gpu (), NULL, NULL);
  result = es_job_run (job, &error);
  g_assert_no_error (error);
  return result;
}

typedef struct
{
  EsPlaneSet set;              /* as it was loaded last; references on the planes */
  guint n_loaded, n_failed;
} Seen;

static void
forget (Seen *seen)
{
  for (guint i = 0; i < 3; i++)
    g_clear_pointer (&seen->set.ready[i], es_plane_unref);
}

static void
on_loaded (EsPlaneLoader *loader, const EsPlaneSet *set, Seen *seen)
{
  forget (seen);
  seen->set = *set;
  for (guint i = 0; i < set->n_planes; i++)
    es_plane_ref (set->ready[i]);
  seen->n_loaded++;
}

static void
on_failed (EsPlaneLoader *loader, const GError *error, Seen *seen)
{
  g_test_message ("%s", error->message);
  seen->n_failed++;
}

static EsPlaneLoader *
make_loader (Seen *seen)
{
  EsPlaneLoader *loader = es_plane_loader_new ();

  g_signal_connect (loader, "loaded", G_CALLBACK (on_loaded), seen);
  g_signal_connect (loader, "failed", G_CALLBACK (on_failed), seen);
  return loader;
}

static void
load (EsPlaneLoader *loader, EsPlaneSource *source, guint plane)
{
  es_plane_loader_load (loader, source, 1, &plane);
  while (es_plane_loader_is_busy (loader))
    g_main_context_iteration (NULL, TRUE);
}

static void
assert_plane (EsPlane *plane, EsImageStack *stack, guint which)
{
  guint width = es_image_stack_get_width (stack), height = es_image_stack_get_height (stack);
  g_autofree float *expected = g_new (float, width * height);
  g_autoptr (GError) error = NULL;

  g_assert_true (es_image_stack_read (stack, which, 0, 0, width, height, 1, expected, &error));
  g_assert_no_error (error);
  for (guint y = 0; y < height; y++)
    for (guint x = 0; x < width; x++)
      {
        float value = es_plane_get_sample (plane, x, y), wanted = expected[y * width + x];

        g_assert_true (value == wanted || (isnan (value) && isnan (wanted)));
      }
}

static void
test_stays (void)
{
  g_autoptr (EsTestCube) test = es_test_cube_new ();
  g_autoptr (EsResult) result = run_pca (test);
  EsImageStack *stack = ES_IMAGE_STACK (es_result_find_layer (result, "components"));
  g_autoptr (EsPlaneSource) source = es_plane_source_new_for_stack (stack);
  g_autoptr (EsPlaneSource) cube = es_plane_source_new_for_cube (test->cube);
  Seen seen = { .n_loaded = 0 };
  g_autoptr (EsPlaneLoader) loader = make_loader (&seen);

  g_assert_null (es_plane_source_get_device_plane (cube, 0, 1));
  g_assert_null (es_plane_source_get_device_plane (source, 0, 2));
  for (guint plane = 0; plane < es_image_stack_get_planes (stack); plane++)
    {
      load (loader, source, plane);
      g_assert_cmpuint (seen.n_loaded, ==, plane + 1);
      g_assert_true (es_plane_get_device (seen.set.ready[0]) == get_gpu ());
      g_assert_null (seen.set.ready[0]->levels[0].values);
      g_assert_cmpuint (seen.set.ready[0]->statistics->n_valid, >, 96 * 80 / 2);
      assert_plane (seen.set.ready[0], stack, plane);
    }

  /* A picture that cannot take them from there has them on the host. */
  g_setenv ("ES_UPLOADER", "memory", TRUE);
  load (loader, source, 0);
  g_unsetenv ("ES_UPLOADER");
  g_assert_null (es_plane_get_device (seen.set.ready[0]));
  assert_plane (seen.set.ready[0], stack, 0);
  forget (&seen);
}

static void
test_removed (void)
{
  g_autoptr (EsTestCube) test = es_test_cube_new ();
  EsResult *result = run_pca (test);
  EsImageStack *stack = ES_IMAGE_STACK (es_result_find_layer (result, "components"));
  gsize bytes = es_image_stack_get_planes (stack) * 96 * 80 * sizeof (float);
  EsPlaneSource *source = es_plane_source_new_for_stack (stack);
  Seen seen = { .n_loaded = 0 };
  g_autoptr (EsPlaneLoader) loader = make_loader (&seen);
  EsDeviceStatus before, after;

  load (loader, source, 1);
  load (loader, source, 0);
  g_assert_true (es_device_get_status (get_gpu (), &before));

  /* The loader lives on, and has seen two planes of it. */
  GWeakRef weak;
  g_weak_ref_init (&weak, stack);
  es_plane_loader_cancel (loader);
  g_object_unref (result);
  g_object_unref (source);
  forget (&seen);
  /* A worker thread may be about to let go of it. */
  gint64 deadline = g_get_monotonic_time () + 5 * G_TIME_SPAN_SECOND;
  while ((stack = g_weak_ref_get (&weak)) != NULL && g_get_monotonic_time () < deadline)
    {
      g_object_unref (stack);
      g_main_context_iteration (NULL, FALSE);
      g_usleep (1000);
    }
  g_assert_null (stack);
  g_weak_ref_clear (&weak);
  g_assert_true (es_device_get_status (get_gpu (), &after));
  g_assert_cmpuint (before.used_here - after.used_here, >=, bytes);
}

/* What is shown while a job fills a stack is not what is shown afterwards. */
static void
test_unfinished (void)
{
  const guint64 rows_from[2] = { 0, 20 };
  g_autoptr (GError) error = NULL;
  g_autoptr (EsImageStack) stack = es_image_stack_new_on_device ("components", "Components", 30, 2, get_gpu (),
                                                                 rows_from, G_MAXUINT64, &error);
  g_autoptr (EsPlaneSource) source = NULL;
  Seen seen = { .n_loaded = 0 };
  g_autoptr (EsPlaneLoader) loader = make_loader (&seen);

  g_assert_no_error (error);
  source = es_plane_source_new_for_stack (stack);
  g_assert_false (es_plane_source_is_complete (source));
  load (loader, source, 0);
  g_assert_null (es_plane_get_device (seen.set.ready[0]));
  g_assert_cmpuint (seen.set.ready[0]->statistics->n_valid, ==, 0);

  es_image_stack_mark_written (stack, 0, 30, 20);
  g_assert_true (es_plane_source_is_complete (source));
  load (loader, source, 0);
  g_assert_true (es_plane_get_device (seen.set.ready[0]) == get_gpu ());
  g_assert_cmpuint (seen.set.ready[0]->statistics->n_valid, >, 0);
  forget (&seen);
}

/* The last test: the card does not come back. */
static void
test_lost (void)
{
  g_autoptr (EsTestCube) test = es_test_cube_new ();
  g_autoptr (EsResult) result = run_pca (test);
  EsImageStack *stack = ES_IMAGE_STACK (es_result_find_layer (result, "components"));
  g_autoptr (EsPlaneSource) source = es_plane_source_new_for_stack (stack);
  Seen seen = { .n_loaded = 0 };
  g_autoptr (EsPlaneLoader) loader = make_loader (&seen);

  g_assert_nonnull (es_image_stack_peek (stack, 0));
  g_setenv ("ES_FAKE_LOSE_AT", "1", TRUE);

  /* Its statistics fail, and it has been on the host before. */
  load (loader, source, 0);
  g_assert_cmpuint (seen.n_loaded, ==, 1);
  g_assert_null (es_plane_get_device (seen.set.ready[0]));
  g_assert_true (es_device_is_lost (get_gpu ()));
  assert_plane (seen.set.ready[0], stack, 0);

  /* This one has not. */
  load (loader, source, 1);
  g_assert_cmpuint (seen.n_failed, ==, 1);
  forget (&seen);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_unsetenv ("ES_UPLOADER");
  g_test_add_func ("/views/device-planes/stays", test_stays);
  g_test_add_func ("/views/device-planes/removed", test_removed);
  g_test_add_func ("/views/device-planes/unfinished", test_unfinished);
  g_test_add_func ("/views/device-planes/lost", test_lost);
  return g_test_run ();
}
