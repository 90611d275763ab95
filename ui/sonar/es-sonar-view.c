/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-sonar-view-private.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "es-sonar-bar.h"

enum { PROP_0, PROP_BEARING, PROP_TIME, PROP_FREQUENCY, PROP_STATUS, PROP_FOLLOW, PROP_START, N_PROPS };
static GParamSpec *properties[N_PROPS];
enum { SEEK, ARRANGED, ENLARGED, N_SIGNALS };
static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (EsSonarView, es_sonar_view, GTK_TYPE_WIDGET)

/* What is in view is computed first. */
static void
tell_view (EsSonarView *self)
{
  double top, span;

  es_sonar_extent_get_rows (self->extent, &top, &span);
  if (self->result != NULL && self->recall != NULL)
    es_beam_recall_set_view (self->recall, top - span, top);
  else if (self->result == NULL && self->player != NULL)
    es_player_set_view (self->player, top - span, top);
}

/* And before all of it the moment that somebody points at. */
static void
tell_moment (EsSonarView *self)
{
  guint64 row = 0;
  const gboolean any = !isnan (es_sonar_cursor_get_time (self->cursor)) && es_sonar_cursor_get_row (self->cursor, &row);
  const double at = any ? (double) row : NAN;

  if (self->result != NULL && self->recall != NULL)
    es_beam_recall_look_at (self->recall, at);
  else if (self->result == NULL && self->player != NULL)
    es_player_look_at (self->player, at);
}

static void
on_playing (EsSonarView *self)
{
  es_sonar_display_set_playing (self->display, self->player != NULL && es_player_is_playing (self->player));
}

static void
on_display_changed (EsSonarView *self, guint change)
{
  for (guint i = 0; i < self->n_frames; i++)
    es_sonar_pane_mark (es_pane_frame_get_pane (self->frames[i]), change);
  if ((change & ES_SONAR_CHANGE_HISTORY) && self->result == NULL
      && (!_es_sonar_view_is_home (self) || !_es_sonar_view_can_be_filled (self, self->middle[0])))
    _es_sonar_view_go_home (self);
  else if (change & (ES_SONAR_CHANGE_HISTORY | ES_SONAR_CHANGE_MARKS))
    _es_sonar_view_update_visible (self);
  if (change & (ES_SONAR_CHANGE_WRITING | ES_SONAR_CHANGE_HISTORY))
    g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_START]);
  self->status_stale = TRUE;
  _es_sonar_view_want_tick (self);
  if (change & (ES_SONAR_CHANGE_BEARING | ES_SONAR_CHANGE_TURNED))
    g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_BEARING]);
  if (change & ES_SONAR_CHANGE_FREQUENCY)
    g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_FREQUENCY]);
  if (change & ES_SONAR_CHANGE_MOMENT)
    g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_TIME]);
  if (change & ES_SONAR_CHANGE_SCROLL)
    g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_FOLLOW]);
  if (change & (ES_SONAR_CHANGE_SCROLL | ES_SONAR_CHANGE_HISTORY))
    tell_view (self);
  if (change & (ES_SONAR_CHANGE_MOMENT | ES_SONAR_CHANGE_HISTORY))
    tell_moment (self);
  if (change & ~(guint) (ES_SONAR_CHANGE_APPENDED | ES_SONAR_CHANGE_MOMENT | ES_SONAR_CHANGE_FILLED))
    _es_sonar_view_sync_actions (self);
}

static void
on_seek (EsSonarView *self, double seconds)
{
  g_signal_emit (self, signals[SEEK], 0, seconds);
}

/* ---- keys ---- */

static gboolean
on_escape (GtkWidget *widget, GVariant *unused, gpointer user_data)
{
  return _es_sonar_view_restore (ES_SONAR_VIEW (user_data != NULL ? user_data : widget)) ? GDK_EVENT_STOP
                                                                                        : GDK_EVENT_PROPAGATE;
}

/* ---- what is shown ---- */

static void
update_source (EsSonarView *self)
{
  EsBeamHistory *history = self->result != NULL ? self->history
                           : self->player != NULL ? es_player_get_history (self->player) : NULL;

  if (history != NULL)
    es_beam_history_set_thresholds (history, &self->thresholds);
  if (self->result != NULL)
    {
      EsDataset *dataset = es_result_get_dataset (self->result);

      es_sonar_display_set_source (self->display, self->history,
                                   ES_IS_RECORDING (dataset) ? ES_RECORDING (dataset) : NULL, self->result);
    }
  else if (self->player != NULL)
    {
      es_sonar_display_set_source (self->display, es_player_get_history (self->player),
                                   es_player_get_recording (self->player), NULL);
    }
  else
    {
      es_sonar_display_set_source (self->display, NULL, NULL, NULL);
    }
}

void
es_sonar_view_set_thresholds (EsSonarView *self, const EsPeakThresholds *thresholds)
{
  EsBeamHistory *history;
  EsPeakThresholds old;

  g_return_if_fail (ES_IS_SONAR_VIEW (self) && thresholds != NULL);

  self->thresholds = *thresholds;
  history = es_sonar_source_get_history (self->source);
  if (history == NULL)
    return;
  old = es_beam_history_get_thresholds (history);
  if (old.count == thresholds->count && old.range == thresholds->range && old.distance == thresholds->distance)
    return;
  es_beam_history_set_thresholds (history, thresholds);
  for (guint i = 0; i < self->n_frames; i++)
    es_sonar_pane_want (es_pane_frame_get_pane (self->frames[i]), ES_SONAR_CHANGE_MOMENT | ES_SONAR_CHANGE_MARKS);
}

/* What was asked for of another source is asked for anew of this one. */
static void
forget_closer (EsSonarView *self)
{
  if (self->player != NULL)
    es_player_look_closer (self->player, G_MAXUINT, NAN, NAN);
  self->closer_bearing = self->closer_frequency = NAN;
  self->closer_row = G_MAXUINT;
}

void
es_sonar_view_set_player (EsSonarView *self, EsPlayer *player)
{
  g_return_if_fail (ES_IS_SONAR_VIEW (self));
  g_return_if_fail (player == NULL || ES_IS_PLAYER (player));

  if (self->player == player)
    return;
  if (self->player != NULL && !isnan (self->probe_bearing))
    es_player_set_probe (self->player, NAN, NAN);
  self->probe_bearing = self->probe_frequency = NAN;
  forget_closer (self);
  if (self->player != NULL)
    g_signal_handlers_disconnect_by_func (self->player, on_playing, self);
  g_set_object (&self->player, player);
  if (player != NULL)
    g_signal_connect_object (player, "notify::playing", G_CALLBACK (on_playing), self, G_CONNECT_SWAPPED);
  on_playing (self);
  update_source (self);
}

void
es_sonar_view_show_result (EsSonarView *self, EsResult *result)
{
  g_return_if_fail (ES_IS_SONAR_VIEW (self));
  g_return_if_fail (result == NULL || ES_IS_RESULT (result));

  if (!g_set_object (&self->result, result))
    return;
  g_clear_object (&self->recall);
  g_clear_object (&self->history);
  forget_closer (self);
  if (result != NULL)
    {
      self->history = es_beam_history_new_from_result (result);
      self->recall = es_beam_recall_new (self->history);
      if (isnan (es_sonar_cursor_get_bearing (self->cursor)))
        _es_sonar_view_show_own_beam (self);
    }
  update_source (self);
  if (es_field_pane_get_field (ES_FIELD_PANE (es_pane_frame_get_pane (self->field_frame))) != NULL)
    es_sonar_view_show_layer (self, NULL);
  _es_sonar_view_update_visible (self);
}

EsResult *
es_sonar_view_get_result (EsSonarView *self)
{
  g_return_val_if_fail (ES_IS_SONAR_VIEW (self), NULL);
  return self->result;
}

EsBeamHistory *
es_sonar_view_get_history (EsSonarView *self)
{
  g_return_val_if_fail (ES_IS_SONAR_VIEW (self), NULL);
  return es_sonar_source_get_history (self->source);
}

void
es_sonar_view_add_leading (EsSonarView *self, GtkWidget *widget)
{
  g_return_if_fail (ES_IS_SONAR_VIEW (self));
  g_return_if_fail (GTK_IS_WIDGET (widget));
  es_sonar_bar_add_leading (ES_SONAR_BAR (self->bar), widget);
}

void
es_sonar_view_set_strip (EsSonarView *self, GtkWidget *strip)
{
  g_return_if_fail (ES_IS_SONAR_VIEW (self));
  g_return_if_fail (strip == NULL || GTK_IS_WIDGET (strip));

  if (self->strip == strip)
    return;
  g_clear_pointer (&self->strip, gtk_widget_unparent);
  self->strip = strip;
  if (strip != NULL)
    gtk_widget_insert_after (strip, GTK_WIDGET (self), self->bar);
}

GtkWidget *
es_sonar_view_get_inspector (EsSonarView *self)
{
  g_return_val_if_fail (ES_IS_SONAR_VIEW (self), NULL);
  return self->inspector;
}

double
es_sonar_view_get_begin (EsSonarView *self)
{
  guint64 row;

  g_return_val_if_fail (ES_IS_SONAR_VIEW (self), NAN);
  return es_sonar_cursor_get_row (self->cursor, &row) ? es_sonar_source_get_row_begin (self->source, row) : NAN;
}

void
es_sonar_view_set_heard (EsSonarView *self, double seconds)
{
  g_return_if_fail (ES_IS_SONAR_VIEW (self));
  es_sonar_cursor_set_heard (self->cursor, seconds);
}

gboolean
es_sonar_view_get_stretch (EsSonarView *self, double *begin, double *end)
{
  g_return_val_if_fail (ES_IS_SONAR_VIEW (self), FALSE);
  return es_sonar_cursor_get_stretch (self->cursor, begin, end);
}

double
es_sonar_view_get_bearing (EsSonarView *self)
{
  g_return_val_if_fail (ES_IS_SONAR_VIEW (self), NAN);
  return es_sonar_cursor_get_bearing (self->cursor);
}

EsBeamAim
es_sonar_view_get_aim (EsSonarView *self)
{
  EsBeamAim aim = es_beam_aim_at (NAN);

  g_return_val_if_fail (ES_IS_SONAR_VIEW (self), aim);
  aim.bearing = es_sonar_cursor_get_bearing (self->cursor);
  aim.true_bearing = isnan (aim.bearing) ? NAN : es_sonar_cursor_get_held (self->cursor);
  return aim;
}

void
es_sonar_view_set_bearing (EsSonarView *self, double bearing)
{
  g_return_if_fail (ES_IS_SONAR_VIEW (self));
  if (isnan (bearing) || es_sonar_source_get_settings (self->source) == NULL)
    es_sonar_cursor_set_bearing (self->cursor, bearing);
  else
    es_sonar_cursor_set_bearing_at (self->cursor, bearing);
}

/* ---- the widget ---- */

GtkWidget *
es_sonar_view_new (void)
{
  return g_object_new (ES_TYPE_SONAR_VIEW, NULL);
}

static void
es_sonar_view_get_property (GObject *object, guint id, GValue *value, GParamSpec *pspec)
{
  EsSonarView *self = ES_SONAR_VIEW (object);

  switch (id)
    {
    case PROP_BEARING:
      g_value_set_double (value, es_sonar_cursor_get_bearing (self->cursor));
      break;
    case PROP_TIME:
      g_value_set_double (value, es_sonar_cursor_get_time (self->cursor));
      break;
    case PROP_FREQUENCY:
      g_value_set_double (value, es_sonar_cursor_get_frequency (self->cursor));
      break;
    case PROP_STATUS:
      g_value_set_string (value, self->status != NULL ? self->status : "");
      break;
    case PROP_START:
      g_value_set_boxed (value, es_sonar_display_get_start (self->display));
      break;
    case PROP_FOLLOW:
      g_value_set_boolean (value, es_sonar_extent_get_follow (self->extent));
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
    }
}

static void
es_sonar_view_set_property (GObject *object, guint id, const GValue *value, GParamSpec *pspec)
{
  EsSonarView *self = ES_SONAR_VIEW (object);

  switch (id)
    {
    case PROP_BEARING:
      es_sonar_view_set_bearing (self, g_value_get_double (value));
      break;
    case PROP_TIME:
      es_sonar_cursor_set_time (self->cursor, g_value_get_double (value));
      break;
    case PROP_FREQUENCY:
      es_sonar_cursor_set_frequency (self->cursor, g_value_get_double (value));
      break;
    case PROP_FOLLOW:
      es_sonar_display_set_follow (self->display, g_value_get_boolean (value));
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
    }
}

/* The focus goes to the display in the middle, where the keys move the cursor, and not to the bar's first button. */
static gboolean
es_sonar_view_grab_focus (GtkWidget *widget)
{
  EsSonarView *self = ES_SONAR_VIEW (widget);
  EsPaneFrame *frame = self->enlarged != NULL ? self->enlarged
                       : self->maximised != NULL ? self->maximised : self->middle[0];

  return frame != NULL && gtk_widget_grab_focus (es_sonar_pane_get_child (es_pane_frame_get_pane (frame)));
}

static void
es_sonar_view_dispose (GObject *object)
{
  EsSonarView *self = ES_SONAR_VIEW (object);

  if (self->tick != 0)
    gtk_widget_remove_tick_callback (GTK_WIDGET (self), self->tick);
  self->tick = 0;
  g_clear_handle_id (&self->divider_source, g_source_remove);
  if (self->paned != NULL)
    g_signal_handlers_disconnect_by_data (self->paned, self);
  if (self->display != NULL)
    {
      g_signal_handlers_disconnect_by_data (self->display, self);
      g_signal_handlers_disconnect_by_data (self->cursor, self);
    }
  if (self->n_frames > 0)
    _es_sonar_view_shrink (self);
  for (guint i = 0; i < self->n_frames; i++)
    {
      g_signal_handlers_disconnect_by_data (self->frames[i], self);
      g_signal_handlers_disconnect_by_data (es_pane_frame_get_pane (self->frames[i]), self);
      _es_sonar_view_take_out (self, self->frames[i]);
      g_object_unref (self->frames[i]);
    }
  self->n_frames = 0;
  self->maximised = self->field_frame = self->chosen = NULL;
  g_clear_pointer (&self->bar, gtk_widget_unparent);
  g_clear_pointer (&self->strip, gtk_widget_unparent);
  g_clear_pointer (&self->paned, gtk_widget_unparent);
  g_clear_object (&self->inspector);
  g_clear_object (&self->large);
  g_clear_object (&self->actions);
  if (self->player != NULL && !isnan (self->probe_bearing))
    es_player_set_probe (self->player, NAN, NAN);
  forget_closer (self);
  g_clear_object (&self->player);
  g_clear_object (&self->recall);
  g_clear_object (&self->history);
  g_clear_object (&self->result);
  g_clear_object (&self->display);
  G_OBJECT_CLASS (es_sonar_view_parent_class)->dispose (object);
}

static void
es_sonar_view_finalize (GObject *object)
{
  g_free (ES_SONAR_VIEW (object)->status);
  G_OBJECT_CLASS (es_sonar_view_parent_class)->finalize (object);
}

static void
es_sonar_view_class_init (EsSonarViewClass *klass)
{
  const GParamFlags flags = G_PARAM_READWRITE | G_PARAM_EXPLICIT_NOTIFY | G_PARAM_STATIC_STRINGS;
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  object_class->get_property = es_sonar_view_get_property;
  object_class->set_property = es_sonar_view_set_property;
  object_class->dispose = es_sonar_view_dispose;
  object_class->finalize = es_sonar_view_finalize;
  widget_class->grab_focus = es_sonar_view_grab_focus;
  properties[PROP_BEARING] = g_param_spec_double ("bearing", NULL, NULL, -G_MAXDOUBLE, G_MAXDOUBLE, 0, flags);
  properties[PROP_TIME] = g_param_spec_double ("time", NULL, NULL, -G_MAXDOUBLE, G_MAXDOUBLE, 0, flags);
  properties[PROP_FREQUENCY] = g_param_spec_double ("frequency", NULL, NULL, -G_MAXDOUBLE, G_MAXDOUBLE, 0, flags);
  properties[PROP_STATUS] = g_param_spec_string ("status", NULL, NULL, "", G_PARAM_READABLE | G_PARAM_EXPLICIT_NOTIFY
                                                                             | G_PARAM_STATIC_STRINGS);
  properties[PROP_START] = g_param_spec_boxed ("start", NULL, NULL, G_TYPE_DATE_TIME,
                                               G_PARAM_READABLE | G_PARAM_EXPLICIT_NOTIFY | G_PARAM_STATIC_STRINGS);
  properties[PROP_FOLLOW] = g_param_spec_boolean ("follow", NULL, NULL, TRUE, flags);
  g_object_class_install_properties (object_class, N_PROPS, properties);
  signals[SEEK] = g_signal_new ("seek", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE,
                                1, G_TYPE_DOUBLE);
  signals[ARRANGED] = g_signal_new ("arranged", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                    G_TYPE_NONE, 0);
  signals[ENLARGED] = g_signal_new ("enlarged", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                    G_TYPE_NONE, 0);
  gtk_widget_class_add_binding (widget_class, GDK_KEY_Escape, 0, on_escape, NULL);
  gtk_widget_class_set_css_name (widget_class, "sonarview");
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_GROUP);
  gtk_widget_class_set_layout_manager_type (widget_class, GTK_TYPE_BOX_LAYOUT);
}

static void
es_sonar_view_init (EsSonarView *self)
{
  GtkLayoutManager *layout = gtk_widget_get_layout_manager (GTK_WIDGET (self));
  GtkEventController *keys = gtk_shortcut_controller_new ();

  gtk_orientable_set_orientation (GTK_ORIENTABLE (layout), GTK_ORIENTATION_VERTICAL);
  self->probe_bearing = self->probe_frequency = self->closer_bearing = self->closer_frequency = NAN;
  self->closer_row = G_MAXUINT;
  self->display = es_sonar_display_new ();
  self->source = es_sonar_display_get_source (self->display);
  self->cursor = es_sonar_display_get_cursor (self->display);
  self->extent = es_sonar_display_get_extent (self->display);
  self->look = es_sonar_display_get_look (self->display);
  self->bar = es_sonar_bar_new (self->display);
  gtk_widget_set_parent (self->bar, GTK_WIDGET (self));
  self->paned = gtk_paned_new (GTK_ORIENTATION_VERTICAL);
  gtk_widget_set_vexpand (self->paned, TRUE);
  gtk_paned_set_shrink_start_child (GTK_PANED (self->paned), FALSE);
  gtk_paned_set_shrink_end_child (GTK_PANED (self->paned), FALSE);
  /* As wide as each other: then they can be compared. */
  self->upper = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 0);
  gtk_box_set_homogeneous (GTK_BOX (self->upper), TRUE);
  gtk_widget_add_css_class (self->upper, "pane-pair");
  gtk_paned_set_start_child (GTK_PANED (self->paned), self->upper);
  gtk_widget_set_parent (self->paned, GTK_WIDGET (self));
  _es_sonar_view_add_divider (self);
  _es_sonar_view_make_inspector (self);
  _es_sonar_view_make_large (self);

  _es_sonar_view_add_panes (self);
  _es_sonar_view_add_actions (self);
  gtk_shortcut_controller_add_shortcut (GTK_SHORTCUT_CONTROLLER (keys),
                                        gtk_shortcut_new (gtk_keyval_trigger_new (GDK_KEY_Escape, 0),
                                                          gtk_callback_action_new ((GtkShortcutFunc) on_escape, self,
                                                                                   NULL)));
  gtk_widget_add_controller (self->inspector, keys);
  g_signal_connect_object (self->display, "changed", G_CALLBACK (on_display_changed), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->cursor, "seek", G_CALLBACK (on_seek), self, G_CONNECT_SWAPPED);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL, _("Sonar displays"), -1);
}
