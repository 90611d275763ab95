/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Tables of our own transforms. */

#include "es-cpu-dft-private.h"

#include <math.h>
#include <stdlib.h>

bool
esk_dft_is_own (const EskDftPlan *plan)
{
  return plan->library == ESK_DFT_AUTO && plan->length >= ESK_DFT_LEAST && plan->length <= ESK_DFT_MOST
         && (plan->length & (plan->length - 1)) == 0;
}

static void
set_turn (float *to,
          size_t k,
          size_t n)
{
  const double angle = -2.0 * M_PI * (double) (k % n) / (double) n;

  to[0] = (float) cos (angle);
  to[1] = (float) sin (angle);
}

int
esk_dft_own_init (EskDft *dft)
{
  const size_t length = dft->plan.length, half = length / 2;
  size_t columns = 1, rows;
  float *table;

  while (columns * columns < half)
    columns *= 2;
  rows = half / columns;
  table = reallocarray (NULL, columns + rows + half + dft->plan.bins, 2 * sizeof *table);
  if (table == NULL)
    return ESK_ERROR_MEMORY;

  dft->columns = columns;
  dft->rows = rows;
  dft->column_turns = table;
  dft->row_turns = dft->column_turns + 2 * columns;
  dft->between = dft->row_turns + 2 * rows;
  dft->last = dft->between + 2 * half;
  for (size_t k = 0; k < columns; k++)
    set_turn (dft->column_turns + 2 * k, k, columns);
  for (size_t k = 0; k < rows; k++)
    set_turn (dft->row_turns + 2 * k, k, rows);
  for (size_t k = 0; k < columns; k++)
    for (size_t b = 0; b < rows; b++)
      set_turn (dft->between + 2 * (k * rows + b), k * b, half);
  for (size_t b = 0; b < dft->plan.bins; b++)
    set_turn (dft->last + 2 * b, dft->plan.first_bin + b, length);

  return ESK_OK;
}

void
esk_dft_own_clear (EskDft *dft)
{
  free (dft->column_turns);
}

/* The numbers of a group, and two of the longer transforms in vectors of sixteen at most. */
size_t
esk_dft_own_floats (const EskDft *dft)
{
  return 2 * ESK_DFT_GROUP * dft->columns * ESK_DFT_STRIDE (dft) + 2 * 32 * dft->columns;
}
