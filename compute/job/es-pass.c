/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-pass-private.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "base/es-error.h"
#include "ranks/es-ranks.h"

/* ---- what lanes of every kind share ---- */

void
es_pass_run_init (EsPassRun *self, EsJob *job, EsCube *cube, const EsTiling *tiling, const EskSelection *selection,
                  const EsPass *pass, gpointer data)
{
  *self = (EsPassRun) { .job = job, .cube = cube, .tiling = tiling, .selection = selection, .pass = pass,
                        .data = data, .end = tiling->tiles, .total = tiling->tiles, .group = G_MAXUINT };
  g_mutex_init (&self->lock);
  g_cond_init (&self->turn);
}

gboolean
es_pass_run_finish (EsPassRun *self, guint lanes, GError **error)
{
  g_mutex_clear (&self->lock);
  g_cond_clear (&self->turn);
  es_job_add_stage_ms (self->job, "input", _("Input"), self->read_us * 1e-3 / MAX (lanes, 1));
  es_job_add_work (self->job, "input", &(EsStageWork) { .file_bytes = self->read_bytes });
  if (self->error == NULL)
    return TRUE;
  g_propagate_error (error, g_steal_pointer (&self->error));
  return FALSE;
}

void
es_pass_run_fail (EsPassRun *self, GError *error)
{
  g_mutex_lock (&self->lock);
  if (self->error == NULL)
    self->error = error;
  else
    g_error_free (error);
  self->stop = TRUE;
  g_cond_broadcast (&self->turn);
  g_mutex_unlock (&self->lock);
}

/* What was merged of it before, if it has been begun, is gone on from. */
static void
begin_group (EsPassRun *self, guint64 index)
{
  if (self->pass->group_begun == NULL || es_tiling_group (self->tiling, index) == self->group)
    return;
  self->group = es_tiling_group (self->tiling, index);
  self->pass->group_begun (self->data, self->group);
}

gboolean
es_pass_run_merge (EsPassRun *self, gpointer lane, const EsLaneContext *context, guint64 turn, guint64 index,
                   const EsCubeWindow *window, GError **error)
{
  gboolean merged = FALSE;

  g_mutex_lock (&self->lock);
  while (!self->stop && self->merged != turn)
    g_cond_wait (&self->turn, &self->lock);
  if (!self->stop)
    {
      begin_group (self, index);
      merged = self->pass->merge (lane, context, window, self->data, error);
      self->merged++;
      /* Cards share the rows otherwise. */
      if (merged && self->pass->group_done != NULL && es_device_is_cpu (es_job_get_device (self->job))
          && es_tiling_ends_group (self->tiling, index))
        merged = self->pass->group_done (self->data, es_tiling_group (self->tiling, index), error);
      g_cond_broadcast (&self->turn);
    }
  g_mutex_unlock (&self->lock);
  return merged;
}

void
es_pass_run_lane_done (EsPassRun *self, gpointer lane, const EsLaneContext *context, GError **error)
{
  if (self->pass->flush != NULL)
    {
      g_mutex_lock (&self->lock);
      gboolean stop = self->stop;
      g_mutex_unlock (&self->lock);
      if (stop || !self->pass->flush (lane, context, self->data, error))
        return;
    }
  if (self->pass->lane_done == NULL)
    return;
  g_mutex_lock (&self->lock);
  if (!self->stop)
    self->pass->lane_done (lane, context, self->data, error);
  g_mutex_unlock (&self->lock);
}

void
es_pass_run_advance (EsPassRun *self, gint64 read_us, double read_bytes)
{
  g_mutex_lock (&self->lock);
  self->read_us += read_us;
  self->read_bytes += read_bytes;
  es_job_set_fraction (self->job, (double) ++self->done / self->total);
  g_mutex_unlock (&self->lock);
}

double
es_pass_tile_bytes (const EskTile *tile)
{
  return (double) tile->width * tile->height * tile->bands * esk_type_size (tile->type);
}

/* ---- the CPU's lanes ---- */

/* What is done is the first tiles of each group. */
static void
skip_tiles_locked (EsPassRun *run)
{
  while (run->next < run->end)
    {
      const guint group = es_tiling_group (run->tiling, run->next);
      const guint64 first = es_tiling_group_begin (run->tiling, group) + run->skip[group];

      if (run->next >= first)
        return;
      run->next = first;
    }
}

static gboolean
take_tile (EsPassRun *run, guint64 *index, guint64 *turn)
{
  g_mutex_lock (&run->lock);
  if (run->skip != NULL)
    skip_tiles_locked (run);
  gboolean more = !run->stop && !run->paused && run->next < run->end;
  if (more && run->checkpoint != NULL && es_checkpoint_is_due (run->checkpoint))
    {
      run->paused = TRUE;
      more = FALSE;
    }
  if (more)
    {
      *index = run->next++;
      *turn = run->handed++;
    }
  g_mutex_unlock (&run->lock);
  return more;
}

static gboolean
process_tiles (EsPassRun *run, EsCubeReader *reader, EsLaneContext *context, gpointer lane, guint8 *valid,
               GError **error)
{
  const guint64 width = es_cube_get_width (run->cube), height = es_cube_get_height (run->cube);
  guint64 index, turn;

  while (take_tile (run, &index, &turn))
    {
      const EsCubeWindow window = es_tiling_window (run->tiling, width, 0, height, index);
      const EsCubeWindow all = es_tiling_with_margin (run->tiling, run->cube, &window, &context->margin);
      EskTile tile;

      context->group = es_tiling_group (run->tiling, index);
      if (es_job_is_cancelled (run->job, error))
        return FALSE;

      gint64 start = g_get_monotonic_time ();
      if (!es_cube_reader_read (reader, &all, &tile, error))
        return FALSE;
      gint64 read_us = g_get_monotonic_time () - start;

      if (valid != NULL)
        {
          gsize n_valid;
          memset (valid, 1, tile.width * tile.height);
          if (!es_cube_reader_mask (reader, &all, run->selection->bands, run->selection->n_bands, valid, error))
            return FALSE;
          if (!es_device_check (context->device, context->stream,
                                context->hotspots->cube->valid_pixels (context->stream, &tile, run->selection, valid,
                                                                       &n_valid),
                                _("the valid pixels"), error))
            return FALSE;
        }
      if (!run->pass->tile (lane, context, &window, &tile, valid, run->data, error))
        return FALSE;
      if (run->pass->merge != NULL && !es_pass_run_merge (run, lane, context, turn, index, &window, error))
        return *error == NULL;
      es_pass_run_advance (run, read_us, es_pass_tile_bytes (&tile));
    }
  return TRUE;
}

typedef struct
{
  EsPassRun *run;
  guint      index;
} Lane;

static gpointer
lane_main (gpointer data)
{
  EsPassRun *run = ((Lane *) data)->run;
  EsLaneContext context = { .device = es_device_get_cpu (), .index = ((Lane *) data)->index };
  g_autoptr (GError) error = NULL;
  g_autoptr (EsCubeReader) reader = es_cube_reader_new (run->cube, &error);
  g_autofree guint8 *valid = NULL;
  gpointer lane = NULL;
  gboolean ready = reader != NULL;

  context.hotspots = es_device_get_hotspots (context.device);
  if (ready)
    {
      context.stream = context.hotspots->stream->stream_new (es_device_get_index (context.device));
      es_job_watch_stream (run->job, context.hotspots, context.stream);
      ready = context.stream != NULL || es_compute_error_no_memory (_("a stream"), &error);
    }
  if (ready && run->selection != NULL)
    {
      const EskMargin *margin = &run->tiling->margin;
      valid = g_try_malloc ((run->tiling->tile_width + margin->left + margin->right)
                            * (run->tiling->tile_height + margin->top + margin->bottom));
      ready = valid != NULL || es_compute_error_no_memory (_("a tile"), &error);
    }
  if (ready && run->pass->lane_new != NULL)
    {
      lane = run->pass->lane_new (&context, run->tiling, run->data, &error);
      ready = lane != NULL;
    }
  if (ready && process_tiles (run, reader, &context, lane, valid, &error))
    es_pass_run_lane_done (run, lane, &context, &error);

  if (error != NULL)
    es_pass_run_fail (run, g_steal_pointer (&error));
  if (lane != NULL && run->pass->lane_free != NULL)
    run->pass->lane_free (lane);
  if (context.stream != NULL)
    context.hotspots->stream->stream_free (context.stream);
  return NULL;
}

static void
run_lanes (EsPassRun *run)
{
  const guint n_lanes = CLAMP (run->total, 1, run->tiling->lanes);
  g_autoptr (GPtrArray) threads = g_ptr_array_new ();
  g_autofree Lane *lanes = g_new0 (Lane, n_lanes);

  /* The worker is a lane itself. */
  for (guint i = 0; i < n_lanes; i++)
    lanes[i] = (Lane) { run, i };
  for (guint i = 1; i < n_lanes; i++)
    {
      GThread *thread = g_thread_try_new ("es-lane", lane_main, &lanes[i], NULL);
      if (thread != NULL)
        g_ptr_array_add (threads, thread);
    }
  lane_main (&lanes[0]);
  for (guint i = 0; i < threads->len; i++)
    g_thread_join (g_ptr_array_index (threads, i));
  run->n_lanes = threads->len + 1;
}

/* All tiles before the next one are done, and of each group those that were before. */
static void
note_done (EsPassRun *run, guint64 *done)
{
  guint64 first, end;

  es_tiling_share_groups (run->tiling, &first, &end);
  for (guint64 g = first; g < end; g++)
    {
      const guint64 begin = es_tiling_group_begin (run->tiling, g);
      const guint64 size = es_tiling_group_begin (run->tiling, g + 1) - begin;

      done[g] = MAX (done[g], run->next > begin ? MIN (run->next - begin, size) : 0);
    }
}

static guint64
count_done (const EsTiling *tiling, const guint64 *done)
{
  guint64 first, end, n = 0;

  es_tiling_share_groups (tiling, &first, &end);
  for (guint64 g = first; g < end; g++)
    n += done[g];
  return n;
}

gboolean
es_pass_run_some (EsJob *job, EsCube *cube, const EsTiling *tiling, const EskSelection *selection, const EsPass *pass,
                  gpointer data, guint64 *done, gboolean *paused, GError **error)
{
  EsPassRun run;
  gboolean ended;

  es_pass_run_init (&run, job, cube, tiling, selection, pass, data);
  es_tiling_share (tiling, &run.next, &run.end);
  run.total = run.end - run.next;
  if (done != NULL)
    {
      run.skip = done;
      run.checkpoint = es_job_get_checkpoint (job);
      run.done = count_done (tiling, done);
    }
  run_lanes (&run);
  ended = es_pass_run_finish (&run, run.n_lanes, error);
  if (ended && done != NULL)
    {
      /* Without the lock: nobody else is there. */
      skip_tiles_locked (&run);
      note_done (&run, done);
      *paused = run.next < run.end;
    }
  /* What goes on with the sums of others needs all of them. */
  return es_ranks_agree (ended, error);
}

gboolean
es_pass_run (EsJob *job, EsCube *cube, const EsTiling *tiling, const EskSelection *selection, const EsPass *pass,
             gpointer data, GError **error)
{
  if (!es_device_is_cpu (es_job_get_device (job)))
    return es_ranks_agree (es_pass_run_on_devices (job, cube, tiling, selection, pass, data, error), error);
  return es_pass_run_some (job, cube, tiling, selection, pass, data, NULL, NULL, error);
}

gboolean
es_pass_run_on_host (EsJob *job, EsCube *cube, const EsTiling *tiling, const EskSelection *selection,
                     const EsPass *pass, gpointer data, GError **error)
{
  return es_pass_run_some (job, cube, tiling, selection, pass, data, NULL, NULL, error);
}
