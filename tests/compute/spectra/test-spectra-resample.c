/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* Spectra at other bands, against sums of many small steps under the response, and what has no value. */

#include <math.h>

#include "base/es-error.h"
#include "spectra/es-resampler.h"
#include "spectra/es-spectrum-shape.h"

#define N 2151

static double
smooth (double x)
{
  return 0.4 + 0.2 * sin (x / 90) + 0.1 * exp (-pow ((x - 2200) / 15, 2)) - 0.15 * exp (-pow ((x - 1400) / 25, 2));
}

/* The line between samples 1 nm apart from 350 on. */
static double
line (const double *values, double x)
{
  const guint i = (guint) CLAMP (floor (x - 350), 0, N - 2);

  return values[i] + (values[i + 1] - values[i]) * (x - 350 - i);
}

static double
by_steps (const double *values, double centre, double fwhm)
{
  const double deviation = fwhm / 2.3548200450309493;
  double sum = 0, weights = 0;

  for (int i = -80000; i <= 80000; i++)
    {
      const double t = i / 10000.0, x = centre + t * deviation;
      const double weight = exp (-t * t / 2);

      if (x < 350 || x > 2500)
        continue;
      sum += weight * line (values, x);
      weights += weight;
    }
  return sum / weights;
}

static EsSpectralAxis *
fine_axis (double *values)
{
  double x[N];

  for (guint i = 0; i < N; i++)
    {
      x[i] = 350 + i;
      values[i] = smooth (x[i]);
    }
  return es_spectral_axis_new (N, x, NULL);
}

static void
test_gaussian (void)
{
  double values[N], out[6];
  const double centres[] = { 418.4, 993.08, 902.26, 1400.3, 2203.7, 352 }, widths[] = { 6.5, 9.7, 11.2, 12, 7.3, 10 };
  g_autoptr (EsSpectralAxis) fine = fine_axis (values), bands = es_spectral_axis_new (6, centres, widths);
  g_autoptr (EsResampler) resampler = es_resampler_new (fine, bands, NULL);
  guint n_integrated, n_interpolated, n_missing;

  es_resampler_run (resampler, values, out);
  es_resampler_count (resampler, &n_integrated, &n_interpolated, &n_missing);
  g_assert_cmpuint (n_integrated, ==, 5);
  g_assert_cmpuint (n_interpolated, ==, 0);
  g_assert_cmpuint (n_missing, ==, 1);
  for (guint i = 0; i < 5; i++)
    {
      const double truth = by_steps (values, centres[i], widths[i]);

      g_test_message ("%g: %.12f, by steps %.12f", centres[i], out[i], truth);
      g_assert_cmpfloat_with_epsilon (out[i], truth, 1e-8);
    }
  /* 2 nm from the end of the library: a third of the response is beyond. */
  g_assert_true (isnan (out[5]));
  g_assert_false (es_resampler_takes_spacing (resampler));

  /* A constant stays one, to the last digits. */
  for (guint i = 0; i < N; i++)
    values[i] = 0.25;
  es_resampler_run (resampler, values, out);
  for (guint i = 0; i < 5; i++)
    g_assert_cmpfloat_with_epsilon (out[i], 0.25, 1e-15);

  /* A missing sample at the edge of the response costs nothing, one in its middle all. */
  values[(guint) (418 - 350 + 12)] = NAN;
  values[(guint) (1400 - 350)] = NAN;
  es_resampler_run (resampler, values, out);
  g_assert_cmpfloat_with_epsilon (out[0], 0.25, 1e-15);
  g_assert_true (isnan (out[3]));
}

/* No widths: half the distance of the neighbours, in each detector by itself. */
static void
test_spacing (void)
{
  double values[N], out[5];
  const double centres[] = { 500, 510, 524, 515, 531 };
  g_autoptr (EsSpectralAxis) fine = fine_axis (values), bands = es_spectral_axis_new (5, centres, NULL);
  g_autoptr (EsResampler) resampler = es_resampler_new (fine, bands, NULL);
  const double widths[] = { 10, 12, 14, 16, 16 };
  guint n;

  g_assert_cmpuint (es_spectral_axis_get_runs (bands, &n)[1], ==, 3);
  g_assert_cmpuint (n, ==, 2);
  g_assert_true (es_resampler_takes_spacing (resampler));
  es_resampler_run (resampler, values, out);
  for (guint i = 0; i < 5; i++)
    g_assert_cmpfloat_with_epsilon (out[i], by_steps (values, centres[i], widths[i]), 1e-8);
}

/* A source as coarse as the target is interpolated; not over its gaps; and the same bands are the same values. */
static void
test_coarse (void)
{
  const double x[] = { 500, 510, 520, 530, 700, 710, 720, 715, 725, 735 }, y[] = { 1, 2, 4, 8, 16, 32, 64, 5, 6, 7 };
  const double centres[] = { 505, 510, 528, 600, 716, 733, 736, 499.9 };
  const double widths[] = { 8, 8, 8, 8, 8, 8, 8, 8 };
  const double expected[] = { 1.5, 2, 7.2, NAN, 51.2, 6.8, NAN, NAN };
  g_autoptr (EsSpectralAxis) from = es_spectral_axis_new (10, x, NULL), to = es_spectral_axis_new (8, centres, widths);
  g_autoptr (EsResampler) resampler = es_resampler_new (from, to, NULL), same = es_resampler_new (from, from, NULL);
  double out[10];
  guint n_integrated, n_interpolated, n_missing;

  es_resampler_run (resampler, y, out);
  for (guint i = 0; i < 8; i++)
    {
      g_test_message ("%g: %g", centres[i], out[i]);
      if (isnan (expected[i]))
        g_assert_true (isnan (out[i]));
      else
        g_assert_cmpfloat_with_epsilon (out[i], expected[i], 1e-12);
    }
  es_resampler_count (resampler, &n_integrated, &n_interpolated, &n_missing);
  g_assert_cmpuint (n_interpolated, ==, 5);
  g_assert_cmpuint (n_missing, ==, 3);
  es_resampler_run (same, y, out);
  for (guint i = 0; i < 10; i++)
    g_assert_cmpfloat (out[i], ==, y[i]);

  /* A library that tells widths as wide as the bands' is not smoothed once more, however densely it is sampled. */
  double dense[40], dense_widths[40], values[40];
  for (guint i = 0; i < 40; i++)
    {
      dense[i] = 500 + i;
      dense_widths[i] = 8;
      values[i] = (i % 2 == 0) ? 1 : 3;
    }
  g_autoptr (EsSpectralAxis) wide = es_spectral_axis_new (40, dense, dense_widths);
  const double one[] = { 520 }, width[] = { 8 };
  g_autoptr (EsSpectralAxis) band = es_spectral_axis_new (1, one, width);
  g_autoptr (EsResampler) plain = es_resampler_new (wide, band, NULL);
  es_resampler_run (plain, values, out);
  g_assert_cmpfloat (out[0], ==, 1);

  g_autoptr (EsSpectralAxis) numbered = es_spectral_axis_new (10, NULL, NULL);
  g_autoptr (GError) error = NULL;
  g_assert_null (es_resampler_new (numbered, band, &error));
  g_assert_error (error, ES_DATA_ERROR, ES_DATA_ERROR_UNSUPPORTED);
}

/* Shapes whose truths are known: the hull of a V is a line, derivatives of a parabola are exact. */
static void
test_shapes (void)
{
  const double x[] = { 400, 410, 430, 450, 500, 490, 510, 530 };
  double y[8], out[8];
  g_autoptr (EsSpectralAxis) axis = es_spectral_axis_new (8, x, NULL);

  for (guint i = 0; i < 8; i++)
    y[i] = 1 + 0.5 * x[i] + 0.002 * x[i] * x[i];
  es_spectrum_derive (axis, y, 1, out);
  g_assert_true (isnan (out[0]) && isnan (out[4]) && isnan (out[5]) && isnan (out[7]));
  g_assert_cmpfloat_with_epsilon (out[2], 0.5 + 0.004 * 430, 1e-9);
  g_assert_cmpfloat_with_epsilon (out[6], 0.5 + 0.004 * 510, 1e-9);
  es_spectrum_derive (axis, y, 2, out);
  g_assert_cmpfloat_with_epsilon (out[3], 0.004, 1e-9);

  /* Bands that were left out end what a parabola is known of. */
  const double gapped[] = { 500, 510, 520, 800, 810, 820 };
  g_autoptr (EsSpectralAxis) two = es_spectral_axis_new (6, gapped, NULL);
  for (guint i = 0; i < 6; i++)
    g_assert_cmpint (es_spectral_axis_has_gap (two, i), ==, i == 2);
  es_spectrum_derive (two, gapped, 1, out);
  g_assert_true (isnan (out[2]) && isnan (out[3]));
  g_assert_cmpfloat_with_epsilon (out[1], 1, 1e-12);

  const double values[] = { 1, 0.5, NAN, 0.7, 2, 1.9, 2.1, 2.3 };
  es_spectrum_find_continuum (axis, values, out);
  g_assert_cmpfloat_with_epsilon (out[1], 1.1, 1e-12);           /* from 1 at 400 to 2 at 500 */
  g_assert_true (isnan (out[2]));
  g_assert_cmpfloat_with_epsilon (out[5], 1.9, 1e-12);           /* 490, on the same line */
  es_spectrum_remove_continuum (axis, values, out);
  g_assert_cmpfloat_with_epsilon (out[3], 0.7 / 1.5, 1e-12);
  g_assert_cmpfloat (out[0], ==, 1);
  es_spectrum_normalise (axis, values, out);
  g_assert_cmpfloat (out[1], ==, 0);
  g_assert_cmpfloat (out[7], ==, 1);
  g_assert_cmpfloat_with_epsilon (out[0], 0.5 / 1.8, 1e-12);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/spectra/resample/gaussian", test_gaussian);
  g_test_add_func ("/spectra/resample/spacing", test_spacing);
  g_test_add_func ("/spectra/resample/coarse", test_coarse);
  g_test_add_func ("/spectra/shapes", test_shapes);
  return g_test_run ();
}
