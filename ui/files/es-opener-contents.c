/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* Files that lead to more than one data set: several arrays in one, and descriptions that name others. */

#include "es-opener-private.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "base/es-task.h"
#include "contents/es-arrays-dialog.h"
#include "contents/es-sources-dialog.h"
#include "dataset/es-file-array.h"
#include "readers/es-open.h"

#define ACTION "other-arrays"

/* ---- several arrays ---- */

/* The names of the arrays of the same file that are open. */
static char **
list_open (EsOpener *self, EsDataset *dataset)
{
  GListModel *datasets = es_session_get_datasets (es_shell_get_session (_es_opener_get_shell (self)));
  g_autoptr (GStrvBuilder) names = g_strv_builder_new ();
  GFile *file = es_dataset_get_file (dataset);

  for (guint i = 0; i < g_list_model_get_n_items (datasets); i++)
    {
      g_autoptr (EsDataset) other = g_list_model_get_item (datasets, i);
      const char *name = es_dataset_get_array_name (other);

      if (name != NULL && es_dataset_get_file (other) != NULL && g_file_equal (es_dataset_get_file (other), file))
        g_strv_builder_add (names, name);
    }
  return g_strv_builder_end (names);
}

static void
on_chosen (EsArraysDialog *dialog, char **names, EsOpener *self)
{
  EsDataset *dataset = g_object_get_data (G_OBJECT (dialog), "es-dataset");
  g_autoptr (EsOpenRequest) request = es_open_request_new (NULL, 0, ES_OPEN_CHOSEN);

  for (guint i = 0; names[i] != NULL; i++)
    {
      EsOpenOptions options = *es_dataset_get_options (dataset);

      options.variable = names[i];
      _es_opener_open_file (self, request, es_dataset_get_file (dataset), &options);
    }
}

static EsDataset *
get_container (EsOpener *self)
{
  EsDataset *dataset = es_shown_get_dataset (es_shell_get_shown (_es_opener_get_shell (self)));

  return dataset != NULL && es_dataset_get_file (dataset) != NULL && es_dataset_get_arrays (dataset)->len > 1
         ? dataset : NULL;
}

static void
activate (GSimpleAction *action, GVariant *parameter, EsOpener *self)
{
  EsDataset *dataset = get_container (self);
  g_auto (GStrv) open = NULL;
  GtkWidget *dialog;

  if (dataset == NULL)
    return;
  open = list_open (self, dataset);
  dialog = es_arrays_dialog_new (_es_opener_get_window (self), dataset,
                                 (const char * const *) open);
  g_object_set_data_full (G_OBJECT (dialog), "es-dataset", g_object_ref (dataset), g_object_unref);
  g_signal_connect_object (dialog, "chosen", G_CALLBACK (on_chosen), self, 0);
  gtk_window_present (GTK_WINDOW (dialog));
}

static void
on_shown (EsOpener *self)
{
  EsShell *shell = _es_opener_get_shell (self);

  g_simple_action_set_enabled (g_object_get_data (G_OBJECT (self), ACTION),
                               shell != NULL && es_shell_is_open (shell) && get_container (self) != NULL);
}

void
es_opener_install_actions (EsOpener *self, GActionMap *map)
{
  g_autoptr (GSimpleAction) action = g_simple_action_new (ACTION, NULL);

  g_object_set_data_full (G_OBJECT (self), ACTION, g_object_ref (action), g_object_unref);
  g_signal_connect_object (action, "activate", G_CALLBACK (activate), self, 0);
  g_signal_connect_object (es_shell_get_shown (_es_opener_get_shell (self)), "changed", G_CALLBACK (on_shown), self,
                           G_CONNECT_SWAPPED);
  g_simple_action_set_enabled (action, FALSE);
  g_action_map_add_action (map, G_ACTION (action));
}

void
_es_opener_tell_arrays (EsOpener *self, EsDataset *dataset)
{
  GPtrArray *arrays = es_dataset_get_arrays (dataset);
  const char *name = es_dataset_get_array_name (dataset);
  g_autofree char *sentence = NULL;

  /* Who named one knows. */
  if (name == NULL || es_dataset_get_options (dataset)->variable != NULL)
    return;
  /* TRANSLATORS: the name of a file, how many arrays it holds, the name of one of them */
  sentence = g_strdup_printf (g_dngettext (GETTEXT_PACKAGE, "“%s” holds %u array: “%s” is shown",
                                           "“%s” holds %u arrays: “%s” is shown", arrays->len),
                              es_dataset_get_name (dataset), arrays->len, name);
  es_shell_say_with_action (_es_opener_get_shell (self), sentence, _("_Others…"), "win." ACTION, NULL);
}

/* ---- descriptions of other files ---- */

typedef struct
{
  EsOpenRequest *request;
  GFile         *file;
  GError        *error;          /* why it was not opened */
} Refused;

static void
refused_free (gpointer data)
{
  Refused *refused = data;

  es_open_request_unref (refused->request);
  g_object_unref (refused->file);
  g_error_free (refused->error);
  g_free (refused);
}

static void
look (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  Refused *refused = data;

  g_task_return_pointer (task, es_dataset_list_sources (refused->file, cancellable, NULL), (GDestroyNotify) g_strfreev);
}

static void
on_response (AdwMessageDialog *dialog, const char *response, EsOpener *self)
{
  Refused *refused = g_object_get_data (G_OBJECT (dialog), "es-refused");
  const EsOpenOptions options = { .driver = "VRT" };

  if (g_strcmp0 (response, "open") == 0)
    _es_opener_open_file (self, refused->request, refused->file, &options);
}

static void
on_looked (GObject *source, GAsyncResult *result, gpointer data)
{
  EsOpener *self = ES_OPENER (source);
  EsShell *shell = _es_opener_get_shell (self);
  Refused *refused = g_task_get_task_data (G_TASK (result));
  g_auto (GStrv) sources = g_task_propagate_pointer (G_TASK (result), NULL);
  Refused *kept;
  GtkWidget *dialog;

  if (shell == NULL || !es_shell_is_open (shell))
    return;
  if (sources == NULL)
    {
      _es_opener_report_failure (self, refused->request, refused->error->message, NULL);
      return;
    }
  kept = g_new0 (Refused, 1);
  kept->request = es_open_request_ref (refused->request);
  kept->file = g_object_ref (refused->file);
  kept->error = g_error_copy (refused->error);
  dialog = es_sources_dialog_new (_es_opener_get_window (self), refused->file, (const char * const *) sources);
  g_object_set_data_full (G_OBJECT (dialog), "es-refused", kept, refused_free);
  g_signal_connect_object (dialog, "response", G_CALLBACK (on_response), self, 0);
  gtk_window_present (GTK_WINDOW (dialog));
}

void
_es_opener_ask_sources (EsOpener *self, EsOpenRequest *request, GFile *file, const GError *error)
{
  g_autoptr (GTask) task = g_task_new (self, NULL, on_looked, NULL);
  Refused *refused = g_new0 (Refused, 1);

  refused->request = es_open_request_ref (request);
  refused->file = g_object_ref (file);
  refused->error = g_error_copy (error);
  g_task_set_source_tag (task, _es_opener_ask_sources);
  g_task_set_task_data (task, refused, refused_free);
  es_task_run_in_thread (task, look);
}
