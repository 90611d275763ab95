/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtk/gtk.h>

#include "player/es-beam-history.h"
#include "widgets/es-value-slider.h"

G_BEGIN_DECLS

/*
 * What adaptive beams are made with, while they are played: sliders for snapshots, blocks and loading, the method, the
 * sources of MUSIC with what AIC and MDL suggest; below them what so many snapshots mean for so many elements, and what
 * each step takes. It changes the parameters of the operation "mvdr"; what changes there is shown. The button opens
 * "win.compare-methods".
 */
#define ES_TYPE_ADAPTIVE_BAR (es_adaptive_bar_get_type ())
G_DECLARE_FINAL_TYPE (EsAdaptiveBar, es_adaptive_bar, ES, ADAPTIVE_BAR, GtkWidget)

typedef enum { ES_ADAPTIVE_SNAPSHOTS, ES_ADAPTIVE_BLOCKS, ES_ADAPTIVE_LOADING, ES_N_ADAPTIVE_SLIDERS } EsAdaptiveSlider;

GtkWidget     *es_adaptive_bar_new           (void);
/* NULL: nothing can be changed. */
void           es_adaptive_bar_set_params    (EsAdaptiveBar *self, EsParams *params);
/* Of what is played: the times, K and the eigenvalues of its newest block. Nullable. */
void           es_adaptive_bar_set_history   (EsAdaptiveBar *self, EsBeamHistory *history);
/* What the parameters come to for this recording and an array of so many alive elements; copied, nullable. */
void           es_adaptive_bar_set_settings  (EsAdaptiveBar *self, const EsBeamSettings *settings, guint n_alive);

EsValueSlider *es_adaptive_bar_get_slider    (EsAdaptiveBar *self, EsAdaptiveSlider which);
/* As they are read. */
const char    *es_adaptive_bar_get_words     (EsAdaptiveBar *self);
const char    *es_adaptive_bar_get_times     (EsAdaptiveBar *self);
gboolean       es_adaptive_bar_is_warning    (EsAdaptiveBar *self);
/* What MDL suggests; -1: not known. The button takes it. */
int            es_adaptive_bar_get_suggested (EsAdaptiveBar *self);
void           es_adaptive_bar_take_suggested (EsAdaptiveBar *self);

/* "K = 32 of B = 64: ...": what K snapshots mean for B elements; warning (nullable): fewer than are needed. Transfer
 * full. */
char          *es_adaptive_describe_snapshots (double snapshots, guint n_alive, gboolean *warning);

G_END_DECLS
