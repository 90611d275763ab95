/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-simulate-dialog.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "base/es-error.h"
#include "widgets/es-dialog.h"
#include "widgets/es-latest.h"
#include "params/es-param-row.h"
#include "es-simulate-task.h"
#include "es-source-row.h"
#include "widgets/es-ui.h"

#define MAX_SOURCES 64
#define READ_DELAY_MS 150

struct _EsSimulateDialog
{
  AdwWindow   parent_instance;

  GtkWidget  *scene;             /* a drop-down; nothing is selected where the scene is the person's own */
  GtkWidget  *rows[2];           /* two columns of the table's own rows */
  GtkListBox *sources;
  GtkWidget  *add;
  GtkLabel   *verdict;
  GtkWidget  *simulate;

  EsParams   *params;
  gboolean    filling;           /* with a scene */

  /* What the text of the array says: it may name a large file, or one that is far away. */
  char         *array_text;      /* that was parsed, or is being read */
  EsArray      *array;           /* NULL: it is none, or is being read */
  GError       *array_error;
  EsLatest     *reading;         /* files; the one asked for last */
  guint         read_source;     /* what is typed is read when it has rested */
};

enum { SIMULATE, N_SIGNALS };
static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (EsSimulateDialog, es_simulate_dialog, ADW_TYPE_WINDOW)

/* ---- the scene ---- */

static EsSourceRow *
source_at (EsSimulateDialog *self, guint i)
{
  GtkListBoxRow *row = gtk_list_box_get_row_at_index (self->sources, (int) i);

  return row != NULL ? ES_SOURCE_ROW (gtk_list_box_row_get_child (row)) : NULL;
}

static void
store_sources (EsSimulateDialog *self)
{
  g_autoptr (GArray) sources = g_array_new (FALSE, TRUE, sizeof (EsSource));
  g_autofree char *text = NULL;

  for (guint i = 0; source_at (self, i) != NULL; i++)
    {
      EsSource source = es_source_row_get_source (source_at (self, i));

      g_array_append_val (sources, source);
    }
  text = es_sources_to_text (sources);
  es_params_set_text (self->params, "sources", text);
}

/* ---- the array ---- */

static void judge (EsSimulateDialog *self);

static void
forget_array (EsSimulateDialog *self)
{
  g_clear_handle_id (&self->read_source, g_source_remove);
  es_latest_cancel (self->reading);
  g_clear_pointer (&self->array_text, g_free);
  g_clear_pointer (&self->array, es_array_unref);
  g_clear_error (&self->array_error);
}

static gpointer
read_array (gpointer file, GCancellable *cancellable, GError **error)
{
  return es_array_load (file, cancellable, error);
}

static void
on_array_read (gpointer file, gpointer array, const GError *error, gpointer data)
{
  EsSimulateDialog *self = data;

  self->array = array != NULL ? es_array_ref (array) : NULL;
  self->array_error = error != NULL ? g_error_copy (error) : NULL;
  judge (self);
}

static gboolean
read_later (gpointer data)
{
  EsSimulateDialog *self = data;

  self->read_source = 0;
  es_latest_submit (self->reading, es_array_find_file (self->array_text));
  return G_SOURCE_REMOVE;
}

/* Lines are known at once, files when they have been read. */
static void
follow_array (EsSimulateDialog *self)
{
  const char *text = es_params_get_text (self->params, "array");
  g_autoptr (GFile) file = NULL;

  if (g_strcmp0 (text, self->array_text) == 0)
    return;
  forget_array (self);
  self->array_text = g_strdup (text);
  file = es_array_find_file (text);
  if (file == NULL)
    self->array = es_array_parse (text, &self->array_error);
  else
    self->read_source = g_timeout_add (READ_DELAY_MS, read_later, self);
}

/* ---- judgement ---- */

/* FALSE with no error: it is not known yet. */
static gboolean
check (EsSimulateDialog *self, GError **error)
{
  g_autoptr (GArray) sources = NULL;

  for (const EsParamSpec *spec = es_params_get_specs (self->params); spec->type != ES_PARAM_END; spec++)
    /* What is in the row of the array has been parsed. */
    if (spec->type == ES_PARAM_TEXT && spec->check != NULL && !g_str_equal (spec->key, "array")
        && *es_params_get_text (self->params, spec->key) != '\0'
        && !spec->check (es_params_get_text (self->params, spec->key), error))
      return FALSE;
  if (!es_sources_parse (es_params_get_text (self->params, "sources"), &sources, error))
    return FALSE;
  if (self->array_error != NULL)
    g_propagate_error (error, g_error_copy (self->array_error));
  return self->array != NULL;
}

static void
show_scene (EsSimulateDialog *self)
{
  guint n, found = GTK_INVALID_LIST_POSITION;
  const EsSimulateScene *scenes = es_simulate_get_scenes (&n);

  for (guint i = 0; i < n; i++)
    {
      g_autoptr (EsParams) params = es_simulate_scene (scenes[i].id);

      if (es_params_equal (params, self->params))
        found = i;
    }
  if (gtk_drop_down_get_selected (GTK_DROP_DOWN (self->scene)) != found)
    gtk_drop_down_set_selected (GTK_DROP_DOWN (self->scene), found);
}

static void
judge (EsSimulateDialog *self)
{
  g_autoptr (GError) error = NULL;
  gboolean good;

  if (self->filling)
    return;
  follow_array (self);
  good = check (self, &error);
  show_scene (self);
  gtk_widget_set_sensitive (self->simulate, good);
  gtk_widget_set_sensitive (self->add, es_simulate_dialog_get_n_sources (self) < MAX_SOURCES);
  if (good)
    {
      const guint n = es_array_get_n_elements (self->array);
      const double seconds = es_params_get_float (self->params, "seconds");
      const double bytes = n * seconds * es_params_get_float (self->params, "rate")
                           * (g_strcmp0 (es_params_get_choice_id (self->params, "type"), "float32") == 0 ? 4 : 2);
      g_autofree char *size = es_ui_format_bytes ((guint64) bytes);
      g_autofree char *text = g_strdup_printf (ngettext ("%u channel, %.0f s, %s", "%u channels, %.0f s, %s", n),
                                               n, seconds, size);

      es_dialog_say (self->verdict, text, "dim-label");
    }
  else if (error != NULL)
    es_dialog_say (self->verdict, error->message, "error");
  else
    {
      g_autoptr (GFile) file = es_array_find_file (self->array_text);
      g_autofree char *name = es_error_file_name (file);
      g_autofree char *text = g_strdup_printf (_("Reading %s"), name);

      es_dialog_say (self->verdict, text, "dim-label");
    }
}

static void
on_source_changed (EsSimulateDialog *self)
{
  store_sources (self);
  judge (self);
}

static void
on_source_remove (EsSimulateDialog *self, EsSourceRow *row)
{
  gtk_list_box_remove (self->sources, gtk_widget_get_parent (GTK_WIDGET (row)));
  on_source_changed (self);
}

static void
append_source (EsSimulateDialog *self, const EsSource *source)
{
  GtkWidget *row = es_source_row_new (source);
  GtkWidget *list_row = gtk_list_box_row_new ();

  gtk_list_box_row_set_activatable (GTK_LIST_BOX_ROW (list_row), FALSE);
  gtk_list_box_row_set_child (GTK_LIST_BOX_ROW (list_row), row);
  gtk_widget_add_css_class (list_row, "es-source-row");
  gtk_list_box_append (self->sources, list_row);
  g_signal_connect_object (row, "changed", G_CALLBACK (on_source_changed), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (row, "remove", G_CALLBACK (on_source_remove), self, G_CONNECT_SWAPPED);
}

static void
on_add (EsSimulateDialog *self)
{
  const EsSource source = {
    .kind = ES_SOURCE_NOISE, .bearing = 60, .range = INFINITY, .level = -6, .low = 300, .high = 480, .harmonics = 1,
  };

  es_simulate_dialog_add_source (self, &source);
}

void
es_simulate_dialog_add_source (EsSimulateDialog *self, const EsSource *source)
{
  g_return_if_fail (ES_IS_SIMULATE_DIALOG (self) && source != NULL);

  append_source (self, source);
  on_source_changed (self);
}

void
es_simulate_dialog_remove_source (EsSimulateDialog *self, guint i)
{
  g_return_if_fail (ES_IS_SIMULATE_DIALOG (self));

  if (source_at (self, i) != NULL)
    on_source_remove (self, source_at (self, i));
}

guint
es_simulate_dialog_get_n_sources (EsSimulateDialog *self)
{
  guint n = 0;

  g_return_val_if_fail (ES_IS_SIMULATE_DIALOG (self), 0);

  while (source_at (self, n) != NULL)
    n++;
  return n;
}

static void
append_sources (EsSimulateDialog *self)
{
  g_autoptr (GArray) sources = NULL;

  if (es_sources_parse (es_params_get_text (self->params, "sources"), &sources, NULL))
    for (guint i = 0; i < sources->len; i++)
      append_source (self, &g_array_index (sources, EsSource, i));
}

gboolean
es_simulate_dialog_choose_scene (EsSimulateDialog *self, const char *id)
{
  g_autoptr (EsParams) params = NULL;
  GtkListBoxRow *row;

  g_return_val_if_fail (ES_IS_SIMULATE_DIALOG (self) && id != NULL, FALSE);

  params = es_simulate_scene (id);
  if (params == NULL)
    return FALSE;
  self->filling = TRUE;
  for (const EsParamSpec *spec = es_params_get_specs (params); spec->type != ES_PARAM_END; spec++)
    if (es_param_type_is_text (spec->type))
      es_params_set_text (self->params, spec->key, es_params_get_text (params, spec->key));
    else
      es_params_set_value (self->params, spec->key, es_params_get_value (params, spec->key));
  while ((row = gtk_list_box_get_row_at_index (self->sources, 0)) != NULL)
    gtk_list_box_remove (self->sources, GTK_WIDGET (row));
  append_sources (self);
  self->filling = FALSE;
  judge (self);
  return TRUE;
}

static void
on_scene (EsSimulateDialog *self)
{
  const guint selected = gtk_drop_down_get_selected (GTK_DROP_DOWN (self->scene));
  guint n;
  const EsSimulateScene *scenes = es_simulate_get_scenes (&n);
  g_autoptr (EsParams) params = selected < n ? es_simulate_scene (scenes[selected].id) : NULL;

  if (params != NULL && self->params != NULL && !self->filling && !es_params_equal (params, self->params))
    es_simulate_dialog_choose_scene (self, scenes[selected].id);
}

/* ---- the dialog ---- */

void
es_simulate_dialog_simulate (EsSimulateDialog *self)
{
  g_return_if_fail (ES_IS_SIMULATE_DIALOG (self));

  g_signal_emit (self, signals[SIMULATE], 0, self->params);
  gtk_window_close (GTK_WINDOW (self));
}

static void
es_simulate_dialog_dispose (GObject *object)
{
  EsSimulateDialog *self = ES_SIMULATE_DIALOG (object);

  if (self->params != NULL)
    g_signal_handlers_disconnect_by_data (self->params, self);
  /* A dialog that is closed is not kept: its end ends the reading. */
  if (self->reading != NULL)
    forget_array (self);
  g_clear_object (&self->reading);
  g_clear_object (&self->params);
  G_OBJECT_CLASS (es_simulate_dialog_parent_class)->dispose (object);
}

static void
es_simulate_dialog_class_init (EsSimulateDialogClass *class)
{
  G_OBJECT_CLASS (class)->dispose = es_simulate_dialog_dispose;
  signals[SIMULATE] = g_signal_new ("simulate", G_TYPE_FROM_CLASS (class), G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                    G_TYPE_NONE, 1, ES_TYPE_PARAMS);
  gtk_widget_class_add_binding_action (GTK_WIDGET_CLASS (class), GDK_KEY_Escape, 0, "window.close", NULL);
}

static GtkWidget *
make_caption (const char *text)
{
  GtkWidget *label = gtk_label_new (text);

  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_widget_add_css_class (label, "heading");
  return label;
}

static GtkWidget *
make_scenes (EsSimulateDialog *self)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 8), *label = gtk_label_new_with_mnemonic (_("Sc_ene"));
  g_autoptr (GtkStringList) titles = gtk_string_list_new (NULL);
  guint n;
  const EsSimulateScene *scenes = es_simulate_get_scenes (&n);

  for (guint i = 0; i < n; i++)
    gtk_string_list_append (titles, scenes[i].title);
  self->scene = gtk_drop_down_new (G_LIST_MODEL (g_steal_pointer (&titles)), NULL);
  gtk_widget_add_css_class (label, "heading");
  gtk_label_set_mnemonic_widget (GTK_LABEL (label), self->scene);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->scene), GTK_ACCESSIBLE_PROPERTY_LABEL, _("Scene"), -1);
  g_signal_connect_object (self->scene, "notify::selected", G_CALLBACK (on_scene), self, G_CONNECT_SWAPPED);
  gtk_box_append (GTK_BOX (box), label);
  gtk_box_append (GTK_BOX (box), self->scene);
  return box;
}

static void
es_simulate_dialog_init (EsSimulateDialog *self)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  GtkWidget *content = gtk_box_new (GTK_ORIENTATION_VERTICAL, 8);
  GtkWidget *columns = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 24);
  GtkWidget *title = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 8);
  GtkWidget *caption = make_caption (_("Sources"));
  GtkWidget *scroller = gtk_scrolled_window_new ();

  self->reading = es_latest_new (read_array, g_object_unref, (GDestroyNotify) es_array_unref, on_array_read, self);
  gtk_window_set_title (GTK_WINDOW (self), _("Simulate a Recording"));
  gtk_window_set_default_size (GTK_WINDOW (self), 680, 640);
  gtk_box_append (GTK_BOX (box), es_dialog_header_new (_("_Simulate"), &self->simulate));
  g_signal_connect_swapped (self->simulate, "clicked", G_CALLBACK (es_simulate_dialog_simulate), self);
  gtk_widget_set_margin_top (content, 12);
  gtk_widget_set_margin_bottom (content, 12);
  gtk_widget_set_margin_start (content, 12);
  gtk_widget_set_margin_end (content, 12);

  gtk_box_append (GTK_BOX (content), make_scenes (self));
  gtk_box_set_homogeneous (GTK_BOX (columns), TRUE);
  for (guint i = 0; i < G_N_ELEMENTS (self->rows); i++)
    {
      self->rows[i] = gtk_box_new (GTK_ORIENTATION_VERTICAL, 4);
      gtk_box_append (GTK_BOX (columns), self->rows[i]);
    }
  gtk_box_append (GTK_BOX (content), columns);

  gtk_widget_set_hexpand (caption, TRUE);
  gtk_box_append (GTK_BOX (title), caption);
  self->add = gtk_button_new_with_mnemonic (_("_Add a Source"));
  g_signal_connect_swapped (self->add, "clicked", G_CALLBACK (on_add), self);
  gtk_box_append (GTK_BOX (title), self->add);
  gtk_box_append (GTK_BOX (content), title);

  self->sources = GTK_LIST_BOX (gtk_list_box_new ());
  gtk_list_box_set_selection_mode (self->sources, GTK_SELECTION_NONE);
  gtk_list_box_set_placeholder (self->sources, gtk_label_new (_("Nothing but ambient noise")));
  gtk_widget_add_css_class (GTK_WIDGET (self->sources), "boxed-list");
  gtk_widget_set_valign (GTK_WIDGET (self->sources), GTK_ALIGN_START);
  gtk_scrolled_window_set_policy (GTK_SCROLLED_WINDOW (scroller), GTK_POLICY_NEVER, GTK_POLICY_AUTOMATIC);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scroller), GTK_WIDGET (self->sources));
  gtk_widget_set_vexpand (scroller, TRUE);
  gtk_box_append (GTK_BOX (content), scroller);

  self->verdict = GTK_LABEL (gtk_label_new (NULL));
  gtk_label_set_wrap (self->verdict, TRUE);
  gtk_label_set_wrap_mode (self->verdict, PANGO_WRAP_WORD_CHAR);
  gtk_label_set_xalign (self->verdict, 0);
  gtk_box_append (GTK_BOX (content), GTK_WIDGET (self->verdict));
  gtk_box_append (GTK_BOX (box), content);
  adw_window_set_content (ADW_WINDOW (self), box);
  gtk_window_set_default_widget (GTK_WINDOW (self), self->simulate);
}

static void
add_rows (EsSimulateDialog *self)
{
  static const struct { const char *key; guint column; } shown[] = {
    { "array", 0 }, { "seconds", 0 }, { "sound-speed", 0 },
    { "rate", 1 }, { "ambient", 1 }, { "ambient-spectrum", 1 },
  };

  for (guint i = 0; i < G_N_ELEMENTS (shown); i++)
    {
      const EsParamSpec *spec = es_param_specs_find (es_params_get_specs (self->params), shown[i].key);

      if (spec != NULL)
        gtk_box_append (GTK_BOX (self->rows[shown[i].column]), es_param_row_new (self->params, spec));
    }
}

GtkWidget *
es_simulate_dialog_new (GtkWindow *parent, EsParams *params)
{
  EsSimulateDialog *self = g_object_new (ES_TYPE_SIMULATE_DIALOG, "transient-for", parent, "modal", TRUE, NULL);

  self->params = params != NULL ? es_params_copy (params) : es_simulate_default_recording ();
  add_rows (self);
  append_sources (self);
  g_signal_connect_swapped (self->params, "changed", G_CALLBACK (judge), self);
  judge (self);
  gtk_widget_grab_focus (self->simulate);
  return GTK_WIDGET (self);
}

EsParams *
es_simulate_dialog_get_params (EsSimulateDialog *self)
{
  g_return_val_if_fail (ES_IS_SIMULATE_DIALOG (self), NULL);
  return es_params_copy (self->params);
}

const char *
es_simulate_dialog_get_verdict (EsSimulateDialog *self)
{
  g_return_val_if_fail (ES_IS_SIMULATE_DIALOG (self), NULL);
  return gtk_label_get_label (self->verdict);
}

gboolean
es_simulate_dialog_is_good (EsSimulateDialog *self)
{
  g_return_val_if_fail (ES_IS_SIMULATE_DIALOG (self), FALSE);
  return gtk_widget_get_sensitive (self->simulate);
}
