/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* Which of several files are one recording, as far as their first bytes and their names tell. */

#include "es-open.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

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

void
es_recording_files_sort (GFile **files, guint n, GPtrArray *sounds, GPtrArray *texts)
{
  for (guint i = 0; i < n; i++)
    switch (kind_of (files[i]))
      {
      case KIND_MONO:
      case KIND_MANY:
      case KIND_CONTAINER:
        g_ptr_array_add (sounds, files[i]);
        break;
      case KIND_TEXT:
        g_ptr_array_add (texts, files[i]);
        break;
      default:
        break;
      }
  g_ptr_array_sort (sounds, compare_files);
  g_ptr_array_sort (texts, compare_files);
}

static gboolean
any_is_array (GPtrArray *files, guint first)
{
  for (guint i = first; i < files->len; i++)
    {
      GFile *file = g_ptr_array_index (files, i);
      g_autoptr (EsArray) array = es_recording_is_event_list (file) ? NULL : es_array_load (file, NULL, NULL);

      if (array != NULL || es_calibration_is_file (file) || es_navigation_is_file (file))
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
