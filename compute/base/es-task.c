/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-task.h"

static void
attach (GMainContext *context, GSourceFunc call, gpointer data, GDestroyNotify destroy)
{
  g_autoptr (GSource) source = g_idle_source_new ();

  g_source_set_priority (source, G_PRIORITY_DEFAULT);
  g_source_set_static_name (source, "[Eigenscope] end of a task");
  g_source_set_callback (source, call, data, destroy);
  g_source_attach (source, context);
}

static gboolean
do_nothing (gpointer unused)
{
  return G_SOURCE_REMOVE;
}

void
es_unref_in_context (gpointer object, GMainContext *context)
{
  if (g_main_context_is_owner (context))
    g_object_unref (object);
  else
    attach (context, do_nothing, object, g_object_unref);
}

static void on_last (gpointer unused, GObject *task, gboolean is_last);

static gboolean
let_go (gpointer task)
{
  g_object_remove_toggle_ref (task, on_last, NULL);
  return G_SOURCE_REMOVE;
}

/* Only the reference of es_task_end_here () is left, and nobody gets another one any more. */
static void
on_last (gpointer unused, GObject *task, gboolean is_last)
{
  g_autoptr (GMainContext) context = NULL;

  if (!is_last)
    return;
  context = g_main_context_ref (g_task_get_context (G_TASK (task)));
  if (g_main_context_is_owner (context))
    let_go (task);
  else
    attach (context, let_go, task, NULL);
}

void
es_task_end_here (GTask *task)
{
  g_return_if_fail (G_IS_TASK (task));

  g_object_add_toggle_ref (G_OBJECT (task), on_last, NULL);
}

void
es_task_run_in_thread (GTask *task, GTaskThreadFunc work)
{
  es_task_end_here (task);
  g_task_run_in_thread (task, work);
}
