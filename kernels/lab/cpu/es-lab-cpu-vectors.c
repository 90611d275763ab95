/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A gathered vector as a warp: lanes at one address or at several, in order or not, close together or apart. */

#include "es-lab-cpu-private.h"

#include <stdlib.h>

#define STEPS 1024
#define MOST_LANES 16
#define POLL 65536

typedef struct
{
  const EskLabLoops *loops;
  const int32_t     *table;
  int32_t            index[MOST_LANES];
} Gather;

static void
run_gather (void *data)
{
  Gather *gather = data;

  gather->loops->gather (gather->table, STEPS, gather->index);
}

static int
shuffle (EskLab   *lab,
         int32_t  *order,
         size_t    n,
         uint64_t *random)
{
  for (size_t i = 0; i < n; i++)
    {
      const size_t j = (size_t) ((esk_lab_random (random) >> 32) * (i + 1) >> 32);

      order[i] = order[j];
      order[j] = (int32_t) i;
      if (i % POLL == POLL - 1 && esk_lab_poll (lab) != ESK_LAB_OK)
        return ESK_LAB_ERROR_CANCELLED;
    }
  return ESK_LAB_OK;
}

/* One cycle of all rows: order[k] is followed by order[k + 1]. Variant 1: lanes in their order, 2: shuffled within the
 * row they go to, 3: a cycle of its own for every lane, which stays in its column, 4: as 1. */
static int
link_rows (EskLab   *lab,
           int32_t  *table,
           int32_t  *order,
           size_t    rows,
           size_t    lanes,
           uint32_t  variant,
           uint64_t *random)
{
  int32_t within[MOST_LANES];
  int code = shuffle (lab, order, rows, random);

  for (size_t lane = 0; lane < lanes && code == ESK_LAB_OK; lane++)
    {
      if (variant == 3)
        code = shuffle (lab, order, rows, random);
      for (size_t k = 0; k < rows && code == ESK_LAB_OK; k++)
        {
          table[(size_t) order[k] * lanes + lane] = order[(k + 1) % rows] * (int32_t) lanes + (int32_t) lane;
          if (k % POLL == POLL - 1)
            code = esk_lab_poll (lab);
        }
    }
  for (size_t row = 0; row < rows && variant == 2 && code == ESK_LAB_OK; row++)
    {
      const int32_t to = table[row * lanes] / (int32_t) lanes * (int32_t) lanes;

      code = shuffle (lab, within, lanes, random);
      for (size_t lane = 0; lane < lanes; lane++)
        table[row * lanes + lane] = to + within[lane];
      if (row % POLL == POLL - 1)
        code = esk_lab_poll (lab);
    }
  return code;
}

static int
measure_order (EskLab         *lab,
               const EskProbe *probe,
               Gather         *gather,
               EskProbeResult *result)
{
  const size_t lanes = lab->loops->width / 4, rows = (size_t) probe->bytes / (4 * lanes);
  const uint32_t offset = probe->variant == 4 ? probe->stride : 0;
  uint64_t random = 0x9e3779b97f4a7c15ull;
  EskLabRange range;
  int32_t *order, *table;
  int code = esk_lab_range_new (lab, probe->memory, probe->bytes + 64, &range);

  if (code != ESK_LAB_OK)
    return code;
  order = malloc (rows * sizeof *order);
  if (order == NULL)
    {
      esk_lab_range_free (&range);
      return ESK_LAB_ERROR_MEMORY;
    }
  table = (int32_t *) ((unsigned char *) range.data + offset);
  code = link_rows (lab, table, order, rows, lanes, probe->variant, &random);
  free (order);

  gather->table = table;
  for (size_t i = 0; i < rows && code == ESK_LAB_OK; i += STEPS)
    {
      run_gather (gather);
      code = esk_lab_poll (lab);
    }
  if (code == ESK_LAB_OK)
    code = esk_lab_clock_measure (lab, probe, run_gather, gather, STEPS, result);
  /* In their columns, or in one row. */
  for (size_t lane = 0; lane < lanes && code == ESK_LAB_OK; lane++)
    if (gather->index[lane] < 0 || (size_t) gather->index[lane] >= rows * lanes
        || (probe->variant != 2 && (size_t) gather->index[lane] % lanes != lane)
        || (probe->variant != 3 && (size_t) gather->index[lane] / lanes != (size_t) gather->index[0] / lanes))
      code = esk_lab_fail (lab, ESK_LAB_ERROR_WRONG, "Lane %zu of a gathered vector has left its place", lane);
  esk_lab_range_free (&range);
  return code;
}

int
esk_lab_measure_vectors (EskLab         *lab,
                         const EskProbe *probe,
                         EskProbeResult *result)
{
  const size_t lanes = lab->loops->width / 4;
  int32_t same[MOST_LANES];
  Gather gather = { lab->loops, same, { 0 } };
  int code;

  for (size_t lane = 0; lane < lanes; lane++)
    gather.index[lane] = same[lane] = (int32_t) lane;
  if (probe->kind == ESK_PROBE_ORDER)
    return measure_order (lab, probe, &gather, result);

  for (size_t lane = 0; lane < lanes; lane++)
    gather.index[lane] = (int32_t) (lane / probe->ways * probe->ways);
  code = esk_lab_clock_measure (lab, probe, run_gather, &gather, STEPS, result);
  for (size_t lane = 0; lane < lanes && code == ESK_LAB_OK; lane++)
    if ((size_t) gather.index[lane] != lane / probe->ways * probe->ways)
      code = esk_lab_fail (lab, ESK_LAB_ERROR_WRONG, "Lane %zu of a gathered vector has left its place", lane);
  return code;
}
