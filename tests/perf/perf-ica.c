/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * How fast the hot spots of independent components are, on samples that are there already: beside the time of reading
 * them once, which a step should need little more than.
 */

#include "perf-hotspots.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
  const EskHotspots *table;
  EskStream         *stream;
  size_t             m, n, stride;
  float             *z, *out;
  EskContrast        contrast;
  EskMatrix          w;
  EskIcaSums         sums;
  EskIcaMoments     *moments;
  EskCovariance      covariance;
  EskSampling        sampling;
} Work;

static int
step_contrast (void *data)
{
  Work *w = data;

  return w->table->ica->ica_step (w->stream, w->z, w->n, w->stride, &w->contrast, &w->w, &w->sums);
}

static int
step_moments (void *data)
{
  Work *w = data;

  return w->table->ica->ica_moments (w->stream, w->z, w->n, w->stride, &w->contrast, &w->w, w->moments);
}

static int
step_monomials (void *data)
{
  Work *w = data;
  int code = w->table->ica->moment_sums (w->stream, w->z, w->n, w->stride, w->m, &w->covariance);

  if (code == ESK_OK)
    code = esk_hotspots_collect (w->table, w->stream, &w->covariance);
  return code;
}

static int
step_compact (void *data)
{
  Work *w = data;
  size_t count;

  return w->table->ica->compact (w->stream, w->z, w->n, w->stride, w->m, &w->sampling, w->out, w->stride, &count);
}

/* Samples of unit variance; every plane is another part of the same numbers. */
static int
fill (Work *w)
{
  const size_t step = (size_t) 1 << 22, n_numbers = step + w->m * 997;
  float *numbers = malloc (n_numbers * sizeof *numbers);
  uint64_t state = 1;
  int code = numbers != NULL ? ESK_OK : ESK_ERROR_MEMORY;

  for (size_t k = 0; k < n_numbers && code == ESK_OK; k++)
    {
      double u;

      state = state * 6364136223846793005u + 1442695040888963407u;
      u = (double) (state >> 40) * 0x1p-23 - 1.0;
      numbers[k] = (float) (k % 3 == 0 ? u * 1.7320508 : u * u * u * 2.6457513);
    }
  for (size_t i = 0; i < w->m; i++)
    for (size_t done = 0; done < w->n && code == ESK_OK; done += step)
      {
        size_t bytes = (w->n - done < step ? w->n - done : step) * sizeof (float);
        float *to = w->z + i * w->stride + done;

        if (ESK_HAS (w->table, device, upload))
          code = w->table->device->upload (w->stream, to, numbers + i * 997, bytes);
        else
          memcpy (to, numbers + i * 997, bytes);
      }
  if (code == ESK_OK)
    code = esk_hotspots_wait (w->table, w->stream);
  free (numbers);

  return code;
}

static void
time_all (Work    *w,
          PerfRun  run,
          void    *user)
{
  static const char * const names[] = { "cubic", "tanh", "gauss" };
  double bytes = (double) (w->m * w->n * sizeof (float));
  char detail[32];

  for (int kind = 0; kind < ESK_N_CONTRASTS; kind++)
    {
      w->contrast = (EskContrast) { (EskContrastKind) kind, 1.0 };
      w->w.rows = w->sums.rows = 1;
      snprintf (detail, sizeof detail, "%s 1", names[kind]);
      run (user, "ica step", detail, step_contrast, w, bytes);
      w->w.rows = w->sums.rows = w->m;
      snprintf (detail, sizeof detail, "%s %zu", names[kind], w->m);
      run (user, "ica step", detail, step_contrast, w, bytes);
    }
  w->contrast.kind = ESK_CONTRAST_TANH;
  snprintf (detail, sizeof detail, "%zu", w->m);
  run (user, "ica moments", detail, step_moments, w, bytes);
  run (user, "monomials", detail, step_monomials, w, bytes);
  w->sampling = (EskSampling) { 1, 0, w->n, w->n, (uint64_t) 1 << 32 };
  run (user, "packing", "all", step_compact, w, 2.0 * bytes);
  w->sampling.keep = (uint64_t) 1 << 30;
  run (user, "packing", "a quarter", step_compact, w, 1.25 * bytes);
}

int
perf_ica (const EskHotspots *table,
          EskStream         *stream,
          const PerfScene   *scene,
          PerfRun            run,
          void              *user)
{
  size_t m = scene->components, n = scene->width * scene->height, stride = (n + 31) / 32 * 32;
  size_t bytes = m * stride * sizeof (float);
  Work w = { table, stream, m, n, stride };
  float *rows = calloc (m * m, sizeof *rows);
  int code = ESK_ERROR_MEMORY;

  w.z = ESK_HAS (table, device, memory_new) ? table->device->memory_new (0, bytes) : malloc (bytes);
  w.out = ESK_HAS (table, device, memory_new) ? table->device->memory_new (0, bytes) : malloc (bytes);
  w.sums.product = calloc (m * m, sizeof (double));
  w.sums.derivative = calloc (m, sizeof (double));
  w.moments = calloc (m, sizeof *w.moments);
  if (rows != NULL && w.z != NULL && w.out != NULL && w.sums.product != NULL && w.sums.derivative != NULL
      && w.moments != NULL && esk_covariance_init (&w.covariance, esk_n_monomials (m), false, NULL) == ESK_OK)
    code = fill (&w);
  if (code == ESK_OK)
    {
      /* The cosine transform: orthonormal, and without a zero. */
      for (size_t r = 0; r < m; r++)
        for (size_t i = 0; i < m; i++)
          rows[r * m + i] = (float) (sqrt ((r == 0 ? 1.0 : 2.0) / (double) m)
                                     * cos (3.14159265358979 * (double) r * ((double) i + 0.5) / (double) m));
      w.w = (EskMatrix) { m, m, rows };
      w.sums.columns = m;
      time_all (&w, run, user);
    }

  esk_covariance_clear (&w.covariance);
  free (w.moments);
  free (w.sums.derivative);
  free (w.sums.product);
  if (ESK_HAS (table, device, memory_new))
    {
      table->device->memory_free (0, w.out);
      table->device->memory_free (0, w.z);
    }
  else
    {
      free (w.out);
      free (w.z);
    }
  free (rows);

  return code;
}
