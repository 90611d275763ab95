/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

/* Many chains of one operation beside each other, of whole vectors: they take as long as the processor's units do. */

#include "es-lab-cpu-chains-private.h"

#include <string.h>

/* lab: rates */
#define STEP(n, OPERATION, HIDE) r ## n = OPERATION (r ## n); HIDE (r ## n);
#define RATE(field, T, bytes, HIDE, name, OPERATION) \
static void \
rate_ ## field ## _ ## name (size_t blocks, const EskLabValue *start, const EskLabValue *a_, const EskLabValue *b_, \
                             void *ends) \
{ \
  typedef T V __attribute__ ((vector_size (bytes))); \
  V a = (V) { 0 } + a_->field, b = (V) { 0 } + b_->field, r0 = (V) { 0 } + start->field, r1 = r0, r2 = r0, r3 = r0, \
    r4 = r0, r5 = r0, r6 = r0, r7 = r0, r8 = r0, r9 = r0, r10 = r0, r11 = r0; \
\
  HIDE (a); \
  HIDE (b); \
  for (blocks *= ESK_LAB_BLOCK / 4; blocks > 0; blocks--) \
    { \
      ESK_FOUR (STEP (0, OPERATION, HIDE) STEP (1, OPERATION, HIDE) STEP (2, OPERATION, HIDE) \
                STEP (3, OPERATION, HIDE) STEP (4, OPERATION, HIDE) STEP (5, OPERATION, HIDE) \
                STEP (6, OPERATION, HIDE) STEP (7, OPERATION, HIDE) STEP (8, OPERATION, HIDE) \
                STEP (9, OPERATION, HIDE) STEP (10, OPERATION, HIDE) STEP (11, OPERATION, HIDE)) \
    } \
  memcpy (ends, (V[]) { r0, r1, r2, r3, r4, r5, r6, r7, r8, r9, r10, r11 }, 12 * sizeof (V)); \
}

/* What has no vectors: four beside each other. */
#define RATE_OF_ONE(field, T, HIDE, name, OPERATION) \
static void \
rate_ ## field ## _ ## name (size_t blocks, const EskLabValue *start, const EskLabValue *a_, const EskLabValue *b_, \
                             void *ends) \
{ \
  T a = a_->field, r0 = start->field, r1 = r0, r2 = r0, r3 = r0; \
\
  HIDE (a); \
  for (blocks *= ESK_LAB_BLOCK; blocks > 0; blocks--) \
    { \
      STEP (0, OPERATION, HIDE) STEP (1, OPERATION, HIDE) STEP (2, OPERATION, HIDE) STEP (3, OPERATION, HIDE) \
    } \
  memcpy (ends, (T[]) { r0, r1, r2, r3 }, 4 * sizeof (T)); \
}
/* lab end */

#define RATES_OF_WHOLE(field, T) \
  RATE (field, T, ESK_WIDTH, ESK_HIDE_VECTOR, add, ADD) \
  RATE (field, T, ESK_WIDTH, ESK_HIDE_VECTOR, subtract, SUBTRACT)
RATES_OF_WHOLE (u32, uint32_t)
RATES_OF_WHOLE (i32, int32_t)
RATES_OF_WHOLE (i64, int64_t)
RATES_OF_WHOLE (i8, int8_t)

#define RATES_OF_PRODUCT(field, T) \
  RATE (field, T, ESK_WIDTH, ESK_HIDE_VECTOR, multiply, MULTIPLY) \
  RATE (field, T, ESK_WIDTH, ESK_HIDE_VECTOR, multiply_add, MULTIPLY_ADD) \
  RATE_OF_ONE (field, T, ESK_HIDE_WHOLE, divide, DIVIDE)
RATES_OF_PRODUCT (u32, uint32_t)
RATES_OF_PRODUCT (i32, int32_t)
RATES_OF_PRODUCT (i64, int64_t)

#define RATES_OF_FLOAT(field, T, bits) \
  RATE (field, T, ESK_WIDTH, ESK_HIDE_VECTOR, add, ADD) \
  RATE (field, T, ESK_WIDTH, ESK_HIDE_VECTOR, subtract, SUBTRACT) \
  RATE (field, T, ESK_WIDTH, ESK_HIDE_VECTOR, multiply, MULTIPLY) \
  RATE (field, T, ESK_WIDTH, ESK_HIDE_VECTOR, divide, DIVIDE) \
  RATE (field, T, ESK_WIDTH, ESK_HIDE_VECTOR, multiply_add, FUSED_VECTOR_ ## bits) \
  RATE_OF_ONE (field, T, ESK_HIDE_FLOAT, sine, SINE_ ## bits) \
  RATE_OF_ONE (field, T, ESK_HIDE_FLOAT, cosine, COSINE_ ## bits) \
  RATE_OF_ONE (field, T, ESK_HIDE_FLOAT, exp2, EXP2_ ## bits) \
  RATE_OF_ONE (field, T, ESK_HIDE_FLOAT, log2, LOG2_ ## bits)
RATES_OF_FLOAT (f32, float, 32)
RATES_OF_FLOAT (f64, double, 64)
#if defined (APPROXIMATE)
RATE (f32, float, ESK_WIDTH, ESK_HIDE_VECTOR, fast_divide, FAST_DIVIDE)
RATE (f32, float, ESK_WIDTH, ESK_HIDE_VECTOR, reciprocal, APPROXIMATE)
RATE (f32, float, ESK_WIDTH, ESK_HIDE_VECTOR, reciprocal_root, APPROXIMATE_ROOT)
#endif

#define IN_VECTORS(T) (ESK_LAB_ACCUMULATORS * ESK_WIDTH / sizeof (T))
#define RATES_OF_SUM(field) \
    [ESK_OPERATION_ADD] = rate_ ## field ## _add, \
    [ESK_OPERATION_SUBTRACT] = rate_ ## field ## _subtract,
#define RATES_OF(field) \
    RATES_OF_SUM (field) \
    [ESK_OPERATION_MULTIPLY] = rate_ ## field ## _multiply, \
    [ESK_OPERATION_DIVIDE] = rate_ ## field ## _divide, \
    [ESK_OPERATION_MULTIPLY_ADD] = rate_ ## field ## _multiply_add,
#define RATES_OF_LIBRARY(field) \
    [ESK_OPERATION_SINE] = rate_ ## field ## _sine, \
    [ESK_OPERATION_COSINE] = rate_ ## field ## _cosine, \
    [ESK_OPERATION_EXP2] = rate_ ## field ## _exp2, \
    [ESK_OPERATION_LOG2] = rate_ ## field ## _log2,
