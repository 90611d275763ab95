/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-origin-row.h"

#include <glib/gi18n-lib.h>

#define MAX_ELEMENTS 1000000
#define MAX_METRES   1e8

struct _EsOriginRow
{
  GtkWidget      parent_instance;

  GtkWidget     *box, *kinds;
  GtkSpinButton *element, *place[3];
  GtkWidget     *places;
  gboolean       filling;
};

enum { CHANGED, N_SIGNALS };
static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (EsOriginRow, es_origin_row, GTK_TYPE_WIDGET)

static void
on_changed (EsOriginRow *self)
{
  const guint kind = gtk_drop_down_get_selected (GTK_DROP_DOWN (self->kinds));

  gtk_widget_set_visible (GTK_WIDGET (self->element), kind == ES_ORIGIN_ELEMENT);
  gtk_widget_set_visible (self->places, kind == ES_ORIGIN_POINT);
  if (!self->filling)
    g_signal_emit (self, signals[CHANGED], 0);
}

static GtkSpinButton *
add_spin (EsOriginRow *self, GtkWidget *box, const char *name, double least, double most, guint digits)
{
  GtkWidget *spin = gtk_spin_button_new_with_range (least, most, 1);

  gtk_spin_button_set_digits (GTK_SPIN_BUTTON (spin), digits);
  gtk_editable_set_width_chars (GTK_EDITABLE (spin), 6);
  gtk_widget_add_css_class (spin, "numeric");
  gtk_widget_set_tooltip_text (spin, name);
  gtk_accessible_update_property (GTK_ACCESSIBLE (spin), GTK_ACCESSIBLE_PROPERTY_LABEL, name, -1);
  gtk_box_append (GTK_BOX (box), spin);
  g_signal_connect_object (spin, "value-changed", G_CALLBACK (on_changed), self, G_CONNECT_SWAPPED);
  return GTK_SPIN_BUTTON (spin);
}

static void
es_origin_row_dispose (GObject *object)
{
  EsOriginRow *self = ES_ORIGIN_ROW (object);

  g_clear_pointer (&self->box, gtk_widget_unparent);
  G_OBJECT_CLASS (es_origin_row_parent_class)->dispose (object);
}

static void
es_origin_row_class_init (EsOriginRowClass *class)
{
  G_OBJECT_CLASS (class)->dispose = es_origin_row_dispose;
  gtk_widget_class_set_layout_manager_type (GTK_WIDGET_CLASS (class), GTK_TYPE_BIN_LAYOUT);
  signals[CHANGED] = g_signal_new ("changed", G_TYPE_FROM_CLASS (class), G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                   G_TYPE_NONE, 0);
}

static void
es_origin_row_init (EsOriginRow *self)
{
  const char *const kinds[] = { _("Centre"), _("Element"), _("Point"), NULL };
  GtkWidget *label = gtk_label_new_with_mnemonic (_("Bearings _from"));

  self->box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);
  gtk_widget_set_parent (self->box, GTK_WIDGET (self));
  self->kinds = gtk_drop_down_new_from_strings (kinds);
  gtk_widget_set_tooltip_text (self->kinds, _("From where bearings and ranges are counted; it is drawn as a ring with "
                                              "a cross."));
  gtk_label_set_mnemonic_widget (GTK_LABEL (label), self->kinds);
  gtk_box_append (GTK_BOX (self->box), label);
  gtk_box_append (GTK_BOX (self->box), self->kinds);
  self->element = add_spin (self, self->box, _("Number of the element"), 1, MAX_ELEMENTS, 0);
  self->places = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);
  self->place[0] = add_spin (self, self->places, _("x in metres"), -MAX_METRES, MAX_METRES, 3);
  self->place[1] = add_spin (self, self->places, _("y in metres"), -MAX_METRES, MAX_METRES, 3);
  self->place[2] = add_spin (self, self->places, _("z in metres"), -MAX_METRES, MAX_METRES, 3);
  gtk_box_append (GTK_BOX (self->box), self->places);
  g_signal_connect_object (self->kinds, "notify::selected", G_CALLBACK (on_changed), self, G_CONNECT_SWAPPED);
  self->filling = TRUE;
  on_changed (self);
  self->filling = FALSE;
}

GtkWidget *
es_origin_row_new (void)
{
  return g_object_new (ES_TYPE_ORIGIN_ROW, NULL);
}

void
es_origin_row_set_origin (EsOriginRow *self, const EsOrigin *origin)
{
  g_return_if_fail (ES_IS_ORIGIN_ROW (self));

  self->filling = TRUE;
  gtk_drop_down_set_selected (GTK_DROP_DOWN (self->kinds), origin->kind);
  gtk_spin_button_set_value (self->element, origin->element + 1.0);
  for (guint j = 0; j < 3; j++)
    gtk_spin_button_set_value (self->place[j], origin->place[j]);
  on_changed (self);
  self->filling = FALSE;
}

EsOrigin
es_origin_row_get_origin (EsOriginRow *self)
{
  EsOrigin origin = { .kind = ES_ORIGIN_CENTRE };

  g_return_val_if_fail (ES_IS_ORIGIN_ROW (self), origin);

  origin.kind = gtk_drop_down_get_selected (GTK_DROP_DOWN (self->kinds));
  if (origin.kind == ES_ORIGIN_ELEMENT)
    origin.element = (guint) gtk_spin_button_get_value_as_int (self->element) - 1;
  for (guint j = 0; origin.kind == ES_ORIGIN_POINT && j < 3; j++)
    origin.place[j] = gtk_spin_button_get_value (self->place[j]);
  return origin;
}
