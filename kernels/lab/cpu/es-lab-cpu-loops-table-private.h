/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

/* All loops of one instruction set: a file that sets ESK_WIDTH and ESK_LOOPS_NAME is compiled for it and includes
 * this. */

#include "es-lab-cpu-private.h"

#include "es-lab-cpu-products-private.h"
#include "es-lab-cpu-rates-private.h"
#include "es-lab-cpu-streams-private.h"
#include "es-lab-cpu-work-loops-private.h"

#if defined (ESK_HAS_DOT)
static bool
has_dot (void)
{
  return __builtin_cpu_supports (ESK_HAS_DOT);
}
#endif

#define VALUES(T) \
    [ESK_OPERATION_ADD] = IN_VECTORS (T), \
    [ESK_OPERATION_SUBTRACT] = IN_VECTORS (T), \
    [ESK_OPERATION_MULTIPLY] = IN_VECTORS (T), \
    [ESK_OPERATION_MULTIPLY_ADD] = IN_VECTORS (T),
#define VALUES_OF_FLOAT(T) \
    VALUES (T) \
    [ESK_OPERATION_DIVIDE] = IN_VECTORS (T), \
    [ESK_OPERATION_SINE] = 4, \
    [ESK_OPERATION_COSINE] = 4, \
    [ESK_OPERATION_EXP2] = 4, \
    [ESK_OPERATION_LOG2] = 4, \
    [ESK_OPERATION_FAST_DIVIDE] = IN_VECTORS (T), \
    [ESK_OPERATION_RECIPROCAL] = IN_VECTORS (T), \
    [ESK_OPERATION_RECIPROCAL_ROOT] = IN_VECTORS (T),

static const EskLabLoops loops = {
  .name = ESK_LOOPS_NAME,
  .width = ESK_WIDTH,
  .fused = ESK_FUSED,
  .chain = {
    [ESK_TYPE_LAB_UINT32] = { CHAINS_OF (u32) },
    [ESK_TYPE_LAB_INT32] = { CHAINS_OF (i32) },
    [ESK_TYPE_LAB_INT64] = { CHAINS_OF (i64) },
    [ESK_TYPE_LAB_FLOAT32] = {
      CHAINS_OF (f32)
      CHAINS_OF_LIBRARY (f32)
#if defined (APPROXIMATE_ONE)
      [ESK_OPERATION_FAST_DIVIDE] = chain_f32_fast_divide,
      [ESK_OPERATION_RECIPROCAL] = chain_f32_reciprocal,
      [ESK_OPERATION_RECIPROCAL_ROOT] = chain_f32_reciprocal_root,
#endif
    },
    [ESK_TYPE_LAB_FLOAT64] = {
      CHAINS_OF (f64)
      CHAINS_OF_LIBRARY (f64)
      [ESK_OPERATION_RECIPROCAL] = chain_f64_reciprocal,
      [ESK_OPERATION_RECIPROCAL_ROOT] = chain_f64_reciprocal_root,
    },
  },
  .rate = {
    [ESK_TYPE_LAB_UINT32] = { RATES_OF (u32) },
    [ESK_TYPE_LAB_INT32] = { RATES_OF (i32) },
    [ESK_TYPE_LAB_INT64] = { RATES_OF (i64) },
    [ESK_TYPE_LAB_INT8] = { RATES_OF_SUM (i8) },
    [ESK_TYPE_LAB_FLOAT32] = {
      RATES_OF (f32)
      RATES_OF_LIBRARY (f32)
#if defined (APPROXIMATE)
      [ESK_OPERATION_FAST_DIVIDE] = rate_f32_fast_divide,
      [ESK_OPERATION_RECIPROCAL] = rate_f32_reciprocal,
      [ESK_OPERATION_RECIPROCAL_ROOT] = rate_f32_reciprocal_root,
#endif
    },
    [ESK_TYPE_LAB_FLOAT64] = {
      RATES_OF (f64)
      RATES_OF_LIBRARY (f64)
    },
  },
  .values = {
    [ESK_TYPE_LAB_UINT32] = { VALUES (uint32_t) [ESK_OPERATION_DIVIDE] = 4 },
    [ESK_TYPE_LAB_INT32] = { VALUES (int32_t) [ESK_OPERATION_DIVIDE] = 4 },
    [ESK_TYPE_LAB_INT64] = { VALUES (int64_t) [ESK_OPERATION_DIVIDE] = 4 },
    [ESK_TYPE_LAB_INT8] = { VALUES (int8_t) },
    [ESK_TYPE_LAB_FLOAT32] = { VALUES_OF_FLOAT (float) },
    [ESK_TYPE_LAB_FLOAT64] = { VALUES_OF_FLOAT (double) },
  },
  .product = {
#if defined (PRODUCT_8)
    [ESK_TYPE_LAB_INT8] = product_i8,
#endif
    [ESK_TYPE_LAB_FLOAT32] = product_f32,
    [ESK_TYPE_LAB_FLOAT64] = product_f64,
  },
#if defined (ESK_HAS_DOT)
  .dot_product = dot_i8,
  .is_dot = has_dot,
#endif
  .read = read_all,
  .write = write_all,
  .move = move_all,
#if defined (PAST)
  .stream = write_past,
  .move_past = move_past,
#endif
  .dot = dot,
  .mandelbrot = mandelbrot_row,
#if defined (GATHER)
  .gather = gather,
#endif
};
