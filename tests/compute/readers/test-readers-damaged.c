/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* Cubes whose headers or files are wrong, files that shrink, and opening that is cancelled. */

#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/es-error.h"
#include "es-test-cubes.h"
#include "readers/es-open.h"

typedef char TestFolder;
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TestFolder, es_test_folder_free)

typedef struct
{
  const char *header;           /* NULL: the text below is the file itself */
  int         code;
  const char *word;
} BadHeader;

static void
test_bad_headers (void)
{
#define SIZE "samples = 4\nlines = 3\nbands = 5\n"
#define REST "data type = 2\ninterleave = bsq\nbyte order = 0\n"
  static const BadHeader cases[] = {
    { "ENVI\n" SIZE "data type = 6\ninterleave = bsq\n", ES_DATA_ERROR_UNSUPPORTED, "complex" },
    { "ENVI\n" SIZE "data type = 9\ninterleave = bsq\n", ES_DATA_ERROR_UNSUPPORTED, "complex" },
    { "ENVI\n" SIZE "data type = 7\ninterleave = bsq\n", ES_DATA_ERROR_FORMAT, "data type" },
    { "ENVI\n" SIZE "data type = float\ninterleave = bsq\n", ES_DATA_ERROR_FORMAT, "float" },
    { "ENVI\n" SIZE "interleave = bsq\n", ES_DATA_ERROR_FORMAT, "data type" },
    { "ENVI\n" SIZE "data type = 2\ninterleave = bxq\n", ES_DATA_ERROR_FORMAT, "bxq" },
    { "ENVI\n" SIZE "data type = 2\n", ES_DATA_ERROR_FORMAT, "interleave" },
    { "ENVI\n" SIZE "data type = 2\ninterleave = bsq\nbyte order = 2\n", ES_DATA_ERROR_FORMAT, "byte order" },
    { "ENVI\n" SIZE REST "file compression = 1\n", ES_DATA_ERROR_UNSUPPORTED, "compressed" },
    { "ENVI\n" SIZE REST "file type = ENVI Spectral Library\n", ES_DATA_ERROR_UNSUPPORTED, "library" },
    { "ENVI\n" SIZE "data type = 6\ninterleave = bsq\nfile type = ENVI Classification\n", ES_DATA_ERROR_UNSUPPORTED,
      "complex" },
    { "ENVI\n" SIZE REST "file type = TIFF\n", ES_DATA_ERROR_UNSUPPORTED, "TIFF" },
    { "ENVI\n" SIZE REST "major frame offsets = {0, 4}\n", ES_DATA_ERROR_UNSUPPORTED, "major frame offsets" },
    { "ENVI\n" SIZE REST "wavelength = {1, 2, 3\n", ES_DATA_ERROR_FORMAT, "closing brace" },
    { "ENVI\nlines = 3\nbands = 5\n" REST, ES_DATA_ERROR_FORMAT, "samples" },
    { "ENVI\nsamples = -4\nlines = 3\nbands = 5\n" REST, ES_DATA_ERROR_FORMAT, "-4" },
    { "ENVI\nsamples = 4.5\nlines = 3\nbands = 5\n" REST, ES_DATA_ERROR_FORMAT, "4.5" },
    { "ENVI\nsamples = 0\nlines = 3\nbands = 5\n" REST, ES_DATA_ERROR_SIZE, "0 × 3 × 5" },
    { "ENVI\nsamples = 4\nlines = 3\nbands = 0\n" REST, ES_DATA_ERROR_SIZE, "4 × 3 × 0" },
    { "ENVI\nsamples = 4\nlines = 3\nbands = 65536\n" REST, ES_DATA_ERROR_SIZE, "65536" },
    { "ENVI\nsamples = 4294967296\nlines = 4294967296\nbands = 5\n" REST, ES_DATA_ERROR_SIZE, "4294967296" },
    { "ENVI\nsamples = 4294967296\nlines = 3\nbands = 5\n" REST, ES_DATA_ERROR_TRUNCATED, "128849018880" },
    { "ENVI\nsamples = 18446744073709551615\nlines = 1\nbands = 2\n" REST, ES_DATA_ERROR_FORMAT, "samples" },
    { "ENVI\nsamples = 18446744073709551614\nlines = 1\nbands = 1\ndata type=1\ninterleave=bsq\n",
      ES_DATA_ERROR_SIZE,
      "18446744073709551614" },
    { "ENVI\n" SIZE REST "header offset = 18446744073709551614\n", ES_DATA_ERROR_SIZE, "header offset" },
    { "ENVI\n" SIZE REST "header offset = 9223372036854775807\n", ES_DATA_ERROR_SIZE, "header offset" },
    { "ENVI\n" SIZE REST "header offset = 1\n", ES_DATA_ERROR_TRUNCATED, "121" },
    { "ENVI\nsamples = 4\nlines = 3\nbands = 6\n" REST, ES_DATA_ERROR_TRUNCATED, "144" },
  };
#undef SIZE
#undef REST
  guint8 zeros[120] = { 0 };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (TestFolder) folder = es_test_folder_new ();
      g_autofree char *header = es_test_write_text (folder, "bad.hdr", cases[i].header);
      g_autofree char *data = es_test_write (folder, "bad.img", zeros, sizeof zeros);

      es_test_refused (data, NULL, cases[i].code, "bad.", cases[i].word, NULL);
      es_test_refused (header, NULL, cases[i].code, "bad.", cases[i].word, NULL);
    }
}

static void
test_bad_files (void)
{
  g_autoptr (TestFolder) folder = es_test_folder_new ();
  g_autofree char *header = es_test_header (4, 3, 5, 2, "bsq", 0, NULL);
  g_autofree char *lonely = es_test_write_text (folder, "lonely.hdr", header);
  g_autofree char *empty = es_test_write (folder, "empty.img", "", 0);
  g_autofree char *missing = g_build_filename (folder, "missing.img", NULL);
  g_autofree char *fifo = g_build_filename (folder, "pipe.img", NULL);
  g_autofree char *locked = es_test_write (folder, "locked.img", "x", 1);
  g_autofree guint8 *noise = g_malloc (5000);
  g_autofree char *garbage = NULL, *garbage_header = NULL, *garbage_tiff = NULL, *garbage_hdf = NULL;
  g_autofree char *garbage_mat = NULL, *garbage_mat73 = NULL, *garbage_nc = NULL;
  guint32 state = 12345;

  for (guint i = 0; i < 5000; i++)
    noise[i] = (guint8) ((state = state * 1664525u + 1013904223u) >> 24);

  es_test_refused (lonely, NULL, ES_DATA_ERROR_OPEN, "lonely.hdr", ".img", NULL);
  es_test_refused (empty, NULL, ES_DATA_ERROR_FORMAT, "empty.img", "empty", NULL);
  es_test_refused (missing, NULL, ES_DATA_ERROR_OPEN, "missing.img", NULL);
  es_test_refused (folder, NULL, ES_DATA_ERROR_OPEN, "folder", NULL);
  g_assert_cmpint (mkfifo (fifo, 0600), ==, 0);
  es_test_refused (fifo, NULL, ES_DATA_ERROR_OPEN, "pipe.img", NULL);
  if (geteuid () != 0)
    {
      chmod (locked, 0);
      es_test_refused (locked, NULL, ES_DATA_ERROR_OPEN, "locked.img", NULL);
    }

  garbage = es_test_write (folder, "garbage.dat", noise, 5000);
  es_test_refused (garbage, NULL, ES_DATA_ERROR_FORMAT, "garbage.dat", NULL);
  /* A header that is not ENVI's beside a file that is nothing: neither is believed. */
  garbage_header = es_test_write (folder, "garbage.hdr", noise, 5000);
  es_test_refused (garbage, NULL, ES_DATA_ERROR_FORMAT, "garbage.dat", NULL);
  es_test_refused (garbage_header, NULL, ES_DATA_ERROR_FORMAT, "garbage.hdr", NULL);

  memcpy (noise, "II*\0", 4);
  garbage_tiff = es_test_write (folder, "garbage.tif", noise, 5000);
  es_test_refused (garbage_tiff, NULL, ES_DATA_ERROR_TRUNCATED, "garbage.tif", NULL);
  memcpy (noise, "\211HDF\r\n\032\n", 8);
  garbage_hdf = es_test_write (folder, "garbage.h5", noise, 5000);
  es_test_refused (garbage_hdf, NULL, ES_DATA_ERROR_FORMAT, "garbage.h5", "HDF5", "damaged", NULL);
  memcpy (noise, "CDF\001", 4);
  garbage_nc = es_test_write (folder, "garbage.nc", noise, 5000);
  es_test_refused (garbage_nc, NULL, ES_DATA_ERROR_FORMAT, "garbage.nc", NULL);
  memcpy (noise, "MATLAB 5.0 MAT-file, noise", 26);
  garbage_mat = es_test_write (folder, "garbage.mat", noise, 5000);
  es_test_refused (garbage_mat, NULL, ES_DATA_ERROR_FORMAT, "garbage.mat", NULL);
  memcpy (noise + 124, "\000\001IM", 4);
  g_free (garbage_mat);
  garbage_mat = es_test_write (folder, "garbage.mat", noise, 5000);
  es_test_refused (garbage_mat, NULL, ES_DATA_ERROR_TRUNCATED, "garbage.mat", "5000", NULL);
  memcpy (noise, "MATLAB 7.3 MAT-file, noise", 26);
  memcpy (noise + 124, "\000\002IM", 4);
  garbage_mat73 = es_test_write (folder, "garbage73.mat", noise, 5000);
  es_test_refused (garbage_mat73, NULL, ES_DATA_ERROR_FORMAT, "garbage73.mat", NULL);
}

/* A file that shrinks under an open cube is an error of the read, and no signal. */
static void
test_shrinking (void)
{
  static const char * const interleaves[] = { "bsq", "bil", "bip" };

  for (guint i = 0; i < G_N_ELEMENTS (interleaves); i++)
    {
      g_autoptr (TestFolder) folder = es_test_folder_new ();
      g_autofree char *path = es_test_write_envi (folder, ESK_I16, interleaves[i], FALSE, 64, 64, 8, NULL);
      g_autoptr (EsCube) cube = es_test_open (path);
      g_autoptr (GError) error = NULL;
      g_autoptr (EsCubeReader) reader = es_cube_reader_new (cube, &error);
      g_autofree float *values = g_new (float, 64 * 64);
      g_autofree double *spectrum = g_new (double, 8);
      EsCubeWindow whole = { 0, 0, 64, 64 }, top = { 0, 0, 64, 4 };
      EskTile tile;

      g_assert_no_error (error);
      g_assert_true (es_cube_reader_read (reader, &whole, &tile, &error));
      g_assert_cmpint (truncate (path, 20000), ==, 0);
      g_assert_false (es_cube_reader_read (reader, &whole, &tile, &error));
      g_assert_error (error, ES_DATA_ERROR, ES_DATA_ERROR_TRUNCATED);
      g_assert_nonnull (strstr (error->message, "cube.img"));
      g_clear_error (&error);
      g_assert_false (es_cube_read_band (cube, 7, 0, 0, 64, 64, 1, values, NULL, &error));
      g_assert_error (error, ES_DATA_ERROR, ES_DATA_ERROR_TRUNCATED);
      g_clear_error (&error);
      g_assert_false (es_cube_read_spectrum (cube, 63, 63, spectrum, &error));
      g_assert_error (error, ES_DATA_ERROR, ES_DATA_ERROR_TRUNCATED);
      g_clear_error (&error);
      /* What is still there can still be read. */
      if (i > 0)
        g_assert_true (es_cube_reader_read (reader, &top, &tile, &error));
      /* And opening it again tells both sizes. */
      es_test_refused (path, NULL, ES_DATA_ERROR_TRUNCATED, "20000", "65536", NULL);
    }
}

static void
test_cancelling (void)
{
  g_autoptr (TestFolder) folder = es_test_folder_new ();
  g_autofree char *path = es_test_write_envi (folder, ESK_U8, "bsq", FALSE, 8, 8, 2, NULL);
  g_autoptr (EsCube) cube = es_test_open (path);
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autoptr (GFile) file = g_file_new_for_path (path);
  g_autoptr (GError) error = NULL;
  float values[64];

  g_cancellable_cancel (cancellable);
  g_assert_false (es_cube_read_band (cube, 0, 0, 0, 8, 8, 1, values, cancellable, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  g_clear_error (&error);
  g_assert_null (es_dataset_open (file, NULL, cancellable, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/readers/envi/bad-headers", test_bad_headers);
  g_test_add_func ("/readers/bad-files", test_bad_files);
  g_test_add_func ("/readers/shrinking", test_shrinking);
  g_test_add_func ("/readers/cancelling", test_cancelling);
  return g_test_run ();
}
