/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The driver: whether there is one, and whether it is new enough for the runtime this was built with. */

#include "es-lab-cuda-driver-private.h"

#include <cuda_runtime.h>

#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

static LabDriver driver;
static char why_not[160];
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void
open_driver (void)
{
  /* Stays open: the runtime uses it. */
  void *library = dlopen ("libcuda.so.1", RTLD_LAZY | RTLD_LOCAL);
  const struct
  {
    void       *entry;
    const char *name;
  } symbols[] = {
    { &driver.init, "cuInit" },
    { &driver.get_version, "cuDriverGetVersion" },
    { &driver.device_get, "cuDeviceGet" },
    { &driver.context_create, "cuCtxCreate_v2" },
    { &driver.context_destroy, "cuCtxDestroy_v2" },
    { &driver.context_get, "cuCtxGetCurrent" },
    { &driver.context_set, "cuCtxSetCurrent" },
    { &driver.peer_enable, "cuCtxEnablePeerAccess" },
    { &driver.memory_allocate, "cuMemAlloc_v2" },
    { &driver.memory_free, "cuMemFree_v2" },
    { &driver.copy_peer, "cuMemcpyPeerAsync" },
    { &driver.error_string, "cuGetErrorString" },
  };
  int version = 0;

  if (library == NULL)
    {
      snprintf (why_not, sizeof why_not, "No NVIDIA driver is installed");
      return;
    }
  for (size_t s = 0; s < sizeof symbols / sizeof *symbols; s++)
    {
      void *symbol = dlsym (library, symbols[s].name);

      if (symbol == NULL)
        {
          snprintf (why_not, sizeof why_not, "The NVIDIA driver has no %s", symbols[s].name);
          return;
        }
      /* dlsym () answers a data pointer; copying it is how POSIX makes a function of it. */
      memcpy (symbols[s].entry, &symbol, sizeof symbol);
    }

  if (driver.get_version (&version) != 0)
    snprintf (why_not, sizeof why_not, "The NVIDIA driver does not tell its version");
  /* Within one major version every driver runs every runtime (CUDA's minor version compatibility). */
  else if (version / 1000 < CUDART_VERSION / 1000)
    snprintf (why_not, sizeof why_not, "The NVIDIA driver is too old: it supports CUDA %d.%d, and CUDA %d.0 is needed",
              version / 1000, version % 1000 / 10, CUDART_VERSION / 1000);
  else
    {
      int code = driver.init (0);

      if (code != 0)
        snprintf (why_not, sizeof why_not, "The NVIDIA driver does not start: %s", lab_driver_error (code));
    }
}

const LabDriver *
lab_driver (char   *reason,
            size_t  n)
{
  pthread_once (&once, open_driver);
  if (reason != NULL && n > 0)
    snprintf (reason, n, "%s", why_not);

  return why_not[0] == '\0' ? &driver : NULL;
}

const char *
lab_driver_error (int code)
{
  const char *text = NULL;

  if (driver.error_string == NULL || driver.error_string (code, &text) != 0 || text == NULL)
    return "unknown error";

  return text;
}
