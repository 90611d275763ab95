/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "device/es-device.h"
#include "es-curve.h"
#include "es-field.h"
#include "es-image-stack.h"
#include "es-matrix.h"
#include "es-table.h"
#include "es-verdict.h"

G_BEGIN_DECLS

void es_layer_set_name (EsLayer *self, const char *name, const char *title);
/* Of a class that is of several kinds (EsField). */
void          es_layer_set_kind         (EsLayer *self, EsLayerKind kind);

/*
 * A new stack of width x height x planes float32. path NULL: in memory when `bytes` <= memory_limit (0 = no
 * limit), else in an unlinked temporary file. path given: in a file of its own beside that path
 * (".name.part-XXXXXX", BSQ, native byte order; a file that is already at path is left alone), which
 * es_image_stack_get_path () names so that a writer may take it over by renaming instead of copying. The ending of the
 * path tells the layout (es_stack_format_get_ending ()): a GeoTIFF lacks but its tags, and HDF5 its attributes. It is
 * removed with the stack where no writer did. ES_COMPUTE_ERROR_MEMORY, ES_DATA_ERROR_WRITE (disk full: found
 * now, by posix_fallocate).
 */
EsImageStack *es_image_stack_new        (const char *name, const char *title, guint64 width, guint64 height,
                                         guint planes, guint64 memory_limit, const char *path,
                                         GError **error);
const char   *es_image_stack_get_path   (EsImageStack *self);          /* nullable */
EsStackFormat es_image_stack_get_format (EsImageStack *self);          /* of the file at that path */
/* As es_store_bring_out () and es_store_look_again () when each process has written its part. ES_DATA_ERROR_WRITE. */
gboolean      es_image_stack_bring_out  (EsImageStack *self, GError **error);
void          es_image_stack_look_again (EsImageStack *self);
/* Told when a writer has renamed the file behind the stack: it stays open, is no longer deleted with the
 * stack, and es_image_stack_get_path () answers NULL from then on: nobody else may take it. */
void          es_image_stack_keep_file  (EsImageStack *self, const char *new_path);
void          es_image_stack_set_plane  (EsImageStack *self, guint plane, const char *title, double share);
void          es_image_stack_set_signed (EsImageStack *self, gboolean is_signed);
void          es_image_stack_set_hint   (EsImageStack *self, EsImageHint hint);
/*
 * A stack that has no samples of its own: `read` computes them when they are asked for (as es_image_stack_read (), of a
 * window that is inside, from several threads). Complete at once; writers write it plane by plane.
 */
typedef gboolean (*EsStackRead) (gpointer data, guint plane, guint64 x, guint64 y, guint64 width, guint64 height,
                                 guint step, float *out, GError **error);
EsImageStack *es_image_stack_new_computed (const char *name, const char *title, guint64 width, guint64 height,
                                         guint planes, EsStackRead read, gpointer data, GDestroyNotify destroy,
                                         GError **error);
/* The same for all planes of whole rows at once (plane k at out + k * width * height), where that costs much less than
 * one plane after the other: writers ask it instead. It has the data given when the stack was made. */
typedef gboolean (*EsStackReadRows) (gpointer data, guint64 y, guint64 height, float *out, GError **error);
void          es_image_stack_set_read_rows (EsImageStack *self, EsStackReadRows read_rows);
gboolean      es_image_stack_has_read_rows (EsImageStack *self);
gboolean      es_image_stack_read_rows (EsImageStack *self, guint64 y, guint64 height, float *out, GError **error);
/* nm, one a plane (copied): the planes are bands of a cube, and are written as one. */
void          es_image_stack_set_wavelengths (EsImageStack *self, const double *wavelengths);
void          es_image_stack_set_unit   (EsImageStack *self, const char *unit);
/*
 * A stack in the memory of a GPU, or of all GPUs, each with its share of the rows: rows_from[i] is the first row of the
 * i-th member, rows_from[n] the height. Its planes come to the host when they are asked for, and by and by after
 * es_image_stack_settle () where they do not take more than host_limit bytes; after that the GPU's copy is only a
 * cache. ES_COMPUTE_ERROR_MEMORY.
 */
EsImageStack *es_image_stack_new_on_device (const char *name, const char *title, guint64 width, guint planes,
                                            EsDevice *device, const guint64 *rows_from, guint64 host_limit,
                                            GError **error);
/* Where plane 0 of row y lies in a member's memory, and how far planes are apart (floats). The writer marks what it has
 * written, and settles the stack when all is. */
float        *es_image_stack_get_device_rows (EsImageStack *self, EsDevice *member, guint64 y, gsize *plane_stride);
void          es_image_stack_mark_written (EsImageStack *self, guint64 y, guint64 width, guint64 height);
/* Before all of it is written anew, with the same values: columns are counted from none again. */
void          es_image_stack_forget_written (EsImageStack *self);
void          es_image_stack_settle    (EsImageStack *self);
/* The plane where it is in the host's memory already; nothing is brought there. NULL otherwise. */
const float  *es_image_stack_get_host  (EsImageStack *self, guint plane);
/*
 * The stack is a window of an image of frame_width x frame_height, at (left, top): who reads sees all of the image, NAN
 * round the window. Who writes, or computes, knows the window alone, as do the functions for the rows of devices. Right
 * after it was made; not of one on a device.
 */
void          es_image_stack_set_frame  (EsImageStack *self, guint64 frame_width, guint64 frame_height, guint64 left,
                                         guint64 top);
/* planes of a window, plane r at values + r * plane_stride. From any thread, disjoint windows. */
gboolean      es_image_stack_write      (EsImageStack *self, guint64 x, guint64 y, guint64 width,
                                         guint64 height, const float *values, gsize plane_stride,
                                         GError **error);

/* x and every y are copied; series may be empty. */
EsCurve      *es_curve_new              (const char *name, const char *title, const char *role, guint n,
                                         const double *x, const char *x_title, const char *x_unit);
void          es_curve_add_series       (EsCurve *self, const char *title, const char *unit,
                                         EsCurveStyle style, gboolean right_axis, const double *y);
void          es_curve_set_log_y        (EsCurve *self, gboolean log_y);
void          es_curve_set_y_title      (EsCurve *self, const char *title);
void          es_curve_set_threshold    (EsCurve *self, const char *key, double value);
/* The rule by which shares keep components: the fewest, from the first on, whose sum reaches `least`. sums: of the
 * first one, two ... n. All n where none reaches it. */
guint         es_curve_count_reaching   (const double *sums, guint n, double least);

/* Everything is copied; titles have n_rows and n_columns entries. */
EsMatrix     *es_matrix_new             (const char *name, const char *title, guint n_rows, guint n_columns,
                                         const double *values, const char *const *row_titles,
                                         const char *const *column_titles);
void          es_matrix_set_titles      (EsMatrix *self, const char *rows_title, const char *columns_title);
void          es_matrix_set_range       (EsMatrix *self, double minimum, double maximum);

/*
 * kind: ES_LAYER_FIELD or ES_LAYER_WATERFALL. Axes' values are copied. A field has all its rows at once, NAN at first;
 * a waterfall gets them by es_field_append () before the result is published, up to memory_limit bytes in memory (0: no
 * limit), then in an unlinked file. ES_COMPUTE_ERROR_MEMORY.
 */
EsField      *es_field_new              (const char *name, const char *title, EsLayerKind kind, const char *role,
                                         const EsAxis *rows, const EsAxis *columns, guint64 memory_limit,
                                         GError **error);
gboolean      es_field_append           (EsField *self, double row_value, const float *values, GError **error);
float        *es_field_get_writable     (EsField *self);     /* of a field, before it is published */
/* Rows that stay in a place of their own and are fetched by any thread whenever they are asked for. Takes data, on
 * error too. */
typedef gboolean (*EsFieldReadRows) (gpointer data, guint first, guint n, float *out, GError **error);
EsField      *es_field_new_stored       (const char *name, const char *title, EsLayerKind kind, const char *role,
                                         const EsAxis *rows, const EsAxis *columns, EsFieldReadRows read_rows,
                                         gpointer data, GDestroyNotify destroy, GError **error);
/* What a level in a CSV was as a power. */
float         es_field_power_of_level   (double level);
void          es_field_set_reference    (EsField *self, const char *reference, const char *unit);
void          es_field_add_metadata     (EsField *self, const char *key, const char *value);
/* Once all rows are there; one a row, copied. NULL: none. */
void          es_field_set_headings     (EsField *self, const double *headings);

EsTable      *es_table_new              (const char *name, const char *title);
/* Added to digits: so many significant ones, with a power of ten where that is shorter (residuals, errors). */
#define ES_TABLE_SIGNIFICANT 100
/* digits < 0: a text column. */
void          es_table_add_column       (EsTable *self, const char *title, const char *unit, int digits);
/* One pointer a column is read: const char * for text columns, const double * for number columns. */
void          es_table_add_row          (EsTable *self, const gconstpointer *cells);
/* A sentence; rule nullable. Then the numbers it rests on, one after the other. */
EsVerdict    *es_verdict_new            (const char *name, const char *title);
void          es_verdict_add            (EsVerdict *self, EsVerdictState state, gboolean meaning, const char *sentence,
                                         const char *rule);
void          es_verdict_add_number     (EsVerdict *self, const char *title, double value, const char *unit);
gboolean      es_verdict_state_find     (const char *name, EsVerdictState *state);

/* Of a number that is known to others than the column's. */
void          es_table_set_digits       (EsTable *self, guint row, guint column, int digits);
/* What stands at a cell that needs a word more: "a", of a footnote. NULL: nothing. */
void          es_table_set_mark         (EsTable *self, guint row, guint column, const char *mark);
gboolean      es_table_column_is_text   (EsTable *self, guint column);
int           es_table_get_column_digits (EsTable *self, guint column);              /* as it was added */

G_END_DECLS
