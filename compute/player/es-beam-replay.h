/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "es-player.h"

G_BEGIN_DECLS

/*
 * The sound of a far-field beam over a stretch of a recording, while nothing else plays: formed piece by piece on a
 * thread of its own, a little ahead of the clock, at the recording's speed (es_beam_sound_new ()). Main context only.
 *
 * Signal: "ended" (const char *failure: a sentence; NULL: all of it has been heard), once, in the main context.
 */
#define ES_TYPE_BEAM_REPLAY (es_beam_replay_get_type ())
G_DECLARE_FINAL_TYPE (EsBeamReplay, es_beam_replay, ES, BEAM_REPLAY, GObject)

/* begin, end: s. take is called on the thread, without a seam; destroy after the last time, on either thread. */
EsBeamReplay *es_beam_replay_new          (EsRecording *recording, EsArray *array, EsShading shading, EsBeamAim aim,
                                           double begin, double end, EsSoundTake take, gpointer data,
                                           GDestroyNotify destroy);
/* From the next piece on. */
void          es_beam_replay_set_aim      (EsBeamReplay *self, EsBeamAim aim);
/* What is heard about now, s. */
double        es_beam_replay_get_position (EsBeamReplay *self);

G_END_DECLS
