/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * Loops over a piece of vectors; included for each type by each file of a processor, hence everything is static.
 * Defined are LANES (float64 numbers of a vector), REAL, and NAME (x), a name of that type.
 */

#define Values NAME (Values)
#define load NAME (load)
#define store NAME (store)
#define widen NAME (widen)
#define dot NAME (dot)
#define combine_of NAME (combine_of)

/* As many values as there are sums side by side, so that float32 ones are widened without shuffling. */
typedef REAL Values __attribute__ ((vector_size (LANES * sizeof (REAL)), aligned (sizeof (REAL)), may_alias));

static inline __attribute__ ((always_inline)) Values
load (const REAL *x)
{
  return *(const Values *) (const void *) x;
}

static inline __attribute__ ((always_inline)) void
store (REAL  *x,
       Values v)
{
  *(Values *) (void *) x = v;
}

static inline __attribute__ ((always_inline)) Wide
widen (Values v)
{
  return __builtin_convertvector (v, Wide);
}

static inline __attribute__ ((always_inline)) double
dot (size_t      n,
     const REAL *x,
     const REAL *y)
{
  Wide sum[4] = { { 0 } };
  double rest = 0;
  size_t k = 0;

  for (; k + 4 * LANES <= n; k += 4 * LANES)
#pragma GCC unroll 4
    for (int u = 0; u < 4; u++)
      sum[u] += widen (load (x + k + u * LANES)) * widen (load (y + k + u * LANES));
  for (; k < n; k++)
    rest += (double) x[k] * (double) y[k];

  return add_lanes ((sum[0] + sum[1]) + (sum[2] + sum[3])) + rest;
}

static void
NAME (fill) (size_t n,
             double value,
             void  *x)
{
  REAL *to = x, v = (REAL) value;

  for (size_t k = 0; k < n; k++)
    to[k] = v;
}

static void
NAME (dots) (size_t              n,
             size_t              n_dots,
             const void * const *x,
             const void * const *y,
             double             *sums)
{
  for (size_t d = 0; d < n_dots; d++)
    sums[d] = 0;
  for (size_t k = 0; k < n; k += ESK_STRIP)
    for (size_t d = 0; d < n_dots; d++)
      sums[d] += dot (n - k < ESK_STRIP ? n - k : ESK_STRIP, (const REAL *) x[d] + k, (const REAL *) y[d] + k);
}

static inline __attribute__ ((always_inline)) void
combine_of (const size_t        n_terms,
            size_t              first,
            size_t              n,
            const double       *scales,
            const void * const *vectors,
            REAL               *out)
{
  const REAL *v[ESK_MOST_TERMS];
  REAL s[ESK_MOST_TERMS];
  size_t k = 0;

#pragma GCC unroll 4
  for (size_t t = 0; t < n_terms; t++)
    {
      v[t] = (const REAL *) vectors[t] + first;
      s[t] = (REAL) scales[t];
    }
  for (; k + LANES <= n; k += LANES)
    {
      Values sum = load (v[0] + k) * s[0];

#pragma GCC unroll 4
      for (size_t t = 1; t < n_terms; t++)
        sum += load (v[t] + k) * s[t];
      store (out + first + k, sum);
    }
  for (; k < n; k++)
    {
      REAL sum = v[0][k] * s[0];

#pragma GCC unroll 4
      for (size_t t = 1; t < n_terms; t++)
        sum += v[t][k] * s[t];
      out[first + k] = sum;
    }
}

static void
NAME (combine) (size_t              n,
                size_t              n_terms,
                const double       *scales,
                const void * const *vectors,
                void               *out,
                size_t              n_dots,
                const void * const *with,
                double             *sums)
{
  for (size_t d = 0; d < n_dots; d++)
    sums[d] = 0;
  for (size_t k = 0; k < n; k += ESK_STRIP)
    {
      size_t now = n - k < ESK_STRIP ? n - k : ESK_STRIP;

      switch (n_terms)
        {
        case 1: combine_of (1, k, now, scales, vectors, out); break;
        case 2: combine_of (2, k, now, scales, vectors, out); break;
        case 3: combine_of (3, k, now, scales, vectors, out); break;
        default: combine_of (4, k, now, scales, vectors, out); break;
        }
      for (size_t d = 0; d < n_dots; d++)
        sums[d] += dot (now, (const REAL *) out + k, (const REAL *) (with[d] == NULL ? out : with[d]) + k);
    }
}

static void
NAME (descend) (size_t      n,
                double      a,
                const void *q,
                void       *r,
                const void *diagonal,
                double     *sums)
{
  const REAL *from = q, *d = diagonal, scale = (REAL) a;
  REAL *to = r;
  Wide square[2] = { { 0 } }, weighted[2] = { { 0 } };
  double rest = 0, rest_weighted = 0;
  size_t k = 0;

  for (; k + 2 * LANES <= n; k += 2 * LANES)
#pragma GCC unroll 2
    for (int u = 0; u < 2; u++)
      {
        size_t at = k + (size_t) u * LANES;
        Values v = load (to + at) + load (from + at) * scale;
        Wide wide = widen (v);

        store (to + at, v);
        wide *= wide;
        square[u] += wide;
        if (d != NULL)
          weighted[u] += wide * widen (load (d + at));
      }
  for (; k < n; k++)
    {
      double v = to[k] += from[k] * scale;

      rest += v * v;
      if (d != NULL)
        rest_weighted += v * v * (double) d[k];
    }
  sums[0] = add_lanes (square[0] + square[1]) + rest;
  if (d != NULL)
    sums[1] = add_lanes (weighted[0] + weighted[1]) + rest_weighted;
}

static void
NAME (direct) (size_t      n,
               double      a,
               double      b,
               const void *r,
               const void *diagonal,
               void       *p,
               void       *x)
{
  const REAL *from = r, *d = diagonal, step = (REAL) a, beta = (REAL) b;
  REAL *direction = p, *to = x;
  size_t k = 0;

  for (; k + LANES <= n; k += LANES)
    {
      Values v = load (direction + k), z = load (from + k);

      store (to + k, load (to + k) + v * step);
      if (d != NULL)
        z *= load (d + k);
      store (direction + k, z + v * beta);
    }
  for (; k < n; k++)
    {
      REAL v = direction[k];

      to[k] += v * step;
      direction[k] = (d != NULL ? d[k] * from[k] : from[k]) + v * beta;
    }
}

static void
NAME (basis_dots) (size_t      n,
                   size_t      k,
                   const void *basis,
                   size_t      stride,
                   const void *w,
                   double     *sums)
{
  for (size_t i = 0; i < k; i++)
    sums[i] = 0;
  for (size_t at = 0; at < n; at += ESK_STRIP)
    for (size_t i = 0; i < k; i++)
      sums[i] += dot (n - at < ESK_STRIP ? n - at : ESK_STRIP, (const REAL *) basis + i * stride + at,
                      (const REAL *) w + at);
}

static void
NAME (basis_add) (size_t        n,
                  size_t        k,
                  const void   *basis,
                  size_t        stride,
                  const double *coefficients,
                  void         *w,
                  double       *norm,
                  double       *dots)
{
  if (norm != NULL)
    *norm = 0;
  for (size_t i = 0; dots != NULL && i < k; i++)
    dots[i] = 0;
  for (size_t at = 0; at < n; at += ESK_STRIP)
    {
      size_t now = n - at < ESK_STRIP ? n - at : ESK_STRIP;
      const REAL *from = (const REAL *) basis + at;
      REAL *to = (REAL *) w + at;

      for (size_t i = 0; i < k; i += ESK_MOST_TERMS - 1)
        {
          const void *vectors[ESK_MOST_TERMS] = { to };
          double scales[ESK_MOST_TERMS] = { 1 };
          size_t more = k - i < ESK_MOST_TERMS - 1 ? k - i : ESK_MOST_TERMS - 1;

          for (size_t t = 0; t < more; t++)
            {
              vectors[t + 1] = from + (i + t) * stride;
              scales[t + 1] = coefficients[i + t];
            }
          switch (more)
            {
            case 1: combine_of (2, 0, now, scales, vectors, to); break;
            case 2: combine_of (3, 0, now, scales, vectors, to); break;
            default: combine_of (4, 0, now, scales, vectors, to); break;
            }
        }
      if (norm != NULL)
        *norm += dot (now, to, to);
      for (size_t i = 0; dots != NULL && i < k; i++)
        dots[i] += dot (now, from + i * stride, to);
    }
}

static void
NAME (jacobi) (size_t      n,
               const void *x,
               const void *f,
               void       *y,
               double     *largest)
{
  const REAL *from = x, *constant = f;
  REAL *to = y, most[2 * LANES] = { 0 };
  bool missing = false;
  size_t k = 0;

  *largest = 0;
  for (; k + 2 * LANES <= n; k += 2 * LANES)
    for (size_t l = 0; l < 2 * LANES; l++)
      {
        REAL v = to[k + l] + constant[k + l], difference = v - from[k + l];

        to[k + l] = v;
        difference = difference < 0 ? -difference : difference;
        most[l] = difference > most[l] ? difference : most[l];
        /* No comparison sees a NAN. */
        missing |= difference != difference;
      }
  for (; k < n; k++)
    {
      REAL v = to[k] + constant[k], difference = v - from[k];

      to[k] = v;
      difference = difference < 0 ? -difference : difference;
      most[0] = difference > most[0] ? difference : most[0];
      missing |= difference != difference;
    }
  for (size_t l = 0; l < 2 * LANES; l++)
    *largest = (double) most[l] > *largest ? (double) most[l] : *largest;
  if (missing)
    *largest = NAN;
}

static void
NAME (scale) (size_t      n,
              const void *diagonal,
              const void *r,
              void       *z,
              double     *product)
{
  const REAL *d = diagonal, *from = r;
  REAL *to = z;

  *product = 0;
  for (size_t at = 0; at < n; at += ESK_STRIP)
    {
      size_t now = n - at < ESK_STRIP ? n - at : ESK_STRIP;

      for (size_t k = at; k < at + now; k++)
        to[k] = d[k] * from[k];
      *product += dot (now, to + at, from + at);
    }
}

static void
NAME (blocks) (size_t      n,
               size_t      block,
               const void *blocks,
               const void *r,
               void       *z,
               double     *product)
{
  const REAL *matrix = blocks, *from = r;
  REAL *to = z;

  *product = 0;
  for (size_t first = 0; first < n; first += block, matrix += block * block)
    {
      size_t rows = n - first < block ? n - first : block;
      REAL sum[ESK_MOST_BLOCK] = { 0 };

      for (size_t j = 0; j < rows; j++)
        {
          const REAL *column = matrix + j * block, v = from[first + j];

          for (size_t i = 0; i < rows; i++)
            sum[i] += column[i] * v;
        }
      for (size_t i = 0; i < rows; i++)
        {
          to[first + i] = sum[i];
          *product += (double) sum[i] * (double) from[first + i];
        }
    }
}

#undef Values
#undef load
#undef store
#undef widen
#undef dot
#undef combine_of
