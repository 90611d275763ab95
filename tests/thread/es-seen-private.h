/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

/*
 * ThreadSanitizer's own functions, and those of GLib behind which ours stand. The library is loaded before all others
 * (LD_PRELOAD), also into programs that have neither: there nothing is told and nothing is called.
 */

#include <glib-object.h>

#include <dlfcn.h>

#define SEEN_MUTEX_NOT_STATIC      (1u << 8)
#define SEEN_MUTEX_REENTRANT       (1u << 1)
#define SEEN_MUTEX_READ_LOCK       (1u << 3)
#define SEEN_MUTEX_TRY_LOCK        (1u << 4)
#define SEEN_MUTEX_TRY_LOCK_FAILED (1u << 5)

void __tsan_acquire          (void *address) __attribute__ ((weak));
void __tsan_release          (void *address) __attribute__ ((weak));
void __tsan_mutex_create     (void *address, unsigned flags) __attribute__ ((weak));
void __tsan_mutex_destroy    (void *address, unsigned flags) __attribute__ ((weak));
void __tsan_mutex_pre_lock   (void *address, unsigned flags) __attribute__ ((weak));
void __tsan_mutex_post_lock  (void *address, unsigned flags, int recursion) __attribute__ ((weak));
int  __tsan_mutex_pre_unlock (void *address, unsigned flags) __attribute__ ((weak));
void __tsan_mutex_post_unlock (void *address, unsigned flags) __attribute__ ((weak));

/* What this thread did before is seen by whoever takes from the same address later. */
static inline void
seen_give (gconstpointer address)
{
  if (__tsan_release != NULL && address != NULL)
    __tsan_release ((gpointer) address);
}

static inline void
seen_take (gconstpointer address)
{
  if (__tsan_acquire != NULL && address != NULL)
    __tsan_acquire ((gpointer) address);
}

/* Both: what an atomic change of a count does, and a lock that is held for a moment. */
static inline void
seen_meet (gconstpointer address)
{
  seen_take (address);
  seen_give (address);
}

/* The function of this name that would be called without us, in a variable `real` of its type. */
#define SEEN_REAL(name)                                                                          \
  static __typeof__ (&(name)) found_;                                                            \
  __typeof__ (&(name)) real = __atomic_load_n (&found_, __ATOMIC_RELAXED);                       \
  if (real == NULL)                                                                              \
    {                                                                                            \
      real = (__typeof__ (&(name))) dlsym (RTLD_NEXT, #name);                                    \
      __atomic_store_n (&found_, real, __ATOMIC_RELAXED);                                        \
    }
