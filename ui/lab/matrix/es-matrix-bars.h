/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* One bar: a name, and how long it is of what is possible. */
typedef struct
{
  const char *name;
  double      value;             /* NAN: there is none, and why stands in its place */
  const char *text;              /* what is written behind it; nullable: the value */
  gboolean    marked;            /* it is the one that is chosen */
} EsMatrixBar;

/*
 * Bars below each other, in the scale of the largest value or of the limit (NAN: there is none), which is a line that
 * is named; one that lies far beyond all of them is not drawn. unit: of the values, nullable. Copies what it is given.
 */
#define ES_TYPE_MATRIX_BARS (es_matrix_bars_get_type ())
G_DECLARE_FINAL_TYPE (EsMatrixBars, es_matrix_bars, ES, MATRIX_BARS, GtkWidget)

GtkWidget *es_matrix_bars_new      (guint n, const EsMatrixBar *bars, const char *unit, double limit,
                                    const char *limit_name, const char *marked_name);
/* What each says, a line a bar: "SELL-C-sigma: 12.3 GB/s, chosen". Transfer full. */
char      *es_matrix_bars_to_text  (EsMatrixBars *self);

G_END_DECLS
