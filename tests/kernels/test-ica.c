/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The CPU's loops of independent components, portable and AVX2: what test-conformance-ica.c does not see of them. */

#include <glib.h>
#include <math.h>
#include <string.h>

#include "cpu/ica/es-cpu-ica-private.h"
#include "es-hotspots.h"

#define SAMPLES 512
#define MOST_ROWS 13

static const EskCpuIcaLoops *
loops_of (gboolean portable)
{
  if (portable)
    return &esk_cpu_ica_loops_portable;
#if defined (__x86_64__)
  if (esk_cpu_ica_loops_avx2 != NULL && __builtin_cpu_supports ("avx2") && __builtin_cpu_supports ("fma"))
    return esk_cpu_ica_loops_avx2;
#endif
  return NULL;
}

/* Error in units of the last place of a float. */
static double
units_of (float  got,
          double expected)
{
  float rounded = fabsf ((float) expected);

  return fabs ((double) got - expected) / ((double) nextafterf (rounded, INFINITY) - (double) rounded);
}

static void
test_contrasts (gconstpointer data)
{
  const EskCpuIcaLoops *loops = loops_of (GPOINTER_TO_INT (data));
  const EskContrast tanh_1 = { ESK_CONTRAST_TANH, 1.0 }, gauss = { ESK_CONTRAST_GAUSS, 1.0 };
  const EskContrast cubic = { ESK_CONTRAST_CUBIC, 1.0 };
  float x[SAMPLES], y[SAMPLES] __attribute__ ((aligned (ESK_PANEL_ALIGNMENT)));
  double worst = 0.0, worst_gauss = 0.0, worst_sum = 0.0;

  if (loops == NULL)
    {
      g_test_skip ("this processor has no AVX2");
      return;
    }
  /* Floats from 2e-8 to 32, by their bits. */
  for (guint32 first = 0x32b00000u; first < 0x42000000u; first += 997 * SAMPLES)
    {
      double sum = 0.0, missing;

      for (guint k = 0; k < SAMPLES; k++)
        {
          guint32 bits = (first + 997 * k) | (k % 2) << 31;

          memcpy (&x[k], &bits, sizeof bits);
        }
      memcpy (y, x, sizeof y);
      missing = loops->contrast (&tanh_1, y, SAMPLES);
      for (guint k = 0; k < SAMPLES; k++)
        {
          g_assert_cmpfloat (fabsf (y[k]), <=, 1.0f);
          worst = fmax (worst, units_of (y[k], tanh ((double) x[k])));
          sum += tanh ((double) x[k]) * tanh ((double) x[k]);
        }
      worst_sum = fmax (worst_sum, fabs (missing - sum) / sum);

      memcpy (y, x, sizeof y);
      loops->contrast (&gauss, y, SAMPLES);
      for (guint k = 0; k < SAMPLES; k++)
        {
          double square = (double) x[k] * (double) x[k];

          worst_gauss = fmax (worst_gauss, fabs ((double) y[k] - (double) x[k] * exp (-0.5 * square)));
        }

      memcpy (y, x, sizeof y);
      loops->contrast (&cubic, y, SAMPLES);
      for (guint k = 0; k < SAMPLES; k++)
        g_assert_cmpfloat (units_of (y[k], pow ((double) x[k], 3.0)), <=, 1.5);
    }
  g_test_message ("tanh: %.2f units in the last place; y exp (-y^2 / 2): %.2g", worst, worst_gauss);
  g_assert_cmpfloat (worst, <=, 7.0);
  g_assert_cmpfloat (worst_gauss, <=, 1.5e-7);
  g_assert_cmpfloat (worst_sum, <=, 2e-6);

  /* Padding adds nothing. */
  memset (y, 0, sizeof y);
  g_assert_cmpfloat (loops->contrast (&tanh_1, y, SAMPLES), ==, 0.0);
  g_assert_cmpfloat (loops->contrast (&cubic, y, SAMPLES), ==, 0.0);
  g_assert_cmpfloat (loops->contrast (&gauss, y, SAMPLES), ==, 0.0);
  for (guint k = 0; k < SAMPLES; k++)
    g_assert_cmpfloat (y[k], ==, 0.0f);
}

/* What lies behind the last sample does not count, whatever it is. */
static void
test_tails (gconstpointer data)
{
  const EskCpuIcaLoops *loops = loops_of (GPOINTER_TO_INT (data));
  float y[64] __attribute__ ((aligned (ESK_PANEL_ALIGNMENT)));

  if (loops == NULL)
    {
      g_test_skip ("this processor has no AVX2");
      return;
    }
  for (guint n = 0; n <= 33; n++)
    for (int kind = 0; kind < ESK_N_CONTRASTS; kind++)
      {
        EskContrast contrast = { (EskContrastKind) kind, 1.5 };
        EskIcaMoments moments = { 1.0, 1.0, 1.0, 1.0 }, expected = { 1.0, 1.0, 1.0, 1.0 };

        for (guint k = 0; k < 64; k++)
          y[k] = k < n ? 0.1f * (float) k - 1.0f : NAN;
        for (guint k = 0; k < n; k++)
          {
            double x = (double) y[k];

            expected.second += x * x;
            expected.third += x * x * x;
            expected.fourth += x * x * x * x;
            expected.contrast += kind == ESK_CONTRAST_CUBIC ? x * x * x * x / 4.0
                                 : kind == ESK_CONTRAST_TANH ? log (cosh (1.5 * x)) / 1.5 : -exp (-x * x / 2.0);
          }
        loops->moments (&contrast, y, n, &moments);
        g_assert_cmpfloat (fabs (moments.second - expected.second), <, 1e-5);
        g_assert_cmpfloat (fabs (moments.third - expected.third), <, 1e-5);
        g_assert_cmpfloat (fabs (moments.fourth - expected.fourth), <, 1e-4);
        g_assert_cmpfloat (fabs (moments.contrast - expected.contrast), <, 1e-4);
      }
}

/* Products of any number of rows, and nothing written beside them. */
static void
test_products (gconstpointer data)
{
  const EskCpuIcaLoops *loops = loops_of (GPOINTER_TO_INT (data));
  const size_t stride = 80, count = 64, across = MOST_ROWS + 2;
  static float a[MOST_ROWS * 80] __attribute__ ((aligned (ESK_PANEL_ALIGNMENT)));
  static float b[MOST_ROWS * 80] __attribute__ ((aligned (ESK_PANEL_ALIGNMENT)));
  float scratch[MOST_ROWS * MOST_ROWS];
  double product[(MOST_ROWS + 2) * (MOST_ROWS + 2)];

  if (loops == NULL)
    {
      g_test_skip ("this processor has no AVX2");
      return;
    }
  for (size_t k = 0; k < G_N_ELEMENTS (a); k++)
    {
      a[k] = k % stride < count ? (float) ((k * 37) % 101) * 0.02f - 1.0f : NAN;
      b[k] = k % stride < count ? (float) ((k * 53) % 97) * 0.02f - 0.9f : NAN;
    }
  for (size_t rows = 1; rows <= MOST_ROWS; rows++)
    for (size_t columns = 1; columns <= MOST_ROWS; columns++)
      {
        for (size_t i = 0; i < G_N_ELEMENTS (product); i++)
          product[i] = 3.0;
        loops->cross (rows, a, columns, b, stride, count, product, across, scratch);
        for (size_t r = 0; r < across; r++)
          for (size_t c = 0; c < across; c++)
            {
              double expected = 3.0;

              for (size_t k = 0; r < rows && c < columns && k < count; k++)
                expected += (double) a[r * stride + k] * (double) b[c * stride + k];
              if (r < rows && c < columns)
                g_assert_cmpfloat (fabs (product[r * across + c] - expected), <, 2e-5);
              else
                g_assert_cmpfloat (product[r * across + c], ==, 3.0);
            }
      }
}

/* The portable loops and the processor's own see the same sums, through the table. */
static void
test_agreement (void)
{
  const EskHotspots *cpu = esk_cpu_hotspots ();
  const size_t m = 11, n = 4097, stride = 4100, n_monomials = esk_n_monomials (m);
  g_autofree float *z = g_new0 (float, m * stride), *w = g_new (float, m * m);
  g_autofree double *sums = g_new0 (double, 2 * m * (m + 1));
  EskCovariance covariance[2];
  double largest = 0.0;
  guint64 state = 5;

  for (size_t k = 0; k < m * stride; k++)
    {
      state = state * 6364136223846793005u + 1442695040888963407u;
      z[k] = (float) ((double) (state >> 40) * 0x1p-23 - 1.0) * 1.7f;
    }
  for (size_t k = 0; k < m * m; k++)
    w[k] = 0.3f * sinf ((float) (k * k + 1));
  for (int turn = 0; turn < 2; turn++)
    {
      EskContrast contrast = { ESK_CONTRAST_TANH, 1.25 };
      EskMatrix matrix = { m, m, w };
      EskIcaSums step = { m, m, 0, sums + (size_t) turn * m * (m + 1), NULL };
      EskStream *stream;

      step.derivative = step.product + m * m;
      if (turn == 0)
        g_setenv ("ES_CPU_PORTABLE", "1", TRUE);
      stream = cpu->stream->stream_new (0);
      g_unsetenv ("ES_CPU_PORTABLE");
      g_assert_nonnull (stream);
      g_assert_cmpint (cpu->ica->ica_step (stream, z, n, stride, &contrast, &matrix, &step), ==, ESK_OK);
      g_assert_cmpint (step.count, ==, n);
      g_assert_cmpint (esk_covariance_init (&covariance[turn], n_monomials, false, NULL), ==, ESK_OK);
      g_assert_cmpint (cpu->ica->moment_sums (stream, z, n, stride, m, &covariance[turn]), ==, ESK_OK);
      cpu->stream->stream_free (stream);
    }
  for (size_t k = 0; k < m * (m + 1); k++)
    largest = fmax (largest, fabs (sums[k]));
  for (size_t k = 0; k < m * (m + 1); k++)
    g_assert_cmpfloat (fabs (sums[k] - sums[m * (m + 1) + k]), <=, 1e-6 * largest);
  for (size_t i = 0; i < n_monomials; i++)
    for (size_t j = 0; j <= i; j++)
      g_assert_cmpfloat (fabs (covariance[0].product[i * n_monomials + j] - covariance[1].product[i * n_monomials + j]),
                         <=, 1e-6 * sqrt (covariance[0].product[i * n_monomials + i]
                                          * covariance[0].product[j * n_monomials + j]));
  esk_covariance_clear (&covariance[0]);
  esk_covariance_clear (&covariance[1]);
}

int
main (int   argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  for (int portable = 0; portable < 2; portable++)
    {
      const char *name = portable ? "portable" : "avx2";
      g_autofree char *contrasts = g_strdup_printf ("/ica/%s/contrasts", name);
      g_autofree char *tails = g_strdup_printf ("/ica/%s/tails", name);
      g_autofree char *products = g_strdup_printf ("/ica/%s/products", name);

      g_test_add_data_func (contrasts, GINT_TO_POINTER (portable), test_contrasts);
      g_test_add_data_func (tails, GINT_TO_POINTER (portable), test_tails);
      g_test_add_data_func (products, GINT_TO_POINTER (portable), test_products);
    }
  g_test_add_func ("/ica/agreement", test_agreement);

  return g_test_run ();
}
