/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* Files in which bands lie one after the other, brought to cards (of host memory: tests/kernels/fake) run by
 * run: as they come tile by tile. */

#include <fcntl.h>
#include <glib/gstdio.h>
#include <math.h>
#include <string.h>
#include <unistd.h>

#include "base/es-error.h"
#include "resident/es-resident-internal.h"
#include "device/es-buffer-internal.h"
#include "job/es-job-internal.h"
#include "raw/es-raw-internal.h"
#include "result/es-result-internal.h"

typedef struct
{
  EskType type;
  gboolean is_swapped;
  guint64 width, height;
  guint   bands, n_selected, step;         /* bands 0, step, 2 step ... */
  double  no_data;
  gboolean has_mask;
} Scene;

static gboolean
scene_read_mask (EsSampleSource *self, gpointer handle, const guint32 *bands, gsize n, const EsCubeWindow *window,
                 guint8 *mask, GError **error)
{
  for (guint64 i = 0; i < window->width * window->height; i++)
    if ((window->x + i % window->width + 3 * (window->y + i / window->width)) % 11 == 0)
      mask[i] = 0;
  return TRUE;
}

/* A file that is read as it lies; every 13th float is no number. */
static EsCube *
open_scene (const Scene *scene, const char *path, gboolean in_runs)
{
  const int fd = g_open (path, O_RDONLY | O_CLOEXEC, 0);
  EsCubeInfo info = { .width = scene->width, .height = scene->height, .bands = scene->bands, .type = scene->type,
                      .default_bands = { -1, -1, -1 } };
  g_autoptr (GError) error = NULL;

  g_assert_cmpint (fd, >=, 0);
  info.source = es_raw_source_new (fd, "scene", 5, ES_INTERLEAVE_BSQ, scene->type, scene->is_swapped, scene->width,
                                   scene->height, scene->bands);
  g_assert_true (info.source->by_bytes);
  g_assert_true (info.source->bands_in_runs);
  info.source->bands_in_runs = in_runs;
  if (scene->has_mask)
    info.source->read_mask = scene_read_mask;
  EsCube *cube = es_cube_new (NULL, &info, &error);
  g_assert_no_error (error);
  return cube;
}

static void
write_scene (const Scene *scene, const char *path)
{
  const gsize size = esk_type_size (scene->type), n = scene->width * scene->height * scene->bands;
  g_autofree guint8 *contents = g_malloc0 (5 + n * size);

  for (gsize i = 0; i < n; i++)
    if (scene->type == ESK_F32)
      {
        const float value = i % 13 == 0 ? NAN : (float) i;
        memcpy (contents + 5 + i * size, &value, size);
      }
    else
      for (gsize k = 0; k < size; k++)
        contents[5 + i * size + k] = (guint8) (i * 7 + k * 31 + i / 255);
  g_assert_true (g_file_set_contents (path, (const char *) contents, (gssize) (5 + n * size), NULL));
}

static gboolean
bring_tile (gpointer lane, const EsLaneContext *context, const EsCubeWindow *window, const EskTile *tile,
            const guint8 *valid, gpointer data, GError **error)
{
  g_atomic_int_inc ((int *) data);
  return TRUE;
}

static const EskSelection *bring_selection;

static EsResult *
run_bring (EsJob *job, EsDataset *dataset, EsParams *params, GError **error)
{
  static const EsPass pass = { .tile = bring_tile };
  const EsTiling tiling = es_tiling_plan (ES_CUBE (dataset), es_job_get_device (job), es_job_get_limits (job), 0, 0);
  int calls = 0;

  g_assert_true (tiling.resident);
  if (!es_pass_run (job, ES_CUBE (dataset), &tiling, bring_selection, &pass, &calls, error))
    return NULL;
  g_assert_cmpint (calls, >=, 1);
  g_assert_cmpint (calls, <=, 2);
  return es_result_new (es_job_get_operation (job), dataset, params);
}

static const EsParamSpec no_params[] = { { .type = ES_PARAM_END } };
static const EsOperation bringing = { .id = "bring", .title = "Bring", .short_title = "Bring", .summary = "Bring",
                                      .version = 1, .takes = ES_DATASET_CUBE, .params = no_params, .run = run_bring };

static void
bring (EsCube *cube, EsDevice *device, const EskSelection *selection, const EsLimits *limits)
{
  g_autoptr (EsParams) none = es_params_new (no_params);
  g_autoptr (EsJob) job = es_job_new (&bringing, ES_DATASET (cube), none, device, limits, NULL);
  g_autoptr (GError) error = NULL;

  bring_selection = selection;
  g_autoptr (EsResult) result = es_job_run (job, &error);
  g_assert_no_error (error);
  JsonObject *upload = json_object_get_object_member (es_result_get_values (result), "upload");
  const gint64 bytes = json_object_get_int_member (upload, "threads") * json_object_get_int_member (upload, "pieces")
                       * json_object_get_int_member (upload, "piece_bytes");
  g_assert_cmpint (bytes, >, 0);
  if (limits != NULL && limits->memory > 0)
    g_assert_cmpint (bytes, <=, limits->memory);
  while (g_main_context_iteration (NULL, FALSE))
    ;
}

/* The same planes and the same valid pixels lie on the cards, in whichever order they came. */
static void
compare_residents (EsCube *cube, EsCube *other, EsDevice *device, const EskSelection *selection)
{
  const guint n = es_device_get_n_members (device);

  for (guint i = 0; i < n; i++)
    {
      guint64 top, rows;

      es_cube_get_share (cube, n, i, &top, &rows);
      if (rows == 0)
        continue;
      g_autoptr (EsResident) a = es_resident_lookup (cube, es_device_get_member (device, i), selection, top, rows);
      g_autoptr (EsResident) b = es_resident_lookup (other, es_device_get_member (device, i), selection, top, rows);
      const gsize pixels = rows * es_cube_get_width (cube), size = esk_type_size (es_cube_get_type_code (cube));

      g_assert_nonnull (a);
      g_assert_nonnull (b);
      g_assert_cmpint (a->valid != NULL, ==, b->valid != NULL);
      if (a->valid != NULL)
        g_assert_cmpmem (a->valid, pixels, b->valid, pixels);
      for (gsize k = 0; k < selection->n_bands; k++)
        g_assert_cmpmem ((const guint8 *) a->planes.data + k * (gsize) a->planes.band_stride * size, pixels * size,
                         (const guint8 *) b->planes.data + k * (gsize) b->planes.band_stride * size, pixels * size);
    }
}

static void
test_bands (void)
{
  static const Scene scenes[] = {
    { ESK_I16, FALSE, 781, 3001, 5, 3, 2, NAN, FALSE },      /* several pieces a band */
    { ESK_I16, TRUE, 100, 90, 60, 60, 1, NAN, FALSE },       /* several bands a piece */
    { ESK_F32, FALSE, 131, 257, 40, 13, 3, 5, FALSE },
    { ESK_F32, FALSE, 701, 900, 4, 4, 1, NAN, TRUE },
    { ESK_U8, FALSE, 97, 33, 200, 199, 1, 7, TRUE },
    { ESK_U8, FALSE, 2200000, 3, 2, 2, 1, NAN, FALSE },      /* a row is more than a piece */
    { ESK_F32, FALSE, 700032, 1, 3, 2, 2, 7, TRUE },
    { ESK_I16, TRUE, 300032, 33, 1, 1, 1, 5, TRUE },
    { ESK_I16, FALSE, 1, 1, 3, 2, 1, NAN, FALSE },
  };
  static const char *const devices[] = { "cuda:0", "cuda:all" };
  g_autofree char *directory = g_dir_make_tmp ("es-bands-XXXXXX", NULL);
  g_autofree char *path = g_build_filename (directory, "scene.img", NULL);

  for (guint s = 0; s < G_N_ELEMENTS (scenes); s++)
    {
      const Scene *scene = &scenes[s];
      g_autofree guint32 *bands = g_new (guint32, scene->n_selected);
      g_autofree double *no_data = g_new (double, scene->n_selected);
      const EskSelection selection = { .bands = bands, .n_bands = scene->n_selected, .no_data = no_data };

      for (guint b = 0; b < scene->n_selected; b++)
        {
          bands[b] = b * scene->step;
          no_data[b] = b == 1 ? scene->no_data : NAN;
        }
      write_scene (scene, path);
      for (guint d = 0; d < G_N_ELEMENTS (devices); d++)
        {
          EsDevice *device = es_device_find (devices[d], NULL);
          g_autoptr (EsCube) tiles = open_scene (scene, path, FALSE);

          bring (tiles, device, &selection, NULL);
          for (guint64 memory = 0; memory <= 8 << 20; memory += 4 << 20)
            {
              const EsLimits limits = { .memory = memory };
              g_autoptr (EsCube) runs = open_scene (scene, path, TRUE);

              bring (runs, device, &selection, &limits);
              compare_residents (runs, tiles, device, &selection);
            }
        }
    }
  g_unlink (path);
  g_rmdir (directory);
}

/* Where one card has its rows already, the others are brought theirs, and that is told (in bring ()). */
static void
test_bands_partly (void)
{
  static const Scene scene = { ESK_I16, FALSE, 300, 2000, 6, 3, 1, NAN, FALSE };
  static const guint32 bands[] = { 0, 1, 2 };
  const EskSelection selection = { .bands = bands, .n_bands = 3 };
  g_autofree char *directory = g_dir_make_tmp ("es-bands-XXXXXX", NULL);
  g_autofree char *path = g_build_filename (directory, "scene.img", NULL);

  write_scene (&scene, path);
  g_autoptr (EsCube) tiles = open_scene (&scene, path, FALSE), runs = open_scene (&scene, path, TRUE);
  bring (tiles, es_device_find ("cuda:all", NULL), &selection, NULL);
  bring (runs, es_device_find ("cuda:0", NULL), &selection, NULL);
  bring (runs, es_device_find ("cuda:all", NULL), &selection, NULL);
  compare_residents (runs, tiles, es_device_find ("cuda:all", NULL), &selection);
  g_unlink (path);
  g_rmdir (directory);
}

/* A file that is cut short meanwhile. */
static void
test_bands_cut (void)
{
  static const Scene scene = { ESK_I16, FALSE, 300, 2000, 6, 6, 1, NAN, FALSE };
  static const guint32 bands[] = { 0, 1, 2, 3, 4, 5 };
  const EskSelection selection = { .bands = bands, .n_bands = 6 };
  g_autofree char *directory = g_dir_make_tmp ("es-bands-XXXXXX", NULL);
  g_autofree char *path = g_build_filename (directory, "scene.img", NULL);
  g_autoptr (EsParams) none = es_params_new (no_params);
  EsDevice *device = es_device_find ("cuda:0", NULL);
  const guint64 before = es_buffers_get_used (device);
  g_autoptr (GError) error = NULL;

  write_scene (&scene, path);
  g_autoptr (EsCube) cube = open_scene (&scene, path, TRUE);
  g_assert_cmpint (truncate (path, 300 * 2000 * 2 * 4), ==, 0);
  {
    g_autoptr (EsJob) job = es_job_new (&bringing, ES_DATASET (cube), none, device, NULL, NULL);
    bring_selection = &selection;
    g_assert_null (es_job_run (job, &error));
  }
  g_assert_error (error, ES_DATA_ERROR, ES_DATA_ERROR_TRUNCATED);
  while (g_main_context_iteration (NULL, FALSE))
    ;
  g_assert_false (es_resident_is_on (cube, device));
  g_assert_cmpuint (es_buffers_get_used (device), ==, before);
  g_unlink (path);
  g_rmdir (directory);
}

int
main (int argc, char **argv)
{
  int status;

  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/pass-bands/same", test_bands);
  g_test_add_func ("/pass-bands/partly", test_bands_partly);
  g_test_add_func ("/pass-bands/cut", test_bands_cut);
  status = g_test_run ();
  es_devices_stop ();
  return status;
}
