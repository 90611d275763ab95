/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "checkpoint/es-checkpoint.h"
#include "result/es-operation.h"

G_BEGIN_DECLS

/* What “run” was told of checkpoints. */
typedef struct
{
  char    *path;               /* nullable: of a file or a folder */
  double   minutes;            /* 0: none are written while it runs */
  gboolean resume;
  gboolean off;                /* the operation has none */
  gboolean many;               /* of files in a queue: what goes on is said of all of them, at its end */
} EsBatchKeeping;

void          es_batch_keeping_clear      (EsBatchKeeping *self);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (EsBatchKeeping, es_batch_keeping_clear)

/* FALSE: what was told does not go together, and it has been said. */
gboolean      es_batch_checkpoint_settle  (const EsBatchKeeping *self, const EsOperation *operation, gboolean output,
                                           guint n_results);
/* Of the result in directory (nullable) of that input: from here on signals stop the run. NULL without an error: there
 * is no place for one. Transfer full. */
EsCheckpoint *es_batch_checkpoint_new     (const EsBatchKeeping *self, GFile *directory, GFile *input, GError **error);
/* After the run: removes the file of one that is done, and writes that of one that was stopped. TRUE: how to go on with
 * it has been said, in the place of the error. checkpoint: nullable. notes: of char *. */
gboolean      es_batch_checkpoint_end     (const EsBatchKeeping *self, EsCheckpoint *checkpoint, gboolean done,
                                           GPtrArray *notes, const GError *error);

G_END_DECLS
