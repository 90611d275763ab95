/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* A stack that is a window of an image: what takes part of a cube is computed, and kept, without what does not. */

#include <math.h>
#include <string.h>

#include "base/es-error.h"
#include "device/es-device-internal.h"
#include "es-image-stack-private.h"

void
es_image_stack_set_frame (EsImageStack *self, guint64 frame_width, guint64 frame_height, guint64 left, guint64 top)
{
  g_return_if_fail (self->store == NULL);
  g_return_if_fail (left < frame_width && self->width <= frame_width - left);
  g_return_if_fail (top < frame_height && self->height <= frame_height - top);

  self->frame_width = frame_width;
  self->frame_height = frame_height;
  self->left = left;
  self->top = top;
}

/* Of every step-th of n pixels from `from` on, those in the window from `start` on of `size`: *first of them, *count.
 * */
static void
find_inside (guint64 from, guint64 n, guint step, guint64 start, guint64 size, guint64 *first, guint64 *count)
{
  const guint64 taken = (n - 1) / step + 1;
  guint64 end;

  *first = from >= start ? 0 : (start - from + step - 1) / step;
  end = start + size > from ? (start + size - from + step - 1) / step : 0;
  end = MIN (end, taken);
  *count = end > *first ? end - *first : 0;
}

static void
fill_with_nan (float *out, guint64 n)
{
  for (guint64 i = 0; i < n; i++)
    out[i] = NAN;
}

gboolean
es_image_stack_read_framed (EsImageStack *self, guint plane, guint64 x, guint64 y, guint64 width, guint64 height,
                            guint step, float *out, GError **error)
{
  const guint64 columns = (width - 1) / step + 1, rows = (height - 1) / step + 1;
  guint64 first_column, n_columns, first_row, n_rows;
  g_autofree float *values = NULL;

  find_inside (x, width, step, self->left, self->width, &first_column, &n_columns);
  find_inside (y, height, step, self->top, self->height, &first_row, &n_rows);
  fill_with_nan (out, columns * rows);
  if (n_columns == 0 || n_rows == 0)
    return TRUE;
  values = g_try_new (float, n_columns * n_rows);
  if (values == NULL)
    return es_compute_error_no_memory (es_layer_get_title (ES_LAYER (self)), error);
  if (!es_image_stack_read_samples (self, plane, x + first_column * step - self->left, y + first_row * step - self->top,
                                    (n_columns - 1) * step + 1, (n_rows - 1) * step + 1, step, values, error))
    return FALSE;
  for (guint64 j = 0; j < n_rows; j++)
    memcpy (out + (first_row + j) * columns + first_column, values + j * n_columns, n_columns * sizeof *values);
  return TRUE;
}

gboolean
es_image_stack_read_framed_rows (EsImageStack *self, guint64 y, guint64 height, float *out, GError **error)
{
  const guint64 pixels = self->frame_width * height;
  guint64 first, n;
  g_autofree float *values = NULL;

  find_inside (y, height, 1, self->top, self->height, &first, &n);
  fill_with_nan (out, pixels * self->planes);
  if (n == 0)
    return TRUE;
  values = g_try_new (float, self->width * n * self->planes);
  if (values == NULL)
    return es_compute_error_no_memory (es_layer_get_title (ES_LAYER (self)), error);
  if (!self->compute_rows (self->compute_data, y + first - self->top, n, values, error))
    return FALSE;
  for (guint plane = 0; plane < self->planes; plane++)
    for (guint64 j = 0; j < n; j++)
      memcpy (out + plane * pixels + (first + j) * self->frame_width + self->left,
              values + (plane * n + j) * self->width, self->width * sizeof *values);
  return TRUE;
}
