/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <json-glib/json-glib.h>

#include "layer/es-table.h"

G_BEGIN_DECLS

/*
 * Tables of the two theses whose algorithms these are (M. Fang, NUDT: PhD 2017, chapters 5 and 6; MSc 2013), each with
 * the hardware of its day. "hyperspectral" figures hold for AVIRIS scenes of 224 bands, D1 614 x 512, D2 614 x 1087, D3
 * 753 x 1924, D4 781 x 6955 pixels and its enlargements D5 and D6. All strings are for gettext and already translated
 * where they are words.
 */
typedef struct
{
  const char *title;           /* "PCA, whole program" */
  const char *source;          /* "PhD thesis, table 5.3" */
  const char *hardware;        /* "2 × Xeon E5-2650, 2 × Tesla K20" */
  const char *operation;       /* "pca", "fastica", "mnf", "cbf", "mvdr"; NULL: of the first three alike */
  const char *note;            /* nullable: what to know when reading it */
} EsPublished;

guint              es_published_get_n      (void);
const EsPublished *es_published_get        (guint i);
/* Whether the table is about an operation, by its id; of most operations nothing has been published. */
gboolean           es_published_is_about   (guint i, const char *operation);
/* The figures; the first columns are text. Transfer full. */
EsTable           *es_published_make_table (guint i);
JsonNode          *es_published_to_json    (guint i);                                     /* transfer full */

G_END_DECLS
