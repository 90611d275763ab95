/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* Spectra that are kept, compared, matched and saved, in the real window. */

#include <glib/gstdio.h>
#include <math.h>

#include "charts/es-plot-zoom.h"
#include "cube/es-region-set.h"
#include "image/es-image-view.h"
#include "spectra/es-kept-list.h"
#include "spectra/es-library-list.h"
#include "spectra/es-match-list.h"
#include "spectra/es-spectra-view.h"
#include "spectra/es-resampler.h"
#include "spectra/es-spectrum-shape.h"
#include "es-test-hands.h"
#include "es-test-shell.h"

static gboolean
is_quiet (gpointer view)
{
  return !es_spectra_view_is_busy (view) && !g_main_context_pending (NULL);
}

static EsImageView *
image_of (EsWindow *window)
{
  return ES_IMAGE_VIEW (es_test_find (GTK_WIDGET (es_test_viewer (window)), ES_TYPE_IMAGE_VIEW, NULL));
}

static gboolean
has_picture (gpointer window)
{
  return !es_picture_is_empty (es_image_view_get_picture (image_of (window)));
}

static EsWindow *
open_scene (void)
{
  g_autoptr (GFile) file = es_test_cube ("spectra.img", 5);
  EsWindow *window = es_test_window_with (file);

  ES_TEST_WAIT (has_picture, window);
  return window;
}

/* A pixel by Ctrl and a click, a mean by Ctrl and Shift, the selected one by its key; drawn in the colour that the list
 * and the mark have. */
static void
test_keep (void)
{
  EsWindow *window = open_scene ();
  EsViewer *viewer = es_test_viewer (window);
  EsSpectrumCollection *collection = es_viewer_get_collection (viewer);
  EsSpectraView *view = es_viewer_get_spectra (viewer);
  EsCube *cube = ES_CUBE (es_viewer_get_dataset (viewer));
  const guint n = es_cube_get_bands (cube);
  g_autofree double *values = g_new (double, n);

  g_assert_true (es_test_enabled (window, "keep-pixel"));
  g_signal_emit_by_name (image_of (window), "kept", 4u, 7u, 1u);
  g_assert_false (gtk_widget_get_mapped (GTK_WIDGET (view)));
  es_test_activate (window, "spectra");
  g_signal_emit_by_name (image_of (window), "kept", 20u, 10u, 3u);
  es_viewer_select_pixel (viewer, 30, 12);
  es_test_activate (window, "keep-pixel");
  es_test_activate (window, "keep-mean");
  ES_TEST_WAIT (is_quiet, view);
  g_assert_true (gtk_widget_get_mapped (GTK_WIDGET (view)));
  g_assert_cmpuint (es_spectrum_collection_get_n (collection), ==, 4);
  g_assert_cmpuint (es_kept_spectrum_get_count (es_spectrum_collection_get (collection, 1)), ==, 9);
  g_assert_true (es_cube_read_spectrum (cube, 30, 12, values, NULL));
  EsSpectrum *third = es_kept_spectrum_get_spectrum (es_spectrum_collection_get (collection, 2));
  for (guint i = 0; i < n; i++)
    if (es_cube_get_good_bands (cube)[i])
      g_assert_cmpfloat (es_spectrum_get_values (third)[i], ==, values[i]);
    else
      g_assert_true (isnan (es_spectrum_get_values (third)[i]));

  /* All of them, and two that pass: under the pointer, and in a list. */
  EsPlot *plot = es_spectra_plot_get_plot (es_spectra_view_get_plot (view));
  g_assert_cmpuint (es_plot_get_n_series (plot), ==, 6);
  es_kept_spectrum_set_shown (es_spectrum_collection_get (collection, 0), FALSE);
  ES_TEST_WAIT (is_quiet, view);
  g_assert_cmpuint (es_plot_get_n_series (plot), ==, 5);

  /* Removed, and brought back. */
  gtk_widget_activate_action (GTK_WIDGET (view), "spectra.clear", NULL);
  ES_TEST_WAIT (is_quiet, view);
  g_assert_cmpuint (es_plot_get_n_series (plot), ==, 2);
  gtk_widget_activate_action (GTK_WIDGET (view), "spectra.undo", NULL);
  g_assert_cmpuint (es_spectrum_collection_get_n (collection), ==, 4);

  /* In a window of its own, where it stays one and the same, and back. */
  gtk_widget_activate_action (GTK_WIDGET (view), "spectra.detach", NULL);
  ES_TEST_WAIT (is_quiet, view);
  g_assert_true (gtk_widget_get_root (GTK_WIDGET (view)) != GTK_ROOT (window));
  g_assert_true (gtk_widget_get_mapped (GTK_WIDGET (view)));
  gtk_widget_activate_action (GTK_WIDGET (view), "spectra.detach", NULL);
  ES_TEST_WAIT (is_quiet, view);
  g_assert_true (gtk_widget_get_root (GTK_WIDGET (view)) == GTK_ROOT (window));
  gtk_widget_activate_action (GTK_WIDGET (view), "spectra.detach", NULL);
  gtk_window_close (GTK_WINDOW (gtk_widget_get_root (GTK_WIDGET (view))));
  ES_TEST_WAIT (is_quiet, view);
  g_assert_null (gtk_widget_get_root (GTK_WIDGET (view)));
  es_test_activate (window, "spectra");
  g_assert_nonnull (gtk_widget_get_root (GTK_WIDGET (view)));
  es_test_close (window);
}

/* What is drawn is what the shapes make of the values; stacked ones do not lie over each other. */
static void
test_look (void)
{
  EsWindow *window = open_scene ();
  EsViewer *viewer = es_test_viewer (window);
  EsSpectraView *view = es_viewer_get_spectra (viewer);
  EsSpectrumCollection *collection = es_viewer_get_collection (viewer);
  EsSpectraPlot *plot = es_spectra_view_get_plot (view);
  EsSpectraLook look = *es_spectra_plot_get_look (plot);
  GtkWidget *plot_view = es_spectra_view_get_plot_view (view);
  double value;
  guint band;

  es_test_activate (window, "spectra");
  es_spectrum_collection_add_pixel (collection, ES_CUBE (es_viewer_get_dataset (viewer)), 8, 8, 1);
  es_spectrum_collection_add_pixel (collection, ES_CUBE (es_viewer_get_dataset (viewer)), 28, 20, 3);
  ES_TEST_WAIT (is_quiet, view);
  EsKeptSpectrum *kept = es_spectrum_collection_get (collection, 0);
  EsSpectrum *spectrum = es_kept_spectrum_get_spectrum (kept);
  const EsSpectralAxis *axis = es_spectrum_get_axis (spectrum);
  const guint n = es_spectrum_get_n (spectrum);
  g_autofree double *expected = g_new (double, n);

  for (EsSpectraUnit unit = 0; unit < ES_N_SPECTRA_UNITS; unit++)
    {
      look.unit = unit;
      look.shape = ES_SPECTRA_CONTINUUM_REMOVED;
      es_spectra_view_set_look (view, &look);
      es_plot_set_cursor (es_spectra_plot_get_plot (plot), es_spectra_look_place (&look, axis, 10));
      g_assert_true (es_spectra_plot_get_value (plot, kept, &value, &band));
      g_assert_cmpuint (band, ==, 10);
      es_spectrum_remove_continuum (axis, es_spectrum_get_values (spectrum), expected);
      g_assert_cmpfloat (value, ==, expected[10]);
    }
  look = (EsSpectraLook) { ES_SPECTRA_VALUES, ES_SPECTRA_NM, TRUE, NAN };
  es_spectra_view_set_look (view, &look);
  g_assert_cmpfloat (es_spectra_plot_get_offset (plot), >, 0);
  look.offset = 0.125;
  es_spectra_view_set_look (view, &look);
  g_assert_cmpfloat (es_spectra_plot_get_offset (plot), ==, 0.125);

  /* Other axes show all of them. */
  g_assert_false (es_plot_zoom_is_zoomed (ES_PLOT_VIEW (plot_view)));
  es_plot_set_cursor (es_spectra_plot_get_plot (plot), NAN);
  g_assert_false (es_spectra_plot_get_value (plot, kept, &value, &band));
  es_test_close (window);
}

/* The library that the scene was made of: its own spectra come first, live; what is kept of it has its name. */
static void
test_library (void)
{
  EsWindow *window = open_scene ();
  EsViewer *viewer = es_test_viewer (window);
  EsSpectraView *view = es_viewer_get_spectra (viewer);
  EsSpectrumCollection *collection = es_viewer_get_collection (viewer);
  g_autofree char *path = g_build_filename (es_test_folder (), "spectra_endmembers.csv", NULL);
  g_autofree char *saved = g_build_filename (es_test_folder (), "kept.csv", NULL);
  g_autoptr (GFile) file = g_file_new_for_path (path), target = g_file_new_for_path (saved);
  g_autoptr (GError) error = NULL;

  es_test_activate (window, "spectra");
  es_spectra_view_open_library (view, &file, 1);
  ES_TEST_WAIT (is_quiet, view);
  EsSpectralLibrary *library = es_spectra_view_get_library (view);
  g_assert_nonnull (library);
  const guint n = es_spectral_library_get_n (library);
  EsLibraryList *list = ES_LIBRARY_LIST (es_test_find (GTK_WIDGET (view), ES_TYPE_LIBRARY_LIST, NULL));
  g_assert_cmpuint (es_library_list_get_n (list), ==, n);
  es_library_list_search (list, "WATER");
  g_assert_cmpuint (es_library_list_get_n (list), ==, 1);
  es_library_list_search (list, "");

  /* Against the search itself. */
  EsCube *cube = ES_CUBE (es_viewer_get_dataset (viewer));
  g_autoptr (EsSpectralAxis) axis = es_spectral_axis_of_cube (cube);
  g_autoptr (EsSpectralMatcher) matcher = es_spectral_matcher_new (library, axis, es_cube_get_good_bands (cube), NULL,
                                                                   &error);
  g_autofree double *values = g_new (double, es_cube_get_bands (cube));
  g_assert_no_error (error);
  for (guint i = 0; i < 3; i++)
    {
      const guint x = 5 + 12 * i, y = 3 + 9 * i;
      EsSpectralMatch matches[2];

      es_viewer_select_pixel (viewer, x, y);
      ES_TEST_WAIT (is_quiet, view);
      g_assert_true (es_cube_read_spectrum (cube, x, y, values, NULL));
      for (EsMatchKind kind = ES_MATCH_ANGLE; kind <= ES_MATCH_FIT; kind++)
        {
          es_spectra_view_set_match_kind (view, kind);
          ES_TEST_WAIT (is_quiet, view);
          const guint found = es_spectral_matcher_search (matcher, values, kind, 2, matches, NULL);
          g_assert_cmpuint (found, >, 0);
          g_assert_true (es_spectra_view_get_match (view, 0) == es_spectral_library_get (library, matches[0].index));
        }
    }

  g_signal_emit_by_name (list, "keep", es_spectral_library_get (library, 1));
  g_assert_cmpuint (es_spectrum_collection_get_n (collection), ==, 1);
  es_spectrum_collection_add_pixel (collection, cube, 1, 1, 1);
  ES_TEST_WAIT (is_quiet, view);
  es_spectra_view_save (view, target);
  ES_TEST_WAIT (is_quiet, view);
  g_autoptr (EsSpectralLibrary) again = es_spectral_library_load (&target, 1, NULL, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (es_spectral_library_get_n (again), ==, 2);
  g_assert_cmpstr (es_spectrum_get_name (es_spectral_library_get (again, 0)), ==,
                   es_spectrum_get_name (es_spectral_library_get (library, 1)));
  es_test_close (window);
}

/* A thousand of them: rows that are seen show their own spectra, wherever the list is. */
static guint
count_rows (GtkWidget *widget, EsSpectrumCollection *collection)
{
  guint n = 0;

  if (GTK_IS_EDITABLE_LABEL (widget) && gtk_widget_get_mapped (widget))
    {
      gboolean known = FALSE;

      for (guint i = 0; i < es_spectrum_collection_get_n (collection) && !known; i++)
        known = g_str_equal (gtk_editable_get_text (GTK_EDITABLE (widget)),
                             es_kept_spectrum_get_name (es_spectrum_collection_get (collection, i)));
      g_assert_true (known);
      n++;
    }
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    n += count_rows (child, collection);
  return n;
}

static void
test_many (void)
{
  EsWindow *window = open_scene ();
  EsViewer *viewer = es_test_viewer (window);
  EsSpectraView *view = es_viewer_get_spectra (viewer);
  EsSpectrumCollection *collection = es_viewer_get_collection (viewer);
  const double x[] = { 500, 600, 700 }, y[] = { 1, 2, 3 };
  g_autoptr (EsSpectralAxis) axis = es_spectral_axis_new (3, x, NULL);

  es_test_activate (window, "spectra");
  for (guint i = 0; i < 1000; i++)
    {
      g_autofree char *name = g_strdup_printf ("number %u of a name that is far too long for any list", i);
      g_autoptr (EsSpectrum) spectrum = es_spectrum_new (name, axis, y, NULL);

      es_spectrum_collection_add (collection, spectrum, "made", NULL);
    }
  ES_TEST_WAIT (is_quiet, view);
  GtkWidget *list = es_test_find (GTK_WIDGET (view), ES_TYPE_KEPT_LIST, NULL);
  GtkWidget *scroller = es_test_find (list, GTK_TYPE_SCROLLED_WINDOW, NULL);
  GtkAdjustment *adjustment = gtk_scrolled_window_get_vadjustment (GTK_SCROLLED_WINDOW (scroller));
  guint n = count_rows (list, collection);
  g_assert_cmpuint (n, >, 2);
  g_assert_cmpuint (n, <, 400);
  gtk_adjustment_set_value (adjustment, gtk_adjustment_get_upper (adjustment) / 2);
  ES_TEST_WAIT (is_quiet, view);
  g_assert_cmpuint (count_rows (list, collection), >, 2);
  es_spectrum_collection_clear (collection);
  ES_TEST_WAIT (is_quiet, view);
  g_assert_cmpuint (count_rows (list, collection), ==, 0);
  es_test_close (window);
}

/* ---- keys ---- */

static gboolean
are_shown (gpointer viewer)
{
  gboolean shown = FALSE;

  g_object_get (viewer, "spectra", &shown, NULL);
  return shown;
}

static gboolean
are_hidden (gpointer viewer)
{
  return !are_shown (viewer);
}

/* F8 is a key of columns that can be moved as well, in which everything is. */
static void
test_key (void)
{
  EsWindow *window = open_scene ();
  EsViewer *viewer = es_test_viewer (window);

  gtk_window_present (GTK_WINDOW (window));
  if (!es_test_has_hands ())
    {
      g_test_skip ("no XTest");
      es_test_close (window);
      return;
    }
  g_assert_true (gtk_widget_grab_focus (GTK_WIDGET (image_of (window))));
  es_test_press (GTK_WINDOW (window), GDK_KEY_F8, 0);
  ES_TEST_WAIT (are_shown, viewer);
  es_test_press (GTK_WINDOW (window), GDK_KEY_F8, 0);
  ES_TEST_WAIT (are_hidden, viewer);

  /* In a window of their own it is theirs. */
  es_test_press (GTK_WINDOW (window), GDK_KEY_F8, 0);
  ES_TEST_WAIT (are_shown, viewer);
  EsSpectraView *view = es_viewer_get_spectra (viewer);
  gtk_widget_activate_action (GTK_WIDGET (view), "spectra.detach", NULL);
  ES_TEST_WAIT (is_quiet, view);
  es_test_press (GTK_WINDOW (gtk_widget_get_root (GTK_WIDGET (view))), GDK_KEY_F8, 0);
  ES_TEST_WAIT (are_hidden, viewer);
  es_test_close (window);
}

/* What takes part is what is compared, and drawn: live, as soon as it is told. */
static void
test_part (void)
{
  EsWindow *window = open_scene ();
  EsViewer *viewer = es_test_viewer (window);
  EsSpectraView *view = es_viewer_get_spectra (viewer);
  EsSpectrumCollection *collection = es_viewer_get_collection (viewer);
  EsCube *cube = ES_CUBE (es_viewer_get_dataset (viewer));
  const guint n = es_cube_get_bands (cube);
  const EsSelectionWindow place = { 0, 0, 12, 12 };
  g_autofree char *path = g_build_filename (es_test_folder (), "spectra_endmembers.csv", NULL);
  g_autoptr (GFile) file = g_file_new_for_path (path);
  g_autoptr (EsSelection) selection = es_selection_new ("1-6", NULL, &place, NULL, 0);
  g_autoptr (EsSpectralAxis) axis = es_spectral_axis_of_cube (cube);
  g_autofree gboolean *first = g_memdup2 (es_cube_get_good_bands (cube), n * sizeof (gboolean));
  g_autofree double *values = g_new (double, n);
  EsSpectralMatch match;

  es_test_activate (window, "spectra");
  es_spectra_view_open_library (view, &file, 1);
  es_viewer_select_pixel (viewer, 5, 3);
  ES_TEST_WAIT (is_quiet, view);
  g_assert_nonnull (es_spectra_view_get_match (view, 0));
  es_cube_set_selection (cube, selection);
  ES_TEST_WAIT (is_quiet, view);
  for (guint i = 6; i < n; i++)
    first[i] = FALSE;
  g_autoptr (EsSpectralMatcher) matcher = es_spectral_matcher_new (es_spectra_view_get_library (view), axis, first,
                                                                   NULL, NULL);
  g_assert_true (es_cube_read_spectrum (cube, 5, 3, values, NULL));
  g_assert_cmpuint (es_spectral_matcher_search (matcher, values, ES_MATCH_ANGLE, 1, &match, NULL), ==, 1);
  g_assert_true (es_spectra_view_get_match (view, 0)
                 == es_spectral_library_get (es_spectra_view_get_library (view), match.index));
  es_test_activate (window, "keep-pixel");
  es_test_activate (window, "keep-mean");
  ES_TEST_WAIT (is_quiet, view);
  for (guint i = 0; i < 2; i++)
    {
      EsKeptSpectrum *kept = es_spectrum_collection_get (collection, i);

      for (guint band = 0; band < n; band++)
        g_assert_cmpint (!isnan (es_spectrum_get_values (es_kept_spectrum_get_spectrum (kept))[band]), ==, first[band]);
    }

  /* A pixel outside of it is like nothing. */
  es_viewer_select_pixel (viewer, 30, 20);
  ES_TEST_WAIT (is_quiet, view);
  g_assert_null (es_spectra_view_get_match (view, 0));
  es_test_close (window);
}

int
main (int argc, char **argv)
{
  gtk_test_init (&argc, &argv, NULL);
  g_test_add_func ("/window/spectra/keep", test_keep);
  g_test_add_func ("/window/spectra/look", test_look);
  g_test_add_func ("/window/spectra/library", test_library);
  g_test_add_func ("/window/spectra/many", test_many);
  g_test_add_func ("/window/spectra/key", test_key);
  g_test_add_func ("/window/spectra/part", test_part);
  return g_test_run ();
}
