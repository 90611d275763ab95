/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-kept-settings.h"

#include "widgets/es-export.h"
#include "widgets/es-settings.h"

/* Those of the program itself (style, devices) and of the screen (the window's size) are none of a session. */
static const char * const keys[] = {
  "sidebar-visible", "inspector-visible", "folded-sections", "inspector-columns", "cube-sections", "cube-large",
  "cube-large-fills", "cube-large-share", "cube-windows", "sonar-middle", "sonar-divider", "sonar-folded",
  "sonar-beams", "sonar-colormap", "sonar-normaliser", "sonar-bearings", "sonar-clock", "sonar-range", "sonar-plan",
  "sonar-harmonics", "sonar-tracks", "sonar-beside", "operation", "recording-operation", "parameters",
};

static JsonNode *
tell (gpointer owner)
{
  g_autoptr (JsonObject) object = json_object_new ();

  for (guint i = 0; i < G_N_ELEMENTS (keys); i++)
    {
      g_autoptr (GVariant) value = g_settings_get_value (es_settings_get (), keys[i]);
      g_autofree char *text = g_variant_print (value, TRUE);

      json_object_set_string_member (object, keys[i], text);
    }
  return json_node_init_object (json_node_alloc (), object);
}

/* Of the key's own type and range, or not at all. */
static void
take_key (const char *key, JsonNode *node)
{
  g_autoptr (GVariant) now = g_settings_get_value (es_settings_get (), key);
  g_autoptr (GVariant) value = NULL;

  if (node == NULL || !JSON_NODE_HOLDS_VALUE (node) || json_node_get_value_type (node) != G_TYPE_STRING)
    return;
  value = g_variant_parse (g_variant_get_type (now), json_node_get_string (node), NULL, NULL, NULL);
  if (value == NULL || g_variant_equal (value, now))
    return;
  g_autoptr (GSettingsSchema) schema = NULL;
  g_object_get (es_settings_get (), "settings-schema", &schema, NULL);
  g_autoptr (GSettingsSchemaKey) known = g_settings_schema_get_key (schema, key);
  if (g_settings_schema_key_range_check (known, value))
    g_settings_set_value (es_settings_get (), key, value);
}

/* The panel has read its own when it was made. */
static void
take_parameters (EsShell *shell)
{
  EsAnalysePanel *analyse = es_shell_get_analyse (shell);
  g_autoptr (GVariant) all = g_settings_get_value (es_settings_get (), "parameters");
  g_autofree char *chosen = g_settings_get_string (es_settings_get (), "operation");
  GVariantIter iter;
  const char *id;
  GVariant *values;

  if (analyse == NULL)
    return;
  g_variant_iter_init (&iter, all);
  while (g_variant_iter_next (&iter, "{&s@a{ss}}", &id, &values))
    {
      EsParams *params = es_analyse_panel_get_params_of (analyse, id);

      if (params != NULL)
        {
          es_params_reset (params);
          es_settings_restore_params (params, id);
        }
      g_variant_unref (values);
    }
  if (!es_analyse_panel_shows_result (analyse))
    es_analyse_panel_set_operation (analyse, chosen);
}

static void
take (gpointer owner, JsonNode *told)
{
  JsonObject *object = JSON_NODE_HOLDS_OBJECT (told) ? json_node_get_object (told) : NULL;

  for (guint i = 0; object != NULL && i < G_N_ELEMENTS (keys); i++)
    take_key (keys[i], json_object_get_member (object, keys[i]));
  take_parameters (owner);
}

/* They have been taken by now. */
static void
take_none (gpointer owner, JsonNode *told)
{
}

static JsonNode *
tell_places (gpointer owner)
{
  return es_export_place_tell ();
}

static void
take_places (gpointer owner, JsonNode *told)
{
  es_export_place_take (told);
}

void
es_kept_settings_take (EsShell *shell, JsonNode *told)
{
  if (told != NULL)
    take (shell, told);
}

/* Also from windows that are not the one whose events are watched. */
static void
on_setting (EsShell *shell, const char *key)
{
  for (guint i = 0; i < G_N_ELEMENTS (keys); i++)
    if (g_str_equal (keys[i], key))
      es_shell_changed (shell);
}

void
es_kept_settings_add (EsShell *shell)
{
  static const EsShellSection section = { "settings", tell, take_none };
  static const EsShellSection saved = { "save-places", tell_places, take_places };

  es_shell_keep (shell, &section, G_OBJECT (shell));
  es_shell_keep (shell, &saved, G_OBJECT (shell));
  g_signal_connect_object (es_settings_get (), "changed", G_CALLBACK (on_setting), shell, G_CONNECT_SWAPPED);
}
