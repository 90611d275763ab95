/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "es-drawing.h"

G_BEGIN_DECLS

/* Axes of a drawing by powers of ten: from values, all above 0, to points by their logarithms. */
typedef struct
{
  double least, most;          /* values at its ends */
  double from, to;             /* where these are */
} EsDrawingScale;

typedef struct
{
  EsDrawingScale x, y;
} EsDrawingAxes;

double es_drawing_place    (const EsDrawingScale *scale, double value);
/* A line and a label at every power of ten. show: a value of y, transfer full. title: of x, below it. */
void   es_drawing_add_grid (EsDrawing *self, const EsDrawingAxes *axes, char *(*show) (double y), const char *title);

/* A line between two pairs of values. */
void   es_drawing_add_between (EsDrawing *self, const EsDrawingAxes *axes, double x, double y, double x2, double y2,
                               double width, guint32 color, gboolean dashed);

/* What both of them and what is drawn on them are written and ruled with. */
#define ES_DRAWING_INK 0x1a1a1a
#define ES_DRAWING_PALE 0xd0d0d0
#define ES_DRAWING_QUIET 0x666666
#define ES_DRAWING_LETTERS 12.0

G_END_DECLS
