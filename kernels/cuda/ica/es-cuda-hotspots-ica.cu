/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "es-cuda-ica-internal.h"
#include "es-cuda-ica-private.h"

const EskIcaHotspots esk_cuda_ica_hotspots = {
  .compact = esk_cuda_compact,
  .ica_step = esk_cuda_ica_step,
  .ica_moments = esk_cuda_ica_moments,
  .moment_sums = esk_cuda_moment_sums,
};
