/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "es-beam-history.h"

G_BEGIN_DECLS

/*
 * Forms again what a result did not keep: spectra and fields of the rows that somebody looks at, of every bearing, from
 * the result's recording with the array, the calibration and the settings that it was computed with, on its device if
 * that is here. They come into the history ("filled"), coarse to fine, on a thread of its own; main context only, and
 * no call waits for it. Where they cannot be formed, or a row turns out other than the result's, the history says why
 * (es_beam_history_get_refusal ()).
 */
#define ES_TYPE_BEAM_RECALL (es_beam_recall_get_type ())
G_DECLARE_FINAL_TYPE (EsBeamRecall, es_beam_recall, ES, BEAM_RECALL, GObject)

/* history: of a result, with nothing that forms its rows again yet. */
EsBeamRecall *es_beam_recall_new      (EsBeamHistory *history);
/* As es_player_set_view () and es_player_look_at (): nothing is formed for anybody else. */
void          es_beam_recall_set_view (EsBeamRecall *self, double first, double end);
void          es_beam_recall_look_at  (EsBeamRecall *self, double row);
/* A closer look at a bearing (degrees) and the bin of a frequency (Hz) of a row (es_beam_history_get_probe ()).
 * frequency NAN: that of what the result kept, else the middle of the band; row G_MAXUINT: the one in which that beam
 * is loudest. Where both are, of the bearing that the result kept, and where bearing is NAN: what it kept. */
void          es_beam_recall_look_closer (EsBeamRecall *self, double bearing, double frequency, guint row);

G_END_DECLS
