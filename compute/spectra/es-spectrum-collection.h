/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <json-glib/json-glib.h>

#include "cube/es-cube.h"
#include "cube/es-region.h"
#include "es-spectral-library.h"

G_BEGIN_DECLS

/* Where a spectrum that is kept is from. */
typedef enum { ES_KEPT_PIXEL, ES_KEPT_MEAN, ES_KEPT_REGION, ES_KEPT_LIBRARY } EsKeptKind;

/*
 * A spectrum that somebody has kept. Main context only. Properties, notified: "name" (read, write), "colour" (guint,
 * 0xRRGGBB; read, write), "shown" (gboolean: it is drawn; read, write), "ready" (gboolean: it has been read, or it is
 * known why it cannot be).
 */
#define ES_TYPE_KEPT_SPECTRUM (es_kept_spectrum_get_type ())
G_DECLARE_FINAL_TYPE (EsKeptSpectrum, es_kept_spectrum, ES, KEPT_SPECTRUM, GObject)

const char   *es_kept_spectrum_get_name      (EsKeptSpectrum *self);
void          es_kept_spectrum_set_name      (EsKeptSpectrum *self, const char *name);
guint32       es_kept_spectrum_get_colour    (EsKeptSpectrum *self);
void          es_kept_spectrum_set_colour    (EsKeptSpectrum *self, guint32 colour);
gboolean      es_kept_spectrum_get_shown     (EsKeptSpectrum *self);
void          es_kept_spectrum_set_shown     (EsKeptSpectrum *self, gboolean shown);
EsKeptKind    es_kept_spectrum_get_kind      (EsKeptSpectrum *self);
/* NULL until it is "ready", and where reading failed. Bad bands have no values. */
EsSpectrum   *es_kept_spectrum_get_spectrum  (EsKeptSpectrum *self);
/* Of means: a value a band; NULL elsewhere. */
const double *es_kept_spectrum_get_deviation (EsKeptSpectrum *self);
const double *es_kept_spectrum_get_lowest    (EsKeptSpectrum *self);
const double *es_kept_spectrum_get_highest   (EsKeptSpectrum *self);
guint64       es_kept_spectrum_get_count     (EsKeptSpectrum *self);           /* pixels; 0: of a library */
const char   *es_kept_spectrum_get_unit      (EsKeptSpectrum *self);           /* of the values; nullable */
/* The cube or library, as a person knows it; "" where none is told. */
const char   *es_kept_spectrum_get_source    (EsKeptSpectrum *self);
/* Its pixels; NULL of a library. Borrowed. */
EsRegion     *es_kept_spectrum_get_region    (EsKeptSpectrum *self);
/* It is of this cube: the one that it was kept from, or one of the same identity. */
gboolean      es_kept_spectrum_is_of         (EsKeptSpectrum *self, EsCube *cube);
const GError *es_kept_spectrum_get_error     (EsKeptSpectrum *self);           /* nullable, borrowed */

/*
 * The spectra that are kept, of any cubes and libraries: a GListModel of EsKeptSpectrum. Main context only.
 * Signal "changed": another list, or another name, colour or values of one in it.
 */
#define ES_TYPE_SPECTRUM_COLLECTION (es_spectrum_collection_get_type ())
G_DECLARE_FINAL_TYPE (EsSpectrumCollection, es_spectrum_collection, ES, SPECTRUM_COLLECTION, GObject)

EsSpectrumCollection *es_spectrum_collection_new         (void);
/* The mean of a region of a cube, read in the background; of one pixel its spectrum. name NULL: made of its place.
 * colour 0: the next of eight. Borrowed. */
EsKeptSpectrum       *es_spectrum_collection_add_region  (EsSpectrumCollection *self, EsCube *cube, EsRegion *region,
                                                          EsKeptKind kind, const char *name, guint32 colour);
/* A pixel, or the mean of the size x size pixels round it (odd). Borrowed; NULL: outside. */
EsKeptSpectrum       *es_spectrum_collection_add_pixel   (EsSpectrumCollection *self, EsCube *cube, guint64 x,
                                                          guint64 y, guint size);
/* One of a library, whose name is told with it. Borrowed. */
EsKeptSpectrum       *es_spectrum_collection_add         (EsSpectrumCollection *self, EsSpectrum *spectrum,
                                                          const char *source, const char *unit);
/* What is of this cube is read again from it: something else has been told of it. Until then it stays as it is. */
void                  es_spectrum_collection_read_again  (EsSpectrumCollection *self, EsCube *cube);
void                  es_spectrum_collection_remove      (EsSpectrumCollection *self, EsKeptSpectrum *kept);
void                  es_spectrum_collection_clear       (EsSpectrumCollection *self);
/* What was removed last comes back to where it was. FALSE: nothing was. */
gboolean              es_spectrum_collection_undo        (EsSpectrumCollection *self);
gboolean              es_spectrum_collection_can_undo    (EsSpectrumCollection *self);
guint                 es_spectrum_collection_get_n       (EsSpectrumCollection *self);
EsKeptSpectrum       *es_spectrum_collection_get         (EsSpectrumCollection *self, guint i);     /* borrowed */
gboolean              es_spectrum_collection_is_busy     (EsSpectrumCollection *self);    /* one is being read */

/* Those that have been read, by the names that they have now. Transfer full. */
EsSpectralLibrary    *es_spectrum_collection_to_library  (EsSpectrumCollection *self);

/*
 * All of it as JSON, values included, and back: what is in the tree is added, all of it or nothing.
 * ES_DATA_ERROR_FORMAT or _SIZE, one sentence that begins with name. to: transfer full.
 */
JsonNode             *es_spectrum_collection_to_json     (EsSpectrumCollection *self);
gboolean              es_spectrum_collection_add_json    (EsSpectrumCollection *self, JsonNode *root, const char *name,
                                                          GError **error);

G_END_DECLS
