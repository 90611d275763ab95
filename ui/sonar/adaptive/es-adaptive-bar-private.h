/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "es-adaptive-bar.h"

G_BEGIN_DECLS

struct _EsAdaptiveBar
{
  GtkWidget       parent_instance;

  GtkWidget      *box;
  EsValueSlider  *sliders[ES_N_ADAPTIVE_SLIDERS];
  GtkWidget      *method, *sources, *suggest;
  GtkWidget      *warning;
  GtkLabel       *words, *times;

  EsParams       *params;
  GSignalGroup   *params_signals;
  EsBeamHistory  *history;
  GSignalGroup   *history_signals;
  EsBeamSettings *settings;
  guint           n_alive;
  int             suggested, by_aic;
  guint           update_source;
  gboolean        syncing;
};

/* es-adaptive-bar-words.c: what the snapshots allow, what a block took, and how many sources are counted */
void _es_adaptive_bar_update_words     (EsAdaptiveBar *self);
void _es_adaptive_bar_update_times     (EsAdaptiveBar *self);
void _es_adaptive_bar_update_suggested (EsAdaptiveBar *self);

/* es-adaptive-bar-controls.c */
void _es_adaptive_bar_make_controls    (EsAdaptiveBar *self);
/* Params -> widgets. */
void _es_adaptive_bar_show_params      (EsAdaptiveBar *self);
void _es_adaptive_bar_read_sliders     (EsAdaptiveBar *self);

G_END_DECLS
