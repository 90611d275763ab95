/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* The sonar workspace in a small window: nothing that comes, goes or gets longer moves anything else. */

#include "hydrophones/es-array-pane.h"
#include "sonar/adaptive/es-adaptive-bar.h"
#include "sonar/es-sonar-bar.h"
#include "sonar/es-sonar-view-private.h"
#include "sonar/panes/es-kind-chooser.h"
#include "plane/es-colormap.h"
#include "widgets/es-fit-layout.h"
#include "widgets/es-settings.h"
#include "window/es-banner.h"
#include "window/es-sidebar.h"
#include "es-test-sonar-shell.h"

/* The width that a window of 1280 leaves for the displays, and less. */
static const int widths[] = { 1280, 1100, 1000 };

static GtkWidget *
bar_of (EsWindow *window)
{
  return es_test_find (GTK_WIDGET (es_test_sonar_view (window)), ES_TYPE_SONAR_BAR, NULL);
}

static GtkWidget *
row_of (GtkWidget *bar)
{
  return gtk_widget_get_first_child (bar);
}

static void
frames (EsWindow *window, guint n)
{
  GdkFrameClock *clock = gtk_widget_get_frame_clock (GTK_WIDGET (window));
  const gint64 last = gdk_frame_clock_get_frame_counter (clock) + n;

  while (gdk_frame_clock_get_frame_counter (clock) < last)
    {
      gtk_widget_queue_draw (GTK_WIDGET (window));
      g_main_context_iteration (NULL, TRUE);
    }
}

static EsWindow *
open_wide (int width)
{
  g_autoptr (GFile) file = es_test_recording ("line.wav", 6);
  EsWindow *window;

  g_settings_set (es_settings_get (), "window-size", "(ii)", width, 720);
  window = es_test_window_of (&file, 1);
  ES_TEST_WAIT (es_test_has_rows, es_test_player (window));
  frames (window, 3);
  return window;
}

static void
check_row (GtkWidget *bar)
{
  GtkWidget *row = row_of (bar), *menu = gtk_widget_get_last_child (row);
  int y = -1;

  g_assert_true (GTK_IS_MENU_BUTTON (menu));
  g_assert_true (gtk_widget_get_mapped (menu));
  for (GtkWidget *child = gtk_widget_get_first_child (row); child != NULL; child = gtk_widget_get_next_sibling (child))
    {
      graphene_rect_t bounds;

      if (!es_fit_layout_has_room (child) || gtk_widget_get_width (child) == 0)
        continue;
      g_assert_true (gtk_widget_compute_bounds (child, row, &bounds));
      /* Nothing is cut off, and all stand in one line. */
      g_assert_cmpfloat (bounds.origin.x + bounds.size.width, <=, gtk_widget_get_width (row) + 0.5);
      const int middle = (int) (bounds.origin.y + bounds.size.height / 2);
      g_assert_true (y < 0 || ABS (middle - y) <= 1);
      y = middle;
    }
}

static void
test_bar (void)
{
  for (guint i = 0; i < G_N_ELEMENTS (widths); i++)
    {
      EsWindow *window = open_wide (widths[i]);
      GtkWidget *bar = bar_of (window), *first = gtk_widget_get_first_child (row_of (bar));
      GtkWidget *follow = gtk_widget_get_next_sibling (first);
      const int height = gtk_widget_get_height (bar);

      check_row (bar);
      g_assert_true (es_fit_layout_has_room (follow));
      /* A longer word takes the place of others, and no other line. */
      gtk_button_set_label (GTK_BUTTON (follow), "Keep whatever is being heard in view at all times");
      frames (window, 3);
      check_row (bar);
      g_assert_cmpint (gtk_widget_get_height (bar), ==, height);
      gtk_button_set_label (GTK_BUTTON (follow), "Longer than any window is wide. Longer than any window is wide. "
                            "Longer than any window is wide. Longer than any window is wide.");
      frames (window, 3);
      check_row (bar);
      g_assert_false (es_fit_layout_has_room (follow));
      g_assert_cmpint (gtk_widget_get_height (bar), ==, height);
      gtk_button_set_label (GTK_BUTTON (follow), "F");
      frames (window, 3);
      g_assert_true (es_fit_layout_has_room (follow));
      es_test_close (window);
    }
}

static gboolean
has_adaptive (gpointer player)
{
  return es_beam_history_has (es_player_get_history (player), ES_BEAM_MVDR);
}

static gboolean
shows_result (gpointer window)
{
  return es_sonar_view_get_result (es_test_sonar_view (window)) != NULL && es_test_is_idle (window);
}

/* Adaptive beams bring a bar, whose height does not depend on what it says; a result leaves the row as it was. */
static void
test_bars (void)
{
  EsWindow *window = open_wide (1280);
  GtkWidget *bar = bar_of (window), *adaptive;
  const int height = gtk_widget_get_height (bar);
  int bars;

  es_test_activate (window, "switch-live");
  ES_TEST_WAIT (has_adaptive, es_test_player (window));
  frames (window, 5);
  adaptive = es_test_find (GTK_WIDGET (window), ES_TYPE_ADAPTIVE_BAR, NULL);
  g_assert_nonnull (adaptive);
  check_row (bar);
  g_assert_cmpint (gtk_widget_get_height (bar), ==, height);
  for (guint i = 0; i < ES_N_ADAPTIVE_SLIDERS; i++)
    g_assert_true (gtk_widget_get_mapped (GTK_WIDGET (es_adaptive_bar_get_slider (ES_ADAPTIVE_BAR (adaptive), i))));
  bars = gtk_widget_get_height (adaptive);
  /* Words of the longest kind. */
  es_adaptive_bar_set_settings (ES_ADAPTIVE_BAR (adaptive), NULL, 12);
  frames (window, 3);
  g_assert_cmpint (gtk_widget_get_height (adaptive), ==, bars);
  es_test_activate (window, "switch-live");
  es_test_activate (window, "run");
  ES_TEST_WAIT (shows_result, window);
  frames (window, 3);
  g_assert_nonnull (es_sonar_view_get_result (es_test_sonar_view (window)));
  check_row (bar);
  g_assert_cmpint (gtk_widget_get_height (bar), ==, height);
  es_test_close (window);
}

/* Another description of the array is longer, and warns; the displays stay as large as they were. */
static void
test_array (void)
{
  EsWindow *window = open_wide (1280);
  EsSonarView *view = es_test_sonar_view (window);
  const int width = gtk_widget_get_width (GTK_WIDGET (view)), height = gtk_widget_get_height (GTK_WIDGET (view));
  g_autoptr (EsArray) array = es_array_new_line (12, 40, 0, NULL);

  es_recording_describe_array (ES_RECORDING (es_test_first_dataset (window)), array);
  es_test_wait_idle (window);
  frames (window, 30);
  g_assert_cmpint (gtk_widget_get_width (GTK_WIDGET (view)), ==, width);
  g_assert_cmpint (gtk_widget_get_height (GTK_WIDGET (view)), ==, height);
  es_test_close (window);
}

/* What the array's section warns of stays there and with the result, and is no notice above the displays. */
static void
test_warned (void)
{
  EsWindow *window = open_wide (1280);
  EsSonarView *view = es_test_sonar_view (window);
  EsBanner *banner = ES_BANNER (es_test_find (GTK_WIDGET (window), ES_TYPE_BANNER, NULL));
  EsArrayPane *pane = ES_ARRAY_PANE (es_test_find (GTK_WIDGET (window), ES_TYPE_ARRAY_PANE, NULL));
  g_autoptr (EsArray) array = es_array_new_line (4, 40, 0, NULL);
  const char *const *warnings;
  const char *text;
  guint n_said = 0;

  es_recording_describe_array (ES_RECORDING (es_test_first_dataset (window)), array);
  es_test_wait_idle (window);
  frames (window, 30);
  es_test_activate (window, "run");
  ES_TEST_WAIT (shows_result, window);
  frames (window, 3);
  warnings = es_result_get_warnings (es_sonar_view_get_result (view));
  text = es_banner_get_text (banner);
  g_test_message ("%s", text);
  for (guint i = 0; warnings[i] != NULL; i++)
    {
      const gboolean is_told = text != NULL && strstr (text, warnings[i]) != NULL;

      g_assert_true (is_told != es_array_pane_says (pane, warnings[i]));
      n_said += !is_told;
    }
  g_assert_cmpuint (n_said, >, 0);
  es_test_close (window);
}

static int
minimum_of (GtkWidget *widget)
{
  int minimum;

  gtk_widget_measure (widget, GTK_ORIENTATION_VERTICAL, gtk_widget_get_width (widget), &minimum, NULL, NULL, NULL);
  return minimum;
}

/* Every column has room in 720 px, the middle with a notice as well, and some is left for writing that is taller. */
static void
test_height (void)
{
  EsWindow *window = open_wide (1280);
  GtkWidget *sidebar = es_test_find (GTK_WIDGET (window), ES_TYPE_SIDEBAR, NULL);
  GtkWidget *banner = es_test_find (GTK_WIDGET (window), ES_TYPE_BANNER, NULL), *view;
  g_autoptr (EsArray) array = es_array_new_line (4, 40, 0, NULL);

  es_recording_describe_array (ES_RECORDING (es_test_first_dataset (window)), array);
  es_test_wait_idle (window);
  es_test_activate (window, "run");
  ES_TEST_WAIT (shows_result, window);
  es_banner_set_text (ES_BANNER (banner), "What is said here stays true of what is shown.");
  frames (window, 60);
  view = GTK_WIDGET (es_test_sonar_view (window));
  /* A window that is pushed beyond 720 px has not that much. */
  const int room = gtk_widget_get_height (sidebar) - MAX (gtk_widget_get_height (GTK_WIDGET (window)) - 720, 0);

  g_test_message ("%d px: %d left, %d + %d in the middle", room, minimum_of (sidebar), minimum_of (banner),
                  minimum_of (view));
  g_assert_cmpint (minimum_of (sidebar) + 16, <=, room);
  g_assert_cmpint (minimum_of (banner) + minimum_of (view) + 16, <=, room);
  es_test_close (window);
}

/* ---- what is remembered ---- */

static EsPaneFrame *
frame_of (EsWindow *window, const char *id)
{
  EsPaneFrame *frame = _es_sonar_view_find_frame (es_test_sonar_view (window), id);

  g_assert_nonnull (frame);
  return frame;
}

static void
act (EsWindow *window, const char *name, GVariant *target)
{
  g_assert_true (gtk_widget_activate_action_variant (GTK_WIDGET (es_test_sonar_view (window)), name, target));
}

static double
share_of (EsWindow *window)
{
  EsSonarView *view = es_test_sonar_view (window);

  return gtk_paned_get_position (GTK_PANED (view->paned)) / (double) gtk_widget_get_height (view->paned);
}

static void
check_first (EsWindow *window)
{
  EsSonarView *view = es_test_sonar_view (window);

  g_assert_true (es_pane_frame_get_in_middle (frame_of (window, "btr")));
  g_assert_false (es_pane_frame_get_in_middle (frame_of (window, "azimuth")));
  g_assert_false (es_pane_frame_get_expanded (frame_of (window, "demon")));
  g_assert_true (es_pane_frame_get_expanded (frame_of (window, "energy")));
  g_assert_cmpint (es_kind_chooser_get_wanted (ES_KIND_CHOOSER (es_sonar_pane_get_chooser (
                     es_pane_frame_get_pane (frame_of (window, "btr-adaptive"))))), ==, ES_BEAM_MVDR);
  g_assert_cmpfloat (view->divider, ==, 0);
}

/* What a person set of the look is the same in the next window; places can be set back, and that is remembered too. */
static void
test_remembered (void)
{
  EsWindow *window = open_wide (1280);
  EsSonarLook *look = es_test_sonar_view (window)->look;
  GtkPaned *paned = GTK_PANED (es_test_sonar_view (window)->paned);
  double share, first;

  check_first (window);
  first = share_of (window);
  act (window, "sonar.colormap", g_variant_new_string ("gray"));
  act (window, "sonar.normaliser", g_variant_new_string ("split-window"));
  act (window, "sonar.dynamic-range", g_variant_new_double (15));
  act (window, "sonar.tracks", NULL);
  act (window, "sonar.harmonics", NULL);
  g_assert_cmpint (es_sonar_look_get_colormap (look), ==, ES_COLORMAP_GRAY);
  es_pane_frame_set_expanded (frame_of (window, "demon"), TRUE);
  es_pane_frame_set_expanded (frame_of (window, "energy"), FALSE);
  g_signal_emit_by_name (frame_of (window, "azimuth"), "swap");
  es_sonar_pane_set_kind (es_pane_frame_get_pane (frame_of (window, "btr-adaptive")), ES_BEAM_MUSIC);
  frames (window, 5);
  /* As a drag of the divider does. */
  gtk_paned_set_position (paned, gtk_paned_get_position (paned) + 40);
  frames (window, 3);
  share = share_of (window);
  g_assert_cmpfloat (share, >, first + 0.03);
  es_test_close (window);

  window = open_wide (1100);
  look = es_test_sonar_view (window)->look;
  frames (window, 5);
  g_assert_cmpint (es_sonar_look_get_colormap (look), ==, ES_COLORMAP_GRAY);
  g_assert_cmpint (es_sonar_look_get_normaliser (look), ==, ES_NORMALISER_SPLIT_WINDOW);
  g_assert_cmpfloat (es_sonar_look_get_range (look), ==, 15);
  g_assert_false (es_sonar_look_get_tracks (look));
  g_assert_true (es_sonar_look_get_harmonics (look));
  g_assert_true (es_pane_frame_get_expanded (frame_of (window, "demon")));
  g_assert_false (es_pane_frame_get_expanded (frame_of (window, "energy")));
  g_assert_true (es_pane_frame_get_in_middle (frame_of (window, "azimuth")));
  g_assert_false (es_pane_frame_get_in_middle (frame_of (window, "btr")));
  g_assert_true (gtk_widget_get_mapped (GTK_WIDGET (frame_of (window, "azimuth"))));
  g_assert_cmpfloat_with_epsilon (share_of (window), share, 0.01);
  g_assert_cmpint (es_kind_chooser_get_wanted (ES_KIND_CHOOSER (es_sonar_pane_get_chooser (
                     es_pane_frame_get_pane (frame_of (window, "btr-adaptive"))))), ==, ES_BEAM_MUSIC);
  /* A result does not undo it either. */
  es_test_activate (window, "run");
  ES_TEST_WAIT (shows_result, window);
  g_assert_true (es_pane_frame_get_in_middle (frame_of (window, "azimuth")));
  g_assert_cmpint (es_sonar_look_get_normaliser (look), ==, ES_NORMALISER_SPLIT_WINDOW);

  es_test_activate (window, "reset-layout");
  frames (window, 5);
  check_first (window);
  /* Colours are no place. */
  g_assert_cmpint (es_sonar_look_get_colormap (look), ==, ES_COLORMAP_GRAY);
  es_test_close (window);
  window = open_wide (1280);
  frames (window, 5);
  check_first (window);
  g_assert_cmpfloat_with_epsilon (share_of (window), first, 0.02);
  es_test_close (window);
}

/* ---- over the whole window ---- */

static gboolean
is_mapped (gpointer widget)
{
  return gtk_widget_get_mapped (widget);
}

/* Each display goes over the whole window and back to where it was, and nothing else moves. */
static void
test_enlarge (void)
{
  static const char *const ids[] = { "btr", "lofar", "azimuth", "demon" };
  EsWindow *window = open_wide (1280);
  EsSonarView *view = es_test_sonar_view (window);
  const int middle = gtk_widget_get_width (GTK_WIDGET (view));

  g_assert_false (es_test_enabled (window, "shrink-display"));
  for (guint i = 0; i < G_N_ELEMENTS (ids); i++)
    {
      EsPaneFrame *frame = frame_of (window, ids[i]);
      GtkWidget *parent = gtk_widget_get_parent (GTK_WIDGET (frame));
      GtkWidget *before = gtk_widget_get_prev_sibling (GTK_WIDGET (frame));
      const double share = share_of (window);
      const int width = gtk_widget_get_width (GTK_WIDGET (frame)), height = gtk_widget_get_height (GTK_WIDGET (frame));

      g_signal_emit_by_name (frame, "enlarge");
      ES_TEST_WAIT (is_mapped, frame);
      frames (window, 5);
      g_assert_cmpint (gtk_widget_get_width (GTK_WIDGET (frame)), >, gtk_widget_get_width (GTK_WIDGET (window)) - 60);
      g_assert_cmpint (gtk_widget_get_height (GTK_WIDGET (frame)), >, 450);
      g_assert_false (gtk_widget_get_mapped (GTK_WIDGET (view)));
      g_assert_true (gtk_widget_get_mapped (es_test_find (view->large, ES_TYPE_SONAR_BAR, NULL)));
      /* What was folded can be seen, and is brought up to date. */
      g_assert_true (gtk_widget_get_mapped (es_sonar_pane_get_child (es_pane_frame_get_pane (frame))));
      act (window, "sonar.normaliser", g_variant_new_string (i % 2 == 0 ? "order-truncate" : "none"));
      frames (window, 10);
      g_assert_false (es_sonar_pane_is_stale (es_pane_frame_get_pane (frame)));
      /* By Esc, by the keys, by the button. */
      if (i % 2 == 0)
        es_test_activate (window, "shrink-display");
      else
        g_signal_emit_by_name (frame, "enlarge");
      ES_TEST_WAIT (is_mapped, view);
      frames (window, 5);
      g_assert_false (es_test_enabled (window, "shrink-display"));
      g_assert_true (gtk_widget_get_parent (GTK_WIDGET (frame)) == parent);
      g_assert_true (gtk_widget_get_prev_sibling (GTK_WIDGET (frame)) == before);
      g_assert_cmpint (gtk_widget_get_width (GTK_WIDGET (frame)), ==, width);
      g_assert_cmpint (gtk_widget_get_height (GTK_WIDGET (frame)), ==, height);
      g_assert_cmpint (gtk_widget_get_width (GTK_WIDGET (view)), ==, middle);
      g_assert_cmpfloat_with_epsilon (share_of (window), share, 0.005);
    }
  /* A window may close meanwhile. */
  es_test_activate (window, "enlarge-display");
  ES_TEST_WAIT (is_mapped, view->large);
  es_test_close (window);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  es_test_application ();
  g_test_add_func ("/sonar-layout/bar", test_bar);
  g_test_add_func ("/sonar-layout/bars", test_bars);
  g_test_add_func ("/sonar-layout/array", test_array);
  g_test_add_func ("/sonar-layout/warned", test_warned);
  g_test_add_func ("/sonar-layout/height", test_height);
  g_test_add_func ("/sonar-layout/remembered", test_remembered);
  g_test_add_func ("/sonar-layout/enlarge", test_enlarge);
  return g_test_run ();
}
