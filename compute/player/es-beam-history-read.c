/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* What a history knows, row by row and kind by kind. */

#include "es-beam-history-private.h"

#include <math.h>
#include <string.h>

const EsBeamSettings *
es_beam_history_get_settings (EsBeamHistory *self)
{
  return self->form != NULL ? self->form->settings : NULL;
}

gboolean
es_beam_history_is_calibrated (EsBeamHistory *self)
{
  return self->form != NULL && self->form->calibrated;
}

guint
es_beam_history_get_n_rows (EsBeamHistory *self)
{
  return self->n_rows;
}

double
es_beam_history_get_time (EsBeamHistory *self, guint row)
{
  g_return_val_if_fail (row < self->n_rows, NAN);
  return g_array_index (self->times, double, self->n_rows - 1 - row);
}

double
es_beam_history_get_time_of (EsBeamHistory *self, EsBeamKind kind, guint row)
{
  const double time = es_beam_history_get_time (self, row);
  const guint index = self->n_rows - 1 - row;

  if (kind == ES_BEAM_CBF || self->adaptive_times == NULL || index >= self->adaptive_times->len
      || isnan (g_array_index (self->adaptive_times, double, index)))
    return time;
  return g_array_index (self->adaptive_times, double, index);
}

double
es_beam_history_get_begin (EsBeamHistory *self, guint row)
{
  const EsBeamSettings *settings = es_beam_history_get_settings (self);

  g_return_val_if_fail (settings != NULL, NAN);
  /* A result that only has layers does not say how long a block is. */
  return es_beam_history_get_time (self, row) - (settings->block > 1 ? 0.5 * settings->block / settings->rate : 0);
}

EsBeamKind
es_beam_history_get_tracked (EsBeamHistory *self)
{
  return es_beam_history_has (self, ES_BEAM_MVDR) ? ES_BEAM_MVDR : ES_BEAM_CBF;
}

guint
es_beam_history_find_row (EsBeamHistory *self, double time)
{
  double nearest = INFINITY;
  guint found = 0;

  /* Newest first: what was played twice is seen as it was heard last. */
  for (guint row = 0; row < self->n_rows; row++)
    {
      const double distance = fabs (g_array_index (self->times, double, self->n_rows - 1 - row) - time);
      if (distance < nearest)
        {
          nearest = distance;
          found = row;
        }
    }
  return found;
}

gboolean
es_beam_history_has (EsBeamHistory *self, EsBeamKind kind)
{
  g_return_val_if_fail (kind < ES_N_BEAM_KINDS, FALSE);

  if (self->result != NULL)
    return self->btr[kind] != NULL || self->fraz[kind] != NULL || self->fields[kind] != NULL;
  if (kind == ES_BEAM_CBF)
    return self->form != NULL;
  /* Without a far row: of the newest block alone. */
  return self->n_of[kind] > 0 || (self->newest != NULL && es_beam_block_has (self->newest, kind));
}

/* ---- rows ---- */

const float *
es_beam_history_get_row_of (EsBeamHistory *self, EsBeamKind kind, guint row)
{
  g_return_val_if_fail (kind < ES_N_BEAM_KINDS && row < self->n_rows, NULL);

  const guint index = self->n_rows - 1 - row, chunk = index / ES_BEAM_HISTORY_CHUNK;
  if (self->result == NULL && (self->row_kinds->data[index] >> kind & 1) == 0)
    return NULL;
  if (chunk >= self->chunks[kind]->len)
    return NULL;
  if (g_ptr_array_index (self->chunks[kind], chunk) == NULL && !_es_beam_history_read_chunk (self, kind, chunk))
    return NULL;
  return (const float *) g_ptr_array_index (self->chunks[kind], chunk)
         + (gsize) (index % ES_BEAM_HISTORY_CHUNK) * self->form->settings->n_angles;
}

const float *
es_beam_history_get_row (EsBeamHistory *self, guint row)
{
  return es_beam_history_get_row_of (self, ES_BEAM_CBF, row);
}

/* ---- moments ---- */

/* NULL: gone, or not of this kind of history. */
static const EsBeamMoment *
find_moment (EsBeamHistory *self, guint row)
{
  if (row >= self->n_moments)
    return NULL;
  return &self->ring[(self->next + self->capacity - 1 - row) % self->capacity];
}

const float *
es_beam_history_get_field_of (EsBeamHistory *self, EsBeamKind kind, guint row)
{
  g_return_val_if_fail (kind < ES_N_BEAM_KINDS, NULL);

  const EsBeamMoment *moment = find_moment (self, row);
  return self->result != NULL ? self->fields[kind] : moment != NULL ? moment->fields[kind] : NULL;
}

const float *
es_beam_history_get_field (EsBeamHistory *self, guint row)
{
  return es_beam_history_get_field_of (self, ES_BEAM_CBF, row);
}

guint
es_beam_history_get_n_spectra (EsBeamHistory *self)
{
  if (self->result != NULL)
    {
      gboolean any = self->lofar != NULL;
      for (guint kind = 0; kind < ES_N_BEAM_KINDS; kind++)
        any = any || self->fraz[kind] != NULL;
      return any ? self->n_rows : 0;
    }
  return self->form != NULL && es_beam_settings_find_far (self->form->settings) < self->form->settings->n_ranges
         ? self->n_moments : 0;
}

guint
es_beam_history_get_only_angle (EsBeamHistory *self)
{
  return self->lofar != NULL ? self->lofar_angle : G_MAXUINT;
}

static gboolean
copy_nothing (float *out, gsize n)
{
  for (gsize i = 0; i < n; i++)
    out[i] = NAN;
  return FALSE;
}

gboolean
es_beam_history_copy_beam_of (EsBeamHistory *self, EsBeamKind kind, guint row, guint angle, float *out)
{
  g_return_val_if_fail (kind < ES_N_BEAM_KINDS, FALSE);

  const EsBeamMoment *moment = find_moment (self, row);
  if (self->form == NULL)
    return FALSE;
  const guint n_bins = self->form->settings->n_bins;
  if (self->lofar != NULL && kind != ES_BEAM_MUSIC && angle == self->lofar_angle
      && row < es_field_get_rows (self->lofar)->n
      && es_field_read (self->lofar, es_field_get_rows (self->lofar)->n - 1 - row, 1, out, NULL))
    return TRUE;
  if (moment == NULL || moment->levels[kind] == NULL || angle >= self->form->settings->n_angles)
    return copy_nothing (out, n_bins);
  _es_beam_levels_decode (moment->levels[kind] + (gsize) angle * n_bins, 1, out, n_bins);
  return TRUE;
}

gboolean
es_beam_history_copy_beam (EsBeamHistory *self, guint row, guint angle, float *out)
{
  return es_beam_history_copy_beam_of (self, ES_BEAM_CBF, row, angle, out);
}

gboolean
es_beam_history_copy_fraz_of (EsBeamHistory *self, EsBeamKind kind, guint row, float *out)
{
  g_return_val_if_fail (kind < ES_N_BEAM_KINDS, FALSE);

  const EsBeamMoment *moment = find_moment (self, row);
  if (self->form == NULL)
    return FALSE;
  const guint n_bins = self->form->settings->n_bins, n_angles = self->form->settings->n_angles;
  if (self->fraz[kind] != NULL)
    {
      memcpy (out, self->fraz[kind], (gsize) n_bins * n_angles * sizeof *out);
      return TRUE;
    }
  if (moment == NULL || moment->levels[kind] == NULL)
    return copy_nothing (out, (gsize) n_bins * n_angles);
  for (guint b = 0; b < n_bins; b++)
    _es_beam_levels_decode (moment->levels[kind] + b, n_bins, out + (gsize) b * n_angles, n_angles);
  return TRUE;
}

gboolean
es_beam_history_copy_fraz (EsBeamHistory *self, guint row, float *out)
{
  return es_beam_history_copy_fraz_of (self, ES_BEAM_CBF, row, out);
}

/* ---- adaptive beams ---- */

const double *
es_beam_history_get_eigenvalues (EsBeamHistory *self, guint *n)
{
  *n = self->n_eigenvalues;
  return self->newest != NULL ? es_beam_block_get_eigenvalues (self->newest, n) : self->eigenvalues;
}

const EsBeamProbe *
es_beam_history_get_probe (EsBeamHistory *self)
{
  return self->newest != NULL ? es_beam_block_get_probe (self->newest) : self->probe;
}

const EsAdaptiveReport *
es_beam_history_get_report (EsBeamHistory *self)
{
  return self->newest != NULL ? es_beam_block_get_report (self->newest) : NULL;
}

guint
es_beam_history_get_used (EsBeamHistory *self)
{
  return self->newest != NULL ? es_beam_block_get_used (self->newest) : self->used;
}
