/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <math.h>

#include "picture/es-heat-frame-private.h"
#include "es-test-picture.h"

/* Heat maps: what lies where, the largest value of many, and the same pixels with OpenGL and without. */

static GdkGLContext *context;  /* NULL: no OpenGL here */

static void
fill_line (float *line, guint n, guint64 row, gboolean holes)
{
  for (guint c = 0; c < n; c++)
    {
      guint32 hash = (guint32) (row * 7919 + c) * 2654435761u;

      line[c] = (float) ((int) (hash >> 20) % 977) / 16.f - 20;
      if (holes && (hash >> 8) % 13 == 0)
        line[c] = NAN;
      if (holes && (hash >> 8) % 101 == 1)
        line[c] = (hash & 64) != 0 ? INFINITY : -INFINITY;
    }
}

static EsHeatmap *
make (guint n_columns, guint64 n_rows, guint64 most, gboolean holes)
{
  EsHeatmap *map = es_heatmap_new ();
  g_autofree float *line = g_new (float, n_columns);

  es_heatmap_reset (map, n_columns, most, FALSE);
  for (guint64 row = 0; row < n_rows; row++)
    {
      fill_line (line, n_columns, row, holes);
      es_heatmap_append (map, holes && row % 53 == 50 ? NULL : line);
    }
  es_heatmap_set_range (map, -15, 30);
  return map;
}

static guint8 *
render (EsHeatmap *map, const char *uploader, int width, int height, const EsHeatmapView *view, GBytes *places)
{
  g_setenv ("ES_UPLOADER", uploader, TRUE);
  g_autoptr (GdkTexture) texture = places != NULL ? es_heatmap_render_places (map, context, width, height, places)
                                                  : es_heatmap_render (map, context, width, height, view);
  g_unsetenv ("ES_UPLOADER");

  g_assert_cmpstr (es_heatmap_get_uploader (map), ==, uploader);
  return es_test_download (texture);
}

/* What the pixel (i, j) has to be, from the definition alone; downloaded pixels are B, G, R, A. */
static guint32
expected_pixel (EsHeatmap *map, int width, int height, const EsHeatmapView *view, int i, int j)
{
  double x0 = view->left + (view->right - view->left) * i / width;
  double x1 = view->left + (view->right - view->left) * (i + 1) / width;
  double y0 = view->top + (view->bottom - view->top) * j / height;
  double y1 = view->top + (view->bottom - view->top) * (j + 1) / height;
  gboolean inside = FALSE;
  float largest = NAN;
  double low, high;

  for (guint64 row = es_heatmap_get_first (map); row < es_heatmap_get_end (map); row++)
    for (guint c = 0; c < es_heatmap_get_n_columns (map); c++)
      {
        gboolean in_x = x1 - x0 >= 1 ? c + 0.5 >= x0 && c + 0.5 < x1 : c == floor ((x0 + x1) / 2);
        double from = MIN (y0, y1), to = MAX (y0, y1);
        gboolean in_y = to - from >= 1 ? row + 0.5 >= from && row + 0.5 < to : row == floor ((from + to) / 2);
        float value = es_heatmap_get_value (map, c, row);

        if (!in_x || !in_y)
          continue;
        inside = TRUE;
        if (!isnan (value) && (isnan (largest) || value > largest))
          largest = value;
      }
  if (!inside)
    return 0xff2e2e2e;
  if (isnan (largest))
    return ((i / 8 + j / 8) & 1) ? 0xff3d3d3d : 0xff333333;

  es_heatmap_get_range (map, &low, &high);
  float place = (largest - (float) low) * (float) (256 / (high - low));
  const guint8 *entry = es_colormap_entries (es_heatmap_get_colormap (map))
                        + 4 * (place <= 0 ? 0 : place >= 255 ? 255 : (int) place);

  return 0xff000000u | (guint32) entry[0] << 16 | (guint32) entry[1] << 8 | entry[2];
}

static const EsHeatmapView views[] = {
  { 0, 7, 40, 0 },             /* all of it, the newest above */
  { 0, 7, 0, 40 },
  { -1.5, 9.25, 45.3, 11.8 },  /* over three edges */
  { 2, 5, 20, 12 },            /* enlarged */
  { 0, 7, 40, 37 },            /* rows of many pixels */
  { 100, 120, 3, 9 },          /* beside it */
};

static void
test_definition (void)
{
  g_autoptr (EsHeatmap) map = make (7, 40, 0, TRUE);

  for (guint v = 0; v < G_N_ELEMENTS (views); v++)
    for (guint size = 0; size < 2; size++)
      {
        int width = size == 0 ? 3 : 50, height = size == 0 ? 13 : 61;
        g_autofree guint8 *pixels = render (map, "memory", width, height, &views[v], NULL);

        for (int j = 0; j < height; j++)
          for (int i = 0; i < width; i++)
            {
              guint32 found = ((guint32 *) pixels)[j * width + i];
              guint32 expected = expected_pixel (map, width, height, &views[v], i, j);

              if (found != expected)
                g_error ("view %u, %d × %d, pixel %d, %d: %08x instead of %08x", v, width, height, i, j, found,
                         expected);
            }
      }
}

/* One loud value of a day is seen at every zoom, wherever it lies. */
static void
test_peak_survives (void)
{
  enum { N = 86400 };
  static const guint64 rows[] = { 0, 1, 63, 64, 4095, 4096, 50000, N - 1 };
  g_autoptr (EsHeatmap) map = es_heatmap_new ();
  float line[4];

  es_heatmap_reset (map, G_N_ELEMENTS (line), 0, FALSE);
  es_heatmap_extend (map, N);
  for (guint64 row = 0; row < N; row++)
    {
      for (guint c = 0; c < G_N_ELEMENTS (line); c++)
        line[c] = 0;
      for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
        if (rows[i] == row)
          line[2] = 9;
      es_heatmap_set_row (map, row, line);
    }
  es_heatmap_set_range (map, 0, 9);

  for (int height = 3; height < 2000; height = height * 5 / 3 + 1)
    {
      EsHeatmapView view = { 0, 4, N, 0 };
      g_autofree guint8 *pixels = render (map, "memory", 4, height, &view, NULL);
      guint32 hot = 0xff000000u | 0xfde725;

      for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
        {
          int j = (int) ((N - rows[i] - 0.5) * height / N);
          gboolean seen = FALSE;

          /* Rows of a coarser level belong to the pixel of their middle, which may be the next one. */
          for (int k = MAX (j - 1, 0); k <= MIN (j + 1, height - 1); k++)
            seen = seen || ((guint32 *) pixels)[k * 4 + 2] == hot;
          if (!seen)
            g_error ("row %" G_GUINT64_FORMAT " is not seen in %d pixels", rows[i], height);
        }
    }
}

/* The levels are the largest of what lies below them, whatever the order rows came in. */
static void
test_levels (void)
{
  enum { COLUMNS = 3 };

  for (guint order = 0; order < 4; order++)
    {
      guint64 n = 300;
      g_autoptr (EsHeatmap) map = es_heatmap_new ();
      float line[COLUMNS];

      es_heatmap_reset (map, COLUMNS, 0, FALSE);
      if (order > 0)
        es_heatmap_extend (map, n);
      for (guint64 i = 0; i < n; i++)
        {
          guint64 row = order == 2 ? n - 1 - i : order == 3 ? i * 77 % n : i;

          fill_line (line, COLUMNS, row + (order == 3 ? 1000 : 0), TRUE);
          if (order == 0)
            es_heatmap_append (map, line);
          else
            es_heatmap_set_row (map, row, line);
        }
      if (order == 3)          /* again, with smaller values among them */
        for (guint64 row = 0; row < n; row++)
          {
            fill_line (line, COLUMNS, row, TRUE);
            es_heatmap_set_row (map, row, line);
          }
      for (guint level = 1, unit = 4; level < 5; level++, unit *= 4)
        for (guint64 row = 0; row < (n + unit - 1) / unit; row++)
          {
            const float *values = es_heatmap_peek_rows (map, level, row, NULL);

            g_assert_nonnull (values);
            for (guint c = 0; c < COLUMNS; c++)
              {
                float largest = NAN;

                for (guint64 k = row * unit; k < MIN ((row + 1) * unit, n); k++)
                  {
                    float value = es_heatmap_get_value (map, c, k);
                    if (!isnan (value) && (isnan (largest) || value > largest))
                      largest = value;
                  }
                if (isnan (largest))
                  g_assert_true (isnan (values[c]));
                else
                  g_assert_cmpfloat (values[c], ==, largest);
              }
          }
    }
}

static void
test_decibels (void)
{
  g_autoptr (EsHeatmap) map = es_heatmap_new ();
  float minimum, maximum;

  es_heatmap_reset (map, 4, 0, TRUE);
  es_heatmap_append (map, (float[]) { 1, 100, 0, NAN });
  g_assert_cmpfloat (es_heatmap_get_value (map, 0, 0), ==, 0);
  g_assert_cmpfloat (es_heatmap_get_value (map, 1, 0), ==, 20);
  g_assert_true (isinf (es_heatmap_get_value (map, 2, 0)));
  g_assert_true (isnan (es_heatmap_get_value (map, 3, 0)));
  g_assert_true (isnan (es_heatmap_get_value (map, 0, 1)));
  g_assert_true (es_heatmap_find_range (map, 0, 1, &minimum, &maximum));
  g_assert_cmpfloat (minimum, ==, 0);
  g_assert_cmpfloat (maximum, ==, 20);
  g_assert_false (es_heatmap_find_range (map, 1, 9, &minimum, &maximum));
  es_heatmap_blank (map);
  g_assert_true (isnan (es_heatmap_get_value (map, 0, 0)));
  g_assert_cmpuint (es_heatmap_get_end (map), ==, 1);
}

static void
test_quantile (void)
{
  g_autoptr (EsHeatmap) map = es_heatmap_new ();
  float line[1000];

  for (guint i = 0; i < G_N_ELEMENTS (line); i++)
    line[i] = i;
  es_heatmap_reset (map, G_N_ELEMENTS (line), 0, FALSE);
  es_heatmap_append (map, line);
  g_assert_cmpfloat_with_epsilon (es_heatmap_find_quantile (map, 0, 1, 0.5), 500, 5);
  g_assert_cmpfloat_with_epsilon (es_heatmap_find_quantile (map, 0, 1, 0.99), 990, 5);
  g_assert_true (isnan (es_heatmap_find_quantile (map, 3, 4, 0.5)));
}

/* Only the newest are kept, and the rest is given back. */
static void
test_limit (void)
{
  g_autoptr (EsHeatmap) map = make (5, 3000, 1000, FALSE);
  g_autoptr (EsHeatmap) all = make (5, 3000, 0, FALSE);
  float line[5];

  g_assert_cmpuint (es_heatmap_get_first (map), ==, 2000);
  g_assert_cmpuint (es_heatmap_get_end (map), ==, 3000);
  g_assert_true (isnan (es_heatmap_get_value (map, 0, 1999)));
  fill_line (line, 5, 2999, FALSE);
  g_assert_cmpfloat (es_heatmap_get_value (map, 4, 2999), ==, line[4]);
  g_assert_cmpuint (es_heatmap_get_memory (map), <, es_heatmap_get_memory (all) / 2);
  es_heatmap_set_row (map, 10, line);
  g_assert_true (isnan (es_heatmap_get_value (map, 0, 10)));
}

static void
test_plan (void)
{
  enum { SIZE = 60 };
  const double angles[] = { 0, 90, 180 }, radii[] = { 10, 20, 30 };
  g_autoptr (EsHeatmap) map = es_heatmap_new ();
  g_autoptr (GBytes) half = es_heatmap_places_of_plan (SIZE, SIZE, 30, 30, 2, angles, 2, radii, FALSE);
  g_autoptr (GBytes) whole = es_heatmap_places_of_plan (SIZE, SIZE, 30, 30, 2, angles, 2, radii, TRUE);
  const gint32 *place = g_bytes_get_data (half, NULL), *mirrored = g_bytes_get_data (whole, NULL);

  for (int j = 0; j < SIZE; j++)
    for (int i = 0; i < SIZE; i++, place += 2, mirrored += 2)
      {
        double dx = i + 0.5 - 30, dy = 30 - j - 0.5, r = hypot (dx, dy);
        int row = r < 10 || r >= 30 ? -1 : r < 20 ? 0 : 1;

        g_assert_cmpint (place[1], ==, row);
        g_assert_cmpint (place[0], ==, dy < 0 ? -1 : dx > 0 ? 0 : 1);
        g_assert_cmpint (mirrored[0], ==, dx > 0 ? 0 : 1);
      }

  es_heatmap_reset (map, 2, 0, FALSE);
  es_heatmap_append (map, (float[]) { 0, 1 });
  es_heatmap_append (map, (float[]) { NAN, 0.5f });
  es_heatmap_set_range (map, 0, 1);
  es_heatmap_set_colormap (map, ES_COLORMAP_GRAY);

  g_autofree guint8 *pixels = render (map, "memory", SIZE, SIZE, NULL, half);
  const guint32 *pixel = (const guint32 *) pixels;
  g_assert_cmphex (pixel[20 * SIZE + 40], ==, 0xff000000);           /* near, right */
  g_assert_cmphex (pixel[20 * SIZE + 19], ==, 0xffffffff);           /* near, left */
  g_assert_cmphex (pixel[10 * SIZE + 15], ==, 0xff808080);           /* far, left */
  g_assert_cmphex (pixel[10 * SIZE + 45] & 0xf0f0f0, ==, 0x303030);  /* far, right: missing */
  g_assert_cmphex (pixel[30 * SIZE + 31], ==, 0xff2e2e2e);           /* nearer than the nearest */
}

/* ---- with OpenGL ---- */

static void
compare_both (EsHeatmap *map, int width, int height, const EsHeatmapView *view, GBytes *places, const char *what,
              guint i)
{
  g_autofree guint8 *expected = render (map, "memory", width, height, view, places);
  g_autofree guint8 *found = render (map, "pbo", width, height, view, places);

  es_test_compare (expected, found, width, height, what, i);
}

static gboolean
skip_without_gl (void)
{
  if (context == NULL)
    g_test_skip ("no OpenGL");
  return context == NULL;
}

static void
test_identity (void)
{
  static const struct { guint columns; guint64 rows, most; } sizes[] = {
    { 7, 40, 0 }, { 1, 1, 0 }, { 160, 5000, 0 }, { 500, 700, 300 }, { 33, 20000, 9000 },
  };

  if (skip_without_gl ())
    return;
  for (guint s = 0; s < G_N_ELEMENTS (sizes); s++)
    {
      g_autoptr (EsHeatmap) map = make (sizes[s].columns, sizes[s].rows, sizes[s].most, TRUE);
      double n = sizes[s].rows, w = sizes[s].columns;
      const EsHeatmapView more[] = {
        { 0, w, n, 0 },      { 0, w, n, n - 200 },     { 0, w, n + 20, n - 30 }, { w / 3, w / 2, n / 2, n / 4 },
        { 0, w, n / 3, 0 },  { -3, w + 5, 1.5 * n, -n }, { 0, w, 0, n },          { 0, w, n - 1, n - 1.25 },
      };

      for (guint i = 0; i < G_N_ELEMENTS (more); i++)
        compare_both (map, 211, 157, &more[i], NULL, "rows", 100 * s + i);
      es_heatmap_set_range (map, 3, 3);
      compare_both (map, 64, 64, &more[0], NULL, "a step", s);
      es_heatmap_set_range (map, 20, -10);
      es_heatmap_set_colormap (map, ES_COLORMAP_MAGMA);
      compare_both (map, 64, 64, &more[0], NULL, "inverted", s);
    }
}

static void
test_identity_of_places (void)
{
  enum { COLUMNS = 20, ROWS = 6 };
  g_autoptr (EsHeatmap) map = make (COLUMNS, ROWS, 0, TRUE);
  double angles[COLUMNS + 1], radii[ROWS + 1];

  if (skip_without_gl ())
    return;
  for (guint i = 0; i <= COLUMNS; i++)
    angles[i] = 9. * i;
  for (guint i = 0; i <= ROWS; i++)
    radii[i] = 10 + 12 * i;
  for (guint i = 0; i < 3; i++)
    {
      int width = 170 + 31 * (int) i, height = 120;
      g_autoptr (GBytes) places = es_heatmap_places_of_plan (width, height, width / 2., height - 20 * i, COLUMNS,
                                                             angles, ROWS, radii, i == 1);

      compare_both (map, width, height, NULL, places, "plan", i);
    }
}

/* While it scrolls, rows come and go, and older ones change: never another pixel, and one row costs one row. */
static void
test_stream (void)
{
  enum { COLUMNS = 60, HEIGHT = 200 };
  g_autoptr (EsHeatmap) map = make (COLUMNS, 900, 2500, TRUE);
  float line[COLUMNS];
  guint64 uploaded = 0;

  if (skip_without_gl ())
    return;
  for (guint i = 0; i < 2600; i++)
    {
      double end;
      EsHeatmapView view = { 0, COLUMNS, 0, 0 };

      fill_line (line, COLUMNS, 5000 + i, TRUE);
      es_heatmap_append (map, line);
      if (i % 400 == 399)
        es_heatmap_set_row (map, es_heatmap_get_end (map) - 100 - i % 7, line);
      if (i > 20 && i % 37 != 0)
        continue;
      end = es_heatmap_get_end (map);
      view.top = end;
      view.bottom = end - HEIGHT;
      if (i > 20 && i % 5 == 0)
        {
          view.top -= 600;
          view.bottom -= 700 + i / 4;
        }
      compare_both (map, 80, HEIGHT, &view, NULL, "stream", i);
      if (i > 0 && i < 20)
        g_assert_cmpuint (es_heat_gl_get_uploaded (es_heatmap_get_gl (map)), ==, uploaded + 1);
      uploaded = es_heat_gl_get_uploaded (es_heatmap_get_gl (map));
    }

  /* Another range, another colour map, the same view: nothing is copied. */
  EsHeatmapView view = { 0, COLUMNS, es_heatmap_get_end (map), es_heatmap_get_end (map) - 2000. };
  compare_both (map, 80, HEIGHT, &view, NULL, "before", 0);
  uploaded = es_heat_gl_get_uploaded (es_heatmap_get_gl (map));
  es_heatmap_set_range (map, 0, 5);
  es_heatmap_set_colormap (map, ES_COLORMAP_CIVIDIS);
  compare_both (map, 80, HEIGHT, &view, NULL, "look", 0);
  g_assert_cmpuint (es_heat_gl_get_uploaded (es_heatmap_get_gl (map)), ==, uploaded);
  es_heatmap_blank (map);
  compare_both (map, 80, HEIGHT, &view, NULL, "blank", 0);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_unsetenv ("ES_UPLOADER");
  if (gtk_init_check ())
    context = es_test_make_context (NULL);

  g_test_add_func ("/render/heatmap/definition", test_definition);
  g_test_add_func ("/render/heatmap/peak-survives", test_peak_survives);
  g_test_add_func ("/render/heatmap/levels", test_levels);
  g_test_add_func ("/render/heatmap/decibels", test_decibels);
  g_test_add_func ("/render/heatmap/quantile", test_quantile);
  g_test_add_func ("/render/heatmap/limit", test_limit);
  g_test_add_func ("/render/heatmap/plan", test_plan);
  g_test_add_func ("/render/heatmap/identity", test_identity);
  g_test_add_func ("/render/heatmap/identity-of-places", test_identity_of_places);
  g_test_add_func ("/render/heatmap/stream", test_stream);

  int status = g_test_run ();
  g_clear_object (&context);
  return status;
}
