/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

/*
 * What becomes of the sum of a row, in the launch that has it: y = alpha sum + beta y, or what follows a product
 * (EskSparseBehind). A kernel gives each row to put () once, and all threads of its blocks of 256 end with finish ().
 */

#include "cuda/core/es-cuda-slots.cuh"

#include "es-cuda-sparse-loads.cuh"
#include "es-cuda-sparse-private.h"

typedef enum { ESK_TAIL_PLAIN, ESK_TAIL_DOT, ESK_TAIL_DOTS, ESK_TAIL_JACOBI } EskSparseTailKind;

template <typename T, EskSparseTailKind KIND>
struct EskSparseTail {
  static constexpr int N_SUMS = KIND == ESK_TAIL_DOTS ? 2 : 1;

  T           *y;
  T            alpha, beta;
  const T     *with[2], *f, *x;
  bool         own[2];
  EskCudaSlots room;

  __device__ __forceinline__ void
  put (size_t row, T sum, double (&sums)[N_SUMS]) const
  {
    if constexpr (KIND == ESK_TAIL_PLAIN)
      esk_sparse_put (y, row, sum, alpha, beta);
    else if constexpr (KIND == ESK_TAIL_JACOBI)
      {
        const T value = sum + f[row], difference = value - x[row];

        y[row] = value;
        sums[0] = esk_slots_join<true> (sums[0], fabs ((double) difference));
      }
    else
      {
        y[row] = sum;
#pragma unroll
        for (int d = 0; d < N_SUMS; d++)
          sums[d] += (double) sum * (double) (own[d] ? sum : with[d][row]);
      }
  }

  __device__ __forceinline__ void
  finish (double (&sums)[N_SUMS]) const
  {
    if constexpr (KIND != ESK_TAIL_PLAIN)
      esk_slots_finish<N_SUMS, KIND == ESK_TAIL_JACOBI> (sums, room);
  }
};

template <typename T, EskSparseTailKind KIND>
static int
esk_sparse_tail (const EskSparseCall     *call,
                 size_t                   n_blocks,
                 EskSparseTail<T, KIND>  *tail)
{
  *tail = {};
  tail->y = (T *) call->y;
  tail->alpha = (T) call->alpha;
  tail->beta = (T) call->beta;
  if (KIND == ESK_TAIL_PLAIN)
    return ESK_OK;

  tail->x = (const T *) call->x;
  tail->f = (const T *) call->behind->f;
  for (int d = 0; d < 2; d++)
    {
      tail->with[d] = (const T *) call->behind->with[d];
      tail->own[d] = call->behind->with[d] == call->y;
    }
  return esk_cuda_slots (call->stream, n_blocks, tail->N_SUMS, call->behind->slots, &tail->room);
}

/* Calls function<T, kind> (call) by the product's type and what follows it. */
#define ESK_SPARSE_BY_TAIL(call, code, function)                                                              \
  do                                                                                                          \
    {                                                                                                         \
      const EskSparseBehind *behind_ = (call)->behind;                                                        \
                                                                                                              \
      if ((call)->product->type == ESK_F32)                                                                   \
        (code) = behind_ == NULL ? function<float, ESK_TAIL_PLAIN> (call)                                     \
                 : behind_->f != NULL ? function<float, ESK_TAIL_JACOBI> (call)                               \
                 : behind_->n_dots == 1 ? function<float, ESK_TAIL_DOT> (call)                                \
                 : function<float, ESK_TAIL_DOTS> (call);                                                     \
      else                                                                                                    \
        (code) = behind_ == NULL ? function<double, ESK_TAIL_PLAIN> (call)                                    \
                 : behind_->f != NULL ? function<double, ESK_TAIL_JACOBI> (call)                              \
                 : behind_->n_dots == 1 ? function<double, ESK_TAIL_DOT> (call)                               \
                 : function<double, ESK_TAIL_DOTS> (call);                                                    \
    }                                                                                                         \
  while (0)
