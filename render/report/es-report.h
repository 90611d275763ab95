/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "lab/es-comparison.h"
#include "result/es-result.h"

G_BEGIN_DECLS

/*
 * A result as one page for a lab notebook or a class: a single HTML file that needs nothing beside it (pictures as
 * PNG, plots as SVG inside it), black on white, made to be printed too, in the language of the program. It holds the
 * scene, the parameters that differ and those that do not, the components' pictures (at most 12, and it says so), the
 * plots, the components' numbers, what a reconstruction from them loses, the steps, a comparison of devices, warnings,
 * and the provenance with the command line that does it again. Everything that came from outside is escaped.
 */
#define ES_TYPE_REPORT (es_report_get_type ())
G_DECLARE_FINAL_TYPE (EsReport, es_report, ES, REPORT, GObject)

#define ES_REPORT_PICTURES 12

EsReport *es_report_new                (EsResult *result);
/* A result of "reconstruct" that was made from this one (nullable). */
void      es_report_set_reconstruction (EsReport *self, EsResult *reconstruction);
/* Copies what it says at this moment (nullable). */
void      es_report_set_comparison     (EsReport *self, EsComparison *comparison);
/* A paragraph by the person, under the title (nullable). */
void      es_report_set_note           (EsReport *self, const char *note);
/* "scene-pca-report.html": what a file chooser proposes. Transfer full. */
char     *es_report_suggest_name       (EsReport *self);

/* The page. Blocking, on any thread; reads the planes decimated. The errors of reading; cancelled. Transfer full. */
char     *es_report_make_html          (EsReport *self, GCancellable *cancellable, GError **error);
/* Writes it beside the target and renames. */
gboolean  es_report_save               (EsReport *self, GFile *target, GCancellable *cancellable, GError **error);
/* The same on a worker. */
void      es_report_save_async         (EsReport *self, GFile *target, GCancellable *cancellable,
                                        GAsyncReadyCallback callback, gpointer user_data);
gboolean  es_report_save_finish        (EsReport *self, GAsyncResult *result, GError **error);

G_END_DECLS
