/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "axes/es-plot-internal.h"
#include "es-plot.h"

G_BEGIN_DECLS

#define ES_PLOT_FOLD_WIDTH 14  /* of the arrow that folds the legend */

typedef struct
{
  char *title;
  EsPlotStyle style;
  gboolean right_axis;
  guint n;
  double *x, *y;
  double *low[ES_PLOT_N_SPANS], *high[ES_PLOT_N_SPANS];      /* NULL: no span */
  int highlight;               /* -1: none */
  char **labels;               /* n of them, each nullable; NULL: none */
  gboolean muted;
  int beside;                  /* the series that it is compared with; -1: none */
  gboolean has_color;
  GdkRGBA color;
} EsPlotSeries;

typedef struct
{
  gboolean horizontal, draggable;
  double value;
  char *label;
} EsPlotMarker;

typedef struct
{
  char *title, *unit;
  double minimum, maximum;     /* NAN: from the data */
  double seen[2];              /* NAN: all */
  gboolean logarithmic, made_logarithmic;
} EsPlotAxis;

typedef struct
{
  cairo_surface_t *surface;    /* NULL: none */
  double x_from, x_to, y_from, y_to;
} EsPlotImage;

typedef struct
{
  guint series;
  double x, y, width;          /* the swatch and its label */
} EsPlotLegendItem;

/* Everything about a plot of one size that does not depend on colours, cursor or marker values. */
typedef struct
{
  int width, height;
  gboolean saved;              /* for a file: with the title, without cursor and handles */
  gboolean empty, compact;
  double font_size, text_height;
  EsPlotRect plot;             /* inside the axes */
  EsPlotScale x, left, right;
  EsPlotTicks x_ticks, left_ticks, right_ticks;
  char *x_title, *left_title, *right_title;      /* with unit and factor; NULL: not drawn */
  double title_baseline, words_top, header_top, x_title_top;
  GArray *legend;              /* EsPlotLegendItem */
  guint n_legend, n_legend_hidden;
  double legend_top, legend_bottom;
  double legend_more_x, legend_more_y;
  double bar_spacing;          /* smallest distance of two bars, in x; 0: no bars */
} EsPlotLayout;

struct _EsPlot
{
  GObject parent_instance;

  char *title;
  char *heading, *words;       /* above what is saved; nullable */
  EsPlotAxis x_axis, left_axis, right_axis;
  gboolean has_right_axis;
  GPtrArray *series;           /* EsPlotSeries */
  GArray *markers;             /* EsPlotMarker */
  EsPlotImage images[ES_PLOT_N_IMAGES];
  double cursor;               /* of a data point; NAN: none */
  gboolean no_read_out, legend_elsewhere;
  EsPlotLegend legend;
  EsPlotDivision division;
  EsPlotXDivision x_division;

  EsPlotLayout *layout;        /* of the last size asked for; NULL: out of date */
};

/* es-plot.c: it is drawn again. Cursor and markers move often and change nothing about axes and texts: layout FALSE. */
void          es_plot_changed          (EsPlot *self, gboolean layout);
/* es-plot.c: it is drawn again, with other places of what it consists of. */
void          es_plot_place_again      (EsPlot *self);
/* es-plot-seen.c: what is seen of the axes, in the place of all. */
void          es_plot_layout_see       (EsPlotLayout *self, EsPlot *plot);

/* es-plot-x.c: the x axis where it is not divided evenly */
/* How far apart two of its values are drawn, in any unit. */
double        es_plot_x_distance       (EsPlot *self, double a, double b);
/* "1023.4 nm", "4 KiB". Transfer full. */
char         *es_plot_format_x         (EsPlot *self, double x);
/* The unit that stands in the axis' title; NULL: it has none, or the labels have it. */
const char   *es_plot_get_x_title_unit (EsPlot *self);

/* es-plot-extent.c: what the data and the axes say; the pixels are not set. */
void          es_plot_layout_find_scales (EsPlotLayout *self, EsPlot *plot);

/* es-plot-layout.c */
/* Of what stands above a plot that is saved; NULL: nothing. */
const char   *es_plot_get_heading      (EsPlot *self);
PangoLayout  *es_plot_make_words       (EsPlot *self, cairo_t *cr, int width, double font_size);
EsPlotLayout *es_plot_layout_new       (EsPlot *plot, int width, int height, double font_size, gboolean saved);
void          es_plot_layout_free      (EsPlotLayout *self);
/* The cached one of the screen. */
const EsPlotLayout *es_plot_get_layout (EsPlot *plot, int width, int height);
const EsPlotScale *es_plot_layout_get_scale (const EsPlotLayout *self, EsPlot *plot, const EsPlotSeries *series);
const EsPlotScale *es_plot_layout_marker_scale (const EsPlotLayout *self, EsPlot *plot, const EsPlotMarker *marker);

/* es-plot-series.c */
gboolean      es_plot_point_is_valid   (const EsPlotScale *y_scale, const EsPlotScale *x_scale,
                                        const EsPlotSeries *series, guint i);
void          es_plot_draw_series      (EsPlot *plot, cairo_t *cr, const EsPlotLayout *layout, guint index,
                                        const EsPlotColors *colors);
void          es_plot_draw_spans       (EsPlot *plot, cairo_t *cr, const EsPlotLayout *layout, guint index,
                                        const EsPlotColors *colors);
/* A swatch as the legend has it. */
void          es_plot_draw_swatch      (EsPlot *plot, cairo_t *cr, guint index, double x, double y, double size,
                                        const EsPlotColors *colors);
GdkRGBA       es_plot_series_color     (EsPlot *plot, guint index, const EsPlotColors *colors);
/* The point of a series at the cursor, or -1. */
int           es_plot_find_point       (EsPlot *plot, const EsPlotSeries *series, double x);

gboolean      es_plot_has_marks        (const EsPlotSeries *series);

/* es-plot-labels.c */
void          es_plot_clear_labels     (EsPlotSeries *series);
void          es_plot_draw_point_labels (EsPlot *plot, cairo_t *cr, const EsPlotLayout *layout,
                                        const EsPlotColors *colors);

/* es-plot-image.c */
void          es_plot_draw_images      (EsPlot *plot, cairo_t *cr, const EsPlotLayout *layout);

/* es-plot-marks.c */
void          es_plot_draw_markers     (EsPlot *plot, cairo_t *cr, const EsPlotLayout *layout,
                                        const EsPlotColors *colors);
void          es_plot_draw_cursor      (EsPlot *plot, cairo_t *cr, const EsPlotLayout *layout,
                                        const EsPlotColors *colors);

/* es-plot-draw.c */
void          es_plot_draw_with        (EsPlot *plot, cairo_t *cr, const EsPlotLayout *layout,
                                        const EsPlotColors *colors);

G_END_DECLS
