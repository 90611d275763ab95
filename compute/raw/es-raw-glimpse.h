/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "es-raw-shapes.h"

G_BEGIN_DECLS

/* What a shape makes of a file, at a glance: one band, thinned to a small picture, and the spectrum of the middle. */
typedef struct
{
  EsRawShape shape;
  guint64    size;             /* bytes of the file */
  guint      band;             /* from 0 */
  guint      width, height;
  guint      step;             /* every so many columns and rows */
  float     *values;           /* width x height, NAN where they are no numbers */
  double     low, high;        /* between which 96 % of them lie */
  double    *spectrum;         /* shape.bands values of the middle pixel */
  char      *left;             /* what is left over of the file, or NULL */
  char      *doubt;            /* why the shape is probably wrong, or NULL */
} EsRawGlimpse;

/* Reads what it shows and little more, however large the file: at most `side` pixels a side. A band beyond the last is
 * the last. Blocking; stops where it is cancelled. Errors of es_raw_shape_check (), ES_DATA_ERROR_OPEN. Transfer full.
 * */
EsRawGlimpse *es_raw_glimpse_new  (GFile *file, const EsRawShape *shape, guint64 band, guint side,
                                   GCancellable *cancellable, GError **error);
void          es_raw_glimpse_free (EsRawGlimpse *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (EsRawGlimpse, es_raw_glimpse_free)

G_END_DECLS
