/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-upload-figures-internal.h"

#include <math.h>
#include <string.h>

#include "es-segmented-fit-internal.h"

/* What is smaller costs what the smallest does, in steps of its own, and is no piece. */
#define LEAST_FITTED 4096
/* What is filled does not fit the caches, yet was not swapped: of sizes up to here the largest. */
#define LARGEST_FILLED (64.0 * 1048576)

/* One series by size; what of it is beyond the room is left out. */
static guint
read_series (EsDeviceProfile *profile, const char *experiment, const char *group, const char *name, double *x,
             double *values)
{
  guint n = 0;

  for (guint i = 0; i < es_device_profile_get_n (profile) && n < ES_UPLOAD_MOST_POINTS; i++)
    {
      const EsFigure *figure = es_device_profile_get (profile, i);
      guint at = n;

      if (strcmp (figure->experiment, experiment) != 0 || strcmp (figure->group, group) != 0
          || strcmp (figure->name, name) != 0 || !(figure->x > 0) || !(figure->value > 0))
        continue;
      for (; at > 0 && x[at - 1] > figure->x; at--)
        {
          x[at] = x[at - 1];
          values[at] = values[at - 1];
        }
      x[at] = figure->x;
      values[at] = figure->value;
      n++;
    }
  return n;
}

/* Buffers are registered memory; where that was not measured, memory that was locked when it was made. */
static void
read_link (EsDeviceProfile *profile, EsUploadFigures *figures)
{
  static const char *const locked[] = { "Registered", "Page-locked" };
  EsUploadCurve *curve = &figures->locked;
  guint from = 0;
  EsFitPiece line;

  for (guint k = 0; k < G_N_ELEMENTS (locked) && curve->n == 0; k++)
    curve->n = read_series (profile, "lab-link", "to", locked[k], curve->bytes, curve->seconds);
  for (guint i = 0; i < curve->n; i++)
    curve->seconds[i] = curve->bytes[i] / curve->seconds[i];
  figures->pageable.n = read_series (profile, "lab-link", "to", "Pageable", figures->pageable.bytes,
                                     figures->pageable.seconds);
  for (guint i = 0; i < figures->pageable.n; i++)
    figures->pageable.seconds[i] = figures->pageable.bytes[i] / figures->pageable.seconds[i];

  while (from < curve->n && curve->bytes[from] < LEAST_FITTED)
    from++;
  if (es_fit_piece (ES_FIT_LINEAR, curve->bytes + from, curve->seconds + from, curve->n - from, &line)
      && line.c[0] > 0 && line.c[1] > 0)
    {
      figures->latency = line.c[0];
      figures->rate = 1 / line.c[1];
    }
}

/* The slower one of what is locked and what is not; a copy's bytes were counted read and written. */
static double
read_fill (EsDeviceProfile *profile, const char *group)
{
  static const char *const names[] = { "Page-locked to page-locked", "Pageable to pageable" };
  double x[ES_UPLOAD_MOST_POINTS], values[ES_UPLOAD_MOST_POINTS], least = INFINITY;

  for (guint k = 0; k < G_N_ELEMENTS (names); k++)
    {
      guint n = read_series (profile, "lab-host-access", group, names[k], x, values);

      while (n > 1 && x[n - 1] > LARGEST_FILLED)
        n--;
      if (n > 0)
        least = fmin (least, values[n - 1] / 2);
    }
  return isfinite (least) ? least : 0;
}

static gboolean
read_cost (EsDeviceProfile *profile, const char *name, EsUploadCost *cost)
{
  double x[ES_UPLOAD_MOST_POINTS], values[ES_UPLOAD_MOST_POINTS];
  const guint n = read_series (profile, "lab-registration", "cost", name, x, values);
  EsTwoPieceFit fit;

  if (!es_two_piece_fit (x, values, n, &fit))
    return FALSE;
  *cost = (EsUploadCost) { fit.below, fit.break_at, fit.start, fit.slope };
  return TRUE;
}

gboolean
es_upload_figures_read (EsDeviceProfile *profile, guint cores, EsUploadFigures *figures)
{
  *figures = (EsUploadFigures) { .date = g_intern_string (es_device_profile_get_date (profile)), .cores = cores };
  read_link (profile, figures);
  figures->one_fill = read_fill (profile, "one-thread");
  figures->all_fill = read_fill (profile, "all-threads");
  figures->has_cost = read_cost (profile, "Page-locking", &figures->lock)
                      && read_cost (profile, "Unlocking", &figures->unlock);
  return cores > 0 && figures->rate > 0;
}
