/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* What a cube can be told. */

#include "es-metadata.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#include "base/es-error.h"

/* Bytes of a name or a unit. */
#define MOST_TEXT 1000u

static gboolean
refuse (GError **error, char *sentence)
{
  g_set_error_literal (error, ES_DATA_ERROR, ES_DATA_ERROR_FORMAT, sentence);
  g_free (sentence);
  return FALSE;
}

/* What labels can be laid out with. */
static gboolean
check_texts (const EsMetadataFacts *facts, GError **error)
{
  if (facts->unit != NULL && strlen (facts->unit) > MOST_TEXT)
    return refuse (error, g_strdup_printf (_("The unit takes %zu bytes; at most %u were expected."),
                                           strlen (facts->unit), MOST_TEXT));
  for (guint b = 0; facts->band_names != NULL && facts->band_names[b] != NULL; b++)
    if (strlen (facts->band_names[b]) > MOST_TEXT)
      return refuse (error, g_strdup_printf (_("The name of band %u takes %zu bytes; at most %u were expected."), b + 1,
                                             strlen (facts->band_names[b]), MOST_TEXT));
  return TRUE;
}

static gboolean
check_wavelengths (const EsMetadataFacts *facts, guint bands, GError **error)
{
  for (guint b = 0; facts->wavelengths != NULL && b < bands; b++)
    if (!isfinite (facts->wavelengths[b]) || facts->wavelengths[b] <= 0)
      return refuse (error, g_strdup_printf (_("The wavelength of band %u is %g; a number above 0 was expected."),
                                             b + 1, facts->wavelengths[b]));
  for (guint b = 0; facts->fwhm != NULL && b < bands; b++)
    if (!isnan (facts->fwhm[b]) && (!isfinite (facts->fwhm[b]) || facts->fwhm[b] < 0))
      return refuse (error, g_strdup_printf (_("The width of band %u is %g; a number of at least 0 was expected."),
                                             b + 1, facts->fwhm[b]));
  return TRUE;
}

/* NAN is what the file says. */
static gboolean
check_scale (const EsMetadataFacts *facts, guint bands, GError **error)
{
  for (guint b = 0; facts->scale != NULL && b < bands; b++)
    if (isinf (facts->scale[b]) || facts->scale[b] == 0)
      return refuse (error, g_strdup_printf (_("The scale of band %u is %g; a number other than 0 was expected."),
                                             b + 1, facts->scale[b]));
  for (guint b = 0; facts->offset != NULL && b < bands; b++)
    if (isinf (facts->offset[b]))
      return refuse (error, g_strdup_printf (_("The offset of band %u is %g; a finite number was expected."), b + 1,
                                             facts->offset[b]));
  return TRUE;
}

static gboolean
check_place (const double *transform, GError **error)
{
  for (guint i = 0; transform != NULL && i < 6; i++)
    if (!isfinite (transform[i]))
      return refuse (error, g_strdup (_("The geotransform holds what is no number; six were expected.")));
  if (transform != NULL && transform[1] * transform[5] - transform[2] * transform[4] == 0)
    return refuse (error, g_strdup (_("By the geotransform a pixel has no size.")));
  return TRUE;
}

gboolean
es_metadata_check (const EsMetadataFacts *facts, guint bands, GError **error)
{
  const gboolean has_lists = facts->wavelengths != NULL || facts->fwhm != NULL || facts->band_names != NULL
                             || facts->good != NULL || facts->no_data != NULL || facts->scale != NULL
                             || facts->offset != NULL;
  guint n_good = 0;

  if (has_lists && facts->bands != bands)
    return refuse (error, g_strdup_printf (_("This tells of %u bands; the cube has %u."), facts->bands, bands));
  if (facts->band_names != NULL && g_strv_length (facts->band_names) != bands)
    return refuse (error, g_strdup_printf (_("This names %u bands; the cube has %u."),
                                           g_strv_length (facts->band_names), bands));
  for (guint b = 0; facts->good != NULL && b < bands; b++)
    n_good += facts->good[b] != FALSE;
  if (facts->good != NULL && n_good == 0)
    return refuse (error, g_strdup (_("Every band is called bad; at least one has to be good.")));
  for (guint i = 0; facts->has_default_bands && i < 3; i++)
    if (facts->default_bands[i] < 0 || (guint) facts->default_bands[i] >= bands)
      return refuse (error, g_strdup_printf (_("The default band %d is none of the %u of the cube."),
                                             facts->default_bands[i] + 1, bands));
  return check_texts (facts, error) && check_wavelengths (facts, bands, error) && check_scale (facts, bands, error)
         && check_place (facts->geotransform, error);
}
