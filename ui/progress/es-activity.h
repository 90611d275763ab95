/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/*
 * Work that is not a job of an operation: opening, saving, making the simulated cube. Shown beside the jobs in the
 * status line. Properties: "title", "fraction" (negative: not known), notified in the main context and coalesced.
 */
#define ES_TYPE_ACTIVITY (es_activity_get_type ())
G_DECLARE_FINAL_TYPE (EsActivity, es_activity, ES, ACTIVITY, GObject)

EsActivity   *es_activity_new             (const char *title);
const char   *es_activity_get_title       (EsActivity *self);
double        es_activity_get_fraction    (EsActivity *self);
GCancellable *es_activity_get_cancellable (EsActivity *self);
/* From any thread; the form that writers take. data: the activity. */
void          es_activity_report          (double fraction, gpointer data);

G_END_DECLS
