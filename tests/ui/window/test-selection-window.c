/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* What takes part, told in the real window: it acts at once, is kept beside the cube, and can be undone. */

#include <glib/gstdio.h>
#include <math.h>
#include <string.h>

#include "analyse/es-analyse-panel.h"
#include "cube/es-region-set.h"
#include "inspector/es-spectrum-pane.h"
#include "selection/es-band-dialog.h"
#include "selection/es-selection-pane.h"
#include "es-test-shell.h"

static gpointer
find (EsWindow *window, GType type)
{
  return es_test_find (GTK_WIDGET (window), type, NULL);
}

static EsCube *
cube_of (EsWindow *window)
{
  return ES_CUBE (es_viewer_get_dataset (es_test_viewer (window)));
}

/* The entry with that placeholder. */
static GtkWidget *
find_entry (GtkWidget *root, const char *placeholder)
{
  for (GtkWidget *child = gtk_widget_get_first_child (root); child != NULL; child = gtk_widget_get_next_sibling (child))
    {
      GtkWidget *found;

      if (GTK_IS_ENTRY (child)
          && g_strcmp0 (gtk_entry_get_placeholder_text (GTK_ENTRY (child)), placeholder) == 0)
        return child;
      found = find_entry (child, placeholder);
      if (found != NULL)
        return found;
    }
  return NULL;
}

static void
type (EsWindow *window, const char *placeholder, const char *text)
{
  GtkWidget *entry = find_entry (find (window, ES_TYPE_SELECTION_PANE), placeholder);

  g_assert_nonnull (entry);
  gtk_editable_set_text (GTK_EDITABLE (entry), text);
  g_signal_emit_by_name (entry, "activate");
}

static GFile *
sidecar_of (EsWindow *window)
{
  return es_selection_sidecar_of (es_dataset_get_file (ES_DATASET (cube_of (window))));
}

/* What the file beside the cube says once everything is written. Transfer full. */
static EsSelection *
load_beside (EsWindow *window)
{
  g_autoptr (GFile) sidecar = sidecar_of (window);
  g_autofree char *shape = es_dataset_shape (ES_DATASET (cube_of (window)));
  g_autoptr (GError) error = NULL;
  EsSelection *selection;

  ES_TEST_WAIT (es_test_is_idle, window);
  selection = es_selection_load (sidecar, shape, &error);
  g_assert_no_error (error);
  return selection;
}

static EsResult *
run_pca (EsWindow *window)
{
  g_assert_true (es_analyse_panel_set_operation (find (window, ES_TYPE_ANALYSE_PANEL), "pca"));
  es_test_activate (window, "run");
  ES_TEST_WAIT (es_test_is_idle, window);
  return es_viewer_get_result (es_test_viewer (window));
}

/* Pixels from a column on that have data in the first n bands. */
static int
count_valid (EsCube *cube, guint n, guint left)
{
  float values[40 * 30];
  gboolean valid[40 * 30];
  int count = 0;

  for (guint p = 0; p < 40 * 30; p++)
    valid[p] = p % 40 >= left;
  for (guint b = 0; b < n; b++)
    {
      g_assert_true (es_cube_read_band (cube, b, 0, 0, 40, 30, 1, values, NULL, NULL));
      for (guint p = 0; p < 40 * 30; p++)
        valid[p] = valid[p] && !isnan (values[p]);
    }
  for (guint p = 0; p < 40 * 30; p++)
    count += valid[p];
  return count;
}

static guint
count_gaps (EsWindow *window)
{
  g_autofree char *text = es_plot_to_text (es_spectrum_pane_get_plot (find (window, ES_TYPE_SPECTRUM_PANE)));
  g_auto (GStrv) lines = g_strsplit (g_strchomp (text), "\n", -1);
  guint gaps = 0;

  for (guint i = 1; lines[i] != NULL; i++)
    {
      g_auto (GStrv) cells = g_strsplit (lines[i], "\t", -1);

      gaps += cells[1] == NULL || *cells[1] == '\0' || isnan (g_ascii_strtod (cells[1], NULL));
    }
  return gaps;
}

static void
test_told (void)
{
  g_autoptr (GFile) file = es_test_cube ("selection.img", 17), sidecar = NULL;
  EsWindow *window = es_test_window_with (file);
  EsSelectionPane *pane = find (window, ES_TYPE_SELECTION_PANE);
  g_autoptr (EsSelection) told = NULL, beside = NULL, undone = NULL, left = NULL;
  g_autofree char *before = es_selection_pane_describe (pane), *after = NULL, *command = NULL;
  const EsSelectionWindow place = { 5, 6, 20, 12 };
  float plane[40 * 30];
  EsResult *result;
  guint n_before, n_after, gaps;

  sidecar = sidecar_of (window);
  g_assert_false (g_file_query_exists (sidecar, NULL));
  es_viewer_select_pixel (es_test_viewer (window), 10, 10);
  ES_TEST_WAIT (es_test_is_idle, window);
  gaps = count_gaps (window);

  /* By words; it is kept beside the cube at once. */
  type (window, "All good ones", "1-10");
  type (window, "None left out", "3,4");
  type (window, "Whole image", "5, 6, 20 x 12");
  told = es_cube_dup_selection (cube_of (window));
  g_assert_cmpstr (es_selection_get_bands (told), ==, "1-10");
  g_assert_cmpstr (es_selection_get_excluded (told), ==, "3,4");
  {
    const EsSelectionWindow found = es_selection_get_window (told);

    g_assert_cmpmem (&found, sizeof found, &place, sizeof place);
  }
  beside = load_beside (window);
  g_assert_true (es_selection_equal (told, beside));
  g_autoptr (EsSelection) kept = es_cube_dup_selection (cube_of (window));
  g_assert_cmpint (es_selection_get_source (kept), ==, ES_SELECTION_BESIDE);
  after = es_selection_pane_describe (pane);
  g_assert_cmpint (sscanf (before, "%u", &n_before), ==, 1);
  g_assert_cmpint (sscanf (after, "%u", &n_after), ==, 1);
  g_assert_cmpuint (n_after, ==, 8);
  /* Left-out bands are gaps. */
  g_assert_cmpuint (count_gaps (window), ==, gaps + n_before - n_after);

  /* It acts on what is run. */
  result = run_pca (window);
  g_assert_cmpint (json_object_get_int_member (es_result_get_values (result), "valid_pixels"), ==, 20 * 12);
  g_assert_true (es_image_stack_read (ES_IMAGE_STACK (es_result_find_layer (result, "components")), 0, 0, 0, 40, 30, 1,
                                      plane, NULL));
  for (guint y = 0; y < 30; y++)
    for (guint x = 0; x < 40; x++)
      g_assert_cmpint (isnan (plane[y * 40 + x]), ==, !(x >= 5 && x < 25 && y >= 6 && y < 18));
  /* What lies beside the cube is taken by the command line as well. */
  command = es_result_to_command (result);
  g_assert_null (strstr (command, "--bands"));
  g_assert_null (strstr (command, "--selection"));

  /* What is wrong is said, and changes nothing. */
  type (window, "All good ones", "1-999");
  g_assert_nonnull (es_test_find (GTK_WIDGET (pane), GTK_TYPE_LABEL, "no band 999"));
  undone = es_cube_dup_selection (cube_of (window));
  g_assert_true (es_selection_equal (told, undone));
  type (window, "All good ones", "1-10");
  g_assert_null (es_test_find (GTK_WIDGET (pane), GTK_TYPE_LABEL, "no band"));

  /* Undone, step by step, also in the file. */
  for (guint i = 0; i < 3; i++)
    es_test_activate (window, "undo-selection");
  g_clear_pointer (&undone, es_selection_unref);
  undone = es_cube_dup_selection (cube_of (window));
  g_assert_true (es_selection_is_everything (undone));
  left = load_beside (window);
  g_assert_true (es_selection_is_everything (left));
  es_test_close (window);
  g_assert_true (g_file_delete (sidecar, NULL, NULL));
}

/* It is there again when the cube is opened again; all can be taken back. */
static void
test_again (void)
{
  g_autoptr (GFile) file = es_test_cube ("selection.img", 17), sidecar = NULL;
  EsWindow *window = es_test_window_with (file);
  g_autoptr (EsSelection) taken = NULL, nothing = NULL;

  sidecar = sidecar_of (window);
  type (window, "None left out", "2");
  ES_TEST_WAIT (es_test_is_idle, window);
  es_test_close (window);

  window = es_test_window_with (file);
  taken = es_cube_dup_selection (cube_of (window));
  g_assert_cmpstr (es_selection_get_excluded (taken), ==, "2");
  g_assert_cmpstr (gtk_editable_get_text (GTK_EDITABLE (find_entry (find (window, ES_TYPE_SELECTION_PANE),
                                                                    "None left out"))), ==, "2");
  gtk_widget_activate_action (find (window, ES_TYPE_SELECTION_PANE), "selection.everything", NULL);
  nothing = load_beside (window);
  g_assert_true (es_selection_is_everything (nothing));
  es_test_close (window);
  g_assert_true (g_file_delete (sidecar, NULL, NULL));
}

/* Bands that are marked in the spectrum, the list of them, classes. */
static void
test_ways (void)
{
  g_autoptr (GFile) file = es_test_cube ("selection.img", 17), sidecar = NULL;
  EsWindow *window = es_test_window_with (file);
  EsSelectionPane *pane = find (window, ES_TYPE_SELECTION_PANE);
  EsCube *cube = cube_of (window);
  const double *nm = es_cube_get_wavelengths (cube);
  EsRegionSet *classes = es_dataset_get_regions (ES_DATASET (cube));
  g_autoptr (EsRegion) region = es_region_new_rectangle (0, 0, 10, 30);
  g_autoptr (EsSelection) marked = NULL, listed = NULL, masked = NULL;
  g_autofree gboolean *taken = NULL;
  EsBandDialog *dialog;
  GtkWidget *button;
  EsResult *result;
  guint n;

  sidecar = sidecar_of (window);
  g_assert_nonnull (nm);
  g_signal_emit_by_name (find (window, ES_TYPE_SPECTRUM_PANE), "band-selected", nm[4] - 0.5, nm[8] + 0.5);
  button = es_test_find (GTK_WIDGET (pane), GTK_TYPE_BUTTON, NULL);
  g_assert_nonnull (button);
  button = gtk_widget_get_ancestor (es_test_find (GTK_WIDGET (pane), GTK_TYPE_LABEL, "Only These"), GTK_TYPE_BUTTON);
  g_signal_emit_by_name (button, "clicked");
  marked = es_cube_dup_selection (cube);
  taken = es_cube_find_taken (cube, marked, &n, NULL);
  for (guint b = 0; b < es_cube_get_bands (cube); b++)
    g_assert_cmpint (taken[b], ==, b >= 4 && b <= 8 && es_cube_get_good_bands (cube)[b]);

  /* The list has those, and gives back what is chosen. */
  gtk_widget_activate_action (GTK_WIDGET (pane), "selection.bands", NULL);
  dialog = ES_BAND_DIALOG (es_test_find_toplevel (ES_TYPE_BAND_DIALOG));
  g_assert_nonnull (dialog);
  g_assert_true (es_band_dialog_get_cube (dialog) == cube);
  g_signal_emit_by_name (dialog, "chosen", "1-6");
  gtk_window_destroy (GTK_WINDOW (dialog));
  listed = es_cube_dup_selection (cube);
  g_assert_cmpstr (es_selection_get_bands (listed), ==, "1-6");

  /* Without a class. */
  es_region_set_add (classes, "Left_Side", region, 0);
  gtk_widget_activate_action (GTK_WIDGET (pane), "selection.add-class", "(bu)", TRUE, 0);
  masked = es_cube_dup_selection (cube);
  es_selection_get_sets (masked, &n);
  g_assert_cmpuint (n, ==, 1);
  result = run_pca (window);
  g_assert_cmpint (json_object_get_int_member (es_result_get_values (result), "valid_pixels"), ==,
                   count_valid (cube, 6, 10));
  gtk_widget_activate_action (GTK_WIDGET (pane), "selection.remove", "u", 0);
  result = run_pca (window);
  g_assert_cmpint (json_object_get_int_member (es_result_get_values (result), "valid_pixels"), ==,
                   count_valid (cube, 6, 0));
  es_region_set_clear (classes);
  ES_TEST_WAIT (es_test_is_idle, window);
  es_test_close (window);
  g_assert_true (g_file_delete (sidecar, NULL, NULL));
}

/* What somebody else wrote there is not lost. */
static void
test_beside (void)
{
  g_autoptr (GFile) file = es_test_cube ("selection.img", 17), sidecar = NULL;
  EsWindow *window = es_test_window_with (file);
  g_autofree char *path = NULL, *text = NULL;

  sidecar = sidecar_of (window);
  path = g_file_get_path (sidecar);
  g_assert_true (g_file_set_contents (path, "{\"eigenscope-selection\":1,\"bands\":\"5-7\"}", -1, NULL));
  type (window, "None left out", "2");
  ES_TEST_WAIT (es_test_is_idle, window);
  g_assert_true (g_file_get_contents (path, &text, NULL, NULL));
  g_assert_nonnull (strstr (text, "\"2\""));
  g_assert_null (strstr (text, "5-7"));
  g_assert_cmpint (g_remove (path), ==, 0);
  es_test_close (window);
}

/* A cube in a folder of its own, which goes away. */
static void
test_gone (void)
{
  g_autoptr (GFile) made = es_test_cube ("gone.img", 17);
  g_autofree char *folder = g_build_filename (es_test_folder (), "away", NULL);
  g_autofree char *elsewhere = g_build_filename (es_test_folder (), "elsewhere", NULL);
  g_autofree char *from = g_file_get_path (made), *to = g_build_filename (folder, "gone.img", NULL);
  g_autofree char *header = g_build_filename (es_test_folder (), "gone.hdr", NULL);
  g_autofree char *new_header = g_build_filename (folder, "gone.hdr", NULL);
  g_autofree char *command = g_strdup_printf ("rm -r '%s'", elsewhere);
  g_autoptr (GFile) file = g_file_new_for_path (to);
  EsWindow *window;
  GtkWidget *dialog;

  g_assert_cmpint (g_mkdir (folder, 0700), ==, 0);
  g_assert_cmpint (g_rename (from, to), ==, 0);
  g_assert_cmpint (g_rename (header, new_header), ==, 0);
  window = es_test_window_with (file);
  g_assert_cmpint (g_rename (folder, elsewhere), ==, 0);
  type (window, "None left out", "3");
  ES_TEST_WAIT (es_test_is_idle, window);
  /* It acts all the same. */
  g_assert_cmpstr (gtk_editable_get_text (GTK_EDITABLE (find_entry (find (window, ES_TYPE_SELECTION_PANE),
                                                                    "None left out"))), ==, "3");
  gtk_window_close (GTK_WINDOW (window));
  dialog = es_test_find_toplevel (ADW_TYPE_MESSAGE_DIALOG);
  g_assert_nonnull (dialog);
  g_assert_nonnull (strstr (adw_message_dialog_get_body (ADW_MESSAGE_DIALOG (dialog)), "What takes part of gone.img"));
  es_test_respond (dialog, "cancel");
  es_test_close (window);
  g_assert_true (g_spawn_command_line_sync (command, NULL, NULL, NULL, NULL));
}

int
main (int argc, char **argv)
{
  gtk_test_init (&argc, &argv, NULL);
  es_test_application ();
  g_test_add_func ("/ui/selection-window/told", test_told);
  g_test_add_func ("/ui/selection-window/again", test_again);
  g_test_add_func ("/ui/selection-window/ways", test_ways);
  g_test_add_func ("/ui/selection-window/beside", test_beside);
  g_test_add_func ("/ui/selection-window/gone", test_gone);
  return g_test_run ();
}
