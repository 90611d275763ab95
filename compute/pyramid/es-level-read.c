/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-level-read.h"

#include <math.h>

#include "cube/es-cube-internal.h"
#include "es-kept-levels.h"
#include "raster/es-raster-internal.h"
#include "signal/es-area-means-internal.h"

typedef struct
{
  EsCube       *cube;          /* one of the two */
  EsImageStack *stack;
  guint         plane;
  guint64       x, y, width;   /* pixels */
  GCancellable *cancellable;
} Pixels;

guint64
es_level_length (guint64 pixels, guint level)
{
  const guint64 side = (guint64) 1 << level;

  return pixels / side + (pixels % side != 0);
}

static gboolean
read_pixels (gpointer data, guint64 y, guint64 n, float *out, GError **error)
{
  const Pixels *pixels = data;

  return pixels->cube != NULL
         ? es_cube_read_band (pixels->cube, pixels->plane, pixels->x, pixels->y + y, pixels->width, n, 1, out,
                              pixels->cancellable, error)
         : es_image_stack_read (pixels->stack, pixels->plane, pixels->x, pixels->y + y, pixels->width, n, 1, out,
                                error);
}

/* From the pixels, all of them: a window is small whatever the picture. */
static gboolean
read_means (Pixels *pixels, guint64 width, guint64 height, const EsLevelWindow *window, float *out,
            GCancellable *cancellable, GError **error)
{
  const guint64 side = (guint64) 1 << window->level;

  pixels->x = window->x * side;
  pixels->y = window->y * side;
  pixels->width = MIN (window->width * side, width - pixels->x);
  pixels->cancellable = cancellable;

  const guint64 rows = MIN (window->height * side, height - pixels->y);

  if (window->level == 0)
    return !g_cancellable_set_error_if_cancelled (cancellable, error) && read_pixels (pixels, 0, rows, out, error);
  return es_area_means (pixels->width, rows, (guint) side, 0, read_pixels, pixels, out, cancellable, error);
}

static gboolean
lies_inside (const EsLevelWindow *window, guint64 width, guint64 height)
{
  if (window->level > ES_LEVEL_LAST)
    return FALSE;
  width = es_level_length (width, window->level);
  height = es_level_length (height, window->level);
  return window->width > 0 && window->height > 0 && window->x < width && window->width <= width - window->x
         && window->y < height && window->height <= height - window->y;
}

gboolean
es_level_read_cube (EsCube *cube, guint band, const EsLevelWindow *window, float *out, GCancellable *cancellable,
                    GError **error)
{
  Pixels pixels = { .cube = cube, .plane = band };

  g_return_val_if_fail (ES_IS_CUBE (cube) && band < es_cube_get_bands (cube), FALSE);
  g_return_val_if_fail (lies_inside (window, es_cube_get_width (cube), es_cube_get_height (cube)), FALSE);

  if (es_kept_levels_read (cube, band, window, out))
    return TRUE;
  return read_means (&pixels, es_cube_get_width (cube), es_cube_get_height (cube), window, out, cancellable, error);
}

gboolean
es_level_read_stack (EsImageStack *stack, guint plane, const EsLevelWindow *window, float *out,
                     GCancellable *cancellable, GError **error)
{
  Pixels pixels = { .stack = stack, .plane = plane };

  g_return_val_if_fail (ES_IS_IMAGE_STACK (stack) && plane < es_image_stack_get_planes (stack), FALSE);
  g_return_val_if_fail (lies_inside (window, es_image_stack_get_width (stack), es_image_stack_get_height (stack)),
                        FALSE);

  return read_means (&pixels, es_image_stack_get_width (stack), es_image_stack_get_height (stack), window, out,
                     cancellable, error);
}

/* FALSE: it has none, or they cannot be read, which the pixels will tell about. */
static gboolean
read_overviews (EsCube *cube, guint band, guint level, float *out)
{
  const guint64 width = es_level_length (es_cube_get_width (cube), level);
  const guint64 height = es_level_length (es_cube_get_height (cube), level);
  double no_data = NAN;
  EskTile tile = { .width = width, .height = height, .bands = 1, .column_stride = 1, .row_stride = (ptrdiff_t) width };
  g_autofree void *samples = es_raster_source_glance (es_cube_get_source (cube), band, width, height, &tile.type, NULL);

  if (samples == NULL)
    return FALSE;
  tile.data = samples;
  tile.band_stride = (ptrdiff_t) (width * height);
  es_cube_get_no_data (cube, band, &no_data);
  return esk_convert_band (&tile, 0, no_data, es_cube_get_scale (cube, band), es_cube_get_offset (cube, band), out)
         == ESK_OK;
}

gboolean
es_level_glance_cube (EsCube *cube, guint band, guint level, float *out, GCancellable *cancellable, GError **error)
{
  Pixels pixels = { .cube = cube, .plane = band, .cancellable = cancellable };

  g_return_val_if_fail (ES_IS_CUBE (cube) && band < es_cube_get_bands (cube), FALSE);
  g_return_val_if_fail (level > 0 && level <= ES_LEVEL_LAST, FALSE);

  if (read_overviews (cube, band, level, out))
    return TRUE;
  pixels.width = es_cube_get_width (cube);
  /* As if a row cost more than could be afforded. */
  return es_area_means (pixels.width, es_cube_get_height (cube), 1u << level, G_MAXUINT32, read_pixels, &pixels, out,
                        cancellable, error);
}
