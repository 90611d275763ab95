/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* What a pass with margins lacks where neighbouring rows lie on different GPUs: those rows, on the CPU. */

#include "es-pass-private.h"

#include <glib/gi18n-lib.h>
#include <string.h>

guint
es_seams_find (EsCube *cube, const EskMargin *margin, guint n, const guint64 *top, const guint64 *rows,
               const gboolean *is_here, guint64 *begin, guint64 *end)
{
  const guint64 height = es_cube_get_height (cube);
  guint64 next = margin->top;      /* the first row of residuals not accounted for */
  guint found = 0;

  if (height <= margin->top + margin->bottom)
    return 0;
  const guint64 last = height - margin->bottom;

  for (guint i = 0; i <= n; i++)
    {
      /* What member i has: nothing where its rows do not even hold the neighbours of one. */
      guint64 from = last, to = last;

      if (i < n)
        {
          from = is_here[i] ? top[i] + margin->top : MAX (top[i], margin->top);
          to = top[i] + rows[i];
          to = !is_here[i] ? MIN (to, last) : to > margin->bottom ? to - margin->bottom : 0;
          if (rows[i] == 0 || to <= from)
            continue;
        }
      if (from > next)
        {
          begin[found] = next;
          end[found++] = from;
        }
      next = MAX (next, to);
    }
  return found;
}

static gboolean
seam_tile (EsPassRun *run, EsCubeReader *reader, EsLaneContext *context, const EsTiling *tiling, gpointer lane,
           const EsCubeWindow *window, guint8 *valid, GError **error)
{
  const EsCubeWindow all = es_tiling_with_margin (tiling, run->cube, window, &context->margin);
  EskTile tile;
  gsize n_valid;

  if (es_job_is_cancelled (run->job, error) || !es_cube_reader_read (reader, &all, &tile, error))
    return FALSE;
  memset (valid, 1, tile.width * tile.height);
  if (!es_cube_reader_mask (reader, &all, run->selection->bands, run->selection->n_bands, valid, error))
    return FALSE;
  return es_device_check (context->device, context->stream,
                          context->hotspots->cube->valid_pixels (context->stream, &tile, run->selection, valid,
                                                                 &n_valid),
                          _("the valid pixels"), error)
         && run->pass->tile (lane, context, window, &tile, valid, run->data, error)
         && (run->pass->merge == NULL || run->pass->merge (lane, context, window, run->data, error));
}

gboolean
es_seams_run (EsPassRun *run, guint n, const guint64 *begin, const guint64 *end, guint lane_index, GError **error)
{
  EsDevice *cpu = es_device_get_cpu ();
  EsLaneContext context = { .device = cpu, .hotspots = es_device_get_hotspots (cpu), .index = lane_index,
                            .seam = TRUE };
  const guint64 width = es_cube_get_width (run->cube);
  const EskMargin *margin = &run->tiling->margin;
  EsTiling tiling = { .tile_width = width, .columns = 1, .rows = 1, .tiles = n, .lanes = 1, .margin = *margin,
                      .scratch = run->tiling->scratch };
  g_autoptr (EsCubeReader) reader = es_cube_reader_new (run->cube, error);
  gpointer lane = NULL;
  gboolean done;

  if (reader == NULL)
    return FALSE;
  for (guint i = 0; i < n; i++)
    tiling.tile_height = MAX (tiling.tile_height, end[i] - begin[i]);
  tiling.strip_height = tiling.tile_height;
  const guint64 pixels = width * (tiling.tile_height + margin->top + margin->bottom);
  tiling.tile_bytes = pixels * es_cube_get_bands (run->cube) * esk_type_size (es_cube_get_type_code (run->cube));

  g_autofree guint8 *valid = g_try_malloc (pixels);
  context.stream = context.hotspots->stream->stream_new (es_device_get_index (cpu));
  es_job_watch_stream (run->job, context.hotspots, context.stream);
  done = (valid != NULL && context.stream != NULL) || es_compute_error_no_memory (_("a tile"), error);
  if (done && run->pass->lane_new != NULL)
    {
      lane = run->pass->lane_new (&context, &tiling, run->data, error);
      done = lane != NULL;
    }
  for (guint i = 0; done && i < n; i++)
    {
      const EsCubeWindow window = { 0, begin[i], width, end[i] - begin[i] };
      done = seam_tile (run, reader, &context, &tiling, lane, &window, valid, error);
    }
  done = done && (run->pass->flush == NULL || run->pass->flush (lane, &context, run->data, error))
         && (run->pass->lane_done == NULL || run->pass->lane_done (lane, &context, run->data, error));
  if (lane != NULL && run->pass->lane_free != NULL)
    run->pass->lane_free (lane);
  if (context.stream != NULL)
    context.hotspots->stream->stream_free (context.stream);
  return done;
}
