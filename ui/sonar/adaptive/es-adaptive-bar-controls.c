/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-adaptive-bar-private.h"

#include <glib/gi18n-lib.h>

#include "beam/es-adaptive-compare.h"
#include "widgets/es-fit-layout.h"
#include "widgets/es-wheel.h"

/* Stands for "automatic" in the lists. */
#define AUTOMATIC 0
#define AUTOMATIC_LOADING (-1)

static const double snapshots[] = {
  1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64, 96, 128, 192, 256, 384, 512, 768, 1024,
};
static const double blocks[] = { AUTOMATIC, 1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64 };
static const double loadings[] = {
  AUTOMATIC_LOADING, 0, 1e-5, 3e-5, 1e-4, 3e-4, 1e-3, 3e-3, 0.01, 0.03, 0.1, 0.3, 1, 3, 10,
};

/* ---- parameters ---- */

/* Automatic where the text is empty. */
static double
get_loading (EsParams *params)
{
  const char *text = es_params_get_text (params, "loading");
  char *end;
  const double value = g_ascii_strtod (text, &end);

  return end != text && *end == '\0' && value >= 0 ? value : AUTOMATIC_LOADING;
}

static void
set_loading (EsParams *params, double value)
{
  char digits[G_ASCII_DTOSTR_BUF_SIZE];

  es_params_set_text (params, "loading",
                      value < 0 ? NULL : g_ascii_formatd (digits, sizeof digits, "%.6g", value));
}

void
_es_adaptive_bar_read_sliders (EsAdaptiveBar *self)
{
  const guint n_blocks = es_params_get_int (self->params, "blocks");
  const double loading = get_loading (self->params);
  const gboolean forgets = es_params_get_float (self->params, "forgetting") > 0;
  g_autofree char *text = g_strdup_printf ("%u", (guint) es_params_get_int (self->params, "snapshots"));
  GtkWidget *slider = GTK_WIDGET (self->sliders[ES_ADAPTIVE_BLOCKS]);

  es_value_slider_set_reading (self->sliders[ES_ADAPTIVE_SNAPSHOTS], text);
  g_free (text);
  if (n_blocks > 0)
    text = g_strdup_printf ("%u", n_blocks);
  else if (self->settings != NULL && self->settings->adaptive.on && !forgets)
    /* TRANSLATORS: an automatic value, and what it comes to */
    text = g_strdup_printf (_("auto %u"), self->settings->adaptive.blocks);
  else
    text = g_strdup (_("auto"));
  es_value_slider_set_reading (self->sliders[ES_ADAPTIVE_BLOCKS], text);
  gtk_widget_set_sensitive (slider, !forgets);
  gtk_widget_set_tooltip_text (slider, forgets ? _("Older blocks are forgotten little by little instead: "
                                                   "Forgetting, on the left")
                                               : _("Over how many blocks snapshots are averaged"));
  g_free (text);
  if (loading >= 0)
    text = g_strdup_printf ("%.4g", loading);
  else if (self->settings != NULL && self->settings->adaptive.on)
    text = g_strdup_printf (_("auto %.4g"), es_beam_settings_get_loading (self->settings, self->n_alive));
  else
    text = g_strdup (_("auto"));
  es_value_slider_set_reading (self->sliders[ES_ADAPTIVE_LOADING], text);
}

/* Params -> widgets. */
void
_es_adaptive_bar_show_params (EsAdaptiveBar *self)
{
  gtk_widget_set_sensitive (self->box, self->params != NULL);
  if (self->params == NULL || self->syncing)
    return;
  self->syncing = TRUE;
  es_value_slider_set_value (self->sliders[ES_ADAPTIVE_SNAPSHOTS], es_params_get_int (self->params, "snapshots"));
  es_value_slider_set_value (self->sliders[ES_ADAPTIVE_BLOCKS], es_params_get_int (self->params, "blocks"));
  es_value_slider_set_value (self->sliders[ES_ADAPTIVE_LOADING], get_loading (self->params));
  gtk_drop_down_set_selected (GTK_DROP_DOWN (self->method), es_params_get_choice (self->params, "method"));
  gtk_spin_button_set_value (GTK_SPIN_BUTTON (self->sources), es_params_get_int (self->params, "sources"));
  self->syncing = FALSE;
  _es_adaptive_bar_read_sliders (self);
  _es_adaptive_bar_update_words (self);
  _es_adaptive_bar_update_suggested (self);
}

static void
on_slider (EsAdaptiveBar *self, GParamSpec *pspec, EsValueSlider *slider)
{
  const double value = es_value_slider_get_value (slider);

  if (self->syncing || self->params == NULL)
    return;
  if (slider == self->sliders[ES_ADAPTIVE_LOADING])
    set_loading (self->params, value);
  else
    es_params_set_value (self->params, slider == self->sliders[ES_ADAPTIVE_BLOCKS] ? "blocks" : "snapshots", value);
}

static void
on_method (EsAdaptiveBar *self)
{
  const guint selected = gtk_drop_down_get_selected (GTK_DROP_DOWN (self->method));

  if (!self->syncing && self->params != NULL && selected != GTK_INVALID_LIST_POSITION)
    es_params_set_value (self->params, "method", selected);
}

static void
on_sources (EsAdaptiveBar *self)
{
  if (!self->syncing && self->params != NULL)
    es_params_set_value (self->params, "sources", gtk_spin_button_get_value (GTK_SPIN_BUTTON (self->sources)));
}

/* ---- making ---- */

static void
add_slider (EsAdaptiveBar *self, GtkWidget *row, EsAdaptiveSlider which, const char *label, const char *longest,
            const double *values, guint n, const char *tooltip)
{
  GtkWidget *slider = es_value_slider_new (label, longest, values, n);

  self->sliders[which] = ES_VALUE_SLIDER (slider);
  gtk_widget_set_tooltip_text (slider, tooltip);
  g_signal_connect_object (slider, "notify::value", G_CALLBACK (on_slider), self, G_CONNECT_SWAPPED);
  gtk_box_append (GTK_BOX (row), slider);
}

static void
name (GtkWidget *widget, const char *label, const char *tooltip)
{
  gtk_widget_set_valign (widget, GTK_ALIGN_CENTER);
  gtk_widget_set_tooltip_text (widget, tooltip);
  gtk_accessible_update_property (GTK_ACCESSIBLE (widget), GTK_ACCESSIBLE_PROPERTY_LABEL, label, -1);
}

/* "Off" for none. */
static gboolean
on_sources_output (GtkSpinButton *spin, gpointer data)
{
  const int n = gtk_spin_button_get_value_as_int (spin);
  g_autofree char *text = n > 0 ? g_strdup_printf ("%d", n) : g_strdup (C_("MUSIC", "Off"));

  if (g_strcmp0 (text, gtk_editable_get_text (GTK_EDITABLE (spin))) != 0)
    gtk_editable_set_text (GTK_EDITABLE (spin), text);
  return TRUE;
}

static int
on_sources_input (GtkSpinButton *spin, double *value, gpointer data)
{
  /* What is no number is none. */
  *value = g_ascii_strtod (gtk_editable_get_text (GTK_EDITABLE (spin)), NULL);
  return TRUE;
}

static GtkWidget *
make_sources (EsAdaptiveBar *self)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 4), *label = gtk_label_new_with_mnemonic (_("M_USIC"));

  self->sources = gtk_spin_button_new_with_range (0, 64, 1);
  gtk_spin_button_set_numeric (GTK_SPIN_BUTTON (self->sources), FALSE);
  gtk_editable_set_width_chars (GTK_EDITABLE (self->sources), 3);
  gtk_editable_set_max_width_chars (GTK_EDITABLE (self->sources), 3);
  es_ignore_wheel (self->sources);
  name (self->sources, _("Sources of MUSIC"), _("How many sources MUSIC is to find; none switches it off"));
  gtk_label_set_mnemonic_widget (GTK_LABEL (label), self->sources);
  g_signal_connect_object (self->sources, "output", G_CALLBACK (on_sources_output), self, 0);
  g_signal_connect_object (self->sources, "input", G_CALLBACK (on_sources_input), self, 0);
  gtk_spin_button_update (GTK_SPIN_BUTTON (self->sources));
  g_signal_connect_object (self->sources, "value-changed", G_CALLBACK (on_sources), self, G_CONNECT_SWAPPED);
  self->suggest = gtk_button_new_with_label (_("MDL: –"));
  gtk_widget_set_valign (self->suggest, GTK_ALIGN_CENTER);
  gtk_widget_add_css_class (self->suggest, "numeric");
  g_signal_connect_object (self->suggest, "clicked", G_CALLBACK (es_adaptive_bar_take_suggested), self,
                           G_CONNECT_SWAPPED);
  gtk_box_append (GTK_BOX (box), label);
  gtk_box_append (GTK_BOX (box), self->sources);
  gtk_box_append (GTK_BOX (box), self->suggest);
  return box;
}

static GtkWidget *
make_methods (EsAdaptiveBar *self)
{
  g_autoptr (GtkStringList) titles = gtk_string_list_new (NULL);

  gtk_string_list_append (titles, _("Automatic"));
  for (guint i = ES_ADAPTIVE_AUTO + 1; i < ES_N_ADAPTIVE_METHODS; i++)
    gtk_string_list_append (titles, es_adaptive_method_get_name (i));
  self->method = gtk_drop_down_new (G_LIST_MODEL (g_steal_pointer (&titles)), NULL);
  name (self->method, _("Method"), _("The way to the inverse of the matrix; all of them are exact"));
  g_signal_connect_object (self->method, "notify::selected", G_CALLBACK (on_method), self, G_CONNECT_SWAPPED);
  return self->method;
}

static GtkLabel *
make_line (gboolean expand)
{
  GtkWidget *label = gtk_label_new (NULL);

  gtk_label_set_ellipsize (GTK_LABEL (label), PANGO_ELLIPSIZE_END);
  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_widget_set_hexpand (label, expand);
  gtk_widget_add_css_class (label, "caption");
  gtk_widget_add_css_class (label, "numeric");
  return GTK_LABEL (label);
}

/* What is rarely wanted, behind a button. */
static GtkWidget *
make_more (EsAdaptiveBar *self)
{
  GtkWidget *button = gtk_menu_button_new (), *popover = gtk_popover_new ();
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 8), *row = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 8);
  GtkWidget *compare = gtk_button_new_with_label (_("Compare…")), *method = make_methods (self);

  gtk_box_append (GTK_BOX (row), gtk_label_new (_("Method")));
  gtk_widget_set_hexpand (method, TRUE);
  gtk_box_append (GTK_BOX (row), method);
  gtk_box_append (GTK_BOX (box), row);
  gtk_actionable_set_action_name (GTK_ACTIONABLE (compare), "win.compare-methods");
  name (compare, _("Compare methods"), _("Times and differences of all methods on the snapshots of this moment"));
  g_signal_connect_object (compare, "clicked", G_CALLBACK (gtk_popover_popdown), popover, G_CONNECT_SWAPPED);
  gtk_box_append (GTK_BOX (box), compare);
  gtk_popover_set_child (GTK_POPOVER (popover), box);
  gtk_menu_button_set_label (GTK_MENU_BUTTON (button), _("Method"));
  gtk_menu_button_set_popover (GTK_MENU_BUTTON (button), popover);
  name (button, _("Method"), _("The way to the inverse of the matrix; all of them are exact"));
  es_keep_focus (button);
  return button;
}

/* What is heard of the snapshots takes what the row has left, and is cut off where that is too little. */
static GtkWidget *
make_lines (EsAdaptiveBar *self)
{
  GtkWidget *row = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);

  self->warning = gtk_image_new_from_icon_name ("dialog-warning-symbolic");
  gtk_widget_add_css_class (self->warning, "warning");
  self->words = make_line (TRUE);
  /* What the snapshots allow is read first. */
  gtk_label_set_width_chars (self->words, 28);
  self->times = make_line (FALSE);
  gtk_widget_add_css_class (GTK_WIDGET (self->times), "dim-label");
  gtk_box_append (GTK_BOX (row), make_sources (self));
  gtk_box_append (GTK_BOX (row), make_more (self));
  gtk_box_append (GTK_BOX (row), self->warning);
  gtk_box_append (GTK_BOX (row), GTK_WIDGET (self->words));
  gtk_box_append (GTK_BOX (row), GTK_WIDGET (self->times));
  return row;
}

void
_es_adaptive_bar_make_controls (EsAdaptiveBar *self)
{
  GtkWidget *row = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 0);

  self->box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 2);
  gtk_widget_set_parent (self->box, GTK_WIDGET (self));
  gtk_widget_add_css_class (self->box, "display-bar");
  gtk_widget_set_layout_manager (row, es_fit_layout_new (10));
  add_slider (self, row, ES_ADAPTIVE_SNAPSHOTS, _("S_napshots"), "1024", snapshots, G_N_ELEMENTS (snapshots),
              _("Into how many overlapping transforms a block is divided"));
  add_slider (self, row, ES_ADAPTIVE_BLOCKS, _("_Blocks"), "auto 8", blocks, G_N_ELEMENTS (blocks), NULL);
  add_slider (self, row, ES_ADAPTIVE_LOADING, _("_Loading"), "auto 0.01", loadings, G_N_ELEMENTS (loadings),
              _("What is added to the diagonal of the matrix, as a share of its mean"));
  gtk_box_append (GTK_BOX (self->box), row);
  gtk_box_append (GTK_BOX (self->box), make_lines (self));
}
