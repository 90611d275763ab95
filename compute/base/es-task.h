/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/* A thread that has done its task lets go of it only after the callback may have been called. If it is the last to do
 * so, it also finalizes what the task holds, its source and its data, there and then: windows and widgets among them,
 * which belong to the main thread, and whatever is known there without a reference. */

/* From now on the last reference to the task is given up in the context that its callback is called in, whoever lets go
 * last. Before the thread is started. A program whose context does not go on until then leaves the task. */
void es_task_end_here      (GTask *task);
/* g_task_run_in_thread () of a task that ends here. */
void es_task_run_in_thread (GTask *task, GTaskThreadFunc work);
/* The same for threads that are no task: takes a reference, which is given up in the context. At once where that is the
 * caller's. */
void es_unref_in_context   (gpointer object, GMainContext *context);

G_END_DECLS
