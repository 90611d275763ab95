/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#include "cube/es-wavelength-internal.h"
#include "es-mdim-private.h"
#include "libraries/es-gdal-internal.h"
#include "libraries/es-gdal-library-internal.h"

#define WGS84 "EPSG:4326"

static const char * const wavelength_names[] = {
  "wavelength", "wavelengths", "center_wavelength", "center_wavelengths", "central_wavelength",
  "band_centers", "lambda", "wl", "wvl", NULL,
};
static const char * const width_names[] = {
  "fwhm", "bandwidth", "bandwidths", "full_width_half_maximum", NULL,
};
static const char * const flag_names[] = {
  "good_wavelengths", "bbl", "good_bands", "good_band", NULL,
};

static gboolean
is_named (const char *name, const char * const *names)
{
  g_autofree char *folded = g_ascii_strdown (name, -1);

  return g_strv_contains (names, folded);
}

/* The values of a vector in float64, or NULL. */
static double *
read_vector (EsReaderInput *input, GDALMDArrayH vector)
{
  guint64 start = 0;
  size_t count = (size_t) GDALMDArrayGetTotalElementsCount (vector);
  GDALExtendedDataTypeH source = GDALMDArrayGetDataType (vector), type;
  const gboolean is_numeric = GDALExtendedDataTypeGetClass (source) == GEDTC_NUMERIC;
  g_autofree double *values = NULL;
  gboolean ok;

  GDALExtendedDataTypeRelease (source);
  if (!is_numeric || count == 0)
    return NULL;
  /* What is missing of packed numbers GDAL takes from memory that nobody has filled. */
  if (es_reader_is_hdf5 (input))
    return es_mdim_hdf_read_vector (input, GDALMDArrayGetFullName (vector), count);
  values = g_try_new0 (double, count);
  type = GDALExtendedDataTypeCreate (GDT_Float64);
  ok = values != NULL && GDALMDArrayRead (vector, (const GUInt64 *) &start, &count, NULL, NULL, type, values, values,
                                          count * sizeof *values);
  GDALExtendedDataTypeRelease (type);
  return ok ? g_steal_pointer (&values) : NULL;
}

static GDALMDArrayH
find_vector (GPtrArray *vectors, const char * const *names, guint bands)
{
  for (guint i = 0; i < vectors->len; i++)
    {
      GDALMDArrayH vector = g_ptr_array_index (vectors, i);

      if (GDALMDArrayGetTotalElementsCount (vector) == bands && is_named (GDALMDArrayGetName (vector), names))
        return vector;
    }
  return NULL;
}

/* A list that is an attribute of the array or of the root. */
static double *
read_attribute (GDALAttributeH attribute, guint bands)
{
  size_t n = 0;
  double *values = GDALAttributeReadAsDoubleArray (attribute, &n);
  double *copy = values != NULL && n == bands ? g_memdup2 (values, n * sizeof *values) : NULL;

  CPLFree (values);
  return copy;
}

static double *
find_attribute (GDALGroupH root, GDALMDArrayH array, const char * const *names, guint bands)
{
  for (guint i = 0; i < 2; i++)
    {
      size_t n = 0;
      GDALAttributeH *attributes = i == 0 ? GDALMDArrayGetAttributes (array, &n, NULL)
                                          : GDALGroupGetAttributes (root, &n, NULL);
      double *found = NULL;

      for (size_t k = 0; k < n && found == NULL; k++)
        if (is_named (GDALAttributeGetName (attributes[k]), names))
          found = read_attribute (attributes[k], bands);
      GDALReleaseAttributes (attributes, n);
      if (found != NULL)
        return found;
    }
  return NULL;
}

/* "units" of a wavelength, wherever the driver left it. Transfer full, nullable. */
static char *
unit_of (GDALMDArrayH vector)
{
  const char *unit = GDALMDArrayGetUnit (vector);
  GDALAttributeH attribute;
  char *copy = NULL;

  if (unit != NULL && *unit != '\0')
    return g_utf8_make_valid (unit, -1);
  attribute = GDALMDArrayGetAttribute (vector, "units");
  if (attribute == NULL)
    attribute = GDALMDArrayGetAttribute (vector, "unit");
  if (attribute != NULL)
    {
      unit = GDALAttributeReadAsString (attribute);
      copy = unit != NULL && *unit != '\0' ? g_utf8_make_valid (unit, -1) : NULL;
      GDALAttributeRelease (attribute);
    }
  return copy;
}

static void
read_wavelengths (EsReaderInput *input, GDALGroupH root, GDALMDArrayH array, GPtrArray *vectors, GDALDimensionH axis,
                  EsCubeInfo *info)
{
  GDALMDArrayH vector = find_vector (vectors, wavelength_names, info->bands);
  GDALMDArrayH own = NULL;

  if (vector == NULL)
    {
      g_autofree char *unit = NULL;

      /* The axis's own coordinates, when they are lengths. */
      own = GDALDimensionGetIndexingVariable (axis);
      unit = own != NULL ? unit_of (own) : NULL;
      if (unit != NULL && es_wavelength_unit_is_known (unit) &&
          GDALMDArrayGetTotalElementsCount (own) == info->bands)
        vector = own;
    }
  if (vector != NULL)
    {
      info->wavelengths = read_vector (input, vector);
      info->wavelength_unit = unit_of (vector);
    }
  else
    info->wavelengths = find_attribute (root, array, wavelength_names, info->bands);
  if (own != NULL)
    GDALMDArrayRelease (own);
  if (info->wavelengths == NULL)
    return;

  vector = find_vector (vectors, width_names, info->bands);
  info->fwhm = vector != NULL ? read_vector (input, vector) : find_attribute (root, array, width_names, info->bands);
}

static void
read_flags (EsReaderInput *input, GDALGroupH root, GDALMDArrayH array, GPtrArray *vectors, EsCubeInfo *info)
{
  GDALMDArrayH vector = find_vector (vectors, flag_names, info->bands);
  double *flags = vector != NULL ? read_vector (input, vector)
                                 : find_attribute (root, array, flag_names, info->bands);

  info->good_bands = es_reader_take_flags (input, flags, info->bands, info->bands, "good_wavelengths");
}

static void
read_values (GDALMDArrayH array, EsCubeInfo *info)
{
  int has = FALSE;
  double value = GDALMDArrayGetNoDataValueAsDouble (array, &has);

  if (has && !isnan (value))
    info->no_data = es_reader_repeat (es_mdim_turn (array, info->type, value), info->bands);
  value = GDALMDArrayGetScale (array, &has);
  if (has && value != 1.0)
    info->scale = es_reader_repeat (value, info->bands);
  value = GDALMDArrayGetOffset (array, &has);
  if (has && value != 0.0)
    info->offset = es_reader_repeat (value, info->bands);
  info->unit = unit_of (array);
  if (info->unit != NULL && (g_ascii_strcasecmp (info->unit, "unitless") == 0 ||
                             strcmp (info->unit, "1") == 0))
    g_clear_pointer (&info->unit, g_free);
}

/* First value and step of evenly spaced coordinates. */
static gboolean
read_spacing (EsReaderInput *input, GDALDimensionH dimension, guint64 length, double *first, double *step)
{
  GDALMDArrayH variable = GDALDimensionGetIndexingVariable (dimension);
  g_autofree double *values = NULL;

  if (variable == NULL)
    return FALSE;
  if (GDALMDArrayGetDimensionCount (variable) == 1 && GDALMDArrayGetTotalElementsCount (variable) == length &&
      length > 1 && length <= 10000000)
    values = read_vector (input, variable);
  GDALMDArrayRelease (variable);
  if (values == NULL)
    return FALSE;

  *first = values[0];
  *step = (values[length - 1] - values[0]) / (double) (length - 1);
  if (!isfinite (*step) || *step == 0.0)
    return FALSE;
  for (guint64 i = 0; i < length; i++)
    if (!(fabs (values[i] - (*first + *step * (double) i)) < fabs (*step) * 0.05))
      return FALSE;
  return TRUE;
}

static char *
wkt_of (OGRSpatialReferenceH system)
{
  char *wkt = NULL, *copy;

  OSRExportToWkt (system, &wkt);
  copy = g_strdup (wkt);
  CPLFree (wkt);
  return copy != NULL && *copy != '\0' ? copy : (g_free (copy), NULL);
}

static char *
projection_of (GDALGroupH root, GDALMDArrayH array, gboolean degrees)
{
  OGRSpatialReferenceH system = GDALMDArrayGetSpatialRef (array);
  GDALAttributeH attribute;
  char *projection = NULL;

  if (system != NULL)
    {
      projection = wkt_of (system);
      OSRRelease (system);
    }
  if (projection == NULL && (attribute = GDALGroupGetAttribute (root, "spatial_ref")) != NULL)
    {
      projection = g_strdup (GDALAttributeReadAsString (attribute));
      GDALAttributeRelease (attribute);
    }
  if (projection == NULL && degrees)
    {
      system = OSRNewSpatialReference (NULL);
      if (es_gdal_read_system (system, WGS84))
        projection = wkt_of (system);
      OSRRelease (system);
    }
  return projection;
}

/* Longitude and latitude by name; projected coordinates else. */
static gboolean
is_degrees (GDALDimensionH dimension)
{
  const char *name = GDALDimensionGetName (dimension);

  return g_ascii_strncasecmp (name, "lon", 3) == 0 || g_ascii_strncasecmp (name, "lat", 3) == 0;
}

static gboolean
is_sensor_axis (GDALDimensionH dimension)
{
  static const char * const names[] = {
    "downtrack", "crosstrack", "along_track", "across_track", "cross_track", "alongtrack", "scan", "scans",
    NULL,
  };

  return is_named (GDALDimensionGetName (dimension), names);
}

static void
read_georeference (EsReaderInput *input, GDALGroupH root, GDALMDArrayH array, GDALDimensionH column,
                   GDALDimensionH row, const EsMdimPlaces *places, EsCubeInfo *info, gboolean *flip)
{
  double x, dx, y, dy;
  GDALAttributeH attribute = GDALGroupGetAttribute (root, "geotransform");
  size_t n = 0;
  double *values = attribute != NULL ? GDALAttributeReadAsDoubleArray (attribute, &n) : NULL;

  /* What numbers the sensor's lines and samples are counts, whatever they look like. */
  if (!is_sensor_axis (column) && !is_sensor_axis (row) && read_spacing (input, column, info->width, &x, &dx)
      && read_spacing (input, row, info->height, &y, &dy))
    {
      double transform[6] = { x - dx / 2, dx, 0, y - dy / 2, 0, dy };

      *flip = dy > 0;
      if (*flip)
        {
          transform[3] += dy * (double) info->height;
          transform[5] = -dy;
        }
      info->geotransform = g_memdup2 (transform, sizeof transform);
    }
  else
    es_mdim_read_places (input, root, places, info);
  if (info->geotransform != NULL || info->places != NULL)
    ;
  else if (values != NULL && n == 6 && values[1] != 0.0 && (is_sensor_axis (column) || is_sensor_axis (row)))
    es_reader_note (input, _("The samples lie as the sensor saw them; the file's map transform belongs to "
                             "another grid and is not used."));
  else if (values != NULL && n == 6 && values[1] != 0.0)
    info->geotransform = g_memdup2 (values, 6 * sizeof *values);
  CPLFree (values);
  if (attribute != NULL)
    GDALAttributeRelease (attribute);
  if (info->geotransform != NULL)
    info->projection = projection_of (root, array, is_degrees (column) && is_degrees (row));
}

void
es_mdim_read_metadata (EsReaderInput *input, GDALGroupH root, GDALMDArrayH array, GPtrArray *vectors,
                       const EsMdimShape *shape, const EsMdimPlaces *places, EsCubeInfo *info, gboolean *flip)
{
  size_t n;
  GDALDimensionH *dimensions = GDALMDArrayGetDimensions (array, &n);

  *flip = FALSE;
  read_wavelengths (input, root, array, vectors, dimensions[shape->axis[ES_AXIS_BAND]], info);
  read_flags (input, root, array, vectors, info);
  read_values (array, info);
  read_georeference (input, root, array, dimensions[shape->axis[ES_AXIS_COLUMN]],
                     dimensions[shape->axis[ES_AXIS_ROW]], places, info, flip);
  GDALReleaseDimensions (dimensions, n);
}
