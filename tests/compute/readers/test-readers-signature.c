/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* An ENVI header beside a file that says itself what it is, and samples that begin like something else. */

#include <gdal.h>
#include <string.h>

#include "base/es-error.h"
#include "es-test-cubes.h"
#include "es-test-recordings.h"
#include "readers/es-open.h"

typedef char TestFolder;
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TestFolder, es_test_folder_free)

#define WIDTH  8u
#define HEIGHT 6u
#define BANDS  4u
#define BYTES  (WIDTH * HEIGHT * BANDS * 2u)

static void
write_header (const char *folder, const char *name)
{
  g_autofree char *header = es_test_header (WIDTH, HEIGHT, BANDS, 2, "bsq", 0, NULL);

  g_free (es_test_write_text (folder, name, header));
}

static void
test_sound (void)
{
  g_autoptr (TestFolder) folder = es_test_folder_new ();
  g_autofree char *path = es_test_write_wav (folder, "w.wav", 1000, 2, 0, 1000, 16, 0);

  write_header (folder, "w.hdr");
  g_autoptr (EsRecording) recording = es_test_open_recording (path, NULL);
  es_test_compare_recording (recording, 1e-7);
  g_assert_true (es_test_recording_notes (recording, "says itself that it is WAV"));
  g_assert_true (es_test_recording_notes (recording, "w.hdr"));
}

static double
expected (guint64 x, guint64 y, guint band, gpointer data)
{
  return es_test_value (ESK_I16, x, y, band);
}

static char *
write_gdal (const char *folder, const char *name, const char *driver_name)
{
  char *path = g_build_filename (folder, name, NULL);
  GDALDriverH driver = GDALGetDriverByName (driver_name);
  GDALDatasetH file = GDALCreate (driver, path, WIDTH, HEIGHT, BANDS, GDT_Int16, NULL);

  g_assert_nonnull (file);
  for (guint band = 0; band < BANDS; band++)
    {
      gint16 plane[WIDTH * HEIGHT];

      for (guint i = 0; i < WIDTH * HEIGHT; i++)
        plane[i] = (gint16) es_test_value (ESK_I16, i % WIDTH, i / WIDTH, band);
      g_assert_cmpint (GDALRasterIO (GDALGetRasterBand (file, (int) band + 1), GF_Write, 0, 0, WIDTH, HEIGHT, plane,
                                     WIDTH, HEIGHT, GDT_Int16, 0, 0), ==, CE_None);
    }
  GDALClose (file);
  return path;
}

static void
test_rasters (void)
{
  static const struct { const char *name, *header, *driver, *format; } cases[] = {
    { "g.pix", "g.hdr", "PCIDSK", "PCIDSK" }, { "g.tif", "g.hdr", "GTiff", "TIFF" },
    { "g.img", "g.img.hdr", "HFA", "HFA" },
  };

  GDALAllRegister ();
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (TestFolder) folder = es_test_folder_new ();
      g_autofree char *path = NULL;

      if (GDALGetDriverByName (cases[i].driver) == NULL)
        continue;
      path = write_gdal (folder, cases[i].name, cases[i].driver);
      write_header (folder, cases[i].header);
      g_autoptr (EsCube) cube = es_test_open (path);
      es_test_compare (cube, expected, NULL);
      g_assert_false (g_str_has_prefix (es_cube_get_format_name (cube), "ENVI"));
      g_assert_true (es_test_has_note (cube, cases[i].format));
      g_assert_true (es_test_has_note (cube, "was left out"));
    }
}

static double
read_at (guint64 x, guint64 y, guint band, gpointer data)
{
  gint16 value;

  memcpy (&value, (const guint8 *) data + 2 * ((band * HEIGHT + y) * WIDTH + x), 2);
  return value;
}

/* Samples that begin with four bytes of something: the header's size decides, and where it does not fit to the byte,
 * whether anybody can read the file as what it seems. */
static void
test_samples (void)
{
  static const char heads[][5] = { "II*\0", ".snd", "\377\330\377\340", "\016\003\023\001", "OggS", "CDF\001", "fLaC" };

  for (guint i = 0; i < G_N_ELEMENTS (heads); i++)
    for (guint more = 0; more <= 3; more += 3)
      {
        g_autoptr (TestFolder) folder = es_test_folder_new ();
        guint8 bytes[BYTES + 3] = { 0 };
        g_autofree char *path = NULL;

        for (guint k = 0; k < BYTES; k++)
          bytes[k] = (guint8) (k * 7 % 251);
        memcpy (bytes, heads[i], 4);
        path = es_test_write (folder, "x.img", bytes, BYTES + more);
        write_header (folder, "x.hdr");
        g_test_message ("head %u and %u bytes", i, more);
        g_autoptr (EsCube) cube = es_test_open (path);
        g_assert_cmpstr (es_cube_get_format_name (cube), ==, "ENVI BSQ");
        es_test_compare (cube, read_at, bytes);
        g_assert_true (es_test_has_note (cube, "begins like"));
      }
}

/* A strong signature goes before a header whose size is that of the file to the byte; who opens the header itself gets
 * what it says. */
static void
test_strong (void)
{
  g_autoptr (TestFolder) folder = es_test_folder_new ();
  guint8 bytes[BYTES] = "\211PNG\r\n\032\n";
  g_autofree char *path = es_test_write (folder, "x.img", bytes, BYTES);
  g_autofree char *header = g_build_filename (folder, "x.hdr", NULL);

  write_header (folder, "x.hdr");
  es_test_refused (path, NULL, ES_DATA_ERROR_OPEN, "x.img", NULL);
  g_autoptr (EsCube) cube = es_test_open (header);
  es_test_compare (cube, read_at, bytes);
  g_assert_true (es_test_has_note (cube, "begins like PNG"));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/readers-signature/sound", test_sound);
  g_test_add_func ("/readers-signature/rasters", test_rasters);
  g_test_add_func ("/readers-signature/samples", test_samples);
  g_test_add_func ("/readers-signature/strong", test_strong);
  return g_test_run ();
}
