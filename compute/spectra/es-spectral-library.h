/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "es-spectrum.h"

G_BEGIN_DECLS

/*
 * A spectral library: a list of spectra (a GListModel of EsSpectrum), which may lie on one axis or on several.
 * Immutable once it is handed out; what is read from it may be read by any thread.
 */
#define ES_TYPE_SPECTRAL_LIBRARY (es_spectral_library_get_type ())
G_DECLARE_FINAL_TYPE (EsSpectralLibrary, es_spectral_library, ES, SPECTRAL_LIBRARY, GObject)

EsSpectralLibrary *es_spectral_library_new         (const char *name);
/* While it is being made. unit: of the values, nullable. */
void               es_spectral_library_add         (EsSpectralLibrary *self, EsSpectrum *spectrum);
void               es_spectral_library_set_unit    (EsSpectralLibrary *self, const char *unit);
/* A sentence that tells what was made of the file ("wavelengths fall; they were turned round"). */
void               es_spectral_library_add_note    (EsSpectralLibrary *self, const char *format, ...)
                                                    G_GNUC_PRINTF (2, 3);

const char        *es_spectral_library_get_name    (EsSpectralLibrary *self);
const char        *es_spectral_library_get_format  (EsSpectralLibrary *self);       /* nullable */
const char        *es_spectral_library_get_unit    (EsSpectralLibrary *self);       /* nullable */
const char *const *es_spectral_library_get_notes   (EsSpectralLibrary *self);       /* never NULL */
guint              es_spectral_library_get_n       (EsSpectralLibrary *self);
EsSpectrum        *es_spectral_library_get         (EsSpectralLibrary *self, guint i);    /* borrowed */
/* The axis that all of its spectra have; NULL where there are several, or none. Borrowed. */
EsSpectralAxis    *es_spectral_library_get_axis    (EsSpectralLibrary *self);
/* "75 spectra, 177 bands, 460 – 2409 nm". Transfer full. */
char              *es_spectral_library_describe    (EsSpectralLibrary *self);

/* What a person tells of a file that does not say it. */
typedef struct
{
  const char *unit;            /* of wavelengths: "nm", "um", "cm-1"; NULL: the file says so, or its numbers do */
  GFile      *wavelengths;     /* of USGS text files, which have their wavelengths in another; NULL: looked for */
} EsSpectraOptions;

/*
 * Reads a library: ENVI (.sli with .hdr, either of them), USGS splib07 text (a file of values with a file of
 * wavelengths) and splib06 text, ECOSTRESS and ASTER text, CSV and tables with tabulators. All files become one
 * library, which holds them (they cannot be overwritten). options NULL: nothing is told. Blocking, any thread.
 * Wavelengths become nanometres; those that fall are turned round; what is marked as missing (below -1e30, a header's
 * ignore value, text that is no number in USGS files) becomes NAN; each is said in a note.
 * NULL: ES_DATA_ERROR, one sentence; ES_COMPUTE_ERROR_PARAMETER for a unit that is none.
 */
EsSpectralLibrary *es_spectral_library_load        (GFile *const *files, guint n, const EsSpectraOptions *options,
                                                    GCancellable *cancellable, GError **error);
void               es_spectral_library_load_async  (GFile *const *files, guint n, GCancellable *cancellable,
                                                    GAsyncReadyCallback callback, gpointer data);
EsSpectralLibrary *es_spectral_library_load_finish (GAsyncResult *result, GError **error);

/*
 * Writes all spectra: a target that ends in .sli (or .hdr) as an ENVI spectral library, in .csv as CSV. An .sli holds
 * one axis: ES_DATA_ERROR_UNSUPPORTED where the spectra have several. A CSV begins a column of wavelengths wherever the
 * axis changes. Values are written exactly. Blocking; ES_DATA_ERROR_WRITE.
 */
gboolean           es_spectral_library_save        (EsSpectralLibrary *self, GFile *target, GError **error);

G_END_DECLS
