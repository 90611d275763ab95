/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* What a block adds to the sums, and the record that it leaves beside them. */

#include "es-beam-gather-private.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "base/es-error.h"
#include "es-beam-layers-private.h"

/* ---- sums ---- */

static void
add_sums (double *sums, gsize at, const float *values, gsize n, gboolean reciprocals)
{
  if (at == G_MAXSIZE || values == NULL)
    return;
  sums += at;
  if (reciprocals)
    for (gsize i = 0; i < n; i++)
      sums[i] += 1.0 / values[i];
  else
    for (gsize i = 0; i < n; i++)
      sums[i] += values[i];
}

/* The curve between the angles. FALSE: it is not known. */
static gboolean
add_between (EsBeamGather *self, EsBeamBlock *block, double *sums)
{
  const gsize at = self->places[ES_BEAM_MVDR].between;

  if (at == G_MAXSIZE || self->between_lost)
    return FALSE;
  const EsBeamCurve curve = es_beam_settings_get_curve (self->settings, ES_BEAM_MVDR,
                                                        es_beam_block_get_far_of (block, ES_BEAM_MVDR),
                                                        es_beam_block_get_spectra_of (block, ES_BEAM_MVDR));
  return es_beam_curve_add_between (&curve, sums + at);
}

static gboolean
add_to_sums (EsBeamGather *self, EsBeamBlock *block, EsBeamRecord *head, GError **error)
{
  const gsize n_field = (gsize) self->settings->n_ranges * self->settings->n_angles;
  const gsize n_spectra = (gsize) self->settings->n_angles * self->settings->n_bins;
  const guint64 index = (es_beam_block_get_frame (block) - self->first) / self->settings->block;
  double *sums = es_ranks_groups_get (self->groups, index);
  guint n_eigenvalues;
  const double *eigenvalues = es_beam_block_get_eigenvalues (block, &n_eigenvalues);

  if (sums == NULL)
    return es_compute_error_no_memory (_("the beams"), error);
  for (guint kind = 0; kind < ES_N_BEAM_KINDS; kind++)
    {
      const EsBeamPlaces *places = &self->places[kind];

      add_sums (sums, places->field, es_beam_block_get_field_of (block, kind), n_field, kind == ES_BEAM_MUSIC);
      add_sums (sums, places->spectra, es_beam_block_get_spectra_of (block, kind), n_spectra, kind == ES_BEAM_MUSIC);
    }
  for (gsize i = 0; i < (gsize) self->settings->n_bins * n_eigenvalues; i++)
    sums[self->eigenvalues_at + i] += eigenvalues[i];
  head->between_known = add_between (self, block, sums);
  /* Nobody asks for more of it. */
  self->between_lost |= !head->between_known;
  return TRUE;
}

/* ---- records ---- */

static gconstpointer
add_bytes (GByteArray *record, gconstpointer data, gsize n)
{
  const guint at = record->len;

  g_byte_array_append (record, data, n);
  return record->data + at;
}

/* Peaks of all rows, and of the far row those that tracks are made of. lifts: of MVDR's far row, of which *n_lifts. */
static void
add_peaks (EsBeamGather *self, EsBeamBlock *block, EsBeamRecord *head, EsBeamLift *lifts)
{
  const EsBeamSettings *settings = self->settings;
  g_autofree EsBeamPeak *peaks = g_new (EsBeamPeak, self->n_peaks);
  const float *far = es_beam_block_get_far_of (block, self->kind);
  EsBeamCurve curve = es_beam_settings_get_curve (settings, self->kind, es_beam_block_get_field_of (block, self->kind),
                                                  es_beam_block_get_spectra_of (block, self->kind));
  EsBeamLift *wanted = self->kind == ES_BEAM_MVDR ? lifts : NULL;
  guint n;

  n = settings->n_ranges > 1 ? es_find_peaks_of_field (&curve, settings->n_ranges, self->n_peaks, self->peak_range,
                                                       self->peak_distance, peaks)
                             : es_find_peaks_and_lifts (&curve, self->n_peaks, self->peak_range, self->peak_distance,
                                                        peaks, wanted, &head->n_lifts);
  head->n_detections = n;
  add_bytes (self->record, peaks, n * sizeof *peaks);
  if (far == NULL)
    {
      head->n_lifts = 0;
      return;
    }
  curve.powers = far;
  if (settings->n_ranges > 1)
    n = es_find_peaks_and_lifts (&curve, self->n_peaks, self->peak_range, self->peak_distance, peaks, wanted,
                                 &head->n_lifts);
  if (self->kind == ES_BEAM_MVDR)
    n = es_peaks_above_noise (peaks, n, far, settings->n_angles);
  head->n_tracked = n;
  add_bytes (self->record, peaks, n * sizeof *peaks);
  add_bytes (self->record, lifts, head->n_lifts * sizeof *lifts);
}

/* A row as it is shown: of adaptive beams, through the peaks between them. */
static void
add_rows (EsBeamGather *self, EsBeamBlock *block, EsBeamRecord *head, const EsBeamLift *lifts)
{
  for (guint kind = 0; kind < ES_N_BEAM_KINDS; kind++)
    if (self->sums[kind].btr != NULL)
      {
        gconstpointer row = add_bytes (self->record, es_beam_block_get_far_of (block, kind),
                                       self->settings->n_angles * sizeof (float));

        if (kind == ES_BEAM_MVDR && head->n_lifts > 0)
          es_beam_lift ((float *) row, lifts, head->n_lifts);
        head->n_rows++;
      }
}

static void
add_lofar (EsBeamGather *self, EsBeamBlock *block, guint angle, EsBeamRecord *head)
{
  const guint n = es_beam_block_get_settings (block)->n_bins;

  add_bytes (self->record, es_beam_block_get_spectra_of (block, self->kind) + (gsize) angle * n, n * sizeof (float));
  head->n_lofar = n;
}

static void
begin (EsBeamGather *self, EsBeamBlock *block, EsBeamRecord *head)
{
  *head = (EsBeamRecord) { .time = es_beam_block_get_time_of (block, ES_BEAM_CBF),
                           .adaptive_time = es_beam_block_get_time_of (block, ES_BEAM_MVDR) };
  g_byte_array_set_size (self->record, 0);
  add_bytes (self->record, head, sizeof *head);
}

static gboolean
end (EsBeamGather *self, EsBeamRecord *head, GError **error)
{
  const char zeros[8] = "";

  add_bytes (self->record, zeros, (8 - self->record->len % 8) % 8);
  head->bytes = self->record->len;
  memcpy (self->record->data, head, sizeof *head);
  return es_beam_gather_give (self, (const EsBeamRecord *) self->record->data, error);
}

gboolean
es_beam_gather_add_block (EsBeamGather *self, EsBeamBlock *block, GError **error)
{
  EsBeamLift lifts[ES_BEAM_MOST_LIFTS];
  EsBeamRecord head;

  begin (self, block, &head);
  head.is_block = TRUE;
  head.has_loose_tones = es_beam_block_has_loose_tones (block);
  add_peaks (self, block, &head, lifts);
  add_rows (self, block, &head, lifts);
  if (self->lofar != NULL && self->lofar_angle != G_MAXUINT)
    add_lofar (self, block, self->lofar_angle, &head);
  if (self->kept != NULL)
    g_ptr_array_add (self->kept, es_beam_block_ref (block));
  if (self->calls->add != NULL)
    self->calls->add (block, &head, self->calls_data);
  return add_to_sums (self, block, &head, error) && end (self, &head, error);
}

gboolean
es_beam_gather_add_lofar (EsBeamGather *self, EsBeamBlock *block, guint angle, GError **error)
{
  EsBeamRecord head;

  begin (self, block, &head);
  add_lofar (self, block, angle, &head);
  return end (self, &head, error);
}

/* ---- records of all ---- */

gboolean
es_beam_gather_take (EsBeamGather *self, const EsBeamRecord *record, GError **error)
{
  const EsBeamPeak *peaks = (const EsBeamPeak *) (record + 1);
  const EsBeamLift *lifts = (const EsBeamLift *) (peaks + record->n_detections + record->n_tracked);
  const float *row = (const float *) (lifts + record->n_lifts);
  const double time = self->kind == ES_BEAM_CBF ? record->time : record->adaptive_time;

  for (guint i = 0; i < record->n_detections; i++)
    es_beam_layers_add_peak (self, self->detections, &time, &peaks[i]);
  if (record->is_block && es_beam_gather_has_far (self))
    es_tracker_add (self->tracker, time, peaks + record->n_detections, record->n_tracked);
  if (record->n_lifts > 0)
    es_beam_layers_add_lifts (self, self->lifts, record->adaptive_time, lifts, record->n_lifts);
  for (guint kind = 0; record->n_rows > 0 && kind < ES_N_BEAM_KINDS; kind++)
    if (self->sums[kind].btr != NULL)
      {
        if (!es_field_append (self->sums[kind].btr, kind == ES_BEAM_CBF ? record->time : record->adaptive_time, row,
                              error))
          return FALSE;
        row += self->settings->n_angles;
      }
  if (record->n_lofar > 0 && !es_field_append (self->lofar, time, row, error))
    return FALSE;
  if (!record->is_block)
    return TRUE;
  self->has_loose_tones |= record->has_loose_tones;
  self->between_lost |= !record->between_known;
  if (self->calls->take != NULL)
    self->calls->take (record, self->calls_data);
  return TRUE;
}
