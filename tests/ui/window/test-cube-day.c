/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* A day of somebody who works with cubes: one thing after the other in the real window, and the program is killed
 * after each of them. What was done before is there again every time. */

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "es-test-child.h"
#include "es-test-cube-tasks.h"
#include "keeping/es-session-keeper.h"
#include "viewer/es-viewer-private.h"

#define CHILD "--task"

/* ---- the window ---- */

static gboolean
is_kept (gpointer window)
{
  return es_test_is_idle (window) && !es_viewer_is_loading (es_test_viewer (window))
         && !es_spectrum_collection_is_busy (es_viewer_get_collection (es_test_viewer (window)))
         && es_session_keeper_is_idle (es_window_get_keeper (window));
}

static gboolean
is_restored (gpointer window)
{
  return es_test_is_idle (window) && es_viewer_get_dataset (es_test_viewer (window)) != NULL;
}

static EsWindow *
open_window (void)
{
  EsWindow *window = es_test_window_with (NULL);

  es_window_keep (window, FALSE);
  return window;
}

/* What was done before the task of that number. */
static void
check_before (EsWindow *window, guint task)
{
  for (guint i = 0; i < task; i++)
    if (es_test_cube_tasks[i].until == 0 || es_test_cube_tasks[i].until >= task)
      {
        g_test_message ("%s", es_test_cube_tasks[i].what);
        es_test_cube_tasks[i].check (window);
      }
}

/* ---- processes ---- */

/* The other process: does it, says that it is kept, and waits to be killed. */
static int
do_task (guint task)
{
  EsWindow *window = open_window ();

  if (task > 0)
    ES_TEST_WAIT (is_restored, window);
  ES_TEST_WAIT (is_kept, window);
  check_before (window, task);
  es_test_cube_tasks[task].act (window);
  ES_TEST_WAIT (is_kept, window);
  es_test_cube_tasks[task].check (window);
  ES_TEST_WAIT (is_kept, window);
  return es_test_wait_to_be_killed ();
}

static void
do_and_kill (guint task)
{
  g_autofree char *number = g_strdup_printf ("%u", task);
  const char *const arguments[] = { CHILD, number, es_test_cube_scene, NULL };

  es_test_kill_once_kept (arguments, es_test_cube_tasks[task].what);
}

static void
close_window (EsWindow *window)
{
  es_region_set_clear (es_dataset_get_regions (es_viewer_get_dataset (es_test_viewer (window))));
  ES_TEST_WAIT (is_kept, window);
  gtk_window_close (GTK_WINDOW (window));
  g_assert_null (es_test_find_toplevel (ADW_TYPE_MESSAGE_DIALOG));
  es_session_keeper_wait ();
}

static void
test_day (void)
{
  g_autoptr (GFile) file = es_test_cube ("day.img", 29);
  g_autofree char *path = g_file_get_path (file);
  EsWindow *window;

  es_test_cube_scene = path;
  for (guint task = 0; task < es_test_n_cube_tasks; task++)
    do_and_kill (task);
  window = open_window ();
  ES_TEST_WAIT (is_restored, window);
  ES_TEST_WAIT (is_kept, window);
  check_before (window, es_test_n_cube_tasks);
  close_window (window);
}

int
main (int argc, char **argv)
{
  if (argc == 4 && strcmp (argv[1], CHILD) == 0)
    {
      es_test_cube_scene = argv[3];
      gtk_init ();
      return do_task ((guint) atoi (argv[2]));
    }
  gtk_test_init (&argc, &argv, NULL);
  g_test_add_func ("/cube-day/day", test_day);
  return g_test_run ();
}
