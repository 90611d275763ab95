/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* Profiles against plain loops over the same numbers: every pixel of a row once, means across, corners, gaps, texts. */

#include <math.h>
#include <string.h>

#include "../writers/es-test-folder.h"
#include "base/es-error.h"
#include "profile/es-profile.h"

#define WIDTH 37
#define HEIGHT 23

/* No two pixels are the same, and no sum of two is that of two others by chance. */
static float *
make_plane (guint64 width, guint64 height)
{
  float *plane = g_new (float, width * height);

  for (guint64 i = 0; i < width * height; i++)
    plane[i] = (float) ((i * 2654435761u) % 100003) / 7;
  return plane;
}

static EsProfile *
take (const float *plane, const char *text, EsProfileSampling sampling, guint across)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (EsProfileLine) line = es_profile_line_parse (text, &error);
  EsProfile *profile;

  g_assert_no_error (error);
  line->sampling = sampling;
  line->width = across;
  profile = es_profile_of_planes (line, 1, &plane, WIDTH, HEIGHT, &error);
  g_assert_no_error (error);
  return profile;
}

/* Bits, so that a gap is one. */
static void
assert_same (double a, double b)
{
  if (isnan (b))
    g_assert_true (isnan (a));
  else
    g_assert_cmpfloat_with_epsilon (a, b, 1e-9 * fmax (1, fabs (b)));
}

static void
test_rows (void)
{
  g_autofree float *plane = make_plane (WIDTH, HEIGHT);
  g_autoptr (EsProfile) row = take (plane, "0,5,36,5", ES_PROFILE_NEAREST, 1);
  g_autoptr (EsProfile) back = take (plane, "36,5,0,5", ES_PROFILE_NEAREST, 1);
  g_autoptr (EsProfile) column = take (plane, "11,0,11,22", ES_PROFILE_BILINEAR, 1);
  g_autoptr (EsProfile) wide = take (plane, "0,5,36,5", ES_PROFILE_NEAREST, 5);
  g_autoptr (EsProfile) edge = take (plane, "0,0,36,0", ES_PROFILE_NEAREST, 3);
  g_autoptr (EsProfile) point = take (plane, "3,4,3,4", ES_PROFILE_NEAREST, 3);

  g_assert_cmpuint (row->n, ==, WIDTH);
  g_assert_cmpuint (column->n, ==, HEIGHT);
  g_assert_null (row->metres);
  for (guint x = 0; x < WIDTH; x++)
    {
      double mean = 0;

      for (guint y = 3; y <= 7; y++)
        mean += plane[y * WIDTH + x] / 5.;
      assert_same (row->values[x], plane[5 * WIDTH + x]);
      assert_same (back->values[x], plane[5 * WIDTH + WIDTH - 1 - x]);
      assert_same (row->distances[x], x);
      assert_same (row->places[x].x, x);
      assert_same (row->places[x].y, 5);
      assert_same (wide->values[x], mean);
      /* Beyond the edge there is nothing to be a mean of. */
      assert_same (edge->values[x], ((double) plane[x] + plane[WIDTH + x]) / 2);
    }
  for (guint y = 0; y < HEIGHT; y++)
    assert_same (column->values[y], plane[y * WIDTH + 11]);
  g_assert_cmpuint (point->n, ==, 1);
  assert_same (point->values[0], ((double) plane[3 * WIDTH + 3] + plane[4 * WIDTH + 3] + plane[5 * WIDTH + 3]) / 3);
}

/* Any line: as many steps as its longer side, each the pixel that it lies in. */
static void
test_slanting (void)
{
  g_autofree float *plane = make_plane (WIDTH, HEIGHT);
  g_autoptr (EsProfile) nearest = take (plane, "30,20,2,3", ES_PROFILE_NEAREST, 1);
  g_autoptr (EsProfile) smooth = take (plane, "30,20,2,3", ES_PROFILE_BILINEAR, 1);
  g_autoptr (EsProfile) wide = take (plane, "30,20,2,3", ES_PROFILE_BILINEAR, 3);
  const double length = hypot (28, 17);

  g_assert_cmpuint (nearest->n, ==, 29);
  for (guint k = 0; k < nearest->n; k++)
    {
      const double x = 30 - k, y = 20 - 17. * k / 28;

      assert_same (nearest->values[k], plane[(guint) floor (y + 0.5) * WIDTH + (guint) x]);
      assert_same (nearest->distances[k], length * k / 28);
    }
  g_assert_cmpuint (smooth->n, ==, (guint) ceil (length) + 1);
  for (guint k = 0; k < smooth->n; k++)
    {
      double mean = 0;

      for (int i = -1; i <= 1; i++)
        {
          const double share = k / ceil (length);
          const double x = 30 - 28 * share + i * 17 / length, y = 20 - 17 * share - i * 28 / length;
          const guint left = (guint) x, top = (guint) y;
          const double u = x - left, v = y - top;
          const float *p = plane + top * WIDTH + left;
          const double value = (p[0] * (1 - u) + p[1] * u) * (1 - v) + (p[WIDTH] * (1 - u) + p[WIDTH + 1] * u) * v;

          if (i == 0)
            assert_same (smooth->values[k], value);
          mean += value / 3;
        }
      assert_same (wide->values[k], mean);
    }
}

/* A corner is one sample, and the distance goes on. */
static void
test_corners (void)
{
  g_autofree float *plane = make_plane (WIDTH, HEIGHT);
  g_autoptr (EsProfile) profile = take (plane, "2,2, 6,2; 6,5 3,1", ES_PROFILE_NEAREST, 1);
  double away;

  g_assert_cmpuint (profile->n, ==, 1 + 4 + 3 + 4);
  assert_same (profile->values[4], plane[2 * WIDTH + 6]);
  assert_same (profile->values[5], plane[3 * WIDTH + 6]);
  assert_same (profile->values[7], plane[5 * WIDTH + 6]);
  assert_same (profile->distances[7], 7);
  assert_same (profile->distances[11], 12);
  assert_same (profile->values[11], plane[1 * WIDTH + 3]);
  g_assert_cmpuint (es_profile_find_nearest (profile, 6.4, 2.9, &away), ==, 5);
  assert_same (away, hypot (0.4, 0.1));
}

static void
test_gaps (void)
{
  g_autofree float *plane = make_plane (WIDTH, HEIGHT);

  plane[5 * WIDTH + 9] = NAN;
  plane[6 * WIDTH + 20] = NAN;
  g_autoptr (EsProfile) row = take (plane, "0,5,36,5", ES_PROFILE_NEAREST, 1);
  g_autoptr (EsProfile) smooth = take (plane, "0,5.5,36,5.5", ES_PROFILE_BILINEAR, 1);
  g_autoptr (EsProfile) exact = take (plane, "0,5,36,5", ES_PROFILE_BILINEAR, 1);
  g_autoptr (EsProfile) wide = take (plane, "0,5,36,5", ES_PROFILE_NEAREST, 3);

  for (guint x = 0; x < WIDTH; x++)
    {
      g_assert_cmpint (isnan (row->values[x]), ==, x == 9);
      g_assert_cmpint (isnan (smooth->values[x]), ==, x == 9 || x == 20);
      /* On the middles of pixels the others have no weight. */
      g_assert_cmpint (isnan (exact->values[x]), ==, x == 9);
      g_assert_false (isnan (wide->values[x]));
    }
  assert_same (wide->values[9], ((double) plane[4 * WIDTH + 9] + plane[6 * WIDTH + 9]) / 2);
}

/* Longer than what is read at a time: nothing is seen of the seams. */
static void
test_long (void)
{
  const guint64 width = 3000, height = 2900;
  g_autofree float *plane = make_plane (width, height);
  const float *planes[2] = { plane, plane };
  g_autoptr (EsProfileLine) line = es_profile_line_parse ("0,2899,2999,0", NULL);
  g_autoptr (GError) error = NULL;

  line->width = 3;
  g_autoptr (EsProfile) profile = es_profile_of_planes (line, 2, planes, width, height, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (profile->n, ==, 3000);
  const double length = hypot (2999, 2899);
  for (guint k = 0; k < profile->n; k++)
    {
      double sum = 0;
      guint n = 0;

      for (int i = -1; i <= 1; i++)
        {
          const double x = floor (k + i * 2899 / length + 0.5);
          const double y = floor (2899 - 2899 * (k / 2999.) + i * 2999 / length + 0.5);

          if (x < 0 || y < 0 || x >= width || y >= height)
            continue;
          sum += plane[(guint64) y * width + (guint64) x];
          n++;
        }
      assert_same (profile->values[k], sum / n);
      g_assert_cmpfloat (profile->values[k], ==, profile->values[profile->n + k]);
    }
}

static void
test_cube (void)
{
  static const double transform[6] = { 500000, 30, 0, 5800000, 0, -20 };
  g_autoptr (EsCube) cube = es_test_cube_new (WIDTH, HEIGHT, transform,
                                              "PROJCS[\"UTM 33N\",GEOGCS[\"WGS 84\",DATUM[\"WGS_1984\",SPHEROID[\"WGS "
                                              "84\",6378137,298.257223563]],PRIMEM[\"Greenwich\",0],UNIT[\"degree\","
                                              "0.0174532925199433]],PROJECTION[\"Transverse_Mercator\"],PARAMETER["
                                              "\"latitude_of_origin\",0],PARAMETER[\"central_meridian\",15],PARAMETER["
                                              "\"scale_factor\",0.9996],PARAMETER[\"false_easting\",500000],PARAMETER["
                                              "\"false_northing\",0],UNIT[\"metre\",1]]");
  const guint bands[2] = { 2, 0 };
  const guint all[6] = { 0, 1, 2, 2, 1, 0 };
  g_autoptr (EsProfileLine) line = es_profile_line_parse ("3,3,6,7,6,9", NULL);
  g_autoptr (GError) error = NULL;
  g_autofree float *plane = g_new (float, WIDTH * HEIGHT);
  const char *titles[2] = { "two", "none" };

  g_autoptr (EsProfile) profile = es_profile_of_cube (line, cube, 2, bands, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (profile->n, ==, 7);
  /* Six bands of three: read as a whole. */
  g_autoptr (EsProfile) whole = es_profile_of_cube (line, cube, 6, all, NULL, &error);
  g_assert_no_error (error);
  for (guint i = 0; i < 2; i++)
    {
      const float *planes[1] = { plane };

      g_assert_true (es_cube_read_band (cube, bands[i], 0, 0, WIDTH, HEIGHT, 1, plane, NULL, NULL));
      g_autoptr (EsProfile) same = es_profile_of_planes (line, 1, planes, WIDTH, HEIGHT, NULL);
      for (guint k = 0; k < profile->n; k++)
        {
          assert_same (profile->values[i * profile->n + k], same->values[k]);
          assert_same (whole->values[(i == 0 ? 3 : 5) * profile->n + k], same->values[k]);
        }
    }
  /* 3 pixels of 30 m and 4 of 20 m, then 2 of 20 m. */
  assert_same (profile->metres[4], hypot (90, 80));
  assert_same (profile->metres[2], hypot (90, 80) / 2);
  assert_same (profile->metres[6], hypot (90, 80) + 40);
  assert_same (profile->distances[6], 7);

  g_autoptr (EsCurve) curve = es_profile_to_curve (profile, titles, "W");
  g_assert_cmpuint (es_curve_get_n_series (curve), ==, 5);
  g_assert_cmpfloat (es_curve_get_series (curve, 0)->y[6], ==, profile->metres[6]);
  g_assert_cmpfloat (es_curve_get_series (curve, 2)->y[6], ==, 9);
  g_assert_cmpfloat (es_curve_get_series (curve, 4)->y[3], ==, profile->values[profile->n + 3]);
}

static void
test_texts (void)
{
  static const char * const wrong[] = {
    "", "1,2", "1,2,3", "1,2,3,4,5", "a,b,c,d", "1,2,3,nan", "1,2,3,4x", "1e999,2,3,4",
  };
  g_autoptr (EsProfileLine) line = es_profile_line_parse (" 1.5, 2; 3,4", NULL);
  g_autofree char *text = es_profile_line_format (line);
  g_autoptr (GError) outside = NULL, even = NULL;
  const float *none = NULL;

  g_assert_cmpstr (text, ==, "1.5,2,3,4");
  for (guint i = 0; i < G_N_ELEMENTS (wrong); i++)
    {
      g_autoptr (GError) error = NULL;

      g_assert_null (es_profile_line_parse (wrong[i], &error));
      g_assert_error (error, ES_COMPUTE_ERROR, ES_COMPUTE_ERROR_PARAMETER);
    }
  g_assert_null (es_profile_of_planes (line, 1, &none, 3, 100, &outside));
  g_assert_error (outside, ES_COMPUTE_ERROR, ES_COMPUTE_ERROR_PARAMETER);
  line->width = 2;
  g_assert_null (es_profile_of_planes (line, 1, &none, 100, 100, &even));
  g_assert_error (even, ES_COMPUTE_ERROR, ES_COMPUTE_ERROR_PARAMETER);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/profile/rows", test_rows);
  g_test_add_func ("/profile/slanting", test_slanting);
  g_test_add_func ("/profile/corners", test_corners);
  g_test_add_func ("/profile/gaps", test_gaps);
  g_test_add_func ("/profile/long", test_long);
  g_test_add_func ("/profile/cube", test_cube);
  g_test_add_func ("/profile/texts", test_texts);
  return g_test_run ();
}
