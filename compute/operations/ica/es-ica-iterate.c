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

/* ---- steps ---- */

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
progress_of (EsIcaIteration *self, double first, double change, guint step)
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

/* ---- both approaches ---- */

static gboolean
iterate_symmetric (EsIcaIteration *self, GError **error)
{
  EsIcaRotation *rotation = self->rotation;
  const gsize m = self->samples->m, bytes = m * m * sizeof (double);
  g_autofree double *next = g_malloc (bytes);
  const guint before = rotation->history[0]->len;
  double first = 0, fraction = 0;
  gboolean converged = FALSE;

  /* Where it goes on it has not converged. */
  for (gsize k = 0; before > 0 && k < m; k++)
    first = MAX (first, g_array_index (rotation->history[k], double, 0));
  for (guint step = before + 1; step <= self->most_steps && !converged; step++)
    {
      double largest = 0;

      memcpy (next, rotation->w, bytes);
      if (!es_ica_update (self, 0, m, next, error))
        return FALSE;
      int code = esk_orthonormalise_rows (m, next);
      if (!es_ica_settle (self, next, m * m, &code, error))
        return FALSE;
      /* Rows that have become alike, or vanished: nothing is left that tells them apart, so they stay. */
      if (code == ESK_ERROR_NO_CONVERGENCE)
        memcpy (next, rotation->w, bytes);

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
iterate_one (EsIcaIteration *self, guint row, GError **error)
{
  EsIcaRotation *rotation = self->rotation;
  const gsize m = self->samples->m;
  const guint before = rotation->history[row]->len;
  double *w = rotation->w + row * m, first = 0, fraction = 0;
  g_autofree double *next = g_new (double, m);

  if (before > 0)
    first = g_array_index (rotation->history[row], double, 0);
  for (guint step = before + 1; step <= self->most_steps && !rotation->converged[row]; step++)
    {
      double change;

      memcpy (next, w, m * sizeof (double));
      if (!es_ica_update (self, row, 1, next, error))
        return FALSE;
      int code = esk_orthonormalise_vector (m, row, rotation->w, next);
      if (!es_ica_settle (self, next, m, &code, error))
        return FALSE;
      if (code == ESK_ERROR_NO_CONVERGENCE)
        return TRUE;

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
begin_row (EsIcaIteration *self, guint row, GError **error)
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
set_start (EsIcaIteration *self, EsReduction *reduction, EsParams *params, GError **error)
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
load (EsIcaIteration *self, GError **error)
{
  g_autoptr (GBytes) bytes = NULL;

  if (self->checkpoint == NULL)
    return TRUE;
  self->piece = es_checkpoint_next_name (self->checkpoint, "iteration");
  bytes = es_checkpoint_get (self->checkpoint, self->piece);
  self->loaded = bytes != NULL;
  return bytes == NULL || es_ica_rotation_load (self->rotation, self->most_steps, &self->row, bytes)
         || es_checkpoint_refuse (self->checkpoint, error);
}

static gboolean
iterate_deflation (EsIcaIteration *self, GError **error)
{
  for (; self->row < self->samples->m; self->row++)
    {
      if ((!self->loaded && !begin_row (self, self->row, error)) || !iterate_one (self, self->row, error))
        return FALSE;
      self->loaded = FALSE;
    }
  return TRUE;
}

static gboolean
iterate (EsIcaIteration *self, EsReduction *reduction, EsParams *params, GError **error)
{
  const gboolean symmetric = es_params_get_choice (params, "approach") == ES_ICA_SYMMETRIC;
  gboolean done;

  if (!load (self, error))
    return FALSE;
  if (self->row == ES_ICA_FINISHED)
    return TRUE;
  if (!es_ica_steps_begin (self, symmetric ? self->samples->m : 1, error))
    return FALSE;
  done = (self->loaded || set_start (self, reduction, params, error))
         && (symmetric ? iterate_symmetric (self, error) : iterate_deflation (self, error));
  return es_ica_steps_end (self, done, error);
}

/* What is stopped ends between two steps, and not amid one. */
static gboolean
iterate_kept (EsIcaIteration *self, EsReduction *reduction, EsParams *params, GError **error)
{
  g_autoptr (GError) stopped = NULL;
  gboolean done;

  if (self->checkpoint == NULL)
    return iterate (self, reduction, params, error);
  es_checkpoint_enter (self->checkpoint);
  done = iterate (self, reduction, params, error);
  if (done)
    {
      self->row = ES_ICA_FINISHED;
      es_ica_save (self);
    }
  if (es_checkpoint_leave (self->checkpoint, &stopped))
    return done;
  if (done)
    g_propagate_error (error, g_steal_pointer (&stopped));
  return FALSE;
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

static gboolean
join_cards (EsIcaIteration *self, EsParams *params, GError **error)
{
  const gboolean symmetric = es_params_get_choice (params, "approach") == ES_ICA_SYMMETRIC;
  const gsize m = self->samples->m, rows = symmetric ? m : 1;

  return es_ranks_get_size () == 1
         || es_sample_lanes_join_cards (self->lanes, self->job, (double) ES_ICA_EXPECTED_STEPS * (symmetric ? 1 : m),
                                        rows * (m + 1), error);
}

EsIcaRotation *
es_ica_iterate (EsJob *job, EsReduction *reduction, EsIcaSamples *samples, gboolean by_moments, EsParams *params,
                GError **error)
{
  g_autoptr (EsIcaRotation) rotation = es_ica_rotation_new (samples->m);
  g_autofree double *sums = g_new (double, (gsize) samples->m * (samples->m + 1));
  g_autoptr (EsSampleLanes) lanes = NULL;
  g_autoptr (EsIcaPreview) preview = NULL;
  EsIcaIteration iteration = { .job = job, .samples = samples, .contrast = es_ica_contrast (params),
                          .tolerance = es_params_get_float (params, "tolerance"),
                          .most_steps = es_params_get_int (params, "iterations"), .rotation = rotation,
                          .sums = sums };
  gboolean found;

  es_job_begin_stage (job, "iteration", _("Iteration"), ES_ICA_WEIGHT_ITERATION);
  rotation->by_moments = by_moments;
  if (!rotation->by_moments)
    {
      lanes = open_lanes (job, samples, &iteration.on_host, error);
      if (lanes == NULL)
        return NULL;
      iteration.lanes = lanes;
      if (!join_cards (&iteration, params, error))
        return NULL;
      preview = es_ica_preview_new (job, samples);
      iteration.preview = preview;
    }
  iteration.checkpoint = es_job_get_checkpoint (job);
  found = iterate_kept (&iteration, reduction, params, error) && es_ica_find_moments (&iteration, error);
  g_free (iteration.piece);
  if (!found)
    return NULL;
  es_job_set_preview (job, NULL);
  return g_steal_pointer (&rotation);
}
