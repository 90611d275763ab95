/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "es-cuda-hotspots-private.h"

const EskStreamHotspots esk_cuda_stream_hotspots = {
  .stream_new = esk_cuda_stream_new,
  .stream_free = esk_cuda_stream_free,
  .last_error = esk_cuda_last_error,
};
