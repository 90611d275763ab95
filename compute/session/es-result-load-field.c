/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* Fields and waterfalls of a saved result. */

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>
#include <sys/stat.h>

#include "base/es-error.h"
#include "base/es-text-file-internal.h"
#include "es-result-load-private.h"
#include "hdf/es-hdf-samples-internal.h"
#include "layer/es-layer-internal.h"
#include "libraries/es-hdf-lock-internal.h"
#include "libraries/es-hdf5-library-internal.h"
#include "rehearsal/es-rehearsal-internal.h"
#include "result/es-result-internal.h"
#include "result/es-saved-internal.h"

/* Longer waterfalls stay in their file. */
#define MOST_IN_MEMORY ((guint64) 64 << 20)
#define MOST_PACKED 1100
#define TRY_AT_A_TIME ((hsize_t) 1 << 18)

/* A stretch: one row. */
static const EsHdfCache cache = { .stretches = 1, .share = 16, .most = (guint64) 64 << 20 };

/* Titles point into object, which outlives the axis. FALSE: it says no usable number of values. */
static gboolean
get_axis (JsonObject *object, const char *name, EsAxis *axis)
{
  JsonObject *described = es_saved_get_object (object, name);
  const double count = es_saved_get_number (described, "n", -1);

  axis->title = (char *) es_saved_get_string (described, "title");
  axis->unit = (char *) es_saved_get_string (described, "unit");
  axis->n = count >= 0 && count < G_MAXUINT ? (guint) count : 0;
  axis->values = NULL;
  return count >= 0 && count < G_MAXUINT;
}

static gboolean
refuse (GFile *file, const char *found, GError **error)
{
  g_autofree char *name = es_error_file_name (file);

  g_set_error (error, ES_DATA_ERROR, ES_DATA_ERROR_FORMAT, _("“%s” is not a layer of its result: %s."), name, found);
  return FALSE;
}

static void
finish (JsonObject *object, const char *array, EsField *field)
{
  JsonNode *node = json_object_get_member (object, "metadata");
  JsonObjectIter iterator;
  const char *key;
  JsonNode *value;

  es_field_set_reference (field, es_saved_get_string (object, "reference"), es_saved_get_string (object, "unit"));
  if (array != NULL)
    es_field_add_metadata (field, "array", array);
  if (node == NULL || !JSON_NODE_HOLDS_OBJECT (node))
    return;
  json_object_iter_init_ordered (&iterator, json_node_get_object (node));
  while (json_object_iter_next_ordered (&iterator, &key, &value))
    if (*key != '\0' && JSON_NODE_HOLDS_VALUE (value) && json_node_get_value_type (value) == G_TYPE_STRING)
      es_field_add_metadata (field, key, json_node_get_string (value));
}

/* ---- text ---- */

/* The last n cells of a line; `first` gets the one before them, which in the first line is a title that may have
 * commas. FALSE: there is another number of them. */
static gboolean
parse_cells (const char *line, guint n, gboolean titled, double *first, double *cells)
{
  const char *end = line + strlen (line);

  for (guint i = n; i-- > 0;)
    {
      const char *cell = end;

      while (cell > line && cell[-1] != ',')
        cell--;
      if (cell == line)
        return FALSE;
      cells[i] = cell == end ? NAN : g_ascii_strtod (cell, NULL);
      end = cell - 1;
    }
  *first = titled ? NAN : g_ascii_strtod (line, NULL);
  return titled || memchr (line, ',', end - line) == NULL;
}

static EsField *
fill_from_text (JsonObject *object, EsLayerKind kind, GPtrArray *lines, EsAxis *rows, EsAxis *columns, GFile *file,
                GCancellable *cancellable, GError **error)
{
  const gboolean levels = es_saved_get_string (object, "reference") != NULL;
  g_autofree double *cells = g_new (double, columns->n);
  g_autoptr (EsField) field = NULL;
  double first;
  gboolean parsed = lines->len == (guint64) rows->n + 1;

  for (guint n = 0; parsed && n < lines->len; n++)
    {
      if (g_cancellable_set_error_if_cancelled (cancellable, error))
        return NULL;
      parsed = parse_cells (g_ptr_array_index (lines, n), columns->n, n == 0, &first,
                            n == 0 ? columns->values : cells);
      if (parsed && n > 0)
        rows->values[n - 1] = first;
    }
  if (!parsed)
    {
      refuse (file, _("its rows and columns are not those that result.json tells"), error);
      return NULL;
    }

  field = es_field_new (es_saved_get_string (object, "name"), es_saved_get_string (object, "title"), kind,
                        es_saved_get_string (object, "role"), rows, columns, 0, error);
  if (field == NULL)
    return NULL;
  g_autofree float *row = g_new (float, columns->n);
  for (guint n = 1; n < lines->len; n++)
    {
      if (g_cancellable_set_error_if_cancelled (cancellable, error))
        return NULL;
      parse_cells (g_ptr_array_index (lines, n), columns->n, FALSE, &first, cells);
      for (guint j = 0; j < columns->n; j++)
        row[j] = levels ? es_field_power_of_level (cells[j]) : (float) cells[j];
      if (kind == ES_LAYER_FIELD)
        memcpy (es_field_get_writable (field) + (gsize) (n - 1) * columns->n, row, columns->n * sizeof (float));
      else if (!es_field_append (field, first, row, error))
        return NULL;
    }
  return g_steal_pointer (&field);
}

static EsField *
load_text (JsonObject *object, EsLayerKind kind, GFile *file, EsAxis *rows, EsAxis *columns, GCancellable *cancellable,
           GError **error)
{
  gsize length;
  g_autofree char *text = es_text_file_load (file, &length, cancellable, error);
  EsField *field = NULL;

  if (text == NULL)
    return NULL;
  /* Each value takes a byte or more: what is promised is not believed before it can be true. */
  if (columns->n == 0 || columns->n > length || rows->n > length)
    {
      refuse (file, _("its rows and columns are not those that result.json tells"), error);
      return NULL;
    }
  g_autoptr (GPtrArray) lines = g_ptr_array_new ();
  char *rest = text;
  for (char *line; lines->len <= rows->n + 1u && (line = es_result_next_line (&rest)) != NULL;)
    g_ptr_array_add (lines, line);
  columns->values = g_try_new (double, columns->n);
  rows->values = g_try_new (double, MAX (rows->n, 1));
  if (columns->values == NULL || rows->values == NULL)
    g_set_error (error, ES_COMPUTE_ERROR, ES_COMPUTE_ERROR_MEMORY, _("There is not enough memory to open “%s”."),
                 es_saved_get_text (object, "file", ""));
  else
    field = fill_from_text (object, kind, lines, rows, columns, file, cancellable, error);
  g_free (columns->values);
  g_free (rows->values);
  return field;
}

/* ---- HDF5 ---- */

typedef struct
{
  EsHdfSamples *values;
  guint         columns;
  GFile        *name;
} Store;

static void
store_free (gpointer data)
{
  Store *store = data;

  es_hdf_lock ();
  es_hdf_samples_free (store->values);
  es_hdf_unlock ();
  g_object_unref (store->name);
  g_free (store);
}

static gboolean
store_read (gpointer data, guint first, guint n, float *out, GError **error)
{
  Store *store = data;
  const guint64 start[2] = { first, 0 }, count[2] = { n, store->columns };
  const gboolean done = es_hdf_samples_read (store->values, start, count, out);

  if (!done)
    {
      g_autofree char *name = es_error_file_name (store->name);
      g_set_error (error, ES_DATA_ERROR, ES_DATA_ERROR_TRUNCATED,
                   _("“%s” could not be read: rows %u to %u are damaged."), name, first + 1, first + n);
    }
  return done;
}

/* The data set of a name that this file itself holds: no link to elsewhere, no samples in another file. */
static hid_t
open_own (hid_t file, const char *name)
{
  H5L_info_t link;
  hid_t dataset, properties;
  gboolean own;

  if (file < 0 || H5Lget_info (file, name, &link, H5P_DEFAULT) < 0 || link.type != H5L_TYPE_HARD)
    return -1;
  dataset = H5Dopen2 (file, name, H5P_DEFAULT);
  if (dataset < 0)
    return -1;
  properties = H5Dget_create_plist (dataset);
  own = properties >= 0 && H5Pget_layout (properties) != H5D_VIRTUAL && H5Pget_external_count (properties) == 0;
  if (properties >= 0)
    H5Pclose (properties);
  if (own)
    return dataset;
  H5Dclose (dataset);
  return -1;
}

/* What a data set claims costs nothing until it is read: deflate makes at most a thousandth of anything. */
static gboolean
is_there (hid_t dataset, guint64 values, gsize size)
{
  return values == 0 || values * size / MOST_PACKED <= H5Dget_storage_size (dataset);
}

/* Whether a data set has these extents; under the lock. */
static gboolean
has_shape (hid_t dataset, int rank, const hsize_t *wanted)
{
  hid_t space = dataset >= 0 ? H5Dget_space (dataset) : -1;
  hsize_t found[2] = { 0, 0 };
  gboolean same = space >= 0 && H5Sget_simple_extent_ndims (space) == rank
                  && H5Sget_simple_extent_dims (space, found, NULL) == rank;

  for (int i = 0; same && i < rank; i++)
    same = found[i] == wanted[i];
  if (space >= 0)
    H5Sclose (space);
  return same;
}

static gboolean
read_scale (hid_t file, const char *name, EsAxis *axis)
{
  const hsize_t wanted = axis->n;
  hid_t scale = open_own (file, name);
  gboolean done = has_shape (scale, 1, &wanted) && is_there (scale, wanted, sizeof (double));

  if (done)
    {
      axis->values = g_try_new (double, MAX (axis->n, 1));
      done = axis->values != NULL
             && es_hdf_read_whole (scale, H5T_NATIVE_DOUBLE, 1, (const guint64[]) { axis->n }, axis->values);
    }
  if (scale >= 0)
    H5Dclose (scale);
  return done;
}

/* headings: of the rows where there are any, to be freed. */
static gboolean
store_open (Store *store, const char *path, EsAxis *rows, EsAxis *columns, EsAxis *headings)
{
  const hsize_t wanted[2] = { rows->n, columns->n };
  const guint64 across[2] = { 1, columns->n };
  hid_t file, values = -1;
  gboolean done;

  es_hdf_lock ();
  file = H5Fopen (path, H5F_ACC_RDONLY, H5P_DEFAULT);
  if (file >= 0)
    values = open_own (file, "values");
  done = has_shape (values, 2, wanted)
         && is_there (values, (guint64) rows->n * columns->n, sizeof (float))
         && read_scale (file, "rows", rows)
         && read_scale (file, "columns", columns)
         && (headings->n == 0 || read_scale (file, "headings", headings));
  if (done)
    store->values = es_hdf_samples_new (path, "values", ESK_F32, FALSE, 2, across, &cache, NULL);
  if (values >= 0)
    H5Dclose (values);
  if (file >= 0)
    H5Fclose (file);
  es_hdf_unlock ();
  return done && store->values != NULL;
}

/* So many rows at a time, all of what would be kept in memory and then the last ones. */
static void
try_values (hid_t dataset, hid_t type, gsize size)
{
  hid_t space = H5Dget_space (dataset);
  hsize_t lengths[2] = { 0, 1 }, start[2] = { 0 }, count[2];
  const int rank = space >= 0 ? H5Sget_simple_extent_ndims (space) : 0;

  H5Dget_storage_size (dataset);
  if (rank >= 1 && rank <= 2 && H5Sget_simple_extent_dims (space, lengths, NULL) == rank && lengths[1] > 0 &&
      lengths[1] <= MOST_IN_MEMORY)
    {
      const hsize_t step = MAX (1, TRY_AT_A_TIME / lengths[1]), most = MOST_IN_MEMORY / size / lengths[1];
      g_autofree guint8 *values = g_malloc (step * lengths[1] * size);

      count[1] = lengths[1];
      while (start[0] < lengths[0])
        {
          hid_t memory;

          count[0] = MIN (step, lengths[0] - start[0]);
          memory = H5Screate_simple (rank, count, NULL);
          H5Sselect_hyperslab (space, H5S_SELECT_SET, start, NULL, count, NULL);
          H5Dread (dataset, type, memory, space, H5P_DEFAULT, values);
          H5Sclose (memory);
          start[0] += count[0];
          if (start[0] > most && start[0] < lengths[0])
            start[0] = MAX (start[0], lengths[0] - step);
        }
    }
  if (space >= 0)
    H5Sclose (space);
}

void
es_result_try_field (const char *path)
{
  static const char *const names[] = { "values", "rows", "columns", "headings" };
  hid_t file;

  es_hdf_lock ();
  file = H5Fopen (path, H5F_ACC_RDONLY, H5P_DEFAULT);
  for (guint i = 0; i < G_N_ELEMENTS (names) && file >= 0; i++)
    {
      hid_t dataset = open_own (file, names[i]);

      if (dataset < 0)
        continue;
      try_values (dataset, i == 0 ? H5T_NATIVE_FLOAT : H5T_NATIVE_DOUBLE, i == 0 ? sizeof (float) : sizeof (double));
      H5Dclose (dataset);
    }
  if (file >= 0)
    H5Fclose (file);
  es_hdf_unlock ();
}

static EsField *
copy_store (JsonObject *object, EsLayerKind kind, Store *store, const EsAxis *rows, const EsAxis *columns,
            GCancellable *cancellable, GError **error)
{
  const guint at_a_time = CLAMP ((1u << 20) / columns->n, 1, MAX (rows->n, 1));
  g_autofree float *values = g_try_new (float, (gsize) at_a_time * columns->n);
  g_autoptr (EsField) field = es_field_new (es_saved_get_string (object, "name"), es_saved_get_string (object, "title"),
                                            kind, es_saved_get_string (object, "role"), rows, columns, 0, error);

  for (guint first = 0; field != NULL && first < rows->n; first += at_a_time)
    {
      const guint n = MIN (at_a_time, rows->n - first);

      if (g_cancellable_set_error_if_cancelled (cancellable, error))
        return NULL;
      if (kind == ES_LAYER_FIELD)
        {
          if (!store_read (store, first, n, es_field_get_writable (field) + (gsize) first * columns->n, error))
            return NULL;
          continue;
        }
      if (!store_read (store, first, n, values, error))
        return NULL;
      for (guint i = 0; i < n; i++)
        if (!es_field_append (field, rows->values[first + i], values + (gsize) i * columns->n, error))
          return NULL;
    }
  return g_steal_pointer (&field);
}

static gboolean
rehearse (const char *path, GFile *file, GCancellable *cancellable, GError **error)
{
  g_autofree char *name = es_error_file_name (file), *note = NULL;
  struct stat tried;

  return !es_rehearsal_finds_hdf5 (path) ||
         es_rehearsal_run (ES_REHEARSAL_FIELD, path, name, NULL, cancellable, &note, &tried, error);
}

static gboolean
load_library (GFile *file, GError **error)
{
  g_autofree char *name = es_error_file_name (file);

  return es_library_load (&es_library_hdf5, name, error);
}

static EsField *
load_store (JsonObject *object, EsLayerKind kind, GFile *file, EsAxis *rows, EsAxis *columns,
            GCancellable *cancellable, GError **error)
{
  g_autofree char *path = g_file_get_path (file);
  EsAxis headings = { .n = es_saved_get_flag (object, "headings") ? rows->n : 0 };
  Store *store;
  EsField *field = NULL;

  if (path != NULL && (!load_library (file, error) || !rehearse (path, file, cancellable, error)))
    return NULL;
  store = g_new0 (Store, 1);

  *store = (Store) { .columns = columns->n, .name = g_object_ref (file) };
  if (path == NULL || columns->n == 0 || !store_open (store, path, rows, columns, &headings))
    {
      refuse (file, _("its rows and columns are not those that result.json tells"), error);
      store_free (store);
    }
  else if ((guint64) rows->n * columns->n * sizeof (float) <= MOST_IN_MEMORY)
    {
      field = copy_store (object, kind, store, rows, columns, cancellable, error);
      store_free (store);
    }
  else
    field = es_field_new_stored (es_saved_get_string (object, "name"), es_saved_get_string (object, "title"), kind,
                                 es_saved_get_string (object, "role"), rows, columns, store_read, store, store_free,
                                 error);
  if (field != NULL)
    es_field_set_headings (field, headings.values);
  g_free (headings.values);
  g_free (rows->values);
  g_free (columns->values);
  return field;
}

EsLayer *
es_result_load_field (JsonObject *object, const char *array, GFile *file, GCancellable *cancellable, GError **error)
{
  const char *said = es_saved_get_string (object, "kind");
  const EsLayerKind kind = g_strcmp0 (said, es_layer_kind_name (ES_LAYER_WATERFALL)) == 0 ? ES_LAYER_WATERFALL
                                                                                          : ES_LAYER_FIELD;
  const char *name = es_saved_get_string (object, "file");
  EsAxis rows, columns;
  EsField *field;

  if (!get_axis (object, "rows", &rows) || !get_axis (object, "columns", &columns))
    {
      refuse (file, _("result.json does not tell its axes"), error);
      return NULL;
    }
  if (name != NULL && g_str_has_suffix (name, ".h5"))
    field = load_store (object, kind, file, &rows, &columns, cancellable, error);
  else
    field = load_text (object, kind, file, &rows, &columns, cancellable, error);
  if (field == NULL)
    return NULL;
  finish (object, array, field);
  return ES_LAYER (field);
}
