/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* How samples of a transform (window) and elements of a line (shading) are weighted. */
typedef enum { ES_WINDOW_RECTANGULAR, ES_WINDOW_HANN, ES_WINDOW_HAMMING, ES_WINDOW_BLACKMAN,
               ES_N_WINDOWS } EsWindowKind;
typedef enum { ES_SHADING_NONE, ES_SHADING_HANN, ES_SHADING_HAMMING, ES_SHADING_CHEBYSHEV, ES_N_SHADINGS } EsShading;

/* n weights, periodic for spectra (window), symmetric for arrays. Any n >= 1. */
void es_window_fill  (EsWindowKind kind, float *weights, guint n);
void es_shading_fill (EsShading kind, float *weights, guint n);

G_END_DECLS
