/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * Exact covariance, any number of bands, in tasks of one warp and blocks of eight (es-cuda-covariance-exact-kinds.cu).
 * The slabs that a block needs are brought once through a pipeline in shared memory.
 *
 * 8 bits: 64 x 64 products a warp. 16 bits: value = 256 high + low, three sums of products of bytes a tile (high x
 * high, high x low and low x high, low x low), and 7 tiles of 16 x 16 a warp, which is what the registers of a
 * multiprocessor hold: 224 bands are 15 tasks, two blocks' work. Blocks of the same pixels run side by side, so that
 * the second reads them from the level 2 cache.
 */

#include "es-cuda-covariance-exact-warps.cuh"

#include <stdlib.h>

#define SLAB_BYTES (16 * ESK_EXACT_ROW)
/* Of shared memory that is not the pipeline's, and some more. */
#define STATIC_BYTES (sizeof (EskExactKind) + ESK_EXACT_SLOTS * 16 * sizeof (uint64_t) + 256)

#if !defined (__CUDA_ARCH__) || __CUDA_ARCH__ >= 800

#define NO_BAND (~(uint64_t) 0)

/* What a thread loads of a stage: eight threads a row, half of them all a slab. offset: of each row of the slots. Rows
 * of bands that do not exist keep what was there: nothing of them reaches the totals. */
__device__ __forceinline__ void
load_share (const EskExactRun &run,
            const uint64_t    *offset,
            unsigned           n_slots,
            unsigned           stage,
            uint32_t           to)
{
  const unsigned row = threadIdx.x % 128 / 8, vector = threadIdx.x % 8;
  const size_t at = (size_t) stage * ESK_EXACT_ROW + vector * 16;
  const int n_bytes = exact_bytes_left (run.row_bytes, at);
  const char *from = run.data + at;

  to += exact_place (row, vector);
  if (stage < run.row_bytes / ESK_EXACT_ROW)
    {
#pragma unroll 4
      for (unsigned slot = threadIdx.x / 128; slot < n_slots; slot += ESK_EXACT_THREADS / 128)
        {
          const uint64_t band = offset[slot * 16 + row];

          if (band != NO_BAND)
            exact_copy_async (to + slot * SLAB_BYTES, from + band);
        }
    }
  else
    {
#pragma unroll 1
      for (unsigned slot = threadIdx.x / 128; slot < n_slots; slot += ESK_EXACT_THREADS / 128)
        {
          const uint64_t band = offset[slot * 16 + row];

          if (band != NO_BAND)
            exact_copy_async (to + slot * SLAB_BYTES, n_bytes > 0 ? from + band : run.data, n_bytes);
        }
    }
}

#endif

template <typename Sample>
__global__ void
__launch_bounds__ (ESK_EXACT_THREADS, 1)
exact_tiles (EskExactRun         run,
             EskExactPlan        plan,
             const EskExactKind *kinds,
             EskExactTotals      totals)
{
#if __CUDA_ARCH__ >= 800
  typedef typename WorkOf<typename ByteOf<Sample>::Type, sizeof (Sample)>::Type Work;
  extern __shared__ __align__ (128) char shared[];
  __shared__ EskExactKind kind;
  __shared__ uint64_t offset[ESK_EXACT_SLOTS * 16];
  const uint32_t mask_place = plan.stage_bytes - ESK_EXACT_ROW;
  const unsigned warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  const unsigned n_items = plan.n_slices * plan.n_kinds;
  ExactRing ring;

  ring.start (plan, (uint32_t) __cvta_generic_to_shared (shared));
  if (run.valid == NULL)
    exact_set_masks (ring.base + mask_place, plan.stage_bytes, plan.n_pipeline);

  for (unsigned item = blockIdx.x; item < n_items; item += gridDim.x)
    {
      ExactStages stages;
      const unsigned n_stages = stages.start (run, plan, item / plan.n_kinds);

      __syncthreads ();
      for (unsigned w = threadIdx.x; w < sizeof kind / 2; w += ESK_EXACT_THREADS)
        ((uint16_t *) &kind)[w] = ((const uint16_t *) (kinds + item % plan.n_kinds))[w];
      __syncthreads ();
      for (unsigned r = threadIdx.x; r < kind.n_slots * 16; r += ESK_EXACT_THREADS)
        {
          const unsigned band = kind.slab[r / 16] * 16 + r % 16;

          offset[r] = band < run.n_bands ? band * run.band_bytes : NO_BAND;
        }
      __syncthreads ();

      auto fill = [&] (void)
      {
        if (stages.next < stages.end)
          ring.fill ([&] (uint32_t to)
                     {
                       load_share (run, offset, kind.n_slots, stages.next, to);
                       exact_load_mask (run, sizeof (Sample), stages.next, to + mask_place);
                     });
        stages.advance ();
      };

      for (unsigned s = 0; s < ring.ahead (1); s++)
        fill ();
      if (warp < kind.n_tasks)
        {
          const uint32_t slab_lane = exact_slab_lane (lane), mask_lane = mask_place + lane % 4 * (4 / sizeof (Sample));
          unsigned since = 0;
          Work work;

          work.start (kind.task[warp]);
#pragma unroll 1
          for (unsigned s = 0; s < n_stages; s++)
            {
              uint32_t stage;

              fill ();
              stage = ring.wait ();
              work.multiply (stage, stage + mask_lane, slab_lane);
              ring.release ();
              if (++since == Work::LIMIT || s + 1 == n_stages)
                {
                  work.flush (totals, exact_here (run.n_bands), kind.slab, run.valid != NULL);
                  since = 0;
                }
            }
        }
      else
        for (unsigned s = 0; s < n_stages; s++)
          {
            fill ();
            ring.wait ();
            ring.release ();
          }
    }
  if (run.valid == NULL && blockIdx.x == 0 && threadIdx.x == 0)
    atomicAdd (totals.count, (unsigned long long) (run.row_bytes / sizeof (Sample)));
#endif
}

template <typename Sample>
static int
launch_tiles (EskStream         *stream,
              const EskExactRun *run,
              EskExactTotals     totals)
{
  const EskCudaProperties *properties = esk_cuda_properties (stream);
  const bool wide = sizeof (Sample) == 2;
  const size_t shared = properties->shared_optin - STATIC_BYTES;
  unsigned most_slots = (unsigned) (shared / 2 / SLAB_BYTES) - 1;
  EskExactPlan plan = { 0, 1, 0, 0, 0, 0, 0 };
  EskExactKind *kinds, *table;
  int code;

  kinds = (EskExactKind *) calloc (esk_cuda_exact_most_kinds (run->n_bands, wide), sizeof *kinds);
  if (kinds == NULL)
    return ESK_ERROR_MEMORY;
  plan.n_kinds = esk_cuda_exact_pack (kinds, run->n_bands, wide,
                                      most_slots < ESK_EXACT_SLOTS ? most_slots : ESK_EXACT_SLOTS);
  most_slots = 0;
  for (unsigned k = 0; k < plan.n_kinds; k++)
    most_slots = kinds[k].n_slots > most_slots ? kinds[k].n_slots : most_slots;

  table = (EskExactKind *) esk_cuda_scratch (stream, ESK_SCRATCH_WORK, plan.n_kinds * sizeof *kinds);
  code = table == NULL ? ESK_ERROR_MEMORY : esk_cuda_upload_table (stream, table, kinds, plan.n_kinds * sizeof *kinds);
  free (kinds);
  if (code != ESK_OK)
    return code;

  if (!esk_cuda_exact_pipeline (&plan, most_slots * 16, shared))
    return esk_cuda_check (stream, cudaErrorInvalidConfiguration, "covariance");
  plan.n_blocks = (unsigned) properties->multiprocessors;
  plan.n_slices = esk_cuda_exact_slices (run->n_stages, plan.n_kinds, plan.n_blocks, 8);
  if ((uint64_t) plan.n_slices * plan.n_kinds < plan.n_blocks)
    plan.n_blocks = plan.n_slices * plan.n_kinds;

  code = esk_cuda_check (stream, cudaFuncSetAttribute (exact_tiles<Sample>,
                                                       cudaFuncAttributeMaxDynamicSharedMemorySize,
                                                       (int) plan.shared_bytes), "covariance");
  if (code != ESK_OK)
    return code;
  exact_tiles<Sample><<<plan.n_blocks, ESK_EXACT_THREADS, plan.shared_bytes, stream->stream>>>
    (*run, plan, table, totals);

  return esk_cuda_launched (stream, "covariance");
}

int
esk_cuda_exact_tiles (EskStream         *stream,
                      const EskExactRun *run,
                      EskType            type,
                      EskExactTotals     totals)
{
  switch (type)
    {
    case ESK_U8: return launch_tiles<uint8_t> (stream, run, totals);
    case ESK_I8: return launch_tiles<int8_t> (stream, run, totals);
    case ESK_U16: return launch_tiles<uint16_t> (stream, run, totals);
    case ESK_I16: return launch_tiles<int16_t> (stream, run, totals);
    default: return ESK_ERROR_ARGUMENT;
    }
}
