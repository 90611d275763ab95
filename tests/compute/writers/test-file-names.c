/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <string.h>

#include "base/es-file-name.h"

static void
assert_name (const char *text, const char *expected)
{
  g_autofree char *name = es_file_name_make (text, NULL);
  g_autofree char *again = es_file_name_make (name, NULL);

  g_assert_cmpstr (name, ==, expected);
  g_assert_cmpstr (again, ==, expected);
  g_assert_true (es_file_name_is_plain (name));
}

static void
test_make (void)
{
  assert_name ("components", "components");
  assert_name ("Ökologie 中文", "Ökologie 中文");
  assert_name ("../PWNED-curve", "_._PWNED-curve");
  assert_name ("/etc/passwd", "_etc_passwd");
  assert_name ("..", "_");
  assert_name (".hidden", "_hidden");
  assert_name ("-rf", "_rf");
  assert_name ("a\\b:c*d?e\"f<g>h|i", "a_b_c_d_e_f_g_h_i");
  assert_name ("a\nb\tc\x1b[31m\x7f", "a_b_c_[31m_");
  assert_name ("a\xe2\x80\xaegnp", "a_gnp");
  assert_name ("a\xc2\x85" "b\xe2\x80\xa8" "c", "a_b_c");
  assert_name ("\xff\xfe", "\xef\xbf\xbd\xef\xbf\xbd");
  assert_name (" a. ", "a");
  assert_name ("", "unnamed");
  assert_name (NULL, "unnamed");
  assert_name (" \t ", "unnamed");
}

/* Cut between characters. */
static void
test_length (void)
{
  g_autofree char *ascii = g_strnfill (5000, 'x');
  g_autofree char *cut = es_file_name_make (ascii, NULL);
  g_autoptr (GString) wide = g_string_new ("x");

  g_assert_cmpuint (strlen (cut), ==, 160);
  for (guint i = 0; i < 400; i++)
    g_string_append (wide, "中");
  g_autofree char *whole = es_file_name_make (wide->str, NULL);
  g_assert_true (g_utf8_validate (whole, -1, NULL));
  g_assert_cmpuint (strlen (whole), ==, 160);
  g_string_erase (wide, 0, 1);
  g_autofree char *less = es_file_name_make (wide->str, NULL);
  g_assert_true (g_utf8_validate (less, -1, NULL));
  g_assert_cmpuint (strlen (less), ==, 159);
}

static void
test_unique (void)
{
  g_autoptr (GHashTable) taken = es_file_names_new ();
  static const char *const texts[] = { "a", "A", "a", "a-2", "../b", "/./b", "e\xcc\x81", "\xc3\xa9" };
  static const char *const names[] = { "a", "A-2", "a-3", "a-2-2", "_._b", "_._b-2", "e\xcc\x81", "\xc3\xa9-2" };

  for (guint i = 0; i < G_N_ELEMENTS (texts); i++)
    {
      g_autofree char *name = es_file_name_make (texts[i], taken);
      g_assert_cmpstr (name, ==, names[i]);
    }
}

static void
test_stem (void)
{
  static const char *const pairs[][2] = {
    { "scene.img", "scene" }, { "a.sigmf-data", "a" }, { "scene", "scene" }, { "v1.5", "v1.5" }, { ".img", "_img" },
    { "a.b.hdf5", "a.b" }, { "../x.wav", "_._x" }, { "Site Nr. 5 (north)", "Site Nr. 5 (north)" }, { NULL, "unnamed" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (pairs); i++)
    {
      g_autofree char *stem = es_file_name_stem (pairs[i][0], NULL);
      g_assert_cmpstr (stem, ==, pairs[i][1]);
    }
}

static void
test_plain (void)
{
  static const char *const others[] = { NULL, "", ".", "..", ".x", "../x", "/x", "a/b" };

  for (guint i = 0; i < G_N_ELEMENTS (others); i++)
    g_assert_false (es_file_name_is_plain (others[i]));
  g_assert_true (es_file_name_is_plain ("components.img"));
}

/* A name that says another kind of file. */
static void
test_fits (void)
{
  static const struct { const char *path, *ending; gboolean fits; } cases[] = {
    { "/a/comp.tif", "img", FALSE }, { "/a/comp.TIFF", "img", FALSE }, { "/a/comp.dat", "img", TRUE },
    { "/a/comp", "img", TRUE }, { "/a/comp.2024", "img", TRUE }, { "/a/comp.tif", "tif", TRUE },
    { "/a/comp.tiff", "tif", TRUE }, { "/a/comp.img", "tif", FALSE }, { "/a/pic.tif", "png", FALSE },
    { "/a/x.tif/pic", "png", TRUE }, { "/a/.png", "csv", TRUE }, { "/a/x.png.csv", "csv", TRUE },
    { "/a/x.json", "csv", FALSE }, { "/a/x.geojson", "json", TRUE }, { "/a/beam.flac", "wav", FALSE },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GError) error = NULL;

      g_assert_cmpint (es_file_name_fits (cases[i].path, cases[i].ending, &error), ==, cases[i].fits);
      g_assert_cmpint (error == NULL, ==, cases[i].fits);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/file-names/fits", test_fits);
  g_test_add_func ("/file-names/make", test_make);
  g_test_add_func ("/file-names/length", test_length);
  g_test_add_func ("/file-names/unique", test_unique);
  g_test_add_func ("/file-names/stem", test_stem);
  g_test_add_func ("/file-names/plain", test_plain);
  return g_test_run ();
}
