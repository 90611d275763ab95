/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* Pictures of planes that are larger than the picture. */

#include <math.h>

#include "signal/es-area-means-internal.h"
#include "layer/es-image-stack.h"
#include "layer/es-layer-internal.h"

typedef struct
{
  guint64 width, height, rows_read;
  float  *values;
} Plane;

static gboolean
read_rows (gpointer data, guint64 y, guint64 n, float *out, GError **error)
{
  Plane *plane = data;

  g_assert_cmpuint (y + n, <=, plane->height);
  memcpy (out, plane->values + y * plane->width, n * plane->width * sizeof (float));
  plane->rows_read += n;
  return TRUE;
}

/* Columns that alternate, a ramp down, and missing pixels here and there. */
static Plane
make_plane (guint64 width, guint64 height)
{
  Plane plane = { width, height, 0, g_new (float, width * height) };

  for (guint64 y = 0; y < height; y++)
    for (guint64 x = 0; x < width; x++)
      plane.values[y * width + x] = (x * 7 + y * 13) % 11 == 0 || (x < 5 && y < 5) ? NAN : (x % 2 ? 100. : -100.) + y;
  return plane;
}

static void
assert_means (Plane *plane, guint step, const float *means)
{
  guint64 columns = (plane->width - 1) / step + 1;

  for (guint64 top = 0; top < plane->height; top += step)
    for (guint64 left = 0; left < plane->width; left += step)
      {
        float mean = means[top / step * columns + left / step];
        double sum = 0;
        guint n = 0;

        for (guint64 y = top; y < MIN (top + step, plane->height); y++)
          for (guint64 x = left; x < MIN (left + step, plane->width); x++)
            if (!isnan (plane->values[y * plane->width + x]))
              {
                sum += plane->values[y * plane->width + x];
                n++;
              }
        if (n == 0)
          g_assert_true (isnan (mean));
        else
          g_assert_cmpfloat_with_epsilon (mean, (float) (sum / n), 1e-4 * MAX (1, fabs (sum / n)));
      }
}

static void
test_means (void)
{
  static const guint64 sizes[][2] = { { 1, 1 }, { 17, 1 }, { 1, 17 }, { 40, 33 }, { 101, 64 } };
  static const guint steps[] = { 1, 2, 3, 5, 8, 64, 200 };

  for (guint i = 0; i < G_N_ELEMENTS (sizes); i++)
    for (guint k = 0; k < G_N_ELEMENTS (steps); k++)
      {
        Plane plane = make_plane (sizes[i][0], sizes[i][1]);
        g_autofree float *means = g_new (float, plane.width * plane.height);
        g_autoptr (GError) error = NULL;

        g_assert_true (es_area_means (plane.width, plane.height, steps[k], 0, read_rows, &plane, means, NULL, &error));
        g_assert_no_error (error);
        assert_means (&plane, steps[k], means);
        g_assert_cmpuint (plane.rows_read, ==, plane.height);
        g_free (plane.values);
      }
}

/* Rows that are dear: fewer of them, spread over the cell, and none twice. */
static void
test_dear_rows (void)
{
  Plane plane = make_plane (100, 1000);
  g_autofree float *means = g_new (float, 100);
  g_autoptr (GError) error = NULL;

  g_assert_true (es_area_means (100, 1000, 100, G_MAXUINT32, read_rows, &plane, means, NULL, &error));
  g_assert_cmpuint (plane.rows_read, ==, 10);
  /* The middle row of the cell, all of its columns: the stripes are gone. */
  for (guint i = 0; i < 10; i++)
    g_assert_cmpfloat_with_epsilon (means[i], 100 * i + 50, 25);
  g_free (plane.values);
}

static void
test_cancelled (void)
{
  Plane plane = make_plane (10, 10);
  g_autofree float *means = g_new (float, 100);
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autoptr (GError) error = NULL;

  g_cancellable_cancel (cancellable);
  g_assert_false (es_area_means (10, 10, 2, 0, read_rows, &plane, means, cancellable, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  g_free (plane.values);
}

static void
test_stack (void)
{
  Plane plane = make_plane (40, 33);
  g_autoptr (GError) error = NULL;
  g_autoptr (EsImageStack) stack = es_image_stack_new ("s", "S", 40, 33, 2, G_MAXUINT64, NULL, &error);
  g_autofree float *both = g_new (float, 2 * 40 * 33);
  float means[40 * 33];

  for (guint i = 0; i < 40 * 33; i++)
    {
      both[i] = 0;
      both[40 * 33 + i] = plane.values[i];
    }
  g_assert_true (es_image_stack_write (stack, 0, 0, 40, 33, both, 40 * 33, &error));
  for (guint step = 1; step < 9; step++)
    {
      g_assert_true (es_image_stack_read_means (stack, 1, step, means, NULL, &error));
      assert_means (&plane, step, means);
    }
  g_free (plane.values);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/area-means/means", test_means);
  g_test_add_func ("/area-means/dear-rows", test_dear_rows);
  g_test_add_func ("/area-means/cancelled", test_cancelled);
  g_test_add_func ("/area-means/stack", test_stack);
  return g_test_run ();
}
