/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "es-session-keeper.h"

#include "keeping/es-session-restore.h"
#include "keeping/es-session-store.h"

G_BEGIN_DECLS

struct _EsSessionKeeper
{
  GObject         parent_instance;

  EsShell        *shell;
  EsSessionStore *store;             /* NULL: nothing is saved by itself */
  GHashTable     *lost;              /* id -> JsonObject: data sets that could not be opened, as they were told */
  GHashTable     *forgotten;         /* the same of those that a person wants no more */
  GHashTable     *kept;              /* ids of results that are in the cache, or will not be */

  guint           delay;             /* a source */
  gboolean        saving;            /* a worker writes */
  gboolean        again;             /* and what it writes is old by now */
  gboolean        keeping_results;
  guint           opening;           /* sessions on their way in */
  gboolean        written;           /* there is a file */
  gboolean        told_failure;
  gboolean        told_not_kept;
  gboolean        marked;            /* es_session_store_mark () is to be taken back */
  gboolean        ended;
  char           *checksum;          /* of what was written last; nullable */
  gint64          told_us;
  GPtrArray      *absorbed;          /* of EsSessionStore: left sessions that are part of this one once it is written */
  GPtrArray      *regions;           /* of EsRestored: classes to be added once those kept of the data have been read */
};

/* es-session-keeper.c */
/* As es_session_file_tell_first () does. */
JsonNode *_es_session_keeper_tell  (EsSessionKeeper *self, EsSessionRest **rest);
/* Soon. */
void      _es_session_keeper_queue (EsSessionKeeper *self);

/* es-session-keeper-results.c: the next result that is not in the cache yet, by a worker; then the one behind it. */
void      _es_session_keeper_keep_results (EsSessionKeeper *self);
/* How a data set or a result is shown: a EsSessionTell, and back. */
void      _es_session_keeper_tell_look    (GObject *thing, JsonObject *object, gpointer data);
void      _es_session_keeper_take_look    (GObject *thing, JsonObject *told);
/* A result has come in the place of one that was not kept. */
void      _es_session_keeper_replace      (EsSessionKeeper *self, EsResult *replaced, EsResult *result);

/* es-session-keeper-restore.c */
void      _es_session_keeper_look_back    (EsSessionKeeper *self, gboolean files);
/* Nothing is being read any more. */
void      _es_session_keeper_add_regions  (EsSessionKeeper *self);

G_END_DECLS
