/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* The device's memory, and launching on it. */

#include "es-solver-private.h"

#include <glib/gi18n-lib.h>
#include <string.h>

/* Between the first elements of two vectors: a multiple of so many bytes. */
#define ALIGNMENT 256

gboolean
es_solver_check_code (EsSolverRun *run, int code, GError **error)
{
  return code == ESK_OK || es_device_check (run->device, run->stream, code, _("the solver's iteration"), error);
}

gboolean
es_solver_allocate (EsSolverRun *run, guint n_vectors, gsize n_slots, GError **error)
{
  const gsize size = esk_type_size (run->type);

  run->stride = (run->n * size + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT / size;
  run->memory = es_buffer_new (run->device, n_vectors * run->stride * size + ALIGNMENT, error);
  if (run->memory == NULL)
    return FALSE;
  run->slot_memory = es_buffer_new (run->device, n_slots * sizeof (double), error);
  if (run->slot_memory == NULL)
    return FALSE;
  run->slots = es_buffer_get_data (run->slot_memory);
  run->here = g_new0 (double, n_slots);
  run->n_slots = n_slots;
  return es_solver_check_code (run, run->vectors->fill (run->stream, ESK_F64, n_slots, 0, run->slots), error);
}

void *
es_solver_vector (EsSolverRun *run, guint i)
{
  /* The host's memory is not as well aligned as a card's. */
  const guintptr start = ((guintptr) es_buffer_get_data (run->memory) + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;

  return (char *) start + i * run->stride * esk_type_size (run->type);
}

gboolean
es_solver_upload (EsSolverRun *run, void *to, const void *from, gsize bytes, GError **error)
{
  int code;

  if (run->hotspots->device == NULL)
    {
      memcpy (to, from, bytes);
      return TRUE;
    }
  code = run->hotspots->device->upload (run->stream, to, from, bytes);
  return es_solver_check_code (run, code == ESK_OK ? run->hotspots->device->wait (run->stream) : code, error);
}

gboolean
es_solver_download (EsSolverRun *run, void *to, const void *from, gsize bytes, GError **error)
{
  int code;

  if (run->hotspots->device == NULL)
    {
      memcpy (to, from, bytes);
      return TRUE;
    }
  code = run->hotspots->device->download (run->stream, to, bytes, from, bytes, bytes, 1);
  return es_solver_check_code (run, code == ESK_OK ? run->hotspots->device->wait (run->stream) : code, error);
}

gboolean
es_solver_put (EsSolverRun *run, void *to, const double *from, GError **error)
{
  g_autofree float *narrow = NULL;

  if (run->type == ESK_F64)
    return es_solver_upload (run, to, from, run->n * sizeof (double), error);
  narrow = g_new (float, run->n);
  for (gsize k = 0; k < run->n; k++)
    narrow[k] = (float) from[k];
  return es_solver_upload (run, to, narrow, run->n * sizeof (float), error);
}

gboolean
es_solver_get (EsSolverRun *run, double *to, const void *from, GError **error)
{
  g_autofree float *narrow = NULL;

  if (run->type == ESK_F64)
    return es_solver_download (run, to, from, run->n * sizeof (double), error);
  narrow = g_new (float, run->n);
  if (!es_solver_download (run, narrow, from, run->n * sizeof (float), error))
    return FALSE;
  for (gsize k = 0; k < run->n; k++)
    to[k] = (double) narrow[k];
  return TRUE;
}

gboolean
es_solver_start (EsSolverRun *run, GError **error)
{
  if (!es_solver_put (run, run->b, run->given_b, error)
      || !es_solver_check_code (run, run->vectors->fill (run->stream, run->type, run->n, 0, run->x), error))
    return FALSE;
  run->started = g_get_monotonic_time ();
  return TRUE;
}

gboolean
es_solver_read (EsSolverRun *run, gsize first, gsize n, GError **error)
{
  return es_solver_download (run, run->here + first, run->slots + first, n * sizeof (double), error);
}

gboolean
es_solver_prepare_as (EsSolverRun *run, const EskCsr *matrix, EskSparseFormat format, const EskSparseOptions *options,
                      EskSparseProduct **product, EskSparseCost *cost, GError **error)
{
  const gsize n_nonzeros = esk_csr_n_nonzeros (matrix);
  g_autofree float *narrow = NULL;
  EskCsr here = *matrix;
  int code;

  if (run->type == ESK_F32)
    {
      narrow = g_new (float, n_nonzeros + 1);
      for (gsize k = 0; k < n_nonzeros; k++)
        narrow[k] = (float) ((const double *) matrix->value)[k];
      here.value = narrow;
      here.type = ESK_F32;
    }
  code = run->hotspots->sparse->product_new (run->stream, &here, format, options, 0, product, cost);
  return code == ESK_OK || es_device_check (run->device, run->stream, code, _("preparing the matrix"), error);
}

gboolean
es_solver_prepare (EsSolverRun *run, const EskCsr *matrix, EskSparseProduct **product, EskSparseCost *cost,
                   GError **error)
{
  if (!es_solver_prepare_as (run, matrix, run->settings->format, &run->settings->options, product, cost, error))
    return FALSE;
  run->solution->build_ms += cost->build_ms;
  run->solution->upload_ms += cost->upload_ms;
  return TRUE;
}

gboolean
es_solver_multiply_dots (EsSolverRun *run, const void *x, void *y, guint n_dots, const void * const *with,
                         double *slots, GError **error)
{
  const void *products[ESK_MOST_DOTS], *others[ESK_MOST_DOTS];
  int code;

  if (n_dots > 0 && run->vectors->multiply_dots != NULL)
    return es_solver_check_code (run, run->vectors->multiply_dots (run->stream, run->product, x, y, n_dots, with,
                                                                   slots), error);
  code = run->hotspots->sparse->multiply (run->stream, run->product, 1, x, 0, y);
  for (guint d = 0; d < n_dots; d++)
    {
      products[d] = y;
      others[d] = with[d] != NULL ? with[d] : y;
    }
  if (code == ESK_OK && n_dots > 0)
    code = run->vectors->dots (run->stream, run->type, run->n, n_dots, products, others, slots);
  return es_solver_check_code (run, code, error);
}

gboolean
es_solver_combine (EsSolverRun *run, guint n_terms, const EskTerm *terms, void *out, guint n_dots,
                   const void * const *with, double *slots, GError **error)
{
  return es_solver_check_code (run, run->vectors->combine (run->stream, run->type, run->n, n_terms, terms, out, n_dots,
                                                           with, slots), error);
}

gboolean
es_solver_residual (EsSolverRun *run, void *r, double *slot, GError **error)
{
  const EskTerm copy = es_term (1, run->b);
  const void *with[1] = { r };

  return es_solver_combine (run, 1, &copy, r, 0, NULL, NULL, error)
         && es_solver_check_code (run, run->hotspots->sparse->multiply (run->stream, run->product, -1, run->x, 1, r),
                                  error)
         && es_solver_check_code (run, run->vectors->dots (run->stream, run->type, run->n, 1, with, with, slot), error);
}
