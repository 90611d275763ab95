/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-reduction-internal.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#include "device/es-buffer-internal.h"
#include "device/es-device-internal.h"
#include "device/es-left-task-internal.h"
#include "es-blas-core.h"
#include "es-eigen.h"
#include "base/es-error.h"
#include "ranks/es-ranks-internal.h"

/* From so many bands on it takes longer than one waits for a cancelled job: a thread of its own does it, which a job
 * that is cancelled leaves behind. */
#define LAPACK_IN_BACKGROUND 384
#define JACOBI_IN_BACKGROUND 128

struct _EsEigenTask
{
  EsLeftTask       work;
  EsDevice        *device;
  gboolean         jacobi, on_gpu;
  gboolean         too_large;      /* for the GPU that was asked: LAPACK did it */
  gsize            n, n_vectors;   /* of which there are so many */
  double          *matrix, *values, *vectors;
  gboolean         few;            /* no more vectors are needed than these keep */
  EsReductionChoice kept;
  double          *data, *mixing;  /* of a pair, whose noise is matrix and whose transform is vectors; otherwise NULL */
  double           least;
  gsize            raised;
  unsigned         sweeps;
  double           off_norm;
};

static void
task_unref (EsEigenTask *task)
{
  if (!es_left_task_drop (&task->work))
    return;
  g_free (task->matrix);
  g_free (task->values);
  g_free (task->vectors);
  g_free (task->data);
  g_free (task->mixing);
  g_free (task);
}

/* A covariance is positive semi-definite: what is below zero is rounding. */
static double
sum_positive (const double *values, gsize n)
{
  double total = 0;

  for (gsize i = 0; i < n; i++)
    total += fmax (values[i], 0);
  return total;
}

static size_t
choose_vectors (size_t n, const double *values, gpointer data)
{
  const EsReductionChoice *kept = data;
  g_autofree double *positive = g_new (double, n);

  for (gsize i = 0; i < n; i++)
    positive[i] = fmax (values[i], 0);
  return es_reduction_select (positive, n, sum_positive (values, n), kept->threshold, kept->wanted);
}

/* On a GPU: always on the same one, so that results repeat. FALSE with *error; *other: for want of room, or of larger
 * problems in the solver, so that another solver may do. */
static gboolean
solve_on_gpu (EsEigenTask *task, gboolean *other, GError **error)
{
  const EskHotspots *hotspots = es_device_get_hotspots (task->device);
  EskStream *stream = es_device_take_stream (task->device);
  g_autoptr (GError) local_error = NULL;
  int code = ESK_ERROR_MEMORY;

  task->n_vectors = task->n;
  if (stream != NULL && task->data != NULL)
    code = hotspots->eigen->eigen_pair (stream, task->n, task->matrix, task->data, task->least, task->values,
                                        task->vectors, task->mixing, &task->raised);
  else if (stream != NULL && task->few && ESK_HAS (hotspots, eigen, eigen_leading))
    code = hotspots->eigen->eigen_leading (stream, task->n, task->matrix, choose_vectors, &task->kept, task->values,
                                           task->vectors, &task->n_vectors);
  else if (stream != NULL)
    code = hotspots->eigen->eigen_symmetric (stream, task->n, task->matrix, task->values, task->vectors);
  es_device_check (task->device, stream, code,
                   code == ESK_ERROR_NO_CONVERGENCE ? _("The eigenproblem") : _("the eigenproblem"), &local_error);
  if (stream != NULL)
    es_device_give_stream (task->device, stream);
  *other = code == ESK_ERROR_ARGUMENT || g_error_matches (local_error, ES_COMPUTE_ERROR, ES_COMPUTE_ERROR_MEMORY);
  if (local_error == NULL)
    return TRUE;
  g_propagate_error (error, g_steal_pointer (&local_error));
  return FALSE;
}

static gboolean
solve_on_host (EsEigenTask *task, GError **error)
{
  task->n_vectors = task->n;

  const int code = task->jacobi ? esk_eigen_jacobi (task->n, task->matrix, &task->work.cancelled, task->values,
                                                    task->vectors, 50, &task->sweeps, &task->off_norm)
                                : esk_eigen_lapack (task->n, task->matrix, task->values, task->vectors);

  return es_device_check (es_device_get_cpu (), NULL, code,
                          code == ESK_ERROR_NO_CONVERGENCE ? _("The eigenproblem") : _("the eigenproblem"), error);
}

static gpointer
task_main (gpointer data)
{
  EsEigenTask *task = data;
  GError *error = NULL;
  gboolean on_host = !task->on_gpu;

  es_devices_begin_alone ();
  if (task->on_gpu)
    {
      solve_on_gpu (task, &on_host, &error);
      es_devices_release ();
    }
  if (on_host && !esk_is_cancelled (&task->work.cancelled))
    {
      g_clear_error (&error);
      task->too_large = task->on_gpu;
      /* Of a pair the one who asked makes two. */
      if (task->data == NULL)
        solve_on_host (task, &error);
    }
  es_devices_end_alone ();
  es_left_task_end (&task->work, error);
  task_unref (task);
  return NULL;
}

/* Takes over the matrix. */
static EsEigenTask *
task_new (EsJob *job, gboolean jacobi, gboolean on_host, gsize n, double *matrix)
{
  EsEigenTask *task = g_new0 (EsEigenTask, 1);

  es_left_task_init (&task->work);
  task->device = es_device_get_member (es_job_get_device (job), 0);
  task->jacobi = jacobi;
  task->on_gpu = !jacobi && !on_host && es_device_get_kind (task->device) == ES_DEVICE_GPU
                 && ESK_HAS (es_device_get_hotspots (task->device), eigen, eigen_symmetric);
  task->n = n;
  task->matrix = matrix;
  task->values = g_try_new0 (double, n);
  task->vectors = g_try_new0 (double, n * n);
  return task;
}

/* kept: no more vectors than these are needed; NULL: all of them. beside: in a thread of its own, whatever its size. */
static EsEigenTask *
task_begin (EsEigenTask *task, const EsReductionChoice *kept, gboolean beside)
{
  const gboolean apart = beside || task->n >= (task->jacobi ? JACOBI_IN_BACKGROUND : LAPACK_IN_BACKGROUND);

  task->few = kept != NULL;
  if (kept != NULL)
    task->kept = *kept;

  if (task->values == NULL || task->vectors == NULL)
    {
      GError *error = NULL;

      es_reduction_out_of_memory (_("the eigenproblem"), &error);
      es_left_task_end (&task->work, error);
      return task;
    }

  /* A thread that is left behind may be inside the driver when the program ends. */
  if (task->on_gpu)
    es_devices_hold ();
  es_left_task_start (&task->work, apart ? "es-eigen" : NULL, task_main, task);
  return task;
}

EsEigenTask *
es_eigen_task_start (EsJob *job, gboolean jacobi, gboolean on_host, gsize n, double *matrix)
{
  return task_begin (task_new (job, jacobi, on_host, n, matrix), NULL, TRUE);
}

/* It makes no difference to the result, but to how long that takes: of 1,500 bands, seconds. */
static void
warn_of_slow_library (EsJob *job)
{
  const char *better, *core = esk_blas_slow_core (&better);

  if (core == NULL)
    return;
  g_autofree char *warning = g_strdup_printf (_("OpenBLAS does not know this processor and runs its code for “%s”; "
                                                "with OPENBLAS_CORETYPE=%s in the environment it is faster."),
                                              core, better);
  es_job_add_warning (job, warning);
}

gboolean
es_eigen_pair_is_on_gpu (EsJob *job)
{
  EsDevice *device = es_device_get_member (es_job_get_device (job), 0);

  return es_device_get_kind (device) == ES_DEVICE_GPU && ESK_HAS (es_device_get_hotspots (device), eigen, eigen_pair);
}

EsEigenTask *
es_eigen_pair_start (EsJob *job, gsize n, double *noise, double *data, double least)
{
  EsEigenTask *task = task_new (job, FALSE, FALSE, n, noise);

  task->data = data;
  task->least = least;
  task->mixing = g_try_new0 (double, n * n);
  if (task->mixing == NULL)
    g_clear_pointer (&task->vectors, g_free);
  return task_begin (task, NULL, FALSE);
}

gboolean
es_eigen_pair_finish (EsEigenTask *self, EsJob *job, double *values, double *transform, double *mixing, guint *raised,
                      gboolean *too_large, GError **error)
{
  const gsize n = self->n;
  const gboolean done = es_left_task_wait (&self->work, es_job_get_cancellable (job), NULL, NULL, error);

  *too_large = done && self->too_large;
  if (done && !self->too_large)
    {
      memcpy (values, self->values, n * sizeof (double));
      memcpy (transform, self->vectors, n * n * sizeof (double));
      memcpy (mixing, self->mixing, n * n * sizeof (double));
      *raised = self->raised;
      /* Two problems, one after the other. */
      es_reduction_tell_eigenproblem (job, n, n, 0, TRUE);
      es_reduction_tell_eigenproblem (job, n, n, 0, TRUE);
    }
  task_unref (self);
  return done;
}

/* n_vectors: how many rows of vectors there are now. */
static gboolean
task_finish (EsEigenTask *self, EsJob *job, double *values, double *vectors, guint *n_vectors, guint *sweeps,
             double *off_norm, GError **error)
{
  const gsize n = self->n;
  const gboolean done = es_left_task_wait (&self->work, es_job_get_cancellable (job), NULL, NULL, error);

  if (done)
    {
      memcpy (values, self->values, n * sizeof (double));
      memcpy (vectors, self->vectors, self->n_vectors * n * sizeof (double));
      *n_vectors = self->n_vectors;
      if (sweeps != NULL)
        *sweeps = self->sweeps;
      if (off_norm != NULL)
        *off_norm = self->off_norm;
      es_reduction_tell_eigenproblem (job, n, self->n_vectors, self->jacobi ? self->sweeps : 0,
                                      self->on_gpu && !self->too_large);
      if (!self->jacobi && (!self->on_gpu || self->too_large))
        warn_of_slow_library (job);
      if (self->too_large)
        {
          g_autofree char *warning = g_strdup_printf (_("The CPU solved the eigenproblem: it was too large for %s."),
                                                      es_device_get_name (self->device));
          es_job_add_warning (job, warning);
        }
    }
  task_unref (self);
  return done;
}

gboolean
es_eigen_task_finish (EsEigenTask *self, EsJob *job, double *values, double *vectors, guint *sweeps, double *off_norm,
                      GError **error)
{
  guint n_vectors;

  return task_finish (self, job, values, vectors, &n_vectors, sweeps, off_norm, error);
}

gboolean
es_reduction_has_vectors (EsReduction *self, const EsReductionChoice *kept)
{
  return es_reduction_select (self->values, self->n, self->total, kept->threshold, kept->wanted) <= self->n_vectors;
}

void
es_reduction_fix_signs (gsize rows, gsize n, double *vectors)
{
  for (gsize k = 0; k < rows; k++)
    {
      double *row = vectors + k * n, largest = 0;

      for (gsize i = 0; i < n; i++)
        if (fabs (row[i]) > fabs (largest))
          largest = row[i];
      if (largest < 0)
        for (gsize i = 0; i < n; i++)
          row[i] = -row[i];
    }
}

gboolean
es_reduction_solve (EsJob *job, EsCube *cube, EsReduction *self, gboolean correlation, gboolean jacobi,
                    const EsReductionChoice *kept, double weight, GError **error)
{
  const gsize n = self->n;
  g_autofree double *matrix = g_try_malloc (n * n * sizeof (double));

  es_job_begin_stage (job, "eigenproblem", _("Eigenproblem"), weight);
  if (matrix == NULL)
    return es_reduction_out_of_memory (_("the eigenproblem"), error) != NULL;

  self->constant_bands = 0;
  for (gsize i = 0; i < n; i++)
    {
      double variance = self->covariance[i * n + i], mean = self->mean[i];
      /* Of float64 samples rounding leaves a trace even where all are equal. */
      gboolean constant = !(variance > 1e-36 * mean * mean);

      if (!isfinite (variance) || !isfinite (mean))
        {
          g_set_error (error, ES_DATA_ERROR, ES_DATA_ERROR_UNSUPPORTED,
                       _("“%s” holds values in band %u that are too large to be squared; a no-data value that is "
                         "not declared may be the reason."),
                       es_dataset_get_name (ES_DATASET (cube)), self->bands[i] + 1);
          return FALSE;
        }
      self->constant_bands += constant;
      self->scale[i] = correlation ? (constant ? 0 : 1 / sqrt (variance))
                                    : es_reduction_relative_scale (cube, self->bands[0], self->bands[i]);
      if (correlation == FALSE && self->minimum != NULL)
        self->scale[i] = 1;
    }
  if (self->constant_bands == n)
    {
      g_set_error (error, ES_DATA_ERROR, ES_DATA_ERROR_EMPTY,
                   _("“%s” is constant: none of its %u good bands varies over the %lld valid pixels."),
                   es_dataset_get_name (ES_DATASET (cube)), self->n, (long long) self->count);
      return FALSE;
    }
  for (gsize i = 0; i < n; i++)
    for (gsize j = 0; j < n; j++)
      matrix[i * n + j] = self->covariance[i * n + j] * self->scale[i] * self->scale[j];

  EsEigenTask *task = task_begin (task_new (job, jacobi, FALSE, n, g_steal_pointer (&matrix)), kept, FALSE);
  if (!task_finish (task, job, self->values, self->vectors, &self->n_vectors, &self->sweeps, &self->off_norm, error))
    return FALSE;

  /* Other processors may round otherwise, and all go on with the same. */
  if (!es_ranks_broadcast (&self->n_vectors, sizeof self->n_vectors, error)
      || !es_ranks_broadcast (self->values, n * sizeof (double), error)
      || !es_ranks_broadcast (self->vectors, self->n_vectors * n * sizeof (double), error))
    return FALSE;
  self->total = sum_positive (self->values, n);
  for (gsize i = 0; i < n; i++)
    self->values[i] = fmax (self->values[i], 0);
  return !es_job_is_cancelled (job, error);
}
