/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* --metadata and --wavelengths-from: what a cube is told beside its file; and "info" of it. */

#include <glib/gi18n.h>
#include <string.h>

#include "es-batch-open.h"

gboolean
es_batch_metadata_is_told (EsBatchOpen *self)
{
  return self->metadata != NULL || self->wavelengths != NULL;
}

const char *
es_batch_metadata_get_option (EsBatchOpen *self)
{
  return self->metadata != NULL ? "--metadata" : "--wavelengths-from";
}

/* What lies beside the cube, what is named instead, or nothing. */
static gboolean
find_base (EsBatchOpen *self, EsCube *cube, EsMetadata **base, GError **error)
{
  g_autofree char *shape = es_dataset_shape (ES_DATASET (cube));
  const guint bands = es_cube_get_bands (cube);
  g_autoptr (GFile) file = NULL;

  *base = NULL;
  if (self->metadata == NULL)
    *base = es_cube_get_metadata (cube) != NULL ? es_metadata_ref (es_cube_get_metadata (cube)) : NULL;
  else if (strcmp (self->metadata, "none") == 0)
    return TRUE;
  else if (*self->metadata == '{')
    return (*base = es_metadata_from_line (self->metadata, bands, error)) != NULL;
  else
    {
      file = es_batch_file (self->metadata);
      return (*base = es_metadata_load (file, shape, bands, error)) != NULL;
    }
  return TRUE;
}

/* A text, or another cube. */
static EsMetadata *
read_wavelengths (EsBatchOpen *self, EsCube *cube, GCancellable *cancellable, GError **error)
{
  g_autoptr (GFile) file = es_batch_file (self->wavelengths);

  return es_cube_import_metadata (cube, file, NULL, cancellable, error);
}

EsDataset *
es_batch_metadata_give (EsBatchOpen *self, EsCube *cube, GCancellable *cancellable, GError **error)
{
  g_autoptr (EsMetadata) base = NULL, list = NULL, all = NULL, named = NULL;

  if (!find_base (self, cube, &base, error))
    return NULL;
  if (self->wavelengths != NULL && (list = read_wavelengths (self, cube, cancellable, error)) == NULL)
    return NULL;
  all = es_metadata_merge (base, es_metadata_get_facts (list));
  named = es_metadata_with_source (all, ES_METADATA_NAMED);
  return (EsDataset *) es_cube_with_metadata (cube, named, error);
}

/* ---- info ---- */

void
es_batch_metadata_print (EsCube *cube)
{
  g_autofree char *told = es_metadata_describe (es_cube_get_metadata (cube));
  g_autofree char *said = NULL;
  EsCube *original = es_cube_get_original (cube);
  gboolean guessed;
  const char *unit = es_cube_get_wavelength_unit (cube, &guessed);
  double no_data;

  if (guessed)
    g_print (_("  the unit of the wavelengths is guessed: %s\n"), unit);
  if (es_cube_get_metadata (cube) == NULL)
    return;
  said = es_dataset_describe (ES_DATASET (original));
  g_print (_("  told beside the file: %s\n"), told);
  if (es_cube_get_no_data (original, 0, &no_data))
    g_print (_("  the file says: %s, %u good bands, no data %.10g\n"), said, es_cube_get_n_good_bands (original),
             no_data);
  else
    g_print (_("  the file says: %s, %u good bands\n"), said, es_cube_get_n_good_bands (original));
}

void
es_batch_metadata_add_json (EsCube *cube, JsonBuilder *builder)
{
  gboolean guessed;
  const char *unit = es_cube_get_wavelength_unit (cube, &guessed);

  if (unit != NULL)
    {
      json_builder_set_member_name (builder, "wavelength_unit");
      json_builder_add_string_value (builder, unit);
      json_builder_set_member_name (builder, "wavelength_unit_guessed");
      json_builder_add_boolean_value (builder, guessed);
    }
  if (es_cube_get_metadata (cube) == NULL)
    return;
  json_builder_set_member_name (builder, "metadata");
  json_builder_add_value (builder, es_metadata_to_node (es_cube_get_metadata (cube)));
}

static JsonNode *
facts_json (GPtrArray *facts)
{
  g_autoptr (JsonBuilder) builder = json_builder_new ();

  json_builder_begin_array (builder);
  for (guint i = 0; i < facts->len; i++)
    {
      const EsFileFact *fact = g_ptr_array_index (facts, i);

      json_builder_begin_object (builder);
      json_builder_set_member_name (builder, "group");
      json_builder_add_string_value (builder, fact->group);
      json_builder_set_member_name (builder, "key");
      json_builder_add_string_value (builder, fact->key);
      json_builder_set_member_name (builder, "value");
      json_builder_add_string_value (builder, fact->value);
      json_builder_end_object (builder);
    }
  json_builder_end_array (builder);
  return json_builder_get_root (builder);
}

int
es_batch_metadata_list (EsDataset *dataset, gboolean json)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) facts = es_file_facts_list (dataset, NULL, &error);
  const char *group = NULL;

  if (facts == NULL)
    return es_batch_fail (error);
  if (json)
    es_batch_print_json (facts_json (facts));
  for (guint i = 0; !json && i < facts->len; i++)
    {
      const EsFileFact *fact = g_ptr_array_index (facts, i);

      if (g_strcmp0 (fact->group, group) != 0)
        g_print ("%s\n", fact->group);
      group = fact->group;
      g_print ("  %s: %s\n", fact->key, fact->value);
    }
  return ES_EXIT_DONE;
}
