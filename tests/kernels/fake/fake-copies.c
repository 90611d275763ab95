/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What goes to the fake cards: page-locked memory, and copies of it, made at once or put off for as long as can be. */

#include "fake-device.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

/* ---- page-locked memory ---- */

typedef struct Locked Locked;
struct Locked {
  char   *data;
  size_t  size;
  Locked *next;
};

static Locked *all_locked;
static size_t bytes_locked;

void *
fake_staging_new (size_t bytes)
{
  const char *text = getenv ("ES_FAKE_STAGING");
  size_t most = text != NULL && *text != '\0' ? strtoul (text, NULL, 10) : SIZE_MAX;
  Locked *locked = malloc (sizeof *locked);
  char *data = malloc (bytes);
  bool has_room;

  pthread_mutex_lock (&lock);
  has_room = locked != NULL && data != NULL && bytes <= most && bytes_locked <= most - bytes;
  if (has_room)
    {
      *locked = (Locked) { data, bytes, all_locked };
      all_locked = locked;
      bytes_locked += bytes;
    }
  pthread_mutex_unlock (&lock);
  if (has_room)
    return data;
  free (locked);
  free (data);
  return NULL;
}

void
fake_staging_free (void *staging)
{
  Locked *found = NULL;

  pthread_mutex_lock (&lock);
  for (Locked **at = &all_locked; *at != NULL && found == NULL; at = &(*at)->next)
    if ((*at)->data == staging)
      {
        found = *at;
        *at = found->next;
        bytes_locked -= found->size;
        break;
      }
  pthread_mutex_unlock (&lock);
  free (found);
  free (staging);
}

static bool
is_locked (const void *memory)
{
  bool found = false;

  pthread_mutex_lock (&lock);
  for (const Locked *at = all_locked; at != NULL && !found; at = at->next)
    found = (const char *) memory >= at->data && (const char *) memory < at->data + at->size;
  pthread_mutex_unlock (&lock);
  return found;
}

/* ---- tiles ---- */

static int
load_now (EskStream *stream, const EskTile *tile, const EskSelection *selection, const EskTile *planes,
          uint8_t *valid)
{
  const EskHotspots *cpu = esk_cpu_hotspots ();
  size_t size = esk_type_size (tile->type), n_valid;
  int code;

  for (size_t i = 0; i < selection->n_bands; i++)
    for (size_t y = 0; y < tile->height; y++)
      for (size_t x = 0; x < tile->width; x++)
        {
          const char *from = (const char *) tile->data
                             + ((ptrdiff_t) x * tile->column_stride + (ptrdiff_t) y * tile->row_stride
                                + (ptrdiff_t) selection->bands[i] * tile->band_stride) * (ptrdiff_t) size;
          char *to = (char *) planes->data
                     + ((ptrdiff_t) x + (ptrdiff_t) y * planes->row_stride + (ptrdiff_t) i * planes->band_stride)
                       * (ptrdiff_t) size;

          for (size_t b = 0; b < size; b++)
            to[b] = from[tile->byte_swapped ? size - 1 - b : b];
        }

  if (valid == NULL)
    return ESK_OK;
  uint8_t *packed = malloc (tile->width * tile->height);
  memset (packed, 1, tile->width * tile->height);
  code = cpu->cube->valid_pixels (stream->cpu, tile, selection, packed, &n_valid);
  for (size_t y = 0; y < tile->height; y++)
    memcpy (valid + y * (size_t) planes->row_stride, packed + y * tile->width, tile->width);
  free (packed);
  return code;
}

/* ---- copies that are put off ---- */

struct FakeCopy {
  FakeCopy  *next;
  void      *to;               /* a run of bytes; NULL: a tile */
  const void *from;
  size_t     bytes;
  EskTile    tile, planes;
  uint32_t  *bands;
  double    *no_data;
  size_t     n_bands;
  uint8_t   *valid;
};

/* A driver reads page-locked memory when it comes to it, and has read ordinary memory before it returns. */
static bool
is_put_off (const void *from)
{
  return fake_number ("ES_FAKE_LAZY", 0) > 0 && is_locked (from);
}

static void
put_off (EskStream *stream, FakeCopy copy)
{
  FakeCopy *kept = malloc (sizeof *kept);

  *kept = copy;
  if (stream->last != NULL)
    stream->last->next = kept;
  else
    stream->first = kept;
  stream->last = kept;
}

void
fake_make_copies (EskStream *stream)
{
  FakeCopy *next;

  for (FakeCopy *copy = stream->first; copy != NULL; copy = next)
    {
      const EskSelection selection = { .bands = copy->bands, .n_bands = copy->n_bands, .no_data = copy->no_data };

      next = copy->next;
      if (copy->to != NULL)
        memcpy (copy->to, copy->from, copy->bytes);
      else
        load_now (stream, &copy->tile, &selection, &copy->planes, copy->valid);
      free (copy->bands);
      free (copy->no_data);
      free (copy);
    }
  stream->first = stream->last = NULL;
}

int
fake_upload (EskStream *stream, void *to, const void *from, size_t bytes)
{
  int code;

  if (!is_put_off (from))
    fake_make_copies (stream);
  code = fake_begin (stream);
  if (code != ESK_OK)
    return code;
  if (is_put_off (from))
    put_off (stream, (FakeCopy) { .to = to, .from = from, .bytes = bytes });
  else
    memcpy (to, from, bytes);
  return ESK_OK;
}

static void *
duplicate (const void *memory, size_t bytes)
{
  return memory != NULL ? memcpy (malloc (bytes), memory, bytes) : NULL;
}

int
fake_load (EskStream *stream, const EskTile *tile, const EskSelection *selection, const EskTile *planes,
           uint8_t *valid)
{
  int code;

  if (!is_put_off (tile->data))
    fake_make_copies (stream);
  code = fake_begin (stream);
  if (code != ESK_OK)
    return code;
  if (!fake_are_planes (planes) || planes->type != tile->type || planes->width != tile->width
      || planes->height != tile->height || planes->bands != selection->n_bands)
    return ESK_ERROR_ARGUMENT;
  if (!is_put_off (tile->data))
    return load_now (stream, tile, selection, planes, valid);
  put_off (stream, (FakeCopy) {
    .tile = *tile, .planes = *planes, .n_bands = selection->n_bands, .valid = valid,
    .bands = duplicate (selection->bands, selection->n_bands * sizeof *selection->bands),
    .no_data = duplicate (selection->no_data, selection->n_bands * sizeof *selection->no_data),
  });
  return ESK_OK;
}
