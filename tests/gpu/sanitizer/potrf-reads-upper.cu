/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * A reduced case behind initcheck.xml: cusolverDnZpotrfBatched () of lower triangles loads the upper ones too, in
 * tiles, and does not use them. Without Eigenscope: matrices whose upper triangle nobody has written make initcheck
 * report potrfBatch_trsm_lower; the same matrices with NAN there have the same factors to the last bit, which this
 * program checks. Exit status: 0 they have, 1 they have not.
 *
 *   nvcc -o potrf-reads-upper potrf-reads-upper.cu -lcusolver
 *   compute-sanitizer --tool initcheck ./potrf-reads-upper
 */

#include <cuComplex.h>
#include <cusolverDn.h>

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <vector>

static const int n = 40, bins = 3;

static __global__ void
fill (cuDoubleComplex *matrices, cuDoubleComplex **lists, bool upper)
{
  cuDoubleComplex *matrix = matrices + (size_t) blockIdx.x * n * n;
  const int i = threadIdx.x;

  lists[blockIdx.x] = matrix;
  for (int j = 0; j < n; j++)
    if (i >= j)
      matrix[j * n + i] = make_cuDoubleComplex (i == j ? n + 1.0 + blockIdx.x : 1.0 / (1 + i + j),
                                                i == j ? 0.0 : 0.5 / (2 + i - j));
    else if (upper)
      matrix[j * n + i] = make_cuDoubleComplex (NAN, NAN);
}

/* The factors' lower triangles; the info of all bins, or'ed. */
static int
factorise (bool upper, std::vector<cuDoubleComplex> &factors)
{
  cusolverDnHandle_t solver;
  cuDoubleComplex *matrices, **lists;
  int *info, found[bins], all = 0;

  if (cusolverDnCreate (&solver) != CUSOLVER_STATUS_SUCCESS
      || cudaMalloc (&matrices, sizeof *matrices * n * n * bins) != cudaSuccess
      || cudaMalloc (&lists, sizeof *lists * bins) != cudaSuccess
      || cudaMalloc (&info, sizeof *info * bins) != cudaSuccess)
    return -1;
  fill<<<bins, n>>> (matrices, lists, upper);
  if (cusolverDnZpotrfBatched (solver, CUBLAS_FILL_MODE_LOWER, n, lists, n, info, bins) != CUSOLVER_STATUS_SUCCESS)
    return -1;
  for (int b = 0; b < bins; b++)
    for (int j = 0; j < n; j++)
      {
        cuDoubleComplex *into = factors.data () + ((size_t) b * n + j) * n;

        memset (into, 0, sizeof *into * n);
        if (cudaMemcpy (into + j, matrices + ((size_t) b * n + j) * n + j, sizeof *into * (n - j),
                        cudaMemcpyDeviceToHost) != cudaSuccess)
          return -1;
      }
  if (cudaMemcpy (found, info, sizeof found, cudaMemcpyDeviceToHost) != cudaSuccess)
    return -1;
  for (int b = 0; b < bins; b++)
    all |= found[b];
  cudaFree (matrices);
  cudaFree (lists);
  cudaFree (info);
  cusolverDnDestroy (solver);

  return all;
}

int
main (void)
{
  std::vector<cuDoubleComplex> unwritten ((size_t) n * n * bins), nan (unwritten.size ());
  const int a = factorise (false, unwritten), b = factorise (true, nan);
  const bool same = a == 0 && b == 0
                    && memcmp (unwritten.data (), nan.data (), sizeof (cuDoubleComplex) * nan.size ()) == 0;

  printf ("info %d and %d; the factors are %s\n", a, b, same ? "the same" : "different");
  return same ? 0 : 1;
}
