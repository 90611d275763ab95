/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

/* One operation on r, with the operands a and b, as chains and rates do it. ESK_WIDTH: bytes of a vector. */

#include <math.h>
#if defined (__x86_64__)
#include <immintrin.h>
#endif

/* lab: chains rates */
#define ADD(r) ((r) + a)
#define SUBTRACT(r) ((r) - a)
#define MULTIPLY(r) ((r) * a)
/* Of numbers that stay as large as they are: how long a division takes may depend on that. */
#define DIVIDE(r) (a / (r))
#define MULTIPLY_ADD(r) ((r) * a + b)
#define RECIPROCAL(r) (1 / (r))
#define RECIPROCAL_ROOT(r) (1 / sqrt (r))
/* The C library's functions. With an addition r stays where they take their usual path. */
#define SINE_32(r) (sinf (r) + a)
#define SINE_64(r) (sin (r) + a)
#define COSINE_32(r) cosf (r)
#define COSINE_64(r) cos (r)
#define EXP2_32(r) (exp2f (r) - a)
#define EXP2_64(r) (exp2 (r) - a)
#define LOG2_32(r) (log2f (r) + a)
#define LOG2_64(r) (log2 (r) + a)

#if defined (__FMA__) || defined (__aarch64__)
#define FUSED_32(r) __builtin_fmaf (r, a, b)
#define FUSED_64(r) __builtin_fma (r, a, b)
#define ESK_FUSED 1
#else
#define FUSED_32(r) MULTIPLY_ADD (r)
#define FUSED_64(r) MULTIPLY_ADD (r)
#define ESK_FUSED 0
#endif

#if ESK_WIDTH == 64
#define FUSED_VECTOR_32(r) ((V) _mm512_fmadd_ps ((__m512) (r), (__m512) a, (__m512) b))
#define FUSED_VECTOR_64(r) ((V) _mm512_fmadd_pd ((__m512d) (r), (__m512d) a, (__m512d) b))
#define APPROXIMATE(r) ((V) _mm512_rcp14_ps ((__m512) (r)))
#define APPROXIMATE_ROOT(r) ((V) _mm512_rsqrt14_ps ((__m512) (r)))
#elif ESK_WIDTH == 32
#define FUSED_VECTOR_32(r) ((V) _mm256_fmadd_ps ((__m256) (r), (__m256) a, (__m256) b))
#define FUSED_VECTOR_64(r) ((V) _mm256_fmadd_pd ((__m256d) (r), (__m256d) a, (__m256d) b))
#define APPROXIMATE(r) ((V) _mm256_rcp_ps ((__m256) (r)))
#define APPROXIMATE_ROOT(r) ((V) _mm256_rsqrt_ps ((__m256) (r)))
#else
#if defined (__aarch64__)
#include <arm_neon.h>
#define FUSED_VECTOR_32(r) ((V) vfmaq_f32 ((float32x4_t) b, (float32x4_t) (r), (float32x4_t) a))
#define FUSED_VECTOR_64(r) ((V) vfmaq_f64 ((float64x2_t) b, (float64x2_t) (r), (float64x2_t) a))
#else
#define FUSED_VECTOR_32(r) MULTIPLY_ADD (r)
#define FUSED_VECTOR_64(r) MULTIPLY_ADD (r)
#endif
#if defined (__x86_64__)
#define APPROXIMATE(r) ((V) _mm_rcp_ps ((__m128) (r)))
#define APPROXIMATE_ROOT(r) ((V) _mm_rsqrt_ps ((__m128) (r)))
#endif
#endif
#define FAST_DIVIDE(r) (a * APPROXIMATE (r))

#if defined (__x86_64__)
/* Of one number. An intrinsic would clear the other lanes first, which takes a clock. */
#if defined (__AVX__)
#define ONE(instruction, r) ({ float one = r; __asm__ ("v" instruction " %0, %0, %0" : "+x" (one)); one; })
#else
#define ONE(instruction, r) ({ float one = r; __asm__ (instruction " %0, %0" : "+x" (one)); one; })
#endif
#define APPROXIMATE_ONE(r) ONE ("rcpss", r)
#define APPROXIMATE_ROOT_ONE(r) ONE ("rsqrtss", r)
#define FAST_DIVIDE_ONE(r) (a * APPROXIMATE_ONE (r))
#endif
/* lab end */
