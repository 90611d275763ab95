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

gboolean
es_beam_history_is_known (EsBeamHistory *self, guint row)
{
  return row < self->n_rows && (self->result != NULL || g_array_index (self->generations, guint, row) != 0);
}

gboolean
es_beam_history_is_current (EsBeamHistory *self, guint row)
{
  return row < self->n_rows
         && (self->result != NULL || g_array_index (self->generations, guint, row) == self->generation);
}

guint
es_beam_history_get_n_known (EsBeamHistory *self)
{
  return self->result != NULL ? self->n_rows : self->n_known;
}

guint
es_beam_history_get_n_current (EsBeamHistory *self)
{
  return self->result != NULL ? self->n_rows : self->n_current;
}

guint
es_beam_history_get_generation (EsBeamHistory *self)
{
  return self->generation;
}

gboolean
es_beam_history_get_now (EsBeamHistory *self, guint *row)
{
  *row = self->result != NULL ? self->n_rows - 1 : self->now;
  return *row < self->n_rows;
}

/* ---- times ---- */

/* A result that only has layers does not say how long a block is. */
static double
block_seconds (EsBeamHistory *self)
{
  const EsBeamSettings *settings = self->form->settings;

  return settings->block > 1 ? settings->block / settings->rate : 0;
}

double
es_beam_history_get_time (EsBeamHistory *self, guint row)
{
  g_return_val_if_fail (row < self->n_rows, NAN);

  return self->result != NULL ? g_array_index (self->times, double, row) : (row + 0.5) * block_seconds (self);
}

double
es_beam_history_get_time_of (EsBeamHistory *self, EsBeamKind kind, guint row)
{
  const double time = es_beam_history_get_time (self, row);

  if (kind == ES_BEAM_CBF || self->adaptive_times == NULL)
    return time;
  return row < self->adaptive_times->len && !isnan (g_array_index (self->adaptive_times, double, row))
         ? g_array_index (self->adaptive_times, double, row) : MAX (time - self->adaptive_lag, 0);
}

double
es_beam_history_get_begin (EsBeamHistory *self, guint row)
{
  g_return_val_if_fail (self->form != NULL, NAN);
  return es_beam_history_get_time (self, row) - 0.5 * block_seconds (self);
}

EsBeamKind
es_beam_history_get_tracked (EsBeamHistory *self)
{
  return es_beam_history_has (self, ES_BEAM_MVDR) ? ES_BEAM_MVDR : ES_BEAM_CBF;
}

/* The last row whose time is not later; 0 where there is none. */
static guint
bisect (EsBeamHistory *self, EsBeamKind kind, double time)
{
  guint low = 0, high = self->n_rows;

  while (high - low > 1)
    {
      const guint middle = low + (high - low) / 2;

      if (es_beam_history_get_time_of (self, kind, middle) <= time)
        low = middle;
      else
        high = middle;
    }
  return low;
}

guint
es_beam_history_find_row (EsBeamHistory *self, double time)
{
  guint row;

  if (self->n_rows == 0)
    return 0;
  row = bisect (self, ES_BEAM_CBF, time);
  return row + 1 < self->n_rows
         && es_beam_history_get_time (self, row + 1) - time < time - es_beam_history_get_time (self, row)
         ? row + 1 : row;
}

double
es_beam_history_find_place (EsBeamHistory *self, EsBeamKind kind, double time)
{
  if (self->n_rows < 2)
    return self->n_rows - 0.5;
  const guint row = MIN (bisect (self, kind, time), self->n_rows - 2);
  const double before = es_beam_history_get_time_of (self, kind, row);
  const double after = es_beam_history_get_time_of (self, kind, row + 1);

  return row + 0.5 + (after > before ? CLAMP ((time - before) / (after - before), -1, 2) : 0);
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
  if (self->result != NULL && row == G_MAXUINT)
    return self->mean[kind];
  g_return_val_if_fail (kind < ES_N_BEAM_KINDS && row < self->n_rows, NULL);

  const guint chunk = row / ES_BEAM_HISTORY_CHUNK;
  if (self->result == NULL && (self->row_kinds->data[row] >> kind & 1) == 0)
    return NULL;
  if (chunk >= self->chunks[kind]->len)
    return NULL;
  if (g_ptr_array_index (self->chunks[kind], chunk) == NULL && !_es_beam_history_read_chunk (self, kind, chunk))
    return NULL;
  return (const float *) g_ptr_array_index (self->chunks[kind], chunk)
         + (gsize) (row % ES_BEAM_HISTORY_CHUNK) * self->form->settings->n_angles;
}

const float *
es_beam_history_get_row (EsBeamHistory *self, guint row)
{
  return es_beam_history_get_row_of (self, ES_BEAM_CBF, row);
}

/* ---- spectra and fields ---- */

static gboolean
has_far (EsBeamHistory *self)
{
  return self->form != NULL && es_beam_settings_find_far (self->form->settings) < self->form->settings->n_ranges;
}

const float *
es_beam_history_get_field_of (EsBeamHistory *self, EsBeamKind kind, guint row)
{
  g_return_val_if_fail (kind < ES_N_BEAM_KINDS, NULL);

  if (self->result != NULL && (self->archive == NULL || row == G_MAXUINT))
    return self->fields[kind];
  if (self->archive == NULL || !es_beam_history_is_known (self, row))
    return NULL;
  if (self->field == NULL)
    self->field = g_try_new (float, (gsize) self->form->settings->n_ranges * self->form->settings->n_angles);
  return self->field != NULL && es_beam_archive_read_field (self->archive, row, kind, self->field) ? self->field : NULL;
}

const float *
es_beam_history_get_field (EsBeamHistory *self, guint row)
{
  return es_beam_history_get_field_of (self, ES_BEAM_CBF, row);
}

gboolean
es_beam_history_has_spectra (EsBeamHistory *self)
{
  gboolean any = self->lofar != NULL || (self->archive != NULL && has_far (self));

  if (self->result == NULL)
    return has_far (self) && es_beam_archive_count (self->archive) > 0;
  for (guint kind = 0; kind < ES_N_BEAM_KINDS; kind++)
    any = any || self->fraz[kind] != NULL;
  return any && self->n_rows > 0;
}

gboolean
es_beam_history_has_spectra_of (EsBeamHistory *self, EsBeamKind kind, guint row)
{
  g_return_val_if_fail (kind < ES_N_BEAM_KINDS, FALSE);

  if (self->result != NULL && self->archive == NULL)
    return self->fraz[kind] != NULL || (self->lofar != NULL && row < es_field_get_rows (self->lofar)->n);
  return has_far (self) && es_beam_archive_has (self->archive, row, kind);
}

void
es_beam_history_get_spectra_use (EsBeamHistory *self, guint64 *memory, guint64 *file, gboolean *full)
{
  *memory = *file = 0;
  *full = FALSE;
  if (self->archive != NULL)
    es_beam_archive_get_use (self->archive, memory, file, full);
}

void
es_beam_history_count_spectra (EsBeamHistory *self, guint64 *rows, guint64 *most)
{
  guint n_kinds = 0;

  *rows = *most = 0;
  for (guint kind = 0; kind < ES_N_BEAM_KINDS; kind++)
    n_kinds += es_beam_history_has (self, kind) ? 1 : 0;
  if (self->archive == NULL || n_kinds == 0)
    return;
  *rows = es_beam_archive_count (self->archive) / n_kinds;
  *most = es_beam_archive_get_capacity (self->archive) / n_kinds;
}

/* NULL: gone, or not of this kind of history. Borrowed until the next call. */
static const guint16 *
read_levels (EsBeamHistory *self, EsBeamKind kind, guint row, gsize first, gsize n)
{
  const gsize all = (gsize) self->form->settings->n_angles * self->form->settings->n_bins;

  if (self->archive == NULL || !has_far (self) || first > all || n > all - first)
    return NULL;
  if (self->levels == NULL)
    self->levels = g_try_new (guint16, MAX (all, 1));
  return self->levels != NULL && es_beam_archive_read (self->archive, row, kind, first, n, self->levels)
         ? self->levels : NULL;
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

  if (self->form == NULL)
    return FALSE;
  const guint n_bins = self->form->settings->n_bins;
  const EsBeamKind own = self->form->settings->adaptive.on ? ES_BEAM_MVDR : ES_BEAM_CBF;

  if (self->lofar != NULL && (self->archive != NULL ? kind == own : kind != ES_BEAM_MUSIC) && angle == self->lofar_angle
      && row < es_field_get_rows (self->lofar)->n && es_field_read (self->lofar, row, 1, out, NULL))
    return TRUE;
  const guint16 *levels = angle < self->form->settings->n_angles
                            ? read_levels (self, kind, row, (gsize) angle * n_bins, n_bins) : NULL;
  if (levels == NULL)
    return copy_nothing (out, n_bins);
  _es_beam_levels_decode (levels, 1, out, n_bins);
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

  if (self->form == NULL)
    return FALSE;
  const guint n_bins = self->form->settings->n_bins, n_angles = self->form->settings->n_angles;
  if (self->fraz[kind] != NULL && (self->archive == NULL || row == G_MAXUINT))
    {
      memcpy (out, self->fraz[kind], (gsize) n_bins * n_angles * sizeof *out);
      return TRUE;
    }
  const guint16 *levels = read_levels (self, kind, row, 0, (gsize) n_bins * n_angles);
  if (levels == NULL)
    return copy_nothing (out, (gsize) n_bins * n_angles);
  for (guint b = 0; b < n_bins; b++)
    _es_beam_levels_decode (levels + b, n_bins, out + (gsize) b * n_angles, n_angles);
  return TRUE;
}

gboolean
es_beam_history_copy_fraz (EsBeamHistory *self, guint row, float *out)
{
  return es_beam_history_copy_fraz_of (self, ES_BEAM_CBF, row, out);
}

/* ---- adaptive beams ---- */

/* What somebody looks closer at, else what is newest; NULL: of a result. */
static EsBeamBlock *
get_block (EsBeamHistory *self)
{
  return self->closer != NULL ? self->closer : self->newest;
}

const double *
es_beam_history_get_eigenvalues (EsBeamHistory *self, guint *n)
{
  EsBeamBlock *block = get_block (self);
  const double *values;

  *n = 0;
  values = block != NULL ? es_beam_block_get_eigenvalues (block, n) : NULL;

  if (values != NULL || self->result == NULL)
    return values;
  *n = self->n_eigenvalues;
  return self->eigenvalues;
}

const EsBeamProbe *
es_beam_history_get_probe (EsBeamHistory *self)
{
  EsBeamBlock *block = get_block (self);

  return block != NULL ? es_beam_block_get_probe (block) : self->probe;
}

const EsAdaptiveReport *
es_beam_history_get_report (EsBeamHistory *self)
{
  EsBeamBlock *block = get_block (self);

  return block != NULL ? es_beam_block_get_report (block) : NULL;
}

gboolean
es_beam_history_is_looked_closer_at (EsBeamHistory *self)
{
  return self->closer != NULL;
}

gboolean
es_beam_history_has_loose_tones (EsBeamHistory *self)
{
  return self->has_loose_tones;
}

guint
es_beam_history_get_used (EsBeamHistory *self)
{
  EsBeamBlock *block = get_block (self);

  return block != NULL ? es_beam_block_get_used (block) : self->used;
}
