/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-save.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "charts/es-curve-plot.h"
#include "base/es-error.h"
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
  EsActivity *activity;
} Save;

static void
save_free (Save *save)
{
  g_object_unref (save->result);
  g_clear_object (&save->layer);
  g_object_unref (save->target);
  g_object_unref (save->activity);
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
  g_autofree char *stem = g_strdup (es_dataset_get_name (es_result_get_dataset (result)));
  const char *id = es_result_get_operation (result)->id;
  char *dot = strrchr (stem, '.');

  if (dot != NULL && dot != stem && strlen (dot) <= 5)
    *dot = '\0';
  g_strdelimit (stem, "/\\:*?\"<>|\n\t", '_');
  if (es_save_is_folder (kind))
    return g_strdup_printf ("%s-%s", stem, id);
  if (layer == NULL)
    layer = kind >= ES_SAVE_FIELD_HDF5 ? first_field (result) : first_stack (result);
  return g_strdup_printf ("%s-%s-%s.%s", stem, id, layer != NULL ? es_layer_get_name (layer) : "layer",
                          extension_of (kind));
}

static gboolean
write_stack (Save *save, GCancellable *cancellable, GError **error)
{
  EsLayer *layer = save->layer != NULL ? save->layer : first_stack (save->result);
  g_autofree char *description = NULL;

  if (layer == NULL || es_layer_get_kind (layer) != ES_LAYER_IMAGE_STACK)
    {
      g_set_error (error, ES_DATA_ERROR, ES_DATA_ERROR_UNSUPPORTED,
                   _("The result “%s” has no images that could be saved."), es_result_get_title (save->result));
      return FALSE;
    }
  description = g_strdup_printf ("%s: %s, %s", es_dataset_get_name (es_result_get_dataset (save->result)),
                                 es_result_get_title (save->result), es_layer_get_title (layer));
  return es_write_image_stack (ES_IMAGE_STACK (layer), es_result_get_dataset (save->result), description,
                               save->kind == ES_SAVE_STACK_ENVI ? ES_STACK_ENVI : ES_STACK_GEOTIFF, save->target,
                               es_activity_report, save->activity, cancellable, error);
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
make_folder (GFile *folder, GError **error)
{
  g_autoptr (GError) local = NULL;
  g_autofree char *name = NULL;

  if (g_file_make_directory_with_parents (folder, NULL, &local)
      || g_error_matches (local, G_IO_ERROR, G_IO_ERROR_EXISTS))
    return TRUE;
  name = es_error_file_name (folder);
  g_set_error (error, ES_DATA_ERROR, ES_DATA_ERROR_WRITE, _("The folder “%s” could not be made: %s."), name,
               local->message);
  return FALSE;
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
  guint n = g_list_model_get_n_items (layers), written = 0;

  if (!make_folder (save->target, error))
    return FALSE;
  for (guint i = 0; i < n; i++)
    {
      g_autoptr (EsLayer) layer = g_list_model_get_item (layers, i);
      g_autofree char *name = g_strdup_printf ("%s.%s", es_layer_get_name (layer), endings[save->kind]);
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
      written++;
      es_activity_report ((double) (i + 1) / n, save->activity);
    }
  if (save->kind == ES_SAVE_TABLES)
    {
      g_autoptr (EsTable) steps = es_result_make_step_table (save->result);
      g_autoptr (GFile) target = g_file_get_child (save->target, "steps.csv");

      return es_write_table_csv (steps, target, error);
    }
  if (written == 0)
    g_set_error (error, ES_DATA_ERROR, ES_DATA_ERROR_UNSUPPORTED,
                 _("The result “%s” has no plots that could be saved."), es_result_get_title (save->result));
  return written > 0;
}

static void
save_in_thread (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  Save *save = data;
  GError *error = NULL;
  gboolean done;

  if (save->kind == ES_SAVE_ALL)
    done = es_write_result (save->result, save->target, ES_STACK_ENVI, cancellable, &error);
  else if (save->kind >= ES_SAVE_FIELD_HDF5)
    done = write_field (save, cancellable, &error);
  else if (es_save_is_folder (save->kind))
    done = write_layers (save, cancellable, &error);
  else
    done = write_stack (save, cancellable, &error);
  if (done)
    g_task_return_pointer (task, g_object_ref (save->target), g_object_unref);
  else
    g_task_return_error (task, error);
}

void
es_save_async (EsSaveKind kind, EsResult *result, EsLayer *layer, GFile *target, EsActivity *activity,
               GAsyncReadyCallback callback, gpointer user_data)
{
  g_autoptr (GTask) task = NULL;
  Save *save;

  g_return_if_fail (ES_IS_RESULT (result) && (layer == NULL || ES_IS_LAYER (layer)));
  g_return_if_fail (G_IS_FILE (target) && ES_IS_ACTIVITY (activity));

  save = g_new0 (Save, 1);
  save->kind = kind;
  save->result = g_object_ref (result);
  save->layer = layer != NULL ? g_object_ref (layer) : NULL;
  save->target = g_object_ref (target);
  save->activity = g_object_ref (activity);

  task = g_task_new (NULL, es_activity_get_cancellable (activity), callback, user_data);
  g_task_set_source_tag (task, es_save_async);
  g_task_set_task_data (task, save, (GDestroyNotify) save_free);
  /* What has been written is told even where the cancellation came too late. */
  g_task_set_check_cancellable (task, FALSE);
  g_task_run_in_thread (task, save_in_thread);
}

GFile *
es_save_finish (GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (g_task_is_valid (result, NULL), NULL);
  return g_task_propagate_pointer (G_TASK (result), error);
}
