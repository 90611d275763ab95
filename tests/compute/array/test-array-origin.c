/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* From where bearings and ranges are counted: centre, element, point; as text, in files, in copies. */

#include <string.h>

#include "array/es-array.h"
#include "base/es-error.h"

static EsArray *
make_square (void)
{
  const EsElement elements[] = {
    { .x = 1, .y = 2, .z = -3, .channel = 0, .gain = 1 }, { .x = 3, .y = 2, .z = -3, .channel = 1, .gain = 1 },
    { .x = 3, .y = 4, .z = -5, .channel = 2, .gain = 1 }, { .x = 1, .y = 4, .z = -5, .channel = 3, .gain = 1 },
  };
  g_autoptr (GError) error = NULL;
  EsArray *array = es_array_new (elements, G_N_ELEMENTS (elements), &error);

  g_assert_no_error (error);
  return array;
}

static void
assert_at (EsArray *array, double x, double y, double z)
{
  double place[3];

  es_array_get_origin_place (array, place);
  g_assert_cmpfloat_with_epsilon (place[0], x, 1e-12);
  g_assert_cmpfloat_with_epsilon (place[1], y, 1e-12);
  g_assert_cmpfloat_with_epsilon (place[2], z, 1e-12);
}

static EsArray *
with_origin (EsArray *array, const char *text)
{
  g_autoptr (GError) error = NULL;
  EsOrigin origin;
  EsArray *from;

  g_assert_true (es_origin_parse (text, &origin, &error));
  from = es_array_with_origin (array, &origin, &error);
  g_assert_no_error (error);
  return from;
}

static void
test_centre (void)
{
  g_autoptr (EsArray) square = make_square (), holed = es_array_with_dead (square, 0, TRUE);
  g_autoptr (EsArray) even = es_array_parse ("line:512,1.5", NULL), odd = es_array_parse ("line:5,2,90", NULL);
  g_autofree char *text = es_array_describe_origin (square);

  g_assert_cmpint (es_array_get_origin (square)->kind, ==, ES_ORIGIN_CENTRE);
  assert_at (square, 2, 3, -4);
  assert_at (holed, 2, 3, -4);
  assert_at (even, 0.75, 0, 0);
  assert_at (odd, 0, 0, 0);
  g_assert_cmpstr (text, ==, "the centre of the array");
}

static void
test_others (void)
{
  g_autoptr (EsArray) square = make_square ();
  g_autoptr (EsArray) element = with_origin (square, "element:3"), point = with_origin (square, "-1.5,0,2e3");
  g_autoptr (EsArray) back = with_origin (point, "centre");
  g_autofree char *element_text = es_array_describe_origin (element), *point_text = es_array_describe_origin (point);
  g_autofree char *written = es_origin_to_text (es_array_get_origin (point));

  assert_at (element, 3, 4, -5);
  assert_at (point, -1.5, 0, 2000);
  g_assert_false (es_array_equal (square, element));
  g_assert_false (es_array_equal (point, element));
  g_assert_true (es_array_equal (square, back));
  g_assert_cmpstr (element_text, ==, "element 3");
  g_assert_cmpstr (point_text, ==, "(-1.5, 0, 2000) m");
  g_assert_cmpstr (written, ==, "-1.5,0,2000");
  /* What else is changed leaves it. */
  g_autoptr (EsArray) slow = es_array_with_sound_speed (element, 343), holed = es_array_with_dead (slow, 2, TRUE);
  assert_at (holed, 3, 4, -5);
}

static void
test_refused (void)
{
  static const char *const wrong[] = { "", "center of it", "element:", "element:0", "element:-1", "element:1.5",
                                       "element:4294967297", "1,2", "1,2,3,4", "1,2,x", "1,,3", "nan,0,0", "1e9,0,0" };
  g_autoptr (EsArray) square = make_square ();
  g_autoptr (GError) error = NULL;
  EsOrigin origin;

  for (guint i = 0; i < G_N_ELEMENTS (wrong); i++)
    {
      g_assert_false (es_origin_parse (wrong[i], &origin, &error));
      g_assert_error (error, ES_COMPUTE_ERROR, ES_COMPUTE_ERROR_PARAMETER);
      g_clear_error (&error);
    }
  g_assert_true (es_origin_parse ("element:5", &origin, &error));
  g_assert_null (es_array_with_origin (square, &origin, &error));
  g_assert_error (error, ES_COMPUTE_ERROR, ES_COMPUTE_ERROR_PARAMETER);
}

static void
test_json (void)
{
  static const char *const texts[] = { "centre", "element:2", "0.5,-1,3" };
  g_autoptr (EsArray) square = make_square ();
  g_autoptr (GError) error = NULL;

  for (guint i = 0; i < G_N_ELEMENTS (texts); i++)
    {
      g_autoptr (EsArray) array = with_origin (square, texts[i]);
      g_autofree char *json = es_array_to_json (array);
      g_autoptr (EsArray) again = es_array_from_json (json, &error);

      g_assert_no_error (error);
      g_assert_nonnull (strstr (json, texts[i]));
      g_assert_true (es_array_equal (array, again));
    }
  /* Files from before have none; of wrong ones it is said. */
  g_autoptr (EsArray) older = es_array_from_json ("{\"eigenscope-array\": 1, \"elements\": [{\"x\": 1, \"y\": 0}]}",
                                                  &error);
  g_assert_no_error (error);
  g_assert_cmpint (es_array_get_origin (older)->kind, ==, ES_ORIGIN_CENTRE);
  g_assert_null (es_array_from_json ("{\"eigenscope-array\": 1, \"origin\": \"element:2\", \"elements\": "
                                     "[{\"x\": 1, \"y\": 0}]}", &error));
  g_assert_error (error, ES_DATA_ERROR, ES_DATA_ERROR_FORMAT);
  g_clear_error (&error);
  g_assert_null (es_array_from_json ("{\"eigenscope-array\": 1, \"origin\": [0, 0, 0], \"elements\": "
                                     "[{\"x\": 1, \"y\": 0}]}", &error));
  g_assert_error (error, ES_DATA_ERROR, ES_DATA_ERROR_FORMAT);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/array/origin/centre", test_centre);
  g_test_add_func ("/array/origin/others", test_others);
  g_test_add_func ("/array/origin/refused", test_refused);
  g_test_add_func ("/array/origin/json", test_json);
  return g_test_run ();
}
