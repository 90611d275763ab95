/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-param-row-private.h"
#include "widgets/es-wheel.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "base/es-text-show.h"

G_DEFINE_FINAL_TYPE (EsParamRow, es_param_row, GTK_TYPE_BOX)

static void
on_switch_changed (EsParamRow *self)
{
  if (!self->syncing)
    es_params_set_value (self->params, self->spec->key, gtk_switch_get_active (GTK_SWITCH (self->control)));
}

static void
on_reset_clicked (EsParamRow *self)
{
  es_params_reset_key (self->params, self->spec->key);
}

/* Params -> widgets. */
static void
show_value (EsParamRow *self)
{
  const char *key = self->spec->key;
  g_autofree char *people = NULL, *shown = NULL;

  self->syncing = TRUE;
  switch (self->spec->type)
    {
    case ES_PARAM_FLOAT:
    case ES_PARAM_INT:
      es_param_row_show_number (self);
      break;
    case ES_PARAM_CHOICE:
      gtk_drop_down_set_selected (GTK_DROP_DOWN (self->control), es_params_get_choice (self->params, key));
      break;
    case ES_PARAM_BOOL:
      gtk_switch_set_active (GTK_SWITCH (self->control), es_params_get_bool (self->params, key));
      break;
    case ES_PARAM_TEXT:
      es_param_row_show_text (self);
      break;
    case ES_PARAM_FILE:
    case ES_PARAM_REGION:
      people = es_params_format_for_people (self->params, key);
      shown = es_text_show (es_params_get_text (self->params, key));
      gtk_label_set_label (GTK_LABEL (self->name), people);
      es_set_tooltip (self->control, es_params_is_key_default (self->params, key) ? _(self->spec->help) : shown);
      break;
    case ES_PARAM_END:
      break;
    }
  self->syncing = FALSE;

  if (self->hint != NULL)
    gtk_widget_set_visible (self->hint, es_params_is_key_default (self->params, key));
  gtk_widget_set_visible (self->reset, !es_params_is_key_default (self->params, key));
}

static GtkWidget *
make_hint (const char *text)
{
  GtkWidget *hint = gtk_label_new (text);

  gtk_label_set_xalign (GTK_LABEL (hint), 0);
  gtk_label_set_wrap (GTK_LABEL (hint), TRUE);
  gtk_widget_add_css_class (hint, "caption");
  gtk_widget_add_css_class (hint, "dim-label");
  return hint;
}

static void
describe (EsParamRow *self, GtkWidget *widget)
{
  gtk_accessible_update_property (GTK_ACCESSIBLE (widget),
                                  GTK_ACCESSIBLE_PROPERTY_LABEL, _(self->spec->label),
                                  GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, self->spec->help ? _(self->spec->help) : "",
                                  -1);
}

/* A text's unit is not in its control. */
static char *
title_of (const EsParamSpec *spec)
{
  if (spec->type != ES_PARAM_TEXT || spec->unit == NULL || spec->unit[0] == '\0')
    return g_strdup (_(spec->label));
  /* TRANSLATORS: what a number is, and its unit: "Band (Hz)" */
  return g_strdup_printf (_("%s (%s)"), _(spec->label), _(spec->unit));
}

static void
build (EsParamRow *self)
{
  const EsParamSpec *spec = self->spec;
  GtkWidget *line = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);
  gboolean clears = es_param_type_is_text (spec->type) && spec->default_text == NULL;
  g_autofree char *title = title_of (spec);
  GtkWidget *label = gtk_label_new (title);
  g_autofree char *default_text = NULL;
  g_autofree char *tooltip = NULL;
  g_autoptr (EsParams) defaults = es_params_new (es_params_get_specs (self->params));

  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_label_set_ellipsize (GTK_LABEL (label), PANGO_ELLIPSIZE_END);
  gtk_widget_set_hexpand (label, TRUE);
  gtk_box_append (GTK_BOX (line), label);

  default_text = es_params_format_for_people (defaults, spec->key);
  tooltip = clears ? g_strdup (_("Clear")) : g_strdup_printf (_("Reset to %s"), default_text);
  self->reset = gtk_button_new_from_icon_name (clears ? "edit-clear-symbolic" : "edit-undo-symbolic");
  gtk_widget_add_css_class (self->reset, "flat");
  gtk_widget_add_css_class (self->reset, "es-reset");
  gtk_widget_set_valign (self->reset, GTK_ALIGN_CENTER);
  es_set_tooltip (self->reset, tooltip);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->reset), GTK_ACCESSIBLE_PROPERTY_LABEL, tooltip,
                                  GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, _(spec->label), -1);
  g_signal_connect_swapped (self->reset, "clicked", G_CALLBACK (on_reset_clicked), self);
  switch (spec->type)
    {
    case ES_PARAM_CHOICE:
      self->control = es_param_row_make_choice (self);
      break;
    case ES_PARAM_BOOL:
      self->control = gtk_switch_new ();
      g_signal_connect_swapped (self->control, "notify::active", G_CALLBACK (on_switch_changed), self);
      break;
    case ES_PARAM_TEXT:
      self->control = es_param_row_make_text (self);
      break;
    case ES_PARAM_FILE:
      self->control = es_param_row_make_file (self);
      break;
    case ES_PARAM_REGION:
      /* A label says what is in it; what it is about is for the box around it to say. */
      self->control = g_object_new (GTK_TYPE_BOX, "accessible-role", GTK_ACCESSIBLE_ROLE_GROUP, NULL);
      gtk_box_append (GTK_BOX (self->control), es_param_row_make_name (self));
      self->hint = make_hint (_("Draw a region in the picture and use it from there."));
      break;
    case ES_PARAM_FLOAT:
    case ES_PARAM_INT:
    case ES_PARAM_END:
      self->control = es_param_row_make_number (self);
      break;
    }
  gtk_widget_set_valign (self->control, GTK_ALIGN_CENTER);
  describe (self, self->control);
  gtk_box_append (GTK_BOX (self), line);

  if (spec->type == ES_PARAM_FLOAT && !es_param_row_is_wide (spec))
    {
      GtkWidget *scale = gtk_scale_new (GTK_ORIENTATION_HORIZONTAL, self->adjustment);
      GtkWidget *scale_line = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);

      es_ignore_wheel (scale);
      gtk_scale_set_draw_value (GTK_SCALE (scale), FALSE);
      /* What is dragged is what the number beside it says. */
      if (!es_param_row_is_logarithmic (spec))
        gtk_range_set_round_digits (GTK_RANGE (scale), (int) spec->digits);
      gtk_widget_set_hexpand (scale, TRUE);
      gtk_widget_add_css_class (scale, "es-compact");
      describe (self, scale);
      gtk_box_append (GTK_BOX (line), self->control);
      gtk_box_append (GTK_BOX (scale_line), scale);
      gtk_box_append (GTK_BOX (scale_line), self->reset);
      gtk_box_append (GTK_BOX (self), scale_line);
    }
  else if (es_param_row_is_long (spec))
    {
      gtk_box_append (GTK_BOX (line), self->reset);
      gtk_box_append (GTK_BOX (self), self->control);
    }
  else
    {
      gtk_box_append (GTK_BOX (line), self->reset);
      gtk_box_append (GTK_BOX (line), self->control);
    }

  if (spec->type == ES_PARAM_TEXT)
    {
      self->fault = make_hint (NULL);
      gtk_label_set_wrap_mode (GTK_LABEL (self->fault), PANGO_WRAP_WORD_CHAR);
      gtk_widget_remove_css_class (self->fault, "dim-label");
      gtk_widget_add_css_class (self->fault, "error");
      gtk_widget_set_visible (self->fault, FALSE);
      gtk_box_append (GTK_BOX (self), self->fault);
    }
  if (self->hint != NULL)
    gtk_box_append (GTK_BOX (self), self->hint);

  self->note = make_hint (NULL);
  gtk_widget_add_css_class (self->note, "numeric");
  gtk_widget_set_visible (self->note, FALSE);
  gtk_box_append (GTK_BOX (self), self->note);

  if (spec->help != NULL)
    es_set_tooltip (label, _(spec->help));
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

  if (self->chooser != NULL)
    gtk_native_dialog_hide (GTK_NATIVE_DIALOG (self->chooser));
  g_clear_object (&self->chooser);
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
