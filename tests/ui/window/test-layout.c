/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* Sections of the inspector large in the middle, in windows of their own and in two columns, by mouse and keys;
 * rows above the picture that never wrap. */

#include "analyse/es-analyse-panel.h"
#include "charts/es-plot-view.h"
#include "es-test-hands.h"
#include "es-test-shell.h"
#include "bar/es-display-bar.h"
#include "inspector/es-inspector-private.h"
#include "places/es-large-pane.h"
#include "viewer/es-compare-bar.h"
#include "viewer/es-viewer-private.h"
#include "widgets/es-fit-layout.h"
#include "widgets/es-settings.h"

static EsInspector *
inspector_of (EsWindow *window)
{
  return ES_INSPECTOR (es_viewer_get_inspector (es_test_viewer (window)));
}

static EsSection *
section_of (EsWindow *window, const char *id)
{
  EsSection *section = es_inspector_get_section (inspector_of (window), id);

  g_assert_nonnull (section);
  return section;
}

static EsSectionPlace
place_of (EsWindow *window, const char *id)
{
  return es_section_places_get (es_inspector_get_places (inspector_of (window)), section_of (window, id));
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
  EsViewer *viewer = es_test_viewer (window);

  return !es_viewer_is_loading (viewer) && !es_spectrum_pane_is_empty (viewer->inspector->spectrum);
}

/* A scene with the spectrum of a pixel. */
static EsWindow *
open_scene (const char *name)
{
  g_autoptr (GFile) file = es_test_cube (name, 5);
  EsWindow *window = es_test_window_with (file);

  gtk_window_present (GTK_WINDOW (window));
  es_viewer_select_pixel (es_test_viewer (window), 12, 9);
  ES_TEST_WAIT (has_spectrum, window);
  settle (window);
  return window;
}

static GtkWidget *
spectrum_plot (EsWindow *window)
{
  return gtk_widget_get_first_child (GTK_WIDGET (inspector_of (window)->spectrum));
}

static GtkWidget *
heading_of (EsWindow *window, const char *id)
{
  return es_test_find (GTK_WIDGET (section_of (window, id)), GTK_TYPE_BUTTON, NULL);
}

/* ---- large ---- */

static void
test_large (void)
{
  EsWindow *window = open_scene ("large.img");
  EsViewer *viewer = es_test_viewer (window);
  GtkWidget *plot = spectrum_plot (window), *picture = GTK_WIDGET (viewer->left.view);
  const int height = gtk_widget_get_height (plot), width = gtk_widget_get_width (plot);

  if (!es_test_has_hands ())
    {
      g_test_skip ("no XTest");
      es_test_close (window);
      return;
    }
  /* By the button beside the fold. */
  es_test_click (gtk_widget_get_next_sibling (heading_of (window, "spectrum")), 8, 8, 1, 1);
  settle (window);
  g_assert_cmpint (place_of (window, "spectrum"), ==, ES_SECTION_LARGE);
  g_assert_true (gtk_widget_is_ancestor (plot, GTK_WIDGET (viewer)));
  g_assert_true (gtk_widget_get_mapped (plot) && gtk_widget_get_mapped (picture));
  g_assert_cmpint (gtk_widget_get_width (plot), >, width);
  g_assert_cmpint (gtk_widget_get_height (plot), >=, height);

  /* It goes on following the pointer. */
  const guint n = es_plot_get_n_series (es_spectrum_pane_get_plot (viewer->inspector->spectrum));
  es_test_point (picture, gtk_widget_get_width (picture) * 0.4, gtk_widget_get_height (picture) * 0.5);
  settle (window);
  g_assert_cmpuint (es_plot_get_n_series (es_spectrum_pane_get_plot (viewer->inspector->spectrum)), ==, n + 1);

  /* All of the middle, and below the picture again. */
  GtkWidget *pane = es_test_find (GTK_WIDGET (viewer), ES_TYPE_LARGE_PANE, NULL);
  const int below = gtk_widget_get_height (pane);
  g_signal_emit_by_name (pane, "place", "fill");
  settle (window);
  g_assert_false (gtk_widget_get_mapped (picture));
  g_assert_cmpint (gtk_widget_get_height (pane), >, below + 100);
  g_signal_emit_by_name (pane, "place", "fill");
  settle (window);
  g_assert_true (gtk_widget_get_mapped (picture));
  g_assert_cmpint (gtk_widget_get_height (pane), ==, below);

  /* Escape brings it back, wherever the focus is. */
  g_assert_true (gtk_widget_grab_focus (picture));
  es_test_press (GTK_WINDOW (window), GDK_KEY_Escape, 0);
  g_assert_cmpint (place_of (window, "spectrum"), ==, ES_SECTION_IN_COLUMN);
  settle (window);
  g_assert_true (gtk_widget_is_ancestor (plot, GTK_WIDGET (viewer->inspector)));
  g_assert_cmpint (gtk_widget_get_height (plot), ==, height);

  /* Its key takes the section that has the focus; a double click on the title, and no fold is left of that. */
  g_assert_true (gtk_widget_grab_focus (heading_of (window, "histogram")));
  es_test_press (GTK_WINDOW (window), GDK_KEY_F11, GDK_SHIFT_MASK);
  g_assert_cmpint (place_of (window, "histogram"), ==, ES_SECTION_LARGE);
  es_test_press (GTK_WINDOW (window), GDK_KEY_F11, GDK_SHIFT_MASK);
  g_assert_cmpint (place_of (window, "histogram"), ==, ES_SECTION_IN_COLUMN);
  settle (window);
  es_test_click (heading_of (window, "histogram"), 60, 12, 1, 2);
  g_assert_cmpint (place_of (window, "histogram"), ==, ES_SECTION_LARGE);
  g_assert_true (es_section_get_expanded (section_of (window, "histogram")));

  /* Escape from anywhere else in the window. */
  g_assert_true (gtk_widget_grab_focus (es_test_find (GTK_WIDGET (window), ES_TYPE_ANALYSE_PANEL, NULL))
                 || gtk_widget_child_focus (es_test_find (GTK_WIDGET (window), ES_TYPE_ANALYSE_PANEL, NULL),
                                            GTK_DIR_TAB_FORWARD));
  es_test_press (GTK_WINDOW (window), GDK_KEY_Escape, 0);
  g_assert_cmpint (place_of (window, "histogram"), ==, ES_SECTION_IN_COLUMN);
  g_assert_false (es_test_enabled (window, "shrink-section"));
  es_test_activate (window, "enlarge-section");

  /* One thing stands below the picture; what was there comes again. */
  g_assert_nonnull (es_section_places_get_large (es_inspector_get_places (viewer->inspector)));
  es_test_activate (window, "spectra");
  g_assert_null (es_section_places_get_large (es_inspector_get_places (viewer->inspector)));
  g_assert_true (viewer->spectra_shown);
  gtk_widget_activate_action (GTK_WIDGET (section_of (window, "spectrum")), "section.large", NULL);
  g_assert_false (viewer->spectra_shown);
  gtk_widget_activate_action (GTK_WIDGET (section_of (window, "spectrum")), "section.column", NULL);
  g_assert_true (viewer->spectra_shown);
  es_test_activate (window, "spectra");
  es_test_close (window);
}

/* ---- windows ---- */

static gboolean
shows_other (gpointer window)
{
  g_autofree char *name = g_file_get_basename (es_dataset_get_file (es_viewer_get_dataset (es_test_viewer (window))));

  return is_settled (window) && g_str_equal (name, "other.img");
}

static void
test_window (void)
{
  EsWindow *window = open_scene ("own.img");
  g_autoptr (GFile) other = es_test_cube ("other.img", 6);
  EsViewer *viewer = es_test_viewer (window);
  GtkWidget *plot = spectrum_plot (window);
  int width = 0, height = 0;

  gtk_widget_activate_action (GTK_WIDGET (section_of (window, "spectrum")), "section.window", NULL);
  settle (window);
  GtkWindow *own = GTK_WINDOW (gtk_widget_get_root (plot));
  g_assert_true (own != GTK_WINDOW (window));
  g_assert_true (gtk_widget_get_mapped (plot));

  /* What its buttons do is done to the cube. */
  g_assert_true (gtk_widget_activate_action (plot, "win.keep-pixel", NULL));
  g_assert_cmpuint (es_spectrum_collection_get_n (es_viewer_get_collection (viewer)), ==, 1);

  /* Another data set: the same window shows the current one. */
  es_window_open (window, &other, 1, ES_OPEN_GIVEN);
  ES_TEST_WAIT (shows_other, window);
  g_assert_true (gtk_widget_get_root (plot) == GTK_ROOT (own));
  es_viewer_select_pixel (viewer, 3, 4);
  ES_TEST_WAIT (has_spectrum, window);
  EsCube *cube = ES_CUBE (es_viewer_get_dataset (viewer));
  g_autofree double *values = g_new (double, es_cube_get_bands (cube));
  g_assert_true (es_cube_read_spectrum (cube, 3, 4, values, NULL));
  g_autofree char *text = es_plot_to_text (es_spectrum_pane_get_plot (viewer->inspector->spectrum));
  g_autofree char *first = g_strdup_printf ("%.4g", values[2]);
  g_assert_nonnull (strstr (text, first));

  /* Closing it puts the section back; the next has its size. */
  gtk_window_set_default_size (own, 655, 433);
  settle (window);
  gtk_window_close (own);
  g_assert_cmpint (place_of (window, "spectrum"), ==, ES_SECTION_IN_COLUMN);
  g_assert_true (gtk_widget_get_root (plot) == GTK_ROOT (window));
  gtk_widget_activate_action (GTK_WIDGET (section_of (window, "spectrum")), "section.window", NULL);
  gtk_window_get_default_size (GTK_WINDOW (gtk_widget_get_root (plot)), &width, &height);
  g_assert_cmpint (width, ==, 655);
  g_assert_cmpint (height, ==, 433);

  /* The window goes with the one that it belongs to, and comes with the next. */
  es_test_close (window);
  g_assert_null (es_test_find_toplevel (GTK_TYPE_WINDOW));
  window = open_scene ("own.img");
  g_assert_cmpint (place_of (window, "spectrum"), ==, ES_SECTION_IN_WINDOW);
  plot = spectrum_plot (window);
  g_assert_true (gtk_widget_get_root (plot) != GTK_ROOT (window));
  es_test_activate (window, "reset-layout");
  g_assert_true (gtk_widget_get_root (plot) == GTK_ROOT (window));
  es_test_close (window);
}

/* ---- columns ---- */

static guint
column_of (EsWindow *window, const char *id)
{
  GtkWidget *columns = GTK_WIDGET (inspector_of (window)->columns);

  return gtk_widget_is_ancestor (GTK_WIDGET (section_of (window, id)), gtk_widget_get_first_child (columns)) ? 0 : 1;
}

static gboolean
stands_before (EsWindow *window, const char *first, const char *second)
{
  for (GtkWidget *section = GTK_WIDGET (section_of (window, first)); section != NULL;
       section = gtk_widget_get_next_sibling (section))
    if (section == GTK_WIDGET (section_of (window, second)))
      return TRUE;
  return FALSE;
}

static void
test_columns (void)
{
  static const char *const odd[] = { "steps", "unknown", "steps:1", "spectrum:1", "", ":", NULL };
  EsWindow *window = open_scene ("columns.img");
  GSettings *settings = es_settings_get ();

  g_assert_cmpuint (es_section_columns_get_n (inspector_of (window)->columns), ==, 1);
  g_settings_set_string (settings, "inspector-columns", "two");
  settle (window);
  g_assert_cmpuint (es_section_columns_get_n (inspector_of (window)->columns), ==, 2);
  g_assert_cmpuint (column_of (window, "spectrum"), ==, 0);
  g_assert_cmpuint (column_of (window, "histogram"), ==, 1);
  g_assert_true (gtk_widget_get_mapped (GTK_WIDGET (section_of (window, "histogram"))));

  /* Where one has put it it stays, also while there is one column. */
  gtk_widget_activate_action (GTK_WIDGET (section_of (window, "spectrum")), "section.across", NULL);
  g_assert_cmpuint (column_of (window, "spectrum"), ==, 1);
  g_assert_true (stands_before (window, "spectrum", "histogram"));
  gtk_widget_activate_action (GTK_WIDGET (section_of (window, "spectrum")), "section.down", NULL);
  g_assert_true (stands_before (window, "histogram", "spectrum"));
  g_settings_set_string (settings, "inspector-columns", "one");
  g_assert_true (stands_before (window, "histogram", "spectrum"));
  g_settings_set_string (settings, "inspector-columns", "two");
  g_assert_cmpuint (column_of (window, "spectrum"), ==, 1);
  g_auto (GStrv) told = g_settings_get_strv (settings, "cube-sections");
  g_assert_true (g_strv_contains ((const char *const *) told, "spectrum:1"));

  /* By the keys of a heading, and dragged by it. */
  if (es_test_has_hands ())
    {
      g_assert_true (gtk_widget_grab_focus (heading_of (window, "spectrum")));
      es_test_press (GTK_WINDOW (window), GDK_KEY_Left, GDK_ALT_MASK);
      g_assert_cmpuint (column_of (window, "spectrum"), ==, 0);
      settle (window);
      es_test_drag (heading_of (window, "spectrum"), 60, 12, heading_of (window, "histogram"), 60, 4, 1);
      settle (window);
      g_assert_cmpuint (column_of (window, "spectrum"), ==, 1);
      g_assert_true (stands_before (window, "spectrum", "histogram"));
    }

  /* Names that nobody has, and those that come twice. */
  g_settings_set_strv (settings, "cube-sections", odd);
  g_assert_cmpuint (column_of (window, "spectrum"), ==, 1);
  g_assert_true (stands_before (window, "spectrum", "histogram"));
  es_test_activate (window, "reset-layout");
  settle (window);
  g_assert_cmpuint (es_section_columns_get_n (inspector_of (window)->columns), ==, 1);
  g_assert_true (stands_before (window, "spectrum", "histogram") && stands_before (window, "histogram", "steps"));
  es_test_close (window);
}

/* The width of each number of columns is its own. */
static void
test_widths (void)
{
  EsWindow *window = open_scene ("widths.img");
  GtkWidget *inspector = GTK_WIDGET (inspector_of (window));
  GtkPaned *paned = GTK_PANED (gtk_widget_get_ancestor (inspector, GTK_TYPE_PANED));
  int one;

  /* So that there is room for both widths. */
  g_settings_set_boolean (es_settings_get (), "sidebar-visible", FALSE);
  settle (window);
  one = gtk_widget_get_width (inspector);
  g_settings_set_int (es_settings_get (), "inspector-width-two", 690);
  g_settings_set_string (es_settings_get (), "inspector-columns", "two");
  settle (window);
  g_assert_cmpint (gtk_widget_get_width (inspector), ==, 690);
  gtk_paned_set_position (paned, gtk_paned_get_position (paned) - 20);
  settle (window);
  g_assert_cmpint (gtk_widget_get_width (inspector), ==, 710);
  g_settings_set_string (es_settings_get (), "inspector-columns", "one");
  settle (window);
  g_assert_cmpint (gtk_widget_get_width (inspector), ==, one);
  g_settings_set_string (es_settings_get (), "inspector-columns", "two");
  settle (window);
  g_assert_cmpint (gtk_widget_get_width (inspector), ==, 710);
  es_test_activate (window, "reset-layout");
  es_test_close (window);
}

/* ---- rows above the picture ---- */

static GtkWidget *
row_of (GtkWidget *bar)
{
  return gtk_widget_get_first_child (bar);
}

/* What is in a row stands in one line and is not cut off; what is not is in the menu, and only then is there one. */
static void
check_row (GtkWidget *bar)
{
  GtkWidget *row = row_of (bar);
  gboolean left_out = FALSE, menu = FALSE;
  double line = -1;

  for (GtkWidget *child = gtk_widget_get_first_child (row); child != NULL; child = gtk_widget_get_next_sibling (child))
    {
      const char *icon = GTK_IS_MENU_BUTTON (child) ? gtk_menu_button_get_icon_name (GTK_MENU_BUTTON (child)) : NULL;
      graphene_rect_t bounds;
      double middle;

      if (g_strcmp0 (icon, "view-more-horizontal-symbolic") == 0)
        menu = es_fit_layout_has_room (child);
      else
        left_out |= gtk_widget_get_visible (child) && !es_fit_layout_has_room (child);
      if (!es_fit_layout_has_room (child) || gtk_widget_get_width (child) == 0)
        continue;
      g_assert_true (gtk_widget_compute_bounds (child, row, &bounds));
      g_assert_cmpfloat (bounds.origin.x + bounds.size.width, <=, gtk_widget_get_width (row) + 0.5);
      middle = bounds.origin.y + bounds.size.height / 2;
      g_assert_true (line < 0 || fabs (middle - line) <= 1);
      line = middle;
    }
  g_assert_true (menu == left_out);
}

static gboolean
is_menu (GtkWidget *widget)
{
  return GTK_IS_MENU_BUTTON (widget) && gtk_widget_get_mapped (widget)
         && g_strcmp0 (gtk_menu_button_get_icon_name (GTK_MENU_BUTTON (widget)), "view-more-horizontal-symbolic") == 0;
}

static void
test_rows (void)
{
  EsWindow *window = open_scene ("rows.img");
  EsViewer *viewer = es_test_viewer (window);
  EsDisplay *display = viewer->left.display;
  GtkWidget *bar = viewer->left.bar, *menu = gtk_widget_get_last_child (row_of (bar)), *check;
  const int height = gtk_widget_get_height (bar);

  check_row (bar);
  es_display_show_plane (display, 3);
  for (int width = 1700; width >= 900; width -= 100)
    {
      gtk_window_set_default_size (GTK_WINDOW (window), width, 720);
      settle (window);
      check_row (bar);
      g_assert_cmpint (gtk_widget_get_height (bar), ==, height);
    }
  /* What is in the menu does what it does in the row. */
  g_assert_true (is_menu (menu));
  g_assert_false (es_display_bar_get_legend (ES_DISPLAY_BAR (bar)));
  gtk_menu_button_popup (GTK_MENU_BUTTON (menu));
  settle (window);
  check = es_test_find (GTK_WIDGET (gtk_menu_button_get_popover (GTK_MENU_BUTTON (menu))), GTK_TYPE_LABEL,
                        "legend");
  g_assert_nonnull (check);
  check = gtk_widget_get_ancestor (check, GTK_TYPE_CHECK_BUTTON);
  gtk_check_button_set_active (GTK_CHECK_BUTTON (check), TRUE);
  g_assert_true (es_display_bar_get_legend (ES_DISPLAY_BAR (bar)));
  gtk_menu_button_popdown (GTK_MENU_BUTTON (menu));
  es_display_set_composite (display, TRUE);
  settle (window);
  check_row (bar);
  /* With two pictures there are three of them. */
  gtk_widget_activate_action (GTK_WIDGET (viewer), "view.compare", NULL);
  for (guint mode = 0; mode < 4; mode++)
    {
      static const char *const modes[] = { "side", "swipe", "blink", "difference" };

      gtk_widget_activate_action (GTK_WIDGET (viewer), "view.compare-mode", "s", modes[mode]);
      settle (window);
      check_row (bar);
      check_row (es_test_find (GTK_WIDGET (viewer), ES_TYPE_COMPARE_BAR, NULL));
      check_row (viewer->right.bar);
    }
  es_test_close (window);
}

int
main (int argc, char **argv)
{
  gtk_test_init (&argc, &argv, NULL);
  g_test_add_func ("/layout/large", test_large);
  g_test_add_func ("/layout/window", test_window);
  g_test_add_func ("/layout/columns", test_columns);
  g_test_add_func ("/layout/widths", test_widths);
  g_test_add_func ("/layout/rows", test_rows);
  return g_test_run ();
}
