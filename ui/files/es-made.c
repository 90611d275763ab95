/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-made.h"

#include <glib/gi18n-lib.h>

#include "base/es-file-name.h"
#include "base/es-task.h"
#include "es-made-told.h"
#include "es-region-store.h"
#include "es-save.h"
#include "saving/es-durable.h"

typedef struct
{
  GFile   *folder;
  char    *stem;
  /* One of them. */
  EsArray *array;
  EsMadeTold *told;              /* nullable */
  char    *text;               /* of classes, whose set the worker may not look at */
  guint    version;
} Making;

static void
making_free (gpointer data)
{
  Making *making = data;

  g_object_unref (making->folder);
  g_free (making->stem);
  g_clear_pointer (&making->array, es_array_unref);
  g_clear_object (&making->told);
  g_free (making->text);
  g_free (making);
}

void
es_made_list_unsaved (EsDataset *dataset, GPtrArray *list)
{
  if (ES_IS_RECORDING (dataset) && !es_recording_is_array_saved (ES_RECORDING (dataset)))
    g_ptr_array_add (list, g_object_ref (dataset));
  es_made_told_list (dataset, list);
  if (!ES_IS_CUBE (dataset))
    return;
  /* What would be kept in a moment is not asked about. */
  es_region_store_write ();
  if (!es_region_set_is_saved (es_dataset_get_regions (dataset)))
    g_ptr_array_add (list, g_object_ref (es_dataset_get_regions (dataset)));
}

static const char *
name_of (GObject *made)
{
  gpointer dataset = ES_IS_REGION_SET (made) ? (gpointer) es_region_set_get_cube (ES_REGION_SET (made))
                     : ES_IS_MADE_TOLD (made) ? (gpointer) es_made_told_get_dataset (ES_MADE_TOLD (made)) : made;

  /* The data may have been removed while others were being saved. */
  return dataset != NULL ? es_dataset_get_name (dataset) : _("data");
}

char *
es_made_describe (GObject *made)
{
  const char *name = name_of (made);

  g_return_val_if_fail (ES_IS_RECORDING (made) || ES_IS_REGION_SET (made) || ES_IS_MADE_TOLD (made), NULL);

  if (ES_IS_MADE_TOLD (made))
    return es_made_told_describe (ES_MADE_TOLD (made));
  /* TRANSLATORS: what a person has entered by hand of a recording, named after “of” */
  return ES_IS_RECORDING (made) ? g_strdup_printf (_("Hydrophones of %s"), name)
                                /* TRANSLATORS: what a person has drawn by hand in a cube, named after “of” */
                                : g_strdup_printf (_("Classes of %s"), name);
}

/* The first that is free. */
static GFile *
choose_target (Making *making)
{
  const char *ending = making->array != NULL ? ".array.json"
                       : making->told != NULL ? es_made_told_get_ending (making->told) : "-classes.json";

  for (guint i = 1; ; i++)
    {
      g_autofree char *number = i > 1 ? g_strdup_printf ("-%u", i) : g_strdup ("");
      g_autofree char *name = g_strconcat (making->stem, number, ending, NULL);
      g_autoptr (GFile) target = g_file_get_child (making->folder, name);

      if (g_file_query_file_type (target, G_FILE_QUERY_INFO_NOFOLLOW_SYMLINKS, NULL) == G_FILE_TYPE_UNKNOWN)
        return g_steal_pointer (&target);
    }
}

static void
save_in_thread (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  Making *making = data;
  g_autoptr (GFile) target = NULL;
  GError *error = NULL;
  gboolean done = es_save_make_folder (making->folder, &error);

  if (done)
    {
      target = choose_target (making);
      done = making->array != NULL ? es_array_save (making->array, target, &error)
             : making->told != NULL ? es_made_told_save (making->told, target, &error)
                                   : es_durable_write_text (target, making->text, &error);
    }
  if (done)
    g_task_return_pointer (task, g_steal_pointer (&target), g_object_unref);
  else
    g_task_return_error (task, error);
}

void
es_made_save_async (GObject *made, GFile *folder, GCancellable *cancellable, GAsyncReadyCallback callback,
                    gpointer user_data)
{
  g_autoptr (GTask) task = g_task_new (made, cancellable, callback, user_data);
  Making *making = g_new0 (Making, 1);

  making->folder = g_object_ref (folder);
  if (ES_IS_RECORDING (made) || ES_IS_MADE_TOLD (made))
    {
      gpointer recording = ES_IS_RECORDING (made) ? (gpointer) made
                           : es_made_told_get_dataset (ES_MADE_TOLD (made));
      GFile *file = es_dataset_get_file (ES_DATASET (recording));
      g_autofree char *base = file != NULL ? g_file_get_basename (file) : NULL;

      if (ES_IS_RECORDING (made))
        making->array = es_recording_get_array (ES_RECORDING (made));
      else
        making->told = g_object_ref (ES_MADE_TOLD (made));
      /* What lies beside the recording under this name is found again. */
      making->stem = es_file_name_make (base != NULL ? base : name_of (made), NULL);
    }
  else
    {
      making->version = es_region_set_get_version (ES_REGION_SET (made));
      making->text = es_region_set_to_text (ES_REGION_SET (made));
      making->stem = es_file_name_stem (name_of (made), NULL);
    }
  g_task_set_source_tag (task, es_made_save_async);
  g_task_set_task_data (task, making, making_free);
  /* What has been written is told even where the cancellation came too late. */
  g_task_set_check_cancellable (task, FALSE);
  es_task_run_in_thread (task, save_in_thread);
}

GFile *
es_made_save_finish (GAsyncResult *result, GError **error)
{
  Making *making;
  GObject *made;
  GFile *file;

  g_return_val_if_fail (g_async_result_is_tagged (result, es_made_save_async), NULL);

  making = g_task_get_task_data (G_TASK (result));
  made = g_task_get_source_object (G_TASK (result));
  file = g_task_propagate_pointer (G_TASK (result), error);
  if (file == NULL)
    return NULL;
  if (making->array != NULL)
    es_recording_set_array_saved (ES_RECORDING (made), making->array, TRUE);
  else if (making->told != NULL)
    es_made_told_was_saved (making->told, file);
  else
    es_region_set_was_saved (ES_REGION_SET (made), making->version);
  return file;
}
