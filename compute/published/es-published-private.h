/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "es-published.h"

G_BEGIN_DECLS

/* What heads a row or a column. Strings as the file has them. */
typedef struct
{
  char    *id;                 /* what marks and ladders call it: its title or name */
  gboolean is_name;            /* not translated */
  char    *step, *program;     /* what of ours stands beside it; nullable */
  char    *rung;               /* nullable */
  char    *unit;               /* of a column; nullable: its figures are numbers */
  int      digits;             /* of a column; of a row that has others: those, else -1 */
} EsPublishedHead;

typedef struct
{
  EsPublishedMarkKind kind;
  char               *text;
  char              **rows, **columns;         /* ids; NULL: all of them, or none where the other one is told */
  double              value;                   /* recomputed; NAN: not told */
  char                symbol[8];
} EsPublishedNote;

typedef struct
{
  EsPublished  says;           /* translated */
  char        *id, *title, *source, *hardware, *ladder, *note, *corner;
  char       **operations;
  char        *unit;           /* nullable */
  int          digits;
  char        *step, *program; /* of all rows and columns that do not tell another; nullable */
  GPtrArray   *columns, *rows; /* EsPublishedHead */
  GArray      *values;         /* double, row by row; NAN: a gap */
  GPtrArray   *marks;          /* EsPublishedNote */
} EsPublishedTable;

/* The tables of a file, in its order; of EsPublishedTable. Transfer full. NULL and a sentence: it is against
 * docs/published-tables.md. */
GPtrArray       *_es_published_read       (GFile *file, GError **error);
EsPublishedTable *_es_published_table     (guint i);
EsPublishedHead *_es_published_find_head  (GPtrArray *heads, const char *id, guint *at);
/* A head, or NULL, in the language of the program. */
const char      *_es_published_translate  (const char *text);
const char      *_es_published_show_head  (const EsPublishedHead *head);
const char      *_es_published_kind_name  (EsPublishedMarkKind kind);

G_END_DECLS
