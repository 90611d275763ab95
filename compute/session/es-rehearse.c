/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-rehearse.h"

#include <string.h>

#include "cube/es-cube.h"
#include "es-result-load-private.h"
#include "readers/es-open-words-internal.h"
#include "readers/es-open.h"
#include "recording/es-recording.h"
#include "rehearsal/es-rehearsal.h"

/* So many pixels of a row, and so many samples, at each place. */
#define MOST_PIXELS  ((guint64) 64)
#define MOST_SAMPLES 65536u

static void
try_band (EsCube *cube, guint band, guint64 x, guint64 y)
{
  float values[MOST_PIXELS];
  const guint64 width = MIN (es_cube_get_width (cube) - x, MOST_PIXELS);

  es_cube_read_band (cube, band, x, y, width, 1, 1, values, NULL, NULL);
}

static void
try_cube (EsCube *cube)
{
  const guint64 width = es_cube_get_width (cube), height = es_cube_get_height (cube);
  const guint bands = es_cube_get_bands (cube);

  try_band (cube, 0, 0, 0);
  try_band (cube, bands / 2, width / 2, height / 2);
  try_band (cube, bands - 1, width - MIN (width, MOST_PIXELS), height - 1);
}

static void
try_recording (EsRecording *recording)
{
  const guint channels = MIN (es_recording_get_n_channels (recording), MOST_SAMPLES);
  const guint64 frames = es_recording_get_frames (recording), n = MIN (frames, MOST_SAMPLES / channels);
  g_autofree float *values = g_new (float, n * channels);

  es_recording_read (recording, 0, n, 0, channels, values, NULL);
  es_recording_read (recording, (frames - n) / 2, n, 0, channels, values, NULL);
  es_recording_read (recording, frames - n, n, 0, channels, values, NULL);
}

static gboolean
try_dataset (GFile *file, const EsOpenOptions *options, GError **error)
{
  g_autoptr (EsDataset) dataset = es_dataset_open (file, options, NULL, error);

  if (dataset != NULL && ES_IS_CUBE (dataset))
    try_cube (ES_CUBE (dataset));
  else if (dataset != NULL && ES_IS_RECORDING (dataset))
    try_recording (ES_RECORDING (dataset));
  return dataset != NULL;
}

gboolean
es_rehearse (const char * const *words, gboolean *understood, GError **error)
{
  EsOpenOptions options;

  *understood = words[0] != NULL && words[1] != NULL && g_path_is_absolute (words[1]) &&
                (strcmp (words[0], "dataset") == 0 || strcmp (words[0], "field") == 0) &&
                es_open_words_read (words + 2, &options);
  if (!*understood)
    return FALSE;

  g_autoptr (GFile) file = g_file_new_for_path (words[1]);

  es_rehearsal_be_helper ();
  if (strcmp (words[0], "dataset") == 0)
    return try_dataset (file, &options, error);
  es_result_try_field (words[1]);
  return TRUE;
}
