/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <adwaita.h>

#include "lab/es-comparison.h"

G_BEGIN_DECLS

/*
 * Runs one operation on each device in turn and draws what every step takes, beside what has been published. Closing
 * it cancels what runs. The comparison that is given may have been run before: what it found is shown.
 */
#define ES_TYPE_COMPARISON_DIALOG (es_comparison_dialog_get_type ())
G_DECLARE_FINAL_TYPE (EsComparisonDialog, es_comparison_dialog, ES, COMPARISON_DIALOG, AdwWindow)

GtkWidget    *es_comparison_dialog_new     (GtkWindow *parent, EsComparison *comparison);
EsComparison *es_comparison_dialog_get_comparison (EsComparisonDialog *self);
/* What the buttons do. */
void          es_comparison_dialog_run     (EsComparisonDialog *self);
void          es_comparison_dialog_cancel  (EsComparisonDialog *self);
gboolean      es_comparison_dialog_is_running (EsComparisonDialog *self);

G_END_DECLS
