/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/*
 * The smallest eigenvalues by a dense factor on a GPU. A factor that has begun cannot be stopped: all of it is on a
 * thread of its own, with a copy of the matrix, which a caller who is cancelled leaves behind.
 */

#include "es-sparse-eigen-private.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "base/es-error.h"
#include "device/es-buffer-internal.h"
#include "device/es-device-internal.h"
#include "device/es-left-task-internal.h"


typedef struct
{
  EsLeftTask      task;
  EsDevice       *device;
  EskCsr          matrix;
  gint32         *row_from, *column;
  double         *value;
  guint           m;
  double          tolerance, norm;
  double         *values, *vectors;
  double          shift;
  EskSparseEigenFacts facts;
  gboolean        refused, failed;   /* the CPU does it; the card was asked and could not */
} CardTask;

static void
task_unref (CardTask *self)
{
  if (!es_left_task_drop (&self->task))
    return;
  g_free (self->row_from);
  g_free (self->column);
  g_free (self->value);
  g_free (self->values);
  g_free (self->vectors);
  g_free (self);
}
G_DEFINE_AUTOPTR_CLEANUP_FUNC (CardTask, task_unref)

static gpointer
copy_array (gconstpointer from, gsize n, gsize size)
{
  gpointer to = g_try_malloc_n (n + 1, size);

  if (to != NULL)
    memcpy (to, from, n * size);
  return to;
}

static CardTask *
task_new (const EskCsr *matrix, guint m, double norm, const EsEigenOptions *options)
{
  CardTask *self = g_new0 (CardTask, 1);
  const gsize n = matrix->rows, n_nonzeros = esk_csr_n_nonzeros (matrix);

  es_left_task_init (&self->task);
  self->device = es_device_get_member (options->device, 0);
  self->m = m;
  self->norm = norm;
  self->tolerance = options->tolerance;
  self->row_from = copy_array (matrix->row_from, n + 1, sizeof (gint32));
  self->column = copy_array (matrix->column, n_nonzeros, sizeof (gint32));
  self->value = copy_array (matrix->value, n_nonzeros, sizeof (double));
  self->values = g_try_new0 (double, m);
  self->vectors = g_try_malloc_n (n, m * sizeof (double));
  self->matrix = (EskCsr) { n, n, ESK_F64, self->row_from, self->column, self->value };
  if (self->row_from != NULL && self->column != NULL && self->value != NULL && self->values != NULL
      && self->vectors != NULL)
    return self;
  task_unref (self);
  return NULL;
}

/* Where the card does not do it, the CPU does. */
static void
run (CardTask *self, EskStream *stream, GError **error)
{
  const EskHotspots *hotspots = es_device_get_hotspots (self->device);
  int code = ESK_ERROR_SINGULAR;

  esk_hotspots_set_cancelled (hotspots, stream, &self->task.cancelled);
  while (code == ESK_ERROR_SINGULAR && es_eigen_raise_shift (&self->shift, self->norm))
    code = hotspots->eigen->eigen_sparse_smallest (stream, &self->matrix, self->shift, self->m,
                                                   es_eigen_tolerance_of_inverse (self->tolerance, self->shift,
                                                                                  self->norm),
                                                   self->values, self->vectors, &self->facts);
  esk_hotspots_set_cancelled (hotspots, stream, NULL);
  if (code == ESK_ERROR_ARGUMENT || code == ESK_ERROR_MEMORY || code == ESK_ERROR_NO_CONVERGENCE
      || code == ESK_ERROR_SINGULAR)
    {
      self->refused = TRUE;
      self->failed = code != ESK_ERROR_ARGUMENT;
    }
  else if (code == ESK_ERROR_CANCELLED)
    g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_CANCELLED, _("Operation was cancelled"));
  else
    es_device_check (self->device, stream, code, _("the eigenproblem"), error);
}

static gpointer
task_main (gpointer data)
{
  CardTask *self = data;
  EskStream *stream;
  GError *error = NULL;

  es_devices_begin_alone ();
  stream = es_device_take_stream (self->device);
  if (stream == NULL)
    self->refused = self->failed = TRUE;
  else
    {
      run (self, stream, &error);
      es_device_give_stream (self->device, stream);
    }
  es_devices_release ();
  es_devices_end_alone ();
  es_left_task_end (&self->task, error);
  task_unref (self);
  return NULL;
}

gboolean
es_eigen_card_takes (const EskCsr *matrix, guint m, const EsEigenOptions *options)
{
  const guint64 n = matrix->rows;
  EsDevice *device;

  if (options->device == NULL || options->without_factor)
    return FALSE;
  device = es_device_get_member (options->device, 0);
  return es_device_get_kind (device) == ES_DEVICE_GPU
         && ESK_HAS (es_device_get_hotspots (device), eigen, eigen_sparse_smallest) && n >= 4 * (guint64) m + 32
         && (n * n + n * 32 * (m + 8)) * 8 + 12 * (guint64) esk_csr_n_nonzeros (matrix)
            <= es_device_get_room (device, options->limits);
}

gboolean
es_eigen_find_on_card (const EskCsr *matrix, guint m, const EsEigenOptions *options, double *values, double *vectors,
                       EsEigenFacts *facts, GError **error)
{
  g_autoptr (CardTask) task = task_new (matrix, m, facts->norm, options);

  if (task == NULL)
    return es_compute_error_no_memory (_("the eigenproblem"), error);
  /* A thread that is left behind may be inside the driver when the program ends. */
  es_devices_hold ();
  es_left_task_start (&task->task, "es-sparse-eigen", task_main, task);
  if (!es_left_task_wait (&task->task, options->cancellable, NULL, NULL, error))
    return FALSE;
  facts->card_refused = task->failed;
  if (task->refused)
    return TRUE;
  facts->method = ES_EIGEN_CARD;
  facts->products = task->facts.solutions;
  facts->restarts = task->facts.restarts;
  facts->shift = task->shift;
  facts->factor_values = (guint64) matrix->rows * (matrix->rows + 1) / 2;
  facts->factor_bytes = task->facts.bytes;
  facts->factor_flops = (double) matrix->rows * (double) matrix->rows * (double) matrix->rows / 3;
  memcpy (values, task->values, m * sizeof (double));
  memcpy (vectors, task->vectors, m * matrix->rows * sizeof (double));
  return TRUE;
}
