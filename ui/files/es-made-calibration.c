/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-made-calibration.h"

struct _EsMadeCalibration
{
  GObject        parent_instance;

  EsRecording   *recording;
  EsCalibration *calibration;
};

G_DEFINE_FINAL_TYPE (EsMadeCalibration, es_made_calibration, G_TYPE_OBJECT)

static void
es_made_calibration_finalize (GObject *object)
{
  EsMadeCalibration *self = ES_MADE_CALIBRATION (object);

  g_clear_object (&self->recording);
  g_clear_pointer (&self->calibration, es_calibration_unref);
  G_OBJECT_CLASS (es_made_calibration_parent_class)->finalize (object);
}

static void
es_made_calibration_class_init (EsMadeCalibrationClass *class)
{
  G_OBJECT_CLASS (class)->finalize = es_made_calibration_finalize;
}

static void
es_made_calibration_init (EsMadeCalibration *self)
{
}

EsMadeCalibration *
es_made_calibration_find (EsRecording *recording)
{
  g_autoptr (EsCalibration) calibration = NULL;
  EsMadeCalibration *self;

  g_return_val_if_fail (ES_IS_RECORDING (recording), NULL);

  calibration = es_recording_dup_calibration (recording);
  if (calibration == NULL || es_calibration_get_source (calibration) != ES_CALIBRATION_BY_HAND)
    return NULL;
  self = g_object_new (ES_TYPE_MADE_CALIBRATION, NULL);
  self->recording = g_object_ref (recording);
  self->calibration = g_steal_pointer (&calibration);
  return self;
}

EsRecording *
es_made_calibration_get_recording (EsMadeCalibration *self)
{
  g_return_val_if_fail (ES_IS_MADE_CALIBRATION (self), NULL);
  return self->recording;
}

EsCalibration *
es_made_calibration_get (EsMadeCalibration *self)
{
  g_return_val_if_fail (ES_IS_MADE_CALIBRATION (self), NULL);
  return self->calibration;
}

void
es_made_calibration_was_saved (EsMadeCalibration *self, GFile *file)
{
  g_autoptr (EsCalibration) now = NULL, told = NULL;

  g_return_if_fail (ES_IS_MADE_CALIBRATION (self) && G_IS_FILE (file));

  now = es_recording_dup_calibration (self->recording);
  if (now != self->calibration)
    return;
  told = es_calibration_with_source (now, ES_CALIBRATION_NAMED, file);
  es_recording_set_calibration (self->recording, told);
}
