/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "es-cuda-hotspots-private.h"

const EskDeviceHotspots esk_cuda_device_hotspots = {
  .device_count = esk_cuda_device_count,
  .device_info = esk_cuda_device_info,
  .device_warm_up = esk_cuda_device_warm_up,
  .device_describe = esk_cuda_device_describe,
  .device_memory = esk_cuda_device_memory,
  .device_warm_further = esk_cuda_device_warm_further,
  .device_leave = esk_cuda_device_leave,
  .memory_new = esk_cuda_memory_new,
  .memory_free = esk_cuda_memory_free,
  .staging_new = esk_cuda_staging_new,
  .staging_free = esk_cuda_staging_free,
  .upload = esk_cuda_upload,
  .download = esk_cuda_download,
  .wait = esk_cuda_wait,
  .load = esk_cuda_load,
};
