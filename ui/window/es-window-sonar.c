/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* The sonar workspace: what the window shows while a recording, or a result of one, is selected. */

#include "es-window-private.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "beam/es-beam-settings.h"
#include "widgets/es-section.h"
#include "charts/es-table-view.h"

/* What is typed or dragged is played when it has rested so long. */
#define PARAMS_DELAY_MS 200
/* What needs no new snapshots is shown while it is dragged, so often. */
#define CHEAP_DELAY_MS 40

struct _EsWindowSonar
{
  GtkWidget      *page;              /* the displays, or what is to be done first */
  GtkStack       *stack;
  GtkWidget      *empty;
  EsSonarView    *view;
  GtkWidget      *side;              /* the view's inspector, and below it what a result lists */
  EsSection      *table_section;
  EsTableView    *table;
  EsTransportBar *transport;
  EsWindowSound  *sound;
  EsWindowAdaptive *adaptive;

  GHashTable     *players;           /* EsRecording -> EsPlayer: what was heard of each */
  EsRecording    *recording;         /* shown; nullable */
  EsPlayer       *player;            /* of it; NULL while it has no array */
  GSignalGroup   *player_signals;
  GSignalGroup   *recording_signals;
  GSignalGroup   *live_signals;      /* of the parameters that are played */
  EsParams       *applied;           /* a copy of what the player was last given; and the device, compared only */
  gconstpointer   applied_device;
  EsRecording    *play_next;         /* is played once it is shown; compared only */
  char           *beam;              /* what was put as the bearing of those that ask for one; NULL: nothing yet */
  guint           params_source;
  gboolean        params_cheap;      /* it waits for CHEAP_DELAY_MS */
  guint           focus_source;
  gboolean        shown;
};

/* ---- parameters ---- */

static EsAnalysePanel *
analyse_of (EsWindow *self)
{
  return es_sidebar_get_analyse (self->sidebar);
}

/* Those of the operation whose beams are played. */
static EsParams *
live_params (EsWindow *self)
{
  return es_analyse_panel_get_params_of (analyse_of (self), es_window_adaptive_get_live (self->sonar->adaptive));
}

/* What the array pane and the adaptive bar warn of depends on what is asked of the array. */
static void
update_checks (EsWindow *self, EsParams *params, EsArray *array)
{
  EsArrayPane *pane = es_sidebar_get_array (self->sidebar);
  g_autoptr (EsBeamSettings) settings = es_beam_settings_new (params, self->sonar->recording, array, NULL);
  g_autoptr (EsParams) loaded = es_params_copy (params);
  guint last;

  /* How many snapshots there are is told also where they are too few for the loading. */
  if (settings == NULL && es_param_specs_find (es_params_get_specs (loaded), "loading") != NULL)
    {
      es_params_reset_key (loaded, "loading");
      settings = es_beam_settings_new (loaded, self->sonar->recording, array, NULL);
    }
  es_window_adaptive_set_settings (self->sonar->adaptive, settings, es_array_get_n_alive (array));
  if (settings == NULL)
    return;
  last = settings->cbf_bins > 0 ? settings->cbf_first + settings->cbf_bins - 1 : settings->first_bin;
  es_array_pane_set_band (pane, es_beam_settings_get_frequency (settings, last), settings->ranges, settings->n_ranges,
                          settings->block / settings->rate);
}

/* A text that cannot be read is said at its row, and what plays goes on as it was. */
static gboolean
are_readable (EsParams *params)
{
  for (const EsParamSpec *spec = es_params_get_specs (params); spec->type != ES_PARAM_END; spec++)
    if (spec->type == ES_PARAM_TEXT && spec->check != NULL && *es_params_get_text (params, spec->key) != '\0'
        && !spec->check (es_params_get_text (params, spec->key), NULL))
      return FALSE;
  return TRUE;
}

static void
apply_params (EsWindow *self)
{
  EsWindowSonar *sonar = self->sonar;
  EsParams *params = live_params (self);
  g_autoptr (EsArray) array = sonar->recording != NULL ? es_recording_get_array (sonar->recording) : NULL;

  g_clear_handle_id (&sonar->params_source, g_source_remove);
  g_signal_group_set_target (sonar->live_signals, params);
  if (sonar->player == NULL || params == NULL || array == NULL || !are_readable (params))
    return;
  update_checks (self, params, array);
  g_clear_object (&sonar->applied);
  sonar->applied = es_params_copy (params);
  sonar->applied_device = es_analyse_panel_peek_device (analyse_of (self));
  es_player_set_params (sonar->player, params, es_analyse_panel_peek_device (analyse_of (self)));
}

static gboolean
apply_params_later (gpointer data)
{
  EsWindow *self = data;
  EsWindowSonar *sonar = self->sonar;
  EsParams *params = live_params (self);

  sonar->params_source = 0;
  /* The panel also tells of a device's memory, every second: nothing is formed again for that. */
  if (params == NULL || sonar->applied == NULL || !es_params_equal (params, sonar->applied)
      || sonar->applied_device != es_analyse_panel_peek_device (analyse_of (self)))
    apply_params (self);
  return G_SOURCE_REMOVE;
}

/* What was heard stays, and the newest block is shown anew at once: es_player_set_params (). */
static gboolean
differs_cheaply (EsParams *params, EsParams *applied)
{
  static const char * const cheap[] = { "method", "loading", "sources", "eigenvalues", NULL };

  if (applied == NULL || es_params_get_specs (params) != es_params_get_specs (applied))
    return FALSE;
  for (const EsParamSpec *spec = es_params_get_specs (params); spec->type != ES_PARAM_END; spec++)
    {
      g_autofree char *now = es_params_format (params, spec->key);
      g_autofree char *then = es_params_format (applied, spec->key);

      if (!g_str_equal (now, then) && !g_strv_contains (cheap, spec->key))
        return FALSE;
    }
  return TRUE;
}

static void
apply_soon (EsWindow *self)
{
  EsWindowSonar *sonar = self->sonar;
  EsParams *params = live_params (self);
  const gboolean cheap = params != NULL && differs_cheaply (params, sonar->applied);

  if (sonar->player == NULL || !sonar->shown || (cheap && sonar->params_cheap && sonar->params_source != 0))
    return;
  g_clear_handle_id (&sonar->params_source, g_source_remove);
  sonar->params_cheap = cheap;
  sonar->params_source = g_timeout_add (cheap ? CHEAP_DELAY_MS : PARAMS_DELAY_MS, apply_params_later, self);
}

static void
on_panel_changed (EsWindow *self)
{
  if (self->sonar == NULL || !self->sonar->shown)
    return;
  es_window_adaptive_follow_panel (self->sonar->adaptive);
  apply_soon (self);
}

static void
on_live_changed (EsWindow *self)
{
  if (self->sonar != NULL)
    apply_soon (self);
}

void
es_window_apply_live (EsWindow *self)
{
  if (self->sonar != NULL && self->sonar->shown)
    apply_params (self);
}

/* ---- the player ---- */

static void
on_failure (EsWindow *self)
{
  es_window_update_banner (self);
}

static void
update_sound (EsWindow *self)
{
  EsWindowSonar *sonar = self->sonar;
  gboolean live = sonar->shown && self->result == NULL;

  es_window_sound_set (sonar->sound, live ? sonar->player : NULL, es_sonar_view_get_bearing (sonar->view));
}

/* The beam of LOFAR and DEMON is that under the cursor, until somebody types another, or empties the row. */
static void
follow_bearing (EsWindow *self)
{
  static const char *const operations[] = { "lofar", "demon" };
  EsWindowSonar *sonar = self->sonar;
  const double bearing = es_sonar_view_get_bearing (sonar->view);
  g_autofree char *text = NULL;
  char digits[G_ASCII_DTOSTR_BUF_SIZE];

  if (!sonar->shown || sonar->player == NULL || isnan (bearing))
    return;
  text = g_strdup (g_ascii_formatd (digits, sizeof digits, "%.6g", bearing));
  for (guint i = 0; i < G_N_ELEMENTS (operations); i++)
    {
      EsParams *params = es_analyse_panel_get_params_of (analyse_of (self), operations[i]);

      if (params != NULL && (sonar->beam == NULL
                             || g_strcmp0 (es_params_get_text (params, "bearing"), sonar->beam) == 0))
        es_params_set_text (params, "bearing", text);
    }
  g_free (sonar->beam);
  sonar->beam = g_steal_pointer (&text);
}

/* Another recording: the beam of the last one says nothing there. */
static void
forget_bearing (EsWindow *self)
{
  static const char *const operations[] = { "lofar", "demon" };

  g_clear_pointer (&self->sonar->beam, g_free);
  for (guint i = 0; i < G_N_ELEMENTS (operations); i++)
    {
      EsParams *params = es_analyse_panel_get_params_of (analyse_of (self), operations[i]);

      if (params != NULL)
        es_params_reset_key (params, "bearing");
    }
}

static void
on_bearing (EsWindow *self)
{
  follow_bearing (self);
  update_sound (self);
}

/* What is played is what is shown: from a result it goes back to the recording. */
static void
on_playing (EsWindow *self)
{
  EsWindowSonar *sonar = self->sonar;

  if (sonar->shown && self->result != NULL && es_player_is_playing (sonar->player))
    {
      g_autoptr (GObject) recording = G_OBJECT (g_object_ref (sonar->recording));

      if (!es_data_tree_select (es_sidebar_get_tree (self->sidebar), recording))
        es_window_show_item (self, ES_DATASET (recording), NULL, NULL, NULL);
    }
}

static void
on_position (EsWindow *self)
{
  EsWindowSonar *sonar = self->sonar;
  guint n = 0;
  const EsElementHealth *health = es_player_get_health (sonar->player, &n);

  es_array_pane_set_health (es_sidebar_get_array (self->sidebar), health, health != NULL ? n : 0);
}

static void
on_seek (EsWindow *self, double seconds)
{
  if (self->sonar->player != NULL)
    es_player_seek (self->sonar->player, seconds);
}

/* One a recording, made when it is first shown and has an array. */
static EsPlayer *
ensure_player (EsWindow *self, EsRecording *recording)
{
  EsPlayer *player = g_hash_table_lookup (self->sonar->players, recording);
  g_autoptr (EsArray) array = es_recording_get_array (recording);

  if (array == NULL)
    return NULL;
  if (player == NULL)
    {
      player = es_player_new (recording);
      g_hash_table_insert (self->sonar->players, g_object_ref (recording), player);
    }
  return player;
}

static void
set_player (EsWindow *self, EsPlayer *player)
{
  EsWindowSonar *sonar = self->sonar;
  gboolean fresh = player != NULL && es_beam_history_get_n_rows (es_player_get_history (player)) == 0;

  if (sonar->player == player)
    return;
  if (sonar->player != NULL)
    es_player_pause (sonar->player);
  sonar->player = player;
  g_signal_group_set_target (sonar->player_signals, player);
  es_transport_bar_set_player (sonar->transport, player);
  es_sonar_view_set_player (sonar->view, player);
  es_window_adaptive_set_player (sonar->adaptive, player);
  if (player == NULL)
    return;
  apply_params (self);
  if (sonar->play_next == es_player_get_recording (player))
    es_player_play (player);
  else if (fresh)
    /* Something to look at before anybody has pressed a button. */
    es_player_seek (player, 0);
}

/* ---- what is shown ---- */

static gboolean
take_focus (gpointer data)
{
  EsWindow *self = data;
  GtkWidget *focus = gtk_window_get_focus (GTK_WINDOW (self));

  self->sonar->focus_source = 0;
  /* Whoever goes through the rows with the keys, or types, is left where they are. */
  if (self->sonar->player != NULL && (focus == NULL || GTK_IS_BUTTON (focus)
                                      || !gtk_widget_get_mapped (focus)))
    gtk_widget_grab_focus (GTK_WIDGET (self->sonar->view));
  return G_SOURCE_REMOVE;
}

/* Once all is shown, and the dialog that opened the recording has gone: Space then plays, and opens nothing anew. */
static void
take_focus_later (EsWindow *self)
{
  if (self->sonar->focus_source == 0)
    self->sonar->focus_source = g_idle_add_full (G_PRIORITY_LOW, take_focus, self, NULL);
}

static void
update_pages (EsWindow *self)
{
  EsWindowSonar *sonar = self->sonar;
  /* A result brings its own bearings along. */
  gboolean displays = sonar->player != NULL || self->result != NULL;

  gtk_stack_set_visible_child (sonar->stack, displays ? GTK_WIDGET (sonar->view) : sonar->empty);
  gtk_widget_set_visible (GTK_WIDGET (sonar->transport), sonar->shown && sonar->player != NULL);
  /* There is nothing yet that could stand there. */
  if (sonar->shown && !displays)
    gtk_paned_set_end_child (self->right_columns, NULL);
  else if (gtk_paned_get_end_child (self->right_columns) == NULL)
    gtk_paned_set_end_child (self->right_columns, GTK_WIDGET (self->right));
}

static void
on_array (EsWindow *self)
{
  EsWindowSonar *sonar = self->sonar;
  EsPlayer *player = ensure_player (self, sonar->recording);

  /* The same player goes on with the other array. */
  if (player != NULL && player == sonar->player)
    apply_params (self);
  set_player (self, player);
  update_pages (self);
  take_focus_later (self);
  update_sound (self);
  es_window_update_banner (self);
  es_window_update_actions (self);
}

static GtkWidget *
make_empty (void)
{
  GtkWidget *page = adw_status_page_new ();
  GtkWidget *buttons = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 12);
  GtkWidget *describe = gtk_button_new_with_mnemonic (_("_Describe the Array…"));
  GtkWidget *open = gtk_button_new_with_mnemonic (_("Open _Positions…"));

  adw_status_page_set_icon_name (ADW_STATUS_PAGE (page), "es-recording-symbolic");
  adw_status_page_set_title (ADW_STATUS_PAGE (page), _("Where Are the Hydrophones?"));
  adw_status_page_set_description (ADW_STATUS_PAGE (page),
                                   _("Beams need the places of the hydrophones, and this recording does not tell them. "
                                     "Describe a line by its spacing, or drop a file of positions here."));
  gtk_actionable_set_action_name (GTK_ACTIONABLE (describe), "win.describe-array");
  gtk_actionable_set_action_name (GTK_ACTIONABLE (open), "win.open-positions");
  gtk_widget_add_css_class (describe, "pill");
  gtk_widget_add_css_class (describe, "suggested-action");
  gtk_widget_add_css_class (open, "pill");
  gtk_widget_set_halign (buttons, GTK_ALIGN_CENTER);
  gtk_box_append (GTK_BOX (buttons), describe);
  gtk_box_append (GTK_BOX (buttons), open);
  adw_status_page_set_child (ADW_STATUS_PAGE (page), buttons);
  return page;
}

static void
make_side (EsWindowSonar *sonar)
{
  GtkWidget *inspector = es_sonar_view_get_inspector (sonar->view);

  sonar->side = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  gtk_widget_set_vexpand (inspector, TRUE);
  gtk_box_append (GTK_BOX (sonar->side), inspector);
  sonar->table = ES_TABLE_VIEW (es_table_view_new (180));
  es_table_view_set_compact (sonar->table, TRUE);
  sonar->table_section = ES_SECTION (es_section_new ("sonar-table", _("List"), GTK_WIDGET (sonar->table)));
  gtk_widget_add_css_class (GTK_WIDGET (sonar->table_section), "es-list-section");
  gtk_widget_set_visible (GTK_WIDGET (sonar->table_section), FALSE);
  gtk_box_append (GTK_BOX (sonar->side), GTK_WIDGET (sonar->table_section));
}

/* What a result lists: the table that was chosen, else its peaks, else its first. */
static void
show_table (EsWindowSonar *sonar, EsResult *result, EsLayer *chosen)
{
  GListModel *layers = result != NULL ? es_result_get_layers (result) : NULL;
  EsLayer *table = result != NULL ? es_result_find_layer (result, "peaks") : NULL;

  if (chosen != NULL && ES_IS_TABLE (chosen))
    table = chosen;

  for (guint i = 0; layers != NULL && table == NULL && i < g_list_model_get_n_items (layers); i++)
    {
      g_autoptr (EsLayer) layer = g_list_model_get_item (layers, i);

      /* The result keeps it. */
      if (ES_IS_TABLE (layer) && es_table_get_n_rows (ES_TABLE (layer)) > 0)
        table = layer;
    }
  if (table != NULL && (!ES_IS_TABLE (table) || es_table_get_n_rows (ES_TABLE (table)) == 0))
    table = NULL;
  es_table_view_set_table (sonar->table, table != NULL ? ES_TABLE (table) : NULL);
  es_section_set_detail (sonar->table_section, table != NULL ? es_layer_get_title (table) : NULL);
  gtk_widget_set_visible (GTK_WIDGET (sonar->table_section), table != NULL);
}

static void
unref_player (gpointer player)
{
  es_player_pause (player);
  g_object_unref (player);
}

static EsWindowSonar *
ensure_sonar (EsWindow *self)
{
  EsWindowSonar *sonar;

  if (self->sonar != NULL)
    return self->sonar;
  self->sonar = sonar = g_new0 (EsWindowSonar, 1);
  sonar->players = g_hash_table_new_full (NULL, NULL, g_object_unref, unref_player);
  sonar->view = ES_SONAR_VIEW (es_sonar_view_new ());
  sonar->empty = make_empty ();
  sonar->stack = GTK_STACK (g_object_new (GTK_TYPE_STACK, "hhomogeneous", FALSE, "vhomogeneous", FALSE, NULL));
  sonar->page = GTK_WIDGET (sonar->stack);
  gtk_stack_add_child (sonar->stack, GTK_WIDGET (sonar->view));
  gtk_stack_add_child (sonar->stack, sonar->empty);
  gtk_stack_add_child (self->middle, sonar->page);
  make_side (sonar);
  gtk_stack_add_child (self->right, sonar->side);
  sonar->transport = ES_TRANSPORT_BAR (es_transport_bar_new ());
  gtk_widget_set_hexpand (GTK_WIDGET (sonar->transport), TRUE);
  gtk_box_append (self->transport_place, GTK_WIDGET (sonar->transport));
  sonar->sound = es_window_sound_new (self, sonar->transport);
  sonar->adaptive = es_window_adaptive_new (self, sonar->view);

  sonar->player_signals = g_signal_group_new (ES_TYPE_PLAYER);
  g_signal_group_connect_swapped (sonar->player_signals, "notify::failure", G_CALLBACK (on_failure), self);
  g_signal_group_connect_swapped (sonar->player_signals, "notify::playing", G_CALLBACK (on_playing), self);
  g_signal_group_connect_swapped (sonar->player_signals, "notify::position", G_CALLBACK (on_position), self);
  sonar->recording_signals = g_signal_group_new (ES_TYPE_RECORDING);
  g_signal_group_connect_swapped (sonar->recording_signals, "notify::array", G_CALLBACK (on_array), self);
  sonar->live_signals = g_signal_group_new (ES_TYPE_PARAMS);
  g_signal_group_connect_swapped (sonar->live_signals, "changed", G_CALLBACK (on_live_changed), self);
  g_signal_connect_object (sonar->view, "notify::bearing", G_CALLBACK (on_bearing), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (sonar->view, "seek", G_CALLBACK (on_seek), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (analyse_of (self), "changed", G_CALLBACK (on_panel_changed), self, G_CONNECT_SWAPPED);
  return sonar;
}

static void
hide_sonar (EsWindow *self)
{
  EsWindowSonar *sonar = self->sonar;

  gtk_stack_set_visible_child (self->middle, GTK_WIDGET (self->viewer));
  gtk_stack_set_visible_child (self->right, self->inspector);
  adw_split_button_set_menu_model (self->save_button, self->save_menu);
  es_sidebar_set_sonar (self->sidebar, FALSE);
  if (sonar == NULL || !sonar->shown)
    return;
  sonar->shown = FALSE;
  es_window_bind_status (self, self->viewer);
  es_array_pane_set_recording (es_sidebar_get_array (self->sidebar), NULL);
  g_signal_group_set_target (sonar->recording_signals, NULL);
  es_sonar_view_show_result (sonar->view, NULL);
  set_player (self, NULL);
  g_signal_group_set_target (sonar->live_signals, NULL);
  g_clear_object (&sonar->recording);
  update_sound (self);
  update_pages (self);
}

static gboolean
is_map (EsLayer *layer)
{
  return layer != NULL && (es_layer_get_kind (layer) == ES_LAYER_FIELD
                           || es_layer_get_kind (layer) == ES_LAYER_WATERFALL);
}

/* What a result without a bearing-time record has to show, where no row of it was chosen: its first map. */
static EsLayer *
first_map (EsResult *result)
{
  GListModel *layers = es_result_get_layers (result);

  if (es_result_find_layer (result, "btr") != NULL)
    return NULL;
  for (guint i = 0; i < g_list_model_get_n_items (layers); i++)
    {
      g_autoptr (EsLayer) layer = g_list_model_get_item (layers, i);

      /* The result keeps it. */
      if (is_map (layer))
        return layer;
    }
  return NULL;
}

gboolean
es_window_show_recording (EsWindow *self, EsDataset *dataset, EsResult *result, EsLayer *layer)
{
  /* Tables are listed beside the displays. */
  EsLayer *map = result == NULL || (layer != NULL && !ES_IS_TABLE (layer)) ? layer : first_map (result);
  EsWindowSonar *sonar;
  EsRecording *recording;

  if (dataset == NULL || !ES_IS_RECORDING (dataset))
    {
      hide_sonar (self);
      return FALSE;
    }
  recording = ES_RECORDING (dataset);
  sonar = ensure_sonar (self);
  sonar->shown = TRUE;
  if (g_set_object (&sonar->recording, recording))
    {
      es_array_pane_set_recording (es_sidebar_get_array (self->sidebar), recording);
      g_signal_group_set_target (sonar->recording_signals, recording);
      forget_bearing (self);
      set_player (self, ensure_player (self, recording));
      follow_bearing (self);
      take_focus_later (self);
    }
  if (result != NULL && sonar->player != NULL)
    es_player_pause (sonar->player);
  es_sonar_view_show_result (sonar->view, result);
  es_sonar_view_show_layer (sonar->view, map);
  show_table (sonar, result, layer);
  es_window_adaptive_set_player (sonar->adaptive, sonar->player);
  es_sidebar_set_sonar (self->sidebar, TRUE);
  es_window_bind_status (self, sonar->view);
  gtk_stack_set_visible_child (self->middle, sonar->page);
  gtk_stack_set_visible_child (self->right, sonar->side);
  adw_split_button_set_menu_model (self->save_button, self->sonar_save_menu);
  update_pages (self);
  update_sound (self);
  sonar->play_next = NULL;
  return TRUE;
}

void
es_window_prepare_recording (EsWindow *self, EsRecording *recording, EsOpenRequest *request)
{
  EsWindowSonar *sonar = ensure_sonar (self);
  g_autofree char *text = g_steal_pointer (&request->array);
  g_autoptr (GError) error = NULL;
  g_autoptr (EsArray) array = text != NULL ? es_array_parse (text, &error) : NULL;

  if (array != NULL)
    es_recording_set_array (recording, array);
  else if (text != NULL)
    es_window_say (self, error->message);
  if (request->play && sonar->shown && sonar->recording == recording && sonar->player != NULL)
    es_player_play (sonar->player);
  else if (request->play)
    sonar->play_next = recording;
  request->play = FALSE;
}

void
es_window_forget_recording (EsWindow *self, EsDataset *dataset)
{
  if (self->sonar == NULL)
    return;
  if (self->sonar->player != NULL && g_hash_table_lookup (self->sonar->players, dataset) == self->sonar->player)
    set_player (self, NULL);
  g_hash_table_remove (self->sonar->players, dataset);
}

void
es_window_leave_sonar (EsWindow *self)
{
  EsWindowSonar *sonar = g_steal_pointer (&self->sonar);

  if (sonar == NULL)
    return;
  g_clear_handle_id (&sonar->params_source, g_source_remove);
  g_clear_handle_id (&sonar->focus_source, g_source_remove);
  g_signal_handlers_disconnect_by_data (sonar->view, self);
  if (self->sidebar != NULL)
    g_signal_handlers_disconnect_by_func (analyse_of (self), on_panel_changed, self);
  g_clear_object (&sonar->player_signals);
  g_clear_object (&sonar->recording_signals);
  g_clear_object (&sonar->live_signals);
  es_window_adaptive_free (sonar->adaptive);
  es_window_sound_free (sonar->sound);
  es_transport_bar_set_player (sonar->transport, NULL);
  es_sonar_view_set_player (sonar->view, NULL);
  g_hash_table_unref (sonar->players);
  g_clear_object (&sonar->applied);
  g_free (sonar->beam);
  g_clear_object (&sonar->recording);
  g_free (sonar);
}

/* ---- for the rest of the window ---- */

EsRecording *
es_window_get_recording (EsWindow *self)
{
  return self->sonar != NULL && self->sonar->shown ? self->sonar->recording : NULL;
}

gboolean
es_window_can_play (EsWindow *self)
{
  return self->sonar != NULL && self->sonar->shown && self->sonar->player != NULL;
}

void
es_window_toggle_play (EsWindow *self)
{
  if (!es_window_can_play (self))
    return;
  if (es_player_is_playing (self->sonar->player))
    es_player_pause (self->sonar->player);
  else
    es_player_play (self->sonar->player);
}

const char *
es_window_get_sonar_failure (EsWindow *self)
{
  return es_window_can_play (self) && self->result == NULL ? es_player_get_failure (self->sonar->player) : NULL;
}

void
es_window_activate_sonar (EsWindow *self, const char *name)
{
  if (self->sonar != NULL && !gtk_widget_activate_action (GTK_WIDGET (self->sonar->view), name, NULL))
    es_window_say (self, _("There is nothing to be saved yet."));
}

EsWindowAdaptive *
es_window_get_adaptive (EsWindow *self)
{
  return self->sonar != NULL ? self->sonar->adaptive : NULL;
}

EsSonarView *
es_window_get_sonar_view (EsWindow *self)
{
  g_return_val_if_fail (ES_IS_WINDOW (self), NULL);
  return self->sonar != NULL ? self->sonar->view : NULL;
}

EsPlayer *
es_window_get_player (EsWindow *self)
{
  g_return_val_if_fail (ES_IS_WINDOW (self), NULL);
  return es_window_can_play (self) ? self->sonar->player : NULL;
}
