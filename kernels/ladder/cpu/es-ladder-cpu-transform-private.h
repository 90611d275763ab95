/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

/* The transform's ladder of the processor: its rungs, a file for those that share a way, and what they are given. */

#include "es-ladder-cpu-private.h"
#include "ladder/es-ladder-transform-internal.h"

/* Pixels of a panel: all bands of them, in float32, stay in the second-level cache. A multiple of 16. */
#define TRANSFORM_PANEL 256

typedef struct {
  EskStream *stream;                   /* production */
  float     *panel;                    /* others: bands x TRANSFORM_PANEL */
} TransformWorker;

typedef struct {
  EskTransformWork of;
  TransformWorker  workers[ESK_MOST_THREADS];
  unsigned         n_workers;
  /* production */
  size_t           tile_rows;
  uint32_t        *bands;
} TransformOfCpu;

/* The whole work, once. ESK_LADDER_OK or a code. */
int transform_first        (EskLadder *ladder, TransformOfCpu *self);
int transform_interchanged (EskLadder *ladder, TransformOfCpu *self);
/* With the panels of workers. */
int transform_blocked      (EskLadder *ladder, TransformOfCpu *self);
int transform_vectorised   (EskLadder *ladder, TransformOfCpu *self);
int transform_threaded     (EskLadder *ladder, TransformOfCpu *self);
int transform_library      (EskLadder *ladder, TransformOfCpu *self);

/* A panel for each of n workers; ESK_LADDER_ERROR_MEMORY. end () takes them, and what production_begin () left. */
int  transform_panels           (TransformOfCpu *self, unsigned n, EskRungResult *result);
/* The hot spot as the program runs it: every thread has a stream of its own, and takes one tile of rows after the
 * other. */
int  transform_production_begin (EskLadder *ladder, TransformOfCpu *self, EskRungResult *result);
int  transform_production       (EskLadder *ladder, TransformOfCpu *self);
void transform_end              (EskLadder *ladder, TransformOfCpu *self);
