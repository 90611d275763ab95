/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "es-waterfall-pane.h"

G_BEGIN_DECLS

/* The bearing-time record: bearing across, time down; the cursor's bearing, the peaks of the moment as triangles, and
 * the tracks: of CBF, or of adaptive beams. */
#define ES_TYPE_BTR_PANE (es_btr_pane_get_type ())
G_DECLARE_FINAL_TYPE (EsBtrPane, es_btr_pane, ES, BTR_PANE, EsWaterfallPane)

EsSonarPane *es_btr_pane_new (EsSonarDisplay *display, const char *id, EsBeamKind kind);

G_END_DECLS
