/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "beam/es-beam-aim.h"
#include "es-beam-history.h"

G_BEGIN_DECLS

/*
 * Plays a recording: a worker forms the beams of one block after the other, in step with the clock or as fast as it
 * can, and hands them to a history in the main context. Main context only; no call waits for the worker. A card that
 * fails is replaced by the CPU, and "failure" says so. While nothing can be computed the position stands still.
 *
 * Properties, notified in the main context and coalesced: "playing", "position" (s), "real-time-factor" (seconds of
 * signal a second of computing, over the last blocks; 0: not known), "speed", "loop", "failure" (a sentence; nullable),
 * "lagging" (it cannot keep up with the speed asked for), "preparing" (plans are being made, a device starts),
 * "progress" (of the record), "duration" (s; also when the recording begins or ceases to grow, at whose end playing
 * waits).
 */
#define ES_TYPE_PLAYER (es_player_get_type ())
G_DECLARE_FINAL_TYPE (EsPlayer, es_player, ES, PLAYER, GObject)

/* Speed: as fast as possible. */
#define ES_PLAYER_FASTEST 0.0

EsPlayer      *es_player_new             (EsRecording *recording);
EsRecording   *es_player_get_recording   (EsPlayer *self);
EsBeamHistory *es_player_get_history     (EsPlayer *self);
/* An operation of beams (cbf, mvdr) and its parameters, copied: what is played from now on. Where nothing but method,
 * loading, sources or eigenvalues differs, what was heard stays and the newest block is shown anew at once. Settings
 * that cannot be are "failure". device NULL: the fastest for these settings. */
void           es_player_set_params      (EsPlayer *self, const EsOperation *operation, EsParams *params,
                                          EsDevice *device);
EsDevice      *es_player_get_device      (EsPlayer *self);        /* that computes now; nullable */
/* Whether what is not played is computed too, on a thread and with a beamformer of its own, until the record is of
 * the whole recording: in some lines, then what is looked at, then coarse to fine. Not where it would disturb what
 * plays. */
void           es_player_set_ahead       (EsPlayer *self, gboolean ahead);
/* The rows that are looked at, which are wanted first, and with their spectra, also where these had no room; and the
 * one among them that a person points at, before all others (NAN: none). */
void           es_player_set_view        (EsPlayer *self, double first, double end);
void           es_player_look_at         (EsPlayer *self, double row);
/* How much of the record is there, 0 .. 1. */
double         es_player_get_progress    (EsPlayer *self);
/* A closer look at a bearing and a frequency (EsBeamProbe) from now on; NAN: none. Paused: the block there anew. */
void           es_player_set_probe       (EsPlayer *self, double bearing, double frequency);
/* Adaptive beams of a row anew, with all that is told of a block (es_beam_history_get_report () and those beside it),
 * and a probe of it (NAN: none), until another is asked for. row G_MAXUINT: of none. */
void           es_player_look_closer     (EsPlayer *self, guint row, double bearing, double frequency);
void           es_player_play            (EsPlayer *self);
void           es_player_pause           (EsPlayer *self);
gboolean       es_player_is_playing      (EsPlayer *self);
/* Seconds. What is played are the blocks of the record: playing goes on with the one that this is in. Paused: it is
 * computed and shown. The history is kept. */
void           es_player_seek            (EsPlayer *self, double seconds);
double         es_player_get_position    (EsPlayer *self);
double         es_player_get_duration    (EsPlayer *self);
/* 1, 2, ... or ES_PLAYER_FASTEST. */
void           es_player_set_speed       (EsPlayer *self, double speed);
double         es_player_get_speed       (EsPlayer *self);
void           es_player_set_loop        (EsPlayer *self, gboolean loop);
double         es_player_get_real_time_factor (EsPlayer *self);
const char    *es_player_get_failure     (EsPlayer *self);
/* Flags of the elements heard so far; NULL: none yet. Borrowed until the next block. */
const EsElementHealth *es_player_get_health (EsPlayer *self, guint *n_elements);

/*
 * The sound of a beam: what is played from now on is also steered there (far field) and given to
 * `take` on the worker's thread, mono, at the recording's rate, one block after the other without a seam. NULL:
 * not any more; `take` may just be running then, and destroy is called after it, on either thread. Nothing is given
 * when playing as fast as possible.
 */
typedef void (*EsSoundTake) (const float *samples, guint n, double rate, gpointer data);
void           es_player_set_listener    (EsPlayer *self, EsBeamAim aim, EsSoundTake take, gpointer data,
                                          GDestroyNotify destroy);

G_END_DECLS
