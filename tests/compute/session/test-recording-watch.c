/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* A recording that is still being written: a WAV file whose header is filled in late, or never, grows under a watch,
 * and what was there stays as it was. */

#include <glib/gstdio.h>
#include <stdio.h>
#include <string.h>

#include "readers/es-open.h"
#include "recording/es-recording-internal.h"
#include "session/es-recording-watch.h"

#define CHANNELS 3u
#define RATE 4000u

typedef struct
{
  char             *folder, *path;
  FILE             *file;
  guint64           written;       /* frames */
  EsRecording      *recording;
  EsRecordingWatch *watch;
} Fixture;

/* What frame f of a channel is. */
static gint16
sample (guint64 f, guint channel)
{
  return (gint16) ((f * 7 + channel * 1000 + 13) % 30000);
}

static void
put (FILE *file, guint32 value, gsize bytes)
{
  const guint32 little = GUINT32_TO_LE (value);

  g_assert_cmpuint (fwrite (&little, 1, bytes, file), ==, bytes);
}

static void
write_header (FILE *file, guint32 data_bytes)
{
  fseek (file, 0, SEEK_SET);
  fwrite ("RIFF", 1, 4, file);
  put (file, data_bytes == 0 || data_bytes == G_MAXUINT32 ? data_bytes : data_bytes + 36, 4);
  fwrite ("WAVEfmt ", 1, 8, file);
  put (file, 16, 4);
  put (file, 1, 2);
  put (file, CHANNELS, 2);
  put (file, RATE, 4);
  put (file, RATE * CHANNELS * 2, 4);
  put (file, CHANNELS * 2, 2);
  put (file, 16, 2);
  fwrite ("data", 1, 4, file);
  put (file, data_bytes, 4);
}

static void
write_frames (Fixture *fixture, guint64 n)
{
  fseek (fixture->file, 0, SEEK_END);
  for (guint64 end = fixture->written + n; fixture->written < end; fixture->written++)
    for (guint channel = 0; channel < CHANNELS; channel++)
      put (fixture->file, (guint16) sample (fixture->written, channel), 2);
  fflush (fixture->file);
}

static void
begin (Fixture *fixture, guint32 data_bytes)
{
  write_header (fixture->file, data_bytes);
  write_frames (fixture, RATE);
}

static void
open_it (Fixture *fixture)
{
  g_autoptr (GFile) file = g_file_new_for_path (fixture->path);
  g_autoptr (GError) error = NULL;

  fixture->recording = (EsRecording *) es_dataset_open (file, NULL, NULL, &error);
  g_assert_no_error (error);
  fixture->watch = es_recording_watch_new (fixture->recording);
}

static void
set_up (Fixture *fixture, gconstpointer data)
{
  fixture->folder = g_dir_make_tmp ("es-watch-XXXXXX", NULL);
  fixture->path = g_build_filename (fixture->folder, "live.wav", NULL);
  fixture->file = fopen (fixture->path, "w+b");
  g_assert_nonnull (fixture->file);
}

static void
tear_down (Fixture *fixture, gconstpointer data)
{
  EsRecording *recording = fixture->recording;
  const gint64 end = g_get_monotonic_time () + 90 * G_USEC_PER_SEC;

  es_recording_watch_stop (fixture->watch);
  g_clear_object (&fixture->watch);
  /* A look may be under way. */
  g_object_add_weak_pointer (G_OBJECT (recording), (gpointer *) &fixture->recording);
  g_object_unref (recording);
  while (fixture->recording != NULL && g_get_monotonic_time () < end)
    {
      g_main_context_iteration (NULL, FALSE);
      g_usleep (1000);
    }
  g_assert_null (fixture->recording);
  if (fixture->file != NULL)
    fclose (fixture->file);
  g_remove (fixture->path);
  g_rmdir (fixture->folder);
  g_free (fixture->path);
  g_free (fixture->folder);
}

/* Until the recording is so long; FALSE: that takes too long. */
static gboolean
wait_for_frames (Fixture *fixture, guint64 frames, double seconds)
{
  const gint64 end = g_get_monotonic_time () + (gint64) (1e6 * seconds);

  while (es_recording_get_frames (fixture->recording) < frames && g_get_monotonic_time () < end)
    {
      g_main_context_iteration (NULL, FALSE);
      g_usleep (2000);
    }
  return es_recording_get_frames (fixture->recording) == frames;
}

static void
check_samples (Fixture *fixture, guint64 first, guint64 n)
{
  g_autofree float *found = g_new (float, n * CHANNELS);
  g_autoptr (GError) error = NULL;

  es_recording_read (fixture->recording, first, n, 0, CHANNELS, found, &error);
  g_assert_no_error (error);
  for (guint64 f = 0; f < n; f++)
    for (guint channel = 0; channel < CHANNELS; channel++)
      g_assert_cmpfloat (found[f * CHANNELS + channel], ==, (float) (sample (first + f, channel) / 32768.0));
}

static void
count (guint *n)
{
  ++*n;
}

/* The header is set right with every piece, as recorders do, or left at what they begin with. */
static void
test_grows (Fixture *fixture, gconstpointer data)
{
  const guint32 left = GPOINTER_TO_UINT (data);
  const gboolean is_filled_in = left == 1;
  guint n_told = 0;

  begin (fixture, is_filled_in ? RATE * CHANNELS * 2 : left);
  open_it (fixture);
  g_assert_cmpuint (es_recording_get_frames (fixture->recording), ==, RATE);
  g_assert_false (es_recording_is_growing (fixture->recording));
  g_signal_connect_swapped (fixture->recording, "notify::frames", G_CALLBACK (count), &n_told);

  /* One who reads all the while finds the new with the same reader. */
  g_autoptr (EsFrameReader) reader = es_frame_reader_new (fixture->recording, NULL);
  gint16 buffer[64 * CHANNELS];
  EskFrames frames;
  for (guint piece = 2; piece <= 3; piece++)
    {
      write_frames (fixture, RATE);
      if (is_filled_in)
        {
          write_header (fixture->file, piece * RATE * CHANNELS * 2);
          fflush (fixture->file);
        }
      g_assert_true (wait_for_frames (fixture, piece * RATE, 10));
      g_assert_cmpuint (n_told, >=, piece - 1);
      check_samples (fixture, 0, piece * RATE);
      g_assert_true (es_frame_reader_read (reader, piece * RATE - 64, 64, buffer, &frames, NULL));
      for (guint i = 0; i < 64 * CHANNELS; i++)
        g_assert_cmpint (((const gint16 *) frames.data)[i], ==,
                         sample (piece * RATE - 64 + i / CHANNELS, i % CHANNELS));
    }
  g_assert_true (es_recording_is_growing (fixture->recording));
  g_assert_null (es_recording_watch_get_problem (fixture->watch));
  g_autofree char *described = es_dataset_describe (ES_DATASET (fixture->recording));
  g_assert_nonnull (strstr (described, "3 s"));
  g_clear_pointer (&reader, es_frame_reader_free);
}

/* A recorder that was interrupted: all that is there is read, and a note says why. An empty file stays empty. */
static void
test_interrupted (Fixture *fixture, gconstpointer data)
{
  begin (fixture, 0);
  open_it (fixture);
  g_assert_cmpuint (es_recording_get_frames (fixture->recording), ==, RATE);
  g_assert_cmpstr (es_recording_get_type_name (fixture->recording), ==, "int16");
  check_samples (fixture, 0, RATE);
  g_assert_nonnull (strstr (es_dataset_get_notes (ES_DATASET (fixture->recording))[0], "does not say how long"));
}

static void
test_empty (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GFile) file = g_file_new_for_path (fixture->path);
  g_autoptr (GError) error = NULL;

  write_header (fixture->file, 0);
  fwrite ("LIST\x04\0\0\0INFO", 1, 12, fixture->file);
  fflush (fixture->file);
  g_assert_null (es_dataset_open (file, NULL, NULL, &error));
  g_assert_nonnull (strstr (error->message, "no samples"));

  /* For the end of the test. */
  g_assert_cmpint (ftruncate (fileno (fixture->file), 44), ==, 0);
  begin (fixture, RATE * CHANNELS * 2);
  open_it (fixture);
}

/* Another recording takes the file's place: what is open stays what it was, and it is said. */
static void
test_other (Fixture *fixture, gconstpointer data)
{
  begin (fixture, RATE * CHANNELS * 2);
  open_it (fixture);
  /* Once it has been looked at. */
  for (guint i = 0; i < 100; i++, g_usleep (2000))
    g_main_context_iteration (NULL, FALSE);
  fixture->written = 5;
  g_assert_cmpint (ftruncate (fileno (fixture->file), 44), ==, 0);
  write_frames (fixture, 2 * RATE);
  write_header (fixture->file, 2 * RATE * CHANNELS * 2);
  fflush (fixture->file);
  const gint64 end = g_get_monotonic_time () + 90 * G_USEC_PER_SEC;
  while (es_recording_watch_get_problem (fixture->watch) == NULL && g_get_monotonic_time () < end)
    g_main_context_iteration (NULL, TRUE);
  g_assert_nonnull (strstr (es_recording_watch_get_problem (fixture->watch), "written over"));
  g_assert_cmpuint (es_recording_get_frames (fixture->recording), ==, RATE);
}

/* A recorder's words behind the samples were taken for some; closed, it is a little shorter, and nothing is wrong. */
static void
test_closed (Fixture *fixture, gconstpointer data)
{
  begin (fixture, 0);
  /* A recorder's last words. */
  fwrite ("LIST\x04\0\0\0INFO....", 1, 16, fixture->file);
  fflush (fixture->file);
  open_it (fixture);
  g_assert_cmpuint (es_recording_get_frames (fixture->recording), ==, RATE + 2);
  for (guint i = 0; i < 100; i++, g_usleep (2000))
    g_main_context_iteration (NULL, FALSE);
  write_header (fixture->file, RATE * CHANNELS * 2);
  fflush (fixture->file);
  for (guint i = 0; i < 1500; i++, g_usleep (2000))
    g_main_context_iteration (NULL, FALSE);
  g_assert_null (es_recording_watch_get_problem (fixture->watch));
}

/* The same beginning and end, and something else between them. */
static void
test_middle (Fixture *fixture, gconstpointer data)
{
  begin (fixture, 0);
  write_frames (fixture, 49 * RATE);
  open_it (fixture);
  for (guint i = 0; i < 100; i++, g_usleep (2000))
    g_main_context_iteration (NULL, FALSE);
  fseek (fixture->file, 44 + 12 * RATE * CHANNELS * 2, SEEK_SET);
  for (guint i = 0; i < 26 * RATE * CHANNELS; i++)
    put (fixture->file, 0, 2);
  write_frames (fixture, RATE);
  const gint64 end = g_get_monotonic_time () + 90 * G_USEC_PER_SEC;
  while (es_recording_watch_get_problem (fixture->watch) == NULL && g_get_monotonic_time () < end)
    g_main_context_iteration (NULL, TRUE);
  g_assert_nonnull (es_recording_watch_get_problem (fixture->watch));
  g_assert_cmpuint (es_recording_get_frames (fixture->recording), ==, 50 * RATE);
}

/* ---- a file a channel ---- */

static void
write_mono (const char *path, guint channel, guint64 frames)
{
  FILE *file = fopen (path, "wb");

  fwrite ("RIFF\0\0\0\0WAVEfmt \x10\0\0\0\1\0\1\0", 1, 24, file);
  put (file, RATE, 4);
  put (file, RATE * 2, 4);
  put (file, 2, 2);
  put (file, 16, 2);
  fwrite ("data\0\0\0\0", 1, 8, file);
  for (guint64 f = 0; f < frames; f++)
    put (file, (guint16) sample (f, channel), 2);
  fclose (file);
}

/* They are written one after the other: what all of them have is what there is. */
static void
test_mono (void)
{
  g_autofree char *folder = g_dir_make_tmp ("es-watch-XXXXXX", NULL);
  const guint64 first[] = { 4 * RATE, 4 * RATE - 700 }, later[] = { 6 * RATE - 100, 6 * RATE };
  g_autoptr (GError) error = NULL;
  GFile *files[2];
  char *paths[2];

  for (guint i = 0; i < 2; i++)
    {
      g_autofree char *name = g_strdup_printf ("pod.%u.wav", i + 1);

      paths[i] = g_build_filename (folder, name, NULL);
      files[i] = g_file_new_for_path (paths[i]);
      write_mono (paths[i], i, first[i]);
    }
  g_autoptr (EsRecording) recording = (EsRecording *) es_recording_open_files (files, 2, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (es_recording_get_frames (recording), ==, first[0]);
  g_assert_cmpuint (es_recording_get_common_frames (recording), ==, first[1]);
  g_autoptr (EsRecordingWatch) watch = es_recording_watch_new (recording);
  for (guint i = 0; i < 100; i++, g_usleep (2000))
    g_main_context_iteration (NULL, FALSE);
  for (guint i = 0; i < 2; i++)
    write_mono (paths[i], i, later[i]);

  Fixture fixture = { .recording = recording };
  g_assert_true (wait_for_frames (&fixture, later[0], 10));
  g_assert_null (es_recording_watch_get_problem (watch));
  g_autofree float *found = g_new (float, 2 * later[0]);
  g_assert_true (es_recording_read (recording, 0, later[0], 0, 2, found, &error));
  for (guint64 f = 0; f < later[0]; f++)
    for (guint channel = 0; channel < 2; channel++)
      g_assert_cmpfloat (found[2 * f + channel], ==, (float) (sample (f, channel) / 32768.0));
  es_recording_watch_stop (watch);
  for (guint i = 0; i < 2; i++)
    {
      g_object_unref (files[i]);
      g_remove (paths[i]);
      g_free (paths[i]);
    }
  g_rmdir (folder);
}

/* Until there is a problem, or is none any more. */
static const char *
wait_for_problem (Fixture *fixture, gboolean wanted)
{
  const gint64 end = g_get_monotonic_time () + 90 * G_USEC_PER_SEC;

  while ((es_recording_watch_get_problem (fixture->watch) != NULL) != wanted && g_get_monotonic_time () < end)
    {
      g_main_context_iteration (NULL, FALSE);
      g_usleep (2000);
    }
  return es_recording_watch_get_problem (fixture->watch);
}

/* A file that is moved away is told, by its name; when it is back it grows on. */
static void
test_moved (Fixture *fixture, gconstpointer data)
{
  g_autofree char *away = g_strconcat (fixture->path, ".away", NULL);
  const char *problem;

  begin (fixture, 0);
  open_it (fixture);
  write_frames (fixture, 500);
  g_assert_true (wait_for_frames (fixture, RATE + 500, 20));
  g_assert_null (es_recording_watch_get_problem (fixture->watch));
  g_assert_cmpint (g_rename (fixture->path, away), ==, 0);
  problem = wait_for_problem (fixture, TRUE);
  g_assert_nonnull (problem);
  g_assert_nonnull (strstr (problem, "live.wav"));
  g_assert_cmpuint (es_recording_get_frames (fixture->recording), ==, RATE + 500);
  g_assert_cmpint (g_rename (away, fixture->path), ==, 0);
  write_frames (fixture, 700);
  g_assert_null (wait_for_problem (fixture, FALSE));
  g_assert_true (wait_for_frames (fixture, RATE + 1200, 20));
  check_samples (fixture, 0, RATE + 1200);
}

/* What lies behind the length that a header tells may be anything; samples they are when the header says so. */
static void
test_beyond (Fixture *fixture, gconstpointer data)
{
  begin (fixture, RATE * CHANNELS * 2);
  open_it (fixture);
  write_frames (fixture, 300);
  for (guint i = 0; i < 1200; i++, g_usleep (2000))
    g_main_context_iteration (NULL, FALSE);
  g_assert_cmpuint (es_recording_get_frames (fixture->recording), ==, RATE);
  write_header (fixture->file, (RATE + 300) * CHANNELS * 2);
  fflush (fixture->file);
  g_assert_true (wait_for_frames (fixture, RATE + 300, 20));
  check_samples (fixture, 0, RATE + 300);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add ("/recording-watch/grows", Fixture, GUINT_TO_POINTER (1), set_up, test_grows, tear_down);
  g_test_add ("/recording-watch/open-end", Fixture, GUINT_TO_POINTER (G_MAXUINT32), set_up, test_grows, tear_down);
  g_test_add ("/recording-watch/no-length", Fixture, GUINT_TO_POINTER (0), set_up, test_grows, tear_down);
  g_test_add ("/recording-watch/interrupted", Fixture, NULL, set_up, test_interrupted, tear_down);
  g_test_add ("/recording-watch/empty", Fixture, NULL, set_up, test_empty, tear_down);
  g_test_add ("/recording-watch/other", Fixture, NULL, set_up, test_other, tear_down);
  g_test_add ("/recording-watch/closed", Fixture, NULL, set_up, test_closed, tear_down);
  g_test_add ("/recording-watch/middle", Fixture, NULL, set_up, test_middle, tear_down);
  g_test_add ("/recording-watch/moved", Fixture, NULL, set_up, test_moved, tear_down);
  g_test_add ("/recording-watch/beyond", Fixture, NULL, set_up, test_beyond, tear_down);
  g_test_add_func ("/recording-watch/mono", test_mono);
  return g_test_run ();
}
