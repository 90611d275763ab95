/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

/* Prepared beams, for the files that prepare and form them. */

#include "es-cuda-arrays-private.h"

struct _EskBeams {
  EskBeamPlan    plan;                 /* its arrays are not looked at */
  EskBeamMode    mode;
  size_t         n_units, n_pairs;
  double         axis[3];
  EskCudaArrays  arrays;
  double        *positions;            /* from here on in the device's memory */
  EskCudaPoint  *foci;
  int2          *units, *pairs;
  uint4         *table;                /* of all pairs and bins; NULL: made when it is needed */
  size_t         pair_stride;
  size_t         folded_bytes, partial_bytes, table_slice_bytes;
};

/* es-cuda-beams-symmetry.cu: mode, axis, and units and pairs of the cheapest way; both arrays have room for all. ESK_OK
 * or ESK_ERROR_MEMORY. */
int esk_cuda_beams_choose_mode (EskBeams *beams, const EskBeamPlan *plan, int2 *units, int2 *pairs);
