/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-faces-controls.h"

#include <glib/gi18n-lib.h>

#include "widgets/es-colormap-drop-down.h"
#include "widgets/es-wheel.h"

enum { X, Y, BAND, N_AXES };

typedef struct
{
  EsFacesView *view;             /* weak */
  GtkWidget   *spins[N_AXES][2];
  GtkWidget   *wavelengths;
  gboolean     updating;
} Controls;

static void
controls_free (gpointer data)
{
  Controls *self = data;

  g_clear_weak_pointer (&self->view);
  g_free (self);
}

static void
set_spin (GtkWidget *spin, double most, double value)
{
  gtk_spin_button_set_range (GTK_SPIN_BUTTON (spin), 0, most);
  gtk_spin_button_set_value (GTK_SPIN_BUTTON (spin), value);
}

/* Pixels are told from the first to the last one that is left, from 0 as everywhere, and bands from 1. */
static void
update (Controls *self)
{
  EsCube *cube = self->view != NULL ? es_faces_view_get_cube (self->view) : NULL;
  const EsBandOrder *order = cube != NULL ? es_faces_view_get_order (self->view) : NULL;

  if (order == NULL)
    return;
  const EsFacesCut cut = es_faces_view_get_cut (self->view);
  const double right = (double) es_cube_get_width (cube) - 1, bottom = (double) es_cube_get_height (cube) - 1;
  g_autofree char *first = es_cube_get_band_label (cube, order->bands[cut.band[0]]);
  g_autofree char *last = es_cube_get_band_label (cube, order->bands[cut.band[1] - 1]);
  g_autofree char *text = g_strdup_printf (_("%s to %s"), first, last);

  self->updating = TRUE;
  set_spin (self->spins[X][0], right, (double) cut.x[0]);
  set_spin (self->spins[X][1], right, (double) cut.x[1] - 1);
  set_spin (self->spins[Y][0], bottom, (double) cut.y[0]);
  set_spin (self->spins[Y][1], bottom, (double) cut.y[1] - 1);
  for (guint i = 0; i < 2; i++)
    {
      set_spin (self->spins[BAND][i], order->n, i == 0 ? cut.band[0] + 1. : cut.band[1]);
      gtk_spin_button_set_range (GTK_SPIN_BUTTON (self->spins[BAND][i]), 1, order->n);
    }
  gtk_label_set_text (GTK_LABEL (self->wavelengths), text);
  self->updating = FALSE;
}

static void
on_spin (Controls *self)
{
  EsFacesCut cut;
  guint values[N_AXES][2];

  if (self->updating || self->view == NULL)
    return;
  for (guint axis = 0; axis < N_AXES; axis++)
    for (guint i = 0; i < 2; i++)
      values[axis][i] = (guint) gtk_spin_button_get_value_as_int (GTK_SPIN_BUTTON (self->spins[axis][i]));
  cut = (EsFacesCut) { { values[X][0], values[X][1] + 1 }, { values[Y][0], values[Y][1] + 1 },
                       { values[BAND][0] - 1, values[BAND][1] } };
  es_faces_view_set_cut (self->view, &cut);
}

static void
on_colormap (Controls *self, GParamSpec *pspec, GtkDropDown *choice)
{
  if (self->view != NULL)
    es_faces_view_set_colormap (self->view, gtk_drop_down_get_selected (choice));
}

static void
on_stretch (Controls *self, GParamSpec *pspec, GtkDropDown *choice)
{
  if (self->view != NULL)
    es_faces_view_set_each (self->view, gtk_drop_down_get_selected (choice) == 0);
}

static void
on_gaps (Controls *self, GtkCheckButton *check)
{
  if (self->view != NULL)
    es_faces_view_set_gaps (self->view, gtk_check_button_get_active (check));
}

static void
on_all (Controls *self)
{
  if (self->view != NULL)
    es_faces_view_show_all (self->view);
}

static void
on_back (Controls *self)
{
  if (self->view != NULL)
    es_faces_view_turn_back (self->view);
}

/* ---- making ---- */

static GtkWidget *
add_label (GtkWidget *box, const char *text, const char *style)
{
  GtkWidget *label = gtk_label_new (text);

  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_label_set_wrap (GTK_LABEL (label), TRUE);
  gtk_widget_add_css_class (label, style);
  gtk_box_append (GTK_BOX (box), label);
  return label;
}

static void
add_range (Controls *self, GtkWidget *box, guint axis, const char *title, const char *first, const char *last)
{
  GtkWidget *row = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6), *label = gtk_label_new (title);
  const char *names[2] = { first, last };

  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_label_set_width_chars (GTK_LABEL (label), 6);
  gtk_box_append (GTK_BOX (row), label);
  for (guint i = 0; i < 2; i++)
    {
      GtkWidget *spin = gtk_spin_button_new_with_range (0, 1, 1);

      es_ignore_wheel (spin);
      gtk_editable_set_width_chars (GTK_EDITABLE (spin), 5);
      gtk_widget_set_hexpand (spin, TRUE);
      gtk_widget_set_tooltip_text (spin, names[i]);
      gtk_widget_add_css_class (spin, "numeric");
      gtk_widget_add_css_class (spin, "compact-spin");
      gtk_accessible_update_property (GTK_ACCESSIBLE (spin), GTK_ACCESSIBLE_PROPERTY_LABEL, names[i], -1);
      g_signal_connect_swapped (spin, "value-changed", G_CALLBACK (on_spin), self);
      gtk_box_append (GTK_BOX (row), spin);
      self->spins[axis][i] = spin;
    }
  gtk_box_append (GTK_BOX (box), row);
}

static GtkWidget *
add_button (GtkWidget *box, const char *label, const char *tooltip)
{
  GtkWidget *button = gtk_button_new_with_mnemonic (label);

  gtk_widget_set_tooltip_text (button, tooltip);
  gtk_widget_set_hexpand (button, TRUE);
  gtk_box_append (GTK_BOX (box), button);
  return button;
}

GtkWidget *
es_faces_controls_new (EsFacesView *view)
{
  const char *const stretches[] = { C_("stretch", "Each band by itself"), C_("stretch", "All bands together"), NULL };
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 8), *buttons = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);
  GtkWidget *colormap = es_colormap_drop_down_new (), *stretch = gtk_drop_down_new_from_strings (stretches);
  GtkWidget *gaps = gtk_check_button_new_with_mnemonic (_("_Gaps for bands left out"));
  Controls *self = g_new0 (Controls, 1);

  g_return_val_if_fail (ES_IS_FACES_VIEW (view), NULL);

  g_set_weak_pointer (&self->view, view);
  g_object_set_data_full (G_OBJECT (box), "es-faces-controls", self, controls_free);
  gtk_widget_add_css_class (box, "faces-controls");
  gtk_widget_set_size_request (box, 240, -1);
  add_label (box, _("What is left"), "caption-heading");
  add_range (self, box, X, "x", _("First column"), _("Last column"));
  add_range (self, box, Y, "y", _("First row"), _("Last row"));
  add_range (self, box, BAND, _("Bands"), _("First band, by wavelength"), _("Last band, by wavelength"));
  self->wavelengths = add_label (box, "", "dim-label");
  gtk_widget_add_css_class (self->wavelengths, "caption");
  add_label (box, _("Sides"), "caption-heading");
  gtk_drop_down_set_selected (GTK_DROP_DOWN (colormap), ES_COLORMAP_VIRIDIS);
  gtk_widget_set_tooltip_text (colormap, _("Colour map of the sides"));
  g_signal_connect_swapped (colormap, "notify::selected", G_CALLBACK (on_colormap), self);
  gtk_box_append (GTK_BOX (box), colormap);
  gtk_widget_set_tooltip_text (stretch, _("Which values the colours of a band reach from and to"));
  g_signal_connect_swapped (stretch, "notify::selected", G_CALLBACK (on_stretch), self);
  gtk_box_append (GTK_BOX (box), stretch);
  g_signal_connect_swapped (gaps, "toggled", G_CALLBACK (on_gaps), self);
  gtk_box_append (GTK_BOX (box), gaps);
  g_signal_connect_swapped (add_button (buttons, _("Show _All"), _("Nothing is cut away")), "clicked",
                            G_CALLBACK (on_all), self);
  g_signal_connect_swapped (add_button (buttons, _("_Turn Back"), _("As it was at first (0)")), "clicked",
                            G_CALLBACK (on_back), self);
  gtk_box_append (GTK_BOX (box), buttons);
  add_label (box,
             _("Dragging turns the cube, the wheel zooms. Ctrl and a drag, or the second button, move a side: what is "
               "behind it comes to light."), "dim-label");
  g_signal_connect_data (view, "changed", G_CALLBACK (update), self, NULL, G_CONNECT_SWAPPED);
  update (self);
  return box;
}
