/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "es-layer.h"

G_BEGIN_DECLS

/* Series over one axis. ES_CURVE_LISTED: a column of files and lists beside what is drawn, itself not drawn. */
typedef enum { ES_CURVE_LINE, ES_CURVE_BARS, ES_CURVE_STEM, ES_CURVE_LISTED } EsCurveStyle;
typedef struct
{
  char         *title;         /* translated */
  char         *unit;          /* nullable */
  double       *y;             /* n values; NAN = a gap */
  EsCurveStyle  style;
  gboolean      right_axis;    /* read against the right-hand axis (shares beside eigenvalues) */
} EsCurveSeries;

#define ES_TYPE_CURVE (es_curve_get_type ())
G_DECLARE_FINAL_TYPE (EsCurve, es_curve, ES, CURVE, EsLayer)

guint         es_curve_get_length     (EsCurve *self);
const double *es_curve_get_x          (EsCurve *self);
const char   *es_curve_get_x_title    (EsCurve *self);       /* "Wavelength" */
const char   *es_curve_get_x_unit     (EsCurve *self);       /* nullable */
/* Of the left axis, whatever its series are called: "Bandwidth"; nullable: the only series' title, or the layer's. */
const char   *es_curve_get_y_title    (EsCurve *self);
gboolean      es_curve_get_log_y      (EsCurve *self);       /* the left axis is logarithmic by default */
guint         es_curve_get_n_series   (EsCurve *self);
const EsCurveSeries *es_curve_get_series (EsCurve *self, guint i);
/* "scree" or "loadings": what the curve is to the views; a scree curve carries the parameter that its dragged
 * threshold sets (nullable) and its present value. */
const char   *es_curve_get_role       (EsCurve *self);
const char   *es_curve_get_threshold_key (EsCurve *self);
double        es_curve_get_threshold  (EsCurve *self);
/* How many components of a scree curve a threshold keeps, 1 at least: a share (0..1) is compared with the cumulative
 * ones, which are read against the right-hand axis, anything else with the values themselves. 0 where the curve has
 * none of these. */
guint         es_curve_count_kept     (EsCurve *self, gboolean is_share, double threshold);
/* The other way round: what share (0..1) the first m components keep; NAN where the curve has no shares, or m is 0. */
double        es_curve_get_kept_share (EsCurve *self, guint m);

G_END_DECLS
