/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * One step of a recurrence on a panel, included once for each processor. Before it is defined LANES, the float64
 * values of a vector register: 2, 4 or 8. A row of the panel is loaded for each value of the matrix; four rows are on
 * the way at once, as one sum would have to wait for the last.
 */

#include "es-cpu-recurrence-private.h"

#define PARTS (ESK_PANEL_VECTORS / LANES)

typedef double Lanes __attribute__ ((vector_size (8 * LANES)));

static inline __attribute__ ((always_inline)) void
add_row (Lanes *sum, double value, const double *x)
{
  const Lanes *row = (const Lanes *) (const void *) x;

  for (int p = 0; p < PARTS; p++)
    sum[p] += value * row[p];
}

static void
step (const EskCsr *matrix, const EskRecurrence *how, const double *x, double *y)
{
  const int32_t *column = matrix->column;
  const double *value = matrix->value;

  for (size_t i = 0; i < matrix->rows; i++)
    {
      const Lanes *own = (const Lanes *) (const void *) (x + i * ESK_PANEL_VECTORS);
      Lanes *out = (Lanes *) (void *) (y + i * ESK_PANEL_VECTORS);
      Lanes s[4][PARTS] = { { { 0 } } };
      size_t k = (size_t) matrix->row_from[i], end = (size_t) matrix->row_from[i + 1];

      for (; k + 4 <= end; k += 4)
        {
          add_row (s[0], value[k], x + (size_t) column[k] * ESK_PANEL_VECTORS);
          add_row (s[1], value[k + 1], x + (size_t) column[k + 1] * ESK_PANEL_VECTORS);
          add_row (s[2], value[k + 2], x + (size_t) column[k + 2] * ESK_PANEL_VECTORS);
          add_row (s[3], value[k + 3], x + (size_t) column[k + 3] * ESK_PANEL_VECTORS);
        }
      for (; k < end; k++)
        add_row (s[0], value[k], x + (size_t) column[k] * ESK_PANEL_VECTORS);
      for (int p = 0; p < PARTS; p++)
        {
          Lanes sum = how->a * ((s[0][p] + s[1][p]) + (s[2][p] + s[3][p])) + how->b * own[p];

          out[p] = how->c == 0 ? sum : sum + how->c * out[p];
        }
    }
}

#undef PARTS
