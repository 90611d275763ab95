/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/*
 * What of many files has begun, is done and has failed: a text in the folder of the results, a line an event, each of
 * them on the disk before anything follows from it. Several processes, also of several hosts, take their files from it
 * one by one, under a lock of the file; a line that a crash has cut off does not count. Errors: ES_DATA_ERROR_WRITE,
 * ES_DATA_ERROR_FORMAT.
 */
typedef struct _EsBatchJournal EsBatchJournal;

typedef enum
{
  ES_QUEUE_BEGUN,              /* by a process that is at it, or by a run that has ended without having finished it */
  ES_QUEUE_DONE,
  ES_QUEUE_FAILED,
} EsQueueState;

typedef struct
{
  EsQueueState state;
  char        *key;            /* what tells it from every other one: a file as it was at a time */
  char        *name;           /* the file's */
  char        *identity;       /* es_dataset_get_identity (); "": not known yet */
  char        *folder;         /* the name of its own in the folder of the results; "": none */
  char        *session;        /* the run that began it */
  guint        process;
  char        *host;
  double       seconds;
  char        *message;        /* "" */
} EsQueueEntry;

void            es_queue_entry_free    (EsQueueEntry *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (EsQueueEntry, es_queue_entry_free)

/* what: what the files are analysed by, which a journal is about. session: this run, the same for all its processes.
 * leads: the first process, which makes it and puts it in order; another run that leads it is refused, and so is a
 * journal of something else. fresh: what was in it goes. */
EsBatchJournal *es_batch_journal_open  (const char *path, const char *what, const char *session, gboolean leads,
                                        gboolean fresh, GError **error);
void            es_batch_journal_close (EsBatchJournal *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (EsBatchJournal, es_batch_journal_close)
/* From now on what has failed in an earlier run is begun anew by whoever takes it, and so is what was done and whose
 * result is there no more. */
void            es_batch_journal_try_again (EsBatchJournal *self);
/* Takes a file, which is begun then: key, name, identity, process and host are told, and folder, or it is NULL and
 * chosen here, by the file's name. *taken FALSE: somebody else has it, or had it. FALSE: an error. */
gboolean        es_batch_journal_take  (EsBatchJournal *self, EsQueueEntry *entry, gboolean *taken, GError **error);
/* What came of it: state, seconds and message, and the identity where it was not known. */
gboolean        es_batch_journal_tell  (EsBatchJournal *self, const EsQueueEntry *entry, GError **error);
/* Reads what others have written meanwhile. */
gboolean        es_batch_journal_look  (EsBatchJournal *self, GError **error);
/* In the order in which they were begun; as of the last look. Borrowed; until the next call. */
guint           es_batch_journal_get_n (EsBatchJournal *self);
const EsQueueEntry *es_batch_journal_get (EsBatchJournal *self, guint i);
const EsQueueEntry *es_batch_journal_find (EsBatchJournal *self, const char *key);
/* Whether this run began it. */
gboolean        es_batch_journal_is_ours (EsBatchJournal *self, const EsQueueEntry *entry);
/* Whether the result of what is done is there. */
gboolean        es_batch_journal_has_result (EsBatchJournal *self, const EsQueueEntry *entry);
/* Whether it is settled, or some process of this run is at it. */
gboolean        es_batch_journal_is_taken (EsBatchJournal *self, const EsQueueEntry *entry);

G_END_DECLS
