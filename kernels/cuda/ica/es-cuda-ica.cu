/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A step of FastICA (hyperspectral.md 2.3) and the moments of its components: checks, the choice of an engine, and the
 * way of the sums to the host. */

#include "es-cuda-ica-private.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define WARP 32
#define GROUPS 32

/* A column of threads a value: each adds every GROUPS-th slot, then their sums are added, always in the same order. */
static __global__ void
add_slots (const double *partial,
           size_t        n_slots,
           size_t        n_values,
           double       *totals)
{
  __shared__ double sums[GROUPS][WARP + 1];
  size_t value = (size_t) blockIdx.x * WARP + threadIdx.x;
  double total = 0.0;

  if (value < n_values)
#pragma unroll 8
    for (size_t slot = threadIdx.y; slot < n_slots; slot += GROUPS)
      total += partial[slot * n_values + value];
  sums[threadIdx.y][threadIdx.x] = total;
  __syncthreads ();

  /* A warp a value from here on. */
  value = (size_t) blockIdx.x * WARP + threadIdx.y;
  total = sums[threadIdx.x][threadIdx.y];
  for (int distance = WARP / 2; distance > 0; distance /= 2)
    total += __shfl_xor_sync (0xffffffffu, total, distance);
  if (threadIdx.x == 0 && value < n_values)
    totals[value] += total;
}

int
esk_cuda_ica_add_slots (EskStream    *stream,
                        const double *partial,
                        size_t        n_slots,
                        size_t        n_values,
                        double       *totals)
{
  add_slots<<<(unsigned) ((n_values + WARP - 1) / WARP), dim3 (WARP, GROUPS), 0, stream->stream>>> (partial, n_slots,
                                                                                                  n_values, totals);

  return esk_cuda_launched (stream, "sums of components");
}

/* ES_CUDA_ICA=plain keeps off the engines that are made for few components. */
static bool
wants_plain (void)
{
  static int known;            /* 0: not asked yet; every thread finds the same */
  int answer = __atomic_load_n (&known, __ATOMIC_RELAXED);

  if (answer == 0)
    {
      const char *variant = getenv ("ES_CUDA_ICA");

      answer = variant != NULL && strcmp (variant, "plain") == 0 ? 2 : 1;
      __atomic_store_n (&known, answer, __ATOMIC_RELAXED);
    }

  return answer == 2;
}

static int
check (EskStream         *stream,
       const float       *whitened,
       size_t             count,
       size_t             plane_stride,
       const EskContrast *contrast,
       const EskMatrix   *w)
{
  if (stream == NULL || contrast == NULL || w == NULL || w->values == NULL || w->rows == 0 || w->rows > w->columns
      || w->columns > SHRT_MAX || (unsigned) contrast->kind >= ESK_N_CONTRASTS)
    return ESK_ERROR_ARGUMENT;
  if (contrast->kind == ESK_CONTRAST_TANH && (!isfinite (contrast->slope) || contrast->slope <= 0.0))
    return ESK_ERROR_ARGUMENT;
  if (count > 0 && (whitened == NULL || (w->columns > 1 && plane_stride < count)
                    || (size_t) count > (size_t) PTRDIFF_MAX))
    return ESK_ERROR_ARGUMENT;

  return ESK_OK;
}

/* w on the device, and n_values zeroed totals there; both in ESK_SCRATCH_TABLES. */
static int
start (EskStream         *stream,
       const float       *whitened,
       size_t             count,
       size_t             plane_stride,
       const EskContrast *contrast,
       const EskMatrix   *w,
       size_t             n_values,
       EskIcaCall        *call,
       double           **totals)
{
  size_t bytes = w->rows * w->columns * sizeof (float), aligned = (bytes + 255) / 256 * 256;
  char *tables = (char *) esk_cuda_scratch (stream, ESK_SCRATCH_TABLES, aligned + n_values * sizeof (double));
  int code;

  if (tables == NULL)
    return ESK_ERROR_MEMORY;
  code = esk_cuda_upload_table (stream, tables, w->values, bytes);
  if (code == ESK_OK)
    code = esk_cuda_check (stream, cudaMemsetAsync (tables + aligned, 0, n_values * sizeof (double), stream->stream),
                           "clearing the sums");
  *totals = (double *) (tables + aligned);
  call->z = whitened;
  call->n = count;
  call->stride = plane_stride;
  call->rows = (unsigned) w->rows;
  call->columns = (unsigned) w->columns;
  call->w = (const float *) tables;
  call->matrix = w;
  call->slope = (float) contrast->slope;

  return code;
}

/* The totals, in page-locked memory; NULL: *code says why. */
static const double *
fetch (EskStream    *stream,
       const double *totals,
       size_t        n_values,
       int          *code)
{
  double *values = (double *) esk_cuda_pinned (stream, n_values * sizeof (double));

  *code = ESK_ERROR_MEMORY;
  if (values == NULL)
    return NULL;
  *code = esk_cuda_fetch (stream, values, totals, n_values * sizeof (double));
  if (*code == ESK_OK && stream->pending != ESK_OK)
    *code = stream->pending;

  return *code == ESK_OK ? values : NULL;
}

static bool
all_finite (const double *values,
            size_t        n)
{
  for (size_t i = 0; i < n; i++)
    if (!isfinite (values[i]))
      return false;

  return true;
}

/* w goes into two float16 without a loss where its rows are about as long as unit vectors. */
static bool
suits_tensor (EskStream       *stream,
              const EskMatrix *w)
{
  float largest = 0.0f;

  for (size_t i = 0; i < w->rows * w->columns; i++)
    largest = fmaxf (largest, fabsf (w->values[i]));

  return w->columns <= ESK_ICA_TENSOR_COLUMNS && esk_cuda_properties (stream)->major >= 8 && largest >= 0.01f
         && largest <= 256.0f;
}

int
esk_cuda_ica_step (EskStream         *stream,
                   const float       *whitened,
                   size_t             count,
                   size_t             plane_stride,
                   const EskContrast *contrast,
                   const EskMatrix   *w,
                   EskIcaSums        *sums)
{
  EskIcaCall call = { NULL };
  const double *values;
  double *totals = NULL;
  size_t n_products;
  bool halves = false;
  int code = check (stream, whitened, count, plane_stride, contrast, w);

  if (code != ESK_OK)
    return code;
  if (sums == NULL || sums->product == NULL || sums->derivative == NULL || sums->rows != w->rows
      || sums->columns != w->columns)
    return ESK_ERROR_ARGUMENT;
  if (count == 0)
    return ESK_OK;

  code = esk_cuda_enter (stream);
  n_products = w->rows * w->columns;
  if (code == ESK_OK)
    code = start (stream, whitened, count, plane_stride, contrast, w, n_products + w->rows, &call, &totals);
  if (code != ESK_OK)
    return code;

  if (!wants_plain () && call.rows == 1 && call.columns <= ESK_ICA_SINGLE_COLUMNS)
    code = esk_cuda_ica_single (stream, &call, contrast->kind, totals);
  else if (!wants_plain () && suits_tensor (stream, w))
    {
      code = esk_cuda_ica_tensor (stream, &call, contrast->kind, totals);
      halves = true;
    }
  else
    code = esk_cuda_ica_plain (stream, &call, contrast->kind, totals);
  values = code == ESK_OK ? fetch (stream, totals, n_products + w->rows, &code) : NULL;
  /* Samples that float16 does not hold are no whitened ones, and rare. */
  if (values != NULL && halves && !all_finite (values, n_products + w->rows))
    {
      code = start (stream, whitened, count, plane_stride, contrast, w, n_products + w->rows, &call, &totals);
      if (code == ESK_OK)
        code = esk_cuda_ica_plain (stream, &call, contrast->kind, totals);
      values = code == ESK_OK ? fetch (stream, totals, n_products + w->rows, &code) : NULL;
    }
  if (values == NULL)
    return code;

  for (size_t i = 0; i < n_products; i++)
    sums->product[i] += values[i];
  for (size_t r = 0; r < w->rows; r++)
    sums->derivative[r] += contrast->kind == ESK_CONTRAST_CUBIC ? 3.0 * values[n_products + r]
                           : contrast->kind == ESK_CONTRAST_TANH
                             ? contrast->slope * ((double) count - values[n_products + r])
                             : (double) count - values[n_products + r];
  sums->count += (int64_t) count;

  return ESK_OK;
}

int
esk_cuda_ica_moments (EskStream         *stream,
                      const float       *whitened,
                      size_t             count,
                      size_t             plane_stride,
                      const EskContrast *contrast,
                      const EskMatrix   *w,
                      EskIcaMoments     *moments)
{
  EskIcaCall call = { NULL };
  const double *values;
  double *totals = NULL;
  size_t n_values;
  bool halves;
  int code = check (stream, whitened, count, plane_stride, contrast, w);

  if (code != ESK_OK)
    return code;
  n_values = w->rows * ESK_ICA_MOMENTS;
  if (moments == NULL)
    return ESK_ERROR_ARGUMENT;
  if (count == 0)
    return ESK_OK;

  code = esk_cuda_enter (stream);
  halves = !wants_plain () && suits_tensor (stream, w);
  if (code == ESK_OK)
    code = start (stream, whitened, count, plane_stride, contrast, w, n_values, &call, &totals);
  if (code == ESK_OK)
    code = halves ? esk_cuda_ica_tensor_moments (stream, &call, contrast->kind, totals)
                  : esk_cuda_ica_plain_moments (stream, &call, contrast->kind, totals);
  values = code == ESK_OK ? fetch (stream, totals, n_values, &code) : NULL;
  if (values != NULL && halves && !all_finite (values, n_values))
    {
      code = start (stream, whitened, count, plane_stride, contrast, w, n_values, &call, &totals);
      if (code == ESK_OK)
        code = esk_cuda_ica_plain_moments (stream, &call, contrast->kind, totals);
      values = code == ESK_OK ? fetch (stream, totals, n_values, &code) : NULL;
    }
  if (values == NULL)
    return code;

  for (size_t r = 0; r < w->rows; r++, values += ESK_ICA_MOMENTS)
    {
      moments[r].second += values[0];
      moments[r].third += values[1];
      moments[r].fourth += values[2];
      if (contrast->kind == ESK_CONTRAST_CUBIC)
        moments[r].contrast += 0.25 * values[3];
      else if (contrast->kind == ESK_CONTRAST_TANH)
        moments[r].contrast += values[3] / contrast->slope;
      else
        moments[r].contrast += values[3] - (double) count;
    }

  return ESK_OK;
}
