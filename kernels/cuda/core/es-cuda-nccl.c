/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "es-cuda-nccl-internal.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

#define LIBRARY "libnccl.so.2"

static EskNccl nccl;
static bool opened;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

/* The name of the first function that the library lacks; NULL: it has all. */
static const char *
find_functions (void *library)
{
  const struct
  {
    void       *entry;
    const char *name;
  } symbols[] = {
    { &nccl.get_version, "ncclGetVersion" },
    { &nccl.get_unique_id, "ncclGetUniqueId" },
    { &nccl.init_rank, "ncclCommInitRank" },
    { &nccl.all_reduce, "ncclAllReduce" },
    { &nccl.get_async_error, "ncclCommGetAsyncError" },
    { &nccl.give_up, "ncclCommAbort" },
    { &nccl.get_error_string, "ncclGetErrorString" },
  };

  for (size_t s = 0; s < sizeof symbols / sizeof *symbols; s++)
    {
      void *symbol = dlsym (library, symbols[s].name);

      if (symbol == NULL)
        return symbols[s].name;
      memcpy (symbols[s].entry, &symbol, sizeof symbol);
    }

  return NULL;
}

/* With the lock held. */
static bool
open_library (const char *path,
              char       *why,
              size_t      why_bytes)
{
  void *library = dlopen (path, RTLD_NOW | RTLD_LOCAL);
  const char *missing;

  if (library == NULL)
    {
      snprintf (why, why_bytes, "%s", dlerror ());
      return false;
    }
  missing = find_functions (library);
  if (missing != NULL)
    {
      snprintf (why, why_bytes, "%s has no function %s", path, missing);
      dlclose (library);
      return false;
    }

  return true;
}

int
esk_nccl_library (const char *path,
                  int        *version,
                  char       *why,
                  size_t      why_bytes)
{
  bool usable;

  *version = 0;
  if (path == NULL)
    path = LIBRARY;
  pthread_mutex_lock (&lock);
  usable = opened || open_library (path, why, why_bytes);
  if (usable && (nccl.get_version (version) != ESK_NCCL_SUCCESS || *version < ESK_NCCL_OLDEST))
    {
      snprintf (why, why_bytes, "%s has version %d, and %d is needed", path, *version, ESK_NCCL_OLDEST);
      usable = false;
    }
  opened = usable;
  pthread_mutex_unlock (&lock);

  return usable ? ESK_OK : ESK_ERROR_DEVICE;
}

const EskNccl *
esk_nccl_get (void)
{
  bool there;

  pthread_mutex_lock (&lock);
  there = opened;
  pthread_mutex_unlock (&lock);

  return there ? &nccl : NULL;
}

int
esk_nccl_make_id (EskSumsId *id,
                  char      *why,
                  size_t     why_bytes)
{
  const EskNccl *library = esk_nccl_get ();
  EskNcclId own;
  int code;

  if (library == NULL)
    {
      snprintf (why, why_bytes, "the library has not been opened");
      return ESK_ERROR_DEVICE;
    }
  code = library->get_unique_id (&own);
  if (code != ESK_NCCL_SUCCESS)
    {
      snprintf (why, why_bytes, "%s", library->get_error_string (code));
      return ESK_ERROR_DEVICE;
    }
  memcpy (id->bytes, own.internal, sizeof id->bytes);

  return ESK_OK;
}

EskNcclComm
esk_nccl_join (const EskSumsId *id,
               int              rank,
               int              size,
               char            *why,
               size_t           why_bytes)
{
  const EskNccl *library = esk_nccl_get ();
  EskNcclComm comm = NULL;
  EskNcclId own;
  int code;

  if (library == NULL)
    {
      snprintf (why, why_bytes, "the library has not been opened");
      return NULL;
    }
  memcpy (own.internal, id->bytes, sizeof own.internal);
  code = library->init_rank (&comm, size, own, rank);
  if (code == ESK_NCCL_SUCCESS)
    return comm;
  snprintf (why, why_bytes, "%s", library->get_error_string (code));

  return NULL;
}
