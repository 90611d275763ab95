/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* The actions "sonar.": of the view, and of its right column wherever that stands. */

#include "es-sonar-view-private.h"

#include <glib/gi18n-lib.h>

#include "widgets/es-export.h"

/* ---- tracks ---- */

static GPtrArray *
get_tracks (EsSonarView *self)
{
  EsBeamHistory *history = es_sonar_source_get_history (self->source);

  return history != NULL ? es_beam_history_get_tracks (history) : NULL;
}

/* From true north and by the clock, where they are known; a line has one bearing on each side. */
typedef struct
{
  EsArray      *array;
  EsNavigation *navigation;
} Horizon;

static void
append_horizon (const EsTrackPoint *point, GString *text, gpointer data)
{
  Horizon *horizon = data;
  char number[G_ASCII_DTOSTR_BUF_SIZE];
  double found[2];
  guint n = es_array_get_true_bearings (horizon->array, es_navigation_get_heading (horizon->navigation, point->time),
                                        point->bearing, found);

  for (guint i = 0; i < 2; i++)
    g_string_append_printf (text, ",%s", i < n ? g_ascii_formatd (number, sizeof number, "%.4f", found[i]) : "");
  g_string_append_c (text, ',');
  if (es_navigation_get_start (horizon->navigation) != NULL)
    {
      g_autofree char *clock = es_navigation_format_time (es_navigation_get_start (horizon->navigation), point->time);

      g_string_append (text, clock);
    }
}

static char *
tracks_to_csv (EsSonarView *self, GPtrArray *tracks)
{
  EsRecording *recording = es_sonar_source_get_recording (self->source);
  g_autoptr (EsNavigation) navigation = recording != NULL ? es_recording_dup_navigation (recording) : NULL;
  g_autoptr (EsArray) array = es_sonar_source_get_array (self->source);
  Horizon horizon = { array, navigation };
  const EsTrackColumns more = { ",true_deg,true_mirror_deg,time_utc", append_horizon, &horizon };

  return es_tracks_to_csv (tracks, array != NULL && navigation != NULL ? &more : NULL);
}

static void
save_tracks_to (GtkWidget *widget, GFile *file, const char *choice, gpointer user_data)
{
  GPtrArray *tracks = get_tracks (ES_SONAR_VIEW (widget));

  /* They may have gone while the person was choosing. */
  if (tracks != NULL)
    es_export_save_text (widget, file, tracks_to_csv (ES_SONAR_VIEW (widget), tracks));
}

static void
save_tracks (EsSonarView *self)
{
  GPtrArray *tracks = get_tracks (self);

  if (tracks == NULL || tracks->len == 0)
    es_export_report (GTK_WIDGET (self), _("There are no tracks yet: a track needs arrivals in three of five blocks."));
  else
    es_export_ask_file (GTK_WIDGET (self), _("Save Tracks"), C_("file", "Tracks"), "csv", save_tracks_to, NULL);
}

/* ---- actions ---- */

static void
on_simple (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  EsSonarView *self = ES_SONAR_VIEW (user_data);
  const char *name = g_action_get_name (G_ACTION (action));
  EsPaneFrame *frame = _es_sonar_view_get_current (self);

  if (g_str_equal (name, "maximise"))
    _es_sonar_view_maximise (self, frame);
  else if (g_str_equal (name, "enlarge"))
    _es_sonar_view_enlarge (self, frame);
  else if (g_str_equal (name, "shrink"))
    _es_sonar_view_shrink (self);
  else if (g_str_equal (name, "restore"))
    _es_sonar_view_reset (self);
  else if (g_str_equal (name, "cursor-clear"))
    es_sonar_cursor_clear (self->cursor);
  else if (g_str_equal (name, "save-tracks"))
    save_tracks (self);
  else if (g_str_equal (name, "copy"))
    es_pane_frame_copy (frame);
  else if (g_str_equal (name, "save-picture"))
    es_pane_frame_save_picture (frame);
  else
    es_pane_frame_save_data (frame);
}

/* What cannot be shown yet is asked for. */
static void
choose_bearings (EsSonarView *self, const char *id)
{
  for (guint i = 0; i < ES_N_BEARINGS; i++)
    if (g_str_equal (es_bearings_id (i), id))
      es_sonar_look_set_bearings (self->look, i);
  if (es_sonar_look_get_bearings (self->look) == ES_BEARINGS_TRUE
      && es_bearing_scale_get_kind (es_sonar_display_get_scale (self->display)) != ES_BEARINGS_TRUE)
    gtk_widget_activate_action (GTK_WIDGET (self), "win.navigation", NULL);
}

static void
choose_clock (EsSonarView *self, const char *id)
{
  for (guint i = 0; i < ES_N_CLOCKS; i++)
    if (g_str_equal (es_clock_id (i), id))
      es_sonar_look_set_clock (self->look, i);
  if (es_sonar_look_get_clock (self->look) != ES_CLOCK_ELAPSED
      && es_sonar_display_get_start (self->display) == NULL)
    gtk_widget_activate_action (GTK_WIDGET (self), "win.navigation", NULL);
}

static void
on_state (GSimpleAction *action, GVariant *value, gpointer user_data)
{
  EsSonarView *self = ES_SONAR_VIEW (user_data);
  EsSonarLook *look = self->look;
  const char *name = g_action_get_name (G_ACTION (action));
  EsColormap map;

  if (g_str_equal (name, "follow"))
    es_sonar_display_set_follow (self->display, g_variant_get_boolean (value));
  else if (g_str_equal (name, "auto-top"))
    es_sonar_look_set_auto_top (look, g_variant_get_boolean (value));
  else if (g_str_equal (name, "hold"))
    es_sonar_look_set_auto_top (look, !g_variant_get_boolean (value));
  else if (g_str_equal (name, "plan"))
    es_sonar_look_set_plan (look, g_variant_get_boolean (value));
  else if (g_str_equal (name, "harmonics"))
    es_sonar_look_set_harmonics (look, g_variant_get_boolean (value));
  else if (g_str_equal (name, "tracks"))
    es_sonar_look_set_tracks (look, g_variant_get_boolean (value));
  else if (g_str_equal (name, "beside"))
    es_sonar_look_set_beside (look, g_variant_get_boolean (value));
  else if (g_str_equal (name, "dynamic-range"))
    es_sonar_look_set_range (look, g_variant_get_double (value));
  else if (g_str_equal (name, "colormap"))
    {
      if (es_colormap_find (g_variant_get_string (value, NULL), &map))
        es_sonar_look_set_colormap (look, map);
    }
  else if (g_str_equal (name, "bearings"))
    choose_bearings (self, g_variant_get_string (value, NULL));
  else if (g_str_equal (name, "clock"))
    choose_clock (self, g_variant_get_string (value, NULL));
  else
    for (guint i = 0; i < ES_N_NORMALISERS; i++)
      if (g_str_equal (es_normaliser_id (i), g_variant_get_string (value, NULL)))
        es_sonar_look_set_normaliser (look, i);
}

static void
set_state (EsSonarView *self, const char *name, GVariant *state)
{
  GAction *action = g_action_map_lookup_action (G_ACTION_MAP (self->actions), name);

  g_simple_action_set_state (G_SIMPLE_ACTION (action), state);
}

void
_es_sonar_view_sync_actions (EsSonarView *self)
{
  EsSonarExtent *extent = self->extent;
  EsSonarLook *look = self->look;
  GAction *follow;

  if (self->actions == NULL)
    return;
  set_state (self, "follow", g_variant_new_boolean (es_sonar_extent_get_follow (extent)));
  set_state (self, "auto-top", g_variant_new_boolean (es_sonar_look_get_auto_top (look)));
  set_state (self, "hold", g_variant_new_boolean (!es_sonar_look_get_auto_top (look)));
  set_state (self, "plan", g_variant_new_boolean (es_sonar_look_get_plan (look)));
  set_state (self, "harmonics", g_variant_new_boolean (es_sonar_look_get_harmonics (look)));
  set_state (self, "tracks", g_variant_new_boolean (es_sonar_look_get_tracks (look)));
  set_state (self, "beside", g_variant_new_boolean (es_sonar_look_get_beside (look)));
  set_state (self, "dynamic-range", g_variant_new_double (es_sonar_look_get_range (look)));
  set_state (self, "colormap", g_variant_new_string (es_colormap_id (es_sonar_look_get_colormap (look))));
  set_state (self, "normaliser", g_variant_new_string (es_normaliser_id (es_sonar_look_get_normaliser (look))));
  set_state (self, "bearings", g_variant_new_string (es_bearings_id (es_sonar_look_get_bearings (look))));
  set_state (self, "clock", g_variant_new_string (es_clock_id (es_sonar_look_get_clock (look))));
  follow = g_action_map_lookup_action (G_ACTION_MAP (self->actions), "follow");
  g_simple_action_set_enabled (G_SIMPLE_ACTION (follow), es_sonar_source_get_result (self->source) == NULL);
}

void
_es_sonar_view_add_actions (EsSonarView *self)
{
  static const GActionEntry entries[] = {
    { "maximise", on_simple, NULL, NULL, NULL, { 0 } },
    { "enlarge", on_simple, NULL, NULL, NULL, { 0 } },
    { "shrink", on_simple, NULL, NULL, NULL, { 0 } },
    { "restore", on_simple, NULL, NULL, NULL, { 0 } },
    { "cursor-clear", on_simple, NULL, NULL, NULL, { 0 } },
    { "copy", on_simple, NULL, NULL, NULL, { 0 } },
    { "save-picture", on_simple, NULL, NULL, NULL, { 0 } },
    { "save-data", on_simple, NULL, NULL, NULL, { 0 } },
    { "save-tracks", on_simple, NULL, NULL, NULL, { 0 } },
    { "follow", NULL, NULL, "true", on_state, { 0 } },
    { "auto-top", NULL, NULL, "true", on_state, { 0 } },
    { "hold", NULL, NULL, "false", on_state, { 0 } },
    { "plan", NULL, NULL, "false", on_state, { 0 } },
    { "harmonics", NULL, NULL, "false", on_state, { 0 } },
    { "tracks", NULL, NULL, "true", on_state, { 0 } },
    { "beside", NULL, NULL, "true", on_state, { 0 } },
    { "dynamic-range", NULL, "d", "30.0", on_state, { 0 } },
    { "colormap", NULL, "s", "'viridis'", on_state, { 0 } },
    { "normaliser", NULL, "s", "'none'", on_state, { 0 } },
    { "bearings", NULL, "s", "'array'", on_state, { 0 } },
    { "clock", NULL, "s", "'elapsed'", on_state, { 0 } },
  };

  self->actions = g_simple_action_group_new ();
  g_action_map_add_action_entries (G_ACTION_MAP (self->actions), entries, G_N_ELEMENTS (entries), self);
  gtk_widget_insert_action_group (GTK_WIDGET (self), "sonar", G_ACTION_GROUP (self->actions));
  gtk_widget_insert_action_group (self->large, "sonar", G_ACTION_GROUP (self->actions));
  gtk_widget_insert_action_group (self->inspector, "sonar", G_ACTION_GROUP (self->actions));
  _es_sonar_view_sync_actions (self);
}
