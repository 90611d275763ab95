/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Planes that lie on a GPU: the same pixels through every uploader, byte by byte, the same statistics and samples as
 * planes of the host. With --perf: a table of how long a plane of 2048 x 2048 takes to its texture.
 * Exit status 77 (skipped) where no GPU drives the OpenGL context.
 */
#include "config.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/es-error.h"
#include "plane/es-plane-internal.h"
#include "es-test-picture.h"
#include "perf-uploaders.h"

static GdkGLContext *context;
static EsDevice *gpu;          /* that drives the context */

static EsPlane *
make_device_plane (GBytes *bytes, guint width, guint height)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (EsDevicePlane) samples = es_device_plane_new_from_host (gpu, g_bytes_get_data (bytes, NULL), width,
                                                                     height, &error);

  g_assert_no_error (error);
  EsPlane *plane = es_plane_new_from_device (samples, &error);
  g_assert_no_error (error);
  return plane;
}

static void
show (EsPicture *picture, guint n_planes, EsPlane **planes, guint step)
{
  es_picture_show_planes (picture, n_planes, planes, step, es_test_full_size (planes[0]->levels[0].width, step),
                          es_test_full_size (planes[0]->levels[0].height, step));
}

/* which: a bit for each plane that lies on the GPU; n_planes 1 or 3. */
static EsPicture *
make_device_picture (guint n_planes, guint which, guint width, guint height, guint step)
{
  EsPicture *picture = es_picture_new ();
  EsPlane *planes[3] = { NULL };

  for (guint i = 0; i < n_planes; i++)
    {
      g_autoptr (GBytes) bytes = es_test_make_plane (width, height, i + 1, TRUE);

      planes[i] = which >> i & 1 ? make_device_plane (bytes, width, height) : es_plane_new (bytes, width, height);
    }
  show (picture, n_planes, planes, step);
  for (guint i = 0; i < n_planes; i++)
    es_plane_unref (planes[i]);
  return picture;
}

/* The reference is the memory uploader with planes of the host. */
static void
compare_all (EsPicture *reference, EsPicture *picture, int width, int height)
{
  static const char *const uploaders[] = { "cuda", "pbo", "memory", "cuda" };

  for (guint v = 0; v < ES_TEST_N_VIEWPORTS; v++)
    {
      const EsViewport *viewport = &es_test_viewports[v];
      g_autofree guint8 *expected = es_test_render (reference, NULL, "memory", width, height, viewport);

      for (guint u = 0; u < G_N_ELEMENTS (uploaders); u++)
        {
          g_autofree guint8 *found = es_test_render (picture, context, uploaders[u], width, height, viewport);

          es_test_compare (expected, found, width, height, uploaders[u], v);
        }
    }
}

static void
test_identity (void)
{
  static const struct { guint width, height, step; int view_width, view_height; } sizes[] = {
    { 1, 1, 1, 97, 33 },    { 1, 40, 1, 50, 50 }, { 257, 129, 1, 131, 77 },
    { 64, 31, 4, 200, 64 }, { 257, 129, 3, 1, 1 }, { 1023, 767, 1, 160, 120 },
  };

  for (guint s = 0; s < G_N_ELEMENTS (sizes); s++)
    for (guint n_planes = 1; n_planes <= 3; n_planes += 2)
      {
        guint width = sizes[s].width, height = sizes[s].height, step = sizes[s].step;
        g_autoptr (EsPicture) reference = es_test_make_picture (n_planes, width, height, step, TRUE);
        g_autoptr (EsPicture) picture = make_device_picture (n_planes, 7, width, height, step);

        for (guint i = 0; i < n_planes; i++)
          {
            double low, high;

            es_picture_get_stretch (reference, i, &low, &high);
            es_picture_set_stretch (picture, i, low, high);
          }
        es_picture_set_colormap (reference, (s + n_planes) % ES_N_COLORMAPS);
        es_picture_set_colormap (picture, (s + n_planes) % ES_N_COLORMAPS);
        compare_all (reference, picture, sizes[s].view_width, sizes[s].view_height);
      }
}

/* Some of three planes on the GPU, the others on the host. */
static void
test_mixed (void)
{
  g_autoptr (EsPicture) reference = es_test_make_picture (3, 61, 47, 1, TRUE);

  for (guint which = 0; which < 8; which++)
    {
      g_autoptr (EsPicture) picture = make_device_picture (3, which, 61, 47, 1);

      compare_all (reference, picture, 90, 70);

      /* What comes without being asked for. */
      g_autofree guint8 *expected = es_test_render (reference, NULL, "memory", 90, 70, &es_test_viewports[3]);
      g_autofree guint8 *found = es_test_render (picture, context, NULL, 90, 70, &es_test_viewports[3]);

      es_test_compare (expected, found, 90, 70, es_picture_get_uploader (picture), 3);
      if (which != 0)
        g_assert_cmpstr (es_picture_get_uploader (picture), ==, "cuda");
      else
        g_assert_cmpstr (es_picture_get_uploader (picture), !=, "cuda");
    }
}

static void
test_stretches (void)
{
  static const double stretches[][2] = { { -20, 30 }, { 30, -20 }, { 4.5, 4.5 }, { 1e-30, 2e-30 }, { -1e30, 1e30 },
                                         { 3.0, 3.0000002 }, { 0, 1e-300 } };
  static const EsViewport viewports[] = { { -4, -4, 1.9 }, { -4, -4, 0.77 } };
  g_autoptr (EsPicture) reference = es_test_make_picture (1, 61, 47, 1, TRUE);
  g_autoptr (EsPicture) picture = make_device_picture (1, 1, 61, 47, 1);

  for (guint map = 0; map < ES_N_COLORMAPS; map++)
    for (guint i = 0; i < G_N_ELEMENTS (stretches); i++)
      for (guint v = 0; v < G_N_ELEMENTS (viewports); v++)
        {
          es_picture_set_colormap (reference, map);
          es_picture_set_colormap (picture, map);
          es_picture_set_stretch (reference, 0, stretches[i][0], stretches[i][1]);
          es_picture_set_stretch (picture, 0, stretches[i][0], stretches[i][1]);
          g_autofree guint8 *expected = es_test_render (reference, NULL, "memory", 120, 90, &viewports[v]);
          g_autofree guint8 *found = es_test_render (picture, context, "cuda", 120, 90, &viewports[v]);

          es_test_compare (expected, found, 120, 90, "cuda", v);
        }
}

/* Planes that follow each other, of the same size and of others, from the GPU and from the host, in one picture. */
static void
test_updates (void)
{
  static const struct { guint width, height; gboolean on_host; } steps[] = {
    { 200, 100, FALSE }, { 200, 100, FALSE }, { 200, 100, TRUE }, { 31, 57, FALSE }, { 200, 100, FALSE },
    { 31, 57, TRUE },    { 31, 57, FALSE },   { 1, 1, FALSE },
  };
  g_autoptr (EsPicture) picture = es_picture_new ();
  GdkTexture *held[G_N_ELEMENTS (steps)];
  guint8 *expected[G_N_ELEMENTS (steps)];

  for (guint i = 0; i < G_N_ELEMENTS (steps); i++)
    {
      guint width = steps[i].width, height = steps[i].height;
      g_autoptr (GBytes) bytes = es_test_make_plane (width, height, 100 + i, TRUE);
      g_autoptr (EsPlane) host = es_plane_new (bytes, width, height);
      g_autoptr (EsPlane) device = make_device_plane (bytes, width, height);
      g_autoptr (EsPicture) reference = es_picture_new ();

      show (picture, 1, steps[i].on_host ? &host : &device, 1);
      show (reference, 1, &host, 1);
      es_picture_set_stretch (picture, 0, -50, 70);
      es_picture_set_stretch (reference, 0, -50, 70);
      expected[i] = es_test_render (reference, NULL, "memory", 90, 70, &es_test_viewports[5]);
      gdk_gl_context_make_current (context);
      g_setenv ("ES_UPLOADER", i % 3 == 2 ? "pbo" : "cuda", TRUE);
      held[i] = es_picture_render (picture, context, 90, 70, &es_test_viewports[5]);
      g_unsetenv ("ES_UPLOADER");
      g_assert_true (gdk_gl_context_get_current () == context);
      if (i == 4)
        es_picture_clear (picture);
    }
  for (guint i = 0; i < G_N_ELEMENTS (steps); i++)
    {
      g_autofree guint8 *found = es_test_download (held[i]);

      es_test_compare (expected[i], found, 90, 70, "held", i);
      g_object_unref (held[i]);
      g_free (expected[i]);
    }
  gdk_gl_context_clear_current ();
}

static void
assert_close (double found, double expected, double span)
{
  g_assert_cmpfloat (fabs (found - expected), <=, 1e-9 * span);
}

static void
test_statistics (void)
{
  static const struct { guint width, height; } sizes[] = { { 1, 1 }, { 257, 129 }, { 1500, 1300 }, { 3, 2 } };

  for (guint s = 0; s <= G_N_ELEMENTS (sizes); s++)
    {
      guint width = s < G_N_ELEMENTS (sizes) ? sizes[s].width : 40;
      guint height = s < G_N_ELEMENTS (sizes) ? sizes[s].height : 30;
      g_autoptr (GBytes) bytes = es_test_make_plane (width, height, s, TRUE);

      /* Nothing valid at all. */
      if (s == G_N_ELEMENTS (sizes))
        for (guint i = 0; i < width * height; i++)
          ((float *) g_bytes_get_data (bytes, NULL))[i] = i % 2 ? NAN : INFINITY;

      g_autoptr (EsPlane) host = es_plane_new (bytes, width, height);
      g_autoptr (EsPlane) device = make_device_plane (bytes, width, height);
      const EsPlaneStatistics *expected = host->statistics, *found = device->statistics;
      double span = expected->maximum - expected->minimum + fabs (expected->maximum);

      g_assert_cmpuint (found->n_valid, ==, expected->n_valid);
      g_assert_cmpfloat (found->minimum, ==, expected->minimum);
      g_assert_cmpfloat (found->maximum, ==, expected->maximum);
      assert_close (found->mean, expected->mean, span);
      assert_close (found->deviation, expected->deviation, span);
      g_assert_cmpmem (found->histogram, sizeof found->histogram, expected->histogram, sizeof expected->histogram);
      for (guint q = 0; q <= 1000; q++)
        assert_close (found->quantiles[q], expected->quantiles[q], span);
    }
}

/* Levels on the GPU and on the host are bit for bit those of a plane of the host; NANs may differ in their payload. */
static void
compare_values (const float *found, const float *expected, gsize n)
{
  for (gsize i = 0; i < n; i++)
    if (isnan (expected[i]) != isnan (found[i]) || (!isnan (found[i]) && memcmp (&found[i], &expected[i], 4) != 0))
      g_error ("sample %" G_GSIZE_FORMAT " is %.9g instead of %.9g", i, found[i], expected[i]);
}

static void
test_levels (void)
{
  static const struct { guint width, height; } sizes[] = { { 257, 129 }, { 1, 40 }, { 33, 1 }, { 64, 64 }, { 2, 3 } };

  for (guint s = 0; s < G_N_ELEMENTS (sizes); s++)
    {
      guint width = sizes[s].width, height = sizes[s].height;
      g_autoptr (GBytes) bytes = es_test_make_plane (width, height, s, TRUE);
      g_autoptr (EsPlane) host = es_plane_new (bytes, width, height);
      g_autoptr (EsPlane) device = make_device_plane (bytes, width, height);
      gsize size = es_plane_get_size (device);

      g_assert_true (es_plane_get_device (device) == gpu);
      g_assert_null (es_plane_get_device (host));
      g_assert_cmpuint (size, ==, width * height * sizeof (float));
      g_assert_cmpuint (device->n_levels, ==, host->n_levels);
      for (guint i = host->n_levels; i-- > 0;)      /* the last first: what lies between is made on the way */
        {
          const EsPlaneLevel *expected = es_plane_get_level (host, i), *found = es_plane_get_level (device, i);

          g_assert_cmpuint (found->width, ==, expected->width);
          g_assert_cmpuint (found->height, ==, expected->height);
          compare_values (found->values, expected->values, (gsize) expected->width * expected->height);
        }
      g_assert_cmpuint (es_plane_get_size (device), ==, 2 * es_plane_get_size (host));
    }
}

static void
test_samples (void)
{
  enum { WIDTH = 150, HEIGHT = 201 };
  g_autoptr (GBytes) bytes = es_test_make_plane (WIDTH, HEIGHT, 5, TRUE);
  g_autoptr (EsPlane) host = es_plane_new (bytes, WIDTH, HEIGHT);
  g_autoptr (EsPlane) device = make_device_plane (bytes, WIDTH, HEIGHT);
  guint32 state = 1;

  for (guint i = 0; i < 4000; i++)
    {
      state = state * 1664525u + 1013904223u;
      guint x = i < 200 ? i : (state >> 8) % (WIDTH + 3);
      guint y = i < 200 ? HEIGHT - 1 - i / 3 : (state >> 20) % (HEIGHT + 3);
      float found = es_plane_get_sample (device, x, y), expected = es_plane_get_sample (host, x, y);

      compare_values (&found, &expected, 1);
    }
  /* No more of it came here than was looked at. */
  g_assert_null (device->levels[0].values);
  g_assert_true (isnan (es_plane_get_sample (device, WIDTH, 0)));
  g_assert_true (isnan (es_plane_get_sample (device, 0, HEIGHT)));
}

typedef struct
{
  EsPlane *host, *device;
  guint first;
} Worker;

static gpointer
work (gpointer data)
{
  Worker *worker = data;

  for (guint i = 0; i < worker->host->n_levels; i++)
    {
      guint level = (i + worker->first) % worker->host->n_levels;
      const EsPlaneLevel *expected = es_plane_get_level (worker->host, level);

      if ((worker->first + i) % 3 == 0)
        g_assert_nonnull (es_plane_get_device_level (worker->device, level, NULL));
      es_plane_get_size (worker->device);
      es_plane_get_sample (worker->device, level * 7, level * 3);
      compare_values (es_plane_get_level (worker->device, level)->values, expected->values,
                      (gsize) expected->width * expected->height);
    }
  return NULL;
}

static void
test_threads (void)
{
  g_autoptr (GBytes) bytes = es_test_make_plane (300, 201, 5, TRUE);
  g_autoptr (EsPlane) host = es_plane_new (bytes, 300, 201);

  for (guint round = 0; round < 10; round++)
    {
      g_autoptr (EsPlane) device = make_device_plane (bytes, 300, 201);
      Worker workers[6];
      GThread *threads[6];

      for (guint i = 0; i < 6; i++)
        {
          workers[i] = (Worker) { host, device, i };
          threads[i] = g_thread_new (NULL, work, &workers[i]);
        }
      for (guint i = 0; i < 6; i++)
        g_thread_join (threads[i]);
    }
}

static void
test_thumbnail (void)
{
  g_autoptr (EsPicture) reference = es_test_make_picture (1, 300, 200, 1, TRUE);
  g_autoptr (EsPicture) picture = make_device_picture (1, 1, 300, 200, 1);
  g_autoptr (GdkTexture) expected = es_picture_render_thumbnail (reference, 48);
  g_autoptr (GdkTexture) found = es_picture_render_thumbnail (picture, 48);
  g_autofree guint8 *expected_pixels = es_test_download (expected);
  g_autofree guint8 *found_pixels = es_test_download (found);

  es_test_compare (expected_pixels, found_pixels, 48, 32, "thumbnail", 0);
}

/* The first GPU whose planes are drawn by "cuda" in this context. */
static EsDevice *
find_gpu (char **why)
{
  GListModel *devices = es_devices_get ();

  for (guint i = 0; i < g_list_model_get_n_items (devices); i++)
    {
      g_autoptr (EsDevice) device = g_list_model_get_item (devices, i);
      g_autoptr (EsDevicePlane) samples = NULL;
      g_autoptr (EsPlane) plane = NULL;
      g_autoptr (EsPicture) picture = es_picture_new ();
      g_autoptr (GError) error = NULL;

      if (es_device_get_kind (device) != ES_DEVICE_GPU)
        continue;
      samples = es_device_plane_new_from_host (device, (float[]) { 1, 2 }, 2, 1, &error);
      if (samples != NULL)
        plane = es_plane_new_from_device (samples, &error);
      if (plane == NULL)
        {
          *why = g_strdup (error->message);
          continue;
        }
      show (picture, 1, &plane, 1);

      g_autoptr (GdkTexture) texture = es_picture_render (picture, context, 2, 1, &es_test_viewports[0]);
      if (g_strcmp0 (es_picture_get_uploader (picture), "cuda") == 0)
        return device;
      *why = g_strdup_printf ("%s does not drive the OpenGL context", es_device_get_name (device));
    }
  if (*why == NULL)
    *why = g_strdup (es_devices_why_no_gpu ());
  return NULL;
}

int
main (int argc, char **argv)
{
  gboolean perf = argc > 1 && g_strcmp0 (argv[1], "--perf") == 0;
  g_autofree char *why = NULL;

  g_test_init (&argc, &argv, NULL);
  g_unsetenv ("ES_UPLOADER");
  if (!gtk_init_check ())
    why = g_strdup ("no display");
  else if ((context = es_test_make_context (&why)) != NULL)
    gpu = find_gpu (&why);
  if (gpu == NULL)
    {
      printf ("1..0 # SKIP %s\n", why != NULL ? why : "no GPU");
      g_clear_object (&context);
      /* Meson takes what the plan says, and any status but 0 for a failure. */
      return g_getenv ("ES_TEST_TAP") != NULL ? 0 : 77;
    }
  if (perf)
    return es_perf_uploaders (context, gpu);

  g_test_add_func ("/render/device-plane/statistics", test_statistics);
  g_test_add_func ("/render/device-plane/levels", test_levels);
  g_test_add_func ("/render/device-plane/samples", test_samples);
  g_test_add_func ("/render/device-plane/threads", test_threads);
  g_test_add_func ("/render/device-plane/thumbnail", test_thumbnail);
  g_test_add_func ("/render/device-plane/identity", test_identity);
  g_test_add_func ("/render/device-plane/mixed", test_mixed);
  g_test_add_func ("/render/device-plane/stretches", test_stretches);
  g_test_add_func ("/render/device-plane/updates", test_updates);

  int status = g_test_run ();
  g_clear_object (&context);
  return status;
}
