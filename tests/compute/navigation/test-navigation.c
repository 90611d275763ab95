/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* When a recording began and where its array points: numbers, files that tell them, files that do not; and the true
 * bearings that come of them, whose truth is geometry. */

#include <glib/gstdio.h>
#include <math.h>
#include <string.h>

#include "array/es-array.h"
#include "base/es-error.h"
#include "navigation/es-navigation.h"
#include "es-test-beams.h"

static GFile *
write_file (const char *folder, const char *name, const char *text)
{
  g_autofree char *path = g_build_filename (folder, name, NULL);
  g_autoptr (GError) error = NULL;

  g_file_set_contents (path, text, -1, &error);
  g_assert_no_error (error);
  return g_file_new_for_path (path);
}

/* ---- headings ---- */

static void
test_heading (void)
{
  const double times[] = { 0, 10, 20, 30, 300, 310 }, headings[] = { 350, 10, 30, -90, 90, 100 };
  g_autoptr (GError) error = NULL;
  g_autoptr (EsNavigation) over = es_navigation_new (NULL, times, headings, 6, &error);
  g_autoptr (EsNavigation) fixed = es_navigation_new (NULL, NULL, (double[]) { 213.5 }, 1, &error);

  g_assert_no_error (error);
  /* The shorter way, through north. */
  g_assert_cmpfloat_with_epsilon (es_navigation_get_heading (over, 2.5), 355, 1e-12);
  g_assert_cmpfloat_with_epsilon (fmod (es_navigation_get_heading (over, 5) + 1, 360), 1, 1e-9);
  g_assert_cmpfloat_with_epsilon (es_navigation_get_heading (over, 7.5), 5, 1e-12);
  g_assert_cmpfloat_with_epsilon (es_navigation_get_heading (over, 25), 330, 1e-9);
  g_assert_cmpfloat (es_navigation_get_heading (over, 30), ==, 270);
  /* At what is told, to an interval beyond it, and no further; nothing in a gap of 27 intervals. */
  g_assert_cmpfloat (es_navigation_get_heading (over, 310), ==, 100);
  g_assert_cmpfloat (es_navigation_get_heading (over, 319), ==, 100);
  g_assert_cmpfloat (es_navigation_get_heading (over, -9), ==, 350);
  g_assert_true (isnan (es_navigation_get_heading (over, 321)));
  g_assert_true (isnan (es_navigation_get_heading (over, -11)));
  g_assert_true (isnan (es_navigation_get_heading (over, 150)));
  g_assert_true (isnan (es_navigation_get_heading (over, NAN)));
  g_assert_true (isnan (es_navigation_get_heading (NULL, 0)));
  g_assert_cmpfloat (es_navigation_get_heading (fixed, 1e6), ==, 213.5);

  g_autofree char *gaps = es_navigation_tell_gaps (over, 310), *none = es_navigation_tell_gaps (fixed, 310);
  g_assert_nonnull (strstr (gaps, "87"));
  g_assert_null (none);
}

static void
test_refused (void)
{
  static const struct { double times[2], headings[2]; const char *word; } bad[] = {
    { { 0, 0 }, { 1, 2 }, "ascend" }, { { 1, 0 }, { 1, 2 }, "ascend" }, { { 0, NAN }, { 1, 2 }, "finite" },
    { { 0, 1 }, { 1, 361 }, "361" }, { { 0, 1 }, { NAN, 1 }, "Heading 1" },
    { { 0, 1e308 }, { 1, 2 }, "heading 2 is 1e+308 s" }, { { -1e308, 0 }, { 1, 2 }, "heading 1 is -1e+308 s" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (bad); i++)
    {
      g_autoptr (GError) error = NULL;

      g_assert_null (es_navigation_new (NULL, bad[i].times, bad[i].headings, 2, &error));
      g_assert_error (error, ES_DATA_ERROR, ES_DATA_ERROR_FORMAT);
      g_assert_nonnull (strstr (error->message, bad[i].word));
    }
}

static void
test_clock (void)
{
  static const char *const same[] = { "2026-05-01T12:00:00.25Z", "2026-05-01 12:00:00.25", "2026-05-01T14:00:00.25+02",
                                      " 20260501T120000.25Z " };
  static const char *const bad[] = { "", "yesterday", "2026-05-01", "2026-13-01T12:00:00Z", "12:00:00", "1e9" };

  for (guint i = 0; i < G_N_ELEMENTS (same); i++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (GDateTime) time = es_navigation_parse_start (same[i], &error);

      g_assert_no_error (error);
      g_autofree char *text = es_navigation_format_time (time, 0);
      g_autofree char *later = es_navigation_format_time (time, 86400 * 3 - 0.2505);
      g_assert_cmpstr (text, ==, "2026-05-01T12:00:00.250Z");
      g_assert_cmpstr (later, ==, "2026-05-04T12:00:00.000Z");
    }
  for (guint i = 0; i < G_N_ELEMENTS (bad); i++)
    {
      g_autoptr (GError) error = NULL;

      g_assert_null (es_navigation_parse_start (bad[i], &error));
      g_assert_error (error, ES_COMPUTE_ERROR, ES_COMPUTE_ERROR_PARAMETER);
    }
}

/* ---- files ---- */

static void
test_files (void)
{
  g_autofree char *folder = g_dir_make_tmp ("es-navigation-XXXXXX", NULL);
  g_autoptr (GDateTime) start = es_navigation_parse_start ("2026-05-01T12:00:00.000123Z", NULL);
  g_autoptr (GError) error = NULL;
  const double times[] = { 0, 0.1, 20 }, headings[] = { 1. / 3, 359.9, 12 };
  g_autoptr (EsNavigation) over = es_navigation_new (start, times, headings, 3, NULL);
  g_autoptr (EsNavigation) fixed = es_navigation_new (start, NULL, headings, 1, NULL);
  g_autoptr (EsNavigation) alone = es_navigation_new (start, NULL, NULL, 0, NULL);
  EsNavigation *all[] = { over, fixed, alone };

  for (guint i = 0; i < G_N_ELEMENTS (all); i++)
    {
      g_autoptr (GFile) file = write_file (folder, "a.wav.navigation.json", "");
      g_assert_true (es_navigation_save (all[i], file, &error));
      g_assert_no_error (error);
      g_autoptr (EsNavigation) again = es_navigation_load (file, NULL, &error);
      g_assert_no_error (error);
      g_assert_true (es_navigation_equal (again, all[i]));
      g_assert_cmpint (es_navigation_get_source (again), ==, ES_NAVIGATION_NAMED);

      g_autoptr (JsonNode) node = es_navigation_to_node (again);
      g_autoptr (EsNavigation) of_node = es_navigation_from_node (node, &error);
      g_assert_no_error (error);
      g_assert_true (es_navigation_equal (of_node, all[i]));
      g_assert_cmpint (es_navigation_get_source (of_node), ==, ES_NAVIGATION_NAMED);
    }

  /* A clock counts from the start; both kinds of table, in any order of columns. */
  g_autoptr (GDateTime) noon = es_navigation_parse_start ("2026-05-01T12:00:00Z", NULL);
  g_autoptr (GFile) clock = write_file (folder, "clock.csv", "\xef\xbb\xbf" "Heading (deg);name;Time\n# a remark\n"
                                        "350;x;2026-05-01T11:59:50Z\n10;y;2026-05-01 12:00:10\n");
  g_autoptr (GFile) seconds = write_file (folder, "seconds.csv", "time_s,heading\r\n-10,350\r\n10,10\r\n");
  g_autoptr (EsNavigation) a = es_navigation_load (clock, noon, &error), b = NULL;
  g_assert_no_error (error);
  b = es_navigation_load (seconds, noon, &error);
  g_assert_no_error (error);
  g_assert_false (es_navigation_equal (a, b));
  for (int t = -15; t <= 30; t += 5)
    g_assert_cmpfloat_with_epsilon (es_navigation_get_heading (a, t), es_navigation_get_heading (b, t), 1e-9);
  g_assert_cmpfloat_with_epsilon (es_navigation_get_heading (a, 5), 5, 1e-9);
  g_assert_null (es_navigation_load (clock, NULL, &error));
  g_assert_error (error, ES_DATA_ERROR, ES_DATA_ERROR_FORMAT);
  g_assert_nonnull (strstr (error->message, "clock.csv"));
  es_test_remove_folder (g_steal_pointer (&folder));
}

/* Times of a clock stay those of the clock when the start is put right; seconds from the beginning stay seconds. */
static void
test_by_clock (void)
{
  g_autofree char *folder = g_dir_make_tmp ("es-navigation-XXXXXX", NULL);
  g_autoptr (GDateTime) wrong = es_navigation_parse_start ("2026-05-01T12:00:30Z", NULL);
  g_autoptr (GDateTime) right = es_navigation_parse_start ("2026-05-01T12:00:00Z", NULL);
  g_autoptr (GFile) clock = write_file (folder, "clock.csv", "time,heading\n2026-05-01T12:00:00Z,300\n"
                                        "2026-05-01T12:01:00Z,360\n");
  g_autoptr (GFile) seconds = write_file (folder, "seconds.csv", "time_s,heading\n0,300\n60,360\n");
  g_autoptr (GFile) kept = write_file (folder, "a.wav.navigation.json", "");
  g_autoptr (GError) error = NULL;
  g_autoptr (EsNavigation) a = es_navigation_load (clock, wrong, &error);
  g_assert_no_error (error);
  g_assert_true (es_navigation_is_by_clock (a));
  g_assert_cmpfloat_with_epsilon (es_navigation_get_heading (a, 0), 330, 1e-9);
  g_assert_true (es_navigation_save (a, kept, &error));
  g_autoptr (EsNavigation) again = es_navigation_load (kept, NULL, &error);
  g_assert_no_error (error);
  g_autoptr (EsNavigation) b = es_navigation_with_start (again, right);
  g_assert_cmpfloat_with_epsilon (es_navigation_get_heading (b, 0), 300, 1e-9);
  g_assert_cmpfloat_with_epsilon (es_navigation_get_heading (b, 30), 330, 1e-9);

  g_autoptr (EsNavigation) c = es_navigation_load (seconds, wrong, &error);
  g_autoptr (EsNavigation) d = es_navigation_with_start (c, right);
  g_assert_false (es_navigation_is_by_clock (c));
  g_assert_cmpfloat_with_epsilon (es_navigation_get_heading (d, 0), 300, 1e-9);

  /* A start that is put right by as many years as there are leaves no heading nowhere. */
  g_autoptr (GDateTime) early = es_navigation_parse_start ("0001-01-01T00:00:00Z", NULL);
  g_autoptr (GDateTime) late = es_navigation_parse_start ("9999-01-01T00:00:00Z", NULL);
  g_autoptr (EsNavigation) e = es_navigation_load (clock, early, &error);
  g_autoptr (EsNavigation) f = es_navigation_with_start (e, late);
  g_autoptr (EsNavigation) g = es_navigation_with_start (f, right);
  g_assert_true (isnan (es_navigation_get_heading (f, 0)));
  g_assert_cmpfloat_with_epsilon (es_navigation_get_heading (g, 30), 330, 1e-3);

  /* Seconds and a clock that agree, as well as a clock in whole seconds may; and one that nobody can read. */
  g_autoptr (GFile) both = write_file (folder, "both.csv", "time_s,time,heading\n0.6,2026-05-01T12:00:00Z,300\n"
                                       "60,2026-05-01T12:01:00Z,360\n61,noon,360\n");
  g_autoptr (EsNavigation) agreed = es_navigation_load (both, right, &error);
  g_assert_no_error (error);
  g_assert_nonnull (agreed);

  /* The year 1 is written so that it can be read. */
  g_autofree char *first = es_navigation_format_time (early, 0);
  g_assert_cmpstr (first, ==, "0001-01-01T00:00:00.000Z");
  g_assert_true (es_navigation_save (e, kept, &error));
  g_autoptr (EsNavigation) ancient = es_navigation_load (kept, NULL, &error);
  g_assert_no_error (error);
  g_assert_true (g_date_time_equal (es_navigation_get_start (ancient), early));
  g_assert_null (es_navigation_parse_start ("2016-12-31T23:59:60Z", NULL));
  g_assert_null (es_navigation_parse_start ("20161231T235960Z", NULL));

  /* A stamp is rounded once, fractions of the start included. */
  g_autoptr (GDateTime) odd = es_navigation_parse_start ("2026-05-01T12:00:00.250600Z", NULL);
  g_autofree char *stamp = es_navigation_format_time (odd, 0.5);
  g_assert_cmpstr (stamp, ==, "2026-05-01T12:00:00.751Z");
  es_test_remove_folder (g_steal_pointer (&folder));
}

/* What cannot be read is not shown whole: it may be the rest of a large file. */
static void
test_long_words (void)
{
  g_autofree char *folder = g_dir_make_tmp ("es-navigation-XXXXXX", NULL);
  g_autoptr (GString) text = g_string_new ("time_s,heading\n0,\"1");

  for (guint i = 0; i < 100000; i++)
    g_string_append (text, "\n1,2");
  for (guint i = 0; i < 2; i++)
    {
      g_autofree char *json = g_strdup_printf ("{\"eigenscope-navigation\": 1, \"%s\": 1}",
                                               text->str + strlen ("time_s,heading\n0,\""));
      g_autoptr (GFile) file = write_file (folder, "long", i == 0 ? text->str : g_strdelimit (json, "\n", ' '));
      g_autoptr (GError) error = NULL;

      g_assert_null (es_navigation_load (file, NULL, &error));
      g_assert_cmpuint (strlen (error->message), <, 400);
    }
  es_test_remove_folder (g_steal_pointer (&folder));
}

static void
test_bad_files (void)
{
  static const struct { const char *text, *word; } bad[] = {
    { "", "titles" }, { "heading\n1\n", "time_s" }, { "time_s,heading\n", "no heading" },
    { "time_s,heading\n0,x\n", "line 2" }, { "time_s,heading\n0\n", "line 2" }, { "time_s,heading\nz,1\n", "line 2" },
    { "time_s,heading\n0,1\n0,2\n", "line 3 is of 0.000 s" }, { "time_s,heading\n0,1\n1,999\n", "line 3 has “999”" },
    { "time_s,heading\n0,1\n1e308,2\n", "line 3 has “1e308”" },
    { "time_s,heading,hdg\n0,1,2\n", "two columns of headings, “heading” and “hdg”" },
    { "time_s,time,heading\n0,2026-05-01T12:00:00Z,1\n9,2026-05-01T12:00:15Z,2\n", "line 3 is of 9.000 s" },
    { "time,heading\n2026-05-01T23:59:60Z,1\n", "23:59:60" },
    { "time,heading\nnoon,1\n", "noon" }, { "{", "line 1" }, { "{}", "eigenscope-navigation" },
    { "{\"eigenscope-navigation\": 2}", "version" }, { "{\"eigenscope-navigation\": 1, \"heading\": 3}", "“heading”" },
    { "{\"eigenscope-navigation\": 1, \"start\": 3}", "start" },
    { "{\"eigenscope-navigation\": 1, \"heading-deg\": \"3\"}", "lists" },
    { "{\"eigenscope-navigation\": 1, \"heading-deg\": [1, 2], \"time-s\": [1]}", "lists" },
    { "{\"eigenscope-navigation\": 1, \"heading-deg\": [], \"time-s\": []}", "lists" },
    { "{\"eigenscope-navigation\": 1, \"heading-deg\": [1, null], \"time-s\": [1, 2]}", "lists" },
    { "{\"eigenscope-navigation\": 1, \"heading-deg\": 1000}", "1000" }, { "[1]", "eigenscope-navigation" },
  };
  g_autofree char *folder = g_dir_make_tmp ("es-navigation-XXXXXX", NULL);
  g_autoptr (GDateTime) start = es_navigation_parse_start ("2026-05-01T12:00:00Z", NULL);

  for (guint i = 0; i < G_N_ELEMENTS (bad); i++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (GFile) file = write_file (folder, "bad.csv", bad[i].text);

      g_assert_null (es_navigation_load (file, start, &error));
      g_assert_error (error, ES_DATA_ERROR, ES_DATA_ERROR_FORMAT);
      g_assert_nonnull (strstr (error->message, "“bad.csv”"));
      if (strstr (error->message, bad[i].word) == NULL)
        g_error ("%u: “%s” lacks “%s”", i, error->message, bad[i].word);
    }
  es_test_remove_folder (g_steal_pointer (&folder));
}

/* ---- true bearings ---- */

/* Of a source at a place on the horizon (m, in the array's frame), where +x points to `heading`: by the compass. */
static double
compass (double heading, double x, double y)
{
  const double c = cos (heading * G_PI / 180), s = sin (heading * G_PI / 180);
  /* +x is (north, east) = (c, s); +y, a quarter to the left of it, (s, -c). */
  const double north = x * c + y * s, east = x * s - y * c;
  const double bearing = atan2 (east, north) * 180 / G_PI;

  return bearing < 0 ? bearing + 360 : bearing;
}

static gboolean
is_turn_of (double a, double b)
{
  return fabs (remainder (a - b, 360)) < 1e-9;
}

static EsArray *
make_array (const double (*places)[3], guint n)
{
  g_autofree EsElement *elements = g_new0 (EsElement, n);

  for (guint i = 0; i < n; i++)
    elements[i] = (EsElement) { .x = places[i][0], .y = places[i][1], .z = places[i][2], .channel = i, .gain = 1 };
  return es_array_new (elements, n, NULL);
}

static void
test_line (void)
{
  for (guint k = 0; k < 50; k++)
    {
      const double azimuth = g_test_rand_double_range (-180, 180), heading = g_test_rand_double_range (0, 360);
      const double place = g_test_rand_double_range (-180, 180) * G_PI / 180, x = cos (place), y = sin (place);
      g_autoptr (EsArray) array = es_array_new_line (8, 1.5, azimuth, NULL);
      double axis[3], found[2];

      es_array_get_axis (array, axis);
      const double theta = acos (CLAMP (x * axis[0] + y * axis[1], -1, 1)) * 180 / G_PI;
      g_assert_cmpuint (es_array_get_true_bearings (array, heading, theta, found), ==, 2);
      /* One of both is where it is, and starboard of the axis comes first. */
      const gboolean starboard = axis[0] * y - axis[1] * x < 0;
      g_assert_true (fabs (remainder (found[starboard ? 0 : 1] - compass (heading, x, y), 360)) < 1e-5);
      g_assert_cmpfloat_with_epsilon (es_array_find_bearing (array, heading, found[0]), theta, 1e-9);
      g_assert_cmpfloat_with_epsilon (es_array_find_bearing (array, heading, found[1]), theta, 1e-9);
      g_assert_cmpfloat (es_array_get_mirror (array, theta), ==, 360 - theta);
    }
}

static void
test_planes (void)
{
  static const double circle[][3] = { { 1, 0, 0 }, { 0, 1, 0 }, { -1, 0, 0 }, { 0, -1, 0 } };
  static const double upright[][3] = { { 3, 4, 0 }, { -3, -4, 0 }, { 3, 4, 2 }, { -3, -4, 2 }, { 0, 0, 1 } };
  static const double mast[][3] = { { 0, 0, 0 }, { 0, 0, 1 }, { 0, 0, 2 } };
  static const double slope[][3] = { { 0, 0, 0 }, { 1, 0, 0.5 }, { 2, 0, 1 } };
  g_autoptr (EsArray) round = make_array (circle, G_N_ELEMENTS (circle));
  g_autoptr (EsArray) wall = make_array (upright, G_N_ELEMENTS (upright));
  g_autoptr (EsArray) line = make_array (mast, G_N_ELEMENTS (mast));
  g_autoptr (EsArray) steep = make_array (slope, G_N_ELEMENTS (slope));
  double plane, found[2];

  /* A circle has no mirror image on the horizon. */
  g_assert_false (es_array_get_mirror_plane (round, &plane));
  g_assert_true (isnan (es_array_get_mirror (round, 20)));
  for (double azimuth = -180; azimuth <= 180; azimuth += 7.5)
    for (double heading = 0; heading < 360; heading += 45)
      {
        const double truth = compass (heading, cos (azimuth * G_PI / 180), sin (azimuth * G_PI / 180));

        g_assert_cmpuint (es_array_get_true_bearings (round, heading, azimuth, found), ==, 1);
        g_assert_true (is_turn_of (found[0], truth));
        g_assert_true (is_turn_of (es_array_find_bearing (round, heading, found[0]), azimuth));

        /* A wall along atan2 (4, 3) hears the other side alike: a place is reflected in it. */
        const double mirror = es_array_get_mirror (wall, azimuth) * G_PI / 180, a = azimuth * G_PI / 180;
        g_assert_cmpfloat_with_epsilon (3 * cos (a) + 4 * sin (a), 3 * cos (mirror) + 4 * sin (mirror), 1e-9);
        g_assert_cmpfloat_with_epsilon (4 * cos (a) - 3 * sin (a), 3 * sin (mirror) - 4 * cos (mirror), 1e-9);
        g_assert_cmpuint (es_array_get_true_bearings (wall, heading, azimuth, found), ==, 2);
        g_assert_true (is_turn_of (found[0], truth));
        g_assert_true (is_turn_of (found[1], compass (heading, cos (mirror), sin (mirror))));
      }

  /* An upright line hears no bearings; one that is inclined by 27 degrees has mirror images, but none on the horizon
   * that a bearing alone tells. */
  g_assert_false (es_array_get_mirror_plane (line, &plane));
  g_assert_true (isnan (es_array_get_mirror (line, 40)));
  g_assert_cmpuint (es_array_get_true_bearings (line, 10, 40, found), ==, 0);
  g_assert_cmpfloat (es_array_get_mirror (steep, 40), ==, 320);
  g_assert_cmpuint (es_array_get_true_bearings (steep, 10, 40, found), ==, 0);
  g_assert_true (isnan (es_array_find_bearing (steep, 10, 40)));
  g_assert_cmpuint (es_array_get_true_bearings (round, NAN, 40, found), ==, 0);
}

/* A comment stays where the file is written again; what is told no more does not, nor what was another file. */
static void
test_comments (void)
{
  g_autofree char *folder = g_dir_make_tmp ("es-navigation-XXXXXX", NULL), *text = NULL, *other = NULL;
  g_autoptr (GFile) file = write_file (folder, "a.wav.navigation.json",
                                       "{ \"eigenscope-navigation\": 1, \"start\": \"2026-05-01T12:00:00Z\",\n"
                                       "  \"comment\": [ \"by the log of the bridge\", 7 ], \"heading-deg\": 12 }");
  g_autoptr (GFile) foreign = write_file (folder, "b.wav.navigation.json", "{ \"comment\": \"of something else\" }");
  g_autoptr (GError) error = NULL;
  const double heading = 213.5;
  g_autoptr (EsNavigation) told = es_navigation_new (NULL, NULL, &heading, 1, NULL);
  g_autoptr (EsNavigation) again = NULL;

  for (guint i = 0; i < 2; i++)
    {
      g_assert_true (es_navigation_save (told, file, &error));
      g_assert_no_error (error);
    }
  g_clear_pointer (&again, es_navigation_unref);
  again = es_navigation_load (file, NULL, &error);
  g_assert_no_error (error);
  g_assert_true (es_navigation_equal (again, told));
  g_assert_true (g_file_load_contents (file, NULL, &text, NULL, NULL, NULL));
  g_assert_nonnull (strstr (text, "by the log of the bridge"));
  g_assert_null (strstr (text, "start"));
  g_assert_true (es_navigation_save (told, foreign, &error));
  g_assert_true (g_file_load_contents (foreign, NULL, &other, NULL, NULL, NULL));
  g_assert_null (strstr (other, "something else"));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/navigation/heading", test_heading);
  g_test_add_func ("/navigation/refused", test_refused);
  g_test_add_func ("/navigation/clock", test_clock);
  g_test_add_func ("/navigation/files", test_files);
  g_test_add_func ("/navigation/by-clock", test_by_clock);
  g_test_add_func ("/navigation/long-words", test_long_words);
  g_test_add_func ("/navigation/bad-files", test_bad_files);
  g_test_add_func ("/navigation/true/line", test_line);
  g_test_add_func ("/navigation/true/planes", test_planes);
  g_test_add_func ("/navigation/comments", test_comments);
  return g_test_run ();
}
