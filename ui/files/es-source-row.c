/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-source-row.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "widgets/es-wheel.h"

struct _EsSourceRow
{
  GtkWidget      parent_instance;

  GtkWidget     *grid;
  GtkDropDown   *kind;
  GtkSpinButton *bearing, *bearing_rate, *range, *level;
  GtkSpinButton *low, *high, *shaft, *blades, *harmonics;
  GtkWidget     *high_box, *shaft_box, *blades_box, *harmonics_box, *low_label;

  EsSource       source;
  gboolean       filling;
};

enum { CHANGED, REMOVE, N_SIGNALS };
static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (EsSourceRow, es_source_row, GTK_TYPE_WIDGET)

static void
update_visibility (EsSourceRow *self)
{
  EsSourceKind kind = (EsSourceKind) gtk_drop_down_get_selected (self->kind);

  gtk_widget_set_visible (self->high_box, kind != ES_SOURCE_TONE);
  gtk_widget_set_visible (self->harmonics_box, kind == ES_SOURCE_TONE);
  gtk_widget_set_visible (self->shaft_box, kind == ES_SOURCE_PROPELLER);
  gtk_widget_set_visible (self->blades_box, kind == ES_SOURCE_PROPELLER);
  gtk_label_set_label (GTK_LABEL (self->low_label), kind == ES_SOURCE_TONE ? _("Tone (Hz)") : _("From (Hz)"));
}

static void
on_changed (EsSourceRow *self)
{
  if (self->filling)
    return;
  update_visibility (self);
  g_signal_emit (self, signals[CHANGED], 0);
}

/* A far source is one at no distance that can be told. */
static gboolean
on_range_output (GtkSpinButton *spin, gpointer data)
{
  double value = gtk_spin_button_get_value (spin);
  g_autofree char *text = value > 0 ? g_strdup_printf ("%.0f", value) : g_strdup (_("far"));

  if (!g_str_equal (text, gtk_editable_get_text (GTK_EDITABLE (spin))))
    gtk_editable_set_text (GTK_EDITABLE (spin), text);
  return TRUE;
}

static int
on_range_input (GtkSpinButton *spin, double *value, gpointer data)
{
  const char *text = gtk_editable_get_text (GTK_EDITABLE (spin));
  char *end = NULL;

  *value = g_strtod (text, &end);
  if (end == text || !isfinite (*value))
    *value = 0;
  return TRUE;
}

static void
on_remove (EsSourceRow *self)
{
  g_signal_emit (self, signals[REMOVE], 0);
}

static GtkSpinButton *
add_spin (EsSourceRow *self, GtkWidget *line, const char *title, double least, double most, double step, guint digits,
          GtkWidget **box, GtkWidget **caption)
{
  GtkWidget *column = gtk_box_new (GTK_ORIENTATION_VERTICAL, 2);
  GtkWidget *label = gtk_label_new (title);
  GtkWidget *spin = gtk_spin_button_new_with_range (least, most, step);

  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_widget_add_css_class (label, "caption");
  gtk_widget_add_css_class (label, "dim-label");
  gtk_spin_button_set_digits (GTK_SPIN_BUTTON (spin), digits);
  gtk_editable_set_width_chars (GTK_EDITABLE (spin), 5);
  gtk_widget_add_css_class (spin, "numeric");
  gtk_widget_add_css_class (spin, "compact-spin");
  es_ignore_wheel (spin);
  gtk_accessible_update_property (GTK_ACCESSIBLE (spin), GTK_ACCESSIBLE_PROPERTY_LABEL, title, -1);
  gtk_box_append (GTK_BOX (column), label);
  gtk_box_append (GTK_BOX (column), spin);
  gtk_box_append (GTK_BOX (line), column);
  g_signal_connect_object (spin, "value-changed", G_CALLBACK (on_changed), self, G_CONNECT_SWAPPED);
  if (box != NULL)
    *box = column;
  if (caption != NULL)
    *caption = label;
  return GTK_SPIN_BUTTON (spin);
}

static void
es_source_row_dispose (GObject *object)
{
  g_clear_pointer (&ES_SOURCE_ROW (object)->grid, gtk_widget_unparent);
  G_OBJECT_CLASS (es_source_row_parent_class)->dispose (object);
}

static void
es_source_row_class_init (EsSourceRowClass *class)
{
  G_OBJECT_CLASS (class)->dispose = es_source_row_dispose;
  gtk_widget_class_set_layout_manager_type (GTK_WIDGET_CLASS (class), GTK_TYPE_BIN_LAYOUT);
  signals[CHANGED] = g_signal_new ("changed", G_TYPE_FROM_CLASS (class), G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                   G_TYPE_NONE, 0);
  signals[REMOVE] = g_signal_new ("remove", G_TYPE_FROM_CLASS (class), G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                  G_TYPE_NONE, 0);
}

static void
es_source_row_init (EsSourceRow *self)
{
  const char * const kinds[] = { _("Tone"), _("Noise"), _("Propeller"), NULL };
  GtkWidget *first = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 8);
  GtkWidget *second = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 8);
  GtkWidget *sides = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 12);
  GtkWidget *numbers = gtk_box_new (GTK_ORIENTATION_VERTICAL, 6);
  GtkWidget *remove = gtk_button_new_from_icon_name ("edit-delete-symbolic");

  self->filling = TRUE;
  self->grid = sides;
  gtk_widget_set_parent (sides, GTK_WIDGET (self));
  self->kind = GTK_DROP_DOWN (gtk_drop_down_new_from_strings (kinds));
  gtk_widget_set_valign (GTK_WIDGET (self->kind), GTK_ALIGN_CENTER);
  gtk_widget_set_size_request (GTK_WIDGET (self->kind), 124, -1);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->kind), GTK_ACCESSIBLE_PROPERTY_LABEL, _("Kind of source"), -1);
  g_signal_connect_object (self->kind, "notify::selected", G_CALLBACK (on_changed), self, G_CONNECT_SWAPPED);
  gtk_box_append (GTK_BOX (sides), GTK_WIDGET (self->kind));

  self->bearing = add_spin (self, first, _("Bearing (°)"), -180, 360, 1, 2, NULL, NULL);
  self->bearing_rate = add_spin (self, first, _("Turns (°/min)"), -720, 720, 1, 1, NULL, NULL);
  self->range = add_spin (self, first, _("Range (m)"), 0, 1e7, 50, 0, NULL, NULL);
  self->level = add_spin (self, first, _("Level (dB)"), -200, 300, 1, 1, NULL, NULL);
  self->low = add_spin (self, second, _("From (Hz)"), 0.01, 1e7, 10, 1, NULL, &self->low_label);
  self->high = add_spin (self, second, _("To (Hz)"), 0.01, 1e7, 10, 1, &self->high_box, NULL);
  self->harmonics = add_spin (self, second, _("Harmonics"), 1, 1000, 1, 0, &self->harmonics_box, NULL);
  self->shaft = add_spin (self, second, _("Shaft (Hz)"), 0.01, 1000, 0.1, 2, &self->shaft_box, NULL);
  self->blades = add_spin (self, second, _("Blades"), 1, 64, 1, 0, &self->blades_box, NULL);
  /* "far" is no number. */
  gtk_spin_button_set_numeric (self->range, FALSE);
  g_signal_connect (self->range, "output", G_CALLBACK (on_range_output), NULL);
  g_signal_connect (self->range, "input", G_CALLBACK (on_range_input), NULL);
  gtk_widget_set_tooltip_text (GTK_WIDGET (self->range), _("Distance from the middle of the array; 0: far away"));
  on_range_output (self->range, NULL);
  gtk_box_append (GTK_BOX (numbers), first);
  gtk_box_append (GTK_BOX (numbers), second);
  gtk_widget_set_hexpand (numbers, TRUE);
  gtk_box_append (GTK_BOX (sides), numbers);

  gtk_widget_add_css_class (remove, "flat");
  gtk_widget_set_valign (remove, GTK_ALIGN_CENTER);
  gtk_widget_set_tooltip_text (remove, _("Remove this source"));
  gtk_accessible_update_property (GTK_ACCESSIBLE (remove), GTK_ACCESSIBLE_PROPERTY_LABEL, _("Remove this source"), -1);
  g_signal_connect_object (remove, "clicked", G_CALLBACK (on_remove), self, G_CONNECT_SWAPPED);
  gtk_box_append (GTK_BOX (sides), remove);
  self->filling = FALSE;
}

GtkWidget *
es_source_row_new (const EsSource *source)
{
  EsSourceRow *self;

  g_return_val_if_fail (source != NULL, NULL);

  self = g_object_new (ES_TYPE_SOURCE_ROW, NULL);
  self->source = *source;
  self->filling = TRUE;
  gtk_drop_down_set_selected (self->kind, source->kind);
  gtk_spin_button_set_value (self->bearing, source->bearing);
  gtk_spin_button_set_value (self->bearing_rate, source->bearing_rate);
  gtk_spin_button_set_value (self->range, isfinite (source->range) ? source->range : 0);
  gtk_spin_button_set_value (self->level, source->level);
  gtk_spin_button_set_value (self->low, source->low);
  gtk_spin_button_set_value (self->high, source->high > 0 ? source->high : source->low);
  gtk_spin_button_set_value (self->shaft, source->shaft > 0 ? source->shaft : 2);
  gtk_spin_button_set_value (self->blades, source->blades > 0 ? source->blades : 4);
  gtk_spin_button_set_value (self->harmonics, MAX (source->harmonics, 1));
  self->filling = FALSE;
  update_visibility (self);
  return GTK_WIDGET (self);
}

EsSource
es_source_row_get_source (EsSourceRow *self)
{
  EsSource source = { 0 };

  g_return_val_if_fail (ES_IS_SOURCE_ROW (self), source);

  /* The elevation has no control of its own and stays. */
  source = self->source;
  source.kind = (EsSourceKind) gtk_drop_down_get_selected (self->kind);
  source.bearing = gtk_spin_button_get_value (self->bearing);
  source.bearing_rate = gtk_spin_button_get_value (self->bearing_rate);
  source.range = gtk_spin_button_get_value (self->range) > 0 ? gtk_spin_button_get_value (self->range) : INFINITY;
  source.level = gtk_spin_button_get_value (self->level);
  source.low = gtk_spin_button_get_value (self->low);
  source.high = source.kind == ES_SOURCE_TONE ? source.low : gtk_spin_button_get_value (self->high);
  source.shaft = source.kind == ES_SOURCE_PROPELLER ? gtk_spin_button_get_value (self->shaft) : 0;
  source.blades = source.kind == ES_SOURCE_PROPELLER ? gtk_spin_button_get_value (self->blades) : 0;
  source.harmonics = source.kind == ES_SOURCE_TONE ? (guint) gtk_spin_button_get_value_as_int (self->harmonics) : 1;
  return source;
}
