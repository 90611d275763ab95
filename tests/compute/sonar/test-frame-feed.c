/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* Blocks of recordings that several threads bring to a card (of host memory: tests/kernels/fake): the bytes
 * that one reader gives, whatever is chosen; what grows, is cut short or is given up meanwhile. */

#include <dlfcn.h>
#include <glib/gstdio.h>
#include <math.h>
#include <string.h>
#include <unistd.h>

#include "base/es-error.h"
#include "feed/es-frame-feed-internal.h"
#include "device/es-buffer-internal.h"
#include "device/es-device-internal.h"
#include "es-test-raw.h"
#include "readers/es-open.h"

#define DEVICE "cuda:0"

/* ---- a system that starts no more threads than these ---- */

static guint most_readers = G_MAXUINT;

/* Stands before GLib's. */
GThread *
g_thread_try_new (const char *name, GThreadFunc work, gpointer data, GError **error)
{
  GThread *(*start) (const char *, GThreadFunc, gpointer, GError **) = NULL;

  if (g_strcmp0 (name, "es-feed") == 0 && most_readers-- == 0)
    {
      most_readers = 0;
      g_set_error_literal (error, G_THREAD_ERROR, G_THREAD_ERROR_AGAIN, "no more threads");
      return NULL;
    }
  *(void **) &start = dlsym (RTLD_NEXT, "g_thread_try_new");
  return start (name, work, data, error);
}

/* ---- a source that can be stopped, and fails where it is told to ---- */

typedef struct
{
  EsFrameSource  parent;
  guint          channels;
  guint64        fails_from, fails_to;     /* frames */

  GMutex         lock;
  GCond          changed;
  gboolean       closed;                   /* whoever reads waits */
  guint          inside, most_inside, wait_for;      /* threads; until so many have been in it at once */
  guint          reads;
} Gate;

static gpointer
gate_handle_new (EsFrameSource *source, GError **error)
{
  return source;
}

static void
gate_handle_free (EsFrameSource *source, gpointer handle)
{
}

static gint16
sample_at (guint64 frame, guint channel)
{
  return (gint16) (frame * 31 + channel * 7 + 1);
}

static gboolean
gate_read (EsFrameSource *source, gpointer handle, guint64 first, guint64 n, void *buffer, EskFrames *frames,
           GError **error)
{
  Gate *self = (Gate *) source;
  const gint64 deadline = g_get_monotonic_time () + 20 * G_TIME_SPAN_SECOND;
  gint16 *out = buffer;

  g_mutex_lock (&self->lock);
  self->reads++;
  self->inside++;
  self->most_inside = MAX (self->most_inside, self->inside);
  g_cond_broadcast (&self->changed);
  while ((self->closed || self->most_inside < self->wait_for)
         && g_cond_wait_until (&self->changed, &self->lock, deadline))
    ;
  self->inside--;
  g_mutex_unlock (&self->lock);

  /* The later a piece, the sooner it fails. */
  if (first < self->fails_to && first + n > self->fails_from)
    {
      g_usleep (first < 700 ? 3000 : 0);
      g_set_error (error, ES_DATA_ERROR, ES_DATA_ERROR_TRUNCATED, "from %u on", (guint) first);
      return FALSE;
    }
  for (guint64 i = 0; i < n; i++)
    for (guint k = 0; k < self->channels; k++)
      *out++ = sample_at (first + i, k);
  *frames = (EskFrames) { .data = buffer, .type = ESK_I16, .frames = n, .channels = self->channels,
                          .frame_stride = self->channels, .channel_stride = 1 };
  return TRUE;
}

static void
gate_free (EsFrameSource *source)
{
  Gate *self = (Gate *) source;

  g_mutex_clear (&self->lock);
  g_cond_clear (&self->changed);
  g_free (self);
}

static EsRecording *
make_gated (guint channels, guint64 frames, Gate **gate)
{
  Gate *self = g_new0 (Gate, 1);
  EsRecordingInfo info = { .channels = channels, .rate = 1000, .frames = frames, .type = ESK_I16, .scale = 0x1p-15,
                           .calibration = NAN, .source = &self->parent };
  g_autoptr (GError) error = NULL;

  self->parent = (EsFrameSource) { .handle_new = gate_handle_new, .handle_free = gate_handle_free, .read = gate_read,
                                   .free = gate_free, .by_bytes = TRUE };
  self->channels = channels;
  g_mutex_init (&self->lock);
  g_cond_init (&self->changed);
  *gate = self;
  EsRecording *recording = es_recording_new (NULL, &info, &error);
  g_assert_no_error (error);
  return recording;
}

static void
set_closed (Gate *gate, gboolean closed)
{
  g_mutex_lock (&gate->lock);
  gate->closed = closed;
  g_cond_broadcast (&gate->changed);
  g_mutex_unlock (&gate->lock);
}

/* ---- a card's memory ---- */

typedef struct
{
  EsDevice    *device;
  EskStream   *stream;
  EsBuffer    *buffer;
  EsFrameFeed *feed;
} Card;

static void
card_begin (Card *card, EsRecording *recording, guint64 block, guint n_blocks, const EsUploadChoice *choice)
{
  const gsize bytes = block * es_recording_get_n_channels (recording)
                      * esk_type_size (es_recording_get_type_code (recording));
  g_autoptr (GError) error = NULL;

  card->device = es_device_find (DEVICE, NULL);
  g_assert_true (es_device_prepare (card->device, &error));
  card->stream = es_device_take_stream (card->device);
  card->buffer = es_buffer_new (card->device, bytes, &error);
  g_assert_no_error (error);
  card->feed = _es_frame_feed_new (recording, block, n_blocks, card->device, choice, &error);
  g_assert_no_error (error);
}

static void
card_end (Card *card)
{
  _es_frame_feed_free (card->feed);
  es_device_give_stream (card->device, card->stream);
  es_buffer_unref (card->buffer);
}

static gboolean
copy (Card *card, EsFeedBlock *block, EskFrames *frames, GError **error)
{
  double input = -1, upload = -1;
  const gboolean done = _es_frame_feed_copy (card->feed, block, card->device, card->stream,
                                             es_buffer_get_data (card->buffer), frames, &input, &upload, error);

  g_assert_cmpfloat (input, >=, 0);
  g_assert_cmpfloat (upload, >=, 0);
  return done;
}

/* ---- the same bytes ---- */

static void
compare (Card *card, EsFeedBlock *block, EsRecording *recording, guint64 first, guint64 n)
{
  const gsize bytes = n * es_recording_get_n_channels (recording)
                      * esk_type_size (es_recording_get_type_code (recording));
  g_autoptr (GError) error = NULL;
  g_autoptr (EsFrameReader) reader = es_frame_reader_new (recording, &error);
  g_autofree void *expected = g_malloc (bytes);
  EskFrames frames, wanted;

  memset (es_buffer_get_data (card->buffer), 0xa5, bytes);
  g_assert_true (copy (card, block, &frames, &error));
  g_assert_no_error (error);
  g_assert_true (es_frame_reader_read (reader, (gint64) first, n, expected, &wanted, &error));
  g_assert_cmpmem (es_buffer_get_data (card->buffer), bytes, wanted.data, bytes);
  g_assert_true (frames.data == es_buffer_get_data (card->buffer));
  g_assert_cmpint (frames.type, ==, wanted.type);
  g_assert_cmpint (frames.byte_swapped, ==, wanted.byte_swapped);
  g_assert_cmpuint (frames.frames, ==, n);
  g_assert_cmpuint (frames.channels, ==, wanted.channels);
  g_assert_cmpint (frames.frame_stride, ==, wanted.frame_stride);
  g_assert_cmpint (frames.channel_stride, ==, wanted.channel_stride);
}

static void
test_same (void)
{
  static const struct { const char *type; guint bytes; gboolean big_endian; } types[] = {
    { "int16", 2, FALSE }, { "int16", 2, TRUE }, { "int24", 3, FALSE }, { "int24", 3, TRUE }, { "float32", 4, TRUE },
    { "float64", 8, FALSE },
  };
  static const EsUploadChoice choices[] = { { 1, 1 << 20, 1 }, { 1, 1000, 2 }, { 5, 1000, 3 }, { 3, 1, 1 } };
  static const guint channels[] = { 1, 3, 17 };
  static const guint64 blocks[] = { 1, 64, 999 };
  const guint64 frames = 5003, starts[] = { 0, 999, 4500, 1, 5002, 5003, 90000, 0 };
  g_autofree char *directory = g_dir_make_tmp ("es-feed-XXXXXX", NULL);
  g_autofree char *path = g_build_filename (directory, "samples.raw", NULL);

  for (guint t = 0; t < G_N_ELEMENTS (types); t++)
    for (guint c = 0; c < G_N_ELEMENTS (channels); c++)
      {
        g_autoptr (EsRecording) recording = es_test_raw_write (path, types[t].type, types[t].bytes, types[t].big_endian,
                                                      channels[c], frames);

        g_assert_true (_es_frame_feed_suits (recording));
        for (guint b = 0; b < G_N_ELEMENTS (blocks); b++)
          for (guint k = 0; k < G_N_ELEMENTS (choices); k++)
            {
              EsFeedBlock *begun[G_N_ELEMENTS (starts)];
              Card card;

              card_begin (&card, recording, blocks[b], 2, &choices[k]);
              for (guint i = 0; i < G_N_ELEMENTS (starts); i++)
                begun[i] = _es_frame_feed_begin (card.feed, starts[i]);
              for (guint i = 0; i < G_N_ELEMENTS (starts); i++)
                compare (&card, begun[i], recording, starts[i], blocks[b]);
              card_end (&card);
            }
      }
  g_unlink (path);
  g_rmdir (directory);
}

/* What is not read in pieces: records of a channel each. */
static void
test_suits (void)
{
  g_autofree char *directory = g_dir_make_tmp ("es-feed-XXXXXX", NULL);
  g_autofree char *path = g_build_filename (directory, "samples.raw", NULL);
  g_autoptr (EsRecording) interleaved = es_test_raw_write (path, "int16", 2, FALSE, 3, 100);
  g_autoptr (GFile) file = g_file_new_for_path (path);
  const EsOpenOptions options = { .samples = { .channels = 3, .type = "int16", .rate = 1000, .by_channel = TRUE } };
  g_autoptr (EsDataset) by_channel = es_dataset_open (file, &options, NULL, NULL);
  static const gint16 samples[4];
  g_autoptr (EsRecording) locked = es_recording_new_in_memory (samples, ESK_I16, 1, 1000, 4, TRUE, NULL, NULL, NULL);
  g_autoptr (EsRecording) ordinary = es_recording_new_in_memory (samples, ESK_I16, 1, 1000, 4, FALSE, NULL, NULL, NULL);

  g_assert_true (_es_frame_feed_suits (interleaved));
  g_assert_false (_es_frame_feed_suits (ES_RECORDING (by_channel)));
  g_assert_false (_es_frame_feed_suits (locked));
  g_assert_true (_es_frame_feed_suits (ordinary));
  g_unlink (path);
  g_rmdir (directory);
}

/* ---- threads ---- */

static void
test_at_once (void)
{
  const EsUploadChoice choice = { 4, 200, 2 };
  Gate *gate;
  g_autoptr (EsRecording) recording = make_gated (2, 1000, &gate);
  Card card;

  /* 50 frames a piece; nobody is let through before four read at once. */
  gate->wait_for = 4;
  card_begin (&card, recording, 600, 1, &choice);
  compare (&card, _es_frame_feed_begin (card.feed, 100), recording, 100, 600);
  g_assert_cmpuint (gate->most_inside, ==, 4);
  g_assert_cmpuint (gate->reads, ==, 12 + 1);
  const EsUploadChoice made = _es_frame_feed_get_choice (card.feed);
  g_assert_cmpuint (made.threads, ==, 4);
  g_assert_cmpuint (made.piece_bytes, ==, 200);
  g_assert_cmpuint (made.pieces, ==, 2);
  g_assert_cmpuint (_es_frame_feed_bytes (recording, 600, 1, &choice), ==, 8 * 200);
  /* No more memory than blocks on their way have pieces. */
  g_assert_cmpuint (_es_frame_feed_bytes (recording, 60, 2, &choice), ==, 4 * 200);
  g_assert_cmpuint (_es_frame_feed_bytes (recording, 20, 3, &choice), ==, 3 * 80);
  card_end (&card);
}

/* Where the system starts fewer threads, fewer read; where it starts none, it is said. */
static void
test_few_threads (void)
{
  const EsUploadChoice choice = { 4, 200, 2 };
  Gate *gate;
  g_autoptr (EsRecording) recording = make_gated (2, 1000, &gate);
  g_autoptr (GError) error = NULL;
  Card card;

  for (guint n = 1; n <= 5; n++)
    {
      most_readers = n;
      card_begin (&card, recording, 600, 1, &choice);
      compare (&card, _es_frame_feed_begin (card.feed, 100), recording, 100, 600);
      g_assert_cmpuint (_es_frame_feed_get_choice (card.feed).threads, ==, MIN (n, 4));
      card_end (&card);
    }
  most_readers = 0;
  g_assert_null (_es_frame_feed_new (recording, 600, 1, es_device_find (DEVICE, NULL), &choice, &error));
  g_assert_error (error, ES_COMPUTE_ERROR, ES_COMPUTE_ERROR_MEMORY);
  g_assert_nonnull (strstr (error->message, "Fake card 0"));
  most_readers = G_MAXUINT;
}

/* A block ends where the recording ended when it was begun, in all its pieces. */
static void
test_growing (void)
{
  const EsUploadChoice choice = { 2, 40, 1 };
  Gate *gate, *other;
  g_autoptr (EsRecording) recording = make_gated (2, 333, &gate);
  g_autoptr (EsRecording) longer = make_gated (2, 900, &other);
  g_autoptr (EsFrameReader) holds = es_frame_reader_new (recording, NULL);
  const gint16 *samples;
  EskFrames frames;
  Card card;

  card_begin (&card, recording, 100, 2, &choice);
  set_closed (gate, TRUE);
  EsFeedBlock *block = _es_frame_feed_begin (card.feed, 300);
  /* Two of ten pieces are being read, in the source as it was. */
  g_mutex_lock (&gate->lock);
  while (gate->inside < 2)
    g_cond_wait (&gate->changed, &gate->lock);
  g_mutex_unlock (&gate->lock);
  g_assert_true (es_recording_grow (recording, longer));
  EsFeedBlock *next = _es_frame_feed_begin (card.feed, 300);
  set_closed (gate, FALSE);
  g_assert_true (copy (&card, block, &frames, NULL));
  samples = es_buffer_get_data (card.buffer);
  for (guint i = 0; i < 200; i++)
    g_assert_cmpint (samples[i], ==, i < 66 ? sample_at (300 + i / 2, i % 2) : 0);
  g_assert_true (copy (&card, next, &frames, NULL));
  for (guint i = 0; i < 200; i++)
    g_assert_cmpint (samples[i], ==, sample_at (300 + i / 2, i % 2));
  card_end (&card);
}

/* Of pieces that fail it is the first that is told of, however fast the others are; and then all goes on. */
static void
test_failing (void)
{
  const EsUploadChoice choice = { 4, 40, 2 };
  Gate *gate;
  g_autoptr (EsRecording) recording = make_gated (2, 2000, &gate);
  Card card;

  card_begin (&card, recording, 400, 2, &choice);
  for (guint i = 0; i < 20; i++)
    {
      g_autoptr (GError) error = NULL;
      EskFrames frames;
      EsFeedBlock *block, *next;

      gate->fails_from = 695;
      gate->fails_to = 1000;
      block = _es_frame_feed_begin (card.feed, 600);
      next = _es_frame_feed_begin (card.feed, 1200);
      g_assert_false (copy (&card, block, &frames, &error));
      g_assert_error (error, ES_DATA_ERROR, ES_DATA_ERROR_TRUNCATED);
      g_assert_cmpstr (error->message, ==, "from 690 on");
      compare (&card, next, recording, 1200, 400);
      gate->fails_to = 0;
      _es_frame_feed_drop (card.feed, _es_frame_feed_begin (card.feed, 0));
      compare (&card, _es_frame_feed_begin (card.feed, 600), recording, 600, 400);
    }
  card_end (&card);
}

static void
test_cut_short (void)
{
  g_autofree char *directory = g_dir_make_tmp ("es-feed-XXXXXX", NULL);
  g_autofree char *path = g_build_filename (directory, "samples.raw", NULL);
  g_autofree char *said = NULL;

  for (guint threads = 1; threads <= 6; threads++)
    {
      const EsUploadChoice choice = { threads, 100, 2 };
      g_autoptr (EsRecording) recording = es_test_raw_write (path, "int16", 2, FALSE, 5, 1000);
      g_autoptr (GError) error = NULL;
      EskFrames frames;
      Card card;

      card_begin (&card, recording, 500, 1, &choice);
      g_assert_cmpint (truncate (path, 4321), ==, 0);
      g_assert_false (copy (&card, _es_frame_feed_begin (card.feed, 200), &frames, &error));
      g_assert_error (error, ES_DATA_ERROR, ES_DATA_ERROR_TRUNCATED);
      g_assert_nonnull (strstr (error->message, "samples.raw"));
      if (said != NULL)
        g_assert_cmpstr (error->message, ==, said);
      else
        said = g_strdup (error->message);
      card_end (&card);
    }
  g_unlink (path);
  g_rmdir (directory);
}

typedef struct
{
  Card        *card;
  EsFeedBlock *block;
  GError      *error;
  gboolean     done;
} Copying;

static gpointer
copy_on_thread (gpointer data)
{
  Copying *copying = data;
  EskFrames frames;

  copying->done = copy (copying->card, copying->block, &frames, &copying->error);
  return NULL;
}

static void
test_give_up (void)
{
  const EsUploadChoice choice = { 3, 40, 2 };
  Gate *gate;
  g_autoptr (EsRecording) recording = make_gated (2, 2000, &gate);
  Card card;

  card_begin (&card, recording, 400, 2, &choice);
  set_closed (gate, TRUE);
  Copying copying = { .card = &card, .block = _es_frame_feed_begin (card.feed, 0) };
  EsFeedBlock *next = _es_frame_feed_begin (card.feed, 400);
  GThread *thread = g_thread_new ("copy", copy_on_thread, &copying);

  g_mutex_lock (&gate->lock);
  while (gate->inside < 3)
    g_cond_wait (&gate->changed, &gate->lock);
  const guint reads = gate->reads;
  g_mutex_unlock (&gate->lock);
  _es_frame_feed_give_up (card.feed, TRUE);
  _es_frame_feed_drop (card.feed, next);
  set_closed (gate, FALSE);
  g_thread_join (thread);
  g_assert_false (copying.done);
  g_assert_no_error (copying.error);
  /* What was being read was read to its end, and nothing more. */
  g_assert_cmpuint (gate->reads, ==, reads);
  _es_frame_feed_give_up (card.feed, FALSE);
  compare (&card, _es_frame_feed_begin (card.feed, 800), recording, 800, 400);
  card_end (&card);
}

/* At any moment, also while a piece comes. */
static void
test_give_up_whenever (void)
{
  const EsUploadChoice choice = { 4, 40, 2 };
  Gate *gate;
  g_autoptr (EsRecording) recording = make_gated (2, 2000, &gate);
  g_autoptr (GRand) random = g_rand_new_with_seed (11);
  Card card;

  card_begin (&card, recording, 400, 3, &choice);
  for (guint i = 0; i < 2000; i++)
    {
      Copying copying = { .card = &card, .block = _es_frame_feed_begin (card.feed, 0) };
      EsFeedBlock *next = _es_frame_feed_begin (card.feed, 400), *last = _es_frame_feed_begin (card.feed, 1800);
      GThread *thread = g_thread_new ("copy", copy_on_thread, &copying);

      for (gint64 end = g_get_monotonic_time () + g_rand_int_range (random, 0, 300); g_get_monotonic_time () < end;)
        ;
      _es_frame_feed_give_up (card.feed, TRUE);
      _es_frame_feed_drop (card.feed, last);
      _es_frame_feed_drop (card.feed, next);
      g_thread_join (thread);
      g_assert_no_error (copying.error);
      _es_frame_feed_give_up (card.feed, FALSE);
      if (i % 50 == 0)
        compare (&card, _es_frame_feed_begin (card.feed, 1750), recording, 1750, 400);
    }
  card_end (&card);
}

int
main (int argc, char **argv)
{
  int status;

  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/frame-feed/same", test_same);
  g_test_add_func ("/frame-feed/suits", test_suits);
  g_test_add_func ("/frame-feed/at-once", test_at_once);
  g_test_add_func ("/frame-feed/few-threads", test_few_threads);
  g_test_add_func ("/frame-feed/growing", test_growing);
  g_test_add_func ("/frame-feed/failing", test_failing);
  g_test_add_func ("/frame-feed/cut-short", test_cut_short);
  g_test_add_func ("/frame-feed/give-up", test_give_up);
  g_test_add_func ("/frame-feed/give-up-whenever", test_give_up_whenever);
  status = g_test_run ();
  es_devices_stop ();
  return status;
}
