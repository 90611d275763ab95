/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-save.h"

#include <glib/gi18n-lib.h>

#include "base/es-task.h"
#include "charts/es-curve-plot.h"
#include "saving/es-durable.h"
#include "base/es-error.h"
#include "base/es-file-name.h"
#include "result/es-operation.h"
#include "writers/es-writer.h"

#define PLOT_WIDTH  640
#define PLOT_HEIGHT 400

typedef struct
{
  EsSaveKind  kind;
  EsResult   *result;
  EsLayer    *layer;
  GFile      *target;
  gboolean    into;            /* a folder of its own in the target, which becomes the target */
  GPtrArray  *written;         /* of GFile: into the target by layers */
  EsActivity *activity;
  GPtrArray  *notes;           /* of char * */
} Save;

static void
save_free (Save *save)
{
  g_object_unref (save->result);
  g_clear_object (&save->layer);
  g_object_unref (save->target);
  g_ptr_array_unref (save->written);
  g_object_unref (save->activity);
  g_ptr_array_unref (save->notes);
  g_free (save);
}

gboolean
es_save_is_folder (EsSaveKind kind)
{
  return kind >= ES_SAVE_PLOTS_PDF && kind <= ES_SAVE_ALL;
}

static gboolean
is_field (EsLayer *layer)
{
  return es_layer_get_kind (layer) == ES_LAYER_FIELD || es_layer_get_kind (layer) == ES_LAYER_WATERFALL;
}

static EsLayer *
first_field (EsResult *result)
{
  GListModel *layers = es_result_get_layers (result);

  for (guint i = 0; i < g_list_model_get_n_items (layers); i++)
    {
      g_autoptr (EsLayer) layer = g_list_model_get_item (layers, i);

      if (is_field (layer))
        return layer;
    }
  return NULL;
}

static EsLayer *
first_stack (EsResult *result)
{
  GListModel *layers = es_result_get_layers (result);

  for (guint i = 0; i < g_list_model_get_n_items (layers); i++)
    {
      g_autoptr (EsLayer) layer = g_list_model_get_item (layers, i);

      if (es_layer_get_kind (layer) == ES_LAYER_IMAGE_STACK)
        return layer;
    }
  return NULL;
}

static const char *
extension_of (EsSaveKind kind)
{
  switch (kind)
    {
    case ES_SAVE_STACK_ENVI:
      return "img";
    case ES_SAVE_STACK_GEOTIFF:
      return "tif";
    case ES_SAVE_FIELD_HDF5:
      return "h5";
    case ES_SAVE_FIELD_CSV:
      return "csv";
    case ES_SAVE_FIELD_PNG:
    default:
      return "png";
    }
}

char *
es_save_suggest (EsSaveKind kind, EsResult *result, EsLayer *layer)
{
  g_autofree char *stem = es_file_name_stem (es_dataset_get_name (es_result_get_dataset (result)), NULL);
  g_autofree char *whole = NULL;
  g_autofree char *name = NULL;
  const char *id = es_result_get_operation (result)->id;

  if (es_save_is_folder (kind))
    return g_strdup_printf ("%s-%s", stem, id);
  if (layer == NULL)
    layer = kind >= ES_SAVE_FIELD_HDF5 ? first_field (result) : first_stack (result);
  whole = g_strdup_printf ("%s-%s-%s", stem, id, layer != NULL ? es_layer_get_name (layer) : "layer");
  name = es_file_name_make (whole, NULL);
  return g_strdup_printf ("%s.%s", name, extension_of (kind));
}

static gboolean
write_stack (Save *save, GCancellable *cancellable, GError **error)
{
  EsLayer *layer = save->layer != NULL ? save->layer : first_stack (save->result);
  g_autofree char *description = NULL;
  char *note;

  if (layer == NULL || es_layer_get_kind (layer) != ES_LAYER_IMAGE_STACK)
    {
      g_set_error (error, ES_DATA_ERROR, ES_DATA_ERROR_UNSUPPORTED,
                   _("The result “%s” has no images that could be saved."), es_result_get_title (save->result));
      return FALSE;
    }
  description = g_strdup_printf ("%s: %s, %s", es_dataset_get_name (es_result_get_dataset (save->result)),
                                 es_result_get_title (save->result), es_layer_get_title (layer));
  if (!es_write_image_stack (ES_IMAGE_STACK (layer), es_result_get_dataset (save->result), description,
                               save->kind == ES_SAVE_STACK_ENVI ? ES_STACK_ENVI : ES_STACK_GEOTIFF, save->target,
                               es_activity_report, save->activity, save->notes, cancellable, error))
    return FALSE;
  note = es_write_tell_projection (es_result_get_dataset (save->result));
  if (note != NULL)
    g_ptr_array_add (save->notes, note);
  return TRUE;
}

static gboolean
write_field (Save *save, GCancellable *cancellable, GError **error)
{
  EsLayer *layer = save->layer != NULL ? save->layer : first_field (save->result);

  if (layer == NULL || !is_field (layer))
    {
      g_set_error (error, ES_DATA_ERROR, ES_DATA_ERROR_UNSUPPORTED,
                   _("The result “%s” has no map that could be saved."), es_result_get_title (save->result));
      return FALSE;
    }
  if (save->kind == ES_SAVE_FIELD_HDF5)
    return es_write_field_hdf5 (ES_FIELD (layer), save->target, cancellable, error);
  if (save->kind == ES_SAVE_FIELD_CSV)
    return es_write_field_csv (ES_FIELD (layer), save->target, cancellable, error);
  return es_write_field_png (ES_FIELD (layer), save->target, cancellable, error);
}

static gboolean
refuse_folder (GFile *folder, const GError *reason, GError **error)
{
  g_autofree char *name = es_error_file_name (folder);

  g_set_error (error, ES_DATA_ERROR, ES_DATA_ERROR_WRITE, _("The folder “%s” could not be made: %s."), name,
               reason->message);
  return FALSE;
}

gboolean
es_save_make_folder (GFile *folder, GError **error)
{
  const char *path = g_file_peek_path (folder);
  g_autoptr (GError) local = NULL;

  if (path != NULL)
    return es_durable_make_folder (path, NULL, error);
  if (g_file_make_directory_with_parents (folder, NULL, &local)
      || g_error_matches (local, G_IO_ERROR, G_IO_ERROR_EXISTS))
    return TRUE;
  return refuse_folder (folder, local, error);
}

/* Making it is what takes the name, so that two that are saved at once do not get the same. */
GFile *
es_save_claim_folder (GFile *parent, const char *name, GError **error)
{
  if (!es_save_make_folder (parent, error))
    return NULL;
  for (guint i = 1; ; i++)
    {
      g_autofree char *numbered = i == 1 ? g_strdup (name) : g_strdup_printf ("%s-%u", name, i);
      g_autoptr (GFile) folder = g_file_get_child (parent, numbered);
      g_autoptr (GError) local = NULL;

      if (g_file_make_directory (folder, NULL, &local))
        return g_steal_pointer (&folder);
      if (!g_error_matches (local, G_IO_ERROR, G_IO_ERROR_EXISTS))
        {
          refuse_folder (folder, local, error);
          return NULL;
        }
      /* One that a process which was killed has begun, and not finished: there is nothing in it. */
      if (g_file_peek_path (folder) != NULL && es_durable_tidy_folder (g_file_peek_path (folder))
          && g_file_delete (folder, NULL, NULL) && g_file_make_directory (folder, NULL, NULL))
        return g_steal_pointer (&folder);
    }
}

void
es_save_give_up_folder (GFile *folder, GPtrArray *written)
{
  for (guint i = 0; i < written->len; i++)
    g_file_delete (g_ptr_array_index (written, i), NULL, NULL);
  g_file_delete (folder, NULL, NULL);
}

static gboolean
claim_folder (Save *save, GError **error)
{
  g_autofree char *name = es_save_suggest (save->kind, save->result, NULL);
  g_autoptr (GFile) folder = es_save_claim_folder (save->target, name, error);

  return folder != NULL && g_set_object (&save->target, folder);
}

static gboolean
write_plot (EsCurve *curve, GFile *target, EsSaveKind kind, GError **error)
{
  g_autoptr (EsPlot) plot = es_curve_plot_new (curve);
  EsPlotFormat format = kind == ES_SAVE_PLOTS_PDF ? ES_PLOT_PDF
                      : kind == ES_SAVE_PLOTS_SVG ? ES_PLOT_SVG : ES_PLOT_PNG;

  return es_plot_save (plot, target, format, PLOT_WIDTH, PLOT_HEIGHT, error);
}

/* One file a curve (and, as CSV, a table). */
static gboolean
write_layers (Save *save, GCancellable *cancellable, GError **error)
{
  static const char * const endings[] = {
    [ES_SAVE_PLOTS_PDF] = "pdf", [ES_SAVE_PLOTS_SVG] = "svg", [ES_SAVE_PLOTS_PNG] = "png", [ES_SAVE_TABLES] = "csv",
  };
  GListModel *layers = es_result_get_layers (save->result);
  g_autoptr (GHashTable) taken = es_file_names_new ();
  guint n = g_list_model_get_n_items (layers);

  if (!es_save_make_folder (save->target, error))
    return FALSE;
  for (guint i = 0; i < n; i++)
    {
      g_autoptr (EsLayer) layer = g_list_model_get_item (layers, i);
      g_autofree char *stem = es_file_name_make (es_layer_get_name (layer), taken);
      g_autofree char *name = g_strdup_printf ("%s.%s", stem, endings[save->kind]);
      g_autoptr (GFile) target = g_file_get_child (save->target, name);
      gboolean done = TRUE;

      if (g_cancellable_set_error_if_cancelled (cancellable, error))
        return FALSE;
      if (es_layer_get_kind (layer) == ES_LAYER_CURVE && save->kind == ES_SAVE_TABLES)
        done = es_write_curve_csv (ES_CURVE (layer), target, error);
      else if (es_layer_get_kind (layer) == ES_LAYER_CURVE)
        done = write_plot (ES_CURVE (layer), target, save->kind, error);
      else if (es_layer_get_kind (layer) == ES_LAYER_TABLE && save->kind == ES_SAVE_TABLES)
        done = es_write_table_csv (ES_TABLE (layer), target, error);
      else if (is_field (layer) && save->kind == ES_SAVE_PLOTS_PNG)
        done = es_write_field_png (ES_FIELD (layer), target, cancellable, error);
      else
        continue;
      if (!done)
        return FALSE;
      g_ptr_array_add (save->written, g_object_ref (target));
      es_activity_report ((double) (i + 1) / n, save->activity);
    }
  if (save->kind == ES_SAVE_TABLES)
    {
      g_autoptr (EsTable) steps = es_result_make_step_table (save->result);
      g_autofree char *stem = es_file_name_make ("steps", taken);
      g_autofree char *name = g_strconcat (stem, ".csv", NULL);
      g_autoptr (GFile) target = g_file_get_child (save->target, name);

      return es_write_table_csv (steps, target, error);
    }
  if (save->written->len == 0)
    g_set_error (error, ES_DATA_ERROR, ES_DATA_ERROR_UNSUPPORTED,
                 _("The result “%s” has no plots that could be saved."), es_result_get_title (save->result));
  return save->written->len > 0;
}

static gboolean
write_kind (Save *save, GCancellable *cancellable, GError **error)
{
  const char *path = g_file_peek_path (save->target);

  if (!es_save_is_folder (save->kind) && path != NULL && !es_file_name_fits (path, extension_of (save->kind), error))
    return FALSE;
  if (save->kind == ES_SAVE_ALL)
    return es_write_result_with (save->result, save->target, &(EsResultWriting) { .notes = save->notes }, cancellable,
                                 error);
  if (save->kind >= ES_SAVE_FIELD_HDF5)
    return write_field (save, cancellable, error);
  if (es_save_is_folder (save->kind))
    return write_layers (save, cancellable, error);
  return write_stack (save, cancellable, error);
}

static void
save_in_thread (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  Save *save = data;
  GError *error = NULL;
  gboolean claimed = save->into && claim_folder (save, &error);
  gboolean done = claimed == save->into && write_kind (save, cancellable, &error);

  if (claimed && !done)
    es_save_give_up_folder (save->target, save->written);
  if (done)
    g_task_return_pointer (task, g_object_ref (save->target), g_object_unref);
  else
    g_task_return_error (task, error);
}

static void
start (Save save, GAsyncReadyCallback callback, gpointer user_data)
{
  g_autoptr (GTask) task = g_task_new (NULL, es_activity_get_cancellable (save.activity), callback, user_data);

  g_object_ref (save.result);
  g_object_ref (save.target);
  g_object_ref (save.activity);
  if (save.layer != NULL)
    g_object_ref (save.layer);
  save.written = g_ptr_array_new_with_free_func (g_object_unref);
  save.notes = g_ptr_array_new_with_free_func (g_free);

  g_task_set_source_tag (task, start);
  g_task_set_task_data (task, g_memdup2 (&save, sizeof save), (GDestroyNotify) save_free);
  /* What has been written is told even where the cancellation came too late. */
  g_task_set_check_cancellable (task, FALSE);
  es_task_run_in_thread (task, save_in_thread);
}

void
es_save_async (EsSaveKind kind, EsResult *result, EsLayer *layer, GFile *target, EsActivity *activity,
               GAsyncReadyCallback callback, gpointer user_data)
{
  g_return_if_fail (ES_IS_RESULT (result) && (layer == NULL || ES_IS_LAYER (layer)));
  g_return_if_fail (G_IS_FILE (target) && ES_IS_ACTIVITY (activity));

  start ((Save) { .kind = kind, .result = result, .layer = layer, .target = target, .activity = activity }, callback,
         user_data);
}

void
es_save_into_async (EsSaveKind kind, EsResult *result, GFile *parent, EsActivity *activity,
                    GAsyncReadyCallback callback, gpointer user_data)
{
  g_return_if_fail (es_save_is_folder (kind) && ES_IS_RESULT (result));
  g_return_if_fail (G_IS_FILE (parent) && ES_IS_ACTIVITY (activity));

  start ((Save) { .kind = kind, .result = result, .target = parent, .into = TRUE, .activity = activity }, callback,
         user_data);
}

GFile *
es_save_finish (GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (g_task_is_valid (result, NULL), NULL);
  return g_task_propagate_pointer (G_TASK (result), error);
}

char *
es_save_tell (GAsyncResult *result)
{
  Save *save;

  g_return_val_if_fail (g_task_is_valid (result, NULL), NULL);
  save = g_task_get_task_data (G_TASK (result));
  if (save->notes->len == 0)
    return NULL;
  g_autoptr (GPtrArray) notes = g_ptr_array_copy (save->notes, NULL, NULL);
  g_ptr_array_set_free_func (notes, NULL);
  g_ptr_array_add (notes, NULL);
  return g_strjoinv (" ", (char **) notes->pdata);
}
