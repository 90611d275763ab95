/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* Files that do not say what they hold: a person tells it. */

#include "es-opener-private.h"

#include <glib/gi18n-lib.h>

#include "base/es-error.h"
#include "base/es-task.h"
#include "import/es-raw-dialog.h"
#include "import/es-cube-import.h"

/* ---- a recording ---- */

static void
on_import (EsRawDialog *dialog, EsOpener *self)
{
  EsOpenOptions options = { .samples = es_raw_dialog_get_samples (dialog) };

  _es_opener_go_on (self, dialog, es_raw_dialog_get_file (dialog), &options);
}

void
es_opener_import_raw (EsOpener *self, const char *uri)
{
  g_autoptr (GFile) file = g_file_new_for_uri (uri);
  g_autoptr (EsOpenRequest) request = _es_opener_take_unread (self, uri);
  GtkWidget *dialog = es_raw_dialog_new (_es_opener_get_window (self), file);

  _es_opener_keep_request (dialog, request);
  g_signal_connect_object (dialog, "import", G_CALLBACK (on_import), self, 0);
  gtk_window_present (GTK_WINDOW (dialog));
}

/* ---- a cube ---- */

typedef struct
{
  GFile     *file;
  EsRawShape shape;
} Header;

static void
header_free (gpointer data)
{
  g_object_unref (((Header *) data)->file);
  g_free (data);
}

static void
write_header (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  const Header *header = data;
  GError *error = NULL;

  if (es_raw_header_write (header->file, &header->shape, &error))
    g_task_return_boolean (task, TRUE);
  else
    g_task_return_error (task, error);
}

static void
on_header_written (GObject *source, GAsyncResult *result, gpointer data)
{
  EsOpener *self = ES_OPENER (source);
  const Header *header = g_task_get_task_data (G_TASK (result));
  g_autofree char *name = es_error_file_name (header->file), *sentence = NULL;
  g_autoptr (GError) error = NULL;

  if (g_task_propagate_boolean (G_TASK (result), &error))
    sentence = g_strdup_printf (_("“%s.hdr” was written: “%s” opens by itself from now on."), name, name);
  if (_es_opener_get_shell (self) != NULL && es_shell_is_open (_es_opener_get_shell (self)))
    es_shell_say (_es_opener_get_shell (self), sentence != NULL ? sentence : error->message);
}

static void
on_import_cube (EsCubeImport *dialog, EsOpener *self)
{
  const EsRawShape shape = es_cube_import_get_shape (dialog);
  EsOpenOptions options;

  es_raw_shape_to_options (&shape, &options);
  _es_opener_go_on (self, dialog, es_cube_import_get_file (dialog), &options);
  if (es_cube_import_wants_header (dialog))
    {
      g_autoptr (GTask) task = g_task_new (self, NULL, on_header_written, NULL);
      Header *header = g_new0 (Header, 1);

      header->file = g_object_ref (es_cube_import_get_file (dialog));
      header->shape = shape;
      g_task_set_source_tag (task, on_import_cube);
      g_task_set_task_data (task, header, header_free);
      es_task_run_in_thread (task, write_header);
    }
}

void
es_opener_import_cube (EsOpener *self, const char *uri)
{
  g_autoptr (GFile) file = g_file_new_for_uri (uri);
  g_autoptr (EsOpenRequest) request = _es_opener_take_unread (self, uri);
  GtkWidget *dialog = es_cube_import_new (_es_opener_get_window (self), file);

  _es_opener_keep_request (dialog, request);
  g_signal_connect_object (dialog, "import", G_CALLBACK (on_import_cube), self, 0);
  gtk_window_present (GTK_WINDOW (dialog));
}

/* ---- which of the two ---- */

static void
on_kind_response (AdwMessageDialog *dialog, const char *response, EsOpener *self)
{
  const char *uri = g_object_get_data (G_OBJECT (dialog), "es-uri");

  if (g_strcmp0 (response, "cube") == 0)
    es_opener_import_cube (self, uri);
  else if (g_strcmp0 (response, "recording") == 0)
    es_opener_import_raw (self, uri);
}

void
es_opener_import_as (EsOpener *self, const char *uri)
{
  g_autoptr (GFile) file = g_file_new_for_uri (uri);
  g_autofree char *name = es_error_file_name (file);
  /* TRANSLATORS: %s is the name of a file */
  g_autofree char *heading = g_strdup_printf (_("Import “%s”"), name);
  GtkWidget *dialog = adw_message_dialog_new (_es_opener_get_window (self), heading,
                                              _("A file without a header does not say what its numbers are. Are they "
                                                "the pixels of a cube or the samples of a recording?"));

  adw_message_dialog_add_responses (ADW_MESSAGE_DIALOG (dialog), "cancel", _("_Cancel"), "recording",
                                    _("_Recording…"), "cube", _("C_ube…"), NULL);
  adw_message_dialog_set_default_response (ADW_MESSAGE_DIALOG (dialog), "cube");
  adw_message_dialog_set_close_response (ADW_MESSAGE_DIALOG (dialog), "cancel");
  g_object_set_data_full (G_OBJECT (dialog), "es-uri", g_strdup (uri), g_free);
  g_signal_connect_object (dialog, "response", G_CALLBACK (on_kind_response), self, 0);
  gtk_window_present (GTK_WINDOW (dialog));
}

static void
on_import_chosen (GtkNativeDialog *dialog, int response, EsOpener *self)
{
  g_autoptr (GFile) file = response == GTK_RESPONSE_ACCEPT ? gtk_file_chooser_get_file (GTK_FILE_CHOOSER (dialog))
                                                           : NULL;
  g_autofree char *uri = file != NULL ? g_file_get_uri (file) : NULL;

  if (uri != NULL)
    es_opener_import_as (self, uri);
}

void
es_opener_choose_import (EsOpener *self)
{
  EsShell *shell = _es_opener_get_shell (self);
  GtkFileChooserNative *chooser;

  if (es_shell_is_choosing (shell))
    return;
  chooser = gtk_file_chooser_native_new (_("Import a File without a Header"), es_shell_get_window (shell),
                                         GTK_FILE_CHOOSER_ACTION_OPEN, _("_Import"), _("_Cancel"));
  es_shell_choose (shell, chooser, G_CALLBACK (on_import_chosen), self);
}
