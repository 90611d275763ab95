/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Eigenproblems on the fake cards: LAPACK's, up to a size. */

#include "fake-device.h"

#include "es-eigen.h"

#include <stdlib.h>
#include <string.h>

static int
fake_eigen_symmetric (EskStream *stream, size_t n, const double *matrix, double *values, double *vectors)
{
  const long largest = fake_number ("ES_FAKE_EIGEN_LARGEST", 0);
  double *copy;
  int code = fake_work (stream);

  if (largest != 0 && n > (size_t) labs (largest))
    return largest > 0 ? ESK_ERROR_ARGUMENT : ESK_ERROR_MEMORY;
  copy = malloc (n * n * sizeof *copy);
  memcpy (copy, matrix, n * n * sizeof *copy);
  if (code == ESK_OK)
    code = esk_eigen_lapack (n, copy, values, vectors);
  free (copy);
  return code;
}

const EskEigenHotspots fake_eigen_hotspots = {
  .eigen_symmetric = fake_eigen_symmetric,
};
