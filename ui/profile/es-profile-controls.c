/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* What a profile is along, in which unit, and how it is sampled. */

#include "es-profile-pane-private.h"

#include <glib/gi18n-lib.h>

#include "widgets/es-wheel.h"
#include "widgets/es-wrap-layout.h"

static void
on_kind (EsProfilePane *self)
{
  if (!self->updating)
    es_profile_pane_set_kind (self, gtk_drop_down_get_selected (GTK_DROP_DOWN (self->kind_choice)));
}

static void
on_unit (EsProfilePane *self)
{
  if (self->updating)
    return;
  self->metres = gtk_drop_down_get_selected (GTK_DROP_DOWN (self->unit_choice)) == 1;
  _es_profile_pane_draw (self);
  g_signal_emit_by_name (self, "changed");
}

static void
on_sampling (EsProfilePane *self)
{
  if (self->updating)
    return;
  self->sampling = gtk_drop_down_get_selected (GTK_DROP_DOWN (self->sampling_choice));
  if (self->line != NULL)
    self->line->sampling = self->sampling;
  _es_profile_pane_update (self);
  g_signal_emit_by_name (self, "changed");
}

static void
on_width (EsProfilePane *self)
{
  const guint width = (guint) gtk_spin_button_get_value_as_int (GTK_SPIN_BUTTON (self->width_spin));

  if (self->updating)
    return;
  /* There is no middle to an even number. */
  if (width % 2 == 0)
    {
      gtk_spin_button_set_value (GTK_SPIN_BUTTON (self->width_spin), width + 1);
      return;
    }
  self->width = width;
  if (self->line != NULL)
    self->line->width = width;
  _es_profile_pane_update (self);
  g_signal_emit_by_name (self, "changed");
}

static void
on_all (EsProfilePane *self)
{
  if (self->updating)
    return;
  self->all = gtk_toggle_button_get_active (GTK_TOGGLE_BUTTON (self->all_toggle));
  _es_profile_pane_update (self);
  g_signal_emit_by_name (self, "changed");
}

/* What is typed acts at once where it is a line of the picture, and is marked where it is not. */
static void
on_entry (EsProfilePane *self)
{
  EsPlaneSource *source = es_display_get_source (self->display);
  const char *text = gtk_editable_get_text (GTK_EDITABLE (self->entry));
  g_autoptr (EsProfileLine) line = NULL;
  g_autoptr (GError) error = NULL;

  if (self->updating)
    return;
  line = es_profile_line_parse (text, &error);
  if (line != NULL && source != NULL
      && !es_profile_line_check (line, es_plane_source_get_width (source), es_plane_source_get_height (source), &error))
    g_clear_pointer (&line, es_profile_line_free);
  if (line == NULL)
    {
      gtk_widget_add_css_class (self->entry, "error");
      gtk_widget_set_tooltip_text (self->entry, error->message);
      return;
    }
  self->updating = TRUE;
  line->sampling = self->sampling;
  line->width = self->width;
  es_profile_pane_set_line (self, line);
  self->updating = FALSE;
  gtk_widget_remove_css_class (self->entry, "error");
}

void
_es_profile_pane_update_controls (EsProfilePane *self)
{
  g_autofree char *text = self->line != NULL ? es_profile_line_format (self->line) : g_strdup ("");

  /* Not what is being typed. */
  const gboolean typed = self->updating;
  self->updating = TRUE;
  gtk_drop_down_set_selected (GTK_DROP_DOWN (self->kind_choice), self->kind);
  gtk_drop_down_set_selected (GTK_DROP_DOWN (self->unit_choice), self->metres && self->has_metres ? 1 : 0);
  gtk_widget_set_sensitive (self->unit_choice, self->has_metres);
  gtk_drop_down_set_selected (GTK_DROP_DOWN (self->sampling_choice), self->sampling);
  gtk_spin_button_set_value (GTK_SPIN_BUTTON (self->width_spin), self->width);
  gtk_toggle_button_set_active (GTK_TOGGLE_BUTTON (self->all_toggle), self->all);
  gtk_widget_set_visible (self->entry, self->kind == ES_PROFILE_LINE);
  if (!typed)
    {
      if (g_strcmp0 (gtk_editable_get_text (GTK_EDITABLE (self->entry)), text) != 0)
        gtk_editable_set_text (GTK_EDITABLE (self->entry), text);
      gtk_widget_remove_css_class (self->entry, "error");
      gtk_widget_set_tooltip_text (self->entry, _("x and y of the ends of the line, and of corners between them"));
    }
  self->updating = typed;
}

static GtkWidget *
make_choice (EsProfilePane *self, const char *const *titles, const char *name, GCallback changed)
{
  GtkWidget *choice = gtk_drop_down_new_from_strings (titles);

  gtk_widget_set_tooltip_text (choice, name);
  gtk_accessible_update_property (GTK_ACCESSIBLE (choice), GTK_ACCESSIBLE_PROPERTY_LABEL, name, -1);
  es_keep_focus (choice);
  g_signal_connect_object (choice, "notify::selected", changed, self, G_CONNECT_SWAPPED);
  return choice;
}

void
_es_profile_pane_make_controls (EsProfilePane *self)
{
  const char *const kinds[] = { C_("profile", "Along the row"), C_("profile", "Along the column"),
                                C_("profile", "Along a line"), NULL };
  const char *const units[] = { C_("profile", "Pixels"), C_("profile", "Metres"), NULL };
  const char *const samplings[] = { C_("profile", "Nearest pixels"), C_("profile", "Bilinear"), NULL };
  GtkWidget *first = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6), *second = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);
  GtkWidget *third = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);
  const char *across = _("Mean of so many pixels across the line");

  self->kind_choice = make_choice (self, kinds, _("What the profile is along; L draws a line in the picture"),
                                   G_CALLBACK (on_kind));
  self->unit_choice = make_choice (self, units, _("Unit of the distance"), G_CALLBACK (on_unit));
  self->sampling_choice = make_choice (self, samplings,
                                       _("Values of the pixels that the line crosses, or in between four of them"),
                                       G_CALLBACK (on_sampling));
  self->width_spin = gtk_spin_button_new_with_range (1, ES_PROFILE_MOST_WIDTH, 2);
  es_ignore_wheel (self->width_spin);
  gtk_editable_set_width_chars (GTK_EDITABLE (self->width_spin), 3);
  gtk_widget_set_tooltip_text (self->width_spin, across);
  gtk_widget_add_css_class (self->width_spin, "numeric");
  gtk_widget_add_css_class (self->width_spin, "compact-spin");
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->width_spin), GTK_ACCESSIBLE_PROPERTY_LABEL, across, -1);
  g_signal_connect_object (self->width_spin, "value-changed", G_CALLBACK (on_width), self, G_CONNECT_SWAPPED);
  self->all_toggle = gtk_toggle_button_new_with_label (_("All Bands"));
  gtk_widget_set_tooltip_text (self->all_toggle, _("What all bands have along the line, as a picture of distance by "
                                                   "wavelength"));
  es_keep_focus (self->all_toggle);
  g_signal_connect_object (self->all_toggle, "toggled", G_CALLBACK (on_all), self, G_CONNECT_SWAPPED);
  self->entry = gtk_entry_new ();
  gtk_entry_set_placeholder_text (GTK_ENTRY (self->entry), "10,20, 50,40");
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->entry), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _("x and y of the ends of the line, and of corners between them"), -1);
  g_signal_connect_object (self->entry, "changed", G_CALLBACK (on_entry), self, G_CONNECT_SWAPPED);
  gtk_widget_set_hexpand (self->kind_choice, TRUE);
  gtk_widget_set_hexpand (self->sampling_choice, TRUE);
  gtk_widget_set_hexpand (self->entry, TRUE);
  gtk_editable_set_width_chars (GTK_EDITABLE (self->entry), 8);
  gtk_box_append (GTK_BOX (first), self->kind_choice);
  gtk_box_append (GTK_BOX (first), self->all_toggle);
  gtk_box_append (GTK_BOX (second), self->sampling_choice);
  gtk_box_append (GTK_BOX (second), self->width_spin);
  gtk_box_append (GTK_BOX (third), self->entry);
  gtk_box_append (GTK_BOX (third), self->unit_choice);
  /* One row where there is room, so that the plot has the height. */
  self->controls = gtk_box_new (GTK_ORIENTATION_VERTICAL, 6);
  gtk_widget_set_layout_manager (self->controls, es_wrap_layout_new (6, 6));
  gtk_widget_add_css_class (self->controls, "pane-margins");
  gtk_box_append (GTK_BOX (self->controls), first);
  gtk_box_append (GTK_BOX (self->controls), second);
  gtk_box_append (GTK_BOX (self->controls), third);
  _es_profile_pane_update_controls (self);
}
