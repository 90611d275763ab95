/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Branches that nobody can foresee: what a processor has in place of a warp whose lanes part. */

#include "es-lab-cpu-private.h"

#include "es-lab-cpu-hide-private.h"

#include <stdlib.h>

/* So many in a row that no table of a predictor holds them. As many as a warp has lanes make an operation. */
#define BRANCHES 65536
#define LANES 32
#define MOST_WAYS 32

typedef struct
{
  uint8_t *ways;
  uint64_t value;
} Branches;

/* lab: divergence */
#define WAY(n) way ## n: ESK_HIDE_WHOLE (value); value = value * (2 * n + 3) + n; goto next;
/* Each way its own constant, so that none of them can be made one. */
static void
run_branches (void *data)
{
  static const void *const targets[MOST_WAYS] = {
    &&way0, &&way1, &&way2, &&way3, &&way4, &&way5, &&way6, &&way7, &&way8, &&way9, &&way10, &&way11, &&way12, &&way13,
    &&way14, &&way15, &&way16, &&way17, &&way18, &&way19, &&way20, &&way21, &&way22, &&way23, &&way24, &&way25, &&way26,
    &&way27, &&way28, &&way29, &&way30, &&way31,
  };
  Branches *branches = data;
  uint64_t value = 1;

  for (size_t i = 0; i < BRANCHES; i++)
    {
      goto *targets[branches->ways[i]];
      WAY (0) WAY (1) WAY (2) WAY (3) WAY (4) WAY (5) WAY (6) WAY (7) WAY (8) WAY (9) WAY (10) WAY (11) WAY (12)
      WAY (13) WAY (14) WAY (15) WAY (16) WAY (17) WAY (18) WAY (19) WAY (20) WAY (21) WAY (22) WAY (23) WAY (24)
      WAY (25) WAY (26) WAY (27) WAY (28) WAY (29) WAY (30) WAY (31)
    next:
      ESK_HIDE_WHOLE (value);
    }
  branches->value = value;
}
/* lab end */

int
esk_lab_measure_divergence (EskLab         *lab,
                            const EskProbe *probe,
                            EskProbeResult *result)
{
  Branches branches = { malloc (BRANCHES), 0 };
  uint64_t random = 0x2545f4914f6cdd1dull, value = 1;
  int code;

  if (branches.ways == NULL)
    return ESK_LAB_ERROR_MEMORY;
  for (size_t i = 0; i < BRANCHES; i++)
    {
      const uint64_t way = (esk_lab_random (&random) >> 32) * probe->ways >> 32;

      branches.ways[i] = (uint8_t) way;
      value = value * (2 * way + 3) + way;
    }
  code = esk_lab_clock_measure (lab, probe, run_branches, &branches, (double) BRANCHES / LANES, result);
  free (branches.ways);
  if (code == ESK_LAB_OK && branches.value != value)
    code = esk_lab_fail (lab, ESK_LAB_ERROR_WRONG, "Branches in %u ways were not taken as they were told",
                         probe->ways);
  return code;
}
