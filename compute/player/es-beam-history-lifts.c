/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/*
 * What adaptive beams of a row are between their angles, for whoever shows rows. The record keeps the beams themselves,
 * in which peaks are found; a result has rows as they are shown, and a table of what the beams are in the cells where
 * that differs.
 */

#include "es-beam-history-private.h"

#include <math.h>
#include <string.h>

typedef struct
{
  guint      n;
  EsBeamLift lifts[ES_BEAM_MOST_LIFTS];
} RowLifts;

static RowLifts *
lifts_of (EsBeamHistory *self, guint row)
{
  return self->row_lifts != NULL && row < self->row_lifts->len ? &g_array_index (self->row_lifts, RowLifts, row) : NULL;
}

static RowLifts *
make_lifts (EsBeamHistory *self, guint row)
{
  if (self->row_lifts == NULL)
    self->row_lifts = g_array_new (FALSE, TRUE, sizeof (RowLifts));
  if (self->row_lifts->len <= row)
    g_array_set_size (self->row_lifts, MAX (self->n_rows, row + 1));
  return lifts_of (self, row);
}

void
_es_beam_history_keep_lifts (EsBeamHistory *self, guint row, const EsBeamLift *lifts, guint n)
{
  RowLifts *kept = make_lifts (self, row);

  kept->n = n;
  memcpy (kept->lifts, lifts, n * sizeof *lifts);
}

gsize
_es_beam_history_get_lift_bytes (EsBeamHistory *self)
{
  return self->row_lifts != NULL ? self->row_lifts->len * sizeof (RowLifts) : 0;
}

/* ---- of a result ---- */

/* As the operation makes it: time, beam, level at the beam, bearing, level. */
enum { TIME, BEAM, SAMPLE, BEARING, LEVEL, N_COLUMNS };

/* Of a step from one angle to the next: what angles of a file may be off by. */
#define SAME_ANGLE 1e-3

/* FALSE: the row names no angle that there is. */
static gboolean
read_lift (EsTable *table, guint row, const EsBeamSettings *settings, EsBeamLift *lift)
{
  const double *angles = settings->angles, beam = es_table_get_value (table, row, BEAM);
  guint nearest = 0;

  for (guint i = 1; i < settings->n_angles; i++)
    if (fabs (angles[i] - beam) < fabs (angles[nearest] - beam))
      nearest = i;
  const guint other = nearest > 0 ? nearest - 1 : 1;
  *lift = (EsBeamLift) {
    .index = nearest, .bearing = (float) es_table_get_value (table, row, BEARING),
    .power = (float) pow (10, es_table_get_value (table, row, LEVEL) / 10),
    .sample = (float) pow (10, es_table_get_value (table, row, SAMPLE) / 10),
  };
  return fabs (angles[nearest] - beam) <= SAME_ANGLE * fabs (angles[nearest] - angles[other])
         && isfinite (lift->power) && isfinite (lift->sample) && isfinite (lift->bearing);
}

void
_es_beam_history_take_lifts (EsBeamHistory *self, EsTable *table)
{
  const EsBeamSettings *settings = self->form->settings;
  const gboolean is_usable = table != NULL && self->btr[ES_BEAM_MVDR] != NULL && settings->n_angles > 1
                             && es_table_get_n_columns (table) == N_COLUMNS;
  const guint n = is_usable ? es_table_get_n_rows (table) : 0;
  guint row = 0;

  for (guint i = 0; i < n; i++)
    {
      const double time = es_table_get_value (table, i, TIME);
      EsBeamLift lift;

      if (!isfinite (time) || !read_lift (table, i, settings, &lift))
        continue;
      /* Both are in the order of time. */
      while (row + 1 < self->n_rows
             && fabs (es_beam_history_get_time_of (self, ES_BEAM_MVDR, row + 1) - time)
                <= fabs (es_beam_history_get_time_of (self, ES_BEAM_MVDR, row) - time))
        row++;
      RowLifts *kept = make_lifts (self, row);
      if (kept->n < ES_BEAM_MOST_LIFTS)
        kept->lifts[kept->n++] = lift;
    }
}

void
_es_beam_history_lower (EsBeamHistory *self, guint first, guint n, float *rows)
{
  const guint n_angles = self->form->settings->n_angles;

  for (guint i = 0; i < n; i++)
    {
      RowLifts *lifts = lifts_of (self, first + i);
      float *row = rows + (gsize) i * n_angles;

      for (guint k = 0; lifts != NULL && k < lifts->n; k++)
        {
          /* What the row says is what is shown, to the last digit. */
          lifts->lifts[k].power = row[lifts->lifts[k].index];
          row[lifts->lifts[k].index] = lifts->lifts[k].sample;
        }
    }
}

/* ---- reading ---- */

const EsBeamLift *
es_beam_history_get_lifts (EsBeamHistory *self, EsBeamKind kind, guint row, guint *n)
{
  const RowLifts *lifts = kind == ES_BEAM_MVDR && row != G_MAXUINT ? lifts_of (self, row) : NULL;

  *n = lifts != NULL ? lifts->n : 0;
  return *n > 0 ? lifts->lifts : NULL;
}

const float *
es_beam_history_get_shown_row (EsBeamHistory *self, EsBeamKind kind, guint row)
{
  const float *powers = es_beam_history_get_row_of (self, kind, row);
  guint n;
  const EsBeamLift *lifts = es_beam_history_get_lifts (self, kind, row, &n);

  if (powers == NULL || lifts == NULL)
    return powers;
  const guint n_angles = self->form->settings->n_angles;
  if (self->lifted == NULL)
    self->lifted = g_new (float, n_angles);
  memcpy (self->lifted, powers, n_angles * sizeof *powers);
  es_beam_lift (self->lifted, lifts, n);
  return self->lifted;
}
