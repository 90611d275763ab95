/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "es-spy-paint.h"
#include "es-spy-view.h"
#include "widgets/es-latest.h"

G_BEGIN_DECLS

/* What is asked of the worker. */
typedef struct
{
  EsSparseMatrix *matrix;
  EsMatrixWindow  window;
  guint           columns, rows;     /* pixels */
  gboolean        dark;
} EsSpyRequest;

/* What it answers: counts in cells, of which there are no more than rows and columns, and their picture. */
typedef struct
{
  guint32    *cells;
  guint       width, height;
  GdkTexture *texture;
} EsSpyAnswer;

struct _EsSpyView
{
  GtkWidget       parent_instance;

  EsSparseMatrix *matrix;
  EsMatrixWindow  window;            /* that is wanted */
  GtkWidget      *canvas;            /* what draws; borrowed as the next */
  GtkLabel       *told;              /* what is seen, or lies under the pointer */
  GtkWidget      *whole;             /* the button */

  EsLatest       *latest;
  EsSpyRequest    asked;             /* the newest question, without its matrix; columns 0: none yet */
  EsSpyAnswer     answer;            /* texture NULL: none yet */
  EsMatrixWindow  seen;              /* of the answer */
  char           *failure;           /* nullable */

  double          pointer_x, pointer_y;          /* on the canvas; NAN: elsewhere */
  graphene_rect_t selected;          /* while it is dragged; of no size: nothing is */
};

/* es-spy-view-input.c */
void _es_spy_view_add_input  (EsSpyView *self);
void _es_spy_view_add_actions (GtkWidgetClass *class);
/* es-spy-view.c: where the picture lies on the canvas. FALSE: there is none. */
gboolean _es_spy_view_get_area (EsSpyView *self, graphene_rect_t *area);
void     _es_spy_view_update_told (EsSpyView *self);

G_END_DECLS
