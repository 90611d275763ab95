/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n.h>
#include <math.h>

#include "es-batch-open.h"
#include "tool/es-batch-json.h"

static void
set_strings (JsonBuilder *builder, const char *name, const char * const *values)
{
  json_builder_set_member_name (builder, name);
  json_builder_begin_array (builder);
  for (; values != NULL && *values != NULL; values++)
    json_builder_add_string_value (builder, *values);
  json_builder_end_array (builder);
}

/* What a person should know before using the array with this recording. */
static char **
check_array (EsRecording *recording, EsArray *array)
{
  g_auto (GStrv) checks = es_array_check (array, es_recording_get_n_channels (recording), 0, NULL, 0, 0);
  g_autoptr (GStrvBuilder) all = g_strv_builder_new ();
  g_autofree char *speed = es_array_warn_of_sound_speed (array);

  g_strv_builder_addv (all, (const char **) checks);
  if (speed != NULL)
    g_strv_builder_add (all, speed);
  return g_strv_builder_end (all);
}

static void
add_elements (JsonBuilder *builder, EsArray *array)
{
  const EsElement *elements = es_array_get_elements (array);

  json_builder_set_member_name (builder, "elements");
  json_builder_begin_array (builder);
  for (guint i = 0; i < es_array_get_n_elements (array); i++)
    {
      json_builder_begin_object (builder);
      if (elements[i].name != NULL)
        es_batch_json_string (builder, "name", elements[i].name);
      es_batch_json_number (builder, "channel", elements[i].channel + 1);
      es_batch_json_number (builder, "x_m", elements[i].x);
      es_batch_json_number (builder, "y_m", elements[i].y);
      es_batch_json_number (builder, "z_m", elements[i].z);
      if (elements[i].gain != 1)
        es_batch_json_number (builder, "gain", elements[i].gain);
      if (elements[i].dead)
        {
          json_builder_set_member_name (builder, "dead");
          json_builder_add_boolean_value (builder, TRUE);
        }
      json_builder_end_object (builder);
    }
  json_builder_end_array (builder);
}

static void
add_origin (JsonBuilder *builder, EsArray *array)
{
  g_autoptr (JsonObject) origin = json_object_new ();

  es_array_add_origin (array, origin);
  for (guint i = 0; i < 2; i++)
    {
      const char *name = i == 0 ? "origin" : "origin_m";

      json_builder_set_member_name (builder, name);
      json_builder_add_value (builder, json_object_dup_member (origin, name));
    }
}

static void
add_array (JsonBuilder *builder, EsRecording *recording)
{
  g_autoptr (EsArray) array = es_recording_get_array (recording);

  json_builder_set_member_name (builder, "array");
  if (array == NULL)
    {
      json_builder_add_null_value (builder);
      return;
    }

  g_autofree char *description = es_array_describe (array);
  g_auto (GStrv) warnings = check_array (recording, array);
  json_builder_begin_object (builder);
  es_batch_json_string (builder, "description", description);
  es_batch_json_number (builder, "n_elements", es_array_get_n_elements (array));
  es_batch_json_number (builder, "n_alive", es_array_get_n_alive (array));
  add_origin (builder, array);
  json_builder_set_member_name (builder, "line");
  json_builder_add_boolean_value (builder, es_array_is_line (array));
  es_batch_json_number (builder, "spacing_m", es_array_get_spacing (array));
  es_batch_json_number (builder, "length_m", es_array_get_length (array));
  es_batch_json_number (builder, "sound_speed", es_array_get_sound_speed (array));
  json_builder_set_member_name (builder, "sound_speed_told");
  json_builder_add_boolean_value (builder, es_array_is_sound_speed_told (array));
  set_strings (builder, "warnings", (const char * const *) warnings);
  set_strings (builder, "notes", es_array_get_notes (array));
  add_elements (builder, array);
  json_builder_end_object (builder);
}

static void
add_calibration (JsonBuilder *builder, EsRecording *recording)
{
  g_autoptr (EsCalibration) calibration = es_recording_dup_calibration (recording);
  const guint n = es_recording_get_n_channels (recording);
  g_autofree char *description = calibration != NULL ? es_calibration_describe (calibration, n) : NULL;

  json_builder_set_member_name (builder, "calibration");
  if (calibration != NULL)
    json_builder_add_value (builder, es_calibration_to_node (calibration));
  else
    json_builder_add_null_value (builder);
  es_batch_json_string (builder, "calibration_description", description);
}

static void
add_navigation (JsonBuilder *builder, EsRecording *recording)
{
  g_autoptr (EsNavigation) navigation = es_recording_dup_navigation (recording);

  json_builder_set_member_name (builder, "navigation");
  if (navigation != NULL)
    json_builder_add_value (builder, es_navigation_to_node (navigation));
  else
    json_builder_add_null_value (builder);
}

static void
add_channels (JsonBuilder *builder, EsRecording *recording)
{
  json_builder_set_member_name (builder, "channel_list");
  json_builder_begin_array (builder);
  for (guint i = 0; i < es_recording_get_n_channels (recording); i++)
    {
      json_builder_begin_object (builder);
      es_batch_json_number (builder, "channel", i + 1);
      if (es_recording_get_channel_name (recording, i) != NULL)
        es_batch_json_string (builder, "name", es_recording_get_channel_name (recording, i));
      es_batch_json_number (builder, "frames", (double) es_recording_get_channel_frames (recording, i));
      es_batch_json_number (builder, "calibration_upa", es_recording_get_calibration_of (recording, i));
      json_builder_end_object (builder);
    }
  json_builder_end_array (builder);
}

JsonNode *
es_batch_recording_json (EsRecording *recording)
{
  g_autoptr (JsonBuilder) builder = json_builder_new ();
  EsDataset *dataset = ES_DATASET (recording);
  g_autoptr (GDateTime) start = es_recording_dup_start (recording);
  g_autofree char *start_text = start != NULL ? g_date_time_format_iso8601 (start) : NULL;

  json_builder_begin_object (builder);
  es_batch_json_string (builder, "name", es_dataset_get_name (dataset));
  es_batch_json_string (builder, "identity", es_dataset_get_identity (dataset));
  es_batch_json_string (builder, "format", es_recording_get_format_name (recording));
  es_batch_json_number (builder, "channels", es_recording_get_n_channels (recording));
  es_batch_json_number (builder, "rate_hz", es_recording_get_rate (recording));
  es_batch_json_number (builder, "frames", (double) es_recording_get_frames (recording));
  es_batch_json_number (builder, "seconds", es_recording_get_seconds (recording));
  es_batch_json_string (builder, "type", es_recording_get_type_name (recording));
  es_batch_json_string (builder, "start", start_text);
  es_batch_json_number (builder, "calibration_upa", es_recording_get_calibration (recording));
  add_calibration (builder, recording);
  add_navigation (builder, recording);
  json_builder_set_member_name (builder, "files");
  json_builder_begin_array (builder);
  for (GFile * const *file = es_recording_get_files (recording); *file != NULL; file++)
    {
      g_autofree char *path = g_file_get_parse_name (*file);

      json_builder_add_string_value (builder, path);
    }
  json_builder_end_array (builder);
  set_strings (builder, "notes", es_dataset_get_notes (dataset));
  add_array (builder, recording);
  add_channels (builder, recording);
  json_builder_end_object (builder);
  return json_builder_get_root (builder);
}

/* What the positions say that were opened with a recording is among its notes. */
static void
print_unless_noted (EsRecording *recording, const char *sentence)
{
  const char * const *notes = es_dataset_get_notes (ES_DATASET (recording));

  for (; notes != NULL && *notes != NULL; notes++)
    if (g_str_has_suffix (*notes, sentence))
      return;
  g_print ("  %s\n", sentence);
}

static void
print_array (EsRecording *recording)
{
  g_autoptr (EsArray) array = es_recording_get_array (recording);

  if (array == NULL)
    {
      g_print (_("  array: not described; give one with --array\n"));
      return;
    }

  g_autofree char *description = es_array_describe (array);
  g_auto (GStrv) warnings = check_array (recording, array);
  const char * const *notes = es_array_get_notes (array);
  g_autofree char *origin = es_array_describe_origin (array);
  g_print (_("  array: %s\n"), description);
  g_print (_("  bearings from %s; sound at %.6g m/s\n"), origin, es_array_get_sound_speed (array));
  for (char **warning = warnings; *warning != NULL; warning++)
    print_unless_noted (recording, *warning);
  for (; notes != NULL && *notes != NULL; notes++)
    print_unless_noted (recording, *notes);
}

void
es_batch_recording_print (EsRecording *recording)
{
  EsDataset *dataset = ES_DATASET (recording);
  g_autofree char *description = es_dataset_describe (dataset);
  const char * const *notes = es_dataset_get_notes (dataset);
  g_autoptr (EsNavigation) navigation = es_recording_dup_navigation (recording);
  g_autoptr (EsCalibration) calibration = es_recording_dup_calibration (recording);

  g_print ("%s\n  %s\n", es_dataset_get_name (dataset), description);
  g_print ("  %s, %s\n", es_recording_get_format_name (recording), es_recording_get_type_name (recording));
  if (navigation != NULL)
    {
      g_autofree char *text = es_navigation_describe (navigation);

      g_print ("  %s\n", text);
    }
  if (calibration != NULL)
    {
      g_autofree char *text = es_calibration_describe (calibration, es_recording_get_n_channels (recording));

      g_print (_("  calibrated: %s\n"), text);
    }
  else
    g_print (_("  not calibrated: levels are relative to full scale; give --sensitivity and --adc-range, or "
               "--calibration\n"));
  print_array (recording);
  for (; notes != NULL && *notes != NULL; notes++)
    g_print ("  %s\n", *notes);
}
