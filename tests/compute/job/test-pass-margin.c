/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* Passes whose tiles need their neighbours, on the CPU and on one card to three: every pixel and every residual
 * once. */

#include <stdlib.h>

#include "job/es-job-internal.h"
#include "job/es-pass-private.h"
#include "resident/es-resident.h"
#include "result/es-result-internal.h"
#include "es-test-devices.h"

/* Sample (x, y, band) is x + y * width + band, modulo 2^15. */
typedef struct
{
  EsSampleSource parent;
  guint64        width;
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

/* What a pass has seen. */
typedef struct
{
  EskMargin  margin;
  guint64    width, height;
  guint32    bands[64];
  guint      n_bands;
  gsize      scratch;
  GMutex     lock;
  guint8    *own, *residual;
  guint      seams, merged, tiles;
  gboolean   columns;              /* some tile had a neighbour beside it */
} Look;

static Look *present;
static gboolean ordered;

static gpointer
look_lane_new (const EsLaneContext *context, const EsTiling *tiling, gpointer data, GError **error)
{
  return g_new0 (guint64, 1);
}

/* A count of every pixel of the window, and of every residual that the tile holds all neighbours of. */
static gboolean
look_tile (gpointer lane, const EsLaneContext *context, const EsCubeWindow *window, const EskTile *tile,
           const guint8 *valid, gpointer data, GError **error)
{
  Look *look = data;
  const EskMargin *has = &context->margin, *wanted = &look->margin;
  const guint64 x0 = window->x - has->left, y0 = window->y - has->top;
  const gboolean packed = es_device_get_kind (context->device) == ES_DEVICE_GPU;

  g_assert_cmpuint (tile->width, ==, has->left + window->width + has->right);
  g_assert_cmpuint (tile->height, ==, has->top + window->height + has->bottom);
  g_assert_true (!context->seam || !packed);
  /* The card's memory is the host's, once all is there. */
  g_assert_cmpint (esk_hotspots_wait (context->hotspots, context->stream), ==, ESK_OK);
  for (guint b = 0; b < look->n_bands; b += MAX (look->n_bands - 1, 1))
    for (guint64 y = 0; y < tile->height; y++)
      for (guint64 x = 0; x < tile->width; x += MAX (tile->width - 1, 1))
        g_assert_cmpint (((const gint16 *) tile->data)[x * tile->column_stride + y * tile->row_stride
                                                       + (packed ? b : look->bands[b]) * tile->band_stride], ==,
                         sample_at (look->width, x0 + x, y0 + y, look->bands[b]));

  g_mutex_lock (&look->lock);
  look->tiles++;
  look->seams += context->seam;
  look->columns = look->columns || has->left > 0 || has->right > 0;
  for (guint64 y = window->y; !context->seam && y < window->y + window->height; y++)
    for (guint64 x = window->x; x < window->x + window->width; x++)
      look->own[y * look->width + x]++;
  for (guint64 y = wanted->top; y + wanted->bottom < tile->height; y++)
    for (guint64 x = wanted->left; x + wanted->right < tile->width; x++)
      look->residual[(y0 + y) * look->width + x0 + x]++;
  g_mutex_unlock (&look->lock);
  return TRUE;
}

static gboolean
look_merge (gpointer lane, const EsLaneContext *context, const EsCubeWindow *window, gpointer data, GError **error)
{
  ((Look *) data)->merged++;
  return TRUE;
}

static EsResult *
run_look (EsJob *job, EsDataset *dataset, EsParams *params, GError **error)
{
  static const EsPass in_order = { look_lane_new, g_free, look_tile, look_merge };
  static const EsPass any_order = { look_lane_new, g_free, look_tile };
  EsCube *cube = ES_CUBE (dataset);
  const EsTiling tiling = es_tiling_plan_with_margin (cube, es_job_get_device (job), es_job_get_limits (job),
                                                      present->scratch, 0, &present->margin);
  const EskSelection selection = { present->bands, present->n_bands, NULL, NULL, NULL };

  if (!es_pass_run (job, cube, &tiling, &selection, ordered ? &in_order : &any_order, present, error))
    return NULL;
  return es_result_new (es_job_get_operation (job), dataset, params);
}

static void
look_at (EsCube *cube, EsDevice *device, guint64 memory, guint64 device_memory, const EskMargin *margin,
         gboolean in_order, gsize scratch, Look *look)
{
  static const EsParamSpec no_params[] = { { .type = ES_PARAM_END } };
  static const EsOperation operation = { .id = "look", .title = "Look", .short_title = "Look", .summary = "Look",
                                         .version = 1, .takes = ES_DATASET_CUBE, .params = no_params,
                                         .run = run_look };
  g_autoptr (EsParams) none = es_params_new (no_params);
  const EsLimits limits = { .memory = memory, .device_memory = device_memory };
  g_autoptr (EsJob) job = es_job_new (&operation, ES_DATASET (cube), none, device, &limits, NULL);
  g_autoptr (GError) error = NULL;
  const guint64 width = es_cube_get_width (cube), height = es_cube_get_height (cube);

  *look = (Look) { .margin = *margin, .width = width, .height = height, .scratch = scratch };
  look->own = g_malloc0 (width * height);
  look->residual = g_malloc0 (width * height);
  look->n_bands = MIN ((es_cube_get_bands (cube) + 1) / 2, G_N_ELEMENTS (look->bands));
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
  for (guint64 y = 0; y < height; y++)
    for (guint64 x = 0; x < width; x++)
      {
        const gboolean inside = x >= margin->left && x + margin->right < width && y >= margin->top
                                && y + margin->bottom < height;
        g_assert_cmpuint (look->own[y * width + x], ==, 1);
        g_assert_cmpuint (look->residual[y * width + x], ==, inside);
      }
  g_assert_cmpuint (look->merged, ==, in_order ? look->tiles : 0);
  g_mutex_clear (&look->lock);
  g_free (look->own);
  g_free (look->residual);
}

static const struct { guint64 width, height; guint bands; guint64 block_width, block_height; } cases[] = {
  { 131, 257, 40, 1, 1 }, { 131, 257, 40, 131, 5 }, { 131, 257, 40, 64, 64 }, { 131, 257, 40, 131, 257 },
  { 257, 33, 50, 257, 16 }, { 257, 34, 50, 1, 1 }, { 257, 49, 50, 1, 1 }, { 1, 700, 30, 1, 1 }, { 2, 17, 3, 1, 1 },
  { 900, 1, 60, 900, 1 }, { 3, 3, 2, 1, 1 }, { 1, 1, 1, 1, 1 }, { 2, 2, 2, 1, 1 }, { 500, 40, 300, 150, 8 },
};

static const EskMargin margins[] = {
  { 1, 1, 1, 1 }, { 0, 0, 1, 0 }, { 0, 0, 0, 1 }, { 0, 0, 1, 1 }, { 2, 3, 1, 2 },
};

static void
run_on (EsDevice *device, guint *seams, gboolean *columns)
{
  const gboolean on_cpu = es_device_is_cpu (device);

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    for (guint m = 0; m < G_N_ELEMENTS (margins); m++)
      for (guint way = on_cpu || m % 3 == 0 ? 0 : 8; way < 8; way += on_cpu && m == 0 ? 1 : 3)
        {
          g_autoptr (EsCube) cube = make_cube (cases[i].width, cases[i].height, cases[i].bands, cases[i].block_width,
                                               cases[i].block_height);
          const guint64 small = way & 1 ? 1 << 20 : 0;
          Look look;

          /* The second time the cube may be on the cards. */
          for (guint again = 0; again < (on_cpu ? 1 : 2); again++)
            {
              look_at (cube, device, on_cpu ? small : 0, on_cpu ? 0 : small, &margins[m], (way & 2) != 0,
                       way & 4 ? 200 : 0, &look);
              *seams += look.seams;
              *columns = *columns || look.columns;
            }
        }
}

static void
test_cpu (void)
{
  guint seams = 0;
  gboolean columns = FALSE;

  run_on (es_device_get_cpu (), &seams, &columns);
  g_assert_cmpuint (seams, ==, 0);
  g_assert_true (columns);
}

static void
test_cards (gconstpointer data)
{
  guint seams = 0;
  gboolean columns = FALSE;

  if (!es_test_in_own_process ("ES_FAKE_DEVICES", data, NULL))
    return;
  EsDevice *device = es_device_find (atoi (data) > 1 ? "cuda:all" : "cuda:0", NULL);
  g_assert_nonnull (device);
  run_on (device, &seams, &columns);
  g_assert_cmpint (seams > 0, ==, es_device_get_n_members (device) > 1);
}

/* The rows of residuals that nobody has, against a count by hand. */
static void
test_seams (void)
{
  g_autoptr (GRand) random = g_rand_new_with_seed (5);

  for (guint round = 0; round < 4000; round++)
    {
      const guint64 height = g_rand_int_range (random, 1, 40);
      const guint n = g_rand_int_range (random, 1, 6);
      const EskMargin margin = { 0, g_rand_int_range (random, 0, 4), 0, g_rand_int_range (random, 0, 4) };
      g_autoptr (EsCube) cube = make_cube (2, height, 1, 1, 1);
      guint64 top[6], rows[6], begin[7], end[7];
      gboolean is_here[6];
      guint8 count[40] = { 0 };

      for (guint i = 0; i < n; i++)
        {
          top[i] = i > 0 ? top[i - 1] + rows[i - 1] : 0;
          rows[i] = i + 1 < n ? g_rand_int_range (random, 0, MIN (height - top[i], 9) + 1) : height - top[i];
          is_here[i] = g_rand_int_range (random, 0, 4) > 0;
          for (guint64 y = top[i]; y < top[i] + rows[i]; y++)
            count[y] += y >= margin.top && y + margin.bottom < height
                        && (!is_here[i] || (y >= top[i] + margin.top && y + margin.bottom < top[i] + rows[i]));
        }
      const guint found = es_seams_find (cube, &margin, n, top, rows, is_here, begin, end);
      g_assert_cmpuint (found, <=, n + 1);
      for (guint i = 0; i < found; i++)
        {
          g_assert_cmpuint (begin[i], <, end[i]);
          for (guint64 y = begin[i]; y < end[i]; y++)
            count[y]++;
        }
      for (guint64 y = 0; y < height; y++)
        g_assert_cmpuint (count[y], ==, y >= margin.top && y + margin.bottom < height);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/pass-margin/seams", test_seams);
  g_test_add_func ("/pass-margin/cpu", test_cpu);
  g_test_add_data_func ("/pass-margin/one-card", "1", test_cards);
  g_test_add_data_func ("/pass-margin/two-cards", "2", test_cards);
  g_test_add_data_func ("/pass-margin/three-cards", "3", test_cards);
  return g_test_run ();
}
