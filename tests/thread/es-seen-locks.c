/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * GLib's locks, conditions and first uses. Its mutexes are futexes of its own, of which ThreadSanitizer sees nothing;
 * what it makes of pthread's is left out with everything else that GLib does itself (suppressions).
 */

#include "es-seen-private.h"

#undef g_once_init_enter
#undef g_once_init_leave

static void
lock_made (gpointer lock,
           unsigned flags)
{
  if (__tsan_mutex_create != NULL)
    __tsan_mutex_create (lock, SEEN_MUTEX_NOT_STATIC | flags);
}

static void
lock_gone (gpointer lock)
{
  if (__tsan_mutex_destroy != NULL)
    __tsan_mutex_destroy (lock, SEEN_MUTEX_NOT_STATIC);
}

static void
before_lock (gpointer lock,
             unsigned flags)
{
  if (__tsan_mutex_pre_lock != NULL)
    __tsan_mutex_pre_lock (lock, flags);
}

static void
after_lock (gpointer lock,
            unsigned flags)
{
  if (__tsan_mutex_post_lock != NULL)
    __tsan_mutex_post_lock (lock, flags, 0);
}

static void
before_unlock (gpointer lock,
               unsigned flags)
{
  if (__tsan_mutex_pre_unlock != NULL)
    __tsan_mutex_pre_unlock (lock, flags);
}

static void
after_unlock (gpointer lock,
              unsigned flags)
{
  if (__tsan_mutex_post_unlock != NULL)
    __tsan_mutex_post_unlock (lock, flags);
}

#define MADE(name, Type, flags)                                                                  \
  void                                                                                           \
  name (Type *lock)                                                                              \
  {                                                                                              \
    SEEN_REAL (name)                                                                             \
                                                                                                 \
    real (lock);                                                                                 \
    lock_made (lock, flags);                                                                     \
  }

#define GONE(name, Type)                                                                         \
  void                                                                                           \
  name (Type *lock)                                                                              \
  {                                                                                              \
    SEEN_REAL (name)                                                                             \
                                                                                                 \
    lock_gone (lock);                                                                            \
    real (lock);                                                                                 \
  }

#define LOCK(name, Type, flags)                                                                  \
  void                                                                                           \
  name (Type *lock)                                                                              \
  {                                                                                              \
    SEEN_REAL (name)                                                                             \
                                                                                                 \
    before_lock (lock, flags);                                                                   \
    real (lock);                                                                                 \
    after_lock (lock, flags);                                                                    \
  }

#define TRY_LOCK(name, Type, flags)                                                              \
  gboolean                                                                                       \
  name (Type *lock)                                                                              \
  {                                                                                              \
    gboolean locked;                                                                             \
    SEEN_REAL (name)                                                                             \
                                                                                                 \
    before_lock (lock, (flags) | SEEN_MUTEX_TRY_LOCK);                                           \
    locked = real (lock);                                                                        \
    after_lock (lock, (flags) | SEEN_MUTEX_TRY_LOCK | (locked ? 0 : SEEN_MUTEX_TRY_LOCK_FAILED)); \
                                                                                                 \
    return locked;                                                                               \
  }

#define UNLOCK(name, Type, flags)                                                                \
  void                                                                                           \
  name (Type *lock)                                                                              \
  {                                                                                              \
    SEEN_REAL (name)                                                                             \
                                                                                                 \
    before_unlock (lock, flags);                                                                 \
    real (lock);                                                                                 \
    after_unlock (lock, flags);                                                                  \
  }

MADE (g_mutex_init, GMutex, 0)
GONE (g_mutex_clear, GMutex)
LOCK (g_mutex_lock, GMutex, 0)
TRY_LOCK (g_mutex_trylock, GMutex, 0)
UNLOCK (g_mutex_unlock, GMutex, 0)

MADE (g_rec_mutex_init, GRecMutex, SEEN_MUTEX_REENTRANT)
GONE (g_rec_mutex_clear, GRecMutex)
LOCK (g_rec_mutex_lock, GRecMutex, SEEN_MUTEX_REENTRANT)
TRY_LOCK (g_rec_mutex_trylock, GRecMutex, SEEN_MUTEX_REENTRANT)
UNLOCK (g_rec_mutex_unlock, GRecMutex, 0)

MADE (g_rw_lock_init, GRWLock, 0)
GONE (g_rw_lock_clear, GRWLock)
LOCK (g_rw_lock_writer_lock, GRWLock, 0)
TRY_LOCK (g_rw_lock_writer_trylock, GRWLock, 0)
UNLOCK (g_rw_lock_writer_unlock, GRWLock, 0)
LOCK (g_rw_lock_reader_lock, GRWLock, SEEN_MUTEX_READ_LOCK)
TRY_LOCK (g_rw_lock_reader_trylock, GRWLock, SEEN_MUTEX_READ_LOCK)
UNLOCK (g_rw_lock_reader_unlock, GRWLock, SEEN_MUTEX_READ_LOCK)

/* GLib waits by its own mutex functions, which do not come by here: the mutex is free meanwhile. */
static void
before_wait (GMutex *mutex)
{
  before_unlock (mutex, 0);
  after_unlock (mutex, 0);
}

static void
after_wait (GMutex *mutex)
{
  before_lock (mutex, 0);
  after_lock (mutex, 0);
}

void
g_cond_wait (GCond  *cond,
             GMutex *mutex)
{
  SEEN_REAL (g_cond_wait)

  before_wait (mutex);
  real (cond, mutex);
  after_wait (mutex);
}

gboolean
g_cond_wait_until (GCond  *cond,
                   GMutex *mutex,
                   gint64  end_time)
{
  gboolean signalled;
  SEEN_REAL (g_cond_wait_until)

  before_wait (mutex);
  signalled = real (cond, mutex, end_time);
  after_wait (mutex);

  return signalled;
}

/* The first look at the value is an atomic load of the caller's, at this same address. */
gboolean
g_once_init_enter (volatile void *location)
{
  gboolean enter;
  SEEN_REAL (g_once_init_enter)

  enter = real (location);
  seen_take ((gconstpointer) location);

  return enter;
}

void
g_once_init_leave (volatile void *location,
                   gsize          result)
{
  SEEN_REAL (g_once_init_leave)

  seen_give ((gconstpointer) location);
  real (location, result);
}

gpointer
g_once_impl (GOnce      *once,
             GThreadFunc func,
             gpointer    arg)
{
  gpointer result;
  SEEN_REAL (g_once_impl)

  result = real (once, func, arg);
  seen_meet (once);

  return result;
}
