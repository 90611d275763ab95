/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Memory of a kind, and how much of it there is: the system promises more than it has, and kills who believes it. */

#include "es-lab-cpu-private.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#define LARGE_PAGE ((size_t) 2 << 20)

static bool
has_large_pages (void)
{
#if defined (MADV_HUGEPAGE)
  char text[128] = "";
  FILE *file = fopen ("/sys/kernel/mm/transparent_hugepage/enabled", "re");

  if (file == NULL)
    return false;
  if (fgets (text, sizeof text, file) == NULL)
    text[0] = '\0';
  fclose (file);
  return text[0] != '\0' && strstr (text, "[never]") == NULL;
#else
  return false;
#endif
}

/* A page, by trying. */
static bool
may_lock_at_all (void)
{
  const long page = sysconf (_SC_PAGESIZE);
  const size_t bytes = page > 0 ? (size_t) page : 4096;
  void *data = mmap (NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  bool locked;

  if (data == MAP_FAILED)
    return false;
  locked = mlock (data, bytes) == 0;
  munmap (data, bytes);
  return locked;
}

/* By its limit; what is locked already, and rights beyond it, only trying tells: of a container root has none. */
static bool
may_lock (uint64_t bytes)
{
  struct rlimit limit;

  if (getrlimit (RLIMIT_MEMLOCK, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY || bytes <= limit.rlim_cur)
    return true;
  return geteuid () == 0 && (limit.rlim_cur > 0 || may_lock_at_all ());
}

bool
esk_lab_memory_has (EskLabMemory memory,
                    uint64_t     bytes)
{
  switch (memory)
    {
    case ESK_MEMORY_PAGEABLE:
      return true;
    case ESK_MEMORY_REGISTERED:
      return may_lock (bytes);
    case ESK_MEMORY_LARGE_PAGES:
      return has_large_pages ();
    default:
      return false;
    }
}

int
esk_lab_room (EskLab  *lab,
              uint64_t bytes)
{
  const uint64_t there = esk_lab_memory_free ();

  /* Others want some, too. */
  if (bytes <= there - there / 8)
    return ESK_LAB_OK;
  return esk_lab_fail (lab, ESK_LAB_ERROR_MEMORY, "%.1f MB of memory are needed, and of the %.1f MB that are free an"
                       " eighth is left to others", (double) bytes / 1e6, (double) there / 1e6);
}

int
esk_lab_range_new (EskLab      *lab,
                   EskLabMemory memory,
                   uint64_t     bytes,
                   EskLabRange *range)
{
  const size_t align = memory == ESK_MEMORY_LARGE_PAGES ? LARGE_PAGE : 0;
  int code;

  memset (range, 0, sizeof *range);
  if (bytes == 0 || bytes > SIZE_MAX / 2)
    return ESK_LAB_ERROR_ARGUMENT;
  if ((code = esk_lab_room (lab, bytes + align)) != ESK_LAB_OK)
    return code;

  range->mapped = (size_t) bytes + align;
  range->mapping = mmap (NULL, range->mapped, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (range->mapping == MAP_FAILED)
    {
      memset (range, 0, sizeof *range);
      return esk_lab_fail (lab, ESK_LAB_ERROR_MEMORY, "%.1f MB of memory: %s", (double) bytes / 1e6, strerror (errno));
    }
  range->memory = memory;
  range->bytes = (size_t) bytes;
  range->data = align == 0 ? range->mapping
                : (void *) (((uintptr_t) range->mapping + align - 1) / align * align);
#if defined (MADV_HUGEPAGE)
  if (memory == ESK_MEMORY_LARGE_PAGES)
    madvise (range->mapping, range->mapped, MADV_HUGEPAGE);
#endif
  if (memory == ESK_MEMORY_REGISTERED && mlock (range->data, range->bytes) != 0)
    {
      const int reason = errno;

      esk_lab_range_free (range);
      return esk_lab_fail (lab, reason == EPERM ? ESK_LAB_ERROR_SUPPORT : ESK_LAB_ERROR_MEMORY,
                           "%.1f MB of memory could not be locked: %s", (double) bytes / 1e6, strerror (reason));
    }

  return ESK_LAB_OK;
}

void
esk_lab_range_free (EskLabRange *range)
{
  if (range->mapping == NULL)
    return;

  if (range->memory == ESK_MEMORY_REGISTERED)
    munlock (range->data, range->bytes);
  munmap (range->mapping, range->mapped);
  memset (range, 0, sizeof *range);
}
