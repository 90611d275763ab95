/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* Bearings from the array, round and from true north, and times by a clock, in the window: the form that tells them,
 * the file beside the recording, the record, the cursor and the list of arrivals. The source lies at 60 degrees from
 * the axis of the line, so that all else is arithmetic. */

#include <math.h>
#include <string.h>

#include "hydrophones/es-navigation-dialog.h"
#include "sonar/display/es-bearing-scale.h"
#include "sonar/display/es-sonar-cursor.h"
#include "sonar/es-sonar-view.h"
#include "sonar/panes/es-btr-pane.h"
#include "sonar/panes/es-energy-pane.h"
#include "sonar/panes/es-peak-list.h"
#include "es-test-sonar-shell.h"

#define BEARING 60

static EsNavigationDialog *
open_form (EsWindow *window)
{
  GtkWidget *dialog;

  es_test_activate (window, "navigation");
  dialog = es_test_find_toplevel (ES_TYPE_NAVIGATION_DIALOG);
  g_assert_nonnull (dialog);
  return ES_NAVIGATION_DIALOG (dialog);
}

static gboolean
says (EsNavigationDialog *dialog, const char *word)
{
  g_test_message ("%s", es_navigation_dialog_get_verdict (dialog));
  return strstr (es_navigation_dialog_get_verdict (dialog), word) != NULL;
}

static gboolean
can_apply (EsNavigationDialog *dialog)
{
  g_autoptr (EsNavigation) navigation = es_navigation_dialog_get (dialog);

  return navigation != NULL;
}

static gboolean
has_read (gpointer dialog)
{
  return !es_navigation_dialog_is_reading (dialog);
}

static gboolean
is_there (gpointer file)
{
  return g_file_query_exists (file, NULL);
}

static gboolean
is_gone (gpointer file)
{
  return !g_file_query_exists (file, NULL);
}

static void
write_text (GFile *file, const char *text)
{
  g_autoptr (GError) error = NULL;

  g_file_replace_contents (file, text, strlen (text), NULL, FALSE, 0, NULL, NULL, &error);
  g_assert_no_error (error);
}

static gboolean
is_laid_out (gpointer widget)
{
  return gtk_widget_get_mapped (widget) && gtk_widget_get_width (widget) > 1;
}

static void
check_seen (GtkWidget *widget, const char *text)
{
  GtkWidget *entry = es_test_find (widget, GTK_TYPE_TEXT, NULL);
  int width, height;

  g_assert_nonnull (entry);
  g_assert_cmpstr (gtk_editable_get_text (GTK_EDITABLE (entry)), ==, text);
  g_autoptr (PangoLayout) layout = gtk_widget_create_pango_layout (entry, text);
  pango_layout_get_pixel_size (layout, &width, &height);
  g_assert_cmpint (gtk_widget_get_width (entry), >=, width);
  /* Characters are counted by a width that is less than a digit's beside Chinese. */
  g_assert_cmpint (gtk_editable_get_width_chars (GTK_EDITABLE (gtk_widget_get_parent (entry))), >=,
                   (int) strlen (text) * 11 / 10);
}

static void
collect_mnemonics (GtkWidget *widget, GString *letters)
{
  if (GTK_IS_LABEL (widget) && gtk_widget_get_visible (widget)
      && gtk_label_get_mnemonic_keyval (GTK_LABEL (widget)) != GDK_KEY_VoidSymbol)
    g_string_append_unichar (letters, gdk_keyval_to_unicode (gtk_label_get_mnemonic_keyval (GTK_LABEL (widget))));
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    if (gtk_widget_get_visible (child))
      collect_mnemonics (child, letters);
}

/* Of what is in a dialog no two have the same letter. */
static void
check_mnemonics (GtkWidget *dialog)
{
  g_autoptr (GString) letters = g_string_new (NULL);

  collect_mnemonics (dialog, letters);
  g_test_message ("%s", letters->str);
  g_assert_cmpuint (letters->len, >=, 6);
  for (gsize i = 0; i < letters->len; i++)
    g_assert_null (strchr (letters->str + i + 1, letters->str[i]));
}

static void
test_form (void)
{
  g_autoptr (GFile) file = es_test_recording ("pointed.wav", 2);
  g_autoptr (GFile) table = es_test_file_in ("pointed", "gyro.csv");
  g_autoptr (GFile) sidecar = es_navigation_sidecar_of (file);
  EsWindow *window = es_test_window_of (&file, 1);
  EsRecording *recording = ES_RECORDING (es_test_first_dataset (window));
  EsNavigationDialog *dialog = open_form (window);
  g_autoptr (EsNavigation) told = NULL, again = NULL;

  g_assert_true (says (dialog, "Times count from the beginning"));
  check_mnemonics (GTK_WIDGET (dialog));
  es_navigation_dialog_type (dialog, "noon", NULL);
  g_assert_false (can_apply (dialog));
  g_assert_true (says (dialog, "“noon” is no time"));
  es_navigation_dialog_type (dialog, "2026-05-01 12:00:00", "x");
  g_assert_false (can_apply (dialog));
  g_assert_true (says (dialog, "“x” is no number"));
  es_navigation_dialog_type (dialog, NULL, "400");
  g_assert_false (can_apply (dialog));
  es_navigation_dialog_type (dialog, NULL, "213,5°");
  g_assert_true (can_apply (dialog));
  g_assert_true (says (dialog, "began 2026-05-01 12:00:00 UTC; heading 213.5°"));

  /* A clock needs the start; what does not reach over the recording is told. */
  write_text (table, "time,heading_deg\n2026-05-01T12:00:00Z,10\n2026-05-01T12:00:01Z,20\n");
  es_navigation_dialog_type (dialog, "", NULL);
  es_navigation_dialog_load (dialog, table);
  g_assert_false (can_apply (dialog) && !es_navigation_dialog_is_reading (dialog));
  ES_TEST_WAIT (has_read, dialog);
  g_assert_true (says (dialog, "tell its start first"));
  es_navigation_dialog_type (dialog, "2026-05-01T11:59:50Z", NULL);
  es_navigation_dialog_load (dialog, table);
  ES_TEST_WAIT (has_read, dialog);
  g_assert_true (says (dialog, "2 headings from 10 to 11 s"));
  g_assert_true (says (dialog, "not known for 100 %"));
  es_navigation_dialog_type (dialog, "2026-05-01T12:00:00Z", NULL);
  es_navigation_dialog_load (dialog, table);
  ES_TEST_WAIT (has_read, dialog);
  g_assert_false (says (dialog, "not known"));
  es_navigation_dialog_apply (dialog);
  told = es_recording_dup_navigation (recording);
  g_assert_cmpfloat_with_epsilon (es_navigation_get_heading (told, 0.5), 15, 1e-9);
  ES_TEST_WAIT (is_there, sidecar);
  es_test_wait_idle (window);

  /* Taken away, and back; and known the next time. */
  dialog = open_form (window);
  es_navigation_dialog_remove (dialog);
  ES_TEST_WAIT (is_gone, sidecar);
  es_test_wait_idle (window);
  es_test_activate (window, "undo-navigation");
  ES_TEST_WAIT (is_there, sidecar);
  es_test_wait_idle (window);
  es_test_close (window);
  window = es_test_window_of (&file, 1);
  again = es_recording_dup_navigation (ES_RECORDING (es_test_first_dataset (window)));
  g_assert_true (es_navigation_equal (again, told));
  /* The whole of a start with its milliseconds is seen. */
  dialog = open_form (window);
  ES_TEST_WAIT (is_laid_out, dialog);
  check_seen (GTK_WIDGET (dialog), "2026-05-01T12:00:00.000Z");
  check_mnemonics (GTK_WIDGET (dialog));
  gtk_window_close (GTK_WINDOW (dialog));
  es_test_close (window);
}

/* ---- displays ---- */

typedef struct
{
  EsWindow       *window;
  GtkWidget      *view;
  EsBtrPane      *pane;
  EsSonarDisplay *display;
  EsRecording    *recording;
} Scene;

static gboolean
is_filled (gpointer data)
{
  Scene *scene = data;
  EsBeamHistory *history = es_sonar_source_get_history (es_sonar_display_get_source (scene->display));

  return history != NULL && es_beam_history_get_n_rows (history) > 0
         && es_beam_history_get_n_current (history) == es_beam_history_get_n_rows (history)
         && es_heatmap_get_end (es_waterfall_pane_get_map (ES_WATERFALL_PANE (scene->pane))) > 0
         && !es_waterfall_pane_is_filling (ES_WATERFALL_PANE (scene->pane))
         && !es_sonar_pane_is_stale (ES_SONAR_PANE (scene->pane));
}

static Scene
open_scene (GFile *file)
{
  Scene scene = { .window = es_test_window_of (&file, 1) };

  scene.recording = ES_RECORDING (es_test_first_dataset (scene.window));
  scene.view = es_test_find (GTK_WIDGET (scene.window), ES_TYPE_SONAR_VIEW, NULL);
  scene.pane = ES_BTR_PANE (es_test_find (GTK_WIDGET (scene.window), ES_TYPE_BTR_PANE, NULL));
  scene.display = es_sonar_pane_get_display (ES_SONAR_PANE (scene.pane));
  ES_TEST_WAIT (is_filled, &scene);
  return scene;
}

static char *
get_status (Scene *scene)
{
  char *status;

  es_test_wait_idle (scene->window);
  ES_TEST_WAIT (is_filled, scene);
  g_object_get (scene->view, "status", &status, NULL);
  g_test_message ("%s", status);
  return status;
}

static void
choose (Scene *scene, const char *action, const char *what)
{
  g_assert_true (gtk_widget_activate_action (scene->view, action, "s", what));
  es_test_wait_idle (scene->window);
  ES_TEST_WAIT (is_filled, scene);
}

/* Where a map is loudest at a row, on the axis, within 60 degrees of a place. */
static double
find_loudest_of (EsMapView *view, guint64 row, double near)
{
  EsHeatmap *map = es_map_view_get_map (view);
  double best = -INFINITY, place = NAN;

  for (guint c = 0; c < es_heatmap_get_n_columns (map); c++)
    {
      const double value = es_map_view_value_of (view, c + 0.5), level = es_heatmap_get_value (map, c, row);

      if (fabs (remainder (value - near, 360)) < 60 && level > best)
        {
          best = level;
          place = value;
        }
    }
  return place;
}

/* Of the record. */
static double
find_loudest (Scene *scene, guint64 row, double near)
{
  return find_loudest_of (es_waterfall_pane_get_view (ES_WATERFALL_PANE (scene->pane)), row, near);
}

/* Of the energy field, at the range that is loudest everywhere: the far field, its last row. */
static double
find_loudest_far (Scene *scene, double near)
{
  GtkWidget *pane = es_test_find (GTK_WIDGET (scene->window), ES_TYPE_ENERGY_PANE, NULL);
  EsMapView *view = ES_MAP_VIEW (es_test_find (es_sonar_pane_get_child (ES_SONAR_PANE (pane)), ES_TYPE_MAP_VIEW, NULL));

  return find_loudest_of (view, es_heatmap_get_end (es_map_view_get_map (view)) - 1, near);
}

static gboolean
is_near (double a, double b)
{
  /* The array of the tests has beams of 20 degrees; their grid is a third of that at most. */
  if (fabs (remainder (a - b, 360)) <= 3.5)
    return TRUE;
  g_test_message ("%g is not %g", a, b);
  return FALSE;
}

static void
tell (Scene *scene, const double *times, const double *headings, guint n)
{
  g_autoptr (GDateTime) start = es_navigation_parse_start ("2026-05-01T23:59:59.75Z", NULL);
  g_autoptr (EsNavigation) navigation = es_navigation_new (start, times, headings, n, NULL);

  es_recording_set_navigation (scene->recording, navigation);
  es_test_wait_idle (scene->window);
  ES_TEST_WAIT (is_filled, scene);
}

/* A file that was refused is somebody's work: it is put away, not written over. */
static void
test_foreign (void)
{
  g_autoptr (GFile) file = es_test_recording ("foreign.wav", 2);
  g_autoptr (GFile) sidecar = es_navigation_sidecar_of (file);
  g_autofree char *path = g_file_get_path (sidecar), *other_path = g_strconcat (path, ".~1~", NULL);
  g_autoptr (GFile) other = g_file_new_for_path (other_path);
  static const char theirs[] = "{ \"eigenscope-navigation\": 1, \"pitch-deg\": 3 }";
  g_autofree char *trash = g_build_filename (g_get_user_data_dir (), "Trash", "files", NULL);
  g_autofree char *text = NULL;

  write_text (sidecar, theirs);
  EsWindow *window = es_test_window_of (&file, 1);
  EsNavigationDialog *dialog = open_form (window);
  es_navigation_dialog_type (dialog, NULL, "90");
  es_navigation_dialog_apply (dialog);
  es_test_wait_idle (window);
  g_autoptr (EsNavigation) ours = es_navigation_load (sidecar, NULL, NULL);
  g_assert_nonnull (ours);
  if (!g_file_get_contents (other_path, &text, NULL, NULL))
    {
      g_autofree char *name = g_path_get_basename (path), *kept = g_build_filename (trash, name, NULL);

      g_assert_true (g_file_get_contents (kept, &text, NULL, NULL));
    }
  g_assert_cmpstr (text, ==, theirs);

  /* Applied again as it is, nothing is written. */
  g_autoptr (GFileInfo) before = g_file_query_info (sidecar, "etag::value,unix::inode", 0, NULL, NULL);
  dialog = open_form (window);
  es_navigation_dialog_apply (dialog);
  es_test_wait_idle (window);
  g_autoptr (GFileInfo) after = g_file_query_info (sidecar, "etag::value,unix::inode", 0, NULL, NULL);
  g_assert_cmpuint (g_file_info_get_attribute_uint64 (before, "unix::inode"), ==,
                    g_file_info_get_attribute_uint64 (after, "unix::inode"));

  /* Unless somebody has changed the file, or taken it away. */
  for (guint i = 0; i < 2; i++)
    {
      if (i == 0)
        write_text (sidecar, theirs);
      else
        g_assert_true (g_file_delete (sidecar, NULL, NULL));
      dialog = open_form (window);
      es_navigation_dialog_apply (dialog);
      es_test_wait_idle (window);
      g_autoptr (EsNavigation) again = es_navigation_load (sidecar, NULL, NULL);
      g_assert_true (es_navigation_equal (again, ours));
    }
  es_test_close (window);
}

static void
test_true (void)
{
  g_autoptr (GFile) file = es_test_recording ("true.wav", 4);
  Scene scene = open_scene (file);
  EsSonarCursor *cursor = es_sonar_display_get_cursor (scene.display);
  EsSonarSource *source = es_sonar_display_get_source (scene.display);
  const double heading = 100;
  guint64 last;

  g_assert_true (is_near (find_loudest (&scene, 0, BEARING), BEARING));

  /* Round: both sides of a line. */
  choose (&scene, "sonar.bearings", "round");
  g_assert_true (is_near (find_loudest (&scene, 0, BEARING), BEARING));
  g_assert_true (is_near (find_loudest (&scene, 0, 360 - BEARING), 360 - BEARING));
  g_assert_true (is_near (find_loudest_far (&scene, BEARING), BEARING));
  g_assert_true (is_near (find_loudest_far (&scene, 360 - BEARING), 360 - BEARING));
  es_sonar_cursor_point_now (cursor, 360 - BEARING);
  g_assert_true (is_near (es_sonar_cursor_get_bearing (cursor), BEARING));
  g_assert_cmpuint (es_sonar_cursor_get_side (cursor), ==, 1);

  /* True: without a heading as before, and the form comes up; with one, starboard and port of it. */
  choose (&scene, "sonar.bearings", "true");
  g_assert_true (es_bearing_scale_is_plain (es_sonar_display_get_scale (scene.display)));
  GtkWidget *dialog = es_test_find_toplevel (ES_TYPE_NAVIGATION_DIALOG);
  g_assert_nonnull (dialog);
  gtk_window_close (GTK_WINDOW (dialog));
  tell (&scene, NULL, &heading, 1);
  g_assert_true (is_near (find_loudest (&scene, 0, 160), 160));
  g_assert_true (is_near (find_loudest (&scene, 0, 40), 40));
  es_sonar_cursor_point_now (cursor, 40);
  g_assert_true (is_near (es_sonar_cursor_get_bearing (cursor), BEARING));
  g_assert_cmpuint (es_sonar_cursor_get_side (cursor), ==, 1);
  g_autofree char *status = get_status (&scene);
  const double bearing = es_sonar_cursor_get_bearing (cursor);
  g_autofree char *expected = g_strdup_printf ("%05.1f° or %05.1f° true", 100 - bearing, 100 + bearing);
  g_assert_nonnull (strstr (status, expected));
  GtkWidget *list = es_test_find (GTK_WIDGET (scene.window), ES_TYPE_PEAK_LIST, NULL);
  g_assert_nonnull (es_test_find (list, GTK_TYPE_LABEL, "True, starboard"));

  /* By the keys to the right is to the right, on both sides. */
  double before[2], after[2];
  EsBearingScale *scale = es_sonar_display_get_scale (scene.display);
  for (guint side = 0; side < 2; side++)
    {
      es_sonar_cursor_point_now (cursor, side == 0 ? 160 : 40);
      es_bearing_scale_show (scale, heading, es_sonar_cursor_get_bearing (cursor), before);
      es_sonar_cursor_step (cursor, 1, 0);
      es_bearing_scale_show (scale, heading, es_sonar_cursor_get_bearing (cursor), after);
      g_assert_cmpuint (es_sonar_cursor_get_side (cursor), ==, side);
      g_assert_cmpfloat (remainder (after[side] - before[side], 360), >, 0);
    }

  /* The array turns: the trace of what it hears at one bearing turns with it, and a true bearing that is pointed at is
   * another beam at every moment. */
  last = es_sonar_source_get_end (source) - 1;
  const double times[] = { 0, 1, 2, 3, 4 }, headings[] = { 340, 350, 0, 10, 20 };
  tell (&scene, times, headings, 5);
  const double first_heading = 340 + 10 * es_sonar_source_get_row_time (source, 0);
  const double last_heading = 340 + 10 * es_sonar_source_get_row_time (source, last);
  g_assert_true (is_near (find_loudest (&scene, 0, first_heading + BEARING), first_heading + BEARING));
  g_assert_true (is_near (find_loudest (&scene, last, last_heading + BEARING), last_heading + BEARING));
  es_sonar_cursor_point (cursor, fmod (first_heading + BEARING, 360), 0);
  es_sonar_cursor_set_row (cursor, 0);
  g_assert_true (is_near (es_sonar_cursor_get_bearing (cursor), BEARING));
  g_autofree char *held = g_strdup_printf ("%05.1f° or ", es_sonar_cursor_get_held (cursor));
  g_autofree char *here = get_status (&scene);
  g_assert_nonnull (strstr (here, held));
  g_assert_true (is_near (find_loudest_far (&scene, first_heading + BEARING), first_heading + BEARING));
  es_sonar_cursor_set_row (cursor, last);
  /* From above the field is the array's, and says so. */
  GtkWidget *energy = es_test_find (GTK_WIDGET (scene.window), ES_TYPE_ENERGY_PANE, NULL);
  EsSonarLook *look = es_sonar_display_get_look (scene.display);
  for (guint plan = 0; plan < 2; plan++)
    {
      g_autofree char *title = NULL;

      es_sonar_look_set_plan (look, plan);
      es_test_wait_idle (scene.window);
      ES_TEST_WAIT (is_filled, &scene);
      g_autofree char *words = es_sonar_pane_describe_picture (ES_SONAR_PANE (energy), &title);
      g_assert_true ((strstr (words, "from true north") == NULL) == plan);
      g_assert_true ((strstr (words, "bearings from the array") != NULL) == plan);
    }
  es_sonar_look_set_plan (look, FALSE);
  /* It is written as what was pointed at, not as that of the beam which is nearest to it. */
  g_autofree char *there = get_status (&scene);
  g_assert_nonnull (strstr (there, held));
  g_assert_true (is_near (find_loudest_far (&scene, last_heading + BEARING), last_heading + BEARING));
  g_assert_true (is_near (es_sonar_cursor_get_bearing (cursor), BEARING - (last_heading - first_heading)));
  const EsBeamSettings *settings = es_sonar_source_get_settings (source);
  g_assert_true (is_near (settings->angles[es_sonar_cursor_get_angle_at (cursor, 0)], BEARING));
  /* What is pointed at anew is kept from there on. */
  es_sonar_cursor_set_bearing_at (cursor, BEARING);
  es_sonar_cursor_set_row (cursor, 0);
  g_assert_true (is_near (es_sonar_cursor_get_bearing (cursor), BEARING + (last_heading - first_heading)));

  /* Where no heading is known there is nothing to be seen. */
  tell (&scene, (double[]) { 3, 3.1, 3.2 }, (double[]) { 1, 2, 3 }, 3);
  EsHeatmap *map = es_waterfall_pane_get_map (ES_WATERFALL_PANE (scene.pane));
  for (guint c = 0; c < es_heatmap_get_n_columns (map); c++)
    g_assert_true (isnan (es_heatmap_get_value (map, c, 0)));

  /* And back. */
  choose (&scene, "sonar.bearings", "array");
  g_assert_true (is_near (find_loudest (&scene, 0, BEARING), BEARING));
  es_test_close (scene.window);
}

/* ---- choosers of files ---- */

static gboolean
is_choosing (gpointer unused)
{
  return es_test_find_toplevel (GTK_TYPE_FILE_CHOOSER_DIALOG) != NULL;
}

static gboolean
has_folder (gpointer chooser)
{
  g_autoptr (GFile) folder = gtk_file_chooser_get_current_folder (chooser);

  return folder != NULL;
}

/* The chooser that is open begins beside the recording; it is closed again. Returns how many filters it has. */
static guint
check_chooser (GFile *recording)
{
  g_autoptr (GFile) parent = g_file_get_parent (recording), folder = NULL;
  g_autoptr (GListModel) filters = NULL;
  GtkWidget *chooser;

  ES_TEST_WAIT (is_choosing, NULL);
  chooser = es_test_find_toplevel (GTK_TYPE_FILE_CHOOSER_DIALOG);
  ES_TEST_WAIT (has_folder, chooser);
  folder = gtk_file_chooser_get_current_folder (GTK_FILE_CHOOSER (chooser));
  g_assert_true (g_file_equal (folder, parent));
  filters = gtk_file_chooser_get_filters (GTK_FILE_CHOOSER (chooser));
  gtk_dialog_response (GTK_DIALOG (chooser), GTK_RESPONSE_CANCEL);
  return g_list_model_get_n_items (filters);
}

static gboolean
has_result (gpointer window)
{
  return es_sonar_view_get_result (es_test_sonar_view (window)) != NULL && es_test_is_idle (window);
}

static void
test_choosers (void)
{
  g_autoptr (GFile) file = es_test_recording ("chosen.wav", 2);
  EsWindow *window = es_test_window_of (&file, 1);
  EsNavigationDialog *dialog = open_form (window);
  GtkWidget *open = es_test_find (GTK_WIDGET (dialog), GTK_TYPE_LABEL, "_Open File");

  g_signal_emit_by_name (gtk_widget_get_ancestor (open, GTK_TYPE_BUTTON), "clicked");
  g_assert_cmpuint (check_chooser (file), ==, 2);
  gtk_window_destroy (GTK_WINDOW (dialog));
  es_test_activate (window, "run");
  ES_TEST_WAIT (has_result, window);
  es_test_activate (window, "save-all");
  check_chooser (file);
  es_test_close (window);
}

static void
test_clock (void)
{
  g_autoptr (GFile) file = es_test_recording ("clock.wav", 4);
  Scene scene = open_scene (file);
  EsSonarCursor *cursor = es_sonar_display_get_cursor (scene.display);
  const double time = es_sonar_source_get_row_time (es_sonar_display_get_source (scene.display), 1);

  tell (&scene, NULL, NULL, 0);
  es_sonar_cursor_set_row (cursor, 1);
  g_autofree char *elapsed = get_status (&scene);
  g_assert_true (g_str_has_prefix (elapsed, "00:00:0"));
  choose (&scene, "sonar.clock", "utc");
  g_autofree char *status = get_status (&scene);
  g_autofree char *expected = g_strdup_printf ("2026-05-02 00:00:%04.1f UTC", round ((time - 0.25) * 10) / 10);
  g_assert_true (g_str_has_prefix (status, expected));
  g_assert_nonnull (es_test_find (GTK_WIDGET (scene.window), GTK_TYPE_LABEL, "23:59:59.8"));
  g_autofree char *text = es_sonar_pane_to_text (ES_SONAR_PANE (scene.pane), ',');
  g_assert_true (g_str_has_prefix (text, "time_s,time_utc,"));
  g_assert_nonnull (strstr (text, ",2026-05-02T00:00:00."));
  choose (&scene, "sonar.clock", "elapsed");
  g_autofree char *back = get_status (&scene);
  g_assert_cmpstr (back, ==, elapsed);
  es_test_close (scene.window);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  es_test_application ();
  g_test_add_func ("/sonar-bearings/form", test_form);
  g_test_add_func ("/sonar-bearings/foreign", test_foreign);
  g_test_add_func ("/sonar-bearings/true", test_true);
  g_test_add_func ("/sonar-bearings/clock", test_clock);
  g_test_add_func ("/sonar-bearings/choosers", test_choosers);
  return g_test_run ();
}
