/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Rows of a table of comma-separated values (RFC 4180; also semicolons and tabs). */

/* A table of positions has ten; other tables of the hydrophones have some more. */
#define ES_CSV_MOST_COLUMNS 1000

typedef struct
{
  const char *next, *end;
  guint       line;            /* of what is next, from 1 */
  char        separator;
  guint       row_line;        /* where the row that was read last begins */
  GPtrArray  *fields;          /* of it */
  gboolean    too_wide;        /* it has more than are read */
  guint       most;            /* columns that are read; 0: ES_CSV_MOST_COLUMNS */
} EsCsvRows;

char     es_csv_find_separator (const char *text, const char *end);
/* FALSE at the end, or where a row is too wide. Empty rows and comments (#) are passed over. */
gboolean es_csv_read_row       (EsCsvRows *rows);

G_END_DECLS
