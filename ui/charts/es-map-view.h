/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtk/gtk.h>

#include "picture/es-heatmap.h"

G_BEGIN_DECLS

/*
 * A heat map on axes: ticks, a colour legend with its unit, the cursor, marks, and a read-out of what is under the
 * pointer. Columns and rows are counted in those of the heat map; the middle of column k is k + 0.5.
 *
 * Ctrl and the wheel zoom the rows, with Shift the columns; Shift and the wheel, or a drag with the middle button, move
 * what is in view; 0, or a double click beside the map, brings all of it back. Shift and a drag measure a rectangle,
 * Z zooms to it.
 *
 * Signals: "picked" (double column, double row, guint n_press): a click, a drag; "stepped" (int columns, int rows,
 * rightwards and downwards); "jumped" (int: -1 Home, 1 End); "scrolled" (double fraction of the view, downwards);
 * "zoomed" (double factor, double row: which stays; factor 0: to all of it); "dragged" (guint line, double column,
 * gboolean final); "selected" (double bottom, double top): between which rows a rectangle was drawn, NAN: it is gone.
 */
#define ES_TYPE_MAP_VIEW (es_map_view_get_type ())
G_DECLARE_FINAL_TYPE (EsMapView, es_map_view, ES, MAP_VIEW, GtkWidget)

GtkWidget  *es_map_view_new           (EsHeatmap *map, int natural_height);
EsHeatmap  *es_map_view_get_map       (EsMapView *self);

/* n values, copied, of the middles of the columns, monotonic. */
void        es_map_view_set_x_axis    (EsMapView *self, const char *title, const char *unit, guint n,
                                       const double *values);
/* The rows: values as above, the first one below; or names, the first one below, with a space below row `apart` (0:
 * none); or moments, whose time is asked for. */
void        es_map_view_set_y_values  (EsMapView *self, const char *title, const char *unit, guint n,
                                       const double *values);
void        es_map_view_set_y_names   (EsMapView *self, const char *title, const char *const *names, guint apart);
typedef double (*EsMapTime) (gpointer data, guint64 row);
void        es_map_view_set_y_times   (EsMapView *self, const char *title, EsMapTime time, gpointer data);
/* Of moments: they are written as a clock that began then, in its zone; NULL: as seconds. */
void        es_map_view_set_start     (EsMapView *self, GDateTime *start);
/* Of moments: which rows are in view; of all others it is all of them. */
void        es_map_view_set_rows      (EsMapView *self, double top, double bottom);
void        es_map_view_set_unit      (EsMapView *self, const char *unit);        /* of the values: "dB re 1 µPa²" */
/* Instead of the map: what to do while there is nothing to show; nullable. */
void        es_map_view_set_message   (EsMapView *self, const char *sentence);

double      es_map_view_column_of     (EsMapView *self, double value);            /* NAN: outside */
double      es_map_view_value_of      (EsMapView *self, double column);

/* The cursor: a line down at column, one across at row; NAN: none. */
void        es_map_view_set_cursor    (EsMapView *self, double column, double row);
/* Another line across, drawn weaker: what is heard while something else is looked at; NAN: none. */
void        es_map_view_set_now       (EsMapView *self, double row);
/* Further lines down, at most 32, drawn weaker, that may be dragged; peaks: triangles on the upper edge. */
void        es_map_view_set_lines     (EsMapView *self, guint n, const double *columns, gboolean draggable);
void        es_map_view_set_peaks     (EsMapView *self, guint n, const double *columns);
/* Ways over the map, from point to point, copied; a point of NAN ends one. A number is written beside its point; 0:
 * none. */
void        es_map_view_set_tracks    (EsMapView *self, guint n, const double *columns, const double *rows,
                                       const guint *numbers);
/* A ring round one cell; NAN: none. */
void        es_map_view_set_mark      (EsMapView *self, double column, double row);
/* "12:31  123.4°  61.2 dB": what lies there. Transfer full. */
typedef char *(*EsMapDescribe) (gpointer data, double column, double row);
void        es_map_view_set_describe  (EsMapView *self, EsMapDescribe describe, gpointer data);

/* What is under a rectangle that somebody draws with Shift held: its sentence; rows and columns of two corners, the
 * first ones the smaller. Transfer full. NULL: rectangles cannot be drawn. */
typedef char *(*EsMapMeasure) (gpointer data, double left, double right, double bottom, double top);
void        es_map_view_set_measure   (EsMapView *self, EsMapMeasure measure, gpointer data);
/* No rectangle is measured any more: it was of other rows or columns. */
void        es_map_view_clear_selection (EsMapView *self);
/* What was there before, seen in grey where values are missing; a row of the map is `factor` rows of it. NULL: none. */
void        es_map_view_set_under     (EsMapView *self, EsHeatmap *under, double factor);
/* Values at the ends of the x axis, whatever part of it is in view; NAN: there is none. */
void        es_map_view_get_x_ends    (EsMapView *self, double *first, double *last);

/* Where the map lies, in widget pixels. FALSE: there is no room. */
gboolean    es_map_view_get_area      (EsMapView *self, graphene_rect_t *area);
/* FALSE: beside the map. */
gboolean    es_map_view_pick          (EsMapView *self, double x, double y, double *column, double *row);

G_END_DECLS
