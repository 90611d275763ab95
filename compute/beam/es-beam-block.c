/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-beam-block-private.h"

#include "es-beam-settings-private.h"

/* Room for what adaptive beams bring. */
static gboolean
add_adaptive (EsBeamBlock *self)
{
  const EsBeamSettings *settings = self->form->settings;

  for (guint kind = ES_BEAM_MVDR; kind < ES_N_BEAM_KINDS; kind++)
    {
      if (kind == ES_BEAM_MUSIC && settings->adaptive.sources == 0)
        continue;
      self->fields[kind] = g_try_new0 (float, (gsize) settings->n_ranges * settings->n_angles);
      if (self->spectra != NULL)
        self->by_bin[kind] = g_try_new0 (float, (gsize) settings->n_angles * settings->n_bins);
      if (self->fields[kind] == NULL || (self->spectra != NULL && self->by_bin[kind] == NULL))
        return FALSE;
    }
  if (!settings->adaptive.eigenvalues || self->form->array == NULL)
    return TRUE;
  self->n_eigenvalues = es_adaptive_settings_get_n_eigenvalues (settings, es_array_get_n_alive (self->form->array));
  self->eigenvalues = g_try_new0 (double, (gsize) settings->n_bins * self->n_eigenvalues);
  return self->eigenvalues != NULL;
}

EsBeamBlock *
es_beam_block_new (EsBeamForm *form, guint64 frame)
{
  const EsBeamSettings *settings = form->settings;
  const guint far = es_beam_settings_find_far (settings);
  EsBeamBlock *self = g_atomic_rc_box_new0 (EsBeamBlock);

  self->form = es_beam_form_ref (form);
  self->frame = frame;
  self->time = self->adaptive_time = (frame + settings->block / 2.0) / settings->rate;
  self->seconds = settings->block / settings->rate;
  self->field = g_try_new (float, (gsize) settings->n_ranges * settings->n_angles);
  if (far < settings->n_ranges)
    self->spectra = g_try_new (float, (gsize) settings->n_angles * settings->n_bins);
  if (self->field == NULL || (far < settings->n_ranges && self->spectra == NULL))
    {
      es_beam_block_unref (self);
      return NULL;
    }
  if (far < settings->n_ranges)
    self->far = self->field + (gsize) far * settings->n_angles;
  if (settings->adaptive.on && !add_adaptive (self))
    {
      es_beam_block_unref (self);
      return NULL;
    }
  return self;
}

EsBeamBlock *
es_beam_block_ref (EsBeamBlock *self)
{
  return g_atomic_rc_box_acquire (self);
}

static void
clear_block (gpointer data)
{
  EsBeamBlock *self = data;

  es_beam_form_unref (self->form);
  g_free (self->field);
  g_free (self->spectra);
  for (guint kind = 0; kind < ES_N_BEAM_KINDS; kind++)
    {
      g_free (self->fields[kind]);
      g_free (self->by_bin[kind]);
    }
  g_free (self->eigenvalues);
  g_clear_pointer (&self->probe, es_beam_probe_free);
}

void
es_beam_block_unref (EsBeamBlock *self)
{
  g_atomic_rc_box_release_full (self, clear_block);
}

guint64
es_beam_block_get_frame (EsBeamBlock *self)
{
  return self->frame;
}

double
es_beam_block_get_time (EsBeamBlock *self)
{
  return self->time;
}

double
es_beam_block_get_time_of (EsBeamBlock *self, EsBeamKind kind)
{
  return kind == ES_BEAM_CBF ? self->time : self->adaptive_time;
}

double
es_beam_block_get_seconds (EsBeamBlock *self)
{
  return self->seconds;
}

double
es_beam_block_get_compute_seconds (EsBeamBlock *self)
{
  return self->compute_seconds;
}

const float *
es_beam_block_get_field (EsBeamBlock *self)
{
  return self->field;
}

const float *
es_beam_block_get_far (EsBeamBlock *self)
{
  return self->far;
}

const float *
es_beam_block_get_spectra (EsBeamBlock *self)
{
  return self->spectra;
}

EsBeamForm *
es_beam_block_get_form (EsBeamBlock *self)
{
  return self->form;
}

const EsBeamSettings *
es_beam_block_get_settings (EsBeamBlock *self)
{
  return self->form->settings;
}

/* ---- adaptive beams ---- */

gboolean
es_beam_block_has (EsBeamBlock *self, EsBeamKind kind)
{
  return es_beam_block_get_field_of (self, kind) != NULL;
}

const float *
es_beam_block_get_field_of (EsBeamBlock *self, EsBeamKind kind)
{
  g_return_val_if_fail (kind < ES_N_BEAM_KINDS, NULL);
  return kind == ES_BEAM_CBF ? self->field : self->fields[kind];
}

const float *
es_beam_block_get_far_of (EsBeamBlock *self, EsBeamKind kind)
{
  const float *field = es_beam_block_get_field_of (self, kind);

  return self->far != NULL && field != NULL ? field + (self->far - self->field) : NULL;
}

const float *
es_beam_block_get_spectra_of (EsBeamBlock *self, EsBeamKind kind)
{
  g_return_val_if_fail (kind < ES_N_BEAM_KINDS, NULL);
  return kind == ES_BEAM_CBF ? self->spectra : self->by_bin[kind];
}

gboolean
es_beam_block_has_loose_tones (EsBeamBlock *self)
{
  return self->has_loose_tones;
}

guint
es_beam_block_get_used (EsBeamBlock *self)
{
  return self->used;
}

const double *
es_beam_block_get_eigenvalues (EsBeamBlock *self, guint *n)
{
  *n = self->eigenvalues != NULL ? self->n_eigenvalues : 0;
  return self->eigenvalues;
}

const EsAdaptiveReport *
es_beam_block_get_report (EsBeamBlock *self)
{
  return self->fields[ES_BEAM_MVDR] != NULL ? &self->report : NULL;
}

const EsBeamProbe *
es_beam_block_get_probe (EsBeamBlock *self)
{
  return self->probe;
}
