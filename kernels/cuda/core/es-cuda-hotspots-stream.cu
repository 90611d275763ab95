/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "es-cuda-hotspots-private.h"

static void
set_cancelled (EskStream *stream,
               const int *cancelled)
{
  stream->cancelled = cancelled;
}

const EskStreamHotspots esk_cuda_stream_hotspots = {
  .stream_new = esk_cuda_stream_new,
  .stream_free = esk_cuda_stream_free,
  .last_error = esk_cuda_last_error,
  .set_cancelled = set_cancelled,
};
