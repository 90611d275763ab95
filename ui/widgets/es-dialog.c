/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-dialog.h"

#include <adwaita.h>
#include <glib/gi18n-lib.h>

#include "base/es-text-show.h"

GtkWidget *
es_dialog_header_new (const char *label, GtkWidget **accept)
{
  GtkWidget *header = adw_header_bar_new ();
  GtkWidget *cancel = gtk_button_new_with_mnemonic (_("_Cancel"));

  *accept = gtk_button_new_with_mnemonic (label);
  gtk_widget_add_css_class (*accept, "suggested-action");
  adw_header_bar_set_show_start_title_buttons (ADW_HEADER_BAR (header), FALSE);
  adw_header_bar_set_show_end_title_buttons (ADW_HEADER_BAR (header), FALSE);
  adw_header_bar_pack_start (ADW_HEADER_BAR (header), cancel);
  adw_header_bar_pack_end (ADW_HEADER_BAR (header), *accept);
  gtk_actionable_set_action_name (GTK_ACTIONABLE (cancel), "window.close");
  return header;
}

void
es_dialog_say (GtkLabel *verdict, const char *sentence, const char *look)
{
  static const char * const looks[] = { "error", "warning", "dim-label" };
  g_autofree char *shown = es_text_show_lines (sentence);

  for (guint i = 0; i < G_N_ELEMENTS (looks); i++)
    if (g_str_equal (looks[i], look))
      gtk_widget_add_css_class (GTK_WIDGET (verdict), looks[i]);
    else
      gtk_widget_remove_css_class (GTK_WIDGET (verdict), looks[i]);
  gtk_label_set_label (verdict, shown);
}
