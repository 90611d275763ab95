/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* The menu at the end of the row, of what finds no room in it. */

#include "es-display-bar-private.h"

#include <glib/gi18n-lib.h>

#include "es-band-chooser.h"
#include "image/es-look-choosers.h"
#include "widgets/es-fit-layout.h"

static gboolean
has_no_room (GtkWidget *widget)
{
  return widget != NULL && gtk_widget_get_visible (widget) && !es_fit_layout_has_room (widget);
}

static void
add_rest (GtkGrid *grid, const char *words, GtkWidget *widget)
{
  static const int margin = 6;
  int row = 0;

  while (gtk_grid_get_child_at (grid, 0, row) != NULL)
    row++;
  gtk_widget_set_margin_top (widget, row > 0 ? margin : 0);
  if (words != NULL)
    {
      GtkWidget *label = gtk_label_new (words);

      gtk_label_set_xalign (GTK_LABEL (label), 0);
      gtk_widget_set_margin_top (label, row > 0 ? margin : 0);
      gtk_widget_set_halign (widget, GTK_ALIGN_END);
      gtk_widget_set_hexpand (widget, TRUE);
      gtk_grid_attach (grid, label, 0, row, 1, 1);
      gtk_grid_attach (grid, widget, 1, row, 1, 1);
    }
  else
    {
      gtk_grid_attach (grid, widget, 0, row, 2, 1);
    }
}

/* A check box that is a toggle of the row. */
static void
add_check (GtkGrid *grid, GtkWidget *toggle)
{
  GtkWidget *check;

  if (!has_no_room (toggle))
    return;
  check = gtk_check_button_new_with_label (gtk_widget_get_tooltip_text (toggle));
  g_object_bind_property (toggle, "active", check, "active", G_BINDING_SYNC_CREATE | G_BINDING_BIDIRECTIONAL);
  add_rest (grid, NULL, check);
}

static void
add_rest_of_planes (EsDisplayBar *self, GtkGrid *grid)
{
  const char *names[3] = { _("Red"), _("Green"), _("Blue") };

  for (guint i = 0; i < 3; i++)
    if (has_no_room (self->channels[i]))
      {
        g_set_weak_pointer (&self->rest_channels[i], _es_display_bar_make_channel (self, i));
        es_band_chooser_set_others (ES_BAND_CHOOSER (self->rest_channels[i]), es_display_get_others (self->display));
        add_rest (grid, names[i], self->rest_channels[i]);
      }
  add_check (grid, self->held);
  if (has_no_room (self->slider))
    {
      GtkAdjustment *adjustment = gtk_range_get_adjustment (GTK_RANGE (self->slider));
      GtkWidget *slider = gtk_scale_new (GTK_ORIENTATION_HORIZONTAL, adjustment);

      gtk_range_set_round_digits (GTK_RANGE (slider), 0);
      gtk_accessible_update_property (GTK_ACCESSIBLE (slider), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                      _("Which one is shown"), -1);
      add_rest (grid, NULL, slider);
    }
  if (has_no_room (self->plane))
    {
      g_set_weak_pointer (&self->rest_plane, _es_display_bar_make_plane (self));
      es_band_chooser_set_source (ES_BAND_CHOOSER (self->rest_plane), es_display_get_own_source (self->display));
      add_rest (grid, _("Shown"), self->rest_plane);
    }
  if (has_no_room (self->added))
    /* TRANSLATORS: a label: bands or components are shown one after the other by the buttons beside it */
    add_rest (grid, _("One after the Other"), self->again);
}

void
_es_display_bar_forget_rest (EsDisplayBar *self)
{
  for (guint i = 0; i < 3; i++)
    g_clear_weak_pointer (&self->rest_channels[i]);
  g_clear_weak_pointer (&self->rest_plane);
}

/* Made anew whenever it is opened: what finds no room changes with the width of the column. */
static void
make_rest (GtkMenuButton *button, gpointer data)
{
  EsDisplayBar *self = ES_DISPLAY_BAR (data);
  GtkWidget *popover = gtk_popover_new (), *grid = gtk_grid_new ();

  _es_display_bar_forget_rest (self);
  if (self->again != NULL && gtk_widget_get_parent (self->again) != NULL)
    gtk_grid_remove (GTK_GRID (gtk_widget_get_parent (self->again)), self->again);
  gtk_grid_set_column_spacing (GTK_GRID (grid), 18);
  gtk_widget_set_margin_top (grid, 6);
  gtk_widget_set_margin_bottom (grid, 6);
  gtk_widget_set_margin_start (grid, 6);
  gtk_widget_set_margin_end (grid, 6);
  add_rest_of_planes (self, GTK_GRID (grid));
  if (has_no_room (self->colormap))
    add_rest (GTK_GRID (grid), _("Colour map"), es_colormap_chooser_new (self->display));
  if (has_no_room (self->cut))
    /* TRANSLATORS: a label: the share of values that the stretch cuts off at both ends */
    add_rest (GTK_GRID (grid), C_("stretch", "Cut Off"), es_cut_chooser_new (self->display));
  add_check (GTK_GRID (grid), self->symmetric);
  add_check (GTK_GRID (grid), self->legend);
  gtk_popover_set_child (GTK_POPOVER (popover), grid);
  g_signal_connect_object (popover, "closed", G_CALLBACK (_es_display_bar_forget_rest), self, G_CONNECT_SWAPPED);
  gtk_menu_button_set_popover (button, popover);
  _es_display_bar_update (self);
}

void
_es_display_bar_add_menu (EsDisplayBar *self)
{
  const char *words = _("What finds no room in the row");

  self->rest = gtk_menu_button_new ();
  gtk_menu_button_set_icon_name (GTK_MENU_BUTTON (self->rest), "view-more-horizontal-symbolic");
  gtk_menu_button_set_create_popup_func (GTK_MENU_BUTTON (self->rest), make_rest, self, NULL);
  gtk_widget_add_css_class (self->rest, "flat");
  gtk_widget_set_tooltip_text (self->rest, words);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->rest), GTK_ACCESSIBLE_PROPERTY_LABEL, words, -1);
  gtk_widget_set_valign (self->rest, GTK_ALIGN_CENTER);
  es_fit_layout_set_rest (self->rest);
  gtk_box_append (GTK_BOX (self->row), self->rest);
}
