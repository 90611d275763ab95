/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtk/gtk.h>

#include "lab/es-comparison.h"

G_BEGIN_DECLS

/* What has been published about an operation, table by table, each with its hardware and source: a page of a dialog. */
#define ES_TYPE_PUBLISHED_PAGE (es_published_page_get_type ())
G_DECLARE_FINAL_TYPE (EsPublishedPage, es_published_page, ES, PUBLISHED_PAGE, GtkWidget)

/* NULL: nothing has been published about it. operation: its id. */
GtkWidget *es_published_page_new (const char *operation);

/* From now on with what it measured in every table where that has a place, as it comes in. Once. */
void       es_published_page_set_comparison (EsPublishedPage *self, EsComparison *comparison);

/* A page of a dialog: not too wide, with margins, scrolled where it is high. */
GtkWidget *es_dialog_page_new    (GtkWidget *child);
/* A switch between totals, the steps of each bar one behind the other, and steps; *totals is active at first. */
GtkWidget *es_totals_switch_new  (GtkWidget **totals);

G_END_DECLS
