/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * What GLib hands from thread to thread: items of queues and pools, and what is done in a main context. GLib does so
 * under locks within itself, which are not seen.
 */

#include "es-seen-private.h"

#include <stdlib.h>

/* --- Queues ---------------------------------------------------------------------------------------------- */

void
g_async_queue_push (GAsyncQueue *queue,
                    gpointer     data)
{
  SEEN_REAL (g_async_queue_push)

  seen_give (queue);
  real (queue, data);
}

void
g_async_queue_push_unlocked (GAsyncQueue *queue,
                             gpointer     data)
{
  SEEN_REAL (g_async_queue_push_unlocked)

  seen_give (queue);
  real (queue, data);
}

#define POP(name)                                                                                \
  gpointer                                                                                       \
  name (GAsyncQueue *queue)                                                                      \
  {                                                                                              \
    gpointer data;                                                                               \
    SEEN_REAL (name)                                                                             \
                                                                                                 \
    data = real (queue);                                                                         \
    seen_take (queue);                                                                           \
                                                                                                 \
    return data;                                                                                 \
  }

POP (g_async_queue_pop)
POP (g_async_queue_try_pop)
POP (g_async_queue_pop_unlocked)
POP (g_async_queue_try_pop_unlocked)

gpointer
g_async_queue_timeout_pop (GAsyncQueue *queue,
                           guint64      timeout)
{
  gpointer data;
  SEEN_REAL (g_async_queue_timeout_pop)

  data = real (queue, timeout);
  seen_take (queue);

  return data;
}

/* --- Pools of threads ------------------------------------------------------------------------------------- */

/* What a pool's worker is called with instead. Never freed: nobody tells when the last worker is through. */
typedef struct
{
  GFunc    func;
  gpointer data;
} Worker;

static void
work (gpointer item,
      gpointer data)
{
  Worker *worker = data;

  seen_take (worker);
  worker->func (item, worker->data);
  seen_give (worker);
}

static Worker *
worker_new (GFunc    func,
            gpointer data)
{
  Worker *worker = g_new (Worker, 1);

  *worker = (Worker) { func, data };

  return worker;
}

static Worker *
worker_of (GThreadPool *pool)
{
  return pool->func == work ? pool->user_data : NULL;
}

GThreadPool *
g_thread_pool_new (GFunc    func,
                   gpointer data,
                   gint     max_threads,
                   gboolean exclusive,
                   GError **error)
{
  SEEN_REAL (g_thread_pool_new)

  return real (work, worker_new (func, data), max_threads, exclusive, error);
}

GThreadPool *
g_thread_pool_new_full (GFunc          func,
                        gpointer       data,
                        GDestroyNotify item_free_func,
                        gint           max_threads,
                        gboolean       exclusive,
                        GError       **error)
{
  SEEN_REAL (g_thread_pool_new_full)

  return real (work, worker_new (func, data), item_free_func, max_threads, exclusive, error);
}

gboolean
g_thread_pool_push (GThreadPool *pool,
                    gpointer     item,
                    GError     **error)
{
  SEEN_REAL (g_thread_pool_push)

  seen_give (worker_of (pool));

  return real (pool, item, error);
}

void
g_thread_pool_free (GThreadPool *pool,
                    gboolean     immediate,
                    gboolean     wait)
{
  Worker *worker = worker_of (pool);
  SEEN_REAL (g_thread_pool_free)

  real (pool, immediate, wait);
  if (wait)
    seen_take (worker);
}

/* --- Main contexts ---------------------------------------------------------------------------------------- */

static gconstpointer
context_of (GMainContext *context)
{
  return context != NULL ? context : g_main_context_default ();
}

guint
g_source_attach (GSource      *source,
                 GMainContext *context)
{
  SEEN_REAL (g_source_attach)

  seen_give (context_of (context));

  return real (source, context);
}

void
g_source_destroy (GSource *source)
{
  SEEN_REAL (g_source_destroy)

  if (source->context != NULL)
    seen_meet (source->context);
  real (source);
}

gboolean
g_source_remove (guint tag)
{
  SEEN_REAL (g_source_remove)

  seen_meet (context_of (NULL));

  return real (tag);
}

guint
g_idle_add (GSourceFunc func,
            gpointer    data)
{
  SEEN_REAL (g_idle_add)

  seen_give (context_of (NULL));

  return real (func, data);
}

guint
g_idle_add_full (gint           priority,
                 GSourceFunc    func,
                 gpointer       data,
                 GDestroyNotify notify)
{
  SEEN_REAL (g_idle_add_full)

  seen_give (context_of (NULL));

  return real (priority, func, data, notify);
}

guint
g_timeout_add (guint       interval,
               GSourceFunc func,
               gpointer    data)
{
  SEEN_REAL (g_timeout_add)

  seen_give (context_of (NULL));

  return real (interval, func, data);
}

guint
g_timeout_add_full (gint           priority,
                    guint          interval,
                    GSourceFunc    func,
                    gpointer       data,
                    GDestroyNotify notify)
{
  SEEN_REAL (g_timeout_add_full)

  seen_give (context_of (NULL));

  return real (priority, interval, func, data, notify);
}

void
g_main_context_invoke_full (GMainContext  *context,
                            gint           priority,
                            GSourceFunc    func,
                            gpointer       data,
                            GDestroyNotify notify)
{
  SEEN_REAL (g_main_context_invoke_full)

  seen_give (context_of (context));
  real (context, priority, func, data, notify);
}

void
g_main_context_invoke (GMainContext *context,
                       GSourceFunc   func,
                       gpointer      data)
{
  g_main_context_invoke_full (context, G_PRIORITY_DEFAULT, func, data, NULL);
}

gboolean
g_main_context_iteration (GMainContext *context,
                          gboolean      may_block)
{
  gboolean dispatched;
  SEEN_REAL (g_main_context_iteration)

  seen_take (context_of (context));
  dispatched = real (context, may_block);
  seen_meet (context_of (context));

  return dispatched;
}

void
g_main_context_wakeup (GMainContext *context)
{
  SEEN_REAL (g_main_context_wakeup)

  seen_give (context_of (context));
  real (context);
}

void
g_main_loop_run (GMainLoop *loop)
{
  SEEN_REAL (g_main_loop_run)

  real (loop);
  seen_take (loop);
  seen_give (context_of (g_main_loop_get_context (loop)));
}

void
g_main_loop_quit (GMainLoop *loop)
{
  SEEN_REAL (g_main_loop_quit)

  seen_give (loop);
  real (loop);
}

/* Idle functions and timeouts are GLib's own sources: whatever attached them, this is how they are dispatched. */
extern GSourceFuncs g_idle_funcs __attribute__ ((weak));
extern GSourceFuncs g_timeout_funcs __attribute__ ((weak));

static GSourceFuncs real_idle, real_timeout;

static gboolean
dispatch_idle (GSource    *source,
               GSourceFunc callback,
               gpointer    data)
{
  seen_take (source->context);

  return real_idle.dispatch (source, callback, data);
}

static gboolean
dispatch_timeout (GSource    *source,
                  GSourceFunc callback,
                  gpointer    data)
{
  seen_take (source->context);

  return real_timeout.dispatch (source, callback, data);
}

static void __attribute__ ((constructor))
seen_sources (void)
{
  if (&g_idle_funcs == NULL || __tsan_acquire == NULL)
    return;

  real_idle = g_idle_funcs;
  real_timeout = g_timeout_funcs;
  g_idle_funcs.dispatch = dispatch_idle;
  g_timeout_funcs.dispatch = dispatch_timeout;
}

/* --- The environment -------------------------------------------------------------------------------------- */

/* Tests switch the fake cards by it while threads of theirs may look. The C library keeps what getenv () has given; the
 * program itself changes nothing. */
static const char environment;

char *
getenv (const char *name)
{
  SEEN_REAL (getenv)

  seen_take (&environment);

  return real (name);
}

gboolean
g_setenv (const char *name,
          const char *value,
          gboolean    overwrite)
{
  gboolean done;
  SEEN_REAL (g_setenv)

  done = real (name, value, overwrite);
  seen_give (&environment);

  return done;
}

/* --- Cancelling ------------------------------------------------------------------------------------------- */

/* Declared here: GIO is not needed for it. */
typedef struct _GCancellable GCancellable;
void     g_cancellable_cancel       (GCancellable *cancellable);
gboolean g_cancellable_is_cancelled (GCancellable *cancellable);

void
g_cancellable_cancel (GCancellable *cancellable)
{
  SEEN_REAL (g_cancellable_cancel)

  seen_give (cancellable);
  real (cancellable);
}

gboolean
g_cancellable_is_cancelled (GCancellable *cancellable)
{
  gboolean cancelled;
  SEEN_REAL (g_cancellable_is_cancelled)

  cancelled = real (cancellable);
  if (cancelled)
    seen_take (cancellable);

  return cancelled;
}
