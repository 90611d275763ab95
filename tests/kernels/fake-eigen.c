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

/* No more vectors than are wanted: who takes one that is not there finds what was there before. */
static int
fake_eigen_leading (EskStream *stream, size_t n, const double *matrix, EskEigenChoose choose, void *data,
                    double *values, double *vectors, size_t *n_vectors)
{
  double *all = malloc (n * n * sizeof *all);
  const int code = fake_eigen_symmetric (stream, n, matrix, values, all);

  *n_vectors = 0;
  if (code == ESK_OK)
    {
      *n_vectors = choose != NULL ? choose (n, values, data) : n;
      memcpy (vectors, all, *n_vectors * n * sizeof *all);
    }
  free (all);
  return code;
}

const EskEigenHotspots fake_eigen_hotspots = {
  .eigen_symmetric = fake_eigen_symmetric,
  .eigen_leading = fake_eigen_leading,
};
