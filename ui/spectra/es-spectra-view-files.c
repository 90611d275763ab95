/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* Libraries that are opened, and the collection saved as one. */

#include "es-spectra-view-private.h"

#include <glib/gi18n-lib.h>

#include "base/es-task.h"
#include "widgets/es-export.h"

/* Where it is not shown, its owner says it. */
static void
report (EsSpectraView *self, const char *sentence)
{
  if (gtk_widget_get_root (GTK_WIDGET (self)) != NULL)
    es_export_report (GTK_WIDGET (self), sentence);
  else
    g_signal_emit_by_name (self, "said", sentence);
}

typedef struct
{
  EsSpectraView *view;
  GPtrArray     *files;
  gboolean       again;        /* it was open before */
} Loading;

static void
set_files (EsSpectraView *self, GPtrArray *files)
{
  g_clear_pointer (&self->library_files, g_ptr_array_unref);
  self->library_files = g_ptr_array_ref (files);
  g_signal_emit_by_name (self, "library-changed");
}

static void
on_loaded (GObject *source, GAsyncResult *result, gpointer data)
{
  Loading *loading = data;
  g_autoptr (EsSpectraView) self = loading->view;
  g_autoptr (GPtrArray) files = loading->files;
  const gboolean again = loading->again;
  g_autoptr (GError) error = NULL;
  g_autoptr (EsSpectralLibrary) library = es_spectral_library_load_finish (result, &error);

  g_free (loading);
  self->n_files--;
  /* What a person has opened in between stays. */
  if (again && es_spectra_view_get_library (self) != NULL)
    return;
  if (library != NULL)
    {
      es_spectra_view_set_library (self, library);
      if (!again)
        gtk_stack_set_visible_child_name (GTK_STACK (self->lists), "library");
    }
  else
    report (self, error->message);
  /* One that is not there just now, on a disk that is not, is looked for the next time as well. */
  if (library != NULL || again)
    set_files (self, files);
}

static void
load (EsSpectraView *self, GFile *const *files, guint n, gboolean again)
{
  Loading *loading = g_new (Loading, 1);

  *loading = (Loading) { g_object_ref (self), g_ptr_array_new_with_free_func (g_object_unref), again };
  for (guint i = 0; i < n; i++)
    g_ptr_array_add (loading->files, g_object_ref (files[i]));
  self->n_files++;
  es_spectral_library_load_async (files, n, NULL, on_loaded, loading);
}

void
es_spectra_view_open_library (EsSpectraView *self, GFile *const *files, guint n)
{
  g_return_if_fail (ES_IS_SPECTRA_VIEW (self));
  g_return_if_fail (n > 0);

  load (self, files, n, FALSE);
}

void
es_spectra_view_open_library_again (EsSpectraView *self, GFile *const *files, guint n)
{
  g_return_if_fail (ES_IS_SPECTRA_VIEW (self));
  g_return_if_fail (n > 0);

  load (self, files, n, TRUE);
}

GPtrArray *
es_spectra_view_get_library_files (EsSpectraView *self)
{
  g_return_val_if_fail (ES_IS_SPECTRA_VIEW (self), NULL);
  return self->library_files;
}

static void
on_open_response (GtkNativeDialog *dialog, int response, gpointer data)
{
  EsSpectraView *self = data;
  g_autoptr (GListModel) chosen = gtk_file_chooser_get_files (GTK_FILE_CHOOSER (dialog));
  g_autoptr (GPtrArray) files = g_ptr_array_new_with_free_func (g_object_unref);

  for (guint i = 0; response == GTK_RESPONSE_ACCEPT && i < g_list_model_get_n_items (chosen); i++)
    g_ptr_array_add (files, g_list_model_get_item (chosen, i));
  if (files->len > 0)
    es_spectra_view_open_library (self, (GFile *const *) files->pdata, files->len);
  g_object_unref (dialog);
}

void
_es_spectra_view_ask_library (EsSpectraView *self)
{
  GtkRoot *root = gtk_widget_get_root (GTK_WIDGET (self));
  GFile *beside = self->cube != NULL ? es_dataset_get_file (ES_DATASET (self->cube)) : NULL;
  g_autoptr (GFile) folder = beside != NULL ? g_file_get_parent (beside) : NULL;
  GtkFileChooserNative *dialog = gtk_file_chooser_native_new (_("Open Spectral Library"), GTK_IS_WINDOW (root)
                                                                                          ? GTK_WINDOW (root) : NULL,
                                                              GTK_FILE_CHOOSER_ACTION_OPEN, NULL, NULL);

  gtk_native_dialog_set_modal (GTK_NATIVE_DIALOG (dialog), TRUE);
  gtk_file_chooser_set_select_multiple (GTK_FILE_CHOOSER (dialog), TRUE);
  if (folder != NULL)
    gtk_file_chooser_set_current_folder (GTK_FILE_CHOOSER (dialog), folder, NULL);
  g_signal_connect_object (dialog, "response", G_CALLBACK (on_open_response), self, 0);
  gtk_native_dialog_show (GTK_NATIVE_DIALOG (dialog));
}

/* ---- saving ---- */

typedef struct
{
  EsSpectralLibrary *library;
  GFile             *target;
} Saving;

static void
saving_free (gpointer data)
{
  Saving *saving = data;

  g_object_unref (saving->library);
  g_object_unref (saving->target);
  g_free (saving);
}

static void
save_in_thread (GTask *task, gpointer view, gpointer data, GCancellable *cancellable)
{
  Saving *saving = data;
  GError *error = NULL;

  if (es_spectral_library_save (saving->library, saving->target, &error))
    g_task_return_boolean (task, TRUE);
  else
    g_task_return_error (task, error);
}

static void
on_saved (GObject *view, GAsyncResult *result, gpointer data)
{
  EsSpectraView *self = ES_SPECTRA_VIEW (view);
  Saving *saving = g_task_get_task_data (G_TASK (result));
  g_autoptr (GError) error = NULL;

  self->n_files--;
  if (!g_task_propagate_boolean (G_TASK (result), &error))
    {
      report (self, error->message);
      return;
    }
  const guint n = es_spectral_library_get_n (saving->library);
  g_autofree char *name = g_file_get_basename (saving->target), *shown = g_filename_display_name (name);
  g_autofree char *sentence = g_strdup_printf (g_dngettext (GETTEXT_PACKAGE, "%u spectrum is in “%s”.",
                                                            "%u spectra are in “%s”.", n), n, shown);
  report (self, sentence);
}

void
es_spectra_view_save (EsSpectraView *self, GFile *target)
{
  g_autoptr (GTask) task = NULL;
  Saving *saving;

  g_return_if_fail (ES_IS_SPECTRA_VIEW (self));

  saving = g_new (Saving, 1);
  *saving = (Saving) { es_spectrum_collection_to_library (self->collection), g_object_ref (target) };
  self->n_files++;
  task = g_task_new (self, NULL, on_saved, NULL);
  g_task_set_source_tag (task, es_spectra_view_save);
  g_task_set_task_data (task, saving, saving_free);
  es_task_run_in_thread (task, save_in_thread);
}

static void
save_to (GtkWidget *widget, GFile *file, const char *choice, gpointer data)
{
  es_spectra_view_save (ES_SPECTRA_VIEW (widget), file);
}

void
_es_spectra_view_ask_target (EsSpectraView *self, const char *ending)
{
  es_export_ask_file (GTK_WIDGET (self), _("Save Collected Spectra"), _("spectra"), ending, save_to, NULL);
}
