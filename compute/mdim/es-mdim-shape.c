/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <string.h>

#include "cube/es-wavelength-internal.h"
#include "es-mdim-private.h"
#include "libraries/es-gdal-internal.h"
#include "libraries/es-gdal-library-internal.h"

#define DEEPEST 8
#define MOST_VECTORS 512
/* Groups and arrays that are looked at. */
#define MOST_LOOKED  20000u

static const char * const spectral_names[] = {
  "band", "bands", "wavelength", "wavelengths", "lambda", "spectral", "channel", "channels", "frequency",
  "wavenumber",
  "nbands", "n_bands", "number_of_bands", "num_bands", "spectral_bands", "spectral_band", "wl", "wvl", NULL,
};

static const char * const row_names[] = {
  "y", "lat", "latitude", "northing", "row", "rows", "line", "lines", "downtrack", "along_track",
  "alongtrack", "ortho_y", "ydim", "height", "number_of_lines", "scan", "scans", "nrows", "ny", NULL,
};

static const char * const column_names[] = {
  "x", "lon", "longitude", "easting", "col", "cols", "column", "columns", "sample", "samples", "crosstrack",
  "across_track", "cross_track", "ortho_x", "xdim", "width", "pixel", "pixels", "pixels_per_line", "ncols",
  "nx", NULL,
};

static gboolean
is_listed (const char *name, const char * const *names)
{
  g_autofree char *folded = g_ascii_strdown (name, -1);

  return g_strv_contains (names, folded);
}

gboolean
es_mdim_goes_on (EsReaderInput *input, guint *looked)
{
  return ++*looked <= MOST_LOOKED && !g_cancellable_is_cancelled (input->cancellable);
}

static void
collect_vectors (EsReaderInput *input, GDALGroupH group, guint depth, GPtrArray *vectors, guint *looked)
{
  char **names = GDALGroupGetMDArrayNames (group, NULL);

  for (char **name = names; name != NULL && *name != NULL && vectors->len < MOST_VECTORS &&
                            es_mdim_goes_on (input, looked); name++)
    {
      GDALMDArrayH array = GDALGroupOpenMDArray (group, *name, NULL);

      if (array != NULL && GDALMDArrayGetDimensionCount (array) == 1 &&
          GDALMDArrayGetTotalElementsCount (array) <= 65535)
        g_ptr_array_add (vectors, array);
      else if (array != NULL)
        GDALMDArrayRelease (array);
    }
  CSLDestroy (names);

  names = depth < DEEPEST ? GDALGroupGetGroupNames (group, NULL) : NULL;
  for (char **name = names; name != NULL && *name != NULL && es_mdim_goes_on (input, looked); name++)
    {
      GDALGroupH child = GDALGroupOpenGroup (group, *name, NULL);

      if (child != NULL)
        {
          collect_vectors (input, child, depth + 1, vectors, looked);
          GDALGroupRelease (child);
        }
    }
  CSLDestroy (names);
}

GPtrArray *
es_mdim_list_vectors (EsReaderInput *input, GDALGroupH root)
{
  guint looked = 0;
  GPtrArray *vectors = g_ptr_array_new_with_free_func ((GDestroyNotify) GDALMDArrayRelease);

  collect_vectors (input, root, 0, vectors, &looked);
  return vectors;
}

static gboolean
has_wavelength_unit (GDALDimensionH dimension)
{
  GDALMDArrayH variable = GDALDimensionGetIndexingVariable (dimension);
  const char *unit = variable != NULL ? GDALMDArrayGetUnit (variable) : NULL;
  /* An axis in plain metres is a place, not a wavelength. */
  gboolean spectral = unit != NULL && strcmp (unit, "m") != 0 && g_ascii_strncasecmp (unit, "met", 3) != 0 &&
                      es_wavelength_unit_is_known (unit);

  if (variable != NULL)
    GDALMDArrayRelease (variable);
  return spectral;
}

/* Does some list of wavelengths have exactly this many entries? */
static gboolean
matches_wavelengths (guint64 length, GPtrArray *vectors)
{
  for (guint i = 0; i < vectors->len; i++)
    {
      GDALMDArrayH vector = g_ptr_array_index (vectors, i);
      g_autofree char *name = g_ascii_strdown (GDALMDArrayGetName (vector), -1);

      if (strstr (name, "wavelength") != NULL && GDALMDArrayGetTotalElementsCount (vector) == length)
        return TRUE;
    }
  return FALSE;
}

typedef struct
{
  size_t   index;
  guint64  length;
  gboolean spectral, row, column, unit, listed;
} Axis;

/* The only axis of three for which the flag at this offset is set, or -1. */
static int
only_one (const Axis *axes, gsize offset, gboolean wanted)
{
  int found = -1;

  for (int i = 0; i < 3; i++)
    if (!G_STRUCT_MEMBER (gboolean, &axes[i], offset) == !wanted)
      {
        if (found >= 0)
          return -1;
        found = i;
      }
  return found;
}

static int
find_spectral (const Axis *axes, gboolean *guessed)
{
  int found = only_one (axes, G_STRUCT_OFFSET (Axis, spectral), TRUE);
  int places = 0, neither = -1;

  *guessed = FALSE;
  if (found < 0)
    found = only_one (axes, G_STRUCT_OFFSET (Axis, unit), TRUE);
  for (int i = 0; i < 3; i++)
    if (axes[i].row || axes[i].column)
      places++;
    else
      neither = i;
  if (found < 0 && places == 2)
    found = neither;
  if (found < 0)
    found = only_one (axes, G_STRUCT_OFFSET (Axis, listed), TRUE);
  if (found >= 0)
    return found;

  /* Images have more rows and columns than bands, as a rule. */
  *guessed = TRUE;
  found = 2;
  for (int i = 1; i >= 0; i--)
    if (axes[i].length < axes[found].length)
      found = i;
  return found;
}

gboolean
es_mdim_find_shape (GDALMDArrayH array, GPtrArray *vectors, EsMdimShape *shape)
{
  GDALExtendedDataTypeH type = GDALMDArrayGetDataType (array);
  GDALDimensionH *dimensions;
  size_t n_axes, n = 0, singles = 0;
  Axis axes[3] = { 0 };
  EskType code;
  int band, first, second;
  gboolean numeric = GDALExtendedDataTypeGetClass (type) == GEDTC_NUMERIC &&
                     es_gdal_type (GDALExtendedDataTypeGetNumericDataType (type), &code);

  GDALExtendedDataTypeRelease (type);
  if (!numeric)
    return FALSE;

  dimensions = GDALMDArrayGetDimensions (array, &n_axes);
  for (size_t i = 0; i < n_axes; i++)
    singles += GDALDimensionGetSize (dimensions[i]) == 1;
  for (size_t i = 0; i < n_axes && n_axes >= 3 && n_axes <= 16; i++)
    {
      const char *name = GDALDimensionGetName (dimensions[i]);
      guint64 length = GDALDimensionGetSize (dimensions[i]);

      /* Of four and more axes those of length 1 (time, as a rule) drop out, the first ones first. */
      if (length == 1 && n_axes - singles <= 3 && n + (n_axes - i) > 3)
        continue;
      if (n < 3)
        axes[n] = (Axis) {
          .index = i, .length = length,
          .spectral = is_listed (name, spectral_names),
          .row = is_listed (name, row_names), .column = is_listed (name, column_names),
          .unit = has_wavelength_unit (dimensions[i]), .listed = matches_wavelengths (length, vectors),
        };
      n++;
    }
  GDALReleaseDimensions (dimensions, n_axes);
  if (n != 3 || axes[0].length == 0 || axes[1].length == 0 || axes[2].length == 0)
    return FALSE;

  band = find_spectral (axes, &shape->guessed);
  first = band == 0 ? 1 : 0;
  second = band == 2 ? 1 : 2;
  if (axes[first].column || axes[second].row)
    {
      int swapped = first;

      first = second;
      second = swapped;
    }
  shape->n_axes = n_axes;
  shape->axis[ES_AXIS_ROW] = axes[first].index;
  shape->axis[ES_AXIS_COLUMN] = axes[second].index;
  shape->axis[ES_AXIS_BAND] = axes[band].index;
  shape->length[ES_AXIS_ROW] = axes[first].length;
  shape->length[ES_AXIS_COLUMN] = axes[second].length;
  shape->length[ES_AXIS_BAND] = axes[band].length;
  shape->wavelengths = axes[band].listed || axes[band].unit;
  return TRUE;
}
