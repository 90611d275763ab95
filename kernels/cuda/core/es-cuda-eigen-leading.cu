/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * The eigenvalues of a symmetric matrix and the eigenvectors of the largest ones, by kernels of our own
 * (es-cuda-eigen-private.h) where the matrix fits them and what comes out is as good as a library's; by the library
 * otherwise.
 */

#include "es-cuda-device-private.h"
#include "es-cuda-eigen-private.h"

#include <math.h>
#include <string.h>

/* Vectors that are made before it is known how many are wanted, so that a moved threshold finds some more. */
#define FIRST_VECTORS 32
/* Of the largest value, and of one: some hundred roundings. What is beyond is left to the library. */
#define LARGEST_RESIDUAL 1e-13
#define LARGEST_OVERLAP 1e-13
/* Of the sum of all magnitudes; the trace is the sum of the values. */
#define LARGEST_TRACE_ERROR 1e-13

/* Where the parts of EskEigenWork are. */
static EskEigenWork
lay_out (unsigned n,
         double  *memory)
{
  const size_t n_elements = (size_t) n * n;
  EskEigenWork work;

  work.n = n;
  work.scale = 1.0;
  work.matrix = memory;
  work.reflectors = work.matrix + n_elements;
  work.factors = work.reflectors + n_elements;
  work.products = work.factors + n;
  work.diagonal = work.products + 3 * n;
  work.off = work.diagonal + n;
  work.turned = work.off + n;
  work.values = work.turned + (size_t) n * ESK_EIGEN_MOST_VECTORS;
  work.residuals = work.values + n;
  work.overlaps = work.residuals + ESK_EIGEN_CHECKS (n) * ESK_EIGEN_MOST_VECTORS;
  work.vectors = work.overlaps + ESK_EIGEN_CHECKS (ESK_EIGEN_MOST_VECTORS) * ESK_EIGEN_MOST_VECTORS;

  return work;
}

static size_t
count_numbers (unsigned n)
{
  const EskEigenWork work = lay_out (n, NULL);

  return (size_t) (work.vectors - work.matrix) + (size_t) ESK_EIGEN_MOST_VECTORS * n;
}

/* How many of the first vectors are good. */
static size_t
count_good (const EskEigenWork *host,
            unsigned            n,
            size_t              n_vectors)
{
  const double norm = fmax (fabs (host->values[0]), fabs (host->values[n - 1])), limit = LARGEST_RESIDUAL * norm;
  size_t good = 0;

  for (; good < n_vectors; good++)
    {
      double square = 0.0, overlap = 0.0;

      for (unsigned b = 0; b < ESK_EIGEN_CHECKS (n); b++)
        square += host->residuals[b * ESK_EIGEN_MOST_VECTORS + good];
      for (unsigned b = 0; b < ESK_EIGEN_CHECKS (good + 1); b++)
        overlap = fmax (overlap, host->overlaps[b * ESK_EIGEN_MOST_VECTORS + good]);
      if (!(square <= limit * limit && overlap <= LARGEST_OVERLAP))
        break;
    }

  return good;
}

/* Sum of the values as it has to be. */
static bool
has_trace (unsigned      n,
           const double *matrix,
           double        scale,
           const double *values)
{
  double trace = 0.0, sum = 0.0, size = 0.0;

  for (size_t k = 0; k < n; k++)
    {
      trace += matrix[k * n + k] * scale;
      sum += values[k];
      size += fabs (values[k]);
    }

  return fabs (trace - sum) <= LARGEST_TRACE_ERROR * size * n || size == 0.0;
}

/* n_vectors of them, and values, residuals and overlaps, to the host. */
static int
find_vectors (EskStream          *stream,
              const EskEigenWork *work,
              const EskEigenWork *host,
              size_t              n_vectors)
{
  /* What is told of vectors that are not looked for comes back too. */
  int code = esk_cuda_check (stream, cudaMemsetAsync (work->residuals, 0, (size_t) (work->vectors - work->residuals)
                                                      * sizeof (double), stream->stream), "eigenproblem");

  if (code == ESK_OK)
    code = esk_cuda_eigen_vectors (stream, work, (unsigned) n_vectors);
  if (code == ESK_OK)
    code = esk_cuda_check (stream,
                           cudaMemcpyAsync (host->values, work->values,
                                            ((size_t) (work->vectors - work->values) + n_vectors * work->n)
                                            * sizeof (double), cudaMemcpyDeviceToHost, stream->stream),
                           "eigenproblem");
  if (code == ESK_OK)
    code = esk_cuda_check (stream, cudaStreamSynchronize (stream->stream), "eigenproblem");

  return code;
}

/* *n_vectors: 0 where these kernels are not the way. */
static int
solve_here (EskStream      *stream,
            unsigned        n,
            const double   *matrix,
            EskEigenChoose  choose,
            void           *data,
            double         *values,
            double         *vectors,
            size_t         *n_vectors)
{
  const size_t n_elements = (size_t) n * n, bytes = count_numbers (n) * sizeof (double);
  size_t found = n < FIRST_VECTORS ? n : FIRST_VECTORS, wanted, good;
  double *memory = (double *) esk_cuda_scratch (stream, ESK_SCRATCH_WORK, bytes);
  EskEigenWork work, host;
  int code;

  *n_vectors = 0;
  if (memory == NULL)
    return esk_cuda_device_is_lost (stream->device) ? ESK_ERROR_LOST : ESK_ERROR_MEMORY;
  work = lay_out (n, memory);
  memory = (double *) esk_cuda_pinned (stream, bytes);
  if (memory == NULL)
    return ESK_ERROR_MEMORY;
  host = lay_out (n, memory);

  if (!esk_cuda_eigen_copy (n_elements, matrix, host.matrix, &work.scale))
    return ESK_ERROR_ARGUMENT;
  code = esk_cuda_check (stream, cudaMemcpyAsync (work.matrix, host.matrix, n_elements * sizeof (double),
                                                  cudaMemcpyHostToDevice, stream->stream), "eigenproblem");
  if (code == ESK_OK)
    code = esk_cuda_eigen_values (stream, &work);
  if (code == ESK_OK)
    code = find_vectors (stream, &work, &host, found);
  if (code != ESK_OK)
    return code;
  if (!has_trace (n, matrix, work.scale, host.values))
    return ESK_OK;

  for (size_t k = 0; k < n; k++)
    values[k] = host.values[k] / work.scale;
  wanted = choose != NULL ? choose (n, values, data) : n;
  if (wanted > ESK_EIGEN_MOST_VECTORS)
    return ESK_OK;
  if (wanted > found)
    {
      found = wanted < n ? wanted : n;
      code = find_vectors (stream, &work, &host, found);
      if (code != ESK_OK)
        return code;
    }

  good = count_good (&host, n, found);
  if (good < wanted || good == 0)
    return ESK_OK;
  memcpy (vectors, host.vectors, good * n * sizeof (double));
  for (size_t k = 0; k < good; k++)
    esk_cuda_eigen_fix_sign (n, vectors + k * n);
  *n_vectors = good;

  return ESK_OK;
}

int
esk_cuda_eigen_leading (EskStream      *stream,
                        size_t          n,
                        const double   *matrix,
                        EskEigenChoose  choose,
                        void           *data,
                        double         *values,
                        double         *vectors,
                        size_t         *n_vectors)
{
  int code;

  if (n == 0 || matrix == NULL || values == NULL || vectors == NULL || n_vectors == NULL)
    return ESK_ERROR_ARGUMENT;
  code = esk_cuda_enter (stream);
  if (code != ESK_OK)
    return code;

  *n_vectors = 0;
  /* Clusters of blocks came with 9.0. */
  if (n <= ESK_EIGEN_MOST && esk_cuda_properties (stream)->major >= 9)
    code = solve_here (stream, (unsigned) n, matrix, choose, data, values, vectors, n_vectors);
  if (code == ESK_OK && *n_vectors == 0)
    {
      code = esk_cuda_eigen_symmetric (stream, n, matrix, values, vectors);
      if (code == ESK_OK)
        *n_vectors = n;
    }

  return code;
}
