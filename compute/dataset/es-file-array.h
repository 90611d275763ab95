/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Why an array is the one that opens where nobody names another. */
typedef enum
{
  ES_FILE_ARRAY_NAMED_ONLY,      /* it is not: it opens when it is named */
  ES_FILE_ARRAY_ONLY,            /* there is no other */
  ES_FILE_ARRAY_PRODUCT,         /* it is what the product is about: several arrays of the file as one cube */
  ES_FILE_ARRAY_WAVELENGTHS,     /* it has wavelengths, and a larger one has none */
  ES_FILE_ARRAY_LARGEST,         /* it has the most samples */
} EsFileArrayReason;

/* One of the arrays of a file, or one of its subdatasets. EsOpenOptions.variable opens it by its name. */
typedef struct
{
  char             *name;        /* valid UTF-8 */
  guint64           width, height;
  guint             bands;
  char             *type;        /* "uint16" */
  gboolean          wavelengths; /* it has them */
  EsFileArrayReason reason;
  gboolean          open;        /* it is what the data set shows */
} EsFileArray;

EsFileArray *es_file_array_new      (const char *name, guint64 width, guint64 height, guint bands, const char *type,
                                     gboolean wavelengths);
void         es_file_array_free     (EsFileArray *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (EsFileArray, es_file_array_free)

/* "1280 × 1242 × 285, float32, with wavelengths". Transfer full. */
char        *es_file_array_describe (const EsFileArray *self);
/* Why it opens by itself, in a few words; NULL where it does not. */
const char  *es_file_array_tell_reason (const EsFileArray *self);

/* Of several (of EsFileArray) the one that opens by itself, whose reason is set: one with wavelengths before all
 * without, several bands before one, then the most samples, then the first; one that has a reason already stays it. The
 * index; 0 of none. */
guint        es_file_arrays_choose  (GPtrArray *arrays);
/* The one that answers to a name, whole or from a slash on; -1: none. */
int          es_file_arrays_find    (GPtrArray *arrays, const char *name);

G_END_DECLS
