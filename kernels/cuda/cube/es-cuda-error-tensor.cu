/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * Errors of a reduction with matrix instructions (compute capability 8.0 and later).
 *
 * A warp takes 32 pixels: their components stay in its registers, and the bands pass by, 16 at a time, whose estimates
 * are compared where they come out. Lane (g, t) = (lane / 4, lane % 4) has the pixels 8 t .. 8 t + 7 of the bands g and
 * g + 8 of every 16: one read each, of 16 bytes where samples have two. Which pixel is which column of an instruction,
 * and which component which of its k, does not matter to the results; pixel 8 (n / 2) + 2 j + n % 2 is column n of the
 * j-th of four, component 16 s + 4 t + i is one of the k of lane t in step s.
 *
 * Accuracy. A component's column of the backward matrix (in units of scale) is brought to at most 1 by a power of two,
 * the components of a tile, times that power, by another one, so that the largest is near the end of float16. Both are
 * split into two float16, which hold 22 bits, and 2^-39 of the largest; three of the four products are formed, small
 * ones first, in float32: what is left out is 2^-22 of an estimate. They begin with what the mean, rounded to float32,
 * leaves out.
 *
 * Predicted for 781 x 6955 x 224 int16 and 27 components on an H100: 0.85 ms of reading, 0.4 ms of matrix instructions,
 * 0.8 ms of issuing all instructions, 285 for 16 bands of 32 pixels.
 */

#include "es-cuda-error-tensor-kernels.cuh"

#include <math.h>
#include <string.h>

/* What a block's shared memory is to hold at most: operands, bands, and sums of bands. */
#define MOST_SHARED ((size_t) 96 << 10)

/* --- tables ------------------------------------------------------------------------------------------------------ */

/* Operands: [16 bands][step][high, low][lane], four registers of two float16 each; then a Band each, zeros behind the
 * last; then the components' scales. */
static size_t
count_groups (const EskMatrix *backward)
{
  return (backward->rows + BANDS - 1) / BANDS;
}

/* 1, 2 or 4. */
static int
count_steps (size_t n_components)
{
  return n_components <= STEP ? 1 : n_components <= 2 * STEP ? 2 : MOST_STEPS;
}

static size_t
operand_bytes (const EskMatrix *backward)
{
  return count_groups (backward) * (size_t) count_steps (backward->columns) * 2 * 32 * sizeof (uint4);
}

/* What comes before the components' scales. */
static size_t
table_bytes (const EskMatrix *backward)
{
  return operand_bytes (backward) + count_groups (backward) * BANDS * sizeof (Band);
}

/* Those, and the sums of bands. */
static size_t
shared_bytes (const EskMatrix *backward)
{
  return table_bytes (backward) + count_groups (backward) * 32 * WARPS * sizeof (double);
}

size_t
esk_cuda_error_tensor_bytes (const EskMatrix *backward)
{
  return table_bytes (backward) + MOST_STEPS * STEP * sizeof (float);
}

bool
esk_cuda_error_suits_tensor (const EskStream *stream,
                             EskType          type,
                             const EskMatrix *backward)
{
  if (type != ESK_U8 && type != ESK_I8 && type != ESK_U16 && type != ESK_I16 && type != ESK_F32)
    return false;
  if (esk_cuda_properties (stream)->major < 8 || backward->columns > MOST_STEPS * STEP
      || shared_bytes (backward) > MOST_SHARED
      || shared_bytes (backward) + THREADS * sizeof (EskErrorPixels) > esk_cuda_properties (stream)->shared_optin)
    return false;
  for (size_t i = 0; i < backward->rows * backward->columns; i++)
    if (!isfinite (backward->values[i]))
      return false;

  return true;
}

/* The power of two that is just above the magnitudes of a column of the matrix, whose rows are scaled. */
static int
column_exponent (const EskMatrix *matrix,
                 const Band      *bands,
                 size_t           column)
{
  double largest = 0.0;
  int exponent;

  for (size_t b = 0; b < matrix->rows; b++)
    largest = fmax (largest, fabs ((double) matrix->values[b * matrix->columns + column] * bands[b].scale));
  frexp (largest, &exponent);

  return largest == 0.0 ? 0 : exponent < -100 ? -100 : exponent > 100 ? 100 : exponent;
}

void
esk_cuda_error_tensor_tables (const EskMatrix *backward,
                              const double    *mean,
                              const double    *scale,
                              const double    *offset,
                              double           unit,
                              void            *tables)
{
  const int n_steps = count_steps (backward->columns);
  __half *operands = (__half *) tables;
  Band *bands = (Band *) ((char *) tables + operand_bytes (backward));
  float *scales = (float *) (bands + count_groups (backward) * BANDS);

  memset (tables, 0, esk_cuda_error_tensor_bytes (backward));
  for (size_t b = 0; b < backward->rows; b++)
    {
      const float factor = (float) ((scale != NULL ? scale[b] : 1.0) / unit);
      const double centre = mean != NULL ? mean[b] * (double) factor : 0.0;

      bands[b].scale = factor;
      bands[b].centre = (float) -centre;
      bands[b].offset = offset != NULL ? (float) (offset[b] / unit) : 0.0f;
      bands[b].rest = (float) (centre + (double) bands[b].centre);
    }
  for (size_t r = 0; r < backward->columns; r++)
    {
      const int exponent = column_exponent (backward, bands, r);
      const size_t step = r / STEP, t = r % STEP / 4, i = r % 4;

      scales[r] = ldexpf (1.0f, exponent);
      for (size_t b = 0; b < backward->rows; b++)
        {
          const float value = (float) ldexp ((double) backward->values[b * backward->columns + r] * bands[b].scale,
                                             -exponent);
          const __half high = __float2half (value), low = __float2half (value - __half2float (high));
          /* Register 2 (i / 2) + (band / 8 % 2) of lane 4 (band % 8) + t, its half i % 2. */
          __half *to = operands + ((((b / BANDS * n_steps + step) * 2) * 32 + b % 8 * 4 + t) * 4
                                   + i / 2 * 2 + b / 8 % 2) * 2 + i % 2;

          to[0] = high;
          to[32 * 4 * 2] = low;
        }
    }
}

/* --- calls -------------------------------------------------------------------------------------------------------- */

template <typename Sample, int n_steps>
static int
launch (EskStream          *stream,
        unsigned            n_blocks,
        const EskErrorWork *work,
        const void         *tables)
{
  const size_t n_groups = (size_t) ((work->n_bands + BANDS - 1) / BANDS);
  const size_t bytes = n_groups * (n_steps * 2 * 32 * sizeof (uint4) + BANDS * sizeof (Band)
                                   + 32 * WARPS * sizeof (double));
  int code = esk_cuda_check (stream, cudaFuncSetAttribute (find_errors<Sample, n_steps>,
                                                           cudaFuncAttributeMaxDynamicSharedMemorySize, (int) bytes),
                             "errors of a reduction");

  if (code != ESK_OK)
    return code;
  find_errors<Sample, n_steps><<<n_blocks, THREADS, bytes, stream->stream>>> (*work, (const uint4 *) tables);

  return esk_cuda_launched (stream, "errors of a reduction");
}

template <typename Sample>
static int
launch_type (EskStream          *stream,
             unsigned            n_blocks,
             const EskErrorWork *work,
             const void         *tables)
{
  switch (count_steps ((size_t) work->n_components))
    {
    case 1:
      return launch<Sample, 1> (stream, n_blocks, work, tables);
    case 2:
      return launch<Sample, 2> (stream, n_blocks, work, tables);
    default:
      return launch<Sample, MOST_STEPS> (stream, n_blocks, work, tables);
    }
}

int
esk_cuda_error_tensor (EskStream          *stream,
                       EskType             type,
                       unsigned            n_blocks,
                       const EskErrorWork *work,
                       const void         *tables)
{
  switch (type)
    {
    case ESK_U8:
      return launch_type<uint8_t> (stream, n_blocks, work, tables);
    case ESK_I8:
      return launch_type<int8_t> (stream, n_blocks, work, tables);
    case ESK_U16:
      return launch_type<uint16_t> (stream, n_blocks, work, tables);
    case ESK_I16:
      return launch_type<int16_t> (stream, n_blocks, work, tables);
    case ESK_F32:
      return launch_type<float> (stream, n_blocks, work, tables);
    default:
      return ESK_ERROR_ARGUMENT;
    }
}
