/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "es-cube.h"
#include "es-region.h"

G_BEGIN_DECLS

/*
 * A named region ("class") of a cube: pixels that belong together, and their mean spectrum. Main context only.
 * Properties, notified: "name" (read, write), "colour" (guint, 0xRRGGBB; read, write), "count" (guint64: pixels inside
 * the cube; constant), "ready" (gboolean: the spectra are there, or why they are not).
 */
#define ES_TYPE_NAMED_REGION (es_named_region_get_type ())
G_DECLARE_FINAL_TYPE (EsNamedRegion, es_named_region, ES, NAMED_REGION, GObject)

const char   *es_named_region_get_name      (EsNamedRegion *self);
void          es_named_region_set_name      (EsNamedRegion *self, const char *name);
guint32       es_named_region_get_colour    (EsNamedRegion *self);
void          es_named_region_set_colour    (EsNamedRegion *self, guint32 colour);
EsRegion     *es_named_region_get_region    (EsNamedRegion *self);            /* borrowed */
guint64       es_named_region_get_count     (EsNamedRegion *self);
/* Once "ready": a value a band of the cube, in the cube's units, over the pixels valid in that band; NAN where there is
 * none (deviation, of N - 1: where there are fewer than two). NULL before, or where reading failed. */
const double *es_named_region_get_mean      (EsNamedRegion *self);
const double *es_named_region_get_deviation (EsNamedRegion *self);
guint         es_named_region_get_n_bands   (EsNamedRegion *self);
/* Why there are no spectra; NULL where nothing failed. Borrowed. */
const GError *es_named_region_get_error     (EsNamedRegion *self);

/* The same of any region, in one pass over its rows: `bands` values each, or NULL where one is not wanted. lowest and
 * highest: the extremes of the pixels. Blocking, any thread. */
gboolean      es_region_read_spectra        (EsRegion *region, EsCube *cube, double *mean, double *deviation,
                                             double *lowest, double *highest, GCancellable *cancellable,
                                             GError **error);

/*
 * The named regions of one data set: a GListModel of EsNamedRegion. Belongs to the data set. Main context only.
 * "items-changed" at every addition and removal; a change of name or colour is notified by the region.
 */
#define ES_TYPE_REGION_SET (es_region_set_get_type ())
G_DECLARE_FINAL_TYPE (EsRegionSet, es_region_set, ES, REGION_SET, GObject)

/* Made when it is asked for first; the same one from then on. Borrowed. */
EsRegionSet   *es_dataset_get_regions  (EsDataset *dataset);
/* Nullable: the data set has been closed. Borrowed. */
EsCube        *es_region_set_get_cube  (EsRegionSet *self);

/* name NULL or "": "Class 3", the first that is not taken. colour 0: the next of eight that tell apart well. The
 * spectra are computed in the background, in the order of adding. Borrowed. */
EsNamedRegion *es_region_set_add       (EsRegionSet *self, const char *name, EsRegion *region, guint32 colour);
void           es_region_set_remove    (EsRegionSet *self, EsNamedRegion *region);   /* its spectrum is not computed */
void           es_region_set_clear     (EsRegionSet *self);

/* Its classes as they are now, without spectra, for a worker to write, which keeps the data set. Transfer full. */
EsRegionSet   *es_region_set_copy      (EsRegionSet *self);

/*
 * Blocking, and for small files: names, colours and regions as JSON with the identity of the cube. Loading adds to what
 * is there, all of them or none: at most 1,000 (ES_DATA_ERROR_SIZE); ES_DATA_ERROR_FORMAT in one sentence.
 */
char          *es_region_set_to_text   (EsRegionSet *self);      /* that JSON; transfer full */
/* Nothing has changed since the whole set was last written: by es_region_set_save (), or by whoever wrote its text
 * elsewhere and says so with the version that was the set's at that time. An empty set has nothing to be lost. */
gboolean       es_region_set_is_saved    (EsRegionSet *self);
guint          es_region_set_get_version (EsRegionSet *self);
void           es_region_set_was_saved   (EsRegionSet *self, guint version);
gboolean       es_region_set_save      (EsRegionSet *self, GFile *target, GError **error);
gboolean       es_region_set_load      (EsRegionSet *self, GFile *file, GError **error);
/* The same of any file, read in the background. */
void           es_region_set_load_async  (EsRegionSet *self, GFile *file, GCancellable *cancellable,
                                          GAsyncReadyCallback callback, gpointer data);
gboolean       es_region_set_load_finish (EsRegionSet *self, GAsyncResult *result, GError **error);

G_END_DECLS
