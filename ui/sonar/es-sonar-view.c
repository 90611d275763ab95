/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-sonar-view-private.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "plot/es-axis-ticks.h"
#include "sonar/panes/es-azimuth-pane.h"
#include "sonar/panes/es-btr-pane.h"
#include "sonar/panes/es-demon-pane.h"
#include "sonar/panes/es-eigen-pane.h"
#include "sonar/panes/es-element-pane.h"
#include "sonar/panes/es-energy-pane.h"
#include "sonar/panes/es-fraz-pane.h"
#include "sonar/panes/es-kind-chooser.h"
#include "sonar/panes/es-lofar-pane.h"
#include "sonar/panes/es-pattern-pane.h"
#include "es-sonar-bar.h"

/* Of a frame, for bringing panes up to date; what is left over waits for the next one. */
#define BUDGET 3000             /* µs */

enum { PROP_0, PROP_BEARING, PROP_TIME, PROP_FREQUENCY, PROP_STATUS, PROP_FOLLOW, N_PROPS };
static GParamSpec *properties[N_PROPS];
enum { SEEK, N_SIGNALS };
static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (EsSonarView, es_sonar_view, GTK_TYPE_WIDGET)

/* ---- the read-out ---- */

static char *
make_status (EsSonarView *self)
{
  EsSonarSource *source = self->source;
  EsSonarCursor *cursor = self->cursor;
  guint kinds = es_sonar_source_get_kinds (source);
  double bearing = es_sonar_cursor_get_bearing (cursor), frequency = es_sonar_cursor_get_frequency (cursor);
  int angle = es_sonar_cursor_get_angle (cursor);
  GString *text = g_string_new (NULL);
  const float *powers;
  gboolean any = FALSE;
  guint64 row;

  if (!es_sonar_cursor_get_row (cursor, &row))
    return g_string_free (text, FALSE);
  {
    g_autofree char *time = es_axis_format_time (es_sonar_source_get_row_time (source, row), 0.1);

    g_string_append (text, time);
  }
  if (!isnan (bearing))
    {
      g_autofree char *where = es_sonar_format_bearing (bearing, es_sonar_source_is_line (source));

      g_string_append_printf (text, "   %s", where);
    }
  for (guint kind = 0; kind < ES_BEAM_MUSIC && angle >= 0; kind++)
    if ((powers = es_sonar_cursor_get_powers (cursor, kind)) != NULL)
      {
        g_autofree char *level = es_sonar_format_level (10 * log10 (powers[angle]));

        g_string_append (text, kind == ES_BEAM_CBF ? "   " : ", ");
        if (kinds > 1u << ES_BEAM_CBF)
          g_string_append_printf (text, "%s ", es_beam_kind_name (kind));
        g_string_append (text, level);
        any = TRUE;
      }
  if (any)
    g_string_append_printf (text, " %s", es_sonar_source_get_unit (source));
  if (!isnan (frequency))
    {
      g_string_append (text, "   ");
      g_string_append_printf (text, _("%.2f Hz"), frequency);
    }
  return g_string_free (text, FALSE);
}

static void
update_status (EsSonarView *self)
{
  g_autofree char *status = make_status (self);

  self->status_stale = FALSE;
  if (g_strcmp0 (status, self->status) == 0)
    return;
  g_free (self->status);
  self->status = g_steal_pointer (&status);
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_STATUS]);
}

/* ---- the closer look ---- */

static gboolean
is_seen (EsSonarView *self, const char *id)
{
  EsPaneFrame *frame = _es_sonar_view_find_frame (self, id);

  return frame != NULL && gtk_widget_get_mapped (GTK_WIDGET (es_pane_frame_get_pane (frame)));
}

/* Patterns and eigenvalues are asked for while somebody sees them. */
static void
update_probe (EsSonarView *self)
{
  const EsBeamSettings *settings = es_sonar_source_get_settings (self->source);
  gboolean wanted = self->player != NULL && self->result == NULL && settings != NULL
                    && (es_sonar_source_get_kinds (self->source) & 1u << ES_BEAM_MVDR)
                    && (is_seen (self, "pattern") || (is_seen (self, "eigen") && !settings->adaptive.eigenvalues));
  double bearing = wanted ? es_sonar_cursor_get_bearing (self->cursor) : NAN;
  double frequency = wanted ? es_sonar_cursor_get_probe_frequency (self->cursor) : NAN;

  if (isnan (bearing) || isnan (frequency))
    bearing = frequency = NAN;
  if (self->player == NULL || (isnan (bearing) && isnan (self->probe_bearing))
      || (bearing == self->probe_bearing && frequency == self->probe_frequency))
    return;
  self->probe_bearing = bearing;
  self->probe_frequency = frequency;
  es_player_set_probe (self->player, bearing, frequency);
}

/* ---- bringing panes up to date: on frames, a few milliseconds each ---- */

static gboolean
on_tick (GtkWidget *widget, GdkFrameClock *clock, gpointer user_data)
{
  EsSonarView *self = ES_SONAR_VIEW (widget);
  gint64 begin = g_get_monotonic_time (), until = begin + BUDGET;
  gboolean stale = FALSE;

  /* Each in turn is the first, so that none waits for long. */
  for (guint i = 0; i < self->n_frames; i++)
    {
      EsSonarPane *pane = es_pane_frame_get_pane (self->frames[(self->turn + i) % self->n_frames]);

      if (es_sonar_pane_is_stale (pane))
        es_sonar_pane_refresh (pane, until);
      if (g_get_monotonic_time () >= until)
        {
          self->turn = (self->turn + i + 1) % self->n_frames;
          break;
        }
    }
  if (self->status_stale)
    update_status (self);
  update_probe (self);
  for (guint i = 0; i < self->n_frames; i++)
    stale = stale || es_sonar_pane_is_stale (es_pane_frame_get_pane (self->frames[i]));
  self->longest = MAX (self->longest, g_get_monotonic_time () - begin);
  if (stale)
    return G_SOURCE_CONTINUE;
  self->tick = 0;
  return G_SOURCE_REMOVE;
}

void
_es_sonar_view_want_tick (EsSonarView *self)
{
  if (self->tick == 0)
    self->tick = gtk_widget_add_tick_callback (GTK_WIDGET (self), on_tick, NULL, NULL);
}

static void
on_display_changed (EsSonarView *self, guint change)
{
  for (guint i = 0; i < self->n_frames; i++)
    es_sonar_pane_mark (es_pane_frame_get_pane (self->frames[i]), change);
  if ((change & ES_SONAR_CHANGE_HISTORY) && self->result == NULL
      && !_es_sonar_view_can_be_filled (self, self->middle[0]))
    _es_sonar_view_restore (self);
  else if (change & (ES_SONAR_CHANGE_HISTORY | ES_SONAR_CHANGE_MARKS))
    _es_sonar_view_update_visible (self);
  self->status_stale = TRUE;
  _es_sonar_view_want_tick (self);
  if (change & ES_SONAR_CHANGE_BEARING)
    g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_BEARING]);
  if (change & ES_SONAR_CHANGE_FREQUENCY)
    g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_FREQUENCY]);
  if (change & ES_SONAR_CHANGE_MOMENT)
    g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_TIME]);
  if (change & ES_SONAR_CHANGE_SCROLL)
    g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_FOLLOW]);
  if (change & ~(guint) (ES_SONAR_CHANGE_APPENDED | ES_SONAR_CHANGE_MOMENT | ES_SONAR_CHANGE_REPLACED))
    _es_sonar_view_sync_actions (self);
}

static void
on_seek (EsSonarView *self, double seconds)
{
  g_signal_emit (self, signals[SEEK], 0, seconds);
}

/* ---- places ---- */

static void
on_swap (EsSonarView *self, EsPaneFrame *frame)
{
  _es_sonar_view_swap (self, frame);
}

static void
on_maximise (EsSonarView *self, EsPaneFrame *frame)
{
  _es_sonar_view_maximise (self, frame);
}

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
es_sonar_view_set_player (EsSonarView *self, EsPlayer *player)
{
  g_return_if_fail (ES_IS_SONAR_VIEW (self));
  g_return_if_fail (player == NULL || ES_IS_PLAYER (player));

  if (self->player == player)
    return;
  if (self->player != NULL && !isnan (self->probe_bearing))
    es_player_set_probe (self->player, NAN, NAN);
  self->probe_bearing = self->probe_frequency = NAN;
  g_set_object (&self->player, player);
  update_source (self);
}

void
es_sonar_view_show_result (EsSonarView *self, EsResult *result)
{
  g_return_if_fail (ES_IS_SONAR_VIEW (self));
  g_return_if_fail (result == NULL || ES_IS_RESULT (result));

  if (!g_set_object (&self->result, result))
    return;
  g_clear_object (&self->history);
  if (result != NULL)
    self->history = es_beam_history_new_from_result (result);
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
es_sonar_view_get_bearing (EsSonarView *self)
{
  g_return_val_if_fail (ES_IS_SONAR_VIEW (self), NAN);
  return es_sonar_cursor_get_bearing (self->cursor);
}

void
es_sonar_view_set_bearing (EsSonarView *self, double bearing)
{
  g_return_if_fail (ES_IS_SONAR_VIEW (self));
  es_sonar_cursor_set_bearing (self->cursor, bearing);
}

/* ---- making ---- */

static EsPaneFrame *
add_pane (EsSonarView *self, EsSonarPane *pane, gboolean expanded)
{
  EsPaneFrame *frame = ES_PANE_FRAME (g_object_ref_sink (es_pane_frame_new (pane)));

  g_assert (self->n_frames < ES_SONAR_MOST_PANES);
  es_pane_frame_set_expanded (frame, expanded);
  g_signal_connect_object (frame, "swap", G_CALLBACK (on_swap), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (frame, "maximise", G_CALLBACK (on_maximise), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (pane, "wanted", G_CALLBACK (_es_sonar_view_want_tick), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (pane, "unmap", G_CALLBACK (_es_sonar_view_want_tick), self, G_CONNECT_SWAPPED);
  if (self->n_frames < ES_SONAR_N_MIDDLE)
    _es_sonar_view_put_in_middle (self, frame, self->n_frames);
  else
    gtk_box_append (GTK_BOX (self->column), GTK_WIDGET (frame));
  self->frames[self->n_frames++] = frame;
  return frame;
}

static GtkWidget *
make_plan_button (void)
{
  GtkWidget *button = gtk_toggle_button_new_with_label (_("Plan"));

  gtk_actionable_set_action_name (GTK_ACTIONABLE (button), "sonar.plan");
  gtk_widget_set_tooltip_text (button, _("Seen from above, the array in the middle"));
  gtk_widget_add_css_class (button, "flat");
  gtk_widget_add_css_class (button, "caption");
  gtk_widget_set_valign (button, GTK_ALIGN_CENTER);
  return button;
}

static GtkWidget *
make_beside_button (void)
{
  GtkWidget *button = gtk_toggle_button_new ();
  const char *words = _("CBF and adaptive beams side by side");

  gtk_button_set_icon_name (GTK_BUTTON (button), "view-dual-symbolic");
  gtk_actionable_set_action_name (GTK_ACTIONABLE (button), "sonar.beside");
  gtk_widget_set_tooltip_text (button, words);
  gtk_accessible_update_property (GTK_ACCESSIBLE (button), GTK_ACCESSIBLE_PROPERTY_LABEL, words, -1);
  gtk_widget_add_css_class (button, "flat");
  gtk_widget_set_valign (button, GTK_ALIGN_CENTER);
  return button;
}

static void
add_records (EsSonarView *self)
{
  EsPaneFrame *first = add_pane (self, es_btr_pane_new (self->display, "btr", ES_BEAM_CBF), TRUE), *second;
  g_autoptr (GMenu) section = g_menu_new ();

  add_pane (self, es_lofar_pane_new (self->display), TRUE);
  second = add_pane (self, es_btr_pane_new (self->display, "btr-adaptive", ES_BEAM_MVDR), TRUE);
  g_menu_append (section, _("Show Trac_ks"), "sonar.tracks");
  g_menu_append (section, _("Save T_racks…"), "sonar.save-tracks");
  es_pane_frame_set_section (first, G_MENU_MODEL (section));
  es_pane_frame_set_section (second, G_MENU_MODEL (section));
  self->beside = make_beside_button ();
  es_pane_frame_add_control (first, self->beside);
}

static void
add_panes (EsSonarView *self)
{
  EsSonarPane *azimuth = es_azimuth_pane_new (self->display);

  add_records (self);
  es_pane_frame_add_control (add_pane (self, es_energy_pane_new (self->display), TRUE), make_plan_button ());
  es_pane_frame_add_control (add_pane (self, azimuth, TRUE), es_azimuth_pane_get_toggles (ES_AZIMUTH_PANE (azimuth)));
  add_pane (self, es_fraz_pane_new (self->display, "fraz", ES_BEAM_CBF), FALSE);
  add_pane (self, es_fraz_pane_new (self->display, "fraz-adaptive", ES_BEAM_MVDR), FALSE);
  add_pane (self, es_eigen_pane_new (self->display), FALSE);
  add_pane (self, es_pattern_pane_new (self->display), FALSE);
  add_pane (self, es_demon_pane_new (self->display), FALSE);
  add_pane (self, es_element_pane_new (self->display), FALSE);
  self->field_frame = add_pane (self, es_field_pane_new (self->display), TRUE);
  _es_sonar_view_update_visible (self);
}

static void
make_inspector (EsSonarView *self)
{
  GtkWidget *viewport = gtk_viewport_new (NULL, NULL);

  self->column = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  gtk_scrollable_set_vscroll_policy (GTK_SCROLLABLE (viewport), GTK_SCROLL_NATURAL);
  gtk_viewport_set_scroll_to_focus (GTK_VIEWPORT (viewport), TRUE);
  gtk_viewport_set_child (GTK_VIEWPORT (viewport), self->column);
  self->inspector = g_object_ref_sink (gtk_scrolled_window_new ());
  gtk_scrolled_window_set_policy (GTK_SCROLLED_WINDOW (self->inspector), GTK_POLICY_NEVER, GTK_POLICY_AUTOMATIC);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (self->inspector), viewport);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->inspector), GTK_ACCESSIBLE_PROPERTY_LABEL, _("Sonar displays"),
                                  -1);
}

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
      es_sonar_cursor_set_bearing (self->cursor, g_value_get_double (value));
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
  EsPaneFrame *frame = self->maximised != NULL ? self->maximised : self->middle[0];

  return frame != NULL && gtk_widget_grab_focus (es_sonar_pane_get_child (es_pane_frame_get_pane (frame)));
}

static void
es_sonar_view_dispose (GObject *object)
{
  EsSonarView *self = ES_SONAR_VIEW (object);

  if (self->tick != 0)
    gtk_widget_remove_tick_callback (GTK_WIDGET (self), self->tick);
  self->tick = 0;
  if (self->display != NULL)
    {
      g_signal_handlers_disconnect_by_data (self->display, self);
      g_signal_handlers_disconnect_by_data (self->cursor, self);
    }
  for (guint i = 0; i < self->n_frames; i++)
    {
      g_signal_handlers_disconnect_by_data (self->frames[i], self);
      g_signal_handlers_disconnect_by_data (es_pane_frame_get_pane (self->frames[i]), self);
      _es_sonar_view_take_out (self, self->frames[i]);
      g_object_unref (self->frames[i]);
    }
  self->n_frames = 0;
  self->maximised = self->field_frame = NULL;
  g_clear_pointer (&self->bar, gtk_widget_unparent);
  g_clear_pointer (&self->strip, gtk_widget_unparent);
  g_clear_pointer (&self->paned, gtk_widget_unparent);
  g_clear_object (&self->inspector);
  g_clear_object (&self->actions);
  if (self->player != NULL && !isnan (self->probe_bearing))
    es_player_set_probe (self->player, NAN, NAN);
  g_clear_object (&self->player);
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
  properties[PROP_FOLLOW] = g_param_spec_boolean ("follow", NULL, NULL, TRUE, flags);
  g_object_class_install_properties (object_class, N_PROPS, properties);
  signals[SEEK] = g_signal_new ("seek", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE,
                                1, G_TYPE_DOUBLE);
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
  self->probe_bearing = self->probe_frequency = NAN;
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
  make_inspector (self);

  add_panes (self);
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
