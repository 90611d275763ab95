/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* Sessions as files of a person: where one of their data sets is gone, of other versions, with classes. */

#include <glib/gstdio.h>

#include "analyse/es-analyse-panel.h"
#include "es-test-kept.h"
#include "keeping/es-session-file.h"
#include "keeping/es-session-keeper.h"
#include "saving/es-durable.h"
#include "widgets/es-settings.h"
#include "window/es-banner.h"

static EsAnalysePanel *
panel_of (EsWindow *window)
{
  return ES_ANALYSE_PANEL (es_test_find (GTK_WIDGET (window), ES_TYPE_ANALYSE_PANEL, NULL));
}

static EsResult *
run (EsWindow *window, const char *operation, const char *key, const char *value)
{
  g_assert_true (es_analyse_panel_set_operation (panel_of (window), operation));
  if (key != NULL)
    g_assert_true (es_params_parse (es_analyse_panel_get_params (panel_of (window)), key, value, NULL));
  return es_test_run_and_wait (window);
}

/* Classes are kept of their own, for the content of a cube. */
static void
forget_classes (EsWindow *window)
{
  es_region_set_clear (es_dataset_get_regions (es_viewer_get_dataset (es_test_viewer (window))));
}

static GFile *
save_session (EsWindow *window, const char *name)
{
  g_autofree char *path = g_build_filename (es_test_folder (), name, NULL);
  GFile *file = g_file_new_for_path (path);

  es_session_keeper_save_as (es_window_get_keeper (window), file);
  ES_TEST_WAIT (es_test_is_idle, window);
  g_assert_true (g_file_query_exists (file, NULL));
  return file;
}

static void
move (const char *from, const char *to)
{
  g_autofree char *old = g_build_filename (es_test_folder (), from, NULL);
  g_autofree char *new = g_build_filename (es_test_folder (), to, NULL);

  g_assert_cmpint (g_rename (old, new), ==, 0);
}

static gboolean
is_alone (gpointer window)
{
  return es_test_is_idle (window)
         && g_list_model_get_n_items (es_session_get_datasets (es_window_get_session (window))) == 1;
}

static gboolean
is_pair (gpointer window)
{
  return es_test_is_idle (window)
         && g_list_model_get_n_items (es_session_get_datasets (es_window_get_session (window))) == 2;
}

/* One of its files is gone: the rest opens, it is named, stays in the session, and is found again with its results. */
static void
test_lost (void)
{
  EsWindow *window = es_test_kept_window (TRUE);
  g_autoptr (GFile) session = NULL, there = NULL;
  g_autofree char *path = g_build_filename (es_test_folder (), "elsewhere.img", NULL);
  GtkWidget *banner;

  es_test_kept_open (window, es_test_cube ("stays.img", 9));
  es_test_kept_open (window, es_test_cube ("goes.img", 10));
  run (window, "pca", "threshold", "0.95");
  session = save_session (window, "lost" ES_SESSION_ENDING);
  ES_TEST_WAIT (es_test_is_kept, window);
  es_test_kept_close (window);
  es_test_kept_forget ();
  move ("goes.img", "elsewhere.img");
  move ("goes.hdr", "elsewhere.hdr");

  window = es_test_kept_window (TRUE);
  es_window_open (window, &session, 1, ES_OPEN_GIVEN);
  ES_TEST_WAIT (is_alone, window);
  banner = es_test_find (GTK_WIDGET (window), GTK_TYPE_LABEL, "goes.img");
  g_assert_nonnull (banner);
  g_assert_nonnull (gtk_widget_get_ancestor (banner, ES_TYPE_BANNER));
  ES_TEST_WAIT (es_test_is_kept, window);
  es_test_kept_close (window);

  /* Also in the session that was saved by itself. */
  g_autofree char *uri = es_test_kept_find_left (FALSE);
  g_autoptr (GFile) left = g_file_new_for_uri (uri);
  g_autoptr (JsonNode) root = es_session_file_read (left, NULL, NULL);
  g_assert_cmpuint (es_session_file_count_datasets (root), ==, 2);
  JsonObject *lost = json_array_get_object_element (
    json_object_get_array_member (json_node_get_object (root), "datasets"), 1);
  g_autofree char *id = g_strdup (json_object_get_string_member (lost, "id"));
  g_assert_cmpstr (json_object_get_string_member (lost, "name"), ==, "goes.img");

  window = es_test_kept_continue (uri);
  ES_TEST_WAIT (is_alone, window);
  /* Left out, and not. */
  g_assert_true (gtk_widget_activate_action (GTK_WIDGET (window), "win.forget-lost", "s", id));
  g_assert_true (gtk_widget_activate_action (GTK_WIDGET (window), "win.remember-lost", "s", id));
  g_assert_nonnull (es_test_find (GTK_WIDGET (window), GTK_TYPE_LABEL, "goes.img"));
  there = g_file_new_for_path (path);
  es_session_keeper_locate (es_window_get_keeper (window), id, there);
  ES_TEST_WAIT (is_pair, window);
  g_autoptr (EsDataset) found = g_list_model_get_item (es_session_get_datasets (es_window_get_session (window)), 1);
  GListModel *results = es_session_get_results (es_window_get_session (window), found);
  g_assert_cmpstr (es_dataset_get_name (found), ==, "elsewhere.img");
  g_assert_cmpuint (g_list_model_get_n_items (results), ==, 1);
  es_test_kept_close (window);
  es_test_kept_forget ();
}

/* Classes that come with a session are told. */
static void
test_classes (void)
{
  const char *said = "1 class of the session was added to “classes.img”.";
  g_autoptr (EsRegion) region = es_region_parse ("rectangle 1 2 5 6", NULL);
  EsWindow *window = es_test_kept_window (TRUE);
  g_autoptr (GFile) session = NULL;

  es_test_kept_open (window, es_test_cube ("classes.img", 15));
  es_region_set_add (es_dataset_get_regions (es_viewer_get_dataset (es_test_viewer (window))), "Lake", region, 0);
  session = save_session (window, "classes" ES_SESSION_ENDING);
  forget_classes (window);
  ES_TEST_WAIT (es_test_is_kept, window);
  es_test_kept_close (window);
  window = es_test_kept_window (TRUE);
  es_window_open (window, &session, 1, ES_OPEN_GIVEN);
  ES_TEST_WAIT (es_test_is_restored, window);
  g_assert_nonnull (es_test_find (GTK_WIDGET (window), GTK_TYPE_LABEL, said));
  forget_classes (window);
  es_test_kept_close (window);
  es_test_kept_forget ();
}

/* Of a later version, cut, or none: said in a sentence; the file stays as it was, and what is open too. */
static void
test_refused (void)
{
  static const struct { const char *text, *said; } cases[] = {
    { "{\"eigenscope_session\":7,\"datasets\":[]}", "later Eigenscope" },
    { "{\"eigenscope_session\":1,\"datasets\":[{\"inp", "refused" ES_SESSION_ENDING },
    { "{\"eigenscope_session\":1,\"datasets\":7}", "datasets" },
  };
  EsWindow *window = es_test_kept_window (TRUE);
  g_autofree char *path = g_build_filename (es_test_folder (), "refused" ES_SESSION_ENDING, NULL);
  g_autoptr (GFile) file = g_file_new_for_path (path);

  es_test_kept_open (window, es_test_cube ("refused.img", 11));
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *after = NULL;

      g_assert_true (es_durable_write_text (file, cases[i].text, NULL));
      es_window_open (window, &file, 1, ES_OPEN_GIVEN);
      ES_TEST_WAIT (es_test_is_kept, window);
      if (es_test_find (GTK_WIDGET (window), GTK_TYPE_LABEL, cases[i].said) == NULL)
        g_test_message ("“%s” waits behind other toasts", cases[i].said);
      g_assert_true (g_file_get_contents (path, &after, NULL, NULL));
      g_assert_cmpstr (after, ==, cases[i].text);
      g_assert_cmpuint (g_list_model_get_n_items (es_session_get_datasets (es_window_get_session (window))), ==, 1);
    }
  g_assert_nonnull (es_test_find (GTK_WIDGET (window), GTK_TYPE_LABEL, "later Eigenscope"));
  es_test_kept_close (window);
  es_test_kept_forget ();
}

/* What another Eigenscope keeps of a window is told on. */
static void
test_sections (void)
{
  static const char text[] = "{\"eigenscope_session\":1,\"datasets\":[],\"sections\":{\"later\":{\"a\":[1,2]},"
                             "\"settings\":{\"sidebar-visible\":\"'no'\",\"sonar-divider\":\"7.5\","
                             "\"style\":\"'dark'\",\"folded-sections\":\"['spectrum']\"},\"cube-view\":7,"
                             "\"save-places\":[]}}";
  EsWindow *window = es_test_kept_window (TRUE);
  g_autofree char *path = g_build_filename (es_test_folder (), "sections" ES_SESSION_ENDING, NULL);
  g_autoptr (GFile) file = g_file_new_for_path (path), again = NULL;
  g_autoptr (GError) error = NULL;

  es_test_kept_open (window, es_test_cube ("sections.img", 16));
  g_assert_true (es_durable_write_text (file, text, &error));
  g_assert_no_error (error);
  es_window_open (window, &file, 1, ES_OPEN_GIVEN);
  ES_TEST_WAIT (es_test_is_kept, window);
  again = save_session (window, "sections-again" ES_SESSION_ENDING);
  g_autoptr (JsonNode) root = es_session_file_read (again, NULL, &error);
  g_assert_no_error (error);
  JsonObject *sections = json_object_get_object_member (json_node_get_object (root), "sections");
  g_assert_cmpuint (json_array_get_length (json_object_get_array_member (
                                             json_object_get_object_member (sections, "later"), "a")), ==, 2);
  g_assert_true (json_object_has_member (sections, "cube-view"));

  /* Of the right type and range, and of the work alone. */
  g_auto (GStrv) folded = g_settings_get_strv (es_settings_get (), "folded-sections");
  g_autofree char *style = g_settings_get_string (es_settings_get (), "style");
  g_assert_cmpstr (folded[0], ==, "spectrum");
  g_assert_cmpstr (style, ==, "default");
  g_assert_true (g_settings_get_boolean (es_settings_get (), "sidebar-visible"));
  g_assert_cmpfloat (g_settings_get_double (es_settings_get (), "sonar-divider"), <=, 1);
  g_settings_reset (es_settings_get (), "folded-sections");
  es_test_kept_close (window);
  es_test_kept_forget ();
}

int
main (int argc, char **argv)
{
  gtk_test_init (&argc, &argv, NULL);
  g_test_add_func ("/session-files/lost", test_lost);
  g_test_add_func ("/session-files/classes", test_classes);
  g_test_add_func ("/session-files/refused", test_refused);
  g_test_add_func ("/session-files/sections", test_sections);
  return g_test_run ();
}
