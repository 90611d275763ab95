/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gio/gio.h>
#include <json-glib/json-glib.h>

#include "layer/es-table.h"

G_BEGIN_DECLS

/*
 * Tables of the theses whose algorithms these are (M. Fang, NUDT: PhD 2017, chapters 3 to 6; MSc 2013; of sparse
 * matrices L. Tian, HUST: MSc 2012), each with the hardware of its day, as the files of data/published have them
 * (docs/published-tables.md). Cubes are AVIRIS scenes of 224 bands: D1 614 x 512, D2 614 x 1087, D3 753 x 1924, D4
 * 781 x 6955 pixels, D5 and D6 its enlargements. What is printed in doubt is marked.
 *
 * All strings are already translated where they are words, and live as long as the program. Any thread.
 */
typedef struct
{
  const char        *id;           /* "phd-5.3": unique */
  const char        *title;        /* "Covariance kernel, step by step" */
  const char        *source;       /* "PhD thesis 2017, table 5.3" */
  const char        *hardware;     /* "2 × Xeon E5-2650, 2 × Tesla K20" */
  const char *const *operations;   /* "pca", "fastica", "mnf", "cbf", "mvdr": those it is about; never empty */
  const char        *ladder;       /* "covariance": it is steps of that ladder; NULL: of none */
  const char        *note;         /* nullable: what to know when reading it */
} EsPublished;

typedef enum
{
  ES_PUBLISHED_DOUBT,              /* the print contradicts itself, or cannot be so */
  ES_PUBLISHED_RECOMPUTED,         /* other printed figures give another one */
  ES_PUBLISHED_NOTE,               /* a remark of who read it, without a doubt */
  ES_PUBLISHED_GAP                 /* why there is no figure */
} EsPublishedMarkKind;

typedef struct
{
  EsPublishedMarkKind kind;
  const char         *symbol;      /* "a": what stands at the figures, rows or columns it is about; "": of all */
  const char         *text;        /* a sentence */
} EsPublishedMark;

/* Reads all files, once. FALSE, and what is wrong with the first that cannot be read; the others count all the same.
 * ES_DATA_ERROR_FORMAT: the sentence names the file, the field, what was found and what was expected. */
gboolean           es_published_load       (GError **error);
guint              es_published_get_n      (void);
const EsPublished *es_published_get        (guint i);
/* By its id. */
gboolean           es_published_find       (const char *id, guint *i);
/* Whether the table is about an operation, by its id; of most operations nothing has been published. */
gboolean           es_published_is_about   (guint i, const char *operation);
guint              es_published_get_n_marks (guint i);
EsPublishedMark    es_published_get_mark   (guint i, guint mark);
/* The figure in a row and a column, by their ids: what heads them in English. NAN: a gap, or no such place. */
double             es_published_get_value  (guint i, const char *row, const char *column);
/* The figures; the first column is text. Cells that are marked say so (es_table_get_mark ()). Transfer full. */
EsTable           *es_published_make_table (guint i);
JsonNode          *es_published_to_json    (guint i);                                     /* transfer full */

/* ---- ours in the same form ---- */

/* What was measured here of a program ("cpu-1", "cpu": one and all threads; "cuda", "cuda:all": one and all GPUs) and a
 * step of the operation ("covariance", "total"; "computing": all but input and output), in the unit of the table ("s",
 * "ms", "%" of the total, "×" against "cpu-1"). NAN: nothing. */
typedef double (*EsPublishedOurs) (const char *program, const char *step, const char *unit, gpointer data);

/* The same table with one more row, or as many more columns as it has units, headed `here` and marked "*", where there
 * is anything of ours. ours NULL: without. Transfer full. */
EsTable           *es_published_make_table_with (guint i, const char *here, EsPublishedOurs ours, gpointer data,
                                                 gboolean *any);
/* With "here": the figures of ours, as "row" (an array a column) or as "columns" (an array of {unit, values}). */
JsonNode          *es_published_to_json_with (guint i, EsPublishedOurs ours, gpointer data);

/* ---- ladders ---- */

/* The published time of a rung ("v0", "v4-1", "ii-3", "cufft-many") of a ladder ("covariance", "transform", "ica",
 * "noise", "fourier", "beams", "jacobi", "azimuth") for a scene ("D2") or a number of elements ("1024"): milliseconds,
 * and in which table. FALSE: nothing was published of it. */
gboolean           es_published_find_ladder (const char *ladder, const char *row, const char *rung, double *ms,
                                             const EsPublished **published);
/* The scenes or numbers of elements that anything was published for, in the order of the tables; ids. Transfer full. */
char             **es_published_list_ladder_rows (const char *ladder);

G_END_DECLS
