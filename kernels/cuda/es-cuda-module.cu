/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The entry of the module: whether it can work here, and the table. */

#include "cuda/beam/es-cuda-adaptive-private.h"
#include "cuda/core/es-cuda-device-private.h"
#include "cuda/cube/es-cuda-ica-private.h"

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

static const EskHotspots hotspots = {
  ESK_HOTSPOTS_ABI,
  "cuda",
  esk_cuda_stream_new,
  esk_cuda_stream_free,
  esk_cuda_last_error,
  esk_cuda_valid_pixels,
  esk_cuda_band_ranges,
  esk_cuda_band_sums,
  esk_cuda_covariance_sums,
  esk_cuda_covariance_collect,
  esk_cuda_project,
  esk_cuda_eigen_symmetric,
  esk_cuda_noise_residual,
  esk_cuda_compact,
  esk_cuda_ica_step,
  esk_cuda_ica_moments,
  esk_cuda_moment_sums,
  esk_cuda_project_error,
  esk_cuda_dft_new,
  esk_cuda_dft_free,
  esk_cuda_real_dft,
  esk_cuda_beams_new,
  esk_cuda_beams_free,
  esk_cuda_beam_power,
  NULL,                        /* beam_output */
  esk_cuda_adaptive_new,
  esk_cuda_adaptive_free,
  esk_cuda_adaptive_reset,
  esk_cuda_adaptive_add,
  esk_cuda_adaptive_power,
  esk_cuda_adaptive_state,
  NULL,                        /* set_threads */
  esk_cuda_device_count,
  esk_cuda_device_info,
  esk_cuda_device_warm_up,
  esk_cuda_memory_new,
  esk_cuda_memory_free,
  esk_cuda_staging_new,
  esk_cuda_staging_free,
  esk_cuda_upload,
  esk_cuda_download,
  esk_cuda_wait,
  esk_cuda_load,
  esk_cuda_plane_statistics,
  esk_cuda_plane_halve,
  esk_cuda_plane_decimate,
  esk_cuda_gl_shares,
  esk_cuda_gl_register,
  esk_cuda_gl_unregister,
  esk_cuda_gl_copy,
};

/* The driver of the machine: whether there is one, and whether it is new enough for the runtime this was built with.
 * Asked of the driver itself, before anything of the runtime is called. */
static bool
check_driver (char   *why,
              size_t  why_bytes)
{
  void *driver = dlopen ("libcuda.so.1", RTLD_LAZY | RTLD_LOCAL);
  int (*get_version) (int *) = NULL;
  void *symbol;
  int version = 0;

  if (driver == NULL)
    {
      snprintf (why, why_bytes, "No NVIDIA driver is installed");
      return false;
    }

  symbol = dlsym (driver, "cuDriverGetVersion");
  memcpy (&get_version, &symbol, sizeof symbol);
  if (get_version == NULL || get_version (&version) != 0)
    {
      snprintf (why, why_bytes, "The NVIDIA driver does not tell its version");
      dlclose (driver);
      return false;
    }

  /* Within one major version every driver runs every runtime (CUDA's minor version compatibility). */
  if (version / 1000 < CUDART_VERSION / 1000)
    {
      snprintf (why, why_bytes, "The NVIDIA driver is too old: it supports CUDA %d.%d, and CUDA %d.0 is needed",
                version / 1000, version % 1000 / 10, CUDART_VERSION / 1000);
      dlclose (driver);
      return false;
    }

  /* Stays open: the runtime is about to use it. */
  return true;
}

extern "C" __attribute__ ((visibility ("default"))) const EskHotspots *
esk_module_hotspots (unsigned  abi,
                     char     *why,
                     size_t    why_bytes)
{
  if (why_bytes > 0)
    why[0] = '\0';

  if (abi != ESK_HOTSPOTS_ABI)
    {
      snprintf (why, why_bytes, "The CUDA module has interface %d, and the program asks for %u; "
                "both must be of one version", ESK_HOTSPOTS_ABI, abi);
      return NULL;
    }

  return check_driver (why, why_bytes) ? &hotspots : NULL;
}
