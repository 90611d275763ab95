/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-sonar-look.h"

#include <math.h>

#include "es-sonar-change.h"

#define BACKGROUND -2           /* dB over it: where the colours of what is normalised begin */

struct _EsSonarLook
{
  GObject          parent_instance;

  EsNormaliserKind normaliser;
  EsColormap       colormap;
  double           range;
  EsBearings       bearings;
  EsClock          clock;
  gboolean         auto_top, plan, harmonics, tracks, beside;
};

static guint changed_signal;

G_DEFINE_FINAL_TYPE (EsSonarLook, es_sonar_look, G_TYPE_OBJECT)

static void
changed (EsSonarLook *self, EsSonarChange change)
{
  g_signal_emit (self, changed_signal, 0, (guint) change);
}

EsNormaliserKind
es_sonar_look_get_normaliser (EsSonarLook *self)
{
  return self->normaliser;
}

void
es_sonar_look_set_normaliser (EsSonarLook *self, EsNormaliserKind kind)
{
  g_return_if_fail (ES_IS_SONAR_LOOK (self));
  g_return_if_fail (kind < ES_N_NORMALISERS);

  if (self->normaliser == kind)
    return;
  self->normaliser = kind;
  changed (self, ES_SONAR_CHANGE_NORMALISER | ES_SONAR_CHANGE_LOOK);
}

EsNormaliser
es_sonar_look_make_normaliser (EsSonarLook *self, guint n)
{
  return (EsNormaliser) { self->normaliser, CLAMP (n / 10, 2, 64), n >= 40 ? 2 : 1, 2 };
}

EsColormap
es_sonar_look_get_colormap (EsSonarLook *self)
{
  return self->colormap;
}

void
es_sonar_look_set_colormap (EsSonarLook *self, EsColormap map)
{
  g_return_if_fail (ES_IS_SONAR_LOOK (self));
  g_return_if_fail (map < ES_N_COLORMAPS);

  if (self->colormap == map)
    return;
  self->colormap = map;
  changed (self, ES_SONAR_CHANGE_LOOK);
}

double
es_sonar_look_get_range (EsSonarLook *self)
{
  return self->range;
}

void
es_sonar_look_set_range (EsSonarLook *self, double range)
{
  g_return_if_fail (ES_IS_SONAR_LOOK (self));

  range = range > 0 ? CLAMP (range, 1, 200) : 0;
  if (self->range == range)
    return;
  self->range = range;
  changed (self, ES_SONAR_CHANGE_LOOK);
}

gboolean
es_sonar_look_get_auto_top (EsSonarLook *self)
{
  return self->auto_top;
}

void
es_sonar_look_set_auto_top (EsSonarLook *self, gboolean auto_top)
{
  g_return_if_fail (ES_IS_SONAR_LOOK (self));

  if (self->auto_top == !!auto_top)
    return;
  self->auto_top = !!auto_top;
  changed (self, ES_SONAR_CHANGE_LOOK);
}

/* A top that follows the loudest upwards at once and downwards by 3 dB: it does not flicker. Over a background the
 * scale begins there, however loud the loudest is: lines of some dB are what the background was taken away for. */
void
es_sonar_look_fit (EsSonarLook *self, EsHeatmap *map, guint64 from, guint64 to,
                   gboolean over_background, double *low, double *high)
{
  float minimum, maximum;

  g_return_if_fail (ES_IS_SONAR_LOOK (self));

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
    {
      const double quiet = MIN (BACKGROUND, *high - 6);

      es_heatmap_set_range (map, quiet, self->range > 0 ? MIN (*high, quiet + self->range) : *high);
      return;
    }
  es_heatmap_set_range (map, isnan (*low) ? *high - 30 : *low, *high);
}

gboolean
es_sonar_look_get_plan (EsSonarLook *self)
{
  return self->plan;
}

void
es_sonar_look_set_plan (EsSonarLook *self, gboolean plan)
{
  g_return_if_fail (ES_IS_SONAR_LOOK (self));

  if (self->plan == !!plan)
    return;
  self->plan = !!plan;
  changed (self, ES_SONAR_CHANGE_LOOK);
}

gboolean
es_sonar_look_get_harmonics (EsSonarLook *self)
{
  return self->harmonics;
}

void
es_sonar_look_set_harmonics (EsSonarLook *self, gboolean harmonics)
{
  g_return_if_fail (ES_IS_SONAR_LOOK (self));

  if (self->harmonics == !!harmonics)
    return;
  self->harmonics = !!harmonics;
  changed (self, ES_SONAR_CHANGE_FREQUENCY);
}

gboolean
es_sonar_look_get_tracks (EsSonarLook *self)
{
  return self->tracks;
}

void
es_sonar_look_set_tracks (EsSonarLook *self, gboolean tracks)
{
  g_return_if_fail (ES_IS_SONAR_LOOK (self));

  if (self->tracks == !!tracks)
    return;
  self->tracks = !!tracks;
  changed (self, ES_SONAR_CHANGE_MARKS);
}

gboolean
es_sonar_look_get_beside (EsSonarLook *self)
{
  return self->beside;
}

void
es_sonar_look_set_beside (EsSonarLook *self, gboolean beside)
{
  g_return_if_fail (ES_IS_SONAR_LOOK (self));

  if (self->beside == !!beside)
    return;
  self->beside = !!beside;
  changed (self, ES_SONAR_CHANGE_MARKS);
}

const char *
es_bearings_id (guint bearings)
{
  static const char *const ids[] = { "array", "round", "true" };

  g_return_val_if_fail (bearings < ES_N_BEARINGS, NULL);
  return ids[bearings];
}

const char *
es_clock_id (guint clock)
{
  static const char *const ids[] = { "elapsed", "utc", "local" };

  g_return_val_if_fail (clock < ES_N_CLOCKS, NULL);
  return ids[clock];
}

EsBearings
es_sonar_look_get_bearings (EsSonarLook *self)
{
  return self->bearings;
}

void
es_sonar_look_set_bearings (EsSonarLook *self, EsBearings bearings)
{
  g_return_if_fail (ES_IS_SONAR_LOOK (self));
  g_return_if_fail (bearings < ES_N_BEARINGS);

  if (self->bearings == bearings)
    return;
  self->bearings = bearings;
  changed (self, ES_SONAR_CHANGE_WRITING);
}

EsClock
es_sonar_look_get_clock (EsSonarLook *self)
{
  return self->clock;
}

void
es_sonar_look_set_clock (EsSonarLook *self, EsClock clock)
{
  g_return_if_fail (ES_IS_SONAR_LOOK (self));
  g_return_if_fail (clock < ES_N_CLOCKS);

  if (self->clock == clock)
    return;
  self->clock = clock;
  changed (self, ES_SONAR_CHANGE_WRITING);
}

static void
es_sonar_look_class_init (EsSonarLookClass *klass)
{
  changed_signal = g_signal_new ("changed", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                 G_TYPE_NONE, 1, G_TYPE_UINT);
}

static void
es_sonar_look_init (EsSonarLook *self)
{
  self->colormap = ES_COLORMAP_VIRIDIS;
  self->range = 30;
  self->auto_top = self->tracks = self->beside = TRUE;
}

EsSonarLook *
es_sonar_look_new (void)
{
  return g_object_new (ES_TYPE_SONAR_LOOK, NULL);
}
