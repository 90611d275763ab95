/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Recurrences of a sparse matrix on panels of vectors, for any processor and for the one that is there. */

#include "es-cpu-recurrence-private.h"

#include "cpu/core/es-cpu-team-internal.h"

#define LANES 2
#include "es-cpu-recurrence-loops-private.h"

const EskRecurrenceStep esk_cpu_recurrence_portable = step;

typedef struct
{
  const EskCsr        *matrix;
  size_t               steps;
  const EskRecurrence *recurrence;
  double              *x, *y;
  EskRecurrenceStep    step;
} Work;

static void
do_panel (void    *data,
          size_t   panel,
          unsigned worker)
{
  const Work *work = data;
  double *x = work->x + panel * work->matrix->rows * ESK_PANEL_VECTORS;
  double *y = work->y + panel * work->matrix->rows * ESK_PANEL_VECTORS;

  (void) worker;
  for (size_t k = 0; k < work->steps; k++)
    {
      double *last = y;

      work->step (work->matrix, work->recurrence + k, x, y);
      y = x;
      x = last;
    }
}

int
esk_recur (EskStream           *stream,
           const EskCsr        *matrix,
           size_t               steps,
           const EskRecurrence *recurrence,
           size_t               panels,
           double              *x,
           double              *y)
{
  Work work = { matrix, steps, recurrence, x, y, esk_cpu_recurrence_portable };

  if (stream == NULL || matrix->rows != matrix->columns || matrix->type != ESK_F64)
    return ESK_ERROR_ARGUMENT;
  if (stream->wide && esk_cpu_recurrence_avx512 != NULL)
    work.step = esk_cpu_recurrence_avx512;
  else if (stream->has_avx2 && esk_cpu_recurrence_avx2 != NULL)
    work.step = esk_cpu_recurrence_avx2;
  esk_team_run (stream, panels, do_panel, &work);

  return ESK_OK;
}
