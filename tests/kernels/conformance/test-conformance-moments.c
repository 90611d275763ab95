/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Sums of monomials of whitened samples, and what the host makes of them, against float64. */

#include "test-conformance-samples.h"

#include <math.h>
#include <string.h>

#include "es-ica-host.h"

#define TOLERANCE 1e-6

static const EskContrast cubic = { ESK_CONTRAST_CUBIC, 1.0 };

static void
check_monomials (const Samples *samples,
                 gboolean       shifted)
{
  const EskHotspots *table = conformance.table;
  size_t m = samples->m, n = esk_n_monomials (m);
  g_autofree double *shift = g_new0 (double, n), *f = g_new (double, n), *sum = g_new0 (double, n);
  g_autofree double *square = g_new0 (double, n);
  g_autofree double *product = g_new0 (double, n * n);
  EskCovariance sums;
  double worst = 0.0;

  for (size_t i = 0; i < n && shifted; i++)
    shift[i] = 0.5 + 0.01 * (double) (i % 50);
  if (!conformance_expect ("esk_covariance_init", esk_covariance_init (&sums, n, false, shift), ESK_OK))
    return;
  for (int turn = 0; turn < 2; turn++)
    {
      conformance_expect ("moment_sums", table->ica->moment_sums (conformance.stream, samples->data, samples->count,
                                                                  samples->stride, m, &sums), ESK_OK);
      if (ESK_HAS (table, cube, covariance_collect))
        conformance_expect ("covariance_collect", table->cube->covariance_collect (conformance.stream, &sums), ESK_OK);
    }
  EXPECT (sums.count == 2 * (int64_t) samples->count, "%" G_GINT64_FORMAT " samples counted", sums.count);

  for (size_t k = 0; k < samples->count; k++)
    {
      for (size_t i = 0; i < m; i++)
        {
          double x = (double) samples->host[i * samples->stride + k];

          f[i] = x - shift[i];
          for (size_t j = 0; j <= i; j++)
            f[esk_monomial (m, i, j)] = x * (double) samples->host[j * samples->stride + k]
                                        - shift[esk_monomial (m, i, j)];
        }
      for (size_t i = 0; i < n; i++)
        {
          sum[i] += 2.0 * f[i];
          /* Products less what the shift makes of them: their errors are those of the products. */
          square[i] += 2.0 * ((f[i] + shift[i]) * (f[i] + shift[i]) + shift[i] * shift[i]);
          for (size_t j = 0; j <= i; j++)
            product[i * n + j] += 2.0 * f[i] * f[j];
        }
    }
  for (size_t i = 0; i < n; i++)
    {
      double length = sqrt (square[i]), error;

      error = fabs (sums.sum[i] - sum[i]) / (length * sqrt (2.0 * (double) samples->count) + 1e-30);
      worst = error <= worst ? worst : isnan (error) ? INFINITY : error;
      for (size_t j = 0; j <= i; j++)
        {
          error = fabs (sums.product[i * n + j] - product[i * n + j])
                  / (length * sqrt (square[j]) + 1e-30);
          worst = error <= worst ? worst : isnan (error) ? INFINITY : error;
        }
    }
  EXPECT (samples->count == 0 || worst <= 2.0 * TOLERANCE, "wrong by %g of the monomials' lengths", worst);
  conformance_worst (worst);
  esk_covariance_clear (&sums);
}

static void
test_monomials (void)
{
  const size_t numbers[] = { 1, 2, 3, 5, 8, 9, 10, 15, 16, 17, 20, 24, 25, 27, 28, 31, 32, 33, 40 };
  const size_t counts[] = { 1, 2, 17, 64, 100, 129, 255, 256, 1003, 2049 };

  for (size_t s = 0; s < G_N_ELEMENTS (numbers); s++)
    {
      size_t m = numbers[s], count = s % 3 == 2 && m < 30 ? 4099 : counts[s % G_N_ELEMENTS (counts)];
      Samples samples;

      if (conformance.quick && (m > 10 || count > 300))
        continue;
      conformance_case ("monomials of %zu planes, %zu samples", m, count);
      if (!samples_new (&samples, m, count, s % 4 == 0 ? 0 : s % 4 == 1 ? (4 - count % 4) % 4 : 3, s % 2 * 4, s))
        continue;
      check_monomials (&samples, s % 2 == 0);
      samples_free (&samples);
    }
  for (size_t s = 0; s < G_N_ELEMENTS (counts) && !conformance.quick; s++)
    {
      Samples samples;

      conformance_case ("monomials of 27 planes, %zu samples", counts[s]);
      if (!samples_new (&samples, 27, counts[s], (4 - counts[s] % 4) % 4, 0, s))
        continue;
      check_monomials (&samples, s % 2 == 0);
      samples_free (&samples);
    }
}

/* The cubic step out of the monomials' sums is that of the samples; and far out samples do no harm there. */
static void
test_contraction (void)
{
  const size_t numbers[] = { 1, 4, 10, 27 };

  for (size_t s = 0; s < 2 * G_N_ELEMENTS (numbers); s++)
    {
      size_t m = numbers[s / 2], count = conformance.quick ? 300 : 20011;
      g_autofree float *w = random_rows (m, m, s);
      g_autofree double *w64 = g_new (double, m * m), *product = g_new0 (double, m * m);
      g_autofree double *derivative = g_new0 (double, m), *from_moments = g_new0 (double, m * m);
      g_autofree double *derivative_from_moments = g_new0 (double, m);
      EskMatrix matrix = { m, m, w };
      EskIcaSums steps = { m, m, 0, product, derivative };
      EskMomentTable moments;
      EskCovariance sums;
      double largest = 0.0, worst = 0.0, worst_derivative = 0.0;
      Samples samples;

      if (conformance.quick && m > 10)
        break;
      conformance_case ("cubic steps of %zu planes both ways%s", m, s % 2 ? ", far out" : "");
      for (size_t i = 0; i < m * m; i++)
        w64[i] = (double) w[i];
      if (!samples_new (&samples, m, count, 1, 0, s) || esk_covariance_init (&sums, esk_n_monomials (m), false, NULL))
        continue;
      if (s % 2 == 1)
        {
          samples.host[100] = 130.0f;
          samples.host[(m - 1) * samples.stride + 200] = -90.0f;
          card_put (&samples.card, samples.host);
        }
      conformance_expect ("moment_sums", conformance.table->ica->moment_sums (conformance.stream, samples.data, count,
                                                                              samples.stride, m, &sums), ESK_OK);
      if (ESK_HAS (conformance.table, cube, covariance_collect))
        conformance_expect ("covariance_collect",
                            conformance.table->cube->covariance_collect (conformance.stream, &sums), ESK_OK);
      conformance_expect ("ica_step", conformance.table->ica->ica_step (conformance.stream, samples.data, count,
                                                                        samples.stride, &cubic, &matrix, &steps),
                          ESK_OK);
      if (conformance_expect ("esk_moment_table_init", esk_moment_table_init (&moments, m, &sums), ESK_OK))
        {
          esk_moment_table_step (&moments, m, w64, from_moments, derivative_from_moments);
          for (size_t i = 0; i < m * m; i++)
            {
              largest = fmax (largest, fabs (from_moments[i]));
              worst = fmax (worst, fabs (product[i] / (double) count - from_moments[i]));
            }
          for (size_t r = 0; r < m; r++)
            worst_derivative = fmax (worst_derivative,
                                     fabs (derivative[r] / (double) count - derivative_from_moments[r])
                                     / derivative_from_moments[r]);
          EXPECT (worst <= 2.0 * TOLERANCE * largest, "E z (w'z)^3 differs by %g of the largest", worst / largest);
          EXPECT (worst_derivative <= 2.0 * TOLERANCE, "E g' differs by %g", worst_derivative);
          conformance_worst (worst / largest);
          esk_moment_table_clear (&moments);
        }
      esk_covariance_clear (&sums);
      samples_free (&samples);
    }
}

void
conformance_add_moments (void)
{
  conformance_add ("ica/monomials", test_monomials);
  conformance_add ("ica/contraction", test_contraction);
}
