/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* What is told beside a recording: its array; what its full scale is, when it began and where its array points, which
 * may be named as well. */

#include <glib/gi18n-lib.h>
#include <math.h>

#include "base/es-error.h"
#include "es-open.h"
#include "es-reader-private.h"

GFile *
es_reader_find_sidecar (EsRecording *recording)
{
  GFile *file = es_dataset_get_file (ES_DATASET (recording));
  g_autoptr (GFile) sidecar = file != NULL ? es_array_sidecar_of (file) : NULL;

  return sidecar != NULL && g_file_query_exists (sidecar, NULL) ? g_steal_pointer (&sidecar) : NULL;
}

void
es_reader_take_sidecar (EsRecording *recording)
{
  g_autoptr (GFile) sidecar = es_reader_find_sidecar (recording);
  g_autoptr (GError) error = NULL;
  g_autoptr (EsArray) array = NULL;

  if (sidecar == NULL)
    return;
  array = es_array_load (sidecar, NULL, &error);
  if (array == NULL)
    {
      g_autofree char *sentence = g_strdup_printf (_("The array described beside it was not taken: %s"),
                                                   error->message);
      _es_recording_refuse_array (recording, sentence);
      return;
    }
  es_dataset_hold_file (ES_DATASET (recording), sidecar);
  es_recording_set_array_beside (recording, array);
  /* Of the first of several mono files: it describes all of them together. */
  if (es_recording_get_n_channels (recording) == 1 && es_array_get_n_elements (array) > 1)
    return;
  /* A person's own description goes before the file's. */
  es_recording_set_array (recording, array);
}

/* ---- its calibration ---- */

/* Of a file with numbers of several channels a single one is the first: it stands beside the first of several files. */
static EsCalibration *
fit (EsCalibration *calibration, guint n_channels, GError **error)
{
  g_autoptr (EsCalibration) first = NULL;
  guint n;

  es_calibration_get_channels (calibration, &n);
  if (n_channels == 1 && n > 1)
    first = es_calibration_of_channel (calibration, 0);
  if (!es_calibration_check (first != NULL ? first : calibration, n_channels, error))
    return NULL;
  return first != NULL ? g_steal_pointer (&first) : es_calibration_ref (calibration);
}

static void
tell_gaps (EsRecording *recording, EsCalibration *calibration)
{
  g_autofree char *missing = es_calibration_tell_missing (calibration, es_recording_get_n_channels (recording));
  g_autofree char *doubt = es_calibration_tell_doubt (calibration);

  if (missing != NULL)
    _es_dataset_add_note (ES_DATASET (recording), "%s", missing);
  if (doubt != NULL)
    _es_dataset_add_note (ES_DATASET (recording), "%s", doubt);
}

static GFile *
find_beside (EsRecording *recording)
{
  GFile *file = es_dataset_get_file (ES_DATASET (recording));
  g_autoptr (GFile) sidecar = file != NULL ? es_calibration_sidecar_of (file) : NULL;

  return sidecar != NULL && g_file_query_exists (sidecar, NULL) ? g_steal_pointer (&sidecar) : NULL;
}

/* NULL: there is none, or it was not taken, of which the recording has a note. */
static EsCalibration *
load_beside (EsRecording *recording)
{
  g_autoptr (GFile) sidecar = find_beside (recording);
  g_autoptr (GError) error = NULL;
  g_autoptr (EsCalibration) told = NULL, own = NULL;

  if (sidecar == NULL)
    return NULL;
  es_dataset_hold_file (ES_DATASET (recording), sidecar);
  told = es_calibration_load (sidecar, NULL, &error);
  own = told != NULL ? fit (told, es_recording_get_n_channels (recording), &error) : NULL;
  if (own == NULL)
    {
      _es_dataset_add_note (ES_DATASET (recording), _("The calibration beside it was not taken: %s"), error->message);
      return NULL;
    }
  return es_calibration_with_source (own, ES_CALIBRATION_BESIDE, sidecar);
}

void
es_reader_take_calibration (EsRecording *recording)
{
  g_autoptr (EsCalibration) calibration = load_beside (recording);

  if (calibration == NULL)
    return;
  /* A person's own word goes before the file's. */
  es_recording_set_calibration (recording, calibration);
  tell_gaps (recording, calibration);
}

/* Each channel by what its own file came with. NULL: none came with any, or the first with one for all. */
static EsCalibration *
gather (GPtrArray *parts)
{
  g_autofree EsCalibrationNumbers *numbers = g_new (EsCalibrationNumbers, parts->len);
  const EsCalibrationNumbers nothing = ES_CALIBRATION_NOTHING;
  g_autoptr (EsCalibration) all = NULL;
  gboolean any = FALSE, beside = FALSE;

  for (guint i = 0; i < parts->len; i++)
    {
      g_autoptr (EsCalibration) own = es_recording_dup_calibration (g_ptr_array_index (parts, i));

      numbers[i] = own != NULL ? *es_calibration_get_common (own) : nothing;
      any = any || own != NULL;
      beside = beside || (own != NULL && es_calibration_get_source (own) == ES_CALIBRATION_BESIDE);
    }
  all = any ? es_calibration_new (&nothing, numbers, parts->len, NULL) : NULL;
  return all != NULL ? es_calibration_with_source (all, beside ? ES_CALIBRATION_BESIDE : ES_CALIBRATION_OF_RECORDING,
                                                   NULL) : NULL;
}

static gboolean
any_but_first_has_its_own (GPtrArray *parts)
{
  for (guint i = 1; i < parts->len; i++)
    {
      g_autoptr (EsCalibration) own = es_recording_dup_calibration (g_ptr_array_index (parts, i));

      if (own != NULL)
        return TRUE;
    }
  return FALSE;
}

void
es_reader_combine_calibrations (EsRecording *recording, GPtrArray *parts)
{
  g_autoptr (GFile) sidecar = find_beside (recording);
  g_autoptr (EsCalibration) told = sidecar != NULL ? es_calibration_load (sidecar, NULL, NULL) : NULL;
  g_autoptr (EsCalibration) calibration = NULL;
  guint n = 0;

  if (told != NULL)
    es_calibration_get_channels (told, &n);
  /* What lies beside the first of several files is of that one where the others have their own, and of all where it
   * lists several, or is alone. One that cannot be read is told of the file. */
  if (told != NULL && (n > 1 || !any_but_first_has_its_own (parts)))
    calibration = load_beside (recording);
  else
    calibration = gather (parts);
  if (calibration == NULL)
    return;
  es_recording_set_calibration (recording, calibration);
  tell_gaps (recording, calibration);
}

gboolean
es_recording_name_calibration (EsRecording *recording, EsCalibration *calibration, GError **error)
{
  g_autoptr (GFile) sidecar = find_beside (recording);
  g_autoptr (EsCalibration) before = es_recording_dup_calibration (recording);
  g_autoptr (EsCalibration) own = NULL;
  GFile *file = calibration != NULL ? es_calibration_get_file (calibration) : NULL;

  if (calibration != NULL && (own = fit (calibration, es_recording_get_n_channels (recording), error)) == NULL)
    {
      g_autofree char *name = file != NULL ? es_error_file_name (file) : NULL;

      if (name != NULL)
        g_prefix_error (error, "“%s”: ", name);
      return FALSE;
    }
  if (sidecar != NULL && before != NULL && !es_calibration_equal (own, before))
    {
      g_autofree char *name = es_error_file_name (sidecar);

      _es_dataset_add_note (ES_DATASET (recording),
                            _("The calibration is the one that was named; what “%s” says of it was left."), name);
    }
  if (file != NULL)
    es_dataset_hold_file (ES_DATASET (recording), file);
  es_recording_set_calibration (recording, own);
  if (own != NULL)
    tell_gaps (recording, own);
  return TRUE;
}

/* ---- its navigation ---- */

static GFile *
find_navigation (EsRecording *recording)
{
  GFile *file = es_dataset_get_file (ES_DATASET (recording));
  g_autoptr (GFile) sidecar = file != NULL ? es_navigation_sidecar_of (file) : NULL;

  return sidecar != NULL && g_file_query_exists (sidecar, NULL) ? g_steal_pointer (&sidecar) : NULL;
}

static void
tell_unknown_headings (EsRecording *recording, EsNavigation *navigation)
{
  g_autofree char *gaps = es_navigation_tell_gaps (navigation, es_recording_get_seconds (recording));

  if (gaps != NULL)
    _es_dataset_add_note (ES_DATASET (recording), "%s", gaps);
}

/* Headings of one, and a start of another where it tells none itself. */
static EsNavigation *
fill_start (EsNavigation *told, EsNavigation *other)
{
  GDateTime *start = other != NULL ? es_navigation_get_start (other) : NULL;

  return es_navigation_get_start (told) == NULL && start != NULL ? es_navigation_with_start (told, start)
                                                                 : es_navigation_ref (told);
}

void
es_reader_take_navigation (EsRecording *recording)
{
  g_autoptr (GFile) sidecar = find_navigation (recording);
  g_autoptr (EsNavigation) own = es_recording_dup_own_navigation (recording);
  g_autoptr (EsNavigation) told = NULL, whole = NULL, beside = NULL;
  g_autoptr (GError) error = NULL;

  if (sidecar == NULL)
    return;
  es_dataset_hold_file (ES_DATASET (recording), sidecar);
  told = es_navigation_load (sidecar, own != NULL ? es_navigation_get_start (own) : NULL, &error);
  if (told == NULL)
    {
      _es_dataset_add_note (ES_DATASET (recording), _("The navigation beside it was not taken: %s"), error->message);
      return;
    }
  whole = fill_start (told, own);
  beside = es_navigation_with_source (whole, ES_NAVIGATION_BESIDE, sidecar);
  es_recording_set_navigation (recording, beside);
  tell_unknown_headings (recording, beside);
}

void
es_recording_name_navigation (EsRecording *recording, EsNavigation *navigation)
{
  g_autoptr (GFile) sidecar = find_navigation (recording);
  g_autoptr (EsNavigation) before = es_recording_dup_navigation (recording);
  GFile *file = es_navigation_get_file (navigation);
  const gboolean other = sidecar != NULL && before != NULL && !es_navigation_equal (navigation, before);

  if (other)
    {
      g_autofree char *name = es_error_file_name (sidecar);

      _es_dataset_add_note (ES_DATASET (recording),
                            _("What was named of start and heading goes before what “%s” says of it."), name);
    }
  if (file != NULL)
    es_dataset_hold_file (ES_DATASET (recording), file);
  es_recording_set_navigation (recording, navigation);
  tell_unknown_headings (recording, navigation);
}

gboolean
es_recording_name_navigation_file (EsRecording *recording, GFile *file, GError **error)
{
  g_autoptr (GDateTime) start = es_recording_dup_start (recording);
  g_autoptr (EsNavigation) navigation = es_navigation_load (file, start, error);

  if (navigation == NULL)
    return FALSE;
  es_recording_name_navigation (recording, navigation);
  return TRUE;
}
