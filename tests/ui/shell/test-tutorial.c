/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-test-shell.h"
#include "es-tutorial.h"

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

int
main (int argc, char **argv)
{
  gtk_test_init (&argc, &argv, NULL);
  es_test_application ();
  g_test_add_func ("/tutorial/pages", test_pages);
  g_test_add_func ("/tutorial/button", test_button);
  return g_test_run ();
}
