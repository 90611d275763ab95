/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-cancel-internal.h"

static void
wake (GCancellable *cancellable, gpointer data)
{
  EsCancelWake *self = data;

  /* Under the lock: not between somebody's look at the cancellable and his waiting. */
  g_mutex_lock (self->lock);
  g_cond_broadcast (self->cond);
  g_mutex_unlock (self->lock);
}

void
es_cancel_wake_begin (EsCancelWake *self, GCancellable *cancellable, GMutex *lock, GCond *cond)
{
  *self = (EsCancelWake) { cancellable, lock, cond, 0 };
  if (cancellable != NULL)
    self->handler = g_cancellable_connect (cancellable, G_CALLBACK (wake), self, NULL);
}

void
es_cancel_wake_end (EsCancelWake *self)
{
  g_cancellable_disconnect (self->cancellable, self->handler);
}
