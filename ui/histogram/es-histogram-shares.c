/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-histogram-shares.h"

#include <math.h>

/* The share of the values from a to b: of the 256 bins where these are fine enough, else of the quantiles. */
static double
share_between (const EsPlaneStatistics *statistics, double a, double b, gboolean fine)
{
  double width = (statistics->maximum - statistics->minimum) / 256;
  double sum = 0;

  if (!fine || !(width > 0))
    return es_plane_statistics_share (statistics, b) - es_plane_statistics_share (statistics, a);
  for (int i = MAX (0, (int) floor ((a - statistics->minimum) / width)); i < 256; i++)
    {
      double left = statistics->minimum + i * width;
      double overlap = MIN (b, left + width) - MAX (a, left);

      if (left >= b)
        break;
      if (overlap > 0)
        sum += statistics->histogram[i] * overlap / width;
    }
  return sum / MAX (1, (double) statistics->n_valid);
}

double
es_histogram_get_shares (const EsPlaneStatistics *statistics, double minimum, double maximum, guint n, double *shares)
{
  double step = (maximum - minimum) / n, most = 0;
  gboolean fine = (statistics->maximum - statistics->minimum) / 256 <= step * 1.5;

  for (guint i = 0; i < n; i++)
    {
      shares[i] = share_between (statistics, minimum + i * step, minimum + (i + 1) * step, fine);
      most = MAX (most, shares[i]);
    }
  if (!(statistics->maximum > statistics->minimum))
    {
      guint at = (guint) CLAMP ((statistics->minimum - minimum) / step, 0, n - 1.);

      shares[at] = most = 1;
    }
  return most;
}
