/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

/*
 * One operation each, as the instruction set of PTX has it, so that no compiler makes 64 additions of a number into one
 * multiplication. The assembler behind it makes one instruction of two additions, and nothing of two subtractions or
 * two reciprocals in a row: integers are added to and taken from the result before the last, as in Fibonacci's numbers,
 * where each result is needed twice (AFTER_TWO). And it takes whatever is the same in each division out of the loop:
 * what is divided by is the result before. Halves are two to a register, which is what the card computes; on 9.0 the
 * assembler sends them through two units in turns, as it does in every program, and from one to the other takes longer.
 * LENGTH: how many a timed chain is unrolled to; those that are many instructions, less, as a loop has to fit the cache
 * of instructions.
 */

#include <stdint.h>

/* lab: operations for lab_step */
#define LAB_OPERATION(name, Kind, letter, length, text) LAB_OPERATION_OF (name, Kind, letter, length, false, text)
#define LAB_OPERATION_OF(name, Kind, letter, length, after_two, text) \
  struct name \
  { \
    typedef Kind Number; \
    enum { LENGTH = length, AFTER_TWO = after_two }; \
    static __device__ __forceinline__ Number \
    apply (Number r, Number a, Number b) \
    { \
      asm volatile (text : "+" letter (r) : letter (a), letter (b)); \
      return r; \
    } \
  };

LAB_OPERATION_OF (AddUint32, uint32_t, "r", 64, true, "add.u32 %0, %0, %1;")
LAB_OPERATION_OF (SubtractUint32, uint32_t, "r", 64, true, "sub.u32 %0, %1, %0;")
LAB_OPERATION (MultiplyUint32, uint32_t, "r", 64, "mul.lo.u32 %0, %0, %1;")
LAB_OPERATION (DivideUint32, uint32_t, "r", 8, "div.u32 %0, %2, %0;")
LAB_OPERATION (MultiplyAddUint32, uint32_t, "r", 64, "mad.lo.u32 %0, %0, %1, %2;")

LAB_OPERATION_OF (AddInt32, int32_t, "r", 64, true, "add.s32 %0, %0, %1;")
LAB_OPERATION_OF (SubtractInt32, int32_t, "r", 64, true, "sub.s32 %0, %1, %0;")
LAB_OPERATION (MultiplyInt32, int32_t, "r", 64, "mul.lo.s32 %0, %0, %1;")
LAB_OPERATION (DivideInt32, int32_t, "r", 8, "div.s32 %0, %2, %0;")
LAB_OPERATION (MultiplyAddInt32, int32_t, "r", 64, "mad.lo.s32 %0, %0, %1, %2;")

LAB_OPERATION_OF (AddInt64, int64_t, "l", 64, true, "add.s64 %0, %0, %1;")
LAB_OPERATION_OF (SubtractInt64, int64_t, "l", 64, true, "sub.s64 %0, %1, %0;")
LAB_OPERATION (MultiplyInt64, int64_t, "l", 32, "mul.lo.s64 %0, %0, %1;")
LAB_OPERATION (DivideInt64, int64_t, "l", 4, "div.s64 %0, %2, %0;")
LAB_OPERATION (MultiplyAddInt64, int64_t, "l", 32, "mad.lo.s64 %0, %0, %1, %2;")

/* Four products of bytes and their sum. */
LAB_OPERATION (MultiplyAddInt8, int32_t, "r", 64, "dp4a.s32.s32 %0, %1, %2, %0;")

LAB_OPERATION (AddFloat16, uint32_t, "r", 64, "add.rn.f16x2 %0, %0, %1;")
LAB_OPERATION (SubtractFloat16, uint32_t, "r", 64, "sub.rn.f16x2 %0, %1, %0;")
LAB_OPERATION (MultiplyFloat16, uint32_t, "r", 64, "mul.rn.f16x2 %0, %0, %1;")
LAB_OPERATION (MultiplyAddFloat16, uint32_t, "r", 64, "fma.rn.f16x2 %0, %0, %1, %2;")

#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900
LAB_OPERATION (AddBfloat16, uint32_t, "r", 64, "add.rn.bf16x2 %0, %0, %1;")
LAB_OPERATION (SubtractBfloat16, uint32_t, "r", 64, "sub.rn.bf16x2 %0, %1, %0;")
LAB_OPERATION (MultiplyBfloat16, uint32_t, "r", 64, "mul.rn.bf16x2 %0, %0, %1;")
LAB_OPERATION (MultiplyAddBfloat16, uint32_t, "r", 64, "fma.rn.bf16x2 %0, %0, %1, %2;")
#else
/* Cards before 9.0 add and multiply them by multiply-adds, those before 8.0 not at all: they are not asked. */
#if __CUDA_ARCH__ >= 800
LAB_OPERATION (MultiplyAddBfloat16, uint32_t, "r", 64, "fma.rn.bf16x2 %0, %0, %1, %2;")
#else
LAB_OPERATION (MultiplyAddBfloat16, uint32_t, "r", 64, "xor.b32 %0, %0, %1;")
#endif
struct AddBfloat16 : MultiplyAddBfloat16 {};
struct SubtractBfloat16 : MultiplyAddBfloat16 {};
struct MultiplyBfloat16 : MultiplyAddBfloat16 {};
#endif

LAB_OPERATION (AddFloat32, float, "f", 64, "add.rn.f32 %0, %0, %1;")
LAB_OPERATION (SubtractFloat32, float, "f", 64, "sub.rn.f32 %0, %1, %0;")
LAB_OPERATION (MultiplyFloat32, float, "f", 64, "mul.rn.f32 %0, %0, %1;")
LAB_OPERATION (DivideFloat32, float, "f", 8, "div.rn.f32 %0, %2, %0;")
LAB_OPERATION (MultiplyAddFloat32, float, "f", 64, "fma.rn.f32 %0, %0, %1, %2;")
LAB_OPERATION (FastDivideFloat32, float, "f", 32, "div.approx.f32 %0, %2, %0;")
LAB_OPERATION (SineFloat32, float, "f", 32, "sin.approx.ftz.f32 %0, %0;")
LAB_OPERATION (CosineFloat32, float, "f", 32, "cos.approx.ftz.f32 %0, %0;")
LAB_OPERATION (Exp2Float32, float, "f", 32, "ex2.approx.ftz.f32 %0, %0;")
LAB_OPERATION (Log2Float32, float, "f", 32, "lg2.approx.ftz.f32 %0, %0;")
LAB_OPERATION (ReciprocalFloat32, float, "f", 32, "{ .reg .f32 t; neg.f32 t, %0; rcp.approx.ftz.f32 %0, t; }")
LAB_OPERATION (ReciprocalRootFloat32, float, "f", 32, "rsqrt.approx.ftz.f32 %0, %0;")

LAB_OPERATION (AddFloat64, double, "d", 64, "add.rn.f64 %0, %0, %1;")
LAB_OPERATION (SubtractFloat64, double, "d", 64, "sub.rn.f64 %0, %1, %0;")
LAB_OPERATION (MultiplyFloat64, double, "d", 64, "mul.rn.f64 %0, %0, %1;")
LAB_OPERATION (DivideFloat64, double, "d", 4, "div.rn.f64 %0, %2, %0;")
LAB_OPERATION (MultiplyAddFloat64, double, "d", 64, "fma.rn.f64 %0, %0, %1, %2;")

/* The next of a chain: r becomes r operation a, or what was before r takes part (s). */
template <typename Operation>
static __device__ __forceinline__ void
lab_step (typename Operation::Number       &r,
          typename Operation::Number       &s,
          const typename Operation::Number  a,
          const typename Operation::Number  b)
{
  const typename Operation::Number next = Operation::apply (r, Operation::AFTER_TWO ? s : a, b);

  s = r;
  r = next;
}
/* lab end */

/*
 * Every operation with its type: LAB_ROW (type, operation, name, operations of one instruction a lane, whether it is
 * fused where it multiplies and adds). A multiply-add is two.
 */
#define LAB_OPERATIONS(LAB_ROW) \
  LAB_ROW (UINT32, ADD, AddUint32, 1, -1) \
  LAB_ROW (UINT32, SUBTRACT, SubtractUint32, 1, -1) \
  LAB_ROW (UINT32, MULTIPLY, MultiplyUint32, 1, -1) \
  LAB_ROW (UINT32, DIVIDE, DivideUint32, 1, -1) \
  LAB_ROW (UINT32, MULTIPLY_ADD, MultiplyAddUint32, 2, 1) \
  LAB_ROW (INT32, ADD, AddInt32, 1, -1) \
  LAB_ROW (INT32, SUBTRACT, SubtractInt32, 1, -1) \
  LAB_ROW (INT32, MULTIPLY, MultiplyInt32, 1, -1) \
  LAB_ROW (INT32, DIVIDE, DivideInt32, 1, -1) \
  LAB_ROW (INT32, MULTIPLY_ADD, MultiplyAddInt32, 2, 1) \
  LAB_ROW (INT64, ADD, AddInt64, 1, -1) \
  LAB_ROW (INT64, SUBTRACT, SubtractInt64, 1, -1) \
  LAB_ROW (INT64, MULTIPLY, MultiplyInt64, 1, -1) \
  LAB_ROW (INT64, DIVIDE, DivideInt64, 1, -1) \
  LAB_ROW (INT64, MULTIPLY_ADD, MultiplyAddInt64, 2, 0) \
  LAB_ROW (INT8, MULTIPLY_ADD, MultiplyAddInt8, 8, 1) \
  LAB_ROW (FLOAT16, ADD, AddFloat16, 2, -1) \
  LAB_ROW (FLOAT16, SUBTRACT, SubtractFloat16, 2, -1) \
  LAB_ROW (FLOAT16, MULTIPLY, MultiplyFloat16, 2, -1) \
  LAB_ROW (FLOAT16, MULTIPLY_ADD, MultiplyAddFloat16, 4, 1) \
  LAB_ROW (BFLOAT16, ADD, AddBfloat16, 2, -1) \
  LAB_ROW (BFLOAT16, SUBTRACT, SubtractBfloat16, 2, -1) \
  LAB_ROW (BFLOAT16, MULTIPLY, MultiplyBfloat16, 2, -1) \
  LAB_ROW (BFLOAT16, MULTIPLY_ADD, MultiplyAddBfloat16, 4, 1) \
  LAB_ROW (FLOAT32, ADD, AddFloat32, 1, -1) \
  LAB_ROW (FLOAT32, SUBTRACT, SubtractFloat32, 1, -1) \
  LAB_ROW (FLOAT32, MULTIPLY, MultiplyFloat32, 1, -1) \
  LAB_ROW (FLOAT32, DIVIDE, DivideFloat32, 1, -1) \
  LAB_ROW (FLOAT32, MULTIPLY_ADD, MultiplyAddFloat32, 2, 1) \
  LAB_ROW (FLOAT32, FAST_DIVIDE, FastDivideFloat32, 1, -1) \
  LAB_ROW (FLOAT32, SINE, SineFloat32, 1, -1) \
  LAB_ROW (FLOAT32, COSINE, CosineFloat32, 1, -1) \
  LAB_ROW (FLOAT32, EXP2, Exp2Float32, 1, -1) \
  LAB_ROW (FLOAT32, LOG2, Log2Float32, 1, -1) \
  LAB_ROW (FLOAT32, RECIPROCAL, ReciprocalFloat32, 1, -1) \
  LAB_ROW (FLOAT32, RECIPROCAL_ROOT, ReciprocalRootFloat32, 1, -1) \
  LAB_ROW (FLOAT64, ADD, AddFloat64, 1, -1) \
  LAB_ROW (FLOAT64, SUBTRACT, SubtractFloat64, 1, -1) \
  LAB_ROW (FLOAT64, MULTIPLY, MultiplyFloat64, 1, -1) \
  LAB_ROW (FLOAT64, DIVIDE, DivideFloat64, 1, -1) \
  LAB_ROW (FLOAT64, MULTIPLY_ADD, MultiplyAddFloat64, 2, 1)

/* The r, a and b that an operation begins with, all from memory, so that no compiler knows them: numbers that stay what
 * they are. Of a division b is the square of r. */
union LabOperands
{
  uint64_t words[3];
  double   doubles[3];
};

static inline LabOperands
lab_operands (EskLabType      type,
              EskLabOperation operation)
{
  const bool division = operation == ESK_OPERATION_DIVIDE || operation == ESK_OPERATION_FAST_DIVIDE;
  LabOperands operands = { { 0, 0, 0 } };
  uint32_t *words = (uint32_t *) operands.words;
  float *floats = (float *) operands.words;

  switch (type)
    {
    case ESK_TYPE_LAB_FLOAT64:
      operands.doubles[0] = 1.75;
      operands.doubles[1] = 1.0;
      operands.doubles[2] = division ? 1.75 * 1.75 : 0.0;
      break;
    case ESK_TYPE_LAB_FLOAT32:
    case ESK_TYPE_LAB_TF32:
      floats[0] = 1.75f;
      floats[1] = 1.0f;
      floats[2] = division ? 1.75f * 1.75f : 0.0f;
      break;
    case ESK_TYPE_LAB_FLOAT16:
      words[0] = 0x3f003f00;
      words[1] = 0x3c003c00;
      break;
    case ESK_TYPE_LAB_BFLOAT16:
      words[0] = 0x3fe03fe0;
      words[1] = 0x3f803f80;
      break;
    case ESK_TYPE_LAB_INT64:
      /* More than 32 bits wide, or a shorter way is taken. */
      operands.words[0] = 0x76543210;
      operands.words[1] = 1;
      operands.words[2] = division ? 0x76543210ull * 0x76543210ull : 0;
      break;
    default:
      words[0] = 0x7654;
      words[1] = 1;
      words[2] = division ? 0x7654u * 0x7654u : 0;
      break;
    }

  return operands;
}
