/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "es-beam-peaks.h"

G_BEGIN_DECLS

/* Of the tops of a curve, the strongest first: ES_BEAM_MOST_LIFTS at most. */
guint _es_beam_find_lifts (const EsBeamCurve *curve, const EsBeamPeak *tops, guint n, EsBeamLift *lifts);

G_END_DECLS
