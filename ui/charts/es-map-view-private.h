/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "es-map-view.h"

G_BEGIN_DECLS

#define ES_MAP_MAX_LINES 32

typedef enum { ES_MAP_VALUES, ES_MAP_NAMES, ES_MAP_TIMES } EsMapRows;

typedef struct
{
  char   *title, *unit;
  guint   n;
  double *values;
} EsMapAxis;

struct _EsMapView
{
  GtkWidget     parent_instance;

  EsHeatmap    *map;
  int           natural_height;
  EsMapAxis     x, y;
  EsMapRows     rows;
  char        **names;
  guint         apart;           /* a space below this row; 0: none */
  EsMapTime     time;
  gpointer      time_data;
  double        top, bottom;     /* of moments */
  char         *unit, *message;

  double        cursor_column, cursor_row;
  double        lines[ES_MAP_MAX_LINES];
  guint         n_lines;
  gboolean      draggable;
  double       *peaks;
  guint         n_peaks;
  guint         n_track_points;
  double       *track_columns, *track_rows;
  guint        *track_numbers;
  double        mark_column, mark_row;
  EsMapDescribe describe;
  gpointer      describe_data;

  gboolean      has_pointer;
  double        pointer_x, pointer_y;
  gboolean      picking;
  int           dragged;         /* line; -1: none */

  GdkGLContext *context;         /* nullable: the CPU draws */
  gboolean      context_tried;
  GdkTexture   *textures[2];     /* of the map, and of the rows set apart; NULL: to be rendered */
  graphene_rect_t drawn;         /* the area they are of */
};

/* es-map-view-draw.c */
#define ES_MAP_GAP 6             /* pixels between rows that are set apart */

typedef struct
{
  graphene_rect_t area;          /* of the map, whole device pixels */
  int    line;                   /* height of a line of text */
  int    left;                   /* what the labels of the rows take */
  gboolean title;                /* there is room for the title below */
} EsMapLayout;

gboolean _es_map_view_get_layout   (EsMapView *self, EsMapLayout *layout);
/* Where rows lie: what is above the gap, or all of it. */
double   _es_map_view_row_to_pixel (EsMapView *self, const graphene_rect_t *area, double row);
double   _es_map_view_pixel_to_row (EsMapView *self, const graphene_rect_t *area, double y);
void     _es_map_view_snapshot     (GtkWidget *widget, GtkSnapshot *snapshot);

G_END_DECLS
