/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "es-sparse-matrix-private.h"

G_BEGIN_DECLS

/* Nonzeros between two looks at whether somebody cancels. */
#define ES_MADE_STRIDE (1 << 16)

/* One key of a name's list: "n=100000". otherwise: where it is not told; NAN: it has to be. */
typedef struct
{
  const char *key;
  double      least, most, otherwise;
  gboolean    whole;
} EsMadeKey;

/* Fills values, of as many keys; text: nullable place of the key "lengths", transfer full, which is the only one that
 * is no number. ES_DATA_ERROR_FORMAT. */
gboolean _es_made_parse_keys  (const char *name, const char *list, const EsMadeKey *keys, guint n_keys, double *values,
                               char **text, GError **error);
/* "1000x1000:5": n_sizes numbers, and the points of the stencil, where they are told (else as they are). */
gboolean _es_made_parse_sizes (const char *name, const char *list, guint n_sizes, guint64 *sizes, guint64 *points,
                               GError **error);
/* ES_DATA_ERROR_FORMAT: “name” is no matrix that can be made: ... FALSE. */
gboolean _es_made_refuse      (const char *name, GError **error, const char *format, ...) G_GNUC_PRINTF (3, 4);

/* A share of rows that have so many nonzeros. */
typedef struct
{
  guint64 length;
  double  until;               /* shares of this and all before it, of 1 */
} EsMadeLength;

typedef struct
{
  guint64  n_rows, n_columns;
  double   mean, deviation;    /* of the nonzeros of rows */
  GArray  *lengths;            /* of EsMadeLength, instead of these; nullable */
  double   exponent;           /* of a power law, instead of these; 0: it is none */
  guint64  longest;            /* of a power law */
  guint64  spread;             /* columns that far from the diagonal at most; 0: anywhere */
  gboolean symmetric, dominant;
  guint64  seed;
} EsMadeRandom;

/* Of rows, columns, values: CSR with room for that many, which are told beforehand. ES_DATA_ERROR_SIZE. */
EsSparseMatrix *_es_made_begin  (const char *name, guint64 n_rows, guint64 n_columns, guint64 n_nonzeros,
                                 GError **error);
/* name is what messages call it. ES_DATA_ERROR, G_IO_ERROR_CANCELLED. */
EsSparseMatrix *_es_made_grid   (const char *name, guint dimensions, const guint64 sizes[3], gboolean box,
                                 GCancellable *cancellable, GError **error);
EsSparseMatrix *_es_made_banded (const char *name, guint64 n, guint64 lower, guint64 upper, GCancellable *cancellable,
                                 GError **error);
EsSparseMatrix *_es_made_random (const char *name, const EsMadeRandom *what, GCancellable *cancellable, GError **error);

G_END_DECLS
