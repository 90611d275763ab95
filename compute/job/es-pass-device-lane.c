/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* A lane of a pass on GPUs: a thread with a stream, which reads tiles, brings them to its card and works on them there.
 * How lanes share a pass tells es-pass-device.c. */

#include "es-pass-device-private.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "device/es-device-internal.h"
#include "base/es-error.h"
#include "resident/es-resident-internal.h"

/* What a lane owns. */
typedef struct
{
  EsPassDeviceRun     *owner;
  EsPassMember        *member;
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
  EsPassDeviceRun *owner = lane->owner;
  gboolean more;

  g_mutex_lock (&owner->run.lock);
  more = !owner->run.stop && lane->member->next < lane->member->tiles;
  if (more)
    {
      *index = lane->member->next++;
      *turn = 0;
      for (guint i = 0; i < owner->n_members; i++)
        {
          EsPassMember *other = &owner->members[i];
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

void
es_pass_pack_tile (EskTile *tile, void *staging)
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
    es_pass_pack_tile (tile, staging);
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
  *valid = es_selection_has_valid (lane->owner->run.cube, selection)
           ? data + plane * selection->n_bands * esk_type_size (type) : NULL;
  return (EskTile) { .data = data, .type = type, .width = window->width, .height = window->height,
                     .bands = selection->n_bands, .column_stride = 1, .row_stride = (ptrdiff_t) window->width,
                     .band_stride = (ptrdiff_t) plane };
}

static gboolean
load_tile (Lane *lane, const EskTile *tile, const EskTile *planes, guint8 *valid, GError **error)
{
  const EsPassRun *run = &lane->owner->run;

  return check (lane, lane->context.hotspots->device->load (lane->context.stream, tile, run->selection, planes, valid),
                _("loading a tile"), error);
}

/* The same where the cube has a mask of its own, which goes to the card beside the samples. */
static gboolean
load_masked (Lane *lane, const EsCubeWindow *window, const EskTile *tile, const EskTile *planes, guint8 *valid,
             GError **error)
{
  const EsPassRun *run = &lane->owner->run;
  const EskDeviceHotspots *device = lane->context.hotspots->device;
  const gsize n = window->width * window->height;
  const gboolean one = planes->row_stride == (ptrdiff_t) window->width;
  const gsize length = one ? n : window->width;
  const guint64 runs = one ? 1 : window->height;
  g_autofree guint8 *mask = g_try_malloc (n);
  gsize n_valid;

  if (mask == NULL)
    return es_compute_error_no_memory (_("a mask"), error);
  memset (mask, 1, n);
  if (!es_cube_reader_mask (lane->reader, window, run->selection->bands, run->selection->n_bands, mask, error)
      || !load_tile (lane, tile, planes, NULL, error))
    return FALSE;
  for (guint64 i = 0; i < runs; i++)
    if (!check (lane, device->upload (lane->context.stream, valid + i * (gsize) planes->row_stride, mask + i * length,
                                      length),
                _("loading a tile"), error))
      return FALSE;
  /* Counting them, it waits: the mask is not needed any longer. */
  return check (lane, lane->context.hotspots->cube->valid_pixels (lane->context.stream, planes, run->selection, valid,
                                                                  &n_valid),
                _("the valid pixels"), error);
}

static gboolean
process_tiles (Lane *lane, GError **error)
{
  EsPassRun *run = &lane->owner->run;
  EsPassMember *member = lane->member;
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
      double read_bytes = 0;

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
          read_bytes = es_pass_tile_bytes (&tile);
        }
      /* Until now the card has worked on the tile before. */
      if (!wait_for_card (lane, error))
        return FALSE;

      planes = place_of (lane, &all, &valid);
      lane->pending = TRUE;
      if (!member->here
          && !(es_cube_has_mask (run->cube) ? load_masked (lane, &all, &tile, &planes, valid, error)
                                            : load_tile (lane, &tile, &planes, valid, error)))
        return FALSE;
      if (!lane->owner->load_only)
        {
          if (!run->pass->tile (lane->lane, &lane->context, &window, &planes, valid, run->data, error))
            return FALSE;
          if (run->pass->merge != NULL
              && (!wait_for_card (lane, error)
                  || !es_pass_run_merge (run, lane->lane, &lane->context, turn, turn, &window, error)))
            return *error == NULL;
        }
      es_pass_run_advance (run, read_us, read_bytes);
    }
  return wait_for_card (lane, error);
}

/* ---- lanes ---- */

gboolean
es_pass_take_staging (EsDevice *device, gsize bytes, gboolean pageable, guint n, void **staging, gboolean *locked,
                      GError **error)
{
  for (guint i = 0; i < n; i++)
    {
      staging[i] = pageable ? es_staging_take_idle (device, bytes) : es_staging_take (device, bytes);
      locked[i] = staging[i] != NULL;
      /* Slower, but it serves. */
      if (staging[i] == NULL && (staging[i] = g_try_malloc (bytes)) == NULL)
        {
          g_autofree char *size = g_format_size (bytes);
          g_set_error (error, ES_COMPUTE_ERROR, ES_COMPUTE_ERROR_MEMORY, _("There is no memory for a tile of %s"),
                       size);
          return FALSE;
        }
    }
  return TRUE;
}

void
es_pass_give_staging (EsDevice *device, gsize bytes, guint n, void **staging, const gboolean *locked)
{
  for (guint i = 0; i < n; i++)
    if (locked[i])
      es_staging_give (device, staging[i], bytes);
    else
      g_free (staging[i]);
}

static gboolean
prepare (Lane *lane, GError **error)
{
  EsPassRun *run = &lane->owner->run;
  const EsTiling *tiling = &lane->member->tiling;
  const EskType type = es_cube_get_type_code (run->cube);

  lane->n_staging = MAX (tiling->staging, 1);
  lane->context.stream = es_device_take_stream (lane->context.device);
  if (!check (lane, lane->context.stream != NULL ? ESK_OK : ESK_ERROR_MEMORY, _("a stream"), error))
    return FALSE;
  if (!lane->member->here)
    {
      lane->reader = es_cube_reader_new (run->cube, error);
      if (lane->reader == NULL)
        return FALSE;
      lane->staging_bytes = tiling->tile_bytes;
      if (!es_cube_get_source (run->cube)->page_locked
          && !es_pass_take_staging (lane->context.device, lane->staging_bytes, tiling->upload.pageable, lane->n_staging,
                                    lane->staging, lane->locked, error))
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

gpointer
es_pass_device_lane (gpointer data)
{
  const EsPassLaneStart *start = data;
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
  es_pass_give_staging (lane.context.device, lane.staging_bytes, 2, lane.staging, lane.locked);
  g_clear_pointer (&lane.reader, es_cube_reader_free);
  return NULL;
}
