/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* Passes over cubes on cards (of host memory: tests/kernels/fake), and the cutting into tiles. */

#include <string.h>

#include "device/es-buffer-internal.h"
#include "base/es-error.h"
#include "job/es-job-internal.h"
#include "job/es-pass-private.h"
#include "resident/es-resident-internal.h"
#include "result/es-result-internal.h"

/* Sample (x, y, band) is x + y * width + band, modulo 2^15. */
typedef struct
{
  EsSampleSource parent;
  guint64        width;
  guint          bands;
  int            reads;
} Source;

static gpointer
source_handle_new (EsSampleSource *self, GError **error)
{
  return self;
}

static void
source_handle_free (EsSampleSource *self, gpointer handle)
{
}

static gint16
sample_at (guint64 width, guint64 x, guint64 y, guint band)
{
  return (x + y * width + band) & 0x7fff;
}

static gboolean
source_read (EsSampleSource *parent, gpointer handle, const EsCubeWindow *window, void *buffer, EskTile *tile,
             GError **error)
{
  Source *self = (Source *) parent;
  gint16 *out = buffer;

  g_atomic_int_inc (&self->reads);
  for (guint b = 0; b < self->bands; b++)
    for (guint64 y = 0; y < window->height; y++)
      for (guint64 x = 0; x < window->width; x++)
        *out++ = sample_at (self->width, window->x + x, window->y + y, b);
  *tile = (EskTile) { buffer, ESK_I16, false, window->width, window->height, self->bands, 1,
                      (ptrdiff_t) window->width, (ptrdiff_t) (window->width * window->height) };
  return TRUE;
}

static void
source_free (EsSampleSource *self)
{
  g_free (self);
}

static EsCube *
make_cube (guint64 width, guint64 height, guint bands, guint64 block_width, guint64 block_height)
{
  Source *source = g_new0 (Source, 1);
  EsCubeInfo info = { .width = width, .height = height, .bands = bands, .type = ESK_I16,
                      .default_bands = { -1, -1, -1 }, .source = &source->parent };
  g_autoptr (GError) error = NULL;

  source->parent = (EsSampleSource) { source_handle_new, source_handle_free, source_read, NULL, source_free,
                                      block_width, block_height, FALSE };
  source->width = width;
  source->bands = bands;
  EsCube *cube = es_cube_new (NULL, &info, &error);
  g_assert_no_error (error);
  return cube;
}

/* ---- a pass that looks at everything ---- */

typedef struct
{
  EsDevice *device;
  guint64   width, height;
  guint32  *bands;
  guint     n_bands;
  gboolean  scratch;
  GMutex    lock;
  guint8   *seen, *merged;
  GArray   *order;                 /* EsCubeWindow, as merged */
  guint     lanes, flushed, done, restarts, fail;
  EsResult *result;
} Look;

static void
look_clear (Look *self)
{
  g_array_unref (self->order);
  g_clear_object (&self->result);
}

typedef struct
{
  guint     calls;
  gboolean  after_flush;
} LookLane;

static gpointer
look_lane_new (const EsLaneContext *context, const EsTiling *tiling, gpointer data, GError **error)
{
  Look *look = data;

  g_assert_true (es_device_get_kind (context->device) == ES_DEVICE_GPU);
  g_assert_nonnull (context->stream);
  g_mutex_lock (&look->lock);
  look->lanes++;
  gboolean fail = look->fail > 0;
  look->fail -= fail;
  g_mutex_unlock (&look->lock);
  if (fail)
    {
      es_device_check (context->device, NULL, ESK_ERROR_MEMORY, "a test", error);
      return NULL;
    }
  return g_new0 (LookLane, 1);
}

static gboolean
look_tile (gpointer data, const EsLaneContext *context, const EsCubeWindow *window, const EskTile *tile,
           const guint8 *valid, gpointer pass_data, GError **error)
{
  LookLane *lane = data;
  Look *look = pass_data;

  lane->calls++;
  g_assert_cmpuint (tile->width, ==, window->width);
  g_assert_cmpuint (tile->height, ==, window->height);
  g_assert_cmpuint (tile->bands, ==, look->n_bands);
  g_assert_null (valid);
  /* The card's memory is the host's, once all is there. */
  g_assert_cmpint (context->hotspots->device->wait (context->stream), ==, ESK_OK);
  for (guint b = 0; b < look->n_bands; b += look->n_bands - 1)
    for (guint64 y = 0; y < window->height; y += MAX (window->height - 1, 1))
      for (guint64 x = 0; x < window->width; x += MAX (window->width - 1, 1))
        g_assert_cmpint (((const gint16 *) tile->data)[x + y * tile->row_stride + b * tile->band_stride], ==,
                         sample_at (look->width, window->x + x, window->y + y, look->bands[b]));
  g_mutex_lock (&look->lock);
  for (guint64 y = window->y; y < window->y + window->height; y++)
    for (guint64 x = window->x; x < window->x + window->width; x++)
      look->seen[y * look->width + x]++;
  g_mutex_unlock (&look->lock);
  return TRUE;
}

static gboolean
look_merge (gpointer lane, const EsLaneContext *context, const EsCubeWindow *window, gpointer data, GError **error)
{
  Look *look = data;

  for (guint64 y = window->y; y < window->y + window->height; y++)
    for (guint64 x = window->x; x < window->x + window->width; x++)
      look->merged[y * look->width + x]++;
  g_array_append_val (look->order, *window);
  return TRUE;
}

static gboolean
look_flush (gpointer data, const EsLaneContext *context, gpointer pass_data, GError **error)
{
  Look *look = pass_data;

  ((LookLane *) data)->after_flush = TRUE;
  g_mutex_lock (&look->lock);
  look->flushed++;
  g_mutex_unlock (&look->lock);
  return TRUE;
}

static gboolean
look_lane_done (gpointer data, const EsLaneContext *context, gpointer pass_data, GError **error)
{
  g_assert_true (((LookLane *) data)->after_flush);
  ((Look *) pass_data)->done++;
  return TRUE;
}

static void
look_restart (gpointer data)
{
  Look *look = data;

  look->restarts++;
  look->lanes = 0;
  memset (look->seen, 0, look->width * look->height);
  memset (look->merged, 0, look->width * look->height);
  g_array_set_size (look->order, 0);
}

static Look *present;
static gboolean ordered;

static EsResult *
run_look (EsJob *job, EsDataset *dataset, EsParams *params, GError **error)
{
  static const EsPass in_order = { look_lane_new, g_free, look_tile, look_merge, look_lane_done, look_flush,
                                   look_restart };
  static const EsPass any_order = { look_lane_new, g_free, look_tile, NULL, look_lane_done, look_flush,
                                    look_restart };
  EsCube *cube = ES_CUBE (dataset);
  EsTiling tiling = es_tiling_plan (cube, es_job_get_device (job), es_job_get_limits (job), present->scratch ? 64 : 0,
                                    0);
  const EskSelection selection = { present->bands, present->n_bands, NULL, NULL, NULL };

  if (!es_pass_run (job, cube, &tiling, &selection, ordered ? &in_order : &any_order, present, error))
    return NULL;
  return es_result_new (es_job_get_operation (job), dataset, params);
}

static const EsParamSpec no_params[] = { { .type = ES_PARAM_END } };
static const EsOperation operation = { .id = "look", .title = "Look", .short_title = "Look", .summary = "Look",
                                       .version = 1, .takes = ES_DATASET_CUBE, .params = no_params, .run = run_look };

static void
look_at (EsCube *cube, const char *id, guint64 device_memory, gboolean in_order, Look *look)
{
  g_autoptr (EsParams) none = es_params_new (no_params);
  const EsLimits limits = { .device_memory = device_memory };
  EsDevice *device = es_device_find (id, NULL);
  g_autoptr (EsJob) job = es_job_new (&operation, ES_DATASET (cube), none, device, &limits, NULL);
  g_autoptr (GError) error = NULL;
  const gsize pixels = es_cube_get_width (cube) * es_cube_get_height (cube);

  look->width = es_cube_get_width (cube);
  look->height = es_cube_get_height (cube);
  look->seen = g_malloc0 (pixels);
  look->merged = g_malloc0 (pixels);
  look->order = g_array_new (FALSE, FALSE, sizeof (EsCubeWindow));
  look->n_bands = (es_cube_get_bands (cube) + 1) / 2;
  look->bands = g_new (guint32, look->n_bands);
  for (guint b = 0; b < look->n_bands; b++)
    look->bands[b] = 2 * b;
  g_mutex_init (&look->lock);
  present = look;
  ordered = in_order;

  g_autoptr (EsResult) result = es_job_run (job, &error);
  g_assert_no_error (error);
  g_assert_nonnull (result);
  while (g_main_context_iteration (NULL, FALSE))
    ;
  for (gsize p = 0; p < pixels; p++)
    {
      g_assert_cmpuint (look->seen[p], ==, 1);
      g_assert_cmpuint (look->merged[p], ==, in_order);
    }
  g_assert_cmpuint (look->flushed, ==, look->lanes);
  g_assert_cmpuint (look->done, ==, look->lanes);
  g_mutex_clear (&look->lock);
  g_free (look->bands);
  g_free (look->seen);
  g_free (look->merged);
  look->result = g_steal_pointer (&result);
}

static void
test_every_pixel_once (void)
{
  static const struct { guint64 width, height; guint bands; guint64 block_width, block_height; } cases[] = {
    { 131, 257, 50, 1, 1 }, { 131, 257, 50, 131, 5 }, { 131, 257, 50, 64, 64 }, { 131, 257, 200, 64, 64 },
    { 131, 257, 50, 131, 257 }, { 257, 13, 50, 257, 4 }, { 1, 700, 30, 1, 600 }, { 900, 1, 200, 900, 1 },
    { 1, 1, 3, 1, 1 },
  };
  static const char *const devices[] = { "cuda:0", "cuda:all" };
  EsDevice *all = es_device_find ("cuda:all", NULL);
  const guint64 before = es_buffers_get_used (all);

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    for (guint d = 0; d < 2; d++)
      for (guint way = 0; way < 8; way++)
        {
          g_autoptr (EsCube) cube = make_cube (cases[i].width, cases[i].height, cases[i].bands, cases[i].block_width,
                                               cases[i].block_height);
          const guint64 memory = way & 1 ? 1 << 20 : 0;
          Look first = { .scratch = (way & 4) != 0 }, second = { .scratch = (way & 4) != 0 };

          look_at (cube, devices[d], memory, (way & 2) != 0, &first);
          look_at (cube, devices[d], memory, (way & 2) != 0, &second);
          /* Merged in the same order, also where the cube has come to the cards in the meantime. */
          g_assert_cmpuint (first.order->len, ==, second.order->len);
          g_assert_cmpmem (first.order->data, first.order->len * sizeof (EsCubeWindow), second.order->data,
                           second.order->len * sizeof (EsCubeWindow));
          look_clear (&first);
          look_clear (&second);
          g_assert_cmpint (es_resident_is_on (cube, es_device_find (devices[d], NULL)), ==, memory == 0);
          g_clear_object (&cube);
          g_assert_cmpuint (es_buffers_get_used (all), ==, before);
        }
}

/* What is only read is brought to the card by several lanes in small tiles, and then looked at by one, as a whole; the
 * result says how it came. What is unpacked is looked at as it comes. */
static void
test_load_first (void)
{
  const EsUploadChoice choice = es_upload_choose (NULL, 1, 0, NULL);

  for (guint by_bytes = 0; by_bytes < 2; by_bytes++)
    {
      g_autoptr (EsCube) cube = make_cube (131, 2003, 100, 1, 1);
      Source *source = (Source *) es_cube_get_source (cube);
      Look first = { 0 }, second = { 0 };

      source->parent.by_bytes = by_bytes;
      const EsTiling tiling = es_tiling_plan (cube, es_device_find ("cuda:0", NULL), NULL, 0, 0);
      g_assert_true (tiling.resident);
      g_assert_cmpint (tiling.load_first, ==, by_bytes);
      if (by_bytes)
        {
          g_assert_cmpuint (tiling.lanes, ==, choice.threads);
          g_assert_cmpuint (tiling.staging, ==, 2);
          g_assert_cmpuint (tiling.tile_height % ES_RESIDENT_ROWS, ==, 0);
          g_assert_cmpuint (tiling.tile_bytes, <=, 4 << 20);
        }
      look_at (cube, "cuda:0", 0, FALSE, &first);
      g_assert_cmpint (source->reads, ==, tiling.tiles);
      if (by_bytes)
        g_assert_cmpuint (first.lanes, ==, 1);
      else
        g_assert_cmpuint (first.lanes, >, 1);
      JsonObject *upload = json_object_get_object_member (es_result_get_values (first.result), "upload");
      g_assert_cmpint (json_object_get_int_member (upload, "threads"), ==, MIN (tiling.lanes, tiling.tiles));
      g_assert_cmpint (json_object_get_int_member (upload, "piece_bytes"), ==, tiling.tile_bytes);
      g_assert_cmpint (json_object_get_int_member (upload, "pieces"), ==, tiling.staging);
      g_assert_cmpstr (json_object_get_string_member (upload, "from"), ==, "defaults");
      g_assert_true (json_object_get_boolean_member (upload, "page_locked"));
      /* Nothing more is read, nor told of. */
      look_at (cube, "cuda:0", 0, FALSE, &second);
      g_assert_cmpint (source->reads, ==, tiling.tiles);
      g_assert_cmpuint (second.lanes, ==, 1);
      g_assert_false (json_object_has_member (es_result_get_values (second.result), "upload"));
      look_clear (&first);
      look_clear (&second);
    }
}

/* Also of so little that reading it takes no time. */
static void
test_little_told (void)
{
  for (guint i = 0; i < 20; i++)
    {
      g_autoptr (EsCube) cube = make_cube (2, 2, 6, 1, 1);
      Look look = { 0 };

      look_at (cube, "cuda:0", 0, FALSE, &look);
      JsonObject *values = es_result_get_values (look.result);
      g_assert_true (json_object_has_member (values, "upload"));
      g_assert_cmpint (json_object_get_int_member (json_object_get_object_member (values, "upload"), "threads"), ==, 1);
      look_clear (&look);
    }
}

/* Where memory does not suffice, smaller tiles. */
static void
test_restart (void)
{
  g_autoptr (EsCube) cube = make_cube (131, 300, 60, 1, 1);
  Look look = { .fail = 1 };

  look_at (cube, "cuda:0", 0, TRUE, &look);
  g_assert_cmpuint (look.restarts, ==, 1);
  look_clear (&look);
}

/* Shares are what their sum says, whole blocks, and nobody has more than one block more. */
static void
test_shares (void)
{
  static const guint64 heights[] = { 1, 15, 16, 17, 100, 257, 6955 }, blocks[] = { 1, 4, 5, 16, 64, 257 };

  for (guint h = 0; h < G_N_ELEMENTS (heights); h++)
    for (guint b = 0; b < G_N_ELEMENTS (blocks); b++)
      for (guint n = 1; n <= 8; n++)
        {
          g_autoptr (EsCube) cube = make_cube (10, heights[h], 3, 1, blocks[b]);
          guint64 end = 0, top, rows;

          for (guint i = 0; i < n; i++)
            {
              es_cube_get_share (cube, n, i, &top, &rows);
              g_assert_cmpuint (top, ==, end);
              end = top + rows;
              if (end < heights[h])
                {
                  g_assert_cmpuint (end % MIN (blocks[b], heights[h]), ==, 0);
                  g_assert_cmpuint (rows, >, 0);
                }
            }
          g_assert_cmpuint (end, ==, heights[h]);
        }
}

/* Lanes and what each has fit the room, on the card and on the host. */
static void
test_tiling (void)
{
  static const struct { guint64 width, height; guint bands; guint64 block_width, block_height; } cases[] = {
    { 781, 6955, 224, 1, 1 }, { 60000, 100, 2000, 1, 1 }, { 4000, 4000, 224, 512, 512 }, { 781, 6955, 224, 781, 6955 },
    { 100, 100, 30, 7, 13 }, { 1, 1, 1, 1, 1 },
  };
  EsDevice *device = es_device_find ("cuda:0", NULL);

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    for (guint64 room = 4 << 20; room <= 128 << 20; room *= 2)
      {
        g_autoptr (EsCube) cube = make_cube (cases[i].width, cases[i].height, cases[i].bands, cases[i].block_width,
                                             cases[i].block_height);
        const EsLimits limits = { .device_memory = room, .memory = 64 << 20 };
        EsTiling tiling = es_tiling_plan (cube, device, &limits, 100, 1000);
        const guint64 pixels = tiling.tile_width * tiling.tile_height;

        g_assert_cmpuint (tiling.lanes, >=, 1);
        g_assert_cmpuint (tiling.tile_bytes, ==, pixels * cases[i].bands * 2);
        /* Short of a row of pixels, which nothing makes smaller. */
        if (pixels > 1)
          {
            g_assert_cmpuint (tiling.lanes * (tiling.tile_bytes + pixels * 100), <=, room);
            g_assert_cmpuint (tiling.lanes * 2 * (tiling.tile_bytes + pixels * 100), <=, limits.memory);
          }
        if (tiling.resident)
          g_assert_cmpuint (es_cube_get_bytes (cube), <, room);
      }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/pass-device/every-pixel-once", test_every_pixel_once);
  g_test_add_func ("/pass-device/load-first", test_load_first);
  g_test_add_func ("/pass-device/little-told", test_little_told);
  g_test_add_func ("/pass-device/restart", test_restart);
  g_test_add_func ("/pass-device/shares", test_shares);
  g_test_add_func ("/pass-device/tiling", test_tiling);
  return g_test_run ();
}
