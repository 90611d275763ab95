/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <string.h>

#include "beam/es-beam-settings.h"
#include "es-fuzz.h"
#include "operations/es-operations.h"
#include "readers/es-open.h"
#include "recording/es-recording.h"
#include "simulate/es-simulate-recording.h"
#include "simulate/es-simulate.h"

/*
 * The first line is an operation's id, "cube" or "recording" (of the simulator); each line that follows is a key, "="
 * and a text. What is taken is written as text, which is taken again and comes to the same.
 */

static const EsParamSpec *
find_specs (const char *id)
{
  g_autoptr (GError) error = NULL;
  const EsOperation *operation;

  if (strcmp (id, "cube") == 0)
    return es_simulate_cube_params;
  if (strcmp (id, "recording") == 0)
    return es_simulate_recording_params;
  operation = es_operation_find (id, &error);
  return operation != NULL ? operation->params : NULL;
}

static void
try_value (EsParams *params, const char *key, const char *text)
{
  g_autoptr (GError) error = NULL;

  if (!es_params_parse (params, key, text, &error))
    {
      es_fuzz_check_error (error);
      return;
    }
  g_assert_no_error (error);

  g_autoptr (EsParams) again = es_params_copy (params);
  g_autofree char *written = es_params_format (params, key), *words = es_params_format_for_people (params, key);
  es_params_reset_key (again, key);
  es_params_parse (again, key, written, &error);
  g_assert_no_error (error);
  g_assert_true (es_params_equal (params, again));
  g_assert_true (g_utf8_validate (words, -1, NULL));
}

/* What an operation on recordings makes of its texts before it computes. */
static void
try_settings (EsParams *params)
{
  static EsDataset *recording;
  static EsArray *array;
  g_autoptr (GError) error = NULL;

  if (recording == NULL)
    {
      g_autoptr (GFile) file = g_file_new_for_path (es_fuzz_recording ());

      recording = es_dataset_open (file, NULL, NULL, &error);
      g_assert_no_error (error);
      array = es_array_new_line (3, 1.5, 0, &error);
      g_assert_no_error (error);
    }
  g_autoptr (EsBeamSettings) settings = es_beam_settings_new (params, ES_RECORDING (recording), array, &error);
  if (settings == NULL)
    es_fuzz_check_error (error);
}

int
LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
  g_autoptr (GString) text = g_string_new_len ((const char *) data, (gssize) size);
  g_auto (GStrv) lines = g_strsplit (text->str, "\n", 60);
  const EsParamSpec *specs = lines[0] != NULL ? find_specs (lines[0]) : NULL;
  g_autoptr (EsParams) params = NULL;

  /* Fatal warnings and the like. */
  es_fuzz_folder ();
  if (specs == NULL)
    return 0;
  params = es_params_new (specs);
  for (char **line = lines + 1; *line != NULL; line++)
    {
      char *equals = strchr (*line, '=');

      if (equals == NULL)
        continue;
      *equals = '\0';
      try_value (params, *line, equals + 1);
    }
  if (strcmp (lines[0], "cbf") == 0 || strcmp (lines[0], "mvdr") == 0)
    try_settings (params);
  return 0;
}
