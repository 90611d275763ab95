/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "plot/es-plot.h"
#include "es-sonar-pane.h"

G_BEGIN_DECLS

/* One element at the moment: its waveform and its spectrum, read off the UI thread. */
#define ES_TYPE_ELEMENT_PANE (es_element_pane_get_type ())
G_DECLARE_FINAL_TYPE (EsElementPane, es_element_pane, ES, ELEMENT_PANE, EsSonarPane)

EsSonarPane *es_element_pane_new         (EsSonarDisplay *display);
/* From 0, in the order of the array. */
void         es_element_pane_set_element (EsElementPane *self, guint element);
guint        es_element_pane_get_element (EsElementPane *self);
EsPlot      *es_element_pane_get_spectrum (EsElementPane *self);
gboolean     es_element_pane_is_busy     (EsElementPane *self);

G_END_DECLS
