/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "es-batch-journal.h"
#include "es-batch-queue.h"

G_BEGIN_DECLS

/* What a list and a watched folder share. */
typedef struct
{
  const EsBatchAnalysis *analysis;
  const char            *output;   /* nullable */
  EsBatchJournal        *journal;  /* NULL without a folder */
  char                  *path;     /* of the journal */
  const char            *stopped;  /* nullable: what is said where it was cancelled, in the place of that */
  guint                  rank, size;
  gint64                 started;  /* seconds since 1970 */
  guint                  n_done, n_failed;   /* here */
} EsBatchMany;

/* name: of the journal; about: what it is about. All processes; afterwards each is alone, until the end. */
gboolean es_batch_many_begin   (EsBatchMany *self, const char *name, const char *about, gboolean fresh, GError **error);
/* One data set. entry: as it was taken; NULL: there is no journal. FALSE: nothing more is to be done, with why: it was
 * cancelled, or the journal failed; what is wrong with the files is told and no error. */
gboolean es_batch_many_analyse (EsBatchMany *self, EsQueueEntry *entry, GPtrArray *files, EsDataset *opened,
                                gboolean is_last, GError **error);
/* The same of files that cannot be analysed: why (taken over). */
gboolean es_batch_many_refuse  (EsBatchMany *self, EsQueueEntry *entry, GError *why, GError **error);
/* By the first process: what became of all that the journal knows; waiting: of those that nobody has begun, names of
 * files; unopened: nullable, pairs of a name and a message. */
gboolean es_batch_many_report  (EsBatchMany *self, gboolean ended, GPtrArray *waiting, GPtrArray *unopened,
                                GError **error);
/* All processes: an exit status of the whole, after the report. failure (taken over): nullable, of this one; that it
 * was cancelled is none where cancel_is_end. */
int      es_batch_many_end     (EsBatchMany *self, GError *failure, gboolean cancel_is_end, GPtrArray *waiting,
                                GPtrArray *unopened);
void     es_batch_many_clear   (EsBatchMany *self);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (EsBatchMany, es_batch_many_clear)

G_END_DECLS
