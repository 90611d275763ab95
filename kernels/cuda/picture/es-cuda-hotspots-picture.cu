/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "es-cuda-picture-internal.h"
#include "es-cuda-picture-private.h"

const EskPictureHotspots esk_cuda_picture_hotspots = {
  .plane_statistics = esk_cuda_plane_statistics,
  .plane_halve = esk_cuda_plane_halve,
  .plane_decimate = esk_cuda_plane_decimate,
  .gl_shares = esk_cuda_gl_shares,
  .gl_register = esk_cuda_gl_register,
  .gl_unregister = esk_cuda_gl_unregister,
  .gl_copy = esk_cuda_gl_copy,
};
