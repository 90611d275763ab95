/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-bearing-scale.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

/* Columns of an axis that goes once round: as fine as the beams, within these. */
#define FEWEST_COLUMNS 360
#define MOST_COLUMNS 1440

struct _EsBearingScale
{
  EsBearings     kind;
  EsSonarSource *source;
  EsArray       *array;          /* nullable */
  EsNavigation  *navigation;     /* nullable */
  gboolean       line, mirrored;
  guint          n_angles;
  double        *angles;         /* n_angles, ascending or descending, as the settings have them */
  gboolean       descending, closed;   /* they go once round */
  guint          n_columns;
  double        *columns;
};

static double
wrap (double degrees, double least)
{
  const double turned = fmod (degrees - least, 360);

  return least + (turned < 0 ? fmod (turned + 360, 360) : turned);
}

/* The k-th angle, counted upwards. */
static guint
ascending (EsBearingScale *self, guint k)
{
  return self->descending ? self->n_angles - 1 - k : k;
}

static double
finest_step (EsBearingScale *self)
{
  double finest = INFINITY;

  for (guint i = 1; i < self->n_angles; i++)
    finest = fmin (finest, fabs (self->angles[i] - self->angles[i - 1]));
  return finest;
}

static void
make_columns (EsBearingScale *self)
{
  if (self->kind == ES_BEARINGS_ARRAY || self->n_angles == 0)
    {
      self->n_columns = self->n_angles;
      self->columns = g_memdup2 (self->angles, sizeof (double) * self->n_angles);
      return;
    }
  self->n_columns = (guint) CLAMP (ceil (360 / finest_step (self)), FEWEST_COLUMNS, MOST_COLUMNS);
  self->columns = g_new (double, self->n_columns);
  for (guint c = 0; c < self->n_columns; c++)
    self->columns[c] = 360. * c / self->n_columns;
}

static EsBearings
settle_kind (EsBearingScale *self, EsBearings wanted)
{
  double plane;

  if (self->array == NULL || self->n_angles == 0)
    return ES_BEARINGS_ARRAY;
  /* The angles of an upright line are no bearings. */
  if (es_array_is_line (self->array) && !es_array_get_mirror_plane (self->array, &plane))
    return ES_BEARINGS_ARRAY;
  if (wanted == ES_BEARINGS_TRUE
      && (self->navigation == NULL || es_navigation_get_n_headings (self->navigation) == 0
          || !es_array_has_true_bearings (self->array)))
    return ES_BEARINGS_ARRAY;
  return wanted;
}

EsBearingScale *
es_bearing_scale_new (EsSonarSource *source, EsBearings wanted)
{
  EsBearingScale *self = g_new0 (EsBearingScale, 1);
  const EsBeamSettings *settings = es_sonar_source_get_settings (source);
  EsRecording *recording = es_sonar_source_get_recording (source);
  double plane;

  self->source = source;
  self->array = es_sonar_source_get_array (source);
  self->navigation = recording != NULL ? es_recording_dup_navigation (recording) : NULL;
  self->line = es_sonar_source_is_line (source);
  self->mirrored = self->array != NULL ? es_array_get_mirror_plane (self->array, &plane) : self->line;
  self->n_angles = settings != NULL ? settings->n_angles : 0;
  self->angles = settings != NULL ? g_memdup2 (settings->angles, sizeof (double) * settings->n_angles) : NULL;
  self->descending = self->n_angles > 1 && self->angles[0] > self->angles[self->n_angles - 1];
  self->kind = settle_kind (self, wanted);
  if (self->n_angles > 2 && !self->line)
    {
      const double step = finest_step (self);

      self->closed = fabs (self->angles[self->n_angles - 1] - self->angles[0]) >= 360 - 1.5 * step;
    }
  make_columns (self);
  return self;
}

void
es_bearing_scale_free (EsBearingScale *self)
{
  g_clear_pointer (&self->array, es_array_unref);
  g_clear_pointer (&self->navigation, es_navigation_unref);
  g_free (self->angles);
  g_free (self->columns);
  g_free (self);
}

EsBearings
es_bearing_scale_get_kind (EsBearingScale *self)
{
  return self->kind;
}

gboolean
es_bearing_scale_is_plain (EsBearingScale *self)
{
  return self->kind == ES_BEARINGS_ARRAY;
}

const char *
es_bearing_scale_get_title (EsBearingScale *self)
{
  return self->kind == ES_BEARINGS_TRUE ? _("True bearing") : _("Bearing");
}

guint
es_bearing_scale_get_columns (EsBearingScale *self, const double **values)
{
  if (values != NULL)
    *values = self->columns;
  return self->n_columns;
}

/* ---- from the array to the axis and back ---- */

double
es_bearing_scale_get_heading (EsBearingScale *self, guint64 row)
{
  if (self->kind != ES_BEARINGS_TRUE)
    return 0;
  return es_navigation_is_fixed (self->navigation)
         ? es_navigation_get_heading (self->navigation, 0)
         : es_navigation_get_heading (self->navigation, es_sonar_source_get_row_time (self->source, row));
}

gboolean
es_bearing_scale_is_steady (EsBearingScale *self)
{
  return self->kind != ES_BEARINGS_TRUE || es_navigation_is_fixed (self->navigation);
}

guint
es_bearing_scale_show (EsBearingScale *self, double heading, double bearing, double shown[2])
{
  shown[0] = shown[1] = NAN;
  if (isnan (bearing))
    return 0;
  switch (self->kind)
    {
    case ES_BEARINGS_TRUE:
      return es_array_get_true_bearings (self->array, heading, bearing, shown);
    case ES_BEARINGS_ROUND:
      shown[0] = wrap (bearing, 0);
      if (self->line)
        shown[1] = wrap (360 - bearing, 0);
      /* The image of a bearing in an upright plane is looked for, and found, as a bearing of its own. */
      return self->line ? 2 : 1;
    default:
      shown[0] = bearing;
      return 1;
    }
}

/* Whether a beam is formed there, or on both sides of it. */
static gboolean
is_searched (EsBearingScale *self, double bearing)
{
  const guint n = self->n_angles;
  double first, last;

  if (n == 0 || isnan (bearing))
    return FALSE;
  if (self->closed || n == 1)
    return self->closed || fabs (bearing - self->angles[0]) < 0.5;
  first = self->angles[ascending (self, 0)];
  last = self->angles[ascending (self, n - 1)];
  return bearing >= first - (self->angles[ascending (self, 1)] - first) / 2
         && bearing <= last + (last - self->angles[ascending (self, n - 2)]) / 2;
}

double
es_bearing_scale_find (EsBearingScale *self, double heading, double shown, guint *side)
{
  double bearing = shown, places[2];

  if (self->kind == ES_BEARINGS_TRUE)
    bearing = es_array_find_bearing (self->array, heading, shown);
  else if (self->kind == ES_BEARINGS_ROUND)
    bearing = self->line ? fabs (remainder (shown, 360)) : shown;
  /* As the angles count: from -180 or from 0. */
  if (self->kind != ES_BEARINGS_ARRAY && !self->line && self->n_angles > 0 && !isnan (bearing))
    {
      const double first = self->angles[ascending (self, 0)], last = self->angles[ascending (self, self->n_angles - 1)];

      bearing = wrap (bearing, first - MAX (360 - (last - first), 0) / 2);
    }
  /* Where nobody has looked there is no beam. */
  if (self->kind != ES_BEARINGS_ARRAY && !is_searched (self, bearing))
    return NAN;
  if (side != NULL)
    {
      *side = 0;
      if (es_bearing_scale_show (self, heading, bearing, places) == 2)
        *side = fabs (remainder (places[1] - shown, 360)) < fabs (remainder (places[0] - shown, 360)) ? 1 : 0;
    }
  return bearing;
}

/* ---- powers ---- */

/* How many angles are below a bearing, counted upwards. */
static guint
count_below (EsBearingScale *self, double bearing)
{
  guint low = 0, high = self->n_angles;

  while (low < high)
    {
      const guint middle = low + (high - low) / 2;

      if (self->angles[ascending (self, middle)] < bearing)
        low = middle + 1;
      else
        high = middle;
    }
  return low;
}

/* Between the two angles round a bearing; NAN beyond the first and the last, unless they go once round. */
static float
between (EsBearingScale *self, double bearing, guint above, const float *powers)
{
  const guint n = self->n_angles;
  guint a, b;
  double from, to;

  if (above > 0 && above < n)
    {
      a = ascending (self, above - 1);
      b = ascending (self, above);
      from = self->angles[a];
      to = self->angles[b];
    }
  else if (self->closed)
    {
      a = ascending (self, n - 1);
      b = ascending (self, 0);
      from = self->angles[a] - (above == 0 ? 360 : 0);
      to = self->angles[b] + (above == 0 ? 0 : 360);
    }
  else
    return NAN;
  return to > from ? (float) (powers[a] + (bearing - from) / (to - from) * (powers[b] - powers[a])) : powers[a];
}

void
es_bearing_scale_spread (EsBearingScale *self, double heading, const float *powers, float *columns)
{
  const double half = 180. / self->n_columns;

  if (self->kind == ES_BEARINGS_ARRAY)
    {
      memcpy (columns, powers, sizeof (float) * self->n_columns);
      return;
    }
  for (guint c = 0; c < self->n_columns; c++)
    {
      const double bearing = es_bearing_scale_find (self, heading, self->columns[c], NULL);
      float largest = NAN;

      if (!isnan (bearing))
        {
          for (guint k = count_below (self, bearing - half);
               k < self->n_angles && self->angles[ascending (self, k)] <= bearing + half; k++)
            largest = fmaxf (largest, powers[ascending (self, k)]);
          if (isnan (largest))
            largest = between (self, bearing, count_below (self, bearing), powers);
        }
      columns[c] = largest;
    }
}

typedef struct { double shown, level; } Point;

static int
compare_points (gconstpointer a, gconstpointer b)
{
  const Point *x = a, *y = b;

  return (x->shown > y->shown) - (x->shown < y->shown);
}

/* One gap in a curve that is wider than beams are apart anywhere: a point of no level in it. */
static guint
split_at_gap (EsBearingScale *self, Point *points, guint n)
{
  double widest = 0, coarsest = 0;
  guint at = 0;

  for (guint i = 1; i < self->n_angles; i++)
    coarsest = fmax (coarsest, fabs (self->angles[i] - self->angles[i - 1]));

  for (guint i = 1; i < n; i++)
    if (points[i].shown - points[i - 1].shown > widest)
      {
        widest = points[i].shown - points[i - 1].shown;
        at = i;
      }
  if (widest <= 2.1 * coarsest)
    return n;
  memmove (&points[at + 1], &points[at], sizeof *points * (n - at));
  points[at] = (Point) { (points[at - 1].shown + points[at + 1].shown) / 2, NAN };
  return n + 1;
}

double *
es_bearing_scale_unfold (EsBearingScale *self, double heading, guint n_angles, const double *angles,
                         const double *levels, guint *n, double **shown)
{
  g_autofree Point *points = g_new (Point, 2 * MAX (n_angles, 1) + 2);
  double *unfolded, places[2];
  guint n_points = 0;

  for (guint i = 0; i < n_angles; i++)
    {
      const guint found = es_bearing_scale_show (self, heading, angles[i], places);

      /* At the ends of a line both places are one; a plane's images are among its own bearings. */
      for (guint side = 0; side < (self->line ? found : MIN (found, 1)); side++)
        if (side == 0 || fabs (remainder (places[1] - places[0], 360)) > 1e-9)
          points[n_points++] = (Point) { places[side], levels[i] };
    }
  if (self->kind != ES_BEARINGS_ARRAY)
    qsort (points, n_points, sizeof *points, compare_points);
  /* Between the ends of what was searched there is nothing. */
  if (self->kind != ES_BEARINGS_ARRAY && n_points > 1)
    n_points = split_at_gap (self, points, n_points);
  *n = n_points;
  *shown = n_points > 0 ? g_new (double, n_points) : NULL;
  unfolded = n_points > 0 ? g_new (double, n_points) : NULL;
  for (guint i = 0; i < n_points; i++)
    {
      (*shown)[i] = points[i].shown;
      unfolded[i] = points[i].level;
    }
  return unfolded;
}

/* ---- words ---- */

static void
write_degrees (EsBearingScale *self, double shown, char text[32])
{
  /* 359.97 is 0.0, and not 360.0. */
  const double value = self->kind == ES_BEARINGS_ARRAY ? shown : fmod (rint (wrap (shown, 0) * 10) / 10, 360);

  g_snprintf (text, 32, self->kind == ES_BEARINGS_TRUE ? "%05.1f" : "%.1f", fabs (value));
  if (value < 0 && strcmp (text, "0.0") != 0)
    {
      char digits[24];

      g_strlcpy (digits, text, sizeof digits);
      g_snprintf (text, 32, "−%s", digits);
    }
}

gboolean
es_bearing_scale_is_line (EsBearingScale *self)
{
  return self->line;
}

gboolean
es_bearing_scale_is_mirrored (EsBearingScale *self)
{
  return self->mirrored;
}

void
es_bearing_scale_get_places (EsBearingScale *self, double heading, double bearing, double places[2])
{
  if (es_bearing_scale_show (self, heading, bearing, places) == 1 && self->kind != ES_BEARINGS_TRUE && self->mirrored)
    places[1] = self->array != NULL ? es_array_get_mirror (self->array, bearing) : 360 - bearing;
}

char *
es_bearing_scale_write (EsBearingScale *self, double shown)
{
  char text[32];

  if (isnan (shown))
    return g_strdup ("–");
  write_degrees (self, shown, text);
  return g_strdup_printf ("%s°", text);
}

char *
es_bearing_scale_format (EsBearingScale *self, double shown)
{
  g_autofree char *text = es_bearing_scale_write (self, shown);

  /* Translators: a bearing from true north: "056.6° true". */
  return self->kind == ES_BEARINGS_TRUE && !isnan (shown) ? g_strdup_printf (_("%s true"), text)
                                                          : g_steal_pointer (&text);
}

char *
es_bearing_scale_describe (EsBearingScale *self, double heading, double bearing, guint side)
{
  double places[2];
  char first[32], second[32];

  es_bearing_scale_get_places (self, heading, bearing, places);

  if (isnan (places[0]) && self->kind == ES_BEARINGS_TRUE && !isnan (bearing))
    {
      g_snprintf (first, sizeof first, "%.1f", bearing);
      return g_strdup_printf (_("%s° from the array, heading not known"), first);
    }
  if (self->kind == ES_BEARINGS_ARRAY)
    side = 0;
  if (isnan (places[1]))
    return es_bearing_scale_format (self, places[0]);
  write_degrees (self, places[side & 1], first);
  write_degrees (self, places[1 - (side & 1)], second);
  /* Translators: a bearing, and where else it may be: a line of hydrophones cannot tell left from right. */
  return self->kind == ES_BEARINGS_TRUE ? g_strdup_printf (_("%s° or %s° true"), first, second)
                                        : g_strdup_printf (_("%s° (mirror %s°)"), first, second);
}
