/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* Chunks that are unpacked by our own hands: the same samples as the library's, from any thread, and none of what is
 * not in the file. */

#include <gio/gio.h>
#include <glib/gstdio.h>
#include <string.h>

#include "hdf/es-hdf-samples-internal.h"
#include "libraries/es-hdf-lock-internal.h"

#define AXES   3
#define CHECKS 60u

static const hsize_t lengths[AXES] = { 23, 41, 30 }, chunk[AXES] = { 7, 16, 11 };
#define NUMBERS (23u * 41u * 30u)
#define CHUNKS  (4u * 3u * 3u)
#define ONE     (7u * 16u * 11u)

typedef struct { const char *name; gboolean shuffle, deflate, checksum; } Packing;

static const Packing packings[] = {
  { "deflate", FALSE, TRUE, FALSE }, { "shuffled", TRUE, TRUE, FALSE }, { "all", TRUE, TRUE, TRUE },
  { "checksum", FALSE, FALSE, TRUE }, { "shuffle", TRUE, FALSE, FALSE }, { "none", FALSE, FALSE, FALSE },
};

static char *
new_path (void)
{
  g_autofree char *folder = g_dir_make_tmp ("eigenscope-hdf-XXXXXX", NULL);

  g_assert_nonnull (folder);
  return g_build_filename (folder, "x.h5", NULL);
}

static void
remove_path (char *path)
{
  g_autofree char *folder = g_path_get_dirname (path);

  g_assert_cmpint (g_remove (path), ==, 0);
  g_assert_cmpint (g_rmdir (folder), ==, 0);
  g_free (path);
}

/* Cubes of smooth numbers, rows rows of which are written; the others are the fill value, 7. */
static void
write_file (const char *path, hid_t type, const Packing *packing, hsize_t rows)
{
  hid_t file = H5Fcreate (path, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
  hid_t plist = H5Pcreate (H5P_DATASET_CREATE), space = H5Screate_simple (AXES, lengths, NULL), memory, dataset;
  const hsize_t start[AXES] = { 0 }, count[AXES] = { rows, lengths[1], lengths[2] };
  g_autofree double *samples = g_new (double, NUMBERS);
  const double fill = 7;

  for (guint i = 0; i < NUMBERS; i++)
    samples[i] = (i * 37u) % 101u + i / 4096u;
  H5Pset_chunk (plist, AXES, chunk);
  H5Pset_fill_value (plist, H5T_NATIVE_DOUBLE, &fill);
  if (packing->shuffle)
    H5Pset_shuffle (plist);
  if (packing->deflate)
    H5Pset_deflate (plist, 4);
  if (packing->checksum)
    H5Pset_fletcher32 (plist);
  dataset = H5Dcreate2 (file, "cube", type, space, H5P_DEFAULT, plist, H5P_DEFAULT);
  g_assert_cmpint (dataset, >=, 0);
  memory = H5Screate_simple (AXES, count, NULL);
  H5Sselect_hyperslab (space, H5S_SELECT_SET, start, NULL, count, NULL);
  g_assert_cmpint (H5Dwrite (dataset, H5T_NATIVE_DOUBLE, memory, space, H5P_DEFAULT, samples), >=, 0);
  H5Sclose (memory);
  H5Sclose (space);
  H5Pclose (plist);
  H5Dclose (dataset);
  H5Fclose (file);
}

/* What the library reads of the whole. */
static void
read_all (const char *path, hid_t memory_type, void *samples)
{
  hid_t file = H5Fopen (path, H5F_ACC_RDONLY, H5P_DEFAULT), dataset = H5Dopen2 (file, "cube", H5P_DEFAULT);

  g_assert_cmpint (H5Dread (dataset, memory_type, H5S_ALL, H5S_ALL, H5P_DEFAULT, samples), >=, 0);
  H5Dclose (dataset);
  H5Fclose (file);
}

static EsHdfSamples *
open_samples (const char *path, EskType type, guint64 most)
{
  const EsHdfCache cache = { .stretches = 1, .share = 16, .most = most };
  const guint64 across[AXES] = { 1, 41, 30 };
  EsHdfSamples *samples;

  es_hdf_lock ();
  samples = es_hdf_samples_new (path, "cube", type, TRUE, AXES, across, &cache, NULL);
  es_hdf_unlock ();
  return samples;
}

static void
close_samples (EsHdfSamples *samples)
{
  es_hdf_lock ();
  es_hdf_samples_free (samples);
  es_hdf_unlock ();
}

static void
pick_slab (GRand *rand, guint64 *start, guint64 *count)
{
  for (int k = 0; k < AXES; k++)
    {
      start[k] = (guint64) g_rand_int_range (rand, 0, (gint32) lengths[k]);
      count[k] = (guint64) g_rand_int_range (rand, 1, (gint32) (lengths[k] - start[k]) + 1);
    }
}

static void
compare_slab (const guint8 *whole, const guint8 *slab, const guint64 *start, const guint64 *count, gsize size)
{
  for (guint64 i = 0; i < count[0]; i++)
    for (guint64 j = 0; j < count[1]; j++)
      {
        const guint64 from = ((start[0] + i) * lengths[1] + start[1] + j) * lengths[2] + start[2];
        const guint64 to = (i * count[1] + j) * count[2];

        g_assert_cmpmem (slab + to * size, count[2] * size, whole + from * size, count[2] * size);
      }
}

static void
test_samples (void)
{
  static const struct { EskType type; gsize size; } types[] = {
    { ESK_U8, 1 }, { ESK_I16, 2 }, { ESK_U32, 4 }, { ESK_F32, 4 }, { ESK_F64, 8 },
  };
  const hid_t stored[][2] = {
    { H5T_STD_U8LE, H5T_STD_U8BE }, { H5T_STD_I16LE, H5T_STD_I16BE }, { H5T_STD_U32LE, H5T_STD_U32BE },
    { H5T_IEEE_F32LE, H5T_IEEE_F32BE }, { H5T_IEEE_F64LE, H5T_IEEE_F64BE },
  };
  const hid_t memory[] = { H5T_NATIVE_UINT8, H5T_NATIVE_INT16, H5T_NATIVE_UINT32, H5T_NATIVE_FLOAT,
                           H5T_NATIVE_DOUBLE };
  g_autoptr (GRand) rand = g_rand_new_with_seed (14);
  g_autofree guint8 *whole = g_malloc (NUMBERS * 8), *slab = g_malloc (NUMBERS * 8);

  for (guint t = 0; t < G_N_ELEMENTS (types); t++)
    for (guint p = 0; p < G_N_ELEMENTS (packings) * 4; p++)
      {
        char *path = new_path ();
        EsHdfSamples *samples;

        /* Either order of bytes; all of it, and half. */
        write_file (path, stored[t][p / 2 % 2], &packings[p / 4], p % 2 == 0 ? lengths[0] : 10);
        read_all (path, memory[t], whole);
        samples = open_samples (path, types[t].type, (guint64) 1 << 30);
        g_assert_nonnull (samples);
        for (guint i = 0; i < CHECKS / 6; i++)
          {
            guint64 start[AXES], count[AXES];

            pick_slab (rand, start, count);
            g_assert_true (es_hdf_samples_read (samples, start, count, slab));
            compare_slab (whole, slab, start, count, types[t].size);
          }
        close_samples (samples);
        remove_path (path);
      }
}

/* ---- threads ---- */

typedef struct
{
  EsHdfSamples *samples;
  const guint8 *whole;
  guint32       seed;
} Job;

static gpointer
read_slabs (gpointer data)
{
  const Job *job = data;
  g_autoptr (GRand) rand = g_rand_new_with_seed (job->seed);
  g_autofree guint8 *slab = g_malloc (NUMBERS * 4);

  for (guint i = 0; i < CHECKS; i++)
    {
      guint64 start[AXES], count[AXES];

      pick_slab (rand, start, count);
      g_assert_true (es_hdf_samples_read (job->samples, start, count, slab));
      compare_slab (job->whole, slab, start, count, 4);
    }
  return NULL;
}

/* Where all chunks fit, and where one does: who finds it in use waits. */
static void
test_threads (void)
{
  char *path = new_path ();
  g_autofree guint8 *whole = g_malloc (NUMBERS * 4);

  write_file (path, H5T_IEEE_F32LE, &packings[1], lengths[0]);
  read_all (path, H5T_NATIVE_FLOAT, whole);
  for (guint few = 0; few < 2; few++)
    {
      /* The least that is asked for is 4 MB; a cache of the size of one chunk is made by hand. */
      EsHdfSamples *samples = open_samples (path, ESK_F32, few ? 1 : (guint64) 1 << 30);
      GThread *threads[4];
      Job jobs[4];

      g_assert_nonnull (samples);
      for (guint i = 0; i < G_N_ELEMENTS (threads); i++)
        {
          jobs[i] = (Job) { samples, whole, i + 4 * few };
          threads[i] = g_thread_new ("slabs", read_slabs, &jobs[i]);
        }
      for (guint i = 0; i < G_N_ELEMENTS (threads); i++)
        g_thread_join (threads[i]);
      close_samples (samples);
    }
  remove_path (path);
}

/* ---- chunks that lie ---- */

/* Replaces the second chunk of the second row of them by n bytes of data, which went through the filters but for those
 * that are skipped. */
static void
replace_chunk (const char *path, const void *data, gsize n, guint32 skipped)
{
  const hsize_t at[AXES] = { 7, 16, 0 };
  hid_t file = H5Fopen (path, H5F_ACC_RDWR, H5P_DEFAULT), dataset = H5Dopen2 (file, "cube", H5P_DEFAULT);

  g_assert_cmpint (H5Dwrite_chunk (dataset, H5P_DEFAULT, skipped, at, n, data), >=, 0);
  H5Dclose (dataset);
  H5Fclose (file);
}

static GByteArray *
deflated (const void *data, gsize n)
{
  g_autoptr (GConverter) zlib = G_CONVERTER (g_zlib_compressor_new (G_ZLIB_COMPRESSOR_FORMAT_ZLIB, 6));
  GByteArray *packed = g_byte_array_new ();
  gsize read, written;

  g_byte_array_set_size (packed, (guint) n + 4096);
  g_assert_cmpint (g_converter_convert (zlib, data, n, packed->data, packed->len, G_CONVERTER_INPUT_AT_END, &read,
                                        &written, NULL), ==, G_CONVERTER_FINISHED);
  g_byte_array_set_size (packed, (guint) written);
  return packed;
}

static void
test_damaged (void)
{
  static const struct
  {
    const char *what;
    guint       packing;
    gsize       length, cut;
    guint32     skipped;
    gboolean    reads;
  } cases[] = {
    { "whole", 0, ONE * 4, 0, 0, TRUE },
    { "a tenth of it", 0, ONE * 4 / 10, 0, 0, FALSE },
    { "one byte less", 0, ONE * 4 - 1, 0, 0, FALSE },
    { "one byte more", 0, ONE * 4 + 1, 0, 0, FALSE },
    { "much more", 0, ONE * 40, 0, 0, FALSE },
    { "a stream that ends early", 0, ONE * 4, 5, 0, FALSE },
    { "none of it", 0, 0, 0, 0, FALSE },
    { "shuffled, a tenth of it", 1, ONE * 4 / 10, 0, 0, FALSE },
    { "not packed, whole", 0, ONE * 4, 0, 1, TRUE },
    { "not packed, one byte less", 0, ONE * 4 - 1, 0, 1, FALSE },
    { "neither shuffled nor packed, one byte less", 1, ONE * 4 - 1, 0, 3, FALSE },
    { "without a checksum", 2, ONE * 4, 0, 0, FALSE },
    { "less than a checksum", 3, 3, 0, 0, FALSE },
  };
  g_autofree guint8 *content = g_malloc0 (ONE * 40), *slab = g_malloc (NUMBERS * 4);
  const guint64 start[AXES] = { 0 }, count[AXES] = { 23, 41, 30 }, beside[AXES] = { 7, 41, 30 };

  for (guint i = 0; i < ONE * 40; i++)
    content[i] = (guint8) (i * 7);
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      char *path = new_path ();
      EsHdfSamples *samples;

      g_test_message ("%s", cases[i].what);
      write_file (path, H5T_STD_U32LE, &packings[cases[i].packing], lengths[0]);
      if (cases[i].skipped != 0 || !packings[cases[i].packing].deflate)
        replace_chunk (path, content, cases[i].length, cases[i].skipped);
      else
        {
          g_autoptr (GByteArray) packed = deflated (content, cases[i].length);

          replace_chunk (path, packed->data, packed->len - cases[i].cut, 0);
        }
      samples = open_samples (path, ESK_U32, (guint64) 1 << 30);
      g_assert_nonnull (samples);
      for (guint again = 0; again < 2; again++)
        {
          g_assert_cmpint (es_hdf_samples_read (samples, start, count, slab), ==, cases[i].reads);
          g_assert_true (es_hdf_samples_read (samples, start, beside, slab));
        }
      close_samples (samples);
      remove_path (path);
    }
}

static void
test_outside (void)
{
  char *path = new_path ();
  EsHdfSamples *samples;
  guint32 number;
  const guint64 start[][AXES] = { { 23, 0, 0 }, { 0, 41, 0 }, { 22, 40, 30 }, { G_MAXUINT64, 0, 0 } };
  const guint64 one[AXES] = { 1, 1, 1 };

  write_file (path, H5T_STD_U32LE, &packings[0], lengths[0]);
  samples = open_samples (path, ESK_U32, (guint64) 1 << 30);
  g_assert_nonnull (samples);
  for (guint i = 0; i < G_N_ELEMENTS (start); i++)
    g_assert_false (es_hdf_samples_read (samples, start[i], one, &number));
  close_samples (samples);
  g_assert_null (open_samples (path, ESK_F32, (guint64) 1 << 30));
  remove_path (path);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/hdf-samples/samples", test_samples);
  g_test_add_func ("/hdf-samples/threads", test_threads);
  g_test_add_func ("/hdf-samples/damaged", test_damaged);
  g_test_add_func ("/hdf-samples/outside", test_outside);
  return g_test_run ();
}
