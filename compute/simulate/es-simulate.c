/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-simulate.h"

#include <float.h>
#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>
#include <sys/statvfs.h>

#include "writers/es-envi-text-internal.h"
#include "base/es-error.h"
#include "base/es-file-internal.h"
#include "es-simulate-private.h"

#define TILE_BYTES (8 << 20)
#define MOST_THREADS 16
/* Pixels of a row made at a time where bands are interleaved by pixel: they stay in the first cache. */
#define PIXEL_CHUNK 64

static const EsParamChoice type_choices[] = {
  { "uint8", N_("8-bit unsigned") },
  { "int16", N_("16-bit signed") },
  { "uint16", N_("16-bit unsigned") },
  { "float32", N_("32-bit floating point") },
  { NULL },
};

static const EsParamChoice interleave_choices[] = {
  { "bsq", N_("By band (BSQ)") },
  { "bil", N_("By line (BIL)") },
  { "bip", N_("By pixel (BIP)") },
  { NULL },
};

static const EsParamChoice sources_choices[] = {
  { "mixed", N_("A landscape: parts of one whole") },
  { "independent", N_("Independent of each other") },
  { NULL },
};

static const EsParamChoice order_choices[] = {
  { "little", N_("Little endian") },
  { "big", N_("Big endian") },
  { NULL },
};

const EsParamSpec es_simulate_cube_params[] = {
  { .key = "width", .label = N_("Width"), .help = N_("Pixels in a row."), .unit = N_("pixels"),
    .type = ES_PARAM_INT, .minimum = 1, .maximum = 1000000, .default_value = 320, .step = 16 },
  { .key = "height", .label = N_("Height"), .help = N_("Rows of pixels."), .unit = N_("pixels"),
    .type = ES_PARAM_INT, .minimum = 1, .maximum = 1000000, .default_value = 256, .step = 16 },
  { .key = "bands", .label = N_("Bands"), .help = N_("Spectral bands, evenly spaced from 400 to 2,500 nm."),
    .type = ES_PARAM_INT, .minimum = 1, .maximum = 65535, .default_value = 224, .step = 1 },
  { .key = "seed", .label = N_("Seed"),
    .help = N_("Another number makes another scene; the same number, the same bytes."),
    .type = ES_PARAM_INT, .minimum = 0, .maximum = G_MAXUINT32, .default_value = 1, .step = 1 },
  { .key = "type", .label = N_("Sample type"),
    .help = N_("How a sample is stored. Integers hold reflectance times 10,000, 8-bit ones times 255."),
    .type = ES_PARAM_CHOICE, .default_value = 1, .choices = type_choices },
  { .key = "interleave", .label = N_("Interleave"), .help = N_("The order of samples in the file."),
    .type = ES_PARAM_CHOICE, .default_value = 0, .choices = interleave_choices },
  { .key = "byte-order", .label = N_("Byte order"), .help = N_("The order of bytes in a sample."),
    .type = ES_PARAM_CHOICE, .default_value = 0, .choices = order_choices },
  { .key = "sources", .label = N_("Sources"),
    .help = N_("How much of each material is where: a landscape, in which a pixel's shares sum to one, or maps that "
               "know nothing of each other and are mixed linearly under even light, which an independent component "
               "analysis can tell apart."),
    .type = ES_PARAM_CHOICE, .default_value = 0, .choices = sources_choices },
  { .key = "relief", .label = N_("Relief"), .help = N_("How much hills change the light, at most."),
    .unit = "%", .type = ES_PARAM_FLOAT, .minimum = 0, .maximum = 0.9, .default_value = 0.4, .step = 0.05,
    .zero_label = N_("even light"), .visible_if = "sources=mixed" },
  { .key = "noise", .label = N_("Noise"),
    .help = N_("Standard deviation of the sensor's noise, as reflectance, in its best bands. It is several "
               "times larger at the ends of the spectrum and where water vapour absorbs."),
    .unit = "%", .type = ES_PARAM_FLOAT, .group = ES_PARAM_GROUP_THRESHOLDS, .minimum = 0, .maximum = 1,
    .default_value = 0.002, .step = 0.0005, .digits = 2, .zero_label = N_("none") },
  { .key = "stripes", .label = N_("Stripes"),
    .help = N_("Standard deviation of the offsets between the sensor's columns, as reflectance."),
    .unit = "%", .type = ES_PARAM_FLOAT, .group = ES_PARAM_GROUP_THRESHOLDS, .minimum = 0, .maximum = 1,
    .default_value = 0.0005, .step = 0.0005, .digits = 2, .zero_label = N_("none") },
  { .key = "dead-bands", .label = N_("Dead bands"),
    .help = N_("Bands that hold zeros and are marked bad in the header; at most half of the bands."),
    .type = ES_PARAM_INT, .group = ES_PARAM_GROUP_THRESHOLDS, .minimum = 0, .maximum = 32767,
    .default_value = 2, .step = 1, .zero_label = N_("none") },
  { .key = "no-data", .label = N_("Missing pixels"),
    .help = N_("Share of the pixels without data: two corners of the swath and a hole."),
    .unit = "%", .type = ES_PARAM_FLOAT, .group = ES_PARAM_GROUP_THRESHOLDS, .minimum = 0, .maximum = 0.9,
    .default_value = 0.01, .step = 0.01, .digits = 1, .zero_label = N_("none") },
  { .key = "georeference", .label = N_("Georeference"), .help = N_("Places the scene in UTM zone 33 north."),
    .type = ES_PARAM_BOOL, .default_value = 1 },
  { .key = "pixel-size", .label = N_("Pixel size"), .help = N_("The side of a pixel on the ground."),
    .unit = N_("m"), .type = ES_PARAM_FLOAT, .minimum = 0.1, .maximum = 10000, .default_value = 30,
    .step = 1, .digits = 1, .visible_if = "georeference=yes" },
  { .type = ES_PARAM_END },
};

/* In the order of type_choices. */
static const EsSampleStorage storages[] = {
  { 1, 1, 255, 0, 254, 255 },
  { 2, 2, 10000, -5000, 32000, -9999 },
  { 12, 2, 10000, 0, 65534, 65535 },
  { 4, 4, 1, -FLT_MAX, FLT_MAX, -9999 },
};

enum { RANDOM_NOISE, RANDOM_STRIPES, RANDOM_DEAD };

static void
simulation_clear (EsSimulation *self)
{
  g_free (self->wavelength);
  g_free (self->good);
  g_free (self->spectra);
  g_free (self->noise_scale);
  g_clear_error (&self->error);
  g_mutex_clear (&self->mutex);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (EsSimulation, simulation_clear)

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

static guint64
random_key (const EsSimulation *self, guint stream, guint64 counter)
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
        es_random_add_normal (row, n, random_key (self, RANDOM_NOISE, y * self->bands + band),
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
                              random_key (self, RANDOM_STRIPES, band), tile->x,
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

static gboolean
make_cube (EsSimulation *self, void (*progress) (double fraction, gpointer data), gpointer data, GError **error)
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

/* ---- preparation ---- */

/* The deepest water vapour goes first, as on real sensors; then any. */
static void
kill_bands (EsSimulation *self, guint n)
{
  static const double first[] = { 1385, 1890 };
  guint64 counter = 0;

  n = MIN (n, self->bands / 2);
  for (guint killed = 0; killed < n; )
    {
      guint band = killed < G_N_ELEMENTS (first) && counter < G_N_ELEMENTS (first)
                     ? es_simulation_nearest_band (self, first[counter])
                     : es_random_mix (random_key (self, RANDOM_DEAD, counter)) % self->bands;
      counter++;
      if (self->good[band])
        killed++;
      self->good[band] = FALSE;
    }
}

static void
prepare_bands (EsSimulation *self, guint dead)
{
  self->wavelength = g_new (double, self->bands);
  self->good = g_new (gboolean, self->bands);
  self->spectra = g_new (float, (gsize) self->bands * ES_N_MATERIALS);
  self->noise_scale = g_new (float, self->bands);
  for (guint b = 0; b < self->bands; b++)
    {
      self->wavelength[b] = self->bands > 1 ? 400 + 2100.0 * b / (self->bands - 1) : 550;
      self->good[b] = TRUE;
      for (guint k = 0; k < ES_N_MATERIALS; k++)
        self->spectra[b * ES_N_MATERIALS + k] =
          es_material_reflectance (k, self->wavelength[b]) * self->storage->scale;
      self->noise_scale[b] = self->noise * es_sensor_noise (self->wavelength[b]) * self->storage->scale;
    }
  kill_bands (self, dead);
}

static void
prepare_tiles (EsSimulation *self)
{
  /* In floats, so that the tiles are not larger where samples are small. */
  const gsize pixel_bytes = self->bands * sizeof (float);

  self->tile_width = MIN (self->width, MAX (TILE_BYTES / pixel_bytes, PIXEL_CHUNK));
  self->tile_height = CLAMP (TILE_BYTES / (pixel_bytes * self->tile_width), 1, MIN (self->height, 64));
  self->tiles_across = (self->width + self->tile_width - 1) / self->tile_width;
  self->tiles = self->tiles_across * ((self->height + self->tile_height - 1) / self->tile_height);
}

static void
prepare (EsSimulation *self, EsParams *params)
{
  g_mutex_init (&self->mutex);
  self->width = es_params_get_int (params, "width");
  self->height = es_params_get_int (params, "height");
  self->bands = es_params_get_int (params, "bands");
  self->seed = es_params_get_int (params, "seed");
  self->type = es_params_get_choice (params, "type");
  self->storage = &storages[self->type];
  self->interleave = es_params_get_choice (params, "interleave");
  self->swap = (es_params_get_choice (params, "byte-order") == 1) != (G_BYTE_ORDER == G_BIG_ENDIAN);
  self->noise = es_params_get_float (params, "noise");
  self->stripes = es_params_get_float (params, "stripes");
  prepare_bands (self, es_params_get_int (params, "dead-bands"));
  prepare_tiles (self);
}

gboolean
es_simulate_check_space (const char *path, guint64 bytes, GError **error)
{
  g_autofree char *directory = g_path_get_dirname (path);
  struct statvfs space;

  if (statvfs (directory, &space) != 0 || (guint64) space.f_bavail * space.f_frsize >= bytes)
    return TRUE;

  g_autoptr (GFile) file = g_file_new_for_path (path);
  g_autofree char *name = es_error_file_name (file);
  g_autofree char *needed = g_format_size (bytes);
  g_autofree char *there = g_format_size ((guint64) space.f_bavail * space.f_frsize);
  g_set_error (error, ES_DATA_ERROR, ES_DATA_ERROR_WRITE,
               _("“%s” could not be written: it needs %s, but only %s are free on the disk."),
               name, needed, there);
  return FALSE;
}

/* ---- the files ---- */

static gboolean
write_text (EsOutputs *outputs, const char *path, const GString *text, GError **error)
{
  const EsOutput *output = es_outputs_add (outputs, path, FALSE, error);

  return output != NULL && es_file_write (output->fd, output->path, text->str, text->len, error);
}

static const EsOutput *
add_reserved (EsOutputs *outputs, const char *path, guint64 bytes, GError **error)
{
  const EsOutput *output = es_outputs_add (outputs, path, FALSE, error);

  return output != NULL && es_file_reserve (output->fd, output->path, bytes, error) ? output : NULL;
}

gboolean
es_simulate_cube (GFile *target, EsParams *params, void (*progress) (double fraction, gpointer data),
                  gpointer data, GCancellable *cancellable, GError **error)
{
  g_auto (EsSimulation) self = { .cancellable = cancellable };
  g_autoptr (EsOutputs) outputs = es_outputs_new ();
  g_autofree char *path = es_output_local_path (target, error);
  g_autofree char *cube_path = NULL, *header_path = NULL, *stem = NULL;
  guint64 pixels, cube_bytes, truth_bytes, bytes;

  prepare (&self, params);
  if (path == NULL || g_cancellable_set_error_if_cancelled (cancellable, error))
    return FALSE;

  if (!g_uint64_checked_mul (&pixels, self.width, self.height)
      || !g_uint64_checked_mul (&cube_bytes, pixels, self.bands * self.storage->size)
      || !g_uint64_checked_mul (&truth_bytes, pixels, ES_N_MATERIALS * sizeof (float))
      || !g_uint64_checked_add (&bytes, cube_bytes, truth_bytes) || bytes > G_MAXINT64)
    {
      g_set_error (error, ES_DATA_ERROR, ES_DATA_ERROR_SIZE,
                   _("A cube of %llu × %llu pixels and %u bands is too large for a file."),
                   (unsigned long long) self.width, (unsigned long long) self.height, self.bands);
      return FALSE;
    }

  es_envi_paths (path, &cube_path, &header_path, &stem);
  g_autofree char *truth_path = g_strconcat (stem, "_abundances.img", NULL);
  g_autofree char *truth_header_path = g_strconcat (stem, "_abundances.hdr", NULL);
  g_autofree char *endmembers_path = g_strconcat (stem, "_endmembers.csv", NULL);
  if (!es_simulate_check_space (cube_path, bytes, error)
      || (self.cube = add_reserved (outputs, cube_path, cube_bytes, error)) == NULL
      || (self.abundances = add_reserved (outputs, truth_path, truth_bytes, error)) == NULL)
    return FALSE;

  es_scene_init (&self.scene, self.width, self.height, self.seed, es_params_get_float (params, "relief"),
                 es_params_get_float (params, "no-data"));
  self.scene.independent = es_params_get_choice (params, "sources") == 1;
  if (!make_cube (&self, progress, data, error))
    return FALSE;

  g_autoptr (GString) header = es_simulation_cube_header (&self, params);
  g_autoptr (GString) truth_header = es_simulation_truth_header (&self, params);
  g_autoptr (GString) endmembers = es_simulation_endmembers (&self);
  return write_text (outputs, truth_header_path, truth_header, error)
         && write_text (outputs, endmembers_path, endmembers, error)
         && write_text (outputs, header_path, header, error)
         && es_outputs_commit (outputs, error);
}
