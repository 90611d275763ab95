/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-result-cache.h"

#include <glib/gi18n-lib.h>
#include <glib/gstdio.h>

#include "base/es-error.h"
#include "es-kept-folder-private.h"
#include "es-kept-id.h"
#include "layer/es-curve.h"
#include "layer/es-field.h"
#include "layer/es-image-stack.h"
#include "layer/es-matrix.h"
#include "saving/es-durable.h"
#include "saving/es-used-files.h"
#include "session/es-result-load-internal.h"
#include "writers/es-writer.h"

/* One at a time makes room, or writes. */
static GMutex lock;

static char *
folder_path (void)
{
  return g_build_filename (g_get_user_cache_dir (), "eigenscope", "results", NULL);
}

static char *
path_of (const char *id, const char *name)
{
  g_autofree char *folder = folder_path ();

  return g_build_filename (folder, id, name, NULL);
}

/* ---- what it takes ---- */

static guint64
size_of (EsLayer *layer)
{
  if (ES_IS_IMAGE_STACK (layer))
    return es_image_stack_get_width (ES_IMAGE_STACK (layer)) * es_image_stack_get_height (ES_IMAGE_STACK (layer))
           * es_image_stack_get_planes (ES_IMAGE_STACK (layer)) * sizeof (float);
  /* As text. */
  if (ES_IS_FIELD (layer))
    return (guint64) es_field_get_rows (ES_FIELD (layer))->n * es_field_get_columns (ES_FIELD (layer))->n * 12;
  if (ES_IS_MATRIX (layer))
    return (guint64) es_matrix_get_n_rows (ES_MATRIX (layer)) * es_matrix_get_n_columns (ES_MATRIX (layer)) * 20;
  if (ES_IS_CURVE (layer))
    return (guint64) es_curve_get_length (ES_CURVE (layer)) * es_curve_get_n_series (ES_CURVE (layer)) * 20;
  return 1 << 12;
}

guint64
es_result_cache_size (EsResult *result)
{
  GListModel *layers = es_result_get_layers (result);
  guint64 size = 0;

  for (guint i = 0; i < g_list_model_get_n_items (layers); i++)
    {
      g_autoptr (EsLayer) layer = g_list_model_get_item (layers, i);

      size += size_of (layer);
    }
  return size;
}

/* ---- room ---- */

static GPtrArray *
list_kept (void)
{
  g_autofree char *folder = folder_path ();
  g_autoptr (GDir) names = g_dir_open (folder, 0, NULL);
  GPtrArray *list = es_used_files_new ();
  const char *name;

  while (names != NULL && (name = g_dir_read_name (names)) != NULL)
    if (es_kept_id_is (name))
      {
        g_autofree char *path = g_build_filename (folder, name, NULL);
        gint64 used;
        const guint64 size = _es_kept_folder_measure (path, &used);

        es_used_files_add (list, path, size, used);
      }
  return list;
}

static gboolean
remove_kept (const char *path)
{
  _es_kept_folder_remove (path);
  return TRUE;
}

static guint64
limit (guint64 bytes)
{
  g_autoptr (GPtrArray) list = list_kept ();

  return es_used_files_limit (list, bytes, remove_kept);
}

guint64
es_result_cache_limit (guint64 bytes)
{
  guint64 left;

  g_mutex_lock (&lock);
  left = limit (bytes);
  g_mutex_unlock (&lock);
  return left;
}

/* ---- keeping and reading ---- */

gboolean
es_result_cache_has (const char *id)
{
  g_autofree char *path = es_kept_id_is (id) ? path_of (id, NULL) : NULL;

  return path != NULL && _es_kept_folder_is_written (path);
}

static gboolean
keep (EsResult *result, const char *id, guint64 budget, GCancellable *cancellable, GError **error)
{
  const EsResultWriting how = { .format = ES_STACK_ENVI, .kept = TRUE };
  const guint64 size = es_result_cache_size (result);
  g_autofree char *path = path_of (id, NULL);
  g_autoptr (GFile) folder = g_file_new_for_path (path);

  if (size > budget / 2)
    {
      g_autofree char *shown = g_format_size (size);

      g_set_error (error, ES_DATA_ERROR, ES_DATA_ERROR_SIZE,
                   _("“%s” takes %s and is not kept: it can be run again."), es_result_get_title (result), shown);
      return FALSE;
    }
  limit (budget - size);
  g_autofree char *parent = folder_path ();
  if (g_mkdir_with_parents (parent, 0700) != 0 && !g_file_test (parent, G_FILE_TEST_IS_DIR))
    return es_durable_make_folder (parent, NULL, error);
  /* What is half there of it goes; what is left then is somebody's, and nothing is written among it. */
  _es_kept_folder_remove (path);
  if (g_file_test (path, G_FILE_TEST_IS_DIR))
    {
      g_autofree char *shown = g_filename_display_name (path);

      g_set_error (error, ES_DATA_ERROR, ES_DATA_ERROR_WRITE,
                   _("“%s” is not kept: its folder “%s” holds files of somebody else."), es_result_get_title (result),
                   shown);
      return FALSE;
    }
  if (es_write_result_with (result, folder, &how, cancellable, error))
    return TRUE;
  g_rmdir (path);
  return FALSE;
}

gboolean
es_result_cache_keep (EsResult *result, const char *id, guint64 budget, GCancellable *cancellable, GError **error)
{
  gboolean kept;

  g_return_val_if_fail (ES_IS_RESULT (result) && es_kept_id_is (id), FALSE);
  g_return_val_if_fail (!es_result_is_absent (result), FALSE);

  if (es_result_cache_has (id))
    return TRUE;
  g_mutex_lock (&lock);
  kept = keep (result, id, budget, cancellable, error);
  g_mutex_unlock (&lock);
  return kept;
}

EsResult *
es_result_cache_load (const char *id, EsDataset *dataset, GCancellable *cancellable, GError **error)
{
  g_autofree char *path = NULL, *folder = NULL;
  g_autoptr (GFile) file = NULL;
  g_autoptr (EsResult) result = NULL;
  g_autoptr (GError) failure = NULL;

  g_return_val_if_fail (es_kept_id_is (id) && ES_IS_DATASET (dataset), NULL);

  path = path_of (id, "result.json");
  folder = path_of (id, NULL);
  if (!_es_kept_folder_is_written (folder))
    {
      /* What is not its own stays, but for a link. */
      _es_kept_folder_remove (folder);
      g_set_error (error, ES_DATA_ERROR, ES_DATA_ERROR_OPEN, _("There is no kept result of the name “%s”."), id);
      return NULL;
    }
  file = g_file_new_for_path (path);
  result = es_result_load_for (file, dataset, cancellable, &failure);
  if (result == NULL)
    {
      if (!g_error_matches (failure, G_IO_ERROR, G_IO_ERROR_CANCELLED))
        _es_kept_folder_remove (folder);
      g_propagate_error (error, g_steal_pointer (&failure));
      return NULL;
    }
  _es_kept_folder_use (folder);
  return g_steal_pointer (&result);
}
