/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* The row of controls above the spectra. */

#include "es-spectra-view-private.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "widgets/es-format.h"

static void
on_look (EsSpectraView *self)
{
  EsSpectraLook look = *es_spectra_plot_get_look (self->plot);

  if (self->quiet)
    return;
  look.shape = gtk_drop_down_get_selected (GTK_DROP_DOWN (self->shape));
  look.unit = gtk_drop_down_get_selected (GTK_DROP_DOWN (self->unit));
  look.stacked = gtk_toggle_button_get_active (GTK_TOGGLE_BUTTON (self->stacked));
  es_spectra_view_set_look (self, &look);
}

/* Nothing typed: as much as the largest spectrum spans. */
static void
on_offset (EsSpectraView *self)
{
  EsSpectraLook look = *es_spectra_plot_get_look (self->plot);
  const char *text = gtk_editable_get_text (GTK_EDITABLE (self->offset));
  double offset = NAN;

  if (self->quiet)
    return;
  if (*text != '\0' && !es_format_parse (text, &offset))
    {
      gtk_widget_add_css_class (self->offset, "error");
      return;
    }
  gtk_widget_remove_css_class (self->offset, "error");
  look.offset = offset;
  es_spectra_view_set_look (self, &look);
}

void
_es_spectra_view_update_bar (EsSpectraView *self)
{
  const EsSpectraLook *look = es_spectra_plot_get_look (self->plot);
  g_autofree char *offset = es_format_number (es_spectra_plot_get_offset (self->plot), 0);
  const guint n = es_spectrum_collection_get_n (self->collection);

  self->quiet = TRUE;
  gtk_drop_down_set_selected (GTK_DROP_DOWN (self->shape), look->shape);
  gtk_drop_down_set_selected (GTK_DROP_DOWN (self->unit), look->unit);
  gtk_toggle_button_set_active (GTK_TOGGLE_BUTTON (self->stacked), look->stacked);
  gtk_widget_set_visible (self->offset, look->stacked);
  gtk_entry_set_placeholder_text (GTK_ENTRY (self->offset), offset);
  self->quiet = FALSE;
  gtk_widget_action_set_enabled (GTK_WIDGET (self), "spectra.undo", es_spectrum_collection_can_undo (self->collection));
  gtk_widget_action_set_enabled (GTK_WIDGET (self), "spectra.clear", n > 0);
  gtk_widget_action_set_enabled (GTK_WIDGET (self), "spectra.save", n > 0);
}

static GtkWidget *
make_drop_down (EsSpectraView *self, guint n, const char *(*title) (guint which), const char *name)
{
  g_autoptr (GtkStringList) titles = gtk_string_list_new (NULL);
  GtkWidget *drop_down;

  for (guint i = 0; i < n; i++)
    gtk_string_list_append (titles, title (i));
  drop_down = gtk_drop_down_new (G_LIST_MODEL (g_steal_pointer (&titles)), NULL);
  gtk_widget_set_tooltip_text (drop_down, name);
  gtk_accessible_update_property (GTK_ACCESSIBLE (drop_down), GTK_ACCESSIBLE_PROPERTY_LABEL, name, -1);
  g_signal_connect_object (drop_down, "notify::selected", G_CALLBACK (on_look), self, G_CONNECT_SWAPPED);
  return drop_down;
}

static const char *
shape_title (guint which)
{
  return es_spectra_shape_title ((EsSpectraShape) which);
}

static const char *
unit_title (guint which)
{
  return es_spectra_unit_title ((EsSpectraUnit) which);
}

static GtkWidget *
make_icon (const char *icon, const char *action, const char *name)
{
  GtkWidget *button = gtk_button_new_from_icon_name (icon);

  gtk_actionable_set_action_name (GTK_ACTIONABLE (button), action);
  gtk_widget_add_css_class (button, "flat");
  gtk_widget_set_tooltip_text (button, name);
  gtk_accessible_update_property (GTK_ACCESSIBLE (button), GTK_ACCESSIBLE_PROPERTY_LABEL, name, -1);
  return button;
}

static GtkWidget *
make_menu (void)
{
  g_autoptr (GMenu) menu = g_menu_new (), files = g_menu_new (), rest = g_menu_new ();
  GtkWidget *button = gtk_menu_button_new ();

  g_menu_append (files, _("Open _Library…"), "spectra.open-library");
  g_menu_append (files, _("Save as _ENVI Library…"), "spectra.save::sli");
  g_menu_append (files, _("Save as _CSV…"), "spectra.save::csv");
  g_menu_append (rest, _("Show _All of the Plot"), "spectra.zoom-reset");
  g_menu_append (rest, _("_Remove All Spectra"), "spectra.clear");
  g_menu_append_section (menu, NULL, G_MENU_MODEL (files));
  g_menu_append_section (menu, NULL, G_MENU_MODEL (rest));
  gtk_menu_button_set_icon_name (GTK_MENU_BUTTON (button), "view-more-symbolic");
  gtk_menu_button_set_menu_model (GTK_MENU_BUTTON (button), G_MENU_MODEL (menu));
  gtk_widget_add_css_class (button, "flat");
  gtk_widget_set_tooltip_text (button, _("Files of spectra, and more"));
  return button;
}

static GtkWidget *
make_keep (void)
{
  g_autoptr (GMenu) menu = g_menu_new ();
  GtkWidget *button = gtk_menu_button_new ();

  g_menu_append (menu, _("_Selected Pixel"), "spectra.keep::pixel");
  g_menu_append (menu, _("_Mean of 3 × 3 Pixels"), "spectra.keep::mean");
  g_menu_append (menu, _("Mean of the Selected _Region"), "spectra.keep::selection");
  g_menu_append (menu, _("Means of All _Classes"), "spectra.keep::classes");
  gtk_menu_button_set_label (GTK_MENU_BUTTON (button), _("Keep"));
  gtk_menu_button_set_menu_model (GTK_MENU_BUTTON (button), G_MENU_MODEL (menu));
  gtk_widget_set_tooltip_text (button, _("Keep a spectrum; Ctrl and a click in the picture keeps a pixel's"));
  return button;
}

void
_es_spectra_view_show_detached (EsSpectraView *self)
{
  const char *name = self->detached ? _("Back below the picture") : _("In a window of its own");

  gtk_button_set_icon_name (GTK_BUTTON (self->detach), self->detached ? "view-restore-symbolic"
                                                                      : "view-fullscreen-symbolic");
  /* A window closes by its own button. */
  gtk_widget_set_visible (self->close, !self->detached);
  gtk_widget_set_tooltip_text (self->detach, name);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->detach), GTK_ACCESSIBLE_PROPERTY_LABEL, name, -1);
}

GtkWidget *
_es_spectra_view_make_bar (EsSpectraView *self)
{
  GtkWidget *bar = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6), *space = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 0);

  self->keep = make_keep ();
  self->shape = make_drop_down (self, ES_N_SPECTRA_SHAPES, shape_title, _("What is drawn of each spectrum"));
  self->unit = make_drop_down (self, ES_N_SPECTRA_UNITS, unit_title, _("Unit of the axis"));
  self->stacked = gtk_toggle_button_new_with_mnemonic (_("S_tacked"));
  gtk_widget_set_tooltip_text (self->stacked, _("One above the other, not over each other"));
  self->offset = gtk_entry_new ();
  gtk_editable_set_width_chars (GTK_EDITABLE (self->offset), 7);
  gtk_editable_set_max_width_chars (GTK_EDITABLE (self->offset), 7);
  gtk_widget_set_tooltip_text (self->offset, _("What lies between one spectrum and the next; empty: as much as the "
                                               "largest spans"));
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->offset), GTK_ACCESSIBLE_PROPERTY_LABEL, _("Offset"), -1);
  self->detach = make_icon ("view-fullscreen-symbolic", "spectra.detach", "");
  gtk_widget_set_hexpand (space, TRUE);
  gtk_box_append (GTK_BOX (bar), self->keep);
  gtk_box_append (GTK_BOX (bar), self->shape);
  gtk_box_append (GTK_BOX (bar), self->unit);
  gtk_box_append (GTK_BOX (bar), self->stacked);
  gtk_box_append (GTK_BOX (bar), self->offset);
  gtk_box_append (GTK_BOX (bar), space);
  gtk_box_append (GTK_BOX (bar), make_icon ("edit-undo-symbolic", "spectra.undo", _("Bring back what was removed")));
  gtk_box_append (GTK_BOX (bar), make_menu ());
  gtk_box_append (GTK_BOX (bar), self->detach);
  self->close = make_icon ("window-close-symbolic", "spectra.close", _("Close the spectra"));
  gtk_box_append (GTK_BOX (bar), self->close);
  gtk_widget_add_css_class (bar, "spectra-bar");
  g_signal_connect_object (self->stacked, "toggled", G_CALLBACK (on_look), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->offset, "changed", G_CALLBACK (on_offset), self, G_CONNECT_SWAPPED);
  _es_spectra_view_show_detached (self);
  return bar;
}
