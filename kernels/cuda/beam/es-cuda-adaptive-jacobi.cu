/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * Two-sided Jacobi of Hermitian matrices (sonar.md 7): n / 2 disjoint pairs a step, n - 1 steps a sweep, and rows and
 * columns in one pass, as a block of 2 x 2 elements is changed by the rotations of its two pairs alone. A group of
 * thread blocks works on a bin and goes through the steps by itself, with two barriers a step that has pivots: when all
 * have read them, and when all is written. Steps without pivots change nothing, and so each thread block finds the next
 * one that has some without asking the others. A row that is 0 but for its diagonal has no pivot: these rows are known,
 * and when few are left, as of a matrix of rank 1, whose rows die away one by one, what they have in common tells which
 * step comes next.
 *
 * Rotations go into the matrix and into rows that are carried along: eigenvectors, or at once what is wanted of them,
 * their products with the steering vectors, which are fewer.
 *
 * Both halves of the matrix are kept, as both are read along rows. Rounding keeps them exactly conjugate: a block and
 * its mirror image are computed by the same operations in the same order.
 */

#include "es-cuda-adaptive-jacobi.cuh"

/* Thread blocks that a multiprocessor should hold. */
#define BLOCKS 3
#define TOLERANCE 1e-15
/* Parts of a matrix whose norms are added up one by one. */
#define PARTS 64
/* What a launch may change, in bytes, so that no kernel runs for seconds: at 1 TB/s 0.2 s. */
#define LAUNCH_BYTES 2e11
/* Elements of a matrix that are worth a thread block more. */
#define GROUP_ELEMENTS 4096

typedef struct {
  double2          *matrices, *carried;
  unsigned          n, columns, bins;
  unsigned          group;             /* thread blocks a bin */
  unsigned          most_steps;        /* with pivots, a launch */
  unsigned          max_sweeps;
  const double     *norms;             /* [bin][part][2]: diagonal, rest */
  EskCudaJacobiBin *states;
  unsigned         *stamps;            /* [bin][row]: the step that left something beside its diagonal */
  uint8_t          *alive;             /* [bin][row]: what came of it */
  unsigned         *barriers;          /* [group] */
  unsigned          width;             /* threads that turn a pair with others; a multiple of a warp's */
  Rotation         *spill;             /* of each thread block, where its shared memory is too small; NULL: it is not */
  bool              shared_matrix, shared_carried;
} Call;

/* lab: jacobi-production */
static __global__ void
__launch_bounds__ (THREADS, BLOCKS)
turn_bins (Call call)
{
  extern __shared__ double2 memory[];
  __shared__ unsigned found, n_alive;
  const unsigned n = call.n, even = n + n % 2, pairs = even / 2, circle = even - 1;
  const unsigned rank = blockIdx.x % call.group, groups = gridDim.x / call.group;
  const unsigned tiles = (pairs + call.width - 1) / call.width, more = (call.columns + call.width - 1) / call.width;
  const unsigned at_once = THREADS / call.width;
  unsigned *barrier = call.barriers + blockIdx.x / call.group, met = 0;
  Rotation *rotations = call.spill != NULL ? call.spill + (size_t) blockIdx.x * pairs : (Rotation *) memory;
  double2 *shared = memory + (call.spill != NULL ? 0 : 2 * pairs);
  double2 *shared_matrix = shared, *shared_carried = shared + (call.shared_matrix ? (size_t) n * (n + 1) : 0);
  uint32_t *marks = (uint32_t *) (shared_carried + (call.shared_carried ? (size_t) n * call.columns : 0));
  uint32_t *before = marks + MARKS (pairs);
  uint16_t *list = (uint16_t *) (before + MARKS (pairs));
  uint8_t *alive = (uint8_t *) (list + pairs);

  for (unsigned bin = blockIdx.x / call.group; bin < call.bins; bin += groups)
    {
      EskCudaJacobiBin state = call.states[bin];
      double2 *matrix = call.matrices + (size_t) bin * n * n, *carried = call.carried + (size_t) bin * n * call.columns;
      double norm = 0.0, least;
      Step self;

      if (state.done)
        continue;
      for (unsigned part = 0; part < PARTS; part++)
        norm += call.norms[(bin * PARTS + part) * 2] + call.norms[(bin * PARTS + part) * 2 + 1];
      least = TOLERANCE * TOLERANCE * norm;

      self.matrix = call.shared_matrix ? shared_matrix : matrix;
      self.stride = call.shared_matrix ? n + 1 : n;
      self.carried = call.shared_carried ? shared_carried : carried;
      self.n = n;
      self.columns = call.columns;
      self.circle = circle;
      self.width = call.width;
      self.pairs = pairs;
      self.rotations = rotations;
      self.active = marks;
      self.stamps = call.stamps + (size_t) bin * n;
      self.stamp = 0;
      /* Others turn a row's columns, which keeps its norm: with so little in each, none can become a pivot. */
      self.alive = least / (4.0 * (double) n);
      if (call.shared_matrix)
        copy_rows (shared_matrix, n + 1, matrix, n, n, n);
      if (call.shared_carried)
        copy_rows (shared_carried, call.columns, carried, call.columns, n, call.columns);
      if (threadIdx.x == 0)
        n_alive = 0;
      __syncthreads ();
      for (unsigned k = threadIdx.x; k < n; k += THREADS)
        {
          alive[k] = call.alive[(size_t) bin * n + k];
          atomicAdd (&n_alive, (unsigned) alive[k]);
        }
      __syncthreads ();

      for (unsigned done = 0; done < call.most_steps && !state.done; done++)
        {
          bool some = false;

          if (n_alive <= FEW_ROWS && n_alive * n_alive <= 2 * n)
            {
              const unsigned skipped = find_next (&self, alive, state.steps % circle, least);

              state.steps += skipped;
              state.idle += skipped;
              if (skipped == circle)
                {
                  state.done = 1;
                  break;
                }
            }
          /* The next step that has a pivot. */
          for (;;)
            {
              bool mine = false;

              self.step = state.steps % circle;
              for (unsigned i = threadIdx.x; i < MARKS (pairs) * 32; i += THREADS)
                {
                  unsigned p, q, here;
                  double2 pivot = { 0.0, 0.0 };

                  if (i < pairs)
                    {
                      find_pair (i, self.step, circle, &p, &q);
                      if (q < n && alive[p] && alive[q])
                        pivot = self.matrix[p * self.stride + q];
                    }
                  here = __ballot_sync (0xffffffffu, fma (pivot.x, pivot.x, pivot.y * pivot.y) > least);
                  if (threadIdx.x % 32 == 0)
                    marks[i / 32] = here;
                  if (here >> threadIdx.x % 32 & 1)
                    rotations[i] = make_rotation (pivot, self.matrix[p * self.stride + p].x,
                                                  self.matrix[q * self.stride + q].x);
                  mine = mine || here != 0;
                }
              state.steps++;
              some = __syncthreads_or (mine);
              if (some)
                break;
              if (++state.idle >= circle || state.steps >= (uint64_t) circle * call.max_sweeps)
                break;
            }
          if (!some)
            {
              state.done = 1;
              break;
            }
          list_pairs (marks, before, pairs, list, &found);
          state.idle = 0;
          state.last = state.steps;
          state.rotations += found;
          self.stamp = state.steps;

          meet (barrier, call.group, &met);
          for (unsigned task = rank * at_once + threadIdx.x / call.width; task < found * (tiles + more);
               task += call.group * at_once)
            {
              const unsigned a = list[task / (tiles + more)], tile = task % (tiles + more);

              if (tile < tiles)
                turn_tile (&self, a, tile);
              else
                turn_carried (&self, a, tile - tiles);
            }
          meet (barrier, call.group, &met);

          for (unsigned i = threadIdx.x; i < pairs; i += THREADS)
            if (marks[i / 32] >> i % 32 & 1)
              {
                unsigned p, q;

                find_pair (i, self.step, circle, &p, &q);
                alive[p] = *(volatile unsigned *) &self.stamps[p] == self.stamp;
                alive[q] = *(volatile unsigned *) &self.stamps[q] == self.stamp;
                atomicSub (&n_alive, 2u - alive[p] - alive[q]);
              }
          __syncthreads ();
          if (state.steps >= (uint64_t) circle * call.max_sweeps)
            state.done = 1;
        }

      if (call.shared_matrix)
        copy_rows (matrix, n, shared_matrix, n + 1, n, n);
      if (call.shared_carried)
        copy_rows (carried, call.columns, shared_carried, call.columns, n, call.columns);
      /* The others have read it. */
      meet (barrier, call.group, &met);
      if (rank == 0)
        for (unsigned k = threadIdx.x; k < n; k += THREADS)
          call.alive[(size_t) bin * n + k] = alive[k];
      if (rank == 0 && threadIdx.x == 0)
        call.states[bin] = state;
    }
}
/* lab end */

/* norms[bin][part]: of the diagonal and of the rest. Once: the diagonal itself, too. */
static __global__ void
__launch_bounds__ (THREADS)
add_norms (const double2 *matrices,
           unsigned       n,
           double        *norms,
           double        *values)
{
  __shared__ double sums[2][THREADS];
  const double2 *matrix = matrices + (size_t) blockIdx.y * n * n;
  double diagonal = 0.0, rest = 0.0;

  for (unsigned row = blockIdx.x; row < n; row += PARTS)
    for (unsigned column = threadIdx.x; column < n; column += THREADS)
      {
        const double2 z = matrix[(size_t) row * n + column];

        if (column == row)
          {
            diagonal = fma (z.x, z.x, diagonal);
            values[(size_t) blockIdx.y * n + row] = z.x;
          }
        else
          rest = fma (z.x, z.x, fma (z.y, z.y, rest));
      }
  sums[0][threadIdx.x] = diagonal;
  sums[1][threadIdx.x] = rest;
  for (unsigned half = THREADS / 2; half > 0; half /= 2)
    {
      __syncthreads ();
      if (threadIdx.x < half)
        {
          sums[0][threadIdx.x] += sums[0][threadIdx.x + half];
          sums[1][threadIdx.x] += sums[1][threadIdx.x + half];
        }
    }
  if (threadIdx.x == 0)
    {
      norms[((size_t) blockIdx.y * PARTS + blockIdx.x) * 2] = sums[0][0];
      norms[((size_t) blockIdx.y * PARTS + blockIdx.x) * 2 + 1] = sums[1][0];
    }
}

/* ---- on the host ---- */

typedef struct {
  size_t   shared;             /* bytes of shared memory */
  bool     spill, matrix, carried;
  unsigned at_once;            /* thread blocks that the device holds */
  unsigned group, grid, width;
} Shape;

static size_t
round_up (size_t bytes)
{
  return (bytes + 255) / 256 * 256;
}

static int
choose_shape (EskStream *stream,
              size_t     n,
              size_t     columns,
              size_t     bins,
              Shape     *shape)
{
  const EskCudaProperties *properties = esk_cuda_properties (stream);
  const size_t pairs = (n + 1) / 2, most = properties->shared_optin;
  const size_t lists = 2 * MARKS (pairs) * sizeof (uint32_t) + pairs * sizeof (uint16_t) + n;
  const size_t matrix = n * (n + 1) * sizeof (double2), carried = n * columns * sizeof (double2);
  int at_once = 0, code;

  *shape = (Shape) { 0 };
  /* Room for several thread blocks is worth more than rotations at hand. */
  shape->spill = lists + pairs * sizeof (Rotation) > 64 * 1024 || lists + pairs * sizeof (Rotation) > most;
  shape->shared = lists + (shape->spill ? 0 : pairs * sizeof (Rotation));
  if (!shape->spill && shape->shared + matrix <= most)
    {
      shape->matrix = true;
      shape->shared += matrix;
      if (shape->shared + carried <= most)
        {
          shape->carried = true;
          shape->shared += carried;
        }
    }
  if (shape->shared > most)
    return ESK_ERROR_ARGUMENT;

  code = esk_cuda_check (stream, cudaFuncSetAttribute (turn_bins, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                                       (int) shape->shared), "rotations");
  if (code == ESK_OK)
    code = esk_cuda_check (stream, cudaOccupancyMaxActiveBlocksPerMultiprocessor (&at_once, turn_bins, THREADS,
                                                                                 shape->shared), "rotations");
  if (code != ESK_OK)
    return code;
  shape->at_once = (unsigned) at_once * (unsigned) properties->multiprocessors;
  shape->group = shape->matrix ? 1 : (unsigned) (shape->at_once / bins);
  for (shape->width = 32; shape->width < THREADS && shape->width < pairs; shape->width *= 2)
    ;
  /* No more than there is work for. */
  if (shape->group > n * n / GROUP_ELEMENTS)
    shape->group = (unsigned) (n * n / GROUP_ELEMENTS);
  if (shape->group == 0)
    shape->group = 1;
  shape->grid = shape->at_once / shape->group;
  if (shape->grid > bins)
    shape->grid = (unsigned) bins;
  if (shape->grid == 0)
    shape->grid = 1;
  shape->grid *= shape->group;

  return ESK_OK;
}

/* Scratch: states, stamps, rows that are alive, barriers, norms, rotations. */
typedef struct {
  size_t states, stamps, alive, barriers, norms, spill, all;
} Places;

static void
find_places (const Shape *shape,
             size_t       n,
             size_t       bins,
             Places      *places)
{
  places->states = 0;
  places->stamps = places->states + round_up (bins * sizeof (EskCudaJacobiBin));
  places->alive = places->stamps + round_up (bins * n * sizeof (unsigned));
  places->barriers = places->alive + round_up (bins * n);
  places->norms = places->barriers + round_up (shape->grid * sizeof (unsigned));
  places->spill = places->norms + round_up (bins * PARTS * 2 * sizeof (double));
  places->all = places->spill + (shape->spill ? round_up (shape->grid * ((n + 1) / 2) * sizeof (Rotation)) : 0);
}

static int
run_rotations (EskStream     *stream,
               EskCudaJacobi *call,
               const Shape   *shape,
               const Places  *places,
               char          *scratch)
{
  const size_t n = call->n, bins = call->bins, state_bytes = bins * sizeof (EskCudaJacobiBin);
  const double step_bytes = 4.0 * (double) n * (double) (n + call->columns) * sizeof (double2) * (double) bins;
  Call arguments = { .matrices = call->matrices, .carried = call->carried, .n = (unsigned) n,
                     .columns = (unsigned) call->columns, .bins = (unsigned) bins, .group = shape->group,
                     .most_steps = (unsigned) fmax (16.0, fmin (1e9, LAUNCH_BYTES / step_bytes)),
                     .max_sweeps = call->max_sweeps, .norms = (const double *) (scratch + places->norms),
                     .states = (EskCudaJacobiBin *) (scratch + places->states),
                     .stamps = (unsigned *) (scratch + places->stamps),
                     .alive = (uint8_t *) (scratch + places->alive),
                     .barriers = (unsigned *) (scratch + places->barriers), .width = shape->width,
                     .spill = shape->spill ? (Rotation *) (scratch + places->spill) : NULL,
                     .shared_matrix = shape->matrix, .shared_carried = shape->carried };
  void *parameters[] = { &arguments };
  bool done = false;
  int code = esk_cuda_check (stream, cudaMemsetAsync (scratch, 0, places->norms, stream->stream), "rotations");

  if (code == ESK_OK)
    code = esk_cuda_check (stream, cudaMemsetAsync (arguments.alive, 1, bins * n, stream->stream), "rotations");
  call->sweeps = 0;
  while (code == ESK_OK && !done)
    {
      const EskCudaJacobiBin *states;

      if (esk_is_cancelled (call->cancelled))
        return ESK_ERROR_CANCELLED;
      code = esk_cuda_check (stream, cudaMemsetAsync (arguments.barriers, 0, shape->grid * sizeof (unsigned),
                                                      stream->stream), "rotations");
      if (code == ESK_OK)
        code = esk_cuda_check (stream, cudaLaunchCooperativeKernel ((const void *) turn_bins, dim3 (shape->grid),
                                                                    dim3 (THREADS), parameters, shape->shared,
                                                                    stream->stream), "rotations");
      states = (const EskCudaJacobiBin *) esk_cuda_pinned (stream, state_bytes);
      if (code == ESK_OK && states == NULL)
        code = ESK_ERROR_MEMORY;
      if (code == ESK_OK)
        code = esk_cuda_fetch (stream, (void *) states, arguments.states, state_bytes);
      if (code != ESK_OK)
        break;
      done = true;
      for (size_t b = 0; b < bins; b++)
        done = done && states[b].done;
      if (!done)
        continue;
      for (size_t b = 0; b < bins; b++)
        {
          const unsigned circle = (unsigned) (n + n % 2 - 1), sweeps = (states[b].last + circle - 1) / circle;

          call->rotations += states[b].rotations;
          call->sweeps = sweeps > call->sweeps ? sweeps : call->sweeps;
          if (states[b].idle < circle)
            code = ESK_ERROR_NO_CONVERGENCE;
        }
    }

  return code;
}

int
esk_cuda_jacobi (EskStream     *stream,
                 EskCudaJacobi *call)
{
  const size_t n = call->n, bins = call->bins, norm_bytes = bins * PARTS * 2 * sizeof (double);
  const dim3 norm_grid (PARTS, (unsigned) bins);
  Shape shape;
  Places places;
  double *norms;
  char *scratch;
  int code, converged;

  call->sweeps = 0;
  call->rotations = 0;
  call->off = 0.0;
  if (n == 0 || bins == 0 || bins > 65535)
    return ESK_ERROR_ARGUMENT;
  code = choose_shape (stream, n, call->columns, bins, &shape);
  if (code != ESK_OK)
    return code;
  find_places (&shape, n, bins, &places);
  scratch = (char *) esk_cuda_scratch (stream, (EskScratchUse) ESK_ADAPTIVE_WORK, places.all);
  if (scratch == NULL)
    return ESK_ERROR_MEMORY;
  norms = (double *) (scratch + places.norms);

  add_norms<<<norm_grid, THREADS, 0, stream->stream>>> (call->matrices, (unsigned) n, norms, call->values);
  code = esk_cuda_launched (stream, "norms");
  if (code == ESK_OK && n > 1)
    code = run_rotations (stream, call, &shape, &places, scratch);
  converged = code;
  if (code != ESK_OK && code != ESK_ERROR_NO_CONVERGENCE)
    return code;

  add_norms<<<norm_grid, THREADS, 0, stream->stream>>> (call->matrices, (unsigned) n, norms, call->values);
  code = esk_cuda_launched (stream, "norms");
  if (code == ESK_OK)
    {
      double *host = (double *) esk_cuda_pinned (stream, norm_bytes);

      if (host == NULL)
        return ESK_ERROR_MEMORY;
      code = esk_cuda_fetch (stream, host, norms, norm_bytes);
      for (size_t b = 0; code == ESK_OK && b < bins; b++)
        {
          double diagonal = 0.0, rest = 0.0;

          for (size_t part = 0; part < PARTS; part++)
            {
              diagonal += host[(b * PARTS + part) * 2];
              rest += host[(b * PARTS + part) * 2 + 1];
            }
          if (diagonal + rest > 0.0)
            call->off = fmax (call->off, sqrt (rest / (diagonal + rest)));
        }
    }

  return code == ESK_OK ? converged : code;
}
