/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-figure.h"

static EsFigureDraw draw_figure;

void
es_figure_set_draw (EsFigureDraw draw)
{
  draw_figure = draw;
}

gboolean
es_figure_draw (const EsFigure *figure, EsFigureImage *image)
{
  return draw_figure != NULL && draw_figure (figure, image);
}
