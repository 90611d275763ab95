/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/*
 * What a result did not keep of single rows, formed again from its recording: whether it can be, and that it is the
 * same. What a result kept wins: of the one beam that it has over time, and of all of its time.
 */

#include "es-beam-history-private.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "beam/es-beam-params-internal.h"

/* Of the sum of a row: what devices may differ by in float32. A hundredth of a decibel is 23 times as much. */
#define TOLERANCE 1e-4

guint
es_beam_history_get_own_angle (EsBeamHistory *self)
{
  return self->lofar != NULL ? self->lofar_angle : G_MAXUINT;
}

guint
es_beam_history_get_only_angle (EsBeamHistory *self)
{
  return es_beam_history_is_recalled (self) ? G_MAXUINT : es_beam_history_get_own_angle (self);
}

gboolean
es_beam_history_is_recalled (EsBeamHistory *self)
{
  return self->result != NULL && self->archive != NULL;
}

const char *
es_beam_history_get_refusal (EsBeamHistory *self)
{
  return self->refusal;
}

/* As the operations of beams begin. The axis of times says the same, or the result is of something else. */
static gboolean
find_origin (EsBeamHistory *self, guint64 *origin)
{
  EsParams *params = es_result_get_params (self->result);
  const EsBeamSettings *settings = self->form->settings;
  const double begin = es_param_specs_find (es_params_get_specs (params), "from") != NULL
                       ? es_params_get_float (params, "from") : 0;

  *origin = (guint64) floor (MAX (begin, 0) * settings->rate + 0.5);
  return self->n_rows > 0
         && fabs (g_array_index (self->times, double, 0) * settings->rate - (*origin + 0.5 * settings->block)) < 1;
}

/* What full scale was; where nobody wrote it down, what it is now. */
static EsCalibration *
find_calibration (EsBeamHistory *self, EsRecording *recording)
{
  JsonNode *node = json_object_get_member (es_result_get_values (self->result), "calibration");

  if (node == NULL)
    return es_recording_dup_calibration (recording);
  return JSON_NODE_HOLDS_NULL (node) ? NULL : es_calibration_from_node (node, NULL);
}

/* NULL: it can. Transfer full. */
static char *
find_refusal (EsBeamHistory *self, guint64 *origin)
{
  EsDataset *dataset = es_result_get_dataset (self->result);
  EsParams *params = es_result_get_params (self->result);
  g_autoptr (EsBeamSettings) settings = NULL;
  g_autoptr (GError) error = NULL;

  if (!ES_IS_RECORDING (dataset))
    return g_strdup (_("The recording of this result is not open."));
  if (es_param_specs_find (es_params_get_specs (params), "angles") == NULL)
    return g_strdup (_("This result is of one beam alone; conventional beamforming forms all of them."));
  if (self->form->array != NULL)
    settings = es_beam_settings_new (params, ES_RECORDING (dataset), self->form->array, &error);
  if (error != NULL)
    return g_strdup (error->message);
  if (settings == NULL || !self->is_formable || !find_origin (self, origin))
    return g_strdup (_("This result does not say how its beams were formed."));
  return NULL;
}

EsBeamForm *
_es_beam_history_begin_recall (EsBeamHistory *self, guint64 *origin)
{
  g_autoptr (EsCalibration) calibration = NULL;

  g_return_val_if_fail (self->result != NULL && self->archive == NULL, NULL);

  g_clear_pointer (&self->refusal, g_free);
  self->refusal = find_refusal (self, origin);
  if (self->refusal != NULL)
    return NULL;
  calibration = find_calibration (self, ES_RECORDING (es_result_get_dataset (self->result)));
  self->archive = es_beam_archive_new (self->form->settings, self->memory_limit, self->file_limit);
  return es_beam_form_new_calibrated (self->form->settings, self->form->array, calibration);
}

void
_es_beam_history_end_recall (EsBeamHistory *self, const char *refusal)
{
  if (self->archive == NULL)
    return;
  g_clear_pointer (&self->archive, es_beam_archive_unref);
  g_free (self->refusal);
  self->refusal = g_strdup (refusal);
  _es_beam_history_tell_reset (self);
}

/* Powers that the result has, and those that were formed again. */
static gboolean
is_same (const float *kept, const float *again, guint n)
{
  double sum = 0, difference = 0;

  for (guint i = 0; i < n; i++)
    {
      if (!isfinite (kept[i]) || !isfinite (again[i]))
        continue;
      sum += fabs (kept[i]);
      difference += fabs ((double) kept[i] - again[i]);
    }
  return difference <= TOLERANCE * sum;
}

/* FALSE: what is formed again is of something else, and nobody forms anything any more. */
static gboolean
check_block (EsBeamHistory *self, guint row, EsBeamBlock *block)
{
  const float *kept = self->archive != NULL && row < self->n_rows
                      ? es_beam_history_get_row_of (self, ES_BEAM_CBF, row) : NULL;
  const float *again = es_beam_block_get_far (block);

  if (self->archive == NULL)
    return FALSE;
  if (kept != NULL && again != NULL && !is_same (kept, again, self->form->settings->n_angles))
    {
      _es_beam_history_end_recall (self, _("The recording, its array or its calibration is not what it was when this "
                                           "result was computed."));
      return FALSE;
    }
  return TRUE;
}

gboolean
_es_beam_history_recall (EsBeamHistory *self, guint row, EsBeamBlock *block)
{
  if (!check_block (self, row, block))
    return FALSE;
  _es_beam_history_refill (self, row);
  return TRUE;
}

/* ---- a closer look ---- */

static void
tell_closer (EsBeamHistory *self, guint row)
{
  if (row < self->n_rows)
    _es_beam_history_note_fill (self, row);
  self->is_news = TRUE;
}

gboolean
_es_beam_history_take_closer (EsBeamHistory *self, guint row, EsBeamBlock *block)
{
  EsBeamForm *form = es_beam_block_get_form (block);

  if (self->result != NULL && !check_block (self, row, block))
    return FALSE;
  /* Of beams that are not shown any more. */
  if (self->result == NULL && (self->form == NULL || !es_beam_form_equal (self->form, form)
                               || !_es_beam_history_is_adapted_alike (self->form, form)))
    return TRUE;
  es_beam_block_ref (block);
  g_clear_pointer (&self->closer, es_beam_block_unref);
  self->closer = block;
  tell_closer (self, row);
  return TRUE;
}

void
_es_beam_history_drop_closer (EsBeamHistory *self)
{
  if (self->closer == NULL)
    return;
  g_clear_pointer (&self->closer, es_beam_block_unref);
  tell_closer (self, 0);
  _es_beam_history_tell (self);
}

guint
_es_beam_history_find_loudest (EsBeamHistory *self, guint angle)
{
  const guint n = es_beam_history_get_n_rows (self);
  const guint first = es_adaptive_settings_get_first_full (self->form->settings, n);
  guint loudest = first;
  float most = -1;

  for (guint row = first; row < n; row++)
    {
      const float *powers = es_beam_history_get_shown_row (self, ES_BEAM_MVDR, row);

      if (powers != NULL && powers[angle] > most)
        {
          most = powers[angle];
          loudest = row;
        }
    }
  return loudest;
}
