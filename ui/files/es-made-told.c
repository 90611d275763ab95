/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-made-told.h"

#include <glib/gi18n-lib.h>

struct _EsMadeTold
{
  GObject        parent_instance;

  EsRecording   *recording;
  EsCalibration *calibration;    /* one of both */
  EsNavigation  *navigation;
};

G_DEFINE_FINAL_TYPE (EsMadeTold, es_made_told, G_TYPE_OBJECT)

static void
es_made_told_finalize (GObject *object)
{
  EsMadeTold *self = ES_MADE_TOLD (object);

  g_clear_object (&self->recording);
  g_clear_pointer (&self->calibration, es_calibration_unref);
  g_clear_pointer (&self->navigation, es_navigation_unref);
  G_OBJECT_CLASS (es_made_told_parent_class)->finalize (object);
}

static void
es_made_told_class_init (EsMadeToldClass *class)
{
  G_OBJECT_CLASS (class)->finalize = es_made_told_finalize;
}

static void
es_made_told_init (EsMadeTold *self)
{
}

static EsMadeTold *
add (GPtrArray *list, EsRecording *recording)
{
  EsMadeTold *self = g_object_new (ES_TYPE_MADE_TOLD, NULL);

  self->recording = g_object_ref (recording);
  g_ptr_array_add (list, self);
  return self;
}

void
es_made_told_list (EsRecording *recording, GPtrArray *list)
{
  g_autoptr (EsCalibration) calibration = NULL;
  g_autoptr (EsNavigation) navigation = NULL;

  g_return_if_fail (ES_IS_RECORDING (recording));

  calibration = es_recording_dup_calibration (recording);
  if (calibration != NULL && es_calibration_get_source (calibration) == ES_CALIBRATION_BY_HAND)
    add (list, recording)->calibration = g_steal_pointer (&calibration);
  navigation = es_recording_dup_navigation (recording);
  if (navigation != NULL && es_navigation_get_source (navigation) == ES_NAVIGATION_BY_HAND)
    add (list, recording)->navigation = g_steal_pointer (&navigation);
}

EsRecording *
es_made_told_get_recording (EsMadeTold *self)
{
  g_return_val_if_fail (ES_IS_MADE_TOLD (self), NULL);
  return self->recording;
}

char *
es_made_told_describe (EsMadeTold *self)
{
  const char *name;

  g_return_val_if_fail (ES_IS_MADE_TOLD (self), NULL);

  name = es_dataset_get_name (ES_DATASET (self->recording));
  /* TRANSLATORS: what a person has told of full scale of a recording, named after “of” */
  return self->calibration != NULL ? g_strdup_printf (_("Calibration of %s"), name)
                                   /* TRANSLATORS: what a person has told of a recording, named after “of” */
                                   : g_strdup_printf (_("Start and heading of %s"), name);
}

const char *
es_made_told_get_ending (EsMadeTold *self)
{
  g_return_val_if_fail (ES_IS_MADE_TOLD (self), NULL);
  return self->calibration != NULL ? ES_CALIBRATION_ENDING : ES_NAVIGATION_ENDING;
}

gboolean
es_made_told_save (EsMadeTold *self, GFile *file, GError **error)
{
  g_return_val_if_fail (ES_IS_MADE_TOLD (self), FALSE);
  return self->calibration != NULL ? es_calibration_save (self->calibration, file, error)
                                   : es_navigation_save (self->navigation, file, error);
}

void
es_made_told_was_saved (EsMadeTold *self, GFile *file)
{
  g_autoptr (EsCalibration) calibration = NULL;
  g_autoptr (EsNavigation) navigation = NULL;

  g_return_if_fail (ES_IS_MADE_TOLD (self) && G_IS_FILE (file));

  calibration = es_recording_dup_calibration (self->recording);
  navigation = es_recording_dup_navigation (self->recording);
  if (self->calibration != NULL && calibration == self->calibration)
    {
      g_autoptr (EsCalibration) told = es_calibration_with_source (calibration, ES_CALIBRATION_NAMED, file);
      es_recording_set_calibration (self->recording, told);
    }
  if (self->navigation != NULL && navigation == self->navigation)
    {
      g_autoptr (EsNavigation) told = es_navigation_with_source (navigation, ES_NAVIGATION_NAMED, file);
      es_recording_set_navigation (self->recording, told);
    }
}
