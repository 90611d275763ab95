/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-latest.h"

#include "base/es-task.h"

struct _EsLatest
{
  GObject         parent_instance;

  EsLatestWork    work;
  GDestroyNotify  free_request;
  GDestroyNotify  free_answer;
  EsLatestDone    done;
  gpointer        user_data;

  GCancellable   *cancellable;   /* of what is under way */
  gboolean        running;
  gpointer        waiting;
};

G_DEFINE_TYPE (EsLatest, es_latest, G_TYPE_OBJECT)

static void start (EsLatest *self, gpointer request);

static void
run (GTask *task, gpointer source, gpointer request, GCancellable *cancellable)
{
  EsLatest *self = source;
  GError *error = NULL;
  gpointer answer;

  answer = self->work (request, cancellable, &error);
  if (error != NULL)
    g_task_return_error (task, error);
  else
    g_task_return_pointer (task, answer, self->free_answer);
}

static void
ready (GObject *source, GAsyncResult *result, gpointer user_data)
{
  EsLatest *self = ES_LATEST (source);
  GTask *task = G_TASK (result);
  g_autoptr (GError) error = NULL;
  gpointer answer;

  answer = g_task_propagate_pointer (task, &error);
  if (g_cancellable_is_cancelled (g_task_get_cancellable (task)))
    {
      if (answer != NULL && self->free_answer != NULL)
        self->free_answer (answer);
      return;
    }

  self->running = FALSE;
  if (self->waiting != NULL)
    start (self, g_steal_pointer (&self->waiting));
  self->done (g_task_get_task_data (task), answer, error, self->user_data);
  if (answer != NULL && self->free_answer != NULL)
    self->free_answer (answer);
}

static void
start (EsLatest *self, gpointer request)
{
  g_autoptr (GTask) task = g_task_new (self, self->cancellable, ready, NULL);

  g_task_set_source_tag (task, start);
  g_task_set_task_data (task, request, self->free_request);
  self->running = TRUE;
  es_task_run_in_thread (task, run);
}

static void
drop_waiting (EsLatest *self)
{
  if (self->waiting != NULL && self->free_request != NULL)
    self->free_request (self->waiting);
  self->waiting = NULL;
}

EsLatest *
es_latest_new (EsLatestWork work, GDestroyNotify free_request, GDestroyNotify free_answer,
               EsLatestDone done, gpointer user_data)
{
  EsLatest *self;

  g_return_val_if_fail (work != NULL && done != NULL, NULL);

  self = g_object_new (ES_TYPE_LATEST, NULL);
  self->work = work;
  self->free_request = free_request;
  self->free_answer = free_answer;
  self->done = done;
  self->user_data = user_data;
  return self;
}

void
es_latest_submit (EsLatest *self, gpointer request)
{
  g_return_if_fail (ES_IS_LATEST (self));
  g_return_if_fail (request != NULL);

  drop_waiting (self);
  if (self->running)
    self->waiting = request;
  else
    start (self, request);
}

void
es_latest_cancel (EsLatest *self)
{
  g_return_if_fail (ES_IS_LATEST (self));

  drop_waiting (self);
  if (!self->running)
    return;
  g_cancellable_cancel (self->cancellable);
  g_object_unref (self->cancellable);
  self->cancellable = g_cancellable_new ();
  self->running = FALSE;
}

gboolean
es_latest_is_busy (EsLatest *self)
{
  g_return_val_if_fail (ES_IS_LATEST (self), FALSE);
  return self->running;
}

static void
es_latest_finalize (GObject *object)
{
  EsLatest *self = ES_LATEST (object);

  drop_waiting (self);
  g_clear_object (&self->cancellable);
  G_OBJECT_CLASS (es_latest_parent_class)->finalize (object);
}

static void
es_latest_class_init (EsLatestClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = es_latest_finalize;
}

static void
es_latest_init (EsLatest *self)
{
  self->cancellable = g_cancellable_new ();
}
