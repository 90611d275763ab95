/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "es-session-file.h"

G_BEGIN_DECLS

/* A result of a session that is opened again. */
typedef struct
{
  JsonObject *told;            /* what the file says of it */
  EsResult   *result;          /* from the cache; or absent (es_result_is_absent ()); NULL: it cannot be run here */
} EsRestoredResult;

/* A data set of it. */
typedef struct
{
  JsonObject *told;            /* what the file says of it, with the paths that were found */
  EsDataset  *dataset;         /* NULL: it could not be opened */
  GError     *error;           /* why not: a sentence that names the file */
  gboolean    other;           /* opened, and not with the content that it had: its results are not its own */
  GPtrArray  *results;         /* of EsRestoredResult; empty without the data set */
} EsRestored;

typedef struct
{
  JsonNode   *root;            /* of the file */
  GPtrArray  *datasets;        /* of EsRestored, in the file's order */
  char      **notes;           /* results that cannot be had again, a sentence each; NULL-terminated */
} EsRestoredSession;

void       es_restored_session_free (EsRestoredSession *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (EsRestoredSession, es_restored_session_free)

/* What of it is there again, as es_session_file_describe () tells a file. Transfer full. */
char      *es_restored_session_describe (EsRestoredSession *self);

/* Opens everything that a session's file names, and the results that are kept; what cannot be opened is told with its
 * data set, and the rest opens. Blocking. NULL: the file is no session that could be read (es_session_file_read ()),
 * or cancelled. */
EsRestoredSession *es_session_restore        (GFile *file, GCancellable *cancellable, GError **error);
/* One data set of a file that lies elsewhere now: `told` as it was restored, which is not changed. */
EsRestoredSession *es_session_restore_located (JsonObject *told, GFile *located, GCancellable *cancellable,
                                               GError **error);
void               es_session_restore_async  (GFile *file, GCancellable *cancellable, GAsyncReadyCallback callback,
                                              gpointer user_data);
/* told, located: nullable, both or none. */
void               es_session_restore_located_async (JsonObject *told, GFile *located, GCancellable *cancellable,
                                                     GAsyncReadyCallback callback, gpointer user_data);
EsRestoredSession *es_session_restore_finish (GAsyncResult *result, GError **error);

/* Puts what was opened into a session, with names, ids, and what was made of what. A data set that the session has
 * already is the one that gets its results; which one is in restored->dataset afterwards. Main context. */
void               es_session_restore_add    (EsSession *session, EsRestored *restored);
/* The classes of its file, where they are not there by name and pixels: once those that are kept of the data set have
 * been read. None where the data set has another content than then: they are drawn on other pixels. How many were
 * added. Main context. */
guint              es_session_restore_add_regions (EsRestored *restored);

G_END_DECLS
