/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-batch-json.h"

#include <glib/gi18n.h>
#include <math.h>

#include "es-batch-tool.h"

void
es_batch_json_string (JsonBuilder *builder, const char *name, const char *value)
{
  json_builder_set_member_name (builder, name);
  if (value != NULL)
    json_builder_add_string_value (builder, value);
  else
    json_builder_add_null_value (builder);
}

void
es_batch_json_number (JsonBuilder *builder, const char *name, double value)
{
  json_builder_set_member_name (builder, name);
  if (!isfinite (value))
    json_builder_add_null_value (builder);
  else if (value == rint (value) && fabs (value) < 1e15)
    json_builder_add_int_value (builder, (gint64) value);
  else
    json_builder_add_double_value (builder, value);
}

gboolean
es_batch_json_alone (const char *summary, int *argc, char ***argv, gboolean *json)
{
  GOptionEntry entries[] = {
    { "json", 0, 0, G_OPTION_ARG_NONE, json, N_("Print JSON"), NULL },
    G_OPTION_ENTRY_NULL
  };

  return es_batch_parse_options (entries, summary, argc, argv);
}
