/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

/* Chains of one operation each: every one needs the result of the one before, so that they take its latency. */

#include "es-lab-cpu-hide-private.h"
#include "es-lab-cpu-operations-private.h"

/* lab: chains */
#define CHAIN(field, T, HIDE, name, OPERATION) \
static void \
chain_ ## field ## _ ## name (size_t blocks, const EskLabValue *start, const EskLabValue *a_, const EskLabValue *b_, \
                              EskLabValue *end) \
{ \
  T r = start->field, a = a_->field, b = b_->field; \
\
  HIDE (a); \
  HIDE (b); \
  for (; blocks > 0; blocks--) \
    { \
      ESK_SIXTY_FOUR (r = OPERATION (r); HIDE (r);) \
    } \
  end->field = r; \
}
/* lab end */

#define CHAINS_OF_WHOLE(field, T) \
  CHAIN (field, T, ESK_HIDE_WHOLE, add, ADD) \
  CHAIN (field, T, ESK_HIDE_WHOLE, subtract, SUBTRACT) \
  CHAIN (field, T, ESK_HIDE_WHOLE, multiply, MULTIPLY) \
  CHAIN (field, T, ESK_HIDE_WHOLE, divide, DIVIDE) \
  CHAIN (field, T, ESK_HIDE_WHOLE, multiply_add, MULTIPLY_ADD)
CHAINS_OF_WHOLE (u32, uint32_t)
CHAINS_OF_WHOLE (i32, int32_t)
CHAINS_OF_WHOLE (i64, int64_t)

#define CHAINS_OF_FLOAT(field, T, bits) \
  CHAIN (field, T, ESK_HIDE_FLOAT, add, ADD) \
  CHAIN (field, T, ESK_HIDE_FLOAT, subtract, SUBTRACT) \
  CHAIN (field, T, ESK_HIDE_FLOAT, multiply, MULTIPLY) \
  CHAIN (field, T, ESK_HIDE_FLOAT, divide, DIVIDE) \
  CHAIN (field, T, ESK_HIDE_FLOAT, multiply_add, FUSED_ ## bits) \
  CHAIN (field, T, ESK_HIDE_FLOAT, sine, SINE_ ## bits) \
  CHAIN (field, T, ESK_HIDE_FLOAT, cosine, COSINE_ ## bits) \
  CHAIN (field, T, ESK_HIDE_FLOAT, exp2, EXP2_ ## bits) \
  CHAIN (field, T, ESK_HIDE_FLOAT, log2, LOG2_ ## bits)
CHAINS_OF_FLOAT (f32, float, 32)
CHAINS_OF_FLOAT (f64, double, 64)
CHAIN (f64, double, ESK_HIDE_FLOAT, reciprocal, RECIPROCAL)
CHAIN (f64, double, ESK_HIDE_FLOAT, reciprocal_root, RECIPROCAL_ROOT)
#if defined (APPROXIMATE_ONE)
CHAIN (f32, float, ESK_HIDE_FLOAT, fast_divide, FAST_DIVIDE_ONE)
CHAIN (f32, float, ESK_HIDE_FLOAT, reciprocal, APPROXIMATE_ONE)
CHAIN (f32, float, ESK_HIDE_FLOAT, reciprocal_root, APPROXIMATE_ROOT_ONE)
#endif

#define CHAINS_OF(field) \
    [ESK_OPERATION_ADD] = chain_ ## field ## _add, \
    [ESK_OPERATION_SUBTRACT] = chain_ ## field ## _subtract, \
    [ESK_OPERATION_MULTIPLY] = chain_ ## field ## _multiply, \
    [ESK_OPERATION_DIVIDE] = chain_ ## field ## _divide, \
    [ESK_OPERATION_MULTIPLY_ADD] = chain_ ## field ## _multiply_add,
#define CHAINS_OF_LIBRARY(field) \
    [ESK_OPERATION_SINE] = chain_ ## field ## _sine, \
    [ESK_OPERATION_COSINE] = chain_ ## field ## _cosine, \
    [ESK_OPERATION_EXP2] = chain_ ## field ## _exp2, \
    [ESK_OPERATION_LOG2] = chain_ ## field ## _log2,
