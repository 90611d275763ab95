/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

/* The transform's ladder of cards: its rungs, and what they are given. */

#include "es-ladder-cuda-private.h"
#include "ladder/es-ladder-transform-internal.h"

typedef struct TransformLibrary TransformLibrary;

typedef struct {
  EskTransformWork     of;
  EskTransformProduced produced;
  /* The card's. */
  uint8_t             *planes;
  float               *basis, *offset, *out;
  TransformLibrary    *library;
} TransformOfCard;

/* Computes the results of pixels `first` to first + n. */
typedef int (*TransformLaunch) (EskLadder *ladder, TransformOfCard *self, size_t first, size_t n);

int transform_launch_v0  (EskLadder *ladder, TransformOfCard *self, size_t first, size_t n);
int transform_launch_row (EskLadder *ladder, TransformOfCard *self, size_t first, size_t n);
int transform_launch_v1  (EskLadder *ladder, TransformOfCard *self, size_t first, size_t n);
int transform_launch_v2  (EskLadder *ladder, TransformOfCard *self, size_t first, size_t n);
int transform_launch_r5  (EskLadder *ladder, TransformOfCard *self, size_t first, size_t n);

/* Brings what the rung keeps in constant memory there, and tells what its kernel is as it is launched; or refuses.
 * Fills launches (of one piece), bytes and operations (of all pixels). */
int transform_tell (EskLadder *ladder, const TransformOfCard *self, TransformLaunch launch, EskRungResult *result);

/* cuBLAS. end () takes what begin () left, also where it failed. */
int  transform_library_begin (EskLadder *ladder, TransformOfCard *self, EskRungResult *result);
int  transform_library_run   (EskLadder *ladder, TransformOfCard *self);
void transform_library_end   (TransformOfCard *self);
