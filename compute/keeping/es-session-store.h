/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <json-glib/json-glib.h>

G_BEGIN_DECLS

/*
 * Sessions that are saved by themselves, in the person's state folder: one file for each window, which has a name of
 * its own and is locked by the process that writes it while that lives. So two windows never write the same file; and a
 * file whose lock is left is that of a process that ended without having closed its window.
 */
typedef struct _EsSessionStore EsSessionStore;

/* A new one; nothing is written yet. NULL: ES_DATA_ERROR_WRITE, the folder cannot be written to. */
EsSessionStore *es_session_store_new     (GError **error);
/* One that was left, by its file: this process goes on with it. NULL: another process has it, or it is not there. */
EsSessionStore *es_session_store_take    (GFile *file);
GFile          *es_session_store_get_file (EsSessionStore *self);
/* The window is closed, and nothing was lost: the lock goes. keep FALSE: the file, too, as there is nothing in it. */
void            es_session_store_end     (EsSessionStore *self, gboolean keep);
/* What it opens may crash the program: noted before, and taken back after it. The mark stays where it did. */
void            es_session_store_mark    (EsSessionStore *self, gboolean trying);

/* What was left by processes that are gone. */
typedef struct
{
  GFile   *file;
  char    *description;        /* es_session_file_describe () */
  gint64   saved;              /* s since 1970 */
  gboolean crashed;            /* its process ended without having closed its window */
  gboolean tried;              /* and that happened while it was being opened again */
} EsLeftSession;

void            es_left_session_free     (EsLeftSession *self);

/* Of EsLeftSession, newest first: those that name a data set and can be read; of those that were closed the newest ten
 * are kept, and others go. Empty where there is none. Blocking; async on a worker. Transfer full. */
GPtrArray      *es_session_store_list        (void);
void            es_session_store_list_async  (GAsyncReadyCallback callback, gpointer user_data);
GPtrArray      *es_session_store_list_finish (GAsyncResult *result);
/* Whether the file lies among them: what it says is what this person has told the program, and nobody else. */
gboolean        es_session_store_has         (GFile *file);
/* A session that nobody wants any more. */
void            es_session_store_forget      (GFile *file);

G_END_DECLS
