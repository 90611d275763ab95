/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* From components back to spectra, tile by tile: how large the error is, and the estimates themselves. */

#include "es-reconstruct-private.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#include "device/es-buffer-internal.h"
#include "ranks/es-ranks-internal.h"

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

/* Sums are those of groups of tiles, added in their order: the same bytes for any number of processes. */
typedef struct
{
  const EsReconstruction *reconstruction;
  EsImageStack           *map;             /* nullable */
  EskErrorSums            group;           /* of the group under way */
  double                 *groups;          /* n_groups of group_length () numbers: those of this process, 0 elsewhere */
  guint                   n_groups;
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

static void
sums_reset (EskErrorSums *sums)
{
  memset (sums->error, 0, sums->n_bands * sizeof (double));
  memset (sums->square, 0, sums->n_bands * sizeof (double));
  sums->count = 0;
  sums->angle = sums->largest = 0;
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

  sums_reset (&lane->sums);
  code = context->hotspots->cube->project_error (context->stream, tile, &self->selection, valid, &forward, &backward,
                                                 self->model->mean, self->scale, self->offset, rmse,
                                                 rmse != NULL ? rmse + pixels : NULL, &lane->sums);
  if (code == ESK_OK && rmse != NULL && !lane->on_cpu)
    code = context->hotspots->device->download (context->stream, lane->values, bytes, rmse, bytes, bytes, 1);
  return es_device_check (context->device, context->stream, code, _("the errors"), error);
}

static void
sums_add (EskErrorSums *sums, const EskErrorSums *other)
{
  for (gsize i = 0; i < sums->n_bands; i++)
    {
      sums->error[i] += other->error[i];
      sums->square[i] += other->square[i];
    }
  sums->count += other->count;
  sums->angle += other->angle;
  sums->largest = MAX (sums->largest, other->largest);
}

/* In the order of the tiles: the same sums every time. */
static gboolean
measure_merge (gpointer data, const EsLaneContext *context, const EsCubeWindow *window, gpointer pass_data,
               GError **error)
{
  MeasureLane *lane = data;
  MeasurePass *pass = pass_data;

  sums_add (&pass->group, &lane->sums);
  if (lane->values == NULL)
    return TRUE;
  return es_image_stack_write (pass->map, window->x, window->y, window->width, window->height, lane->values,
                               window->width * window->height, error);
}

/* Numbers of a group: two a band, the count, the angle, the largest. */
static gsize
group_length (const MeasurePass *pass)
{
  return 2 * pass->group.n_bands + 3;
}

static gboolean
measure_group_done (gpointer pass_data, guint group, GError **error)
{
  MeasurePass *pass = pass_data;
  EskErrorSums *sums = &pass->group;
  const gsize n = sums->n_bands;
  double *to = pass->groups + group * group_length (pass);

  memcpy (to, sums->error, n * sizeof (double));
  memcpy (to + n, sums->square, n * sizeof (double));
  to[2 * n] = (double) sums->count;
  to[2 * n + 1] = sums->angle;
  to[2 * n + 2] = sums->largest;
  sums_reset (sums);
  return TRUE;
}

static void
measure_restart (gpointer pass_data)
{
  MeasurePass *pass = pass_data;

  sums_reset (&pass->group);
  memset (pass->groups, 0, pass->n_groups * group_length (pass) * sizeof (double));
  if (pass->map != NULL)
    es_image_stack_forget_written (pass->map);
}

/* Each number is that of one process, and stays as it is. */
static gboolean
bring_groups (MeasurePass *pass, EskErrorSums *total, GError **error)
{
  const gsize n = total->n_bands;

  if (!es_ranks_sum_doubles (pass->groups, pass->n_groups * group_length (pass), error))
    return FALSE;
  for (guint g = 0; g < pass->n_groups; g++)
    {
      double *from = pass->groups + g * group_length (pass);
      const EskErrorSums group = { .n_bands = n, .error = from, .square = from + n, .count = (gsize) from[2 * n],
                                   .angle = from[2 * n + 1], .largest = from[2 * n + 2] };

      sums_add (total, &group);
    }
  return TRUE;
}

static gboolean
run_measure (EsJob *job, EsCube *cube, const EsTiling *tiling, MeasurePass *data, EskErrorSums *sums, GError **error)
{
  static const EsPass pass = { lane_new, lane_free, measure_tile, measure_merge, .restart = measure_restart,
                               .group_done = measure_group_done };

  if (!es_pass_run (job, cube, tiling, &data->reconstruction->selection, &pass, data, error))
    return FALSE;
  /* Cards have summed their rows as a whole: a process is a group. */
  if (!es_device_is_cpu (es_job_get_device (job)))
    measure_group_done (data, es_ranks_get_rank (), NULL);
  if (!bring_groups (data, sums, error))
    return FALSE;
  /* What others have written of it is there now. */
  if (data->map != NULL && es_ranks_get_size () > 1)
    es_image_stack_mark_written (data->map, 0, es_cube_get_width (cube), es_cube_get_height (cube));
  return TRUE;
}

gboolean
es_reconstruction_measure (EsJob *job, EsCube *cube, const EsReconstruction *self, EsImageStack *error_map,
                           EskErrorSums *sums, GError **error)
{
  EsDevice *device = es_job_get_device (job);
  const gboolean on_cpu = es_device_is_cpu (device);
  const gsize n_bands = self->model->n;
  /* A byte a pixel on the CPU: the mask. A GPU's is beside the samples. */
  const EsTiling tiling = es_tiling_plan (cube, device, es_job_get_limits (job),
                                          (on_cpu ? 1 : 0) + (error_map != NULL ? 2 * sizeof (float) : 0),
                                          2 * n_bands * sizeof (double));
  const double pixels = es_reduction_count_pixels (cube), n = self->model->n;
  /* There and back, and six for the differences, their squares and the angle. */
  const EsStageWork work = {
    .memory_bytes = es_reduction_count_bytes (cube, self->model->n)
                    + (error_map != NULL ? 2 * pixels * sizeof (float) : 0),
    .operations = pixels * n * (4.0 * self->rows + 6),
    .less = N_("Fewer components help."),
  };
  g_autofree double *error_sums = g_new0 (double, n_bands), *square_sums = g_new0 (double, n_bands);
  g_autofree double *groups = NULL;
  MeasurePass data = { self, error_map, { .n_bands = n_bands, .error = error_sums, .square = square_sums },
                       .n_groups = MAX (ES_PASS_GROUPS, es_ranks_get_size ()) };

  data.groups = groups = g_try_new0 (double, data.n_groups * group_length (&data));
  if (!es_ranks_agree (groups != NULL || es_reduction_out_of_memory (_("the errors of a tile"), error) != NULL, error)
      || !run_measure (job, cube, &tiling, &data, sums, error))
    return FALSE;
  es_job_add_work (job, NULL, &work);
  return TRUE;
}

/* ---- the estimates ---- */

EsImageStack *
es_reconstruction_project (EsJob *job, EsCube *cube, const EsReconstruction *self, const EsProjection *projection,
                           GError **error)
{
  const EsLinearModel *model = self->model;
  const guint n = model->n;
  g_autoptr (EsReduction) bands = es_reduction_new_for_bands (cube, es_job_get_limits (job), model->bands, n, error);
  g_autofree double *wavelengths = NULL;
  g_auto (GStrv) titles = g_new0 (char *, n + 1);
  EsProjection whole = *projection;
  EsImageStack *stack;

  if (bands == NULL)
    return NULL;
  if (model->minimum != NULL)
    {
      bands->minimum = g_memdup2 (model->minimum, n * sizeof (double));
      bands->maximum = g_memdup2 (model->maximum, n * sizeof (double));
    }
  for (guint i = 0; i < n; i++)
    titles[i] = es_cube_get_band_label (cube, model->bands[i]);
  whole.m = n;
  whole.mean = model->mean;
  whole.plane_titles = (const char *const *) titles;
  stack = es_reduction_project (job, cube, bands, &whole, error);
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

EsImageStack *
es_reconstruction_make_cube (EsJob *job, EsCube *cube, const EsReconstruction *self, double weight, GError **error)
{
  const EsLinearModel *model = self->model;
  const guint n = model->n;
  g_autofree double *matrix = es_reconstruction_make_matrix (self), *offset = g_new (double, n);
  const EsProjection projection = { .name = "reconstruction", .title = _("Reconstruction"), .basis = matrix,
                                    .offset = offset, .weight = weight };

  for (guint i = 0; i < n; i++)
    {
      for (guint j = 0; j < n; j++)
        matrix[(gsize) i * n + j] *= self->scale[i];
      offset[i] = self->scale[i] * model->mean[i] + self->offset[i];
    }
  return es_reconstruction_project (job, cube, self, &projection, error);
}
