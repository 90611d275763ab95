/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-frame-feed-object-private.h"

#include <glib/gi18n-lib.h>

#include "base/es-error.h"
#include "device/es-buffer-internal.h"
#include "device/es-device-internal.h"

gboolean
_es_frame_feed_suits (EsRecording *recording)
{
  return es_recording_is_by_bytes (recording) && !es_recording_is_page_locked (recording);
}

/* ---- blocks ---- */

EsFeedBlock *
_es_frame_feed_begin (EsFrameFeed *self, guint64 frame)
{
  EsFeedBlock *block = g_new0 (EsFeedBlock, 1);

  block->frame = frame;
  /* What is written while it is read belongs to none of its pieces. */
  block->end = es_recording_get_frames (self->recording);
  g_queue_init (&block->ready);
  g_mutex_lock (&self->lock);
  g_queue_push_tail (&self->blocks, block);
  g_cond_broadcast (&self->work);
  g_mutex_unlock (&self->lock);
  return block;
}

/* Waits until nobody reads any of it; from then on nobody else looks at it. copied: pieces of it that are done with. */
static void
settle_block (EsFrameFeed *self, EsFeedBlock *block, GQueue *copied)
{
  g_mutex_lock (&self->lock);
  _es_frame_feed_give_pieces_locked (self, copied);
  _es_frame_feed_end_reading_locked (self, block);
  while (block->reading > 0)
    g_cond_wait (&self->came, &self->lock);
  _es_frame_feed_give_pieces_locked (self, &block->ready);
  g_mutex_unlock (&self->lock);
}

static void
free_block (EsFeedBlock *block)
{
  g_clear_error (&block->error);
  g_free (block);
}

void
_es_frame_feed_drop (EsFrameFeed *self, EsFeedBlock *block)
{
  GQueue none = G_QUEUE_INIT;

  if (block == NULL)
    return;
  settle_block (self, block, &none);
  free_block (block);
}

/* The pieces that have been read, of which there are some; before it waits for them it gives those back that have been
 * copied. FALSE: it has failed, or nobody waits any longer. */
static gboolean
take_ready (EsFrameFeed *self, EsFeedBlock *block, GQueue *copied, GQueue *taken, GError **error)
{
  gboolean go;

  g_mutex_lock (&self->lock);
  if (g_queue_is_empty (&block->ready))
    _es_frame_feed_give_pieces_locked (self, copied);
  while (!self->give_up && block->error == NULL && g_queue_is_empty (&block->ready))
    g_cond_wait (&self->came, &self->lock);
  /* Another may fail yet that comes before it. */
  while (!self->give_up && block->error != NULL && block->reading > 0)
    g_cond_wait (&self->came, &self->lock);
  go = !self->give_up && block->error == NULL;
  if (go)
    {
      *taken = block->ready;
      g_queue_init (&block->ready);
    }
  else if (!self->give_up)
    g_propagate_error (error, g_steal_pointer (&block->error));
  g_mutex_unlock (&self->lock);
  return go;
}

/* Copies what was taken, and meanwhile gives back what was before: the link waits for nobody. */
static gboolean
copy_pieces (EsFrameFeed *self, GQueue *copied, const GQueue *taken, EsDevice *device, EskStream *stream, guint8 *to,
             GError **error)
{
  const EskDeviceHotspots *hotspots = es_device_get_hotspots (device)->device;
  int code = ESK_OK, waited;

  for (GList *link = taken->head; link != NULL && code == ESK_OK; link = link->next)
    {
      const EsFeedPiece *piece = link->data;

      code = hotspots->upload (stream, to + piece->index * self->piece * self->frame_bytes, piece->data, piece->bytes);
    }
  g_mutex_lock (&self->lock);
  _es_frame_feed_give_pieces_locked (self, copied);
  g_mutex_unlock (&self->lock);
  /* Whatever failed, the memory is not used again before the card is done with it. */
  waited = hotspots->wait (stream);
  return es_device_check (device, stream, code != ESK_OK ? code : waited, _("copying a block"), error);
}

gboolean
_es_frame_feed_copy (EsFrameFeed *self, EsFeedBlock *block, EsDevice *device, EskStream *stream, void *to,
                     EskFrames *frames, double *input, double *upload, GError **error)
{
  GQueue copied = G_QUEUE_INIT, taken = G_QUEUE_INIT;
  guint64 n_copied = 0;
  gboolean done = TRUE;

  *upload = 0;
  while (done && n_copied < self->n_pieces && (done = take_ready (self, block, &copied, &taken, error)))
    {
      const gint64 start = g_get_monotonic_time ();

      n_copied += taken.length;
      done = copy_pieces (self, &copied, &taken, device, stream, to, error);
      *upload += (g_get_monotonic_time () - start) * 1e-6;
      copied = taken;
      g_queue_init (&taken);
    }
  settle_block (self, block, &copied);
  *input = block->read_us * 1e-6 / self->n_readers;
  *frames = (EskFrames) {
    .data = to, .type = es_recording_get_type_code (self->recording), .byte_swapped = block->is_swapped,
    .frames = self->block, .channels = es_recording_get_n_channels (self->recording),
    .frame_stride = (ptrdiff_t) es_recording_get_n_channels (self->recording), .channel_stride = 1,
  };
  free_block (block);
  return done;
}

void
_es_frame_feed_give_up (EsFrameFeed *self, gboolean give_up)
{
  g_mutex_lock (&self->lock);
  self->give_up = give_up;
  g_cond_broadcast (&self->work);
  g_cond_broadcast (&self->came);
  g_mutex_unlock (&self->lock);
}

EsUploadChoice
_es_frame_feed_get_choice (EsFrameFeed *self)
{
  EsUploadChoice choice = self->choice;

  choice.threads = self->n_readers;
  choice.piece_bytes = self->piece * self->frame_bytes;
  choice.pieces = self->n_memory / self->n_readers;
  return choice;
}

/* ---- the object ---- */

typedef struct
{
  guint64 frames;              /* of a piece */
  guint64 n_pieces;            /* of a block */
  guint   n_memory, n_readers;
} Cut;

static gsize
bytes_of_frame (EsRecording *recording)
{
  return (gsize) es_recording_get_n_channels (recording) * esk_type_size (es_recording_get_type_code (recording));
}

static Cut
cut (EsRecording *recording, guint64 block, guint n_blocks, const EsUploadChoice *choice)
{
  Cut cut = { .frames = CLAMP (choice->piece_bytes / bytes_of_frame (recording), 1, block) };

  cut.n_pieces = (block + cut.frames - 1) / cut.frames;
  /* No more than can be on their way. */
  cut.n_memory = (guint) MIN ((guint64) choice->threads * choice->pieces, cut.n_pieces * n_blocks);
  cut.n_readers = MIN (choice->threads, cut.n_memory);
  return cut;
}

guint64
_es_frame_feed_bytes (EsRecording *recording, guint64 block, guint n_blocks, const EsUploadChoice *choice)
{
  const Cut parts = cut (recording, block, n_blocks, choice);

  return parts.n_memory * parts.frames * bytes_of_frame (recording);
}

EsFrameFeed *
_es_frame_feed_new (EsRecording *recording, guint64 block, guint n_blocks, EsDevice *device,
                    const EsUploadChoice *choice, GError **error)
{
  const Cut parts = cut (recording, block, n_blocks, choice);
  g_autoptr (EsFrameFeed) self = g_new0 (EsFrameFeed, 1);
  g_autoptr (GError) local_error = NULL;

  g_mutex_init (&self->lock);
  g_cond_init (&self->work);
  g_cond_init (&self->came);
  g_queue_init (&self->blocks);
  g_queue_init (&self->idle);
  self->recording = g_object_ref (recording);
  self->device = device;
  self->choice = *choice;
  self->block = block;
  self->piece = parts.frames;
  self->n_pieces = parts.n_pieces;
  self->frame_bytes = bytes_of_frame (recording);

  self->memory = g_new0 (EsFeedPiece, parts.n_memory);
  for (; self->n_memory < parts.n_memory; self->n_memory++)
    {
      const gsize bytes = self->piece * self->frame_bytes;
      EsFeedPiece *piece = &self->memory[self->n_memory];

      piece->data = choice->pageable ? es_staging_take_idle (device, bytes) : es_staging_take (device, bytes);
      piece->is_locked = piece->data != NULL;
      /* Slower to copy from, but it serves. */
      if (piece->data == NULL && (piece->data = g_try_malloc (bytes)) == NULL)
        {
          g_autofree char *size = g_format_size (bytes);
          g_set_error (error, ES_COMPUTE_ERROR, ES_COMPUTE_ERROR_MEMORY, _("There is no memory for a block of %s"),
                       size);
          return NULL;
        }
      g_queue_push_tail (&self->idle, piece);
    }
  self->readers = g_new0 (EsFeedReader, parts.n_readers);
  for (; self->n_readers < parts.n_readers; self->n_readers++)
    {
      EsFeedReader *reader = &self->readers[self->n_readers];

      reader->owner = self;
      reader->reader = es_frame_reader_new (recording, &local_error);
      if (reader->reader == NULL)
        break;
      reader->thread = g_thread_try_new ("es-feed", _es_frame_feed_read_pieces, reader, NULL);
      if (reader->thread == NULL)
        {
          es_frame_reader_free (reader->reader);
          break;
        }
    }
  /* Fewer are slower, but they serve. */
  if (self->n_readers > 0)
    return g_steal_pointer (&self);
  if (local_error != NULL)
    g_propagate_error (error, g_steal_pointer (&local_error));
  else
    g_set_error (error, ES_COMPUTE_ERROR, ES_COMPUTE_ERROR_MEMORY, _("No thread could be started for %s."),
                 es_device_get_name (device));
  return NULL;
}

void
_es_frame_feed_free (EsFrameFeed *self)
{
  g_mutex_lock (&self->lock);
  self->quit = TRUE;
  g_cond_broadcast (&self->work);
  g_mutex_unlock (&self->lock);
  for (guint i = 0; i < self->n_readers; i++)
    {
      g_thread_join (self->readers[i].thread);
      es_frame_reader_free (self->readers[i].reader);
    }
  for (guint i = 0; i < self->n_memory; i++)
    if (self->memory[i].is_locked)
      es_staging_give (self->device, self->memory[i].data, self->piece * self->frame_bytes);
    else
      g_free (self->memory[i].data);
  g_queue_clear (&self->idle);
  g_free (self->memory);
  g_free (self->readers);
  g_object_unref (self->recording);
  g_mutex_clear (&self->lock);
  g_cond_clear (&self->work);
  g_cond_clear (&self->came);
  g_free (self);
}
