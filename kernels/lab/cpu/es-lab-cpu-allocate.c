/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What memory costs before it is of use: mapping it, the first touch, locking it, and giving it back. */

#include "es-lab-cpu-private.h"

#include <errno.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define LARGE_PAGE ((size_t) 2 << 20)
#define POLL_BYTES ((size_t) 16 << 20)

enum { ALLOCATE, LOCK, TOUCH, UNLOCK, FREE };

/* lab: allocate */
static unsigned char *
map (size_t       bytes,
     EskLabMemory memory)
{
  void *data = mmap (NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

  if (data == MAP_FAILED)
    return NULL;
#if defined (MADV_HUGEPAGE)
  if (memory == ESK_MEMORY_LARGE_PAGES)
    madvise (data, bytes, MADV_HUGEPAGE);
#else
  (void) memory;
#endif
  return data;
}

static int
touch (EskLab                 *lab,
       volatile unsigned char *data,
       size_t                  bytes,
       size_t                  page)
{
  for (size_t i = 0; i < bytes; i += page)
    {
      data[i] = 1;
      if (i % POLL_BYTES == 0 && esk_lab_poll (lab) != ESK_LAB_OK)
        return ESK_LAB_ERROR_CANCELLED;
    }
  return ESK_LAB_OK;
}

/* All of it once, of which one step is timed. */
static int
go_through (EskLab         *lab,
            const EskProbe *probe,
            size_t          page,
            double          seconds[5])
{
  const size_t bytes = (size_t) probe->bytes;
  double now = esk_lab_seconds (), before = now;
  unsigned char *data = map (bytes, probe->memory);
  int code = ESK_LAB_OK;

  if (data == NULL)
    return esk_lab_fail (lab, ESK_LAB_ERROR_MEMORY, "%.1f MB of memory: %s", (double) bytes / 1e6, strerror (errno));
  now = esk_lab_seconds ();
  seconds[ALLOCATE] = now - before;

  if (probe->variant >= LOCK)
    {
      before = now;
      code = touch (lab, data, bytes, page);
      now = esk_lab_seconds ();
      seconds[TOUCH] = now - before;
    }
  if (code == ESK_LAB_OK && (probe->variant == LOCK || probe->variant == UNLOCK))
    {
      before = now;
      if (mlock (data, bytes) != 0)
        {
          const int reason = errno;

          code = esk_lab_fail (lab, reason == EPERM ? ESK_LAB_ERROR_SUPPORT : ESK_LAB_ERROR_MEMORY,
                               "%.1f MB of memory could not be locked: %s", (double) bytes / 1e6, strerror (reason));
        }
      else
        {
          now = esk_lab_seconds ();
          seconds[LOCK] = now - before;
          before = now;
          munlock (data, bytes);
          now = esk_lab_seconds ();
          seconds[UNLOCK] = now - before;
        }
    }

  before = esk_lab_seconds ();
  munmap (data, bytes);
  seconds[FREE] = esk_lab_seconds () - before;
  return code;
}
/* lab end */

int
esk_lab_measure_allocate (EskLab         *lab,
                          const EskProbe *probe,
                          EskProbeResult *result)
{
  const long page = sysconf (_SC_PAGESIZE);
  int code = esk_lab_room (lab, probe->bytes + LARGE_PAGE);

  for (uint32_t i = 0; i <= probe->repeats && code == ESK_LAB_OK; i++)
    {
      double seconds[5] = { 0 };

      code = go_through (lab, probe, page > 0 ? (size_t) page : 4096, seconds);
      if (code == ESK_LAB_OK)
        code = esk_lab_poll (lab);
      if (i > 0)
        result->samples[i - 1] = seconds[probe->variant];
    }
  if (code != ESK_LAB_OK)
    return code;
  result->n = probe->repeats;
  esk_lab_clock_note (lab, result);
  return ESK_LAB_OK;
}
