/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gio/gio.h>
#include <json-glib/json-glib.h>

G_BEGIN_DECLS

/* Paths of an "input" of a session's file. */

/* Beside each path of a file near the session's own, the way from there. */
void _es_session_input_relate  (JsonObject *input, GFile *session);
/* Each path becomes that of the first that is there: the way from the session's file, then the path as it was. Looks at
 * files. */
void _es_session_input_resolve (JsonObject *input, GFile *session);
/* The file is elsewhere: so are others that lay beside it. */
void _es_session_input_locate  (JsonObject *input, GFile *file);

/* es-session-file.c: as es_session_file_describe (). Of char *, those of data sets and of results. Transfer full. */
char *_es_session_describe     (GPtrArray *names, GPtrArray *results);

G_END_DECLS
