/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* Members of a cluster's file, none of which may be of another kind than expected. */

#include "es-cluster-read-private.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "base/es-error.h"
#include "base/es-text-show.h"

#define LONGEST_FOUND 40       /* characters of a text that a message repeats */

static char *
describe (JsonNode *node)
{
  if (node == NULL)
    return g_strdup (_("nothing"));
  if (JSON_NODE_HOLDS_OBJECT (node))
    return g_strdup (_("an object"));
  if (JSON_NODE_HOLDS_ARRAY (node))
    return g_strdup (_("a list"));
  if (JSON_NODE_HOLDS_NULL (node))
    return g_strdup ("null");
  if (json_node_get_value_type (node) == G_TYPE_BOOLEAN)
    return g_strdup (json_node_get_boolean (node) ? "true" : "false");
  if (json_node_get_value_type (node) == G_TYPE_STRING)
    {
      const char *text = json_node_get_string (node);
      g_autofree char *begin = g_utf8_substring (text, 0, MIN (g_utf8_strlen (text, -1), LONGEST_FOUND));
      g_autofree char *shown = es_text_show (begin);

      return g_strdup_printf ("“%s”", shown);
    }
  return g_strdup_printf ("%.10g", json_node_get_double (node));
}

static char *
join (const char *path, const char *name)
{
  return *path != '\0' ? g_strconcat (path, ".", name, NULL) : g_strdup (name);
}

gboolean
_es_cluster_refuse (EsClusterReader *self, const char *path, const char *found, const char *expected)
{
  g_autofree char *shown = es_text_show (path);

  if (!self->failed)
    g_set_error (self->error, ES_DATA_ERROR, ES_DATA_ERROR_FORMAT,
                 _("“%s” does not describe a cluster: “%s” is %s; expected %s."), self->file, shown, found, expected);
  self->failed = TRUE;
  return FALSE;
}

gboolean
_es_cluster_refuse_node (EsClusterReader *self, const char *path, JsonNode *found, const char *expected)
{
  g_autofree char *said = describe (found);

  return _es_cluster_refuse (self, path, said, expected);
}

JsonObject *
_es_cluster_read_object (EsClusterReader *self, JsonNode *node, const char *path, const char *known)
{
  g_auto (GStrv) words = g_strsplit (known, " ", -1);
  g_autoptr (GList) names = NULL;

  if (self->failed)
    return NULL;
  if (node == NULL || !JSON_NODE_HOLDS_OBJECT (node))
    {
      _es_cluster_refuse_node (self, *path != '\0' ? path : "{}", node, _("an object"));
      return NULL;
    }
  names = json_object_get_members (json_node_get_object (node));
  for (GList *each = names; each != NULL && !self->failed; each = each->next)
    if (!g_strv_contains ((const char *const *) words, each->data))
      {
        g_autofree char *where = join (path, each->data), *all = g_strjoinv (", ", words);
        g_autofree char *expected = g_strdup_printf (_("one of %s there"), all);

        _es_cluster_refuse (self, where, _("unknown"), expected);
      }
  return self->failed ? NULL : json_node_get_object (node);
}

JsonNode *
_es_cluster_read_member (EsClusterReader *self, JsonObject *object, const char *path, const char *name,
                         gboolean needed)
{
  JsonNode *node = self->failed || object == NULL ? NULL : json_object_get_member (object, name);
  g_autofree char *where = join (path, name);

  if (!self->failed && object != NULL && node == NULL && needed)
    _es_cluster_refuse_node (self, where, NULL, _("it to be there"));
  return node;
}

static gboolean
is_text (JsonNode *node)
{
  return JSON_NODE_HOLDS_VALUE (node) && json_node_get_value_type (node) == G_TYPE_STRING
         && *json_node_get_string (node) != '\0';
}

const char *
_es_cluster_read_text (EsClusterReader *self, JsonObject *object, const char *path, const char *name, gboolean needed)
{
  JsonNode *node = _es_cluster_read_member (self, object, path, name, needed);
  g_autofree char *where = join (path, name);

  if (node == NULL || is_text (node))
    return node != NULL ? json_node_get_string (node) : NULL;
  _es_cluster_refuse_node (self, where, node, _("a text"));
  return NULL;
}

static gboolean
is_number (JsonNode *node)
{
  return JSON_NODE_HOLDS_VALUE (node) && (json_node_get_value_type (node) == G_TYPE_INT64
                                          || json_node_get_value_type (node) == G_TYPE_DOUBLE);
}

double
_es_cluster_read_number (EsClusterReader *self, JsonObject *object, const char *path, const char *name, double least,
                         double most, double otherwise)
{
  JsonNode *node = _es_cluster_read_member (self, object, path, name, isnan (otherwise));
  g_autofree char *where = join (path, name), *expected = NULL;
  double value;

  if (node == NULL)
    return self->failed ? 0 : otherwise;
  value = is_number (node) ? json_node_get_double (node) : NAN;
  if (value >= least && value <= most)
    return value;
  expected = least < most ? g_strdup_printf (_("a number from %g to %g"), least, most) : g_strdup_printf ("%g", least);
  _es_cluster_refuse_node (self, where, node, expected);
  return 0;
}

guint
_es_cluster_read_count (EsClusterReader *self, JsonObject *object, const char *path, const char *name, guint least,
                        guint most, guint otherwise)
{
  const double value = _es_cluster_read_number (self, object, path, name, least, most, otherwise);
  g_autofree char *where = join (path, name), *found = g_strdup_printf ("%.10g", value);

  if (!self->failed && value != floor (value))
    _es_cluster_refuse (self, where, found, _("a whole number"));
  return self->failed ? 0 : (guint) value;
}
