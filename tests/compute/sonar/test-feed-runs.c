/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* Beamformers whose blocks several threads bring to cards (of host memory: tests/kernels/fake): the same as of
 * page-locked memory and as the processor's, run after run, whatever fails or is cancelled meanwhile. */

#include <glib/gstdio.h>
#include <string.h>
#include <unistd.h>

#include "base/es-error.h"
#include "beam/es-beamformer.h"
#include "es-test-beams.h"
#include "es-test-cbf.h"
#include "es-test-raw.h"
#include "readers/es-open.h"

#define DEVICE "cuda:0"

static gboolean
keep_block (EsBeamBlock *block, gpointer data, GError **error)
{
  g_ptr_array_add (data, es_beam_block_ref (block));
  return TRUE;
}

static GPtrArray *
form_beams (EsRecording *recording, EsArray *array, guint n_blocks, GError **error)
{
  g_autoptr (EsParams) params = es_test_beam_params ("cbf", "angles", "10:169:1", "band", "300:500", NULL);
  g_autoptr (EsBeamSettings) settings = es_beam_settings_new (params, recording, array, error);
  EsDevice *device = es_device_find (DEVICE, NULL);
  g_autoptr (EsBeamformer) beamformer = settings != NULL ? es_beamformer_new (recording, array, settings, device, NULL,
                                                                              error)
                                                         : NULL;
  g_autoptr (GPtrArray) blocks = g_ptr_array_new_with_free_func ((GDestroyNotify) es_beam_block_unref);

  /* The last one is past the end by a half. */
  if (beamformer == NULL || !es_beamformer_run (beamformer, 500, 1000, n_blocks, keep_block, blocks, NULL, error))
    return NULL;
  for (guint i = 0; i < n_blocks; i++)
    {
      g_autoptr (EsBeamBlock) block = es_beamformer_process (beamformer, 500 + 1000 * i, error);
      if (block == NULL)
        return NULL;
      keep_block (block, blocks, NULL);
    }
  return g_steal_pointer (&blocks);
}

/* Of a file as of page-locked memory, which is copied from where it lies. */
static void
test_beams (void)
{
  const guint channels = 7, frames = 9500, n_blocks = 9;
  g_autofree char *directory = g_dir_make_tmp ("es-feed-XXXXXX", NULL);
  g_autofree char *path = g_build_filename (directory, "samples.raw", NULL);
  g_autoptr (EsArray) array = es_test_cbf_make_line (channels, 1.5);
  g_autofree gint16 *samples = NULL;
  g_autoptr (GError) error = NULL;
  gsize length;

  g_autoptr (GFile) file = g_file_new_for_path (path);
  g_autoptr (EsRecording) written = es_test_raw_write (path, "int16", 2, FALSE, channels, frames);
  const EsOpenOptions options = { .samples = { .channels = channels, .type = "int16", .rate = 2000 } };
  g_autoptr (EsDataset) recording = es_dataset_open (file, &options, NULL, &error);
  g_assert_no_error (error);
  g_assert_true (g_file_get_contents (path, (char **) &samples, &length, &error));
  g_autoptr (EsRecording) locked = es_recording_new_in_memory (samples, ESK_I16, channels, 2000, frames, TRUE, NULL,
                                                               NULL, &error);
  g_assert_no_error (error);
  g_autoptr (GPtrArray) of_file = form_beams (ES_RECORDING (recording), array, n_blocks, &error);
  g_assert_no_error (error);
  g_autoptr (GPtrArray) of_memory = form_beams (locked, array, n_blocks, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (of_file->len, ==, 2 * n_blocks);
  for (guint i = 0; i < 2 * n_blocks; i++)
    {
      EsBeamBlock *block = g_ptr_array_index (of_file, i), *expected = g_ptr_array_index (of_memory, i);
      const gsize n_bytes = es_beam_block_get_settings (block)->n_bins * 160 * sizeof (float);

      g_assert_cmpuint (es_beam_block_get_frame (block), ==, 500 + 1000 * (i % n_blocks));
      g_assert_cmpmem (es_beam_block_get_spectra (block), n_bytes, es_beam_block_get_spectra (expected), n_bytes);
      g_assert_cmpfloat (es_beam_block_get_far (block)[80], >, 0);
    }

  g_assert_cmpint (truncate (path, 5000 * channels * 2), ==, 0);
  g_assert_null (form_beams (ES_RECORDING (recording), array, n_blocks, &error));
  g_assert_error (error, ES_DATA_ERROR, ES_DATA_ERROR_TRUNCATED);
  g_unlink (path);
  g_rmdir (directory);
}

/* ---- one beamformer, run after run ---- */

typedef struct
{
  GPtrArray    *blocks;
  guint         most;          /* blocks; then it has enough */
  GCancellable *cancels;       /* nullable: with it */
  const char   *says;          /* nullable: why it does not go on */
} Taker;

static gboolean
take_some (EsBeamBlock *block, gpointer data, GError **error)
{
  Taker *taker = data;

  g_ptr_array_add (taker->blocks, es_beam_block_ref (block));
  if (taker->blocks->len < taker->most)
    return TRUE;
  if (taker->cancels != NULL)
    g_cancellable_cancel (taker->cancels);
  else if (taker->says != NULL)
    g_set_error_literal (error, ES_COMPUTE_ERROR, ES_COMPUTE_ERROR_OPERATION, taker->says);
  return taker->cancels != NULL;
}

static void
compare_blocks (EsBeamBlock *block, EsBeamformer *cpu)
{
  const EsBeamSettings *settings = es_beam_block_get_settings (block);
  const gsize n_field = (gsize) settings->n_ranges * settings->n_angles * sizeof (float);
  const gsize n_spectra = (gsize) settings->n_angles * settings->n_bins * sizeof (float);
  g_autoptr (GError) error = NULL;
  g_autoptr (EsBeamBlock) expected = es_beamformer_process (cpu, es_beam_block_get_frame (block), &error);

  g_assert_no_error (error);
  g_assert_cmpmem (es_beam_block_get_field (block), n_field, es_beam_block_get_field (expected), n_field);
  g_assert_cmpmem (es_beam_block_get_spectra (block), n_spectra, es_beam_block_get_spectra (expected), n_spectra);
}

static EsBeamformer *
make_beamformer (EsRecording *recording, EsArray *array, const char *device)
{
  g_autoptr (EsParams) params = es_test_beam_params ("cbf", "angles", "10:169:7", "band", "300:500", "ranges", "far,50",
                                                     "block", "333", NULL);
  g_autoptr (GError) error = NULL;
  g_autoptr (EsBeamSettings) settings = es_beam_settings_new (params, recording, array, &error);

  g_assert_no_error (error);
  EsBeamformer *self = es_beamformer_new (recording, array, settings, es_device_find (device, NULL), NULL, &error);
  g_assert_no_error (error);
  return self;
}

static EsRecording *
open_swapped (const char *path, guint channels)
{
  g_autoptr (GFile) file = g_file_new_for_path (path);
  const EsOpenOptions options = { .samples = { .channels = channels, .type = "int16", .rate = 2000,
                                               .big_endian = TRUE } };
  g_autoptr (GError) error = NULL;
  EsDataset *recording = es_dataset_open (file, &options, NULL, &error);

  g_assert_no_error (error);
  return ES_RECORDING (recording);
}

/* Single blocks here and there, runs to the end, runs that are cancelled, that want no more or fail; and the recording
 * grows. Always what the processor finds of one block. */
static void
test_again_and_again (void)
{
  static const char *const devices[] = { "cuda:0", "cuda:all" };
  const guint channels = 5, frames = 8000;
  g_autofree char *directory = g_dir_make_tmp ("es-feed-XXXXXX", NULL);
  g_autofree char *path = g_build_filename (directory, "samples.raw", NULL);
  g_autofree char *longer_path = g_build_filename (directory, "longer.raw", NULL);
  g_autoptr (EsArray) array = es_test_cbf_make_line (channels, 1.5);
  g_autoptr (GRand) random = g_rand_new_with_seed (5);

  for (guint d = 0; d < G_N_ELEMENTS (devices); d++)
    {
      g_object_unref (es_test_raw_write (path, "int16", 2, TRUE, channels, frames));
      g_object_unref (es_test_raw_write (longer_path, "int16", 2, TRUE, channels, 2 * frames));
      g_autoptr (EsRecording) recording = open_swapped (path, channels);
      g_autoptr (EsBeamformer) cpu = make_beamformer (recording, array, "cpu");
      g_autoptr (EsBeamformer) card = make_beamformer (recording, array, devices[d]);
      guint64 frame = 0;

      for (guint i = 0; i < 200; i++)
        {
          g_autoptr (GError) error = NULL;
          g_autoptr (GCancellable) cancellable = g_cancellable_new ();
          g_autoptr (GPtrArray) blocks = g_ptr_array_new_with_free_func ((GDestroyNotify) es_beam_block_unref);
          Taker taker = { blocks, G_MAXUINT };
          const guint n = (guint) g_rand_int_range (random, 1, 30), kind = (guint) g_rand_int_range (random, 0, 8);

          if (i == 100)
            {
              g_autoptr (EsRecording) longer = open_swapped (longer_path, channels);
              g_assert_true (es_recording_grow (recording, longer));
            }
          frame = kind % 2 == 0 ? frame + 333 : (guint64) g_rand_int_range (random, 0, 2 * frames + 1000);
          if (kind < 4)
            {
              EsBeamBlock *block = es_beamformer_process (card, frame, &error);

              g_assert_no_error (error);
              g_ptr_array_add (blocks, block);
            }
          else
            {
              taker.most = kind == 4 ? G_MAXUINT : (guint) g_rand_int_range (random, 1, 10);
              taker.cancels = kind == 5 ? cancellable : NULL;
              taker.says = kind == 6 ? "no" : NULL;
              const gboolean ends_early = taker.most <= n;
              const gboolean done = es_beamformer_run (card, frame, (guint64) g_rand_int_range (random, 1, 700), n,
                                                       take_some, &taker, cancellable, &error);

              if (ends_early && kind == 5 && taker.most < n)
                g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
              else if (ends_early && kind == 6)
                g_assert_error (error, ES_COMPUTE_ERROR, ES_COMPUTE_ERROR_OPERATION);
              else
                g_assert_no_error (error);
              g_assert_cmpint (done, ==, error == NULL);
              g_assert_cmpuint (blocks->len, ==, MIN (n, taker.most));
            }
          for (guint k = 0; k < blocks->len; k += 1 + blocks->len / 4)
            compare_blocks (g_ptr_array_index (blocks, k), cpu);
        }
    }
  g_unlink (path);
  g_unlink (longer_path);
  g_rmdir (directory);
}

/* Blocks are read ahead of whoever takes them: all that come before the one that fails are still his, and if he wants
 * no more, none has failed. */
static void
test_fails_ahead (void)
{
  static const char *const devices[] = { "cpu", "cuda:0", "cuda:all" };
  const guint channels = 5, n_whole = 7;
  g_autofree char *directory = g_dir_make_tmp ("es-feed-XXXXXX", NULL);
  g_autofree char *path = g_build_filename (directory, "samples.raw", NULL);
  g_autoptr (EsArray) array = es_test_cbf_make_line (channels, 1.5);

  for (guint d = 0; d < G_N_ELEMENTS (devices); d++)
    {
      g_object_unref (es_test_raw_write (path, "int16", 2, TRUE, channels, 8000));
      g_autoptr (EsRecording) recording = open_swapped (path, channels);
      g_autoptr (EsBeamformer) beamformer = make_beamformer (recording, array, devices[d]);

      g_assert_cmpint (truncate (path, (n_whole * 333 + 100) * channels * 2), ==, 0);
      for (guint i = 0; i < 60; i++)
        {
          g_autoptr (GError) error = NULL;
          g_autoptr (GPtrArray) blocks = g_ptr_array_new_with_free_func ((GDestroyNotify) es_beam_block_unref);
          Taker taker = { blocks, i % 2 == 0 ? G_MAXUINT : n_whole };
          const gboolean done = es_beamformer_run (beamformer, 0, 333, 20, take_some, &taker, NULL, &error);

          g_assert_cmpint (done, ==, i % 2);
          if (done)
            g_assert_no_error (error);
          else
            g_assert_error (error, ES_DATA_ERROR, ES_DATA_ERROR_TRUNCATED);
          g_assert_cmpuint (blocks->len, ==, n_whole);
        }
    }
  g_unlink (path);
  g_rmdir (directory);
}

int
main (int argc, char **argv)
{
  int status;

  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/feed-runs/beams", test_beams);
  g_test_add_func ("/feed-runs/again-and-again", test_again_and_again);
  g_test_add_func ("/feed-runs/fails-ahead", test_fails_ahead);
  status = g_test_run ();
  es_devices_stop ();
  return status;
}
