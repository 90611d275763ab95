/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "layer/es-curve.h"
#include "plot/es-plot.h"

G_BEGIN_DECLS

/* A plot of a whole curve layer, with its axes, units and threshold: what is saved. Transfer full; any thread. */
EsPlot *es_curve_plot_new (EsCurve *curve);

G_END_DECLS
