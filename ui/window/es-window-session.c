/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* Sessions: what of them is lost, results that are run again, and names of results. */

#include "es-window-private.h"

#include <glib/gi18n-lib.h>

#include "keeping/es-kept-id.h"
#include "session/es-judgement.h"
#include "result/es-operation.h"
#include "widgets/es-format.h"

/* On a banner: the id of the data set that it tells of. */
#define LOST "es-window-lost"

#define LONGEST_NAME 200

/* ---- what could not be opened ---- */

static EsBanner *
find_banner (EsWindow *self, const char *id)
{
  for (GtkWidget *at = gtk_widget_get_first_child (GTK_WIDGET (self->device_banners)); at != NULL;
       at = gtk_widget_get_next_sibling (at))
    if (g_strcmp0 (g_object_get_data (G_OBJECT (at), LOST), id) == 0)
      return ES_BANNER (at);
  return NULL;
}

/* It stays until somebody has read it. */
static void
say_lost (EsWindow *self, const char *id, const char *sentence)
{
  AdwToast *toast = adw_toast_new ("");
  GtkWidget *label = gtk_label_new (sentence);

  gtk_label_set_wrap (GTK_LABEL (label), TRUE);
  gtk_label_set_wrap_mode (GTK_LABEL (label), PANGO_WRAP_WORD_CHAR);
  gtk_label_set_max_width_chars (GTK_LABEL (label), 64);
  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_widget_add_css_class (label, "es-toast");
  adw_toast_set_custom_title (toast, label);
  adw_toast_set_timeout (toast, 0);
  adw_toast_set_button_label (toast, _("_Locate…"));
  adw_toast_set_action_name (toast, "win.locate");
  adw_toast_set_action_target_value (toast, g_variant_new_string (id));
  es_shell_add_toast (self->shell, toast);
}

/* While nothing else is open the columns are hidden, and the banner with them. */
static void
on_lost (EsWindow *self, const char *id, const char *sentence)
{
  EsBanner *banner = find_banner (self, id);

  if (banner == NULL)
    {
      banner = g_object_new (ES_TYPE_BANNER, NULL);
      g_object_set_data_full (G_OBJECT (banner), LOST, g_strdup (id), g_free);
      gtk_box_append (self->device_banners, GTK_WIDGET (banner));
      es_banner_set_action (banner, _("_Locate…"), "win.locate", g_variant_new_string (id));
      es_banner_set_dismiss_action (banner, "win.forget-lost", g_variant_new_string (id));
    }
  es_banner_set_text (banner, sentence);
  if (es_shown_get_dataset (self->shown) == NULL)
    say_lost (self, id, sentence);
}

static void
remove_banner (EsWindow *self, const char *id)
{
  EsBanner *banner = find_banner (self, id);

  if (banner != NULL)
    gtk_box_remove (self->device_banners, GTK_WIDGET (banner));
}

static void
on_located (GtkNativeDialog *chooser, int response, EsWindow *self)
{
  const char *id = g_object_get_data (G_OBJECT (chooser), LOST);
  g_autoptr (GFile) file = response == GTK_RESPONSE_ACCEPT ? gtk_file_chooser_get_file (GTK_FILE_CHOOSER (chooser))
                                                           : NULL;

  if (file == NULL)
    return;
  remove_banner (self, id);
  es_session_keeper_locate (self->keeper, id, file);
}

void
es_window_locate (EsWindow *self, const char *id)
{
  GtkFileChooserNative *chooser;

  if (es_shell_is_choosing (self->shell))
    return;
  chooser = gtk_file_chooser_native_new (_("Locate the Data"), GTK_WINDOW (self), GTK_FILE_CHOOSER_ACTION_OPEN,
                                         _("_Open"), _("_Cancel"));
  g_object_set_data_full (G_OBJECT (chooser), LOST, g_strdup (id), g_free);
  es_shell_choose (self->shell, chooser, G_CALLBACK (on_located), self);
}

void
es_window_forget_lost (EsWindow *self, const char *id)
{
  EsBanner *banner = find_banner (self, id);

  /* It stays, hidden, to be shown again. */
  if (banner != NULL)
    es_banner_set_text (banner, NULL);
  es_session_keeper_forget (self->keeper, id);
  es_window_say_with_action (self, _("It is left out of this session from now on."), _("_Undo"), "win.remember-lost",
                             g_variant_new_string (id));
}

void
es_window_remember_lost (EsWindow *self, const char *id)
{
  EsBanner *banner = find_banner (self, id);

  es_session_keeper_remember (self->keeper, id);
  if (banner != NULL)
    es_banner_show_again (banner);
}

/* ---- results that were not kept ---- */

void
es_window_run_again (EsWindow *self)
{
  EsResult *result = es_shown_get_result (self->shown);
  EsDeviceChoice *choice = es_session_get_device_choice (self->session);
  const EsOperation *operation = result != NULL ? es_result_get_operation (result) : NULL;
  EsDevice *device = es_device_choice_find_device (choice);
  EsResult *source;

  if (result == NULL || !es_result_is_absent (result))
    return;
  if (!operation->of_result)
    {
      es_window_watch_job (self, es_session_run_again (self->session, result, NULL, device));
      return;
    }
  source = es_judgement_find_source (result);
  if (source != NULL && !es_result_is_absent (source))
    es_session_run_again (self->session, result, source, device);
  else if (source != NULL)
    {
      g_autofree char *name = es_format_shorten (es_result_get_title (source), 80);
      g_autofree char *sentence = g_strdup_printf (_("Run “%s” again first, of which this was made."), name);

      es_window_say (self, sentence);
    }
  else
    es_window_say (self, _("What this was made of is not in this session any more."));
}

void
es_window_tell_absent (EsWindow *self)
{
  EsResult *result = es_shown_get_result (self->shown);
  g_autofree char *name = NULL, *sentence = NULL;

  if (result == NULL || !es_result_is_absent (result))
    return;
  name = es_format_shorten (es_result_get_title (result), 80);
  sentence = g_strdup_printf (_("“%s” was not kept."), name);
  es_window_say_with_action (self, sentence, _("_Run Again"), "win.run-again", NULL);
}

/* ---- names ---- */

static void
on_named (AdwMessageDialog *dialog, const char *response, EsResult *result)
{
  GtkEditable *entry = GTK_EDITABLE (adw_message_dialog_get_extra_child (dialog));

  if (g_strcmp0 (response, "rename") != 0)
    return;
  es_result_set_name (result, g_strcmp0 (gtk_editable_get_text (entry), es_result_get_found_title (result)) != 0
                              ? gtk_editable_get_text (entry) : NULL);
}

void
es_window_rename_result (EsWindow *self)
{
  EsResult *result = es_shown_get_result (self->shown);
  AdwMessageDialog *dialog;
  GtkWidget *entry;

  if (result == NULL)
    return;
  dialog = ADW_MESSAGE_DIALOG (adw_message_dialog_new (GTK_WINDOW (self), _("Rename the Result"), NULL));
  entry = gtk_entry_new ();
  gtk_editable_set_text (GTK_EDITABLE (entry), es_result_get_title (result));
  gtk_entry_set_max_length (GTK_ENTRY (entry), LONGEST_NAME);
  gtk_entry_set_placeholder_text (GTK_ENTRY (entry), es_result_get_found_title (result));
  gtk_entry_set_activates_default (GTK_ENTRY (entry), TRUE);
  adw_message_dialog_set_extra_child (dialog, entry);
  adw_message_dialog_add_responses (dialog, "cancel", _("_Cancel"), "rename", _("_Rename"), NULL);
  adw_message_dialog_set_response_appearance (dialog, "rename", ADW_RESPONSE_SUGGESTED);
  adw_message_dialog_set_default_response (dialog, "rename");
  adw_message_dialog_set_close_response (dialog, "cancel");
  g_signal_connect_object (dialog, "response", G_CALLBACK (on_named), result, 0);
  gtk_window_present (GTK_WINDOW (dialog));
}

/* ---- beginning ---- */

void
es_window_connect_keeper (EsWindow *self)
{
  self->keeper = es_session_keeper_new (self->shell);
  g_signal_connect_object (self->keeper, "lost", G_CALLBACK (on_lost), self, G_CONNECT_SWAPPED);
}

void
es_window_keep (EsWindow *self, gboolean files)
{
  g_return_if_fail (ES_IS_WINDOW (self));
  es_session_keeper_begin (self->keeper, files);
}

EsSessionKeeper *
es_window_get_keeper (EsWindow *self)
{
  g_return_val_if_fail (ES_IS_WINDOW (self), NULL);
  return self->keeper;
}
