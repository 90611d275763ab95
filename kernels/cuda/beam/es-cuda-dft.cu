/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * Spectra of an array (sonar.md 3): samples to rows of float32, batched transforms by cuFFT, and the bins that are
 * wanted to where beams read them; for some lengths by our own (es-cuda-dft-own.cu), at once. In batches of elements,
 * so that scratch memory does not grow with the array. Plans own no memory: what they work in is the stream's. Of many
 * elements of 16 bits, channel beside channel, a few hundred neighbouring bins come from the samples without rows
 * (es-cuda-dft-tensor.cu). Measured on an H200, 16,384 elements of 8,000 samples of 16 bits, by cuFFT: 0.57 ms, of
 * which the transforms are the half; one transform after the other takes 81 ms.
 */

#include "es-cuda-arrays-private.h"
#include "cuda/core/es-cuda-samples-internal.h"

#include <cufft.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Bytes of the rows of a batch; as many come out. */
#define BATCH_BYTES ((size_t) 256 << 20)
#define SMALL_BYTES ((size_t) 256 << 10)
/* What a launch takes in its second and third dimension. */
#define MOST_ROWS ((size_t) 32768)

struct _EskDft {
  EskDftPlan     plan;                 /* its arrays are not looked at */
  EskCudaArrays  arrays;
  uint32_t      *channels;             /* NULL: element k is channel k */
  float         *gains, *window;
  uint32_t       last_channel;
  size_t         elements, snapshots;  /* of a batch */
  cufftHandle    fft;
  bool           has_fft;
  float2        *turns;                /* of our own transforms; NULL: cuFFT's */
  void          *tables;               /* of those on tensor cores; NULL: there are none */
  size_t         work_bytes;
};

static int
check_fft (EskStream   *stream,
           cufftResult  status,
           const char  *what)
{
  int code;

  if (status == CUFFT_SUCCESS)
    return ESK_OK;
  if (status == CUFFT_ALLOC_FAILED)
    return esk_cuda_check (stream, cudaErrorMemoryAllocation, what);
  code = esk_cuda_check (stream, cudaGetLastError (), what);
  if (code == ESK_OK)
    {
      code = esk_cuda_check (stream, cudaErrorUnknown, what);
      snprintf (stream->error, sizeof stream->error, "%s: cuFFT answers %d", what, (int) status);
    }

  return code;
}

bool
esk_cuda_wants_slices (void)
{
  const char *variant = getenv ("ES_CUDA_ARRAYS");

  return variant != NULL && strcmp (variant, "slices") == 0;
}

/* ---- arrays ---- */

void *
esk_cuda_array_new (EskStream     *stream,
                    EskCudaArrays *arrays,
                    const void    *from,
                    size_t         bytes,
                    int           *code)
{
  void *memory = NULL;

  arrays->index = stream->index;
  *code = arrays->n < ESK_CUDA_MOST_ARRAYS ? esk_cuda_check (stream, esk_cuda_malloc (&memory, bytes), "tables")
                                           : ESK_ERROR_MEMORY;
  if (*code != ESK_OK)
    return NULL;
  arrays->memory[arrays->n++] = memory;
  if (from != NULL)
    *code = esk_cuda_upload_table (stream, memory, from, bytes);

  return *code == ESK_OK ? memory : NULL;
}

void
esk_cuda_arrays_free (EskCudaArrays *arrays)
{
  if (arrays->n > 0)
    cudaSetDevice (arrays->index);
  for (size_t k = 0; k < arrays->n; k++)
    cudaFree (arrays->memory[k]);
  arrays->n = 0;
  cudaGetLastError ();
}

/* ---- preparing ---- */

static int
check_plan (const EskDftPlan *plan)
{
  if (plan == NULL || plan->length < 2 || plan->length % 2 != 0 || plan->length > INT_MAX / 2
      || plan->window_length < 1 || plan->window_length > plan->length || plan->snapshots < 1
      || (plan->snapshots > 1 && plan->hop < 1) || plan->bins < 1 || plan->bins > plan->length / 2 + 1
      || plan->first_bin > plan->length / 2 + 1 - plan->bins || plan->elements < 1
      || (unsigned) plan->library >= ESK_N_DFT_LIBRARIES
      || esk_spectra_bytes (plan->elements, plan->bins, plan->snapshots) == 0
      || !isfinite (esk_dft_scale (plan->length, plan->window_length, plan->window)))
    return ESK_ERROR_ARGUMENT;

  return ESK_OK;
}

/* Whether weights may become float16 with the samples: they neither leave its range nor its precision. */
static bool
suits_halves (const EskDftPlan *plan)
{
  float largest = plan->window == NULL ? 1.0f : 0.0f;

  for (size_t k = 0; plan->window != NULL && k < plan->window_length; k++)
    largest = fmaxf (largest, fabsf (plan->window[k]));
  return largest >= 0.5f && largest <= 1.0f;
}

/* Channels, gains with the scale in them, and the window, on the device. */
static int
make_tables (EskStream        *stream,
             EskDft           *dft,
             const EskDftPlan *plan)
{
  const double scale = esk_dft_scale (plan->length, plan->window_length, plan->window);
  float *gains = (float *) reallocarray (NULL, plan->elements, sizeof *gains);
  bool identity = true;
  int code = ESK_OK;

  if (gains == NULL)
    return ESK_ERROR_MEMORY;
  for (size_t k = 0; k < plan->elements; k++)
    {
      uint32_t channel = plan->channels != NULL ? plan->channels[k] : (uint32_t) k;

      gains[k] = (float) (scale * (plan->gains != NULL ? (double) plan->gains[k] : 1.0));
      dft->last_channel = channel > dft->last_channel ? channel : dft->last_channel;
      identity = identity && channel == k;
    }

  dft->gains = (float *) esk_cuda_array_new (stream, &dft->arrays, gains, plan->elements * sizeof *gains, &code);
  if (code == ESK_OK && !identity)
    dft->channels = (uint32_t *) esk_cuda_array_new (stream, &dft->arrays, plan->channels,
                                                     plan->elements * sizeof *plan->channels, &code);
  if (code == ESK_OK && plan->library == ESK_DFT_AUTO && esk_cuda_own_dft_suits (stream, plan->length, plan->bins))
    {
      float2 *turns = esk_cuda_own_dft_turns (plan->length);

      code = turns != NULL ? ESK_OK : ESK_ERROR_MEMORY;
      if (turns != NULL)
        dft->turns = (float2 *) esk_cuda_array_new (stream, &dft->arrays, turns, plan->length / 2 * sizeof *turns,
                                                    &code);
      free (turns);
    }
  if (code == ESK_OK && plan->library == ESK_DFT_AUTO && identity && suits_halves (plan)
      && esk_cuda_tensor_dft_suits (stream, plan->length, plan->first_bin, plan->bins, plan->window != NULL))
    {
      void *tables = esk_cuda_tensor_dft_tables (plan->length, plan->first_bin, plan->bins);

      code = tables != NULL ? ESK_OK : ESK_ERROR_MEMORY;
      if (tables != NULL)
        dft->tables = esk_cuda_array_new (stream, &dft->arrays, tables,
                                          esk_cuda_tensor_dft_bytes (plan->length, plan->first_bin, plan->bins), &code);
      free (tables);
    }
  if (code == ESK_OK && plan->window != NULL)
    {
      /* With the zeros behind it. */
      float *window = (float *) calloc (plan->length, sizeof *window);

      code = window != NULL ? ESK_OK : ESK_ERROR_MEMORY;
      if (window != NULL)
        {
          memcpy (window, plan->window, plan->window_length * sizeof *window);
          dft->window = (float *) esk_cuda_array_new (stream, &dft->arrays, window, plan->length * sizeof *window,
                                                      &code);
        }
      free (window);
    }
  free (gains);

  return code;
}

/* As few batches as the memory allows, all about equally large. */
static void
choose_batch (EskDft *dft,
              size_t  bytes)
{
  const EskDftPlan *plan = &dft->plan;
  size_t rows = bytes / (plan->length * sizeof (float));

  rows = rows > MOST_ROWS ? MOST_ROWS : rows < 1 ? 1 : rows;
  dft->elements = plan->elements;
  dft->snapshots = 1;
  if (plan->elements > rows)
    {
      dft->elements = esk_cuda_ceil_div (plan->elements, esk_cuda_ceil_div (plan->elements, rows));
      if (dft->elements > ESK_CUDA_FRAME_TILE)
        dft->elements = esk_cuda_round_up (dft->elements, ESK_CUDA_FRAME_TILE);
    }
  else
    {
      rows /= plan->elements;
      dft->snapshots = esk_cuda_ceil_div (plan->snapshots, esk_cuda_ceil_div (plan->snapshots, rows));
    }
}

static size_t
row_bytes (const EskDft *dft)
{
  return dft->elements * dft->snapshots * dft->plan.length * sizeof (float);
}

static size_t
result_bytes (const EskDft *dft)
{
  return dft->elements * dft->snapshots * (dft->plan.length / 2 + 1) * sizeof (float2);
}

/* Rows, results and cuFFT's own memory, of the stream's. */
static int
take_memory (EskStream  *stream,
             EskDft     *dft,
             float     **rows,
             float2    **results)
{
  void *work;

  *rows = (float *) esk_cuda_scratch (stream, ESK_SCRATCH_IMPORT, row_bytes (dft));
  *results = NULL;
  if (dft->turns != NULL && *rows != NULL)
    return ESK_OK;
  *results = (float2 *) esk_cuda_scratch (stream, ESK_SCRATCH_COMPACT, result_bytes (dft));
  work = esk_cuda_scratch (stream, ESK_SCRATCH_WORK, dft->work_bytes > 0 ? dft->work_bytes : 1);
  if (*rows == NULL || *results == NULL || work == NULL)
    return esk_cuda_device_is_lost (stream->device) ? ESK_ERROR_LOST : ESK_ERROR_MEMORY;

  return check_fft (stream, cufftSetWorkArea (dft->fft, work), "transforms");
}

static int
transform (EskStream *stream,
           EskDft    *dft,
           float     *rows,
           float2    *results)
{
  const size_t length = dft->plan.length, n_rows = dft->elements * dft->snapshots;
  int code = ESK_OK;

  if (dft->plan.library != ESK_DFT_SINGLE)
    return check_fft (stream, cufftExecR2C (dft->fft, rows, (cufftComplex *) results), "transforms");
  for (size_t r = 0; r < n_rows && code == ESK_OK; r++)
    code = check_fft (stream, cufftExecR2C (dft->fft, rows + r * length,
                                            (cufftComplex *) (results + r * (length / 2 + 1))), "transforms");

  return code;
}

static int
try_fft (EskStream *stream,
         EskDft    *dft)
{
  const bool many = dft->plan.library != ESK_DFT_SINGLE;
  long long length = (long long) dft->plan.length;
  float *rows;
  float2 *results;
  int code;

  if (dft->turns != NULL)
    return take_memory (stream, dft, &rows, &results);
  code = check_fft (stream, cufftCreate (&dft->fft), "preparing transforms");

  if (code != ESK_OK)
    return code;
  dft->has_fft = true;
  code = check_fft (stream, cufftSetAutoAllocation (dft->fft, 0), "preparing transforms");
  if (code == ESK_OK)
    code = check_fft (stream, cufftMakePlanMany64 (dft->fft, 1, &length, NULL, 1, length, NULL, 1, length / 2 + 1,
                                                   CUFFT_R2C, many ? (long long) (dft->elements * dft->snapshots) : 1,
                                                   &dft->work_bytes), "preparing transforms");
  if (code == ESK_OK)
    code = check_fft (stream, cufftSetStream (dft->fft, stream->stream), "preparing transforms");
  /* The first transform loads its code, and takes the memory. */
  if (code == ESK_OK)
    code = take_memory (stream, dft, &rows, &results);
  if (code == ESK_OK)
    code = esk_cuda_check (stream, cudaMemsetAsync (rows, 0, row_bytes (dft), stream->stream), "preparing transforms");
  if (code == ESK_OK)
    code = transform (stream, dft, rows, results);

  return code;
}

/* In smaller batches where the memory does not suffice. */
static int
make_fft (EskStream *stream,
          EskDft    *dft,
          size_t     bytes)
{
  int code;

  for (;; bytes /= 2)
    {
      size_t before = row_bytes (dft);

      choose_batch (dft, bytes);
      code = row_bytes (dft) != before ? try_fft (stream, dft) : ESK_ERROR_MEMORY;
      if (code != ESK_ERROR_MEMORY || bytes <= SMALL_BYTES)
        return code;
      if (dft->has_fft)
        cufftDestroy (dft->fft);
      dft->has_fft = false;
    }
}

EskDft *
esk_cuda_dft_new (EskStream        *stream,
                  const EskDftPlan *plan,
                  int              *code)
{
  EskDft *dft;

  *code = stream != NULL ? check_plan (plan) : ESK_ERROR_ARGUMENT;
  if (*code == ESK_OK)
    *code = esk_cuda_enter (stream);
  if (*code != ESK_OK)
    return NULL;
  dft = (EskDft *) calloc (1, sizeof *dft);
  if (dft == NULL)
    {
      *code = ESK_ERROR_MEMORY;
      return NULL;
    }

  dft->plan = *plan;
  dft->arrays.index = stream->index;
  *code = make_tables (stream, dft, plan);
  if (*code == ESK_OK)
    *code = make_fft (stream, dft, esk_cuda_wants_slices () ? SMALL_BYTES : BATCH_BYTES);
  /* Other streams may use it from now on. */
  if (*code == ESK_OK)
    *code = esk_cuda_check (stream, cudaStreamSynchronize (stream->stream), "preparing transforms");
  if (*code != ESK_OK)
    {
      esk_cuda_dft_free (dft);
      return NULL;
    }

  return dft;
}

void
esk_cuda_dft_free (EskDft *dft)
{
  if (dft == NULL)
    return;

  cudaSetDevice (dft->arrays.index);
  if (dft->has_fft)
    cufftDestroy (dft->fft);
  esk_cuda_arrays_free (&dft->arrays);
  cudaGetLastError ();
  free (dft);
}

/* ---- transforming ---- */

static int
check_run (const EskDft     *dft,
           const EskFrames  *frames,
           const EskSpectra *spectra)
{
  const EskDftPlan *plan;
  size_t needed;

  if (dft == NULL || frames == NULL || spectra == NULL || frames->data == NULL || spectra->values == NULL)
    return ESK_ERROR_ARGUMENT;
  plan = &dft->plan;
  if (frames->type != ESK_I16 && frames->type != ESK_I32 && frames->type != ESK_F32 && frames->type != ESK_F64)
    return ESK_ERROR_ARGUMENT;
  if (__builtin_mul_overflow (plan->snapshots - 1, plan->hop, &needed)
      || __builtin_add_overflow (needed, plan->window_length, &needed) || frames->frames < needed
      || frames->channels <= dft->last_channel)
    return ESK_ERROR_ARGUMENT;
  if (spectra->elements != plan->elements || spectra->bins != plan->bins || spectra->snapshots != plan->snapshots
      || spectra->stride != esk_spectra_stride (plan->elements))
    return ESK_ERROR_ARGUMENT;

  return ESK_OK;
}

int
esk_cuda_real_dft (EskStream        *stream,
                   EskDft           *dft,
                   const EskFrames  *frames,
                   const EskSpectra *spectra,
                   EskChannelHealth *health)
{
  const EskDftPlan *plan;
  float *rows = NULL;
  float2 *results = NULL;
  int code = stream != NULL ? check_run (dft, frames, spectra) : ESK_ERROR_ARGUMENT;

  if (code == ESK_OK)
    code = esk_cuda_enter (stream);
  if (code != ESK_OK)
    return code;
  plan = &dft->plan;
  if (dft->tables != NULL)
    {
      const EskCudaTensorRows tensor_rows = { *frames, dft->gains, dft->window, dft->tables, plan->length,
                                              plan->window_length, plan->hop, plan->elements, plan->snapshots,
                                              (unsigned) plan->first_bin, (unsigned) plan->bins, spectra->values,
                                              spectra->stride, health };

      if (esk_cuda_suits_tensor_rows (stream, &tensor_rows))
        return esk_cuda_tensor_dft (stream, &tensor_rows);
    }
  if (dft->has_fft)
    code = check_fft (stream, cufftSetStream (dft->fft, stream->stream), "transforms");
  if (code == ESK_OK)
    code = take_memory (stream, dft, &rows, &results);

  for (size_t s = 0; s < plan->snapshots && code == ESK_OK; s += dft->snapshots)
    for (size_t e = 0; e < plan->elements && code == ESK_OK; e += dft->elements)
      {
        size_t n = plan->elements - e < dft->elements ? plan->elements - e : dft->elements;
        size_t n_snapshots = plan->snapshots - s < dft->snapshots ? plan->snapshots - s : dft->snapshots;
        EskCudaFrameRows frame_rows = { *frames, dft->channels, dft->gains, dft->window, plan->window_length,
                                        plan->length, plan->hop, e, n, s, n_snapshots, rows, health };
        EskCudaBinRows bin_rows = { results, plan->length / 2 + 1, e, n, s, n_snapshots, plan->first_bin, plan->bins,
                                    plan->length / 2, e + n == plan->elements ? spectra->stride : e + n,
                                    spectra->values, spectra->stride, plan->snapshots };

        if (dft->turns != NULL)
          {
            const bool is_short = esk_cuda_suits_short_rows (&frame_rows);
            EskCudaOwnRows own_rows = { rows, dft->gains, dft->window, dft->turns, e, n, s,
                                        n_snapshots, bin_rows.end, (unsigned) plan->first_bin, (unsigned) plan->bins,
                                        spectra->values, spectra->stride, plan->snapshots };

            code = is_short ? esk_cuda_short_rows (stream, &frame_rows, (int16_t *) rows)
                            : esk_cuda_frame_rows (stream, &frame_rows);
            if (code == ESK_OK)
              code = esk_cuda_own_dft (stream, plan->length, is_short, &own_rows);
            continue;
          }
        code = esk_cuda_frame_rows (stream, &frame_rows);
        /* Rows behind them are transformed too, and not looked at. */
        if (code == ESK_OK && n * n_snapshots < dft->elements * dft->snapshots)
          code = esk_cuda_check (stream, cudaMemsetAsync (rows + n * n_snapshots * plan->length, 0,
                                                          row_bytes (dft) - n * n_snapshots * plan->length
                                                                            * sizeof (float), stream->stream),
                                 "transforms");
        if (code == ESK_OK)
          code = transform (stream, dft, rows, results);
        if (code == ESK_OK)
          code = esk_cuda_bin_rows (stream, &bin_rows);
      }

  return code;
}
