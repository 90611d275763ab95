/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-open-beside.h"

#include <glib/gi18n-lib.h>

typedef struct
{
  GtkNativeDialog **chooser;
  EsFileChosen      chosen;
  gpointer          data;
} Asked;

static void
asked_free (gpointer data, GClosure *closure)
{
  g_free (data);
}

static void
on_response (GtkNativeDialog *chooser, int response, Asked *asked)
{
  g_autoptr (GFile) file = response == GTK_RESPONSE_ACCEPT ? gtk_file_chooser_get_file (GTK_FILE_CHOOSER (chooser))
                                                           : NULL;
  g_autoptr (GtkNativeDialog) held = g_object_ref (chooser);

  if (file != NULL)
    asked->chosen (asked->data, file);
  g_clear_object (asked->chooser);
}

const char *const es_open_positions_suffixes[] = { "csv", "xml", "sigmf-meta", "sigmf-collection", "json", NULL };

void
es_open_add_filters (GtkFileChooser *chooser, const char *name, const char *const *suffixes)
{
  g_autoptr (GtkFileFilter) known = gtk_file_filter_new ();
  g_autoptr (GtkFileFilter) all = gtk_file_filter_new ();

  gtk_file_filter_set_name (known, name);
  for (guint i = 0; suffixes[i] != NULL; i++)
    gtk_file_filter_add_suffix (known, suffixes[i]);
  gtk_file_filter_set_name (all, _("All files"));
  gtk_file_filter_add_pattern (all, "*");
  gtk_file_chooser_add_filter (chooser, known);
  gtk_file_chooser_add_filter (chooser, all);
}

void
es_open_beside (GtkNativeDialog **chooser, GtkWindow *parent, const char *title, EsRecording *recording,
                const char *name, const char *const *suffixes, EsFileChosen chosen, gpointer data)
{
  GFile *file = es_dataset_get_file (ES_DATASET (recording));
  g_autoptr (GFile) folder = file != NULL ? g_file_get_parent (file) : NULL;
  GtkFileChooserNative *native;
  Asked *asked;
  GClosure *closure;

  if (*chooser != NULL)
    return;
  native = gtk_file_chooser_native_new (title, parent, GTK_FILE_CHOOSER_ACTION_OPEN, _("_Open"), _("_Cancel"));
  es_open_add_filters (GTK_FILE_CHOOSER (native), name, suffixes);
  if (folder != NULL)
    gtk_file_chooser_set_current_folder (GTK_FILE_CHOOSER (native), folder, NULL);
  gtk_native_dialog_set_modal (GTK_NATIVE_DIALOG (native), TRUE);
  *chooser = GTK_NATIVE_DIALOG (native);
  asked = g_new (Asked, 1);
  *asked = (Asked) { chooser, chosen, data };
  closure = g_cclosure_new (G_CALLBACK (on_response), asked, asked_free);
  /* Nobody is called who has gone. */
  g_object_watch_closure (data, closure);
  g_signal_connect_closure (native, "response", closure, FALSE);
  gtk_native_dialog_show (*chooser);
}
