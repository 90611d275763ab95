/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* What is told of a cube, as JSON and as tables of text. */

#include "../job/es-test-scene.h"
#include "metadata/es-band-table.h"

#include <math.h>
#include <string.h>

#define N 4

static char *directory;

static GFile *
write_file (const char *name, const char *text)
{
  g_autofree char *path = g_build_filename (directory, name, NULL);

  g_assert_true (g_file_set_contents (path, text, -1, NULL));
  return g_file_new_for_path (path);
}

/* ---- JSON ---- */

static EsMetadata *
make_metadata (void)
{
  double wavelengths[N] = { 400, 500.25, 600, 1e-3 }, fwhm[N] = { 5, NAN, 6, 7 }, no_data[N] = { 0, 0, NAN, 0 };
  double scale[N] = { 1e-4, 1e-4, 1e-4, 1e-4 }, offset[N] = { NAN, 1, 2, -3 }, t[6] = { 10, 30, 0, 20, 0, -30 };
  gboolean good[N] = { TRUE, FALSE, TRUE, TRUE };
  char *names[N + 1] = { (char *) "blue \"1\"", (char *) "", (char *) "red\n", (char *) "红", NULL };

  return es_metadata_new (&(EsMetadataFacts) {
    .bands = N, .wavelengths = wavelengths, .wavelength_unit = (char *) "nm", .fwhm = fwhm, .band_names = names,
    .good = good, .no_data = no_data, .scale = scale, .offset = offset, .unit = (char *) "reflectance",
    .geotransform = t, .system = (char *) "EPSG:32633", .has_default_bands = TRUE, .default_bands = { 2, 1, 0 },
  });
}

static void
test_json (void)
{
  g_autoptr (EsMetadata) told = make_metadata (), again = NULL, line_again = NULL, loaded = NULL;
  g_autoptr (JsonNode) node = es_metadata_to_node (told);
  g_autofree char *line = es_metadata_to_line (told), *path = g_build_filename (directory, "x.metadata.json", NULL);
  g_autoptr (GFile) file = g_file_new_for_path (path);
  g_autoptr (GError) error = NULL;

  again = es_metadata_from_node (node, N, &error);
  g_assert_no_error (error);
  g_assert_true (es_metadata_equal (told, again));
  g_assert_null (strchr (line, '\n'));
  line_again = es_metadata_from_line (line, N, &error);
  g_assert_no_error (error);
  g_assert_true (es_metadata_equal (told, line_again));
  g_assert_cmpint (es_metadata_get_source (line_again), ==, ES_METADATA_NAMED);
  g_assert_true (es_metadata_save (told, file, "2x3x4", &error));
  loaded = es_metadata_load (file, "2x3x4", N, &error);
  g_assert_no_error (error);
  g_assert_true (es_metadata_equal (told, loaded));
  g_assert_cmpfloat (es_metadata_get_facts (loaded)->wavelengths[1], ==, 500.25);
  g_assert_true (isnan (es_metadata_get_facts (loaded)->no_data[2]));
  g_assert_true (es_metadata_is_file (file));
  g_clear_pointer (&loaded, es_metadata_unref);
  loaded = es_metadata_load (file, "2x3x5", N, &error);
  g_assert_null (loaded);
  g_assert_error (error, ES_DATA_ERROR, ES_DATA_ERROR_FORMAT);
  g_assert_nonnull (strstr (error->message, "2x3x4"));
}

/* Lines that are refused, each with what the sentence has to name. */
static void
test_refused (void)
{
  static const struct { const char *text, *part; } cases[] = {
    { "", "line 1" },
    { "{\"eigenscope-metadata\": 1, \"scale\": 0", "line 1" },
    { "[]", "eigenscope-metadata" },
    { "{\"eigenscope-metadata\": 2}", "version" },
    { "{\"eigenscope-metadata\": 1, \"scale\": 0}", "scale" },
    { "{\"eigenscope-metadata\": 1, \"wavelengths\": [400, 500, 600]}", "wavelengths" },
    { "{\"eigenscope-metadata\": 1, \"wavelengths\": [400, 500, 600, -1]}", "band 4 is -1" },
    { "{\"eigenscope-metadata\": 1, \"wavelengths\": [400, 500, null, 700]}", "band 3 is nan" },
    { "{\"eigenscope-metadata\": 1, \"wavelengths\": 400}", "wavelengths" },
    { "{\"eigenscope-metadata\": 1, \"fwhm\": [1, 2, 3, -4]}", "band 4" },
    { "{\"eigenscope-metadata\": 1, \"no-data\": \"zero\"}", "no-data" },
    { "{\"eigenscope-metadata\": 1, \"good-bands\": [true, true, true, 1]}", "good-bands" },
    { "{\"eigenscope-metadata\": 1, \"good-bands\": [false, false, false, false]}", "bad" },
    { "{\"eigenscope-metadata\": 1, \"geotransform\": [1, 2, 3]}", "geotransform" },
    { "{\"eigenscope-metadata\": 1, \"geotransform\": [1, 0, 0, 1, 0, 0]}", "no size" },
    { "{\"eigenscope-metadata\": 1, \"default-bands\": [1, 2, 5]}", "5" },
    { "{\"eigenscope-metadata\": 1, \"unit\": 3}", "unit" },
    { "{\"eigenscope-metadata\": 1, \"band-names\": [\"a\"]}", "band-names" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GFile) file = write_file ("bad.metadata.json", cases[i].text);
      g_autoptr (GError) error = NULL;
      g_autoptr (EsMetadata) told = es_metadata_load (file, NULL, N, &error);

      g_test_message ("%s", error != NULL ? error->message : cases[i].text);
      g_assert_null (told);
      g_assert_true (error->domain == ES_DATA_ERROR);
      g_assert_nonnull (strstr (error->message, "bad.metadata.json"));
      g_assert_nonnull (strstr (error->message, cases[i].part));
    }
}

/* A text of megabytes is no unit and no name. */
static void
test_long_texts (void)
{
  g_autofree char *text = g_strnfill (1001, 'u');
  char *names[] = { (char *) "a", text, (char *) "c", (char *) "d", NULL };
  const EsMetadataFacts unit = { .bands = N, .unit = text }, name = { .bands = N, .band_names = names };
  g_autoptr (GError) error = NULL;

  g_assert_false (es_metadata_check (&unit, N, &error));
  g_assert_error (error, ES_DATA_ERROR, ES_DATA_ERROR_FORMAT);
  g_clear_error (&error);
  g_assert_false (es_metadata_check (&name, N, &error));
  g_assert_nonnull (strstr (error->message, "band 2"));
  text[1000] = '\0';
  g_clear_error (&error);
  g_assert_true (es_metadata_check (&unit, N, &error) && es_metadata_check (&name, N, &error));
}

static void
test_merge (void)
{
  double wavelengths[N] = { 1, 2, 3, 4 };
  g_autoptr (EsMetadata) told = make_metadata (), merged = NULL, nothing = NULL;
  g_autofree char *words = NULL;

  merged = es_metadata_merge (told, &(EsMetadataFacts) { .bands = N, .wavelengths = wavelengths, .unit = (char *) "" });
  g_assert_cmpfloat (es_metadata_get_facts (merged)->wavelengths[3], ==, 4);
  /* Widths are of other wavelengths. */
  g_assert_null (es_metadata_get_facts (merged)->fwhm);
  g_assert_cmpstr (es_metadata_get_facts (merged)->unit, ==, "");
  g_assert_cmpstr (es_metadata_get_facts (merged)->system, ==, "EPSG:32633");
  g_assert_false (es_metadata_equal (told, merged));
  nothing = es_metadata_new (es_metadata_get_facts (NULL));
  g_assert_true (es_metadata_is_empty (nothing));
  g_assert_true (es_metadata_is_empty (NULL));
  g_assert_true (es_metadata_equal (nothing, NULL));
  words = es_metadata_describe (told);
  g_assert_nonnull (strstr (words, "EPSG:32633"));
  g_assert_nonnull (strstr (words, "1 bad band"));
}

/* ---- tables ---- */

typedef struct
{
  const char *text, *unit;
  gboolean    guessed;
  double      first, width;    /* NAN: none */
  int         bad;             /* which is; -1: there is no list */
} TableCase;

static void
test_tables (void)
{
  static const TableCase cases[] = {
    { "400\n500\n600\n700\n", "nm", TRUE, 400, NAN, -1 },
    /* Each of its own unit; by their numbers, where they are all there. */
    { "wavelength (um),fwhm (nm)\n0.4,10\n0.5,10\n0.6,10\n0.7,10", "um", FALSE, 0.4, 0.01, -1 },
    { "band wavelength [nm] fwhm [um]\n1 400 0.01\n2 500 0.01\n3 600 0.01\n4 700 0.01", "nm", FALSE, 400, 10, -1 },
    { "band,wavelength (nm),good\n4,700,1\n3,600,0\n2,500,1\n1,400,1", "nm", FALSE, 400, NAN, 2 },
    { "band,wavelength (nm)\n1,400\n2,500\n1,600\n2,700", "nm", FALSE, 400, NAN, -1 },
    { "0.4\n0.5\n\n0.6\n0.7", "um", TRUE, 0.4, NAN, -1 },
    { "400 5\n500 5\n600 5\n700 5\n", "nm", TRUE, 400, 5, -1 },
    { "400,5.5,1\r\n500,5,0\r\n600,5,1\r\n700,5,1\r\n", "nm", TRUE, 400, 5.5, 1 },
    { "1\t400\t5\n2\t500\t5\n3\t600\t5\n4\t700\t5\n", "nm", TRUE, 400, 5, -1 },
    { "0.4,1\n0.5,1\n0.6,0\n0.7,1\n", "um", TRUE, 0.4, NAN, 2 },
    { "400,5;8,25;1\n500;8;1\n600;8;1\n700;8;0\n", "nm", TRUE, 400.5, 8.25, 3 },
    { "Wavelength (um), FWHM (um)\n0.4, 0.01\n0.5, 0.01\n0.6, 0.01\n0.7, 0.01\n", "um", FALSE, 0.4, 0.01, -1 },
    { "Band  Wavelength (nm)  Name\n1 400 a\n2 500 b\n3 600 c\n4 700 d\n", "nm", FALSE, 400, NAN, -1 },
    { "bad,wavelength_nm\n1,40\n0,50\n0,60\n0,70\n", "nm", FALSE, 40, NAN, 0 },
    { "# wavelengths in micrometers\n0.4\n0.5\n0.6\n0.7\n", "um", FALSE, 0.4, NAN, -1 },
    { "\357\273\277wavenumber\n25000\n20000\n15000\n10000\n", "cm-1", FALSE, 25000, NAN, -1 },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      const TableCase *c = &cases[i];
      g_autoptr (GFile) file = write_file ("table.txt", c->text);
      g_autoptr (GError) error = NULL;
      gboolean guessed = !c->guessed;
      g_autoptr (EsMetadata) told = es_band_table_load (file, N, &guessed, &error);
      const EsMetadataFacts *facts = es_metadata_get_facts (told);

      g_test_message ("%s", c->text);
      g_assert_no_error (error);
      g_assert_cmpint (guessed, ==, c->guessed);
      g_assert_cmpstr (facts->wavelength_unit, ==, c->unit);
      g_assert_cmpfloat (facts->wavelengths[0], ==, c->first);
      g_assert_cmpint (facts->fwhm != NULL, ==, !isnan (c->width));
      if (facts->fwhm != NULL)
        g_assert_cmpfloat (facts->fwhm[0], ==, c->width);
      g_assert_cmpint (facts->good != NULL, ==, c->bad >= 0);
      for (guint b = 0; facts->good != NULL && b < N; b++)
        g_assert_cmpint (facts->good[b], ==, (int) b != c->bad);
    }
}

static void
test_bad_tables (void)
{
  static const struct { const char *text, *part; } cases[] = {
    { "", "0 bands; the cube has 4" },
    { "400\n500\n600\n", "3 bands; the cube has 4" },
    { "400\n500\n600\n700\n800\n", "5 bands; the cube has 4" },
    { "400\n500 5\n600\n700\n", "line 2" },
    { "400\n500\nsix\n700\n", "“six”" },
    { "400\n500\nNaN\n700\n", "line 3" },
    { "400\n500\n-600\n700\n", "band 3 is -600" },
    { "400\n500\n0\n700\n", "band 3 is 0" },
    { "400 5 7\n500 5 7\n600 5 7\n700 5 7\n", "3 columns" },
    { "wavelength (nm),fwhm (cm-1)\n400,5\n500,5\n600,5\n700,5\n", "another unit" },
    { "fwhm,good\n1,1\n1,1\n1,1\n1,1\n", "line 1" },
    { "400 5 0\n500 5 0\n600 5 0\n700 5 0\n", "bad" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GFile) file = write_file ("bad.txt", cases[i].text);
      g_autoptr (GError) error = NULL;
      g_autoptr (EsMetadata) told = es_band_table_load (file, N, NULL, &error);

      g_test_message ("%s", error != NULL ? error->message : cases[i].text);
      g_assert_null (told);
      g_assert_error (error, ES_DATA_ERROR, ES_DATA_ERROR_FORMAT);
      g_assert_nonnull (strstr (error->message, "bad.txt"));
      g_assert_nonnull (strstr (error->message, cases[i].part));
    }
}

/* Ten million lines are told in one sentence, and soon. */
static void
test_long_table (void)
{
  GString *text = g_string_sized_new (20000000);
  g_autofree char *all = NULL;
  g_autoptr (GFile) file = NULL;
  g_autoptr (GError) error = NULL;
  const gint64 start = g_get_monotonic_time ();

  for (guint i = 0; i < 10000000; i++)
    g_string_append_len (text, "5\n", 2);
  all = g_string_free (text, FALSE);
  file = write_file ("long.txt", all);
  g_assert_null (es_band_table_load (file, N, NULL, &error));
  g_assert_true (error->domain == ES_DATA_ERROR);
  g_assert_nonnull (strstr (error->message, "long.txt"));
  g_assert_cmpint (g_get_monotonic_time () - start, <, 10 * G_USEC_PER_SEC);
}

int
main (int argc, char **argv)
{
  int status;

  g_test_init (&argc, &argv, NULL);
  directory = es_test_directory ();
  g_test_add_func ("/metadata/json", test_json);
  g_test_add_func ("/metadata/long-texts", test_long_texts);
  g_test_add_func ("/metadata/refused", test_refused);
  g_test_add_func ("/metadata/merge", test_merge);
  g_test_add_func ("/metadata/tables", test_tables);
  g_test_add_func ("/metadata/bad-tables", test_bad_tables);
  g_test_add_func ("/metadata/long-table", test_long_table);
  status = g_test_run ();
  es_test_remove (directory);
  g_free (directory);
  return status;
}
