/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-beam-block-private.h"

#include <string.h>

/* ---- what blocks have in common ---- */

EsBeamForm *
es_beam_form_new (const EsBeamSettings *settings, EsArray *array, gboolean calibrated)
{
  EsBeamForm *self = g_atomic_rc_box_new0 (EsBeamForm);

  self->settings = es_beam_settings_copy (settings);
  self->array = array != NULL ? es_array_ref (array) : NULL;
  self->calibrated = calibrated;
  return self;
}

EsBeamForm *
es_beam_form_ref (EsBeamForm *self)
{
  return g_atomic_rc_box_acquire (self);
}

static void
clear_form (gpointer data)
{
  EsBeamForm *self = data;

  es_beam_settings_free (self->settings);
  g_clear_pointer (&self->array, es_array_unref);
}

void
es_beam_form_unref (EsBeamForm *self)
{
  g_atomic_rc_box_release_full (self, clear_form);
}

static gboolean
same_numbers (const double *a, const double *b, guint n)
{
  return n == 0 || memcmp (a, b, n * sizeof *a) == 0;
}

gboolean
es_beam_form_equal (EsBeamForm *self, EsBeamForm *other)
{
  const EsBeamSettings *a = self->settings, *b = other->settings;

  if (self == other)
    return TRUE;
  return self->calibrated == other->calibrated
         && (self->array == other->array
             || (self->array != NULL && other->array != NULL && es_array_equal (self->array, other->array)))
         && a->rate == b->rate && a->sound_speed == b->sound_speed && a->block == b->block && a->length == b->length
         && a->window_length == b->window_length && a->hop == b->hop && a->snapshots == b->snapshots
         && a->window == b->window && a->shading == b->shading && a->remove_diagonal == b->remove_diagonal
         && a->first_bin == b->first_bin && a->n_bins == b->n_bins && a->cbf_first == b->cbf_first
         && a->cbf_bins == b->cbf_bins && a->n_angles == b->n_angles && a->n_ranges == b->n_ranges
         && a->range_kind == b->range_kind && same_numbers (a->angles, b->angles, a->n_angles)
         && same_numbers (a->ranges, b->ranges, a->n_ranges);
}

/* ---- blocks ---- */

EsBeamBlock *
es_beam_block_new (EsBeamForm *form, guint64 frame)
{
  const EsBeamSettings *settings = form->settings;
  const guint far = es_beam_settings_find_far (settings);
  EsBeamBlock *self = g_atomic_rc_box_new0 (EsBeamBlock);

  self->form = es_beam_form_ref (form);
  self->frame = frame;
  self->time = frame / settings->rate;
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

const EsBeamSettings *
es_beam_block_get_settings (EsBeamBlock *self)
{
  return self->form->settings;
}
