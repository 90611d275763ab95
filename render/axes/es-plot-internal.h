/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <pango/pangocairo.h>

G_BEGIN_DECLS

/* What plots are drawn with, for other drawings of that look. */
typedef struct { double x, y, width, height; } EsPlotRect;

/* From values to pixels and back: `from` is where minimum lies, `to` where maximum does. */
typedef struct
{
  double minimum, maximum, from, to;
  gboolean logarithmic, whole; /* whole: ticks at integers only */
  gboolean binary, bytes;      /* logarithmic with ticks at powers of two; their labels are "4 KiB" */
} EsPlotScale;

typedef struct
{
  double value, pixel;
  char *label;                 /* NULL: a minor tick */
} EsPlotTick;

typedef struct
{
  GArray *ticks;               /* EsPlotTick, ascending */
  char *factor;                /* "×10⁴": what the labels are to be multiplied with; NULL: 1 */
} EsPlotTicks;

double        es_plot_scale_to_pixel   (const EsPlotScale *self, double value);
double        es_plot_scale_to_value   (const EsPlotScale *self, double pixel);
/* Round ticks (1, 2, 5 times a power of ten), at most max_ticks labelled ones; log: decades with minor ticks. */
EsPlotTicks   es_plot_ticks_new        (const EsPlotScale *scale, guint max_ticks);
void          es_plot_ticks_clear      (EsPlotTicks *self);
/* "−0.213", with digits significant figures; a real minus. Transfer full. */
char         *es_plot_format           (double value, int digits);
/* "4 KiB", "1.5 MiB", of what is told in bytes. Transfer full. */
char         *es_plot_format_bytes     (double value);

/* The family of all texts from now on; at first "Sans". */
void          es_plot_text_set_family  (const char *family);
/* Transfer full. */
PangoLayout  *es_plot_text_new         (cairo_t *cr, double font_size, gboolean bold, const char *text);
/* x, y: of the text's left (align 0), middle (0.5) or right (1) at its top. */
void          es_plot_draw_text        (cairo_t *cr, PangoLayout *text, double x, double y, double align);
void          es_plot_rounded_rect     (cairo_t *cr, EsPlotRect rect, double radius);

G_END_DECLS
