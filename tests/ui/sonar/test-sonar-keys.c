/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* Space plays whatever was clicked last, and F6 comes to what the keys are for. */

#include "charts/es-map-view.h"
#include "sonar/es-sonar-bar.h"
#include "sonar/es-sonar-view-private.h"
#include "sonar/panes/es-kind-chooser.h"
#include "sonar/transport/es-transport-bar.h"
#include "window/es-data-tree.h"
#include "es-test-sonar-shell.h"

static EsWindow *
open_recording (void)
{
  g_autoptr (GFile) file = es_test_recording ("keys.wav", 6);
  EsWindow *window = es_test_window_of (&file, 1);

  gtk_window_present (GTK_WINDOW (window));
  ES_TEST_WAIT (es_test_has_rows, es_test_player (window));
  return window;
}

static GtkWidget *
display_of (EsWindow *window, const char *id)
{
  EsSonarView *view = es_test_sonar_view (window);

  return es_sonar_pane_get_child (es_pane_frame_get_pane (_es_sonar_view_find_frame (view, id)));
}

static GtkWidget *
child_of_type (GtkWidget *widget, GType type)
{
  GtkWidget *child = gtk_widget_get_first_child (widget);

  while (child != NULL && !g_type_is_a (G_OBJECT_TYPE (child), type))
    child = gtk_widget_get_next_sibling (child);
  return child;
}

/* As the pointer does: what listens to presses there hears of one. */
static void
press (GtkWidget *widget)
{
  g_autoptr (GListModel) controllers = gtk_widget_observe_controllers (widget);

  for (guint i = 0; i < g_list_model_get_n_items (controllers); i++)
    {
      g_autoptr (GtkEventController) controller = g_list_model_get_item (controllers, i);

      if (GTK_IS_GESTURE_CLICK (controller)
          && gtk_event_controller_get_propagation_phase (controller) == GTK_PHASE_CAPTURE)
        g_signal_emit_by_name (controller, "pressed", 1, 5., 5.);
    }
}

static gboolean
is_open (gpointer popover)
{
  GtkWidget *focus = gtk_root_get_focus (gtk_widget_get_root (popover));

  return gtk_widget_get_mapped (popover) && focus != NULL && gtk_widget_is_ancestor (focus, popover);
}

static gboolean
is_closed (gpointer popover)
{
  return !gtk_widget_get_mapped (popover);
}

static gboolean
is_focus (gpointer widget)
{
  return gtk_root_get_focus (gtk_widget_get_root (widget)) == widget;
}

static void
settle (void)
{
  while (g_main_context_iteration (NULL, FALSE))
    continue;
}

/* Its list is opened and closed; the focus is at the display before. */
static void
choose (EsWindow *window, GtkWidget *drop_down, gboolean by_pointer)
{
  GtkWidget *popover = child_of_type (drop_down, GTK_TYPE_POPOVER);
  GtkWidget *button = child_of_type (drop_down, GTK_TYPE_TOGGLE_BUTTON);
  GtkWidget *display = display_of (window, "btr");

  g_assert_nonnull (popover);
  g_assert_nonnull (button);
  g_assert_true (gtk_widget_grab_focus (display));
  if (by_pointer)
    press (drop_down);
  else
    g_assert_true (gtk_widget_grab_focus (button));
  gtk_toggle_button_set_active (GTK_TOGGLE_BUTTON (button), TRUE);
  ES_TEST_WAIT (is_open, popover);
  gtk_popover_popdown (GTK_POPOVER (popover));
  ES_TEST_WAIT (is_closed, popover);
  settle ();
}

static void
test_space (void)
{
  EsWindow *window = open_recording ();
  EsPlayer *player = es_test_player (window);
  GtkWidget *bars[] = { es_test_find (GTK_WIDGET (window), ES_TYPE_TRANSPORT_BAR, NULL),
                        es_test_find (GTK_WIDGET (window), ES_TYPE_SONAR_BAR, NULL) };
  GtkWidget *display = display_of (window, "btr");
  guint n = 0;

  /* It plays to no end of its own, however slow the machine is. */
  es_player_set_loop (player, TRUE);
  for (guint i = 0; i < G_N_ELEMENTS (bars); i++)
    {
      /* All of one bar stand side by side. */
      GtkWidget *first = es_test_find (bars[i], GTK_TYPE_DROP_DOWN, NULL);

      for (GtkWidget *child = first; child != NULL; child = gtk_widget_get_next_sibling (child))
        {
          const gboolean playing = es_player_is_playing (player);

          if (!GTK_IS_DROP_DOWN (child) || !gtk_widget_get_mapped (child))
            continue;
          choose (window, child, TRUE);
          ES_TEST_WAIT (is_focus, display);
          g_signal_emit_by_name (window, "activate-focus");
          g_assert_true (es_player_is_playing (player) != playing);
          n++;
        }
    }
  g_assert_cmpuint (n, >=, 3);
  /* A row of the data, too. */
  const gboolean playing = es_player_is_playing (player);
  GtkWidget *tree = es_test_find (GTK_WIDGET (window), ES_TYPE_DATA_TREE, NULL);
  g_assert_true (gtk_widget_grab_focus (es_test_find (tree, GTK_TYPE_LIST_VIEW, NULL)));
  g_signal_emit_by_name (window, "activate-focus");
  g_assert_true (es_player_is_playing (player) != playing);
  es_player_pause (player);
  /* Whoever comes by keys stays. */
  GtkWidget *speed = es_test_find (bars[0], GTK_TYPE_DROP_DOWN, NULL);
  choose (window, speed, FALSE);
  g_assert_true (gtk_widget_is_ancestor (gtk_root_get_focus (GTK_ROOT (window)), speed));
  es_test_close (window);
}

/* F6 goes from display to display, also to one that has not had the focus before. */
static void
test_next_pane (void)
{
  EsWindow *window = open_recording ();
  GtkWidget *record = display_of (window, "btr"), *lines = display_of (window, "lofar");
  GtkWidget *focus;
  gboolean handled = FALSE;

  g_assert_true (gtk_widget_grab_focus (record));
  g_signal_emit_by_name (es_test_sonar_view (window)->paned, "cycle-child-focus", FALSE, &handled);
  g_assert_true (handled);
  g_assert_true (is_focus (lines));
  /* Its buttons come behind it, and before it backwards. */
  g_assert_true (gtk_widget_child_focus (GTK_WIDGET (window), GTK_DIR_TAB_FORWARD));
  focus = gtk_root_get_focus (GTK_ROOT (window));
  g_assert_true (gtk_widget_get_ancestor (focus, ES_TYPE_PANE_FRAME) == gtk_widget_get_ancestor (lines,
                                                                                               ES_TYPE_PANE_FRAME));
  g_assert_false (focus == lines);
  g_assert_true (gtk_widget_child_focus (GTK_WIDGET (window), GTK_DIR_TAB_BACKWARD));
  g_assert_true (is_focus (lines));
  es_test_close (window);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  es_test_application ();
  g_test_add_func ("/sonar-keys/space", test_space);
  g_test_add_func ("/sonar-keys/next-pane", test_next_pane);
  return g_test_run ();
}
