/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Sums for a covariance: exact ones to the last bit, the others against float64. */

#include "test-conformance.h"

#include <cblas.h>
#include <math.h>
#include <string.h>

#define TOLERANCE 1e-6
/* What the CPU's runs of float32 products reach where every rounding goes the same way. */
#define FAKE_TOLERANCE 1e-5

/* --- exact ---------------------------------------------------------------------------------------------------- */

static void
compare_exact (const EskCovariance *a,
               const EskCovariance *b)
{
  size_t n = a->n_bands;

  EXPECT (a->count == b->count, "%" G_GINT64_FORMAT " pixels, not %" G_GINT64_FORMAT, (gint64) a->count,
          (gint64) b->count);
  for (size_t i = 0; i < n; i++)
    if (a->integer_sum[i] != b->integer_sum[i])
      {
        conformance_fail ("sum of band %zu is %" G_GINT64_FORMAT ", not %" G_GINT64_FORMAT, i,
                          (gint64) a->integer_sum[i], (gint64) b->integer_sum[i]);
        break;
      }
  for (size_t i = 0; i < n; i++)
    for (size_t j = 0; j <= i; j++)
      if (a->integer_product[i * n + j] != b->integer_product[i * n + j])
        {
          conformance_fail ("product of bands %zu and %zu is %" G_GINT64_FORMAT ", not %" G_GINT64_FORMAT, i, j,
                            (gint64) a->integer_product[i * n + j], (gint64) b->integer_product[i * n + j]);
          return;
        }
}

/* `times` tiles, collected once, twice over. */
static void
check_exact (const Planes *planes,
             int           times)
{
  const EskHotspots *table = conformance.table;
  EskCovariance expected, part, got;
  size_t n = planes->host.bands;

  g_assert_cmpint (esk_covariance_init (&expected, n, true, NULL), ==, ESK_OK);
  g_assert_cmpint (esk_covariance_init (&part, n, true, NULL), ==, ESK_OK);
  g_assert_cmpint (esk_covariance_init (&got, n, true, NULL), ==, ESK_OK);
  g_assert_cmpint (conformance.cpu->cube->covariance_sums (conformance.cpu_stream, &planes->host, &planes->selection,
                                                           planes->valid, &part), ==, ESK_OK);
  for (int k = 0; k < times; k++)
    {
      g_assert_cmpint (esk_covariance_merge (&expected, &part), ==, ESK_OK);
      conformance_expect ("covariance_sums",
                          table->cube->covariance_sums (conformance.stream, &planes->card, &planes->selection,
                                                        planes->card_valid, &got), ESK_OK);
    }
  if (ESK_HAS (table, cube, covariance_collect))
    {
      conformance_expect ("covariance_collect", table->cube->covariance_collect (conformance.stream, &got), ESK_OK);
      compare_exact (&got, &expected);
      /* What has been collected is forgotten there. */
      conformance_expect ("covariance_collect", table->cube->covariance_collect (conformance.stream, &got), ESK_OK);
    }
  compare_exact (&got, &expected);
  esk_covariance_clear (&expected);
  esk_covariance_clear (&part);
  esk_covariance_clear (&got);
}

static const EskType exact_types[] = { ESK_U8, ESK_I8, ESK_U16, ESK_I16 };

static guint
mask_of (guint k)
{
  const guint masks[] = { MASK_NONE, 1, 2, 0, 3, 4 };

  return masks[k % G_N_ELEMENTS (masks)];
}

static void
test_exact_sizes (void)
{
  size_t n;
  const ConformanceSize *sizes = conformance_sizes (&n);
  guint k = 0;

  for (size_t s = 0; s < n; s++)
    for (size_t t = 0; t < G_N_ELEMENTS (exact_types); t++, k++)
      {
        Shape shape = (k / 2) % N_SHAPES;
        guint mask = mask_of (k / 3);
        g_autoptr (Planes) planes = NULL;

        /* The large ones in turn, not all of each. */
        if (sizes[s].width * sizes[s].height * sizes[s].bands > 2000000 && t % 2 != s % 2)
          continue;
        conformance_case ("%s %zux%zux%zu shape %d mask %u", esk_type_name (exact_types[t]), sizes[s].width,
                          sizes[s].height, sizes[s].bands, shape, mask);
        planes = planes_new (exact_types[t], sizes[s].width, sizes[s].height, sizes[s].bands, shape,
                             k % 3 == 0 ? FILL_NOISE : FILL_SPECTRA, mask, k);
        check_exact (planes, planes->n_pixels < 5000 ? 3 : 1);
      }
}

static void
test_exact_masks (void)
{
  for (size_t t = 0; t < G_N_ELEMENTS (exact_types); t++)
    for (guint shape = 0; shape < N_SHAPES; shape++)
      for (guint m = 0; m < 6; m++)
        {
          g_autoptr (Planes) planes = NULL;

          conformance_case ("%s 67x53x33 shape %u mask %u", esk_type_name (exact_types[t]), shape, mask_of (m));
          planes = planes_new (exact_types[t], 67, conformance.quick ? 5 : 53, 33, shape, FILL_NOISE, mask_of (m), m);
          check_exact (planes, 2);
        }
}

/* Totals that no 32 bits hold: every sample at the end of its range, in more pixels than the sums of a product fit. */
static void
test_exact_extremes (void)
{
  size_t width = conformance.quick ? 300 : 70001;

  for (size_t t = 0; t < G_N_ELEMENTS (exact_types); t++)
    for (guint high = 0; high < 2; high++)
      for (guint m = 0; m < 2; m++)
        {
          g_autoptr (Planes) planes = NULL;

          conformance_case ("%s %zux1 all %s mask %u", esk_type_name (exact_types[t]), width,
                            high ? "highest" : "lowest", mask_of (m));
          planes = planes_new (exact_types[t], width, 1, m ? 130 : 20, m ? SHAPE_TIGHT : SHAPE_ALIGNED,
                               high ? FILL_HIGHEST : FILL_LOWEST, mask_of (m), 1);
          check_exact (planes, 2);
        }
}

/* Many pixels of 16 bits and bands enough for the ways that pay only then; the last pixels are less than a stage. */
static void
test_exact_wide (void)
{
  static const size_t bands[] = { 145, 189, 200, 223, 224 };
  static const Fill fills[] = { FILL_NOISE, FILL_SPECTRA, FILL_LOWEST, FILL_HIGHEST };
  guint k = 0;

  for (guint b = 0; b < G_N_ELEMENTS (bands); b++)
    for (guint t = 2; t < G_N_ELEMENTS (exact_types); t++)
      for (guint m = 0; m < 4; m++, k++)
        {
          const size_t width = m % 2 == 0 ? 32832 : 41111;
          g_autoptr (Planes) planes = NULL;

          if (conformance.quick && k % 13 != 0)
            continue;
          conformance_case ("%s %zux1x%zu mask %u", esk_type_name (exact_types[t]), width, bands[b], mask_of (m));
          planes = planes_new (exact_types[t], width, 1, bands[b], k % N_SHAPES, fills[(k / 3) % G_N_ELEMENTS (fills)],
                               mask_of (m), k);
          check_exact (planes, 2);
        }
}

static void
test_exact_quantised (void)
{
  for (guint type = 0; type < ESK_N_TYPES; type++)
    for (guint m = 0; m < 4; m++)
      {
        g_autoptr (Planes) planes = NULL;

        conformance_case ("%s as 8 bits, mask %u", esk_type_name (type), mask_of (m));
        planes = planes_new (type, m == 0 ? 257 : 31, conformance.quick ? 3 : 33, 30, m % N_SHAPES,
                             m & 1 ? FILL_NOISE : FILL_SPECTRA, mask_of (m), type);
        planes_quantise (planes, type + m);
        check_exact (planes, 1);
      }
}

/* --- float ---------------------------------------------------------------------------------------------------- */

/* The covariance and mean in float64, two passes; lower triangle. */
static void
reference (const Planes *planes,
           double       *mean,
           double       *matrix)
{
  size_t n = planes->host.bands, chunk = 1024, m = 0;
  g_autofree double *panel = g_new (double, n * chunk);

  memset (matrix, 0, n * n * sizeof (double));
  for (size_t b = 0; b < n; b++)
    {
      long double sum = 0.0;

      for (size_t p = 0; p < planes->n_pixels; p++)
        if (planes->valid == NULL || planes->valid[p])
          sum += planes_value (planes, p, b);
      mean[b] = (double) (sum / (long double) planes->n_valid);
    }
  for (size_t p = 0; p < planes->n_pixels; p++)
    {
      if (planes->valid == NULL || planes->valid[p])
        {
          for (size_t b = 0; b < n; b++)
            panel[m * n + b] = planes_value (planes, p, b) - mean[b];
          m++;
        }
      if (m == chunk || (m > 0 && p + 1 == planes->n_pixels))
        {
          cblas_dsyrk (CblasRowMajor, CblasLower, CblasTrans, (int) n, (int) m, 1.0, panel, (int) n, 1.0, matrix,
                       (int) n);
          m = 0;
        }
    }
  for (size_t k = 0; k < n * n; k++)
    matrix[k] /= (double) planes->n_valid - 1.0;
}

/* Tells whether the sums are those of the planes within the tolerance; `exaggerate`: of the shift, in deviations. */
static void
check_float (const Planes *planes,
             double        shift_by)
{
  const EskHotspots *table = conformance.table;
  size_t n = planes->host.bands;
  g_autofree double *mean = g_new0 (double, n), *matrix = g_new0 (double, n * n), *shift = g_new0 (double, n);
  g_autofree double *got_mean = g_new0 (double, n), *got = g_new0 (double, n * n);
  double largest = 0.0, error = 0.0, mean_error = 0.0;
  EskCovariance covariance;

  if (planes->n_valid > 0)
    reference (planes, mean, matrix);
  for (size_t b = 0; b < n; b++)
    {
      double variance = planes->n_valid > 1 ? matrix[b * n + b] : 0.0;

      largest = fmax (largest, variance);
      shift[b] = mean[b] + shift_by * sqrt (variance) * sin ((double) b + 1.0);
    }

  g_assert_cmpint (esk_covariance_init (&covariance, n, false, shift), ==, ESK_OK);
  conformance_expect ("covariance_sums",
                      table->cube->covariance_sums (conformance.stream, &planes->card, &planes->selection,
                                                    planes->card_valid, &covariance), ESK_OK);
  if (ESK_HAS (table, cube, covariance_collect))
    conformance_expect ("covariance_collect", table->cube->covariance_collect (conformance.stream, &covariance),
                        ESK_OK);
  EXPECT (covariance.count == (int64_t) planes->n_valid, "%" G_GINT64_FORMAT " pixels, not %zu",
          (gint64) covariance.count, planes->n_valid);

  if (planes->n_valid < 2)
    {
      for (size_t b = 0; b < n; b++)
        EXPECT (fabs (covariance.sum[b]) <= 1e-6 * fabs (shift[b]) && fabs (covariance.product[b * n + b])
                <= 1e-12 * shift[b] * shift[b] + 1e-300,
                "band %zu: sum %g, product %g of a pixel that is the shift", b, covariance.sum[b],
                covariance.product[b * n + b]);
    }
  else if (esk_covariance_finish (&covariance, got_mean, got) == ESK_OK)
    {
      for (size_t i = 0; i < n; i++)
        {
          double d = fabs (got_mean[i] - mean[i]) / (sqrt (largest) + 1e-9 * fabs (mean[i]) + 1e-300);

          mean_error = d <= mean_error ? mean_error : d;
          for (size_t j = 0; j <= i; j++)
            {
              d = fabs (got[i * n + j] - matrix[i * n + j]) / (largest + 1e-300);
              error = d <= error ? error : d;
            }
        }
      EXPECT (error <= (conformance.fake ? FAKE_TOLERANCE : TOLERANCE),
              "covariance is wrong by %g of the largest variance", error);
      EXPECT (mean_error <= TOLERANCE, "mean is wrong by %g of the largest deviation", mean_error);
      conformance_worst (error);
    }
  else
    {
      conformance_fail ("the sums are not complete");
    }
  esk_covariance_clear (&covariance);
}

static const EskType float_types[] = { ESK_F32, ESK_F64, ESK_U32, ESK_I32, ESK_U64, ESK_I64, ESK_U16, ESK_I8 };

static void
test_float_sizes (void)
{
  size_t n;
  const ConformanceSize *sizes = conformance_sizes (&n);
  guint k = 0;

  for (size_t s = 0; s < n; s++)
    for (size_t t = 0; t < G_N_ELEMENTS (float_types); t++, k++)
      {
        size_t samples = sizes[s].width * sizes[s].height * sizes[s].bands;
        Shape shape = (k / 2) % N_SHAPES;
        guint mask = mask_of (k / 3);
        g_autoptr (Planes) planes = NULL;

        if ((samples > 200000 && (s + t) % 4 != 0 && t != 0) || (samples > 2000000 && s % 3 != 0))
          continue;
        conformance_case ("%s %zux%zux%zu shape %d mask %u", esk_type_name (float_types[t]), sizes[s].width,
                          sizes[s].height, sizes[s].bands, shape, mask);
        planes = planes_new (float_types[t], sizes[s].width, sizes[s].height, sizes[s].bands, shape, FILL_SPECTRA,
                             mask, k);
        check_float (planes, 0.05);
      }
}

static void
test_float_masks (void)
{
  for (size_t t = 0; t < G_N_ELEMENTS (float_types); t++)
    for (guint shape = 0; shape < N_SHAPES; shape++)
      for (guint m = 0; m < 6; m++)
        {
          g_autoptr (Planes) planes = NULL;

          conformance_case ("%s 67x53x33 shape %u mask %u", esk_type_name (float_types[t]), shape, mask_of (m));
          planes = planes_new (float_types[t], 67, conformance.quick ? 5 : 53, 33, shape, FILL_NOISE, mask_of (m), m);
          check_float (planes, 0.1);
        }
}

/* Far more mean than deviation: what float32 sums of squares lose. */
static void
test_float_offset (void)
{
  const EskType types[] = { ESK_F32, ESK_F64, ESK_U16 };

  for (size_t t = 0; t < G_N_ELEMENTS (types); t++)
    {
      size_t width = conformance.quick ? 1000 : 667418;
      g_autoptr (Planes) planes = NULL;

      conformance_case ("%s %zu pixels, mean far above the deviation", esk_type_name (types[t]), width);
      planes = planes_new (types[t], width, 1, 12, SHAPE_ALIGNED, FILL_OFFSET, t == 0 ? 1 : MASK_NONE, t);
      check_float (planes, 0.1);
      check_float (planes, 2.0);
    }
}

static void
test_float_constant (void)
{
  g_autoptr (Planes) planes = NULL;

  conformance_case ("float32, all the same");
  planes = planes_new (ESK_F32, 999, 7, 40, SHAPE_TIGHT, FILL_HIGHEST, MASK_NONE, 1);
  for (size_t p = 0; p < planes->n_pixels; p++)
    planes_set (planes, p, 3, (double) p);
  planes_upload (planes);
  check_float (planes, 0.0);
}

void
conformance_add_sums (void)
{
  conformance_add ("exact/masks", test_exact_masks);
  conformance_add ("exact/extremes", test_exact_extremes);
  conformance_add ("exact/quantised", test_exact_quantised);
  conformance_add ("exact/sizes", test_exact_sizes);
  conformance_add ("exact/wide", test_exact_wide);
  conformance_add ("float/masks", test_float_masks);
  conformance_add ("float/offset", test_float_offset);
  conformance_add ("float/constant", test_float_constant);
  conformance_add ("float/sizes", test_float_sizes);
}
