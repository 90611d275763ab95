/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-claim-sound-internal.h"

#include <string.h>

/* A chain of more chunks than this is none. */
#define MOST_CHUNKS 4096u
/* The last page of an Ogg file is found in its last bytes: a page has 65,307 at most. */
#define LONGEST_PAGE ((guint64) 65307)

/* How a family of chunks is written. */
typedef struct
{
  guint    id_bytes, size_bytes;
  gboolean big_endian;
  gboolean size_has_head;      /* the size counts id and size, too */
  guint    align;
} Chunks;

typedef struct
{
  EsClaimFile  *file;
  EsSoundClaim *claim;
  Chunks        chunks;
  guint64       long_bytes;    /* RF64: what "data" really has */
} Walk;

static guint64
number (Walk *walk, guint64 at, guint bytes)
{
  guint64 value;

  es_claim_file_number (walk->file, at, bytes, walk->chunks.big_endian, &value);
  return value;
}

/* What recorders and pipes leave where they cannot go back to fill in how long it became. */
static gboolean
is_left_open (guint64 bytes)
{
  static const guint64 marks[] = { 0, 0xffffffff, 0x7fffffff, 0x80000000, 0x7ffff000, 0x7fffffff - 36 };

  for (guint i = 0; i < G_N_ELEMENTS (marks); i++)
    if (bytes == marks[i])
      return TRUE;
  return FALSE;
}

static void
take_data (Walk *walk, guint64 at, guint64 bytes)
{
  walk->claim->has_data = TRUE;
  walk->claim->data_offset = at;
  walk->claim->data_bytes = bytes;
}

static void
take_wave_format (Walk *walk, guint64 at, guint64 length)
{
  guint64 tag = number (walk, at, 2);

  if (length < 16 || at + 16 > walk->file->size)
    return;
  walk->claim->has_format = TRUE;
  walk->claim->channels = (guint) number (walk, at + 2, 2);
  walk->claim->has_rate = TRUE;
  walk->claim->rate = number (walk, at + 4, 4);
  /* Of packed samples (ADPCM ...) it is a block of frames. */
  if (tag == 1 || tag == 3 || tag == 6 || tag == 7 || tag == 0xfffe)
    walk->claim->block = (guint) number (walk, at + 12, 2);
}

/* TRUE: the samples have been found. */
static gboolean
take_riff (Walk *walk, const char *id, guint64 at, guint64 length)
{
  if (memcmp (id, "data", 4) == 0)
    {
      if (length == G_MAXUINT32 && walk->long_bytes > 0)
        length = walk->long_bytes;
      take_data (walk, at, walk->chunks.id_bytes == 4 && is_left_open (length) ? G_MAXUINT64 : length);
      return TRUE;
    }
  if (memcmp (id, "fmt ", 4) == 0)
    take_wave_format (walk, at, length);
  else if (memcmp (id, "ds64", 4) == 0 && length >= 24)
    walk->long_bytes = number (walk, at + 8, 8);
  return FALSE;
}

static gboolean
is_packed (const char *packing)
{
  static const char plain[][5] = {
    "NONE", "sowt", "twos", "fl32", "FL32", "fl64", "FL64", "in24", "in32", "raw ",
  };

  for (guint i = 0; i < G_N_ELEMENTS (plain); i++)
    if (memcmp (packing, plain[i], 4) == 0)
      return FALSE;
  return TRUE;
}

static gboolean
take_aiff (Walk *walk, const char *id, guint64 at, guint64 length)
{
  EsSoundClaim *claim = walk->claim;

  if (memcmp (id, "COMM", 4) == 0 && length >= 18)
    {
      guint bits = (guint) number (walk, at + 6, 2);
      char packing[4];

      claim->has_format = TRUE;
      claim->channels = (guint) number (walk, at, 2);
      /* AIFC: how it is packed follows. */
      if (length >= 22 && (!es_claim_file_read (walk->file, at + 18, packing, 4) || is_packed (packing)))
        bits = 0;
      claim->block = bits > 0 && bits <= 64 ? claim->channels * ((bits + 7) / 8) : 0;
    }
  else if (memcmp (id, "SSND", 4) == 0 && length >= 8)
    {
      guint64 skipped = number (walk, at, 4);

      take_data (walk, at + 8 + skipped, length - 8 >= skipped ? length - 8 - skipped : 0);
    }
  /* COMM may stand behind the samples. */
  return claim->has_data && claim->has_format;
}

static gboolean
take_caf (Walk *walk, const char *id, guint64 at, guint64 length)
{
  EsSoundClaim *claim = walk->claim;

  if (memcmp (id, "desc", 4) == 0 && length >= 32)
    {
      claim->has_format = TRUE;
      claim->channels = (guint) number (walk, at + 24, 4);
      claim->block = number (walk, at + 20, 4) == 1 ? (guint) number (walk, at + 16, 4) : 0;
    }
  else if (memcmp (id, "data", 4) == 0)
    {
      take_data (walk, at + 4, length == G_MAXUINT64 || length < 4 ? G_MAXUINT64 : length - 4);
      return TRUE;
    }
  return FALSE;
}

static void
walk_chunks (Walk *walk, guint64 at, gboolean (*take) (Walk *, const char *, guint64, guint64))
{
  const Chunks *chunks = &walk->chunks;
  const guint64 head = chunks->id_bytes + chunks->size_bytes;

  for (guint i = 0; i < MOST_CHUNKS && at <= walk->file->size && walk->file->size - at >= head; i++)
    {
      char id[16];
      guint64 length;

      if (!es_claim_file_read (walk->file, at, id, chunks->id_bytes) ||
          !es_claim_file_number (walk->file, at + chunks->id_bytes, chunks->size_bytes, chunks->big_endian, &length))
        return;
      if (chunks->size_has_head)
        {
          if (length < head)
            return;
          length -= head;
        }
      if (take (walk, id, at + head, length))
        return;
      /* What reaches over the end has nothing behind it. */
      if (length > walk->file->size - at - head)
        return;
      at += head + (length + chunks->align - 1) / chunks->align * chunks->align;
    }
}

static void
read_au (Walk *walk)
{
  EsSoundClaim *claim = walk->claim;
  static const guint8 bytes_of_encoding[] = { 0, 1, 1, 2, 3, 4, 4, 8 };
  guint64 offset = number (walk, 4, 4), length = number (walk, 8, 4), encoding = number (walk, 12, 4);

  claim->has_format = TRUE;
  claim->has_rate = TRUE;
  claim->rate = number (walk, 16, 4);
  claim->channels = (guint) number (walk, 20, 4);
  if (encoding < G_N_ELEMENTS (bytes_of_encoding) && claim->channels <= 65536)
    claim->block = claim->channels * bytes_of_encoding[encoding];
  else if (encoding == 27 && claim->channels <= 65536)
    claim->block = claim->channels;
  take_data (walk, offset, is_left_open (length) ? G_MAXUINT64 : length);
}

/* A page: "OggS", version, flags (4: the last one), 20 bytes, number of segments and the length of each. */
static gboolean
is_last_page (EsClaimFile *file, guint64 at)
{
  guint8 head[27 + 255];
  guint64 length;

  if (!es_claim_file_read (file, at, head, 27) || memcmp (head, "OggS\0", 5) != 0 || (head[5] & 4) == 0 ||
      !es_claim_file_read (file, at + 27, head + 27, head[26]))
    return FALSE;
  length = 27 + (guint64) head[26];
  for (guint i = 0; i < head[26]; i++)
    length += head[27 + i];
  return at + length <= file->size;
}

static gboolean
ogg_ends (EsClaimFile *file)
{
  guint64 first = file->size > LONGEST_PAGE ? file->size - LONGEST_PAGE : 0;

  for (guint64 at = first; at + 27 <= file->size; at++)
    {
      guint8 byte;

      if (!es_claim_file_read (file, at, &byte, 1))
        return FALSE;
      if (byte == 'O' && is_last_page (file, at))
        return TRUE;
    }
  return FALSE;
}

gboolean
es_claim_sound (EsClaimFile *file, EsSoundClaim *claim)
{
  static const guint8 wave_64[24] = "riff\x2e\x91\xcf\x11\xa5\xd6\x28\xdb\x04\xc1\x00\x00";
  Walk walk = { .file = file, .claim = claim };
  guint8 head[24] = { 0 };

  memset (claim, 0, sizeof *claim);
  if (file->size < 12 || !es_claim_file_read (file, 0, head, MIN (sizeof head, file->size)))
    return FALSE;
  if (memcmp (head + 8, "WAVE", 4) == 0 &&
      (memcmp (head, "RIFF", 4) == 0 || memcmp (head, "RIFX", 4) == 0 || memcmp (head, "RF64", 4) == 0))
    {
      claim->format = memcmp (head, "RF64", 4) == 0 ? "RF64" : "WAV";
      walk.chunks = (Chunks) { 4, 4, memcmp (head, "RIFX", 4) == 0, FALSE, 2 };
      walk_chunks (&walk, 12, take_riff);
    }
  else if (memcmp (head, wave_64, 16) == 0)
    {
      claim->format = "W64";
      walk.chunks = (Chunks) { 16, 8, FALSE, TRUE, 8 };
      walk_chunks (&walk, 40, take_riff);
    }
  else if (memcmp (head, "FORM", 4) == 0 && (memcmp (head + 8, "AIFF", 4) == 0 || memcmp (head + 8, "AIFC", 4) == 0))
    {
      claim->format = "AIFF";
      walk.chunks = (Chunks) { 4, 4, TRUE, FALSE, 2 };
      walk_chunks (&walk, 12, take_aiff);
    }
  else if (memcmp (head, "caff", 4) == 0)
    {
      claim->format = "CAF";
      walk.chunks = (Chunks) { 4, 8, TRUE, FALSE, 1 };
      walk_chunks (&walk, 8, take_caf);
    }
  else if (memcmp (head, ".snd", 4) == 0)
    {
      claim->format = "AU";
      walk.chunks.big_endian = TRUE;
      read_au (&walk);
    }
  else if (memcmp (head, "OggS", 4) == 0)
    {
      claim->format = "Ogg";
      claim->is_unfinished = !ogg_ends (file);
    }
  return claim->format != NULL && !g_cancellable_is_cancelled (file->cancellable);
}

guint64
es_claim_sound_present (const EsClaimFile *file, const EsSoundClaim *claim)
{
  guint64 there = claim->data_offset < file->size ? file->size - claim->data_offset : 0;

  if (!claim->has_data || claim->data_bytes == 0 || claim->data_bytes == G_MAXUINT64)
    return claim->data_bytes;
  return MIN (there, claim->data_bytes);
}
