/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "es-waterfall-pane.h"

G_BEGIN_DECLS

/* es-waterfall-pane-read.c; of EsMapMeasure and EsSonarPaneClass. */
char *_es_waterfall_pane_measure (gpointer data, double left, double right, double bottom, double top);
char *_es_waterfall_pane_to_text (EsSonarPane *pane, char separator);

G_END_DECLS
