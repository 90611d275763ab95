/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "es-cpu-ica-internal.h"
#include "es-cpu-ica-private.h"

const EskIcaHotspots esk_cpu_ica_hotspots = {
  .compact = esk_cpu_compact,
  .ica_step = esk_cpu_ica_step,
  .ica_moments = esk_cpu_ica_moments,
  .moment_sums = esk_cpu_moment_sums,
};
