/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "perf-steps.h"

int
step_covariance (Bench *bench,
                 void  *data)
{
  Work *w = data;

  return bench->table->cube->covariance_sums (bench->stream, &w->planes, &w->selection, w->valid, &w->covariance);
}

int
step_collected_covariance (Bench *bench,
                           void  *data)
{
  Work *w = data;
  int code = step_covariance (bench, data);

  if (code == ESK_OK)
    code = esk_hotspots_collect (bench->table, bench->stream, &w->covariance);
  return code;
}

int
step_project (Bench *bench,
              void  *data)
{
  Work *w = data;

  return bench->table->cube->project (bench->stream, &w->planes, &w->selection, w->valid, &w->basis, w->mean, w->out,
                                      bench->n_pixels);
}

int
step_residuals (Bench *bench,
                void  *data)
{
  Residuals *r = data;
  Work *w = r->work;
  EskMargin margin = esk_noise_margin (r->kind);

  return bench->table->cube->noise_residual (bench->stream, &w->planes, &w->selection, NULL, r->kind, ESK_NOISE_WHOLE,
                                             &margin, &r->out, NULL, NULL);
}

int
step_errors (Bench *bench,
             void  *data)
{
  Errors *e = data;
  Work *w = e->work;
  size_t n = bench->scene->bands;
  EskErrorSums sums = { .n_bands = n, .error = w->sum, .square = w->sum };

  return bench->table->cube->project_error (bench->stream, &w->planes, &w->selection, w->valid, &e->forward,
                                            &e->backward, w->mean, NULL, NULL, w->out, w->out + bench->n_pixels, &sums);
}

int
step_ranges (Bench *bench,
             void  *data)
{
  Work *w = data;

  return bench->table->cube->band_ranges (bench->stream, &w->planes, &w->selection, w->valid, w->minimum, w->maximum);
}

int
step_sums (Bench *bench,
           void  *data)
{
  Work *w = data;

  return bench->table->cube->band_sums (bench->stream, &w->planes, &w->selection, w->valid, w->sum, &w->count);
}

int
step_statistics (Bench *bench,
                 void  *data)
{
  Work *w = data;
  static EskPlaneStatistics statistics;

  return bench->table->picture->plane_statistics (bench->stream, w->out, bench->n_pixels, 1, &statistics);
}

int
step_halve (Bench *bench,
            void  *data)
{
  Work *w = data;

  return bench->table->picture->plane_halve (bench->stream, w->out, bench->scene->width, bench->scene->height,
                                             w->out + bench->n_pixels);
}

int
step_copy (Bench *bench,
           void  *data)
{
  float *planes = data;

  return bench->table->picture->plane_decimate (bench->stream, planes, COPY_SIDE, COPY_SIDE, COPY_SIDE, 1,
                                                planes + COPY_SIDE * COPY_SIDE);
}

/* The same memory as four bands of 16 bits, read once. */
int
step_read (Bench *bench,
           void  *data)
{
  uint32_t bands[4] = { 0, 1, 2, 3 };
  EskTile planes = { data, ESK_I16, false, COPY_SIDE, COPY_SIDE, 4, 1, COPY_SIDE, COPY_SIDE * COPY_SIDE };
  EskSelection selection = { bands, 4, NULL, NULL, NULL };
  double sum[4] = { 0.0 };
  int64_t count = 0;

  return bench->table->cube->band_sums (bench->stream, &planes, &selection, NULL, sum, &count);
}

int
step_upload (Bench *bench,
             void  *data)
{
  return bench->table->device->upload (bench->stream, data, bench->staging, STAGING_BYTES);
}

int
step_download (Bench *bench,
               void  *data)
{
  return bench->table->device->download (bench->stream, bench->staging, STAGING_BYTES, data, STAGING_BYTES,
                                         STAGING_BYTES, 1);
}

int
step_load (Bench *bench,
           void  *data)
{
  Work *w = data;

  return bench->table->device->load (bench->stream, &w->tile, &w->selection, &w->planes, w->valid);
}

int
step_eigen (Bench *bench,
            void  *data)
{
  Eigen *e = data;

  return bench->table->eigen->eigen_symmetric (bench->stream, e->n, e->matrix, e->values, e->vectors);
}

int
step_eigen_pair (Bench *bench,
                 void  *data)
{
  Eigen *e = data;
  size_t raised;

  return bench->table->eigen->eigen_pair (bench->stream, e->n, e->matrix, e->data, 1e-13, e->values, e->vectors,
                                          e->mixing, &raised);
}

static size_t
this_many (size_t        n,
             const double *values,
             void         *data)
{
  return *(const size_t *) data;
}

int
step_eigen_leading (Bench *bench,
                    void  *data)
{
  Eigen *e = data;
  size_t wanted = bench->scene->components, found;

  return bench->table->eigen->eigen_leading (bench->stream, e->n, e->matrix, this_many, &wanted, e->values, e->vectors,
                                             &found);
}
