/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * How the lower triangle of a matrix is shared out: to warps in tasks, to blocks in kinds of eight tasks that need few
 * slabs (of 16 bands) between them.
 */

#include "es-cuda-covariance-exact-private.h"

typedef struct {
  EskExactKind *kinds;
  unsigned      n_kinds, n_slots;
} Packing;

/* Slot of a slab, taken if it is not there; n_slots where there is no more room. */
static unsigned
slot_of (EskExactKind *kind,
         unsigned      slab,
         unsigned      n_slots)
{
  unsigned s = 0;

  while (s < kind->n_slots && kind->slab[s] != slab)
    s++;
  if (s == kind->n_slots && s < n_slots)
    kind->slab[kind->n_slots++] = (uint16_t) slab;

  return s;
}

/* A task to the last kind, or to a new one. The slabs it needs take their slots in the order given; row and column of
 * the task are places in that list until now, and slots from now on. */
static void
add_task (Packing        *packing,
          const unsigned *slab,
          unsigned        n_slabs,
          EskExactTask    task)
{
  for (;;)
    {
      EskExactKind *kind = packing->kinds + packing->n_kinds - 1, trial = *kind;
      unsigned slot[2 + ESK_EXACT_STRIP], most = 0;

      for (unsigned s = 0; s < n_slabs; s++)
        {
          slot[s] = slot_of (&trial, slab[s], packing->n_slots);
          most = slot[s] > most ? slot[s] : most;
        }
      if (most < packing->n_slots && trial.n_tasks < ESK_EXACT_WARPS)
        {
          for (unsigned r = 0; r < 2; r++)
            task.row[r] = (uint8_t) slot[task.row[r]];
          for (unsigned c = 0; c < ESK_EXACT_STRIP; c++)
            task.column[c] = (uint8_t) slot[task.column[c]];
          trial.task[trial.n_tasks++] = task;
          *kind = trial;
          return;
        }
      packing->n_kinds++;
    }
}

/* Tiles of 4 x 4 slabs: two rows of them at a time, column after column. */
static void
pack_squares (Packing  *packing,
              unsigned  n_groups)
{
  for (unsigned pair = 0; pair < n_groups; pair += 2)
    for (unsigned c = 0; c <= pair + 1 && c < n_groups; c++)
      for (unsigned r = pair < c ? c : pair; r <= pair + 1 && r < n_groups; r++)
        {
          EskExactTask task = { 1, 1, (uint8_t) (r == c), 0, { 0, 0 }, { 4 } };
          unsigned slab[8];

          for (unsigned i = 0; i < 4; i++)
            {
              slab[i] = 4 * r + i;
              slab[4 + i] = 4 * c + i;
            }
          add_task (packing, slab, 8, task);
        }
}

/* n tiles of a row from column `from` on, and then n_other <= n of another row from the same column on; no more than 7
 * in all. */
static void
add_strip (Packing  *packing,
           unsigned  row,
           unsigned  from,
           unsigned  n,
           unsigned  other,
           unsigned  n_other)
{
  EskExactTask task = { (uint8_t) (n + n_other), (uint8_t) n, 0, 0, { 0, 1 }, { 0 } };
  unsigned slab[2 + ESK_EXACT_STRIP] = { row, n_other > 0 ? other : row };

  for (unsigned c = 0; c < n; c++)
    {
      slab[2 + c] = from + c;
      task.column[c] = (uint8_t) (2 + c);
      if (c < n_other)
        task.column[n + c] = (uint8_t) (2 + c);
    }
  /* Who has the tile on the diagonal adds up the bands of the row. */
  if (from + n == row + 1)
    task.sums = n_other > 0 ? 3 : 1;
  add_task (packing, slab, 2 + n, task);
}

/* Strips of 7 tiles: blocks of 7 x 7 slabs, and on the diagonal two rows in one strip, 7 and 0, 6 and 1 ... tiles. */
static void
pack_strips (Packing  *packing,
             unsigned  n_slabs)
{
  for (unsigned first = 0; first < n_slabs; first += ESK_EXACT_STRIP)
    {
      const unsigned n = n_slabs - first < ESK_EXACT_STRIP ? n_slabs - first : ESK_EXACT_STRIP;

      for (unsigned from = 0; from < first; from += ESK_EXACT_STRIP)
        for (unsigned r = 0; r < n; r++)
          add_strip (packing, first + r, from, ESK_EXACT_STRIP, 0, 0);
      for (unsigned r = n; r-- > 0;)
        {
          const unsigned other = ESK_EXACT_STRIP - 2 - r;

          if (r == ESK_EXACT_STRIP - 1 || other >= n)
            add_strip (packing, first + r, first, r + 1, 0, 0);
          else if (other < r)
            add_strip (packing, first + r, first, r + 1, first + other, other + 1);
        }
    }
}

size_t
esk_cuda_exact_most_kinds (unsigned n_bands,
                           bool     wide)
{
  const size_t n_slabs = (n_bands + 15) / 16, n_groups = (n_slabs + 3) / 4;

  return wide ? n_slabs * (n_slabs / ESK_EXACT_STRIP + 1) : n_groups * (n_groups + 1) / 2;
}

unsigned
esk_cuda_exact_pack (EskExactKind *kinds,
                     unsigned      n_bands,
                     bool          wide,
                     unsigned      n_slots)
{
  const unsigned n_slabs = (n_bands + 15) / 16;
  Packing packing = { kinds, 1, wide && n_slots > 3 * ESK_EXACT_STRIP ? 3 * ESK_EXACT_STRIP : n_slots };

  if (wide)
    pack_strips (&packing, n_slabs);
  else
    pack_squares (&packing, (n_slabs + 3) / 4);

  return packing.n_kinds;
}
