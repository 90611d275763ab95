/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-cluster-charts.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "lab/es-shown-unit.h"
#include "report/es-step-bars.h"

/* Below such a share of the shortest time a cause is not drawn. */
#define LEAST_SHARE 1e-3
#define MOST_POINTS 256

/* Numbers of nodes in steps that can be seen. */
static guint
list_nodes (double *x)
{
  guint n = 0;

  for (guint nodes = 1; nodes < ES_CLUSTER_MOST_NODES && n < MOST_POINTS - 1; nodes += MAX (nodes / 40, 1))
    x[n++] = nodes;
  x[n++] = ES_CLUSTER_MOST_NODES;
  return n;
}

/* TRUE: a round number of decades lies round what is there. */
static void
set_range (EsPlot *plot, double least, double most)
{
  if (!(least > 0 && most >= least))
    return;
  es_plot_set_y_range (plot, pow (10, floor (log10 (least) + 1e-9)), pow (10, ceil (log10 (most * 1.0001))));
}

static void
set_axes (EsPlot *plot, const char *unit)
{
  es_plot_clear (plot);
  es_plot_set_x_axis (plot, _("Nodes"), NULL);
  es_plot_set_x_division (plot, ES_PLOT_X_DECADES);
  es_plot_set_x_range (plot, 1, ES_CLUSTER_MOST_NODES);
  es_plot_set_y_axis (plot, _("Time"), unit, TRUE);
}

void
es_cluster_chart_time (EsPlot *plot, const EsClusterPlan *plan, guint nodes)
{
  double x[MOST_POINTS], time[MOST_POINTS], ideal[MOST_POINTS], efficiency[MOST_POINTS];
  const guint n = list_nodes (x);
  double factor, least = INFINITY, most = 0, best = 100;
  const char *unit = es_shown_unit ("s", plan->times[plan->fastest - 1].seconds, &factor);
  g_autofree char *label = g_strdup_printf (g_dngettext (GETTEXT_PACKAGE, "%u node", "%u nodes", nodes), nodes);
  guint line;

  for (guint i = 0; i < n; i++)
    {
      const guint at = (guint) x[i];

      time[i] = plan->times[at - 1].seconds * factor;
      ideal[i] = plan->times[0].seconds * factor / at;
      efficiency[i] = 100 * es_cluster_plan_efficiency (plan, at);
      best = fmax (best, efficiency[i]);
      least = fmin (least, time[i]);
      most = fmax (most, time[i]);
    }
  /* What it would be if it scaled goes far below, and is cut off there. */
  for (guint i = 0; i < n; i++)
    ideal[i] = ideal[i] >= least / 10 ? ideal[i] : NAN;
  set_axes (plot, unit);
  set_range (plot, least / 3, most);
  es_plot_set_right_axis (plot, _("Efficiency"), "%", 0, 20 * ceil (best / 20 + 0.01));
  line = es_plot_add_series (plot, _("Time"), ES_PLOT_LINE, FALSE, n, x, time);
  es_plot_add_series (plot, _("Efficiency"), ES_PLOT_LINE, TRUE, n, x, efficiency);
  es_plot_set_beside (plot, es_plot_add_series (plot, _("Time if it scaled"), ES_PLOT_LINE, FALSE, n, x, ideal), line);
  es_plot_add_marker (plot, FALSE, nodes, label, TRUE);
}

void
es_cluster_chart_causes (EsPlot *plot, const EsClusterPlan *plan)
{
  double x[MOST_POINTS], y[MOST_POINTS], factor, most = 0;
  const guint n = list_nodes (x);
  const double shortest = plan->times[plan->fastest - 1].seconds;
  const char *unit = es_shown_unit ("s", shortest, &factor);

  set_axes (plot, unit);
  es_plot_remove_right_axis (plot);
  for (guint cause = 0; cause < ES_N_CLUSTER_CAUSES; cause++)
    {
      guint seen = 0;

      for (guint i = 0; i < n; i++)
        {
          const double seconds = plan->times[(guint) x[i] - 1].of[cause];

          y[i] = seconds >= shortest * LEAST_SHARE ? seconds * factor : NAN;
          seen += !isnan (y[i]);
          most = fmax (most, seconds * factor);
        }
      if (seen > 1)
        es_plot_add_series (plot, es_cluster_cause_get_title (cause), ES_PLOT_LINE, FALSE, n, x, y);
    }
  set_range (plot, shortest * LEAST_SHARE * factor, most);
}

/* ---- steps ---- */

/* What es-step-bars.h takes: borrows from itself and from the plan. */
typedef struct
{
  EsStepBarsRows rows;
  char          *titles[2];
  const char   **steps;
  double        *ms, totals[2];
} Bars;

static void
bars_clear (Bars *self)
{
  g_free (self->titles[0]);
  g_free (self->titles[1]);
  g_free (self->steps);
  g_free (self->ms);
}

static void
bars_fill (Bars *self, const EsClusterPlan *plan, guint nodes)
{
  const guint n = plan->work->n, counts[] = { 1, nodes }, n_rows = nodes > 1 ? 2 : 1;
  g_autofree EsClusterTime *times = g_new0 (EsClusterTime, MAX (n, 1));

  *self = (Bars) { .steps = g_new0 (const char *, n + 1), .ms = g_new0 (double, 2 * n + 1) };
  for (guint i = 0; i < n; i++)
    self->steps[i] = _(plan->work->steps[i].title);
  for (guint row = 0; row < n_rows; row++)
    {
      self->titles[row] = g_strdup_printf (g_dngettext (GETTEXT_PACKAGE, "%u node", "%u nodes", counts[row]),
                                           counts[row]);
      self->totals[row] = 1e3 * es_cluster_plan_time (plan->work, plan->cluster, counts[row], times).seconds;
      for (guint i = 0; i < n; i++)
        self->ms[row * n + i] = times[i].seconds > 0 ? 1e3 * times[i].seconds : NAN;
    }
  self->rows = (EsStepBarsRows) { n_rows, n, (const char *const *) self->titles, self->steps, self->ms,
                                  self->totals, NULL };
}

int
es_cluster_chart_steps_height (const EsClusterPlan *plan, guint nodes)
{
  Bars bars;
  int height;

  bars_fill (&bars, plan, nodes);
  height = es_step_bars_get_rows_height (&bars.rows, ES_STEP_BARS_GROUPED);
  bars_clear (&bars);
  return height;
}

void
es_cluster_chart_steps (const EsClusterPlan *plan, guint nodes, cairo_t *cr, int width, int height,
                        const EsPlotColors *colors)
{
  Bars bars;

  bars_fill (&bars, plan, nodes);
  es_step_bars_draw_rows (&bars.rows, ES_STEP_BARS_GROUPED, cr, width, height, colors);
  bars_clear (&bars);
}
