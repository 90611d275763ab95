/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What can keep the pictures of a GPU from OpenGL, one thing at a time, each in a process of its own because what
 * failed once is not tried again: the next uploader draws the same pixels, with one line in the log. ES_CUDA_MODULE is
 * the fake back end.
 */
#include "config.h"

#include <math.h>
#include <string.h>

#include "base/es-error.h"
#include "gl/es-gl-device-internal.h"
#include "plane/es-plane-internal.h"
#include "es-test-picture.h"

#define WIDTH 130
#define HEIGHT 70
#define VIEW_WIDTH 90
#define VIEW_HEIGHT 60
#define N_CALLS 18             /* of the back end, from a plane's upload to its picture, and some more */

static const EsViewport near_view = { -3, -2, 2.5 }, far_view = { -20, -10, 0.22 };

static GdkGLContext *context;
static const char *forced;     /* for draw (); NULL: what comes by itself */
static guint n_lines;          /* about “cuda” or a plane of a GPU, since it was set to 0 */
static char *last_line;

static void
count_line (const char *domain, GLogLevelFlags level, const char *message, gpointer data)
{
  if (strstr (message, "cuda") == NULL)
    return;
  n_lines++;
  g_free (last_line);
  last_line = g_strdup (message);
}

/* By whichever uploader: on a display that is drawn in software "pbo" gives up by itself, and "memory" is next. */
static guint8 *
draw (EsPicture *picture, const EsViewport *viewport)
{
  if (forced != NULL)
    g_setenv ("ES_UPLOADER", forced, TRUE);
  return es_test_render (picture, context, NULL, VIEW_WIDTH, VIEW_HEIGHT, viewport);
}

/* Also where it is lost. */
static EsDevice *
get_gpu (guint i)
{
  GListModel *devices = es_devices_get ();

  g_assert_cmpuint (i, <, g_list_model_get_n_items (devices));
  g_autoptr (EsDevice) device = g_list_model_get_item (devices, i);
  g_assert_cmpint (es_device_get_kind (device), ==, ES_DEVICE_GPU);
  return device;               /* devices live as long as the program */
}

static EsPlane *
make_plane (guint card, guint width, guint height, guint seed, GError **error)
{
  g_autoptr (GBytes) bytes = es_test_make_plane (width, height, seed, TRUE);
  g_autoptr (EsDevicePlane) samples = es_device_plane_new_from_host (get_gpu (card), g_bytes_get_data (bytes, NULL),
                                                                     width, height, error);

  return samples != NULL ? es_plane_new_from_device (samples, error) : NULL;
}

static EsPicture *
make_picture (guint card)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (EsPlane) plane = make_plane (card, WIDTH, HEIGHT, 1, &error);
  EsPicture *picture = es_picture_new ();

  g_assert_no_error (error);
  es_picture_show_planes (picture, 1, &plane, 1, WIDTH, HEIGHT);
  es_picture_set_stretch (picture, 0, -40, 60);
  return picture;
}

static guint8 *
expect (const EsViewport *viewport)
{
  g_autoptr (EsPicture) reference = es_test_make_picture (1, WIDTH, HEIGHT, 1, TRUE);

  es_picture_set_stretch (reference, 0, -40, 60);
  return es_test_render (reference, NULL, "memory", VIEW_WIDTH, VIEW_HEIGHT, viewport);
}

static void
assert_drawn (EsPicture *picture, const EsViewport *viewport, const char *uploader)
{
  g_autofree guint8 *expected = expect (viewport);
  g_autofree guint8 *found = draw (picture, viewport);

  es_test_compare (expected, found, VIEW_WIDTH, VIEW_HEIGHT, "fallback", 0);
  g_assert_cmpstr (es_picture_get_uploader (picture), ==, uploader);
}

/* Every pixel is canvas or checker. */
static void
assert_missing (const guint8 *pixels)
{
  for (int i = 0; i < VIEW_WIDTH * VIEW_HEIGHT; i++)
    g_assert_true (pixels[4 * i] == pixels[4 * i + 1] && pixels[4 * i] == pixels[4 * i + 2]
                   && pixels[4 * i] >= 0x2e && pixels[4 * i] <= 0x3d);
}

/* ---- each in its own process ---- */

static void
works (void)
{
  g_autoptr (EsPicture) picture = make_picture (0);

  g_assert_true (es_picture_takes_device_planes (get_gpu (0)));
  assert_drawn (picture, &near_view, "cuda");
  assert_drawn (picture, &far_view, "cuda");
  g_assert_true (es_picture_takes_device_planes (get_gpu (0)));
  g_assert_cmpuint (n_lines, ==, 0);
}

/* A context that no GPU drives: Mesa. */
static void
other_context (void)
{
  g_setenv ("ES_FAKE_DEVICES", "1", TRUE);
  g_setenv ("ES_FAKE_GL", "0", TRUE);

  g_autoptr (EsPicture) picture = make_picture (0);
  g_autoptr (EsPicture) another = make_picture (0);

  g_assert_true (es_picture_takes_device_planes (get_gpu (0)));
  for (guint i = 0; i < 3; i++)
    {
      assert_drawn (picture, &near_view, "memory");
      assert_drawn (another, &far_view, "memory");
    }
  g_assert_cmpuint (n_lines, ==, 1);
  g_assert_nonnull (strstr (last_line, "given up"));
  g_assert_false (es_picture_takes_device_planes (get_gpu (0)));

  /* It is not looked at again, but for being asked to. */
  g_setenv ("ES_FAKE_GL", "1", TRUE);
  assert_drawn (picture, &near_view, "memory");
  g_setenv ("ES_UPLOADER", "cuda", TRUE);
  g_autoptr (GdkTexture) texture = es_picture_render (picture, context, 10, 10, &near_view);
  g_assert_cmpstr (es_picture_get_uploader (picture), ==, "memory");
  g_assert_cmpuint (n_lines, ==, 1);
}

/* Another GPU drives the context: its own planes would still be drawn by "cuda". One line for each GPU. */
static void
other_gpu (void)
{
  g_autoptr (EsPicture) first = make_picture (0);
  g_autoptr (EsPicture) second = make_picture (1);

  g_setenv ("ES_FAKE_GL", "0", TRUE);
  assert_drawn (first, &near_view, "memory");
  assert_drawn (first, &far_view, "memory");
  g_assert_cmpuint (n_lines, ==, 1);
  g_assert_nonnull (strstr (last_line, "cuda:0"));
  g_assert_false (es_picture_takes_device_planes (get_gpu (0)));
  g_assert_true (es_picture_takes_device_planes (get_gpu (1)));

  g_setenv ("ES_FAKE_GL", "1", TRUE);
  assert_drawn (first, &near_view, "memory");
  assert_drawn (second, &near_view, "cuda");
  assert_drawn (second, &far_view, "cuda");
  g_assert_cmpuint (n_lines, ==, 1);
}

static void
forced_without_gpu (void)
{
  g_autoptr (EsPicture) picture = es_test_make_picture (1, WIDTH, HEIGHT, 1, TRUE);

  g_setenv ("ES_FAKE_DEVICES", "0", TRUE);
  es_picture_set_stretch (picture, 0, -40, 60);
  forced = "cuda";
  for (guint i = 0; i < 3; i++)
    assert_drawn (picture, &near_view, "memory");
  g_assert_cmpuint (n_lines, ==, 1);
  g_assert_nonnull (strstr (last_line, "no fake card is plugged in"));
}

static void
forced_without_module (void)
{
  g_autoptr (EsPicture) picture = es_test_make_picture (1, WIDTH, HEIGHT, 1, TRUE);

  g_setenv ("ES_CUDA_MODULE", "/nowhere/libeigenscope-cuda.so", TRUE);
  forced = "cuda";
  es_picture_set_stretch (picture, 0, -40, 60);
  assert_drawn (picture, &near_view, "memory");
  g_assert_cmpuint (n_lines, ==, 1);
}

/* A cube's band, forced: it has no GPU to come from, and is drawn all the same. */
static void
forced_with_host_plane (void)
{
  g_autoptr (EsPicture) picture = es_test_make_picture (1, WIDTH, HEIGHT, 1, TRUE);

  es_picture_set_stretch (picture, 0, -40, 60);
  forced = "cuda";
  assert_drawn (picture, &near_view, "cuda");
  g_assert_cmpuint (n_lines, ==, 0);
}

/* Without being forced nobody looks for a GPU on behalf of the host's planes. */
static void
host_plane (void)
{
  g_autoptr (EsPicture) picture = es_test_make_picture (1, WIDTH, HEIGHT, 1, TRUE);

  es_picture_set_stretch (picture, 0, -40, 60);
  assert_drawn (picture, &near_view, "memory");
  g_assert_cmpuint (n_lines, ==, 0);
}

/* Lost between two views: what lies in a texture is still shown, what does not is missing. */
static void
lost_later (void)
{
  g_autoptr (GError) error = NULL;
  EsPicture *picture = make_picture (0);
  g_autoptr (EsPicture) next = make_picture (0);
  g_autoptr (EsPlane) other = make_plane (0, WIDTH, HEIGHT, 2, &error);

  g_assert_no_error (error);
  assert_drawn (picture, &near_view, "cuda");
  g_setenv ("ES_FAKE_LOSE_AT", "1", TRUE);
  assert_drawn (picture, &near_view, "cuda");

  g_autofree guint8 *far_pixels = draw (picture, &far_view);
  assert_missing (far_pixels);
  g_autofree guint8 *next_pixels = draw (next, &near_view);
  assert_missing (next_pixels);
  g_assert_true (es_device_is_lost (get_gpu (0)));
  g_assert_cmpuint (n_lines, <=, 3);               /* one for each plane, at most one for the uploader */
  g_assert_true (isnan (es_plane_get_sample (other, 5, 5)));
  g_assert_null (make_plane (0, 3, 3, 1, &error));
  g_assert_nonnull (error);
  assert_drawn (picture, &near_view, "cuda");

  /* Textures that a lost device had are ended without it; planes of the host come next in the same picture. */
  g_autoptr (GBytes) bytes = es_test_make_plane (WIDTH, HEIGHT, 1, TRUE);
  es_picture_set_planes (picture, 1, &bytes, WIDTH, HEIGHT, 1, WIDTH, HEIGHT);
  assert_drawn (picture, &near_view, "memory");
  es_picture_clear (picture);
  g_object_unref (picture);
}

/* At the n-th of the calls that lead to a picture: no crash, and either the picture or nothing. */
static void
lost_somewhere (void)
{
  g_autofree guint8 *expected = expect (&far_view);
  g_autoptr (GError) error = NULL;
  g_autoptr (EsPlane) plane = make_plane (0, WIDTH, HEIGHT, 1, &error);
  g_autoptr (EsPicture) picture = es_picture_new ();

  if (plane == NULL)
    {
      g_assert_nonnull (error);
      return;
    }
  es_picture_show_planes (picture, 1, &plane, 1, WIDTH, HEIGHT);
  es_picture_set_stretch (picture, 0, -40, 60);

  g_autofree guint8 *found = draw (picture, &far_view);
  if (memcmp (found, expected, 4 * VIEW_WIDTH * VIEW_HEIGHT) != 0)
    assert_missing (found);
  g_autoptr (GdkTexture) thumbnail = es_picture_render_thumbnail (picture, 16);
  es_picture_get_sample (picture, 0, 10, 10);
  g_autofree guint8 *again = draw (picture, &near_view);
}

/* No memory on the card for the smaller copies: the host makes them. */
static void
no_memory (void)
{
  g_autoptr (EsPicture) picture = make_picture (0);

  g_setenv ("ES_FAKE_FAIL_ALLOCATION", "1+", TRUE);
  assert_drawn (picture, &far_view, "cuda");
  assert_drawn (picture, &near_view, "cuda");
  g_assert_cmpuint (n_lines, ==, 1);
  g_assert_false (es_device_is_lost (get_gpu (0)));
}

/* Larger than a texture: this picture goes another way, the next one does not. */
static void
too_large (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (EsPlane) plane = make_plane (0, 140000, 2, 1, &error);
  g_autoptr (EsPicture) picture = es_picture_new ();
  g_autoptr (EsPicture) small = make_picture (0);

  g_assert_no_error (error);
  es_picture_show_planes (picture, 1, &plane, 1, 140000, 2);

  g_autofree guint8 *found = draw (picture, &near_view);
  g_assert_cmpstr (es_picture_get_uploader (picture), ==, "memory");
  g_assert_cmpuint (n_lines, ==, 0);
  assert_drawn (small, &near_view, "cuda");

  g_autoptr (EsPicture) reference = es_test_make_picture (1, 140000, 2, 1, TRUE);
  double low, high;
  es_picture_get_stretch (picture, 0, &low, &high);
  es_picture_set_stretch (reference, 0, low, high);
  g_autofree guint8 *expected = es_test_render (reference, NULL, "memory", VIEW_WIDTH, VIEW_HEIGHT, &near_view);
  es_test_compare (expected, found, VIEW_WIDTH, VIEW_HEIGHT, "too large", 0);
}

/* What a lost context answers is an error after every command; one that is left over stands for it here. */
static void
context_error (void)
{
  g_autoptr (EsPicture) picture = make_picture (0);
  g_autoptr (GError) error = NULL;

  assert_drawn (picture, &near_view, "cuda");

  EsGlDevice *device = es_gl_device_get (gdk_gl_context_get_display (context), &error);
  g_assert_no_error (error);
  GdkGLContext *previous = es_gl_device_enter (device);
  glEnable (0xdead);
  es_gl_device_leave (device, previous);
  es_gl_device_unref (device);

  assert_drawn (picture, &near_view, "memory");
  assert_drawn (picture, &far_view, "memory");
  g_assert_cmpuint (n_lines, ==, 1);
}

/* The cairo renderer and remote desktops. */
static void
no_context (void)
{
  g_autoptr (EsPicture) picture = make_picture (0);
  g_autofree guint8 *expected = expect (&near_view);
  g_autofree guint8 *found = es_test_render (picture, NULL, NULL, VIEW_WIDTH, VIEW_HEIGHT, &near_view);

  es_test_compare (expected, found, VIEW_WIDTH, VIEW_HEIGHT, "no context", 0);
  g_assert_cmpstr (es_picture_get_uploader (picture), ==, "memory");
  g_assert_false (es_picture_takes_device_planes (get_gpu (0)));
  assert_drawn (picture, &far_view, "cuda");
  g_assert_true (es_picture_takes_device_planes (get_gpu (0)));
  g_setenv ("ES_UPLOADER", "pbo", TRUE);
  g_assert_false (es_picture_takes_device_planes (get_gpu (0)));
  g_setenv ("ES_UPLOADER", "cuda", TRUE);
  g_assert_true (es_picture_takes_device_planes (get_gpu (0)));
  g_unsetenv ("ES_UPLOADER");
  g_assert_cmpuint (n_lines, ==, 0);
}

static const struct { const char *name; void (*test) (void); } cases[] = {
  { "works", works },
  { "other-context", other_context },
  { "other-gpu", other_gpu },
  { "forced-without-gpu", forced_without_gpu },
  { "forced-without-module", forced_without_module },
  { "forced-with-host-plane", forced_with_host_plane },
  { "host-plane", host_plane },
  { "lost-later", lost_later },
  { "lost-somewhere", lost_somewhere },
  { "no-memory", no_memory },
  { "too-large", too_large },
  { "context-error", context_error },
  { "no-context", no_context },
};

static void
test_case (gconstpointer data)
{
  guint which = GPOINTER_TO_UINT (data);
  g_autofree char *path = g_strdup_printf ("/render/fallback/%s/subprocess", cases[which].name);
  g_autofree char *reason = NULL;

  if (g_getenv ("ES_CUDA_MODULE") == NULL || g_getenv ("ES_FAKE_GL") == NULL)
    {
      g_test_skip ("the fake back end is not asked for");
      return;
    }
  if ((context = es_test_make_context (&reason)) == NULL)
    {
      g_test_skip (reason);
      return;
    }
  g_clear_object (&context);

  guint n = cases[which].test == lost_somewhere ? N_CALLS : 1;

  for (guint i = 1; i <= n; i++)
    {
      g_autofree char *at = n > 1 ? g_strdup_printf ("%u", i) : NULL;

      if (at != NULL)
        g_setenv ("ES_FAKE_LOSE_AT", at, TRUE);
      g_test_trap_subprocess (path, 0, G_TEST_SUBPROCESS_INHERIT_STDERR);
      g_test_trap_assert_passed ();
      g_unsetenv ("ES_FAKE_LOSE_AT");
    }
}

static void
run_case (gconstpointer data)
{
  g_autofree char *reason = NULL;

  context = es_test_make_context (&reason);
  g_assert_nonnull (context);
  g_log_set_handler ("EsRender", G_LOG_LEVEL_DEBUG, count_line, NULL);
  cases[GPOINTER_TO_UINT (data)].test ();
  g_clear_object (&context);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  gtk_init_check ();
  g_unsetenv ("ES_UPLOADER");

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *path = g_strdup_printf ("/render/fallback/%s", cases[i].name);
      g_autofree char *child = g_strconcat (path, "/subprocess", NULL);

      g_test_add_data_func (path, GUINT_TO_POINTER (i), test_case);
      g_test_add_data_func (child, GUINT_TO_POINTER (i), run_case);
    }
  return g_test_run ();
}
