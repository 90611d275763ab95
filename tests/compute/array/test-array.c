/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* Arrays: lines, shapes, what is refused, and advice. */

#include <math.h>
#include <string.h>
#include "es-test-sonar.h"

/* ---- helpers ---- */

static gboolean
has_warning (char **warnings, const char *word)
{
  return es_test_says ((const char * const *) warnings, word);
}

/* ---- lines ---- */

static void
test_line (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (EsArray) even = es_array_parse ("line:512,1.5", &error);
  g_autoptr (EsArray) turned = es_array_parse (" line : 5,2,90" + 1, NULL);
  double axis[3];

  g_assert_no_error (error);
  g_assert_null (turned);
  g_assert_cmpuint (es_array_get_n_elements (even), ==, 512);
  es_test_assert_at (even, 0, -255 * 1.5, 0, 0);
  es_test_assert_at (even, 255, 0, 0, 0);
  es_test_assert_at (even, 511, 256 * 1.5, 0, 0);
  g_assert_true (es_array_is_line (even));
  g_assert_true (es_array_is_uniform (even));
  g_assert_cmpfloat (es_array_get_spacing (even), ==, 1.5);
  g_assert_cmpfloat (es_array_get_length (even), ==, 511 * 1.5);
  g_assert_cmpfloat (es_array_get_sound_speed (even), ==, 1500);
  g_assert_cmpuint (es_array_get_elements (even)[511].channel, ==, 511);

  turned = es_array_parse ("line:5,2,90", &error);
  g_assert_no_error (error);
  es_test_assert_at (turned, 0, 0, -4, 0);
  es_test_assert_at (turned, 4, 0, 4, 0);
  es_array_get_axis (turned, axis);
  g_assert_cmpfloat (axis[0], ==, 0);
  g_assert_cmpfloat (axis[1], ==, 1);

  g_autoptr (EsArray) aslant = es_array_parse ("line:64,0.75,30", &error);
  es_array_get_axis (aslant, axis);
  g_assert_cmpfloat_with_epsilon (axis[0], cos (G_PI / 6), 1e-12);
  g_assert_cmpfloat_with_epsilon (axis[1], 0.5, 1e-12);
  g_assert_true (es_array_is_uniform (aslant));

  g_autoptr (EsArray) alone = es_array_parse ("line:1,1", &error);
  g_assert_no_error (error);
  g_assert_true (es_array_is_line (alone));
  g_assert_cmpfloat (es_array_get_length (alone), ==, 0);

  static const char *const bad[] = { "line:", "line:0,1", "line:4", "line:4,", "line:4,0", "line:4,-1", "line:4,nan",
    "line:4,1,", "line:4,1,2,3", "line:2.5,1", "line:1000001,1", "line:4;1", "line:4,1 m", "line:99999999999,1",
    "line:-3,1", "line:4,inf", "line:4,1,x", "" };
  for (guint i = 0; i < G_N_ELEMENTS (bad); i++)
    {
      g_assert_null (es_array_parse (bad[i], &error));
      g_assert_error (error, ES_DATA_ERROR, ES_DATA_ERROR_FORMAT);
      g_clear_error (&error);
    }
}

/* What is a line, what is not, and where its axis points. */
static void
test_shape (void)
{
  g_autoptr (GError) error = NULL;
  EsElement e[6] = { 0 };
  double axis[3];

  for (guint k = 0; k < 6; k++)
    e[k] = (EsElement) { .x = -2.0 * k, .y = 1, .z = 3.0 * k, .channel = 5 - k, .gain = 1 };
  g_autoptr (EsArray) line = es_array_new (e, 6, &error);
  g_assert_no_error (error);
  g_assert_true (es_array_is_uniform (line));
  es_array_get_axis (line, axis);
  g_assert_cmpfloat_with_epsilon (axis[0], -2 / sqrt (13), 1e-12);
  g_assert_cmpfloat_with_epsilon (axis[2], 3 / sqrt (13), 1e-12);
  g_assert_cmpfloat_with_epsilon (es_array_get_spacing (line), sqrt (13), 1e-12);

  /* A thousandth of 18 m is 18 mm: a wave of 10 mm is still a line, one of 40 mm is none. */
  e[2].y += 0.01;
  g_autoptr (EsArray) wavy = es_array_new (e, 6, &error);
  g_assert_true (es_array_is_line (wavy));
  e[2].y += 0.04;
  g_autoptr (EsArray) bent = es_array_new (e, 6, &error);
  g_assert_false (es_array_is_line (bent));
  g_assert_false (es_array_is_uniform (bent));
  g_assert_cmpfloat_with_epsilon (es_array_get_length (bent), 5 * sqrt (13), 1e-9);
  g_assert_cmpfloat_with_epsilon (es_array_get_spacing (bent), sqrt (13), 1e-2);

  /* A dead element may be anywhere, even where another is. */
  e[2] = (EsElement) { .x = 0, .y = 1, .z = 0, .channel = 5, .gain = 1, .dead = TRUE };
  g_autoptr (EsArray) holed = es_array_new (e, 6, &error);
  g_assert_no_error (error);
  g_assert_true (es_array_is_line (holed));
  g_assert_cmpuint (es_array_get_n_alive (holed), ==, 5);
  g_assert_cmpuint (es_array_get_n_elements (holed), ==, 6);

  /* A line stays even where one of it dies. */
  g_autoptr (EsArray) dead = es_array_with_dead (line, 3, TRUE);
  g_assert_true (es_array_is_uniform (dead));
  g_assert_cmpuint (es_array_get_n_alive (dead), ==, 5);
  g_assert_false (es_array_equal (dead, line));
  g_autoptr (EsArray) again = es_array_with_dead (dead, 3, FALSE);
  g_assert_true (es_array_equal (again, line));
  g_autoptr (EsArray) warm = es_array_with_sound_speed (line, 1530);
  g_assert_cmpfloat (es_array_get_sound_speed (warm), ==, 1530);
  g_assert_false (es_array_equal (warm, line));
}

/* The large ways of measuring agree with looking at every pair. */
static void
test_large (void)
{
  const guint side = 80;
  g_autofree EsElement *e = g_new0 (EsElement, side * side);
  g_autoptr (GError) error = NULL;

  for (guint k = 0; k < side * side; k++)
    e[k] = (EsElement) { .x = k % side * 1.5, .y = k / side * 0.5, .z = 7, .channel = k, .gain = 1 };
  g_autoptr (EsArray) plane = es_array_new (e, side * side, &error);
  g_assert_no_error (error);
  g_assert_false (es_array_is_line (plane));
  g_assert_cmpfloat_with_epsilon (es_array_get_spacing (plane), 0.5, 1e-9);
  g_assert_cmpfloat_with_epsilon (es_array_get_length (plane), hypot (79 * 1.5, 79 * 0.5), 1e-9);

  g_autoptr (EsArray) longest = es_array_new_line (1000000, 0.25, 0, &error);
  g_assert_no_error (error);
  g_assert_true (es_array_is_uniform (longest));
  g_assert_null (es_array_new_line (1000001, 0.25, 0, &error));
  g_assert_error (error, ES_DATA_ERROR, ES_DATA_ERROR_SIZE);
}

static void
test_refused (void)
{
  g_autoptr (GError) error = NULL;
  EsElement e[3] = { { .x = 0, .channel = 0, .gain = 1 }, { .x = 1, .channel = 1, .gain = 1 },
                     { .x = 2, .channel = 2, .gain = 1, .name = (char *) "tail" } };

  g_assert_null (es_array_new (e, 0, &error));
  g_assert_error (error, ES_DATA_ERROR, ES_DATA_ERROR_SIZE);
  g_clear_error (&error);
  e[2].x = NAN;
  g_assert_null (es_array_new (e, 3, &error));
  g_assert_error (error, ES_DATA_ERROR, ES_DATA_ERROR_FORMAT);
  g_assert_nonnull (strstr (error->message, "tail"));
  g_clear_error (&error);
  e[2].x = 1;
  g_assert_null (es_array_new (e, 3, &error));
  g_assert_error (error, ES_DATA_ERROR, ES_DATA_ERROR_FORMAT);
  g_assert_nonnull (strstr (error->message, "2 and 3 (“tail”)"));
  g_clear_error (&error);
  e[2].x = 2;
  e[2].channel = 0;
  g_assert_null (es_array_new (e, 3, &error));
  g_assert_error (error, ES_DATA_ERROR, ES_DATA_ERROR_FORMAT);
  g_assert_nonnull (strstr (error->message, "channel 0"));
  g_clear_error (&error);
  e[2].gain = INFINITY;
  g_assert_null (es_array_new (e, 3, &error));
  g_assert_error (error, ES_DATA_ERROR, ES_DATA_ERROR_FORMAT);
}

/* ---- advice ---- */

static void
test_describe (void)
{
  g_autoptr (EsArray) line = es_array_parse ("line:184,2.5", NULL);
  g_autofree char *text = es_array_describe (line);
  g_assert_cmpstr (text, ==, "184 elements in line, 2.5 m apart, 457.5 m long");
  g_autoptr (EsArray) dead = es_array_with_dead (line, 3, TRUE);
  g_autofree char *holed = es_array_describe (dead);
  g_assert_nonnull (strstr (holed, "1 of them dead"));
}

static void
test_check (void)
{
  static const double far[] = { INFINITY }, rows[] = { INFINITY, 50, 100, 1e6 };
  g_autoptr (EsArray) line = es_array_parse ("line:64,1.5", NULL);
  g_auto (GStrv) none = es_array_check (line, 64, 500, rows, 3, 1);
  g_auto (GStrv) nothing = es_array_check (line, 0, 0, NULL, 0, 0);
  g_auto (GStrv) lobes = es_array_check (line, 0, 501, NULL, 0, 0);
  g_auto (GStrv) beyond = es_array_check (line, 0, 480, rows, 4, 0);
  g_auto (GStrv) all = es_array_check (line, 0, 501, rows, 4, 0.3);
  g_auto (GStrv) only = es_array_check (line, 0, 480, far, 1, 0);
  g_auto (GStrv) missing = es_array_check (line, 60, 0, NULL, 0, 0);
  g_auto (GStrv) more = es_array_check (line, 70, 0, NULL, 0, 0);
  g_auto (GStrv) slow = es_array_check (line, 0, 0, NULL, 0, 0.3);
  g_auto (GStrv) fast = es_array_check (line, 0, 0, NULL, 0, 0.33);

  g_assert_cmpuint (g_strv_length (none), ==, 0);
  g_assert_cmpuint (g_strv_length (nothing), ==, 0);
  g_assert_cmpuint (g_strv_length (lobes), ==, 1);
  g_assert_true (has_warning (lobes, "500 Hz"));
  /* 2 L^2 / lambda = 2 94.5^2 480 / 1500 */
  g_assert_cmpuint (g_strv_length (beyond), ==, 1);
  g_assert_true (has_warning (beyond, "5720 m"));
  /* What is about ranges comes last. */
  g_assert_cmpuint (g_strv_length (all), ==, 3);
  g_assert_nonnull (strstr (all[0], "Grating lobes"));
  g_assert_nonnull (strstr (all[1], "farthest element"));
  g_assert_nonnull (strstr (all[2], "beyond"));
  g_assert_true (has_warning (only, "Far field"));
  g_assert_true (has_warning (missing, "element 61 has channel 60"));
  g_assert_true (has_warning (more, "not used"));
  /* 32 elements x 1.5 m / 1500 m/s = 0.032 s */
  g_assert_cmpuint (g_strv_length (slow), ==, 1);
  g_assert_cmpuint (g_strv_length (fast), ==, 0);
}

/* What nobody has told is assumed, and said, more loudly where it looks like air. */
static void
test_sound_speed (void)
{
  g_autoptr (EsArray) line = es_array_parse ("line:64,1.5", NULL), close = es_array_parse ("line:16,0.04", NULL);
  g_autoptr (EsArray) told = es_array_with_sound_speed (line, 1480), same = es_array_with_sound_speed (line, 1500);
  g_autoptr (EsArray) holed = es_array_with_dead (told, 3, TRUE);
  g_autofree char *assumed = es_array_warn_of_sound_speed (line), *air = es_array_warn_of_sound_speed (close);
  g_autofree char *json = es_array_to_json (line), *told_json = es_array_to_json (same);
  g_autoptr (EsArray) again = es_array_from_json (json, NULL), told_again = es_array_from_json (told_json, NULL);

  g_assert_nonnull (strstr (assumed, "1500 m/s is assumed"));
  g_assert_null (strstr (assumed, "343"));
  g_assert_nonnull (strstr (air, "343 m/s"));
  g_assert_null (es_array_warn_of_sound_speed (told));
  g_assert_null (es_array_warn_of_sound_speed (holed));
  g_assert_null (es_array_warn_of_sound_speed (same));
  {
    static const double odd[] = { 15, 700, 1149, 3000 }, usual[] = { 331, 343, 1402, 1560 };

    for (guint i = 0; i < 4; i++)
      {
        g_autoptr (EsArray) wrong = es_array_with_sound_speed (line, odd[i]);
        g_autoptr (EsArray) right = es_array_with_sound_speed (line, usual[i]);
        g_autofree char *words = es_array_warn_of_sound_speed (wrong), *none = es_array_warn_of_sound_speed (right);

        g_assert_nonnull (strstr (words, "neither in water"));
        g_assert_null (none);
      }
  }
  g_assert_true (es_array_is_sound_speed_told (holed));
  g_assert_cmpfloat (es_array_get_sound_speed (holed), ==, 1480);
  /* Files tell what was told, and no more. */
  g_assert_false (es_array_is_sound_speed_told (again));
  g_assert_true (es_array_is_sound_speed_told (told_again));
}

static void
assert_horizon (const double (*places)[3], guint n, gboolean told)
{
  g_autofree EsElement *elements = g_new0 (EsElement, n);
  g_autofree char *sentence = NULL;
  g_autoptr (EsArray) array = NULL;

  for (guint k = 0; k < n; k++)
    elements[k] = (EsElement) { .x = places[k][0], .y = places[k][1], .z = places[k][2], .channel = k, .gain = 1 };
  array = es_array_new (elements, n, NULL);
  sentence = es_array_warn_of_horizon (array);
  g_assert_cmpint (sentence != NULL && strstr (sentence, "localize") != NULL, ==, told);
}

/* Beams of the horizon are all that lines and flat arrays have. */
static void
test_horizon (void)
{
  const double flat[4][3] = { { 0, 0, 0 }, { 1, 0, 0.01 }, { 1, 1, 0 }, { 0, 1, -0.01 } };
  const double panel[4][3] = { { 0, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 }, { 0, 1, 1 } };
  const double volume[4][3] = { { 0, 0, 0 }, { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 } };
  const double upright[3][3] = { { 0, 0, 0 }, { 0, 0, 1 }, { 0, 0, 2 } };

  assert_horizon (flat, 4, FALSE);
  assert_horizon (panel, 4, TRUE);
  assert_horizon (volume, 4, TRUE);
  assert_horizon (upright, 3, FALSE);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/array/line", test_line);
  g_test_add_func ("/array/shape", test_shape);
  g_test_add_func ("/array/large", test_large);
  g_test_add_func ("/array/refused", test_refused);
  g_test_add_func ("/array/describe", test_describe);
  g_test_add_func ("/array/check", test_check);
  g_test_add_func ("/array/horizon", test_horizon);
  g_test_add_func ("/array/sound-speed", test_sound_speed);
  return g_test_run ();
}
