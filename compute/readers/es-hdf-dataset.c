/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-hdf-private.h"

#include <math.h>

const char * const es_hdf_rate_names[] = {
  "sample_freq", "sampleRateHz", "sample_rate", "sampling_rate", "sampling_frequency", "samplerate", "SampleRate",
  "sampleRate", "fs", "Fs", "FS", "rate_hz", "rate", NULL,
};

/* As what the numbers are read, and what full scale is: integers by the bits they really use. */
static gboolean
type_of (hid_t type, EsHdfShape *shape)
{
  const size_t size = H5Tget_size (type), precision = H5Tget_precision (type);

  switch (H5Tget_class (type))
    {
    case H5T_INTEGER:
      if (H5Tget_sign (type) != H5T_SGN_2 || size > 4 || precision < 2 || precision > 32)
        return FALSE;
      shape->type = size <= 2 ? ESK_I16 : ESK_I32;
      shape->scale = ldexp (1, 1 - (int) precision);
      g_snprintf (shape->type_name, sizeof shape->type_name, "int%u", (guint) precision);
      return TRUE;
    case H5T_FLOAT:
      if (size > 8)
        return FALSE;
      shape->type = size <= 4 ? ESK_F32 : ESK_F64;
      shape->scale = 1;
      g_snprintf (shape->type_name, sizeof shape->type_name, "float%u", (guint) size * 8);
      return TRUE;
    default:
      return FALSE;
    }
}

gboolean
es_hdf_find_shape (hid_t dataset, const gboolean *channels_first, EsHdfShape *shape)
{
  hid_t space = H5Dget_space (dataset), type = H5Dget_type (dataset);
  hsize_t lengths[2] = { 0 };
  gboolean ok = space >= 0 && type >= 0 && H5Sget_simple_extent_ndims (space) == 2 &&
                H5Sget_simple_extent_dims (space, lengths, NULL) == 2 && type_of (type, shape);

  if (ok)
    {
      shape->by_channel = channels_first != NULL ? *channels_first : lengths[0] < lengths[1];
      shape->channels = lengths[shape->by_channel ? 0 : 1];
      shape->frames = lengths[shape->by_channel ? 1 : 0];
    }
  if (type >= 0)
    H5Tclose (type);
  if (space >= 0)
    H5Sclose (space);
  return ok;
}

static gboolean
is_number (hid_t type, hid_t space)
{
  H5T_class_t class = type >= 0 ? H5Tget_class (type) : H5T_NO_CLASS;

  return space >= 0 && (class == H5T_INTEGER || class == H5T_FLOAT) && H5Sget_simple_extent_npoints (space) == 1;
}

gboolean
es_hdf_read_number (hid_t object, const char * const *names, double *value)
{
  gboolean found = FALSE;

  for (; *names != NULL && !found; names++)
    {
      hid_t attribute, type, space;

      if (H5Aexists (object, *names) <= 0 || (attribute = H5Aopen (object, *names, H5P_DEFAULT)) < 0)
        continue;
      type = H5Aget_type (attribute);
      space = H5Aget_space (attribute);
      found = is_number (type, space) && H5Aread (attribute, H5T_NATIVE_DOUBLE, value) >= 0;
      if (space >= 0)
        H5Sclose (space);
      if (type >= 0)
        H5Tclose (type);
      H5Aclose (attribute);
    }
  return found;
}

/* One number, of as many axes as it likes to have. */
static gboolean
read_one (hid_t dataset, hid_t space, double *value)
{
  guint64 lengths[H5S_MAX_RANK];
  const int n_axes = H5Sget_simple_extent_ndims (space);

  for (int i = 0; i < n_axes; i++)
    lengths[i] = 1;
  return es_hdf_read_whole (dataset, H5T_NATIVE_DOUBLE, n_axes, lengths, value);
}

gboolean
es_hdf_read_scalar (hid_t group, const char * const *names, double *value)
{
  gboolean found = FALSE;

  for (; *names != NULL && !found; names++)
    {
      hid_t dataset, type, space;

      if (H5Lexists (group, *names, H5P_DEFAULT) <= 0 || (dataset = H5Dopen2 (group, *names, H5P_DEFAULT)) < 0)
        continue;
      type = H5Dget_type (dataset);
      space = H5Dget_space (dataset);
      found = is_number (type, space) &&
              read_one (dataset, space, value);
      if (space >= 0)
        H5Sclose (space);
      if (type >= 0)
        H5Tclose (type);
      H5Dclose (dataset);
    }
  return found;
}
