/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-cube-internal.h"

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
  if (info->source != NULL)
    info->source->free (info->source);
  info->source = NULL;
}
