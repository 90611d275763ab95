/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-published-reader-private.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "base/es-error.h"
#include "base/es-text-show.h"

#define MOST_DIGITS 6
#define LONGEST_FOUND 40       /* characters of a text that a message repeats */

/* ---- what is wrong ---- */

static char *
describe (JsonNode *node)
{
  if (node == NULL)
    return g_strdup (_("nothing"));
  if (JSON_NODE_HOLDS_OBJECT (node))
    return g_strdup (_("an object"));
  if (JSON_NODE_HOLDS_ARRAY (node))
    {
      const guint n = json_array_get_length (json_node_get_array (node));

      return g_strdup_printf (g_dngettext (GETTEXT_PACKAGE, "an array of %u element", "an array of %u elements", n), n);
    }
  if (JSON_NODE_HOLDS_NULL (node))
    return g_strdup ("null");
  if (json_node_get_value_type (node) == G_TYPE_STRING)
    {
      g_autofree char *begin = g_utf8_substring (json_node_get_string (node), 0,
                                                 MIN (g_utf8_strlen (json_node_get_string (node), -1), LONGEST_FOUND));
      g_autofree char *shown = es_text_show (begin);

      return g_strdup_printf ("“%s”", shown);
    }
  if (json_node_get_value_type (node) == G_TYPE_BOOLEAN)
    return g_strdup (json_node_get_boolean (node) ? "true" : "false");
  return g_strdup_printf ("%.10g", json_node_get_double (node));
}

gboolean
_es_published_refuse_said (EsPublishedReader *self, const char *field, const char *found, const char *expected)
{
  g_autofree char *where = field == NULL ? g_strdup (self->path->str)
                           : self->path->len > 0 ? g_strconcat (self->path->str, ".", field, NULL) : g_strdup (field);
  g_autofree char *shown = es_text_show (where);

  if (!self->failed)
    g_set_error (self->error, ES_DATA_ERROR, ES_DATA_ERROR_FORMAT,
                 _("“%s” is no file of published tables that can be read: “%s” is %s; expected %s."), self->file,
                 shown, found, expected);
  self->failed = TRUE;
  return FALSE;
}

gboolean
_es_published_refuse (EsPublishedReader *self, const char *field, JsonNode *found, const char *expected)
{
  g_autofree char *said = describe (found);

  return _es_published_refuse_said (self, field, said, expected);
}

gsize
_es_published_enter (EsPublishedReader *self, const char *member, guint i)
{
  const gsize length = self->path->len;

  g_string_append_printf (self->path, "%s%s[%u]", length > 0 ? "." : "", member, i);
  return length;
}

void
_es_published_leave (EsPublishedReader *self, gsize length)
{
  g_string_truncate (self->path, length);
}

/* ---- members ---- */

static gboolean
is_one_of (const char *text, const char *words)
{
  g_auto (GStrv) known = g_strsplit (words, " ", -1);

  return g_strv_contains ((const char *const *) known, text);
}

JsonObject *
_es_published_check_object (EsPublishedReader *self, JsonNode *node)
{
  if (self->failed || JSON_NODE_HOLDS_OBJECT (node))
    return self->failed ? NULL : json_node_get_object (node);
  _es_published_refuse (self, NULL, node, _("an object"));
  return NULL;
}

gboolean
_es_published_check_known (EsPublishedReader *self, JsonObject *object, const char *known)
{
  g_autoptr (GList) names = json_object_get_members (object);

  for (GList *each = names; each != NULL && !self->failed; each = each->next)
    if (!is_one_of (each->data, known))
      {
        g_autofree char *expected = g_strdup_printf (_("one of %s there"), known);

        _es_published_refuse_said (self, each->data, _("unknown"), expected);
      }
  return !self->failed;
}

static const char *
get_string (JsonNode *node)
{
  return node != NULL && JSON_NODE_HOLDS_VALUE (node) && json_node_get_value_type (node) == G_TYPE_STRING
         ? json_node_get_string (node) : NULL;
}

char *
_es_published_read_text (EsPublishedReader *self, JsonObject *object, const char *name, gboolean needed)
{
  JsonNode *node = json_object_get_member (object, name);
  const char *text = get_string (node);

  if (self->failed || (!needed && (node == NULL || JSON_NODE_HOLDS_NULL (node))))
    return NULL;
  if (text != NULL && *text != '\0')
    return g_strdup (text);
  _es_published_refuse (self, name, node, _("a text"));
  return NULL;
}

char *
_es_published_read_word (EsPublishedReader *self, JsonObject *object, const char *name, const char *words)
{
  g_autofree char *text = _es_published_read_text (self, object, name, FALSE);
  g_autofree char *expected = NULL;

  if (text == NULL || is_one_of (text, words))
    return g_steal_pointer (&text);
  expected = g_strdup_printf (_("one of %s"), words);
  _es_published_refuse (self, name, json_object_get_member (object, name), expected);
  return NULL;
}

int
_es_published_read_digits (EsPublishedReader *self, JsonObject *object, const char *name, int otherwise)
{
  JsonNode *node = json_object_get_member (object, name);
  g_autofree char *expected = NULL;

  if (self->failed || (node == NULL && otherwise >= 0))
    return otherwise;
  if (node != NULL && JSON_NODE_HOLDS_VALUE (node) && json_node_get_value_type (node) == G_TYPE_INT64
      && json_node_get_int (node) >= 0 && json_node_get_int (node) <= MOST_DIGITS)
    return (int) json_node_get_int (node);
  expected = g_strdup_printf (_("a whole number from %d to %d"), 0, MOST_DIGITS);
  _es_published_refuse (self, name, node, expected);
  return 0;
}

JsonArray *
_es_published_read_array (EsPublishedReader *self, JsonObject *object, const char *name)
{
  JsonNode *node = json_object_get_member (object, name);

  if (self->failed)
    return NULL;
  if (node != NULL && JSON_NODE_HOLDS_ARRAY (node) && json_array_get_length (json_node_get_array (node)) > 0)
    return json_node_get_array (node);
  _es_published_refuse (self, name, node, _("an array with at least one element"));
  return NULL;
}

char **
_es_published_read_texts (EsPublishedReader *self, JsonObject *object, const char *name)
{
  JsonNode *node = json_object_get_member (object, name);
  g_autoptr (GStrvBuilder) texts = g_strv_builder_new ();
  JsonArray *array;

  if (self->failed || node == NULL)
    return NULL;
  if (get_string (node) != NULL)
    return g_strdupv ((char *[]) { (char *) get_string (node), NULL });
  if ((array = _es_published_read_array (self, object, name)) == NULL)
    return NULL;
  for (guint i = 0; i < json_array_get_length (array); i++)
    {
      const gsize length = _es_published_enter (self, name, i);
      const char *text = get_string (json_array_get_element (array, i));

      if (text == NULL || *text == '\0')
        {
          _es_published_refuse (self, NULL, json_array_get_element (array, i), _("a text"));
          return NULL;
        }
      g_strv_builder_add (texts, text);
      _es_published_leave (self, length);
    }
  return g_strv_builder_end (texts);
}

gboolean
_es_published_read_numbers (EsPublishedReader *self, JsonObject *object, const char *name, guint n, GArray *numbers)
{
  JsonNode *node = json_object_get_member (object, name);
  JsonArray *array = node != NULL && JSON_NODE_HOLDS_ARRAY (node) ? json_node_get_array (node) : NULL;
  gboolean any = FALSE;

  if (self->failed)
    return FALSE;
  if (array == NULL || json_array_get_length (array) != n)
    {
      g_autofree char *expected = g_strdup_printf (g_dngettext (GETTEXT_PACKAGE, "an array of %u number",
                                                                "an array of %u numbers", n), n);
      return _es_published_refuse (self, name, node, expected);
    }
  for (guint i = 0; i < n; i++)
    {
      JsonNode *element = json_array_get_element (array, i);
      double value = NAN;

      if (JSON_NODE_HOLDS_VALUE (element) && (json_node_get_value_type (element) == G_TYPE_DOUBLE
                                              || json_node_get_value_type (element) == G_TYPE_INT64))
        value = json_node_get_double (element);
      if ((isnan (value) && !JSON_NODE_HOLDS_NULL (element)) || value < 0)
        {
          _es_published_enter (self, name, i);
          return _es_published_refuse (self, NULL, element, _("a number of at least 0, or null"));
        }
      any |= !isnan (value);
      g_array_append_val (numbers, value);
    }
  return any || _es_published_refuse_said (self, name, _("nothing but gaps"), _("a number"));
}
