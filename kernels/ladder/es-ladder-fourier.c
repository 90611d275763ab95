/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "es-ladder-fourier-internal.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define SEED 5
/* Numbers that are held against the definition, and products that the sum over the elements may take. */
#define CHECKED 40
#define MOST_PRODUCTS 1e8
#define MOST_SAMPLES ((size_t) 1 << 22)
#define MOST_NUMBERS ((size_t) 1 << 33)
#define LINE 8
#define FULL_SCALE 32767.0

/* A tone in the bins that are wanted, which each element hears a little later, and noise: whole numbers of 16 bits, as
 * recordings have them, in float32. */
static int
fill (EskLadder      *ladder,
      EskFourierWork *work)
{
  const double turn = 2.0 * M_PI * 0.37 * (double) work->bins / (double) work->samples;
  const double turn_re = cos (turn), turn_im = sin (turn);

  for (size_t e = 0; e < work->elements; e++)
    {
      float *signal = work->signals + e * work->samples;
      double re = cos (0.1 * (double) e), im = sin (0.1 * (double) e);

      ESK_LADDER_TRY (esk_ladder_cancelled (ladder));
      for (size_t s = 0; s < work->samples; s++)
        {
          const double before = re;

          signal[s] = (float) rint (FULL_SCALE * (0.5 * re + 0.5 * esk_ladder_random (SEED, e * work->samples + s)));
          re = re * turn_re - im * turn_im;
          im = im * turn_re + before * turn_im;
        }
    }

  return ESK_LADDER_OK;
}

int
esk_fourier_work_init (EskLadder           *ladder,
                       EskFourierWork      *work,
                       const EskLadderSize *size)
{
  int code;

  memset (work, 0, sizeof *work);
  work->elements = size->elements;
  work->samples = size->samples;
  work->bins = size->bins;
  work->stride = (work->samples / 2 + LINE) / LINE * LINE;
  if (work->elements == 0 || work->samples < 2 || work->samples % 2 != 0 || work->samples > MOST_SAMPLES
      || work->bins == 0 || work->bins > work->samples / 2 + 1 || work->elements > MOST_NUMBERS / work->samples)
    return esk_ladder_fail (ladder, ESK_LADDER_ERROR_ARGUMENT, "some elements of an even number of samples up to "
                            "4194304, and at most half as many bins and one were expected");
  ESK_LADDER_TRY (esk_ladder_room (8.0 * (double) work->elements * (double) work->samples));
  work->signals = aligned_alloc (64, (work->elements * work->samples * sizeof (float) + 63) / 64 * 64);
  work->spectra = aligned_alloc (64, work->elements * work->stride * 2 * sizeof (float));
  if (work->signals == NULL || work->spectra == NULL)
    {
      esk_fourier_work_clear (work);
      return ESK_LADDER_ERROR_MEMORY;
    }
  code = fill (ladder, work);
  if (code == ESK_LADDER_OK)
    esk_fourier_forget (work);
  else
    esk_fourier_work_clear (work);

  return code;
}

void
esk_fourier_work_clear (EskFourierWork *work)
{
  free (work->signals);
  free (work->spectra);
  memset (work, 0, sizeof *work);
}

void
esk_fourier_least (const EskLadderSize *size,
                   double              *bytes,
                   double              *operations)
{
  const double n = size->samples, fast = 2.5 * n * log2 (n > 2.0 ? n : 2.0), plain = 4.0 * n * size->bins;

  *bytes = (double) size->elements * (2.0 * n + 8.0 * size->bins);
  *operations = (double) size->elements * fmin (fast, plain);
}

void
esk_fourier_forget (EskFourierWork *work)
{
  memset (work->spectra, 0, work->elements * work->stride * 2 * sizeof (float));
}

void
esk_fourier_turns (size_t n,
                   float *turns)
{
  for (size_t k = 0; k < n; k++)
    {
      turns[2 * k] = (float) cos (-2.0 * M_PI * (double) k / (double) n);
      turns[2 * k + 1] = (float) sin (-2.0 * M_PI * (double) k / (double) n);
    }
}

/* ---- what is right ---- */

/* One bin by the definition; turns are those of esk_fourier_turns (), in float64. */
static void
transform (const double *signal,
           size_t        n,
           size_t        bin,
           const double *turns,
           double        to[2])
{
  size_t at = 0;

  to[0] = to[1] = 0.0;
  for (size_t s = 0; s < n; s++)
    {
      to[0] += signal[s] * turns[2 * at];
      to[1] += signal[s] * turns[2 * at + 1];
      at = at + bin < n ? at + bin : at + bin - n;
    }
}

/* Some bins of a signal against what was found; nothing that is no number gets through. */
static void
compare (const double  right[2],
         const double  found[2],
         double       *worst,
         double       *largest)
{
  const double difference = hypot (right[0] - found[0], right[1] - found[1]);

  *worst = isnan (difference) ? INFINITY : fmax (*worst, difference);
  *largest = fmax (*largest, hypot (right[0], right[1]));
}

static double
difference_single (const EskFourierWork *work,
                   const double         *turns,
                   double               *signal)
{
  double worst = 0.0, largest = 0.0;

  for (size_t k = 0; k < CHECKED; k++)
    {
      const size_t e = k == 0 ? work->elements - 1 : esk_ladder_hash (SEED + 1, k) % work->elements;
      /* The tone's bins, which hold the largest values, are among them. */
      const size_t tone = (size_t) lrint (0.37 * (double) work->bins) % work->bins;
      const size_t b = k == 0 ? work->bins - 1 : k == 1 ? tone : esk_ladder_hash (SEED + 2, k) % work->bins;
      const float *z = work->spectra + 2 * (e * work->stride + b);
      double right[2];

      for (size_t s = 0; s < work->samples; s++)
        signal[s] = (double) work->signals[e * work->samples + s];
      transform (signal, work->samples, b, turns, right);
      compare (right, (const double[2]) { (double) z[0], (double) z[1] }, &worst, &largest);
    }

  return largest > 0.0 ? worst / largest : worst;
}

static double
difference_whole (const EskFourierWork *work,
                  const double         *turns,
                  double               *signal)
{
  const double most = MOST_PRODUCTS / (double) work->samples;
  const size_t step = (double) work->bins > most ? (size_t) ceil ((double) work->bins / fmax (most, 1.0)) : 1;
  double worst = 0.0, largest = 0.0;

  memset (signal, 0, work->samples * sizeof *signal);
  for (size_t e = 0; e < work->elements; e++)
    {
      const double sign = esk_ladder_random (SEED + 3, e) < 0.0 ? -1.0 : 1.0;

      for (size_t s = 0; s < work->samples; s++)
        signal[s] += sign * (double) work->signals[e * work->samples + s];
    }
  for (size_t b = 0; b < work->bins; b += step)
    {
      double right[2], found[2] = { 0.0, 0.0 };

      for (size_t e = 0; e < work->elements; e++)
        {
          const double sign = esk_ladder_random (SEED + 3, e) < 0.0 ? -1.0 : 1.0;
          const float *z = work->spectra + 2 * (e * work->stride + b);

          found[0] += sign * (double) z[0];
          found[1] += sign * (double) z[1];
        }
      transform (signal, work->samples, b, turns, right);
      compare (right, found, &worst, &largest);
    }

  return largest > 0.0 ? worst / largest : worst;
}

void
esk_fourier_check (const EskFourierWork *work,
                   int                   plain,
                   EskRungResult        *result)
{
  const size_t n = work->samples;
  double *turns = malloc (3 * n * sizeof *turns);

  /* Each addition rounds by half of FLT_EPSILON at most of what there is of the sum, which is no more than the largest
   * value: chance lets that grow as the root of their number, of which twice is what millions of numbers come to. One
   * after the other they are N; what halves the sum time and again comes to log2 N of them on the way of each sample.
   * What a phasor and a product lose besides are some epsilons. */
  result->tolerance = (double) FLT_EPSILON * (4.0 + sqrt (plain ? (double) n : log2 ((double) n)));
  result->error = INFINITY;
  if (turns == NULL)
    return;
  for (size_t k = 0; k < n; k++)
    {
      turns[2 * k] = cos (-2.0 * M_PI * (double) k / (double) n);
      turns[2 * k + 1] = sin (-2.0 * M_PI * (double) k / (double) n);
    }
  result->error = fmax (difference_single (work, turns, turns + 2 * n), difference_whole (work, turns, turns + 2 * n));
  free (turns);
}

int64_t
esk_fourier_output (const EskFourierWork *work,
                    double               *values,
                    size_t                n)
{
  size_t at = 0;

  for (size_t e = 0; e < work->elements; e++)
    for (size_t k = 0; k < 2 * work->bins; k++, at++)
      if (at < n)
        values[at] = (double) work->spectra[2 * e * work->stride + k];

  return (int64_t) (2 * work->elements * work->bins);
}

/* ---- the hot spot ---- */

/* As recordings come and lie on a card: 16 bits, channel beside channel. */
static int
upload (EskLadder            *ladder,
        const EskFourierWork *work,
        EskFourierProduced   *produced)
{
  const EskDeviceHotspots *device = ladder->production->device;
  const size_t elements = work->elements, bytes = elements * work->samples * sizeof (int16_t);
  int16_t *samples = malloc (bytes);
  int code;

  if (samples == NULL)
    return ESK_LADDER_ERROR_MEMORY;
  for (size_t s = 0; s < work->samples; s++)
    for (size_t e = 0; e < elements; e++)
      samples[s * elements + e] = (int16_t) work->signals[e * work->samples + s];
  code = esk_ladder_produced (ladder, device->upload (ladder->stream, produced->memory, samples, bytes));
  if (code == ESK_LADDER_OK)
    code = esk_ladder_produced (ladder, device->wait (ladder->stream));
  free (samples);

  return code;
}

/* Samples where the device's hot spots read them, and room for spectra. */
static int
bring (EskLadder            *ladder,
       const EskFourierWork *work,
       EskFourierProduced   *produced)
{
  const EskDeviceHotspots *device = ladder->production->device;
  const size_t bytes = work->elements * work->samples * sizeof (int16_t);
  const size_t spectra_bytes = esk_spectra_bytes (work->elements, work->bins, 1);

  produced->brought = aligned_alloc (64, (spectra_bytes + 63) / 64 * 64);
  if (produced->brought == NULL)
    return ESK_LADDER_ERROR_MEMORY;
  produced->spectra.values = produced->brought;
  if (device == NULL)
    return ESK_LADDER_OK;
  produced->memory = device->memory_new ((int) ladder->index, bytes);
  produced->spectra.values = device->memory_new ((int) ladder->index, spectra_bytes);
  if (produced->memory == NULL || produced->spectra.values == NULL)
    return ESK_LADDER_ERROR_MEMORY;
  produced->frames.data = produced->memory;
  produced->frames.type = ESK_I16;
  produced->frames.frame_stride = (ptrdiff_t) work->elements;
  produced->frames.channel_stride = 1;

  return upload (ladder, work, produced);
}

int
esk_fourier_produce_begin (EskLadder            *ladder,
                           const EskFourierWork *work,
                           EskFourierProduced   *produced,
                           EskRungResult        *result)
{
  const EskHotspots *hotspots = ladder->production;
  const EskDftPlan plan = { .length = work->samples, .window_length = work->samples, .hop = 1, .snapshots = 1,
                            .bins = work->bins, .elements = work->elements, .library = ESK_DFT_AUTO };
  double began;
  int code;

  memset (produced, 0, sizeof *produced);
  if (hotspots == NULL || !ESK_HAS (hotspots, beam, real_dft))
    return esk_ladder_refuse (result, ESK_WHY_LIBRARY, 0, 0, "the back end");
  produced->frames = (EskFrames) { .data = work->signals, .type = ESK_F32, .frames = work->samples,
                                   .channels = work->elements, .frame_stride = 1,
                                   .channel_stride = (ptrdiff_t) work->samples };
  produced->spectra = (EskSpectra) { NULL, work->elements, esk_spectra_stride (work->elements), work->bins, 1 };
  result->type = ESK_TYPE_LAB_FLOAT32;
  result->launches = 1;
  esk_fourier_least (&ladder->size, &result->bytes, &result->operations);

  ESK_LADDER_TRY (bring (ladder, work, produced));
  began = esk_ladder_now ();
  produced->dft = hotspots->beam->dft_new (ladder->stream, &plan, &code);
  ESK_LADDER_TRY (esk_ladder_produced (ladder, code));
  ESK_LADDER_TRY (esk_fourier_produce_run (ladder, produced));
  ESK_LADDER_TRY (esk_ladder_produced (ladder, esk_hotspots_wait (hotspots, ladder->stream)));
  result->setup = esk_ladder_now () - began;

  return ESK_LADDER_OK;
}

int
esk_fourier_produce_run (EskLadder          *ladder,
                         EskFourierProduced *produced)
{
  return esk_ladder_produced (ladder, ladder->production->beam->real_dft (ladder->stream, produced->dft,
                                                                          &produced->frames, &produced->spectra, NULL));
}

int
esk_fourier_produce_finish (EskLadder          *ladder,
                            EskFourierProduced *produced,
                            EskFourierWork     *work)
{
  const EskDeviceHotspots *device = ladder->production->device;
  const double scale = esk_dft_scale (work->samples, work->samples, NULL);
  const size_t bytes = esk_spectra_bytes (work->elements, work->bins, 1), stride = produced->spectra.stride;

  if (device != NULL)
    {
      ESK_LADDER_TRY (esk_ladder_produced (ladder, device->download (ladder->stream, produced->brought, bytes,
                                                                     produced->spectra.values, bytes, bytes, 1)));
      ESK_LADDER_TRY (esk_ladder_produced (ladder, device->wait (ladder->stream)));
    }
  for (size_t b = 0; b < work->bins; b++)
    {
      const double factor = b == 0 || b == work->samples / 2 ? M_SQRT2 / scale : 1.0 / scale;

      for (size_t e = 0; e < work->elements; e++)
        for (size_t part = 0; part < 2; part++)
          work->spectra[2 * (e * work->stride + b) + part] =
            (float) (factor * (double) produced->brought[(2 * b + part) * stride + e]);
    }

  return ESK_LADDER_OK;
}

void
esk_fourier_produce_end (EskLadder          *ladder,
                         EskFourierProduced *produced)
{
  const EskDeviceHotspots *device = ladder->production != NULL ? ladder->production->device : NULL;

  if (produced->dft != NULL)
    ladder->production->beam->dft_free (produced->dft);
  if (device != NULL)
    {
      device->memory_free ((int) ladder->index, produced->memory);
      device->memory_free ((int) ladder->index, produced->spectra.values);
    }
  free (produced->brought);
  memset (produced, 0, sizeof *produced);
}
