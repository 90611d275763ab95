/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A GPU is lost while a viewer shows planes that lie on it. ES_CUDA_MODULE is the fake back end, with three cards: one
 * that has been lost does not come back. The viewers have no window: whether there is OpenGL does not matter.
 */
#include "config.h"

#include <math.h>

#include "image/es-image-view.h"
#include "layer/es-layer-internal.h"
#include "result/es-result-internal.h"
#include "es-test-views.h"
#include "operations/es-operations.h"

#define WIDTH 96
#define HEIGHT 80
#define PLANES 2
#define SIDE 16                /* of a thumbnail: a smaller copy of the plane is wanted for it */

typedef struct
{
  EsTestCube   *test;
  EsDevice     *gpu;
  EsImageStack *stack;         /* on the GPU, and stays there */
  EsResult     *result;
  gboolean      watched;       /* somebody else wants to know of the loss */
  EsViewer     *viewer;
  EsPicture    *picture;       /* the viewer's */
} Shown;

static float
value_at (guint plane, guint x, guint y)
{
  return 1000.f * plane + x + 0.5f * y;
}

static gboolean
is_watched (EsDevice *gpu)
{
  return g_signal_has_handler_pending (gpu, g_signal_lookup ("notify", G_TYPE_OBJECT),
                                       g_quark_from_static_string ("lost"), FALSE);
}

static void
shown_set_up (Shown *shown, gconstpointer id)
{
  const guint64 rows_from[2] = { 0, HEIGHT };
  g_autoptr (GError) error = NULL;
  const EsOperation *operation = es_operation_find ("pca", &error);
  g_autoptr (EsParams) params = es_params_new (operation->params);
  gsize stride;
  float *values;

  g_unsetenv ("ES_FAKE_LOSE_AT");
  shown->test = es_test_cube_new ();
  shown->gpu = es_device_find (id, &error);
  g_assert_no_error (error);
  shown->stack = es_image_stack_new_on_device ("components", "Components", WIDTH, PLANES, shown->gpu, rows_from, 0,
                                               &error);
  g_assert_no_error (error);
  values = es_image_stack_get_device_rows (shown->stack, shown->gpu, 0, &stride);
  for (guint plane = 0; plane < PLANES; plane++)
    for (guint i = 0; i < WIDTH * HEIGHT; i++)
      values[plane * stride + i] = value_at (plane, i % WIDTH, i / WIDTH);
  es_image_stack_mark_written (shown->stack, 0, WIDTH, HEIGHT);
  shown->result = es_result_new (operation, ES_DATASET (shown->test->cube), params);
  es_result_add_layer (shown->result, ES_LAYER (shown->stack));

  shown->watched = is_watched (shown->gpu);
  shown->viewer = g_object_ref_sink (ES_VIEWER (es_viewer_new ()));
  shown->picture = es_image_view_get_picture (ES_IMAGE_VIEW (es_views_find (GTK_WIDGET (shown->viewer),
                                                                            ES_TYPE_IMAGE_VIEW)));
  es_viewer_show_result (shown->viewer, shown->result, NULL, NULL);
}

static void
shown_tear_down (Shown *shown, gconstpointer id)
{
  EsViewer *viewer = shown->viewer;
  gint64 deadline = g_get_monotonic_time () + 10 * G_TIME_SPAN_SECOND;

  g_object_add_weak_pointer (G_OBJECT (viewer), (gpointer *) &viewer);
  g_object_unref (shown->viewer);
  /* A worker thread may be about to let go of it. */
  while (viewer != NULL && g_get_monotonic_time () < deadline)
    if (!g_main_context_iteration (NULL, FALSE))
      g_usleep (1000);
  g_assert_null (viewer);
  g_assert_cmpint (is_watched (shown->gpu), ==, shown->watched);
  g_object_unref (shown->result);
  g_object_unref (shown->stack);
  es_test_cube_free (shown->test);
}

static void
settle (Shown *shown)
{
  while (g_main_context_pending (NULL) || es_viewer_is_loading (shown->viewer))
    g_main_context_iteration (NULL, TRUE);
}

/* At another zoom: the card is asked for a smaller copy, and does not answer any more. */
static void
lose (Shown *shown)
{
  g_autoptr (GdkTexture) nothing = NULL;

  g_assert_false (es_device_is_lost (shown->gpu));
  g_setenv ("ES_FAKE_LOSE_AT", "1", TRUE);
  nothing = es_picture_render_thumbnail (shown->picture, SIDE);
  g_assert_true (es_device_is_lost (shown->gpu));
}

static void
assert_same (EsPicture *picture, EsPicture *expected)
{
  g_autoptr (GdkTexture) one = es_picture_render_thumbnail (picture, SIDE);
  g_autoptr (GdkTexture) other = es_picture_render_thumbnail (expected, SIDE);
  guchar pixels[SIDE * SIDE * 4] = { 0 }, wanted[SIDE * SIDE * 4] = { 0 };

  g_assert_cmpint (gdk_texture_get_width (one), ==, gdk_texture_get_width (other));
  g_assert_cmpint (gdk_texture_get_height (one), ==, gdk_texture_get_height (other));
  gdk_texture_download (one, pixels, SIDE * 4);
  gdk_texture_download (other, wanted, SIDE * 4);
  g_assert_cmpmem (pixels, sizeof pixels, wanted, sizeof wanted);
}

/* At every zoom what a picture of the host shows. */
static void
assert_shows (Shown *shown, guint plane)
{
  g_autoptr (EsPicture) expected = es_picture_new ();
  float *values = g_new (float, WIDTH * HEIGHT);
  g_autoptr (GBytes) bytes = g_bytes_new_take (values, WIDTH * HEIGHT * sizeof (float));
  double low, high;

  for (guint i = 0; i < WIDTH * HEIGHT; i++)
    values[i] = value_at (plane, i % WIDTH, i / WIDTH);
  g_assert_cmpuint (es_picture_get_n_planes (shown->picture), ==, 1);
  for (guint i = 0; i < WIDTH * HEIGHT; i++)
    g_assert_cmpfloat (es_picture_get_sample (shown->picture, 0, i % WIDTH + 0.5, i / WIDTH + 0.5), ==, values[i]);
  es_picture_get_stretch (shown->picture, 0, &low, &high);
  g_assert_cmpfloat (low, <, high);
  es_picture_set_planes (expected, 1, (GBytes **) &bytes, WIDTH, HEIGHT, 1, WIDTH, HEIGHT);
  es_picture_set_colormap (expected, es_picture_get_colormap (shown->picture));
  es_picture_set_stretch (expected, 0, low, high);
  assert_same (shown->picture, expected);
}

static char *
get_message (Shown *shown)
{
  GtkWidget *image = es_views_find (GTK_WIDGET (shown->viewer), ES_TYPE_IMAGE_VIEW);

  return gtk_test_accessible_check_property (GTK_ACCESSIBLE (image), GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, "?");
}

static void
assert_failed (Shown *shown)
{
  g_autofree char *message = get_message (shown);

  g_test_message ("%s", message);
  g_assert_true (es_picture_is_empty (shown->picture));
  g_assert_nonnull (strstr (message, "which has been lost: compute it again"));
}

/* The planes are on the host by then: the picture is the same as before. */
static void
test_host (Shown *shown, gconstpointer id)
{
  settle (shown);
  g_assert_cmpuint (es_picture_get_n_planes (shown->picture), ==, 1);
  for (guint plane = 0; plane < PLANES; plane++)
    g_assert_nonnull (es_image_stack_peek (shown->stack, plane));
  lose (shown);
  settle (shown);
  assert_shows (shown, 0);

  /* Nor does what was lost come back from among the planes last seen. */
  g_object_set (shown->viewer, "plane", 1, NULL);
  settle (shown);
  assert_shows (shown, 1);
  g_object_set (shown->viewer, "plane", 0, NULL);
  settle (shown);
  assert_shows (shown, 0);
}

/* They are nowhere else: the viewer says so, as long as what it is to show lay there. */
static void
test_nowhere (Shown *shown, gconstpointer id)
{
  settle (shown);
  g_assert_cmpuint (es_picture_get_n_planes (shown->picture), ==, 1);
  lose (shown);
  settle (shown);
  assert_failed (shown);

  es_viewer_show_dataset (shown->viewer, ES_DATASET (shown->test->cube));
  settle (shown);
  g_assert_cmpuint (es_picture_get_n_planes (shown->picture), ==, 3);
  g_assert_false (isnan (es_picture_get_statistics (shown->picture, 0)->mean));
}

/* Lost after the planes have been loaded and before the viewer has heard of it. */
static void
test_between (Shown *shown, gconstpointer id)
{
  g_autofree float *values = g_new (float, WIDTH * HEIGHT);
  g_autoptr (GError) error = NULL;

  /* Long enough for the loading; where it is not, it fails itself, which comes to the same. */
  g_usleep (300 * 1000);
  g_setenv ("ES_FAKE_LOSE_AT", "1", TRUE);
  g_assert_false (es_image_stack_read (shown->stack, 1, 0, 0, WIDTH, HEIGHT, 1, values, &error));
  g_assert_true (es_device_is_lost (shown->gpu));
  settle (shown);
  assert_failed (shown);
}

#define ADD_LOST(path, id, function) g_test_add (path, Shown, id, shown_set_up, function, shown_tear_down)

int
main (int argc, char **argv)
{
  g_unsetenv ("ES_UPLOADER");
  es_views_init (&argc, &argv);

  ADD_LOST ("/views/lost-planes/host", "cuda:0", test_host);
  ADD_LOST ("/views/lost-planes/nowhere", "cuda:1", test_nowhere);
  ADD_LOST ("/views/lost-planes/between", "cuda:2", test_between);
  return g_test_run ();
}
