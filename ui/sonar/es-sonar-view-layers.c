/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* Which display shows which layer of a result, and which of them have something to show at all. */

#include "layer/es-curve.h"
#include "es-sonar-view-private.h"

/* Fields and curves, by their roles: the display of each, and the beams it is to show. */
static const struct { const char *role, *pane; EsBeamKind kind; } homes[] = {
  { "btr", "btr", ES_BEAM_CBF },
  { "btr-mvdr", "btr-adaptive", ES_BEAM_MVDR },
  { "btr-music", "btr-adaptive", ES_BEAM_MUSIC },
  { "lofar", "lofar", ES_BEAM_CBF },
  { "energy-field", "energy", ES_BEAM_CBF },
  { "energy-field-mvdr", "energy", ES_BEAM_MVDR },
  { "fraz", "fraz", ES_BEAM_CBF },
  { "fraz-mvdr", "fraz-adaptive", ES_BEAM_MVDR },
  { "fraz-music", "fraz-adaptive", ES_BEAM_MUSIC },
  { "band-energy", "azimuth", ES_BEAM_CBF },
  { "beam-pattern", "pattern", ES_BEAM_CBF },
};

static const char *
role_of (EsLayer *layer)
{
  return ES_IS_FIELD (layer) ? es_field_get_role (ES_FIELD (layer))
         : ES_IS_CURVE (layer) ? es_curve_get_role (ES_CURVE (layer)) : NULL;
}

/* Whether the history made of the result shows it; a field of other axes than the record's is shown as it is. */
static gboolean
is_in_history (EsSonarView *self, EsField *field)
{
  const EsBeamSettings *settings = es_sonar_source_get_settings (self->source);
  const char *role = es_field_get_role (field);
  guint n = es_field_get_columns (field)->n;

  if (settings == NULL || self->result == NULL)
    return FALSE;
  if (g_strcmp0 (role, "lofar") == 0)
    return es_beam_history_get_own_angle (self->history) != G_MAXUINT && n == settings->n_bins;
  if (role != NULL && g_str_has_prefix (role, "btr"))
    return es_sonar_source_get_end (self->source) > 0 && n == settings->n_angles;
  return n == settings->n_angles;
}

static gboolean
has_in_history (EsSonarView *self, const char *role)
{
  GListModel *layers = es_result_get_layers (self->result);

  for (guint i = 0; i < g_list_model_get_n_items (layers); i++)
    {
      g_autoptr (EsLayer) layer = g_list_model_get_item (layers, i);

      if (ES_IS_FIELD (layer) && g_strcmp0 (role_of (layer), role) == 0 && is_in_history (self, ES_FIELD (layer)))
        return TRUE;
    }
  return FALSE;
}

gboolean
_es_sonar_view_has_pairs (EsSonarView *self)
{
  return es_sonar_source_get_kinds (self->source) > 1u << ES_BEAM_CBF;
}

/* Displays that only adaptive beams fill. */
static gboolean
can_be_filled_by_adaptive (EsSonarView *self, const char *id)
{
  EsBeamHistory *history = es_sonar_source_get_history (self->source);
  guint n;

  if (!_es_sonar_view_has_pairs (self))
    return FALSE;
  if (g_str_equal (id, "btr-adaptive"))
    return es_sonar_look_get_beside (self->look) && (self->result == NULL || has_in_history (self, "btr-mvdr"));
  if (g_str_equal (id, "fraz-adaptive"))
    return es_sonar_look_get_beside (self->look) && (self->result == NULL || has_in_history (self, "fraz-mvdr"));
  if (self->result == NULL || es_beam_history_get_probe (history) != NULL)
    return TRUE;
  return g_str_equal (id, "eigen") && es_beam_history_get_eigenvalues (history, &n) != NULL;
}

/* One row, which the azimuth shows as well: no field. */
static gboolean
is_far_alone (EsSonarView *self)
{
  const EsBeamSettings *settings = es_sonar_source_get_settings (self->source);

  return settings != NULL && settings->n_ranges == 1 && es_beam_settings_find_far (settings) == 0;
}

/* A player brings all in time, a result has what it has. */
gboolean
_es_sonar_view_can_be_filled (EsSonarView *self, EsPaneFrame *frame)
{
  /* What of a result each display needs; NULL: the recording alone. */
  static const struct { const char *pane, *role; } needs[] = {
    { "btr", "btr" }, { "lofar", "lofar" }, { "energy", "energy-field" }, { "azimuth", "btr" }, { "fraz", "fraz" },
    { "demon", "btr" }, { "element", NULL },
  };
  static const char *const adaptive[] = { "btr-adaptive", "fraz-adaptive", "eigen", "pattern", NULL };
  EsSonarPane *pane = es_pane_frame_get_pane (frame);
  const char *id = es_sonar_pane_get_id (pane);

  if (frame == self->field_frame)
    return es_field_pane_get_field (ES_FIELD_PANE (pane)) != NULL;
  if (g_strv_contains (adaptive, id))
    return can_be_filled_by_adaptive (self, id);
  if (self->result == NULL && g_str_equal (id, "energy"))
    return !is_far_alone (self);
  for (guint i = 0; self->result != NULL && i < G_N_ELEMENTS (needs); i++)
    if (g_str_equal (id, needs[i].pane))
      return needs[i].role != NULL ? has_in_history (self, needs[i].role)
                                   : es_sonar_source_get_recording (self->source) != NULL;
  return TRUE;
}

/* The display that shows the layer, of the beams that it is of; NULL: none. */
static EsPaneFrame *
find_home (EsSonarView *self, EsLayer *layer)
{
  const char *role = role_of (layer);

  for (guint i = 0; i < G_N_ELEMENTS (homes); i++)
    if (g_strcmp0 (role, homes[i].role) == 0)
      {
        EsPaneFrame *frame = _es_sonar_view_find_frame (self, homes[i].pane);
        EsSonarPane *pane = es_pane_frame_get_pane (frame);

        if (homes[i].kind != ES_BEAM_CBF)
          es_sonar_look_set_beside (self->look, TRUE);
        if (es_sonar_pane_get_chooser (pane) != NULL)
          es_sonar_pane_set_kind (pane, homes[i].kind);
        return frame;
      }
  return NULL;
}

void
_es_sonar_view_show_own_beam (EsSonarView *self)
{
  const guint angle = es_beam_history_get_own_angle (self->history);
  const EsBeamSettings *settings = es_beam_history_get_settings (self->history);

  if (settings != NULL && angle < settings->n_angles)
    es_sonar_cursor_set_bearing (self->cursor, settings->angles[angle]);
}

void
es_sonar_view_show_layer (EsSonarView *self, EsLayer *layer)
{
  EsPaneFrame *frame = NULL;
  EsFieldPane *pane;

  g_return_if_fail (ES_IS_SONAR_VIEW (self));
  g_return_if_fail (layer == NULL || ES_IS_LAYER (layer));

  pane = ES_FIELD_PANE (es_pane_frame_get_pane (self->field_frame));
  if (g_strcmp0 (role_of (layer), "lofar") == 0 && self->result != NULL)
    _es_sonar_view_show_own_beam (self);
  if (layer != NULL && (!ES_IS_FIELD (layer) || is_in_history (self, ES_FIELD (layer))))
    frame = find_home (self, layer);
  if (frame == NULL && ES_IS_FIELD (layer))
    frame = self->field_frame;
  es_field_pane_set_field (pane, frame == self->field_frame ? ES_FIELD (layer) : NULL);
  _es_sonar_view_go_home (self);
  if (frame != NULL && !es_pane_frame_get_in_middle (frame) && _es_sonar_view_can_be_filled (self, frame))
    _es_sonar_view_swap (self, frame);
  _es_sonar_view_want_tick (self);
}
