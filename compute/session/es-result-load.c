/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* A saved result, opened again: result.json and the layers beside it. */

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#include "cube/es-cube.h"
#include "dataset/es-dataset-internal.h"
#include "base/es-error.h"
#include "layer/es-layer-internal.h"
#include "readers/es-open.h"
#include "result/es-linear-model-internal.h"
#include "result/es-operation.h"
#include "result/es-result-internal.h"
#include "base/es-text-file-internal.h"

typedef struct
{
  const char   *name;          /* of result.json, for messages */
  GFile        *directory;
  GCancellable *cancellable;
} Loading;

/* ---- members that may be missing or of another type ---- */

static const char *
get_string (JsonObject *object, const char *name)
{
  JsonNode *node = object != NULL ? json_object_get_member (object, name) : NULL;

  return node != NULL && JSON_NODE_HOLDS_VALUE (node) && json_node_get_value_type (node) == G_TYPE_STRING
         ? json_node_get_string (node) : NULL;
}

static double
get_number (JsonObject *object, const char *name, double missing)
{
  JsonNode *node = object != NULL ? json_object_get_member (object, name) : NULL;

  return node != NULL && JSON_NODE_HOLDS_VALUE (node) ? json_node_get_double (node) : missing;
}

static gboolean
get_flag (JsonObject *object, const char *name)
{
  JsonNode *node = object != NULL ? json_object_get_member (object, name) : NULL;

  return node != NULL && JSON_NODE_HOLDS_VALUE (node) && json_node_get_boolean (node);
}

static JsonObject *
get_object (JsonObject *object, const char *name)
{
  JsonNode *node = object != NULL ? json_object_get_member (object, name) : NULL;

  return node != NULL && JSON_NODE_HOLDS_OBJECT (node) ? json_node_get_object (node) : NULL;
}

static guint
get_array (JsonObject *object, const char *name, JsonArray **array)
{
  JsonNode *node = object != NULL ? json_object_get_member (object, name) : NULL;

  *array = node != NULL && JSON_NODE_HOLDS_ARRAY (node) ? json_node_get_array (node) : NULL;
  return *array != NULL ? json_array_get_length (*array) : 0;
}

/* The i-th element where it is an object, else NULL. */
static JsonObject *
element_object (JsonArray *array, guint i)
{
  JsonNode *node = json_array_get_element (array, i);

  return JSON_NODE_HOLDS_OBJECT (node) ? json_node_get_object (node) : NULL;
}

static gboolean
refuse (Loading *loading, GError **error, const char *found)
{
  g_set_error (error, ES_DATA_ERROR, ES_DATA_ERROR_FORMAT, _("“%s” is not a saved result: %s."), loading->name, found);
  return FALSE;
}

/* ---- layers ---- */

static void
load_wavelengths (JsonObject *object, EsImageStack *stack)
{
  JsonArray *array;
  const guint n = get_array (object, "wavelengths", &array);
  g_autofree double *wavelengths = g_new (double, MAX (n, 1));

  if (n != es_image_stack_get_planes (stack))
    return;
  for (guint i = 0; i < n; i++)
    {
      JsonNode *element = json_array_get_element (array, i);
      if (!JSON_NODE_HOLDS_VALUE (element))
        return;
      wavelengths[i] = json_node_get_double (element);
    }
  es_image_stack_set_wavelengths (stack, wavelengths);
}

static gboolean
read_from_cube (gpointer data, guint plane, guint64 x, guint64 y, guint64 width, guint64 height, guint step, float *out,
                GError **error)
{
  return es_cube_read_band (data, plane, x, y, width, height, step, out, NULL, error);
}

/* All samples, into memory or a temporary file. */
static EsImageStack *
copy_stack (Loading *loading, JsonObject *object, EsCube *cube, GError **error)
{
  const guint64 width = es_cube_get_width (cube), height = es_cube_get_height (cube);
  g_autoptr (EsImageStack) stack = NULL;

  const guint64 memory = es_device_get_memory (es_device_get_cpu ()) / 4;
  stack = es_image_stack_new (get_string (object, "name"), get_string (object, "title"), width, height,
                              es_cube_get_bands (cube), memory, NULL, error);
  if (stack == NULL)
    return NULL;

  const gsize rows = CLAMP ((4 << 20) / (width * es_cube_get_bands (cube)), 1, height);
  const gsize pixels = rows * width;
  g_autofree float *values = g_try_new (float, pixels * es_cube_get_bands (cube));
  if (values == NULL)
    {
      g_set_error (error, ES_COMPUTE_ERROR, ES_COMPUTE_ERROR_MEMORY, _("There is not enough memory to open “%s”."),
                   loading->name);
      return NULL;
    }
  for (guint64 y = 0; y < height; y += rows)
    {
      guint64 n = MIN (rows, height - y);
      for (guint band = 0; band < es_cube_get_bands (cube); band++)
        if (!es_cube_read_band (cube, band, 0, y, width, n, 1, values + band * pixels, loading->cancellable, error))
          return NULL;
      if (!es_image_stack_write (stack, 0, y, width, n, values, pixels, error))
        return NULL;
    }
  return g_steal_pointer (&stack);
}

static EsLayer *
load_stack (Loading *loading, JsonObject *object, GFile *file, GError **error)
{
  g_autoptr (EsDataset) dataset = es_dataset_open (file, NULL, loading->cancellable, error);
  g_autoptr (EsImageStack) stack = NULL;
  JsonArray *planes;
  EsCube *cube;

  if (dataset == NULL)
    return NULL;
  if (!ES_IS_CUBE (dataset))
    {
      g_autofree char *name = es_error_file_name (file);
      g_autofree char *found = g_strdup_printf (_("“%s” holds no images"), name);
      refuse (loading, error, found);
      return NULL;
    }
  cube = ES_CUBE (dataset);
  const guint64 width = es_cube_get_width (cube), height = es_cube_get_height (cube);
  if (json_object_has_member (object, "wavelengths"))
    /* As large as the cube it was made from: it stays where it is. */
    stack = es_image_stack_new_computed (get_string (object, "name"), get_string (object, "title"), width, height,
                                         es_cube_get_bands (cube), read_from_cube, g_object_ref (cube), g_object_unref,
                                         error);
  else
    stack = copy_stack (loading, object, cube, error);
  if (stack == NULL)
    return NULL;

  guint n_planes = get_array (object, "planes", &planes);
  for (guint i = 0; i < MIN (n_planes, es_cube_get_bands (cube)); i++)
    {
      JsonObject *plane = element_object (planes, i);
      es_image_stack_set_plane (stack, i, get_string (plane, "title"), get_number (plane, "share", NAN));
    }
  es_image_stack_set_signed (stack, get_flag (object, "signed"));
  es_image_stack_set_unit (stack, get_string (object, "unit"));
  if (g_strcmp0 (get_string (object, "hint"), "diverging") == 0)
    es_image_stack_set_hint (stack, ES_IMAGE_HINT_DIVERGING);
  else if (g_strcmp0 (get_string (object, "hint"), "sequential") == 0)
    es_image_stack_set_hint (stack, ES_IMAGE_HINT_SEQUENTIAL);
  load_wavelengths (object, stack);
  return ES_LAYER (g_steal_pointer (&stack));
}

/* n titles; FALSE where there is another number of them. */
static gboolean
get_titles (JsonObject *object, const char *name, GPtrArray *titles)
{
  JsonArray *array;
  const guint n = get_array (object, name, &array);

  for (guint i = 0; i < n; i++)
    {
      JsonNode *element = json_array_get_element (array, i);
      if (!JSON_NODE_HOLDS_VALUE (element) || json_node_get_value_type (element) != G_TYPE_STRING)
        return FALSE;
      g_ptr_array_add (titles, (gpointer) json_node_get_string (element));
    }
  return n > 0;
}

/* Numbers are the last cells of each line, whatever the title before them has in it. */
static gboolean
parse_matrix_row (const char *line, guint n, double *values)
{
  const char *end = line + strlen (line);

  for (guint i = n; i-- > 0;)
    {
      const char *comma = end;

      while (comma > line && comma[-1] != ',')
        comma--;
      if (comma == line)
        return FALSE;
      values[i] = comma == end || *comma == ',' ? NAN : g_ascii_strtod (comma, NULL);
      end = comma - 1;
    }
  return TRUE;
}

static EsLayer *
load_matrix (Loading *loading, JsonObject *object, GFile *file, GError **error)
{
  g_autoptr (GPtrArray) rows = g_ptr_array_new (), columns = g_ptr_array_new ();
  g_autofree char *text = NULL;
  g_auto (GStrv) lines = NULL;
  JsonArray *range;
  gboolean parsed = TRUE;
  guint n = 0;
  EsMatrix *matrix;

  text = es_text_file_load (file, NULL, loading->cancellable, error);
  if (text == NULL)
    return NULL;
  if (!get_titles (object, "rows", rows) || !get_titles (object, "columns", columns))
    {
      refuse (loading, error, _("a matrix has no titles"));
      return NULL;
    }
  lines = g_strsplit_set (text, "\r\n", -1);
  /* As many rows as there are lines, whatever is promised. */
  g_autoptr (GArray) values = g_array_new (FALSE, TRUE, sizeof (double));
  for (char **line = lines; parsed && *line != NULL; line++)
    {
      if (**line == '\0' || n++ == 0)
        continue;
      g_array_set_size (values, (n - 1) * columns->len);
      parsed = n - 1 <= rows->len && parse_matrix_row (*line, columns->len,
                                                       &g_array_index (values, double, (n - 2) * columns->len));
    }
  if (!parsed || n != rows->len + 1)
    {
      refuse (loading, error, _("a matrix has rows or columns without titles"));
      return NULL;
    }
  matrix = es_matrix_new (get_string (object, "name"), get_string (object, "title"), rows->len, columns->len,
                          (const double *) values->data, (const char *const *) rows->pdata,
                          (const char *const *) columns->pdata);
  es_matrix_set_titles (matrix, get_string (object, "rows_title"), get_string (object, "columns_title"));
  if (get_array (object, "range", &range) == 2)
    es_matrix_set_range (matrix, json_array_get_double_element (range, 0), json_array_get_double_element (range, 1));
  return ES_LAYER (matrix);
}

EsLayer *
es_result_load_matrix (JsonObject *object, GFile *directory, GError **error)
{
  g_autoptr (GFile) file = g_file_get_child (directory, get_string (object, "file") ?: "");
  Loading loading = { "result.json", directory, NULL };

  return load_matrix (&loading, object, file, error);
}

/* The numbers of a CSV with one header row: columns x rows, an empty cell is NAN. */
static gboolean
read_columns (Loading *loading, GFile *file, guint columns, GArray **values, GError **error)
{
  g_autofree char *text = es_text_file_load (file, NULL, loading->cancellable, error);

  if (text == NULL)
    return FALSE;

  g_auto (GStrv) lines = g_strsplit_set (text, "\r\n", -1);
  gboolean header = TRUE;
  for (guint i = 0; i < columns; i++)
    values[i] = g_array_new (FALSE, FALSE, sizeof (double));
  for (char **line = lines; *line != NULL; line++)
    {
      if (**line == '\0')
        continue;
      if (header)
        {
          header = FALSE;
          continue;
        }
      g_auto (GStrv) cells = g_strsplit (*line, ",", -1);
      if (g_strv_length (cells) != columns)
        {
          g_autofree char *name = es_error_file_name (file);
          g_autofree char *found = g_strdup_printf (_("“%s” has %u columns in a row where %u were expected"), name,
                                                    g_strv_length (cells), columns);
          return refuse (loading, error, found);
        }
      for (guint i = 0; i < columns; i++)
        {
          double value = *cells[i] == '\0' ? NAN : g_ascii_strtod (cells[i], NULL);
          g_array_append_val (values[i], value);
        }
    }
  return TRUE;
}

static EsLayer *
load_curve (Loading *loading, JsonObject *object, GFile *file, GError **error)
{
  JsonArray *series;
  guint n = get_array (object, "series", &series);
  JsonObject *x = get_object (object, "x"), *threshold = get_object (object, "threshold");
  g_autofree GArray **values = g_new0 (GArray *, n + 1);
  EsCurve *curve = NULL;

  if (read_columns (loading, file, n + 1, values, error))
    {
      curve = es_curve_new (get_string (object, "name"), get_string (object, "title"), get_string (object, "role"),
                            values[0]->len, (double *) values[0]->data, get_string (x, "title"),
                            get_string (x, "unit"));
      for (guint i = 0; i < n; i++)
        {
          JsonObject *one = element_object (series, i);
          es_curve_add_series (curve, get_string (one, "title"), get_string (one, "unit"),
                               (EsCurveStyle) CLAMP (get_number (one, "style", 0), ES_CURVE_LINE, ES_CURVE_STEM),
                               get_flag (one, "right_axis"), (double *) values[i + 1]->data);
        }
      es_curve_set_log_y (curve, get_flag (object, "log_y"));
      if (threshold != NULL)
        es_curve_set_threshold (curve, get_string (threshold, "key"), get_number (threshold, "value", 1));
    }
  for (guint i = 0; i <= n; i++)
    g_clear_pointer (&values[i], g_array_unref);
  return curve != NULL ? ES_LAYER (curve) : NULL;
}

static gboolean
load_layers (Loading *loading, JsonObject *root, EsResult *result, GError **error)
{
  JsonArray *layers;
  guint n = get_array (root, "layers", &layers);
  JsonObject *values = get_object (root, "values");
  JsonObject *input = get_object (root, "input");
  JsonNode *described = values != NULL ? json_object_get_member (values, "array") : NULL;

  if (described == NULL && input != NULL)
    described = json_object_get_member (input, "array");

  g_autofree char *array = described != NULL ? json_to_string (described, FALSE) : NULL;

  for (guint i = 0; i < n; i++)
    {
      JsonObject *object = element_object (layers, i);
      const char *kind = get_string (object, "kind"), *name = get_string (object, "file");
      g_autoptr (EsLayer) layer = NULL;

      /* A layer lies beside its result.json, wherever a forged one would like to lead. */
      if (kind == NULL || name == NULL || strchr (name, '/') != NULL)
        return refuse (loading, error, _("a layer has no kind or no file"));

      g_autoptr (GFile) file = g_file_get_child (loading->directory, name);
      if (strcmp (kind, es_layer_kind_name (ES_LAYER_IMAGE_STACK)) == 0)
        layer = load_stack (loading, object, file, error);
      else if (strcmp (kind, es_layer_kind_name (ES_LAYER_CURVE)) == 0)
        layer = load_curve (loading, object, file, error);
      else if (strcmp (kind, es_layer_kind_name (ES_LAYER_MATRIX)) == 0)
        layer = load_matrix (loading, object, file, error);
      else if (strcmp (kind, es_layer_kind_name (ES_LAYER_FIELD)) == 0
               || strcmp (kind, es_layer_kind_name (ES_LAYER_WATERFALL)) == 0)
        layer = es_result_load_field (object, array, file, loading->cancellable, error);
      else if (strcmp (kind, es_layer_kind_name (ES_LAYER_TABLE)) == 0 && json_object_has_member (object, "columns")
               && g_strcmp0 (get_string (object, "name"), "steps") != 0)
        layer = es_result_load_table (object, file, loading->cancellable, error);
      else
        continue;              /* the steps are made from the stages */
      if (layer == NULL)
        return FALSE;
      es_result_add_layer (result, layer);
    }
  if (n == 0)
    return refuse (loading, error, _("it lists no layers"));
  return TRUE;
}

/* ---- provenance ---- */

static gboolean
load_params (JsonObject *root, EsParams *params, GError **error)
{
  JsonObject *object = get_object (root, "parameters");

  for (const EsParamSpec *spec = es_params_get_specs (params); object != NULL && spec->type != ES_PARAM_END; spec++)
    {
      JsonNode *node = json_object_get_member (object, spec->key);
      if (node == NULL || !JSON_NODE_HOLDS_VALUE (node))
        continue;              /* saved before the parameter existed: its default */
      if (spec->type == ES_PARAM_CHOICE || es_param_type_is_text (spec->type))
        {
          if (!es_params_parse (params, spec->key, get_string (object, spec->key) ?: "", error))
            return FALSE;
        }
      else if (spec->type == ES_PARAM_BOOL)
        es_params_set_value (params, spec->key, json_node_get_boolean (node));
      else
        es_params_set_value (params, spec->key, json_node_get_double (node));
    }
  return TRUE;
}

static void
clear_stage (gpointer data)
{
  EsStageTime *stage = data;

  g_free (stage->name);
  g_free (stage->title);
}

static void
load_run (JsonObject *root, EsResult *result)
{
  g_autoptr (GArray) stages = g_array_new (FALSE, TRUE, sizeof (EsStageTime));
  JsonObject *device = get_object (root, "device");
  const char *id = get_string (device, "id");
  JsonArray *array;
  guint n = get_array (root, "stages", &array);

  g_array_set_clear_func (stages, clear_stage);
  for (guint i = 0; i < n; i++)
    {
      JsonObject *object = element_object (array, i);
      const char *name = get_string (object, "name"), *title = get_string (object, "title");
      EsStageTime stage = { g_strdup (name), g_strdup (title != NULL ? title : name), get_number (object, "ms", 0) };
      g_array_append_val (stages, stage);
    }
  es_result_set_run (result, id != NULL ? es_device_find (id, NULL) : NULL,
                     (guint) CLAMP (get_number (device, "threads", 1), 0, G_MAXINT), stages,
                     get_number (root, "total_ms", 0));
  /* As it was, though this machine's device of that id may be another one. */
  es_result_set_device_text (result, id, get_string (device, "name"));
  if (g_strcmp0 (get_string (device, "chosen"), "automatic") == 0)
    es_result_set_choice (result, get_string (device, "reason"));
}

static EsDataset *
open_input (Loading *loading, JsonObject *root, GError **error)
{
  const char *path = get_string (get_object (root, "input"), "path");

  if (path == NULL)
    {
      refuse (loading, error, _("it does not name its input"));
      return NULL;
    }
  return _es_dataset_open_input (get_object (root, "input"), loading->cancellable, error);
}

static EsResult *
load_result (Loading *loading, JsonObject *root, GError **error)
{
  const char *id = get_string (root, "operation"), *title = get_string (root, "title");
  const EsOperation *operation = id != NULL ? es_operation_find (id, error) : NULL;
  JsonObject *values = get_object (root, "values");
  JsonArray *warnings;

  if (operation == NULL)
    {
      if (id == NULL)
        refuse (loading, error, _("it does not say which operation made it"));
      return NULL;
    }

  g_autoptr (EsDataset) dataset = open_input (loading, root, error);
  if (dataset == NULL)
    return NULL;
  g_autoptr (EsParams) params = es_params_new (operation->params);
  if (!load_params (root, params, error))
    return NULL;

  g_autoptr (EsResult) result = es_result_new (operation, dataset, params);
  if (!load_layers (loading, root, result, error))
    return NULL;
  if (title != NULL)
    es_result_set_title (result, title);
  if (values != NULL)
    es_result_set_values (result, json_object_ref (values));
  if (json_object_has_member (root, "model"))
    {
      JsonObject *object = get_object (root, "model");
      EsLinearModel *model = object != NULL && ES_IS_CUBE (dataset)
                             ? es_linear_model_from_json (object, es_cube_get_bands (ES_CUBE (dataset))) : NULL;

      if (model == NULL)
        {
          refuse (loading, error, _("its model is not one of the cube's bands"));
          return NULL;
        }
      es_result_set_model (result, model);
    }
  load_run (root, result);

  guint n = get_array (root, "warnings", &warnings);
  for (guint i = 0; i < n; i++)
    {
      JsonNode *warning = json_array_get_element (warnings, i);
      if (JSON_NODE_HOLDS_VALUE (warning) && json_node_get_value_type (warning) == G_TYPE_STRING)
        es_result_add_warning (result, "%s", json_node_get_string (warning));
    }
  if (g_strcmp0 (get_string (get_object (root, "input"), "identity"), es_dataset_get_identity (dataset)) != 0)
    es_result_add_warning (result, _("“%s” has changed since this result was computed."),
                           es_dataset_get_name (dataset));
  return g_steal_pointer (&result);
}

/* The parsed file; NULL: it holds no object. Transfer full. */
static JsonNode *
parse_file (Loading *loading, GFile *file, GError **error)
{
  g_autoptr (JsonParser) parser = json_parser_new ();
  g_autofree char *text = NULL;
  g_autoptr (GError) local_error = NULL;
  gsize length;

  text = es_text_file_load (file, &length, loading->cancellable, error);
  if (text == NULL)
    return NULL;
  if (es_json_is_nested_too_deeply (text, length))
    {
      refuse (loading, error, _("it holds no object"));
      return NULL;
    }
  if (!json_parser_load_from_data (parser, text, length, &local_error))
    {
      refuse (loading, error, local_error->message);
      return NULL;
    }

  JsonNode *root = json_parser_steal_root (parser);
  if (root != NULL && JSON_NODE_HOLDS_OBJECT (root))
    return root;
  g_clear_pointer (&root, json_node_unref);
  refuse (loading, error, _("it holds no object"));
  return NULL;
}

EsResult *
es_result_load (GFile *file, GCancellable *cancellable, GError **error)
{
  g_autofree char *name = es_error_file_name (file);
  g_autoptr (GFile) directory = g_file_get_parent (file);
  Loading loading = { name, directory, cancellable };
  g_autoptr (JsonNode) root = parse_file (&loading, file, error);

  return root != NULL ? load_result (&loading, json_node_get_object (root), error) : NULL;
}

gboolean
es_result_load_model (GFile *file, guint n_cube_bands, EsSavedModel *saved, GCancellable *cancellable, GError **error)
{
  g_autofree char *name = es_error_file_name (file);
  Loading loading = { name, NULL, cancellable };
  g_autoptr (JsonNode) root = parse_file (&loading, file, error);

  if (root == NULL)
    return FALSE;
  JsonObject *object = json_node_get_object (root), *model = get_object (object, "model");
  JsonObject *input = get_object (object, "input");
  const char *operation = get_string (object, "operation"), *title = get_string (object, "title");
  if (operation == NULL)
    return refuse (&loading, error, _("it does not say which operation made it"));
  *saved = (EsSavedModel) {
    .model = model != NULL ? es_linear_model_from_json (model, n_cube_bands) : NULL,
    .wrong = json_object_has_member (object, "model"),
    .operation = g_strdup (operation),
    .title = g_strdup (title != NULL ? title : operation),
    .identity = g_strdup (get_string (input, "identity")),
    .shape = g_strdup (get_string (input, "shape")),
  };
  saved->wrong = saved->wrong && saved->model == NULL;
  return TRUE;
}

static void
load_thread (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  GError *error = NULL;
  EsResult *result = es_result_load (data, cancellable, &error);

  if (result != NULL)
    g_task_return_pointer (task, result, g_object_unref);
  else
    g_task_return_error (task, error);
}

void
es_result_load_async (GFile *file, GCancellable *cancellable, GAsyncReadyCallback callback, gpointer user_data)
{
  g_autoptr (GTask) task = g_task_new (NULL, cancellable, callback, user_data);

  g_task_set_source_tag (task, es_result_load_async);
  g_task_set_task_data (task, g_object_ref (file), g_object_unref);
  g_task_run_in_thread (task, load_thread);
}

EsResult *
es_result_load_finish (GAsyncResult *result, GError **error)
{
  return g_task_propagate_pointer (G_TASK (result), error);
}
