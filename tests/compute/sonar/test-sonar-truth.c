/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* Numbers that are read off a screen, with the settings that nobody changes, of scenes whose truth is known: bearings,
 * ranges and levels, of made-up recordings whose delays and powers are computed here, not by what is tested. */

#include <math.h>

#include "es-test-beams.h"
#include "es-test-cbf.h"

#define CIRCLE 16

static void
assert_bearing (double bearing, double truth, double within)
{
  g_assert_cmpfloat (fabs (remainder (bearing - truth, 360)), <, within);
}

static EsArray *
make_circle (double radius, const char *origin_text)
{
  g_autofree EsElement *elements = g_new0 (EsElement, CIRCLE);
  g_autoptr (EsArray) circle = NULL, airy = NULL;
  g_autoptr (GError) error = NULL;
  EsOrigin origin;

  for (guint k = 0; k < CIRCLE; k++)
    elements[k] = (EsElement) { .x = 5 + radius * cos (2 * G_PI * k / CIRCLE),
                                .y = radius * sin (2 * G_PI * k / CIRCLE), .channel = k, .gain = 1 };
  circle = es_array_new (elements, CIRCLE, &error);
  g_assert_no_error (error);
  airy = es_array_with_sound_speed (circle, 343);
  g_assert_true (es_origin_parse (origin_text, &origin, &error));
  return es_array_with_origin (airy, &origin, &error);
}

/* A near source is where it is from the middle of a circle of microphones, and from any other place that is named. */
static void
test_circle (void)
{
  const char *const origins[] = { "centre", "element:1", "5,0.5,0" };

  for (guint i = 0; i < G_N_ELEMENTS (origins); i++)
    {
      g_autoptr (EsArray) circle = make_circle (0.5, origins[i]);
      g_autoptr (EsTestSonar) sonar = es_test_sonar_new (circle, 16000, 32768, 343);
      g_autoptr (EsParams) params = es_test_beam_params ("cbf", "band", "400:3000", "ranges",
                                                         "0.5,0.55,0.6,0.65,0.7,0.75,0.8,0.85,0.9,0.95,1,1.05,1.1",
                                                         NULL);
      const double x = 5 + 0.6 * cos (245 * G_PI / 180), y = 0.6 * sin (245 * G_PI / 180);
      double origin[3];

      es_test_sonar_add_noise (sonar, es_test_place_point (x - 5, y, 0), 400, 3000, 1, 3);
      es_test_sonar_add_white (sonar, 0.05, 4);
      g_autoptr (EsRecording) recording = es_test_sonar_record (sonar, ESK_F32, 1);
      g_autoptr (EsResult) result = es_test_cbf_run (recording, "cpu", params);
      es_array_get_origin_place (circle, origin);
      assert_bearing (es_test_peak (result, 0, "bearing_deg"),
                      atan2 (y - origin[1], x - origin[0]) * 180 / G_PI, 1);
      g_assert_cmpfloat_with_epsilon (es_test_peak (result, 0, "range_m"),
                                      hypot (x - origin[0], y - origin[1]), 0.051);
      g_assert_cmpstr (json_object_get_string_member (es_result_get_values (result), "origin"), ==, origins[i]);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/sonar/truth/circle", test_circle);
  return g_test_run ();
}
