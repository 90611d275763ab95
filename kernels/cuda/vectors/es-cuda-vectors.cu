/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Vectors of iterative solvers (sparse.md 1.4 and 1.5), each step in one launch. */

#include "es-cuda-vectors-steps.cuh"

/* ---- steps ---- */

template <typename T>
struct Fill {
  using Number = T;
  static constexpr int N_IN = 0, N_OUT = 1, N_SUMS = 0;
  static constexpr bool LARGEST = false;
  const T *in[1];
  T       *out[1], value;

  __device__ void begin () {}
  __device__ void apply (const T *, T *o, double *) const { o[0] = value; }
};

/* in: x and y of the first, x and y of the second ... */
template <typename T, int DOTS>
struct Dots {
  using Number = T;
  static constexpr int N_IN = 2 * DOTS, N_OUT = 0, N_SUMS = DOTS;
  static constexpr bool LARGEST = false;
  const T *in[2 * DOTS];
  T       *out[1];

  __device__ void begin () {}
  __device__ void
  apply (const T *i, T *, double *sums) const
  {
#pragma unroll
    for (int d = 0; d < DOTS; d++)
      sums[d] += (double) i[2 * d] * (double) i[2 * d + 1];
  }
};

/* in: the terms, then what the result is multiplied with; own[d]: itself. */
template <typename T, int TERMS, int DOTS>
struct Combine {
  using Number = T;
  static constexpr int N_IN = TERMS + DOTS, N_OUT = 1, N_SUMS = DOTS;
  static constexpr bool LARGEST = false;
  const T  *in[TERMS + DOTS];
  T        *out[1];
  bool      own[DOTS + 1];
  EskScalar scale[TERMS];
  T         coefficient[TERMS];

  __device__ void
  begin ()
  {
#pragma unroll
    for (int t = 0; t < TERMS; t++)
      coefficient[t] = (T) esk_scalar_of (scale[t]);
  }
  __device__ void
  apply (const T *i, T *o, double *sums) const
  {
    T value = coefficient[0] * i[0];

#pragma unroll
    for (int t = 1; t < TERMS; t++)
      value += coefficient[t] * i[t];
    o[0] = value;
#pragma unroll
    for (int d = 0; d < DOTS; d++)
      sums[d] += (double) value * (double) (own[d] ? value : i[TERMS + d]);
  }
};

/* in: r, q and the diagonal. */
template <typename T, bool DIAGONAL>
struct Descend {
  using Number = T;
  static constexpr int N_IN = 2 + DIAGONAL, N_OUT = 1, N_SUMS = 1 + DIAGONAL;
  static constexpr bool LARGEST = false;
  const T  *in[3];
  T        *out[1];
  EskScalar a;
  T         coefficient;

  __device__ void begin () { coefficient = (T) esk_scalar_of (a); }
  __device__ void
  apply (const T *i, T *o, double *sums) const
  {
    const T r = i[0] + coefficient * i[1];

    o[0] = r;
    sums[0] += (double) r * (double) r;
    if constexpr (DIAGONAL)
      sums[1] += (double) r * (double) i[2] * (double) r;
  }
};

/* in: p, x, r and the diagonal; out: p and x. */
template <typename T, bool DIAGONAL>
struct Direct {
  using Number = T;
  static constexpr int N_IN = 3 + DIAGONAL, N_OUT = 2, N_SUMS = 0;
  static constexpr bool LARGEST = false;
  const T  *in[4];
  T        *out[2];
  EskScalar a, b;
  T         coefficient, other;

  __device__ void
  begin ()
  {
    coefficient = (T) esk_scalar_of (a);
    other = (T) esk_scalar_of (b);
  }
  __device__ void
  apply (const T *i, T *o, double *) const
  {
    T r = i[2];

    if constexpr (DIAGONAL)
      r *= i[3];
    o[0] = r + other * i[0];
    o[1] = i[1] + coefficient * i[0];
  }
};

/* q comes from the product just before. */
template <typename T, bool DIAGONAL>
struct EskStepOrder<Descend<T, DIAGONAL>> {
  static constexpr bool BACKWARD = true;
  static constexpr unsigned ONCE_IN = 0, ONCE_OUT = 0;
};

/* x is read by this step alone, once an iteration. */
template <typename T, bool DIAGONAL>
struct EskStepOrder<Direct<T, DIAGONAL>> {
  static constexpr bool BACKWARD = false;
  static constexpr unsigned ONCE_IN = 1 << 1, ONCE_OUT = 1 << 1;
};

/* ---- entries ---- */

template <typename T>
static int
fill (EskStream *stream,
      size_t     n,
      double     value,
      void      *x)
{
  const Fill<T> step = { { NULL }, { (T *) x }, (T) value };

  return esk_step_run (stream, step, n, NULL, "filling a vector");
}

int
esk_cuda_fill (EskStream *stream,
               EskType    type,
               size_t     n,
               double     value,
               void      *x)
{
  int code;

  if (stream == NULL || !esk_cuda_is_vector (type) || (n > 0 && x == NULL))
    return ESK_ERROR_ARGUMENT;
  code = esk_cuda_enter (stream);
  if (code == ESK_OK)
    ESK_VECTORS_BY_TYPE (type, code, fill, stream, n, value, x);

  return code;
}

template <typename T, int DOTS>
static int
dots_of (EskStream          *stream,
         size_t              n,
         const void * const *x,
         const void * const *y,
         double             *slots)
{
  Dots<T, DOTS> step;

  for (int d = 0; d < DOTS; d++)
    {
      step.in[2 * d] = (const T *) x[d];
      step.in[2 * d + 1] = (const T *) y[d];
    }
  step.out[0] = NULL;

  return esk_step_run (stream, step, n, slots, "inner products");
}

template <typename T>
static int
dots (EskStream          *stream,
      size_t              n,
      size_t              n_dots,
      const void * const *x,
      const void * const *y,
      double             *slots)
{
  switch (n_dots)
    {
    case 1: return dots_of<T, 1> (stream, n, x, y, slots);
    case 2: return dots_of<T, 2> (stream, n, x, y, slots);
    case 3: return dots_of<T, 3> (stream, n, x, y, slots);
    default: return dots_of<T, 4> (stream, n, x, y, slots);
    }
}

int
esk_cuda_dots (EskStream          *stream,
               EskType             type,
               size_t              n,
               size_t              n_dots,
               const void * const *x,
               const void * const *y,
               double             *slots)
{
  int code;

  if (stream == NULL || !esk_cuda_is_vector (type) || n_dots == 0 || n_dots > ESK_MOST_DOTS || x == NULL || y == NULL
      || slots == NULL)
    return ESK_ERROR_ARGUMENT;
  for (size_t d = 0; d < n_dots; d++)
    if (n > 0 && (x[d] == NULL || y[d] == NULL))
      return ESK_ERROR_ARGUMENT;
  code = esk_cuda_enter (stream);
  if (code == ESK_OK)
    ESK_VECTORS_BY_TYPE (type, code, dots, stream, n, n_dots, x, y, slots);

  return code;
}

template <typename T, int TERMS, int DOTS>
static int
combine_of (EskStream          *stream,
            size_t              n,
            const EskTerm      *terms,
            void               *out,
            const void * const *with,
            double             *slots)
{
  Combine<T, TERMS, DOTS> step;

  for (int t = 0; t < TERMS; t++)
    {
      step.in[t] = (const T *) terms[t].vector;
      step.scale[t] = terms[t].scale;
    }
  for (int d = 0; d < DOTS; d++)
    {
      step.own[d] = with[d] == NULL || with[d] == out;
      /* Something that may be read. */
      step.in[TERMS + d] = step.own[d] ? step.in[0] : (const T *) with[d];
    }
  step.out[0] = (T *) out;

  return esk_step_run (stream, step, n, slots, "a combination of vectors");
}

template <typename T, int TERMS>
static int
combine_terms (EskStream          *stream,
               size_t              n,
               const EskTerm      *terms,
               void               *out,
               size_t              n_dots,
               const void * const *with,
               double             *slots)
{
  switch (n_dots)
    {
    case 0: return combine_of<T, TERMS, 0> (stream, n, terms, out, with, slots);
    case 1: return combine_of<T, TERMS, 1> (stream, n, terms, out, with, slots);
    case 2: return combine_of<T, TERMS, 2> (stream, n, terms, out, with, slots);
    case 3: return combine_of<T, TERMS, 3> (stream, n, terms, out, with, slots);
    default: return combine_of<T, TERMS, 4> (stream, n, terms, out, with, slots);
    }
}

template <typename T>
static int
combine (EskStream          *stream,
         size_t              n,
         size_t              n_terms,
         const EskTerm      *terms,
         void               *out,
         size_t              n_dots,
         const void * const *with,
         double             *slots)
{
  switch (n_terms)
    {
    case 1: return combine_terms<T, 1> (stream, n, terms, out, n_dots, with, slots);
    case 2: return combine_terms<T, 2> (stream, n, terms, out, n_dots, with, slots);
    case 3: return combine_terms<T, 3> (stream, n, terms, out, n_dots, with, slots);
    default: return combine_terms<T, 4> (stream, n, terms, out, n_dots, with, slots);
    }
}

int
esk_cuda_combine (EskStream          *stream,
                  EskType             type,
                  size_t              n,
                  size_t              n_terms,
                  const EskTerm      *terms,
                  void               *out,
                  size_t              n_dots,
                  const void * const *with,
                  double             *slots)
{
  int code;

  if (stream == NULL || !esk_cuda_is_vector (type) || n_terms == 0 || n_terms > ESK_MOST_TERMS || terms == NULL
      || n_dots > ESK_MOST_DOTS || (n_dots > 0 && (with == NULL || slots == NULL)) || (n > 0 && out == NULL))
    return ESK_ERROR_ARGUMENT;
  for (size_t t = 0; t < n_terms; t++)
    if (n > 0 && terms[t].vector == NULL)
      return ESK_ERROR_ARGUMENT;
  code = esk_cuda_enter (stream);
  if (code == ESK_OK)
    ESK_VECTORS_BY_TYPE (type, code, combine, stream, n, n_terms, terms, out, n_dots, with, slots);

  return code;
}

template <typename T, bool DIAGONAL>
static int
descend_of (EskStream       *stream,
            size_t           n,
            const EskScalar *a,
            const void      *q,
            void            *r,
            const void      *diagonal,
            double          *slots)
{
  const Descend<T, DIAGONAL> step = { { (const T *) r, (const T *) q, (const T *) diagonal }, { (T *) r }, *a, T (0) };

  return esk_step_run (stream, step, n, slots, "a step of conjugate gradients");
}

template <typename T>
static int
descend (EskStream       *stream,
         size_t           n,
         const EskScalar *a,
         const void      *q,
         void            *r,
         const void      *diagonal,
         double          *slots)
{
  return diagonal != NULL ? descend_of<T, true> (stream, n, a, q, r, diagonal, slots)
                          : descend_of<T, false> (stream, n, a, q, r, diagonal, slots);
}

int
esk_cuda_descend (EskStream       *stream,
                  EskType          type,
                  size_t           n,
                  const EskScalar *a,
                  const void      *q,
                  void            *r,
                  const void      *diagonal,
                  double          *slots)
{
  int code;

  if (stream == NULL || !esk_cuda_is_vector (type) || a == NULL || slots == NULL
      || (n > 0 && (q == NULL || r == NULL)))
    return ESK_ERROR_ARGUMENT;
  code = esk_cuda_enter (stream);
  if (code == ESK_OK)
    ESK_VECTORS_BY_TYPE (type, code, descend, stream, n, a, q, r, diagonal, slots);

  return code;
}

template <typename T, bool DIAGONAL>
static int
direct_of (EskStream       *stream,
           size_t           n,
           const EskScalar *a,
           const EskScalar *b,
           const void      *r,
           const void      *diagonal,
           void            *p,
           void            *x)
{
  const Direct<T, DIAGONAL> step = { { (const T *) p, (const T *) x, (const T *) r, (const T *) diagonal },
                                     { (T *) p, (T *) x }, *a, *b, T (0), T (0) };

  return esk_step_run (stream, step, n, NULL, "a step of conjugate gradients");
}

template <typename T>
static int
direct (EskStream       *stream,
        size_t           n,
        const EskScalar *a,
        const EskScalar *b,
        const void      *r,
        const void      *diagonal,
        void            *p,
        void            *x)
{
  return diagonal != NULL ? direct_of<T, true> (stream, n, a, b, r, diagonal, p, x)
                          : direct_of<T, false> (stream, n, a, b, r, diagonal, p, x);
}

int
esk_cuda_direct (EskStream       *stream,
                 EskType          type,
                 size_t           n,
                 const EskScalar *a,
                 const EskScalar *b,
                 const void      *r,
                 const void      *diagonal,
                 void            *p,
                 void            *x)
{
  int code;

  if (stream == NULL || !esk_cuda_is_vector (type) || a == NULL || b == NULL
      || (n > 0 && (r == NULL || p == NULL || x == NULL)))
    return ESK_ERROR_ARGUMENT;
  code = esk_cuda_enter (stream);
  if (code == ESK_OK)
    ESK_VECTORS_BY_TYPE (type, code, direct, stream, n, a, b, r, diagonal, p, x);

  return code;
}
