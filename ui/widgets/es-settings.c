/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-settings.h"

#include <errno.h>
#include <glib/gstdio.h>

#include "es-ui.h"

#define SCHEMA_RESOURCE "/org/eigenscope/Eigenscope/gschemas.compiled"

/* GIO reads schemas from folders only, so the one inside the program passes through a temporary one. */
static GSettingsSchema *
load_schema_through (const char *parent_folder, GBytes *bytes, GError **error)
{
  g_autoptr (GSettingsSchemaSource) source = NULL;
  g_autofree char *folder = g_build_filename (parent_folder, "eigenscope-XXXXXX", NULL);
  g_autofree char *path = NULL;

  if (g_mkdtemp (folder) == NULL)
    {
      g_set_error (error, G_FILE_ERROR, G_FILE_ERROR_FAILED, "%s: %s", parent_folder, g_strerror (errno));
      return NULL;
    }
  path = g_build_filename (folder, "gschemas.compiled", NULL);
  if (g_file_set_contents (path, g_bytes_get_data (bytes, NULL), g_bytes_get_size (bytes), error))
    source = g_settings_schema_source_new_from_directory (folder, NULL, TRUE, error);
  /* What has been mapped stays readable. */
  g_unlink (path);
  g_rmdir (folder);
  return source != NULL ? g_settings_schema_source_lookup (source, ES_APPLICATION_ID, FALSE) : NULL;
}

static GSettingsSchema *
load_own_schema (void)
{
  const char *folders[] = { g_get_user_runtime_dir (), g_get_tmp_dir (), g_get_user_cache_dir (), g_get_home_dir () };
  g_autoptr (GError) error = NULL;
  g_autoptr (GBytes) bytes = g_resources_lookup_data (SCHEMA_RESOURCE, G_RESOURCE_LOOKUP_FLAGS_NONE, NULL);

  for (guint i = 0; bytes != NULL && i < G_N_ELEMENTS (folders); i++)
    {
      g_clear_error (&error);
      GSettingsSchema *schema = load_schema_through (folders[i], bytes, &error);
      if (schema != NULL)
        return schema;
    }
  g_debug ("No folder to read the settings' schema from: %s", error != NULL ? error->message : "");
  return NULL;
}

GSettings *
es_settings_get (void)
{
  static GSettings *settings;

  if (settings == NULL)
    {
      GSettingsSchemaSource *installed = g_settings_schema_source_get_default ();
      g_autoptr (GSettingsSchema) schema = NULL;

      es_ui_init ();
      if (installed != NULL)
        schema = g_settings_schema_source_lookup (installed, ES_APPLICATION_ID, TRUE);
      /* One of an older version lacks keys, and asking for a missing key ends the program. */
      if (schema != NULL && (!g_settings_schema_has_key (schema, "parameters")
                             || !g_settings_schema_has_key (schema, "folded-sections")
                             || !g_settings_schema_has_key (schema, "gpu-memory")
                             || !g_settings_schema_has_key (schema, "own-windows")))
        g_clear_pointer (&schema, g_settings_schema_unref);
      if (schema == NULL)
        schema = load_own_schema ();
      if (schema != NULL)
        settings = g_settings_new_full (schema, NULL, NULL);
    }
  return settings;
}

void
es_settings_restore_params (EsParams *params, const char *operation_id)
{
  g_autoptr (GVariant) all = g_settings_get_value (es_settings_get (), "parameters");
  g_autoptr (GVariant) values = g_variant_lookup_value (all, operation_id, G_VARIANT_TYPE ("a{ss}"));
  GVariantIter iter;
  const char *key, *text;

  if (values == NULL)
    return;

  g_variant_iter_init (&iter, values);
  while (g_variant_iter_next (&iter, "{&s&s}", &key, &text))
    es_params_parse (params, key, text, NULL);
}

void
es_settings_store_params (EsParams *params, const char *operation_id)
{
  GSettings *settings = es_settings_get ();
  g_autoptr (GVariant) old = g_settings_get_value (settings, "parameters");
  g_autoptr (EsParams) defaults = es_params_new (es_params_get_specs (params));
  g_autoptr (GVariant) all = NULL;
  GVariantBuilder operations, values;
  GVariantIter iter;
  const char *id;
  GVariant *entry;
  gboolean any = FALSE;

  g_variant_builder_init (&operations, G_VARIANT_TYPE ("a{sa{ss}}"));
  g_variant_iter_init (&iter, old);
  while (g_variant_iter_next (&iter, "{&s@a{ss}}", &id, &entry))
    {
      if (g_strcmp0 (id, operation_id) != 0)
        g_variant_builder_add (&operations, "{s@a{ss}}", id, entry);
      g_variant_unref (entry);
    }

  g_variant_builder_init (&values, G_VARIANT_TYPE ("a{ss}"));
  for (const EsParamSpec *spec = es_params_get_specs (params); spec->type != ES_PARAM_END; spec++)
    /* Files, regions and lists belong to one data set: they are not remembered. */
    if (!es_param_type_is_text (spec->type)
        && es_params_get_value (params, spec->key) != es_params_get_value (defaults, spec->key))
      {
        g_autofree char *text = es_params_format (params, spec->key);

        g_variant_builder_add (&values, "{ss}", spec->key, text);
        any = TRUE;
      }
  entry = g_variant_ref_sink (g_variant_builder_end (&values));
  if (any)
    g_variant_builder_add (&operations, "{s@a{ss}}", operation_id, entry);
  g_variant_unref (entry);

  all = g_variant_ref_sink (g_variant_builder_end (&operations));
  if (!g_variant_equal (all, old))
    g_settings_set_value (settings, "parameters", all);
}
