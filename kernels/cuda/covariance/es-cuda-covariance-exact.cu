/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * Exact sums for a covariance of 8- and 16-bit samples: products of bytes in 32-bit accumulators, no more pixels than
 * these hold (es-cuda-covariance-exact-private.h), 64-bit totals by atomic additions. Integer additions may come in any
 * order, so that the totals are the same bits on every device, whatever the tiles.
 */

#include "es-cuda-covariance-exact-private.h"

#include <stdlib.h>
#include <string.h>

/* Shared memory that the tensor core kernels count on, bytes: 2 stages of their largest. */
#define LEAST_SHARED ((size_t) 99 << 10)

typedef enum { ENGINE_UNKNOWN, ENGINE_BEST, ENGINE_DP4A, ENGINE_TILES } Engine;

/* $ES_CUDA_COVARIANCE = dp4a | tiles: the engine that the tests ask for; read once. */
static Engine
asked_engine (void)
{
  static int asked = ENGINE_UNKNOWN;
  int engine = __atomic_load_n (&asked, __ATOMIC_RELAXED);

  if (engine == ENGINE_UNKNOWN)
    {
      const char *name = getenv ("ES_CUDA_COVARIANCE");

      engine = name == NULL ? ENGINE_BEST : strcmp (name, "dp4a") == 0 ? ENGINE_DP4A
               : strcmp (name, "tiles") == 0 ? ENGINE_TILES : ENGINE_BEST;
      __atomic_store_n (&asked, engine, __ATOMIC_RELAXED);
    }

  return (Engine) engine;
}

bool
esk_cuda_exact_pipeline (EskExactPlan *plan,
                         size_t        n_rows,
                         size_t        shared)
{
  const size_t stage_bytes = (n_rows + 1) * ESK_EXACT_ROW, with_barriers = stage_bytes + 2 * sizeof (uint64_t);

  plan->stage_bytes = (unsigned) stage_bytes;
  plan->n_pipeline = (unsigned) (shared / with_barriers < ESK_EXACT_PIPELINE ? shared / with_barriers
                                                                             : ESK_EXACT_PIPELINE);
  plan->shared_bytes = (unsigned) (plan->n_pipeline * with_barriers);

  return plan->n_pipeline >= 2;
}

unsigned
esk_cuda_exact_slices (unsigned n_stages,
                       unsigned n_kinds,
                       unsigned n_blocks,
                       unsigned flush)
{
  unsigned most = 8 * n_blocks / n_kinds + 8, best = 1;
  uint64_t best_time = UINT64_MAX;

  for (unsigned n = 1; n <= most && n <= n_stages; n++)
    {
      uint64_t waves = ((uint64_t) n * n_kinds + n_blocks - 1) / n_blocks;
      uint64_t time = waves * ((n_stages + n - 1) / n + flush);

      if (time < best_time)
        {
          best_time = time;
          best = n;
        }
    }

  return best;
}

int
esk_cuda_covariance_exact (EskStream        *stream,
                           const EskCudaRun *run,
                           EskCudaSums      *sums)
{
  const EskCudaProperties *properties = esk_cuda_properties (stream);
  size_t size = esk_type_size (run->type), row_bytes, n_stages;
  Engine engine = asked_engine ();
  EskExactTotals totals;
  EskExactRun exact;

  if (!esk_type_is_exact (run->type) || !sums->exact || run->n_bands == 0 || run->n_bands != sums->n_bands
      || run->n_bands > (size_t) UINT16_MAX * 32)
    return ESK_ERROR_ARGUMENT;
  if (run->n_pixels == 0)
    return ESK_OK;
  if (__builtin_mul_overflow (run->n_pixels, size, &row_bytes))
    return ESK_ERROR_ARGUMENT;
  n_stages = row_bytes / ESK_EXACT_ROW + (row_bytes % ESK_EXACT_ROW != 0);
  if (n_stages > INT32_MAX)
    return ESK_ERROR_ARGUMENT;

  exact = {
    (const char *) run->data, run->band_stride * size, row_bytes, run->valid, (unsigned) run->n_bands,
    (unsigned) n_stages
  };
  totals = {
    (unsigned long long *) sums->count, (unsigned long long *) sums->integer_sum,
    (unsigned long long *) sums->integer_product
  };

  if (engine == ENGINE_DP4A || properties->major < 8 || properties->shared_optin < LEAST_SHARED)
    return esk_cuda_exact_dp4a (stream, &exact, run->type, totals);
  if (engine != ENGINE_TILES && size == 1 && run->n_bands <= ESK_EXACT_TRIANGLE_BANDS)
    return esk_cuda_exact_triangle (stream, &exact, run->type, totals);
  if (engine != ENGINE_TILES && esk_cuda_exact_groups_suit (stream, &exact, run->type))
    return esk_cuda_exact_groups (stream, &exact, run->type, totals);

  return esk_cuda_exact_tiles (stream, &exact, run->type, totals);
}
