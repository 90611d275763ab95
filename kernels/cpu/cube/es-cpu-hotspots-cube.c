/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "es-cpu-cube-internal.h"
#include "es-cpu-cube-private.h"

/* Sums are in the covariance already: there is nothing to collect. */
const EskCubeHotspots esk_cpu_cube_hotspots = {
  .valid_pixels = esk_cpu_valid_pixels,
  .band_ranges = esk_cpu_band_ranges,
  .band_sums = esk_cpu_band_sums,
  .covariance_sums = esk_cpu_covariance_sums,
  .project = esk_cpu_project,
  .noise_residual = esk_cpu_noise_residual,
  .project_error = esk_cpu_project_error,
};
