/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Errors of a reduction: against their definition. */

#include "test-conformance.h"

#include <math.h>
#include <string.h>

#include "../test-noise-reference.h"

static double
value_of (gconstpointer data,
          size_t        pixel,
          size_t        band)
{
  return planes_value (data, pixel, band);
}

/*
 * Tolerances are in units of float32's rounding of the longest centred pixel, which errors are differences of, times
 * what the sums over bands add up to.
 */
#define UNIT 2e-6

typedef struct
{
  size_t      n, m;
  float      *forward, *backward;
  double     *mean, *scale, *offset;
  EskMatrix   to, from;
} Model;

/* Nearly orthogonal rows, there and back. */
static void
model_init (Model        *model,
            const Planes *planes,
            size_t        m,
            gboolean      scaled)
{
  size_t n = planes->host.bands;

  *model = (Model) { n, m };
  model->forward = g_new (float, m * n);
  model->backward = g_new (float, m * n);
  model->mean = g_new0 (double, n);
  for (size_t r = 0; r < m; r++)
    for (size_t b = 0; b < n; b++)
      {
        model->forward[r * n + b] = (float) (cos (G_PI / (double) n * ((double) b + 0.5) * (double) (r % n))
                                             * sqrt (2.0 / (double) n) / (r >= n ? 3.0 : 1.0));
        model->backward[b * m + r] = model->forward[r * n + b] * (r == 0 ? 0.5f : 0.9f);
      }
  for (size_t b = 0; b < n; b++)
    {
      size_t count = 0;

      for (size_t p = 0; p < planes->n_pixels; p += 1 + planes->n_pixels / 97)
        if (planes->valid == NULL || planes->valid[p])
          {
            model->mean[b] += planes_value (planes, p, b);
            count++;
          }
      model->mean[b] = model->mean[b] / (double) MAX (count, 1) + 0.3;
    }
  if (scaled)
    {
      model->scale = g_new (double, n);
      model->offset = g_new (double, n);
      for (size_t b = 0; b < n; b++)
        {
          model->scale[b] = 0.001 + 0.0001 * (double) (b % 7);
          model->offset[b] = 0.02 * (double) (b % 3);
        }
    }
  model->to = (EskMatrix) { m, n, model->forward };
  model->from = (EskMatrix) { n, m, model->backward };
}

static void
model_clear (Model *model)
{
  g_free (model->forward);
  g_free (model->backward);
  g_free (model->mean);
  g_free (model->scale);
  g_free (model->offset);
}

static void
check_error (const Planes *planes,
             size_t        m,
             gboolean      scaled,
             guint         k)
{
  Reference reference = { value_of, planes, planes->host.width, planes->host.bands, planes->valid };
  size_t n = planes->host.bands, n_pixels = planes->n_pixels, step = 1 + n_pixels * n / 60000, not_nan = 0;
  g_autofree double *error = g_new (double, n), *sums_of = g_new0 (double, 4 * n);
  EskErrorSums sums = { n, 3, sums_of, sums_of + n, 0.25, 0.0 };
  EskErrorSums cpu = { n, 3, sums_of + 2 * n, sums_of + 3 * n, 0.25, 0.0 };
  g_autofree float *rmse = g_new (float, n_pixels), *angle = g_new (float, n_pixels);
  double unit = 0.0, largest_scale = 1.0, worst = 0.0, worst_angle = 0.0, worst_sum = 0.0;
  CardBuffer planes_of[2];
  Model model;

  model_init (&model, planes, m, scaled);
  for (size_t b = 0; scaled && b < n; b++)
    largest_scale = b == 0 ? model.scale[0] : fmax (largest_scale, model.scale[b]);
  for (size_t p = 0; p < n_pixels; p += planes->n_valid < 1000 ? 1 : step)
    if (planes->valid == NULL || planes->valid[p])
      {
        double square = 0.0;

        for (size_t b = 0; b < n; b++)
          {
            double x = planes_value (planes, p, b) - model.mean[b];

            square += x * x + 1e-4 * model.mean[b] * model.mean[b];
          }
        unit = fmax (unit, UNIT * sqrt (square) * largest_scale);
      }
  /* More components than bands: their roundings add up. */
  unit *= fmax (1.0, (double) m / (4.0 * (double) n));
  if (!card_new (&planes_of[0], n_pixels * sizeof (float), k % 4 * 4)
      || !card_new (&planes_of[1], n_pixels * sizeof (float), k % 3 * 4))
    return;
  if (conformance_expect ("project_error",
                          conformance.table->cube->project_error (conformance.stream, &planes->card, &planes->selection,
                                                                  planes->card_valid, &model.to, &model.from,
                                                                  model.mean, model.scale, model.offset,
                                                                  (float *) (void *) planes_of[0].data,
                                                                  (float *) (void *) planes_of[1].data, &sums), ESK_OK)
      && conformance_expect ("the CPU's",
                             conformance.cpu->cube->project_error (conformance.cpu_stream, &planes->host,
                                                                   &planes->selection, planes->valid, &model.to,
                                                                   &model.from,
                                                                   model.mean, model.scale, model.offset, rmse, angle,
                                                                   &cpu),
                             ESK_OK))
    {
      g_autofree float *got = card_get (&planes_of[0]), *got_angle = card_get (&planes_of[1]);

      for (size_t p = 0; p < n_pixels; p++)
        if (planes->valid != NULL && !planes->valid[p])
          not_nan += !isnan (got[p]) || !isnan (got_angle[p]);
        else
          {
            double mean_square, degrees, length = 0.0, estimate = 0.0;

            worst = fmax (worst, fabs ((double) got[p] - (double) rmse[p]) / (unit + 1e-6 * (double) rmse[p]));
            if (isnan (got[p]))
              worst = INFINITY;
            if (p % step != 0)
              continue;
            reference_error (&reference, p, &model.to, &model.from, model.mean, model.scale, model.offset, error,
                             &mean_square, &degrees);
            for (size_t b = 0; b < n; b++)
              {
                double v = (scaled ? model.scale[b] : 1.0) * planes_value (planes, p, b)
                           + (scaled ? model.offset[b] : 0.0);

                length += v * v;
                estimate += (v - error[b]) * (v - error[b]);
              }
            worst = fmax (worst, fabs ((double) got[p] - sqrt (mean_square)) / (unit + 1e-6 * sqrt (mean_square)));
            /* Degrees, of an error of that size across the shorter of the vectors; and the rounding of a q - p^2. */
            worst_angle = fmax (worst_angle, fabs ((double) got_angle[p] - degrees)
                                             / (60.0 * (sqrt ((double) n) * unit
                                                        + 8e-4 * sqrt (mean_square * (double) n))
                                                / (sqrt (fmin (length, estimate)) + 1e-30)
                                                + 1e-5 * degrees + 1e-6));
          }
      EXPECT (not_nan == 0, "%zu pixels that do not count are not NAN", not_nan);
      EXPECT (worst <= 1.0, "the root mean square is wrong by %g of the tolerance", worst);
      EXPECT (worst_angle <= 1.0, "the angle is wrong by %g of the tolerance", worst_angle);
      EXPECT (sums.count == cpu.count, "%" G_GINT64_FORMAT " pixels, not %" G_GINT64_FORMAT, (gint64) sums.count,
              (gint64) cpu.count);
      for (size_t b = 0; b < n; b++)
        {
          double count = (double) cpu.count, square = sqrt (cpu.square[b] * count);

          worst_sum = fmax (worst_sum, fabs (sums.error[b] - cpu.error[b]) / (unit * count + 1e-6 * square));
          worst_sum = fmax (worst_sum, fabs (sums.square[b] - cpu.square[b])
                                       / (unit * unit * count + 2.0 * unit * square + 1e-5 * cpu.square[b]));
        }
      EXPECT (worst_sum <= 1.0, "sums are wrong by %g of the tolerance", worst_sum);
      EXPECT (fabs (sqrt (sums.largest) - sqrt (cpu.largest)) <= unit + 1e-6 * sqrt (cpu.largest),
              "the largest error is %g, not %g", sums.largest, cpu.largest);
      conformance_worst (fmax (worst, fmax (worst_sum, worst_angle)));
    }
  card_free (&planes_of[0]);
  card_free (&planes_of[1]);
  model_clear (&model);
}

static void
test_error_sizes (void)
{
  const size_t components[] = { 1, 3, 27, 8, 16, 64, 13, 33 };
  size_t n;
  const ConformanceSize *sizes = conformance_sizes (&n);
  guint k = 0;

  for (size_t s = 0; s < n; s++)
    for (guint type = 0; type < ESK_N_TYPES; type++, k++)
      {
        size_t samples = sizes[s].width * sizes[s].height * sizes[s].bands;
        size_t m = components[k % G_N_ELEMENTS (components)];
        guint mask = k % 4 == 0 ? k / 4 % 5 : MASK_NONE;
        g_autoptr (Planes) planes = NULL;

        if ((samples > 100000 && (s + type) % 5 != 0) || samples > 2000000)
          continue;
        conformance_case ("%s %zux%zux%zu by %zu, mask %u", esk_type_name (type), sizes[s].width, sizes[s].height,
                          sizes[s].bands, m, mask);
        planes = planes_new (type, sizes[s].width, sizes[s].height, sizes[s].bands, (k / 2) % N_SHAPES, FILL_SPECTRA,
                             mask, k);
        check_error (planes, m, k % 3 == 0, k);
      }
}

static void
test_error_components (void)
{
  const size_t components[] = { 1, 2, 7, 8, 9, 15, 17, 24, 31, 32, 48, 63, 64, 65, 100, 224 };
  const EskType types[] = { ESK_I16, ESK_F32, ESK_U8, ESK_F64 };

  for (size_t r = 0; r < G_N_ELEMENTS (components); r++)
    for (size_t t = 0; t < G_N_ELEMENTS (types); t++)
      {
        g_autoptr (Planes) planes = NULL;

        if (conformance.quick && (r % 5 != 2 || t % 2 != 0))
          continue;
        conformance_case ("%s 150x11x224 by %zu", esk_type_name (types[t]), components[r]);
        planes = planes_new (types[t], 150, conformance.quick ? 2 : 11, 224, SHAPE_ALIGNED, FILL_SPECTRA,
                             t == 1 ? 1 : MASK_NONE, r);
        check_error (planes, components[r], t % 2, (guint) r);
      }
}

static void
test_error_quantised (void)
{
  for (guint type = 0; type < ESK_N_TYPES; type++)
    {
      g_autoptr (Planes) planes = NULL;

      conformance_case ("%s as 8 bits", esk_type_name (type));
      planes = planes_new (type, 61, conformance.quick ? 3 : 43, 19, type % N_SHAPES, FILL_SPECTRA,
                           type % 2 ? 1 : MASK_NONE, type);
      planes_quantise (planes, type);
      check_error (planes, 1 + type, type % 2, type);
    }
}

void
conformance_add_error (void)
{
  if (ESK_HAS (conformance.table, cube, project_error))
    {
      conformance_add ("error/sizes", test_error_sizes);
      conformance_add ("error/components", test_error_components);
      conformance_add ("error/quantised", test_error_quantised);
    }
}
