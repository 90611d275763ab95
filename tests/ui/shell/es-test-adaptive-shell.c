/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-test-adaptive-shell.h"

#include "sonar/adaptive/es-adaptive-bar.h"
#include "analyse/es-analyse-panel.h"
#include "widgets/es-settings.h"
#include "files/es-simulate-task.h"

GFile *
es_test_adaptive_recording (void)
{
  g_autofree char *path = g_build_filename (es_test_folder (), "two.wav", NULL);
  g_autoptr (GFile) file = g_file_new_for_path (path);
  g_autoptr (EsParams) params = es_simulate_scene ("two-sources");
  g_autoptr (GError) error = NULL;

  if (g_file_query_exists (file, NULL))
    return g_steal_pointer (&file);
  es_params_set_text (params, "array", "line:12,1.5");
  es_params_set_text (params, "sources", "noise,86,-10,300:480;noise,94,-10,300:480");
  es_params_set_value (params, "rate", 2000);
  es_params_set_value (params, "seconds", 12);
  es_params_set_value (params, "ambient", -30);
  es_simulate_recording (file, params, NULL, NULL, NULL, &error);
  g_assert_no_error (error);
  return g_steal_pointer (&file);
}

static gboolean
has_rows (gpointer history)
{
  return es_beam_history_get_n_known (history) > 0;
}

gboolean
es_test_adaptive_has_adaptive (gpointer history)
{
  return es_beam_history_get_n_known (history) > 0 && es_beam_history_has (history, ES_BEAM_MVDR);
}

void
es_test_adaptive_set_up (EsTestAdaptiveFixture *fixture, gconstpointer adaptive)
{
  g_autoptr (GFile) file = es_test_adaptive_recording ();

  g_settings_reset (es_settings_get (), "recording-operation");
  g_settings_reset (es_settings_get (), "parameters");
  fixture->window = es_test_window_with (NULL);
  es_window_open (fixture->window, &file, 1, ES_OPEN_GIVEN);
  ES_TEST_WAIT (es_test_is_idle, fixture->window);
  fixture->player = es_test_player (fixture->window);
  g_assert_nonnull (fixture->player);
  fixture->history = es_player_get_history (fixture->player);
  fixture->analyse = ES_ANALYSE_PANEL (es_test_find (GTK_WIDGET (fixture->window), ES_TYPE_ANALYSE_PANEL, NULL));
  fixture->params = es_analyse_panel_get_params_of (fixture->analyse, "mvdr");
  g_assert_nonnull (fixture->params);
  ES_TEST_WAIT (has_rows, fixture->history);
  if (adaptive == NULL)
    return;
  g_assert_true (gtk_widget_activate_action (GTK_WIDGET (fixture->window), "win.live", "s", "mvdr"));
  ES_TEST_WAIT (es_test_adaptive_has_adaptive, fixture->history);
  fixture->bar = ES_ADAPTIVE_BAR (es_test_find (GTK_WIDGET (fixture->window), ES_TYPE_ADAPTIVE_BAR, NULL));
  g_assert_nonnull (fixture->bar);
}

void
es_test_adaptive_tear_down (EsTestAdaptiveFixture *fixture, gconstpointer adaptive)
{
  es_test_close (fixture->window);
  g_settings_reset (es_settings_get (), "recording-operation");
  g_settings_reset (es_settings_get (), "parameters");
}
