/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dataset/es-dataset.h"

G_BEGIN_DECLS

/* How a file that says nothing about itself is taken as a cube. */
typedef struct
{
  guint64      width, height, bands;     /* 0: not known */
  guint64      offset;                   /* bytes before the first sample */
  const char  *type;                     /* one of es_raw_types (), static; NULL: not known */
  EsInterleave interleave;
  gboolean     big_endian;
  double       score;                    /* of a proposal: how plausible it is, 0..1 */
} EsRawShape;

/* "uint8", "int16", "uint16", "int32", "uint32", "float32", "float64", NULL. */
const char * const *es_raw_types (void);
guint               es_raw_type_size (const char *type);       /* bytes of a sample; 0: it is none of these */

/* The options that open it so, and the other way round; texts are borrowed. */
void       es_raw_shape_to_options   (const EsRawShape *shape, EsOpenOptions *options);
void       es_raw_shape_from_options (const EsOpenOptions *options, EsRawShape *shape);
/* "640 × 512 × 224, int16, BIL". Transfer full. */
char      *es_raw_shape_describe     (const EsRawShape *shape);

/* Whether a file of so many bytes holds the shape: sizes, type, end. name: of the file, for messages. *left: bytes
 * behind the last sample (nullable). ES_DATA_ERROR_SIZE, _UNSUPPORTED, _TRUNCATED in one sentence. */
gboolean   es_raw_shape_check        (const EsRawShape *shape, guint64 size, const char *name, guint64 *left,
                                      GError **error);
/* One sentence of what is left over by a shape that fits. NULL: nothing. Transfer full. */
char      *es_raw_shape_tell_left    (const EsRawShape *shape, guint64 size);

/* Which fields of a shape a person has told: the others are proposed. */
typedef enum
{
  ES_RAW_WIDTH = 1 << 0,
  ES_RAW_HEIGHT = 1 << 1,
  ES_RAW_BANDS = 1 << 2,
  ES_RAW_OFFSET = 1 << 3,
  ES_RAW_TYPE = 1 << 4,
  ES_RAW_INTERLEAVE = 1 << 5,
  ES_RAW_BYTE_ORDER = 1 << 6,
} EsRawFields;

/* Bytes [offset, offset + n) of the file into buffer; FALSE: they cannot be had. */
typedef gboolean (*EsRawRead) (gpointer data, guint64 offset, gsize n, guint8 *buffer);

/*
 * The shapes that a file of `size` bytes may have, the most plausible first, 12 at most: those that fill it to the byte
 * whose neighbouring samples along each axis are alike, and less alike a few samples beside it. Reads some megabytes at
 * most, wherever they lie. told: fields that stay as they are, where `fields` says so; nullable. Depends on nothing
 * else: the same bytes give the same shapes. Of EsRawShape, may be empty; NULL: cancelled. Transfer full.
 */
GArray    *es_raw_shapes_propose      (EsRawRead read, gpointer data, guint64 size, const EsRawShape *told,
                                       EsRawFields fields, GCancellable *cancellable);
/* The same of a file. Blocking. ES_DATA_ERROR_OPEN, _FORMAT (it is empty). */
GArray    *es_raw_shapes_propose_file (GFile *file, const EsRawShape *told, EsRawFields fields,
                                       GCancellable *cancellable, GError **error);

/* Where es_raw_header_write () would write: "scene.raw.hdr", beside it; NULL where there is an ENVI header for it
 * already, or a file of that name, whatever it holds. Transfer full. */
GFile     *es_raw_header_place        (GFile *file);
/* Writes an ENVI header of the shape beside the file, with which it opens by itself from then on. Never replaces
 * anything. ES_DATA_ERROR_WRITE. */
gboolean   es_raw_header_write        (GFile *file, const EsRawShape *shape, GError **error);

G_END_DECLS
