/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* Cubes whose bands lie one after the other, brought to cards in the order of the file: long runs of one band, or short
 * bands several at once. Nothing is computed meanwhile. */

#include "es-pass-device-private.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "device/es-device-internal.h"
#include "base/es-error.h"
#include "resident/es-resident-internal.h"

/* One is read into while the other is copied. */
#define N_STAGING 2

typedef struct
{
  EsPassDeviceRun *owner;
  EsPassMember    *member;
  EsDevice        *device;
  const EskHotspots *hotspots;
  EskStream       *stream;
  EsCubeReader    *reader;
  void            *staging[N_STAGING];
  gboolean         locked[N_STAGING];
  gboolean         pending;
} Lane;

gboolean
es_pass_suits_bands (EsCube *cube)
{
  const EsSampleSource *source = es_cube_get_source (cube);

  return source->by_bytes && source->bands_in_runs && source->read_band != NULL && !source->page_locked;
}

void
es_pass_cut_bands (EsPassMember *member, EsCube *cube, const EskSelection *selection, gsize piece_bytes)
{
  const guint64 width = es_cube_get_width (cube);
  const gsize size = esk_type_size (es_cube_get_type_code (cube)), row_bytes = width * size;
  const guint64 rows = MAX (MIN (piece_bytes / row_bytes, member->rows), 1);

  member->piece_bands = 1;
  member->piece_columns = width;
  member->piece_rows = rows;
  /* A row that is more than a piece is cut, for so much memory was not counted on. */
  if (row_bytes > piece_bytes)
    member->piece_columns = MAX (piece_bytes / size / ES_RESIDENT_ROWS * ES_RESIDENT_ROWS, 1);
  else if (rows == member->rows)
    member->piece_bands = CLAMP (piece_bytes / (rows * row_bytes), 1, selection->n_bands);
  else if (rows > ES_RESIDENT_ROWS)
    member->piece_rows = rows / ES_RESIDENT_ROWS * ES_RESIDENT_ROWS;
  member->piece_bytes = member->piece_columns * member->piece_rows * size * member->piece_bands;
  member->columns = (width + member->piece_columns - 1) / member->piece_columns;
  member->windows = member->columns * ((member->rows + member->piece_rows - 1) / member->piece_rows);
  member->tiles = member->windows * ((selection->n_bands + member->piece_bands - 1) / member->piece_bands);
}

static gboolean
check (Lane *lane, int code, GError **error)
{
  return es_device_check (lane->device, lane->stream, code, _("loading a tile"), error);
}

static gboolean
wait_for_card (Lane *lane, GError **error)
{
  const gboolean pending = lane->pending;

  lane->pending = FALSE;
  return !pending || check (lane, lane->hotspots->device->wait (lane->stream), error);
}

/* Bands first .. first + n - 1 of the selection, into one of the buffers. */
static gboolean
read_piece (Lane *lane, guint slot, const EsCubeWindow *window, gsize first, gsize n, EskTile *tile, GError **error)
{
  const EskSelection *selection = lane->owner->run.selection;
  const gsize plane = window->width * window->height;
  const EskType type = es_cube_get_type_code (lane->owner->run.cube);
  guint8 *to = lane->staging[slot];

  for (gsize i = 0; i < n; i++, to += plane * esk_type_size (type))
    {
      if (!es_cube_reader_read_band_into (lane->reader, selection->bands[first + i], window, to, tile, error))
        return FALSE;
      if (tile->data != to)
        es_pass_pack_tile (tile, to);
    }
  *tile = (EskTile) { .data = lane->staging[slot], .type = type, .byte_swapped = tile->byte_swapped,
                      .width = window->width, .height = window->height, .bands = n, .column_stride = 1,
                      .row_stride = (ptrdiff_t) window->width, .band_stride = (ptrdiff_t) plane };
  return TRUE;
}

static gboolean
load_piece (Lane *lane, const EsCubeWindow *window, gsize first, const EskTile *tile, GError **error)
{
  g_autofree guint32 *bands = g_new (guint32, tile->bands);
  const EskSelection piece = { .bands = bands, .n_bands = tile->bands };
  guint8 *valid;
  EskTile planes = es_resident_window (lane->member->resident, window, &valid);

  for (guint i = 0; i < tile->bands; i++)
    bands[i] = i;
  planes.data = (const guint8 *) planes.data
                + (ptrdiff_t) first * planes.band_stride * (ptrdiff_t) esk_type_size (planes.type);
  planes.bands = tile->bands;
  lane->pending = TRUE;
  return check (lane, lane->hotspots->device->load (lane->stream, tile, &piece, &planes, NULL), error);
}

/* What the cube's own mask says of the window, if it has one; what samples say comes when all of them are there. */
static gboolean
load_mask (Lane *lane, const EsCubeWindow *window, GError **error)
{
  const EskSelection *selection = lane->owner->run.selection;
  const gsize n = window->width * window->height;
  guint8 *valid;

  es_resident_window (lane->member->resident, window, &valid);
  if (valid == NULL)
    return TRUE;

  g_autofree guint8 *mask = g_try_malloc (n);
  if (mask == NULL)
    return es_compute_error_no_memory (_("a mask"), error);
  memset (mask, 1, n);
  return es_cube_reader_mask (lane->reader, window, selection->bands, selection->n_bands, mask, error)
         && check (lane, lane->hotspots->device->upload (lane->stream, valid, mask, n), error)
         && check (lane, lane->hotspots->device->wait (lane->stream), error);
}

static gboolean
take_piece (Lane *lane, guint64 *index)
{
  EsPassRun *run = &lane->owner->run;

  g_mutex_lock (&run->lock);
  const gboolean more = !run->stop && lane->member->next < lane->member->tiles;
  if (more)
    *index = lane->member->next++;
  g_mutex_unlock (&run->lock);
  return more;
}

static gboolean
process_pieces (Lane *lane, GError **error)
{
  EsPassRun *run = &lane->owner->run;
  const EsPassMember *member = lane->member;
  guint64 index;
  guint slot = 0;

  for (; take_piece (lane, &index); slot = (slot + 1) % N_STAGING)
    {
      const guint64 place = index % member->windows;
      const guint64 x = place % member->columns * member->piece_columns;
      const guint64 y = place / member->columns * member->piece_rows;
      const gsize first = index / member->windows * member->piece_bands;
      const gsize n = MIN (member->piece_bands, run->selection->n_bands - first);
      const EsCubeWindow window = { x, member->top + y, MIN (member->piece_columns, es_cube_get_width (run->cube) - x),
                                    MIN (member->piece_rows, member->rows - y) };
      EskTile tile;

      if (es_job_is_cancelled (run->job, error))
        return FALSE;
      const gint64 start = g_get_monotonic_time ();
      if (!read_piece (lane, slot, &window, first, n, &tile, error))
        return FALSE;
      const gint64 read_us = g_get_monotonic_time () - start;
      /* Until now the piece before was on its way. */
      if (!wait_for_card (lane, error) || (first == 0 && !load_mask (lane, &window, error))
          || !load_piece (lane, &window, first, &tile, error))
        return FALSE;
      es_pass_run_advance (run, read_us, es_pass_tile_bytes (&tile));
    }
  return wait_for_card (lane, error);
}

gpointer
es_pass_device_band_lane (gpointer data)
{
  const EsPassLaneStart *start = data;
  Lane lane = { .owner = start->owner, .member = start->member, .device = start->member->device };
  g_autoptr (GError) error = NULL;

  lane.hotspots = es_device_get_hotspots (lane.device);
  lane.stream = es_device_take_stream (lane.device);
  lane.reader = es_cube_reader_new (start->owner->run.cube, &error);
  if (lane.reader != NULL && check (&lane, lane.stream != NULL ? ESK_OK : ESK_ERROR_MEMORY, &error)
      && es_pass_take_staging (lane.device, lane.member->piece_bytes, lane.member->tiling.upload.pageable, N_STAGING,
                               lane.staging, lane.locked, &error))
    process_pieces (&lane, &error);
  if (error != NULL)
    es_pass_run_fail (&start->owner->run, g_steal_pointer (&error));

  /* Nothing is freed that the card may still work on. */
  if (lane.pending)
    lane.hotspots->device->wait (lane.stream);
  es_device_give_stream (lane.device, lane.stream);
  es_pass_give_staging (lane.device, lane.member->piece_bytes, N_STAGING, lane.staging, lane.locked);
  g_clear_pointer (&lane.reader, es_cube_reader_free);
  return NULL;
}

gboolean
es_pass_mark_bands (EsPassMember *member, const EskSelection *selection, GError **error)
{
  const EskHotspots *hotspots = es_device_get_hotspots (member->device);
  EsResident *resident = member->resident;
  EskStream *stream;
  gsize n_valid;
  gboolean done;

  if (resident == NULL || resident->valid == NULL || member->here)
    return TRUE;
  stream = es_device_take_stream (member->device);
  done = es_device_check (member->device, stream, stream == NULL ? ESK_ERROR_MEMORY
                          : hotspots->cube->valid_pixels (stream, &resident->planes, selection, resident->valid,
                                                          &n_valid), _("the valid pixels"), error);
  es_device_give_stream (member->device, stream);
  return done;
}
