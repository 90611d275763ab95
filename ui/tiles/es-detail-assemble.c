/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-detail-assemble-private.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "es-tile-cache.h"
#include "pyramid/es-level-read.h"

EsDetailWork *
_es_detail_work_new (const EsDetailWindow *window, guint n_planes)
{
  EsDetailWork *self = g_new0 (EsDetailWork, 1);

  self->window = *window;
  self->n_planes = n_planes;
  self->tiles = g_new0 (EsDetailTile, (gsize) n_planes * window->across * window->down);
  return self;
}

void
_es_detail_work_free (gpointer data)
{
  EsDetailWork *self = data;

  for (gsize i = 0; i < (gsize) self->n_planes * self->window.across * self->window.down; i++)
    g_clear_pointer (&self->tiles[i].samples, g_bytes_unref);
  for (guint i = 0; i < 3; i++)
    {
      g_clear_pointer (&self->whole[i], es_plane_unref);
      g_clear_pointer (&self->parts[i], es_plane_unref);
    }
  g_free (self->tiles);
  g_free (self);
}

void
_es_detail_tile_size (guint64 level_width, guint64 level_height, guint x, guint y, guint *width, guint *height)
{
  *width = (guint) MIN (ES_TILE_SIDE, level_width - (guint64) x * ES_TILE_SIDE);
  *height = (guint) MIN (ES_TILE_SIDE, level_height - (guint64) y * ES_TILE_SIDE);
}

static void
copy_tile (const float *samples, guint width, guint height, float *out, gsize stride)
{
  for (guint row = 0; row < height; row++)
    memcpy (out + row * stride, samples + (gsize) row * width, width * sizeof *out);
}

/* Each sample of a coarser level as often as it has samples of this one. */
static void
copy_coarser (const EsDetailWork *self, const EsDetailTile *tile, guint x, guint y, guint width, guint height,
              float *out, gsize stride)
{
  const EsDetailWindow *window = &self->window;
  const guint up = tile->level - window->level;
  const guint parent_x = x >> up, parent_y = y >> up;
  const guint from_x = ((x * ES_TILE_SIDE) >> up) - parent_x * ES_TILE_SIDE;
  const guint from_y = ((y * ES_TILE_SIDE) >> up) - parent_y * ES_TILE_SIDE;
  const float *samples = g_bytes_get_data (tile->samples, NULL);
  guint parent_width, parent_height;

  _es_detail_tile_size (es_level_length (window->level_width, up), es_level_length (window->level_height, up), parent_x,
                        parent_y, &parent_width, &parent_height);
  for (guint row = 0; row < height; row++)
    {
      const float *from = samples + (gsize) (from_y + (row >> up)) * parent_width + from_x;

      for (guint column = 0; column < width; column++)
        out[row * stride + column] = from[column >> up];
    }
}

static void
copy_whole (const EsDetailWork *self, guint plane, guint x, guint y, guint width, guint height, float *out,
            gsize stride)
{
  const guint ratio = self->whole_step >> self->window.level;

  for (guint row = 0; row < height; row++)
    for (guint column = 0; column < width; column++)
      out[row * stride + column] = es_plane_get_sample (self->whole[plane], (x * ES_TILE_SIDE + column) / ratio,
                                                        (y * ES_TILE_SIDE + row) / ratio);
}

static EsPlane *
assemble_plane (const EsDetailWork *self, guint plane)
{
  const EsDetailWindow *window = &self->window;
  const guint64 left = (guint64) window->x * ES_TILE_SIDE, top = (guint64) window->y * ES_TILE_SIDE;
  const guint width = (guint) MIN ((guint64) window->across * ES_TILE_SIDE, window->level_width - left);
  const guint height = (guint) MIN ((guint64) window->down * ES_TILE_SIDE, window->level_height - top);
  const gsize bytes = (gsize) width * height * sizeof (float);
  g_autofree float *samples = g_try_malloc (bytes);
  const EsDetailTile *tile = self->tiles + (gsize) plane * window->across * window->down;

  if (samples == NULL)
    return NULL;
  for (guint row = 0; row < window->down; row++)
    for (guint column = 0; column < window->across; column++, tile++)
      {
        float *out = samples + (gsize) row * ES_TILE_SIDE * width + (gsize) column * ES_TILE_SIDE;
        const guint x = window->x + column, y = window->y + row;
        guint tile_width, tile_height;

        _es_detail_tile_size (window->level_width, window->level_height, x, y, &tile_width, &tile_height);
        if (tile->samples == NULL)
          copy_whole (self, plane, x, y, tile_width, tile_height, out, width);
        else if (tile->level == window->level)
          copy_tile (g_bytes_get_data (tile->samples, NULL), tile_width, tile_height, out, width);
        else
          copy_coarser (self, tile, x, y, tile_width, tile_height, out, width);
      }

  g_autoptr (GBytes) made = g_bytes_new_take (g_steal_pointer (&samples), bytes);

  return es_plane_new_part (made, width, height);
}

gpointer
_es_detail_work_assemble (gpointer request, GCancellable *cancellable, GError **error)
{
  const EsDetailWork *wanted = request;
  EsDetailWork *self = _es_detail_work_new (&wanted->window, wanted->n_planes);

  self->epoch = wanted->epoch;
  self->complete = wanted->complete;
  for (guint i = 0; i < wanted->n_planes; i++)
    {
      self->parts[i] = assemble_plane (wanted, i);
      if (self->parts[i] == NULL)
        {
          g_set_error_literal (error, ES_COMPUTE_ERROR, ES_COMPUTE_ERROR_MEMORY,
                               _("There is no memory for the part of the picture that is in view."));
          _es_detail_work_free (self);
          return NULL;
        }
    }
  return self;
}
