/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "cube/es-cube-internal.h"
#include "es-raw-shapes.h"
#include "libraries/es-address-file-internal.h"

G_BEGIN_DECLS

/* A file of samples that is open: of this machine, or at an address. */
typedef struct
{
  int            fd;
  EsAddressFile *address;      /* read instead; nullable */
  guint64        size;         /* bytes */
} EsRawFile;

/* path: also a guarded address. ES_DATA_ERROR_OPEN. */
gboolean es_raw_file_open      (EsRawFile *self, const char *path, const char *name, GError **error);
void     es_raw_file_close     (EsRawFile *self);
/* Its first bytes; how many there are. */
gsize    es_raw_file_read_head (const EsRawFile *self, void *buffer, gsize most);

/* Samples of a raw file by pread: any window. Takes over the descriptor. Cannot fail. */
EsSampleSource *es_raw_source_new (int fd, const char *name, guint64 offset, EsInterleave interleave,
                                   EskType type, gboolean byte_swapped, guint64 width, guint64 height,
                                   guint bands);
/* The same of a file that is open. */
EsSampleSource *es_raw_source_new_of (const EsRawFile *file, const char *name, guint64 offset, EsInterleave interleave,
                                      EskType type, gboolean byte_swapped, guint64 width, guint64 height, guint bands);

/* FALSE: it is none of es_raw_types (). */
gboolean es_raw_type_find (const char *name, EskType *type);

/* The cube of a shape in the file at path of `size` bytes, as messages call it; *note (transfer full) tells what is
 * left over, if something is. Errors of es_raw_shape_check (), ES_DATA_ERROR_OPEN. Transfer full. */
EsCube  *es_raw_cube_open (GFile *file, const char *path, const char *name, guint64 size, const EsRawShape *shape,
                           char **note, GError **error);

G_END_DECLS
