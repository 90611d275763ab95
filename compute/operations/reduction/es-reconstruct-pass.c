/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* From components back to spectra, tile by tile: how large the error is, and the estimates themselves. */

#include "es-reconstruct-private.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#include "device/es-buffer-internal.h"

void
es_reconstruction_init (EsReconstruction *self, EsCube *cube, const EsLinearModel *model, const gboolean *kept)
{
  const guint n = model->n;

  *self = (EsReconstruction) { .model = model };
  self->no_data = g_new (double, n);
  self->scale = g_new (double, n);
  self->offset = g_new (double, n);
  for (guint i = 0; i < n; i++)
    {
      const guint band = model->bands[i];
      const double scale = es_cube_get_scale (cube, band);

      if (!es_cube_get_no_data (cube, band, &self->no_data[i]))
        self->no_data[i] = NAN;
      self->scale[i] = scale;
      self->offset[i] = es_cube_get_offset (cube, band);
      if (model->minimum != NULL)
        {
          self->scale[i] = scale * (model->maximum[i] - model->minimum[i]) / 255;
          self->offset[i] += scale * model->minimum[i];
        }
    }
  self->selection = (EskSelection) { model->bands, n, self->no_data, model->minimum, model->maximum };
  self->rows = es_linear_model_select (model, kept, &self->forward, &self->backward);
  if (self->rows > 0)
    return;
  g_free (self->forward);
  g_free (self->backward);
  self->rows = 1;
  self->forward = g_new0 (float, n);
  self->backward = g_new0 (float, n);
}

void
es_reconstruction_clear (EsReconstruction *self)
{
  g_free (self->no_data);
  g_free (self->scale);
  g_free (self->offset);
  g_free (self->forward);
  g_free (self->backward);
}

double *
es_reconstruction_make_matrix (const EsReconstruction *self)
{
  const gsize n = self->model->n;
  double *matrix = g_new0 (double, n * n);

  for (gsize i = 0; i < n; i++)
    for (guint k = 0; k < self->rows; k++)
      {
        const double weight = self->backward[i * self->rows + k];
        const float *forward = self->forward + k * n;
        for (gsize j = 0; j < n; j++)
          matrix[i * n + j] += weight * forward[j];
      }
  return matrix;
}

/* ---- the errors ---- */

typedef struct
{
  const EsReconstruction *reconstruction;
  EsImageStack           *map;             /* nullable */
  EskErrorSums           *total;
} MeasurePass;

typedef struct
{
  gboolean      on_cpu;
  EskErrorSums  sums;
  float        *values;                    /* RMSE, then angle of a tile's pixels; on the host */
  EsBuffer     *buffer;                    /* the same on a GPU */
} MeasureLane;

static void
lane_free (gpointer data)
{
  MeasureLane *lane = data;

  g_free (lane->sums.error);
  g_free (lane->sums.square);
  g_free (lane->values);
  g_clear_pointer (&lane->buffer, es_buffer_unref);
  g_free (lane);
}

static gpointer
lane_new (const EsLaneContext *context, const EsTiling *tiling, gpointer data, GError **error)
{
  MeasurePass *pass = data;
  const gsize bytes = 2 * sizeof (float) * tiling->tile_width * tiling->tile_height;
  const guint n = pass->reconstruction->model->n;
  MeasureLane *lane = g_new0 (MeasureLane, 1);

  lane->on_cpu = es_device_is_cpu (context->device);
  lane->sums = (EskErrorSums) { .n_bands = n, .error = g_new0 (double, n), .square = g_new0 (double, n) };
  if (pass->map == NULL)
    return lane;
  lane->values = g_try_malloc (bytes);
  if (lane->values == NULL)
    {
      lane_free (lane);
      return es_reduction_out_of_memory (_("the errors of a tile"), error);
    }
  if (!lane->on_cpu && (lane->buffer = es_buffer_new (context->device, bytes, error)) == NULL)
    {
      lane_free (lane);
      return NULL;
    }
  return lane;
}

static gboolean
measure_tile (gpointer data, const EsLaneContext *context, const EsCubeWindow *window, const EskTile *tile,
              const guint8 *valid, gpointer pass_data, GError **error)
{
  MeasureLane *lane = data;
  MeasurePass *pass = pass_data;
  const EsReconstruction *self = pass->reconstruction;
  const guint n = self->model->n;
  const gsize pixels = window->width * window->height, bytes = 2 * pixels * sizeof (float);
  const EskMatrix forward = { self->rows, n, self->forward }, backward = { n, self->rows, self->backward };
  float *rmse = lane->values == NULL ? NULL : lane->on_cpu ? lane->values : es_buffer_get_data (lane->buffer);
  int code;

  memset (lane->sums.error, 0, n * sizeof (double));
  memset (lane->sums.square, 0, n * sizeof (double));
  lane->sums.count = 0;
  lane->sums.angle = lane->sums.largest = 0;
  code = context->hotspots->cube->project_error (context->stream, tile, &self->selection, valid, &forward, &backward,
                                                 self->model->mean, self->scale, self->offset, rmse,
                                                 rmse != NULL ? rmse + pixels : NULL, &lane->sums);
  if (code == ESK_OK && rmse != NULL && !lane->on_cpu)
    code = context->hotspots->device->download (context->stream, lane->values, bytes, rmse, bytes, bytes, 1);
  return es_device_check (context->device, context->stream, code, _("the errors"), error);
}

/* In the order of the tiles: the same sums every time. */
static gboolean
measure_merge (gpointer data, const EsLaneContext *context, const EsCubeWindow *window, gpointer pass_data,
               GError **error)
{
  MeasureLane *lane = data;
  MeasurePass *pass = pass_data;
  EskErrorSums *total = pass->total;

  for (gsize i = 0; i < total->n_bands; i++)
    {
      total->error[i] += lane->sums.error[i];
      total->square[i] += lane->sums.square[i];
    }
  total->count += lane->sums.count;
  total->angle += lane->sums.angle;
  total->largest = MAX (total->largest, lane->sums.largest);
  if (lane->values == NULL)
    return TRUE;
  return es_image_stack_write (pass->map, window->x, window->y, window->width, window->height, lane->values,
                               window->width * window->height, error);
}

static void
measure_restart (gpointer pass_data)
{
  MeasurePass *pass = pass_data;
  EskErrorSums *total = pass->total;

  memset (total->error, 0, total->n_bands * sizeof (double));
  memset (total->square, 0, total->n_bands * sizeof (double));
  total->count = 0;
  total->angle = total->largest = 0;
  if (pass->map != NULL)
    es_image_stack_forget_written (pass->map);
}

gboolean
es_reconstruction_measure (EsJob *job, EsCube *cube, const EsReconstruction *self, EsImageStack *error_map,
                           EskErrorSums *sums, GError **error)
{
  static const EsPass pass = { lane_new, lane_free, measure_tile, measure_merge, .restart = measure_restart };
  EsDevice *device = es_job_get_device (job);
  const gboolean on_cpu = es_device_is_cpu (device);
  /* A byte a pixel on the CPU: the mask. A GPU's is beside the samples. */
  const EsTiling tiling = es_tiling_plan (cube, device, es_job_get_limits (job),
                                          (on_cpu ? 1 : 0) + (error_map != NULL ? 2 * sizeof (float) : 0),
                                          2 * (gsize) self->model->n * sizeof (double));
  MeasurePass data = { self, error_map, sums };
  const double pixels = (double) es_cube_get_width (cube) * es_cube_get_height (cube), n = self->model->n;
  /* There and back, and six for the differences, their squares and the angle. */
  const EsStageWork work = {
    .memory_bytes = es_reduction_count_bytes (cube, self->model->n)
                    + (error_map != NULL ? 2 * pixels * sizeof (float) : 0),
    .operations = pixels * n * (4.0 * self->rows + 6),
    .less = N_("Fewer components help."),
  };

  if (!es_pass_run (job, cube, &tiling, &self->selection, &pass, &data, error))
    return FALSE;
  es_job_add_work (job, NULL, &work);
  return TRUE;
}

/* ---- the estimates ---- */

EsImageStack *
es_reconstruction_make_cube (EsJob *job, EsCube *cube, const EsReconstruction *self, double weight, GError **error)
{
  const EsLinearModel *model = self->model;
  const guint n = model->n;
  g_autoptr (EsReduction) bands = es_reduction_new_for_bands (cube, es_job_get_limits (job), model->bands, n, error);
  g_autofree double *matrix = NULL, *offset = NULL, *wavelengths = NULL;
  g_auto (GStrv) titles = g_new0 (char *, n + 1);
  EsImageStack *stack;

  if (bands == NULL)
    return NULL;
  if (model->minimum != NULL)
    {
      bands->minimum = g_memdup2 (model->minimum, n * sizeof (double));
      bands->maximum = g_memdup2 (model->maximum, n * sizeof (double));
    }
  matrix = es_reconstruction_make_matrix (self);
  offset = g_new (double, n);
  for (guint i = 0; i < n; i++)
    {
      for (guint j = 0; j < n; j++)
        matrix[(gsize) i * n + j] *= self->scale[i];
      offset[i] = self->scale[i] * model->mean[i] + self->offset[i];
      titles[i] = es_cube_get_band_label (cube, model->bands[i]);
    }

  EsProjection projection = {
    .name = "reconstruction", .title = _("Reconstruction"), .m = n, .basis = matrix, .mean = model->mean,
    .plane_titles = (const char *const *) titles, .offset = offset, .weight = weight,
  };
  stack = es_reduction_project (job, cube, bands, &projection, error);
  if (stack == NULL)
    return NULL;
  es_image_stack_set_unit (stack, es_cube_get_unit (cube));
  if (es_cube_get_wavelengths (cube) != NULL)
    {
      wavelengths = g_new (double, n);
      for (guint i = 0; i < n; i++)
        wavelengths[i] = es_cube_get_wavelengths (cube)[model->bands[i]];
      es_image_stack_set_wavelengths (stack, wavelengths);
    }
  return stack;
}
