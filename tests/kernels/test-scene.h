/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

/* Cubes of known samples in every layout, and outputs between sentinels: what the tests of the kernels share. */

#include <glib.h>

#include "es-hotspots.h"

__extension__ typedef __int128 TestWhole;

typedef enum
{
  LAYOUT_BSQ,
  LAYOUT_BIL,
  LAYOUT_BIP,
  LAYOUT_GAPS,                 /* no stride is 1, rows do not follow each other */
  LAYOUT_FLIPPED,              /* upside down and mirrored: negative strides */
  N_LAYOUTS
} Layout;

/* value[p * bands + b] is the sample of pixel p in float64; whole[] the same for integer types. */
typedef struct
{
  EskTile    tile;
  size_t     n_pixels;
  double    *value;
  TestWhole *whole;
  void      *buffer;
} Scene;

gboolean test_type_is_float (EskType type);
/* Stores a value (whole for integer types) in native byte order. */
void     test_store         (EskType type, void *target, double value, TestWhole whole);

/* Fills in samples of a type's own range: spectra that vary smoothly plus noise, of the amplitude given as a fraction
 * of the range. */
Scene   *scene_new          (EskType type, size_t width, size_t height, size_t bands, Layout layout, gboolean swapped,
                             double amplitude, guint32 seed);
/* Changes one sample. */
void     scene_set          (Scene *scene, size_t pixel, size_t band, double value, TestWhole whole);
void     scene_free         (Scene *scene);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (Scene, scene_free)

/* A window of the same samples: what a reader would hand over as a tile. */
EskTile  scene_window       (const Scene *scene, size_t x, size_t y, size_t width, size_t height);

/* Bands 0 to n - 1. */
uint32_t *test_all_bands    (size_t n);
/* 0: every pixel; 1: scattered; 2: long runs; 3: none but one; 4: none. */
#define N_MASKS 5
uint8_t *test_make_mask     (size_t n_pixels, guint kind);

/* A sample as the selection makes it a number: the reference for what the kernels compute with. */
uint8_t  scene_quantise_reference (EskType type, double value, TestWhole whole, double minimum, double maximum);
TestWhole scene_whole_at    (const Scene *scene, const EskSelection *selection, size_t pixel, size_t band);
double   scene_value_at     (const Scene *scene, const EskSelection *selection, size_t pixel, size_t band);

/* Sizes that every hot spot is tried on. */
typedef struct
{
  size_t width, height, bands;
} TestSize;
#define N_TEST_SIZES 9
extern const TestSize test_sizes[N_TEST_SIZES];

/* size bytes between sentinels, filled with a pattern; test_guarded_free () fails where a sentinel has changed. */
void    *test_guarded_new   (size_t size);
void     test_guarded_free  (void *data);

/* Streams of both sets of inner loops. */
/* Loops of streams: the fastest that this machine has, the portable ones, those for AVX2 where it has them. */
enum { TEST_NATIVE, TEST_PORTABLE, TEST_AVX2, N_TEST_LOOPS };
extern const char * const test_loops_names[N_TEST_LOOPS];
EskStream *test_stream_new  (int loops);
