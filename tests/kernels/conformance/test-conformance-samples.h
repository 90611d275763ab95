/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

/* Whitened samples, on both sides, for what works on them. */

#include "test-conformance.h"

/* Planes of samples, on both sides. */
typedef struct
{
  size_t      m, count, stride;
  float      *host;            /* m x stride */
  CardBuffer  card;
  const float *data;           /* the card's */
} Samples;

/* Independent ones of unit variance and different shapes, mixed a little, which is as good as whitened here. */
gboolean samples_new  (Samples *samples, size_t m, size_t count, size_t gap, gsize misaligned, guint64 seed);
void     samples_free (Samples *samples);
/* Rows of unit length. */
float   *random_rows  (size_t rows, size_t m, guint64 seed);
