/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Covariance sums in float64 throughout, against the CPU's: as near as the order of the additions allows. */

#include "test-conformance.h"

#include <math.h>
#include <string.h>

/* Of the diagonal: sqrt (product_ii product_jj) for products, sqrt (count product_ii) for sums. */
#define TOLERANCE 1e-13

static const EskType types[] = { ESK_F32, ESK_F64, ESK_U32, ESK_I32, ESK_U64, ESK_I64, ESK_U16, ESK_I8 };

/* The same shift on both sides. */
static void
add_both (const Planes  *planes,
          const double  *shift,
          EskCovariance *expected,
          EskCovariance *got)
{
  const EskHotspots *table = conformance.table;
  size_t n = planes->host.bands;

  g_assert_cmpint (esk_covariance_init (expected, n, false, shift), ==, ESK_OK);
  g_assert_cmpint (esk_covariance_init (got, n, false, shift), ==, ESK_OK);
  expected->precise = got->precise = true;
  g_assert_cmpint (conformance.cpu->cube->covariance_sums (conformance.cpu_stream, &planes->host, &planes->selection,
                                                           planes->valid, expected), ==, ESK_OK);
  conformance_expect ("covariance_sums",
                      table->cube->covariance_sums (conformance.stream, &planes->card, &planes->selection,
                                                    planes->card_valid, got), ESK_OK);
  if (ESK_HAS (table, cube, covariance_collect))
    conformance_expect ("covariance_collect", table->cube->covariance_collect (conformance.stream, got), ESK_OK);
}

/* The shift is the first valid pixel times shift_by; what does not count may be NAN. */
static void
check_precise (const Planes *planes,
               double        shift_by)
{
  size_t n = planes->host.bands;
  g_autofree double *shift = g_new0 (double, n);
  EskCovariance expected, got, again;
  double error = 0.0, sum_error = 0.0;
  size_t first = 0;

  while (first < planes->n_pixels && planes->valid != NULL && !planes->valid[first])
    first++;
  for (size_t b = 0; b < n && first < planes->n_pixels; b++)
    shift[b] = planes_value (planes, first, b) * shift_by;
  add_both (planes, shift, &expected, &got);
  EXPECT (got.count == expected.count, "%" G_GINT64_FORMAT " pixels, not %" G_GINT64_FORMAT, (gint64) got.count,
          (gint64) expected.count);
  for (size_t i = 0; i < n; i++)
    {
      double d = fabs (got.sum[i] - expected.sum[i])
                 / (sqrt ((double) expected.count * expected.product[i * n + i]) + 1e-300);

      sum_error = d <= sum_error ? sum_error : d;
      for (size_t j = 0; j <= i; j++)
        {
          d = fabs (got.product[i * n + j] - expected.product[i * n + j])
              / (sqrt (expected.product[i * n + i]) * sqrt (expected.product[j * n + j]) + 1e-300);
          error = d <= error ? error : d;
        }
    }
  EXPECT (error <= TOLERANCE, "products are wrong by %g of the diagonal", error);
  EXPECT (sum_error <= TOLERANCE, "sums are wrong by %g of the diagonal", sum_error);
  conformance_worst (fmax (error, sum_error));
  esk_covariance_clear (&expected);

  add_both (planes, shift, &expected, &again);
  EXPECT (memcmp (got.sum, again.sum, n * sizeof (double)) == 0
          && memcmp (got.product, again.product, n * n * sizeof (double)) == 0,
          "the same tile gives other bytes the second time");
  esk_covariance_clear (&expected);
  esk_covariance_clear (&again);
  esk_covariance_clear (&got);
}

static guint
mask_of (guint k)
{
  const guint masks[] = { MASK_NONE, 1, 2, 0, 3, 4 };

  return masks[k % G_N_ELEMENTS (masks)];
}

static void
test_sizes (void)
{
  /* Widths of every kind of task: 1 to 4 tiles of 32 bands, alone and beside a block of 128; one to three panels of 112
   * and 128. */
  static const size_t more[] = { 32, 33, 96, 97, 128, 129, 160, 192, 256, 257, 337 };
  static const size_t long_runs[] = { 97, 224, 230 };
  size_t n, height = conformance.quick ? 5 : 43;
  const ConformanceSize *sizes = conformance_sizes (&n);
  guint k = 0;

  for (size_t s = 0; s < n; s++)
    for (size_t t = 0; t < G_N_ELEMENTS (types); t++, k++)
      {
        size_t samples = sizes[s].width * sizes[s].height * sizes[s].bands;
        Shape shape = (k / 2) % N_SHAPES;
        guint mask = mask_of (k / 3);
        g_autoptr (Planes) planes = NULL;

        if ((samples > 200000 && (s + t) % 4 != 0) || (samples > 2000000 && s % 3 != 0))
          continue;
        conformance_case ("%s %zux%zux%zu shape %d mask %u", esk_type_name (types[t]), sizes[s].width,
                          sizes[s].height, sizes[s].bands, shape, mask);
        planes = planes_new (types[t], sizes[s].width, sizes[s].height, sizes[s].bands, shape, FILL_SPECTRA, mask, k);
        check_precise (planes, 1.0);
      }
  for (size_t b = 0; b < G_N_ELEMENTS (more); b++)
    {
      g_autoptr (Planes) planes = NULL;

      conformance_case ("float32 61x%zux%zu", height, more[b]);
      planes = planes_new (ESK_F32, 61, height, more[b], b % N_SHAPES, FILL_SPECTRA, mask_of (b), b);
      check_precise (planes, 1.0);
    }
  /* Runs of many stages, on all multiprocessors. */
  for (size_t b = 0; b < G_N_ELEMENTS (long_runs) && !conformance.quick && !conformance.fake; b++)
    {
      g_autoptr (Planes) planes = NULL;

      conformance_case ("float32 601x503x%zu", long_runs[b]);
      planes = planes_new (ESK_F32, 601, 503, long_runs[b], b % N_SHAPES, FILL_SPECTRA, mask_of (b + 1), b);
      check_precise (planes, 1.0);
    }
}

static void
test_masks (void)
{
  for (size_t t = 0; t < G_N_ELEMENTS (types); t++)
    for (guint shape = 0; shape < N_SHAPES; shape++)
      for (guint m = 0; m < 6; m++)
        {
          g_autoptr (Planes) planes = NULL;

          conformance_case ("%s 67x53x33 shape %u mask %u", esk_type_name (types[t]), shape, mask_of (m));
          planes = planes_new (types[t], 67, conformance.quick ? 5 : 53, 33, shape, FILL_NOISE, mask_of (m), m);
          check_precise (planes, 0.5);
        }
}

static void
test_quantised (void)
{
  for (guint type = 0; type < ESK_N_TYPES; type++)
    {
      g_autoptr (Planes) planes = NULL;

      conformance_case ("%s as 8 bits", esk_type_name (type));
      planes = planes_new (type, 131, conformance.quick ? 3 : 33, 30, type % N_SHAPES, FILL_SPECTRA, mask_of (type),
                           type);
      planes_quantise (planes, type);
      check_precise (planes, 1.0);
    }
}

void
conformance_add_precise (void)
{
  conformance_add ("precise/masks", test_masks);
  conformance_add ("precise/quantised", test_quantised);
  conformance_add ("precise/sizes", test_sizes);
}
