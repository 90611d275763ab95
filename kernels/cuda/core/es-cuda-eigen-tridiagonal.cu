/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * A symmetric matrix to tridiagonal form by Householder reflectors, and all eigenvalues of that by bisection.
 *
 * What takes the time is not arithmetic (15 million operations for 224 bands) but the n steps that have to follow each
 * other. A cluster of eight thread blocks holds the matrix in its registers, column j in block j mod 8, and one barrier
 * a step is all that they wait for: every block, and in it every warp, computes the reflector for itself, of a column
 * and a product that were written into its shared memory before the barrier. For that the column of the next step
 * is sent before its last update, which each receiver makes up for.
 *
 * Eigenvalues lie between two points at which the numbers of sign changes in the sequence of leading minors differ. A
 * warp looks for one of them at 32 points at a time, which makes 11 passes of 55 bits. Minors as products instead of
 * quotients: one multiplication and addition a row that wait for each other, no division; brought back to a size of
 * one every eighth row.
 */

#include "es-cuda-eigen-private.h"

#define BLOCKS 8                       /* of the cluster */
#define WARPS 4                        /* of a block */
#define SLOTS 7                        /* columns of a warp: BLOCKS * WARPS * SLOTS = ESK_EIGEN_MOST */
#define R ESK_EIGEN_ROWS
/* Below this the squares of a column are as good as zero: the matrix is no larger than one. */
#define TINY_SQUARES 1e-280
/* The same of an element beside the diagonal: a smaller one would make minors underflow. */
#define TINY_OFF 0x1p-100

/* Older cards have none, and do not come here. */
#if !defined (__CUDA_ARCH__) || __CUDA_ARCH__ >= 900
#define IN_CLUSTERS __cluster_dims__ (BLOCKS, 1, 1)
#else
#define IN_CLUSTERS
#endif

#define BISECTION_WARPS 4
#define BISECTION_ROUNDS 11            /* 33^11 > 2^55 */

/* --- tridiagonal form ---------------------------------------------------------------------------------------- */

#if !defined (__CUDA_ARCH__) || __CUDA_ARCH__ >= 900

static __device__ __forceinline__ void
store_remote (double   *here,
              unsigned  block,
              double    value)
{
  uint32_t address = (uint32_t) __cvta_generic_to_shared (here), there;

  asm volatile ("mapa.shared::cluster.u32 %0, %1, %2;" : "=r" (there) : "r" (address), "r" (block));
  asm volatile ("st.shared::cluster.f64 [%0], %1;" :: "r" (there), "d" (value) : "memory");
}

static __device__ __forceinline__ void
cluster_arrive (void)
{
  asm volatile ("barrier.cluster.arrive.release.aligned;" ::: "memory");
}

static __device__ __forceinline__ void
cluster_wait (void)
{
  asm volatile ("barrier.cluster.wait.acquire.aligned;" ::: "memory");
}

/* Of step k in [k mod 2]: the reflector of the step before, what the matrix made of it, and column k. */
typedef struct {
  double vector[2][ESK_EIGEN_MOST], product[2][ESK_EIGEN_MOST], column[2][ESK_EIGEN_MOST];
} Shared;

/* The reflector of the step before, in the rows of the lanes, and its factor. */
struct Reflector {
  double v[R], factor;
};

template <int N>
static __device__ __forceinline__ double
total (const double (&x)[N])
{
  double pairs[(N + 1) / 2];

#pragma unroll
  for (int k = 0; k < (N + 1) / 2; k++)
    pairs[k] = 2 * k + 1 < N ? x[2 * k] + x[2 * k + 1] : x[2 * k];
  if constexpr (N > 1)
    return total (pairs);
  return pairs[0];
}

/*
 * Steps k from 32 FIRST on, 32 of them: the rows and columns above are done, and what is left of a lane's are R - FIRST
 * and of a warp's SLOTS - FIRST. Columns that are done or not there may be computed along with the others: nobody looks
 * at them.
 */
template <int FIRST>
static __device__ __forceinline__ void
take_steps (const EskEigenWork &work,
            Shared             &shared,
            double            (&a)[SLOTS][R],
            Reflector          &last)
{
  enum { ROWS = R - FIRST, LEFT = SLOTS - FIRST, PADDED = LEFT > 4 ? 8 : 4 };
  const unsigned n = work.n, block = blockIdx.x, warp = threadIdx.x / 32, lane = threadIdx.x % 32;

#pragma unroll 1
  for (unsigned k = 32 * FIRST; k < n && k < 32 * FIRST + 32; k++)
    {
      const unsigned now = k % 2, then = 1 - now;
      const double *product = shared.product[now], *column = shared.column[now], *vector = shared.vector[now];
      double w[ROWS], next[ROWS], part[ROWS], sum[PADDED], c, v_k, w_k, x_k, alpha, beta, square;
      double next_factor = 0.0;

      cluster_wait ();
      /* w = product - factor / 2 (product . v) v, and column k after the update by v and w. */
#pragma unroll
      for (int i = 0; i < ROWS; i++)
        {
          const unsigned row = lane + 32 * (FIRST + i);

          w[i] = row >= k ? product[row] : 0.0;
          next[i] = column[row];
          part[i] = w[i] * last.v[FIRST + i];
        }
      v_k = vector[k];
      w_k = product[k];
      alpha = k + 1 < n ? column[k + 1] : 0.0;
      c = 0.5 * last.factor * eigen_warp_sum (total (part));
      w_k -= c * v_k;
      x_k = column[k] - (v_k * w_k + w_k * v_k);
      if (k + 1 < n)
        alpha -= vector[k + 1] * w_k + (product[k + 1] - c * vector[k + 1]) * v_k;
#pragma unroll
      for (int i = 0; i < ROWS; i++)
        {
          w[i] -= c * last.v[FIRST + i];
          next[i] -= last.v[FIRST + i] * w_k + w[i] * v_k;
          next[i] = lane + 32 * (FIRST + i) > k + 1 ? next[i] : 0.0;
          part[i] = next[i] * next[i];
        }
      square = eigen_warp_sum (total (part));

      /* The columns that are left; the one of the next step is on its way to all blocks. */
#pragma unroll
      for (int s = 0; s < LEFT; s++)
        {
          const unsigned j = block + BLOCKS * (warp + WARPS * (FIRST + s));
          const double v_j = vector[j], w_j = product[j] - c * v_j;

#pragma unroll
          for (int i = 0; i < ROWS; i++)
            a[FIRST + s][FIRST + i] -= last.v[FIRST + i] * w_j + w[i] * v_j;
        }
      if (k + 1 < n && block == (k + 1) % BLOCKS && warp == (k + 1) / BLOCKS % WARPS)
        {
#pragma unroll
          for (int i = 0; i < ROWS; i++)
            {
              const double y = LEFT == 1 || k % 32 < 31 ? a[FIRST][FIRST + i] : a[FIRST + 1 < SLOTS ? FIRST + 1 : FIRST]
                                                                               [FIRST + i];

#pragma unroll
              for (unsigned b = 0; b < BLOCKS; b++)
                store_remote (&shared.column[then][lane + 32 * (FIRST + i)], b, y);
            }
        }

      /* v is x with alpha - beta in its first place, |v|^2 = 2 (beta^2 + |alpha beta|). */
      beta = alpha;
      if (square > TINY_SQUARES)
        {
          const double whole = fma (alpha, alpha, square), inverse = eigen_inverse_root (whole);
          const double norm = whole * inverse;

          beta = alpha < 0.0 ? norm : -norm;
          next_factor = inverse * eigen_reciprocal (norm + fabs (alpha));
#pragma unroll
          for (int i = 0; i < ROWS; i++)
            if (lane + 32 * (FIRST + i) == k + 1)
              next[i] = alpha - beta;
        }
#pragma unroll
      for (int i = 0; i < ROWS; i++)
        if (warp == i % WARPS)
          shared.vector[then][lane + 32 * (FIRST + i)] = next[i];

#pragma unroll
      for (int s = 0; s < PADDED; s++)
        {
#pragma unroll
          for (int i = 0; i < ROWS; i++)
            part[i] = s < LEFT ? a[FIRST + (s < LEFT ? s : 0)][FIRST + i] * next[i] : 0.0;
          sum[s] = total (part);
        }
      {
        const double share = next_factor * eigen_warp_shares (sum);
        const unsigned s = lane / (32 / PADDED), j = block + BLOCKS * (warp + WARPS * (FIRST + s));

        if (s < LEFT && k + 1 < n)
#pragma unroll
          for (unsigned b = 0; b < BLOCKS; b += 32 / PADDED)
            store_remote (&shared.product[then][j], b + lane % (32 / PADDED), share);
      }
      if (k + 1 < n)
        cluster_arrive ();

      if (block == k % BLOCKS && warp == k / BLOCKS % WARPS)
        {
#pragma unroll
          for (int i = 0; i < R; i++)
            if (lane + 32 * i < n)
              work.reflectors[(size_t) k * n + lane + 32 * i] = i < FIRST ? 0.0 : next[i < FIRST ? 0 : i - FIRST];
          if (lane == 0)
            {
              work.factors[k] = next_factor;
              work.diagonal[k] = x_k;
              work.off[k] = beta;
            }
        }
      last.factor = next_factor;
#pragma unroll
      for (int i = 0; i < ROWS; i++)
        last.v[FIRST + i] = next[i];
    }
}

#endif

static __global__ void
IN_CLUSTERS
__launch_bounds__ (32 * WARPS, 1)
tridiagonalise (EskEigenWork work)
{
#if __CUDA_ARCH__ >= 900
  __shared__ Shared shared;
  const unsigned n = work.n, block = blockIdx.x, warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  double a[SLOTS][R];
  Reflector last = { { 0.0 }, 0.0 };

#pragma unroll
  for (int s = 0; s < SLOTS; s++)
#pragma unroll
    for (int i = 0; i < R; i++)
      {
        const unsigned j = block + BLOCKS * (warp + WARPS * s), row = lane + 32 * i;

        a[s][i] = j < n && row < n ? work.matrix[(size_t) j * n + row] * work.scale : 0.0;
      }
  for (unsigned row = threadIdx.x; row < ESK_EIGEN_MOST; row += 32 * WARPS)
    {
      for (unsigned b = 0; b < 2; b++)
        shared.vector[b][row] = shared.product[b][row] = shared.column[b][row] = 0.0;
      if (row < n)
        shared.column[0][row] = work.matrix[row] * work.scale;
    }
  cluster_arrive ();

  take_steps<0> (work, shared, a, last);
  take_steps<1> (work, shared, a, last);
  take_steps<2> (work, shared, a, last);
  take_steps<3> (work, shared, a, last);
  take_steps<4> (work, shared, a, last);
  take_steps<5> (work, shared, a, last);
  take_steps<6> (work, shared, a, last);
#endif
}

/* --- eigenvalues --------------------------------------------------------------------------------------------- */

/* How many eigenvalues of the tridiagonal matrix are below x. rows: diagonal, and minus the square of what is left of
 * it, which is not zero; padded to a multiple of 8 with rows that change no sign. A minor that is zero counts right
 * whatever its sign: those beside it have different ones. */
static __device__ __forceinline__ unsigned
count_below (const double2 *rows,
             unsigned       n,
             double         x)
{
  double before = 0.0, minor = 1.0;
  unsigned count = 0;

#pragma unroll 1
  for (unsigned first = 0; first < n; first += 8)
    {
#pragma unroll
      for (unsigned i = 0; i < 8; i++)
        {
          const double2 row = rows[first + i];
          const double after = fma (row.x - x, minor, row.y * before);

          count += (unsigned) (__double2hiint (after) ^ __double2hiint (minor)) >> 31;
          before = minor;
          minor = after;
        }

      /* By a power of two that makes the larger one of the size of 1. */
      const int high = __double2hiint (minor) & 0x7ff00000, low = __double2hiint (before) & 0x7ff00000;
      const int larger = high > low ? high : low;
      const double factor = __hiloint2double (0x7fe00000 - (larger < 0x00100000 ? 0x00100000 : larger), 0);

      minor *= factor;
      before *= factor;
    }

  return count;
}

/* Of each reflector with the three before it: what turning vectors back needs, beside the bisection. */
static __device__ void
multiply_reflectors (const EskEigenWork &work,
                     unsigned            k)
{
  const unsigned n = work.n, lane = threadIdx.x % 32;
  double sum[4] = { 0.0, 0.0, 0.0, 0.0 };

  for (unsigned row = lane; row < n; row += 32)
    {
      const double x = work.reflectors[(size_t) k * n + row];

#pragma unroll
      for (unsigned d = 1; d < 4; d++)
        if (k >= d)
          sum[d] += x * work.reflectors[(size_t) (k - d) * n + row];
    }
  eigen_warp_sums (sum);
  if (lane < 3)
    work.products[3 * k + lane] = lane == 0 ? sum[1] : lane == 1 ? sum[2] : sum[3];
}

static __global__ void
__launch_bounds__ (32 * BISECTION_WARPS)
bisect (EskEigenWork work,
        unsigned     n_bisecting)
{
  __shared__ double2 rows[ESK_EIGEN_MOST];
  __shared__ double bounds[2][BISECTION_WARPS];
  const unsigned n = work.n, warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  const unsigned index = blockIdx.x * BISECTION_WARPS + warp;
  double low = INFINITY, high = -INFINITY;

  if (blockIdx.x >= n_bisecting)
    {
      if (index - n_bisecting * BISECTION_WARPS < n)
        multiply_reflectors (work, index - n_bisecting * BISECTION_WARPS);
      return;
    }
  for (unsigned i = threadIdx.x; i < ESK_EIGEN_MOST; i += 32 * BISECTION_WARPS)
    {
      const double before = i > 0 && i < n ? fmax (fabs (work.off[i - 1]), TINY_OFF) : 0.0;
      const double after = i + 1 < n ? fmax (fabs (work.off[i]), TINY_OFF) : 0.0, radius = before + after;

      /* Rows that there are not are larger than any x. */
      rows[i] = i < n ? make_double2 (work.diagonal[i], -before * before) : make_double2 (1e30, 0.0);
      if (i < n)
        {
          low = fmin (low, work.diagonal[i] - radius);
          high = fmax (high, work.diagonal[i] + radius);
        }
    }
#pragma unroll
  for (int step = 16; step > 0; step /= 2)
    {
      low = fmin (low, __shfl_xor_sync (0xffffffff, low, step));
      high = fmax (high, __shfl_xor_sync (0xffffffff, high, step));
    }
  if (lane == 0)
    {
      bounds[0][warp] = low;
      bounds[1][warp] = high;
    }
  __syncthreads ();
  for (unsigned w = 0; w < BISECTION_WARPS; w++)
    {
      low = fmin (low, bounds[0][w]);
      high = fmax (high, bounds[1][w]);
    }
  if (index >= n)
    return;

  /* Rounding must not leave one outside. */
  const double margin = 1e-14 * (fabs (low) + fabs (high)) + 1e-290;
  const unsigned smaller = n - 1 - index;

  low -= margin;
  high += margin;
#pragma unroll 1
  for (int round = 0; round < BISECTION_ROUNDS; round++)
    {
      const double width = high - low, x = low + width * ((double) (lane + 1) * (1.0 / 33.0));
      const unsigned above = __ballot_sync (0xffffffff, count_below (rows, n, x) > smaller);
      const unsigned first = above != 0 ? (unsigned) __ffs ((int) above) - 1 : 32;
      const double lower = __shfl_sync (0xffffffff, x, (int) (first > 0 ? first - 1 : 0));
      const double upper = __shfl_sync (0xffffffff, x, (int) (first < 32 ? first : 31));

      low = first > 0 ? lower : low;
      high = first < 32 ? upper : high;
    }
  if (lane == 0)
    work.values[index] = 0.5 * (low + high);
}

int
esk_cuda_eigen_values (EskStream          *stream,
                       const EskEigenWork *work)
{
  const unsigned n_bisecting = (work->n + BISECTION_WARPS - 1) / BISECTION_WARPS;
  int code;

  tridiagonalise<<<BLOCKS, 32 * WARPS, 0, stream->stream>>> (*work);
  code = esk_cuda_launched (stream, "tridiagonal form");
  if (code != ESK_OK)
    return code;

  bisect<<<2 * n_bisecting, 32 * BISECTION_WARPS, 0, stream->stream>>> (*work, n_bisecting);
  return esk_cuda_launched (stream, "eigenvalues");
}
