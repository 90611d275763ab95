/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* Regions against a test of every pixel's centre, their text, and what no text of one is. */

#include <math.h>
#include <string.h>

#include "base/es-error.h"
#include "cube/es-region.h"
#include "cube/es-region-param.h"

static gboolean
is_inside (const double *points, guint n, double x, double y)
{
  gboolean inside = FALSE;

  for (guint i = 0, j = n - 1; i < n; j = i++)
    {
      const double *a = points + 2 * i, *b = points + 2 * j;
      if ((a[1] > y) != (b[1] > y) && x < (b[0] - a[0]) * (y - a[1]) / (b[1] - a[1]) + a[0])
        inside = !inside;
    }
  return inside;
}

/* Count, bounds, and masks of windows that lie across its edges. */
static void
assert_pixels (const EsRegion *region, const guint8 *expected, guint64 width, guint64 height)
{
  guint64 count = 0, left = width, right = 0, top = height, bottom = 0, x, y, w, h;
  static const guint64 windows[][4] = { { 0, 0, 40, 30 }, { 5, 3, 17, 11 }, { 39, 29, 1, 1 }, { 0, 12, 40, 1 },
                                        { 20, 0, 1, 30 } };

  for (guint64 p = 0; p < width * height; p++)
    if (expected[p])
      {
        count++;
        left = MIN (left, p % width);
        right = MAX (right, p % width);
        top = MIN (top, p / width);
        bottom = MAX (bottom, p / width);
      }
  g_assert_cmpuint (es_region_count (region, width, height), ==, count);
  g_assert_true (es_region_get_bounds (region, width, height, &x, &y, &w, &h) == (count > 0));
  if (count > 0)
    {
      g_assert_cmpuint (x, ==, left);
      g_assert_cmpuint (y, ==, top);
      g_assert_cmpuint (w, ==, right - left + 1);
      g_assert_cmpuint (h, ==, bottom - top + 1);
    }
  for (guint i = 0; i < G_N_ELEMENTS (windows); i++)
    {
      const guint64 *window = windows[i];
      g_autofree guint8 *mask = g_malloc (window[2] * window[3] + 1);

      mask[window[2] * window[3]] = 77;
      es_region_fill_mask (region, window[0], window[1], window[2], window[3], mask);
      for (guint64 row = 0; row < window[3]; row++)
        g_assert_cmpmem (mask + row * window[2], window[2],
                         expected + (window[1] + row) * width + window[0], window[2]);
      g_assert_cmpuint (mask[window[2] * window[3]], ==, 77);
    }
}

/* And the same once more from its text. */
static void
assert_region (const EsRegion *region, const guint8 *expected)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *text = es_region_format (region);
  g_autoptr (EsRegion) again = es_region_parse (text, &error);
  g_autofree char *text_again = NULL;

  g_assert_no_error (error);
  text_again = es_region_format (again);
  g_assert_cmpstr (text_again, ==, text);
  assert_pixels (region, expected, 40, 30);
  assert_pixels (again, expected, 40, 30);
}

static void
test_rectangle (void)
{
  static const gint64 rectangles[][4] = { { 3, 4, 5, 6 }, { -5, -5, 10, 10 }, { 35, 25, 100, 100 }, { 0, 0, 40, 30 },
                                          { 50, 50, 3, 3 }, { 39, 29, 1, 1 } };

  for (guint i = 0; i < G_N_ELEMENTS (rectangles); i++)
    {
      const gint64 *r = rectangles[i];
      g_autoptr (EsRegion) region = es_region_new_rectangle (r[0], r[1], r[2], r[3]);
      guint8 expected[40 * 30];
      guint n;

      for (gint64 y = 0; y < 30; y++)
        for (gint64 x = 0; x < 40; x++)
          expected[y * 40 + x] = x >= r[0] && x < r[0] + r[2] && y >= r[1] && y < r[1] + r[3];
      assert_region (region, expected);
      g_assert_nonnull (es_region_get_outline (region, &n));
      g_assert_cmpuint (n, ==, 4);
    }
}

static void
test_polygon (void)
{
  g_autoptr (GRand) random = g_rand_new_with_seed (3);

  for (guint round = 0; round < 60; round++)
    {
      const guint n = g_rand_int_range (random, 3, 12);
      double points[2 * 12];
      guint8 expected[40 * 30];

      /* Every third one has its corners in centres and at edges, where a pixel may be in or out but not both. */
      for (guint i = 0; i < n; i++)
        {
          points[2 * i] = g_rand_double_range (random, -10, 50);
          points[2 * i + 1] = g_rand_double_range (random, -10, 40);
          if (round % 3 == 0)
            {
              points[2 * i] = floor (points[2 * i] * 2) / 2 + 0.25;
              points[2 * i + 1] = floor (points[2 * i + 1]);
            }
        }
      for (guint y = 0; y < 30; y++)
        for (guint x = 0; x < 40; x++)
          expected[y * 40 + x] = is_inside (points, n, x + 0.5, y + 0.5);
      g_autoptr (EsRegion) region = es_region_new_polygon (points, n);
      assert_region (region, expected);
    }
}

/* Polygons that share an edge share no pixel, and leave none out. */
static void
test_neighbours (void)
{
  const double left[] = { 0, 0, 20.5, 0, 10.5, 30, 0, 30 }, right[] = { 20.5, 0, 40, 0, 40, 30, 10.5, 30 };
  g_autoptr (EsRegion) a = es_region_new_polygon (left, 4), b = es_region_new_polygon (right, 4);
  guint8 first[40 * 30], second[40 * 30];

  es_region_fill_mask (a, 0, 0, 40, 30, first);
  es_region_fill_mask (b, 0, 0, 40, 30, second);
  for (guint i = 0; i < 40 * 30; i++)
    g_assert_cmpuint (first[i] + second[i], ==, 1);
}

static void
test_mask (void)
{
  g_autoptr (GRand) random = g_rand_new_with_seed (4);
  guint8 mask[40 * 30];
  guint n;

  for (guint round = 0; round < 3; round++)
    {
      for (guint i = 0; i < G_N_ELEMENTS (mask); i++)
        mask[i] = round == 0 ? 0 : round == 1 ? 1 : g_rand_double (random) < 0.6;
      g_autoptr (EsRegion) region = es_region_new_mask (mask, 40, 30);
      assert_region (region, mask);
      g_assert_null (es_region_get_outline (region, &n));
      g_assert_cmpuint (n, ==, 0);
    }
}

static void
test_text (void)
{
  static const char *const wrong[] = {
    "", "circle 1 2 3", "rectangle", "rectangle 1 2 3", "rectangle 1 2 3 4 5", "rectangle 1 2 0 4",
    "rectangle 1.5 2 3 4",
    "rectangle 1 2 3 nan", "polygon 1,2 3,4", "polygon 1,2 3,4 5", "polygon 1,2 3,4 inf,6", "polygon 1,2 3,4 1e99,6",
    "runs 1", "runs 1:", "runs 1:2", "runs 1:5-3", "runs -1:2-3", "runs 1:2-3,", "runs 1:2-99999999999999999999",
    "rectangles 1 2 3 4",
  };
  g_autoptr (GError) error = NULL;
  g_autoptr (EsRegion) region = es_region_parse ("  runs 2:7-9,1-3 1:4-4 2:3-5", &error);
  g_autofree char *text = NULL;

  g_assert_no_error (error);
  text = es_region_format (region);
  g_assert_cmpstr (text, ==, "runs 1:4-4 2:1-5,7-9");
  g_assert_cmpuint (es_region_count (region, 100, 100), ==, 9);
  g_assert_cmpuint (es_region_count (region, 3, 100), ==, 2);
  for (guint i = 0; i < G_N_ELEMENTS (wrong); i++)
    {
      g_assert_null (es_region_parse (wrong[i], &error));
      g_assert_error (error, ES_COMPUTE_ERROR, ES_COMPUTE_ERROR_PARAMETER);
      g_clear_error (&error);
    }
}

/* However far out a corner or a run is, and however many corners there are. */
static void
test_far_out (void)
{
  static const struct { const char *text, *described; } cases[] = {
    { "rectangle 3 4 20 10", "20 × 10 pixels at 3, 4" },
    { "rectangle 3 4 5 2000000000", "5 × 2000000000 pixels at 3, 4" },
    { "polygon 0,0 4.5,8800000000 2,4", "4 × 2147483647 pixels at 0, 0" },
    { "polygon 0,0 10,0 10,10 0,10", "10 × 10 pixels at 0, 0" },
    { "runs 5:2-9 2000000000:0-3", "10 × 1999999996 pixels at 0, 5" },
    { "rectangle -20 -20 5 5", "rectangle -20 -20 5 5" },
  };
  const gint64 begun = g_get_monotonic_time ();
  g_autoptr (GString) many = g_string_new ("polygon");
  g_autofree char *described = NULL;

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *text = es_region_describe (cases[i].text);

      g_assert_cmpstr (text, ==, cases[i].described);
    }
  for (guint i = 0; i < 90000; i++)
    g_string_append_printf (many, " %u,%u", i, i % 2 == 0 ? 0 : 900000);
  described = es_region_describe (many->str);
  g_assert_cmpstr (described, ==, "89999 × 900000 pixels at 0, 0");
  g_assert_cmpint (g_get_monotonic_time () - begun, <, 5 * G_USEC_PER_SEC);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/region/rectangle", test_rectangle);
  g_test_add_func ("/region/polygon", test_polygon);
  g_test_add_func ("/region/neighbours", test_neighbours);
  g_test_add_func ("/region/mask", test_mask);
  g_test_add_func ("/region/text", test_text);
  g_test_add_func ("/region/far-out", test_far_out);
  return g_test_run ();
}
