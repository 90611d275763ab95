/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * A step of FastICA (hyperspectral.md 2.3) and the moments of its components: panels of a few hundred samples stay in
 * the cache while w'z, its contrast and the products with z are formed in float32; totals are float64.
 */

#include "es-cpu-ica-private.h"

#include <limits.h>
#include <math.h>
#include <string.h>

int
esk_ica_check (const float       *whitened,
               size_t             count,
               size_t             plane_stride,
               const EskContrast *contrast,
               const EskMatrix   *w)
{
  if (contrast == NULL || w == NULL || w->values == NULL || w->rows == 0 || w->rows > w->columns
      || w->columns > INT_MAX / 4 || (unsigned) contrast->kind >= ESK_N_CONTRASTS)
    return ESK_ERROR_ARGUMENT;
  if (contrast->kind == ESK_CONTRAST_TANH && (!isfinite (contrast->slope) || contrast->slope <= 0.0))
    return ESK_ERROR_ARGUMENT;
  if (count > 0 && (whitened == NULL || count > PTRDIFF_MAX || (w->columns > 1 && plane_stride < count)))
    return ESK_ERROR_ARGUMENT;

  return ESK_OK;
}

size_t
esk_cpu_ica_fill (const float *planes,
                  size_t       plane_stride,
                  size_t       n_planes,
                  size_t       n,
                  float       *panel,
                  size_t       stride)
{
  size_t padded = esk_round_up (n, ESK_PANEL_ROUND);

  for (size_t i = 0; i < n_planes; i++)
    {
      memcpy (panel + i * stride, planes + i * plane_stride, n * sizeof (float));
      memset (panel + i * stride + n, 0, (padded - n) * sizeof (float));
    }

  return padded;
}

/* Room for the panels of a call. */
typedef struct
{
  size_t  capacity, stride;
  float  *z, *y, *scratch, *packed, *zeros;
} Panels;

static int
panels_init (Panels          *panels,
             EskStream       *stream,
             const EskMatrix *w)
{
  size_t rows = w->rows, columns = w->columns;

  panels->capacity = esk_cpu_capacity (rows + columns, sizeof (float));
  if (panels->capacity > ESK_ICA_RUN)
    panels->capacity = ESK_ICA_RUN;
  panels->stride = esk_cpu_stride (panels->capacity, sizeof (float));
  if (columns > SIZE_MAX / panels->stride || columns > SIZE_MAX / (rows + 1))
    return ESK_ERROR_MEMORY;

  panels->z = esk_scratch_get (&stream->panel, columns * panels->stride, sizeof (float));
  panels->y = esk_scratch_get (&stream->output, rows * panels->stride, sizeof (float));
  panels->scratch = esk_scratch_get (&stream->products, rows * columns, sizeof (float));
  panels->packed = esk_scratch_get (&stream->basis, rows * (columns + 1), sizeof (float));
  if (panels->z == NULL || panels->y == NULL || panels->scratch == NULL || panels->packed == NULL)
    return ESK_ERROR_MEMORY;

  panels->zeros = panels->packed + rows * columns;
  memset (panels->zeros, 0, rows * sizeof (float));
  stream->loops->pack (rows, columns, w->values, panels->packed);

  return ESK_OK;
}

/* y = w'z of n samples from `first` on; the padded count. */
static size_t
panels_fill (Panels          *panels,
             EskStream       *stream,
             const float     *whitened,
             size_t           plane_stride,
             size_t           n,
             const EskMatrix *w)
{
  size_t padded = esk_cpu_ica_fill (whitened, plane_stride, w->columns, n, panels->z, panels->stride);

  stream->loops->multiply (w->rows, w->columns, w->values, panels->packed, panels->zeros, panels->z, panels->stride,
                           padded, panels->y, panels->stride);

  return padded;
}

static double
derivative_at_zero (const EskContrast *contrast)
{
  return contrast->kind == ESK_CONTRAST_CUBIC ? 0.0 : contrast->kind == ESK_CONTRAST_TANH ? contrast->slope : 1.0;
}

int
esk_cpu_ica_step (EskStream         *stream,
                  const float       *whitened,
                  size_t             count,
                  size_t             plane_stride,
                  const EskContrast *contrast,
                  const EskMatrix   *w,
                  EskIcaSums        *sums)
{
  const EskCpuIcaLoops *loops;
  Panels panels;
  int code = esk_ica_check (whitened, count, plane_stride, contrast, w);

  if (code != ESK_OK)
    return code;
  if (stream == NULL || sums == NULL || sums->product == NULL || sums->derivative == NULL || sums->rows != w->rows
      || sums->columns != w->columns)
    return ESK_ERROR_ARGUMENT;
  if (count == 0)
    return ESK_OK;
  code = panels_init (&panels, stream, w);
  if (code != ESK_OK)
    return code;

  loops = esk_cpu_ica_loops (stream);
  for (size_t first = 0, n; first < count; first += n)
    {
      size_t padded;

      n = count - first < panels.capacity ? count - first : panels.capacity;
      padded = panels_fill (&panels, stream, whitened + first, plane_stride, n, w);
      for (size_t r = 0; r < w->rows; r++)
        sums->derivative[r] += (double) n * derivative_at_zero (contrast)
                               - loops->contrast (contrast, panels.y + r * panels.stride, padded);
      loops->cross (w->rows, panels.y, w->columns, panels.z, panels.stride, padded, sums->product, w->columns,
                    panels.scratch);
    }
  sums->count += (int64_t) count;

  return ESK_OK;
}

int
esk_cpu_ica_moments (EskStream         *stream,
                     const float       *whitened,
                     size_t             count,
                     size_t             plane_stride,
                     const EskContrast *contrast,
                     const EskMatrix   *w,
                     EskIcaMoments     *moments)
{
  const EskCpuIcaLoops *loops;
  Panels panels;
  int code = esk_ica_check (whitened, count, plane_stride, contrast, w);

  if (code != ESK_OK)
    return code;
  if (stream == NULL || moments == NULL)
    return ESK_ERROR_ARGUMENT;
  if (count == 0)
    return ESK_OK;
  code = panels_init (&panels, stream, w);
  if (code != ESK_OK)
    return code;

  loops = esk_cpu_ica_loops (stream);
  for (size_t first = 0, n; first < count; first += n)
    {
      n = count - first < panels.capacity ? count - first : panels.capacity;
      panels_fill (&panels, stream, whitened + first, plane_stride, n, w);
      for (size_t r = 0; r < w->rows; r++)
        loops->moments (contrast, panels.y + r * panels.stride, n, &moments[r]);
    }

  return ESK_OK;
}
