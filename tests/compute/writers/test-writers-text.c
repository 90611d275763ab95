/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* CSV, and files that appear together or not at all. */

#include <cpl_conv.h>
#include <gdal.h>
#include <glib/gstdio.h>
#include <math.h>
#include <ogr_srs_api.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/es-error.h"
#include "saving/es-output-internal.h"
#include "es-test-folder.h"
#include "layer/es-layer-internal.h"
#include "writers/es-writer.h"

/* ---- failures ---- */

/* Of several files all appear or none: one that cannot be renamed takes the others back. */
static void
test_all_or_none (void)
{
  g_autoptr (EsTestFolder) folder = es_test_folder_make ();
  g_autofree char *a = g_build_filename (folder, "a", NULL), *b = g_build_filename (folder, "b", NULL);
  g_autofree char *c = g_build_filename (folder, "c", NULL);
  g_autoptr (GError) error = NULL;

  es_test_write_text (folder, "a", "old");
  {
    g_autoptr (EsOutputs) outputs = es_outputs_new ();
    g_assert_nonnull (es_outputs_add (outputs, a, FALSE, &error));
    g_assert_nonnull (es_outputs_add (outputs, b, FALSE, &error));
    g_assert_nonnull (es_outputs_add (outputs, c, FALSE, &error));
    g_assert_no_error (error);
    g_assert_cmpint (g_mkdir (c, 0777), ==, 0);        /* in the way */
    g_assert_false (es_outputs_commit (outputs, &error));
    g_assert_error (error, ES_DATA_ERROR, ES_DATA_ERROR_WRITE);
  }
  es_test_assert_text (folder, "a", "old");
  es_test_assert_unchanged (folder, "a c");
}

static void
test_links_and_rights (void)
{
  g_autoptr (EsTestFolder) folder = es_test_folder_make ();
  g_autofree char *link_path = g_build_filename (folder, "link.csv", NULL);
  g_autofree char *real_path = g_build_filename (folder, "real.csv", NULL);
  g_autoptr (GFile) target = g_file_new_for_path (link_path);
  g_autoptr (EsTable) table = es_table_new ("t", "T");
  g_autoptr (GError) error = NULL;
  struct stat status;

  es_test_write_text (folder, "real.csv", "old");
  g_assert_cmpint (g_chmod (real_path, 0640), ==, 0);
  g_assert_cmpint (symlink ("real.csv", link_path), ==, 0);
  es_table_add_column (table, "A", NULL, 2);
  es_write_table_csv (table, target, &error);
  g_assert_no_error (error);
  g_assert_true (g_file_test (link_path, G_FILE_TEST_IS_SYMLINK));
  es_test_assert_text (folder, "real.csv", "A (1)\r\n");
  g_assert_cmpint (stat (real_path, &status), ==, 0);
  g_assert_cmpint (status.st_mode & 0777, ==, 0640);
}

/* ---- CSV ---- */

static void
test_csv (void)
{
  g_autoptr (EsTestFolder) folder = es_test_folder_make ();
  g_autoptr (GFile) curve_file = es_test_file (folder, "curve.csv");
  g_autoptr (GFile) table_file = es_test_file (folder, "table.csv");
  const double x[] = { 400, 1.0 / 3, 1e300 }, y[] = { NAN, 0.1, -INFINITY };
  const double z[] = { 70296608.123456789, 5e-324, -0.5 };
  const double numbers[] = { 1e-7, NAN };
  g_autoptr (EsCurve) curve = es_curve_new ("c", "C", "scree", 3, x, "Wavelength", "nm");
  g_autoptr (EsTable) table = es_table_new ("t", "T");
  g_autoptr (GError) error = NULL;

  es_curve_add_series (curve, "a, \"b\"", NULL, ES_CURVE_LINE, FALSE, y);
  es_curve_add_series (curve, "Share", "%", ES_CURVE_LINE, FALSE, z);
  es_write_curve_csv (curve, curve_file, &error);
  g_assert_no_error (error);
  g_autofree char *text = es_test_read (folder, "curve.csv", NULL);
  g_auto (GStrv) lines = g_strsplit (text, "\r\n", -1);
  g_assert_cmpuint (g_strv_length (lines), ==, 5);
  g_assert_cmpstr (lines[0], ==, "Wavelength (nm),\"a, \"\"b\"\" (1)\",Share (%)");
  g_assert_cmpstr (lines[4], ==, "");
  for (guint i = 0; i < 3; i++)
    {
      g_auto (GStrv) cells = g_strsplit (lines[i + 1], ",", -1);
      g_assert_cmpuint (g_strv_length (cells), ==, 3);
      g_assert_cmpfloat (g_ascii_strtod (cells[0], NULL), ==, x[i]);
      if (isnan (y[i]))
        g_assert_cmpstr (cells[1], ==, "");
      else
        g_assert_cmpfloat (g_ascii_strtod (cells[1], NULL), ==, y[i]);
      g_assert_cmpfloat (g_ascii_strtod (cells[2], NULL), ==, z[i]);
    }
  g_assert_true (g_str_has_prefix (lines[1], "400,,"));

  es_table_add_column (table, "Step", NULL, -1);
  es_table_add_column (table, "Time", "ms", 1);
  es_table_add_row (table, (gconstpointer[]) { "line\nbreak", &numbers[0] });
  es_table_add_row (table, (gconstpointer[]) { "–", &numbers[1] });
  es_write_table_csv (table, table_file, &error);
  g_assert_no_error (error);
  es_test_assert_text (folder, "table.csv", "Step,Time (ms)\r\n\"line\nbreak\",1e-07\r\n–,\r\n");
}

static void
test_csv_full (void)
{
  g_autoptr (EsTestFolder) folder = es_test_folder_make ();
  g_autoptr (GFile) device = g_file_new_for_path ("/dev/full"), target = es_test_file (folder, "a.csv");
  const double x[] = { 1 };
  g_autoptr (EsCurve) curve = es_curve_new ("c", "C", "scree", 1, x, "X", NULL);
  g_autoptr (GError) full = NULL, limited = NULL;

  if (g_file_query_exists (device, NULL))
    {
      g_assert_false (es_write_curve_csv (curve, device, &full));
      g_assert_error (full, ES_DATA_ERROR, ES_DATA_ERROR_WRITE);
      g_assert_cmpint (g_file_query_file_type (device, 0, NULL), ==, G_FILE_TYPE_SPECIAL);
    }

  es_test_write_text (folder, "a.csv", "old");
  es_test_limit_files (2);
  g_assert_false (es_write_curve_csv (curve, target, &limited));
  es_test_limit_files (G_MAXUINT64);
  g_assert_error (limited, ES_DATA_ERROR, ES_DATA_ERROR_WRITE);
  es_test_assert_text (folder, "a.csv", "old");
  es_test_assert_unchanged (folder, "a.csv");
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  GDALAllRegister ();

  g_test_add_func ("/writers/all-or-none", test_all_or_none);
  g_test_add_func ("/writers/links-and-rights", test_links_and_rights);
  g_test_add_func ("/writers/csv", test_csv);
  g_test_add_func ("/writers/csv-full", test_csv_full);
  return g_test_run ();
}
