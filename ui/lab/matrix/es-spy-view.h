/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtk/gtk.h>

#include "matrix/es-matrix-window.h"

G_BEGIN_DECLS

/*
 * Where the nonzeros of a matrix lie: counted in as many cells as there are device pixels, on a worker of which only
 * the newest question matters. Below it is told what is seen, and what lies under the pointer. A drag selects what is
 * seen, a double click shows the whole; + and - zoom, the arrow keys move, 0 shows the whole.
 *
 * Actions: spy.in, spy.out, spy.whole. Signal "drawn": the picture is that of what is seen now.
 */
#define ES_TYPE_SPY_VIEW (es_spy_view_get_type ())
G_DECLARE_FINAL_TYPE (EsSpyView, es_spy_view, ES, SPY_VIEW, GtkWidget)

/* natural_height: of the picture and what is told below it. */
GtkWidget *es_spy_view_new        (EsSparseMatrix *matrix, int natural_height);
/* How high picture and words are, and how wide they are at least. */
void       es_spy_view_set_size   (EsSpyView *self, int width, int height);
/* What is seen, cut to the matrix; NULL: all of it. */
void       es_spy_view_set_window (EsSpyView *self, const EsMatrixWindow *window);
const EsMatrixWindow *es_spy_view_get_window (EsSpyView *self);
/* Nothing is being counted, and what was is shown. */
gboolean   es_spy_view_is_drawn   (EsSpyView *self);
/* "Rows 17 to 32, columns 1 to 16: 48 nonzeros" at a point of the picture; NULL: outside. Transfer full. */
char      *es_spy_view_describe   (EsSpyView *self, double x, double y);
/* As a picture, without what follows the pointer; NULL: nothing has been drawn. Borrowed. */
GdkTexture *es_spy_view_get_texture (EsSpyView *self);

G_END_DECLS
