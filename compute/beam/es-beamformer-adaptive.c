/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/*
 * Adaptive beams of a beamformer (sonar.md 5 to 7): what each device remembers of blocks, how a block's powers come of
 * it, and the same again with another method, loading or number of sources.
 */

#include "es-beamformer-private.h"
#include "es-beam-tones-private.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#include "es-beam-params-internal.h"
#include "device/es-device-internal.h"
#include "base/es-error.h"
#include "es-beam-settings-private.h"

/* The kernels' methods are ours, without the automatic one. */
G_STATIC_ASSERT ((int) ES_ADAPTIVE_CHOLESKY - 1 == (int) ESK_ADAPTIVE_CHOLESKY
                 && (int) ES_ADAPTIVE_EIGEN - 1 == (int) ESK_ADAPTIVE_EIGEN
                 && (int) ES_N_ADAPTIVE_METHODS - 1 == (int) ESK_N_ADAPTIVE_METHODS);

/* ---- what a device keeps ---- */

/* Powers as they lie in a device's memory, in floats from the start: by bin and band, and the same of MUSIC. */
static gsize
n_foci (const EsBeamSettings *settings)
{
  return (gsize) settings->n_ranges * settings->n_angles;
}

static gsize
values_by_bin (const EsBeamSettings *settings)
{
  return es_beam_settings_find_far (settings) < settings->n_ranges ? n_foci (settings) * settings->n_bins : 0;
}

gsize
_es_beamformer_adaptive_bytes (const EsBeamSettings *settings)
{
  return settings->adaptive.on ? 2 * (values_by_bin (settings) + n_foci (settings)) * sizeof (float) : 0;
}

gboolean
_es_beamformer_set_up_adaptive (EsBeamformer *self, EsBeamMember *member, GError **error)
{
  const EsBeamSettings *settings = self->settings;
  g_autofree EskFocus *foci = NULL;
  EskAdaptivePlan plan = {
    .elements = self->geometry->n, .positions = self->geometry->positions, .n_foci = n_foci (settings),
    .sound_speed = settings->sound_speed,
    .first_frequency = es_beam_settings_get_frequency (settings, settings->first_bin),
    .bin_spacing = settings->rate / settings->length, .bins = settings->n_bins,
    .columns = es_adaptive_settings_get_columns (settings, self->geometry->n),
  };
  int code = ESK_OK;

  if (!settings->adaptive.on)
    return TRUE;
  if (!ESK_HAS (member->hotspots, adaptive, adaptive_new))
    {
      g_set_error (error, ES_COMPUTE_ERROR, ES_COMPUTE_ERROR_DEVICE,
                   _("%s cannot form adaptive beams; choose the CPU."), es_device_get_name (member->device));
      return FALSE;
    }
  foci = g_try_new (EskFocus, plan.n_foci);
  if (foci == NULL)
    return es_compute_error_no_memory (_("the adaptive beams"), error);
  for (guint row = 0; row < settings->n_ranges; row++)
    es_beam_foci_of_row (self->array, settings, row, foci + (gsize) row * settings->n_angles);
  plan.foci = foci;
  member->adaptive_values = es_buffer_new (member->device, _es_beamformer_adaptive_bytes (settings), error);
  if (member->adaptive_values == NULL)
    return FALSE;
  member->adaptive = member->hotspots->adaptive->adaptive_new (member->stream, &plan, &code);
  return member->adaptive != NULL
         || es_device_check (member->device, member->stream, code != ESK_OK ? code : ESK_ERROR_MEMORY,
                             _("the adaptive beams"), error);
}

/* ---- hearing ---- */

gboolean
_es_beamformer_add (EsBeamformer *self, EsBeamSlot *slot, GError **error)
{
  const EsBeamSettings *settings = self->settings;
  const double alpha = settings->adaptive.forgetting;
  EsBeamMember *member = slot->member;
  int code = ESK_OK;

  if (member->adaptive == NULL)
    return TRUE;
  if (slot->begins)
    {
      code = member->hotspots->adaptive->adaptive_reset (member->stream, member->adaptive);
      member->heard = 0;
    }
  if (code == ESK_OK)
    /* R <- (1 - alpha) R + alpha X X' / K of the block, and of the first block R = X X' / K. */
    code = member->hotspots->adaptive->adaptive_add (member->stream, member->adaptive, &member->spectra, 0,
                                                     alpha > 0 ? 1 - alpha : 1,
                                                     alpha > 0 ? (member->heard == 0 ? 1 : alpha) / settings->snapshots
                                                               : 1);
  member->heard += settings->snapshots;
  /* Nobody waits: whatever comes next on the stream does. */
  return es_device_check (member->device, member->stream, code, _("the adaptive beams"), error);
}

guint
_es_beamformer_count_before (EsBeamformer *self, guint64 frame)
{
  return (guint) MIN ((guint64) self->memory, frame / self->settings->block);
}

gboolean
_es_beamformer_hear (EsBeamformer *self, EsBeamSlot *slot, guint64 frame, guint n_before, gboolean anew, GError **error)
{
  for (guint i = 0; i < n_before; i++)
    {
      slot->is_before = TRUE;
      slot->begins = anew && i == 0;
      if (!_es_beamformer_read (self, slot, frame - (guint64) (n_before - i) * self->settings->block, error)
          || !_es_beamformer_upload (self, slot, error) || !_es_beamformer_compute (self, slot, error))
        return FALSE;
      self->times[0] += slot->input + slot->upload;
      self->times[1] += slot->transform;
    }
  return TRUE;
}

gboolean
_es_beamformer_hear_before (EsBeamformer *self, EsBeamSlot *slot, guint64 frame, gboolean *begins, GError **error)
{
  const guint64 block = self->settings->block;
  guint n_before = _es_beamformer_count_before (self, frame);
  gboolean anew = TRUE;

  /* Whoever leaves some blocks out has heard the others. */
  if (self->memory > 0 && self->has_next && frame >= self->next_frame && (frame - self->next_frame) % block == 0
      && (frame - self->next_frame) / block <= n_before)
    {
      n_before = (guint) ((frame - self->next_frame) / block);
      anew = FALSE;
    }
  self->has_next = FALSE;
  *begins = anew && n_before == 0;
  return _es_beamformer_hear (self, slot, frame, n_before, anew, error);
}

/* ---- powers ---- */

double
_es_beamformer_get_loading (EsBeamformer *self, const EsBeamMember *member)
{
  const EsBeamSettings *settings = self->settings;

  /* There are not yet as many snapshots as there will be. */
  if (settings->adaptive.loading <= 0 && member->heard < self->geometry->n)
    return ES_ADAPTIVE_LOADING_FEW;
  return es_beam_settings_get_loading (settings, self->geometry->n);
}

int
_es_beamformer_run_adaptive (EsBeamformer *self, EsBeamMember *member, EsAdaptiveMethod method, double loading,
                             guint sources, double *eigenvalues, EskAdaptiveReport *report)
{
  const EsBeamSettings *settings = self->settings;
  const gsize by_bin = values_by_bin (settings);
  float *values = es_buffer_get_data (member->adaptive_values);
  EskAdaptiveRun run = {
    .method = (EskAdaptiveMethod) (method - 1), .loading = loading, .sources = sources,
    .by_bin = by_bin > 0 ? values : NULL, .band = values + by_bin,
    .eigenvalues = eigenvalues,
    .cancelled = self->give_up,
    .n_eigenvalues = eigenvalues != NULL ? es_adaptive_settings_get_n_eigenvalues (settings, self->geometry->n) : 0,
  };
  int code;

  values += by_bin + n_foci (settings);
  if (sources > 0)
    {
      run.music_by_bin = by_bin > 0 ? values : NULL;
      run.music_band = values + by_bin;
    }
  memset (report, 0, sizeof *report);
  code = member->hotspots->adaptive->adaptive_power (member->stream, member->adaptive, &run, report);
  if (code == ESK_OK)
    code = esk_hotspots_wait (member->hotspots, member->stream);
  return code;
}

gboolean
_es_beamformer_copy_adaptive (EsBeamformer *self, EsBeamMember *member, EsBeamKind kind, float *by_bin, float *field,
                              GError **error)
{
  const EsBeamSettings *settings = self->settings;
  const gsize all = values_by_bin (settings), far = (gsize) settings->n_angles * settings->n_bins;
  const float *values = es_buffer_get_data (member->adaptive_values);
  int code = ESK_OK;

  if (kind == ES_BEAM_MUSIC)
    values += all + n_foci (settings);
  const float *from[2] = { values + far * self->far_row, values + all };
  float *const to[2] = { by_bin, field };
  const gsize bytes[2] = { far * sizeof (float), n_foci (settings) * sizeof (float) };

  for (guint i = 0; i < 2 && code == ESK_OK; i++)
    if (to[i] != NULL && self->on_cpu)
      memcpy (to[i], from[i], bytes[i]);
    else if (to[i] != NULL)
      code = member->hotspots->device->download (member->stream, to[i], bytes[i], from[i], bytes[i], bytes[i], 1);
  return _es_beamformer_check (member, member->stream, code, _("the adaptive beams"), error);
}

char *
_es_beamformer_describe_singular (EsBeamformer *self, const EskAdaptiveReport *report, double loading)
{
  const EsBeamSettings *settings = self->settings;
  const double snapshots = report->used > 0 ? report->used : es_beam_settings_get_effective_snapshots (settings);

  return g_strdup_printf (_("The matrix at %.6g Hz has no inverse (elements: %u, snapshots: %.4g, loading: %g): "
                            "expected a larger loading (%g would do), or more snapshots."),
                          es_beam_settings_get_frequency (settings, settings->first_bin
                                                                    + (guint) report->singular_bin),
                          self->geometry->n, snapshots, loading, ES_ADAPTIVE_LOADING_FEW);
}

/* How many blocks before the newest one the middle of what is remembered lies. */
static double
get_age (const EsBeamSettings *settings, guint64 n_heard)
{
  const double alpha = settings->adaptive.forgetting;

  if (n_heard < 2)
    return 0;
  if (alpha > 0)
    return (1 - alpha) * (1 - pow (1 - alpha, n_heard - 1.0)) / alpha;
  return (MIN (n_heard, settings->adaptive.blocks) - 1) / 2.0;
}

gboolean
_es_beamformer_adapt (EsBeamformer *self, EsBeamMember *member, EsBeamBlock *block, GError **error)
{
  const EsBeamSettings *settings = self->settings;
  const double loading = _es_beamformer_get_loading (self, member);
  const EsAdaptiveMethod method = es_beam_settings_get_method (settings, self->geometry->n);
  EskAdaptiveReport report;
  int code;

  if (member->adaptive == NULL)
    return TRUE;
  code = _es_beamformer_run_adaptive (self, member, method, loading,
                                      (guint) MIN (settings->adaptive.sources, member->heard), block->eigenvalues,
                                      &report);
  if (code == ESK_ERROR_SINGULAR)
    {
      g_autofree char *message = _es_beamformer_describe_singular (self, &report, loading);

      g_set_error_literal (error, ES_COMPUTE_ERROR, ES_COMPUTE_ERROR_PARAMETER, message);
      return FALSE;
    }
  if (!es_device_check (member->device, member->stream, code, _("the adaptive beams"), error))
    return FALSE;
  for (guint kind = ES_BEAM_MVDR; kind < ES_N_BEAM_KINDS; kind++)
    if (block->fields[kind] != NULL
        && !_es_beamformer_copy_adaptive (self, member, kind, block->by_bin[kind], block->fields[kind], error))
      return FALSE;
  block->used = (guint) report.used;
  block->adaptive_time = block->time - get_age (settings, member->heard / settings->snapshots) * block->seconds;
  block->report = (EsAdaptiveReport) {
    .matrix = report.matrix, .factor = report.factor, .spectrum = report.spectrum, .method = method,
    .loading = loading, .sweeps = (guint) report.sweeps, .rotations = report.rotations, .off = report.off,
  };
  return TRUE;
}

void
es_beamformer_set_give_up (EsBeamformer *self, const int *flag)
{
  self->give_up = flag != NULL ? flag : &self->cancelled;
  for (guint i = 0; i < self->n_members; i++)
    esk_hotspots_set_cancelled (self->members[i].hotspots, self->members[i].stream, self->give_up);
}

/* ---- other settings ---- */

gboolean
es_beamformer_set_adaptive (EsBeamformer *self, const EsAdaptiveSettings *adaptive, GError **error)
{
  g_autoptr (EsBeamSettings) settings = es_beam_settings_copy (self->settings);
  EsBeamForm *before = self->form;
  g_autofree char *refusal = NULL;

  settings->adaptive = *adaptive;
  g_return_val_if_fail (es_beam_settings_equal_but_adaptive (settings, self->settings), FALSE);

  if (!es_adaptive_settings_check (settings, self->geometry->n, error))
    return FALSE;
  refusal = _es_beamformer_foresee_memory (self, es_beam_settings_get_method (settings, self->geometry->n));
  if (refusal != NULL)
    {
      g_set_error (error, ES_COMPUTE_ERROR, ES_COMPUTE_ERROR_MEMORY, _("The method “%s” cannot be taken here. %s"),
                   es_adaptive_method_choices[es_beam_settings_get_method (settings, self->geometry->n)].id, refusal);
      return FALSE;
    }
  /* Who reads ahead looks at the settings. */
  g_mutex_lock (&self->lock);
  while (self->ahead_running)
    g_cond_wait (&self->changed, &self->lock);
  self->form = es_beam_form_new_calibrated (settings, self->array, before->calibration);
  self->settings = self->form->settings;
  g_mutex_unlock (&self->lock);
  es_beam_form_unref (before);
  return TRUE;
}

EsBeamBlock *
es_beamformer_again (EsBeamformer *self, GError **error)
{
  const EsBeamSettings *settings = self->settings;
  const gint64 start = g_get_monotonic_time ();
  const gsize far = (gsize) settings->n_angles * settings->n_bins;
  EsBeamBlock *last = self->last;
  g_autoptr (EsBeamBlock) block = NULL;

  if (last == NULL)
    return NULL;
  block = es_beam_block_new (self->form, last->frame);
  if (block == NULL)
    {
      es_compute_error_no_memory (_("the beams"), error);
      return NULL;
    }
  memcpy (block->field, last->field, n_foci (settings) * sizeof (float));
  if (block->spectra != NULL)
    memcpy (block->spectra, last->spectra, far * sizeof (float));
  if (!_es_beamformer_adapt (self, self->last_member, block, error)
      || !_es_beamformer_probe (self, self->last_member, block, TRUE, error))
    return NULL;
  _es_beam_tones_place (block);
  block->compute_seconds = (g_get_monotonic_time () - start) * 1e-6;
  g_clear_pointer (&self->last, es_beam_block_unref);
  self->last = es_beam_block_ref (block);
  return g_steal_pointer (&block);
}
