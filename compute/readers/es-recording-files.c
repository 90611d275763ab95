/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "base/es-error.h"
#include "es-open.h"
#include "es-recording-set-private.h"
#include "saving/es-json-file-internal.h"

static GPtrArray *
open_sounds (GPtrArray *files, const EsOpenOptions *options, GCancellable *cancellable, GError **error)
{
  g_autoptr (GPtrArray) recordings = g_ptr_array_new_with_free_func (g_object_unref);

  for (guint i = 0; i < files->len; i++)
    {
      EsDataset *dataset = es_dataset_open (g_ptr_array_index (files, i), options, cancellable, error);
      g_autofree char *name = es_error_file_name (g_ptr_array_index (files, i));

      if (dataset == NULL)
        return NULL;
      g_ptr_array_add (recordings, dataset);
      if (files->len == 1)
        break;
      if (!ES_IS_RECORDING (dataset))
        {
          g_set_error (error, ES_DATA_ERROR, ES_DATA_ERROR_UNSUPPORTED,
                       _("“%s” is no recording; recordings of one channel each were expected"), name);
          return NULL;
        }
      if (es_recording_get_n_channels (ES_RECORDING (dataset)) != 1)
        {
          g_set_error (error, ES_DATA_ERROR, ES_DATA_ERROR_UNSUPPORTED,
                       _("“%s” has %u channels; of several files each has to hold one channel"), name,
                       es_recording_get_n_channels (ES_RECORDING (dataset)));
          return NULL;
        }
    }
  return g_steal_pointer (&recordings);
}

/* The rate that most of them have. */
static double
common_rate (GPtrArray *recordings)
{
  double best = 0;
  guint most = 0;

  for (guint i = 0; i < recordings->len && most <= recordings->len / 2; i++)
    {
      double rate = es_recording_get_rate (g_ptr_array_index (recordings, i));
      guint count = 0;

      for (guint k = 0; k < recordings->len; k++)
        count += es_recording_get_rate (g_ptr_array_index (recordings, k)) == rate;
      if (count > most)
        {
          most = count;
          best = rate;
        }
    }
  return best;
}

static char *
time_text (GDateTime *time)
{
  return time != NULL ? g_date_time_format_iso8601 (time) : g_strdup (_("an unknown time"));
}

static gboolean
check_alike (GPtrArray *recordings, GError **error)
{
  const double rate = common_rate (recordings);
  g_autoptr (EsNavigation) first = es_recording_dup_own_navigation (g_ptr_array_index (recordings, 0));
  GDateTime *start = first != NULL ? es_navigation_get_start (first) : NULL;

  for (guint i = 0; i < recordings->len; i++)
    {
      EsRecording *recording = g_ptr_array_index (recordings, i);
      g_autofree char *name = es_error_file_name (es_dataset_get_file (ES_DATASET (recording)));
      g_autoptr (EsNavigation) own = es_recording_dup_own_navigation (recording);
      GDateTime *other = own != NULL ? es_navigation_get_start (own) : NULL;

      if (es_recording_get_rate (recording) != rate)
        {
          g_set_error (error, ES_DATA_ERROR, ES_DATA_ERROR_UNSUPPORTED,
                       _("“%s” has %.10g Hz, the others %.10g Hz; the channels of one recording have one sampling "
                         "rate"), name, es_recording_get_rate (recording), rate);
          return FALSE;
        }
      if ((start == NULL) != (other == NULL) || (start != NULL && !g_date_time_equal (start, other)))
        {
          g_autofree char *found = time_text (other), *expected = time_text (start);

          g_set_error (error, ES_DATA_ERROR, ES_DATA_ERROR_UNSUPPORTED,
                       _("“%s” began at %s, the first file at %s; the channels of one recording begin together"), name,
                       found, expected);
          return FALSE;
        }
    }
  return TRUE;
}

/* "AMAR173.1" of "AMAR173.1.20190920T163858Z.wav". */
static char *
channel_name (EsRecording *recording)
{
  const char *name = es_dataset_get_name (ES_DATASET (recording));
  g_autoptr (GDateTime) time = NULL;
  char *rest, *dot;

  time = es_recording_time_of_name (name, &rest);
  dot = strrchr (rest, '.');
  if (dot != NULL && dot != rest)
    *dot = '\0';
  for (gsize length = strlen (rest); length > 1 && strchr ("._- ", rest[length - 1]) != NULL; length--)
    rest[length - 1] = '\0';
  return rest;
}

static const char *
common_name (GPtrArray *recordings, const char *(*get) (EsRecording *), const char *otherwise)
{
  const char *first = get (g_ptr_array_index (recordings, 0));

  for (guint i = 1; i < recordings->len; i++)
    if (strcmp (first, get (g_ptr_array_index (recordings, i))) != 0)
      return otherwise;
  return first;
}

/* All files count, in their order. */
static char *
identity_of (GPtrArray *recordings)
{
  g_autoptr (GChecksum) checksum = g_checksum_new (G_CHECKSUM_SHA256);

  for (guint i = 0; i < recordings->len; i++)
    g_checksum_update (checksum, (const guchar *) es_dataset_get_identity (g_ptr_array_index (recordings, i)), -1);
  return g_strdup (g_checksum_get_string (checksum));
}

static void
describe_set (GPtrArray *recordings, EsRecordingInfo *info)
{
  EsRecording *first = g_ptr_array_index (recordings, 0);
  g_autoptr (EsNavigation) own = es_recording_dup_own_navigation (first);
  const guint n = recordings->len;
  gboolean mixed;

  info->channels = n;
  info->rate = es_recording_get_rate (first);
  info->calibration = NAN;
  info->channel_frames = g_new (guint64, n);
  info->channel_names = g_new0 (char *, n);
  info->files = g_new0 (GFile *, n + 1);
  if (own != NULL)
    info->start = g_date_time_ref (es_navigation_get_start (own));
  for (guint i = 0; i < n; i++)
    {
      EsRecording *recording = g_ptr_array_index (recordings, i);

      info->channel_frames[i] = es_recording_get_frames (recording);
      info->frames = MAX (info->frames, info->channel_frames[i]);
      info->channel_names[i] = channel_name (recording);
      info->files[i] = g_object_ref (es_dataset_get_file (ES_DATASET (recording)));
    }
  info->identity = identity_of (recordings);
  info->source = es_recording_set_source_new ((EsRecording **) recordings->pdata, n);
  mixed = es_recording_set_source_is_mixed (info->source);
  info->type = mixed ? ESK_F32 : es_recording_get_type_code (first);
  info->scale = mixed ? 1 : es_recording_get_scale (first);
  info->type_name = g_strdup (common_name (recordings, es_recording_get_type_name, _("mixed")));
  info->format_name = g_strdup_printf (g_dngettext (GETTEXT_PACKAGE, "%u file (%s)", "%u files (%s)", n), n,
                                       common_name (recordings, es_recording_get_format_name, _("mixed")));
}

/* What was odd about the single files; one sentence where very many say the same. */
static void
add_notes (EsRecording *recording, GPtrArray *recordings)
{
  guint64 shortest = G_MAXUINT64, longest = 0;
  guint told = 0;

  for (guint i = 0; i < recordings->len; i++)
    {
      EsDataset *part = g_ptr_array_index (recordings, i);
      const char * const *notes = es_dataset_get_notes (part);

      shortest = MIN (shortest, es_recording_get_frames (ES_RECORDING (part)));
      longest = MAX (longest, es_recording_get_frames (ES_RECORDING (part)));
      for (; notes != NULL && *notes != NULL && told < 12; notes++, told++)
        _es_dataset_add_note (ES_DATASET (recording), "%s: %s", es_dataset_get_name (part), *notes);
    }
  if (shortest != longest)
    _es_dataset_add_note (ES_DATASET (recording),
                          _("The channels have different lengths, %" PRIu64 " to %" PRIu64
                            " frames; the shorter ones are silent at their end."), shortest, longest);
}

static EsDataset *
combine (GPtrArray *recordings, const EsOpenOptions *options, GError **error)
{
  g_auto (EsRecordingInfo) info = { 0 };
  EsRecording *recording;

  if (!check_alike (recordings, error))
    return NULL;
  describe_set (recordings, &info);
  recording = es_recording_new (es_dataset_get_file (g_ptr_array_index (recordings, 0)), &info, error);
  if (recording == NULL)
    return NULL;
  add_notes (recording, recordings);
  _es_dataset_set_options (ES_DATASET (recording), options);
  _es_dataset_hold_files (ES_DATASET (recording), NULL);
  es_reader_take_sidecar (recording);
  es_reader_combine_calibrations (recording, recordings);
  es_reader_take_navigation (recording);
  return ES_DATASET (recording);
}

EsDataset *
es_recording_open_files (GFile **files, guint n_files, GCancellable *cancellable, GError **error)
{
  return es_recording_open_files_with (files, n_files, NULL, cancellable, error);
}

/* What was named goes before what lies beside the recording, and before what its file says of itself. */
static void
take_array (EsRecording *recording, EsArray *array)
{
  g_autoptr (EsArray) beside = es_recording_get_array (recording);
  g_autoptr (GFile) sidecar = es_reader_find_sidecar (recording);

  if (beside != NULL && sidecar != NULL && !es_array_equal (array, beside))
    {
      g_autofree char *name = es_error_file_name (sidecar);

      _es_dataset_add_note (ES_DATASET (recording),
                            _("The array is the one opened with the recording; what “%s” says of it was left."),
                            name);
    }
  es_recording_set_array (recording, array);
}

/* The file beside another recording, which came along with several. */
static gboolean
is_of_another (EsRecording *recording, GFile *told, const char *ending)
{
  g_autofree char *path = g_file_get_path (told);
  g_autoptr (GFile) own = es_json_file_beside (es_dataset_get_file (ES_DATASET (recording)), ending);

  if (path == NULL || g_file_equal (own, told))
    return FALSE;
  path[strlen (path) - strlen (ending)] = '\0';
  return g_file_test (path, G_FILE_TEST_EXISTS);
}

static gboolean
name_calibration (EsRecording *recording, GFile *file, GError **error)
{
  g_autoptr (EsCalibration) calibration = es_calibration_load (file, NULL, error);

  return calibration != NULL && es_recording_name_calibration (recording, calibration, error);
}

/* Those named with a recording that tell its calibration or its navigation are no arrays: they leave the texts, and the
 * last of them counts. */
static gboolean
take_told (EsRecording *recording, GPtrArray *texts, GError **error)
{
  for (guint i = 0; i < texts->len;)
    {
      GFile *file = g_ptr_array_index (texts, i);

      if (es_calibration_is_file (file))
        {
          if (!is_of_another (recording, file, ES_CALIBRATION_ENDING) && !name_calibration (recording, file, error))
            return FALSE;
        }
      else if (es_navigation_is_file (file))
        {
          if (!is_of_another (recording, file, ES_NAVIGATION_ENDING)
              && !es_recording_name_navigation_file (recording, file, error))
            return FALSE;
        }
      else
        {
          i++;
          continue;
        }
      g_ptr_array_remove_index (texts, i);
    }
  return TRUE;
}

EsDataset *
es_recording_open_files_with (GFile **files, guint n_files, const EsOpenOptions *options, GCancellable *cancellable,
                              GError **error)
{
  const EsOpenOptions none = { 0 };
  g_autoptr (GPtrArray) sounds = g_ptr_array_new (), texts = g_ptr_array_new ();
  g_autoptr (GPtrArray) recordings = NULL;
  g_autoptr (EsDataset) dataset = NULL;
  g_autoptr (EsArray) array = NULL;

  g_return_val_if_fail (n_files > 0, NULL);

  es_recording_files_sort (files, n_files, sounds, texts);
  if (sounds->len == 0)
    {
      g_autofree char *name = es_error_file_name (files[0]);

      g_set_error (error, ES_DATA_ERROR, ES_DATA_ERROR_FORMAT,
                   _("There is no recording among the files (“%s” …); sound files, HDF5, MATLAB or Scripps SIO were "
                     "expected"), name);
      return NULL;
    }
  recordings = open_sounds (sounds, options, cancellable, error);
  if (recordings == NULL)
    return NULL;
  dataset = recordings->len == 1 ? g_object_ref (g_ptr_array_index (recordings, 0))
                                 : combine (recordings, options != NULL ? options : &none, error);
  if (dataset == NULL || !ES_IS_RECORDING (dataset))
    return g_steal_pointer (&dataset);

  _es_dataset_hold_files (dataset, texts);
  if (!take_told (ES_RECORDING (dataset), texts, error))
    return NULL;
  array = es_recording_choose_array (ES_RECORDING (dataset), (GFile **) texts->pdata, texts->len);
  if (array != NULL)
    take_array (ES_RECORDING (dataset), array);
  return g_steal_pointer (&dataset);
}

typedef struct
{
  GFile **files;
  guint   n;
} Files;

static void
files_free (Files *self)
{
  for (guint i = 0; i < self->n; i++)
    g_object_unref (self->files[i]);
  g_free (self->files);
  g_free (self);
}

static void
open_in_thread (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  Files *files = data;
  GError *error = NULL;
  EsDataset *dataset = es_recording_open_files (files->files, files->n, cancellable, &error);

  if (dataset != NULL)
    g_task_return_pointer (task, dataset, g_object_unref);
  else
    g_task_return_error (task, error);
}

void
es_recording_open_files_async (GFile **files, guint n_files, GCancellable *cancellable, GAsyncReadyCallback callback,
                               gpointer user_data)
{
  g_autoptr (GTask) task = g_task_new (NULL, cancellable, callback, user_data);
  Files *copy = g_new0 (Files, 1);

  g_return_if_fail (n_files > 0);

  copy->n = n_files;
  copy->files = g_new (GFile *, n_files);
  for (guint i = 0; i < n_files; i++)
    copy->files[i] = g_object_ref (files[i]);
  g_task_set_source_tag (task, es_recording_open_files_async);
  g_task_set_task_data (task, copy, (GDestroyNotify) files_free);
  g_task_run_in_thread (task, open_in_thread);
}

EsDataset *
es_recording_open_files_finish (GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (G_IS_TASK (result), NULL);

  return g_task_propagate_pointer (G_TASK (result), error);
}
