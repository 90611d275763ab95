/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Planes for pictures: statistics, halves, every n-th sample. The references are render/'s formulas. */

#include "test-conformance.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static float *
make_plane (size_t n,
            guint  kind,
            guint  seed)
{
  float *plane = g_new (float, n);
  guint64 state = seed * 2 + 1;

  for (size_t k = 0; k < n; k++)
    {
      double x = random_unit (&state);

      switch (kind)
        {
        case 0: plane[k] = (float) (x * 100.0 - 50.0); break;
        case 1: plane[k] = (float) exp (60.0 * (x - 0.5)) * (k % 2 ? 1.0f : -1.0f); break;
        case 2: plane[k] = floorf ((float) (x * 5.0)); break;          /* many equal ones */
        case 3: plane[k] = k % 11 ? (float) x : k % 3 ? NAN : k % 2 ? INFINITY : -INFINITY; break;
        case 4: plane[k] = 7.25f; break;
        case 5: plane[k] = NAN; break;
        case 6: plane[k] = k % 2 ? -0.0f : 0.0f; break;
        default: plane[k] = (k % 3 ? -3.4e38f : 3.4e38f); break;
        }
    }

  return plane;
}
#define N_PLANE_KINDS 8

static int
compare_floats (const void *a,
                const void *b)
{
  float x = *(const float *) a, y = *(const float *) b;

  return (x > y) - (x < y);
}

static void
reference_statistics (const float        *plane,
                      size_t              n,
                      size_t              step,
                      EskPlaneStatistics *out)
{
  g_autofree float *sorted = g_new (float, n / step + 1);
  size_t count = 0;
  long double sum = 0.0, squares = 0.0;
  double span;

  memset (out, 0, sizeof *out);
  for (size_t i = 0; i < n; i += step)
    if (isfinite (plane[i]))
      {
        sorted[count++] = plane[i];
        sum += plane[i];
      }
  if (count == 0)
    return;
  qsort (sorted, count, sizeof *sorted, compare_floats);
  out->n_valid = count;
  out->minimum = sorted[0];
  out->maximum = sorted[count - 1];
  out->mean = (double) (sum / (long double) count);
  span = out->maximum - out->minimum;
  for (size_t i = 0; i < count; i++)
    {
      double value = sorted[i], bin = span > 0 ? (value - out->minimum) / span * 256 : 0;

      out->histogram[(unsigned) CLAMP (bin, 0, 255)]++;
      squares += ((long double) value - out->mean) * ((long double) value - out->mean);
    }
  out->deviation = count > 1 ? (double) sqrtl (squares / (long double) (count - 1)) : 0;
  for (unsigned q = 0; q <= 1000; q++)
    {
      double place = q / 1000.0 * (double) (count - 1);
      size_t below = (size_t) place, above = MIN (below + 1, count - 1);
      double a = sorted[below], b = sorted[above];

      out->quantiles[q] = a + (b - a) * (place - (double) below);
    }
}

static void
check_statistics (size_t n,
                  guint  kind,
                  size_t step)
{
  g_autofree float *plane = make_plane (n, kind, kind);
  EskPlaneStatistics got, expected;
  double tolerance;
  CardBuffer buffer;

  conformance_case ("%zu samples of kind %u, every %zu", n, kind, step);
  if (!card_new (&buffer, n * sizeof (float), step % 4 * 4))
    return;
  card_put (&buffer, plane);
  memset (&got, POISON, sizeof got);
  conformance_expect ("plane_statistics",
                      conformance.table->picture->plane_statistics (conformance.stream, (float *) (void *) buffer.data,
                                                                    n, step, &got), ESK_OK);
  reference_statistics (plane, n, step, &expected);
  EXPECT (got.n_valid == expected.n_valid, "%" G_GUINT64_FORMAT " samples, not %" G_GUINT64_FORMAT,
          (guint64) got.n_valid, (guint64) expected.n_valid);
  EXPECT (got.minimum == expected.minimum && got.maximum == expected.maximum, "%g to %g, not %g to %g", got.minimum,
          got.maximum, expected.minimum, expected.maximum);
  tolerance = 1e-10 * fmax (fabs (expected.minimum), fabs (expected.maximum));
  EXPECT (fabs (got.mean - expected.mean) <= tolerance, "mean %.17g, not %.17g", got.mean, expected.mean);
  EXPECT (fabs (got.deviation - expected.deviation) <= tolerance, "deviation %.17g, not %.17g", got.deviation,
          expected.deviation);
  EXPECT (memcmp (got.histogram, expected.histogram, sizeof got.histogram) == 0, "another histogram");
  for (unsigned q = 0; q <= 1000; q++)
    if (got.quantiles[q] != expected.quantiles[q])
      {
        conformance_fail ("quantile %u is %.17g, not %.17g", q, got.quantiles[q], expected.quantiles[q]);
        break;
      }
  card_free (&buffer);
}

static void
test_statistics (void)
{
  const size_t sizes[] = { 1, 2, 3, 31, 1000, 33153, 262144, 1200007 };
  const size_t steps[] = { 1, 2, 7 };

  for (size_t s = 0; s < G_N_ELEMENTS (sizes) - (conformance.quick ? 3 : 0); s++)
    for (guint kind = 0; kind < N_PLANE_KINDS; kind++)
      for (size_t t = 0; t < G_N_ELEMENTS (steps); t++)
        {
          if (conformance.quick && (s + kind + t) % 8 != 0)
            continue;
          check_statistics (sizes[s], kind, steps[t]);
        }
}

/* NAN is NAN, whatever its bits. */
static gboolean
same_floats (const float *a,
             const float *b,
             size_t       n,
             size_t      *where)
{
  for (*where = 0; *where < n; ++*where)
    if (memcmp (a + *where, b + *where, sizeof *a) != 0 && !(isnan (a[*where]) && isnan (b[*where])))
      return FALSE;

  return TRUE;
}

static void
test_halve (void)
{
  const size_t sizes[][2] = { { 1, 1 }, { 1, 17 }, { 2, 1 }, { 31, 33 }, { 257, 129 }, { 1024, 37 }, { 60000, 1 },
                              { 64, 64 }, { 8, 6 }, { 300, 2 } };

  for (size_t s = 0; s < G_N_ELEMENTS (sizes); s++)
    for (guint kind = 0; kind < N_PLANE_KINDS; kind++)
      for (guint misaligned = 0; misaligned < 8; misaligned += 4)
        {
          size_t width = sizes[s][0], height = sizes[s][1], w = (width + 1) / 2, h = (height + 1) / 2, where;
          g_autofree float *plane = make_plane (width * height, kind, kind + 5), *expected = g_new (float, w * h);
          g_autofree float *got = NULL;
          CardBuffer from, to;

          conformance_case ("half of %zux%zu of kind %u", width, height, kind);
          for (size_t y = 0; y < h; y++)
            for (size_t x = 0; x < w; x++)
              {
                size_t right = MIN (2 * x + 1, width - 1), below = MIN (2 * y + 1, height - 1);
                float four[4] = { plane[2 * y * width + 2 * x], plane[2 * y * width + right],
                                  plane[below * width + 2 * x], plane[below * width + right] };
                float all = (four[0] + four[1]) + (four[2] + four[3]), sum = 0;
                int n = 0;

                for (int i = 0; i < 4; i++)
                  if (!isnan (four[i]))
                    {
                      sum += four[i];
                      n++;
                    }
                expected[y * w + x] = !isnan (all) ? all * 0.25f : n > 0 ? sum / (float) n : NAN;
              }
          if (!card_new (&from, width * height * sizeof (float), misaligned)
              || !card_new (&to, w * h * sizeof (float), misaligned))
            return;
          card_put (&from, plane);
          conformance_expect ("plane_halve",
                              conformance.table->picture->plane_halve (conformance.stream, (float *) (void *) from.data,
                                                                       width,
                                                                       height, (float *) (void *) to.data), ESK_OK);
          got = card_get (&to);
          EXPECT (same_floats (got, expected, w * h, &where), "sample %zu is %.9g, not %.9g", where,
                  (double) got[where], (double) expected[where]);
          card_free (&from);
          card_free (&to);
        }
}

static void
test_decimate (void)
{
  const size_t sizes[][2] = { { 1, 1 }, { 1, 17 }, { 31, 33 }, { 257, 129 }, { 1024, 37 }, { 6000, 1 } };
  const size_t steps[] = { 1, 2, 3, 16, 5000 };

  for (size_t s = 0; s < G_N_ELEMENTS (sizes); s++)
    for (size_t t = 0; t < G_N_ELEMENTS (steps); t++)
      {
        size_t width = sizes[s][0], height = sizes[s][1], stride = width + 9 * (t % 2), step = steps[t], where, k = 0;
        size_t n = ((width + step - 1) / step) * ((height + step - 1) / step);
        g_autofree float *plane = make_plane (stride * height, 3, 1), *expected = g_new (float, n), *got = NULL;
        CardBuffer from, to;

        conformance_case ("every %zu of %zux%zu of a plane that is %zu wide", step, width, height, stride);
        for (size_t y = 0; y < height; y += step)
          for (size_t x = 0; x < width; x += step)
            expected[k++] = plane[y * stride + x];
        g_assert_cmpuint (k, ==, n);
        if (!card_new (&from, stride * height * sizeof (float), 4) || !card_new (&to, n * sizeof (float), 0))
          return;
        card_put (&from, plane);
        conformance_expect ("plane_decimate",
                            conformance.table->picture->plane_decimate (conformance.stream,
                                                                        (float *) (void *) from.data, stride,
                                                                        width, height, step,
                                                                        (float *) (void *) to.data),
                            ESK_OK);
        got = card_get (&to);
        EXPECT (same_floats (got, expected, n, &where), "sample %zu is %.9g, not %.9g", where, (double) got[where],
                (double) expected[where]);
        card_free (&from);
        card_free (&to);
      }
}

void
conformance_add_picture (void)
{
  if (ESK_HAS (conformance.table, picture, plane_statistics))
    conformance_add ("picture/statistics", test_statistics);
  if (ESK_HAS (conformance.table, picture, plane_halve))
    conformance_add ("picture/halve", test_halve);
  if (ESK_HAS (conformance.table, picture, plane_decimate))
    conformance_add ("picture/decimate", test_decimate);
}
