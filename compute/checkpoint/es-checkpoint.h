/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/*
 * What a run has come to, as far as another one can go on from it: sums of the passes that are done and of the one
 * under way, and where an iteration stands. It is kept in memory and becomes a file when the run is stopped, or every
 * so many minutes. Counted; several processes (es-ranks.h) have one each, and the first of them has the file.
 *
 * The run is stopped (es_checkpoint_stop ()) by whoever may, at any time. What goes on from a checkpoint by itself does
 * so between es_checkpoint_enter () and es_checkpoint_leave (): it looks whether it is to pause, and ends there with
 * what it has. Everything else is cancelled.
 */
typedef struct _EsCheckpoint EsCheckpoint;

/* resume: what is in the file is gone on from, where there is one. minutes: between two that are written while it runs;
 * 0: none are. */
EsCheckpoint *es_checkpoint_new       (GFile *file, gboolean resume, double minutes);
EsCheckpoint *es_checkpoint_ref       (EsCheckpoint *self);
void          es_checkpoint_unref     (EsCheckpoint *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (EsCheckpoint, es_checkpoint_unref)

GFile        *es_checkpoint_get_file  (EsCheckpoint *self);
/* FALSE where the file exists and is no checkpoint: it is somebody else's. ES_DATA_ERROR_WRITE. */
gboolean      es_checkpoint_check     (EsCheckpoint *self, GError **error);
/* Stops the run; any thread. cancellable: of all that does not look. */
void          es_checkpoint_stop      (EsCheckpoint *self, GCancellable *cancellable);
gboolean      es_checkpoint_is_stopped (EsCheckpoint *self);
/* The run goes on from what was in the file. */
gboolean      es_checkpoint_is_resumed (EsCheckpoint *self);

/* Of the first process. TRUE where there is anything to go on from, and it is in the file now: beside the file first,
 * on the disk, and then under its name. FALSE without an error: there is nothing. A file that is no checkpoint, or one
 * of another run, stays what it is: ES_DATA_ERROR_WRITE. */
gboolean      es_checkpoint_write     (EsCheckpoint *self, GError **error);
/* What went wrong when it was written while the run went on; nullable. */
const GError *es_checkpoint_get_failure (EsCheckpoint *self);
/* The run is done: the file that it was begun from, or has written, goes. Of the first process. */
void          es_checkpoint_remove    (EsCheckpoint *self);

G_END_DECLS
