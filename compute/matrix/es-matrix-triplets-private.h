/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "es-sparse-matrix-private.h"

G_BEGIN_DECLS

/* Entries in any order, of which a matrix is made. */
typedef struct
{
  const char  *name;           /* as messages call the matrix; borrowed */
  guint64      n_rows, n_columns;
  EsSymmetry   symmetry;       /* other than general: each entry also stands for the one across the diagonal */
  guint64      most;           /* entries that there will be */
  gsize        n, room;
  gsize        n_off;          /* of them, off the diagonal */
  gint32      *rows, *columns;
  double      *values;
} EsTriplets;

typedef enum
{
  ES_TRIPLETS_CONFLICT,        /* a symmetric matrix has an element and the one across the diagonal */
  ES_TRIPLETS_OVERFLOW,        /* values of one place are no finite number together */
} EsTripletsFault;

/* Entry number `entry` (from 0), with others, cannot stand. */
typedef struct
{
  EsTripletsFault fault;
  gsize           entry;
  gsize           row, column;
} EsTripletsRefusal;

/* name: borrowed. most: entries that there will be; memory grows with those that come. */
void     _es_triplets_begin (EsTriplets *self, const char *name, guint64 n_rows, guint64 n_columns, EsSymmetry symmetry,
                             guint64 most);
void     _es_triplets_clear (EsTriplets *self);
/* Room for one more at least. ES_DATA_ERROR_SIZE. */
gboolean _es_triplets_grow  (EsTriplets *self, GError **error);
/* The matrix; those of one place are added up in their order and counted. Empties self. NULL with an error, or with
 * refusal->fault filled in and none. */
EsSparseMatrix *_es_triplets_finish (EsTriplets *self, EsTripletsRefusal *refusal, GCancellable *cancellable,
                                     GError **error);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (EsTriplets, _es_triplets_clear)

/* Within its sizes, which the caller has checked. */
static inline gboolean
_es_triplets_add (EsTriplets *self, gint32 row, gint32 column, double value, GError **error)
{
  if (self->n == self->room && !_es_triplets_grow (self, error))
    return FALSE;
  self->rows[self->n] = row;
  self->columns[self->n] = column;
  self->values[self->n] = value;
  self->n_off += row != column;
  self->n++;
  return TRUE;
}

G_END_DECLS
