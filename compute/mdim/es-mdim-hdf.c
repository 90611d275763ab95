/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* GDAL reads HDF5 without a cache that holds a chunk of more than a megabyte, and so unpacks it for every row. Samples
 * that can be handed over as they are stored are read without it, with a cache for the chunks of one row. */

#include <glib/gi18n-lib.h>
#include <string.h>

#include "claims/es-claim-hdf5-internal.h"
#include "es-mdim-private.h"

/* A stretch: one row of pixels of all bands. */
static const EsHdfCache cache = { .stretches = 1, .share = 16, .most = (guint64) 4096 * 1024 * 1024 };

char *
es_mdim_hdf_find_path (EsReaderInput *input, const char *variable)
{
  const char *slash = strrchr (variable, '/');
  const char *name = slash != NULL ? slash + 1 : variable;
  g_autofree char *folder = g_strndup (variable, (gsize) (name - variable));
  g_autofree char *hidden = g_strconcat (folder, "_nc4_non_coord_", name, NULL);
  hid_t file = H5Fopen (input->path, H5F_ACC_RDONLY, H5P_DEFAULT);
  const gboolean is_there = file >= 0 && H5Lexists (file, hidden, H5P_DEFAULT) > 0;

  if (file >= 0)
    H5Fclose (file);
  return is_there ? g_steal_pointer (&hidden) : g_strdup (variable);
}

gsize
es_mdim_hdf_get_signed_size (EsReaderInput *input, const char *variable)
{
  hid_t file = H5Fopen (input->path, H5F_ACC_RDONLY, H5P_DEFAULT);
  hid_t dataset = file >= 0 ? H5Dopen2 (file, variable, H5P_DEFAULT) : -1;
  hid_t type = dataset >= 0 ? H5Dget_type (dataset) : -1;
  const gboolean is_signed = type >= 0 && H5Tget_class (type) == H5T_INTEGER && H5Tget_sign (type) == H5T_SGN_2
                             && H5Tget_precision (type) == 8 * H5Tget_size (type);
  const gsize size = is_signed ? H5Tget_size (type) : 0;

  if (type >= 0)
    H5Tclose (type);
  if (dataset >= 0)
    H5Dclose (dataset);
  if (file >= 0)
    H5Fclose (file);
  return size;
}

/* A variable of netCDF may be shorter than its dimension, and is the fill value from there on. */
static gboolean
has_lengths (EsReaderInput *input, const char *variable, const EsMdimShape *shape)
{
  hid_t file = H5Fopen (input->path, H5F_ACC_RDONLY, H5P_DEFAULT);
  hid_t dataset = file >= 0 ? H5Dopen2 (file, variable, H5P_DEFAULT) : -1;
  hid_t space = dataset >= 0 ? H5Dget_space (dataset) : -1;
  hsize_t lengths[H5S_MAX_RANK];
  gboolean has = space >= 0 && H5Sget_simple_extent_ndims (space) == (int) shape->n_axes
                 && H5Sget_simple_extent_dims (space, lengths, NULL) == (int) shape->n_axes;

  for (guint role = 0; role < 3 && has; role++)
    has = lengths[shape->axis[role]] == shape->length[role];
  if (space >= 0)
    H5Sclose (space);
  if (dataset >= 0)
    H5Dclose (dataset);
  if (file >= 0)
    H5Fclose (file);
  return has;
}

EsHdfSamples *
es_mdim_hdf_new (EsReaderInput *input, const char *variable, const EsMdimShape *shape, EskType type)
{
  g_autofree guint64 *across = g_new (guint64, shape->n_axes);

  if (!es_reader_is_hdf5 (input) || shape->n_axes > H5S_MAX_RANK || !has_lengths (input, variable, shape))
    return NULL;
  for (size_t i = 0; i < shape->n_axes; i++)
    across[i] = 1;
  across[shape->axis[ES_AXIS_COLUMN]] = shape->length[ES_AXIS_COLUMN];
  across[shape->axis[ES_AXIS_BAND]] = shape->length[ES_AXIS_BAND];
  return es_hdf_samples_new (input->path, variable, type, TRUE, (int) shape->n_axes, across, &cache, NULL);
}

static double *
read_numbers (EsReaderInput *input, const char *variable, guint n_axes, const guint64 *lengths)
{
  gsize n = n_axes > 0 ? lengths[0] : 0;
  guint64 missing = 0, all;
  g_autofree double *values = NULL;
  g_autofree char *path = es_mdim_hdf_find_path (input, variable);
  hid_t file, dataset;
  gboolean ok = TRUE;

  for (guint i = 1; i < n_axes && ok; i++)
    ok = !__builtin_mul_overflow (n, lengths[i], &n);
  values = ok ? g_try_new (double, n) : NULL;
  ok = values != NULL
       && es_claim_hdf5_is_written (input->path, input->name, path, &missing, &all, NULL) && missing == 0;
  file = ok ? H5Fopen (input->path, H5F_ACC_RDONLY, H5P_DEFAULT) : -1;
  dataset = file >= 0 ? H5Dopen2 (file, path, H5P_DEFAULT) : -1;
  ok = dataset >= 0 && es_hdf_read_whole (dataset, H5T_NATIVE_DOUBLE, (int) n_axes, lengths, values);
  if (dataset >= 0)
    H5Dclose (dataset);
  if (file >= 0)
    H5Fclose (file);
  if (ok)
    return g_steal_pointer (&values);
  es_reader_note (input, _("The list “%s” is damaged or was never written, and was ignored."), variable);
  return NULL;
}

double *
es_mdim_hdf_read_vector (EsReaderInput *input, const char *variable, gsize n)
{
  const guint64 length = n;

  return read_numbers (input, variable, 1, &length);
}

double *
es_mdim_hdf_read_plane (EsReaderInput *input, const char *variable, guint64 rows, guint64 columns)
{
  const guint64 lengths[] = { rows, columns };

  return read_numbers (input, variable, 2, lengths);
}
