/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/*
 * Files that appear together or not at all: the one way in which anything is saved. Each is written beside its target,
 * as a part (es-part-internal.h); commit brings all of them to the disk, renames them, and brings the folder to the
 * disk, whoever wrote the parts. Where any of that fails, and where the process is killed in the middle of it, the old
 * files come back, all of them (es-journal-internal.h); files in different folders may then differ, each folder being
 * whole. Freed before a successful commit, it removes everything it has made. What processes that are gone have left in
 * a folder is put in order before something is written to it.
 *
 * No file that the process reads from is replaced or removed (es-inputs-internal.h): that is refused before anything is
 * written, also for a file to be removed, which the next call tells. Failures are ES_DATA_ERROR_WRITE.
 */
typedef struct _EsOutputs EsOutputs;

typedef struct
{
  const char *path;            /* the target, symbolic links followed; what messages name */
  const char *part;            /* where to write; NULL for a device */
  int         fd;              /* read and write; -1: opened by somebody else under part's name */
} EsOutput;

EsOutputs      *es_outputs_new            (void);
void            es_outputs_free           (EsOutputs *self);
/* Data sets that are open may be replaced by these: the one whose description a person has changed. */
void            es_outputs_permit_inputs  (EsOutputs *self);
/* Makes what is missing of a directory; taken back where there is no commit. */
gboolean        es_outputs_make_directory (EsOutputs *self, const char *path, GError **error);
/* Owned by self. A target that is a device, or a pipe that somebody reads from, is written in place where
 * allow_device says so; nothing is waited for. */
const EsOutput *es_outputs_add            (EsOutputs *self, const char *path, gboolean allow_device,
                                           GError **error);
/* A file that is there already, and somebody's, becomes the part: TRUE where it can (same directory, another name).
 * `taken` is told at commit, when it has become the target. file NULL: FALSE. Takes data in any case. */
typedef void  (*EsOutputTaken)            (const char *path, gpointer data);
gboolean        es_outputs_adopt          (EsOutputs *self, const char *path, const char *file, EsOutputTaken taken,
                                           gpointer data, GDestroyNotify destroy);
/* Somebody else (GDAL) writes the part by its name: output->fd is not theirs to use. */
void            es_outputs_hand_over      (EsOutputs *self, const EsOutput *output);
/* What is being written for this target, or NULL. */
const EsOutput *es_outputs_find           (EsOutputs *self, const char *path);
/* A file that goes when all others have come; one that is among them, or is not there, does not. */
void            es_outputs_remove         (EsOutputs *self, const char *path);
gboolean        es_outputs_commit         (EsOutputs *self, GError **error);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (EsOutputs, es_outputs_free)

/*
 * Before a file is read that may have been saved together with others: what a process that was killed has left half
 * done in its folder is put back. FALSE where it cannot be and the file belongs to it: ES_DATA_ERROR_OPEN, one
 * sentence.
 */
gboolean        es_outputs_settle         (const char *path, GError **error);

/* The local path of a target; ES_DATA_ERROR_WRITE where it has none. Transfer full. */
char           *es_output_local_path      (GFile *target, GError **error);

G_END_DECLS
