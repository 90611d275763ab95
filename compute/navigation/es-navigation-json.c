/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-navigation-private.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#include "base/es-error.h"
#include "base/es-json.h"
#include "saving/es-json-file-internal.h"

/*
 * { "eigenscope-navigation": 1, "start": "2026-05-01T12:00:00.250000Z", "heading-deg": 213.5 }
 *
 * or "time-s": [ 0, 10, ... ], "heading-deg": [ 213.5, 214, ... ]. Seconds from the beginning of the recording, degrees
 * clockwise from true north; "by-clock": true where a clock told them, so that with another start they are others. In
 * results also "source" and "file".
 */
#define MARK "eigenscope-navigation"
#define VERSION 1

/* All but what is written for people: "comment". */
static const char *const members[] = { MARK, "start", "time-s", "heading-deg", "by-clock", "source", "file", NULL };

static const char *const sources[] = { "recording", "beside", "named", "hand" };

/* ---- writing ---- */

static void
add_list (JsonBuilder *builder, const char *name, const double *values, guint n)
{
  json_builder_set_member_name (builder, name);
  json_builder_begin_array (builder);
  for (guint i = 0; i < n; i++)
    json_builder_add_double_value (builder, values[i]);
  json_builder_end_array (builder);
}

static JsonNode *
make_tree (EsNavigation *self, gboolean with_source)
{
  g_autoptr (JsonBuilder) builder = json_builder_new ();
  GDateTime *start = es_navigation_get_start (self);
  GFile *file = es_navigation_get_file (self);
  const guint n = es_navigation_get_n_headings (self);

  json_builder_begin_object (builder);
  json_builder_set_member_name (builder, MARK);
  json_builder_add_int_value (builder, VERSION);
  if (start != NULL)
    {
      g_autofree char *whole = g_date_time_format (start, "%C%y-%m-%dT%H:%M:%S");
      g_autofree char *text = g_strdup_printf ("%s.%06dZ", whole, g_date_time_get_microsecond (start));

      json_builder_set_member_name (builder, "start");
      json_builder_add_string_value (builder, text);
    }
  if (es_navigation_is_fixed (self))
    {
      json_builder_set_member_name (builder, "heading-deg");
      json_builder_add_double_value (builder, es_navigation_get_headings (self)[0]);
    }
  else if (n > 0)
    {
      add_list (builder, "time-s", es_navigation_get_times (self), n);
      add_list (builder, "heading-deg", es_navigation_get_headings (self), n);
      if (es_navigation_is_by_clock (self))
        {
          json_builder_set_member_name (builder, "by-clock");
          json_builder_add_boolean_value (builder, TRUE);
        }
    }
  if (with_source)
    {
      json_builder_set_member_name (builder, "source");
      json_builder_add_string_value (builder, sources[es_navigation_get_source (self)]);
    }
  if (with_source && file != NULL)
    {
      g_autofree char *name = g_file_get_parse_name (file);

      json_builder_set_member_name (builder, "file");
      json_builder_add_string_value (builder, name);
    }
  json_builder_end_object (builder);
  return json_builder_get_root (builder);
}

JsonNode *
es_navigation_to_node (EsNavigation *self)
{
  return make_tree (self, TRUE);
}

void
es_navigation_add_values (EsNavigation *self, JsonObject *values)
{
  if (self != NULL)
    json_object_set_member (values, "navigation", es_navigation_to_node (self));
  else
    json_object_set_null_member (values, "navigation");
}

gboolean
es_navigation_save (EsNavigation *self, GFile *file, GError **error)
{
  g_autoptr (JsonNode) root = make_tree (self, FALSE);

  return es_json_file_save_over (root, file, MARK, members, NULL, error);
}

/* ---- reading ---- */

static gboolean
is_number (JsonNode *node)
{
  return node != NULL && JSON_NODE_HOLDS_VALUE (node)
         && (json_node_get_value_type (node) == G_TYPE_INT64 || json_node_get_value_type (node) == G_TYPE_DOUBLE);
}

static const char *
get_text (JsonObject *root, const char *name)
{
  JsonNode *node = json_object_get_member (root, name);

  return node != NULL && JSON_NODE_HOLDS_VALUE (node) && json_node_get_value_type (node) == G_TYPE_STRING
         ? json_node_get_string (node) : NULL;
}

/* A word that nobody knows is a number that somebody thought to have told. */
static const char *
find_unknown (JsonObject *root)
{
  g_autoptr (GList) names = json_object_get_members (root);

  for (GList *l = names; l != NULL; l = l->next)
    if (!g_strv_contains (members, l->data) && !g_str_equal (l->data, "comment"))
      return l->data;
  return NULL;
}

/* The numbers of a list; NULL: it is none, or one of them is no number. */
static double *
read_list (JsonNode *node, guint *n)
{
  JsonArray *list = node != NULL && JSON_NODE_HOLDS_ARRAY (node) ? json_node_get_array (node) : NULL;
  g_autofree double *values = NULL;

  if (list == NULL)
    return NULL;
  *n = json_array_get_length (list);
  values = g_new (double, MAX (*n, 1));
  for (guint i = 0; i < *n; i++)
    {
      if (!is_number (json_array_get_element (list, i)))
        return NULL;
      values[i] = json_node_get_double (json_array_get_element (list, i));
    }
  return g_steal_pointer (&values);
}

static EsNavigation *
read_headings (JsonObject *root, GDateTime *start, const char *name, GError **error)
{
  JsonNode *heading = json_object_get_member (root, "heading-deg"), *time = json_object_get_member (root, "time-s");
  g_autofree double *times = NULL, *headings = NULL;
  EsNavigation *self;
  guint n_times = 0, n = 0;
  double one;

  if (heading == NULL && time == NULL)
    return es_navigation_new (start, NULL, NULL, 0, error);
  if (is_number (heading) && time == NULL)
    {
      one = json_node_get_double (heading);
      self = es_navigation_new (start, NULL, &one, 1, error);
    }
  else
    {
      times = read_list (time, &n_times);
      headings = read_list (heading, &n);
      if (times == NULL || headings == NULL || n != n_times || n == 0)
        return es_navigation_refuse (error, name,
                                     g_strdup (_("the headings cannot be read, expected one number as “heading-deg”, "
                                                 "or lists of equal length as “time-s” and “heading-deg”.")));
      self = es_navigation_new (start, times, headings, n, error);
    }
  if (self == NULL)
    g_prefix_error (error, "“%s”: ", name);
  return self;
}

static EsNavigation *
read_tree (JsonNode *node, const char *name, GError **error)
{
  JsonObject *root = JSON_NODE_HOLDS_OBJECT (node) ? json_node_get_object (node) : NULL;
  g_autoptr (GDateTime) start = NULL;
  g_autoptr (EsNavigation) plain = NULL;
  g_autoptr (GFile) file = NULL;
  EsNavigationSource source = ES_NAVIGATION_BY_HAND;
  g_autofree char *shown = NULL;
  const char *text, *unknown;

  if (root == NULL || !json_object_has_member (root, MARK))
    return es_navigation_refuse (error, name, g_strdup (_("this is no navigation, expected a JSON object with "
                                                          "“eigenscope-navigation”.")));
  if (!is_number (json_object_get_member (root, MARK)) || json_object_get_double_member (root, MARK) != VERSION)
    return es_navigation_refuse (error, name, g_strdup_printf (_("the navigation is of another version, expected %d."),
                                                               VERSION));
  unknown = find_unknown (root);
  shown = unknown != NULL ? es_navigation_quote (unknown) : NULL;
  if (unknown != NULL)
    return es_navigation_refuse (error, name,
                                 g_strdup_printf (_("“%s” is not known, expected “start”, “time-s” or "
                                                    "“heading-deg”."), shown));
  if (json_object_has_member (root, "start"))
    {
      text = get_text (root, "start");
      start = text != NULL ? es_navigation_parse_start (text, NULL) : NULL;
      if (start == NULL)
        return es_navigation_refuse (error, name, g_strdup (_("the start cannot be read, expected a text as in "
                                                              "“2026-05-01T12:00:00Z”.")));
    }
  plain = read_headings (root, start, name, error);
  if (plain == NULL)
    return NULL;
  JsonNode *clock = json_object_get_member (root, "by-clock");
  if (clock != NULL && JSON_NODE_HOLDS_VALUE (clock) && json_node_get_value_type (clock) == G_TYPE_BOOLEAN
      && json_node_get_boolean (clock))
    {
      EsNavigation *timed = es_navigation_by_clock (plain);

      es_navigation_unref (plain);
      plain = timed;
    }
  text = get_text (root, "source");
  for (guint i = 0; i < G_N_ELEMENTS (sources); i++)
    if (g_strcmp0 (text, sources[i]) == 0)
      source = i;
  text = get_text (root, "file");
  file = text != NULL ? g_file_parse_name (text) : NULL;
  return es_navigation_with_source (plain, source, file);
}

EsNavigation *
es_navigation_read_json (const char *text, gsize length, const char *name, GError **error)
{
  g_autoptr (JsonNode) root = es_json_parse (text, length, name, error);

  return root != NULL ? read_tree (root, name, error) : NULL;
}

EsNavigation *
es_navigation_from_node (JsonNode *root, GError **error)
{
  return read_tree (root, _("the navigation"), error);
}
