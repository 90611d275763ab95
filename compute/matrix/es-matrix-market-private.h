/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gio/gio.h>

#include "es-sparse-matrix.h"

G_BEGIN_DECLS

/* A line with what ends it is no longer than this. */
#define ES_MATRIX_LINE_MOST ((gsize) 64 * 1024)

/* A text file, perhaps compressed, line by line. */
typedef struct
{
  const char        *name;     /* as messages call it; borrowed */
  GCancellable      *cancellable;
  int                fd;
  guint64            bytes;    /* of the file, as it lies on the disk */
  GZlibDecompressor *unpacker; /* NULL: it is not compressed */
  gboolean           between;  /* one compressed part has ended; another may follow */
  guint8            *packed;
  gsize              packed_from, packed_to;
  gboolean           read_all; /* there is nothing more on the disk */
  char              *text;
  gsize              from, to;
  gboolean           ended;
  guint64            line;     /* number of the line that was given last, from 1 */
} EsMatrixLines;

/* path: local. ES_DATA_ERROR_OPEN. */
gboolean    _es_matrix_lines_open  (EsMatrixLines *self, const char *path, const char *name, GCancellable *cancellable,
                                    GError **error);
void        _es_matrix_lines_clear (EsMatrixLines *self);
/* The next line, which ends in a line feed whatever the file has there, until the next call. NULL at the end, or with
 * an error (ES_DATA_ERROR, G_IO_ERROR_CANCELLED). */
const char *_es_matrix_lines_next  (EsMatrixLines *self, GError **error);
/* How many bytes of text there may be at most. */
guint64     _es_matrix_lines_bound (const EsMatrixLines *self);
/* “x.mtx”, line 12: ... FALSE with ES_DATA_ERROR. */
gboolean    _es_matrix_lines_refuse (const EsMatrixLines *self, guint64 line, int code, GError **error,
                                     const char *format, ...) G_GNUC_PRINTF (5, 6);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (EsMatrixLines, _es_matrix_lines_clear)

/* Blanks, and what a line of DOS has before its end. */
static inline const char *
_es_matrix_skip_blanks (const char *at)
{
  while (*at == ' ' || *at == '\t' || *at == '\r')
    at++;
  return at;
}

/* The next word of a line, for a message. Transfer full. */
char *_es_matrix_show_word (const char *at);

typedef enum { ES_MARKET_REAL, ES_MARKET_INTEGER, ES_MARKET_PATTERN } EsMarketField;

/* What a file says before its entries. */
typedef struct
{
  gboolean      is_array;      /* all elements column by column, else rows, columns and values */
  EsMarketField field;
  EsSymmetry    symmetry;
  guint64       n_rows, n_columns, n_entries;   /* entries: lines that are to follow */
  guint64       line;          /* that says these */
} EsMarketHeader;

gboolean _es_market_header_read (EsMarketHeader *self, EsMatrixLines *lines, GError **error);

G_END_DECLS
