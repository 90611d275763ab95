/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* How a window begins: what is left for later is there when it is needed, and a file that the program was started with
 * is what is seen first. */

#include "files/es-welcome.h"
#include "es-test-shell.h"

static EsWindow *
new_window (void)
{
  return ES_WINDOW (es_window_new (GTK_APPLICATION (es_test_application ())));
}

static gboolean
has_action (gpointer window, const char *name)
{
  return g_action_map_lookup_action (G_ACTION_MAP (window), name) != NULL;
}

static gboolean
is_whole (gpointer window)
{
  return has_action (window, "compare") && has_action (window, "sonar-play");
}

static gboolean
is_mapped (gpointer widget)
{
  return gtk_widget_get_mapped (widget);
}

/* Nothing of the workspaces before the first frame; all of it after that, though nobody has asked for it. */
static void
test_welcome (void)
{
  EsWindow *window = new_window ();

  g_assert_false (is_whole (window));
  g_assert_true (has_action (window, "open"));
  es_window_begin (window, FALSE);
  g_assert_true (is_mapped (window));
  g_assert_false (is_whole (window));
  g_assert_true (is_mapped (es_test_find (GTK_WIDGET (window), ES_TYPE_WELCOME, NULL)));
  ES_TEST_WAIT (is_whole, window);
  g_assert_true (is_mapped (es_test_find (GTK_WIDGET (window), ES_TYPE_WELCOME, NULL)));
  es_test_close (window);
}

/* Whoever wants something of it before has it, too, and once. */
static void
test_asked (void)
{
  EsWindow *window = new_window ();
  EsViewer *viewer = es_test_viewer (window);

  g_assert_true (is_whole (window));
  es_window_begin (window, FALSE);
  ES_TEST_WAIT (is_mapped, window);
  g_assert_true (es_test_viewer (window) == viewer);
  es_test_close (window);
}

static gboolean
is_mapped_and_idle (gpointer window)
{
  return is_mapped (window) && es_test_is_idle (window);
}

typedef struct
{
  EsWindow *window;
  gboolean  had_file;            /* when it was mapped */
  gboolean  welcomed;            /* a frame has been drawn with the welcome in it */
} Seen;

static void
on_frame (Seen *seen)
{
  if (is_mapped (es_test_find (GTK_WIDGET (seen->window), ES_TYPE_WELCOME, NULL)))
    seen->welcomed = TRUE;
}

static void
on_map (Seen *seen)
{
  seen->had_file = es_viewer_get_dataset (es_test_viewer (seen->window)) != NULL;
  g_signal_connect_swapped (gtk_widget_get_frame_clock (GTK_WIDGET (seen->window)), "after-paint",
                            G_CALLBACK (on_frame), seen);
}

/* The window waits for the file, which then takes the whole of it at once, were it for a machine that needs longer than
 * anybody waits. */
static void
test_file (void)
{
  g_autoptr (GFile) file = es_test_cube ("scene.img", 3);
  g_autoptr (EsOpenRequest) request = es_open_request_new (&file, 1, ES_OPEN_GIVEN);
  EsWindow *window = new_window ();
  Seen seen = { .window = window };

  g_object_set (gtk_settings_get_default (), "gtk-enable-animations", TRUE, NULL);
  g_signal_connect_swapped (window, "map", G_CALLBACK (on_map), &seen);
  es_window_open_request (window, request);
  es_window_begin (window, TRUE);
  g_assert_false (is_mapped (window));
  ES_TEST_WAIT (is_mapped_and_idle, window);
  g_assert_nonnull (es_viewer_get_dataset (es_test_viewer (window)));
  g_assert_true (is_mapped (es_viewer_get_inspector (es_test_viewer (window))));
  g_assert_false (seen.had_file && seen.welcomed);
  g_signal_handlers_disconnect_by_data (gtk_widget_get_frame_clock (GTK_WIDGET (window)), &seen);
  g_object_set (gtk_settings_get_default (), "gtk-enable-animations", FALSE, NULL);
  es_test_close (window);
}

/* One that cannot be opened: the window comes and says so. */
static void
test_no_file (void)
{
  g_autoptr (GFile) file = g_file_new_for_path ("/no such folder/scene.img");
  g_autoptr (EsOpenRequest) request = es_open_request_new (&file, 1, ES_OPEN_GIVEN);
  EsWindow *window = new_window ();

  es_window_open_request (window, request);
  es_window_begin (window, TRUE);
  ES_TEST_WAIT (is_mapped_and_idle, window);
  g_assert_true (is_mapped (es_test_find (GTK_WIDGET (window), ES_TYPE_WELCOME, NULL)));
  g_assert_nonnull (es_test_find (GTK_WIDGET (window), GTK_TYPE_LABEL, "scene.img"));
  es_test_close (window);
}

/* Nothing is ever opened: it does not wait for it. */
static void
test_late (void)
{
  EsWindow *window = new_window ();
  EsShell *shell = es_workspace_get_shell (es_window_get_workspace (window, ES_TYPE_CUBE_WORKSPACE));
  EsActivity *activity = es_shell_begin (shell, "Something that takes long");

  es_window_begin (window, TRUE);
  g_assert_false (is_mapped (window));
  ES_TEST_WAIT (is_mapped, window);
  es_shell_end (shell, activity);
  es_test_close (window);
}

static gboolean
has_shortcuts (gpointer unused)
{
  GtkWidget *overlay = es_test_find_toplevel (GTK_TYPE_SHORTCUTS_WINDOW);

  return overlay != NULL && is_mapped (overlay);
}

static void
test_shortcuts (void)
{
  EsWindow *window = es_test_window_with (NULL);

  g_assert_null (gtk_application_window_get_help_overlay (GTK_APPLICATION_WINDOW (window)));
  for (guint i = 0; i < 2; i++)
    {
      es_test_activate (window, "show-help-overlay");
      ES_TEST_WAIT (has_shortcuts, NULL);
      g_assert_nonnull (es_test_find (es_test_find_toplevel (GTK_TYPE_SHORTCUTS_WINDOW), GTK_TYPE_LABEL, "Open"));
      gtk_window_close (GTK_WINDOW (es_test_find_toplevel (GTK_TYPE_SHORTCUTS_WINDOW)));
    }
  es_test_close (window);
}

int
main (int argc, char **argv)
{
  gtk_test_init (&argc, &argv, NULL);
  es_test_application ();

  g_test_add_func ("/start/welcome", test_welcome);
  g_test_add_func ("/start/asked", test_asked);
  g_test_add_func ("/start/file", test_file);
  g_test_add_func ("/start/no-file", test_no_file);
  g_test_add_func ("/start/late", test_late);
  g_test_add_func ("/start/shortcuts", test_shortcuts);
  return g_test_run ();
}
