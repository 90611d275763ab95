/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "es-histogram-canvas.h"

G_BEGIN_DECLS

#define MAP_HEIGHT   8          /* the strip that shows the mapping */
#define HANDLE       6          /* half the width of a handle's grip */
#define TEXT_HEIGHT  16

typedef enum { GRIP_NONE, GRIP_LOW, GRIP_HIGH } Grip;

struct _EsHistogramCanvas
{
  GtkWidget  parent_instance;

  EsPicture *picture;
  guint      plane;
  gboolean   apart;              /* each plane is of something else: drawn alone */

  Grip       grip;
  double     grip_offset;        /* pixels between pointer and handle when it was taken */
  double     range[2];           /* fixed while a handle is dragged */
  double     seen[2];            /* of the values; NAN: all */
  double     top;                /* of the counts, where the height ends: 1 is the fullest */
  gboolean   linear;             /* and not logarithmic: the counts */
};

/* es-histogram-canvas.c */
double   _es_histogram_width  (EsHistogramCanvas *self);
double   _es_histogram_value_at  (EsHistogramCanvas *self, double x, double minimum, double maximum);

/* es-histogram-canvas-zoom.c: the height of the counts, in pixels */
double   _es_histogram_height (EsHistogramCanvas *self);
/* How high a share of the fullest count stands, and back: 0 and 1 are the same in both. */
double   _es_histogram_level_of (EsHistogramCanvas *self, double share);
double   _es_histogram_share_at (EsHistogramCanvas *self, double level);
void     _es_histogram_add_zoom    (EsHistogramCanvas *self);
/* A shortcut: the ranges. */
gboolean _es_histogram_on_menu     (GtkWidget *widget, GVariant *unused, gpointer user_data);

G_END_DECLS
