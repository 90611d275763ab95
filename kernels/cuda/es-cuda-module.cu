/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The entry of the module: whether it can work here, and the tables of its rooms. */

#include "es-hotspots.h"

#include "cuda/beam/es-cuda-beam-internal.h"
#include "cuda/core/es-cuda-internal.h"
#include "cuda/core/es-cuda-sums-internal.h"
#include "cuda/cube/es-cuda-cube-internal.h"
#include "cuda/ica/es-cuda-ica-internal.h"
#include "cuda/neighbours/es-cuda-neighbours-internal.h"
#include "cuda/picture/es-cuda-picture-internal.h"
#include "cuda/sparse/es-cuda-sparse-internal.h"
#include "cuda/vectors/es-cuda-vectors-internal.h"

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

static const EskHotspots hotspots = {
  .abi = ESK_HOTSPOTS_ABI,
  .name = "cuda",
  .stream = &esk_cuda_stream_hotspots,
  .device = &esk_cuda_device_hotspots,
  .picture = &esk_cuda_picture_hotspots,
  .eigen = &esk_cuda_eigen_hotspots,
  .cube = &esk_cuda_cube_hotspots,
  .ica = &esk_cuda_ica_hotspots,
  .beam = &esk_cuda_beam_hotspots,
  .adaptive = &esk_cuda_adaptive_hotspots,
  .sums = &esk_cuda_sums_hotspots,
  .sparse = &esk_cuda_sparse_hotspots,
  .neighbours = &esk_cuda_neighbours_hotspots,
  .vectors = &esk_cuda_vectors_hotspots,
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
