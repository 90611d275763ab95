/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* Planes one after the other: played, and by keys. */

#include "es-test-shell.h"
#include "simulate/es-simulate.h"
#include "viewer/es-viewer-private.h"

typedef struct
{
  EsViewer *viewer;
  GArray   *seen;              /* of guint: planes as they came */
  guint     enough;
} Seen;

static void
on_plane (Seen *seen)
{
  const guint plane = es_display_get_plane (seen->viewer->left.display);

  g_array_append_val (seen->seen, plane);
}

static gboolean
is_enough (gpointer data)
{
  Seen *seen = data;

  return seen->seen->len >= seen->enough;
}

static gboolean
is_playing (EsViewer *viewer)
{
  gboolean playing;

  g_object_get (viewer->player, "playing", &playing, NULL);
  return playing;
}

/* TRUE: the key was taken before any widget got it. */
static gboolean
press (EsWindow *window, guint key, GdkModifierType held)
{
  g_autoptr (GListModel) controllers = gtk_widget_observe_controllers (GTK_WIDGET (window));
  gboolean taken = FALSE;

  for (guint i = 0; i < g_list_model_get_n_items (controllers) && !taken; i++)
    {
      g_autoptr (GtkEventController) controller = g_list_model_get_item (controllers, i);

      if (GTK_IS_EVENT_CONTROLLER_KEY (controller)
          && gtk_event_controller_get_propagation_phase (controller) == GTK_PHASE_CAPTURE)
        g_signal_emit_by_name (controller, "key-pressed", key, 0, held, &taken);
    }
  return taken;
}

static void
test_keys (void)
{
  EsWindow *window = es_test_window_with (es_test_cube ("scene", 5));
  EsViewer *viewer = es_test_viewer (window);
  EsDisplay *display = viewer->left.display;
  const guint n = es_cube_get_bands (ES_CUBE (es_viewer_get_dataset (viewer)));
  GtkWidget *list = es_test_find (GTK_WIDGET (es_test_tree (window)), GTK_TYPE_LIST_VIEW, NULL);
  GtkWidget *entry;

  /* Three planes have no next one. */
  g_assert_false (press (window, GDK_KEY_Page_Down, 0));
  es_display_show_plane (display, 3);
  ES_TEST_WAIT (es_test_is_idle, window);
  g_assert_true (press (window, GDK_KEY_Page_Down, 0));
  g_assert_cmpuint (es_display_get_plane (display), ==, 4);
  g_assert_true (press (window, GDK_KEY_KP_Page_Down, GDK_SHIFT_MASK));
  g_assert_cmpuint (es_display_get_plane (display), ==, 14);
  g_assert_true (press (window, GDK_KEY_Page_Up, 0));
  g_assert_cmpuint (es_display_get_plane (display), ==, 13);
  g_assert_true (press (window, GDK_KEY_End, 0));
  g_assert_cmpuint (es_display_get_plane (display), ==, n - 1);
  g_assert_true (press (window, GDK_KEY_Home, 0));
  g_assert_cmpuint (es_display_get_plane (display), ==, 0);
  g_assert_false (press (window, GDK_KEY_Page_Down, GDK_CONTROL_MASK));
  g_assert_false (press (window, GDK_KEY_Escape, 0));

  /* The list of data has Home and End for itself, and so has a number: it is not changed by what is meant for the
   * picture. */
  g_assert_nonnull (list);
  gtk_widget_grab_focus (list);
  g_assert_true (press (window, GDK_KEY_Page_Down, 0));
  g_assert_cmpuint (es_display_get_plane (display), ==, 1);
  g_assert_false (press (window, GDK_KEY_End, 0));
  entry = es_test_find (GTK_WIDGET (window), GTK_TYPE_SPIN_BUTTON, NULL);
  g_assert_nonnull (entry);
  gtk_widget_grab_focus (entry);
  g_assert_true (press (window, GDK_KEY_Page_Down, 0));
  g_assert_cmpuint (es_display_get_plane (display), ==, 2);
  g_assert_false (press (window, GDK_KEY_Home, 0));

  /* Esc ends playing, wherever the focus is. */
  g_object_set (viewer->player, "playing", TRUE, NULL);
  g_assert_true (press (window, GDK_KEY_Escape, 0));
  g_assert_false (is_playing (viewer));
  ES_TEST_WAIT (es_test_is_idle, window);
  es_test_close (window);
}

static void
test_play (void)
{
  EsWindow *window = es_test_window_with (es_test_cube ("scene", 5));
  EsViewer *viewer = es_test_viewer (window);
  EsDisplay *display = viewer->left.display;
  EsCube *cube = ES_CUBE (es_viewer_get_dataset (viewer));
  const guint n = es_cube_get_bands (cube);
  const gboolean *good = es_cube_get_good_bands (cube);
  g_autoptr (GArray) planes = g_array_new (FALSE, FALSE, sizeof (guint));
  Seen seen = { viewer, planes, n + 4 };
  gint64 began;
  guint at;

  /* A composite is not played. */
  g_object_set (viewer->player, "playing", TRUE, NULL);
  g_assert_false (is_playing (viewer));

  es_display_show_plane (display, 0);
  ES_TEST_WAIT (es_test_is_idle, window);
  g_signal_connect_swapped (display, "planes-changed", G_CALLBACK (on_plane), &seen);
  g_object_set (viewer->player, "rate", 30, "playing", TRUE, NULL);
  g_assert_true (is_playing (viewer));
  began = g_get_monotonic_time ();
  ES_TEST_WAIT (is_enough, &seen);
  g_assert_true (is_playing (viewer));
  /* No faster than asked for. */
  g_assert_cmpint (g_get_monotonic_time () - began, >, (gint64) (seen.enough - 2) * G_USEC_PER_SEC / 30);
  /* Good ones, in their order, and from the last to the first. */
  at = 0;
  for (guint i = 0; i < planes->len; i++)
    {
      do
        at = (at + 1) % n;
      while (!good[at] && at != 0);
      g_assert_cmpuint (g_array_index (planes, guint, i), ==, at);
    }
  /* What is shown is what it says. */
  ES_TEST_WAIT (es_test_is_idle, window);

  /* Any choice ends it, and stays. */
  es_display_show_plane (display, 7);
  g_assert_false (is_playing (viewer));
  ES_TEST_WAIT (es_test_is_idle, window);
  g_assert_cmpuint (es_display_get_plane (display), ==, 7);

  /* There and back. */
  es_display_show_plane (display, n - 2);
  g_array_set_size (planes, 0);
  seen.enough = 3;
  g_object_set (viewer->player, "skip-bad", FALSE, "back-and-forth", TRUE, "playing", TRUE, NULL);
  ES_TEST_WAIT (is_enough, &seen);
  g_assert_cmpuint (g_array_index (planes, guint, 0), ==, n - 1);
  g_assert_cmpuint (g_array_index (planes, guint, 1), ==, n - 2);
  g_assert_cmpuint (g_array_index (planes, guint, 2), ==, n - 3);
  g_object_set (viewer->player, "playing", FALSE, NULL);

  /* By hand: to the ends and no further. */
  es_plane_player_end (viewer->player, TRUE);
  g_assert_cmpuint (es_display_get_plane (display), ==, n - 1);
  es_plane_player_step (viewer->player, 1);
  g_assert_cmpuint (es_display_get_plane (display), ==, n - 1);
  es_plane_player_step (viewer->player, -10);
  g_assert_cmpuint (es_display_get_plane (display), ==, n - 11);
  es_plane_player_end (viewer->player, FALSE);
  g_assert_cmpuint (es_display_get_plane (display), ==, 0);

  /* From the window's action as well. */
  es_test_activate (window, "play-planes");
  g_assert_true (is_playing (viewer));
  es_test_activate (window, "play-planes");
  g_assert_false (is_playing (viewer));
  ES_TEST_WAIT (es_test_is_idle, window);
  g_signal_handlers_disconnect_by_data (display, &seen);
  es_test_close (window);
}

/* Bands of 512 x 512, at 30 a second: the main loop has time for others. */
static void
test_large (void)
{
  g_autofree char *path = g_build_filename (es_test_folder (), "large.img", NULL);
  g_autoptr (GFile) file = g_file_new_for_path (path);
  g_autoptr (EsParams) options = es_params_new (es_simulate_cube_params);
  g_autoptr (GArray) planes = g_array_new (FALSE, FALSE, sizeof (guint));
  EsWindow *window;
  EsViewer *viewer;
  gint64 began, last, longest = 0;
  guint late = 0, n = 0;

  es_params_set_value (options, "width", 512);
  es_params_set_value (options, "height", 512);
  es_params_set_value (options, "bands", 24);
  g_assert_true (es_simulate_cube (file, options, NULL, NULL, NULL, NULL));
  window = es_test_window_with (file);
  viewer = es_test_viewer (window);
  Seen played = { viewer, planes, 60 };
  es_display_show_plane (viewer->left.display, 0);
  ES_TEST_WAIT (es_test_is_idle, window);
  g_signal_connect_swapped (viewer->left.display, "planes-changed", G_CALLBACK (on_plane), &played);
  g_object_set (viewer->player, "rate", 30, "playing", TRUE, NULL);
  began = last = g_get_monotonic_time ();
  while (planes->len < played.enough && g_get_monotonic_time () - began < 20 * G_USEC_PER_SEC)
    {
      g_main_context_iteration (NULL, TRUE);
      longest = MAX (longest, g_get_monotonic_time () - last);
      late += g_get_monotonic_time () - last > 50000;
      last = g_get_monotonic_time ();
      n++;
    }
  g_test_message ("60 bands in %.2f s, %u of %u rounds over 50 ms, the longest %.1f ms",
                  (g_get_monotonic_time () - began) / 1e6, late, n, longest / 1000.);
  g_assert_cmpuint (planes->len, >=, played.enough);
  g_object_set (viewer->player, "playing", FALSE, NULL);
  g_signal_handlers_disconnect_by_data (viewer->left.display, &played);
  ES_TEST_WAIT (es_test_is_idle, window);
  es_test_close (window);
}

int
main (int argc, char **argv)
{
  gtk_test_init (&argc, &argv, NULL);
  es_test_application ();
  g_test_add_func ("/plane-player/play", test_play);
  g_test_add_func ("/plane-player/large", test_large);
  g_test_add_func ("/plane-player/keys", test_keys);
  return g_test_run ();
}
