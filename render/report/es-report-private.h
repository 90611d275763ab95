/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "cube/es-cube.h"
#include "layer/es-curve.h"
#include "layer/es-matrix.h"
#include "plot/es-plot.h"
#include "es-report.h"

G_BEGIN_DECLS

/* ---- text: es-report-html.c ---- */

/* Appends text with everything that HTML would take for itself replaced; what is not UTF-8 becomes U+FFFD. */
void   es_report_append_text    (GString *page, const char *text);
/* "<tag>text</tag>"; attributes may be NULL and are not escaped. */
void   es_report_append_element (GString *page, const char *tag, const char *attributes, const char *text);
/* A row of two cells; changed: set off from the others. */
void   es_report_append_fact    (GString *page, const char *title, const char *value, gboolean changed);
/* At most 200 rows, and it says so. */
void   es_report_append_table   (GString *page, EsTable *table);
/* The part before the first section, with the style. */
void   es_report_begin_page     (GString *page, const char *title);
/* The title of a section. */
void   es_report_begin_section  (GString *page, const char *title);

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
