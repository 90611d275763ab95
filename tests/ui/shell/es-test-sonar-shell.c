/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-test-sonar-shell.h"

#include <glib/gstdio.h>

GFile *
es_test_file_in (const char *folder, const char *name)
{
  g_autofree char *path = folder != NULL ? g_build_filename (es_test_folder (), folder, name, NULL)
                                         : g_build_filename (es_test_folder (), name, NULL);
  g_autofree char *parent = g_path_get_dirname (path);

  g_mkdir_with_parents (parent, 0700);
  return g_file_new_for_path (path);
}

GFile *
es_test_recording (const char *name, double seconds)
{
  g_autoptr (GFile) file = es_test_file_in ("simulated", name);
  g_autoptr (EsParams) params = es_params_new (es_simulate_recording_params);
  g_autoptr (GError) error = NULL;

  if (g_file_query_exists (file, NULL))
    return g_steal_pointer (&file);
  es_params_set_text (params, "array", "line:12,1.5");
  es_params_set_value (params, "rate", ES_TEST_RATE);
  es_params_set_value (params, "seconds", seconds);
  es_params_set_value (params, "ambient", -30);
  es_params_set_text (params, "sources", "noise,60,-10,300:480");
  es_simulate_recording (file, params, NULL, NULL, NULL, &error);
  g_assert_no_error (error);
  return g_steal_pointer (&file);
}

void
es_test_wait_idle (EsWindow *window)
{
  ES_TEST_WAIT (es_test_is_idle, window);
}

EsWindow *
es_test_window_of (GFile **files, guint n)
{
  EsWindow *window = es_test_window_with (NULL);

  es_window_open (window, files, n, ES_OPEN_GIVEN);
  es_test_wait_idle (window);
  return window;
}

EsDataset *
es_test_first_dataset (EsWindow *window)
{
  g_autoptr (EsDataset) dataset = g_list_model_get_item (es_session_get_datasets (es_window_get_session (window)), 0);

  return dataset;
}

guint
es_test_n_datasets (EsWindow *window)
{
  return g_list_model_get_n_items (es_session_get_datasets (es_window_get_session (window)));
}

gboolean
es_test_has_rows (gpointer player)
{
  return es_beam_history_get_n_known (es_player_get_history (player)) > 0;
}
