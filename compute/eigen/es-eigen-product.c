/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* Products with the matrix, on the CPU: ARPACK's vectors are there. */

#include "es-sparse-eigen-private.h"

#include <glib/gi18n-lib.h>

#include "device/es-buffer-internal.h"
#include "device/es-device-internal.h"

struct _EsEigenProduct
{
  EsDevice         *device;
  EskStream        *stream;
  EskSparseProduct *product;
};

EsEigenProduct *
es_eigen_product_new (const EskCsr *matrix, guint threads, GError **error)
{
  EsEigenProduct *self = g_new0 (EsEigenProduct, 1);
  const EskHotspots *hotspots;
  int code = ESK_ERROR_MEMORY;

  self->device = es_device_get_cpu ();
  self->stream = es_device_take_stream (self->device);
  hotspots = es_device_get_hotspots (self->device);
  if (self->stream != NULL)
    {
      esk_hotspots_set_threads (hotspots, self->stream,
                                (int) (threads > 0 ? threads : es_device_get_lanes (self->device)));
      code = hotspots->sparse->product_new (self->stream, matrix, ESK_SPARSE_CSR_VECTOR, NULL, 0, &self->product, NULL);
    }
  if (es_device_check (self->device, self->stream, code, _("the eigenproblem"), error))
    return self;
  es_eigen_product_free (self);
  return NULL;
}

void
es_eigen_product_free (EsEigenProduct *self)
{
  const EskHotspots *hotspots = es_device_get_hotspots (self->device);

  if (self->product != NULL)
    hotspots->sparse->product_free (self->stream, self->product);
  if (self->stream != NULL)
    {
      esk_hotspots_set_threads (hotspots, self->stream, 1);
      es_device_give_stream (self->device, self->stream);
    }
  g_free (self);
}

gboolean
es_eigen_product_apply (gpointer data, const double *x, double *y, GError **error)
{
  EsEigenProduct *self = data;
  const int code = es_device_get_hotspots (self->device)->sparse->multiply (self->stream, self->product, 1, x, 0, y);

  return es_device_check (self->device, self->stream, code, _("the eigenproblem"), error);
}
