/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n.h>
#include <string.h>

#include "es-batch.h"

/* "info" of a saved result. */

typedef struct
{
  GFile    *file;
  JsonNode *info;
} Work;

static gboolean
look (gpointer data, GCancellable *cancellable, GError **error)
{
  Work *work = data;

  work->info = es_result_info (work->file, cancellable, error);
  return work->info != NULL;
}

/* es_result_info () has each of its type, or null. */
static const char *
get (JsonObject *object, const char *name)
{
  return json_object_get_string_member_with_default (object, name, NULL) ?: "–";
}

/* One line, whatever the names and texts of a file hold: one that ends a line could pretend the next. */
static void print_line (const char *format, ...) G_GNUC_PRINTF (1, 2);

static void
print_line (const char *format, ...)
{
  g_autofree char *text = NULL, *shown = NULL;
  va_list arguments;

  va_start (arguments, format);
  text = g_strdup_vprintf (format, arguments);
  va_end (arguments);
  if (g_str_has_suffix (text, "\n"))
    text[strlen (text) - 1] = '\0';
  shown = es_text_show (text);
  g_print ("%s\n", shown);
}

static void
print_parameters (JsonObject *parameters)
{
  g_autoptr (GString) line = g_string_new (NULL);
  JsonObjectIter iterator;
  const char *key;
  JsonNode *value;

  json_object_iter_init_ordered (&iterator, parameters);
  while (json_object_iter_next_ordered (&iterator, &key, &value))
    {
      const GType type = json_node_get_value_type (value);
      g_autofree char *quoted = type == G_TYPE_STRING ? g_shell_quote (json_node_get_string (value)) : NULL;

      g_string_append_printf (line, " %s=", key);
      if (type == G_TYPE_STRING)
        g_string_append (line, strpbrk (json_node_get_string (value), " '\"\\$;&|<>()*?") != NULL
                               ? quoted : json_node_get_string (value));
      else if (type == G_TYPE_BOOLEAN)
        g_string_append (line, json_node_get_boolean (value) ? "yes" : "no");
      else
        g_string_append_printf (line, "%.10g", json_node_get_double (value));
    }
  /* TRANSLATORS: the parameters of a saved result; “ key=value key=value” follows */
  print_line (_("  parameters:%s\n"), line->str);
}

static void
print_layers (JsonArray *layers)
{
  for (guint i = 0; i < json_array_get_length (layers); i++)
    {
      JsonObject *layer = json_array_get_object_element (layers, i);
      const char *unit = json_object_get_string_member_with_default (layer, "unit", NULL);

      print_line ("  %-20s %-12s %-14s %-8s %s%s%s%s  %s\n", get (layer, "name"), get (layer, "kind"),
                  get (layer, "shape"), get (layer, "type"), get (layer, "file"), unit != NULL ? " (" : "",
                  unit != NULL ? unit : "", unit != NULL ? ")" : "", get (layer, "title"));
    }
}

static void
print_sentences (JsonArray *sentences)
{
  for (guint i = 0; i < json_array_get_length (sentences); i++)
    print_line ("  %s\n", json_array_get_string_element (sentences, i));
}

static void
print_info (JsonObject *info)
{
  JsonObject *input = json_object_get_object_member (info, "input");
  JsonObject *device = json_object_get_object_member (info, "device");
  const gint64 bytes = json_object_get_int_member (info, "bytes");
  const int files = (int) json_object_get_int_member (info, "files");
  g_autofree char *size = g_format_size ((guint64) bytes);

  print_line ("%s\n", get (info, "title"));
  print_line (_("  operation: %s, version %.10g; %s\n"), get (info, "operation"),
              json_object_get_double_member_with_default (info, "version", 0), get (info, "software"));
  print_parameters (json_object_get_object_member (info, "parameters"));
  print_line (_("  input: %s, %s, identity %s\n"),
              get (input, json_object_has_member (input, "made") ? "made" : "path"), get (input, "shape"),
              get (input, "identity"));
  print_line (_("  computed by %s (%s) in %.1f ms\n"), get (device, "name"), get (device, "id"),
              json_object_get_double_member_with_default (info, "total_ms", 0));
  print_layers (json_object_get_array_member (info, "layers"));
  print_sentences (json_object_get_array_member (info, "warnings"));
  if (!json_object_get_boolean_member (info, "checked"))
    print_line ("  %s\n", _("It was saved without checksums: whether its files are still the same cannot be told."));
  else if (json_object_get_boolean_member (info, "whole"))
    print_line (_("  whole: every file is as it was saved (%d files, %s)\n"), files, size);
  else
    print_sentences (json_object_get_array_member (info, "wrong"));
}

int
es_batch_result_info (GFile *file, gboolean json)
{
  Work work = { file, NULL };
  g_autoptr (GError) error = NULL;

  if (!es_batch_work (look, &work, &error))
    return es_batch_fail (error);
  if (json)
    es_batch_print_json (work.info);
  else
    {
      print_info (json_node_get_object (work.info));
      json_node_unref (work.info);
    }
  return ES_EXIT_DONE;
}
