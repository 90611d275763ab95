/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "es-ladder-beams-internal.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define SEED 6
#define FIRST_ANGLE 10.0
#define SPAN 160.0
#define FIRST_RANGE 50.0
#define MOST_RANGES 32
#define MOST_NUMBERS ((size_t) 1 << 30)
/* Foci that are checked at least, and terms that this may take. */
#define CHECKED 40
#define MOST_TERMS 1e8

static double
frequency (size_t bin)
{
  return (double) (ESK_BEAMS_FIRST_BIN + bin) * ESK_BEAMS_RATE / ESK_BEAMS_LENGTH;
}

static double
place (const EskBeamsWork *work,
       size_t              element)
{
  return ((double) element - (double) ((work->elements - 1) / 2)) * ESK_BEAMS_SPACING;
}

/* Of a look direction; `height` metres beside the array, 0: far away. */
static double
path_of (double x,
         double angle,
         double height)
{
  double along;

  if (height <= 0.0)
    return x * cos (angle);
  along = height * cos (angle) / sin (angle);
  return (2.0 * x * along - x * x) / (hypot (along, height) + hypot (x - along, height));
}

static double
angle_of (const EskBeamsWork *work,
          size_t              angle)
{
  return (FIRST_ANGLE + SPAN * (double) angle / (double) work->angles) * M_PI / 180.0;
}

static double
height_of (const EskBeamsWork *work,
           size_t              range)
{
  return range + 1 == work->ranges ? 0.0 : ldexp (FIRST_RANGE, (int) range);
}

double
esk_beams_path (const EskBeamsWork *work,
                size_t              range,
                size_t              angle,
                size_t              element)
{
  return path_of (place (work, element), angle_of (work, angle), height_of (work, range));
}

/* The look direction next to one in degrees. */
static size_t
nearest (const EskBeamsWork *work,
         double              degrees)
{
  const size_t angle = (size_t) lrint ((degrees - FIRST_ANGLE) / SPAN * (double) work->angles);

  return angle < work->angles ? angle : work->angles - 1;
}

/* A source far away at 123 degrees, one half as strong 100 m beside the array at 60 degrees, both where a beam looks,
 * and noise. */
static int
fill (EskLadder    *ladder,
      EskBeamsWork *work)
{
  const size_t far_angle = nearest (work, 123.0), near_angle = nearest (work, 60.0);

  for (size_t k = 0; k < work->elements; k++)
    {
      const double far = esk_beams_path (work, work->ranges - 1, far_angle, k);
      const double near = esk_beams_path (work, work->ranges > 1 ? 1 : 0, near_angle, k);

      ESK_LADDER_TRY (esk_ladder_cancelled (ladder));
      for (size_t b = 0; b < work->bins; b++)
        {
          const size_t at = k * work->bins + b;
          const double wave = 2.0 * M_PI * frequency (b) / ESK_BEAMS_SPEED;
          const double first = wave * far + M_PI * esk_ladder_random (SEED, b);
          const double second = wave * near + M_PI * esk_ladder_random (SEED + 1, b);

          work->real[at] = (float) (cos (first) + 0.5 * cos (second) + 0.2 * esk_ladder_random (SEED + 2, at));
          work->imaginary[at] = (float) (sin (first) + 0.5 * sin (second) + 0.2 * esk_ladder_random (SEED + 3, at));
        }
    }
  for (size_t range = 0; range < work->ranges; range++)
    for (size_t k = 0; k < work->elements; k++)
      {
        ESK_LADDER_TRY (esk_ladder_cancelled (ladder));
        for (size_t angle = 0; angle < work->angles; angle++)
          work->paths[(range * work->elements + k) * work->angles + angle] =
            (float) esk_beams_path (work, range, angle, k);
      }

  return ESK_LADDER_OK;
}

int
esk_beams_work_init (EskLadder           *ladder,
                     EskBeamsWork        *work,
                     const EskLadderSize *size)
{
  int code;

  memset (work, 0, sizeof *work);
  work->elements = size->elements;
  work->angles = size->angles;
  work->ranges = size->ranges;
  work->bins = size->bins;
  if (work->elements == 0 || work->angles == 0 || work->ranges == 0 || work->bins == 0
      || work->ranges > MOST_RANGES || work->bins > ESK_BEAMS_LENGTH / 2 + 1 - ESK_BEAMS_FIRST_BIN
      || work->elements > MOST_NUMBERS / work->bins
      || work->elements > MOST_NUMBERS / work->ranges / work->angles)
    return esk_ladder_fail (ladder, ESK_LADDER_ERROR_ARGUMENT, "some elements and angles, 1 to 32 ranges and 1 to "
                            "3770 bins were expected, in tables of at most 1073741824 numbers");
  ESK_LADDER_TRY (esk_ladder_room (4.0 * (double) work->elements
                                   * (2.0 * (double) work->bins + (double) work->ranges * (double) work->angles)));
  work->real = malloc (work->elements * work->bins * sizeof (float));
  work->imaginary = malloc (work->elements * work->bins * sizeof (float));
  work->paths = malloc (work->ranges * work->elements * work->angles * sizeof (float));
  work->powers = calloc (work->ranges * work->angles, sizeof (float));
  if (work->real == NULL || work->imaginary == NULL || work->paths == NULL || work->powers == NULL)
    {
      esk_beams_work_clear (work);
      return ESK_LADDER_ERROR_MEMORY;
    }
  code = fill (ladder, work);
  if (code != ESK_LADDER_OK)
    esk_beams_work_clear (work);

  return code;
}

void
esk_beams_work_clear (EskBeamsWork *work)
{
  free (work->real);
  free (work->imaginary);
  free (work->paths);
  free (work->powers);
  free (work->right);
  memset (work, 0, sizeof *work);
}

void
esk_beams_least (const EskLadderSize *size,
                 double              *bytes,
                 double              *operations)
{
  const double elements = size->elements, foci = (double) size->angles * size->ranges, bins = size->bins;

  *bytes = 8.0 * elements * bins + 4.0 * elements + 4.0 * foci;
  *operations = 8.0 * elements * foci * bins;
}

void
esk_beams_forget (EskBeamsWork *work)
{
  memset (work->powers, 0, work->ranges * work->angles * sizeof *work->powers);
}

/* ---- what is right ---- */

/* Of the foci that are checked, the one of that number: the loudest first, the others spread over all there are. */
static size_t
focus_of (const EskBeamsWork *work,
          size_t              k)
{
  const size_t foci = work->ranges * work->angles;

  if (work->n_right == foci)
    return k;
  return k == 0 ? foci - work->angles + nearest (work, 123.0) : (k + 1) * foci / work->n_right - 1;
}

/* By the definition; phasors go from bin to bin by a product, whose error is of no account in float64. */
static double
power_of (const EskBeamsWork *work,
          size_t              focus,
          double             *sums)
{
  double power = 0.0;

  memset (sums, 0, 2 * work->bins * sizeof *sums);
  for (size_t k = 0; k < work->elements; k++)
    {
      const double wave = -2.0 * M_PI * esk_beams_path (work, focus / work->angles, focus % work->angles, k)
                          / ESK_BEAMS_SPEED;
      const double step_re = cos (wave * (frequency (1) - frequency (0)));
      const double step_im = sin (wave * (frequency (1) - frequency (0)));
      double re = cos (wave * frequency (0)), im = sin (wave * frequency (0));

      for (size_t b = 0; b < work->bins; b++)
        {
          const double x = (double) work->real[k * work->bins + b], y = (double) work->imaginary[k * work->bins + b];
          const double before = re;

          sums[2 * b] += x * re - y * im;
          sums[2 * b + 1] += x * im + y * re;
          re = re * step_re - im * step_im;
          im = im * step_re + before * step_im;
        }
    }
  for (size_t b = 0; b < 2 * work->bins; b++)
    power += sums[b] * sums[b];

  return power / ((double) work->elements * (double) work->elements);
}

/* Once for all rungs. */
static int
find_right (EskBeamsWork *work)
{
  const size_t foci = work->ranges * work->angles;
  const double affordable = MOST_TERMS / ((double) work->elements * (double) work->bins);
  double *sums;

  if (work->right != NULL)
    return 1;
  work->n_right = affordable > CHECKED ? affordable < (double) foci ? (size_t) affordable : foci : CHECKED;
  work->n_right = work->n_right < foci ? work->n_right : foci;
  sums = malloc (2 * work->bins * sizeof *sums);
  work->right = malloc (work->n_right * sizeof *work->right);
  for (size_t k = 0; sums != NULL && work->right != NULL && k < work->n_right; k++)
    work->right[k] = power_of (work, focus_of (work, k), sums);
  free (sums);

  return sums != NULL && work->right != NULL;
}

/*
 * By the largest power. A path of t wavelengths is rounded three times, by t / 2^24 at most: as a number of metres,
 * times the frequency, and as a phase; together that spreads by as much. Elements round by chance, so that of B of them
 * four times the spread by their root remains; the frequency of a bin they have in common, but bins do not. Power
 * changes by twice what the sum does, which is at most the mean of |X| by the largest: together below 3. The rest is
 * the rounding of a sum of B products, and of phasors that are taken anew after at most 128 bins, half of FLT_EPSILON
 * each.
 */
static double
tolerance_of (const EskBeamsWork *work)
{
  const double length = (double) work->elements * ESK_BEAMS_SPACING / 2.0;
  const double turns = length * frequency (work->bins) / ESK_BEAMS_SPEED, phase = 2.0 * M_PI * turns * ldexp (1.0, -24);
  const double root = sqrt ((double) work->elements), root_bins = sqrt ((double) work->bins);

  return 3.0 * phase * (4.0 / root + 1.0 / root_bins) + (double) FLT_EPSILON * (2.0 * root + 256.0 / root);
}

void
esk_beams_check (EskBeamsWork  *work,
                 EskRungResult *result)
{
  double worst = 0.0, largest = 0.0;

  result->tolerance = tolerance_of (work);
  result->error = INFINITY;
  if (!find_right (work))
    return;
  for (size_t k = 0; k < work->n_right; k++)
    {
      const double difference = fabs ((double) work->powers[focus_of (work, k)] - work->right[k]);

      worst = isnan (difference) ? INFINITY : fmax (worst, difference);
      largest = fmax (largest, work->right[k]);
    }
  result->error = largest > 0.0 ? worst / largest : worst;
}

int64_t
esk_beams_output (const EskBeamsWork *work,
                  double             *values,
                  size_t              n)
{
  const size_t foci = work->ranges * work->angles;

  for (size_t k = 0; k < foci && k < n; k++)
    values[k] = (double) work->powers[k];

  return (int64_t) foci;
}

/* ---- the hot spot ---- */

/* Spectra where the device's hot spots read them, and room for powers. */
static int
bring (EskLadder          *ladder,
       const EskBeamsWork *work,
       EskBeamsProduced   *produced)
{
  const EskDeviceHotspots *device = ladder->production->device;
  const size_t stride = produced->spectra.stride, bytes = esk_spectra_bytes (work->elements, work->bins, 1);
  const size_t band_bytes = work->ranges * work->angles * sizeof (float);

  produced->host = aligned_alloc (64, (bytes + 63) / 64 * 64);
  if (produced->host == NULL)
    return ESK_LADDER_ERROR_MEMORY;
  memset (produced->host, 0, bytes);
  for (size_t k = 0; k < work->elements; k++)
    for (size_t b = 0; b < work->bins; b++)
      {
        produced->host[2 * b * stride + k] = work->real[k * work->bins + b];
        produced->host[(2 * b + 1) * stride + k] = work->imaginary[k * work->bins + b];
      }
  produced->spectra.values = device != NULL ? device->memory_new ((int) ladder->index, bytes) : produced->host;
  produced->band = device != NULL ? device->memory_new ((int) ladder->index, band_bytes) : malloc (band_bytes);
  if (produced->spectra.values == NULL || produced->band == NULL)
    return ESK_LADDER_ERROR_MEMORY;
  if (device == NULL)
    return ESK_LADDER_OK;
  ESK_LADDER_TRY (esk_ladder_produced (ladder, device->upload (ladder->stream, produced->spectra.values,
                                                               produced->host, bytes)));
  return esk_ladder_produced (ladder, device->wait (ladder->stream));
}

/* beams_new () copies what the plan points to. */
static int
prepare_beams (EskLadder          *ladder,
               const EskBeamsWork *work,
               EskBeamsProduced   *produced,
               double             *positions,
               EskFocus           *foci)
{
  const double elements = (double) work->elements;
  const EskBeamPlan plan = { .elements = work->elements, .positions = positions,
                             .n_foci = work->ranges * work->angles, .foci = foci, .sound_speed = ESK_BEAMS_SPEED,
                             .first_frequency = frequency (0), .bin_spacing = frequency (1) - frequency (0),
                             .bins = work->bins, .normalisation = 1.0 / (elements * elements),
                             .amplitude = 1.0 / elements };
  int code;

  for (size_t k = 0; k < work->elements; k++)
    positions[3 * k] = place (work, k);
  for (size_t f = 0; f < plan.n_foci; f++)
    {
      const double angle = angle_of (work, f % work->angles), height = height_of (work, f / work->angles);

      if (height > 0.0)
        foci[f] = (EskFocus) { height * cos (angle) / sin (angle), height, 0.0, true };
      else
        foci[f] = (EskFocus) { cos (angle), sin (angle), 0.0, false };
    }
  produced->beams = ladder->production->beam->beams_new (ladder->stream, &plan, &code);

  return esk_ladder_produced (ladder, code);
}

int
esk_beams_produce_begin (EskLadder          *ladder,
                         const EskBeamsWork *work,
                         EskBeamsProduced   *produced,
                         EskRungResult      *result)
{
  const EskHotspots *hotspots = ladder->production;
  double *positions, began;
  EskFocus *foci;
  int code;

  memset (produced, 0, sizeof *produced);
  if (hotspots == NULL || !ESK_HAS (hotspots, beam, beam_power))
    return esk_ladder_refuse (result, ESK_WHY_LIBRARY, 0, 0, "the back end");
  produced->spectra = (EskSpectra) { NULL, work->elements, esk_spectra_stride (work->elements), work->bins, 1 };
  result->type = ESK_TYPE_LAB_FLOAT32;
  result->launches = 1;
  esk_beams_least (&ladder->size, &result->bytes, &result->operations);

  ESK_LADDER_TRY (bring (ladder, work, produced));
  began = esk_ladder_now ();
  positions = calloc (work->elements, 3 * sizeof *positions);
  foci = calloc (work->ranges * work->angles, sizeof *foci);
  code = positions != NULL && foci != NULL ? prepare_beams (ladder, work, produced, positions, foci)
                                           : ESK_LADDER_ERROR_MEMORY;
  free (positions);
  free (foci);
  ESK_LADDER_TRY (code);
  ESK_LADDER_TRY (esk_beams_produce_run (ladder, produced));
  ESK_LADDER_TRY (esk_ladder_produced (ladder, esk_hotspots_wait (hotspots, ladder->stream)));
  result->setup = esk_ladder_now () - began;

  return ESK_LADDER_OK;
}

int
esk_beams_produce_run (EskLadder        *ladder,
                       EskBeamsProduced *produced)
{
  return esk_ladder_produced (ladder, ladder->production->beam->beam_power (ladder->stream, produced->beams,
                                                                            &produced->spectra, 0, NULL,
                                                                            produced->band));
}

int
esk_beams_produce_finish (EskLadder        *ladder,
                          EskBeamsProduced *produced,
                          EskBeamsWork     *work)
{
  const EskDeviceHotspots *device = ladder->production->device;
  const size_t bytes = work->ranges * work->angles * sizeof (float);

  if (device == NULL)
    {
      memcpy (work->powers, produced->band, bytes);
      return ESK_LADDER_OK;
    }
  ESK_LADDER_TRY (esk_ladder_produced (ladder, device->download (ladder->stream, work->powers, bytes, produced->band,
                                                                 bytes, bytes, 1)));
  return esk_ladder_produced (ladder, device->wait (ladder->stream));
}

void
esk_beams_produce_end (EskLadder        *ladder,
                       EskBeamsProduced *produced)
{
  const EskDeviceHotspots *device = ladder->production != NULL ? ladder->production->device : NULL;

  if (produced->beams != NULL)
    ladder->production->beam->beams_free (produced->beams);
  if (device != NULL)
    {
      device->memory_free ((int) ladder->index, produced->spectra.values);
      device->memory_free ((int) ladder->index, produced->band);
    }
  else
    free (produced->band);
  free (produced->host);
  memset (produced, 0, sizeof *produced);
}
