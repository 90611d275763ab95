/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The fake cards themselves: which there are, their streams and memory, and how they fail. */

#include "fake-device.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define MAX_CARDS 8
#define GUARD 64
#define GUARD_BYTE 0xa5
#define FRESH_BYTE 0x5a

typedef struct {
  size_t size;
  int    device;
  char   guard[GUARD];         /* the memory handed out follows, then another guard */
} Block;

/* "What is counted from when the value was set." */
typedef struct {
  const char *name;
  char        value[32];
  long        seen;
} Trigger;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static size_t used[MAX_CARDS];
static bool lost[MAX_CARDS];
static Trigger fail_allocation = { "ES_FAKE_FAIL_ALLOCATION", "", 0 };
static Trigger lose_at = { "ES_FAKE_LOSE_AT", "", 0 };
static bool left;              /* atomic */

/* After device_leave () a call would start a card again. */
static void
check_not_left (void)
{
  if (__atomic_load_n (&left, __ATOMIC_ACQUIRE))
    abort ();
}

long
fake_number (const char *name, long otherwise)
{
  const char *text = getenv (name);

  return text != NULL && *text != '\0' ? atol (text) : otherwise;
}

static int
n_cards (void)
{
  long n = fake_number ("ES_FAKE_DEVICES", 2);

  return n < 0 ? 0 : n > MAX_CARDS ? MAX_CARDS : (int) n;
}

/* With the lock held. A new value starts the count again and brings lost cards back. */
static bool
triggered (Trigger *trigger)
{
  const char *text = getenv (trigger->name);
  long n;

  if (text == NULL)
    text = "";
  if (strncmp (text, trigger->value, sizeof trigger->value - 1) != 0)
    {
      strncpy (trigger->value, text, sizeof trigger->value - 1);
      trigger->seen = 0;
      if (trigger == &lose_at)
        memset (lost, 0, sizeof lost);
    }
  n = atol (text);
  if (n <= 0)
    return false;
  trigger->seen++;
  return trigger->seen == n || (trigger->seen > n && strchr (text, '+') != NULL);
}

/* What every call on a card begins with; copies that are still to be made may wait on. */
int
fake_begin (EskStream *stream)
{
  long delay = fake_number ("ES_FAKE_DELAY_US", 0);
  int code;

  if (delay > 0)
    usleep ((useconds_t) delay);
  pthread_mutex_lock (&lock);
  if (triggered (&lose_at))
    lost[stream->device] = true;
  code = lost[stream->device] ? ESK_ERROR_LOST : ESK_OK;
  pthread_mutex_unlock (&lock);
  return code;
}

/* Every call on a card but those that are put off comes through here. */
int
fake_work (EskStream *stream)
{
  check_not_left ();
  fake_make_copies (stream);
  return fake_begin (stream);
}

static Block *
block_of (void *memory)
{
  return (Block *) ((char *) memory - sizeof (Block));
}

static void
check_guards (const Block *block)
{
  const unsigned char *end = (const unsigned char *) (block + 1) + block->size;

  for (size_t i = 0; i < GUARD; i++)
    if ((unsigned char) block->guard[i] != GUARD_BYTE || end[i] != GUARD_BYTE)
      {
        fprintf (stderr, "fake device: something wrote beside its %zu bytes\n", block->size);
        abort ();
      }
}

static void *
fake_memory_new (int device, size_t bytes)
{
  size_t memory = (size_t) fake_number ("ES_FAKE_MEMORY", 256l << 20);
  Block *block = NULL;

  check_not_left ();
  pthread_mutex_lock (&lock);
  if (!triggered (&fail_allocation) && !lost[device] && bytes <= memory && used[device] <= memory - bytes
      && (block = malloc (sizeof *block + bytes + GUARD)) != NULL)
    {
      block->size = bytes;
      block->device = device;
      memset (block->guard, GUARD_BYTE, GUARD);
      memset (block + 1, FRESH_BYTE, bytes);
      memset ((char *) (block + 1) + bytes, GUARD_BYTE, GUARD);
      used[device] += bytes;
    }
  pthread_mutex_unlock (&lock);
  return block != NULL ? block + 1 : NULL;
}

static void
fake_memory_free (int device, void *memory)
{
  Block *block;

  if (memory == NULL)
    return;
  block = block_of (memory);
  check_guards (block);
  if (block->device != device)
    abort ();
  pthread_mutex_lock (&lock);
  used[device] -= block->size;
  pthread_mutex_unlock (&lock);
  free (block);
}

static EskStream *
fake_stream_new (int device)
{
  EskStream *stream;

  check_not_left ();
  if (device < 0 || device >= n_cards ())
    return NULL;
  stream = calloc (1, sizeof *stream);
  if (stream == NULL)
    return NULL;
  stream->device = device;
  stream->cpu = esk_cpu_hotspots ()->stream->stream_new (0);
  return stream;
}

static void
fake_stream_free (EskStream *stream)
{
  if (stream == NULL)
    return;
  fake_make_copies (stream);
  esk_cpu_hotspots ()->stream->stream_free (stream->cpu);
  free (stream->bands);
  free (stream->valid);
  free (stream);
}

static const char *
fake_last_error (EskStream *stream)
{
  bool is_lost;

  pthread_mutex_lock (&lock);
  is_lost = lost[stream->device];
  pthread_mutex_unlock (&lock);
  return is_lost ? "the card has fallen off the bus" : "";
}

static int
fake_download (EskStream *stream, void *to, size_t to_stride, const void *from, size_t from_stride, size_t row_bytes,
               size_t n_rows)
{
  int code = fake_work (stream);

  for (size_t i = 0; code == ESK_OK && i < n_rows; i++)
    memcpy ((char *) to + i * to_stride, (const char *) from + i * from_stride, row_bytes);
  return code;
}

/* The planes hold the selected bands only. */
EskSelection
fake_whole_selection (EskStream *stream, const EskTile *planes, const EskSelection *selection)
{
  EskSelection whole = { NULL, planes->bands, NULL, NULL, NULL };

  if (stream->n_bands < planes->bands)
    {
      free (stream->bands);
      stream->bands = malloc (planes->bands * sizeof *stream->bands);
      stream->n_bands = planes->bands;
      for (size_t i = 0; i < planes->bands; i++)
        stream->bands[i] = (uint32_t) i;
    }
  whole.bands = stream->bands;
  if (selection != NULL)
    {
      whole.minimum = selection->minimum;
      whole.maximum = selection->maximum;
    }
  return whole;
}

/* On the card the rows of `valid` are as far apart as the planes'. */
const uint8_t *
fake_packed_valid (EskStream *stream, const EskTile *planes, const uint8_t *valid)
{
  size_t pixels = planes->width * planes->height;

  if (valid == NULL || planes->row_stride == (ptrdiff_t) planes->width)
    return valid;
  if (stream->n_valid < pixels)
    {
      free (stream->valid);
      stream->valid = malloc (pixels);
      stream->n_valid = pixels;
    }
  for (size_t y = 0; y < planes->height; y++)
    memcpy (stream->valid + y * planes->width, valid + y * (size_t) planes->row_stride, planes->width);
  return stream->valid;
}

bool
fake_are_planes (const EskTile *tile)
{
  return tile->column_stride == 1 && tile->row_stride >= (ptrdiff_t) tile->width && !tile->byte_swapped
         && (tile->bands < 2 || tile->band_stride >= (ptrdiff_t) ((tile->height - 1) * (size_t) tile->row_stride
                                                                  + tile->width));
}

static int
fake_device_count (char *why, size_t why_bytes)
{
  const long search = fake_number ("ES_FAKE_SEARCH_US", 0);

  if (search > 0)
    usleep ((useconds_t) search);
  if (n_cards () == 0)
    snprintf (why, why_bytes, "no fake card is plugged in");
  return n_cards ();
}

static int
fake_device_info (int device, EskDeviceInfo *info)
{
  memset (info, 0, sizeof *info);
  snprintf (info->name, sizeof info->name, "Fake card %d", device);
  snprintf (info->uuid, sizeof info->uuid, "GPU-fake-%d", device);
  info->major = 9;
  info->multiprocessors = 1;
  info->memory = (uint64_t) fake_number ("ES_FAKE_MEMORY", 256l << 20);
  pthread_mutex_lock (&lock);
  info->memory_free = info->memory > used[device] ? info->memory - used[device] : 0;
  pthread_mutex_unlock (&lock);
  info->pcie_generation = 5;
  info->pcie_width = 16;
  info->busy = 0.25;
  info->temperature = 40;
  info->driver = 13000;
  return lost[device] ? ESK_ERROR_LOST : ESK_OK;
}

static int
fake_warm_up (int device)
{
  (void) device;
  return ESK_OK;
}

static void
fake_leave (void)
{
  __atomic_store_n (&left, true, __ATOMIC_RELEASE);
}

const EskStreamHotspots fake_stream_hotspots = {
  .stream_new = fake_stream_new,
  .stream_free = fake_stream_free,
  .last_error = fake_last_error,
};

const EskDeviceHotspots fake_device_hotspots = {
  .device_count = fake_device_count,
  .device_info = fake_device_info,
  .device_warm_up = fake_warm_up,
  .device_leave = fake_leave,
  .memory_new = fake_memory_new,
  .memory_free = fake_memory_free,
  .staging_new = fake_staging_new,
  .staging_free = fake_staging_free,
  .upload = fake_upload,
  .download = fake_download,
  .wait = fake_work,
  .load = fake_load,
};
