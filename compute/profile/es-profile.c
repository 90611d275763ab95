/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-profile-private.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#include "base/es-error.h"

/* Samples of a line, and floats that are read for it at a time. */
#define MOST_SAMPLES (4 * 1024 * 1024)
#define MOST_READ    (4 * 1024 * 1024)
#define MOST_WINDOW  (64 * 1024)

/* A sample: where, and which way is across. */
typedef struct
{
  EsProfilePlace place, across;
  double         distance;
} Sample;

typedef struct
{
  guint64      x, y, width, height;    /* of the picture */
  const float *values;
} Window;

void
es_profile_free (EsProfile *self)
{
  if (self == NULL)
    return;
  g_free (self->places);
  g_free (self->distances);
  g_free (self->metres);
  g_free (self->values);
  g_free (self);
}

/* ---- where the samples lie ---- */

/* How many steps a part of the line takes. */
static double
count_steps (const EsProfileLine *line, guint part)
{
  const EsProfilePlace *from = &line->places[part], *to = from + 1;
  const double dx = fabs (to->x - from->x), dy = fabs (to->y - from->y);
  const double length = line->sampling == ES_PROFILE_NEAREST ? MAX (dx, dy) : hypot (dx, dy);

  /* A length that is whole but for rounding takes no step more. */
  return ceil (length - 1e-9);
}

static Sample *
place_samples (const EsProfileLine *line, guint *n, GError **error)
{
  double all = 1, before = 0;
  Sample *samples;
  guint used = 0;

  for (guint i = 0; i + 1 < line->n; i++)
    all += count_steps (line, i);
  samples = all <= MOST_SAMPLES ? g_try_new (Sample, (gsize) all + 1) : NULL;
  if (samples == NULL)
    {
      g_set_error (error, ES_COMPUTE_ERROR, ES_COMPUTE_ERROR_MEMORY,
                   _("A line of %.0f samples is too long: %d are the most."), all, MOST_SAMPLES);
      return NULL;
    }
  for (guint i = 0; i + 1 < line->n; i++)
    {
      const EsProfilePlace from = line->places[i], to = line->places[i + 1];
      const double length = hypot (to.x - from.x, to.y - from.y);
      const guint steps = (guint) count_steps (line, i);
      const EsProfilePlace across = { length > 0 ? -(to.y - from.y) / length : 0,
                                      length > 0 ? (to.x - from.x) / length : 1 };

      /* A corner belongs to the part that ends there. */
      for (guint k = used == 0 ? 0 : 1; k <= steps; k++)
        {
          /* Multiplied before it is divided: whole numbers stay whole. */
          const double parts = MAX (steps, 1);

          samples[used++] = (Sample) { { from.x + (to.x - from.x) * k / parts, from.y + (to.y - from.y) * k / parts },
                                       across, before + length * k / parts };
        }
      before += length;
    }
  *n = used;
  return samples;
}

/* ---- what they are ---- */

static double
at (const Window *window, gint64 x, gint64 y)
{
  return window->values[(guint64) (y - (gint64) window->y) * window->width + (guint64) (x - (gint64) window->x)];
}

/* The picture's own, or NAN outside of it. */
static double
take_one (const Window *window, double x, double y, EsProfileSampling sampling, guint64 width, guint64 height)
{
  const double right = (double) width - 1, bottom = (double) height - 1;

  /* Up to its edge a pixel is one; beyond the middle of the last there is no other to go to. */
  if (x < -0.5 || y < -0.5 || x >= right + 0.5 || y >= bottom + 0.5)
    return NAN;
  x = CLAMP (x, 0, right);
  y = CLAMP (y, 0, bottom);
  if (sampling == ES_PROFILE_NEAREST)
    return at (window, (gint64) floor (x + 0.5), (gint64) floor (y + 0.5));

  const gint64 left = (gint64) floor (x), top = (gint64) floor (y);
  const double u = x - (double) left, v = y - (double) top;
  double sum = 0;

  /* What has no weight may be missing, or not be there at all. */
  for (guint i = 0; i < 4; i++)
    {
      const double weight = (i & 1 ? u : 1 - u) * (i & 2 ? v : 1 - v);

      if (weight > 0)
        sum += weight * at (window, left + (i & 1), top + (i >> 1));
    }
  return sum;
}

static double
take_sample (const Window *window, const Sample *sample, const EsProfileLine *line, guint64 width, guint64 height)
{
  const int half = (int) line->width / 2;
  double sum = 0;
  guint n = 0;

  for (int i = -half; i <= half; i++)
    {
      const double value = take_one (window, sample->place.x + i * sample->across.x,
                                     sample->place.y + i * sample->across.y, line->sampling, width, height);

      if (!isnan (value))
        {
          sum += value;
          n++;
        }
    }
  return n > 0 ? sum / n : NAN;
}

/* ---- window after window ---- */

/* All pixels that a sample may need, within the picture. */
static void
reach (const Sample *sample, const EsProfileLine *line, double low[2], double high[2])
{
  const double half = line->width / 2;

  low[0] = MIN (low[0], sample->place.x - half * fabs (sample->across.x) - 0.5);
  low[1] = MIN (low[1], sample->place.y - half * fabs (sample->across.y) - 0.5);
  high[0] = MAX (high[0], sample->place.x + half * fabs (sample->across.x) + 0.5);
  high[1] = MAX (high[1], sample->place.y + half * fabs (sample->across.y) + 0.5);
}

static void
cut (const double low[2], const double high[2], guint64 width, guint64 height, Window *window)
{
  const double right = MIN (ceil (high[0]), (double) width - 1), bottom = MIN (ceil (high[1]), (double) height - 1);

  window->x = (guint64) MAX (floor (low[0]), 0);
  window->y = (guint64) MAX (floor (low[1]), 0);
  window->width = (guint64) right - window->x + 1;
  window->height = (guint64) bottom - window->y + 1;
}

/* As many samples from `first` on as lie in a small window; the window. */
static guint
gather (const Sample *samples, guint n, guint first, const EsProfileLine *line, guint n_planes, guint64 width,
        guint64 height, Window *window)
{
  const guint64 most = MIN (MOST_WINDOW, MOST_READ / MAX (n_planes, 1) + 1);
  double low[2] = { INFINITY, INFINITY }, high[2] = { -INFINITY, -INFINITY };
  guint i = first;

  for (; i < n; i++)
    {
      double wider_low[2] = { low[0], low[1] }, wider_high[2] = { high[0], high[1] };
      Window wider;

      reach (&samples[i], line, wider_low, wider_high);
      cut (wider_low, wider_high, width, height, &wider);
      if (i > first && wider.width * wider.height > most)
        break;
      *window = wider;
      memcpy (low, wider_low, sizeof low);
      memcpy (high, wider_high, sizeof high);
    }
  return i;
}

EsProfile *
_es_profile_take (const EsProfileLine *line, guint n_planes, guint64 width, guint64 height, EsProfileRead read,
                  gpointer source, GCancellable *cancellable, GError **error)
{
  g_autoptr (EsProfile) self = g_new0 (EsProfile, 1);
  g_autofree Sample *samples = NULL;
  g_autofree float *values = NULL;
  gsize size = 0, all;

  if (!es_profile_line_check (line, width, height, error) || (samples = place_samples (line, &self->n, error)) == NULL)
    return NULL;
  self->n_planes = n_planes;
  self->places = g_try_new (EsProfilePlace, self->n);
  self->distances = g_try_new (double, self->n);
  self->values = g_size_checked_mul (&all, self->n, MAX (n_planes, 1)) ? g_try_new (double, all) : NULL;
  if (self->places == NULL || self->distances == NULL || self->values == NULL)
    {
      g_set_error (error, ES_COMPUTE_ERROR, ES_COMPUTE_ERROR_MEMORY,
                   _("There is no memory for a profile of %u samples of %u planes."), self->n, n_planes);
      return NULL;
    }
  for (guint i = 0, end; i < self->n; i = end)
    {
      Window window = { 0 };
      gsize pixels;

      end = gather (samples, self->n, i, line, n_planes, width, height, &window);
      pixels = window.width * window.height;
      if (pixels * n_planes > size)
        {
          g_free (values);
          size = pixels * n_planes;
          values = g_try_new (float, size);
          if (values == NULL)
            {
              g_set_error (error, ES_COMPUTE_ERROR, ES_COMPUTE_ERROR_MEMORY,
                           _("There is no memory for a profile of %u samples of %u planes."), self->n, n_planes);
              return NULL;
            }
        }
      if (!read (source, window.x, window.y, window.width, window.height, values, cancellable, error))
        return NULL;
      for (guint k = i; k < end; k++)
        {
          self->places[k] = samples[k].place;
          self->distances[k] = samples[k].distance;
          for (guint plane = 0; plane < n_planes; plane++)
            {
              window.values = values + plane * pixels;
              self->values[(gsize) plane * self->n + k] = take_sample (&window, &samples[k], line, width, height);
            }
        }
    }
  return g_steal_pointer (&self);
}

guint
es_profile_find_nearest (const EsProfile *self, double x, double y, double *away)
{
  double least = INFINITY;
  guint nearest = 0;

  for (guint i = 0; i < self->n; i++)
    {
      const double distance = hypot (self->places[i].x - x, self->places[i].y - y);

      if (distance < least)
        {
          least = distance;
          nearest = i;
        }
    }
  if (away != NULL)
    *away = least;
  return nearest;
}
