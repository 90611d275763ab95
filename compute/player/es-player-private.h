/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "es-beam-history-private.h"
#include "beam/es-beam-sound.h"
#include "es-player.h"

G_BEGIN_DECLS

/* Who hears a beam; counted, so that it outlives a call that is under way. */
typedef struct
{
  EsBeamAim      aim;
  EsSoundTake    take;
  gpointer       data;
  GDestroyNotify destroy;
} EsPlayerListener;

EsPlayerListener *es_player_listener_new   (EsBeamAim aim, EsSoundTake take, gpointer data, GDestroyNotify destroy);
void              es_player_listener_unref (EsPlayerListener *self);

/* What the worker hands over. */
typedef struct
{
  EsBeamBlock *block;
  EsBeamArchive *archive;      /* its spectra are there; NULL: nowhere */
  gboolean     is_again;       /* of what was seen last, formed anew */
  gboolean     is_refill;      /* the row was known: its spectra are there again */
  gboolean     is_closer;      /* somebody looks closer at it: it is not for the record */
} EsPlayerNews;

void es_player_news_free (EsPlayerNews *self);

/*
 * What the player in the main context and its worker share; counted, for the worker may live a little longer. All of it
 * is under the lock but the recording.
 */
typedef struct
{
  EsRecording  *recording;
  GMainContext *context;
  GSourceFunc   listen;        /* es_player_link_tell () */
  guint64       origin;        /* the frame that row 0 begins with */
  guint         most_rows;     /* after which the record ends */

  GMutex        lock;
  GCond         wake;          /* the worker: something is asked for, or there is room again */

  /* What there is of the recording: more of it when that is told, not before. */
  guint64       frames;
  guint64       common;        /* as far as all channels were there; main context only */
  gboolean      is_growing;    /* at its end it is waited for more */

  /* Asked for by the player */
  gpointer      owner;         /* an EsPlayer or EsBeamRecall, borrowed; main context only; NULL: it has gone */
  gboolean      quit;
  const EsOperation *operation;
  EsParams     *params;        /* a copy that nobody changes; NULL: none yet */
  EsDevice     *wanted;        /* NULL: the fastest */
  gboolean      on_cpu;        /* the card has failed: the CPU next, whatever is wanted */
  guint         params_serial, seek_serial, listener_serial, probe_serial;
  double        probe_bearing, probe_frequency;        /* NAN: none */
  guint         closer_row, closer_serial;             /* of which row all is to be told, beside; G_MAXUINT: none */
  double        closer_bearing, closer_frequency;      /* with a probe; NAN: without */
  guint64       seek_frame;
  guint         asked, answered;       /* how often for something new, and what of that the worker has turned to */
  int           give_up;       /* atomic: what is computed now takes long, and nobody wants it any more */
  gboolean      playing, loop;
  double        speed;
  EsPlayerListener *listener;
  gboolean      ahead;         /* what is not played is computed, too */
  guint         view_first, view_end, view_serial;     /* rows that somebody looks at */
  guint         focus;         /* the one of them that is looked at closer; G_MAXUINT: none */

  /* The record that there is to be, by row; made with each beamformer of other beams */
  EsBeamForm   *form;          /* NULL: none yet */
  EsBeamArchive *archive;
  guint64       memory_limit, file_limit;      /* of archives; bytes */
  guint        *known;         /* n_rows: of which generation; 0: not yet */
  guint        *in_vain;       /* n_rows: of which view_serial; G_MAXUINT: cannot be read */
  guint         n_rows, generation;
  guint         prepared;      /* the params_serial that this is of */
  gint64        asked_time;    /* when something new was asked for last */
  int           ahead_give_up; /* atomic: as give_up, of what is computed ahead */

  /* The clock: where it was at a time. It stands still while nothing plays, while something is being prepared and while
   * nothing can be computed (device NULL), and is set block by block when playing as fast as possible. */
  double        clock_frame;
  gint64        clock_time;

  /* Told by the worker */
  GQueue        news;          /* of EsPlayerNews, for the history */
  GQueue        ahead_news;    /* the same of what nobody has heard yet */
  gboolean      preparing, lagging;
  char         *failure;
  double        factor;
  EsDevice     *device;
  EsElementHealth *health;
  guint         n_health;
  gboolean      queued;        /* an idle is under way */
} EsPlayerLink;

EsPlayerLink *es_player_link_new   (EsRecording *recording);
EsPlayerLink *es_player_link_ref   (EsPlayerLink *self);
void          es_player_link_unref (EsPlayerLink *self);
/* With the lock held. */
double        es_player_link_get_clock (EsPlayerLink *self);               /* frames */
void          es_player_link_set_clock (EsPlayerLink *self, double frame);
/* With the lock held: something else is to be computed; what takes long meanwhile is given up. */
void          es_player_link_ask   (EsPlayerLink *self);
/* NAN: none. */
void          es_player_link_set_probe (EsPlayerLink *self, double bearing, double frequency);
/* row G_MAXUINT: at none. */
void          es_player_link_look_closer (EsPlayerLink *self, guint row, double bearing, double frequency);
/* Main context: whether a block is of the closer look that was asked for last. */
gboolean      es_player_link_is_closer (EsPlayerLink *self, EsBeamBlock *block);
/* Takes the listener; NULL: nobody listens. */
void          es_player_link_set_listener (EsPlayerLink *self, EsPlayerListener *listener);
/* The idle of the owner (`listen`), at most one under way. */
void          es_player_link_tell  (EsPlayerLink *self);
gboolean      es_player_listen     (gpointer link);        /* GSourceFunc in the main context; es-player.c */

/* The row of a block. */
guint64       es_player_link_find_row (EsPlayerLink *self, EsBeamBlock *block);

/* es-player-record.c: what has been computed, row by row. With the lock held: the beams are to be those from now on;
 * what was computed of the same ones stays. */
void          es_player_link_set_form (EsPlayerLink *self, EsBeamForm *form);
/* The recording has `frames` now; what was computed of its frames from `stale` on lacked channels. Main context. */
void          es_player_link_grow  (EsPlayerLink *self, guint64 frames, guint64 stale);
/* Keeps the spectra of a block of that form in its archive, and notes its row. heard, or what is looked at: where there
 * is no room, what is farther away goes. again: in the place of what is there. TRUE: the row was known, but not its
 * spectra. */
gboolean      es_player_link_keep (EsPlayerLink *self, EsBeamArchive *archive, EsBeamBlock *block, guint generation,
                                   gboolean heard, gboolean again);
/* With the lock held: what somebody looks at, and has to be there first. */
void          es_player_link_set_view (EsPlayerLink *self, double first, double end);
void          es_player_link_set_focus (EsPlayerLink *self, double row);
/* With the lock held: the next rows to be computed, first, first + step, ... (n of them): those that nobody knows yet,
 * and of what is looked at those whose spectra are not kept. FALSE: none is missing. */
gboolean      es_player_link_plan (EsPlayerLink *self, gboolean has_memory, guint *first, guint *step, guint *n);

/* es-player-ahead.c: the main of the thread that computes what is not played; as es_player_work (). */
gpointer      es_player_work_ahead (gpointer link);

/* es-player-worker.c: a thread's main; takes a reference of its own and ends when asked to quit. */
gpointer      es_player_work       (gpointer link);

G_END_DECLS
