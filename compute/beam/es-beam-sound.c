/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/*
 * The waveform of a beam: y (t) = sum_k w_k x_k (t - Dl_k / c). Whole samples of a delay are a matter of where a
 * channel is read; only the fraction that is left, half a sample at most, is a phase ramp, so that no transit time is
 * too long for the segments. Their halves fade into each other: sin^2 + cos^2 = 1.
 */

#include "es-beam-sound.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#include "device/es-device-internal.h"
#include "es-beam-geometry-internal.h"
#include "base/es-error.h"
#include "recording/es-recording-internal.h"

#define DEFAULT_LENGTH 8192
#define SHORTEST_LENGTH 16
/* Of segments that follow a bearing: s, and samples. */
#define LONGEST_TURN 0.25
#define SHORTEST_TURN 256
/* Samples, however slow sound is and however long the array. */
#define LONGEST_DELAY (1 << 28)

struct _EsBeamSound
{
  EsRecording    *recording;
  EsCalibration  *calibration;   /* nullable */
  double          unit;          /* µPa of full scale that channels are brought to; 1 where nobody knows */
  EsBeamGeometry *geometry;
  EsFrameReader  *reader;
  guint           half;          /* a segment is two */
  float          *fade;          /* 2 half */
  gint64         *whole;         /* geometry->n: samples of delay */
  double         *fraction;      /* the rest */
  gint64          earliest, latest;      /* of the whole delays */

  EsArray        *array;
  EsNavigation   *navigation;    /* where it turns; NULL: a bearing that stays */
  EsBeamAim       aim;
  double          steered;       /* the bearing of the delays; degrees from the array */
  gboolean        has_gaps;

  guint8         *frames;        /* room for `room` frames of every channel: a segment and its delays */
  guint64         room;
  EskFft         *fft;
  float          *channel, *spectrum, *sum;    /* 2 half; half + 1 complex each */

  float          *segment;       /* 2 half: the segment that begins at (index - 1) * half */
  float          *out;           /* half: half number `index` */
  gint64          index;
  gboolean        has_index;

  double          speed;
  EsElementHealth *health;       /* of the array's elements */
  double          full, highest; /* of samples as they are stored */
};

/* ---- making it ---- */

static void
find_focus (EsArray *array, double bearing, double elevation, double speed, EskFocus *focus)
{
  double range = INFINITY;
  const EsBeamSettings settings = { .angles = &bearing, .n_angles = 1, .ranges = &range, .n_ranges = 1,
                                    .sound_speed = speed };

  if (es_array_is_line (array))
    es_beam_foci_of_row (array, &settings, 0, focus);
  else
    *focus = es_beam_focus_far (bearing, elevation);
}

/* Its delays, and room for what they need. */
static gboolean
steer (EsBeamSound *self, double bearing, GError **error)
{
  const double rate = es_recording_get_rate (self->recording);
  EskFocus focus;
  const EskBeamPlan plan = { .elements = self->geometry->n, .positions = self->geometry->positions, .n_foci = 1,
                             .foci = &focus, .sound_speed = self->speed };
  g_autofree double *delays = g_new (double, self->geometry->n);

  find_focus (self->array, bearing, self->aim.elevation, self->speed, &focus);
  self->steered = bearing;
  esk_beam_delays (&plan, 0, delays);
  self->earliest = G_MAXINT64;
  self->latest = G_MININT64;
  for (guint k = 0; k < self->geometry->n; k++)
    {
      const double samples = delays[k] * rate;

      if (!(fabs (samples) < LONGEST_DELAY))
        {
          g_set_error (error, ES_COMPUTE_ERROR, ES_COMPUTE_ERROR_MEMORY,
                       _("Sound takes %.3g s over this array, which is more than can be steered."), fabs (delays[k]));
          return FALSE;
        }
      self->whole[k] = (gint64) floor (samples + 0.5);
      self->fraction[k] = samples - self->whole[k];
      self->earliest = MIN (self->earliest, self->whole[k]);
      self->latest = MAX (self->latest, self->whole[k]);
    }

  const guint64 span = 2 * self->half + (guint64) (self->latest - self->earliest);
  if (span <= self->room)
    return TRUE;
  g_free (self->frames);
  self->room = 0;
  self->frames = g_try_malloc_n (span, es_recording_get_n_channels (self->recording)
                                       * esk_type_size (es_recording_get_type_code (self->recording)));
  if (self->frames == NULL)
    return es_compute_error_no_memory (_("the sound of a beam"), error);
  self->room = span;
  return TRUE;
}

static gboolean
set_up (EsBeamSound *self, EsShading shading, GError **error)
{
  const guint length = 2 * self->half;

  self->geometry = es_beam_geometry_new_calibrated (self->array, shading, es_recording_get_scale (self->recording)
                                                                    / self->unit, self->calibration, error);
  if (self->geometry == NULL)
    return FALSE;
  self->whole = g_new (gint64, self->geometry->n);
  self->fraction = g_new (double, self->geometry->n);
  /* What is followed is steered as it goes. */
  if (self->navigation == NULL && !steer (self, self->aim.bearing, error))
    return FALSE;
  self->reader = es_frame_reader_new (self->recording, error);
  if (self->reader == NULL)
    return FALSE;

  self->fft = esk_fft_new (length);
  self->fade = g_new (float, length);
  self->channel = g_new (float, length);
  self->spectrum = g_new (float, length + 2);
  self->sum = g_new (float, length + 2);
  self->segment = g_new (float, length);
  self->out = g_new (float, self->half);
  if (self->fft == NULL)
    return es_compute_error_no_memory (_("the sound of a beam"), error);
  for (guint i = 0; i < length; i++)
    self->fade[i] = (float) sin (G_PI * i / length);
  return TRUE;
}

/* While an array turns by a degree a second, a segment must not turn by much. */
static guint
choose_length (EsBeamSound *self, guint length)
{
  guint most = SHORTEST_TURN;

  length = MAX (length > 0 ? length : DEFAULT_LENGTH, SHORTEST_LENGTH);
  if (self->navigation == NULL)
    return length;
  while (2 * most <= LONGEST_TURN * es_recording_get_rate (self->recording))
    most *= 2;
  return MIN (length, most);
}

EsBeamSound *
es_beam_sound_new (EsRecording *recording, EsArray *array, EsShading shading, EsBeamAim aim, guint length,
                   GError **error)
{
  EsBeamSound *self = g_new0 (EsBeamSound, 1);

  self->recording = g_object_ref (recording);
  self->calibration = es_recording_dup_calibration (recording);
  self->unit = self->calibration != NULL ? es_calibration_get_reference (self->calibration) : 1;
  self->array = es_array_ref (array);
  self->health = g_new0 (EsElementHealth, es_array_get_n_elements (array));
  es_recording_get_range (recording, &self->full, &self->highest);
  self->aim = aim;
  self->steered = NAN;
  self->navigation = isnan (aim.true_bearing) ? NULL : es_recording_dup_navigation (recording);
  /* Nobody tells any more where it points: the beam it was. */
  if (self->navigation == NULL)
    self->aim.true_bearing = NAN;
  self->speed = es_array_get_sound_speed (array);
  self->half = choose_length (self, length) / 2;
  if (!set_up (self, shading, error))
    {
      es_beam_sound_free (self);
      return NULL;
    }
  return self;
}

void
es_beam_sound_free (EsBeamSound *self)
{
  g_clear_pointer (&self->reader, es_frame_reader_free);
  g_clear_pointer (&self->geometry, es_beam_geometry_free);
  g_clear_pointer (&self->fft, esk_fft_free);
  g_clear_pointer (&self->calibration, es_calibration_unref);
  g_clear_pointer (&self->navigation, es_navigation_unref);
  es_array_unref (self->array);
  g_object_unref (self->recording);
  g_free (self->whole);
  g_free (self->fraction);
  g_free (self->frames);
  g_free (self->fade);
  g_free (self->channel);
  g_free (self->spectrum);
  g_free (self->sum);
  g_free (self->segment);
  g_free (self->out);
  g_free (self->health);
  g_free (self);
}

double
es_beam_sound_get_rate (EsBeamSound *self)
{
  return es_recording_get_rate (self->recording);
}

double
es_beam_sound_get_full_scale (EsBeamSound *self)
{
  return self->calibration != NULL ? self->unit : NAN;
}

EsCalibration *
es_beam_sound_get_calibration (EsBeamSound *self)
{
  return self->calibration;
}

EsRecording *
es_beam_sound_get_recording (EsBeamSound *self)
{
  return self->recording;
}

gboolean
es_beam_sound_has_gaps (EsBeamSound *self)
{
  return self->has_gaps;
}

EsArray *
es_beam_sound_get_array (EsBeamSound *self)
{
  return self->array;
}

const EsElementHealth *
es_beam_sound_get_health (EsBeamSound *self)
{
  return self->health;
}

char *
es_beam_sound_describe (EsBeamSound *self)
{
  const gboolean follows = self->navigation != NULL;
  char bearing[G_ASCII_DTOSTR_BUF_SIZE], elevation[G_ASCII_DTOSTR_BUF_SIZE], speed[G_ASCII_DTOSTR_BUF_SIZE];

  g_ascii_formatd (bearing, sizeof bearing, "%.6g", follows ? self->aim.true_bearing : self->aim.bearing);
  g_ascii_formatd (elevation, sizeof elevation, "%.6g", self->aim.elevation);
  g_ascii_formatd (speed, sizeof speed, "%.6g", self->speed);
  if (follows)
    return g_strdup_printf ("true bearing %s°, followed as the array turns (%s m/s)", bearing, speed);
  if (es_array_is_line (self->array))
    return g_strdup_printf ("%s° from the axis of the array (%s m/s)", bearing, speed);
  return g_strdup_printf ("azimuth %s°, elevation %s° (%s m/s)", bearing, elevation, speed);
}

/* ---- segments ---- */

/* A sample as it is stored. */
static inline double
get_sample (const guint8 *at, EskType type, gboolean swapped)
{
  guint16 half;
  guint32 word;
  guint64 bits;
  float single;
  double value;

  switch (type)
    {
    case ESK_I16:
      memcpy (&half, at, sizeof half);
      return (gint16) (swapped ? GUINT16_SWAP_LE_BE (half) : half);
    case ESK_I32:
    case ESK_F32:
      memcpy (&word, at, sizeof word);
      word = swapped ? GUINT32_SWAP_LE_BE (word) : word;
      memcpy (&single, &word, sizeof single);
      return type == ESK_I32 ? (double) (gint32) word : (double) single;
    case ESK_F64:
    default:
      memcpy (&bits, at, sizeof bits);
      bits = swapped ? GUINT64_SWAP_LE_BE (bits) : bits;
      memcpy (&value, &bits, sizeof value);
      return value;
    }
}

/* n samples, step bytes apart, faded; what is not finite is 0. health: of the element. */
static inline __attribute__ ((always_inline)) void
fetch_as (EsBeamSound *self, EskType type, gboolean swapped, const guint8 *at, ptrdiff_t step, guint n, float gain,
          float *out, EsElementHealth *health)
{
  double top = 0, bottom = 0;
  gboolean is_finite = TRUE;

  for (guint i = 0; i < n; i++, at += step)
    {
      double value = get_sample (at, type, swapped);

      if ((type == ESK_F32 || type == ESK_F64) && !isfinite (value))
        {
          is_finite = FALSE;
          value = 0;
        }
      top = value > top ? value : top;
      bottom = value < bottom ? value : bottom;
      out[i] = (float) (value * gain) * self->fade[i];
    }
  /* The extremes tell what all of them would. */
  es_element_health_count (health, top, self->full, self->highest);
  es_element_health_count (health, bottom, self->full, self->highest);
  if (!is_finite)
    es_element_health_count (health, NAN, self->full, self->highest);
}

/* Of a channel from frame `first` of the frames on. */
static void
fetch (EsBeamSound *self, const EskFrames *frames, guint channel, gsize first, guint n, float gain, float *out,
       EsElementHealth *health)
{
  const gsize size = esk_type_size (frames->type);
  const guint8 *at = (const guint8 *) frames->data
                     + ((ptrdiff_t) first * frames->frame_stride + (ptrdiff_t) channel * frames->channel_stride)
                       * (ptrdiff_t) size;
  const ptrdiff_t step = frames->frame_stride * (ptrdiff_t) size;

  /* Each has a loop of its own where it matters. */
  if (frames->type == ESK_I16 && !frames->byte_swapped)
    fetch_as (self, ESK_I16, FALSE, at, step, n, gain, out, health);
  else if (frames->type == ESK_I32 && !frames->byte_swapped)
    fetch_as (self, ESK_I32, FALSE, at, step, n, gain, out, health);
  else if (frames->type == ESK_F32 && !frames->byte_swapped)
    fetch_as (self, ESK_F32, FALSE, at, step, n, gain, out, health);
  else
    fetch_as (self, frames->type, frames->byte_swapped, at, step, n, gain, out, health);
}

/* sum += spectrum times e^(-j 2 pi b fraction / length). */
static void
add_shifted (EsBeamSound *self, double fraction)
{
  const guint n = self->half + 1;
  const double step = -2 * G_PI * fraction / (2 * self->half);
  const double step_real = cos (step), step_imaginary = sin (step);
  double real = 1, imaginary = 0;

  for (guint b = 0; b < n; b++)
    {
      const double x = self->spectrum[2 * b], y = self->spectrum[2 * b + 1];
      const double next = real * step_real - imaginary * step_imaginary;

      self->sum[2 * b] += (float) (x * real - y * imaginary);
      self->sum[2 * b + 1] += (float) (x * imaginary + y * real);
      imaginary = real * step_imaginary + imaginary * step_real;
      real = next;
    }
}

/* The segment that begins at a frame, faded at both ends. */
static gboolean
make_segment (EsBeamSound *self, gint64 first, GError **error)
{
  const guint length = 2 * self->half;
  const float scale = (float) (1.0 / (length * self->geometry->sum));
  EskFrames frames;

  if (self->navigation != NULL)
    {
      const double middle = (double) (first + self->half) / es_recording_get_rate (self->recording);
      const double heading = es_navigation_get_heading (self->navigation, MAX (middle, 0));
      const double bearing = es_array_find_bearing (self->array, heading, self->aim.true_bearing);

      if (isnan (bearing))
        {
          self->has_gaps = TRUE;
          memset (self->segment, 0, length * sizeof *self->segment);
          return TRUE;
        }
      if (bearing != self->steered && !steer (self, bearing, error))
        return FALSE;
    }
  const guint64 span = length + (guint64) (self->latest - self->earliest);

  /* Delayed by most is read from furthest back. */
  if (!es_frame_reader_read (self->reader, first - self->latest, span, self->frames, &frames, error))
    return FALSE;
  memset (self->sum, 0, (length + 2) * sizeof *self->sum);
  for (guint k = 0, element = 0; k < self->geometry->n; k++, element++)
    {
      while (es_array_get_elements (self->array)[element].dead)
        element++;
      fetch (self, &frames, self->geometry->channels[k], (gsize) (self->latest - self->whole[k]), length,
             self->geometry->gains[k], self->channel, &self->health[element]);
      esk_fft_forward (self->fft, self->channel, self->spectrum);
      add_shifted (self, self->fraction[k]);
    }
  esk_fft_backward (self->fft, self->sum, self->segment);
  for (guint i = 0; i < length; i++)
    self->segment[i] *= scale * self->fade[i];
  return TRUE;
}

/* Half number `index`, frames index * half on: the end of one segment and the beginning of the next. */
static gboolean
make_half (EsBeamSound *self, gint64 index, GError **error)
{
  if (self->has_index && self->index == index)
    return TRUE;
  if (!(self->has_index && self->index + 1 == index))
    {
      self->has_index = FALSE;
      if (!make_segment (self, (index - 1) * self->half, error))
        return FALSE;
    }
  memcpy (self->out, self->segment + self->half, self->half * sizeof *self->out);
  self->has_index = FALSE;
  if (!make_segment (self, index * self->half, error))
    return FALSE;
  for (guint i = 0; i < self->half; i++)
    self->out[i] += self->segment[i];
  self->index = index;
  self->has_index = TRUE;
  return TRUE;
}

gboolean
es_beam_sound_read (EsBeamSound *self, guint64 first, guint n, float *out, GError **error)
{
  for (guint64 frame = first; frame < first + n;)
    {
      const guint64 index = frame / self->half, from = frame - index * self->half;
      const guint64 count = MIN (self->half - from, first + n - frame);

      if (!make_half (self, (gint64) index, error))
        return FALSE;
      memcpy (out + (frame - first), self->out + from, count * sizeof *out);
      frame += count;
    }
  return TRUE;
}
