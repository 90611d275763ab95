/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-hdf-lock-internal.h"

#include <dlfcn.h>
#include <stdatomic.h>
#include <stdint.h>

/* H5L_TYPE_EXTERNAL. */
#define EXTERNAL_LINKS 64

static GMutex hdf_mutex;
static _Atomic guint64 cache_limit = G_MAXUINT64;

/*
 * HDF5 prints its errors unless told not to, thread by thread. It is only here as a library of GDAL's and
 * matio's, so that it is asked for by name rather than linked: without it there is nothing to silence.
 */
static void
silence_hdf5 (void)
{
  typedef int (*SetAuto) (int64_t stack, void *function, void *data);
  typedef int (*Unregister) (int link_class);
  static gsize looked_up = 0;
  static SetAuto set_auto = NULL;

  if (g_once_init_enter (&looked_up))
    {
      int (*open_library) (void);
      Unregister unregister;
      int (*dont_atexit) (void) = (int (*) (void)) dlsym (RTLD_DEFAULT, "H5dont_atexit");

      /* Files that a full disk has kept from being closed crash it when it cleans up at the end of the program. */
      if (dont_atexit != NULL)
        dont_atexit ();
      /* A link into another file leads nowhere, whoever opens it: the library knows no such links any more. */
      unregister = (Unregister) dlsym (RTLD_DEFAULT, "H5Lunregister");
      open_library = (int (*) (void)) dlsym (RTLD_DEFAULT, "H5open");
      if (open_library != NULL && unregister != NULL && open_library () >= 0)
        unregister (EXTERNAL_LINKS);
      set_auto = (SetAuto) dlsym (RTLD_DEFAULT, "H5Eset_auto2");
      g_once_init_leave (&looked_up, 1);
    }
  if (set_auto != NULL)
    set_auto (0, NULL, NULL);
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
