/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Pointers chased through memory: every access needs what the one before it read. */

#include "es-lab-cpu-private.h"

#include "es-lab-cpu-hide-private.h"

/* Two accesses to one line would be one access. */
#define LINE 64
#define STEPS 4096
#define MOST_WARM_STEPS ((size_t) 1 << 20)
#define POLL 65536

/* Sattolo: each is exchanged with an earlier one, never with itself, which leaves one cycle. Of numbers, which take
 * less room than the elements that are linked by them, one after the other, in the end. */
int
esk_lab_chase_link (EskLab *lab,
                    void   *data,
                    size_t  n,
                    size_t  size)
{
  const EskLabMemory memory = esk_lab_memory_has (ESK_MEMORY_LARGE_PAGES, 0) ? ESK_MEMORY_LARGE_PAGES
                              : ESK_MEMORY_PAGEABLE;
  unsigned char *bytes = data;
  uint64_t random = 0x9e3779b97f4a7c15ull;
  EskLabRange range;
  uint32_t *next;
  int code;

  if (n == 0 || n > UINT32_MAX || size < sizeof (void *))
    return ESK_LAB_ERROR_ARGUMENT;
  if ((code = esk_lab_range_new (lab, memory, n * sizeof *next, &range)) != ESK_LAB_OK)
    return code;
  next = range.data;

  for (size_t i = 0; i < n; i++)
    next[i] = (uint32_t) i;
  for (size_t i = n - 1; i > 0 && code == ESK_LAB_OK; i--)
    {
      const size_t j = (size_t) ((esk_lab_random (&random) >> 32) * i >> 32);
      const uint32_t other = next[j];

      next[j] = next[i];
      next[i] = other;
      if (i % POLL == 0)
        code = esk_lab_poll (lab);
    }
  for (size_t i = 0; i < n && code == ESK_LAB_OK; i++)
    {
      *(void **) (bytes + i * size) = bytes + next[i] * size;
      if (i % POLL == 0)
        code = esk_lab_poll (lab);
    }
  esk_lab_range_free (&range);
  return code;
}

void
esk_lab_chase_stride (uint32_t *data,
                      size_t    n,
                      size_t    stride)
{
  for (size_t i = 0; i < n; i++)
    data[i] = (uint32_t) ((i + stride) % n * sizeof *data);
}

typedef struct
{
  const unsigned char *data;
  void                *at;
  uint64_t             offset;
} Chase;

/* lab: chase */
static void
chase_pointers (void *data)
{
  Chase *chase = data;
  void *p = chase->at;

  for (int i = 0; i < STEPS / 64; i++)
    {
      ESK_SIXTY_FOUR (p = *(void **) p; ESK_HIDE_WHOLE (p);)
    }
  chase->at = p;
}

/* Offsets instead of indices: nothing is to be multiplied. */
static void
chase_words (void *data)
{
  Chase *chase = data;
  const unsigned char *base = chase->data;
  uint64_t p = chase->offset;

  for (int i = 0; i < STEPS / 64; i++)
    {
      ESK_SIXTY_FOUR (p = *(const uint32_t *) (base + p); ESK_HIDE_WHOLE (p);)
    }
  chase->offset = p;
}
/* lab end */

int
esk_lab_measure_chase (EskLab         *lab,
                       const EskProbe *probe,
                       EskProbeResult *result)
{
  const bool words = probe->stride > 0;
  const size_t n = (size_t) (probe->bytes / (words ? sizeof (uint32_t) : LINE));
  EskLabPiece piece = words ? chase_words : chase_pointers;
  EskLabRange range;
  Chase chase;
  int code = esk_lab_range_new (lab, probe->memory, probe->bytes, &range);

  if (code != ESK_LAB_OK)
    return code;
  if (words)
    esk_lab_chase_stride (range.data, n, probe->stride);
  else
    code = esk_lab_chase_link (lab, range.data, n, LINE);

  /* Once around where it is not too long: then the caches hold what they would hold for ever. */
  chase = (Chase) { range.data, range.data, 0 };
  for (size_t i = 0; i < n && i < MOST_WARM_STEPS && code == ESK_LAB_OK; i += STEPS)
    {
      piece (&chase);
      code = esk_lab_poll (lab);
    }
  if (code == ESK_LAB_OK)
    code = esk_lab_clock_measure (lab, probe, piece, &chase, STEPS, result);

  /* Where it has come to is one of the elements. */
  if (code == ESK_LAB_OK
      && (words ? chase.offset % sizeof (uint32_t) != 0 || chase.offset >= n * sizeof (uint32_t)
          : ((uintptr_t) chase.at - (uintptr_t) range.data) % LINE != 0
            || (uintptr_t) chase.at - (uintptr_t) range.data >= n * LINE))
    code = esk_lab_fail (lab, ESK_LAB_ERROR_WRONG, "A chase through %zu elements has left them", n);
  esk_lab_range_free (&range);
  return code;
}
