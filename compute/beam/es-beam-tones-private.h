/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "es-beam-block-private.h"

G_BEGIN_DECLS

/* Of a block whose beams are all there: MVDR's of the bins that a tone fills are read at the tone's own frequency, and
 * its far row is summed anew. Lines alone, and angles between which the curve is known; otherwise it is noted that
 * there are such tones. */
void _es_beam_tones_place (EsBeamBlock *block);

G_END_DECLS
