/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/*
 * A field on axes, as whoever draws one has it: compute knows no cairo, and asks the program for a function that does.
 * Nothing of compute is called by it, so that it may lie in a module.
 */
#define ES_FIGURE_ABI 1

typedef struct
{
  const char   *title, *unit;  /* "Bearing", "°"; nullable, both */
  guint         n;             /* values: of the field, not of the cells; 0: none */
  const double *values;
  guint         step, factor;  /* so many values in a cell; so many pixels a cell */
  gboolean      is_time;       /* seconds from the beginning */
} EsFigureAxis;

typedef struct
{
  guint         abi;
  const char   *title, *caption, *scale;     /* scale: "dB re 1 µPa²", what the values are */
  GDateTime    *start;         /* nullable: when it began, in the zone that clocks are to show */
  EsFigureAxis  x, y;
  guint         columns, rows; /* cells */
  const float  *cells;         /* 0..1 between low and high, the first row below; NAN: missing */
  double        low, high;     /* NAN: there is no value at all */
} EsFigure;

typedef struct
{
  guint    width, height;
  guint32 *pixels;             /* 0xRRGGBB, opaque; g_free () */
} EsFigureImage;

/* FALSE: it cannot, and the picture is written without axes. From any thread. */
typedef gboolean (*EsFigureDraw) (const EsFigure *figure, EsFigureImage *image);

/* Before the first picture; NULL: none have axes. */
void     es_figure_set_draw (EsFigureDraw draw);
gboolean es_figure_draw     (const EsFigure *figure, EsFigureImage *image);

G_END_DECLS
