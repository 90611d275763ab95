/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* How a profile is set, for sessions. */

#include "es-profile-pane-private.h"

static const char * const kind_ids[ES_N_PROFILE_KINDS] = { "row", "column", "line" };

JsonNode *
es_profile_pane_tell (EsProfilePane *self)
{
  JsonObject *object;

  g_return_val_if_fail (ES_IS_PROFILE_PANE (self), NULL);

  if (self->kind == ES_PROFILE_ROW && self->line == NULL && self->sampling == ES_PROFILE_NEAREST && self->width == 1
      && !self->metres && !self->all)
    return NULL;
  object = json_object_new ();
  json_object_set_string_member (object, "along", kind_ids[self->kind]);
  json_object_set_string_member (object, "sampling", es_profile_sampling_id (self->sampling));
  json_object_set_int_member (object, "width", self->width);
  json_object_set_boolean_member (object, "metres", self->metres);
  json_object_set_boolean_member (object, "all_bands", self->all);
  if (self->line != NULL)
    {
      g_autofree char *text = es_profile_line_format (self->line);

      json_object_set_string_member (object, "line", text);
    }
  return json_node_init_object (json_node_alloc (), g_steal_pointer (&object));
}

static const char *
get_string (JsonObject *object, const char *name)
{
  JsonNode *node = json_object_get_member (object, name);

  return node != NULL && JSON_NODE_HOLDS_VALUE (node) && json_node_get_value_type (node) == G_TYPE_STRING
         ? json_node_get_string (node) : NULL;
}

/* A line that does not lie in the picture is left out once that is there. */
void
es_profile_pane_take (EsProfilePane *self, JsonNode *told)
{
  JsonObject *object = told != NULL && JSON_NODE_HOLDS_OBJECT (told) ? json_node_get_object (told) : NULL;
  JsonNode *width, *metres, *all;
  const char *along, *line;

  g_return_if_fail (ES_IS_PROFILE_PANE (self));

  if (object == NULL)
    return;
  width = json_object_get_member (object, "width");
  metres = json_object_get_member (object, "metres");
  all = json_object_get_member (object, "all_bands");
  along = get_string (object, "along");
  line = get_string (object, "line");
  if (width != NULL && JSON_NODE_HOLDS_VALUE (width) && json_node_get_int (width) >= 1
      && json_node_get_int (width) <= ES_PROFILE_MOST_WIDTH && json_node_get_int (width) % 2 == 1)
    self->width = (guint) json_node_get_int (width);
  if (metres != NULL && JSON_NODE_HOLDS_VALUE (metres))
    self->metres = json_node_get_boolean (metres);
  if (all != NULL && JSON_NODE_HOLDS_VALUE (all))
    self->all = json_node_get_boolean (all);
  es_profile_sampling_find (get_string (object, "sampling"), &self->sampling);
  if (line != NULL)
    {
      g_clear_pointer (&self->line, es_profile_line_free);
      self->line = es_profile_line_parse (line, NULL);
    }
  if (self->line != NULL)
    {
      self->line->sampling = self->sampling;
      self->line->width = self->width;
    }
  for (guint i = 0; along != NULL && i < ES_N_PROFILE_KINDS; i++)
    if (g_str_equal (along, kind_ids[i]))
      self->kind = (EsProfileKind) i;
  _es_profile_pane_update_controls (self);
  _es_profile_pane_update (self);
  g_signal_emit_by_name (self, "changed");
}
