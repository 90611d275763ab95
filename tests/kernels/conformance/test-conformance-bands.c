/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Pixels that count, ranges and totals of bands: what the CPU finds. */

#include "test-conformance.h"

#include <math.h>
#include <string.h>

#include "../test-scene.h"

/* Samples that do not count here and there: NAN, infinities, and in every band but each third a no-data value. */
static void
spoil (Planes  *planes,
       double  *no_data,
       guint64  seed)
{
  const EskTile *tile = &planes->host;
  const double odd[] = { NAN, INFINITY, -INFINITY };
  guint64 state = seed * 2 + 1;
  size_t n_bad = 1 + planes->n_pixels / 40;

  for (size_t b = 0; b < tile->bands; b++)
    no_data[b] = b % 3 == 2 ? NAN : b % 7 == 5 ? 0.5 : planes_value (planes, (b * 13) % planes->n_pixels, b);
  for (size_t k = 0; k < n_bad; k++)
    {
      size_t p = random_next (&state) % planes->n_pixels, b = random_next (&state) % tile->bands;

      if (test_type_is_float (tile->type))
        planes_set (planes, p, b, odd[k % 3]);
      else if (!isnan (no_data[b]) && no_data[b] != 0.5)
        planes_set (planes, p, b, no_data[b]);
    }
  planes_upload (planes);
}

static void
check_valid_pixels (EskType type,
                    size_t  width,
                    size_t  height,
                    size_t  bands,
                    Shape   shape,
                    guint   mask,
                    guint   k)
{
  g_autoptr (Planes) planes = planes_new (type, width, height, bands, shape, k % 5 == 0 ? FILL_OFFSET : FILL_NOISE,
                                          MASK_NONE, k);
  size_t row = (size_t) planes->host.row_stride, n_mask = (height - 1) * row + width, n_valid = 7, expected = 8;
  g_autofree double *no_data = g_new (double, bands);
  g_autofree guint8 *entry = test_make_mask (planes->n_pixels, mask), *rows = g_malloc (n_mask);
  g_autofree guint8 *got = NULL;
  CardBuffer buffer;

  spoil (planes, no_data, k);
  planes->selection.no_data = k % 4 == 3 ? NULL : no_data;
  memset (rows, POISON, n_mask);
  for (size_t y = 0; y < height; y++)
    for (size_t x = 0; x < width; x++)
      {
        guint8 *mark = &entry[y * width + x];

        /* What counts on entry need not be 1. */
        *mark = *mark ? (guint8) (1 + (x + y) % 255) : 0;
        rows[y * row + x] = *mark;
      }
  if (!card_new (&buffer, n_mask, shape == SHAPE_PADDED ? 5 : 0))
    return;
  card_put (&buffer, rows);

  g_assert_cmpint (conformance.cpu->cube->valid_pixels (conformance.cpu_stream, &planes->host, &planes->selection,
                                                        entry, &expected), ==, ESK_OK);
  conformance_expect ("valid_pixels",
                      conformance.table->cube->valid_pixels (conformance.stream, &planes->card, &planes->selection,
                                                             buffer.data, &n_valid), ESK_OK);
  EXPECT (n_valid == expected, "%zu pixels count, not %zu", n_valid, expected);
  for (size_t y = 0; y < height; y++)
    memcpy (rows + y * row, entry + y * width, width);
  got = card_get (&buffer);
  for (size_t q = 0; q < n_mask; q++)
    if (got[q] != rows[q])
      {
        conformance_fail ("row %zu, column %zu is %02x, not %02x", q / row, q % row, got[q], rows[q]);
        break;
      }
  card_free (&buffer);
}

static void
test_valid_pixels (void)
{
  const size_t sizes[][3] = { { 1, 1, 1 }, { 31, 33, 7 }, { 257, 29, 64 }, { 3, 5, 2000 }, { 9001, 1, 3 } };

  for (guint type = 0; type < ESK_N_TYPES; type++)
    for (size_t s = 0; s < G_N_ELEMENTS (sizes) - (conformance.quick ? 3 : 0); s++)
      for (guint k = 0; k < N_MASKS; k++)
        {
          Shape shape = (type + k) % N_SHAPES;

          if (conformance.fake && shape == SHAPE_PADDED)
            continue;
          conformance_case ("%s %zux%zux%zu shape %d mask %u", esk_type_name (type), sizes[s][0], sizes[s][1],
                            sizes[s][2], shape, k);
          check_valid_pixels (type, sizes[s][0], sizes[s][1], sizes[s][2], shape, k, k + type + (guint) s);
        }
}

static void
check_ranges (Planes *planes,
              double  start)
{
  size_t n = planes->host.bands;
  double *got[2], *expected[2];

  for (int k = 0; k < 2; k++)
    {
      got[k] = test_guarded_new (n * sizeof (double));
      expected[k] = test_guarded_new (n * sizeof (double));
      for (size_t b = 0; b < n; b++)
        got[k][b] = expected[k][b] = k == 0 ? start : -start;
    }
  g_assert_cmpint (conformance.cpu->cube->band_ranges (conformance.cpu_stream, &planes->host, &planes->selection,
                                                       planes->valid, expected[0], expected[1]), ==, ESK_OK);
  conformance_expect ("band_ranges",
                      conformance.table->cube->band_ranges (conformance.stream, &planes->card, &planes->selection,
                                                            planes->card_valid, got[0], got[1]), ESK_OK);
  for (size_t b = 0; b < n; b++)
    if (got[0][b] != expected[0][b] || got[1][b] != expected[1][b])
      {
        conformance_fail ("band %zu is %g to %g, not %g to %g", b, got[0][b], got[1][b], expected[0][b],
                          expected[1][b]);
        break;
      }
  for (int k = 0; k < 2; k++)
    {
      test_guarded_free (got[k]);
      test_guarded_free (expected[k]);
    }
}

static void
check_sums (Planes *planes)
{
  size_t n = planes->host.bands;
  EskType type = planes->host.type;
  gboolean exact = planes->minimum != NULL || (!test_type_is_float (type) && esk_type_size (type) < 8);
  double *got = test_guarded_new (n * sizeof (double));
  g_autofree double *expected = g_new (double, n);
  int64_t got_count = 1000, count = 1000;

  for (size_t b = 0; b < n; b++)
    got[b] = expected[b] = 3.0;
  g_assert_cmpint (conformance.cpu->cube->band_sums (conformance.cpu_stream, &planes->host, &planes->selection,
                                                     planes->valid, expected, &count), ==, ESK_OK);
  conformance_expect ("band_sums",
                      conformance.table->cube->band_sums (conformance.stream, &planes->card, &planes->selection,
                                                          planes->card_valid, got, &got_count), ESK_OK);
  EXPECT (got_count == count, "%" G_GINT64_FORMAT " pixels, not %" G_GINT64_FORMAT, (gint64) got_count,
          (gint64) count);
  for (size_t b = 0; b < n; b++)
    {
      double magnitude = 3.0;

      for (size_t p = 0; !exact && p < planes->n_pixels; p++)
        if (planes->valid == NULL || planes->valid[p])
          magnitude += fabs (planes_value (planes, p, b));
      if (exact ? got[b] != expected[b] : !(fabs (got[b] - expected[b]) <= 1e-13 * magnitude))
        {
          conformance_fail ("band %zu is %.17g, not %.17g", b, got[b], expected[b]);
          break;
        }
    }
  test_guarded_free (got);
}

static guint
mask_of (guint k)
{
  const guint masks[] = { MASK_NONE, 1, 2, 0, 3, 4 };

  return masks[k % G_N_ELEMENTS (masks)];
}

static void
test_ranges_and_sums (void)
{
  for (guint type = 0; type < ESK_N_TYPES; type++)
    for (guint shape = 0; shape < N_SHAPES; shape++)
      for (guint m = 0; m < 6; m++)
        {
          size_t width = m % 2 ? 61 : 40013, height = m % 2 ? 43 : 1;
          g_autoptr (Planes) planes = NULL;

          if (conformance.quick)
            width = 37, height = m + 1;
          conformance_case ("%s %zux%zux5 shape %u mask %u", esk_type_name (type), width, height, shape, mask_of (m));
          planes = planes_new (type, width, height, 5, shape, FILL_NOISE, mask_of (m), m + type);
          check_sums (planes);
          check_ranges (planes, INFINITY);
          check_ranges (planes, 20.0);
          planes_quantise (planes, m);
          check_sums (planes);
        }
}

static void
test_ranges_and_sums_sizes (void)
{
  size_t n;
  const ConformanceSize *sizes = conformance_sizes (&n);

  for (size_t s = 0; s < n; s++)
    {
      EskType type = s * 7 % ESK_N_TYPES;
      g_autoptr (Planes) planes = NULL;

      conformance_case ("%s %zux%zux%zu", esk_type_name (type), sizes[s].width, sizes[s].height, sizes[s].bands);
      if (sizes[s].width * sizes[s].height * sizes[s].bands > 3000000 && s % 2)
        continue;
      planes = planes_new (type, sizes[s].width, sizes[s].height, sizes[s].bands, s % N_SHAPES, FILL_SPECTRA,
                           mask_of ((guint) s), s);
      check_ranges (planes, INFINITY);
      check_sums (planes);
      planes_quantise (planes, s);
      check_sums (planes);
    }
}

/* Infinite and missing samples that count all the same. */
static void
test_ranges_odd (void)
{
  const EskType types[] = { ESK_F32, ESK_F64 };

  for (guint t = 0; t < 2; t++)
    for (guint kind = 0; kind < 5; kind++)
      {
        const double odd[] = { NAN, INFINITY, -INFINITY };
        g_autoptr (Planes) planes = NULL;

        conformance_case ("%s, odd samples %u", esk_type_name (types[t]), kind);
        planes = planes_new (types[t], 100, 3, 4, SHAPE_ALIGNED, FILL_NOISE, MASK_NONE, kind);
        for (size_t p = 0; p < planes->n_pixels; p++)
          if (kind < 3)
            planes_set (planes, p, 1, odd[kind]);
          else if (p % 5 == 0)
            planes_set (planes, p, p % 4, odd[p / 5 % (kind == 3 ? 1 : 3)]);
        planes_upload (planes);
        check_ranges (planes, INFINITY);
        check_ranges (planes, 1e300);
      }
}

/* Totals beyond 32 bits, and of 64-bit samples that no float64 tells apart. */
static void
test_sums_extremes (void)
{
  for (guint type = 0; type < ESK_N_TYPES; type++)
    for (guint high = 0; high < 2; high++)
      {
        g_autoptr (Planes) planes = NULL;

        conformance_case ("%s all %s", esk_type_name (type), high ? "highest" : "lowest");
        planes = planes_new (type, conformance.quick ? 100 : 70001, 1, 3, SHAPE_ALIGNED,
                             high ? FILL_HIGHEST : FILL_LOWEST, high ? MASK_NONE : 1, type);
        check_sums (planes);
        check_ranges (planes, INFINITY);
      }
}

static void
test_bands_bad (void)
{
  const EskHotspots *table = conformance.table;
  g_autoptr (Planes) planes = planes_new (ESK_I16, 20, 10, 3, SHAPE_ALIGNED, FILL_NOISE, MASK_NONE, 1);
  double a[3] = { 0 }, b[3] = { 0 };
  int64_t count = 0;
  EskTile tile = planes->card;

  if (conformance.fake)
    return;
  conformance_case ("planes that cannot be right");
  tile.column_stride = 2;
  conformance_expect ("columns apart", table->cube->band_ranges (conformance.stream, &tile, &planes->selection, NULL, a,
                                                                 b),
                      ESK_ERROR_ARGUMENT);
  tile = planes->card;
  tile.row_stride = 19;
  conformance_expect ("rows that overlap", table->cube->band_sums (conformance.stream, &tile, &planes->selection, NULL,
                                                                   a, &count), ESK_ERROR_ARGUMENT);
  tile = planes->card;
  tile.data = NULL;
  conformance_expect ("no planes", table->cube->band_sums (conformance.stream, &tile, &planes->selection, NULL, a,
                                                           &count),
                      ESK_ERROR_ARGUMENT);
  conformance_expect ("no result", table->cube->band_sums (conformance.stream, &planes->card, &planes->selection, NULL,
                                                           NULL, &count), ESK_ERROR_ARGUMENT);
  planes->selection.n_bands = 2;
  conformance_expect ("another number of bands", table->cube->band_sums (conformance.stream, &planes->card,
                                                                         &planes->selection, NULL, a, &count),
                      ESK_ERROR_ARGUMENT);
  EXPECT (count == 0 && a[0] == 0.0, "something has been added all the same");
}

void
conformance_add_bands (void)
{
  conformance_add ("bands/bad", test_bands_bad);
  conformance_add ("bands/valid-pixels", test_valid_pixels);
  conformance_add ("bands/ranges-and-sums", test_ranges_and_sums);
  conformance_add ("bands/odd", test_ranges_odd);
  conformance_add ("bands/extremes", test_sums_extremes);
  conformance_add ("bands/sizes", test_ranges_and_sums_sizes);
}
