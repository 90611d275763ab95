/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/*
 * What a result consists of. Views know layer kinds, not operations. Immutable once their result is published.
 */
typedef enum
{
  ES_LAYER_IMAGE_STACK,
  ES_LAYER_CURVE,
  ES_LAYER_TABLE,
  ES_LAYER_FIELD,              /* rows x columns of powers over two axes */
  ES_LAYER_WATERFALL,          /* the same, rows in time */
  ES_LAYER_MATRIX,             /* rows x columns of float64, a heat map */
} EsLayerKind;

#define ES_TYPE_LAYER (es_layer_get_type ())
G_DECLARE_DERIVABLE_TYPE (EsLayer, es_layer, ES, LAYER, GObject)
struct _EsLayerClass
{
  GObjectClass parent_class;
  EsLayerKind  kind;
};

EsLayerKind  es_layer_get_kind      (EsLayer *self);
const char  *es_layer_kind_name     (EsLayerKind kind);      /* "image-stack", "curve", "table": in result.json */
const char  *es_layer_get_name      (EsLayer *self);         /* "components": file name and result.json */
const char  *es_layer_get_title     (EsLayer *self);         /* translated, for people */

/* ---- image stack: planes of float32, NAN where missing ---- */
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
/* The whole plane where the stack is in memory, or on a GPU (then it is brought to the host and kept; some
 * milliseconds), and complete; else NULL. Valid as long as the stack. */
const float *es_image_stack_peek        (EsImageStack *self, guint plane);
/* FALSE while a job fills it. Any thread. */
gboolean     es_image_stack_is_complete (EsImageStack *self);

/* ---- curve: series over one axis ---- */
typedef enum { ES_CURVE_LINE, ES_CURVE_BARS, ES_CURVE_STEM } EsCurveStyle;
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

/* ---- matrix: correlations, covariances ---- */
#define ES_TYPE_MATRIX (es_matrix_get_type ())
G_DECLARE_FINAL_TYPE (EsMatrix, es_matrix, ES, MATRIX, EsLayer)

guint         es_matrix_get_n_rows     (EsMatrix *self);
guint         es_matrix_get_n_columns  (EsMatrix *self);
const double *es_matrix_get_values     (EsMatrix *self);     /* row-major; NAN where there is none */
const char   *es_matrix_get_row_title  (EsMatrix *self, guint row);          /* "IC 3" */
const char   *es_matrix_get_column_title (EsMatrix *self, guint column);
/* What the rows and the columns are ("FastICA 10", "True abundances"); nullable. */
const char   *es_matrix_get_rows_title (EsMatrix *self);
const char   *es_matrix_get_columns_title (EsMatrix *self);
/* The range of colours, -1..1 for correlations; NAN: the values' own. */
void          es_matrix_get_range      (EsMatrix *self, double *minimum, double *maximum);

/* ---- field and waterfall: float32 powers over two axes; EsField is both kinds ---- */
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
/* Metadata that are written along (HDF5 attributes): key, value pairs of text; NULL-terminated, nullable. */
const char * const *es_field_get_metadata (EsField *self);

/* ---- table ---- */
#define ES_TYPE_TABLE (es_table_get_type ())
G_DECLARE_FINAL_TYPE (EsTable, es_table, ES, TABLE, EsLayer)

guint         es_table_get_n_columns  (EsTable *self);
guint         es_table_get_n_rows     (EsTable *self);
const char   *es_table_get_column_title (EsTable *self, guint column);
const char   *es_table_get_column_unit (EsTable *self, guint column);             /* nullable */
/* Text columns answer NAN as value; number columns their text formatted with the column's digits. */
const char   *es_table_get_text       (EsTable *self, guint row, guint column);
double        es_table_get_value      (EsTable *self, guint row, guint column);

G_END_DECLS
