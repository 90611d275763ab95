/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-riff-private.h"

#include <string.h>
#include <unistd.h>

/* A chain of more chunks than this is none. */
#define MOST_CHUNKS 4096

static guint32
word_at (const guint8 *bytes)
{
  guint32 word;

  memcpy (&word, bytes, sizeof word);
  return GUINT32_FROM_LE (word);
}

static guint16
half_at (const guint8 *bytes)
{
  guint16 half;

  memcpy (&half, bytes, sizeof half);
  return GUINT16_FROM_LE (half);
}

gboolean
es_riff_read (int fd, guint64 size, EsRiff *riff)
{
  guint64 at = 12, data_bytes = 0;
  guint8 head[12], chunk[8], body[24];
  gboolean is_64;

  memset (riff, 0, sizeof *riff);
  if (pread (fd, head, sizeof head, 0) != sizeof head || memcmp (head + 8, "WAVE", 4) != 0 ||
      (memcmp (head, "RIFF", 4) != 0 && memcmp (head, "RF64", 4) != 0))
    return FALSE;
  is_64 = memcmp (head, "RF64", 4) == 0;

  for (guint i = 0; i < MOST_CHUNKS && at <= size && size - at >= 8; i++)
    {
      guint64 length;

      if (pread (fd, chunk, sizeof chunk, (off_t) at) != sizeof chunk)
        break;
      length = word_at (chunk + 4);
      at += 8;
      if (memcmp (chunk, "data", 4) == 0)
        {
          riff->has_data = TRUE;
          riff->data_offset = at;
          riff->data_bytes = length != G_MAXUINT32 ? length : is_64 && data_bytes > 0 ? data_bytes : G_MAXUINT64;
          return TRUE;
        }
      if (memcmp (chunk, "fmt ", 4) == 0 && length >= 16 && pread (fd, body, 16, (off_t) at) == 16)
        {
          riff->has_format = TRUE;
          riff->channels = half_at (body + 2);
          riff->rate = word_at (body + 4);
          riff->block = half_at (body + 12);
          riff->bits = half_at (body + 14);
        }
      else if (memcmp (chunk, "ds64", 4) == 0 && length >= 24 && pread (fd, body, 24, (off_t) at) == 24)
        data_bytes = word_at (body + 8) | (guint64) word_at (body + 12) << 32;
      /* Chunks begin at even bytes. */
      at += length + (length & 1);
    }
  return TRUE;
}
