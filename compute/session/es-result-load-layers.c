/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* The layers beside a saved result's result.json; fields and tables are es-result-load-field.c and -table.c. */

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#include "base/es-error.h"
#include "base/es-file-name.h"
#include "base/es-json.h"
#include "base/es-text-file-internal.h"
#include "cube/es-cube.h"
#include "device/es-limits.h"
#include "layer/es-layer-internal.h"
#include "readers/es-open.h"
#include "result/es-result-internal.h"
#include "result/es-saved-internal.h"
#include "es-result-load-private.h"

/* No operation makes more than some dozens. */
#define MOST_LAYERS 1000
/* Of the host's memory: an image stack that takes more is kept in a file. */
#define LAYER_SHARE ((EsMemoryShare) { .of_limit = 4, .of_machine = 4 })

static void
load_wavelengths (JsonObject *object, EsImageStack *stack)
{
  const guint n = es_image_stack_get_planes (stack);
  g_autofree double *wavelengths = g_new (double, n);

  if (es_saved_get_numbers (object, "wavelengths", n, wavelengths))
    es_image_stack_set_wavelengths (stack, wavelengths);
}

char *
es_result_next_line (char **rest)
{
  char *line = *rest + strspn (*rest, "\r\n");

  if (*line == '\0')
    return NULL;
  *rest = line + strcspn (line, "\r\n");
  if (**rest != '\0')
    *(*rest)++ = '\0';
  return line;
}

static gboolean
read_from_cube (gpointer data, guint plane, guint64 x, guint64 y, guint64 width, guint64 height, guint step, float *out,
                GError **error)
{
  return es_cube_read_band (data, plane, x, y, width, height, step, out, NULL, error);
}

/* All samples, into memory or a temporary file. */
static EsImageStack *
copy_stack (EsResultLoading *loading, JsonObject *object, EsCube *cube, GError **error)
{
  const guint64 width = es_cube_get_width (cube), height = es_cube_get_height (cube);
  g_autoptr (EsImageStack) stack = NULL;

  const guint64 memory = es_limits_get_host_memory (NULL, LAYER_SHARE);
  stack = es_image_stack_new (es_saved_get_string (object, "name"), es_saved_get_string (object, "title"), width,
                              height, es_cube_get_bands (cube), memory, NULL, error);
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

/* "64x48x3" is written down of every stack. */
static gboolean
has_shape (JsonObject *object, EsCube *cube)
{
  g_autofree char *shape = g_strdup_printf ("%" G_GUINT64_FORMAT "x%" G_GUINT64_FORMAT "x%u", es_cube_get_width (cube),
                                            es_cube_get_height (cube), es_cube_get_bands (cube));
  const char *said = es_saved_get_string (object, "shape");

  return said == NULL || strcmp (said, shape) == 0;
}

static gboolean
is_of_images (const char *file_name)
{
  for (EsStackFormat format = ES_STACK_ENVI; format <= ES_STACK_HDF5; format++)
    if (g_str_has_suffix (file_name, es_stack_format_get_ending (format)))
      return TRUE;
  return FALSE;
}

static EsLayer *
load_stack (EsResultLoading *loading, JsonObject *object, GFile *file, GError **error)
{
  const char *file_name = es_saved_get_string (object, "file");
  g_autoptr (EsDataset) dataset = NULL;
  g_autoptr (EsImageStack) stack = NULL;
  JsonArray *planes;
  EsCube *cube;

  if (!is_of_images (file_name))
    {
      es_saved_refuse (loading->name, error, _("a layer of images is none of .img, .tif, .bil, .bip and .h5"));
      return NULL;
    }
  dataset = es_dataset_open (file, NULL, loading->cancellable, error);
  if (dataset == NULL)
    return NULL;
  if (!ES_IS_CUBE (dataset) || !has_shape (object, ES_CUBE (dataset)))
    {
      g_autofree char *name = es_error_file_name (file);
      g_autofree char *found = g_strdup_printf (_("“%s” does not hold the images that it lists"), name);
      es_saved_refuse (loading->name, error, found);
      return NULL;
    }
  cube = ES_CUBE (dataset);
  const guint64 width = es_cube_get_width (cube), height = es_cube_get_height (cube);
  if (json_object_has_member (object, "wavelengths"))
    /* As large as the cube it was made from: it stays where it is. */
    stack = es_image_stack_new_computed (es_saved_get_string (object, "name"), es_saved_get_string (object, "title"),
                                         width, height, es_cube_get_bands (cube), read_from_cube, g_object_ref (cube),
                                         g_object_unref, error);
  else
    stack = copy_stack (loading, object, cube, error);
  if (stack == NULL)
    return NULL;

  guint n_planes = es_saved_get_array (object, "planes", &planes);
  for (guint i = 0; i < es_cube_get_bands (cube); i++)
    {
      JsonObject *plane = i < n_planes ? es_saved_get_element (planes, i) : NULL;
      g_autofree char *number = g_strdup_printf ("%u", i + 1);

      es_image_stack_set_plane (stack, i, es_saved_get_text (plane, "title", number),
                                es_saved_get_number (plane, "share", NAN));
    }
  es_image_stack_set_signed (stack, es_saved_get_flag (object, "signed"));
  es_image_stack_set_unit (stack, es_saved_get_string (object, "unit"));
  if (g_strcmp0 (es_saved_get_string (object, "hint"), "diverging") == 0)
    es_image_stack_set_hint (stack, ES_IMAGE_HINT_DIVERGING);
  else if (g_strcmp0 (es_saved_get_string (object, "hint"), "sequential") == 0)
    es_image_stack_set_hint (stack, ES_IMAGE_HINT_SEQUENTIAL);
  else if (g_strcmp0 (es_saved_get_string (object, "hint"), "together") == 0)
    es_image_stack_set_hint (stack, ES_IMAGE_HINT_TOGETHER);
  load_wavelengths (object, stack);
  return ES_LAYER (g_steal_pointer (&stack));
}

/* n titles; FALSE where there is another number of them. */
static gboolean
get_titles (JsonObject *object, const char *name, GPtrArray *titles)
{
  JsonArray *array;
  const guint n = es_saved_get_array (object, name, &array);

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
load_matrix (EsResultLoading *loading, JsonObject *object, GFile *file, GError **error)
{
  g_autoptr (GPtrArray) rows = g_ptr_array_new (), columns = g_ptr_array_new ();
  g_autofree char *text = es_text_file_load_at_most (file, ES_RESULT_LARGEST_TEXT, NULL, loading->cancellable, error);
  double range[2];
  gboolean parsed = TRUE;
  guint n = 0;
  EsMatrix *matrix;

  if (text == NULL)
    return NULL;
  if (!get_titles (object, "rows", rows) || !get_titles (object, "columns", columns))
    {
      es_saved_refuse (loading->name, error, _("a matrix has no titles"));
      return NULL;
    }
  /* As many rows as there are lines, whatever is promised. */
  g_autoptr (GArray) values = g_array_new (FALSE, TRUE, sizeof (double));
  char *rest = text;
  for (char *line; parsed && (line = es_result_next_line (&rest)) != NULL;)
    {
      if (n++ == 0)
        continue;
      if (g_cancellable_set_error_if_cancelled (loading->cancellable, error))
        return NULL;
      parsed = n - 1 <= rows->len && (guint64) (n - 1) * columns->len <= ES_RESULT_LARGEST_TEXT;
      if (!parsed)
        break;
      g_array_set_size (values, (n - 1) * columns->len);
      parsed = parse_matrix_row (line, columns->len, &g_array_index (values, double, (n - 2) * columns->len));
    }
  if (!parsed || n != rows->len + 1)
    {
      es_saved_refuse (loading->name, error, _("a matrix has rows or columns without titles"));
      return NULL;
    }
  matrix = es_matrix_new (es_saved_get_string (object, "name"), es_saved_get_string (object, "title"), rows->len,
                          columns->len, (const double *) values->data, (const char *const *) rows->pdata,
                          (const char *const *) columns->pdata);
  es_matrix_set_titles (matrix, es_saved_get_string (object, "rows_title"),
                        es_saved_get_string (object, "columns_title"));
  if (es_saved_get_numbers (object, "range", 2, range) && range[0] < range[1])
    es_matrix_set_range (matrix, range[0], range[1]);
  return ES_LAYER (matrix);
}

EsLayer *
es_result_load_matrix (JsonObject *object, GFile *directory, GError **error)
{
  const char *name = es_saved_get_string (object, "file");
  EsResultLoading loading = { "result.json", directory, NULL };

  if (!es_file_name_is_plain (name))
    {
      es_saved_refuse (loading.name, error, _("a layer has no kind or no file"));
      return NULL;
    }
  g_autoptr (GFile) file = g_file_get_child (directory, name);
  return load_matrix (&loading, object, file, error);
}

/* n cells; FALSE: there is another number of them. */
static gboolean
parse_cells (char *line, guint n, GArray **values)
{
  for (guint i = 0; i < n; i++)
    {
      char *comma = strchr (line, ',');
      const double value = *line == '\0' || *line == ',' ? NAN : g_ascii_strtod (line, NULL);

      if ((comma == NULL) != (i + 1 == n))
        return FALSE;
      g_array_append_val (values[i], value);
      line = comma != NULL ? comma + 1 : line;
    }
  return TRUE;
}

/* The numbers of a CSV with one header row: columns x rows, an empty cell is NAN. */
static gboolean
read_columns (EsResultLoading *loading, GFile *file, guint columns, GArray **values, GError **error)
{
  gsize length;
  g_autofree char *text = es_text_file_load_at_most (file, ES_RESULT_LARGEST_TEXT, &length, loading->cancellable,
                                                     error);
  gboolean header = TRUE, parsed;
  char *rest = text;

  if (text == NULL)
    return FALSE;
  /* Each column has a comma or a line's end. */
  parsed = columns <= length;
  for (guint i = 0; parsed && i < columns; i++)
    values[i] = g_array_new (FALSE, FALSE, sizeof (double));
  for (char *line; parsed && (line = es_result_next_line (&rest)) != NULL; header = FALSE)
    {
      if (g_cancellable_set_error_if_cancelled (loading->cancellable, error))
        return FALSE;
      parsed = header || parse_cells (line, columns, values);
    }
  if (!parsed)
    {
      g_autofree char *name = es_error_file_name (file);
      g_autofree char *found = g_strdup_printf (_("“%s” has a row of other than %u columns"), name, columns);
      return es_saved_refuse (loading->name, error, found);
    }
  return TRUE;
}

static EsLayer *
load_curve (EsResultLoading *loading, JsonObject *object, GFile *file, GError **error)
{
  JsonArray *series;
  guint n = es_saved_get_array (object, "series", &series);
  JsonObject *x = es_saved_get_object (object, "x"), *threshold = es_saved_get_object (object, "threshold");
  g_autofree GArray **values = g_new0 (GArray *, n + 1);
  EsCurve *curve = NULL;

  if (read_columns (loading, file, n + 1, values, error))
    {
      curve = es_curve_new (es_saved_get_string (object, "name"), es_saved_get_string (object, "title"),
                            es_saved_get_string (object, "role"), values[0]->len, (double *) values[0]->data,
                            es_saved_get_text (x, "title", ""), es_saved_get_string (x, "unit"));
      for (guint i = 0; i < n; i++)
        {
          JsonObject *one = es_saved_get_element (series, i);
          es_curve_add_series (curve, es_saved_get_text (one, "title", ""), es_saved_get_string (one, "unit"),
                               (EsCurveStyle) CLAMP (es_saved_get_number (one, "style", 0), ES_CURVE_LINE,
                                                     ES_CURVE_LISTED),
                               es_saved_get_flag (one, "right_axis"), (double *) values[i + 1]->data);
        }
      es_curve_set_y_title (curve, es_saved_get_string (object, "y_title"));
      es_curve_set_log_y (curve, es_saved_get_flag (object, "log_y"));
      if (es_saved_get_string (threshold, "key") != NULL)
        es_curve_set_threshold (curve, es_saved_get_string (threshold, "key"),
                                es_saved_get_number (threshold, "value", 1));
    }
  for (guint i = 0; i <= n; i++)
    g_clear_pointer (&values[i], g_array_unref);
  return curve != NULL ? ES_LAYER (curve) : NULL;
}

/* NULL without an error: one that is made anew. */
static EsLayer *
load_layer (EsResultLoading *loading, JsonObject *object, const char *array, GError **error)
{
  const char *kind = es_saved_get_string (object, "kind");
  g_autoptr (GFile) file = g_file_get_child (loading->directory, es_saved_get_string (object, "file"));

  if (strcmp (kind, es_layer_kind_name (ES_LAYER_IMAGE_STACK)) == 0)
    return load_stack (loading, object, file, error);
  if (strcmp (kind, es_layer_kind_name (ES_LAYER_CURVE)) == 0)
    return load_curve (loading, object, file, error);
  if (strcmp (kind, es_layer_kind_name (ES_LAYER_VERDICT)) == 0)
    return es_result_load_verdict (loading, object, error);
  if (strcmp (kind, es_layer_kind_name (ES_LAYER_MATRIX)) == 0)
    return load_matrix (loading, object, file, error);
  if (strcmp (kind, es_layer_kind_name (ES_LAYER_FIELD)) == 0
      || strcmp (kind, es_layer_kind_name (ES_LAYER_WATERFALL)) == 0)
    return es_result_load_field (object, array, file, loading->cancellable, error);
  if (strcmp (kind, es_layer_kind_name (ES_LAYER_TABLE)) == 0 && json_object_has_member (object, "columns")
      && g_strcmp0 (es_saved_get_string (object, "name"), "steps") != 0)
    return es_result_load_table (object, file, loading->cancellable, error);
  return NULL;                 /* the steps are made from the stages */
}

/* What is damaged leaves the rest as it is. */
static gboolean
is_of_the_layer (const GError *error)
{
  return error->domain == ES_DATA_ERROR;
}

gboolean
es_result_load_layers (EsResultLoading *loading, JsonObject *root, EsResult *result, GError **error)
{
  JsonArray *layers;
  guint n = es_saved_get_array (root, "layers", &layers);
  JsonObject *values = es_saved_get_object (root, "values");
  JsonObject *input = es_saved_get_object (root, "input");
  JsonNode *described = values != NULL ? json_object_get_member (values, "array") : NULL;
  g_autoptr (GError) first = NULL;

  if (n == 0 || n > MOST_LAYERS)
    return es_saved_refuse (loading->name, error, n == 0 ? _("it lists no layers") : _("it lists too many layers"));
  if (described == NULL && input != NULL)
    described = json_object_get_member (input, "array");

  g_autofree char *array = described != NULL ? es_json_to_text (described) : NULL;

  for (guint i = 0; i < n; i++)
    {
      JsonObject *object = es_saved_get_element (layers, i);
      g_autoptr (GError) local_error = NULL;
      g_autoptr (EsLayer) layer = NULL;

      /* A layer lies beside its result.json, wherever a forged one would like to lead. */
      if (es_saved_get_string (object, "kind") == NULL || !es_file_name_is_plain (es_saved_get_string (object, "file")))
        return es_saved_refuse (loading->name, error, _("a layer has no kind or no file"));
      layer = load_layer (loading, object, array, &local_error);
      if (layer != NULL)
        es_result_add_layer (result, layer);
      else if (local_error != NULL && !is_of_the_layer (local_error))
        {
          g_propagate_error (error, g_steal_pointer (&local_error));
          return FALSE;
        }
      else if (local_error != NULL)
        {
          es_result_add_warning (result, _("The layer “%s” is left out: %s"),
                                 es_saved_get_text (object, "title", es_saved_get_text (object, "name", "")),
                                 local_error->message);
          if (first == NULL)
            first = g_steal_pointer (&local_error);
        }
    }
  if (first == NULL || g_list_model_get_n_items (es_result_get_layers (result)) > 0)
    return TRUE;
  g_propagate_error (error, g_steal_pointer (&first));
  return FALSE;
}
