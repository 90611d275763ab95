/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Jacobi's iteration (sparse.md 1.4) behind its product, and a preconditioner that is a diagonal. */

#include "es-cuda-vectors-steps.cuh"

/* in: x, f, y; out: y. */
template <typename T>
struct Jacobi {
  using Number = T;
  static constexpr int N_IN = 3, N_OUT = 1, N_SUMS = 1;
  static constexpr bool LARGEST = true;
  const T *in[3];
  T       *out[1];

  __device__ void begin () {}
  __device__ void
  apply (const T *i, T *o, double *sums) const
  {
    const T y = i[2] + i[1], difference = y - i[0];

    o[0] = y;
    sums[0] = esk_slots_join<true> (sums[0], fabs ((double) difference));
  }
};

/* in: the diagonal and r; out: z. */
template <typename T, bool DOT>
struct Scale {
  using Number = T;
  static constexpr int N_IN = 2, N_OUT = 1, N_SUMS = DOT;
  static constexpr bool LARGEST = false;
  const T *in[2];
  T       *out[1];

  __device__ void begin () {}
  __device__ void
  apply (const T *i, T *o, double *sums) const
  {
    o[0] = i[0] * i[1];
    if constexpr (DOT)
      sums[0] += (double) i[1] * (double) o[0];
  }
};

/* ---- entries ---- */

template <typename T>
static int
jacobi (EskStream  *stream,
        size_t      n,
        const void *x,
        const void *f,
        void       *y,
        double     *largest)
{
  const Jacobi<T> step = { { (const T *) x, (const T *) f, (const T *) y }, { (T *) y } };

  return esk_step_run (stream, step, n, largest, "a step of Jacobi's iteration");
}

int
esk_cuda_jacobi_step (EskStream  *stream,
                      EskType     type,
                      size_t      n,
                      const void *x,
                      const void *f,
                      void       *y,
                      double     *largest)
{
  int code;

  if (stream == NULL || !esk_cuda_is_vector (type) || largest == NULL
      || (n > 0 && (x == NULL || f == NULL || y == NULL)))
    return ESK_ERROR_ARGUMENT;
  code = esk_cuda_enter (stream);
  if (code == ESK_OK)
    ESK_VECTORS_BY_TYPE (type, code, jacobi, stream, n, x, f, y, largest);

  return code;
}

template <typename T, bool DOT>
static int
scale_of (EskStream  *stream,
          size_t      n,
          const void *diagonal,
          const void *r,
          void       *z,
          double     *dot)
{
  const Scale<T, DOT> step = { { (const T *) diagonal, (const T *) r }, { (T *) z } };

  return esk_step_run (stream, step, n, dot, "a diagonal");
}

template <typename T>
static int
scale (EskStream  *stream,
       size_t      n,
       const void *diagonal,
       const void *r,
       void       *z,
       double     *dot)
{
  return dot != NULL ? scale_of<T, true> (stream, n, diagonal, r, z, dot)
                     : scale_of<T, false> (stream, n, diagonal, r, z, dot);
}

int
esk_cuda_scale (EskStream  *stream,
                EskType     type,
                size_t      n,
                const void *diagonal,
                const void *r,
                void       *z,
                double     *dot)
{
  int code;

  if (stream == NULL || !esk_cuda_is_vector (type) || (n > 0 && (diagonal == NULL || r == NULL || z == NULL)))
    return ESK_ERROR_ARGUMENT;
  code = esk_cuda_enter (stream);
  if (code == ESK_OK)
    ESK_VECTORS_BY_TYPE (type, code, scale, stream, n, diagonal, r, z, dot);

  return code;
}
