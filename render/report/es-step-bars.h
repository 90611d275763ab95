/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "lab/es-comparison.h"
#include "plot/es-plot.h"

G_BEGIN_DECLS

/*
 * A comparison of devices as bars, as far as it has come. Stacked: a bar a contestant, its steps one behind the other
 * on a linear axis of time, with the total, its spread and the speed-up. Grouped: a group a step, a bar a contestant
 * in it, on a logarithmic axis, where steps that differ a thousandfold can all be read.
 */
typedef enum { ES_STEP_BARS_STACKED, ES_STEP_BARS_GROUPED } EsStepBarsStyle;

/* Bars of anything else that takes its steps: ways to do the same. Borrowed; n_rows x n_steps times in ms, row by row,
 * NAN where there is none. */
typedef struct
{
  guint               n_rows, n_steps;
  const char * const *titles;        /* of the rows */
  const char * const *step_titles;
  const double       *ms;
  const double       *totals;        /* a row */
  const char * const *notes;         /* a row's, where it has no total; may be NULL, each and all */
} EsStepBarsRows;

int      es_step_bars_get_rows_height (const EsStepBarsRows *rows, EsStepBarsStyle style);
void     es_step_bars_draw_rows  (const EsStepBarsRows *rows, EsStepBarsStyle style, cairo_t *cr, int width, int height,
                                  const EsPlotColors *colors);

/* What all bars need at their ordinary thickness. */
int      es_step_bars_get_height (EsComparison *comparison, EsStepBarsStyle style);
void     es_step_bars_draw       (EsComparison *comparison, EsStepBarsStyle style, cairo_t *cr, int width, int height,
                                  const EsPlotColors *colors);
/* As es_plot_save (). */
gboolean es_step_bars_save       (EsComparison *comparison, EsStepBarsStyle style, GFile *target, EsPlotFormat format,
                                  int width, int height, GError **error);
/* "1.24 s", "38 ms", "0.42 ms"; "–" for NAN. Transfer full. */
char    *es_step_bars_format_ms  (double ms);

G_END_DECLS
