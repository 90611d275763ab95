/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "es-change-private.h"

G_BEGIN_DECLS

/*
 * What makes several files of a folder change at once, also for a process that is killed: while they are renamed, one
 * after the other, ".eigenscope-saving" in the folder says what belongs to the save, and the old files are still there
 * under other names. Removing it is what decides: until then the old files count, from then on the new ones. Where the
 * process did not live to do that, whoever saves into the folder or opens something in it puts the old ones back first.
 * It holds its lock while it lives, so that nobody takes its work for something left behind, and only one at a time
 * changes several files of a folder.
 *
 * Names are of files in that folder alone, and nothing is touched whose inode is not the one written down: a journal
 * that somebody else has made, or that was copied, does nothing. Between a mixed folder and one that cannot be told
 * from a good one lies only this file; checksums in result.json hold where it has been lost.
 */
typedef struct _EsJournal EsJournal;

/* Takes the folder, waiting while another process changes files in it. ES_DATA_ERROR_WRITE. path names it in messages.
 * What an earlier process has left half done there has been put back. */
EsJournal *es_journal_new    (int folder, const char *directory, const char *path, GError **error);
/* On the disk when it returns. FALSE: errno. */
gboolean   es_journal_write  (EsJournal *self, GPtrArray *changes);
/* Decides. FALSE: errno, and it is still there. */
gboolean   es_journal_remove (EsJournal *self);
void       es_journal_free   (EsJournal *self);

/*
 * Before a file is read, or others are written beside it: what a process that was killed has left half done in its
 * folder is put back. FALSE where it cannot be (a folder that nobody may write to, or a process that does not come to
 * an end) and the file belongs to it: ES_DATA_ERROR_OPEN, one sentence. A file belongs to it together with all others
 * of its name without the ending.
 */
gboolean   es_journal_settle (const char *path, GError **error);
/* Whether files of a folder are being changed, or it could not be put in order. */
gboolean   es_journal_is_in  (const char *directory);

G_END_DECLS
