/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "es-cuda-hotspots-private.h"

const EskEigenHotspots esk_cuda_eigen_hotspots = {
  .eigen_symmetric = esk_cuda_eigen_symmetric,
  .eigen_pair = esk_cuda_eigen_pair,
  .eigen_leading = esk_cuda_eigen_leading,
  .eigen_sparse_smallest = esk_cuda_eigen_sparse_smallest,
};
