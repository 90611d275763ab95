/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-adaptive-bar-private.h"

/* Blocks come as fast as they can be computed; nobody reads faster. */
#define UPDATE_DELAY_MS 150

G_DEFINE_FINAL_TYPE (EsAdaptiveBar, es_adaptive_bar, GTK_TYPE_WIDGET)

static gboolean
update_from_history (gpointer data)
{
  EsAdaptiveBar *self = data;

  self->update_source = 0;
  _es_adaptive_bar_update_words (self);
  _es_adaptive_bar_update_times (self);
  _es_adaptive_bar_update_suggested (self);
  return G_SOURCE_REMOVE;
}

static void
update_later (EsAdaptiveBar *self)
{
  if (self->update_source == 0)
    self->update_source = g_timeout_add (UPDATE_DELAY_MS, update_from_history, self);
}

/* ---- the widget ---- */

static void
es_adaptive_bar_dispose (GObject *object)
{
  EsAdaptiveBar *self = ES_ADAPTIVE_BAR (object);

  self->syncing = TRUE;
  g_clear_handle_id (&self->update_source, g_source_remove);
  g_clear_object (&self->params_signals);
  g_clear_object (&self->history_signals);
  g_clear_object (&self->params);
  g_clear_object (&self->history);
  g_clear_pointer (&self->settings, es_beam_settings_free);
  g_clear_pointer (&self->box, gtk_widget_unparent);
  G_OBJECT_CLASS (es_adaptive_bar_parent_class)->dispose (object);
}

static void
es_adaptive_bar_class_init (EsAdaptiveBarClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = es_adaptive_bar_dispose;
  gtk_widget_class_set_css_name (widget_class, "adaptivebar");
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_TOOLBAR);
  gtk_widget_class_set_layout_manager_type (widget_class, GTK_TYPE_BIN_LAYOUT);
}

static void
es_adaptive_bar_init (EsAdaptiveBar *self)
{
  self->suggested = self->by_aic = -1;
  self->params_signals = g_signal_group_new (ES_TYPE_PARAMS);
  g_signal_group_connect_swapped (self->params_signals, "changed", G_CALLBACK (_es_adaptive_bar_show_params), self);
  self->history_signals = g_signal_group_new (ES_TYPE_BEAM_HISTORY);
  g_signal_group_connect_swapped (self->history_signals, "filled", G_CALLBACK (update_later), self);
  g_signal_group_connect_swapped (self->history_signals, "reset", G_CALLBACK (update_later), self);
  self->syncing = TRUE;
  _es_adaptive_bar_make_controls (self);
  self->syncing = FALSE;
  _es_adaptive_bar_show_params (self);
  _es_adaptive_bar_update_words (self);
}

GtkWidget *
es_adaptive_bar_new (void)
{
  return g_object_new (ES_TYPE_ADAPTIVE_BAR, NULL);
}

void
es_adaptive_bar_set_params (EsAdaptiveBar *self, EsParams *params)
{
  g_return_if_fail (ES_IS_ADAPTIVE_BAR (self) && (params == NULL || ES_IS_PARAMS (params)));

  if (!g_set_object (&self->params, params))
    return;
  g_signal_group_set_target (self->params_signals, params);
  _es_adaptive_bar_show_params (self);
}

void
es_adaptive_bar_set_history (EsAdaptiveBar *self, EsBeamHistory *history)
{
  g_return_if_fail (ES_IS_ADAPTIVE_BAR (self) && (history == NULL || ES_IS_BEAM_HISTORY (history)));

  if (!g_set_object (&self->history, history))
    return;
  g_signal_group_set_target (self->history_signals, history);
  g_clear_handle_id (&self->update_source, g_source_remove);
  update_from_history (self);
}

void
es_adaptive_bar_set_settings (EsAdaptiveBar *self, const EsBeamSettings *settings, guint n_alive)
{
  g_return_if_fail (ES_IS_ADAPTIVE_BAR (self));

  g_clear_pointer (&self->settings, es_beam_settings_free);
  self->settings = settings != NULL ? es_beam_settings_copy (settings) : NULL;
  self->n_alive = n_alive;
  if (self->params != NULL)
    _es_adaptive_bar_read_sliders (self);
  _es_adaptive_bar_update_words (self);
}

EsValueSlider *
es_adaptive_bar_get_slider (EsAdaptiveBar *self, EsAdaptiveSlider which)
{
  g_return_val_if_fail (ES_IS_ADAPTIVE_BAR (self) && which < ES_N_ADAPTIVE_SLIDERS, NULL);
  return self->sliders[which];
}

const char *
es_adaptive_bar_get_words (EsAdaptiveBar *self)
{
  g_return_val_if_fail (ES_IS_ADAPTIVE_BAR (self), NULL);
  return gtk_label_get_label (self->words);
}

const char *
es_adaptive_bar_get_times (EsAdaptiveBar *self)
{
  g_return_val_if_fail (ES_IS_ADAPTIVE_BAR (self), NULL);
  return gtk_label_get_label (self->times);
}

gboolean
es_adaptive_bar_is_warning (EsAdaptiveBar *self)
{
  g_return_val_if_fail (ES_IS_ADAPTIVE_BAR (self), FALSE);
  return gtk_widget_get_visible (self->warning);
}

int
es_adaptive_bar_get_suggested (EsAdaptiveBar *self)
{
  g_return_val_if_fail (ES_IS_ADAPTIVE_BAR (self), -1);
  return self->suggested;
}

void
es_adaptive_bar_take_suggested (EsAdaptiveBar *self)
{
  g_return_if_fail (ES_IS_ADAPTIVE_BAR (self));
  if (self->params != NULL && self->suggested > 0)
    es_params_set_value (self->params, "sources", self->suggested);
}
