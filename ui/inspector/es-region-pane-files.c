/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* The files of classes: saved and opened, written as a classification and as mean spectra. */

#include "es-region-pane-private.h"

#include <glib/gi18n-lib.h>

#include "base/es-task.h"
#include "widgets/es-agree.h"
#include "widgets/es-export.h"
#include "writers/es-writer.h"

typedef gboolean (*WriteClasses) (EsRegionSet *set, GFile *file, GError **error);

static void
write_to (GtkWidget *widget, GFile *file, const char *choice, gpointer user_data)
{
  EsRegionSet *classes = es_region_control_get_classes (ES_REGION_PANE (widget)->control);
  WriteClasses write = (WriteClasses) user_data;
  g_autoptr (GError) error = NULL;

  if (classes != NULL && !write (classes, file, &error))
    es_export_report (widget, error->message);
}

/* As large as the picture: written by a worker. */
typedef struct
{
  EsRegionSet *classes;        /* its own */
  EsCube      *cube;           /* keeps it */
  GFile       *file;
} Classification;

static void
classification_free (gpointer data)
{
  Classification *what = data;

  g_object_unref (what->classes);
  g_object_unref (what->cube);
  g_object_unref (what->file);
  g_free (what);
}

static void
write_classification (GTask *task, gpointer pane, gpointer data, GCancellable *cancellable)
{
  Classification *what = data;
  GError *error = NULL;

  if (es_region_set_write_classification (what->classes, what->file, NULL, &error))
    g_task_return_boolean (task, TRUE);
  else
    g_task_return_error (task, error);
}

static void
on_classification_written (GObject *pane, GAsyncResult *result, gpointer data)
{
  g_autoptr (GError) error = NULL;

  if (!g_task_propagate_boolean (G_TASK (result), &error) && gtk_widget_get_root (GTK_WIDGET (pane)) != NULL)
    es_export_report (GTK_WIDGET (pane), error->message);
}

static void
write_agreed (GFile *file, gpointer pane)
{
  EsRegionSet *classes = es_region_control_get_classes (ES_REGION_PANE (pane)->control);
  g_autoptr (GTask) task = NULL;
  Classification *what;

  if (classes == NULL || es_region_set_get_cube (classes) == NULL)
    return;
  what = g_new (Classification, 1);
  *what = (Classification) { es_region_set_copy (classes), g_object_ref (es_region_set_get_cube (classes)),
                             g_object_ref (file) };
  task = g_task_new (pane, NULL, on_classification_written, NULL);
  g_task_set_source_tag (task, write_agreed);
  g_task_set_task_data (task, what, classification_free);
  es_task_run_in_thread (task, write_classification);
}

static void
write_classification_to (GtkWidget *widget, GFile *file, const char *choice, gpointer user_data)
{
  GtkRoot *root = gtk_widget_get_root (widget);

  es_agree_on_header (GTK_IS_WINDOW (root) ? GTK_WINDOW (root) : NULL, file, write_agreed, g_object_ref (widget),
                      g_object_unref);
}

static void
save (GtkWidget *widget, const char *name, GVariant *parameter)
{
  es_export_ask_file (widget, _("Save Classes"), _("classes"), "json", write_to, (gpointer) es_region_set_save);
}

static void
save_classification (GtkWidget *widget, const char *name, GVariant *parameter)
{
  es_export_ask_file (widget, _("Save Classification"), _("classification"), "img",
                      write_classification_to, NULL);
}

static void
save_spectra (GtkWidget *widget, const char *name, GVariant *parameter)
{
  es_export_ask_file (widget, _("Save Mean Spectra"), _("mean-spectra"), "csv", write_to,
                      (gpointer) es_region_set_write_spectra);
}

static void
on_open_response (GtkNativeDialog *dialog, int response, gpointer user_data)
{
  EsRegionPane *self = user_data;
  EsRegionSet *classes = es_region_control_get_classes (self->control);
  g_autoptr (GFile) file = gtk_file_chooser_get_file (GTK_FILE_CHOOSER (dialog));

  if (response == GTK_RESPONSE_ACCEPT && file != NULL && classes != NULL)
    _es_region_pane_open_classes (self, classes, file);
  g_object_unref (dialog);
}

static void
open_classes (GtkWidget *widget, const char *name, GVariant *parameter)
{
  GtkRoot *root = gtk_widget_get_root (widget);
  GtkFileChooserNative *dialog = gtk_file_chooser_native_new (_("Open Classes"), GTK_IS_WINDOW (root)
                                                                                 ? GTK_WINDOW (root) : NULL,
                                                              GTK_FILE_CHOOSER_ACTION_OPEN, NULL, NULL);

  gtk_native_dialog_set_modal (GTK_NATIVE_DIALOG (dialog), TRUE);
  g_signal_connect_object (dialog, "response", G_CALLBACK (on_open_response), widget, 0);
  gtk_native_dialog_show (GTK_NATIVE_DIALOG (dialog));
}

void
_es_region_pane_install_files (GtkWidgetClass *klass)
{
  gtk_widget_class_install_action (klass, "region.open", NULL, open_classes);
  gtk_widget_class_install_action (klass, "region.save", NULL, save);
  gtk_widget_class_install_action (klass, "region.write-classification", NULL, save_classification);
  gtk_widget_class_install_action (klass, "region.write-spectra", NULL, save_spectra);
}

void
_es_region_pane_make_foot (EsRegionPane *self)
{
  g_autoptr (GMenu) menu = g_menu_new ();

  g_menu_append (menu, _("_Open Classes…"), "region.open");
  g_menu_append (menu, _("_Save Classes…"), "region.save");
  g_menu_append (menu, _("Save _Classification…"), "region.write-classification");
  g_menu_append (menu, _("Save _Mean Spectra…"), "region.write-spectra");
  self->foot = gtk_menu_button_new ();
  gtk_menu_button_set_label (GTK_MENU_BUTTON (self->foot), _("Files"));
  gtk_menu_button_set_menu_model (GTK_MENU_BUTTON (self->foot), G_MENU_MODEL (menu));
  gtk_widget_set_halign (self->foot, GTK_ALIGN_END);
  gtk_widget_add_css_class (self->foot, "flat");
  gtk_widget_add_css_class (self->foot, "pane-foot");
  gtk_widget_set_tooltip_text (self->foot, _("Open and save classes"));
  gtk_widget_set_parent (self->foot, GTK_WIDGET (self));
}
