/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtk/gtk.h>

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

/* What an entry shows, which is told from what is being written in it. */
void        es_metadata_show_text (GtkWidget *entry, const char *text);
/* Something has been written there, or in a parent that is such an entry, and not been told yet. */
gboolean    es_metadata_is_written (GtkWidget *entry);
/* What was shown is there again. FALSE: nothing has been written. */
gboolean    es_metadata_drop_written (GtkWidget *entry);

/* n of them. */
const EsMetadataRow *es_metadata_rows (guint *n);

/* What wavelengths can be counted in, as people read it; NULL-terminated. */
extern const char *const es_metadata_unit_titles[];
/* Which of those a unit is, however it is spelled; G_MAXUINT: none of them. unit: nullable. */
guint       es_metadata_find_unit (const char *unit);
/* What the wavelengths of a cube are counted in; NULL: it has none. Borrowed. */
const char *es_metadata_show_unit (EsCube *cube);

/* The columns of one band. */
typedef enum
{
  ES_BAND_NUMBER, ES_BAND_NAME, ES_BAND_WAVELENGTH, ES_BAND_FWHM, ES_BAND_GOOD, ES_BAND_NO_DATA, ES_BAND_SCALE,
  ES_BAND_OFFSET, ES_N_BAND_COLUMNS
} EsBandColumn;

/* Wavelengths and widths in the unit that they are counted in. Transfer full; "" where there is none. */
char       *es_metadata_band_show (EsCube *cube, guint band, EsBandColumn column);
/* What all bands are to be told where this one is told that. NULL: one sentence. base: what is told by now, nullable.
 * Transfer full. */
EsMetadata *es_metadata_band_read (EsCube *cube, EsMetadata *base, guint band, EsBandColumn column, const char *text,
                                   GError **error);

G_END_DECLS
