/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "es-cpu-beam-internal.h"
#include "es-cpu-beam-private.h"
#include "es-cpu-dft-private.h"

const EskBeamHotspots esk_cpu_beam_hotspots = {
  .dft_new = esk_cpu_dft_new,
  .dft_free = esk_cpu_dft_free,
  .real_dft = esk_cpu_real_dft,
  .beams_new = esk_cpu_beams_new,
  .beams_free = esk_cpu_beams_free,
  .beam_power = esk_cpu_beam_power,
  .beam_output = esk_cpu_beam_output,
};
