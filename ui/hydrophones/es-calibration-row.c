/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-calibration-row.h"

#include <glib/gi18n-lib.h>

struct _EsCalibrationRow
{
  GtkWidget    parent_instance;

  GtkWidget   *box;
  GtkLabel    *label;
  EsRecording *recording;
};

G_DEFINE_FINAL_TYPE (EsCalibrationRow, es_calibration_row, GTK_TYPE_WIDGET)

static void
update (EsCalibrationRow *self)
{
  g_autoptr (EsCalibration) calibration = self->recording != NULL ? es_recording_dup_calibration (self->recording)
                                                                  : NULL;
  const guint n = self->recording != NULL ? es_recording_get_n_channels (self->recording) : 0;
  g_autofree char *missing = calibration != NULL ? es_calibration_tell_missing (calibration, n) : NULL;
  g_autofree char *all = calibration != NULL ? es_calibration_describe (calibration, n) : NULL;
  g_autofree char *scale = calibration != NULL ? es_calibration_tell_full_scale (calibration, n) : NULL;
  g_autofree char *source = calibration != NULL ? es_calibration_describe_source (calibration) : NULL;
  g_autofree char *text = calibration != NULL
                          ? g_strdup_printf ("%s; %s%s%s", scale, source, missing != NULL ? ". " : "",
                                             missing != NULL ? missing : "") : NULL;

  gtk_label_set_label (self->label, text != NULL ? text : _("not calibrated: dB re full scale"));
  gtk_widget_set_tooltip_text (GTK_WIDGET (self->label), all);
  gtk_widget_set_visible (GTK_WIDGET (self), self->recording != NULL);
}

static void
es_calibration_row_dispose (GObject *object)
{
  EsCalibrationRow *self = ES_CALIBRATION_ROW (object);

  if (self->recording != NULL)
    g_signal_handlers_disconnect_by_data (self->recording, self);
  g_clear_object (&self->recording);
  g_clear_pointer (&self->box, gtk_widget_unparent);
  G_OBJECT_CLASS (es_calibration_row_parent_class)->dispose (object);
}

static void
es_calibration_row_class_init (EsCalibrationRowClass *class)
{
  G_OBJECT_CLASS (class)->dispose = es_calibration_row_dispose;
  gtk_widget_class_set_layout_manager_type (GTK_WIDGET_CLASS (class), GTK_TYPE_BIN_LAYOUT);
}

static void
es_calibration_row_init (EsCalibrationRow *self)
{
  GtkWidget *button = gtk_button_new_with_mnemonic (_("_Calibrate…"));

  self->box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);
  gtk_widget_set_parent (self->box, GTK_WIDGET (self));
  self->label = GTK_LABEL (gtk_label_new (NULL));
  gtk_label_set_wrap (self->label, TRUE);
  gtk_label_set_lines (self->label, 4);
  gtk_label_set_ellipsize (self->label, PANGO_ELLIPSIZE_END);
  gtk_label_set_xalign (self->label, 0);
  gtk_widget_set_hexpand (GTK_WIDGET (self->label), TRUE);
  gtk_widget_add_css_class (GTK_WIDGET (self->label), "caption");
  gtk_widget_add_css_class (GTK_WIDGET (self->label), "dim-label");
  gtk_widget_add_css_class (GTK_WIDGET (self->label), "numeric");
  gtk_actionable_set_action_name (GTK_ACTIONABLE (button), "win.calibrate");
  gtk_widget_set_tooltip_text (button, _("Sensitivity, gain and ADC range: levels in micropascals"));
  gtk_widget_set_valign (button, GTK_ALIGN_CENTER);
  gtk_widget_add_css_class (button, "pane-button");
  gtk_box_append (GTK_BOX (self->box), GTK_WIDGET (self->label));
  gtk_box_append (GTK_BOX (self->box), button);
  update (self);
}

GtkWidget *
es_calibration_row_new (void)
{
  return g_object_new (ES_TYPE_CALIBRATION_ROW, NULL);
}

void
es_calibration_row_set_recording (EsCalibrationRow *self, EsRecording *recording)
{
  g_return_if_fail (ES_IS_CALIBRATION_ROW (self));

  if (self->recording != NULL)
    g_signal_handlers_disconnect_by_data (self->recording, self);
  g_set_object (&self->recording, recording);
  if (recording != NULL)
    g_signal_connect_swapped (recording, "notify::calibration", G_CALLBACK (update), self);
  update (self);
}

const char *
es_calibration_row_get_text (EsCalibrationRow *self)
{
  g_return_val_if_fail (ES_IS_CALIBRATION_ROW (self), NULL);
  return gtk_label_get_label (self->label);
}
