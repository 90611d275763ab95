/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "writers/es-figure.h"

G_BEGIN_DECLS

/* A field in viridis on axes with ticks, a colour scale, title and caption, black on white, missing values grey; the
 * same bytes every time. An EsFigureDraw; of the module it is the entry. FALSE: memory or every font is missing. */
#define ES_FIGURE_ENTRY "es_figure_draw_axes"
gboolean es_figure_draw_axes (const EsFigure *figure, EsFigureImage *image);

G_END_DECLS
