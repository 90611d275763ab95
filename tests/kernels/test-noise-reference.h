/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

/* Residuals and errors by their definitions, one pixel at a time in float64: what the tests of every back end share. */

#include <glib.h>

#include "es-hotspots.h"

/* The sample of a pixel (row * width + column) and band as a number. */
typedef double (*ReferenceValue) (gconstpointer data, size_t pixel, size_t band);

typedef struct
{
  ReferenceValue value;
  gconstpointer  data;
  size_t         width, bands;
  const uint8_t *valid;        /* nullable; rows of width */
} Reference;

/* Whether every pixel that the residual at (column, row) is made of is valid. */
gboolean reference_counts   (const Reference *reference, EskNoiseKind kind, size_t column, size_t row);
/* The residual; `integer`: 9 p - sum instead of p - mean. */
double   reference_residual (const Reference *reference, EskNoiseKind kind, gboolean integer, size_t column,
                             size_t row, size_t band);
/* A part of a residual; *clamped becomes TRUE where it is not all of it. */
int16_t  reference_part     (EskNoisePart part, double residual, gboolean *clamped);
/* The mean squared error of a pixel, its spectral angle in degrees, and the error of every band. */
void     reference_error    (const Reference *reference, size_t pixel, const EskMatrix *forward,
                             const EskMatrix *backward, const double *mean, const double *scale, const double *offset,
                             double *error, double *mean_square, double *angle);
