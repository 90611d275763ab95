/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Vectors against a basis: the sums of Gram-Schmidt, and what is taken away by them. */

#include "es-cpu-vectors-private.h"

typedef struct
{
  const EskCpuVectorLoops *loops;
  EskType                  type;
  size_t                   k, stride;
  const void              *basis;
  double                   coefficients[ESK_MOST_BASIS];
  void                    *w;
  bool                     has_norm, again;
} Call;

static bool
check (EskStream  *stream,
       EskType     type,
       size_t      n,
       size_t      k,
       const void *basis,
       size_t      stride,
       const void *w,
       Call       *call)
{
  if (stream == NULL || !esk_is_vector_type (type) || k > ESK_MOST_BASIS || (k > 1 && stride < n)
      || (n > 0 && (w == NULL || (k > 0 && basis == NULL))))
    return false;
  call->loops = esk_cpu_vector_loops (stream, type);
  call->type = type;
  call->k = k;
  call->stride = stride;
  call->basis = basis;
  call->has_norm = call->again = false;

  return true;
}

static void
dots_piece (void   *data,
            size_t  first,
            size_t  n,
            double *sums)
{
  const Call *call = data;

  call->loops->basis_dots (n, call->k, esk_vector_at (call->basis, call->type, first), call->stride,
                           esk_vector_at (call->w, call->type, first), sums);
}

int
esk_cpu_basis_dots (EskStream  *stream,
                    EskType     type,
                    size_t      n,
                    size_t      k,
                    const void *basis,
                    size_t      stride,
                    const void *w,
                    double     *slots)
{
  Call call;

  if (!check (stream, type, n, k, basis, stride, w, &call) || (k > 0 && slots == NULL))
    return ESK_ERROR_ARGUMENT;
  call.w = (void *) (uintptr_t) w;

  return esk_run_pieces (stream, n, ESK_PIECE, k, false, dots_piece, &call, slots);
}

static void
add_piece (void   *data,
           size_t  first,
           size_t  n,
           double *sums)
{
  const Call *call = data;

  call->loops->basis_add (n, call->k, esk_vector_at (call->basis, call->type, first), call->stride,
                          call->coefficients, esk_vector_part (call->w, call->type, first),
                          call->has_norm ? sums : NULL, call->again ? sums : NULL);
}

int
esk_cpu_basis_add (EskStream    *stream,
                   EskType       type,
                   size_t        n,
                   size_t        k,
                   const void   *basis,
                   size_t        stride,
                   double        factor,
                   const double *coefficients,
                   void         *w,
                   double       *norm)
{
  Call call;

  if (!check (stream, type, n, k, basis, stride, w, &call) || (k > 0 && coefficients == NULL))
    return ESK_ERROR_ARGUMENT;
  for (size_t i = 0; i < k; i++)
    call.coefficients[i] = factor * coefficients[i];
  call.w = w;
  call.has_norm = norm != NULL;

  return esk_run_pieces (stream, n, ESK_PIECE, norm != NULL, false, add_piece, &call, norm);
}

int
esk_cpu_basis_again (EskStream    *stream,
                     EskType       type,
                     size_t        n,
                     size_t        k,
                     const void   *basis,
                     size_t        stride,
                     double        factor,
                     const double *coefficients,
                     void         *w,
                     double       *slots)
{
  Call call;

  if (!check (stream, type, n, k, basis, stride, w, &call) || (k > 0 && (coefficients == NULL || slots == NULL)))
    return ESK_ERROR_ARGUMENT;
  for (size_t i = 0; i < k; i++)
    call.coefficients[i] = factor * coefficients[i];
  call.w = w;
  call.again = true;

  return esk_run_pieces (stream, n, ESK_PIECE, k, false, add_piece, &call, slots);
}
