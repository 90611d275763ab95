/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-metadata-import.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "base/es-error.h"
#include "metadata/es-band-table.h"
#include "readers/es-open.h"

#define HEAD 4096

/* A text that is no header: such a cube does not exist but with one beside it. */
static gboolean
is_table (GFile *file)
{
  g_autofree char *path = g_file_get_path (file), *base = g_file_get_basename (file);
  g_autoptr (GFileInputStream) stream = NULL;
  static const char *const endings[] = { ".txt", ".csv", ".tsv", ".dat", ".wav", ".wl", ".asc" };
  char head[HEAD];
  gsize n = 0;

  if (path == NULL || !g_file_test (path, G_FILE_TEST_IS_REGULAR))
    return FALSE;
  stream = g_file_read (file, NULL, NULL);
  if (stream == NULL || !g_input_stream_read_all (G_INPUT_STREAM (stream), head, sizeof head, &n, NULL, NULL))
    return FALSE;
  for (gsize i = 0; i < n; i++)
    if (head[i] == '\0' || (guchar) head[i] == 0x7f || ((guchar) head[i] < 0x20 && strchr ("\t\n\r", head[i]) == NULL))
      return FALSE;
  for (guint i = 0; i < G_N_ELEMENTS (endings); i++)
    if (g_str_has_suffix (base, endings[i]))
      return TRUE;
  return !(n >= 4 && memcmp (head, "ENVI", 4) == 0);
}

EsMetadata *
es_cube_import_metadata (EsCube *self, GFile *file, gboolean *guessed, GCancellable *cancellable, GError **error)
{
  g_autofree char *shape = es_dataset_shape (ES_DATASET (self));
  g_autoptr (EsDataset) other = NULL;

  g_return_val_if_fail (ES_IS_CUBE (self) && G_IS_FILE (file), NULL);

  if (guessed != NULL)
    *guessed = FALSE;
  if (es_metadata_is_file (file))
    return es_metadata_load (file, shape, es_cube_get_bands (self), error);
  if (is_table (file))
    return es_band_table_load (file, es_cube_get_bands (self), guessed, error);
  other = es_dataset_open (file, NULL, cancellable, error);
  if (other == NULL)
    return NULL;
  if (ES_IS_CUBE (other))
    return es_cube_take_metadata_of (self, ES_CUBE (other), error);
  g_set_error (error, ES_DATA_ERROR, ES_DATA_ERROR_FORMAT,
               _("“%s” is no cube; one, or a text with a line for each band, was expected"),
               es_dataset_get_name (other));
  return NULL;
}

typedef struct
{
  GFile   *file;
  gboolean guessed;
} Import;

static void
import_free (gpointer data)
{
  Import *import = data;

  g_object_unref (import->file);
  g_free (import);
}

static void
import_in_thread (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  Import *import = data;
  GError *error = NULL;
  EsMetadata *metadata = es_cube_import_metadata (source, import->file, &import->guessed, cancellable, &error);

  if (metadata != NULL)
    g_task_return_pointer (task, metadata, (GDestroyNotify) es_metadata_unref);
  else
    g_task_return_error (task, error);
}

void
es_cube_import_metadata_async (EsCube *self, GFile *file, GCancellable *cancellable, GAsyncReadyCallback callback,
                               gpointer user_data)
{
  g_autoptr (GTask) task = g_task_new (self, cancellable, callback, user_data);
  Import *import = g_new0 (Import, 1);

  import->file = g_object_ref (file);
  g_task_set_source_tag (task, es_cube_import_metadata_async);
  g_task_set_task_data (task, import, import_free);
  g_task_run_in_thread (task, import_in_thread);
}

EsMetadata *
es_cube_import_metadata_finish (GAsyncResult *result, gboolean *guessed, GError **error)
{
  const Import *import = g_task_get_task_data (G_TASK (result));

  if (guessed != NULL)
    *guessed = import->guessed;
  return g_task_propagate_pointer (G_TASK (result), error);
}
