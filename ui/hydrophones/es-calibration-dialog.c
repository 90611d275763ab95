/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-calibration-dialog.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#include "es-open-beside.h"
#include "base/es-error.h"
#include "widgets/es-dialog.h"
#include "widgets/es-latest.h"

#define MINUS "\xe2\x88\x92"

enum { SENSITIVITY, GAIN, VOLTS, UPA, N_NUMBERS };

struct _EsCalibrationDialog
{
  AdwWindow       parent_instance;

  GtkWidget      *entries[N_NUMBERS];
  GtkTextView    *table;
  AdwExpanderRow *channels;
  GtkLabel       *verdict;
  GtkCheckButton *save;
  GtkWidget      *apply, *remove;

  EsRecording    *recording;
  EsCalibration  *calibration;       /* as it is now; NULL: it is none */
  GtkNativeDialog *chooser;
  EsLatest       *reading;           /* files; the one asked for last */
  gboolean        filling;
};

enum { APPLIED, N_SIGNALS };
static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (EsCalibrationDialog, es_calibration_dialog, ADW_TYPE_WINDOW)

static const struct
{
  gsize       offset;
  const char *title, *subtitle, *unit;
} numbers[N_NUMBERS] = {
  { G_STRUCT_OFFSET (EsCalibrationNumbers, sensitivity_db), N_("_Sensitivity"),
    N_("Of the hydrophone; negative, as −180"), N_("dB re 1 V/µPa") },
  { G_STRUCT_OFFSET (EsCalibrationNumbers, gain_db), N_("_Gain"),
    N_("Of amplifiers and filters before the converter"), N_("dB") },
  { G_STRUCT_OFFSET (EsCalibrationNumbers, adc_volts), N_("ADC _Range"),
    N_("Peak voltage at which the converter is at full scale"), N_("V") },
  { G_STRUCT_OFFSET (EsCalibrationNumbers, upa), N_("_Full Scale"), N_("Instead of these three"), N_("µPa") },
};

/* ---- judgement ---- */

/* An empty entry tells nothing. */
static gboolean
read_entry (EsCalibrationDialog *self, guint number, double *value)
{
  g_autoptr (GString) text = g_string_new (gtk_editable_get_text (GTK_EDITABLE (self->entries[number])));
  char *end;

  g_string_replace (text, MINUS, "-", 0);
  g_string_replace (text, ",", ".", 0);
  g_strstrip (text->str);
  *value = NAN;
  if (*text->str == '\0')
    return TRUE;
  *value = g_ascii_strtod (text->str, &end);
  return *end == '\0' && isfinite (*value);
}

static char *
get_table (EsCalibrationDialog *self)
{
  GtkTextBuffer *buffer = gtk_text_view_get_buffer (self->table);
  GtkTextIter first, last;

  gtk_text_buffer_get_bounds (buffer, &first, &last);
  return g_strstrip (gtk_text_buffer_get_text (buffer, &first, &last, FALSE));
}

static EsCalibration *
make (EsCalibrationDialog *self, GError **error)
{
  g_autofree char *text = get_table (self);
  g_autofree EsCalibrationNumbers *channels = NULL;
  EsCalibrationNumbers common = ES_CALIBRATION_NOTHING;
  g_autoptr (EsCalibration) calibration = NULL;
  guint n = 0;

  for (guint i = 0; i < N_NUMBERS; i++)
    if (!read_entry (self, i, &G_STRUCT_MEMBER (double, &common, numbers[i].offset)))
      {
        g_set_error (error, ES_DATA_ERROR, ES_DATA_ERROR_FORMAT, _("“%s” is no number."),
                     gtk_editable_get_text (GTK_EDITABLE (self->entries[i])));
        return NULL;
      }
  /* The form begins with a gain of 0, which says nothing of a full scale that is told in micropascals. */
  if (!isnan (common.upa) && common.gain_db == 0 && isnan (common.sensitivity_db) && isnan (common.adc_volts))
    common.gain_db = NAN;
  if (*text != '\0' && (channels = es_calibration_parse_table (text, _("the table"), &n, error)) == NULL)
    return NULL;
  calibration = es_calibration_new (&common, channels, n, error);
  if (calibration == NULL
      || !es_calibration_check (calibration, es_recording_get_n_channels (self->recording), error))
    return NULL;
  return g_steal_pointer (&calibration);
}

static gboolean
is_untouched (EsCalibrationDialog *self)
{
  g_autofree char *text = get_table (self);

  for (guint i = 0; i < N_NUMBERS; i++)
    if (i != GAIN && *gtk_editable_get_text (GTK_EDITABLE (self->entries[i])) != '\0')
      return FALSE;
  return *text == '\0';
}

static void
say (EsCalibrationDialog *self, const char *sentence, const char *look)
{
  g_autofree char *whole = g_strdup (sentence);

  /* Elsewhere it stands behind the name of a file. */
  *whole = g_ascii_toupper (*whole);
  es_dialog_say (self->verdict, whole, look);
}

static void
judge (EsCalibrationDialog *self)
{
  const guint n = es_recording_get_n_channels (self->recording);
  g_autoptr (GError) error = NULL;

  g_clear_pointer (&self->calibration, es_calibration_unref);
  self->calibration = make (self, &error);
  if (self->calibration != NULL)
    {
      g_autofree char *scale = es_calibration_tell_full_scale (self->calibration, n);
      g_autofree char *missing = es_calibration_tell_missing (self->calibration, n);
      g_autofree char *doubt = es_calibration_tell_doubt (self->calibration);
      const char *warning = missing != NULL ? missing : doubt;
      /* Translators: what numbers come to, and what to be aware of. */
      g_autofree char *all = warning != NULL ? g_strdup_printf (_("%s. %s"), scale, warning) : NULL;

      say (self, all != NULL ? all : scale, all != NULL ? "warning" : "dim-label");
    }
  else if (is_untouched (self))
    say (self, _("not calibrated: levels are dB re full scale"), "dim-label");
  else
    say (self, error->message, "error");
  gtk_widget_set_sensitive (self->apply, self->calibration != NULL && !es_latest_is_busy (self->reading));
}

static void
on_changed (EsCalibrationDialog *self)
{
  if (!self->filling)
    judge (self);
}

static void
show_numbers (EsCalibrationDialog *self, const EsCalibrationNumbers *common, const char *table)
{
  self->filling = TRUE;
  for (guint i = 0; i < N_NUMBERS; i++)
    {
      const double value = G_STRUCT_MEMBER (double, common, numbers[i].offset);
      char text[G_ASCII_DTOSTR_BUF_SIZE] = "";

      if (!isnan (value))
        g_ascii_formatd (text, sizeof text, "%.10g", value);
      gtk_editable_set_text (GTK_EDITABLE (self->entries[i]), text);
    }
  gtk_text_buffer_set_text (gtk_text_view_get_buffer (self->table), table, -1);
  adw_expander_row_set_expanded (self->channels, *table != '\0');
  self->filling = FALSE;
  judge (self);
}

/* ---- files ---- */

typedef struct
{
  EsCalibrationNumbers common;
  char                *table;
} Told;

static void
told_free (gpointer data)
{
  g_free (((Told *) data)->table);
  g_free (data);
}

static gpointer
read_file (gpointer file, GCancellable *cancellable, GError **error)
{
  Told *told = g_new0 (Told, 1);

  if (es_calibration_read (file, &told->common, &told->table, error))
    return told;
  told_free (told);
  return NULL;
}

/* What a table of channels does not tell stays as it was typed. */
static void
on_read (gpointer file, gpointer answer, const GError *error, gpointer data)
{
  EsCalibrationDialog *self = data;
  Told *told = answer;

  if (told == NULL)
    {
      judge (self);
      say (self, error->message, "error");
      return;
    }
  for (guint i = 0; i < N_NUMBERS; i++)
    {
      double *value = &G_STRUCT_MEMBER (double, &told->common, numbers[i].offset);

      if (isnan (*value) && isnan (told->common.upa) && !(i == UPA && !isnan (told->common.sensitivity_db)))
        read_entry (self, i, value);
    }
  show_numbers (self, &told->common, told->table);
}

void
es_calibration_dialog_load (EsCalibrationDialog *self, GFile *file)
{
  g_autofree char *name = NULL, *sentence = NULL;

  g_return_if_fail (ES_IS_CALIBRATION_DIALOG (self) && G_IS_FILE (file));

  es_latest_cancel (self->reading);
  es_latest_submit (self->reading, g_object_ref (file));
  name = es_error_file_name (file);
  sentence = g_strdup_printf (_("Reading %s"), name);
  say (self, sentence, "dim-label");
  gtk_widget_set_sensitive (self->apply, FALSE);
}

gboolean
es_calibration_dialog_is_reading (EsCalibrationDialog *self)
{
  g_return_val_if_fail (ES_IS_CALIBRATION_DIALOG (self), FALSE);
  return es_latest_is_busy (self->reading);
}

static void
on_open (EsCalibrationDialog *self)
{
  static const char *const suffixes[] = { "csv", "json", NULL };

  es_open_beside (&self->chooser, GTK_WINDOW (self), _("Open Calibration"), self->recording, _("Calibrations"),
                  suffixes, (EsFileChosen) es_calibration_dialog_load, self);
}

/* ---- the end ---- */

void
es_calibration_dialog_apply (EsCalibrationDialog *self)
{
  g_return_if_fail (ES_IS_CALIBRATION_DIALOG (self));

  if (self->calibration == NULL || es_latest_is_busy (self->reading))
    return;
  g_signal_emit (self, signals[APPLIED], 0, self->calibration, gtk_check_button_get_active (self->save));
  gtk_window_close (GTK_WINDOW (self));
}

void
es_calibration_dialog_remove (EsCalibrationDialog *self)
{
  g_return_if_fail (ES_IS_CALIBRATION_DIALOG (self));

  g_signal_emit (self, signals[APPLIED], 0, NULL, gtk_check_button_get_active (self->save));
  gtk_window_close (GTK_WINDOW (self));
}

static void
es_calibration_dialog_dispose (GObject *object)
{
  EsCalibrationDialog *self = ES_CALIBRATION_DIALOG (object);

  if (self->reading != NULL)
    es_latest_cancel (self->reading);
  g_clear_object (&self->reading);
  g_clear_object (&self->chooser);
  g_clear_object (&self->recording);
  g_clear_pointer (&self->calibration, es_calibration_unref);
  G_OBJECT_CLASS (es_calibration_dialog_parent_class)->dispose (object);
}

static void
es_calibration_dialog_class_init (EsCalibrationDialogClass *class)
{
  G_OBJECT_CLASS (class)->dispose = es_calibration_dialog_dispose;
  signals[APPLIED] = g_signal_new ("applied", G_TYPE_FROM_CLASS (class), G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                   G_TYPE_NONE, 2, ES_TYPE_CALIBRATION, G_TYPE_BOOLEAN);
  gtk_widget_class_add_binding_action (GTK_WIDGET_CLASS (class), GDK_KEY_Escape, 0, "window.close", NULL);
}

static void
add_number (EsCalibrationDialog *self, AdwPreferencesGroup *group, guint number)
{
  GtkWidget *entry, *row = es_dialog_row_new (_(numbers[number].title), _(numbers[number].subtitle), 10, &entry);
  GtkWidget *unit = gtk_label_new (_(numbers[number].unit));

  gtk_entry_set_input_purpose (GTK_ENTRY (entry), GTK_INPUT_PURPOSE_NUMBER);
  gtk_label_set_width_chars (GTK_LABEL (unit), 13);
  gtk_label_set_xalign (GTK_LABEL (unit), 0);
  gtk_widget_add_css_class (unit, "dim-label");
  adw_action_row_add_suffix (ADW_ACTION_ROW (row), unit);
  adw_preferences_group_add (group, row);
  g_signal_connect_object (entry, "changed", G_CALLBACK (on_changed), self, G_CONNECT_SWAPPED);
  self->entries[number] = entry;
}

static GtkWidget *
make_channels (EsCalibrationDialog *self)
{
  GtkWidget *row = adw_expander_row_new (), *scroller, *table = gtk_text_view_new ();
  GtkWidget *open = gtk_button_new_with_mnemonic (_("_Open File…"));

  self->table = GTK_TEXT_VIEW (table);
  self->channels = ADW_EXPANDER_ROW (row);
  adw_preferences_row_set_title (ADW_PREFERENCES_ROW (row), _("Channels That Differ"));
  adw_expander_row_set_subtitle (ADW_EXPANDER_ROW (row), _("A table: channel,sensitivity_db,gain_db,adc_volts"));
  gtk_widget_set_tooltip_text (open, _("A calibration as JSON, or a table of channels as CSV"));
  gtk_widget_set_valign (open, GTK_ALIGN_CENTER);
  adw_expander_row_add_action (ADW_EXPANDER_ROW (row), open);
  gtk_text_view_set_monospace (self->table, TRUE);
  gtk_text_view_set_top_margin (self->table, 6);
  gtk_text_view_set_left_margin (self->table, 8);
  gtk_text_view_set_accepts_tab (self->table, FALSE);
  gtk_accessible_update_property (GTK_ACCESSIBLE (table), GTK_ACCESSIBLE_PROPERTY_LABEL, _("Channels That Differ"), -1);
  scroller = g_object_new (GTK_TYPE_SCROLLED_WINDOW, "min-content-height", 130, "child", table, NULL);
  adw_expander_row_add_row (ADW_EXPANDER_ROW (row), scroller);
  g_signal_connect_object (open, "clicked", G_CALLBACK (on_open), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (gtk_text_view_get_buffer (self->table), "changed", G_CALLBACK (on_changed), self,
                           G_CONNECT_SWAPPED);
  return row;
}

static gboolean
on_drop (GtkDropTarget *target, const GValue *value, double x, double y, EsCalibrationDialog *self)
{
  GSList *files = gdk_file_list_get_files (g_value_get_boxed (value));

  if (files != NULL)
    es_calibration_dialog_load (self, files->data);
  g_slist_free (files);
  return TRUE;
}

static void
es_calibration_dialog_init (EsCalibrationDialog *self)
{
  GtkWidget *content = es_dialog_fill (GTK_WINDOW (self), _("_Apply"), &self->apply);
  GtkWidget *group = adw_preferences_group_new ();
  GtkDropTarget *target = gtk_drop_target_new (GDK_TYPE_FILE_LIST, GDK_ACTION_COPY);
  g_autoptr (GtkSizeGroup) widths = gtk_size_group_new (GTK_SIZE_GROUP_HORIZONTAL);

  self->reading = es_latest_new (read_file, g_object_unref, told_free, on_read, self);
  gtk_window_set_title (GTK_WINDOW (self), _("Calibration"));
  gtk_window_set_default_size (GTK_WINDOW (self), 560, -1);
  g_signal_connect_swapped (self->apply, "clicked", G_CALLBACK (es_calibration_dialog_apply), self);
  for (guint i = 0; i < N_NUMBERS; i++)
    {
      add_number (self, ADW_PREFERENCES_GROUP (group), i);
      gtk_size_group_add_widget (widths, self->entries[i]);
    }
  adw_preferences_group_add (ADW_PREFERENCES_GROUP (group), make_channels (self));
  gtk_box_append (GTK_BOX (content), group);
  es_dialog_add_foot (GTK_BOX (content), _("Re_move Calibration"), &self->verdict, &self->save, &self->remove);
  g_signal_connect_swapped (self->remove, "clicked", G_CALLBACK (es_calibration_dialog_remove), self);
  g_signal_connect (target, "drop", G_CALLBACK (on_drop), self);
  gtk_widget_add_controller (GTK_WIDGET (self), GTK_EVENT_CONTROLLER (target));
}

GtkWidget *
es_calibration_dialog_new (GtkWindow *parent, EsRecording *recording)
{
  EsCalibrationNumbers common = { NAN, 0, NAN, NAN };
  EsCalibrationDialog *self;
  g_autoptr (EsCalibration) calibration = NULL;
  g_autofree char *table = NULL;

  g_return_val_if_fail (ES_IS_RECORDING (recording), NULL);

  self = g_object_new (ES_TYPE_CALIBRATION_DIALOG, "transient-for", parent, "modal", TRUE, NULL);
  self->recording = g_object_ref (recording);
  calibration = es_recording_dup_calibration (recording);
  if (calibration != NULL)
    {
      common = *es_calibration_get_common (calibration);
      table = es_calibration_to_table (calibration);
    }
  if (es_dataset_get_file (ES_DATASET (recording)) == NULL)
    {
      gtk_check_button_set_active (self->save, FALSE);
      gtk_widget_set_visible (GTK_WIDGET (self->save), FALSE);
    }
  /* What the recording itself tells can be gone before, not taken away. */
  gtk_widget_set_visible (self->remove, calibration != NULL
                                        && es_calibration_get_source (calibration) != ES_CALIBRATION_OF_RECORDING);
  show_numbers (self, &common, table != NULL ? table : "");
  gtk_window_set_focus (GTK_WINDOW (self), self->entries[SENSITIVITY]);
  return GTK_WIDGET (self);
}

void
es_calibration_dialog_type (EsCalibrationDialog *self, const char *sensitivity, const char *gain, const char *volts,
                            const char *upa, const char *table)
{
  const char *const texts[N_NUMBERS] = { sensitivity, gain, volts, upa };

  g_return_if_fail (ES_IS_CALIBRATION_DIALOG (self));

  for (guint i = 0; i < N_NUMBERS; i++)
    if (texts[i] != NULL)
      gtk_editable_set_text (GTK_EDITABLE (self->entries[i]), texts[i]);
  if (table != NULL)
    gtk_text_buffer_set_text (gtk_text_view_get_buffer (self->table), table, -1);
}

EsCalibration *
es_calibration_dialog_get (EsCalibrationDialog *self)
{
  g_return_val_if_fail (ES_IS_CALIBRATION_DIALOG (self), NULL);
  return self->calibration != NULL ? es_calibration_ref (self->calibration) : NULL;
}

const char *
es_calibration_dialog_get_verdict (EsCalibrationDialog *self)
{
  g_return_val_if_fail (ES_IS_CALIBRATION_DIALOG (self), NULL);
  return gtk_label_get_label (self->verdict);
}
