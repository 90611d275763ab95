/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "es-layer.h"

G_BEGIN_DECLS

/* How the planes of a stack lie in a file: each in one piece, in ENVI's layout (BSQ), a GeoTIFF or HDF5, or a row, or a
 * pixel, of all of them after the other (ENVI's BIL and BIP). */
typedef enum { ES_STACK_ENVI, ES_STACK_GEOTIFF, ES_STACK_BIL, ES_STACK_BIP, ES_STACK_HDF5 } EsStackFormat;
/* ".img", ".tif", ".bil", ".bip", ".h5". */
const char   *es_stack_format_get_ending (EsStackFormat format);
/* "envi", "geotiff", "bil", "bip", "hdf5"; FALSE: another name. */
gboolean      es_stack_format_find  (const char *name, EsStackFormat *format);

/* Planes of float32, NAN where missing. */
#define ES_TYPE_IMAGE_STACK (es_image_stack_get_type ())
G_DECLARE_FINAL_TYPE (EsImageStack, es_image_stack, ES, IMAGE_STACK, EsLayer)

guint64      es_image_stack_get_width   (EsImageStack *self);
guint64      es_image_stack_get_height  (EsImageStack *self);
guint        es_image_stack_get_planes  (EsImageStack *self);
const char  *es_image_stack_get_plane_title (EsImageStack *self, guint plane);   /* "PC 1" */
/* How a view should stretch and colour it by default. */
typedef enum
{
  ES_IMAGE_HINT_NONE,          /* grey, symmetric about zero where signed */
  ES_IMAGE_HINT_DIVERGING,     /* residuals: a diverging map about zero */
  ES_IMAGE_HINT_SEQUENTIAL,    /* error maps: from zero, viridis */
  ES_IMAGE_HINT_TOGETHER,      /* coordinates that say something only together: the first three as red, green, blue */
} EsImageHint;
EsImageHint  es_image_stack_get_hint    (EsImageStack *self);
/* nm, one a plane, where the planes are bands (a reconstruction); else NULL. */
const double *es_image_stack_get_wavelengths (EsImageStack *self);
/* Share of the total variance of a plane, 0..1; NAN where it has none. */
double       es_image_stack_get_plane_share (EsImageStack *self, guint plane);
gboolean     es_image_stack_get_signed  (EsImageStack *self);                     /* symmetric about zero by default */
const char  *es_image_stack_get_unit    (EsImageStack *self);                     /* nullable */
/* As es_cube_read_band (). Memory-backed stacks answer at once, file-backed ones by pread, those on a GPU by a copy
 * of what is asked for. Rows that a job has not written yet are NAN. ES_COMPUTE_ERROR_DEVICE: it lay on a GPU that
 * is lost. */
gboolean     es_image_stack_read        (EsImageStack *self, guint plane, guint64 x, guint64 y,
                                         guint64 width, guint64 height, guint step, float *out, GError **error);
/* As es_cube_read_band_means (). */
gboolean     es_image_stack_read_means  (EsImageStack *self, guint plane, guint step, float *out,
                                         GCancellable *cancellable, GError **error);
/* The whole plane where the stack is in memory, or on a GPU (then it is brought to the host and kept; some
 * milliseconds), and complete; else NULL. Valid as long as the stack. */
const float *es_image_stack_peek        (EsImageStack *self, guint plane);
/* FALSE while a job fills it. Any thread. */
gboolean     es_image_stack_is_complete (EsImageStack *self);

G_END_DECLS
