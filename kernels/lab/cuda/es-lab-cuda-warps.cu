/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What a warp's access costs by how many lanes share an address, in which order they are, and how many of their words
 * lie in one bank (gpu-lab 5, 6, 9). */

#include "es-lab-cuda-private.h"
#include "es-lab-cuda-warps-kernels.cuh"

/* Of a multiprocessor: so that a kernel is over in time where all its accesses are in turns. */
#define MOST_BLOCKS 32u
/* Of an order's array in shared memory. */
#define MOST_SHARED 32768
#define BUILD_THREADS 256
#define LEAST_TRIPS 8
/* What may fit the first cache is read once before. */
#define WARM_ROWS 2048u

static uint32_t
or_else (uint32_t number,
         uint32_t usual)
{
  return number > 0 ? number : usual;
}

static bool
has_grid (const EskLab   *lab,
          const EskProbe *probe)
{
  return probe->threads <= MOST_THREADS && probe->threads % 32 == 0 && probe->blocks <= MOST_BLOCKS * lab->units;
}

typedef struct {
  uint32_t  threads, blocks, warps;
  uint32_t *kept;
  double   *clocks, *host;       /* a warp each */
} Grid;

static int
take_grid (EskLab         *lab,
           const EskProbe *probe,
           Grid           *grid)
{
  int code;

  grid->threads = or_else (probe->threads, 32);
  grid->blocks = or_else (probe->blocks, 1);
  grid->warps = grid->threads / 32 * grid->blocks;
  grid->kept = (uint32_t *) lab_device_memory (lab, (uint64_t) grid->warps * 32 * sizeof (uint32_t), &code);
  if (grid->kept == NULL)
    return code;
  grid->clocks = (double *) lab_device_memory (lab, (uint64_t) grid->warps * sizeof (double), &code);
  if (grid->clocks == NULL)
    return code;
  grid->host = (double *) lab_mapping (lab, (uint64_t) grid->warps * sizeof (double), false, &code);

  return code;
}

/* The mean of all warps. */
static int
take_clocks (EskLab     *lab,
             const Grid *grid,
             double     *sample)
{
  double sum = 0.0;

  LAB_TRY (lab_fetch (lab, grid->host, grid->clocks, (uint64_t) grid->warps * sizeof (double)));
  for (uint32_t w = 0; w < grid->warps; w++)
    sum += grid->host[w];
  *sample = sum / grid->warps;

  return ESK_LAB_OK;
}

static int
make_texture (EskLab              *lab,
              const void          *array,
              uint64_t             bytes,
              cudaTextureObject_t *texture)
{
  struct cudaResourceDesc what = {};
  struct cudaTextureDesc how = {};
  int code;

  what.resType = cudaResourceTypeLinear;
  what.res.linear.devPtr = (void *) array;
  what.res.linear.desc = cudaCreateChannelDesc<unsigned> ();
  what.res.linear.sizeInBytes = bytes;
  how.readMode = cudaReadModeElementType;
  LAB_TRY (lab_check (lab, cudaCreateTextureObject (texture, &what, &how, NULL), "cudaCreateTextureObject"));
  lab_note (lab, LAB_TAKEN_TEXTURE, NULL, *texture, &(code = ESK_LAB_OK));

  return code;
}

static int
has_sharing (const EskLab   *lab,
             const EskProbe *probe)
{
  return has_grid (lab, probe) && probe->space != ESK_SPACE_LOCAL && probe->ways >= 1 && probe->ways <= 32
         && 32 % probe->ways == 0;
}

static int
measure_sharing (EskLab         *lab,
                 const EskProbe *probe,
                 EskProbeResult *result)
{
  uint32_t places[2 * MOST_THREADS];
  cudaTextureObject_t textures[2] = { 0, 0 };
  Grid grid = {};
  int code;
  uint32_t *words = (uint32_t *) lab_device_memory (lab, sizeof places, &code);

  if (words == NULL)
    return code;
  LAB_TRY (take_grid (lab, probe, &grid));
  for (uint32_t i = 0; i < 2 * MOST_THREADS; i++)
    places[i] = i % MOST_THREADS;
  LAB_TRY (lab_upload (lab, words, places, sizeof places));
  LAB_TRY (lab_check (lab, cudaMemcpyToSymbolAsync (lab_first, places, sizeof places / 2, 0, cudaMemcpyHostToDevice,
                                                    lab->stream), "cudaMemcpyToSymbol"));
  LAB_TRY (lab_check (lab, cudaMemcpyToSymbolAsync (lab_second, places, sizeof places / 2, 0, cudaMemcpyHostToDevice,
                                                    lab->stream), "cudaMemcpyToSymbol"));
  LAB_TRY (lab_wait (lab));
  if (probe->space == ESK_SPACE_TEXTURE)
    for (int a = 0; a < 2; a++)
      LAB_TRY (make_texture (lab, words + a * MOST_THREADS, sizeof places / 2, &textures[a]));

  return lab_repeat (lab, probe, result, [&] (double *sample) -> int
    {
      const uint32_t b = grid.blocks, t = grid.threads, ways = probe->ways;
      const uint32_t *second = words + MOST_THREADS;

      if (probe->space == ESK_SPACE_SHARED)
        lab_sharing_shared<<<b, t, 0, lab->stream>>> (ways, grid.kept, grid.clocks);
      else if (probe->space == ESK_SPACE_CONSTANT)
        lab_sharing_constant<<<b, t, 0, lab->stream>>> (ways, grid.kept, grid.clocks);
      else if (probe->space == ESK_SPACE_TEXTURE)
        lab_sharing<<<b, t, 0, lab->stream>>> (FromTexture { textures[0] }, FromTexture { textures[1] }, ways,
                                               grid.kept, grid.clocks);
      else if (probe->space == ESK_SPACE_READ_ONLY)
        lab_sharing<<<b, t, 0, lab->stream>>> (FromReadOnly { words }, FromReadOnly { second }, ways, grid.kept,
                                               grid.clocks);
      else
        lab_sharing<<<b, t, 0, lab->stream>>> (FromGlobal { words }, FromGlobal { second }, ways, grid.kept,
                                               grid.clocks);

      return take_clocks (lab, &grid, sample);
    });
}

static int
has_order (const EskLab   *lab,
           const EskProbe *probe)
{
  if (!has_grid (lab, probe) || probe->variant < 1 || probe->variant > 4 || probe->bytes < 256)
    return 0;
  if (probe->variant == 4 && (probe->stride % 4 != 0 || probe->stride >= 128))
    return 0;
  switch (probe->space)
    {
    case ESK_SPACE_GLOBAL:
    case ESK_SPACE_READ_ONLY:
      return probe->bytes <= lab->memory / 4 && probe->bytes / 4 <= 1ull << 31;
    case ESK_SPACE_TEXTURE:
      /* A texture begins where it is aligned to. */
      return probe->variant != 4 && probe->bytes / 4 <= 1u << 27;
    case ESK_SPACE_SHARED:
      return probe->variant != 4 && probe->bytes <= MOST_SHARED;
    default:
      return 0;
    }
}

static int
measure_order (EskLab         *lab,
               const EskProbe *probe,
               EskProbeResult *result)
{
  const uint32_t rows = (uint32_t) (probe->bytes / 128);
  const uint64_t bytes = (uint64_t) rows * 128;
  cudaTextureObject_t texture = 0;
  Grid grid = {};
  int trips, warm, code;
  char *array = (char *) lab_device_memory (lab, bytes + 128, &code), *starts;

  if (array == NULL)
    return code;
  starts = (char *) lab_device_memory (lab, bytes, &code);
  if (starts == NULL)
    return code;
  LAB_TRY (take_grid (lab, probe, &grid));
  if (probe->variant == 4)
    array += probe->stride;
  /* No row twice where there are enough of them, so that nobody finds what another one has read. */
  trips = (int) (rows / grid.warps / TRIP);
  trips = trips < LEAST_TRIPS ? LEAST_TRIPS : trips > TRIPS ? TRIPS : trips;
  warm = rows <= WARM_ROWS ? (int) rows : 1;
  lab_build_rows<<<(rows * 32 + BUILD_THREADS - 1) / BUILD_THREADS, BUILD_THREADS, 0, lab->stream>>> (
    (uint32_t *) array, (uint32_t *) starts, rows, lab_bits (rows), probe->variant);
  LAB_TRY (lab_check (lab, cudaGetLastError (), "the launch of a kernel"));
  LAB_TRY (lab_wait (lab));
  if (probe->space == ESK_SPACE_TEXTURE)
    LAB_TRY (make_texture (lab, array, bytes, &texture));

  return lab_repeat (lab, probe, result, [&] (double *sample) -> int
    {
      const uint32_t b = grid.blocks, t = grid.threads;
      const uint32_t *words = (const uint32_t *) array, *first = (const uint32_t *) starts;

      if (probe->space == ESK_SPACE_SHARED)
        lab_order_shared<<<b, t, bytes, lab->stream>>> (words, first, rows, warm, trips, grid.kept,
                                                              grid.clocks);
      else if (probe->space == ESK_SPACE_TEXTURE)
        lab_order<<<b, t, 0, lab->stream>>> (FromTexture { texture }, first, rows, warm, trips, grid.kept, grid.clocks);
      else if (probe->space == ESK_SPACE_READ_ONLY)
        lab_order<<<b, t, 0, lab->stream>>> (FromReadOnly { words }, first, rows, warm, trips, grid.kept, grid.clocks);
      else
        lab_order<<<b, t, 0, lab->stream>>> (FromGlobal { words }, first, rows, warm, trips, grid.kept, grid.clocks);

      return take_clocks (lab, &grid, sample);
    });
}

static int
has_conflict (const EskLab   *lab,
              const EskProbe *probe)
{
  return probe->ways >= 1 && probe->ways <= 32 && 32 % probe->ways == 0 && probe->variant <= 1;
}

static int
measure_conflict (EskLab         *lab,
                  const EskProbe *probe,
                  EskProbeResult *result)
{
  EskProbe one = *probe;
  Grid grid = {};

  one.threads = 32;
  one.blocks = 1;
  LAB_TRY (take_grid (lab, &one, &grid));

  return lab_repeat (lab, probe, result, [&] (double *sample) -> int
    {
      lab_conflict<<<1, 32, 0, lab->stream>>> (probe->ways, probe->variant == 1 ? 33 : 32, grid.kept, grid.clocks);
      return take_clocks (lab, &grid, sample);
    });
}

const LabKind lab_kind_sharing = { has_sharing, measure_sharing, "warps", true };
const LabKind lab_kind_order = { has_order, measure_order, "warps", true };
const LabKind lab_kind_conflict = { has_conflict, measure_conflict, "warps", true };
