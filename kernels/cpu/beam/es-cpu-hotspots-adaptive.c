/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "es-cpu-adaptive-private.h"
#include "es-cpu-beam-internal.h"

const EskAdaptiveHotspots esk_cpu_adaptive_hotspots = {
  .adaptive_new = esk_cpu_adaptive_new,
  .adaptive_free = esk_cpu_adaptive_free,
  .adaptive_reset = esk_cpu_adaptive_reset,
  .adaptive_add = esk_cpu_adaptive_add,
  .adaptive_power = esk_cpu_adaptive_power,
  .adaptive_state = esk_cpu_adaptive_state,
};
