/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/*
 * Beams of a recording of int16 in page-locked memory, or in a file in the system's cache, as the operation and the
 * player form them: a block of one second at 8 kHz after the other, 160 angles, bins 327 to 492 in eight rows of
 * ranges, bins 34 to 326 far away. Beside each the time that a block takes over the link.
 */
#include "bench-gpu.h"

#include <glib/gstdio.h>
#include <stdio.h>

#include "beam/es-beamformer.h"
#include "device/es-buffer-internal.h"
#include "job/es-job-internal.h"
#include "recording/es-recording-internal.h"
#include "operations/es-operations.h"
#include "readers/es-open.h"

#define RATE 8000
#define BLOCKS 40
/* Of a file: 2.1 GB of 16,384 elements. */
#define FILE_BLOCKS 8

typedef struct
{
  EsDevice *device;
  void     *samples;
  gsize     bytes;
} Staging;

static void
staging_free (gpointer data)
{
  Staging *staging = data;

  es_staging_give (staging->device, staging->samples, staging->bytes);
  g_free (staging);
}

static EsRecording *
make_recording (EsDevice *device, guint elements)
{
  Staging *staging = g_new (Staging, 1);
  g_autoptr (GError) error = NULL;
  EsRecording *recording;
  guint64 state = 1;
  gint16 *samples;

  *staging = (Staging) { device, NULL, (gsize) RATE * elements * sizeof (gint16) };
  staging->samples = samples = es_staging_take (device, staging->bytes);
  if (samples == NULL)
    g_error ("no page-locked memory");
  for (gsize k = 0; k < staging->bytes / sizeof *samples; k++)
    {
      state = state * G_GUINT64_CONSTANT (6364136223846793005) + G_GUINT64_CONSTANT (1442695040888963407);
      samples[k] = (gint16) (state >> 50);
    }
  recording = es_recording_new_in_memory (samples, ESK_I16, elements, RATE, RATE, TRUE, staging, staging_free, &error);
  if (recording == NULL)
    g_error ("%s", error->message);
  return recording;
}

/* Seconds of noise, each the one before with other signs here and there. */
static void
write_file (const char *path, guint elements, guint seconds)
{
  const gsize n = (gsize) RATE * elements;
  g_autofree gint16 *samples = g_new (gint16, n);
  FILE *stream = g_fopen (path, "wb");
  guint64 state = 1;
  gboolean done = stream != NULL;

  for (gsize k = 0; k < n; k++)
    {
      state = state * G_GUINT64_CONSTANT (6364136223846793005) + G_GUINT64_CONSTANT (1442695040888963407);
      samples[k] = (gint16) (state >> 50);
    }
  for (guint i = 0; done && i < seconds; i++)
    {
      for (gsize k = i; k < n; k += 17)
        samples[k] = (gint16) ~samples[k];
      done = fwrite (samples, sizeof *samples, n, stream) == n;
    }
  if (!done || fclose (stream) != 0)
    g_error ("%s cannot be written", path);
}

static EsBeamSettings *
make_settings (EsRecording *recording, EsArray *array)
{
  static const char *const values[][2] = {
    { "band", "319.3359375:480.46875" }, { "lofar-band", "33.203125:318.359375" }, { "angles", "10:169:1" },
    { "ranges", "far,50,100,200,400,800,1600,3200" }, { "sound-speed", "1500" }, { "block", "1s" },
  };
  g_autoptr (GError) error = NULL;
  const EsOperation *operation = es_operation_find ("cbf", &error);
  g_autoptr (EsParams) params = operation != NULL ? es_params_new (operation->params) : NULL;
  EsBeamSettings *settings = NULL;

  for (guint i = 0; params != NULL && i < G_N_ELEMENTS (values) && error == NULL; i++)
    es_params_parse (params, values[i][0], values[i][1], &error);
  if (error == NULL)
    settings = es_beam_settings_new (params, recording, array, &error);
  if (settings == NULL)
    g_error ("%s", error->message);
  if (settings->cbf_first != 327 || settings->cbf_bins != 166 || settings->first_bin != 34 || settings->n_bins != 459)
    g_error ("bins %u + %u of %u + %u are not the published ones", settings->cbf_first, settings->cbf_bins,
             settings->first_bin, settings->n_bins);
  return settings;
}

static gboolean
take (EsBeamBlock *block, gpointer data, GError **error)
{
  guint *taken = data;

  (*taken)++;
  return TRUE;
}

static int
compare_doubles (const void *a, const void *b)
{
  double x = *(const double *) a, y = *(const double *) b;

  return (x > y) - (x < y);
}

/* Milliseconds a block over the link, the best of some. */
static double
upload_ms (EsDevice *device, EsRecording *recording, guint elements)
{
  const EskHotspots *hotspots = es_device_get_hotspots (device);
  const gsize bytes = (gsize) RATE * elements * sizeof (gint16);
  g_autoptr (EsBuffer) buffer = es_buffer_new (device, bytes, NULL);
  g_autoptr (EsFrameReader) reader = es_frame_reader_new (recording, NULL);
  EskStream *stream = es_device_take_stream (device);
  void *staging = es_recording_is_page_locked (recording) ? NULL : es_staging_take (device, bytes);
  double best = G_MAXDOUBLE;
  EskFrames frames;

  if (buffer == NULL || reader == NULL || stream == NULL
      || !es_frame_reader_read (reader, 0, RATE, staging, &frames, NULL))
    g_error ("no memory to measure the link with");
  for (int i = 0; i < 5; i++)
    {
      const gint64 start = g_get_monotonic_time ();

      if (hotspots->device->upload (stream, es_buffer_get_data (buffer), frames.data, bytes) != ESK_OK
          || hotspots->device->wait (stream) != ESK_OK)
        g_error ("upload: %s", hotspots->stream->last_error (stream));
      best = MIN (best, (g_get_monotonic_time () - start) * 1e-3);
    }
  es_device_give_stream (device, stream);
  es_staging_give (device, staging, bytes);
  return best;
}

/* Blocks 0, step, 2 step ... where: before the number of elements. */
static void
bench_recording (EsDevice *device, const char *where, EsRecording *recording, guint64 step, guint blocks, int repeats)
{
  const guint elements = es_recording_get_n_channels (recording);
  g_autoptr (GError) error = NULL;
  g_autoptr (EsArray) array = es_array_new_line (elements, 1.5, 0, &error);
  g_autoptr (EsBeamSettings) settings = array != NULL ? make_settings (recording, array) : NULL;
  g_autoptr (EsBeamformer) beamformer = settings != NULL ? es_beamformer_new (recording, array, settings, device, NULL,
                                                                              &error)
                                                         : NULL;
  g_autofree double *ms = g_new (double, repeats);
  const double link = upload_ms (device, recording, elements);
  double input, transform, beams, input_before, transform_before, beams_before, single;
  gint64 start;
  guint taken = 0;

  if (beamformer == NULL)
    g_error ("%s", error->message);
  for (int i = -1; i < repeats; i++)
    {
      start = g_get_monotonic_time ();
      if (!es_beamformer_run (beamformer, 0, step, blocks, take, &taken, NULL, &error))
        g_error ("%s", error->message);
      if (i >= 0)
        ms[i] = (g_get_monotonic_time () - start) * 1e-3 / blocks;
    }
  if (taken != (guint) (repeats + 1) * blocks)
    g_error ("%u blocks came out", taken);
  qsort (ms, repeats, sizeof *ms, compare_doubles);

  /* One at a time, as it is played. */
  es_beamformer_get_times (beamformer, &input_before, &transform_before, &beams_before);
  start = g_get_monotonic_time ();
  for (int i = 0; i < 20; i++)
    {
      g_autoptr (EsBeamBlock) block = es_beamformer_process (beamformer, i % blocks * step, &error);
      if (block == NULL)
        g_error ("%s", error->message);
    }
  single = (g_get_monotonic_time () - start) * 1e-3 / 20;
  es_beamformer_get_times (beamformer, &input, &transform, &beams);
  printf ("%s%6u elements: %8.3f ms a block, %7.1f x real time   link %.3f ms, x %.2f   one at a time %.3f ms "
          "(copy %.3f, transform %.3f, beams %.3f)   made ready in %.0f ms\n", where, elements, ms[repeats / 2],
          1e3 / ms[repeats / 2], link, ms[repeats / 2] / link, single, (input - input_before) / 20,
          (transform - transform_before) / 20, (beams - beams_before) / 20,
          1e3 * es_beamformer_get_setup_seconds (beamformer));
  fflush (stdout);
}

void
bench_beams (EsDevice *device, int repeats)
{
  static const guint elements[] = { 512, 4096, 16384, 32768 };

  printf ("beams of int16 in page-locked memory, published settings\n");
  for (guint i = 0; i < G_N_ELEMENTS (elements); i++)
    {
      g_autoptr (EsRecording) recording = make_recording (device, elements[i]);

      bench_recording (device, "", recording, 0, BLOCKS, repeats);
    }
}

void
bench_beams_of_files (EsDevice *device, int repeats)
{
  static const guint elements[] = { 512, 4096, 16384 };
  g_autofree char *directory = g_dir_make_tmp ("eigenscope-bench-XXXXXX", NULL);
  g_autofree char *path = g_build_filename (directory, "beams.raw", NULL);
  g_autoptr (GFile) file = g_file_new_for_path (path);

  printf ("beams of an int16 file in the cache, published settings\n");
  for (guint i = 0; i < G_N_ELEMENTS (elements); i++)
    {
      const guint seconds = FILE_BLOCKS * (elements[i] < 16384 ? 4 : 1);
      const EsOpenOptions options = { .samples = { .channels = elements[i], .type = "int16", .rate = RATE } };
      g_autoptr (GError) error = NULL;

      write_file (path, elements[i], seconds);
      g_autoptr (EsDataset) recording = es_dataset_open (file, &options, NULL, &error);
      if (recording == NULL)
        g_error ("%s", error->message);
      bench_recording (device, "in a file, ", ES_RECORDING (recording), RATE, seconds, repeats);
    }
  g_unlink (path);
  g_rmdir (directory);
}
