/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-test-kept.h"

#include "es-test-child.h"
#include "keeping/es-session-keeper.h"
#include "keeping/es-session-store.h"

EsWindow *
es_test_kept_window (gboolean files)
{
  EsWindow *window = es_test_window_with (NULL);

  es_window_keep (window, files);
  return window;
}

void
es_test_kept_open (EsWindow *window, GFile *file)
{
  es_window_open (window, &file, 1, ES_OPEN_GIVEN);
  ES_TEST_WAIT (es_test_is_idle, window);
}

void
es_test_kept_close (EsWindow *window)
{
  gtk_window_close (GTK_WINDOW (window));
  g_assert_null (es_test_find_toplevel (GTK_TYPE_WINDOW));
  es_session_keeper_wait ();
}

EsWindow *
es_test_kept_continue (const char *uri)
{
  EsWindow *window = es_test_kept_window (FALSE);

  ES_TEST_WAIT (es_test_is_kept, window);
  g_assert_true (gtk_widget_activate_action (GTK_WIDGET (window), "win.continue-session", "s", uri));
  return window;
}

char *
es_test_kept_find_left (gboolean crashed)
{
  g_autoptr (GPtrArray) list = es_session_store_list ();

  for (guint i = 0; i < list->len; i++)
    {
      EsLeftSession *left = g_ptr_array_index (list, i);

      if (left->crashed == crashed)
        return g_file_get_uri (left->file);
    }
  return NULL;
}

void
es_test_kept_forget (void)
{
  g_autoptr (GPtrArray) list = es_session_store_list ();

  for (guint i = 0; i < list->len; i++)
    es_session_store_forget (((EsLeftSession *) g_ptr_array_index (list, i))->file);
}

gboolean
es_test_is_kept (gpointer window)
{
  return es_test_is_idle (window) && es_session_keeper_is_idle (es_window_get_keeper (window));
}

gboolean
es_test_is_restored (gpointer window)
{
  return es_test_is_idle (window) && es_viewer_get_dataset (es_test_viewer (window)) != NULL;
}

void
es_test_kept_kill (GFile *file)
{
  g_autofree char *path = g_file_get_path (file);
  const char *const arguments[] = { ES_TEST_KEPT_CHILD, path, NULL };

  es_test_kill_once_kept (arguments, path);
}
