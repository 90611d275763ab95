/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* How the displays look: colours and their range, normaliser, what is drawn over the maps. */

#include "es-sonar-display-private.h"

#include <math.h>

EsNormaliserKind
es_sonar_display_get_normaliser (EsSonarDisplay *self)
{
  return self->normaliser;
}

void
es_sonar_display_set_normaliser (EsSonarDisplay *self, EsNormaliserKind kind)
{
  g_return_if_fail (ES_IS_SONAR_DISPLAY (self));
  g_return_if_fail (kind < ES_N_NORMALISERS);

  if (self->normaliser == kind)
    return;
  self->normaliser = kind;
  _es_sonar_display_changed (self, ES_SONAR_NORMALISER | ES_SONAR_LOOK);
}

EsNormaliser
es_sonar_display_make_normaliser (EsSonarDisplay *self, guint n)
{
  return (EsNormaliser) { self->normaliser, CLAMP (n / 10, 2, 64), n >= 40 ? 2 : 1, 2 };
}

EsColormap
es_sonar_display_get_colormap (EsSonarDisplay *self)
{
  return self->colormap;
}

void
es_sonar_display_set_colormap (EsSonarDisplay *self, EsColormap map)
{
  g_return_if_fail (ES_IS_SONAR_DISPLAY (self));
  g_return_if_fail (map < ES_N_COLORMAPS);

  if (self->colormap == map)
    return;
  self->colormap = map;
  _es_sonar_display_changed (self, ES_SONAR_LOOK);
}

double
es_sonar_display_get_range (EsSonarDisplay *self)
{
  return self->range;
}

void
es_sonar_display_set_range (EsSonarDisplay *self, double range)
{
  g_return_if_fail (ES_IS_SONAR_DISPLAY (self));

  range = range > 0 ? CLAMP (range, 1, 200) : 0;
  if (self->range == range)
    return;
  self->range = range;
  _es_sonar_display_changed (self, ES_SONAR_LOOK);
}

gboolean
es_sonar_display_get_auto_top (EsSonarDisplay *self)
{
  return self->auto_top;
}

void
es_sonar_display_set_auto_top (EsSonarDisplay *self, gboolean auto_top)
{
  g_return_if_fail (ES_IS_SONAR_DISPLAY (self));

  if (self->auto_top == !!auto_top)
    return;
  self->auto_top = !!auto_top;
  _es_sonar_display_changed (self, ES_SONAR_LOOK);
}

/* A top that follows the loudest upwards at once and downwards by 3 dB: it does not flicker. */
void
es_sonar_display_fit (EsSonarDisplay *self, EsHeatmap *map, guint64 from, guint64 to,
                      gboolean over_background, double *low, double *high)
{
  float minimum, maximum;

  g_return_if_fail (ES_IS_SONAR_DISPLAY (self));

  es_heatmap_set_colormap (map, self->colormap);
  if (self->auto_top || isnan (*high))
    {
      if (!es_heatmap_find_range (map, from, to, &minimum, &maximum))
        return;
      if (isnan (*high) || maximum > *high || maximum < *high - 3)
        *high = ceil (maximum);
      if (self->range == 0)
        {
          double quiet = floor (es_heatmap_find_quantile (map, from, to, 0.3));

          if (isnan (*low) || fabs (quiet - *low) >= 2)
            *low = quiet;
          *low = MIN (*low, *high - 3);
        }
    }
  if (self->range > 0)
    *low = *high - self->range;
  if (over_background)
    *low = MAX (*low, MIN (-2, *high - 6));
  es_heatmap_set_range (map, isnan (*low) ? *high - 30 : *low, *high);
}

gboolean
es_sonar_display_get_plan (EsSonarDisplay *self)
{
  return self->plan;
}

void
es_sonar_display_set_plan (EsSonarDisplay *self, gboolean plan)
{
  g_return_if_fail (ES_IS_SONAR_DISPLAY (self));

  if (self->plan == !!plan)
    return;
  self->plan = !!plan;
  _es_sonar_display_changed (self, ES_SONAR_LOOK);
}

gboolean
es_sonar_display_get_harmonics (EsSonarDisplay *self)
{
  return self->harmonics;
}

void
es_sonar_display_set_harmonics (EsSonarDisplay *self, gboolean harmonics)
{
  g_return_if_fail (ES_IS_SONAR_DISPLAY (self));

  if (self->harmonics == !!harmonics)
    return;
  self->harmonics = !!harmonics;
  _es_sonar_display_changed (self, ES_SONAR_FREQUENCY);
}

gboolean
es_sonar_display_get_tracks (EsSonarDisplay *self)
{
  return self->tracks;
}

void
es_sonar_display_set_tracks (EsSonarDisplay *self, gboolean tracks)
{
  g_return_if_fail (ES_IS_SONAR_DISPLAY (self));

  if (self->tracks == !!tracks)
    return;
  self->tracks = !!tracks;
  _es_sonar_display_changed (self, ES_SONAR_MARKS);
}

gboolean
es_sonar_display_get_beside (EsSonarDisplay *self)
{
  return self->beside;
}

void
es_sonar_display_set_beside (EsSonarDisplay *self, gboolean beside)
{
  g_return_if_fail (ES_IS_SONAR_DISPLAY (self));

  if (self->beside == !!beside)
    return;
  self->beside = !!beside;
  _es_sonar_display_changed (self, ES_SONAR_MARKS);
}
