/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "es-cuda-arrays-private.h"
#include "es-cuda-beam-internal.h"

/* No beam_output: the CPU does it. */
const EskBeamHotspots esk_cuda_beam_hotspots = {
  .dft_new = esk_cuda_dft_new,
  .dft_free = esk_cuda_dft_free,
  .real_dft = esk_cuda_real_dft,
  .beams_new = esk_cuda_beams_new,
  .beams_free = esk_cuda_beams_free,
  .beam_power = esk_cuda_beam_power,
};
