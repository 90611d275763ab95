/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * Whole analyses on GPUs: a cube that is on the card, in page-locked memory, in a file that is in the system's cache,
 * and one that is larger than the memory allowed. Medians; beside each the time that its bytes take over the link as
 * measured in the same run.
 *
 *   bench-gpu [--device ID] [--repeats N] [--scale N] [NAME ...]
 *
 * Names: first, resident, pinned, file, float, fastica, mnf, large, beams, beams-file, adaptive, jacobi. --scale 4: a
 * quarter of the lines, for a quick look.
 */
#include "config.h"

#include <glib/gstdio.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "bench-gpu.h"
#include "device/es-buffer-internal.h"
#include "device/es-device-internal.h"
#include "cube/es-cube-internal.h"
#include "layer/es-device-plane.h"
#include "job/es-job-internal.h"
#include "readers/es-open.h"
#include "resident/es-resident.h"
#include "operations/es-operations.h"

#define SPECTRA 6
#define WARM_UP_US 400000

typedef struct
{
  EsDevice *device;
  int       repeats;
  guint     scale;
  double    upload;            /* bytes a second, one card */
} Bench;

typedef struct
{
  guint8  *samples;
  EskType  type;
  gsize    pixels, first, n;
  guint    bands;
  float   *spectra;            /* SPECTRA x bands */
} Part;

static guint32
scramble (guint64 x)
{
  x ^= x >> 31;
  x *= G_GUINT64_CONSTANT (0x9e3779b97f4a7c15);
  x ^= x >> 29;
  x *= G_GUINT64_CONSTANT (0xbf58476d1ce4e5b9);
  return (guint32) (x >> 32);
}

/* A few spectra in smoothly varying shares, and noise. */
static gpointer
fill_part (gpointer data)
{
  Part *part = data;
  g_autofree float *share = g_new (float, part->n * SPECTRA);

  for (gsize i = 0; i < part->n; i++)
    for (guint k = 0; k < SPECTRA; k++)
      share[i * SPECTRA + k] = (1 + sinf ((part->first + i) * 1e-4f * (k + 1) + k)) / (1 << k);
  for (guint b = 0; b < part->bands; b++)
    for (gsize i = 0; i < part->n; i++)
      {
        gsize at = b * part->pixels + part->first + i;
        float value = 40 + (scramble (at) & 0xffff) * (4.0f / 65536);

        for (guint k = 0; k < SPECTRA; k++)
          value += share[i * SPECTRA + k] * part->spectra[k * part->bands + b];
        if (part->type == ESK_U8)
          part->samples[at] = (guint8) CLAMP (value, 0, 255);
        else if (part->type == ESK_I16)
          ((gint16 *) part->samples)[at] = (gint16) (value * 40);
        else
          ((float *) part->samples)[at] = value;
      }
  return NULL;
}

static guint8 *
make_samples (EskType type, gsize pixels, guint bands)
{
  guint8 *samples = g_malloc (pixels * bands * esk_type_size (type));
  g_autofree float *spectra = g_new (float, SPECTRA * bands);
  guint n_parts = g_get_num_processors ();
  g_autofree Part *parts = g_new0 (Part, n_parts);
  g_autofree GThread **threads = g_new0 (GThread *, n_parts);

  for (guint k = 0; k < SPECTRA; k++)
    for (guint b = 0; b < bands; b++)
      spectra[k * bands + b] = 25 * (1 + sinf (b * 0.02f * (k + 1) + 2 * k));
  for (guint i = 0; i < n_parts; i++)
    {
      gsize first = pixels * i / n_parts, end = pixels * (i + 1) / n_parts;

      parts[i] = (Part) { samples, type, pixels, first, end - first, bands, spectra };
      threads[i] = g_thread_new ("fill", fill_part, &parts[i]);
    }
  for (guint i = 0; i < n_parts; i++)
    g_thread_join (threads[i]);
  return samples;
}

/* In page-locked memory. */
static EsCube *
make_cube (Bench *bench, EskType type, guint64 width, guint64 height, guint bands)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GFile) file = g_file_new_for_path ("/nowhere/bench.img");
  guint8 *samples = make_samples (type, width * height, bands);
  EsCubeInfo info = { .width = width, .height = height, .bands = bands, .type = type, .default_bands = { -1, -1, -1 },
                      .format_name = g_strdup ("memory") };

  info.source = es_memory_source_new (samples, type, 1, width, width * height, bands, samples, g_free);
  g_autoptr (EsCube) cube = es_cube_new (file, &info, &error);
  EsCube *staged = cube != NULL ? es_cube_copy_to_staging (cube, es_device_get_member (bench->device, 0), "bsq", NULL,
                                                           &error)
                                : NULL;

  if (staged == NULL)
    g_error ("no cube: %s", error->message);
  return staged;
}

/* what: "fastica components=27 g=cubic". */
static EsResult *
run_analysis (Bench *bench, EsDataset *cube, const EsLimits *limits, const char *what)
{
  g_auto (GStrv) words = g_strsplit (what, " ", -1);
  g_autoptr (GError) error = NULL;
  const EsOperation *operation = es_operation_find (words[0], &error);
  g_autoptr (EsParams) params = operation != NULL ? es_params_new (operation->params) : NULL;
  g_autoptr (EsJob) job = NULL;
  EsResult *result;

  for (guint i = 1; params != NULL && words[i] != NULL && error == NULL; i++)
    {
      char *value = strchr (words[i], '=');

      *value = '\0';
      es_params_parse (params, words[i], value + 1, &error);
    }
  if (error != NULL)
    g_error ("%s", error->message);
  job = es_job_new (operation, cube, params, bench->device, limits, NULL);
  result = es_job_run (job, &error);
  if (result == NULL)
    g_error ("%s", error->message);
  /* What a job has to tell holds it, and with it what lies on the card. */
  while (g_main_context_iteration (NULL, FALSE))
    ;
  return result;
}

static int
compare_doubles (const void *a, const void *b)
{
  double x = *(const double *) a, y = *(const double *) b;

  return (x > y) - (x < y);
}

static double
median (double *values, int n)
{
  qsort (values, n, sizeof *values, compare_doubles);
  return n % 2 == 1 ? values[n / 2] : (values[n / 2 - 1] + values[n / 2]) / 2;
}

/* What one analysis does first: whether the cube is on the card when it begins, and whether the first component is
 * made ready for the screen. */
typedef enum { WARM = 1, TO_PICTURE = 2, STAGES = 4 } How;

static double
time_analysis (Bench *bench, const char *name, EsDataset *cube, const EsLimits *limits, const char *what, How how,
               double floor_ms)
{
  g_autofree double *ms = g_new0 (double, bench->repeats);
  g_autoptr (GString) stages = g_string_new (NULL);
  guint planes = 0;

  const gint64 begun = g_get_monotonic_time ();
  for (int i = -2; i < bench->repeats; i++)
    {
      /* A card that was idle takes a while to reach its clock. */
      if (i == 0 && g_get_monotonic_time () - begun < WARM_UP_US)
        i = -1;
      if ((how & WARM) == 0)
        es_resident_clear (bench->device);
      gint64 start = g_get_monotonic_time ();
      g_autoptr (EsResult) result = run_analysis (bench, cube, limits, what);
      GListModel *layers = es_result_get_layers (result);
      g_autoptr (EsImageStack) stack = g_list_model_get_item (layers, 0);

      if (how & TO_PICTURE)
        {
          g_autoptr (EsDevicePlane) plane = es_image_stack_get_device_plane (stack, 0);
          EsDevicePlaneStatistics statistics;

          if (plane == NULL || !es_device_plane_get_statistics (plane, 7, &statistics, NULL))
            g_error ("the component is not on the card");
        }
      if (i >= 0)
        ms[i] = (g_get_monotonic_time () - start) * 1e-3;
      planes = es_image_stack_get_planes (stack);
      g_string_truncate (stages, 0);
      guint n;
      const EsStageTime *times = es_result_get_stages (result, &n);
      for (guint j = 0; j < n; j++)
        if (times[j].ms >= 0.05)
          g_string_append_printf (stages, "%s%s %.2f", stages->len > 0 ? ", " : "", times[j].name, times[j].ms);
    }

  double middle = median (ms, bench->repeats);
  printf ("%-46s %9.2f ms", name, middle);
  if (floor_ms > 0)
    printf ("   bytes %8.2f ms, x %.2f", floor_ms, middle / floor_ms);
  printf ("   (%u components, fastest %.2f ms; %s)\n", planes, ms[0], stages->str);
  fflush (stdout);
  return middle;
}

static void
measure_upload (Bench *bench)
{
  const gsize bytes = (gsize) 1 << 30;
  EsDevice *device = es_device_get_member (bench->device, 0);
  const EskHotspots *hotspots = es_device_get_hotspots (device);
  g_autoptr (EsBuffer) buffer = es_buffer_new (device, bytes, NULL);
  void *staging = es_staging_take (device, bytes);
  EskStream *stream = es_device_take_stream (device);
  double ms[7];

  if (buffer == NULL || staging == NULL || stream == NULL)
    g_error ("no memory to measure the link with");
  memset (staging, 0x5a, bytes);
  for (int i = 0; i < 7; i++)
    {
      gint64 start = g_get_monotonic_time ();
      if (hotspots->device->upload (stream, es_buffer_get_data (buffer), staging, bytes) != ESK_OK
          || hotspots->device->wait (stream) != ESK_OK)
        g_error ("upload: %s", hotspots->stream->last_error (stream));
      ms[i] = (g_get_monotonic_time () - start) * 1e-3;
    }
  es_device_give_stream (device, stream);
  es_staging_give (device, staging, bytes);
  bench->upload = bytes / (median (ms, 7) * 1e-3);
  printf ("%-46s %9.1f GB/s\n", "upload of 1 GiB from page-locked memory", bench->upload * 1e-9);
}

static double
upload_ms (Bench *bench, EsCube *cube)
{
  return es_cube_get_bytes (cube) / bench->upload * 1e3;
}

static void
bench_link_and_card (Bench *bench, EskType type, gboolean pinned, gboolean resident)
{
  g_autoptr (EsCube) cube = make_cube (bench, type, 781, 6955 / bench->scale, 224);
  g_autofree char *on_card = g_strdup_printf ("%s 781 x %u x 224 on the card", esk_type_name (type),
                                              6955 / bench->scale);
  g_autofree char *locked = g_strdup_printf ("%s 781 x %u x 224 page-locked", esk_type_name (type),
                                             6955 / bench->scale);

  if (resident)
    time_analysis (bench, on_card, ES_DATASET (cube), NULL, "pca components=27", WARM, 0);
  if (resident)
    time_analysis (bench, on_card, ES_DATASET (cube), NULL, "pca", WARM, 0);
  if (pinned)
    time_analysis (bench, locked, ES_DATASET (cube), NULL, "pca components=27", 0, upload_ms (bench, cube));
  es_resident_clear (bench->device);
}

static void
bench_reductions (Bench *bench, EsCube *cube, const char *const *analyses)
{
  for (guint i = 0; analyses[i] != NULL; i++)
    {
      time_analysis (bench, analyses[i], ES_DATASET (cube), NULL, analyses[i], 0, upload_ms (bench, cube));
      time_analysis (bench, "  the same, the cube on the card", ES_DATASET (cube), NULL, analyses[i], WARM, 0);
    }
  es_resident_clear (bench->device);
}

/* Thirty steps whatever the data, from page-locked memory and from the card's. */
static void
bench_fastica (Bench *bench)
{
  static const char *const analyses[] = {
    "fastica components=27 g=cubic moments=always iterations=30 tolerance=1e-10",
    "fastica components=27 g=cubic moments=never iterations=30 tolerance=1e-10",
    "fastica components=27 g=cubic iterations=30 tolerance=1e-10",
    "fastica components=27 g=tanh iterations=30 tolerance=1e-10",
    "fastica components=27 approach=deflation g=cubic iterations=30 tolerance=1e-10",
    "fastica components=10 g=cubic iterations=30 tolerance=1e-10",
    NULL
  };
  g_autoptr (EsCube) cube = make_cube (bench, ESK_I16, 781, 6955 / bench->scale, 224);

  bench_reductions (bench, cube, analyses);
}

static void
bench_mnf (Bench *bench)
{
  static const char *const analyses[] = {
    "pca components=27",
    "mnf keep=count components=27",
    "mnf keep=count components=27 overlap=yes",
    "mnf keep=count components=27 noise=mean-residual",
    "mnf keep=count components=27 noise=median-residual",
    NULL
  };
  const EskType types[] = { ESK_U8, ESK_I16, ESK_F32 };

  for (guint i = 0; i < G_N_ELEMENTS (types); i++)
    {
      g_autoptr (EsCube) cube = make_cube (bench, types[i], 781, 6955 / bench->scale, 224);

      printf ("%s 781 x %u x 224\n", esk_type_name (types[i]), 6955 / bench->scale);
      bench_reductions (bench, cube, analyses);
    }
}

static void
bench_file (Bench *bench)
{
  const guint width = 781, height = 6955 / bench->scale, bands = 224;
  g_autofree char *directory = g_dir_make_tmp ("eigenscope-bench-XXXXXX", NULL);
  g_autofree char *path = g_build_filename (directory, "cube.img", NULL);
  g_autofree char *header_path = g_build_filename (directory, "cube.hdr", NULL);
  g_autofree char *header = g_strdup_printf ("ENVI\nsamples = %u\nlines = %u\nbands = %u\nheader offset = 0\n"
                                             "data type = 2\ninterleave = bsq\nbyte order = 0\n",
                                             width, height, bands);
  g_autofree guint8 *samples = make_samples (ESK_I16, (gsize) width * height, bands);
  g_autoptr (GFile) file = g_file_new_for_path (path);
  g_autoptr (GError) error = NULL;
  FILE *stream = g_fopen (path, "wb");

  if (stream == NULL || fwrite (samples, 2, (gsize) width * height * bands, stream) != (gsize) width * height * bands
      || fclose (stream) != 0 || !g_file_set_contents (header_path, header, -1, NULL))
    g_error ("%s cannot be written", path);
  g_autoptr (EsDataset) cube = es_dataset_open (file, NULL, NULL, &error);
  if (cube == NULL)
    g_error ("%s", error->message);

  time_analysis (bench, "int16 file in the cache, to a ready picture", cube, NULL, "pca components=27", TO_PICTURE,
                 upload_ms (bench, ES_CUBE (cube)));
  es_resident_clear (bench->device);
  g_unlink (path);
  g_unlink (header_path);
  g_rmdir (directory);
}

/* What is made once a process: the card's start, and what the first analysis finds not to be there yet. Before anything
 * else has used the card. */
static void
bench_first (Bench *bench)
{
  const EskType type = ESK_I16;
  const gsize pixels = (gsize) 781 * (6955 / bench->scale);
  g_autoptr (GFile) file = g_file_new_for_path ("/nowhere/first.img");
  g_autoptr (GError) error = NULL;
  guint8 *samples = make_samples (type, pixels, 224);
  EsCubeInfo info = { .width = 781, .height = 6955 / bench->scale, .bands = 224, .type = type,
                      .default_bands = { -1, -1, -1 }, .format_name = g_strdup ("memory") };
  double ms[4];

  info.source = es_memory_source_new (samples, type, 1, 781, pixels, 224, samples, g_free);
  g_autoptr (EsCube) cube = es_cube_new (file, &info, &error);
  if (cube == NULL)
    g_error ("%s", error->message);

  gint64 start = g_get_monotonic_time ();
  if (!es_device_prepare (bench->device, &error))
    g_error ("%s", error->message);
  printf ("%-46s %9.2f ms\n", "start of the device", (g_get_monotonic_time () - start) * 1e-3);
  for (guint i = 0; i < G_N_ELEMENTS (ms); i++)
    {
      start = g_get_monotonic_time ();
      g_autoptr (EsResult) result = run_analysis (bench, ES_DATASET (cube), NULL, "pca components=27");
      ms[i] = (g_get_monotonic_time () - start) * 1e-3;
      es_resident_clear (bench->device);
    }
  printf ("%-46s %9.2f ms, second %.2f ms, %.2f ms apart; third %.2f, fourth %.2f ms\n",
          "first analysis after it, from ordinary memory", ms[0], ms[1], ms[0] - ms[1], ms[2], ms[3]);
  fflush (stdout);
}

static void
bench_float (Bench *bench)
{
  g_autoptr (EsCube) cube = make_cube (bench, ESK_F32, 614, 1087, 224);

  time_analysis (bench, "float32 614 x 1087 x 224 on the card", ES_DATASET (cube), NULL, "pca components=27", WARM, 0);
  time_analysis (bench, "float32 614 x 1087 x 224 page-locked", ES_DATASET (cube), NULL, "pca components=27", 0,
                 upload_ms (bench, cube));
  es_resident_clear (bench->device);
}

static void
bench_large (Bench *bench)
{
  const EsLimits limits = { .device_memory = 1000000000 };
  g_autoptr (EsCube) cube = make_cube (bench, ESK_I16, 1562, 13910 / bench->scale, 224);
  EsDevice *device = bench->device;
  double all = 0, one;

  if (es_device_get_n_members (device) > 1)
    all = time_analysis (bench, "int16 1562 x 13910 x 224, 1 GB a card, all", ES_DATASET (cube), &limits, "pca", 0, 0);
  bench->device = es_device_get_member (device, 0);
  one = time_analysis (bench, "int16 1562 x 13910 x 224, 1 GB allowed", ES_DATASET (cube), &limits, "pca", 0,
                       2 * upload_ms (bench, cube));
  bench->device = device;
  if (all > 0)
    {
      printf ("%-46s %9.2f\n", "one card / all cards, streamed", one / all);
      all = time_analysis (bench, "int16 1562 x 13910 x 224, all cards", ES_DATASET (cube), NULL, "pca", 0, 0);
      bench->device = es_device_get_member (device, 0);
      one = time_analysis (bench, "int16 1562 x 13910 x 224, one card", ES_DATASET (cube), NULL, "pca", 0,
                           upload_ms (bench, cube));
      bench->device = device;
      printf ("%-46s %9.2f\n", "one card / all cards, kept on the cards", one / all);
    }
}

static gboolean
wanted (char **names, const char *name)
{
  return names == NULL || names[0] == NULL || g_strv_contains ((const char *const *) names, name);
}

int
main (int argc, char **argv)
{
  g_autofree char *id = NULL;
  g_auto (GStrv) names = NULL;
  int scale = 1;
  Bench bench = { .repeats = 9 };
  GOptionEntry entries[] = {
    { "device", 0, 0, G_OPTION_ARG_STRING, &id, NULL, NULL },
    { "repeats", 0, 0, G_OPTION_ARG_INT, &bench.repeats, NULL, NULL },
    { "scale", 0, 0, G_OPTION_ARG_INT, &scale, NULL, NULL },
    { G_OPTION_REMAINING, 0, 0, G_OPTION_ARG_STRING_ARRAY, &names, NULL, NULL },
    G_OPTION_ENTRY_NULL
  };
  g_autoptr (GOptionContext) context = g_option_context_new (NULL);
  g_autoptr (GError) error = NULL;
  EsDeviceStatus status;

  g_option_context_add_main_entries (context, entries, NULL);
  if (!g_option_context_parse (context, &argc, &argv, &error))
    {
      fprintf (stderr, "bench-gpu: %s\n", error->message);
      return 2;
    }
  bench.scale = MAX (scale, 1);
  bench.repeats = MAX (bench.repeats, 1);
  bench.device = es_device_find (id != NULL ? id : "cuda:0", &error);
  if (bench.device == NULL)
    {
      fprintf (stderr, "bench-gpu: %s\n", error->message);
      return 77;
    }
  printf ("%s, %s\n", es_device_get_name (bench.device), es_device_get_detail (bench.device));
  if (wanted (names, "first"))
    bench_first (&bench);
  es_device_get_status (es_device_get_member (bench.device, 0), &status);
  measure_upload (&bench);
  if (wanted (names, "resident") || wanted (names, "pinned"))
    {
      bench_link_and_card (&bench, ESK_U8, wanted (names, "pinned"), wanted (names, "resident"));
      bench_link_and_card (&bench, ESK_I16, wanted (names, "pinned"), wanted (names, "resident"));
      bench_link_and_card (&bench, ESK_F32, wanted (names, "pinned"), wanted (names, "resident"));
    }
  if (wanted (names, "float"))
    bench_float (&bench);
  if (wanted (names, "file"))
    bench_file (&bench);
  if (wanted (names, "fastica"))
    bench_fastica (&bench);
  if (wanted (names, "mnf"))
    bench_mnf (&bench);
  if (wanted (names, "large"))
    bench_large (&bench);
  if (wanted (names, "beams"))
    bench_beams (es_device_get_member (bench.device, 0), bench.repeats);
  if (wanted (names, "beams-file"))
    bench_beams_of_files (es_device_get_member (bench.device, 0), bench.repeats);
  if (wanted (names, "adaptive"))
    bench_adaptive (es_device_get_member (bench.device, 0), bench.repeats);
  if (wanted (names, "jacobi"))
    bench_jacobi (es_device_get_member (bench.device, 0), bench.repeats);
  es_devices_stop ();
  return 0;
}
