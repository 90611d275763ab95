/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* Fields as HDF5: /values over /rows and /columns, which are its dimension scales; /headings over /rows. */

#include <glib/gi18n-lib.h>
#include <string.h>

#include "base/es-error.h"
#include "es-write-field-private.h"
#include "libraries/es-hdf-lock-internal.h"
#include "libraries/es-hdf5-library-internal.h"

/* Bytes of a chunk in the file, and samples that are written at a time. */
#define CHUNK_BYTES ((gsize) 1 << 18)
#define SLAB_SAMPLES ((gsize) 1 << 20)
/* Longer texts (an array's geometry) are data sets of their own: not every reader takes long attributes. */
#define LONGEST_ATTRIBUTE 16000

static const char *const own_names[] = { "values", "rows", "columns", "headings", NULL };

typedef struct
{
  hid_t file, values;
} Store;

gboolean
es_write_hdf5_text (hid_t object, const char *name, const char *text)
{
  hid_t type = H5Tcopy (H5T_C_S1), space = H5Screate (H5S_SCALAR);
  hid_t attribute;
  gboolean written;

  H5Tset_size (type, MAX (strlen (text), 1));
  H5Tset_strpad (type, H5T_STR_NULLPAD);
  H5Tset_cset (type, H5T_CSET_UTF8);
  attribute = H5Acreate2 (object, name, type, space, H5P_DEFAULT, H5P_DEFAULT);
  written = attribute >= 0 && H5Awrite (attribute, type, text) >= 0;
  if (attribute >= 0)
    H5Aclose (attribute);
  H5Sclose (space);
  H5Tclose (type);
  return written;
}

/* Without the time of its making: the same field gives the same bytes. */
static hid_t
new_dataset_properties (void)
{
  hid_t properties = H5Pcreate (H5P_DATASET_CREATE);

  H5Pset_obj_track_times (properties, FALSE);
  return properties;
}

static gboolean
write_text_dataset (hid_t file, const char *name, const char *text)
{
  hid_t properties = new_dataset_properties (), type = H5Tcopy (H5T_C_S1), space = H5Screate (H5S_SCALAR);
  hid_t dataset;
  gboolean written;

  H5Tset_size (type, MAX (strlen (text), 1));
  H5Tset_strpad (type, H5T_STR_NULLPAD);
  H5Tset_cset (type, H5T_CSET_UTF8);
  dataset = H5Dcreate2 (file, name, type, space, H5P_DEFAULT, properties, H5P_DEFAULT);
  written = dataset >= 0 && H5Dwrite (dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, text) >= 0;
  if (dataset >= 0)
    H5Dclose (dataset);
  H5Sclose (space);
  H5Tclose (type);
  H5Pclose (properties);
  return written;
}

static gboolean
write_metadata (hid_t file, hid_t values, const char *key, const char *value)
{
  /* Said twice: the last counts. */
  if (H5Aexists (values, key) > 0 && H5Adelete (values, key) < 0)
    return FALSE;
  if (strlen (value) <= LONGEST_ATTRIBUTE)
    return es_write_hdf5_text (values, key, value);
  /* Slashes would make groups, and some names are taken. */
  const gboolean taken = g_strv_contains (own_names, key);
  g_autofree char *name = g_strdelimit (g_strconcat (key, taken ? "-text" : NULL, NULL), "/.", '-');
  return (H5Lexists (file, name, H5P_DEFAULT) <= 0 || H5Ldelete (file, name, H5P_DEFAULT) >= 0)
         && write_text_dataset (file, name, value);
}

static gboolean
write_attributes (EsField *field, hid_t file, hid_t values)
{
  const char *reference = es_field_get_reference (field), *unit = es_field_get_unit (field);
  const char *role = es_field_get_role (field);
  const char * const *metadata = es_field_get_metadata (field);
  gboolean written = es_write_hdf5_text (values, "title", es_layer_get_title (ES_LAYER (field)) ?: "")
                     && es_write_hdf5_text (values, "kind",
                                              es_layer_kind_name (es_layer_get_kind (ES_LAYER (field))));

  if (role != NULL)
    written = written && es_write_hdf5_text (values, "role", role);
  if (reference != NULL)
    written = written && es_write_hdf5_text (values, "reference", reference);
  if (unit != NULL)
    written = written && es_write_hdf5_text (values, "units", unit);
  for (guint i = 0; written && metadata != NULL && metadata[i] != NULL; i += 2)
    written = write_metadata (file, values, metadata[i], metadata[i + 1]);
  return written;
}

/* Closed by whoever asked; -1: it could not be written. */
static hid_t
write_numbers (hid_t file, const char *name, const EsAxis *axis)
{
  const hsize_t n = axis->n;
  hid_t properties = new_dataset_properties (), space = H5Screate_simple (1, &n, NULL);
  hid_t numbers = H5Dcreate2 (file, name, H5T_IEEE_F64LE, space, H5P_DEFAULT, properties, H5P_DEFAULT);
  const gboolean written = numbers >= 0
                           && (n == 0 || H5Dwrite (numbers, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT,
                                                   axis->values) >= 0)
                           && es_write_hdf5_text (numbers, "title", axis->title ?: "")
                           && (axis->unit == NULL || es_write_hdf5_text (numbers, "units", axis->unit));

  if (numbers >= 0 && !written)
    H5Dclose (numbers);
  H5Sclose (space);
  H5Pclose (properties);
  return written ? numbers : -1;
}

static gboolean
write_scale (hid_t file, const char *name, const EsAxis *axis, hid_t values, guint dimension)
{
  hid_t scale = write_numbers (file, name, axis);
  const gboolean written = scale >= 0 && H5DSset_scale (scale, axis->title ?: name) >= 0
                           && H5DSattach_scale (values, scale, dimension) >= 0;

  if (scale >= 0)
    H5Dclose (scale);
  return written;
}

/* Along the rows: their scale is its own, too. */
static gboolean
write_headings (hid_t file, EsField *field)
{
  const double *headings = es_field_get_headings (field);
  const EsAxis axis = { _("Heading"), (char *) "°", es_field_get_rows (field)->n, (double *) headings };
  hid_t numbers, rows;
  gboolean written;

  if (headings == NULL)
    return TRUE;
  numbers = write_numbers (file, "headings", &axis);
  rows = H5Dopen2 (file, "rows", H5P_DEFAULT);
  written = numbers >= 0 && rows >= 0 && es_write_hdf5_text (numbers, "reference", "true north, clockwise")
            && H5DSattach_scale (numbers, rows, 0) >= 0;
  if (rows >= 0)
    H5Dclose (rows);
  if (numbers >= 0)
    H5Dclose (numbers);
  return written;
}

static gboolean
begin (Store *store, EsField *field, const char *part)
{
  const EsAxis *rows = es_field_get_rows (field), *columns = es_field_get_columns (field);
  const hsize_t shape[2] = { rows->n, columns->n };
  const hsize_t chunk_columns = MIN (columns->n, CHUNK_BYTES / sizeof (float));
  const hsize_t chunk[2] = { CLAMP (CHUNK_BYTES / sizeof (float) / chunk_columns, 1, MAX (rows->n, 1)), chunk_columns };
  hid_t access = H5Pcreate (H5P_FILE_ACCESS), creation = H5Pcreate (H5P_FILE_CREATE);
  hid_t properties = new_dataset_properties ();
  hid_t space = H5Screate_simple (2, shape, NULL);

  /* Many attributes do not fit into an object's header; this version has another place for them. */
  H5Pset_libver_bounds (access, H5F_LIBVER_V18, H5F_LIBVER_V18);
  if (rows->n > 0)
    {
      H5Pset_chunk (properties, 2, chunk);
      H5Pset_shuffle (properties);
      if (H5Zfilter_avail (H5Z_FILTER_DEFLATE) > 0)
        H5Pset_deflate (properties, 4);
    }
  H5Pset_obj_track_times (creation, FALSE);
  store->file = H5Fcreate (part, H5F_ACC_TRUNC, creation, access);
  if (store->file >= 0)
    store->values = H5Dcreate2 (store->file, "values", H5T_IEEE_F32LE, space, H5P_DEFAULT, properties, H5P_DEFAULT);
  H5Sclose (space);
  H5Pclose (properties);
  H5Pclose (creation);
  H5Pclose (access);
  return store->values >= 0
         && write_attributes (field, store->file, store->values)
         && write_scale (store->file, "rows", rows, store->values, 0)
         && write_scale (store->file, "columns", columns, store->values, 1)
         && write_headings (store->file, field);
}

static gboolean
write_slab (Store *store, guint first, guint n, guint columns, const float *samples)
{
  const hsize_t start[2] = { first, 0 }, count[2] = { n, columns };
  hid_t space = H5Dget_space (store->values), memory = H5Screate_simple (2, count, NULL);
  const gboolean written = H5Sselect_hyperslab (space, H5S_SELECT_SET, start, NULL, count, NULL) >= 0
                           && H5Dwrite (store->values, H5T_NATIVE_FLOAT, memory, space, H5P_DEFAULT, samples) >= 0;

  H5Sclose (memory);
  H5Sclose (space);
  return written;
}

/* FALSE where what was cached could not be written. */
static gboolean
end (Store *store)
{
  gboolean closed = store->values < 0 || H5Dclose (store->values) >= 0;

  closed = closed && (store->file < 0 || H5Fflush (store->file, H5F_SCOPE_LOCAL) >= 0);
  if (store->file >= 0 && H5Fclose (store->file) < 0)
    closed = FALSE;
  return closed;
}

static gboolean
refuse (const EsOutput *output, GError **error)
{
  g_autoptr (GFile) file = g_file_new_for_path (output->path);
  g_autofree char *name = es_error_file_name (file);

  if (error != NULL && *error == NULL)
    g_set_error (error, ES_DATA_ERROR, ES_DATA_ERROR_WRITE,
                 _("“%s” could not be written: the HDF5 library reports an error, perhaps the disk is full."), name);
  return FALSE;
}

gboolean
es_write_field_store (EsField *field, EsOutputs *outputs, const char *path, GCancellable *cancellable, GError **error)
{
  const guint rows = es_field_get_rows (field)->n, columns = es_field_get_columns (field)->n;
  const guint at_a_time = MAX (1, SLAB_SAMPLES / columns);
  g_autofree float *samples = g_try_new (float, (gsize) MIN (at_a_time, MAX (rows, 1)) * columns);
  const EsOutput *output = es_outputs_add (outputs, path, FALSE, error);
  g_autoptr (GError) local_error = NULL;
  Store store = { .file = -1, .values = -1 };
  gboolean written;

  if (output == NULL || !es_library_load (&es_library_hdf5, NULL, error))
    return FALSE;
  if (samples == NULL)
    {
      g_set_error (error, ES_COMPUTE_ERROR, ES_COMPUTE_ERROR_MEMORY, _("There is not enough memory to write “%s”."),
                   es_layer_get_title (ES_LAYER (field)));
      return FALSE;
    }
  es_outputs_hand_over (outputs, output);

  es_hdf_lock ();
  written = begin (&store, field, output->part);
  es_hdf_unlock ();
  /* Others may read HDF5 between two slabs; the field itself may. */
  for (guint first = 0; written && first < rows; first += at_a_time)
    {
      const guint n = MIN (at_a_time, rows - first);

      written = !g_cancellable_set_error_if_cancelled (cancellable, &local_error)
                && es_field_read (field, first, n, samples, &local_error);
      if (!written)
        break;
      es_hdf_lock ();
      written = write_slab (&store, first, n, columns, samples);
      es_hdf_unlock ();
    }
  es_hdf_lock ();
  written = end (&store) && written;
  es_hdf_unlock ();

  if (written)
    return TRUE;
  if (local_error == NULL)
    refuse (output, &local_error);
  g_propagate_error (error, g_steal_pointer (&local_error));
  return FALSE;
}

gboolean
es_write_field_hdf5 (EsField *field, GFile *target, GCancellable *cancellable, GError **error)
{
  g_autoptr (EsOutputs) outputs = es_outputs_new ();
  g_autofree char *path = es_output_local_path (target, error);

  return path != NULL && es_write_field_store (field, outputs, path, cancellable, error)
         && !g_cancellable_set_error_if_cancelled (cancellable, error) && es_outputs_commit (outputs, error);
}
