/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-test-settings.h"

EsRecording *
es_test_silence (guint channels, double rate, gsize frames)
{
  g_autoptr (GError) error = NULL;
  gint16 *data = g_new0 (gint16, channels * frames);
  EsRecording *recording = es_recording_new_in_memory (data, ESK_I16, channels, rate, frames, FALSE, data, g_free,
                                                       &error);

  g_assert_no_error (error);
  return recording;
}

EsBeamSettings *
es_test_settings_of (EsParams *params, const char *array_text, double rate, gsize frames)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (EsArray) array = es_array_parse (array_text, &error);
  g_autoptr (EsRecording) recording = es_test_silence (es_array_get_n_elements (array), rate, frames);
  EsBeamSettings *settings = es_beam_settings_new (params, recording, array, &error);

  g_assert_no_error (error);
  g_assert_nonnull (settings);
  return settings;
}

EsParams *
es_test_settings_params (const char *first, ...)
{
  EsParams *params;
  va_list list;

  va_start (list, first);
  params = es_test_params (es_beam_params, first, list);
  va_end (list);
  return params;
}
