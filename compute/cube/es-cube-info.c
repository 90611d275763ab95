/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-cube-info-private.h"

#include <float.h>
#include <glib/gi18n-lib.h>
#include <math.h>

#include "base/es-error.h"

void
es_cube_info_clear (EsCubeInfo *info)
{
  g_clear_pointer (&info->format_name, g_free);
  g_clear_pointer (&info->wavelengths, g_free);
  g_clear_pointer (&info->wavelength_unit, g_free);
  g_clear_pointer (&info->fwhm, g_free);
  g_clear_pointer (&info->good_bands, g_free);
  g_clear_pointer (&info->no_data, g_free);
  g_clear_pointer (&info->scale, g_free);
  g_clear_pointer (&info->offset, g_free);
  g_clear_pointer (&info->band_names, g_strfreev);
  g_clear_pointer (&info->unit, g_free);
  g_clear_pointer (&info->geotransform, g_free);
  g_clear_pointer (&info->projection, g_free);
  g_clear_pointer (&info->classes, es_class_table_unref);
  g_clear_pointer (&info->places, es_places_unref);
  if (info->source != NULL)
    info->source->free (info->source);
  info->source = NULL;
}

gboolean
es_cube_info_check_size (const EsCubeInfo *info, GFile *file, GError **error)
{
  guint64 bytes;

  if (info->width == 0 || info->height == 0 || info->bands == 0 || info->bands > 65535 ||
      esk_type_size (info->type) == 0 ||
      __builtin_mul_overflow (info->width, info->height, &bytes) ||
      __builtin_mul_overflow (bytes, (guint64) info->bands, &bytes) ||
      __builtin_mul_overflow (bytes, (guint64) MAX (esk_type_size (info->type), sizeof (float)), &bytes) ||
      bytes > G_MAXINT64)
    {
      g_autofree char *name = file != NULL ? es_error_file_name (file) : g_strdup (_("cube in memory"));
      g_autofree char *shape = g_strdup_printf ("%" G_GUINT64_FORMAT " × %" G_GUINT64_FORMAT " × %u",
                                                info->width, info->height, info->bands);

      g_set_error (error, ES_DATA_ERROR, ES_DATA_ERROR_SIZE,
                   _("“%s” has the size %s (columns × rows × bands); sizes of 1 or more, and at most 65535 "
                     "bands, were expected"), name, shape);
      return FALSE;
    }
  return TRUE;
}

void
es_cube_info_round_no_data (EsCubeInfo *info)
{
  gboolean any = FALSE;

  if (info->no_data == NULL)
    return;
  for (guint b = 0; b < info->bands; b++)
    {
      if (info->type == ESK_F32 && isfinite (info->no_data[b]))
        info->no_data[b] = fabs (info->no_data[b]) >= 3.4028e38 ? copysign (FLT_MAX, info->no_data[b])
                                                                 : (double) (float) info->no_data[b];
      any |= !isnan (info->no_data[b]);
    }
  if (!any)
    g_clear_pointer (&info->no_data, g_free);
}

void
es_cube_info_settle_scale (EsCubeInfo *info)
{
  for (guint b = 0; b < info->bands; b++)
    {
      if (info->scale != NULL && (!isfinite (info->scale[b]) || info->scale[b] == 0.0))
        info->scale[b] = 1.0;
      if (info->offset != NULL && !isfinite (info->offset[b]))
        info->offset[b] = 0.0;
    }
}
