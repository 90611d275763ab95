/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Pixels: the memory uploader against a straightforward reading of the definition and against the goldens, and the
 * uploaders against each other, byte by byte. ES_UPDATE_GOLDENS=1 writes the goldens anew.
 */
#include "config.h"

#include <math.h>
#include <string.h>

#include <glib/gstdio.h>
#include <gtk/gtk.h>

#include "base/es-error.h"
#include "plane/es-frame-internal.h"
#include "es-test-picture.h"

static GdkGLContext *
make_context (void)
{
  g_autofree char *reason = NULL;
  GdkGLContext *context = es_test_make_context (&reason);

  if (context == NULL)
    g_test_skip (reason);
  return context;
}

static void
compare_uploaders (EsPicture *picture, GdkGLContext *context, int width, int height)
{
  for (guint v = 0; v < G_N_ELEMENTS (es_test_viewports); v++)
    {
      const EsViewport *viewport = &es_test_viewports[v];
      g_autofree guint8 *memory = es_test_render (picture, context, "memory", width, height, viewport);
      g_autofree guint8 *pbo = es_test_render (picture, context, "pbo", width, height, viewport);

      es_test_compare (memory, pbo, width, height, "pbo", v);
    }
}

static void
test_identity (void)
{
  static const struct { guint width, height, step; int view_width, view_height; } sizes[] = {
    { 1, 1, 1, 97, 33 }, { 1, 40, 1, 50, 50 }, { 257, 129, 1, 131, 77 }, { 64, 31, 4, 200, 64 }, { 257, 129, 3, 1, 1 },
  };
  g_autoptr (GdkGLContext) context = make_context ();

  if (context == NULL)
    return;
  for (guint s = 0; s < G_N_ELEMENTS (sizes); s++)
    for (guint n_planes = 1; n_planes <= 3; n_planes += 2)
      {
        g_autoptr (EsPicture) picture = es_test_make_picture (n_planes, sizes[s].width, sizes[s].height,
                                                              sizes[s].step, TRUE);

        es_picture_set_colormap (picture, (s + n_planes) % ES_N_COLORMAPS);
        compare_uploaders (picture, context, sizes[s].view_width, sizes[s].view_height);
      }
}

static void
test_identity_stretches (void)
{
  static const double stretches[][2] = { { -20, 30 }, { 30, -20 }, { 4.5, 4.5 }, { 1e-30, 2e-30 }, { -1e30, 1e30 },
                                         { 3.0, 3.0000002 }, { 0, 1e-300 } };
  g_autoptr (GdkGLContext) context = make_context ();

  if (context == NULL)
    return;
  g_autoptr (EsPicture) picture = es_test_make_picture (1, 61, 47, 1, TRUE);

  for (guint map = 0; map < ES_N_COLORMAPS; map++)
    for (guint i = 0; i < G_N_ELEMENTS (stretches); i++)
      {
        static const EsViewport viewport = { -4, -4, 1.9 }, small = { -4, -4, 0.77 };

        es_picture_set_colormap (picture, map);
        es_picture_set_stretch (picture, 0, stretches[i][0], stretches[i][1]);
        for (guint v = 0; v < 2; v++)
          {
            g_autofree guint8 *memory = es_test_render (picture, context, "memory", 120, 90, v ? &small : &viewport);
            g_autofree guint8 *pbo = es_test_render (picture, context, "pbo", 120, 90, v ? &small : &viewport);

            g_assert_cmpmem (memory, 4 * 120 * 90, pbo, 4 * 120 * 90);
          }
      }
}

/* Other spreads than a linear one, of one plane and of three, inverted, of other values than the plane's, of steps. */
static void
test_identity_curves (void)
{
  static const double ends[][2] = { { -20, 30 }, { 30, -20 }, { 4.5, 4.5 }, { 2e6, 3e6 }, { 3.0, 3.0000002 } };
  g_autofree EsPlaneStatistics *basis = g_new (EsPlaneStatistics, 1);
  static const float few[] = { -3, -2, -1, 5, 5, 5, 17 };
  g_autoptr (GdkGLContext) context = make_context ();

  if (context == NULL)
    return;
  es_plane_statistics_compute (basis, few, G_N_ELEMENTS (few));
  for (guint curve = 0; curve < ES_N_STRETCHES; curve++)
    for (guint n = 1; n <= 3; n += 2)
      {
        g_autoptr (EsPicture) picture = es_test_make_picture (n, 61, 47, 1, TRUE);
        static const EsViewport viewport = { -4, -4, 1.9 };
        guint8 *linear = NULL;

        for (guint i = 0; i < G_N_ELEMENTS (ends); i++)
          for (guint other = 0; other < 2; other++)
            {
              es_picture_set_curve (picture, ES_STRETCH_LINEAR);
              for (guint p = 0; p < n; p++)
                {
                  es_picture_set_stretch (picture, p, ends[(i + p) % 5][0], ends[(i + p) % 5][1]);
                  es_picture_set_basis (picture, p, other ? basis : NULL);
                }
              linear = es_test_render (picture, context, "memory", 120, 90, &viewport);
              es_picture_set_curve (picture, curve);
              g_autofree guint8 *memory = es_test_render (picture, context, "memory", 120, 90, &viewport);
              g_autofree guint8 *pbo = es_test_render (picture, context, "pbo", 120, 90, &viewport);

              g_assert_cmpmem (memory, 4 * 120 * 90, pbo, 4 * 120 * 90);
              /* It is another picture, but for ends with nothing in between. */
              if (n == 1 && i < 2)
                g_assert_true ((memcmp (linear, memory, 4 * 120 * 90) == 0) == (curve == ES_STRETCH_LINEAR));
              g_free (linear);
            }
      }
}

/* Newer planes, textures that GTK still holds, a picture that goes before its textures, another context current. */
static void
test_ring (void)
{
  static const EsViewport viewport = { 0, 0, 2 };
  g_autoptr (GdkGLContext) context = make_context ();

  if (context == NULL)
    return;
  EsPicture *picture = es_test_make_picture (3, 40, 30, 1, TRUE);
  GdkTexture *held[8];
  guint8 *expected[8];

  g_setenv ("ES_UPLOADER", "pbo", TRUE);
  for (guint i = 0; i < G_N_ELEMENTS (held); i++)
    {
      es_picture_set_stretch (picture, 0, -10.0 * i, 50);
      gdk_gl_context_make_current (context);
      held[i] = es_picture_render (picture, context, 80, 60, &viewport);
      g_assert_cmpstr (es_picture_get_uploader (picture), ==, "pbo");
      g_assert_true (gdk_gl_context_get_current () == context);
      expected[i] = es_test_download (held[i]);
    }
  for (guint round = 0; round < 20; round++)
    {
      g_autoptr (GdkTexture) texture = es_picture_render (picture, context, 80, 60 + round % 3, &viewport);
      g_assert_cmpint (gdk_texture_get_height (texture), ==, 60 + round % 3);
    }

  g_autoptr (GBytes) plane = es_test_make_plane (40, 30, 99, FALSE);
  es_picture_set_planes (picture, 1, &plane, 40, 30, 1, 40, 30);
  g_autofree guint8 *after = es_test_render (picture, context, "pbo", 80, 60, &viewport);
  g_autofree guint8 *memory = es_test_render (picture, context, "memory", 80, 60, &viewport);
  g_assert_cmpmem (after, 4 * 80 * 60, memory, 4 * 80 * 60);

  g_object_unref (picture);
  for (guint i = 0; i < G_N_ELEMENTS (held); i++)
    {
      g_autofree guint8 *now = es_test_download (held[i]);

      g_assert_cmpmem (now, 4 * 80 * 60, expected[i], 4 * 80 * 60);
      g_object_unref (held[i]);
      g_free (expected[i]);
    }
  gdk_gl_context_clear_current ();
}

/* At 1:1 and above: what the header says, computed the plain way. */
static void
test_nearest (void)
{
  g_autoptr (EsPicture) picture = es_test_make_picture (1, 37, 23, 1, TRUE);
  const guint8 *entries = es_colormap_entries (ES_COLORMAP_VIRIDIS);

  es_picture_set_colormap (picture, ES_COLORMAP_VIRIDIS);
  es_picture_set_stretch (picture, 0, -64, 64);
  for (guint v = 0; v < G_N_ELEMENTS (es_test_viewports); v++)
    {
      const EsViewport *viewport = &es_test_viewports[v];

      if (viewport->zoom < 1)
        continue;
      g_autofree guint8 *pixels = es_test_render (picture, NULL, "memory", 111, 67, viewport);

      for (int j = 0; j < 67; j++)
        for (int i = 0; i < 111; i++)
          {
            const guint8 *pixel = pixels + 4 * (111 * j + i);
            double x = floor (viewport->left + (i + 0.5) / viewport->zoom);
            double y = floor (viewport->top + (j + 0.5) / viewport->zoom);
            float value = es_picture_get_sample (picture, 0, x, y);

            if (x < 0 || y < 0 || x >= 37 || y >= 23)
              g_assert_cmphex (pixel[0] << 16 | pixel[1] << 8 | pixel[2], ==, 0x2e2e2e);
            else if (isnan (value))
              g_assert_cmpint (pixel[1], ==, (i / 8 + j / 8) % 2 ? ES_FRAME_CHECKER_LIGHT : ES_FRAME_CHECKER_DARK);
            else
              {
                const guint8 *entry = entries + 4 * (int) CLAMP (floor ((value + 64) * 2), 0, 255);

                g_assert_cmpint (pixel[2], ==, entry[0]);
                g_assert_cmpint (pixel[1], ==, entry[1]);
                g_assert_cmpint (pixel[0], ==, entry[2]);
              }
            g_assert_cmpint (pixel[3], ==, 255);
          }
    }
}

/* Zoomed out: a fine pattern becomes its mean, whatever the zoom and wherever it begins: no moire. */
static void
test_minified (void)
{
  enum { SIDE = 512 };
  float *values = g_new (float, SIDE * SIDE);

  for (int i = 0; i < SIDE * SIDE; i++)
    values[i] = (i % SIDE + i / SIDE) % 2;
  g_autoptr (GBytes) plane = g_bytes_new_take (values, sizeof (float) * SIDE * SIDE);
  g_autoptr (EsPicture) picture = es_picture_new ();

  es_picture_set_planes (picture, 1, &plane, SIDE, SIDE, 1, SIDE, SIDE);
  es_picture_set_stretch (picture, 0, 0, 1);
  for (double zoom = 0.02; zoom < 0.5; zoom *= 1.17)
    {
      EsViewport viewport = { 20.3, 10.7, zoom };
      int side = (int) (480 * zoom);
      g_autofree guint8 *pixels = es_test_render (picture, NULL, "memory", side, side, &viewport);

      for (int i = 0; i < side * side; i++)
        g_assert_cmpint (ABS (pixels[4 * i] - 128), <=, 1);
    }

  /* The whole picture in one pixel; and a picture smaller than a pixel is that share of it. */
  g_autofree guint8 *one = es_test_render (picture, NULL, "memory", 1, 1, &(EsViewport) { 0, 0, 1.0 / SIDE });
  g_autofree guint8 *part = es_test_render (picture, NULL, "memory", 1, 1, &(EsViewport) { 0, 0, 0.5 / SIDE });
  g_assert_cmpint (ABS (one[0] - 128), <=, 1);
  g_assert_cmpint (ABS (part[0] - (128 + 3 * 0x2e) / 4), <=, 1);
}

static void
test_stretch (void)
{
  float values[101];
  guint n_changed = 0;

  for (int i = 0; i <= 100; i++)
    values[i] = i - 40;
  g_autoptr (GBytes) plane = g_bytes_new (values, sizeof values);
  g_autoptr (EsPicture) picture = es_picture_new ();
  double low, high;

  g_assert_true (es_picture_is_empty (picture));
  g_assert_cmpuint (es_picture_get_statistics (picture, 0)->n_valid, ==, 0);
  g_signal_connect_swapped (picture, "changed", G_CALLBACK (g_atomic_int_inc), &n_changed);
  es_picture_set_planes (picture, 1, &plane, 101, 1, 1, 101, 1);
  g_assert_cmpuint (n_changed, ==, 1);
  es_picture_get_stretch (picture, 0, &low, &high);
  g_assert_cmpfloat_with_epsilon (low, -38, 1e-9);
  g_assert_cmpfloat_with_epsilon (high, 58, 1e-9);
  es_picture_stretch_percent (picture, 0, TRUE);
  es_picture_get_stretch (picture, 0, &low, &high);
  g_assert_cmpfloat (low, ==, -60);
  g_assert_cmpfloat (high, ==, 60);

  /* A stretch that was chosen stays when planes of the same kind follow. */
  es_picture_stretch_deviations (picture, 2);
  es_picture_get_stretch (picture, 0, &low, &high);
  g_assert_cmpfloat_with_epsilon (low, 10 - 2 * sqrt (101 * 102 / 12.), 1e-9);
  g_assert_cmpfloat_with_epsilon (high, 10 + 2 * sqrt (101 * 102 / 12.), 1e-9);

  /* Of some values only, which planes that follow know nothing of. */
  g_autofree EsPlaneStatistics *basis = g_new (EsPlaneStatistics, 1);
  es_plane_statistics_compute (basis, values + 50, 11);
  es_picture_set_basis (picture, 0, basis);
  es_picture_stretch_percent (picture, 0, FALSE);
  es_picture_get_stretch (picture, 0, &low, &high);
  g_assert_cmpfloat (low, ==, 10);
  g_assert_cmpfloat (high, ==, 20);
  es_picture_set_planes (picture, 1, &plane, 101, 1, 1, 101, 1);
  es_picture_stretch_percent (picture, 0, FALSE);
  es_picture_get_stretch (picture, 0, &low, &high);
  g_assert_cmpfloat (low, ==, -40);

  es_picture_set_stretch (picture, 0, -7, 9);
  es_picture_set_planes (picture, 1, &plane, 101, 1, 1, 101, 1);
  es_picture_get_stretch (picture, 0, &low, &high);
  g_assert_cmpfloat (low, ==, -7);
  g_assert_cmpfloat (high, ==, 9);

  n_changed = 0;
  es_picture_set_stretch (picture, 0, -7, 9);
  g_assert_cmpuint (n_changed, ==, 0);
  es_picture_set_colormap (picture, ES_COLORMAP_MAGMA);
  es_picture_clear (picture);
  g_assert_cmpuint (n_changed, ==, 2);
  g_assert_true (isnan (es_picture_get_sample (picture, 0, 0, 0)));
}

/* One plane, three planes, missing samples, zoomed out: what a person approved by looking at it. */
static void
test_golden (gconstpointer data)
{
  static const struct { const char *name; guint n_planes; EsColormap map; EsViewport viewport; } cases[] = {
    { "viridis-2x", 1, ES_COLORMAP_VIRIDIS, { -4, -3, 2 } },
    { "magma-minified", 1, ES_COLORMAP_MAGMA, { -12, -12, 0.61 } },
    { "diverging-5x", 1, ES_COLORMAP_DIVERGING, { 30.5, 12.25, 5.5 } },
    { "cividis-1x", 1, ES_COLORMAP_CIVIDIS, { -2, -2, 1 } },
    { "rgb-2x", 3, ES_COLORMAP_GRAY, { -4, -3, 2 } },
    { "rgb-minified", 3, ES_COLORMAP_GRAY, { -20, -20, 0.33 } },
  };
  guint which = GPOINTER_TO_UINT (data);
  g_autoptr (EsPicture) picture = es_test_make_picture (cases[which].n_planes, 90, 60, 1, TRUE);
  g_autofree char *name = g_strconcat (cases[which].name, ".png", NULL);
  g_autofree char *path = g_test_build_filename (G_TEST_DIST, "goldens", name, NULL);
  g_autoptr (GError) error = NULL;

  es_picture_set_colormap (picture, cases[which].map);
  g_setenv ("ES_UPLOADER", "memory", TRUE);
  g_autoptr (GdkTexture) texture = es_picture_render (picture, NULL, 96, 64, &cases[which].viewport);
  g_unsetenv ("ES_UPLOADER");

  if (g_getenv ("ES_UPDATE_GOLDENS") != NULL)
    g_assert_true (gdk_texture_save_to_png (texture, path));

  g_autoptr (GdkTexture) golden = gdk_texture_new_from_filename (path, &error);
  g_assert_no_error (error);
  g_assert_cmpint (gdk_texture_get_width (golden), ==, 96);
  g_assert_cmpint (gdk_texture_get_height (golden), ==, 64);
  g_autofree guint8 *expected = es_test_download (golden);
  g_autofree guint8 *found = es_test_download (texture);
  g_assert_cmpmem (found, 4 * 96 * 64, expected, 4 * 96 * 64);
}

static void
test_thumbnail (void)
{
  g_autoptr (EsPicture) wide = es_test_make_picture (1, 300, 20, 2, TRUE);
  g_autoptr (EsPicture) tiny = es_test_make_picture (3, 1, 1, 1, FALSE);
  g_autoptr (EsPicture) empty = es_picture_new ();
  g_autoptr (GdkTexture) wide_texture = es_picture_render_thumbnail (wide, 96);
  g_autoptr (GdkTexture) tiny_texture = es_picture_render_thumbnail (tiny, 96);
  g_autoptr (GdkTexture) empty_texture = es_picture_render_thumbnail (empty, 96);
  g_autofree guint8 *pixels = es_test_download (tiny_texture);

  g_assert_cmpint (gdk_texture_get_width (wide_texture), ==, 96);
  g_assert_cmpint (gdk_texture_get_height (wide_texture), ==, 6);
  g_assert_cmpint (gdk_texture_get_width (tiny_texture), ==, 96);
  g_assert_cmpint (gdk_texture_get_width (empty_texture), ==, 96);
  g_assert_cmpmem (pixels, 4 * 96, pixels + 4 * 96 * 95, 4 * 96);
}

static void
test_save (void)
{
  g_autofree char *directory = g_dir_make_tmp ("es-picture-XXXXXX", NULL);
  g_autofree char *path = g_build_filename (directory, "picture.png", NULL);
  g_autofree char *nowhere = g_build_filename (directory, "absent", "picture.png", NULL);
  g_autoptr (EsPicture) picture = es_test_make_picture (1, 20, 10, 3, TRUE);
  g_autoptr (EsPicture) empty = es_picture_new ();
  g_autoptr (GError) error = NULL;
  g_autofree char *contents = NULL;

  g_assert_true (es_picture_save_png (picture, path, &error));
  g_assert_no_error (error);

  g_autoptr (GdkTexture) texture = gdk_texture_new_from_filename (path, &error);
  g_assert_no_error (error);
  g_assert_cmpint (gdk_texture_get_width (texture), ==, 20);
  g_assert_cmpint (gdk_texture_get_height (texture), ==, 10);
  g_autofree guint8 *pixels = es_test_download (texture);
  for (int i = 0; i < 200; i++)
    {
      float sample = es_picture_get_sample (picture, 0, 3 * (i % 20), 3 * (i / 20));
      g_assert_cmpint (pixels[4 * i + 3], ==, isnan (sample) ? 0 : 255);
    }

  /* What cannot be saved leaves what is there. */
  g_assert_true (g_file_set_contents (path, "old", -1, NULL));
  g_assert_false (es_picture_save_png (empty, path, &error));
  g_assert_error (error, ES_DATA_ERROR, ES_DATA_ERROR_WRITE);
  g_clear_error (&error);
  g_assert_true (g_file_get_contents (path, &contents, NULL, NULL));
  g_assert_cmpstr (contents, ==, "old");
  g_assert_false (es_picture_save_png (picture, nowhere, &error));
  g_assert_nonnull (strstr (error->message, "picture.png"));

  g_unlink (path);
  g_rmdir (directory);
}

/* Numbers that stand for something: each in its own colour, through every uploader, however small; what is not among
 * them in one of its own. */
static void
test_palette (void)
{
  static const guint sizes[] = { 1, 5, 256, 300, 5000 };
  const guint width = 97, height = 61;
  g_autoptr (GdkGLContext) context = es_test_make_context (NULL);
  g_autofree float *values = g_new (float, width * height);
  g_autoptr (GBytes) bytes = NULL;

  for (guint i = 0; i < width * height; i++)
    values[i] = i % 41 == 0 ? NAN : i % 37 == 0 ? 1e9f : (float) (i * 31 % 5200) - 20;
  bytes = g_bytes_new (values, width * height * sizeof (float));
  for (guint s = 0; s < G_N_ELEMENTS (sizes); s++)
    {
      const guint n = sizes[s];
      g_autofree guint8 *entries = g_malloc0 (4 * MAX (n + 1, 256));
      g_autoptr (EsPicture) picture = es_picture_new ();
      g_autoptr (GdkTexture) whole = NULL;
      g_autofree guint8 *pixels = NULL;

      for (guint i = 0; i <= n; i++)
        for (guint c = 0; c < 4; c++)
          entries[4 * i + c] = c == 3 ? 255 : i == n ? 128 : (guint8) ((i + 1) * (c == 0 ? 7u : c == 1 ? 91u : 193u));
      es_picture_set_planes (picture, 1, &bytes, width, height, 1, width, height);
      es_picture_set_palette (picture, entries, n, -10);
      g_assert_true (es_picture_has_palette (picture));
      whole = es_picture_render_whole (picture);
      pixels = es_test_download (whole);
      for (guint i = 0; i < width * height; i++)
        {
          const double place = values[i] + 10;
          const guint8 *entry = entries + 4 * (place >= 0 && place < n ? (guint) place : n);
          const guint8 *pixel = pixels + 4 * i;

          g_assert_cmpuint (pixel[3], ==, isnan (values[i]) ? 0 : 255);
          if (!isnan (values[i]))
            g_assert_true ((pixel[0] == entry[0] && pixel[2] == entry[2]) || (pixel[0] == entry[2]
                                                                               && pixel[2] == entry[0]));
          if (!isnan (values[i]))
            g_assert_cmpuint (pixel[1], ==, entry[1]);
        }
      if (context != NULL)
        compare_uploaders (picture, context, 120, 90);
      /* And without it as before. */
      es_picture_set_palette (picture, NULL, 0, 0);
      g_assert_false (es_picture_has_palette (picture));
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  gtk_init_check ();

  g_test_add_func ("/render/picture/nearest", test_nearest);
  g_test_add_func ("/render/picture/minified", test_minified);
  g_test_add_func ("/render/picture/stretch", test_stretch);
  g_test_add_func ("/render/picture/thumbnail", test_thumbnail);
  g_test_add_func ("/render/picture/save", test_save);
  g_test_add_func ("/render/picture/palette", test_palette);
  for (guint i = 0; i < 6; i++)
    {
      g_autofree char *path = g_strdup_printf ("/render/picture/golden/%u", i);
      g_test_add_data_func (path, GUINT_TO_POINTER (i), test_golden);
    }
  g_test_add_func ("/render/uploader/identity", test_identity);
  g_test_add_func ("/render/uploader/stretches", test_identity_stretches);
  g_test_add_func ("/render/uploader/curves", test_identity_curves);
  g_test_add_func ("/render/uploader/ring", test_ring);
  return g_test_run ();
}
