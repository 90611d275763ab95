/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtk/gtk.h>

#include "plot/es-plot.h"
#include "result/es-result.h"

G_BEGIN_DECLS

/*
 * How well the kept components give the spectra back: totals, RMSE and SNR of every band, and buttons that show the
 * maps and the residual. Computes nothing itself.
 *
 * Signals: "compute" (): the person asks for it; "show-layer" (EsLayer *layer, guint plane): of the reconstruction.
 */
#define ES_TYPE_RECONSTRUCTION_PANE (es_reconstruction_pane_get_type ())
G_DECLARE_FINAL_TYPE (EsReconstructionPane, es_reconstruction_pane, ES, RECONSTRUCTION_PANE, GtkWidget)

GtkWidget *es_reconstruction_pane_new        (void);
/* The result of operation "reconstruct"; NULL: none yet. */
void       es_reconstruction_pane_set_result (EsReconstructionPane *self, EsResult *reconstruction);
EsResult  *es_reconstruction_pane_get_result (EsReconstructionPane *self);
/* What is shown is being computed anew. */
void       es_reconstruction_pane_set_busy   (EsReconstructionPane *self, gboolean busy);
EsPlot    *es_reconstruction_pane_get_plot   (EsReconstructionPane *self);
/* "RMSE 0.0021": for the heading; NULL where there is nothing. Transfer full. */
char      *es_reconstruction_pane_describe   (EsReconstructionPane *self);

G_END_DECLS
