/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

/* Planes of float32 in a device's memory, for pictures: their statistics, smaller ones, and OpenGL textures of them. */

#include <stddef.h>
#include <stdint.h>

#include "es-hotspots-stream.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct _EskTexture EskTexture;   /* an OpenGL texture that a GPU may write */

/* Statistics of a plane for stretching, of every `step`-th sample; not finite ones do not count. */
typedef struct {
  uint64_t n_valid;
  double   minimum, maximum, mean, deviation;
  unsigned histogram[256];             /* over minimum..maximum */
  double   quantiles[1001];            /* at 0, 0.1 % ... 100 %, interpolated between the two samples beside */
} EskPlaneStatistics;

typedef struct {
  int   (*plane_statistics) (EskStream *stream, const float *plane, size_t n, size_t step, EskPlaneStatistics *out);
  /* to: ((width + 1) / 2) x ((height + 1) / 2); the mean of the valid ones of 2 x 2 (which at an odd edge repeat),
   * NAN where there is none: bit for bit render/'s own halving, ((a + b) + (c + d)) * 0.25f or sum / n. */
  int   (*plane_halve)   (EskStream *stream, const float *from, size_t width, size_t height, float *to);
  /* Every step-th sample of every step-th row of a window of a plane that is `stride` wide, packed. */
  int   (*plane_decimate) (EskStream *stream, const float *from, size_t stride, size_t width, size_t height,
                           size_t step, float *to);

  /* ---- OpenGL; the GL context is current on the calling thread ---- */

  /* 1 where `device` drives the context, 0 where another does; negative: it cannot be known (Mesa). */
  int   (*gl_shares)     (EskStream *stream, int device);
  /* texture: a GL_TEXTURE_2D of GL_R32F, width x height, made by the caller and not resized while registered. */
  int   (*gl_register)   (EskStream *stream, unsigned texture, EskTexture **out);
  void  (*gl_unregister) (EskStream *stream, EskTexture *texture);
  /* Copies a plane into it; done when it returns as far as later GL commands are concerned. */
  int   (*gl_copy)       (EskStream *stream, EskTexture *texture, const float *plane, size_t width, size_t height);
} EskPictureHotspots;

#ifdef __cplusplus
}
#endif
