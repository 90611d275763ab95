/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-region-param.h"

#include <glib/gi18n-lib.h>

#include "es-region.h"

/* Of rows and corners: pixels are looked for. */
#define MOST_STEPS ((guint64) 1 << 22)

gboolean
es_region_check (const char *text, GError **error)
{
  g_autoptr (EsRegion) region = es_region_parse (text, error);

  return region != NULL;
}

char *
es_region_describe (const char *text)
{
  /* Far enough out that no image ends before it. */
  const guint64 far = G_MAXINT32;
  guint64 x, y, width, height;
  guint corners = 0;
  g_autoptr (EsRegion) region = es_region_parse (text, NULL);

  if (region != NULL)
    es_region_get_outline (region, &corners);
  /* Which pixels lie in a polygon is found row by row: of so many that no image has them its corners tell. */
  if (region == NULL || !es_region_get_box (region, far, far, &x, &y, &width, &height)
      || (height * corners <= MOST_STEPS && !es_region_get_bounds (region, far, far, &x, &y, &width, &height)))
    return g_strdup (text);
  /* TRANSLATORS: the size of a drawn region and the column and row of its corner */
  return g_strdup_printf (_("%d × %d pixels at %d, %d"), (int) width, (int) height, (int) x, (int) y);
}
