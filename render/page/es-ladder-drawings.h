/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "es-drawing.h"
#include "ladder/es-ladder-climb.h"

G_BEGIN_DECLS

#define ES_LADDER_DRAWING_WIDTH 760.0

/* Times of all rungs as bars on a logarithmic axis, published ones as marks. NULL: nothing was measured. */
EsDrawing *es_ladder_draw_bars     (const EsLadderClimb *climb);
/* Rungs as points below what memory and arithmetic allow. NULL: nothing is known of that. */
EsDrawing *es_ladder_draw_roofline (const EsLadderClimb *climb);
/* Times by the threads of a block, published ones as marks. NULL: they were not swept. */
EsDrawing *es_ladder_draw_threads  (const EsLadderClimb *climb);
/* The page of a PDF: title, size, bars, roofline and numbers. */
EsDrawing *es_ladder_draw_page     (const EsLadderClimb *climb);

/* "269.4 ms"; "–". Transfer full. */
char      *es_ladder_show          (double value, const char *unit);

G_END_DECLS
