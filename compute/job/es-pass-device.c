/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/*
 * A pass on one GPU or several.
 *
 * Every GPU works on rows of its own (es_cube_get_share ()), by lanes: threads with a stream each. A lane reads its
 * next tile into one of two page-locked buffers while the card works on the one before; other lanes fill what gaps
 * remain. Where the cube fits on the cards, tiles are brought to where they stay, and passes after that find them
 * there.
 *
 * Exact sums are taken of every tile as it arrives, where samples have to be unpacked. Those that are only read are
 * all brought first: the link wants more lanes and smaller tiles than sums do. So are they where what is merged in the
 * order of the tiles depends on how the cube is cut: the first pass and later ones give the same bytes.
 *
 * Tiles with a margin are read with their neighbours. Where the rows stay they are all brought first, and each card has
 * one tile, that lacks its neighbours on other cards: the CPU does the rows along those seams.
 */

#include "es-pass-device-private.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "device/es-device-internal.h"
#include "base/es-error.h"
#include "resident/es-resident-internal.h"
#include "ranks/es-ranks.h"

#define MOST_ATTEMPTS 3

/* ---- rounds: all tiles of all members once ---- */

/* What the round did: what was read went over the link, while the card computed. */
static void
tell_work (EsPassRun *run, const EsTiling *tiling, gboolean computes)
{
  const gboolean joined = run->read_bytes > 0;
  const EsStageWork input = { .file_bytes = run->read_bytes, .joined = joined };
  const EsStageWork here = { .link_bytes = run->read_bytes, .joined = joined, .pageable = tiling->upload.pageable,
                             .launches = computes ? (double) run->total : 0 };

  es_job_add_work (run->job, "input", &input);
  es_job_add_work (run->job, NULL, &here);
  run->read_bytes = 0;
}

static guint64
plan_round (EsPassDeviceRun *owner, EsPassMember *member, const EsTiling *tiling)
{
  EsCube *cube = owner->run.cube;
  const guint n_members = owner->n_members;

  member->tiling = *tiling;
  member->lanes = MAX (tiling->lanes / n_members, 1);
  member->next = 0;
  if (owner->by_bands)
    {
      if (member->here)
        member->tiles = 0;
      else
        es_pass_cut_bands (member, cube, owner->run.selection, tiling->upload.piece_bytes);
      member->lanes = MIN (member->lanes, member->tiles);
      return member->tiles;
    }
  if (member->here)
    {
      member->tiling = es_tiling_of_resident (tiling, cube, MAX (member->rows, 1));
      if (tiling->scratch == 0)
        member->lanes = 1;
    }
  member->tiles = es_tiling_count (&member->tiling, member->rows);
  member->lanes = MIN (member->lanes, member->tiles);
  return member->tiles;
}

static gboolean
run_round (EsPassDeviceRun *owner, const EsTiling *tiling, guint64 tiles_before, guint64 tiles_after, GError **error)
{
  g_autoptr (GPtrArray) threads = g_ptr_array_new ();
  g_autoptr (GArray) lanes = g_array_new (FALSE, FALSE, sizeof (EsPassLaneStart));
  const GThreadFunc work = owner->by_bands ? es_pass_device_band_lane : es_pass_device_lane;
  EsPassRun *run = &owner->run;
  gsize piece_bytes = 0;
  guint readers = 0;

  run->total = tiles_before + tiles_after;
  run->done = tiles_before;
  run->merged = 0;
  for (guint i = 0; i < owner->n_members; i++)
    {
      EsPassMember *member = &owner->members[i];

      run->total += plan_round (owner, member, tiling);
      if (!member->here && member->tiles > 0)
        piece_bytes = MAX (piece_bytes, owner->by_bands ? member->piece_bytes : tiling->tile_bytes);
    }
  for (guint k = 0, more = 1; more > 0; k++)
    {
      more = 0;
      for (guint i = 0; i < owner->n_members; i++)
        if (k < owner->members[i].lanes)
          {
            EsPassLaneStart lane = { owner, &owner->members[i], lanes->len };
            g_array_append_val (lanes, lane);
            more++;
          }
    }

  for (guint i = 1; i < lanes->len; i++)
    {
      EsPassLaneStart *lane = &g_array_index (lanes, EsPassLaneStart, i);
      GThread *thread = g_thread_try_new ("es-lane", work, lane, NULL);

      if (thread != NULL)
        {
          g_ptr_array_add (threads, thread);
          readers += !lane->member->here;
        }
      else if (i < owner->n_members)
        {
          /* A card without any lane would leave its rows out. */
          es_pass_run_fail (run, g_error_new (ES_COMPUTE_ERROR, ES_COMPUTE_ERROR_MEMORY,
                                              _("No thread could be started for %s."),
                                              es_device_get_name (lane->member->device)));
          break;
        }
    }
  if (lanes->len > 0)
    {
      EsPassLaneStart *lane = &g_array_index (lanes, EsPassLaneStart, 0);

      readers += !lane->member->here;
      work (lane);
    }
  for (guint i = 0; i < threads->len; i++)
    g_thread_join (g_ptr_array_index (threads, i));

  if (run->error == NULL)
    {
      if (readers > 0 && tiling->staging > 0)
        {
          EsUploadChoice upload = tiling->upload;

          upload.threads = readers;
          upload.piece_bytes = piece_bytes;
          upload.pieces = tiling->staging;
          es_job_tell_upload (run->job, &upload);
        }
      es_job_add_stage_ms (run->job, "input", _("Input"), run->read_us * 1e-3 / (threads->len + 1));
      run->read_us = 0;
      tell_work (run, tiling, !owner->load_only);
      return TRUE;
    }
  g_propagate_error (error, g_steal_pointer (&run->error));
  return FALSE;
}

/* ---- where the rows are ---- */

static void
find_residents (EsPassDeviceRun *owner, const EsLimits *limits)
{
  EsPassRun *run = &owner->run;
  const gboolean has_valid = es_selection_has_valid (run->cube, run->selection);

  for (guint i = 0; i < owner->n_members; i++)
    {
      EsPassMember *member = &owner->members[i];

      /* Who allows less than it takes wants to see it pass by. */
      if (limits->device_memory > 0
          && es_resident_bytes (run->cube, member->rows, run->selection->n_bands, has_valid) > limits->device_memory)
        continue;
      member->resident = es_resident_lookup (run->cube, member->device, run->selection, member->top, member->rows);
      member->here = member->resident != NULL;
    }
}

/* FALSE: some of it is not there, nor is there room for it. Then every card lets its rows pass by that are not
 * there. */
static gboolean
make_residents (EsPassDeviceRun *owner)
{
  EsPassRun *run = &owner->run;
  gboolean all = TRUE;

  for (guint i = 0; i < owner->n_members && all; i++)
    {
      EsPassMember *member = &owner->members[i];
      if (member->resident == NULL && member->rows > 0)
        member->resident = es_resident_new (run->cube, member->device, run->selection, member->top, member->rows, NULL);
      all = member->resident != NULL || member->rows == 0;
    }
  for (guint i = 0; i < owner->n_members && !all; i++)
    if (!owner->members[i].here)
      g_clear_pointer (&owner->members[i].resident, es_resident_unref);
  return all;
}

static void
publish_residents (EsPassDeviceRun *owner)
{
  for (guint i = 0; i < owner->n_members; i++)
    {
      EsPassMember *member = &owner->members[i];
      if (member->resident != NULL && !member->here)
        {
          es_resident_publish (member->resident, owner->run.cube, owner->run.selection);
          member->here = TRUE;
        }
    }
}

/* What lies between the cards, once each has done its own. */
static gboolean
run_seams (EsPassDeviceRun *owner, const EsTiling *tiling, GError **error)
{
  const guint n = owner->n_members;
  g_autofree guint64 *tops = g_new (guint64, n), *rows = g_new (guint64, n);
  g_autofree guint64 *begin = g_new (guint64, n + 1), *end = g_new (guint64, n + 1);
  g_autofree gboolean *is_here = g_new (gboolean, n);
  EsPassRun *run = &owner->run;

  for (guint i = 0; i < n; i++)
    {
      tops[i] = owner->members[i].top;
      rows[i] = owner->members[i].rows;
      is_here[i] = owner->members[i].here;
    }
  const guint n_seams = es_seams_find (run->cube, &tiling->margin, n, tops, rows, is_here, begin, end);
  return n_seams == 0 || es_seams_run (run, n_seams, begin, end, tiling->lanes + n, error);
}

static gboolean
run_once (EsPassDeviceRun *owner, const EsTiling *tiling, GError **error)
{
  const gboolean has_margin = es_tiling_has_margin (tiling);
  /* Of several processes nobody knows which neighbouring rows are on a card of another: all are read with theirs. */
  const gboolean passes_by = has_margin && es_ranks_get_size () > 1;
  gboolean all_here = TRUE, stays;
  guint64 before = 0;

  if (!passes_by)
    find_residents (owner, es_job_get_limits (owner->run.job));
  for (guint i = 0; i < owner->n_members; i++)
    all_here = all_here && (owner->members[i].here || owner->members[i].rows == 0);

  stays = !passes_by && (all_here || (tiling->resident && make_residents (owner)));
  if (stays && !all_here && (owner->run.pass->merge != NULL || has_margin || tiling->load_first))
    {
      guint64 after = 0;

      for (guint i = 0; i < owner->n_members; i++)
        {
          const guint64 rows = owner->members[i].rows;
          const EsTiling whole = es_tiling_of_resident (tiling, owner->run.cube, MAX (rows, 1));
          after += es_tiling_count (&whole, rows);
        }
      owner->load_only = TRUE;
      owner->by_bands = es_pass_suits_bands (owner->run.cube);
      if (!run_round (owner, tiling, 0, after, error))
        return FALSE;
      for (guint i = 0; owner->by_bands && i < owner->n_members; i++)
        if (!es_pass_mark_bands (&owner->members[i], owner->run.selection, error))
          return FALSE;
      before = owner->run.done;
      owner->load_only = owner->by_bands = FALSE;
      publish_residents (owner);
    }
  if (!run_round (owner, tiling, before, 0, error))
    return FALSE;
  publish_residents (owner);
  return !has_margin || passes_by || run_seams (owner, tiling, error);
}

gboolean
es_pass_run_on_devices (EsJob *job, EsCube *cube, const EsTiling *tiling, const EskSelection *selection,
                        const EsPass *pass, gpointer data, GError **error)
{
  EsDevice *device = es_job_get_device (job);
  const guint n = es_device_get_n_members (device);
  g_autofree EsPassMember *members = g_new (EsPassMember, n);
  EsTiling smaller = *tiling;
  gboolean done;

  g_return_val_if_fail (selection != NULL && selection->n_bands > 0, FALSE);

  for (guint attempt = 1;; attempt++)
    {
      EsPassDeviceRun owner = { .n_members = n, .members = members };
      g_autoptr (GError) local_error = NULL;

      memset (members, 0, n * sizeof *members);
      for (guint i = 0; i < n; i++)
        {
          members[i].device = es_device_get_member (device, i);
          es_cube_get_share (cube, n, i, &members[i].top, &members[i].rows);
        }
      es_pass_run_init (&owner.run, job, cube, &smaller, selection, pass, data);
      done = run_once (&owner, &smaller, &local_error);
      for (guint i = 0; i < n; i++)
        g_clear_pointer (&members[i].resident, es_resident_unref);
      es_pass_run_finish (&owner.run, 1, NULL);

      if (done)
        return TRUE;
      /* Another program may have taken what there was, or the scratch memory is more than was counted on. */
      const gboolean memory = g_error_matches (local_error, ES_COMPUTE_ERROR, ES_COMPUTE_ERROR_MEMORY);
      if (memory)
        for (guint i = 0; i < n; i++)
          {
            es_device_trim_streams (members[i].device);
            es_buffer_caches_clear (members[i].device);
            es_buffers_trim (members[i].device);
          }
      if (!memory || pass->restart == NULL || attempt == MOST_ATTEMPTS)
        {
          g_propagate_error (error, g_steal_pointer (&local_error));
          return FALSE;
        }
      pass->restart (data);
      es_tiling_shrink (&smaller, cube);
    }
}
