/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-row-sweep.h"

#include <math.h>

/* As many as a screen has lines. */
#define LINES 1024

typedef struct
{
  guint    from, end, stride, row;     /* stride 0: through */
  gboolean first, refills;             /* first: of the widest stride */
} Sweep;

enum { VIEW, ALL, N_SWEEPS };

struct _EsRowSweep
{
  GByteArray *states;
  Sweep       sweeps[N_SWEEPS];
};

EsRowSweep *
es_row_sweep_new (void)
{
  EsRowSweep *self = g_new0 (EsRowSweep, 1);

  self->states = g_byte_array_new ();
  return self;
}

void
es_row_sweep_free (EsRowSweep *self)
{
  g_byte_array_unref (self->states);
  g_free (self);
}

static guint
align (guint row, guint stride)
{
  return (row + stride - 1) / stride * stride;
}

static void
begin (Sweep *sweep, guint from, guint end, gboolean refills)
{
  guint stride = 1;

  while (end > from && (end - from) / stride > LINES)
    stride *= 2;
  *sweep = (Sweep) { from, end, end > from ? stride : 0, align (from, stride), TRUE, refills };
}

void
es_row_sweep_reset (EsRowSweep *self, guint n)
{
  g_byte_array_set_size (self->states, 0);
  es_row_sweep_extend (self, n);
  begin (&self->sweeps[VIEW], 0, 0, FALSE);
}

void
es_row_sweep_extend (EsRowSweep *self, guint n)
{
  const guint before = self->states->len;

  g_byte_array_set_size (self->states, before + n);
  for (guint i = before; i < before + n; i++)
    self->states->data[i] = ES_ROW_EMPTY;
  begin (&self->sweeps[ALL], 0, self->states->len, FALSE);
}

void
es_row_sweep_set_view (EsRowSweep *self, double from, double end, gboolean refills)
{
  const guint n = self->states->len;

  begin (&self->sweeps[VIEW], (guint) CLAMP (floor (from), 0, n), (guint) CLAMP (ceil (end), 0, n), refills);
}

void
es_row_sweep_set (EsRowSweep *self, guint row, EsRowState state)
{
  g_return_if_fail (row < self->states->len);
  self->states->data[row] = (guint8) state;
}

EsRowState
es_row_sweep_get (EsRowSweep *self, guint row)
{
  return row < self->states->len ? self->states->data[row] : ES_ROW_EMPTY;
}

/* Those between the lines of the stride before. */
static void
step (Sweep *sweep)
{
  sweep->row += sweep->first ? sweep->stride : 2 * sweep->stride;
  while (sweep->row >= sweep->end && sweep->stride > 0)
    {
      sweep->first = FALSE;
      sweep->stride /= 2;
      if (sweep->stride == 0)
        return;
      sweep->row = align (sweep->from, sweep->stride);
      if (sweep->row / sweep->stride % 2 == 0)
        sweep->row += sweep->stride;
    }
}

static gboolean
next_of (EsRowSweep *self, Sweep *sweep, guint *row)
{
  while (sweep->stride > 0)
    {
      const guint at = sweep->row;

      step (sweep);
      if (at < sweep->end
          && (self->states->data[at] == ES_ROW_EMPTY || (sweep->refills && self->states->data[at] == ES_ROW_DROPPED)))
        {
          *row = at;
          return TRUE;
        }
    }
  return FALSE;
}

gboolean
es_row_sweep_next (EsRowSweep *self, guint *row)
{
  return next_of (self, &self->sweeps[VIEW], row) || next_of (self, &self->sweeps[ALL], row);
}

gboolean
es_row_sweep_is_done (EsRowSweep *self)
{
  return self->sweeps[VIEW].stride == 0 && self->sweeps[ALL].stride == 0;
}
