/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "es-cuda-adaptive-private.h"
#include "es-cuda-beam-internal.h"

const EskAdaptiveHotspots esk_cuda_adaptive_hotspots = {
  .adaptive_new = esk_cuda_adaptive_new,
  .adaptive_free = esk_cuda_adaptive_free,
  .adaptive_reset = esk_cuda_adaptive_reset,
  .adaptive_add = esk_cuda_adaptive_add,
  .adaptive_power = esk_cuda_adaptive_power,
  .adaptive_state = esk_cuda_adaptive_state,
};
