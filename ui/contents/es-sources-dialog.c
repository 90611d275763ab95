/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-sources-dialog.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "base/es-error.h"
#include "base/es-text-show.h"

#define MOST_SHOWN 200u

static gboolean
is_address (const char *source)
{
  return strstr (source, "://") != NULL || g_str_has_prefix (source, "/vsi");
}

static GtkWidget *
list_new (const char * const *sources)
{
  GtkWidget *scrolled = gtk_scrolled_window_new (), *label;
  g_autoptr (GString) text = g_string_new (NULL);
  const guint n = g_strv_length ((char **) sources);

  for (guint i = 0; i < MIN (n, MOST_SHOWN); i++)
    {
      g_autofree char *name = g_filename_display_name (sources[i]);
      g_autofree char *shown = es_text_show (name);

      g_string_append_printf (text, "%s%s", i > 0 ? "\n" : "", shown);
      if (is_address (sources[i]))
        /* TRANSLATORS: behind an address, in a list of files that would be read */
        g_string_append (text, _(" (an address, which is not read)"));
    }
  if (n > MOST_SHOWN)
    g_string_append_printf (text, g_dngettext (GETTEXT_PACKAGE, "\nand %u more", "\nand %u more", n - MOST_SHOWN),
                            n - MOST_SHOWN);
  label = gtk_label_new (text->str);
  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_label_set_yalign (GTK_LABEL (label), 0);
  gtk_label_set_wrap (GTK_LABEL (label), TRUE);
  gtk_label_set_wrap_mode (GTK_LABEL (label), PANGO_WRAP_WORD_CHAR);
  gtk_label_set_selectable (GTK_LABEL (label), TRUE);
  /* Else it would have the focus, all of it selected. */
  gtk_widget_set_can_focus (label, FALSE);
  gtk_widget_add_css_class (label, "caption");
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scrolled), label);
  gtk_scrolled_window_set_policy (GTK_SCROLLED_WINDOW (scrolled), GTK_POLICY_NEVER, GTK_POLICY_AUTOMATIC);
  gtk_scrolled_window_set_propagate_natural_height (GTK_SCROLLED_WINDOW (scrolled), TRUE);
  gtk_scrolled_window_set_max_content_height (GTK_SCROLLED_WINDOW (scrolled), 240);
  return scrolled;
}

GtkWidget *
es_sources_dialog_new (GtkWindow *parent, GFile *file, const char * const *sources)
{
  g_autofree char *name = es_error_file_name (file), *heading = NULL;
  const guint n = g_strv_length ((char **) sources);
  GtkWidget *dialog;

  /* TRANSLATORS: %s is the name of a file */
  heading = g_strdup_printf (_("Read What “%s” Names?"), name);
  dialog = adw_message_dialog_new (parent, heading, NULL);
  if (n == 0)
    adw_message_dialog_set_body (ADW_MESSAGE_DIALOG (dialog),
                                 _("It is a description of other files, and names none."));
  else
    {
      g_autofree char *body
        = g_strdup_printf (g_dngettext (GETTEXT_PACKAGE,
                                        "It holds no samples itself but describes another file, which would be read:",
                                        "It holds no samples itself but describes %u others, which would be read:", n),
                           n);

      adw_message_dialog_set_body (ADW_MESSAGE_DIALOG (dialog), body);
      adw_message_dialog_set_extra_child (ADW_MESSAGE_DIALOG (dialog), list_new (sources));
    }
  adw_message_dialog_add_responses (ADW_MESSAGE_DIALOG (dialog), "cancel", _("_Cancel"), "open", _("_Read"), NULL);
  adw_message_dialog_set_default_response (ADW_MESSAGE_DIALOG (dialog), "cancel");
  adw_message_dialog_set_close_response (ADW_MESSAGE_DIALOG (dialog), "cancel");
  return dialog;
}
