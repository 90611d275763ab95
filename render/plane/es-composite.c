/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-composite.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "es-frame-internal.h"

#define MAXIMUM_SIDE   8192
#define MAXIMUM_PIXELS (16 * 1024 * 1024)

static const EsCompositePreset presets[] = {
  { "true-colour", N_("True colour"), { 640, 550, 460 } },
  { "cir", N_("Colour infrared"), { 850, 650, 550 } },
  { "swir", N_("Short-wave infrared"), { 2200, 1650, 850 } },
  { "agriculture", N_("Agriculture"), { 1610, 850, 480 } },
};

const EsCompositePreset *
es_composite_get_presets (guint *n)
{
  *n = G_N_ELEMENTS (presets);
  return presets;
}

const EsCompositePreset *
es_composite_find_preset (const char *id)
{
  for (guint i = 0; i < G_N_ELEMENTS (presets); i++)
    if (g_strcmp0 (presets[i].id, id) == 0)
      return &presets[i];
  return NULL;
}

char *
es_composite_list_presets (void)
{
  GString *ids = g_string_new (NULL);

  for (guint i = 0; i < G_N_ELEMENTS (presets); i++)
    g_string_append_printf (ids, "%s%s", i > 0 ? ", " : "", presets[i].id);
  return g_string_free (ids, FALSE);
}

static guint64
steps (guint64 length, guint64 step)
{
  return length / step + (length % step != 0);
}

guint
es_composite_pick_step (guint64 width, guint64 height)
{
  guint64 step = 1;

  /* A level of its pyramid. */
  while (step < G_MAXINT / 2 && (steps (MAX (width, height), step) > MAXIMUM_SIDE
                                 || steps (width, step) * steps (height, step) > MAXIMUM_PIXELS))
    step *= 2;
  return (guint) step;
}

void
es_composite_find_ends (EsPlane *const planes[3], const EsCompositeLook *look, double ends[6])
{
  double low = INFINITY, high = -INFINITY;

  for (guint i = 0; i < 3; i++)
    {
      if (look->deviations > 0)
        es_stretch_deviations (planes[i]->statistics, look->deviations, &ends[2 * i]);
      else
        es_stretch_cut (planes[i]->statistics, look->cut, FALSE, &ends[2 * i]);
      low = MIN (low, ends[2 * i]);
      high = MAX (high, ends[2 * i + 1]);
    }
  for (guint i = 0; i < 3; i++)
    {
      if (look->linked)
        {
          ends[2 * i] = low;
          ends[2 * i + 1] = high;
        }
      if (look->limited[i])
        {
          ends[2 * i] = look->limits[i][0];
          ends[2 * i + 1] = look->limits[i][1];
        }
    }
}

GBytes *
es_composite_paint (EsPlane *const planes[3], const EsCompositeLook *look, guint step, guint full_width,
                    guint full_height)
{
  const EsPlaneLevel *level = &planes[0]->levels[0];
  const guint width = level->width, height = level->height;
  g_auto (EsFrame) frame = { 0 };
  double ends[6];
  gsize bytes;
  guint8 *pixels;

  if (!g_size_checked_mul (&bytes, width, height) || !g_size_checked_mul (&bytes, bytes, 4)
      || (pixels = g_try_malloc (bytes)) == NULL)
    return NULL;
  es_composite_find_ends (planes, look, ends);
  es_frame_init (&frame, 3, (EsPlane **) planes, ends, ES_COLORMAP_GRAY, step, full_width, full_height,
                 (EsFrameAxis) { 0, (double) width / full_width, width },
                 (EsFrameAxis) { 0, (double) height / full_height, height });
  for (guint i = 0; i < 3; i++)
    es_frame_bend (&frame, i, look->curve, planes[i]->statistics);
  es_frame_paint (&frame, pixels, 4 * (gsize) width, ES_FRAME_ALONE);
  return g_bytes_new_take (pixels, bytes);
}
