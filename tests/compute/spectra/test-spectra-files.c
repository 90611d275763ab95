/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* Files of spectral libraries: what each format says, what is wrong with them, and that what is written reads back. */

#include <glib/gstdio.h>
#include <math.h>
#include <string.h>

#include "../writers/es-test-folder.h"
#include "base/es-error.h"
#include "spectra/es-spectral-library.h"

static EsSpectralLibrary *
load_with (const char *folder, const char *name, const EsSpectraOptions *options, GError **error)
{
  g_autoptr (GFile) file = es_test_file (folder, name);

  return es_spectral_library_load (&file, 1, options, NULL, error);
}

static EsSpectralLibrary *
load (const char *folder, const char *name)
{
  g_autoptr (GError) error = NULL;
  EsSpectralLibrary *library = load_with (folder, name, NULL, &error);

  g_assert_no_error (error);
  return library;
}

static void
assert_refused (const char *folder, const char *name, int code, const char *words)
{
  g_autoptr (GError) error = NULL;

  g_assert_null (load_with (folder, name, NULL, &error));
  g_assert_error (error, ES_DATA_ERROR, code);
  g_test_message ("%s", error->message);
  g_assert_nonnull (strstr (error->message, words));
  g_assert_nonnull (strstr (error->message, name));
}

static const double *
values_of (EsSpectralLibrary *library, guint i)
{
  return es_spectrum_get_values (es_spectral_library_get (library, i));
}

static const double *
waves_of (EsSpectralLibrary *library, guint i)
{
  return es_spectral_axis_get_wavelengths (es_spectrum_get_axis (es_spectral_library_get (library, i)));
}

static gboolean
has_note (EsSpectralLibrary *library, const char *words)
{
  for (const char *const *note = es_spectral_library_get_notes (library); *note != NULL; note++)
    if (strstr (*note, words) != NULL)
      return TRUE;
  return FALSE;
}

static void
assert_note (EsSpectralLibrary *library, const char *words)
{
  if (!has_note (library, words))
    g_error ("no note says \"%s\"", words);
}

/* ---- ENVI ---- */

static void
write_sli (const char *folder, const char *header, const void *bytes, gsize length)
{
  g_autofree char *path = g_build_filename (folder, "x.sli", NULL);

  es_test_write_text (folder, "x.hdr", header);
  g_assert_true (g_file_set_contents (path, bytes, (gssize) length, NULL));
}

#define SLI "ENVI\nsamples = 3\nlines = 2\nbands = 1\nfile type = ENVI Spectral Library\ninterleave = bsq\n"

/* Falling micrometres, big endian, a scale factor, missing values of two kinds. */
static void
test_sli (void)
{
  g_autoptr (EsTestFolder) folder = es_test_folder_make ();
  const gint16 plain[] = { 100, 200, 300, -9999, 500, 600 };
  gint16 swapped[6];

  for (guint i = 0; i < 6; i++)
    swapped[i] = (gint16) GUINT16_SWAP_LE_BE ((guint16) plain[i]);
  write_sli (folder, SLI "data type = 2\nbyte order = 1\nwavelength units = Micrometers\nwavelength = {0.7, 0.6, 0.5}\n"
             "fwhm = {0.01, 0.02, 0.03}\nspectra names = {clay, , }\nreflectance scale factor = 1000\n"
             "data ignore value = -9999\nz plot titles = {Wavelength, Reflectance}\n", swapped, sizeof swapped);

  for (guint i = 0; i < 2; i++)
    {
      g_autoptr (EsSpectralLibrary) library = load (folder, i == 0 ? "x.sli" : "x.hdr");

      g_assert_cmpuint (es_spectral_library_get_n (library), ==, 2);
      g_assert_cmpstr (es_spectrum_get_name (es_spectral_library_get (library, 0)), ==, "clay");
      g_assert_cmpstr (es_spectrum_get_name (es_spectral_library_get (library, 1)), ==, "Spectrum 2");
      g_assert_cmpstr (es_spectral_library_get_unit (library), ==, "Reflectance");
      g_assert_cmpfloat_with_epsilon (waves_of (library, 0)[0], 500, 1e-9);
      g_assert_cmpfloat_with_epsilon (waves_of (library, 0)[2], 700, 1e-9);
      g_assert_cmpfloat_with_epsilon (es_spectral_axis_get_fwhm (es_spectral_library_get_axis (library))[0], 30, 1e-9);
      g_assert_cmpfloat_with_epsilon (values_of (library, 0)[0], 0.3, 1e-12);
      g_assert_cmpfloat_with_epsilon (values_of (library, 0)[2], 0.1, 1e-12);
      g_assert_true (isnan (values_of (library, 1)[2]));
      g_assert_cmpfloat_with_epsilon (values_of (library, 1)[1], 0.5, 1e-12);
      assert_note (library, "turned round");
      assert_note (library, "divided by 1000");
      assert_note (library, "1 spectrum has missing values");
    }

  /* Every type, in the same numbers. */
  const float singles[] = { 1, 2, 3, 4, -1.23e34f, 6 };
  write_sli (folder, SLI "data type = 4\nwavelength = {500, 600, 700}\n", singles, sizeof singles);
  g_autoptr (EsSpectralLibrary) single = load (folder, "x.sli");
  g_assert_cmpfloat (values_of (single, 1)[0], ==, 4);
  g_assert_true (isnan (values_of (single, 1)[1]));
  assert_note (single, "does not tell the unit");
  const guint8 bytes[] = { 1, 2, 3, 4, 5, 255 };
  write_sli (folder, SLI "data type = 1\n", bytes, sizeof bytes);
  g_autoptr (EsSpectralLibrary) byte = load (folder, "x.sli");
  g_assert_cmpfloat (values_of (byte, 1)[2], ==, 255);
  g_assert_null (es_spectral_axis_get_wavelengths (es_spectral_library_get_axis (byte)));
  const gint64 longs[] = { 1, -2, 3, 4, 5, G_GINT64_CONSTANT (1) << 40 };
  write_sli (folder, SLI "data type = 14\n", longs, sizeof longs);
  g_autoptr (EsSpectralLibrary) of_longs = load (folder, "x.sli");
  g_assert_cmpfloat (values_of (of_longs, 0)[1], ==, -2);
  g_assert_cmpfloat (values_of (of_longs, 1)[2], ==, 1099511627776.0);
}

static void
test_hostile_sli (void)
{
  g_autoptr (EsTestFolder) folder = es_test_folder_make ();
  const double few[] = { 1, 2, 3, 4, 5 };

  write_sli (folder, SLI "data type = 5\n", few, sizeof few);
  assert_refused (folder, "x.sli", ES_DATA_ERROR_TRUNCATED, "holds 40 bytes; its header promises 48");
  write_sli (folder, "ENVI\nsamples = 4000000000\nlines = 4000000000\nfile type = ENVI Spectral Library\n"
             "data type = 5\n", few, sizeof few);
  assert_refused (folder, "x.hdr", ES_DATA_ERROR_SIZE, "4000000000 spectra");
  write_sli (folder, SLI "data type = 6\n", few, sizeof few);
  assert_refused (folder, "x.hdr", ES_DATA_ERROR_FORMAT, "data type");
  write_sli (folder, "ENVI\nsamples = 1\nlines = 1\nfile type = ENVI Standard\ndata type = 5\n", few, sizeof few);
  assert_refused (folder, "x.hdr", ES_DATA_ERROR_FORMAT, "ENVI Spectral Library");
  write_sli (folder, SLI "data type = 1\nwavelength = {500, -1, 700}\n", few, sizeof few);
  assert_refused (folder, "x.hdr", ES_DATA_ERROR_FORMAT, "wavelength 2 is -1");
  write_sli (folder, SLI "data type = 1\nwavelength units = Furlong\nwavelength = {500, 600, 700}\n", few, sizeof few);
  assert_refused (folder, "x.hdr", ES_DATA_ERROR_FORMAT, "Furlong");
  es_test_write_text (folder, "alone.hdr", SLI "data type = 1\n");
  assert_refused (folder, "alone.hdr", ES_DATA_ERROR_OPEN, "not beside it");
}

/* ---- text ---- */

static void
test_csv (void)
{
  g_autoptr (EsTestFolder) folder = es_test_folder_make ();

  es_test_write_text (folder, "nm.csv", "Wavelength (nm),\"clay, red\",water\n500,0.1,0.2\n600,,0.3\n"
                      "700,0.5,-1.23e34\n");
  g_autoptr (EsSpectralLibrary) nm = load (folder, "nm.csv");
  g_assert_cmpuint (es_spectral_library_get_n (nm), ==, 2);
  g_assert_cmpstr (es_spectrum_get_name (es_spectral_library_get (nm, 0)), ==, "clay, red");
  g_assert_true (isnan (values_of (nm, 0)[1]) && isnan (values_of (nm, 1)[2]));
  g_assert_cmpfloat (values_of (nm, 0)[2], ==, 0.5);
  g_assert_cmpfloat (waves_of (nm, 0)[2], ==, 700);

  /* 20000 cm-1 is 500 nm; they rise, so wavelengths fall. Decimal commas. */
  es_test_write_text (folder, "cm.csv", "Wavenumber (cm-1);a\n10000;0,5\n20000;0,25\n");
  g_autoptr (EsSpectralLibrary) cm = load (folder, "cm.csv");
  g_assert_cmpfloat_with_epsilon (waves_of (cm, 0)[0], 500, 1e-9);
  g_assert_cmpfloat_with_epsilon (waves_of (cm, 0)[1], 1000, 1e-9);
  g_assert_cmpfloat (values_of (cm, 0)[0], ==, 0.25);
  assert_note (cm, "turned round");

  es_test_write_text (folder, "um.csv", "wavelength_um\tfwhm\ta\n0.5\t0.01\t1\n0.6\t0.02\t2\n");
  g_autoptr (EsSpectralLibrary) um = load (folder, "um.csv");
  g_assert_cmpuint (es_spectral_library_get_n (um), ==, 1);
  g_assert_cmpfloat_with_epsilon (waves_of (um, 0)[1], 600, 1e-9);
  g_assert_cmpfloat_with_epsilon (es_spectral_axis_get_fwhm (es_spectral_library_get_axis (um))[1], 20, 1e-9);

  /* No header at all, and a unit that is told. */
  es_test_write_text (folder, "bare.csv", "4000,1,5\n5000,2,6\n");
  const EsSpectraOptions told = { .unit = "cm-1" };
  g_autoptr (EsSpectralLibrary) bare = load_with (folder, "bare.csv", &told, NULL);
  g_assert_cmpfloat_with_epsilon (waves_of (bare, 0)[0], 2000, 1e-9);
  g_assert_cmpfloat (values_of (bare, 1)[0], ==, 6);
  g_autoptr (GError) error = NULL;
  const EsSpectraOptions wrong = { .unit = "furlong" };
  g_assert_null (load_with (folder, "bare.csv", &wrong, &error));
  g_assert_error (error, ES_COMPUTE_ERROR, ES_COMPUTE_ERROR_PARAMETER);

  /* A row a spectrum; and columns whose names are numbers are no such rows. */
  es_test_write_text (folder, "rows.csv", "name,500,600,700\nclay,1,2,3\nwater,4,,6\n");
  g_autoptr (EsSpectralLibrary) rows = load (folder, "rows.csv");
  g_assert_cmpuint (es_spectral_library_get_n (rows), ==, 2);
  g_assert_cmpstr (es_spectrum_get_name (es_spectral_library_get (rows, 1)), ==, "water");
  g_assert_cmpfloat (values_of (rows, 1)[2], ==, 6);
  g_assert_cmpfloat (waves_of (rows, 0)[0], ==, 500);
  es_test_write_text (folder, "numbers.csv", "Wavelength (nm),1,2\n500,7,8\n600,9,10\n");
  g_autoptr (EsSpectralLibrary) numbers = load (folder, "numbers.csv");
  g_assert_cmpstr (es_spectrum_get_name (es_spectral_library_get (numbers, 1)), ==, "2");
  g_assert_cmpfloat (values_of (numbers, 1)[1], ==, 10);

  es_test_write_text (folder, "bad.csv", "Wavelength (nm),a\n500,0.1\n600,plenty\n");
  assert_refused (folder, "bad.csv", ES_DATA_ERROR_FORMAT, "row 3: “plenty” in column 2");
  es_test_write_text (folder, "wide.csv", "Wavelength (nm),a\n500,0.1,2\n");
  assert_refused (folder, "wide.csv", ES_DATA_ERROR_FORMAT, "row 2 has 3 columns");
  es_test_write_text (folder, "prose.csv", "It was a dark and stormy night.\n");
  assert_refused (folder, "prose.csv", ES_DATA_ERROR_FORMAT, "no spectral library");
  es_test_write_text (folder, "empty.csv", "");
  assert_refused (folder, "empty.csv", ES_DATA_ERROR_FORMAT, "no spectral library");
  es_test_write_text (folder, "lost.csv", "Wavelength (nm),a\n500,0.1\n,0.2\n");
  assert_refused (folder, "lost.csv", ES_DATA_ERROR_FORMAT, "without a wavelength");
}

static void
test_usgs (void)
{
  g_autoptr (EsTestFolder) folder = es_test_folder_make ();
  g_autofree char *chapter = g_build_filename (folder, "ChapterM", NULL);

  g_assert_cmpint (g_mkdir (chapter, 0700), ==, 0);
  es_test_write_text (folder, "splib07a_Wavelengths_ASD_0.35-2.5_microns_3_ch.txt",
                      " splib07a Record=1: Wavelengths ASD\n 0.35\n 0.36\n 0.37\n");
  es_test_write_text (folder, "splib07a_Wavelengths_BECK_Beckman_3_ch.txt",
                      " splib07a Record=2: Wavelengths BECK\n 0.5\n 0.6\n 0.7\n");
  es_test_write_text (folder, "splib07a_Bandpass_(FWHM)_ASDFR_StandardResolution.txt",
                      " splib07a Record=3: Bandpass\n 0.003\n 0.003\n 0.004\n");
  es_test_write_text (chapter, "splib07a_Alunite_GDS84_ASDFRb_AREF.txt",
                      "splib07a Record=1234: Alunite GDS84 Na03          ASDFRb AREF\n 0.5\n -1.2300000e+034\n 0.7\n");
  g_autoptr (EsSpectralLibrary) asd = load (chapter, "splib07a_Alunite_GDS84_ASDFRb_AREF.txt");
  g_assert_true (g_str_has_prefix (es_spectrum_get_name (es_spectral_library_get (asd, 0)), "Alunite GDS84 Na03"));
  g_assert_cmpfloat_with_epsilon (waves_of (asd, 0)[0], 350, 1e-9);
  g_assert_cmpfloat_with_epsilon (es_spectral_axis_get_fwhm (es_spectral_library_get_axis (asd))[2], 4, 1e-9);
  g_assert_true (isnan (values_of (asd, 0)[1]));
  assert_note (asd, "missing values");

  es_test_write_text (chapter, "odd.txt", "splib07a Record=9: Odd ASDFRa\n 1\n 2\n");
  assert_refused (chapter, "odd.txt", ES_DATA_ERROR_OPEN, "2 values and no wavelengths");
  g_autoptr (GFile) list = es_test_file (folder, "splib07a_Wavelengths_BECK_Beckman_3_ch.txt");
  const EsSpectraOptions told = { .wavelengths = list };
  g_autoptr (EsSpectralLibrary) beckman = load_with (chapter, "splib07a_Alunite_GDS84_ASDFRb_AREF.txt", &told, NULL);
  g_assert_cmpfloat_with_epsilon (waves_of (beckman, 0)[0], 500, 1e-9);

  es_test_write_text (folder, "six.txt",
                      "USGS Digital Spectral Library splib06a\nClark and others 2007\n\n"
                      "ASCII Spectral Data file contents:\nline 15 title\n--------------------------------------\n"
                      "Actinolite HS116.3B   W1R1Bb AREF\n"
                      "copy of splib05a r 35\n      0.205100      -1.23e34        0.000000\n"
                      "      0.213100       0.4        0.001\n");
  g_autoptr (EsSpectralLibrary) six = load (folder, "six.txt");
  g_assert_true (g_str_has_prefix (es_spectrum_get_name (es_spectral_library_get (six, 0)), "Actinolite"));
  g_assert_cmpfloat_with_epsilon (waves_of (six, 0)[1], 213.1, 1e-9);
  g_assert_true (isnan (values_of (six, 0)[0]));
  g_assert_cmpfloat (values_of (six, 0)[1], ==, 0.4);
}

static void
test_ecostress (void)
{
  g_autoptr (EsTestFolder) folder = es_test_folder_make ();

  es_test_write_text (folder, "x.spectrum.txt",
                      "Name: Construction Asphalt\nType: manmade\nClass: Road\nX Units: Wavelength (micrometers)\n"
                      "Y Units: Reflectance (percent)\nFirst X Value: 14.011\nNumber of X Values: 3\n"
                      "Additional Information: none\n\n 14.0112\t2.5000\n 13.9\t3.5\n 0.42\t7.5\n");
  g_autoptr (EsSpectralLibrary) library = load (folder, "x.spectrum.txt");
  g_assert_cmpstr (es_spectrum_get_name (es_spectral_library_get (library, 0)), ==, "Construction Asphalt");
  g_assert_cmpfloat_with_epsilon (waves_of (library, 0)[0], 420, 1e-9);
  g_assert_cmpfloat_with_epsilon (values_of (library, 0)[0], 0.075, 1e-12);
  assert_note (library, "percent");
  assert_note (library, "turned round");
  g_assert_nonnull (strstr (es_spectrum_get_details (es_spectral_library_get (library, 0)), "Class: Road"));

  g_assert_false (has_note (library, "cut short"));

  es_test_write_text (folder, "short.spectrum.txt",
                      "Name: Asphalt\nX Units: Wavelength (micrometers)\nNumber of X Values: 4\n\n"
                      " 0.4 2\n 0.5 3\n 0.6 4\n");
  g_autoptr (EsSpectralLibrary) cut = load (folder, "short.spectrum.txt");
  assert_note (cut, "short.spectrum.txt” is cut short: its head promises 4 values, and 3 are there");

  es_test_write_text (folder, "bad.txt", "Name: x\nX Units: Wavelength (micrometers)\n\n 1 2\n no number\n");
  assert_refused (folder, "bad.txt", ES_DATA_ERROR_FORMAT, "row 5");
}

/* ---- writing ---- */

static EsSpectralLibrary *
make_library (gboolean several)
{
  const double x[] = { 400.125, 500, 600, 550, 650 }, fwhm[] = { 5, 6, 7, 8, 9.5 };
  const double y[] = { 0.1, NAN, 1. / 3, 0, -4e-5 };
  EsSpectralLibrary *library = es_spectral_library_new ("made");
  g_autoptr (EsSpectralAxis) axis = es_spectral_axis_new (5, x, fwhm), other = es_spectral_axis_new (2, x, NULL);
  g_autoptr (EsSpectrum) a = es_spectrum_new ("a, b", axis, y, NULL), b = es_spectrum_new ("Wavelength", axis, x, NULL);
  g_autoptr (EsSpectrum) c = es_spectrum_new ("3", other, x, NULL);

  es_spectral_library_add (library, a);
  es_spectral_library_add (library, b);
  if (several)
    es_spectral_library_add (library, c);
  return library;
}

static void
assert_same (EsSpectralLibrary *a, EsSpectralLibrary *b)
{
  g_assert_cmpuint (es_spectral_library_get_n (a), ==, es_spectral_library_get_n (b));
  for (guint i = 0; i < es_spectral_library_get_n (a); i++)
    {
      EsSpectrum *x = es_spectral_library_get (a, i), *y = es_spectral_library_get (b, i);

      g_assert_true (es_spectral_axis_equal (es_spectrum_get_axis (x), es_spectrum_get_axis (y)));
      for (guint k = 0; k < es_spectrum_get_n (x); k++)
        g_assert_true (es_spectrum_get_values (x)[k] == es_spectrum_get_values (y)[k]
                       || (isnan (es_spectrum_get_values (x)[k]) && isnan (es_spectrum_get_values (y)[k])));
    }
}

/* Bit by bit, in both formats, of axes that turn back; an .sli holds one axis and says so. */
static void
test_round (void)
{
  g_autoptr (EsTestFolder) folder = es_test_folder_make ();
  g_autoptr (EsSpectralLibrary) one = make_library (FALSE), several = make_library (TRUE);
  g_autoptr (GFile) sli = es_test_file (folder, "y.sli"), csv = es_test_file (folder, "y.csv");
  g_autoptr (GFile) other = es_test_file (folder, "y.doc");
  g_autoptr (GError) error = NULL;

  g_assert_true (es_spectral_library_save (one, sli, &error));
  g_assert_no_error (error);
  g_autoptr (EsSpectralLibrary) again = load (folder, "y.sli");
  assert_same (one, again);
  g_assert_cmpstr (es_spectrum_get_name (es_spectral_library_get (again, 0)), ==, "a; b");

  g_assert_true (es_spectral_library_save (several, csv, &error));
  g_assert_no_error (error);
  g_autoptr (EsSpectralLibrary) table = load (folder, "y.csv");
  assert_same (several, table);
  g_assert_cmpstr (es_spectrum_get_name (es_spectral_library_get (table, 0)), ==, "a, b");

  /* What is open is not replaced; what has several axes is no .sli; and nothing is left of the attempts. */
  g_autofree char *before = es_test_folder_list (folder);
  g_assert_false (es_spectral_library_save (one, csv, &error));
  g_assert_error (error, ES_DATA_ERROR, ES_DATA_ERROR_WRITE);
  g_clear_error (&error);
  g_assert_false (es_spectral_library_save (several, sli, &error));
  g_assert_error (error, ES_DATA_ERROR, ES_DATA_ERROR_UNSUPPORTED);
  g_clear_error (&error);
  g_assert_false (es_spectral_library_save (one, other, &error));
  g_assert_error (error, ES_DATA_ERROR, ES_DATA_ERROR_WRITE);
  es_test_assert_unchanged (folder, before);
}

/* A real one, whose numbers were read with NumPy. */
static void
test_berlin (void)
{
  const char *data = g_getenv ("ES_TEST_DATA");
  g_autofree char *folder = data != NULL ? g_build_filename (data, "edge", NULL) : NULL;
  g_autofree char *path = folder != NULL ? g_build_filename (folder, "library_berlin.sli", NULL) : NULL;

  if (path == NULL || !g_file_test (path, G_FILE_TEST_EXISTS))
    {
      g_test_skip ("ES_TEST_DATA has no spectral library");
      return;
    }
  g_autoptr (EsSpectralLibrary) library = load (folder, "library_berlin.sli");
  g_autofree char *words = es_spectral_library_describe (library);
  g_assert_cmpstr (words, ==, "75 spectra, 177 bands, 460 – 2409 nm");
  g_assert_cmpstr (es_spectrum_get_name (es_spectral_library_get (library, 0)), ==, "red clay tile 1");
  g_assert_cmpstr (es_spectrum_get_name (es_spectral_library_get (library, 74)), ==, "water 2");
  g_assert_cmpfloat_with_epsilon (es_spectral_axis_get_fwhm (es_spectral_library_get_axis (library))[176], 9.1, 1e-9);
  /* Its title says that they are reflectance times 10000. */
  g_assert_cmpstr (es_spectral_library_get_unit (library), ==, "reflectance");
  assert_note (library, "divided by 10000");
  g_assert_cmpfloat_with_epsilon (values_of (library, 0)[0], 0.05899561196565628, 1e-15);
  g_assert_cmpfloat_with_epsilon (values_of (library, 74)[176], 0.010824301280081272, 1e-15);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/spectra/sli", test_sli);
  g_test_add_func ("/spectra/sli/hostile", test_hostile_sli);
  g_test_add_func ("/spectra/csv", test_csv);
  g_test_add_func ("/spectra/usgs", test_usgs);
  g_test_add_func ("/spectra/ecostress", test_ecostress);
  g_test_add_func ("/spectra/round", test_round);
  g_test_add_func ("/spectra/berlin", test_berlin);
  return g_test_run ();
}
