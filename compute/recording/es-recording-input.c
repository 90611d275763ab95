/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* What repeats the opening of a recording: its files, its samples where a person told them, its array,
 * its calibration and its navigation. */

#include "es-recording-internal.h"

#include <math.h>
#include <string.h>

static void
set_string (JsonBuilder *builder, const char *name, const char *value)
{
  json_builder_set_member_name (builder, name);
  json_builder_add_string_value (builder, value);
}

static void
add_samples (JsonBuilder *builder, const EsRawSamples *samples)
{
  if (samples->rate > 0)
    {
      json_builder_set_member_name (builder, "rate");
      json_builder_add_double_value (builder, samples->rate);
    }
  if (samples->channels == 0)
    return;
  json_builder_set_member_name (builder, "channels");
  json_builder_add_int_value (builder, samples->channels);
  set_string (builder, "type", samples->type != NULL ? samples->type : "");
  set_string (builder, "byte_order", samples->big_endian ? "big" : "little");
  set_string (builder, "layout", samples->by_channel ? "by-channel" : "interleaved");
  json_builder_set_member_name (builder, "offset");
  json_builder_add_int_value (builder, (gint64) samples->offset);
}

static void
add_files (JsonBuilder *builder, GFile * const *files)
{
  if (files[0] == NULL || files[1] == NULL)
    return;
  json_builder_set_member_name (builder, "files");
  json_builder_begin_array (builder);
  for (; *files != NULL; files++)
    {
      g_autofree char *name = g_file_get_parse_name (*files);

      json_builder_add_string_value (builder, name);
    }
  json_builder_end_array (builder);
}

/* As a tree of its own, not as text within text. */
static void
add_array (JsonBuilder *builder, EsRecording *recording)
{
  g_autoptr (EsArray) array = es_recording_get_array (recording);

  if (array == NULL)
    return;
  json_builder_set_member_name (builder, "array");
  json_builder_add_value (builder, es_array_to_node (array));
}

/* That of a result, where there is one; else the recording's. Nullable, transfer full. */
static EsCalibration *
calibration_of (EsRecording *recording, JsonObject *values)
{
  JsonNode *node = values != NULL ? json_object_get_member (values, "calibration") : NULL;

  if (node == NULL)
    return es_recording_dup_calibration (recording);
  return JSON_NODE_HOLDS_OBJECT (node) ? es_calibration_from_node (node, NULL) : NULL;
}

/* Null: what lies beside the recording was not taken either. */
static void
add_calibration (JsonBuilder *builder, EsRecording *recording, JsonObject *values)
{
  g_autoptr (EsCalibration) calibration = calibration_of (recording, values);

  json_builder_set_member_name (builder, "calibration");
  if (calibration != NULL)
    json_builder_add_value (builder, es_calibration_to_node (calibration));
  else
    json_builder_add_null_value (builder);
}

/* That of a result, where there is one; else the recording's. Nullable, transfer full. */
static EsNavigation *
navigation_of (EsRecording *recording, JsonObject *values)
{
  JsonNode *node = values != NULL ? json_object_get_member (values, "navigation") : NULL;

  if (node == NULL)
    return es_recording_dup_navigation (recording);
  return JSON_NODE_HOLDS_OBJECT (node) ? es_navigation_from_node (node, NULL) : NULL;
}

static void
add_navigation (JsonBuilder *builder, EsRecording *recording, JsonObject *values)
{
  g_autoptr (EsNavigation) navigation = navigation_of (recording, values);

  json_builder_set_member_name (builder, "navigation");
  if (navigation != NULL)
    json_builder_add_value (builder, es_navigation_to_node (navigation));
  else
    json_builder_add_null_value (builder);
}

void
_es_recording_add_input (EsDataset *dataset, JsonBuilder *builder, JsonObject *values)
{
  EsRecording *self = ES_RECORDING (dataset);

  add_files (builder, es_recording_get_files (self));
  add_samples (builder, &es_dataset_get_options (dataset)->samples);
  add_array (builder, self);
  add_calibration (builder, self, values);
  add_navigation (builder, self, values);
}

/* "line:184,2.5" where the array is such a line. Transfer full; nullable. */
static char *
line_of (EsArray *array)
{
  double axis[3], azimuth;

  if (!es_array_is_uniform (array))
    return NULL;
  es_array_get_axis (array, axis);
  azimuth = atan2 (axis[1], axis[0]) * 180 / G_PI;
  for (guint digits = 3; digits <= 17; digits += 7)
    {
      g_autoptr (EsArray) same = NULL;
      g_autoptr (EsArray) slow = NULL;
      g_autoptr (EsArray) from = NULL;
      g_autoptr (GString) text = g_string_new (NULL);
      char spacing[G_ASCII_DTOSTR_BUF_SIZE], angle[G_ASCII_DTOSTR_BUF_SIZE], format[8];

      g_snprintf (format, sizeof format, "%%.%ug", digits);
      g_ascii_formatd (spacing, sizeof spacing, format, es_array_get_spacing (array));
      g_ascii_formatd (angle, sizeof angle, format, azimuth);
      g_string_printf (text, "line:%u,%s", es_array_get_n_elements (array), spacing);
      if (strcmp (angle, "0") != 0)
        g_string_append_printf (text, ",%s", angle);
      same = es_array_parse (text->str, NULL);
      slow = same != NULL ? es_array_with_sound_speed (same, es_array_get_sound_speed (array)) : NULL;
      from = slow != NULL ? es_array_with_origin (slow, es_array_get_origin (array), NULL) : NULL;
      if (from != NULL && es_array_equal (from, array))
        return g_string_free (g_steal_pointer (&text), FALSE);
    }
  return NULL;
}

static void
append_array (GString *line, EsRecording *recording)
{
  GFile *file = es_dataset_get_file (ES_DATASET (recording));
  g_autoptr (EsArray) array = es_recording_get_array (recording);
  g_autoptr (GFile) sidecar = file != NULL ? es_array_sidecar_of (file) : NULL;
  g_autoptr (EsArray) beside = NULL;
  g_autofree char *text = NULL;
  char number[G_ASCII_DTOSTR_BUF_SIZE];

  /* What lies beside the recording is taken without being asked for. */
  if (array != NULL && sidecar != NULL && g_file_query_exists (sidecar, NULL))
    beside = es_array_load (sidecar, NULL, NULL);
  if (array == NULL || (beside != NULL && es_array_equal (array, beside)))
    return;
  text = line_of (array);
  if (text != NULL)
    g_string_append_printf (line, " --array %s", text);
  if (es_array_is_sound_speed_told (array))
    g_string_append_printf (line, " --sound-speed %s", g_ascii_dtostr (number, sizeof number,
                                                                       es_array_get_sound_speed (array)));
  if (es_array_get_origin (array)->kind != ES_ORIGIN_CENTRE)
    {
      g_autofree char *origin = es_origin_to_text (es_array_get_origin (array));
      g_string_append_printf (line, " --origin %s", origin);
    }
}

/* " --gain 20", and of channels that differ " --gain 20,21". Exact. */
static void
append_numbers (GString *line, const char *option, EsCalibration *calibration, guint n, gsize offset)
{
  const EsCalibrationNumbers *channels;
  const double common = G_STRUCT_MEMBER (double, es_calibration_get_common (calibration), offset);
  guint n_own;
  gboolean any = FALSE;
  char number[G_ASCII_DTOSTR_BUF_SIZE];

  channels = es_calibration_get_channels (calibration, &n_own);
  for (guint i = 0; i < n_own; i++)
    any = any || !isnan (G_STRUCT_MEMBER (double, &channels[i], offset));
  if (!any && isnan (common))
    return;
  g_string_append_printf (line, " %s ", option);
  for (guint i = 0; i < (any ? n : 1); i++)
    {
      const double own = i < n_own ? G_STRUCT_MEMBER (double, &channels[i], offset) : NAN;
      const gboolean is_direct = i < n_own && !isnan (channels[i].upa);
      const double value = isnan (own) && !is_direct ? common : own;

      g_string_append_printf (line, "%s%s", i > 0 ? "," : "",
                              isnan (value) ? "none" : g_ascii_dtostr (number, sizeof number, value));
    }
}

static void
append_calibration (GString *line, EsRecording *recording, JsonObject *values)
{
  GFile *file = es_dataset_get_file (ES_DATASET (recording));
  const guint n = es_recording_get_n_channels (recording);
  g_autoptr (EsCalibration) calibration = calibration_of (recording, values);
  g_autoptr (GFile) sidecar = file != NULL ? es_calibration_sidecar_of (file) : NULL;
  const gboolean is_beside = sidecar != NULL && g_file_query_exists (sidecar, NULL);
  g_autoptr (EsCalibration) taken = is_beside ? es_calibration_load (sidecar, NULL, NULL)
                                              : es_recording_dup_own_calibration (recording);
  GFile *named = calibration != NULL ? es_calibration_get_file (calibration) : NULL;
  g_autoptr (EsCalibration) same = named != NULL && g_file_query_exists (named, NULL)
                                   ? es_calibration_load (named, NULL, NULL) : NULL;
  g_autofree char *path = named != NULL ? g_file_get_path (named) : NULL;

  /* What is told by the recording, or lies beside it, is taken without being asked for. */
  if (es_calibration_equal (calibration, taken))
    return;
  if (calibration == NULL)
    g_string_append (line, " --calibration none");
  else if (path != NULL && same != NULL && es_calibration_equal (calibration, same))
    {
      g_autofree char *quoted = g_shell_quote (path);

      g_string_append_printf (line, " --calibration %s", quoted);
    }
  else
    {
      append_numbers (line, "--sensitivity", calibration, n, G_STRUCT_OFFSET (EsCalibrationNumbers, sensitivity_db));
      append_numbers (line, "--gain", calibration, n, G_STRUCT_OFFSET (EsCalibrationNumbers, gain_db));
      append_numbers (line, "--adc-range", calibration, n, G_STRUCT_OFFSET (EsCalibrationNumbers, adc_volts));
      append_numbers (line, "--full-scale", calibration, n, G_STRUCT_OFFSET (EsCalibrationNumbers, upa));
    }
}

/* Headings over time go by the file that told them. */
static void
append_heading (GString *line, EsNavigation *navigation)
{
  GFile *named = es_navigation_get_file (navigation);
  g_autofree char *path = named != NULL ? g_file_get_path (named) : NULL;
  g_autofree char *quoted = path != NULL ? g_shell_quote (path) : NULL;
  char number[G_ASCII_DTOSTR_BUF_SIZE];

  if (es_navigation_is_fixed (navigation))
    g_string_append_printf (line, " --heading %s",
                            g_ascii_dtostr (number, sizeof number, es_navigation_get_heading (navigation, 0)));
  else if (es_navigation_get_n_headings (navigation) > 0 && quoted != NULL)
    g_string_append_printf (line, " --heading %s", quoted);
}

static void
append_navigation (GString *line, EsRecording *recording, JsonObject *values)
{
  GFile *file = es_dataset_get_file (ES_DATASET (recording));
  g_autoptr (EsNavigation) navigation = navigation_of (recording, values);
  g_autoptr (EsNavigation) own = es_recording_dup_own_navigation (recording);
  GDateTime *start = own != NULL ? es_navigation_get_start (own) : NULL;
  g_autoptr (GFile) sidecar = file != NULL ? es_navigation_sidecar_of (file) : NULL;
  g_autoptr (EsNavigation) beside = sidecar != NULL && g_file_query_exists (sidecar, NULL)
                                    ? es_navigation_load (sidecar, start, NULL) : NULL;

  /* What is told by the recording, or lies beside it, is taken without being asked for. */
  if (navigation == NULL || es_navigation_equal (navigation, beside != NULL ? beside : own))
    return;
  start = es_navigation_get_start (navigation);
  if (start != NULL && (own == NULL || !g_date_time_equal (start, es_navigation_get_start (own))))
    {
      g_autofree char *text = es_navigation_format_time (start, 0);

      g_string_append_printf (line, " --start %s", text);
    }
  if (es_navigation_get_n_headings (navigation) == 0 && beside != NULL && es_navigation_get_n_headings (beside) > 0)
    g_string_append (line, " --heading none");
  append_heading (line, navigation);
}

void
_es_recording_append_input (EsDataset *dataset, GString *line, JsonObject *values)
{
  const EsRawSamples *samples = &es_dataset_get_options (dataset)->samples;
  char number[G_ASCII_DTOSTR_BUF_SIZE];

  if (samples->rate > 0)
    g_string_append_printf (line, " --rate %s", g_ascii_dtostr (number, sizeof number, samples->rate));
  if (samples->channels > 0)
    g_string_append_printf (line, " --channels %u --type %s%s%s", samples->channels,
                            samples->type != NULL ? samples->type : "int16",
                            samples->big_endian ? " --byte-order big" : "",
                            samples->by_channel ? " --layout by-channel" : "");
  if (samples->channels > 0 && samples->offset > 0)
    g_string_append_printf (line, " --offset %" G_GUINT64_FORMAT, samples->offset);
  append_array (line, ES_RECORDING (dataset));
  append_calibration (line, ES_RECORDING (dataset), values);
  append_navigation (line, ES_RECORDING (dataset), values);
}
