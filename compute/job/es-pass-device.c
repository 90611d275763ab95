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
 * Exact sums are taken of every tile as it arrives. What is merged in the order of the tiles depends on how the cube is
 * cut: there the rows are all brought first, so that the first pass and later ones give the same bytes.
 *
 * Tiles with a margin are read with their neighbours. Where the rows stay they are all brought first, and each card has
 * one tile, that lacks its neighbours on other cards: the CPU does the rows along those seams.
 */

#include "es-pass-private.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "device/es-device-internal.h"
#include "base/es-error.h"
#include "cube/es-resident-internal.h"

#define MOST_ATTEMPTS 3

/* One GPU's share of the pass. */
typedef struct
{
  EsDevice   *device;
  guint64     top, rows;
  EsResident *resident;          /* where the rows are, or are brought to; NULL: they pass by */
  gboolean    here;              /* they are there */
  /* of the present round */
  EsTiling    tiling;
  guint64     tiles, next;
  guint       lanes;
} Member;

typedef struct
{
  EsPassRun  run;
  guint      n_members;
  Member    *members;
  gboolean   load_only;          /* this round only brings the cube to the cards */
} DeviceRun;

typedef struct
{
  DeviceRun *owner;
  Member    *member;
  guint      index;
} LaneStart;

/* Lanes that read for one card: from so many on they overlap enough for one buffer each to do. Page-locked memory takes
 * long to make. */
#define ONE_BUFFER_LANES 5

/* What a lane owns. */
typedef struct
{
  DeviceRun     *owner;
  Member        *member;
  EsLaneContext  context;
  gpointer       lane;           /* the pass's */
  EsCubeReader  *reader;
  gsize          staging_bytes;
  guint          n_staging;      /* 1 or 2 */
  void          *staging[2];
  gboolean       locked[2];      /* page-locked, of the pool; else ordinary memory */
  EsBuffer      *buffer;         /* a tile, and its mask behind it */
  gboolean       pending;        /* something has been asked of the stream since the last wait */
} Lane;

/* ---- tiles ---- */

/* The next tile of the lane's card. *turn: its place in the order of merging, in which the cards alternate. */
static gboolean
take_tile (Lane *lane, guint64 *index, guint64 *turn)
{
  DeviceRun *owner = lane->owner;
  gboolean more;

  g_mutex_lock (&owner->run.lock);
  more = !owner->run.stop && lane->member->next < lane->member->tiles;
  if (more)
    {
      *index = lane->member->next++;
      *turn = 0;
      for (guint i = 0; i < owner->n_members; i++)
        {
          Member *other = &owner->members[i];
          *turn += MIN (other->tiles, *index) + (other < lane->member && other->tiles > *index);
        }
    }
  g_mutex_unlock (&owner->run.lock);
  return more;
}

static gboolean
check (Lane *lane, int code, const char *what, GError **error)
{
  return es_device_check (lane->context.device, lane->context.stream, code, what, error);
}

static gboolean
wait_for_card (Lane *lane, GError **error)
{
  if (!lane->pending)
    return TRUE;
  lane->pending = FALSE;
  return check (lane, lane->context.hotspots->device->wait (lane->context.stream), _("a tile"), error);
}

/* Samples that a source has in ordinary memory, packed into the staging memory in their own order of axes; the link is
 * three times as fast from there. Orders in which no axis is contiguous are left to the card. */
static void
pack (EskTile *tile, void *staging)
{
  const gsize size = esk_type_size (tile->type);
  const guint8 *from = tile->data;
  guint8 *to = staging;

  if (tile->column_stride == 1 || tile->width == 1)
    {
      for (gsize b = 0; b < tile->bands; b++)
        for (gsize y = 0; y < tile->height; y++, to += tile->width * size)
          memcpy (to, from + ((ptrdiff_t) b * tile->band_stride + (ptrdiff_t) y * tile->row_stride) * (ptrdiff_t) size,
                  tile->width * size);
      tile->column_stride = 1;
      tile->row_stride = (ptrdiff_t) tile->width;
      tile->band_stride = (ptrdiff_t) (tile->width * tile->height);
    }
  else if (tile->band_stride == 1 && tile->column_stride == (ptrdiff_t) tile->bands)
    {
      for (gsize y = 0; y < tile->height; y++)
        memcpy (to + y * tile->width * tile->bands * size, from + (ptrdiff_t) y * tile->row_stride * (ptrdiff_t) size,
                tile->width * tile->bands * size);
      tile->row_stride = (ptrdiff_t) (tile->width * tile->bands);
    }
  else
    return;
  tile->data = staging;
}

static gboolean
read_tile (Lane *lane, guint slot, const EsCubeWindow *window, EskTile *tile, GError **error)
{
  void *staging = lane->staging[slot];

  if (!es_cube_reader_read_into (lane->reader, window, staging, tile, error))
    return FALSE;
  const guint8 *data = tile->data;
  if (lane->locked[slot] && !es_cube_get_source (lane->owner->run.cube)->page_locked
      && (data < (guint8 *) staging || data >= (guint8 *) staging + lane->staging_bytes))
    pack (tile, staging);
  return TRUE;
}

/* Where the tile goes on the card. */
static EskTile
place_of (Lane *lane, const EsCubeWindow *window, guint8 **valid)
{
  const EskSelection *selection = lane->owner->run.selection;
  const EskType type = es_cube_get_type_code (lane->owner->run.cube);
  const gsize plane = window->width * ((window->height + 15) / 16 * 16);
  guint8 *data;

  if (lane->member->resident != NULL)
    return es_resident_window (lane->member->resident, window, valid);

  data = es_buffer_get_data (lane->buffer);
  *valid = es_selection_has_valid (type, selection) ? data + plane * selection->n_bands * esk_type_size (type) : NULL;
  return (EskTile) { .data = data, .type = type, .width = window->width, .height = window->height,
                     .bands = selection->n_bands, .column_stride = 1, .row_stride = (ptrdiff_t) window->width,
                     .band_stride = (ptrdiff_t) plane };
}

static gboolean
process_tiles (Lane *lane, GError **error)
{
  EsPassRun *run = &lane->owner->run;
  Member *member = lane->member;
  const guint64 width = es_cube_get_width (run->cube);
  guint64 index, turn;
  guint slot = 0;

  for (; take_tile (lane, &index, &turn); slot = (slot + 1) % lane->n_staging)
    {
      const EsCubeWindow window = es_tiling_window (&member->tiling, width, member->top, member->rows, index);
      EsCubeWindow all = window;
      EskTile planes, tile;
      guint8 *valid;
      gint64 read_us = 0;

      if (es_job_is_cancelled (run->job, error))
        return FALSE;
      if (lane->n_staging == 1 && !wait_for_card (lane, error))
        return FALSE;
      if (!member->here)
        {
          gint64 start = g_get_monotonic_time ();
          if (member->resident == NULL)
            all = es_tiling_with_margin (&member->tiling, run->cube, &window, &lane->context.margin);
          if (!read_tile (lane, slot, &all, &tile, error))
            return FALSE;
          read_us = g_get_monotonic_time () - start;
        }
      /* Until now the card has worked on the tile before. */
      if (!wait_for_card (lane, error))
        return FALSE;

      planes = place_of (lane, &all, &valid);
      lane->pending = TRUE;
      if (!member->here
          && !check (lane, lane->context.hotspots->device->load (lane->context.stream, &tile, run->selection, &planes,
                                                                 valid),
                     _("loading a tile"), error))
        return FALSE;
      if (!lane->owner->load_only)
        {
          if (!run->pass->tile (lane->lane, &lane->context, &window, &planes, valid, run->data, error))
            return FALSE;
          if (run->pass->merge != NULL
              && (!wait_for_card (lane, error)
                  || !es_pass_run_merge (run, lane->lane, &lane->context, turn, &window, error)))
            return *error == NULL;
        }
      es_pass_run_advance (run, read_us);
    }
  return wait_for_card (lane, error);
}

/* ---- lanes ---- */

static gboolean
take_staging (Lane *lane, GError **error)
{
  for (guint i = 0; i < lane->n_staging; i++)
    {
      lane->staging[i] = es_staging_take (lane->context.device, lane->staging_bytes);
      lane->locked[i] = lane->staging[i] != NULL;
      /* Slower, but it serves. */
      if (lane->staging[i] == NULL && (lane->staging[i] = g_try_malloc (lane->staging_bytes)) == NULL)
        {
          g_autofree char *size = g_format_size (lane->staging_bytes);
          g_set_error (error, ES_COMPUTE_ERROR, ES_COMPUTE_ERROR_MEMORY, _("There is no memory for a tile of %s"),
                       size);
          return FALSE;
        }
    }
  return TRUE;
}

static gboolean
prepare (Lane *lane, GError **error)
{
  EsPassRun *run = &lane->owner->run;
  const EsTiling *tiling = &lane->member->tiling;
  const EskType type = es_cube_get_type_code (run->cube);

  lane->n_staging = lane->member->lanes < ONE_BUFFER_LANES ? 2 : 1;
  lane->context.stream = es_device_take_stream (lane->context.device);
  if (!check (lane, lane->context.stream != NULL ? ESK_OK : ESK_ERROR_MEMORY, _("a stream"), error))
    return FALSE;
  if (!lane->member->here)
    {
      lane->reader = es_cube_reader_new (run->cube, error);
      if (lane->reader == NULL)
        return FALSE;
      lane->staging_bytes = tiling->tile_bytes;
      if (!es_cube_get_source (run->cube)->page_locked && !take_staging (lane, error))
        return FALSE;
    }
  if (lane->member->resident == NULL)
    {
      const EskMargin *margin = &tiling->margin;
      const gsize height = tiling->tile_height + margin->top + margin->bottom;
      const gsize plane = (tiling->tile_width + margin->left + margin->right) * ((height + 15) / 16 * 16);
      lane->buffer = es_buffer_new (lane->context.device,
                                    plane * (run->selection->n_bands * esk_type_size (type) + 1), error);
      if (lane->buffer == NULL)
        return FALSE;
    }
  if (run->pass->lane_new != NULL && !lane->owner->load_only)
    {
      lane->lane = run->pass->lane_new (&lane->context, tiling, run->data, error);
      if (lane->lane == NULL)
        return FALSE;
    }
  return TRUE;
}

static gpointer
lane_main (gpointer data)
{
  const LaneStart *start = data;
  EsPassRun *run = &start->owner->run;
  Lane lane = { .owner = start->owner, .member = start->member };
  g_autoptr (GError) error = NULL;

  lane.context = (EsLaneContext) { .device = start->member->device, .index = start->index,
                                   .hotspots = es_device_get_hotspots (start->member->device) };
  if (prepare (&lane, &error) && process_tiles (&lane, &error) && !start->owner->load_only)
    es_pass_run_lane_done (run, lane.lane, &lane.context, &error);
  if (error != NULL)
    es_pass_run_fail (run, g_steal_pointer (&error));

  /* Nothing is freed that the card may still work on. */
  if (lane.pending)
    lane.context.hotspots->device->wait (lane.context.stream);
  if (lane.lane != NULL && run->pass->lane_free != NULL)
    run->pass->lane_free (lane.lane);
  g_clear_pointer (&lane.buffer, es_buffer_unref);
  es_device_give_stream (lane.context.device, lane.context.stream);
  for (guint i = 0; i < 2; i++)
    if (lane.locked[i])
      es_staging_give (lane.context.device, lane.staging[i], lane.staging_bytes);
    else
      g_free (lane.staging[i]);
  g_clear_pointer (&lane.reader, es_cube_reader_free);
  return NULL;
}

/* ---- rounds: all tiles of all members once ---- */

static guint64
plan_round (Member *member, EsCube *cube, const EsTiling *tiling, guint n_members)
{
  member->tiling = *tiling;
  member->lanes = MAX (tiling->lanes / n_members, 1);
  if (member->here)
    {
      member->tiling = es_tiling_of_resident (tiling, cube, MAX (member->rows, 1));
      if (tiling->scratch == 0)
        member->lanes = 1;
    }
  member->tiles = es_tiling_count (&member->tiling, member->rows);
  member->next = 0;
  member->lanes = MIN (member->lanes, member->tiles);
  return member->tiles;
}

static gboolean
run_round (DeviceRun *owner, const EsTiling *tiling, guint64 tiles_before, guint64 tiles_after, GError **error)
{
  g_autoptr (GPtrArray) threads = g_ptr_array_new ();
  g_autoptr (GArray) lanes = g_array_new (FALSE, FALSE, sizeof (LaneStart));
  EsPassRun *run = &owner->run;

  run->total = tiles_before + tiles_after;
  run->done = tiles_before;
  run->merged = 0;
  for (guint i = 0; i < owner->n_members; i++)
    run->total += plan_round (&owner->members[i], run->cube, tiling, owner->n_members);
  for (guint k = 0, more = 1; more > 0; k++)
    {
      more = 0;
      for (guint i = 0; i < owner->n_members; i++)
        if (k < owner->members[i].lanes)
          {
            LaneStart lane = { owner, &owner->members[i], lanes->len };
            g_array_append_val (lanes, lane);
            more++;
          }
    }

  for (guint i = 1; i < lanes->len; i++)
    {
      LaneStart *lane = &g_array_index (lanes, LaneStart, i);
      GThread *thread = g_thread_try_new ("es-lane", lane_main, lane, NULL);

      if (thread != NULL)
        g_ptr_array_add (threads, thread);
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
    lane_main (&g_array_index (lanes, LaneStart, 0));
  for (guint i = 0; i < threads->len; i++)
    g_thread_join (g_ptr_array_index (threads, i));

  if (run->error == NULL)
    {
      es_job_add_stage_ms (run->job, "input", _("Input"), run->read_us * 1e-3 / (threads->len + 1));
      run->read_us = 0;
      return TRUE;
    }
  g_propagate_error (error, g_steal_pointer (&run->error));
  return FALSE;
}

/* ---- where the rows are ---- */

static void
find_residents (DeviceRun *owner, const EsLimits *limits)
{
  EsPassRun *run = &owner->run;
  const gboolean has_valid = es_selection_has_valid (es_cube_get_type_code (run->cube), run->selection);

  for (guint i = 0; i < owner->n_members; i++)
    {
      Member *member = &owner->members[i];

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
make_residents (DeviceRun *owner)
{
  EsPassRun *run = &owner->run;
  gboolean all = TRUE;

  for (guint i = 0; i < owner->n_members && all; i++)
    {
      Member *member = &owner->members[i];
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
publish_residents (DeviceRun *owner)
{
  for (guint i = 0; i < owner->n_members; i++)
    {
      Member *member = &owner->members[i];
      if (member->resident != NULL && !member->here)
        {
          es_resident_publish (member->resident, owner->run.cube, owner->run.selection);
          member->here = TRUE;
        }
    }
}

/* What lies between the cards, once each has done its own. */
static gboolean
run_seams (DeviceRun *owner, const EsTiling *tiling, GError **error)
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
run_once (DeviceRun *owner, const EsTiling *tiling, GError **error)
{
  const gboolean has_margin = es_tiling_has_margin (tiling);
  gboolean all_here = TRUE, stays;
  guint64 before = 0;

  find_residents (owner, es_job_get_limits (owner->run.job));
  for (guint i = 0; i < owner->n_members; i++)
    all_here = all_here && (owner->members[i].here || owner->members[i].rows == 0);

  stays = all_here || (tiling->resident && make_residents (owner));
  if (stays && !all_here && (owner->run.pass->merge != NULL || has_margin))
    {
      guint64 after = 0;

      for (guint i = 0; i < owner->n_members; i++)
        {
          const guint64 rows = owner->members[i].rows;
          const EsTiling whole = es_tiling_of_resident (tiling, owner->run.cube, MAX (rows, 1));
          after += es_tiling_count (&whole, rows);
        }
      owner->load_only = TRUE;
      if (!run_round (owner, tiling, 0, after, error))
        return FALSE;
      before = owner->run.done;
      owner->load_only = FALSE;
      publish_residents (owner);
    }
  if (!run_round (owner, tiling, before, 0, error))
    return FALSE;
  publish_residents (owner);
  return !has_margin || run_seams (owner, tiling, error);
}

gboolean
es_pass_run_on_devices (EsJob *job, EsCube *cube, const EsTiling *tiling, const EskSelection *selection,
                        const EsPass *pass, gpointer data, GError **error)
{
  EsDevice *device = es_job_get_device (job);
  const guint n = es_device_get_n_members (device);
  g_autofree Member *members = g_new (Member, n);
  EsTiling smaller = *tiling;
  gboolean done;

  g_return_val_if_fail (selection != NULL && selection->n_bands > 0, FALSE);

  for (guint attempt = 1;; attempt++)
    {
      DeviceRun owner = { .n_members = n, .members = members };
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
