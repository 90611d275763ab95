/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * Eigenvectors of a tridiagonal matrix whose eigenvalues are known, and of the matrix that it was made of.
 *
 * A warp computes one: the factors of T - value from above and from below, joined in the row in which they leave least
 * over ("twisted"), give a vector whose residual is that of the value, without a division but those of the factors. The
 * reflectors turn it back. Vectors of values that lie close are then not yet at right angles; making them so costs no
 * residual, as what is taken away of one belongs to a value that is almost its own. Of equal values the vectors may be
 * the same, which nothing mends: what comes out is measured, and the caller has another solver for it.
 */

#include "es-cuda-eigen-private.h"

#define R ESK_EIGEN_ROWS

/* Two vectors each. */
#define ANGLE_WARPS (ESK_EIGEN_MOST_VECTORS / 2)
/* Elements of all vectors that a block has at hand when it measures. */
#define CHUNK 56
/* What may be taken of a vector without a second look: its error then grows by a thousandth. */
#define MUCH 1e-3
/* Smaller factors would overflow what follows. */
#define LEAST_FACTOR 0x1p-960

/* --- one vector a warp --------------------------------------------------------------------------------------- */

/* The reflectors k + 3 to k, in the lanes' rows, and their products; zero where there is no such reflector. */
struct Reflectors {
  double v[ESK_EIGEN_GROUP][R], factor[ESK_EIGEN_GROUP], product[ESK_EIGEN_GROUP][3];

  __device__ __forceinline__ void
  load (const EskEigenWork &work, int k)
  {
    const unsigned n = work.n, lane = threadIdx.x;

#pragma unroll
    for (int g = 0; g < ESK_EIGEN_GROUP; g++)
      {
        const int own = k + ESK_EIGEN_GROUP - 1 - g;

#pragma unroll
        for (int i = 0; i < R; i++)
          {
            const unsigned row = lane + 32 * i;

            v[g][i] = row < n && own >= 0 ? work.reflectors[(size_t) own * n + row] : 0.0;
          }
        factor[g] = own >= 0 ? work.factors[own] : 0.0;
#pragma unroll
        for (int d = 0; d < 3; d++)
          product[g][d] = own >= 0 ? work.products[3 * own + d] : 0.0;
      }
  }
};

static __global__ void
__launch_bounds__ (32)
turn_back (EskEigenWork work)
{
  /* Of each row: what the factors leave over, from above and from below, and the quotient of two elements. */
  __shared__ double diagonal[ESK_EIGEN_MOST], off[ESK_EIGEN_MOST], z[ESK_EIGEN_MOST];
  __shared__ double left[2][ESK_EIGEN_MOST], ratio[2][ESK_EIGEN_MOST];
  const unsigned n = work.n, lane = threadIdx.x, side = lane % 2;
  const double value = work.values[blockIdx.x];
  double x[R], part = 0.0, best = INFINITY;
  unsigned twist = 0;
  for (unsigned row = lane; row < n; row += 32)
    {
      diagonal[row] = work.diagonal[row] - value;
      off[row] = row + 1 < n ? work.off[row] : 0.0;
    }
  __syncwarp ();

  /* Even lanes from above, odd ones from below. */
  {
    double taken = 0.0;

#pragma unroll 1
    for (unsigned step = 0; step < n; step++)
      {
        const unsigned row = side == 0 ? step : n - 1 - step;
        const double beside = side == 0 ? off[row] : row > 0 ? off[row - 1] : 0.0;
        double rest = diagonal[row] - taken, inverse;

        if (fabs (rest) < LEAST_FACTOR)
          rest = -LEAST_FACTOR;
        inverse = eigen_reciprocal (rest);
        taken = beside * beside * inverse;
        if (lane < 2)
          {
            left[side][row] = rest;
            ratio[side][row] = beside * inverse;
          }
      }
  }
  __syncwarp ();

  /* The row in which least is left over; the first of equals. */
  for (unsigned row = lane; row < n; row += 32)
    {
      const double rest = fabs (left[0][row] + left[1][row] - diagonal[row]);

      if (rest < best)
        {
          best = rest;
          twist = row;
        }
    }
#pragma unroll
  for (int step = 16; step > 0; step /= 2)
    {
      const double other = __shfl_xor_sync (0xffffffff, best, step);
      const unsigned row = __shfl_xor_sync (0xffffffff, twist, step);

      if (other < best || (other == best && row < twist))
        {
          best = other;
          twist = row;
        }
    }

  /* From there upwards and downwards. */
  {
    const unsigned steps = side == 0 ? twist : n - 1 - twist;
    double element = 1.0;

    if (lane == 0)
      z[twist] = 1.0;
#pragma unroll 4
    for (unsigned step = 1; step <= steps; step++)
      {
        const unsigned row = side == 0 ? twist - step : twist + step;

        element *= -ratio[side][row];
        if (lane < 2)
          z[row] = element;
      }
  }
  __syncwarp ();
#pragma unroll
  for (int i = 0; i < R; i++)
    {
      const unsigned row = lane + 32 * i;

      x[i] = row < n ? z[row] : 0.0;
      part += x[i] * x[i];
    }
  part = eigen_inverse_root (eigen_warp_sum (part));
#pragma unroll
  for (int i = 0; i < R; i++)
    x[i] *= part;

  /* Four reflectors at a time: what the later ones take away of the others' products is told by their own. */
  Reflectors next;

  next.load (work, (int) n - 2 - ESK_EIGEN_GROUP);
#pragma unroll 1
  for (int k = (int) n - 2 - ESK_EIGEN_GROUP; k > -ESK_EIGEN_GROUP; k -= ESK_EIGEN_GROUP)
    {
      const Reflectors now = next;
      double sum[ESK_EIGEN_GROUP] = { 0.0 }, share, take[ESK_EIGEN_GROUP];

      if (k > 0)
        next.load (work, k - ESK_EIGEN_GROUP);
#pragma unroll
      for (int i = 0; i < R; i++)
#pragma unroll
        for (int g = 0; g < ESK_EIGEN_GROUP; g++)
          sum[g] += now.v[g][i] * x[i];
      share = eigen_warp_shares (sum);
#pragma unroll
      for (int g = 0; g < ESK_EIGEN_GROUP; g++)
        {
          take[g] = __shfl_sync (0xffffffff, share, 32 / ESK_EIGEN_GROUP * g);
#pragma unroll
          for (int f = 0; f < g; f++)
            take[g] -= take[f] * now.product[f][g - f - 1];
          take[g] *= now.factor[g];
        }
#pragma unroll
      for (int i = 0; i < R; i++)
        x[i] -= take[0] * now.v[0][i] + take[1] * now.v[1][i] + (take[2] * now.v[2][i] + take[3] * now.v[3][i]);
    }
#pragma unroll
  for (int i = 0; i < R; i++)
    if (lane + 32 * i < n)
      work.vectors[(size_t) blockIdx.x * n + lane + 32 * i] = x[i];
}

/* --- at right angles ----------------------------------------------------------------------------------------- */

/* One after another is taken out of all behind it; where that was much, once more, as it leaves an error that grows
 * with what was taken. Two vectors a warp. */
static __global__ void
__launch_bounds__ (32 * ANGLE_WARPS, 1)
orthonormalise (EskEigenWork work,
                unsigned     n_vectors)
{
  __shared__ double unit[2][ESK_EIGEN_MOST];
  const unsigned n = work.n, warp = threadIdx.x / 32, lane = threadIdx.x % 32, n_warps = blockDim.x / 32;
  double x[2][R], largest = 0.0;

#pragma unroll
  for (int s = 0; s < 2; s++)
#pragma unroll
    for (int i = 0; i < R; i++)
      {
        const unsigned j = warp + n_warps * s, row = lane + 32 * i;

        x[s][i] = j < n_vectors && row < n ? work.vectors[(size_t) j * n + row] : 0.0;
      }

#pragma unroll 1
  for (unsigned turn = 0; turn < 2 * n_vectors; turn++)
    {
      const unsigned k = turn < n_vectors ? turn : turn - n_vectors;
      double *to = unit[turn % 2], sum[3] = { 0.0, 0.0, 0.0 };

      if (turn == n_vectors && __syncthreads_or (!(largest <= MUCH)) == 0)
        break;
      if (warp == k % n_warps)
#pragma unroll
        for (int i = 0; i < R; i++)
          to[lane + 32 * i] = k < n_warps ? x[0][i] : x[1][i];
      __syncthreads ();
      if (warp + n_warps <= k)
        continue;

#pragma unroll
      for (int i = 0; i < R; i++)
        {
          const double y = to[lane + 32 * i];

          sum[0] += x[0][i] * y;
          sum[1] += x[1][i] * y;
          sum[2] += y * y;
        }
      eigen_warp_sums (sum);
      sum[2] = 1.0 / sum[2];
      sum[0] = warp > k ? sum[0] * sum[2] : 0.0;
      sum[1] = warp + n_warps > k ? sum[1] * sum[2] : 0.0;
      largest = fmax (largest, fmax (fabs (sum[0]), fabs (sum[1])));
#pragma unroll
      for (int i = 0; i < R; i++)
        {
          const double y = to[lane + 32 * i];

          x[0][i] -= sum[0] * y;
          x[1][i] -= sum[1] * y;
        }
    }

  {
    double sum[2] = { 0.0, 0.0 };

#pragma unroll
    for (int i = 0; i < R; i++)
      {
        sum[0] += x[0][i] * x[0][i];
        sum[1] += x[1][i] * x[1][i];
      }
    eigen_warp_sums (sum);
#pragma unroll
    for (int s = 0; s < 2; s++)
      {
        const unsigned j = warp + n_warps * s;
        const double length = 1.0 / sqrt (sum[s]);

#pragma unroll
        for (int i = 0; i < R; i++)
          {
            const unsigned row = lane + 32 * i;

            if (j < n_vectors && row < n)
              {
                work.vectors[(size_t) j * n + row] = x[s][i] * length;
                work.turned[(size_t) row * ESK_EIGEN_MOST_VECTORS + j] = x[s][i] * length;
              }
          }
      }
  }
}

/* --- how good they are --------------------------------------------------------------------------------------- */

/* A block of rows of the matrix, or of vectors, by all vectors: a row a warp, a vector a lane. */
static __global__ void
__launch_bounds__ (32 * ESK_EIGEN_CHECK_ROWS, 1)
check_vectors (EskEigenWork work,
               unsigned     n_vectors)
{
  __shared__ double rows[ESK_EIGEN_CHECK_ROWS][ESK_EIGEN_MOST], found[ESK_EIGEN_CHECK_ROWS][32], columns[CHUNK][32];
  const unsigned n = work.n, warp = threadIdx.x / 32, lane = threadIdx.x % 32, of_matrix = ESK_EIGEN_CHECKS (n);
  const bool overlap = blockIdx.x >= of_matrix;
  const unsigned block = overlap ? blockIdx.x - of_matrix : blockIdx.x, row = block * ESK_EIGEN_CHECK_ROWS + warp;
  const bool there = row < (overlap ? n_vectors : n);
  const double *from = overlap ? work.vectors : work.matrix;

  for (unsigned i = lane; i < ESK_EIGEN_MOST; i += 32)
    rows[warp][i] = there && i < n ? from[(size_t) row * n + i] * (overlap ? 1.0 : work.scale) : 0.0;
  __syncwarp ();

  for (unsigned first = 0; first < n_vectors; first += 32)
    {
      const unsigned k = first + lane < n_vectors ? first + lane : n_vectors - 1;
      const double *column = work.turned + k;
      double sums[4] = { 0.0, 0.0, 0.0, 0.0 }, rest;

      for (unsigned begin = 0; begin < n; begin += CHUNK)
        {
          double x[CHUNK / ESK_EIGEN_CHECK_ROWS];

          /* All on their way before the first is needed. */
#pragma unroll
          for (unsigned q = 0; q < CHUNK / ESK_EIGEN_CHECK_ROWS; q++)
            {
              const unsigned i = begin + warp + q * ESK_EIGEN_CHECK_ROWS;

              x[q] = i < n ? column[(size_t) i * ESK_EIGEN_MOST_VECTORS] : 0.0;
            }
          __syncthreads ();
#pragma unroll
          for (unsigned q = 0; q < CHUNK / ESK_EIGEN_CHECK_ROWS; q++)
            columns[warp + q * ESK_EIGEN_CHECK_ROWS][lane] = x[q];
          __syncthreads ();
#pragma unroll 8
          for (unsigned i = 0; i < CHUNK; i++)
            sums[i % 4] += rows[warp][begin + i] * columns[i][lane];
        }
      rest = (sums[0] + sums[1]) + (sums[2] + sums[3]);
      if (!there || (overlap && row > k))
        rest = 0.0;
      else if (overlap)
        rest = fabs (rest - (row == k ? 1.0 : 0.0));
      else
        rest -= work.values[k] * column[(size_t) row * ESK_EIGEN_MOST_VECTORS];

      found[warp][lane] = rest;
      __syncthreads ();
      if (warp == 0 && first + lane < n_vectors)
        {
          double total = 0.0;

          for (unsigned r = 0; r < ESK_EIGEN_CHECK_ROWS; r++)
            total = overlap ? fmax (total, found[r][lane]) : total + found[r][lane] * found[r][lane];
          (overlap ? work.overlaps : work.residuals)[block * ESK_EIGEN_MOST_VECTORS + k] = total;
        }
      __syncthreads ();
    }
}

int
esk_cuda_eigen_vectors (EskStream          *stream,
                        const EskEigenWork *work,
                        unsigned            n_vectors)
{
  int code;

  if (n_vectors == 0 || n_vectors > ESK_EIGEN_MOST_VECTORS || n_vectors > work->n)
    return ESK_ERROR_ARGUMENT;

  turn_back<<<n_vectors, 32, 0, stream->stream>>> (*work);
  code = esk_cuda_launched (stream, "eigenvectors");
  if (code != ESK_OK)
    return code;
  orthonormalise<<<1, 32 * (n_vectors < ANGLE_WARPS ? n_vectors : ANGLE_WARPS), 0, stream->stream>>>
    (*work, n_vectors);
  code = esk_cuda_launched (stream, "eigenvectors");
  if (code != ESK_OK)
    return code;
  check_vectors<<<ESK_EIGEN_CHECKS (work->n) + ESK_EIGEN_CHECKS (n_vectors), 32 * ESK_EIGEN_CHECK_ROWS, 0,
                  stream->stream>>> (*work, n_vectors);

  return esk_cuda_launched (stream, "eigenvectors");
}
