/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gstdio.h>
#include <math.h>
#include <string.h>

#include "base/es-error.h"
#include "es-test-recordings.h"
#include "readers/es-open.h"

/*
 * Files that were damaged at random, the same every time: each opens, or is refused with one sentence that names it;
 * what opens can be read to its end. The sanitizers look on. ES_FUZZ_ROUNDS asks for more of them.
 */
static guint rounds = 400;

typedef char TestFolder;
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TestFolder, es_test_folder_free)

/* Opens what lies there; reads its first, last and middle frames. Returns whether it opened. */
static gboolean
try_file (const char *path, const EsOpenOptions *options)
{
  g_autoptr (GFile) file = g_file_new_for_path (path);
  g_autoptr (GError) error = NULL, failure = NULL;
  g_autoptr (EsDataset) dataset = es_dataset_open (file, options, NULL, &error);
  g_autoptr (EsFrameReader) reader = NULL;
  guint channels;
  gint64 frames;

  if (dataset == NULL)
    {
      g_assert_nonnull (error);
      g_assert_cmpuint (strlen (error->message), >, 12);
      g_assert_nonnull (strstr (error->message, "“x."));
      g_assert_null (strchr (error->message, '\n'));
      return FALSE;
    }
  g_assert_no_error (error);
  if (!ES_IS_RECORDING (dataset))
    return TRUE;

  EsRecording *recording = ES_RECORDING (dataset);
  channels = es_recording_get_n_channels (recording);
  frames = (gint64) es_recording_get_frames (recording);
  g_assert_cmpuint (channels, >=, 1);
  g_assert_cmpuint (channels, <=, 65536);
  g_assert_cmpint (frames, >=, 1);
  g_assert_true (isfinite (es_recording_get_rate (recording)) && es_recording_get_rate (recording) > 0);
  g_free (es_dataset_describe (dataset));

  /* Blocks of a fixed size: what a header claims must not become an allocation of ours. */
  const gsize size = esk_type_size (es_recording_get_type_code (recording));
  const guint64 n = MAX (1, 200000 / (channels * size));
  g_autofree guint8 *buffer = g_malloc (n * channels * size);
  const gint64 firsts[] = { 0, frames / 2, frames - 1, frames - (gint64) n, -3 };
  reader = es_frame_reader_new (recording, &failure);
  for (guint i = 0; reader != NULL && i < G_N_ELEMENTS (firsts); i++)
    {
      EskFrames described;
      float value;

      g_clear_error (&failure);
      if (!es_frame_reader_read (reader, firsts[i], n, buffer, &described, &failure))
        g_assert_nonnull (failure);
      g_clear_error (&failure);
      if (firsts[i] >= 0)
        es_recording_read (recording, (guint64) firsts[i], 1, channels - 1, 1, &value, NULL);
    }
  return TRUE;
}

/* Words that headers are fond of being wrong with. */
static const guint32 odd_words[] = {
  0, 1, 2, 3, 7, 0x7f, 0x80, 0xff, 0x100, 0x7fff, 0x8000, 0xffff, 0x10000, 70000, 0x7fffffff, 0x80000000, 0xfffffffe,
  0xffffffff,
};

static void
damage (guint8 *bytes, gsize *length, gsize header, GRand *rand)
{
  const guint kind = (guint) g_rand_int_range (rand, 0, 6);

  for (int k = g_rand_int_range (rand, 1, 4); k > 0; k--)
    {
      gsize at = (gsize) g_rand_int_range (rand, 0, (gint32) header);
      guint32 word = odd_words[g_rand_int_range (rand, 0, G_N_ELEMENTS (odd_words))];

      if (g_rand_boolean (rand))
        word = GUINT32_SWAP_LE_BE (word);
      if (kind < 2)
        bytes[at] = (guint8) g_rand_int (rand);
      else if (kind < 4 && (at & ~(gsize) 3) + 4 <= *length)
        memcpy (bytes + (at & ~(gsize) 3), &word, 4);
      else if (kind == 4 && (at & ~(gsize) 1) + 2 <= *length)
        memcpy (bytes + (at & ~(gsize) 1), &word, 2);
    }
  if (kind == 5)
    *length = (gsize) g_rand_int_range (rand, 0, (gint32) (g_rand_boolean (rand) ? header : *length));
}

static void
run (const char *folder, const char *name, const char *original, gsize header, guint32 seed,
     const EsOpenOptions *options)
{
  GRand *rand = g_rand_new_with_seed (seed);
  g_autofree char *content = NULL;
  guint opened = 0;
  gsize whole;

  g_assert_true (g_file_get_contents (original, &content, &whole, NULL));
  g_assert_true (try_file (original, options));
  for (guint i = 0; i < rounds; i++)
    {
      g_autofree guint8 *bytes = g_memdup2 (content, whole);
      g_autofree char *path = NULL;
      gsize length = whole;

      damage (bytes, &length, MIN (header, whole), rand);
      path = es_test_write (folder, name, bytes, length);
      opened += try_file (path, options);
      /* Writing over a file waits for the disk, a new one does not. */
      g_unlink (path);
    }
  g_test_message ("%u of %u opened", opened, rounds);
  /* Both happened: something was tried. */
  g_assert_cmpuint (opened, >, 0);
  g_assert_cmpuint (opened, <, rounds);
  g_rand_free (rand);
}

static void
test_sio (void)
{
  g_autoptr (TestFolder) folder = es_test_folder_new ();
  g_autofree char *little = es_test_write_sio (folder, "x.little", 700, 3, "int16", FALSE, 256);
  g_autofree char *big = es_test_write_sio (folder, "x.big", 700, 3, "float32", TRUE, 256);
  EsOpenOptions options = { .samples = { .rate = 1000 } };

  run (folder, "x.sio", little, 32, 1, &options);
  run (folder, "x.sio", big, 32, 2, &options);
}

static void
test_wav (void)
{
  g_autoptr (TestFolder) folder = es_test_folder_new ();
  g_autofree char *short_one = es_test_write_wav (folder, "x.one", 700, 3, 0, 8000, 16, 0);
  g_autofree char *long_one = es_test_write_wav (folder, "x.two", 5000, 1, 0, 8000, 24, 0);

  run (folder, "x.wav", short_one, 48, 3, NULL);
  run (folder, "x.wav", long_one, 48, 4, NULL);
}

/* Whatever a person tells of a raw file. */
static void
test_raw (void)
{
  static const char * const types[] = { "int16", "int24", "int32", "float32", "float64", "int8", "" };
  static const guint channels[] = { 1, 2, 3, 100, 65536, 70000, G_MAXINT, G_MAXUINT };
  static const double rates[] = { 1000, 0.001, 1e300, 0, -1, NAN, INFINITY };
  g_autoptr (TestFolder) folder = es_test_folder_new ();
  GRand *rand = g_rand_new_with_seed (5);
  guint opened = 0;

  for (guint i = 0; i < rounds; i++)
    {
      gsize length = (gsize) g_rand_int_range (rand, 0, 5000);
      g_autofree guint8 *bytes = g_malloc (length + 1);
      g_autofree char *path = NULL;
      EsOpenOptions options = {
        .samples = {
          .channels = channels[g_rand_int_range (rand, 0, G_N_ELEMENTS (channels))],
          .rate = rates[i % 3 == 0 ? g_rand_int_range (rand, 0, G_N_ELEMENTS (rates)) : 0],
          .type = types[g_rand_int_range (rand, 0, G_N_ELEMENTS (types))],
          .big_endian = g_rand_boolean (rand), .by_channel = g_rand_boolean (rand),
          .offset = g_rand_int_range (rand, 0, 8) == 0 ? G_MAXUINT64 - 5 : (guint64) g_rand_int_range (rand, 0, 200),
        },
      };

      for (gsize k = 0; k < length; k++)
        bytes[k] = (guint8) g_rand_int (rand);
      path = es_test_write (folder, "x.raw", bytes, length);
      opened += try_file (path, &options);
      g_unlink (path);
    }
  g_rand_free (rand);
  g_test_message ("%u of %u opened", opened, rounds);
  g_assert_cmpuint (opened, >, 20);
  g_assert_cmpuint (opened, <, rounds);
}

int
main (int argc, char **argv)
{
  const char *more = g_getenv ("ES_FUZZ_ROUNDS");

  g_test_init (&argc, &argv, NULL);
  if (more != NULL)
    rounds = (guint) CLAMP (g_ascii_strtoull (more, NULL, 10), 100, 10000000);
  g_test_add_func ("/recording-fuzz/sio", test_sio);
  g_test_add_func ("/recording-fuzz/wav", test_wav);
  g_test_add_func ("/recording-fuzz/raw", test_raw);
  return g_test_run ();
}
