/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-reader-private.h"
#include "mdim/es-mdim-internal.h"

static gboolean
mdim_recognises (EsReaderInput *input)
{
  return input->store || es_reader_is_hdf5 (input) || es_reader_is_netcdf3 (input);
}

static EsDataset *
mdim_open (EsReaderInput *input, GError **error)
{
  return (EsDataset *) es_mdim_open (input, error);
}

const EsReader es_reader_mdim = { mdim_recognises, mdim_open, &es_library_gdal };
