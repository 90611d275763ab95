/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Eigenproblems on the fake cards: LAPACK's, up to a size. */

#include "fake-device.h"

#include "es-eigen.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* What such a card answers to a problem of this size. */
static int
answer_size (size_t n)
{
  const long largest = fake_number ("ES_FAKE_EIGEN_LARGEST", 0);

  return largest == 0 || n <= (size_t) labs (largest) ? ESK_OK : largest > 0 ? ESK_ERROR_ARGUMENT : ESK_ERROR_MEMORY;
}

static int
fake_eigen_symmetric (EskStream *stream, size_t n, const double *matrix, double *values, double *vectors)
{
  double *copy;
  int code = fake_work (stream);

  if (answer_size (n) != ESK_OK)
    return answer_size (n);
  copy = malloc (n * n * sizeof *copy);
  memcpy (copy, matrix, n * n * sizeof *copy);
  if (code == ESK_OK)
    code = esk_eigen_lapack (n, copy, values, vectors);
  free (copy);
  return code;
}

/* By the eigenvectors of the noise. */
static int
fake_eigen_pair (EskStream *stream, size_t n, const double *noise, const double *data, double least, double *values,
                 double *transform, double *mixing, size_t *n_raised)
{
  double *forward, *backward, *turned, *vectors;
  int code = fake_work (stream);

  if (n == 0 || noise == NULL || data == NULL)
    return ESK_ERROR_ARGUMENT;
  if (answer_size (n) != ESK_OK)
    return answer_size (n);
  forward = malloc (4 * n * n * sizeof *forward);
  backward = forward + n * n;
  turned = backward + n * n;
  vectors = turned + n * n;
  if (code == ESK_OK)
    code = esk_eigen_lapack (n, noise, values, vectors);
  if (code == ESK_OK && !(values[0] > 0.0))
    code = ESK_ERROR_NO_CONVERGENCE;
  *n_raised = 0;
  for (size_t k = 0; k < n && code == ESK_OK; k++)
    {
      const double value = values[k] > least * values[0] ? values[k] : least * values[0];

      *n_raised += !(values[k] > least * values[0]);
      if (value <= 0.0)
        code = ESK_ERROR_NO_CONVERGENCE;
      for (size_t i = 0; i < n && code == ESK_OK; i++)
        {
          forward[k * n + i] = vectors[k * n + i] / sqrt (value);
          backward[k * n + i] = vectors[k * n + i] * sqrt (value);
          turned[i * n + k] = forward[k * n + i];
        }
    }
  if (code == ESK_OK)
    {
      esk_multiply (n, n, n, forward, data, transform);
      esk_multiply (n, n, n, transform, turned, mixing);
      code = esk_eigen_lapack (n, mixing, values, vectors);
    }
  if (code == ESK_OK)
    {
      esk_multiply (n, n, n, vectors, forward, transform);
      esk_multiply (n, n, n, vectors, backward, mixing);
    }
  free (forward);
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

/* All pairs of the dense matrix. */
static int
fake_eigen_sparse_smallest (EskStream *stream, const EskCsr *matrix, double shift, size_t m, double tolerance,
                            double *values, double *vectors, EskSparseEigenFacts *facts)
{
  const size_t n = matrix->rows;
  double *dense, *all, *rows;
  int code = fake_work (stream);

  if (matrix->columns != n || matrix->type != ESK_F64 || m == 0 || n < 4 * m + 32 || !isfinite (shift)
      || !(tolerance > 0.0))
    return ESK_ERROR_ARGUMENT;
  if (answer_size (n) != ESK_OK)
    return answer_size (n);
  dense = calloc (2 * n * n + n, sizeof *dense);
  if (dense == NULL)
    return ESK_ERROR_MEMORY;
  rows = dense + n * n;
  all = rows + n * n;
  for (size_t i = 0; i < n; i++)
    for (int32_t j = matrix->row_from[i]; j < matrix->row_from[i + 1]; j++)
      dense[i * n + (size_t) matrix->column[j]] = ((const double *) matrix->value)[j];
  if (code == ESK_OK)
    code = esk_eigen_lapack (n, dense, all, rows);
  if (code == ESK_OK && !(all[n - 1] + shift > 0.0))
    code = ESK_ERROR_SINGULAR;
  for (size_t k = 0; k < m && code == ESK_OK; k++)
    {
      values[k] = all[n - 1 - k];
      memcpy (vectors + k * n, rows + (n - 1 - k) * n, n * sizeof *vectors);
    }
  *facts = (EskSparseEigenFacts) { .solutions = (unsigned) n, .bytes = n * n * sizeof *dense };
  free (dense);
  return code;
}

const EskEigenHotspots fake_eigen_hotspots = {
  .eigen_symmetric = fake_eigen_symmetric,
  .eigen_pair = fake_eigen_pair,
  .eigen_leading = fake_eigen_leading,
  .eigen_sparse_smallest = fake_eigen_sparse_smallest,
};
