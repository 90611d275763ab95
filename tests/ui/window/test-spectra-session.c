/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* Spectra that are collected are not lost: by closing the window or its cube, or by kill -9. */

#include <string.h>

#include "es-test-child.h"
#include "es-test-kept.h"
#include "keeping/es-session-store.h"
#include "keeping/es-session-keeper.h"

/* Collected: a pixel, renamed and coloured, and a mean that is not drawn; a library beside them. */
static GFile *
library_of (EsDataset *dataset)
{
  g_autofree char *path = g_file_get_path (es_dataset_get_file (dataset));
  g_autofree char *stem = g_strndup (path, strlen (path) - strlen (".img"));
  g_autofree char *library = g_strconcat (stem, "_endmembers.csv", NULL);

  return g_file_new_for_path (library);
}

static gboolean
is_read (gpointer viewer)
{
  return !es_spectrum_collection_is_busy (es_viewer_get_collection (viewer))
         && es_spectra_view_get_library (es_viewer_get_spectra (viewer)) != NULL;
}

static void
collect (EsViewer *viewer)
{
  EsSpectrumCollection *collection = es_viewer_get_collection (viewer);
  EsCube *cube = ES_CUBE (es_viewer_get_dataset (viewer));
  g_autoptr (GFile) library = library_of (ES_DATASET (cube));
  EsKeptSpectrum *kept = es_spectrum_collection_add_pixel (collection, cube, 4, 9, 1);

  es_kept_spectrum_set_shown (es_spectrum_collection_add_pixel (collection, cube, 20, 11, 3), FALSE);
  es_kept_spectrum_set_name (kept, "Shore");
  es_kept_spectrum_set_colour (kept, 0x123456);
  es_spectra_view_open_library (es_viewer_get_spectra (viewer), &library, 1);
  ES_TEST_WAIT (is_read, viewer);
}

static void
check_collected (EsViewer *viewer)
{
  EsSpectrumCollection *collection = es_viewer_get_collection (viewer);
  EsCube *cube = ES_CUBE (es_viewer_get_dataset (viewer));
  const guint n = es_cube_get_bands (cube);
  g_autofree double *expected = g_new (double, n);

  g_assert_cmpuint (es_spectrum_collection_get_n (collection), ==, 2);
  EsKeptSpectrum *pixel = es_spectrum_collection_get (collection, 0);
  EsKeptSpectrum *mean = es_spectrum_collection_get (collection, 1);
  g_assert_cmpstr (es_kept_spectrum_get_name (pixel), ==, "Shore");
  g_assert_cmphex (es_kept_spectrum_get_colour (pixel), ==, 0x123456);
  g_assert_true (es_kept_spectrum_get_shown (pixel));
  g_assert_false (es_kept_spectrum_get_shown (mean));
  g_assert_cmpuint (es_kept_spectrum_get_count (mean), ==, 9);
  g_assert_nonnull (es_kept_spectrum_get_deviation (mean));
  g_assert_true (es_kept_spectrum_is_of (pixel, cube));
  g_assert_true (es_cube_read_spectrum (cube, 4, 9, expected, NULL));
  for (guint i = 0; i < n; i++)
    if (es_cube_get_good_bands (cube)[i])
      g_assert_cmpfloat (es_spectrum_get_values (es_kept_spectrum_get_spectrum (pixel))[i], ==, expected[i]);
  ES_TEST_WAIT (is_read, viewer);
  g_assert_cmpuint (es_spectral_library_get_n (es_spectra_view_get_library (es_viewer_get_spectra (viewer))), >, 1);
}

/* ---- tests ---- */

static void
test_closed (void)
{
  EsWindow *window = es_test_kept_window (TRUE);
  g_autofree char *uri = NULL;

  es_test_kept_open (window, es_test_cube ("closed.img", 3));
  collect (es_test_viewer (window));
  ES_TEST_WAIT (es_test_is_kept, window);
  g_assert_cmpint (es_session_keeper_get_told_us (es_window_get_keeper (window)), <, 20000);
  es_test_kept_close (window);
  uri = es_test_kept_find_left (FALSE);
  g_assert_nonnull (uri);
  window = es_test_kept_continue (uri);
  ES_TEST_WAIT (es_test_is_restored, window);
  check_collected (es_test_viewer (window));

  /* What is done to them from there is kept as well. */
  es_kept_spectrum_set_name (es_spectrum_collection_get (
                               es_viewer_get_collection (es_test_viewer (window)), 1), "Wood");
  ES_TEST_WAIT (es_test_is_kept, window);
  es_test_kept_close (window);
  uri = (g_free (uri), es_test_kept_find_left (FALSE));
  window = es_test_kept_continue (uri);
  ES_TEST_WAIT (es_test_is_restored, window);
  check_collected (es_test_viewer (window));
  g_assert_cmpstr (es_kept_spectrum_get_name (es_spectrum_collection_get (
                     es_viewer_get_collection (es_test_viewer (window)), 1)), ==, "Wood");
  es_test_kept_close (window);
  es_test_kept_forget ();
}

/* The other process: collects, says that it is kept, and waits to be killed. */
static int
be_killed (const char *path)
{
  g_autoptr (GFile) file = g_file_new_for_path (path);
  EsWindow *window = es_test_kept_window (TRUE);

  es_test_kept_open (window, file);
  collect (es_test_viewer (window));
  ES_TEST_WAIT (es_test_is_kept, window);
  return es_test_wait_to_be_killed ();
}

static void
test_killed (void)
{
  EsWindow *window;

  es_test_kept_kill (es_test_cube ("killed.img", 4));
  window = es_test_kept_window (FALSE);
  ES_TEST_WAIT (es_test_is_restored, window);
  check_collected (es_test_viewer (window));
  ES_TEST_WAIT (es_test_is_kept, window);
  es_test_kept_close (window);
  es_test_kept_forget ();
}

/* The cube is closed, the spectra of it are not. */
static gboolean
has_collected (gpointer window)
{
  return es_spectrum_collection_get_n (es_viewer_get_collection (es_test_viewer (window))) > 0
         && es_session_keeper_is_idle (es_window_get_keeper (window));
}

static void
test_spectra_alone (void)
{
  EsWindow *window = es_test_kept_window (TRUE);
  g_autofree char *uri = NULL;

  es_test_kept_open (window, es_test_cube ("alone.img", 19));
  collect (es_test_viewer (window));
  es_session_remove_dataset (es_window_get_session (window), es_viewer_get_dataset (es_test_viewer (window)));
  ES_TEST_WAIT (es_test_is_kept, window);
  es_test_kept_close (window);
  uri = es_test_kept_find_left (FALSE);
  g_assert_nonnull (uri);
  {
    g_autoptr (GPtrArray) list = es_session_store_list ();

    g_assert_cmpstr (((EsLeftSession *) g_ptr_array_index (list, 0))->description, ==, "2 collected spectra");
  }
  window = es_test_kept_continue (uri);
  ES_TEST_WAIT (has_collected, window);
  g_assert_cmpuint (es_spectrum_collection_get_n (es_viewer_get_collection (es_test_viewer (window))), ==, 2);
  es_spectrum_collection_clear (es_viewer_get_collection (es_test_viewer (window)));
  es_test_kept_close (window);
  es_test_kept_forget ();
}

static gboolean
has_library (gpointer window)
{
  return es_test_is_idle (window)
         && es_spectra_view_get_library (es_viewer_get_spectra (es_test_viewer (window))) != NULL;
}

/* A table that is opened with a cube is its library, in whichever order they are named. */
static void
test_together (void)
{
  EsWindow *window = es_test_kept_window (TRUE);
  g_autoptr (GFile) cube = es_test_cube ("together.img", 23), library = NULL;
  {
    g_autoptr (EsDataset) dataset = es_dataset_open (cube, NULL, NULL, NULL);

    library = library_of (dataset);
  }
  GFile *files[] = { library, cube };

  es_window_open (window, files, 2, ES_OPEN_GIVEN);
  ES_TEST_WAIT (has_library, window);
  g_assert_nonnull (es_viewer_get_dataset (es_test_viewer (window)));
  g_assert_null (es_test_find_toplevel (ADW_TYPE_MESSAGE_DIALOG));
  ES_TEST_WAIT (es_test_is_kept, window);
  es_test_kept_close (window);
  es_test_kept_forget ();
}

int
main (int argc, char **argv)
{
  if (argc == 3 && strcmp (argv[1], ES_TEST_KEPT_CHILD) == 0)
    {
      gtk_init ();
      return be_killed (argv[2]);
    }
  gtk_test_init (&argc, &argv, NULL);
  g_test_add_func ("/spectra-session/closed", test_closed);
  g_test_add_func ("/spectra-session/killed", test_killed);
  g_test_add_func ("/spectra-session/alone", test_spectra_alone);
  g_test_add_func ("/spectra-session/together", test_together);
  return g_test_run ();
}
