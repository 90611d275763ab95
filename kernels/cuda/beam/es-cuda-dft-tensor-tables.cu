/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * Matrices and phases of the transforms on tensor cores (es-cuda-dft-tensor.cu), made on the host in float64 and laid
 * out as their lanes read them.
 */

#include "es-cuda-dft-tensor.cuh"

#include <math.h>
#include <stdlib.h>

static uint32_t
two_halves (double  x,
            double  y,
            bool    low)
{
  const __half hx = __float2half_rn ((float) x), hy = __float2half_rn ((float) y);
  const __half lx = __float2half_rn ((float) (x - (double) __half2float (hx)));
  const __half ly = __float2half_rn ((float) (y - (double) __half2float (hy)));
  const __half_raw a = low ? lx : hx, b = low ? ly : hy;

  return (uint32_t) a.x | (uint32_t) b.x << 16;
}

/* Element (row, j) of the first matrix: tile 0 has rows of r = 1 .. 8, first the real parts, tile 1 of r = 9 .. 16, and
 * y_0 where r = 16 has no imaginary part. */
static double
first_factor (unsigned tile,
              unsigned row,
              unsigned j)
{
  const unsigned r = 8 * tile + row % 8 + 1;
  const double angle = 2.0 * 3.14159265358979323846 * (double) (r * j % RESIDUES) / RESIDUES;

  if (row < 8)
    return cos (angle);
  return r == 16 ? 1.0 : -sin (angle);
}

/* Element (t, column) of the second: columns are C and S of one m after the other. */
static double
second_factor (size_t   turns,
               size_t   m,
               double   half,
               size_t   t,
               bool     sine)
{
  const double angle = 2.0 * 3.14159265358979323846 * fmod (((double) m + half) * (double) t, (double) turns)
                       / (double) turns;

  return sine ? sin (angle) : cos (angle);
}

unsigned
esk_cuda_tensor_dft_tiles (size_t first_bin,
                           size_t bins)
{
  const size_t values = (first_bin + bins - 1) / RESIDUES - first_bin / RESIDUES + 1;

  return (unsigned) ((values + 3) / 4);
}

size_t
esk_cuda_tensor_dft_bytes (size_t length,
                           size_t first_bin,
                           size_t bins)
{
  const size_t turns = length / RESIDUES;
  const unsigned tiles = esk_cuda_tensor_dft_tiles (first_bin, bins);

  return (FIRST_VECTORS + TURN_VECTORS (turns) + 2 * SECOND_VECTORS (turns, tiles)) * sizeof (uint4);
}

void *
esk_cuda_tensor_dft_tables (size_t length,
                            size_t first_bin,
                            size_t bins)
{
  const size_t turns = length / RESIDUES, first_m = first_bin / RESIDUES;
  const unsigned tiles = esk_cuda_tensor_dft_tiles (first_bin, bins);
  uint32_t *tables = (uint32_t *) malloc (esk_cuda_tensor_dft_bytes (length, first_bin, bins)), *to = tables;

  if (tables == NULL)
    return NULL;

  /* Samples j = 8 q + 4 step .. are the columns 2 q, 2 q + 1, 2 q + 8 and 2 q + 9 of a step of 16. */
  for (unsigned tile = 0; tile < 2; tile++)
    for (unsigned step = 0; step < 2; step++)
      for (unsigned low = 0; low < 2; low++)
        for (unsigned lane = 0; lane < WARP; lane++)
          for (unsigned k = 0; k < 4; k++)
            {
              const unsigned row = lane / 4 + k % 2 * 8, j = 8 * (lane % 4) + 4 * step + k / 2 * 2;

              *to++ = two_halves (first_factor (tile, row, j), first_factor (tile, row, j + 1), low != 0);
            }
  for (size_t eight = 0; eight < turns / 8; eight++)
    for (unsigned tile = 0; tile < 2; tile++)
      for (unsigned lane = 0; lane < WARP; lane++)
        for (unsigned k = 0; k < 2; k++)
          {
            const double t = (double) (8 * eight + 2 * (lane % 4) + k), r = 8 * tile + lane / 4 + 1;
            const double angle = 2.0 * 3.14159265358979323846 * t * (r - 16.0) / (double) length;
            const float parts[2] = { (float) (cos (angle) / (double) SCALE), (float) (-sin (angle) / (double) SCALE) };

            memcpy (to, parts, sizeof parts);
            to += 2;
          }
  for (unsigned whole = 0; whole < 2; whole++)
    for (size_t step = 0; step < turns / STEP; step++)
      for (unsigned tile = 0; tile < tiles; tile++)
        for (unsigned lane = 0; lane < WARP; lane++)
          for (unsigned k = 0; k < 4; k++)
            {
              const size_t t = STEP * step + 2 * (lane % 4) + k % 2 * 8, m = first_m + 4 * tile + lane / 8;
              const double half = whole ? 0.0 : 0.5;
              const bool sine = lane / 4 % 2 != 0;

              *to++ = two_halves (second_factor (turns, m, half, t, sine), second_factor (turns, m, half, t + 1, sine),
                                  k >= 2);
            }

  return tables;
}
