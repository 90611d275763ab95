/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gio/gio.h>
#include <json-glib/json-glib.h>

G_BEGIN_DECLS

/*
 * What is told about a cube beside its file, which stays as it is: wavelengths, bad bands, no-data, scale, coordinates.
 * What is not told is as the file says it. Immutable but for who told it, counted, any thread.
 */
#define ES_TYPE_METADATA (es_metadata_get_type ())
typedef struct _EsMetadata EsMetadata;
GType es_metadata_get_type (void);

/* Who told it. */
typedef enum
{
  ES_METADATA_BESIDE,          /* the file beside the cube */
  ES_METADATA_NAMED,           /* a file or a command line that was named for it */
  ES_METADATA_BY_HAND,         /* a person */
} EsMetadataSource;

/* What can be told; NULL or FALSE: it is not. Lists have `bands` entries, or one for every band where it says so. */
typedef struct
{
  guint     bands;             /* of the cube */
  double   *wavelengths;       /* in the unit below */
  char     *wavelength_unit;   /* "nm", "um", "cm-1" ...; alone: what the file's numbers are counted in */
  double   *fwhm;              /* in the unit of the wavelengths; NAN: not known */
  char    **band_names;        /* NULL-terminated; "": none */
  gboolean *good;              /* the bad-band list */
  double   *no_data;           /* as stored; NAN: none */
  double   *scale, *offset;    /* value = stored * scale + offset; NAN: as the file says */
  char     *unit;              /* of the values; "": none */
  double   *geotransform;      /* 6, as GDAL has it */
  char     *system;            /* "EPSG:32633" or WKT; "": none */
  gboolean  has_default_bands;
  int       default_bands[3];  /* red, green and blue, from 0 */
} EsMetadataFacts;

/* Copies. By hand. */
EsMetadata  *es_metadata_new         (const EsMetadataFacts *facts);
EsMetadata  *es_metadata_ref         (EsMetadata *self);
void         es_metadata_unref       (EsMetadata *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (EsMetadata, es_metadata_unref)
/* Borrowed; of nothing (self nullable) no fact is told. */
const EsMetadataFacts *es_metadata_get_facts (EsMetadata *self);
EsMetadataSource es_metadata_get_source  (EsMetadata *self);
/* It has been written meanwhile. */
void         es_metadata_set_source  (EsMetadata *self, EsMetadataSource source);
EsMetadata  *es_metadata_with_source (EsMetadata *self, EsMetadataSource source);   /* transfer full */
/* base (nullable) with whatever more tells in its place. By hand. Transfer full. */
EsMetadata  *es_metadata_merge       (EsMetadata *base, const EsMetadataFacts *more);
/* Nothing is told. Nullable. */
gboolean     es_metadata_is_empty    (EsMetadata *self);
/* They say the same, whoever told it. Nullable, both. */
gboolean     es_metadata_equal       (EsMetadata *self, EsMetadata *other);
/* "wavelengths, no-data 0, coordinate system EPSG:32633": what is told, translated. Transfer full. */
char        *es_metadata_describe    (EsMetadata *self);

/* Whether a cube of so many bands can be told this: lists of its length, wavelengths that are some, a scale that is
 * not 0. ES_DATA_ERROR_FORMAT: one sentence, without a name of a file. */
gboolean     es_metadata_check       (const EsMetadataFacts *facts, guint bands, GError **error);

/*
 * Eigenscope's own JSON ("<cube>.metadata.json"). shape: of the cube ("160x192x224"), which the file names as its own;
 * one of another shape is refused. ES_DATA_ERROR: one sentence that names the file, what was found and what was
 * expected. Loaded as one that was named. Saving writes beside and renames, and keeps what it does not know. Transfer
 * full.
 */
EsMetadata  *es_metadata_load        (GFile *file, const char *shape, guint bands, GError **error);
gboolean     es_metadata_save        (EsMetadata *self, GFile *file, const char *shape, GError **error);
/* The same as a tree, of a result, and as a line of text. */
JsonNode    *es_metadata_to_node     (EsMetadata *self);
EsMetadata  *es_metadata_from_node   (JsonNode *root, guint bands, GError **error);
char        *es_metadata_to_line     (EsMetadata *self);
EsMetadata  *es_metadata_from_line   (const char *line, guint bands, GError **error);
/* Where that of a cube lies. Transfer full. */
GFile       *es_metadata_sidecar_of  (GFile *cube);
#define ES_METADATA_ENDING ".metadata.json"
/* By its name. */
gboolean     es_metadata_is_file     (GFile *file);

G_END_DECLS
