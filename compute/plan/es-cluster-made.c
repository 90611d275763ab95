/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* Cubes and recordings to measure this machine by. */

#include "es-cluster-made-private.h"

#include <errno.h>
#include <glib/gstdio.h>
#include <math.h>
#include <unistd.h>

#include "array/es-array.h"
#include "cube/es-cube-internal.h"
#include "recording/es-recording-internal.h"

#define PIECE ((gsize) 1 << 20)
#define SPACING 1.5            /* m */
#define FULL_SCALE 32768.0

/* A file without a name, and its samples' shape: cubes are width x height x bands, recordings channels x frames. */
typedef struct
{
  int     file;
  EskType type;
  gsize   size;                /* bytes of a sample */
  guint64 width, height, bands;
} Store;

/* ---- the file ---- */

static gboolean
fail (int number, GError **error)
{
  g_set_error_literal (error, G_IO_ERROR, g_io_error_from_errno (number), g_strerror (number));
  return FALSE;
}

static int
open_file (GError **error)
{
  g_autofree char *name = NULL;
  const int file = g_file_open_tmp ("eigenscope-XXXXXX", &name, error);

  if (file >= 0)
    g_unlink (name);
  return file;
}

/* Cheap numbers of 12 bits, the sum of two of 11: what they are no analysis tells anybody. */
static void
fill (EskType type, guint64 *state, gsize n, void *buffer)
{
  guint8 *bytes = buffer;
  gint16 *words = buffer;
  float *floats = buffer;

  for (gsize i = 0; i < n; i++)
    {
      *state = *state * G_GUINT64_CONSTANT (6364136223846793005) + G_GUINT64_CONSTANT (1442695040888963407);
      const gint16 value = (gint16) ((*state >> 53) + (*state >> 42 & 0x7ff));

      if (type == ESK_U8)
        bytes[i] = (guint8) (value >> 4);
      else if (type == ESK_I16)
        words[i] = (gint16) (value - 2048);
      else
        floats[i] = value / FULL_SCALE;
    }
}

static gboolean
write_all (Store *self, guint64 n, double *seconds, GError **error)
{
  g_autofree guint8 *piece = g_malloc (PIECE);
  guint64 state = 1, at = 0;
  gint64 ticks = 0;

  while (n > 0)
    {
      const gsize some = (gsize) MIN (n, PIECE / self->size), bytes = some * self->size;
      gint64 start;
      ssize_t done;

      fill (self->type, &state, some, piece);
      start = g_get_monotonic_time ();
      done = pwrite (self->file, piece, bytes, (off_t) at);
      if (done != (ssize_t) bytes)
        return fail (done < 0 ? errno : ENOSPC, error);
      ticks += g_get_monotonic_time () - start;
      n -= some;
      at += bytes;
    }
  *seconds = MAX (ticks, 1) * 1e-6;
  return TRUE;
}

static gboolean
read_all (const Store *self, guint64 first, guint64 n, void *buffer, GError **error)
{
  const gsize bytes = (gsize) n * self->size;
  const ssize_t done = pread (self->file, buffer, bytes, (off_t) (first * self->size));

  return done == (ssize_t) bytes || fail (done < 0 ? errno : EIO, error);
}

/* ---- as a cube's source, and a recording's ---- */

typedef struct
{
  EsSampleSource parent;
  Store          store;
} CubeSource;

typedef struct
{
  EsFrameSource parent;
  Store         store;
} FrameSource;

static gpointer
cube_handle_new (EsSampleSource *self, GError **error)
{
  return self;
}

static void
cube_handle_free (EsSampleSource *self, gpointer handle)
{
}

static gboolean
cube_read (EsSampleSource *source, gpointer handle, const EsCubeWindow *window, void *buffer, EskTile *tile,
           GError **error)
{
  const Store *self = &((CubeSource *) source)->store;
  const gboolean whole = window->width == self->width;
  const guint64 run = whole ? window->width * window->height : window->width;
  guint8 *out = buffer;

  for (guint64 band = 0; band < self->bands; band++)
    for (guint64 row = 0; row < (whole ? 1 : window->height); row++)
      {
        const guint64 first = (band * self->height + window->y + row) * self->width + window->x;

        if (!read_all (self, first, run, out, error))
          return FALSE;
        out += run * self->size;
      }
  *tile = (EskTile) { .data = buffer, .type = self->type, .width = window->width, .height = window->height,
                      .bands = self->bands, .column_stride = 1, .row_stride = (ptrdiff_t) window->width,
                      .band_stride = (ptrdiff_t) (window->width * window->height) };
  return TRUE;
}

static void
cube_free (EsSampleSource *source)
{
  close (((CubeSource *) source)->store.file);
  g_free (source);
}

static gpointer
frames_handle_new (EsFrameSource *self, GError **error)
{
  return self;
}

static void
frames_handle_free (EsFrameSource *self, gpointer handle)
{
}

static gboolean
frames_read (EsFrameSource *source, gpointer handle, guint64 first, guint64 n, void *buffer, EskFrames *frames,
             GError **error)
{
  const Store *self = &((FrameSource *) source)->store;

  if (!read_all (self, first * self->width, n * self->width, buffer, error))
    return FALSE;
  *frames = (EskFrames) { .data = buffer, .type = self->type, .frames = (gsize) n, .channels = (gsize) self->width,
                          .frame_stride = (ptrdiff_t) self->width, .channel_stride = 1 };
  return TRUE;
}

static void
frames_free (EsFrameSource *source)
{
  close (((FrameSource *) source)->store.file);
  g_free (source);
}

/* ---- data sets ---- */

EsDataset *
_es_cluster_make_cube (EskType type, guint width, guint height, guint bands, double *seconds, GError **error)
{
  CubeSource *source = g_new0 (CubeSource, 1);
  EsCubeInfo info = { .width = width, .height = height, .bands = bands, .type = type,
                      .format_name = g_strdup ("Made"), .source = &source->parent };
  EsCube *cube;

  /* Some have a number that stands for what is missing, which no sample is. */
  if (type == ESK_I16)
    {
      info.no_data = g_new (double, bands);
      for (guint i = 0; i < bands; i++)
        info.no_data[i] = -FULL_SCALE;
    }
  source->parent = (EsSampleSource) { .handle_new = cube_handle_new, .handle_free = cube_handle_free, .read = cube_read,
                                      .free = cube_free, .block_width = 1, .block_height = 1, .by_bytes = TRUE,
                                      .bands_in_runs = TRUE };
  source->store = (Store) { open_file (error), type, esk_type_size (type), width, height, bands };
  if (source->store.file < 0 || !write_all (&source->store, (guint64) width * height * bands, seconds, error))
    {
      es_cube_info_clear (&info);
      return NULL;
    }
  cube = es_cube_new (NULL, &info, error);
  return cube != NULL ? ES_DATASET (cube) : NULL;
}

EsDataset *
_es_cluster_make_recording (EskType type, guint channels, guint64 frames, double rate, double *seconds, GError **error)
{
  FrameSource *source = g_new0 (FrameSource, 1);
  EsRecordingInfo info = { .channels = channels, .rate = rate, .frames = frames, .type = type,
                           .scale = type == ESK_F32 ? 1 : 1 / FULL_SCALE, .format_name = g_strdup ("Made"),
                           .calibration = NAN, .source = &source->parent };
  g_autoptr (EsArray) array = es_array_new_line (channels, SPACING, 0, error);
  EsRecording *recording;

  source->parent = (EsFrameSource) { .handle_new = frames_handle_new, .handle_free = frames_handle_free,
                                     .read = frames_read, .free = frames_free, .by_bytes = TRUE };
  source->store = (Store) { array != NULL ? open_file (error) : -1, type, esk_type_size (type), channels, frames, 1 };
  if (source->store.file < 0 || !write_all (&source->store, channels * frames, seconds, error))
    {
      es_recording_info_clear (&info);
      return NULL;
    }
  recording = es_recording_new (NULL, &info, error);
  if (recording != NULL)
    es_recording_set_array (recording, array);
  return recording != NULL ? ES_DATASET (recording) : NULL;
}
