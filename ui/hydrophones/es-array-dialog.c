/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-array-dialog.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "es-open-beside.h"
#include "base/es-error.h"
#include "es-array-canvas.h"
#include "es-origin-row.h"
#include "widgets/es-dialog.h"
#include "widgets/es-latest.h"

#define DEFAULT_SPACING 1.5
#define MAX_ELEMENTS    1000000
/* What is typed is judged when it has rested so long. */
#define JUDGE_DELAY_MS  80

struct _EsArrayDialog
{
  AdwWindow       parent_instance;

  GtkSpinButton  *count, *spacing, *azimuth, *sound_speed;
  GtkWidget      *line, *positions, *stop;
  EsOriginRow    *origin;
  GtkSpinner     *spinner;
  EsArrayCanvas  *canvas;
  EsElementTable *table;
  GtkLabel       *verdict;
  GtkCheckButton *save;
  GtkWidget      *apply;

  EsRecording    *recording;
  EsArray        *array;             /* as it is now; NULL: it is none */
  GtkNativeDialog *chooser;
  EsLatest       *reading;           /* files of positions; the one asked for last */
  gboolean        filling;
  gboolean        speed_told;        /* by what is shown, or by hand */
  guint           judge_source;
};

enum { APPLIED, N_SIGNALS };
static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (EsArrayDialog, es_array_dialog, ADW_TYPE_WINDOW)

/* ---- judgement ---- */

static void
say (EsArrayDialog *self, const char *sentence, gboolean wrong)
{
  es_dialog_say (self->verdict, sentence, wrong ? "error" : "dim-label");
  gtk_widget_set_tooltip_text (GTK_WIDGET (self->verdict), gtk_label_get_label (self->verdict));
}

static EsArray *
make_array (EsArrayDialog *self, GError **error)
{
  g_autofree EsElement *elements = es_element_table_get_elements (self->table);
  g_autoptr (EsArray) array = es_array_new (elements, es_element_table_get_n (self->table), error);
  const EsOrigin origin = es_origin_row_get_origin (self->origin);
  g_autoptr (EsArray) from = array != NULL ? es_array_with_origin (array, &origin, error) : NULL;

  /* What nobody has touched stays an assumption. */
  if (from == NULL || !self->speed_told)
    return g_steal_pointer (&from);
  return es_array_with_sound_speed (from, gtk_spin_button_get_value (self->sound_speed));
}

static void
judge (EsArrayDialog *self)
{
  g_autoptr (GError) error = NULL;

  g_clear_handle_id (&self->judge_source, g_source_remove);
  g_clear_pointer (&self->array, es_array_unref);
  self->array = make_array (self, &error);
  es_array_canvas_set_array (self->canvas, self->array);
  if (self->array == NULL)
    say (self, error->message, TRUE);
  else
    {
      const guint n_channels = es_recording_get_n_channels (self->recording);
      g_auto (GStrv) checks = es_array_check (self->array, n_channels, 0, NULL, 0, 0);
      g_autofree char *description = es_array_describe (self->array);
      g_autofree char *speed = es_array_warn_of_sound_speed (self->array);
      g_autofree char *found = g_strjoinv (" ", checks);
      g_autofree char *all = *found != '\0' && speed != NULL ? g_strjoin (" ", found, speed, NULL)
                             : *found != '\0' ? g_strdup (found) : g_strdup (speed);

      say (self, all != NULL ? all : description, all != NULL);
    }
  gtk_widget_set_sensitive (self->apply, self->array != NULL && !es_latest_is_busy (self->reading));
}

static gboolean
judge_later (gpointer data)
{
  EsArrayDialog *self = data;

  self->judge_source = 0;
  judge (self);
  return G_SOURCE_REMOVE;
}

static void
on_changed (EsArrayDialog *self)
{
  if (self->filling)
    return;
  if (self->judge_source == 0)
    self->judge_source = g_timeout_add (JUDGE_DELAY_MS, judge_later, self);
}

static void
on_speed (EsArrayDialog *self)
{
  if (!self->filling)
    self->speed_told = TRUE;
  on_changed (self);
}

/* ---- what fills the table ---- */

static void
show_array (EsArrayDialog *self, EsArray *array)
{
  const EsElement *elements = es_array_get_elements (array);
  guint n = es_array_get_n_elements (array);

  self->filling = TRUE;
  es_element_table_set_elements (self->table, elements, n);
  self->speed_told = es_array_is_sound_speed_told (array);
  gtk_spin_button_set_value (self->sound_speed, es_array_get_sound_speed (array));
  es_origin_row_set_origin (self->origin, es_array_get_origin (array));
  gtk_spin_button_set_value (self->count, n);
  if (es_array_is_uniform (array))
    {
      double axis[3];

      es_array_get_axis (array, axis);
      gtk_spin_button_set_value (self->spacing, es_array_get_spacing (array));
      gtk_spin_button_set_value (self->azimuth, atan2 (axis[1], axis[0]) * 180 / G_PI);
    }
  self->filling = FALSE;
  judge (self);
}

/* The numbers of the first row: positions only, what else is known of an element stays. */
static void
make_line (EsArrayDialog *self)
{
  const guint n = (guint) gtk_spin_button_get_value_as_int (self->count);
  const guint n_before = es_element_table_get_n (self->table);
  g_autofree EsElement *before = es_element_table_get_elements (self->table);
  g_autofree EsElement *elements = NULL;
  g_autoptr (EsArray) line = NULL;
  g_autoptr (GError) error = NULL;

  if (self->filling)
    return;
  line = es_array_new_line (n, gtk_spin_button_get_value (self->spacing), gtk_spin_button_get_value (self->azimuth),
                            &error);
  if (line == NULL)
    {
      say (self, error->message, TRUE);
      return;
    }
  elements = g_memdup2 (es_array_get_elements (line), n * sizeof *elements);
  for (guint i = 0; i < MIN (n, n_before); i++)
    {
      elements[i].channel = before[i].channel;
      elements[i].gain = before[i].gain;
      elements[i].dead = before[i].dead;
      elements[i].name = before[i].name;
    }
  es_element_table_set_elements (self->table, elements, n);
  judge (self);
}

/* What a file is about to replace is not edited meanwhile. */
static void
show_reading (EsArrayDialog *self)
{
  const gboolean reading = es_latest_is_busy (self->reading);

  gtk_widget_set_sensitive (self->line, !reading);
  gtk_widget_set_sensitive (GTK_WIDGET (self->sound_speed), !reading);
  gtk_widget_set_sensitive (GTK_WIDGET (self->origin), !reading);
  gtk_widget_set_sensitive (GTK_WIDGET (self->table), !reading);
  gtk_widget_set_visible (self->positions, !reading);
  gtk_widget_set_visible (self->stop, reading);
  gtk_spinner_set_spinning (self->spinner, reading);
  if (reading)
    gtk_widget_set_sensitive (self->apply, FALSE);
}

static void
on_stop (EsArrayDialog *self)
{
  es_latest_cancel (self->reading);
  show_reading (self);
  judge (self);
}

static gpointer
read_positions (gpointer file, GCancellable *cancellable, GError **error)
{
  return es_array_load (file, cancellable, error);
}

static void
on_read (gpointer file, gpointer array, const GError *error, gpointer data)
{
  EsArrayDialog *self = data;

  show_reading (self);
  if (array != NULL)
    {
      show_array (self, array);
      return;
    }
  /* What is in the table is still what it was. */
  judge (self);
  say (self, error->message, TRUE);
}

void
es_array_dialog_load (EsArrayDialog *self, GFile *file)
{
  g_autofree char *name = NULL, *sentence = NULL;

  g_return_if_fail (ES_IS_ARRAY_DIALOG (self) && G_IS_FILE (file));

  /* What was asked for before is read no further. */
  es_latest_cancel (self->reading);
  es_latest_submit (self->reading, g_object_ref (file));
  g_clear_handle_id (&self->judge_source, g_source_remove);
  name = es_error_file_name (file);
  sentence = g_strdup_printf (_("Reading %s"), name);
  say (self, sentence, FALSE);
  show_reading (self);
}

gboolean
es_array_dialog_is_reading (EsArrayDialog *self)
{
  g_return_val_if_fail (ES_IS_ARRAY_DIALOG (self), FALSE);
  return es_latest_is_busy (self->reading);
}

static void
on_positions (EsArrayDialog *self)
{
  es_open_beside (&self->chooser, GTK_WINDOW (self), _("Open Positions"), self->recording, _("Hydrophone positions"),
                  es_open_positions_suffixes,
                  (EsFileChosen) es_array_dialog_load, self);
}

static gboolean
on_drop (GtkDropTarget *target, const GValue *value, double x, double y, EsArrayDialog *self)
{
  GSList *files = gdk_file_list_get_files (g_value_get_boxed (value));

  if (files != NULL)
    es_array_dialog_load (self, files->data);
  g_slist_free (files);
  return TRUE;
}

/* ---- the end ---- */

void
es_array_dialog_apply (EsArrayDialog *self)
{
  g_return_if_fail (ES_IS_ARRAY_DIALOG (self));

  if (es_latest_is_busy (self->reading))
    return;
  judge (self);
  if (self->array == NULL)
    return;
  g_signal_emit (self, signals[APPLIED], 0, self->array, gtk_check_button_get_active (self->save));
  gtk_window_close (GTK_WINDOW (self));
}

static void
es_array_dialog_dispose (GObject *object)
{
  EsArrayDialog *self = ES_ARRAY_DIALOG (object);

  g_clear_handle_id (&self->judge_source, g_source_remove);
  /* A dialog that is closed is not kept: its end ends the reading. */
  if (self->reading != NULL)
    es_latest_cancel (self->reading);
  g_clear_object (&self->reading);
  g_clear_object (&self->chooser);
  g_clear_object (&self->recording);
  g_clear_pointer (&self->array, es_array_unref);
  G_OBJECT_CLASS (es_array_dialog_parent_class)->dispose (object);
}

static void
es_array_dialog_class_init (EsArrayDialogClass *class)
{
  G_OBJECT_CLASS (class)->dispose = es_array_dialog_dispose;
  signals[APPLIED] = g_signal_new ("applied", G_TYPE_FROM_CLASS (class), G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                   G_TYPE_NONE, 2, ES_TYPE_ARRAY, G_TYPE_BOOLEAN);
  gtk_widget_class_add_binding_action (GTK_WIDGET_CLASS (class), GDK_KEY_Escape, 0, "window.close", NULL);
}

static GtkSpinButton *
add_spin (GtkWidget *box, const char *before, double least, double most, double step, guint digits, const char *after)
{
  GtkWidget *spin = gtk_spin_button_new_with_range (least, most, step);
  GtkWidget *label = gtk_label_new_with_mnemonic (before);

  gtk_spin_button_set_digits (GTK_SPIN_BUTTON (spin), digits);
  gtk_editable_set_width_chars (GTK_EDITABLE (spin), 7);
  gtk_label_set_mnemonic_widget (GTK_LABEL (label), spin);
  gtk_accessible_update_property (GTK_ACCESSIBLE (spin), GTK_ACCESSIBLE_PROPERTY_LABEL, before, -1);
  gtk_widget_add_css_class (spin, "numeric");
  gtk_box_append (GTK_BOX (box), label);
  gtk_box_append (GTK_BOX (box), spin);
  if (after != NULL)
    {
      GtkWidget *unit = gtk_label_new (after);

      gtk_widget_add_css_class (unit, "dim-label");
      gtk_widget_set_margin_end (unit, 8);
      gtk_box_append (GTK_BOX (box), unit);
    }
  return GTK_SPIN_BUTTON (spin);
}

static void
make_numbers (EsArrayDialog *self, GtkWidget *content)
{
  GtkWidget *line = self->line = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);
  GtkWidget *rest = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);
  GtkWidget *gap = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 0);

  self->count = add_spin (line, _("_Line of"), 1, MAX_ELEMENTS, 1, 0, _("elements"));
  self->spacing = add_spin (line, _("_Spacing"), 0.001, 10000, 0.1, 3, _("m"));
  self->azimuth = add_spin (line, _("A_xis towards"), -180, 360, 1, 1, "°");
  gtk_widget_set_tooltip_text (GTK_WIDGET (self->azimuth),
                               _("Direction from the first element to the last: 0° is +x, 90° is +y."));
  self->sound_speed = add_spin (rest, _("Sound s_peed"), 100, 10000, 1, 1, _("m/s"));
  self->origin = ES_ORIGIN_ROW (es_origin_row_new ());
  g_signal_connect_object (self->origin, "changed", G_CALLBACK (on_changed), self, G_CONNECT_SWAPPED);
  gtk_widget_set_hexpand (gap, TRUE);
  gtk_box_append (GTK_BOX (rest), gap);
  self->positions = gtk_button_new_with_mnemonic (_("_Open Positions…"));
  gtk_widget_set_tooltip_text (self->positions, _("A file of positions: CSV, XML, SigMF or JSON"));
  self->spinner = GTK_SPINNER (gtk_spinner_new ());
  self->stop = gtk_button_new_with_mnemonic (_("S_top Reading"));
  gtk_widget_set_visible (self->stop, FALSE);
  gtk_box_append (GTK_BOX (rest), GTK_WIDGET (self->spinner));
  gtk_box_append (GTK_BOX (rest), self->stop);
  gtk_box_append (GTK_BOX (rest), self->positions);
  gtk_box_append (GTK_BOX (content), line);
  gtk_box_append (GTK_BOX (content), rest);
  gtk_box_append (GTK_BOX (content), GTK_WIDGET (self->origin));
  g_signal_connect_object (self->count, "value-changed", G_CALLBACK (make_line), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->spacing, "value-changed", G_CALLBACK (make_line), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->azimuth, "value-changed", G_CALLBACK (make_line), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->sound_speed, "value-changed", G_CALLBACK (on_speed), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->positions, "clicked", G_CALLBACK (on_positions), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->stop, "clicked", G_CALLBACK (on_stop), self, G_CONNECT_SWAPPED);
}

static void
es_array_dialog_init (EsArrayDialog *self)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  GtkWidget *content = gtk_box_new (GTK_ORIENTATION_VERTICAL, 10);
  GtkWidget *frame = gtk_frame_new (NULL);
  GtkDropTarget *target = gtk_drop_target_new (GDK_TYPE_FILE_LIST, GDK_ACTION_COPY);

  self->reading = es_latest_new (read_positions, g_object_unref, (GDestroyNotify) es_array_unref, on_read, self);
  gtk_window_set_title (GTK_WINDOW (self), _("Hydrophone Array"));
  gtk_window_set_default_size (GTK_WINDOW (self), 760, 620);
  gtk_box_append (GTK_BOX (box), es_dialog_header_new (_("_Apply"), &self->apply));
  g_signal_connect_swapped (self->apply, "clicked", G_CALLBACK (es_array_dialog_apply), self);
  gtk_widget_set_margin_top (content, 12);
  gtk_widget_set_margin_bottom (content, 12);
  gtk_widget_set_margin_start (content, 12);
  gtk_widget_set_margin_end (content, 12);
  make_numbers (self, content);

  self->canvas = ES_ARRAY_CANVAS (es_array_canvas_new ());
  gtk_box_append (GTK_BOX (content), GTK_WIDGET (self->canvas));
  self->table = ES_ELEMENT_TABLE (es_element_table_new ());
  gtk_widget_set_vexpand (GTK_WIDGET (self->table), TRUE);
  gtk_frame_set_child (GTK_FRAME (frame), GTK_WIDGET (self->table));
  gtk_box_append (GTK_BOX (content), frame);
  g_signal_connect_object (self->table, "changed", G_CALLBACK (on_changed), self, G_CONNECT_SWAPPED);

  self->verdict = GTK_LABEL (gtk_label_new (NULL));
  gtk_label_set_wrap (self->verdict, TRUE);
  gtk_label_set_lines (self->verdict, 3);
  gtk_label_set_ellipsize (self->verdict, PANGO_ELLIPSIZE_END);
  gtk_label_set_xalign (self->verdict, 0);
  gtk_box_append (GTK_BOX (content), GTK_WIDGET (self->verdict));
  self->save = GTK_CHECK_BUTTON (gtk_check_button_new_with_mnemonic (_("Save _beside the recording, for the next "
                                                                       "time")));
  gtk_check_button_set_active (self->save, TRUE);
  gtk_box_append (GTK_BOX (content), GTK_WIDGET (self->save));
  gtk_box_append (GTK_BOX (box), content);
  adw_window_set_content (ADW_WINDOW (self), box);

  g_signal_connect (target, "drop", G_CALLBACK (on_drop), self);
  gtk_widget_add_controller (GTK_WIDGET (self), GTK_EVENT_CONTROLLER (target));
}

GtkWidget *
es_array_dialog_new (GtkWindow *parent, EsRecording *recording)
{
  EsArrayDialog *self;
  g_autoptr (EsArray) array = NULL;

  g_return_val_if_fail (ES_IS_RECORDING (recording), NULL);

  self = g_object_new (ES_TYPE_ARRAY_DIALOG, "transient-for", parent, "modal", TRUE, NULL);
  self->recording = g_object_ref (recording);
  array = es_recording_get_array (recording);
  if (array == NULL)
    array = es_array_new_line (CLAMP (es_recording_get_n_channels (recording), 1, MAX_ELEMENTS), DEFAULT_SPACING, 0,
                               NULL);
  if (es_dataset_get_file (ES_DATASET (recording)) == NULL)
    {
      gtk_check_button_set_active (self->save, FALSE);
      gtk_widget_set_visible (GTK_WIDGET (self->save), FALSE);
    }
  gtk_spin_button_set_value (self->spacing, DEFAULT_SPACING);
  if (array != NULL)
    show_array (self, array);
  else
    judge (self);
  return GTK_WIDGET (self);
}

EsElementTable *
es_array_dialog_get_table (EsArrayDialog *self)
{
  g_return_val_if_fail (ES_IS_ARRAY_DIALOG (self), NULL);
  return self->table;
}

void
es_array_dialog_set_line (EsArrayDialog *self, guint n, double spacing, double azimuth)
{
  g_return_if_fail (ES_IS_ARRAY_DIALOG (self));

  self->filling = TRUE;
  gtk_spin_button_set_value (self->count, n);
  gtk_spin_button_set_value (self->spacing, spacing);
  gtk_spin_button_set_value (self->azimuth, azimuth);
  self->filling = FALSE;
  make_line (self);
}

EsArray *
es_array_dialog_get_array (EsArrayDialog *self)
{
  g_return_val_if_fail (ES_IS_ARRAY_DIALOG (self), NULL);

  judge (self);
  return self->array != NULL ? es_array_ref (self->array) : NULL;
}

const char *
es_array_dialog_get_verdict (EsArrayDialog *self)
{
  g_return_val_if_fail (ES_IS_ARRAY_DIALOG (self), NULL);
  return gtk_label_get_label (self->verdict);
}
