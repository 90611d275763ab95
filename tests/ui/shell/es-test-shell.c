/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-test-shell.h"

#include <string.h>

#include "simulate/es-simulate.h"
#include "widgets/es-ui.h"

/* Where many run at once. */
#define TIMEOUT_SECONDS 60

/* GTK's own chooser of files draws buttons of its path now and then that it has not laid out yet, on a machine that is
 * busy: a warning, which would end the test. Of no widget of ours. */
static GLogWriterOutput
on_message (GLogLevelFlags level, const GLogField *fields, gsize n, gpointer unused)
{
  for (gsize i = 0; i < n; i++)
    if (g_strcmp0 (fields[i].key, "MESSAGE") == 0 && g_str_has_prefix (fields[i].value, "Trying to snapshot GtkButton")
        && es_test_find_toplevel (GTK_TYPE_FILE_CHOOSER_DIALOG) != NULL)
      return G_LOG_WRITER_HANDLED;
  return g_log_writer_default (level, fields, n, unused);
}

AdwApplication *
es_test_application (void)
{
  static AdwApplication *application;

  if (application == NULL)
    {
      g_autoptr (GError) error = NULL;

      es_ui_init ();
      /* As long as the program runs its main context is the main thread's, also between two turns: what a thread calls
       * there is called here. */
      g_assert_true (g_main_context_acquire (NULL));
      g_log_set_writer_func (on_message, NULL, NULL);
      application = g_object_new (ADW_TYPE_APPLICATION,
                                  "application-id", ES_APPLICATION_ID,
                                  "flags", G_APPLICATION_NON_UNIQUE,
                                  "resource-base-path", "/org/eigenscope/Eigenscope",
                                  NULL);
      g_application_register (G_APPLICATION (application), NULL, &error);
      g_assert_no_error (error);
      g_object_set (gtk_settings_get_default (), "gtk-enable-animations", FALSE, NULL);
    }
  return application;
}

static gboolean
on_timeout (gpointer data)
{
  *(gboolean *) data = TRUE;
  return G_SOURCE_REMOVE;
}

static gboolean
on_settled (gpointer data)
{
  *(gboolean *) data = TRUE;
  return G_SOURCE_REMOVE;
}

void
es_test_wait (EsTestCondition condition, gpointer data, const char *what)
{
  gboolean late = FALSE, settled = FALSE;
  guint source = g_timeout_add_seconds (TIMEOUT_SECONDS, on_timeout, &late);

  while (!late && !(condition (data) && settled))
    {
      /* A job has ended a moment before it is told: whatever is under way behind the condition comes first. */
      settled = FALSE;
      while (!late && !condition (data))
        g_main_context_iteration (NULL, TRUE);
      g_idle_add_full (G_PRIORITY_LOW + 100, on_settled, &settled, NULL);
      while (!settled)
        g_main_context_iteration (NULL, TRUE);
    }
  if (late)
    g_error ("%s did not hold within %d s", what, TIMEOUT_SECONDS);
  g_source_remove (source);
}

GtkWidget *
es_test_find (GtkWidget *root, GType type, const char *text)
{
  if (!gtk_widget_get_visible (root))
    return NULL;
  if (G_TYPE_CHECK_INSTANCE_TYPE (root, type)
      && (text == NULL || (GTK_IS_LABEL (root) && strstr (gtk_label_get_label (GTK_LABEL (root)), text) != NULL)))
    return root;
  for (GtkWidget *child = gtk_widget_get_first_child (root); child != NULL; child = gtk_widget_get_next_sibling (child))
    {
      GtkWidget *found = es_test_find (child, type, text);

      if (found != NULL)
        return found;
    }
  return NULL;
}

GtkWidget *
es_test_find_toplevel (GType type)
{
  GListModel *toplevels = gtk_window_get_toplevels ();

  for (guint i = 0; i < g_list_model_get_n_items (toplevels); i++)
    {
      g_autoptr (GtkWidget) toplevel = g_list_model_get_item (toplevels, i);

      if (G_TYPE_CHECK_INSTANCE_TYPE (toplevel, type) && gtk_widget_get_visible (toplevel))
        return toplevel;
    }
  return NULL;
}

const char *
es_test_folder (void)
{
  static char *folder;

  if (folder == NULL)
    {
      g_autoptr (GError) error = NULL;

      folder = g_dir_make_tmp ("eigenscope-shell-XXXXXX", &error);
      g_assert_no_error (error);
    }
  return folder;
}

static GFile *
make_cube (const char *name, guint bands, guint seed)
{
  g_autofree char *path = g_build_filename (es_test_folder (), name, NULL);
  g_autoptr (GFile) file = g_file_new_for_path (path);
  g_autoptr (GError) error = NULL;

  if (!g_file_query_exists (file, NULL))
    {
      g_autoptr (EsParams) params = es_params_new (es_simulate_cube_params);

      es_params_set_value (params, "width", 40);
      es_params_set_value (params, "height", 30);
      es_params_set_value (params, "bands", bands);
      es_params_set_value (params, "seed", seed);
      es_simulate_cube (file, params, NULL, NULL, NULL, &error);
      g_assert_no_error (error);
    }
  return g_steal_pointer (&file);
}

GFile *
es_test_cube (const char *name, guint seed)
{
  return make_cube (name, 24, seed);
}

GFile *
es_test_slow_cube (void)
{
  return make_cube ("slow.img", 420, 5);
}

gboolean
es_test_enabled (EsWindow *window, const char *name)
{
  g_assert_true (g_action_group_has_action (G_ACTION_GROUP (window), name));
  return g_action_group_get_action_enabled (G_ACTION_GROUP (window), name);
}

void
es_test_activate (EsWindow *window, const char *name)
{
  g_autofree char *full = g_strconcat ("win.", name, NULL);

  g_assert_true (es_test_enabled (window, name));
  g_assert_true (gtk_widget_activate_action (GTK_WIDGET (window), full, NULL));
}

EsSonarWorkspace *
es_test_sonar (EsWindow *window)
{
  return ES_SONAR_WORKSPACE (es_window_get_workspace (window, ES_TYPE_SONAR_WORKSPACE));
}

EsViewer *
es_test_viewer (EsWindow *window)
{
  return es_cube_workspace_get_viewer (ES_CUBE_WORKSPACE (es_window_get_workspace (window, ES_TYPE_CUBE_WORKSPACE)));
}

EsSonarView *
es_test_sonar_view (EsWindow *window)
{
  return es_sonar_workspace_get_view (es_test_sonar (window));
}

EsPlayer *
es_test_player (EsWindow *window)
{
  return es_sonar_workspace_get_player (es_test_sonar (window));
}

gboolean
es_test_is_idle (gpointer window)
{
  return es_window_get_n_activities (window) == 0 && es_session_get_n_active (es_window_get_session (window)) == 0
         && !es_viewer_is_loading (es_test_viewer (window));
}

EsWindow *
es_test_window_with (GFile *file)
{
  EsWindow *window = ES_WINDOW (es_window_new (GTK_APPLICATION (es_test_application ())));

  /* With all that it has: tests look for it at once. */
  es_window_get_session (window);
  gtk_window_present (GTK_WINDOW (window));
  if (file != NULL)
    {
      es_window_open (window, &file, 1, ES_OPEN_GIVEN);
      ES_TEST_WAIT (es_test_is_idle, window);
      g_assert_nonnull (es_viewer_get_dataset (es_test_viewer (window)));
    }
  return window;
}

static gboolean
is_gone (gpointer data)
{
  return *(gpointer *) data == NULL;
}

void
es_test_respond (GtkWidget *dialog, const char *response)
{
  g_assert_true (adw_message_dialog_get_response_enabled (ADW_MESSAGE_DIALOG (dialog), response));
  adw_message_dialog_response (ADW_MESSAGE_DIALOG (dialog), response);
  gtk_window_destroy (GTK_WINDOW (dialog));
}

void
es_test_close (EsWindow *window)
{
  gpointer weak = window;
  GtkWidget *dialog;

  es_session_cancel_all (es_window_get_session (window));
  ES_TEST_WAIT (es_test_is_idle, window);
  g_object_add_weak_pointer (G_OBJECT (window), &weak);
  gtk_window_close (GTK_WINDOW (window));
  /* What it found is not saved, and need not be. */
  dialog = es_test_find_toplevel (ADW_TYPE_MESSAGE_DIALOG);
  if (dialog != NULL && gtk_window_get_transient_for (GTK_WINDOW (dialog)) == GTK_WINDOW (window))
    es_test_respond (dialog, "discard");
  ES_TEST_WAIT (is_gone, &weak);
}

EsDataTree *
es_test_tree (EsWindow *window)
{
  return ES_DATA_TREE (es_test_find (GTK_WIDGET (window), ES_TYPE_DATA_TREE, NULL));
}

EsResult *
es_test_run_and_wait (EsWindow *window)
{
  es_test_activate (window, "run");
  ES_TEST_WAIT (es_test_is_idle, window);
  g_assert_nonnull (es_viewer_get_result (es_test_viewer (window)));
  return es_viewer_get_result (es_test_viewer (window));
}
