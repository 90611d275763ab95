/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* The graph of the samples as a symmetric matrix. */

#include "es-spectral-private.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#include "device/es-device-internal.h"

void
es_spectral_matrix_clear (EsSpectralMatrix *self)
{
  g_clear_pointer (&self->row_from, g_free);
  g_clear_pointer (&self->column, g_free);
  g_clear_pointer (&self->value, g_free);
}

EskCsr
es_spectral_matrix_csr (const EsSpectralMatrix *self)
{
  return (EskCsr) { self->n, self->n, ESK_F64, self->row_from, self->column, self->value };
}

/* ---- joining ---- */

/* Rows of one piece of work: then a job that is cancelled ends. */
#define PIECE 16384

typedef struct
{
  gint32 point;
  float  distance;
} Joint;

/* Who has each point as a neighbour, ascending: from (n + 1), in (n k). */
static gboolean
list_in (const EsManifoldInput *input, gsize *from, gsize *at, Joint *in, GError **error)
{
  const gsize n = es_neighbours_get_n_points (input->graph);
  const guint k = es_neighbours_get_k (input->graph);
  const gint32 *index = es_neighbours_get_indices (input->graph);
  const float *distance = es_neighbours_get_distances (input->graph);

  for (gsize i = 0; i < n * k; i++)
    from[index[i] + 1]++;
  for (gsize i = 0; i < n; i++)
    from[i + 1] += from[i];
  memcpy (at, from, n * sizeof (gsize));
  for (gsize i = 0; i < n; i++)
    {
      if (i % PIECE == 0 && es_job_is_cancelled (input->job, error))
        return FALSE;
      for (guint j = 0; j < k; j++)
        in[at[index[i * k + j]]++] = (Joint) { (gint32) i, distance[i * k + j] };
    }
  return TRUE;
}

/* The neighbours of each point, ascending: out (n x k). */
static gboolean
list_out (const EsManifoldInput *input, const gsize *from, const Joint *in, gsize *at, Joint *out, GError **error)
{
  const gsize n = es_neighbours_get_n_points (input->graph);
  const guint k = es_neighbours_get_k (input->graph);

  for (gsize i = 0; i < n; i++)
    at[i] = i * k;
  for (gsize i = 0; i < n; i++)
    {
      if (i % PIECE == 0 && es_job_is_cancelled (input->job, error))
        return FALSE;
      for (gsize j = from[i]; j < from[i + 1]; j++)
        out[at[in[j].point]++] = (Joint) { (gint32) i, in[j].distance };
    }
  return TRUE;
}

/* Both lists of every point as one, ascending. column and value NULL: how many there are. */
static gsize
merge (const EsManifoldInput *input, gboolean diagonal, const gsize *from, const Joint *in, const Joint *out,
       gint32 *row_from, gint32 *column, double *value)
{
  const gsize n = es_neighbours_get_n_points (input->graph);
  const guint k = es_neighbours_get_k (input->graph);
  gsize total = 0;

  for (gsize i = 0; i < n; i++)
    {
      gsize a = from[i], b = i * k;
      gboolean own = !diagonal;

      if (row_from != NULL)
        row_from[i] = (gint32) total;
      while (a < from[i + 1] || b < (i + 1) * k || !own)
        {
          const gint32 first = a < from[i + 1] ? in[a].point : G_MAXINT32;
          const gint32 second = b < (i + 1) * k ? out[b].point : G_MAXINT32;
          const gint32 third = !own ? (gint32) i : G_MAXINT32;
          const gint32 least = MIN (MIN (first, second), third);
          const float distance = least == first ? in[a].distance : least == second ? out[b].distance : 0;

          a += least == first;
          b += least == second;
          own |= least == third;
          if (column != NULL)
            {
              column[total] = least;
              value[total] = distance;
            }
          total++;
        }
    }
  if (row_from != NULL)
    row_from[n] = (gint32) total;
  return total;
}

gboolean
es_spectral_join (const EsManifoldInput *input, gboolean diagonal, EsSpectralMatrix *matrix, GError **error)
{
  const gsize n = es_neighbours_get_n_points (input->graph);
  const guint k = es_neighbours_get_k (input->graph);
  g_autofree gsize *from = g_try_new0 (gsize, n + 1), *at = g_try_new (gsize, n);
  g_autofree Joint *in = g_try_malloc_n (n, k * sizeof (Joint)), *out = g_try_malloc_n (n, k * sizeof (Joint));
  gsize total;

  if (from == NULL || at == NULL || in == NULL || out == NULL)
    return es_compute_error_no_memory (_("the graph of the samples"), error);
  if (!list_in (input, from, at, in, error) || !list_out (input, from, in, at, out, error))
    return FALSE;
  total = merge (input, diagonal, from, in, out, NULL, NULL, NULL);
  *matrix = (EsSpectralMatrix) { .n = n };
  if (total < G_MAXINT32)
    {
      matrix->row_from = g_try_new (gint32, n + 1);
      matrix->column = g_try_new (gint32, total);
      matrix->value = g_try_new (double, total);
    }
  if (matrix->row_from == NULL || matrix->column == NULL || matrix->value == NULL)
    {
      es_spectral_matrix_clear (matrix);
      return es_compute_error_no_memory (_("the graph of the samples"), error);
    }
  merge (input, diagonal, from, in, out, matrix->row_from, matrix->column, matrix->value);
  return TRUE;
}

/* ---- weights ---- */

void
es_spectral_kernel_init (EsSpectralKernel *self, EsNeighbours *graph, gboolean binary, double sigma)
{
  const gsize n = es_neighbours_get_n_points (graph);
  const guint k = es_neighbours_get_k (graph);
  const float *distance = es_neighbours_get_distances (graph);

  *self = (EsSpectralKernel) { .binary = binary, .sigma = sigma, .reach = g_new (double, n) };
  for (gsize i = 0; i < n; i++)
    self->reach[i] = distance[i * k + k - 1];
}

void
es_spectral_kernel_clear (EsSpectralKernel *self)
{
  g_clear_pointer (&self->reach, g_free);
}

double
es_spectral_weigh (const EsSpectralKernel *self, double distance, double reach, double other)
{
  const double sigma = es_spectral_kernel_sigma (self, reach, other);

  /* Twins are alike whatever the width, which may be 0 among them. */
  if (self->binary || distance <= 0)
    return 1;
  return exp (-0.5 * (distance / sigma) * (distance / sigma));
}

void
es_spectral_weigh_all (const EsSpectralKernel *self, EsSpectralMatrix *matrix, double *degree)
{
  for (gsize i = 0; i < matrix->n; i++)
    {
      degree[i] = 0;
      for (gint32 j = matrix->row_from[i]; j < matrix->row_from[i + 1]; j++)
        {
          matrix->value[j] = fmax (es_spectral_weigh (self, matrix->value[j], self->reach[i],
                                                      self->reach[matrix->column[j]]), ES_SPECTRAL_LEAST_WEIGHT);
          degree[i] += matrix->value[j];
        }
    }
}

gboolean
es_spectral_normalise (EsSpectralMatrix *matrix, const double *degree, GError **error)
{
  const gsize n = matrix->n, n_values = (gsize) matrix->row_from[n];
  g_autofree gint32 *column = g_steal_pointer (&matrix->column), *row_from = g_steal_pointer (&matrix->row_from);
  g_autofree double *value = g_steal_pointer (&matrix->value);
  gsize at = 0;

  if (n_values + n < G_MAXINT32)
    {
      matrix->row_from = g_try_new (gint32, n + 1);
      matrix->column = g_try_new (gint32, n_values + n);
      matrix->value = g_try_new (double, n_values + n);
    }
  if (matrix->row_from == NULL || matrix->column == NULL || matrix->value == NULL)
    {
      es_spectral_matrix_clear (matrix);
      return es_compute_error_no_memory (_("the graph of the samples"), error);
    }
  for (gsize i = 0; i < n; i++)
    {
      gboolean diagonal = FALSE;

      matrix->row_from[i] = (gint32) at;
      for (gint32 j = row_from[i]; j < row_from[i + 1]; j++)
        {
          if (!diagonal && (gsize) column[j] > i)
            {
              diagonal = TRUE;
              matrix->column[at] = (gint32) i;
              matrix->value[at++] = 1;
            }
          diagonal |= (gsize) column[j] == i;
          matrix->column[at] = column[j];
          matrix->value[at++] = ((gsize) column[j] == i) - value[j] / sqrt (degree[i] * degree[column[j]]);
        }
      if (!diagonal)
        {
          matrix->column[at] = (gint32) i;
          matrix->value[at++] = 1;
        }
    }
  matrix->row_from[n] = (gint32) at;
  return TRUE;
}

gssize
es_spectral_find_twin (const EsManifoldQueries *queries, gsize query)
{
  return queries->k > 0 && queries->distance[query * queries->k] <= 0 ? queries->index[query * queries->k] : -1;
}
