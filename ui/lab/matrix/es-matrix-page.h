/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtk/gtk.h>

#include "job/es-job.h"
#include "matrix/es-sparse-matrix.h"

G_BEGIN_DECLS

/*
 * The page of a matrix: what it is and what that means, where its nonzeros lie, how long its rows are; or what an
 * operation has found of it. Action that it offers: "win.matrix-back".
 */
#define ES_TYPE_MATRIX_PAGE (es_matrix_page_get_type ())
G_DECLARE_FINAL_TYPE (EsMatrixPage, es_matrix_page, ES, MATRIX_PAGE, GtkWidget)

GtkWidget  *es_matrix_page_new        (void);
/* result NULL: the matrix; matrix NULL: nothing. */
void        es_matrix_page_show       (EsMatrixPage *self, EsSparseMatrix *matrix, EsResult *result);
/* What runs on the matrix that is shown, above all else; NULL: nothing does. It goes by itself when it has ended. */
void        es_matrix_page_set_job    (EsMatrixPage *self, EsJob *job);
EsResult   *es_matrix_page_get_result (EsMatrixPage *self);        /* borrowed, nullable */
/* Scrolls to what shows a layer; NULL: to the top. */
void        es_matrix_page_seek       (EsMatrixPage *self, EsLayer *layer);
/* All of it as it would be were the window as high as it: a picture. NULL: it is not on the screen. Transfer full. */
GdkTexture *es_matrix_page_render     (EsMatrixPage *self);

G_END_DECLS
