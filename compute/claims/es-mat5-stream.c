/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-mat5-stream-private.h"

#include <string.h>

EsMat5Stream *
es_mat5_stream_new (EsClaimFile *file, guint64 at, guint64 n, gboolean packed, gboolean swapped)
{
  EsMat5Stream *self = g_new (EsMat5Stream, 1);

  memset (self, 0, offsetof (EsMat5Stream, in));
  self->in_at = self->in_n = self->out_at = self->out_n = 0;
  self->file = file;
  self->at = at;
  self->end = at + n;
  self->swapped = swapped;
  if (packed)
    self->inflater = G_CONVERTER (g_zlib_decompressor_new (G_ZLIB_COMPRESSOR_FORMAT_ZLIB));
  return self;
}

void
es_mat5_stream_free (EsMat5Stream *self)
{
  g_clear_object (&self->inflater);
  g_free (self);
}

/* More unpacked bytes into out, which is empty. FALSE: there are none. */
static gboolean
inflate_more (EsMat5Stream *self)
{
  self->out_at = self->out_n = 0;
  while (!self->failed && !self->finished && self->out_n == 0)
    {
      gsize used = 0, made = 0;
      GConverterResult result;

      if (self->in_at == self->in_n)
        {
          self->in_at = 0;
          self->in_n = MIN (self->end - self->at, sizeof self->in);
          if (self->in_n == 0 || !es_claim_file_read (self->file, self->at, self->in, self->in_n))
            {
              self->failed = TRUE;
              break;
            }
          self->at += self->in_n;
        }
      result = g_converter_convert (self->inflater, self->in + self->in_at, self->in_n - self->in_at, self->out,
                                    sizeof self->out, G_CONVERTER_NO_FLAGS, &used, &made, NULL);
      self->in_at += used;
      self->out_n = made;
      self->finished = result == G_CONVERTER_FINISHED;
      self->failed = result == G_CONVERTER_ERROR;
    }
  return self->out_n > 0;
}

static gboolean
take_plain (EsMat5Stream *self, guint8 *bytes, guint64 n)
{
  if (n > self->end - self->at || (bytes != NULL && !es_claim_file_read (self->file, self->at, bytes, n)))
    self->failed = TRUE;
  else
    self->at += n;
  return !self->failed;
}

static gboolean
take_any (EsMat5Stream *self, guint8 *bytes, guint64 n)
{
  if (self->failed)
    return FALSE;
  if (self->inflater == NULL)
    {
      if (!take_plain (self, bytes, n))
        return FALSE;
      self->handed_out += n;
      return TRUE;
    }
  while (n > 0)
    {
      gsize count;

      if (self->out_at == self->out_n && !inflate_more (self))
        {
          self->failed = TRUE;
          return FALSE;
        }
      count = MIN (n, self->out_n - self->out_at);
      if (bytes != NULL)
        {
          memcpy (bytes, self->out + self->out_at, count);
          bytes += count;
        }
      self->out_at += count;
      self->handed_out += count;
      n -= count;
    }
  return TRUE;
}

gboolean
es_mat5_stream_take (EsMat5Stream *self, void *bytes, guint64 n)
{
  return take_any (self, bytes, n);
}

gboolean
es_mat5_stream_skip (EsMat5Stream *self, guint64 n)
{
  return take_any (self, NULL, n);
}

guint32
es_mat5_stream_word (EsMat5Stream *self)
{
  guint32 word;

  if (!take_any (self, (guint8 *) &word, sizeof word))
    return 0;
  return self->swapped ? GUINT32_FROM_BE (word) : GUINT32_FROM_LE (word);
}

gboolean
es_mat5_stream_finish (EsMat5Stream *self)
{
  if (self->inflater != NULL)
    while (!self->failed && !self->finished)
      {
        self->handed_out += self->out_n - self->out_at;
        inflate_more (self);
      }
  return !self->failed;
}
