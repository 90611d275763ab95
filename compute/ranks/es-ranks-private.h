/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gio/gio.h>

#include "es-ranks-engine-private.h"
#include "es-ranks-internal.h"

G_BEGIN_DECLS

/* For the room's own files. */
typedef struct
{
  const EsRanksEngine *engine;  /* NULL: one process */
  EsRanksPlace         place;
  char               **hosts;   /* one a process */
  guint                n_hosts;
  gboolean             alone;
  GError              *shared;  /* what failed last, as all know it; NULL: they have gone on since */
  int                  broken;  /* atomic: nobody can be reached any more */
  int                  cancelled;   /* atomic: ES_RANKS_SOON where nobody is waited for */
  gint64               cancelled_at;
  int                  paused;  /* atomic: ES_RANKS_SOON likewise */
  gint64               paused_at;
  gint64               waited_us;   /* for others, in calls */
  int                  called_off;      /* atomic: by this process */
  int                  ending;  /* atomic: cancelled, called off by one, or lost */
  int                  lost;    /* atomic: the process that has not been heard of, plus one */
} EsRanks;

enum { ES_RANKS_GOING, ES_RANKS_CANCELLED, ES_RANKS_SOON };

extern EsRanks es_ranks;

/* TRUE: there is somebody to be called. */
gboolean es_ranks_are_several   (void);
/* A call of the engine, waited for. */
gboolean es_ranks_call          (EsRanksCall call, gpointer values, gsize n, GError **error);
/* Waits for what was begun; code: what beginning it answered. */
gboolean es_ranks_finish        (int code, void **request, GError **error);
/* Before this process ends, where somebody is about to end all and not all are there any more: process 0 leaves a
 * checkpoint meanwhile. */
void     es_ranks_wait_for_checkpoint (void);
/* All processes call the same, with as much: FALSE where one of them has failed instead, with its error. */
gboolean es_ranks_meet          (guint call, gsize n, GError **error);
/* Some process has failed, and all know that much: with the error of the one that has, which becomes theirs. own: of
 * this one, nullable. FALSE. */
gboolean es_ranks_share_failure (const GError *own, GError **error);
/* It is what all have been told, and where all of them are; or nobody can be told any more. */
gboolean es_ranks_is_told       (const GError *error);
/* Texts of all, after they met. */
char   **es_ranks_gather_texts  (const char *text, GError **error);

/* Whether the clocks of all hosts show the same, nearly; all processes, once their hosts are known: es-ranks-clock.c.
 * ES_COMPUTE_ERROR_DEVICE. */
gboolean es_ranks_compare_clocks (GError **error);

/* The thread that listens to the others, and tells the next one that this one lives: es-ranks-watch.c. */
void     es_ranks_watch_begin   (void);
void     es_ranks_watch_end     (void);

G_END_DECLS
