/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Independent components: packing of samples, steps and moments, against float64. */

#include "test-conformance-samples.h"

#include <math.h>
#include <string.h>

static void
contrast_of (const EskContrast *contrast,
             double             y,
             double            *g,
             double            *derivative,
             double            *value)
{
  double e = exp (-y * y / 2.0), a = contrast->slope, t = tanh (a * y);

  switch (contrast->kind)
    {
    case ESK_CONTRAST_CUBIC:
      *g = y * y * y;
      *derivative = 3.0 * y * y;
      *value = y * y * y * y / 4.0;
      break;
    case ESK_CONTRAST_TANH:
      *g = t;
      *derivative = a * (1.0 - t * t);
      *value = (fabs (a * y) + log1p (exp (-2.0 * fabs (a * y))) - log (2.0)) / a;
      break;
    default:
      *g = y * e;
      *derivative = (1.0 - y * y) * e;
      *value = -e;
      break;
    }
}

/* Sums of `rows` rows, and next to each the sum of its terms' magnitudes. */
typedef struct
{
  double *product, *magnitude;         /* rows x m */
  double *derivative, *derivative_magnitude;
  EskIcaMoments *moments, *moments_magnitude;
} Expected;

static void
expected_init (Expected          *expected,
               const Samples     *samples,
               const EskContrast *contrast,
               size_t             rows,
               const float       *w)
{
  size_t m = samples->m;

  expected->product = g_new0 (double, rows * m);
  expected->magnitude = g_new0 (double, rows * m);
  expected->derivative = g_new0 (double, rows);
  expected->derivative_magnitude = g_new0 (double, rows);
  expected->moments = g_new0 (EskIcaMoments, rows);
  expected->moments_magnitude = g_new0 (EskIcaMoments, rows);

  for (size_t k = 0; k < samples->count; k++)
    for (size_t r = 0; r < rows; r++)
      {
        EskIcaMoments *moments = &expected->moments[r], *magnitude = &expected->moments_magnitude[r];
        double y = 0.0, g, derivative, value;

        for (size_t i = 0; i < m; i++)
          y += (double) w[r * m + i] * (double) samples->host[i * samples->stride + k];
        contrast_of (contrast, y, &g, &derivative, &value);
        for (size_t i = 0; i < m; i++)
          {
            double term = g * (double) samples->host[i * samples->stride + k];

            expected->product[r * m + i] += term;
            expected->magnitude[r * m + i] += fabs (term);
          }
        expected->derivative[r] += derivative;
        expected->derivative_magnitude[r] += fabs (derivative);
        moments->second += y * y;
        moments->third += y * y * y;
        moments->fourth += y * y * y * y;
        moments->contrast += value;
        magnitude->third += fabs (y * y * y);
        magnitude->contrast += fabs (value) + 1.0;
      }
}

static void
expected_clear (Expected *expected)
{
  g_free (expected->product);
  g_free (expected->magnitude);
  g_free (expected->derivative);
  g_free (expected->derivative_magnitude);
  g_free (expected->moments);
  g_free (expected->moments_magnitude);
}

#define TOLERANCE 1e-6
#define STARTED 2.0            /* what is in the sums before: they are added to */

/* Error of n sums relative to the largest: of the sums where there are many terms in each, else of the terms. */
static void
check_sums (const char   *what,
            const double *got,
            const double *expected,
            const double *magnitude,
            size_t        n,
            size_t        count,
            double        tolerance)
{
  double largest = 0.0, worst = 0.0;

  for (size_t i = 0; i < n; i++)
    largest = fmax (largest, count >= 4096 ? fabs (expected[i]) : magnitude[i]);
  for (size_t i = 0; i < n; i++)
    {
      double error = fabs (got[i] - STARTED - expected[i]);

      worst = error <= worst ? worst : isnan (error) ? INFINITY : error;
    }
  /* What was there before has its rounding, too. */
  EXPECT (worst <= tolerance * largest + 1e-14, "%s: wrong by %g of the largest", what, worst / largest);
  if (largest > 0.0)
    conformance_worst (worst / largest);
}

static void
check_step (const Samples     *samples,
            const EskContrast *contrast,
            size_t             rows,
            double             tolerance)
{
  const EskHotspots *table = conformance.table;
  size_t m = samples->m, n = rows * m;
  g_autofree float *w = random_rows (rows, m, samples->count);
  g_autofree double *product = g_new (double, n + 1), *derivative = g_new (double, rows + 1);
  g_autofree double *again = g_new0 (double, n), *derivative_again = g_new0 (double, rows);
  g_autofree double *once_more = g_new0 (double, n);
  EskMatrix matrix = { rows, m, w };
  EskIcaSums sums = { rows, m, 5, product, derivative };
  Expected expected;

  for (size_t i = 0; i <= n; i++)
    product[i] = STARTED;
  for (size_t r = 0; r <= rows; r++)
    derivative[r] = STARTED;
  if (!conformance_expect ("ica_step",
                           table->ica->ica_step (conformance.stream, samples->data, samples->count, samples->stride,
                                                 contrast, &matrix, &sums), ESK_OK))
    return;

  expected_init (&expected, samples, contrast, rows, w);
  EXPECT (sums.count == 5 + (int64_t) samples->count, "%" G_GINT64_FORMAT " samples counted", sums.count);
  EXPECT (product[n] == STARTED && derivative[rows] == STARTED, "written behind the sums");
  check_sums ("sum of z g", product, expected.product, expected.magnitude, n, samples->count, tolerance);
  check_sums ("sum of g'", derivative, expected.derivative, expected.derivative_magnitude, rows, samples->count,
              tolerance);
  expected_clear (&expected);

  sums = (EskIcaSums) { rows, m, 0, again, derivative_again };
  conformance_expect ("ica_step", table->ica->ica_step (conformance.stream, samples->data, samples->count,
                                                        samples->stride, contrast, &matrix, &sums), ESK_OK);
  memset (derivative_again, 0, rows * sizeof (double));
  sums = (EskIcaSums) { rows, m, 0, once_more, derivative_again };
  conformance_expect ("ica_step", table->ica->ica_step (conformance.stream, samples->data, samples->count,
                                                        samples->stride, contrast, &matrix, &sums), ESK_OK);
  EXPECT (memcmp (again, once_more, n * sizeof (double)) == 0, "not the same bytes the second time");
}

static void
check_moments (const Samples     *samples,
               const EskContrast *contrast,
               size_t             rows)
{
  size_t m = samples->m;
  g_autofree float *w = random_rows (rows, m, samples->count + 1);
  g_autofree EskIcaMoments *moments = g_new (EskIcaMoments, rows + 1);
  EskMatrix matrix = { rows, m, w };
  /* Of few samples, y may be the small difference of large products. */
  double tolerance = samples->count < 64 ? 3.0 * TOLERANCE : TOLERANCE;
  Expected expected;

  for (size_t r = 0; r <= rows; r++)
    moments[r] = (EskIcaMoments) { STARTED, STARTED, STARTED, STARTED };
  if (!conformance_expect ("ica_moments",
                           conformance.table->ica->ica_moments (conformance.stream, samples->data, samples->count,
                                                                samples->stride, contrast, &matrix, moments), ESK_OK))
    return;
  EXPECT (moments[rows].second == STARTED && moments[rows].contrast == STARTED, "written behind the moments");

  expected_init (&expected, samples, contrast, rows, w);
  for (size_t r = 0; r < rows; r++)
    {
      const EskIcaMoments *e = &expected.moments[r], *magnitude = &expected.moments_magnitude[r];

      check_sums ("sum of y^2", &moments[r].second, &e->second, &e->second, 1, 1, tolerance);
      check_sums ("sum of y^3", &moments[r].third, &e->third, &magnitude->third, 1, 1, 2.0 * tolerance);
      check_sums ("sum of y^4", &moments[r].fourth, &e->fourth, &e->fourth, 1, 1, 2.0 * tolerance);
      check_sums ("contrast", &moments[r].contrast, &e->contrast, &magnitude->contrast, 1, 1, 2.0 * tolerance);
    }
  expected_clear (&expected);
}

static const EskContrast contrasts[] = {
  { ESK_CONTRAST_CUBIC, 1.0 }, { ESK_CONTRAST_TANH, 1.0 }, { ESK_CONTRAST_GAUSS, 1.0 }, { ESK_CONTRAST_TANH, 1.75 },
};

static void
test_components (void)
{
  const size_t numbers[] = { 1, 2, 3, 4, 7, 8, 9, 10, 15, 16, 17, 24, 27, 31, 32, 33, 40, 48, 63, 64, 65, 100, 131 };

  for (size_t s = 0; s < G_N_ELEMENTS (numbers); s++)
    for (guint c = 0; c < G_N_ELEMENTS (contrasts); c++)
      {
        size_t m = numbers[s], rows = (s + c) % 3 == 0 ? 1 : (s + c) % 3 == 1 ? m : (m + 1) / 2;
        Samples samples;

        if (conformance.quick && (s + c) % 4 != 0)
          continue;
        conformance_case ("%zu components of %zu planes, contrast %u", rows, m, c);
        if (!samples_new (&samples, m, conformance.quick ? 300 : m > 40 ? 1501 : 4999, s % 4 * 3 + c, s % 2 * 4, s))
          continue;
        check_step (&samples, &contrasts[c], rows, 2.0 * TOLERANCE);
        check_moments (&samples, &contrasts[c], rows);
        if (rows != m && m <= 64)
          check_step (&samples, &contrasts[c], m, 2.0 * TOLERANCE);
        samples_free (&samples);
      }
}

static void
test_counts (void)
{
  const size_t counts[] = { 1, 2, 3, 4, 5, 15, 16, 17, 31, 33, 63, 64, 65, 127, 255, 256, 257, 511, 513, 1000, 4097,
                            16385, 70001 };

  for (size_t s = 0; s < G_N_ELEMENTS (counts); s++)
    for (guint c = 0; c < 3; c++)
      {
        const size_t numbers[] = { 5, 10, 27, 37 };
        size_t m = numbers[(s + c) % 4];
        Samples samples;

        if (conformance.quick && counts[s] > 1000)
          continue;
        conformance_case ("%zu samples of %zu planes, contrast %u", counts[s], m, c);
        if (!samples_new (&samples, m, counts[s], s % 3 == 0 ? 0 : s % 3 == 1 ? (4 - counts[s] % 4) % 4 : 5,
                          s % 5 == 0 ? 8 : 0, s))
          continue;
        check_step (&samples, &contrasts[c], s % 2 ? m : 1, 2.0 * TOLERANCE);
        check_moments (&samples, &contrasts[c], 2);
        samples_free (&samples);
      }
}

/* As exact as it is asked to be: the largest sums of many samples to 1e-6. */
static void
test_accuracy (void)
{
  for (guint c = 0; c < 3 && !conformance.quick; c++)
    {
      Samples samples;

      conformance_case ("300,001 samples of 27 planes, contrast %u", c);
      if (!samples_new (&samples, 27, 300001, 3, 0, c))
        continue;
      check_step (&samples, &contrasts[c], c == 1 ? 27 : 9, TOLERANCE);
      check_step (&samples, &contrasts[c], 1, TOLERANCE);
      samples_free (&samples);
    }
}

/* Samples far out, as materials that cover a few pixels have them, and some that float16 does not hold. */
static void
test_far_out (void)
{
  const float extremes[] = { 40.0f, 2300.0f, 1e6f };

  for (size_t s = 0; s < G_N_ELEMENTS (extremes); s++)
    for (guint c = 0; c < 3; c++)
      {
        Samples samples;

        conformance_case ("a sample of %g, contrast %u", (double) extremes[s], c);
        if (!samples_new (&samples, 12, 5000, 0, 0, s))
          continue;
        samples.host[3 * samples.stride + 1234] = extremes[s];
        samples.host[7 * samples.stride + 4998] = -extremes[s];
        card_put (&samples.card, samples.host);
        check_step (&samples, &contrasts[c], 12, 3.0 * TOLERANCE);
        check_step (&samples, &contrasts[c], 1, 3.0 * TOLERANCE);
        check_moments (&samples, &contrasts[c], 3);
        samples_free (&samples);
      }
}

/* --- packing -------------------------------------------------------------------------------------------------- */

/* missing: of a thousand samples, how many are not finite. */
static void
check_compact (size_t             n,
               size_t             n_planes,
               size_t             gap,
               guint              missing,
               const EskSampling *sampling)
{
  size_t stride = n + gap, expected = 0, count = 12345, wrong = 0, touched = 0;
  guint64 state = n + n_planes + missing + 1;
  const guint32 poison = 0xa5a5a5a5;
  g_autofree size_t *kept = g_new (size_t, n + 1);
  g_autofree float *out = NULL;
  CardBuffer to;
  Samples samples;

  if (!samples_new (&samples, n_planes, n, gap, gap % 4 * 4, n))
    return;
  for (size_t k = 0; k < n; k++)
    if (random_next (&state) % 1000 < missing)
      samples.host[k] = k % 3 == 0 ? NAN : k % 3 == 1 ? INFINITY : -INFINITY;
    else if (n_planes > 1 && random_next (&state) % 50 == 0)
      samples.host[stride + k] = NAN;    /* only the first plane counts */
  card_put (&samples.card, samples.host);
  for (size_t k = 0; k < n; k++)
    {
      uint64_t pixel = sampling != NULL ? sampling->first + k / sampling->width * sampling->stride
                                          + k % sampling->width : 0;

      if (isfinite (samples.host[k])
          && (sampling == NULL || esk_sample_hash (sampling->seed, pixel) >> 32 < sampling->keep))
        kept[expected++] = k;
    }

  if (card_new (&to, MAX (n_planes * stride, 1) * sizeof (float), 4))
    {
      conformance_expect ("compact",
                          conformance.table->ica->compact (conformance.stream, samples.data, n, samples.stride,
                                                           n_planes,
                                                           sampling, (float *) (void *) to.data, stride, &count),
                          ESK_OK);
      EXPECT (count == expected, "%zu samples, not %zu", count, expected);
      out = card_get (&to);
      for (size_t i = 0; i < n_planes && count == expected; i++)
        for (size_t k = 0; k < stride; k++)
          if (k < expected)
            wrong += memcmp (out + i * stride + k, samples.host + i * stride + kept[k], sizeof (float)) != 0;
          else
            touched += memcmp (out + i * stride + k, &poison, sizeof poison) != 0;
      EXPECT (wrong == 0, "%zu samples are others", wrong);
      EXPECT (touched == 0, "%zu values behind the samples are written", touched);
      card_free (&to);
    }
  samples_free (&samples);
}

static void
test_compact (void)
{
  const size_t sizes[] = { 0, 1, 2, 31, 32, 33, 255, 256, 257, 511, 4095, 4096, 4097, 8191, 20000, 100003 };
  const guint missing[] = { 0, 30, 500, 1000 };
  const size_t planes[] = { 1, 3, 27 };

  for (size_t s = 0; s < G_N_ELEMENTS (sizes); s++)
    for (guint k = 0; k < 12; k++)
      {
        EskSampling sampling = { s + 3, 1000 * k, 901, 1 + (s * 37) % 700, 0 };
        const uint64_t keeps[] = { (uint64_t) 1 << 32, (uint64_t) 1 << 30, 0, (uint64_t) 0xffffffff };

        if (conformance.quick && sizes[s] > 5000)
          continue;
        sampling.keep = keeps[(s + k) % 4];
        conformance_case ("%zu samples of %zu planes, %u of 1000 missing, %s", sizes[s], planes[(s + k) % 3],
                          missing[k % 4], k % 3 == 0 ? "all" : "some");
        check_compact (sizes[s], planes[(s + k) % 3], k % 5, missing[k % 4], k % 3 == 0 ? NULL : &sampling);
      }
}

/* --- what cannot be ------------------------------------------------------------------------------------------- */

static void
test_nothing (void)
{
  const EskHotspots *table = conformance.table;
  EskContrast contrast = { ESK_CONTRAST_TANH, 1.0 };
  float w[6] = { 1.0f, 0.0f, 0.0f, 0.0f, 1.0f, 0.0f };
  double product[6] = { 7.0 }, derivative[2] = { 7.0 };
  EskIcaMoments moments[2] = { { 7.0, 0.0, 0.0, 0.0 } };
  EskMatrix matrix = { 2, 3, w };
  EskIcaSums sums = { 2, 3, 0, product, derivative };
  EskSampling sampling = { 1, 0, 10, 0, 5 };
  EskCovariance covariance;
  size_t count = 9;
  Samples samples;

  if (!samples_new (&samples, 3, 100, 0, 0, 1))
    return;
  conformance_case ("no samples, or what cannot be");
  conformance_expect ("no samples", table->ica->ica_step (conformance.stream, samples.data, 0, 100, &contrast, &matrix,
                                                          &sums), ESK_OK);
  conformance_expect ("no samples", table->ica->ica_moments (conformance.stream, samples.data, 0, 100, &contrast,
                                                             &matrix, moments), ESK_OK);
  EXPECT (sums.count == 0 && product[0] == 7.0 && derivative[0] == 7.0 && moments[0].second == 7.0,
          "sums of nothing have changed");
  conformance_expect ("a stride below the count",
                      table->ica->ica_step (conformance.stream, samples.data, 100, 99, &contrast, &matrix, &sums),
                      ESK_ERROR_ARGUMENT);
  contrast.slope = 0.0;
  conformance_expect ("no slope", table->ica->ica_step (conformance.stream, samples.data, 100, 100, &contrast, &matrix,
                                                        &sums), ESK_ERROR_ARGUMENT);
  contrast = (EskContrast) { ESK_N_CONTRASTS, 1.0 };
  conformance_expect ("no contrast", table->ica->ica_moments (conformance.stream, samples.data, 100, 100, &contrast,
                                                              &matrix, moments), ESK_ERROR_ARGUMENT);
  contrast = contrasts[0];
  matrix.rows = 4;
  conformance_expect ("more rows than columns", table->ica->ica_moments (conformance.stream, samples.data, 100, 100,
                                                                         &contrast, &matrix, moments),
                      ESK_ERROR_ARGUMENT);
  conformance_expect ("a sampling without width", table->ica->compact (conformance.stream, samples.data, 100, 100, 3,
                                                                       &sampling, NULL, 100, &count),
                      ESK_ERROR_ARGUMENT);
  if (esk_covariance_init (&covariance, esk_n_monomials (3), false, NULL) == ESK_OK)
    {
      conformance_expect ("no samples", table->ica->moment_sums (conformance.stream, samples.data, 0, 100, 3,
                                                                 &covariance),
                          ESK_OK);
      conformance_expect ("sums of other monomials", table->ica->moment_sums (conformance.stream, samples.data, 100,
                                                                              100, 2, &covariance), ESK_ERROR_ARGUMENT);
      esk_covariance_clear (&covariance);
    }
  samples_free (&samples);
}

void
conformance_add_ica (void)
{
  conformance_add ("ica/compact", test_compact);
  conformance_add ("ica/components", test_components);
  conformance_add ("ica/counts", test_counts);
  conformance_add ("ica/accuracy", test_accuracy);
  conformance_add ("ica/far-out", test_far_out);
  conformance_add ("ica/nothing", test_nothing);
}
