/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <fcntl.h>
#include <glib/gi18n-lib.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/es-error.h"
#include "es-open.h"
#include "es-recording-set-private.h"

/* What a file is, as far as its first bytes tell. */
typedef enum
{
  KIND_MONO,                   /* a recording of one channel */
  KIND_MANY,                   /* of more */
  KIND_CONTAINER,              /* HDF5, MATLAB: a recording or a cube */
  KIND_TEXT,
  KIND_OTHER,
} Kind;

/* The files of one gesture, sorted. */
typedef struct
{
  GPtrArray *sounds;           /* of GFile: KIND_MONO, KIND_MANY, KIND_CONTAINER */
  GPtrArray *texts;
} Sorted;

static Kind
kind_of_recording (GFile *file)
{
  EsOpenOptions options = { .samples.rate = 1 };
  g_autoptr (EsDataset) dataset = es_dataset_open (file, &options, NULL, NULL);

  /* One that cannot be opened may stand with the others: opening them says what is wrong with it. */
  return dataset != NULL && ES_IS_RECORDING (dataset) && es_recording_get_n_channels (ES_RECORDING (dataset)) > 1
           ? KIND_MANY : KIND_MONO;
}

static Kind
kind_of (GFile *file)
{
  g_autofree char *path = g_file_get_path (file);
  g_autofree EsReaderInput *input = g_new0 (EsReaderInput, 1);
  struct stat status;
  ssize_t n = -1;
  int fd;

  if (path == NULL || stat (path, &status) != 0 || !S_ISREG (status.st_mode))
    return KIND_OTHER;
  fd = open (path, O_RDONLY | O_CLOEXEC);
  if (fd >= 0)
    {
      n = pread (fd, input->head, sizeof input->head, 0);
      close (fd);
    }
  if (n < 0)
    return KIND_OTHER;
  input->head_length = (gsize) n;
  if (es_reader_sndfile.recognises (input) || es_reader_sio.recognises (input))
    return kind_of_recording (file);
  if (es_reader_is_matlab (input) || es_reader_is_hdf5 (input))
    return KIND_CONTAINER;
  return es_reader_is_text (input) ? KIND_TEXT : KIND_OTHER;
}

static int
compare_files (gconstpointer a, gconstpointer b)
{
  GFile *one = *(GFile * const *) a, *other = *(GFile * const *) b;
  g_autofree char *first = g_file_get_basename (one), *second = g_file_get_basename (other);
  int order = es_recording_compare_names (first, second);

  if (order != 0)
    return order;
  g_autofree char *first_path = g_file_get_parse_name (one), *second_path = g_file_get_parse_name (other);
  return es_recording_compare_names (first_path, second_path);
}

static void
sorted_clear (Sorted *sorted)
{
  g_ptr_array_unref (sorted->sounds);
  g_ptr_array_unref (sorted->texts);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Sorted, sorted_clear)

static void
sort_files (GFile **files, guint n, Sorted *sorted)
{
  sorted->sounds = g_ptr_array_new ();
  sorted->texts = g_ptr_array_new ();
  for (guint i = 0; i < n; i++)
    switch (kind_of (files[i]))
      {
      case KIND_MONO:
      case KIND_MANY:
      case KIND_CONTAINER:
        g_ptr_array_add (sorted->sounds, files[i]);
        break;
      case KIND_TEXT:
        g_ptr_array_add (sorted->texts, files[i]);
        break;
      default:
        break;
      }
  g_ptr_array_sort (sorted->sounds, compare_files);
  g_ptr_array_sort (sorted->texts, compare_files);
}

static gboolean
any_is_array (GPtrArray *files, guint first)
{
  for (guint i = first; i < files->len; i++)
    {
      GFile *file = g_ptr_array_index (files, i);
      g_autoptr (EsArray) array = es_recording_is_event_list (file) ? NULL : es_array_load (file, NULL);

      if (array != NULL)
        return TRUE;
    }
  return FALSE;
}

static void
free_group (gpointer group)
{
  g_ptr_array_unref (group);
}

static GPtrArray *
add_group (GPtrArray *groups, GFile *file)
{
  GPtrArray *group = g_ptr_array_new_with_free_func (g_object_unref);

  g_ptr_array_add (group, g_object_ref (file));
  g_ptr_array_add (groups, group);
  return group;
}

/* The group of the mono files that begin when this one does. */
static void
add_mono (GPtrArray *groups, GHashTable *by_time, GFile *file)
{
  g_autofree char *name = g_file_get_basename (file);
  g_autoptr (GDateTime) time = es_recording_time_of_name (name, NULL);
  g_autofree char *key = time != NULL ? g_date_time_format_iso8601 (time) : g_strdup ("");
  GPtrArray *group = g_hash_table_lookup (by_time, key);

  if (group != NULL)
    g_ptr_array_add (group, g_object_ref (file));
  else
    g_hash_table_insert (by_time, g_steal_pointer (&key), add_group (groups, file));
}

/* The texts of a group stand behind its recordings. */
static GPtrArray *
make_groups (GFile **files, guint n_files, guint *n_texts)
{
  GPtrArray *groups = g_ptr_array_new_with_free_func (free_group);
  g_autoptr (GHashTable) by_time = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  g_autoptr (GPtrArray) recordings = g_ptr_array_new ();
  g_autoptr (GPtrArray) texts = g_ptr_array_new ();
  g_autofree Kind *kinds = g_new (Kind, MAX (n_files, 1));
  gboolean any = FALSE;

  for (guint i = 0; i < n_files; i++)
    {
      kinds[i] = kind_of (files[i]);
      any |= kinds[i] == KIND_MONO || kinds[i] == KIND_MANY || kinds[i] == KIND_CONTAINER;
    }
  for (guint i = 0; i < n_files; i++)
    if (kinds[i] == KIND_MONO)
      add_mono (groups, by_time, files[i]);
    else if (kinds[i] == KIND_TEXT && any)
      g_ptr_array_add (texts, files[i]);
    else if (kinds[i] == KIND_MANY || kinds[i] == KIND_CONTAINER)
      g_ptr_array_add (recordings, add_group (groups, files[i]));
    else
      add_group (groups, files[i]);

  if (texts->len > 0)
    {
      GHashTableIter iter;
      gpointer group;

      g_hash_table_iter_init (&iter, by_time);
      while (g_hash_table_iter_next (&iter, NULL, &group))
        g_ptr_array_add (recordings, group);
    }
  for (guint i = 0; i < recordings->len; i++)
    for (guint k = 0; k < texts->len; k++)
      g_ptr_array_add (g_ptr_array_index (recordings, i), g_object_ref (g_ptr_array_index (texts, k)));
  *n_texts = texts->len;
  return groups;
}

GPtrArray *
es_recording_group_files (GFile **files, guint n_files)
{
  guint n_texts;

  return make_groups (files, n_files, &n_texts);
}

gboolean
es_recording_files_belong_together (GFile **files, guint n_files)
{
  guint n_texts = 0;
  g_autoptr (GPtrArray) groups = n_files > 1 ? make_groups (files, n_files, &n_texts) : NULL;
  GPtrArray *all = groups != NULL && groups->len == 1 ? g_ptr_array_index (groups, 0) : NULL;

  if (all == NULL || all->len != n_files)
    return FALSE;
  /* A text beside a recording may be anything. */
  return n_files - n_texts > 1 || any_is_array (all, 1);
}

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
                       _("“%s” is a cube; recordings of one channel each were expected"), name);
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
  GDateTime *start = es_recording_get_start (g_ptr_array_index (recordings, 0));

  for (guint i = 0; i < recordings->len; i++)
    {
      EsRecording *recording = g_ptr_array_index (recordings, i);
      g_autofree char *name = es_error_file_name (es_dataset_get_file (ES_DATASET (recording)));
      GDateTime *other = es_recording_get_start (recording);

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
  const guint n = recordings->len;
  gboolean mixed;

  info->channels = n;
  info->rate = es_recording_get_rate (first);
  info->calibration = es_recording_get_calibration (first);
  info->channel_frames = g_new (guint64, n);
  info->channel_names = g_new0 (char *, n);
  info->files = g_new0 (GFile *, n + 1);
  if (es_recording_get_start (first) != NULL)
    info->start = g_date_time_ref (es_recording_get_start (first));
  for (guint i = 0; i < n; i++)
    {
      EsRecording *recording = g_ptr_array_index (recordings, i);

      info->channel_frames[i] = es_recording_get_frames (recording);
      info->frames = MAX (info->frames, info->channel_frames[i]);
      info->channel_names[i] = channel_name (recording);
      info->files[i] = g_object_ref (es_dataset_get_file (ES_DATASET (recording)));
      if (es_recording_get_calibration (recording) != info->calibration)
        info->calibration = NAN;
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
  es_reader_take_sidecar (recording);
  return ES_DATASET (recording);
}

EsDataset *
es_recording_open_files (GFile **files, guint n_files, GCancellable *cancellable, GError **error)
{
  return es_recording_open_files_with (files, n_files, NULL, cancellable, error);
}

EsDataset *
es_recording_open_files_with (GFile **files, guint n_files, const EsOpenOptions *options, GCancellable *cancellable,
                              GError **error)
{
  const EsOpenOptions none = { 0 };
  g_auto (Sorted) sorted = { 0 };
  g_autoptr (GPtrArray) recordings = NULL;
  g_autoptr (EsDataset) dataset = NULL;
  g_autoptr (EsArray) array = NULL, beside = NULL;

  g_return_val_if_fail (n_files > 0, NULL);

  sort_files (files, n_files, &sorted);
  if (sorted.sounds->len == 0)
    {
      g_autofree char *name = es_error_file_name (files[0]);

      g_set_error (error, ES_DATA_ERROR, ES_DATA_ERROR_FORMAT,
                   _("There is no recording among the files (“%s” …); sound files, HDF5, MATLAB or Scripps SIO were "
                     "expected"), name);
      return NULL;
    }
  recordings = open_sounds (sorted.sounds, options, cancellable, error);
  if (recordings == NULL)
    return NULL;
  dataset = recordings->len == 1 ? g_object_ref (g_ptr_array_index (recordings, 0))
                                 : combine (recordings, options != NULL ? options : &none, error);
  if (dataset == NULL || !ES_IS_RECORDING (dataset))
    return g_steal_pointer (&dataset);

  array = es_recording_choose_array (ES_RECORDING (dataset), (GFile **) sorted.texts->pdata, sorted.texts->len);
  beside = es_recording_get_array (ES_RECORDING (dataset));
  /* What a person saved for this recording stays; what a file says of itself gives way to what was opened with it. */
  if (array != NULL && (beside == NULL || !es_reader_has_sidecar (ES_RECORDING (dataset))))
    es_recording_set_array (ES_RECORDING (dataset), array);
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
