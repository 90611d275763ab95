/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <json-glib/json-glib.h>

#include "session/es-session.h"

G_BEGIN_DECLS

/*
 * A session as a file of JSON. Its root:
 *
 *   "eigenscope_session": 1, "software": "Eigenscope 0.1", "saved": "2026-11-26T09:41:00Z",
 *   "datasets": [ { "id", "name", "kind": "cube" | "recording", "identity", "shape",
 *                   "input": what opens it again (es-dataset-input.c), with "relative" beside "path" and
 *                            "relative_files" beside "files" where they lie near the session's file,
 *                   "regions": as a file of classes has them,
 *                   "results": [ { "id", "operation", "version", "title", "name", "parameters", "device",
 *                                  "selection": what took part of a cube, null: everything,
 *                                  "source": the id of the result that it was made of,
 *                                  "dropped": planes of its components that a person has switched off } ] } ],
 *   "shown": { "item": an id, or "id/layer", "plane" },
 *   "sections": whatever else is kept, by name; what is an object with "files" in one of them gets "relative_files"
 *
 * Results themselves are in the cache (es-result-cache.h) under their id, or are run again.
 */
#define ES_SESSION_FORMAT        1
#define ES_SESSION_FORMAT_MEMBER "eigenscope_session"
#define ES_SESSION_ENDING        ".eigenscope.json"

/* Adds members to what is told of a data set or result: how it is shown. */
typedef void (*EsSessionTell)    (GObject *thing, JsonObject *object, gpointer data);

/* All of a session but "shown" and "sections", in a tree of its own, in two steps. The first is in the main context and
 * takes some microseconds a result, however many hydrophones or corners of classes there are; tell: nullable, transfer
 * full. The second is what takes longer, in any thread; it takes `rest`. */
typedef struct _EsSessionRest EsSessionRest;
JsonNode *es_session_file_tell_first (EsSession *session, EsSessionTell tell, gpointer data, EsSessionRest **rest);
void      es_session_file_tell_rest  (JsonNode *root, EsSessionRest *rest);
void      es_session_rest_free       (EsSessionRest *rest);
/* Both at once. */
JsonNode *es_session_file_tell   (EsSession *session, EsSessionTell tell, gpointer data);

/* Whether a file's name is that of a session. */
gboolean  es_session_file_is     (GFile *file);

/* Writes such a tree, in which it puts the relative paths, whole or not at all. Any thread, the tree is nobody else's.
 * ES_DATA_ERROR_WRITE. */
gboolean  es_session_file_write  (JsonNode *root, GFile *target, GError **error);

/* The root of a file: an object of this format whose data sets and results have what is needed of them. ES_DATA_ERROR
 * in one sentence: no session, damaged, or of a later Eigenscope, of which nothing is taken. Blocking. Transfer
 * full. */
JsonNode *es_session_file_read   (GFile *file, GCancellable *cancellable, GError **error);
/* The same of a text, whose name is for messages. */
JsonNode *es_session_file_parse  (const char *text, gsize length, const char *name, GError **error);

/* "EnMAP.tif, scene.wav and 2 more · 5 results", "EnMAP.tif · PCA 5 of 218": what such a root holds. Transfer full. */
char     *es_session_file_describe (JsonNode *root);
guint     es_session_file_count_datasets (JsonNode *root);

G_END_DECLS
