/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <math.h>
#include <string.h>

#include "matrix/es-sparse-matrix.h"
#include "plane/es-spy-picture.h"

static const guint8 *
pixel_at (const guint8 *pixels, guint width, guint x, guint y)
{
  return pixels + ((gsize) y * width + x) * 4;
}

static double
lightness (const guint8 *pixel)
{
  return 0.2126 * pixel[0] + 0.7152 * pixel[1] + 0.0722 * pixel[2];
}

static void
test_size (void)
{
  static const struct { gsize rows, columns; guint longest, width, height; } cases[] = {
    { 10, 10, 100, 100, 100 }, { 10, 20, 100, 100, 50 }, { 20, 10, 100, 50, 100 }, { 1, 1000000, 100, 100, 16 },
    { 1000000, 1, 100, 16, 100 }, { 3, 2, 8, 8, 8 }, { 2147483647, 2147483647, 1024, 1024, 1024 },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      guint width, height;

      es_spy_picture_choose_size (cases[i].rows, cases[i].columns, cases[i].longest, &width, &height);
      g_assert_cmpuint (width, ==, cases[i].width);
      g_assert_cmpuint (height, ==, cases[i].height);
    }
}

/* Nothing, a single one, and more, as far as the most that 32 bits count: ever farther from the ground. */
static void
test_scale (void)
{
  static const guint32 cells[] = { 0, 1, 2, 10, 1000, 1000000, G_MAXUINT32 };
  const guint n = G_N_ELEMENTS (cells);

  for (guint map = ES_COLORMAP_GRAY; map <= ES_COLORMAP_CIVIDIS; map++)
    {
      guint8 pixels[4 * G_N_ELEMENTS (cells)];
      const double sign = map == ES_COLORMAP_GRAY ? -1 : 1;

      es_spy_picture_paint (cells, n, 1, (EsColormap) map, n, 1, pixels);
      g_assert_cmpfloat_with_epsilon (lightness (pixels), map == ES_COLORMAP_GRAY ? 255 : 0, 1e-9);
      for (guint i = 1; i < n; i++)
        {
          g_assert_cmpuint (pixels[4 * i + 3], ==, 255);
          g_assert_cmpfloat (sign * lightness (pixels + 4 * i), >, sign * lightness (pixels + 4 * (i - 1)));
        }
      /* A single one is seen beside the fullest. */
      g_assert_cmpfloat (fabs (lightness (pixels + 4) - lightness (pixels)), >, 40);
    }
}

static void
test_alone (void)
{
  static const guint32 cells[] = { 0, 1, 0, 0 }, none[] = { 0, 0, 0, 0 };
  guint8 pixels[16];

  es_spy_picture_paint (none, 2, 2, ES_COLORMAP_GRAY, 2, 2, pixels);
  for (guint i = 0; i < 16; i++)
    g_assert_cmpuint (pixels[i], ==, 255);
  es_spy_picture_paint (cells, 2, 2, ES_COLORMAP_GRAY, 2, 2, pixels);
  g_assert_cmpuint (pixels[0], ==, 255);
  g_assert_cmpuint (pixels[4], <, 200);
  g_assert_cmpuint (pixels[8], ==, 255);
}

/* Each element of the example is 25 x 25 pixels. */
static void
test_enlarged (void)
{
  static const guint8 stored[16] = { 1, 1, 0, 0, 0, 1, 1, 0, 1, 0, 1, 1, 0, 1, 0, 1 };
  g_autoptr (GError) error = NULL;
  g_autoptr (EsDataset) matrix = es_sparse_matrix_make ("example:4x4", NULL, &error);
  g_autofree guint8 *pixels = g_malloc (100 * 100 * 4);
  guint32 cells[16];

  g_assert_no_error (error);
  g_assert_true (es_sparse_matrix_count_cells (ES_SPARSE_MATRIX (matrix), 4, 4, cells, NULL, &error));
  es_spy_picture_paint (cells, 4, 4, ES_COLORMAP_GRAY, 100, 100, pixels);
  for (guint y = 0; y < 100; y++)
    for (guint x = 0; x < 100; x++)
      g_assert_cmpint (pixel_at (pixels, 100, x, y)[0] < 255, ==, stored[y / 25 * 4 + x / 25]);
}

/* Of ten million rows three elements: three pixels. */
static void
test_visible (void)
{
  const gsize n = 10000000;
  gint32 *row_from = g_new0 (gint32, n + 1), *columns = g_new (gint32, 3);
  double *values = g_new0 (double, 3);
  const gsize rows[] = { 0, 4999999, 9999999 };
  g_autofree guint8 *pixels = g_malloc (64 * 64 * 4);
  guint32 cells[64 * 64];
  g_autoptr (GError) error = NULL;
  guint seen = 0;

  for (gsize k = 0; k < 3; k++)
    {
      columns[k] = (gint32) (k * 3000000);
      for (gsize i = rows[k]; i < n; i++)
        row_from[i + 1] = (gint32) k + 1;
    }
  g_autoptr (EsSparseMatrix) matrix = es_sparse_matrix_new ("few", n, n, row_from, columns, values,
                                                            ES_SYMMETRY_GENERAL, &error);
  g_assert_no_error (error);
  g_assert_true (es_sparse_matrix_count_cells (matrix, 64, 64, cells, NULL, &error));
  es_spy_picture_paint (cells, 64, 64, ES_COLORMAP_GRAY, 64, 64, pixels);
  for (guint i = 0; i < 64 * 64; i++)
    seen += pixels[4 * i] < 200;
  g_assert_cmpuint (seen, ==, 3);
  g_assert_cmpuint (pixel_at (pixels, 64, 0, 0)[0], <, 200);
  g_assert_cmpuint (pixel_at (pixels, 64, 38, 63)[0], <, 200);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/render/spy-picture/size", test_size);
  g_test_add_func ("/render/spy-picture/scale", test_scale);
  g_test_add_func ("/render/spy-picture/alone", test_alone);
  g_test_add_func ("/render/spy-picture/enlarged", test_enlarged);
  g_test_add_func ("/render/spy-picture/visible", test_visible);
  return g_test_run ();
}
