/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* What is told of a recording beside its samples, and may be told later: array, calibration, navigation. */

#include "es-recording-object-private.h"

#include <math.h>

/* ---- what they are ---- */

double
es_recording_get_calibration (EsRecording *self)
{
  g_autoptr (EsCalibration) calibration = es_recording_dup_calibration (self);

  return calibration != NULL ? es_calibration_get_reference (calibration) : NAN;
}

double
es_recording_get_calibration_of (EsRecording *self, guint channel)
{
  g_autoptr (EsCalibration) calibration = es_recording_dup_calibration (self);

  return calibration != NULL ? es_calibration_get_upa (calibration, channel) : NAN;
}

EsCalibration *
es_recording_dup_calibration (EsRecording *self)
{
  EsCalibration *calibration;

  g_mutex_lock (&self->mutex);
  calibration = self->calibration != NULL ? es_calibration_ref (self->calibration) : NULL;
  g_mutex_unlock (&self->mutex);
  return calibration;
}

EsCalibration *
es_recording_dup_own_calibration (EsRecording *self)
{
  EsCalibrationNumbers told = ES_CALIBRATION_NOTHING;
  g_autoptr (EsCalibration) plain = NULL;

  told.upa = self->info.calibration;
  plain = isnan (told.upa) ? NULL : es_calibration_new (&told, NULL, 0, NULL);
  return plain != NULL ? es_calibration_with_source (plain, ES_CALIBRATION_OF_RECORDING, NULL) : NULL;
}

EsNavigation *
es_recording_dup_navigation (EsRecording *self)
{
  EsNavigation *navigation;

  g_mutex_lock (&self->mutex);
  navigation = self->navigation != NULL ? es_navigation_ref (self->navigation) : NULL;
  g_mutex_unlock (&self->mutex);
  return navigation;
}

EsNavigation *
es_recording_dup_own_navigation (EsRecording *self)
{
  g_autoptr (EsNavigation) plain = self->info.start != NULL ? es_navigation_new (self->info.start, NULL, NULL, 0, NULL)
                                                            : NULL;

  return plain != NULL ? es_navigation_with_source (plain, ES_NAVIGATION_OF_RECORDING, NULL) : NULL;
}

GDateTime *
es_recording_dup_start (EsRecording *self)
{
  g_autoptr (EsNavigation) navigation = es_recording_dup_navigation (self);
  GDateTime *start = navigation != NULL ? es_navigation_get_start (navigation) : NULL;

  return start != NULL ? g_date_time_ref (start) : NULL;
}

EsArray *
es_recording_get_array (EsRecording *self)
{
  EsArray *array;

  g_mutex_lock (&self->mutex);
  array = self->array != NULL ? es_array_ref (self->array) : NULL;
  g_mutex_unlock (&self->mutex);
  return array;
}

void
_es_recording_refuse_array (EsRecording *self, const char *sentence)
{
  _es_dataset_add_note (ES_DATASET (self), "%s", sentence);
  g_mutex_lock (&self->mutex);
  if (self->array_problem == NULL)
    self->array_problem = g_strdup (sentence);
  g_mutex_unlock (&self->mutex);
}

char *
es_recording_tell_missing_array (EsRecording *self)
{
  char *sentence;

  g_mutex_lock (&self->mutex);
  sentence = self->array == NULL ? g_strdup (self->array_problem) : NULL;
  g_mutex_unlock (&self->mutex);
  return sentence;
}

static gboolean
notify_array (gpointer data)
{
  g_object_notify (data, "array");
  return G_SOURCE_REMOVE;
}

static gboolean
notify_calibration (gpointer data)
{
  g_object_notify (data, "calibration");
  return G_SOURCE_REMOVE;
}

static gboolean
notify_navigation (gpointer data)
{
  g_object_notify (data, "navigation");
  return G_SOURCE_REMOVE;
}

/* At once where this is the main thread; else there as soon as it comes round. */
static void
tell (EsRecording *self, GSourceFunc notify)
{
  if (g_main_context_is_owner (NULL))
    notify (self);
  else
    g_main_context_invoke_full (NULL, G_PRIORITY_DEFAULT, notify, g_object_ref (self), g_object_unref);
}

static void
change_array (EsRecording *self, EsArray *array, gboolean by_hand)
{
  EsArray *old;

  g_mutex_lock (&self->mutex);
  old = self->array;
  if (!by_hand)
    self->array_unsaved = FALSE;
  else if (!es_array_equal (old, array))
    self->array_unsaved = array != NULL;
  self->array = array != NULL ? es_array_ref (array) : NULL;
  g_mutex_unlock (&self->mutex);

  if (old != array)
    tell (self, notify_array);
  g_clear_pointer (&old, es_array_unref);
}

void
es_recording_set_calibration (EsRecording *self, EsCalibration *calibration)
{
  EsCalibration *old;

  g_return_if_fail (ES_IS_RECORDING (self));

  g_mutex_lock (&self->mutex);
  old = self->calibration;
  self->calibration = calibration != NULL ? es_calibration_ref (calibration) : NULL;
  g_mutex_unlock (&self->mutex);
  if (old != calibration)
    tell (self, notify_calibration);
  g_clear_pointer (&old, es_calibration_unref);
}

void
es_recording_set_navigation (EsRecording *self, EsNavigation *navigation)
{
  EsNavigation *old;

  g_return_if_fail (ES_IS_RECORDING (self));

  g_mutex_lock (&self->mutex);
  old = self->navigation;
  self->navigation = navigation != NULL ? es_navigation_ref (navigation) : NULL;
  g_mutex_unlock (&self->mutex);
  if (old != navigation)
    tell (self, notify_navigation);
  g_clear_pointer (&old, es_navigation_unref);
}

void
es_recording_set_array (EsRecording *self, EsArray *array)
{
  g_return_if_fail (ES_IS_RECORDING (self));

  change_array (self, array, FALSE);
}

void
es_recording_describe_array (EsRecording *self, EsArray *array)
{
  g_return_if_fail (ES_IS_RECORDING (self));

  change_array (self, array, TRUE);
}

gboolean
es_recording_is_array_saved (EsRecording *self)
{
  gboolean saved;

  g_return_val_if_fail (ES_IS_RECORDING (self), TRUE);

  g_mutex_lock (&self->mutex);
  saved = !self->array_unsaved;
  g_mutex_unlock (&self->mutex);
  return saved;
}

void
es_recording_set_array_saved (EsRecording *self, EsArray *array, gboolean saved)
{
  g_return_if_fail (ES_IS_RECORDING (self) && array != NULL);

  g_mutex_lock (&self->mutex);
  if (es_array_equal (self->array, array))
    self->array_unsaved = !saved;
  g_mutex_unlock (&self->mutex);
}

EsArray *
es_recording_dup_array_beside (EsRecording *self)
{
  EsArray *array;

  g_return_val_if_fail (ES_IS_RECORDING (self), NULL);

  g_mutex_lock (&self->mutex);
  array = self->array_beside != NULL ? es_array_ref (self->array_beside) : NULL;
  g_mutex_unlock (&self->mutex);
  return array;
}

void
es_recording_set_array_beside (EsRecording *self, EsArray *array)
{
  EsArray *old;

  g_return_if_fail (ES_IS_RECORDING (self) && array != NULL);

  g_mutex_lock (&self->mutex);
  old = self->array_beside;
  self->array_beside = es_array_ref (array);
  g_mutex_unlock (&self->mutex);
  g_clear_pointer (&old, es_array_unref);
}
