/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * Noise residuals and errors of a reduction: against their definitions, and where they are exact against the CPU's, to
 * the bit.
 */

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

/* --- residuals ------------------------------------------------------------------------------------------------ */

typedef struct
{
  EskTile    card, host;       /* the same strides */
  CardBuffer samples, marks, overflow;
  gsize      bytes, mark_bytes;
  guint8    *host_samples, *host_marks;
} Out;

static gboolean
out_init (Out          *out,
          const Planes *planes,
          EskType       type,
          EskMargin     margin,
          guint         k)
{
  size_t size = esk_type_size (type), width = planes->host.width - margin.left - margin.right;
  size_t height = planes->host.height - margin.top - margin.bottom, row = width + (k % 3 == 1 ? 7 : 0);
  size_t band = k % 3 == 2 ? (row * height + 127) / 128 * 128 : row * height + k % 3;
  const guint32 zero = 0;

  memset (out, 0, sizeof *out);
  out->bytes = ((planes->host.bands - 1) * band + (height - 1) * row + width) * size;
  out->mark_bytes = (height - 1) * row + width;
  if (!card_new (&out->samples, out->bytes, k % 2 * size) || !card_new (&out->marks, out->mark_bytes, k % 5)
      || !card_new (&out->overflow, sizeof zero, 4))
    return FALSE;
  card_put (&out->overflow, &zero);
  out->host_samples = g_malloc (out->bytes);
  out->host_marks = g_malloc (out->mark_bytes);
  memset (out->host_samples, POISON, out->bytes);
  memset (out->host_marks, POISON, out->mark_bytes);
  out->host = (EskTile) { out->host_samples, type, FALSE, width, height, planes->host.bands, 1, (ptrdiff_t) row,
                          (ptrdiff_t) band };
  out->card = out->host;
  out->card.data = out->samples.data;
  return TRUE;
}

static void
out_clear (Out *out)
{
  card_free (&out->samples);
  card_free (&out->marks);
  card_free (&out->overflow);
  g_free (out->host_samples);
  g_free (out->host_marks);
}

/* What the card has made, beside the CPU's and, of every step-th pixel, its definition. */
static void
compare_residuals (const Out       *out,
                   const Reference *reference,
                   const guint8    *got,
                   EskNoiseKind     kind,
                   EskNoisePart     part,
                   EskMargin        margin,
                   size_t           step)
{
  const EskTile *tile = &out->host;
  gboolean exact = tile->type == ESK_I16, clamped = FALSE;
  size_t size = esk_type_size (tile->type), differ = 0, wrong = 0, touched = 0;
  double worst = 0.0;

  for (size_t b = 0; b < tile->bands; b++)
    for (size_t y = 0; y < tile->height; y++)
      {
        size_t from = b * (size_t) tile->band_stride + y * (size_t) tile->row_stride;
        const guint8 *marks = out->host_marks + y * (size_t) tile->row_stride;

        for (size_t x = 0; x < tile->width; x++)
          {
            double expected, value;

            if (!marks[x])
              continue;
            if (exact)
              {
                differ += memcmp (got + (from + x) * size, out->host_samples + (from + x) * size, size) != 0;
                value = ((const int16_t *) (const void *) got)[from + x];
              }
            else
              {
                value = (double) ((const float *) (const void *) got)[from + x];
                differ += !(value == (double) ((const float *) (const void *) out->host_samples)[from + x]);
              }
            if ((y * tile->width + x + b) % step != 0)
              continue;
            expected = reference_residual (reference, kind, exact, x + margin.left, y + margin.top, b);
            if (exact)
              wrong += value != (double) reference_part (part, expected, &clamped);
            else
              worst = fmax (worst, fabs (value - expected)
                                   / fmax (fabs (expected),
                                           1e-6 * fabs (reference->value (reference->data,
                                                                          (y + margin.top) * reference->width + x
                                                                          + margin.left, b))));
          }
        /* Of the last row nothing lies behind. */
        for (size_t k = tile->width * size; y + 1 < tile->height && k < (size_t) tile->row_stride * size; k++)
          touched += got[from * size + k] != POISON;
      }
  EXPECT (differ == 0, "%zu residuals are not the CPU's", differ);
  EXPECT (wrong == 0, "%zu residuals are wrong", wrong);
  EXPECT (worst <= 1e-7, "residuals are wrong by %g", worst);
  EXPECT (touched == 0, "%zu bytes between the rows are written", touched);
  conformance_worst (worst);
}

static void
check_residual (const Planes *planes,
                EskNoiseKind  kind,
                EskNoisePart  part,
                EskMargin     margin,
                guint         k)
{
  gboolean exact = esk_type_is_exact (planes->host.type) || planes->minimum != NULL;
  Reference reference = { value_of, planes, planes->host.width, planes->host.bands, planes->valid };
  gboolean with_marks = planes->valid != NULL || k % 2 == 0;
  uint32_t overflow = 0;
  size_t wrong = 0;
  Out out;

  if (!out_init (&out, planes, exact ? ESK_I16 : ESK_F32, margin, k))
    return;
  if (conformance_expect ("noise_residual",
                          conformance.table->cube->noise_residual (conformance.stream, &planes->card,
                                                                   &planes->selection,
                                                                   planes->card_valid, kind, part, &margin, &out.card,
                                                                   with_marks ? out.marks.data : NULL,
                                                                   (uint32_t *) (void *) out.overflow.data), ESK_OK)
      && conformance_expect ("the CPU's",
                             conformance.cpu->cube->noise_residual (conformance.cpu_stream, &planes->host,
                                                                    &planes->selection, planes->valid, kind, part,
                                                                    &margin,
                                                                    &out.host, out.host_marks, &overflow), ESK_OK))
    {
      g_autofree guint8 *samples = card_get (&out.samples), *marks = card_get (&out.marks);
      g_autofree uint32_t *raised = card_get (&out.overflow);

      EXPECT (*raised == overflow, "overflow is %u, not %u", *raised, overflow);
      for (size_t y = 0; with_marks && y < out.host.height; y++)
        for (size_t x = 0; x < out.host.width; x++)
          {
            size_t at = y * (size_t) out.host.row_stride + x;

            wrong += marks[at] != reference_counts (&reference, kind, x + margin.left, y + margin.top);
            wrong += marks[at] != out.host_marks[at];
          }
      for (size_t at = 0; !with_marks && at < out.mark_bytes; at++)
        wrong += marks[at] != POISON;
      EXPECT (wrong == 0, "%zu marks are wrong", wrong);
      compare_residuals (&out, &reference, samples, kind, part, margin,
                         1 + planes->n_pixels * planes->host.bands / 3000);
    }
  out_clear (&out);
}

static EskMargin
larger (EskMargin margin,
        guint     k)
{
  margin.left += k % 3;
  margin.top += k / 2 % 3;
  margin.right += k / 3 % 2;
  margin.bottom += k / 5 % 4;
  return margin;
}

static void
test_residual_sizes (void)
{
  static const size_t sizes[][3] = { { 1, 1, 1 }, { 1, 17, 7 }, { 40, 1, 2 }, { 31, 33, 7 }, { 126, 9, 3 },
                                     { 127, 65, 2 }, { 257, 129, 5 }, { 1024, 37, 3 }, { 61, 30, 113 } };
  guint k = 0;

  for (guint s = 0; s < G_N_ELEMENTS (sizes); s++)
    for (guint type = 0; type < ESK_N_TYPES; type++)
      for (guint kind = 0; kind < ESK_N_NOISE_KINDS; kind++, k++)
        {
          EskMargin margin = larger (esk_noise_margin (kind), k / 2);
          Shape shape = k % N_SHAPES;
          guint mask = k % 2 == 0 ? k / 2 % 5 : MASK_NONE, parts = esk_type_is_exact (type) ? 4 : 1;
          g_autoptr (Planes) planes = NULL;

          if (conformance.quick && sizes[s][0] * sizes[s][1] * sizes[s][2] > 8000)
            continue;
          conformance_case ("%s kind %u of %zux%zux%zu, shape %d mask %u", esk_type_name (type), kind, sizes[s][0],
                            sizes[s][1], sizes[s][2], shape, mask);
          planes = planes_new (type, sizes[s][0] + margin.left + margin.right, sizes[s][1] + margin.top + margin.bottom,
                               sizes[s][2], shape, k % 3 == 0 ? FILL_NOISE : FILL_SPECTRA, mask, k);
          /* All parts of the small ones, one of the others. */
          for (guint part = planes->n_pixels > 5000 ? k % parts : 0; part < parts; part++)
            {
              check_residual (planes, kind, part, margin, k + part);
              if (planes->n_pixels > 5000)
                break;
            }
        }
}

static void
test_residual_quantised (void)
{
  for (guint type = 0; type < ESK_N_TYPES; type++)
    for (guint kind = 0; kind < ESK_N_NOISE_KINDS; kind++)
      {
        EskMargin margin = larger (esk_noise_margin (kind), kind + type);
        g_autoptr (Planes) planes = NULL;

        conformance_case ("%s as 8 bits, kind %u", esk_type_name (type), kind);
        planes = planes_new (type, 67, conformance.quick ? 9 : 53, 9, (type + kind) % N_SHAPES, FILL_SPECTRA,
                             kind == 1 ? 1 : MASK_NONE, type);
        planes_quantise (planes, type + kind);
        check_residual (planes, kind, (type + kind) % 4, margin, type);
      }
}

/* One residual that does not fit, anywhere, is seen; of pixels that do not count it is not. */
static void
test_residual_overflow (void)
{
  const size_t width = 150, height = 21;

  for (guint kind = 0; kind < ESK_N_NOISE_KINDS; kind++)
    for (guint masked = 0; masked < 2; masked++)
      for (guint at = 0; at < (conformance.quick ? 3 : 40); at++)
        {
          EskMargin margin = esk_noise_margin (kind);
          size_t pixel = (at * 977 + 3) % (width * height);
          g_autoptr (Planes) planes = planes_new (at % 2 ? ESK_U16 : ESK_I16, width, height, 2, at % N_SHAPES,
                                                  FILL_OFFSET, 0, at);
          g_autofree guint8 *marks = NULL;

          conformance_case ("kind %u: one pixel of another kind at %zu%s", kind, pixel, masked ? ", masked" : "");
          planes_set (planes, pixel, at % 2, at % 2 ? 65535 : at % 4 == 0 ? 32767 + 0 : -32768);
          planes_upload (planes);
          if (masked)
            {
              planes->valid[pixel] = 0;
              marks = g_malloc (planes->mask.size);
              memset (marks, 1, planes->mask.size);
              marks[pixel / width * (size_t) planes->host.row_stride + pixel % width] = 0;
              card_put (&planes->mask, marks);
            }
          check_residual (planes, kind, ESK_NOISE_WHOLE, margin, 2 * at);
        }
}

static void
test_residual_bad (void)
{
  g_autoptr (Planes) planes = planes_new (ESK_F32, 5, 5, 2, SHAPE_TIGHT, FILL_NOISE, 0, 1);
  EskMargin margin = { 1, 1, 1, 1 }, small = { 1, 1, 0, 1 }, large = { 2, 1, 3, 1 };
  EskTile other;
  Out out;

  conformance_case ("what cannot be right");
  if (!out_init (&out, planes, ESK_F32, margin, 0))
    return;
#define RESIDUAL(valid, kind, part, margin, out, marks)                                                       \
  conformance.table->cube->noise_residual (conformance.stream, &planes->card, &planes->selection, valid, kind, part, \
                                           margin, out, marks, NULL)
  conformance_expect ("no marks", RESIDUAL (planes->card_valid, ESK_NOISE_MEAN, ESK_NOISE_WHOLE, &margin, &out.card,
                                            NULL), ESK_ERROR_ARGUMENT);
  conformance_expect ("a part of floats", RESIDUAL (NULL, ESK_NOISE_MEAN, ESK_NOISE_LOW, &margin, &out.card, NULL),
                      ESK_ERROR_ARGUMENT);
  conformance_expect ("a kind that there is not", RESIDUAL (NULL, ESK_N_NOISE_KINDS, ESK_NOISE_WHOLE, &margin,
                                                            &out.card, NULL), ESK_ERROR_ARGUMENT);
  conformance_expect ("a small margin", RESIDUAL (NULL, ESK_NOISE_MEAN, ESK_NOISE_WHOLE, &small, &out.card, NULL),
                      ESK_ERROR_ARGUMENT);
  conformance_expect ("nothing but margin", RESIDUAL (NULL, ESK_NOISE_MEAN, ESK_NOISE_WHOLE, &large, &out.card,
                                                      NULL), ESK_ERROR_ARGUMENT);
  conformance_expect ("no margin", RESIDUAL (NULL, ESK_NOISE_MEAN, ESK_NOISE_WHOLE, NULL, &out.card, NULL),
                      ESK_ERROR_ARGUMENT);
  other = out.card;
  other.type = ESK_I16;
  conformance_expect ("integers of floats", RESIDUAL (NULL, ESK_NOISE_MEAN, ESK_NOISE_WHOLE, &margin, &other, NULL),
                      ESK_ERROR_ARGUMENT);
  other = out.card;
  other.height = 2;
  conformance_expect ("another size", RESIDUAL (NULL, ESK_NOISE_MEAN, ESK_NOISE_WHOLE, &margin, &other, NULL),
                      ESK_ERROR_ARGUMENT);
  conformance_expect ("all right", RESIDUAL (NULL, ESK_NOISE_MEAN, ESK_NOISE_WHOLE, &margin, &out.card, NULL),
                      ESK_OK);
#undef RESIDUAL
  out_clear (&out);
}

/* --- errors --------------------------------------------------------------------------------------------------- */

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
conformance_add_noise (void)
{
  if (ESK_HAS (conformance.table, cube, noise_residual))
    {
      conformance_add ("noise/bad", test_residual_bad);
      conformance_add ("noise/sizes", test_residual_sizes);
      conformance_add ("noise/quantised", test_residual_quantised);
      conformance_add ("noise/overflow", test_residual_overflow);
    }
  if (ESK_HAS (conformance.table, cube, project_error))
    {
      conformance_add ("error/sizes", test_error_sizes);
      conformance_add ("error/components", test_error_components);
      conformance_add ("error/quantised", test_error_quantised);
    }
}
