/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Noise residuals: against their definition, and where they are exact against the CPU's, to the bit. */

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
}
