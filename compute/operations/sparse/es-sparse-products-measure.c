/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* One format: made, multiplied for a while, compared with the truth. */

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#include "base/es-error.h"
#include "es-sparse-products-private.h"
#include "sparse/es-sparse-build.h"

/* A sample is as many products as take this long, so that neither the clock nor the wait for a card counts. */
#define SAMPLE_SECONDS 0.004
#define MOST_TIMES 5000
#define USUAL_REPEATS 11
/* No more samples than fit this, but three. */
#define MOST_SECONDS 3.0

static gboolean
check (EsSparseProducts *self, int code, GError **error)
{
  return es_device_check (self->device, self->stream, code, "sparse products", error);
}

gboolean
es_sparse_products_put (EsSparseProducts *self, void *to, const void *from, gsize bytes, GError **error)
{
  if (self->on_card)
    return check (self, self->hotspots->device->upload (self->stream, to, from, bytes), error)
           && check (self, esk_hotspots_wait (self->hotspots, self->stream), error);
  if (bytes > 0)
    memcpy (to, from, bytes);
  return TRUE;
}

gboolean
es_sparse_products_get (EsSparseProducts *self, void *to, const void *from, gsize bytes, GError **error)
{
  if (self->on_card)
    return bytes == 0
           || (check (self, self->hotspots->device->download (self->stream, to, bytes, from, bytes, bytes, 1), error)
               && check (self, esk_hotspots_wait (self->hotspots, self->stream), error));
  if (bytes > 0)
    memcpy (to, from, bytes);
  return TRUE;
}

/* Seconds of one of `times` products after each other; negative: an error. */
static double
time_products (EsSparseProducts *self, EskSparseProduct *product, guint times, GError **error)
{
  const gint64 begin = g_get_monotonic_time ();
  int code = ESK_OK;

  for (guint t = 0; t < times && code == ESK_OK; t++)
    code = self->hotspots->sparse->multiply (self->stream, product, 1, es_buffer_get_data (self->x), 0,
                                             es_buffer_get_data (self->y));
  if (code == ESK_OK)
    code = esk_hotspots_wait (self->hotspots, self->stream);
  if (!check (self, code, error))
    return -1;
  return MAX (1e-6 * (double) (g_get_monotonic_time () - begin), 1e-9) / times;
}

static gboolean
repeat (EsSparseProducts *self, EskSparseProduct *product, EsMeasured *measured, GError **error)
{
  const guint told = (guint) es_params_get_int (self->params, "repeats");
  double samples[ESK_LAB_MOST_REPEATS], first, all = 0;
  guint repeats = told > 0 ? told : USUAL_REPEATS, times, n = 0;

  /* The first brings the matrix as near as it comes, and wakes threads; the second says how many make a sample. */
  if (time_products (self, product, 1, error) < 0 || (first = time_products (self, product, 1, error)) < 0)
    return FALSE;
  times = (guint) CLAMP (ceil (SAMPLE_SECONDS / first), 1, MOST_TIMES);
  while (n < repeats && (n < 3 || all < MOST_SECONDS))
    {
      if (es_job_is_cancelled (self->job, error))
        return FALSE;
      samples[n] = time_products (self, product, times, error);
      if (samples[n] < 0)
        return FALSE;
      all += samples[n++] * times;
    }
  es_measured_of (samples, n, measured);
  return TRUE;
}

/* ||y - reference|| / ||reference||. */
static gboolean
compare (EsSparseProducts *self, double *relative, GError **error)
{
  const gsize n = self->csr.rows;
  double squares = 0;

  if (!es_sparse_products_get (self, self->host_y, es_buffer_get_data (self->y), n * esk_type_size (self->csr.type),
                               error))
    return FALSE;
  for (gsize i = 0; i < n; i++)
    {
      const double y = self->csr.type == ESK_F64 ? ((const double *) self->host_y)[i]
                                                 : (double) ((const float *) self->host_y)[i];
      const double difference = y - self->reference[i];

      squares += difference * difference;
    }
  *relative = squares == 0 ? 0 : sqrt (squares) / self->reference_norm;
  return TRUE;
}

/* What stood in the way, where it is the format's. */
static char *
say_why (EsSparseProducts *self, EskSparseFormat format, int code)
{
  EskSparseOptions options = self->options;
  guint64 stored;

  /* How many warps are enough the device alone knows, and it matters little here. */
  options.full_warps = MAX (options.full_warps, 0);
  if (format == ESK_SPARSE_LIBRARY)
    return g_strdup (code == ESK_ERROR_ARGUMENT ? _("Not there") : _("It could not take the matrix"));
  if (code == ESK_ERROR_MEMORY && self->problem.n_nonzeros > 0
      && esk_sparse_stored (&self->csr, format, &options, &stored) == ESK_OK && stored > self->stored_limit)
    return g_strdup_printf (_("Padding would make it %.1f values a nonzero"),
                            (double) stored / (double) self->problem.n_nonzeros);
  return g_strdup (code == ESK_ERROR_MEMORY ? _("Not enough memory") : _("Not on this device"));
}

gboolean
es_sparse_products_measure (EsSparseProducts *self, EsSparseRow *row, GError **error)
{
  const EskSparseHotspots *sparse = self->hotspots->sparse;
  EskSparseOptions options = self->options;
  EskSparseProduct *product = NULL;
  gboolean done;
  int code;

  row->error = NAN;
  row->over_scalar = row->over_vector = NAN;
  if (row->format == ESK_SPARSE_LIBRARY && (sparse->library == NULL || sparse->library (self->stream) == NULL))
    {
      row->why = g_strdup (_("Not there"));
      return TRUE;
    }
  code = sparse->product_new (self->stream, &self->csr, row->format, &options, self->stored_limit, &product,
                             &row->cost);
  if (code == ESK_ERROR_ARGUMENT || code == ESK_ERROR_MEMORY)
    {
      row->why = say_why (self, row->format, code);
      return TRUE;
    }
  if (!check (self, code, error))
    return FALSE;
  done = repeat (self, product, &row->time, error) && compare (self, &row->error, error);
  row->measured = done;
  sparse->product_free (self->stream, product);
  return done;
}
