/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

/*
 * What iterative solvers need beside products (sparse.md 1.4 to 1.6): vectors, and scalars that stay with them.
 *
 * Vectors are n contiguous values of `type` (ESK_F32 or ESK_F64) in the stream's memory, aligned to 64 bytes. They do
 * not overlap, but where a description says that two may be the same one. Slots are float64 in the stream's memory,
 * too: what one call reduces, the next one multiplies by, and the host need not know it. So a device with memory of its
 * own does an iteration without waiting for the host, which downloads slots when it wants to look.
 *
 * Elements are computed in the vectors' type, each coefficient rounded to it once; sums are of products in float64, for
 * float32 vectors, too. The order of every sum depends on n, on the type and on the device alone: the same bytes every
 * time and for any number of threads. Values that are not finite stay so: a sum or maximum with a NAN is a NAN.
 * Launched, as products are: wait () of the device tells when it is done. Slots that a call writes are none that it
 * reads. n = 0 is nothing to do, and sums of it are 0. ESK_ERROR_ARGUMENT where sizes, counts or pointers cannot be
 * right, ESK_ERROR_MEMORY where there is no room for partial sums.
 *
 * Bytes that an iteration must move, per row of a matrix with k nonzeros a row, e = 4 or 8 bytes a value, 4 an index:
 *
 *   product                        k (e + 4) + 4 + 2 e   matrix, x once, y
 *   conjugate gradients            product with p.q; descend () 3 e; direct () 5 e:  k (e + 4) + 4 + 10 e
 *     ... diagonal                 descend () 4 e; direct () 6 e:                    k (e + 4) + 4 + 12 e
 *   BiCGStab                       two products, one with a further vector (1 e); p: 4 e; s: 3 e; x: 4 e;
 *                                  r: 4 e (s, t, r0; r written):                     2 k (e + 4) + 8 + 20 e
 *   Jacobi                         product fused with step (f read, y written once): k (e + 4) + 4 + 3 e
 *   Gram-Schmidt against j vectors modified: 4 j e (w read and written, two vectors); classical twice: 3 j e + 5 e
 */

#include "es-hotspots-sparse.h"

#ifdef __cplusplus
extern "C" {
#endif

/*
 * A number that is not known to the host: factor (over[0] / under[0]) (over[1] / under[1]), each of these one slot,
 * NULL for 1; with `root`, factor times the square root of the rest. A quotient whose divisor is 0 is 0, so that an
 * iteration that has nothing left to do stands still.
 */
typedef struct {
  double        factor;
  const double *over[2], *under[2];
  bool          root;
} EskScalar;

/* One term of a linear combination. */
typedef struct {
  EskScalar   scale;
  const void *vector;
} EskTerm;

#define ESK_MOST_TERMS 4
#define ESK_MOST_DOTS 4
#define ESK_MOST_BLOCK 32
/* The largest basis of Gram-Schmidt. */
#define ESK_MOST_BASIS 512

/* How the published inner product is cut (sparse.md 1.6): `groups` blocks of `block` threads, each of `length`
 * elements. */
typedef struct {
  size_t block, groups, length;
} EskInnerShape;

/* The smallest block of 64, 128, 256, 512 with which there are at most 512 groups of one element a thread; from 512 x
 * 512 elements on 512 groups whose threads take several each. */
static inline EskInnerShape
esk_inner_shape (size_t n)
{
  for (size_t block = 64; block <= 512; block *= 2)
    if ((n + block - 1) / block <= 512)
      return (EskInnerShape) { block, (n + block - 1) / block, block };
  return (EskInnerShape) { 512, 512, (n + 511) / 512 };
}

/* Two triangles that a preconditioner solves with, on one device; the back end's own. */
typedef struct _EskTriangles EskTriangles;

typedef struct {
  /* x[i] = value */
  int (*fill)        (EskStream *stream, EskType type, size_t n, double value, void *x);
  /* slots[d] = x[d] . y[d], d < n_dots <= ESK_MOST_DOTS; vectors may be the same, and are read once then. */
  int (*dots)        (EskStream *stream, EskType type, size_t n, size_t n_dots, const void * const *x,
                      const void * const *y, double *slots);
  /*
   * out = the sum of 1 ... ESK_MOST_TERMS terms; out may be one of their vectors. Then, in the same pass, slots[d] =
   * out . with[d] for d < n_dots; with[d] NULL, or out: out . out. What is multiplied is what was written.
   */
  int (*combine)     (EskStream *stream, EskType type, size_t n, size_t n_terms, const EskTerm *terms, void *out,
                      size_t n_dots, const void * const *with, double *slots);

  /* ---- conjugate gradients ---- */

  /* r += a q; slots[0] = r.r and, with a diagonal (nullable), slots[1] = sum of diagonal r^2. */
  int (*descend)     (EskStream *stream, EskType type, size_t n, const EskScalar *a, const void *q, void *r,
                      const void *diagonal, double *slots);
  /* x += a p, and then p = diagonal r + b p (diagonal NULL: r + b p): p is read once. */
  int (*direct)      (EskStream *stream, EskType type, size_t n, const EskScalar *a, const EskScalar *b, const void *r,
                      const void *diagonal, void *p, void *x);

  /* ---- a basis: k <= ESK_MOST_BASIS vectors, each `stride` >= n elements (whole 64 bytes) after the last ---- */

  /* slots[i] = v_i . w: w is read once. */
  int (*basis_dots)  (EskStream *stream, EskType type, size_t n, size_t k, const void *basis, size_t stride,
                      const void *w, double *slots);
  /* w += factor sum of coefficients[i] v_i, k slots; norm (nullable): w . w of what was written. */
  int (*basis_add)   (EskStream *stream, EskType type, size_t n, size_t k, const void *basis, size_t stride,
                      double factor, const double *coefficients, void *w, double *norm);
  /* NULL, or basis_add () and then basis_dots () in one pass over the basis: slots[i] = v_i . w of what was written. */
  int (*basis_again) (EskStream *stream, EskType type, size_t n, size_t k, const void *basis, size_t stride,
                      double factor, const double *coefficients, void *w, double *slots);

  /* ---- Jacobi's iteration (sparse.md 1.4) ---- */

  /* y += f; *largest = the maximum of |y - x|. The difference is of the type of the vectors; 0 of n = 0. */
  int (*jacobi_step) (EskStream *stream, EskType type, size_t n, const void *x, const void *f, void *y,
                      double *largest);

  /* ---- fused with products; NULL: multiply () and then the other ---- */

  /* y = A x of a product that this stream's sparse->product_new () made, in its type; slots[d] = y . with[d] for d <
   * n_dots <= ESK_MOST_DOTS; with[d] NULL: y . y; it may be x. */
  int (*multiply_dots)   (EskStream *stream, EskSparseProduct *product, const void *x, void *y, size_t n_dots,
                          const void * const *with, double *slots);
  /* y = A x + f; *largest = the maximum of |y - x|; of a square matrix. */
  int (*multiply_jacobi) (EskStream *stream, EskSparseProduct *product, const void *x, const void *f, void *y,
                          double *largest);

  /* ---- preconditioners ---- */

  /* z = diagonal r, element by element; dot (nullable): r . z. z may be r where there is no dot. */
  int (*scale)       (EskStream *stream, EskType type, size_t n, const void *diagonal, const void *r, void *z,
                      double *dot);
  /*
   * z = M r of a block-diagonal M: of rows b block ... b block + block - 1 the dense block x block matrix at blocks + b
   * block block, column by column, in the vectors' type and the stream's memory; of the last one rows and columns
   * beyond n are not looked at. 1 <= block <= ESK_MOST_BLOCK. dot (nullable): r . z
   */
  int (*block_scale) (EskStream *stream, EskType type, size_t n, size_t block, const void *blocks, const void *r,
                      void *z, double *dot);
  /*
   * NULL, all three: rows that wait for each other do not pay here (a card: as many launches as levels). `factors`, in
   * host memory and not needed afterwards: L and U in one square matrix, as an incomplete factorisation leaves them; L
   * is below the diagonal, its own diagonal is 1 and not stored; every diagonal entry of U is stored and not 0 (else
   * ESK_ERROR_ARGUMENT).
   */
  int (*triangles_new)   (EskStream *stream, const EskCsr *factors, EskTriangles **triangles);
  void (*triangles_free) (EskStream *stream, EskTriangles *triangles);
  /* z = U^-1 L^-1 r; z may be r. The same bytes for any number of threads. */
  int (*triangles_solve) (EskStream *stream, EskTriangles *triangles, const void *r, void *z);

  /* ---- as published (sparse.md 1.6) ---- */

  /*
   * *slot = x . y of float32 vectors cut by esk_inner_shape (n): thread t of a group adds the float32 products of its
   * elements t, t + block ... of the group's `length`, in that order, each rounded by itself (no multiply-add), and
   * those beyond n as 0; the group halves them, from block / 2 down to 1, each adding the one that far above it; the
   * groups' sums are added in their order in float64. The same bytes on every device. Groups' sums go to the host
   * through mapped memory where a device has that, and the call then waits for it.
   */
  int (*inner_published) (EskStream *stream, size_t n, const float *x, const float *y, double *slot);
} EskVectorsHotspots;

#ifdef __cplusplus
}
#endif
