/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-left-task-internal.h"

#include "es-cancel-internal.h"

void
es_left_task_init (EsLeftTask *self)
{
  *self = (EsLeftTask) { 0 };
  g_atomic_ref_count_init (&self->references);
  g_mutex_init (&self->lock);
  g_cond_init (&self->changed);
}

gboolean
es_left_task_drop (EsLeftTask *self)
{
  if (!g_atomic_ref_count_dec (&self->references))
    return FALSE;
  g_clear_error (&self->error);
  g_mutex_clear (&self->lock);
  g_cond_clear (&self->changed);
  return TRUE;
}

void
es_left_task_start (EsLeftTask *self, const char *name, GThreadFunc work, gpointer data)
{
  GThread *thread = NULL;

  g_atomic_ref_count_inc (&self->references);
  self->done = FALSE;
  self->fraction = 0;
  if (name != NULL)
    thread = g_thread_try_new (name, work, data, NULL);
  if (thread != NULL)
    g_thread_unref (thread);
  else
    work (data);
}

void
es_left_task_tell (EsLeftTask *self, double fraction)
{
  g_mutex_lock (&self->lock);
  self->fraction = fraction;
  g_cond_signal (&self->changed);
  g_mutex_unlock (&self->lock);
}

gboolean
es_left_task_end (EsLeftTask *self, GError *error)
{
  gboolean waited;

  g_mutex_lock (&self->lock);
  self->error = error;
  self->done = TRUE;
  waited = g_atomic_int_get (&self->cancelled) == 0;
  g_cond_signal (&self->changed);
  g_mutex_unlock (&self->lock);
  return waited;
}

gboolean
es_left_task_wait (EsLeftTask *self, GCancellable *cancellable, void (*progress) (double fraction, gpointer data),
                   gpointer data, GError **error)
{
  EsCancelWake wake;
  double told = 0;
  gboolean done;

  es_cancel_wake_begin (&wake, cancellable, &self->lock, &self->changed);
  g_mutex_lock (&self->lock);
  while (!self->done && !g_cancellable_is_cancelled (cancellable))
    {
      if (progress != NULL && self->fraction != told)
        {
          told = self->fraction;
          g_mutex_unlock (&self->lock);
          progress (told, data);
          g_mutex_lock (&self->lock);
          continue;
        }
      g_cond_wait (&self->changed, &self->lock);
    }
  done = self->done && self->error == NULL;
  if (!self->done)
    {
      g_atomic_int_set (&self->cancelled, 1);
      g_cancellable_set_error_if_cancelled (cancellable, error);
    }
  else if (self->error != NULL)
    g_propagate_error (error, g_steal_pointer (&self->error));
  g_mutex_unlock (&self->lock);
  es_cancel_wake_end (&wake);
  return done;
}
