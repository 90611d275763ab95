/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>

#include "es-error.h"
#include "es-job-private.h"

/* Tiles of this many bytes as stored: large enough that a read is long (tens of kilobytes a band), small enough that
 * a tile is still in the last-level cache when it is converted. With very many bands sums of bands x bands are merged
 * after every tile, and only enough pixels make that cheap. */
#define TILE_BYTES (4 << 20)
#define MANY_BANDS_PIXELS 2048
#define MANY_BANDS_TILE_BYTES (32 << 20)
#define SMALLEST_TILE_BYTES (64 << 10)

/* Tiles of whole blocks of the file, at least one, however large that is. */
static void
fit_blocks (EsTiling *tiling, EsCube *cube, guint64 pixels)
{
  const guint64 width = es_cube_get_width (cube), height = es_cube_get_height (cube);
  guint64 block_width, block_height;

  es_cube_get_block (cube, &block_width, &block_height);
  block_width = CLAMP (block_width, 1, width);
  block_height = CLAMP (block_height, 1, height);

  if (pixels / width >= block_height)
    {
      tiling->tile_width = width;
      tiling->tile_height = MIN (pixels / width / block_height * block_height, height);
    }
  else
    {
      tiling->tile_height = block_height;
      tiling->tile_width = MAX (pixels / block_height / block_width, 1) * block_width;
      tiling->tile_width = MIN (tiling->tile_width, width);
    }
  tiling->strip_height = tiling->tile_height;
}

EsTiling
es_tiling_plan (EsCube *cube, EsDevice *device, const EsLimits *limits, gsize scratch_bytes_a_pixel, gsize fixed_bytes)
{
  const guint64 width = es_cube_get_width (cube), height = es_cube_get_height (cube);
  const gsize pixel_bytes = es_cube_get_bands (cube) * esk_type_size (es_cube_get_type_code (cube));
  const double a_pixel = (double) pixel_bytes + scratch_bytes_a_pixel;
  const guint64 best = CLAMP (MANY_BANDS_PIXELS * pixel_bytes, TILE_BYTES, MANY_BANDS_TILE_BYTES);
  guint64 budget = best;
  double memory = es_device_get_memory (es_device_get_cpu ()) / 4.0, a_lane;
  EsTiling tiling = { 0 };

  tiling.lanes = es_device_get_lanes (device);
  if (limits != NULL && limits->threads > 0)
    tiling.lanes = MIN (tiling.lanes, limits->threads);

  /* Within --memory the tile shrinks first (down to where reads become short), then the number of lanes. The tile's
   * size never depends on the number of lanes, so that float64 totals do not either. */
  if (limits != NULL && limits->memory > 0)
    {
      memory = limits->memory;
      budget = CLAMP (memory / 16 * pixel_bytes / a_pixel, SMALLEST_TILE_BYTES, best);
    }

  const guint64 pixels = MAX (budget / pixel_bytes, 1);
  fit_blocks (&tiling, cube, pixels);
  a_lane = tiling.tile_width * (double) tiling.tile_height * a_pixel + fixed_bytes;

  /* Blocks so large that not even one fits are cut. One lane then walks through one block after the other: each lane
   * has a handle of its own, and several of them would each unpack the same block. */
  if (a_lane > memory / 2 && tiling.tile_width * tiling.tile_height > pixels)
    {
      tiling.tile_width = MIN (tiling.tile_width, pixels);
      tiling.tile_height = MAX (pixels / tiling.tile_width, 1);
      a_lane = tiling.tile_width * (double) tiling.tile_height * a_pixel + fixed_bytes;
      tiling.lanes = 1;
    }
  tiling.lanes = CLAMP (memory * 0.75 / a_lane, 1, tiling.lanes);

  tiling.columns = (width + tiling.tile_width - 1) / tiling.tile_width;
  tiling.rows = (tiling.strip_height + tiling.tile_height - 1) / tiling.tile_height;
  const guint64 last_height = height % tiling.strip_height;
  tiling.tiles = tiling.columns * (height / tiling.strip_height * tiling.rows
                                   + (last_height + tiling.tile_height - 1) / tiling.tile_height);
  tiling.lanes = MIN (tiling.lanes, tiling.tiles);
  tiling.tile_bytes = tiling.tile_width * tiling.tile_height * pixel_bytes;
  return tiling;
}

/* What the lanes of one pass share. */
typedef struct
{
  EsJob          *job;
  EsCube         *cube;
  const EsTiling *tiling;
  const EsPass   *pass;
  gpointer        data;

  GMutex          lock;
  GCond           turn;
  guint64         next, merged, done;
  gboolean        stop;
  GError         *error;
  gint64          read_us;
} PassRun;

static void
fail (PassRun *run, GError *error)
{
  g_mutex_lock (&run->lock);
  if (run->error == NULL)
    run->error = error;
  else
    g_error_free (error);
  run->stop = TRUE;
  g_cond_broadcast (&run->turn);
  g_mutex_unlock (&run->lock);
}

static gboolean
take_tile (PassRun *run, guint64 *index)
{
  g_mutex_lock (&run->lock);
  gboolean more = !run->stop && run->next < run->tiling->tiles;
  if (more)
    *index = run->next++;
  g_mutex_unlock (&run->lock);
  return more;
}

/* Strip by strip, in it column by column, and from top to bottom last: a block that is cut stays at hand. */
static EsWindow
tile_window (PassRun *run, guint64 index)
{
  const EsTiling *tiling = run->tiling;
  const guint64 strip = index / (tiling->columns * tiling->rows), rest = index % (tiling->columns * tiling->rows);
  const guint64 top = strip * tiling->strip_height;
  const guint64 height = MIN (tiling->strip_height, es_cube_get_height (run->cube) - top);
  const guint64 rows = (height + tiling->tile_height - 1) / tiling->tile_height;
  const guint64 y = rest % rows * tiling->tile_height;
  EsWindow window;

  window.x = rest / rows * tiling->tile_width;
  window.y = top + y;
  window.width = MIN (tiling->tile_width, es_cube_get_width (run->cube) - window.x);
  window.height = MIN (tiling->tile_height, height - y);
  return window;
}

/* Waits for the turn of tile `index` and merges it. FALSE without error: another lane stopped the pass. */
static gboolean
merge_in_turn (PassRun *run, gpointer lane, guint64 index, const EsWindow *window, GError **error)
{
  gboolean merged = FALSE;

  g_mutex_lock (&run->lock);
  while (!run->stop && run->merged != index)
    g_cond_wait (&run->turn, &run->lock);
  if (!run->stop)
    {
      merged = run->pass->merge (lane, window, run->data, error);
      run->merged++;
      g_cond_broadcast (&run->turn);
    }
  g_mutex_unlock (&run->lock);
  return merged;
}

static gboolean
process_tiles (PassRun *run, EsCubeReader *reader, EskStream *stream, gpointer lane, GError **error)
{
  guint64 index;

  while (take_tile (run, &index))
    {
      EsWindow window = tile_window (run, index);
      EskTile tile;

      if (es_job_is_cancelled (run->job, error))
        return FALSE;

      gint64 start = g_get_monotonic_time ();
      if (!es_cube_reader_read (reader, &window, &tile, error))
        return FALSE;
      gint64 read_us = g_get_monotonic_time () - start;

      if (!run->pass->tile (lane, stream, &window, &tile, run->data, error))
        return FALSE;
      if (run->pass->merge != NULL && !merge_in_turn (run, lane, index, &window, error))
        return *error == NULL;

      g_mutex_lock (&run->lock);
      run->read_us += read_us;
      double fraction = (double) ++run->done / run->tiling->tiles;
      es_job_set_fraction (run->job, fraction);
      g_mutex_unlock (&run->lock);
    }
  return TRUE;
}

static gpointer
lane_main (gpointer data)
{
  PassRun *run = data;
  EsDevice *device = es_job_get_device (run->job);
  const EskHotspots *hotspots = es_device_get_hotspots (device);
  g_autoptr (GError) error = NULL;
  g_autoptr (EsCubeReader) reader = es_cube_reader_new (run->cube, &error);
  EskStream *stream = NULL;
  gpointer lane = NULL;
  gboolean ready = reader != NULL;

  if (ready)
    {
      stream = hotspots->stream_new (es_device_get_index (device));
      ready = es_device_check (device, NULL, stream != NULL ? ESK_OK : ESK_ERROR_MEMORY, _("a stream"), &error);
    }
  if (ready && run->pass->lane_new != NULL)
    {
      lane = run->pass->lane_new (stream, run->tiling, run->data, &error);
      ready = lane != NULL;
    }
  if (ready && process_tiles (run, reader, stream, lane, &error) && run->pass->lane_done != NULL)
    {
      g_mutex_lock (&run->lock);
      if (!run->stop)
        run->pass->lane_done (lane, run->data, &error);
      g_mutex_unlock (&run->lock);
    }

  if (error != NULL)
    fail (run, g_steal_pointer (&error));
  if (lane != NULL && run->pass->lane_free != NULL)
    run->pass->lane_free (lane);
  if (stream != NULL)
    hotspots->stream_free (stream);
  return NULL;
}

gboolean
es_pass_run (EsJob *job, EsCube *cube, const EsTiling *tiling, const EsPass *pass, gpointer data, GError **error)
{
  PassRun run = { .job = job, .cube = cube, .tiling = tiling, .pass = pass, .data = data };
  g_autoptr (GPtrArray) threads = g_ptr_array_new ();

  g_mutex_init (&run.lock);
  g_cond_init (&run.turn);

  /* The worker is a lane itself. */
  for (guint i = 1; i < tiling->lanes; i++)
    {
      GThread *thread = g_thread_try_new ("es-lane", lane_main, &run, NULL);
      if (thread != NULL)
        g_ptr_array_add (threads, thread);
    }
  lane_main (&run);
  for (guint i = 0; i < threads->len; i++)
    g_thread_join (g_ptr_array_index (threads, i));

  g_mutex_clear (&run.lock);
  g_cond_clear (&run.turn);
  es_job_add_stage_ms (job, "input", _("Input"), run.read_us * 1e-3 / (threads->len + 1));
  if (run.error != NULL)
    {
      g_propagate_error (error, run.error);
      return FALSE;
    }
  return TRUE;
}
