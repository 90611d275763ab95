/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* HDF5 files that name other files, promise what was never written, or cost far more than they hold. */

#include <hdf5.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

#include "base/es-error.h"
#include "es-test-cubes.h"
#include "es-test-recordings.h"
#include "readers/es-open.h"

typedef char TestFolder;
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TestFolder, es_test_folder_free)

#define WIDTH  30u
#define HEIGHT 20u
#define BANDS  4u

static hid_t
create (const char *folder, const char *name, char **path)
{
  hid_t file;

  *path = g_build_filename (folder, name, NULL);
  file = H5Fcreate (*path, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
  g_assert_cmpint (file, >=, 0);
  return file;
}

static void
finish (hid_t file)
{
  H5Fclose (file);
}

/* bands x rows x columns of int16 at a place of a file; plist: H5P_DEFAULT or how it is kept. */
static void
add_cube (hid_t file, const char *name, hid_t plist, gboolean written)
{
  const hsize_t lengths[3] = { BANDS, HEIGHT, WIDTH };
  hid_t space = H5Screate_simple (3, lengths, NULL);
  hid_t dataset = H5Dcreate2 (file, name, H5T_STD_I16LE, space, H5P_DEFAULT, plist, H5P_DEFAULT);
  gint16 samples[BANDS * HEIGHT * WIDTH];

  g_assert_cmpint (dataset, >=, 0);
  for (guint i = 0; i < G_N_ELEMENTS (samples); i++)
    samples[i] = (gint16) es_test_value (ESK_I16, i % WIDTH, i / WIDTH % HEIGHT, i / (WIDTH * HEIGHT));
  if (written)
    g_assert_cmpint (H5Dwrite (dataset, H5T_NATIVE_INT16, H5S_ALL, H5S_ALL, H5P_DEFAULT, samples), >=, 0);
  H5Dclose (dataset);
  H5Sclose (space);
}

static double
expected (guint64 x, guint64 y, guint band, gpointer data)
{
  return es_test_value (ESK_I16, x, y, band);
}

/* A file of what a stranger's file would like to read. */
static void
write_target (const char *folder)
{
  g_autofree char *path = NULL;
  hid_t file = create (folder, "target.h5", &path);

  add_cube (file, "cube", H5P_DEFAULT, TRUE);
  finish (file);
}

/* The first: once a file has been opened, the library knows no such links any more, and writes none. */
static void
test_links (void)
{
  g_autoptr (TestFolder) folder = es_test_folder_new ();
  g_autofree char *path = NULL, *both = NULL;
  hid_t file;

  write_target (folder);
  file = create (folder, "x.h5", &path);
  g_assert_cmpint (H5Lcreate_external ("target.h5", "/cube", file, "cube", H5P_DEFAULT, H5P_DEFAULT), >=, 0);
  finish (file);
  file = create (folder, "both.h5", &both);
  add_cube (file, "own", H5P_DEFAULT, TRUE);
  g_assert_cmpint (H5Lcreate_external ("target.h5", "/cube", file, "cube", H5P_DEFAULT, H5P_DEFAULT), >=, 0);
  finish (file);

  es_test_refused (path, NULL, ES_DATA_ERROR_UNSUPPORTED, "x.h5", "link", "another file", NULL);
  g_autoptr (EsCube) cube = es_test_open (both);
  es_test_compare (cube, expected, NULL);
  g_assert_true (es_test_has_note (cube, "was not followed"));
  g_assert_false (es_test_has_note (cube, "2 cubes"));
}

static void
test_external (void)
{
  g_autoptr (TestFolder) folder = es_test_folder_new ();
  g_autofree char *secret = es_test_write_text (folder, "secret", "nobody's business"), *path = NULL;
  hid_t file = create (folder, "x.h5", &path), plist = H5Pcreate (H5P_DATASET_CREATE);

  H5Pset_external (plist, secret, 0, BANDS * HEIGHT * WIDTH * 2);
  add_cube (file, "cube", plist, FALSE);
  H5Pclose (plist);
  finish (file);
  es_test_refused (path, NULL, ES_DATA_ERROR_UNSUPPORTED, "x.h5", "secret", "no other file", NULL);
}

static void
test_virtual (void)
{
  for (guint own = 0; own < 2; own++)
    {
      g_autoptr (TestFolder) folder = es_test_folder_new ();
      const hsize_t lengths[3] = { BANDS, HEIGHT, WIDTH };
      g_autofree char *path = NULL;
      hid_t file, plist, space;

      write_target (folder);
      file = create (folder, "x.h5", &path);
      plist = H5Pcreate (H5P_DATASET_CREATE);
      space = H5Screate_simple (3, lengths, NULL);
      if (own)
        add_cube (file, "hidden", H5P_DEFAULT, TRUE);
      H5Pset_virtual (plist, space, own ? "." : "target.h5", own ? "/hidden" : "/cube", space);
      add_cube (file, "cube", plist, FALSE);
      H5Sclose (space);
      H5Pclose (plist);
      finish (file);
      if (own)
        {
          EsOpenOptions options = { .variable = "cube" };
          g_autoptr (EsCube) cube = es_test_open_with (path, &options);

          es_test_compare (cube, expected, NULL);
        }
      else
        es_test_refused (path, NULL, ES_DATA_ERROR_UNSUPPORTED, "x.h5", "target.h5", NULL);
    }
}

static void
test_never_written (void)
{
  g_autoptr (TestFolder) folder = es_test_folder_new ();
  g_autofree char *path = NULL, *recording = NULL, *partly = NULL;
  const hsize_t lengths[2] = { 1000000, 4 }, piece[3] = { 1, HEIGHT, WIDTH }, start[3] = { 1, 0, 0 };
  gint16 plane[HEIGHT * WIDTH] = { 1, 2, 3 };
  const double rate = 1000;
  hid_t file = create (folder, "x.h5", &path), space, dataset, attribute, plist, memory, scalar;

  add_cube (file, "cube", H5P_DEFAULT, FALSE);
  finish (file);
  es_test_refused (path, NULL, ES_DATA_ERROR_TRUNCATED, "x.h5", "/cube", "never written", NULL);

  file = create (folder, "r.h5", &recording);
  space = H5Screate_simple (2, lengths, NULL);
  dataset = H5Dcreate2 (file, "time_data", H5T_IEEE_F32LE, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  scalar = H5Screate (H5S_SCALAR);
  attribute = H5Acreate2 (dataset, "sample_freq", H5T_IEEE_F64LE, scalar, H5P_DEFAULT, H5P_DEFAULT);
  H5Awrite (attribute, H5T_NATIVE_DOUBLE, &rate);
  H5Aclose (attribute);
  H5Sclose (scalar);
  H5Dclose (dataset);
  H5Sclose (space);
  finish (file);
  es_test_refused (recording, NULL, ES_DATA_ERROR_TRUNCATED, "r.h5", "never written", NULL);

  /* One chunk of four. */
  file = create (folder, "p.h5", &partly);
  plist = H5Pcreate (H5P_DATASET_CREATE);
  H5Pset_chunk (plist, 3, piece);
  add_cube (file, "cube", plist, FALSE);
  dataset = H5Dopen2 (file, "cube", H5P_DEFAULT);
  space = H5Dget_space (dataset);
  memory = H5Screate_simple (3, piece, NULL);
  H5Sselect_hyperslab (space, H5S_SELECT_SET, start, NULL, piece, NULL);
  g_assert_cmpint (H5Dwrite (dataset, H5T_NATIVE_INT16, memory, space, H5P_DEFAULT, plane), >=, 0);
  H5Sclose (memory);
  H5Sclose (space);
  H5Dclose (dataset);
  H5Pclose (plist);
  finish (file);
  g_autoptr (EsCube) cube = es_test_open (partly);
  g_assert_true (es_test_has_note (cube, "Of the 4 chunks of the samples 3 were never written"));
}

/* Two kilobytes that would unpack to gigabytes: a chunk of nothing but one value. */
static void
test_bomb (void)
{
  g_autoptr (TestFolder) folder = es_test_folder_new ();
  const hsize_t lengths[3] = { 224, 1000, 1000 }, first[3] = { 0 };
  g_autofree char *path = NULL;
  hid_t file = create (folder, "x.h5", &path), plist = H5Pcreate (H5P_DATASET_CREATE), space, dataset;
  struct rusage before, after;

  space = H5Screate_simple (3, lengths, NULL);
  H5Pset_chunk (plist, 3, lengths);
  H5Pset_deflate (plist, 9);
  dataset = H5Dcreate2 (file, "cube", H5T_IEEE_F32LE, space, H5P_DEFAULT, plist, H5P_DEFAULT);
  /* Bytes that are no packed chunk serve as well: it is not looked at. */
  g_assert_cmpint (H5Dwrite_chunk (dataset, H5P_DEFAULT, 0, first, sizeof lengths, lengths), >=, 0);
  H5Dclose (dataset);
  H5Sclose (space);
  H5Pclose (plist);
  finish (file);
  getrusage (RUSAGE_SELF, &before);
  es_test_refused (path, NULL, ES_DATA_ERROR_SIZE, "x.h5", "/cube", "smaller chunks", NULL);
  getrusage (RUSAGE_SELF, &after);
  g_assert_cmpint (after.ru_maxrss - before.ru_maxrss, <, 100 * 1024);
}

/* Samples beside each other, fewer than the axes promise: the library reads on in whatever is behind them. */
static void
test_short (void)
{
  for (guint compact = 0; compact < 2; compact++)
    {
      g_autoptr (TestFolder) folder = es_test_folder_new ();
      const guint64 lengths[3] = { BANDS, HEIGHT, WIDTH }, more = 40 * BANDS;
      g_autofree char *path = NULL, *content = NULL;
      hid_t file = create (folder, "x.h5", &path), plist = H5Pcreate (H5P_DATASET_CREATE);
      gsize length, at = 0;

      H5Pset_layout (plist, compact ? H5D_COMPACT : H5D_CONTIGUOUS);
      add_cube (file, "cube", plist, TRUE);
      H5Pclose (plist);
      finish (file);
      g_assert_true (g_file_get_contents (path, &content, &length, NULL));
      while (at + sizeof lengths <= length && memcmp (content + at, lengths, sizeof lengths) != 0)
        at++;
      g_assert_cmpuint (at + sizeof lengths, <=, length);
      memcpy (content + at, &more, sizeof more);
      /* Behind these stand the largest ones that they may have, or the next message. */
      if (memcmp (content + at + sizeof lengths, lengths, sizeof lengths) == 0)
        memcpy (content + at + sizeof lengths, &more, sizeof more);
      g_assert_true (g_file_set_contents (path, content, (gssize) length, NULL));
      es_test_refused (path, NULL, ES_DATA_ERROR_TRUNCATED, "x.h5", "4800", "192000", NULL);
    }
}

/* A chunk that is not packed and has fewer bytes than a chunk: the library reads on behind it. */
static void
test_short_chunk (void)
{
  g_autoptr (TestFolder) folder = es_test_folder_new ();
  const hsize_t lengths[3] = { BANDS, HEIGHT, WIDTH }, first[3] = { 0 };
  guint8 bytes[BANDS * HEIGHT * WIDTH * 2] = { 1 };
  g_autofree char *path = NULL;

  for (guint whole = 0; whole < 2; whole++)
    {
      hid_t file = create (folder, "x.h5", &path), plist = H5Pcreate (H5P_DATASET_CREATE), dataset;

      H5Pset_chunk (plist, 3, lengths);
      H5Pset_deflate (plist, 1);
      add_cube (file, "cube", plist, FALSE);
      dataset = H5Dopen2 (file, "cube", H5P_DEFAULT);
      /* The mask says that it is stored as it is. */
      g_assert_cmpint (H5Dwrite_chunk (dataset, H5P_DEFAULT, 1, first, sizeof bytes - !whole, bytes), >=, 0);
      H5Dclose (dataset);
      H5Pclose (plist);
      finish (file);
      if (whole)
        g_object_unref (es_test_open (path));
      else
        es_test_refused (path, NULL, ES_DATA_ERROR_TRUNCATED, "x.h5", "damaged", NULL);
      g_clear_pointer (&path, g_free);
    }
}

/* Chunks larger than the library's own cache are not unpacked for every row and every band. */
static void
test_large_chunks (void)
{
  g_autoptr (TestFolder) folder = es_test_folder_new ();
  const hsize_t lengths[3] = { 32, 200, 400 };
  const gsize plane = 200 * 400;
  g_autofree gint16 *samples = g_new (gint16, 32 * plane);
  g_autofree float *values = g_new (float, plane);
  g_autofree char *path = NULL;
  hid_t file = create (folder, "x.h5", &path), plist = H5Pcreate (H5P_DATASET_CREATE), space, dataset;
  clock_t begun;

  for (gsize i = 0; i < 32 * plane; i++)
    samples[i] = (gint16) (i * 7919 >> 4);
  space = H5Screate_simple (3, lengths, NULL);
  H5Pset_chunk (plist, 3, lengths);
  H5Pset_deflate (plist, 1);
  dataset = H5Dcreate2 (file, "cube", H5T_STD_I16LE, space, H5P_DEFAULT, plist, H5P_DEFAULT);
  g_assert_cmpint (H5Dwrite (dataset, H5T_NATIVE_INT16, H5S_ALL, H5S_ALL, H5P_DEFAULT, samples), >=, 0);
  H5Dclose (dataset);
  H5Sclose (space);
  H5Pclose (plist);
  finish (file);

  g_autoptr (EsCube) cube = es_test_open (path);
  begun = clock ();
  for (guint band = 0; band < 32; band++)
    {
      g_assert_true (es_cube_read_band (cube, band, 0, 0, 400, 200, 1, values, NULL, NULL));
      g_assert_cmpfloat (values[plane - 1], ==, samples[(band + 1) * plane - 1]);
      g_assert_true (es_cube_read_band (cube, band, 0, 0, 400, 200, 4, values, NULL, NULL));
      g_assert_cmpfloat (values[100], ==, samples[band * plane + 400 * 4]);
    }
  /* 1,600 rows; each would take some 20 ms of the processor. */
  g_assert_cmpfloat ((double) (clock () - begun) / CLOCKS_PER_SEC, <, 4);
}

/* Groups that hold each other, and paths without number to the same few groups. */
static void
test_groups (void)
{
  g_autoptr (TestFolder) folder = es_test_folder_new ();
  g_autofree char *path = NULL, *deep = NULL;
  hid_t file = create (folder, "x.h5", &path), group;
  gint64 begun;

  for (guint level = 0; level < 12; level++)
    {
      g_autofree char *name = g_strdup_printf ("level%u", level);

      H5Gclose (H5Gcreate2 (file, name, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
    }
  for (guint level = 0; level < 12; level++)
    for (guint i = 0; i < 20; i++)
      {
        g_autofree char *from = g_strdup_printf ("/level%u", (level + 1) % 12);
        g_autofree char *to = g_strdup_printf ("/level%u/link%u", level, i);

        g_assert_cmpint (H5Lcreate_hard (file, from, file, to, H5P_DEFAULT, H5P_DEFAULT), >=, 0);
      }
  finish (file);
  begun = g_get_monotonic_time ();
  es_test_refused (path, NULL, ES_DATA_ERROR_SIZE, "x.h5", "hold each other", NULL);
  g_assert_cmpint (g_get_monotonic_time () - begun, <, 5 * G_USEC_PER_SEC);

  file = create (folder, "deep.h5", &deep);
  group = file;
  for (guint level = 0; level < 200; level++)
    {
      hid_t inner = H5Gcreate2 (group, "g", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);

      if (group != file)
        H5Gclose (group);
      group = inner;
    }
  H5Gclose (group);
  finish (file);
  es_test_refused (deep, NULL, ES_DATA_ERROR_SIZE, "deep.h5", "deep", NULL);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/readers-hdf5/links", test_links);
  g_test_add_func ("/readers-hdf5/external", test_external);
  g_test_add_func ("/readers-hdf5/virtual", test_virtual);
  g_test_add_func ("/readers-hdf5/never-written", test_never_written);
  g_test_add_func ("/readers-hdf5/bomb", test_bomb);
  g_test_add_func ("/readers-hdf5/short", test_short);
  g_test_add_func ("/readers-hdf5/short-chunk", test_short_chunk);
  g_test_add_func ("/readers-hdf5/large-chunks", test_large_chunks);
  g_test_add_func ("/readers-hdf5/groups", test_groups);
  return g_test_run ();
}
