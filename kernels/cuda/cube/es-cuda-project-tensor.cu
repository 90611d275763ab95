/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * Projection by matrix instructions.
 *
 * A warp takes 32 pixels and all bands. Pixels are the rows of the left operand, bands its columns; components are the
 * columns of the right one. Which pixel is which row, and which band is which column, is free as long as both operands
 * and the result agree. It is chosen so that four neighbouring pixels of the bands t, 4 + t, 8 + t ... are the samples
 * that the instruction wants from lane 4 g + t: pixels 4 g and 4 g + 1 are rows g and g + 8 of the first operand, the
 * two others of the second.
 *
 * Samples come through a ring in shared memory that a team of one to four warps fills some steps of 16 or 32 bands
 * ahead, across the ends of its pixels too, so that reading never pauses. The basis is in shared memory altogether; a
 * block stays on its multiprocessor and takes one run of pixels after the other.
 *
 * Accuracy. 8 and 16 bits: integers. A row of the basis, scaled by a power of two, is rounded to 24 bits, which are
 * three signed bytes; bytes of samples times bytes of the basis add up in 32 bits, exactly, and the mean leaves the
 * sums as an integer too. float32: both operands are sums of two TF32 numbers, and the product of the two second parts,
 * below 2^-22 of the whole, is left out. The instructions round these sums towards zero, which over many bands is a
 * bias: they add up one step, and the steps are added in float32.
 */

#include "es-cuda-project-step.cuh"

#include <math.h>

#define TABLE_THREADS 128
/* Tiles of components that a warp computes at once, at most. */
#define MOST_TILES 4
/* More than this many bands could leave 32 bits. */
#define MOST_BANDS 16384

/* Of a component: where the integer sums start, which is what the mean takes away, and how they become the result. */
typedef struct {
  int   start[4];
  float scale, constant;
  float unused[2];
} Ending;

static EskProjectKind
kind_of (EskType type)
{
  return type == ESK_F32 ? ESK_PROJECT_FLOAT : type == ESK_U8 || type == ESK_I8 ? ESK_PROJECT_BYTE : ESK_PROJECT_WORD;
}

static size_t
count_steps (EskProjectKind kind,
             size_t         n_bands)
{
  size_t bands = kind == ESK_PROJECT_FLOAT ? 16 : 32;

  return (n_bands + bands - 1) / bands;
}

/* Of the basis, a step and a tile of components. */
static __host__ __device__ size_t
tile_bytes (bool is_float)
{
  return is_float ? EskProjectShape<ESK_PROJECT_FLOAT>::operand_bytes
                  : EskProjectShape<ESK_PROJECT_BYTE>::operand_bytes;
}

template <int kind>
static size_t
half_a_block (void)
{
  using R = EskProjectRows<kind>;

  return (R::most_teams + 1) / 2 * R::bytes;
}

/* Tiles of components that a warp computes at once: their basis has to fit into shared memory, beside as many teams as
 * make half a block at least. 0: none does. */
static int
tiles_at_once (size_t shared,
               EskType type,
               size_t  n_rows,
               size_t  n_bands)
{
  EskProjectKind kind = kind_of (type);
  size_t n_all = (n_rows + ESK_PROJECT_TILE - 1) / ESK_PROJECT_TILE, n_tiles = n_all, rings, n_groups;

  if (n_tiles > MOST_TILES)
    n_tiles = MOST_TILES;
  rings = kind == ESK_PROJECT_FLOAT ? half_a_block<ESK_PROJECT_FLOAT> ()
          : kind == ESK_PROJECT_WORD ? half_a_block<ESK_PROJECT_WORD> () : half_a_block<ESK_PROJECT_BYTE> ();
  while (n_tiles > 0 && rings + n_tiles * count_steps (kind, n_bands) * tile_bytes (type == ESK_F32) > shared)
    n_tiles--;
  if (n_tiles == 0)
    return 0;

  /* As few as make the same number of groups. */
  n_groups = (n_all + n_tiles - 1) / n_tiles;

  return (int) ((n_all + n_groups - 1) / n_groups);
}

/* --- tables -------------------------------------------------------------------------------------------------- */

static __device__ float
round_to_tf32 (float x)
{
  uint32_t bits = __float_as_uint (x);

  return isfinite (x) ? __uint_as_float ((bits + 0x1000) & 0xffffe000) : x;
}

/* The largest magnitude of a row; not finite where one of its values is not. All threads get it. */
static __device__ float
row_magnitude (const float *row,
               size_t       n_bands)
{
  __shared__ float largest[TABLE_THREADS];
  float magnitude = 0.0f;

  for (size_t b = threadIdx.x; b < n_bands; b += TABLE_THREADS)
    magnitude = fmaxf (magnitude, isfinite (row[b]) ? fabsf (row[b]) : INFINITY);
  largest[threadIdx.x] = magnitude;
  __syncthreads ();
  for (int half = TABLE_THREADS / 2; half > 0; half /= 2)
    {
      if (threadIdx.x < half)
        largest[threadIdx.x] = fmaxf (largest[threadIdx.x], largest[threadIdx.x + half]);
      __syncthreads ();
    }

  return largest[0];
}

/* The power of two that brings the largest magnitude as near to 2^23 as three signed bytes can hold. */
static __device__ int
row_exponent (float magnitude)
{
  int exponent;

  if (magnitude == 0.0f || !isfinite (magnitude))
    return 0;
  frexpf (magnitude, &exponent);
  exponent = 23 - exponent;
  if (ldexp ((double) magnitude, exponent) > 127 * 65536 + 127 * 256 + 127)
    exponent--;

  return min (exponent, 100);
}

/* Operands of float32: lane 4 r + t has the bands t, 4 + t, 8 + t, 12 + t of component r. */
static __device__ void
make_float_operands (const float *values,      /* NULL: zeros */
                     size_t       n_bands,
                     size_t       n_steps,
                     size_t       step_bytes,
                     int          r,
                     char        *operands)
{
  for (size_t i = threadIdx.x; i < n_steps * 4; i += TABLE_THREADS)
    {
      size_t t = i % 4, step = i / 4;
      uint4 *target = (uint4 *) (operands + step * step_bytes) + 4 * r + t;

      for (int half = 0; half < 2; half++)
        {
          float first[2], second[2];

          for (int k = 0; k < 2; k++)
            {
              size_t band = step * 16 + t + 4 * (2 * half + k);
              float value = values != NULL && band < n_bands ? values[band] : 0.0f;

              first[k] = round_to_tf32 (value);
              second[k] = round_to_tf32 (value - first[k]);
            }
          target[half * LANES] = make_uint4 (__float_as_uint (first[0]), __float_as_uint (first[1]),
                                             __float_as_uint (second[0]), __float_as_uint (second[1]));
        }
    }
}

/*
 * Operands of integers: lane 4 r + t has the bands t, 4 + t ... 28 + t of component r, four to a word: the highest
 * bytes, the middle ones, and beyond those of all lanes the lowest.
 */
static __device__ void
make_integer_operands (EskType      type,
                       const float *values,    /* NULL: zeros */
                       const float *centres,
                       size_t       n_bands,
                       size_t       n_steps,
                       size_t       step_bytes,
                       int          r,
                       int          exponent,
                       char        *operands,
                       int         *centre)    /* 4, shared */
{
  int bias = type == ESK_I8 ? 128 : type == ESK_I16 ? 32768 : 0, sums[4] = {};
  bool is_byte = type == ESK_U8 || type == ESK_I8;

  for (size_t i = threadIdx.x; i < n_steps * 4; i += TABLE_THREADS)
    {
      size_t t = i % 4, step = i / 4;
      char *target = operands + step * step_bytes;
      uint32_t words[3][2] = {};

      for (int k = 0; k < 8; k++)
        {
          size_t band = step * 32 + t + 4 * k;
          int value, digits[3], x;

          if (values == NULL || band >= n_bands)
            continue;
          value = (int) rint (ldexp ((double) values[band], exponent));
          digits[0] = (int8_t) (value & 255);
          value = (value - digits[0]) / 256;
          digits[1] = (int8_t) (value & 255);
          digits[2] = (value - digits[1]) / 256;
          for (int d = 0; d < 3; d++)
            words[2 - d][k / 4] |= (uint32_t) (uint8_t) digits[d] << (k % 4 * 8);

          x = (int) centres[band] + bias;
          if (is_byte)
            {
              for (int d = 0; d < 3; d++)
                sums[d] += digits[d] * x;
            }
          else
            {
              for (int d = 0; d < 3; d++)
                {
                  sums[d] += digits[d] * (x & 255);
                  sums[d + 1] += digits[d] * (x >> 8);
                }
            }
        }
      ((uint4 *) target)[4 * r + t] = make_uint4 (words[0][0], words[0][1], words[1][0], words[1][1]);
      ((uint2 *) (target + LANES * sizeof (uint4)))[4 * r + t] = make_uint2 (words[2][0], words[2][1]);
    }
  for (int d = 0; d < 4; d++)
    atomicAdd (&centre[d], sums[d]);
}

/* A block makes the operands of one component; of those that fill up a tile, zeros. */
static __global__ void
__launch_bounds__ (TABLE_THREADS)
make_operands (EskType      type,
               bool         is_float,
               size_t       n_rows,
               size_t       n_bands,
               size_t       n_steps,
               int          n_tiles,
               const float *basis,
               const float *centres,
               const float *constants,
               char        *operands,
               float       *offsets,
               Ending      *endings)
{
  __shared__ int centre[4];
  size_t row = blockIdx.x, tile = row / ESK_PROJECT_TILE;
  int r = row % ESK_PROJECT_TILE, exponent = 0;
  const float *values = row < n_rows ? basis + row * n_bands : NULL;
  size_t bytes = tile_bytes (is_float), step_bytes = n_tiles * bytes;
  bool is_finite = true;

  operands += tile / n_tiles * n_steps * step_bytes + tile % n_tiles * bytes;
  if (threadIdx.x < 4)
    centre[threadIdx.x] = 0;
  __syncthreads ();
  if (is_float)
    {
      make_float_operands (values, n_bands, n_steps, step_bytes, r, operands);
      if (row == 0)
        for (size_t b = threadIdx.x; b < n_steps * 16; b += TABLE_THREADS)
          offsets[b / 16 * 16 + b % 4 * 4 + b / 4 % 4] = b < n_bands ? centres[b] : 0.0f;
    }
  else
    {
      if (values != NULL)
        {
          float magnitude = row_magnitude (values, n_bands);

          is_finite = isfinite (magnitude);
          exponent = row_exponent (magnitude);
        }
      make_integer_operands (type, is_finite ? values : NULL, centres, n_bands, n_steps, step_bytes, r, exponent,
                             operands, centre);
    }
  __syncthreads ();
  if (threadIdx.x == 0)
    {
      Ending ending = {};

      for (int d = 0; d < 4; d++)
        ending.start[d] = -centre[d];
      ending.scale = is_finite ? ldexpf (1.0f, -exponent) : NAN;
      ending.constant = row < n_rows ? constants[row] : 0.0f;
      endings[row] = ending;
    }
}

/* The memory that esk_cuda_project_tensor_tables () fills; offsets in bytes. */
typedef struct {
  int    n_tiles;              /* of a group */
  size_t n_groups, n_steps, offsets, endings, bytes;     /* operands come first */
} Tables;

/* false: the card lacks the instructions or the shared memory, or integer sums could overflow. */
static bool
lay_out (Tables          *tables,
         const EskStream *stream,
         EskType          type,
         size_t           n_rows,
         size_t           n_bands)
{
  EskProjectKind kind = kind_of (type);
  size_t n_padded, n_blocks, group;

  if (esk_cuda_properties (stream)->major < 8 || (type != ESK_F32 && n_bands > MOST_BANDS))
    return false;
  tables->n_tiles = tiles_at_once (esk_cuda_properties (stream)->shared_optin, type, n_rows, n_bands);
  if (tables->n_tiles == 0)
    return false;
  group = (size_t) tables->n_tiles * ESK_PROJECT_TILE;
  tables->n_groups = (n_rows + group - 1) / group;
  tables->n_steps = count_steps (kind, n_bands);
  n_padded = tables->n_groups * group;
  if (n_padded > INT32_MAX || __builtin_mul_overflow (n_padded / ESK_PROJECT_TILE, tables->n_steps, &n_blocks)
      || n_blocks > SIZE_MAX / 4096)
    return false;
  tables->offsets = n_blocks * tile_bytes (type == ESK_F32);
  tables->endings = tables->offsets + (kind == ESK_PROJECT_FLOAT ? tables->n_steps * 16 * sizeof (float) : 0);
  tables->bytes = tables->endings + n_padded * sizeof (Ending);

  return true;
}

size_t
esk_cuda_project_tensor_bytes (const EskStream *stream,
                               EskType          type,
                               size_t           n_rows,
                               size_t           n_bands)
{
  Tables tables;

  return lay_out (&tables, stream, type, n_rows, n_bands) ? tables.bytes : 0;
}

int
esk_cuda_project_tensor_tables (EskStream     *stream,
                                EskProjection *projection,
                                void          *memory)
{
  char *bytes = (char *) memory;
  Tables tables;

  if (!lay_out (&tables, stream, projection->type, projection->n_rows, projection->n_bands))
    return ESK_ERROR_ARGUMENT;
  make_operands<<<(unsigned) (tables.n_groups * tables.n_tiles * ESK_PROJECT_TILE), TABLE_THREADS, 0, stream->stream>>>
    (projection->type, projection->type == ESK_F32, projection->n_rows, projection->n_bands, tables.n_steps,
     tables.n_tiles, projection->basis, projection->centres, projection->constants, bytes,
     (float *) (bytes + tables.offsets), (Ending *) (bytes + tables.endings));
  projection->operands = bytes;
  projection->offsets = bytes + tables.offsets;
  projection->endings = bytes + tables.endings;

  return esk_cuda_launched (stream, "operands of a projection");
}

#include "es-cuda-project-results.cuh"

/* --- kernel -------------------------------------------------------------------------------------------------- */

/* Blocks take turns at the groups of components, so that those that read the same pixels do it at the same time. */
template <int kind, int n_tiles>
static __global__ void
__launch_bounds__ (EskProjectShape<kind>::most_warps * LANES, 1)
project_matrix (const __grid_constant__ EskProjection projection,
                int                                   n_groups,
                int                                   n_steps,
                uint32_t                              flip,
                bool                                  aligned)
{
  using S = EskProjectShape<kind>;
  using R = EskProjectRows<kind>;
  extern __shared__ float4 shared[];

  constexpr int step_bytes = n_tiles * S::operand_bytes;
  int n_teams = blockDim.x / R::threads, team = threadIdx.x / R::threads, warp = threadIdx.x % R::threads / LANES;
  int group = blockIdx.x % n_groups, n_vectors = n_steps * step_bytes / (int) sizeof (uint4);
  char *ring = (char *) shared + n_vectors * sizeof (uint4) + team * R::bytes;
  float *stage = (float *) (ring + S::slots * R::slot_bytes + warp * STAGE_BYTES);
  uint32_t first_slot = keep ((uint32_t) __cvta_generic_to_shared (ring));
  uint32_t slot = first_slot, last_slot = first_slot + (S::slots - 1) * R::slot_bytes;
  size_t row = (size_t) group * n_tiles * ESK_PROJECT_TILE;
  const Ending *endings = (const Ending *) projection.endings + row;
  size_t next_run = (size_t) (gridDim.x / n_groups) * n_teams * R::width;
  size_t first_run = ((size_t) (blockIdx.x / n_groups) * n_teams + team) * R::width;
  Reader reader;
  Places places;

  find_places<kind> (&places, (uint32_t) __cvta_generic_to_shared (shared));
  start_reader<kind> (&reader, projection, first_run);
#pragma unroll 1
  for (int i = 0; i < S::slots - 1; i++)
    read_step<kind> (&reader, projection, first_slot + i * R::slot_bytes, n_steps, next_run);
  for (int i = threadIdx.x; i < n_vectors; i += blockDim.x)
    ((uint4 *) shared)[i] = __ldg ((const uint4 *) projection.operands + (size_t) group * n_vectors + i);
  __syncthreads ();

  for (size_t run = first_run; run < projection.n_pixels; run += next_run)
    {
      const float4 *offsets = (const float4 *) projection.offsets;
      typename S::Sum sums[S::classes][2][n_tiles][4];

      start_sums<kind, n_tiles> (sums, endings);
#pragma unroll 1
      for (int step = 0; step < n_steps; step++)
        {
          wait_copies<S::slots - 2> ();
          /* All have what they wait for, and have done with the slot before. */
          meet<kind> ();
          read_step<kind> (&reader, projection, last_slot, n_steps, next_run);
          Step<kind, n_tiles>::add (sums, slot + places.samples, places, flip, offsets);
          offsets += 4;
          places.operands += step_bytes;
          places.lowest += step_bytes;
          last_slot = slot;
          slot = slot == first_slot + (S::slots - 1) * R::slot_bytes ? first_slot : slot + R::slot_bytes;
        }
      places.operands -= n_steps * step_bytes;
      places.lowest -= n_steps * step_bytes;
      write_group<kind, n_tiles> (projection, sums, endings, stage, run + warp * WIDTH, row, aligned);
    }
}

template <int kind, int n_tiles>
static int
launch (EskStream           *stream,
        const EskProjection *projection,
        const Tables        *tables)
{
  using R = EskProjectRows<kind>;
  const EskCudaProperties *properties = esk_cuda_properties (stream);
  size_t basis = tables->n_steps * n_tiles * EskProjectShape<kind>::operand_bytes, shared;
  size_t n_runs = (projection->n_pixels + R::width - 1) / R::width, n_teams, n_blocks;
  bool aligned = (uintptr_t) projection->out % 16 == 0 && projection->plane_stride % 4 == 0;
  uint32_t flip = projection->type == ESK_I8 ? 0x80808080 : projection->type == ESK_I16 ? 0x80008000 : 0;
  int code;

  n_teams = (properties->shared_optin - basis) / R::bytes;
  if (n_teams > R::most_teams)
    n_teams = R::most_teams;
  shared = basis + n_teams * R::bytes;
  code = esk_cuda_check (stream, cudaFuncSetAttribute (project_matrix<kind, n_tiles>,
                                                       cudaFuncAttributeMaxDynamicSharedMemorySize, (int) shared),
                         "shared memory of a projection");
  if (code != ESK_OK)
    return code;

  n_blocks = (size_t) properties->multiprocessors / tables->n_groups;
  if (n_blocks == 0)
    n_blocks = 1;
  if (n_blocks > (n_runs + n_teams - 1) / n_teams)
    n_blocks = (n_runs + n_teams - 1) / n_teams;
  project_matrix<kind, n_tiles><<<(unsigned) (n_blocks * tables->n_groups), (unsigned) (n_teams * R::threads), shared,
                                  stream->stream>>>
    (*projection, (int) tables->n_groups, (int) tables->n_steps, flip, aligned);

  return esk_cuda_launched (stream, "projection");
}

template <int kind>
static int
launch_kind (EskStream           *stream,
             const EskProjection *projection,
             const Tables        *tables)
{
  switch (tables->n_tiles)
    {
    case 1: return launch<kind, 1> (stream, projection, tables);
    case 2: return launch<kind, 2> (stream, projection, tables);
    case 3: return launch<kind, 3> (stream, projection, tables);
    default: return launch<kind, 4> (stream, projection, tables);
    }
}

int
esk_cuda_project_tensor (EskStream           *stream,
                         const EskProjection *projection)
{
  Tables tables;

  if (!lay_out (&tables, stream, projection->type, projection->n_rows, projection->n_bands))
    return ESK_ERROR_ARGUMENT;
  switch (kind_of (projection->type))
    {
    case ESK_PROJECT_BYTE: return launch_kind<ESK_PROJECT_BYTE> (stream, projection, &tables);
    case ESK_PROJECT_WORD: return launch_kind<ESK_PROJECT_WORD> (stream, projection, &tables);
    default: return launch_kind<ESK_PROJECT_FLOAT> (stream, projection, &tables);
    }
}
