/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* What a task holds is let go of in the thread that it was begun in, also where its worker is the last to let go. */

#include "base/es-task.h"

typedef struct
{
  GMutex   lock;
  GCond    changed;
  GThread *source_ended, *data_ended;  /* where; NULL: not yet */
  gboolean called, may_end;
} Ending;

static void
note (Ending *self, GThread **where)
{
  g_mutex_lock (&self->lock);
  *where = g_thread_self ();
  g_cond_broadcast (&self->changed);
  g_mutex_unlock (&self->lock);
}

static void
on_source_gone (gpointer data, GObject *source)
{
  Ending *self = data;

  note (self, &self->source_ended);
}

static void
on_data_gone (gpointer data)
{
  Ending *self = data;

  note (self, &self->data_ended);
}

static void
on_done (GObject *source, GAsyncResult *result, gpointer data)
{
  Ending *self = data;

  g_assert_cmpint (g_task_propagate_int (G_TASK (result), NULL), ==, 7);
  self->called = TRUE;
}

static gpointer
work (gpointer data)
{
  GTask *task = data;
  Ending *self = g_task_get_task_data (task);

  g_task_return_int (task, 7);
  g_mutex_lock (&self->lock);
  while (!self->may_end)
    g_cond_wait (&self->changed, &self->lock);
  g_mutex_unlock (&self->lock);
  g_object_unref (task);
  return NULL;
}

static void
work_in_pool (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  g_task_return_int (task, 7);
}

static GTask *
begin (Ending *self)
{
  g_autoptr (GObject) source = g_object_new (G_TYPE_OBJECT, NULL);
  GTask *task = g_task_new (source, NULL, on_done, self);

  g_object_weak_ref (source, on_source_gone, self);
  g_task_set_task_data (task, self, on_data_gone);
  return task;
}

static void
check (const Ending *self)
{
  while (self->source_ended == NULL || self->data_ended == NULL)
    g_main_context_iteration (NULL, TRUE);
  g_assert_true (self->called);
  g_assert_true (self->source_ended == g_thread_self ());
  g_assert_true (self->data_ended == g_thread_self ());
}

/* The main thread has called back, and has let go, long before the worker does. */
static void
test_worker_last (void)
{
  Ending self = { .called = FALSE };
  GTask *task = begin (&self);
  GThread *thread;

  es_task_end_here (task);
  thread = g_thread_new ("worker", work, task);
  while (!self.called)
    g_main_context_iteration (NULL, TRUE);
  while (g_main_context_iteration (NULL, FALSE))
    continue;
  g_assert_null (self.source_ended);
  g_mutex_lock (&self.lock);
  self.may_end = TRUE;
  g_cond_broadcast (&self.changed);
  g_mutex_unlock (&self.lock);
  g_thread_join (thread);
  g_assert_null (self.source_ended);
  check (&self);
}

/* Of many whoever lets go last now and then. */
static void
test_pool (void)
{
  for (guint i = 0; i < 500; i++)
    {
      Ending self = { .called = FALSE };
      g_autoptr (GTask) task = begin (&self);

      es_task_run_in_thread (task, work_in_pool);
      g_clear_object (&task);
      check (&self);
    }
}

/* Nobody has run it: it goes as any other object does. */
static void
test_main_last (void)
{
  Ending self = { .called = FALSE };
  GTask *task = begin (&self);

  es_task_end_here (task);
  g_task_return_int (task, 7);
  g_object_unref (task);
  check (&self);
}

static gpointer
let_go (gpointer object)
{
  es_unref_in_context (object, g_main_context_default ());
  return NULL;
}

static void
test_object (void)
{
  Ending self = { .called = FALSE };
  GObject *object = g_object_new (G_TYPE_OBJECT, NULL);

  g_object_weak_ref (object, on_source_gone, &self);
  g_object_ref (object);
  g_thread_join (g_thread_new ("worker", let_go, object));
  g_assert_null (self.source_ended);
  while (g_main_context_iteration (NULL, FALSE))
    continue;
  g_assert_null (self.source_ended);
  g_thread_join (g_thread_new ("worker", let_go, object));
  while (self.source_ended == NULL)
    g_main_context_iteration (NULL, TRUE);
  g_assert_true (self.source_ended == g_thread_self ());
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/task/worker-last", test_worker_last);
  g_test_add_func ("/task/pool", test_pool);
  g_test_add_func ("/task/main-last", test_main_last);
  g_test_add_func ("/task/object", test_object);
  return g_test_run ();
}
