/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "files/es-simulate-task.h"
#include "es-test-shell.h"
#include "window/es-tutorial-steps.h"
#include "window/es-window.h"
#include "operations/es-operations.h"

static GtkWidget *
find_button (GtkWidget *widget, const char *label)
{
  if (GTK_IS_BUTTON (widget) && g_strcmp0 (gtk_button_get_label (GTK_BUTTON (widget)), label) == 0)
    return widget;
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    {
      GtkWidget *found = find_button (child, label);
      if (found != NULL)
        return found;
    }
  return NULL;
}

static EsTutorial *
find_tutorial (GtkWindow *window)
{
  g_autoptr (GList) windows = gtk_window_list_toplevels ();

  for (GList *at = windows; at != NULL; at = at->next)
    if (ES_IS_TUTORIAL (at->data) && gtk_window_get_transient_for (at->data) == window)
      return at->data;
  return NULL;
}

static void
on_simulate (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  ++*(guint *) data;
}

static void
test_pages (void)
{
  GtkWindow *window = GTK_WINDOW (gtk_window_new ());

  es_tutorial_present (window);
  EsTutorial *tutorial = find_tutorial (window);
  g_assert_nonnull (tutorial);
  g_assert_cmpuint (es_tutorial_get_step (tutorial), ==, 0);
  g_assert_false (gtk_widget_get_sensitive (find_button (GTK_WIDGET (tutorial), "_Back")));

  /* Every page can be shown; the last one closes, and the tutorial comes back where it was. */
  while (es_tutorial_get_step (tutorial) + 1 < es_tutorial_get_n_steps (tutorial))
    g_signal_emit_by_name (find_button (GTK_WIDGET (tutorial), "_Next"), "clicked");
  g_assert_true (gtk_widget_get_sensitive (find_button (GTK_WIDGET (tutorial), "_Back")));
  g_signal_emit_by_name (find_button (GTK_WIDGET (tutorial), "_Close"), "clicked");
  g_assert_false (gtk_widget_get_visible (GTK_WIDGET (tutorial)));
  es_tutorial_present (window);
  g_assert_true (find_tutorial (window) == tutorial);
  g_assert_true (gtk_widget_get_visible (GTK_WIDGET (tutorial)));
  gtk_window_destroy (window);
}

/* The button follows the window's action, and is not there without one. */
static void
test_button (void)
{
  GtkWindow *window = GTK_WINDOW (gtk_application_window_new (GTK_APPLICATION (es_test_application ())));
  g_autoptr (GSimpleAction) action = g_simple_action_new ("simulate", NULL);
  guint simulated = 0;

  g_signal_connect (action, "activate", G_CALLBACK (on_simulate), &simulated);
  es_tutorial_present (window);
  EsTutorial *tutorial = find_tutorial (window);
  es_tutorial_set_step (tutorial, 1);
  GtkWidget *button = find_button (GTK_WIDGET (tutorial), "Simulate a Scene");
  g_assert_nonnull (button);
  g_assert_false (gtk_widget_get_visible (button));
  g_action_map_add_action (G_ACTION_MAP (window), G_ACTION (action));
  g_assert_true (gtk_widget_get_visible (button));
  g_assert_true (gtk_widget_get_sensitive (button));
  g_signal_emit_by_name (button, "clicked");
  g_assert_cmpuint (simulated, ==, 1);
  g_simple_action_set_enabled (action, FALSE);
  g_assert_false (gtk_widget_get_sensitive (button));
  gtk_window_destroy (window);
}

static void
on_run_operation (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  g_free (*(char **) data);
  *(char **) data = g_variant_dup_string (parameter, NULL);
}

/* Both paths are there, each stays where it was left, and every button does something that the window knows. */
static void
test_paths (void)
{
  GtkWindow *window = GTK_WINDOW (gtk_application_window_new (GTK_APPLICATION (es_test_application ())));
  g_autoptr (GSimpleAction) action = g_simple_action_new ("run-operation", G_VARIANT_TYPE_STRING);
  g_autofree char *ran = NULL;
  guint found = 0;

  g_signal_connect (action, "activate", G_CALLBACK (on_run_operation), &ran);
  g_action_map_add_action (G_ACTION_MAP (window), G_ACTION (action));
  es_tutorial_present (window);
  EsTutorial *tutorial = find_tutorial (window);
  g_assert_cmpint (es_tutorial_get_path (tutorial), ==, ES_TUTORIAL_CUBE);
  es_tutorial_set_step (tutorial, 2);
  gtk_toggle_button_set_active (GTK_TOGGLE_BUTTON (find_button (GTK_WIDGET (tutorial), "Recordings")), TRUE);
  g_assert_cmpint (es_tutorial_get_path (tutorial), ==, ES_TUTORIAL_RECORDING);
  g_assert_cmpuint (es_tutorial_get_step (tutorial), ==, 0);

  for (guint i = 0; i < es_tutorial_get_n_steps (tutorial); i++)
    {
      es_tutorial_set_step (tutorial, i);
      GtkWidget *button = find_button (GTK_WIDGET (tutorial), "Run Beamforming");
      if (button == NULL || !gtk_widget_get_visible (button))
        continue;
      found++;
      g_signal_emit_by_name (button, "clicked");
      g_assert_cmpstr (ran, ==, "cbf");
    }
  g_assert_cmpuint (found, ==, 1);
  g_assert_nonnull (find_button (GTK_WIDGET (tutorial), "_Close"));

  es_tutorial_set_path (tutorial, ES_TUTORIAL_CUBE);
  g_assert_cmpuint (es_tutorial_get_step (tutorial), ==, 2);
  g_assert_false (gtk_toggle_button_get_active (GTK_TOGGLE_BUTTON (find_button (GTK_WIDGET (tutorial), "Recordings"))));
  gtk_window_destroy (window);
}

/* Where a recording is shown, the tutorial is about recordings from the beginning. */
static void
test_begins_with_what_is_shown (void)
{
  GtkWindow *window = GTK_WINDOW (gtk_application_window_new (GTK_APPLICATION (es_test_application ())));
  g_autoptr (GSimpleAction) action = g_simple_action_new ("describe-array", NULL);

  g_action_map_add_action (G_ACTION_MAP (window), G_ACTION (action));
  es_tutorial_present (window);
  g_assert_cmpint (es_tutorial_get_path (find_tutorial (window)), ==, ES_TUTORIAL_RECORDING);
  gtk_window_destroy (window);
}

/* And about adaptive beams where these are played. */
static void
test_begins_with_what_is_played (void)
{
  GtkWindow *window = GTK_WINDOW (gtk_application_window_new (GTK_APPLICATION (es_test_application ())));
  g_autoptr (GSimpleAction) action = g_simple_action_new ("describe-array", NULL);
  g_autoptr (GSimpleAction) live = g_simple_action_new_stateful ("live", G_VARIANT_TYPE_STRING,
                                                                 g_variant_new_string ("mvdr"));

  g_action_map_add_action (G_ACTION_MAP (window), G_ACTION (action));
  g_action_map_add_action (G_ACTION_MAP (window), G_ACTION (live));
  es_tutorial_present (window);
  g_assert_cmpint (es_tutorial_get_path (find_tutorial (window)), ==, ES_TUTORIAL_ADAPTIVE);
  gtk_window_destroy (window);
}

/* Each word is an operation of beams, or a parameter of adaptive ones that can be read; nothing: its default. */
static void
check_words (const char *words)
{
  g_auto (GStrv) each = g_strsplit (words, " ", -1);
  const EsOperation *adaptive = es_operation_find ("mvdr", NULL);
  g_autoptr (EsParams) params = es_params_new (adaptive->params);

  for (guint i = 0; each[i] != NULL; i++)
    {
      g_auto (GStrv) parts = g_strsplit (each[i], "=", 2);
      g_autoptr (GError) error = NULL;

      if (parts[1] == NULL)
        g_assert_true (g_str_equal (parts[0], "cbf") || g_str_equal (parts[0], "mvdr"));
      else if (*parts[1] == '\0')
        g_assert_nonnull (es_param_specs_find (adaptive->params, parts[0]));
      else
        es_params_parse (params, parts[0], parts[1], &error);
      g_assert_no_error (error);
    }
}

/* Whatever a step names, the window has, with that kind of parameter; and operations are there by that name. */
static void
test_actions_exist (void)
{
  EsWindow *window = es_test_window_with (NULL);

  for (EsTutorialPath path = 0; path < ES_TUTORIAL_N_PATHS; path++)
    {
      guint n;
      const EsTutorialStep *steps = es_tutorial_get_steps (path, &n);

      g_assert_cmpuint (n, >, 5);
      for (guint i = 0; i < n; i++)
        {
          const GVariantType *type;

          g_assert_true ((steps[i].action == NULL) == (steps[i].button == NULL));
          if (steps[i].action == NULL)
            continue;
          g_assert_true (g_action_group_has_action (G_ACTION_GROUP (window), steps[i].action));
          type = g_action_group_get_action_parameter_type (G_ACTION_GROUP (window), steps[i].action);
          g_assert_true ((type != NULL) == (steps[i].target != NULL));
          if (g_strcmp0 (steps[i].action, "run-operation") == 0)
            g_assert_nonnull (es_operation_find (steps[i].target, NULL));
          if (g_strcmp0 (steps[i].action, "set-live") == 0)
            check_words (steps[i].target);
          if (g_strcmp0 (steps[i].action, "simulate-scene") == 0)
            {
              g_autoptr (EsParams) scene = es_simulate_scene (steps[i].target);

              g_assert_nonnull (scene);
            }
        }
    }
  es_test_close (window);
}

int
main (int argc, char **argv)
{
  gtk_test_init (&argc, &argv, NULL);
  es_test_application ();
  g_test_add_func ("/tutorial/pages", test_pages);
  g_test_add_func ("/tutorial/button", test_button);
  g_test_add_func ("/tutorial/paths", test_paths);
  g_test_add_func ("/tutorial/begins-with-what-is-shown", test_begins_with_what_is_shown);
  g_test_add_func ("/tutorial/begins-with-what-is-played", test_begins_with_what_is_played);
  g_test_add_func ("/tutorial/actions-exist", test_actions_exist);
  return g_test_run ();
}
