/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * The CPU's transforms against sums in float64: all types, layouts and byte orders, odd sizes, windows, overlapping
 * snapshots, elements that miss samples; the same bytes from any number of threads.
 */

#include "es-hotspots.h"
#include "test-scene.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* Sets of inner loops: the fastest there are, those without AVX-512, those for any processor. */
enum { FASTEST, NARROW, PORTABLE, N_LOOPS };
static const char *const loops_names[] = { "fastest", "narrow", "portable" };

static EskStream *
stream_of (gconstpointer loops)
{
  EskStream *stream;

  if (GPOINTER_TO_INT (loops) == NARROW)
    g_setenv ("ES_CPU_AVX512", "0", TRUE);
  stream = test_stream_new (GPOINTER_TO_INT (loops) == PORTABLE);
  g_unsetenv ("ES_CPU_AVX512");

  return stream;
}

static const EskType types[] = { ESK_I16, ESK_I32, ESK_F32, ESK_F64 };

/* Samples of an array in a layout, and what they are in float64. */
typedef struct
{
  EskFrames frames;
  double   *value;             /* frame * channels + channel */
  void     *buffer;
} Recording;

typedef enum { BY_FRAME, BY_CHANNEL, WITH_GAPS, BACKWARDS, N_ORDERS } Order;

static void
recording_set (Recording *self,
               size_t     frame,
               size_t     channel,
               double     value)
{
  const EskType type = self->frames.type;
  const size_t size = esk_type_size (type);
  uint8_t *to = (uint8_t *) self->frames.data
                + ((ptrdiff_t) frame * self->frames.frame_stride + (ptrdiff_t) channel * self->frames.channel_stride)
                  * (ptrdiff_t) size;

  test_store (type, to, value, isfinite (value) ? (TestWhole) value : 0);
  for (size_t k = 0; self->frames.byte_swapped && k < size / 2; k++)
    {
      uint8_t byte = to[k];

      to[k] = to[size - 1 - k];
      to[size - 1 - k] = byte;
    }
  self->value[frame * self->frames.channels + channel] = type == ESK_F32 ? (double) (float) value : value;
}

static Recording *
recording_new (EskType  type,
               size_t   frames,
               size_t   channels,
               Order    order,
               gboolean swapped,
               GRand   *random)
{
  const size_t size = esk_type_size (type);
  const double amplitude = type == ESK_I16 ? 20000 : type == ESK_I32 ? 1.5e9 : 0.7;
  ptrdiff_t gap = order == WITH_GAPS ? 3 : 0;
  Recording *self = g_new0 (Recording, 1);

  self->value = g_new0 (double, frames * channels);
  self->buffer = g_malloc ((frames + 3) * (channels + 3) * size * 2);
  self->frames = (EskFrames) { self->buffer, type, swapped, frames, channels, 0, 0 };
  self->frames.frame_stride = order == BY_CHANNEL ? 1 : (ptrdiff_t) channels + gap;
  self->frames.channel_stride = order == BY_CHANNEL ? (ptrdiff_t) frames : 1;
  if (order == WITH_GAPS)
    {
      self->frames.frame_stride = 2;
      self->frames.channel_stride = 2 * (ptrdiff_t) frames + 1;
    }
  if (order == BACKWARDS)
    {
      self->frames.data = (uint8_t *) self->buffer + ((frames * channels) - 1) * size;
      self->frames.frame_stride = -(ptrdiff_t) channels;
      self->frames.channel_stride = -1;
    }
  for (size_t n = 0; n < frames; n++)
    for (size_t c = 0; c < channels; c++)
      {
        double noise = g_rand_double_range (random, -0.6, 0.6);
        double value = amplitude * (0.4 * sin (0.05 * (double) n + (double) c) + noise);

        recording_set (self, n, c, type == ESK_I16 || type == ESK_I32 ? nearbyint (value) : value);
      }

  return self;
}

static void
recording_free (Recording *self)
{
  g_free (self->value);
  g_free (self->buffer);
  g_free (self);
}

static EskSpectra
spectra_new (const EskDftPlan *plan)
{
  EskSpectra spectra = { NULL, plan->elements, esk_spectra_stride (plan->elements), plan->bins, plan->snapshots };

  spectra.values = test_guarded_new (esk_spectra_bytes (plan->elements, plan->bins, plan->snapshots));
  return spectra;
}

static const float *
part_of (const EskSpectra *spectra,
         size_t            bin,
         size_t            snapshot,
         size_t            part)
{
  return spectra->values + ((bin * spectra->snapshots + snapshot) * 2 + part) * spectra->stride;
}

/* Every number against the definition, relative to what its element's spectrum may be. */
static void
check_spectra (const Recording  *recording,
               const EskDftPlan *plan,
               const EskSpectra *spectra)
{
  const double scale = esk_dft_scale (plan->length, plan->window_length, plan->window);
  g_autofree double *x = g_new (double, plan->window_length);
  g_autofree double *cosine = g_new (double, plan->length), *sine = g_new (double, plan->length);

  for (size_t n = 0; n < plan->length; n++)
    {
      cosine[n] = cos (2.0 * G_PI * (double) n / (double) plan->length);
      sine[n] = sin (2.0 * G_PI * (double) n / (double) plan->length);
    }
  for (size_t s = 0; s < plan->snapshots; s++)
    for (size_t k = 0; k < plan->elements; k++)
      {
        size_t channel = plan->channels != NULL ? plan->channels[k] : k;
        double energy = 0.0, sum = 0.0, tolerance;

        for (size_t n = 0; n < plan->window_length; n++)
          {
            double value = recording->value[(s * plan->hop + n) * recording->frames.channels + channel];

            x[n] = (isfinite (value) ? value : 0.0) * (plan->window != NULL ? (double) plan->window[n] : 1.0)
                   * (plan->gains != NULL ? (double) plan->gains[k] : 1.0) * scale;
            energy += x[n] * x[n];
            sum += fabs (x[n]);
          }
        tolerance = 1e-6 * sqrt (energy) + 1e-7 * sum + DBL_MIN;
        for (size_t b = 0; b < plan->bins; b++)
          {
            size_t bin = plan->first_bin + b, at = 0;
            double re = 0.0, im = 0.0, factor = bin == 0 || bin == plan->length / 2 ? sqrt (0.5) : 1.0;

            for (size_t n = 0; n < plan->window_length; n++)
              {
                re += x[n] * cosine[at];
                im -= x[n] * sine[at];
                at += bin;
                at = at >= plan->length ? at - plan->length : at;
              }
            g_assert_cmpfloat_with_epsilon ((double) part_of (spectra, b, s, 0)[k], re * factor, tolerance);
            g_assert_cmpfloat_with_epsilon ((double) part_of (spectra, b, s, 1)[k], im * factor, tolerance);
          }
      }
  for (size_t s = 0; s < plan->snapshots; s++)
    for (size_t b = 0; b < plan->bins; b++)
      for (size_t k = plan->elements; k < spectra->stride; k++)
        {
          g_assert_cmpfloat (part_of (spectra, b, s, 0)[k], ==, 0);
          g_assert_cmpfloat (part_of (spectra, b, s, 1)[k], ==, 0);
        }
}

static void
transform (EskStream        *stream,
           const EskDftPlan *plan,
           const Recording  *recording,
           const EskSpectra *spectra,
           EskChannelHealth *health)
{
  const EskHotspots *cpu = esk_cpu_hotspots ();
  int code = 1;
  EskDft *dft = cpu->beam->dft_new (stream, plan, &code);

  g_assert_cmpint (code, ==, ESK_OK);
  g_assert_nonnull (dft);
  g_assert_cmpint (cpu->beam->real_dft (stream, dft, &recording->frames, spectra, health), ==, ESK_OK);
  cpu->beam->dft_free (dft);
}

/* ---- sizes, types, layouts ---- */

static void
test_sizes_of (gconstpointer data)
{
  static const struct { size_t length, window_length, hop, snapshots, first_bin, bins, elements; } sizes[] = {
    { 2, 2, 0, 1, 0, 2, 1 },
    { 2, 1, 1, 2, 0, 2, 3 },
    { 4, 3, 2, 2, 1, 2, 9 },
    { 8, 8, 8, 1, 0, 5, 8 },
    { 10, 7, 3, 3, 2, 3, 17 },
    { 16, 16, 1, 2, 0, 9, 5 },
    { 32, 20, 7, 4, 3, 14, 33 },
    { 64, 64, 32, 3, 0, 33, 16 },
    { 100, 99, 50, 2, 0, 51, 11 },
    { 128, 100, 64, 2, 60, 5, 31 },
    { 256, 256, 300, 2, 0, 129, 7 },
    { 512, 511, 1, 1, 17, 200, 19 },
    { 1000, 1000, 0, 1, 100, 150, 3 },
    { 1024, 800, 400, 2, 0, 513, 10 },
    { 2048, 2048, 1, 1, 34, 459, 18 },
    { 4096, 4000, 0, 1, 2000, 49, 33 },
    { 8192, 8000, 0, 1, 34, 459, 9 },
    { 16384, 16384, 0, 1, 8190, 3, 2 },
  };
  EskStream *stream = stream_of (data);
  g_autoptr (GRand) random = g_rand_new_with_seed (5);

  for (size_t k = 0; k < G_N_ELEMENTS (sizes); k++)
    for (int library = 0; library < ESK_N_DFT_LIBRARIES; library++)
      {
        EskDftPlan plan = { .length = sizes[k].length, .window_length = sizes[k].window_length, .hop = sizes[k].hop,
                            .snapshots = sizes[k].snapshots, .first_bin = sizes[k].first_bin, .bins = sizes[k].bins,
                            .elements = sizes[k].elements, .library = (EskDftLibrary) library };
        size_t frames = (plan.snapshots - 1) * plan.hop + plan.window_length;
        g_autofree float *window = g_new (float, plan.window_length), *gains = g_new (float, plan.elements);
        g_autofree uint32_t *channels = g_new (uint32_t, plan.elements);
        EskSpectra spectra = spectra_new (&plan);

        for (size_t n = 0; n < plan.window_length; n++)
          window[n] = (float) (0.54 - 0.46 * cos (2.0 * G_PI * ((double) n + 0.5) / (double) plan.window_length));
        for (size_t e = 0; e < plan.elements; e++)
          {
            gains[e] = (float) (0.25 + 0.1 * (double) e);
            channels[e] = (uint32_t) (k % 3 == 0 ? plan.elements - e : (e * 7 + 2) % (plan.elements + 2));
          }
        if (k % 2 == 1)
          plan.window = window;
        if (k % 4 > 0)
          plan.gains = gains;
        if (k % 5 > 0)
          plan.channels = channels;
        for (size_t t = 0; t < G_N_ELEMENTS (types); t++)
          {
            Order order = (Order) ((k + t) % N_ORDERS);
            Recording *recording = recording_new (types[t], frames + k % 2, plan.elements + 2, order, (k + t) % 3 == 0,
                                                  random);

            transform (stream, &plan, recording, &spectra, NULL);
            check_spectra (recording, &plan, &spectra);
            recording_free (recording);
          }
        test_guarded_free (spectra.values);
      }
  esk_cpu_hotspots ()->stream->stream_free (stream);
}

static void
test_layouts (gconstpointer data)
{
  EskStream *stream = stream_of (data);
  g_autoptr (GRand) random = g_rand_new_with_seed (6);

  for (size_t t = 0; t < G_N_ELEMENTS (types); t++)
    for (int order = 0; order < N_ORDERS; order++)
      for (int swapped = 0; swapped < 2; swapped++)
        for (size_t length = 64; length <= 256; length *= 2)
          {
            EskDftPlan plan = { .length = length, .window_length = length - 5, .hop = 9, .snapshots = 2,
                                .bins = length / 2 + 1, .elements = 21 };
            Recording *recording = recording_new (types[t], length + 20, 23, (Order) order, swapped, random);
            EskSpectra spectra = spectra_new (&plan);

            transform (stream, &plan, recording, &spectra, NULL);
            check_spectra (recording, &plan, &spectra);
            test_guarded_free (spectra.values);
            recording_free (recording);
          }
  esk_cpu_hotspots ()->stream->stream_free (stream);
}

/* ---- what the numbers mean ---- */

/* A tone of amplitude 3 and a constant: the sums of |X|^2 are mean squares, with and without a window; the phase is
 * that of a transform with e^(-j). */
static void
test_scale (gconstpointer data)
{
  EskStream *stream = stream_of (data);
  g_autoptr (GRand) random = g_rand_new_with_seed (7);
  g_autofree float *hann = g_new (float, 1024);

  for (size_t n = 0; n < 1024; n++)
    hann[n] = (float) (0.5 - 0.5 * cos (2.0 * G_PI * (double) n / 1024));
  for (int windowed = 0; windowed < 2; windowed++)
    {
      EskDftPlan plan = { .length = 1024, .window_length = 1024, .snapshots = 1, .bins = 513, .elements = 3,
                          .window = windowed ? hann : NULL };
      Recording *recording = recording_new (ESK_F32, 1024, 3, BY_FRAME, FALSE, random);
      EskSpectra spectra = spectra_new (&plan);
      double power[3] = { 0.0 };

      for (size_t n = 0; n < 1024; n++)
        {
          recording_set (recording, n, 0, 3.0 * cos (2.0 * G_PI * 100 * (double) n / 1024 + 0.7));
          recording_set (recording, n, 1, 2.0);
          recording_set (recording, n, 2, n % 2 == 0 ? 1.5 : -1.5);
        }
      transform (stream, &plan, recording, &spectra, NULL);
      for (size_t b = 0; b < 513; b++)
        for (size_t e = 0; e < 3; e++)
          for (size_t part = 0; part < 2; part++)
            power[e] += pow ((double) part_of (&spectra, b, 0, part)[e], 2);
      g_assert_cmpfloat_with_epsilon (power[0], 4.5, 1e-5);
      if (!windowed)
        {
          g_assert_cmpfloat_with_epsilon (power[1], 4.0, 1e-5);
          g_assert_cmpfloat_with_epsilon (power[2], 2.25, 1e-5);
        }
      g_assert_cmpfloat_with_epsilon (atan2 ((double) part_of (&spectra, 100, 0, 1)[0],
                                             (double) part_of (&spectra, 100, 0, 0)[0]), 0.7, 1e-5);
      test_guarded_free (spectra.values);
      recording_free (recording);
    }
  esk_cpu_hotspots ()->stream->stream_free (stream);
}

/* Elements of 1e15 and 1e-15 beside each other, some of them broken: no element is heard in another. */
static void
test_apart (gconstpointer data)
{
  static const size_t lengths[] = { 96, 128, 1024 };
  EskStream *stream = stream_of (data);
  g_autoptr (GRand) random = g_rand_new_with_seed (8);

  for (size_t k = 0; k < G_N_ELEMENTS (lengths); k++)
    {
      EskDftPlan plan = { .length = lengths[k], .window_length = lengths[k], .snapshots = 1, .bins = lengths[k] / 2 + 1,
                          .elements = 13 };
      Recording *recording = recording_new (ESK_F32, lengths[k], 13, BY_FRAME, FALSE, random);
      EskSpectra spectra = spectra_new (&plan);

      for (size_t n = 0; n < lengths[k]; n++)
        for (size_t e = 0; e < 13; e++)
          recording_set (recording, n, e,
                         recording->value[n * 13 + e] * (e % 3 == 0 ? 1e15 : e % 3 == 1 ? 1e-15 : 0.0));
      recording_set (recording, 7, 5, NAN);
      recording_set (recording, 8, 5, (double) INFINITY);
      recording_set (recording, 9, 4, -(double) INFINITY);
      transform (stream, &plan, recording, &spectra, NULL);
      check_spectra (recording, &plan, &spectra);
      test_guarded_free (spectra.values);
      recording_free (recording);
    }
  esk_cpu_hotspots ()->stream->stream_free (stream);
}

static void
test_health (gconstpointer data)
{
  EskStream *stream = stream_of (data);
  g_autoptr (GRand) random = g_rand_new_with_seed (9);

  for (size_t t = 0; t < G_N_ELEMENTS (types); t++)
    for (size_t length = 40; length <= 64; length += 24)
      for (int order = 0; order < N_ORDERS; order++)
        {
          const EskType type = types[t];
          const double full = type == ESK_I16 ? 32768.0 : type == ESK_I32 ? 2147483648.0 : 1.0;
          EskDftPlan plan = { .length = length, .window_length = length - 4, .hop = 10, .snapshots = 3, .first_bin = 3,
                              .bins = 4, .elements = 11 };
          const size_t frames = 20 + plan.window_length;
          Recording *recording = recording_new (type, frames + 1, 11, (Order) order, t % 2 == 1, random);
          EskSpectra spectra = spectra_new (&plan);
          g_autofree EskChannelHealth *health = g_new0 (EskChannelHealth, 11);

          /* Frame 15 is in two snapshots, the last one in none. */
          recording_set (recording, 15, 1, -full);
          /* The highest of 24 bits, as 32 hold it. */
          recording_set (recording, 2, 2, type == ESK_F32 || type == ESK_F64 ? 1.25
                                          : type == ESK_I32 ? full - 256 : full - 1);
          recording_set (recording, frames, 3, -full);
          if (type == ESK_F32 || type == ESK_F64)
            {
              recording_set (recording, 15, 4, NAN);
              recording_set (recording, 16, 4, (double) -INFINITY);
            }
          if (type == ESK_F64)
            recording_set (recording, 15, 5, DBL_MAX);
          health[6] = (EskChannelHealth) { 10, 20, 30, 0.99f };
          transform (stream, &plan, recording, &spectra, health);

          for (size_t e = 0; e < 11; e++)
            {
              const uint32_t start = e == 6 ? 30 : 0;
              double peak = e == 6 ? (double) 0.99f : 0.0;

              for (size_t n = 0; n < frames; n++)
                {
                  double magnitude = fabs (recording->value[n * 11 + e]) / full;

                  if (magnitude <= (double) FLT_MAX)
                    peak = fmax (peak, magnitude);
                }
              g_assert_cmpuint (health[e].samples, ==, start + 3 * plan.window_length);
              g_assert_cmpuint (health[e].clipped, ==, e == 1 ? 2 : e == 2 ? 1 : e == 6 ? 20 : 0);
              if (type == ESK_F32 || type == ESK_F64)
                g_assert_cmpuint (health[e].not_finite, ==,
                                  e == 4 ? 4 : e == 5 && type == ESK_F64 ? 2 : e == 6 ? 10 : 0);
              g_assert_cmpfloat_with_epsilon ((double) health[e].peak, peak, 1e-7);
            }
          test_guarded_free (spectra.values);
          recording_free (recording);
        }
  esk_cpu_hotspots ()->stream->stream_free (stream);
}

/* ---- threads ---- */

static void
test_threads (gconstpointer data)
{
  const EskHotspots *cpu = esk_cpu_hotspots ();
  static const int threads[] = { 1, 2, 5, 1, 3 };
  EskStream *stream = stream_of (data);
  g_autoptr (GRand) random = g_rand_new_with_seed (10);

  for (int library = 0; library < ESK_N_DFT_LIBRARIES; library++)
    {
      EskDftPlan plan = { .length = 512, .window_length = 400, .hop = 100, .snapshots = 2, .bins = 257, .elements = 83,
                          .library = (EskDftLibrary) library };
      Recording *recording = recording_new (ESK_I16, 500, 83, BY_FRAME, FALSE, random);
      g_autofree float *first = NULL;

      for (size_t k = 0; k < G_N_ELEMENTS (threads); k++)
        {
          EskSpectra spectra = spectra_new (&plan);
          g_autofree EskChannelHealth *health = g_new0 (EskChannelHealth, 83);
          size_t bytes = esk_spectra_bytes (83, 257, 2);

          g_assert_cmpint (cpu->stream->set_threads (stream, threads[k]), ==, ESK_OK);
          transform (stream, &plan, recording, &spectra, health);
          g_assert_cmpuint (health[82].samples, ==, 800);
          if (first == NULL)
            first = g_memdup2 (spectra.values, bytes);
          g_assert_cmpmem (spectra.values, bytes, first, bytes);
          test_guarded_free (spectra.values);
        }
      recording_free (recording);
    }
  g_assert_cmpint (cpu->stream->set_threads (stream, 0), ==, ESK_ERROR_ARGUMENT);
  g_assert_cmpint (cpu->stream->set_threads (stream, -3), ==, ESK_ERROR_ARGUMENT);
  g_assert_cmpint (cpu->stream->set_threads (NULL, 2), ==, ESK_ERROR_ARGUMENT);
  g_assert_cmpint (cpu->stream->set_threads (stream, G_MAXINT), ==, ESK_OK);
  cpu->stream->stream_free (stream);
}

/* ---- what cannot be right ---- */

static void
refuse (EskStream        *stream,
        const EskDftPlan *plan)
{
  int code = 1;

  g_assert_null (esk_cpu_hotspots ()->beam->dft_new (stream, plan, &code));
  g_assert_cmpint (code, ==, ESK_ERROR_ARGUMENT);
}

static void
test_bad (void)
{
  const EskHotspots *cpu = esk_cpu_hotspots ();
  EskStream *stream = test_stream_new (FALSE);
  const EskDftPlan good = { .length = 64, .window_length = 60, .hop = 8, .snapshots = 2, .first_bin = 3, .bins = 30,
                            .elements = 4 };
  static const float zeros[60] = { 0.0f };
  float window[60] = { 1.0f };
  g_autoptr (GRand) random = g_rand_new_with_seed (1);
  Recording *recording = recording_new (ESK_I16, 68, 4, BY_FRAME, FALSE, random);
  EskFrames frames = recording->frames;
  EskSpectra spectra = spectra_new (&good), other = spectra;
  EskDftPlan plan;
  EskDft *dft;
  int code;

#define REFUSE(change) (plan = good, (change), refuse (stream, &plan))
  REFUSE (plan.length = 0);
  REFUSE (plan.length = 63);
  REFUSE (plan.length = SIZE_MAX - 1);
  REFUSE (plan.window_length = 0);
  REFUSE (plan.window_length = 65);
  REFUSE (plan.snapshots = 0);
  REFUSE (plan.hop = 0);
  REFUSE (plan.bins = 0);
  REFUSE (plan.bins = 31);
  REFUSE (plan.bins = SIZE_MAX);
  REFUSE (plan.first_bin = SIZE_MAX);
  REFUSE (plan.elements = 0);
  REFUSE (plan.elements = SIZE_MAX);
  REFUSE (plan.snapshots = SIZE_MAX / 2);
  REFUSE (plan.window = zeros);
  REFUSE (plan.library = ESK_N_DFT_LIBRARIES);
  window[3] = NAN;
  REFUSE (plan.window = window);
  refuse (NULL, &good);
  refuse (stream, NULL);
  cpu->beam->dft_free (NULL);

  dft = cpu->beam->dft_new (stream, &good, &code);
  g_assert_cmpint (cpu->beam->real_dft (stream, dft, &frames, &spectra, NULL), ==, ESK_OK);
  g_assert_cmpint (cpu->beam->real_dft (NULL, dft, &frames, &spectra, NULL), ==, ESK_ERROR_ARGUMENT);
  g_assert_cmpint (cpu->beam->real_dft (stream, NULL, &frames, &spectra, NULL), ==, ESK_ERROR_ARGUMENT);
  g_assert_cmpint (cpu->beam->real_dft (stream, dft, NULL, &spectra, NULL), ==, ESK_ERROR_ARGUMENT);
  g_assert_cmpint (cpu->beam->real_dft (stream, dft, &frames, NULL, NULL), ==, ESK_ERROR_ARGUMENT);
#define REFUSE_FRAMES(change)                                                                             \
  do                                                                                                     \
    {                                                                                                    \
      frames = recording->frames;                                                                        \
      change;                                                                                            \
      g_assert_cmpint (cpu->beam->real_dft (stream, dft, &frames, &spectra, NULL), ==, ESK_ERROR_ARGUMENT);    \
    }                                                                                                    \
  while (0)
  REFUSE_FRAMES (frames.data = NULL);
  REFUSE_FRAMES (frames.frames = 67);
  REFUSE_FRAMES (frames.channels = 3);
  REFUSE_FRAMES (frames.type = ESK_U8);
  REFUSE_FRAMES (frames.type = ESK_N_TYPES);
#define REFUSE_SPECTRA(change)                                                                            \
  do                                                                                                     \
    {                                                                                                    \
      other = spectra;                                                                                   \
      change;                                                                                            \
      g_assert_cmpint (cpu->beam->real_dft (stream, dft, &recording->frames, &other, NULL), ==, ESK_ERROR_ARGUMENT); \
    }                                                                                                    \
  while (0)
  REFUSE_SPECTRA (other.values = NULL);
  REFUSE_SPECTRA (other.elements = 5);
  REFUSE_SPECTRA (other.stride = 4);
  REFUSE_SPECTRA (other.bins = 29);
  REFUSE_SPECTRA (other.snapshots = 1);
  cpu->beam->dft_free (dft);

  g_assert_cmpuint (esk_spectra_bytes (33, 3, 2), ==, 64 * 2 * 4 * 3 * 2);
  g_assert_cmpuint (esk_spectra_bytes (SIZE_MAX, 1, 1), ==, 0);
  g_assert_cmpuint (esk_spectra_bytes (SIZE_MAX / 16, 3, 1), ==, 0);
  g_assert_cmpuint (esk_spectra_bytes (100, SIZE_MAX / 100, 1), ==, 0);
  test_guarded_free (spectra.values);
  recording_free (recording);
  cpu->stream->stream_free (stream);
}

/* ---- the host's own transforms ---- */

static void
test_fft (void)
{
  static const size_t lengths[] = { 1, 2, 3, 7, 16, 45, 100, 257 };
  g_autoptr (GRand) random = g_rand_new_with_seed (11);

  for (size_t k = 0; k < G_N_ELEMENTS (lengths); k++)
    {
      const size_t n = lengths[k], bins = n / 2 + 1;
      EskFft *fft = esk_fft_new (n);
      g_autofree float *in = g_new (float, n), *out = g_new (float, 2 * bins), *back = g_new (float, n);

      for (size_t i = 0; i < n; i++)
        in[i] = (float) g_rand_double_range (random, -1, 1);
      esk_fft_forward (fft, in, out);
      for (size_t b = 0; b < bins; b++)
        {
          double re = 0.0, im = 0.0;

          for (size_t i = 0; i < n; i++)
            {
              double angle = 2.0 * G_PI * (double) (b * i % n) / (double) n;

              re += (double) in[i] * cos (angle);
              im -= (double) in[i] * sin (angle);
            }
          g_assert_cmpfloat_with_epsilon ((double) out[2 * b], re, 1e-6 * sqrt ((double) n));
          g_assert_cmpfloat_with_epsilon ((double) out[2 * b + 1], im, 1e-6 * sqrt ((double) n));
        }
      esk_fft_backward (fft, out, back);
      for (size_t i = 0; i < n; i++)
        g_assert_cmpfloat_with_epsilon ((double) back[i], (double) n * (double) in[i], 1e-6 * (double) n);
      esk_fft_free (fft);
    }
  g_assert_null (esk_fft_new (0));
  g_assert_null (esk_fft_new (SIZE_MAX));
  esk_fft_free (NULL);
}

static void
add (const char   *path,
     GTestDataFunc function)
{
  for (int loops = 0; loops < N_LOOPS; loops++)
    {
      g_autofree char *name = g_strconcat (path, "/", loops_names[loops], NULL);

      g_test_add_data_func (name, GINT_TO_POINTER (loops), function);
    }
}

int
main (int   argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  add ("/spectra/sizes", test_sizes_of);
  add ("/spectra/layouts", test_layouts);
  add ("/spectra/scale", test_scale);
  add ("/spectra/apart", test_apart);
  add ("/spectra/health", test_health);
  add ("/spectra/threads", test_threads);
  g_test_add_func ("/spectra/bad", test_bad);
  g_test_add_func ("/spectra/fft", test_fft);

  return g_test_run ();
}
