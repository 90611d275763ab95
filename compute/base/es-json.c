/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-json.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "es-error.h"
#include "es-json-check-private.h"
#include "es-text-file-internal.h"
#include "es-text-show.h"

#define LARGEST_TEXT ((gsize) 256 << 20)

/* ---- reading ---- */

static void
count_member (JsonObject *object, const char *name, JsonNode *node, gpointer count);

static void
count_element (JsonArray *array, guint i, JsonNode *node, gpointer count);

/* The members of all objects of a tree; no deeper than the check allows. */
static void
count_members (JsonNode *node, guint64 *count)
{
  if (JSON_NODE_HOLDS_OBJECT (node))
    json_object_foreach_member (json_node_get_object (node), count_member, count);
  else if (JSON_NODE_HOLDS_ARRAY (node))
    json_array_foreach_element (json_node_get_array (node), count_element, count);
}

static void
count_member (JsonObject *object, const char *name, JsonNode *node, gpointer count)
{
  ++*(guint64 *) count;
  count_members (node, count);
}

static void
count_element (JsonArray *array, guint i, JsonNode *node, gpointer count)
{
  count_members (node, count);
}

JsonNode *
es_json_parse (const char *text, gsize length, const char *name, GError **error)
{
  static const char byte_order_mark[] = "\xef\xbb\xbf";
  g_autoptr (JsonParser) parser = json_parser_new ();
  g_autoptr (JsonNode) root = NULL;
  g_autoptr (GError) local_error = NULL;
  guint64 members = 0, kept = 0;

  if (length > LARGEST_TEXT)
    {
      g_set_error (error, ES_DATA_ERROR, ES_DATA_ERROR_SIZE,
                   _("“%s” is larger than any file of text that is read here."), name);
      return NULL;
    }
  if (length >= 3 && memcmp (text, byte_order_mark, 3) == 0)
    {
      text += 3;
      length -= 3;
    }
  if (!es_json_check (text, length, name, FALSE, &members, error))
    return NULL;
  if (!json_parser_load_from_data (parser, text, (gssize) length, &local_error)
      || (root = json_parser_steal_root (parser)) == NULL)
    {
      g_set_error (error, ES_DATA_ERROR, ES_DATA_ERROR_FORMAT, _("“%s” is not valid JSON: %s."), name,
                   local_error != NULL ? local_error->message : "?");
      return NULL;
    }
  /* The tree keeps the last of two members of a name: fewer than were there. */
  count_members (root, &kept);
  if (kept != members && !es_json_check (text, length, name, TRUE, &members, error))
    return NULL;
  return g_steal_pointer (&root);
}

JsonNode *
es_json_load (GFile *file, GCancellable *cancellable, GError **error)
{
  g_autofree char *name = es_error_file_name (file);
  gsize length = 0;
  g_autofree char *text = es_text_file_load_at_most (file, LARGEST_TEXT, &length, cancellable, error);

  return text != NULL ? es_json_parse (text, length, name, error) : NULL;
}

/* ---- writing ---- */

/* Behind the string that begins here. */
static const char *
skip_string (const char *text)
{
  for (text++; *text != '"' && *text != '\0'; text++)
    if (*text == '\\' && text[1] != '\0')
      text++;
  return *text == '"' ? text + 1 : text;
}

/* Behind the number or word that begins here. */
static const char *
skip_token (const char *text)
{
  while (g_ascii_isalnum (*text) || *text == '-' || *text == '+' || *text == '.')
    text++;
  return text;
}

/* Quotation marks and all; what a terminal would obey is written as its number. json-glib leaves U+001F as it is. */
static void
append_text (GString *out, const char *text, gsize length)
{
  g_autofree char *valid = g_utf8_make_valid (text, (gssize) length);

  for (const char *p = valid; *p != '\0'; p = g_utf8_next_char (p))
    {
      const gunichar character = g_utf8_get_char (p);

      if (es_text_is_control (character))
        g_string_append_printf (out, "\\u%04x", character);
      else
        g_string_append_unichar (out, character);
    }
}

static void
append_token (GString *out, const char *token, gsize length)
{
  const char *word = *token == '-' ? token + 1 : token;

  if (g_ascii_strncasecmp (word, "nan", 3) == 0 || g_ascii_strncasecmp (word, "inf", 3) == 0)
    {
      g_string_append (out, "null");
      return;
    }
  /* A fraction behind an exponent. */
  if (g_ascii_isdigit (*word) && length > 2 && memcmp (token + length - 2, ".0", 2) == 0
      && memchr (token, 'e', length) != NULL)
    length -= 2;
  g_string_append_len (out, token, length);
}

char *
es_json_to_text (JsonNode *root)
{
  g_autoptr (JsonGenerator) generator = json_generator_new ();
  g_autofree char *text = NULL;
  GString *out;

  json_generator_set_root (generator, root);
  json_generator_set_pretty (generator, TRUE);
  text = json_generator_to_data (generator, NULL);
  out = g_string_sized_new (strlen (text) + 1);
  for (const char *p = text; *p != '\0';)
    {
      const char *end = *p == '"' ? skip_string (p) : skip_token (p);

      if (*p == '"')
        append_text (out, p, end - p);
      else if (end > p)
        append_token (out, p, end - p);
      else
        g_string_append_c (out, *end++);
      p = end;
    }
  g_string_append_c (out, '\n');
  return g_string_free (out, FALSE);
}
