/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-hdf-lock-internal.h"

#include <stdatomic.h>

#include "es-hdf5-library-internal.h"

static GMutex hdf_mutex;
static _Atomic guint64 cache_limit = G_MAXUINT64;

/* HDF5 prints its errors unless told not to, thread by thread. */
static void
silence_hdf5 (void)
{
  static gsize ready = 0;

  if (!es_library_load (&es_library_hdf5, NULL, NULL))
    return;
  if (g_once_init_enter (&ready))
    {
      /* Files that a full disk has kept from being closed crash it when it cleans up at the end of the program. */
      H5dont_atexit ();
      /* A link into another file leads nowhere, whoever opens it: the library knows no such links any more. */
      if (H5open () >= 0)
        H5Lunregister (H5L_TYPE_EXTERNAL);
      g_once_init_leave (&ready, 1);
    }
  H5Eset_auto2 (H5E_DEFAULT, NULL, NULL);
}

void
es_hdf_lock (void)
{
  g_mutex_lock (&hdf_mutex);
  silence_hdf5 ();
}

void
es_hdf_unlock (void)
{
  g_mutex_unlock (&hdf_mutex);
}

void
es_hdf_limit_cache (guint64 bytes)
{
  guint64 limit = cache_limit;

  while (bytes < limit && !atomic_compare_exchange_weak (&cache_limit, &limit, bytes))
    ;
}

guint64
es_hdf_get_cache_limit (void)
{
  return cache_limit;
}
