/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-simulate-recording-private.h"

#include <math.h>
#include <string.h>

/* The interpolation's window: 16 taps that pass a quarter of the (double) rate and stop from three quarters on. */
#define KAISER_BETA 11.7
#define HALF_TAPS (ES_SIMULATE_TAPS / 2)

/* The ambient noise of the sea falls by 5 dB an octave above this. */
#define AMBIENT_CORNER 20.0
#define AMBIENT_DECIBELS 5.0

/* Phasors that are turned together in a tone. */
#define LANES 8

/* Modulation by the shaft, and by the blades and its harmonics. */
static const struct { gboolean blades; double harmonic, depth; } modulation[] = {
  { FALSE, 1, 0.15 }, { TRUE, 1, 0.4 }, { TRUE, 2, 0.2 }, { TRUE, 3, 0.1 },
};

enum { RANDOM_SOURCE, RANDOM_PHASE, RANDOM_AMBIENT };

static guint64
random_key (const EsRecordingScene *scene, guint what, guint which, gint64 where)
{
  return es_random_mix (es_random_mix (es_random_mix (scene->seed + 0x51ed270b) ^ (what * 0x9e3779b97f4a7c15u + which))
                        ^ (guint64) where);
}

/* ---- between samples ---- */

/* The modified Bessel function of order 0. */
static double
bessel (double x)
{
  double term = 1, sum = 1;

  for (guint k = 1; k < 60; k++)
    {
      term *= (x / (2 * k)) * (x / (2 * k));
      sum += term;
    }
  return sum;
}

/* Of a sample `distance` samples away. */
static double
kernel_at (double distance)
{
  const double share = distance / HALF_TAPS;

  if (fabs (share) >= 1)
    return 0;
  const double sinc = distance == 0 ? 1 : sin (G_PI * distance) / (G_PI * distance);
  return sinc * bessel (KAISER_BETA * sqrt (1 - share * share)) / bessel (KAISER_BETA);
}

static void
fill_kernel (EsRecordingScene *scene)
{
  scene->kernel = g_new (float, (ES_SIMULATE_PHASES + 1) * ES_SIMULATE_TAPS);
  for (guint p = 0; p <= ES_SIMULATE_PHASES; p++)
    for (guint j = 0; j < ES_SIMULATE_TAPS; j++)
      scene->kernel[p * ES_SIMULATE_TAPS + j] =
        kernel_at ((double) p / ES_SIMULATE_PHASES - ((int) j - HALF_TAPS + 1));
}

/* ---- noise ---- */

/* Block `block` of noise: its spectrum is random within first .. first + bins - 1, each bin with its standard deviation
 * (deviations NULL: all with `deviation`). spectrum has n + 2, out n floats. */
static void
random_block (EskFft *fft, gsize n, guint64 key, gsize first, gsize bins, float deviation, const float *deviations,
              float *spectrum, float *out)
{
  memset (spectrum, 0, (n + 2) * sizeof (float));
  es_random_add_normal (spectrum + 2 * first, 2 * bins, key, 0, deviation);
  if (deviations != NULL)
    for (gsize b = 0; b < bins; b++)
      {
        spectrum[2 * (first + b)] *= deviations[b];
        spectrum[2 * (first + b) + 1] *= deviations[b];
      }
  esk_fft_backward (fft, spectrum, out);
}

static gint64
floor_divide (gint64 a, gint64 b)
{
  return a / b - (a % b < 0);
}

/* Adds what a block that begins at `start` has in common with n samples from `first` on, faded in and out. */
ES_VECTORISE
static void
add_faded (const float *restrict block, const float *restrict fade, gsize length, gint64 start, gint64 first, gsize n,
           float *restrict out)
{
  const gint64 from = MAX (start, first), to = MIN (start + (gint64) length, first + (gint64) n);

  for (gint64 i = from; i < to; i++)
    out[i - first] += block[i - start] * fade[i - start];
}

static float *
new_fade (gsize length)
{
  float *fade = g_new (float, length);

  for (gsize i = 0; i < length; i++)
    fade[i] = sin ((i + 0.5) * G_PI / length);
  return fade;
}

static void
modulate (const EsSource *source, double rate, gint64 first, gsize n, guint64 key, float *samples)
{
  double power = 1;

  for (guint m = 0; m < G_N_ELEMENTS (modulation); m++)
    power += modulation[m].depth * modulation[m].depth / 2;
  for (gsize i = 0; i < n; i++)
    {
      double factor = 1;
      for (guint m = 0; m < G_N_ELEMENTS (modulation); m++)
        {
          const double frequency = source->shaft * modulation[m].harmonic * (modulation[m].blades ? source->blades : 1);
          const double phase = (es_random_mix (key + m) >> 11) * 0x1p-53;
          factor += modulation[m].depth * cos (2 * G_PI * (frequency * ((first + (gint64) i) / rate) + phase));
        }
      samples[i] *= (float) (factor / sqrt (power));
    }
}

gboolean
es_source_make_signal (const EsRecordingScene *scene, guint source_number, EsSourceChunk *chunk)
{
  const EsSource *source = &g_array_index (scene->sources, EsSource, source_number);
  const gsize length = scene->transform, hop = length / 2;
  const double rate = 2 * scene->rate, spacing = rate / length;

  if (source->kind == ES_SOURCE_TONE)
    return TRUE;

  EskFft *fft = esk_fft_new (length);
  g_autofree float *spectrum = g_try_new (float, length + 2), *block = g_try_new (float, length);
  if (fft == NULL || spectrum == NULL || block == NULL)
    {
      esk_fft_free (fft);
      return FALSE;
    }

  const guint origin = es_source_origin (scene->sources, source_number);
  /* At least one bin, and neither 0 nor what is beyond the recording's own half rate. */
  const gsize lowest = CLAMP ((gsize) ceil (source->low / spacing), 1, hop / 2);
  const gsize highest = CLAMP ((gsize) floor (source->high / spacing), lowest, MAX (hop / 2, lowest));
  const gsize bins = highest - lowest + 1;
  /* Bin b adds 2 |X_b|^2 to the mean square, and |X_b|^2 has two parts. */
  const float deviation = pow (10, source->level / 20) / (2 * sqrt (bins));

  memset (chunk->samples, 0, chunk->n * sizeof (float));
  const gint64 last = floor_divide (chunk->first + (gint64) chunk->n - 1, hop);
  for (gint64 b = floor_divide (chunk->first, hop) - 1; b <= last; b++)
    {
      random_block (fft, length, random_key (scene, RANDOM_SOURCE, origin, b), lowest, bins, deviation, NULL,
                    spectrum, block);
      add_faded (block, scene->fade, length, b * (gint64) hop, chunk->first, chunk->n, chunk->samples);
    }
  esk_fft_free (fft);

  if (source->kind == ES_SOURCE_PROPELLER)
    modulate (source, rate, chunk->first, chunk->n, random_key (scene, RANDOM_PHASE, origin, 0), chunk->samples);
  for (gsize i = 0; i < chunk->n / 2; i++)
    {
      chunk->even[i] = chunk->samples[2 * i];
      chunk->odd[i] = chunk->samples[2 * i + 1];
    }
  return TRUE;
}

/* ---- what an element hears ---- */

/* in[j] are the taps' samples of the first frame; those of the next frames follow. */
ES_VECTORISE
static void
add_filtered (float *restrict out, gsize n, const float *const in[ES_SIMULATE_TAPS],
              const float taps[ES_SIMULATE_TAPS])
{
  for (guint j = 0; j < ES_SIMULATE_TAPS; j += 4)
    {
      const float *a = in[j], *b = in[j + 1], *c = in[j + 2], *d = in[j + 3];
      const float ta = taps[j], tb = taps[j + 1], tc = taps[j + 2], td = taps[j + 3];
      for (gsize i = 0; i < n; i++)
        out[i] += (a[i] * ta + b[i] * tb) + (c[i] * tc + d[i] * td);
    }
}

/* A source that stands still: one filter for all frames. */
static void
add_still (const EsRecordingScene *scene, const EsSourceChunk *chunk, double delay, guint64 first, gsize n, float *out)
{
  const double place = -2 * delay * scene->rate, whole = floor (place), fraction = place - whole;
  const float *in[ES_SIMULATE_TAPS];
  float taps[ES_SIMULATE_TAPS];

  for (guint j = 0; j < ES_SIMULATE_TAPS; j++)
    {
      const gint64 offset = (int) j - HALF_TAPS + 1;
      const gint64 index = 2 * (gint64) first + (gint64) whole + offset - chunk->first;
      in[j] = (index % 2 == 0 ? chunk->even : chunk->odd) + index / 2;
      taps[j] = kernel_at (fraction - offset);
    }
  add_filtered (out, n, in, taps);
}

/* The sum of 16 samples, weighted by what lies between two rows of the table. */
ES_VECTORISE
static inline float
interpolate (const float *restrict in, const float *restrict row, float between)
{
  float sums[4] = { 0 };

  for (guint j = 0; j < ES_SIMULATE_TAPS; j += 4)
    for (guint i = 0; i < 4; i++)
      sums[i] += in[j + i] * (row[j + i] + between * (row[j + i + ES_SIMULATE_TAPS] - row[j + i]));
  return (sums[0] + sums[1]) + (sums[2] + sums[3]);
}

ES_VECTORISE
static void
add_moving (const EsRecordingScene *scene, const EsSourceChunk *chunk, double from, double to, guint64 first, gsize n,
            float *out)
{
  const double begin = -2 * from * scene->rate, step = 2 - 2 * (to - from) * scene->rate / scene->segment;

  for (gsize i = 0; i < n; i++)
    {
      const double place = begin + i * step, whole = floor (place), phase = (place - whole) * ES_SIMULATE_PHASES;
      const guint row = (guint) phase;
      const gint64 index = 2 * (gint64) first + (gint64) whole - HALF_TAPS + 1 - chunk->first;
      out[i] += interpolate (chunk->samples + index, scene->kernel + row * ES_SIMULATE_TAPS, (float) (phase - row));
    }
}

/* amplitude sin (2 pi (phase + i step)), i = 0 ... n - 1: eight phasors that are turned together. */
ES_VECTORISE
static void
add_phasors (double phase, double step, double amplitude, gsize n, float *restrict out)
{
  double c[LANES], s[LANES];
  const double turn = 2 * G_PI * (step * LANES - floor (step * LANES)), ct = cos (turn), st = sin (turn);

  for (guint l = 0; l < LANES; l++)
    {
      const double angle = phase + l * step, rest = 2 * G_PI * (angle - floor (angle));
      c[l] = amplitude * cos (rest);
      s[l] = amplitude * sin (rest);
    }
  for (gsize i = 0; i < n; i += LANES)
    {
      const gsize count = MIN (LANES, n - i);
      if (count == LANES)
        for (guint l = 0; l < LANES; l++)
          out[i + l] += (float) s[l];
      else
        for (guint l = 0; l < count; l++)
          out[i + l] += (float) s[l];
      for (guint l = 0; l < LANES; l++)
        {
          const double turned = c[l] * ct - s[l] * st;
          s[l] = s[l] * ct + c[l] * st;
          c[l] = turned;
        }
    }
}

static void
add_tone (const EsRecordingScene *scene, guint source_number, double from, double to, guint64 first, gsize n,
          float *out)
{
  const EsSource *source = &g_array_index (scene->sources, EsSource, source_number);
  /* The lines share the level. */
  const double amplitude = pow (10, source->level / 20) * sqrt (2.0 / source->harmonics);
  const guint origin = es_source_origin (scene->sources, source_number);

  for (guint h = 0; h < source->harmonics; h++)
    {
      const double frequency = source->low * (h + 1);
      const double start = (random_key (scene, RANDOM_PHASE, origin, h) >> 11) * 0x1p-53;
      /* Whole turns are dropped before the parts are added: recordings are long. */
      const double turns = frequency * (first / scene->rate), late = frequency * from;
      const double phase = turns - floor (turns) - (late - floor (late)) + start;
      const double step = frequency * (1 / scene->rate - (to - from) / scene->segment);
      add_phasors (phase, step, amplitude, n, out);
    }
}

void
es_source_add (const EsRecordingScene *scene, guint source_number, const EsSourceChunk *chunk, guint element_number,
               guint64 first, gsize n, float *out)
{
  const EsSource *source = &g_array_index (scene->sources, EsSource, source_number);
  const EsElement *element = &scene->elements[element_number];
  const gboolean tone = source->kind == ES_SOURCE_TONE, moves = es_source_moves (source);
  double to = es_source_delay (scene, source, chunk->places[0], element);

  if (!moves && !tone)
    {
      add_still (scene, chunk, to, first, n, out);
      return;
    }
  for (gsize i = 0; i < n; i += scene->segment)
    {
      const gsize count = MIN (scene->segment, n - i);
      const double from = to;
      if (moves)
        to = es_source_delay (scene, source, chunk->places[i / scene->segment + 1], element);
      if (tone)
        add_tone (scene, source_number, from, to, first + i, count, out + i);
      else
        add_moving (scene, chunk, from, to, first + i, count, out + i);
    }
}

/* ---- ambient noise ---- */

/* Standard deviations of the bins 1 .. n / 2 - 1, so that the mean square is right. */
static void
fill_ambient (EsRecordingScene *scene, gsize n)
{
  const double slope = AMBIENT_DECIBELS / (10 * log10 (2));
  double power = 0;

  scene->ambient_deviations = g_new (float, n / 2 - 1);
  for (gsize b = 1; b < n / 2; b++)
    power += 4 * pow (MAX (b * scene->rate / n, AMBIENT_CORNER), -slope);
  for (gsize b = 1; b < n / 2; b++)
    scene->ambient_deviations[b - 1] =
      scene->ambient * sqrt (pow (MAX (b * scene->rate / n, AMBIENT_CORNER), -slope) / power);
}

void
es_simulate_prepare_signals (EsRecordingScene *scene)
{
  fill_kernel (scene);
  fill_ambient (scene, ES_SIMULATE_AMBIENT);
  scene->fade = new_fade (scene->transform);
  scene->ambient_fade = new_fade (ES_SIMULATE_AMBIENT);
}

void
es_ambient_add (const EsRecordingScene *scene, EskFft *fft, float *work, guint element, guint64 first, gsize n,
                float *out)
{
  const gsize length = ES_SIMULATE_AMBIENT, hop = length / 2;
  const guint channel = scene->elements[element].channel;

  if (scene->ambient_white)
    {
      /* Two sums of four bytes are nearer to a normal number than one. */
      for (guint64 at = first; at < first + n; )
        {
          const guint64 block = at / length, within = at % length, count = MIN (length - within, first + n - at);
          const guint64 key = random_key (scene, RANDOM_AMBIENT, channel, (gint64) block);
          es_random_add_normal (out + (at - first), count, key, within, scene->ambient * G_SQRT2 / 2);
          es_random_add_normal (out + (at - first), count, key ^ G_MAXUINT64, within, scene->ambient * G_SQRT2 / 2);
          at += count;
        }
      return;
    }

  float *spectrum = work, *block = work + length + 2;
  const gint64 last = floor_divide ((gint64) (first + n) - 1, hop);
  for (gint64 b = floor_divide ((gint64) first, hop) - 1; b <= last; b++)
    {
      random_block (fft, length, random_key (scene, RANDOM_AMBIENT, channel, b), 1, length / 2 - 1, 1,
                    scene->ambient_deviations, spectrum, block);
      add_faded (block, scene->ambient_fade, length, b * (gint64) hop, (gint64) first, n, out);
    }
}
