/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* Directions of arrival from powers over angles (sonar.md 11). */

#include <math.h>

#include "signal/es-beam-peaks.h"

#define N 181

static double angles[N];
static float powers[3 * N];

/* Angles of which nothing more is known. */
static EsBeamCurve
curve_of (const double *a, const float *p, guint n)
{
  return (EsBeamCurve) { .angles = a, .powers = p, .n = n };
}

static guint
find_peaks (const double *a, const float *p, guint n, guint count, double range_db, double distance,
            EsBeamPeak *peaks)
{
  const EsBeamCurve curve = curve_of (a, p, n);

  return es_find_peaks (&curve, count, range_db, distance, peaks);
}

static gboolean
find_field_peak (const double *a, const float *p, guint n_rows, guint n, EsBeamPeak *peak)
{
  const EsBeamCurve curve = curve_of (a, p, n);

  return es_find_field_peak (&curve, n_rows, peak);
}

static guint
find_peaks_of_field (const double *a, const float *p, guint n_rows, guint n, guint count, double range_db,
                     double distance, EsBeamPeak *peaks)
{
  const EsBeamCurve curve = curve_of (a, p, n);

  return es_find_peaks_of_field (&curve, n_rows, count, range_db, distance, peaks);
}

/* A lobe that is a parabola in dB: -3 dB at `width` / 2 from `centre`. */
static double
lobe (double angle, double centre, double power, double width)
{
  const double x = 2 * (angle - centre) / width;

  return power * pow (10, -0.1 * 10 * log10 (2.0) * x * x);
}

static void
fill (float *row, double floor, guint n_lobes, const double (*lobes)[3])
{
  for (guint i = 0; i < N; i++)
    {
      double sum = floor;
      for (guint k = 0; k < n_lobes; k++)
        sum += lobe (angles[i], lobes[k][0], lobes[k][1], lobes[k][2]);
      row[i] = (float) sum;
    }
}

static void
test_refined (void)
{
  EsBeamPeak peaks[5];

  for (double centre = 60; centre < 61; centre += 0.1)
    {
      const double lobes[1][3] = { { centre, 2, 6 } };
      fill (powers, 1e-9, 1, lobes);
      g_assert_cmpuint (find_peaks (angles, powers, N, 5, 30, 0, peaks), ==, 1);
      g_assert_cmpfloat_with_epsilon (peaks[0].bearing, centre, 1e-3);
      g_assert_cmpfloat_with_epsilon (peaks[0].width, 6, 0.1);
      g_assert_cmpfloat_with_epsilon (peaks[0].level, 3.01, 0.15);
      g_assert_false (peaks[0].at_edge);
    }
}

static void
test_list (void)
{
  const double lobes[4][3] = { { 40, 1, 5 }, { 120.3, 4, 5 }, { 44.5, 0.6, 5 }, { 150, 0.01, 5 } };
  EsBeamPeak peaks[5];
  double descending[N];
  float mirrored[N];

  fill (powers, 1e-9, 4, lobes);
  /* 44.5 lies inside the lobe of 40; 150 is more than 20 dB down. */
  g_assert_cmpuint (find_peaks (angles, powers, N, 5, 20, 0, peaks), ==, 2);
  g_assert_cmpfloat_with_epsilon (peaks[0].bearing, 120.3, 0.01);
  g_assert_cmpfloat_with_epsilon (peaks[0].margin, 10 * log10 (4 / 1.08), 0.3);
  g_assert_cmpfloat (fabs (peaks[1].bearing - 40), <, 1.5);
  g_assert_cmpuint (find_peaks (angles, powers, N, 5, 30, 0, peaks), ==, 3);
  g_assert_true (isnan (peaks[2].margin));
  /* The first that is not listed still is the next one. */
  g_assert_cmpuint (find_peaks (angles, powers, N, 1, 30, 0, peaks), ==, 1);
  g_assert_cmpfloat_with_epsilon (peaks[0].margin, 10 * log10 (4 / 1.08), 0.3);
  /* At least so far apart. */
  g_assert_cmpuint (find_peaks (angles, powers, N, 5, 30, 100, peaks), ==, 1);
  g_assert_cmpuint (find_peaks (angles, powers, N, 0, 30, 0, peaks), ==, 0);

  for (guint i = 0; i < N; i++)
    {
      descending[i] = angles[N - 1 - i];
      mirrored[i] = powers[N - 1 - i];
    }
  g_assert_cmpuint (find_peaks (descending, mirrored, N, 5, 20, 0, peaks), ==, 2);
  g_assert_cmpfloat_with_epsilon (peaks[0].bearing, 120.3, 0.01);
}

static void
test_edges (void)
{
  const double lobes[1][3] = { { -1, 1, 6 } };
  EsBeamPeak peaks[5];

  fill (powers, 1e-9, 1, lobes);
  g_assert_cmpuint (find_peaks (angles, powers, N, 5, 20, 0, peaks), ==, 1);
  g_assert_true (peaks[0].at_edge);
  g_assert_cmpfloat (peaks[0].bearing, ==, 0);
  g_assert_true (isnan (peaks[0].width));

  /* Nothing there; the same everywhere; a single one; not numbers, negative ones and infinite ones between. */
  for (guint i = 0; i < N; i++)
    powers[i] = 0;
  g_assert_cmpuint (find_peaks (angles, powers, N, 5, 20, 0, peaks), ==, 0);
  g_assert_false (find_field_peak (angles, powers, 1, N, peaks));
  for (guint i = 0; i < N; i++)
    powers[i] = 3;
  g_assert_cmpuint (find_peaks (angles, powers, N, 5, 20, 0, peaks), ==, 0);
  g_assert_cmpuint (find_peaks (angles, powers, 1, 5, 20, 0, peaks), ==, 1);
  g_assert_cmpuint (find_peaks (angles, powers, 0, 5, 20, 0, peaks), ==, 0);
  for (guint i = 0; i < N; i++)
    powers[i] = i % 3 == 0 ? NAN : i % 3 == 1 ? -1 : INFINITY;
  g_assert_cmpuint (find_peaks (angles, powers, N, 5, 20, 0, peaks), ==, 0);
  powers[100] = 2;
  g_assert_cmpuint (find_peaks (angles, powers, N, 5, 20, 0, peaks), ==, 1);
  g_assert_cmpfloat (peaks[0].bearing, ==, 100);
  g_assert_true (isnan (peaks[0].width));
  /* Two alike: the middle of them. */
  powers[101] = 2;
  g_assert_cmpuint (find_peaks (angles, powers, N, 5, 20, 0, peaks), ==, 1);
}

/* Bearings all round: a source behind is one source, wherever the angles begin, and at no edge. */
static void
test_round (void)
{
  static const double firsts[] = { -180, 0, -90 };
  static const double offsets[] = { 0, 0.4, -0.4, 3.2, 77.7 };
  double round_angles[361], descending[361];
  float levels[361], mirrored[361];
  EsBeamPeak peaks[5];

  for (guint f = 0; f < G_N_ELEMENTS (firsts); f++)
    for (guint o = 0; o < G_N_ELEMENTS (offsets); o++)
      for (guint n = 360; n <= 361; n++)
        {
          const double bearing = firsts[f] + 360 * (offsets[o] < 0) + offsets[o];

          for (guint i = 0; i < n; i++)
            {
              const double away = remainder (firsts[f] + i - bearing, 360), other = remainder (away - 100, 360);

              round_angles[i] = firsts[f] + i;
              levels[i] = (float) (1e-9 + exp (-0.03 * away * away) + 0.25 * exp (-0.03 * other * other));
            }
          for (guint i = 0; i < n; i++)
            {
              descending[i] = round_angles[n - 1 - i];
              mirrored[i] = levels[n - 1 - i];
            }
          for (guint turned = 0; turned < 2; turned++)
            {
              const double *a = turned ? descending : round_angles;
              const float *p = turned ? mirrored : levels;

              g_assert_cmpuint (find_peaks (a, p, n, 5, 20, 0, peaks), ==, 2);
              for (guint k = 0; k < 2; k++)
                {
                  g_assert_false (peaks[k].at_edge);
                  g_assert_cmpfloat_with_epsilon (peaks[k].width, 2 * sqrt (log (2) / 0.03), 0.1);
                  g_assert_cmpfloat_with_epsilon (remainder (peaks[k].bearing - bearing - 100 * k, 360), 0, 0.01);
                  g_assert_cmpfloat (peaks[k].bearing, >=, firsts[f] - (turned ? 1 : 0));
                  g_assert_cmpfloat (peaks[k].bearing, <=, firsts[f] + 360);
                }
              g_assert_cmpfloat_with_epsilon (peaks[0].margin, 10 * log10 (4), 0.1);
              g_assert_true (find_field_peak (a, p, 1, n, &peaks[4]));
              g_assert_cmpfloat (peaks[4].bearing, ==, peaks[0].bearing);
              g_assert_false (peaks[4].at_edge);
            }
          /* The same everywhere is no direction; a plateau over the seam is one. */
          for (guint i = 0; i < n; i++)
            levels[i] = 2;
          g_assert_cmpuint (find_peaks (round_angles, levels, n, 5, 20, 0, peaks), ==, 0);
          for (guint i = 0; i < n; i++)
            levels[i] = i < 3 || i > 357 ? 2 : 1e-6f;
          g_assert_cmpuint (find_peaks (round_angles, levels, n, 5, 20, 0, peaks), ==, 1);
          g_assert_cmpfloat (fabs (remainder (peaks[0].bearing - firsts[f], 360)), <=, 1);
        }
  /* Almost: there are ends. */
  for (guint i = 0; i < 359; i++)
    levels[i] = i == 0 ? 2 : 1e-6f;
  g_assert_cmpuint (find_peaks (round_angles, levels, 359, 5, 20, 0, peaks), ==, 1);
  g_assert_true (peaks[0].at_edge);
}

static void
test_field (void)
{
  const double rows[3][2][3] = { { { 30, 1, 6 }, { 100, 0.3, 6 } }, { { 30, 0.5, 8 }, { 100, 0.9, 6 } },
                                 { { 30, 0.2, 9 }, { 100, 0.4, 6 } } };
  EsBeamPeak peaks[4], peak;

  for (guint r = 0; r < 3; r++)
    fill (powers + r * N, 1e-9, 2, rows[r]);
  g_assert_true (find_field_peak (angles, powers, 3, N, &peak));
  g_assert_cmpuint (peak.row, ==, 0);
  g_assert_cmpfloat_with_epsilon (peak.bearing, 30, 0.01);
  g_assert_cmpfloat_with_epsilon (peak.margin, 10 * log10 (1 / 0.9), 0.01);

  g_assert_cmpuint (find_peaks_of_field (angles, powers, 3, N, 4, 20, 0, peaks), ==, 2);
  g_assert_cmpuint (peaks[0].row, ==, 0);
  g_assert_cmpfloat_with_epsilon (peaks[0].margin, 10 * log10 (2), 0.01);
  g_assert_cmpuint (peaks[1].row, ==, 1);
  g_assert_cmpfloat_with_epsilon (peaks[1].bearing, 100, 0.01);
  g_assert_cmpfloat_with_epsilon (peaks[1].margin, 10 * log10 (0.9 / 0.4), 0.01);
  g_assert_cmpfloat_with_epsilon (peaks[1].width, 6, 0.1);
}

/* The strongest row has its top between two angles, the other one at an angle. */
static void
test_between (void)
{
  for (guint swapped = 0; swapped < 2; swapped++)
    {
      const double rows[2][1][3] = { { { 75.45, 1.05, 3 } }, { { 77, 1, 3 } } };
      EsBeamPeak peaks[4], peak;

      fill (powers + swapped * N, 1e-9, 1, rows[0]);
      fill (powers + (1 - swapped) * N, 1e-9, 1, rows[1]);
      g_assert_cmpfloat (powers[swapped * N + 75], <, powers[(1 - swapped) * N + 77]);
      g_assert_true (find_field_peak (angles, powers, 2, N, &peak));
      g_assert_cmpuint (peak.row, ==, swapped);
      g_assert_cmpfloat_with_epsilon (peak.bearing, 75.45, 0.01);
      g_assert_cmpfloat_with_epsilon (peak.margin, 10 * log10 (1.05), 0.02);
      g_assert_cmpuint (find_peaks_of_field (angles, powers, 2, N, 4, 20, 0, peaks), ==, 1);
      g_assert_cmpuint (peaks[0].row, ==, swapped);
      g_assert_cmpfloat_with_epsilon (peaks[0].bearing, 75.45, 0.01);
      g_assert_cmpfloat (peaks[0].margin, >=, 0);
    }

  /* What is weaker beside it, in the same rows, stays where it is. */
  const double two[2][2][3] = { { { 75.45, 1.05, 3 }, { 84, 0.2, 3 } }, { { 77, 1, 3 }, { 84.3, 0.3, 3 } } };
  EsBeamPeak peaks[4];

  fill (powers, 1e-9, 2, two[0]);
  fill (powers + N, 1e-9, 2, two[1]);
  g_assert_cmpuint (find_peaks_of_field (angles, powers, 2, N, 4, 20, 0, peaks), ==, 2);
  g_assert_cmpuint (peaks[0].row, ==, 0);
  g_assert_cmpuint (peaks[1].row, ==, 1);
  g_assert_cmpfloat_with_epsilon (peaks[1].bearing, 84.3, 0.01);
}

/* A mean over a ship that has moved from 60 to 90 degrees, and one 1 dB weaker that lies at 108. */
static void
test_wide (void)
{
  double turned[360];
  float levels[360];
  EsBeamPeak peaks[5];

  for (guint i = 0; i < N; i++)
    {
      double sum = 1e-6 + 0.8 * lobe (angles[i], 108, 1, 9);
      for (double at = 60; at <= 90; at += 0.5)
        sum += lobe (angles[i], at, (at < 74 ? 1 : 1.15) * 0.17, 9);
      powers[i] = (float) sum;
    }
  g_assert_cmpuint (find_peaks (angles, powers, N, 5, 10, 0, peaks), ==, 2);
  g_assert_cmpfloat (peaks[0].width, >, 29);
  g_assert_cmpfloat_with_epsilon (peaks[1].bearing, 108, 0.2);
  g_assert_cmpfloat (fabs (peaks[0].bearing - 108), <, peaks[0].width);
  /* What is asked for counts all the same. */
  g_assert_cmpuint (find_peaks (angles, powers, N, 5, 10, 40, peaks), ==, 1);

  /* The same across the seam of what goes all round. */
  for (guint i = 0; i < 360; i++)
    {
      const guint k = (i + 95) % 360;
      turned[i] = i;
      levels[i] = k < N ? powers[k] : 1e-6f;
    }
  g_assert_cmpuint (find_peaks (turned, levels, 360, 5, 10, 0, peaks), ==, 2);
  g_assert_cmpfloat_with_epsilon (peaks[1].bearing, 13, 0.2);

  /* In a field, too, where the other one is as loud in another row. */
  for (guint i = 0; i < N; i++)
    powers[N + i] = 0.5f * powers[i];
  g_assert_cmpuint (find_peaks_of_field (angles, powers, 2, N, 5, 10, 0, peaks), ==, 2);
  g_assert_cmpfloat_with_epsilon (peaks[1].bearing, 108, 0.2);

  /* What ripples on the flank is no arrival; nor is there a valley where values are missing. */
  for (guint i = 0; i < N; i++)
    powers[i] = (float) lobe (angles[i], 75, 1, 30);
  powers[92] = 1.1f * powers[91];
  powers[95] = 1.6f * powers[94];
  g_assert_cmpuint (find_peaks (angles, powers, N, 5, 20, 0, peaks), ==, 1);
  powers[90] = NAN;
  g_assert_cmpuint (find_peaks (angles, powers, N, 5, 20, 0, peaks), ==, 1);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  for (guint i = 0; i < N; i++)
    angles[i] = i;
  g_test_add_func ("/beam-peaks/refined", test_refined);
  g_test_add_func ("/beam-peaks/list", test_list);
  g_test_add_func ("/beam-peaks/edges", test_edges);
  g_test_add_func ("/beam-peaks/round", test_round);
  g_test_add_func ("/beam-peaks/field", test_field);
  g_test_add_func ("/beam-peaks/between", test_between);
  g_test_add_func ("/beam-peaks/wide", test_wide);
  return g_test_run ();
}
