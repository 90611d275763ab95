/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * Covariance sums in float64 of float32 samples, with the tensor cores of compute capability 9.0.
 *
 * The bands are cut into panels of 112 or 128. A thread block has two triangles, a panel's products with itself each,
 * or the products of a panel with another, of a run of pixels; so 224 bands are two thread blocks, and both have about
 * as much to do. Eight warps multiply, two on each of the multiprocessor's four schedulers, and keep 14 to 18 products
 * of 16 x 8 in registers, so that what is read from shared memory is used as often as it can be. Four or eight more
 * warps, with fewer registers, bring what is multiplied next (es-cuda-covariance-precise-steps.cuh); nobody waits for
 * all others. Every run of pixels leaves its sums in a slot of its own; these are added in their order, so that the
 * totals are the same bytes every time.
 */

#include "es-cuda-covariance-precise.cuh"

#ifdef ESK_CUDA_WARP_GROUPS

#include "es-cuda-covariance-precise-steps.cuh"

/* Shorter runs are not worth it: pixels. */
#define LEAST_RUN ((size_t) 8 * DEPTH)
#define MOST_SPLITS 4096
/* What a thread block takes to begin and to end, and a slot to be added, in pixels of a run. */
#define COST_OF_RUN 320
#define COST_OF_SLOT 2
/* What Shape::bytes and what has a size of its own take together, less. */
#define LEAST_SHARED ((size_t) 224 << 10)
/* The tiles of es-cuda-covariance-precise.cu are as fast for that many bands and less, and from 129 up to as many. */
#define LEAST_BANDS 96
#define LEAST_BANDS_OF_TWO 192

static_assert (Shape<7>::bytes + sizeof (Sums<7>) + 4096 <= LEAST_SHARED && Shape<8>::bytes + sizeof (Sums<8>) + 4096
               <= LEAST_SHARED, "shared memory");

static __device__ Side
make_side (const Plan &plan,
           unsigned    panel,
           unsigned    split)
{
  Side side = { panel, split, split * plan.split_pixels, 0 };

  if (side.first < plan.n_pixels)
    side.n_pixels = (unsigned) min (plan.split_pixels, plan.n_pixels - side.first);
  return side;
}

/* The grid: the tasks of a run of pixels beside each other, which then find its samples in the cache. */
static __device__ Task
make_task (const Plan &plan)
{
  const unsigned first = blockIdx.x / plan.n_tasks * plan.together, n_others = plan.n_pairs - plan.n_panels;
  unsigned index = blockIdx.x % plan.n_tasks, row, column;
  Task task;

  task.diagonal = index < plan.n_diagonal;
  if (task.diagonal)
    {
      index *= 2;
      task.side[0] = make_side (plan, index % plan.n_panels, first + index / plan.n_panels);
      index++;
      task.side[1] = make_side (plan, index % plan.n_panels, first + index / plan.n_panels);
    }
  else
    {
      index -= plan.n_diagonal;
      find_pair (index % n_others, &row, &column);
      task.side[0] = make_side (plan, column, first + index / n_others);
      task.side[1] = make_side (plan, row + 1, first + index / n_others);
    }

  return task;
}

template <int M>
static __global__ void
__launch_bounds__ (Shape<M>::threads, 1)
add_panels (const __grid_constant__ Plan plan)
{
#ifdef __CUDA_ARCH_FEAT_SM90_ALL
  typedef Shape<M> S;
  extern __shared__ __align__ (128) unsigned char shared[];
  __shared__ Barriers barriers;
  __shared__ double shifts[2 * S::panel];
  __shared__ Sums<M> sums;
  const Task task = make_task (plan);
  const unsigned n_stages = (max (task.side[0].n_pixels, task.side[1].n_pixels) + DEPTH - 1) / DEPTH;
  double shift = 0.0;
  bool shifted;

  if (threadIdx.x < 2 * S::panel)
    {
      unsigned panel = threadIdx.x < S::panel ? task.side[0].panel : task.side[1].panel;
      unsigned band = panel * S::panel + threadIdx.x % S::panel;

      shift = band < plan.n_bands ? plan.shift[band] : 0.0;
      shifts[threadIdx.x] = -shift;
    }
  if (threadIdx.x == 0)
    for (int slot = 0; slot < STAGES; slot++)
      {
        barrier_init (&barriers.full[slot], S::bringers * 32);
        barrier_init (&barriers.empty[slot], MULTIPLIERS * 32);
      }
  shifted = __syncthreads_or (shift != 0.0) != 0;

  if (threadIdx.x < MULTIPLIERS * 32)
    {
      asm volatile ("setmaxnreg.inc.sync.aligned.u32 %0;" : : "n"(S::many_registers));
      multiply_task<M> (plan, task, shared_address (shared), &barriers, n_stages);
    }
  else
    {
      asm volatile ("setmaxnreg.dec.sync.aligned.u32 %0;" : : "n"(S::few_registers));
      if (task.diagonal)
        bring_task<M, true> (plan, task, shared_address (shared), &barriers, shifts, shifted, &sums, n_stages);
      else
        bring_task<M, false> (plan, task, shared_address (shared), &barriers, shifts, shifted, &sums, n_stages);
    }
#endif
}

/* Threads for the values of all pairs, then for the sums of bands and the count. The last one to three pixels, n_tail
 * behind the plan's, are added here. */
template <int M>
static __global__ void
add_panel_totals (const Plan plan,
                  unsigned   n_tail,
                  size_t     n_values,
                  int64_t   *count,
                  double    *sum,
                  double    *product)
{
  constexpr unsigned panel = Shape<M>::panel, panel_values = Shape<M>::panel_values;
  const size_t index = (size_t) blockIdx.x * TOTALS_THREADS + threadIdx.x;
  const float *data = (const float *) plan.data + plan.n_pixels;
  const uint8_t *valid = plan.valid != NULL ? plan.valid + plan.n_pixels : NULL;
  double total;

  if (index < n_values)
    {
      unsigned element = (unsigned) (index % panel_values), row, column;

      find_pair ((unsigned) (index / panel_values), &row, &column);
      row = row * panel + element / panel;
      column = column * panel + element % panel;
      if (row >= plan.n_bands || column > row)
        return;
      total = add_slots (plan.partial + index / panel_values * plan.n_splits * panel_values + element, panel_values,
                         plan.n_splits);
      for (unsigned p = 0; p < n_tail; p++)
        if (valid == NULL || valid[p] != 0)
          total += ((double) data[row * plan.stride + p] - plan.shift[row])
                   * ((double) data[column * plan.stride + p] - plan.shift[column]);
      product[(size_t) row * plan.n_bands + column] += total;
    }
  else if (index - n_values <= plan.n_bands)
    {
      unsigned band = (unsigned) (index - n_values);

      total = add_slots (plan.partial_sum + band, plan.sum_stride, plan.n_splits);
      for (unsigned p = 0; p < n_tail; p++)
        if (valid == NULL || valid[p] != 0)
          total += band < plan.n_bands ? (double) data[band * plan.stride + p] - plan.shift[band] : 1.0;
      if (band < plan.n_bands)
        sum[band] += total;
      else
        *count += (int64_t) total;
    }
}

template <int M>
static int
launch_panels (EskStream   *stream,
               const Plan  *plan,
               unsigned     n_tail,
               EskCudaSums *sums)
{
  const size_t n_values = (size_t) plan->n_pairs * Shape<M>::panel_values;
  const unsigned n_blocks = plan->n_splits / plan->together * plan->n_tasks;
  const int bytes = Shape<M>::bytes;
  int code;

  code = esk_cuda_check (stream, cudaFuncSetAttribute (add_panels<M>, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                                       bytes), "covariance in float64");
  if (code != ESK_OK)
    return code;
  add_panels<M><<<n_blocks, Shape<M>::threads, bytes, stream->stream>>> (*plan);
  code = esk_cuda_launched (stream, "covariance in float64");
  if (code != ESK_OK)
    return code;
  add_panel_totals<M><<<(unsigned) esk_cuda_ceil_div (n_values + plan->n_bands + 1, TOTALS_THREADS),
                                TOTALS_THREADS, 0, stream->stream>>> (*plan, n_tail, n_values, sums->count, sums->sum,
                                                                      sums->product);

  return esk_cuda_launched (stream, "covariance totals");
}

/* Runs of pixels: those whose thread blocks, all waves of them, take the least time. bytes: what one leaves. */
static size_t
choose_splits (size_t      n_multiprocessors,
               const Plan *plan,
               size_t      bytes)
{
  size_t best = 0, best_cost = 0;

  for (size_t n = plan->together; n <= MOST_SPLITS; n += plan->together)
    {
      size_t run = esk_cuda_round_up (esk_cuda_ceil_div (plan->n_pixels, n), DEPTH);
      size_t waves = esk_cuda_ceil_div (n / plan->together * plan->n_tasks, n_multiprocessors);
      /* Not all tasks end at once, and the two kinds least of all. */
      size_t cost = waves * (run + COST_OF_RUN) + run / (plan->n_panels > 1 ? 5 : 20) + n * COST_OF_SLOT;

      if (run > MOST_PIXELS)
        continue;
      if (best > 0 && (n * bytes > PARTIAL_BYTES || run < LEAST_RUN))
        break;
      if (best == 0 || cost < best_cost)
        {
          best = n;
          best_cost = cost;
        }
    }

  return best;
}

template <int M>
static int
add_run (EskStream        *stream,
         const EskCudaRun *run,
         EskCudaSums      *sums)
{
  const size_t n_bands = run->n_bands, n_panels = esk_cuda_ceil_div (n_bands, Shape<M>::panel);
  const size_t n_pairs = n_panels * (n_panels + 1) / 2, pair_bytes = Shape<M>::panel_values * sizeof (double);
  const unsigned n_tail = run->n_pixels % 4;
  size_t n_splits, bytes;
  Plan plan = { };

  plan.data = run->data;
  plan.stride = run->band_stride;
  plan.n_pixels = run->n_pixels - n_tail;
  plan.n_bands = (unsigned) n_bands;
  plan.valid = run->valid;
  plan.shift = sums->shift;
  plan.n_panels = (unsigned) n_panels;
  plan.n_pairs = (unsigned) n_pairs;
  plan.together = n_panels % 2 == 0 ? 1 : 2;
  plan.n_diagonal = plan.n_panels * plan.together / 2;
  plan.n_tasks = plan.n_diagonal + (plan.n_pairs - plan.n_panels) * plan.together;
  plan.sum_stride = (unsigned) esk_cuda_round_up (n_bands + 1, 32);

  n_splits = choose_splits ((size_t) esk_cuda_properties (stream)->multiprocessors, &plan, n_pairs * pair_bytes);
  plan.split_pixels = esk_cuda_round_up (esk_cuda_ceil_div (plan.n_pixels, n_splits), DEPTH);
  plan.n_splits = (unsigned) n_splits;

  if (__builtin_mul_overflow (n_pairs * Shape<M>::panel_values + plan.sum_stride, n_splits * sizeof (double), &bytes))
    return ESK_ERROR_MEMORY;
  plan.partial = (double *) esk_cuda_scratch (stream, ESK_SCRATCH_PARTIAL, bytes);
  if (plan.partial == NULL)
    return ESK_ERROR_MEMORY;
  plan.partial_sum = plan.partial + n_pairs * Shape<M>::panel_values * n_splits;

  return launch_panels<M> (stream, &plan, n_tail, sums);
}

/* Products of 16 x 8 by 8 pixels that a scheduler has to do for so many bands, with those that subtract and add up. */
template <int M>
static size_t
count_products (size_t n_bands)
{
  const size_t n = esk_cuda_ceil_div (n_bands, Shape<M>::panel);

  return (n * Shape<M>::triangle_products + n * (n - 1) / 2 * Shape<M>::pair_products) / 2;
}

#endif

bool
esk_cuda_precise_panels_suit (EskStream        *stream,
                              const EskCudaRun *run)
{
#ifdef ESK_CUDA_WARP_GROUPS
  const EskCudaProperties *properties = esk_cuda_properties (stream);

  return properties->major == 9 && properties->minor == 0 && run->type == ESK_F32 && run->n_bands > LEAST_BANDS
         && (run->n_bands <= Shape<8>::panel || run->n_bands > LEAST_BANDS_OF_TWO)
         && properties->shared_optin >= LEAST_SHARED;
#else
  return false;
#endif
}

int
esk_cuda_precise_panels (EskStream        *stream,
                         const EskCudaRun *run,
                         EskCudaSums      *sums)
{
#ifdef ESK_CUDA_WARP_GROUPS
  return count_products<8> (run->n_bands) < count_products<7> (run->n_bands) ? add_run<8> (stream, run, sums)
                                                                       : add_run<7> (stream, run, sums);
#else
  return ESK_ERROR_ARGUMENT;
#endif
}
