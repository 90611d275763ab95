/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Noise residuals of 8- and 16-bit integers, as es-cuda-noise.cu cuts them: exact. */

#include "es-cuda-noise-private.h"

#define COLUMNS (esk_noise_columns (2))
#define STRIP (32 * COLUMNS - 2)
/* Rows that are on their way at a time. */
#define STEP 4

static __device__ __forceinline__ int
low_of (int r)
{
  return (int) (signed char) r;
}

static __device__ __forceinline__ int
part_of (EskNoisePart part,
         int          r)
{
  int low = low_of (r), high = (r - low) >> 8;

  return part == ESK_NOISE_HIGH ? high : part == ESK_NOISE_LOW ? low : high + low;
}

static __device__ __noinline__ bool
counts (const EskNoiseWork &work,
        size_t              row,
        int                 column,
        EskNoiseKind        kind)
{
  return work.valid == NULL || esk_noise_counts (work.valid + row * work.valid_row + column, work.valid_row, kind);
}

/* --- the median, two columns a word --------------------------------------------------------------------------- */

#define PAIRS (COLUMNS / 2)

/* Columns k and k + 1 of a lane. Unsigned numbers of 16 bits are moved down, which differences do not tell. */
template <typename Sample>
static __device__ __forceinline__ void
pack_pairs (const Sample *v,
            unsigned     *pairs)
{
  constexpr unsigned flip = sizeof (Sample) == 2 && (Sample) -1 > 0 ? 0x80008000u : 0u;

#pragma unroll
  for (int k = 0; k < PAIRS; k++)
    pairs[k] = __byte_perm ((unsigned) (int) v[2 * k], (unsigned) (int) v[2 * k + 1], 0x5410) ^ flip;
}

static __device__ __forceinline__ void
pairs_right (const unsigned *v,
             int             lane,
             unsigned       *out)
{
#pragma unroll
  for (int k = 0; k < PAIRS; k++)
    out[k] = __shfl_sync (0xffffffffu, lane == 0 ? __byte_perm (v[k], v[k + 1 < PAIRS ? k + 1 : k], 0x5432) : v[k],
                          lane + 1);
}

static __device__ __forceinline__ void
pairs_left (const unsigned *v,
            int             lane,
            unsigned       *out)
{
#pragma unroll
  for (int k = 0; k < PAIRS; k++)
    out[k] = __shfl_sync (0xffffffffu, lane == 31 ? __byte_perm (v[k > 0 ? k - 1 : k], v[k], 0x5432) : v[k],
                          lane + 31);
}

/* p less the median, both columns of each pair. */
static __device__ __forceinline__ void
less_median (const unsigned *above,
             const unsigned *at,
             const unsigned *below,
             int             lane,
             int            *r)
{
  unsigned low[PAIRS], middle[PAIRS], high[PAIRS], left[PAIRS], right[PAIRS];
  unsigned largest[PAIRS], smallest[PAIRS];

#pragma unroll
  for (int k = 0; k < PAIRS; k++)
    {
      unsigned x = __vmins2 (above[k], at[k]), y = __vmaxs2 (above[k], at[k]);

      low[k] = __vmins2 (x, below[k]);
      middle[k] = __vmaxs2 (x, __vmins2 (y, below[k]));
      high[k] = __vmaxs2 (y, below[k]);
    }
  pairs_left (low, lane, left);
  pairs_right (low, lane, right);
#pragma unroll
  for (int k = 0; k < PAIRS; k++)
    largest[k] = __vmaxs2 (__vmaxs2 (left[k], low[k]), right[k]);
  pairs_left (high, lane, left);
  pairs_right (high, lane, right);
#pragma unroll
  for (int k = 0; k < PAIRS; k++)
    smallest[k] = __vmins2 (__vmins2 (left[k], high[k]), right[k]);
  pairs_left (middle, lane, left);
  pairs_right (middle, lane, right);
#pragma unroll
  for (int k = 0; k < PAIRS; k++)
    {
      unsigned x = __vmins2 (left[k], middle[k]), y = __vmaxs2 (left[k], middle[k]);
      unsigned median = __vmaxs2 (x, __vmins2 (y, right[k]));

      x = __vmins2 (largest[k], smallest[k]);
      y = __vmaxs2 (largest[k], smallest[k]);
      median = __vmaxs2 (x, __vmins2 (y, median));
      r[2 * k] = (int) (short) at[k] - (int) (short) median;
      r[2 * k + 1] = ((int) at[k] >> 16) - ((int) median >> 16);
    }
}

/* --- rows ----------------------------------------------------------------------------------------------------- */

/* The rows above and at the pixels, as the kind keeps them. */
template <typename Sample, int kind>
struct Rows
{
  Sample above[COLUMNS], at[COLUMNS];

  __device__ __forceinline__ void
  push (const Sample *row)
  {
#pragma unroll
    for (int k = 0; k < COLUMNS; k++)
      {
        above[k] = at[k];
        at[k] = row[k];
      }
  }

  __device__ __forceinline__ void
  residuals (const Sample *below,
             int           lane,
             int          *r) const
  {
    if (kind == ESK_NOISE_MEAN)
      {
        int column[COLUMNS], left[COLUMNS], right[COLUMNS];

#pragma unroll
        for (int k = 0; k < COLUMNS; k++)
          column[k] = (int) above[k] + (int) at[k] + (int) below[k];
        esk_noise_left<COLUMNS> (column, lane, left);
        esk_noise_right<COLUMNS> (column, lane, right);
#pragma unroll
        for (int k = 0; k < COLUMNS; k++)
          r[k] = 9 * (int) at[k] - (left[k] + column[k] + right[k]);
      }
    else
      {
        int other[COLUMNS], right[COLUMNS];

#pragma unroll
        for (int k = 0; k < COLUMNS; k++)
          right[k] = other[k] = (int) (kind == ESK_NOISE_RIGHT ? at[k] : below[k]);
        if (kind != ESK_NOISE_LOWER)
          esk_noise_right<COLUMNS> (other, lane, right);
#pragma unroll
        for (int k = 0; k < COLUMNS; k++)
          r[k] = (int) at[k] - right[k];
      }
  }
};

template <typename Sample>
struct Rows<Sample, ESK_NOISE_MEDIAN>
{
  unsigned above[PAIRS], at[PAIRS];

  __device__ __forceinline__ void
  push (const Sample *row)
  {
#pragma unroll
    for (int k = 0; k < PAIRS; k++)
      above[k] = at[k];
    pack_pairs (row, at);
  }

  __device__ __forceinline__ void
  residuals (const Sample *row,
             int           lane,
             int          *r) const
  {
    unsigned below[PAIRS];

    pack_pairs (row, below);
    less_median (above, at, below, lane, r);
  }
};

/* A warp a strip and a run of rows of one band. */
template <typename Sample, int kind>
static __global__ void __launch_bounds__ (ESK_NOISE_WARPS * 32)
noise_exact (const EskNoiseWork work)
{
  constexpr bool looks_below = kind != ESK_NOISE_RIGHT, looks_above = kind <= ESK_NOISE_MEDIAN;
  const EskNoisePlace place = esk_noise_place (work, STRIP);
  const int column = place.column + place.lane - 1;
  bool read[COLUMNS], stored[COLUMNS];

  if (place.row >= place.end)
    return;
  esk_noise_columns_of<COLUMNS> (work, place, read, stored);

  for (size_t band = blockIdx.y; band < work.n_bands; band += gridDim.y)
    {
      const Sample *from = (const Sample *) work.from + band * work.from_band + column
                           + (ptrdiff_t) (place.row * work.from_row);
      int16_t *to = (int16_t *) work.to + band * work.to_band + place.row * work.to_row + column;
      Rows<Sample, kind> rows = { };
      Sample next[STEP][COLUMNS];
      /* Rows that are left to read. */
      int n_rows = (int) (place.end - place.row) + (looks_below ? 1 : 0);

      if (looks_above)
        {
          esk_noise_read<COLUMNS> (from - (ptrdiff_t) work.from_row, read, next[0]);
          rows.push (next[0]);
        }
      if (looks_below)
        {
          esk_noise_read<COLUMNS> (from, read, next[0]);
          rows.push (next[0]);
          from += work.from_row;
          n_rows--;
        }

      for (size_t row = place.row; n_rows > 0; n_rows -= STEP)
        {
#pragma unroll
          for (int s = 0; s < STEP; s++, from += work.from_row)
            if (s < n_rows)
              esk_noise_read<COLUMNS> (from, read, next[s]);
#pragma unroll
          for (int s = 0; s < STEP; s++, row++, to += work.to_row)
            {
              int r[COLUMNS], out[COLUMNS], clamped = 0;

              if (s >= n_rows)
                break;
              if (!looks_below)
                rows.push (next[s]);
              rows.residuals (next[s], place.lane, r);
              if (looks_below)
                rows.push (next[s]);
#pragma unroll
              for (int k = 0; k < COLUMNS; k++)
                {
                  out[k] = min (max (r[k], -32768), 32767);
                  clamped |= out[k] ^ r[k];
                }
              if (work.part != ESK_NOISE_WHOLE)
                {
#pragma unroll
                  for (int k = 0; k < COLUMNS; k++)
                    out[k] = part_of (work.part, r[k]);
                }
              else if (sizeof (Sample) == 2 && clamped != 0 && work.overflow != NULL)
                {
#pragma unroll
                  for (int k = 0; k < COLUMNS; k++)
                    if (out[k] != r[k] && stored[k] && counts (work, row, column + 32 * k, (EskNoiseKind) kind))
                      *work.overflow = 1;
                }
#pragma unroll
              for (int k = 0; k < COLUMNS; k++)
                if (stored[k])
                  to[32 * k] = (int16_t) out[k];
            }
        }
    }
}

template <typename Sample>
static void
launch (cudaStream_t        stream,
        dim3                grid,
        EskNoiseKind        kind,
        const EskNoiseWork *work)
{
  switch (kind)
    {
#define CASE(kind) \
    case kind: noise_exact<Sample, kind><<<grid, ESK_NOISE_WARPS * 32, 0, stream>>> (*work); break;
    CASE (ESK_NOISE_MEAN)
    CASE (ESK_NOISE_MEDIAN)
    CASE (ESK_NOISE_RIGHT)
    CASE (ESK_NOISE_LOWER)
    CASE (ESK_NOISE_LOWER_RIGHT)
#undef CASE
    default: break;
    }
}

void
esk_cuda_noise_exact (cudaStream_t        stream,
                      dim3                grid,
                      EskType             type,
                      EskNoiseKind        kind,
                      const EskNoiseWork *work)
{
  switch (type)
    {
    case ESK_U8: launch<uint8_t> (stream, grid, kind, work); break;
    case ESK_I8: launch<int8_t> (stream, grid, kind, work); break;
    case ESK_U16: launch<uint16_t> (stream, grid, kind, work); break;
    case ESK_I16: launch<int16_t> (stream, grid, kind, work); break;
    default: break;
    }
}
