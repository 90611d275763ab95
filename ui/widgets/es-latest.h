/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/*
 * Work for a display, done on a worker thread, of which only the newest matters: at most one piece is under
 * way and one waits; a further one takes the place of the one that waits. What is under way is finished and
 * answered, so that a display keeps following while somebody drags a slider faster than a file can be read.
 */
#define ES_TYPE_LATEST (es_latest_get_type ())
G_DECLARE_FINAL_TYPE (EsLatest, es_latest, ES, LATEST, GObject)

/* On the worker. NULL with error set: failed. */
typedef gpointer (*EsLatestWork) (gpointer request, GCancellable *cancellable, GError **error);
/* In the main context. answer is NULL where error is set; both and request belong to the caller. */
typedef void     (*EsLatestDone) (gpointer request, gpointer answer, const GError *error, gpointer user_data);

EsLatest *es_latest_new     (EsLatestWork work, GDestroyNotify free_request, GDestroyNotify free_answer,
                             EsLatestDone done, gpointer user_data);
/* request: transfer full. */
void      es_latest_submit  (EsLatest *self, gpointer request);
/* Drops what is under way and what waits; `done` is not called for it. To be called before user_data goes. */
void      es_latest_cancel  (EsLatest *self);
gboolean  es_latest_is_busy (EsLatest *self);

G_END_DECLS
