/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "layer/es-curve.h"
#include "plot/es-plot.h"

G_BEGIN_DECLS

/*
 * The plot of a curve that something is found by: a residual, iteration by iteration, and below it the tolerance that
 * it has to reach (NAN: there is none), as a line of its own. Transfer full.
 */
EsPlot *es_matrix_residual_plot_new    (EsCurve *curve, double tolerance);
/* The same plot of a curve that has grown, of as many series. */
void    es_matrix_residual_plot_follow (EsPlot *plot, EsCurve *curve, double tolerance);

G_END_DECLS
