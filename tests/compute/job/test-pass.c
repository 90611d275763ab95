/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "job/es-job-internal.h"
#include "result/es-result-internal.h"

/* A cube without a file whose samples are all zero, in blocks of the size asked for. */
typedef struct
{
  EsSampleSource parent;
  guint          bands;
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

static gboolean
source_read (EsSampleSource *self, gpointer handle, const EsCubeWindow *window, void *buffer, EskTile *tile,
             GError **error)
{
  *tile = (EskTile) { buffer, ESK_I16, false, window->width, window->height, ((Source *) self)->bands, 1,
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
                                      block_width, block_height };
  source->bands = bands;
  EsCube *cube = es_cube_new (NULL, &info, &error);
  g_assert_no_error (error);
  return cube;
}

/* Within the memory allowed, whatever the blocks of the file are. */
static void
test_tiling (void)
{
  static const struct { guint64 width, height; guint bands; guint64 block_width, block_height, memory; } cases[] = {
    { 781, 6955, 224, 1, 1, 256 },              /* raw */
    { 60000, 100, 2000, 1, 1, 256 },
    { 60000, 100, 2000, 60000, 1, 256 },        /* one row is 240 MB */
    { 781, 6955, 224, 781, 1, 256 },            /* strips */
    { 4000, 4000, 224, 512, 512, 256 },         /* blocks of 117 MB */
    { 4000, 4000, 224, 512, 512, 4096 },
    { 781, 6955, 224, 781, 6955, 256 },         /* one block */
    { 100, 100, 30, 7, 13, 1 },
    { 1, 1, 1, 1, 1, 1 },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (EsCube) cube = make_cube (cases[i].width, cases[i].height, cases[i].bands, cases[i].block_width,
                                           cases[i].block_height);
      const EsLimits limits = { .memory = cases[i].memory << 20 };
      const gsize scratch = 100, fixed = 1000;
      EsTiling tiling = es_tiling_plan (cube, es_device_get_cpu (), &limits, scratch, fixed);
      guint64 lane = tiling.tile_bytes + tiling.tile_width * tiling.tile_height * scratch + fixed;

      g_assert_cmpuint (tiling.lanes, >=, 1);
      g_assert_cmpuint (tiling.tiles, >=, 1);
      g_assert_cmpuint (tiling.tile_bytes, ==, tiling.tile_width * tiling.tile_height * cases[i].bands * 2);
      g_assert_cmpuint (tiling.lanes * lane, <=, limits.memory);
    }
}

typedef struct
{
  guint64  width, height;
  guint8  *seen;
  EsCubeWindow last;
} Seen;

static gboolean
see_tile (gpointer lane, const EsLaneContext *context, const EsCubeWindow *window, const EskTile *tile,
          const guint8 *valid, gpointer data, GError **error)
{
  return TRUE;
}

static gboolean
see_merge (gpointer lane, const EsLaneContext *context, const EsCubeWindow *window, gpointer data, GError **error)
{
  Seen *seen = data;

  g_assert_cmpuint (window->width, >, 0);
  g_assert_cmpuint (window->height, >, 0);
  g_assert_cmpuint (window->x + window->width, <=, seen->width);
  g_assert_cmpuint (window->y + window->height, <=, seen->height);
  for (guint64 y = window->y; y < window->y + window->height; y++)
    for (guint64 x = window->x; x < window->x + window->width; x++)
      seen->seen[y * seen->width + x]++;
  return TRUE;
}

static EsResult *
run_pass (EsJob *job, EsDataset *dataset, EsParams *params, GError **error)
{
  static const EsPass pass = { NULL, NULL, see_tile, see_merge, NULL };
  EsCube *cube = ES_CUBE (dataset);
  EsTiling tiling = es_tiling_plan (cube, es_job_get_device (job), es_job_get_limits (job), 0, 0);
  Seen seen = { .width = es_cube_get_width (cube), .height = es_cube_get_height (cube) };

  seen.seen = g_new0 (guint8, seen.width * seen.height);
  g_assert_true (es_pass_run (job, cube, &tiling, NULL, &pass, &seen, error));
  for (guint64 p = 0; p < seen.width * seen.height; p++)
    g_assert_cmpuint (seen.seen[p], ==, 1);
  g_free (seen.seen);
  return es_result_new (es_job_get_operation (job), dataset, params);
}

/* Every pixel once: whole blocks, cut blocks, and what is left at the edges. */
static void
test_every_pixel_once (void)
{
  static const EsParamSpec params[] = { { .type = ES_PARAM_END } };
  static const EsOperation operation = { .id = "see", .title = "See", .short_title = "See", .summary = "See",
                                         .version = 1, .takes = ES_DATASET_CUBE, .params = params,
                                         .run = run_pass };
  static const struct { guint64 width, height; guint bands; guint64 block_width, block_height; } cases[] = {
    { 131, 257, 50, 1, 1 }, { 131, 257, 50, 131, 5 }, { 131, 257, 50, 64, 64 }, { 131, 257, 500, 64, 64 },
    { 131, 257, 500, 131, 257 }, { 257, 13, 500, 257, 4 }, { 1, 700, 300, 1, 600 }, { 900, 1, 2000, 900, 1 },
  };
  const EsLimits limits = { .memory = 2 << 20 };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (EsCube) cube = make_cube (cases[i].width, cases[i].height, cases[i].bands, cases[i].block_width,
                                           cases[i].block_height);
      g_autoptr (EsParams) none = es_params_new (params);
      g_autoptr (EsJob) job = es_job_new (&operation, ES_DATASET (cube), none, es_device_get_cpu (), &limits, NULL);
      g_autoptr (GError) error = NULL;
      g_autoptr (EsResult) result = es_job_run (job, &error);

      g_assert_no_error (error);
      g_assert_nonnull (result);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/pass/tiling", test_tiling);
  g_test_add_func ("/pass/every-pixel-once", test_every_pixel_once);
  return g_test_run ();
}
