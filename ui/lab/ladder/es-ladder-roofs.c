/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-ladder-roofs.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "charts/es-plot-view.h"
#include "charts/es-plot-zoom.h"
#include "widgets/es-format.h"

#define LEFTMOST 0.05          /* operations a byte, unless a rung lies beyond */
#define RIGHTMOST 200.0
#define G 1e9                  /* what the axis counts in */
#define N_MARKS 3

/* In the order of their colours, which are those of the bars. */
static const EsSheetMark marks[N_MARKS] = { ES_SHEET_STEP, ES_SHEET_LIBRARY, ES_SHEET_PRODUCTION };

struct _EsLadderRoofs
{
  GtkWidget     parent_instance;

  EsLadderWalk *walk;
  EsPlot       *plot;
  GtkWidget    *view;
  GArray       *rungs[N_MARKS];      /* guint: of each point of a series, the first ones of the plot */
};

G_DEFINE_FINAL_TYPE (EsLadderRoofs, es_ladder_roofs, GTK_TYPE_WIDGET)

/* ---- what is drawn ---- */

static gboolean
has_point (const EsSheetRung *rung)
{
  return isfinite (rung->intensity) && isfinite (rung->rate) && rung->intensity > 0 && rung->rate > 0
         && rung->refused == NULL && rung->wrong == NULL;
}

static double
find_highest (EsLadderSheet *sheet, gboolean sloped)
{
  double highest = 0;

  for (guint i = 0; i < sheet->roofs->len; i++)
    if (g_array_index (sheet->roofs, EsSheetRoof, i).sloped == sloped)
      highest = fmax (highest, g_array_index (sheet->roofs, EsSheetRoof, i).value);
  return highest;
}

static void
find_axes (EsLadderRoofs *self, EsLadderSheet *sheet, double *left, double *right, double *low, double *high)
{
  *left = LEFTMOST;
  *right = RIGHTMOST;
  *low = INFINITY;
  *high = 0;
  for (guint i = 0; i < es_ladder_sheet_get_n (sheet); i++)
    {
      const EsSheetRung *rung = es_ladder_sheet_get (sheet, i);

      if (!has_point (rung) || !es_ladder_walk_is_seen (self->walk, i))
        continue;
      *left = fmin (*left, rung->intensity / 2);
      *right = fmax (*right, rung->intensity * 2);
      *low = fmin (*low, rung->rate / 3);
      *high = fmax (*high, rung->rate * 2);
    }
  for (guint i = 0; i < sheet->roofs->len; i++)
    {
      const EsSheetRoof *roof = &g_array_index (sheet->roofs, EsSheetRoof, i);

      /* Where it meets the memory's slope there is still some of it to be seen. */
      if (!roof->sloped && find_highest (sheet, TRUE) > 0)
        *right = fmax (*right, 4 * roof->value / find_highest (sheet, TRUE));
      if (!roof->sloped)
        *high = fmax (*high, roof->value * 2.5);
      else
        *low = fmin (*low, roof->value * *left);
    }
}

/* A slope goes up to the highest level, a level begins at the steepest slope. */
static void
add_roof (EsLadderRoofs *self, EsLadderSheet *sheet, const EsSheetRoof *roof, double left, double right)
{
  const double other = find_highest (sheet, !roof->sloped);
  const double from = roof->sloped || other <= 0 ? left : fmax (left, roof->value / other);
  const double to = !roof->sloped || other <= 0 ? right : fmin (right, other / roof->value);
  /* What it is called stands where the others' lines are few: on the slope left, on a level right. */
  const double at = roof->sloped ? left * pow (to / left, 0.3) : right / pow (right / from, 0.02);
  const double x[] = { from, at, to };
  const double y[] = { roof->sloped ? roof->value * from / G : roof->value / G,
                       roof->sloped ? roof->value * at / G : roof->value / G,
                       roof->sloped ? roof->value * to / G : roof->value / G };
  const char *const labels[] = { NULL, roof->title, NULL };
  guint series;

  if (!(roof->value > 0) || !(to > from))
    return;
  series = es_plot_add_series (self->plot, roof->title, ES_PLOT_LINE, FALSE, G_N_ELEMENTS (x), x, y);
  es_plot_set_muted (self->plot, series, TRUE);
  es_plot_set_labels (self->plot, series, labels);
}

static void
add_points (EsLadderRoofs *self, EsLadderSheet *sheet, guint at)
{
  static const EsPlotStyle styles[] = { ES_PLOT_DOTS, ES_PLOT_DIAMONDS, ES_PLOT_SQUARES };
  const char *const titles[] = { _("Rungs"), _("Libraries"), _("What Eigenscope uses") };
  g_autoptr (GArray) x = g_array_new (FALSE, FALSE, sizeof (double)), y = g_array_new (FALSE, FALSE, sizeof (double));
  g_autoptr (GPtrArray) labels = g_ptr_array_new ();
  guint series;

  g_array_set_size (self->rungs[at], 0);
  for (guint i = 0; i < es_ladder_sheet_get_n (sheet); i++)
    {
      const EsSheetRung *rung = es_ladder_sheet_get (sheet, i);
      const double rate = rung->rate / G;

      if (rung->mark != marks[at] || !has_point (rung) || !es_ladder_walk_is_seen (self->walk, i))
        continue;
      g_array_append_val (x, rung->intensity);
      g_array_append_val (y, rate);
      g_ptr_array_add (labels, rung->name);
      g_array_append_val (self->rungs[at], i);
    }
  series = es_plot_add_series (self->plot, titles[at], styles[at], FALSE, x->len, (const double *) x->data,
                               (const double *) y->data);
  es_plot_set_labels (self->plot, series, (const char * const *) labels->pdata);
}

static void
on_selected (EsLadderRoofs *self)
{
  const int selected = es_ladder_walk_get_selected (self->walk);

  for (guint at = 0; at < N_MARKS && at < es_plot_get_n_series (self->plot); at++)
    {
      int point = -1;

      for (guint i = 0; i < self->rungs[at]->len; i++)
        if ((int) g_array_index (self->rungs[at], guint, i) == selected)
          point = (int) i;
      es_plot_set_highlight (self->plot, at, point);
    }
}

static void
on_changed (EsLadderRoofs *self)
{
  EsLadderSheet *sheet = es_ladder_walk_get_sheet (self->walk);
  double left, right, low, high;

  es_plot_clear (self->plot);
  gtk_widget_set_visible (GTK_WIDGET (self), sheet != NULL && sheet->roofs->len > 0);
  if (sheet == NULL)
    return;
  find_axes (self, sheet, &left, &right, &low, &high);
  es_plot_set_x_range (self->plot, left, right);
  es_plot_set_y_range (self->plot, low / G, high / G);
  for (guint at = 0; at < N_MARKS; at++)
    add_points (self, sheet, at);
  for (guint i = 0; i < sheet->roofs->len; i++)
    add_roof (self, sheet, &g_array_index (sheet->roofs, EsSheetRoof, i), left, right);
  es_plot_set_caption (self->plot, sheet->title, sheet->of);
  on_selected (self);
}

/* ---- by hand ---- */

int
es_ladder_roofs_find (EsLadderRoofs *self, guint series, guint point)
{
  g_return_val_if_fail (ES_IS_LADDER_ROOFS (self), -1);

  return series < N_MARKS && point < self->rungs[series]->len
         ? (int) g_array_index (self->rungs[series], guint, point) : -1;
}

static int
find_rung_at (EsLadderRoofs *self, double x, double y)
{
  guint series, point;

  return es_plot_pick_point (self->plot, x, y, gtk_widget_get_width (self->view), gtk_widget_get_height (self->view),
                             &series, &point) ? es_ladder_roofs_find (self, series, point) : -1;
}

static void
on_clicked (GtkGestureClick *gesture, int n, double x, double y, EsLadderRoofs *self)
{
  const int rung = find_rung_at (self, x, y);

  if (rung >= 0)
    es_ladder_walk_select (self->walk, (guint) rung);
}

static gboolean
on_query_tooltip (GtkWidget *view, int x, int y, gboolean keyboard, GtkTooltip *tooltip, EsLadderRoofs *self)
{
  const int rung = keyboard ? -1 : find_rung_at (self, x, y);
  const EsSheetRung *its = rung >= 0 ? es_ladder_sheet_get (es_ladder_walk_get_sheet (self->walk), (guint) rung) : NULL;

  if (its == NULL)
    return FALSE;
  g_autofree char *rate = es_format_value (its->rate, "1/s"), *intensity = es_format_value (its->intensity, NULL);
  /* TRANSLATORS: a rung; operations a second; operations a byte */
  g_autofree char *text = g_strdup_printf (_("%s, %s\n%s at %s operations a byte"), its->name, its->title, rate,
                                           intensity);
  gtk_tooltip_set_text (tooltip, text);
  return TRUE;
}

/* ---- the widget ---- */

static void
es_ladder_roofs_dispose (GObject *object)
{
  EsLadderRoofs *self = ES_LADDER_ROOFS (object);

  g_clear_pointer (&self->view, gtk_widget_unparent);
  g_clear_object (&self->plot);
  g_clear_object (&self->walk);
  for (guint at = 0; at < N_MARKS; at++)
    g_clear_pointer (&self->rungs[at], g_array_unref);
  G_OBJECT_CLASS (es_ladder_roofs_parent_class)->dispose (object);
}

static void
es_ladder_roofs_class_init (EsLadderRoofsClass *class)
{
  G_OBJECT_CLASS (class)->dispose = es_ladder_roofs_dispose;
  gtk_widget_class_set_layout_manager_type (GTK_WIDGET_CLASS (class), GTK_TYPE_BIN_LAYOUT);
}

static void
es_ladder_roofs_init (EsLadderRoofs *self)
{
  for (guint at = 0; at < N_MARKS; at++)
    self->rungs[at] = g_array_new (FALSE, FALSE, sizeof (guint));
  self->plot = es_plot_new ();
  es_plot_set_title (self->plot, _("Roofline"));
  es_plot_set_x_axis (self->plot, _("Operations a byte"), NULL);
  /* TRANSLATORS: of the axis "Operations a second" */
  es_plot_set_y_axis (self->plot, _("Operations a second"), _("10⁹/s"), TRUE);
  es_plot_set_x_division (self->plot, ES_PLOT_X_DECADES);
  /* Everything is named where it stands. */
  es_plot_set_read_out (self->plot, FALSE);
  es_plot_set_screen_legend (self->plot, FALSE);
}

GtkWidget *
es_ladder_roofs_new (EsLadderWalk *walk, int height)
{
  EsLadderRoofs *self = g_object_new (ES_TYPE_LADDER_ROOFS, NULL);
  GtkGesture *click = gtk_gesture_click_new ();

  self->walk = g_object_ref (walk);
  self->view = es_plot_view_new (self->plot, height);
  es_plot_zoom_add (ES_PLOT_VIEW (self->view));
  gtk_widget_set_has_tooltip (self->view, TRUE);
  g_signal_connect (self->view, "query-tooltip", G_CALLBACK (on_query_tooltip), self);
  g_signal_connect (click, "released", G_CALLBACK (on_clicked), self);
  gtk_widget_add_controller (self->view, GTK_EVENT_CONTROLLER (click));
  gtk_widget_set_parent (self->view, GTK_WIDGET (self));
  g_signal_connect_object (walk, "changed", G_CALLBACK (on_changed), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (walk, "selected", G_CALLBACK (on_selected), self, G_CONNECT_SWAPPED);
  on_changed (self);
  return GTK_WIDGET (self);
}

EsPlot *
es_ladder_roofs_get_plot (EsLadderRoofs *self)
{
  g_return_val_if_fail (ES_IS_LADDER_ROOFS (self), NULL);
  return self->plot;
}
