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

/* A column of threads a value: each adds every GROUPS-th slot, then their sums are added, always in the same order, and
 * to what is in the totals where `more`. */
static __global__ void
add_slots (const double *partial,
           size_t        n_slots,
           size_t        n_values,
           bool          more,
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
    totals[value] = more ? totals[value] + total : total;
}

static int
launch_slots (EskStream    *stream,
              const double *partial,
              size_t        n_slots,
              size_t        n_values,
              bool          more,
              double       *totals)
{
  add_slots<<<(unsigned) ((n_values + WARP - 1) / WARP), dim3 (WARP, GROUPS), 0, stream->stream>>>
    (partial, n_slots, n_values, more, totals);

  return esk_cuda_launched (stream, "sums of components");
}

int
esk_cuda_ica_add_slots (EskStream    *stream,
                        const double *partial,
                        size_t        n_slots,
                        size_t        n_values,
                        double       *totals)
{
  return launch_slots (stream, partial, n_slots, n_values, true, totals);
}

int
esk_cuda_ica_sum_slots (EskStream    *stream,
                        const double *partial,
                        size_t        n_slots,
                        size_t        n_values,
                        double       *totals)
{
  return launch_slots (stream, partial, n_slots, n_values, false, totals);
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

static void
fill_call (const float       *whitened,
           size_t             count,
           size_t             plane_stride,
           const EskContrast *contrast,
           const EskMatrix   *w,
           EskIcaCall        *call)
{
  call->z = whitened;
  call->n = count;
  call->stride = plane_stride;
  call->rows = (unsigned) w->rows;
  call->columns = (unsigned) w->columns;
  call->w = NULL;
  call->matrix = w;
  call->slope = (float) contrast->slope;
}

/* Engines of one launch: w goes along with it where it is small, and the sums come into page-locked memory. NULL: *code
 * says why. */
static const double *
run_at_once (EskStream       *stream,
             EskIcaCall      *call,
             EskContrastKind  kind,
             size_t           n_values,
             int            (*engine) (EskStream        *stream,
                                       const EskIcaCall *call,
                                       EskContrastKind   kind,
                                       double           *totals),
             int             *code)
{
  double *values = (double *) esk_cuda_pinned (stream, n_values * sizeof (double));
  size_t n_weights = (size_t) call->rows * call->columns, bytes = n_weights * sizeof (float);

  *code = values != NULL ? ESK_OK : ESK_ERROR_MEMORY;
  if (*code == ESK_OK && n_weights <= ESK_ICA_ALONG)
    memcpy (call->along, call->matrix->values, bytes);
  else if (*code == ESK_OK)
    {
      float *table = (float *) esk_cuda_scratch (stream, ESK_SCRATCH_TABLES, bytes);

      call->w = table;
      *code = table != NULL ? esk_cuda_upload_table (stream, table, call->matrix->values, bytes) : ESK_ERROR_MEMORY;
    }
  if (*code == ESK_OK)
    *code = engine (stream, call, kind, values);
  /* Nothing to be copied: it waits. */
  if (*code == ESK_OK)
    *code = esk_cuda_fetch (stream, values, values, 0);
  if (*code == ESK_OK && stream->pending != ESK_OK)
    *code = stream->pending;

  return *code == ESK_OK ? values : NULL;
}

/* The plain engine, slice by slice: totals on the device, in ESK_SCRATCH_TABLES, and by way of page-locked memory to
 * the host. NULL: *code says why. */
static const double *
run_plain (EskStream       *stream,
           EskIcaCall      *call,
           EskContrastKind  kind,
           size_t           n_values,
           int            (*engine) (EskStream        *stream,
                                     const EskIcaCall *call,
                                     EskContrastKind   kind,
                                     double           *totals),
           int             *code)
{
  double *totals = (double *) esk_cuda_scratch (stream, ESK_SCRATCH_TABLES, n_values * sizeof (double)), *values;

  *code = ESK_ERROR_MEMORY;
  if (totals == NULL)
    return NULL;
  *code = esk_cuda_check (stream, cudaMemsetAsync (totals, 0, n_values * sizeof (double), stream->stream),
                          "clearing the sums");
  if (*code == ESK_OK)
    *code = engine (stream, call, kind, totals);
  if (*code != ESK_OK)
    return NULL;
  values = (double *) esk_cuda_pinned (stream, n_values * sizeof (double));
  *code = values != NULL ? esk_cuda_fetch (stream, values, totals, n_values * sizeof (double)) : ESK_ERROR_MEMORY;
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
  const double *values = NULL;
  EskIcaCall call;
  size_t n_products;
  bool halves;
  int code = check (stream, whitened, count, plane_stride, contrast, w);

  if (code != ESK_OK)
    return code;
  if (sums == NULL || sums->product == NULL || sums->derivative == NULL || sums->rows != w->rows
      || sums->columns != w->columns)
    return ESK_ERROR_ARGUMENT;
  if (count == 0)
    return ESK_OK;

  code = esk_cuda_enter (stream);
  if (code != ESK_OK)
    return code;
  n_products = w->rows * w->columns;
  fill_call (whitened, count, plane_stride, contrast, w, &call);
  halves = !wants_plain () && (call.rows > 1 || call.columns > ESK_ICA_SINGLE_COLUMNS) && suits_tensor (stream, w);
  if (!wants_plain () && call.rows == 1 && call.columns <= ESK_ICA_SINGLE_COLUMNS)
    values = run_at_once (stream, &call, contrast->kind, n_products + w->rows, esk_cuda_ica_single, &code);
  else if (halves)
    values = run_at_once (stream, &call, contrast->kind, n_products + w->rows, esk_cuda_ica_tensor, &code);
  /* Samples that float16 does not hold are no whitened ones, and rare. */
  if (code == ESK_OK && (values == NULL || (halves && !all_finite (values, n_products + w->rows))))
    values = run_plain (stream, &call, contrast->kind, n_products + w->rows, esk_cuda_ica_plain, &code);
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
  const double *values = NULL;
  EskIcaCall call;
  size_t n_values;
  bool halves;
  int code = check (stream, whitened, count, plane_stride, contrast, w);

  if (code != ESK_OK)
    return code;
  if (moments == NULL)
    return ESK_ERROR_ARGUMENT;
  if (count == 0)
    return ESK_OK;

  code = esk_cuda_enter (stream);
  if (code != ESK_OK)
    return code;
  n_values = w->rows * ESK_ICA_MOMENTS;
  fill_call (whitened, count, plane_stride, contrast, w, &call);
  halves = !wants_plain () && suits_tensor (stream, w);
  if (halves)
    values = run_at_once (stream, &call, contrast->kind, n_values, esk_cuda_ica_tensor_moments, &code);
  if (code == ESK_OK && (values == NULL || !all_finite (values, n_values)))
    values = run_plain (stream, &call, contrast->kind, n_values, esk_cuda_ica_plain_moments, &code);
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
