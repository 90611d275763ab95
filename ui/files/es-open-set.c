/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-open-set.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "base/es-error.h"
#include "base/es-task.h"
#include "readers/es-open.h"
#include "recording/es-recording.h"

/* Of a folder's files so many are looked at: channels are thousands at most. */
#define MAX_FILES 70000

void
es_open_set_free (EsOpenSet *self)
{
  if (self == NULL)
    return;
  g_clear_pointer (&self->files, g_ptr_array_unref);
  g_free (self->problem);
  g_free (self);
}

static gboolean
has_ending (const char *name, const char * const *endings)
{
  g_autofree char *lower = name != NULL ? g_ascii_strdown (name, -1) : g_strdup ("");

  for (guint i = 0; endings[i] != NULL; i++)
    if (g_str_has_suffix (lower, endings[i]))
      return TRUE;
  return FALSE;
}

gboolean
es_open_set_is_array (GFile *file)
{
  static const char * const endings[] = {
    ".csv", ".xml", ".sigmf-meta", ".sigmf-collection", ".array.json", ".calibration.json", NULL,
  };
  static const char * const products[] = { "-metadata.xml", NULL };
  g_autofree char *name = g_file_get_basename (file);

  return has_ending (name, endings) && !has_ending (name, products);
}

gboolean
es_open_set_is_library (GFile *file)
{
  static const char * const endings[] = { ".sli", ".slb", NULL };
  g_autofree char *name = g_file_get_basename (file);

  return has_ending (name, endings);
}

gboolean
es_open_set_is_sound (const char *name)
{
  static const char * const endings[] = {
    ".wav", ".wave", ".w64", ".rf64", ".flac", ".caf", ".aif", ".aiff", ".au", ".sio", NULL,
  };

  return has_ending (name, endings);
}

gboolean
es_open_set_is_matrix (const char *name)
{
  static const char * const endings[] = { ".mtx", ".mtx.gz", NULL };

  return has_ending (name, endings);
}

static gboolean
is_sound (GFile *file)
{
  g_autofree char *name = g_file_get_basename (file);

  return es_open_set_is_sound (name);
}

static int
by_name (gconstpointer a, gconstpointer b)
{
  g_autofree char *one = g_file_get_basename (*(GFile * const *) a);
  g_autofree char *other = g_file_get_basename (*(GFile * const *) b);

  return g_strcmp0 (one, other);
}

/* The recordings and arrays in a folder, sorted; TRUE with none of them where it cannot be read, too. */
static void
add_folder (EsOpenSet *self, GFile *folder, GCancellable *cancellable)
{
  g_autoptr (GPtrArray) found = g_ptr_array_new ();
  g_autoptr (GError) error = NULL;
  g_autoptr (GFileEnumerator) children =
    g_file_enumerate_children (folder, G_FILE_ATTRIBUTE_STANDARD_NAME "," G_FILE_ATTRIBUTE_STANDARD_TYPE ","
                               G_FILE_ATTRIBUTE_STANDARD_IS_HIDDEN, G_FILE_QUERY_INFO_NONE, cancellable, &error);
  g_autofree char *name = es_error_file_name (folder);
  guint n_sounds = 0;

  while (children != NULL && found->len < MAX_FILES)
    {
      GFileInfo *info = NULL;
      GFile *child = NULL;

      if (!g_file_enumerator_iterate (children, &info, &child, cancellable, &error) || info == NULL)
        break;
      if (g_file_info_get_file_type (info) != G_FILE_TYPE_REGULAR || g_file_info_get_is_hidden (info))
        continue;
      if (is_sound (child) || (es_open_set_is_array (child) && !es_calibration_is_file (child)))
        g_ptr_array_add (found, g_object_ref (child));
      n_sounds += is_sound (child);
    }
  g_ptr_array_sort (found, by_name);
  for (guint i = 0; i < found->len; i++)
    if (n_sounds > 0)
      g_ptr_array_add (self->files, found->pdata[i]);
    else
      g_object_unref (found->pdata[i]);
  if (n_sounds == 0 && self->problem == NULL)
    self->problem = error != NULL ? g_strdup_printf (_("The folder “%s” could not be read: %s."), name, error->message)
                                  : g_strdup_printf (_("The folder “%s” holds no recordings."), name);
}

static void
look (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  GPtrArray *files = data;
  EsOpenSet *self = g_new0 (EsOpenSet, 1);

  self->files = g_ptr_array_new_with_free_func (g_object_unref);
  for (guint i = 0; i < files->len; i++)
    {
      GFile *file = g_ptr_array_index (files, i);

      if (g_file_query_file_type (file, G_FILE_QUERY_INFO_NONE, cancellable) == G_FILE_TYPE_DIRECTORY
          && !es_dataset_is_product (file))
        add_folder (self, file, cancellable);
      else
        g_ptr_array_add (self->files, g_object_ref (file));
    }
  if (self->files->len > 1)
    self->together = es_recording_files_belong_together ((GFile **) self->files->pdata, self->files->len);
  if (self->files->len > 0)
    g_clear_pointer (&self->problem, g_free);
  g_task_return_pointer (task, self, (GDestroyNotify) es_open_set_free);
}

void
es_open_set_async (GFile **files, guint n_files, GCancellable *cancellable, GAsyncReadyCallback callback,
                   gpointer user_data)
{
  g_autoptr (GTask) task = g_task_new (NULL, cancellable, callback, user_data);
  GPtrArray *copy = g_ptr_array_new_with_free_func (g_object_unref);

  for (guint i = 0; i < n_files; i++)
    g_ptr_array_add (copy, g_object_ref (files[i]));
  g_task_set_source_tag (task, es_open_set_async);
  g_task_set_task_data (task, copy, (GDestroyNotify) g_ptr_array_unref);
  g_task_set_return_on_cancel (task, TRUE);
  es_task_run_in_thread (task, look);
}

EsOpenSet *
es_open_set_finish (GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (g_task_is_valid (result, NULL), NULL);
  return g_task_propagate_pointer (G_TASK (result), error);
}
