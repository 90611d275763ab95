/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* Plots of cubes are zoomed, moved, typed ranges into and their legends folded, by mouse and keys. */

#include <math.h>

#include "charts/es-plot-zoom.h"
#include "es-test-hands.h"
#include "es-test-shell.h"
#include "histogram/es-histogram-canvas.h"
#include "inspector/es-inspector-private.h"
#include "inspector/es-scatter-canvas.h"
#include "viewer/es-viewer-private.h"
#include "widgets/es-settings.h"

static EsInspector *
inspector_of (EsWindow *window)
{
  return ES_INSPECTOR (es_viewer_get_inspector (es_test_viewer (window)));
}

static gboolean
is_settled (gpointer window)
{
  return es_test_is_idle (window) && !es_viewer_is_loading (es_test_viewer (window));
}

static gboolean
on_time (gpointer late)
{
  *(gboolean *) late = TRUE;
  return G_SOURCE_REMOVE;
}

/* Also what takes a frame or two: places and sizes. */
static void
settle (EsWindow *window)
{
  gboolean late = FALSE;

  ES_TEST_WAIT (is_settled, window);
  g_timeout_add (100, on_time, &late);
  while (!late)
    g_main_context_iteration (NULL, TRUE);
  ES_TEST_WAIT (is_settled, window);
}

static gboolean
has_spectrum (gpointer window)
{
  return is_settled (window) && !es_spectrum_pane_is_empty (inspector_of (window)->spectrum);
}

static EsWindow *
open_scene (const char *name)
{
  g_autoptr (GFile) file = es_test_cube (name, 5);
  EsWindow *window = es_test_window_with (file);

  gtk_window_present (GTK_WINDOW (window));
  es_viewer_select_pixel (es_test_viewer (window), 12, 9);
  ES_TEST_WAIT (has_spectrum, window);
  return window;
}

static GtkWidget *
spectrum_plot (EsWindow *window)
{
  return gtk_widget_get_first_child (GTK_WIDGET (inspector_of (window)->spectrum));
}

static double
value_at (GtkWidget *plot, double x)
{
  return es_plot_x_at (es_plot_view_get_plot (ES_PLOT_VIEW (plot)), x, gtk_widget_get_width (plot),
                       gtk_widget_get_height (plot));
}

/* ---- the wheel, drags and keys ---- */

static void
test_wheel (void)
{
  EsWindow *window = open_scene ("wheel.img");
  GtkWidget *widget = spectrum_plot (window);
  EsPlotView *view = ES_PLOT_VIEW (widget);
  GtkAdjustment *scroll;
  double all_x[2], all_y[2], x[2], y[2];

  if (!es_test_has_hands ())
    {
      g_test_skip ("no XTest");
      es_test_close (window);
      return;
    }
  /* More than the column has room for. */
  g_assert_nonnull (es_test_run_and_wait (window));
  settle (window);
  const double at = gtk_widget_get_width (widget) * 0.6, middle = gtk_widget_get_height (widget) / 2.0;
  scroll = gtk_scrolled_window_get_vadjustment (GTK_SCROLLED_WINDOW (gtk_widget_get_ancestor (
                                                                       widget, GTK_TYPE_SCROLLED_WINDOW)));
  g_assert_cmpfloat (gtk_adjustment_get_upper (scroll), >, gtk_adjustment_get_page_size (scroll) + 40);

  /* In the column the wheel is the column's, and zooms with Ctrl. */
  es_test_wheel (widget, at, middle, FALSE, 0);
  g_assert_false (es_plot_zoom_is_zoomed (view));
  g_assert_cmpfloat (gtk_adjustment_get_value (scroll), >, 0);
  gtk_adjustment_set_value (scroll, 0);
  settle (window);
  g_assert_true (es_plot_zoom_get_seen (widget, all_x, all_y));
  const double before = value_at (widget, at);
  es_test_wheel (widget, at, middle, TRUE, GDK_CONTROL_MASK);
  es_test_wheel (widget, at, middle, TRUE, GDK_CONTROL_MASK);
  g_assert_cmpfloat (gtk_adjustment_get_value (scroll), ==, 0);
  g_assert_true (es_plot_zoom_get_seen (widget, x, y));
  g_assert_cmpfloat_with_epsilon (x[1] - x[0], (all_x[1] - all_x[0]) / 1.5625, (all_x[1] - all_x[0]) * 1e-6);
  g_assert_cmpfloat_with_epsilon (value_at (widget, at), before, (all_x[1] - all_x[0]) * 0.01);
  g_assert_cmpfloat (y[1] - y[0], ==, all_y[1] - all_y[0]);

  /* Beside the axis it is the other one. */
  es_test_wheel (widget, 4, middle, TRUE, GDK_CONTROL_MASK);
  g_assert_true (es_plot_zoom_get_seen (widget, x, y));
  g_assert_cmpfloat (y[1] - y[0], <, 0.9 * (all_y[1] - all_y[0]));

  /* A drag moves both. */
  const double from_x = x[0], from_y = y[0];
  es_test_drag (widget, at, middle, widget, at + 30, middle + 20, 1);
  g_assert_true (es_plot_zoom_get_seen (widget, x, y));
  g_assert_cmpfloat (x[0], <, from_x);
  g_assert_cmpfloat (y[0], >, from_y);

  /* 0 shows all, the keys zoom and move as well, and so does a double click. */
  g_assert_true (gtk_widget_grab_focus (widget));
  es_test_press (GTK_WINDOW (window), GDK_KEY_0, 0);
  g_assert_false (es_plot_zoom_is_zoomed (view));
  es_test_press (GTK_WINDOW (window), GDK_KEY_bracketright, 0);
  g_assert_true (es_plot_zoom_get_seen (widget, x, y));
  g_assert_cmpfloat_with_epsilon (x[1] - x[0], (all_x[1] - all_x[0]) / 1.5, (all_x[1] - all_x[0]) * 1e-6);
  const double left = x[0];
  es_test_press (GTK_WINDOW (window), GDK_KEY_Right, GDK_ALT_MASK);
  g_assert_true (es_plot_zoom_get_seen (widget, x, y));
  g_assert_cmpfloat (x[0], >, left);
  es_test_click (widget, at, middle, 1, 2);
  g_assert_false (es_plot_zoom_is_zoomed (view));

  /* Large, the wheel zooms by itself. */
  es_test_activate (window, "enlarge-section");
  settle (window);
  es_test_wheel (widget, gtk_widget_get_width (widget) / 2.0, gtk_widget_get_height (widget) / 2.0, TRUE, 0);
  g_assert_true (es_plot_zoom_is_zoomed (view));
  es_test_activate (window, "reset-layout");
  es_test_close (window);
}

/* ---- typed ---- */

static GtkEditable *
field_of (GtkWidget *widget, guint which)
{
  GtkWidget *popover = NULL, *grid, *field;

  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    if (GTK_IS_POPOVER (child) && !GTK_IS_POPOVER_MENU (child))
      popover = child;
  g_assert_nonnull (popover);
  grid = gtk_popover_get_child (GTK_POPOVER (popover));
  field = gtk_grid_get_child_at (GTK_GRID (grid), which % 2 == 0 ? 1 : 3, (int) which / 2);
  g_assert_true (GTK_IS_EDITABLE (field));
  return GTK_EDITABLE (field);
}

static void
test_ranges (void)
{
  EsWindow *window = open_scene ("ranges.img");
  GtkWidget *widget = spectrum_plot (window);
  double x[2], y[2], all_x[2], all_y[2];

  g_assert_true (es_plot_zoom_get_seen (widget, all_x, all_y));
  g_assert_true (gtk_widget_activate_action (widget, "plot.ranges", NULL));
  gtk_editable_set_text (field_of (widget, 0), "700");
  gtk_editable_set_text (field_of (widget, 1), "1200");
  gtk_editable_set_text (field_of (widget, 3), "0.25");
  g_assert_true (es_plot_zoom_get_seen (widget, x, y));
  g_assert_cmpfloat_with_epsilon (x[0], 700, 1e-6);
  g_assert_cmpfloat_with_epsilon (x[1], 1200, 1e-6);
  g_assert_cmpfloat_with_epsilon (y[0], all_y[0], 1e-6);
  g_assert_cmpfloat_with_epsilon (y[1], 0.25, 1e-9);

  /* What is none changes nothing, and is marked. */
  gtk_editable_set_text (field_of (widget, 0), "1300");
  g_assert_true (gtk_widget_has_css_class (GTK_WIDGET (field_of (widget, 0)), "error"));
  gtk_editable_set_text (field_of (widget, 0), "much");
  g_assert_true (gtk_widget_has_css_class (GTK_WIDGET (field_of (widget, 0)), "error"));
  g_assert_true (es_plot_zoom_get_seen (widget, x, y));
  g_assert_cmpfloat_with_epsilon (x[1], 1200, 1e-6);

  /* Empty is what comes of the data. */
  gtk_editable_set_text (field_of (widget, 0), "");
  g_assert_false (gtk_widget_has_css_class (GTK_WIDGET (field_of (widget, 0)), "error"));
  g_assert_true (es_plot_zoom_get_seen (widget, x, y));
  g_assert_cmpfloat_with_epsilon (x[0], all_x[0], 1e-6);
  g_assert_cmpfloat_with_epsilon (x[1], 1200, 1e-6);
  gtk_widget_activate_action (widget, "plot.show-all", NULL);
  g_assert_false (es_plot_zoom_is_zoomed (ES_PLOT_VIEW (widget)));

  /* Return closes the form, which goes. */
  g_signal_emit_by_name (field_of (widget, 0), "activate");
  settle (window);
  g_assert_null (gtk_widget_get_first_child (widget));
  es_test_close (window);
}

/* ---- the others ---- */

static gboolean
has_density (gpointer window)
{
  return is_settled (window) && es_scatter_view_get_detail (inspector_of (window)->scatter) != NULL;
}

static void
test_others (void)
{
  EsWindow *window = open_scene ("others.img");
  double x[2], y[2], all_x[2], all_y[2];

  g_settings_set_strv (es_settings_get (), "folded-sections", NULL);
  ES_TEST_WAIT (has_density, window);
  GtkWidget *canvases[] = {
    es_test_find (GTK_WIDGET (inspector_of (window)), ES_TYPE_HISTOGRAM_CANVAS, NULL),
    es_test_find (GTK_WIDGET (inspector_of (window)), ES_TYPE_SCATTER_CANVAS, NULL),
  };
  for (guint i = 0; i < G_N_ELEMENTS (canvases); i++)
    {
      const EsPlotZoomKind *kind = es_plot_zoom_get_kind (canvases[i]);

      g_assert_nonnull (kind);
      g_assert_true (es_plot_zoom_get_seen (canvases[i], all_x, all_y));
      const double wide = all_x[1] - all_x[0];

      kind->set_seen (canvases[i], FALSE, all_x[0] + 0.25 * wide, all_x[0] + 0.5 * wide);
      kind->set_seen (canvases[i], TRUE, all_y[0], all_y[0] + 0.5 * (all_y[1] - all_y[0]));
      g_assert_true (es_plot_zoom_get_seen (canvases[i], x, y));
      g_assert_cmpfloat_with_epsilon (x[1] - x[0], 0.25 * wide, 1e-6 * wide);
      g_assert_cmpfloat_with_epsilon (y[1], all_y[0] + 0.5 * (all_y[1] - all_y[0]), 1e-6 * (all_y[1] - all_y[0]));
      es_plot_zoom_reset_of (canvases[i]);
      g_assert_true (es_plot_zoom_get_seen (canvases[i], x, y));
      g_assert_cmpfloat_with_epsilon (x[0], all_x[0], 1e-9);
      g_assert_cmpfloat_with_epsilon (y[1], all_y[1], 1e-9 + 1e-9 * fabs (all_y[1]));
    }

  /* Counts are logarithmic, or not: half the height is another share, then. */
  const EsPlotZoomKind *kind = es_plot_zoom_get_kind (canvases[0]);
  cairo_rectangle_t area;
  double value, logarithmic, linear;
  g_assert_true (kind->get_area (canvases[0], &area));
  kind->value_at (canvases[0], area.x, area.y + area.height / 2, &value, &logarithmic);
  kind->set_division (canvases[0], FALSE);
  kind->value_at (canvases[0], area.x, area.y + area.height / 2, &value, &linear);
  g_assert_cmpfloat_with_epsilon (linear, 50, 1e-9);
  g_assert_cmpfloat (logarithmic, <, 10);
  es_test_activate (window, "reset-layout");
  es_test_close (window);
}

/* The scree plot: its right axis goes along, and its threshold stays where the curve has it. */
static void
test_scree (void)
{
  EsWindow *window = open_scene ("scree.img");

  g_assert_nonnull (es_test_run_and_wait (window));
  settle (window);
  EsPlot *plot = es_scree_pane_get_plot (inspector_of (window)->scree);
  GtkWidget *widget = gtk_widget_get_first_child (GTK_WIDGET (inspector_of (window)->scree));
  es_section_places_put (es_inspector_get_places (inspector_of (window)),
                         inspector_of (window)->sections[SECTION_EIGENVALUES], ES_SECTION_LARGE);
  settle (window);
  const int width = gtk_widget_get_width (widget), height = gtk_widget_get_height (widget);
  double x[2], y[2];

  g_assert_true (es_plot_is_logarithmic (plot));
  g_assert_true (es_plot_zoom_get_seen (widget, x, y));
  const double share = es_plot_marker_value_at (plot, 0, 0, height * 0.4, width, height);
  const double value = y[0] * pow (y[1] / y[0], 0.5);
  es_plot_set_y_seen (plot, value, y[1]);
  g_assert_cmpfloat (es_plot_marker_value_at (plot, 0, 0, height * 0.4, width, height), >, share);

  /* And another division of it. */
  g_assert_true (es_plot_can_be_logarithmic (plot));
  es_plot_set_division (plot, ES_PLOT_LINEAR);
  g_assert_false (es_plot_is_logarithmic (plot));
  g_assert_false (es_plot_zoom_is_zoomed (ES_PLOT_VIEW (widget)));

  /* The legend names all three, folds by a click on it, and unfolds. */
  guint n_unnamed = 9;
  es_plot_pick_legend (plot, 0, 0, width, height, &n_unnamed);
  g_assert_cmpuint (n_unnamed, ==, 0);
  if (es_test_has_hands ())
    {
      double row = 0;

      while (!es_plot_pick_legend (plot, 20, row, width, height, NULL) && row < height)
        row++;
      es_test_click (widget, 20, row + 4, 1, 1);
      g_assert_cmpint (es_plot_get_legend (plot), ==, ES_PLOT_LEGEND_FOLDED);
      es_test_click (widget, 20, row + 4, 1, 1);
      g_assert_cmpint (es_plot_get_legend (plot), ==, ES_PLOT_LEGEND_FITTING);
    }
  es_test_activate (window, "reset-layout");
  es_test_close (window);
}

int
main (int argc, char **argv)
{
  gtk_test_init (&argc, &argv, NULL);
  g_test_add_func ("/layout/zoom/wheel", test_wheel);
  g_test_add_func ("/layout/zoom/ranges", test_ranges);
  g_test_add_func ("/layout/zoom/others", test_others);
  g_test_add_func ("/layout/zoom/scree", test_scree);
  return g_test_run ();
}
