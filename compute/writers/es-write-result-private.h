/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <json-glib/json-glib.h>

#include "saving/es-output-internal.h"
#include "es-writer.h"

G_BEGIN_DECLS

typedef struct
{
  char *name;
  char *layer;
} EsWrittenFile;

/* The files of a result that is being written into a folder: their names, their records in result.json, and what of an
 * earlier result goes with them. */
typedef struct
{
  const char   *directory;
  EsOutputs    *outputs;
  GCancellable *cancellable;
  GHashTable   *taken;         /* stems: es_file_name_make () */
  GPtrArray    *files;         /* of EsWrittenFile */
  GPtrArray    *notes;         /* nullable; of char *: sentences for whoever saves */
  GPtrArray    *kept;          /* of char *: paths of other people's files beside what replaces them */
  GPtrArray    *strays;        /* the same of what would be taken for a part of a raster: es_strays_keep () */
} EsWrittenSet;

EsWrittenSet *es_written_set_new     (const char *directory, EsOutputs *outputs, GPtrArray *notes,
                                      GCancellable *cancellable);
void          es_written_set_free    (EsWrittenSet *self);
/* The path of a file of a layer, which is one of the set from now on. Transfer full. */
char         *es_written_set_add     (EsWrittenSet *self, const char *name, const char *layer);
void          es_written_set_note    (EsWrittenSet *self, const char *format, ...) G_GNUC_PRINTF (2, 3);
/* "files" of result.json, of what has been written; NULL and an error. Transfer full. */
JsonArray    *es_written_set_record  (EsWrittenSet *self, GError **error);
/* The files of the result that was in this folder go with it, where they are certainly its own: recorded by it as one
 * of its layers', and of the same size and checksums. Others of its names stay, and are named. Whatever its result.json
 * holds, this does not fail. */
void          es_written_set_remove_earlier (EsWrittenSet *self);
/* Files that are there under names of the set, and that the result which was in this folder did not write, or that
 * somebody has changed since: each gets a second name, "loadings.csv.~1~", under which it stays when the set is
 * committed, and is named. Whoever does not commit takes the names back with es_written_set_forget_others ().
 * FALSE: one could not be kept; ES_DATA_ERROR_WRITE. */
gboolean      es_written_set_keep_others   (EsWrittenSet *self, GError **error);
void          es_written_set_forget_others (EsWrittenSet *self);
/* The samples of a stack of this stem, and their header, where they are certainly the result's that was in this folder,
 * which goes: in another of ENVI's layouts the header has the same name. NULL: there are none. Transfer full. */
char         *es_written_set_find_replaced (EsWrittenSet *self, const char *stem);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (EsWrittenSet, es_written_set_free)

/* Previews of a stack, with the others of a result: es_write_result_with (). stem: of their names. */
gboolean      es_write_stack_previews (EsImageStack *stack, const char *stem, EsWrittenSet *set, GError **error);

G_END_DECLS
