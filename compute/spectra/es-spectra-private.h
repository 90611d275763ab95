/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "es-spectral-library.h"

G_BEGIN_DECLS

/* What no instrument has, and no library: larger numbers are a damaged header's. */
#define ES_SPECTRA_MOST_BANDS 65535
#define ES_SPECTRA_MOST_SPECTRA 1000000
/* Of values of one file, in memory. */
#define ES_SPECTRA_MOST_VALUES ((guint64) 1 << 27)
/* A text is read at once. */
#define ES_SPECTRA_LARGEST_TEXT ((gsize) 512 << 20)

/* A text that is being read; lines end with \n, \r\n or \r. */
typedef struct
{
  const char             *text, *end;
  const char             *name;        /* of the file, for messages */
  GFile                  *file;
  const EsSpectraOptions *options;     /* never NULL */
  GCancellable           *cancellable;
  GPtrArray              *others;      /* of GFile: what else was read */
  GHashTable             *found;       /* what was looked for beside files, and the GFile or NULL that was found */
} EsSpectraText;

/* Takes the next line without its end and without blanks round it; *line is NULL-terminated, transfer full. FALSE at
 * the end. */
gboolean es_spectra_next_line (const char **at, const char *end, char **line);
/* One number and nothing else. -1.23e34 and what is as low is NAN. */
gboolean es_spectra_number    (const char *text, double *value);

void     es_spectral_library_set_format (EsSpectralLibrary *self, const char *format);
/* The library holds a file from now on. */
void     es_spectral_library_hold       (EsSpectralLibrary *self, GPtrArray *files);

/*
 * Makes an axis of what a file lists, in nanometres, rising where it falls: values of a spectrum are then turned round
 * by whoever has them (*turned). unit: the file's or a person's; NULL: guessed by the numbers, and noted. NULL: the
 * values are no wavelengths, one sentence.
 */
EsSpectralAxis *es_spectra_make_axis (EsSpectralLibrary *library, const char *name, guint n, const double *wavelengths,
                                      const double *fwhm, const char *unit, gboolean *turned, GError **error);
/* That axis, or the same one that a spectrum of the library has already: many files of one spectrometer share it. Takes
 * axis; transfer full. */
EsSpectralAxis *es_spectra_share_axis (EsSpectralLibrary *library, EsSpectralAxis *axis);
/* Turns values round in place. */
void     es_spectra_turn      (double *values, guint n);

/* The readers: each adds to a library. */
gboolean es_spectra_read_sli        (EsSpectralLibrary *library, const char *header, const char *path,
                                     GPtrArray *others, GError **error);
/* The header of a file of an ENVI library, or the data of a header; NULL: path is neither. Transfer full. */
char    *es_spectra_find_sli_header (const char *path);
gboolean es_spectra_is_ecostress    (const EsSpectraText *text);
gboolean es_spectra_read_ecostress  (EsSpectralLibrary *library, const EsSpectraText *text, GError **error);
gboolean es_spectra_is_splib06      (const EsSpectraText *text);
gboolean es_spectra_read_splib06    (EsSpectralLibrary *library, const EsSpectraText *text, GError **error);
gboolean es_spectra_is_splib07      (const EsSpectraText *text);
gboolean es_spectra_read_splib07    (EsSpectralLibrary *library, const EsSpectraText *text, GError **error);
gboolean es_spectra_read_csv        (EsSpectralLibrary *library, const EsSpectraText *text, GError **error);
/* Whether a table that has this title reads the column as a spectrum. */
gboolean es_spectra_is_value_title  (const char *title);

/* The writers, of a library with at least one spectrum. */
gboolean es_spectra_write_sli       (EsSpectralLibrary *library, const char *path, GError **error);
gboolean es_spectra_write_csv       (EsSpectralLibrary *library, const char *path, GError **error);

G_END_DECLS
