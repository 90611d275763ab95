/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

/* The covariance's ladder of cards: its rungs, a file for those that share a way, and what they are given. */

#include "es-ladder-cuda-private.h"
#include "ladder/es-ladder-covariance-internal.h"

typedef struct CovarianceLibrary CovarianceLibrary;

typedef struct {
  EskCovarianceWork     of;
  EskCovarianceProduced produced;
  uint8_t              *planes;                /* the card's, as the host's */
  unsigned long long   *product, *sum;         /* sums are added to it */

  /* What a rung lays out: pixel after pixel; or planes of words, four pixels each, `pitch` apart, zeros behind. */
  uint8_t              *transposed;
  uint32_t             *words;
  size_t                pitch;
  CovarianceLibrary    *library;
} CovarianceOfCard;

/* Adds pixels `first` to first + n to the products; `first` is a multiple of COVARIANCE_ROUND. */
typedef int (*CovarianceLaunch) (EskLadder *ladder, CovarianceOfCard *self, size_t first, size_t n);
#define COVARIANCE_ROUND 128

/* Threads of a block where a rung leaves it open: what was asked for, in whole warps, or `by_itself`. */
unsigned covariance_threads     (EskLadder *ladder, unsigned by_itself);
/* Of a block that has a thread a band. */
unsigned covariance_of_bands    (EskLadder *ladder, const CovarianceOfCard *self);

int covariance_launch_v0        (EskLadder *ladder, CovarianceOfCard *self, size_t first, size_t n);
int covariance_launch_s5        (EskLadder *ladder, CovarianceOfCard *self, size_t first, size_t n);
int covariance_launch_v1        (EskLadder *ladder, CovarianceOfCard *self, size_t first, size_t n);
int covariance_launch_v2        (EskLadder *ladder, CovarianceOfCard *self, size_t first, size_t n);
int covariance_launch_v3_single (EskLadder *ladder, CovarianceOfCard *self, size_t first, size_t n);
int covariance_launch_v3        (EskLadder *ladder, CovarianceOfCard *self, size_t first, size_t n);
int covariance_launch_v4        (EskLadder *ladder, CovarianceOfCard *self, size_t first, size_t n);
int covariance_launch_v4_1      (EskLadder *ladder, CovarianceOfCard *self, size_t first, size_t n);
int covariance_launch_v4_4      (EskLadder *ladder, CovarianceOfCard *self, size_t first, size_t n);
int covariance_launch_dp4a      (EskLadder *ladder, CovarianceOfCard *self, size_t first, size_t n);
int covariance_launch_dp4a_r5   (EskLadder *ladder, CovarianceOfCard *self, size_t first, size_t n);
int covariance_launch_i         (EskLadder *ladder, CovarianceOfCard *self, size_t first, size_t n);
int covariance_launch_ii_1      (EskLadder *ladder, CovarianceOfCard *self, size_t first, size_t n);
int covariance_launch_ii_2      (EskLadder *ladder, CovarianceOfCard *self, size_t first, size_t n);
int covariance_launch_ii_3      (EskLadder *ladder, CovarianceOfCard *self, size_t first, size_t n);
int covariance_launch_iii       (EskLadder *ladder, CovarianceOfCard *self, size_t first, size_t n);

/* What the kernels are, as they are launched: ladder_kernel (). Also fills launches (of one piece), bytes and
 * operations (of all pixels). */
int covariance_tell_steps       (EskLadder *ladder, const CovarianceOfCard *self, CovarianceLaunch launch,
                                 EskRungResult *result);
int covariance_tell_dots        (EskLadder *ladder, const CovarianceOfCard *self, CovarianceLaunch launch,
                                 EskRungResult *result);
int covariance_tell_mappings    (EskLadder *ladder, const CovarianceOfCard *self, CovarianceLaunch launch,
                                 EskRungResult *result);

/* The copy, made: fills preparation. */
int covariance_transposed_make  (EskLadder *ladder, CovarianceOfCard *self, EskRungResult *result);
int covariance_words_make       (EskLadder *ladder, CovarianceOfCard *self, EskRungResult *result);
/* Sums of the words' bands. */
int covariance_words_sums       (EskLadder *ladder, CovarianceOfCard *self);

/* cuBLAS. finish () leaves the outcome in the host's `of`; end () takes what begin () left, also where it failed. */
int  covariance_library_begin   (EskLadder *ladder, CovarianceOfCard *self, EskRungResult *result);
int  covariance_library_run     (EskLadder *ladder, CovarianceOfCard *self);
int  covariance_library_finish  (EskLadder *ladder, CovarianceOfCard *self);
void covariance_library_end     (CovarianceOfCard *self);
