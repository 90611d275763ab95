/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-play-control.h"

#include <glib/gi18n-lib.h>

static void
update_button (GtkWidget *button, GParamSpec *pspec, EsPlanePlayer *player)
{
  gboolean playing;
  const char *tooltip;

  g_object_get (player, "playing", &playing, NULL);
  tooltip = playing ? _("Stop") : _("Show one after the other");
  gtk_button_set_icon_name (GTK_BUTTON (button), playing ? "media-playback-stop-symbolic"
                                                         : "media-playback-start-symbolic");
  gtk_widget_set_tooltip_text (button, tooltip);
  gtk_accessible_update_property (GTK_ACCESSIBLE (button), GTK_ACCESSIBLE_PROPERTY_LABEL, tooltip, -1);
}

static void
on_playing (EsPlanePlayer *player, GParamSpec *pspec, GtkWidget *button)
{
  update_button (button, pspec, player);
}

static void
add_row (GtkGrid *grid, int row, const char *text, GtkWidget *widget)
{
  GtkWidget *label = gtk_label_new_with_mnemonic (text);

  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_label_set_mnemonic_widget (GTK_LABEL (label), widget);
  gtk_widget_set_halign (widget, GTK_ALIGN_END);
  gtk_widget_set_hexpand (widget, TRUE);
  gtk_widget_set_valign (widget, GTK_ALIGN_CENTER);
  gtk_grid_attach (grid, label, 0, row, 1, 1);
  gtk_grid_attach (grid, widget, 1, row, 1, 1);
}

static GtkWidget *
make_settings (EsPlanePlayer *player)
{
  const GBindingFlags both = G_BINDING_SYNC_CREATE | G_BINDING_BIDIRECTIONAL;
  GtkWidget *popover = gtk_popover_new (), *grid = gtk_grid_new ();
  GtkWidget *rate = gtk_spin_button_new_with_range (1, ES_PLANE_PLAYER_MOST_RATE, 1);
  GtkWidget *back = gtk_switch_new (), *skip = gtk_switch_new ();

  gtk_grid_set_row_spacing (GTK_GRID (grid), 8);
  gtk_grid_set_column_spacing (GTK_GRID (grid), 18);
  gtk_widget_set_margin_top (grid, 6);
  gtk_widget_set_margin_bottom (grid, 6);
  gtk_widget_set_margin_start (grid, 6);
  gtk_widget_set_margin_end (grid, 6);
  add_row (GTK_GRID (grid), 0, _("A _second"), rate);
  add_row (GTK_GRID (grid), 1, _("_Back and forth"), back);
  add_row (GTK_GRID (grid), 2, _("Without b_ad bands"), skip);
  g_object_bind_property (player, "rate", gtk_spin_button_get_adjustment (GTK_SPIN_BUTTON (rate)), "value", both);
  g_object_bind_property (player, "back-and-forth", back, "active", both);
  g_object_bind_property (player, "skip-bad", skip, "active", both);
  gtk_popover_set_child (GTK_POPOVER (popover), grid);
  return popover;
}

static void
on_clicked (EsPlanePlayer *player)
{
  gboolean playing;

  g_object_get (player, "playing", &playing, NULL);
  g_object_set (player, "playing", !playing, NULL);
}

GtkWidget *
es_play_control_new (EsPlanePlayer *player)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 0);
  GtkWidget *button = gtk_button_new (), *more = gtk_menu_button_new ();

  g_return_val_if_fail (ES_IS_PLANE_PLAYER (player), NULL);

  gtk_widget_add_css_class (box, "linked");
  gtk_widget_add_css_class (box, "play-control");
  gtk_widget_set_valign (box, GTK_ALIGN_CENTER);
  g_signal_connect_object (button, "clicked", G_CALLBACK (on_clicked), player, G_CONNECT_SWAPPED);
  g_signal_connect_object (player, "notify::playing", G_CALLBACK (on_playing), button, 0);
  update_button (button, NULL, player);
  gtk_menu_button_set_popover (GTK_MENU_BUTTON (more), make_settings (player));
  gtk_widget_set_tooltip_text (more, _("How they are shown one after the other"));
  gtk_accessible_update_property (GTK_ACCESSIBLE (more), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _("How they are shown one after the other"), -1);
  gtk_box_append (GTK_BOX (box), button);
  gtk_box_append (GTK_BOX (box), more);
  g_object_bind_property (player, "possible", box, "visible", G_BINDING_SYNC_CREATE);
  return box;
}
