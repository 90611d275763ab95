/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* The verb that lists what can be computed, with every parameter. */

#include <glib/gi18n.h>

#include "es-batch.h"
#include "operations/es-operations.h"
#include "tool/es-batch-json.h"

static const char *
param_type_name (EsParamType type)
{
  static const char *const names[] = { "float", "int", "choice", "bool", "text", "file", "region" };

  return names[type];
}

static void
add_param (JsonBuilder *builder, const EsParamSpec *spec, EsParams *defaults)
{
  g_autofree char *value = es_params_format (defaults, spec->key);

  json_builder_begin_object (builder);
  es_batch_json_string (builder, "key", spec->key);
  es_batch_json_string (builder, "label", _(spec->label));
  es_batch_json_string (builder, "help", _(spec->help));
  es_batch_json_string (builder, "type", param_type_name (spec->type));
  es_batch_json_string (builder, "default", value);
  if (spec->type == ES_PARAM_FLOAT || spec->type == ES_PARAM_INT)
    {
      es_batch_json_number (builder, "minimum", spec->minimum);
      es_batch_json_number (builder, "maximum", spec->maximum);
    }
  if (spec->type == ES_PARAM_CHOICE)
    {
      json_builder_set_member_name (builder, "choices");
      json_builder_begin_array (builder);
      for (guint i = 0; spec->choices[i].id != NULL; i++)
        json_builder_add_string_value (builder, spec->choices[i].id);
      json_builder_end_array (builder);
    }
  json_builder_end_object (builder);
}

static void
print_param (const EsParamSpec *spec, EsParams *defaults)
{
  g_autofree char *value = es_params_format (defaults, spec->key);
  g_autoptr (GString) range = g_string_new (NULL);

  if (spec->type == ES_PARAM_CHOICE)
    for (guint i = 0; spec->choices[i].id != NULL; i++)
      g_string_append_printf (range, "%s%s", i == 0 ? "" : " | ", spec->choices[i].id);
  else if (spec->type == ES_PARAM_BOOL)
    g_string_append (range, "yes | no");
  else if (spec->type == ES_PARAM_TEXT)
    g_string_append (range, _("TEXT"));
  else if (spec->type == ES_PARAM_FILE)
    g_string_append (range, _("FILE"));
  else if (spec->type == ES_PARAM_REGION)
    g_string_append (range, "rectangle X Y W H");
  else
    g_string_append_printf (range, "%.10g..%.10g", spec->minimum, spec->maximum);
  g_print ("    %-12s %-26s [%s]  %s\n", spec->key, range->str, value, _(spec->help));
}

static void
add_operation (JsonBuilder *builder, const EsOperation *operation, gboolean json)
{
  g_autoptr (EsParams) defaults = es_params_new (operation->params);

  if (!json)
    g_print ("%s  %s\n    %s\n", operation->id, _(operation->title), _(operation->summary));
  json_builder_begin_object (builder);
  es_batch_json_string (builder, "id", operation->id);
  es_batch_json_string (builder, "title", _(operation->title));
  es_batch_json_string (builder, "summary", _(operation->summary));
  es_batch_json_number (builder, "version", operation->version);
  json_builder_set_member_name (builder, "parameters");
  json_builder_begin_array (builder);
  for (const EsParamSpec *spec = operation->params; spec->type != ES_PARAM_END; spec++)
    {
      add_param (builder, spec, defaults);
      if (!json)
        print_param (spec, defaults);
    }
  json_builder_end_array (builder);
  json_builder_end_object (builder);
}

int
es_batch_operations (int argc, char **argv)
{
  const EsOperation * const *all = es_operations_get ();
  g_autoptr (GPtrArray) named = g_ptr_array_new ();
  g_autoptr (JsonBuilder) builder = json_builder_new ();
  g_autoptr (GError) error = NULL;
  gboolean json = FALSE;

  if (!es_batch_json_alone (_("operations [NAME ...]: what can be computed, with every parameter."), &argc, &argv,
                            &json))
    return ES_EXIT_USAGE;
  /* One that is wrong is known before any is printed. */
  for (int i = 1; i < argc; i++)
    {
      const EsOperation *operation = es_operation_find (argv[i], &error);

      if (operation == NULL)
        return es_batch_fail (error);
      g_ptr_array_add (named, (gpointer) operation);
    }

  json_builder_begin_array (builder);
  for (guint i = 0; i < named->len; i++)
    add_operation (builder, g_ptr_array_index (named, i), json);
  for (guint i = 0; named->len == 0 && all[i] != NULL; i++)
    add_operation (builder, all[i], json);
  json_builder_end_array (builder);
  if (json)
    es_batch_print_json (json_builder_get_root (builder));
  return ES_EXIT_DONE;
}
