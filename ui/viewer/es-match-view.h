/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtk/gtk.h>

#include "charts/es-matrix-view.h"

G_BEGIN_DECLS

/*
 * How every plane of one picture is correlated with every plane of another: the matrix, and the pairs that belong
 * together, best first in their own list. Computed on a worker while a spinner turns.
 * Signal: "pair-activated" (guint row, guint column).
 */
#define ES_TYPE_MATCH_VIEW (es_match_view_get_type ())
G_DECLARE_FINAL_TYPE (EsMatchView, es_match_view, ES, MATCH_VIEW, GtkWidget)

GtkWidget    *es_match_view_new        (void);
/* EsImageStack or EsCube, of one width and height; the titles are translated. What is there already for the same two
 * stays. */
void          es_match_view_compute    (EsMatchView *self, GObject *rows, const char *rows_title, GObject *columns,
                                        const char *columns_title);
void          es_match_view_cancel     (EsMatchView *self);
gboolean      es_match_view_is_busy    (EsMatchView *self);
EsMatrixView *es_match_view_get_matrix_view (EsMatchView *self);
guint         es_match_view_get_n_matches (EsMatchView *self);

G_END_DECLS
