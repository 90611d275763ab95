/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "es-claim-file-internal.h"

G_BEGIN_DECLS

#define ES_MAT5_BLOCK 32768u

/* The bytes of one array of a MATLAB file from front to back, unpacked where it is packed (zlib). */
typedef struct
{
  EsClaimFile *file;
  guint64      at, end;        /* what has not been read of it */
  gboolean     swapped;        /* numbers are big endian */
  GConverter  *inflater;       /* NULL: not packed */
  guint64      handed_out;     /* bytes taken and skipped */
  gboolean     failed;         /* it ended too early, or cannot be unpacked */
  gboolean     finished;       /* the unpacker has met its end */

  guint8       in[ES_MAT5_BLOCK], out[ES_MAT5_BLOCK];
  gsize        in_at, in_n, out_at, out_n;
} EsMat5Stream;

EsMat5Stream *es_mat5_stream_new    (EsClaimFile *file, guint64 at, guint64 n, gboolean packed, gboolean swapped);
void          es_mat5_stream_free   (EsMat5Stream *self);
gboolean      es_mat5_stream_take   (EsMat5Stream *self, void *bytes, guint64 n);
gboolean      es_mat5_stream_skip   (EsMat5Stream *self, guint64 n);
/* 0 after a failure. */
guint32       es_mat5_stream_word   (EsMat5Stream *self);
/* TRUE where nothing failed and a packed array ends as it should, with the right sum. */
gboolean      es_mat5_stream_finish (EsMat5Stream *self);

G_END_DECLS
