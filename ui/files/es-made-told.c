/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-made-told.h"

#include <glib/gi18n-lib.h>

#include "cube/es-cube-metadata.h"
#include "es-selection-store.h"

struct _EsMadeTold
{
  GObject        parent_instance;

  EsDataset     *dataset;
  EsCalibration *calibration;    /* one of these */
  EsNavigation  *navigation;
  EsSelection   *selection;
  EsMetadata    *metadata;
};

G_DEFINE_FINAL_TYPE (EsMadeTold, es_made_told, G_TYPE_OBJECT)

static void
es_made_told_finalize (GObject *object)
{
  EsMadeTold *self = ES_MADE_TOLD (object);

  g_clear_object (&self->dataset);
  g_clear_pointer (&self->selection, es_selection_unref);
  g_clear_pointer (&self->metadata, es_metadata_unref);
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
add (GPtrArray *list, gpointer dataset)
{
  EsMadeTold *self = g_object_new (ES_TYPE_MADE_TOLD, NULL);

  self->dataset = g_object_ref (dataset);
  g_ptr_array_add (list, self);
  return self;
}

static void
list_of_recording (EsRecording *recording, GPtrArray *list)
{
  g_autoptr (EsCalibration) calibration = NULL;
  g_autoptr (EsNavigation) navigation = NULL;

  calibration = es_recording_dup_calibration (recording);
  if (calibration != NULL && es_calibration_get_source (calibration) == ES_CALIBRATION_BY_HAND)
    add (list, recording)->calibration = g_steal_pointer (&calibration);
  navigation = es_recording_dup_navigation (recording);
  if (navigation != NULL && es_navigation_get_source (navigation) == ES_NAVIGATION_BY_HAND)
    add (list, recording)->navigation = g_steal_pointer (&navigation);
}

/* Told, and not to be written beside the cube. */
static void
list_metadata (EsCube *cube, GPtrArray *list)
{
  EsMetadata *metadata = es_cube_get_metadata (cube);

  if (metadata != NULL && es_metadata_get_source (metadata) == ES_METADATA_BY_HAND)
    add (list, cube)->metadata = es_metadata_ref (metadata);
}

void
es_made_told_list (EsDataset *dataset, GPtrArray *list)
{
  EsSelection *selection;

  g_return_if_fail (ES_IS_DATASET (dataset));

  if (ES_IS_RECORDING (dataset))
    list_of_recording (ES_RECORDING (dataset), list);
  selection = ES_IS_CUBE (dataset) ? es_selection_store_dup_unsaved (ES_CUBE (dataset)) : NULL;
  if (selection != NULL)
    add (list, dataset)->selection = selection;
  if (ES_IS_CUBE (dataset))
    list_metadata (ES_CUBE (dataset), list);
}

EsDataset *
es_made_told_get_dataset (EsMadeTold *self)
{
  g_return_val_if_fail (ES_IS_MADE_TOLD (self), NULL);
  return self->dataset;
}

char *
es_made_told_describe (EsMadeTold *self)
{
  const char *name;

  g_return_val_if_fail (ES_IS_MADE_TOLD (self), NULL);

  name = es_dataset_get_name (self->dataset);
  /* TRANSLATORS: which bands and pixels of a cube take part, named after “of” */
  if (self->selection != NULL)
    return g_strdup_printf (_("What takes part of %s"), name);
  /* TRANSLATORS: what a person has told of a cube beside its file, named after “of” */
  if (self->metadata != NULL)
    return g_strdup_printf (_("Metadata of %s"), name);
  /* TRANSLATORS: what a person has told of full scale of a recording, named after “of” */
  return self->calibration != NULL ? g_strdup_printf (_("Calibration of %s"), name)
                                   /* TRANSLATORS: what a person has told of a recording, named after “of” */
                                   : g_strdup_printf (_("Start and heading of %s"), name);
}

const char *
es_made_told_get_ending (EsMadeTold *self)
{
  g_return_val_if_fail (ES_IS_MADE_TOLD (self), NULL);
  if (self->selection != NULL)
    return ES_SELECTION_ENDING;
  if (self->metadata != NULL)
    return ES_METADATA_ENDING;
  return self->calibration != NULL ? ES_CALIBRATION_ENDING : ES_NAVIGATION_ENDING;
}

gboolean
es_made_told_save (EsMadeTold *self, GFile *file, GError **error)
{
  g_autofree char *shape = NULL;

  g_return_val_if_fail (ES_IS_MADE_TOLD (self), FALSE);

  if (self->selection != NULL)
    {
      shape = es_dataset_shape (self->dataset);
      return es_selection_save (self->selection, file, shape, error);
    }
  if (self->metadata != NULL)
    {
      shape = es_dataset_shape (self->dataset);
      return es_metadata_save (self->metadata, file, shape, error);
    }
  return self->calibration != NULL ? es_calibration_save (self->calibration, file, error)
                                   : es_navigation_save (self->navigation, file, error);
}

void
es_made_told_was_saved (EsMadeTold *self, GFile *file)
{
  EsRecording *recording = ES_IS_MADE_TOLD (self) && ES_IS_RECORDING (self->dataset) ? ES_RECORDING (self->dataset)
                                                                                     : NULL;
  g_autoptr (EsCalibration) calibration = NULL;
  g_autoptr (EsNavigation) navigation = NULL;

  g_return_if_fail (ES_IS_MADE_TOLD (self) && G_IS_FILE (file));

  if (self->selection != NULL)
    {
      es_selection_store_was_saved (ES_CUBE (self->dataset), self->selection);
      return;
    }
  if (self->metadata != NULL)
    {
      es_metadata_set_source (self->metadata, ES_METADATA_NAMED);
      return;
    }
  calibration = es_recording_dup_calibration (recording);
  navigation = es_recording_dup_navigation (recording);
  if (self->calibration != NULL && calibration == self->calibration)
    {
      g_autoptr (EsCalibration) told = es_calibration_with_source (calibration, ES_CALIBRATION_NAMED, file);
      es_recording_set_calibration (recording, told);
    }
  if (self->navigation != NULL && navigation == self->navigation)
    {
      g_autoptr (EsNavigation) told = es_navigation_with_source (navigation, ES_NAVIGATION_NAMED, file);
      es_recording_set_navigation (recording, told);
    }
}
