/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* Spectra that are kept: pixels and means against plain sums over the cube, removal and its undoing, JSON and back. */

#include <math.h>
#include <string.h>

#include "../writers/es-test-folder.h"
#include "base/es-error.h"
#include "base/es-json.h"
#include "cube/es-cube-metadata.h"
#include "spectra/es-spectrum-collection.h"

static void
wait_for (EsSpectrumCollection *collection)
{
  while (es_spectrum_collection_is_busy (collection))
    g_main_context_iteration (NULL, TRUE);
}

static void
test_values (void)
{
  g_autoptr (EsCube) cube = es_test_cube_new (7, 5, NULL, NULL);
  g_autoptr (EsSpectrumCollection) collection = es_spectrum_collection_new ();
  EsKeptSpectrum *pixel = es_spectrum_collection_add_pixel (collection, cube, 3, 2, 1);
  EsKeptSpectrum *mean = es_spectrum_collection_add_pixel (collection, cube, 0, 4, 3);
  const guint n = es_cube_get_bands (cube);
  g_autofree double *values = g_new (double, n);

  g_assert_null (es_spectrum_collection_add_pixel (collection, cube, 7, 2, 1));
  g_assert_null (es_kept_spectrum_get_spectrum (pixel));
  wait_for (collection);
  g_assert_true (es_cube_read_spectrum (cube, 3, 2, values, NULL));
  for (guint b = 0; b < n; b++)
    g_assert_cmpfloat (es_spectrum_get_values (es_kept_spectrum_get_spectrum (pixel))[b], ==, values[b]);
  g_assert_null (es_kept_spectrum_get_deviation (pixel));
  g_assert_true (es_kept_spectrum_is_of (pixel, cube));

  /* At the corner only four of the nine pixels are there. */
  g_assert_cmpuint (es_kept_spectrum_get_count (mean), ==, 4);
  for (guint b = 0; b < n; b++)
    {
      double all[4], sum = 0, square = 0, low = INFINITY, high = -INFINITY;

      for (guint i = 0; i < 4; i++)
        {
          g_assert_true (es_cube_read_spectrum (cube, i % 2, 3 + i / 2, values, NULL));
          all[i] = values[b];
          sum += all[i];
          low = MIN (low, all[i]);
          high = MAX (high, all[i]);
        }
      for (guint i = 0; i < 4; i++)
        square += pow (all[i] - sum / 4, 2);
      g_assert_cmpfloat_with_epsilon (es_spectrum_get_values (es_kept_spectrum_get_spectrum (mean))[b], sum / 4, 1e-9);
      g_assert_cmpfloat_with_epsilon (es_kept_spectrum_get_deviation (mean)[b], sqrt (square / 3), 1e-9);
      g_assert_cmpfloat_with_epsilon (es_kept_spectrum_get_lowest (mean)[b], low, 1e-9);
      g_assert_cmpfloat_with_epsilon (es_kept_spectrum_get_highest (mean)[b], high, 1e-9);
    }
  g_assert_cmphex (es_kept_spectrum_get_colour (pixel), !=, es_kept_spectrum_get_colour (mean));
}

/* Told of another scale, a cube gives what was kept of it other numbers; what was removed as well, and the last word
 * counts. */
static void
test_read_again (void)
{
  g_autoptr (EsCube) cube = es_test_cube_new (7, 5, NULL, NULL);
  g_autoptr (EsSpectrumCollection) collection = es_spectrum_collection_new ();
  g_autoptr (GError) error = NULL;
  g_autoptr (EsMetadata) metadata = es_metadata_from_line ("{\"scale\": 3, \"unit\": \"counts\"}",
                                                           es_cube_get_bands (cube), &error);
  g_autoptr (EsCube) told = es_cube_with_metadata (cube, metadata, &error);
  EsKeptSpectrum *pixel = es_spectrum_collection_add_pixel (collection, cube, 3, 2, 1);
  EsKeptSpectrum *mean = es_spectrum_collection_add_pixel (collection, cube, 3, 2, 3);
  g_autofree double *values = g_new (double, es_cube_get_bands (cube));

  g_assert_no_error (error);
  wait_for (collection);
  es_kept_spectrum_set_name (pixel, "Mine");
  es_spectrum_collection_remove (collection, mean);
  g_assert_true (es_cube_read_spectrum (cube, 3, 2, values, NULL));
  for (guint i = 0; i < 3; i++)
    {
      EsCube *now = i == 1 ? cube : told;
      const double factor = i == 1 ? 1 : 3;

      if (i == 2)
        es_spectrum_collection_read_again (collection, cube);
      es_spectrum_collection_read_again (collection, now);
      wait_for (collection);
      for (guint b = 0; b < es_cube_get_bands (cube); b++)
        g_assert_cmpfloat_with_epsilon (es_spectrum_get_values (es_kept_spectrum_get_spectrum (pixel))[b],
                                        factor * values[b], 1e-5 * fabs (values[b]));
      g_assert_cmpstr (es_kept_spectrum_get_unit (pixel), ==, es_cube_get_unit (now));
      g_assert_cmpstr (es_kept_spectrum_get_name (pixel), ==, "Mine");
    }
  const double before = es_kept_spectrum_get_highest (mean)[0];

  g_assert_true (es_spectrum_collection_undo (collection));
  es_spectrum_collection_read_again (collection, cube);
  wait_for (collection);
  g_assert_cmpfloat_with_epsilon (before, 3 * es_kept_spectrum_get_highest (mean)[0], 1e-4 * fabs (before));
}

static void
count_up (guint *n)
{
  ++*n;
}

static void
test_undo (void)
{
  g_autoptr (EsCube) cube = es_test_cube_new (7, 5, NULL, NULL);
  g_autoptr (EsSpectrumCollection) collection = es_spectrum_collection_new ();
  EsKeptSpectrum *kept[3];
  guint n_changes = 0;

  for (guint i = 0; i < 3; i++)
    kept[i] = es_spectrum_collection_add_pixel (collection, cube, i, i, 1);
  wait_for (collection);
  g_signal_connect_swapped (collection, "changed", G_CALLBACK (count_up), &n_changes);
  g_assert_false (es_spectrum_collection_can_undo (collection));
  es_spectrum_collection_remove (collection, kept[1]);
  g_assert_cmpuint (n_changes, ==, 1);
  es_spectrum_collection_clear (collection);
  g_assert_cmpuint (es_spectrum_collection_get_n (collection), ==, 0);
  g_assert_true (es_spectrum_collection_undo (collection));
  g_assert_cmpuint (es_spectrum_collection_get_n (collection), ==, 2);
  g_assert_true (es_spectrum_collection_undo (collection));
  g_assert_false (es_spectrum_collection_undo (collection));
  for (guint i = 0; i < 3; i++)
    g_assert_true (es_spectrum_collection_get (collection, i) == kept[i]);
  es_kept_spectrum_set_name (kept[0], "renamed");
  g_assert_cmpuint (n_changes, ==, 5);
}

static void
test_json (void)
{
  g_autoptr (EsCube) cube = es_test_cube_new (7, 5, NULL, NULL);
  g_autoptr (EsSpectrumCollection) collection = es_spectrum_collection_new (), again = es_spectrum_collection_new ();
  const double x[] = { 500, 600, 700 }, fwhm[] = { 5, 6, 7 }, y[] = { 0.1, NAN, 1. / 3 };
  g_autoptr (EsSpectralAxis) axis = es_spectral_axis_new (3, x, fwhm);
  g_autoptr (EsSpectrum) clay = es_spectrum_new ("clay", axis, y, NULL);
  g_autoptr (GError) error = NULL;

  es_kept_spectrum_set_shown (es_spectrum_collection_add_pixel (collection, cube, 2, 2, 3), FALSE);
  es_kept_spectrum_set_name (es_spectrum_collection_add (collection, clay, "library", "1"), "red \"clay\"");
  wait_for (collection);
  g_autoptr (JsonNode) root = es_spectrum_collection_to_json (collection);
  g_autofree char *text = es_json_to_text (root);
  g_autoptr (JsonNode) parsed = es_json_parse (text, strlen (text), "x", &error);
  g_assert_no_error (error);
  g_assert_true (es_spectrum_collection_add_json (again, parsed, "x", &error));
  g_assert_no_error (error);
  g_assert_cmpuint (es_spectrum_collection_get_n (again), ==, 2);
  g_autoptr (JsonNode) second = es_spectrum_collection_to_json (again);
  g_autofree char *same = es_json_to_text (second);
  g_assert_cmpstr (text, ==, same);
  g_assert_cmpstr (es_kept_spectrum_get_name (es_spectrum_collection_get (again, 1)), ==, "red \"clay\"");
  g_assert_false (es_kept_spectrum_get_shown (es_spectrum_collection_get (again, 0)));
  g_assert_true (es_kept_spectrum_is_of (es_spectrum_collection_get (again, 0), cube));
  EsSpectrum *back = es_kept_spectrum_get_spectrum (es_spectrum_collection_get (again, 1));
  g_assert_true (isnan (es_spectrum_get_values (back)[1]));

  static const char *const wrong[] = {
    "[]", "{\"spectra\": []}", "{\"spectra\": [1], \"axes\": []}", "{\"spectra\": [], \"axes\": [{\"bands\": 0}]}",
    "{\"spectra\": [{\"name\": \"a\", \"axis\": 0, \"values\": [1]}], \"axes\": [{\"bands\": 2}]}",
    "{\"spectra\": [{\"name\": \"a\", \"axis\": 0, \"values\": [1, \"x\"]}], \"axes\": [{\"bands\": 2}]}",
    "{\"spectra\": [], \"axes\": [{\"bands\": 2, \"wavelengths_nm\": [1, -1]}]}",
    "{\"spectra\": [{\"name\": \"a\", \"axis\": 0, \"values\": [1], \"region\": \"z\"}], \"axes\": [{\"bands\": 1}]}",
  };
  for (guint i = 0; i < G_N_ELEMENTS (wrong); i++)
    {
      g_autoptr (GError) refused = NULL;
      g_autoptr (JsonNode) node = es_json_parse (wrong[i], strlen (wrong[i]), "x", NULL);

      g_assert_false (es_spectrum_collection_add_json (again, node, "x.json", &refused));
      g_assert_error (refused, ES_DATA_ERROR, ES_DATA_ERROR_FORMAT);
      g_test_message ("%s", refused->message);
      g_assert_nonnull (strstr (refused->message, "x.json"));
      g_assert_cmpuint (es_spectrum_collection_get_n (again), ==, 2);
    }

  g_autoptr (EsSpectralLibrary) library = es_spectrum_collection_to_library (collection);
  g_assert_cmpuint (es_spectral_library_get_n (library), ==, 2);
  g_assert_cmpstr (es_spectrum_get_name (es_spectral_library_get (library, 1)), ==, "red \"clay\"");
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/spectra/collection/values", test_values);
  g_test_add_func ("/spectra/collection/read-again", test_read_again);
  g_test_add_func ("/spectra/collection/undo", test_undo);
  g_test_add_func ("/spectra/collection/json", test_json);
  return g_test_run ();
}
