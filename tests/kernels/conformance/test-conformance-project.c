/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Projection against float64, eigenvalues against LAPACK. */

#include "test-conformance.h"

#include <cblas.h>
#include <math.h>
#include <string.h>

#include "es-eigen.h"

/*
 * In units of the scale of the components: the longest centred pixel times the longest row of the basis, which no
 * component exceeds. One rounding of a result of that size is 0.6e-7; beyond 512 bands the roundings of the sum add up.
 */
static double
tolerance_of (size_t n_bands)
{
  return 1e-6 * sqrt (fmax (1.0, (double) n_bands / 512.0));
}

#define CHUNK 512

static void
check_project (const Planes *planes,
               size_t        rows,
               gboolean      centred,
               gsize         gap)
{
  const EskHotspots *table = conformance.table;
  size_t n = planes->host.bands, n_pixels = planes->n_pixels, stride = n_pixels + gap;
  g_autofree float *basis_values = g_new (float, rows * n);
  g_autofree double *basis64 = g_new (double, rows * n), *mean = g_new0 (double, n);
  g_autofree double *panel = g_new (double, n * CHUNK), *expected = g_new (double, rows * CHUNK);
  g_autofree float *out = NULL;
  g_autofree double *worst = g_new0 (double, rows);
  double longest = 0.0, longest_row = 0.0, error = 0.0;
  EskMatrix basis = { rows, n, basis_values };
  CardBuffer buffer;
  const guint32 poison = 0xa5a5a5a5;
  size_t not_nan = 0, touched = 0;

  for (size_t r = 0; r < rows; r++)
    {
      double square = 0.0;

      for (size_t b = 0; b < n; b++)
        {
          basis_values[r * n + b] = (float) (sin ((double) (r * 31 + b * 7 + r * b + 1)) / sqrt ((double) n));
          basis64[r * n + b] = (double) basis_values[r * n + b];
          square += basis64[r * n + b] * basis64[r * n + b];
        }
      longest_row = fmax (longest_row, sqrt (square));
    }
  for (size_t b = 0; centred && b < n; b++)
    {
      size_t count = 0;

      for (size_t p = 0; p < n_pixels; p += 1 + n_pixels / 997)
        if (planes->valid == NULL || planes->valid[p])
          {
            mean[b] += planes_value (planes, p, b);
            count++;
          }
      mean[b] /= (double) MAX (count, 1);
    }

  if (!card_new (&buffer, ((rows - 1) * stride + n_pixels) * sizeof (float), gap % 4 * 4))
    return;
  if (!conformance_expect ("project",
                           table->cube->project (conformance.stream, &planes->card, &planes->selection,
                                                 planes->card_valid,
                                                 &basis, centred ? mean : NULL, (float *) (void *) buffer.data, stride),
                           ESK_OK))
    {
      card_free (&buffer);
      return;
    }
  out = card_get (&buffer);

  for (size_t first = 0; first < n_pixels; first += CHUNK)
    {
      size_t m = MIN (n_pixels - first, CHUNK);

      for (size_t k = 0; k < m; k++)
        {
          gboolean counts = planes->valid == NULL || planes->valid[first + k];
          double square = 0.0;

          for (size_t b = 0; b < n; b++)
            {
              panel[k * n + b] = counts ? planes_value (planes, first + k, b) - mean[b] : 0.0;
              square += panel[k * n + b] * panel[k * n + b];
            }
          longest = fmax (longest, sqrt (square));
        }
      cblas_dgemm (CblasRowMajor, CblasNoTrans, CblasTrans, (int) m, (int) rows, (int) n, 1.0, panel, (int) n,
                   basis64, (int) n, 0.0, expected, (int) rows);
      for (size_t r = 0; r < rows; r++)
        for (size_t k = 0; k < m; k++)
          {
            float got = out[r * stride + first + k];

            if (planes->valid != NULL && !planes->valid[first + k])
              not_nan += !isnan (got);
            else if (!(fabs ((double) got - expected[k * rows + r]) <= worst[r]))
              worst[r] = isnan (got) ? INFINITY : fabs ((double) got - expected[k * rows + r]);
          }
    }
  for (size_t r = 0; r + 1 < rows; r++)
    for (size_t k = n_pixels; k < stride; k++)
      touched += memcmp (out + r * stride + k, &poison, sizeof poison) != 0;
  EXPECT (not_nan == 0, "%zu values of pixels that do not count are not NAN", not_nan);
  EXPECT (touched == 0, "%zu values between the planes are written", touched);
  for (size_t r = 0; r < rows; r++)
    error = fmax (error, worst[r] > 0.0 ? worst[r] / (longest * longest_row) : 0.0);
  EXPECT (error <= tolerance_of (n), "wrong by %g of the scale", error);
  conformance_worst (error);
  card_free (&buffer);
}

static void
test_project_sizes (void)
{
  const size_t rows[] = { 1, 3, 27, 8, 16, 5, 64, 13, 33 };
  size_t n;
  const ConformanceSize *sizes = conformance_sizes (&n);
  guint k = 0;

  for (size_t s = 0; s < n; s++)
    for (guint type = 0; type < ESK_N_TYPES; type++, k++)
      {
        size_t samples = sizes[s].width * sizes[s].height * sizes[s].bands, r = rows[k % G_N_ELEMENTS (rows)];
        Shape shape = (k / 2) % N_SHAPES;
        guint mask = k % 4 == 0 ? k / 4 % 5 : MASK_NONE;
        g_autoptr (Planes) planes = NULL;

        if ((samples > 200000 && (s + type) % 5 != 0) || (samples > 2000000 && s % 2 != 0))
          continue;
        conformance_case ("%s %zux%zux%zu to %zu, shape %d mask %u", esk_type_name (type), sizes[s].width,
                          sizes[s].height, sizes[s].bands, r, shape, mask);
        planes = planes_new (type, sizes[s].width, sizes[s].height, sizes[s].bands, shape, FILL_SPECTRA, mask, k);
        check_project (planes, r, k % 3 != 0, k % 2 ? 11 : (128 - planes->n_pixels % 128) % 128);
      }
}

static void
test_project_rows (void)
{
  const size_t rows[] = { 1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 24, 27, 31, 32, 33, 48, 63, 64, 65, 100, 128, 129, 224 };
  const EskType types[] = { ESK_U8, ESK_I16, ESK_F32, ESK_F64 };

  for (size_t r = 0; r < G_N_ELEMENTS (rows); r++)
    for (size_t t = 0; t < G_N_ELEMENTS (types); t++)
      {
        g_autoptr (Planes) planes = NULL;

        conformance_case ("%s 150x41x224 to %zu", esk_type_name (types[t]), rows[r]);
        if (conformance.quick && (r % 6 != 2 || t % 2 != 0))
          continue;
        planes = planes_new (types[t], 150, conformance.quick ? 2 : 41, 224, SHAPE_ALIGNED, FILL_SPECTRA,
                             t == 1 ? 1 : MASK_NONE, r);
        check_project (planes, rows[r], TRUE, r % 2 ? 106 : 0);
      }
}

static void
test_project_masks (void)
{
  for (guint type = 0; type < ESK_N_TYPES; type++)
    for (guint shape = 0; shape < N_SHAPES; shape++)
      for (guint mask = 0; mask < 5; mask++)
        {
          g_autoptr (Planes) planes = NULL;

          conformance_case ("%s 67x53x33 shape %u mask %u", esk_type_name (type), shape, mask);
          planes = planes_new (type, 67, conformance.quick ? 5 : 53, 33, shape, FILL_NOISE, mask, mask);
          check_project (planes, 6, mask != 2, 3);
        }
}

static void
test_project_quantised (void)
{
  for (guint type = 0; type < ESK_N_TYPES; type++)
    for (guint m = 0; m < 3; m++)
      {
        g_autoptr (Planes) planes = NULL;

        conformance_case ("%s as 8 bits, shape %u", esk_type_name (type), m);
        planes = planes_new (type, 61, conformance.quick ? 3 : 43, 19, m, FILL_SPECTRA, m == 1 ? 1 : MASK_NONE, type);
        planes_quantise (planes, type + m);
        check_project (planes, 5, m != 0, 7);
      }
}

/* Each sample on its own axis: the conversions to the last bit of float32. */
static void
test_project_offset (void)
{
  const EskType types[] = { ESK_F32, ESK_F64, ESK_U16, ESK_I32 };

  for (size_t t = 0; t < G_N_ELEMENTS (types); t++)
    {
      g_autoptr (Planes) planes = NULL;

      conformance_case ("%s, mean far above the deviation", esk_type_name (types[t]));
      planes = planes_new (types[t], 3001, 1, 100, SHAPE_ALIGNED, FILL_OFFSET, MASK_NONE, t);
      check_project (planes, 20, TRUE, 0);
    }
}

/* --- eigenvalues ---------------------------------------------------------------------------------------------- */

static void
test_eigen (void)
{
  const size_t sizes[] = { 1, 2, 3, 17, 64, 113, 224, 384 };

  if (!ESK_HAS (conformance.table, eigen, eigen_symmetric))
    {
      g_test_skip ("left to LAPACK");
      return;
    }
  for (size_t s = 0; s < G_N_ELEMENTS (sizes); s++)
    {
      size_t n = sizes[s];
      guint64 state = s + 1;
      g_autofree double *a = g_new (double, n * (n + 3)), *matrix = g_new0 (double, n * n);
      g_autofree double *copy = NULL, *values = g_new0 (double, n), *vectors = g_new0 (double, n * n);
      g_autofree double *expected = g_new0 (double, n), *other = g_new0 (double, n * n);
      double worst = 0.0, orthogonal = 0.0;

      if (conformance.quick && n > 64)
        break;
      conformance_case ("eigenvalues of %zu x %zu", n, n);
      for (size_t k = 0; k < n * (n + 3); k++)
        a[k] = (random_unit (&state) - 0.5) * exp (-0.03 * (double) (k / (n + 3)));
      cblas_dgemm (CblasRowMajor, CblasNoTrans, CblasTrans, (int) n, (int) n, (int) (n + 3), 1.0, a, (int) (n + 3), a,
                   (int) (n + 3), 0.0, matrix, (int) n);
      for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < i; j++)
          matrix[j * n + i] = matrix[i * n + j];
      copy = g_memdup2 (matrix, n * n * sizeof (double));

      if (!conformance_expect ("eigen_symmetric",
                               conformance.table->eigen->eigen_symmetric (conformance.stream, n, matrix, values,
                                                                          vectors),
                               ESK_OK))
        continue;
      g_assert_cmpint (esk_eigen_lapack (n, matrix, expected, other), ==, ESK_OK);
      EXPECT (memcmp (matrix, copy, n * n * sizeof (double)) == 0, "the matrix has changed");
      for (size_t k = 0; k < n; k++)
        {
          size_t largest = 0;

          worst = fmax (worst, fabs (values[k] - expected[k]) / expected[0]);
          EXPECT (k == 0 || values[k] <= values[k - 1], "value %zu is above the one before", k);
          for (size_t i = 1; i < n; i++)
            if (fabs (vectors[k * n + i]) > fabs (vectors[k * n + largest]))
              largest = i;
          EXPECT (vectors[k * n + largest] > 0.0, "vector %zu has the other sign", k);
          for (size_t j = 0; j <= k; j++)
            orthogonal = fmax (orthogonal, fabs (cblas_ddot ((int) n, vectors + k * n, 1, vectors + j * n, 1)
                                                 - (k == j)));
        }
      EXPECT (worst <= 1e-13, "values are wrong by %g", worst);
      EXPECT (orthogonal <= 1e-12, "vectors are not orthonormal by %g", orthogonal);
      EXPECT (esk_eigen_residual (n, matrix, values, vectors) <= 1e-12, "residual %g",
              esk_eigen_residual (n, matrix, values, vectors));
    }
}

static void
test_eigen_bad (void)
{
  double matrix[4] = { 1.0, NAN, NAN, 2.0 }, values[2] = { 0.0 }, vectors[4] = { 0.0 };

  if (!ESK_HAS (conformance.table, eigen, eigen_symmetric) || conformance.fake)
    return;
  conformance_case ("eigenvalues that there are not");
  conformance_expect ("a matrix with NAN", conformance.table->eigen->eigen_symmetric (conformance.stream, 2, matrix,
                                                                                      values,
                                                                                      vectors), ESK_ERROR_ARGUMENT);
  conformance_expect ("no matrix", conformance.table->eigen->eigen_symmetric (conformance.stream, 0, matrix, values,
                                                                              vectors),
                      ESK_ERROR_ARGUMENT);
}

void
conformance_add_project (void)
{
  conformance_add ("project/masks", test_project_masks);
  conformance_add ("project/rows", test_project_rows);
  conformance_add ("project/quantised", test_project_quantised);
  conformance_add ("project/offset", test_project_offset);
  conformance_add ("project/sizes", test_project_sizes);
  conformance_add ("eigen/values", test_eigen);
  conformance_add ("eigen/bad", test_eigen_bad);
}
