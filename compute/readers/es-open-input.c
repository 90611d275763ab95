/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* What was written down of a data set (es-dataset-input.c of dataset/, es-recording-input.c) opens it again. */

#include "es-open-input-internal.h"

#include <glib/gi18n-lib.h>

#include "es-open.h"
#include "cube/es-cube-metadata.h"
#include "matrix/es-sparse-matrix.h"
#include "dataset/es-dataset-internal.h"
#include "recording/es-recording-internal.h"

static const char *
get_string (JsonObject *object, const char *name)
{
  JsonNode *node = json_object_get_member (object, name);

  return node != NULL && JSON_NODE_HOLDS_VALUE (node) && json_node_get_value_type (node) == G_TYPE_STRING
           ? json_node_get_string (node) : NULL;
}

/* Within bounds; 0 where it is missing or no number. */
static double
get_number (JsonObject *object, const char *name, double most)
{
  JsonNode *node = json_object_get_member (object, name);
  double value = node != NULL && JSON_NODE_HOLDS_VALUE (node) ? json_node_get_double (node) : 0;

  return value > 0 && value <= most ? value : 0;
}

static GPtrArray *
get_files (JsonObject *input, const char *path)
{
  GPtrArray *files = g_ptr_array_new_with_free_func (g_object_unref);
  JsonNode *node = json_object_get_member (input, "files");
  JsonArray *list = node != NULL && JSON_NODE_HOLDS_ARRAY (node) ? json_node_get_array (node) : NULL;

  for (guint i = 0; list != NULL && i < json_array_get_length (list); i++)
    {
      JsonNode *element = json_array_get_element (list, i);

      if (JSON_NODE_HOLDS_VALUE (element) && json_node_get_value_type (element) == G_TYPE_STRING)
        g_ptr_array_add (files, g_file_parse_name (json_node_get_string (element)));
    }
  if (files->len == 0)
    g_ptr_array_add (files, g_file_parse_name (path));
  return files;
}

/* Null: it was not calibrated, whatever lies beside it now. */
static void
take_calibration (EsRecording *recording, JsonNode *node)
{
  g_autoptr (EsCalibration) calibration = JSON_NODE_HOLDS_NULL (node) ? NULL : es_calibration_from_node (node, NULL);
  g_autoptr (EsCalibration) now = es_recording_dup_calibration (recording);

  if (calibration != NULL
        ? es_calibration_equal (calibration, now)
          || !es_calibration_check (calibration, es_recording_get_n_channels (recording), NULL)
        : !JSON_NODE_HOLDS_NULL (node))
    return;
  es_recording_set_calibration (recording, calibration);
}

static void
take_navigation (EsRecording *recording, JsonNode *node)
{
  g_autoptr (EsNavigation) navigation = JSON_NODE_HOLDS_NULL (node) ? NULL : es_navigation_from_node (node, NULL);
  g_autoptr (EsNavigation) now = es_recording_dup_navigation (recording);

  if (navigation == NULL)
    {
      if (JSON_NODE_HOLDS_NULL (node))
        es_recording_set_navigation (recording, NULL);
    }
  else if (!es_navigation_equal (navigation, now))
    {
      /* A result has it: nobody need be asked for it when the window closes. */
      g_autoptr (EsNavigation) named = es_navigation_with_source (navigation, ES_NAVIGATION_NAMED,
                                                                  es_navigation_get_file (navigation));
      es_recording_set_navigation (recording, named);
    }
}

/* Null: nothing was told, whatever lies beside it now. Takes the cube. */
static EsDataset *
take_metadata (EsDataset *dataset, JsonNode *node, gboolean kept)
{
  EsCube *cube = ES_CUBE (dataset), *other = NULL;
  EsMetadata *now = es_cube_get_metadata (cube);
  g_autoptr (EsMetadata) told = JSON_NODE_HOLDS_OBJECT (node)
                                ? es_metadata_from_node (node, es_cube_get_bands (cube), NULL) : NULL;
  g_autoptr (EsMetadata) named = NULL;

  if ((told == NULL && !JSON_NODE_HOLDS_NULL (node)) || es_metadata_equal (told, now))
    return dataset;
  if (kept && now != NULL && es_metadata_get_source (now) == ES_METADATA_BESIDE)
    {
      g_autofree char *said = told != NULL ? es_metadata_describe (told) : g_strdup (_("nothing"));

      _es_dataset_add_note (dataset, _("The session tells otherwise what the cube is (%s); what is told beside the "
                                       "cube counts."), said);
      return dataset;
    }
  /* A result has it: nobody need be asked for it when the window closes. */
  named = told != NULL ? es_metadata_with_source (told, ES_METADATA_NAMED) : NULL;
  other = es_cube_with_metadata (cube, named, NULL);
  if (other == NULL)
    return dataset;
  g_object_unref (dataset);
  return ES_DATASET (other);
}

/* Null: everything took part, whatever lies beside it now. */
static void
take_selection (EsCube *cube, JsonNode *node)
{
  g_autoptr (EsSelection) selection = JSON_NODE_HOLDS_OBJECT (node) ? es_selection_from_node (node, NULL) : NULL;
  g_autoptr (EsSelection) now = es_cube_dup_selection (cube);

  if (JSON_NODE_HOLDS_NULL (node))
    es_cube_set_selection (cube, NULL);
  else if (selection != NULL && !es_selection_equal (selection, now) && es_cube_check_selection (cube, selection, NULL))
    {
      /* A result has it: nobody need be asked for it when the window closes. */
      g_autoptr (EsSelection) named = es_selection_with_source (selection, ES_SELECTION_NAMED);
      es_cube_set_selection (cube, named);
    }
}

/* TRUE: the file beside it has told what takes part, and stays with that. kept: of a session, else of a result. */
static gboolean
prefer_sidecar (EsCube *cube, JsonNode *node, gboolean kept)
{
  g_autoptr (EsSelection) now = es_cube_dup_selection (cube);
  g_autoptr (EsSelection) told = JSON_NODE_HOLDS_OBJECT (node) ? es_selection_from_node (node, NULL) : NULL;
  g_autofree char *said = NULL;

  if (now == NULL || es_selection_get_source (now) != ES_SELECTION_BESIDE)
    return FALSE;
  if (es_selection_equal (now, told) || (told == NULL && !JSON_NODE_HOLDS_NULL (node)))
    return TRUE;
  said = es_selection_is_everything (told) ? g_strdup (_("everything")) : es_selection_describe (told);
  if (kept)
    _es_dataset_add_note (ES_DATASET (cube), _("The session tells otherwise what takes part (%s); what is told beside "
                                               "the cube counts."), said);
  else
    _es_dataset_add_note (ES_DATASET (cube), _("In the saved result something else took part (%s); what is told beside "
                                               "the cube counts."), said);
  return TRUE;
}

static EsDataset *
open_input (JsonObject *input, gboolean kept, gboolean own, GCancellable *cancellable, GError **error)
{
  const char *path = get_string (input, "path");
  g_autoptr (GPtrArray) files = NULL;
  g_autoptr (EsArray) array = NULL;
  EsDataset *dataset;
  EsOpenOptions options = {
    .width = (int) get_number (input, "width", G_MAXINT),
    .height = (int) get_number (input, "height", G_MAXINT),
    .variable = get_string (input, "variable"),
    .driver = own ? get_string (input, "driver") : NULL,
    .samples = {
      .channels = (guint) get_number (input, "channels", G_MAXUINT),
      .rate = get_number (input, "rate", G_MAXDOUBLE),
      .type = get_string (input, "type"),
      .big_endian = g_strcmp0 (get_string (input, "byte_order"), "big") == 0,
      .by_channel = g_strcmp0 (get_string (input, "layout"), "by-channel") == 0,
      .offset = (guint64) get_number (input, "offset", 9e18),
      .bands = (guint) get_number (input, "raw_bands", G_MAXUINT),
    },
  };

  if (options.samples.bands > 0)
    es_interleave_find (get_string (input, "layout"), &options.samples.interleave);

  /* No file says what it is; its name does. */
  if (path == NULL && get_string (input, "made") != NULL)
    return es_sparse_matrix_make (get_string (input, "made"), cancellable, error);
  g_return_val_if_fail (path != NULL, NULL);

  files = get_files (input, path);
  if (files->len == 1)
    dataset = es_dataset_open (g_ptr_array_index (files, 0), &options, cancellable, error);
  else
    dataset = es_recording_open_files_with ((GFile **) files->pdata, files->len, &options, cancellable, error);
  if (dataset != NULL && ES_IS_RECORDING (dataset) && json_object_has_member (input, "array"))
    {
      array = es_array_from_node (json_object_get_member (input, "array"), NULL);
      if (array != NULL)
        es_recording_set_array (ES_RECORDING (dataset), array);
    }
  if (dataset != NULL && ES_IS_RECORDING (dataset) && json_object_has_member (input, "calibration"))
    take_calibration (ES_RECORDING (dataset), json_object_get_member (input, "calibration"));
  if (dataset != NULL && ES_IS_RECORDING (dataset) && json_object_has_member (input, "navigation"))
    take_navigation (ES_RECORDING (dataset), json_object_get_member (input, "navigation"));
  if (dataset != NULL && ES_IS_CUBE (dataset) && json_object_has_member (input, "metadata"))
    dataset = take_metadata (dataset, json_object_get_member (input, "metadata"), kept);
  if (dataset != NULL && ES_IS_CUBE (dataset) && json_object_has_member (input, "selection")
      && !prefer_sidecar (ES_CUBE (dataset), json_object_get_member (input, "selection"), kept))
    take_selection (ES_CUBE (dataset), json_object_get_member (input, "selection"));
  return dataset;
}

EsDataset *
_es_dataset_open_input (JsonObject *input, GCancellable *cancellable, GError **error)
{
  return open_input (input, FALSE, FALSE, cancellable, error);
}

EsDataset *
_es_dataset_open_kept (JsonObject *input, gboolean own, GCancellable *cancellable, GError **error)
{
  return open_input (input, TRUE, own, cancellable, error);
}
