/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-array-private.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#include "base/es-error.h"
#include "base/es-json.h"
#include "saving/es-json-file-internal.h"

/*
 * { "eigenscope-array": 1, "sound-speed": 1500, "origin": "centre",
 *   "elements": [ { "x": 0, "y": 0, "z": 0, "channel": 0, "gain": 1, "dead": true, "name": "H1" }, ... ] }
 *
 * Metres and metres a second; sound-speed (nobody knows it), origin (the centre), z, channel (the element's number),
 * gain (1), dead (false) and name may be left out.
 */
#define MARK "eigenscope-array"
#define VERSION 1

JsonNode *
es_array_to_node (EsArray *self)
{
  g_autoptr (JsonBuilder) builder = json_builder_new ();
  g_autofree char *origin = es_origin_to_text (es_array_get_origin (self));
  const EsElement *elements = es_array_get_elements (self);

  json_builder_begin_object (builder);
  json_builder_set_member_name (builder, MARK);
  json_builder_add_int_value (builder, VERSION);
  if (es_array_is_sound_speed_told (self))
    {
      json_builder_set_member_name (builder, "sound-speed");
      json_builder_add_double_value (builder, es_array_get_sound_speed (self));
    }
  json_builder_set_member_name (builder, "origin");
  json_builder_add_string_value (builder, origin);
  json_builder_set_member_name (builder, "elements");
  json_builder_begin_array (builder);
  for (guint k = 0; k < es_array_get_n_elements (self); k++)
    {
      const EsElement *e = &elements[k];
      json_builder_begin_object (builder);
      json_builder_set_member_name (builder, "x");
      json_builder_add_double_value (builder, e->x);
      json_builder_set_member_name (builder, "y");
      json_builder_add_double_value (builder, e->y);
      json_builder_set_member_name (builder, "z");
      json_builder_add_double_value (builder, e->z);
      json_builder_set_member_name (builder, "channel");
      json_builder_add_int_value (builder, e->channel);
      if (e->gain != 1)
        {
          json_builder_set_member_name (builder, "gain");
          json_builder_add_double_value (builder, e->gain);
        }
      if (e->dead)
        {
          json_builder_set_member_name (builder, "dead");
          json_builder_add_boolean_value (builder, TRUE);
        }
      if (e->name != NULL)
        {
          json_builder_set_member_name (builder, "name");
          json_builder_add_string_value (builder, e->name);
        }
      json_builder_end_object (builder);
    }
  json_builder_end_array (builder);
  json_builder_end_object (builder);

  return json_builder_get_root (builder);
}

char *
es_array_to_json (EsArray *self)
{
  g_autoptr (JsonNode) root = es_array_to_node (self);

  return es_json_to_text (root);
}

gboolean
es_array_save (EsArray *self, GFile *file, GError **error)
{
  static const char *const known[] = { MARK, "sound-speed", "origin", "elements", NULL };
  static const char *const of_element[] = { "x", "y", "z", "channel", "gain", "dead", "name", NULL };
  static const EsJsonEntries elements = { "elements", "channel", of_element };
  g_autoptr (JsonNode) root = es_array_to_node (self);

  return es_json_file_save_over (root, file, MARK, known, &elements, error);
}

gboolean
es_array_save_as (EsArray *self, GFile *file, GPtrArray *kept, GError **error)
{
  g_autoptr (JsonNode) root = es_array_to_node (self);

  return es_json_file_save_as (root, file, kept, error);
}

/* ---- reading ---- */

static gboolean
refuse (GError **error, const char *name, char *message)
{
  g_set_error (error, ES_DATA_ERROR, ES_DATA_ERROR_FORMAT, "“%s”: %s", name, message);
  g_free (message);
  return FALSE;
}

/* A number where there is one; `value` keeps what it is where there is none. */
static gboolean
read_number (JsonObject *object, const char *key, double *value)
{
  JsonNode *node = json_object_get_member (object, key);

  if (node == NULL)
    return TRUE;
  if (!JSON_NODE_HOLDS_VALUE (node)
      || (json_node_get_value_type (node) != G_TYPE_INT64 && json_node_get_value_type (node) != G_TYPE_DOUBLE))
    return FALSE;
  *value = json_node_get_double (node);
  return isfinite (*value);
}

static gboolean
read_element (JsonNode *node, guint number, EsElement *element, const char *name, GError **error)
{
  JsonObject *object = JSON_NODE_HOLDS_OBJECT (node) ? json_node_get_object (node) : NULL;
  double x = NAN, y = NAN, z = 0, channel = number, gain = 1;

  if (object == NULL || !read_number (object, "x", &x) || !read_number (object, "y", &y)
      || !read_number (object, "z", &z) || isnan (x) || isnan (y))
    return refuse (error, name, g_strdup_printf (_("element %u has no place, expected finite numbers x, y and z."),
                                                 number + 1));
  if (!read_number (object, "channel", &channel) || channel < 0 || channel > G_MAXINT32 || channel != rint (channel))
    return refuse (error, name, g_strdup_printf (_("the channel of element %u cannot be read, expected a whole number "
                                                   "from 0 on."), number + 1));
  if (!read_number (object, "gain", &gain))
    return refuse (error, name, g_strdup_printf (_("the gain of element %u cannot be read, expected a finite number."),
                                                 number + 1));

  JsonNode *dead = json_object_get_member (object, "dead"), *label = json_object_get_member (object, "name");
  *element = (EsElement) {
    .x = x, .y = y, .z = z, .channel = (guint) channel, .gain = gain,
    .dead = dead != NULL && JSON_NODE_HOLDS_VALUE (dead) && json_node_get_boolean (dead),
    .name = label != NULL && JSON_NODE_HOLDS_VALUE (label) ? g_strdup (json_node_get_string (label)) : NULL,
  };
  return TRUE;
}

static gboolean
read_origin (EsArray *self, JsonObject *root, const char *name, GError **error)
{
  JsonNode *node = json_object_get_member (root, "origin");
  const char *text = node != NULL && JSON_NODE_HOLDS_VALUE (node) ? json_node_get_string (node) : NULL;
  g_autoptr (GError) local_error = NULL;

  if (node == NULL)
    return TRUE;
  if (text == NULL)
    return refuse (error, name, g_strdup (_("the origin cannot be read, expected a text as “centre”.")));
  if (es_origin_parse (text, &self->origin, &local_error)
      && (self->origin.kind != ES_ORIGIN_ELEMENT || self->origin.element < self->n))
    return TRUE;
  return refuse (error, name,
                 local_error != NULL ? g_strdup (local_error->message)
                 : g_strdup_printf (_("the origin is element %u, but there are only %u."), self->origin.element + 1,
                                    self->n));
}

static EsArray *
read_own (JsonObject *root, const char *name, GError **error)
{
  g_autoptr (GArray) elements = es_array_elements_new ();
  g_autoptr (GError) local_error = NULL;
  JsonNode *list = json_object_get_member (root, "elements");
  double version = 0, sound_speed = ES_ARRAY_SOUND_SPEED;

  if (!read_number (root, MARK, &version) || version != VERSION)
    {
      refuse (error, name, g_strdup_printf (_("the array is of version %g, expected %d."), version, VERSION));
      return NULL;
    }
  if (!read_number (root, "sound-speed", &sound_speed) || !(sound_speed > 0))
    {
      refuse (error, name, g_strdup (_("the sound speed cannot be read, expected metres a second above 0.")));
      return NULL;
    }
  if (list == NULL || !JSON_NODE_HOLDS_ARRAY (list))
    {
      refuse (error, name, g_strdup (_("there is no list of elements, expected “elements”: [ … ].")));
      return NULL;
    }

  JsonArray *array = json_node_get_array (list);
  for (guint k = 0; k < json_array_get_length (array) && k <= ES_ARRAY_MOST_ELEMENTS; k++)
    {
      EsElement element;
      if (!read_element (json_array_get_element (array, k), k, &element, name, error))
        return NULL;
      g_array_append_val (elements, element);
    }
  EsArray *self = es_array_new ((EsElement *) elements->data, elements->len, &local_error);
  if (self == NULL)
    {
      g_set_error (error, local_error->domain, local_error->code, _("“%s” cannot be used: %s"), name,
                   local_error->message);
      return NULL;
    }
  if (json_object_has_member (root, "sound-speed"))
    es_array_set_sound_speed (self, sound_speed);
  if (!read_origin (self, root, name, error))
    g_clear_pointer (&self, es_array_unref);
  return self;
}

static EsArray *
read_tree (JsonNode *root, const char *name, GError **error)
{
  if (!JSON_NODE_HOLDS_OBJECT (root))
    {
      refuse (error, name, g_strdup (_("the JSON is no object, expected an array's or SigMF metadata.")));
      return NULL;
    }
  JsonObject *object = json_node_get_object (root);
  return json_object_has_member (object, MARK) ? read_own (object, name, error)
                                               : es_array_read_sigmf (object, name, error);
}

EsArray *
es_array_read_json (const char *text, gsize length, const char *name, GError **error)
{
  g_autoptr (JsonNode) root = es_json_parse (text, length, name, error);

  return root != NULL ? read_tree (root, name, error) : NULL;
}

EsArray *
es_array_from_json (const char *json, GError **error)
{
  return es_array_read_json (json, strlen (json), _("the array"), error);
}

EsArray *
es_array_from_node (JsonNode *root, GError **error)
{
  return read_tree (root, _("the array"), error);
}
