/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* What attributes of netCDF say of an array's numbers: which of them are data at all, and that they have no sign
 * (NetCDF Users' Guide, appendix A). */

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#include "es-mdim-private.h"
#include "libraries/es-gdal-library-internal.h"

gboolean
es_mdim_is_unsigned (GDALMDArrayH array)
{
  GDALAttributeH attribute = GDALMDArrayGetAttribute (array, "_Unsigned");
  const char *text = attribute != NULL ? GDALAttributeReadAsString (attribute) : NULL;
  const gboolean is = text != NULL && g_ascii_strcasecmp (text, "true") == 0;

  if (attribute != NULL)
    GDALAttributeRelease (attribute);
  return is;
}

EskType
es_mdim_without_sign (EsReaderInput *input, const char *hdf_path, EskType type)
{
  switch (es_reader_is_hdf5 (input) ? es_mdim_hdf_get_signed_size (input, hdf_path) : esk_type_size (type))
    {
    case 1:  return ESK_U8;
    case 2:  return type == ESK_I16 ? ESK_U16 : type;
    case 4:  return type == ESK_I32 ? ESK_U32 : type;
    case 8:  return type == ESK_I64 ? ESK_U64 : type;
    default: return type;
    }
}

/* What an attribute says: n numbers, of which type. FALSE: there is no such one, or it is no list of n numbers. */
static gboolean
read_limits (GDALMDArrayH array, const char *name, size_t n, double *limits, GDALDataType *type)
{
  GDALAttributeH attribute = GDALMDArrayGetAttribute (array, name);
  GDALExtendedDataTypeH extended = attribute != NULL ? GDALAttributeGetDataType (attribute) : NULL;
  const gboolean is_number = extended != NULL && GDALExtendedDataTypeGetClass (extended) == GEDTC_NUMERIC;
  size_t found = 0;
  double *values = is_number ? GDALAttributeReadAsDoubleArray (attribute, &found) : NULL;
  gboolean ok = values != NULL && found == n;

  for (size_t i = 0; i < n && ok; i++)
    {
      ok = !isnan (values[i]);
      limits[i] = values[i];
    }
  if (ok)
    *type = GDALExtendedDataTypeGetNumericDataType (extended);
  CPLFree (values);
  if (extended != NULL)
    GDALExtendedDataTypeRelease (extended);
  if (attribute != NULL)
    GDALAttributeRelease (attribute);
  return ok;
}

static gboolean
is_float (GDALDataType type)
{
  return type == GDT_Float32 || type == GDT_Float64;
}

/* A limit as samples are stored. Floats beside integers that have a scale are in the unit that this leads to; integers
 * beside those that are to have no sign have one themselves. */
static double
to_stored (GDALMDArrayH array, EskType type, double limit, GDALDataType limit_type)
{
  int has_scale = FALSE, has_offset = FALSE;
  const double scale = GDALMDArrayGetScale (array, &has_scale), offset = GDALMDArrayGetOffset (array, &has_offset);

  if (type == ESK_F32)
    return (double) (float) limit;
  if (type == ESK_F64)
    return limit;
  if (is_float (limit_type) && (has_scale || has_offset) && !(has_scale && scale == 0))
    return (limit - (has_offset ? offset : 0)) / (has_scale ? scale : 1);
  return is_float (limit_type) ? limit : es_mdim_turn (array, type, limit);
}

double
es_mdim_turn (GDALMDArrayH array, EskType type, double value)
{
  const gboolean turns = value < 0 && (type == ESK_U8 || type == ESK_U16 || type == ESK_U32 || type == ESK_U64)
                         && es_mdim_is_unsigned (array);

  return turns ? value + ldexp (1, 8 * (int) esk_type_size (type)) : value;
}

void
es_mdim_read_valid (EsReaderInput *input, GDALMDArrayH array, EskType type, EsMdimValid *valid)
{
  double limits[2] = { -INFINITY, INFINITY };
  GDALDataType types[2] = { GDT_Float64, GDT_Float64 };

  *valid = (EsMdimValid) { .low = -INFINITY, .high = INFINITY };
  if (read_limits (array, "valid_range", 2, limits, types))
    types[1] = types[0];
  else
    {
      limits[0] = -INFINITY;
      limits[1] = INFINITY;
      read_limits (array, "valid_min", 1, &limits[0], &types[0]);
      read_limits (array, "valid_max", 1, &limits[1], &types[1]);
    }
  for (guint i = 0; i < 2; i++)
    limits[i] = isfinite (limits[i]) ? to_stored (array, type, limits[i], types[i]) : limits[i];
  /* By a negative scale the lower one is the higher one. */
  if (limits[0] > limits[1] && is_float (types[0]) && is_float (types[1]) && type != ESK_F32 && type != ESK_F64)
    *valid = (EsMdimValid) { .low = limits[1], .high = limits[0] };
  else
    *valid = (EsMdimValid) { .low = limits[0], .high = limits[1] };
  if (valid->low > valid->high)
    {
      es_reader_note (input, _("The limits of valid samples, %g and %g, contradict each other and were ignored."),
                      valid->low, valid->high);
      *valid = (EsMdimValid) { .low = -INFINITY, .high = INFINITY };
    }
  else if (isfinite (valid->low) && isfinite (valid->high))
    es_reader_note (input, _("Samples that are not stored as %g to %g are missing, as the file says."), valid->low,
                    valid->high);
  else if (isfinite (valid->low))
    es_reader_note (input, _("Samples that are stored as less than %g are missing, as the file says."), valid->low);
  else if (isfinite (valid->high))
    es_reader_note (input, _("Samples that are stored as more than %g are missing, as the file says."), valid->high);
}

gboolean
es_mdim_valid_is_any (const EsMdimValid *valid)
{
  return valid->low > -INFINITY || valid->high < INFINITY;
}

void
es_mdim_mask_invalid (const EsMdimValid *valid, const EskTile *tile, guint8 *mask)
{
  for (size_t y = 0; y < tile->height; y++)
    for (size_t x = 0; x < tile->width; x++)
      {
        double value;

        /* What is no number is missing already. */
        if (esk_convert_pixel (tile, x, y, &value) == ESK_OK && (value < valid->low || value > valid->high))
          mask[y * tile->width + x] = 0;
      }
}
