/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gio/gio.h>
#include <json-glib/json-glib.h>

G_BEGIN_DECLS

/*
 * What result.json says of the files beside it: in "files", for each its name, the name of its layer, its size and its
 * checksums (base/es-file-sum-internal.h). They tell a file of this result from any other of the same name: a set that
 * was mixed or altered is seen, and only what is certainly a result's own goes with it.
 */
#define ES_SAVED_FORMAT 2      /* of result.json; without a word of it, it is 1, which records no files */
#define ES_SAVED_FORMAT_MEMBER "result_format"

/* Larger ones are looked at in some places only where time counts. */
#define ES_SAVED_CHECKED_AT_ONCE ((guint64) 256 << 20)

typedef enum
{
  ES_SAVED_FILE_SAME,
  ES_SAVED_FILE_UNREADABLE,    /* not there, no file, or it cannot be read */
  ES_SAVED_FILE_SIZE,          /* of another size */
  ES_SAVED_FILE_CONTENT,
  ES_SAVED_FILE_UNRECORDED,    /* the record is none */
} EsSavedFileState;

/* The record of a file that will have this name; path: where it is now. Transfer full. */
JsonObject      *es_saved_file_record (const char *path, const char *name, const char *layer,
                                       GCancellable *cancellable, GError **error);
/* NULL: the name is not one beside result.json. */
const char      *es_saved_file_name   (JsonObject *record);
/* The file of that name in a folder against its record. *budget: bytes that may still be read (NULL: as many as there
 * are), less what has been; a file of more has its first, middle and last block looked at, which is enough to see that
 * it is of another run, and where none are left the size alone. Reads only regular files, and no link. A cancelled
 * check says ES_SAVED_FILE_SAME. */
EsSavedFileState es_saved_file_check  (JsonObject *record, const char *folder, guint64 *budget,
                                       GCancellable *cancellable);
/* For whoever shows it: "“components.img” of the layer “components” is missing." NULL: it is as it was. Transfer
 * full. */
char            *es_saved_file_tell   (JsonObject *record, EsSavedFileState state);

/* Every file of a result.json's root: what is wrong with the set, a sentence each, 20 at most (NULL: nothing). A result
 * of format 1, which cannot be checked: *recorded FALSE (nullable). */
char           **es_saved_check_files (JsonObject *root, const char *folder, guint64 *budget, gboolean *recorded,
                                       GCancellable *cancellable);

G_END_DECLS
