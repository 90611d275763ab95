/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* What verbs take from a command line, and what they say where it is wrong, or they fail. */

#include <glib/gi18n.h>
#include <string.h>

#include "es-batch-tool.h"
#include "ranks/es-ranks.h"

int
es_batch_fail (const GError *own)
{
  /* Of several processes all end with the same sentence, and the same status. */
  g_autoptr (GError) error = g_error_copy (own);
  es_ranks_fail (&error);
  g_autofree char *shown = es_text_show (error->message);

  if (es_ranks_speaks_instead ())
    es_batch_be_heard ();
  g_printerr ("eigenscope-batch: %s\n", shown);
  if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    return ES_EXIT_CANCELLED;
  /* Threads that cannot be started have no memory for their stacks. */
  if (error->domain == G_THREAD_ERROR)
    return ES_EXIT_DEVICE;
  if (g_error_matches (error, ES_COMPUTE_ERROR, ES_COMPUTE_ERROR_PARAMETER)
      || g_error_matches (error, ES_COMPUTE_ERROR, ES_COMPUTE_ERROR_OPERATION))
    return ES_EXIT_USAGE;
  /* What cannot be computed of these numbers no other device and no more memory can compute. */
  if (error->domain == ES_COMPUTE_ERROR && error->code != ES_COMPUTE_ERROR_NUMERIC)
    return ES_EXIT_DEVICE;
  return ES_EXIT_DATA;
}

int
es_batch_usage (const char *format, ...)
{
  va_list arguments;

  va_start (arguments, format);
  g_autoptr (GError) error = g_error_new_valist (ES_COMPUTE_ERROR, ES_COMPUTE_ERROR_PARAMETER, format, arguments);
  va_end (arguments);
  es_ranks_fail (&error);
  g_autofree char *shown = es_text_show (error->message);
  g_printerr ("eigenscope-batch: %s\n%s\n", shown, _("Try “eigenscope-batch --help”."));
  return ES_EXIT_USAGE;
}

/* Whether a sentence names a file: in quotes, with a path before it or not, or at its beginning. Letters of a short
 * name are in any sentence. */
static gboolean
is_named (const char *sentence, const char *name)
{
  const gsize length = strlen (name);

  if (*name == '\0')
    return FALSE;
  if (g_str_has_prefix (sentence, name) && sentence[length] == ':')
    return TRUE;
  for (const char *at = strstr (sentence, name); at != NULL; at = strstr (at + 1, name))
    if (g_str_has_prefix (at + length, "”") && at > sentence
        && (at[-1] == '/' || (at - sentence >= 3 && g_str_has_prefix (at - 3, "“"))))
      return TRUE;
  return FALSE;
}

void
es_batch_warn (const char *file, const char *sentence)
{
  g_autofree char *name = file != NULL ? es_text_show (file) : NULL, *shown = es_text_show (sentence);

  if (name == NULL || is_named (shown, name))
    g_printerr ("eigenscope-batch: %s\n", shown);
  else
    g_printerr ("eigenscope-batch: %s: %s\n", name, shown);
}

void
es_batch_print_json (JsonNode *root)
{
  g_autofree char *text = es_json_to_text (root);

  g_print ("%s", text);
  json_node_unref (root);
}

gboolean
es_batch_parse_options (GOptionEntry *entries, const char *summary, int *argc, char ***argv)
{
  g_autoptr (GOptionContext) context = g_option_context_new (NULL);
  g_autoptr (GError) error = NULL;

  g_option_context_set_translation_domain (context, GETTEXT_PACKAGE);
  g_option_context_add_main_entries (context, entries, GETTEXT_PACKAGE);
  g_option_context_set_summary (context, summary);
  if (g_option_context_parse (context, argc, argv, &error))
    return TRUE;
  es_batch_usage ("%s", error->message);
  return FALSE;
}

static const GOptionEntry *
find_option (const GOptionEntry *entries, const char *argument, gboolean *has_value)
{
  const char *name = argument + (g_str_has_prefix (argument, "--") ? 2 : 1);
  const gsize length = strcspn (name, "=");

  *has_value = name[length] == '=' || (argument[1] != '-' && length > 1);
  for (; entries->long_name != NULL; entries++)
    if (argument[1] == '-' ? strncmp (entries->long_name, name, length) == 0 && entries->long_name[length] == '\0'
                           : entries->short_name == *name)
      return entries;
  return NULL;
}

char *
es_batch_list_options (const GOptionEntry *entries, const char *const *but, int argc, char **argv)
{
  g_autoptr (GString) text = g_string_new (NULL);

  for (int i = 1; i < argc && strcmp (argv[i], "--") != 0; i++)
    {
      gboolean has_value;
      const GOptionEntry *entry = *argv[i] == '-' ? find_option (entries, argv[i], &has_value) : NULL;
      const char *value = NULL;

      if (entry == NULL)
        continue;
      if (has_value)
        value = argv[i] + (argv[i][1] == '-' ? strcspn (argv[i], "=") + 1 : 2);
      else if (entry->arg != G_OPTION_ARG_NONE && i + 1 < argc)
        value = argv[++i];
      if (g_strv_contains (but, entry->long_name))
        continue;
      g_string_append_printf (text, "%s--%s%s%s", text->len > 0 ? " " : "", entry->long_name, value != NULL ? "=" : "",
                              value != NULL ? value : "");
    }
  return g_string_free (g_steal_pointer (&text), FALSE);
}

/* ---- arguments ---- */

/* "256M", "1.5 GB", "2GiB": bytes. Units are powers of 1024. */
gboolean
es_batch_parse_size (const char *text, guint64 *bytes)
{
  static const char units[] = "KMGT";
  char *end;
  double value = g_ascii_strtod (text, &end);
  const char *unit;

  if (end == text || !(value > 0))
    return FALSE;
  while (*end == ' ')
    end++;
  if (*end != '\0' && (unit = strchr (units, g_ascii_toupper (*end))) != NULL)
    {
      value *= (double) (1ull << (10 * (unit - units + 1)));
      end++;
      if (g_ascii_strcasecmp (end, "iB") == 0)
        end += 2;
    }
  if (g_ascii_strcasecmp (end, "B") == 0)
    end++;
  if (*end != '\0' || value < 1 || value > 1e18)
    return FALSE;
  *bytes = value;
  return TRUE;
}

gboolean
es_batch_is_parameter (const char *argument)
{
  gsize key = strspn (argument, "abcdefghijklmnopqrstuvwxyz0123456789-");

  return key > 0 && argument[key] == '=' && !g_file_test (argument, G_FILE_TEST_EXISTS);
}

gboolean
es_batch_parse_parameter (EsParams *params, const char *argument, GError **error)
{
  g_auto (GStrv) pair = g_strsplit (argument, "=", 2);
  const EsParamSpec *spec = es_param_specs_find (es_params_get_specs (params), pair[0]);
  const char *value = pair[1] != NULL ? pair[1] : "";
  g_autofree char *name = NULL;

  /* A file is named from where the tool runs, and in UTF-8 whatever its bytes are. */
  if (spec != NULL && spec->type == ES_PARAM_FILE && *value != '\0')
    {
      g_autoptr (GFile) file = es_batch_file (value);
      value = name = g_file_get_parse_name (file);
    }
  return es_params_parse (params, pair[0], value, error);
}

GFile *
es_batch_file (const char *argument)
{
  /* A colon alone does not make a URI: "out-cuda:all" is a folder. */
  return strstr (argument, "://") != NULL && !g_file_test (argument, G_FILE_TEST_EXISTS)
         ? g_file_new_for_commandline_arg (argument) : g_file_new_for_path (argument);
}
