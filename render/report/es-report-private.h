/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "cube/es-cube.h"
#include "layer/es-curve.h"
#include "layer/es-matrix.h"
#include "page/es-markup.h"
#include "plot/es-plot.h"
#include "es-report.h"

G_BEGIN_DECLS

/* ---- es-report-components.c ---- */

/* The first image stack of a result. Nullable, borrowed. */
EsImageStack *es_report_find_stack (EsResult *result);
/* Its planes, the first ES_REPORT_PICTURES of them. */
gboolean es_report_append_pictures (GString *page, EsImageStack *stack, GCancellable *cancellable, GError **error);
/* Every curve and matrix of a result, then its tables. */
gboolean es_report_append_plots (GString *page, EsResult *result, GCancellable *cancellable, GError **error);
/* Its pictures, what is known of each component, and every plot. */
gboolean es_report_append_components (GString *page, EsResult *result, GCancellable *cancellable, GError **error);

/* ---- es-report-beams.c ---- */

/* The section of numbers of a run of beams; nothing of any other result. */
void   es_report_append_beams   (GString *page, EsResult *result);

/* ---- pictures: es-report-picture.c ---- */

/* <figure> of a plane with its stretch; the caption is text. */
gboolean es_report_append_plane (GString *page, EsImageStack *stack, guint plane, const char *caption,
                                 GCancellable *cancellable, GError **error);
/* The composite that a cube opens with. */
gboolean es_report_append_scene (GString *page, EsCube *cube, GCancellable *cancellable, GError **error);
/* <figure> of a plot; cancelled by nothing: it takes a moment. */
gboolean es_report_append_curve (GString *page, EsCurve *curve, GError **error);
gboolean es_report_append_matrix (GString *page, EsMatrix *matrix, GError **error);

G_END_DECLS
