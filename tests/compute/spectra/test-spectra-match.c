/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* Searches against plain sums over all spectra; which bands count; and how long one takes. */

#include <math.h>

#include "spectra/es-spectral-match.h"

#define N_BANDS 218
#define N_SPECTRA 2000

static double
mineral (guint kind, double x)
{
  const double centre = 450 + (kind * 7919u) % 1900, width = 12 + (kind * 104729u) % 60;
  const double depth = 0.05 + 0.4 * ((kind * 31u) % 97) / 97;

  return (0.3 + 0.2 * ((kind * 17u) % 13) / 13 + 1e-4 * (x - 400)) * (1 - depth * exp (-pow ((x - centre) / width, 2)));
}

static EsSpectralAxis *
make_axis (void)
{
  double x[N_BANDS], fwhm[N_BANDS];

  for (guint i = 0; i < N_BANDS; i++)
    {
      x[i] = 420 + 9.3 * i;
      fwhm[i] = 10;
    }
  return es_spectral_axis_new (N_BANDS, x, fwhm);
}

/* Every seventh lacks some bands. */
static EsSpectralLibrary *
make_library (EsSpectralAxis *axis)
{
  EsSpectralLibrary *library = es_spectral_library_new ("minerals");
  const double *x = es_spectral_axis_get_wavelengths (axis);

  for (guint k = 0; k < N_SPECTRA; k++)
    {
      double y[N_BANDS];
      g_autoptr (EsSpectrum) spectrum = NULL;

      for (guint i = 0; i < N_BANDS; i++)
        y[i] = k % 7 == 3 && i >= 40 && i < 60 ? NAN : mineral (k, x[i]);
      spectrum = es_spectrum_new ("m", axis, y, NULL);
      es_spectral_library_add (library, spectrum);
    }
  return library;
}

static double
plain_angle (const double *a, const double *b, const gboolean *good)
{
  double ab = 0, aa = 0, bb = 0;

  for (guint i = 0; i < N_BANDS; i++)
    if (good[i] && !isnan (a[i]) && !isnan (b[i]))
      {
        ab += a[i] * b[i];
        aa += a[i] * a[i];
        bb += b[i] * b[i];
      }
  return acos (CLAMP (ab / sqrt (aa * bb), -1, 1));
}

static void
test_angle (void)
{
  g_autoptr (EsSpectralAxis) axis = make_axis ();
  g_autoptr (EsSpectralLibrary) library = make_library (axis);
  const double *x = es_spectral_axis_get_wavelengths (axis);
  gboolean good[N_BANDS];
  double asked[N_BANDS];
  EsSpectralMatch matches[20];
  guint n, n_compared;

  for (guint i = 0; i < N_BANDS; i++)
    {
      good[i] = i < 130 || i > 135;
      asked[i] = 0.7 * mineral (1234, x[i]) + 0.002 * sin (i * 12.9);
    }
  /* Garbage in bad bands is not looked at. */
  asked[132] = 1e9;
  g_autoptr (EsSpectralMatcher) matcher = es_spectral_matcher_new (library, axis, good, NULL, NULL);
  for (guint round = 0; round < 2; round++)
    {
      if (round == 1)
        asked[10] = asked[50] = NAN;
      n = es_spectral_matcher_search (matcher, asked, ES_MATCH_ANGLE, 20, matches, &n_compared);
      g_assert_cmpuint (n, ==, 20);
      g_assert_cmpuint (n_compared, ==, N_SPECTRA);
      g_assert_cmpuint (matches[0].index, ==, 1234);
      for (guint i = 0; i < n; i++)
        {
          const double *values = es_spectrum_get_values (es_spectral_library_get (library, matches[i].index));
          guint better = 0;

          g_assert_cmpfloat_with_epsilon (matches[i].angle, plain_angle (asked, values, good), 1e-7);
          for (guint k = 0; k < N_SPECTRA; k++)
            better += plain_angle (asked, es_spectrum_get_values (es_spectral_library_get (library, k)), good)
                      < matches[i].angle - 1e-9;
          g_assert_cmpuint (better, ==, i);
        }
    }
}

/* A feature twice as shallow, on a slope and half as bright, is the same feature; another place is another one. */
static void
test_fit (void)
{
  g_autoptr (EsSpectralAxis) axis = make_axis ();
  g_autoptr (EsSpectralLibrary) library = es_spectral_library_new ("two");
  const double *x = es_spectral_axis_get_wavelengths (axis);
  double y[3][N_BANDS], asked[N_BANDS];
  EsSpectralMatch matches[3];

  for (guint i = 0; i < N_BANDS; i++)
    {
      y[0][i] = 0.5 * (1 - 0.3 * exp (-pow ((x[i] - 2200) / 30, 2)));
      y[1][i] = 0.5 * (1 - 0.3 * exp (-pow ((x[i] - 2260) / 30, 2)));
      y[2][i] = 0.5;
      asked[i] = (0.25 - 5e-5 * (x[i] - 2000)) * (1 - 0.15 * exp (-pow ((x[i] - 2200) / 30, 2)));
    }
  for (guint k = 0; k < 3; k++)
    {
      g_autoptr (EsSpectrum) spectrum = es_spectrum_new ("f", axis, y[k], NULL);
      es_spectral_library_add (library, spectrum);
    }
  g_autoptr (EsSpectralMatcher) matcher = es_spectral_matcher_new (library, axis, NULL, NULL, NULL);
  /* What has no feature cannot be fitted. */
  g_assert_cmpuint (es_spectral_matcher_search (matcher, asked, ES_MATCH_FIT, 3, matches, NULL), ==, 2);
  g_assert_cmpuint (matches[0].index, ==, 0);
  g_assert_cmpfloat (matches[0].fit, >, 0.999);
  g_assert_cmpfloat_with_epsilon (matches[0].depth, 0.15, 0.005);
  g_assert_cmpfloat (matches[1].fit, <, 0.6);

  /* Turned upside down it is no absorption. */
  for (guint i = 0; i < N_BANDS; i++)
    asked[i] = 1 / y[0][i];
  es_spectral_matcher_search (matcher, asked, ES_MATCH_FIT, 3, matches, NULL);
  for (guint i = 0; i < 2; i++)
    g_assert_cmpfloat (matches[i].fit, <=, matches[i].index == 0 ? 0 : 0.3);
}

/* Every spectrum of the library finds itself, by either measure. */
static void
test_self (void)
{
  g_autoptr (EsSpectralAxis) axis = make_axis ();
  g_autoptr (EsSpectralLibrary) library = make_library (axis);
  g_autoptr (EsSpectralMatcher) matcher = es_spectral_matcher_new (library, axis, NULL, NULL, NULL);
  EsSpectralMatch match;

  for (guint k = 0; k < N_SPECTRA; k += 37)
    {
      const double *values = es_spectrum_get_values (es_spectral_library_get (library, k));

      g_assert_cmpuint (es_spectral_matcher_search (matcher, values, ES_MATCH_ANGLE, 1, &match, NULL), ==, 1);
      g_assert_cmpfloat (match.angle, <, 1e-7);
      g_assert_true (isnan (match.fit) || match.fit > 1 - 1e-9);
      g_assert_cmpuint (es_spectral_matcher_search (matcher, values, ES_MATCH_FIT, 1, &match, NULL), ==, 1);
      g_assert_cmpfloat (match.fit, >, 1 - 1e-6);
    }
}

static void
test_few_bands (void)
{
  g_autoptr (EsSpectralAxis) axis = make_axis ();
  g_autoptr (EsSpectralLibrary) library = make_library (axis);
  g_autoptr (EsSpectralMatcher) matcher = es_spectral_matcher_new (library, axis, NULL, NULL, NULL);
  double asked[N_BANDS];
  EsSpectralMatch match;
  guint n_compared;

  for (guint i = 0; i < N_BANDS; i++)
    asked[i] = i < 2 ? 1 : NAN;
  g_assert_cmpuint (es_spectral_matcher_search (matcher, asked, ES_MATCH_ANGLE, 1, &match, &n_compared), ==, 0);
  g_assert_cmpuint (n_compared, ==, 0);
  for (guint i = 0; i < N_BANDS; i++)
    asked[i] = 0;
  g_assert_cmpuint (es_spectral_matcher_search (matcher, asked, ES_MATCH_ANGLE, 1, &match, NULL), ==, 0);
}

/* Within a frame of the screen; with room for slow machines and those that watch every access. */
static void
test_speed (void)
{
  g_autoptr (EsSpectralAxis) axis = make_axis ();
  g_autoptr (EsSpectralLibrary) library = make_library (axis);
  g_autoptr (EsSpectralMatcher) matcher = es_spectral_matcher_new (library, axis, NULL, NULL, NULL);
  const double *values = es_spectrum_get_values (es_spectral_library_get (library, 5));
  EsSpectralMatch matches[50];

  for (EsMatchKind by = ES_MATCH_ANGLE; by <= ES_MATCH_FIT; by++)
    {
      gint64 best = G_MAXINT64;

      for (guint i = 0; i < 20; i++)
        {
          const gint64 begin = g_get_monotonic_time ();

          es_spectral_matcher_search (matcher, values, by, 50, matches, NULL);
          best = MIN (best, g_get_monotonic_time () - begin);
        }
      g_test_message ("%u spectra of %u bands by %s: %.2f ms", N_SPECTRA, N_BANDS,
                      by == ES_MATCH_ANGLE ? "angle" : "fit", best / 1000.0);
      g_assert_cmpint (best, <, 100000);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/spectra/match/angle", test_angle);
  g_test_add_func ("/spectra/match/fit", test_fit);
  g_test_add_func ("/spectra/match/self", test_self);
  g_test_add_func ("/spectra/match/few-bands", test_few_bands);
  g_test_add_func ("/spectra/match/speed", test_speed);
  return g_test_run ();
}
