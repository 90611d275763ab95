/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-navigation-private.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#include "base/es-error.h"
#include "base/es-order.h"

/* Between two headings that are further apart than so many usual intervals nobody knows where the array pointed. */
#define LONGEST_GAP 10

struct _EsNavigation
{
  gatomicrefcount    count;
  GDateTime         *start;      /* UTC; nullable */
  double            *times;      /* n, s; NULL: one heading for all times */
  double            *headings;   /* n, degrees, 0 .. 360 */
  guint              n;
  double             interval;   /* s: the median between two */
  gboolean           by_clock;   /* the times are those of a clock, from the start on */
  EsNavigationSource source;
  GFile             *file;       /* nullable */
};

G_DEFINE_BOXED_TYPE (EsNavigation, es_navigation, es_navigation_ref, es_navigation_unref)

static double
median_interval (const double *times, guint n)
{
  g_autofree double *intervals = g_new (double, n);

  if (n < 2)
    return 0;
  for (guint i = 1; i < n; i++)
    intervals[i - 1] = times[i] - times[i - 1];
  qsort (intervals, n - 1, sizeof *intervals, es_compare_doubles);
  return intervals[(n - 1) / 2];
}

static gboolean
check (const double *times, const double *headings, guint n, GError **error)
{
  if (n > ES_NAVIGATION_MOST_HEADINGS)
    {
      g_set_error (error, ES_DATA_ERROR, ES_DATA_ERROR_FORMAT,
                   _("There are %u headings, expected at most %u."), n, ES_NAVIGATION_MOST_HEADINGS);
      return FALSE;
    }
  for (guint i = 0; i < n; i++)
    {
      if (!(headings[i] >= -360 && headings[i] <= 360))
        {
          g_set_error (error, ES_DATA_ERROR, ES_DATA_ERROR_FORMAT,
                       _("Heading %u is %g°, expected degrees clockwise from true north, 0 to 360."), i + 1,
                       headings[i]);
          return FALSE;
        }
      if (times != NULL && !isfinite (times[i]))
        {
          g_set_error (error, ES_DATA_ERROR, ES_DATA_ERROR_FORMAT,
                       _("The time of heading %u is not finite, expected seconds."), i + 1);
          return FALSE;
        }
      if (times != NULL && !(fabs (times[i]) < ES_NAVIGATION_LARGEST_TIME))
        {
          g_set_error (error, ES_DATA_ERROR, ES_DATA_ERROR_FORMAT,
                       _("The time of heading %u is %g s, expected seconds from the beginning of the recording."),
                       i + 1, times[i]);
          return FALSE;
        }
      if (times != NULL && i > 0 && !(times[i] > times[i - 1]))
        {
          g_set_error (error, ES_DATA_ERROR, ES_DATA_ERROR_FORMAT,
                       _("Heading %u is of %.3f s, and the one before it of %.3f s; expected times that ascend."),
                       i + 1, times[i], times[i - 1]);
          return FALSE;
        }
    }
  return TRUE;
}

static double
wrap (double degrees)
{
  const double turned = fmod (degrees, 360);

  /* A little less than 0 is not 360. */
  return turned < 0 ? fmod (turned + 360, 360) : turned;
}

/* Of what has been checked. */
static EsNavigation *
make (GDateTime *start, const double *times, const double *headings, guint n)
{
  EsNavigation *self = g_new0 (EsNavigation, 1);

  g_atomic_ref_count_init (&self->count);
  self->start = start != NULL ? g_date_time_to_utc (start) : NULL;
  self->times = g_memdup2 (times, sizeof *times * n);
  self->headings = g_new (double, MAX (n, 1));
  self->n = n;
  self->source = ES_NAVIGATION_BY_HAND;
  for (guint i = 0; i < n; i++)
    self->headings[i] = wrap (headings[i]);
  if (times != NULL)
    self->interval = median_interval (times, n);
  return self;
}

EsNavigation *
es_navigation_new (GDateTime *start, const double *times, const double *headings, guint n, GError **error)
{
  g_return_val_if_fail (times != NULL || n <= 1, NULL);

  return check (times, headings, n, error) ? make (start, times, headings, n) : NULL;
}

EsNavigation *
es_navigation_ref (EsNavigation *self)
{
  g_atomic_ref_count_inc (&self->count);
  return self;
}

void
es_navigation_unref (EsNavigation *self)
{
  if (!g_atomic_ref_count_dec (&self->count))
    return;
  g_clear_pointer (&self->start, g_date_time_unref);
  g_clear_object (&self->file);
  g_free (self->times);
  g_free (self->headings);
  g_free (self);
}

static EsNavigation *
copy (EsNavigation *self, GDateTime *start, const double *times)
{
  EsNavigation *other = make (start, times, self->headings, self->n);

  other->source = self->source;
  other->file = self->file != NULL ? g_object_ref (self->file) : NULL;
  other->by_clock = self->by_clock;
  return other;
}

EsNavigation *
es_navigation_with_source (EsNavigation *self, EsNavigationSource source, GFile *file)
{
  EsNavigation *other = copy (self, self->start, self->times);

  g_clear_object (&other->file);
  other->source = source;
  other->file = file != NULL ? g_object_ref (file) : NULL;
  return other;
}

EsNavigation *
es_navigation_by_clock (EsNavigation *self)
{
  EsNavigation *other = copy (self, self->start, self->times);

  other->by_clock = self->times != NULL && self->start != NULL;
  return other;
}

EsNavigation *
es_navigation_with_start (EsNavigation *self, GDateTime *start)
{
  g_autofree double *times = NULL;

  if (!self->by_clock || start == NULL || self->start == NULL)
    return copy (self, start, self->times);
  times = g_memdup2 (self->times, sizeof *times * self->n);
  for (guint i = 0; i < self->n; i++)
    times[i] += (double) g_date_time_difference (self->start, start) / 1e6;
  return copy (self, start, times);
}

gboolean
es_navigation_is_by_clock (EsNavigation *self)
{
  return self->by_clock;
}

gboolean
es_navigation_equal (EsNavigation *self, EsNavigation *other)
{
  if (self == other || self == NULL || other == NULL)
    return self == other;
  if (self->n != other->n || (self->start == NULL) != (other->start == NULL)
      || (self->start != NULL && g_date_time_compare (self->start, other->start) != 0)
      || (self->times == NULL) != (other->times == NULL) || self->by_clock != other->by_clock)
    return FALSE;
  return (self->n == 0 || memcmp (self->headings, other->headings, sizeof (double) * self->n) == 0)
         && (self->times == NULL || memcmp (self->times, other->times, sizeof (double) * self->n) == 0);
}

EsNavigationSource
es_navigation_get_source (EsNavigation *self)
{
  return self->source;
}

GFile *
es_navigation_get_file (EsNavigation *self)
{
  return self->file;
}

GDateTime *
es_navigation_get_start (EsNavigation *self)
{
  return self->start;
}

guint
es_navigation_get_n_headings (EsNavigation *self)
{
  return self->n;
}

gboolean
es_navigation_is_fixed (EsNavigation *self)
{
  return self->n > 0 && self->times == NULL;
}

const double *
es_navigation_get_times (EsNavigation *self)
{
  return self->times;
}

const double *
es_navigation_get_headings (EsNavigation *self)
{
  return self->headings;
}

/* The last one whose time is not after it; at least 0, at most the last but one. */
static guint
find_before (EsNavigation *self, double time)
{
  guint low = 0, high = self->n - 1;

  while (high - low > 1)
    {
      const guint middle = low + (high - low) / 2;

      *(self->times[middle] <= time ? &low : &high) = middle;
    }
  return low;
}

double
es_navigation_get_heading (EsNavigation *self, double time)
{
  if (self == NULL || self->n == 0 || !isfinite (time))
    return NAN;
  if (self->times == NULL)
    return self->headings[0];
  const double first = self->times[0], last = self->times[self->n - 1];

  if (time < first || time > last || self->n == 1)
    return time >= first - self->interval && time <= last + self->interval
           ? self->headings[time < first ? 0 : self->n - 1] : NAN;

  const guint i = find_before (self, time);
  const double step = self->times[i + 1] - self->times[i], share = (time - self->times[i]) / step;
  const double turn = remainder (self->headings[i + 1] - self->headings[i], 360);

  if (share == 0 || share == 1)
    return self->headings[share == 0 ? i : i + 1];
  if (step > LONGEST_GAP * self->interval)
    return NAN;
  return wrap (self->headings[i] + share * turn);
}
