/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* The samples of a simulated cube: tiles of them, made by several threads. */

#include "es-simulate-private.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "base/es-error.h"
#include "base/es-file-internal.h"

#define TILE_BYTES (8 << 20)
#define MOST_THREADS 16
/* Pixels of a row made at a time where bands are interleaved by pixel: they stay in the first cache. */
#define PIXEL_CHUNK 64

/* ---- samples ---- */

/* The light from each pixel in one band; from one material's weights to the next's it is `stride` floats. */
ES_VECTORISE
static void
mix_materials (float *restrict out, gsize n, const float *restrict weights, gsize stride,
               const float *restrict spectrum)
{
  G_STATIC_ASSERT (ES_N_MATERIALS == 5);
  const float *w1 = weights + stride, *w2 = w1 + stride, *w3 = w2 + stride, *w4 = w3 + stride;
  const float s0 = spectrum[0], s1 = spectrum[1], s2 = spectrum[2], s3 = spectrum[3], s4 = spectrum[4];

  for (gsize i = 0; i < n; i++)
    out[i] += weights[i] * s0 + w1[i] * s1 + w2[i] * s2 + w3[i] * s3 + w4[i] * s4;
}

/* Rounds to the nearest: the sum is positive, and its fraction is cut. */
#define DEFINE_STORE(name, type) \
  ES_VECTORISE static void \
  name (const float *restrict values, gsize n, type *restrict out, gsize stride, float lowest, \
        float highest) \
  { \
    for (gsize i = 0; i < n; i++) \
      { \
        float value = values[i] < lowest ? lowest : values[i]; \
        value = value > highest ? highest : value; \
        out[i * stride] = (type) ((gint32) (value + 32768.5f) - 32768); \
      } \
  }

DEFINE_STORE (store_uint8, guint8)
DEFINE_STORE (store_int16, gint16)
DEFINE_STORE (store_uint16, guint16)

static void
store_values (const EsSimulation *self, const float *values, gsize n, char *out, gsize stride)
{
  const EsSampleStorage *storage = self->storage;

  switch (self->type)
    {
    case ES_SIMULATE_UINT8:
      store_uint8 (values, n, (guint8 *) out, stride, storage->lowest, storage->highest);
      break;
    case ES_SIMULATE_INT16:
      store_int16 (values, n, (gint16 *) out, stride, storage->lowest, storage->highest);
      break;
    case ES_SIMULATE_UINT16:
      store_uint16 (values, n, (guint16 *) out, stride, storage->lowest, storage->highest);
      break;
    case ES_SIMULATE_FLOAT32:
    default:
      for (gsize i = 0; i < n; i++)
        ((float *) out)[i * stride] = values[i];
    }
}

static void
store_missing (const EsSimulation *self, const guint8 *missing, gsize n, char *out, gsize stride)
{
  float value = self->storage->no_data;
  float lowest = value, highest = value;

  for (gsize i = 0; i < n; i++)
    {
      if (!missing[i])
        continue;
      char *at = out + i * stride * self->storage->size;
      if (self->type == ES_SIMULATE_UINT8)
        store_uint8 (&value, 1, (guint8 *) at, 1, lowest, highest);
      else if (self->type == ES_SIMULATE_INT16)
        store_int16 (&value, 1, (gint16 *) at, 1, lowest, highest);
      else if (self->type == ES_SIMULATE_UINT16)
        store_uint16 (&value, 1, (guint16 *) at, 1, lowest, highest);
      else
        memcpy (at, &value, sizeof value);
    }
}

static void
swap_bytes (char *data, gsize n, gsize size)
{
  if (size == 2)
    for (gsize i = 0; i < n; i++)
      ((guint16 *) data)[i] = GUINT16_SWAP_LE_BE (((guint16 *) data)[i]);
  else if (size == 4)
    for (gsize i = 0; i < n; i++)
      ((guint32 *) data)[i] = GUINT32_SWAP_LE_BE (((guint32 *) data)[i]);
}

/* ---- tiles ---- */

typedef struct
{
  guint64  x, y;
  gsize    width, height;
} Tile;

typedef struct
{
  char    *samples;            /* in the file's interleave */
  float   *abundances;         /* planes; weighted by the light once they have been written */
  float   *illumination;
  float   *stripes;            /* tile's width a band */
  float   *row;
  guint8  *missing;
} Buffers;

guint64
es_simulation_random_key (const EsSimulation *self, guint stream, guint64 counter)
{
  return es_random_mix (self->seed * 8 + stream) + counter;
}

static void
make_row (const EsSimulation *self, const Buffers *buffers, const Tile *tile, gsize j, gsize first, gsize n,
          guint band)
{
  const gsize size = self->storage->size, pixels = tile->width * tile->height;
  const guint64 y = tile->y + j;
  gsize at, stride = 1;
  float *row = buffers->row;

  if (self->interleave == ES_SIMULATE_BSQ)
    at = (band * tile->height + j) * tile->width + first;
  else if (self->interleave == ES_SIMULATE_BIL)
    at = (j * self->bands + band) * tile->width + first;
  else
    {
      at = (j * tile->width + first) * self->bands + band;
      stride = self->bands;
    }

  if (self->stripes > 0)
    memcpy (row, buffers->stripes + band * tile->width + first, n * sizeof (float));
  else
    memset (row, 0, n * sizeof (float));
  if (!self->good[band])
    memset (row, 0, n * sizeof (float));
  else
    {
      mix_materials (row, n, buffers->abundances + j * tile->width + first, pixels,
                     self->spectra + band * ES_N_MATERIALS);
      if (self->noise > 0)
        es_random_add_normal (row, n, es_simulation_random_key (self, ES_RANDOM_NOISE, y * self->bands + band),
                              tile->x + first, self->noise_scale[band]);
    }
  store_values (self, row, n, buffers->samples + at * size, stride);
  if (self->scene.missing_below > -G_MAXDOUBLE)
    store_missing (self, buffers->missing + j * tile->width + first, n, buffers->samples + at * size, stride);
}

/* Planes of a tile, each in its place; bytes is of one sample. */
static gboolean
write_planes (const EsOutput *output, const Tile *tile, const void *values, guint planes, gsize bytes,
              guint64 width, guint64 height, GError **error)
{
  const gboolean whole = tile->width == width;
  const gsize pieces = whole ? 1 : tile->height, piece = tile->width * tile->height / pieces * bytes;
  const char *from = values;

  for (guint plane = 0; plane < planes; plane++)
    for (gsize j = 0; j < pieces; j++, from += piece)
      {
        guint64 to = ((plane * height + tile->y + j) * width + tile->x) * bytes;
        if (!es_file_write_at (output->fd, output->path, from, piece, to, error))
          return FALSE;
      }
  return TRUE;
}

static gboolean
write_samples (const EsSimulation *self, const Tile *tile, const char *samples, GError **error)
{
  const gsize size = self->storage->size;
  const guint64 row_samples = self->width * self->bands;

  if (self->interleave == ES_SIMULATE_BSQ)
    return write_planes (self->cube, tile, samples, self->bands, size, self->width, self->height, error);

  /* Whole rows of the file are one piece; parts of them one a row, and in BIL one a band, too. */
  const gboolean whole = tile->width == self->width;
  const gsize bands = self->interleave == ES_SIMULATE_BIL && !whole ? self->bands : 1;
  const gsize rows = whole ? 1 : tile->height;
  const gsize piece = tile->width * tile->height * self->bands * size / (rows * bands);

  for (gsize j = 0; j < rows; j++)
    for (gsize b = 0; b < bands; b++)
      {
        guint64 to = (tile->y + j) * row_samples;

        to += self->interleave == ES_SIMULATE_BIL ? b * self->width + tile->x : tile->x * self->bands;
        if (!es_file_write_at (self->cube->fd, self->cube->path, samples, piece, to * size, error))
          return FALSE;
        samples += piece;
      }
  return TRUE;
}

static gboolean
make_tile (const EsSimulation *self, const Buffers *buffers, const Tile *tile, GError **error)
{
  const gsize pixels = tile->width * tile->height;
  const gsize chunk = self->interleave == ES_SIMULATE_BIP ? PIXEL_CHUNK : tile->width;

  es_scene_render (&self->scene, tile->x, tile->y, tile->width, tile->height, buffers->abundances,
                   buffers->illumination, buffers->missing);
  if (!write_planes (self->abundances, tile, buffers->abundances, ES_N_MATERIALS, sizeof (float), self->width,
                     self->height, error))
    return FALSE;
  for (guint k = 0; k < ES_N_MATERIALS; k++)
    for (gsize p = 0; p < pixels; p++)
      buffers->abundances[k * pixels + p] *= buffers->illumination[p];

  if (self->stripes > 0)
    {
      memset (buffers->stripes, 0, self->bands * tile->width * sizeof (float));
      for (guint band = 0; band < self->bands; band++)
        es_random_add_normal (buffers->stripes + band * tile->width, tile->width,
                              es_simulation_random_key (self, ES_RANDOM_STRIPES, band), tile->x,
                              self->stripes * self->storage->scale);
    }

  for (gsize j = 0; j < tile->height; j++)
    for (gsize first = 0; first < tile->width; first += chunk)
      for (guint band = 0; band < self->bands; band++)
        make_row (self, buffers, tile, j, first, MIN (chunk, tile->width - first), band);

  if (self->swap)
    swap_bytes (buffers->samples, pixels * self->bands, self->storage->size);
  return write_samples (self, tile, buffers->samples, error);
}

/* ---- threads ---- */

/* The next tile to be made; FALSE where there is none, or something went wrong elsewhere. */
static gboolean
take_tile (EsSimulation *self, Tile *tile)
{
  g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&self->mutex);

  if (self->error != NULL || self->next == self->tiles
      || g_cancellable_set_error_if_cancelled (self->cancellable, &self->error))
    return FALSE;

  guint64 number = self->next++;
  tile->x = number % self->tiles_across * self->tile_width;
  tile->y = number / self->tiles_across * self->tile_height;
  tile->width = MIN (self->tile_width, self->width - tile->x);
  tile->height = MIN (self->tile_height, self->height - tile->y);
  return TRUE;
}

/* Returns the share of the whole that is done. */
static double
finish_tile (EsSimulation *self, GError *error)
{
  g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&self->mutex);

  if (error == NULL)
    self->done++;
  else if (self->error == NULL)
    self->error = error;
  else
    g_error_free (error);
  return (double) self->done / self->tiles;
}

static void
make_tiles (EsSimulation *self, void (*progress) (double fraction, gpointer data), gpointer data)
{
  const gsize pixels = self->tile_width * self->tile_height;
  g_autofree char *samples = g_try_malloc (pixels * self->bands * self->storage->size);
  g_autofree float *abundances = g_try_new (float, pixels * ES_N_MATERIALS);
  g_autofree float *illumination = g_try_new (float, pixels);
  g_autofree float *stripes = g_try_new (float, self->tile_width * self->bands);
  g_autofree float *row = g_try_new (float, self->tile_width);
  g_autofree guint8 *missing = g_try_malloc (pixels);
  Buffers buffers = { samples, abundances, illumination, stripes, row, missing };
  Tile tile;

  if (samples == NULL || abundances == NULL || illumination == NULL || stripes == NULL || row == NULL
      || missing == NULL)
    {
      finish_tile (self, g_error_new (ES_COMPUTE_ERROR, ES_COMPUTE_ERROR_MEMORY,
                                      _("There is no memory for tiles of %llu × %llu pixels and %u bands."),
                                      (unsigned long long) self->tile_width,
                                      (unsigned long long) self->tile_height, self->bands));
      return;
    }

  while (take_tile (self, &tile))
    {
      GError *error = NULL;
      make_tile (self, &buffers, &tile, &error);
      double fraction = finish_tile (self, error);
      if (progress != NULL)
        progress (fraction, data);
    }
}

static gpointer
thread_main (gpointer data)
{
  make_tiles (data, NULL, NULL);
  return NULL;
}

void
es_simulation_prepare_tiles (EsSimulation *self)
{
  /* In floats, so that the tiles are not larger where samples are small. */
  const gsize pixel_bytes = self->bands * sizeof (float);

  self->tile_width = MIN (self->width, MAX (TILE_BYTES / pixel_bytes, PIXEL_CHUNK));
  self->tile_height = CLAMP (TILE_BYTES / (pixel_bytes * self->tile_width), 1, MIN (self->height, 64));
  self->tiles_across = (self->width + self->tile_width - 1) / self->tile_width;
  self->tiles = self->tiles_across * ((self->height + self->tile_height - 1) / self->tile_height);
}

gboolean
es_simulation_make_cube (EsSimulation *self, void (*progress) (double fraction, gpointer data), gpointer data,
                         GError **error)
{
  GThread *threads[MOST_THREADS] = { NULL };
  const guint n = MIN (MIN (g_get_num_processors (), MOST_THREADS), self->tiles);

  /* This thread is one of them; where no other can be had, it does it all. */
  for (guint i = 1; i < n; i++)
    threads[i] = g_thread_try_new ("simulate", thread_main, self, NULL);
  make_tiles (self, progress, data);
  for (guint i = 1; i < n; i++)
    if (threads[i] != NULL)
      g_thread_join (threads[i]);

  if (self->error != NULL)
    {
      g_propagate_error (error, g_steal_pointer (&self->error));
      return FALSE;
    }
  if (progress != NULL)
    progress (1, data);
  return TRUE;
}
