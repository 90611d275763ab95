/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-hdf-lock-internal.h"

#include <dlfcn.h>
#include <stdint.h>

static GMutex hdf_mutex;

/*
 * HDF5 prints its errors unless told not to, thread by thread. It is only here as a library of GDAL's and
 * matio's, so that it is asked for by name rather than linked: without it there is nothing to silence.
 */
static void
silence_hdf5 (void)
{
  typedef int (*SetAuto) (int64_t stack, void *function, void *data);
  static gsize looked_up = 0;
  static SetAuto set_auto = NULL;

  if (g_once_init_enter (&looked_up))
    {
      int (*dont_atexit) (void) = (int (*) (void)) dlsym (RTLD_DEFAULT, "H5dont_atexit");

      /* Files that a full disk has kept from being closed crash it when it cleans up at the end of the program. */
      if (dont_atexit != NULL)
        dont_atexit ();
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
