/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-navigation-dialog.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#include "es-open-beside.h"
#include "base/es-error.h"
#include "widgets/es-dialog.h"
#include "widgets/es-latest.h"

#define MINUS "\xe2\x88\x92"

struct _EsNavigationDialog
{
  AdwWindow       parent_instance;

  GtkWidget      *start, *heading;   /* entries */
  AdwActionRow   *over_time;
  GtkWidget      *fixed;             /* a button: no headings over time any more */
  GtkLabel       *verdict;
  GtkCheckButton *save;
  GtkWidget      *apply, *remove;

  EsRecording    *recording;
  GDateTime      *shown_start;       /* nullable */
  EsNavigation   *headings;          /* over time; NULL: what the entry says */
  EsNavigation   *navigation;        /* as it is now; NULL: it is none */
  GtkNativeDialog *chooser;
  EsLatest       *reading;           /* files; the one asked for last */
  gboolean        filling;
};

enum { APPLIED, N_SIGNALS };
static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (EsNavigationDialog, es_navigation_dialog, ADW_TYPE_WINDOW)

/* ---- judgement ---- */

static char *
get_text (GtkWidget *entry)
{
  g_autoptr (GString) text = g_string_new (gtk_editable_get_text (GTK_EDITABLE (entry)));

  g_string_replace (text, MINUS, "-", 0);
  return g_strstrip (g_strdup (text->str));
}

/* NULL and no error: nothing is told. */
static GDateTime *
read_start (EsNavigationDialog *self, GError **error)
{
  g_autofree char *text = get_text (self->start);

  /* What nobody has touched is what it was, to the microsecond. */
  if (self->shown_start != NULL)
    {
      g_autofree char *shown = es_navigation_format_time (self->shown_start, 0);

      if (strcmp (shown, text) == 0)
        return g_date_time_ref (self->shown_start);
    }
  return *text != '\0' ? es_navigation_parse_start (text, error) : NULL;
}

static EsNavigation *
make (EsNavigationDialog *self, GError **error)
{
  g_autofree char *text = get_text (self->heading);
  GError *local_error = NULL;
  g_autoptr (GDateTime) start = read_start (self, &local_error);
  double heading;
  char *end;

  if (local_error != NULL)
    {
      g_propagate_error (error, local_error);
      return NULL;
    }
  if (self->headings != NULL && start == NULL && es_navigation_is_by_clock (self->headings))
    {
      g_set_error (error, ES_DATA_ERROR, ES_DATA_ERROR_FORMAT,
                   _("The headings are of a clock: when the recording began has to be told."));
      return NULL;
    }
  if (self->headings != NULL)
    return es_navigation_with_start (self->headings, start);
  if (*text == '\0')
    return es_navigation_new (start, NULL, NULL, 0, error);
  g_strdelimit (text, ",", '.');
  heading = g_ascii_strtod (text, &end);
  while (g_ascii_isspace (*end))
    end++;
  if (g_str_has_prefix (end, "°"))
    end += strlen ("°");
  if (*end != '\0' || !isfinite (heading))
    {
      g_set_error (error, ES_DATA_ERROR, ES_DATA_ERROR_FORMAT, _("“%s” is no number."), text);
      return NULL;
    }
  return es_navigation_new (start, NULL, &heading, 1, error);
}

static void
show_over_time (EsNavigationDialog *self)
{
  g_autofree char *text = self->headings != NULL ? es_navigation_describe (self->navigation != NULL ? self->navigation
                                                                                                    : self->headings)
                                                 : g_strdup (_("A CSV of time_s, or of time by a clock, and "
                                                               "heading_deg"));

  adw_action_row_set_subtitle (self->over_time, text);
  gtk_widget_set_sensitive (self->heading, self->headings == NULL);
  gtk_widget_set_visible (self->fixed, self->headings != NULL);
}

/* A line that is inclined, or stands upright, hears no true bearings. */
static char *
warn (EsNavigationDialog *self)
{
  g_autoptr (EsArray) array = es_recording_get_array (self->recording);

  if (array != NULL && !es_array_has_true_bearings (array) && es_navigation_get_n_headings (self->navigation) > 0)
    return g_strdup (_("The line of hydrophones is inclined by more than 5°: its bearings have no true ones."));
  return es_navigation_tell_gaps (self->navigation, es_recording_get_seconds (self->recording));
}

static void
judge (EsNavigationDialog *self)
{
  g_autoptr (GError) error = NULL;

  g_clear_pointer (&self->navigation, es_navigation_unref);
  self->navigation = make (self, &error);
  show_over_time (self);
  if (self->navigation == NULL)
    es_dialog_say (self->verdict, error->message, "error");
  else
    {
      g_autofree char *text = es_navigation_describe (self->navigation), *warning = warn (self);
      g_autofree char *all = warning != NULL ? g_strdup_printf (_("%s. %s"), text, warning) : NULL;

      es_dialog_say (self->verdict,
                     all != NULL ? all : *text != '\0' ? text
                     : _("Times count from the beginning, bearings from the array."),
                     warning != NULL ? "warning" : "dim-label");
    }
  gtk_widget_set_sensitive (self->apply, self->navigation != NULL && !es_latest_is_busy (self->reading));
}

static void
on_changed (EsNavigationDialog *self)
{
  if (!self->filling)
    judge (self);
}

static void
on_fixed (EsNavigationDialog *self)
{
  g_clear_pointer (&self->headings, es_navigation_unref);
  judge (self);
}

/* ---- files ---- */

typedef struct
{
  GFile     *file;
  GDateTime *start;              /* nullable */
} Question;

static void
question_free (gpointer data)
{
  Question *question = data;

  g_object_unref (question->file);
  g_clear_pointer (&question->start, g_date_time_unref);
  g_free (question);
}

static void
answer_free (gpointer data)
{
  es_navigation_unref (data);
}

static gpointer
read_file (gpointer data, GCancellable *cancellable, GError **error)
{
  Question *question = data;

  return es_navigation_load (question->file, question->start, error);
}

static void
show_start (EsNavigationDialog *self, GDateTime *start)
{
  g_autofree char *text = start != NULL ? es_navigation_format_time (start, 0) : g_strdup ("");

  g_clear_pointer (&self->shown_start, g_date_time_unref);
  self->shown_start = start != NULL ? g_date_time_ref (start) : NULL;
  gtk_editable_set_text (GTK_EDITABLE (self->start), text);
}

static void
on_read (gpointer asked, gpointer answer, const GError *error, gpointer data)
{
  EsNavigationDialog *self = data;
  EsNavigation *told = answer;
  char text[G_ASCII_DTOSTR_BUF_SIZE];

  if (told == NULL)
    {
      judge (self);
      es_dialog_say (self->verdict, error->message, "error");
      return;
    }
  self->filling = TRUE;
  if (es_navigation_get_start (told) != NULL)
    show_start (self, es_navigation_get_start (told));
  g_clear_pointer (&self->headings, es_navigation_unref);
  if (es_navigation_is_fixed (told))
    gtk_editable_set_text (GTK_EDITABLE (self->heading),
                           g_ascii_formatd (text, sizeof text, "%.10g", es_navigation_get_heading (told, 0)));
  else if (es_navigation_get_n_headings (told) > 0)
    self->headings = es_navigation_ref (told);
  self->filling = FALSE;
  judge (self);
}

void
es_navigation_dialog_load (EsNavigationDialog *self, GFile *file)
{
  g_autofree char *name = NULL, *sentence = NULL;
  Question *question;

  g_return_if_fail (ES_IS_NAVIGATION_DIALOG (self) && G_IS_FILE (file));

  question = g_new0 (Question, 1);
  question->file = g_object_ref (file);
  question->start = read_start (self, NULL);
  es_latest_cancel (self->reading);
  es_latest_submit (self->reading, question);
  name = es_error_file_name (file);
  sentence = g_strdup_printf (_("Reading %s"), name);
  es_dialog_say (self->verdict, sentence, "dim-label");
  gtk_widget_set_sensitive (self->apply, FALSE);
}

gboolean
es_navigation_dialog_is_reading (EsNavigationDialog *self)
{
  g_return_val_if_fail (ES_IS_NAVIGATION_DIALOG (self), FALSE);
  return es_latest_is_busy (self->reading);
}

static void
on_open (EsNavigationDialog *self)
{
  static const char *const suffixes[] = { "csv", "json", NULL };

  es_open_beside (&self->chooser, GTK_WINDOW (self), _("Open Headings"), self->recording, _("Headings"), suffixes,
                  (EsFileChosen) es_navigation_dialog_load, self);
}

/* ---- the end ---- */

void
es_navigation_dialog_apply (EsNavigationDialog *self)
{
  g_return_if_fail (ES_IS_NAVIGATION_DIALOG (self));

  if (self->navigation == NULL || es_latest_is_busy (self->reading))
    return;
  g_signal_emit (self, signals[APPLIED], 0, self->navigation, gtk_check_button_get_active (self->save));
  gtk_window_close (GTK_WINDOW (self));
}

void
es_navigation_dialog_remove (EsNavigationDialog *self)
{
  g_return_if_fail (ES_IS_NAVIGATION_DIALOG (self));

  g_signal_emit (self, signals[APPLIED], 0, NULL, gtk_check_button_get_active (self->save));
  gtk_window_close (GTK_WINDOW (self));
}

static void
es_navigation_dialog_dispose (GObject *object)
{
  EsNavigationDialog *self = ES_NAVIGATION_DIALOG (object);

  if (self->reading != NULL)
    es_latest_cancel (self->reading);
  g_clear_object (&self->reading);
  g_clear_object (&self->chooser);
  g_clear_object (&self->recording);
  g_clear_pointer (&self->shown_start, g_date_time_unref);
  g_clear_pointer (&self->headings, es_navigation_unref);
  g_clear_pointer (&self->navigation, es_navigation_unref);
  G_OBJECT_CLASS (es_navigation_dialog_parent_class)->dispose (object);
}

static void
es_navigation_dialog_class_init (EsNavigationDialogClass *class)
{
  G_OBJECT_CLASS (class)->dispose = es_navigation_dialog_dispose;
  signals[APPLIED] = g_signal_new ("applied", G_TYPE_FROM_CLASS (class), G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                   G_TYPE_NONE, 2, ES_TYPE_NAVIGATION, G_TYPE_BOOLEAN);
  gtk_widget_class_add_binding_action (GTK_WIDGET_CLASS (class), GDK_KEY_Escape, 0, "window.close", NULL);
}

static GtkWidget *
add_entry (EsNavigationDialog *self, AdwPreferencesGroup *group, const char *title, const char *subtitle, int width)
{
  GtkWidget *entry;

  adw_preferences_group_add (group, es_dialog_row_new (title, subtitle, width, &entry));
  g_signal_connect_object (entry, "changed", G_CALLBACK (on_changed), self, G_CONNECT_SWAPPED);
  return entry;
}

static GtkWidget *
make_over_time (EsNavigationDialog *self)
{
  GtkWidget *row = adw_action_row_new (), *open = gtk_button_new_with_mnemonic (_("_Open File…"));

  self->over_time = ADW_ACTION_ROW (row);
  self->fixed = gtk_button_new_with_mnemonic (_("_Fixed Again"));
  adw_preferences_row_set_title (ADW_PREFERENCES_ROW (row), _("Heading over Time"));
  gtk_widget_set_tooltip_text (self->fixed, _("The one heading above, at all times"));
  for (guint i = 0; i < 2; i++)
    {
      GtkWidget *button = i == 0 ? self->fixed : open;

      gtk_widget_set_valign (button, GTK_ALIGN_CENTER);
      adw_action_row_add_suffix (self->over_time, button);
    }
  gtk_widget_set_focusable (row, FALSE);
  g_signal_connect_object (open, "clicked", G_CALLBACK (on_open), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->fixed, "clicked", G_CALLBACK (on_fixed), self, G_CONNECT_SWAPPED);
  return row;
}

static gboolean
on_drop (GtkDropTarget *target, const GValue *value, double x, double y, EsNavigationDialog *self)
{
  GSList *files = gdk_file_list_get_files (g_value_get_boxed (value));

  if (files != NULL)
    es_navigation_dialog_load (self, files->data);
  g_slist_free (files);
  return TRUE;
}

static void
es_navigation_dialog_init (EsNavigationDialog *self)
{
  GtkWidget *content = es_dialog_fill (GTK_WINDOW (self), _("_Apply"), &self->apply);
  GtkWidget *group = adw_preferences_group_new ();
  GtkDropTarget *target = gtk_drop_target_new (GDK_TYPE_FILE_LIST, GDK_ACTION_COPY);

  self->reading = es_latest_new (read_file, question_free, answer_free, on_read, self);
  gtk_window_set_title (GTK_WINDOW (self), _("Start and Heading"));
  gtk_window_set_default_size (GTK_WINDOW (self), 600, -1);
  g_signal_connect_swapped (self->apply, "clicked", G_CALLBACK (es_navigation_dialog_apply), self);
  self->start = add_entry (self, ADW_PREFERENCES_GROUP (group), _("_Start of the Recording"),
                           _("UTC, as 2026-05-01T12:00:00Z"), 28);
  self->heading = add_entry (self, ADW_PREFERENCES_GROUP (group), _("_Heading of the Array"),
                             _("Where its +x axis points, in degrees clockwise from true north; z is up"), 8);
  adw_preferences_group_add (ADW_PREFERENCES_GROUP (group), make_over_time (self));
  gtk_box_append (GTK_BOX (content), group);
  es_dialog_add_foot (GTK_BOX (content), _("As the _Recording Tells"), &self->verdict, &self->save, &self->remove);
  g_signal_connect_swapped (self->remove, "clicked", G_CALLBACK (es_navigation_dialog_remove), self);
  g_signal_connect (target, "drop", G_CALLBACK (on_drop), self);
  gtk_widget_add_controller (GTK_WIDGET (self), GTK_EVENT_CONTROLLER (target));
}

GtkWidget *
es_navigation_dialog_new (GtkWindow *parent, EsRecording *recording)
{
  EsNavigationDialog *self;
  g_autoptr (EsNavigation) navigation = NULL;
  char text[G_ASCII_DTOSTR_BUF_SIZE];

  g_return_val_if_fail (ES_IS_RECORDING (recording), NULL);

  self = g_object_new (ES_TYPE_NAVIGATION_DIALOG, "transient-for", parent, "modal", TRUE, NULL);
  self->recording = g_object_ref (recording);
  navigation = es_recording_dup_navigation (recording);
  self->filling = TRUE;
  if (navigation != NULL)
    {
      show_start (self, es_navigation_get_start (navigation));
      if (es_navigation_is_fixed (navigation))
        gtk_editable_set_text (GTK_EDITABLE (self->heading),
                               g_ascii_formatd (text, sizeof text, "%.10g",
                                                es_navigation_get_heading (navigation, 0)));
      else if (es_navigation_get_n_headings (navigation) > 0)
        self->headings = es_navigation_ref (navigation);
    }
  self->filling = FALSE;
  if (es_dataset_get_file (ES_DATASET (recording)) == NULL)
    {
      gtk_check_button_set_active (self->save, FALSE);
      gtk_widget_set_visible (GTK_WIDGET (self->save), FALSE);
    }
  gtk_widget_set_visible (self->remove, navigation != NULL
                                        && es_navigation_get_source (navigation) != ES_NAVIGATION_OF_RECORDING);
  judge (self);
  gtk_window_set_focus (GTK_WINDOW (self), navigation != NULL && es_navigation_get_start (navigation) != NULL
                                           && self->headings == NULL ? self->heading : self->start);
  return GTK_WIDGET (self);
}

void
es_navigation_dialog_type (EsNavigationDialog *self, const char *start, const char *heading)
{
  g_return_if_fail (ES_IS_NAVIGATION_DIALOG (self));

  if (start != NULL)
    gtk_editable_set_text (GTK_EDITABLE (self->start), start);
  if (heading != NULL)
    gtk_editable_set_text (GTK_EDITABLE (self->heading), heading);
}

EsNavigation *
es_navigation_dialog_get (EsNavigationDialog *self)
{
  g_return_val_if_fail (ES_IS_NAVIGATION_DIALOG (self), NULL);
  return self->navigation != NULL ? es_navigation_ref (self->navigation) : NULL;
}

const char *
es_navigation_dialog_get_verdict (EsNavigationDialog *self)
{
  g_return_val_if_fail (ES_IS_NAVIGATION_DIALOG (self), NULL);
  return gtk_label_get_label (self->verdict);
}
