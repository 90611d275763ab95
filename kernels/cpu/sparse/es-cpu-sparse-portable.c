/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Products of sparse matrices, for any processor. */

#include "es-cpu-sparse-private.h"

#define DEFINE_VECTOR(type, name, lanes)                                                                              \
  typedef type name##_vector __attribute__ ((vector_size (lanes * sizeof (type))));                                   \
                                                                                                                      \
  static inline __attribute__ ((always_inline)) name##_vector                                                         \
  name##_some (name##_vector sum, const int32_t *column, const type *value, const type *x, size_t n)                  \
  {                                                                                                                   \
    for (size_t k = 0; k < n; k++)                                                                                    \
      if (column[k] >= 0)                                                                                             \
        sum[k] += value[k] * x[column[k]];                                                                            \
    return sum;                                                                                                       \
  }                                                                                                                   \
                                                                                                                      \
  static inline __attribute__ ((always_inline)) type                                                                  \
  name##_sum (name##_vector a)                                                                                        \
  {                                                                                                                   \
    return (a[0] + a[1]) + (a[2] + a[3]);                                                                             \
  }

DEFINE_VECTOR (float, f32, 4)
DEFINE_VECTOR (double, f64, 4)

#define TYPE float
#define LOOP(name) f32_##name
#define LANES 4
#define Vector f32_vector
#define ZERO() ((Vector) { 0 })
#define ADD(a, b) ((a) + (b))
#define STORE(values, a) memcpy (values, &(a), sizeof (Vector))
#define SUM(a) f32_sum (a)
#define NEXT(sum, column, value, x) f32_some (sum, column, value, x, LANES)
#define SOME(sum, column, value, x, n) f32_some (sum, column, value, x, n)
#include <string.h>
#include "es-cpu-sparse-loops-private.h"

#define TYPE double
#define LOOP(name) f64_##name
#define LANES 4
#define Vector f64_vector
#define ZERO() ((Vector) { 0 })
#define ADD(a, b) ((a) + (b))
#define STORE(values, a) memcpy (values, &(a), sizeof (Vector))
#define SUM(a) f64_sum (a)
#define NEXT(sum, column, value, x) f64_some (sum, column, value, x, LANES)
#define SOME(sum, column, value, x, n) f64_some (sum, column, value, x, n)
#include "es-cpu-sparse-loops-private.h"

const EskCpuSparse esk_cpu_sparse_portable = { .f32 = f32_loops, .f64 = f64_loops };
