/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* GDAL reads HDF5 without a cache that holds a chunk of more than a megabyte, and so unpacks it for every row. Samples
 * that can be handed over as they are stored are read without it, with a cache for the chunks of one row. */

#include <glib/gi18n-lib.h>

#include "claims/es-claim-hdf5-internal.h"
#include "es-mdim-private.h"

/* A stretch: one row of pixels of all bands. */
static const EsHdfCache cache = { .stretches = 1, .share = 16, .most = (guint64) 4096 * 1024 * 1024 };

EsHdfSamples *
es_mdim_hdf_new (EsReaderInput *input, const char *variable, const EsMdimShape *shape, EskType type)
{
  g_autofree guint64 *across = g_new (guint64, shape->n_axes);

  if (!es_reader_is_hdf5 (input) || shape->n_axes > H5S_MAX_RANK)
    return NULL;
  for (size_t i = 0; i < shape->n_axes; i++)
    across[i] = 1;
  across[shape->axis[ES_AXIS_COLUMN]] = shape->length[ES_AXIS_COLUMN];
  across[shape->axis[ES_AXIS_BAND]] = shape->length[ES_AXIS_BAND];
  return es_hdf_samples_new (input->path, variable, type, TRUE, (int) shape->n_axes, across, &cache, NULL);
}

double *
es_mdim_hdf_read_vector (EsReaderInput *input, const char *variable, gsize n)
{
  const guint64 length = n;
  guint64 missing = 0, all;
  g_autofree double *values = g_try_new (double, n);
  gboolean ok = values != NULL
                && es_claim_hdf5_is_written (input->path, input->name, variable, &missing, &all, NULL) && missing == 0;
  hid_t file = ok ? H5Fopen (input->path, H5F_ACC_RDONLY, H5P_DEFAULT) : -1;
  hid_t dataset = file >= 0 ? H5Dopen2 (file, variable, H5P_DEFAULT) : -1;

  ok = dataset >= 0 && es_hdf_read_whole (dataset, H5T_NATIVE_DOUBLE, 1, &length, values);
  if (dataset >= 0)
    H5Dclose (dataset);
  if (file >= 0)
    H5Fclose (file);
  if (ok)
    return g_steal_pointer (&values);
  es_reader_note (input, _("The list “%s” is damaged or was never written, and was ignored."), variable);
  return NULL;
}
