/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* What repeats the opening of a data set: in result.json, and on a command line. Each kind adds its own. */

#include "base/es-address.h"
#include "es-dataset-internal.h"

char *
_es_dataset_name_place (GFile *file)
{
  const char *path = g_file_peek_path (file);
  char *address = path != NULL && !g_file_query_exists (file, NULL) ? es_address_find (path) : NULL;

  return address != NULL ? address : g_file_get_parse_name (file);
}

static const char * const interleaves[] = { "bsq", "bil", "bip" };

const char *
es_interleave_name (EsInterleave interleave)
{
  g_return_val_if_fail (interleave < G_N_ELEMENTS (interleaves), NULL);
  return interleaves[interleave];
}

gboolean
es_interleave_find (const char *name, EsInterleave *interleave)
{
  for (guint i = 0; name != NULL && i < G_N_ELEMENTS (interleaves); i++)
    if (g_ascii_strcasecmp (name, interleaves[i]) == 0)
      {
        *interleave = (EsInterleave) i;
        return TRUE;
      }
  return FALSE;
}

/* Of a raw cube, whose width and height have been told. */
static void
add_cube_samples (JsonBuilder *builder, const EsRawSamples *samples)
{
  const char * const words[] = {
    "type", samples->type != NULL ? samples->type : "",
    "byte_order", samples->big_endian ? "big" : "little",
    "layout", interleaves[samples->interleave],
  };

  json_builder_set_member_name (builder, "raw_bands");
  json_builder_add_int_value (builder, samples->bands);
  for (guint i = 0; i < G_N_ELEMENTS (words); i += 2)
    {
      json_builder_set_member_name (builder, words[i]);
      json_builder_add_string_value (builder, words[i + 1]);
    }
  json_builder_set_member_name (builder, "offset");
  json_builder_add_int_value (builder, (gint64) samples->offset);
}

void
_es_dataset_add_input (EsDataset *self, JsonBuilder *builder)
{
  _es_dataset_add_input_of (self, builder, NULL);
}

void
_es_dataset_add_input_of (EsDataset *self, JsonBuilder *builder, JsonObject *values)
{
  const EsOpenOptions *options = es_dataset_get_options (self);
  EsDatasetClass *class = ES_DATASET_GET_CLASS (self);

  if (options->variable != NULL)
    {
      json_builder_set_member_name (builder, "variable");
      json_builder_add_string_value (builder, options->variable);
    }
  if (options->driver != NULL)
    {
      json_builder_set_member_name (builder, "driver");
      json_builder_add_string_value (builder, options->driver);
    }
  if (options->width > 0 && options->height > 0)
    {
      json_builder_set_member_name (builder, "width");
      json_builder_add_int_value (builder, options->width);
      json_builder_set_member_name (builder, "height");
      json_builder_add_int_value (builder, options->height);
    }
  if (options->samples.bands > 0)
    add_cube_samples (builder, &options->samples);
  if (class->add_input != NULL)
    class->add_input (self, builder, values);
}

void
_es_dataset_append_input (EsDataset *self, GString *line)
{
  _es_dataset_append_input_of (self, line, NULL);
}

void
_es_dataset_append_input_of (EsDataset *self, GString *line, JsonObject *values)
{
  const EsOpenOptions *options = es_dataset_get_options (self);
  EsDatasetClass *class = ES_DATASET_GET_CLASS (self);

  if (options->variable != NULL)
    {
      g_autofree char *variable = g_shell_quote (options->variable);

      g_string_append_printf (line, " --variable %s", variable);
    }
  if (options->driver != NULL)
    {
      g_autofree char *driver = g_shell_quote (options->driver);

      g_string_append_printf (line, " --driver %s", driver);
    }
  if (options->width > 0 && options->height > 0)
    g_string_append_printf (line, " --width %d --height %d", options->width, options->height);
  if (options->samples.bands > 0)
    g_string_append_printf (line, " --raw-bands %u --type %s --layout %s%s", options->samples.bands,
                            options->samples.type != NULL ? options->samples.type : "int16",
                            interleaves[options->samples.interleave],
                            options->samples.big_endian ? " --byte-order big" : "");
  if (options->samples.bands > 0 && options->samples.offset > 0)
    g_string_append_printf (line, " --offset %" G_GUINT64_FORMAT, options->samples.offset);
  if (class->append_input != NULL)
    class->append_input (self, line, values);
}

void
_es_dataset_append_files (EsDataset *self, GString *line)
{
  GFile * const one[] = { es_dataset_get_file (self), NULL };
  EsDatasetClass *class = ES_DATASET_GET_CLASS (self);
  GFile * const *files = class->get_files != NULL ? class->get_files (self) : one;

  if (files[0] == NULL)
    {
      const char *id = es_dataset_get_device_id (self), *made = es_dataset_get_made_name (self);
      g_autofree char *name = g_shell_quote (id != NULL ? id : made != NULL ? made : es_dataset_get_name (self));

      g_string_append (line, name);
    }
  for (guint i = 0; files[i] != NULL; i++)
    {
      g_autofree char *path = g_file_get_path (files[i]);
      g_autofree char *address = path != NULL && !g_file_query_exists (files[i], NULL) ? es_address_find (path) : NULL;
      g_autofree char *quoted = g_shell_quote (address != NULL ? address : path != NULL ? path
                                                                         : es_dataset_get_name (self));

      g_string_append_printf (line, "%s%s", i > 0 ? " " : "", quoted);
    }
}
