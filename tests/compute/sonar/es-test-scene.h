/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "es-test-sonar.h"

/*
 * What hydrophones with faults hear, in double precision: spectra of each element over the whole length, so that any
 * delay is exact and a field of waves from all around costs no more than one. Everything repeats after `frames` (a
 * power of two).
 */
typedef struct
{
  EsArray *array;
  guint    n;
  gsize    frames;
  double   rate, sound_speed;
  double  *spectra;            /* n x frames / 2 x (real, imaginary) */
  guint64  seed;
} EsTestScene;

EsTestScene *es_test_scene_new     (EsArray *array, double rate, gsize frames, guint64 seed);
void         es_test_scene_free    (EsTestScene *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (EsTestScene, es_test_scene_free)

/* Noise of that mean square in the band, from the place (far: a unit vector towards it). Near: `power` at the centre,
 * louder where it is nearer. */
void es_test_scene_add_source  (EsTestScene *self, EsTestPlace place, double low, double high, double power);
/* From all directions of space alike, `waves` of them. */
void es_test_scene_add_diffuse (EsTestScene *self, guint waves, double low, double high, double power);
/* A tone of the nearest frequency that repeats. */
void es_test_scene_add_tone    (EsTestScene *self, EsTestPlace place, double frequency, double power);
/* Each element's own. */
void es_test_scene_add_own     (EsTestScene *self, double low, double high, double power);
void es_test_scene_add_own_to  (EsTestScene *self, guint element, double low, double high, double power);
/* The element's signal times gain, late by delay (s). */
void es_test_scene_break       (EsTestScene *self, guint element, double gain, double delay);
/* As float32, of mean square 1e-4 over all; with the array. Transfer full. */
EsRecording *es_test_scene_record (EsTestScene *self);
/* The same as samples, frames x n, g_free (). */
float       *es_test_scene_render (EsTestScene *self);
