/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

/* The hot spots of pictures, as in EskPictureHotspots. */

#include "es-hotspots-picture.h"

#include "cuda/core/es-cuda-internal.h"

int esk_cuda_plane_statistics  (EskStream *stream, const float *plane, size_t n, size_t step, EskPlaneStatistics *out);
int esk_cuda_plane_halve       (EskStream *stream, const float *from, size_t width, size_t height, float *to);
int esk_cuda_plane_decimate    (EskStream *stream, const float *from, size_t stride, size_t width, size_t height,
                                size_t step, float *to);
int esk_cuda_gl_shares         (EskStream *stream, int device);
int esk_cuda_gl_register       (EskStream *stream, unsigned texture, EskTexture **out);
void esk_cuda_gl_unregister    (EskStream *stream, EskTexture *texture);
int esk_cuda_gl_copy           (EskStream *stream, EskTexture *texture, const float *plane, size_t width,
                                size_t height);
