/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "cube/es-cube-metadata.h"

G_BEGIN_DECLS

/* One thing that can be told of a cube, as a text that a person reads and writes. */
typedef struct
{
  const char *id;
  const char *title;           /* marked for translation */
  const char *hint;            /* what can be written; the same */
  const char *usual;           /* what it is where the file says nothing; NULL: none */
  /* As the cube has it; transfer full. "" where it says nothing. */
  char      *(*show)  (EsCube *cube);
  /* Puts what is written into facts, with memory that *own keeps until they have been copied. ES_DATA_ERROR_FORMAT: one
   * sentence. */
  gboolean   (*read)  (EsCube *cube, const char *text, EsMetadataFacts *facts, gpointer *own, GError **error);
  gboolean   (*told)  (const EsMetadataFacts *facts);
  /* Takes it away. */
  void       (*clear) (EsMetadataFacts *facts);
} EsMetadataRow;

/* n of them. */
const EsMetadataRow *es_metadata_rows (guint *n);

/* What wavelengths can be counted in, as people read it; NULL-terminated. */
extern const char *const es_metadata_unit_titles[];
/* Which of those a unit is, however it is spelled; G_MAXUINT: none of them. unit: nullable. */
guint       es_metadata_find_unit (const char *unit);
/* What the wavelengths of a cube are counted in; NULL: it has none. Borrowed. */
const char *es_metadata_show_unit (EsCube *cube);

G_END_DECLS
