/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

/* Vectors of solvers on any device against long double: what the tests of the processor and of cards share. */

#include <glib.h>

#include "es-hotspots.h"

typedef struct
{
  const EskHotspots *table;
  EskStream         *stream;
  /* Memory of the device with that content; what it holds; done with it. */
  void   *(*take)   (gsize bytes, const void *content);
  void    (*fetch)  (void *memory, void *to, gsize bytes);
  void    (*drop)   (void *memory);
  void    (*fail)   (const char *what, const char *message);
} VectorsPlace;

/* Every entry, of n values of that type. */
void vectors_check        (const VectorsPlace *place, EskType type, gsize n, guint64 seed);
/* Values that are not finite, quotients of 0, arguments that cannot be right. */
void vectors_check_edges  (const VectorsPlace *place);
/* The published inner product, of sizes on both sides of its cuts. */
void vectors_check_inner  (const VectorsPlace *place, gboolean quick);
/* Calls each entry once more and compares bytes: after another number of threads, say. Free with g_free (). */
GByteArray *vectors_bytes (const VectorsPlace *place, EskType type, gsize n, guint64 seed);
