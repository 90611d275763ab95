/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * A reduced case behind initcheck.xml: cublasZtrsmBatched () with lower triangles loads parts of the upper ones too, in
 * tiles, and does not use them. Without Eigenscope: matrices whose upper triangle nobody has written make initcheck
 * report the library's kernels; the same matrices with NAN there give the same solutions to the last bit, which this
 * program checks. Exit status: 0 they do, 1 they do not.
 *
 *   nvcc -o trsm-reads-upper trsm-reads-upper.cu -lcublas
 *   compute-sanitizer --tool initcheck ./trsm-reads-upper
 */

#include <cuComplex.h>
#include <cublas_v2.h>

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <vector>

static const int bins = 3;

/* Block b fills matrix b and its right-hand sides and writes where both are. */
static __global__ void
fill (cuDoubleComplex *matrices, cuDoubleComplex *right, cuDoubleComplex **lists, int n, int sides, bool upper)
{
  cuDoubleComplex *matrix = matrices + (size_t) blockIdx.x * n * n, *side = right + (size_t) blockIdx.x * n * sides;

  lists[blockIdx.x] = matrix;
  lists[bins + blockIdx.x] = side;
  for (int i = threadIdx.x; i < n; i += blockDim.x)
    {
      for (int j = 0; j < n; j++)
        if (i >= j)
          matrix[(size_t) j * n + i] = make_cuDoubleComplex (i == j ? n + 1.0 + blockIdx.x : 1.0 / (1 + i + j),
                                                             i == j ? 0.0 : 0.5 / (2 + i - j));
        else if (upper)
          matrix[(size_t) j * n + i] = make_cuDoubleComplex (NAN, NAN);
      for (int s = 0; s < sides; s++)
        side[(size_t) s * n + i] = make_cuDoubleComplex (cos (0.1 * i * (s + 1)), sin (0.1 * i * (s + 1)));
    }
}

/* The solutions; whether all went well. */
static bool
solve (int n, int sides, bool upper, std::vector<cuDoubleComplex> &solutions)
{
  const cuDoubleComplex one = make_cuDoubleComplex (1.0, 0.0);
  const size_t size = (size_t) n * sides * bins;
  cublasHandle_t blas;
  cuDoubleComplex *matrices, *right, **lists;

  solutions.resize (size);
  if (cublasCreate (&blas) != CUBLAS_STATUS_SUCCESS
      || cudaMalloc (&matrices, sizeof *matrices * n * n * bins) != cudaSuccess
      || cudaMalloc (&right, sizeof *right * size) != cudaSuccess
      || cudaMalloc (&lists, sizeof *lists * 2 * bins) != cudaSuccess)
    return false;
  fill<<<bins, 128>>> (matrices, right, lists, n, sides, upper);
  if (cublasZtrsmBatched (blas, CUBLAS_SIDE_LEFT, CUBLAS_FILL_MODE_LOWER, CUBLAS_OP_N, CUBLAS_DIAG_NON_UNIT, n, sides,
                          &one, lists, n, lists + bins, n, bins) != CUBLAS_STATUS_SUCCESS
      || cudaMemcpy (solutions.data (), right, sizeof *right * size, cudaMemcpyDeviceToHost) != cudaSuccess)
    return false;
  cudaFree (matrices);
  cudaFree (right);
  cudaFree (lists);
  cublasDestroy (blas);

  return true;
}

int
main (void)
{
  static const int sizes[][2] = { { 7, 5 }, { 20, 64 }, { 40, 37 }, { 96, 181 }, { 300, 64 } };
  bool all = true;

  for (const int (&size)[2] : sizes)
    {
      std::vector<cuDoubleComplex> unwritten, nan;
      const bool same = solve (size[0], size[1], false, unwritten) && solve (size[0], size[1], true, nan)
                        && memcmp (unwritten.data (), nan.data (), sizeof (cuDoubleComplex) * nan.size ()) == 0;

      printf ("%d unknowns, %d right-hand sides: the solutions are %s\n", size[0], size[1],
              same ? "the same" : "different");
      all = all && same;
    }

  return all ? 0 : 1;
}
