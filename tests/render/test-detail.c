/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A picture that was made smaller with a part of it in full: where that part lies the pixels are those of the whole
 * picture in full, byte by byte; elsewhere they are those of the small one; through every uploader.
 */
#include "config.h"

#include <math.h>
#include <string.h>

#include "plane/es-plane-internal.h"
#include "es-test-picture.h"

#define WIDTH  260
#define HEIGHT 136
#define STEP   4
#define VIEW_WIDTH  90
#define VIEW_HEIGHT 70

/* The part, in full pixels. It reaches the right edge. */
static const guint part_x = 64, part_y = 24, part_width = WIDTH - 64, part_height = 88;

typedef struct
{
  EsPicture *full, *small, *detailed;
} Pictures;

/* Means of step x step pixels; a hole among them is left out. */
static GBytes *
make_means (const float *values, guint x0, guint y0, guint width, guint height, guint step)
{
  const guint columns = (width + step - 1) / step, rows = (height + step - 1) / step;
  float *means = g_new (float, (gsize) columns * rows);

  for (guint row = 0; row < rows; row++)
    for (guint column = 0; column < columns; column++)
      {
        double sum = 0;
        guint n = 0;

        for (guint y = row * step; y < MIN ((row + 1) * step, height); y++)
          for (guint x = column * step; x < MIN ((column + 1) * step, width); x++)
            {
              const float value = values[(gsize) (y0 + y) * WIDTH + x0 + x];

              if (!isnan (value))
                {
                  sum += value;
                  n++;
                }
            }
        means[(gsize) row * columns + column] = n > 0 ? (float) (sum / n) : NAN;
      }
  return g_bytes_new_take (means, sizeof (float) * columns * rows);
}

static void
make_pictures (Pictures *pictures, guint n_planes, guint part_step)
{
  GBytes *whole[3] = { NULL }, *coarse[3] = { NULL };
  EsPlane *parts[3] = { NULL };

  for (guint i = 0; i < n_planes; i++)
    {
      whole[i] = es_test_make_plane (WIDTH, HEIGHT, i + 1, TRUE);
      const float *values = g_bytes_get_data (whole[i], NULL);
      g_autoptr (GBytes) part = make_means (values, part_x, part_y, part_width, part_height, part_step);

      coarse[i] = make_means (values, 0, 0, WIDTH, HEIGHT, STEP);
      parts[i] = es_plane_new_part (part, part_width / part_step, part_height / part_step);
    }
  pictures->full = es_picture_new ();
  pictures->small = es_picture_new ();
  pictures->detailed = es_picture_new ();
  es_picture_set_planes (pictures->full, n_planes, whole, WIDTH, HEIGHT, 1, WIDTH, HEIGHT);
  es_picture_set_planes (pictures->small, n_planes, coarse, WIDTH / STEP, HEIGHT / STEP, STEP, WIDTH, HEIGHT);
  es_picture_set_planes (pictures->detailed, n_planes, coarse, WIDTH / STEP, HEIGHT / STEP, STEP, WIDTH, HEIGHT);
  es_picture_set_detail (pictures->detailed, n_planes, parts, part_step, part_x, part_y, TRUE);
  for (guint i = 0; i < n_planes; i++)
    {
      for (guint p = 0; p < 3; p++)
        es_picture_set_stretch ((EsPicture *[]) { pictures->full, pictures->small, pictures->detailed }[p], i,
                                -40 - (double) i, 120 + 3. * i);
      g_bytes_unref (whole[i]);
      g_bytes_unref (coarse[i]);
      es_plane_unref (parts[i]);
    }
}

static void
clear_pictures (Pictures *pictures)
{
  g_object_unref (pictures->full);
  g_object_unref (pictures->small);
  g_object_unref (pictures->detailed);
}

/* Which view pixels lie in the part; beside the picture's right edge there is nothing that could differ. */
static gboolean
is_in_part (const EsViewport *viewport, int i, int j)
{
  const double x = viewport->left + i / viewport->zoom, y = viewport->top + j / viewport->zoom;

  return x >= part_x && y >= part_y && y + 1 / viewport->zoom <= part_y + part_height;
}

static void
check_view (Pictures *pictures, GdkGLContext *context, const char *uploader, const EsViewport *viewport, guint v)
{
  g_autofree guint8 *full = es_test_render (pictures->full, context, uploader, VIEW_WIDTH, VIEW_HEIGHT, viewport);
  g_autofree guint8 *small = es_test_render (pictures->small, context, uploader, VIEW_WIDTH, VIEW_HEIGHT, viewport);
  g_autofree guint8 *found = es_test_render (pictures->detailed, context, uploader, VIEW_WIDTH, VIEW_HEIGHT, viewport);

  for (int j = 0; j < VIEW_HEIGHT; j++)
    for (int i = 0; i < VIEW_WIDTH; i++)
      {
        const gsize at = 4 * ((gsize) j * VIEW_WIDTH + i);
        const guint8 *expected = is_in_part (viewport, i, j) ? full : small;

        if (memcmp (expected + at, found + at, 4) != 0)
          g_error ("%s: view %u, pixel %d, %d: %u %u %u instead of %u %u %u", uploader, v, i, j, found[at],
                   found[at + 1], found[at + 2], expected[at], expected[at + 1], expected[at + 2]);
      }
}

/* Corners on whole device pixels, as views have them. */
static const EsViewport views[] = {
  { 100, 30, 1 },          /* all in the part */
  { 30, 0, 1 },            /* both edges */
  { 40, 10, 2 },           /* the same larger */
  { 200, 90, 3 },          /* the lower right corner and beyond */
  { 62, 20, 7 },
  { 0, 0, 1 },
  { 60, 22, 16 },
  { 40, 10, 0.75 },        /* smaller than the pixels, from the first of the part's copies */
};

static void
check_all (gconstpointer uploader)
{
  g_autofree char *reason = NULL;
  GdkGLContext *context = es_test_make_context (&reason);

  if (context == NULL)
    {
      g_test_skip (reason);
      return;
    }
  for (guint n_planes = 1; n_planes <= 3; n_planes += 2)
    {
      Pictures pictures;

      make_pictures (&pictures, n_planes, 1);
      for (guint v = 0; v < G_N_ELEMENTS (views); v++)
        check_view (&pictures, context, uploader, &views[v], v);
      clear_pictures (&pictures);
    }
  g_object_unref (context);
}

static void
test_pbo (void)
{
  check_all ("pbo");
}

static void
test_memory (void)
{
  check_all ("memory");
}

/* Views that are saved are made by the CPU. */
static void
test_holed (void)
{
  Pictures pictures;

  make_pictures (&pictures, 3, 1);
  g_autoptr (GdkTexture) full = es_picture_render_holed (pictures.full, VIEW_WIDTH, VIEW_HEIGHT, &views[0]);
  g_autoptr (GdkTexture) detailed = es_picture_render_holed (pictures.detailed, VIEW_WIDTH, VIEW_HEIGHT, &views[0]);
  g_autofree guint8 *expected = es_test_download (full), *found = es_test_download (detailed);

  es_test_compare (expected, found, VIEW_WIDTH, VIEW_HEIGHT, "holed", 0);
  clear_pictures (&pictures);
}

static void
test_samples (void)
{
  Pictures pictures;
  guint step, x, y;
  EsPlane *parts[3];

  make_pictures (&pictures, 1, 2);
  g_assert_true (es_picture_get_detail (pictures.detailed, parts, &step, &x, &y));
  g_assert_cmpuint (step, ==, 2);
  g_assert_cmpuint (x, ==, part_x);
  g_assert_cmpuint (y, ==, part_y);
  /* The coarse planes' where the part is not, the part's own where it is. */
  for (guint row = 0; row < HEIGHT; row += 3)
    for (guint column = 0; column < WIDTH; column += 3)
      {
        const gboolean inside = column >= part_x && row >= part_y && row < part_y + part_height;
        const float found = es_picture_get_sample (pictures.detailed, 0, column, row);
        const float expected = inside ? es_plane_get_sample (parts[0], (column - part_x) / 2, (row - part_y) / 2)
                                      : es_picture_get_sample (pictures.small, 0, column, row);

        g_assert_true (found == expected || (isnan (found) && isnan (expected)));
      }
  /* What a view shows. */
  g_assert_cmpuint (es_picture_get_shown_step (pictures.detailed, VIEW_WIDTH, VIEW_HEIGHT, &views[0]), ==, 2);
  g_assert_cmpuint (es_picture_get_shown_step (pictures.detailed, VIEW_WIDTH, VIEW_HEIGHT, &views[1]), ==, STEP);
  g_assert_cmpuint (es_picture_get_shown_step (pictures.small, VIEW_WIDTH, VIEW_HEIGHT, &views[0]), ==, STEP);
  es_picture_set_detail (pictures.detailed, 1, parts, 2, part_x, part_y, FALSE);
  g_assert_cmpuint (es_picture_get_shown_step (pictures.detailed, VIEW_WIDTH, VIEW_HEIGHT, &views[0]), ==, STEP);
  /* Gone with other planes, and when it is said to be. */
  es_picture_set_detail (pictures.detailed, 0, NULL, 1, 0, 0, FALSE);
  g_assert_false (es_picture_get_detail (pictures.detailed, parts, &step, &x, &y));
  g_assert_cmpuint (es_picture_get_shown_step (pictures.detailed, VIEW_WIDTH, VIEW_HEIGHT, &views[0]), ==, STEP);
  clear_pictures (&pictures);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  gtk_init_check ();

  g_test_add_func ("/render/detail/memory", test_memory);
  g_test_add_func ("/render/detail/pbo", test_pbo);
  g_test_add_func ("/render/detail/holed", test_holed);
  g_test_add_func ("/render/detail/samples", test_samples);
  return g_test_run ();
}
