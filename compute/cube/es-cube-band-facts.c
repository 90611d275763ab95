/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* What is told of each band, and which bands make a picture. */

#include "es-cube-metadata-private.h"

#include <glib/gi18n-lib.h>
#include <math.h>

/* How far from 640, 550 and 460 nm a band may lie and still stand for red, green and blue. */
#define COLOUR_REACH 80.0

const char *
es_cube_get_band_name (EsCube *self, guint band)
{
  const EsCubeInfo *info = _es_cube_peek_info (self);
  const char *name;

  g_return_val_if_fail (band < info->bands, NULL);

  name = info->band_names != NULL ? info->band_names[band] : NULL;
  return name != NULL && *name != '\0' ? name : NULL;
}

char *
es_cube_get_band_label (EsCube *self, guint band)
{
  const EsCubeInfo *info = _es_cube_peek_info (self);
  const char *name;

  g_return_val_if_fail (band < info->bands, NULL);

  if (info->wavelengths != NULL)
    return g_strdup_printf (_("%.1f nm"), info->wavelengths[band]);
  name = es_cube_get_band_name (self, band);
  return name != NULL ? g_strdup (name) : g_strdup_printf (_("band %u"), band + 1);
}

gboolean
es_cube_get_no_data (EsCube *self, guint band, double *value)
{
  const EsCubeInfo *info = _es_cube_peek_info (self);

  g_return_val_if_fail (band < info->bands, FALSE);

  if (info->no_data == NULL || isnan (info->no_data[band]))
    return FALSE;
  if (value != NULL)
    *value = info->no_data[band];
  return TRUE;
}

double
es_cube_get_scale (EsCube *self, guint band)
{
  const EsCubeInfo *info = _es_cube_peek_info (self);

  g_return_val_if_fail (band < info->bands, 1.0);

  return info->scale != NULL ? info->scale[band] : 1.0;
}

double
es_cube_get_offset (EsCube *self, guint band)
{
  const EsCubeInfo *info = _es_cube_peek_info (self);

  g_return_val_if_fail (band < info->bands, 0.0);

  return info->offset != NULL ? info->offset[band] : 0.0;
}

const char *
es_cube_get_unit (EsCube *self)
{
  const EsCubeInfo *info = _es_cube_peek_info (self);

  return info->unit != NULL && *info->unit != '\0' ? info->unit : NULL;
}

gboolean
es_cube_is_scaled (EsCube *self, guint band)
{
  return es_cube_get_scale (self, band) != 1 || es_cube_get_offset (self, band) != 0;
}

const char *
es_cube_name_unit (EsCube *self)
{
  const EsCubeInfo *info = _es_cube_peek_info (self);
  const char *unit = es_cube_get_unit (self);

  for (guint band = 0; unit == NULL && band < info->bands; band++)
    if (es_cube_is_scaled (self, band))
      unit = _("scaled");
  return unit != NULL ? unit : _("stored");
}

int
es_cube_find_wavelength (EsCube *self, double nanometres)
{
  const double *wavelengths = es_cube_get_wavelengths (self);
  const gboolean *good = es_cube_get_good_bands (self);
  int best = -1;

  if (wavelengths == NULL)
    return -1;
  for (guint b = 0; b < es_cube_get_bands (self); b++)
    if (good[b] &&
        (best < 0 || fabs (wavelengths[b] - nanometres) < fabs (wavelengths[best] - nanometres)))
      best = (int) b;
  return best;
}

gboolean
es_cube_pick_near (EsCube *self, const double nanometres[3], guint bands[3])
{
  for (guint i = 0; i < 3; i++)
    {
      int band = es_cube_find_wavelength (self, nanometres[i]);

      if (band < 0 || fabs (es_cube_get_wavelengths (self)[band] - nanometres[i]) > COLOUR_REACH)
        return FALSE;
      bands[i] = (guint) band;
    }
  return bands[0] != bands[1] && bands[1] != bands[2] && bands[0] != bands[2];
}

const char *
es_cube_pick_rgb (EsCube *self, guint bands[3])
{
  static const double colours[3] = { 640.0, 550.0, 460.0 };
  const int *given = _es_cube_peek_info (self)->default_bands;
  const gboolean *good = es_cube_get_good_bands (self);
  const guint n_bands = es_cube_get_bands (self);
  g_autofree guint *usable = NULL;
  guint n = 0;

  if (given[0] >= 0 && given[1] >= 0 && given[2] >= 0 && (guint) given[0] < n_bands &&
      (guint) given[1] < n_bands && (guint) given[2] < n_bands)
    {
      for (guint i = 0; i < 3; i++)
        bands[i] = (guint) given[i];
      return "header";
    }
  if (es_cube_pick_near (self, colours, bands))
    return "wavelength";

  usable = g_new (guint, n_bands);
  for (guint b = 0; b < n_bands; b++)
    if (good[b] || es_cube_get_n_good_bands (self) == 0)
      usable[n++] = b;
  /* Long wavelengths stand last as a rule: they are shown red. */
  bands[0] = usable[n * 5 / 6];
  bands[1] = usable[n / 2];
  bands[2] = usable[n / 6];
  return "spread";
}
