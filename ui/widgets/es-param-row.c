/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-param-row.h"
#include "es-wheel.h"

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
  GtkWidget         *fault;          /* of a text: what is wrong with it */
  GtkWidget         *hint;           /* of a region: how to get one */
  GtkWidget         *name;           /* of a file or a region: what is chosen */
  GtkFileChooserNative *chooser;     /* while it is open */

  EsParams          *params;
  const EsParamSpec *spec;
  GtkAdjustment     *adjustment;     /* float and int, as shown: see to_shown () */
  GSignalGroup      *params_signals;
  gboolean           syncing;        /* the widgets are being set from the params */
};

G_DEFINE_FINAL_TYPE (EsParamRow, es_param_row, GTK_TYPE_BOX)

static gboolean
is_percent (const EsParamSpec *spec)
{
  return spec->type == ES_PARAM_FLOAT && g_strcmp0 (spec->unit, "%") == 0;
}

/* Tolerances and the like, over many powers of ten: the scale is one of logarithms. */
static gboolean
is_logarithmic (const EsParamSpec *spec)
{
  return spec->type == ES_PARAM_FLOAT && spec->minimum > 0 && spec->maximum / spec->minimum >= 1e4;
}

/* What the adjustment holds: per cent where the unit is "%", else the value or its logarithm. */
static double
to_shown (const EsParamSpec *spec, double value)
{
  if (is_percent (spec))
    return 100 * value;
  return is_logarithmic (spec) ? log10 (value) : value;
}

static double
from_shown (const EsParamSpec *spec, double shown)
{
  char text[G_ASCII_DTOSTR_BUF_SIZE];

  if (is_percent (spec))
    return shown / 100;
  if (!is_logarithmic (spec))
    return shown;
  /* Two digits, so that a dragged value is one that a person would write. */
  g_ascii_formatd (text, sizeof text, "%.1e", pow (10, shown));
  return g_ascii_strtod (text, NULL);
}

static char *
format_number (EsParamRow *self, double shown)
{
  const EsParamSpec *spec = self->spec;
  g_autofree char *number = NULL;

  if (is_logarithmic (spec))
    number = g_strdup_printf ("%.3g", from_shown (spec, shown));
  else if (shown == 0 && spec->zero_label != NULL)
    return g_strdup (_(spec->zero_label));
  else
    number = g_strdup_printf ("%.*f", spec->type == ES_PARAM_INT ? 0 : spec->digits, shown);
  if (spec->unit == NULL || spec->unit[0] == '\0')
    return g_steal_pointer (&number);
  /* TRANSLATORS: a number and its unit: "99 %", "40 dB" */
  return g_strdup_printf (_("%s %s"), number, _(spec->unit));
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
  if (end == text || !isfinite (*value) || (is_logarithmic (self->spec) && *value <= 0))
    *value = gtk_adjustment_get_value (self->adjustment);
  else if (is_logarithmic (self->spec))
    *value = log10 (*value);
  return TRUE;
}

static void
on_number_changed (EsParamRow *self)
{
  if (!self->syncing)
    es_params_set_value (self->params, self->spec->key,
                         from_shown (self->spec, gtk_adjustment_get_value (self->adjustment)));
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
on_text_changed (EsParamRow *self)
{
  if (!self->syncing)
    es_params_set_text (self->params, self->spec->key, gtk_editable_get_text (GTK_EDITABLE (self->control)));
}

static void
on_file_response (GtkNativeDialog *dialog, int response, EsParamRow *self)
{
  g_autoptr (GFile) file = response == GTK_RESPONSE_ACCEPT ? gtk_file_chooser_get_file (GTK_FILE_CHOOSER (dialog))
                                                           : NULL;
  if (file != NULL)
    {
      g_autofree char *name = g_file_get_parse_name (file);
      es_params_set_text (self->params, self->spec->key, name);
    }
  g_clear_object (&self->chooser);
}

static void
on_file_clicked (EsParamRow *self)
{
  GtkRoot *root = gtk_widget_get_root (GTK_WIDGET (self));
  const char *present = es_params_get_text (self->params, self->spec->key);

  if (self->chooser == NULL)
    {
      self->chooser = gtk_file_chooser_native_new (_(self->spec->label),
                                                   GTK_IS_WINDOW (root) ? GTK_WINDOW (root) : NULL,
                                                   GTK_FILE_CHOOSER_ACTION_OPEN, NULL, NULL);
      gtk_native_dialog_set_modal (GTK_NATIVE_DIALOG (self->chooser), TRUE);
      g_signal_connect_object (self->chooser, "response", G_CALLBACK (on_file_response), self, 0);
      if (*present != '\0')
        {
          g_autoptr (GFile) file = g_file_parse_name (present);
          gtk_file_chooser_set_file (GTK_FILE_CHOOSER (self->chooser), file, NULL);
        }
    }
  gtk_native_dialog_show (GTK_NATIVE_DIALOG (self->chooser));
}

static void
on_reset_clicked (EsParamRow *self)
{
  es_params_reset_key (self->params, self->spec->key);
}

/* What is typed may be wrong while it is being typed: said where it stands, and by nothing that has to be closed. */
static void
show_fault (EsParamRow *self)
{
  const char *text = es_params_get_text (self->params, self->spec->key);
  g_autoptr (GError) error = NULL;
  gboolean good = self->spec->check == NULL || *text == '\0' || self->spec->check (text, &error);

  gtk_label_set_label (GTK_LABEL (self->fault), good ? "" : error->message);
  gtk_widget_set_visible (self->fault, !good);
  if (good)
    gtk_widget_remove_css_class (self->control, "error");
  else
    gtk_widget_add_css_class (self->control, "error");
}

/* Nothing stands for the default, which has a text; it comes back when the cursor has left. */
static gboolean
is_being_cleared (EsParamRow *self)
{
  return gtk_editable_get_text (GTK_EDITABLE (self->control))[0] == '\0'
         && (gtk_widget_get_state_flags (self->control) & GTK_STATE_FLAG_FOCUS_WITHIN) != 0;
}

/* Params -> widgets. */
static void
show_value (EsParamRow *self)
{
  const char *key = self->spec->key;
  g_autofree char *people = NULL;

  self->syncing = TRUE;
  switch (self->spec->type)
    {
    case ES_PARAM_FLOAT:
    case ES_PARAM_INT:
      gtk_adjustment_set_value (self->adjustment, to_shown (self->spec, es_params_get_value (self->params, key)));
      break;
    case ES_PARAM_CHOICE:
      gtk_drop_down_set_selected (GTK_DROP_DOWN (self->control), es_params_get_choice (self->params, key));
      break;
    case ES_PARAM_BOOL:
      gtk_switch_set_active (GTK_SWITCH (self->control), es_params_get_bool (self->params, key));
      break;
    case ES_PARAM_TEXT:
      /* Setting the same text again would move the cursor of the person who types it; and who clears it is about to
       * write another. */
      if (!is_being_cleared (self)
          && strcmp (gtk_editable_get_text (GTK_EDITABLE (self->control)), es_params_get_text (self->params, key)) != 0)
        gtk_editable_set_text (GTK_EDITABLE (self->control), es_params_get_text (self->params, key));
      show_fault (self);
      break;
    case ES_PARAM_FILE:
    case ES_PARAM_REGION:
      people = es_params_format_for_people (self->params, key);
      gtk_label_set_label (GTK_LABEL (self->name), people);
      gtk_widget_set_tooltip_text (self->control, es_params_is_key_default (self->params, key)
                                   ? _(self->spec->help) : es_params_get_text (self->params, key));
      break;
    case ES_PARAM_END:
      break;
    }
  self->syncing = FALSE;

  if (self->hint != NULL)
    gtk_widget_set_visible (self->hint, es_params_is_key_default (self->params, key));
  gtk_widget_set_visible (self->reset, !es_params_is_key_default (self->params, key));
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
  double step = spec->step > 0 ? spec->step * (is_percent (spec) ? 100 : 1)
                               : (spec->type == ES_PARAM_INT ? 1 : pow (10, -digits));
  g_autofree char *widest = NULL;
  GtkWidget *spin;

  if (is_logarithmic (spec))
    {
      /* A power of ten a step; the digits are of the logarithm. */
      step = 1;
      digits = 6;
    }
  self->adjustment = g_object_ref_sink (gtk_adjustment_new (to_shown (spec, spec->default_value),
                                                            to_shown (spec, spec->minimum),
                                                            to_shown (spec, spec->maximum), step,
                                                            is_logarithmic (spec) ? step : 10 * step, 0));
  spin = gtk_spin_button_new (self->adjustment, step, digits);
  es_ignore_wheel (spin);
  widest = format_number (self, to_shown (spec, spec->maximum));
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
  /* It has written its first text before anybody could tell it how. */
  on_spin_output (GTK_SPIN_BUTTON (spin), self);
  return spin;
}

/* Lists have a line of their own. */
static gboolean
is_long (const EsParamSpec *spec)
{
  return spec->type == ES_PARAM_TEXT && spec->default_text != NULL && strlen (spec->default_text) > 12;
}

static void
on_text_left (EsParamRow *self)
{
  self->syncing = TRUE;
  gtk_editable_set_text (GTK_EDITABLE (self->control), es_params_get_text (self->params, self->spec->key));
  self->syncing = FALSE;
}

static GtkWidget *
make_text (EsParamRow *self)
{
  GtkWidget *entry = gtk_entry_new ();
  GtkEventController *focus = gtk_event_controller_focus_new ();

  gtk_editable_set_width_chars (GTK_EDITABLE (entry), 8);
  gtk_editable_set_max_width_chars (GTK_EDITABLE (entry), is_long (self->spec) ? -1 : 14);
  gtk_widget_set_hexpand (entry, is_long (self->spec));
  if (self->spec->zero_label != NULL)
    gtk_entry_set_placeholder_text (GTK_ENTRY (entry), _(self->spec->zero_label));
  else if (self->spec->default_text != NULL)
    gtk_entry_set_placeholder_text (GTK_ENTRY (entry), self->spec->default_text);
  g_signal_connect_swapped (entry, "changed", G_CALLBACK (on_text_changed), self);
  g_signal_connect_swapped (focus, "leave", G_CALLBACK (on_text_left), self);
  gtk_widget_add_controller (entry, focus);
  return entry;
}

static GtkWidget *
make_name (EsParamRow *self)
{
  self->name = gtk_label_new (NULL);
  gtk_label_set_ellipsize (GTK_LABEL (self->name), PANGO_ELLIPSIZE_MIDDLE);
  gtk_label_set_max_width_chars (GTK_LABEL (self->name), 18);
  gtk_label_set_xalign (GTK_LABEL (self->name), 1);
  return self->name;
}

static GtkWidget *
make_file (EsParamRow *self)
{
  GtkWidget *button = gtk_button_new ();
  GtkWidget *content = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);

  gtk_box_append (GTK_BOX (content), gtk_image_new_from_icon_name ("document-open-symbolic"));
  gtk_box_append (GTK_BOX (content), make_name (self));
  gtk_button_set_child (GTK_BUTTON (button), content);
  g_signal_connect_swapped (button, "clicked", G_CALLBACK (on_file_clicked), self);
  return button;
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

/* A number that is typed: on a scale nobody could find it. */
static gboolean
is_wide (const EsParamSpec *spec)
{
  return spec->zero_label != NULL && spec->step > 0 && (spec->maximum - spec->minimum) / spec->step > 5000;
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
    case ES_PARAM_TEXT:
      self->control = make_text (self);
      break;
    case ES_PARAM_FILE:
      self->control = make_file (self);
      break;
    case ES_PARAM_REGION:
      /* A label says what is in it; what it is about is for the box around it to say. */
      self->control = g_object_new (GTK_TYPE_BOX, "accessible-role", GTK_ACCESSIBLE_ROLE_GROUP, NULL);
      gtk_box_append (GTK_BOX (self->control), make_name (self));
      self->hint = make_hint (_("Draw a region in the picture and use it from there."));
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

  if (spec->type == ES_PARAM_FLOAT && !is_wide (spec))
    {
      GtkWidget *scale = gtk_scale_new (GTK_ORIENTATION_HORIZONTAL, self->adjustment);
      GtkWidget *scale_line = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);

      es_ignore_wheel (scale);
      gtk_scale_set_draw_value (GTK_SCALE (scale), FALSE);
      gtk_widget_set_hexpand (scale, TRUE);
      gtk_widget_add_css_class (scale, "es-compact");
      describe (self, scale);
      gtk_box_append (GTK_BOX (line), self->control);
      gtk_box_append (GTK_BOX (scale_line), scale);
      gtk_box_append (GTK_BOX (scale_line), self->reset);
      gtk_box_append (GTK_BOX (self), scale_line);
    }
  else if (is_long (spec))
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
