/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dataset/es-dataset.h"

G_BEGIN_DECLS

/*
 * A data set that is not there yet: its shape and nothing to be read. A cube is WIDTHxHEIGHTxBANDS:TYPE
 * ("614x512x224:int16"); a recording CHANNELSxSECONDSs@RATE:TYPE ("64x3600s@4000:int16"), or with FRAMES in the place
 * of the seconds. ES_COMPUTE_ERROR_PARAMETER: one sentence. Transfer full.
 */
EsDataset *es_planned_data_new (const char *shape, GError **error);

G_END_DECLS
