/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>

#include "es-colormap-private.h"

static const struct
{
  const char *id, *title;
  const guint8 (*table)[3];    /* NULL: grey, which needs none */
} maps[ES_N_COLORMAPS] = {
  [ES_COLORMAP_GRAY] = { "gray", N_("Grey"), NULL },
  [ES_COLORMAP_VIRIDIS] = { "viridis", N_("Viridis"), es_colormap_viridis_table },
  [ES_COLORMAP_MAGMA] = { "magma", N_("Magma"), es_colormap_magma_table },
  [ES_COLORMAP_CIVIDIS] = { "cividis", N_("Cividis"), es_colormap_cividis_table },
  [ES_COLORMAP_DIVERGING] = { "diverging", N_("Blue to red"), es_colormap_vik_table },
};

const char *
es_colormap_id (EsColormap map)
{
  g_return_val_if_fail (map < ES_N_COLORMAPS, NULL);

  return maps[map].id;
}

const char *
es_colormap_title (EsColormap map)
{
  g_return_val_if_fail (map < ES_N_COLORMAPS, NULL);

  return maps[map].title;
}

gboolean
es_colormap_find (const char *id, EsColormap *map)
{
  for (guint i = 0; id != NULL && i < ES_N_COLORMAPS; i++)
    if (g_strcmp0 (maps[i].id, id) == 0)
      {
        if (map != NULL)
          *map = i;
        return TRUE;
      }
  return FALSE;
}

const guint8 *
es_colormap_entries (EsColormap map)
{
  static guint8 entries[ES_N_COLORMAPS][256][4];
  static gsize filled;

  g_return_val_if_fail (map < ES_N_COLORMAPS, NULL);

  if (g_once_init_enter (&filled))
    {
      for (guint m = 0; m < ES_N_COLORMAPS; m++)
        for (guint i = 0; i < 256; i++)
          {
            for (guint c = 0; c < 3; c++)
              entries[m][i][c] = maps[m].table != NULL ? maps[m].table[i][c] : i;
            entries[m][i][3] = 255;
          }
      g_once_init_leave (&filled, 1);
    }
  return &entries[map][0][0];
}
