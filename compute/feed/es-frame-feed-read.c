/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* The threads that read pieces for cards. */

#include "es-frame-feed-object-private.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "device/es-device-internal.h"

/* Of a recording that has come to be read otherwise since: a recorder has closed the file. */
static gboolean
interleave (const EskFrames *frames, void *to, GError **error)
{
  const gsize size = esk_type_size (frames->type), bytes = frames->frames * frames->channels * size;
  g_autofree guint8 *from = g_try_malloc (bytes);
  guint8 *out = to;

  if (from == NULL)
    return es_compute_error_no_memory (_("a block"), error);
  memcpy (from, frames->data, bytes);
  for (gsize i = 0; i < frames->frames; i++)
    for (gsize k = 0; k < frames->channels; k++, out += size)
      memcpy (out, from + ((ptrdiff_t) i * frames->frame_stride + (ptrdiff_t) k * frames->channel_stride)
                          * (ptrdiff_t) size, size);
  return TRUE;
}

/* Piece piece->index of the block into its memory; zeros past the end. */
static gboolean
read_piece (EsFrameFeed *self, EsFrameReader *reader, EsFeedBlock *block, EsFeedPiece *piece, gboolean *is_swapped,
            GError **error)
{
  const guint64 at = piece->index * self->piece, first = block->frame + at;
  const guint64 n = MIN (self->piece, self->block - at);
  const guint64 present = first < block->end ? MIN (n, block->end - first) : 0;
  EskFrames frames = { 0 };

  piece->bytes = n * self->frame_bytes;
  if (present > 0)
    {
      if (!es_frame_reader_read (reader, (gint64) first, present, piece->data, &frames, error))
        return FALSE;
      if ((frames.channels > 1 && frames.channel_stride != 1)
          || (present > 1 && frames.frame_stride != (ptrdiff_t) frames.channels))
        {
          if (!interleave (&frames, piece->data, error))
            return FALSE;
        }
      /* Samples that the source has in memory of its own. */
      else if (frames.data != piece->data)
        memcpy (piece->data, frames.data, present * self->frame_bytes);
    }
  memset ((guint8 *) piece->data + present * self->frame_bytes, 0, (n - present) * self->frame_bytes);
  *is_swapped = frames.byte_swapped;
  return TRUE;
}

/* The next piece of the first block, and memory for it. NULL: there is none of either. */
static EsFeedBlock *
take_work_locked (EsFrameFeed *self, EsFeedPiece **piece)
{
  EsFeedBlock *block = g_queue_peek_head (&self->blocks);

  if (block == NULL || self->give_up || g_queue_is_empty (&self->idle))
    return NULL;
  *piece = g_queue_pop_head (&self->idle);
  (*piece)->index = block->next++;
  block->reading++;
  if (block->next == self->n_pieces)
    g_queue_pop_head (&self->blocks);
  return block;
}

void
_es_frame_feed_end_reading_locked (EsFrameFeed *self, EsFeedBlock *block)
{
  block->next = self->n_pieces;
  g_queue_remove (&self->blocks, block);
}

static void
give_piece_locked (EsFrameFeed *self, EsFeedPiece *piece)
{
  g_queue_push_tail (&self->idle, piece);
  g_cond_signal (&self->work);
}

void
_es_frame_feed_give_pieces_locked (EsFrameFeed *self, GQueue *pieces)
{
  EsFeedPiece *piece;

  while ((piece = g_queue_pop_head (pieces)) != NULL)
    give_piece_locked (self, piece);
}

/* Pieces are begun in their order: those before one that failed are read, or are being read, and of several that fail
 * it is always the first that is told of. */
static void
account_piece_locked (EsFrameFeed *self, EsFeedBlock *block, EsFeedPiece *piece, GError *error)
{
  block->reading--;
  if (error == NULL)
    g_queue_push_tail (&block->ready, piece);
  else
    {
      _es_frame_feed_end_reading_locked (self, block);
      if (block->error == NULL || piece->index < block->failed)
        {
          g_clear_error (&block->error);
          block->error = error;
          block->failed = piece->index;
        }
      else
        g_error_free (error);
      give_piece_locked (self, piece);
    }
  g_cond_broadcast (&self->came);
}

gpointer
_es_frame_feed_read_pieces (gpointer data)
{
  EsFeedReader *reader = data;
  EsFrameFeed *self = reader->owner;

  g_mutex_lock (&self->lock);
  while (!self->quit)
    {
      EsFeedPiece *piece;
      EsFeedBlock *block = take_work_locked (self, &piece);
      GError *error = NULL;
      gboolean is_swapped = FALSE;

      if (block == NULL)
        {
          g_cond_wait (&self->work, &self->lock);
          continue;
        }
      g_mutex_unlock (&self->lock);
      const gint64 start = g_get_monotonic_time ();
      read_piece (self, reader->reader, block, piece, &is_swapped, &error);
      const gint64 read_us = g_get_monotonic_time () - start;
      g_mutex_lock (&self->lock);
      block->read_us += read_us;
      block->is_swapped = block->is_swapped || is_swapped;
      account_piece_locked (self, block, piece, error);
    }
  g_mutex_unlock (&self->lock);
  return NULL;
}
