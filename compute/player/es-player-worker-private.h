/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "es-player-private.h"

G_BEGIN_DECLS

/* Over which the real-time factor is taken. */
#define ES_PLAYER_FACTOR_BLOCKS 8

/* What is the worker's alone; for its own files. */
typedef struct
{
  EsPlayerLink *link;
  EsBeamformer *beamformer;    /* NULL: it cannot be made from the parameters there are */
  EsArray      *array;
  EsCalibration *calibration;  /* nullable */
  EsBeamSettings *settings;    /* of the beamformer */
  EsDevice     *wanted;        /* as it was asked for when it was made */
  EsBeamArchive *archive;      /* of what it forms */
  guint         generation;
  guint64       block;         /* frames */
  guint         params_seen, seek_seen, probe_seen;
  guint64       next;          /* the frame of the next block */
  guint64       shown;         /* of the last one; what is seen while paused */
  gboolean      has_shown, show;       /* show: compute `next` though nothing plays */

  /* The last blocks: seconds of signal, and what they cost */
  double        signal[ES_PLAYER_FACTOR_BLOCKS], cost[ES_PLAYER_FACTOR_BLOCKS];
  guint         n_factor;
  gint64        run_time, run_start;   /* when the last block of a run came, 0: none yet; and when it began */
  double        handed_over;   /* seconds that handing it over took */
  guint         punctual;

  char         *notice;        /* what became of a card; NULL */

  EsBeamSound  *sound;
  guint         sound_seen;
  float        *samples;       /* block of them */
} EsPlayerWorker;

/* With the lock held: something else than going on is asked for. */
gboolean _es_player_worker_is_interrupted (EsPlayerWorker *self);

/* ---- making ready: es-player-ready.c ---- */
void     _es_player_worker_drop          (EsPlayerWorker *self);
/* Whether the CPU is to play instead of a card that is full or does not work; then that will be told. */
gboolean _es_player_worker_falls_back    (EsPlayerWorker *self, EsDevice *device, const GError *error);
/* Takes settings, array and error over; settings NULL: there are none, because of the error. */
void     _es_player_worker_prepare       (EsPlayerWorker *self, const EsOperation *operation, EsParams *params,
                                          EsBeamSettings *settings, EsArray *array, EsDevice *wanted, gboolean on_cpu,
                                          double bearing, double frequency, GError *settings_error);

/* ---- forming and handing over: es-player-blocks.c ---- */
void     _es_player_worker_compute       (EsPlayerWorker *self, guint64 frame, gboolean is_again, gboolean with_sound);
/* What is seen now, with other adaptive beams or another probe. While it plays as fast as possible the next block will
 * be. */
void     _es_player_worker_compute_again (EsPlayerWorker *self, gboolean playing);
void     _es_player_worker_run           (EsPlayerWorker *self);

G_END_DECLS
