/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-cube-fields.h"

#include <glib/gi18n-lib.h>

struct _EsCubeFields
{
  GtkBox         parent_instance;

  GtkSpinButton *width, *height, *bands, *offset;
  GtkDropDown   *type, *order, *layout;
  EsRawFields    told;
  gboolean       setting, any;
};

enum { CHANGED, N_SIGNALS };
static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (EsCubeFields, es_cube_fields, GTK_TYPE_BOX)

static void
on_changed (GObject *control, GParamSpec *pspec, EsCubeFields *self)
{
  self->any = TRUE;
  if (self->setting)
    return;
  self->told |= GPOINTER_TO_UINT (g_object_get_data (control, "es-field"));
  g_signal_emit (self, signals[CHANGED], 0, TRUE);
}

static void
on_value_changed (GtkSpinButton *spin, EsCubeFields *self)
{
  on_changed (G_OBJECT (spin), NULL, self);
}

static void
add_row (GtkGrid *grid, const char *title, GtkWidget *control, EsRawFields field)
{
  GtkWidget *label = gtk_label_new_with_mnemonic (title), *last = NULL;
  int row = 0;

  while ((last = gtk_grid_get_child_at (grid, 0, row)) != NULL)
    row++;
  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_label_set_mnemonic_widget (GTK_LABEL (label), control);
  gtk_widget_set_hexpand (control, TRUE);
  gtk_accessible_update_property (GTK_ACCESSIBLE (control), GTK_ACCESSIBLE_PROPERTY_LABEL, title, -1);
  g_object_set_data (G_OBJECT (control), "es-field", GUINT_TO_POINTER (field));
  gtk_grid_attach (grid, label, 0, row, 1, 1);
  gtk_grid_attach (grid, control, 1, row, 1, 1);
}

static GtkSpinButton *
add_spin (EsCubeFields *self, GtkGrid *grid, const char *title, EsRawFields field, double least, double most)
{
  GtkWidget *spin = gtk_spin_button_new_with_range (least, most, 1);

  gtk_spin_button_set_digits (GTK_SPIN_BUTTON (spin), 0);
  gtk_spin_button_set_numeric (GTK_SPIN_BUTTON (spin), TRUE);
  gtk_widget_add_css_class (spin, "numeric");
  add_row (grid, title, spin, field);
  g_signal_connect_object (spin, "value-changed", G_CALLBACK (on_value_changed), self, 0);
  return GTK_SPIN_BUTTON (spin);
}

static GtkDropDown *
add_choice (EsCubeFields *self, GtkGrid *grid, const char *title, EsRawFields field, const char * const *names)
{
  GtkWidget *choice = gtk_drop_down_new_from_strings (names);

  add_row (grid, title, choice, field);
  g_signal_connect_object (choice, "notify::selected", G_CALLBACK (on_changed), self, 0);
  return GTK_DROP_DOWN (choice);
}

static void
es_cube_fields_class_init (EsCubeFieldsClass *class)
{
  signals[CHANGED] = g_signal_new ("changed", G_TYPE_FROM_CLASS (class), G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                   G_TYPE_NONE, 1, G_TYPE_BOOLEAN);
}

static void
es_cube_fields_init (EsCubeFields *self)
{
  const char * const type_names[] = {
    _("8-bit integers, unsigned"), _("16-bit integers"), _("16-bit integers, unsigned"), _("32-bit integers"),
    _("32-bit integers, unsigned"), _("32-bit floats"), _("64-bit floats"), NULL,
  };
  const char * const orders[] = { _("Little endian"), _("Big endian"), NULL };
  const char * const layouts[] = { _("BSQ, band by band"), _("BIL, row by row"), _("BIP, pixel by pixel"), NULL };
  GtkWidget *grid = gtk_grid_new ();

  gtk_grid_set_row_spacing (GTK_GRID (grid), 6);
  gtk_grid_set_column_spacing (GTK_GRID (grid), 12);
  gtk_widget_set_hexpand (grid, TRUE);
  self->width = add_spin (self, GTK_GRID (grid), _("_Width"), ES_RAW_WIDTH, 1, G_MAXINT);
  self->height = add_spin (self, GTK_GRID (grid), _("_Height"), ES_RAW_HEIGHT, 1, G_MAXINT);
  self->bands = add_spin (self, GTK_GRID (grid), _("_Bands"), ES_RAW_BANDS, 1, 65535);
  self->type = add_choice (self, GTK_GRID (grid), _("_Type"), ES_RAW_TYPE, type_names);
  self->order = add_choice (self, GTK_GRID (grid), _("Byte _order"), ES_RAW_BYTE_ORDER, orders);
  self->layout = add_choice (self, GTK_GRID (grid), _("_Layout"), ES_RAW_INTERLEAVE, layouts);
  self->offset = add_spin (self, GTK_GRID (grid), _("O_ffset (bytes)"), ES_RAW_OFFSET, 0, 1e15);
  gtk_box_append (GTK_BOX (self), grid);
}

GtkWidget *
es_cube_fields_new (void)
{
  return g_object_new (ES_TYPE_CUBE_FIELDS, NULL);
}

EsRawShape
es_cube_fields_get (EsCubeFields *self)
{
  EsRawShape shape = { 0 };

  g_return_val_if_fail (ES_IS_CUBE_FIELDS (self), shape);

  shape.width = (guint64) gtk_spin_button_get_value (self->width);
  shape.height = (guint64) gtk_spin_button_get_value (self->height);
  shape.bands = (guint64) gtk_spin_button_get_value (self->bands);
  shape.offset = (guint64) gtk_spin_button_get_value (self->offset);
  shape.type = es_raw_types ()[MIN (gtk_drop_down_get_selected (self->type), 6)];
  shape.interleave = (EsInterleave) MIN (gtk_drop_down_get_selected (self->layout), 2);
  shape.big_endian = gtk_drop_down_get_selected (self->order) == 1;
  return shape;
}

void
es_cube_fields_set (EsCubeFields *self, const EsRawShape *shape)
{
  g_return_if_fail (ES_IS_CUBE_FIELDS (self) && shape != NULL);

  self->setting = TRUE;
  self->any = FALSE;
  gtk_spin_button_set_value (self->width, (double) shape->width);
  gtk_spin_button_set_value (self->height, (double) shape->height);
  gtk_spin_button_set_value (self->bands, (double) shape->bands);
  gtk_spin_button_set_value (self->offset, (double) shape->offset);
  for (guint i = 0; es_raw_types ()[i] != NULL; i++)
    if (g_strcmp0 (es_raw_types ()[i], shape->type) == 0)
      gtk_drop_down_set_selected (self->type, i);
  gtk_drop_down_set_selected (self->layout, shape->interleave);
  gtk_drop_down_set_selected (self->order, shape->big_endian ? 1 : 0);
  self->setting = FALSE;
  if (self->any)
    g_signal_emit (self, signals[CHANGED], 0, FALSE);
}

EsRawFields
es_cube_fields_get_told (EsCubeFields *self)
{
  g_return_val_if_fail (ES_IS_CUBE_FIELDS (self), 0);
  return self->told;
}

void
es_cube_fields_set_told (EsCubeFields *self, EsRawFields fields)
{
  g_return_if_fail (ES_IS_CUBE_FIELDS (self));
  self->told = fields;
}
