/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/*
 * The line at the bottom. Left: what is under the pointer (property "text"). Right: what is running, with stage, per
 * cent, time left and a cancel button; a click opens the list of jobs.
 */
#define ES_TYPE_STATUS_BAR (es_status_bar_get_type ())
G_DECLARE_FINAL_TYPE (EsStatusBar, es_status_bar, ES, STATUS_BAR, GtkBox)

/* work: of EsJob and EsActivity, newest last. */
void        es_status_bar_set_model  (EsStatusBar *self, GListModel *work);
void        es_status_bar_set_text   (EsStatusBar *self, const char *text);
const char *es_status_bar_get_text   (EsStatusBar *self);
/* What the right-hand side says; "" while nothing runs. */
const char *es_status_bar_get_progress_text (EsStatusBar *self);
void        es_status_bar_show_jobs  (EsStatusBar *self);

G_END_DECLS
