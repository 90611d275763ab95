/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/*
 * perf-record FILE [OPERATION [DEVICE [CHANNELS RATE]]]: how long the record of a whole recording takes as the window
 * computes it: until lines all over it are there, and until it is complete; beside the operation as it is run, alone.
 */

#include <gio/gio.h>
#include <stdlib.h>
#include <string.h>

#include "beam/es-beamformer.h"
#include "operations/es-operations.h"
#include "player/es-player.h"
#include "readers/es-open.h"

static guint64
resident_kilobytes (void)
{
  g_autofree char *status = NULL;
  const char *line;

  if (!g_file_get_contents ("/proc/self/status", &status, NULL, NULL) || (line = strstr (status, "VmRSS:")) == NULL)
    return 0;
  return g_ascii_strtoull (line + 6, NULL, 10);
}

static double
seconds_since (gint64 start)
{
  return (g_get_monotonic_time () - start) * 1e-6;
}

static gboolean
tick (gpointer data)
{
  return G_SOURCE_CONTINUE;
}

static gboolean
take (EsBeamBlock *block, gpointer data, GError **error)
{
  ++*(guint64 *) data;
  return TRUE;
}

static void
fail (const GError *error)
{
  g_printerr ("perf-record: %s\n", error->message);
  exit (1);
}

int
main (int argc, char **argv)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GFile) file = g_file_new_for_commandline_arg (argc > 1 ? argv[1] : "");
  EsDevice *device = es_device_find (argc > 3 ? argv[3] : "cpu", NULL);
  EsOpenOptions options = { 0 };
  const char *name = argc > 2 ? argv[2] : "cbf";
  g_autoptr (EsDataset) dataset = NULL;
  g_autoptr (EsPlayer) player = NULL;
  guint64 n = 0, memory, kept;
  gboolean full, lines = FALSE;
  gint64 start;

  if (argc < 2 || device == NULL)
    {
      g_printerr ("perf-record FILE [OPERATION [DEVICE [CHANNELS RATE]]]\n");
      return 1;
    }
  if (argc > 5)
    options.samples = (EsRawSamples) { .channels = (guint) atoi (argv[4]), .rate = atof (argv[5]), .type = "int16" };
  dataset = es_dataset_open (file, &options, NULL, &error);
  if (dataset == NULL)
    fail (error);
  EsRecording *recording = ES_RECORDING (dataset);
  const EsOperation *operation = es_operation_find (name, NULL);
  g_autoptr (EsParams) params = es_params_new (operation->params);
  g_autoptr (EsArray) array = es_recording_get_array (recording);
  g_autoptr (EsBeamSettings) settings = es_beam_settings_new (params, recording, array, &error);

  if (settings == NULL)
    fail (error);
  g_print ("%u channels, %.0f s; %u angles, %u bins, %u ranges, blocks of %.3g s\n",
           es_recording_get_n_channels (recording), es_recording_get_seconds (recording), settings->n_angles,
           settings->n_bins, settings->n_ranges, settings->block / settings->rate);

  start = g_get_monotonic_time ();
  player = es_player_new (recording);
  EsBeamHistory *history = es_player_get_history (player);
  es_player_set_ahead (player, TRUE);
  es_player_set_params (player, operation, params, device);
  const guint ticking = g_timeout_add (20, tick, NULL);
  while (es_beam_history_get_n_rows (history) == 0
         || es_beam_history_get_n_current (history) < es_beam_history_get_n_rows (history))
    {
      g_main_context_iteration (NULL, TRUE);
      if (es_player_get_failure (player) != NULL)
        {
          g_printerr ("perf-record: %s\n", es_player_get_failure (player));
          return 1;
        }
      const guint rows = es_beam_history_get_n_rows (history), there = es_beam_history_get_n_current (history);
      if (!lines && rows > 0 && there >= MIN (rows, 512))
        {
          lines = TRUE;
          g_print ("lines all over it (%u of %u rows): %.2f s, %" G_GUINT64_FORMAT " MB resident\n", there, rows,
                   seconds_since (start), resident_kilobytes () >> 10);
        }
    }
  g_source_remove (ticking);
  es_beam_history_get_spectra_use (history, &memory, &kept, &full);
  g_print ("complete: %.2f s, %" G_GUINT64_FORMAT " MB resident; spectra %.0f MB in memory, %.0f MB in a file%s\n",
           seconds_since (start), resident_kilobytes () >> 10, memory / 1e6, kept / 1e6, full ? ", full" : "");
  /* A click on a bearing: the lines of its spectra that a screen shows. */
  {
    g_autofree float *beam = g_new (float, settings->n_bins);
    const guint rows = es_beam_history_get_n_rows (history);
    double slowest = 0;
    guint found = 0;

    for (guint angle = 0; angle < settings->n_angles; angle += MAX (settings->n_angles / 8, 1))
      {
        start = g_get_monotonic_time ();
        for (guint i = 0; i < 1024; i++)
          found += es_beam_history_copy_beam (history, (guint) ((guint64) i * rows / 1024), angle, beam);
        slowest = MAX (slowest, seconds_since (start));
      }
    g_print ("1,024 spectra of one bearing, all over it: at most %.0f ms (%u there)\n", 1e3 * slowest, found);
  }
  g_clear_object (&player);

  start = g_get_monotonic_time ();
  g_autoptr (EsBeamformer) beamformer = es_beamformer_new (recording, array, settings, device, NULL, &error);
  if (beamformer == NULL
      || !es_beamformer_run (beamformer, 0, settings->block, es_recording_get_frames (recording) / settings->block,
                             take, &n, NULL, &error))
    fail (error);
  g_print ("the beams alone, one after the other: %.2f s\n", seconds_since (start));
  return 0;
}
