/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-stretch.h"

#include <glib/gi18n-lib.h>
#include <math.h>

/* Of the logarithm; and how many deviations the normal distribution reaches to either end. */
#define STEEPNESS 100.0
#define DEVIATIONS 3.0

static const struct { const char *id, *title; } stretches[ES_N_STRETCHES] = {
  [ES_STRETCH_LINEAR] = { "linear", N_("Linear") },
  [ES_STRETCH_SQUARE_ROOT] = { "square-root", N_("Square root") },
  [ES_STRETCH_LOGARITHM] = { "logarithm", N_("Logarithm") },
  [ES_STRETCH_GAUSSIAN] = { "gaussian", N_("Gaussian") },
  [ES_STRETCH_EQUALISE] = { "equalise", N_("Equalized") },
};

const char *
es_stretch_id (EsStretch stretch)
{
  g_return_val_if_fail (stretch < ES_N_STRETCHES, NULL);

  return stretches[stretch].id;
}

const char *
es_stretch_title (EsStretch stretch)
{
  g_return_val_if_fail (stretch < ES_N_STRETCHES, NULL);

  return stretches[stretch].title;
}

gboolean
es_stretch_find (const char *id, EsStretch *stretch)
{
  for (guint i = 0; i < ES_N_STRETCHES; i++)
    if (g_strcmp0 (id, stretches[i].id) == 0)
      {
        *stretch = i;
        return TRUE;
      }
  return FALSE;
}

gboolean
es_stretch_counts (EsStretch stretch)
{
  return stretch == ES_STRETCH_GAUSSIAN || stretch == ES_STRETCH_EQUALISE;
}

/* The share of the way from dark to bright at which a share of the values, or of the span, lies. */
static double
invert (EsStretch stretch, double share)
{
  switch (stretch)
    {
    case ES_STRETCH_SQUARE_ROOT:
      return share * share;
    case ES_STRETCH_LOGARITHM:
      return (pow (1 + STEEPNESS, share) - 1) / STEEPNESS;
    case ES_STRETCH_GAUSSIAN:
      return 0.5 * erfc (-DEVIATIONS * (2 * share - 1) / M_SQRT2);
    default:
      return share;
    }
}

void
es_stretch_fill (EsStretch stretch, double low, double high, const EsPlaneStatistics *statistics,
                 float thresholds[ES_STRETCH_STEPS])
{
  const gboolean counts = es_stretch_counts (stretch) && statistics != NULL && statistics->n_valid > 0;
  const double first = counts ? es_plane_statistics_share (statistics, low) : 0;
  const double last = counts ? es_plane_statistics_share (statistics, high) : 1;
  double before = low;

  for (guint i = 0; i < ES_STRETCH_STEPS; i++)
    {
      const double share = invert (stretch, (i + 1) / 256.0);
      double value = low + share * (high - low);

      /* Where no value lies between the ends, there is nothing to be counted. */
      if (counts && last > first)
        value = es_plane_statistics_quantile (statistics, first + share * (last - first));
      before = CLAMP (value, before, high);
      thresholds[i] = (float) before;
    }
}

void
es_stretch_cut (const EsPlaneStatistics *statistics, double fraction, gboolean symmetric, double ends[2])
{
  double low = es_plane_statistics_quantile (statistics, fraction);
  double high = es_plane_statistics_quantile (statistics, 1 - fraction);

  /* Nearly all samples alike: what is left of the cut would be a step. */
  if (low >= high)
    {
      low = statistics->minimum;
      high = statistics->maximum;
    }
  if (symmetric)
    {
      high = MAX (fabs (low), fabs (high));
      low = -high;
    }
  ends[0] = low;
  ends[1] = high;
}

void
es_stretch_deviations (const EsPlaneStatistics *statistics, double deviations, double ends[2])
{
  ends[0] = statistics->mean - deviations * statistics->deviation;
  ends[1] = statistics->mean + deviations * statistics->deviation;
}
