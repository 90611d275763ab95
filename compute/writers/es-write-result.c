/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#include "base/es-error.h"
#include "base/es-file-internal.h"
#include "base/es-file-name.h"
#include "base/es-json.h"
#include "layer/es-layer-internal.h"
#include "result/es-operation.h"
#include "result/es-result-internal.h"
#include "base/es-text-internal.h"
#include "result/es-saved-files-internal.h"
#include "es-write-field-private.h"
#include "es-strays-internal.h"
#include "es-write-result-private.h"
#include "es-write-stack-private.h"
#include "es-write-text-private.h"

/* Waterfalls of so many samples are written as text, too. */
#define SMALL_WATERFALL 100000

typedef struct
{
  EsResult      *result;
  char          *directory;
  EsStackFormat  format;
  gboolean       previews;
  GCancellable  *cancellable;
  EsOutputs     *outputs;
  JsonArray     *layers;       /* of result.json */
  EsWrittenSet  *set;
} Saving;

static gboolean
write_text (Saving *saving, const char *path, const char *text, gsize length, GError **error)
{
  const EsOutput *output = es_outputs_add (saving->outputs, path, FALSE, error);

  return output != NULL && es_file_write (output->fd, output->path, text, length, error);
}

/* The one file of a layer. */
static gboolean
write_layer_text (Saving *saving, EsLayer *layer, const char *file_name, GString *text, GError **error)
{
  g_autofree char *path = es_written_set_add (saving->set, file_name, es_layer_get_name (layer));

  return write_text (saving, path, text->str, text->len, error);
}

static void
set_text (JsonObject *object, const char *name, const char *text)
{
  if (text != NULL)
    json_object_set_string_member (object, name, text);
  else
    json_object_set_null_member (object, name);
}

static JsonObject *
list_layer (Saving *saving, EsLayer *layer, const char *file_name, const char *shape, const char *type,
            const char *unit)
{
  JsonObject *object = json_object_new ();

  json_object_set_string_member (object, "name", es_layer_get_name (layer));
  json_object_set_string_member (object, "title", es_layer_get_title (layer));
  json_object_set_string_member (object, "kind", es_layer_kind_name (es_layer_get_kind (layer)));
  json_object_set_string_member (object, "file", file_name);
  json_object_set_string_member (object, "shape", shape);
  json_object_set_string_member (object, "type", type);
  set_text (object, "unit", unit);
  json_array_add_object_element (saving->layers, object);
  return object;
}

/* What es_result_load () needs beside the samples. */
static void
describe_stack (JsonObject *object, EsImageStack *stack)
{
  JsonArray *planes = json_array_new ();
  const EsImageHint hint = es_image_stack_get_hint (stack);
  const double *wavelengths = es_image_stack_get_wavelengths (stack);

  for (guint i = 0; i < es_image_stack_get_planes (stack); i++)
    {
      JsonObject *plane = json_object_new ();
      double share = es_image_stack_get_plane_share (stack, i);

      set_text (plane, "title", es_image_stack_get_plane_title (stack, i));
      if (isfinite (share))
        json_object_set_double_member (plane, "share", share);
      json_array_add_object_element (planes, plane);
    }
  json_object_set_boolean_member (object, "signed", es_image_stack_get_signed (stack));
  if (hint != ES_IMAGE_HINT_NONE)
    json_object_set_string_member (object, "hint", hint == ES_IMAGE_HINT_DIVERGING ? "diverging"
                                           : hint == ES_IMAGE_HINT_TOGETHER ? "together" : "sequential");
  json_object_set_array_member (object, "planes", planes);
  if (wavelengths != NULL)
    {
      JsonArray *array = json_array_new ();

      for (guint i = 0; i < es_image_stack_get_planes (stack); i++)
        json_array_add_double_element (array, wavelengths[i]);
      json_object_set_array_member (object, "wavelengths", array);
    }
}

static void
describe_matrix (JsonObject *object, EsMatrix *matrix)
{
  JsonArray *rows = json_array_new (), *columns = json_array_new ();
  double minimum, maximum;

  for (guint i = 0; i < es_matrix_get_n_rows (matrix); i++)
    json_array_add_string_element (rows, es_matrix_get_row_title (matrix, i) ?: "");
  for (guint i = 0; i < es_matrix_get_n_columns (matrix); i++)
    json_array_add_string_element (columns, es_matrix_get_column_title (matrix, i) ?: "");
  json_object_set_array_member (object, "rows", rows);
  json_object_set_array_member (object, "columns", columns);
  set_text (object, "rows_title", es_matrix_get_rows_title (matrix));
  set_text (object, "columns_title", es_matrix_get_columns_title (matrix));
  es_matrix_get_range (matrix, &minimum, &maximum);
  if (isfinite (minimum) && isfinite (maximum))
    {
      JsonArray *range = json_array_new ();

      json_array_add_double_element (range, minimum);
      json_array_add_double_element (range, maximum);
      json_object_set_array_member (object, "range", range);
    }
}

static void
describe_curve (JsonObject *object, EsCurve *curve)
{
  JsonObject *x = json_object_new ();
  JsonArray *list = json_array_new ();

  set_text (x, "title", es_curve_get_x_title (curve));
  set_text (x, "unit", es_curve_get_x_unit (curve));
  for (guint i = 0; i < es_curve_get_n_series (curve); i++)
    {
      const EsCurveSeries *series = es_curve_get_series (curve, i);
      JsonObject *one = json_object_new ();

      set_text (one, "title", series->title);
      set_text (one, "unit", series->unit);
      json_object_set_int_member (one, "style", series->style);
      json_object_set_boolean_member (one, "right_axis", series->right_axis);
      json_array_add_object_element (list, one);
    }
  set_text (object, "role", es_curve_get_role (curve));
  json_object_set_object_member (object, "x", x);
  json_object_set_array_member (object, "series", list);
  if (es_curve_get_y_title (curve) != NULL)
    set_text (object, "y_title", es_curve_get_y_title (curve));
  json_object_set_boolean_member (object, "log_y", es_curve_get_log_y (curve));
  if (es_curve_get_threshold_key (curve) != NULL)
    {
      JsonObject *threshold = json_object_new ();

      set_text (threshold, "key", es_curve_get_threshold_key (curve));
      json_object_set_double_member (threshold, "value", es_curve_get_threshold (curve));
      json_object_set_object_member (object, "threshold", threshold);
    }
}

static gboolean
save_stack (Saving *saving, EsImageStack *stack, const char *name, GError **error)
{
  EsLayer *layer = ES_LAYER (stack);
  const gboolean alone = saving->format == ES_STACK_GEOTIFF || saving->format == ES_STACK_HDF5;
  EsDataset *dataset = es_result_get_dataset (saving->result);
  g_autofree char *replaced = alone ? NULL : es_written_set_find_replaced (saving->set, name);
  g_autofree char *file_name = g_strconcat (name, es_stack_format_get_ending (saving->format), NULL);
  g_autofree char *path = es_written_set_add (saving->set, file_name, es_layer_get_name (layer));
  /* As a person would say it; the exact provenance is in result.json. */
  g_autofree char *description = g_strdup_printf ("%s: %s, %s", es_dataset_get_name (dataset),
                                                  es_result_get_title (saving->result),
                                                  es_layer_get_title (layer));
  g_autofree char *shape = g_strdup_printf ("%" G_GUINT64_FORMAT "x%" G_GUINT64_FORMAT "x%u",
                                            es_image_stack_get_width (stack),
                                            es_image_stack_get_height (stack),
                                            es_image_stack_get_planes (stack));
  EsStackJob job = { stack, saving->format, dataset, description, NULL, NULL, saving->cancellable,
                     .replaced = replaced, .strays = saving->set->strays };

  describe_stack (list_layer (saving, layer, file_name, shape, "float32", es_image_stack_get_unit (stack)), stack);
  if (!alone)
    {
      g_autofree char *header = g_strconcat (name, ".hdr", NULL);
      g_free (es_written_set_add (saving->set, header, es_layer_get_name (layer)));
    }
  return es_write_stack (&job, path, saving->outputs, error)
         && (!saving->previews || es_write_stack_previews (stack, name, saving->set, error));
}

/* The unit that all series have in common. */
static const char *
common_unit (EsCurve *curve)
{
  const char *unit = NULL;

  for (guint i = 0; i < es_curve_get_n_series (curve); i++)
    {
      const char *other = es_curve_get_series (curve, i)->unit;
      if (other == NULL || (i > 0 && g_strcmp0 (unit, other) != 0))
        return NULL;
      unit = other;
    }
  return unit;
}

static gboolean
save_curve (Saving *saving, EsCurve *curve, const char *name, GError **error)
{
  g_autofree char *file_name = g_strconcat (name, ".csv", NULL);
  g_autofree char *shape = g_strdup_printf ("%ux%u", es_curve_get_length (curve),
                                            es_curve_get_n_series (curve));
  g_autoptr (GString) text = es_text_curve (curve);

  describe_curve (list_layer (saving, ES_LAYER (curve), file_name, shape, "float64", common_unit (curve)), curve);
  return write_layer_text (saving, ES_LAYER (curve), file_name, text, error);
}

static void
describe_table (JsonObject *object, EsTable *table)
{
  JsonArray *columns = json_array_new ();

  for (guint i = 0; i < es_table_get_n_columns (table); i++)
    {
      JsonObject *column = json_object_new ();

      set_text (column, "title", es_table_get_column_title (table, i));
      set_text (column, "unit", es_table_get_column_unit (table, i));
      json_object_set_int_member (column, "digits", es_table_get_column_digits (table, i));
      json_array_add_object_element (columns, column);
    }
  json_object_set_array_member (object, "columns", columns);
}

static gboolean
save_table (Saving *saving, EsTable *table, const char *name, GError **error)
{
  g_autofree char *file_name = g_strconcat (name, ".csv", NULL);
  g_autofree char *shape = g_strdup_printf ("%ux%u", es_table_get_n_rows (table),
                                            es_table_get_n_columns (table));
  g_autoptr (GString) text = es_text_table (table);
  const char *type = "float64";

  for (guint i = 0; i < es_table_get_n_columns (table); i++)
    if (es_table_column_is_text (table, i))
      type = "text";
  describe_table (list_layer (saving, ES_LAYER (table), file_name, shape, type, NULL), table);
  return write_layer_text (saving, ES_LAYER (table), file_name, text, error);
}

static gboolean
save_verdict (Saving *saving, EsVerdict *verdict, const char *name, GError **error)
{
  g_autofree char *file_name = g_strconcat (name, ".txt", NULL);
  g_autofree char *shape = g_strdup_printf ("%u", es_verdict_get_n (verdict));
  g_autoptr (GString) text = es_text_verdict (verdict);

  es_write_describe_verdict (list_layer (saving, ES_LAYER (verdict), file_name, shape, "text", NULL), verdict);
  return write_layer_text (saving, ES_LAYER (verdict), file_name, text, error);
}

static gboolean
save_matrix (Saving *saving, EsMatrix *matrix, const char *name, GError **error)
{
  g_autofree char *file_name = g_strconcat (name, ".csv", NULL);
  g_autofree char *shape = g_strdup_printf ("%ux%u", es_matrix_get_n_rows (matrix), es_matrix_get_n_columns (matrix));
  g_autoptr (GString) text = es_text_matrix (matrix);

  describe_matrix (list_layer (saving, ES_LAYER (matrix), file_name, shape, "float64", NULL), matrix);
  return write_layer_text (saving, ES_LAYER (matrix), file_name, text, error);
}

static JsonObject *
describe_axis (const EsAxis *axis)
{
  JsonObject *object = json_object_new ();

  set_text (object, "title", axis->title);
  set_text (object, "unit", axis->unit);
  json_object_set_int_member (object, "n", axis->n);
  return object;
}

/* The axes' values are in the file, and the array is among the result's values: it may have thousands of elements. */
static void
describe_field (JsonObject *object, EsField *field)
{
  const char * const *metadata = es_field_get_metadata (field);

  set_text (object, "role", es_field_get_role (field));
  set_text (object, "reference", es_field_get_reference (field));
  json_object_set_object_member (object, "rows", describe_axis (es_field_get_rows (field)));
  json_object_set_object_member (object, "columns", describe_axis (es_field_get_columns (field)));
  if (es_field_get_headings (field) != NULL)
    json_object_set_boolean_member (object, "headings", TRUE);
  if (metadata != NULL)
    {
      JsonObject *pairs = json_object_new ();

      for (guint i = 0; metadata[i] != NULL; i += 2)
        if (strcmp (metadata[i], "array") != 0)
          json_object_set_string_member (pairs, metadata[i], metadata[i + 1]);
      json_object_set_object_member (object, "metadata", pairs);
    }
}

/* A field as text, a waterfall as HDF5 (and as text where that is short), each as a picture, too. */
static gboolean
save_field (Saving *saving, EsField *field, const char *name, GError **error)
{
  const guint rows = es_field_get_rows (field)->n, columns = es_field_get_columns (field)->n;
  const gboolean waterfall = es_layer_get_kind (ES_LAYER (field)) == ES_LAYER_WATERFALL;
  const char *layer_name = es_layer_get_name (ES_LAYER (field));
  g_autofree char *text_name = g_strconcat (name, ".csv", NULL);
  g_autofree char *store_name = g_strconcat (name, ".h5", NULL);
  g_autofree char *picture_name = g_strconcat (name, ".png", NULL);
  g_autofree char *text = NULL, *store = NULL, *picture = NULL;
  g_autofree char *shape = g_strdup_printf ("%ux%u", rows, columns);
  const gboolean as_text = !waterfall || (guint64) rows * columns <= SMALL_WATERFALL;
  JsonObject *object = list_layer (saving, ES_LAYER (field), waterfall ? store_name : text_name, shape, "float32",
                                   es_field_get_unit (field));

  describe_field (object, field);
  json_object_set_string_member (object, "picture", picture_name);
  if (waterfall && as_text)
    json_object_set_string_member (object, "table", text_name);
  if (as_text)
    {
      text = es_written_set_add (saving->set, text_name, layer_name);
      const EsOutput *output = es_outputs_add (saving->outputs, text, FALSE, error);

      if (output == NULL || !es_write_field_text (field, output, saving->cancellable, error))
        return FALSE;
    }
  if (waterfall)
    {
      store = es_written_set_add (saving->set, store_name, layer_name);
      if (!es_write_field_store (field, saving->outputs, store, saving->cancellable, error))
        return FALSE;
    }
  picture = es_written_set_add (saving->set, picture_name, layer_name);
  return es_write_field_picture (field, saving->outputs, picture, saving->cancellable, error);
}

static gboolean
save_layer (Saving *saving, EsLayer *layer, GError **error)
{
  g_autofree char *name = es_file_name_make (es_layer_get_name (layer), saving->set->taken);

  if (g_cancellable_set_error_if_cancelled (saving->cancellable, error))
    return FALSE;
  if (ES_IS_IMAGE_STACK (layer))
    return save_stack (saving, ES_IMAGE_STACK (layer), name, error);
  if (ES_IS_CURVE (layer))
    return save_curve (saving, ES_CURVE (layer), name, error);
  if (ES_IS_TABLE (layer))
    return save_table (saving, ES_TABLE (layer), name, error);
  if (ES_IS_VERDICT (layer))
    return save_verdict (saving, ES_VERDICT (layer), name, error);
  if (ES_IS_MATRIX (layer))
    return save_matrix (saving, ES_MATRIX (layer), name, error);
  if (ES_IS_FIELD (layer))
    return save_field (saving, ES_FIELD (layer), name, error);

  g_set_error (error, ES_DATA_ERROR, ES_DATA_ERROR_UNSUPPORTED,
               _("There is no writer for the layer “%s” (%s)."),
               es_layer_get_title (layer), es_layer_kind_name (es_layer_get_kind (layer)));
  return FALSE;
}

static gboolean
save_layers (Saving *saving, GError **error)
{
  GListModel *layers = es_result_get_layers (saving->result);
  gboolean has_steps = FALSE;

  for (guint i = 0; i < g_list_model_get_n_items (layers); i++)
    {
      g_autoptr (EsLayer) layer = g_list_model_get_item (layers, i);
      has_steps = has_steps || g_strcmp0 (es_layer_get_name (layer), "steps") == 0;
      if (!save_layer (saving, layer, error))
        return FALSE;
    }

  if (has_steps)
    return TRUE;
  g_autoptr (EsTable) steps = es_result_make_step_table (saving->result);
  return save_layer (saving, ES_LAYER (steps), error);
}

static gboolean
save_provenance (Saving *saving, GError **error)
{
  g_autoptr (JsonNode) root = es_result_to_json (saving->result);
  g_autofree char *text = NULL, *path = g_build_filename (saving->directory, "result.json", NULL);
  JsonArray *files = es_written_set_record (saving->set, error);

  if (files == NULL)
    return FALSE;
  json_object_set_int_member (json_node_get_object (root), ES_SAVED_FORMAT_MEMBER, ES_SAVED_FORMAT);
  json_object_set_array_member (json_node_get_object (root), "layers", json_array_ref (saving->layers));
  json_object_set_array_member (json_node_get_object (root), "files", files);
  text = es_json_to_text (root);
  return write_text (saving, path, text, strlen (text), error);
}

static void
note_projection (Saving *saving)
{
  GListModel *layers = es_result_get_layers (saving->result);
  g_autofree char *sentence = NULL;
  gboolean any = FALSE;

  for (guint i = 0; i < g_list_model_get_n_items (layers); i++)
    {
      g_autoptr (EsLayer) layer = g_list_model_get_item (layers, i);
      any = any || ES_IS_IMAGE_STACK (layer);
    }
  sentence = any ? es_write_tell_projection (es_result_get_dataset (saving->result)) : NULL;
  if (sentence != NULL)
    es_written_set_note (saving->set, "%s", sentence);
}

static void
note_strays (Saving *saving)
{
  g_autofree char *sentence = es_strays_tell (saving->set->strays);

  if (sentence != NULL)
    es_written_set_note (saving->set, "%s", sentence);
}

static gboolean
tell_read (const EsResultWriting *how)
{
  if (how->read != NULL)
    how->read (how->data);
  return TRUE;
}

gboolean
es_write_result_with (EsResult *result, GFile *directory, const EsResultWriting *how, GCancellable *cancellable,
                      GError **error)
{
  g_autoptr (EsOutputs) outputs = es_outputs_new ();
  g_autofree char *path = es_output_local_path (directory, error);
  g_autoptr (JsonArray) layers = json_array_new ();
  g_autoptr (GPtrArray) notes = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (EsWrittenSet) set = es_written_set_new (path, outputs, notes, cancellable);
  Saving saving = { result, path, how->format, how->previews, cancellable, outputs, layers, set };

  if (path == NULL
      || !es_outputs_make_directory (outputs, path, error)
      || !save_layers (&saving, error)
      || !tell_read (how)
      || !save_provenance (&saving, error))
    {
      es_written_set_forget_others (set);
      return FALSE;
    }
  es_written_set_remove_earlier (set);
  note_projection (&saving);
  note_strays (&saving);
  if (g_cancellable_set_error_if_cancelled (cancellable, error) || !es_written_set_keep_others (set, error)
      || !es_outputs_commit (outputs, error))
    {
      es_written_set_forget_others (set);
      return FALSE;
    }
  if (how->notes != NULL)
    g_ptr_array_extend_and_steal (how->notes, g_steal_pointer (&notes));
  if (!how->kept)
    es_result_set_saved (result);
  return TRUE;
}

gboolean
es_write_result (EsResult *result, GFile *directory, EsStackFormat format, GCancellable *cancellable,
                 GError **error)
{
  return es_write_result_with (result, directory, &(EsResultWriting) { .format = format }, cancellable, error);
}
