/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "es-waterfall-pane.h"

G_BEGIN_DECLS

/*
 * The LOFARgram of the beam under the cursor: frequency across, time down; of a result, the beam that it kept. With the
 * harmonics cursor, lines stand at multiples of the cursor's frequency, and can be dragged.
 */
#define ES_TYPE_LOFAR_PANE (es_lofar_pane_get_type ())
G_DECLARE_FINAL_TYPE (EsLofarPane, es_lofar_pane, ES, LOFAR_PANE, EsWaterfallPane)

EsSonarPane *es_lofar_pane_new (EsSonarDisplay *display);

G_END_DECLS
