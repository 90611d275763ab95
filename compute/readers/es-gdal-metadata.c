/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-gdal-metadata-private.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#include "cube/es-wavelength-internal.h"
#include "libraries/es-gdal-internal.h"
#include "libraries/es-gdal-library-internal.h"

/* Where drivers put one number a band. A unit in the key's own name goes before any other. */
typedef struct
{
  const char *domain, *key, *unit;
} Place;

static const Place wavelength_places[] = {
  { "", "wavelength", NULL },
  { "IMAGERY", "CENTRAL_WAVELENGTH_UM", "um" },
  { "", "CENTRAL_WAVELENGTH_UM", "um" },
  { "", "wavelength_nm", "nm" },
  { "", "central_wavelength", NULL },
  { "", "center_wavelength", NULL },
  { "", "WAVELENGTHS", NULL },
  { "ENVI", "wavelength", NULL },
};

static const Place width_places[] = {
  { "", "fwhm", NULL }, { "IMAGERY", "FWHM_UM", "um" }, { "", "FWHM_UM", "um" }, { "", "bandwidth", NULL },
};

static const Place flag_places[] = {
  { "", "bbl", NULL }, { "", "good_band", NULL },
};

/* The lists of a whole data set, as text: "{ 418.2, 423.9, ... }". */
static const Place wavelength_lists[] = {
  { "", "wavelength", NULL }, { "", "wavelengths", NULL }, { "ENVI", "wavelength", NULL },
};
static const Place width_lists[] = { { "", "fwhm", NULL }, { "ENVI", "fwhm", NULL } };
static const Place flag_lists[] = { { "", "bbl", NULL }, { "ENVI", "bbl", NULL } };

static double *
from_bands (GDALDatasetH handle, const int *list, guint bands, const Place *places, guint n_places, const Place **place)
{
  g_autofree double *values = g_new (double, bands);

  for (guint p = 0; p < n_places; p++)
    {
      guint b;

      for (b = 0; b < bands; b++)
        {
          const char *text = GDALGetMetadataItem (GDALGetRasterBand (handle, list[b]), places[p].key,
                                                  places[p].domain);
          char *end;

          if (text == NULL)
            break;
          values[b] = g_ascii_strtod (text, &end);
          if (end == text)
            break;
        }
      if (b == bands)
        {
          *place = &places[p];
          return g_steal_pointer (&values);
        }
    }
  return NULL;
}

static double *
from_text (const char *text, guint *n)
{
  g_autoptr (GArray) values = g_array_new (FALSE, FALSE, sizeof (double));

  while (*text != '\0')
    {
      char *end;
      double value;

      if (g_ascii_isspace (*text) || strchr (",{}[]()", *text) != NULL)
        {
          text++;
          continue;
        }
      value = g_ascii_strtod (text, &end);
      if (end == text)
        return NULL;
      g_array_append_val (values, value);
      text = end;
    }
  *n = values->len;
  return *n > 0 ? (double *) g_array_free (g_steal_pointer (&values), FALSE) : NULL;
}

static double *
from_dataset (EsReaderInput *input, GDALDatasetH handle, guint bands, const Place *places, guint n_places)
{
  for (guint p = 0; p < n_places; p++)
    {
      const char *text = GDALGetMetadataItem (handle, places[p].key, places[p].domain);
      guint n;
      double *values = text != NULL ? from_text (text, &n) : NULL;

      values = values != NULL ? es_reader_take_list (input, values, n, bands, places[p].key) : NULL;
      if (values != NULL)
        return values;
    }
  return NULL;
}

static double *
from_names (char **names, guint bands)
{
  g_autofree double *values = g_new (double, bands);

  for (guint b = 0; b < bands; b++)
    if (!es_wavelength_from_name (names[b], &values[b]))
      return NULL;
  return g_steal_pointer (&values);
}

static const char *
unit_of (GDALDatasetH handle, const int *list)
{
  static const char * const keys[] = { "wavelength_units", "wavelength_unit", "wavelength units" };

  for (guint i = 0; i < G_N_ELEMENTS (keys); i++)
    {
      const char *unit = GDALGetMetadataItem (GDALGetRasterBand (handle, list[0]), keys[i], "");

      if (unit == NULL)
        unit = GDALGetMetadataItem (handle, keys[i], "");
      if (unit == NULL)
        unit = GDALGetMetadataItem (handle, keys[i], "ENVI");
      if (unit != NULL)
        return unit;
    }
  return NULL;
}

static void
read_wavelengths (EsReaderInput *input, GDALDatasetH handle, const int *list, EsCubeInfo *info)
{
  const Place *place = NULL, *width_place = NULL;
  const char *unit;

  info->wavelengths = from_bands (handle, list, info->bands, wavelength_places, G_N_ELEMENTS (wavelength_places),
                                  &place);
  if (info->wavelengths == NULL)
    info->wavelengths = from_dataset (input, handle, info->bands, wavelength_lists,
                                      G_N_ELEMENTS (wavelength_lists));
  unit = place != NULL && place->unit != NULL ? place->unit : unit_of (handle, list);
  if (info->wavelengths == NULL && info->band_names != NULL)
    {
      info->wavelengths = from_names (info->band_names, info->bands);
      unit = "nm";
    }
  if (info->wavelengths == NULL)
    return;
  info->wavelength_unit = g_strdup (unit);

  info->fwhm = from_bands (handle, list, info->bands, width_places, G_N_ELEMENTS (width_places), &width_place);
  if (info->fwhm == NULL)
    info->fwhm = from_dataset (input, handle, info->bands, width_lists, G_N_ELEMENTS (width_lists));
  /* A width in micrometres beside wavelengths in something else cannot be told apart later. */
  if (width_place != NULL && width_place->unit != NULL && g_strcmp0 (width_place->unit, unit) != 0)
    g_clear_pointer (&info->fwhm, g_free);
}

static void
read_names (GDALDatasetH handle, const int *list, EsCubeInfo *info)
{
  gboolean any = FALSE;

  info->band_names = g_new0 (char *, info->bands + 1);
  for (guint b = 0; b < info->bands; b++)
    {
      const char *description = GDALGetDescription (GDALGetRasterBand (handle, list[b]));
      g_autofree char *key = g_strdup_printf ("Band_%d", list[b]);

      /* GDAL's ENVI and other drivers name bands in the data set's metadata. */
      if (description == NULL || *description == '\0')
        description = GDALGetMetadataItem (handle, key, "");
      info->band_names[b] = g_utf8_make_valid (description != NULL ? description : "", -1);
      any |= *info->band_names[b] != '\0';
    }
  if (!any)
    g_clear_pointer (&info->band_names, g_strfreev);
}

static double
no_data_of (GDALRasterBandH band, int *has)
{
  switch (GDALGetRasterDataType (band))
    {
    case GDT_Int64:  return (double) GDALGetRasterNoDataValueAsInt64 (band, has);
    case GDT_UInt64: return (double) GDALGetRasterNoDataValueAsUInt64 (band, has);
    default:         return GDALGetRasterNoDataValue (band, has);
    }
}

static void
read_values (GDALDatasetH handle, const int *list, EsCubeInfo *info)
{
  const char *unit = GDALGetRasterUnitType (GDALGetRasterBand (handle, list[0]));
  gboolean scaled = FALSE, shifted = FALSE, missing = FALSE;

  info->no_data = g_new (double, info->bands);
  info->scale = g_new (double, info->bands);
  info->offset = g_new (double, info->bands);
  for (guint b = 0; b < info->bands; b++)
    {
      GDALRasterBandH band = GDALGetRasterBand (handle, list[b]);
      int has = FALSE;

      info->no_data[b] = no_data_of (band, &has);
      if (!has)
        info->no_data[b] = NAN;
      missing |= has;
      info->scale[b] = GDALGetRasterScale (band, NULL);
      info->offset[b] = GDALGetRasterOffset (band, NULL);
      scaled |= info->scale[b] != 1.0;
      shifted |= info->offset[b] != 0.0;
    }
  if (!missing)
    g_clear_pointer (&info->no_data, g_free);
  if (!scaled)
    g_clear_pointer (&info->scale, g_free);
  if (!shifted)
    g_clear_pointer (&info->offset, g_free);
  if (unit != NULL && *unit != '\0')
    info->unit = g_utf8_make_valid (unit, -1);
}

static void
read_georeference (GDALDatasetH handle, EsCubeInfo *info)
{
  const char *projection = GDALGetProjectionRef (handle);
  double transform[6];

  if (GDALGetGeoTransform (handle, transform) != CE_None)
    return;
  info->geotransform = g_memdup2 (transform, sizeof transform);
  if (projection != NULL && *projection != '\0')
    info->projection = g_utf8_make_valid (projection, -1);
}

static void
read_defaults (GDALDatasetH handle, EsCubeInfo *info)
{
  static const char * const keys[] = { "default bands", "default_bands" };

  for (guint i = 0; i < G_N_ELEMENTS (keys); i++)
    {
      const char *text = GDALGetMetadataItem (handle, keys[i], "ENVI");
      guint n = 0;
      g_autofree double *values = text != NULL ? from_text (text, &n) : NULL;

      for (guint k = 0; k < 3 && n == 3; k++)
        if (values[k] >= 1 && values[k] <= info->bands)
          info->default_bands[k] = (int) values[k] - 1;
    }
}

/* Bands that are labelled as red, green and blue, one each: a picture. */
static void
read_colours (GDALDatasetH handle, const int *list, EsCubeInfo *info)
{
  int found[3] = { -1, -1, -1 };

  for (guint b = 0; b < info->bands; b++)
    {
      const GDALColorInterp colour = GDALGetRasterColorInterpretation (GDALGetRasterBand (handle, list[b]));
      const int k = colour == GCI_RedBand ? 0 : colour == GCI_GreenBand ? 1 : colour == GCI_BlueBand ? 2 : -1;

      if (k >= 0 && found[k] >= 0)
        return;
      if (k >= 0)
        found[k] = (int) b;
    }
  if (found[0] >= 0 && found[1] >= 0 && found[2] >= 0)
    memcpy (info->default_bands, found, sizeof found);
}

void
es_gdal_read_metadata (EsReaderInput *input, GDALDatasetH handle, const int *list, EsCubeInfo *info)
{
  const Place *place;
  double *flags;
  guint n = info->bands;

  es_gdal_begin ();
  read_names (handle, list, info);
  read_wavelengths (input, handle, list, info);
  flags = from_bands (handle, list, info->bands, flag_places, G_N_ELEMENTS (flag_places), &place);
  if (flags == NULL)
    flags = from_dataset (input, handle, info->bands, flag_lists, G_N_ELEMENTS (flag_lists));
  info->good_bands = es_reader_take_flags (input, flags, n, info->bands, "bbl");
  read_values (handle, list, info);
  read_georeference (handle, info);
  read_defaults (handle, info);
  if (info->wavelengths == NULL && info->default_bands[0] < 0)
    read_colours (handle, list, info);
  g_free (es_gdal_end ());
}
