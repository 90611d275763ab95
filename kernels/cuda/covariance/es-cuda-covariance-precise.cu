/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * Covariance sums with float64 throughout, for samples of any type: what EskCovariance.precise asks for.
 *
 * The bands are cut into blocks of 128 and these into tiles of 32. A task is a pair of blocks of the lower triangle; a
 * thread block takes a task for a run of the pixels. Stage by stage it brings the samples of the task's bands, less
 * their shift and with zeros for pixels that are not valid, into shared memory as float64; each warp multiplies one
 * tile of 32 x 32 bands, and tiles above the diagonal or beyond the bands are no one's. Where there are fewer tiles
 * than warps, several warps share a tile, each with pixels of its own. Every run of pixels leaves its sums in a slot
 * of its own; these are added in their order, so that the totals are the same bytes every time.
 */

#include "es-cuda-covariance-precise.cuh"

#include <limits.h>

#define BLOCK 128
#define TILE 32
#define TILES (BLOCK / TILE)
#define TILE_VALUES (TILE * TILE)
#define WARPS (TILES * TILES)
#define THREADS (WARPS * 32)
/* Samples of one stage: two blocks of bands, 16 pixels. Fewer bands: more pixels. */
#define STAGE_VALUES (2 * BLOCK * 16)
#define STAGE_BYTES (STAGE_VALUES * sizeof (double))
/* Groups of four samples that a thread brings in a stage. */
#define QUADS (STAGE_VALUES / 4 / THREADS)
/* Pixels of a stage at most: the runs of pixels are multiples of it. */
#define LARGEST_DEPTH (STAGE_VALUES / TILE)
/* The shortest run of pixels. */
#define LEAST_PIXELS ((size_t) 8 * LARGEST_DEPTH)
/* Runs of pixels a multiprocessor: enough that those that end early find another. */
#define RUNS 8

typedef struct {
  const void    *data;
  size_t         stride, n_pixels;
  unsigned       n_bands;
  const uint8_t *valid;        /* NULL: all */
  const double  *shift;
  unsigned       n_tasks, n_splits;
  size_t         split_pixels; /* a multiple of LARGEST_DEPTH */
  unsigned       sum_stride;   /* more than n_bands: the count of valid pixels is behind the sums */
  double        *partial;      /* [tile of the lower triangle][split][TILE_VALUES] */
  double        *partial_sum;  /* [split][sum_stride] */
} Plan;

/* What a thread block works on. */
typedef struct {
  unsigned row_block, column_block;
  unsigned row_tiles, column_tiles;
  unsigned n_rows;             /* bands in shared memory: of the row block, then, of another, the column block */
  unsigned depth;              /* pixels of a stage */
  unsigned n_tiles, n_groups;  /* n_groups warps share a tile */
} Task;

static __device__ Task
make_task (unsigned index,
           unsigned n_bands)
{
  Task task;

  find_pair (index, &task.row_block, &task.column_block);
  task.row_tiles = min ((unsigned) TILES, (n_bands - task.row_block * BLOCK + TILE - 1) / TILE);
  task.column_tiles = TILES;
  task.n_rows = task.row_tiles * TILE;
  task.n_tiles = task.row_tiles * TILES;
  if (task.row_block == task.column_block)
    {
      task.column_tiles = task.row_tiles;
      task.n_tiles = task.row_tiles * (task.row_tiles + 1) / 2;
    }
  else
    task.n_rows += BLOCK;

  task.depth = 16;
  while (task.depth * 2 * task.n_rows <= STAGE_VALUES)
    task.depth *= 2;
  task.n_groups = 1;
  while (task.n_groups * 2 * task.n_tiles <= WARPS && task.n_groups * 2 <= task.depth / 8)
    task.n_groups *= 2;

  return task;
}

#if defined __CUDA_ARCH__ && __CUDA_ARCH__ >= 800
/* c += a b of 16 x 8 and 8 x 8: a lane has rows g = lane / 4 and g + 8 of a, column g of b, and of both the k that are
 * its lane % 4 in each half; of c rows g and g + 8, columns 2 (lane % 4) and the next. */
static __device__ __forceinline__ void
multiply_16x8x8 (double       c[4],
                 const double a[4],
                 const double b[2])
{
#if __CUDA_ARCH__ >= 900
  asm ("mma.sync.aligned.m16n8k8.row.col.f64.f64.f64.f64 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"
       : "+d"(c[0]), "+d"(c[1]), "+d"(c[2]), "+d"(c[3])
       : "d"(a[0]), "d"(a[1]), "d"(a[2]), "d"(a[3]), "d"(b[0]), "d"(b[1]));
#else
#pragma unroll
  for (int i = 0; i < 4; i++)
    asm ("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%0,%1}, {%2}, {%3}, {%0,%1};"
         : "+d"(c[i % 2 * 2]), "+d"(c[i % 2 * 2 + 1])
         : "d"(a[i]), "d"(b[i / 2]));
#endif
}
#endif

/*
 * Adds the products of 8 pixels to a tile: c[i][j] has the rows 16 i + g and 8 further, the columns 8 j + 2 (lane % 4)
 * and the next. rows and columns: the samples of the tile's bands, 8 a band. Of bands 2, 3, 6, 7 ... the two halves
 * have changed places, so that the lanes of a load meet in no bank.
 */
static __device__ __forceinline__ void
multiply_tile (double        c[2][4][4],
               const double *rows,
               const double *columns,
               unsigned      lane)
{
#if defined __CUDA_ARCH__ && __CUDA_ARCH__ >= 800
  unsigned half = lane / 8 % 2 * 4, offset = lane / 4 * 8 + lane % 4;
  double a[2][4];

#pragma unroll
  for (int i = 0; i < 8; i++)
    a[i / 4][i % 4] = rows[offset + (i / 4 * 2 + i % 2) * 64 + (i / 2 % 2 * 4 ^ half)];
#pragma unroll
  for (int j = 0; j < 4; j++)
    {
      double b[2] = { columns[offset + j * 64 + half], columns[offset + j * 64 + (4 ^ half)] };

      multiply_16x8x8 (c[0][j], a[0], b);
      multiply_16x8x8 (c[1][j], a[1], b);
    }
#else
  for (unsigned k = 0; k < 8; k++)
    {
      double a[4], b[8];

#pragma unroll
      for (unsigned i = 0; i < 4; i++)
        a[i] = rows[(i * 8 + lane / 4) * 8 + (k ^ lane / 8 % 2 * 4)];
#pragma unroll
      for (unsigned j = 0; j < 8; j++)
        b[j] = columns[(j / 2 * 8 + lane % 4 * 2 + j % 2) * 8 + (k ^ lane % 2 * 4)];
#pragma unroll
      for (unsigned i = 0; i < 4; i++)
#pragma unroll
        for (unsigned j = 0; j < 8; j++)
          c[i / 2][j / 2][i % 2 * 2 + j % 2] = fma (a[i], b[j], c[i / 2][j / 2][i % 2 * 2 + j % 2]);
    }
#endif
}

/*
 * A thread's part in bringing samples: QUADS groups of four, each always of the same band. Groups are numbered four
 * groups (16 pixels) of a band, band after band, then the next 16 pixels. A stage holds 8 pixels of each band, then the
 * next 8.
 */
template <typename Sample>
struct Bringer
{
  unsigned      band[QUADS];   /* UINT_MAX: beyond the bands */
  unsigned      place[QUADS];  /* in a stage: 65536 pixel + index; UINT_MAX: it has no such group */
  Quad<Sample>  quad[QUADS];
  unsigned      marks[QUADS];  /* one byte a sample, 0: does not count */
  double        sum[QUADS];
};

template <typename Sample>
static __device__ __forceinline__ void
bringer_init (Bringer<Sample> *self,
              const Plan      *plan,
              const Task      *task)
{
#pragma unroll
  for (int i = 0; i < QUADS; i++)
    {
      unsigned index = threadIdx.x + i * THREADS, row = index / 4 % task->n_rows, segment = index / 4 / task->n_rows;
      unsigned own = task->row_tiles * TILE;
      unsigned band = row < own ? task->row_block * BLOCK + row : task->column_block * BLOCK + row - own;

      self->sum[i] = 0.0;
      self->band[i] = band < plan->n_bands ? band : UINT_MAX;
      self->place[i] = (segment * 16 + index % 4 * 4) << 16
                       | (((segment * 2 + index % 4 / 2) * task->n_rows + row) * 8
                          + (index % 2 ^ row / 2 % 2) * 4);
      if (segment * 16 >= task->depth)
        self->band[i] = self->place[i] = UINT_MAX;
    }
}

/* Asks for the samples of the stage that begins with pixel `first` of the run, which has n_pixels. */
template <typename Sample>
static __device__ __forceinline__ void
bringer_load (Bringer<Sample> *self,
              const Plan      *plan,
              size_t           run,
              unsigned         first,
              unsigned         n_pixels)
{
  const uint8_t *valid = plan->valid != NULL ? plan->valid + run : NULL;

#pragma unroll
  for (int i = 0; i < QUADS; i++)
    {
      unsigned pixel = first + (self->place[i] >> 16);
      const Sample *from;

      self->marks[i] = 0;
      if (self->band[i] == UINT_MAX || pixel >= n_pixels)
        continue;
      from = (const Sample *) plan->data + run + self->band[i] * plan->stride;
      if (n_pixels - pixel >= 4)
        {
          self->quad[i] = *(const Quad<Sample> *) (from + pixel);
          self->marks[i] = valid != NULL ? *(const unsigned *) (valid + pixel) : 0x01010101u;
        }
      else
#pragma unroll
        for (unsigned k = 0; k < 4; k++)
          if (k < n_pixels - pixel)
            {
              self->quad[i].sample[k] = from[pixel + k];
              self->marks[i] |= (valid == NULL || valid[pixel + k] != 0 ? 1u : 0u) << (8 * k);
            }
    }
}

/* Puts what has come into a stage. */
template <typename Sample>
static __device__ __forceinline__ void
bringer_store (Bringer<Sample> *self,
               const Plan      *plan,
               bool             summing,
               double          *stage)
{
#pragma unroll
  for (int i = 0; i < QUADS; i++)
    {
      double shift = self->band[i] != UINT_MAX ? plan->shift[self->band[i]] : 0.0, value[4];

      if (self->place[i] == UINT_MAX)
        continue;
#pragma unroll
      for (int k = 0; k < 4; k++)
        value[k] = (self->marks[i] >> (8 * k) & 0xffu) != 0 ? (double) self->quad[i].sample[k] - shift : 0.0;
      if (summing)
        self->sum[i] += (value[0] + value[1]) + (value[2] + value[3]);

      /* Groups of the second 8 pixels begin with the upper half: eight lanes then meet in no bank. */
      double2 *to = (double2 *) (stage + (self->place[i] & 0xffff));
      unsigned upper = threadIdx.x / 2 % 2;

      to[upper] = upper ? make_double2 (value[2], value[3]) : make_double2 (value[0], value[1]);
      to[upper ^ 1] = upper ? make_double2 (value[0], value[1]) : make_double2 (value[2], value[3]);
    }
}

/* The task's sums of bands, of a run of pixels. shared: room for a double of every group. */
template <typename Sample>
static __device__ void
bringer_finish (const Bringer<Sample> *self,
                const Plan            *plan,
                const Task            *task,
                unsigned               split,
                double                *shared)
{
  unsigned band = task->row_block * BLOCK + threadIdx.x;

  for (int i = 0; i < QUADS; i++)
    shared[threadIdx.x + i * THREADS] = self->sum[i];
  __syncthreads ();
  if (threadIdx.x < task->n_rows && band < plan->n_bands)
    {
      double sum = 0.0;

      for (unsigned segment = 0; segment < task->depth / 16; segment++)
        for (unsigned k = 0; k < 4; k++)
          sum += shared[(segment * task->n_rows + threadIdx.x) * 4 + k];
      plan->partial_sum[(size_t) split * plan->sum_stride + band] = sum;
    }
  __syncthreads ();
}

/* The valid pixels of a run. */
static __device__ void
count_valid (const Plan *plan,
             unsigned    split,
             size_t      run,
             unsigned    n_pixels,
             unsigned   *shared)
{
  unsigned n = 0;

  for (unsigned pixel = threadIdx.x; pixel < n_pixels; pixel += THREADS)
    n += plan->valid == NULL || plan->valid[run + pixel] != 0;
  for (int distance = 16; distance > 0; distance /= 2)
    n += __shfl_xor_sync (0xffffffffu, n, distance);
  if (threadIdx.x % 32 == 0)
    shared[threadIdx.x / 32] = n;
  __syncthreads ();
  if (threadIdx.x == 0)
    {
      double total = 0.0;

      for (int warp = 0; warp < WARPS; warp++)
        total += (double) shared[warp];
      plan->partial_sum[(size_t) split * plan->sum_stride + plan->n_bands] = total;
    }
  __syncthreads ();
}

/* Warps that share a tile add up, in their order, to the first; what each has is 32 doubles a lane. */
static __device__ void
add_groups (double        c[2][4][4],
            const Task   *task,
            unsigned      tile,
            unsigned      group,
            double       *shared)
{
  unsigned lane = threadIdx.x % 32;

  for (unsigned other = 1; other < task->n_groups; other++)
    {
      if (group == other)
        for (int k = 0; k < 32; k++)
          shared[(tile * 32 + k) * 32 + lane] = c[k / 16][k / 4 % 4][k % 4];
      __syncthreads ();
      if (group == 0)
        for (int k = 0; k < 32; k++)
          c[k / 16][k / 4 % 4][k % 4] += shared[(tile * 32 + k) * 32 + lane];
      __syncthreads ();
    }
}

/* The grid: the tasks of a run of pixels beside each other, which then find its samples in the cache. */
template <typename Sample>
static __global__ void
__launch_bounds__ (THREADS, 1)
add_products (Plan plan)
{
  extern __shared__ double stages[];
  unsigned split = blockIdx.x / plan.n_tasks, warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  Task task = make_task (blockIdx.x % plan.n_tasks, plan.n_bands);
  bool diagonal = task.row_block == task.column_block;
  unsigned tile = warp % task.n_tiles, group = warp / task.n_tiles, row, column;
  size_t first = split * plan.split_pixels;
  unsigned n_pixels = (unsigned) min (plan.split_pixels, plan.n_pixels - first);
  double c[2][4][4] = {};
  Bringer<Sample> bringer;
  const double *rows, *columns;

  if (diagonal)
    find_pair (tile, &row, &column);
  else
    {
      row = tile / TILES;
      column = tile % TILES;
    }
  rows = stages + row * TILE * 8;
  columns = stages + (column + (diagonal ? 0 : task.row_tiles)) * TILE * 8;

  bringer_init (&bringer, &plan, &task);
  bringer_load (&bringer, &plan, first, 0, n_pixels);
  bringer_store (&bringer, &plan, diagonal, stages);
  bringer_load (&bringer, &plan, first, task.depth, n_pixels);
  __syncthreads ();
  for (unsigned pixel = 0, here = 0; pixel < n_pixels; pixel += task.depth, here ^= STAGE_VALUES)
    {
      double *next = stages + (here ^ STAGE_VALUES);

      bringer_store (&bringer, &plan, diagonal, next);
      bringer_load (&bringer, &plan, first, pixel + 2 * task.depth, n_pixels);
      if (group < task.n_groups)
        for (unsigned run = group; run < task.depth / 8; run += task.n_groups)
          multiply_tile (c, rows + here + run * task.n_rows * 8, columns + here + run * task.n_rows * 8, lane);
      __syncthreads ();
    }

  if (diagonal)
    bringer_finish (&bringer, &plan, &task, split, stages);
  if (task.row_block == 0)
    count_valid (&plan, split, first, n_pixels, (unsigned *) stages);
  add_groups (c, &task, tile, group, stages);
  if (group == 0)
    {
      size_t r = (size_t) task.row_block * TILES + row, index = r * (r + 1) / 2 + task.column_block * TILES + column;
      double *to = plan.partial + (index * plan.n_splits + split) * TILE_VALUES;

#pragma unroll
      for (int k = 0; k < 16; k++)
        *(double2 *) (to + k * 64 + lane * 2)
          = make_double2 (c[k / 8][k / 2 % 4][k % 2 * 2], c[k / 8][k / 2 % 4][k % 2 * 2 + 1]);
    }
}

/* Threads for the values of all tiles, then for the sums of bands and the count. */
static __global__ void
add_totals (Plan     plan,
            size_t   n_values,
            int64_t *count,
            double  *sum,
            double  *product)
{
  size_t index = (size_t) blockIdx.x * TOTALS_THREADS + threadIdx.x;

  if (index < n_values)
    {
      unsigned element = (unsigned) (index % TILE_VALUES), lane = element / 2 % 32, k = element / 64, row, column;

      find_pair ((unsigned) (index / TILE_VALUES), &row, &column);
      row = row * TILE + k / 8 * 16 + k % 2 * 8 + lane / 4;
      column = column * TILE + k / 2 % 4 * 8 + lane % 4 * 2 + element % 2;
      if (row < plan.n_bands && column <= row)
        product[(size_t) row * plan.n_bands + column]
          += add_slots (plan.partial + index / TILE_VALUES * plan.n_splits * TILE_VALUES + element, TILE_VALUES,
                        plan.n_splits);
    }
  else if (index - n_values < plan.n_bands)
    sum[index - n_values] += add_slots (plan.partial_sum + (index - n_values), plan.sum_stride, plan.n_splits);
  else if (index - n_values == plan.n_bands)
    *count += (int64_t) add_slots (plan.partial_sum + plan.n_bands, plan.sum_stride, plan.n_splits);
}

template <typename Sample>
static int
launch_products (EskStream  *stream,
                 const Plan *plan)
{
  int code = esk_cuda_check (stream, cudaFuncSetAttribute (add_products<Sample>,
                                                           cudaFuncAttributeMaxDynamicSharedMemorySize,
                                                           (int) (2 * STAGE_BYTES)), "covariance in float64");

  if (code != ESK_OK)
    return code;
  add_products<Sample><<<plan->n_tasks * plan->n_splits, THREADS, 2 * STAGE_BYTES, stream->stream>>> (*plan);

  return esk_cuda_launched (stream, "covariance in float64");
}

int
esk_cuda_covariance_precise (EskStream        *stream,
                             const EskCudaRun *run,
                             EskCudaSums      *sums)
{
  size_t n_bands = run->n_bands, n_blocks, n_tiles, n_values, n_splits, most, least, bytes;
  int code = ESK_ERROR_ARGUMENT;
  Plan plan;

  /* Vectors of samples and of marks are read. Tiles of 2^16 bands are still counted in 32 bits. */
  if (n_bands == 0 || n_bands != sums->n_bands || n_bands > 65536 || sums->exact || esk_type_size (run->type) == 0
      || (uintptr_t) run->data % 16 != 0 || run->band_stride * esk_type_size (run->type) % 16 != 0
      || (uintptr_t) run->valid % 4 != 0)
    return ESK_ERROR_ARGUMENT;
  if (run->n_pixels == 0)
    return ESK_OK;
  code = esk_cuda_enter (stream);
  if (code != ESK_OK)
    return code;

  if (esk_cuda_precise_panels_suit (stream, run))
    return esk_cuda_precise_panels (stream, run, sums);

  n_blocks = esk_cuda_ceil_div (n_bands, BLOCK);
  n_tiles = esk_cuda_ceil_div (n_bands, TILE);
  n_tiles = n_tiles * (n_tiles + 1) / 2;
  n_values = n_tiles * TILE_VALUES;

  plan.data = run->data;
  plan.stride = run->band_stride;
  plan.n_pixels = run->n_pixels;
  plan.n_bands = (unsigned) n_bands;
  plan.valid = run->valid;
  plan.shift = sums->shift;
  plan.n_tasks = (unsigned) (n_blocks * (n_blocks + 1) / 2);
  plan.sum_stride = (unsigned) esk_cuda_round_up (n_bands + 1, 32);

  n_splits = esk_cuda_ceil_div ((size_t) esk_cuda_properties (stream)->multiprocessors * RUNS, plan.n_tasks);
  most = PARTIAL_BYTES / (n_values * sizeof (double));
  n_splits = n_splits < most ? n_splits : most > 0 ? most : 1;
  most = esk_cuda_ceil_div (run->n_pixels, LEAST_PIXELS);
  n_splits = n_splits < most ? n_splits : most;
  least = esk_cuda_ceil_div (run->n_pixels, MOST_PIXELS);
  n_splits = n_splits > least ? n_splits : least;
  plan.split_pixels = esk_cuda_round_up (esk_cuda_ceil_div (run->n_pixels, n_splits), LARGEST_DEPTH);
  plan.n_splits = (unsigned) esk_cuda_ceil_div (run->n_pixels, plan.split_pixels);

  if (__builtin_mul_overflow (n_values + plan.sum_stride, plan.n_splits * sizeof (double), &bytes))
    return ESK_ERROR_MEMORY;
  plan.partial = (double *) esk_cuda_scratch (stream, ESK_SCRATCH_PARTIAL, bytes);
  if (plan.partial == NULL)
    return ESK_ERROR_MEMORY;
  plan.partial_sum = plan.partial + n_values * plan.n_splits;

  ESK_CUDA_FOR_TYPE (run->type, Sample, code = launch_products<Sample> (stream, &plan))
  if (code != ESK_OK)
    return code;
  add_totals<<<(unsigned) esk_cuda_ceil_div (n_values + n_bands + 1, TOTALS_THREADS), TOTALS_THREADS, 0,
               stream->stream>>> (plan, n_values, sums->count, sums->sum, sums->product);

  return esk_cuda_launched (stream, "covariance totals");
}
