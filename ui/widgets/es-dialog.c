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

GtkWidget *
es_dialog_fill (GtkWindow *window, const char *label, GtkWidget **accept)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0), *content = gtk_box_new (GTK_ORIENTATION_VERTICAL, 12);

  gtk_box_append (GTK_BOX (box), es_dialog_header_new (label, accept));
  gtk_window_set_default_widget (window, *accept);
  gtk_widget_set_margin_top (content, 12);
  gtk_widget_set_margin_bottom (content, 12);
  gtk_widget_set_margin_start (content, 12);
  gtk_widget_set_margin_end (content, 12);
  gtk_box_append (GTK_BOX (box), content);
  adw_window_set_content (ADW_WINDOW (window), box);
  return content;
}

GtkWidget *
es_dialog_row_new (const char *title, const char *subtitle, int width, GtkWidget **entry)
{
  GtkWidget *row = adw_action_row_new ();

  *entry = gtk_entry_new ();
  adw_preferences_row_set_title (ADW_PREFERENCES_ROW (row), title);
  adw_preferences_row_set_use_underline (ADW_PREFERENCES_ROW (row), TRUE);
  adw_action_row_set_subtitle (ADW_ACTION_ROW (row), subtitle);
  gtk_editable_set_width_chars (GTK_EDITABLE (*entry), width);
  gtk_editable_set_max_width_chars (GTK_EDITABLE (*entry), width);
  gtk_editable_set_alignment (GTK_EDITABLE (*entry), 1);
  gtk_entry_set_activates_default (GTK_ENTRY (*entry), TRUE);
  gtk_widget_set_valign (*entry, GTK_ALIGN_CENTER);
  gtk_widget_add_css_class (*entry, "numeric");
  gtk_accessible_update_property (GTK_ACCESSIBLE (*entry), GTK_ACCESSIBLE_PROPERTY_LABEL, title, -1);
  adw_action_row_add_suffix (ADW_ACTION_ROW (row), *entry);
  adw_action_row_set_activatable_widget (ADW_ACTION_ROW (row), *entry);
  /* One stop for the keys, not two. */
  gtk_widget_set_focusable (row, FALSE);
  return row;
}

void
es_dialog_add_foot (GtkBox *box, const char *remove_label, GtkLabel **verdict, GtkCheckButton **save,
                    GtkWidget **remove)
{
  GtkWidget *foot = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);

  *verdict = GTK_LABEL (gtk_label_new (NULL));
  gtk_label_set_wrap (*verdict, TRUE);
  gtk_label_set_width_chars (*verdict, 60);
  gtk_label_set_max_width_chars (*verdict, 60);
  gtk_label_set_xalign (*verdict, 0);
  gtk_box_append (box, GTK_WIDGET (*verdict));
  *save = GTK_CHECK_BUTTON (gtk_check_button_new_with_mnemonic (_("Save _beside the recording, for the next time")));
  gtk_check_button_set_active (*save, TRUE);
  gtk_widget_set_hexpand (GTK_WIDGET (*save), TRUE);
  *remove = gtk_button_new_with_mnemonic (remove_label);
  gtk_widget_add_css_class (*remove, "destructive-action");
  gtk_box_append (GTK_BOX (foot), GTK_WIDGET (*save));
  gtk_box_append (GTK_BOX (foot), *remove);
  gtk_box_append (box, foot);
}
