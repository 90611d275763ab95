/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* Weights of time and of elements, and the geometry of beams. */

#include "es-test-sonar.h"

#include <math.h>

#include "beam/es-beam-geometry-internal.h"
#include "es-test-settings.h"

/* ---- weights ---- */

static void
test_windows (void)
{
  float w[1024];

  for (EsWindowKind kind = 0; kind < ES_N_WINDOWS; kind++)
    for (guint n = 1; n <= 9; n++)
      {
        es_window_fill (kind, w, n);
        /* Periodic: one more weight would be the first again. */
        for (guint i = 1; i < n; i++)
          g_assert_cmpfloat_with_epsilon (w[i], w[n - i], 1e-6);
      }
  es_window_fill (ES_WINDOW_HANN, w, 1024);
  double sum = 0, squares = 0;
  for (guint i = 0; i < 1024; i++)
    {
      sum += w[i];
      squares += (double) w[i] * w[i];
    }
  g_assert_cmpfloat_with_epsilon (sum / 1024, 0.5, 1e-6);
  g_assert_cmpfloat_with_epsilon (squares / 1024, 0.375, 1e-6);
  g_assert_cmpfloat_with_epsilon (w[512], 1, 1e-6);
  es_window_fill (ES_WINDOW_BLACKMAN, w, 8);
  g_assert_cmpfloat_with_epsilon (w[0], 0, 1e-6);
  g_assert_cmpfloat_with_epsilon (w[2], 0.34, 1e-6);
  es_window_fill (ES_WINDOW_HAMMING, w, 8);
  g_assert_cmpfloat_with_epsilon (w[0], 0.08, 1e-6);
}

static void
test_shadings (void)
{
  static const guint sizes[] = { 1, 2, 3, 4, 5, 31, 64, 501, 2048, 2049, 5000 };

  for (EsShading kind = 0; kind < ES_N_SHADINGS; kind++)
    for (guint i = 0; i < G_N_ELEMENTS (sizes); i++)
      {
        g_autofree float *w = g_new (float, sizes[i]);
        double sum = 0;
        es_shading_fill (kind, w, sizes[i]);
        for (guint k = 0; k < sizes[i]; k++)
          {
            g_assert_cmpfloat (w[k], ==, w[sizes[i] - 1 - k]);
            g_assert_cmpfloat (w[k], >, 0);
            g_assert_cmpfloat (w[k], <=, 1);
            sum += w[k];
          }
        g_assert_cmpfloat (sum, >, sizes[i] > 2 ? 0.3 * sizes[i] : 0.1);
      }

  /* Chebyshev: every side lobe is 40 dB below the main one, and none lower. */
  static const guint lines[] = { 9, 24, 65 };
  for (guint i = 0; i < G_N_ELEMENTS (lines); i++)
    {
      float w[65];
      double main_lobe = 0, before = INFINITY, now = INFINITY;
      guint lobes = 0;
      es_shading_fill (ES_SHADING_CHEBYSHEV, w, lines[i]);
      for (guint k = 0; k < lines[i]; k++)
        main_lobe += w[k];
      for (double u = 0; u <= 0.5; u += 1e-4)
        {
          double re = 0, im = 0;
          for (guint k = 0; k < lines[i]; k++)
            {
              re += w[k] * cos (2 * G_PI * u * k);
              im += w[k] * sin (2 * G_PI * u * k);
            }
          const double next = hypot (re, im) / main_lobe;
          if (now > before && now > next)
            {
              g_assert_cmpfloat_with_epsilon (20 * log10 (now), -40, 0.1);
              lobes++;
            }
          before = now;
          now = next;
        }
      g_assert_cmpuint (lobes, >=, lines[i] / 2 - 3);
    }

  /* Long ones have no side lobe above that either. */
  g_autofree float *w = g_new (float, 700);
  double main_lobe = 0;
  es_shading_fill (ES_SHADING_CHEBYSHEV, w, 700);
  for (guint k = 0; k < 700; k++)
    main_lobe += w[k];
  for (double u = 2.5 / 700; u <= 0.5; u += 1e-4)
    {
      double re = 0, im = 0;
      for (guint k = 0; k < 700; k++)
        {
          re += w[k] * cos (2 * G_PI * u * k);
          im += w[k] * sin (2 * G_PI * u * k);
        }
      g_assert_cmpfloat (20 * log10 (hypot (re, im) / main_lobe), <, -38.5);
    }
}

/* ---- geometry ---- */

static void
test_geometry (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (EsArray) line = es_array_parse ("line:6,2,90", NULL), holed = es_array_with_dead (line, 2, TRUE);
  g_autoptr (EsBeamGeometry) plain = es_beam_geometry_new (line, ES_SHADING_NONE, 0.5);
  g_autoptr (EsBeamGeometry) shaded = es_beam_geometry_new (holed, ES_SHADING_HAMMING, 2);
  float hamming[6];

  g_assert_cmpuint (plain->n, ==, 6);
  g_assert_cmpfloat (plain->gains[3], ==, 0.5);
  g_assert_cmpfloat (plain->sum, ==, 6);
  g_assert_cmpfloat (plain->sum_of_squares, ==, 6);
  /* The centre is between elements 2 and 3 of 0 .. 5; the line lies along +y. */
  g_assert_cmpfloat (plain->positions[3 * 2 + 1], ==, -1);
  g_assert_cmpfloat (plain->positions[3 * 5 + 1], ==, 5);
  g_assert_cmpfloat (plain->positions[3 * 0 + 1], ==, -5);

  /* A dead element does not move the origin; the others keep their weights. */
  es_shading_fill (ES_SHADING_HAMMING, hamming, 6);
  g_assert_cmpuint (shaded->n, ==, 5);
  g_assert_cmpuint (shaded->channels[2], ==, 3);
  g_assert_cmpfloat (shaded->positions[3 * 2 + 1], ==, 1);
  g_assert_cmpfloat_with_epsilon (shaded->gains[2], 2 * hamming[3], 1e-6);
  g_assert_cmpfloat_with_epsilon (shaded->sum, hamming[0] + hamming[1] + hamming[3] + hamming[4] + hamming[5], 1e-5);

  /* Uneven, and not in order: weights go by place. */
  const EsElement e[] = { { .x = 10, .channel = 0, .gain = -3 }, { .x = 0, .channel = 1, .gain = 1 },
                          { .x = 2.5, .channel = 2, .gain = 1 }, { .x = 7.5, .channel = 3, .gain = 1 } };
  g_autoptr (EsArray) uneven = es_array_new (e, 4, &error);
  g_autoptr (EsBeamGeometry) weighted = es_beam_geometry_new (uneven, ES_SHADING_HAMMING, 1);
  g_assert_no_error (error);
  g_assert_cmpfloat_with_epsilon (weighted->gains[0], -3 * 0.08, 1e-6);
  g_assert_cmpfloat_with_epsilon (weighted->gains[1], 0.08, 1e-6);
  g_assert_cmpfloat_with_epsilon (weighted->gains[2], 0.54, 1e-5);
  g_assert_cmpfloat_with_epsilon (weighted->gains[3], 0.54, 1e-5);
}

/* The delays of every row and angle are those with which the generator makes scenes; the near ones tend to the far. */
static void
test_foci (void)
{
  static const char *const arrays[] = { "line:64,1.5", "line:33,0.5,-120", "line:2,3,45" };
  static const char *const kinds[] = { "perpendicular", "slant" };

  for (guint a = 0; a < G_N_ELEMENTS (arrays); a++)
    for (guint kind = 0; kind < 2; kind++)
      {
        g_autoptr (EsArray) array = es_array_parse (arrays[a], NULL);
        g_autoptr (EsParams) params = es_test_settings_params ("range-kind", kinds[kind], "ranges",
                                                               "50,far,3200,10000000", "angles",
                                                               "1,20,90,123,179", NULL);
        g_autoptr (EsBeamSettings) s = es_test_settings_of (params, arrays[a], 8000, 8000);
        g_autoptr (EsBeamGeometry) geometry = es_beam_geometry_new (array, ES_SHADING_NONE, 1);
        g_autoptr (EsTestSonar) sonar = es_test_sonar_new (array, 8000, 1, 1500);
        g_autofree double *delays = g_new (double, geometry->n), *far = g_new (double, geometry->n * s->n_angles);
        const guint rows[] = { 1, 0, 2, 3 };

        for (guint r = 0; r < 4; r++)
          {
            EskFocus foci[5];
            const double range = s->ranges[rows[r]];
            es_beam_foci_of_row (array, s, rows[r], foci);
            const EskBeamPlan plan = {
              .elements = geometry->n, .positions = geometry->positions, .n_foci = 5, .foci = foci, .sound_speed = 1500,
            };
            for (guint i = 0; i < 5; i++)
              {
                const EsTestPlace place = isinf (range) ? es_test_place_far (array, s->angles[i])
                                          : kind == 1 ? es_test_place_slant (array, s->angles[i], range)
                                                      : es_test_place_perpendicular (array, s->angles[i], range);
                g_assert_true (foci[i].near == !isinf (range));
                esk_beam_delays (&plan, i, delays);
                for (guint k = 0; k < geometry->n; k++)
                  {
                    /* Positive: earlier than the reference. 1e-5 m are 7e-9 s. */
                    g_assert_cmpfloat_with_epsilon (delays[k], -es_test_sonar_delay (sonar, place, k), 5e-9);
                    if (isinf (range))
                      far[i * geometry->n + k] = delays[k];
                    if (range == 10000000)
                      g_assert_cmpfloat_with_epsilon (delays[k], far[i * geometry->n + k], 1e-3 / 1500);
                  }
              }
          }
      }

  /* Any array: azimuth from +x to +y, elevation to +z; points in the array's frame. */
  const EskFocus up = es_beam_focus_far (0, 90), side = es_beam_focus_far (90, 0);
  const EskFocus between = es_beam_focus_far (-135, 30);
  g_assert_cmpfloat (up.z, ==, 1);
  g_assert_cmpfloat (up.x, ==, 0);
  g_assert_cmpfloat (side.y, ==, 1);
  g_assert_cmpfloat_with_epsilon (between.x, -sqrt (0.5) * sqrt (0.75), 1e-12);
  g_assert_cmpfloat_with_epsilon (between.z, 0.5, 1e-12);
  const EsElement e[] = { { .x = 1, .y = 2, .z = 3, .gain = 1 }, { .x = 9, .channel = 1, .gain = 1 } };
  g_autoptr (EsArray) pair = es_array_new (e, 2, NULL);
  const EskFocus point = es_beam_focus_point (pair, 5, 5, 5);
  g_assert_cmpfloat (point.x, ==, 0);
  g_assert_cmpfloat (point.z, ==, 3.5);
  g_assert_true (point.near);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/beam-settings/windows", test_windows);
  g_test_add_func ("/beam-settings/shadings", test_shadings);
  g_test_add_func ("/beam-settings/geometry", test_geometry);
  g_test_add_func ("/beam-settings/foci", test_foci);
  return g_test_run ();
}
