/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-display-state-private.h"

#include <string.h>

typedef EsDisplayState State;

enum { SOURCE_CHANGED, PLANES_CHANGED, LOOK_CHANGED, STRETCHED, OTHERS_CHANGED, TAKEN_BACK, N_SIGNALS };
static guint signals[N_SIGNALS];

enum { PROP_0, PROP_HELD };

static G_DEFINE_QUARK (es-display-state, state)
/* What was told of a source before it was shown. */
static G_DEFINE_QUARK (es-display-told, told)

G_DEFINE_TYPE (EsDisplay, es_display, G_TYPE_OBJECT)

static void
state_free (gpointer data)
{
  State *state = data;

  for (guint i = 0; i < 3; i++)
    g_clear_pointer (&state->others[i], _es_display_other_free);
  g_hash_table_unref (state->stretches);
  g_free (state);
}

static State *
state_new (EsPlaneSource *source)
{
  EsCube *cube = es_plane_source_get_cube (source);
  State *state = g_new0 (State, 1);

  state->cut = ES_DISPLAY_DEFAULT_CUT;
  state->hint = es_plane_source_get_hint (source);
  state->symmetric = state->hint == ES_IMAGE_HINT_DIVERGING
                     || (state->hint == ES_IMAGE_HINT_NONE && es_plane_source_get_signed (source));
  state->colormap = state->hint == ES_IMAGE_HINT_DIVERGING ? ES_COLORMAP_DIVERGING
                    : state->hint == ES_IMAGE_HINT_SEQUENTIAL ? ES_COLORMAP_VIRIDIS : ES_COLORMAP_GRAY;
  state->stretches = g_hash_table_new_full (NULL, NULL, NULL, g_free);
  if (cube != NULL)
    {
      es_cube_pick_rgb (cube, state->rgb);
      state->plane = state->rgb[0];
      state->composite = es_plane_source_get_n_planes (source) > 1;
    }
  else
    {
      /* The first ones, which say most; one at a time until asked, unless they belong together. */
      for (guint i = 0; i < 3; i++)
        state->rgb[i] = i;
      state->composite = state->hint == ES_IMAGE_HINT_TOGETHER && es_plane_source_get_n_planes (source) >= 3;
    }
  return state;
}

/* Hand-set stretches stay behind: they belong to the old values. */
static State *
state_copy (const State *from, EsPlaneSource *source)
{
  guint n_planes = es_plane_source_get_n_planes (source);
  State *state = state_new (source);

  state->composite = from->composite && n_planes > 1;
  state->plane = MIN (from->plane, n_planes - 1);
  memcpy (state->rgb, from->rgb, sizeof state->rgb);
  for (guint i = 0; i < 3; i++)
    state->others[i] = _es_display_other_copy (from->others[i]);
  state->colormap = from->colormap;
  state->cut = from->cut;
  state->deviations = from->deviations;
  state->curve = from->curve;
  state->linked = from->linked;
  state->basis = from->basis;
  state->symmetric = from->symmetric;
  return state;
}

void
_es_display_planes_changed (EsDisplay *self)
{
  _es_display_note_composite (self);
  g_signal_emit (self, signals[PLANES_CHANGED], 0);
}

void
_es_display_look_changed (EsDisplay *self)
{
  g_signal_emit (self, signals[LOOK_CHANGED], 0);
}

void
_es_display_stretched (EsDisplay *self)
{
  g_signal_emit (self, signals[STRETCHED], 0);
}

EsDisplay *
es_display_new (void)
{
  return g_object_new (ES_TYPE_DISPLAY, NULL);
}

EsDisplay *
es_display_new_detached (void)
{
  EsDisplay *self = es_display_new ();

  self->detached = TRUE;
  self->states = g_hash_table_new_full (NULL, NULL, g_object_unref, state_free);
  return self;
}

static State *
find_state (EsDisplay *self, GObject *data)
{
  return self->detached ? g_hash_table_lookup (self->states, data) : g_object_get_qdata (data, state_quark ());
}

static void
keep_state (EsDisplay *self, GObject *data, State *state)
{
  if (!self->detached)
    {
      g_object_set_qdata_full (data, state_quark (), state, state_free);
      return;
    }
  /* One at a time: a state keeps its data alive here. */
  g_hash_table_remove_all (self->states);
  g_hash_table_insert (self->states, g_object_ref (data), state);
}

static void
take_told (State *state, GObject *data, EsPlaneSource *source)
{
  JsonNode *told = g_object_get_qdata (data, told_quark ());

  if (told == NULL)
    return;
  _es_display_state_take (state, told, es_plane_source_get_n_planes (source));
  g_object_set_qdata (data, told_quark (), NULL);
}

JsonNode *
es_display_tell (GObject *data)
{
  const State *state = g_object_get_qdata (data, state_quark ());
  JsonNode *told = g_object_get_qdata (data, told_quark ());

  if (state != NULL)
    return _es_display_state_tell (state);
  return told != NULL ? json_node_copy (told) : NULL;
}

void
es_display_take (GObject *data, JsonNode *told)
{
  if (told != NULL && g_object_get_qdata (data, state_quark ()) == NULL)
    g_object_set_qdata_full (data, told_quark (), json_node_copy (told), (GDestroyNotify) json_node_unref);
}

JsonNode *
es_display_tell_now (EsDisplay *self)
{
  g_return_val_if_fail (ES_IS_DISPLAY (self), NULL);
  return self->state != NULL ? _es_display_state_tell (self->state) : NULL;
}

void
es_display_take_now (EsDisplay *self, JsonNode *told)
{
  g_return_if_fail (ES_IS_DISPLAY (self));

  if (self->state == NULL || told == NULL)
    return;
  _es_display_state_take (self->state, told, es_plane_source_get_n_planes (self->base));
  _es_display_link_source (self);
  _es_display_planes_changed (self);
  g_signal_emit (self, signals[LOOK_CHANGED], 0);
}

void
es_display_set_source (EsDisplay *self, EsPlaneSource *source, GObject *replaces)
{
  g_return_if_fail (ES_IS_DISPLAY (self));
  g_return_if_fail (source == NULL || ES_IS_PLANE_SOURCE (source));

  if (source == self->base)
    return;

  if (source != NULL && es_plane_source_get_n_planes (source) == 0)
    source = NULL;
  g_set_object (&self->base, source);
  g_set_object (&self->source, source);
  self->state = NULL;
  g_ptr_array_set_size (self->changes, 0);
  if (source != NULL)
    {
      GObject *data = es_plane_source_get_data (source);

      self->state = find_state (self, data);
      if (self->state == NULL)
        {
          const State *from = replaces != NULL ? find_state (self, replaces) : NULL;

          self->state = from != NULL ? state_copy (from, source) : state_new (source);
          if (!self->detached)
            take_told (self->state, data, source);
          keep_state (self, data, self->state);
        }
      _es_display_hand_over (self);
      _es_display_link_source (self);
      _es_display_note_composite (self);
    }
  g_signal_emit (self, signals[SOURCE_CHANGED], 0);
}

EsPlaneSource *
es_display_get_source (EsDisplay *self)
{
  g_return_val_if_fail (ES_IS_DISPLAY (self), NULL);
  return self->source;
}

EsPlaneSource *
es_display_get_own_source (EsDisplay *self)
{
  g_return_val_if_fail (ES_IS_DISPLAY (self), NULL);
  return self->base;
}

gboolean
es_display_can_composite (EsDisplay *self)
{
  g_return_val_if_fail (ES_IS_DISPLAY (self), FALSE);
  return self->source != NULL
         && (es_plane_source_get_n_planes (self->source) > 1
             || (self->groups != NULL && g_list_model_get_n_items (self->groups) > 1));
}

void
es_display_set_composite (EsDisplay *self, gboolean composite)
{
  g_return_if_fail (ES_IS_DISPLAY (self));

  composite = composite && es_display_can_composite (self);
  if (self->state == NULL || self->state->composite == composite)
    return;
  self->state->composite = composite;
  _es_display_planes_changed (self);
}

gboolean
es_display_get_composite (EsDisplay *self)
{
  g_return_val_if_fail (ES_IS_DISPLAY (self), FALSE);
  return self->state != NULL && self->state->composite;
}

void
es_display_set_rgb (EsDisplay *self, guint channel, guint plane)
{
  g_return_if_fail (ES_IS_DISPLAY (self));
  g_return_if_fail (channel < 3);

  if (self->state == NULL || plane >= es_plane_source_get_n_planes (self->source)
      || (self->state->rgb[channel] == plane && self->state->others[channel] == NULL))
    return;
  _es_display_give_back (self, channel);
  self->state->rgb[channel] = plane;
  if (self->state->composite)
    _es_display_planes_changed (self);
}

guint
es_display_get_rgb (EsDisplay *self, guint channel)
{
  guint n;

  g_return_val_if_fail (ES_IS_DISPLAY (self), 0);
  g_return_val_if_fail (channel < 3, 0);
  if (self->state == NULL)
    return 0;
  n = es_plane_source_get_n_planes (self->source);
  /* What is borrowed, as soon as it is there. */
  if (self->state->others[channel] != NULL && es_plane_source_has_plane (self->source, n + channel))
    return n + channel;
  return MIN (self->state->rgb[channel], n - 1);
}

void
es_display_show_rgb (EsDisplay *self, const guint planes[3])
{
  guint n, shown[3];

  g_return_if_fail (ES_IS_DISPLAY (self));

  n = self->source != NULL ? es_plane_source_get_n_planes (self->source) : 0;
  if (!es_display_can_composite (self) || planes[0] >= n || planes[1] >= n || planes[2] >= n
      || (self->state->composite && es_display_get_planes (self, shown) == 3
          && memcmp (planes, shown, sizeof shown) == 0))
    return;
  for (guint i = 0; i < 3; i++)
    _es_display_give_back (self, i);
  memcpy (self->state->rgb, planes, sizeof self->state->rgb);
  self->state->composite = TRUE;
  _es_display_planes_changed (self);
}

void
es_display_show_plane (EsDisplay *self, guint plane)
{
  g_return_if_fail (ES_IS_DISPLAY (self));

  if (self->state == NULL || plane >= es_plane_source_get_n_planes (self->source)
      || (!self->state->composite && self->state->plane == plane))
    return;
  self->state->plane = plane;
  self->state->composite = FALSE;
  _es_display_planes_changed (self);
}

void
es_display_set_plane (EsDisplay *self, guint plane)
{
  g_return_if_fail (ES_IS_DISPLAY (self));

  if (self->state == NULL || plane >= es_plane_source_get_n_planes (self->source)
      || self->state->plane == plane)
    return;
  self->state->plane = plane;
  if (!self->state->composite)
    _es_display_planes_changed (self);
}

guint
es_display_get_plane (EsDisplay *self)
{
  g_return_val_if_fail (ES_IS_DISPLAY (self), 0);
  return self->state != NULL ? self->state->plane : 0;
}

guint
es_display_get_planes (EsDisplay *self, guint planes[3])
{
  g_return_val_if_fail (ES_IS_DISPLAY (self), 0);

  if (self->state == NULL)
    return 0;
  if (!self->state->composite)
    {
      planes[0] = self->state->plane;
      return 1;
    }
  for (guint i = 0; i < 3; i++)
    planes[i] = es_display_get_rgb (self, i);
  return 3;
}

void
es_display_set_colormap (EsDisplay *self, EsColormap colormap)
{
  g_return_if_fail (ES_IS_DISPLAY (self));
  g_return_if_fail (colormap < ES_N_COLORMAPS);

  if (self->state == NULL || self->state->colormap == colormap)
    return;
  self->state->colormap = colormap;
  g_signal_emit (self, signals[LOOK_CHANGED], 0);
}

EsColormap
es_display_get_colormap (EsDisplay *self)
{
  g_return_val_if_fail (ES_IS_DISPLAY (self), ES_COLORMAP_GRAY);
  return self->state != NULL ? self->state->colormap : ES_COLORMAP_GRAY;
}

static void
es_display_dispose (GObject *object)
{
  EsDisplay *self = ES_DISPLAY (object);

  self->state = NULL;
  _es_display_drop_groups (self);
  for (guint i = 0; i < 3; i++)
    g_clear_pointer (&self->last[i], _es_display_other_free);
  g_clear_object (&self->source);
  g_clear_object (&self->base);
  g_clear_pointer (&self->changes, g_ptr_array_unref);
  g_clear_pointer (&self->states, g_hash_table_unref);
  G_OBJECT_CLASS (es_display_parent_class)->dispose (object);
}

static void
es_display_get_property (GObject *object, guint id, GValue *value, GParamSpec *pspec)
{
  if (id == PROP_HELD)
    g_value_set_boolean (value, es_display_get_held (ES_DISPLAY (object)));
  else
    G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
}

static void
es_display_set_property (GObject *object, guint id, const GValue *value, GParamSpec *pspec)
{
  if (id == PROP_HELD)
    es_display_set_held (ES_DISPLAY (object), g_value_get_boolean (value));
  else
    G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
}

static void
es_display_class_init (EsDisplayClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);

  object_class->dispose = es_display_dispose;
  object_class->get_property = es_display_get_property;
  object_class->set_property = es_display_set_property;
  g_object_class_install_property (object_class, PROP_HELD,
                                   g_param_spec_boolean ("held", NULL, NULL, FALSE,
                                                         G_PARAM_READWRITE | G_PARAM_EXPLICIT_NOTIFY
                                                         | G_PARAM_STATIC_STRINGS));

  signals[SOURCE_CHANGED] = g_signal_new ("source-changed", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0,
                                          NULL, NULL, NULL, G_TYPE_NONE, 0);
  signals[PLANES_CHANGED] = g_signal_new ("planes-changed", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0,
                                          NULL, NULL, NULL, G_TYPE_NONE, 0);
  signals[STRETCHED] = g_signal_new ("stretched", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0,
                                     NULL, NULL, NULL, G_TYPE_NONE, 0);
  signals[OTHERS_CHANGED] = g_signal_new ("others-changed", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0,
                                          NULL, NULL, NULL, G_TYPE_NONE, 0);
  signals[TAKEN_BACK] = g_signal_new ("taken-back", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0,
                                      NULL, NULL, NULL, G_TYPE_NONE, 1, G_TYPE_STRING);
  signals[LOOK_CHANGED] = g_signal_new ("look-changed", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0,
                                        NULL, NULL, NULL, G_TYPE_NONE, 0);
}

static void
es_display_init (EsDisplay *self)
{
  self->changes = g_ptr_array_new_with_free_func ((GDestroyNotify) json_node_unref);
}
