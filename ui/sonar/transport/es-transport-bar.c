/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-transport-bar.h"

#include <adwaita.h>
#include <glib/gi18n-lib.h>
#include <math.h>

#include "axes/es-axis-ticks.h"
#include "widgets/es-format.h"
#include "widgets/es-wheel.h"
#include "es-transport-record-private.h"

/* A drag along the scale seeks when it has rested so long. */
#define SEEK_DELAY_MS 60

struct _EsTransportBar
{
  GtkWidget      parent_instance;

  GtkWidget     *box;
  GtkWidget     *to_start;
  GtkWidget     *play;
  GtkWidget     *to_end;
  GtkDropDown   *speed;
  GtkWidget     *loop;
  GtkWidget     *listen;
  GtkWidget     *replay;
  GtkWidget     *scale;
  GtkAdjustment *adjustment;
  GtkLabel      *position;
  GtkLabel      *duration;
  GtkWidget     *live;           /* of a recording that is still written */
  GtkLabel      *factor;

  EsPlayer      *player;
  GSignalGroup  *signals;
  gboolean       syncing;        /* the widgets are being set from the player */
  gboolean       possible;       /* there may be sound */
  guint          seek_source;
  GDateTime     *start;          /* of a clock; NULL: times are seconds */
};

enum { PROP_0, PROP_LISTENING, PROP_START, N_PROPS };
static GParamSpec *properties[N_PROPS];
enum { SOUGHT, N_SIGNALS };
static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (EsTransportBar, es_transport_bar, GTK_TYPE_WIDGET)

static const double speeds[] = { 1, 2, 4, ES_PLAYER_FASTEST };

/* ---- player -> widgets ---- */

static void
update_play (EsTransportBar *self)
{
  gboolean playing = self->player != NULL && es_player_is_playing (self->player);
  const char *text = playing ? _("Pause (Space)") : _("Play (Space)");

  gtk_button_set_icon_name (GTK_BUTTON (self->play), playing ? "media-playback-pause-symbolic"
                                                             : "media-playback-start-symbolic");
  gtk_widget_set_tooltip_text (self->play, text);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->play), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  playing ? _("Pause") : _("Play"), -1);
}

static char *
format_time (EsTransportBar *self, double seconds)
{
  return self->start != NULL ? es_axis_format_clock (self->start, seconds, 0.1) : es_format_time (seconds);
}

static void
update_position (EsTransportBar *self)
{
  double at = self->player != NULL ? es_player_get_position (self->player) : 0;
  g_autofree char *text = format_time (self, at);

  gtk_label_set_label (self->position, text);
  /* The hand at the scale knows better. */
  if (self->seek_source != 0)
    return;
  self->syncing = TRUE;
  gtk_adjustment_set_value (self->adjustment, at);
  self->syncing = FALSE;
}

static void
update_factor (EsTransportBar *self)
{
  g_autofree char *text = _es_transport_describe_pace (self->player);
  gboolean lagging = FALSE;

  gtk_label_set_label (self->factor, text);
  if (self->player != NULL)
    g_object_get (self->player, "lagging", &lagging, NULL);
  if (lagging)
    {
      gtk_widget_add_css_class (GTK_WIDGET (self->factor), "warning");
      gtk_widget_set_tooltip_text (GTK_WIDGET (self->factor),
                                   _("It cannot keep up with the speed that is asked for: the sound has gaps. Fewer "
                                     "angles, ranges or bins are faster."));
    }
  else
    {
      gtk_widget_remove_css_class (GTK_WIDGET (self->factor), "warning");
      g_autofree char *kept = _es_transport_describe_spectra (self->player);
      g_autofree char *all = g_strjoin ("\n", _("Seconds of signal a second of computing"), kept, NULL);

      gtk_widget_set_tooltip_text (GTK_WIDGET (self->factor), all);
    }
}

static void
update_speed (EsTransportBar *self)
{
  double speed = self->player != NULL ? es_player_get_speed (self->player) : 1;

  self->syncing = TRUE;
  for (guint i = 0; i < G_N_ELEMENTS (speeds); i++)
    if (speeds[i] == speed)
      gtk_drop_down_set_selected (self->speed, i);
  self->syncing = FALSE;
}

static void
update_loop (EsTransportBar *self)
{
  gboolean loop = FALSE;

  if (self->player != NULL)
    g_object_get (self->player, "loop", &loop, NULL);
  self->syncing = TRUE;
  gtk_toggle_button_set_active (GTK_TOGGLE_BUTTON (self->loop), loop);
  self->syncing = FALSE;
}

/* It may be growing. */
static void
update_duration (EsTransportBar *self)
{
  const double seconds = self->player != NULL ? es_player_get_duration (self->player) : 0;
  g_autofree char *text = format_time (self, seconds);

  self->syncing = TRUE;
  gtk_adjustment_set_upper (self->adjustment, MAX (seconds, 1e-3));
  gtk_adjustment_set_page_increment (self->adjustment, MAX (seconds / 20, 1));
  self->syncing = FALSE;
  gtk_label_set_label (self->duration, text);
  gtk_widget_set_visible (self->live, self->player != NULL
                                      && es_recording_is_growing (es_player_get_recording (self->player)));
}

static void
update_all (EsTransportBar *self)
{
  self->syncing = TRUE;
  gtk_adjustment_set_value (self->adjustment, 0);
  self->syncing = FALSE;
  update_duration (self);
  gtk_widget_set_sensitive (self->box, self->player != NULL);
  update_play (self);
  update_position (self);
  update_factor (self);
  update_speed (self);
  update_loop (self);
}

/* ---- widgets -> player ---- */

static void
on_play (EsTransportBar *self)
{
  /* Whoever has the bar knows from where. */
  if (self->player == NULL || gtk_widget_activate_action (GTK_WIDGET (self), "win.sonar-play", NULL))
    return;
  if (es_player_is_playing (self->player))
    es_player_pause (self->player);
  else
    es_player_play (self->player);
}

static void
seek (EsTransportBar *self, double seconds)
{
  if (self->player == NULL)
    return;
  es_player_seek (self->player, seconds);
  g_signal_emit (self, signals[SOUGHT], 0);
}

static void
on_to_start (EsTransportBar *self)
{
  seek (self, 0);
}

static void
on_to_end (EsTransportBar *self)
{
  seek (self, self->player != NULL ? es_player_get_duration (self->player) : 0);
}

/* What comes now, as it comes. */
static void
on_live (EsTransportBar *self)
{
  on_to_end (self);
  if (self->player != NULL)
    es_player_play (self->player);
}

static gboolean
seek_now (gpointer data)
{
  EsTransportBar *self = data;

  self->seek_source = 0;
  seek (self, gtk_adjustment_get_value (self->adjustment));
  return G_SOURCE_REMOVE;
}

static void
on_scale (EsTransportBar *self)
{
  g_autofree char *text = NULL;

  if (self->syncing || self->player == NULL)
    return;
  text = format_time (self, gtk_adjustment_get_value (self->adjustment));
  gtk_label_set_label (self->position, text);
  g_clear_handle_id (&self->seek_source, g_source_remove);
  self->seek_source = g_timeout_add (SEEK_DELAY_MS, seek_now, self);
}

static void
on_speed (EsTransportBar *self)
{
  guint selected = gtk_drop_down_get_selected (self->speed);

  if (!self->syncing && self->player != NULL && selected < G_N_ELEMENTS (speeds))
    es_player_set_speed (self->player, speeds[selected]);
}

static void
on_loop (EsTransportBar *self)
{
  if (!self->syncing && self->player != NULL)
    es_player_set_loop (self->player, gtk_toggle_button_get_active (GTK_TOGGLE_BUTTON (self->loop)));
}

static void
on_listen (EsTransportBar *self)
{
  gboolean listening = gtk_toggle_button_get_active (GTK_TOGGLE_BUTTON (self->listen));

  gtk_button_set_icon_name (GTK_BUTTON (self->listen), listening ? "audio-volume-high-symbolic"
                                                                 : "audio-volume-muted-symbolic");
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_LISTENING]);
}

/* ---- the widget ---- */

static void
es_transport_bar_get_property (GObject *object, guint id, GValue *value, GParamSpec *pspec)
{
  EsTransportBar *self = ES_TRANSPORT_BAR (object);

  switch (id)
    {
    case PROP_LISTENING:
      g_value_set_boolean (value, gtk_toggle_button_get_active (GTK_TOGGLE_BUTTON (self->listen)));
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
    }
}

static void
es_transport_bar_set_property (GObject *object, guint id, const GValue *value, GParamSpec *pspec)
{
  EsTransportBar *self = ES_TRANSPORT_BAR (object);

  switch (id)
    {
    case PROP_START:
      g_clear_pointer (&self->start, g_date_time_unref);
      self->start = g_value_dup_boxed (value);
      update_all (self);
      break;
    case PROP_LISTENING:
      gtk_toggle_button_set_active (GTK_TOGGLE_BUTTON (self->listen),
                                    self->possible && g_value_get_boolean (value));
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
    }
}

static void
es_transport_bar_dispose (GObject *object)
{
  EsTransportBar *self = ES_TRANSPORT_BAR (object);

  g_clear_handle_id (&self->seek_source, g_source_remove);
  g_clear_object (&self->signals);
  g_clear_object (&self->player);
  g_clear_pointer (&self->start, g_date_time_unref);
  g_clear_pointer (&self->box, gtk_widget_unparent);
  G_OBJECT_CLASS (es_transport_bar_parent_class)->dispose (object);
}

static void
es_transport_bar_class_init (EsTransportBarClass *class)
{
  GObjectClass *object_class = G_OBJECT_CLASS (class);

  object_class->dispose = es_transport_bar_dispose;
  object_class->get_property = es_transport_bar_get_property;
  object_class->set_property = es_transport_bar_set_property;
  properties[PROP_LISTENING] = g_param_spec_boolean ("listening", NULL, NULL, FALSE,
                                                     G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS);
  properties[PROP_START] = g_param_spec_boxed ("start", NULL, NULL, G_TYPE_DATE_TIME,
                                               G_PARAM_WRITABLE | G_PARAM_STATIC_STRINGS);
  g_object_class_install_properties (object_class, N_PROPS, properties);
  signals[SOUGHT] = g_signal_new ("sought", G_TYPE_FROM_CLASS (class), G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                  G_TYPE_NONE, 0);
  gtk_widget_class_set_layout_manager_type (GTK_WIDGET_CLASS (class), GTK_TYPE_BIN_LAYOUT);
  gtk_widget_class_set_css_name (GTK_WIDGET_CLASS (class), "transportbar");
}

static GtkWidget *
make_button (GtkWidget *button, const char *icon, const char *tooltip, const char *name)
{
  gtk_button_set_icon_name (GTK_BUTTON (button), icon);
  gtk_widget_add_css_class (button, "flat");
  /* Space plays and pauses whatever was clicked last. */
  es_keep_focus (button);
  gtk_widget_set_valign (button, GTK_ALIGN_CENTER);
  gtk_widget_set_tooltip_text (button, tooltip);
  gtk_accessible_update_property (GTK_ACCESSIBLE (button), GTK_ACCESSIBLE_PROPERTY_LABEL, name, -1);
  return button;
}

static GtkLabel *
make_label (const char *text, int width)
{
  GtkWidget *label = gtk_label_new (text);

  gtk_widget_add_css_class (label, "numeric");
  gtk_label_set_width_chars (GTK_LABEL (label), width);
  gtk_label_set_xalign (GTK_LABEL (label), 1);
  return GTK_LABEL (label);
}

static GtkDropDown *
make_speed (void)
{
  /* TRANSLATORS: how many times as fast as the signal it is played */
  const char * const names[] = { _("1×"), _("2×"), _("4×"), _("Fastest"), NULL };
  GtkWidget *choice = gtk_drop_down_new_from_strings (names);

  es_keep_focus (choice);
  gtk_widget_set_valign (choice, GTK_ALIGN_CENTER);
  gtk_widget_set_tooltip_text (choice, _("Speed"));
  gtk_accessible_update_property (GTK_ACCESSIBLE (choice), GTK_ACCESSIBLE_PROPERTY_LABEL, _("Speed"), -1);
  return GTK_DROP_DOWN (choice);
}

static void
add_signals (EsTransportBar *self)
{
  static const struct { const char *signal; void (*update) (EsTransportBar *); } updates[] = {
    { "notify::playing", update_play },
    { "notify::position", update_position },
    { "notify::real-time-factor", update_factor },
    { "notify::lagging", update_factor },
    { "notify::preparing", update_factor },
    { "notify::progress", update_factor },
    { "notify::speed", update_speed },
    { "notify::loop", update_loop },
    { "notify::duration", update_duration },
  };

  self->signals = g_signal_group_new (ES_TYPE_PLAYER);
  for (guint i = 0; i < G_N_ELEMENTS (updates); i++)
    g_signal_group_connect_swapped (self->signals, updates[i].signal, G_CALLBACK (updates[i].update), self);
}

static void
es_transport_bar_init (EsTransportBar *self)
{
  GtkWidget *buttons = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 0);
  GtkLabel *slash = make_label ("/", 1);

  self->possible = TRUE;
  self->box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 8);
  gtk_widget_set_parent (self->box, GTK_WIDGET (self));

  self->to_start = make_button (gtk_button_new (), "media-skip-backward-symbolic", _("To the start"),
                                _("To the start"));
  self->play = make_button (gtk_button_new (), "media-playback-start-symbolic", NULL, _("Play"));
  self->to_end = make_button (gtk_button_new (), "media-skip-forward-symbolic", _("To the end"), _("To the end"));
  gtk_box_append (GTK_BOX (buttons), self->to_start);
  gtk_box_append (GTK_BOX (buttons), self->play);
  gtk_box_append (GTK_BOX (buttons), self->to_end);
  gtk_box_append (GTK_BOX (self->box), buttons);
  g_signal_connect_swapped (self->to_start, "clicked", G_CALLBACK (on_to_start), self);
  g_signal_connect_swapped (self->play, "clicked", G_CALLBACK (on_play), self);
  g_signal_connect_swapped (self->to_end, "clicked", G_CALLBACK (on_to_end), self);

  self->speed = make_speed ();
  gtk_box_append (GTK_BOX (self->box), GTK_WIDGET (self->speed));
  g_signal_connect_swapped (self->speed, "notify::selected", G_CALLBACK (on_speed), self);

  self->loop = make_button (gtk_toggle_button_new (), "media-playlist-repeat-symbolic",
                            _("Begin again at the end"), _("Loop"));
  gtk_box_append (GTK_BOX (self->box), self->loop);
  g_signal_connect_swapped (self->loop, "toggled", G_CALLBACK (on_loop), self);
  self->listen = make_button (gtk_toggle_button_new (), "audio-volume-muted-symbolic",
                              _("Listen to the beam at the cursor"), _("Listen"));
  gtk_box_append (GTK_BOX (self->box), self->listen);
  g_signal_connect_swapped (self->listen, "toggled", G_CALLBACK (on_listen), self);
  self->replay = make_button (gtk_button_new (), "audio-speakers-symbolic", NULL, _("Listen here"));
  gtk_actionable_set_action_name (GTK_ACTIONABLE (self->replay), "win.replay-beam");
  es_transport_bar_set_replaying (self, FALSE);
  gtk_box_append (GTK_BOX (self->box), self->replay);

  self->live = make_button (gtk_button_new (), "media-record-symbolic",
                            _("Still being recorded: the record grows with it. To the end, and play what comes."),
                            _("Still being recorded: to the end"));
  gtk_widget_add_css_class (self->live, "error");
  gtk_widget_set_visible (self->live, FALSE);
  gtk_box_append (GTK_BOX (self->box), self->live);
  g_signal_connect_swapped (self->live, "clicked", G_CALLBACK (on_live), self);

  self->position = make_label ("", 10);
  self->duration = make_label ("", 10);
  gtk_label_set_xalign (self->duration, 0);
  gtk_widget_add_css_class (GTK_WIDGET (self->duration), "dim-label");
  gtk_widget_add_css_class (GTK_WIDGET (slash), "dim-label");
  gtk_box_append (GTK_BOX (self->box), GTK_WIDGET (self->position));
  gtk_box_append (GTK_BOX (self->box), GTK_WIDGET (slash));
  gtk_box_append (GTK_BOX (self->box), GTK_WIDGET (self->duration));

  self->adjustment = gtk_adjustment_new (0, 0, 1, 1, 1, 0);
  self->scale = gtk_scale_new (GTK_ORIENTATION_HORIZONTAL, self->adjustment);
  gtk_scale_set_draw_value (GTK_SCALE (self->scale), FALSE);
  gtk_widget_set_hexpand (self->scale, TRUE);
  gtk_widget_set_size_request (self->scale, 80, -1);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->scale), GTK_ACCESSIBLE_PROPERTY_LABEL, _("Position"), -1);
  es_ignore_wheel (self->scale);
  gtk_box_append (GTK_BOX (self->box), self->scale);
  g_signal_connect_object (self->adjustment, "value-changed", G_CALLBACK (on_scale), self, G_CONNECT_SWAPPED);

  self->factor = make_label ("", 17);
  gtk_box_append (GTK_BOX (self->box), GTK_WIDGET (self->factor));

  add_signals (self);
  update_all (self);
}

GtkWidget *
es_transport_bar_new (void)
{
  return g_object_new (ES_TYPE_TRANSPORT_BAR, NULL);
}

void
es_transport_bar_set_player (EsTransportBar *self, EsPlayer *player)
{
  g_return_if_fail (ES_IS_TRANSPORT_BAR (self) && (player == NULL || ES_IS_PLAYER (player)));

  if (self->player == player)
    return;
  g_clear_handle_id (&self->seek_source, g_source_remove);
  g_set_object (&self->player, player);
  g_signal_group_set_target (self->signals, player);
  update_all (self);
}

void
es_transport_bar_set_sound (EsTransportBar *self, gboolean possible, const char *why)
{
  g_return_if_fail (ES_IS_TRANSPORT_BAR (self));

  self->possible = possible;
  if (!possible)
    gtk_toggle_button_set_active (GTK_TOGGLE_BUTTON (self->listen), FALSE);
  gtk_widget_set_sensitive (self->listen, possible);
  gtk_widget_set_tooltip_text (self->listen, possible || why == NULL ? _("Listen to the beam at the cursor") : why);
}

void
es_transport_bar_set_replaying (EsTransportBar *self, gboolean replaying)
{
  g_return_if_fail (ES_IS_TRANSPORT_BAR (self));

  gtk_button_set_icon_name (GTK_BUTTON (self->replay), replaying ? "media-playback-stop-symbolic"
                                                                 : "audio-speakers-symbolic");
  gtk_widget_set_tooltip_text (self->replay,
                               replaying ? _("Stop (Shift+Space)")
                               : _("Listen to the beam at the cursor over the selected stretch, or from the moment "
                                   "there on, without playing the record (Shift+Space)"));
}
