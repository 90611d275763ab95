/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-param-row.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

struct _EsParamRow
{
  GtkBox             parent_instance;

  /* Widgets. */
  GtkWidget         *control;
  GtkWidget         *reset;
  GtkWidget         *note;

  EsParams          *params;
  const EsParamSpec *spec;
  GtkAdjustment     *adjustment;     /* float and int; in per cent where the unit is "%" */
  GSignalGroup      *params_signals;
  gboolean           syncing;        /* the widgets are being set from the params */
};

G_DEFINE_FINAL_TYPE (EsParamRow, es_param_row, GTK_TYPE_BOX)

static gboolean
is_percent (const EsParamSpec *spec)
{
  return spec->type == ES_PARAM_FLOAT && g_strcmp0 (spec->unit, "%") == 0;
}

static double
factor (const EsParamSpec *spec)
{
  return is_percent (spec) ? 100 : 1;
}

static char *
format_number (EsParamRow *self, double shown)
{
  int digits = self->spec->type == ES_PARAM_INT ? 0 : self->spec->digits;

  if (shown == 0 && self->spec->zero_label != NULL)
    return g_strdup (_(self->spec->zero_label));
  if (self->spec->unit == NULL || self->spec->unit[0] == '\0')
    return g_strdup_printf ("%.*f", digits, shown);
  /* TRANSLATORS: a number and its unit: "99 %", "40 dB" */
  return g_strdup_printf (_("%.*f %s"), digits, shown, _(self->spec->unit));
}

static gboolean
on_spin_output (GtkSpinButton *spin, EsParamRow *self)
{
  g_autofree char *text = format_number (self, gtk_adjustment_get_value (self->adjustment));

  if (strcmp (text, gtk_editable_get_text (GTK_EDITABLE (spin))) != 0)
    gtk_editable_set_text (GTK_EDITABLE (spin), text);
  return TRUE;
}

static int
on_spin_input (GtkSpinButton *spin, double *value, EsParamRow *self)
{
  g_autofree char *text = g_strstrip (g_strdup (gtk_editable_get_text (GTK_EDITABLE (spin))));
  char *end = NULL;

  if (self->spec->zero_label != NULL && g_utf8_collate (text, _(self->spec->zero_label)) == 0)
    {
      *value = 0;
      return TRUE;
    }
  /* A comma is a point to those who type one. */
  *value = g_strtod (g_strdelimit (text, ",", '.'), &end);
  /* An input error would become the minimum; the value that was there is better. */
  if (end == text || !isfinite (*value))
    *value = gtk_adjustment_get_value (self->adjustment);
  return TRUE;
}

static void
on_number_changed (EsParamRow *self)
{
  if (!self->syncing)
    es_params_set_value (self->params, self->spec->key,
                         gtk_adjustment_get_value (self->adjustment) / factor (self->spec));
}

static void
on_choice_changed (EsParamRow *self)
{
  guint selected = gtk_drop_down_get_selected (GTK_DROP_DOWN (self->control));

  if (!self->syncing && selected != GTK_INVALID_LIST_POSITION)
    es_params_set_value (self->params, self->spec->key, selected);
}

static void
on_switch_changed (EsParamRow *self)
{
  if (!self->syncing)
    es_params_set_value (self->params, self->spec->key, gtk_switch_get_active (GTK_SWITCH (self->control)));
}

static void
on_reset_clicked (EsParamRow *self)
{
  es_params_set_value (self->params, self->spec->key, self->spec->default_value);
}

/* Params -> widgets. */
static void
show_value (EsParamRow *self)
{
  double value = es_params_get_value (self->params, self->spec->key);
  gboolean is_default = value == self->spec->default_value;

  self->syncing = TRUE;
  switch (self->spec->type)
    {
    case ES_PARAM_FLOAT:
    case ES_PARAM_INT:
      gtk_adjustment_set_value (self->adjustment, value * factor (self->spec));
      break;
    case ES_PARAM_CHOICE:
      gtk_drop_down_set_selected (GTK_DROP_DOWN (self->control), (guint) value);
      break;
    case ES_PARAM_BOOL:
      gtk_switch_set_active (GTK_SWITCH (self->control), value != 0);
      break;
    case ES_PARAM_END:
      break;
    }
  self->syncing = FALSE;

  gtk_widget_set_visible (self->reset, !is_default);
}

/* The text of a choice is cut rather than widening the column. */
static void
setup_choice_item (GtkSignalListItemFactory *factory_, GtkListItem *item)
{
  GtkWidget *label = gtk_label_new (NULL);

  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_label_set_ellipsize (GTK_LABEL (label), PANGO_ELLIPSIZE_END);
  gtk_label_set_width_chars (GTK_LABEL (label), 8);
  gtk_list_item_set_child (item, label);
}

static void
bind_choice_item (GtkSignalListItemFactory *factory_, GtkListItem *item)
{
  GtkStringObject *string = gtk_list_item_get_item (item);
  GtkWidget *label = gtk_list_item_get_child (item);

  gtk_label_set_label (GTK_LABEL (label), gtk_string_object_get_string (string));
  gtk_widget_set_tooltip_text (label, gtk_string_object_get_string (string));
}

static GtkWidget *
make_choice (EsParamRow *self)
{
  g_autoptr (GtkStringList) strings = gtk_string_list_new (NULL);
  GtkListItemFactory *item_factory = gtk_signal_list_item_factory_new ();
  GtkWidget *drop_down;

  for (const EsParamChoice *choice = self->spec->choices; choice->id != NULL; choice++)
    gtk_string_list_append (strings, _(choice->label));
  drop_down = gtk_drop_down_new (G_LIST_MODEL (g_steal_pointer (&strings)), NULL);
  g_signal_connect (item_factory, "setup", G_CALLBACK (setup_choice_item), NULL);
  g_signal_connect (item_factory, "bind", G_CALLBACK (bind_choice_item), NULL);
  gtk_drop_down_set_factory (GTK_DROP_DOWN (drop_down), item_factory);
  g_object_unref (item_factory);
  g_signal_connect_swapped (drop_down, "notify::selected", G_CALLBACK (on_choice_changed), self);
  return drop_down;
}

static GtkWidget *
make_spin (EsParamRow *self)
{
  const EsParamSpec *spec = self->spec;
  int digits = spec->type == ES_PARAM_INT ? 0 : spec->digits;
  double step = spec->step > 0 ? spec->step * factor (spec) : (spec->type == ES_PARAM_INT ? 1 : pow (10, -digits));
  g_autofree char *widest = NULL;
  GtkWidget *spin;

  self->adjustment = g_object_ref_sink (gtk_adjustment_new (spec->default_value * factor (spec),
                                                            spec->minimum * factor (spec),
                                                            spec->maximum * factor (spec), step, 10 * step, 0));
  spin = gtk_spin_button_new (self->adjustment, step, digits);
  widest = format_number (self, spec->maximum * factor (spec));
  gtk_editable_set_width_chars (GTK_EDITABLE (spin),
                                CLAMP (MAX (g_utf8_strlen (widest, -1),
                                            spec->zero_label ? g_utf8_strlen (_(spec->zero_label), -1) : 0), 5, 12));
  gtk_editable_set_max_width_chars (GTK_EDITABLE (spin), 12);
  gtk_editable_set_alignment (GTK_EDITABLE (spin), 1);
  gtk_widget_add_css_class (spin, "numeric");
  g_signal_connect_object (spin, "output", G_CALLBACK (on_spin_output), self, 0);
  g_signal_connect_object (spin, "input", G_CALLBACK (on_spin_input), self, 0);
  g_signal_connect_object (self->adjustment, "value-changed", G_CALLBACK (on_number_changed), self,
                           G_CONNECT_SWAPPED);
  return spin;
}

static void
describe (EsParamRow *self, GtkWidget *widget)
{
  gtk_accessible_update_property (GTK_ACCESSIBLE (widget),
                                  GTK_ACCESSIBLE_PROPERTY_LABEL, _(self->spec->label),
                                  GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, self->spec->help ? _(self->spec->help) : "",
                                  -1);
}

static void
build (EsParamRow *self)
{
  const EsParamSpec *spec = self->spec;
  GtkWidget *line = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);
  GtkWidget *label = gtk_label_new (_(spec->label));
  g_autofree char *default_text = NULL;
  g_autofree char *tooltip = NULL;
  g_autoptr (EsParams) defaults = es_params_new (es_params_get_specs (self->params));

  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_label_set_ellipsize (GTK_LABEL (label), PANGO_ELLIPSIZE_END);
  gtk_widget_set_hexpand (label, TRUE);
  gtk_box_append (GTK_BOX (line), label);

  default_text = es_params_format_for_people (defaults, spec->key);
  tooltip = g_strdup_printf (_("Reset to %s"), default_text);
  self->reset = gtk_button_new_from_icon_name ("edit-undo-symbolic");
  gtk_widget_add_css_class (self->reset, "flat");
  gtk_widget_add_css_class (self->reset, "es-reset");
  gtk_widget_set_valign (self->reset, GTK_ALIGN_CENTER);
  gtk_widget_set_tooltip_text (self->reset, tooltip);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->reset), GTK_ACCESSIBLE_PROPERTY_LABEL, tooltip,
                                  GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, _(spec->label), -1);
  g_signal_connect_swapped (self->reset, "clicked", G_CALLBACK (on_reset_clicked), self);
  switch (spec->type)
    {
    case ES_PARAM_CHOICE:
      self->control = make_choice (self);
      break;
    case ES_PARAM_BOOL:
      self->control = gtk_switch_new ();
      g_signal_connect_swapped (self->control, "notify::active", G_CALLBACK (on_switch_changed), self);
      break;
    case ES_PARAM_FLOAT:
    case ES_PARAM_INT:
    case ES_PARAM_END:
      self->control = make_spin (self);
      break;
    }
  gtk_widget_set_valign (self->control, GTK_ALIGN_CENTER);
  describe (self, self->control);
  gtk_box_append (GTK_BOX (self), line);

  if (spec->type == ES_PARAM_FLOAT)
    {
      GtkWidget *scale = gtk_scale_new (GTK_ORIENTATION_HORIZONTAL, self->adjustment);
      GtkWidget *scale_line = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);

      gtk_scale_set_draw_value (GTK_SCALE (scale), FALSE);
      gtk_widget_set_hexpand (scale, TRUE);
      gtk_widget_add_css_class (scale, "es-compact");
      describe (self, scale);
      gtk_box_append (GTK_BOX (line), self->control);
      gtk_box_append (GTK_BOX (scale_line), scale);
      gtk_box_append (GTK_BOX (scale_line), self->reset);
      gtk_box_append (GTK_BOX (self), scale_line);
    }
  else
    {
      gtk_box_append (GTK_BOX (line), self->reset);
      gtk_box_append (GTK_BOX (line), self->control);
    }

  self->note = gtk_label_new (NULL);
  gtk_label_set_xalign (GTK_LABEL (self->note), 0);
  gtk_label_set_wrap (GTK_LABEL (self->note), TRUE);
  gtk_widget_add_css_class (self->note, "caption");
  gtk_widget_add_css_class (self->note, "dim-label");
  gtk_widget_add_css_class (self->note, "numeric");
  gtk_widget_set_visible (self->note, FALSE);
  gtk_box_append (GTK_BOX (self), self->note);

  if (spec->help != NULL)
    gtk_widget_set_tooltip_text (label, _(spec->help));
}

static void
on_params_changed (EsParamRow *self, const char *key)
{
  if (key == NULL || strcmp (key, self->spec->key) == 0)
    show_value (self);
}

static void
es_param_row_dispose (GObject *object)
{
  EsParamRow *self = ES_PARAM_ROW (object);

  g_clear_object (&self->params_signals);
  g_clear_object (&self->params);
  g_clear_object (&self->adjustment);
  G_OBJECT_CLASS (es_param_row_parent_class)->dispose (object);
}

static void
es_param_row_class_init (EsParamRowClass *class)
{
  G_OBJECT_CLASS (class)->dispose = es_param_row_dispose;
}

static void
es_param_row_init (EsParamRow *self)
{
  gtk_orientable_set_orientation (GTK_ORIENTABLE (self), GTK_ORIENTATION_VERTICAL);
  gtk_widget_add_css_class (GTK_WIDGET (self), "es-param-row");
}

GtkWidget *
es_param_row_new (EsParams *params, const EsParamSpec *spec)
{
  EsParamRow *self = g_object_new (ES_TYPE_PARAM_ROW, NULL);

  self->params = g_object_ref (params);
  self->spec = spec;
  build (self);
  self->params_signals = g_signal_group_new (ES_TYPE_PARAMS);
  g_signal_group_connect_swapped (self->params_signals, "changed", G_CALLBACK (on_params_changed), self);
  g_signal_group_set_target (self->params_signals, params);
  show_value (self);
  return GTK_WIDGET (self);
}

const EsParamSpec *
es_param_row_get_spec (EsParamRow *self)
{
  g_return_val_if_fail (ES_IS_PARAM_ROW (self), NULL);
  return self->spec;
}

GtkWidget *
es_param_row_get_control (EsParamRow *self)
{
  g_return_val_if_fail (ES_IS_PARAM_ROW (self), NULL);
  return self->control;
}

void
es_param_row_set_note (EsParamRow *self, const char *note)
{
  g_return_if_fail (ES_IS_PARAM_ROW (self));

  gtk_label_set_label (GTK_LABEL (self->note), note != NULL ? note : "");
  gtk_widget_set_visible (self->note, note != NULL);
}
