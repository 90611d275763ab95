/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * A back end for tests on machines without a GPU: "cards" whose memory is the host's, guarded at both ends, whose hot
 * spots are the CPU's, and which fail when they are told to.
 *
 *   ES_FAKE_DEVICES          cards, 2 where not set
 *   ES_FAKE_MEMORY           bytes of each, 268435456 where not set
 *   ES_FAKE_FAIL_ALLOCATION  the n-th memory_new from when the value was set fails; "n+": every one from the n-th on
 *   ES_FAKE_LOSE_AT          at the n-th hot spot, copy or wait from when the value was set its card is lost
 *   ES_FAKE_DELAY_US         every hot spot takes that much longer
 *   ES_FAKE_EIGEN_LARGEST    larger eigenproblems are ESK_ERROR_ARGUMENT; ESK_ERROR_MEMORY where it is negative
 *   ES_FAKE_ABI              the ABI that the module claims to have
 *   ES_FAKE_GL               1: every card drives the current GL context
 */

#include "fake-device.h"

#include "es-eigen.h"

#include <dlfcn.h>
#include <math.h>
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

struct _EskTexture {
  unsigned texture;
};

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

static long
number (const char *name, long otherwise)
{
  const char *text = getenv (name);

  return text != NULL && *text != '\0' ? atol (text) : otherwise;
}

static int
n_cards (void)
{
  long n = number ("ES_FAKE_DEVICES", 2);

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

/* Every call on a card comes through here. */
int
fake_work (EskStream *stream)
{
  long delay = number ("ES_FAKE_DELAY_US", 0);
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
  size_t memory = (size_t) number ("ES_FAKE_MEMORY", 256l << 20);
  Block *block = NULL;

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

  if (device < 0 || device >= n_cards ())
    return NULL;
  stream = calloc (1, sizeof *stream);
  if (stream == NULL)
    return NULL;
  stream->device = device;
  stream->cpu = esk_cpu_hotspots ()->stream_new (0);
  return stream;
}

static void
fake_stream_free (EskStream *stream)
{
  if (stream == NULL)
    return;
  esk_cpu_hotspots ()->stream_free (stream->cpu);
  free (stream->bands);
  free (stream->valid);
  free (stream);
}

static const char *
fake_last_error (EskStream *stream)
{
  return lost[stream->device] ? "the card has fallen off the bus" : "";
}

static int
fake_upload (EskStream *stream, void *to, const void *from, size_t bytes)
{
  int code = fake_work (stream);

  if (code == ESK_OK)
    memcpy (to, from, bytes);
  return code;
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
static EskSelection
whole_selection (EskStream *stream, const EskTile *planes, const EskSelection *selection)
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
static const uint8_t *
packed_valid (EskStream *stream, const EskTile *planes, const uint8_t *valid)
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

static bool
are_planes (const EskTile *tile)
{
  return tile->column_stride == 1 && tile->row_stride >= (ptrdiff_t) tile->width && !tile->byte_swapped
         && (tile->bands < 2 || tile->band_stride >= (ptrdiff_t) ((tile->height - 1) * (size_t) tile->row_stride
                                                                  + tile->width));
}

static int
fake_load (EskStream *stream, const EskTile *tile, const EskSelection *selection, const EskTile *planes,
           uint8_t *valid)
{
  const EskHotspots *cpu = esk_cpu_hotspots ();
  size_t size = esk_type_size (tile->type), n_valid;
  int code = fake_work (stream);

  if (code != ESK_OK)
    return code;
  if (!are_planes (planes) || planes->type != tile->type || planes->width != tile->width
      || planes->height != tile->height || planes->bands != selection->n_bands)
    return ESK_ERROR_ARGUMENT;

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
  code = cpu->valid_pixels (stream->cpu, tile, selection, packed, &n_valid);
  for (size_t y = 0; y < tile->height; y++)
    memcpy (valid + y * (size_t) planes->row_stride, packed + y * tile->width, tile->width);
  free (packed);
  return code;
}

static int
fake_valid_pixels (EskStream *stream, const EskTile *tile, const EskSelection *selection, uint8_t *valid,
                   size_t *n_valid)
{
  int code = fake_work (stream);
  EskSelection whole = whole_selection (stream, tile, selection);

  whole.no_data = selection != NULL ? selection->no_data : NULL;
  if (code == ESK_OK && (!are_planes (tile) || tile->row_stride != (ptrdiff_t) tile->width))
    code = ESK_ERROR_ARGUMENT;
  return code != ESK_OK ? code : esk_cpu_hotspots ()->valid_pixels (stream->cpu, tile, &whole, valid, n_valid);
}

static int
fake_band_ranges (EskStream *stream, const EskTile *tile, const EskSelection *selection, const uint8_t *valid,
                  double *minimum, double *maximum)
{
  int code = are_planes (tile) ? fake_work (stream) : ESK_ERROR_ARGUMENT;
  EskSelection whole = whole_selection (stream, tile, selection);

  if (code != ESK_OK)
    return code;
  return esk_cpu_hotspots ()->band_ranges (stream->cpu, tile, &whole, packed_valid (stream, tile, valid), minimum,
                                           maximum);
}

static int
fake_band_sums (EskStream *stream, const EskTile *tile, const EskSelection *selection, const uint8_t *valid,
                double *sum, int64_t *count)
{
  int code = are_planes (tile) ? fake_work (stream) : ESK_ERROR_ARGUMENT;
  EskSelection whole = whole_selection (stream, tile, selection);

  return code != ESK_OK ? code : esk_cpu_hotspots ()->band_sums (stream->cpu, tile, &whole,
                                                                 packed_valid (stream, tile, valid), sum, count);
}

/* What has been summed "on the card". */
static void
free_sums (void *data)
{
  EskCovariance *sums = data;

  esk_covariance_clear (sums);
  free (sums);
}

/* The sums "on the card" that go with these, made where there are none yet. */
static int
device_sums_of (EskCovariance *covariance)
{
  EskCovariance *sums;
  int code;

  if (covariance->device_sums != NULL)
    return ESK_OK;
  sums = malloc (sizeof *sums);
  code = esk_covariance_init (sums, covariance->n_bands, covariance->exact, covariance->shift);
  sums->precise = covariance->precise;
  covariance->device_sums = sums;
  covariance->device_sums_free = free_sums;
  return code;
}

static int
fake_covariance_sums (EskStream *stream, const EskTile *tile, const EskSelection *selection, const uint8_t *valid,
                      EskCovariance *covariance)
{
  int code = are_planes (tile) ? fake_work (stream) : ESK_ERROR_ARGUMENT;
  EskSelection whole = whole_selection (stream, tile, selection);

  if (code == ESK_OK)
    code = device_sums_of (covariance);
  return code != ESK_OK ? code
                        : esk_cpu_hotspots ()->covariance_sums (stream->cpu, tile, &whole,
                                                                packed_valid (stream, tile, valid),
                                                                covariance->device_sums);
}

static int
fake_covariance_collect (EskStream *stream, EskCovariance *covariance)
{
  int code = fake_work (stream);

  if (code == ESK_OK && covariance->device_sums != NULL)
    {
      code = esk_covariance_merge (covariance, covariance->device_sums);
      esk_covariance_reset (covariance->device_sums);
    }
  return code;
}

static int
fake_project (EskStream *stream, const EskTile *tile, const EskSelection *selection, const uint8_t *valid,
              const EskMatrix *basis, const double *mean, float *out, size_t plane_stride)
{
  int code = are_planes (tile) ? fake_work (stream) : ESK_ERROR_ARGUMENT;
  EskSelection whole = whole_selection (stream, tile, selection);

  return code != ESK_OK ? code : esk_cpu_hotspots ()->project (stream->cpu, tile, &whole,
                                                               packed_valid (stream, tile, valid), basis, mean, out,
                                                               plane_stride);
}

static int
fake_eigen_symmetric (EskStream *stream, size_t n, const double *matrix, double *values, double *vectors)
{
  const long largest = number ("ES_FAKE_EIGEN_LARGEST", 0);
  double *copy;
  int code = fake_work (stream);

  if (largest != 0 && n > (size_t) labs (largest))
    return largest > 0 ? ESK_ERROR_ARGUMENT : ESK_ERROR_MEMORY;
  copy = malloc (n * n * sizeof *copy);
  memcpy (copy, matrix, n * n * sizeof *copy);
  if (code == ESK_OK)
    code = esk_eigen_lapack (n, copy, values, vectors);
  free (copy);
  return code;
}

static int
fake_noise_residual (EskStream *stream, const EskTile *tile, const EskSelection *selection, const uint8_t *valid,
                     EskNoiseKind kind, EskNoisePart part, const EskMargin *margin, const EskTile *out,
                     uint8_t *out_valid, uint32_t *overflow)
{
  int code = are_planes (tile) && are_planes (out) ? fake_work (stream) : ESK_ERROR_ARGUMENT;
  EskSelection whole = whole_selection (stream, tile, selection);

  if (code != ESK_OK)
    return code;
  return esk_cpu_hotspots ()->noise_residual (stream->cpu, tile, &whole, packed_valid (stream, tile, valid), kind,
                                              part, margin, out, out_valid, overflow);
}

static int
fake_compact (EskStream *stream, const float *planes, size_t n, size_t plane_stride, size_t n_planes,
              const EskSampling *sampling, float *out, size_t out_stride, size_t *count)
{
  int code = fake_work (stream);

  return code != ESK_OK ? code : esk_cpu_hotspots ()->compact (stream->cpu, planes, n, plane_stride, n_planes,
                                                               sampling, out, out_stride, count);
}

static int
fake_ica_step (EskStream *stream, const float *whitened, size_t count, size_t plane_stride,
               const EskContrast *contrast, const EskMatrix *w, EskIcaSums *sums)
{
  int code = fake_work (stream);

  return code != ESK_OK ? code : esk_cpu_hotspots ()->ica_step (stream->cpu, whitened, count, plane_stride, contrast,
                                                                w, sums);
}

static int
fake_ica_moments (EskStream *stream, const float *whitened, size_t count, size_t plane_stride,
                  const EskContrast *contrast, const EskMatrix *w, EskIcaMoments *moments)
{
  int code = fake_work (stream);

  return code != ESK_OK ? code : esk_cpu_hotspots ()->ica_moments (stream->cpu, whitened, count, plane_stride,
                                                                   contrast, w, moments);
}

static int
fake_moment_sums (EskStream *stream, const float *whitened, size_t count, size_t plane_stride, size_t m,
                  EskCovariance *sums)
{
  int code = fake_work (stream);

  if (code == ESK_OK)
    code = device_sums_of (sums);
  return code != ESK_OK ? code : esk_cpu_hotspots ()->moment_sums (stream->cpu, whitened, count, plane_stride, m,
                                                                   sums->device_sums);
}

static int
fake_project_error (EskStream *stream, const EskTile *tile, const EskSelection *selection, const uint8_t *valid,
                    const EskMatrix *forward, const EskMatrix *backward, const double *mean, const double *scale,
                    const double *offset, float *rmse, float *angle, EskErrorSums *sums)
{
  int code = are_planes (tile) ? fake_work (stream) : ESK_ERROR_ARGUMENT;
  EskSelection whole = whole_selection (stream, tile, selection);

  if (code != ESK_OK)
    return code;
  return esk_cpu_hotspots ()->project_error (stream->cpu, tile, &whole, packed_valid (stream, tile, valid), forward,
                                             backward, mean, scale, offset, rmse, angle, sums);
}

static int
fake_device_count (char *why, size_t why_bytes)
{
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
  info->memory = (uint64_t) number ("ES_FAKE_MEMORY", 256l << 20);
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

static int
compare_floats (const void *a, const void *b)
{
  float x = *(const float *) a, y = *(const float *) b;

  return (x > y) - (x < y);
}

static int
fake_plane_statistics (EskStream *stream, const float *plane, size_t n, size_t step, EskPlaneStatistics *out)
{
  float *sorted = malloc ((n / step + 1) * sizeof *sorted);
  size_t count = 0;
  double sum = 0, squares = 0;
  int code = fake_work (stream);

  memset (out, 0, sizeof *out);
  for (size_t i = 0; i < n; i += step)
    if (isfinite (plane[i]))
      {
        sorted[count++] = plane[i];
        sum += plane[i];
      }
  if (count > 0)
    {
      qsort (sorted, count, sizeof *sorted, compare_floats);
      out->n_valid = count;
      out->minimum = sorted[0];
      out->maximum = sorted[count - 1];
      out->mean = sum / (double) count;
      for (size_t i = 0; i < count; i++)
        {
          double span = out->maximum - out->minimum;
          double bin = span > 0 ? (sorted[i] - out->minimum) / span * 256 : 0;

          out->histogram[bin < 0 ? 0 : bin > 255 ? 255 : (unsigned) bin]++;
          squares += (sorted[i] - out->mean) * (sorted[i] - out->mean);
        }
      out->deviation = count > 1 ? sqrt (squares / (double) (count - 1)) : 0;
      for (unsigned q = 0; q <= 1000; q++)
        {
          double place = q / 1000.0 * (double) (count - 1);
          size_t below = (size_t) place, above = below + 1 < count ? below + 1 : count - 1;

          out->quantiles[q] = sorted[below] + ((double) sorted[above] - sorted[below]) * (place - (double) below);
        }
    }
  free (sorted);
  return code;
}

static int
fake_plane_halve (EskStream *stream, const float *from, size_t width, size_t height, float *to)
{
  for (size_t y = 0; y < (height + 1) / 2; y++)
    for (size_t x = 0; x < (width + 1) / 2; x++)
      {
        size_t right = 2 * x + 1 < width ? 2 * x + 1 : width - 1, below = 2 * y + 1 < height ? 2 * y + 1 : 2 * y;
        float four[4] = { from[2 * y * width + 2 * x], from[2 * y * width + right],
                          from[below * width + 2 * x], from[below * width + right] };
        float all = (four[0] + four[1]) + (four[2] + four[3]), sum = 0;
        int n = 0;

        for (int i = 0; i < 4; i++)
          if (!isnan (four[i]))
            {
              sum += four[i];
              n++;
            }
        to[y * ((width + 1) / 2) + x] = !isnan (all) ? all * 0.25f : n > 0 ? sum / (float) n : NAN;
      }
  return fake_work (stream);
}

static int
fake_plane_decimate (EskStream *stream, const float *from, size_t stride, size_t width, size_t height, size_t step,
                     float *to)
{
  for (size_t y = 0; y < height; y += step)
    for (size_t x = 0; x < width; x += step)
      *to++ = from[y * stride + x];
  return fake_work (stream);
}

/* ---- OpenGL: without linking it, by the names that a program with a context has ---- */

#define GL_TEXTURE_2D 0x0de1
#define GL_TEXTURE_BINDING_2D 0x8069
#define GL_RED 0x1903
#define GL_FLOAT 0x1406

static void *
gl (const char *name)
{
  static void *library;

  if (library == NULL)
    library = dlopen ("libGL.so.1", RTLD_LAZY | RTLD_LOCAL);
  return library != NULL ? dlsym (library, name) : NULL;
}

static int
fake_gl_shares (EskStream *stream, int device)
{
  (void) stream;
  (void) device;
  return number ("ES_FAKE_GL", 0) == 1 ? 1 : ESK_ERROR_DEVICE;
}

static int
fake_gl_register (EskStream *stream, unsigned texture, EskTexture **out)
{
  int code = number ("ES_FAKE_GL", 0) == 1 ? fake_work (stream) : ESK_ERROR_DEVICE;

  *out = NULL;
  if (code == ESK_OK)
    {
      *out = malloc (sizeof **out);
      (*out)->texture = texture;
    }
  return code;
}

static void
fake_gl_unregister (EskStream *stream, EskTexture *texture)
{
  (void) stream;
  free (texture);
}

static int
fake_gl_copy (EskStream *stream, EskTexture *texture, const float *plane, size_t width, size_t height)
{
  void (*get_integer) (unsigned, int *) = (void (*) (unsigned, int *)) gl ("glGetIntegerv");
  void (*bind_texture) (unsigned, unsigned) = (void (*) (unsigned, unsigned)) gl ("glBindTexture");
  void (*sub_image) (unsigned, int, int, int, int, int, unsigned, unsigned, const void *) =
    (void (*) (unsigned, int, int, int, int, int, unsigned, unsigned, const void *)) gl ("glTexSubImage2D");
  int before = 0, code = fake_work (stream);

  if (code != ESK_OK)
    return code;
  if (get_integer == NULL || bind_texture == NULL || sub_image == NULL)
    return ESK_ERROR_DEVICE;
  get_integer (GL_TEXTURE_BINDING_2D, &before);
  bind_texture (GL_TEXTURE_2D, texture->texture);
  sub_image (GL_TEXTURE_2D, 0, 0, 0, (int) width, (int) height, GL_RED, GL_FLOAT, plane);
  bind_texture (GL_TEXTURE_2D, (unsigned) before);
  return ESK_OK;
}

static EskHotspots hotspots = {
  .abi = ESK_HOTSPOTS_ABI,
  .name = "cuda",
  .stream_new = fake_stream_new,
  .stream_free = fake_stream_free,
  .last_error = fake_last_error,
  .valid_pixels = fake_valid_pixels,
  .band_ranges = fake_band_ranges,
  .band_sums = fake_band_sums,
  .covariance_sums = fake_covariance_sums,
  .covariance_collect = fake_covariance_collect,
  .project = fake_project,
  .eigen_symmetric = fake_eigen_symmetric,
  .noise_residual = fake_noise_residual,
  .compact = fake_compact,
  .ica_step = fake_ica_step,
  .ica_moments = fake_ica_moments,
  .moment_sums = fake_moment_sums,
  .project_error = fake_project_error,
  .dft_new = fake_dft_new,
  .dft_free = fake_dft_free,
  .real_dft = fake_real_dft,
  .beams_new = fake_beams_new,
  .beams_free = fake_beams_free,
  .beam_power = fake_beam_power,
  .adaptive_new = fake_adaptive_new,
  .adaptive_free = fake_adaptive_free,
  .adaptive_reset = fake_adaptive_reset,
  .adaptive_add = fake_adaptive_add,
  .adaptive_power = fake_adaptive_power,
  .adaptive_state = fake_adaptive_state,
  .device_count = fake_device_count,
  .device_info = fake_device_info,
  .device_warm_up = fake_warm_up,
  .memory_new = fake_memory_new,
  .memory_free = fake_memory_free,
  .staging_new = malloc,
  .staging_free = free,
  .upload = fake_upload,
  .download = fake_download,
  .wait = fake_work,
  .load = fake_load,
  .plane_statistics = fake_plane_statistics,
  .plane_halve = fake_plane_halve,
  .plane_decimate = fake_plane_decimate,
  .gl_shares = fake_gl_shares,
  .gl_register = fake_gl_register,
  .gl_unregister = fake_gl_unregister,
  .gl_copy = fake_gl_copy,
};

__attribute__ ((visibility ("default"))) const EskHotspots *esk_module_hotspots (unsigned abi, char *why,
                                                                                 size_t why_bytes);

const EskHotspots *
esk_module_hotspots (unsigned abi, char *why, size_t why_bytes)
{
  unsigned own = (unsigned) number ("ES_FAKE_ABI", ESK_HOTSPOTS_ABI);

  if (abi == own)
    return &hotspots;
  snprintf (why, why_bytes, "it is made for interface %u, the program for %u", own, abi);
  return NULL;
}
