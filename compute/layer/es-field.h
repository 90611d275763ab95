/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "es-layer.h"

G_BEGIN_DECLS

/* Float32 powers over two axes: fields and waterfalls, EsField is both kinds. */
typedef struct
{
  char    *title;              /* translated: "Bearing" */
  char    *unit;               /* "°", "Hz", "s", "m"; nullable */
  guint    n;
  double  *values;             /* n; ascending, but for ranges, where INFINITY is the far field */
} EsAxis;

#define ES_TYPE_FIELD (es_field_get_type ())
G_DECLARE_FINAL_TYPE (EsField, es_field, ES, FIELD, EsLayer)

const EsAxis *es_field_get_rows        (EsField *self);      /* a waterfall: time, ascending */
const EsAxis *es_field_get_columns     (EsField *self);
/* n rows from `first` on, rows.n x columns.n row-major; NAN where there is none. Long waterfalls lie in a file. */
gboolean      es_field_read            (EsField *self, guint first, guint n, float *out, GError **error);
/* All of it where it is in memory; else NULL. */
const float  *es_field_peek            (EsField *self);
/* What 0 dB is: "1 µPa²", "full scale²", "1 µPa²/Hz"; values are powers, 10 log10 of them is the level. NULL: values
 * are no powers and are shown as they are, in `unit`. */
const char   *es_field_get_reference   (EsField *self);
const char   *es_field_get_unit        (EsField *self);      /* nullable */
/* What it is to the views: "energy-field", "fraz", "btr", "lofar", "demon", "volume" ... */
const char   *es_field_get_role        (EsField *self);
/* Of a field over time: where the array pointed at the time of each row, degrees clockwise from true north, NAN where
 * that is not known; rows.n. NULL: not told. */
const double *es_field_get_headings    (EsField *self);
/* Metadata that are written along (HDF5 attributes): key, value pairs of text; NULL-terminated, nullable. */
const char * const *es_field_get_metadata (EsField *self);

G_END_DECLS
