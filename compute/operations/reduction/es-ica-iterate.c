/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/*
 * The iteration of FastICA: w <- E z g (w'z) - E g' (w'z) w (hyperspectral.md 2.3, step 5.2), then orthogonal to the
 * components before (deflation) or all rows together (symmetric). Means are over the samples, or come from their
 * moments. A step that turns a row over by 180 degrees has not moved it: the measure is abs (1 - |w_new'w_old|).
 */

#include "es-ica-private.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#include "base/es-error.h"
#include "ranks/es-ranks-internal.h"

typedef struct
{
  EsJob         *job;
  EsIcaSamples  *samples;
  EskContrast    contrast;
  double         tolerance;
  guint          most_steps;
  EsIcaRotation *rotation;
  EsIcaPreview  *preview;          /* nullable */
  EsSampleLanes *lanes;            /* NULL: by moments */
  gboolean       on_host;          /* the processor computes, on samples that it has */
  double        *sums;             /* m x m, m */
} Iteration;

/* What a chunk is worked on with. */
typedef struct
{
  EskContrast contrast;
  EskMatrix   w;
} Step;

/* ---- means over the samples ---- */

static int
step_of_chunk (const EskHotspots *hotspots, EskStream *stream, const float *samples, gsize count, gsize stride,
               gconstpointer data, double *sums)
{
  const Step *step = data;
  EskIcaSums out = { step->w.rows, step->w.columns, 0, sums, sums + step->w.rows * step->w.columns };

  return hotspots->ica->ica_step (stream, samples, count, stride, &step->contrast, &step->w, &out);
}

static int
moments_of_chunk (const EskHotspots *hotspots, EskStream *stream, const float *samples, gsize count, gsize stride,
                  gconstpointer data, double *sums)
{
  const Step *step = data;

  /* Four doubles each, and nothing else. */
  return hotspots->ica->ica_moments (stream, samples, count, stride, &step->contrast, &step->w, (EskIcaMoments *) sums);
}

static gboolean
run_lanes (Iteration *self, EsSampleWork work, guint rows, const double *w, gsize n_sums, double *sums,
           GError **error)
{
  const gsize values = (gsize) rows * self->samples->m;
  g_autofree float *rounded = g_new (float, values);
  const Step step = { self->contrast, { rows, self->samples->m, rounded } };

  for (gsize i = 0; i < values; i++)
    rounded[i] = w[i];
  if (!es_sample_lanes_run (self->lanes, work, &step, _("a step of the iteration"), n_sums, sums,
                            es_job_get_cancellable (self->job), error))
    return FALSE;
  for (gsize i = 0; i < n_sums; i++)
    sums[i] /= self->samples->count;
  return TRUE;
}

/* 4 m operations a sample and row, and the contrast, of which a polynomial of some twenty is counted; by moments: each
 * of the fourth moments once a row, by one thread. */
#define CONTRAST_OPERATIONS 24

static void
tell_step (Iteration *self, guint rows)
{
  const double m = self->samples->m, count = (double) self->samples->count;
  const gboolean on_device = self->lanes != NULL && es_sample_store_is_on_devices (self->samples->store);
  const EsStageWork work = self->lanes != NULL
    ? (EsStageWork) { .memory_bytes = count * m * sizeof (float), .operations = count * rows * (4 * m
                      + CONTRAST_OPERATIONS), .launches = 1, .on_host = self->on_host,
                      .link_bytes = self->on_host || on_device ? 0 : count * m * sizeof (float),
                      .less = N_("Fewer components help, a share of the samples, or a coarser tolerance.") }
    : (EsStageWork) { .operations = 4 * m * (m + 1) * (m + 2) * (m + 3) / 24 * rows, .type = ES_WORK_FLOAT64,
                      .threads = 1, .on_host = TRUE,
                      .less = N_("Fewer components help: moments go with their fourth power.") };

  es_job_add_work (self->job, NULL, &work);
}

/* rows of w become E z g (w'z) - E g' (w'z) w. */
static gboolean
update (Iteration *self, guint rows, double *w, GError **error)
{
  const gsize m = self->samples->m;
  double *product = self->sums, *derivative = self->sums + rows * m;

  if (es_job_is_cancelled (self->job, error))
    return FALSE;
  if (self->lanes != NULL)
    {
      if (!run_lanes (self, step_of_chunk, rows, w, rows * m + rows, self->sums, error))
        return FALSE;
    }
  else if (!es_device_check (es_device_get_cpu (), NULL,
                             esk_moment_table_step (self->samples->moments, rows, w, product, derivative),
                             _("a step of the iteration"), error))
    return FALSE;
  tell_step (self, rows);
  for (gsize r = 0; r < rows; r++)
    for (gsize j = 0; j < m; j++)
      w[r * m + j] = product[r * m + j] - derivative[r] * w[r * m + j];
  return TRUE;
}

static double
change_of (gsize m, const double *before, const double *after)
{
  double cosine = 0;

  for (gsize j = 0; j < m; j++)
    cosine += before[j] * after[j];
  return fabs (1 - fabs (cosine));
}

/* How far it is, judged by how fast the measure falls; never back. */
static double
progress_of (Iteration *self, double first, double change, guint step)
{
  const double steps = step / (double) self->most_steps;

  if (!(change > 0) || !(first > self->tolerance))
    return steps;
  return CLAMP (log (first / MAX (change, self->tolerance)) / log (first / self->tolerance), steps, 1);
}

static void
note_change (EsIcaRotation *rotation, guint row, double change)
{
  g_array_append_val (rotation->history[row], change);
  rotation->steps[row] = rotation->history[row]->len;
}

/* Other processors may round otherwise, and all go on with the same. */
static gboolean
follow_first (double *next, gsize n, GError **error)
{
  return es_ranks_get_n_hosts () == 1 || es_ranks_broadcast (next, n * sizeof (double), error);
}

/* ---- both approaches ---- */

static gboolean
iterate_symmetric (Iteration *self, GError **error)
{
  EsIcaRotation *rotation = self->rotation;
  const gsize m = self->samples->m, bytes = m * m * sizeof (double);
  g_autofree double *next = g_malloc (bytes);
  double first = 0, fraction = 0;
  gboolean converged = FALSE;

  for (guint step = 1; step <= self->most_steps && !converged; step++)
    {
      double largest = 0;

      memcpy (next, rotation->w, bytes);
      if (!update (self, m, next, error))
        return FALSE;
      int code = esk_orthonormalise_rows (m, next);
      /* Rows that have become alike, or vanished: nothing is left that tells them apart, so they stay. */
      if (code == ESK_ERROR_NO_CONVERGENCE)
        memcpy (next, rotation->w, bytes);
      else if (!es_device_check (es_device_get_cpu (), NULL, code, _("a step of the iteration"), error))
        return FALSE;
      if (!follow_first (next, m * m, error))
        return FALSE;

      converged = TRUE;
      for (gsize k = 0; k < m; k++)
        {
          const double change = change_of (m, rotation->w + k * m, next + k * m);
          note_change (rotation, k, change);
          rotation->converged[k] = code == ESK_OK && change < self->tolerance;
          converged &= rotation->converged[k];
          largest = MAX (largest, change);
        }
      memcpy (rotation->w, next, bytes);
      if (code != ESK_OK)
        break;
      if (step == 1)
        first = largest;
      fraction = MAX (fraction, progress_of (self, first, largest, step));
      es_job_set_fraction (self->job, fraction);
      if (self->preview != NULL)
        es_ica_preview_show (self->preview, rotation->w, 0, step);
    }
  return TRUE;
}

static gboolean
iterate_one (Iteration *self, guint row, GError **error)
{
  EsIcaRotation *rotation = self->rotation;
  const gsize m = self->samples->m;
  double *w = rotation->w + row * m, first = 0, fraction = 0;
  g_autofree double *next = g_new (double, m);

  for (guint step = 1; step <= self->most_steps && !rotation->converged[row]; step++)
    {
      double change;

      memcpy (next, w, m * sizeof (double));
      if (!update (self, 1, next, error))
        return FALSE;
      const int code = esk_orthonormalise_vector (m, row, rotation->w, next);
      if (code == ESK_ERROR_NO_CONVERGENCE)
        return TRUE;
      if (!es_device_check (es_device_get_cpu (), NULL, code, _("a step of the iteration"), error)
          || !follow_first (next, m, error))
        return FALSE;

      change = change_of (m, w, next);
      note_change (rotation, row, change);
      rotation->converged[row] = change < self->tolerance;
      memcpy (w, next, m * sizeof (double));
      if (step == 1)
        first = change;
      fraction = MAX (fraction, progress_of (self, first, change, step));
      es_job_set_fraction (self->job, (row + fraction) / m);
      if (self->preview != NULL)
        es_ica_preview_show (self->preview, w, row, step);
    }
  return TRUE;
}

/* A start that is, but for rounding, among the rows before is replaced by the axis that is farthest from them. */
static gboolean
begin_row (Iteration *self, guint row, GError **error)
{
  const gsize m = self->samples->m;
  double *w = self->rotation->w + row * m;
  int code = esk_orthonormalise_vector (m, row, self->rotation->w, w);

  if (code == ESK_ERROR_NO_CONVERGENCE)
    {
      double least = INFINITY;
      gsize axis = 0;

      for (gsize j = 0; j < m; j++)
        {
          double along = 0;
          for (gsize i = 0; i < row; i++)
            along += self->rotation->w[i * m + j] * self->rotation->w[i * m + j];
          if (along < least)
            {
              least = along;
              axis = j;
            }
        }
      memset (w, 0, m * sizeof (double));
      w[axis] = 1;
      code = esk_orthonormalise_vector (m, row, self->rotation->w, w);
    }
  return es_device_check (es_device_get_cpu (), NULL, code, _("the start of the iteration"), error);
}

/* ---- where it starts ---- */

static void
set_axes (gsize m, double *w)
{
  memset (w, 0, m * m * sizeof (double));
  for (gsize k = 0; k < m; k++)
    w[k * m + k] = 1;
}

/* Unit vectors of m bands, spread evenly, as they are after whitening. */
static void
set_bands (EsReduction *reduction, gsize m, double *w)
{
  const gsize n = reduction->n;

  for (gsize k = 0; k < m; k++)
    {
      const gsize band = m > 1 ? k * (n - 1) / (m - 1) : n / 2;
      for (gsize j = 0; j < m; j++)
        w[k * m + j] = reduction->vectors[j * n + band] * sqrt (reduction->values[j]);
    }
}

static gboolean
set_start (Iteration *self, EsReduction *reduction, EsParams *params, GError **error)
{
  const gsize m = self->samples->m;
  double *w = self->rotation->w;
  int code;

  switch (es_params_get_choice (params, "start"))
    {
    case ES_ICA_START_IDENTITY:
      set_bands (reduction, m, w);
      break;
    case ES_ICA_START_PCA:
      set_axes (m, w);
      break;
    case ES_ICA_START_RANDOM:
    default:
      esk_fill_normal (es_params_get_int (params, "seed"), m * m, w);
      break;
    }
  if (es_params_get_choice (params, "approach") == ES_ICA_DEFLATION)
    return TRUE;
  code = esk_orthonormalise_rows (m, w);
  if (code == ESK_ERROR_NO_CONVERGENCE)
    {
      set_axes (m, w);
      code = ESK_OK;
    }
  return es_device_check (es_device_get_cpu (), NULL, code, _("the start of the iteration"), error);
}

/* ---- the stage ---- */

static gboolean
find_moments (Iteration *self, GError **error)
{
  EsIcaRotation *rotation = self->rotation;

  rotation->contrast_of_normal = esk_contrast_of_normal (&self->contrast);
  if (self->lanes != NULL)
    return run_lanes (self, moments_of_chunk, rotation->m, rotation->w, 4 * (gsize) rotation->m,
                      (double *) rotation->moments, error);
  return es_device_check (es_device_get_cpu (), NULL,
                          esk_moment_table_moments (self->samples->moments, rotation->m, rotation->w,
                                                    rotation->moments),
                          _("the moments"), error);
}

static gboolean
iterate (Iteration *self, EsReduction *reduction, EsParams *params, GError **error)
{
  if (!set_start (self, reduction, params, error))
    return FALSE;
  if (es_params_get_choice (params, "approach") == ES_ICA_SYMMETRIC)
    return iterate_symmetric (self, error);
  for (guint row = 0; row < self->samples->m; row++)
    if (!begin_row (self, row, error) || !iterate_one (self, row, error))
      return FALSE;
  return TRUE;
}

/* The GPUs where they hold the samples or can be brought them; otherwise the CPU. */
static EsSampleLanes *
open_lanes (EsJob *job, EsIcaSamples *samples, gboolean *on_host, GError **error)
{
  const EsLimits *limits = es_job_get_limits (job);
  EsDevice *device = es_job_get_device (job);
  const EskHotspots *hotspots = es_device_get_hotspots (es_device_get_member (device, 0));
  guint lanes;

  *on_host = FALSE;
  if (es_sample_store_is_on_devices (samples->store))
    return es_sample_lanes_new (samples->store, device, 1, error);
  if (!es_device_is_cpu (device) && ESK_HAS (hotspots, ica, ica_step)
      && ESK_HAS (hotspots, ica, ica_moments))
    /* One is copied to while the other computes. */
    return es_sample_lanes_new (samples->store, device, 2, error);
  *on_host = TRUE;
  device = es_device_get_cpu ();
  lanes = es_device_get_lanes (device);
  if (limits->threads > 0)
    lanes = MIN (lanes, limits->threads);
  return es_sample_lanes_new (samples->store, device, lanes, error);
}

EsIcaRotation *
es_ica_iterate (EsJob *job, EsReduction *reduction, EsIcaSamples *samples, gboolean by_moments, EsParams *params,
                GError **error)
{
  g_autoptr (EsIcaRotation) rotation = es_ica_rotation_new (samples->m);
  g_autofree double *sums = g_new (double, (gsize) samples->m * (samples->m + 1));
  g_autoptr (EsSampleLanes) lanes = NULL;
  g_autoptr (EsIcaPreview) preview = NULL;
  Iteration iteration = { .job = job, .samples = samples, .contrast = es_ica_contrast (params),
                          .tolerance = es_params_get_float (params, "tolerance"),
                          .most_steps = es_params_get_int (params, "iterations"), .rotation = rotation,
                          .sums = sums };

  es_job_begin_stage (job, "iteration", _("Iteration"), ES_ICA_WEIGHT_ITERATION);
  rotation->by_moments = by_moments;
  if (!rotation->by_moments)
    {
      lanes = open_lanes (job, samples, &iteration.on_host, error);
      if (lanes == NULL)
        return NULL;
      iteration.lanes = lanes;
      preview = es_ica_preview_new (job, samples);
      iteration.preview = preview;
    }
  if (!iterate (&iteration, reduction, params, error) || !find_moments (&iteration, error))
    return NULL;
  es_job_set_preview (job, NULL);
  return g_steal_pointer (&rotation);
}
