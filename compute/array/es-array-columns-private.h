/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* What columns tell. Positions, then channels, then gains lie behind each other. */
typedef enum { COLUMN_X, COLUMN_Y, COLUMN_Z, COLUMN_NAME, COLUMN_CHANNEL, COLUMN_FILE_CHANNEL, COLUMN_ARRAY_CHANNEL,
               COLUMN_GAIN, COLUMN_GAIN_DB, COLUMN_DEAD, COLUMN_POLARITY, COLUMN_DEPTH, COLUMN_SENSITIVITY,
               N_COLUMNS } EsArrayColumn;

/* A file of comma-separated values, as its header tells it. All 0 but for the name at first. */
typedef struct
{
  const char *name;            /* of the file */
  int         places[N_COLUMNS];       /* -1: none */
  char       *titles[N_COLUMNS];
  double      metres;          /* times a number of the file */
  const char *unit;
  gboolean    decimal_comma;
  gboolean    upside_down;     /* z is a depth */
  GString    *unused;          /* nullable: titles of columns that say nothing here, quoted */
  guint       n_unused;
} EsArrayTable;

void     es_array_table_clear       (EsArrayTable *self);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (EsArrayTable, es_array_table_clear)

/* fields: of char *, the titles. ES_DATA_ERROR_FORMAT where they name no position, or contradict each other. */
gboolean es_array_table_read_header (EsArrayTable *self, GPtrArray *fields, GError **error);

G_END_DECLS
