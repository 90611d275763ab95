/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-lab-curve.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#include "charts/es-curve-plot.h"
#include "lab/es-shown-unit.h"
#include "operations/es-operations.h"
#include "operations/lab/es-experiment.h"

/* Points of one series of a profile. */
typedef struct
{
  GArray     *x, *y;
  const char *x_unit, *unit;         /* of the profile's; nullable */
} Points;

static void
points_clear (Points *points)
{
  g_clear_pointer (&points->x, g_array_unref);
  g_clear_pointer (&points->y, g_array_unref);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Points, points_clear)

typedef struct { double x, y; } Point;

static int
compare_points (gconstpointer a, gconstpointer b)
{
  const Point *one = a, *other = b;

  return one->x < other->x ? -1 : one->x > other->x;
}

/* Names are the same in every file, and translated where they are shown. */
static gboolean
is_called (const EsFigure *figure, const char *name)
{
  return g_strcmp0 (figure->name, name) == 0
         || g_strcmp0 (g_dgettext (GETTEXT_PACKAGE, figure->name), name) == 0;
}

/* FALSE: it has none. */
static gboolean
find_points (EsDeviceProfile *profile, const char *experiment, const char *group, const char *name, Points *points)
{
  g_autoptr (GArray) found = g_array_new (FALSE, FALSE, sizeof (Point));

  for (guint i = 0; i < es_device_profile_get_n (profile); i++)
    {
      const EsFigure *figure = es_device_profile_get (profile, i);

      if (g_strcmp0 (figure->experiment, experiment) != 0 || g_strcmp0 (figure->group, group) != 0
          || isnan (figure->x) || !is_called (figure, name))
        continue;
      points->x_unit = figure->x_unit;
      points->unit = figure->unit;
      g_array_append_val (found, ((Point) { figure->x, figure->value }));
    }
  if (found->len == 0)
    return FALSE;
  g_array_sort (found, compare_points);
  points->x = g_array_new (FALSE, FALSE, sizeof (double));
  points->y = g_array_new (FALSE, FALSE, sizeof (double));
  for (guint i = 0; i < found->len; i++)
    {
      g_array_append_val (points->x, g_array_index (found, Point, i).x);
      g_array_append_val (points->y, g_array_index (found, Point, i).y);
    }
  return TRUE;
}

/* What a unit of the other is in one's own, where they are of one kind; 0: they are not. */
static double
find_factor (const char *from, const char *to)
{
  static const struct { const char *unit; const char *of; double factor; } units[] = {
    { "s", "s", 1 }, { "ms", "s", 1e-3 }, { "µs", "s", 1e-6 }, { "ns", "s", 1e-9 },
    { "B/s", "B/s", 1 }, { "kB/s", "B/s", 1e3 }, { "MB/s", "B/s", 1e6 }, { "GB/s", "B/s", 1e9 },
    { "1/s", "1/s", 1 }, { "k/s", "1/s", 1e3 }, { "M/s", "1/s", 1e6 }, { "G/s", "1/s", 1e9 },
  };
  int a = -1, b = -1;

  /* Words are translated where they are shown. */
  if (g_strcmp0 (from, to) == 0 || (from != NULL && g_strcmp0 (g_dgettext (GETTEXT_PACKAGE, from), to) == 0))
    return 1;
  for (guint i = 0; i < G_N_ELEMENTS (units); i++)
    {
      a = g_strcmp0 (units[i].unit, from) == 0 ? (int) i : a;
      b = g_strcmp0 (units[i].unit, to) == 0 ? (int) i : b;
    }
  return a >= 0 && b >= 0 && g_str_equal (units[a].of, units[b].of) ? units[a].factor / units[b].factor : 0;
}

static void
add_beside (EsPlot *plot, guint series, const char *title, const char *unit, EsDeviceProfile *other,
            const char *experiment, const char *group, const char *name)
{
  g_auto (Points) points = { 0 };
  g_autofree char *label = NULL;
  double factor;
  guint index;

  if (!find_points (other, experiment, group, name, &points))
    return;
  factor = find_factor (points.unit, unit);
  if (factor == 0)
    return;
  for (guint i = 0; i < points.y->len; i++)
    g_array_index (points.y, double, i) *= factor;
  /* TRANSLATORS: a curve of another machine: what it shows, and the machine's name */
  label = g_strdup_printf ("%s, %s", title, es_device_profile_get_name (other));
  index = es_plot_add_series (plot, label, ES_PLOT_LINE, FALSE, points.x->len, (const double *) points.x->data,
                              (const double *) points.y->data);
  es_plot_set_beside (plot, index, series);
}

EsPlot *
es_lab_curve_plot_new (EsCurve *curve, const char *experiment, GPtrArray *others)
{
  EsPlot *plot = es_curve_plot_new (curve);
  const char *group = es_layer_get_name (ES_LAYER (curve));
  guint at = 0;

  for (guint s = 0; s < es_curve_get_n_series (curve); s++)
    {
      const EsCurveSeries *series = es_curve_get_series (curve, s);

      if (series->style == ES_CURVE_LISTED)
        continue;
      for (guint i = 0; others != NULL && i < others->len && !series->right_axis; i++)
        add_beside (plot, at, series->title, series->unit, g_ptr_array_index (others, i), experiment, group,
                    series->title);
      at++;
    }
  return plot;
}

/* Sizes, and what else is asked at powers of two. */
static gboolean
is_binary (const Points *points)
{
  const double *x = (const double *) points->x->data;
  int exponent;

  if (x[0] <= 0 || x[points->x->len - 1] < 8 * x[0])
    return FALSE;
  for (guint i = 0; i < points->x->len && g_strcmp0 (points->x_unit, "B") != 0; i++)
    if (frexp (x[i], &exponent) != 0.5)
      return FALSE;
  return TRUE;
}

/* Units of which more is written are words ("B/s", but "lanes"). */
#define LONGEST_SIGN 3

/* "Lanes". Transfer full. */
static char *
capitalise (const char *word)
{
  const gunichar first = g_unichar_totitle (g_utf8_get_char (word));
  char letter[7] = "";

  g_unichar_to_utf8 (first, letter);
  return g_strconcat (letter, g_utf8_next_char (word), NULL);
}

/* Of a group as it is called where it was measured. */
static void
set_axes (EsPlot *plot, const char *experiment, const char *group, const Points *points, const char *unit,
          gboolean wide)
{
  EsExperimentAxes axes = { 0 };
  const EsOperation *operation = es_operation_find (experiment, NULL);
  g_autofree char *counted = NULL;
  double factor;

  if (!es_experiment_get_axes (experiment, group, &axes) || axes.x_title == NULL)
    {
      axes.x_unit = es_shown_unit (points->x_unit, 1, &factor);
      axes.log_y = wide;
      /* Which says what is counted. */
      if (points->x_unit != NULL && strlen (points->x_unit) > LONGEST_SIGN)
        axes.x_title = counted = capitalise (g_steal_pointer (&axes.x_unit));
    }
  es_plot_set_x_axis (plot, axes.x_title, axes.x_unit);
  es_plot_set_y_axis (plot, axes.y_title != NULL ? axes.y_title
                            : operation != NULL ? _(operation->short_title) : experiment, unit, axes.log_y);
  es_plot_set_x_division (plot, is_binary (points) ? ES_PLOT_X_BINARY : ES_PLOT_X_LINEAR);
}

const char *
es_lab_curve_get_title (const char *experiment, const char *group)
{
  EsExperimentAxes axes;
  const EsOperation *operation = es_operation_find (experiment, NULL);

  return es_experiment_get_axes (experiment, group, &axes) && axes.title != NULL ? axes.title
         : operation != NULL ? _(operation->title) : experiment;
}

/* Names of the series of a group, borrowed; *largest: of all their values. */
static GPtrArray *
list_names (EsDeviceProfile *profile, const char *experiment, const char *group, double *largest)
{
  g_autoptr (GHashTable) seen = g_hash_table_new (g_str_hash, g_str_equal);
  GPtrArray *names = g_ptr_array_new ();

  *largest = 0;
  for (guint i = 0; i < es_device_profile_get_n (profile); i++)
    {
      const EsFigure *figure = es_device_profile_get (profile, i);

      if (g_strcmp0 (figure->experiment, experiment) != 0 || g_strcmp0 (figure->group, group) != 0
          || isnan (figure->x))
        continue;
      *largest = MAX (*largest, figure->value);
      if (g_hash_table_add (seen, figure->name))
        g_ptr_array_add (names, figure->name);
    }
  return names;
}

EsPlot *
es_lab_curve_plot_new_of (EsDeviceProfile *profile, const char *experiment, const char *group, GPtrArray *others)
{
  double largest, factor = 1, from = INFINITY, to = 0;
  g_autoptr (GPtrArray) names = list_names (profile, experiment, group, &largest);
  g_autoptr (EsPlot) plot = es_plot_new ();
  const char *unit = NULL;

  if (names->len == 0)
    return NULL;
  /* One's own first: what is beside has their colours, and takes none. */
  for (guint k = 0; k < names->len; k++)
    {
      const char *name = g_ptr_array_index (names, k);
      g_auto (Points) points = { 0 };

      find_points (profile, experiment, group, name, &points);
      unit = es_shown_unit (points.unit, largest, &factor);
      for (guint i = 0; i < points.y->len; i++)
        {
          g_array_index (points.y, double, i) *= factor;
          from = MIN (from, g_array_index (points.y, double, i));
          to = MAX (to, g_array_index (points.y, double, i));
        }
      set_axes (plot, experiment, group, &points, unit, from > 0 && to > 20 * from);
      es_plot_add_series (plot, g_dgettext (GETTEXT_PACKAGE, name), ES_PLOT_LINE, FALSE, points.x->len,
                          (const double *) points.x->data, (const double *) points.y->data);
    }
  for (guint k = 0; k < names->len; k++)
    for (guint i = 0; others != NULL && i < others->len; i++)
      add_beside (plot, k, g_dgettext (GETTEXT_PACKAGE, g_ptr_array_index (names, k)), unit,
                  g_ptr_array_index (others, i), experiment, group, g_ptr_array_index (names, k));
  return g_steal_pointer (&plot);
}
