/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <math.h>

#include "es-test-picture.h"

const EsViewport es_test_viewports[ES_TEST_N_VIEWPORTS] = {
  { 0, 0, 1 },         { 0, 0, 4 },           { -3.25, -2.5, 7.3 },  { 5.5, 2.125, 1.37 },   { -40, -20, 0.81 },
  { -10, 3, 0.5 },     { 0.3, 0.7, 0.37 },    { -33, -77, 0.213 },   { -100, -100, 0.0625 }, { 3, 3, 64 },
  { 1e6, 1e6, 1 },     { -500, 20, 0.03 },    { 0.999999, 0, 2.999999 }, { -1, -1, 0.999999 },
};

GdkGLContext *
es_test_make_context (char **reason)
{
  GdkDisplay *display = gdk_display_get_default ();
  g_autoptr (GError) error = NULL;
  g_autoptr (GdkGLContext) context = NULL;

  if (display != NULL)
    context = gdk_display_create_gl_context (display, &error);
  if (context == NULL || !gdk_gl_context_realize (context, &error))
    {
      if (reason != NULL)
        *reason = g_strdup (error != NULL ? error->message : "no display");
      return NULL;
    }
  return g_steal_pointer (&context);
}

/* Integer arithmetic only: the same samples on every machine. */
GBytes *
es_test_make_plane (guint width, guint height, guint seed, gboolean holes)
{
  gsize n = (gsize) width * height;
  float *values = g_new (float, n);
  guint32 state = seed * 2654435761u + 12345;

  for (guint y = 0; y < height; y++)
    for (guint x = 0; x < width; x++)
      {
        guint dx = (guint64) x * 64 / width, dy = (guint64) y * 64 / height;
        float *value = &values[(gsize) y * width + x];

        state = state * 1664525u + 1013904223u;
        *value = (float) ((int) (dx * dx + dy * (64 - dx)) - 1500) / 16.0f + (float) (state >> 24) / 32.0f;
        if (holes && (((x / 5 + y / 3) % 11 == 0) || (x + y) % 31 == 0))
          *value = NAN;
        if (holes && x % 97 == 50 && y % 13 == 6)
          *value = y % 2 ? INFINITY : -INFINITY;
      }
  return g_bytes_new_take (values, sizeof (float) * n);
}

guint
es_test_full_size (guint size, guint step)
{
  return size * step - (step - 1) / 2;
}

EsPicture *
es_test_make_picture (guint n_planes, guint width, guint height, guint step, gboolean holes)
{
  EsPicture *picture = es_picture_new ();
  GBytes *planes[3] = { NULL };

  for (guint i = 0; i < n_planes; i++)
    planes[i] = es_test_make_plane (width, height, i + 1, holes);
  es_picture_set_planes (picture, n_planes, planes, width, height, step, es_test_full_size (width, step),
                         es_test_full_size (height, step));
  for (guint i = 0; i < n_planes; i++)
    g_bytes_unref (planes[i]);
  return picture;
}

guint8 *
es_test_download (GdkTexture *texture)
{
  gsize stride = 4 * (gsize) gdk_texture_get_width (texture);
  guint8 *pixels = g_malloc_n (gdk_texture_get_height (texture), stride);

  gdk_texture_download (texture, pixels, stride);
  return pixels;
}

guint8 *
es_test_render (EsPicture *picture, GdkGLContext *context, const char *uploader, int width, int height,
                const EsViewport *viewport)
{
  if (uploader != NULL)
    g_setenv ("ES_UPLOADER", uploader, TRUE);
  g_autoptr (GdkTexture) texture = es_picture_render (picture, context, width, height, viewport);
  g_unsetenv ("ES_UPLOADER");

  g_assert_cmpint (gdk_texture_get_width (texture), ==, width);
  g_assert_cmpint (gdk_texture_get_height (texture), ==, height);
  if (uploader != NULL)
    g_assert_cmpstr (es_picture_get_uploader (picture), ==, uploader);
  return es_test_download (texture);
}

void
es_test_compare (const guint8 *expected, const guint8 *found, int width, int height, const char *what, guint viewport)
{
  for (int i = 0; i < 4 * width * height; i++)
    if (expected[i] != found[i])
      g_error ("%s: viewport %u, pixel %d, %d, channel %d: %d instead of %d", what, viewport, i / 4 % width,
               i / 4 / width, i % 4, found[i], expected[i]);
}
