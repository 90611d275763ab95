/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-beam-form-internal.h"

#include "es-beam-settings-private.h"

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
es_beam_form_new_calibrated (const EsBeamSettings *settings, EsArray *array, EsCalibration *calibration)
{
  EsBeamForm *self = es_beam_form_new (settings, array, calibration != NULL);

  self->calibration = calibration != NULL ? es_calibration_ref (calibration) : NULL;
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
  g_clear_pointer (&self->calibration, es_calibration_unref);
}

void
es_beam_form_unref (EsBeamForm *self)
{
  g_atomic_rc_box_release_full (self, clear_form);
}

gboolean
es_beam_form_equal (EsBeamForm *self, EsBeamForm *other)
{
  if (self == other)
    return TRUE;
  return self->calibrated == other->calibrated && es_calibration_equal (self->calibration, other->calibration)
         && (self->array == other->array
             || (self->array != NULL && other->array != NULL && es_array_equal (self->array, other->array)))
         && es_beam_settings_equal_beams (self->settings, other->settings);
}
