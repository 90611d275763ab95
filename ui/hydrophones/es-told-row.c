/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-told-row.h"

#include <glib/gi18n-lib.h>

struct _EsToldRow
{
  GtkWidget    parent_instance;

  GtkWidget   *box;
  GtkLabel    *label;
  EsRecording *recording;
  const char  *changed;          /* the signal of the recording */
  char      *(*tell) (EsRecording *recording, char **details);
};

G_DEFINE_FINAL_TYPE (EsToldRow, es_told_row, GTK_TYPE_WIDGET)

/* Other than 1: what is full scale of the file is not that of levels. */
static gboolean
has_gains (EsRecording *recording)
{
  g_autoptr (EsArray) array = es_recording_get_array (recording);
  const guint n = array != NULL ? es_array_get_n_elements (array) : 0;

  for (guint i = 0; i < n; i++)
    if (es_array_get_elements (array)[i].gain != 1)
      return TRUE;
  return FALSE;
}

static char *
tell_calibration (EsRecording *recording, char **details)
{
  g_autoptr (EsCalibration) calibration = es_recording_dup_calibration (recording);
  const guint n = es_recording_get_n_channels (recording);

  if (calibration == NULL && has_gains (recording))
    {
      *details = g_strdup (_("The array gives gains to its elements: levels are of samples times these."));
      return g_strdup (_("not calibrated; gains applied"));
    }
  if (calibration == NULL)
    return g_strdup (_("not calibrated: re full scale"));
  g_autofree char *missing = es_calibration_tell_missing (calibration, n);
  g_autofree char *scale = es_calibration_tell_full_scale (calibration, n);
  g_autofree char *source = es_calibration_describe_source (calibration);
  *details = es_calibration_describe (calibration, n);
  return g_strdup_printf ("%s; %s%s%s", scale, source, missing != NULL ? ". " : "", missing != NULL ? missing : "");
}

static char *
tell_navigation (EsRecording *recording, char **details)
{
  g_autoptr (EsNavigation) navigation = es_recording_dup_navigation (recording);
  g_autofree char *text = navigation != NULL ? es_navigation_describe (navigation) : NULL;

  if (text == NULL || *text == '\0')
    return g_strdup (_("start and heading not told"));
  *details = es_navigation_tell_gaps (navigation, es_recording_get_seconds (recording));
  return es_navigation_get_n_headings (navigation) > 0 ? g_steal_pointer (&text)
                                                       : g_strdup_printf (_("%s; heading not told"), text);
}

static void
update (EsToldRow *self)
{
  g_autofree char *details = NULL, *text = self->recording != NULL ? self->tell (self->recording, &details) : NULL;

  gtk_label_set_label (self->label, text != NULL ? text : "");
  /* One line: what does not fit is in the tooltip. */
  g_autofree char *all = text != NULL && details != NULL ? g_strdup_printf ("%s\n%s", text, details) : g_strdup (text);
  gtk_widget_set_tooltip_text (GTK_WIDGET (self->label), all);
  gtk_widget_set_visible (GTK_WIDGET (self), self->recording != NULL);
}

static void
es_told_row_dispose (GObject *object)
{
  EsToldRow *self = ES_TOLD_ROW (object);

  if (self->recording != NULL)
    g_signal_handlers_disconnect_by_data (self->recording, self);
  g_clear_object (&self->recording);
  g_clear_pointer (&self->box, gtk_widget_unparent);
  G_OBJECT_CLASS (es_told_row_parent_class)->dispose (object);
}

static void
es_told_row_class_init (EsToldRowClass *class)
{
  G_OBJECT_CLASS (class)->dispose = es_told_row_dispose;
  gtk_widget_class_set_layout_manager_type (GTK_WIDGET_CLASS (class), GTK_TYPE_BIN_LAYOUT);
}

static void
es_told_row_init (EsToldRow *self)
{
  self->box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);
  gtk_widget_set_parent (self->box, GTK_WIDGET (self));
  self->label = GTK_LABEL (gtk_label_new (NULL));
  gtk_label_set_ellipsize (self->label, PANGO_ELLIPSIZE_END);
  gtk_label_set_xalign (self->label, 0);
  gtk_widget_set_hexpand (GTK_WIDGET (self->label), TRUE);
  gtk_widget_add_css_class (GTK_WIDGET (self->label), "caption");
  gtk_widget_add_css_class (GTK_WIDGET (self->label), "dim-label");
  gtk_widget_add_css_class (GTK_WIDGET (self->label), "numeric");
  gtk_box_append (GTK_BOX (self->box), GTK_WIDGET (self->label));
}

static GtkWidget *
make (const char *title, const char *words, const char *action, const char *changed,
      char *(*tell) (EsRecording *recording, char **details))
{
  EsToldRow *self = g_object_new (ES_TYPE_TOLD_ROW, NULL);
  GtkWidget *button = gtk_button_new_with_mnemonic (title);

  self->changed = changed;
  self->tell = tell;
  gtk_actionable_set_action_name (GTK_ACTIONABLE (button), action);
  gtk_widget_set_tooltip_text (button, words);
  gtk_widget_set_valign (button, GTK_ALIGN_CENTER);
  gtk_widget_add_css_class (button, "pane-button");
  gtk_box_append (GTK_BOX (self->box), button);
  update (self);
  return GTK_WIDGET (self);
}

GtkWidget *
es_told_row_new_calibration (void)
{
  return make (_("_Calibrate…"), _("Sensitivity, gain and ADC range: levels in micropascals"), "win.calibrate",
               "notify::calibration", tell_calibration);
}

GtkWidget *
es_told_row_new_navigation (void)
{
  return make (_("C_ompass…"), _("When the recording began and where its array points: clock and true bearings"),
               "win.navigation", "notify::navigation", tell_navigation);
}

void
es_told_row_set_recording (EsToldRow *self, EsRecording *recording)
{
  g_return_if_fail (ES_IS_TOLD_ROW (self));

  if (self->recording != NULL)
    g_signal_handlers_disconnect_by_data (self->recording, self);
  g_set_object (&self->recording, recording);
  if (recording != NULL)
    {
      g_signal_connect_swapped (recording, self->changed, G_CALLBACK (update), self);
      g_signal_connect_swapped (recording, "notify::array", G_CALLBACK (update), self);
    }
  update (self);
}

const char *
es_told_row_get_text (EsToldRow *self)
{
  g_return_val_if_fail (ES_IS_TOLD_ROW (self), NULL);
  return gtk_label_get_label (self->label);
}
