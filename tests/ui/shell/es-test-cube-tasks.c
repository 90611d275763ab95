/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* What somebody who works with cubes does in a day, and how one sees that it has been done. */

#include "es-test-cube-tasks.h"

#include <string.h>

#include "analyse/es-analyse-panel.h"
#include "inspector/es-spectrum-pane.h"
#include "keeping/es-session-keeper.h"
#include "metadata/es-metadata-store.h"
#include "selection/es-selection-pane.h"
#include "spectra/es-library-list.h"
#include "viewer/es-viewer-private.h"
#include "widgets/es-wheel.h"

const char *es_test_cube_scene;

static GtkWidget *
find (EsWindow *window, GType type)
{
  GtkWidget *found = es_test_find (GTK_WIDGET (window), type, NULL);

  g_assert_nonnull (found);
  return found;
}

static EsCube *
cube_of (EsWindow *window)
{
  return ES_CUBE (es_viewer_get_dataset (es_test_viewer (window)));
}

static EsDisplay *
display_of (EsWindow *window)
{
  return es_test_viewer (window)->left.display;
}

static GListModel *
results_of (EsWindow *window)
{
  return es_session_get_results (es_window_get_session (window), ES_DATASET (cube_of (window)));
}

static EsResult *
result_at (EsWindow *window, guint i)
{
  g_autoptr (EsResult) result = g_list_model_get_item (results_of (window), i);

  g_assert_nonnull (result);
  g_assert_false (es_result_is_absent (result));
  return result;
}

static EsResult *
run (EsWindow *window, const char *operation, const char *key, const char *value)
{
  EsAnalysePanel *panel = ES_ANALYSE_PANEL (find (window, ES_TYPE_ANALYSE_PANEL));

  g_assert_true (es_analyse_panel_set_operation (panel, operation));
  if (key != NULL)
    g_assert_true (es_params_parse (es_analyse_panel_get_params (panel), key, value, NULL));
  return es_test_run_and_wait (window);
}

static void
show (EsWindow *window, EsResult *result)
{
  es_shown_set (es_workspace_get_shown (es_window_get_workspace (window, ES_TYPE_CUBE_WORKSPACE)),
                ES_DATASET (cube_of (window)), result, NULL);
  ES_TEST_WAIT (es_test_is_idle, window);
}

/* The entry of what takes part with that placeholder. */
static GtkWidget *
find_entry (GtkWidget *root, const char *placeholder)
{
  for (GtkWidget *child = gtk_widget_get_first_child (root); child != NULL; child = gtk_widget_get_next_sibling (child))
    {
      GtkWidget *found;

      if (GTK_IS_ENTRY (child) && g_strcmp0 (gtk_entry_get_placeholder_text (GTK_ENTRY (child)), placeholder) == 0)
        return child;
      if ((found = find_entry (child, placeholder)) != NULL)
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

static void
draw_class (EsWindow *window, const char *shape, const char *name, guint32 colour)
{
  EsViewer *viewer = es_test_viewer (window);
  g_autoptr (EsRegion) region = es_region_parse (shape, NULL);

  g_signal_emit_by_name (viewer->left.view, "region-drawn", region);
  es_named_region_set_colour (es_region_control_keep (es_inspector_get_control (viewer->inspector), name), colour);
}

static gint64
count_valid (EsResult *result)
{
  return json_object_get_int_member (es_result_get_values (result), "valid_pixels");
}

static EsSpectrumCollection *
collection_of (EsWindow *window)
{
  return es_viewer_get_collection (es_test_viewer (window));
}

static char *
path_beside (const char *name)
{
  g_autofree char *folder = g_path_get_dirname (es_test_cube_scene);

  return g_build_filename (folder, name, NULL);
}

/* ---- looking ---- */

static void
open_scene (EsWindow *window)
{
  g_autoptr (GFile) file = g_file_new_for_path (es_test_cube_scene);

  es_window_open (window, &file, 1, ES_OPEN_GIVEN);
}

static void
check_scene (EsWindow *window)
{
  g_autofree char *path = g_file_get_path (es_dataset_get_file (ES_DATASET (cube_of (window))));

  g_assert_cmpstr (path, ==, es_test_cube_scene);
  g_assert_cmpuint (es_cube_get_bands (cube_of (window)), ==, 24);
}

static void
compose (EsWindow *window)
{
  const guint planes[] = { 9, 5, 1 };

  es_display_show_rgb (display_of (window), planes);
}

static void
check_composed (EsWindow *window)
{
  guint planes[3];

  g_assert_cmpuint (es_display_get_planes (display_of (window), planes), ==, 3);
  g_assert_cmpuint (planes[0], ==, 9);
  g_assert_cmpuint (planes[1], ==, 5);
  g_assert_cmpuint (planes[2], ==, 1);
}

static void
point (EsWindow *window)
{
  es_viewer_select_pixel (es_test_viewer (window), 7, 9);
}

/* Its spectrum is in the plot, value by value. */
static void
check_pointed (EsWindow *window)
{
  g_autofree double *values = g_new (double, es_cube_get_bands (cube_of (window)));
  guint x = 0, y = 0;

  g_assert_true (es_image_view_get_selected (es_test_viewer (window)->left.view, &x, &y));
  g_assert_cmpuint (x, ==, 7);
  g_assert_cmpuint (y, ==, 9);
  g_assert_true (es_cube_read_spectrum (cube_of (window), x, y, values, NULL));
  g_autofree char *text = es_plot_to_text (es_spectrum_pane_get_plot (ES_SPECTRUM_PANE (find (window,
                                                                                            ES_TYPE_SPECTRUM_PANE))));
  g_auto (GStrv) lines = g_strsplit (text, "\n", -1);
  g_auto (GStrv) cells = g_strsplit (lines[1 + 5], "\t", -1);
  g_assert_cmpfloat_with_epsilon (g_ascii_strtod (cells[1], NULL), values[5], 1e-3 * ABS (values[5]));
}

static void
leave_out (EsWindow *window)
{
  type (window, "None left out", "3");
}

static void
check_left_out (EsWindow *window)
{
  g_autoptr (EsSelection) selection = es_cube_dup_selection (cube_of (window));

  g_assert_cmpstr (es_selection_get_excluded (selection), ==, "3");
}

static void
cut_window (EsWindow *window)
{
  type (window, "Whole image", "2, 2, 36 x 26");
}

static void
check_window (EsWindow *window)
{
  g_autoptr (EsSelection) selection = es_cube_dup_selection (cube_of (window));
  const EsSelectionWindow place = es_selection_get_window (selection);

  g_assert_cmpuint (place.x, ==, 2);
  g_assert_cmpuint (place.width, ==, 36);
  g_assert_cmpuint (place.height, ==, 26);
}

static void
show_band (EsWindow *window)
{
  es_display_show_plane (display_of (window), 4);
  es_display_set_colormap (display_of (window), ES_COLORMAP_VIRIDIS);
}

static void
check_band (EsWindow *window)
{
  guint planes[3];

  g_assert_cmpuint (es_display_get_planes (display_of (window), planes), ==, 1);
  g_assert_cmpuint (planes[0], ==, 4);
  g_assert_cmpint (es_display_get_colormap (display_of (window)), ==, ES_COLORMAP_VIRIDIS);
}

static void
stretch (EsWindow *window)
{
  es_display_set_deviations (display_of (window), 2);
  es_display_set_curve (display_of (window), ES_STRETCH_SQUARE_ROOT);
}

static void
check_stretched (EsWindow *window)
{
  g_assert_cmpfloat (es_display_get_deviations (display_of (window)), ==, 2);
  g_assert_cmpint (es_display_get_curve (display_of (window)), ==, ES_STRETCH_SQUARE_ROOT);
}

/* ---- analysing ---- */

static void
run_pca (EsWindow *window)
{
  run (window, "pca", "threshold", "0.9");
}

static void
check_pca (EsWindow *window)
{
  EsResult *result = result_at (window, 0);
  g_autoptr (EsSelection) taken = es_result_dup_selection (result);

  g_assert_cmpfloat (es_params_get_float (es_result_get_params (result), "threshold"), ==, 0.9);
  g_assert_cmpstr (es_selection_get_excluded (taken), ==, "3");
  g_assert_cmpint (count_valid (result), <=, 36 * 26);
  g_assert_cmpint (count_valid (result), >, 36 * 26 / 2);
}

static void
name_result (EsWindow *window)
{
  es_result_set_name (result_at (window, 0), "First look");
}

static void
check_name (EsWindow *window)
{
  g_assert_cmpstr (es_result_get_title (result_at (window, 0)), ==, "First look");
}

static void
run_mnf (EsWindow *window)
{
  run (window, "mnf", NULL, NULL);
}

static void
check_mnf (EsWindow *window)
{
  g_assert_cmpstr (es_result_get_operation (result_at (window, 1))->id, ==, "mnf");
}

static void
colour_mnf (EsWindow *window)
{
  const guint planes[] = { 2, 0, 1 };

  show (window, result_at (window, 1));
  es_display_show_rgb (display_of (window), planes);
}

static void
check_colours (EsWindow *window)
{
  guint planes[3];

  g_assert_true (es_viewer_get_result (es_test_viewer (window)) == result_at (window, 1));
  g_assert_cmpuint (es_display_get_planes (display_of (window), planes), ==, 3);
  g_assert_cmpuint (planes[0], ==, 2);
  g_assert_cmpuint (planes[1], ==, 0);
}

static void
compare (EsWindow *window)
{
  EsViewer *viewer = es_test_viewer (window);

  g_assert_true (es_viewer_show_beside (viewer, G_OBJECT (cube_of (window)), G_MAXUINT));
  g_object_set (viewer, "compare-mode", "swipe", NULL);
}

static void
check_compared (EsWindow *window)
{
  g_autofree char *mode = NULL;

  g_assert_true (es_viewer_get_beside (es_test_viewer (window)) == (GObject *) cube_of (window));
  g_object_get (es_test_viewer (window), "compare-mode", &mode, NULL);
  g_assert_cmpstr (mode, ==, "swipe");
}

static void
zoom (EsWindow *window)
{
  g_assert_true (es_image_view_set_place (es_test_viewer (window)->left.view, 16, 12, 13));
}

static void
check_zoomed (EsWindow *window)
{
  double x, y;

  g_assert_cmpfloat (es_image_view_get_zoom (es_test_viewer (window)->left.view), ==, 16);
  g_assert_true (es_image_view_get_place (es_test_viewer (window)->left.view, &x, &y));
  g_assert_cmpfloat (x, ==, 12);
}

/* ---- classes ---- */

static void
draw_lake (EsWindow *window)
{
  draw_class (window, "polygon 3,4 20.5,4 12,19", "Lake", 0x1c71d8);
}

static void
draw_field (EsWindow *window)
{
  draw_class (window, "rectangle 22 10 12 9", "Field", 0xe66100);
}

static void
check_class (EsWindow *window, guint i, const char *name, const char *shape)
{
  EsRegionSet *set = es_dataset_get_regions (ES_DATASET (cube_of (window)));
  g_autoptr (EsNamedRegion) class = g_list_model_get_item (G_LIST_MODEL (set), i);

  g_assert_nonnull (class);
  g_autofree char *text = es_region_format (es_named_region_get_region (class));
  g_assert_cmpstr (es_named_region_get_name (class), ==, name);
  g_assert_cmpstr (text, ==, shape);
}

static void
check_lake (EsWindow *window)
{
  check_class (window, 0, "Lake", "polygon 3,4 20.5,4 12,19");
}

static void
check_field (EsWindow *window)
{
  check_class (window, 1, "Field", "rectangle 22 10 12 9");
}

static void
take_field (EsWindow *window)
{
  gtk_widget_activate_action (find (window, ES_TYPE_SELECTION_PANE), "selection.add-class", "(bu)", FALSE, 1);
}

static void
check_taken (EsWindow *window)
{
  g_autoptr (EsSelection) selection = es_cube_dup_selection (cube_of (window));
  guint n;

  EsPixelSet * const *sets = es_selection_get_sets (selection, &n);
  g_assert_cmpuint (n, ==, 1);
  g_assert_cmpstr (sets[0]->name, ==, "Field");
  g_assert_false (sets[0]->outside);
}

static void
run_field (EsWindow *window)
{
  run (window, "pca", "threshold", "0.9999");
}

static void
check_of_field (EsWindow *window)
{
  g_assert_cmpint (count_valid (result_at (window, 2)), <=, 12 * 9);
  g_assert_cmpint (count_valid (result_at (window, 2)), >, 12 * 9 / 2);
}

static void
take_all (EsWindow *window)
{
  gtk_widget_activate_action (find (window, ES_TYPE_SELECTION_PANE), "selection.remove", "u", 0);
}

static void
check_all (EsWindow *window)
{
  g_autoptr (EsSelection) selection = es_cube_dup_selection (cube_of (window));
  guint n;

  es_selection_get_sets (selection, &n);
  g_assert_cmpuint (n, ==, 0);
}

/* ---- spectra ---- */

static void
keep_pixel (EsWindow *window)
{
  es_test_activate (window, "keep-pixel");
}

static void
check_pixel (EsWindow *window)
{
  EsKeptSpectrum *kept = es_spectrum_collection_get (collection_of (window), 0);
  g_autofree double *values = g_new (double, es_cube_get_bands (cube_of (window)));

  g_assert_true (es_cube_read_spectrum (cube_of (window), 7, 9, values, NULL));
  g_assert_cmpfloat (es_spectrum_get_values (es_kept_spectrum_get_spectrum (kept))[5], ==, values[5]);
}

static void
keep_mean (EsWindow *window)
{
  es_test_activate (window, "keep-mean");
}

static void
check_mean (EsWindow *window)
{
  EsKeptSpectrum *kept = es_spectrum_collection_get (collection_of (window), 1);
  double sum = 0;

  g_assert_cmpuint (es_kept_spectrum_get_count (kept), ==, 9);
  for (guint i = 0; i < 9; i++)
    {
      g_autofree double *values = g_new (double, es_cube_get_bands (cube_of (window)));

      g_assert_true (es_cube_read_spectrum (cube_of (window), 6 + i % 3, 8 + i / 3, values, NULL));
      sum += values[5];
    }
  g_assert_cmpfloat_with_epsilon (es_spectrum_get_values (es_kept_spectrum_get_spectrum (kept))[5], sum / 9,
                                  1e-6 * ABS (sum));
}

static void
keep_classes (EsWindow *window)
{
  g_object_set (es_test_viewer (window), "spectra", TRUE, NULL);
  gtk_widget_activate_action (GTK_WIDGET (es_viewer_get_spectra (es_test_viewer (window))), "spectra.keep", "s",
                              "classes");
}

static void
check_classes (EsWindow *window)
{
  gboolean spectra = FALSE;

  g_object_get (es_test_viewer (window), "spectra", &spectra, NULL);
  g_assert_true (spectra);
  g_assert_cmpuint (es_spectrum_collection_get_n (collection_of (window)), >=, 4);
  EsKeptSpectrum *field = es_spectrum_collection_get (collection_of (window), 3);
  g_assert_cmpstr (es_kept_spectrum_get_name (field), ==, "Field");
  g_assert_cmphex (es_kept_spectrum_get_colour (field), ==, 0xe66100);
}

static gboolean
has_library (gpointer window)
{
  return es_test_is_idle (window)
         && es_spectra_view_get_library (es_viewer_get_spectra (es_test_viewer (window))) != NULL;
}

static void
open_library (EsWindow *window)
{
  g_autofree char *path = path_beside ("day_endmembers.csv");
  g_autoptr (GFile) file = g_file_new_for_path (path);

  es_window_open (window, &file, 1, ES_OPEN_GIVEN);
}

static void
check_library (EsWindow *window)
{
  ES_TEST_WAIT (has_library, window);
  g_assert_cmpuint (es_spectral_library_get_n (es_spectra_view_get_library (es_viewer_get_spectra (
                      es_test_viewer (window)))), >, 1);
}

static gboolean
has_match (gpointer window)
{
  return es_test_is_idle (window)
         && es_spectra_view_get_match (es_viewer_get_spectra (es_test_viewer (window)), 0) != NULL;
}

static void
keep_match (EsWindow *window)
{
  EsSpectraView *view = es_viewer_get_spectra (es_test_viewer (window));

  g_object_set (es_test_viewer (window), "spectra", TRUE, NULL);
  ES_TEST_WAIT (has_library, window);
  ES_TEST_WAIT (has_match, window);
  g_signal_emit_by_name (find (window, ES_TYPE_LIBRARY_LIST), "keep", es_spectra_view_get_match (view, 0));
}

static void
check_match (EsWindow *window)
{
  g_assert_cmpuint (es_spectrum_collection_get_n (collection_of (window)), ==, 5);
}

static gboolean
is_written (gpointer view)
{
  return !es_spectra_view_is_busy (view);
}

static void
save_spectra (EsWindow *window)
{
  g_autofree char *path = path_beside ("collected.csv");
  g_autoptr (GFile) file = g_file_new_for_path (path);

  es_spectra_view_save (es_viewer_get_spectra (es_test_viewer (window)), file);
  ES_TEST_WAIT (is_written, es_viewer_get_spectra (es_test_viewer (window)));
}

static void
check_saved (EsWindow *window)
{
  g_autofree char *path = path_beside ("collected.csv");
  g_autoptr (GFile) file = g_file_new_for_path (path);
  g_autoptr (GError) error = NULL;
  g_autoptr (EsSpectralLibrary) library = es_spectral_library_load (&file, 1, NULL, NULL, &error);

  g_assert_no_error (error);
  g_assert_cmpuint (es_spectral_library_get_n (library), ==, 5);
}

/* ---- the end ---- */

static void
judge (EsWindow *window)
{
  EsViewer *viewer = es_test_viewer (window);

  show (window, result_at (window, 0));
  g_signal_emit_by_name (viewer->inspector, "reconstruct", result_at (window, 0), "1-2");
}

static gboolean
is_judged (gpointer window)
{
  return es_test_is_idle (window) && g_list_model_get_n_items (results_of (window)) == 4;
}

static void
check_judged (EsWindow *window)
{
  ES_TEST_WAIT (is_judged, window);
}

static GtkWidget *
find_letter (GtkWidget *widget, const char *tooltip)
{
  GtkWidget *found = NULL;

  if (GTK_IS_TOGGLE_BUTTON (widget) && (g_strcmp0 (es_get_tooltip (widget), tooltip) == 0
                                        || g_strcmp0 (gtk_widget_get_tooltip_text (widget), tooltip) == 0))
    return widget;
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL && found == NULL;
       child = gtk_widget_get_next_sibling (child))
    found = find_letter (child, tooltip);
  return found;
}

/* Two components of one result, and one of another as green. */
static void
mix (EsWindow *window)
{
  const guint planes[] = { 2, 0, 1 };
  GtkWidget *letter;

  show (window, result_at (window, 1));
  es_display_show_rgb (display_of (window), planes);
  ES_TEST_WAIT (es_test_is_idle, window);
  show (window, result_at (window, 0));
  letter = find_letter (GTK_WIDGET (es_test_viewer (window)->strip), "PC 1 as green");
  g_assert_nonnull (letter);
  gtk_toggle_button_set_active (GTK_TOGGLE_BUTTON (letter), TRUE);
}

static void
check_mixed (EsWindow *window)
{
  g_autofree char *caption = es_display_make_caption (display_of (window), 1);

  g_assert_nonnull (strstr (caption, "R MNF 3"));
  g_assert_nonnull (strstr (caption, "G PC 1"));
}

static EsProfilePane *
profile_of (EsWindow *window)
{
  return es_inspector_get_profile (es_test_viewer (window)->inspector);
}

static void
profile (EsWindow *window)
{
  es_inspector_show_profile (es_test_viewer (window)->inspector, ES_PROFILE_COLUMN);
}

static void
check_profile (EsWindow *window)
{
  g_assert_cmpint (es_profile_pane_get_kind (profile_of (window)), ==, ES_PROFILE_COLUMN);
}

/* Results stay what they were computed from. */
static void
tell_unit (EsWindow *window)
{
  const EsMetadataFacts facts = { .bands = es_cube_get_bands (cube_of (window)), .unit = (char *) "counts" };
  g_autoptr (EsMetadata) metadata = es_metadata_new (&facts);
  EsWorkspace *workspace = es_window_get_workspace (window, ES_TYPE_CUBE_WORKSPACE);

  es_metadata_store_tell (es_workspace_get_shell (workspace), cube_of (window), metadata, NULL, NULL);
}

static gboolean
has_unit (gpointer window)
{
  return es_test_is_idle (window) && g_strcmp0 (es_cube_get_unit (cube_of (window)), "counts") == 0;
}

static void
check_unit (EsWindow *window)
{
  ES_TEST_WAIT (has_unit, window);
}

static void
save_session (EsWindow *window)
{
  g_autofree char *path = path_beside ("day.eigenscope.json");
  g_autoptr (GFile) file = g_file_new_for_path (path);

  es_session_keeper_save_as (es_window_get_keeper (window), file);
}

static void
check_session (EsWindow *window)
{
  g_autofree char *path = path_beside ("day.eigenscope.json");

  g_assert_true (g_file_test (path, G_FILE_TEST_IS_REGULAR));
}

const EsTestCubeTask es_test_cube_tasks[] = {
  { "open a scene", open_scene, check_scene, 0 },
  { "compose three bands", compose, check_composed, 5 },
  { "point at a pixel", point, check_pointed, 0 },
  { "leave a band out", leave_out, check_left_out, 0 },
  { "take a window", cut_window, check_window, 0 },
  { "look at one band", show_band, check_band, 7 },
  { "stretch it", stretch, check_stretched, 7 },
  { "run a PCA", run_pca, check_pca, 0 },
  { "name it", name_result, check_name, 0 },
  { "run an MNF", run_mnf, check_mnf, 0 },
  { "show it as colours", colour_mnf, check_colours, 16 },
  { "compare it with the bands", compare, check_compared, 16 },
  { "zoom in", zoom, check_zoomed, 16 },
  { "draw a class", draw_lake, check_lake, 0 },
  { "draw another", draw_field, check_field, 0 },
  { "take its pixels alone", take_field, check_taken, 17 },
  { "run a PCA of it", run_field, check_of_field, 0 },
  { "take all pixels", take_all, check_all, 0 },
  { "keep a spectrum", keep_pixel, check_pixel, 0 },
  { "keep a mean", keep_mean, check_mean, 0 },
  { "keep those of the classes", keep_classes, check_classes, 0 },
  { "open a library", open_library, check_library, 0 },
  { "keep the best match", keep_match, check_match, 0 },
  { "save the spectra", save_spectra, check_saved, 0 },
  { "judge the reduction", judge, check_judged, 0 },
  { "mix two results in one picture", mix, check_mixed, 27 },
  { "look along a column", profile, check_profile, 0 },
  { "tell the unit of the values", tell_unit, check_unit, 0 },
  { "save the session", save_session, check_session, 0 },
};

const guint es_test_n_cube_tasks = G_N_ELEMENTS (es_test_cube_tasks);
