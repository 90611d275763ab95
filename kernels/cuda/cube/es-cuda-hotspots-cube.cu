/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "es-cuda-cube-internal.h"

#include "cuda/covariance/es-cuda-covariance-internal.h"

const EskCubeHotspots esk_cuda_cube_hotspots = {
  .valid_pixels = esk_cuda_valid_pixels,
  .band_ranges = esk_cuda_band_ranges,
  .band_sums = esk_cuda_band_sums,
  .covariance_sums = esk_cuda_covariance_sums,
  .covariance_collect = esk_cuda_covariance_collect,
  .project = esk_cuda_project,
  .noise_residual = esk_cuda_noise_residual,
  .project_error = esk_cuda_project_error,
};
