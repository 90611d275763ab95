/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* The sum of small matrices, one of each sample and its neighbours, as a sparse one. */

#include "es-spectral-private.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "device/es-device-internal.h"

/* Rows of one piece of work. */
#define PIECE 256

typedef struct
{
  const EsManifoldInput *input;
  const double *local;
  const gint32 *index;
  gsize         n;
  guint         k;
  gsize        *in_from;       /* n + 1 */
  guint64      *in;            /* n k: who has the point as a neighbour (ascending), and as which: sample * k + place */
  gint32       *lengths;       /* n */
  EsSpectralMatrix *out;
  gboolean      fill;          /* else lengths are counted */
  int           failed;        /* atomic */
} Assembly;

typedef struct
{
  gsize   count;
  gint32 *touched;             /* n */
  double *sums;                /* n */
  guint8 *is_touched;          /* n */
} Row;

/* Row `place` of the matrix of sample s: 0 is the sample itself. */
static void
add_local (const Assembly *self, gsize s, guint place, Row *row)
{
  const guint k = self->k;
  const double *local = self->local + s * ((gsize) (k + 1) * (k + 2) / 2);

  for (guint b = 0; b <= k; b++)
    {
      const gint32 column = b == 0 ? (gint32) s : self->index[s * k + b - 1];
      const guint low = MIN (place, b), high = MAX (place, b);

      if (!row->is_touched[column])
        {
          row->is_touched[column] = 1;
          row->sums[column] = 0;
          row->touched[row->count++] = column;
        }
      row->sums[column] += local[(gsize) high * (high + 1) / 2 + low];
    }
}

static int
compare_columns (gconstpointer a, gconstpointer b)
{
  const gint32 x = *(const gint32 *) a, y = *(const gint32 *) b;

  return x < y ? -1 : x > y;
}

/* Always in the order of the samples, so that the matrix is exactly symmetric. */
static void
find_row (const Assembly *self, gsize i, Row *row)
{
  gboolean own = FALSE;

  row->count = 0;
  for (gsize j = self->in_from[i]; j < self->in_from[i + 1]; j++)
    {
      const gsize s = (gsize) (self->in[j] / self->k);

      if (!own && s > i)
        {
          add_local (self, i, 0, row);
          own = TRUE;
        }
      add_local (self, s, (guint) (self->in[j] % self->k) + 1, row);
    }
  if (!own)
    add_local (self, i, 0, row);
  if (self->fill)
    qsort (row->touched, row->count, sizeof (gint32), compare_columns);
  for (gsize j = 0; j < row->count; j++)
    row->is_touched[row->touched[j]] = 0;
}

static void
assemble_piece (gsize piece, gpointer data)
{
  Assembly *self = data;
  g_autofree gint32 *touched = g_try_new (gint32, self->n);
  g_autofree double *sums = g_try_new (double, self->n);
  g_autofree guint8 *is_touched = g_try_new0 (guint8, self->n);
  Row row = { 0, touched, sums, is_touched };

  if (touched == NULL || sums == NULL || is_touched == NULL)
    {
      g_atomic_int_set (&self->failed, 1);
      return;
    }
  if (g_cancellable_is_cancelled (es_job_get_cancellable (self->input->job)))
    return;
  for (gsize i = piece * PIECE; i < MIN ((piece + 1) * PIECE, self->n); i++)
    {
      find_row (self, i, &row);
      if (!self->fill)
        self->lengths[i] = (gint32) row.count;
      for (gsize j = 0; j < row.count && self->fill; j++)
        {
          self->out->column[self->out->row_from[i] + (gint32) j] = touched[j];
          self->out->value[self->out->row_from[i] + (gint32) j] = sums[touched[j]];
        }
    }
}

static void
list_in (Assembly *self, gsize *at)
{
  for (gsize i = 0; i < self->n * self->k; i++)
    self->in_from[self->index[i] + 1]++;
  for (gsize i = 0; i < self->n; i++)
    self->in_from[i + 1] += self->in_from[i];
  memcpy (at, self->in_from, self->n * sizeof (gsize));
  for (gsize i = 0; i < self->n * self->k; i++)
    self->in[at[self->index[i]]++] = i;
}

/* Both passes over the rows. */
static gboolean
run (Assembly *self, EsSpectralMatrix *out)
{
  const gsize pieces = (self->n + PIECE - 1) / PIECE;
  gsize total = 0;

  es_manifold_run_parts (self->input->threads, pieces, assemble_piece, self);
  if (g_cancellable_is_cancelled (es_job_get_cancellable (self->input->job)) || self->failed)
    return FALSE;
  for (gsize i = 0; i < self->n; i++)
    total += (gsize) self->lengths[i];
  if (total >= G_MAXINT32)
    return FALSE;
  out->column = g_try_new (gint32, total);
  out->value = g_try_new (double, total);
  if (out->column == NULL || out->value == NULL)
    return FALSE;
  for (gsize i = 0; i < self->n; i++)
    out->row_from[i + 1] = out->row_from[i] + self->lengths[i];
  self->fill = TRUE;
  es_manifold_run_parts (self->input->threads, pieces, assemble_piece, self);
  return !self->failed;
}

gboolean
es_lle_assemble (const EsManifoldInput *input, const double *local, EsSpectralMatrix *out, GError **error)
{
  const gsize n = input->samples->n;
  const guint k = es_neighbours_get_k (input->graph);
  g_autofree gsize *in_from = g_try_new0 (gsize, n + 1), *at = g_try_new (gsize, n);
  g_autofree guint64 *in = g_try_malloc_n (n, k * sizeof (guint64));
  g_autofree gint32 *lengths = g_try_new (gint32, n);
  Assembly self = { .input = input, .local = local, .index = es_neighbours_get_indices (input->graph), .n = n, .k = k,
                    .in_from = in_from, .in = in, .lengths = lengths, .out = out };

  gboolean done = FALSE;

  *out = (EsSpectralMatrix) { .n = n, .row_from = g_try_new0 (gint32, n + 1) };
  if (out->row_from != NULL && in_from != NULL && at != NULL && in != NULL && lengths != NULL)
    {
      list_in (&self, at);
      done = run (&self, out);
    }
  if (es_job_is_cancelled (input->job, error))
    done = FALSE;
  else if (!done)
    es_compute_error_no_memory (_("the matrix of the samples' weights"), error);
  if (!done)
    es_spectral_matrix_clear (out);
  return done;
}
