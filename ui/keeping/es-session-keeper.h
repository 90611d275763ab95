/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "workspace/es-shell.h"

G_BEGIN_DECLS

/*
 * Keeps what is open in a window: from es_session_keeper_begin () on it is saved by itself a moment after each change,
 * with results in the cache, and what a process that ended has left is there again. Sessions as files of a person are
 * opened and saved here, too. Main context only; what takes time is done by workers.
 *
 * Signal "lost" (const char *id, const char *sentence): a data set of a session could not be opened, and why. It stays
 * in the session until es_session_keeper_locate () finds it or es_session_keeper_forget () is asked for.
 */
#define ES_TYPE_SESSION_KEEPER (es_session_keeper_get_type ())
G_DECLARE_FINAL_TYPE (EsSessionKeeper, es_session_keeper, ES, SESSION_KEEPER, GObject)

EsSessionKeeper *es_session_keeper_new     (EsShell *shell);
/* files: some are about to be opened, and nothing else is restored but where it is asked for. Once. */
void             es_session_keeper_begin   (EsSessionKeeper *self, gboolean files);
/* Opens what a session's file names beside what is open. left: it is one that was saved by itself, which this window
 * goes on with. */
void             es_session_keeper_open    (EsSessionKeeper *self, GFile *file, gboolean left);
/* Into a file of a person's, which stays as it is from then on. */
void             es_session_keeper_save_as (EsSessionKeeper *self, GFile *target);
/* Asks where to. */
void             es_session_keeper_choose  (EsSessionKeeper *self);
void             es_session_keeper_locate  (EsSessionKeeper *self, const char *id, GFile *file);
void             es_session_keeper_forget  (EsSessionKeeper *self, const char *id);
/* What was forgotten in this window belongs to the session again. */
void             es_session_keeper_remember (EsSessionKeeper *self, const char *id);
/* Writes what has changed and is not written yet, and waits for it: the window goes. */
void             es_session_keeper_end     (EsSessionKeeper *self);
/* At the end of the program: until results that were being kept are; some seconds at most. */
void             es_session_keeper_wait    (void);
/* How long the last telling of a session took in the main context, in microseconds. */
gint64           es_session_keeper_get_told_us (EsSessionKeeper *self);
/* Nothing is to be saved, kept or opened just now. */
gboolean         es_session_keeper_is_idle (EsSessionKeeper *self);

G_END_DECLS
