/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <math.h>
#include <string.h>

#include "dataset/es-dataset-internal.h"
#include "es-open.h"
#include "recording/es-recording-internal.h"

/* What repeats the opening of a data set: in result.json, and on a command line. */

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
  g_autofree char *text = array != NULL ? es_array_to_json (array) : NULL;
  JsonNode *node = text != NULL ? json_from_string (text, NULL) : NULL;

  if (node == NULL)
    return;
  json_builder_set_member_name (builder, "array");
  json_builder_add_value (builder, node);
}

void
_es_dataset_add_input (EsDataset *self, JsonBuilder *builder)
{
  const EsOpenOptions *options = es_dataset_get_options (self);

  if (options->variable != NULL)
    set_string (builder, "variable", options->variable);
  if (options->width > 0 && options->height > 0)
    {
      json_builder_set_member_name (builder, "width");
      json_builder_add_int_value (builder, options->width);
      json_builder_set_member_name (builder, "height");
      json_builder_add_int_value (builder, options->height);
    }
  if (!ES_IS_RECORDING (self))
    return;
  add_files (builder, es_recording_get_files (ES_RECORDING (self)));
  add_samples (builder, &options->samples);
  add_array (builder, ES_RECORDING (self));
}

static const char *
get_string (JsonObject *object, const char *name)
{
  JsonNode *node = json_object_get_member (object, name);

  return node != NULL && JSON_NODE_HOLDS_VALUE (node) && json_node_get_value_type (node) == G_TYPE_STRING
           ? json_node_get_string (node) : NULL;
}

/* Within bounds; 0 where it is missing or no number. */
static double
get_number (JsonObject *object, const char *name, double most)
{
  JsonNode *node = json_object_get_member (object, name);
  double value = node != NULL && JSON_NODE_HOLDS_VALUE (node) ? json_node_get_double (node) : 0;

  return value > 0 && value <= most ? value : 0;
}

static GPtrArray *
get_files (JsonObject *input, const char *path)
{
  GPtrArray *files = g_ptr_array_new_with_free_func (g_object_unref);
  JsonNode *node = json_object_get_member (input, "files");
  JsonArray *list = node != NULL && JSON_NODE_HOLDS_ARRAY (node) ? json_node_get_array (node) : NULL;

  for (guint i = 0; list != NULL && i < json_array_get_length (list); i++)
    {
      JsonNode *element = json_array_get_element (list, i);

      if (JSON_NODE_HOLDS_VALUE (element) && json_node_get_value_type (element) == G_TYPE_STRING)
        g_ptr_array_add (files, g_file_parse_name (json_node_get_string (element)));
    }
  if (files->len == 0)
    g_ptr_array_add (files, g_file_parse_name (path));
  return files;
}

EsDataset *
_es_dataset_open_input (JsonObject *input, GCancellable *cancellable, GError **error)
{
  const char *path = get_string (input, "path");
  g_autoptr (GPtrArray) files = NULL;
  g_autoptr (EsArray) array = NULL;
  EsDataset *dataset;
  EsOpenOptions options = {
    .width = (int) get_number (input, "width", G_MAXINT),
    .height = (int) get_number (input, "height", G_MAXINT),
    .variable = get_string (input, "variable"),
    .samples = {
      .channels = (guint) get_number (input, "channels", G_MAXUINT),
      .rate = get_number (input, "rate", G_MAXDOUBLE),
      .type = get_string (input, "type"),
      .big_endian = g_strcmp0 (get_string (input, "byte_order"), "big") == 0,
      .by_channel = g_strcmp0 (get_string (input, "layout"), "by-channel") == 0,
      .offset = (guint64) get_number (input, "offset", 9e18),
    },
  };

  g_return_val_if_fail (path != NULL, NULL);

  files = get_files (input, path);
  if (files->len == 1)
    dataset = es_dataset_open (g_ptr_array_index (files, 0), &options, cancellable, error);
  else
    dataset = es_recording_open_files_with ((GFile **) files->pdata, files->len, &options, cancellable, error);
  if (dataset != NULL && ES_IS_RECORDING (dataset) && json_object_has_member (input, "array"))
    {
      g_autofree char *text = json_to_string (json_object_get_member (input, "array"), FALSE);

      array = es_array_from_json (text, NULL);
      if (array != NULL)
        es_recording_set_array (ES_RECORDING (dataset), array);
    }
  return dataset;
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
      if (slow != NULL && es_array_equal (slow, array))
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

  /* What lies beside the recording is taken without being asked for. */
  if (array != NULL && sidecar != NULL && g_file_query_exists (sidecar, NULL))
    beside = es_array_load (sidecar, NULL);
  if (array == NULL || (beside != NULL && es_array_equal (array, beside)))
    return;
  text = line_of (array);
  if (text != NULL)
    g_string_append_printf (line, " --array %s", text);
}

void
_es_dataset_append_input (EsDataset *self, GString *line)
{
  const EsOpenOptions *options = es_dataset_get_options (self);
  const EsRawSamples *samples = &options->samples;
  char number[G_ASCII_DTOSTR_BUF_SIZE];

  if (options->variable != NULL)
    {
      g_autofree char *variable = g_shell_quote (options->variable);

      g_string_append_printf (line, " --variable %s", variable);
    }
  if (options->width > 0 && options->height > 0)
    g_string_append_printf (line, " --width %d --height %d", options->width, options->height);
  if (!ES_IS_RECORDING (self))
    return;
  if (samples->rate > 0)
    g_string_append_printf (line, " --rate %s", g_ascii_dtostr (number, sizeof number, samples->rate));
  if (samples->channels > 0)
    g_string_append_printf (line, " --channels %u --type %s%s%s", samples->channels,
                            samples->type != NULL ? samples->type : "int16",
                            samples->big_endian ? " --byte-order big" : "",
                            samples->by_channel ? " --layout by-channel" : "");
  if (samples->channels > 0 && samples->offset > 0)
    g_string_append_printf (line, " --offset %" G_GUINT64_FORMAT, samples->offset);
  append_array (line, ES_RECORDING (self));
}

void
_es_dataset_append_files (EsDataset *self, GString *line)
{
  GFile *first = es_dataset_get_file (self);
  GFile * const one[] = { first, NULL };
  GFile * const *files = ES_IS_RECORDING (self) ? es_recording_get_files (ES_RECORDING (self)) : one;

  if (files[0] == NULL)
    {
      g_autofree char *name = g_shell_quote (es_dataset_get_name (self));

      g_string_append (line, name);
    }
  for (guint i = 0; files[i] != NULL; i++)
    {
      g_autofree char *path = g_file_get_path (files[i]);
      g_autofree char *quoted = g_shell_quote (path != NULL ? path : es_dataset_get_name (self));

      g_string_append_printf (line, "%s%s", i > 0 ? " " : "", quoted);
    }
}
