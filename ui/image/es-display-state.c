/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* How a source is shown, as JSON and back. */

#include "es-display-state-private.h"

#include <math.h>

/* Of a stack that a person has stretched plane by plane. */
#define MOST_STRETCHES 10000

/* ---- telling ---- */

static void
set_number (JsonBuilder *builder, const char *name, double value)
{
  json_builder_set_member_name (builder, name);
  json_builder_add_double_value (builder, value);
}

static void
set_flag (JsonBuilder *builder, const char *name, gboolean value)
{
  json_builder_set_member_name (builder, name);
  json_builder_add_boolean_value (builder, value);
}

static void
tell_stretches (JsonBuilder *builder, GHashTable *stretches)
{
  GHashTableIter iter;
  gpointer plane, value;

  json_builder_set_member_name (builder, "stretches");
  json_builder_begin_array (builder);
  g_hash_table_iter_init (&iter, stretches);
  while (g_hash_table_iter_next (&iter, &plane, &value))
    {
      const double *stretch = value;

      json_builder_begin_object (builder);
      json_builder_set_member_name (builder, "plane");
      json_builder_add_int_value (builder, GPOINTER_TO_UINT (plane));
      set_number (builder, "low", stretch[0]);
      set_number (builder, "high", stretch[1]);
      json_builder_end_object (builder);
    }
  json_builder_end_array (builder);
}

/* Instead of numbers in rgb: what is borrowed of others. */
static void
tell_others (JsonBuilder *builder, const EsDisplayState *state)
{
  json_builder_set_member_name (builder, "others");
  json_builder_begin_array (builder);
  for (guint i = 0; i < 3; i++)
    {
      const EsDisplayOther *other = state->others[i];

      if (other == NULL || other->reference == NULL)
        {
          json_builder_add_null_value (builder);
          continue;
        }
      json_builder_begin_object (builder);
      json_builder_set_member_name (builder, "of");
      json_builder_add_string_value (builder, other->reference);
      json_builder_set_member_name (builder, "plane");
      json_builder_add_int_value (builder, other->plane);
      json_builder_end_object (builder);
    }
  json_builder_end_array (builder);
}

JsonNode *
_es_display_state_tell (const EsDisplayState *state)
{
  g_autoptr (JsonBuilder) builder = json_builder_new ();

  json_builder_begin_object (builder);
  set_flag (builder, "composite", state->composite);
  json_builder_set_member_name (builder, "rgb");
  json_builder_begin_array (builder);
  for (guint i = 0; i < 3; i++)
    json_builder_add_int_value (builder, state->rgb[i]);
  json_builder_end_array (builder);
  if (state->others[0] != NULL || state->others[1] != NULL || state->others[2] != NULL)
    tell_others (builder, state);
  json_builder_set_member_name (builder, "plane");
  json_builder_add_int_value (builder, state->plane);
  json_builder_set_member_name (builder, "colormap");
  json_builder_add_string_value (builder, es_colormap_id (state->colormap));
  set_number (builder, "cut", state->cut);
  set_number (builder, "deviations", state->deviations);
  json_builder_set_member_name (builder, "curve");
  json_builder_add_string_value (builder, es_stretch_id (state->curve));
  set_flag (builder, "linked", state->linked);
  json_builder_set_member_name (builder, "basis");
  json_builder_add_int_value (builder, state->basis);
  set_flag (builder, "symmetric", state->symmetric);
  if (g_hash_table_size (state->stretches) > 0)
    tell_stretches (builder, state->stretches);
  json_builder_end_object (builder);
  return json_builder_get_root (builder);
}

/* ---- taking ---- */

static gboolean
get_number (JsonObject *object, const char *name, double low, double high, double *value)
{
  JsonNode *node = json_object_get_member (object, name);
  double number = node != NULL && JSON_NODE_HOLDS_VALUE (node) ? json_node_get_double (node) : NAN;

  if (!(number >= low && number <= high))
    return FALSE;
  *value = number;
  return TRUE;
}

static void
get_flag (JsonObject *object, const char *name, gboolean *value)
{
  JsonNode *node = json_object_get_member (object, name);

  if (node != NULL && JSON_NODE_HOLDS_VALUE (node) && json_node_get_value_type (node) == G_TYPE_BOOLEAN)
    *value = json_node_get_boolean (node);
}

static JsonArray *
get_array (JsonObject *object, const char *name)
{
  JsonNode *node = json_object_get_member (object, name);

  return node != NULL && JSON_NODE_HOLDS_ARRAY (node) ? json_node_get_array (node) : NULL;
}

static void
take_rgb (EsDisplayState *state, JsonArray *rgb)
{
  for (guint i = 0; rgb != NULL && i < 3 && json_array_get_length (rgb) == 3; i++)
    {
      JsonNode *node = json_array_get_element (rgb, i);
      double plane = JSON_NODE_HOLDS_VALUE (node) ? json_node_get_double (node) : -1;

      /* More than there are now may be there again. */
      if (plane >= 0 && plane <= G_MAXINT)
        state->rgb[i] = (guint) plane;
    }
}

static void
take_stretches (EsDisplayState *state, JsonArray *stretches, guint n_planes)
{
  for (guint i = 0; stretches != NULL && i < MIN (json_array_get_length (stretches), MOST_STRETCHES); i++)
    {
      JsonNode *node = json_array_get_element (stretches, i);
      JsonObject *object = JSON_NODE_HOLDS_OBJECT (node) ? json_node_get_object (node) : NULL;
      double plane, stretch[2];

      if (object != NULL && get_number (object, "plane", 0, n_planes - 1., &plane)
          && get_number (object, "low", -G_MAXDOUBLE, G_MAXDOUBLE, &stretch[0])
          && get_number (object, "high", stretch[0], G_MAXDOUBLE, &stretch[1]))
        g_hash_table_replace (state->stretches, GUINT_TO_POINTER ((guint) plane),
                              g_memdup2 (stretch, sizeof stretch));
    }
}

static const char *
get_word (JsonObject *object, const char *name)
{
  JsonNode *node = json_object_get_member (object, name);

  return node != NULL && JSON_NODE_HOLDS_VALUE (node) && json_node_get_value_type (node) == G_TYPE_STRING
         ? json_node_get_string (node) : NULL;
}

static void
take_looks (EsDisplayState *state, JsonObject *object)
{
  const char *colormap = get_word (object, "colormap"), *curve = get_word (object, "curve");

  if (colormap != NULL)
    es_colormap_find (colormap, &state->colormap);
  if (curve != NULL)
    es_stretch_find (curve, &state->curve);
}

/* By their references: which data they are of shows as soon as it is there. */
static gboolean
take_others (EsDisplayState *state, JsonArray *others)
{
  gboolean any = FALSE;

  for (guint i = 0; i < 3; i++)
    {
      gboolean there = others != NULL && json_array_get_length (others) == 3;
      JsonNode *node = there ? json_array_get_element (others, i) : NULL;
      JsonObject *object = node != NULL && JSON_NODE_HOLDS_OBJECT (node) ? json_node_get_object (node) : NULL;
      double plane;

      g_clear_pointer (&state->others[i], _es_display_other_free);
      if (object == NULL || get_word (object, "of") == NULL || !get_number (object, "plane", 0, G_MAXINT, &plane))
        continue;
      state->others[i] = _es_display_other_told (get_word (object, "of"), (guint) plane);
      any = TRUE;
    }
  return any;
}

void
_es_display_state_take (EsDisplayState *state, JsonNode *told, guint n_planes)
{
  JsonObject *object = told != NULL && JSON_NODE_HOLDS_OBJECT (told) ? json_node_get_object (told) : NULL;
  double number;
  gboolean any;

  if (object == NULL || n_planes == 0)
    return;
  get_flag (object, "composite", &state->composite);
  any = take_others (state, get_array (object, "others"));
  state->composite = state->composite && (n_planes > 1 || any);
  take_rgb (state, get_array (object, "rgb"));
  if (get_number (object, "plane", 0, n_planes - 1., &number))
    state->plane = (guint) number;
  take_looks (state, object);
  if (get_number (object, "cut", 0, 0.49, &number))
    state->cut = number;
  if (get_number (object, "deviations", 0, 100, &number))
    state->deviations = number;
  if (get_number (object, "basis", 0, ES_N_STRETCH_BASES - 1, &number))
    state->basis = (EsStretchBasis) number;
  get_flag (object, "linked", &state->linked);
  get_flag (object, "symmetric", &state->symmetric);
  take_stretches (state, get_array (object, "stretches"), n_planes + 3);
}
