/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <cairo.h>
#include <gdk/gdk.h>

G_BEGIN_DECLS

/*
 * A plot drawn with cairo and pango: axes with round ticks and units, series as lines, bars or stems, gaps at NAN, a
 * second axis on the right, draggable vertical or horizontal markers, a cursor. The same object draws the widget and
 * the PDF, SVG and PNG that are saved. Not a widget. Signals: "changed": draw again; "saved": it is about to be, and
 * whoever knows what it is of says so (es_plot_set_caption ()).
 */
#define ES_TYPE_PLOT (es_plot_get_type ())
G_DECLARE_FINAL_TYPE (EsPlot, es_plot, ES, PLOT, GObject)

/* The last three are marks without a line: they differ in shape, and what they are called stands beside them
 * (es_plot_set_labels ()). */
typedef enum { ES_PLOT_LINE, ES_PLOT_BARS, ES_PLOT_STEM, ES_PLOT_DOTS, ES_PLOT_SQUARES, ES_PLOT_DIAMONDS } EsPlotStyle;
typedef enum { ES_PLOT_PDF, ES_PLOT_SVG, ES_PLOT_PNG } EsPlotFormat;

/* What follows the style of the desktop; es_plot_colors_print is black on white. */
typedef struct
{
  GdkRGBA foreground, background, grid, accent;
  GdkRGBA series[6];           /* distinguishable without colour vision; lines also differ in dash */
  gboolean opaque;             /* paint the background */
} EsPlotColors;
extern const EsPlotColors es_plot_colors_print, es_plot_colors_light, es_plot_colors_dark;

EsPlot     *es_plot_new            (void);
/* Plots, and whatever else sets texts like theirs, have the desktop's font once there is one; new plots see to it. */
void        es_plot_use_desktop_font (void);
void        es_plot_clear          (EsPlot *self);                     /* series, markers; axes stay */
void        es_plot_set_title      (EsPlot *self, const char *title);  /* drawn when saved, spoken by the widget */
const char *es_plot_get_title      (EsPlot *self);
/* Above what is saved, in the place of the title: what it is of, and a smaller line or more. Both are nullable. */
void        es_plot_set_caption    (EsPlot *self, const char *heading, const char *words);
void        es_plot_set_x_axis     (EsPlot *self, const char *title, const char *unit);
void        es_plot_set_y_axis     (EsPlot *self, const char *title, const char *unit, gboolean logarithmic);
void        es_plot_set_right_axis (EsPlot *self, const char *title, const char *unit, double minimum, double maximum);
void        es_plot_remove_right_axis (EsPlot *self);
/* How the x axis is divided: evenly at first; by decades; by powers of two, whose ticks are "4 KiB" where the unit is
 * "B". What is not positive has no place on the latter. */
typedef enum { ES_PLOT_X_LINEAR, ES_PLOT_X_DECADES, ES_PLOT_X_BINARY } EsPlotXDivision;
void        es_plot_set_x_division (EsPlot *self, EsPlotXDivision division);
EsPlotXDivision es_plot_get_x_division (EsPlot *self);
/* Limits; NAN: from the data. */
void        es_plot_set_x_range    (EsPlot *self, double minimum, double maximum);
void        es_plot_set_y_range    (EsPlot *self, double minimum, double maximum);
/* What is seen of an axis, whatever its limits are; NAN: all of it. The right axis goes along with the left one. */
void        es_plot_set_x_seen     (EsPlot *self, double from, double to);
void        es_plot_set_y_seen     (EsPlot *self, double from, double to);
/* FALSE: all of it is, and nothing is written. */
gboolean    es_plot_get_x_seen     (EsPlot *self, double *from, double *to);
gboolean    es_plot_get_y_seen     (EsPlot *self, double *from, double *to);
/* How the left axis is divided: as whoever made the plot says, or as a person wants it. All of it is seen again. */
typedef enum { ES_PLOT_AS_MADE, ES_PLOT_LINEAR, ES_PLOT_LOGARITHMIC } EsPlotDivision;
void        es_plot_set_division   (EsPlot *self, EsPlotDivision division);
gboolean    es_plot_is_logarithmic (EsPlot *self);
/* Whether it can be: no value on the left axis is negative, one is positive, and no picture lies on it. */
gboolean    es_plot_can_be_logarithmic (EsPlot *self);
/* "Wavelength (nm)"; "" where it has no title. Transfer full. */
char       *es_plot_describe_axis  (EsPlot *self, gboolean vertical);
/* n points, copied. Returns the index of the series. Non-monotonic x is broken into separate runs. */
guint       es_plot_add_series     (EsPlot *self, const char *title, EsPlotStyle style, gboolean right_axis,
                                    guint n, const double *x, const double *y);
/* Other points in the place of a series', which keeps its style, colour and axis; its spans go. */
void        es_plot_set_points     (EsPlot *self, guint series, const char *title, guint n, const double *x,
                                    const double *y);
void        es_plot_set_highlight  (EsPlot *self, guint series, int index);   /* one bar or point; -1: none */
/* Drawn in a quiet grey: what is there but does not count. */
void        es_plot_set_muted      (EsPlot *self, guint series, gboolean muted);
/* It is what another series is, of something else, to be compared with it: of the same colour, thin and dashed; each
 * further one of that series otherwise. Lines that are compared with are not dashed. */
void        es_plot_set_beside     (EsPlot *self, guint series, guint other);
/* A colour of its own, whatever the style of the desktop: of a class, as it is drawn elsewhere too. NULL: none. */
void        es_plot_set_series_color (EsPlot *self, guint series, const GdkRGBA *color);
/* Veils between two lists of n values round a line, such as its deviation: slot 0 is drawn first. NULL: none. */
#define ES_PLOT_N_SPANS 2
void        es_plot_set_span       (EsPlot *self, guint series, guint slot, const double *low, const double *high);
/* A text beside each point, NULL: none; as many as it has points. Each stands where it covers no other text, and no
 * mark if that can be. NULL: none at all. */
void        es_plot_set_labels     (EsPlot *self, guint series, const char * const *labels);
/* The mark (ES_PLOT_DOTS ...) nearest to a point, within 14 px. FALSE: there is none. */
gboolean    es_plot_pick_point     (EsPlot *self, double px, double py, int width, int height, guint *series,
                                    guint *point);
guint       es_plot_get_n_series   (EsPlot *self);
const char *es_plot_get_series_title (EsPlot *self, guint series);     /* nullable */

/* What a series whose y is in decibels has within a band of the x axis, ends included. */
typedef struct
{
  guint  n;                    /* points */
  double mean, highest, where; /* dB of the mean of their powers; the highest, and its x */
} EsPlotLevels;
/* FALSE: there are no points, and nothing is said of them. */
gboolean    es_plot_measure_levels (EsPlot *self, guint series, double from, double to, EsPlotLevels *levels);

/*
 * A picture under the series, on the axes: covers x_from .. x_to and y_from .. y_to of the left axis, both linear, its
 * first row at y_to; every sample a square as it is. slot 0 is drawn first, slot 1 over it. Kept; NULL: none.
 */
#define ES_PLOT_N_IMAGES 2
void        es_plot_set_image      (EsPlot *self, guint slot, cairo_surface_t *image, double x_from, double x_to,
                                    double y_from, double y_to);
/* Values of the x axis and the left axis at a point, and where they are drawn. FALSE: outside of the axes. */
gboolean    es_plot_values_at      (EsPlot *self, double px, double py, int width, int height, double *x, double *y);
gboolean    es_plot_point_of       (EsPlot *self, double x, double y, int width, int height, double *px, double *py);
/* What lies inside of the axes. FALSE: there is nothing to draw. */
gboolean    es_plot_get_area       (EsPlot *self, int width, int height, cairo_rectangle_t *area);

/* Markers: lines across the plot that can be dragged. horizontal: a value of the right axis if there is one, else of
 * the left. Returns the marker's index. label may be NULL. */
guint       es_plot_add_marker     (EsPlot *self, gboolean horizontal, double value, const char *label,
                                    gboolean draggable);
void        es_plot_set_marker     (EsPlot *self, guint marker, double value, const char *label);
double      es_plot_get_marker     (EsPlot *self, guint marker);
guint       es_plot_get_n_markers  (EsPlot *self);
/* The draggable marker within 6 px of a point; -1: none. */
int         es_plot_pick_marker    (EsPlot *self, double px, double py, int width, int height);
/* What value a marker would get at this point. */
double      es_plot_marker_value_at (EsPlot *self, guint marker, double px, double py, int width, int height);

/* The cursor: a vertical line at the data point nearest to x, with the read-out of every series; NAN: none. */
void        es_plot_set_cursor     (EsPlot *self, double x);
double      es_plot_get_cursor     (EsPlot *self);                     /* NAN: none */
/* Whether the read-out stands beside the cursor, and the legend above the plot on the screen; they do unless a list
 * beside it tells both. */
void        es_plot_set_read_out   (EsPlot *self, gboolean shown);
void        es_plot_set_screen_legend (EsPlot *self, gboolean shown);
/* The legend names every series where there is more than one, in rows above the plot: those that there is room for and
 * how many there are besides, all of them, or none but their number. What is saved names all of them. */
typedef enum { ES_PLOT_LEGEND_FITTING, ES_PLOT_LEGEND_ALL, ES_PLOT_LEGEND_FOLDED } EsPlotLegend;
void        es_plot_set_legend     (EsPlot *self, EsPlotLegend legend);
EsPlotLegend es_plot_get_legend    (EsPlot *self);
/* Whether a point lies in the rows of the legend; how many series it does not name (nullable). */
gboolean    es_plot_pick_legend    (EsPlot *self, double px, double py, int width, int height, guint *n_unnamed);
double      es_plot_x_at           (EsPlot *self, double px, int width, int height);
/* "1023.4 nm: 0.213, 0.180": the cursor's read-out. NULL without cursor. Transfer full. */
char       *es_plot_read_out       (EsPlot *self);

void        es_plot_draw           (EsPlot *self, cairo_t *cr, int width, int height, const EsPlotColors *colors);
/* The same without its cursor: a picture that is kept. */
void        es_plot_draw_still     (EsPlot *self, cairo_t *cr, int width, int height, const EsPlotColors *colors);
/* Writes beside the target and renames. width x height in points (PDF, SVG) or pixels at scale 2 (PNG). */
gboolean    es_plot_save           (EsPlot *self, GFile *target, EsPlotFormat format, int width, int height,
                                    GError **error);
/* Tab-separated, header row: "copy data". Transfer full. */
char       *es_plot_to_text        (EsPlot *self);

G_END_DECLS
