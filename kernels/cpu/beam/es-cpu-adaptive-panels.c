/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Products of panels, the factor of a matrix of them, and rows that are solved for. */

#include "es-cpu-adaptive-private.h"

/* Panels of b that stay in the second-level cache while those of a go by. */
#define BLOCK 4

void
esk_adaptive_multiply (const EskCpuAdaptiveLoops *loops,
                       const double              *a,
                       size_t                     rows,
                       size_t                     panel_size,
                       size_t                     columns,
                       double                     weight,
                       double                    *lower)
{
  const size_t n_panels = esk_adaptive_panels (rows);

  for (size_t k = 0; k < columns; k += ESK_ADAPTIVE_RUN)
    {
      const size_t n = columns - k < ESK_ADAPTIVE_RUN ? columns - k : ESK_ADAPTIVE_RUN;
      const double *at = a + k * ESK_ADAPTIVE_COLUMN;

      for (size_t block = 0; block < n_panels; block += BLOCK)
        for (size_t i = block; i < n_panels; i++)
          for (size_t j = block; j < block + BLOCK && j <= i; j++)
            loops->product (at + i * panel_size, at + j * panel_size, n,
                            j + 1 < n_panels ? ESK_ADAPTIVE_ROWS : rows - j * ESK_ADAPTIVE_ROWS, weight,
                            lower + esk_adaptive_panel_at (i) + j * ESK_ADAPTIVE_TILE);
    }
}

/* lab: azimuth-production */
/* row[panel j] -= row[columns from .. to - 1] L_j'. */
static void
update (const EskCpuAdaptiveLoops *loops,
        const double              *lower,
        size_t                     j,
        size_t                     from,
        size_t                     to,
        double                    *row)
{
  loops->product (row + from * ESK_ADAPTIVE_COLUMN, lower + esk_adaptive_panel_at (j) + from * ESK_ADAPTIVE_COLUMN,
                  to - from, ESK_ADAPTIVE_ROWS, -1.0, row + j * ESK_ADAPTIVE_TILE);
}

/* By blocks of panels: first what the columns before them leave of all rows, run by run; then panel by panel. */
bool
esk_adaptive_factor (const EskCpuAdaptiveLoops *loops,
                     double                    *lower,
                     size_t                     n_panels,
                     const double              *least)
{
  for (size_t block = 0; block < n_panels; block += BLOCK)
    {
      const size_t before = block * ESK_ADAPTIVE_ROWS, end = block + BLOCK < n_panels ? block + BLOCK : n_panels;

      for (size_t k = 0; k < before; k += ESK_ADAPTIVE_RUN)
        for (size_t i = block; i < n_panels; i++)
          for (size_t j = block; j < end && j <= i; j++)
            update (loops, lower, j, k, k + ESK_ADAPTIVE_RUN < before ? k + ESK_ADAPTIVE_RUN : before,
                    lower + esk_adaptive_panel_at (i));
      for (size_t j = block; j < end; j++)
        {
          double *tile = lower + esk_adaptive_panel_at (j) + j * ESK_ADAPTIVE_TILE;

          update (loops, lower, j, before, j * ESK_ADAPTIVE_ROWS, lower + esk_adaptive_panel_at (j));
          if (!loops->factor (tile, least + j * ESK_ADAPTIVE_ROWS))
            return false;
          for (size_t i = j + 1; i < n_panels; i++)
            {
              double *row = lower + esk_adaptive_panel_at (i);

              update (loops, lower, j, before, j * ESK_ADAPTIVE_ROWS, row);
              loops->solve (row + j * ESK_ADAPTIVE_TILE, tile);
            }
        }
    }

  return true;
}

void
esk_adaptive_solve (const EskCpuAdaptiveLoops *loops,
                    const double              *lower,
                    size_t                     n_panels,
                    double                    *rows,
                    size_t                     n_rows,
                    size_t                     row_size)
{
  for (size_t block = 0; block < n_panels; block += BLOCK)
    {
      const size_t before = block * ESK_ADAPTIVE_ROWS, end = block + BLOCK < n_panels ? block + BLOCK : n_panels;

      for (size_t k = 0; k < before; k += ESK_ADAPTIVE_RUN)
        for (size_t i = 0; i < n_rows; i++)
          for (size_t j = block; j < end; j++)
            update (loops, lower, j, k, k + ESK_ADAPTIVE_RUN < before ? k + ESK_ADAPTIVE_RUN : before,
                    rows + i * row_size);
      for (size_t j = block; j < end; j++)
        for (size_t i = 0; i < n_rows; i++)
          {
            double *row = rows + i * row_size;

            update (loops, lower, j, before, j * ESK_ADAPTIVE_ROWS, row);
            loops->solve (row + j * ESK_ADAPTIVE_TILE, lower + esk_adaptive_panel_at (j) + j * ESK_ADAPTIVE_TILE);
          }
    }
}
/* lab end */
