/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "es-beam-block-private.h"

G_BEGIN_DECLS

/* Of a block whose beams are all there: in the bins that a tone fills MVDR's peak of it is read at the tone's own
 * frequency, other bearings stay as they are, and the far row is summed anew. Lines alone, and angles between which
 * the curve is known; otherwise it is noted that there are such tones. */
void _es_beam_tones_place (EsBeamBlock *block);

G_END_DECLS
