/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-pass-private.h"

#include <math.h>

#include "resident/es-resident-internal.h"
#include "device/es-upload-choice.h"
#include "ranks/es-ranks-internal.h"

/* Tiles of this many bytes as stored: large enough that a read is long (tens of kilobytes a band), small enough that
 * a tile is still in the last-level cache when it is converted. With very many bands sums of bands x bands are merged
 * after every tile, and only enough pixels make that cheap. */
#define TILE_BYTES (4 << 20)
#define MANY_BANDS_PIXELS 2048
#define MANY_BANDS_TILE_BYTES (32 << 20)
#define SMALLEST_TILE_BYTES (64 << 10)

/* GPUs: what a copy over the link should be at least, and at most. The first tile is one that nothing overlaps with. */
#define DEVICE_TILES 32
#define SMALLEST_DEVICE_TILE ((guint64) 4 << 20)
#define LARGEST_DEVICE_TILE ((guint64) 32 << 20)
/* Of what is read into page-locked memory. */
#define LARGEST_READ_TILE ((guint64) 16 << 20)
/* Lanes that unpack, for one card: from so many on they overlap enough for one buffer each to do. */
#define ONE_BUFFER_LANES 5
/* One copies while the other waits for its sums: more lanes only have more sums to bring together. */
#define PAGE_LOCKED_LANES 2
#define MANY_BANDS 512
/* A lane's scratch memory on a GPU (samples as the host has them, 8-bit planes, partial sums): in tiles, and beside. */
#define DEVICE_TILE_COPIES 3
#define DEVICE_LANE_BYTES ((guint64) 4 << 20)
/* Of rows that lie on a GPU, a launch takes no more bytes: it cannot be cancelled. */
#define LARGEST_LAUNCH ((guint64) 8 << 30)
/* Of the host's memory: for the lanes of the CPU; for the tiles on their way to GPUs. */
#define LANES_SHARE ((EsMemoryShare) { .of_limit = 1, .of_machine = 4 })
#define STAGING_SHARE ((EsMemoryShare) { .of_limit = 2, .of_machine = 4 })

/* Tiles of whole blocks of the file, at least one, however large that is; of a multiple of `unit` rows where
 * possible. */
static void
fit_blocks (EsTiling *tiling, EsCube *cube, guint64 pixels, guint64 unit)
{
  const guint64 width = es_cube_get_width (cube), height = es_cube_get_height (cube);
  guint64 block_width, block_height;

  es_cube_get_block (cube, &block_width, &block_height);
  block_width = CLAMP (block_width, 1, width);
  block_height = CLAMP (block_height, 1, height);

  if (pixels / width >= block_height)
    {
      guint64 step = block_height;
      while (step % unit != 0)
        step += block_height;
      if (pixels / width < step)
        step = block_height;
      tiling->tile_width = width;
      tiling->tile_height = MIN (pixels / width / step * step, height);
    }
  else
    {
      tiling->tile_height = block_height;
      tiling->tile_width = MAX (pixels / block_height / block_width, 1) * block_width;
      tiling->tile_width = MIN (tiling->tile_width, width);
    }
  tiling->strip_height = tiling->tile_height;
}

/* Pixels of a tile with what it has round it, at most. */
static guint64
pixels_with_margin (const EsTiling *tiling, EsCube *cube)
{
  const EskMargin *margin = &tiling->margin;

  return MIN (tiling->tile_width + margin->left + margin->right, es_cube_get_width (cube))
         * MIN (tiling->tile_height + margin->top + margin->bottom, es_cube_get_height (cube));
}

static EsTiling
plan_for_cpu (EsCube *cube, EsDevice *device, const EsLimits *limits, gsize scratch_bytes_a_pixel, gsize fixed_bytes,
              const EskMargin *margin)
{
  const guint64 width = es_cube_get_width (cube), height = es_cube_get_height (cube);
  const gsize pixel_bytes = es_cube_get_bands (cube) * esk_type_size (es_cube_get_type_code (cube));
  const double a_pixel = (double) pixel_bytes + scratch_bytes_a_pixel;
  const guint64 best = CLAMP (MANY_BANDS_PIXELS * pixel_bytes, TILE_BYTES, MANY_BANDS_TILE_BYTES);
  guint64 budget = best;
  const double memory = es_limits_get_host_memory (limits, LANES_SHARE);
  double a_lane;
  EsTiling tiling = { .margin = *margin };

  tiling.lanes = es_device_get_lanes (device);
  if (limits != NULL && limits->threads > 0)
    tiling.lanes = MIN (tiling.lanes, limits->threads);

  /* Within --memory the tile shrinks first (down to where reads become short), then the number of lanes. The tile's
   * size never depends on the number of lanes, so that float64 totals do not either. */
  if (limits != NULL && limits->memory > 0)
    budget = CLAMP (memory / 16 * pixel_bytes / a_pixel, SMALLEST_TILE_BYTES, best);

  const guint64 pixels = MAX (budget / pixel_bytes, 1);
  fit_blocks (&tiling, cube, pixels, 1);
  a_lane = pixels_with_margin (&tiling, cube) * a_pixel + fixed_bytes;

  /* Blocks so large that not even one fits are cut. One lane then walks through one block after the other: each lane
   * has a handle of its own, and several of them would each unpack the same block. */
  if (a_lane > memory / 2 && tiling.tile_width * tiling.tile_height > pixels)
    {
      tiling.tile_width = MIN (tiling.tile_width, pixels);
      tiling.tile_height = MAX (pixels / tiling.tile_width, 1);
      a_lane = pixels_with_margin (&tiling, cube) * a_pixel + fixed_bytes;
      tiling.lanes = 1;
    }
  if (es_cube_get_source (cube)->in_order)
    tiling.lanes = 1;
  tiling.lanes = CLAMP (memory * 0.75 / a_lane, 1, tiling.lanes);

  tiling.columns = (width + tiling.tile_width - 1) / tiling.tile_width;
  tiling.rows = (tiling.strip_height + tiling.tile_height - 1) / tiling.tile_height;
  tiling.tiles = es_tiling_count (&tiling, height);
  tiling.lanes = MIN (tiling.lanes, tiling.tiles);
  tiling.tile_bytes = pixels_with_margin (&tiling, cube) * pixel_bytes;
  tiling.scratch = scratch_bytes_a_pixel;
  return tiling;
}

static EsTiling
plan_for_devices (EsCube *cube, EsDevice *device, const EsLimits *limits, gsize scratch_bytes_a_pixel,
                  gsize fixed_bytes, const EskMargin *margin)
{
  const guint64 width = es_cube_get_width (cube);
  const guint bands = es_cube_get_bands (cube), members = es_device_get_n_members (device);
  const gsize pixel_bytes = bands * esk_type_size (es_cube_get_type_code (cube));
  const guint64 room = es_device_get_room (device, limits);
  const double memory = es_limits_get_host_memory (limits, STAGING_SHARE);
  guint64 best = es_cube_get_bytes (cube) / DEVICE_TILES, top, rows;
  EsTiling tiling = { .scratch = scratch_bytes_a_pixel, .margin = *margin };

  const EsSampleSource *source = es_cube_get_source (cube);
  const gboolean by_bytes = source->by_bytes && !source->page_locked;
  const EsUploadChoice choice = es_upload_choose (device, members, es_cube_get_bytes (cube), limits);
  tiling.lanes = by_bytes ? choice.threads : es_device_get_lanes (device);
  if (limits != NULL && limits->threads > 0)
    tiling.lanes = MIN (tiling.lanes, limits->threads);
  if (source->in_order)
    tiling.lanes = MIN (tiling.lanes, members);
  /* Nothing is read where the samples are in memory that cards copy from. */
  if (source->page_locked)
    tiling.lanes = MIN (tiling.lanes, PAGE_LOCKED_LANES * members);

  /* Lanes times what each has on its card, half of the room; the same on the host, with two tiles each. */
  const guint64 largest = source->page_locked || bands > MANY_BANDS ? LARGEST_DEVICE_TILE : LARGEST_READ_TILE;
  /* What is only read does best in tiles that are still in the processor's caches when they are copied, of as few rows
   * as lie well in memory. */
  if (by_bytes)
    best = ES_RESIDENT_ROWS * width * pixel_bytes;
  best = CLAMP (MAX (best, MANY_BANDS_PIXELS * pixel_bytes), SMALLEST_DEVICE_TILE, largest);
  const guint lanes_a_card = MAX (tiling.lanes / members, 1);
  const double on_card = DEVICE_TILE_COPIES + scratch_bytes_a_pixel / (double) pixel_bytes;
  const double on_host = 2 + 2 * scratch_bytes_a_pixel / (double) pixel_bytes;
  const double a_tile = MIN (room / 2.0 / lanes_a_card / on_card, memory / tiling.lanes / on_host);
  best = CLAMP (a_tile, SMALLEST_TILE_BYTES, best);

  const guint64 pixels = MAX (best / pixel_bytes, 1);
  fit_blocks (&tiling, cube, pixels, ES_RESIDENT_ROWS);
  double lane_on_host = pixels_with_margin (&tiling, cube) * (double) pixel_bytes * on_host + fixed_bytes;
  double lane_on_card = pixels_with_margin (&tiling, cube) * (double) pixel_bytes * on_card + fixed_bytes;
  if ((lane_on_host > memory / 2 || lane_on_card > room / 2) && tiling.tile_width * tiling.tile_height > pixels)
    {
      tiling.tile_width = MIN (tiling.tile_width, pixels);
      tiling.tile_height = MAX (pixels / tiling.tile_width, 1);
      lane_on_host = pixels_with_margin (&tiling, cube) * (double) pixel_bytes * on_host + fixed_bytes;
      lane_on_card = pixels_with_margin (&tiling, cube) * (double) pixel_bytes * on_card + fixed_bytes;
      tiling.lanes = members;
    }
  tiling.lanes = CLAMP (MIN (memory / lane_on_host, members * floor (room / 1.5 / lane_on_card)), 1, tiling.lanes);
  tiling.lanes = MAX (tiling.lanes, members);
  if (!source->page_locked)
    tiling.staging = by_bytes || tiling.lanes / members < ONE_BUFFER_LANES ? 2 : 1;

  tiling.columns = (width + tiling.tile_width - 1) / tiling.tile_width;
  tiling.rows = (tiling.strip_height + tiling.tile_height - 1) / tiling.tile_height;
  tiling.tile_bytes = pixels_with_margin (&tiling, cube) * pixel_bytes;
  for (guint i = 0; i < members; i++)
    {
      es_cube_get_share (cube, members, i, &top, &rows);
      tiling.tiles += es_tiling_count (&tiling, rows);
    }

  /* All bands and a mask: what a pass selects is not known here. While it is filled lanes have no tile of their own,
   * but for what brings samples into order. */
  es_cube_get_share (cube, members, 0, &top, &rows);
  const guint64 whole = es_resident_bytes (cube, rows, bands, TRUE);
  const guint64 beside = MAX (tiling.lanes / members, 1)
                         * (2 * (guint64) tiling.tile_bytes + fixed_bytes + DEVICE_LANE_BYTES
                            + pixels_with_margin (&tiling, cube) * scratch_bytes_a_pixel);
  tiling.resident = whole <= room && beside <= room - whole;
  tiling.load_first = by_bytes;
  tiling.upload = choice;
  tiling.upload.piece_bytes = MIN (choice.piece_bytes, tiling.tile_bytes);
  return tiling;
}

EsTiling
es_tiling_plan_with_margin (EsCube *cube, EsDevice *device, const EsLimits *limits, gsize scratch_bytes_a_pixel,
                            gsize fixed_bytes, const EskMargin *margin)
{
  if (es_device_is_cpu (device))
    return plan_for_cpu (cube, device, limits, scratch_bytes_a_pixel, fixed_bytes, margin);
  return plan_for_devices (cube, device, limits, scratch_bytes_a_pixel, fixed_bytes, margin);
}

EsTiling
es_tiling_plan (EsCube *cube, EsDevice *device, const EsLimits *limits, gsize scratch_bytes_a_pixel, gsize fixed_bytes)
{
  static const EskMargin none;

  return es_tiling_plan_with_margin (cube, device, limits, scratch_bytes_a_pixel, fixed_bytes, &none);
}

gboolean
es_tiling_has_margin (const EsTiling *tiling)
{
  const EskMargin *margin = &tiling->margin;

  return margin->left > 0 || margin->top > 0 || margin->right > 0 || margin->bottom > 0;
}

EsCubeWindow
es_tiling_with_margin (const EsTiling *tiling, EsCube *cube, const EsCubeWindow *window, EskMargin *margin)
{
  const EskMargin *wanted = &tiling->margin;

  margin->left = MIN (wanted->left, window->x);
  margin->top = MIN (wanted->top, window->y);
  margin->right = MIN (wanted->right, es_cube_get_width (cube) - window->x - window->width);
  margin->bottom = MIN (wanted->bottom, es_cube_get_height (cube) - window->y - window->height);
  return (EsCubeWindow) { window->x - margin->left, window->y - margin->top,
                          window->width + margin->left + margin->right, window->height + margin->top + margin->bottom };
}

EsTiling
es_tiling_of_resident (const EsTiling *tiling, EsCube *cube, guint64 rows)
{
  const guint64 width = es_cube_get_width (cube);
  const gsize pixel_bytes = es_cube_get_bands (cube) * esk_type_size (es_cube_get_type_code (cube));
  const guint64 pixels = tiling->scratch > 0 ? tiling->tile_width * tiling->tile_height : LARGEST_LAUNCH / pixel_bytes;
  EsTiling whole = *tiling;
  guint64 height = MAX (pixels / width, 1);

  if (height > ES_RESIDENT_ROWS)
    height = height / ES_RESIDENT_ROWS * ES_RESIDENT_ROWS;
  /* Cut, every piece would lack its neighbours. */
  if (es_tiling_has_margin (tiling))
    height = rows;
  whole.tile_width = width;
  whole.tile_height = whole.strip_height = MIN (height, rows);
  whole.columns = whole.rows = 1;
  return whole;
}

void
es_tiling_shrink (EsTiling *tiling, EsCube *cube)
{
  const guint64 block = tiling->tile_height > 4 * ES_RESIDENT_ROWS ? ES_RESIDENT_ROWS : 1;
  guint64 block_width, block_height;

  es_cube_get_block (cube, &block_width, &block_height);
  tiling->resident = FALSE;
  tiling->lanes = MAX (tiling->lanes / 4, 1);
  if (tiling->tile_height >= 4)
    tiling->tile_height = tiling->tile_height / 4 / block * block;
  else
    tiling->tile_width = (tiling->tile_width + 3) / 4;
  /* The strips of the file stay, where there are any: each is cut. */
  if (block_height == 1)
    tiling->strip_height = tiling->tile_height;
  tiling->rows = (tiling->strip_height + tiling->tile_height - 1) / tiling->tile_height;
  tiling->columns = (es_cube_get_width (cube) + tiling->tile_width - 1) / tiling->tile_width;
  tiling->tile_bytes = pixels_with_margin (tiling, cube) * es_cube_get_bands (cube)
                       * esk_type_size (es_cube_get_type_code (cube));
}

guint64
es_tiling_count (const EsTiling *tiling, guint64 rows)
{
  const guint64 last_height = rows % tiling->strip_height;

  return tiling->columns * (rows / tiling->strip_height * tiling->rows
                            + (last_height + tiling->tile_height - 1) / tiling->tile_height);
}

EsCubeWindow
es_tiling_window (const EsTiling *tiling, guint64 width, guint64 top, guint64 rows, guint64 index)
{
  const guint64 strip = index / (tiling->columns * tiling->rows), rest = index % (tiling->columns * tiling->rows);
  const guint64 y = strip * tiling->strip_height;
  const guint64 height = MIN (tiling->strip_height, rows - y);
  const guint64 tiles = (height + tiling->tile_height - 1) / tiling->tile_height;
  const guint64 inside = rest % tiles * tiling->tile_height;
  EsCubeWindow window;

  window.x = rest / tiles * tiling->tile_width;
  window.y = top + y + inside;
  window.width = MIN (tiling->tile_width, width - window.x);
  window.height = MIN (tiling->tile_height, height - inside);
  return window;
}

/* ---- groups, and whose they are ---- */

guint
es_tiling_n_groups (const EsTiling *tiling)
{
  return (guint) MIN (tiling->tiles, ES_PASS_GROUPS);
}

guint64
es_tiling_group_begin (const EsTiling *tiling, guint64 group)
{
  const guint64 n = es_tiling_n_groups (tiling);

  return tiling->tiles / n * group + tiling->tiles % n * group / n;
}

guint
es_tiling_group (const EsTiling *tiling, guint64 index)
{
  guint group = (guint) (index / (tiling->tiles / es_tiling_n_groups (tiling) + 1));

  while (es_tiling_group_begin (tiling, group + 1) <= index)
    group++;
  return group;
}

gboolean
es_tiling_ends_group (const EsTiling *tiling, guint64 index)
{
  return es_tiling_group_begin (tiling, es_tiling_group (tiling, index) + 1) == index + 1;
}

void
es_tiling_share_groups (const EsTiling *tiling, guint64 *first, guint64 *end)
{
  es_ranks_share (es_tiling_n_groups (tiling), first, end);
}

void
es_tiling_share (const EsTiling *tiling, guint64 *first, guint64 *end)
{
  es_tiling_share_groups (tiling, first, end);
  *first = es_tiling_group_begin (tiling, *first);
  *end = es_tiling_group_begin (tiling, *end);
}
