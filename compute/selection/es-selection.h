/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gio/gio.h>
#include <json-glib/json-glib.h>

#include "es-band-ranges.h"

G_BEGIN_DECLS

/*
 * What takes part of a cube in every operation: which bands, which window, which pixels. What a person tells beside the
 * file, in the words that it was told in; the cube itself and its file stay as they are. Immutable, counted, any
 * thread.
 */
#define ES_TYPE_SELECTION (es_selection_get_type ())
typedef struct _EsSelection EsSelection;
GType es_selection_get_type (void);

/* A set of pixels and what becomes of it. Pixels take part that are in a set of `inside`, where there is any, and in no
 * set of `outside`. */
typedef struct
{
  gboolean outside;            /* those pixels stay out; else those outside of it */
  char    *name;               /* for people: of a class, or of a mask's file; nullable */
  char    *region;             /* as es_region_parse () takes it */
  char    *file;               /* that told it (g_file_parse_name ()); never read because of this; nullable */
  char    *identity;           /* of that file then; nullable */
} EsPixelSet;

EsPixelSet *es_pixel_set_new  (gboolean outside, const char *name, const char *region);
EsPixelSet *es_pixel_set_copy (const EsPixelSet *self);
void        es_pixel_set_free (EsPixelSet *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (EsPixelSet, es_pixel_set_free)

/* Who told it. */
typedef enum
{
  ES_SELECTION_BESIDE,         /* the file beside the cube */
  ES_SELECTION_NAMED,          /* a file or a command line that was named for it */
  ES_SELECTION_BY_HAND,        /* a person */
} EsSelectionSource;

/* width 0: the whole cube. */
typedef struct
{
  guint64 x, y, width, height;
} EsSelectionWindow;

/* bands, excluded: lists as es_band_ranges_parse () takes them; NULL or "": the good ones, none. sets: n of them,
 * copied. By hand. */
EsSelection *es_selection_new           (const char *bands, const char *excluded, const EsSelectionWindow *window,
                                         EsPixelSet * const *sets, guint n);
EsSelection *es_selection_ref           (EsSelection *self);
void         es_selection_unref         (EsSelection *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (EsSelection, es_selection_unref)
/* The same with one thing told otherwise, by hand; self nullable: everything takes part. Transfer full. */
EsSelection *es_selection_with_bands    (EsSelection *self, const char *bands, const char *excluded);
EsSelection *es_selection_with_window   (EsSelection *self, const EsSelectionWindow *window);
EsSelection *es_selection_with_sets     (EsSelection *self, EsPixelSet * const *sets, guint n);
EsSelection *es_selection_with_source   (EsSelection *self, EsSelectionSource source);

const char  *es_selection_get_bands     (EsSelection *self);          /* nullable, as the next */
const char  *es_selection_get_excluded  (EsSelection *self);
EsSelectionWindow es_selection_get_window (EsSelection *self);
EsPixelSet * const *es_selection_get_sets (EsSelection *self, guint *n);
EsSelectionSource es_selection_get_source (EsSelection *self);
/* Nothing is left out. self: nullable. */
gboolean     es_selection_is_everything (EsSelection *self);
/* They say the same, whoever told it; nothing is the same as everything. Nullable, both. */
gboolean     es_selection_equal         (EsSelection *self, EsSelection *other);

/* "bands 1-20,25; 20 × 10 pixels at 3, 4; inside “Water”", translated. Transfer full. */
char        *es_selection_describe      (EsSelection *self);

/*
 * Eigenscope's own JSON ("<cube>.selection.json"). shape: of the cube ("160x192x224"), which the file names as its own;
 * one of another shape is refused. ES_DATA_ERROR: one sentence that names the file, what was found and what was
 * expected. Loaded as one that was named. Saving writes beside and renames, and keeps what it does not know. Transfer
 * full.
 */
EsSelection *es_selection_load          (GFile *file, const char *shape, GError **error);
gboolean     es_selection_save          (EsSelection *self, GFile *file, const char *shape, GError **error);
/* The same as a tree, of a result. */
JsonNode    *es_selection_to_node       (EsSelection *self);
EsSelection *es_selection_from_node     (JsonNode *root, GError **error);
/* Where that of a cube lies. Transfer full. */
GFile       *es_selection_sidecar_of    (GFile *cube);
#define ES_SELECTION_ENDING ".selection.json"
/* By its name. */
gboolean     es_selection_is_file       (GFile *file);

G_END_DECLS
