/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "eigenscope.h"

#include "array/es-array.h"
#include "recording/es-recording-internal.h"

/*
 * Hydrophones hear a scene, in double precision and independent of what is tested (sonar.md 13): element k hears
 * s (t - (|p - x_k| - |p|) / c), p the source's place from the centre of the array. Tones are evaluated where they are;
 * noise is delayed by phase ramps on a transform of more than twice the length, and cropped.
 */
typedef struct
{
  double   x, y, z;            /* m from the centre of the array; far: a unit vector */
  gboolean far;
} EsTestPlace;

/* Of a line, theta from its axis; of any other array, the azimuth. */
EsTestPlace es_test_place_far           (EsArray *array, double theta);
/* Beside a line, level with it. */
EsTestPlace es_test_place_perpendicular (EsArray *array, double theta, double distance);
EsTestPlace es_test_place_slant         (EsArray *array, double theta, double range);
EsTestPlace es_test_place_direction     (double azimuth, double elevation);
EsTestPlace es_test_place_point         (double x, double y, double z);

typedef struct
{
  EsArray *array;
  double   rate, sound_speed;
  guint    channels;           /* the highest that the array names, and one */
  gsize    frames;
  double  *samples;            /* frames x channels */
} EsTestSonar;

EsTestSonar *es_test_sonar_new        (EsArray *array, double rate, gsize frames, double sound_speed);
void         es_test_sonar_free       (EsTestSonar *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (EsTestSonar, es_test_sonar_free)

/* The seconds by which element k hears a source later than the centre of the array does. */
double       es_test_sonar_delay      (EsTestSonar *self, EsTestPlace place, guint element);
/* amplitude sin (2 pi f t + phase) */
void         es_test_sonar_add_tone   (EsTestSonar *self, EsTestPlace place, double frequency, double amplitude,
                                       double phase);
/* n tones of one amplitude at random frequencies in the band and random phases, as in item 1 of section 13. */
void         es_test_sonar_add_tones  (EsTestSonar *self, EsTestPlace place, double low, double high, guint n,
                                       double amplitude, guint64 seed);
/* Gaussian noise with that mean square, all of it in the band. */
void         es_test_sonar_add_noise  (EsTestSonar *self, EsTestPlace place, double low, double high, double power,
                                       guint64 seed);
/* Gaussian noise of each channel's own. */
void         es_test_sonar_add_white  (EsTestSonar *self, double power, guint64 seed);
/* Samples times scale as ESK_F32 or, rounded to steps of 2^-15, ESK_I16. The array is set. Transfer full. */
EsRecording *es_test_sonar_record     (EsTestSonar *self, EskType type, double scale);

/* In place: n a power of two, interleaved; sign -1 is the forward transform; unscaled. */
void         es_test_transform        (double *values, gsize n, int sign);
/* 0 <= x < 1, and a normal number; the state is any number. */
double       es_test_uniform          (guint64 *state);
double       es_test_normal           (guint64 *state);

/* Keys and values by turns, closed by NULL. Transfer full. */
EsParams    *es_test_params           (const EsParamSpec *specs, const char *first, va_list more);
/* Whether one of the sentences has that word in it; none of NULL has. */
gboolean     es_test_says             (const char * const *sentences, const char *word);
void         es_test_assert_at        (EsArray *array, guint element, double x, double y, double z);
/* With the files in it; takes the name. */
void         es_test_remove_folder    (char *folder);
