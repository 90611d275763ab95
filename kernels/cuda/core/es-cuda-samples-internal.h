/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

/* Samples in kernels: sixteen bytes at a time, and code for the type that a plane has. */

#include "es-cuda-internal.h"

/* Sixteen bytes, which a thread reads or writes at once where the address allows it. */
template <typename T>
union EskCudaPack
{
  uint4 vector;
  T     sample[16 / sizeof (T)];
};

/* The same number of bytes of `valid`. */
template <int N>
struct EskCudaMarks
{
  uint8_t mark[N];
};

static inline size_t
esk_cuda_round_up (size_t n,
                   size_t multiple)
{
  return (n + multiple - 1) / multiple * multiple;
}

static inline size_t
esk_cuda_ceil_div (size_t n,
                   size_t divisor)
{
  return n / divisor + (n % divisor != 0);
}

/* Runs the statement with `Sample` as the type that `type` names. */
#define ESK_CUDA_EACH_INTEGER(Sample, statement)                     \
  case ESK_U8: { using Sample = uint8_t; statement; } break;         \
  case ESK_I8: { using Sample = int8_t; statement; } break;          \
  case ESK_U16: { using Sample = uint16_t; statement; } break;       \
  case ESK_I16: { using Sample = int16_t; statement; } break;        \
  case ESK_U32: { using Sample = uint32_t; statement; } break;       \
  case ESK_I32: { using Sample = int32_t; statement; } break;        \
  case ESK_U64: { using Sample = uint64_t; statement; } break;       \
  case ESK_I64: { using Sample = int64_t; statement; } break;

#define ESK_CUDA_FOR_TYPE(type, Sample, statement)                   \
  switch (type)                                                      \
    {                                                                \
    ESK_CUDA_EACH_INTEGER (Sample, statement)                        \
    case ESK_F32: { using Sample = float; statement; } break;        \
    case ESK_F64: { using Sample = double; statement; } break;       \
    default: break;                                                  \
    }

/* The same by the size of an element, as the unsigned integer of that size. */
#define ESK_CUDA_FOR_SIZE(size, Element, statement)                  \
  switch (size)                                                      \
    {                                                                \
    case 1: { using Element = uint8_t; statement; } break;           \
    case 2: { using Element = uint16_t; statement; } break;          \
    case 4: { using Element = uint32_t; statement; } break;          \
    case 8: { using Element = uint64_t; statement; } break;          \
    default: break;                                                  \
    }

/* es-cuda-planes.cu: ESK_OK where this can be planes in the device's memory, else ESK_ERROR_ARGUMENT. */
int esk_cuda_check_planes (const EskTile *planes);
/*
 * es-cuda-valid.cu: valid, whose rows are the planes' row_stride apart, becomes 0 where a band is not finite or no-data
 * (no_data: one a band, in the host's memory; NULL: none). `fresh`: it becomes 1 elsewhere; otherwise it stays 0 where
 * it was, and 1 stands for all that was not.
 */
int esk_cuda_mark_valid  (EskStream *stream, const EskTile *planes, const double *no_data, uint8_t *valid, bool fresh);
/* How many of valid are not 0; waits for the stream. */
int esk_cuda_count_valid (EskStream *stream, const uint8_t *valid, size_t width, size_t height, size_t row_stride,
                          int64_t *count);
