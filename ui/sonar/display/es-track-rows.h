/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "player/es-beam-history.h"

G_BEGIN_DECLS

/*
 * Where the tracks of a history lie among its rows. A track has a point for each block, so that one row says all; it is
 * found by its time when the track is first seen, and kept: what is played twice has the same times again.
 */
typedef struct _EsTrackRows EsTrackRows;

EsTrackRows *es_track_rows_new    (void);
void         es_track_rows_free   (EsTrackRows *self);
/* Of another history, or of one that begins anew. */
void         es_track_rows_clear  (EsTrackRows *self);
/* Whenever rows were added: `end` rows in all, those that are gone too. */
void         es_track_rows_update (EsTrackRows *self, EsBeamHistory *history, guint64 end);
/* The row of its first point, counted from the first one of the history; may be gone. FALSE: not known. */
gboolean     es_track_rows_find   (EsTrackRows *self, guint id, gint64 *row);

G_END_DECLS
