/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-agree.h"

#include <adwaita.h>
#include <glib/gi18n-lib.h>

#include "base/es-error.h"
#include "writers/es-companion.h"

typedef struct
{
  GFile         *target;
  EsAgreed       agreed;
  gpointer       data;
  GDestroyNotify destroy;
} Question;

static void
question_free (gpointer data, GClosure *closure)
{
  Question *question = data;

  if (question->destroy != NULL)
    question->destroy (question->data);
  g_object_unref (question->target);
  g_free (question);
}

static void
on_response (AdwMessageDialog *dialog, const char *response, Question *question)
{
  if (g_strcmp0 (response, "replace") != 0)
    return;
  es_companion_agree (question->target);
  question->agreed (question->target, question->data);
}

void
es_agree_on_header (GtkWindow *window, GFile *target, EsAgreed agreed, gpointer data, GDestroyNotify destroy)
{
  g_autoptr (GFile) header = es_companion_find_foreign (target);
  g_autofree char *name = NULL, *heading = NULL;
  Question *question;
  GtkWidget *dialog;

  if (header == NULL)
    {
      agreed (target, data);
      if (destroy != NULL)
        destroy (data);
      return;
    }
  name = es_error_file_name (header);
  heading = g_strdup_printf (_("Replace “%s”?"), name);
  dialog = adw_message_dialog_new (window, heading,
                                   _("This header belongs to another file, which can no longer be opened without it."));
  adw_message_dialog_add_responses (ADW_MESSAGE_DIALOG (dialog), "cancel", _("_Cancel"),
                                    "replace", _("_Replace"), NULL);
  adw_message_dialog_set_response_appearance (ADW_MESSAGE_DIALOG (dialog), "replace", ADW_RESPONSE_DESTRUCTIVE);
  adw_message_dialog_set_default_response (ADW_MESSAGE_DIALOG (dialog), "cancel");
  adw_message_dialog_set_close_response (ADW_MESSAGE_DIALOG (dialog), "cancel");

  question = g_new0 (Question, 1);
  question->target = g_object_ref (target);
  question->agreed = agreed;
  question->data = data;
  question->destroy = destroy;
  g_signal_connect_data (dialog, "response", G_CALLBACK (on_response), question, question_free, 0);
  gtk_window_present (GTK_WINDOW (dialog));
}
