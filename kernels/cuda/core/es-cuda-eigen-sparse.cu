/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * The smallest eigenvalues of a sparse matrix that fits the card as a dense one: block Lanczos (Golub and Underwood
 * 1977; restarted by Ritz vectors, Wu and Simon 2000) on the inverse of A + shift, which a Cholesky factor gives. Every
 * block is made orthogonal to all before it, column by column and four times, so that the projection holds whatever
 * the columns lost; the projected matrix is taken of the images themselves.
 */

#include "es-cuda-eigen-private.h"
#include "es-cuda-eigen-sparse-private.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* Blocks of the basis, then it is restarted; of these a third is kept. */
#define MOST_BLOCKS 12
/* Blocks that are solved for, then it is given up. */
#define MOST_STEPS 200
/* Before so many steps nothing is found that is worth to be looked at. */
#define FIRST_CHECK 3
/* A column of which less is left is lost in rounding. */
#define LEAST_LEFT 1e-13

/* ---- kernels ---- */

/* Number `which` of those that no problem is made for (splitmix64): -0.5 .. 0.5. */
static __device__ __forceinline__ double
draw (uint64_t which)
{
  uint64_t z = (which + 1) * 0x9e3779b97f4a7c15ull;

  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
  return (double) ((z ^ (z >> 31)) >> 11) * 0x1p-53 - 0.5;
}

static __global__ void
__launch_bounds__ (256)
fill_random (size_t  n,
             double *x)
{
  const size_t i = (size_t) blockIdx.x * 256 + threadIdx.x;

  if (i < n)
    x[i] = draw (i);
}

/* Of one block, the same in all threads, always added in the same order. */
static __device__ double
block_norm (size_t        n,
            const double *x)
{
  __shared__ double sums[32];
  double sum = 0.0;

  for (size_t i = threadIdx.x; i < n; i += 1024)
    sum += x[i] * x[i];
  sum = eigen_warp_sum (sum);
  if (threadIdx.x % 32 == 0)
    sums[threadIdx.x / 32] = sum;
  __syncthreads ();
  sum = eigen_warp_sum (sums[threadIdx.x % 32]);

  return sqrt (sum);
}

static __global__ void
__launch_bounds__ (1024)
measure (size_t        n,
         const double *x,
         double       *norm)
{
  const double found = block_norm (n, x);

  if (threadIdx.x == 0)
    *norm = found;
}

/* Unit length; what is less than `least` of *before becomes random numbers of unit length, other ones each time. */
static __global__ void
__launch_bounds__ (1024)
normalise (size_t        n,
           double       *x,
           const double *before,
           double        least,
           uint64_t      which)
{
  double norm = block_norm (n, x);
  const bool lost = !(norm > least * *before) || !(norm > 0.0) || isinf (norm);

  if (lost)
    {
      for (size_t i = threadIdx.x; i < n; i += 1024)
        x[i] = draw (which * n + i);
      __syncthreads ();
      norm = block_norm (n, x);
    }
  for (size_t i = threadIdx.x; i < n; i += 1024)
    x[i] /= norm;
}

/* ---- steps ---- */

static int
check_blas (EskStream      *stream,
            cublasStatus_t  status)
{
  return esk_cuda_check_library (stream, status == CUBLAS_STATUS_SUCCESS, status == CUBLAS_STATUS_ALLOC_FAILED,
                                 (int) status, "eigenpairs of a sparse matrix");
}

static int
check_solver (EskStream        *stream,
              cusolverStatus_t  status)
{
  return esk_cuda_check_library (stream, status == CUSOLVER_STATUS_SUCCESS, status == CUSOLVER_STATUS_ALLOC_FAILED,
                                 (int) status, "eigenpairs of a sparse matrix");
}

static int
check_cuda (EskStream   *stream,
            cudaError_t  code)
{
  return esk_cuda_check (stream, code, "eigenpairs of a sparse matrix");
}

/* out (rows x columns, row_out apart) = alpha a b + beta out; a' b where turn. Columns of a are n apart. */
static int
multiply (SparseEigen  *self,
          bool          turn,
          size_t        rows,
          size_t        columns,
          size_t        inner,
          double        alpha,
          const double *a,
          const double *b,
          size_t        row_b,
          double        beta,
          double       *out,
          size_t        row_out)
{
  return check_blas (self->stream,
                     cublasDgemm (self->blas, turn ? CUBLAS_OP_T : CUBLAS_OP_N, CUBLAS_OP_N, (int) rows, (int) columns,
                                  (int) inner, &alpha, a, (int) self->n, b, (int) row_b, &beta, out, (int) row_out));
}

/* Columns first .. first + p of the basis become orthonormal, and orthogonal to all before. */
static int
orthonormalise (SparseEigen *self,
                size_t       first)
{
  const size_t n = self->n;
  int code = ESK_OK;

  for (size_t j = first; j < first + self->p && code == ESK_OK; j++)
    {
      double *x = self->basis + j * n;

      measure<<<1, 1024, 0, self->stream->stream>>> (n, x, self->norm);
      code = esk_cuda_launched (self->stream, "eigenpairs of a sparse matrix");
      /* The second time for what the first put in place of a column that was lost. */
      for (int round = 0; round < 2 && code == ESK_OK; round++)
        {
          for (int pass = 0; pass < 2 && j > 0 && code == ESK_OK; pass++)
            {
              code = multiply (self, true, j, 1, n, 1.0, self->basis, x, n, 0.0, self->along, self->room);
              if (code == ESK_OK)
                code = multiply (self, false, n, 1, j, -1.0, self->basis, self->along, self->room, 1.0, x, n);
            }
          if (code != ESK_OK)
            break;
          normalise<<<1, 1024, 0, self->stream->stream>>> (n, x, self->norm, round == 0 ? LEAST_LEFT : 0.0,
                                                           ++self->drawn);
          code = esk_cuda_launched (self->stream, "eigenpairs of a sparse matrix");
        }
    }

  return code;
}

/* p columns x become (A + shift)^-1 x. */
static int
solve (SparseEigen *self,
       double      *x)
{
  const double one = 1.0;
  const int n = (int) self->n, p = (int) self->p;
  int code = check_blas (self->stream, cublasDtrsm (self->blas, CUBLAS_SIDE_LEFT, CUBLAS_FILL_MODE_LOWER, CUBLAS_OP_N,
                                                    CUBLAS_DIAG_NON_UNIT, n, p, &one, self->dense, n, x, n));

  if (code == ESK_OK)
    code = check_blas (self->stream, cublasDtrsm (self->blas, CUBLAS_SIDE_LEFT, CUBLAS_FILL_MODE_LOWER, CUBLAS_OP_T,
                                                  CUBLAS_DIAG_NON_UNIT, n, p, &one, self->dense, n, x, n));
  self->facts->solutions += (unsigned) self->p;

  return code;
}

/* All pairs of the projected matrix of the first q vectors, ascending, to the host: self->theta, self->turn (column k
 * of q numbers is vector k); and what the next block takes over from the last, self->rest (p x p). */
static int
project (SparseEigen *self,
         size_t       q)
{
  const size_t p = self->p, room = self->room, last = q - p;
  cudaStream_t stream = self->stream->stream;
  int info = 0, code;

  code = check_cuda (self->stream, cudaMemcpy2DAsync (self->small, q * sizeof (double), self->projected,
                                                      room * sizeof (double), q * sizeof (double), q,
                                                      cudaMemcpyDeviceToDevice, stream));
  if (code == ESK_OK)
    code = check_solver (self->stream, cusolverDnDsyevd (self->solver, CUSOLVER_EIG_MODE_VECTOR, CUBLAS_FILL_MODE_UPPER,
                                                         (int) q, self->small, (int) q, self->along,
                                                         (double *) self->work, self->small_work, self->info));
  if (code == ESK_OK)
    code = check_cuda (self->stream, cudaMemcpyAsync (self->theta, self->along, q * sizeof (double),
                                                      cudaMemcpyDeviceToHost, stream));
  if (code == ESK_OK)
    code = check_cuda (self->stream, cudaMemcpyAsync (self->turn, self->small, q * q * sizeof (double),
                                                      cudaMemcpyDeviceToHost, stream));
  if (code == ESK_OK)
    code = check_cuda (self->stream, cudaMemcpy2DAsync (self->rest, p * sizeof (double),
                                                        self->projected + last * room + q, room * sizeof (double),
                                                        p * sizeof (double), p, cudaMemcpyDeviceToHost, stream));
  if (code == ESK_OK)
    code = esk_cuda_fetch (self->stream, &info, self->info, sizeof info);
  if (code == ESK_OK && info != 0)
    code = ESK_ERROR_NO_CONVERGENCE;

  return code;
}

/* Whether the m largest of the projected matrix are pairs of the inverse: what is left of one is what the next block
 * takes over of it, and rounding of the largest is not to be undercut for ever. */
static bool
is_found (const SparseEigen *self,
          size_t             q,
          unsigned           step)
{
  const size_t p = self->p;
  const double rounding = (step <= 12 ? 0.0625 : step <= 24 ? 1.0 : 16.0) * DBL_EPSILON;
  const double largest = self->theta[q - 1];

  for (size_t k = 0; k < self->m; k++)
    {
      const double *s = self->turn + (q - 1 - k) * q + (q - p), value = self->theta[q - 1 - k];
      double square = 0.0;

      if (!(value > 0.0))
        return false;
      for (size_t i = 0; i < p; i++)
        {
          double sum = 0.0;

          for (size_t j = 0; j < p; j++)
            sum += self->rest[j * p + i] * s[j];
          square += sum * sum;
        }
      if (!(sqrt (square) <= fmax (self->tolerance, rounding * largest / value) * value))
        return false;
    }

  return true;
}

/* The k largest Ritz vectors of the first q columns, the largest first, to self->spare; of the images where said. */
static int
make_ritz (SparseEigen *self,
           size_t       q,
           size_t       k,
           const double *columns)
{
  for (size_t j = 0; j < k; j++)
    memcpy (self->reversed + j * q, self->turn + (q - 1 - j) * q, q * sizeof (double));

  int code = check_cuda (self->stream, cudaMemcpyAsync (self->small, self->reversed, q * k * sizeof (double),
                                                        cudaMemcpyHostToDevice, self->stream->stream));

  if (code == ESK_OK)
    code = multiply (self, false, self->n, k, q, 1.0, columns, self->small, q, 0.0, self->spare, self->n);
  /* `reversed` is used again. */
  return code == ESK_OK ? check_cuda (self->stream, cudaStreamSynchronize (self->stream->stream)) : code;
}

/* Ritz vectors take the place of the first q columns; the block behind follows them. */
static int
restart (SparseEigen *self,
         size_t       q,
         size_t       kept)
{
  const size_t n = self->n, room = self->room, bytes = kept * n * sizeof (double);
  cudaStream_t stream = self->stream->stream;
  int code = make_ritz (self, q, kept, self->basis);

  if (code == ESK_OK)
    code = check_cuda (self->stream, cudaMemcpyAsync (self->basis, self->spare, bytes, cudaMemcpyDeviceToDevice,
                                                      stream));
  if (code == ESK_OK)
    code = make_ritz (self, q, kept, self->images);
  if (code == ESK_OK)
    code = check_cuda (self->stream, cudaMemcpyAsync (self->images, self->spare, bytes, cudaMemcpyDeviceToDevice,
                                                      stream));
  /* kept + p <= q: they do not overlap. */
  if (code == ESK_OK)
    code = check_cuda (self->stream, cudaMemcpyAsync (self->basis + kept * n, self->basis + q * n,
                                                      self->p * n * sizeof (double), cudaMemcpyDeviceToDevice, stream));
  memset (self->reversed, 0, room * kept * sizeof (double));
  for (size_t k = 0; k < kept; k++)
    self->reversed[k * room + k] = self->theta[q - 1 - k];
  if (code == ESK_OK)
    code = check_cuda (self->stream, cudaMemcpyAsync (self->projected, self->reversed, room * kept * sizeof (double),
                                                      cudaMemcpyHostToDevice, stream));
  if (code == ESK_OK)
    code = check_cuda (self->stream, cudaStreamSynchronize (stream));
  self->facts->restarts++;

  return code;
}

/* *found: how many vectors the basis has when all are found. */
static int
iterate (SparseEigen *self,
         size_t      *found)
{
  const size_t n = self->n, p = self->p, room = self->room, block_bytes = p * n * sizeof (double);
  cudaStream_t stream = self->stream->stream;
  size_t last = 0;
  int code;

  fill_random<<<(unsigned) ((p * n + 255) / 256), 256, 0, stream>>> (p * n, self->basis);
  code = esk_cuda_launched (self->stream, "eigenpairs of a sparse matrix");
  if (code == ESK_OK)
    code = solve (self, self->basis);
  if (code == ESK_OK)
    code = orthonormalise (self, 0);
  for (unsigned step = 1; code == ESK_OK; step++)
    {
      double *image = self->images + last * n;
      const size_t q = last + p;

      if (esk_is_cancelled (self->stream->cancelled))
        return ESK_ERROR_CANCELLED;
      if (step > MOST_STEPS)
        return ESK_ERROR_NO_CONVERGENCE;
      code = check_cuda (self->stream, cudaMemcpyAsync (image, self->basis + last * n, block_bytes,
                                                        cudaMemcpyDeviceToDevice, stream));
      if (code == ESK_OK)
        code = solve (self, image);
      if (code == ESK_OK)
        code = check_cuda (self->stream, cudaMemcpyAsync (self->basis + q * n, image, block_bytes,
                                                          cudaMemcpyDeviceToDevice, stream));
      if (code == ESK_OK)
        code = orthonormalise (self, q);
      if (code == ESK_OK)
        code = multiply (self, true, q + p, p, n, 1.0, self->basis, image, n, 0.0, self->projected + last * room, room);
      last = q;
      if (code == ESK_OK && (step >= FIRST_CHECK || q + 2 * p > room))
        {
          code = project (self, q);
          if (code == ESK_OK && is_found (self, q, step))
            {
              *found = q;
              return ESK_OK;
            }
          if (code == ESK_OK && q + 2 * p > room)
            {
              last = esk_cuda_eigen_sparse_kept (self);
              code = restart (self, q, last);
            }
        }
    }

  return code;
}

/* Once more of the p best vectors, which the projected matrix of the inverse is nearly diagonal in: so the small values
 * are not lost in the rounding of the largest. */
static int
finish (SparseEigen *self,
        size_t       q,
        double      *values,
        double      *vectors)
{
  const size_t n = self->n, p = self->p, m = self->m;
  cudaStream_t stream = self->stream->stream;
  int code = make_ritz (self, q, p, self->basis);

  if (code == ESK_OK)
    code = check_cuda (self->stream, cudaMemcpyAsync (self->images, self->spare, p * n * sizeof (double),
                                                      cudaMemcpyDeviceToDevice, stream));
  if (code == ESK_OK)
    code = solve (self, self->images);
  if (code == ESK_OK)
    code = multiply (self, true, p, p, n, 1.0, self->spare, self->images, n, 0.0, self->small, p);
  if (code == ESK_OK)
    code = check_cuda (self->stream, cudaMemcpyAsync (self->rest, self->small, p * p * sizeof (double),
                                                      cudaMemcpyDeviceToHost, stream));
  if (code == ESK_OK)
    code = check_cuda (self->stream, cudaStreamSynchronize (stream));
  if (code != ESK_OK)
    return code;
  esk_cuda_eigen_sparse_turn (p, self->rest, self->theta, self->reversed);
  code = check_cuda (self->stream, cudaMemcpyAsync (self->small, self->reversed, p * m * sizeof (double),
                                                    cudaMemcpyHostToDevice, stream));
  if (code == ESK_OK)
    code = multiply (self, false, n, m, p, 1.0, self->spare, self->small, p, 0.0, self->basis, n);
  if (code == ESK_OK)
    code = check_cuda (self->stream, cudaMemcpyAsync (vectors, self->basis, m * n * sizeof (double),
                                                      cudaMemcpyDeviceToHost, stream));
  if (code == ESK_OK)
    code = check_cuda (self->stream, cudaStreamSynchronize (stream));
  for (size_t k = 0; k < m && code == ESK_OK; k++)
    {
      values[k] = 1.0 / self->theta[k] - self->shift;
      esk_cuda_eigen_fix_sign (n, vectors + k * n);
    }

  return code;
}

int
esk_cuda_eigen_sparse_find (SparseEigen *self,
                            double      *values,
                            double      *vectors)
{
  size_t found = 0;
  int code = iterate (self, &found);

  return code == ESK_OK ? finish (self, found, values, vectors) : code;
}
