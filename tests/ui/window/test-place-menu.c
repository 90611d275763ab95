/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* The menu of the picture, what it does with a place, and the keys that go round the panes. */

#include <math.h>

#include "context/es-place-menu.h"
#include "inspector/es-inspector-private.h"
#include "es-test-shell.h"
#include "viewer/es-viewer-private.h"

static EsImageView *
image_of (EsWindow *window)
{
  return es_test_viewer (window)->left.view;
}

static void
count_up (guint *n)
{
  ++*n;
}

static gboolean
has_picture (gpointer window)
{
  return !es_picture_is_empty (es_image_view_get_picture (image_of (window)));
}

static gboolean
is_quiet (gpointer window)
{
  return !es_place_menu_is_busy (image_of (window)) && es_test_is_idle (window) && !g_main_context_pending (NULL);
}

static EsWindow *
open_scene (void)
{
  g_autoptr (GFile) file = es_test_cube ("place.img", 5);
  EsWindow *window = es_test_window_with (file);

  ES_TEST_WAIT (has_picture, window);
  return window;
}

/* A tooltip that is due where a menu was (GTK's, after half a second) asks the window for the pointer, and does not
 * notice that it is closed. */
static void
close_scene (EsWindow *window)
{
  const gint64 end = g_get_monotonic_time () + 7 * G_USEC_PER_SEC / 10;

  while (g_get_monotonic_time () < end)
    if (!g_main_context_iteration (NULL, FALSE))
      g_usleep (1000);
  es_test_close (window);
}

static void
on_text (GObject *clipboard, GAsyncResult *result, gpointer text)
{
  *(char **) text = gdk_clipboard_read_text_finish (GDK_CLIPBOARD (clipboard), result, NULL);
}

static gboolean
is_there (gpointer text)
{
  return *(char **) text != NULL;
}

static char *
copy_by (EsWindow *window, const char *action)
{
  char *text = NULL;

  g_assert_true (gtk_widget_activate_action (GTK_WIDGET (image_of (window)), action, NULL));
  ES_TEST_WAIT (is_quiet, window);
  gdk_clipboard_read_text_async (gtk_widget_get_clipboard (GTK_WIDGET (window)), NULL, on_text, &text);
  ES_TEST_WAIT (is_there, &text);
  return text;
}

/* By the second button and by keys; what has nothing to work on cannot be chosen. */
static void
test_menu (void)
{
  EsWindow *window = open_scene ();
  EsImageView *image = image_of (window);
  GtkWidget *menu;

  es_image_view_select (image, 4, 5);
  es_place_menu_popup (image, 30, 30);
  menu = es_test_find (GTK_WIDGET (image), GTK_TYPE_POPOVER_MENU, NULL);
  g_assert_nonnull (menu);
  GMenuModel *model = gtk_popover_menu_get_menu_model (GTK_POPOVER_MENU (menu));
  g_assert_cmpint (g_menu_model_get_n_items (model), ==, 4);
  g_autoptr (GMenuModel) first = g_menu_model_get_item_link (model, 0, G_MENU_LINK_SECTION);
  g_autofree char *accel = NULL;
  g_assert_true (g_menu_model_get_item_attribute (first, 0, "accel", "s", &accel));
  g_assert_cmpstr (accel, ==, "<Control>k");
  gtk_popover_popdown (GTK_POPOVER (menu));

  close_scene (window);
}

static void
test_copy (void)
{
  EsWindow *window = open_scene ();
  EsImageView *image = image_of (window);
  EsCube *cube = ES_CUBE (es_viewer_get_dataset (es_test_viewer (window)));
  const guint n = es_cube_get_bands (cube);
  g_autofree double *values = g_new (double, n);
  guint bands[3], good = 0;

  es_image_view_select (image, 12, 7);
  g_assert_true (es_cube_read_spectrum (cube, 12, 7, values, NULL));
  es_cube_pick_rgb (cube, bands);

  g_autofree char *coordinates = copy_by (window, "place.copy-coordinates");
  g_auto (GStrv) lines = g_strsplit (coordinates, "\n", -1);
  g_assert_true (g_str_has_prefix (lines[0], "x\ty\t"));
  g_auto (GStrv) places = g_strsplit (lines[1], "\t", -1);
  g_assert_cmpuint (g_strv_length (places), ==, 6);
  g_assert_cmpstr (places[0], ==, "12");
  g_assert_cmpstr (places[1], ==, "7");
  double easting, northing, latitude, longitude;
  g_assert_true (es_cube_get_map_coordinate (cube, 12, 7, &easting, &northing));
  g_assert_true (es_cube_get_geographic (cube, 12, 7, &latitude, &longitude));
  g_assert_cmpfloat_with_epsilon (g_ascii_strtod (places[2], NULL), easting, 1e-3);
  g_assert_cmpfloat_with_epsilon (g_ascii_strtod (places[5], NULL), longitude, 1e-6);

  g_autofree char *shown = copy_by (window, "place.copy-values");
  g_auto (GStrv) rows = g_strsplit (shown, "\n", -1);
  g_auto (GStrv) numbers = g_strsplit (rows[1], "\t", -1);
  g_assert_cmpuint (g_strv_length (numbers), ==, 5);
  for (guint i = 0; i < 3; i++)
    g_assert_cmpfloat_with_epsilon (g_ascii_strtod (numbers[2 + i], NULL), values[bands[i]], 1e-6);

  g_autofree char *spectrum = copy_by (window, "place.copy-spectrum");
  g_auto (GStrv) list = g_strsplit (spectrum, "\n", -1);
  for (guint i = 0; i < n; i++)
    if (es_cube_get_good_bands (cube)[i])
      {
        g_auto (GStrv) pair = g_strsplit (list[1 + good++], "\t", -1);

        g_assert_cmpfloat_with_epsilon (g_ascii_strtod (pair[0], NULL), es_cube_get_wavelengths (cube)[i], 1e-4);
        g_assert_cmpfloat_with_epsilon (g_ascii_strtod (pair[1], NULL), values[i], 1e-6);
      }
  g_assert_cmpuint (good, ==, es_cube_get_n_good_bands (cube));
  close_scene (window);
}

static void
activate (EsImageView *image, const char *action, const char *target)
{
  if (target != NULL)
    g_assert_true (gtk_widget_activate_action (GTK_WIDGET (image), action, "s", target));
  else
    g_assert_true (gtk_widget_activate_action (GTK_WIDGET (image), action, NULL));
}

static void
test_region (void)
{
  EsWindow *window = open_scene ();
  EsImageView *image = image_of (window);
  EsViewer *viewer = es_test_viewer (window);
  EsRegionControl *control = es_inspector_get_control (viewer->inspector);
  EsCube *cube = ES_CUBE (es_viewer_get_dataset (viewer));
  g_autoptr (EsRegion) region = es_region_new_rectangle (2, 3, 10, 5);

  activate (image, "place.tool", "polygon");
  g_assert_true (es_image_view_get_tool (image) == ES_IMAGE_TOOL_POLYGON);
  es_region_control_set_selection (control, region);
  es_image_view_select (image, 4, 5);
  es_place_menu_popup (image, 30, 30);
  activate (image, "place.keep-selection", NULL);
  g_assert_cmpuint (es_spectrum_collection_get_n (es_viewer_get_collection (viewer)), ==, 1);
  activate (image, "place.part-selected", "outside");
  g_autoptr (EsSelection) selection = es_cube_dup_selection (cube);
  guint n = 0;
  g_assert_true (es_selection_get_sets (selection, &n)[0]->outside);
  g_assert_cmpuint (n, ==, 1);
  activate (image, "place.everything", NULL);
  g_autoptr (EsSelection) all = es_cube_dup_selection (cube);
  g_assert_true (es_selection_is_everything (all));

  /* A class, which the pixel is in. */
  activate (image, "place.make-class", NULL);
  g_assert_cmpuint (g_list_model_get_n_items (G_LIST_MODEL (es_region_control_get_classes (control))), ==, 1);
  g_assert_null (es_region_control_get_selection (control));
  es_image_view_select (image, 20, 20);
  activate (image, "place.select-class", NULL);
  g_assert_null (es_region_control_get_selection (control));
  es_image_view_select (image, 11, 7);
  activate (image, "place.select-class", NULL);
  g_assert_cmpuint (es_region_control_get_count (control), ==, 50);
  es_place_menu_popup (image, 30, 30);
  activate (image, "place.unselect", NULL);
  g_assert_null (es_region_control_get_selection (control));

  activate (image, "place.profile", "column");
  g_assert_true (es_profile_pane_get_kind (es_inspector_get_profile (viewer->inspector)) == ES_PROFILE_COLUMN);
  g_assert_true (es_section_get_expanded (viewer->inspector->sections[SECTION_PROFILE]));
  activate (image, "place.zoom-here", NULL);
  g_assert_cmpfloat (es_image_view_get_zoom (image), >=, 8);
  ES_TEST_WAIT (is_quiet, window);
  close_scene (window);
}

/* How a profile is set outlives the program with the view that it is of. */
static void
test_session (void)
{
  EsWindow *window = open_scene ();
  EsViewer *viewer = es_test_viewer (window);
  EsProfilePane *pane = es_inspector_get_profile (viewer->inspector);
  g_autoptr (EsProfileLine) line = es_profile_line_parse ("3,4,20,9,30,2", NULL);
  EsSession *session = es_window_get_session (window);
  guint n_changes = 0;

  g_signal_connect_swapped (viewer, "view-changed", G_CALLBACK (count_up), &n_changes);
  line->width = 5;
  es_profile_pane_set_line (pane, line);
  g_assert_cmpuint (n_changes, >, 0);
  g_autoptr (JsonNode) told = es_viewer_tell (viewer, session);
  es_profile_pane_set_line (pane, NULL);
  es_profile_pane_set_kind (pane, ES_PROFILE_COLUMN);
  es_viewer_take (viewer, session, told);
  g_assert_true (es_profile_pane_get_kind (pane) == ES_PROFILE_LINE);
  g_autofree char *text = es_profile_line_format (es_profile_pane_get_line (pane));
  g_assert_cmpstr (text, ==, "3,4,20,9,30,2");
  g_assert_cmpuint (es_profile_pane_get_line (pane)->width, ==, 5);
  ES_TEST_WAIT (is_quiet, window);
  close_scene (window);
}

static gboolean
is_in (EsWindow *window, gpointer pane)
{
  GtkWidget *focus = gtk_window_get_focus (GTK_WINDOW (window));

  return focus != NULL && (focus == pane || gtk_widget_is_ancestor (focus, pane));
}

/* Round and round: data, picture, inspector; back to where one was in each; what is hidden is passed over. */
static void
test_panes (void)
{
  EsWindow *window = open_scene ();
  EsViewer *viewer = es_test_viewer (window);
  GtkWidget *sidebar = gtk_widget_get_ancestor (GTK_WIDGET (es_test_tree (window)), GTK_TYPE_BOX), *there;

  gtk_widget_grab_focus (GTK_WIDGET (image_of (window)));
  es_test_activate (window, "next-pane");
  g_assert_true (is_in (window, viewer->inspector));
  gtk_widget_child_focus (GTK_WIDGET (viewer->inspector), GTK_DIR_TAB_FORWARD);
  there = gtk_window_get_focus (GTK_WINDOW (window));
  es_test_activate (window, "next-pane");
  g_assert_true (is_in (window, sidebar));
  es_test_activate (window, "next-pane");
  g_assert_true (is_in (window, image_of (window)));
  es_test_activate (window, "next-pane");
  g_assert_true (gtk_window_get_focus (GTK_WINDOW (window)) == there);
  es_test_activate (window, "previous-pane");
  g_assert_true (is_in (window, image_of (window)));

  /* Spectra below the picture, and a strip of components, are panes; a folded column is none. */
  es_test_activate (window, "spectra");
  ES_TEST_WAIT (is_quiet, window);
  es_test_activate (window, "next-pane");
  g_assert_true (is_in (window, viewer->spectra));
  es_test_activate (window, "spectra");
  es_test_run_and_wait (window);
  ES_TEST_WAIT (is_quiet, window);
  gtk_widget_grab_focus (GTK_WIDGET (image_of (window)));
  es_test_activate (window, "next-pane");
  g_assert_true (is_in (window, viewer->strip));
  gtk_widget_hide (sidebar);
  gtk_widget_grab_focus (GTK_WIDGET (image_of (window)));
  es_test_activate (window, "previous-pane");
  g_assert_true (is_in (window, viewer->inspector));
  gtk_widget_show (sidebar);
  close_scene (window);
}

int
main (int argc, char **argv)
{
  gtk_test_init (&argc, &argv, NULL);
  es_test_application ();
  g_test_add_func ("/place-menu/menu", test_menu);
  g_test_add_func ("/place-menu/copy", test_copy);
  g_test_add_func ("/place-menu/region", test_region);
  g_test_add_func ("/place-menu/session", test_session);
  g_test_add_func ("/place-menu/panes", test_panes);
  return g_test_run ();
}
