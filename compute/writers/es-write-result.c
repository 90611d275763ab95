/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>
#include <sys/stat.h>

#include "base/es-error.h"
#include "base/es-file-internal.h"
#include "base/es-json-internal.h"
#include "layer/es-layer-internal.h"
#include "result/es-operation.h"
#include "base/es-text-internal.h"
#include "es-write-field-private.h"
#include "es-write-stack-private.h"
#include "es-write-text-private.h"

/* A result.json that is larger is none. */
#define LARGEST_EARLIER ((gint64) 256 << 20)
/* Waterfalls of so many samples are written as text, too. */
#define SMALL_WATERFALL 100000

typedef struct
{
  EsResult      *result;
  char          *directory;
  EsStackFormat  format;
  GCancellable  *cancellable;
  EsOutputs     *outputs;
  JsonArray     *layers;       /* of result.json */
  GHashTable    *taken;        /* names of files without their extension */
} Saving;

/* The layer's name as that of a file: nothing that leads elsewhere, and each only once. */
static char *
unique_name (Saving *saving, EsLayer *layer)
{
  const char *name = es_layer_get_name (layer);
  g_autofree char *clean = g_strdup (name != NULL && *name != '\0' ? name : "layer");

  g_strdelimit (clean, "/\\:", '-');
  if (*clean == '.')
    *clean = '-';
  for (guint i = 1; ; i++)
    {
      char *candidate = i == 1 ? g_strdup (clean) : g_strdup_printf ("%s-%u", clean, i);
      if (g_hash_table_add (saving->taken, candidate))
        return g_strdup (candidate);
    }
}

static gboolean
write_text (Saving *saving, const char *file_name, const char *text, gsize length, GError **error)
{
  g_autofree char *path = g_build_filename (saving->directory, file_name, NULL);
  const EsOutput *output = es_outputs_add (saving->outputs, path, FALSE, error);

  return output != NULL && es_file_write (output->fd, output->path, text, length, error);
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
    json_object_set_string_member (object, "hint", hint == ES_IMAGE_HINT_DIVERGING ? "diverging" : "sequential");
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
  const gboolean tiff = saving->format == ES_STACK_GEOTIFF;
  EsDataset *dataset = es_result_get_dataset (saving->result);
  g_autofree char *file_name = g_strconcat (name, tiff ? ".tif" : ".img", NULL);
  g_autofree char *path = g_build_filename (saving->directory, file_name, NULL);
  /* As a person would say it; the exact provenance is in result.json. */
  g_autofree char *description = g_strdup_printf ("%s: %s, %s", es_dataset_get_name (dataset),
                                                  es_result_get_title (saving->result),
                                                  es_layer_get_title (layer));
  g_autofree char *shape = g_strdup_printf ("%" G_GUINT64_FORMAT "x%" G_GUINT64_FORMAT "x%u",
                                            es_image_stack_get_width (stack),
                                            es_image_stack_get_height (stack),
                                            es_image_stack_get_planes (stack));
  EsStackJob job = { stack, dataset, description, NULL, NULL, saving->cancellable };

  describe_stack (list_layer (saving, layer, file_name, shape, "float32", es_image_stack_get_unit (stack)), stack);
  return tiff ? es_write_stack_geotiff (&job, path, saving->outputs, error)
              : es_write_stack_envi (&job, path, saving->outputs, error);
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
  return write_text (saving, file_name, text->str, text->len, error);
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
  return write_text (saving, file_name, text->str, text->len, error);
}

static gboolean
save_matrix (Saving *saving, EsMatrix *matrix, const char *name, GError **error)
{
  g_autofree char *file_name = g_strconcat (name, ".csv", NULL);
  g_autofree char *shape = g_strdup_printf ("%ux%u", es_matrix_get_n_rows (matrix), es_matrix_get_n_columns (matrix));
  g_autoptr (GString) text = es_text_matrix (matrix);

  describe_matrix (list_layer (saving, ES_LAYER (matrix), file_name, shape, "float64", NULL), matrix);
  return write_text (saving, file_name, text->str, text->len, error);
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
  g_autofree char *text_name = g_strconcat (name, ".csv", NULL);
  g_autofree char *store_name = g_strconcat (name, ".h5", NULL);
  g_autofree char *picture_name = g_strconcat (name, ".png", NULL);
  g_autofree char *text = g_build_filename (saving->directory, text_name, NULL);
  g_autofree char *store = g_build_filename (saving->directory, store_name, NULL);
  g_autofree char *picture = g_build_filename (saving->directory, picture_name, NULL);
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
      const EsOutput *output = es_outputs_add (saving->outputs, text, FALSE, error);

      if (output == NULL || !es_write_field_text (field, output, saving->cancellable, error))
        return FALSE;
    }
  return (!waterfall || es_write_field_store (field, saving->outputs, store, saving->cancellable, error))
         && es_write_field_picture (field, saving->outputs, picture, saving->cancellable, error);
}

static gboolean
save_layer (Saving *saving, EsLayer *layer, GError **error)
{
  g_autofree char *name = unique_name (saving, layer);

  if (g_cancellable_set_error_if_cancelled (saving->cancellable, error))
    return FALSE;
  if (ES_IS_IMAGE_STACK (layer))
    return save_stack (saving, ES_IMAGE_STACK (layer), name, error);
  if (ES_IS_CURVE (layer))
    return save_curve (saving, ES_CURVE (layer), name, error);
  if (ES_IS_TABLE (layer))
    return save_table (saving, ES_TABLE (layer), name, error);
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
  g_autofree char *text = NULL;

  json_object_set_array_member (json_node_get_object (root), "layers", json_array_ref (saving->layers));
  text = es_json_to_text (root);
  return write_text (saving, "result.json", text, strlen (text), error);
}

/* Files of the kinds that are written here, and beside the result.json. */
static void
remove_earlier_layer (Saving *saving, JsonObject *layer)
{
  static const char *const members[] = { "file", "picture", "table" };
  static const char *const endings[] = { ".img", ".tif", ".csv", ".h5", ".png" };

  for (guint k = 0; k < G_N_ELEMENTS (members); k++)
    {
      JsonNode *file = json_object_get_member (layer, members[k]);
      const char *name = file != NULL && JSON_NODE_HOLDS_VALUE (file) ? json_node_get_string (file) : NULL;
      gboolean ours = FALSE;

      for (guint j = 0; name != NULL && j < G_N_ELEMENTS (endings); j++)
        ours = ours || g_str_has_suffix (name, endings[j]);
      if (!ours || strchr (name, '/') != NULL)
        continue;
      g_autofree char *data = g_build_filename (saving->directory, name, NULL);
      es_outputs_remove (saving->outputs, data);
      if (g_str_has_suffix (name, ".img"))
        {
          g_autofree char *header = g_strdup_printf ("%.*s.hdr", (int) strlen (data) - 4, data);
          es_outputs_remove (saving->outputs, header);
        }
    }
}

/* The layers of an earlier result in the same folder go with its result.json; nothing else does, whatever is in it. */
static void
remove_earlier (Saving *saving)
{
  g_autofree char *path = g_build_filename (saving->directory, "result.json", NULL);
  g_autoptr (JsonParser) parser = json_parser_new ();
  struct stat status;

  if (stat (path, &status) != 0 || !S_ISREG (status.st_mode) || status.st_size > LARGEST_EARLIER
      || !json_parser_load_from_file (parser, path, NULL))
    return;

  JsonNode *root = json_parser_get_root (parser);
  JsonObject *object = root != NULL && JSON_NODE_HOLDS_OBJECT (root) ? json_node_get_object (root) : NULL;
  JsonNode *list = object != NULL ? json_object_get_member (object, "layers") : NULL;
  if (list == NULL || !JSON_NODE_HOLDS_ARRAY (list) || !json_object_has_member (object, "operation"))
    return;
  for (guint i = 0; i < json_array_get_length (json_node_get_array (list)); i++)
    {
      JsonNode *layer = json_array_get_element (json_node_get_array (list), i);

      if (JSON_NODE_HOLDS_OBJECT (layer))
        remove_earlier_layer (saving, json_node_get_object (layer));
    }
}

gboolean
es_write_result (EsResult *result, GFile *directory, EsStackFormat format, GCancellable *cancellable,
                 GError **error)
{
  g_autoptr (EsOutputs) outputs = es_outputs_new ();
  g_autofree char *path = es_output_local_path (directory, error);
  g_autoptr (JsonArray) layers = json_array_new ();
  g_autoptr (GHashTable) taken = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  Saving saving = { result, path, format, cancellable, outputs, layers, taken };

  if (path != NULL)
    remove_earlier (&saving);
  return path != NULL
         && es_outputs_make_directory (outputs, path, error)
         && save_layers (&saving, error)
         && save_provenance (&saving, error)
         && !g_cancellable_set_error_if_cancelled (cancellable, error)
         && es_outputs_commit (outputs, error);
}
