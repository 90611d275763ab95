/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What chains and rates are given, and what must come of it. */

#include "es-lab-cpu-private.h"

#include <math.h>

/* ---- operands ---- */

bool
esk_lab_is_whole (EskLabType type)
{
  return type == ESK_TYPE_LAB_UINT32 || type == ESK_TYPE_LAB_INT32 || type == ESK_TYPE_LAB_INT64
         || type == ESK_TYPE_LAB_INT8;
}

static EskLabValue
make_value (EskLabType type,
            double     x)
{
  EskLabValue value = { 0 };

  switch (type)
    {
    case ESK_TYPE_LAB_UINT32:
      value.u32 = (uint32_t) x;
      break;
    case ESK_TYPE_LAB_INT32:
      value.i32 = (int32_t) x;
      break;
    case ESK_TYPE_LAB_INT64:
      value.i64 = (int64_t) x;
      break;
    case ESK_TYPE_LAB_INT8:
      value.i8 = (int8_t) x;
      break;
    case ESK_TYPE_LAB_FLOAT32:
      value.f32 = (float) x;
      break;
    default:
      value.f64 = x;
      break;
    }
  return value;
}

EskLabOperands
esk_lab_operands (EskLabType      type,
                  EskLabOperation operation)
{
  double start = 1.0, a = 1.0, b = 0.0;

  switch (operation)
    {
    case ESK_OPERATION_ADD:
    case ESK_OPERATION_SUBTRACT:
      start = 3.0;
      a = esk_lab_is_whole (type) ? 7.0 : 0.25;
      break;
    case ESK_OPERATION_MULTIPLY:
      start = 3.0;
      a = esk_lab_is_whole (type) ? 5.0 : 1.0;
      break;
    case ESK_OPERATION_MULTIPLY_ADD:
      start = 3.0;
      a = esk_lab_is_whole (type) ? 5.0 : 0.5;
      b = esk_lab_is_whole (type) ? 11.0 : 0.75;
      break;
    case ESK_OPERATION_DIVIDE:
      /* Of full length: r and a / r by turns. */
      start = type == ESK_TYPE_LAB_INT64 ? 2147483646.0 : esk_lab_is_whole (type) ? 41234.0 : 1.7;
      a = type == ESK_TYPE_LAB_INT64 ? 4.6e18 : esk_lab_is_whole (type) ? 1999999973.0 : 3.1;
      break;
    case ESK_OPERATION_FAST_DIVIDE:
    case ESK_OPERATION_RECIPROCAL:
      start = 1.7;
      a = 3.1;
      break;
    case ESK_OPERATION_LOG2:
      start = 3.0;
      a = 2.1;
      break;
    case ESK_OPERATION_EXP2:
      start = -0.5;
      a = 1.4;
      break;
    case ESK_OPERATION_SINE:
      start = 1.3;
      a = 0.5;
      break;
    default:
      start = 1.3;
      break;
    }
  return (EskLabOperands) { make_value (type, start), make_value (type, a), make_value (type, b) };
}

/* ---- what comes out ---- */

/* One by one, by functions that are not inlined into any chain. */
static double
step_float (EskLabOperation operation,
            double          r,
            double          a,
            double          b,
            bool            single,
            bool            fused)
{
  switch (operation)
    {
    case ESK_OPERATION_ADD:
      return single ? (float) r + (float) a : r + a;
    case ESK_OPERATION_SUBTRACT:
      return single ? (float) r - (float) a : r - a;
    case ESK_OPERATION_MULTIPLY:
      return single ? (float) r * (float) a : r * a;
    case ESK_OPERATION_DIVIDE:
    case ESK_OPERATION_FAST_DIVIDE:
      return single ? (float) a / (float) r : a / r;
    case ESK_OPERATION_MULTIPLY_ADD:
      if (fused)
        return single ? fmaf ((float) r, (float) a, (float) b) : fma (r, a, b);
      return single ? (float) r * (float) a + (float) b : r * a + b;
    case ESK_OPERATION_SINE:
      return single ? sinf ((float) r) + (float) a : sin (r) + a;
    case ESK_OPERATION_COSINE:
      return single ? cosf ((float) r) : cos (r);
    case ESK_OPERATION_EXP2:
      return single ? exp2f ((float) r) - (float) a : exp2 (r) - a;
    case ESK_OPERATION_LOG2:
      return single ? log2f ((float) r) + (float) a : log2 (r) + a;
    case ESK_OPERATION_RECIPROCAL:
      return 1.0 / r;
    default:
      return 1.0 / sqrt (r);
    }
}

static uint64_t
step_whole (EskLabOperation operation,
            uint64_t        r,
            uint64_t        a,
            uint64_t        b)
{
  switch (operation)
    {
    case ESK_OPERATION_ADD:
      return r + a;
    case ESK_OPERATION_SUBTRACT:
      return r - a;
    case ESK_OPERATION_MULTIPLY:
      return r * a;
    case ESK_OPERATION_DIVIDE:         /* of numbers that stay positive */
      return a / r;
    default:
      return r * a + b;
    }
}

bool
esk_lab_is_right (const EskLabLoops    *loops,
                  const EskProbe       *probe,
                  const EskLabOperands *operands,
                  size_t                n,
                  EskLabValue           value)
{
  const bool single = probe->type == ESK_TYPE_LAB_FLOAT32;

  if (esk_lab_is_whole (probe->type))
    {
      const uint64_t mask = probe->type == ESK_TYPE_LAB_INT64 ? UINT64_MAX
                            : probe->type == ESK_TYPE_LAB_INT8 ? UINT8_MAX : UINT32_MAX;
      uint64_t r = (uint64_t) operands->start.i64 & mask;

      for (size_t i = 0; i < n; i++)
        r = step_whole (probe->operation, r, (uint64_t) operands->a.i64, (uint64_t) operands->b.i64) & mask;
      return r == ((uint64_t) value.i64 & mask);
    }

  double r = single ? operands->start.f32 : operands->start.f64;
  const double a = single ? operands->a.f32 : operands->a.f64, b = single ? operands->b.f32 : operands->b.f64;
  const double x = single ? value.f32 : value.f64;

  for (size_t i = 0; i < n; i++)
    r = step_float (probe->operation, r, a, b, single, loops->fused);
  switch (probe->operation)
    {
    case ESK_OPERATION_FAST_DIVIDE:
    case ESK_OPERATION_RECIPROCAL:
    case ESK_OPERATION_RECIPROCAL_ROOT:
      /* An approximation that is off by less than 2^-11 each time. */
      return x > 0.0 && fabs (log (x / r)) <= (double) n / 2048.0;
    default:
      return x == r;
    }
}
